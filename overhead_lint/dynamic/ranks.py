"""Runs of several ranks, as torchrun starts them: each writes its part, and they become one evidence file."""

from __future__ import annotations

import contextlib
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.measure import evidence as evidence_file
from overhead_lint.measure.evidence import Cause, Evidence, Observed, Steps
from overhead_lint.support.folder_lock import locked
from overhead_lint.support.versioned_json import UnusableFile

if TYPE_CHECKING:
    from overhead_lint.syntax.identity import Identity

__all__ = ["Rank", "forget_part", "merged", "note_missing", "this_rank", "without", "write_part"]


@dataclass(frozen=True, slots=True)
class Rank:
    """One of several processes that run the same program.

    Attributes:
        number: from 0.
        size: how many there are.
        run: tells runs apart.
    """

    number: int
    size: int
    run: str


def this_rank(environ: Mapping[str, str]) -> Rank | None:
    """The rank that the environment says this process has; None for a process by itself."""
    try:
        number, size = int(environ["RANK"]), int(environ["WORLD_SIZE"])
    except (KeyError, ValueError):
        return None
    words = (environ.get("TORCHELASTIC_RUN_ID", ""), environ.get("MASTER_PORT", ""))
    run = "".join(character for character in "-".join(words) if character.isalnum() or character == "-")
    return Rank(number, size, run) if size > 1 else None


def forget_part(path: Path, rank: Rank) -> None:
    """Remove what this rank wrote in a run before, where another one did not live to merge it."""
    with contextlib.suppress(OSError):  # what cannot be removed cannot be written: that is told at the end
        _part(path, rank, rank.number).unlink()


def _part(path: Path, rank: Rank, number: int) -> Path:
    return path.with_name(f".{path.name}.{rank.run}.rank{number}")


def write_part(path: Path, evidence: Evidence, rank: Rank, here: range | None = None) -> Evidence | None:
    """Write what one rank measured, and merge it with what other ranks have written.

    Args:
        path: the evidence file; it always holds what the ranks that have ended measured.
        evidence: of this rank.
        rank: which one it is.
        here: the ranks that write beside it; by default all.

    Returns:
        The evidence of these ranks once all have ended; None while some are missing.

    Raises:
        OSError: a file cannot be written.
    """
    evidence_file.write(_part(path, rank, rank.number), evidence)
    with locked(path.parent):
        parts = [_part(path, rank, number) for number in here or range(rank.size)]
        found = []
        for part in parts:
            with contextlib.suppress(UnusableFile):  # it has not ended, or will never do so
                found.append(evidence_file.read(part))
        whole = merged(found)
        evidence_file.write(path, whole)
        if len(found) < len(parts):
            return None
        for part in parts:
            part.unlink()
        return whole


def note_missing(path: Path, rank: Rank, why: str) -> None:
    """Note in what this rank wrote why others are missing: in its part, or in the file that this became.

    Args:
        path: the evidence file.
        rank: which one it is.
        why: said of the ranks.

    Raises:
        OSError: a file cannot be written.
    """
    with locked(path.parent):
        part = _part(path, rank, rank.number)
        place = part if part.exists() else path
        evidence_file.write(place, without(evidence_file.read(place), why))


def without(evidence: Evidence, why: str) -> Evidence:
    """Return evidence that says why some ranks are missing."""
    return replace(evidence, unavailable={**evidence.unavailable, "ranks": why})


def merged(parts: Sequence[Evidence]) -> Evidence:
    """What several processes measured in the same program: counts and times added up, rates averaged."""
    first, size = parts[0], len(parts)
    statuses = [part.status for part in parts if part.status]
    return replace(
        first,
        status=statuses[0] if statuses else first.status,
        seconds=sum(part.seconds for part in parts),
        steps=_steps([part.steps for part in parts if part.steps is not None]),
        findings=_findings(parts),
        metrics={
            name: statistics.fmean(part.metrics.get(name, 0.0) for part in parts)
            for name in sorted({name for part in parts for name in part.metrics})
        },
        causes=_causes(parts),
        unavailable={name: why for part in parts for name, why in part.unavailable.items()},
        processes=size,
        left_out=sum(part.left_out for part in parts),
        trace=next((part.trace for part in parts if part.trace is not None), None),
        host_time=next((part.host_time for part in parts if part.host_time is not None), None),
    )


def _steps(steps: Sequence[Steps]) -> Steps | None:
    if not steps:
        return None
    return Steps(
        steps[0].found_by,
        sum(one.count for one in steps),
        steps[0].warmup,
        statistics.fmean(one.mean_seconds for one in steps),
        statistics.median(one.median_seconds for one in steps),
        min(one.minimum_seconds for one in steps),
    )


def _findings(parts: Sequence[Evidence]) -> tuple[Observed, ...]:
    found: dict[Identity, Observed] = {}
    for part in parts:
        for one in part.findings:
            other = found.get(one.identity)
            if other is not None:
                one = replace(
                    other,
                    executions=other.executions + one.executions,
                    total=other.total + one.total,
                    elsewhere=other.elsewhere + one.elsewhere,
                    compiled=other.compiled or one.compiled,
                )
            found[one.identity] = one
    return tuple(sorted(found.values(), key=evidence_file.dearest_first))


def _causes(parts: Sequence[Evidence]) -> tuple[Cause, ...]:
    amounts: Counter[tuple[str, str, str, int, str]] = Counter()
    operators: dict[tuple[str, str, str, int, str], str] = {}
    for part in parts:
        for one in part.causes:
            key = (one.metric, one.code, one.path, one.line, one.label)
            amounts[key] += one.per_step  # type: ignore[assignment]
            operators.setdefault(key, one.operators)
    found = [Cause(*key, amount / len(parts), operators[key]) for key, amount in amounts.items()]
    return tuple(sorted(found, key=lambda one: (one.metric, -one.per_step, one.path, one.line, one.label)))
