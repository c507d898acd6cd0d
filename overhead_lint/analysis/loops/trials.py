"""Loops below ``if __name__ == "__main__":`` that only try out what their file defines for others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.guards import runs_as_program
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, IMPORT
from overhead_lint.analysis.ir.records import CLASS_BODY, FUNCTION_BODY

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names

__all__ = ["trials"]

_DEFINITIONS: Final = frozenset({CLASS_BODY, FUNCTION_BODY})
_PROGRAMS: Final = frozenset(
    """absl argparse click docopt fire gflags hydra jsonargparse optparse simple_parsing typer
    tyro""".split()  # noqa: SIM905
)
"""Packages by which programs are told what to do."""
_MAKING_UP: Final = frozenset({"torch.rand", "torch.randint", "torch.randn"})


def trials(names: Names) -> frozenset[int]:
    """Return the loops at the top level of a file, by number, that try out what it defines.

    A module that others import shows so how it is used, with data that it makes up. A program defines
    nothing, reads its command line, or takes its data from somewhere.
    """
    functions = names.functions
    record, flow = functions[0], names.flow(0)
    loops = frozenset(
        number for number, loop in enumerate(record.loops) if runs_as_program(names, loop.header)
    )
    if not loops or not any(one.parent == 0 and one.kind in _DEFINITIONS for one in functions[1:]):
        return frozenset()
    if _is_told_what_to_do(names):
        return frozenset()
    makes_up = any(
        code == CALL
        and names.qualified(0, record.operand[at]) in _MAKING_UP
        and runs_as_program(names, flow.block_of(at))
        for at, code in enumerate(record.code)
    )
    return loops if makes_up else frozenset()


def _is_told_what_to_do(names: Names) -> bool:
    """Whether a file reads its command line."""
    return any(
        (code == ATTRIBUTE and extra == "argv")
        or (code == IMPORT and extra[0].partition(".")[0] in _PROGRAMS)
        for record in names.functions
        for code, extra in zip(record.code, record.extra, strict=True)
    )
