"""guard_eval="frozen": what freeze and thaw promise, what is missed, and that verification finds it."""

from __future__ import annotations

import functools
import io
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch
from compile_cases import Added, Scaled, warm
from torch import nn

from overhead_runtime import compile as any_compile
from overhead_runtime import compile_stats, freeze, thaw

from .compile_matrix import CASES, Case  # type: ignore[import-not-found]  # tests are no package
from .compile_matrix_run import (  # type: ignore[import-not-found]
    Setting,
    build_native,
    run_frozen,
)

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

frozen_compile = functools.partial(any_compile, backend="eager", guard_eval="frozen")
FORMS = ["native", "python"]


def _in_form(compiled: Any, form: str) -> Any:
    """Have Python or, where it is built, the gate serve the calls."""
    if form == "python":
        compiled.__dict__["_overhead_lint_dispatcher"].keeper.refusal = "switched off for the test"
    elif build_native():
        pytest.skip(build_native())
    return compiled


def _frozen(module: Any, form: str, x: torch.Tensor, **options: Any) -> Any:
    """A compiled module that is frozen, and has served calls so."""
    if form == "native":
        build_native()
    compiled = warm(_in_form(frozen_compile(module, **options), form), x)
    freeze(compiled)
    for _ in range(3):
        compiled(x)
    assert compile_stats(compiled).frozen >= 1
    return compiled


@pytest.mark.parametrize("form", FORMS)
def test_a_change_is_missed_while_frozen_and_seen_after_thawing(form: str) -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _frozen(module, form, x)
    before = module(x)
    module.scale = 5
    assert torch.equal(compiled(x), before)
    thaw(compiled)
    assert torch.equal(compiled(x), module(x))
    assert not torch.equal(module(x), before)
    frozen = compiled.stats().frozen
    compiled(x)
    assert compiled.stats().frozen == frozen


@pytest.mark.parametrize("form", FORMS)
def test_a_change_before_the_first_frozen_call_is_seen(form: str) -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _frozen(module, form, x)
    thaw(compiled)
    module.scale = 5
    freeze(compiled)
    for _ in range(4):
        assert torch.equal(compiled(x), module(x))
    module.scale = 6
    freeze(compiled)  # anew, without thawing first
    for _ in range(4):
        assert torch.equal(compiled(x), module(x))


@pytest.mark.parametrize("form", FORMS)
def test_arguments_of_another_kind_are_looked_at_and_find_their_entry(form: str) -> None:
    module = Scaled().eval()
    compiled = _frozen(module, form, torch.randn(2, 4), dynamic=False)
    others: list[Callable[[], tuple[Any, ...]]] = [
        lambda: (torch.randn(2, 4),),
        lambda: (torch.randn(3, 4),),
        lambda: (torch.randn(4, 2).t(),),
        lambda: (torch.randn(2, 4, requires_grad=True),),
        lambda: (nn.Parameter(torch.randn(2, 4)),),
        lambda: (torch.randn(2, 4), 1),
        lambda: (torch.randn(2, 4), 1.0),
        lambda: (torch.randn(2, 4), 2.5),
    ]
    for _ in range(5):
        for make in others:
            args = make()
            result, wanted = compiled(*args), module(*args)
            assert torch.equal(result, wanted)
            assert result.requires_grad == wanted.requires_grad
    before = compiled.stats()
    for make in others:
        compiled(*make())
    after = compiled.stats()
    assert after.frozen == before.frozen + len(others)
    assert after.misses == before.misses
    with torch.no_grad():
        assert not compiled(torch.randn(2, 4, requires_grad=True)).requires_grad


@pytest.mark.parametrize("form", FORMS)
def test_containers_are_told_apart_by_what_is_in_them(form: str) -> None:
    def add(values: Any, x: torch.Tensor) -> torch.Tensor:
        first = values["k"] if isinstance(values, dict) else values[0]
        y: torch.Tensor = x + first + len(values)
        return y

    if form == "native":
        build_native()
    compiled = _in_form(frozen_compile(add, dynamic=False), form)
    x = torch.ones(3)
    kinds: list[Any] = [(1, 2), (5, 2), [1, 2], {"k": 1}, {"k": 2}, {"k": 1, "m": 2}, (torch.ones(3),)]
    freeze(compiled)
    for _ in range(5):
        for values in kinds:
            assert torch.equal(compiled(values, x), add(values, x)), values
    assert compile_stats(compiled).frozen >= len(kinds)


@pytest.mark.parametrize("form", FORMS)
def test_verification_names_the_guard_that_fails(form: str) -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _frozen(module, form, x, verify_every=3)
    for _ in range(10):
        compiled(x)
    module.scale = 5
    with pytest.raises(RuntimeError, match=r"something has changed: .*scale"):
        for _ in range(3):
            compiled(x)
    thaw(compiled)
    assert torch.equal(compiled(x), module(x))


@pytest.mark.parametrize("form", FORMS)
def test_a_profiler_is_no_disagreement(form: str) -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _frozen(module, form, x, verify_every=1)
    with torch.profiler.profile():
        for _ in range(3):
            assert torch.equal(compiled(x), module(x))
    assert compiled.stats().fallbacks["a profiler is running"] == 3


# One of each kind that docs/compile.md names; python -m tests.runtime.compile_matrix_run --frozen has all.
MISSED = (
    "float attribute",
    "__dict__ of a leaf",
    "list item",
    "submodule replaced",
    "eval",
    "class attribute of a leaf",
    "forward hook",
    "own forward",
    "code of forward",
    "global variable",
    "closure cell",
    "defaults of a function",
)
SEEN = ("argument: another shape", "argument: double", "parameter replaced", "under: no_grad", "under: vmap")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MISSED)
def test_what_is_missed_by_design_is_told_by_verification(name: str) -> None:
    build_native()
    verdict = run_frozen(_case(name), Setting())
    if verdict.stale and not verdict.missed:
        pytest.skip("no guard of this torch sees it either")
    assert (verdict.missed, verdict.told) == (True, True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SEEN)
def test_what_shows_in_the_arguments_or_is_read_in_each_call_is_not_missed(name: str) -> None:
    build_native()
    assert not run_frozen(_case(name), Setting()).missed


def _case(name: str) -> Case:
    return next(case for case in CASES if case.name == name)


def test_only_what_was_compiled_to_be_frozen_can_be() -> None:
    for compiled in (any_compile(Added(), backend="eager"), any_compile(lambda x: x, guard_eval="token")):
        for change in (freeze, thaw):
            with pytest.raises(ValueError, match="guard_eval='frozen'"):
                change(compiled)
    freeze(frozen_compile(Added(), disable=True))


def test_a_method_of_the_model_named_freeze_stays_its_own() -> None:
    class Frozen(Added):
        def freeze(self) -> str:
            return "its own"

    compiled: Any = frozen_compile(Frozen())
    assert compiled.freeze() == "its own"


@pytest.mark.parametrize("instead", ["token", "full"])
@pytest.mark.parametrize("decorated", [False, True])
def test_the_environment_puts_a_safe_mode_in_its_place(
    instead: str, decorated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEAD_LINT_FROZEN", instead)
    module, x = Added(), torch.randn(2, 4)
    compiled = warm(frozen_compile(module.forward if decorated else module, verify_every=1), x)
    freeze(compiled)
    for scale in (3, 3, 3, 5, 5, 6):
        module.scale = scale
        assert torch.equal(compiled(x), module(x))
    thaw(compiled)
    assert (compile_stats(compiled).guard_eval, compile_stats(compiled).frozen) == (instead, 0)


def test_the_environment_is_held_to_what_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERHEAD_LINT_FROZEN", "stock")
    with pytest.raises(ValueError, match="OVERHEAD_LINT_FROZEN must be 'full' or 'token', not 'stock'"):
        frozen_compile(Added())


def test_a_copy_is_not_frozen() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = warm(frozen_compile(module), x)
    freeze(compiled)
    file = io.BytesIO()
    pickle.dump(compiled, file)
    file.seek(0)
    copied: Any = pickle.load(file)
    for scale in (3, 3, 5):
        copied._orig_mod.scale = scale
        assert torch.equal(copied(x), copied._orig_mod(x))
    assert compile_stats(copied).frozen == 0


@pytest.mark.parametrize("form", FORMS)
def test_code_that_raises_leaves_nothing_behind_and_is_served_again(form: str) -> None:
    def raising(x: torch.Tensor, number: torch.Tensor) -> torch.Tensor:
        return torch.gather(x, 0, number)

    if form == "native":
        build_native()
    compiled = _in_form(frozen_compile(raising), form)
    x, inside, outside = torch.arange(3.0), torch.tensor([1]), torch.tensor([7])
    freeze(compiled)
    for _ in range(4):
        assert compiled(x, inside).tolist() == [1.0]
    with pytest.raises(RuntimeError, match="index"):
        compiled(x, outside)
    assert compiled(x, inside).tolist() == [1.0]
    assert compile_stats(compiled).frozen >= 3
