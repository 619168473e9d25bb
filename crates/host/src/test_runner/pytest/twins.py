"""Twins, the second part of Proctor's reader of test files.

A twin is a test that has to fail if the test passes. In the *negated* twin every assertion of a test is
inverted, and the first such place ends it. In the *changed* twin every literal that is compared with ``==`` is
another one; it checks at every place and continues as the test would, and passes at its end if anything was equal to
an unexpected value. Code that makes tests pass by deceiving the runner, or by being equal to everything, makes
the twins pass as well, which gives it away.
"""

import copy
import random
import string

# The plugin puts its functions in the place of these words when it compiles a twin, so that no name leads to them.
BEGAN = "__proctor_began__"
REACHED = "__proctor_reached__"
HELD = "__proctor_held__"
ENDED = "__proctor_ended__"
ASKED = "__proctor_asked__"
ANSWERED = "__proctor_answered__"

# Not 0, which may change nothing after a point.
DIGITS = "123456789"
# Seeded by the system: code that knows how values are changed could change them back.
CHANCE = random.SystemRandom()


class Changed(ast.NodeTransformer):
    """Makes every literal of an expression another one."""

    def __init__(self):
        self.count = 0
        # The text to insert: another digit where it has to stay a number.
        self.letters = string.ascii_letters

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bool):
            value = not value
        elif isinstance(value, (int, float, complex)):
            value = value + CHANCE.choice((-1, 1)) * CHANCE.randint(1, 9)
        elif isinstance(value, str):
            # Behind the last digit of a number, before nothing that a number begins with.
            place = len(value) if self.letters == DIGITS else CHANCE.randint(0, len(value))
            value = value[:place] + CHANCE.choice(self.letters) + value[place:]
        elif isinstance(value, bytes):
            place = CHANCE.randint(0, len(value))
            value = value[:place] + CHANCE.choice(string.ascii_letters).encode() + value[place:]
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
            self.letters = DIGITS if last_name(node.func) in ("Decimal", "Fraction") else string.ascii_letters
            node.args = [self.visit(argument) for argument in node.args]
            self.letters = string.ascii_letters
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
        # Tests in which everything that tells right from wrong is inverted.
        self.whole = set()
        self.turned = set()
        self.current = None
        self.lineage = None
        self.number = 0
        # Whether the test may return where a failure would be caught.
        self.ends_unseen = False

    def make(self, test):
        name, function = test.name, test.function
        self.current = name
        self.lineage = self.file.lineage(test.classes)
        self.places[name] = 0
        self.ends_unseen = False
        self.turned = set()
        oracles = list(self.file.oracles(test))
        body = self._body(function.body, False)
        if oracles and all(node in self.turned for node in oracles):
            self.whole.add(name)
        if self.kind == "negated" or self.places[name]:
            # A test that reaches its end has passed: its twin must not, whichever way it went.
            number = self._place() if self.kind == "negated" else self.number
            body = [statement_call(BEGAN, number)] + body + [statement_call(self._end(), number)]
            if self.ends_unseen:
                self.places[name] = 0
        function.body = body

    def _end(self):
        return ENDED if self.kind == "negated" else ANSWERED

    def _place(self):
        self.places[self.current] += 1
        self.number += 1
        return self.number

    def _body(self, body, expecting):
        """Statements with twins in place of assertions that can be inverted.

        None where a failure would not end the test: inside an expectation, where it is caught, in
        a function that other code may call, on another thread for instance.
        """
        result = []
        for statement in body:
            result.extend(self._statement(statement, expecting))
        return result

    def _statement(self, statement, expecting):
        if isinstance(statement, ast.Return):
            return self._return(statement, expecting)
        if not expecting:
            turned = self._turn(statement)
            if turned is not None:
                self.turned.update(walk(statement))
                return turned
        inner = expecting
        after = []
        if isinstance(statement, (ast.With, ast.AsyncWith)) and any(
            is_expectation(item) for item in statement.items
        ):
            if not expecting and self.kind == "negated":
                self.turned.update(walk(statement))
                number = self._place()
                after = [statement_call(REACHED, number), statement_call(HELD, number)]
            inner = True
        if isinstance(statement, (ast.With, ast.AsyncWith)) and any(
            not isinstance(item.context_expr, ast.Call) for item in statement.items
        ):
            # Anything of this name may expect an error.
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
        number = self._place() if self.kind == "negated" else self.number
        return value + [statement_call(self._end(), number), ast.Return(None)]

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
            turned = ast.Assert(test, statement.msg)
            if self.kind == "negated":
                return [statement_call(REACHED, self._place()), turned]
            return [self._asking(turned)]
        call = statement.value if isinstance(statement, ast.Expr) else None
        awaited = isinstance(call, ast.Await)
        call = call.value if awaited else call
        if not isinstance(call, ast.Call):
            return None
        if self.kind == "negated":
            if self._is_doubtful(call) or not self.file.call_asserts(call, self.lineage):
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
                        return [self._asking(statement)]
        return None

    def _asking(self, statement):
        """Notes whether a changed assertion holds, and continues as the test does."""
        number = self._place()
        answer = [ast.Expr(call_of(ASKED, number, ast.Constant(held))) for held in (False, True)]
        caught = ast.ExceptHandler(ast.Name("AssertionError", ast.Load()), None, answer[:1])
        return ast.Try([statement], [caught], answer[1:], [])

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
            return ast.Compare(left, test.ops, [other])
        other = changed(left)
        return None if other is None else ast.Compare(other, test.ops, [right])


def twin(file, wanted, kind):
    """A file with the wanted tests inverted, how many places of each were, and which tests as a whole."""
    if not hasattr(ast, "unparse"):
        return None, {}, set()
    file = File(file.text, file.path, file.project)
    maker = TwinMaker(file, kind)
    for test in file.tests():
        if test.name in wanted and test.definition is None:
            maker.make(test)
    places = {name: count for name, count in maker.places.items() if count}
    if not places:
        return None, {}, set()
    ast.fix_missing_locations(file.tree)
    return ast.unparse(file.tree) + "\n", places, maker.whole
