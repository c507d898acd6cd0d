"""What stands around the frames of a compiled module: the calls of `torch.nn.Module`, with their hooks.

Dynamo guards none of it where it compiles the frame inside, since the Python call around that honours it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from torch._dynamo.eval_frame import OptimizedModule
from torch.nn.modules import module as nn_module

if TYPE_CHECKING:
    import torch

Namespace = dict[str, Any]

OWN_NAME = "self"
"""A parameter of ``Module.__call__``, so that no argument can be given by this name."""
_OUTER_CALL = OptimizedModule.__call__
_GLOBAL_HOOKS = (
    nn_module._global_forward_hooks,
    nn_module._global_forward_pre_hooks,
    nn_module._global_backward_hooks,
    nn_module._global_backward_pre_hooks,
)
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
NO_MODULE: Namespace = dict.fromkeys(_HOOKS, ())
"""Stands for the original module where its call is traced."""


def block_around(own: Namespace, outer: Namespace, forward: Any) -> str | None:
    """Why a call may not be dispatched, or None.

    Args:
        own: The attributes of the original module.
        outer: Those of stock's ``OptimizedModule``.
        forward: What ``outer["forward"]`` held when it was made.
    """
    if _any_hook(own) or _any_hook(outer):
        return "the module has hooks"
    if any(_GLOBAL_HOOKS):
        return "global module hooks are registered"
    if "forward" in own or outer.get("forward") is not forward:
        return "the instance has its own forward"
    if "_call_impl" in own or "_call_impl" in outer:
        return "the instance has its own _call_impl"
    if own.get("_compiled_call_impl") is not None or outer.get("_compiled_call_impl") is not None:
        return "Module.compile() was called on it"
    if OptimizedModule.__call__ is not _OUTER_CALL:
        return "OptimizedModule.__call__ is replaced"
    return None


def facts_around(modules: Sequence[torch.nn.Module], forward: Any) -> dict[str, list[Any]]:
    """What `block_around` reads, for the native gate, in a moment in which nothing blocks.

    Args:
        modules: The original module, unless its call is traced, and stock's ``OptimizedModule``.
        forward: What ``forward`` of the last one held when it was made.
    """
    owners = [module.__dict__ for module in modules]
    hooks = [(owner, name, owner[name]) for owner in owners for name in _HOOKS]
    # None or absent, and to stay what it is.
    compiled_calls = [
        (owner, "_compiled_call_impl", *([None] if "_compiled_call_impl" in owner else []))
        for owner in owners
    ]
    return {
        "types": [(module, type(module)) for module in modules],
        "attributes": [(OptimizedModule, "__call__", _OUTER_CALL)],
        "namespaces": [(module, module.__dict__) for module in modules],
        "keys": [
            *((owner, "forward") for owner in owners[:-1]),
            (owners[-1], "forward", forward),
            *((owner, "_call_impl") for owner in owners),
            *compiled_calls,
            *hooks,
        ],
        "empty": [*(table for _, _, table in hooks), *_GLOBAL_HOOKS],
    }


def _any_hook(attributes: Namespace) -> bool:
    return bool(
        attributes["_forward_hooks"]
        or attributes["_forward_pre_hooks"]
        or attributes["_backward_hooks"]
        or attributes["_backward_pre_hooks"]
    )
