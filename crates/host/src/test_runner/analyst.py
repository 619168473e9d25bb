"""Proctor's reader of test files: what they assert, what is wrong with them, and their twins.

Reads one JSON document from standard input and writes one to standard output. Nothing of the project is
imported or executed: the files are only parsed, with the grammar of the very Python that runs them.

A twin is a test that has to fail if the test passes. In the *negated* twin everything that a test holds
to be true is held to be false; in the *changed* twin every literal that is compared with ``==`` is
another one. Code that makes tests pass by deceiving the runner, or by being equal to everything, makes
the twins pass as well, which gives it away.
"""

import ast
import copy
import json
import sys

# What the plugin puts into the built-ins of every process that runs tests.
BEGAN = "__proctor_began__"
REACHED = "__proctor_reached__"
HELD = "__proctor_held__"
ENDED = "__proctor_ended__"

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.ClassDef, ast.Lambda)
# Words with which people name functions that assert for them.
ASSERTING_WORDS = ("assert", "check", "verify", "expect", "ensure", "should", "compare", "validate")
# Context managers of pytest that are assertions.
EXPECTATIONS = ("raises", "warns", "deprecated_call", "assertRaises", "assertRaisesRegex",
                "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs")


def dotted(node):
    """``a.b.c`` as a list of names, or an empty one."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return []
    return [node.id] + names[::-1]


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
        # Only what cannot become too large to be worked out.
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
    """Whether an expression is as true, or as false, whatever the program does."""
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
    """What a constant condition comes to."""
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
        for node in ast.walk(statement):
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


class File:
    """One test file, understood."""

    def __init__(self, text):
        self.tree = ast.parse(text)
        self.definitions = {}
        self.imported = {}
        for statement in self.tree.body:
            self._define(statement)

    def _define(self, statement):
        names = []
        if isinstance(statement, SCOPES[:3]):
            names = [statement.name]
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = [node.id for target in targets for node in ast.walk(target)
                     if isinstance(node, ast.Name)]
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            module = getattr(statement, "module", None) or ""
            level = getattr(statement, "level", 0)
            for alias in statement.names:
                name = alias.asname or alias.name.split(".")[0]
                names.append(name)
                self.imported[name] = ("." * level) + (module or alias.name)
        elif isinstance(statement, (ast.If, ast.Try, ast.With)):
            for inner in ast.iter_child_nodes(statement):
                if isinstance(inner, ast.stmt):
                    self._define(inner)
        for name in names:
            self.definitions.setdefault(name, []).append(statement)

    def tests(self):
        """Every test: its name within the file, the function, the classes around it."""
        def visit(body, classes):
            for statement in body:
                if isinstance(statement, FUNCTIONS) and statement.name.startswith("test"):
                    names = [scope.name for scope in classes] + [statement.name]
                    yield "::".join(names), statement, classes
                elif isinstance(statement, ast.ClassDef):
                    for found in visit(statement.body, classes + [statement]):
                        yield found
                elif isinstance(statement, (ast.If, ast.Try)):
                    for field in ("body", "orelse", "finalbody"):
                        for found in visit(getattr(statement, field, []), classes):
                            yield found
        return list(visit(self.tree.body, []))

    def digest(self, function, classes):
        """The test's code together with what of its file it uses, in one text."""
        parts = [ast.dump(function)]
        for scope in classes:
            parts.extend(ast.dump(base) for base in scope.bases + scope.decorator_list)
            parts.extend(
                ast.dump(statement) for statement in scope.body
                if not (isinstance(statement, FUNCTIONS) and statement.name.startswith("test"))
                and not isinstance(statement, ast.ClassDef)
            )
        seen = set()
        waiting = [function] + list(classes)
        while waiting:
            node = waiting.pop()
            names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            # Fixtures are used by the names of parameters.
            names |= {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
            for name in sorted(names - seen):
                seen.add(name)
                for statement in self.definitions.get(name, []):
                    if isinstance(statement, (ast.Import, ast.ImportFrom)) or statement in classes:
                        continue
                    parts.append(ast.dump(statement))
                    waiting.append(statement)
        return "\n".join(parts)

    def calls_asserting_function(self, call):
        """Whether a call may assert: by its name, or because the function it names does."""
        if is_asserting_call(call):
            return True
        names = dotted(call.func)
        if not names:
            return False
        for statement in self.definitions.get(names[0], []):
            if isinstance(statement, FUNCTIONS + (ast.ClassDef,)) and any(
                isinstance(node, ast.Assert)
                or isinstance(node, ast.Raise)
                or isinstance(node, ast.Call) and is_asserting_call(node)
                for node in ast.walk(statement)
            ):
                return True
        # Helpers of the project's own tests are given the benefit of the doubt.
        module = self.imported.get(names[0], "")
        parts = module.strip(".").split(".")
        return module.startswith(".") or any(
            part in ("tests", "test", "testing", "conftest", "helpers", "utils") or part.startswith("test")
            for part in parts
        )

    def oracles(self, function, classes):
        """What in a test can tell right from wrong."""
        always = set(statements_run_always(function.body))
        for node in own_nodes(function):
            if isinstance(node, ast.Assert):
                # `assert False` on a branch that must not be taken is an honest way to say so.
                never = constant_value(node.test) is False and node not in always
                tells = never or not is_constant(node.test)
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                tells = any(is_expectation(item) for item in node.items)
            elif isinstance(node, ast.Raise):
                tells = last_name(getattr(node.exc, "func", node.exc)) in ("AssertionError", "Failed")
            elif isinstance(node, ast.Call):
                names = dotted(node.func)
                if names[:1] in (["self"], ["cls"]) and len(names) == 2 and not is_asserting_call(node):
                    tells = any(
                        isinstance(statement, FUNCTIONS) and statement.name == names[1]
                        and any(isinstance(inner, ast.Assert) for inner in ast.walk(statement))
                        for scope in classes for statement in scope.body
                    )
                elif last_name(node.func) == "fail":
                    # Reached only if something else went wrong; alone it is judged elsewhere.
                    tells = True
                else:
                    tells = self.calls_asserting_function(node)
            else:
                continue
            if tells:
                yield node


def problem(rule, node, message):
    return {"rule": rule, "line": getattr(node, "lineno", 1), "message": message}


def is_unconditional_failure(statement):
    if isinstance(statement, ast.Assert) and is_constant(statement.test):
        return constant_value(statement.test) is False
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call):
        return dotted(call.func) in (["pytest", "fail"], ["fail"], ["self", "fail"])
    if isinstance(statement, ast.Raise):
        return last_name(getattr(statement.exc, "func", statement.exc)) == "AssertionError"
    return False


def empty_parametrisation(function):
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and last_name(decorator.func) == "parametrize":
            values = decorator.args[1] if len(decorator.args) > 1 else next(
                (word.value for word in decorator.keywords if word.arg == "argvalues"), None)
            if isinstance(values, (ast.List, ast.Tuple, ast.Set)) and not values.elts:
                return decorator
            if isinstance(values, ast.Call) and last_name(values.func) in ("list", "tuple", "set") \
                    and not values.args:
                return decorator
    return None


def returned_value(function):
    """A ``return`` of the test itself, not of a function inside it, that gives a value."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            if not (isinstance(node.value, ast.Constant) and node.value.value is None):
                return node
        if not isinstance(node, SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return None


def test_problems(file, function, classes):
    problems = []
    for statement in statements_run_always(function.body):
        if is_unconditional_failure(statement):
            problems.append(problem(
                "constant_false", statement,
                "fails whatever the code does; assert what the document asks for"))
            break
    empty = empty_parametrisation(function)
    if empty is not None:
        problems.append(problem(
            "empty_parametrisation", empty, "is parametrised with nothing, so it never runs"))
    if not any(file.oracles(function, classes)):
        returned = returned_value(function)
        if returned is not None:
            problems.append(problem(
                "returns_value", returned,
                "returns a value instead of asserting it; pytest ignores what a test returns"))
        elif not problems:
            problems.append(problem(
                "no_oracle", function, "asserts nothing, so it cannot tell right from wrong"))
    return problems


def duplicate_names(tree):
    """Test names that a later definition in the same scope takes away."""
    problems = []
    scopes = [tree] + [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for scope in scopes:
        seen = {}
        for statement in scope.body:
            named = isinstance(statement, FUNCTIONS + (ast.ClassDef,))
            if not named or not statement.name.lower().startswith("test"):
                continue
            # A property's setter, an overload: a decorator says that both are meant.
            if statement.name in seen and not any(
                last_name(getattr(decorator, "func", decorator)) in ("overload", "setter", "register")
                for decorator in statement.decorator_list
            ):
                problems.append(problem(
                    "duplicate_name", statement,
                    "defines %s a second time, which hides the first" % statement.name))
            seen[statement.name] = statement
    return problems


# What a conftest.py may do when it is imported.
HARMLESS_CALLS = (["sys", "path", "insert"], ["sys", "path", "append"],
                  ["warnings", "filterwarnings"], ["warnings", "simplefilter"],
                  ["logging", "basicConfig"])


def bound_names(statement):
    """The names that a statement of a module defines there, however it does."""
    if isinstance(statement, FUNCTIONS + (ast.ClassDef,)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name for alias in statement.names]
    if isinstance(statement, (ast.If, ast.Try, ast.While)):
        # What is inside is looked at by itself.
        return []
    return [node.id for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def conftest_problems(tree, base):
    """What a conftest.py may not bring, except what the base commit's brings already."""
    known = {ast.dump(statement) for statement in base.body} if base is not None else set()
    problems = []

    def visit(body):
        for statement in body:
            if ast.dump(statement) in known:
                continue
            for name in bound_names(statement):
                if name == "*":
                    problems.append(problem(
                        "conftest_hook", statement,
                        "imports every name of a module, hooks included; name the fixtures that are meant"))
                elif name.startswith("pytest_") and name != "pytest_plugins":
                    problems.append(problem(
                        "conftest_hook", statement,
                        "defines the hook %s; a conftest.py may bring fixtures only" % name))
            for decorator in getattr(statement, "decorator_list", []):
                if last_name(getattr(decorator, "func", decorator)) in ("hookimpl", "hookspec"):
                    problems.append(problem(
                        "conftest_hook", statement,
                        "marks %s as a hook; a conftest.py may bring fixtures only" % statement.name))
            targets = []
            if isinstance(statement, ast.Assign):
                targets = statement.targets
            elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
                targets = [statement.target]
            elif isinstance(statement, ast.Delete):
                targets = statement.targets
            for target in targets:
                for node in ast.walk(target):
                    if isinstance(node, ast.Name) and node.id in ("pytest_plugins", "collect_ignore",
                                                                  "collect_ignore_glob"):
                        problems.append(problem(
                            "conftest_plugins", statement,
                            "sets %s; a conftest.py may bring fixtures only" % node.id))
                if isinstance(target, (ast.Attribute, ast.Subscript)):
                    problems.append(problem(
                        "conftest_patching", statement,
                        "changes something else when it is imported; a conftest.py may bring fixtures only"))
            call = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(call, ast.Call) and dotted(call.func) not in HARMLESS_CALLS:
                problems.append(problem(
                    "conftest_patching", statement,
                    "calls %s when it is imported; a conftest.py may bring fixtures only"
                    % (".".join(dotted(call.func)) or "something")))
            if isinstance(statement, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(statement, field, []))
                for handler in getattr(statement, "handlers", []):
                    visit(handler.body)

    visit(tree.body)
    return problems


class Changed(ast.NodeTransformer):
    """Makes every literal of an expression another one."""

    def __init__(self):
        self.count = 0
        # What is put behind a text: another digit where it has to stay a number.
        self.more = "~"

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bool):
            value = not value
        elif isinstance(value, (int, float, complex)):
            value = value + 1
        elif isinstance(value, str):
            value = value + self.more
        elif isinstance(value, bytes):
            value = value + b"~"
        else:
            return node
        self.count += 1
        return ast.copy_location(ast.Constant(value), node)

    def visit_JoinedStr(self, node):
        return node

    def visit_Call(self, node):
        # Only a wrapper that compares by its argument.
        if last_name(node.func) in ("approx", "Decimal", "Fraction", "set", "frozenset", "tuple", "list",
                                    "dict", "sorted", "ANY"):
            self.more = "1" if last_name(node.func) in ("Decimal", "Fraction") else "~"
            node.args = [self.visit(argument) for argument in node.args]
            self.more = "~"
        return node

    def visit_Dict(self, node):
        # The values; a changed key might hide that a value was not looked at.
        if not node.keys:
            self.count += 1
            return ast.copy_location(
                ast.Dict([ast.Constant("~proctor")], [ast.Constant(1)]), node)
        node.values = [self.visit(value) for value in node.values]
        return node

    def _sequence(self, node):
        if not node.elts:
            if isinstance(node, ast.Set):
                return node
            self.count += 1
            node.elts = [ast.Constant("~proctor")]
            return node
        node.elts = [self.visit(element) for element in node.elts]
        return node

    visit_List = visit_Tuple = visit_Set = _sequence

    def generic_visit(self, node):
        # Anything that is computed stays as it is.
        if isinstance(node, (ast.UnaryOp, ast.Expression, ast.Starred)):
            return super(Changed, self).generic_visit(node)
        return node


def changed(expression):
    """The expression with other literals, or None if it has none that could be changed."""
    transformer = Changed()
    result = transformer.visit(copy.deepcopy(expression))
    return result if transformer.count else None


def swallows(statement):
    """Whether a failed assertion inside may end there."""
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return any(
            isinstance(item.context_expr, ast.Call) and last_name(item.context_expr.func) == "suppress"
            for item in statement.items
        )
    if not isinstance(statement, ast.Try):
        return False
    for handler in statement.handlers:
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(kind is None or last_name(kind) in ("Exception", "BaseException", "AssertionError")
               for kind in types):
            return True
    return False


def call_of(name, number, *values):
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number)] + list(values), [])


def statement_call(name, number):
    return ast.Expr(call_of(name, number))


class TwinMaker(ast.NodeTransformer):
    """Turns the tests of a file into twins; counts the places of each test."""

    def __init__(self, file, kind):
        self.file = file
        self.kind = kind
        self.places = {}
        # Tests with nothing in them that tells right from wrong and was not turned.
        self.whole = set()
        self.turned = set()
        self.current = None
        self.number = 0
        # Whether the test may return where a failure would be caught.
        self.ends_unseen = False

    def make(self, name, function, classes):
        self.current = name
        self.places[name] = 0
        self.ends_unseen = False
        self.turned = set()
        oracles = list(self.file.oracles(function, classes))
        body = self._body(function.body, False)
        if all(node in self.turned for node in oracles):
            self.whole.add(name)
        if self.kind == "negated":
            # A test that comes to its end has passed: its twin must not, whichever way it went.
            number = self._place()
            body = [statement_call(BEGAN, number)] + body + [statement_call(ENDED, number)]
            if self.ends_unseen:
                self.places[name] = 0
        function.body = body

    def _place(self):
        self.places[self.current] += 1
        self.number += 1
        return self.number

    def _body(self, body, expecting):
        """Statements with twins in the place of what can be turned.

        None where a failure would not end the test: inside an expectation, where it is caught, in
        a function that somebody else may call, on another thread for instance.
        """
        result = []
        for statement in body:
            result.extend(self._statement(statement, expecting))
        return result

    def _statement(self, statement, expecting):
        if isinstance(statement, ast.Return) and self.kind == "negated":
            return self._return(statement, expecting)
        if not expecting:
            turned = self._turn(statement)
            if turned is not None:
                self.turned.update(ast.walk(statement))
                return turned
        inner = expecting
        after = []
        if isinstance(statement, (ast.With, ast.AsyncWith)) and any(
            is_expectation(item) for item in statement.items
        ):
            if not expecting and self.kind == "negated":
                self.turned.update(ast.walk(statement))
                number = self._place()
                after = [statement_call(REACHED, number), statement_call(HELD, number)]
            inner = True
        if isinstance(statement, SCOPES):
            # Another function's statements: a failure there may end somewhere else.
            return [statement]
        if swallows(statement):
            inner = True
        for field in ("body", "orelse", "finalbody"):
            nested = getattr(statement, field, None)
            if isinstance(nested, list) and nested and isinstance(nested[0], ast.stmt):
                within = inner if field == "body" else expecting
                setattr(statement, field, self._body(nested, within))
        for handler in getattr(statement, "handlers", []):
            handler.body = self._body(handler.body, expecting)
        for case in getattr(statement, "cases", []):
            case.body = self._body(case.body, inner)
        return [statement] + after

    def _return(self, statement, expecting):
        if expecting:
            self.ends_unseen = True
            return [statement]
        value = [] if statement.value is None else [ast.Expr(statement.value)]
        return value + [statement_call(ENDED, self._place()), ast.Return(None)]

    def _turn(self, statement):
        if isinstance(statement, ast.Assert):
            if is_constant(statement.test):
                return None
            if self.kind == "negated":
                test = ast.UnaryOp(ast.Not(), statement.test)
            else:
                test = self._changed_comparison(statement.test)
                if test is None:
                    return None
            turned = [ast.Assert(test, statement.msg)]
            if self.kind == "negated":
                turned.insert(0, statement_call(REACHED, self._place()))
            return turned
        call = statement.value if isinstance(statement, ast.Expr) else None
        awaited = isinstance(call, ast.Await)
        call = call.value if awaited else call
        if not isinstance(call, ast.Call):
            return None
        if self.kind == "negated":
            if self._is_doubtful(call) or not self.file.calls_asserting_function(call):
                return None
            number = self._place()
            return [statement, statement_call(REACHED, number), statement_call(HELD, number)]
        if last_name(call.func) in ("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual",
                                    "assertTupleEqual", "assertAlmostEqual", "assertSequenceEqual",
                                    "assertCountEqual", "assertMultiLineEqual", "assertSetEqual"):
            for index in (1, 0):
                if len(call.args) > 1:
                    other = changed(call.args[index])
                    if other is not None:
                        call.args[index] = other
                        call.args[1 - index] = self._seen(call.args[1 - index])
                        return [statement]
        return None

    @staticmethod
    def _is_doubtful(call):
        # `assert_never` and the like do not return.
        return last_name(call.func) in ("assert_never", "assert_type", "assertRaises", "assertWarns",
                                        "assertRaisesRegex", "assertLogs", "assertNoLogs") and len(call.args) < 2

    def _changed_comparison(self, test):
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for index, value in enumerate(test.values):
                other = self._changed_comparison(value)
                if other is not None:
                    test.values[index] = other
                    return test
            return None
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return None
        if not isinstance(test.ops[0], ast.Eq):
            return None
        left, right = test.left, test.comparators[0]
        if is_fixed(left) and is_fixed(right):
            return None
        other = changed(right)
        if other is not None:
            return ast.Compare(self._seen(left), test.ops, [other])
        other = changed(left)
        return None if other is None else ast.Compare(other, test.ops, [self._seen(right)])

    def _seen(self, value):
        """A value that tells when it is there and about to be compared with what it is not."""
        return call_of(REACHED, self._place(), value)


def twin(text, wanted, kind):
    """The file with the wanted tests turned, how many places of each were, and which tests as a whole."""
    if not hasattr(ast, "unparse"):
        return None, {}, set()
    file = File(text)
    maker = TwinMaker(file, kind)
    for name, function, classes in file.tests():
        if name in wanted:
            maker.make(name, function, classes)
    places = {name: count for name, count in maker.places.items() if count}
    if not places:
        return None, {}, set()
    ast.fix_missing_locations(file.tree)
    return ast.unparse(file.tree) + "\n", places, maker.whole


def parsed(text):
    try:
        return File(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def examine(entry):
    path, text, before = entry["path"], entry["text"], entry.get("base")
    result = {"path": path, "error": None, "tests": [], "removed": [], "problems": [], "twins": {}}
    try:
        file = File(text)
    except SyntaxError as error:
        result["error"] = {"rule": "syntax_error", "line": error.lineno or 1, "message": str(error.msg)}
        return result
    except (ValueError, RecursionError) as error:
        result["error"] = {"rule": "syntax_error", "line": 1, "message": str(error)}
        return result
    base = None if before is None else parsed(before)
    digests = {}
    if base is not None:
        digests = {name: base.digest(function, classes) for name, function, classes in base.tests()}
    if path.rsplit("/", 1)[-1] == "conftest.py":
        result["problems"] = conftest_problems(file.tree, base and base.tree)
        return result
    result["problems"] = duplicate_names(file.tree)
    if base is not None:
        known = {(item["rule"], item["message"]) for item in duplicate_names(base.tree)}
        result["problems"] = [
            item for item in result["problems"] if (item["rule"], item["message"]) not in known]
    wanted = set()
    for name, function, classes in file.tests():
        is_new = digests.get(name) != file.digest(function, classes)
        if is_new:
            wanted.add(name)
        result["tests"].append({
            "name": name,
            "line": function.lineno,
            "new": is_new,
            "existed": name in digests,
            "problems": test_problems(file, function, classes) if is_new else [],
            "places": {},
        })
    names = {test["name"] for test in result["tests"]}
    result["removed"] = sorted(set(digests) - names)
    for kind in ("negated", "changed"):
        source, places, whole = twin(text, wanted, kind)
        if source is not None:
            result["twins"][kind] = source
        for test in result["tests"]:
            if test["name"] in places:
                test["places"][kind] = places[test["name"]]
                if kind == "negated":
                    test["turned_whole"] = test["name"] in whole
    return result


def examined(entry):
    try:
        return examine(entry)
    except Exception as error:
        # Tests that cannot be read cannot be trusted either.
        message = "cannot be read by Proctor, %s: %s" % (type(error).__name__, error)
        return {"path": entry["path"], "error": None, "tests": [], "removed": [], "twins": {},
                "problems": [{"rule": "not_analysed", "line": 1, "message": message}]}


def main():
    sys.setrecursionlimit(5000)
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    answer = {"files": [examined(entry) for entry in request["files"]]}
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=True).encode("ascii"))


if __name__ == "__main__":
    main()
