"""Advice for compiled frames, and what it is made of."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402

from overhead_lint import runtime  # noqa: E402
from overhead_lint.native import NativeUnavailable, load  # noqa: E402
from overhead_lint.probes import ProbeUnavailable, guards_advice, timing  # noqa: E402
from overhead_lint.probes.guards_advice import Advised, advise  # noqa: E402
from overhead_lint.probes.guards_api import api  # noqa: E402
from overhead_lint.probes.guards_reading import TIMED, Entry, GuardProbe  # noqa: E402


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # What is tested is what is tried, not how exact the times are.
    monkeypatch.setattr(timing, "LEAST_FLUSH", 1 << 20)
    monkeypatch.setattr(timing, "last_level_cache_bytes", lambda: 0)
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


class Config:
    """Two values, and two more one level down."""

    def __init__(self, depth: int) -> None:
        self.scale, self.shift = 2, 1
        if depth:
            self.inner = Config(depth - 1)


class Layer(nn.Module):
    """Reads its values from an object."""

    def __init__(self) -> None:
        super().__init__()
        self.config = Config(1)

    def forward(self, x: Tensor) -> Tensor:
        """Scale and shift."""
        config = self.config
        return x * config.scale + config.shift + config.inner.scale + config.inner.shift


class Net(nn.Module):
    """Some layers, a float that is read in each, and a count of the kernels that ran."""

    ran = 0

    def __init__(self, n: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(n)])
        self.factor = 0.5

    def forward(self, x: Tensor) -> Tensor:
        """Run all."""
        for layer in self.layers:
            x = layer(x) * self.factor
        return x


def counting(graph: Any, inputs: list[Tensor]) -> Any:
    """A backend that counts how often its code runs."""

    def run(*args: Tensor) -> Any:
        Net.ran += 1
        return graph(*args)

    return run


def changes(advised: Advised) -> dict[str, guards_advice.Advice]:
    """All that was tried, by what it is."""
    return {one.change: one for one in [*advised.advice, *advised.without_effect]}


FULL, TOKEN = (f"overhead_lint.runtime.compile(..., guard_eval={mode!r})" for mode in ("full", "token"))
TAGS = "torch._dynamo.config.use_recursive_dict_tags_for_guards = True"
TAGGED = bool(torch._dynamo.config.use_recursive_dict_tags_for_guards)
"""Whether this torch has them without being asked, so that there is nothing to try."""
FLOATS = "torch._dynamo.config.specialize_float = True"


@functools.cache
def no_token() -> str:
    """Why "token" recognises no state here; "" where it does."""
    compiled = runtime.compile(lambda x: x + 1, backend="eager", guard_eval="token")
    compiled(torch.ones(1))
    return runtime.compile_stats(compiled).not_recognised or ""


def test_rules_settings_and_modes_are_tried_and_ranked() -> None:
    try:
        load("dispatch")
    except NativeUnavailable as error:
        pytest.skip(error.why)
    net, x = Net(20), torch.ones(3)
    advised = advise(torch.compile(net, backend="eager"), x)
    tried = changes(advised)
    config = next(change for change in tried if change.startswith("keep 80 values of L['self']"))
    assert {change: one.rule for change, one in tried.items()} == {
        FULL: "OVH307",
        **({} if no_token() else {TOKEN: "OVH307"}),
        **({} if TAGGED else {TAGS: "OVH307"}),
        FLOATS: "OVH306",
        config: "OVH305",
    }
    saved = [one.saves_seconds * one.calls for one in advised.advice]
    assert saved == sorted(saved, reverse=True)
    first = advised.advice[0]
    # Which of the two saves more is a question of microseconds, which a busy machine may answer either way.
    assert first.change in ((FULL,) if no_token() else (TOKEN, FULL))
    assert (first.function, first.file) == ("Net.forward", __file__)
    assert 0 < tried[FULL].saves_seconds <= first.saves_seconds < first.of_seconds
    assert first.measured == guards_advice.CALL
    assert 0 < tried[config].saves_seconds < tried[config].of_seconds
    assert f"us a call: {first.change} (OVH307); whole calls, without kernels" in str(first)
    assert not no_token() or any(f"{TOKEN}: {no_token()}" in why for why in advised.not_tried)


def test_trying_runs_no_kernel_and_leaves_the_cache_as_it_was() -> None:
    net, x = Net(2), torch.ones(3)
    compiled = torch.compile(net, backend=counting)
    expected = compiled(x)
    kept = [entry.code for entry in api().entries(Net.forward.__code__)]
    Net.ran = 0
    advised = advise(compiled, x)
    assert Net.ran == 1  # the one call that was looked at
    assert changes(advised)
    assert [entry.code for entry in api().entries(Net.forward.__code__)] == kept
    assert torch.equal(compiled(x), expected)
    assert net.factor == 0.5 and list(vars(net.layers[0].config)) == ["scale", "shift", "inner"]


class Stepping(nn.Module):
    """Writes to itself, so its code must not be run for a trial."""

    def __init__(self) -> None:
        super().__init__()
        self.last: Any = None

    def forward(self, x: Tensor) -> Tensor:
        """Keep the result."""
        self.last = y = x + 1
        return y * 2


def test_code_that_changes_objects_is_not_run_and_its_guards_are_timed() -> None:
    module, x = Stepping(), torch.ones(3)
    compiled = torch.compile(module, backend="eager")
    advised = advise(compiled, x)
    assert torch.equal(module.last, x + 1)
    tried = changes(advised)
    assert TAGGED or tried[TAGS].measured == guards_advice.GUARDS
    assert tried[FULL].measured == guards_advice.WRAPPER
    why = no_token() or "the code changes objects outside of it"
    assert any(f"{TOKEN}: {why}" in told for told in advised.not_tried)


SEEN: list[Tensor] = []
LAST: dict[str, Tensor] = {}
COUNT = 0


def appends(x: Tensor) -> Tensor:
    """Write to a list."""
    SEEN.append(x)
    return x + 1


def keeps(x: Tensor) -> Tensor:
    """Write to a dict."""
    LAST["x"] = x
    return x + 1


def counts(x: Tensor) -> Tensor:
    """Write to a global name."""
    global COUNT
    COUNT = x.shape[0]
    return x + 1


@pytest.mark.parametrize("function", [appends, keeps, counts])
def test_every_kind_of_change_keeps_code_from_being_run(function: Any) -> None:
    SEEN.clear()
    x = torch.ones(3)
    compiled = torch.compile(function, backend="eager")
    calls = 0

    def once(x: Tensor) -> None:
        nonlocal calls
        calls += 1
        compiled(x)

    advised = advise(once, x)
    assert len(SEEN) == (calls if function is appends else 0)
    tried = changes(advised)
    assert {one.measured for one in tried.values()} <= {guards_advice.GUARDS, guards_advice.WRAPPER}


def broken(x: Tensor) -> Tensor:
    """One graph break."""
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


def test_graph_breaks_are_advice_and_runtime_compile_is_none_for_them() -> None:
    advised = advise(torch.compile(broken, backend="eager"), torch.ones(3))
    (found,) = [one for one in advised.advice if one.rule == "OVH311"]
    line = broken.__code__.co_firstlineno + 3
    assert found.change == f"compile it as one graph, without its graph breaks (line {line})"
    assert any(f"{FULL}: no copy of code with graph breaks is run" in why for why in advised.not_tried)


def varied(x: Tensor, *rest: Tensor, k: int = 3, **named: int) -> Tensor:
    """All kinds of arguments, and a closure's name."""
    return x + rest[0] * k + named["z"]


def test_all_kinds_of_arguments_are_given_to_the_copy() -> None:
    x, factor = torch.ones(3), 4

    def closure(x: Tensor) -> Tensor:
        return x * factor

    for function, args, kwargs in ((varied, (x, x), {"k": 4, "z": 2}), (closure, (x,), {})):
        advised = advise(torch.compile(function, backend="eager"), *args, **kwargs)
        assert changes(advised)[FULL].measured == guards_advice.CALL, advised.not_tried


def test_what_runtime_compile_serves_already_is_compared_with_token_alone() -> None:
    compiled = runtime.compile(Net(2), backend="eager", guard_eval="full")
    tried = changes(advise(compiled, torch.ones(3)))
    assert FULL not in tried and TAGS not in tried


def test_nothing_compiled_is_an_error() -> None:
    with pytest.raises(ProbeUnavailable, match="no compiled frame ran"):
        advise(broken, torch.ones(3))


def read_closely(function: Any, *args: Any) -> Entry:
    """The entry that serves a call, read closely."""
    function(*args)
    probe = GuardProbe(closely=True)
    probe.start(TIMED)
    for _ in range(2):
        function(*args)
    probe.stop()
    (entry,) = probe.entries()
    return entry


def test_families_hold_all_guards_and_come_by_their_times() -> None:
    net, x = Net(30), torch.ones(3)
    entry = read_closely(torch.compile(net, backend="eager"), x)
    families = {family.source: family for family in entry.families}
    scale = families["L['self']._modules['layers']._modules[*].config.scale"]
    assert (scale.objects, scale.guards) == (30, 30)
    guards = entry.guards or ()
    assert sum(family.guards for family in entry.families) == len(guards)
    assert sum(family.seconds for family in entry.families) > 0
    assert [family.seconds for family in entry.families] == sorted(
        (family.seconds for family in entry.families), reverse=True
    )


def test_python_functions_among_the_guards_are_a_family_of_their_own() -> None:
    net, x = Net(1), torch.ones(3)
    compiled = torch.compile(net, backend="eager")
    compiled(x)
    net.factor = 0.25  # from now on the float is an input, and a Python function looks at it
    families = {family.source: family for family in read_closely(compiled, x).families}
    assert families["symbolic shapes"].guards == 1
    assert families["symbolic shapes"].seconds > 0


def test_compiled_code_is_timed_unless_it_calls_other_compiled_code() -> None:
    x = torch.ones(3)
    whole = read_closely(torch.compile(Net(2), backend="eager"), x)
    assert whole.code_seconds is not None and 1e-6 < whole.code_seconds < 1
    compiled = torch.compile(broken, backend="eager")
    compiled(x)
    probe = GuardProbe(closely=True)
    probe.start(TIMED)
    compiled(x)
    probe.stop()
    first, rest = probe.entries()
    assert (first.code_seconds is None, rest.code_seconds is None) == (True, False)


@pytest.mark.parametrize(
    ("compile_it", "kind", "mode"),
    [
        (lambda net: torch.compile(net, backend="eager"), "module", "stock"),
        (lambda net: torch.compile(net.forward, backend="eager"), "function", "stock"),
        (lambda net: runtime.compile(net, backend="eager"), "module", "full"),
        (lambda net: runtime.compile(net, backend="eager", guard_eval="token"), "module", "token"),
        (lambda net: runtime.compile(net.forward, backend="eager"), "function", "full"),
    ],
)
def test_entries_say_what_compiled_them(compile_it: Any, kind: str, mode: str) -> None:
    entry = read_closely(compile_it(Net(1)), torch.ones(3))
    assert (entry.wrapper.kind, entry.wrapper.mode) == (kind, mode)
    assert set(entry.times) == {"guard_time_hot", "guard_time_cold"}
    assert all(0 < seconds < 1 for seconds in entry.times.values())
    assert len(entry.guards or ()) > 10
