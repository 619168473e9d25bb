"""Proctor's maker of mutants: small mistakes in given lines of source files, one at a time.

Reads one JSON document from standard input and writes one to standard output: for each file the executable
ones of the given lines, and their mutants. Nothing is imported or executed. A mutant replaces exactly the bytes of one
piece of the syntax tree and keeps every line's number; none is made that would not compile, nor one that does not
change the program's behaviour: documentation, annotations, messages for people.
"""

import dis
import io
import json
import sys
import tokenize
import warnings

# More mutants of one file are not compiled; they are taken evenly from its lines.
MOST = 300
# How the plugin tells the inside of a lambda from that of another function on the same line.
LAMBDA = 2 ** 33
COMPARISONS = {
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", ">="), ast.GtE: (">=", "<"),
    ast.Gt: (">", "<="), ast.LtE: ("<=", ">"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}
ARITHMETIC = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}
# Calls that only tell people something.
LOGGING = {"debug", "info", "warning", "warn", "error", "critical", "exception", "log"}
LOGGERS = {"log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER", "warnings"}
# Names whose values only other tools read.
FOR_TOOLS = {"__all__", "__slots__", "__version__", "__author__"}
REMOVED = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Raise, ast.Delete, ast.Assert,
           ast.Break, ast.Continue)


class Text:
    """A file whose pieces are found by line and column, as the syntax tree counts them."""

    def __init__(self, text):
        self.shift = 3 if text.startswith("\ufeff") else 0
        self.text = text[1:] if self.shift else text
        self.bytes = self.text.encode("utf-8", "surrogatepass")
        self.starts = [0]
        at = 0
        while at < len(self.bytes):
            if self.bytes[at:at + 2] == b"\r\n":
                at += 2
                self.starts.append(at)
            elif self.bytes[at:at + 1] in (b"\n", b"\r"):
                at += 1
                self.starts.append(at)
            else:
                at += 1

    def offset(self, line, column):
        return self.starts[line - 1] + column

    def span(self, node):
        return (self.offset(node.lineno, node.col_offset),
                self.offset(node.end_lineno, node.end_col_offset))

    def tokens(self):
        """(text, first byte, last byte, line) of everything but space and comments."""
        found = []
        skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
                   tokenize.ENDMARKER)
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type in skipped:
                continue
            line, column = token.start
            begin = self.starts[line - 1]
            end = self.starts[line] if line < len(self.starts) else len(self.bytes)
            whole = self.bytes[begin:end].decode("utf-8", "surrogatepass")
            start = begin + len(whole[:column].encode("utf-8", "surrogatepass"))
            stop = start + len(token.string.encode("utf-8", "surrogatepass"))
            found.append((token.string, start, stop, line))
        return found


def executed_lines(code):
    """The lines that have instructions; annotations that are looked at later have none that count."""
    found = set()
    if code.co_name != "__annotate__":
        found.update(line for _, line in dis.findlinestarts(code) if line)
    for inner in code.co_consts:
        if isinstance(inner, type(code)):
            found |= executed_lines(inner)
    return found


def own_lines(node):
    """The lines of a statement without those of the statements inside it."""
    last = node.end_lineno
    inner = getattr(node, "body", None) or getattr(node, "cases", None)
    if isinstance(inner, list) and inner:
        first = inner[0]
        begin = min([getattr(first, "lineno", node.lineno)]
                    + [decorator.lineno for decorator in getattr(first, "decorator_list", [])])
        if not hasattr(first, "lineno"):
            begin = first.pattern.lineno
        last = max(node.lineno, begin - 1)
    first = min([node.lineno] + [decorator.lineno for decorator in getattr(node, "decorator_list", [])])
    return range(first, last + 1)


def does_nothing(node):
    """``pass``, ``...`` and the like: the body of a mere declaration."""
    return isinstance(node, ast.Pass) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def needed_lines(tree, text, name, wanted):
    """The given lines that something executes, and at which lines that is seen."""
    executed = executed_lines(compile(text.text, name, "exec", dont_inherit=True))
    written = set()
    for token, start, stop, line in text.tokens():
        written.update(range(line, line + token.count("\n") + 1))
    owner, idle = {}, set()
    for node in walk(tree):
        if isinstance(node, ast.If) and is_for_checkers(node.test):
            idle.update(range(node.body[0].lineno, node.body[-1].end_lineno + 1))
        if isinstance(node, ast.stmt):
            if does_nothing(node):
                idle.update(line for line in range(node.lineno, node.end_lineno + 1) if line not in owner)
            for line in own_lines(node):
                # The innermost statement is the shortest.
                if line not in owner or len(own_lines(node)) <= len(owner[line]):
                    owner[line] = own_lines(node)
    needed = []
    for line in sorted((set(wanted) & written) - idle):
        if line in executed:
            needed.append({"line": line, "seen_at": [line]})
            continue
        seen_at = [other for other in owner.get(line, ()) if other in executed]
        if seen_at:
            needed.append({"line": line, "seen_at": seen_at})
    # A function on one line is defined without being executed.
    for node in walk(tree):
        if isinstance(node, ast.Lambda):
            line, within = node.body.lineno, LAMBDA
        elif isinstance(node, FUNCTIONS) and node.body[0].lineno == node.lineno:
            line, within = node.lineno, 0
            if all(map(does_nothing, node.body)):
                continue
        else:
            continue
        if line in wanted and line == node.end_lineno:
            needed.append({"line": line, "seen_at": [-line - within]})
    return needed


def is_message(call):
    """Whether a call only tells people something."""
    names = dotted(call.func)
    return len(names) > 1 and names[-1] in LOGGING and names[-2] in LOGGERS


def is_for_tools(node):
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id in FOR_TOOLS for target in targets)


def is_for_checkers(test):
    """``if TYPE_CHECKING:``, which is false in every process."""
    return dotted(test)[-1:] == ["TYPE_CHECKING"]


def is_never_run(test):
    """The same, and ``if __name__ == "__main__":``"""
    names = {node.id for node in walk(test) if isinstance(node, ast.Name)}
    return is_for_checkers(test) or "__name__" in names


class Maker:
    def __init__(self, path, text, wanted):
        self.path, self.text, self.wanted = path, text, wanted
        self.tokens = text.tokens()
        self.made = []

    def add(self, line, start, stop, replacement):
        if line not in self.wanted:
            return
        before = self.text.bytes[start:stop].decode("utf-8", "replace")
        if before == replacement:
            return
        # Lines keep their numbers.
        missing = before.count("\n") - replacement.count("\n")
        self.made.append({
            "path": self.path, "line": line, "start": start + self.text.shift, "end": stop + self.text.shift,
            "replacement": replacement + "\n" * max(missing, 0), "what": self.what(before, replacement),
        })

    @staticmethod
    def what(before, after):
        before = " ".join(before.split())
        before = before if len(before) <= 60 else before[:57] + "..."
        after = after if len(after) <= 60 else after[:57] + "..."
        if after == "pass":
            return "`%s` was taken out" % before
        return "`%s` became `%s`" % (before, after.strip()) if after.strip() else "`%s` was taken out" % before

    def operator(self, left, right, words, replacement):
        """Replaces the operator between two pieces."""
        begin, end = self.text.span(left)[1], self.text.span(right)[0]
        between = [token for token in self.tokens
                   if begin <= token[1] and token[2] <= end and token[0] not in "()"]
        parts = words.split()
        if [token[0] for token in between] == parts:
            self.add(between[0][3], between[0][1], between[-1][2], replacement)

    def constant(self, node):
        value = node.value
        start, stop = self.text.span(node)
        if isinstance(value, bool):
            other = repr(not value)
        elif isinstance(value, (int, float)):
            other = repr(value + 1)
            if other == repr(value):
                return
        elif isinstance(value, (str, bytes)):
            written = [token for token in self.tokens if start <= token[1] and token[2] <= stop]
            if len(written) != 1 or node.lineno != node.end_lineno:
                return
            other = repr(value + ("x" if isinstance(value, str) else b"x"))
        else:
            return
        self.add(node.lineno, start, stop, other)

    def statement(self, node, inside):
        if isinstance(node, ast.Expr):
            value = node.value
            if isinstance(value, ast.Constant) or isinstance(value, ast.Call) and is_message(value):
                return
        if isinstance(node, ast.AnnAssign) and node.value is None:
            return
        # A module's or a class's definitions are tested through their values.
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and not inside:
            return
        start, stop = self.text.span(node)
        self.add(node.lineno, start, stop, "pass")

    def visit(self, node, inside=False):
        if isinstance(node, ast.stmt):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                return
            if isinstance(node, ast.If) and is_never_run(node.test):
                for child in node.orelse:
                    self.visit(child, inside)
                return
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                return
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and is_for_tools(node):
                return
        # The value first: a line's purpose is tested before its parts.
        if isinstance(node, ast.Return):
            if node.value is None:
                self.add(node.lineno, *self.text.span(node), replacement="pass")
            elif not (isinstance(node.value, ast.Constant) and node.value.value is None):
                self.add(node.lineno, *self.text.span(node.value), replacement="None")
        elif isinstance(node, ast.Compare):
            for left, operator, right in zip([node.left] + node.comparators, node.ops, node.comparators):
                self.operator(left, right, *COMPARISONS[type(operator)])
        elif isinstance(node, ast.BoolOp):
            words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in zip(node.values, node.values[1:]):
                self.operator(left, right, *words)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            start = self.text.span(node)[0]
            self.add(node.lineno, start, start + 3, "   ")
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            sides = (node.left, node.right)
            texts = [side for side in sides if isinstance(side, ast.JoinedStr)
                     or isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes))]
            if not texts:
                self.operator(node.left, node.right, *ARITHMETIC[type(node.op)])
        elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
            words, other = ARITHMETIC[type(node.op)]
            self.operator(node.target, node.value, words + "=", other + "=")
        elif isinstance(node, ast.Constant):
            self.constant(node)
        self.children(node, inside)
        if isinstance(node, REMOVED):
            self.statement(node, inside)

    def children(self, node, inside):
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.Call) and is_message(node):
            return
        messages = isinstance(node, ast.Raise)
        inside = inside or isinstance(node, FUNCTIONS + (ast.Lambda,))
        if isinstance(node, ast.ClassDef):
            inside = False
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_comment", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST):
                    continue
                if messages and isinstance(child, ast.Call):
                    # An error's message is for people; its other parts are not.
                    for argument in child.args + [keyword.value for keyword in child.keywords]:
                        if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
                            self.visit(argument, inside)
                    continue
                self.visit(child, inside)

    def compiled(self):
        """Those that are programs, evenly from all lines."""
        by_line = {}
        for mutant in self.made:
            by_line.setdefault(mutant["line"], []).append(mutant)
        ranked = [mutant for rank in range(max(map(len, by_line.values()), default=0))
                  for line in sorted(by_line) for mutant in by_line[line][rank:rank + 1]]
        good = []
        for mutant in ranked[:MOST]:
            start, stop = mutant["start"] - self.text.shift, mutant["end"] - self.text.shift
            changed = self.text.bytes[:start] + mutant["replacement"].encode("utf-8", "surrogatepass") \
                + self.text.bytes[stop:]
            try:
                compile(changed, self.path, "exec", dont_inherit=True)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            good.append(mutant)
        return good


def lines_of(entry, with_mutants):
    answer = {"path": entry["path"], "error": None, "needed": [], "mutants": []}
    text = Text(entry["text"])
    wanted = set(entry["lines"])
    try:
        tree = ast.parse(text.text)
        answer["needed"] = needed_lines(tree, text, entry["path"], wanted)
        if with_mutants:
            maker = Maker(entry["path"], text, wanted)
            maker.visit(tree)
            answer["mutants"] = maker.compiled()
    except (SyntaxError, ValueError, RecursionError, IndexError, tokenize.TokenError) as error:
        answer["error"] = "%s: %s" % (type(error).__name__, str(error)[:200])
    return answer


def main():
    warnings.simplefilter("ignore")
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    answer = [lines_of(entry, request["mutants"]) for entry in request["files"]]
    sys.stdout.buffer.write(json.dumps({"files": answer}, ensure_ascii=True).encode("ascii"))


if __name__ == "__main__":
    main()
