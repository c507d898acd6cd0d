"""What single operators do to a device.

Which wait, which copy and which launch nothing, `overhead_lint.analysis.effects` says, for the linter as
well; which mix devices, which CUDA lacks and what else its kernels take, a table of this package.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overhead_lint.analysis.effects.effect import Copies, Direction
from overhead_lint.analysis.effects.lookup import symbol

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Operators", "operators"]

Read = tuple[int, str, str, str, str, tuple[str, ...], bool]
"""How many copies, and when: if given, unless given, on the device, of integers, if equal; of none, too."""


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
        reads: what is copied to the host, each with a wait: as the extension takes it.
        sends: how often numbers that the host made are copied to the device, each time with a wait.
        stages: those that copy numbers to the device through pinned memory, without a wait.
        indexing: those that wait when an index is a boolean mask.
        views: those that launch no kernel.
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
    reads: dict[str, Read]
    sends: dict[str, int]
    stages: frozenset[str]
    indexing: frozenset[str]
    views: frozenset[str]
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
    """The tables that come with the package."""
    table = tomllib.loads((Path(__file__).parent / "operators.toml").read_text(encoding="utf-8"))

    def reasons(section: str) -> dict[str, str]:
        return {name: entry["reason"] for entry in table[section] for name in _names(entry)}

    told = {f"aten::{name}": effect for name, effect in symbol("aten").members.items()}
    waits = {name: wait for name, effect in told.items() for wait in effect.waits}
    copies = {
        name: copy for name, effect in told.items() for copy in effect.copies if not copy.when.if_on_host
    }
    to_device = {name: copy for name, copy in copies.items() if copy.direction is Direction.TO_DEVICE}
    return Operators(
        waits={name: wait.times for name, wait in waits.items() if not wait.when.if_mask},
        reads={name: _read(copy) for name, copy in copies.items() if name not in to_device},
        sends={name: copy.times for name, copy in to_device.items() if copy.waits},
        stages=frozenset(name for name, copy in to_device.items() if not copy.waits),
        indexing=frozenset(name for name, wait in waits.items() if wait.when.if_mask),
        views=frozenset(name for name, effect in told.items() if effect.launches is False),
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


def _read(copy: Copies) -> Read:
    when = copy.when
    conditions = (when.if_given, when.unless_given, when.if_on_device, when.if_integer)
    return copy.times, *conditions, when.if_equal, when.of_empty


def _without_names(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in ("operator", "operators")}
