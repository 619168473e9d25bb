def _watching(wanted, in_tree):
    """Watches which lines of the wanted files are executed, which of them are opened, and which code runs elsewhere.

    ``wanted`` are paths in the tree, one per line, or ``*`` for every Python file. Part of Proctor's plugin: it
    returns the events, and only the plugin itself records them.
    """
    from builtins import bytes, frozenset, getattr, id, len, list, set, sorted, str, type

    everything = wanted == "*"
    files = frozenset(wanted.split("\n"))
    names = frozenset(path.rsplit("/", 1)[-1] for path in files)
    known, seen, opened, notes = {}, set(), set(), {}
    starting = frozenset(("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"))
    taking_over = frozenset(("sys.settrace", "sys.monitoring.register_callback"))
    own = []

    def path_of(code):
        name = code.co_filename
        if name not in known:
            path = None if name.startswith("<") else in_tree(name)
            is_wanted = path is not None and path.endswith(".py") and (everything or path in files)
            known[name] = path if is_wanted else None
        return known[name]

    insides = {}

    def inside(code):
        """The number subtracted from a line, in a function on a single one: its definition executes without it. Lambdas
        are counted apart, since they are on the lines of others."""
        if id(code) not in insides:
            lines = {line for _, line in dis.findlinestarts(code)} - {None, code.co_firstlineno}
            on_one = code.co_flags & 2 and len(lines) <= 1
            # The code is kept, so that nothing else gets its number.
            insides[id(code)] = code, (2 ** 33 if code.co_name == "<lambda>" else 0) if on_one else None
        return insides[id(code)][1]

    stands_in_file = _standing(in_tree)

    def is_genuine(code):
        """Code that compiles a text under another name, with lines of its own choice, executes nothing of that file; an
        import hook may do so honestly, so a person has to look."""
        if stands_in_file(code):
            return True
        notes.setdefault("lost", "code runs under the name of %s that does not stand in it" % path_of(code))
        return False

    def note(code, line):
        path, within = path_of(code), inside(code)
        if (path, line) not in seen and not is_genuine(code):
            return
        seen.add((path, line))
        if within is not None:
            seen.add((path, -line - within))

    def hears(event, arguments):
        if event == "open":
            path = arguments[0]
            if type(path) is bytes:
                path = path.decode("utf-8", "replace")
            if type(path) is str and path.rsplit("/", 1)[-1] in names:
                path = in_tree(path)
                if path in files:
                    opened.add(path)
        elif event in starting:
            notes["elsewhere"] = True
        elif event in taking_over and not own:
            notes.setdefault("lost", "something else took %s over" % event.rsplit(".", 1)[0])

    monitoring = getattr(sys, "monitoring", None)
    tools = [tool for tool in (4, 3) if monitoring is not None and monitoring.get_tool(tool) is None]
    again = None
    own.append(True)
    if tools:
        tool, events = tools[0], monitoring.events
        monitoring.use_tool_id(tool, "proctor")

        def on_start(code, offset):
            if path_of(code) is not None:
                monitoring.set_local_events(tool, code, events.LINE)
            return monitoring.DISABLE

        def on_line(code, line):
            note(code, line)
            return monitoring.DISABLE

        monitoring.register_callback(tool, events.PY_START, on_start)
        monitoring.register_callback(tool, events.LINE, on_line)
        monitoring.set_events(tool, events.PY_START)
        # A place that was seen once is not watched again until the next test.
        again = monitoring.restart_events

        def is_lost():
            return monitoring.get_tool(tool) != "proctor" or monitoring.get_events(tool) != events.PY_START

    else:
        def on_event(frame, event, argument):
            if event == "line":
                note(frame.f_code, frame.f_lineno)
            return on_event

        def on_call(frame, event, argument):
            return on_event if event == "call" and path_of(frame.f_code) is not None else None

        threading.settrace(on_call)
        sys.settrace(on_call)

        def is_lost():
            return sys.gettrace() is not on_call

    sys.addaudithook(hears)
    del own[:]

    def taken():
        """The events since the last call: lines by file, opened files, whether code ran elsewhere, why none of them can
        be relied on."""
        lines = {}
        for path, line in list(seen):
            lines.setdefault(path, []).append(line)
        if is_lost():
            notes.setdefault("lost", "something else watches the lines of this process")
        result = (lines, sorted(opened), notes.pop("elsewhere", False), notes.get("lost"))
        seen.clear()
        opened.clear()
        if again is not None:
            again()
        return result

    return taken


