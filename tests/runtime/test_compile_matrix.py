"""Never wrong where stock is right: one test for each thing that may change between two calls."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from overhead_lint.runtime.compile import compile as fast_compile

from .compile_matrix import (  # type: ignore[import-not-found]  # tests are no package
    CASES,
    CHANGES,
    SURROUNDINGS,
    Case,
    make_net,
    restore,
    vector,
)

Outcome = tuple[Any, ...]


@functools.cache
def _why_no_token() -> str | None:
    """Why guard_eval="token" works as "full" on this machine."""
    compiled = fast_compile(lambda x: x + 1, backend="eager", guard_eval="token")
    for _ in range(3):
        compiled(vector())
    why: str | None = compiled.stats().not_recognised
    torch._dynamo.reset()
    return why


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    torch._dynamo.reset()
    restore()
    yield
    restore()
    torch._dynamo.reset()


def _outcome(case: Case, function: Callable[..., Any]) -> Outcome:
    try:
        result = case.around(function, case.arguments())
    except Exception as error:  # any exception is an outcome, to be compared with the others'
        return ("raised", type(error).__name__)
    if not isinstance(result, torch.Tensor):
        return ("value", result)
    values = None if result.is_meta else result.detach().clone()
    return ("tensor", type(result).__name__, result.dtype, result.shape, result.requires_grad, values)


def _same(left: Outcome, right: Outcome) -> bool:
    if left[:1] != right[:1] or left[0] != "tensor":
        return left == right
    if left[1:5] != right[1:5]:
        return False
    return left[5] is None or torch.allclose(left[5], right[5], equal_nan=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore")
def test_right_wherever_stock_is_right(case: Case) -> None:
    has_token = _why_no_token() is None
    net = make_net(case.rich)
    # Verification turns a state that was recognised wrongly into an error, even where the result is right.
    token = fast_compile(net, backend="eager", guard_eval="token", verify_every=1)
    for _ in range(3):
        token(vector())
    if has_token and not case.rich:
        assert token.stats().recognised == 1, "the case is vacuous: no state was recognised before the change"
    _compare(case, net, token)


@pytest.mark.parametrize("case", CHANGES[::4], ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore")
def test_right_in_eval_with_recursive_tags_too(case: Case) -> None:
    with torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=True):
        _compare(case, make_net(rich=True).eval())


def _compare(case: Case, net: Any, *more: Any) -> None:
    stock = torch.compile(net, backend="eager")
    full = fast_compile(net, backend="eager")
    for _ in range(3):
        full(vector())
    assert full.stats().hits >= 2, "the case is vacuous: nothing was dispatched before the change"
    case.change(net)
    # Stock goes last: what it recompiles must not hide a stale dispatch.
    ours = [[_outcome(case, one) for _ in range(3)] for one in (*more, full)]
    theirs = [_outcome(case, stock) for _ in range(2)]
    eager = _outcome(case, net)
    # Where stock differs from eager (11 cases on torch 2.13), following either is allowed, a third is not.
    right = [eager] if all(_same(outcome, eager) for outcome in theirs) else [eager, *theirs]
    for one, outcomes in zip((*more, full), ours, strict=True):
        for outcome in outcomes:
            assert any(_same(outcome, other) for other in right), (outcome, eager, theirs, one.stats())


def test_the_matrix_has_at_least_eighty_distinct_cases() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 80


REASONS = {
    "stance force_eager": "torch.compiler stance is not the default",
    "stance eager_on_recompile": "torch.compiler stance is not the default",
    "TorchFunctionMode": "a TorchFunctionMode is active",
    "TorchDispatchMode": "a TorchDispatchMode is active",
    "profiler": "a profiler is running",
    "guard-complete hook": "a guard-complete hook is set",
    "vmap": "inside a functorch transform",
    "func.grad": "inside a functorch transform",
    "func.jvp": "inside a functorch transform",
    "jit.trace": "being traced by torch.jit or torch.fx",
}


@pytest.mark.filterwarnings("ignore")
def test_what_stock_must_serve_goes_there_with_its_reason() -> None:
    net = make_net()
    ours = fast_compile(net, backend="eager")
    for _ in range(2):
        ours(vector())
    for name, reason in REASONS.items():
        before = ours.stats()
        _outcome(Case(name, around=SURROUNDINGS[name]), ours)
        after = ours.stats()
        assert after.hits == before.hits, name
        assert after.fallbacks.get(reason, 0) > before.fallbacks.get(reason, 0), (name, after)
        ours(vector())
        assert ours.stats().hits == after.hits + 1, f"no hit after {name}"


HOOKED = {
    "forward hook": "the module has hooks",
    "forward pre-hook": "the module has hooks",
    "backward hook": "the module has hooks",
    "global forward hook": "global module hooks are registered",
    "own forward": "the instance has its own forward",
    "Module.compile() on it": "Module.compile() was called on it",
}


@pytest.mark.parametrize("name", HOOKED)
@pytest.mark.filterwarnings("ignore")
def test_routing_that_dynamo_does_not_guard_goes_to_stock(name: str) -> None:
    net = make_net()
    ours = fast_compile(net, backend="eager")
    for _ in range(2):
        ours(vector())
    next(case for case in CASES if case.name == name).change(net)
    _outcome(Case(name), ours)
    assert ours.stats().hits == 1
    assert ours.stats().fallbacks == {HOOKED[name]: 1}
