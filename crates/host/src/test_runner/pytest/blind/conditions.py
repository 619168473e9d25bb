"""How a condition of an assertion is cut: the part that leaves the file, and the part that is sent in its place.

Follows `names.py`.
"""

# Further arguments of the calls besides operands, which are counted from 0.
RESULT, INNER, BOUND, TYPE, RAISES, RAISES_UNITTEST, MOCK = 99, 100, 200, 300, 400, 401, 500


def compares_inside(node):
    """Whether the process itself compares or decides in an expression."""
    return any(isinstance(inner, (ast.Compare, ast.BoolOp, ast.IfExp)) for inner in walk(node)) or any(
        isinstance(inner, ast.Call) and (dotted(inner.func) or [""])[-1] in ("all", "any", "filter", "eq", "ne")
        for inner in walk(node))


def is_table_of_another_module(node, scopes):
    """Whether an expression only looks something up in an import, and calls nothing: ``module.TABLE[key]``."""
    if not isinstance(node, ast.Subscript):
        return False
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    if not isinstance(node, ast.Name) or not any(scope.imported[node.id] for scope in scopes):
        return False
    origin = next((scope.imports[node.id] for scope in scopes if node.id in scope.imports), "")
    return origin.split(".")[0] not in getattr(sys, "stdlib_module_names", ())


class Conditions:
    """The part of a cutter that turns conditions."""

    def place(self, kind, context, node, **fields):
        number = self.file.first + len(self.places)
        owner = context.function
        entry = dict(id=number, path=self.file.path, line=getattr(node, "lineno", 1), function=owner, kind=kind, **fields)
        self.places.append(entry)
        if context.straight and owner is not None and kind not in ("input", "site", "loop"):
            self.functions[owner]["owes"].append(number)
        return entry

    def mark(self, place, index, node):
        call = ast.Call(ast.Name(self.file.marker, ast.Load()),
                        [ast.Constant(place["id"]), ast.Constant(index), node], [])
        return ast.copy_location(call, node) if hasattr(node, "lineno") else call

    def take(self, node, context):
        """The known value of an expression; None if that takes the project."""
        return known(node, context.scope)

    def cut(self, found):
        """An expected value leaves the file."""
        for key in found.keys:
            self.asked[key].cut += 1
        return self.use(found)

    def use(self, found):
        """An expected value that the referee will work out."""
        for key in found.keys:
            self.asked[key].used += 1
        return found.text()

    def is_visible(self, found):
        return bool(found.keys & self.visible)

    def left(self, node, polarity, context, reason):
        """A condition that stays in the process; it only tells that it was reached."""
        place = self.place("process", context, node, reason=reason)
        reached = ast.Expr(self.mark(place, 0, ast.Constant(None)))
        self.before.append(reached)
        test = node if polarity else ast.UnaryOp(ast.Not(), node)
        return [reached, ast.Assert(test, None)], node

    # Conditions.

    def condition(self, node, polarity, context):
        """Statements in the place of a condition when it is cut, and the condition when it is marked."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            statements, node.operand = self.condition(node.operand, not polarity, context)
            return statements, node
        if isinstance(node, ast.BoolOp):
            return self.several(node, polarity, context)
        if isinstance(node, ast.Compare):
            return self.compare(node, polarity, context)
        if isinstance(node, ast.Call):
            found = self.call(node, polarity, context)
            if found is not None:
                return found
        if is_literal(node):
            return self.left(node, polarity, context, "it is as true whatever the code does")
        if compares_inside(node):
            return self.left(node, polarity, context, "it is compared inside the process")
        place = self.place("truth", context, node, polarity=polarity)
        if self.blind:
            truth = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), self.mark(place, 0, node)))
            return [ast.Expr(self.mark(place, RESULT, truth))], node
        return [], self.mark(place, 0, node)

    def several(self, node, polarity, context):
        if isinstance(node.op, ast.And) is polarity:
            statements = []
            for index, value in enumerate(node.values):
                more, node.values[index] = self.condition(value, polarity, context)
                statements.extend(more)
            return statements, node
        first = node.values[0]
        alternatives = []
        for value in node.values:
            if not (isinstance(value, ast.Compare) and len(value.ops) == 1 and isinstance(value.ops[0], ast.Eq)
                    and ast.dump(value.left) == ast.dump(first.left) and polarity):
                break
            found = self.take(value.comparators[0], context)
            if found is None or self.is_visible(found):
                break
            alternatives.append(found)
        is_simple = isinstance(getattr(first, "left", None), (ast.Name, ast.Attribute, ast.Subscript))
        if len(alternatives) < len(node.values) or not is_simple or self.take(first.left, context) is not None:
            return self.left(node, polarity, context, "one of several conditions is enough, and the process decides")
        place = self.place("any", context, node, polarity=True, operands=[self.cut(found) for found in alternatives])
        first.left = self.mark(place, 0, first.left)
        return [ast.Expr(first.left)], node

    def compare(self, node, polarity, context, operators=None, result=True):
        operands = [node.left] + node.comparators
        found = [self.take(operand, context) for operand in operands]
        found = [None if item is not None and "unittest.mock.call" in item.text() else item for item in found]
        if not any(found) and any(
                is_table_of_another_module(operand, (context.scope, self.module)) for operand in operands):
            return self.left(node, polarity, context, "what is expected is looked up in the code that is tested")
        if None not in found:
            unsure = [index for index, operand in enumerate(operands) if not is_literal(operand)]
            if not unsure:
                return self.left(node, polarity, context, "it is as true whatever the code does")
            # The actual value is the one that callers do not write down.
            partly = self.file.project.partly
            found[max(unsure, key=lambda index: sum(len(partly.get(key, ())) for key in found[index].keys))] = None
        entries = [{} if item is None else {"known" if self.is_visible(item) else "cut": item} for item in found]
        whole = not any("cut" in entry for entry in entries) and result
        operators = operators or [COMPARISONS[type(operator)][0] for operator in node.ops]
        place = self.place("compare", context, node, polarity=polarity, operators=operators, operands=entries,
                           result=whole and self.blind, inner={}, bound=[])
        for index, entry in enumerate(entries):
            if not entry:
                operands[index] = self.inner(place, index, operands[index], context)
                if whole:
                    self.commit(place, index, operands[index], context)
            if "cut" in entry:
                entry["cut"] = self.cut(entry["cut"])
            else:
                entry["known"] = self.use(entry["known"]) if entry else None
                operands[index] = self.mark(place, index, operands[index])
        node.left, node.comparators = operands[0], operands[1:]
        if whole:
            truth = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), node))
            return [ast.Expr(self.mark(place, RESULT, truth))], node
        return [ast.Expr(operand) for operand, entry in zip(operands, entries) if "cut" not in entry], node

    def inner(self, place, index, node, context):
        """The value that a function such as `len` or `json.loads` is given leaves as well: outside it is applied again."""
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords \
                and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
            names = dotted(node.func)
            meaning = context.scope.meaning(names[0]) if names else None
            name = None if meaning is None else ".".join([meaning] + names[1:])
            if name in UNARY and len(names) == 1 or name in UNARY_OF_LIBRARIES:
                place["inner"][str(index)] = name
                node.args[0] = self.mark(place, INNER + index, node.args[0])
        return node

    def commit(self, place, index, node, context):
        """A value that is compared with another one of the process leaves when it is bound."""
        statement = context.bindings.get(node.id) if isinstance(node, ast.Name) else None
        if statement is not None and context.scope.loads[node.id] == 1 and context.scope.bound[node.id] == 1:
            statement.value = self.mark(place, BOUND + index, statement.value)
            place["bound"].append(index)

    def call(self, node, polarity, context):
        """Conditions that are calls with a meaning of their own."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        built_in = context.scope.meaning(name) == name or name in ("isinstance", "all") and not (
            name in context.scope.bound or name in self.module.bound or "*" in self.module.bound and name == "all")
        if name == "bool" and built_in and len(node.args) == 1 and not node.keywords:
            statements, node.args[0] = self.condition(node.args[0], polarity, context)
            return statements, node
        if name == "isinstance" and built_in and len(node.args) == 2:
            return self.instance(node, 0, polarity, context)
        if name == "all" and built_in and polarity and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self.every(node, context)
        if isinstance(node.func, ast.Attribute) and node.func.attr in PREDICATES and not node.keywords:
            arguments = [self.take(argument, context) for argument in node.args]
            if None not in arguments and not any(self.is_visible(item) for item in arguments) \
                    and self.take(node.func.value, context) is None:
                place = self.place("predicate", context, node, polarity=polarity, method=node.func.attr,
                                   operands=[self.cut(item) for item in arguments])
                node.func.value = self.mark(place, 0, node.func.value)
                return [ast.Expr(node.func.value)], node
        return None

    def instance(self, node, first, polarity, context):
        value, kind = node.args[first:first + 2]
        found = self.take(kind, context)
        simple = all(isinstance(part, (ast.Name, ast.Attribute)) for part in (
            kind.elts if isinstance(kind, ast.Tuple) else [kind]))
        if found is None and not simple:
            return self.left(node, polarity, context, "it is compared inside the process")
        place = self.place("instance", context, node, polarity=polarity, operands=[found and self.cut(found)])
        node.args[first] = self.mark(place, TYPE, value)
        if found is not None:
            return [ast.Expr(node.args[first])], node
        node.args[first + 1] = self.mark(place, 1, kind)
        return [ast.Expr(node.args[first]), ast.Expr(node.args[first + 1])], node

    def every(self, node, context):
        """``all(condition for … in …)`` is a loop over the condition."""
        loop = node.args[0].generators[0]
        names = {inner.id for inner in walk(loop.target) if isinstance(inner, ast.Name)}
        if len(node.args[0].generators) > 1 or loop.is_async or any(context.scope.bound[name] > 1 for name in names):
            return None
        statements, node.args[0].elt = self.condition(node.args[0].elt, True, context.but(straight=False))
        for test in loop.ifs:
            statements = [ast.If(test, statements, [])]
        return [ast.For(loop.target, loop.iter, statements or [ast.Pass()], [])], node


