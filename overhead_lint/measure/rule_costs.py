"""What an execution of each rule's pattern costs on this machine, kept from ``overhead-lint bench``.

It lies in the user's cache folder, and takes the place of the table that ships with the linter.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "RuleCosts",
    "costs_file",
    "keep_costs",
    "kept_costs",
    "quartiles_by_rule",
    "seconds_by_rule",
    "write_reference",
]

_SCHEMA: Final = 1
_ASSUMED_SECONDS: Final = {"event_create": 1e-6, "event_record": 1.5e-6, "event_wait": 1e-6}
"""What a call of the driver is assumed to take the host, where a case counts calls and times none."""


class RuleCosts(NamedTuple):
    """What executions cost, as one machine timed them.

    Attributes:
        machine: for readers.
        seconds: by code of the rule, what the proposed form saves; none of rules without a timing case.
    """

    machine: str
    seconds: Mapping[str, float]


def costs_file() -> Path:
    """Where the costs of this machine lie: where ``OVERHEAD_LINT_COSTS`` says, else in the cache folder."""
    if named := os.environ.get("OVERHEAD_LINT_COSTS"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overhead-lint" / "costs.json"


def seconds_by_rule(cases: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return what an execution costs, by code: the median of what the cases of a rule save, 0 at least.

    Args:
        cases: as ``overhead-lint bench --output-format json`` gives them.
    """
    from statistics import median  # costs start-up

    found: dict[str, list[float]] = {}
    for case in cases:
        seconds = case.get("saving_seconds")
        if seconds is None:
            saved = [name for name, (before, after) in case.get("counts", {}).items() if before > after]
            seconds = sum(_ASSUMED_SECONDS.get(name, 0.0) for name in saved) or None
        if seconds is not None:
            found.setdefault(case["code"], []).append(max(seconds, 0.0))
    return {code: median(values) for code, values in found.items()}


def quartiles_by_rule(cases: Iterable[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return how far savings spread, by code: the least lower and the largest upper quartile of its cases.

    Args:
        cases: as for `seconds_by_rule`; those that were only counted have none.
    """
    found: dict[str, tuple[float, float]] = {}
    for case in cases:
        if quartiles := case.get("saving_quartiles_seconds"):
            lower, upper = found.get(case["code"], quartiles)
            found[case["code"]] = min(lower, quartiles[0]), max(upper, quartiles[1])
    return found


def write_reference(file: Path, machine: str, cases: Iterable[Mapping[str, Any]]) -> None:
    """Write what was timed as a table of its own, with the spread; ``OVERHEAD_LINT_COSTS`` may name it.

    Raises:
        OSError: it cannot be written.
    """
    timed = list(cases)
    quartiles = dict(sorted(quartiles_by_rule(timed).items()))
    _write(file, RuleCosts(machine, seconds_by_rule(timed)), quartiles=quartiles)


def keep_costs(machine: str, cases: Iterable[Mapping[str, Any]]) -> Path:
    """Keep what was timed, beside what was timed on this machine before; returns the file.

    Raises:
        OSError: it cannot be written.
    """
    before = kept_costs()
    kept = dict(before.seconds) if before is not None and before.machine == machine else {}
    kept |= seconds_by_rule(cases)
    file = costs_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(file, RuleCosts(machine, kept))
    return file


def _write(file: Path, costs: RuleCosts, **more: object) -> None:
    import json  # costs start-up, as below

    from overhead_lint.support import atomic

    seconds = dict(sorted(costs.seconds.items()))
    content = {"schema": _SCHEMA, "machine": costs.machine, "seconds": seconds, **more}
    atomic.write(file, (json.dumps(content, indent=2) + "\n").encode())


def kept_costs() -> RuleCosts | None:
    """Return what was timed on this machine; None where nothing was, or what is kept is damaged."""
    try:
        data = costs_file().read_bytes()
    except OSError:
        return None
    import json

    try:
        content = json.loads(data)
        if content["schema"] != _SCHEMA:
            return None
        return RuleCosts(str(content["machine"]), {str(c): float(s) for c, s in content["seconds"].items()})
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
