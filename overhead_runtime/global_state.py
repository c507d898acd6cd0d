"""`GlobalState`: the global settings that compiled code is guarded on, captured, stored and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, final

import torch

__all__ = ["GlobalState", "StateChange"]

_LAST_DTYPE = len({kind for kind in vars(torch).values() if isinstance(kind, torch.dtype)}) - 1
"""c10 numbers its scalar types without gaps, and torch has each as a dtype."""
_INT_LIMITS = {"num_threads": (1, 2**31 - 1), "default_dtype": (0, _LAST_DTYPE), "dtype": (0, _LAST_DTYPE)}
_OTHER_INT_LIMITS = (0, 127)
_DTYPES = {
    0: "uint8",
    1: "int8",
    2: "int16",
    3: "int32",
    4: "int64",
    5: "float16",
    6: "float32",
    7: "float64",
    8: "complex32",
    9: "complex64",
    10: "complex128",
    11: "bool",
    15: "bfloat16",
}
"""Names of c10's scalar types, by number."""


class StateChange(NamedTuple):
    """A field that differs.

    Attributes:
        field: its name, such as ``grad_mode`` or ``autocast_state.enabled[0]``.
        old: what it was.
        new: what it is.
    """

    field: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.field}: {self.old} -> {self.new}"


@final
class GlobalState:
    """Grad mode, autocast, torch function, deterministic and precision flags, threads, default dtype.

    What Dynamo guards each compiled function on, in one object: capture it where a function is compiled, and
    ask later what has changed. Immutable and hashable; equal if all fields are. Made by `capture` and
    `from_json`.

    Raises:
        RuntimeError: by `capture` and `from_json`, this torch has no global state guard.
    """

    __slots__ = ("_fields", "_guard", "_text")

    def __init__(self, text: str, guard: Any) -> None:
        # Not for users: `text` has been checked, and `guard` holds the same.
        self._fields: dict[str, Any] = json.loads(text)
        self._text = json.dumps(self._fields, sort_keys=True)
        self._guard = guard

    @classmethod
    def capture(cls) -> GlobalState:
        """Take the state as it is now, in this thread."""
        guard = _guard_class()()
        return cls(guard.__getstate__(), guard)

    @classmethod
    def from_json(cls, text: str) -> GlobalState:
        """Read a state that `to_json` wrote.

        Args:
            text: untrusted; it is checked field by field before torch sees it, since torch ends the process
                on a malformed one.

        Returns:
            The state.

        Raises:
            TypeError: `text` is not a str.
            ValueError: no such state, or one of another torch build; the field is named.
        """
        if not isinstance(text, str):
            raise TypeError(f"GlobalState.from_json: text must be a str, got {type(text).__name__}")
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"GlobalState.from_json: text is not JSON: {error}") from None
        guard = _guard_class()()
        _check("", fields, json.loads(guard.__getstate__()))
        canonical = json.dumps(fields, sort_keys=True)
        guard.__setstate__(canonical)
        return cls(canonical, guard)

    def to_json(self) -> str:
        """Write the state as JSON, the same text for the same state."""
        return self._text

    def check(self) -> bool:
        """Tell whether the state is in force now, by torch's own comparison (about 0.2 us)."""
        return bool(self._guard.check())

    def compare(self, other: GlobalState | None = None) -> tuple[StateChange, ...]:
        """Name the fields that differ.

        Args:
            other: the later state; the one in force now if None.

        Returns:
            The changes from this state to the other, in the order of the fields' names.

        Raises:
            TypeError: `other` is no `GlobalState`.
        """
        if other is not None and not isinstance(other, GlobalState):
            raise TypeError(
                f"GlobalState.compare: other must be a GlobalState or None, got {type(other).__name__}"
            )
        later = dict(_leaves("", (other or GlobalState.capture())._fields))
        earlier = dict(_leaves("", self._fields))
        return tuple(
            StateChange(name, _shown(name, earlier.get(name)), _shown(name, later.get(name)))
            for name in sorted(earlier.keys() | later.keys())
            if earlier.get(name) != later.get(name)
        )

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, GlobalState) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"GlobalState.from_json({self._text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (GlobalState.from_json, (self._text,))


def _guard_class() -> Any:
    guards = getattr(getattr(torch._C, "_dynamo", None), "guards", None)
    found = getattr(guards, "GlobalStateGuard", None)
    if found is None or not hasattr(found, "__getstate__") or not hasattr(found, "__setstate__"):
        raise RuntimeError(f"GlobalState: this torch ({torch.__version__}) has no global state guard")
    return found


def _check(name: str, value: Any, pattern: Any) -> None:
    """Refuse what has another form than a state that torch itself wrote."""
    where = name or "the state"
    if type(value) is not type(pattern):
        raise ValueError(
            f"GlobalState.from_json: {where} must be {type(pattern).__name__}, got {type(value).__name__}"
        )
    if isinstance(pattern, dict):
        if value.keys() != pattern.keys():
            odd = ", ".join(sorted(map(str, value.keys() ^ pattern.keys())))
            raise ValueError(f"GlobalState.from_json: {where} lacks or should not have: {odd}")
        for key, inner in pattern.items():
            _check(f"{name}.{key}" if name else key, value[key], inner)
    elif isinstance(pattern, list):
        if len(value) != len(pattern):
            raise ValueError(
                f"GlobalState.from_json: {where} must have {len(pattern)} items, got {len(value)}"
            )
        for index, (item, inner) in enumerate(zip(value, pattern, strict=True)):
            _check(f"{name}[{index}]", item, inner)
    elif type(pattern) is int:
        least, most = _INT_LIMITS.get(name.partition("[")[0].rpartition(".")[2], _OTHER_INT_LIMITS)
        if not least <= value <= most:
            raise ValueError(f"GlobalState.from_json: {where} must be {least} to {most}, got {value}")


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{name}.{key}" if name else key, inner)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(f"{name}[{index}]", item)
    else:
        yield name, value


def _shown(name: str, value: Any) -> Any:
    return _DTYPES.get(value, value) if "dtype" in name else value
