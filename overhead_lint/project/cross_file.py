"""What the project tells a file of others, besides the heat of its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.analysis.graph.option import PlainOption
    from overhead_lint.rule import Warmth

__all__ = [
    "NOTHING_TOLD",
    "SETTINGS",
    "SETTINGS_SOUGHT",
    "OptionTold",
    "Told",
    "changed_paths",
    "is_run_by_data",
    "told_kinds",
]

SETTINGS: Final = "="
"""Stands among the paths that a file seeks for the wish to be told of global settings that others make."""

SETTINGS_SOUGHT: Final = "=?"
"""Stands among the paths that what a rule saw depends on where it asks for those settings only in a file that
is told of kinds, or that others compile it: all other files it need not see again for them."""


class OptionTold(NamedTuple):
    """What the project tells of an option.

    Attributes:
        heat: that of what hangs on it at most, as a number.
        default: the default of an attribute, as Python writes it; "" for others.
    """

    heat: int
    default: str = ""


class Told(NamedTuple):
    """What the project tells a file of others: plain data, as records keep it.

    Attributes:
        kinds: paths into other files, each with what it stands for, as `encoded` of
            `overhead_lint.project.kinds.abstract_value` gives it.
        settings: global settings that other files make: names, values, places.
        compiled: functions of the file that others have compiled, by name in paths, each with whether steps
            run it outside of compiled code as well.
        traced: those that users compile, though the project does not.
        trace_evidence: what shows that users do; "" where `traced` is empty.
        options: options of the file, each with what an `OptionTold` has.
    """

    kinds: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    compiled: tuple[tuple[str, bool], ...] = ()
    traced: tuple[str, ...] = ()
    trace_evidence: str = ""
    options: tuple[tuple[PlainOption, int, str], ...] = ()

    def to_rules(self) -> Told:
        """Return what rules look at a file again for; of the rest they are asked what they went by."""
        return self._replace(traced=(), trace_evidence="", options=())


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


def told_kinds(dependencies: Mapping[str, str], kinds: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What a file is to be told of kinds of values in other files; nothing if it makes no difference to it.

    Args:
        dependencies: the paths that what rules saw depends on, with letters of kinds that would change it.
        kinds: what the project knows of them, as `encoded` of `overhead_lint.project.kinds.abstract_value`
            gives it.
    """
    matters = any(not set(letters).isdisjoint(kinds.get(path, "")) for path, letters in dependencies.items())
    return tuple(sorted((path, kinds[path]) for path in dependencies if kinds.get(path))) if matters else ()


def changed_paths(before: Told, now: Told) -> frozenset[str]:
    """The paths of which a file is told another kind than before."""
    return frozenset(path for path, _ in {*before.kinds} ^ {*now.kinds})
