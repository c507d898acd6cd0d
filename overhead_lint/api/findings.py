"""What rules find, and how it may be mended."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, Protocol

from overhead_lint.api.warmth import Heat
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import ast
    from pathlib import Path

    from overhead_lint.api.heat_reasons import ReasonKind
    from overhead_lint.api.warmth import Standing, Warmth

__all__ = [
    "ANY_HEAT",
    "Applicability",
    "Clause",
    "Edit",
    "Finding",
    "Fix",
    "HeatFilter",
    "Import",
    "Message",
    "RuntimeNeed",
    "Span",
    "TextEdit",
    "Tier",
]


class Tier(enum.Enum):
    """What a finding costs in a step, or that it is no matter of cost; the most important first."""

    STALL = "stall"
    """The host waits for the device, or copies while it is blocked: the queue of the device runs empty."""
    HOST = "host"
    """Tens of microseconds of the host, or more."""
    MINOR = "minor"
    """One of these, but by readings of places like it seldom worth a change."""
    MICRO = "micro"
    """Less than tens of microseconds."""
    CORRECTNESS = "correctness"
    """The code may do something else than it says, or will not run with another torch."""


class Applicability(enum.Enum):
    """Whether a fix may be applied without a look."""

    SAFE = "safe"
    """Same behaviour, apart from speed."""
    UNSAFE = "unsafe"
    """Needs a look: applied with ``--unsafe-fixes`` only."""
    NEEDS_RUNTIME = "needs-runtime"
    """Brings an import of the runtime, which the project does not declare: shown, and never applied."""


class RuntimeNeed(enum.IntEnum):
    """What a fix needs of the runtime that fixes rewrite to."""

    NONE = 0
    PRESENT = 1
    """The file imports the runtime already."""
    BROUGHT = 2
    """The fix imports it into a file that does not yet."""


class TextEdit(NamedTuple):
    """Replace ``text[start:end]`` of a source (offsets in characters of the decoded text)."""

    start: int
    end: int
    text: str


class Import(NamedTuple):
    """A binding that a fix needs at module level.

    ``Import("overhead_lint", "runtime")`` stands for ``from overhead_lint import runtime``,
    ``Import("torch")`` for ``import torch``. Templates refer to it as ``{key}``, and get the
    local name that the file has, or is given, for it.
    """

    module: str
    name: str = ""
    key: str = ""
    """Placeholder in templates; the name, or the module, when empty."""


class Edit(Protocol):
    """One edit within one statement; made by the functions of `overhead_lint.edits`."""

    @property
    def node(self) -> ast.AST:
        """The node that is rewritten; its statement is what gets parsed with libcst."""
        ...


class Fix(NamedTuple):
    """How to rewrite the place of a finding.

    The edits are a plan: they are turned into text by the fixer, and only when a fix is shown
    or applied, since that needs libcst. `TextEdit`s are for what is no part of the tree: comments.
    """

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...] | tuple[TextEdit, ...]
    imports: tuple[Import, ...] = ()
    without_runtime: Fix | None = None
    """What is done instead in a project that does not declare the runtime, or wants nothing of it."""
    runtime_need: RuntimeNeed = RuntimeNeed.NONE
    """`Context.finding` tells by the imports; a rule says it where only the text of edits has the runtime."""
    only_entered: tuple[str, ...] = ()
    """Functions whose contexts decorate nothing once it is applied: not where another file does so."""


class Span(NamedTuple):
    """A range of source text: lines and columns from 1, columns in characters, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Clause(enum.Enum):
    """A part of a message whose words the project decides, once the heat of functions is known.

    A rule that asks for the heat itself, to say so, has to look again when the project knows better.
    """

    FREQUENCY = "frequency"
    """How often the place runs: "in every step", "in a loop in every step"; colder: "on each call"."""
    TRACE_EVIDENCE = "trace evidence"
    """What shows that users compile the place: "pkg/ops.py asks is_compiling()"; "" if nothing does."""
    BREAKS_TOO = "breaks too"
    """That the place breaks the graph, too, where something shows that users compile it; else ""."""


Message = str | tuple[str | Clause, ...]
"""What a rule says of a place: text, or texts with clauses between them."""


class HeatFilter(NamedTuple):
    """For which heat of its place a finding counts, besides what its rule asks for.

    A rule that asks for the heat itself, to keep silent, has to look again when the project knows better.

    Attributes:
        unless: kinds of reasons for which it does not.
        most_links: a chain of more links than these is one, too; 0 where none is too long.
        least: how hot the place is at least, where the rule itself asks for less.
    """

    unless: tuple[ReasonKind, ...] = ()
    most_links: int = 0
    least: Heat = Heat.COLD

    def lets(self, warmth: Warmth) -> bool:
        """Whether a finding counts at a place of some heat."""
        is_near = not self.most_links or warmth.links <= self.most_links
        return is_near and warmth.heat >= self.least and warmth.kind not in self.unless


ANY_HEAT: Final = HeatFilter()
"""Of a finding that counts wherever it is hot enough."""


class Finding(NamedTuple):
    """One place where a rule applies.

    In reports it stands for others of its kind that follow in a row, too: `also` has their lines.
    Findings of a file whose `alike` is one number, not 0, mark the same text.

    Attributes:
        message: what the rule says, without the clauses.
        clauses: those of the message, each behind so many characters of it; none once it is settled.
        needs_trace: whether it counts only where something shows that users compile the place. It is presumed
            then: nobody saw the users.
        tier: its tier, where that does not follow from what an execution costs.
        rounds: how many rounds the loop around it has; 0 where that is not written there.
        branches: how many branches it stands in, one in another, in its function.
        waits_again: whether the host waits once more behind it, in the same pass, whatever becomes of it.
        stays_at: the line of a wait that stays in the same pass of its function, whatever is mended at the
            place; its own where what it waits for is needed; 0 where nothing is known to stay.
        decides: whether control goes by what it waits for, so that it may go with others that decide.
        confidence: how likely it is right and of use, by readings of findings; 1.0 before it is settled.
        worth: how likely it is worth a change that a maintainer would merge, by readings; 1.0 before it is
            settled, and where nothing was read of its rule.
        only: for which heat it counts.
    """

    path: Path
    span: Span
    code: str
    name: str
    message: str
    warmth: Warmth
    help: str = ""
    fix: Fix | None = None
    standing: Standing | None = None
    also: tuple[int, ...] = ()
    alike: int = 0
    clauses: tuple[tuple[int, Clause], ...] = ()
    needs_trace: bool = False
    tier: Tier | None = None
    rounds: int = 0
    branches: int = 0
    waits_again: bool = False
    stays_at: int = 0
    decides: bool = False
    confidence: float = 1.0
    worth: float = 1.0
    only: HeatFilter = ANY_HEAT
