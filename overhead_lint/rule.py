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

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.option import Option, OptionKind
from overhead_lint.api.code_facts import ClassFacts, Declaration, FunctionFacts, GlobalSetting, Kind
from overhead_lint.api.compiled_places import CompiledPlace
from overhead_lint.api.findings import (
    ANY_HEAT,
    Applicability,
    Clause,
    Edit,
    Finding,
    Fix,
    HeatFilter,
    Import,
    Message,
    RuntimeNeed,
    Span,
    TextEdit,
    Tier,
)
from overhead_lint.api.formatted_elsewhere import FormattedElsewhere
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.api.rule_context import Context
from overhead_lint.api.rule_description import RuleDescription
from overhead_lint.api.warmth import Heat, Place, Repeated, Standing, Warmth

if TYPE_CHECKING:
    import ast

__all__ = [
    "ANY_HEAT",
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
    "HeatFilter",
    "Import",
    "Kind",
    "Message",
    "Option",
    "OptionKind",
    "Place",
    "ReasonKind",
    "Repeated",
    "Rule",
    "RuntimeNeed",
    "Span",
    "Standing",
    "TextEdit",
    "Tier",
    "Warmth",
]


Handler = Callable[[Any, Context], "Iterable[Finding]"]
_H = TypeVar("_H", bound=Handler)


class Rule(RuleDescription):
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
    __slots__ = ("handlers", "named")

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
        super().__init__(
            code,
            name,
            summary,
            triggers,
            heat,
            preview,
            yields_to,
            in_cold_files,
            brief,
            tier,
            stable_since,
        )
        self.handlers: dict[type[ast.AST], list[Handler]] = {}
        self.named: dict[Handler, frozenset[str]] = {}

    def on(self, *types: type[ast.AST], named: Collection[str] = ()) -> Callable[[_H], _H]:
        """Register a handler for node classes; register ``ast.Module`` to see a file as a whole.

        Of a rule that needs heat the handler is called only with nodes that heat can reach, and definitions
        that hold some: what concerns several places has to be said from what is around them.

        Args:
            types: the classes.
            named: of calls only those of something with one of these names, which saves to ask about all
                others: qualified names such as ``torch.autocast``, or last plain names such as ``item``.

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
            return handler

        return register
