"""How hot a place of a file is, and why."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import LOOP, RARE, REPEATED, SAME, STEP, once
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.option import (
    GLOBAL,
    NAME,
    OF_DEFINITIONS,
    PASSED,
    TOLD_ELSEWHERE,
    Option,
    together,
)
from overhead_lint.api.heat_reasons import NOT_SHOWN, ReasonKind
from overhead_lint.project.cross_file import NO_DEPENDENCIES, Dependencies, OptionTold
from overhead_lint.rule import Heat, Place, Repeated, Standing, Warmth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from overhead_lint.analysis.graph.option import PlainOption
    from overhead_lint.project.cross_file import Told
    from overhead_lint.project.file_summaries import FileSummaries
    from overhead_lint.project.file_summary import CallSite, FileSummary, Passing

__all__ = ["FileHeat", "options_told", "warmth_at"]

# A function that came into the file after the graph was made.
_UNKNOWN: Final = Warmth(Heat.COLD, NOT_SHOWN)
# What only the project tells of counts for nothing where it does not.
_OF_OTHERS: Final = TOLD_ELSEWHERE | OF_DEFINITIONS | {GLOBAL}


class FileHeat:
    """Heat of the places of one file.

    Args:
        facts: the file.
        path: it as it is named in reasons for heat.
        cold: why all of it is cold, "" if it is not.
        warmths: heat of its functions, by name in paths, as the project's graph has it; None of one
            that stands alone.
    """

    def __init__(
        self, facts: FileSummaries, path: str, cold: str, warmths: Mapping[str, Warmth] | None
    ) -> None:
        self._facts = facts
        self._path = path
        self._cold = cold
        self._warmths = warmths

    @cached_property
    def functions(self) -> Mapping[str, Warmth]:
        """Heat of the functions at their top level, by name in paths."""
        warmths = self._warmths
        return warmths if warmths is not None else self._by_itself[0]

    @cached_property
    def options(self) -> Mapping[PlainOption, OptionTold]:
        """What the project tells of the options of the file."""
        return options_told(self.told)

    @property
    def told(self) -> Told:
        """What the project tells the file; of one that stands alone, what it says of its users itself."""
        return self._facts.told if self._warmths is not None else self._by_itself[1]

    @cached_property
    def _by_itself(self) -> tuple[Mapping[str, Warmth], Told]:
        """Heat of the functions, and what the file is told, of a file that stands alone."""
        from overhead_lint.project.graph.graph import Graph  # costs start-up, and few files are asked
        from overhead_lint.project.graph.member import Member

        facts = self._facts
        graph = Graph({"": Member(self._path, facts.module, "", _Alone(facts.summary))})
        return graph.warmths(""), graph.told("")

    def standing(self, node: ast.AST) -> Standing:
        """Where `node` stands in its function."""
        facts = self._facts
        if self._cold:
            return Standing("", int(RARE), self._cold)
        if node in facts.definitions.partials:
            return Standing(facts.definitions.partials[node], int(SAME), "")
        function = facts.function_node(node)
        name = facts.item_rounds.name(node)
        frequency, why, kind, gate, options, line, may_evaluate = facts.placements.of(node)
        if frequency >= STEP and self._is_cold(function):
            frequency, why, line = SAME, "", 0
        options += facts.of_definitions(node, is_hot=frequency >= STEP)
        return Standing(name, int(frequency), why, kind, gate, options, line, may_evaluate)

    def warmth(self, node: ast.AST) -> Warmth:
        """Heat of the place where `node` stands, loops and gates around it counted."""
        return self.at(self.standing(node))

    def at(self, standing: Standing) -> Warmth:
        """Return the heat of a place."""
        return warmth_at(standing, self.functions, self.options, self._path)

    def _is_cold(self, function: ast.AST | None) -> bool:
        """Whether a function is cold whatever it holds: a hot loop in it counts for nothing."""
        facts = self._facts.functions.get(function) if function is not None else None
        return facts is not None and bool(self._facts.cold_reason(facts))


class _Alone:
    """What a file holds that is judged by itself."""

    def __init__(self, summary: FileSummary) -> None:
        self._summary = summary

    def summary(self) -> FileSummary:
        """What it holds."""
        return self._summary

    def calls(self) -> Iterable[tuple[str, tuple[CallSite, ...]]]:
        """The calls of each of its functions, by name in paths."""
        return [(function.name, function.calls) for function in self._summary.functions]

    def passing(self) -> Passing:
        """What it says of options."""
        return self._summary.passing

    @staticmethod
    def dependencies() -> Dependencies:
        """Nothing: there are no other files."""
        return NO_DEPENDENCIES

    @staticmethod
    def is_resolved() -> bool:
        """No graph was there before."""
        return False

    @staticmethod
    def resolved() -> tuple[()]:
        """Never asked."""
        return ()


def options_told(told: Told) -> dict[PlainOption, OptionTold]:
    """Return what a file is told of its options, by them."""
    return {option: OptionTold(heat, its) for option, heat, its in told.options}


def warmth_at(
    standing: Standing,
    functions: Mapping[str, Warmth],
    options: Mapping[PlainOption, OptionTold],
    path: str,
) -> Warmth:
    """Heat of a place in a file.

    Args:
        standing: where it stands in its function.
        functions: heat of the file's functions at their top level.
        options: what `options_told` gives of the file.
        path: the file as reasons name it.
    """
    if standing.frequency < SAME:
        return Warmth(Heat.COLD, standing.why, gate=standing.gate)
    hangs_on: list[Option] = []
    is_off = False
    around = functions.get(standing.function, _UNKNOWN)
    for option in standing.options:
        if option.kind == NAME and around.heat >= Heat.STEP:
            continue  # settings, or a method's name alone, lead to it
        told = options.get(option)
        if option.bounds_rounds:
            standing = standing._replace(frequency=once(standing.frequency)) if told is not None else standing
        elif told is None:
            hangs_on += [] if any(one.kind in _OF_OTHERS for one in together(option)) else [option]
        elif told.heat == Heat.COLD:
            given = Option(*told.option).default if option.kind == PASSED else ""
            kind = GateKind.GIVEN if given else GateKind.UNPASSED
            return Warmth(Heat.COLD, "", gate=Gate(kind, option.name, given))
        else:
            hangs_on.append(Option(*told.option))
            is_off = is_off or told.heat == Heat.PRESUMED
    warmth = _at(standing, around, path)
    if around.heat is Heat.COLD and around.options and warmth.heat > Heat.COLD:
        hangs_on += around.options
        is_off = True
    if not hangs_on or (warmth.heat is Heat.COLD and not is_off):
        return warmth
    heat = min(Heat.PRESUMED, warmth.heat) if is_off else warmth.heat
    more = [option for option in hangs_on if option not in warmth.options]
    return warmth._replace(heat=heat, options=(*warmth.options, *more))


def _at(standing: Standing, around: Warmth, path: str) -> Warmth:
    """Heat of a place in a function that is as hot as `around`, whatever options it hangs on.

    Where settings make the function cold, or nobody runs it, hot loops in it count for nothing.
    """
    frequency, kind = standing.frequency, standing.kind
    is_left = around.gate is not None or around.kind is ReasonKind.SETTINGS
    if frequency >= STEP and not (around.heat is Heat.COLD and is_left):
        text = f"{path}{standing.why}"
        places = (Place(path, standing.function, standing.line),)
        if around.has_requests:
            return Warmth(Heat.REQUEST, text, kind, places=places)
        evaluates = standing.may_evaluate and around.has_evaluations
        stays = around.stays_in_rounds if frequency == STEP and not standing.may_evaluate else None
        if frequency == LOOP or around.heat >= Heat.STEP:
            repeated = Repeated.LOOP_OF_ITS_OWN
            return Warmth(
                Heat.LOOP, text, kind, places=places, repeated=repeated, evaluates=evaluates, stays=stays
            )
        return Warmth(Heat.STEP, text, kind, places=places, evaluates=evaluates, stays=stays)
    around = around._replace(stays_in_rounds=None) if around.stays_in_rounds is not None else around
    if frequency == REPEATED:
        around = around._replace(stays=None) if around.stays is not None else around  # not in each round
        if around.heat is Heat.STEP:
            return around._replace(heat=Heat.LOOP, repeated=Repeated.LOOP, has_requests=False)
    return around._replace(has_requests=False) if around.has_requests else around
