"""Never wrong where stock is right: one test for each thing that may change between two calls."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from overhead_runtime.compile import compile as fast_compile

from .compile_matrix import (  # type: ignore[import-not-found]  # tests are no package
    CASES,
    CHANGES,
    SURROUNDINGS,
    Case,
)
from .compile_matrix_net import make_net, vector  # type: ignore[import-not-found]
from .compile_matrix_run import (  # type: ignore[import-not-found]
    WAYS,
    Setting,
    build_native,
    clean,
    outcome,
    run_case,
)


@pytest.fixture(autouse=True, scope="module")
def _ready() -> None:
    build_native()
    clean()


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    yield
    clean()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore")
def test_right_wherever_stock_is_right(case: Case) -> None:
    verdict = run_case(case, Setting())
    assert not verdict.vacuous
    assert not verdict.wrong


@pytest.mark.parametrize("case", CHANGES[::4], ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore")
def test_right_in_eval_without_recursive_tags_too(case: Case) -> None:
    verdict = run_case(case, Setting(training=False, tags=False))
    assert not verdict.vacuous
    assert not verdict.wrong


@pytest.mark.parametrize("case", CASES[::5], ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore")
def test_right_where_the_graph_breaks_too(case: Case) -> None:
    verdict = run_case(case, Setting(broken=True))
    assert not verdict.vacuous
    assert not verdict.wrong


# All of them: python -m tests.runtime.compile_matrix_run, with --breaks and without
UNDER_INDUCTOR = ("float attribute", "shared object's flag", "parameter replaced", "forward hook")


@pytest.mark.skipif(shutil.which("g++") is None, reason="inductor needs g++")
@pytest.mark.parametrize("name", UNDER_INDUCTOR)
@pytest.mark.filterwarnings("ignore")
def test_right_under_inductor_too(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    verdict = run_case(case, Setting("inductor", training=UNDER_INDUCTOR.index(name) % 2 == 0), WAYS[1:4])
    assert not verdict.vacuous
    assert not verdict.wrong


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
        outcome(Case(name, around=SURROUNDINGS[name]), ours)
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
    "own _call_impl": "the instance has its own _call_impl",
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
    outcome(Case(name), ours)
    assert ours.stats().hits == 1
    assert ours.stats().fallbacks == {HOOKED[name]: 1}
