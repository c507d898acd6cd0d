"""`fp32_precision`: torch's float32 precision settings as one table, with a context that restores it all."""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from . import _precision_legacy as _legacy
from . import _precision_table as _table
from ._precision_table import BACKENDS, NODES, OPS, VALUES, Node

__all__ = ["PrecisionRow", "PrecisionTable", "fp32_precision"]

F = TypeVar("F", bound=Callable[..., Any])


class PrecisionRow(NamedTuple):
    """One setting as it is in force.

    Attributes:
        backend: ``generic``, ``cuda`` or ``mkldnn``.
        op: ``all``, ``conv``, ``rnn`` or ``matmul``.
        value: ``none``, ``ieee``, ``tf32`` or ``bf16``; what torch uses.
        source: where the value comes from.
    """

    backend: str
    op: str
    value: str
    source: str


class PrecisionTable(NamedTuple):
    """All settings. ``str()`` of it is a table for people.

    Attributes:
        rows: parents before their children.
        mixed: the old flags that torch refuses to read now, since they contradict the new settings.
    """

    rows: tuple[PrecisionRow, ...]
    mixed: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{'backend':9}{'op':9}{'value':8}source"]
        lines += [f"{row.backend:9}{row.op:9}{row.value:8}{row.source}" for row in self.rows]
        lines += [f"reading {name} raises: old and new interface disagree" for name in self.mixed]
        return "\n".join(lines)


_RUN_LATER = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)


class _Override(contextlib.ContextDecorator):
    """One use of ``with fp32_precision(...)``; re-entrant, since each entry keeps its own snapshot."""

    def __init__(self, value: str, node: Node) -> None:
        self._value = value
        self._node = node
        self._saved: list[Any] = []

    def __call__(self, func: F) -> F:
        if inspect.isclass(func) or any(is_other(func) for is_other in _RUN_LATER):
            # Called, these only make an object: nothing of what it does later would be in the block.
            name = getattr(func, "__name__", repr(func))
            raise TypeError(
                f"fp32_precision: {name} is a class, a generator or a coroutine: write a with statement in it"
            )
        return super().__call__(func)

    def __enter__(self) -> None:
        api = _api()
        saved = api.snapshot()
        try:
            _put(self._value, self._node)
        except BaseException:
            api.restore(saved)
            raise
        self._saved.append(saved)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _api().restore(self._saved.pop())


class _Fp32Precision:
    """The type of `fp32_precision`.

    Nodes are a backend (``generic``, ``cuda``, ``mkldnn``) and an operator (``all``, ``conv``, ``rnn``,
    ``matmul``; generic has ``all`` only). A node that is not set takes the value of the backend's ``all``,
    and that of ``generic``. The settings belong to the process, not to a thread, as torch's own.
    """

    def get(self, backend: str = "generic", op: str = "all") -> str:
        """Tell the value in force.

        Args:
            backend: ``generic``, ``cuda`` or ``mkldnn``.
            op: ``all``, ``conv``, ``rnn`` or ``matmul``.

        Returns:
            ``ieee``, ``tf32``, ``bf16``, or ``none`` where nothing is set that the backend supports.

        Raises:
            RuntimeError: no such node.
        """
        value: str = _api().get(_node(backend, op))
        return value

    def set(self, value: str, backend: str = "generic", op: str = "all") -> None:
        """Set one node, and keep the old flags readable where they can say the same.

        Warns where torch will from now on refuse to read an old flag, and names it.

        Args:
            value: ``none``, ``ieee``, ``tf32`` or ``bf16``.
            backend: as for `get`.
            op: as for `get`.

        Raises:
            RuntimeError: no such node or value, one that the backend does not support, or flags are frozen
                (`torch.backends.disable_global_flags`). Nothing has changed then.
        """
        node = _checked(value, backend, op)
        if _table.frozen():
            raise RuntimeError(
                "fp32_precision: not allowed to set flags after disable_global_flags; use it as a context"
            )
        _put(value, node)

    def __call__(self, value: str, backend: str = "generic", op: str = "all") -> _Override:
        """Build a context manager, for functions also a decorator, that sets one node and restores every one.

        Args:
            value: as for `set`.
            backend: as for `get`.
            op: as for `get`.

        Returns:
            The context. It restores nodes and old flags as they were at entry, also those that the block
            changed by other means. The one exception: cuda.conv and cuda.rnn start at a built-in tf32 that
            any parent overrides; torch cannot go back to it, so once set they come back as tf32 proper.

        Raises:
            RuntimeError: no such node or value; what only the backend can tell is raised at entry.
        """
        return _Override(value, _checked(value, backend, op))

    def resolve(self) -> PrecisionTable:
        """Tell all values in force and where each comes from; changes nothing.

        A node that was itself set to what it would inherit shows as inheriting: torch does not tell.
        """
        rows = []
        for node in NODES:
            with contextlib.suppress(RuntimeError):  # The old flags say nothing of some nodes.
                value = _api().get(node)
                rows.append(PrecisionRow(*node, value, _source(node, value)))
        return PrecisionTable(tuple(rows), _table.unreadable())


fp32_precision = _Fp32Precision()


def _api() -> Any:
    return _table if _table.available else _legacy


def _source(node: Node, value: str) -> str:
    if not _table.available:
        return "old flags"
    parent = _table.parent_of(node)
    if value == "none":
        above = _table.get(_table.GENERIC)
        if above != "none" and node.backend == "cuda":
            return f"generic.all says {above}, which cuda does not support"
        return "not set"
    inherited = None
    while parent is not None and _table.get(parent) == value:
        inherited, parent = parent, _table.parent_of(parent)
    if inherited is not None:
        return str(inherited)
    if node in _table.CUDNN and value == "tf32" and _table.get(Node("cuda", "all")) == "none":
        return "set here, or torch's default"
    return "set here"


def _node(backend: str, op: str) -> Node:
    if backend not in BACKENDS:
        raise RuntimeError(f"fp32_precision: backend must be one of {', '.join(BACKENDS)}, got {backend!r}")
    if op not in OPS:
        raise RuntimeError(f"fp32_precision: op must be one of {', '.join(OPS)}, got {op!r}")
    node = Node(backend, op)
    if node not in NODES:
        raise RuntimeError(f"fp32_precision: op must be 'all' for backend {backend!r}, got {op!r}")
    return node


def _checked(value: str, backend: str, op: str) -> Node:
    if value not in VALUES:
        raise RuntimeError(f"fp32_precision: value must be one of {', '.join(VALUES)}, got {value!r}")
    return _node(backend, op)


def _put(value: str, node: Node) -> None:
    if not _table.available:
        _legacy.put(node, value)
        return
    before = _table.unreadable()
    _table.put(node, value)
    new = [name for name in _table.unreadable() if name not in before]
    if new:
        _table.align_matmul()
        new = [name for name in _table.unreadable() if name not in before]
    if new:
        warnings.warn(
            f"fp32_precision: {node} is {value} now, which the old interface cannot represent: "
            f"reading {' and '.join(new)} raises RuntimeError until it is undone",
            stacklevel=3,
        )
