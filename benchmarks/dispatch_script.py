"""The script of depyf's tutorial on optimization, 10,000 calls of a chain of 100, in several forms."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from dispatch_models import Numbered, NumberedChain, own_code
from dispatch_variants import STOCK, Timed, depyf_of, has_depyf
from tabulate import tabulate
from torch import nn

from overhead_runtime import compile as fast_compile
from overhead_runtime import freeze

# How the form is called that the others are compared with.
_STOCK = "torch.compile(mod)"
_CALLS = 10_000
_ROUNDS = 5
_MOST = 1.2
CHANGES: tuple[Callable[[Any], object], ...] = (
    lambda one: setattr(one.leaves[50], "number", 7),
    lambda one: one.leaves[3].__dict__.update(number=9),
    lambda one: one.leaves.__setitem__(20, Numbered(1000)),
    lambda one: one.leaves.append(Numbered(5000)),
    lambda one: setattr(one.leaves[1], "number", 2.5),
)


def forms() -> dict[str, tuple[Any, Any]]:
    """Each form of the script: what it calls, and the model to change."""
    found: dict[str, tuple[Any, Any]] = {}

    def model() -> Any:
        return own_code(NumberedChain)(100)

    def decorated(decorate: Callable[[Any], Any]) -> None:
        cls = own_code(NumberedChain)
        cls.forward = decorate(cls.forward)
        one = cls(100)
        found[f"@{_name(decorate)} on forward"] = (one, one)

    one = model()
    found["eager"] = (one, one)
    decorated(torch.compile)
    one = model()
    found[_STOCK] = (torch.compile(one), one)
    if has_depyf():
        one = model()
        found["depyf"] = (depyf_of(one, {}), one)
    decorated(fast_compile)
    for mode in ("full", "token"):
        one = model()
        found[f'runtime.compile(mod, guard_eval="{mode}")'] = (fast_compile(one, guard_eval=mode), one)
    one = model()
    found["the same, frozen"] = (fast_compile(one, guard_eval="frozen"), one)
    freeze(found["the same, frozen"][0])
    return found


def _name(decorate: Any) -> str:
    return "torch.compile" if decorate is torch.compile else "runtime.compile"


def _eager_result(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    for leaf in model.leaves:  # type: ignore[union-attr]  # a ModuleList
        x = leaf(x)
    return x


def run_script() -> tuple[dict[str, Timed], list[str]]:
    """Print the table.

    Returns:
        What each form took a call, and the promises that were not kept.
    """
    torch._dynamo.reset()
    found = forms()
    for call, _ in found.values():
        for _ in range(3):
            call(torch.tensor([1]))
    best = dict.fromkeys(found, float("inf"))
    x = torch.tensor([2])
    for name, (call, _) in list(found.items()) * _ROUNDS:
        start = time.perf_counter()
        for _ in range(_CALLS if name != "eager" else _CALLS // 50):
            call(x)
        best[name] = min(best[name], (time.perf_counter() - start) * (50 if name == "eager" else 1))
    caught = {name: _caught(*one, x) for name, one in found.items() if name != "eager"}
    depyf = best.get("depyf")
    rows = [
        [
            name,
            f"{seconds:.3f}",
            "" if depyf is None else f"{seconds / depyf:.2f}x",
            "" if name not in caught else f"{caught[name]} of {len(CHANGES)}",
        ]
        for name, seconds in best.items()
    ]
    print(f"\nscript: {_CALLS:,} calls of 100 submodules, inductor (eager: from {_CALLS // 50})")
    print(tabulate(rows, headers=["", "seconds", "to depyf", "caught"], disable_numparse=True))
    name = 'runtime.compile(mod, guard_eval="token")'
    missed = [] if caught[name] == len(CHANGES) else [f"script: a change was not caught by {name}"]
    if depyf is not None and best[name] > _MOST * depyf:
        missed.append(f"script: {best[name] / depyf:.2f} times depyf, promised {_MOST}")
    timed = {form: Timed(seconds / _CALLS * 1e6, caught.get(form)) for form, seconds in best.items()}
    return {STOCK if form == _STOCK else form: one for form, one in timed.items()}, missed


def _caught(call: Any, model: Any, x: torch.Tensor) -> int:
    seen = 0
    for change in CHANGES:
        change(model)
        seen += torch.equal(call(x), _eager_result(model, x))
    return seen
