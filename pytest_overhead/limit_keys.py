"""Limits that hold on one kind of device or machine only, and which of several limits wins.

A key is a metric, ``guards``, one on a kind of device, ``cuda.guards``, or a time on a class of machines,
``machine.ci-large.guard_time_hot``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

__all__ = ["KINDS", "MACHINE", "flattened", "keys_on", "metric_of", "of_machine", "overlay", "split"]

KINDS = ("cpu", "cuda", "simulated")
"""What a test may run with: no device, a real one, the simulated one."""

MACHINE = "machine"
_CLASS = r"[A-Za-z0-9_-]+"
_T = TypeVar("_T")


def split(key: str) -> tuple[str, str]:
    """The kind of device or ``machine.CLASS``, "" for all, and the metric."""
    kind, dot, metric = key.partition(".")
    if kind == MACHINE and dot:
        name, _, metric = metric.partition(".")
        return f"{MACHINE}.{name}", metric
    return (kind, metric) if dot and kind in KINDS else ("", key)


def of_machine(name: str, metric: str) -> str:
    """The key of a metric on a class of machines."""
    return f"{MACHINE}.{name}.{metric}"


def metric_of(key: str) -> str:
    """The metric that a key limits."""
    return split(key)[1]


def flattened(table: Mapping[str, object]) -> dict[str, object]:
    """What a marker or file declares, by key: ``{"cuda": {"guards": 3}}`` as ``{"cuda.guards": 3}``.

    Raises:
        ValueError: a table that is named after no kind of device or machine, or a key that is quoted as a
            whole.
    """
    found: dict[str, object] = {}
    for name, value in table.items():
        if name == MACHINE and isinstance(value, Mapping):
            for machine, limits in value.items():
                if not isinstance(limits, Mapping) or not re.fullmatch(_CLASS, str(machine)):
                    raise ValueError(f"write {MACHINE}.CLASS.METRIC, a class of letters, digits, _ and -")
                found.update({of_machine(machine, metric): limit for metric, limit in limits.items()})
        elif isinstance(value, Mapping):
            if name not in KINDS:
                raise ValueError(f"{name!r} is no kind of device ({', '.join(KINDS)})")
            found.update({f"{name}.{metric}": limit for metric, limit in value.items()})
        elif name in KINDS or name == MACHINE:
            inner = "" if name in KINDS else "CLASS."
            raise ValueError(
                f"{name!r} holds limits by metric, as in {name}.{inner}guard_time_hot; not {value!r}"
            )
        elif split(name)[0]:
            raise ValueError(f"{name!r}: leave the quotes out")
        else:
            found[name] = value
    return found


def keys_on(limits: Mapping[str, object], kind: str, machine: str = "") -> dict[str, str]:
    """The key that holds for each metric: the machine's own one, else the device's, else that for all."""
    found: dict[str, str] = {}
    for holder in ("", kind, f"{MACHINE}.{machine}"):
        for key in limits:
            own, metric = split(key)
            if own == holder:
                found[metric] = key
    return found


def overlay(far: Mapping[str, _T], near: Mapping[str, _T]) -> dict[str, _T]:
    """Limits of two places, of which the nearer one wins.

    A limit for all kinds of device that stands nearer also wins over one for a single kind.
    """
    return {**{key: limit for key, limit in far.items() if metric_of(key) not in near}, **near}
