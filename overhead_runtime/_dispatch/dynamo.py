"""Dynamo's cache and wrappers: what is needed of them is probed by feature, never by version."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

import torch

from .unsupported import Unsupported


@dataclasses.dataclass(frozen=True, slots=True)
class CompiledCode:
    """One live entry of Dynamo's code cache, without a pointer into the cache itself.

    The cache owns its entries in C++ and frees them on ``torch._dynamo.reset()``, so what is needed
    is copied out. ``manager.cache_entry`` is cleared by Dynamo when the entry is dropped, evicted or
    invalidated because a guarded object died.
    """

    manager: Any
    root: Any
    code: types.CodeType


@dataclasses.dataclass(frozen=True, slots=True)
class Target:
    """What ``torch.compile`` was asked for, read back from its result.

    Args:
        wrapper: Stock's wrapper function (for a module: what sits in its ``forward``).
        call: The callable that the wrapper runs: a function, a bound method, or a module's ``__call__``.
        backend: The backend that Dynamo compares cache entries with.
        region: The cache region, -1 for the shared one.
        callback: What Dynamo evaluates frames by.
        hooks: What stock runs around each call that matters while compiling; each gives what undoes it.
        errs_at_breaks: Whether a graph break was asked to be an error or not to be.
    """

    wrapper: Any
    call: Any
    backend: Any
    region: int
    callback: Any
    hooks: tuple[Callable[[], Callable[[], object]], ...]
    errs_at_breaks: bool


# What stock runs around each call without effect on a call that hits its cache: ``on_enter`` counts the
# generation (so does the dispatcher), config patchers of ``dynamic=`` matter only while compiling.
_COUNTS_GENERATION = "call_on_enter"
_HARMLESS_HOOKS = (_COUNTS_GENERATION, "_make_closure_patcher")


def _names(owner: Any, *names: str) -> None:
    for name in names:
        if not hasattr(owner, name):
            label = getattr(owner, "__name__", type(owner).__name__)
            raise Unsupported(f"this torch has no {label}.{name}")


def probe() -> None:
    """Check that every private name that direct dispatch needs is there, and says what it is read for.

    Raises:
        Unsupported: A name is missing, or does not tell what it should; the message says which.
    """
    from torch._C._dynamo import eval_frame as native
    from torch._C._dynamo import guards
    from torch._dynamo import eval_frame, mutation_guard, utils

    from . import ambient

    _names(
        native,
        "get_eval_frame_callback",
        "set_eval_frame",
        "set_guard_complete_hook",
        "_debug_get_cache_entry_list",
        "_CacheEntry",
    )
    _names(native._CacheEntry, "code", "guard_manager", "backend")
    _names(guards.RootGuardManager, "check")
    _names(eval_frame, "_stance", "DynamoStance", "OptimizedModule", "innermost_backend", "skip_code")
    _names(mutation_guard, "GenerationTracker")
    _names(mutation_guard.GenerationTracker, "generation")
    _names(utils, "graph_break_reasons")
    _names(
        torch._C,
        "_len_torch_dispatch_stack",
        "_len_torch_function_stack",
        "_get_tracing_state",
        "_meta_in_tls_dispatch_include",
        "_dispatch_tls_is_dispatch_key_excluded",
        "_dispatch_tls_set_dispatch_key_excluded",
        "_dispatch_tls_local_include_set",
        "_dispatch_tls_local_exclude_set",
        "_ForceDispatchKeyGuard",
    )
    _names(
        torch._C._functorch,
        "get_dynamic_layer_stack_depth",
        "pop_dynamic_layer_stack_and_undo_to_depth",
    )
    _names(torch.compiler, "_is_compiling_flag")
    _names(torch.autograd.profiler, "_is_profiler_enabled")
    if not ambient.tells_fx_tracing():
        raise Unsupported("this torch does not show when torch.fx traces")


def target_of(stock: Any) -> Target:
    """Read back what ``torch.compile`` wrapped.

    Args:
        stock: Its result, for a module or a function.

    Raises:
        Unsupported: It cannot be read back, or runs something around each call that is not known here.
    """
    from torch._dynamo import config, eval_frame

    wrapper = stock.__dict__.get("forward") if isinstance(stock, torch.nn.Module) else stock
    if not isinstance(wrapper, types.FunctionType):
        raise Unsupported("not a plain wrapper of torch.compile (a lazy or ahead-of-time compiled module)")
    cells = dict(zip(wrapper.__code__.co_freevars, wrapper.__closure__ or (), strict=True))
    if "self" not in cells or not hasattr(wrapper, "_torchdynamo_orig_callable"):
        raise Unsupported("the wrapper that torch.compile returned has an unknown form")
    context = cells["self"].cell_contents
    _names(context, "callback", "enter_exit_hooks", "_backend_ctx_ctor", "fullgraph")
    if not callable(context.callback):
        raise Unsupported("torch.compile is switched off for this callable")
    if context._backend_ctx_ctor is not eval_frame.null_context:
        raise Unsupported("the backend runs a context manager around each call")
    hooks = [(getattr(hook, "__qualname__", repr(hook)), hook) for hook in context.enter_exit_hooks]
    for name, _ in hooks:
        if not any(known in name for known in _HARMLESS_HOOKS):
            raise Unsupported(f"torch.compile runs {name} around each call")
    if getattr(config, "error_on_dynamo_callback_in_fullgraph_compiled_code", False):
        raise Unsupported("error_on_dynamo_callback_in_fullgraph_compiled_code is set")
    return Target(
        wrapper=wrapper,
        call=wrapper._torchdynamo_orig_callable,
        backend=eval_frame.innermost_backend(context.callback),
        region=getattr(context, "_isolate_recompiles_id", -1),
        callback=context.callback,
        hooks=tuple(hook for name, hook in hooks if _COUNTS_GENERATION not in name),
        errs_at_breaks=getattr(context, "error_on_graph_break", None) is not None,
    )


def live_entries(code: types.CodeType, backend: Any, region: int) -> list[CompiledCode]:
    """The cache entries that Dynamo would try for a call, in its order.

    Args:
        code: The code object of the frame.
        backend: Entries of other backends are left out, as Dynamo leaves them out.
        region: The cache region; an isolated one falls back to the shared one, as in Dynamo.
    """
    from torch._C._dynamo import eval_frame as native

    per_region = getattr(native, "_get_cache_entries_for_region", None)
    if per_region is None:
        found = native._debug_get_cache_entry_list(code)
    else:
        found = list(per_region(code, region))
        if region != -1:
            found += per_region(code, -1)
    return [
        CompiledCode(entry.guard_manager, entry.guard_manager.root, entry.code)
        for entry in found
        if entry.backend is backend or entry.backend == backend
    ]


def has_graph_break(original: types.CodeType, compiled: types.CodeType) -> bool:
    """Whether the compiled code calls back into uncompiled Python, where Dynamo must stay switched on.

    A break in the last expression leaves no resume function behind, so Dynamo's list of reasons is
    consulted too. It may name a break of another entry of the same function: that errs towards stock.
    """
    from torch._dynamo import utils

    if any(name.startswith("__resume_at") for name in compiled.co_names):
        return True
    return any(
        frame.filename == original.co_filename
        and frame.name == original.co_name
        and any(line == frame.lineno for _, _, line in original.co_lines())
        for reason in utils.graph_break_reasons
        for frame in reason.user_stack
    )


def hide_from_dynamo(code: types.CodeType) -> None:
    """Keep Dynamo from compiling the dispatcher's own frames, as it skips those of ``torch._dynamo``."""
    from torch._dynamo import eval_frame

    eval_frame.skip_code(code)


def generation_tracker() -> Any:
    """The class whose ``generation`` stock advances on each call; CUDA graph trees read it."""
    from torch._dynamo.mutation_guard import GenerationTracker

    return GenerationTracker


def for_native() -> tuple[Any, Any, Any]:
    """What the native core needs: the running callback, the guard hook, and where calls are counted."""
    from torch._C._dynamo import eval_frame as native

    return native.get_eval_frame_callback, native.set_guard_complete_hook, generation_tracker()
