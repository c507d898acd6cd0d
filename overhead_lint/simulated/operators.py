"""The table of what single operators do to a device: which wait, which copy to the host, which are views,
which mix devices, which CUDA lacks.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Operators", "operators"]


@dataclass(frozen=True, slots=True)
class Reads:
    """Numbers that an operator copies to the host in a call, each with a wait.

    Attributes:
        count: how many.
        reason: why.
        if_given: only where this argument is given.
        unless_given: only where this one is not.
        if_on_device: only where this one is a tensor of the device.
        if_integer: only where this one is a tensor of integers.
        if_equal: only where these two numbers are equal.
        of_empty: also where all tensors are empty.
    """

    count: int
    reason: str
    if_given: str = ""
    unless_given: str = ""
    if_on_device: str = ""
    if_integer: str = ""
    if_equal: tuple[str, ...] = ()
    of_empty: bool = False

    def as_native(self) -> tuple[int, str, str, str, str, tuple[str, ...], bool]:
        """As the extension takes it."""
        conditions = (self.if_given, self.unless_given, self.if_on_device, self.if_integer)
        return self.count, *conditions, self.if_equal, self.of_empty


@dataclass(frozen=True, slots=True)
class Types:
    """Types of an operator's first tensor, as the dispatcher names them (``Long``).

    Attributes:
        types: which.
        kernel: the name by which CUDA says that it has no kernel for them.
        reason: why.
    """

    types: tuple[str, ...]
    kernel: str
    reason: str


@dataclass(frozen=True, slots=True)
class Varies:
    """An operator that CUDA computes in an order that varies: an error where determinism is asked for.

    Attributes:
        kernel: the name by which CUDA says so.
        reason: why.
        if_given: only where this argument is given, and not 0.
        if_fraction: only of numbers that are no integers.
    """

    kernel: str
    reason: str
    if_given: str = ""
    if_fraction: bool = False


@dataclass(frozen=True, slots=True)
class Sparse:
    """An operator on sparse tensors that CUDA has kernels of its own for; the others it shares with the CPU.

    Attributes:
        reason: why it waits, or why it does not.
        coalesces: whether elements at one place are added up first, by an operator that waits.
        waits: waits of the host, where there are elements.
        reads: what is copied to the host, where there are elements.
        if_sparse_dimension: only where the dimension that it is about is a sparse one.
    """

    reason: str
    coalesces: bool = False
    waits: int = 0
    reads: int = 0
    if_sparse_dimension: bool = False

    def as_native(self) -> tuple[bool, int, int, bool]:
        """As the extension takes it."""
        return self.coalesces, self.waits, self.reads, self.if_sparse_dimension


@dataclass(frozen=True, slots=True)
class Operators:
    """Operators by name (``aten::nonzero``; one overload: ``aten::mm.out``), with the reason for each entry.

    Attributes:
        waits: waits of the host in each call.
        reads: what is copied to the host.
        sends: how often numbers that the host made are copied to the device, each time with a wait.
        stages: reason why numbers are copied to the device through pinned memory, without a wait.
        indexing: reason why it waits when an index is a boolean mask.
        views: reason why no kernel is launched.
        mixed_devices: reason why CPU tensors may stand beside device tensors.
        host_numbers: reason why a CPU tensor without dimensions may.
        absent: what CUDA lacks, though the CPU has it.
        absent_types: what CUDA computes of no such tensors, though the CPU does.
        varies: what raises under `torch.use_deterministic_algorithms`.
        in_double: what takes integers on CUDA, though not on the CPU.
        in_float: what takes 16-bit floating-point numbers on CUDA, though not on the CPU.
        sparse: what CUDA has kernels of its own for, on sparse tensors.
    """

    waits: dict[str, int]
    reads: dict[str, Reads]
    sends: dict[str, int]
    stages: dict[str, str]
    indexing: dict[str, str]
    views: dict[str, str]
    mixed_devices: dict[str, str]
    host_numbers: dict[str, str]
    absent: dict[str, str]
    absent_types: dict[str, Types]
    varies: dict[str, Varies]
    in_double: dict[str, str]
    in_float: dict[str, str]
    sparse: dict[str, Sparse]


@functools.cache
def operators() -> Operators:
    """The table that comes with the package."""
    table = tomllib.loads((Path(__file__).parent / "operators.toml").read_text(encoding="utf-8"))

    def reasons(section: str) -> dict[str, str]:
        return {name: entry["reason"] for entry in table[section] for name in _names(entry)}

    return Operators(
        waits={entry["operator"]: entry["count"] for entry in table["synchronises"]},
        reads={name: _reads(entry) for entry in table["reads"] for name in _names(entry)},
        sends={name: entry["count"] for entry in table["sends"] for name in _names(entry)},
        stages=reasons("stages"),
        indexing=reasons("indexing"),
        views=reasons("view"),
        mixed_devices=reasons("mixed_devices"),
        host_numbers=reasons("host_numbers"),
        absent=reasons("absent"),
        absent_types={name: _types(entry) for entry in table["absent_types"] for name in _names(entry)},
        varies={name: Varies(**_without_names(entry)) for entry in table["varies"] for name in _names(entry)},
        in_double=reasons("in_double"),
        in_float=reasons("in_float"),
        sparse={name: Sparse(**_without_names(entry)) for entry in table["sparse"] for name in _names(entry)},
    )


def _names(entry: dict[str, Any]) -> list[str]:
    return list(entry["operators"]) if "operators" in entry else [entry["operator"]]


def _types(entry: dict[str, Any]) -> Types:
    return Types(tuple(entry["types"]), entry["kernel"], entry["reason"])


def _reads(entry: dict[str, Any]) -> Reads:
    known = _without_names(entry)
    return Reads(**{**known, "if_equal": tuple(known.get("if_equal", ()))})


def _without_names(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in ("operator", "operators")}
