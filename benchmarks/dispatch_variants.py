"""The variants of benchmarks/dispatch.py: ways to call a compiled model, timed against each other."""

from __future__ import annotations

import contextlib
import gc
import importlib
import time
import types
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import nn

from overhead_runtime import compile as fast_compile
from overhead_runtime import compile_stats, freeze

if TYPE_CHECKING:
    from dispatch_models import Model

try:
    _Depyf: Any = importlib.import_module("depyf.optimization").TorchCompileWrapperWithCustomDispatcher
except ImportError:
    _Depyf = None

__all__ = ["STOCK", "Timed", "Variant", "depyf_of", "has_depyf", "time_model"]

STOCK = "torch.compile"
_OURS = {"full, no tags", "full", "token", "frozen"}
# Seconds: short enough that many blocks fall between two interruptions.
_BLOCK = 4e-4
_Context = Callable[[], Any]


class Variant(NamedTuple):
    """One way to call a model.

    Args:
        call: Takes the model's arguments.
        model: The uncompiled model, to change it and to compare with.
        warm: What surrounds the calls that compile.
        around: What surrounds the others.
        through: What calls it, where it is not called itself.
    """

    call: Callable[..., Any]
    model: Any
    warm: _Context = contextlib.nullcontext
    around: _Context = contextlib.nullcontext
    through: Any = None


class Timed(NamedTuple):
    """What came of one variant.

    Args:
        microseconds: A call, in the fastest block.
        caught: How many of the model's changes the next call saw; None where that is no question.
    """

    microseconds: float
    caught: int | None


def has_depyf() -> bool:
    """Whether depyf can be compared with."""
    return _Depyf is not None


def depyf_of(module: nn.Module, how: dict[str, Any]) -> Any:
    """A module of one argument, dispatched as depyf's tutorial does it where there is one entry."""

    class Dispatched(_Depyf):  # type: ignore[misc]  # its class has no types
        def __init__(self) -> None:
            self.model = module
            super().__init__(torch.compile(self.forward, **how))

        def forward(self, x: torch.Tensor) -> Any:
            return self.model(x)

        def __call__(self, x: torch.Tensor) -> Any:
            if len(self.compiled_codes) == 1:
                with self.dispatch_to_code(0):
                    return self.forward(x)
            return self.compiled_callable(x)

    return Dispatched()


def _tags() -> Any:
    return torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=True)


def _no_guards() -> Any:
    return torch.compiler.set_stance(skip_guard_eval_unsafe=True)


def variants(model: Model) -> Iterator[tuple[str, Variant]]:
    """All variants of a model; each has a model, and so compiled code, of its own."""
    how = {"backend": model.backend, **model.options}
    one = model.make()
    yield "eager", Variant(one, one)
    one = model.make()
    yield STOCK, Variant(torch.compile(one, **how), one)
    one = model.make()
    yield "torch.compile, recursive tags", Variant(torch.compile(one, **how), one, _tags)
    for name in ("skip_guard_on_all_nn_modules_unsafe", "skip_all_guards_unsafe"):
        one = model.make()
        options = {"guard_filter_fn": getattr(torch.compiler, name)}
        yield name, Variant(torch.compile(one, **how, options=options), one)
    one = model.make()
    yield "skip_guard_eval_unsafe", Variant(torch.compile(one, **how), one, around=_no_guards)
    one = model.make()
    if has_depyf() and isinstance(one, nn.Module):
        yield "depyf", Variant(depyf_of(one, how), one)
    yield "full, no tags", Variant(fast_compile(one := model.make(), **how, recursive_tags=False), one)
    yield "full", Variant(fast_compile(one := model.make(), **how), one)
    yield "token", Variant(fast_compile(one := model.make(), **how, guard_eval="token"), one)
    frozen = fast_compile(one := model.make(), **how, guard_eval="frozen")
    freeze(frozen)  # what follows is never looked at again, for arguments such as these
    yield "frozen", Variant(frozen, one)


def code_alone(model: Any) -> Callable[..., Any] | None:
    """The code that Dynamo made, called without any guard: the floor for who leaves it as it is.

    None where there are several, or where what follows a graph break would run uncompiled.
    """
    function = type(model).forward if isinstance(model, nn.Module) else model
    entries = torch._dynamo.eval_frame._debug_get_cache_entry_list(function.__code__)
    if len(entries) != 1 or any(name.startswith("__resume_at") for name in entries[0].code.co_names):
        return None
    code = types.FunctionType(entries[0].code, function.__globals__, "code", function.__defaults__)
    return types.MethodType(code, model) if isinstance(model, nn.Module) else code


def time_model(model: Model, seconds: float, only: Collection[str] | None = None) -> dict[str, Timed]:
    """Time all variants of a model against each other, then see which of them notice changes.

    Args:
        model: The model.
        seconds: How long to measure, all variants together; each runs once at least.
        only: Names of variants, `STOCK` among them; None for all.
    """
    torch._dynamo.reset()
    with model.context():
        inputs = model.inputs()
        chosen = {
            name: one._replace(through=model.put(one.call))
            for name, one in variants(model)
            if only is None or name in only
        }
        found = {name: one for name, one in chosen.items() if _warmed(name, one, model, inputs)}
        floor = code_alone(found[STOCK].model)
        if floor is not None:
            found["compiled code alone"] = Variant(floor, None)
        best = _fastest(model, found, inputs, seconds)
        _check_dispatched(found)
        return {name: Timed(best[name], _caught(model, one, inputs[0])) for name, one in found.items()}


def _warmed(name: str, variant: Variant, model: Model, inputs: list[tuple[Any, ...]]) -> bool:
    try:
        with variant.warm():
            _run(model, variant, inputs, 4)
        with variant.around():
            _run(model, variant, inputs, 8)
    except Exception as error:  # without guards, code runs on what it was not made for
        print(f"{model.name}: {name} raises {type(error).__name__}")
        return False
    return True


def _run(model: Model, variant: Variant, inputs: list[tuple[Any, ...]], times: int) -> float:
    step, call = model.step, variant.call if variant.through is None else variant.through
    start = time.perf_counter()
    for _ in range(times):
        for args in inputs:
            step(call, args)
    return (time.perf_counter() - start) / times / len(inputs)


def _fastest(
    model: Model, found: dict[str, Variant], inputs: list[tuple[Any, ...]], seconds: float
) -> dict[str, float]:
    counts = {}
    for name, variant in found.items():
        with variant.around():
            # The least of several: one that was interrupted would make the blocks of this variant too short.
            took = min(_run(model, variant, inputs, 2) for _ in range(20))
        counts[name] = max(1, int(_BLOCK / took / len(inputs)))
    best = dict.fromkeys(found, float("inf"))
    gc.collect()
    end = time.perf_counter() + seconds
    while True:
        for name, variant in found.items():
            with variant.around():
                took = _run(model, variant, inputs, counts[name])
            best[name] = min(best[name], took * 1e6)
        if time.perf_counter() >= end:
            return best


def _check_dispatched(found: dict[str, Variant]) -> None:
    """Say where a figure does not show what its row says."""
    for name in _OURS & found.keys():
        stats = compile_stats(found[name].call)
        for why in (stats.unsupported, stats.not_native, stats.not_recognised):
            if why is not None:
                print(f"{name}: {why}")
        if stats.fallbacks:
            print(f"{name}: left to stock: {dict(stats.fallbacks)}")


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Equal but for the rounding of a compiler that works in another order."""
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-3, atol=1e-4)


def _caught(model: Model, variant: Variant, args: tuple[Any, ...]) -> int | None:
    if variant.model is None or variant.call is variant.model:
        return None
    seen = 0
    for change in model.changes:
        change(variant.model)
        with variant.around():
            seen += _same(variant.call(*args), variant.model(*args))
    return seen
