"""The problems of test files, and the answer: the last part of Proctor's reader of test files."""

import json
import sys


def problem(rule, node, message, order=None):
    """The finding, and the instruction to a model about it."""
    return {"rule": rule, "line": getattr(node, "lineno", 1), "message": message, "order": order}


def is_unconditional_failure(statement, file):
    if isinstance(statement, ast.Assert) and is_constant(statement.test):
        return constant_value(statement.test) is False
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call):
        name = dotted(call.func)
        # A project may have a function of this name.
        taken = any(isinstance(node, ast.ImportFrom) and node.module == "pytest"
                    for node in file.definitions.get("fail", ()))
        return name in (["pytest", "fail"], ["self", "fail"]) or name == ["fail"] and taken
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
            waiting.extend(children(node))
    return None


def raises_on_a_condition(function):
    """Whether a test, or a block inside it, raises an error if something does not hold: ``if`` it does not, or in the
    ``else`` of code that should have failed or ended before."""
    for node in own_nodes(function):
        branches = []
        if isinstance(node, ast.If) and not is_constant(node.test):
            branches = [node.body, node.orelse]
        elif isinstance(node, (ast.Try, ast.For, ast.AsyncFor)):
            branches = [node.orelse]
        if any(isinstance(statement, ast.Raise) and statement.exc is not None
               for branch in branches for statement in branch):
            return True
    return False


def test_problems(file, test):
    function, problems = test.function, []
    for statement in statements_run_always(function.body):
        if is_unconditional_failure(statement, file):
            problems.append(problem(
                "constant_false", statement,
                "fails whatever the code does", "assert what the document asks for"))
            break
    empty = empty_parametrisation(function)
    if empty is not None:
        problems.append(problem(
            "empty_parametrisation", empty, "is parametrised with nothing, so it never runs"))
    if not any(file.oracles(test)) and not raises_on_a_condition(function):
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
    scopes = [tree] + [node for node in walk(tree) if isinstance(node, ast.ClassDef)]
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


# Calls that a conftest.py may make when it is imported.
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
        # Nested code is checked separately.
        return []
    return [node.id for node in walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def conftest_problems(tree, base):
    """Code that a conftest.py may not bring, except for code that the base commit's already has."""
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
                        "imports every name of a module, hooks included", "name the fixtures that are meant"))
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
                for node in walk(target):
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


def examine(entry, project, earlier):
    """The analysis of a file; other files are read where it imports from them."""
    path, text = entry["path"], entry["text"]
    result = {"path": path, "error": None, "tests": [], "removed": [], "problems": [], "twins": {}}
    try:
        file = project.files.get(path) or File(text)
    except SyntaxError as error:
        result["error"] = {"rule": "syntax_error", "line": error.lineno or 1, "message": str(error.msg)}
        return result
    except (ValueError, RecursionError) as error:
        result["error"] = {"rule": "syntax_error", "line": 1, "message": str(error)}
        return result
    base = earlier.files.get(path)
    if path.rsplit("/", 1)[-1] == "conftest.py":
        result["problems"] = conftest_problems(file.tree, base and base.tree)
        return result
    faults, surroundings = Faults(path, file), Surroundings(file)
    digests, texts, known, before, oracles = {}, {}, set(), {}, {}
    if base is not None:
        before = {test.name: test for test in base.tests()}
        digests = {name: base.digest(test) for name, test in before.items()}
        texts = {name: base.lines(test) for name, test in before.items()}
        oracles = {name: len(list(base.oracles(test))) for name, test in before.items()}
        known = {(item["rule"], item["message"])
                 for item in duplicate_names(base.tree) + passed_over(base.tree)}
    result["problems"] = [item for item in duplicate_names(file.tree) + passed_over(file.tree)
                          if (item["rule"], item["message"]) not in known]
    result["stars"], result["undefined"] = faults.stars, faults.undefined
    result["not_here"] = surroundings.of_file()
    for test in file.tests():
        is_new = digests.get(test.name) != file.digest(test)
        own = test.definition is None
        was, now = texts.get(test.name), file.lines(test)
        problems = []
        if is_new and own:
            # A weakness that an existing test always had is not the fault of a change to it, or to its support files.
            problems = test_problems(file, test)
            was_there = before.get(test.name)
            if problems and was_there is not None and was_there.definition is None:
                old = {item["rule"] for item in test_problems(base, was_there)} & {"no_oracle"}
                problems = [item for item in problems if item["rule"] not in old]
            problems += faults.of_test(test.function)
        result["tests"].append({
            "name": test.name,
            "line": test.function.lineno,
            "new": is_new,
            "existed": test.name in digests,
            "definition": test.definition,
            "was": [line for line in was if line not in now][:3] if was else [],
            "is": [line for line in now if line not in was][:3] if was else [],
            "problems": problems,
            "places": {},
            "base_oracles": oracles.get(test.name),
            "not_here": surroundings.of_test(test) if is_new else None,
        })
    result["removed"] = sorted(set(digests) - {test["name"] for test in result["tests"]})
    return result


def add_twins(results, project):
    """Twins of all new tests; a test that is inherited has its twin where it is written."""
    wanted = {test["definition"] or "%s::%s" % (result["path"], test["name"])
              for result in results for test in result["tests"] if test["new"]}
    for result in results:
        file = project.files.get(result["path"])
        names = {test["name"] for test in result["tests"]
                 if "%s::%s" % (result["path"], test["name"]) in wanted}
        for kind in ("negated", "changed") if names else ():
            source, places, whole = twin(file, names, kind)
            if source is not None:
                result["twins"][kind] = source
            for test in result["tests"]:
                if test["name"] in places:
                    test["places"][kind] = places[test["name"]]
                    if kind == "negated":
                        test["turned_whole"] = test["name"] in whole


def unreadable(path, error):
    # Tests that cannot be read cannot be trusted either.
    message = "cannot be read by Proctor, %s: %s" % (type(error).__name__, error)
    return {"path": path, "error": None, "tests": [], "removed": [], "twins": {},
            "problems": [{"rule": "not_analysed", "line": 1, "message": message}]}


def examine_all(files):
    project = Project((entry["path"], entry["text"]) for entry in files)
    earlier = Project((entry["path"], entry["base"]) for entry in files if entry.get("base") is not None)
    results = []
    for entry in files:
        try:
            results.append(examine(entry, project, earlier))
        except Exception as error:
            results.append(unreadable(entry["path"], error))
    try:
        add_twins(results, project)
    except Exception as error:
        results = [unreadable(entry["path"], error) for entry in files]
    return results


def main():
    sys.setrecursionlimit(5000)
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    answer = {"files": examine_all(request["files"])}
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=True).encode("ascii"))


if __name__ == "__main__":
    main()
