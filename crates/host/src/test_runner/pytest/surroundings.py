"""Tests that cannot run where they are judged. Read together with ``analyst.py``.

A mark or a call skips a test because of the Python, the system or a library that is not installed. Such a condition is
read, and evaluated here, where no project code is loaded: the tests' own process has no say in it. One that holds
everywhere is not a condition.
"""

import importlib.machinery
import importlib.util
import itertools
import os
import platform
import sys

SKIPPING = {"pytest.mark.skip", "unittest.skip"}
SKIPPING_IF = {"pytest.mark.skipif": True, "unittest.skipIf": True, "unittest.skipUnless": False}
COMPARISONS = {
    ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b, ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b, ast.Gt: lambda a, b: a > b, ast.GtE: lambda a, b: a >= b,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
    ast.Is: lambda a, b: a is b, ast.IsNot: lambda a, b: a is not b,
}
VERSION_PARTS = ("major", "minor", "micro")


class Undecided(Exception):
    """Something else than the surroundings takes part in it."""


def site_directories():
    """Where libraries are installed for this Python, which was started without them."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    name = "python%d.%d" % sys.version_info[:2]
    places = [os.path.join(root, part, name, "site-packages") for part in ("lib", "lib64")]
    if not os.path.exists(os.path.join(root, "pyvenv.cfg")):
        places += [os.path.join(sys.prefix, "lib", name, "site-packages"),
                   os.path.join(sys.prefix, "local", "lib", name, "dist-packages"),
                   os.path.join(sys.prefix, "lib", "python3", "dist-packages")]
    return places


def is_standard(module):
    """Whether a module comes with Python: nothing else is on this program's path."""
    return importlib.util.find_spec(module.split(".")[0]) is not None


def is_installed(module):
    """Whether a library's module is installed; one of the project's own never is."""
    if not all(part.isidentifier() for part in module.split(".")):
        raise Undecided()
    if is_standard(module):
        return True
    places = site_directories()
    for part in module.split("."):
        found = importlib.machinery.PathFinder.find_spec(part, places)
        if found is None:
            return False
        places = list(found.submodule_search_locations or [])
    return True


def this_world():
    return {
        "sys.version_info": tuple(sys.version_info), "sys.platform": sys.platform, "os.name": os.name,
        "sys.implementation.name": sys.implementation.name, "platform.system": platform.system(),
        "platform.python_implementation": platform.python_implementation(), "installed": is_installed,
    }


def other_worlds():
    """Places in which tests are run elsewhere."""
    systems = (("linux", "posix", "Linux"), ("darwin", "posix", "Darwin"), ("win32", "nt", "Windows"))
    current = sys.version_info[1]
    for minor, (name, kind, system), python, there in itertools.product(
        range(max(current - 3, 0), current + 6), systems, ("CPython", "PyPy"), (True, False)
    ):
        yield {
            "sys.version_info": (3, minor, 0, "final", 0), "sys.platform": name, "os.name": kind,
            "sys.implementation.name": python.lower(), "platform.system": system,
            "platform.python_implementation": python, "installed": lambda module, there=there: there or is_standard(module),
        }


class Condition:
    """The value of expressions of one file."""

    def __init__(self, file, world):
        self.file = file
        self.world = world

    def full_name(self, node):
        """The meaning of a dotted name, if its first part is imported and nothing else."""
        names = dotted(node)
        found = self.file.definitions.get(names[0], []) if names else []
        if not found or not all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in found):
            return ""
        module, name = self.file.imported[names[0]]
        return ".".join([module] + ([name] if name else []) + names[1:])

    def assigned(self, node):
        """The one value that a name of the file is given."""
        found = self.file.definitions.get(node.id, []) if isinstance(node, ast.Name) else []
        if len(found) == 1 and isinstance(found[0], ast.Assign) and found[0] in self.file.tree.body \
                and isinstance(found[0].targets[0], ast.Name):
            return found[0].value
        return None

    def value(self, node, depth=0):
        if depth > 20:
            raise Undecided()
        inner = lambda other: self.value(other, depth + 1)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Tuple, ast.List)):
            return tuple(inner(element) for element in node.elts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not inner(node.operand)
        if isinstance(node, ast.BoolOp):
            # All of it is looked at: nothing else may take part.
            values = [inner(value) for value in node.values]
            return all(values) if isinstance(node.op, ast.And) else any(values)
        if isinstance(node, ast.Compare):
            values = [inner(value) for value in [node.left] + node.comparators]
            return all(COMPARISONS[type(op)](left, right)
                       for op, left, right in zip(node.ops, values, values[1:]))
        if isinstance(node, ast.Subscript):
            return inner(node.value)[self.index(node.slice)]
        if isinstance(node, ast.Call):
            return self.called(node, inner)
        given = self.assigned(node)
        if given is not None:
            return inner(given)
        name, _, part = self.full_name(node).rpartition(".")
        if name == "sys.version_info" and part in VERSION_PARTS:
            return self.world[name][VERSION_PARTS.index(part)]
        known = self.full_name(node)
        if known not in ("sys.version_info", "sys.platform", "os.name", "sys.implementation.name"):
            raise Undecided()
        return self.world[known]

    def index(self, node):
        node = getattr(node, "value", node) if type(node).__name__ == "Index" else node
        if isinstance(node, ast.Slice):
            return slice(*(ast.literal_eval(part) if part else None for part in (node.lower, node.upper, node.step)))
        return ast.literal_eval(node)

    def called(self, call, inner):
        name, words = self.full_name(call.func), [inner(word) for word in call.args]
        if call.keywords:
            raise Undecided()
        if name in ("platform.system", "platform.python_implementation") and not words:
            return self.world[name]
        if name == "importlib.util.find_spec" and len(words) == 1 and isinstance(words[0], str):
            return "there" if self.world["installed"](words[0]) else None
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("startswith", "endswith", "lower"):
            text = inner(call.func.value)
            if isinstance(text, str):
                return getattr(text, call.func.attr)(*words)
        raise Undecided()


class Surroundings:
    """The parts of one file that do not run here, and why."""

    def __init__(self, file):
        self.file = file
        self.names = Condition(file, {})

    def holds_here(self, node, wanted=True):
        """Whether a condition holds here, and not everywhere."""
        try:
            here = bool(Condition(self.file, this_world()).value(node)) is wanted
            return here and any(bool(Condition(self.file, world).value(node)) is not wanted for world in other_worlds())
        except (Undecided, TypeError, ValueError, IndexError, KeyError, AttributeError, RecursionError):
            return None

    def marks(self, test):
        """Everything that may mark a test."""
        lineage = self.file.lineage(test.classes)
        for file, scope in [(self.file, scope) for scope in test.classes] + (lineage.members if lineage else []):
            if file is not self.file:
                # Its names are others.
                yield None
                continue
            for mark in scope.decorator_list + self.own_marks(scope.body):
                yield mark
        for mark in test.function.decorator_list + self.own_marks(self.file.tree.body):
            yield mark

    @staticmethod
    def own_marks(body):
        for statement in body:
            if "pytestmark" in names_bound(statement) and isinstance(statement, ast.Assign):
                value = statement.value
                return list(value.elts) if isinstance(value, (ast.List, ast.Tuple)) else [value]
        return []

    def of_test(self, test):
        """The condition that leaves a test out here, if nothing else does; or None."""
        if test.definition is not None:
            return None
        found = self.of_body(test.function.body)
        for mark in self.marks(test):
            if mark is None:
                return None
            mark = self.names.assigned(mark) or mark
            name = self.names.full_name(mark.func if isinstance(mark, ast.Call) else mark)
            if name in SKIPPING:
                return None
            if name not in SKIPPING_IF:
                continue
            condition = mark.args[0] if isinstance(mark, ast.Call) and mark.args else None
            holds = None if condition is None else self.holds_here(condition, SKIPPING_IF[name])
            if holds is None:
                return None
            if holds:
                found = found or self.words(condition)
            elif self.holds_everywhere(condition, SKIPPING_IF[name]):
                return None
        return found

    def holds_everywhere(self, node, wanted):
        """Whether a condition that is only about the surroundings holds in all of them."""
        worlds = itertools.chain([this_world()], other_worlds())
        return all(bool(Condition(self.file, world).value(node)) is wanted for world in worlds)

    def of_file(self):
        """The condition that skips the whole file here, or None."""
        for statement in self.file.tree.body:
            if isinstance(statement, ast.If) and not statement.orelse and any(
                self.called(inner) == "pytest.skip" for inner in statement.body
            ):
                if self.holds_here(statement.test):
                    return self.words(statement.test)
        return self.of_body(self.file.tree.body)

    def of_body(self, body):
        """A library that statements ask for and that is not installed."""
        for statement in statements_run_always(body):
            if self.called(statement) == "pytest.importorskip" and statement.value.args:
                wanted = statement.value.args[0]
                if isinstance(wanted, ast.Constant) and isinstance(wanted.value, str):
                    try:
                        if not is_installed(wanted.value):
                            return "there is no %s" % wanted.value
                    except (Undecided, ImportError, ValueError):
                        pass
        return None

    def called(self, statement):
        value = getattr(statement, "value", None)
        is_call = isinstance(statement, (ast.Expr, ast.Assign)) and isinstance(value, ast.Call)
        return self.names.full_name(value.func) if is_call else ""

    def words(self, node):
        return ast.get_source_segment(self.file.text, node) or "a condition"
