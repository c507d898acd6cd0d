"""Scores findings against places of real commits, as the benchmark's own ``score.py`` does."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["Score", "half_of", "part_of", "score"]

_FIRST_OF_B: Final = "lightning-ai/torchmetrics"
_NEAR: Final = 3
"""Lines that a finding may be away from the place that a commit mended."""

Case = Mapping[str, Any]
Finding = Mapping[str, Any]
Families = Mapping[str, Sequence[str]]
"""The families of overhead that a rule's code tells of."""


class Score(NamedTuple):
    """What findings are worth.

    Attributes:
        rows: what is printed of it, by name.
        by: hits by family and number of positives, by family of overhead and by repository.
        misses: positives without a finding of their family.
        flagged: look-alikes, and cases whose mended lines, that have a finding.
    """

    rows: dict[str, float | int]
    by: dict[str, dict[str, tuple[int, int]]]
    misses: list[str]
    flagged: list[str]


def half_of(repository: str) -> str:
    """Which half of the shared benchmark a repository belongs to: rules were mended with a; b is held out."""
    return "a" if repository.lower() < _FIRST_OF_B else "b"


def part_of(repository: str) -> str:
    """Which part of the other commits a repository belongs to, by its name alone."""
    odd = hashlib.sha256(repository.lower().encode()).digest()[0] % 2
    return "seen" if odd else "unseen"


def score(cases: Iterable[Case], found: Iterable[Finding], families: Families, files: Path) -> Score:
    """Score findings on cases.

    Args:
        cases: lines of the benchmark; positives count that are visible in source, wholly or partly.
        found: findings, with ``path`` (``<blob>.py``), ``line`` and ``code``.
        families: what a code tells of.
        files: where the file versions lie.
    """
    cases = list(cases)
    judge = _Judge(found, families)
    positives = [case for case in cases if case["kind"] == "positive" and case["static"] in ("yes", "partly")]
    fixed = [case for case in positives if case["neg_valid"]]
    clean = [case for case in cases if case["kind"] != "positive"]
    hits = {case["id"]: judge.hit(case) for case in positives}
    still = {case["id"] for case in fixed if judge.still(case)}
    flagged = [case["id"] for case in clean if judge.at(case["blob"], case["lines"])]
    keys = ("parent_blob", "fixed_blob", "blob")
    blobs: set[str] = {case[key] for case in cases for key in keys if case.get(key)}
    lines = sum((files / f"{blob}.py").read_bytes().count(b"\n") for blob in blobs)
    rows = {
        "positives (static yes, partly)": len(positives),
        "recall by family": _share(hits.values(), len(positives)),
        "recall by any rule": _share((judge.near(case) for case in positives), len(positives)),
        "paired: flagged before, silent after": _share(
            (hits[case["id"]] and case["id"] not in still for case in fixed), len(fixed)
        ),
        "look-alikes": len(clean),
        "look-alikes flagged": _share((True for _ in flagged), len(clean)),
        "fixed lines flagged for the same family": _share((True for _ in still), len(fixed)),
        "findings per 1,000 lines": round(1000 * judge.count(blobs) / max(1, lines), 2),
    }
    by = {"family": _by(positives, hits, "family"), "repository": _by(positives, hits, "repo")}
    return Score(rows, by, [name for name, hit in hits.items() if not hit], [*flagged, *sorted(still)])


class _Judge:
    """Findings by file version, and what they say about a case."""

    def __init__(self, found: Iterable[Finding], families: Families) -> None:
        self._families = families
        self._at: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._counts: Counter[str] = Counter()
        for one in found:
            blob = Path(one["path"]).stem
            self._counts[blob] += 1
            self._at[blob] += [(line, one["code"]) for line in (one["line"], *one.get("also", ()))]

    def near(self, case: Case) -> bool:
        """Whether anything is found near the place of a commit, before it."""
        return bool(self.at(case["parent_blob"], case["lines"], _NEAR))

    def hit(self, case: Case) -> bool:
        """Whether overhead of the case's family is found there."""
        return self._tells(case, self.at(case["parent_blob"], case["lines"], _NEAR))

    def still(self, case: Case) -> bool:
        """Whether it is found in the mended lines."""
        mended = [line for first, last in case["fixed_lines"] for line in range(first, last + 1)]
        return self._tells(case, self.at(case["fixed_blob"], mended))

    def at(self, blob: str, lines: Iterable[int], away: int = 0) -> set[str]:
        """The codes that are found at lines of a file version, or up to some lines away."""
        wanted = set(lines)
        return {code for line, code in self._at[blob] if any(abs(line - one) <= away for one in wanted)}

    def count(self, blobs: Iterable[str]) -> int:
        """Number of findings in file versions."""
        return sum(self._counts[blob] for blob in blobs)

    def _tells(self, case: Case, codes: Iterable[str]) -> bool:
        return any(case["family"] in self._families.get(code, ()) for code in codes)


def _share(true: Iterable[bool], of: int) -> float:
    return round(sum(true) / max(1, of), 3)


def _by(positives: Iterable[Case], hits: Mapping[str, bool], key: str) -> dict[str, tuple[int, int]]:
    hit: Counter[str] = Counter()
    number: Counter[str] = Counter()
    for case in positives:
        number[case[key]] += 1
        hit[case[key]] += hits[case["id"]]
    return {name: (hit[name], number[name]) for name in number}
