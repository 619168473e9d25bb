"""All test files together: names that one takes from another, and the answer. Follows `tables.py`."""


class TestFile:
    """A file of the request."""

    def __init__(self, entry, project):
        self.path, self.text, self.marker, self.project = entry["path"], entry["text"], project.marker, project
        self.first, self.base, self._numbers = 0, 0, 0
        self.tree = ast.parse(self.text)
        self.mentioned = set()
        self.expects_assertions = any(
            isinstance(node, ast.Name) and node.id == "AssertionError" for node in walk(self.tree))

    def number(self, _):
        self._numbers += 1
        return self.base + self._numbers

    def turned(self, blind):
        self._numbers = 0
        cutter = Cutter(self, blind, self.project.visible, self.project.unknown)
        cutter.run()
        return cutter

    def names_taken(self):
        """The names that it takes from other modules."""
        for node in walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                for item in node.names:
                    yield item.name
            elif isinstance(node, ast.Attribute):
                yield node.attr


class Project:
    """All files of the request, and the decisions about them together."""

    def __init__(self, entries, marker, only=None):
        self.only = only
        self.marker, self.files, self.errors = marker, [], {}
        self.numbers = {}
        loaded = self.loaded(entries)
        for entry in entries:
            try:
                if not hasattr(ast, "unparse"):
                    raise NotKnown("Python 3.9 or newer is needed to cut it")
                if entry["path"] not in loaded:
                    raise NotKnown("no test file loads it")
                self.files.append(TestFile(entry, self))
            except Exception as error:
                self.fail(entry["path"], error)
        self.forget()

    @staticmethod
    def loaded(entries):
        """The files that the runner loads, by their names or because another file imports them: a file that is started
        as a program of its own has no function to send values with."""
        def module(path):
            name = path.rsplit("/", 1)[-1][:-3]
            return path.rsplit("/", 2)[-2] if name == "__init__" and "/" in path else name

        named = set()
        for entry in entries:
            try:
                tree = ast.parse(entry["text"])
            except (SyntaxError, ValueError, RecursionError):
                continue
            for node in walk(tree):
                if isinstance(node, ast.Import):
                    named.update(part for item in node.names for part in item.name.split("."))
                elif isinstance(node, ast.ImportFrom):
                    named.update((node.module or "").split("."))
                    named.update(item.name for item in node.names)
        paths = [entry["path"] for entry in entries]
        return {path for path in paths
                if module(path) in named or module(path) == "conftest"
                or module(path).startswith("test_") or module(path).endswith("_test")}

    def fail(self, path, error):
        # Nothing of it is judged, which the answer says; its tests run as they are.
        self.errors[path] = "%s: %s" % (type(error).__name__, error)
        self.files = [file for file in self.files if file.path != path]

    def forget(self):
        """Starts again with the remaining files."""
        self.visible, self.unknown, self.wanted = set(), set(), set()
        # Parameters of helpers, and the calls that do not pass a literal.
        self.partly = collections.defaultdict(set)
        self.functions, self.aliases, self.judged = {}, {}, {}
        taken = [set(file.names_taken()) for file in self.files]
        for index, file in enumerate(self.files):
            file.mentioned = set().union(*(names for other, names in enumerate(taken) if other != index))
            for statement in file.tree.body:
                self._function(file.path, statement, "")
                for inner in statement.body if isinstance(statement, ast.ClassDef) else ():
                    self._function(file.path, inner, statement.name + "::")
        modules = {file.path.rsplit("/", 1)[-1][:-3]: file.path for file in self.files}
        for file in self.files:
            for node in file.tree.body:
                path = modules.get((node.module or "").rsplit(".", 1)[-1]) if isinstance(node, ast.ImportFrom) else None
                for item in node.names if path else ():
                    self.aliases[file.path, item.asname or item.name] = (path, item.name)
        self.uses, self.calls = collections.Counter(), collections.Counter()
        for file in self.files:
            self._count(file)

    def _function(self, path, statement, prefix):
        if isinstance(statement, FUNCTIONS) and not statement.name.startswith("test"):
            key = (path, prefix + statement.name)
            self.functions[key] = None if key in self.functions else statement

    def _count(self, file):
        """How often names are used, and how often they are called."""
        for node in walk(file.tree):
            called = node.func if isinstance(node, ast.Call) else None
            for thing, counter in ((node, self.uses), (called, self.calls)):
                if isinstance(thing, ast.Name) and isinstance(thing.ctx, ast.Load):
                    counter[self.helper(file.path, thing.id)] += 1
                elif isinstance(thing, ast.Attribute):
                    counter["." + thing.attr] += isinstance(thing.value, ast.Name) or counter is self.uses

    def helper(self, path, name):
        target = self.aliases.get((path, name), (path, name))
        return target if self.functions.get(target) is not None else None

    def usable(self, target):
        """Whether a helper is only ever called, by calls in these files."""
        if target not in self.judged:
            self.judged[target] = self._usable(target)
        return self.judged[target]

    def _usable(self, target):
        function = self.functions.get(target)
        if not isinstance(function, ast.FunctionDef) or function.decorator_list or function.args.vararg \
                or function.args.kwarg or function.args.posonlyargs:
            return False
        # A recursive one would mix its arguments.
        if any(isinstance(node, (ast.Name, ast.Attribute)) and dotted(node)[-1:] == [function.name]
               for node in walk(function)):
            return False
        attribute, others = "." + function.name, [key for key in self.functions if key[1].rsplit("::", 1)[-1] == function.name]
        if "::" in target[1]:
            return self.uses[attribute] == self.calls[attribute] > 0 and len(others) == 1
        starred = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and file.path != target[0]
                      for file in self.files for node in file.tree.body)
        return self.uses[target] == self.calls[target] > 0 and not self.uses[attribute] and not starred

    def number(self, target, name):
        return self.numbers.setdefault((target, name), len(self.numbers) + 1)

    def turned(self, blind):
        cutters, first, base = [], 1, 0
        for file in self.files:
            file.first, file.base = first, base
            try:
                cutters.append(file.turned(blind))
            except Exception as error:
                self.fail(file.path, error)
                return None
            first += len(cutters[-1].places)
            base = file.number(None)
        return cutters

    def settled(self):
        """Only ever grows, so that it ends."""
        calls = sum(len(found) for found in self.partly.values())
        return len(self.visible), len(self.unknown), len(self.wanted), calls

    def cut(self):
        """Every file, cut and marked, once it is settled which parts stay in the process."""
        while True:
            before, unknown = self.settled(), len(self.unknown)
            cutters = self.turned(True)
            if cutters is None:
                self.forget()
                continue
            if len(self.unknown) > unknown:
                # Requests to other files for the sake of an unknown value are dropped.
                self.wanted = set()
                continue
            for cutter in cutters:
                self.visible |= cutter.still_used()
                self.wanted |= {key for key, asked in cutter.asked.items() if asked.used and key[0] == "given"}
            if self.settled() == before:
                marked = self.turned(False)
                if marked is not None and self.written(cutters + marked):
                    return cutters, marked
                self.forget()

    def written(self, cutters):
        """Writes the files; whether Python reads them all."""
        for cutter in cutters:
            try:
                cutter.write()
                compile(cutter.text, cutter.file.path, "exec")
            except Exception as error:
                self.fail(cutter.file.path, error)
                return False
        return True


def owed(cutters):
    """The places that each test certainly reaches, in itself and in the helpers that it calls."""
    functions = {(cutter.file.path, key): entry for cutter in cutters for key, entry in cutter.functions.items()}
    tests = {}
    for target, entry in functions.items():
        if not entry["test"]:
            continue
        places, waiting, seen = [], [target], set()
        while waiting:
            name = waiting.pop()
            if name not in seen and name in functions:
                places.extend(functions[name]["owes"])
                waiting.extend(functions[name]["calls"])
            seen.add(name)
        tests["::".join(target)] = sorted(set(places))
    return tests


def parts_of(text):
    """The constants in a piece of code."""
    return {part for node in walk(ast.parse(text)) if isinstance(node, ast.Constant)
            for part in telling_parts(node.value)}


def left_in(cutters, sealed):
    """Constants of expected values that still occur somewhere in the cut files: as an input, in another test."""
    texts = [operand["cut"] for place in sealed["places"] if place["kind"] == "compare"
             for operand in place["operands"] if "cut" in operand]
    texts += [cell for table in sealed["tables"].values() for column in table["columns"] if column for cell in column]
    texts += list(sealed["constants"].values())
    texts += [text for place in sealed["places"] if place["kind"] == "site" for text in place["operands"] if text]
    expected = parts_of("[%s]" % ",\n".join(texts))
    return sorted(expected & set().union(*(parts_of(cutter.text) for cutter in cutters)))


def main():
    sys.setrecursionlimit(5000)
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    project = Project(request["files"], request["marker"], request.get("only"))
    cutters, marked = project.cut()
    texts = {one.file.path: (one, other) for one, other in zip(cutters, marked)}
    files = []
    for entry in request["files"]:
        one, other = texts.get(entry["path"], (None, None))
        files.append(dict(path=entry["path"], cut=one and one.text, marked=other and other.text,
                          assertions=one.assertions if one else 0, error=project.errors.get(entry["path"])))
    sealed = {
        "places": [place for cutter in cutters for place in cutter.places],
        "tables": {str(number): table for cutter in cutters for number, table in cutter.tables.items() if table},
        "constants": {str(number): text for cutter in cutters for number, text in cutter.constants.items()},
        "tests": owed(cutters),
    }
    sealed["left"] = left_in(cutters, sealed)
    sys.stdout.buffer.write(json.dumps({"files": files, "sealed": sealed}, ensure_ascii=True).encode("ascii"))


if __name__ == "__main__":
    main()
