"""Which source lines are behind guards, recompiles and graph breaks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from overhead_lint.probes.api import Cause
from overhead_lint.probes.guards_failure import is_global_state
from overhead_lint.probes.guards_tree import Leaf, locate

if TYPE_CHECKING:
    from overhead_lint.probes.guards_listener import Break, Compilation, EagerCall, GivenUp
    from overhead_lint.probes.guards_records import CompileTime

__all__ = [
    "break_causes",
    "failed_guard",
    "family",
    "family_of",
    "first_causes",
    "guard_causes",
    "ordered",
    "recompile_causes",
    "time_causes",
]

_INDEX = re.compile(r"\[(?:'\d+'|\d+)\]")


def ordered(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Causes with the most expensive first, equal ones in a fixed order."""
    return tuple(sorted(causes, key=lambda c: (-c.amount, c.path, c.line, c.label)))


def guard_causes(read: Iterable[Iterable[Leaf]]) -> tuple[Cause, ...]:
    """Guards by the user line that needs them."""
    families: defaultdict[tuple[str, int, str], Counter[str]] = defaultdict(Counter)
    for guards in read:
        for leaf in guards:
            name = family(leaf)
            families[leaf.path, leaf.line, "" if leaf.path else name][name] += 1
    causes = []
    for (path, line, _), names in families.items():
        most = min(names, key=lambda name: (-names[name], name))
        others = "" if len(names) == 1 else " and others"
        causes.append(Cause(sum(names.values()), path, line, f"guard on {most}{others}"))
    return ordered(causes)


def family(leaf: Leaf) -> str:
    """What a guard looks at, with list and module indices collapsed."""
    return family_of(leaf.source)


def family_of(source: str) -> str:
    """A source with list and module indices collapsed."""
    if source == "L":  # the root itself: autocast, grad mode, function modes, default device ...
        return "global state"
    return _INDEX.sub("[*]", source) or "symbolic shapes"  # the Python lambdas after the tree


def recompile_causes(recompiled: Iterable[Compilation], eager: Iterable[EagerCall]) -> tuple[Cause, ...]:
    """Recompilations by the line of the guard that failed first.

    Args:
        recompiled: the compilations.
        eager: the calls whose guards failed and that were not compiled again.
    """
    amounts: Counter[tuple[str, int, str, str]] = Counter()
    words: dict[tuple[str, int, str, str], str] = {}
    for compilation in recompiled:
        code = compilation.code
        path, line = locate(compilation.reason.split("\n")[0])
        if not path:
            path, line = code.co_filename, code.co_firstlineno
        failed = failed_guard(compilation)
        # A counter fails with another value each time, and is told once; of the global state each change is.
        key = (path, line, code.co_name, failed if is_global_state(compilation.reason) else "")
        amounts[key] += 1
        words.setdefault(key, failed)
    causes = [
        Cause(amount, key[0], key[1], f"recompile of {key[2]}: {words[key]}")
        for key, amount in amounts.items()
    ]
    first: dict[tuple[str, int, str], str] = {}
    alike: Counter[tuple[str, int, str]] = Counter()
    for call in eager:
        first.setdefault(call[:3], call.failed or "guards failed")
        alike[call[:3]] += 1
    causes += [
        Cause(
            amount,
            key[0],
            key[1],
            f"call{' of ' if key[2] else ''}{key[2]} run eagerly, not compiled again: {first[key]}",
        )
        for key, amount in alike.items()
    ]
    return ordered(causes)


def first_causes(compiled: Iterable[Compilation]) -> tuple[Cause, ...]:
    """Return first compilations by the function that was compiled."""
    places = Counter((c.code.co_filename, c.code.co_firstlineno, c.code.co_name) for c in compiled)
    return ordered(
        Cause(amount, path, line, f"first compilation of {name}")
        for (path, line, name), amount in places.items()
    )


def time_causes(times: Iterable[CompileTime]) -> tuple[Cause, ...]:
    """Return the seconds of compilations by the function that was compiled, or tried."""
    seconds: defaultdict[tuple[str, int, str], list[float]] = defaultdict(list)
    for one in times:
        seconds[one.path, one.line, one.function].append(one.seconds or 0.0)
    return ordered(
        Cause(sum(found), path, line, f"{len(found)} x compiling {name or 'a graph of backward'}")
        for (path, line, name), found in seconds.items()
    )


def failed_guard(compilation: Compilation) -> str:
    """The guard out of ``0/1: k == 2      # y = x * k  # file.py:24 in f``, and what was there instead."""
    reason, now = compilation.reason, compilation.now
    guard = reason.split("\n")[0].partition(": ")[2].partition("  # ")[0].strip()
    if not guard:
        return "Dynamo gave no reason"
    if is_global_state(reason) and (changed := now or guard.partition(": ")[2]):
        return f"failed guard on the global state: {changed}"
    return f"failed guard {guard}, now {now}" if now else f"failed guard {guard}"


def break_causes(breaks: Iterable[Break], given_up: Iterable[GivenUp]) -> tuple[Cause, ...]:
    """Graph breaks by their line, and the frames that could not be compiled at all."""
    causes = [
        Cause(amount, place.path, place.line, f"graph break in {place.function}: {place.reason}")
        for place, amount in Counter(breaks).items()
    ]
    causes += [Cause(1, f.path, f.line, f"{f.function} is not compiled: {f.reason}") for f in given_up]
    return ordered(causes)
