"""The same nodes on a torch that has only the old float32 flags."""

from __future__ import annotations

import torch

from ._precision_table import GENERIC, MATMULS, NODES, Node

__all__ = ["get", "put", "restore", "snapshot"]

State = tuple[str, bool]

_MKLDNN = {"highest": "ieee", "high": "tf32", "medium": "bf16"}


def snapshot() -> State:
    """The matmul precision and the cuDNN flag: all there is to save."""
    return torch.get_float32_matmul_precision(), bool(torch.backends.cudnn.allow_tf32)


def restore(saved: State) -> None:
    """Set both again."""
    torch.set_float32_matmul_precision(saved[0])
    torch.backends.cudnn.allow_tf32 = saved[1]


def get(node: Node) -> str:
    """What the flags say of a node; ``none`` for a parent whose children differ.

    Raises:
        RuntimeError: the flags say nothing of this node.
    """
    matmul, cudnn = snapshot()
    if node == Node("cuda", "matmul"):
        return "none" if matmul == "highest" else "tf32"
    if node == Node("mkldnn", "matmul"):
        return _MKLDNN[matmul]
    if node.backend == "cuda" and node.op != "all":
        return "tf32" if cudnn else "none"
    if node in (GENERIC, Node("cuda", "all")):
        return "tf32" if cudnn and matmul == "high" else "none"
    raise _cannot(node, "has no flag")


def put(node: Node, value: str) -> None:
    """Set the flags that stand for a node.

    Raises:
        RuntimeError: the old flags cannot represent it; the message says what would change with it.
    """
    tf32 = value == "tf32"
    if value == "bf16":
        raise _cannot(
            node, "cannot be bf16 alone; torch.set_float32_matmul_precision('medium') sets every matmul"
        )
    if node == Node("cuda", "matmul"):
        torch.backends.cuda.matmul.allow_tf32 = tf32
    elif node == Node("cuda", "all"):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        torch.backends.cudnn.allow_tf32 = tf32
    elif node == GENERIC:
        torch.set_float32_matmul_precision("high" if tf32 else "highest")
        torch.backends.cudnn.allow_tf32 = tf32
    elif node.backend == "cuda":
        raise _cannot(node, "shares torch.backends.cudnn.allow_tf32 with conv and rnn; set op='all'")
    elif node in MATMULS:
        raise _cannot(
            node, "shares torch.set_float32_matmul_precision with cuda.matmul; set backend='generic'"
        )
    else:
        raise _cannot(node, "has no flag")


def _cannot(node: Node, why: str) -> RuntimeError:
    assert node in NODES
    return RuntimeError(
        f"fp32_precision: this torch ({torch.__version__}) has only the old flags: {node} {why}"
    )
