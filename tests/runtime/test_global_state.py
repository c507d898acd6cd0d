"""`GlobalState`: what it sees, its round trip, and that nothing malformed reaches torch."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from overhead_runtime import GlobalState


@contextlib.contextmanager
def set_back(get: Callable[[], Any], put: Callable[[Any], Any], value: Any) -> Iterator[None]:
    before = get()
    put(value)
    try:
        yield
    finally:
        put(before)


CHANGES: dict[str, tuple[Callable[[], Any], str, Any, Any]] = {
    "grad mode": (torch.no_grad, "grad_mode", True, False),
    "threads": (
        lambda: set_back(torch.get_num_threads, torch.set_num_threads, 3),
        "num_threads",
        2,
        3,
    ),
    "default dtype": (
        lambda: set_back(torch.get_default_dtype, torch.set_default_dtype, torch.float64),
        "default_dtype",
        "float32",
        "float64",
    ),
    "deterministic": (
        lambda: set_back(
            torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms, True
        ),
        "deterministic_algorithms",
        False,
        True,
    ),
    "torch function": (torch._C.DisableTorchFunctionSubclass, "torch_function", True, False),
}


@pytest.fixture
def two_threads() -> Iterator[None]:
    """Whatever number tests of before have left, which need not be that of when this file was collected."""
    with set_back(torch.get_num_threads, torch.set_num_threads, 2):
        yield


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_setting_is_named_with_old_and_new(change: str) -> None:
    context, field, old, new = CHANGES[change]
    before = GlobalState.capture()
    assert before.check()
    assert before.compare() == ()
    with context():
        assert not before.check()
        assert (field, old, new) in before.compare()
        inside = GlobalState.capture()
    assert before.check()
    assert not inside.check()
    assert inside.compare(before) == tuple((f, n, o) for f, o, n in before.compare(inside))
    assert str(before.compare(inside)[0]).startswith(f"{before.compare(inside)[0].field}: ")


def test_autocast_shows() -> None:
    before = GlobalState.capture()
    with torch.autocast("cpu", dtype=torch.float16):
        changes = before.compare()
    assert {change.field.partition("[")[0] for change in changes} == {
        "autocast_state.enabled",
        "autocast_state.dtype",
    }
    assert {change.new for change in changes} == {True, "float16"}


def test_round_trips_keep_everything() -> None:
    with torch.no_grad():
        state = GlobalState.capture()
    for twin in (
        GlobalState.from_json(state.to_json()),
        pickle.loads(pickle.dumps(state)),
        copy.deepcopy(state),
        eval(repr(state)),
    ):
        assert twin == state
        assert hash(twin) == hash(state)
        assert twin.to_json() == state.to_json()
        assert not twin.check()
        with torch.no_grad():
            assert twin.check()
    assert state != GlobalState.capture()
    assert state != state.to_json()


def mutations() -> list[str]:
    """Texts that are nearly a state."""
    good = json.loads(GlobalState.capture().to_json())
    texts = ["", "{", "[]", "null", "3", '"x"', "{}", "[" * 5000, "NaN", '{"grad_mode": true}']
    junk: list[Any] = [None, -1, 2**40, 2**70, 1.5, "x", [], {}, [None], True, 1e400]

    def paths(value: Any) -> Iterator[list[Any]]:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield [key]
            if isinstance(inner, dict | list):
                yield from ([key, *rest] for rest in paths(inner))

    for path in paths(good):
        for replacement in [*junk, ...]:
            bad = copy.deepcopy(good)
            inner = bad
            for key in path[:-1]:
                inner = inner[key]
            if replacement is ...:
                del inner[path[-1]]
            else:
                inner[path[-1]] = replacement
            texts.append(json.dumps(bad))
    texts.append(json.dumps({**good, "more": 1}))
    return texts


def test_malformed_states_raise_and_never_end_the_process() -> None:
    texts = mutations()
    code = (
        "import json, sys\n"
        "from overhead_runtime import GlobalState\n"
        "refused = 0\n"
        "for text in json.load(sys.stdin):\n"
        "    try:\n"
        "        state = GlobalState.from_json(text)\n"
        "        state.check(), state.compare(), state._guard.reason()\n"
        "    except ValueError as error:\n"
        "        assert str(error).startswith('GlobalState.from_json: '), error\n"
        "        refused += 1\n"
        "print(refused)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(texts), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    # Among the mutations a few are states, such as one with another flag set.
    assert len(texts) * 0.8 < int(done.stdout) < len(texts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"grad_mode": 1}, "grad_mode must be bool, got int"),
        ({"num_threads": 0}, "num_threads must be 1 to"),
        ({"default_dtype": 100}, "default_dtype must be 0 to"),
        ({"autocast_state": {}}, "autocast_state lacks or should not have"),
        ({"other": 1}, "the state lacks or should not have: other"),
    ],
)
def test_the_field_that_is_wrong_is_named(change: dict[str, Any], message: str) -> None:
    fields = {**json.loads(GlobalState.capture().to_json()), **change}
    with pytest.raises(ValueError, match=message):
        GlobalState.from_json(json.dumps(fields))


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="text must be a str, got bytes"):
        GlobalState.from_json(b"{}")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="other must be a GlobalState"):
        GlobalState.capture().compare("x")  # type: ignore[arg-type]


def test_a_torch_without_the_guard_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(torch._C._dynamo.guards, "GlobalStateGuard")
    with pytest.raises(RuntimeError, match="has no global state guard"):
        GlobalState.capture()
