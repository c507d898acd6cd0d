"""The heat that settings give to functions, by their dotted names or by where their files lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.function_names import label
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.config.patterns import is_path
from overhead_lint.project.graph.module_search import name_below
from overhead_lint.rule import Heat, Warmth

if TYPE_CHECKING:
    from overhead_lint.project.graph.member import Member

__all__ = ["Overrides"]

_ALIKE: Final = 0.8
"""How alike an entry must be to a function's name (`difflib`, 0 to 1) to have been meant for it."""


class Overrides:
    """The settings ``hot`` and ``cold``, asked function by function; the longer entry wins, then ``cold``.

    Args:
        hot: patterns of what runs in every step.
        cold: patterns of what never does.
        fits: whether a file, by the name that the project's graph has for it, fits a pattern of paths.
    """

    def __init__(self, hot: Sequence[str], cold: Sequence[str], fits: Callable[[str, str], bool]) -> None:
        entries = [(pattern, Heat.COLD) for pattern in cold] + [(pattern, Heat.STEP) for pattern in hot]
        self._entries = sorted(entries, key=lambda entry: -len(entry[0]))
        self._fits = fits
        self._unused = {pattern for pattern, _ in entries if not is_path(pattern)}
        self._ends_so: dict[str, str] = {}
        self._alike: dict[str, set[str]] = {}
        self._was_asked = False

    def unused(self) -> tuple[tuple[str, str], ...] | None:
        """Dotted names that fit no function that was asked about, and functions that may have been meant.

        A function is one whose name ends as the pattern does, or is like it and in the same place, or of the
        same last word; "" where there is none. None as long as nothing was asked: what earlier runs learned
        was enough.
        """
        if not self._was_asked:
            return None
        return tuple((name, self._meant(name)) for name in sorted(self._unused))

    def _meant(self, pattern: str) -> str:
        if pattern in self._ends_so or pattern not in self._alike:
            return self._ends_so.get(pattern, "")
        from overhead_lint.support.nearest import nearest  # costs start-up

        return nearest(pattern, sorted(self._alike[pattern]), cutoff=_ALIKE)

    def __call__(self, member: Member, function: str) -> Warmth | None:
        """The heat of a function by its name in paths; None if no pattern fits."""
        self._was_asked = True
        names = list(_names(f"{member.name}{function}"))
        if below := name_below(member.name, member.folder):  # the project's folder is a package, too
            names += _names(f"{below}{function}")
        if self._unused:
            self._note(names)
        for pattern, heat in self._entries:
            if is_path(pattern):
                fits = self._fits(member.path, pattern)
            else:
                fits = any(fnmatchcase(name, pattern) for name in names)
            if fits:
                shown = label(function) or "the top level"
                by = (
                    f"cold by the settings: {pattern}"
                    if heat is Heat.COLD
                    else f"{shown} is hot by the settings: {pattern}"
                )
                return Warmth(heat, by, ReasonKind.SETTINGS)
        return None

    def _note(self, names: Sequence[str]) -> None:
        """Note which patterns fit a function, by its name and those of what holds it."""
        for pattern in tuple(self._unused):
            if any(fnmatchcase(name, pattern) for name in names):
                self._unused.discard(pattern)
            elif names[0].endswith(f".{pattern}"):
                self._ends_so.setdefault(pattern, names[0])
            else:
                self._note_alike(pattern, names)

    def _note_alike(self, pattern: str, names: Sequence[str]) -> None:
        """Note names from which a pattern differs by its last word, or by all else, as mistyped ones do."""
        above, _, last = pattern.rpartition(".")
        for name in names:
            other_above, _, other_last = name.rpartition(".")
            if (other_above == above) != (other_last == last):
                self._alike.setdefault(pattern, set()).add(name)


def _names(dotted: str) -> Iterator[str]:
    """A dotted name, and those of what holds it: a pattern for a class is one for its methods."""
    while dotted:
        yield dotted
        dotted = dotted.rpartition(".")[0]
