"""What a file is lowered to: functions, their blocks, operations, guards and loops, as rows of numbers."""

from __future__ import annotations

from typing import Any, Final

from overhead_lint.tuples import NamedTuple

__all__ = [
    "CLASS_BODY",
    "COLUMN_BITS",
    "COMPREHENSION_LOOP",
    "FOR_LOOP",
    "FUNCTION_BODY",
    "GUARD_BRANCH",
    "GUARD_HANDLER",
    "LAMBDA_BODY",
    "MODULE_BODY",
    "NONE",
    "WHILE_LOOP",
    "Annotation",
    "FileIR",
    "FunctionIR",
    "Guard",
    "Loop",
    "Parameter",
    "line_and_column",
    "line_of",
    "position",
]

NONE: Final = -1
"""In place of the number of an operation, block, guard, loop or function: there is none."""

MODULE_BODY: Final = 0
FUNCTION_BODY: Final = 1
CLASS_BODY: Final = 2
LAMBDA_BODY: Final = 3

FOR_LOOP: Final = 0
WHILE_LOOP: Final = 1
COMPREHENSION_LOOP: Final = 2

GUARD_BRANCH: Final = 0
"""A condition has one outcome: ``if``, ``while``, ``and``, ``or``, a conditional, ``case``, a failing
assert."""
GUARD_HANDLER: Final = 1
"""An exception was caught."""

COLUMN_BITS: Final = 20
"""Bits of a position that hold its column; those above them hold its line."""
_MOST_COLUMNS: Final = (1 << COLUMN_BITS) - 1

Annotation = tuple[str, tuple["Annotation", ...]]
"""What an annotation says: a dotted name and what stands in its brackets; "|" is a union, "" what is
neither."""


def position(line: int, column: int) -> int:
    """Return line (from 1) and column (bytes of UTF-8 from 0) as one number that sorts as they do."""
    return line << COLUMN_BITS | min(column, _MOST_COLUMNS)


def line_of(place: int) -> int:
    """Return the line of a position, from 1; 0 for what stands nowhere."""
    return place >> COLUMN_BITS


def line_and_column(place: int) -> tuple[int, int]:
    """Return the line of a position, from 1, and its column in bytes, from 0."""
    return place >> COLUMN_BITS, place & _MOST_COLUMNS


class Parameter(NamedTuple):
    """A parameter of a function.

    Attributes:
        name: its name.
        kind: "" for one that is given by place or by name, "/" by place only, "=" by name only, "*" and "**".
        default: the value of its default in the enclosing function, `NONE` without.
        annotation: what it is annotated with, None without.
    """

    name: str
    kind: str
    default: int
    annotation: Annotation | None


class Guard(NamedTuple):
    """What a block runs under: the way that control took where it could take another.

    Attributes:
        parent: the guard that the test itself runs under, `NONE` at the top of the function.
        kind: `GUARD_BRANCH` or `GUARD_HANDLER`.
        condition: the value that was tested; `NONE` for what a caught exception decides.
        outcome: the truth value that it had.
        place: where the branch, handler or part of an expression that asks for it begins, as a position.
    """

    parent: int
    kind: int
    condition: int
    outcome: bool
    place: int


class Loop(NamedTuple):
    """A loop of a function.

    Attributes:
        parent: the loop around it, `NONE` without.
        kind: `FOR_LOOP`, `WHILE_LOOP` or `COMPREHENSION_LOOP`.
        header: the block to which its rounds come back.
        value: what is iterated, or the condition of a ``while``; `NONE` for a condition that is always true.
        place: where it stands, as a position.
    """

    parent: int
    kind: int
    header: int
    value: int
    place: int


class FunctionIR:
    """A function, class body or module body in SSA form.

    A value is named by the number of the operation that makes it. Block 0 is the entry, block 1 the exit,
    which
    holds no operations: what returns, raises or runs off the end leads there. The operations of a block are
    those from `block_start` to `block_end`, without the phis, outer and unbound names among them, which
    belong to the
    block in `block_phis` and to the entry; they were made while another block was lowered.
    """

    __slots__ = (
        "annotations",
        "bases",
        "block_end",
        "block_guard",
        "block_loop",
        "block_phis",
        "block_start",
        "code",
        "decorators",
        "ends",
        "extra",
        "guards",
        "hidden_stores",
        "is_async",
        "is_generator",
        "kind",
        "loops",
        "name",
        "operand",
        "outer",
        "parameters",
        "parent",
        "place",
        "places",
        "predecessors",
        "qualname",
        "returned",
        "returns",
        "stores",
    )

    def __init__(self, name: str, qualname: str, parent: int, kind: int, place: int) -> None:
        self.name = name
        self.qualname = qualname
        self.parent = parent
        """The enclosing function's place among the file's; `NONE` for the module."""
        self.kind = kind
        self.place = place
        self.is_async = False
        self.is_generator = False
        self.parameters: tuple[Parameter, ...] = ()
        self.returns: Annotation | None = None
        """What it is annotated to give."""
        self.decorators: tuple[int, ...] = ()
        """Values in the enclosing function, outermost first."""
        self.annotations: dict[str, Annotation] = {}
        """Of a class: what names of its body are annotated with, bound or not."""
        self.bases: tuple[int, ...] = ()
        """Of a class: values of its bases in the enclosing function."""

        # One row an operation.
        self.code: list[int] = []
        self.operand: list[int] = []
        self.extra: list[Any] = []
        self.places: list[int] = []
        """Where each operation begins, as a position; 0 for what stands nowhere."""
        self.ends: list[int] = []
        """Where each operation ends."""

        # One row a block.
        self.block_start: list[int] = []
        self.block_end: list[int] = []
        self.predecessors: list[list[int]] = []
        self.block_phis: list[list[int]] = []
        self.block_loop: list[int] = []
        self.block_guard: list[int] = []

        self.guards: list[Guard] = []
        self.loops: list[Loop] = []

        self.stores: dict[str, list[int]] = {}
        """The `BIND` operations of each name that the function binds itself, in order."""
        self.hidden_stores: dict[str, list[int]] = {}
        """Those of names that comprehensions bind for themselves."""
        self.outer: dict[str, int] = {}
        """The `OUTER` operation of each name that it reads and that may be bound outside."""
        self.returned: list[int] = []
        """Its `RETURN` operations."""

    def __len__(self) -> int:
        """Return the number of operations."""
        return len(self.code)

    def __repr__(self) -> str:
        """Return its name and size."""
        return f"<FunctionIR {self.qualname or '<module>'}: {len(self.code)} operations>"


class FileIR(NamedTuple):
    """A file.

    Attributes:
        functions: its functions, class bodies and itself, which comes first; enclosing ones before those in
            them.
    """

    functions: list[FunctionIR]
