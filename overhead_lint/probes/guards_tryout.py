"""Tries Dynamo's pieces out, which `guards_api` found by name: whether they do what they are needed for."""

from __future__ import annotations

import contextlib
import functools
import threading
import types
from collections.abc import Iterator
from typing import Any

from overhead_lint.probes import guards_api
from overhead_lint.probes.guards_api import Api, Unsupported
from overhead_lint.probes.hiding import unheard

__all__ = ["self_test"]


def self_test() -> None:
    """Compile a small function, once in a process, and see that each piece does what it is needed for.

    In a thread of its own, where no mode of the caller is active, and nobody counts its operators. Dynamo's
    counters stay as they are.

    Raises:
        Unsupported: a piece is missing or does not, by name.
    """
    guards_api.api()  # tells first where there is no torch
    if _compiles() and (wrong := _tried_out()):
        raise Unsupported(wrong)


def _compiles() -> bool:
    """Whether anything is compiled now, so that it can be tried out."""
    import torch

    stance = getattr(getattr(torch._dynamo.eval_frame, "_stance", None), "stance", "default")
    return stance == "default" and not getattr(torch._dynamo.config, "disable", False)


@functools.cache
def _tried_out() -> str:
    wrong: list[str] = []

    def run() -> None:
        with guards_api.trying_out(), unheard():
            wrong.append(_try_out(guards_api.api()))

    thread = threading.Thread(target=run)
    with guards_api.counting_nothing():
        thread.start()
        thread.join()
    return wrong[0] if wrong else "Dynamo's hooks cannot be tried out"


@contextlib.contextmanager
def _leaving_torch_as_it_is() -> Iterator[None]:
    """Keep a first compilation from changing torch for the whole process.

    It has distributions check their arguments no more, replaces functions of optimizers, and marks modules.
    Where torch is built for CUDA and finds no GPU, it also has the process use a device guard that belongs to
    the thread, and is gone with it: later compilations would crash (torch 2.11.0).
    The first one of the program's own still does all that.
    """
    import torch
    from torch._dynamo import eval_frame

    patcher: Any = getattr(eval_frame, "TorchPatcher", None)
    changing = (
        (patcher, "patch"),
        (eval_frame, "install_generation_tagging_init"),
        (torch._C, "_ensureCUDADeviceGuardSet"),
    )
    before = [(owner, name, vars(owner)[name]) for owner, name in changing if hasattr(owner, name)]
    for owner, name, _ in before:
        setattr(owner, name, lambda: None)
    try:
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)


def _try_out(found: Api) -> str:
    """What does not work; "" if all does."""
    import torch

    def add_one(x: Any) -> Any:
        return x + 1

    old = add_one.__code__.replace()  # a copy, which has no entries yet
    probe = types.FunctionType(old, globals(), "add_one")
    made: list[tuple[types.CodeType, types.CodeType]] = []
    guarded: list[bool] = []
    lookups: list[bool] = []

    def complete(hit: bool) -> bool:
        lookups.append(hit)
        return hit

    def tell(guards: Any, f_locals: Any, builder: Any) -> None:
        guarded.append(bool(guards.root.check(f_locals)))

    handle = found.register_bytecode_hook(lambda code, new: made.append((code, new)))
    module = found.guards_module
    testing, module.guard_manager_testing_hook_fn = module.guard_manager_testing_hook_fn, tell
    before = found.set_guard_complete_hook(complete)
    try:
        with _leaving_torch_as_it_is():
            compiled = torch.compile(probe, backend=lambda graph, inputs: graph.forward)
            compiled(torch.ones(1))
            compiled(torch.ones(1))
        entries = found.entries(old)
        held = [bool(entry.guard_manager.root.get_leaf_guards()) for entry in entries]
    except Exception as error:  # whatever private API raises is the answer
        return f"Dynamo's hooks do not work here: {type(error).__name__}: {error}".split("\n")[0]
    finally:
        found.set_guard_complete_hook(before)
        module.guard_manager_testing_hook_fn = testing
        handle.remove()
    mine = [new for code, new in made if code is old]
    for works, piece in (
        (len(mine) == 1, "register_bytecode_hook tells no new code"),
        (held == [True], "_debug_get_cache_entry_list shows no entry with guards"),
        (bool(mine) and found.orig_code_map.get(mine[0]) is old, "orig_code_map does not lead back"),
        (bool(guarded) and all(guarded), "guard_manager_testing_hook_fn shows no guards that hold"),
        (lookups[-1:] == [True], "set_guard_complete_hook tells no hit"),
    ):
        if not works:
            return f"Dynamo's hooks do not work here: {piece}"
    return ""
