"""What a run measured, as a file: written by ``overhead-lint run``, read by the linter and the budgets.

The only thing that passes between the two wings. Reading it needs neither torch nor the program. The
schema is in docs/run.md.
"""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from overhead_lint._version import __version__
from overhead_lint.measure import time_profile
from overhead_lint.measure.trace import Trace, as_json, unpacked
from overhead_lint.support import atomic, versioned_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from overhead_lint.measure.time_profile import TimeProfile
    from overhead_lint.syntax.identity import Identity

__all__ = [
    "BASES",
    "FORMAT",
    "SCHEMA",
    "Basis",
    "Cause",
    "Evidence",
    "Observed",
    "Steps",
    "dearest_first",
    "packed",
    "read",
    "write",
]

SCHEMA: Final = 4
"""2 has the trace of a step, 4 what the places of findings took."""


class Basis(str, enum.Enum):
    """What the estimate of a saving rests on."""

    PLACE = "place"
    """The time that the place took in a recorded step, and the ratio of the two forms of the rule's case."""
    LINE = "line"
    """That of its line, where the place alone is not known: the case's saving, at most so much."""
    CASE = "case"
    """The rule's timing case alone, whatever the size of what it works on there."""


BASES: Final = (
    "by place: of the time that the place took in the recorded step; by line: at most of its line's time; "
    "by case: what the rule's timing case saves, which may work on more or less"
)
"""What estimates of savings rest on, for people."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A finding, and what a run showed of it.

    Attributes:
        path: its file, relative to the folder of the evidence file, with slashes; absolute if elsewhere.
        line: its first line when it was run.
        code: the rule.
        name: the rule's name.
        function: see `overhead_lint.syntax.identity.Identity`, as `text` and `number`.
        message: what the rule says.
        heat: what the linter thought of the place.
        fix: ``safe``, ``unsafe``, or "" where the rule has none.
        executions: how often it ran while it was measured; compiled code counts none.
        total: how often it ran in the whole run.
        before_seconds: what one execution takes as it is written, by the rule's timing case on this machine;
            None where the rule has none.
        after_seconds: what it takes after the fix.
        compiled: it lies in a function that `torch.compile` traced.
        elsewhere: how often it ran in worker processes, which take none of this process's time.
        place_seconds: what one execution took where it stands, or its line did, as `basis` says: its part of
            a recorded step, for the median one; None where that is not known.
        basis: what the estimate of the saving rests on, as in `Basis`.
        tier: ``stall`` or ``correctness``; "" where the cost decides.
    """

    path: str
    line: int
    code: str
    name: str
    function: str
    text: str
    number: int
    message: str
    heat: str
    fix: str
    executions: int
    total: int
    before_seconds: float | None = None
    after_seconds: float | None = None
    compiled: bool = False
    elsewhere: int = 0
    place_seconds: float | None = None
    basis: str = Basis.CASE.value
    tier: str = ""

    @property
    def identity(self) -> Identity:
        """What the linter calls it, its path relative to the folder of the evidence file."""
        from overhead_lint.syntax.identity import Identity  # imports what parses, which a run does not need

        return Identity(self.path, self.code, self.function, self.text, self.number)

    @property
    def was_executed(self) -> bool:
        """Whether it ran at all, in whatever process."""
        return self.total > 0 or self.elsewhere > 0

    @property
    def saving_seconds(self) -> float | None:
        """What the fix of one execution saves, estimated as `basis` says."""
        if self.before_seconds is None or self.after_seconds is None:
            return None
        of_case = self.before_seconds - self.after_seconds
        if self.place_seconds is None or not self.before_seconds:
            return of_case
        here = self.place_seconds * of_case / self.before_seconds
        return here if self.basis == Basis.PLACE.value else min(of_case, here)

    @property
    def cost_seconds(self) -> float | None:
        """What the pattern cost while it was measured, compared with its fix; an estimate."""
        saving = self.saving_seconds
        return None if saving is None else max(0.0, saving * self.executions)


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps that were measured.

    Attributes:
        found_by: what a step was taken for.
        count: how many were measured.
        warmup: how many before them were not.
        mean_seconds: of those that no probe slowed down, as are the next two.
        median_seconds: half of them took less.
        minimum_seconds: the fastest.
    """

    found_by: str
    count: int
    warmup: int
    mean_seconds: float
    median_seconds: float
    minimum_seconds: float


@dataclass(frozen=True, slots=True)
class Cause:
    """A source line and how much of a metric it accounts for.

    Attributes:
        metric: what was counted.
        code: the rule that is about it, "" where there is none.
        path: as in `Observed`; "" where no line is known.
        line: of the file.
        label: what happened there.
        per_step: how much of it, a step; of recompilations and graph breaks, in the whole run.
        operators: which operators of torch that was, the commonest first (``item, to``); "" outside of
            operators, and in files of before.
    """

    metric: str
    code: str
    path: str
    line: int
    label: str
    per_step: float
    operators: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a run measured.

    Attributes:
        program: the command line, as ``python`` would be given it.
        status: exit status; None while the program runs.
        seconds: host time that was measured.
        machine: versions, processor and device.
        steps: None where no steps were found.
        findings: all findings in the files that were loaded.
        metrics: numbers a step, by metric.
        causes: the lines behind them, most first for each metric.
        compiled: what the guards of each compiled function cost.
        tests: numbers by metric, by test, for runs of pytest.
        test_devices: the kind of device that each of these ran on, as far as that is known.
        unavailable: why a metric was not measured, by its name.
        processes: how many processes were merged.
        left_out: steps that were looked at closely and do not count, as something compiled in them.
        trace: one step as spans of host time; None where none was recorded.
        host_time: where the time of all recorded steps went; None where none was, and in files of before.
        verified: how fixes of a copy changed the time of a step; empty where that was not tried.
    """

    program: tuple[str, ...]
    status: int | None
    seconds: float
    machine: Mapping[str, str] = field(default_factory=dict)
    steps: Steps | None = None
    findings: tuple[Observed, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)
    causes: tuple[Cause, ...] = ()
    compiled: tuple[Mapping[str, Any], ...] = ()
    tests: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    test_devices: Mapping[str, str] = field(default_factory=dict)
    unavailable: Mapping[str, str] = field(default_factory=dict)
    processes: int = 1
    verified: Mapping[str, Any] = field(default_factory=dict)
    trace: Trace | None = None
    host_time: TimeProfile | None = None
    left_out: int = 0

    def per_step(self, observed: Observed) -> float | None:
        """Executions a step; None where no steps were found."""
        return observed.executions / self.steps.count if self.steps and self.steps.count else None

    def per_second(self, observed: Observed) -> float | None:
        """Executions a second of the measured host time; None where there was none."""
        return observed.executions / self.seconds if self.seconds > 0 else None

    def share(self, observed: Observed) -> float | None:
        """The part of the measured host time that the fix would save; None where it is not known.

        An estimate that is more than all of the time is none.
        """
        cost = observed.cost_seconds
        return None if cost is None or not 0 < self.seconds >= cost else cost / self.seconds


def dearest_first(one: Observed) -> tuple[float, int, int, str, int]:
    """For sorting findings."""
    return -(one.cost_seconds or 0.0), -one.executions, -one.total - one.elsewhere, one.path, one.line


def write(path: Path, evidence: Evidence) -> None:
    """Write a file in one step. Raises `OSError`."""
    atomic.write(path, packed(evidence))


def packed(evidence: Evidence) -> bytes:
    """The bytes of a file that holds it."""
    content: dict[str, Any] = {"schema": SCHEMA, "overhead_lint": __version__}
    content.update(dataclasses.asdict(dataclasses.replace(evidence, trace=None)))
    for observed, entry in zip(evidence.findings, content["findings"], strict=True):
        # For other readers; `read` works them out again.
        entry["per_step"] = evidence.per_step(observed)
        entry["per_second"] = evidence.per_second(observed)
        entry["cost_seconds"] = observed.cost_seconds
        entry["share"] = evidence.share(observed)
    if evidence.host_time is not None:
        content["host_time"]["explained"] = evidence.host_time.explained
    import json  # costs start-up

    del content["trace"]
    shown = json.dumps(content, indent=1).removesuffix("\n}")
    return f'{shown},\n "trace": {as_json(evidence.trace)}\n}}\n'.encode()


def read(path: Path) -> Evidence:
    """The evidence in a file.

    Raises:
        UnusableFile: it cannot be read, is damaged, or of a newer schema.
    """
    return versioned_json.load(path, FORMAT)


def _evidence(_: str, content: Mapping[str, Any]) -> Evidence:
    steps = content["steps"]
    return Evidence(
        program=tuple(map(str, content["program"])),
        status=None if content["status"] is None else versioned_json.exactly(int, content["status"]),
        seconds=versioned_json.number(content["seconds"]),
        machine=_texts(content["machine"]),
        steps=None if steps is None else _made(Steps, steps),
        findings=tuple(_made(Observed, entry) for entry in content["findings"]),
        metrics=_numbers(content["metrics"]),
        causes=tuple(_made(Cause, entry) for entry in content["causes"]),
        compiled=tuple(map(dict, content["compiled"])),
        tests={str(test): _numbers(values) for test, values in content["tests"].items()},
        test_devices={str(test): str(kind) for test, kind in content.get("test_devices", {}).items()},
        unavailable=_texts(content["unavailable"]),
        processes=int(content["processes"]),
        verified=dict(content["verified"]),
        trace=_trace(content),
        host_time=None if content.get("host_time") is None else time_profile.parse(content["host_time"]),
        left_out=int(content.get("left_out", 0)),
    )


def _numbers(found: Mapping[str, Any]) -> dict[str, float]:
    return {str(name): versioned_json.number(value) for name, value in found.items()}


def _texts(found: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(text) for name, text in found.items()}


def _trace(content: Mapping[str, Any]) -> Trace | None:
    found = content["trace"] if content["schema"] > 1 else None
    return None if found is None else unpacked(found)


_T = TypeVar("_T", Steps, Observed, Cause)
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "bool": (bool,),
    "float": (int, float),
    "float | None": (int, float, type(None)),
}


def _made(cls: type[_T], entry: Mapping[str, Any]) -> _T:
    """An object of a plain dataclass from its fields, their types checked."""
    values: dict[str, Any] = {}
    for one in dataclasses.fields(cls):
        if one.name not in entry and one.default is not dataclasses.MISSING:
            continue
        value = entry[one.name]
        if not isinstance(value, _TYPES[str(one.type)]):
            raise TypeError(f"{one.name} is {value!r}")
        values[one.name] = value
    return cls(**values)


FORMAT: Final = versioned_json.Format("evidence of `overhead-lint run`", SCHEMA, "program", _evidence)
