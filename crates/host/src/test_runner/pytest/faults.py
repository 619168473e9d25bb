"""Problems of a test that no implementation can fix, as far as they can be read. Read together with ``analyst.py``.

Only certain ones: where a file could bring names in a way that cannot be read, none is reported.
"""

import builtins
import copy
import dis

# Built in elsewhere: by ``site``, on other systems, in other versions of Python.
_BUILT_IN = set(dir(builtins)) | set(
    "exit quit copyright credits license help reveal_type WindowsError aiter anext ExceptionGroup BaseExceptionGroup "
    "EncodingWarning PythonFinalizationError basestring unicode long xrange raw_input unichr reduce file cmp "
    "execfile reload buffer apply coerce intern".split()
)
# Words of a file that may bring names, to itself or to the built-in ones.
_BRINGING = {"exec", "eval", "globals", "locals", "vars", "builtins", "__builtins__", "install", "__dict__", "modules"}
_LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_FROM_DICT_OR_DEREF")


def _codes(code):
    yield code
    for inner in code.co_consts:
        if isinstance(inner, type(code)):
            for found in _codes(inner):
                yield found


def _names(code, operations):
    return {step.argval for step in dis.get_instructions(code) if step.opname in operations}


class _WithoutAnnotations(ast.NodeTransformer):
    """Annotations need not be evaluated."""

    def visit_arg(self, node):
        node.annotation = None
        return node

    def _function(self, node):
        node.returns = None
        node.type_params = []
        return self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_AnnAssign(self, node):
        value = node.value or ast.Constant(None)
        return ast.copy_location(ast.Assign([node.target], value), node)


def _compiled(body):
    """The code of statements, which are changed by it, or None: the runner will report their problem."""
    try:
        module = _WithoutAnnotations().visit(ast.Module(body, []))
        return compile(ast.fix_missing_locations(module), "tests", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return None


def _looked_for(codes, defined):
    """Names that code looks up outside itself, and that are defined nowhere."""
    found = set()
    for code in codes:
        found |= _names(code, _LOADS) - _names(code, ("STORE_NAME",))
    return {name for name in found - defined if not name.startswith("__") and name != "_"}


def _fault(rule, node, message):
    return {"rule": rule, "line": getattr(node, "lineno", 1), "message": message}


class Faults:
    """One test file."""

    def __init__(self, path, file):
        self.tree, self._bound = file.tree, None
        # Modules of which every name is taken.
        self.stars = []
        brings = False
        for node in walk(self.tree):
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                above = path.split("/")[:-node.level] if node.level else []
                self.stars.append(".".join(above + ([node.module] if node.module else [])))
            if isinstance(node, ast.keyword) and node.arg in ("create", "raising"):
                brings = True
            if getattr(node, "id", getattr(node, "attr", None)) in _BRINGING:
                brings = True
        self.defined = None
        # Names that `import *` has to bring.
        self.undefined = []
        # Parsed again, which takes a fifth of the time of a copy.
        code = _compiled(ast.parse(file.text).body)
        if code is not None:
            stored = [_names(inner, ("STORE_GLOBAL",)) for inner in _codes(code)]
            defined = _BUILT_IN.union(_names(code, ("STORE_NAME",)), *stored)
            # Also where the file may bring names in other ways: one that is offered and not needed does no harm.
            self.undefined = sorted(_looked_for(_codes(code), defined))
            self.defined = None if brings else defined

    def _undefined_in(self, function):
        if self.defined is None or any(
            isinstance(node, ast.Name) and node.id in ("NameError", "Exception", "BaseException")
            for node in walk(function)
        ):
            return set()
        bare = copy.copy(function)
        bare.decorator_list = []
        bare.args = copy.copy(function.args)
        bare.args.defaults, bare.args.kw_defaults = [], [
            None if default is None else ast.Constant(None) for default in function.args.kw_defaults]
        code = _compiled([copy.deepcopy(bare)])
        return set() if code is None else _looked_for(list(_codes(code))[1:], self.defined)

    def of_test(self, function):
        """The problems of a test."""
        faults = []
        names = set() if self.stars else self._undefined_in(function)
        for node in walk(function):
            if isinstance(node, ast.Name) and node.id in names:
                names.discard(node.id)
                faults.append(_fault(
                    "name_error", node, "uses a name that nothing defines or imports: %s" % node.id))
        faults.extend(self._wrong_calls(function))
        return faults

    def _wrong_calls(self, function):
        local = {node.arg for node in walk(function) if isinstance(node, ast.arg)} | {
            node.id for node in walk(function)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        # An error that may be caught may be intended.
        caught = {
            inner for node in walk(function) if isinstance(node, (ast.With, ast.AsyncWith, ast.Try))
            for inner in walk(node)}
        for node in walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node not in caught:
                helper = self._helper(node.func.id)
                if helper is not None and node.func.id not in local:
                    problem = _misfit(node, helper.args)
                    if problem:
                        yield _fault("wrong_call", node, "calls %s of its own file %s" % (helper.name, problem))

    def _bindings(self):
        """Everything in the file that gives a name a meaning, by name."""
        bound = {}
        for node in walk(self.tree):
            names = node.names if isinstance(node, ast.Global) else [getattr(node, "name", None)]
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names = [node.id]
            for name in names:
                bound.setdefault(name, []).append(node)
        return bound

    def _helper(self, name):
        """The one function of this name in the file."""
        if self._bound is None:
            self._bound = self._bindings()
        found = self._bound.get(name, [])
        if len(found) == 1 and isinstance(found[0], FUNCTIONS) and found[0] in self.tree.body:
            return None if found[0].decorator_list or self.stars else found[0]
        return None


def passed_over(tree):
    """Classes of tests that the runner passes over."""
    faults = []
    inherited = {
        node.id for scope in walk(tree) if isinstance(scope, ast.ClassDef)
        for base in scope.bases for node in walk(base) if isinstance(node, ast.Name)}
    for scope in tree.body:
        if not isinstance(scope, ast.ClassDef) or scope.bases or scope.decorator_list or scope.keywords:
            continue
        methods = {node.name: node for node in scope.body if isinstance(node, FUNCTIONS)}
        made = methods.get("__init__") or methods.get("__new__")
        if scope.name.startswith("Test") and scope.name not in inherited and made and any(
            name.startswith("test_") for name in methods
        ):
            faults.append(_fault(
                "nothing_collected", made,
                "gives %s a %s, so the runner passes over its tests" % (scope.name, made.name)))
    return faults


def _misfit(call, arguments):
    """Why a call cannot fit a signature, or None."""
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(
        word.arg is None for word in call.keywords
    ) or arguments.vararg or arguments.kwarg:
        return None
    positional = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    if len(call.args) > len(positional):
        return "with %d arguments, and it takes %d" % (len(call.args), len(positional))
    words = {word.arg for word in call.keywords}
    by_name = {argument.arg for argument in arguments.args + arguments.kwonlyargs}
    if words - by_name:
        return "with %s, which it does not take" % sorted(words - by_name)[0]
    if words & set(positional[:len(call.args)]):
        return "with %s twice" % sorted(words & set(positional[:len(call.args)]))[0]
    required = positional[len(call.args):len(positional) - len(arguments.defaults)] + [
        argument.arg for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is None]
    missing = [name for name in required if name not in words]
    return "without %s" % missing[0] if missing else None
