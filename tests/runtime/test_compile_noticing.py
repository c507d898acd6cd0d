"""guard_eval="token": every write to what a state was noted of is noticed, on each interpreter."""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pytest
import torch

from overhead_runtime._dispatch import native, noticing
from overhead_runtime._dispatch.places import Places
from overhead_runtime._dispatch.unsupported import Unsupported

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package


@pytest.fixture
def state_of() -> Any:
    """The class of states, where this interpreter has one that notices all."""
    build_native()
    try:
        return native.flat_state()
    except Unsupported as error:
        pytest.skip(str(error))


def _noted(state_of: Any, *values: Any) -> Any:
    places = Places()
    for value in values:
        places.add(value, "test")
    state = state_of(places.lists(), ())
    assert state.holds(())
    return state


class Bare:
    """An object without attributes, and a subclass of it."""


class Full(Bare):
    gain = 1

    def __init__(self) -> None:
        self.a, self.b = 1, 2


def _function(a: int = 1, *, b: int = 2) -> int:
    return a + b


_function.__dict__["mark"] = 1


def _grow(one: Any) -> None:
    for index in range(50):
        setattr(one, f"a{index}", index)


CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "attribute": (Full, lambda one: setattr(one, "a", 5)),
    "last attribute": (Full, lambda one: setattr(one, "b", 5)),
    "first attribute of a bare object": (Bare, lambda one: setattr(one, "a", 5)),
    "many attributes": (Full, _grow),
    "attribute deleted": (Full, lambda one: delattr(one, "a")),
    "object.__setattr__": (Full, lambda one: object.__setattr__(one, "a", 5)),
    "item of __dict__": (Full, lambda one: one.__dict__.update(a=5)),
    "merge into __dict__": (Full, lambda one: one.__dict__.__ior__({"b": 5})),
    "default of __dict__": (Full, lambda one: one.__dict__.setdefault("c", 5)),
    "item of __dict__ popped": (Full, lambda one: one.__dict__.pop("a")),
    "last item of __dict__ popped": (Full, lambda one: one.__dict__.popitem()),
    "__dict__ cleared": (Full, lambda one: one.__dict__.clear()),
    "__dict__ replaced": (Full, lambda one: setattr(one, "__dict__", dict(one.__dict__))),
    "__dict__ deleted": (Full, lambda one: delattr(one, "__dict__")),
    "__class__": (Full, lambda one: setattr(one, "__class__", type("Other", (Full,), {}))),
    "__dict__ cleared and filled": (Full, lambda one: _clear_and_fill(one)),
    "attribute through another object of the same __dict__": (
        lambda: _twin(),
        lambda one: _TWINS[-1].write(5),
    ),
    "attribute written by a thread": (Full, lambda one: _in_thread(setattr, one, "a", 5)),
    "__dict__ of what is no object of Python": (
        lambda: functools.lru_cache(_function),
        lambda cached: setattr(cached, "__dict__", dict(cached.__dict__)),
    ),
    "class attribute": (lambda: type("Own", (Full,), {})(), lambda one: setattr(type(one), "gain", 5)),
    "bases": (
        lambda: type("Own", (type("Base", (Full,), {}),), {})(),
        lambda one: setattr(type(one), "__bases__", (Full,)),
    ),
    "dict": (lambda: {"a": 1}, lambda table: table.update(a=2)),
    "empty dict": (dict, lambda table: table.update(a=2)),
    "OrderedDict": (lambda: OrderedDict(a=1), lambda table: table.update(a=2)),
    "list": (lambda: [1, 2], lambda items: items.append(3)),
    "item of a list": (lambda: [1, 2], lambda items: items.__setitem__(0, 3)),
    "code": (lambda: _copy(), lambda function: setattr(function, "__code__", (lambda a, b: a).__code__)),
    "defaults": (lambda: _copy(), lambda function: setattr(function, "__defaults__", (5,))),
    "keyword defaults": (lambda: _copy(), lambda function: function.__kwdefaults__.update(b=5)),
    "attribute of a function": (lambda: _copy(), lambda function: setattr(function, "mark", 5)),
    "__dict__ of a function": (lambda: _copy(), lambda function: setattr(function, "__dict__", {"mark": 1})),
    "attribute of a tensor": (lambda: torch.ones(2), lambda tensor: setattr(tensor, "mark", 1)),
    "another attribute of a tensor": (lambda: _marked(), lambda tensor: setattr(tensor, "mark", 2)),
    "size of a tensor": (lambda: torch.ones(4), lambda tensor: tensor.resize_(3)),
    "dimensions of a tensor": (lambda: torch.ones(1), lambda tensor: tensor.unsqueeze_(0)),
    "strides of a tensor": (lambda: torch.ones(4, 4), lambda tensor: tensor.t_()),
    "strides of a tensor of many dimensions": (
        lambda: torch.ones(2, 2, 2, 2, 2, 2),
        lambda tensor: tensor.transpose_(0, 5),
    ),
    "offset of a tensor": (lambda: torch.ones(4)[:2], lambda tensor: tensor.as_strided_((2,), (1,), 1)),
    "type of a tensor": (lambda: torch.ones(4), lambda tensor: setattr(tensor, "data", tensor.half())),
    "conjugation of a tensor": (
        lambda: torch.ones(4, dtype=torch.cfloat),
        lambda tensor: torch._C._set_conj(tensor, True),
    ),
    "gradients of a tensor": (lambda: torch.ones(4), lambda tensor: tensor.requires_grad_()),
    "gradients of a parameter": (
        lambda: torch.nn.Parameter(torch.ones(4)),
        lambda tensor: tensor.requires_grad_(False),
    ),
}


class _Twin(Full):
    def write(self, value: int) -> None:
        self.a = value


_TWINS: list[_Twin] = []


def _twin() -> Full:
    one, other = Full(), _Twin()
    other.__dict__ = one.__dict__
    _TWINS.append(other)
    return one


def _clear_and_fill(one: Any) -> None:
    before = dict(one.__dict__)
    one.__dict__.clear()
    one.__dict__.update(before)


def _in_thread(write: Callable[..., object], *args: Any) -> None:
    thread = threading.Thread(target=write, args=args)
    thread.start()
    thread.join()


def _copy() -> Any:
    copy: Any = types.FunctionType(_function.__code__, {}, "copy", _function.__defaults__)
    copy.__kwdefaults__ = dict(_function.__kwdefaults__ or {})
    copy.mark = 1
    return copy


def _marked() -> torch.Tensor:
    tensor = torch.ones(2)
    tensor.mark = 1  # type: ignore[attr-defined]
    return tensor


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_noticed(name: str, state_of: Any) -> None:
    make, change = CHANGES[name]
    for _ in range(20):  # the interpreter's specialized forms of the writes among them
        value = make()
        state = _noted(state_of, value)
        change(value)
        assert not state.holds(())


def test_an_object_that_is_watched_looks_as_before(state_of: Any) -> None:
    one, bare = Full(), Bare()
    _grow(one)
    expected = list(vars(one).items())
    names = one.__dict__
    state = _noted(state_of, one, bare)
    assert list(vars(one).items()) == expected
    assert one.__dict__ is names
    assert vars(bare) == {}
    assert (one.a, one.a49) == (1, 49)  # type: ignore[attr-defined]
    assert state.holds(())


def test_states_come_and_go_over_one_dict(state_of: Any) -> None:
    one = Full()
    states = [_noted(state_of, one) for _ in range(5)]
    del states[1:]
    assert states[0].holds(())
    one.a = 7
    assert not states[0].holds(())
    states.append(_noted(state_of, one))
    states.pop(0)
    one.unrelated = 1  # type: ignore[attr-defined]
    assert not states[0].holds(())
    states.clear()
    one.a = 8  # nobody is told any more
    again = _noted(state_of, one)
    del one
    assert again.holds(())


def test_a_write_is_told_to_the_states_that_read_there_and_to_no_others(state_of: Any) -> None:
    shared, one, other = {"a": 1}, Full(), Full()
    states = [_noted(state_of, shared, one), _noted(state_of, shared, other), _noted(state_of, one)]
    one.a = 5
    assert [state.holds(()) for state in states] == [False, True, False]
    again = _noted(state_of, shared, one)
    shared["a"] = 2
    assert not states[1].holds(())
    assert not again.holds(())


def test_a_dict_that_lies_where_another_lay_is_one_of_its_own(state_of: Any) -> None:
    places = set()
    for _ in range(50):
        one = Full()
        places.add(id(one.__dict__))
        state, twin = _noted(state_of, one), _noted(state_of, one)
        one.a = 5
        assert not state.holds(())
        del state
        state = _noted(state_of, one)
        del twin
        assert state.holds(())
        one.b = 5
        assert not state.holds(())
        del one, state
    assert len(places) < 50


# What is noted while an object is given another class: an audit hook runs then, and stays with its process.
WHILE_REPLACED = """
import sys
from overhead_runtime._dispatch import native
from overhead_runtime._dispatch.places import Places

class Full:
    a = 1

def look(event, args):
    if event == "object.__setattr__" and args[0] is one:
        places = Places()
        places.add(one, "test")
        noted.append(native.flat_state()(places.lists(), ()))
        assert noted[-1].holds(())

native.flat_state()  # its first call replaces the setters, which is too late in the hook
one, noted = Full(), []
one.b = 2
sys.addaudithook(look)
one.__class__ = type("Other", (Full,), {})
(state,) = noted
assert not state.holds(())
"""


@pytest.mark.usefixtures("state_of")
def test_what_is_noted_while_a_class_is_replaced_is_told_of_it() -> None:
    subprocess.run([sys.executable, "-c", WHILE_REPLACED], check=True)


class _Blind:
    """A state that holds whatever happens."""

    def __init__(self, places: Any, arguments: Any) -> None:
        pass

    def holds(self, arguments: Any) -> bool:
        return True


class _Core:
    FlatState: Any = _Blind


def test_a_core_that_misses_writes_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []
    core: Any = _Core()
    core.make_tables = tried.append
    assert not noticing.notices_writes(core)
    assert tried == [False, True]
    monkeypatch.setattr(native, "core", lambda: core)
    with pytest.raises(Unsupported, match="does not show every write to an object"):
        native.flat_state()
