"""What was resolved of one file's calls, as plain data: as long as no file defines other things, it holds."""

from __future__ import annotations

import marshal
import re
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.function_names import generator_of
from overhead_lint.project.cross_file import Told
from overhead_lint.project.graph.traits import Site, Traits
from overhead_lint.project.module_index import module_of
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from overhead_lint.project.graph.interning import Interner

__all__ = [
    "Resolved",
    "fresh_names",
    "handed_in",
    "kept_mentions",
    "mentions",
    "packed",
    "passed_in",
    "unpacked",
]

Plain = tuple[Any, ...]

_END_OF_WORD: Final = rb"(?![B-EG-MO-SU-Yb-fhj-qv-y0-9_])"
"""Stands after a name in a pattern for what `marshal` wrote: other letters may say what comes next."""


class Resolved(NamedTuple):
    """What the graph holds of one file.

    Attributes:
        traits: of its functions, by key.
        sites: for each function, by key, the places in it from which others may be run, if there are any.
        told: what it is told of other files, but for what of its functions these compile.
    """

    traits: dict[str, Traits]
    sites: dict[str, tuple[Site, ...]]
    told: Told


def packed(keys: Iterable[str], all_: Resolved, long: Callable[[str], str]) -> Plain:
    """What the graph holds of one file.

    Args:
        keys: of the file's functions.
        all_: what it holds, with what is told to this file.
        long: gives the name of a module that lasts longer than this graph, by its part of keys.
    """
    modules: dict[str, int] = {}

    def plain(site: Site) -> Plain:
        targets = []
        for target in site.targets:
            home = module_of(target)
            targets.append((modules.setdefault(home, len(modules)), target[len(home) :]))
        return tuple(targets), *site[1:]

    functions = []
    for key in keys:
        name = key[len(module_of(key)) :]
        sites = all_.sites.get(key, ())
        functions.append((name, tuple(all_.traits[key]), tuple([plain(site) for site in sites])))
    return (
        tuple(functions),
        tuple(map(long, modules)),
        (
            all_.told.kinds,
            all_.told.settings,
            all_.told.aliases,
        ),
    )


def unpacked(data: Plain, module: str, short: Mapping[str, str], shared: Interner) -> Resolved:
    """What the graph holds of one file, from what `packed` gave.

    Args:
        data: that.
        module: the file's part of keys.
        short: the parts of keys that modules have in this graph.
        shared: takes what functions are: few are like no other.
    """
    functions, modules, told = data
    homes = [short[one] for one in modules]
    traits: dict[str, Traits] = {}
    sites: dict[str, tuple[Site, ...]] = {}
    for name, values, places in functions:
        key = module + name
        traits[key] = shared.one(Traits(*values))
        if places:
            sites[key] = tuple(
                [
                    Site(tuple([homes[home] + one for home, one in targets]), *rest)
                    for targets, *rest in places
                ]
            )
    return Resolved(traits, sites, Told(*told))


def fresh_names(before: Plain, now: Plain) -> frozenset[str] | None:
    """Plain names of the functions that only one of two states of a file has.

    None if other files may be led elsewhere for another reason: its classes, imports, or what functions give.
    What it passes and hands to functions is not asked.

    Args:
        before: a summary, as `overhead_lint.project.file_summary.written` has it.
        now: another of the same file.
    """
    from overhead_lint.project.file_summary import FileSummary

    fields = FileSummary._fields[:-1]  # what is said of options leads nowhere
    parts_before, parts_now = (dict(zip(fields, one, strict=True)) for one in (before, now))
    old, new = (_asked(parts.pop("functions")) for parts in (parts_before, parts_now))
    changed = old.keys() ^ new.keys()
    for parts in (parts_before, parts_now):
        parts["gives"] = [one for one in parts["gives"] if one[0] not in changed]
    given = [[parts.pop(part) for part in ("passed", "handed")] for parts in (parts_before, parts_now)]
    if parts_before != parts_now:
        return None
    if any(new[name] != said for name, said in old.items() if name in new):
        return None
    fresh = frozenset(generator_of(name.rpartition(".")[2]) for name in changed)
    # What they say of each other is asked for by way of them only.
    said = repr((parts_now, given, [said for name, said in new.items() if name not in changed]))
    return None if mentions(fresh, [said.encode()]) else fresh


def passed_in(summary: Plain) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a file passes to functions of others, by its summary as written."""
    from overhead_lint.project.file_summary import FileSummary

    passed: tuple[tuple[str, tuple[str, ...]], ...] = summary[FileSummary._fields.index("passed")]
    return passed


def handed_in(summary: Plain) -> tuple[tuple[str, str, str], ...]:
    """What a file hands to calls, by its summary as written."""
    from overhead_lint.project.file_summary import FileSummary

    handed: tuple[tuple[str, str, str], ...] = summary[FileSummary._fields.index("handed")]
    return handed


def _asked(functions: Plain) -> dict[str, list[Plain]]:
    """What others may ask of functions, by name: what they return, and the parameters that they call."""
    from overhead_lint.project.file_summary import FunctionSummary

    found: dict[str, list[Plain]] = {}
    fields = FunctionSummary._fields
    returns, takes = fields.index("returns"), fields.index("takes")
    for function in functions:
        found.setdefault(function[0], []).append((function[returns], function[takes]))
    return found


def mentions(names: Iterable[str], texts: Sequence[bytes]) -> bool:
    """Whether a text has one of some plain names as a word; what has no plain name is never mentioned."""
    plain = _plain(names)
    # Most texts of a project have none of them as a part of a word, either: that is seen at once.
    texts = [text for text in texts if any(name in text for name in plain)]
    if not texts:
        return False
    words = b"|".join(map(re.escape, plain))
    wanted = re.compile(rb"(?<![A-Za-z0-9_\x80-\xff])(?:%s)(?![A-Za-z0-9_\x80-\xff])" % words)
    return any(wanted.search(text) for text in texts)


def kept_mentions(names: Iterable[str], texts: Sequence[bytes]) -> bool:
    """Whether texts that `marshal` wrote hold one of some plain names as a word.

    There each word is followed by a letter, or by half of one, that says what comes next.
    """
    plain = _plain(names)
    texts = [text for text in texts if any(name in text for name in plain)]
    if not texts:
        return False
    wanted = re.compile(rb"(?:%s)%s" % (b"|".join(map(re.escape, plain)), _END_OF_WORD))
    return mentions(
        map(bytes.decode, plain),
        [repr(marshal.loads(text)).encode() for text in texts if wanted.search(text)],
    )


def _plain(names: Iterable[str]) -> list[bytes]:
    return [name.encode() for name in sorted(names) if name.isidentifier()]
