"""What options are in the settings files that ship with a project, all of them taken together.

One is off in what ships where each file that sets it turns it off; one that turns it on is enough for it to
be on. Files say it by keys, code by names: ``cfg.ema.use`` is what a file has below ``ema`` as ``use``, or,
where none has that, as ``use`` anywhere.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import OTHERWISE, UNSET, VALUE, Default, Option
from overhead_lint.analysis.options.constants import default_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["Shipped", "ShippedValues", "asked", "written"]

Shipped = tuple[str, int, str]
"""A key, behind the one above it and a dot, and the `Default` that a file has for it."""

_UNSET: Final = Default(UNSET)
_OTHERWISE: Final = Default(OTHERWISE)


class ShippedValues:
    """What all settings files have for options that are asked about.

    Args:
        table: the defaults of keys, each behind the one above it and a dot, or behind a dot alone.
    """

    def __init__(self, table: Mapping[str, Collection[tuple[int, str]]]) -> None:
        self._table = table

    def of(self, option: Option, *, of_section: bool = False) -> list[Default]:
        """Return what the files have for an attribute: nothing where none sets it.

        Args:
            option: the attribute.
            of_section: whether files have it below what it is read of, and nowhere else.
        """
        above = option.owner.rpartition(".")[2]
        found = self._table.get(f"{above}.{option.name}", ())
        if not found and not of_section:
            found = self._table.get(f".{option.name}", ())
        return [Default(*one) for one in found]

    def has_other(self, option: Option) -> bool:
        """Whether a file has something for an option that may be another value than its default."""
        found = self._table.get(f".{option.name}", ())
        default = written(option.default) if found else _OTHERWISE
        return any(one != default or one[0] in (OTHERWISE, VALUE) for one in found)


def asked(shipped: Iterable[Shipped], names: Collection[str]) -> dict[str, set[tuple[int, str]]]:
    """Return the table of `ShippedValues` with what files have for options of some names."""
    table: dict[str, set[tuple[int, str]]] = {}
    for key, kind, word in shipped:
        if key.rpartition(".")[2] in names:
            table.setdefault(key, set()).add((kind, word))
    return table


def written(text: str) -> Default:
    """Return what a default is that stands there as Python writes it."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return _OTHERWISE
    return _UNSET if value is None else default_of(value)
