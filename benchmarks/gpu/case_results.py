"""What a run measured of each study, taken out of its records."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Result", "Spread", "StageResult", "results"]

BEFORE = "before"


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and quartiles."""

    median: float
    lower: float
    upper: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Return those of values, of which there is one at least."""
        if len(values) < 2:
            return cls(values[0], values[0], values[0])
        lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, lower, upper)


@dataclass(slots=True)
class StageResult:
    """A stage, and what was measured of its form.

    Attributes:
        name: of the stage, or `again`.
        tree: the form that was measured, which may be that of another stage.
        lines: that were added.
        tiers: how many places the linter still finds, by tier.
        mended: places that are gone: rule, tier and expected executions a step.
        seconds: a step, by round.
        per_step: counts a step, by metric.
        busy_seconds: of the device, a step; None where there is no GPU.
        launches: of kernels a step; None likewise.
        rounds: how often its outcome was compared.
        equal: how often it was that of the program as it was, bit by bit.
        difference: the largest of a number; None where there is none.
    """

    name: str
    tree: str
    lines: int = 0
    tiers: Counter[str] = field(default_factory=Counter)
    mended: list[Mapping[str, Any]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    per_step: Mapping[str, float] = field(default_factory=dict)
    busy_seconds: float | None = None
    launches: float | None = None
    rounds: int = 0
    equal: int = 0
    difference: float | None = 0.0

    @property
    def waits(self) -> float | None:
        """Waits of the host for the device, a step; None where they were not counted."""
        names = ("stream_sync", "device_sync", "event_sync")
        counted = [self.per_step[name] for name in names if name in self.per_step]
        return sum(counted) if counted else None

    @property
    def idle_share(self) -> float | None:
        """The part of a step in which the device has nothing to do, 0 to 1; None where that is not known.

        The profiler slows the host down and hardly the device. So what it says of the device is set against a
        step that was timed without it.
        """
        if self.busy_seconds is None or not self.seconds:
            return None
        return max(0.0, 1 - self.busy_seconds / statistics.median(self.seconds))

    def predicted(self, costs: Mapping[str, float]) -> float:
        """Return seconds a step that mended places were expected to save the host; waits have no price."""
        priced = [one for one in self.mended if one["tier"] != "stall"]
        return sum(costs.get(one["code"], 0.0) * float(one["executions"]) for one in priced)


@dataclass(slots=True)
class Result:
    """A study.

    Attributes:
        name: see `case_study.Study`.
        device: that it was measured on.
        stages: by name, as they were made; then `again`.
        left_out: why it was not measured; "" if it was.
    """

    name: str
    device: str
    stages: dict[str, StageResult] = field(default_factory=dict)
    left_out: str = ""

    @property
    def is_timed(self) -> bool:
        """Whether its times are those of a GPU."""
        return self.device != "simulated device" and bool(
            self.stages.get(BEFORE, StageResult("", "")).seconds
        )

    def saving(self, stage: StageResult) -> Spread | None:
        """Return seconds that a step is shorter than before, over the rounds; None where it was not timed."""
        pairs = zip(self.stages[BEFORE].seconds, stage.seconds, strict=True)
        return Spread.of([before - after for before, after in pairs]) if stage.seconds else None


def results(lines: Iterable[Mapping[str, Any]]) -> list[Result]:
    """Return the studies of records, in the order in which they were measured."""
    found: dict[str, Result] = {}
    forms: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for line in lines:
        if line["kind"] not in ("stage", "times", "counts", "device", "left_out"):
            continue
        study = found.setdefault(line["subject"], Result(line["subject"], line["device"]))
        if line["kind"] == "left_out":
            study.left_out = line["why"]
        elif line["kind"] == "stage":
            tiers = Counter(place["tier"] for place in line["places"])
            name = line["name"]
            study.stages[name] = StageResult(name, line["tree"], line["lines"], tiers, line["mended"])
        else:
            forms.setdefault((line["subject"], line["form"]), []).append(line)
    for study in found.values():
        if (study.name, "again") in forms:
            study.stages["again"] = StageResult("again", "again")
        for stage in study.stages.values():
            for line in forms.get((study.name, stage.tree), ()):
                _measured(stage, line)
    return list(found.values())


def _measured(stage: StageResult, line: Mapping[str, Any]) -> None:
    if line["kind"] == "times":
        stage.seconds, stage.rounds = line["seconds"], line["rounds"]
        stage.equal, stage.difference = line["equal"], line["difference"]
    elif line["kind"] == "counts":
        stage.per_step = line["per_step"]
    else:
        stage.busy_seconds, stage.launches = line["busy_seconds"], line["launches"]
