"""All that a rule author imports.

A rule module holds one ``RULE`` and the functions registered on it. The engine parses a file
that contains one of the rule's triggers, annotates the tree in one pass (scopes, loops, heat,
bindings), and then calls each registered function with every node of the class it asked for,
so a handler sees a file about which everything is known already::

    RULE = Rule(
        code="OVH101",
        name="autocast-per-step",
        summary="autocast context built on every step",
        triggers=(b"autocast",),
        heat=Heat.STEP,
    )

    @RULE.on(ast.Call, named=("torch.autocast",))
    def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
        if ctx.qualified_name(node.func) == "torch.autocast":
            yield ctx.finding(RULE, node, "torch.autocast is built ...", help="...", fix=...)

The engine, not the rule, drops findings below the rule's heat and suppressed ones.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.option import Option, OptionKind
from overhead_lint.api.compiled_places import CompiledPlace
from overhead_lint.api.formatted_elsewhere import FormattedElsewhere
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.api.reason_texts import reason_text
from overhead_lint.api.rule_context import Context
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import ast
    from pathlib import Path

__all__ = [
    "Applicability",
    "ClassFacts",
    "Clause",
    "CompiledPlace",
    "Context",
    "Declaration",
    "Edit",
    "Finding",
    "Fix",
    "FormattedElsewhere",
    "FunctionFacts",
    "Gate",
    "GateKind",
    "GlobalSetting",
    "Handler",
    "Heat",
    "Import",
    "Kind",
    "Message",
    "Option",
    "OptionKind",
    "Place",
    "ReasonKind",
    "Rule",
    "RuntimeNeed",
    "Span",
    "Standing",
    "TextEdit",
    "Tier",
    "Warmth",
]


class Heat(enum.IntEnum):
    """How often a place runs, from least to most."""

    COLD = 0
    """Import, construction, set-up, error paths, checkpoints, every-N-steps logging."""
    PRESUMED = 1
    """Tensor work of which no caller is known."""
    REQUEST = 2
    """Once a request, a generation or an evaluation, each of which takes many steps."""
    STEP = 3
    """Once or more in each training or inference step."""
    LOOP = 4
    """Many times in a step."""

    @property
    def label(self) -> str:
        """The lower-case word used in reports and settings."""
        return _LABELS[self]


_LABELS: Final = {heat: heat.name.lower() for heat in Heat}


class Place(NamedTuple):
    """A link of a chain of calls: a loop, or a function that is called.

    Attributes:
        path: the file, as reasons name it.
        function: the name in paths of the function, or of the one that the loop is in; "" for the top level.
        line: of the loop; 0 for a function, whose head is looked for where it is shown.
    """

    path: str
    function: str
    line: int = 0


class Warmth(NamedTuple):
    """Heat of a place, with the reason as a call chain.

    It reads from the outside in: ``train.py:88 loop over loader -> Trainer.step -> Model.forward``.
    """

    heat: Heat
    chain: str
    """The chain, or what keeps the place cold; "" where a gate does. It is for readers: what rules ask of it
    stands beside it."""
    kind: ReasonKind = ReasonKind.OTHER
    """What the chain begins with, or why the place is cold."""
    links: int = 0
    """How many links of the chain are told, loops and functions; 0 where it is cold."""
    gate: Gate | None = None
    """The gate that keeps the place cold; None where none does."""
    options: tuple[Option, ...] = ()
    """The options whose defaults keep the place from running, or may."""
    is_round_unknown: bool = False
    """Whether it is presumed since nobody knows how much a round of its loop does."""
    has_requests: bool = False
    """Of a function: whether the rounds of its hot loops are requests, which take many steps each."""
    places: tuple[Place, ...] = ()
    """Where the links of the chain are that are told, from the outside in."""

    @property
    def why(self) -> str:
        """All of it in words, for readers."""
        unknown = self.is_round_unknown
        is_request = self.heat is Heat.REQUEST
        return reason_text(
            self.chain, self.gate, self.options, is_round_unknown=unknown, is_request=is_request
        )

    @classmethod
    def measured(cls, heat: Heat, what: str) -> Warmth:
        """Heat that a run showed, and what it counted."""
        return cls(heat, f"measured: {what}", ReasonKind.MEASURED)

    @property
    def is_measured(self) -> bool:
        """Whether a run showed it, so that it is worth telling even where it is cold."""
        return self.kind is ReasonKind.MEASURED


LINK: Final = " -> "
"""Stands between the links of a chain."""


class Standing(NamedTuple):
    """Where something stands in its function: its heat follows as soon as the function's is known."""

    function: str
    """The function's name in the project graph: ``.Model.forward``; "" for the top level of a file."""
    frequency: int
    """How often it runs, compared with the function: `overhead_lint.analysis.graph.frequency.Frequency`."""
    why: str
    """The reason of a hot loop, or why the whole file is cold."""
    kind: ReasonKind = ReasonKind.OTHER
    """What a hot loop is."""
    gate: Gate | None = None
    """The gate that it is behind in its function; None for none."""
    options: tuple[Option, ...] = ()
    """The options whose defaults keep it from running."""
    line: int = 0
    """Of the hot loop; 0 for none."""


class Kind(enum.Enum):
    """What an expression is known to be; `UNKNOWN` when inference cannot prove it."""

    UNKNOWN = "unknown"
    TENSOR = "tensor"
    """A tensor that is, or may be, on an accelerator."""
    HOST_TENSOR = "host tensor"
    """A tensor proven to live in CPU memory: reading it does not synchronise."""
    MODULE = "module"
    NUMBER = "number"
    """A Python int, float or bool."""
    ARRAY = "array"
    """A NumPy array or scalar."""
    OBJECT = "object"
    """Any other Python value: string, container, config object, None."""

    __hash__ = object.__hash__  # an enum's own is no C function, and kinds are looked up all the time


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


class Declaration(enum.Enum):
    """What a project declares of a package that it imports."""

    REQUIRED = "required"
    """It is installed with the project, a part of it, or of Python."""
    OPTIONAL = "optional"
    """An extra, or a group for development, has it."""
    UNDECLARED = "undeclared"
    """The project has a list of dependencies, and the package is not on it."""
    UNKNOWN = "unknown"


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
    """How often the place runs: "in every step", "many times in every step"; colder: "on each call"."""
    TRACE_EVIDENCE = "trace evidence"
    """What shows that users compile the place: "pkg/ops.py asks is_compiling()"; "" if nothing does."""
    BREAKS_TOO = "breaks too"
    """That the place breaks the graph, too, where something shows that users compile it; else ""."""


Message = str | tuple[str | Clause, ...]
"""What a rule says of a place: text, or texts with clauses between them."""


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
        confidence: how likely it is right and of use, by readings of findings; 1.0 before it is settled.
        worth: how likely it is worth a change that a maintainer would merge, by readings; 1.0 before it is
            settled, and where nothing was read of its rule.
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
    confidence: float = 1.0
    worth: float = 1.0


class FunctionFacts(NamedTuple):
    """A function or method as the project graph sees it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    qualname: str
    """Dotted from the module: ``Model.forward``, ``train.<locals>.step``."""
    cls: ClassFacts | None
    """The class whose body holds it, for methods."""
    compiled: bool = False
    """Whether `torch.compile` reaches it, as far as this file shows."""
    eager: bool = False
    """Whether steps run it outside of compiled code as well, where other files have it compiled."""


class GlobalSetting(NamedTuple):
    """A setting of torch for the whole process that another file makes."""

    name: str
    """Dotted: ``torch.backends.cudnn.fp32_precision``."""
    value: str
    """The text that it is set to; "" if it is not written there."""
    place: str
    """File and line."""


class ClassFacts(NamedTuple):
    """A class of the file."""

    node: ast.ClassDef
    qualname: str
    bases: tuple[str, ...]
    """Qualified names of the bases as far as they resolve, else their source text."""
    is_module: bool
    """Whether it derives from ``torch.nn.Module``, also through classes of the project."""
    is_dataclass: bool
    methods: tuple[str, ...]


Handler = Callable[[Any, Context], "Iterable[Finding]"]
_H = TypeVar("_H", bound=Handler)


class Rule:
    """One anti-pattern: how to see it, how hot it must be, where its page lies.

    Args:
        code: ``OVH`` and three digits for built-in rules; another upper-case prefix for others.
        name: kebab-case, the page's file name with ``_`` for ``-``.
        summary: the anti-pattern in a few words, for listings.
        triggers: byte strings; a file that holds none of them is not looked at.
        heat: the least heat at which the rule speaks; `Heat.COLD` for "anywhere".
        preview: off unless selected by its full code.
        yields_to: codes of rules that say more about a place: where one of them speaks, this one does not.
        in_cold_files: whether a rule without a least heat speaks in tests, examples and benchmarks, too.
        brief: whether what the rule tells of takes the host microseconds and nothing more, so that it shows
            in steps alone: in rounds of which nobody knows how much they do it is presumed.
        tier: that of its findings, where it does not follow from what an execution costs: `Tier.STALL` or
            `Tier.CORRECTNESS`.
        stable_since: the version in which it left preview; None for rules in preview, and those of packs that
            do not say.

    Attributes:
        unread: what handlers ask for that are not there yet, as the module of the rule is imported when it is
            needed: names of classes of nodes, each with those of what is called, or None for all.
    """

    unread: Sequence[tuple[str, frozenset[str] | None]] = ()
    __slots__ = (
        "brief",
        "code",
        "handlers",
        "heat",
        "in_cold_files",
        "name",
        "named",
        "of_numbers",
        "preview",
        "stable_since",
        "summary",
        "tier",
        "triggers",
        "yields_to",
    )

    def __init__(
        self,
        code: str,
        name: str,
        summary: str,
        triggers: tuple[bytes, ...],
        heat: Heat,
        preview: bool = False,
        yields_to: tuple[str, ...] = (),
        in_cold_files: bool = True,
        brief: bool = False,
        tier: Tier | None = None,
        stable_since: str | None = None,
    ) -> None:
        self.brief = brief
        self.tier = tier
        self.stable_since = stable_since
        self.code = code
        self.name = name
        self.summary = summary
        self.triggers = triggers
        self.heat = heat
        self.preview = preview
        self.yields_to = frozenset(yields_to)
        self.in_cold_files = in_cold_files and heat is Heat.COLD
        self.handlers: dict[type[ast.AST], list[Handler]] = {}
        self.named: dict[Handler, frozenset[str]] = {}
        self.of_numbers: set[Handler] = set()

    def __repr__(self) -> str:
        """The rule by its code and name."""
        return f"<rule {self.code} {self.name}>"

    def on(
        self, *types: type[ast.AST], named: Collection[str] = (), of_numbers: bool = False
    ) -> Callable[[_H], _H]:
        """Register a handler for node classes; register ``ast.Module`` to see a file as a whole.

        Of a rule that needs heat the handler is called only with nodes that heat can reach, and definitions
        that hold some: what concerns several places has to be said from what is around them.

        Args:
            types: the classes.
            named: of calls only those of something with one of these names, which saves to ask about all
                others: qualified names such as ``torch.autocast``, or last plain names such as ``item``.
            of_numbers: whether to learn that something unknown is a tensor never makes the handler speak.

        Raises:
            TypeError: no class of nodes, or one name in place of several: nothing would ever be called.
        """
        given: tuple[object, ...] = types
        if not given or not all(isinstance(one, type) for one in given):
            raise TypeError(f"Rule.on takes classes of nodes such as ast.Call, not {types!r}")
        if isinstance(named, str):
            raise TypeError(f"Rule.on takes several names, as in named=({named!r},)")

        def register(handler: _H) -> _H:
            for node_type in types:
                self.handlers.setdefault(node_type, []).append(handler)
            if named:
                self.named[handler] = frozenset(named)
            if of_numbers:
                self.of_numbers.add(handler)
            return handler

        return register
