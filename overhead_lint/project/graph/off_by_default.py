"""Which attributes that tests ask for are off by default, as far as all files of a project say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.project.graph.project_tables import Kept
from overhead_lint.project.option_texts import ANY_WORD, SAID, WORD
from overhead_lint.project.options import UNSET

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["AttributeDefaults"]

_SHOWN = {"F": "False", "0": "0", "N": "None", "T": "True"}
_WRITTEN = {UNSET: "N"}
_WORDS = (SAID, WORD)


class AttributeDefaults:
    """Gathers what files say of attributes by their names: whatever has the name may be what is asked for.

    Args:
        names: those that are asked for.
        kept: what was gathered before.
    """

    def __init__(self, names: Iterable[str], kept: Kept | None = None) -> None:
        self._kept = kept or Kept()
        for name in names:
            self._kept.table[name] = set()

    @property
    def _kinds(self) -> dict[str, set[str]]:
        return self._kept.table

    def add(self, said: Iterable[str]) -> None:
        """Add what a file says, as `overhead_lint.project.attribute_defaults` has it."""
        kinds = self._kinds
        for one in said:
            name, _, kind = one.partition(":")
            known = kinds.get(name)
            if known is not None:
                known.add(kind)

    def changes(self, before: Iterable[str], now: Iterable[str]) -> bool:
        """Whether it matters that a file says something else than before of attributes that are asked for."""
        old, new = self._wanted(before), self._wanted(now)
        return bool(old - new) or any(kind not in self._kinds[name] for name, kind in new - old)

    def _wanted(self, said: Iterable[str]) -> set[tuple[str, str]]:
        """What of it is said of attributes that are asked for, words left out of what is none by default."""
        found = set()
        for one in said:
            name, _, kind = one.partition(":")
            known = self._kinds.get(name)
            if known is not None and (kind[:1] != SAID or any(other[:1] == WORD for other in known)):
                found.add((name, kind))
        return found

    def plain(self) -> tuple[bytes, ...]:
        """It as it is kept."""
        return self._kept.pieces()

    def shown(self, name: str, needed: str) -> str:
        """The default of an attribute if all that is said of it is of these kinds; "" otherwise."""
        said = self._kinds.get(name, ())
        kinds = {_WRITTEN.get(kind, kind) for kind in said if kind[:1] != SAID}
        if not kinds:
            return ""
        plain, *words = needed.split(WORD)
        has_words = any(kind[:1] == WORD for kind in kinds)
        for kind in said:
            if kind[:1] == SAID and not has_words:
                continue  # one of another kind has the name, too
            if kind[:1] in _WORDS:
                # Before the words stands whether they are all that shut a branch, or all that do not.
                if (kind[1:] in words) is plain.endswith(ANY_WORD):
                    return ""
            elif _WRITTEN.get(kind, kind) not in plain:
                return ""
        least = min(kinds)
        return repr(least[1:]) if least[:1] == WORD else _SHOWN[least]

    def may_be_data(self, name: str) -> bool:
        """Whether an attribute may hold data that was handed over, and None by default."""
        return "N" in self._kinds.get(name, ())
