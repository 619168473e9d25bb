"""Expected values apart from their assertion: in rows of tables, in the arguments of helper functions, in
``raises``. Follows `cutter.py`.
"""


class Functions:
    """How a function of a test file is cut."""

    def __init__(self, cutter):
        self.cutter = cutter

    def turn(self, function, context):
        cutter = self.cutter
        nested = context.function is not None
        key = context.function if nested else "::".join([scope.name for scope in context.classes] + [function.name])
        scope = Scope(function, context.scope)
        is_test = function.name.startswith("test") and not nested
        if not nested:
            cutter.functions[key] = {"owes": [], "calls": [], "test": is_test, "line": function.lineno}
            cutter.without_docstring(function, is_test)
        decorators = [".".join(dotted(getattr(item, "func", item))).lower() for item in function.decorator_list]
        guarded = context.guarded
        if any(word in name for name in decorators for word in REPEATING):
            guarded = guarded or "the test may be repeated until it passes"
        if not is_test and cutter.file.expects_assertions:
            guarded = guarded or "an AssertionError may be expected here"
        owner = context.owner
        if context.classes and not nested and function.args.args and "staticmethod" not in decorators:
            owner = function.args.args[0].arg
        inner = context.but(function=key, scope=scope, straight=not nested, guarded=guarded, owner=owner,
                            bindings=self.bindings(function))
        tables = [] if nested else self.columns(function, key, scope, context)
        if not nested and not is_test:
            cutter.helpers.parameters(function, key, scope)
        function.body = cutter.block(function.body, inner)
        for table in tables:
            table.turn(inner)
        if not function.body:
            function.body = [ast.Pass()]

    @staticmethod
    def bindings(function):
        """Assignments of a call's result."""
        found = {}
        for statement in straight_statements(function.body):
            name, value = assignment(statement)
            if name is not None and isinstance(value, (ast.Call, ast.Await)):
                found[name] = statement
        return found

    def columns(self, function, key, scope, context):
        found = []
        for index, decorator in enumerate(function.decorator_list):
            if not isinstance(decorator, ast.Call) or dotted(decorator.func)[-1:] != ["parametrize"]:
                continue
            words = {word.arg: word for word in decorator.keywords}
            if "indirect" in words or len(decorator.args) != 2:
                continue
            names = column_names(decorator.args[0])
            column = names and ColumnTable.of(
                self.cutter, names, decorator.args[1], ("column", key, index), scope, function, context)
            if column:
                column.decorator = decorator
                found.append(column)
        return found


def column_names(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, (ast.Tuple, ast.List)) and all(isinstance(item, ast.Constant) for item in node.elts):
        return [item.value for item in node.elts]
    return None


class RowTable:
    """A table that is written down, and the names that its columns have in the code that uses it."""

    @classmethod
    def of(cls, cutter, names, values, key, scope, where, context):
        self = cls()
        self.cutter, self.key, self.names, self.where = cutter, key, names, where
        self.constant, self.values = None, values
        items = isinstance(values, ast.Call) and isinstance(values.func, ast.Attribute) \
            and values.func.attr == "items" and not values.args
        source = values.func.value if items else values
        if isinstance(source, ast.Name) and source.id not in scope.bound:
            self.constant = cutter.written.get(source.id)
            source = copy.deepcopy(self.constant.statement.value) if self.constant else source
        if items and isinstance(source, ast.Dict) and None not in source.keys:
            pairs = [ast.Tuple([one, other], ast.Load()) for one, other in zip(source.keys, source.values)]
            source = ast.List(pairs, ast.Load())
        elif items:
            return None
        if not isinstance(source, (ast.List, ast.Tuple)):
            return None
        self.list = ast.List(source.elts, ast.Load())
        self.cells = table_cells(self.list, len(names))
        if not self.cells:
            return None
        self.table = Table(names, [cells for cells, _ in self.cells], context.scope)
        self.number = cutter.file.number(cutter.tables)
        cutter.tables[self.number] = None
        for index, name in enumerate(names):
            if self.table.columns[index] is not None and self.may_know(name, scope):
                node = ast.Name("__row_%d_%d__" % (self.number, index), ast.Load())
                cutter._know(scope, Symbol(key + (index,), name, node, where))
        return self

    def asked(self):
        """The columns that expected values were taken from."""
        keys = [self.key + (index,) for index in range(len(self.names))]
        return [index for index, key in enumerate(keys)
                if key in self.cutter.asked and self.cutter.asked[key].used]

    def visible(self):
        """Columns that are known and stay in the process."""
        taken = [index for index in self.asked() if self.key + (index,) not in self.cutter.visible]
        return [index for index, column in enumerate(self.table.columns) if column is not None and index not in taken]

    def register(self, **fields):
        self.cutter.tables[self.number] = dict(self.table.text(), **fields)
        for index in self.asked():
            for cell in self.table.columns[index]:
                self.cutter.use(cell)

    def cut_list(self):
        """The table without the removed cells, or nothing if all of it stays."""
        taken = [index for index in self.asked() if self.key + (index,) not in self.cutter.visible]
        if not taken or not self.cutter.blind:
            return None
        for _, place in self.cells:
            for index in taken:
                set_cell(place, index, ast.Constant(None))
        if self.constant is not None:
            self.cutter.asked.setdefault(self.constant.key, Asked(self.constant)).cut += 1
        return self.list


class ColumnTable(RowTable):
    """``@pytest.mark.parametrize``. Rows have names that say nothing, and their place is known by those."""

    def may_know(self, name, scope):
        return scope.bound[name] == 1

    def turn(self, context):
        if not self.asked():
            return
        cutter, decorator = self.cutter, self.decorator
        token = "row%dx" % self.number
        inputs = self.visible()
        self.register(token=token)
        decorator.args[1] = self.cut_list() or self.listed(decorator)
        decorator.keywords = [word for word in decorator.keywords if word.arg != "ids"]
        names = [ast.Constant("%s%d" % (token, row)) for row in range(len(self.cells))]
        decorator.keywords.append(ast.keyword("ids", ast.List(names, ast.Load())))
        if inputs:
            place = cutter.place("input", context, self.where, table=self.number, columns=inputs)
            values = ast.Tuple([ast.Name(self.names[index], ast.Load()) for index in inputs], ast.Load())
            self.where.body.insert(0, ast.copy_location(ast.Expr(cutter.mark(place, 0, values)), self.where))

    def listed(self, decorator):
        """The rows themselves, without the names that they were given."""
        return decorator.args[1] if self.constant is not None else self.list

    def cut_list(self):
        for element in self.list.elts:
            if isinstance(element, ast.Call):
                element.keywords = [word for word in element.keywords if word.arg != "id"]
        return super().cut_list()


class LoopTable(RowTable):
    """``for given, expected in […]``. The referee counts the rounds itself."""

    def may_know(self, name, scope):
        loops = sum(1 for inner in walk(scope.node) if isinstance(inner, ast.For)
                    for target in walk(inner.target) if isinstance(target, ast.Name) and target.id == name)
        return scope.bound[name] == loops

    @classmethod
    def read(cls, cutter, loop, context):
        target = loop.target
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        if context.function is None or not all(isinstance(part, ast.Name) for part in parts):
            return None
        key = ("loop", "%d:%d" % (loop.lineno, loop.col_offset))
        names = [part.id for part in parts]
        if len(names) == 1 and isinstance(target, ast.Tuple):
            return None
        self = cls.of(cutter, names, loop.iter, key, context.scope, loop, context)
        if self is not None:
            self.loop = loop
        return self

    def turn(self, context):
        for name in self.names:
            symbol = context.scope.symbols.get(name)
            if symbol is not None and symbol.key[:2] == self.key:
                del context.scope.symbols[name]
        if not self.asked():
            return
        cutter = self.cutter
        inputs = self.visible()
        self.register()
        place = cutter.place("loop", context, self.loop, table=self.number, columns=inputs)
        rows = self.cut_list() or self.values
        self.loop.iter = ast.BoolOp(ast.Or(), [cutter.mark(place, 1, ast.Constant(None)), rows])
        values = ast.Tuple([ast.Name(self.names[index], ast.Load()) for index in inputs], ast.Load())
        self.loop.body.insert(0, ast.copy_location(ast.Expr(cutter.mark(place, 0, values)), self.loop))


class Helpers:
    """Functions of the test files that tests call, and the expected values that they are given."""

    def __init__(self, cutter):
        self.cutter, self.project = cutter, cutter.file.project

    def target(self, node, context):
        """The helper that a call's function names: its file and its name there."""
        if isinstance(node, ast.Name) and node.id not in context.scope.bound:
            return self.project.helper(self.cutter.file.path, node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) \
                and node.value.id == context.owner and context.classes:
            return self.project.helper(self.cutter.file.path, context.classes[-1].name + "::" + node.attr)
        return None

    def is_own(self, node, context):
        return self.target(node, context) is not None

    def note(self, node, context):
        """Remembers the functions that a function certainly calls: it has to send their assertions' values too."""
        if not context.straight or context.function is None:
            return
        waiting = [node]
        while waiting:
            inner = waiting.pop()
            if isinstance(inner, COMPREHENSIONS + (ast.Lambda, ast.BoolOp, ast.IfExp)):
                continue
            if isinstance(inner, ast.Call):
                target = self.target(inner.func, context)
                if target is not None:
                    self.cutter.functions[context.function]["calls"].append(target)
            waiting.extend(children(inner))

    def parameters(self, function, key, scope):
        target = (self.cutter.file.path, key)
        if not self.project.usable(target) or self.project.functions[target].lineno != function.lineno:
            return
        for argument in function.args.args + function.args.kwonlyargs:
            name = argument.arg
            if scope.bound[name] == 1 and not ("::" in key and argument is function.args.args[0]):
                node = ast.Name("__given_%d__" % self.project.number(target, name), ast.Load())
                symbol = Symbol(("given", target, name), name, node, function)
                symbol.defaults = self.defaults(function).get(name)
                self.cutter._know(scope, symbol)

    @staticmethod
    def defaults(function):
        """The place of each parameter's default."""
        arguments = function.args
        names = [argument.arg for argument in arguments.args][len(arguments.args) - len(arguments.defaults):]
        found = {name: (arguments.defaults, index) for index, name in enumerate(names)}
        found.update((argument.arg, (arguments.kw_defaults, index))
                     for index, argument in enumerate(arguments.kwonlyargs) if arguments.kw_defaults[index] is not None)
        return found

    def sites(self, statement, context):
        """Takes the expected values out of the calls of helpers in a statement, but not in those inside of it."""
        for call in own_calls(statement):
            target = self.target(call.func, context)
            if target is None or not self.project.usable(target):
                continue
            callee = self.project.functions[target]
            for argument in callee.args.args + callee.args.kwonlyargs:
                key = ("given", target, argument.arg)
                if key in self.project.wanted and key not in self.cutter.unknown:
                    self._site(call, callee, key, context)

    def _site(self, call, callee, key, context):
        cutter, (_, target, name) = self.cutter, key
        holder = self._argument(call, callee, target[1], name)
        if holder is None or context.function is None:
            cutter.unknown.add(key)
            return
        found = known(holder.value, context.scope)
        if found is None:
            # This call's value is unknown; the others' values then stay in the process as well.
            cutter.visible.add(key)
            self.project.partly[key].add((cutter.file.path, call.lineno, call.col_offset))
            place = cutter.place("site", context.but(straight=False), call,
                                 given=self.project.number(target, name), operands=[None])
            holder.put(cutter.mark(place, 0, holder.value))
            return
        stays = key in cutter.visible or cutter.is_visible(found)
        place = cutter.place("site", context.but(straight=False), call, given=self.project.number(target, name),
                             operands=[cutter.use(found) if stays else cutter.cut(found)])
        holder.put(cutter.mark(place, 0, ast.Constant(None) if cutter.blind and not stays else holder.value))

    @staticmethod
    def _argument(call, callee, key, name):
        """Where a call gives a parameter."""
        if any(isinstance(item, ast.Starred) for item in call.args) or any(word.arg is None for word in call.keywords):
            return None
        names = [argument.arg for argument in callee.args.args]
        if "::" in key:
            names = names[1:]
        if name in names and names.index(name) < len(call.args):
            return Holder(call.args, names.index(name))
        for word in call.keywords:
            if word.arg == name:
                return Holder(word, "value")
        defaults = Helpers.defaults(callee)
        if name in defaults:
            holder, index = defaults[name]
            word = ast.keyword(name, copy.deepcopy(holder[index]))
            call.keywords.append(word)
            return Holder(word, "value")
        return None


def own_calls(statement):
    """The calls in a statement's own expressions."""
    found, waiting = [], [statement]
    while waiting:
        for node in children(waiting.pop()):
            if isinstance(node, (ast.stmt, ast.ExceptHandler)) or type(node).__name__ == "match_case":
                continue
            if isinstance(node, ast.Call):
                found.append(node)
            waiting.append(node)
    return found


class Holder:
    """One argument of a call, to be read and replaced."""

    def __init__(self, owner, at):
        self.owner, self.at = owner, at
        self.value = owner[at] if isinstance(owner, list) else owner.value

    def put(self, node):
        if isinstance(self.owner, list):
            self.owner[self.at] = node
        else:
            self.owner.value = node


class Raised:
    """``pytest.raises(…)`` or ``self.assertRaises(…)``."""

    @classmethod
    def read(cls, cutter, node, context):
        if not isinstance(node, ast.Call) or any(isinstance(item, ast.Starred) for item in node.args):
            return None
        names = dotted(node.func)
        own = len(names) == 2 and names[0] == context.owner and not cutter.methods[names[1]]
        words = {word.arg: word.value for word in node.keywords}
        self = cls()
        self.cutter, self.node, self.unittest, self.match = cutter, node, False, None
        if names and ".".join([context.scope.meaning(names[0]) or ""] + names[1:]) == "pytest.raises":
            self.type, self.match = (node.args or [words.get("expected_exception")])[0], words.get("match")
            self.calls = len(node.args) > 1
            self.odd = bool(set(words) - {"expected_exception", "match"}) and not self.calls
        elif own and names[1] in ("assertRaises", "assertRaisesRegex"):
            self.unittest, regex = True, names[1] == "assertRaisesRegex"
            self.type = node.args[0] if node.args else None
            self.match = node.args[1] if regex and len(node.args) > 1 else None
            self.calls = len(node.args) > self.own_arguments()
            self.odd = bool(set(words) - {"msg"}) and not self.calls or regex and self.match is None
        else:
            return None
        return self if self.type is not None else None

    def own_arguments(self):
        return 2 if dotted(self.node.func)[-1] == "assertRaisesRegex" else 1

    def guard(self, context):
        maybe = may_be_assertion(self.type, context.scope)
        return context.guarded or ("an AssertionError may be expected here" if maybe else None)

    def turn(self, item, context):
        """The statements after the block; the cut block takes any exception."""
        cutter = self.cutter
        named = item.optional_vars
        kind = cutter.take(self.type, context)
        simple = all(isinstance(part, (ast.Name, ast.Attribute)) for part in (
            self.type.elts if isinstance(self.type, ast.Tuple) else [self.type]))
        pattern = None if self.match is None else cutter.take(self.match, context)
        if pattern is not None and cutter.is_visible(pattern):
            pattern = None
        calls = self.match is not None and pattern is None and any(
            isinstance(inner, ast.Call) for inner in walk(self.match))
        if self.odd or calls or kind is None and not simple or not isinstance(named, (ast.Name, type(None))):
            place = cutter.place("process", context, self.node, reason="the process decides whether it was raised")
            return [ast.Expr(cutter.mark(place, 0, ast.Constant(None)))]
        needs = [0] + [index for index, wanted in (
            (1, self.match is not None), (2, kind is None), (3, self.match is not None and pattern is None)) if wanted]
        place = cutter.place("raises", context, self.node, needs=needs, type=kind and cutter.cut(kind),
                             match=pattern and cutter.cut(pattern))
        name = named.id if named else "_proctor_raised_%d" % place["id"]
        item.optional_vars = ast.Name(name, ast.Store())
        error = ast.Attribute(ast.Name(name, ast.Load()), "exception" if self.unittest else "value", ast.Load())
        parts = {0: error, 1: ast.Call(ast.Name("str", ast.Load()), [copy.deepcopy(error)], []),
                 2: copy.deepcopy(self.type), 3: copy.deepcopy(self.match)}
        if cutter.blind:
            item.context_expr = cutter.mark(
                place, RAISES_UNITTEST if self.unittest else RAISES, ast.Constant(None))
        return [ast.Expr(cutter.mark(place, index, parts[index])) for index in needs]


