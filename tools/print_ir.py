"""The intermediate representation as text: ``python tools/print_ir.py FILE`` prints that of a file."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.opcodes import CONSTANT, NAMES, PHI
from overhead_lint.analysis.ir.records import GUARD_HANDLER, FunctionIR, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["printed"]

_KINDS = ("module", "function", "class", "lambda")


def printed(record: FunctionIR) -> Iterator[str]:
    """Yield the lines that show a function."""
    parameters = ", ".join(one.kind.replace("=", "").replace("/", "") + one.name for one in record.parameters)
    yield f"{_KINDS[record.kind]} {record.qualname}({parameters})"
    order = sorted(range(len(record.block_start)), key=lambda block: (record.block_start[block], block))
    for block in order:
        parts = [f"  block {block}"]
        if record.predecessors[block]:
            parts.append("from " + " ".join(map(str, record.predecessors[block])))
        if record.block_loop[block] >= 0:
            parts.append(f"in loop {record.block_loop[block]}")
        parts += _guard(record, record.block_guard[block])
        yield " ".join(parts)
        inside = range(record.block_start[block], record.block_end[block])
        for value in sorted({*record.block_phis[block], *inside}):
            if record.code[value] != PHI or value in record.block_phis[block]:
                yield _operation(record, value)
    for at, loop in enumerate(record.loops):
        place = f"line {line_of(loop.place)}, header {loop.header}"
        yield f"  loop {at}: {place}, over {loop.value}, in {loop.parent}"


def _guard(record: FunctionIR, at: int) -> list[str]:
    if at < 0:
        return []
    guard = record.guards[at]
    if guard.kind == GUARD_HANDLER:
        return ["where an exception was caught"]
    return [f"where {guard.condition} is {'true' if guard.outcome else 'false'}"]


def _operation(record: FunctionIR, value: int) -> str:
    code, extra = record.code[value], record.extra[value]
    shown = "" if extra is None and code != CONSTANT else repr(extra)
    operand = "" if record.operand[value] < 0 else str(record.operand[value])
    line = line_of(record.places[value])
    return f"    {value:4} {NAMES[code]} {operand} {shown}".rstrip() + (f"  # line {line}" if line else "")


def main() -> None:
    """Print what the files named on the command line are lowered to."""
    for name in sys.argv[1:]:
        for record in lower(ast.parse(Path(name).read_bytes())).functions:
            print("\n".join(printed(record)))


if __name__ == "__main__":
    main()
