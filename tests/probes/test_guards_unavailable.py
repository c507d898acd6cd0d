"""The guard probe where it cannot measure: nothing is compiled, or torch lacks a piece."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

torch = pytest.importorskip("torch")

from guarded_code import COUNTS, Counter, compiled, helper  # noqa: E402

from overhead_lint.probes import (  # noqa: E402
    ProbeUnavailable,
    guards_api,
    guards_dynamo,
    guards_reading,
    guards_saved,
    guards_tryout,
    measure,
    timing,
)

if TYPE_CHECKING:
    from torch import Tensor

pytestmark = pytest.mark.usefixtures("fresh_guards")


def past_the_limit() -> Callable[[Tensor], Tensor]:
    model = compiled(Counter())
    with torch._dynamo.config.patch(recompile_limit=1):
        model(torch.ones(3))
        model(torch.ones(3))
    return model  # type: ignore[no-any-return]


def given_up() -> Callable[[Tensor], Tensor]:
    def only_breaks(x: Tensor) -> Tensor:
        for _ in range(2):
            torch._dynamo.graph_break()
        return x

    function = compiled(only_breaks)
    function(torch.ones(3))
    return function  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: helper, "nothing that torch.compile made was called"),
        (past_the_limit, "1 calls failed their guards and ran eagerly"),
        (given_up, "Dynamo gave up on only_breaks"),
    ],
)
@pytest.mark.parametrize("metric", COUNTS)
def test_no_compiled_frame_is_an_error_and_never_a_zero(
    make: Callable[[], Callable[[Tensor], Tensor]], why: str, metric: str
) -> None:
    function = make()
    message = f"no compiled frame ran while it was measured: {why}"
    with pytest.raises(ProbeUnavailable, match=message), measure([metric]):
        function(torch.ones(3))


def test_force_eager_is_an_error() -> None:
    function = compiled(helper)
    function(torch.ones(3))
    with torch.compiler.set_stance("force_eager"), measure(["guards"], strict=False) as m:
        function(torch.ones(3))
    assert "guards" not in m.values
    assert m.unavailable["guards"].startswith("no compiled frame ran")


def test_an_active_profiler_makes_guards_an_error() -> None:
    function, x = compiled(helper), torch.ones(3)
    function(x)

    @torch._dynamo.disable  # type: ignore[untyped-decorator]
    def profile(frame: object, event: str, arg: object) -> None:
        del frame, event, arg

    with measure(["guards"], strict=False) as m:
        sys.setprofile(profile)
        try:
            function(x)
        finally:
            sys.setprofile(None)
    assert "profiler" in m.unavailable["guards"]


@pytest.mark.parametrize("piece", ["orig_code_map", "graph_break_reasons", "guard_failures"])
def test_a_torch_that_lacks_a_piece_makes_metrics_unavailable_by_its_name(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards_reading, "watch", lambda: guards_dynamo.Watch(guards_api.api()))
    monkeypatch.delattr(torch._dynamo.utils, piece)
    guards_api.api.cache_clear()
    try:
        lacking = f"this torch has no torch._dynamo.utils.{piece}"
        with pytest.raises(ProbeUnavailable, match=lacking), measure(["guards"]):
            pass
    finally:
        guards_api.api.cache_clear()


@pytest.mark.parametrize(
    ("piece", "instead", "told"),
    [
        ("entries", lambda code: [], "_debug_get_cache_entry_list shows no entry"),
        ("orig_code_map", {}, "orig_code_map does not lead back"),
        ("set_guard_complete_hook", lambda hook: None, "set_guard_complete_hook tells no hit"),
    ],
)
def test_a_piece_that_does_not_work_is_found_before_a_number_is_told(
    piece: str, instead: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = compiled(helper)
    function(torch.ones(3))
    broken = dataclasses.replace(guards_api.api(), **{piece: instead})
    monkeypatch.setattr(guards_api, "api", lambda: broken)
    guards_tryout._tried_out.cache_clear()
    counted = {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()}
    try:
        lacking = f"Dynamo's hooks do not work here: {told}"
        with pytest.raises(ProbeUnavailable, match=lacking), measure(["guards"]):
            function(torch.ones(3))
    finally:
        guards_tryout._tried_out.cache_clear()
    assert {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()} == counted


def test_trying_the_pieces_out_leaves_torch_to_the_first_compilation_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patcher, distribution = torch._dynamo.eval_frame.TorchPatcher, torch.distributions.Distribution
    monkeypatch.setattr(distribution, "_validate_args", True)
    monkeypatch.setattr(torch.nn.Module, "___needs_generation_tag_patch", True)
    monkeypatch.setattr(torch.nn.Module, "__init__", torch.nn.Module.__init__)
    monkeypatch.setattr(torch.nn.Module, "__setstate__", torch.nn.Module.__setstate__)
    begin, step = torch.nn.Module.__init__, torch.optim.Adam._init_group
    guarding: list[str] = []
    guards = hasattr(torch._C, "_ensureCUDADeviceGuardSet")
    monkeypatch.setattr(torch._C, "_ensureCUDADeviceGuardSet", lambda: guarding.append("set"), raising=False)
    patcher.patch.cache_clear()
    guards_tryout._tried_out.cache_clear()
    guards_tryout.self_test()
    assert not guarding  # else the thread of the trying out would own the guard of the process, and end
    with pytest.raises(ValueError, match="to satisfy the constraint"):
        torch.distributions.Normal(torch.zeros(1), -torch.ones(1))
    assert torch.nn.Module.__init__ is begin and torch.optim.Adam._init_group is step
    compiled(helper)(torch.ones(3))
    assert bool(guarding) is guards
    assert not distribution._validate_args and torch.nn.Module.__init__ is not begin


def test_a_hook_that_another_tool_took_makes_all_unavailable_and_stays_its_own() -> None:
    take = torch._C._dynamo.eval_frame.set_guard_complete_hook
    function, x = compiled(helper), torch.ones(3)
    function(x)
    heard: list[bool] = []
    ours: list[Any] = []

    def theirs(hit: bool) -> bool:
        heard.append(hit)
        return bool(ours[0](hit))

    first = take(None)
    take(first)
    with measure(["guards", "recompiles"], strict=False) as m:
        ours.append(take(theirs))
        function(x)
    assert m.values == {}
    assert set(m.unavailable.values()) == {"another tool took Dynamo's guard hook while it was measured"}
    try:
        with measure(["guards"]) as m:  # its hook calls ours, and ours calls it
            function(x)
        assert m.values["guards"] > 0
        assert heard == [True, True]
    finally:
        assert take(first) is theirs


def test_a_torch_that_cannot_copy_guards_has_no_table_and_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise guards_api.Unsupported("this torch has no RootGuardManager.clone_manager")

    monkeypatch.setattr(guards_reading, "family_times", refuse)
    monkeypatch.setattr(timing, "LEAST_FLUSH", 1 << 20)
    monkeypatch.setattr(timing, "last_level_cache_bytes", lambda: 0)
    function, x = compiled(helper), torch.ones(3)
    function(x)
    probe = guards_reading.GuardProbe(closely=True)
    probe.start(guards_reading.TIMED)
    function(x)
    assert probe.stop().unavailable == {}
    (entry,) = probe.entries()
    assert entry.families == () and entry.times["guard_time_hot"] > 0


def test_a_torch_that_cannot_save_compiled_code_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(torch, "compile", lambda function, **options: function)
    with pytest.raises(guards_api.Unsupported, match="this torch has no aot_compile"):
        guards_saved.save(helper, tmp_path / "helper.bin", (torch.ones(3),))
