"""The foundations of tests, and attempts to get at them. Comes before ``plugin.py``, which takes its functions away.

Tests use functions of their own files, of the runner and of libraries: code that replaces one of those answers for the test.
So after each test they are compared with their originals: a library with its state before project code was loaded, or when
it was first seen, a test file with its state just after it was loaded. A fixture may replace something while a test runs;
it restores it before this looks.
"""


def _guarding(in_tree, trusted, own, closed, cut, tell):
    """``trusted`` is the code that was loaded before the project's, ``own`` the plugin's and ``cut`` that of tests which send
    values, these two by number; no code may look into ``closed`` functions. ``tell`` writes waiting deeds. Returns the
    functions that the writer calls."""
    from builtins import (
        all, any, bytes, callable, classmethod, dict, float, frozenset, getattr, id, int, isinstance, KeyError, len,
        list, map, open, OSError, PermissionError, property, range, RuntimeError, set, sorted, staticmethod, str,
        SyntaxError, tuple, type, ValueError, vars, zip
    )
    import ast
    import itertools
    import operator
    import os
    import sys
    import types

    import pytest

    # Those that are loaded before any code of the project. Others are held from when a test file was seen to use them: to
    # load all of them takes longer than many a suite.
    standard = (
        "base64", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum",
        "fractions", "functools", "hashlib", "heapq", "io", "itertools", "json", "json.decoder", "json.encoder", "math",
        "operator", "os", "os.path", "pathlib", "pickle", "pprint", "random", "re", "shutil", "statistics", "string",
        "struct", "tempfile", "textwrap", "threading", "time", "types", "typing", "unittest.mock", "unittest.case", "uuid",
        "builtins",
    )
    # Modules that decide a test's outcome.
    closest = ("_pytest.reports", "_pytest.runner", "_pytest.python", "_pytest.unittest", "_pytest.skipping",
               "_pytest.assertion.rewrite", "_pytest.python_api", "_pytest.raises", "_pytest.recwarn",
               "pluggy._hooks", "pluggy._callers", "pluggy._manager", "pytest", type(pytest.approx(1.0)).__module__)
    # Hooks that decide a test's outcome.
    deciding = ("pytest_runtest_protocol", "pytest_runtest_setup", "pytest_runtest_call",
                "pytest_runtest_teardown", "pytest_runtest_makereport", "pytest_runtest_logreport",
                "pytest_pyfunc_call", "pytest_sessionfinish")
    function, module_type = types.FunctionType, types.ModuleType
    kinds = (function, type, type(len), types.MethodType, classmethod, staticmethod, property)
    # The runner's classes hold numbers that decide as well.
    settings = kinds + (int, float, str, tuple, frozenset)
    is_instance, variables, id_, tuple_, map_, type_ = isinstance, vars, id, tuple, map, type
    is_, getter, take = operator.is_, operator.itemgetter, operator.itemgetter.__call__
    chained, values_of = itertools.chain.from_iterable, dict.values
    dictionary_of = type.__dict__["__dict__"].__get__
    frame_of, codes_in, stands_in_file = sys._getframe, _codes, _standing(in_tree)
    heap_type = 1 << 9

    def is_fixed(key):
        """Hooks of the interpreter are made to be replaced, and pytest does."""
        return type_(key) is str and not key.rstrip("_").endswith("hook")

    class Holder:
        """A module, a class or an object, and the values that it was made of."""

        __slots__ = ("name", "now", "names", "kept")

        def __init__(self, name, now, wanted):
            self.name, self.now = name, now
            self.names = [key for key, value in list(now.items()) if is_instance(value, wanted) and is_fixed(key)]
            self.kept = [now[key] for key in self.names]

        def changed(self):
            for key, was in zip(self.names, self.kept):
                if self.now.get(key) is not was:
                    yield key

    def code_of(thing):
        """The code of a function, however a class holds it."""
        thing = getattr(thing, "__func__", None) or getattr(thing, "fget", None) or thing
        return thing.__code__ if is_instance(thing, function) else None

    class Object:
        """An object that a module keeps: functions that it is given itself hide those of its class."""

        __slots__ = ("name", "now", "before")

        def __init__(self, name, now):
            self.name, self.now = name, now
            self.before = dict(now)

        def changed(self):
            for key, value in list(self.now.items()):
                if callable(value) and self.before.get(key) is not value:
                    yield key

    class Group:
        """Holders and objects that are compared together.

        They are compared after every test, so the usual case, in which nothing changed, is one pass in C: every name of every
        holder, and every object's values in their order. Only a pass that finds a difference looks for its name."""

        __slots__ = ("parts", "takers", "dictionaries", "kept", "objects", "sizes", "keys", "values")

        def __init__(self):
            self.parts, self.takers, self.dictionaries, self.kept = [], [], [], []
            self.objects, self.sizes, self.keys, self.values = [], [], [], []

        def add(self, parts):
            for part in parts:
                self.parts.append(part)
                if type_(part) is Object:
                    self.note(part.now)
                elif part.names:
                    # A getter of a single name would give the value itself, not a sequence.
                    names = part.names if len(part.names) > 1 else part.names * 2
                    self.takers.append(getter(*names))
                    self.dictionaries.append(part.now)
                    self.kept.extend(part.kept if len(part.names) > 1 else part.kept * 2)

        def note(self, now):
            """Keeps the values that an object has at this moment."""
            self.objects.append(now)
            self.sizes.append(len(now))
            self.keys.extend(list(now))
            self.values.extend(list(now.values()))

        def note_all(self):
            """Keeps the values that the objects have by now, once none of them turned out to be a new function."""
            objects = self.objects
            self.objects, self.sizes, self.keys, self.values = [], [], [], []
            for now in objects:
                self.note(now)

        def is_unchanged(self):
            # By identity: a replacement may be equal to everything.
            try:
                if not all(map_(is_, chained(map_(take, self.takers, self.dictionaries)), self.kept)):
                    return False
            except KeyError:
                return False
            return [len(now) for now in self.objects] == self.sizes and \
                all(map_(is_, chained(self.objects), self.keys)) and \
                all(map_(is_, chained(map_(values_of, self.objects)), self.values))

        def changed(self):
            if self.is_unchanged():
                return
            found = False
            for part in self.parts:
                for key in part.changed():
                    found = True
                    yield "%s.%s" % (part.name, key)
            if not found:
                self.note_all()

    def places(name, module):
        """A module and its own classes: where things can be put into."""
        yield name, variables(module)
        for value in list(variables(module).values()):
            if is_instance(value, type) and value.__module__ == module.__name__ and value.__flags__ & heap_type:
                yield "%s.%s" % (name, value.__name__), dictionary_of(value)

    def holders(name, module, wanted):
        for where, now in places(name, module):
            yield Holder(where, now, wanted)
        for key, value in list(variables(module).items()):
            if is_instance(value, type):
                continue
            if type_(value).__module__.split(".")[0] == name.split(".")[0] and type_(value).__flags__ & heap_type:
                inside = getattr(value, "__dict__", None)
                if type_(inside) is dict:
                    yield Object("%s.%s" % (name, key), inside)

    def load(names, wanted):
        found = Group()
        for name in names:
            module = sys.modules.get(name)
            if module is None:
                continue
            found.add(holders(name, module, wanted))
            before[name] = dict(variables(module))
        return found

    before = {}
    known = load(standard, kinds)
    runner = load(closest, settings)
    # All of the runner, checked in the end: its own replacements are code of its own.
    whole, codes = [], []
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("_pytest", "pluggy", "pytest") or name in ("unittest.case", "json.encoder"):
            for where, now in places(name, module):
                was = dict(now)
                whole.append((where, now, was))
                for key, value in was.items():
                    if type_(value) in kinds:
                        code = code_of(value)
                        if code is not None:
                            codes.append((where, key, value, code))
    trace = sys.gettrace()

    loaded, tests, test_codes = {}, Group(), {}
    strange, deeds, told = set(), [], set()
    manager = []
    seen_hooks = {}

    def belongs_to_tests(path):
        name, folders = path.rsplit("/", 1)[-1], path.split("/")[:-1]
        return name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py") or \
            "tests" in folders or "test" in folders

    def imports_are_right(path, module):
        """A library that a test file imported is unchanged: it may have been replaced in the file itself."""
        try:
            with open(module.__file__, "rb") as file:
                body = ast.parse(file.read()).body
        except (OSError, SyntaxError, ValueError):
            return
        for node in body:
            if not isinstance(node, ast.ImportFrom) or node.level or node.module not in before:
                continue
            for item in node.names:
                was = before[node.module].get(item.name)
                now = variables(module).get(item.asname or item.name)
                if is_instance(was, kinds) and now is not was:
                    strange.add("%s: %s" % (path, item.asname or item.name))

    def see_library(module):
        """A library that a test file uses, from now on. Project code was loaded before it, so that all of its parts
        have to be its own."""
        name = module.__name__
        # The runner itself puts functions there while a test runs.
        if name in before or name in ("sys", "warnings") or in_tree(getattr(module, "__file__", None)) is not None:
            return
        before[name] = dict(variables(module))
        if name.split(".")[0] not in sys.builtin_module_names and getattr(module, "__file__", None) is not None \
                and not is_standard(module.__file__):
            return
        found = list(holders(name, module, kinds))
        known.add(found)
        for holder in found:
            for key, value in zip(holder.names, holder.kept) if type_(holder) is Holder else ():
                code = code_of(value)
                if code is not None and in_tree(code.co_filename) is not None:
                    strange.add("%s.%s" % (holder.name, key))

    standard_directory = os.path.realpath(os.path.dirname(os.__file__)) + os.sep

    def is_standard(path):
        return is_instance(path, str) and os.path.realpath(path).startswith(standard_directory) \
            and "-packages" + os.sep not in path

    def see_modules():
        """Looks at test files that were loaded since it was called last."""
        for name, module in list(sys.modules.items()):
            if name in loaded:
                continue
            loaded[name] = module
            path = in_tree(getattr(module, "__file__", None))
            if path is not None and belongs_to_tests(path):
                for value in list(variables(module).values()):
                    if type_(value) is not module_type:
                        value = sys.modules.get(getattr(value, "__module__", None)) if is_instance(value, kinds) else None
                    if type_(value) is module_type:
                        see_library(value)
                found = list(holders(path, module, kinds))
                tests.add(found)
                for holder in found:
                    for value in holder.kept if type_(holder) is Holder else ():
                        code = code_of(value)
                        # Its imports are not its own.
                        if code is not None and in_tree(code.co_filename) == path:
                            test_codes.update({id_(one): one for one in codes_in(code)})
                imports_are_right(path, module)

    def compare(group):
        strange.update(group.changed())
        if sys.gettrace() is not trace:
            strange.add("sys.settrace")

    def hooks():
        """Notes hooks that came by another way than a plugin of the environment or a conftest.py."""
        for name in deciding if manager else ():
            found = [(hook, hook.function) for hook in getattr(manager[0].hook, name).get_hookimpls()]
            if seen_hooks.get(name) == found:
                continue
            seen_hooks[name] = found
            for hook, _ in found:
                plugin = hook.plugin
                own_hook = getattr(plugin, getattr(hook.function, "__name__", name), None)
                if own_hook != hook.function or not manager[0].is_registered(plugin):
                    strange.add("hook %s" % name)
                    continue
                module = plugin if is_instance(plugin, module_type) else sys.modules.get(type(plugin).__module__)
                path = in_tree(getattr(module, "__file__", None))
                if path is not None and path.rsplit("/", 1)[-1] != "conftest.py":
                    strange.add("hook %s of %s" % (name, path))

    def begin(plugin_manager):
        manager.append(plugin_manager)
        loaded.update(sys.modules)
        sys.addaudithook(audit)

    def collected():
        """When something was collected."""
        compare(runner)
        see_modules()

    def over():
        """When a test is over, its fixtures with it."""
        compare(runner)
        compare(known)
        compare(tests)

    def called(item, raised, outcome):
        """When the report of a call is made."""
        compare(runner)
        hooks()
        if "runtest" in variables(item):
            strange.add("runtest of a test")
        if raised and outcome == "passed":
            strange.add("outcome of a failed test")

    def reported(was_looked_at):
        """When it is given out."""
        if not was_looked_at:
            strange.add("report of a test")

    def finish():
        see_modules()
        over()
        hooks()
        moved = [(where, key, now.get(key)) for where, now, was in whole
                 if not all(map_(is_, map_(now.get, was), was.values()))
                 for key, value in was.items()
                 if now.get(key) is not value and is_instance(value, kinds) and is_fixed(key)]
        if moved:
            numbers = {id_(value) for _, _, was in whole for value in was.values() if is_instance(value, kinds)}
            strange.update("%s.%s" % (where, key) for where, key, now in moved if id_(now) not in numbers)
        # To look at code is an audit event.
        busy.append("finish")
        strange.update("%s.%s" % (where, key) for where, key, value, code in codes if code_of(value) is not code)
        busy.pop()
        return sorted(strange)[:100]

    # Actions and their authors, for a person to look at. Written at once.

    def hands_frames_out(code):
        name = code.co_filename.rsplit("/", 1)[-1]
        return name in ("inspect.py", "traceback.py") or code.co_name == "currentframe" or code.co_name == "<lambda>"

    before_project = {}

    def is_trusted(code):
        # Few runs ask.
        if not before_project:
            before_project.update((id_(inner), inner) for one in trusted for inner in codes_in(one))
        return id_(code) in before_project

    def doer(frame, followed=()):
        """The place in the project of an action: the code itself, or its caller if it only acts for others."""
        for _ in range(100):
            if frame is None:
                return None
            code = frame.f_code
            if id_(code) in own or id_(code) in cut or id_(code) in test_codes:
                return None
            path = in_tree(code.co_filename)
            if stands_in_file(code):
                if path is not None:
                    return None if belongs_to_tests(path) else (path, frame.f_lineno)
            elif not is_trusted(code):
                # It is in no file, so it belongs to the code that runs it.
                frame = frame.f_back
                continue
            if not hands_frames_out(code) and not any(part in code.co_filename for part in followed):
                return None
            frame = frame.f_back
        return None

    def note(what, frame, followed=()):
        found = doer(frame, followed)
        if found is not None:
            tell_deed(what, found)
        return found

    def tell_deed(what, found):
        if len(told) < 200 and (what,) + found not in told:
            told.add((what,) + found)
            deeds.append((what,) + found)
            tell()

    def on_look(event, arguments, frame):
        note(event, frame)

    def on_foreign(event, arguments, frame):
        note(event, frame, ("ctypes",))

    def on_trace(event, arguments, frame):
        if note(event, frame, ("threading",)) is not None:
            strange.add(event)

    readers = ("/pathlib", "/linecache", "/inspect", "/tokenize", "/codecs", "/fileinput", "/io", "/mmap")

    def on_open(event, arguments, frame):
        path = arguments[0]
        if not is_instance(path, (str, bytes)):
            return
        text = os.fsdecode(path)
        named = os.path.basename(text) == "mem"
        if (named or os.path.islink(text)) and os.path.basename(os.path.realpath(text)) == "mem" and (
                os.path.realpath(text).startswith("/proc/") or named and not os.path.isabs(text)):
            raise PermissionError("the memory of a process that is judged is not to be opened")
        if text.endswith(".py"):
            inside = in_tree(text)
            if inside is not None and belongs_to_tests(inside):
                note(event, frame, readers)
        elif not text.endswith(".pyc"):
            read_by_both(event, text, frame)

    by_tests, by_code = set(), {}

    def read_by_both(event, text, frame):
        """A file that is not code is read by the tests for expected values, or passed by them to the code that reads it: one
        that both read may be the source of an answer."""
        inside = in_tree(text)
        if inside is None:
            return
        found = doer(frame, readers)
        if found is not None:
            by_code.setdefault(inside, []).append(found)
        elif is_asked_by_tests(frame):
            by_tests.add(inside)
        if inside in by_tests:
            for found in by_code.pop(inside, ()):
                tell_deed(event, found)

    def is_asked_by_tests(frame):
        for _ in range(100):
            if frame is None:
                return False
            code = frame.f_code
            if id_(code) in cut or id_(code) in test_codes:
                return True
            path = in_tree(code.co_filename)
            if path is not None:
                return belongs_to_tests(path)
            if not any(part in code.co_filename for part in readers):
                return False
            frame = frame.f_back
        return False

    def on_code(event, arguments, frame):
        thing, name = arguments[0], arguments[1]
        if name == "__code__" and is_instance(thing, function):
            code = thing.__code__
            if id_(code) in cut:
                raise RuntimeError("this belongs to Proctor")
            if in_tree(code.co_filename) is None and doer(frame) is not None:
                strange.add("%s.%s.__code__" % (thing.__module__, thing.__qualname__))

    def on_attribute(event, arguments, frame):
        thing, name = arguments[0], arguments[1]
        if name in ("tb_frame", "gi_frame", "cr_frame", "ag_frame"):
            note(name, frame)
        elif name == "__code__" and is_instance(thing, function):
            path = in_tree(thing.__code__.co_filename)
            if path is not None and belongs_to_tests(path):
                note(name, frame)

    acts = {"open": on_open, "object.__setattr__": on_code, "object.__getattr__": on_attribute}
    acts.update(dict.fromkeys((
        "sys._getframe", "sys._current_frames", "gc.get_objects", "gc.get_referrers", "gc.get_referents"), on_look))
    acts.update(dict.fromkeys(("sys.setprofile", "sys.settrace", "sys.monitoring.register_callback"), on_trace))
    acts.update(dict.fromkeys((
        "ctypes.dlopen", "ctypes.dlsym", "ctypes.addressof", "ctypes.string_at", "ctypes.cdata"), on_foreign))
    busy = []

    def audit(event, arguments):
        act = acts.get(event)
        if act is None:
            return
        if act is on_attribute or act is on_code:
            # The commonest by far.
            if arguments[1] == "f_code":
                return
            if id_(arguments[0]) in closed:
                raise RuntimeError("this belongs to Proctor")
        elif event == "gc.get_referents" and any(id_(thing) in closed for thing in arguments[0]):
            raise RuntimeError("this belongs to Proctor")
        # Looking at a frame is such an event itself.
        if busy:
            return
        busy.append(event)
        try:
            act(event, arguments, frame_of(1))
        finally:
            busy.pop()

    def taken():
        found = deeds[:]
        del deeds[:]
        return found

    return begin, collected, called, reported, over, taken, finish
