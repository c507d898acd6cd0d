"""`record` and `nvtx_range`, beside `record_function` and `nvtx.range`; `NULL_CONTEXT`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from runtime_forms import FORMS, function
from torch.cuda import nvtx

from overhead_runtime import NULL_CONTEXT, nvtx_range, record

Build = Callable[..., Any]


@pytest.fixture(autouse=True, params=FORMS)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs each test with the functions of Python, and with the compiled ones."""
    for name in ("record", "nvtx_range"):
        monkeypatch.setattr(request.module, name, function(name, request.param))
    chosen: str = request.param
    return chosen


def blocks(build: Build) -> None:
    with build("outer"), build("inner", "some args"):
        torch.ones(2).add(1)
    with contextlib.suppress(KeyError), build("failing"):
        raise KeyError


def functions(build: Build) -> None:
    @build("decorated")  # type: ignore[untyped-decorator]
    def work(n: int) -> None:
        torch.ones(2).add(1)
        if n:
            work(n - 1)

    work(2)


def reused(build: Build) -> None:
    shared = build("reused")
    for _ in range(3):
        with shared:
            torch.ones(1)


PROFILERS: dict[str, Callable[[], Any]] = {
    "torch.profiler": lambda: torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]),
    "autograd": lambda: torch.autograd.profiler.profile(use_kineto=True),
    "autograd legacy": lambda: torch.autograd.profiler.profile(use_kineto=False),
}


@pytest.mark.parametrize("profiler", PROFILERS)
@pytest.mark.parametrize("scenario", [blocks, functions, reused])
def test_a_profiler_sees_the_ranges_of_stock(scenario: Callable[[Build], None], profiler: str) -> None:
    profiles = []
    for build in (torch.profiler.record_function, record):
        with PROFILERS[profiler]() as profile:
            scenario(build)
        profiles.append(sorted((event.key, event.count) for event in profile.key_averages()))
    assert profiles[0] == profiles[1]
    assert len(profiles[0]) > 1


def test_what_was_built_before_the_profiler_is_recorded() -> None:
    early = record("early")

    @record("early function")
    def work() -> None:
        pass

    work()
    with PROFILERS["torch.profiler"]() as profile:
        work()
        with early:
            pass
    assert {"early", "early function"} <= {event.key for event in profile.key_averages()}


def test_a_profiler_that_starts_or_ends_inside_does_no_harm() -> None:
    with record("outer"), PROFILERS["torch.profiler"]() as profile, record("inner"):
        pass
    assert [event.key for event in profile.key_averages() if event.key in ("outer", "inner")] == ["inner"]
    with contextlib.ExitStack() as stack:
        profile = stack.enter_context(PROFILERS["torch.profiler"]())
        late = stack.pop_all()
        with record("ends later"):
            late.close()
    with record("after"):
        pass


def test_one_instance_entered_again_makes_nested_ranges() -> None:
    shared = record("again")
    counts = []
    for first, second in ((shared, shared), map(torch.profiler.record_function, ("again", "again"))):
        with PROFILERS["torch.profiler"]() as profile, first, record("between"), second:
            torch.ones(1)
        counts.append([event.name for event in profile.events()])
    assert counts[0] == counts[1]
    assert counts[0].count("again") == 2


def test_a_lazy_name_is_made_only_while_a_profiler_runs() -> None:
    made: list[int] = []

    def name() -> str:
        made.append(1)
        return "lazy"

    with record(name):
        pass
    assert made == []
    with PROFILERS["torch.profiler"]() as profile, record(name):
        pass
    assert made == [1]
    assert "lazy" in {event.key for event in profile.key_averages()}


def test_bad_names_raise_what_stock_raises_while_a_profiler_runs() -> None:
    with PROFILERS["torch.profiler"]():
        for build in (torch.profiler.record_function, record):
            with pytest.raises(RuntimeError, match="str"), build(3):  # type: ignore[arg-type]
                pass


def test_ranges_trace_in_one_graph_and_a_profiler_recompiles_nothing() -> None:
    @torch.compile(backend="eager", fullgraph=True)
    def forward(x: torch.Tensor) -> torch.Tensor:
        with record("inside"), NULL_CONTEXT:
            return x + 1

    forward(torch.zeros(1))
    with torch.compiler.set_stance("fail_on_recompile"), PROFILERS["torch.profiler"]():
        assert forward(torch.zeros(1)) == 1


@pytest.fixture
def ranges(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What reaches NVTX, on a torch without it."""
    calls: list[Any] = []
    library: Any = vars(nvtx)["_nvtx"]
    monkeypatch.setattr(library, "rangePushA", calls.append, raising=False)
    monkeypatch.setattr(library, "rangePop", lambda: calls.append("pop"), raising=False)
    yield calls


def nvtx_uses(build: Build) -> None:
    with build("plain"), build("step {} of {n}", 3, n=9), build("braces {{}}"):
        pass
    with contextlib.suppress(KeyError), build("failing"):
        raise KeyError

    @build("decorated {}", 1)  # type: ignore[untyped-decorator]
    def work(n: int) -> None:
        if n:
            work(n - 1)

    work(1)


def test_nvtx_gets_the_ranges_of_stock(ranges: list[Any]) -> None:
    seen = []
    for build in (nvtx.range, nvtx_range):
        ranges.clear()
        nvtx_uses(build)
        seen.append(list(ranges))
    assert seen[0] == seen[1]
    assert seen[0].count("pop") == 6


@pytest.mark.usefixtures("ranges")
@pytest.mark.parametrize("arguments", [("{}",), ("{missing}",), ("}",), (3,), (None, 1)])
def test_bad_messages_raise_what_stock_raises(arguments: tuple[Any, ...]) -> None:
    raised = []
    for build in (nvtx.range, nvtx_range):
        with pytest.raises(Exception) as caught, build(*arguments):
            pass
        raised.append(caught.type)
    assert raised[0] is raised[1]


def test_a_lazy_message_is_made_at_entry(ranges: list[Any]) -> None:
    block = nvtx_range(lambda: "lazy")
    assert ranges == []
    with block:
        pass
    assert ranges == ["lazy", "pop"]


class Message:
    """What can be called, and formatted."""

    def __call__(self) -> str:
        return "called"

    def format(self, *args: Any) -> str:
        return f"formatted {args}"


def test_a_message_of_its_own_class_is_formatted_as_in_stock(ranges: list[Any]) -> None:
    for build in (nvtx.range, nvtx_range):
        with build(Message()), build(Message(), 1):
            pass
    assert ranges == ["formatted ()", "formatted (1,)", "pop", "pop"] * 2


def test_without_nvtx_entry_raises_as_in_stock() -> None:
    if hasattr(torch._C, "_nvtx"):
        pytest.skip("this torch has NVTX")
    for build in (nvtx.range, nvtx_range):
        with pytest.raises(RuntimeError, match="NVTX functions not installed"), build("x"):
            pass


def test_the_null_context_can_be_entered_again() -> None:
    with NULL_CONTEXT as outer, NULL_CONTEXT as inner:
        assert outer is inner is None
