"""The float32 precision settings of torch as raw nodes: the one place that knows their private names.

Torch resolves a node through its parents when it is read (operator -> backend -> generic), and offers no way
to read what the node itself holds. `snapshot` finds that out by unsetting the parents for a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch

__all__ = [
    "BACKENDS",
    "CUDNN",
    "DEFAULT",
    "GENERIC",
    "MATMULS",
    "NODES",
    "OPS",
    "VALUES",
    "Node",
    "Snapshot",
    "align_matmul",
    "available",
    "frozen",
    "get",
    "parent_of",
    "put",
    "restore",
    "snapshot",
    "unreadable",
]


class Node(NamedTuple):
    """One setting: a backend and an operator."""

    backend: str
    op: str

    def __str__(self) -> str:
        return f"{self.backend}.{self.op}"


BACKENDS = ("generic", "cuda", "mkldnn")
OPS = ("all", "conv", "rnn", "matmul")
VALUES = ("none", "ieee", "tf32", "bf16")
GENERIC = Node("generic", "all")
NODES = (GENERIC, *(Node(backend, op) for backend in BACKENDS[1:] for op in OPS))
MATMULS = (Node("cuda", "matmul"), Node("mkldnn", "matmul"))
CUDNN = (Node("cuda", "conv"), Node("cuda", "rnn"))
DEFAULT = "default"
"""What `CUDNN` nodes hold until first set: tf32, and a parent that is set wins. Cannot be set again."""

read: Callable[[str, str], str] | None = getattr(torch._C, "_get_fp32_precision_getter", None)
write: Callable[[str, str, str], None] | None = getattr(torch._C, "_set_fp32_precision_setter", None)
available = read is not None and write is not None


def get(node: Node) -> str:
    """The value in force at a node, resolved by torch."""
    assert read is not None
    return read(*node)


def put(node: Node, value: str) -> None:
    """Set what a node itself holds."""
    assert write is not None
    write(*node, value)


def parent_of(node: Node) -> Node | None:
    """Where a node that is not set looks next."""
    if node == GENERIC:
        return None
    return GENERIC if node.op == "all" else Node(node.backend, "all")


class Legacy(NamedTuple):
    """A flag of the old interface."""

    name: str
    get: Callable[[], object]


LEGACY = (
    Legacy("torch.backends.cuda.matmul.allow_tf32", lambda: torch.backends.cuda.matmul.allow_tf32),
    Legacy("torch.get_float32_matmul_precision()", torch.get_float32_matmul_precision),
    Legacy("torch.backends.cudnn.allow_tf32", lambda: torch.backends.cudnn.allow_tf32),
)


def frozen() -> bool:
    """Whether flags may be changed in contexts only."""
    return bool(torch.backends.flags_frozen())


def unreadable() -> tuple[str, ...]:
    """Names of the old flags whose reading raises now, since both interfaces were used."""
    names = []
    for flag in LEGACY:
        try:
            flag.get()
        except RuntimeError:
            names.append(flag.name)
    return tuple(names)


class Snapshot(NamedTuple):
    """Everything that both interfaces can change.

    Attributes:
        raw: what each node itself holds; `DEFAULT` for one that was never set.
        matmul: the old matmul precision: highest, high or medium.
        cudnn: the old cuDNN flag, also where torch refuses to read it.
    """

    raw: dict[Node, str]
    matmul: str
    cudnn: bool


def snapshot() -> Snapshot:
    """Read the raw state; parents and matmul nodes are unset for a moment and put back."""
    cudnn = _cudnn_flag()
    raw: dict[Node, str] = {}
    try:
        for node in NODES:  # Parents come first, and are unset before their children are read.
            raw[node] = get(node)
            if node.op in ("all", "matmul"):
                put(node, "none")
        put(Node("cuda", "all"), "ieee")
        for node in CUDNN:
            if raw[node] == "tf32" and get(node) == "ieee":
                raw[node] = DEFAULT
        if cudnn is None:
            cudnn = _hidden_cudnn_flag(raw)
        put(Node("cuda", "all"), "none")
        matmul = torch.get_float32_matmul_precision()
    finally:
        for node, value in raw.items():
            if node.op in ("all", "matmul"):
                put(node, value)
    return Snapshot(raw, matmul, cudnn)


def restore(saved: Snapshot) -> None:
    """Write back what differs from `saved`. A node that was at `DEFAULT` and was set since becomes tf32."""
    now = snapshot()
    if now.matmul != saved.matmul:
        torch.set_float32_matmul_precision(saved.matmul)
    for node, value in saved.raw.items():
        if value != DEFAULT:
            put(node, value)
        elif now.raw[node] != DEFAULT:
            put(node, "tf32")
    if now.cudnn != saved.cudnn:
        torch.backends.cudnn.allow_tf32 = saved.cudnn
        for node in CUDNN:
            put(node, "tf32" if saved.raw[node] == DEFAULT else saved.raw[node])


def align_matmul() -> None:
    """Give the old matmul precision a value that agrees with the nodes, where there is one."""
    before = snapshot()
    flags = {flag.name for flag in LEGACY[:2]}
    for precision in (before.matmul, "highest", "high", "medium", before.matmul):
        torch.set_float32_matmul_precision(precision)
        for node in MATMULS:
            put(node, before.raw[node])
        if not flags & set(unreadable()):
            return


def _cudnn_flag() -> bool | None:
    try:
        return bool(torch.backends.cudnn.allow_tf32)
    except RuntimeError:
        return None


def _hidden_cudnn_flag(raw: dict[Node, str]) -> bool:
    """The old cuDNN flag where it contradicts its nodes: torch reads it while all of them say what it says.

    cuda.all is ieee, so that nodes which were never set are, too; the others are put back.
    """
    own = [node for node in CUDNN if raw[node] != DEFAULT]
    for node in own:
        put(node, "ieee")
    flag = _cudnn_flag()
    for node in own:
        put(node, raw[node])
    return flag is None
