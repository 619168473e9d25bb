"""Cuts the expected values out of test files, before any project code runs.

Reads one JSON document from standard input and writes one to standard output. The files are only parsed. The expected
values stay in a table that the process with the project never sees; in their place remains a call that sends the actual
value out, and the test continues after it. Follows `conditions.py`.

Every file is written twice: *cut*, and *marked*, with the same calls around the same values and everything still
there. A run of the one is compared with a run of the other.
"""

import sys

UNITTEST = {
    "assertEqual": "==", "assertEquals": "==", "assertNotEqual": "!=", "assertListEqual": "==", "assertTupleEqual": "==",
    "assertDictEqual": "==", "assertSetEqual": "==", "assertMultiLineEqual": "==", "assertSequenceEqual": "sequence",
    "assertIs": "is", "assertIsNot": "is not", "assertIn": "in", "assertNotIn": "not in", "assertGreater": ">",
    "assertLess": "<", "assertGreaterEqual": ">=", "assertLessEqual": "<=", "assertCountEqual": "count",
    "assertRegex": "matches", "assertNotRegex": "does not match",
}
ALMOST = {"assertAlmostEqual": "almost", "assertNotAlmostEqual": "not almost"}
MOCKS = ("assert_called", "assert_called_once", "assert_not_called", "assert_called_with", "assert_called_once_with",
         "assert_any_call", "assert_has_calls")
SKIPS = ("skip", "xfail", "skipTest", "importorskip", "exit")
# Words in the names of context managers that may want an AssertionError.
EXPECTING = ("raise", "expect", "fail", "error", "assert", "suppress", "retry", "attempt")
REPEATING = ("retry", "flaky", "repeat", "eventually", "rerun")


class Context:
    """The place of a statement."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def but(self, **fields):
        return Context(**dict(self.__dict__, **fields))


def leaves(statement):
    """Whether the code after a statement may honestly not be reached."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, FUNCTIONS + (ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(node, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
            return True
        if isinstance(node, ast.Call) and (dotted(node.func) or [""])[-1] in SKIPS:
            return True
        waiting.extend(children(node))
    return False


def may_be_assertion(node, scope):
    """Whether an AssertionError may be among the exceptions that an expression names."""
    for part in node.elts if isinstance(node, ast.Tuple) else [node]:
        path = ".".join(dotted(part))
        kind = EXCEPTIONS.get(path) if scope.meaning(path) == path else None
        if kind is None or issubclass(AssertionError, kind):
            return True
    return False


def leave_alone(body, prefix, only):
    """Removes the bodies and tables of all tests but these: no code can read the expected values in them."""
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            leave_alone(statement.body, prefix + statement.name + "::", only)
        elif isinstance(statement, FUNCTIONS) and statement.name.startswith("test") and prefix + statement.name not in only:
            statement.body = [ast.copy_location(ast.Pass(), statement.body[0])]
            statement.decorator_list = []


class Asked:
    """How often expected values were made of a symbol, and how often all of such a value was cut."""

    def __init__(self, symbol):
        self.symbol, self.cut, self.used = symbol, 0, 0


class Cutter(Conditions):
    """One file, cut or marked."""

    def __init__(self, file, blind, visible, unknown):
        self.file, self.blind = file, blind
        # Symbols that stay in the process, and those that turned out not to be known.
        self.visible, self.unknown = visible, unknown
        self.tree = ast.parse(file.text)
        if file.project.only is not None:
            leave_alone(self.tree.body, file.path + "::", file.project.only)
        self.text = None
        self.module = Scope(self.tree, None)
        self.places, self.tables, self.constants, self.written = [], {}, {}, {}
        self.functions, self.asked, self.before = {}, {}, []
        self.assertions = 0
        self.helpers = Helpers(self)
        self.methods = collections.Counter(
            inner.name for inner in walk(self.tree) if isinstance(inner, FUNCTIONS))
        self._constants()

    def _constants(self):
        for statement in self.tree.body:
            name, value = assignment(statement)
            if name is None or self.module.bound[name] != 1 or name.startswith("__"):
                continue
            found = known(value, self.module)
            if isinstance(value, (ast.List, ast.Tuple, ast.Dict)):
                self.written[name] = Symbol(("const", name), name, None, self.tree)
                self.written[name].statement = statement
            if found is not None and not is_plain_constant(value):
                number = self.file.number(self.constants)
                self.constants[number] = found.text()
                node = ast.Name("__const_%d__" % number, ast.Load())
            elif found is not None:
                node = found.node
            else:
                continue
            self._know(self.module, Symbol(("const", name), name, node, self.tree, found.keys), statement)

    def _know(self, scope, symbol, statement=None):
        if symbol.key not in self.unknown:
            symbol.statement = statement
            scope.symbols[symbol.name] = symbol
            self.asked.setdefault(symbol.key, Asked(symbol))

    def block(self, body, context):
        result = []
        straight = context.straight
        for statement in body:
            ends = leaves(statement)
            result.extend(self.statement(statement, context.but(straight=straight)))
            straight = straight and not ends
        return result

    def statement(self, statement, context):
        self.helpers.sites(statement, context)
        handler = getattr(self, "on_" + type(statement).__name__, None)
        if handler is not None:
            return handler(statement, context)
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, self.block(inner, context.but(straight=False)))
        for part in getattr(statement, "handlers", None) or getattr(statement, "cases", None) or []:
            part.body = self.block(part.body, context.but(straight=False))
        return [statement]

    def finished(self, statement, statements, old):
        """The statements for this text: those of the cut one, or the old one with the code that has to precede it."""
        before, self.before = self.before, old
        chosen = statements if self.blind else before + [statement]
        return [ast.copy_location(item, statement) for item in chosen]

    def asserting(self, statement, context, make):
        """Turns one assertion; `make` gives the statements of the cut text and changes the old one."""
        self.assertions += 1
        old, self.before = self.before, []
        if context.guarded:
            place = self.place("process", context, statement, reason=context.guarded)
            reached = ast.Expr(self.mark(place, 0, ast.Constant(None)))
            self.before = old
            return [ast.copy_location(reached, statement), statement]
        return self.finished(statement, make(), old)

    def on_Assert(self, statement, context):
        def make():
            statements, statement.test = self.condition(statement.test, True, context)
            return statements
        return self.asserting(statement, context, make)

    def on_Assign(self, statement, context):
        """A local name has its last assigned value, as long as only straight-line code assigns it."""
        name, value = assignment(statement)
        scope = context.scope
        if name in scope.assigned and id(statement) in scope.straight and scope.bound[name] == scope.assigned[name]:
            found = known(value, scope)
            if found is None:
                scope.symbols.pop(name, None)
            else:
                key = ("local", "%d:%d" % (statement.lineno, statement.col_offset), name)
                self._know(scope, Symbol(key, name, found.node, scope.node, found.keys), statement)
        return [statement]

    on_AnnAssign = on_Assign

    def on_Expr(self, statement, context):
        node = statement.value
        self.helpers.note(node, context)
        if is_docstring(node):
            return [statement]
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return self.method_call(statement, context)
        name = node.func.attr
        of_test = isinstance(node.func.value, ast.Name) and node.func.value.id == context.owner \
            and not self.methods[name]
        if of_test and name.startswith("assert") and name in TURNED:
            return TURNED[name](self, statement, node, context)
        if not of_test and name in MOCKS:
            return self.asserting(statement, context, lambda: self.mock(node, context))
        return self.method_call(statement, context)

    def method_call(self, statement, context):
        """Other calls; `raises` as a call among them."""
        node = statement.value
        if isinstance(node, ast.Call):
            raised = Raised.read(self, node, context)
            if raised is not None and raised.calls:
                return self.asserting_raises_call(statement, raised, context)
            name = (dotted(node.func) or [""])[-1]
            if name.lower().startswith("assert") and not self.helpers.is_own(node.func, context):
                return self.asserting(statement, context, lambda: self.left_call(statement, context))
        return [statement]

    def left_call(self, statement, context):
        place = self.place("process", context, statement, reason="its own way to assert is not known")
        reached = ast.Expr(self.mark(place, 0, ast.Constant(None)))
        self.before.append(reached)
        return [reached, statement]

    def unittest_compare(self, statement, call, context, operator):
        def make():
            if len(call.args) < 2 or any(isinstance(argument, ast.Starred) for argument in call.args):
                return self.left_call(statement, context)
            compared = ast.copy_location(ast.Compare(call.args[0], [ast.Eq()], [call.args[1]]), call)
            for kind, (text, _) in COMPARISONS.items():
                if text == operator:
                    compared.ops = [kind()]
            named = operator not in [text for text, _ in COMPARISONS.values()]
            statements, _ = self.compare(compared, True, context, [operator], result=not named)
            call.args[0], call.args[1] = compared.left, compared.comparators[0]
            return self.or_whole(statements, statement)
        return self.asserting(statement, context, make)

    def unittest_almost(self, statement, call, context, operator):
        words = {word.arg: word.value for word in call.keywords}
        places = call.args[2] if len(call.args) > 2 else words.get("places")
        delta = call.args[4] if len(call.args) > 4 else words.get("delta")
        setting = delta or places or ast.Constant(7)
        if not isinstance(setting, ast.Constant) or not isinstance(setting.value, (int, float)):
            return self.asserting(statement, context, lambda: self.left_call(statement, context))
        operator = "%s %s %r" % (operator, "delta" if delta else "places", setting.value)
        return self.unittest_compare(statement, call, context, operator)

    def unittest_truth(self, statement, call, context, polarity):
        def make():
            if not call.args:
                return self.left_call(statement, context)
            statements, call.args[0] = self.condition(call.args[0], polarity, context)
            return statements
        return self.asserting(statement, context, make)

    def unittest_none(self, statement, call, context, operator):
        def make():
            kind = ast.Is() if operator == "is" else ast.IsNot()
            compared = ast.copy_location(ast.Compare(call.args[0], [kind], [ast.Constant(None)]), call)
            statements, _ = self.compare(compared, True, context)
            call.args[0] = compared.left
            return self.or_whole(statements, statement)
        return self.asserting(statement, context, make)

    def unittest_instance(self, statement, call, context, polarity):
        def make():
            if len(call.args) < 2:
                return self.left_call(statement, context)
            return self.or_whole(self.instance(call, 0, polarity, context)[0], statement)
        return self.asserting(statement, context, make)

    def or_whole(self, statements, statement):
        """Code that stays in the process stays as written."""
        return statements[:1] + [statement] if self.places[-1]["kind"] == "process" else statements

    def mock(self, node, context):
        """``something.assert_called_with(…)``: the mock's calls are sent."""
        arguments = [self.take(argument, context) for argument in node.args]
        words = {word.arg: self.take(word.value, context) for word in node.keywords}
        everything = arguments + list(words.values())
        if None in words or any(item is None or self.is_visible(item) for item in everything):
            return self.left_call(ast.Expr(node), context)
        place = self.place("mock", context, node, method=node.func.attr, operands=[self.cut(item) for item in arguments],
                           keywords={name: self.cut(item) for name, item in words.items()})
        node.func.value = self.mark(place, MOCK, node.func.value)
        return [ast.Expr(node.func.value)]

    # Blocks.

    def on_With(self, statement, context):
        after, inner = [], context
        for item in statement.items:
            self.helpers.note(item.context_expr, context)
            raised = Raised.read(self, item.context_expr, context)
            if raised is not None and not raised.calls:
                self.assertions += 1
                if context.guarded:
                    place = self.place("process", context, statement, reason=context.guarded)
                    after.append(ast.Expr(self.mark(place, 0, ast.Constant(None))))
                else:
                    after.extend(raised.turn(item, context))
                inner = inner.but(straight=False, guarded=raised.guard(inner))
            else:
                inner = self.inside(item.context_expr, inner)
        statement.body = self.block(statement.body, inner)
        return [statement] + [ast.copy_location(item, statement) for item in after]

    on_AsyncWith = on_With

    def inside(self, node, context):
        """The places of the statements in a ``with`` block."""
        name = (dotted(node.func if isinstance(node, ast.Call) else node) or [""])[-1].lower()
        if name in ("warns", "deprecated_call", "assertwarns", "assertwarnsregex", "assertlogs", "assertnologs"):
            self.assertions += 1
            self.place("process", context.but(straight=False), node, reason="warnings and logs are seen by the process alone")
            return context
        if any(word in name for word in EXPECTING):
            return context.but(straight=False, guarded=context.guarded or "an AssertionError may be expected here")
        return context

    def asserting_raises_call(self, statement, raised, context):
        """``raises(Error, function, …)`` becomes a block with the call in it."""
        self.assertions += 1
        if context.guarded:
            self.assertions -= 1
            return self.asserting(statement, context, list)
        node = raised.node
        count = raised.own_arguments()
        call = ast.Call(node.args[count], node.args[count + 1:], node.keywords)
        node.args, node.keywords = node.args[:count], []
        item = ast.withitem(node, None)
        after = raised.turn(item, context)
        block = ast.With([item], [ast.Expr(call)])
        return [ast.copy_location(part, statement) for part in [block] + after]

    def on_Try(self, statement, context):
        caught = any(handler.type is None or may_be_assertion(handler.type, context.scope)
                     for handler in statement.handlers)
        guarded = context.guarded or ("an AssertionError is caught around it" if caught else None)
        statement.body = self.block(statement.body, context.but(straight=False, guarded=guarded))
        for handler in statement.handlers:
            handler.body = self.block(handler.body, context.but(straight=False))
        statement.orelse = self.block(statement.orelse, context.but(straight=False))
        statement.finalbody = self.block(statement.finalbody, context.but(straight=False))
        return [statement]

    on_TryStar = on_Try

    def on_For(self, statement, context):
        entry = LoopTable.read(self, statement, context)
        statement.body = self.block(statement.body, context.but(straight=False))
        statement.orelse = self.block(statement.orelse, context.but(straight=False))
        if entry is not None:
            entry.turn(context)
        return [statement]

    def on_ClassDef(self, statement, context):
        self.without_docstring(statement, statement.name.startswith("Test"))
        statement.body = self.block(statement.body, context.but(classes=context.classes + [statement]))
        return [statement]

    def on_FunctionDef(self, statement, context):
        Functions(self).turn(statement, context)
        return [statement]

    on_AsyncFunctionDef = on_FunctionDef

    def without_docstring(self, node, wanted):
        if wanted and node.body and isinstance(node.body[0], ast.Expr) and is_docstring(node.body[0].value) \
                and "__doc__" not in self.file.text:
            node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), node.body[0])]

    def run(self):
        context = Context(function=None, scope=self.module, straight=False, guarded=None, classes=[], owner=None,
                          bindings={})
        self.without_docstring(self.tree, True)
        self.tree.body = self.block(self.tree.body, context)
        if self.blind:
            self._blank()

    def write(self):
        self.text = ast.unparse(ast.fix_missing_locations(self.tree)) + "\n"

    def _blank(self):
        """Removes code that only made expected values."""
        for asked in self.asked.values():
            symbol = asked.symbol
            if not asked.cut or symbol.key in self.visible:
                continue
            if symbol.statement is not None:
                symbol.statement.value = ast.Constant(None)
            if symbol.defaults is not None:
                holder, index = symbol.defaults
                holder[index] = ast.Constant(None)

    def still_used(self):
        """Symbols that were cut somewhere and are used elsewhere: they are not out of the process."""
        found = set()
        for asked in self.asked.values():
            symbol = asked.symbol
            if not asked.cut or symbol.key in self.visible:
                continue
            bodies = symbol.where.body if isinstance(symbol.where, FUNCTIONS) else [symbol.where]
            uses = any(isinstance(inner, ast.Name) and inner.id == symbol.name and isinstance(inner.ctx, ast.Load)
                       for body in bodies for inner in walk(body))
            elsewhere = symbol.key[0] == "const" and symbol.name in self.file.mentioned
            if uses or elsewhere:
                found.add(symbol.key)
        return found


def is_docstring(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_plain_constant(node):
    return isinstance(node, ast.Constant) and len(repr(node.value)) < 200


TURNED = {}
for _name, _operator in UNITTEST.items():
    TURNED[_name] = lambda cutter, *rest, operator=_operator: cutter.unittest_compare(*rest, operator)
for _name, _operator in ALMOST.items():
    TURNED[_name] = lambda cutter, *rest, operator=_operator: cutter.unittest_almost(*rest, operator)
TURNED.update({
    "assertTrue": lambda cutter, *rest: cutter.unittest_truth(*rest, True),
    "assertFalse": lambda cutter, *rest: cutter.unittest_truth(*rest, False),
    "assertIsNone": lambda cutter, *rest: cutter.unittest_none(*rest, "is"),
    "assertIsNotNone": lambda cutter, *rest: cutter.unittest_none(*rest, "is not"),
    "assertIsInstance": lambda cutter, *rest: cutter.unittest_instance(*rest, True),
    "assertNotIsInstance": lambda cutter, *rest: cutter.unittest_instance(*rest, False),
})


