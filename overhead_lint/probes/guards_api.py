"""Dynamo's private API. Beside settings, the guard probe touches it only here and in `guards_tree`.

What is used is looked for by name when it is first needed, never by version, and tried out on a small
function by `guards_tryout`. A missing piece raises `Unsupported` with its name, so the metrics that need it
are errors, and nothing is counted on a guess.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Api",
    "Unsupported",
    "api",
    "changes_objects",
    "check_guards",
    "counting_nothing",
    "is_trying_out",
    "locals_of",
    "names_in_sources",
    "on_compilations",
    "on_guards",
    "saved_guards",
    "traced_code",
    "trying_out",
    "unsaved_guard_types",
]


class Unsupported(RuntimeError):
    """A piece of Dynamo's private API that this torch lacks, by name."""


@dataclass(frozen=True)
class Api:
    """Dynamo's pieces, found."""

    register_bytecode_hook: Callable[[Any], Any]
    set_guard_complete_hook: Callable[[Any], Any]
    entries: Callable[[types.CodeType], list[Any]]
    orig_code_map: Any
    guards_module: Any
    guard_failures: Mapping[Any, list[str]]
    graph_break_reasons: list[Any]
    compilation_metrics: Callable[[], list[Any]]
    skip: Callable[[types.CodeType], None]
    torch_root: str


def _need(owner: Any, name: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError:
        raise Unsupported(f"this torch has no {owner.__name__}.{name}") from None


@functools.cache
def api() -> Api:
    """Dynamo's pieces that the hooks need. Imports torch._dynamo. Raises `Unsupported`."""
    try:
        import torch
        import torch._dynamo.convert_frame as convert_frame
        import torch._dynamo.eval_frame as eval_frame
        import torch._dynamo.guards as guards
        import torch._dynamo.utils as utils
        from torch._C._dynamo import eval_frame as native
    except ImportError as error:
        raise Unsupported(f"torch._dynamo cannot be imported: {error}") from error
    _need(guards, "guard_manager_testing_hook_fn")
    strategy, action = _need(native, "_FrameExecStrategy"), _need(native, "_FrameAction")
    set_strategy = _need(native, "set_code_exec_strategy")

    def skip(code: types.CodeType) -> None:
        set_strategy(code, strategy(action.SKIP, action.SKIP))

    return Api(
        register_bytecode_hook=_need(convert_frame, "register_bytecode_hook"),
        set_guard_complete_hook=_need(native, "set_guard_complete_hook"),
        entries=_need(eval_frame, "_debug_get_cache_entry_list"),
        orig_code_map=_need(utils, "orig_code_map"),
        guards_module=guards,
        guard_failures=_need(utils, "guard_failures"),
        graph_break_reasons=_need(utils, "graph_break_reasons"),
        compilation_metrics=_need(utils, "get_compilation_metrics"),
        skip=skip,
        torch_root=str(torch.__path__[0]),
    )


def check_guards(guards: Any, f_locals: Mapping[str, object]) -> Callable[[], bool]:
    """A call that evaluates all guards of an entry once on the given inputs, as a cache lookup does."""
    return functools.partial(_need(guards.root, "check"), f_locals)


def locals_of(frame: types.FrameType) -> dict[str, Any]:
    """The locals of a frame as its guards take them: from Python 3.13 on a frame gives a view, no dict."""
    return dict(frame.f_locals)


def traced_code() -> list[types.CodeType]:
    """The code that went into the compilation that is going on: the frame's own, and what it calls."""
    try:
        from torch._dynamo.utils import get_traced_code
    except ImportError:
        return []
    return list(get_traced_code() or ())


@contextlib.contextmanager
def on_guards(told: Callable[[Any, Mapping[str, object], Any], None]) -> Iterator[None]:
    """Have a function told of the guards of each frame that is compiled meanwhile.

    Args:
        told: gets the guard manager, the locals of the frame, and Dynamo's builder of the guards. What it
            raises ends the compilation.
    """
    module = api().guards_module
    before = module.guard_manager_testing_hook_fn

    def hook(guards: Any, f_locals: Any, builder: Any) -> None:
        if before is not None:
            before(guards, f_locals, builder)
        told(guards, f_locals, builder)

    module.guard_manager_testing_hook_fn = hook
    try:
        yield
    finally:
        module.guard_manager_testing_hook_fn = before


def saved_guards(made: Any) -> tuple[Callable[..., Mapping[str, object]], Any]:
    """What checks the inputs of code that was loaded.

    Args:
        made: what `torch.compiler.load_compiled_function` gave.

    Returns:
        A function that names inputs as guards do, and the guards.

    Raises:
        Unsupported: this torch does not show them.
    """
    names, artifacts = getattr(made, "prepare_f_locals", None), getattr(made, "_artifacts", None)
    guards = getattr(artifacts, "guard_manager", None)
    if names is None or guards is None:
        raise Unsupported("this torch does not show the guards of saved code")
    return names, guards


def unsaved_guard_types() -> frozenset[str]:
    """The types of guards that torch cannot save. Raises `Unsupported`."""
    try:
        from torch._dynamo.guards import CheckFunctionManager
    except ImportError as error:
        raise Unsupported(f"torch._dynamo cannot be imported: {error}") from error
    return frozenset(_need(CheckFunctionManager, "UNSUPPORTED_SERIALIZATION_GUARD_TYPES"))


def names_in_sources() -> dict[str, object]:
    """The names that Dynamo's texts for where an input is found may use, beside ``L`` and builtins."""
    from torch._dynamo import guards

    return dict(getattr(guards, "_get_closure_vars", dict)())


def changes_objects() -> bool:
    """Whether the code being compiled assigns to objects of the user, or draws Python's random numbers.

    To be asked by a backend: before, it is not known, and afterwards it is forgotten.

    Raises:
        Unsupported: this torch does not tell.
    """
    try:
        from torch._dynamo.symbolic_convert import InstructionTranslator
        from torch._dynamo.variables.base import AttributeMutationNew, ValueMutationNew

        graph = InstructionTranslator.current_tx().output
        effects: Any = graph.side_effects
        if graph.random_calls or effects.tensor_hooks or effects.save_for_backward:
            return True
        known = [one for one in effects.id_to_variable.values() if effects.is_modified(one)]
        # What the code makes itself is nobody else's.
        return any(
            not isinstance(one.mutation_type, (AttributeMutationNew, ValueMutationNew)) for one in known
        )
    except (ImportError, AttributeError) as error:
        raise Unsupported(f"this torch does not tell the side effects of compiled code: {error}") from None


class _Trying(threading.local):
    """Whether this thread tries Dynamo out."""

    now: bool = False


_trying = _Trying()


@contextlib.contextmanager
def trying_out() -> Iterator[None]:
    """What this thread compiles in the block tries Dynamo out: nobody is told of it."""
    _trying.now = True
    try:
        yield
    finally:
        _trying.now = False


def is_trying_out() -> bool:
    """Whether what this thread compiles tries Dynamo out."""
    return _trying.now


def on_compilations(told: Callable[[], None]) -> None:
    """Have a function told whenever something begins to compile; never where torch does not tell."""
    try:
        from torch._dynamo.callback import callback_handler
    except ImportError:
        return

    def begun(_: object) -> None:
        if not is_trying_out():
            told()

    api().skip(begun.__code__)
    callback_handler.register_start_callback(begun)


@contextlib.contextmanager
def counting_nothing() -> Iterator[None]:
    """Keep Dynamo's counters, which a program may print, as they are before the block."""
    import torch

    counters = getattr(torch._dynamo.utils, "counters", {})
    kept = {name: counter.copy() for name, counter in counters.items()}
    try:
        yield
    finally:
        counters.clear()
        counters.update(kept)
