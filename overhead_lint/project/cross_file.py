"""What the project tells a file of others, besides the heat of its functions."""

from __future__ import annotations

import enum
from functools import cache
from typing import TYPE_CHECKING, Final

from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.project.kinds.abstract_value import TENSORS_AND_MODULES, UNKNOWN, decoded, holds
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from overhead_lint.analysis.file_questions import PlainQuestion
    from overhead_lint.analysis.graph.option import PlainOption
    from overhead_lint.rule import Warmth

__all__ = [
    "NOTHING_TOLD",
    "NO_DEPENDENCIES",
    "NO_LOOPS",
    "Dependencies",
    "LoopDependencies",
    "OptionTold",
    "RuleDependencies",
    "SettingsUse",
    "Told",
    "dependents",
    "is_run_by_data",
    "paths_told_otherwise",
]


class SettingsUse(enum.IntEnum):
    """Whether what a rule saw depends on global settings that other files make; caches keep the numbers."""

    NONE = 0
    IF_TOLD = 1
    """It asks for them only in a file that is told of kinds, or that others compile it."""
    ALWAYS = 2


class Dependencies(NamedTuple):
    """What a file seeks of others.

    Attributes:
        kinds: paths into other files that rules asked what they stand for, sorted.
        found_by: those of them that rules asked about and then found something.
        settings: whether it is to be told of global settings that others make.
    """

    kinds: tuple[str, ...]
    found_by: tuple[str, ...] = ()
    settings: bool = False

    def __bool__(self) -> bool:
        """Whether it seeks anything."""
        return self.settings or bool(self.kinds)


class RuleDependencies(NamedTuple):
    """What a rule saw in a file depends on, of what others tell.

    Attributes:
        paths: those of the file's `Dependencies`.
        settings: see `SettingsUse`.
        elsewhere: what it asked of what the file compiles, or makes texts of: a `Question` each.
    """

    paths: tuple[str, ...]
    settings: int = int(SettingsUse.NONE)
    elsewhere: tuple[PlainQuestion, ...] = ()


class LoopDependencies(NamedTuple):
    """What it depends on which loops of a file take steps: all that rules say hangs on that.

    Attributes:
        paths: those of the file's `Dependencies`.
        judged: what tells whether its loops are judged otherwise, as `Loops.judged` gives it.
    """

    paths: tuple[str, ...] = ()
    judged: int = 0


class OptionTold(NamedTuple):
    """What the project tells of an option.

    Attributes:
        heat: that of what hangs on it at most, as a number.
        option: the option with what is told elsewhere of it, and of those beside it.
    """

    heat: int
    option: PlainOption


class Told(NamedTuple):
    """What the project tells a file of others: plain data, as records keep it.

    Attributes:
        kinds: paths into other files, each with what it stands for, as `encoded` of
            `overhead_lint.project.kinds.abstract_value` gives it.
        settings: global settings that other files make: names, values, places.
        aliases: names that the file imports from others, each with the API of a library that it is there.
        compiled: functions of the file that others have compiled, by name in paths, each with whether steps
            run it outside of compiled code as well.
        traced: those that users compile, though the project does not.
        trace_evidence: what shows that users do; "" where `traced` is empty.
        options: options of the file, each with what an `OptionTold` has.
        compiled_places: what the file compiles, by what other files define, each with what a `CompiledPlace`
            has.
        formatted: texts of the file that show objects of other files' classes, each with what a
            `FormattedElsewhere` has.
        places_from: the file and those that it imports, each with its module, the hash of its content and
            whether it is solved with the file.
        places_solved: the hash of all files that this was found out from; empty if it was from itself.
    """

    kinds: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    compiled: tuple[tuple[str, bool], ...] = ()
    traced: tuple[str, ...] = ()
    trace_evidence: str = ""
    options: tuple[tuple[PlainOption, int, PlainOption], ...] = ()
    compiled_places: tuple[tuple[object, ...], ...] = ()
    formatted: tuple[tuple[object, ...], ...] = ()
    places_from: tuple[tuple[str, str, bytes, bool], ...] = ()
    places_solved: bytes = b""

    def to_rules(self) -> Told:
        """Return what rules look at a file again for; of the rest they are asked what they went by."""
        return self._replace(traced=(), trace_evidence="", options=(), places_from=(), places_solved=b"")


NO_DEPENDENCIES: Final = Dependencies(())
"""Of a file that seeks nothing."""

NO_LOOPS: Final = LoopDependencies()
"""Of a file in which no other one tells which loops take steps."""

NOTHING_TOLD: Final = Told()
"""Of a file that stands alone, or that needs nothing of others."""


def is_run_by_data(warmth: Warmth | None) -> bool:
    """Whether data sets run a function, themselves or through others, and nothing else.

    Or what puts their batches together does. Heat comes from both last: what anything else runs as often has
    another reason.

    Args:
        warmth: its heat; None if the file holds it no more.
    """
    return warmth is not None and warmth.kind is ReasonKind.DATA


def paths_told_otherwise(before: Told, now: Told, found_by: Collection[str] = ()) -> set[str]:
    """Return the paths into other files of whose kinds a file is told something else that may matter.

    What is no tensor and no module makes no rule speak that did not.

    Args:
        before: what it was told.
        now: what it is told.
        found_by: paths that rules asked about and then found something.
    """
    changed = {*before.kinds} ^ {*now.kinds}
    return {path for path, kind in changed if path in found_by or _makes_speak(kind)}


@cache
def _makes_speak(kind: str) -> bool:
    return holds(decoded(kind, lambda path: UNKNOWN), TENSORS_AND_MODULES)


def dependents(
    by_rule: Iterable[tuple[str, tuple[tuple[str, ...], int, tuple[PlainQuestion, ...]]]],
    before: Told,
    now: Told,
    found_by: Collection[str],
) -> set[str]:
    """Return the rules for which it may matter that a file is told something else of others than before.

    Args:
        by_rule: codes of rules, each with what a `RuleDependencies` has.
        before: what it was told.
        now: what it is told.
        found_by: paths that rules asked about and then found something.
    """
    changed = paths_told_otherwise(before, now, found_by)
    least = SettingsUse.IF_TOLD if now.compiled or now.kinds else SettingsUse.ALWAYS
    others = now.settings != before.settings
    seen_before = before.compiled_places, before.formatted
    other_places = (now.compiled_places, now.formatted) != seen_before
    return {
        code
        for code, (paths, settings, elsewhere) in by_rule
        if not changed.isdisjoint(paths) or (others and settings >= least) or (other_places and elsewhere)
    }
