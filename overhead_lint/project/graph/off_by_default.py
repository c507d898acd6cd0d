"""Which attributes that tests ask for are off by default, as far as all files of a project say."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from overhead_lint.analysis.graph.option import ENTRY, SAID, UNSET, WORD, Default, Option, ValueKind
from overhead_lint.analysis.options.attributes import OF_TABLES
from overhead_lint.analysis.options.constants import is_comparable
from overhead_lint.project.graph.project_tables import Kept

__all__ = ["AS_GIVEN", "AttributeDefaults", "shown"]

_NONE: Final = int(ValueKind.NONE)
AS_GIVEN: Final = {UNSET: _NONE}
"""What kinds of defaults are told as when they are compared: None is None, be it data or a setting."""
_OF_ENTRIES: Final = frozenset({"", OF_TABLES})
"""Tables, and what nobody knows the class of: options of a parser may be read by their names as well."""
_SHOWN: Final = {
    int(ValueKind.FALSE): "False",
    int(ValueKind.ZERO): "0",
    _NONE: "None",
    int(ValueKind.TRUE): "True",
    int(ValueKind.ONE): "1",
    int(ValueKind.LESS_THAN_NONE): "-1",
}

Said = Iterable[tuple[str, int, str, str]]
"""Attributes with defaults: see `overhead_lint.analysis.options.attributes`."""


class AttributeDefaults:
    """Gathers what files say of attributes by their names: whatever has the name may be what is asked for.

    Of what is known to be an attribute of a class only that counts which this class and its kin say, if they
    say anything of it, and what is said of objects of which nobody knows the class. Sections of settings
    count as classes: ``cfg.NET.DEEP`` is what ``NET`` has as ``DEEP``, if a section of that name has it.

    Args:
        names: those that are asked for.
        kept: what was gathered before.
    """

    def __init__(self, names: Iterable[str], kept: Kept | None = None) -> None:
        self._kept = kept or Kept()
        for name in names:
            self._kept.table[name] = set()

    @property
    def _kinds(self) -> dict[str, set[tuple[int, str, str]]]:
        return self._kept.table

    def add(self, said: Said) -> None:
        """Add what a file says, as `overhead_lint.analysis.options.attributes` has it."""
        kinds = self._kinds
        for name, kind, word, cls in said:
            known = kinds.get(name)
            if known is not None:
                known.add((kind, word, cls))

    def changes(self, before: Said, now: Said) -> bool:
        """Whether it matters that a file says something else than before of attributes that are asked for."""
        old, new = self._wanted(before), self._wanted(now)
        return bool(old - new) or any(kind not in self._kinds[name] for name, kind in new - old)

    def _wanted(self, said: Said) -> set[tuple[str, tuple[int, str, str]]]:
        """What of it is said of attributes that are asked for, words left out of what is none by default."""
        found = set()
        for name, kind, word, cls in said:
            known = self._kinds.get(name)
            if known is not None and (kind != SAID or any(other[0] == WORD for other in known)):
                found.add((name, (kind, word, cls)))
        return found

    def plain(self) -> tuple[bytes, ...]:
        """It as it is kept."""
        return self._kept.pieces()

    def _said(self, option: Option, kin: Collection[str]) -> set[tuple[int, str]]:
        """What code says of an attribute, each a `Default`."""
        everywhere = self._kinds.get(option.name, ())
        if option.kind == ENTRY:
            return {(kind, word) for kind, word, cls in everywhere if cls in _OF_ENTRIES}
        own = {_section(option), *kin} - {""}
        is_told = any(cls in own for _, _, cls in everywhere)
        return {
            (kind, word)
            for kind, word, cls in everywhere
            if cls in own or not ((is_told and cls) or cls == OF_TABLES)
        }

    def is_of_section(self, option: Option) -> bool:
        """Whether code says which section of settings an attribute is of, as its holder is named."""
        section = _section(option)
        return bool(section) and any(cls == section for _, _, cls in self._kinds.get(option.name, ()))

    def shown(self, option: Option, kin: Collection[str] = (), shipped: Iterable[Default] = ()) -> str:
        """Return the default of an attribute, as it is written, if all that is said of it shuts the option.

        "" otherwise.

        Args:
            option: the attribute.
            kin: its class, with those that it derives from and that derive from it.
            shipped: what settings files that ship have for it.
        """
        return shown(option, [Default(*one) for one in self._said(option, kin)] + [*shipped])

    def is_said(self, option: Option) -> bool:
        """Whether code gives an attribute a default, and not just a word."""
        return any(kind != SAID for kind, _ in self._said(option, ()))

    def may_be_data(self, option: Option, kin: Collection[str] = ()) -> bool:
        """Whether an attribute may hold data that was handed over, and None by default."""
        return (_NONE, "") in self._said(option, kin)


def _section(option: Option) -> str:
    """The name of what an attribute is read of: ``NET`` of ``cfg.NET``; "" for what has a name of its own."""
    return option.owner.rpartition(".")[2] if "." in option.owner else ""


def shown(option: Option, values: Iterable[Default]) -> str:
    """Return what something is, as it is written, if all that it may be shuts the option; "" otherwise.

    Args:
        option: it.
        values: what it may be.
    """
    said = [Default(AS_GIVEN.get(kind, kind), word) for kind, word in values]
    kinds = [one for one in said if one.kind != SAID]
    if not kinds:
        return ""
    words = [*option.words, *(word for kind, word in said if kind in (SAID, WORD))]
    if option.words and not is_comparable(words):
        return ""
    has_words = any(one.kind == WORD for one in kinds)
    for kind, word in said:
        if kind == SAID and not has_words:
            continue  # one of another kind has the name, too
        if kind in (SAID, WORD):
            if (word in option.words) is option.by_other_words:
                return ""
        elif kind not in option.shut_by:
            return ""
    least = min(kinds)
    return repr(least.word) if least.kind == WORD else _SHOWN.get(least.kind, least.word)
