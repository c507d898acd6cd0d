"""What an operation reads, told apart from what others read: the same path is the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BIND,
    BUILD,
    CALL,
    COMPARE,
    CONSTANT,
    COPY,
    ITEM,
    OUTER,
    PARAMETER,
    SLICE,
    UNARY,
    UNPACK,
)
from overhead_lint.analysis.ir.queries import bound, is_getattr, made_of, operands, uncopied

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["Path", "attribute_path", "path_of", "reads"]

Path = tuple[Any, ...]
"""What is read, and of what: two that are equal are the same place as long as nothing is stored there."""

_STRUCTURED: Final = frozenset({BINARY, BUILD, CALL, COMPARE, SLICE, UNARY})
_DEEPEST: Final = 12


def path_of(record: FunctionIR, value: int, depth: int = 0) -> Path:
    """Return the path of what an operation gives.

    A name stands for what it was bound to, so that ``cache = self.cache`` is one place. So is ``self`` in all
    methods. Calls with equal arguments are taken to give the same.
    """
    while record.code[value] in (BIND, COPY):
        inner = record.operand[value]
        if record.code[value] == BIND and record.code[inner] == CONSTANT:
            return (record.place, value)  # a name of its own, whatever it begins with
        value = inner
    code, extra = record.code[value], record.extra[value]
    if code == UNPACK and extra is not None:
        whole = bound(record, record.operand[value])
        parts = record.extra[whole][1:] if record.code[whole] == BUILD else ()
        if -len(parts) <= extra < len(parts):
            return path_of(record, parts[extra], depth + 1)
    if code == ATTRIBUTE:
        return attribute_path(path_of(record, record.operand[value], depth + 1), extra)
    if code == CALL and _reads_attribute(record, value):
        holder, name = extra[0][:2]
        return attribute_path(path_of(record, holder, depth + 1), record.extra[uncopied(record, name)])
    if code == CONSTANT:
        return (CONSTANT, extra.__class__, repr(extra))
    if code == OUTER:
        return ("self",) if extra == "self" else (OUTER, extra)
    if code == PARAMETER and record.parameters[record.operand[value]].name == "self":
        return ("self",)
    if depth < _DEEPEST and code == ITEM:
        return (ITEM, path_of(record, record.operand[value], depth + 1), path_of(record, extra, depth + 1))
    if depth < _DEEPEST and code in _STRUCTURED:
        return (
            code,
            _word(code, extra),
            *(path_of(record, one, depth + 1) for one in operands(record, value)),
        )
    return (record.place, value)


def _reads_attribute(record: FunctionIR, call: int) -> bool:
    """Whether a call reads an attribute by a name that is written there."""
    given = record.extra[call][0]
    if not is_getattr(record, call) or len(given) < 2:
        return False
    name = uncopied(record, given[1])
    return record.code[name] == CONSTANT and isinstance(record.extra[name], str)


def attribute_path(holder: Path, name: str) -> Path:
    """Return the path of an attribute; a property ``step_index`` is what ``_step_index`` holds."""
    return (ATTRIBUTE, holder, name.removeprefix("_"))


def _word(code: int, extra: Any) -> Any:
    """Return what tells operations of a code apart, beside their operands."""
    if code in (BINARY, COMPARE):
        return extra[1]
    if code == CALL:
        return extra[1]
    return extra[0] if code == BUILD else extra if code == UNARY else ""


def reads(record: FunctionIR, value: int, path: Path) -> bool:
    """Whether an operation reads what has a path, or a part of it, to work out what it gives."""
    return any(
        record.code[one] in (ATTRIBUTE, ITEM, OUTER) and path_of(record, one) == path
        for one in made_of(record, value)
    )
