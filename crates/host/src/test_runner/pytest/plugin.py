"""Proctor's observer inside pytest: one JSON record per line, to Proctor alone.

Loaded with ``-p`` before any other plugin and before the project's own code. pytest's exit code
and its reports leave out facts that the gates need: the class of an exception, the module that was
missing, the phase a test failed in, where a module was really loaded from.

The judged code runs in this very process. So everything that decides is kept by the writer of records alone
(``pen.py``); the hooks here report what they saw. Every record begins with a word that only the writer knows,
any caller but pytest that has one written is named in the stream, and the foundations of tests are compared with
their state before that code was loaded (``guard.py``).

Works with every Python from 3.8 on; needs nothing but pytest.
"""

import builtins
import dis
import faulthandler
import gc
import hashlib
import json
import os
import sys
import threading

import pytest


def _witness():
    from builtins import (
        any, AttributeError, bool, classmethod, dict, Exception, frozenset, getattr, hasattr, id, ImportError, int,
        isinstance, len, list, locals, ModuleNotFoundError, next, object, range, set, sorted, staticmethod, str,
        SyntaxError, tuple, type, TypeError, ValueError, vars
    )

    _witness_code = sys._getframe().f_code

    def _take(number):
        """A copy of the stream that nothing started from here inherits; nothing is left in its place."""
        copy = os.dup(number)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, number)
        os.close(nothing)
        return copy

    def _heard(descriptor):
        """All that Proctor says: a word that every record has to begin with, and how this run is to be made."""
        said = b""
        while True:
            piece = os.read(descriptor, 65536)
            if not piece:
                break
            said += piece
        word, _, terms = said.partition(b" ")
        return word, json.loads(terms.decode("utf-8"))

    # Read once, before any test could. Nothing of it is in the environment or among the arguments: all runs look the same.
    _STREAM = os.environ.pop("PROCTOR_PYTEST_STREAM_FD", None)
    _descriptor, _word, _terms = None, b"", {}
    if _STREAM:
        _descriptor = _take(int(_STREAM))
        _word, _terms = _heard(_descriptor)

    def _path(said):
        """Paths are encoded as a character per byte."""
        return os.fsdecode(said.encode("latin-1")) if said else None

    _TREE = os.path.realpath(_path(_terms.get("tree")) or os.getcwd())
    _ROOTS = [_path(root) for root in _terms.get("roots", [])]
    # Code that has a path in the person's checkout can recognise it, but cannot learn it from this.
    _CHECKOUT = _terms.get("checkout")
    _REVERSED = _terms.get("reversed", False)
    _JUNIT = _path(_terms.get("junit"))
    _MARKER, _TURNED = _terms.get("marker"), _terms.get("turned", False)
    _LINES = _terms.get("lines")
    _LIMIT = 20000
    # How long one test may take, and the file for its activity when its time was up.
    _stop = _terms.get("limit")
    if _stop:
        _stop["to"] = os.open(_path(_stop["file"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def _stop_later(nodeid=None):
        """Ends the process unless it is called again: not from Python, which may be the part that hangs."""
        if _stop and (not _stop["only"] or nodeid in _stop["only"]):
            faulthandler.dump_traceback_later(_stop["seconds"], exit=True, file=_stop["to"])
        elif _stop:
            faulthandler.cancel_dump_traceback_later()

    _beneath, _in_tree, _ = _placing(_TREE)

    def _beneath_checkout(path, sha256=hashlib.sha256):
        """The path relative to the person's checkout, or None if it lies elsewhere."""
        if not _CHECKOUT or not isinstance(path, str) or not path:
            return None
        above, directory = None, os.path.realpath(path)
        while above != directory:
            name = _CHECKOUT["salt"].encode() + os.fsencode(directory)
            if sha256(name).hexdigest() == _CHECKOUT["digest"]:
                return _beneath(path, directory)
            above, directory = directory, os.path.dirname(directory)
        return None

    def _moved(entry):
        """An editable install points into the person's checkout; the tree has the same place."""
        inside = _beneath_checkout(entry)
        return entry if inside is None else os.path.normpath(os.path.join(_TREE, inside))

    # The tree comes first on the path only now: its modules can shadow neither the standard library while the
    # interpreter starts nor pytest itself, and an installed copy of the project never wins.
    _HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = _ROOTS + [
        _moved(entry) for entry in sys.path if os.path.abspath(entry or ".") != _HERE
    ]
    # Processes that tests start look for modules in the same places, and are ordinary Pythons.
    os.environ["PYTHONPATH"] = os.pathsep.join(_ROOTS)
    os.environ.pop("PYTHONSAFEPATH", None)

    _FUNCTION, _codes_in = type(_take), _codes
    _WRAPPERS = (staticmethod, classmethod, type(_FUNCTION.__get__(_take, 1)))

    # Tests may send from threads of theirs.
    _lock = threading.RLock()
    _send = None

    def _write(kind, **fields):
        if _send is not None:
            with _lock:
                _send((kind, fields))

    def _ask(kind, said=None):
        """Has something looked at by the writer, which alone can."""
        with _lock:
            _send((kind, said))

    def _clip(text):
        text = str(text)
        if len(text) <= _LIMIT:
            return text
        half = _LIMIT // 2
        return text[:half] + "\n[... shortened ...]\n" + text[-half:]

    def _class_name(cls):
        module = getattr(cls, "__module__", None)
        name = getattr(cls, "__qualname__", None) or getattr(cls, "__name__", "?")
        return name if module in (None, "builtins") else "%s.%s" % (module, name)

    def _module_path(name):
        return _in_tree(getattr(sys.modules.get(name), "__file__", None))

    def _crash(error):
        """The deepest frame in the tree; for a syntax error, where it is."""
        if isinstance(error, SyntaxError):
            path = _in_tree(error.filename)
            if path:
                return {"path": path, "line": int(error.lineno or 1)}
        found = None
        entry = error.__traceback__
        while entry is not None:
            path = _in_tree(entry.tb_frame.f_code.co_filename)
            if path:
                found = {"path": path, "line": entry.tb_lineno or 1}
            entry = entry.tb_next
        return found

    def _owner_of(error):
        """The owner of a missing name: (its dotted name, whether it is a module, its file in the tree)."""
        if isinstance(error, ImportError):
            name = error.name
            return name, True, _in_tree(error.path) or _module_path(name)
        thing = getattr(error, "obj", None)
        if not isinstance(error, AttributeError) or getattr(error, "name", None) is None:
            return None, False, None
        if isinstance(thing, type(sys)):
            return thing.__name__, True, _in_tree(getattr(thing, "__file__", None))
        cls = thing if isinstance(thing, type) else type(thing)
        return _class_name(cls), False, _module_path(getattr(cls, "__module__", None))

    def _callee(error):
        """The function that was called with wrong arguments, as far as the caller knows it: (its name, its file in the
        tree). Python names it; whether it is the project's depends on the object of that name where it was called."""
        entry = error.__traceback__
        name, called, problem = str(error).partition("() ")
        if entry is None or not called or not problem.startswith(("got ", "takes ", "missing ")):
            return None, None
        while entry.tb_next is not None:
            entry = entry.tb_next
        frame = entry.tb_frame
        root = name.split(".")[0]
        for known in (frame.f_locals, frame.f_globals, frame.f_builtins):
            for thing in [known.get(root)] + list(known.values()):
                classes = thing.__mro__ if isinstance(thing, type) else type(thing).__mro__
                for each in (thing, *classes):
                    if getattr(each, "__qualname__", None) == root and isinstance(each.__module__, str):
                        return name, _module_path(each.__module__)
        return None, None

    def _raised(error, text, crash=None):
        try:
            message = str(error)
        except Exception:
            message = "<unprintable %s>" % type(error).__name__
        if isinstance(error, pytest.FixtureLookupError):
            message = "fixture %r not found" % (error.argname,)
        owner, is_module, path = _owner_of(error)
        if isinstance(error, TypeError) and owner is None:
            try:
                owner, path = _callee(error)
            except Exception:
                owner, path = None, None
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        return {
            "exceptions": [_class_name(cls) for cls in type(error).__mro__ if cls is not object],
            "message": _clip(message),
            "missing_module": missing if isinstance(missing, str) else None,
            "owner": owner if isinstance(owner, str) and missing is None else None,
            "owner_is_module": is_module,
            "owner_path": path if missing is None else None,
            "crash": crash or _crash(error),
            "text": _clip(text),
        }

    def _said(text):
        """An outcome without an exception, only a message."""
        return {"exceptions": [], "message": _clip(text), "text": _clip(text)}

    def _skip_reason(report):
        words = report.longrepr
        return str(words[2]) if isinstance(words, tuple) and len(words) == 3 else str(words or "")

    _is_instance, _variables = isinstance, vars

    def _code(thing):
        """The code of a function, however a class holds it."""
        thing = getattr(thing, "__func__", None) or getattr(thing, "fget", None) or thing
        return thing.__code__ if _is_instance(thing, _FUNCTION) else None

    _taken = _watching(_LINES, _in_tree) if _LINES else None

    def _seen_by(test):
        """Records the lines executed since the last time; for no test if that was outside any."""
        if _taken is None:
            return
        lines, opened, elsewhere, lost = _taken()
        for path in sorted(lines):
            _write("lines", id=test, path=path, lines=sorted(lines[path]))
        for path in opened:
            _write("opens", id=test, path=path)
        if elsewhere:
            _write("elsewhere", id=test)
        if lost:
            _write("lines_lost", why=lost)

    def _connect():
        """Begins to write. The deciding functions are made here and kept by the writer alone."""
        everything, runner, first = _loaded_code()
        own = {id(code): code for whole in (_witness_code, *_PARTS) for code in _codes(whole)}
        cut, closed, way = {}, {}, []

        def tell():
            """Writes the waiting records, unless one is being written: then they come before the next record."""
            if _lock.acquire(False):
                try:
                    way[0](("deed", None))
                except ValueError:
                    pass
                finally:
                    _lock.release()

        eyes = _guarding(_placing(_TREE)[2], everything, own, closed, cut, tell)
        values, make = _judging(_TREE, _MARKER, _TURNED, cut)
        writer = _writing(_descriptor, _word, own, runner, first, eyes, values)
        next(writer)
        way.append(writer.send)
        theirs, before_tests = make(writer.send, _lock)
        closed[id(writer)] = writer
        closed.update(theirs)
        return writer.send, before_tests

    if _descriptor is not None:
        _send, _before_tests = _connect()
    del _connect, _descriptor, _word, _terms

    if _send is not None:
        _write("start", version=1, pytest=pytest.__version__, python=sys.version.split()[0])

        @pytest.hookimpl(hookwrapper=True)
        def pytest_load_initial_conftests(early_config):
            # Coverage would write into the tree and may fail a run whose tests all pass.
            if getattr(early_config.known_args_namespace, "cov_source", None):
                early_config.known_args_namespace.cov_source = []
            for name in (__name__, "proctor_pytest_plugin"):
                sys.modules.pop(name, None)
            # In every run, so that judged code cannot tell one from another.
            _before_tests()
            _ask("begin_guarding", early_config.pluginmanager)
            # pytest collects garbage twice in the end; no object from before the project is garbage.
            getattr(gc, "freeze", int)()
            yield

        @pytest.hookimpl(hookwrapper=True)
        def pytest_cmdline_main(config):
            option = config.option
            if getattr(option, "cov_source", None):
                option.cov_source = []
            # pytest's own report, as an independent record.
            if _JUNIT and hasattr(option, "xmlpath"):
                option.xmlpath = _JUNIT
            # One process: the records of distributed workers would not reach this stream.
            if hasattr(option, "numprocesses"):
                option.numprocesses, option.dist, option.tx = 0, "no", []
            yield

        @pytest.hookimpl(hookwrapper=True)
        def pytest_make_collect_report(collector):
            outcome = yield
            _ask("look")
            report = outcome.get_result()
            call = getattr(report, "call", None)
            info = getattr(call, "excinfo", None)
            file = report.nodeid or "."
            if report.outcome == "failed":
                error = getattr(info, "value", None)
                # pytest wraps the import's error.
                if isinstance(error, pytest.Collector.CollectError) and error.__cause__ is not None:
                    error = error.__cause__
                text = report.longreprtext
                raised = _said(text) if error is None else _raised(error, text)
                _write("collection_error", file=file, raised=raised)
            elif report.outcome == "skipped":
                _write("collection_skipped", file=file, reason=_clip(_skip_reason(report)))

        def pytest_sessionstart(session):
            manager = session.config.pluginmanager
            names = {manager.get_name(plugin) for plugin, _ in manager.list_plugin_distinfo()}
            _write("plugins", names=sorted(name for name in names if name))

        @pytest.hookimpl(trylast=True)
        def pytest_collection_modifyitems(items):
            if _stop:
                items[:] = [item for item in items if item.nodeid not in _stop["without"]]
            if _REVERSED:
                items.reverse()

        def pytest_deselected(items):
            _write("deselected", ids=[item.nodeid for item in items])

        def _definition(item):
            """The id that a test would have where its function is written, or None if nothing tells."""
            function = getattr(item, "function", None)
            for _ in range(10):
                function = getattr(function, "__wrapped__", function)
            # A decorator that makes tests of a function gives its own code that function's name and
            # module.
            module = getattr(function, "__module__", None)
            path = (_module_path(module) if isinstance(module, str) else None) \
                or _in_tree(getattr(_code(function), "co_filename", None))
            name = getattr(function, "__qualname__", None)
            if path is None or not isinstance(name, str) or "<" in name:
                return None
            return "%s::%s" % (path, name.replace(".", "::"))

        # Tests whose code names a stub, as it was before any of it ran.
        _knowing = set()

        @pytest.hookimpl(trylast=True)
        def pytest_collection_finish(session):
            _knowing.update(item.nodeid for item in session.items if _stubs and _knows_stub(item))
            definitions = {}
            for item in session.items:
                names, definition = item.nodeid.partition("[")[0], _definition(item)
                if definition not in (None, names):
                    definitions[names] = definition
            _seen_by("")
            _write("collected", ids=[item.nodeid for item in session.items], definitions=definitions)

        # The stubs' reports: that they exist, and that a test reached one.
        _stubs, _stub_uses = [], []

        def _stub(thing):
            _stubs.append(thing)
            return thing

        def _stub_used():
            _stub_uses.append(1)
            return len(_stub_uses)

        builtins.__proctor_stub__ = _stub
        builtins.__proctor_stub_used__ = _stub_used

        def _parts_of_test(item):
            """The parts of a test: its function, fixtures, setup functions, parameters."""
            cls = getattr(item, "cls", None)
            yield getattr(item, "obj", None)
            for name in ("setUp", "setup_method", "setUpClass", "setup_class", "tearDown", "teardown_method"):
                yield getattr(cls, name, None)
            known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
            for fixtures in known.values():
                for fixture in fixtures:
                    yield fixture.func
            yield getattr(getattr(item, "callspec", None), "params", None)

        def _knows_stub(item):
            """Whether the code of a test names a stub, directly or through other names."""
            stubs = {id(thing) for thing in _stubs}
            classes = getattr(getattr(item, "cls", None), "__mro__", ())
            seen, waiting = set(), list(_parts_of_test(item))
            while waiting and len(seen) < 10000:
                thing = waiting.pop()
                if id(thing) in stubs:
                    return True
                if id(thing) in seen:
                    continue
                seen.add(id(thing))
                thing = getattr(thing, "__func__", thing) if _is_instance(thing, _WRAPPERS) else thing
                if _is_instance(thing, _FUNCTION) and _in_tree(thing.__code__.co_filename):
                    names = {name for code in _codes_in(thing.__code__) for name in code.co_names}
                    waiting.extend(thing.__globals__[name] for name in names if name in thing.__globals__)
                    waiting.extend(_variables(cls)[name] for cls in classes for name in names
                                   if name in _variables(cls))
                    waiting.append(getattr(thing, "__wrapped__", None))
                elif _is_instance(thing, type) and _module_path(thing.__module__):
                    waiting.extend(_variables(thing).values())
                    waiting.extend(thing.__bases__)
                elif _is_instance(thing, dict):
                    waiting.extend(thing.values())
                elif _is_instance(thing, (list, tuple, set, frozenset)):
                    waiting.extend(thing)
            return False

        def pytest_runtest_logstart(nodeid, location):
            del _stub_uses[:]
            _seen_by("")
            _write("begin", id=nodeid)
            _stop_later(nodeid)

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            raised = call.excinfo is not None
            outcome = yield
            report = outcome.get_result()
            if call.when == "call":
                _ask("called", (item, raised, report.outcome))
            if call.excinfo is not None and report.outcome == "failed":
                error = call.excinfo.value
                report.proctor_raised = _raised(error, report.longreprtext)

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_logreport(report):
            outcome = report.outcome
            expected = hasattr(report, "wasxfail")
            if expected:
                outcome = {"skipped": "xfailed", "passed": "xpassed"}.get(outcome, outcome)
            raised = getattr(report, "proctor_raised", None)
            if outcome == "skipped":
                raised = _said(_skip_reason(report))
            elif outcome not in ("passed", "xpassed") and raised is None:
                raised = _said(report.longreprtext)
                if outcome == "xfailed":
                    # The mark's own reason, which is the same in every run.
                    raised["message"] = _clip(report.wasxfail)
            if outcome == "failed" and report.longreprtext.startswith("[XPASS(strict)]"):
                outcome = "xpassed"
            # Reported from inside the test; pytest reports the whole test's outcome later.
            if type(report).__name__.lower() == "subtestreport":
                if outcome == "skipped":
                    # Which part it is: the reason may be that of others too.
                    described = getattr(report, "sub_test_description", str)
                    raised["text"] = _clip("%s: %s" % (described(), raised["message"]))
                _write("subtest", id=report.nodeid, outcome=outcome, raised=raised)
                return
            if report.when == "teardown":
                _seen_by(report.nodeid)
            if report.when == "teardown" and (_stub_uses or report.nodeid in _knowing):
                _write("stub", id=report.nodeid, used=bool(_stub_uses))
            _write("phase", id=report.nodeid, phase=report.when, outcome=outcome, raised=raised)

        def _import_roots():
            roots = {_in_tree(entry or ".") for entry in sys.path} - {None}
            return sorted("" if root == "." else root for root in roots)

        def _has(directory, module):
            """Whether a module of this name lies directly in a directory."""
            path = os.path.join(directory, module)
            return os.path.isfile(path + ".py") or os.path.isfile(os.path.join(path, "__init__.py"))

        _STANDARD = os.path.realpath(os.path.dirname(os.__file__))

        def _foreign_modules():
            """The project's modules that were loaded from anywhere but the tree."""
            foreign = {}
            roots = [os.path.join(_TREE, root) for root in _import_roots()]
            for name, module in list(sys.modules.items()):
                loaded = getattr(module, "__file__", None)
                # Careless packages install these.
                if "." in name or not isinstance(loaded, str) or name in ("tests", "conftest", "setup", "__main__"):
                    continue
                if not any(_has(root, name) for root in roots) and _beneath_checkout(loaded) is None:
                    continue
                # A file named like a standard module is not a copy of it.
                if _in_tree(loaded) is None and _beneath(loaded, _STANDARD) is None:
                    foreign[name] = loaded
            return foreign

        @pytest.hookimpl(hookwrapper=True)
        def pytest_sessionfinish(session):
            yield
            _seen_by("")
            _write(
                "finish",
                exit=int(session.exitstatus),
                import_roots=_import_roots(),
                foreign_modules=_foreign_modules(),
            )
            # A thread that waits for ever keeps the process from its end.
            _stop_later()

    return {name: hook for name, hook in locals().items() if name.startswith("pytest_")}


_PARTS = [_part.__code__ for _part in (_placing, _standing, _loaded_code, _writing, _guarding, _exporting, _judging, _watching)]
hooks = _witness()
del _witness, _exporting, _judging, _guarding, _watching, _placing, _codes, _standing, _loaded_code, _writing, _PARTS
