"""Where the time of one evaluation of an entry's guards goes, by what they look at.

The guards of an entry are a tree. Copies of it are timed that have one family of nodes more each, in the
order in which the tree is walked; what a copy takes longer than the one before is the time of that family,
with the way to it. So the times add up to that of the whole tree.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from overhead_lint.probes import timing
from overhead_lint.probes.guards_causes import family_of
from overhead_lint.probes.guards_tree import managers, pruned

__all__ = ["FamilyTime", "family_times"]

MOST_FAMILIES = 64
"""Families that are timed one by one; the rest of a tree with more is one line."""


class FamilyTime(NamedTuple):
    """What the guards of one family take.

    Attributes:
        source: what they look at, indices collapsed.
        objects: how many such things there are.
        guards: how many leaf guards they have.
        seconds: one evaluation of all of them, caches warm.
    """

    source: str
    objects: int
    guards: int
    seconds: float


def family_times(guards: Any, f_locals: Mapping[str, object]) -> tuple[FamilyTime, ...]:
    """Time the families of guards of one entry.

    Args:
        guards: the ``guard_manager`` of a cache entry.
        f_locals: inputs that its guards hold on.

    Returns:
        The families, those that take longest first.

    Raises:
        Unsupported: this torch cannot show or copy the tree of guards.
    """
    objects, leaves = Counter[str](), Counter[str]()
    for manager in managers(guards):
        name = family_of(manager.source)
        objects[name] += 1
        leaves[name] += manager.leaves
    names = list(objects)  # in the order of the tree
    alone, rest = names[:MOST_FAMILIES], names[MOST_FAMILIES:]
    steps = [names[: index + 1] for index in range(len(alone))] + ([names] if rest else [])
    checks = [pruned(guards, _keeps(frozenset(step))) for step in steps]
    seconds = timing.hot_seconds_of([functools.partial(check, f_locals) for check in checks])
    took = [max(0.0, now - before) for before, now in zip([0.0, *seconds], seconds, strict=False)]
    found = [
        FamilyTime(name, objects[name], leaves[name], one) for name, one in zip(alone, took, strict=False)
    ]
    if rest:
        things, guarded = (sum(counts[name] for name in rest) for counts in (objects, leaves))
        found.append(FamilyTime(f"{len(rest)} other families", things, guarded, took[-1]))
    found += _lambdas(guards, f_locals, found)
    return tuple(sorted(found, key=lambda one: (-one.seconds, one.source)))


def _keeps(names: frozenset[str]) -> Any:
    return lambda source: family_of(source) in names


def _lambdas(guards: Any, f_locals: Mapping[str, object], found: list[FamilyTime]) -> list[FamilyTime]:
    """The Python lambdas after the tree, whose time is in that of its root."""
    lambdas = guards.root.get_epilogue_lambda_guards()
    if not lambdas:
        return []
    seconds = sum(timing.hot_seconds_of([functools.partial(one, f_locals) for one in lambdas]))
    seconds = min(seconds, found[0].seconds)
    found[0] = found[0]._replace(seconds=found[0].seconds - seconds)
    return [FamilyTime(family_of(""), len(lambdas), len(lambdas), seconds)]
