def _proctor_stubs(own, raising, given, space):
    """Proctor's: makes the names that this module lacks, so that tests which wait for them can be run."""
    import builtins
    import importlib.util
    import sys

    module = space["__name__"]
    uses = []
    # Provided by the plugin; a process that a test starts has none of it.
    kept = getattr(builtins, "__proctor_stub__", lambda stub: stub)
    note = getattr(builtins, "__proctor_stub_used__", lambda: uses.append(1) or len(uses))

    def used(name):
        """A test reached a stub. One that asks for ever has to end."""
        if note() > 200 or raising:
            # A class of its own, directly below `Exception`: a test that expects `NotImplementedError`, or
            # `RuntimeError` above it, must not pass by the stub.
            raise type("Stub", (Exception,), {})("proctor: %s is a stub" % name)

    def stub_that_raises(name, is_class):
        def stub(*arguments, **words):
            used(name)

        stub.__name__ = name
        # Not an exception: that it is one is something to be tested.
        return type(name, (), {"__init__": stub, "__module__": module}) if is_class else stub

    def answers(name):
        """The behaviour of an object that accepts everything."""

        def another(self, *arguments, **words):
            used(name)
            return made(name)

        def called(self, *arguments, **words):
            used(name)
            # A decorator returns the function unchanged.
            if len(arguments) == 1 and not words and isinstance(arguments[0], type(called)):
                return arguments[0]
            return made(name)

        def attribute(self, inner):
            if inner.startswith("_"):
                raise AttributeError(inner)
            used(name)
            return made(inner)

        def one(self):
            used(name)
            return iter([made(name)])

        async def each(self):
            for thing in one(self):
                yield thing

        async def awaited(self, *arguments):
            return made(name)

        def nothing(self, *arguments):
            return None

        async def nothing_later(self, *arguments):
            return None

        found = {
            "__call__": called, "__getattr__": attribute, "__iter__": one, "__next__": another,
            "__len__": lambda self: 1, "__bool__": lambda self: True, "__contains__": lambda self, other: False,
            "__int__": lambda self: 1, "__float__": lambda self: 1.0, "__enter__": another, "__exit__": nothing,
            "__aenter__": awaited, "__aexit__": nothing_later, "__aiter__": each,
            "__await__": lambda self: awaited(self).__await__(),
            "__setitem__": nothing, "__delitem__": nothing,
        }
        for operator in "getitem add radd sub rsub mul rmul truediv rtruediv mod and or xor neg".split():
            found["__%s__" % operator] = another
        return found

    def made(name, is_class=False):
        methods = answers(name)
        if not is_class:
            return type(name, (), dict(methods, __module__=module))()
        # A class can be raised, caught and inherited from, and asked for members like an enumeration.
        members = ("__getattr__", "__iter__", "__len__", "__getitem__")
        kind = type("Kind", (type,), {key: methods[key] for key in members})
        methods["__init__"] = lambda self, *arguments, **words: used(name)
        return kind(name, (Exception,), dict(methods, __module__=module))

    # Names that runners look up in every module, including a package with tests.
    asked_for = ("setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_function",
                 "teardown_function", "load_tests", "collect_ignore", "collect_ignore_glob")

    def __getattr__(name):
        if name.startswith(("__", "pytest")) or name in asked_for:
            raise AttributeError(name)
        if own is not None:
            try:
                return own(name)
            except AttributeError:
                pass
        inner = "%s.%s" % (module, name)
        if inner in sys.modules:
            return sys.modules[inner]
        if "__path__" in space and importlib.util.find_spec(inner) is not None:
            return importlib.import_module(inner)
        note()
        is_class = name[:1].isupper() and not name.isupper()
        return kept((stub_that_raises if raising else made)(name, is_class))

    # Names that a test takes by `import *` have to exist explicitly.
    for name in given:
        if name not in space:
            space[name] = __getattr__(name)
            if "__all__" in space:
                space["__all__"] = list(space["__all__"]) + [name]
    return __getattr__


__getattr__ = _proctor_stubs(globals().get("__getattr__"), RAISING, GIVEN, globals())
