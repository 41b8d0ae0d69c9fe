"""Functions made wrong on purpose, one place at a time.

A mutant of a function is one change of its syntax tree: another sign, swapped operands or arguments, a term, factor or
call left out, another constant or index, a turned comparison; checks of inputs are left alone. Or it is stated: the
expression or statement `before` becomes `after`. A mutant of `gough.robot.load` is one number of a robot's file changed
by some percent. Only a function's code is replaced, so that all who hold the function run it.
"""

from __future__ import annotations

import ast
import copy
import inspect
import random
import re
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from tests.support.robots import catalogue_text
from tests.support.rows import function_of

LOAD = "gough.robot.load"
"""Stands for the numbers in a robot's file."""
Change = dict[str, Any]
"""What `applied` takes: a function and a place among its mutants, a function with before and after, or a robot and a
place among its numbers."""

ENOUGH = 5
"""A function with fewer mutants lends some from those beside it that it calls."""

_OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
_TURNED = {ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_COMMUTES = frozenset(("dot", "maximum", "minimum", "logical_and", "logical_or"))
"""Functions of two arguments whose order does not matter: swapping them makes nothing wrong."""
_NUMBER = re.compile(r"(?<![\w\"])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w\"])")


def changes(function: str, robot: str) -> list[Change]:
    """Mutants of a function, all of its own; of the robot's numbers where the function is `LOAD`."""
    if function == LOAD:
        return [{"robot": robot, "place": k} for k in range(len(numbers(robot)))]
    found: list[Change] = []
    for name in (function, *called_beside(function)):
        own = [k for k, mutant in enumerate(mutants(name)) if "State.of(" not in mutant[0]]  # no formula of the paper
        found += [{"function": name, "place": k} for k in own]
        if len(found) >= ENOUGH:
            break
    return found


def called_beside(name: str) -> list[str]:
    """Functions of the same module that a function names, and those that they name: it may only pass things on."""
    found = [name]
    for known in found:
        function = function_of(known)
        for other in _names(function.__code__):
            value = inspect.unwrap(function.__globals__.get(other, None))
            if isinstance(value, FunctionType) and value.__module__ == function.__module__:
                dotted = f"{value.__module__}.{value.__qualname__}"
                found += [dotted] if dotted not in found and value is not function_of(name) else []
    return found[1:]


def _names(code: CodeType) -> list[str]:
    inner = [name for value in code.co_consts if isinstance(value, CodeType) for name in _names(value)]
    return [*code.co_names, *inner]


def told(change: Change) -> str:
    """A mutant in words."""
    if "robot" in change:
        start, end = numbers(change["robot"])[change["place"]]
        text = catalogue_text(change["robot"])
        line = text.count("\n", 0, start) + 1
        return f"{change['robot']}.toml:{line}: {text[start:end]} -> {_other_number(text[start:end])}"
    return mutants(change["function"])[change["place"]][0]


def run_by(change: Change, lines: dict[str, list[int]]) -> bool:
    """Whether the lines that ran, by function, have that of a mutant."""
    own = mutants(change["function"])[change["place"]][2]
    return any(line in own for line in lines[change["function"]])


def applied(change: Change) -> None:
    """Makes a function, or a robot of the catalogue, wrong in this process."""
    if "robot" in change:
        _change_robot(change)
    elif "before" in change:
        function_of(change["function"]).__code__ = stated(change["function"], change["before"], change["after"])
    else:
        function_of(change["function"]).__code__ = mutants(change["function"])[change["place"]][1]


def stated(name: str, before: str, after: str) -> CodeType:
    """Code of a function in which the one expression, or statement, `before` is `after`.

    Raises:
        ValueError: The function has no such place or several, or the change is none.
    """
    function = function_of(name)
    tree = _tree(function)
    original, made = _part(before), _part(after)
    places = [node for node in ast.walk(_node(tree, function.__qualname__)) if _same(node, original)]
    if len(places) != 1 or _same(original, made):
        raise ValueError(f"{name}: {before!r} is there {len(places)} times, must be once, and {after!r} another")
    _replace(tree, places[0], made)
    code = _compiled(tree, function)
    if code is None:
        raise ValueError(f"{name}: {after!r} changes the variables that the function closes over")
    return code


def _part(text: str) -> ast.expr | ast.stmt:
    """One expression or one statement."""
    (statement,) = ast.parse(text).body
    return statement.value if isinstance(statement, ast.Expr) else statement


def _same(node: ast.AST, original: ast.expr | ast.stmt) -> bool:
    return isinstance(node, type(original)) and ast.unparse(node) == ast.unparse(original)


def _tree(function: FunctionType) -> ast.Module:
    return ast.parse(inspect.getsource(inspect.getmodule(function) or function))


def _compiled(tree: ast.Module, function: FunctionType) -> CodeType | None:
    """The function's code in a changed module, None if it closes over other variables."""
    ast.fix_missing_locations(tree)
    code = _code(compile(tree, function.__code__.co_filename, "exec"), function.__code__.co_qualname)
    return code if code is not None and code.co_freevars == function.__code__.co_freevars else None


@cache
def mutants(name: str) -> list[tuple[str, CodeType, range]]:
    """Mutants of a function in words, as code and with their lines; none that change the variables it closes over."""
    function = function_of(name)
    found = []
    count = len(list(_sites(_node(_tree(function), function.__qualname__))))
    for k in range(count):
        tree = _tree(function)
        node = _node(tree, function.__qualname__)
        site, made = list(_sites(node))[k]
        words = f"{name}: {ast.unparse(site)}"
        _replace(tree, site, made)
        code = _compiled(tree, function)
        if code is not None:
            lines = range(site.lineno, (site.end_lineno or site.lineno) + 1)
            found.append((f"{words}  ->  {ast.unparse(made)}", code, lines))
    return found


def _node(tree: ast.Module, qualname: str) -> ast.AST:
    """The definition of a function by its qualified name."""
    node: ast.AST = tree
    for part in qualname.replace("<locals>.", "").split("."):
        node = next(
            child
            for child in ast.walk(node)
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)) and child.name == part and child is not node
        )
    return node


def _code(code: CodeType, qualname: str) -> CodeType | None:
    for value in code.co_consts:
        if isinstance(value, CodeType):
            found = value if value.co_qualname == qualname else _code(value, qualname)
            if found is not None:
                return found
    return None


def _sites(function: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Places of a function's body and what stands there instead; messages and annotations are left alone."""
    assert isinstance(function, ast.FunctionDef)
    for node in _visited(function.body):
        for made in _instead(node):
            yield node, made


def _visited(body: list[ast.stmt]) -> Iterator[ast.expr]:
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Raise, ast.Assert, ast.JoinedStr)) or _is_check(node):
            continue
        if isinstance(node, ast.expr):
            yield node
        skipped = {id(child) for child in _left_alone(node)}
        waiting += reversed([child for child in ast.iter_child_nodes(node) if id(child) not in skipped])


def _is_check(node: ast.AST) -> bool:
    """Whether a statement only looks at its inputs: no number of a result comes from it."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name.startswith("check_")
    return False


def _left_alone(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return [node.value]
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return [node.args, *([node.returns] if isinstance(node, ast.FunctionDef) and node.returns else [])]
    if isinstance(node, ast.With):
        return list(node.items)
    return []


def _instead(node: ast.expr) -> list[ast.expr]:
    """What may stand in place of an expression."""
    made: list[ast.expr] = []
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _OTHER:
                made.append(ast.BinOp(left, _OTHER[type(op)](), right))
            if isinstance(op, (ast.Sub, ast.Div, ast.MatMult)):
                made.append(ast.BinOp(right, op, left))
            if isinstance(op, (ast.Add, ast.Sub, ast.Mult)):
                made += [left, right]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            made.append(operand)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            made.append(operand)
        case ast.Compare(ops=[op], left=left, comparators=comparators) if type(op) in _TURNED:
            made.append(ast.Compare(left, [_TURNED[type(op)]()], comparators))
        case ast.Constant(value=bool()):
            made.append(ast.Constant(not node.value))
        case ast.Constant(value=int() | float() as value):
            made.append(ast.Constant(value + 1 if value <= 0 else value - 1 if value > 1 else 2 * value))
        case ast.Subscript(slice=ast.Constant(value=int() as k), ctx=ast.Load()):
            made.append(ast.Subscript(node.value, ast.Constant(k - 1 if k > 0 else k + 1), ast.Load()))
        case ast.Attribute(attr="T", value=value):
            made.append(value)
        case ast.Call(func=func, args=[first, second, *rest], keywords=keywords) if not any(
            isinstance(a, ast.Starred) for a in node.args
        ):
            if not (isinstance(func, ast.Name) and func.id in _COMMUTES):
                made.append(ast.Call(func, [second, first, *rest], keywords))
            made += [first, ast.UnaryOp(ast.USub(), node)]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            made.append(ast.IfExp(test, orelse, body))
    return [copy.deepcopy(part) for part in made]


def _replace(tree: ast.AST, site: ast.AST, made: ast.AST) -> None:
    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return made if node is site else self.generic_visit(node)

    Swap().visit(tree)


@cache
def numbers(robot: str) -> list[tuple[int, int]]:
    """Places of the numbers of a robot's file, comments and texts left out."""
    text = catalogue_text(robot)
    quiet = re.sub(r'"[^"\n]*"|#[^\n]*', lambda found: " " * len(found[0]), text)
    return [found.span() for found in _NUMBER.finditer(quiet) if float(found[0]) != 0.0]


def _other_number(text: str) -> str:
    return repr(float(text) * 1.03)


def _change_robot(change: Change) -> None:
    """The catalogue's file has one number changed."""
    from gough.robot.file import read as loading

    start, end = numbers(change["robot"])[change["place"]]
    original, own = loading.loads, catalogue_text(change["robot"])

    def loads(text: str, *arguments: Any) -> Any:
        if text == own:
            text = text[:start] + _other_number(text[start:end]) + text[end:]
        return original(text, *arguments)

    loading.loads = loads


def drawn(found: list[Change], count: int, seed: str) -> list[Change]:
    """So many of the mutants, in an order of their own."""
    order = list(found)
    random.Random(seed).shuffle(order)
    return order[:count]
