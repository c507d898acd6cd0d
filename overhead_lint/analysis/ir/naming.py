"""What operations are called in the text that they were lowered from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    AWAIT,
    BINARY,
    BIND,
    BUILD,
    CALL,
    COMPARE,
    CONSTANT,
    COPY,
    ITEM,
    NEXT,
    OUTER,
    PARAMETER,
    PHI,
    SLICE,
    STAR,
    STORE_OUTER,
    UNARY,
    UNPACK,
)

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["last_name", "name_of", "short", "targets_of", "written"]

_LONGEST: Final = 40
"""Characters of what a reader recognises."""
_DEEPEST: Final = 12


def name_of(record: FunctionIR, value: int) -> str:
    """Return the name that something was read by; "" for what has none."""
    seen: set[int] = set()
    waiting = [value]
    for one in waiting:  # what is joined has one name, where it has any
        code = record.code[one]
        if code == PARAMETER:
            return record.parameters[record.operand[one]].name
        if code in (BIND, OUTER, STORE_OUTER):
            return str(record.extra[one])
        seen.add(one)
        if code == COPY:
            waiting.append(record.operand[one])
        elif code == PHI:
            waiting += [joined for joined in record.extra[one] if joined not in seen]
    return ""


def last_name(record: FunctionIR, value: int) -> str:
    """Return the last plain name: ``c`` of ``a.b.c``, ``f`` of ``x.f()`` and ``f[0]``, else ""."""
    while value >= 0:
        code = record.code[value]
        if code == ATTRIBUTE:
            return str(record.extra[value])
        if code not in (AWAIT, CALL, ITEM, STAR):
            return name_of(record, value)
        value = record.operand[value]
    return ""


def targets_of(record: FunctionIR, value: int) -> list[str]:
    """Return the names that the item of a loop's round is bound to, in order; "" for other targets.

    Args:
        record: the function.
        value: the operation that gives the item.
    """
    found, parts = [], {value}
    for at in range(value + 1, len(record.code)):
        if record.operand[at] not in parts or record.code[at] not in (BIND, UNPACK):
            break
        if record.code[at] == UNPACK:
            parts.add(at)
        else:
            found.append(str(record.extra[at]))
    return found


def short(record: FunctionIR, value: int) -> str:
    """Return an operation as it is written, cut to a name that a reader recognises."""
    text = written(record, value)
    is_whole = len(text) <= _LONGEST and "..." not in text
    return text if is_whole else last_name(record, value) or text[: _LONGEST - 3] + "..."


def written(record: FunctionIR, value: int, depth: int = 0) -> str:
    """Return an operation as `ast.unparse` writes it; "..." for what has no short form."""
    code, operand, extra = record.code[value], record.operand[value], record.extra[value]
    name = name_of(record, value)
    if name or depth > _DEEPEST:
        return name or "..."
    depth += 1
    if code == ATTRIBUTE:
        return f"{written(record, operand, depth)}.{extra}"
    if code == CALL:
        return f"{written(record, operand, depth)}({', '.join(_arguments(record, extra, depth))})"
    if code == ITEM:
        index = written(record, extra, depth)
        is_tuple = record.code[extra] == BUILD and index[0] == "(" and len(record.extra[extra]) > 2
        return f"{written(record, operand, depth)}[{index[1:-1] if is_tuple else index}]"
    if code == CONSTANT:
        return repr(extra)
    if code == STAR:
        return f"*{written(record, operand, depth)}"
    if code == AWAIT:
        return f"await {written(record, operand, depth)}"
    if code == UNARY:
        space = " " if extra == "not" else ""
        return f"{extra}{space}{written(record, operand, depth)}"
    if code == BINARY:
        return f"{written(record, operand, depth)} {extra[1]} {written(record, extra[0], depth)}"
    if code == COMPARE:
        others = zip(extra[1], extra[0], strict=True)
        rest = " ".join([f"{word} {written(record, one, depth)}" for word, one in others])
        return f"{written(record, operand, depth)} {rest}"
    if code == SLICE:
        return _slice(record, extra, depth)
    if code == BUILD and extra[0] in ("tuple", "list"):
        inner = ", ".join([written(record, one, depth) for one in extra[1:]])
        return f"[{inner}]" if extra[0] == "list" else f"({inner}{',' if len(extra) == 2 else ''})"
    return written(record, operand, depth) if code == NEXT else "..."


def _arguments(record: FunctionIR, extra: tuple[tuple[int, ...], tuple[str, ...]], depth: int) -> list[str]:
    given, names = extra
    words = [written(record, one, depth) for one in given]
    first = len(given) - len(names)
    for at, name in enumerate(names):
        words[first + at] = f"{name}={words[first + at]}" if name else f"**{words[first + at]}"
    return words


def _slice(record: FunctionIR, extra: tuple[int, int, int], depth: int) -> str:
    lower, upper, step = [written(record, one, depth) if one >= 0 else "" for one in extra]
    return f"{lower}:{upper}:{step}" if step else f"{lower}:{upper}"
