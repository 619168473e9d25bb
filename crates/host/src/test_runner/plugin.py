"""Proctor's eyes inside pytest: one JSON record a line, to Proctor alone.

Loaded with ``-p`` before any other plugin and before the project's own code. pytest's exit code
and its reports leave out what the gates need: the class of an exception, the module that was
missing, the phase a test failed in, where a module was really loaded from.

Works with every Python from 3.8 on; needs nothing but pytest.
"""

import builtins
import json
import os
import sys

import pytest

_STREAM = os.environ.pop("PROCTOR_PYTEST_STREAM_FD", None)
_TREE = os.path.realpath(os.environ.pop("PROCTOR_PYTEST_TREE", os.getcwd()))
_ROOTS = [root for root in os.environ.pop("PROCTOR_PYTEST_ROOTS", "").split(os.pathsep) if root]
_CHECKOUT = os.environ.pop("PROCTOR_PYTEST_CHECKOUT", None)
_CHECKOUT = os.path.realpath(_CHECKOUT) if _CHECKOUT else None
_ORDER = os.environ.pop("PROCTOR_PYTEST_ORDER", None)
_TWINS = os.environ.pop("PROCTOR_PYTEST_TWINS", None)
_LIMIT = 20000


def _beneath(path, directory):
    """The path relative to the directory, or None; what is installed there does not count."""
    if not isinstance(path, str) or not path or not directory:
        return None
    full = os.path.realpath(path)
    if full != directory and not full.startswith(directory + os.sep):
        return None
    inside = os.path.relpath(full, directory)
    parts = inside.split(os.sep)
    return None if {"site-packages", "dist-packages", "lib-dynload"} & set(parts) else inside


def _moved(entry):
    """An editable install points into the person's checkout; the tree has the same place."""
    inside = _beneath(entry, _CHECKOUT)
    return entry if inside is None else os.path.normpath(os.path.join(_TREE, inside))


# The tree comes first on the path only now: what it holds can shadow neither the standard library
# while the interpreter starts nor pytest itself, and an installed copy of the project never wins.
_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = _ROOTS + [
    _moved(entry) for entry in sys.path if os.path.abspath(entry or ".") != _HERE
]
# What the tests start looks for modules in the same places, and is an ordinary Python.
os.environ["PYTHONPATH"] = os.pathsep.join(_ROOTS)
os.environ.pop("PYTHONSAFEPATH", None)



def _take(number):
    """A copy of the stream that nothing started from here inherits; nothing is left in its place."""
    copy = os.dup(number)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, number)
    os.close(nothing)
    return copy


# Taken once, before any test could.
_descriptor = _take(int(_STREAM)) if _STREAM else None
_owner = os.getpid()


def _write(kind, **fields):
    # A forked copy of this process must not speak for it.
    if _descriptor is None or os.getpid() != _owner:
        return
    line = json.dumps(dict(kind=kind, **fields), ensure_ascii=False) + "\n"
    data = line.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(_descriptor, data) :]


def _clip(text):
    text = str(text)
    if len(text) <= _LIMIT:
        return text
    half = _LIMIT // 2
    return text[:half] + "\n[... shortened ...]\n" + text[-half:]


def _in_tree(path):
    """The path relative to the tree, or None if it lies elsewhere."""
    inside = _beneath(path, _TREE)
    return None if inside is None else inside.replace(os.sep, "/")


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
    """What lacks a name: (its dotted name, whether it is a module, its file in the tree)."""
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


def _raised(error, text, crash=None):
    try:
        message = str(error)
    except Exception:
        message = "<unprintable %s>" % type(error).__name__
    if isinstance(error, pytest.FixtureLookupError):
        message = "fixture %r not found" % (error.argname,)
    owner, is_module, path = _owner_of(error)
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
    """An outcome for which there is no exception, only words."""
    return {"exceptions": [], "message": _clip(text), "text": _clip(text)}


def _skip_reason(report):
    words = report.longrepr
    return str(words[2]) if isinstance(words, tuple) and len(words) == 3 else str(words or "")


if _descriptor is not None:
    _write("start", version=1, pytest=pytest.__version__, python=sys.version.split()[0])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(early_config):
        # Coverage would write into the tree and may fail a run whose tests all pass.
        if getattr(early_config.known_args_namespace, "cov_source", None):
            early_config.known_args_namespace.cov_source = []
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_cmdline_main(config):
        option = config.option
        if getattr(option, "cov_source", None):
            option.cov_source = []
        # One process: the records of distributed workers would not reach this stream.
        if hasattr(option, "numprocesses"):
            option.numprocesses, option.dist, option.tx = 0, "no", []
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(collector):
        outcome = yield
        report = outcome.get_result()
        call = getattr(report, "call", None)
        info = getattr(call, "excinfo", None)
        file = report.nodeid or "."
        if report.outcome == "failed":
            error = getattr(info, "value", None)
            # pytest wraps what the import raised.
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
        if _ORDER == "reverse":
            items.reverse()

    def pytest_deselected(items):
        _write("deselected", ids=[item.nodeid for item in items])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(session):
        _write("collected", ids=[item.nodeid for item in session.items])

    _running = [None]

    def pytest_runtest_logstart(nodeid, location):
        _running[0] = nodeid
        _write("begin", id=nodeid)

    if _TWINS:
        # A twin tells that it came to a place that was turned, and fails where it held.
        def _reached(place):
            _write("reached", id=_running[0])

        def _held(place):
            raise AssertionError("a twin held")

        builtins.__proctor_reached__ = _reached
        builtins.__proctor_held__ = _held

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item, call):
        outcome = yield
        report = outcome.get_result()
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
        if outcome == "failed" and report.longreprtext.startswith("[XPASS(strict)]"):
            outcome = "xpassed"
        _write("phase", id=report.nodeid, phase=report.when, outcome=outcome, raised=raised)

    def _import_roots():
        roots = {_in_tree(entry or ".") for entry in sys.path} - {None}
        return sorted("" if root == "." else root for root in roots)

    def _has(directory, module):
        """Whether a module of this name lies directly in a directory."""
        path = os.path.join(directory, module)
        return os.path.isfile(path + ".py") or os.path.isfile(os.path.join(path, "__init__.py"))

    def _is_standard(path):
        return _beneath(path, os.path.realpath(os.path.dirname(os.__file__))) is not None

    def _foreign_modules():
        """The project's modules that were loaded from anywhere but the tree."""
        foreign = {}
        roots = [os.path.join(_TREE, root) for root in _import_roots()]
        for name, module in list(sys.modules.items()):
            loaded = getattr(module, "__file__", None)
            if "." in name or not isinstance(loaded, str) or _in_tree(loaded) is not None:
                continue
            # Careless packages install these, and a file named like a standard module is no
            # copy of it.
            if name in ("tests", "conftest", "setup", "__main__") or _is_standard(loaded):
                continue
            from_checkout = _beneath(loaded, _CHECKOUT) is not None
            if from_checkout or any(_has(root, name) for root in roots):
                foreign[name] = loaded
        return foreign

    @pytest.hookimpl(hookwrapper=True)
    def pytest_sessionfinish(session):
        yield
        _write(
            "finish",
            exit=int(session.exitstatus),
            import_roots=_import_roots(),
            foreign_modules=_foreign_modules(),
        )
