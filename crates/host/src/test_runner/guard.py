"""What tests stand on, and what code did to get at it. Comes before ``plugin.py``, which takes its function away.

Tests use functions of their own files and of the standard library: code that replaces one of those answers for the test.
So after each test they are compared with what they were: a standard module with what it was before code of the project
was loaded, a test file with what it was when it had just been loaded. A fixture may put something else in a place while
a test runs; it takes it back before this looks.
"""


def _guarding(in_tree):
    """`in_tree` gives a file's path relative to the tree, or None. Returns the functions that the plugin calls."""
    import ast
    import importlib
    import operator
    import os
    import sys
    import types

    # Before any code of the project; most of them are loaded already.
    standard = (
        "base64", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum",
        "fractions", "functools", "hashlib", "heapq", "io", "itertools", "json", "json.decoder", "json.encoder", "math",
        "operator", "os", "os.path", "pathlib", "pickle", "pprint", "random", "re", "shutil", "statistics", "string",
        "struct", "tempfile", "textwrap", "threading", "time", "types", "typing", "unittest.mock", "unittest.case", "uuid",
        "pytest", "builtins",
    )
    kinds = (types.FunctionType, type, type(len), types.MethodType, classmethod, staticmethod, property)
    is_instance, variables, id_, tuple_, map_ = isinstance, vars, id, tuple, map
    dictionary_of = type.__dict__["__dict__"].__get__
    frame_of = sys._getframe
    heap_type = 1 << 9

    class Holder:
        """A module or a class, and what it was made of."""

        __slots__ = ("name", "now", "names", "take", "ids", "kept")

        def __init__(self, name, now, wanted):
            self.name, self.now = name, now
            # Hooks of the interpreter are made to be replaced, and pytest does.
            self.names = [key for key, value in list(now.items())
                          if is_instance(value, wanted) and not key.endswith("hook")]
            self.take = operator.itemgetter(*self.names) if len(self.names) > 1 else None
            # What was there stays there, so that nothing else gets its number.
            self.kept = [now[key] for key in self.names]
            self.ids = tuple_(map_(id_, self.kept))

        def changed(self):
            if self.take is None:
                return
            try:
                if tuple_(map_(id_, self.take(self.now))) == self.ids:
                    return
            except KeyError:
                pass
            for key, was in zip(self.names, self.ids):
                if id_(self.now.get(key)) != was:
                    yield "%s.%s" % (self.name, key)

    def holders(name, module, wanted):
        yield Holder(name, variables(module), wanted)
        for value in list(variables(module).values()):
            if is_instance(value, type) and value.__module__ == module.__name__ and value.__flags__ & heap_type:
                yield Holder("%s.%s" % (name, value.__name__), dictionary_of(value), kinds)

    known, before = [], {}
    for name in standard:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        known.extend(holders(name, module, kinds))
        before[name] = dict(variables(module))

    loaded, tests = {}, {}
    strange, deeds = set(), {}

    def belongs_to_tests(path):
        name, folders = path.rsplit("/", 1)[-1], path.split("/")[:-1]
        return name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py") or \
            "tests" in folders or "test" in folders

    def imports_are_right(path, module):
        """What a test file took from the standard library is what it was: it may have been replaced in the file itself."""
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

    def see_modules():
        """Looks at test files that were loaded since it was called last."""
        for name, module in list(sys.modules.items()):
            if name in loaded:
                continue
            loaded[name] = module
            path = in_tree(getattr(module, "__file__", None))
            if path is not None and belongs_to_tests(path):
                tests[name] = list(holders(path, module, kinds))
                imports_are_right(path, module)

    def after_test():
        for holder in known:
            strange.update(holder.changed())
        for mine in tests.values():
            for holder in mine:
                strange.update(holder.changed())

    # What was done, by whom: for a person to look at.
    places = {}

    def place_of(code):
        path = places.get(code)
        if path is None:
            path = places[code] = in_tree(code.co_filename) or ""
        return path

    def doer(frame, skipped):
        """Where in the project it was done, if nothing but these files lies between."""
        for _ in range(8):
            if frame is None:
                return None
            path = place_of(frame.f_code)
            if path:
                return None if belongs_to_tests(path) else (path, frame.f_lineno)
            # Code that stands in no file is whose it is that runs it.
            name = frame.f_code.co_filename
            made = name.startswith("<") and not name.startswith("<frozen")
            if not made and not any(part in name for part in skipped):
                return None
            frame = frame.f_back
        return None

    def note(what, frame, skipped):
        found = doer(frame, skipped)
        if found is not None and len(deeds) < 200:
            deeds.setdefault((what,) + found)
        return found

    def on_look(event, arguments, frame):
        note(event, frame, ())

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

    def on_code(event, arguments, frame):
        thing, name = arguments[0], arguments[1]
        if name == "__code__" and is_instance(thing, types.FunctionType):
            if in_tree(thing.__code__.co_filename) is None and doer(frame, ()) is not None:
                strange.add("%s.%s.__code__" % (thing.__module__, thing.__qualname__))

    acts = {"open": on_open, "object.__setattr__": on_code}
    acts.update(dict.fromkeys((
        "sys._getframe", "sys._current_frames", "gc.get_objects", "gc.get_referrers", "gc.get_referents"), on_look))
    acts.update(dict.fromkeys(("sys.setprofile", "sys.settrace", "sys.monitoring.register_callback"), on_trace))
    acts.update(dict.fromkeys((
        "ctypes.dlopen", "ctypes.dlsym", "ctypes.addressof", "ctypes.string_at", "ctypes.cdata"), on_foreign))
    busy = []

    def audit(event, arguments):
        act = acts.get(event)
        # Looking at a frame is such an event itself.
        if act is None or busy:
            return
        busy.append(event)
        try:
            act(event, arguments, frame_of(1))
        finally:
            busy.pop()

    def begin():
        loaded.update(sys.modules)
        sys.addaudithook(audit)

    return begin, see_modules, after_test, strange, lambda: [list(deed) for deed in sorted(deeds)]


