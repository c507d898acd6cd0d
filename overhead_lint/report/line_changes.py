"""Lines that account for more or less of a count than before, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.probes.counted_lines import CountedLine, LineChange

__all__ = ["change", "change_in_short", "place"]


def change_in_short(one: LineChange, unit: str = "") -> str:
    """Return a change as ``+8 at trainer.py:91 (item), was 0``.

    Args:
        one: the change.
        unit: of the amounts, where they are no numbers of things.
    """
    return (
        f"{_amount(one.delta, unit)} at {place(one.line) or one.line.label}{_operators(one)}, {_before(one)}"
    )


def change(one: LineChange, unit: str = "") -> str:
    """Return a change with the text of its line and what happened there; see `change_in_short`."""
    line = one.line
    text = f" `{line.text}`" if line.text else ""
    if one.before is not None and one.after is not None and one.before.text != line.text:
        text = f" `{one.before.text}` -> `{line.text}`"
    happened = f" {line.label}" if place(line) else ""
    where = place(line) or line.label
    return f"{_amount(one.delta, unit)} at {where}{text}{happened}{_operators(one)}, {_before(one)}"


def place(line: CountedLine) -> str:
    """Return a line's file and numbers, the file alone where no number is known, "" without a file."""
    return ":".join(filter(None, [line.path, ",".join(map(str, line.numbers))]))


def _amount(delta: int, unit: str) -> str:
    return f"{delta:+d} {unit}".rstrip()


def _before(one: LineChange) -> str:
    if one.after is None:
        return f"was {one.was}, is gone"
    return f"was {one.was}"


def _operators(one: LineChange) -> str:
    found = one.operators
    if not found:
        return ""
    if len(found) == 1:
        return f" ({found[0][0]})"
    return f" ({', '.join(f'{amount} {name}' for name, amount in found[:4])})"
