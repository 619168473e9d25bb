"""The meaning of a test file's names, as far as it is known without running it.

Follows `known.py` in the cutter's text.
"""

import copy

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def names_bound(node, into_functions=True):
    """How often each name is bound in a piece of code; more often than in truth, where scopes nest."""
    found = collections.Counter()
    waiting = list(children(node))
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            found[inner.id] += 1
        elif isinstance(inner, ast.arg):
            found[inner.arg] += 1
        elif isinstance(inner, ast.alias):
            found[inner.asname or inner.name.split(".")[0]] += 1
        elif isinstance(inner, (ast.Global, ast.Nonlocal)):
            found.update(inner.names * 2)
        elif isinstance(inner, ast.ExceptHandler) and inner.name:
            found[inner.name] += 1
        elif isinstance(inner, FUNCTIONS + (ast.ClassDef,)):
            found[inner.name] += 1
        elif type(inner).__name__ in ("MatchAs", "MatchStar", "MatchMapping"):
            found[getattr(inner, "name", None) or getattr(inner, "rest", None) or ""] += 1
        if isinstance(inner, FUNCTIONS + (ast.ClassDef, ast.Lambda)) and not into_functions:
            waiting.extend(getattr(inner, "decorator_list", []))
            continue
        waiting.extend(children(inner))
    return found


def imports_of(nodes):
    """Names of imports and their meanings, without those that have two."""
    found, doubtful = {}, set()
    for inner in nodes:
        if isinstance(inner, ast.Import):
            pairs = [(item.asname or item.name.split(".")[0],
                      item.name if item.asname else item.name.split(".")[0]) for item in inner.names]
        elif isinstance(inner, ast.ImportFrom) and inner.module and not inner.level:
            pairs = [(item.asname or item.name, inner.module + "." + item.name) for item in inner.names]
        elif isinstance(inner, ast.ImportFrom):
            pairs = [(item.asname or item.name, None) for item in inner.names]
        else:
            continue
        for name, meaning in pairs:
            if found.setdefault(name, meaning) != meaning:
                doubtful.add(name)
    return {name: meaning for name, meaning in found.items() if meaning and name not in doubtful}


def straight_statements(body):
    """Statements on the straight line of a function, also inside of plain ``with`` blocks."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            for inner in straight_statements(statement.body):
                yield inner


def assignment(statement):
    """The name and the value of ``name = value``, or nothing."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target = statement.target
    else:
        return None, None
    return (target.id, statement.value) if isinstance(target, ast.Name) else (None, None)


def is_literal(node):
    return not any(isinstance(inner, (ast.Name, ast.Call)) for inner in walk(node))


class Symbol:
    """A name whose value is known outside: its key in the sealed table, and its uses."""

    def __init__(self, key, name, node, where, keys=()):
        self.key, self.name, self.node, self.where = key, name, node, where
        # It and the names it is made of.
        self.keys = {key}.union(keys)
        # The code that gives it its value: a statement, the default of a parameter.
        self.statement, self.defaults = None, None


class Scope:
    """The names of a module or of a function."""

    def __init__(self, node, parent):
        self.node, self.parent = node, parent
        self.bound = names_bound(node, into_functions=parent is not None)
        self.symbols = {}
        nodes = list(walk(node))
        self.imports = imports_of(nodes)
        self.imported = collections.Counter(
            inner.asname or inner.name.split(".")[0] for inner in nodes if isinstance(inner, ast.alias))
        self.loads = collections.Counter(
            inner.id for inner in nodes if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load))
        # Simple assignments on the straight line; a module's are found once, before anything is cut.
        statements = [] if parent is None else list(straight_statements(node.body))
        self.straight = {id(statement) for statement in statements}
        self.assigned = collections.Counter(assignment(statement)[0] for statement in statements)
        del self.assigned[None]

    def symbol(self, name):
        if name in self.symbols:
            return self.symbols[name]
        if name in self.bound or self.parent is None:
            return None
        # A function inside another one sees a name's last value.
        return None if self.parent.assigned[name] > 1 else self.parent.symbol(name)

    def meaning(self, name):
        """The meaning of an imported name, or a built-in one."""
        if name in self.bound:
            # An import in a function is the function's alone.
            return self.imports.get(name) if self.bound[name] <= self.imported[name] else None
        if self.parent is not None:
            return self.parent.meaning(name)
        # A module whose every name is taken may have one like a built-in function or error.
        if "*" in self.bound and not isinstance(PURE_BUILTINS.get(name), type) or "*" in self.bound and name in EXCEPTIONS:
            return None
        return name if name in PURE_BUILTINS else None


class Known:
    """An expression that consists only of parts that the referee can evaluate."""

    def __init__(self, node, keys):
        self.node, self.keys = node, keys

    def text(self):
        return ast.unparse(ast.fix_missing_locations(self.node))


def path_node(path):
    parts = path.split(".")
    node = ast.Name(parts[0], ast.Load())
    for part in parts[1:]:
        node = ast.Attribute(node, part, ast.Load())
    return node


class Canon:
    """Rewrites an expression into a self-contained one, or raises `NotKnown`."""

    ALLOWED = (
        ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare,
        ast.IfExp, ast.Subscript, ast.Slice, ast.JoinedStr, ast.FormattedValue, ast.Starred, ast.keyword,
        ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context, ast.comprehension,
        getattr(ast, "Index", ast.Slice)) + COMPREHENSIONS

    def __init__(self, scope):
        self.scope, self.keys = scope, set()

    def of(self, node, local=frozenset()):
        if isinstance(node, ast.Name):
            return self._name(node, local)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, local)
        if isinstance(node, ast.Call):
            return self._call(node, local)
        if not isinstance(node, self.ALLOWED):
            raise NotKnown(type(node).__name__)
        if isinstance(node, COMPREHENSIONS):
            targets = {inner.id for part in node.generators for inner in walk(part.target)
                       if isinstance(inner, ast.Name)}
            local = local | targets
        fields = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                value = [self.of(item, local) if isinstance(item, ast.AST) else item for item in value]
            elif isinstance(value, ast.AST):
                value = self.of(value, local)
            fields[name] = value
        return type(node)(**fields)

    def _name(self, node, local):
        if node.id in local:
            return ast.Name(node.id, node.ctx)
        if not isinstance(node.ctx, ast.Load):
            raise NotKnown("a binding")
        symbol = self.scope.symbol(node.id)
        if symbol is not None:
            self.keys |= symbol.keys
            return copy.deepcopy(symbol.node)
        meaning = self.scope.meaning(node.id)
        if meaning in PURE or meaning in PURE_BUILTINS:
            return path_node(meaning)
        raise NotKnown(node.id)

    def _path(self, node, local):
        names = dotted(node)
        if not names or names[0] in local or self.scope.symbol(names[0]) is not None:
            return None
        meaning = self.scope.meaning(names[0])
        return None if meaning is None else ".".join([meaning] + names[1:])

    def _attribute(self, node, local):
        path = self._path(node, local)
        if path in PURE:
            return path_node(path)
        if path is None and node.attr in ATTRIBUTES:
            return ast.Attribute(self.of(node.value, local), node.attr, ast.Load())
        raise NotKnown(node.attr)

    def _call(self, node, local):
        path = self._path(node.func, local)
        if path in PURE or path in PURE_BUILTINS and path not in NOT_CALLED:
            function = path_node(path)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and path is None:
            function = ast.Attribute(self.of(node.func.value, local), node.func.attr, ast.Load())
        else:
            raise NotKnown("a call")
        return ast.Call(function, [self.of(item, local) for item in node.args],
                        [ast.keyword(word.arg, self.of(word.value, local)) for word in node.keywords])


def known(node, scope):
    """The expression as the referee takes it, or None."""
    canon = Canon(scope)
    try:
        return Known(canon.of(node), canon.keys)
    except NotKnown:
        return None


class Table:
    """Rows of a parametrised test or of a loop over literals."""

    def __init__(self, names, rows, scope):
        self.names, self.rows = names, rows
        self.columns = []
        for index in range(len(names)):
            cells = [known(row[index], scope) for row in rows]
            self.columns.append(None if None in cells else cells)

    def text(self):
        columns = [None if column is None else [cell.text() for cell in column] for column in self.columns]
        return {"count": len(self.rows), "columns": columns}

    def keys(self):
        return {key for column in self.columns if column for cell in column for key in cell.keys}


def table_cells(values, width):
    """The cells of every row of a written list, and how to set one of them; nothing if a row is another thing."""
    rows = []
    for index, element in enumerate(values.elts):
        parameter = isinstance(element, ast.Call) and dotted(element.func)[-1:] == ["param"]
        if parameter:
            holder = element.args
        elif width == 1 and not isinstance(element, ast.Starred):
            rows.append(([element], (values.elts, index)))
            continue
        elif isinstance(element, (ast.Tuple, ast.List)):
            holder = element.elts
        else:
            return None
        if len(holder) != width or any(isinstance(cell, ast.Starred) for cell in holder):
            return None
        rows.append((list(holder), (holder, None)))
    return rows


def set_cell(place, column, node):
    holder, index = place
    holder[column if index is None else index] = node


