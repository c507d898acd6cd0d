"""Calls of what functions are given: of parameters, of attributes that keep them, and of their methods."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.method_names import COMMON_METHODS
from overhead_lint.analysis.ir import opcodes
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.api.torch_calls import FLUENT
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, ITEM
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.symbols import Body
    from overhead_lint.project.file_paths import FilePaths

__all__ = ["GivenCall", "calls_of_given", "instances", "path_of_given"]

_OWNERS: Final = frozenset({"self", "cls"})
_DEEPEST: Final = 8
_PARTS: Final = frozenset({"children", "modules", "values"})
_NAMED_PARTS: Final = frozenset({"enumerate", "items", "named_children", "named_modules"})
"""What gives the parts of something behind their numbers or names."""


class GivenCall(NamedTuple):
    """A call of what a function was given, or of a method of that.

    Attributes:
        call: the call.
        name: the parameter.
        method: the method's name, "" where it is called itself.
        holder: the function that has the parameter.
    """

    call: ast.Call
    name: str
    method: str
    holder: ast.AST


def calls_of_given(facts: FilePaths) -> Iterator[GivenCall]:
    """Yield calls of parameters, and of methods of those that say nothing of their class.

    ``model.loss(batch)``, or ``self.model.loss(batch)`` where a constructor was given the model; also of what
    a class makes that is a parameter: ``solver = method(x)``, and then ``solver.solve()``.
    """
    for call in facts.scan.of_class(ast.Call):
        function = call.func
        if facts.names.qualified(function) is not None:
            continue  # of an import or a definition
        place = facts.flow.operation(function)
        if place is None:
            continue
        body, at = facts.paths.place(*place)
        given = _parameter(facts, body, at, is_made=False)
        if given is not None:
            yield GivenCall(call, given[1], "", given[0])
        elif function.__class__ is ast.Attribute and function.attr not in COMMON_METHODS:
            given = _parameter(facts, body, body.record.operand[at], is_made=True)
            if given is not None:
                yield GivenCall(call, given[1], function.attr, given[0])


def _parameter(
    facts: FilePaths, body: Body, at: int, *, is_made: bool, depth: int = 0
) -> tuple[ast.AST, str] | None:
    """Return the function and the parameter that an operation gives; None if it is none of which all is open.

    Args:
        facts: the file.
        body: the body of the operation.
        at: its number.
        is_made: whether what a call of the parameter makes counts as well.
        depth: how many operations led here.
    """
    record = body.record
    code, operand = record.code[at], record.operand[at]
    origins: list[tuple[Body, int]] = []
    if code == opcodes.PARAMETER:
        parameter = record.parameters[operand]
        holder = facts.flow.definition(body.place)
        if (
            parameter.name in _OWNERS
            or facts.paths.references.annotated(body, parameter.annotation) is not None
        ):
            return None
        return (holder, parameter.name) if isinstance(holder, FUNCTIONS) else None
    if depth > _DEEPEST:
        return None
    if code in (opcodes.BIND, opcodes.COPY, opcodes.AWAIT):
        origins = [(body, operand)]
    elif code == opcodes.PHI:
        origins = [(body, way) for way in sorted(record.extra[at]) if way < at]
    elif code == opcodes.OUTER:
        origins = facts.paths.origins.outer(body, record.extra[at])
    elif code == opcodes.ATTRIBUTE:
        origins = facts.paths.stores.kept(body, operand, record.extra[at])
    elif code == opcodes.CALL and is_made:
        is_method = record.code[operand] == opcodes.ATTRIBUTE
        if not is_method:
            origins = [(body, operand)]
        elif record.extra[operand] in FLUENT:
            origins = [(body, record.operand[operand])]
    found = (_parameter(facts, *one, is_made=is_made, depth=depth + 1) for one in origins)
    return next(filter(None, found), None)


def path_of_given(
    facts: FilePaths, body: Body, at: int, steps: str = "", depth: int = 0
) -> tuple[ast.AST, str] | None:
    """Return the function of whose parameter an operation gives a part, and the path: ``model.layers[]``.

    Args:
        facts: the file.
        body: the body of the operation.
        at: its number.
        steps: what leads on from there.
        depth: how many operations led here.
    """
    whole = _parameter(facts, body, at, is_made=False)
    if whole is not None:
        return whole[0], whole[1] + steps
    record = body.record
    code, operand = record.code[at], record.operand[at]
    if depth > _DEEPEST:
        return None
    if code in (opcodes.BIND, opcodes.COPY):
        return path_of_given(facts, body, operand, steps, depth + 1)
    if code == opcodes.ATTRIBUTE:
        return path_of_given(facts, body, operand, f".{record.extra[at]}{steps}", depth + 1)
    is_named = code == opcodes.UNPACK and record.extra[at] == 1
    rounds = bound(record, operand) if is_named else at
    if record.code[rounds] == opcodes.NEXT:
        held = _gone_over(record, record.operand[rounds], is_named=is_named)
        return path_of_given(facts, body, held, f"{ITEM}{steps}", depth + 1) if held >= 0 else None
    return None


def _gone_over(record: FunctionIR, at: int, *, is_named: bool) -> int:
    """Return the operation that gives what a loop goes over, part by part; `NONE` if it is something else."""
    if record.code[at] != opcodes.CALL:
        return NONE if is_named else at
    function, given = record.operand[at], record.extra[at][0]
    if last_name(record, function) not in (_NAMED_PARTS if is_named else _PARTS):
        return NONE
    if record.code[function] == opcodes.ATTRIBUTE:
        return record.operand[function]
    return given[0] if given else NONE


def instances(value: ast.expr, facts: FilePaths) -> Iterator[str]:
    """Yield paths of the objects of the project that an argument is, or that it makes as a class."""
    for path in facts.paths.referred(value):
        for ending in (INSTANCE, ANY_INSTANCE, ""):
            name = path.removesuffix(ending)
            if path.endswith(ending):
                break
        last = name[name.rfind(".") + 1 :]
        if last[:1].isupper() and (ending or not last.isupper()):
            yield path if ending else path + INSTANCE
