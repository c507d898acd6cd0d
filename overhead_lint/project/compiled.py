"""Which functions `torch.compile` reaches, as far as the file shows."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import compilers
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, FUNCTION
from overhead_lint.analysis.ir.records import LAMBDA_BODY, position
from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.project.compiler_names import COMPILE_NAMES
from overhead_lint.project.given import path_of_given
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import PARAMETER, is_outside
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.syntax.keywords import keyword_value

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import FunctionSymbol
    from overhead_lint.project.file_calls import FileCalls

__all__ = [
    "compiled_elsewhere",
    "compiled_entries",
    "compiled_nodes",
    "compiled_parameters",
    "compiling_decorators",
    "is_disabled",
]

_MAY_COMPILE: Final = compilers() | COMPILE_NAMES
_DISABLE: Final = frozenset({"torch.compiler.disable", "torch._dynamo.disable", "torch._disable_dynamo"})
# What the method of this name takes in the manner of Keras.
_TRAINING: Final = frozenset({"loss", "metrics", "optimizer"})


def compiled_entries(facts: FileCalls) -> frozenset[ast.AST]:
    """The functions that are compiled themselves, in whatever spelling.

    Generators run as they are, whoever compiles them.
    """
    compiling = compiling_decorators(facts)
    decorated = {
        node
        for node in (facts.scan.scopes if compiling else ())
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and any(
            not compiling.keys().isdisjoint(_functions_given_by(decorator, facts))
            for decorator in node.decorator_list
        )
    }
    by_class = facts.scan.by_class
    items = (*by_class.get(ast.Yield, ()), *by_class.get(ast.YieldFrom, ())) if decorated else ()
    decorated.difference_update(map(facts.function_node, items))
    return _standing_at(facts.compile_places.entries, facts) | decorated


def _functions_given_by(decorator: ast.expr, facts: FileCalls) -> list[ast.AST]:
    """The functions of the file that a decorator is."""
    place = facts.flow.operation(decorator)
    if place is None:
        return []
    found = facts.kinds.values.functions(*facts.paths.place(*place))
    return [facts.flow.definition(one.body.place) for one in found]


def _standing_at(places: Collection[int], facts: FileCalls) -> frozenset[ast.AST]:
    """Return the functions that stand at some places."""
    return frozenset(
        node
        for node in (facts.scan.scopes if places else ())
        if isinstance(node, FUNCTIONS) and position(node.lineno, node.col_offset) in places
    )


def compiling_decorators(facts: FileCalls) -> dict[ast.AST, ast.Call]:
    """Functions that have their first parameter compiled, also by what they give, with the call that does.

    Not where another parameter decides on it.
    """
    found: dict[ast.AST, ast.Call] = {}
    for call in facts.call_index.of(_MAY_COMPILE):
        given = call.args[0] if call.args else keyword_value(call, "model")
        if given.__class__ is not ast.Name or facts.names.qualified(call.func) not in compilers():
            continue
        known = facts.scan.lookup(given.id, given)
        parameter = known[1][0] if known is not None and len(known[1]) == 1 else None
        holder = facts.scan.parents[facts.scan.parents[parameter]] if parameter.__class__ is ast.arg else None
        if holder.__class__ is ast.FunctionDef:
            taken = holder.args
            names = [one.arg for one in all_parameters(taken)]
            if names[:1] == [given.id] and not _is_asked_for(call, holder, frozenset(names[1:]), facts):
                found[holder] = call
    return found


def _is_asked_for(call: ast.Call, holder: ast.AST, names: frozenset[str], facts: FileCalls) -> bool:
    """Whether a call in a function stands behind a test of one of its parameters."""
    node: ast.AST = call
    while node is not holder:
        node = facts.scan.parents[node]
        if isinstance(node, (ast.If, ast.IfExp)) and any(
            one.__class__ is ast.Name and one.id in names for one in ast.walk(node.test)
        ):
            return True
    return False


def compiled_elsewhere(facts: FileCalls) -> Iterator[tuple[str, str, ast.Call]]:
    """Paths of what the file compiles that other files may define, with why it is hot, and the call."""
    handed: dict[int, list[str]] = defaultdict(list)
    for start, path in facts.compile_places.handed:
        handed[start].append(path)
    for call in facts.scan.of_class(ast.Call) if handed else ():
        for path in handed.pop(position(call.lineno, call.col_offset), ()):
            if not is_outside(path):
                yield path, _why(call), call
    for call in facts.call_index.of(COMPILE_NAMES):
        argument = _compiled(call, facts)
        named = facts.paths.of(argument) if argument is not None else None
        if named is not None and not is_outside(named):
            yield named, _why(call), call
    for call, holder, path in compiled_parameters(facts):
        yield f"{PARAMETER}{path}@{facts.definitions.identity(holder)}", _why(call), call


def compiled_parameters(facts: FileCalls) -> Iterator[tuple[ast.Call, ast.AST, str]]:
    """Calls that compile a parameter, or a part of one, with its function and the path from there."""
    for call in facts.call_index.of(COMPILE_NAMES):
        argument = _compiled(call, facts)
        place = facts.flow.operation(argument) if argument is not None else None
        given = path_of_given(facts, *facts.paths.place(*place)) if place is not None else None
        if given is not None:
            yield call, *given


def _compiled(call: ast.Call, facts: FileCalls) -> ast.expr | None:
    """Return what a call compiles; None if it compiles nothing."""
    if last_name(call.func) not in COMPILE_NAMES or _disables(call):
        return None
    if facts.names.qualified(call.func) in compilers():
        return call.args[0] if call.args else keyword_value(call, "model")
    if _is_module_compile(call):
        assert isinstance(call.func, ast.Attribute)
        return call.func.value
    return None


def _why(call: ast.Call) -> str:
    return f"{{}} is compiled with torch.compile on line {call.lineno}"


def _disables(call: ast.Call) -> bool:
    """Whether a call of the compiler leaves all as it is: ``torch.compile(step, disable=True)``."""
    given = keyword_value(call, "disable")
    return isinstance(given, ast.Constant) and given.value is True


def is_disabled(node: ast.AST, facts: FileCalls) -> bool:
    """Whether a decorator keeps the compiler out of a function, or a call whose result takes its name."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return any(
        facts.names.qualified(item.func if item.__class__ is ast.Call else item) in _DISABLE
        for item in node.decorator_list
    ) or any(_takes_its_name(call, node, facts) for call in facts.call_index.of(_DISABLE))


def _takes_its_name(call: ast.Call, node: ast.FunctionDef | ast.AsyncFunctionDef, facts: FileCalls) -> bool:
    """Whether a call stands for a function in its scope: ``wrapper = torch.compiler.disable(wrapper)``."""
    holder = facts.scan.parents.get(call)
    if not (holder.__class__ is ast.Assign and call.args[:1]):
        return False
    names = [name.id for name in (*holder.targets, call.args[0]) if name.__class__ is ast.Name]
    return names == [node.name, node.name] and facts.function_node(call) is facts.function_node(node)


def compiled_nodes(entries: AbstractSet[ast.AST], facts: FileCalls) -> frozenset[ast.AST]:
    """The functions that run compiled: those that are compiled themselves, and what they call in turn.

    ``torch.compiler.disable`` keeps a function, and all that only it calls, out.
    """
    traced = entries | _standing_at(facts.compile_places.traced, facts)
    found = {node for node in traced if not is_disabled(node, facts)}
    if not found:
        return frozenset()
    stack = list(found)
    while stack:
        for target in _run_by(stack.pop(), facts):
            if target not in found and not is_disabled(target, facts):
                found.add(target)
                stack.append(target)
    return frozenset(found)


def _run_by(function: ast.AST, facts: FileCalls) -> Iterator[ast.AST]:
    """The functions of the file that a function calls, hands over or has in it as lambdas, and properties."""
    values, body = facts.kinds.values, facts.paths.body(function)
    record = body.record
    found: list[FunctionSymbol] = []
    for at, code in enumerate(record.code):
        if code == CALL:
            found += values.callees(body, at).functions
            for given in record.extra[at][0]:
                found += values.functions(body, given)
        elif code == FUNCTION:
            inner = body.module.bodies[record.operand[at]]
            if inner.record.kind == LAMBDA_BODY:
                found += values.functions(body, at)
        elif code == ATTRIBUTE:
            found += values.properties(body, at)
    yield from (facts.flow.definition(one.body.place) for one in found)


def _is_module_compile(call: ast.Call) -> bool:
    """Whether a call may be of the method ``compile`` of modules, which takes keywords alone.

    One that is given an optimizer or a loss is a method of the project, which makes these ready.
    """
    return (
        call.func.__class__ is ast.Attribute
        and call.func.attr == "compile"
        and not call.args
        and not any(keyword.arg in _TRAINING for keyword in call.keywords)
    )
