"""Shared by all readers of Python files. Each of them is one program with this as its first part."""

import ast
import gc

# A reader lives for one answer and keeps nearly all its objects: collecting garbage takes a third of its time.
gc.disable()

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def dotted(node):
    """``a.b.c`` as a list of names, or an empty one."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return []
    return [node.id] + names[::-1]


def children(node):
    """The parts of a node, without the marks that say how a name is used."""
    found = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            found.extend([item for item in value if isinstance(item, ast.AST)])
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            found.append(value)
    return found


def walk(node):
    """A node and everything in it. Python's own takes three times as long, which is felt in large files."""
    waiting = [node]
    for node in waiting:
        waiting.extend(children(node))
        yield node


