"""Proctor's reader of test files, first part: their assertions.

Nothing of the project is imported or executed: the files are only parsed, with the grammar of the very
Python that runs them. The parts of the reader are one program: ``syntax.py``, this one, ``twins.py``, ``faults.py``,
``surroundings.py`` and ``analyst.py``.
"""

SCOPES = FUNCTIONS + (ast.ClassDef, ast.Lambda)
# Words with which people name functions that assert for them.
ASSERTING_WORDS = ("assert", "check", "verify", "expect", "ensure", "should", "compare", "validate")
# Context managers of pytest that are assertions.
EXPECTATIONS = ("raises", "warns", "deprecated_call", "assertRaises", "assertRaisesRegex",
                "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs")


def last_name(node):
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_fixed(node):
    """Whether the value of an expression is written down, all of it."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.UnaryOp):
        return is_fixed(node.operand)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(is_fixed(element) for element in node.elts)
    if isinstance(node, ast.BinOp):
        # Only numbers that cannot become too large to be computed.
        numbers = (node.left, node.right)
        return isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)) and all(
            isinstance(number, ast.Constant) and isinstance(number.value, (int, float))
            for number in numbers
        )
    if isinstance(node, ast.BoolOp):
        return all(is_fixed(value) for value in node.values)
    if isinstance(node, ast.Compare):
        return is_fixed(node.left) and all(is_fixed(other) for other in node.comparators)
    return False


def is_constant(node):
    """Whether an expression is always true, or always false, whatever the program does."""
    if is_fixed(node) or isinstance(node, ast.Lambda):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) and is_constant(node.operand)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        # Only whether it is empty counts, and that cannot change.
        return not any(isinstance(element, ast.Starred) for element in node.elts)
    if isinstance(node, ast.BoolOp):
        deciding = isinstance(node.op, ast.Or)
        return all(is_constant(value) for value in node.values) or any(
            is_constant(value) and constant_value(value) is deciding for value in node.values)
    return is_length_from_nothing(node)


def is_length_from_nothing(node):
    """``len(…) >= 0``, which every length is."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return False
    call, limit = node.left, node.comparators[0]
    return (
        isinstance(node.ops[0], ast.GtE)
        and isinstance(call, ast.Call) and dotted(call.func) == ["len"]
        and isinstance(limit, ast.Constant) and limit.value == 0
    )


def constant_value(node):
    """The value of a constant condition."""
    if is_fixed(node):
        try:
            return bool(eval(compile(ast.Expression(node), "constant", "eval"), {"__builtins__": {}}))
        except Exception:
            return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        value = constant_value(node.operand)
        return None if value is None else not value
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return bool(node.elts)
    if isinstance(node, ast.Lambda) or is_length_from_nothing(node):
        return True
    if isinstance(node, ast.BoolOp):
        values = [constant_value(value) for value in node.values if is_constant(value)]
        deciding = isinstance(node.op, ast.Or)
        if deciding in values:
            return deciding
        return None if None in values else not deciding
    return None


def is_expectation(item):
    call = item.context_expr
    return isinstance(call, ast.Call) and last_name(call.func) in EXPECTATIONS


def is_asserting_call(call):
    """A call that raises if something does not hold, as far as its name tells."""
    name = last_name(call.func).lower()
    if name in ("fail", "skip", "xfail"):
        return False
    return name.lstrip("_").startswith(ASSERTING_WORDS) or name in (x.lower() for x in EXPECTATIONS)


def own_nodes(function):
    """Every node of a function; also of the functions inside it, which it may call."""
    for statement in function.body:
        for node in walk(statement):
            yield node


def statements_run_always(body):
    """Statements that a call of the function reaches unless one before them raises."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.With, ast.AsyncWith)) and not any(
            is_expectation(item) for item in statement.items
        ):
            for inner in statements_run_always(statement.body):
                yield inner
        if isinstance(statement, (ast.Return, ast.Raise)):
            return


# Methods that run beside a test without being named by it.
IMPLICIT = ("setUp", "tearDown", "setUpClass", "tearDownClass", "asyncSetUp", "asyncTearDown", "setup",
            "teardown", "setup_method", "teardown_method", "setup_class", "teardown_class", "__init__",
            "__getattr__", "__getattribute__", "__init_subclass__")
# Base classes that look at no attribute of the class, or only at those that are implicit; and where they come from,
# because a project's own may have the same name.
PLAIN_BASES = ("object", "TestCase", "IsolatedAsyncioTestCase")
PLAIN_MODULES = ("", "unittest")


def is_test(statement):
    return isinstance(statement, FUNCTIONS) and statement.name.startswith("test")


def is_implicit(statement):
    """Whether a statement of a class takes part in every test of it."""
    if isinstance(statement, FUNCTIONS):
        return statement.name in IMPLICIT or any(
            isinstance(decorator, ast.Call) and any(word.arg == "autouse" for word in decorator.keywords)
            for decorator in statement.decorator_list)
    return "pytestmark" in names_bound(statement)


def names_bound(statement):
    """The names that a statement gives to something in its own scope; those of imports not included."""
    if isinstance(statement, SCOPES[:3]):
        return [statement.name]
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return [node.id for target in targets for node in walk(target) if isinstance(node, ast.Name)]
    return []


def names_used(node):
    """Every name that a piece of code mentions: variables, attributes, and parameters, by which fixtures come."""
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
        elif isinstance(inner, ast.arg):
            yield inner.arg


def code_of(node):
    """All of a piece of code except its docstrings, which only describe it, in one text."""
    described = []
    for inner in walk(node):
        if isinstance(inner, FUNCTIONS + (ast.ClassDef,)) and ast.get_docstring(inner, False) is not None:
            described.append((inner, inner.body))
            inner.body = inner.body[1:]
    text = ast.dump(node)
    for inner, body in described:
        inner.body = body
    return text


class Remembered:
    """Cached facts about nodes: a large class is part of each of its tests."""

    def __init__(self, work):
        self.work, self.known = work, {}

    def __call__(self, node):
        # The node is kept, so that no other gets its number.
        if id(node) not in self.known:
            self.known[id(node)] = node, self.work(node)
        return self.known[id(node)][1]


def _members_of(scope):
    members = {}
    for statement in scope.body:
        for name in names_bound(statement):
            members.setdefault(name, []).append(statement)
    return members


written_as = Remembered(code_of)
names_in = Remembered(lambda node: sorted(set(names_used(node))))
members_of = Remembered(_members_of)
implicit_in = Remembered(lambda scope: [statement for statement in scope.body if is_implicit(statement)])
assigned_in = Remembered(lambda scope: [
    statement for statement in scope.body if isinstance(statement, (ast.Assign, ast.AnnAssign))])


class Test:
    """One test: its name within the file, its function, the classes around it, where it is written."""

    def __init__(self, name, function, classes, definition=None):
        self.name = name
        self.function = function
        self.classes = classes
        # The path and name of the test that it inherits.
        self.definition = definition


class Project:
    """Test files that are read together: imports between them are followed."""

    def __init__(self, texts):
        self.files = {}
        for path, text in texts:
            try:
                self.files[path] = File(text, path, self)
            except (SyntaxError, ValueError, RecursionError):
                pass

    def module(self, importer, name):
        """The file that a module's name means in a file, if it is one of these."""
        bare = name.lstrip(".")
        level, place = len(name) - len(bare), bare.replace(".", "/")
        endings = (place + ".py", (place + "/" if place else "") + "__init__.py")
        if level:
            folder = importer.split("/")[:-level]
            found = [self.files.get("/".join(folder + [ending])) for ending in endings]
        else:
            found = [file for path, file in self.files.items()
                     if place and ("/" + path).endswith(tuple("/" + ending for ending in endings))]
        return next((file for file in found if file is not None), None)


class Lineage:
    """A class and those that it inherits from, nearest first, as far as they can be read."""

    def __init__(self, file, scope):
        self.members = []
        # Modules, or names, of base classes that cannot be read.
        self.unknown = []
        self._add(file, scope)

    def _add(self, file, scope):
        if any(scope is known for _, known in self.members):
            return
        self.members.append((file, scope))
        for base in scope.bases:
            names = dotted(base.value if isinstance(base, ast.Subscript) else base)
            found = file.resolve(names) if names else None
            if found is not None and isinstance(found[1], ast.ClassDef):
                self._add(*found)
            elif not names or names[-1] not in PLAIN_BASES or file.origin(names) not in PLAIN_MODULES:
                self.unknown.append(file.origin(names))

    def find(self, name):
        for file, scope in self.members:
            for statement in members_of(scope).get(name, ()):
                return file, statement
        return None


class File:
    """One test file, understood."""

    def __init__(self, text, path="", project=None):
        self.path = path
        self.text = text
        self.tree = ast.parse(text)
        self.project = project
        self._split = None
        self._lineages = {}
        self.definitions = {}
        self.imported = {}
        for statement in self.tree.body:
            self._define(statement)

    def _define(self, statement):
        names = names_bound(statement)
        if isinstance(statement, ast.ImportFrom):
            module = "." * statement.level + (statement.module or "")
            for alias in statement.names:
                names.append(alias.asname or alias.name)
                self.imported[names[-1]] = (module, alias.name)
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                names.append(alias.asname or alias.name.split(".")[0])
                self.imported[names[-1]] = (alias.name if alias.asname else names[-1], None)
        elif isinstance(statement, (ast.If, ast.Try, ast.With)):
            for inner in children(statement):
                if isinstance(inner, ast.stmt):
                    self._define(inner)
        for name in names:
            self.definitions.setdefault(name, []).append(statement)

    def origin(self, names):
        """The module that a name comes from, or nothing."""
        return self.imported.get(names[0], ("", None))[0] if names else ""

    def resolve(self, names):
        """The file and the statement that define a dotted name, if they can be read."""
        for statement in self.definitions.get(names[0], [])[::-1]:
            if isinstance(statement, SCOPES[:3]):
                if len(names) == 1:
                    return self, statement
                return Lineage(self, statement).find(names[1]) if isinstance(statement, ast.ClassDef) else None
        if names[0] not in self.imported or self.project is None:
            return None
        module, name = self.imported[names[0]]
        inner = names[1:]
        if name is not None:
            joined = module + name if module.endswith(".") else module + "." + name
            submodule = self.project.module(self.path, joined)
            if submodule is not None:
                return submodule.resolve(inner) if inner else None
            inner = [name] + inner
        file = self.project.module(self.path, module)
        return file.resolve(inner) if file is not None and file is not self and inner else None

    def lineage(self, classes):
        if not classes:
            return None
        if id(classes[-1]) not in self._lineages:
            self._lineages[id(classes[-1])] = Lineage(self, classes[-1])
        return self._lineages[id(classes[-1])]

    def tests(self):
        """Every test, those that a class inherits included."""
        found = []

        def visit(body, classes):
            for statement in body:
                scopes = "".join(scope.name + "::" for scope in classes)
                if is_test(statement):
                    found.append(Test(scopes + statement.name, statement, classes))
                elif isinstance(statement, ast.ClassDef):
                    visit(statement.body, classes + [statement])
                    inherit(classes + [statement])
                elif isinstance(statement, (ast.If, ast.Try)):
                    for field in ("body", "orelse", "finalbody"):
                        visit(getattr(statement, field, []), classes)

        def inherit(classes):
            lineage = self.lineage(classes)
            scopes = "".join(scope.name + "::" for scope in classes)
            seen = {name for inner in classes[-1].body for name in names_bound(inner)}
            for file, scope in lineage.members[1:]:
                for statement in scope.body:
                    if is_test(statement) and statement.name not in seen:
                        seen.add(statement.name)
                        definition = "%s::%s::%s" % (file.path, scope.name, statement.name)
                        found.append(Test(scopes + statement.name, statement, classes, definition))

        visit(self.tree.body, [])
        return found

    def lines(self, test):
        """The lines of a test, without the space around them; none of one that is written elsewhere."""
        if test.definition is not None:
            return []
        if self._split is None:
            self._split = self.text.split("\n")
        first, last = test.function.lineno - 1, test.function.end_lineno
        lines = [line.strip()[:120] for line in self._split[first:last]]
        return [line for line in lines if line]

    def digest(self, test):
        """The test's code together with the code it uses from the test files, in one text.

        Of its classes only the parts in use: those it names, and those that run beside every test.
        """
        parts, seen = [], set()
        lineage = self.lineage(test.classes)
        members = lineage.members if lineage else []
        waiting = [(self, test.function)]
        for scope in test.classes[:-1]:
            waiting.extend((self, node) for node in scope.decorator_list)
        for file, scope in members:
            waiting.extend((file, node) for node in scope.bases + scope.decorator_list)
            waiting.extend((file, statement) for statement in implicit_in(scope))
            if lineage.unknown:
                waiting.extend((file, statement) for statement in assigned_in(scope))
        scopes = {id(scope) for _, scope in members} | {id(scope) for scope in test.classes}
        while waiting:
            file, node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            parts.append(written_as(node))
            for name in names_in(node):
                for statement in file.definitions.get(name, []):
                    if isinstance(statement, (ast.Import, ast.ImportFrom)):
                        found = file.resolve([name])
                        if found is not None and id(found[1]) not in scopes:
                            waiting.append(found)
                    elif id(statement) not in scopes:
                        waiting.append((file, statement))
                for owner, scope in members:
                    waiting.extend((owner, statement) for statement in members_of(scope).get(name, ()))
        return "\n".join(sorted(parts))

    def asserts(self, node, lineage, seen):
        """Whether anything in a function or a class can tell right from wrong."""
        for inner in walk(node):
            if isinstance(inner, ast.Raise):
                return True
            if isinstance(inner, ast.Assert) and not is_constant(inner.test):
                return True
            if isinstance(inner, (ast.With, ast.AsyncWith)) and any(map(is_expectation, inner.items)):
                return True
            if isinstance(inner, ast.Call) and self.call_asserts(inner, lineage, seen):
                return True
        return False

    def call_asserts(self, call, lineage, seen=()):
        """Whether a call may assert: by the function's body where that can be read, otherwise by its name."""
        names = dotted(call.func)
        inherited = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call) \
            and last_name(call.func.value.func) == "super"
        of_class = inherited or (len(names) == 2 and names[0] in ("self", "cls"))
        if of_class:
            found = lineage.find(call.func.attr) if lineage else None
            modules = lineage.unknown if lineage else []
        else:
            found = self.resolve(names) if names else None
            modules = [self.origin(names)]
        if found is not None and isinstance(found[1], SCOPES[:3]):
            file, node = found
            if any(node is known for known in seen):
                return False
            return file.asserts(node, lineage if of_class else None, tuple(seen) + (node,))
        # Helpers of the project's own tests are given the benefit of the doubt.
        return is_asserting_call(call) or any(
            module.startswith(".") or any(
                part in ("tests", "test", "testing", "conftest", "helpers", "utils") or part.startswith("test")
                for part in module.split("."))
            for module in modules)

    def oracles(self, test):
        """The code in a test that can tell right from wrong."""
        lineage = self.lineage(test.classes)
        always = set(statements_run_always(test.function.body))
        for node in own_nodes(test.function):
            if isinstance(node, ast.Assert):
                # `assert False` on a branch that must not be taken is an honest way to express
                # that.
                never = constant_value(node.test) is False and node not in always
                tells = never or not is_constant(node.test)
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                tells = any(is_expectation(item) for item in node.items)
            elif isinstance(node, ast.Raise):
                tells = last_name(getattr(node.exc, "func", node.exc)) in ("AssertionError", "Failed")
            elif isinstance(node, ast.Call):
                # `fail` is reached only if something else went wrong; alone it is judged elsewhere.
                tells = last_name(node.func) == "fail" or self.call_asserts(node, lineage, (test.function,))
            else:
                continue
            if tells:
                yield node
