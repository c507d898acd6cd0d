"""Entries of tables of which options pick one: ``{"a": A(), "b": B()}[args.head]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.graph.guards import runs_as_program
from overhead_lint.analysis.ir.opcodes import BIND, BUILD, COMPARE, ITEM
from overhead_lint.analysis.ir.queries import NAMED, bound, made_of
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.options.declared import MOST_ENTRIES, entries

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.options.asked import AskedOptions

__all__ = ["picked"]


def picked(names: Names, options: AskedOptions, place: int) -> dict[int, tuple[Option, ...]]:
    """Return what makes the entries of a function's tables, with the options that pick others by default.

    Args:
        names: the names of the file.
        options: what values are while its options have their defaults.
        place: the function.

    Returns:
        For each operation that an entry is made by the options that keep it from being taken.
    """
    record = names.functions[place]
    found: dict[int, tuple[Option, ...]] = {}
    for at, code in enumerate(record.code):
        if code != BUILD or record.extra[at][0] != "dict" or len(record.extra[at]) >= 2 * MOST_ENTRIES:
            continue
        by_words = tuple(entries(record, at))
        # Other keys may be the same as one of these.
        has_others = 1 + 2 * len(by_words) != len(record.extra[at])
        key = NONE if has_others or not by_words else _key(names, place, at)
        if key == NONE:
            continue
        for word, value in by_words:
            keeping = options.other_than(place, key, word)
            if keeping:
                found.update(dict.fromkeys(made_of(record, value, NAMED), keeping))
    return found


def _key(names: Names, place: int, table: int) -> int:
    """Return the one key that is looked up in a table that nothing else is done with; `NONE` for others."""
    record, uses = names.functions[place], names.flow(place).uses
    found = set()
    waiting = [table]
    for one in waiting:
        for user in uses.get(one, ()):
            code = record.code[user]
            if code == BIND and not _is_known_elsewhere(names, place, user):
                waiting.append(user)
            elif code == ITEM and record.operand[user] == one:
                found.add(bound(record, record.extra[user]))
            elif code != COMPARE or record.operand[user] == one:  # `name in table` asks for nothing in it
                return NONE
    return found.pop() if len(found) == 1 else NONE


def _is_known_elsewhere(names: Names, place: int, binding: int) -> bool:
    """Whether other functions or files may have what a name is bound to."""
    record, name = names.functions[place], names.functions[place].extra[binding]
    if any(name in one.outer for one in names.functions if one is not record):
        return True
    return place == 0 and not runs_as_program(names, names.flow(0).block_of(binding))
