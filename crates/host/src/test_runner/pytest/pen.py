"""The one writer of records. Comes before ``plugin.py``, which takes its functions away.

The judged code runs in the same process, and finds functions of the plugin: by a hook, by an import hook, among the
constants of a test. It can read and write their closures without anyone noticing. So they hold nothing but the way here,
and everything that decides lies in this generator: who may write, the originals that are compared, the contents of values.
The variables of a waiting generator can be reached only through an attribute whose reading is an audit event, and refused.

Checks are made when a record is written that has to come in any case: no code can leave it out.

The built-in functions that all parts use are taken before project code is loaded: code that replaces one by its name would
otherwise be called here.
"""


def _placing(tree):
    """The paths of files. Every part has functions of its own: changing one does not affect the others."""
    from builtins import frozenset, isinstance, set, str, type
    import os

    realpath, relpath, normpath, separator = os.path.realpath, os.path.relpath, os.path.normpath, os.sep
    is_absolute = os.path.isabs
    installed = frozenset(("site-packages", "dist-packages", "lib-dynload"))
    tree = realpath(tree)
    found = {}

    def beneath(path, directory):
        """The path relative to the directory, or None; packages installed there do not count."""
        if not isinstance(path, str) or not path or not directory:
            return None
        full = realpath(path)
        if full != directory and not full.startswith(directory + separator):
            return None
        inside = relpath(full, directory)
        return None if installed & set(inside.split(separator)) else normpath(inside)

    def in_tree(path):
        """The path relative to the tree, or None if it lies elsewhere."""
        inside = beneath(path, tree)
        return None if inside is None else inside.replace(separator, "/")

    def name_in_tree(name):
        """The same for the file names in code objects, which are looked up often. Anything but a whole path, such as
        ``<string>``, is not a file."""
        if type(name) is not str:
            return None
        if name not in found:
            found[name] = in_tree(name) if is_absolute(name) else None
        return found[name]

    return beneath, in_tree, name_in_tree


def _codes(code, isinstance=isinstance, type=type):
    """A piece of code and all that is inside it."""
    waiting = [code]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend([inner for inner in one.co_consts if isinstance(inner, type(one))])


def _standing(in_tree):
    """A function that tells whether code is compiled from the file that it names: a name alone is only a claim."""
    from builtins import compile, frozenset, id, ImportError, open, OSError, SyntaxError, ValueError
    import importlib.machinery
    import os

    # The code for a file of the project comes from its text: the bytecode beside it could have been made of another.
    load, is_absolute, codes = importlib.machinery.SourceFileLoader, os.path.isabs, _codes
    known, asked = {}, {}

    def stands_in_file(code):
        # The code is kept, so that nothing else gets its number.
        if id(code) not in asked:
            asked[id(code)] = code, is_found(code)
        return asked[id(code)][1]

    def is_found(code):
        name = code.co_filename
        if name not in known:
            known[name] = frozenset()
            try:
                if is_absolute(name) and in_tree(name) is not None:
                    with open(name, "rb") as file:
                        known[name] = frozenset(codes(compile(file.read(), name, "exec", dont_inherit=True)))
                elif is_absolute(name) and name.endswith(".py"):
                    known[name] = frozenset(codes(load("library", name).get_code("library")))
            except (ImportError, OSError, SyntaxError, ValueError):
                pass
        return code in known[name]

    return stands_in_file


def _loaded_code():
    """The code of every function that exists before the project's; that of pytest and of its callers, by number; and the
    first of those."""
    from builtins import id, type
    import gc
    import sys

    function = type(_codes)
    functions = [thing for thing in gc.get_objects() if type(thing) is function]
    everything, runner = [thing.__code__ for thing in functions], {}
    for thing in functions:
        if (thing.__module__ or "").split(".")[0] in ("_pytest", "pluggy", "pytest"):
            for code in _codes(thing.__code__):
                runner[id(code)] = code
    frame = sys._getframe()
    while frame is not None:
        first = frame.f_code
        everything.append(first)
        runner[id(first)] = first
        frame = frame.f_back
    return everything, runner, first


def _writing(descriptor, word, own, runner, first, eyes, values):
    """Takes pairs of a kind and its data. ``own`` is the plugin's code and ``runner`` pytest's, by number."""
    from builtins import bytearray, dict, id, len, set, sorted, type, TypeError
    import json.encoder
    import os
    import sys

    process, write, frame_of, id_, len_ = os.getpid, os.write, sys._getframe, id, len
    owner = process()

    def not_plain(thing):
        raise TypeError("%r does not belong into a record" % type(thing))

    plain = json.encoder.encode_basestring
    make = json.encoder.c_make_encoder
    if make is None:
        encode = json.JSONEncoder(ensure_ascii=False).encode
    else:
        # Not by the library's own functions, which can be replaced.
        pieces = make(None, not_plain, plain, None, ": ", ", ", False, False, True)
        join = "".join

        def encode(thing):
            return join(pieces(thing, 0))

    begin, collected, called, reported, over, deeds, finish = eyes
    written, foreign = values
    # The caller does not matter for these: a test's own code sends values, actions are noticed while code runs, and
    # parts of a test are reported from inside of it.
    unguarded = ("value", "twin", "deed", "subtest", "called")
    named, looked_at = set(), set()
    reached, wrong, told = [], [], set()
    answer, finished = None, False
    # pytest's loop over all tests, once every frame that led to it was looked at: those cannot change while it runs.
    loop = None
    # What one test sends is written with the next record of another kind, the beginning of the next test for one: each write
    # wakes the reader. If the process ends before, the stream lacks its end and is refused in any case.
    of_one_test = ("phase", "value", "twin", "called", "lines", "opens", "elsewhere", "stub", "subtest")
    waiting, most_waiting = bytearray(), 65536
    while True:
        kind, said = yield answer
        answer = None
        # A forked copy of this process must not write for it, and nothing comes after the end.
        if finished or process() != owner:
            answer = said[2] if kind == "value" else None
            continue
        lines = []
        # The frames that ask for this: this plugin's, then those of pytest alone.
        asking = frame_of().f_back
        frame, ours, found = asking, True, None
        while frame is not None and frame is not loop and kind not in unguarded:
            code = frame.f_code
            if code.co_name == "pytest_runtestloop" and id_(code) in runner:
                found = frame
            ours = ours and id_(code) in own
            name = None
            if not (ours if id_(code) in own else id_(code) in runner):
                name = code.co_filename
            frame = frame.f_back
            if frame is None and code is not first:
                name = name or "another thread"
            if name is not None and name not in named:
                named.add(name)
                lines.append(encode({"kind": "written_by", "path": name}))
        for deed in deeds():
            lines.append(encode({"kind": "deed", "what": deed[0], "path": deed[1], "line": deed[2]}))
        if kind == "value":
            lines.append(written(asking, *said))
            answer = said[2]
        elif kind == "twin":
            name, place, held = foreign(asking), None, None
            if name is None:
                name, place, held = said
            elif name not in named:
                named.add(name)
                lines.append(encode({"kind": "written_by", "path": name}))
            if name == "began":
                del reached[:], wrong[:]
            elif name == "reached":
                reached.append(place)
                told.add("reached")
                answer = held
            elif name == "held":
                answer = "a twin held"
            elif name == "ended":
                if not reached:
                    reached.append(place)
                    told.add("ended")
                    answer = "a twin came to its end"
            elif name == "asked":
                reached.append(place)
                told.add("reached")
                if held:
                    wrong.append(place)
            # A twin that was asked nothing, or that was equal to an unexpected value, passes.
            elif name == "answered" and reached and not wrong:
                answer = "a twin was not equal to anything else"
        elif kind == "begin_guarding":
            begin(said)
        elif kind == "look":
            collected()
        elif kind == "called":
            looked_at.add(said[0].nodeid)
            called(*said)
        elif kind != "deed":
            if kind == "begin":
                told.clear()
                looked_at.clear()
            if kind == "phase" and said["phase"] == "call":
                for name in sorted(told):
                    lines.append(encode({"kind": name, "id": said["id"]}))
                reported(said["id"] in looked_at)
            if kind == "phase" and said["phase"] == "teardown":
                over()
            if kind == "finish":
                said = dict(said, tampered=finish())
                finished = True
            lines.append(encode(dict(kind=kind, **said)))
        loop = found or loop
        # A frame that is kept keeps objects that a test has released.
        frame = asking = code = found = None
        for line in lines:
            waiting += word + b" " + line.encode("utf-8", "backslashreplace") + b"\n"
        if kind not in of_one_test or len_(waiting) > most_waiting:
            while waiting:
                del waiting[: write(descriptor, waiting)]
        said = lines = None
