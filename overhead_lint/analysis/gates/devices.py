"""What runs where there is no device: nothing waits there, and nothing is copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.ir.naming import last_name, written
from overhead_lint.analysis.ir.queries import bound

if TYPE_CHECKING:
    from overhead_lint.analysis.gates.region import Region
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["names_device", "without_device"]

_BRINGING: Final = frozenset({"cuda", "to"})
_NAMED: Final = frozenset({"device", "device_type", "type"})


def without_device(record: FunctionIR, test: int, then: Region) -> Gate | None:
    """Return the gate of what runs without a device, unless something is brought to one there.

    Args:
        record: the function that asks.
        test: what it asks.
        then: what is done where there is none.
    """
    brings = any(method in _BRINGING for _, method, _ in then.methods())
    return None if brings else Gate(GateKind.NO_DEVICE, written(record, test))


def names_device(record: FunctionIR, value: int) -> bool:
    """Whether something is a device, or its type, by its name: ``x.device.type``."""
    return last_name(record, bound(record, value)) in _NAMED or last_name(record, value) in _NAMED
