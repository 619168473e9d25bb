"""Proctor's reader of changed source files: facts that a person should look at before approving.

Reads one JSON document from standard input and writes one to standard output. Nothing is imported or
executed. Nothing found here refuses anything: each of these has honest uses, and only a person can tell.
"""

import json
import re
import sys

# Functions with which code inspects its caller.
LOOKS_AT_CALLER = {
    ("inspect", "stack"), ("inspect", "currentframe"), ("inspect", "getsource"), ("inspect", "trace"),
    ("sys", "_getframe"), ("sys", "_current_frames"), ("traceback", "extract_stack"),
    ("linecache", "getline"), ("linecache", "getlines"),
}
# Functions with which code reaches into the process that it runs in.
REACHES_INTO_PROCESS = {
    ("sys", "modules"), ("sys", "settrace"), ("sys", "gettrace"), ("sys", "setprofile"), ("sys", "excepthook"),
    ("sys", "meta_path"), ("sys", "path_hooks"), ("os", "_exit"), ("atexit", "register"),
    ("gc", "get_objects"), ("gc", "get_referrers"), ("threading", "settrace"), ("sys", "monitoring"),
}
RUNNERS = {"pytest", "_pytest", "pluggy", "unittest", "doctest", "nose"}
SILENCERS = re.compile(r"#\s*(noqa|pragma:\s*no\s*cover|type:\s*ignore|nosec|pylint:\s*disable)", re.I)


def is_telling(value):
    """A literal that hardly occurs in two files by chance."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return abs(value) > 12 and value not in (16, 20, 24, 32, 50, 60, 64, 100, 128, 255, 256, 365,
                                                 400, 404, 500, 512, 1000, 1024, 2048, 4096, 3600, 86400)
    return isinstance(value, (str, bytes)) and len(value) >= 4


def literals(tree):
    return {node.value for node in walk(tree)
            if isinstance(node, ast.Constant) and is_telling(node.value)}


def deciding_literals(tree):
    """Literals that decide something: compared, matched, or keys of a table."""
    for node in walk(tree):
        if isinstance(node, ast.Compare):
            parts = [node.left] + node.comparators
        elif isinstance(node, ast.Dict):
            parts = [key for key in node.keys if key is not None]
        elif node.__class__.__name__ == "MatchValue":
            parts = [node.value]
        else:
            continue
        for part in parts:
            for inner in walk(part):
                if isinstance(inner, ast.Constant) and is_telling(inner.value):
                    yield inner


def always_true(function):
    body = [statement for statement in function.body
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))]
    return len(body) == 1 and isinstance(body[0], ast.Return) \
        and isinstance(body[0].value, ast.Constant) and body[0].value.value is True


def imported(tree):
    """The meaning of an imported name, as dotted names."""
    names = {}
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    names[alias.asname] = alias.name.split(".")
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = node.module.split(".") + [alias.name]
    return names


def reach(names):
    """The flag for a dotted name, if it deserves one."""
    last = tuple(names[-2:])
    if last in LOOKS_AT_CALLER:
        return "looks_at_caller"
    # Through it code finds the classes of everybody, those of the tests included.
    if last in REACHES_INTO_PROCESS or names[-1] == "__subclasses__":
        return "reaches_into_process"
    return None


def flags_of(text, test_names, test_literals):
    """(flag, line, what) of everything suspicious."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        silencer = SILENCERS.search(line)
        if silencer:
            found.append(("silences", number, silencer.group(1)))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        return found + [("not_read", 1, type(error).__name__)]
    copied, known = [], imported(tree)
    for node in walk(tree):
        line = getattr(node, "lineno", 1)
        if isinstance(node, ast.Attribute):
            names = dotted(node) or [node.attr]
            names = known.get(names[0], names[:1]) + names[1:]
            flag = reach(names)
            if flag:
                found.append((flag, line, ".".join(names[-2:])))
            elif node.attr in ("f_back", "f_code", "co_consts", "f_locals"):
                found.append(("looks_at_caller", line, node.attr))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            for name in names:
                if name.split(".")[0] in RUNNERS and not getattr(node, "level", 0):
                    found.append(("knows_runner", line, "import " + name))
                if name in ("ctypes", "builtins"):
                    found.append(("reaches_into_process", line, "import " + name))
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    flag = reach([node.module, alias.name])
                    if flag:
                        found.append((flag, line, node.module + "." + alias.name))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if "PYTEST_" in node.value or "proctor" in node.value.lower():
                found.append(("knows_runner", line, repr(node.value)[:40]))
            elif any(name in node.value for name in test_names):
                found.append(("names_tests", line, repr(node.value)[:40]))
        elif isinstance(node, ast.FunctionDef) and node.name in ("__eq__", "__contains__", "__instancecheck__") \
                and always_true(node):
            found.append(("always_equal", line, node.name))
    for node in deciding_literals(tree):
        if node.value in test_literals:
            copied.append(node)
    if len({node.value for node in copied}) >= 2:
        for node in copied:
            found.append(("copies_literals", node.lineno, repr(node.value)[:40]))
    return found


def main():
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    test_literals, test_names = set(), set()
    for entry in request["tests"]:
        stem = entry["path"].rsplit("/", 1)[-1].rsplit(".", 1)[0]
        if stem not in ("conftest", "__init__"):
            test_names.add(stem)
        try:
            test_literals |= literals(ast.parse(entry["text"]))
        except (SyntaxError, ValueError, RecursionError):
            pass
    answer = []
    for entry in request["sources"]:
        before = {(flag, what) for flag, _, what in flags_of(entry.get("base") or "", test_names, test_literals)}
        for flag, line, what in flags_of(entry["text"], test_names, test_literals):
            if (flag, what) not in before:
                answer.append({"path": entry["path"], "line": line, "flag": flag, "what": what})
    sys.stdout.buffer.write(json.dumps({"flags": answer}, ensure_ascii=True).encode("ascii"))


if __name__ == "__main__":
    main()
