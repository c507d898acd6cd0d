"""Limits that hold on one kind of device only, and which of several limits wins.

A key is a metric, ``guards``, or a metric on a kind of device, ``cuda.guards``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

__all__ = ["KINDS", "flattened", "keys_on", "metric_of", "overlay", "split"]

KINDS = ("cpu", "cuda", "simulated")
"""What a test may run with: no device, a real one, the simulated one."""

_T = TypeVar("_T")


def split(key: str) -> tuple[str, str]:
    """The kind of device, "" for all, and the metric."""
    kind, dot, metric = key.partition(".")
    return (kind, metric) if dot and kind in KINDS else ("", key)


def metric_of(key: str) -> str:
    """The metric that a key limits."""
    return split(key)[1]


def flattened(table: Mapping[str, object]) -> dict[str, object]:
    """What a marker or file declares, by key: ``{"cuda": {"guards": 3}}`` as ``{"cuda.guards": 3}``.

    Raises:
        ValueError: a table that is named after no kind of device, or a key that is quoted as a whole.
    """
    found: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            if name not in KINDS:
                raise ValueError(f"{name!r} is no kind of device ({', '.join(KINDS)})")
            found.update({f"{name}.{metric}": limit for metric, limit in value.items()})
        elif split(name)[0]:
            raise ValueError(f"{name!r}: leave the quotes out")
        else:
            found[name] = value
    return found


def keys_on(limits: Mapping[str, object], kind: str) -> dict[str, str]:
    """The key that holds for each metric on a kind of device: its own one, else that for all kinds."""
    found: dict[str, str] = {}
    for key in limits:
        own, metric = split(key)
        if own and own == kind:
            found[metric] = key
        elif not own:
            found.setdefault(metric, key)
    return found


def overlay(far: Mapping[str, _T], near: Mapping[str, _T]) -> dict[str, _T]:
    """Limits of two places, of which the nearer one wins.

    A limit for all kinds of device that stands nearer also wins over one for a single kind.
    """
    return {**{key: limit for key, limit in far.items() if metric_of(key) not in near}, **near}
