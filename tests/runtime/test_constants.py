"""`const_tensor`, beside `torch.tensor`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from runtime_forms import FORMS, function, native_module

from overhead_runtime import clear_const_tensors, const_tensor, constants


@pytest.fixture(autouse=True, params=FORMS)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs each test with the functions of Python, and with the compiled ones."""
    for name in ("const_tensor", "clear_const_tensors"):
        monkeypatch.setattr(request.module, name, function(name, request.param))
    chosen: str = request.param
    return chosen


@pytest.fixture(autouse=True)
def _empty(form: str) -> Iterator[None]:
    clear_const_tensors()
    yield
    clear_const_tensors()


def kept(form: str) -> int:
    count: int = native_module().count_constants() if form == "native" else len(constants._entries)
    return count


def same(one: torch.Tensor, other: torch.Tensor) -> None:
    assert one.dtype is other.dtype
    assert one.device == other.device
    assert one.layout is other.layout
    torch.testing.assert_close(one, other, rtol=0, atol=0, equal_nan=True)
    if one.dtype.is_floating_point:
        assert torch.equal(torch.signbit(one), torch.signbit(other))


@pytest.mark.parametrize("dtype", [0, False, "", "float32"], ids=repr)
def test_what_is_no_dtype_is_refused_as_in_stock_also_where_it_is_false(dtype: Any) -> None:
    const_tensor(1.0)
    const_tensor(1.0, torch.get_default_dtype())
    with pytest.raises(TypeError):
        torch.tensor(1.0, dtype=dtype)
    with pytest.raises(TypeError):
        const_tensor(1.0, dtype)


CONSTANTS: list[Any] = [
    *(0, 1, True, False, 1.0, 0.0, -0.0, float("inf"), float("nan"), 1j, 2**62),
    *(
        [],
        [1],
        [1.0],
        [True],
        [1, 2.0],
        (1, 2),
        [[1, 2], [3, 4]],
        ([1.0], (2,)),
        [[]],
        [[1, True], [2.0, -0.0]],
    ),
]
DTYPES = [None, torch.float32, torch.float64, torch.int64, torch.bool, torch.complex64]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_tensor_is_that_of_stock_whatever_came_before(dtype: torch.dtype | None) -> None:
    for _ in range(2):
        for value in CONSTANTS:
            try:
                expected = torch.tensor(value, dtype=dtype, device="cpu")
            except Exception as error:
                with pytest.raises(type(error)):
                    const_tensor(value, dtype, "cpu")
                continue
            same(const_tensor(value, dtype, "cpu"), expected)
            same(const_tensor(value, dtype=dtype), expected)


def test_the_same_constant_is_the_same_tensor() -> None:
    made = const_tensor([1.0, 2.0], torch.float32, "cpu")
    assert const_tensor([1.0, 2.0], torch.float32, "cpu") is made
    for other in (
        const_tensor([1.0, 2.0], torch.float64, "cpu"),
        const_tensor([1, 2], torch.float32, "cpu"),
        const_tensor([1.0, 2.0], torch.float32, "meta"),
        const_tensor((1.0, 2.0, 0.0), torch.float32, "cpu"),
        const_tensor([1.0, -2.0], torch.float32, "cpu"),
    ):
        assert other is not made


def test_a_default_dtype_is_followed() -> None:
    try:
        for dtype in (torch.float64, torch.float32, torch.float64):
            torch.set_default_dtype(dtype)
            for _ in range(2):
                assert const_tensor([1.5]).dtype is dtype
                assert const_tensor((1.5,)).dtype is dtype
                assert const_tensor((1.5,), None, "cpu").dtype is dtype
                assert const_tensor([1]).dtype is torch.int64
                assert const_tensor(1).dtype is torch.int64
    finally:
        torch.set_default_dtype(torch.float32)


WRITES: list[Callable[[torch.Tensor], Any]] = [
    lambda t: t.add_(1),
    lambda t: t.__setitem__(0, 9.0),
    lambda t: t[:1].zero_(),
    lambda t: t.detach().mul_(2),
    lambda t: t.resize_(1),
    lambda t: t.requires_grad_(),
    lambda t: t.set_(torch.zeros(2).untyped_storage()),
    lambda t: setattr(t, "data", torch.zeros(2)),
    lambda t: torch.add(t, 1, out=t),
    lambda t: t.untyped_storage().resize_(0),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("inference", [False, True])
@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("write", WRITES)
def test_a_tensor_that_was_written_to_is_not_given_again(
    write: Callable[[Any], Any], kind: Callable[[Any], Any], inference: bool
) -> None:
    value = kind([1.0, 2.0])
    with torch.inference_mode(inference):
        first = const_tensor(value)
        assert const_tensor(value) is first
        write(first)
        second = const_tensor(value)
    same(second, torch.tensor([1.0, 2.0]))
    assert not second.requires_grad
    assert const_tensor(value) is second


def test_a_list_that_changes_inside_a_tuple_is_seen() -> None:
    value = ([1.0], [2.0])
    assert const_tensor(value).tolist() == [[1.0], [2.0]]
    value[0][0] = 5.0
    assert const_tensor(value).tolist() == [[5.0], [2.0]]


def test_numbers_made_anew_are_never_taken_for_others() -> None:
    for value in range(5000):
        assert const_tensor(value + 0.5).item() == value + 0.5
        assert const_tensor((value, 0.5)).tolist() == [value, 0.5]


def test_a_tensor_made_in_inference_mode_can_be_saved_for_backward() -> None:
    with torch.inference_mode():
        made = const_tensor([2.0, 3.0])
    x = torch.ones(2, requires_grad=True)
    (x * const_tensor([2.0, 3.0])).sum().backward()
    assert const_tensor([2.0, 3.0]) is made
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    "value",
    [np.array([1, 2]), np.float32(1.5), [np.int32(1), 2], [np.zeros(2), np.ones(2)], torch.ones(2), range(3)],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_other_values_are_made_each_time(form: str, value: Any) -> None:
    same(const_tensor(value), torch.tensor(value))
    assert kept(form) == 0


@pytest.mark.parametrize("value", ["text", None, {1: 2}, [1, "a"], [[1], [2, 3]], [1, None], object()])
def test_bad_values_raise_what_stock_raises(value: Any) -> None:
    raised = []
    for make in (torch.tensor, const_tensor):
        with pytest.raises(Exception) as caught:
            make(value)
        raised.append((caught.type, str(caught.value)))
    assert raised[0] == raised[1]


@pytest.mark.parametrize("arguments", [{"device": "no"}, {"device": 1.5}, {"dtype": "float32"}, {"dtype": 3}])
def test_bad_arguments_raise_what_stock_raises(arguments: dict[str, Any]) -> None:
    raised = []
    for make in (torch.tensor, const_tensor):
        with pytest.raises(Exception) as caught:
            make([1.0], **arguments)
        raised.append(caught.type)
    assert raised[0] is raised[1]


def test_modes_get_tensors_of_their_own() -> None:
    from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

    for value in ([1.0], (1.0,), 1.0):
        real = const_tensor(value)
        with FakeTensorMode():
            assert isinstance(const_tensor(value), FakeTensor)
        with torch.device("meta"):
            assert const_tensor(value).device.type == "meta"
        assert const_tensor(value) is real
    assert torch.func.vmap(lambda x: x + const_tensor([7.0]))(torch.zeros(2, 1)).tolist() == [[7.0], [7.0]]
    assert torch.func.grad(lambda x: (x * const_tensor(5.0)).sum())(torch.zeros(2)).tolist() == [5.0, 5.0]


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_traces_in_one_graph(form: str, backend: str) -> None:
    @torch.compile(backend=backend, fullgraph=True)
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x + const_tensor([1.0, 2.0], device=x.device)

    assert forward(torch.zeros(2)).tolist() == [1.0, 2.0]
    assert kept(form) == 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_what_torch_jit_trace_records_is_made_anew() -> None:
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x * const_tensor(2.0) + const_tensor((1.0, 3.0))

    before = const_tensor(2.0)
    traced = torch.jit.trace(forward, torch.ones(2))  # traces again, and compares
    assert traced(torch.full((2,), 5.0)).tolist() == [11.0, 13.0]
    assert const_tensor(2.0) is before


def test_too_many_values_are_dropped(form: str) -> None:
    for value in range(constants._MAX_ENTRIES + 10):
        const_tensor(value)
    assert 0 < kept(form) <= constants._MAX_ENTRIES


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_starts_with_none(form: str) -> None:
    first = const_tensor([1.0, 2.0])
    child = os.fork()
    if child == 0:
        status = 1
        try:
            fresh = kept(form) == 0
            status = int(not (fresh and const_tensor([1.0, 2.0]).tolist() == [1.0, 2.0]))
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert const_tensor([1.0, 2.0]) is first


def test_a_tensor_whose_memory_was_given_to_another_is_not_given_again() -> None:
    first = const_tensor([1.0, 2.0])
    for value in range(20):
        first.data = torch.full((2,), float(value))
    same(const_tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]))


def test_threads_get_right_values() -> None:
    wrong: list[Any] = []

    def body(seed: int) -> None:
        for step in range(300):
            value = [float((seed + step) % 7), 1.0]
            if const_tensor(value).tolist() != value:
                wrong.append(value)

    threads = [threading.Thread(target=body, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
