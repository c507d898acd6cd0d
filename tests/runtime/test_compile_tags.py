"""`compile` with recursive dict tags: modules in whose trees nothing is left to look at but the tags."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from overhead_runtime import compile as any_compile
from overhead_runtime._dispatch import dict_tags, native, replaced, watches

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

eager_compile = functools.partial(any_compile, backend="eager")
X = torch.ones(2)


@pytest.fixture(autouse=True)
def _native() -> None:
    build_native()


@pytest.fixture
def tags_are_noticed() -> None:
    if not replaced.is_noticed():
        pytest.skip("no native core, or a Python that does not show every write to a dict")


class Plus(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


class Times(Plus):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 7


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Plus() for _ in range(3)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def _by_object(module: nn.Module, cls: type) -> None:
    object.__setattr__(module, "__class__", cls)


def _by_thread(module: nn.Module, cls: type) -> None:
    thread = threading.Thread(target=lambda: setattr(module, "__class__", cls))
    thread.start()
    thread.join()


@pytest.mark.parametrize("assign", [setattr, _by_object, _by_thread])
@pytest.mark.parametrize("guard_eval", ["full", "token"])
def test_another_class_of_a_submodule_is_noticed(
    fresh_dynamo: None, guard_eval: str, assign: Callable[..., None]
) -> None:
    net = Net()
    compiled: Any = eager_compile(net, guard_eval=guard_eval)
    for _ in range(4):
        assert compiled(X).tolist() == [4, 4]
    net.layers[1] = Plus()  # as good as the one before, so the guards go on to hold
    for cls, expected in ((Times, 15), (Plus, 4), (Times, 15)):
        for _ in range(3):
            compiled(X)
        if assign is setattr:
            net.layers[1].__class__ = cls
        else:
            assign(net.layers[1], cls)
        for _ in range(3):
            assert compiled(X).tolist() == [expected] * 2
    assert set(vars(net.layers[1])) == set(vars(Plus()))
    assert compiled.stats().misses == 2


class Mixin:
    """Comes before modules among the bases, so that the descriptor of ``__dict__`` is its own."""


class OneSlot:
    """As the other, with a descriptor from another table."""

    __slots__ = ("__weakref__",)


class SlotMixin(OneSlot):
    """Adds a dict and nothing else."""


def _dict_by_object(module: nn.Module, attributes: dict[str, Any]) -> None:
    object.__setattr__(module, "__dict__", attributes)


def _dict_by_descriptor(module: nn.Module, attributes: dict[str, Any]) -> None:
    vars(nn.Module)["__dict__"].__set__(module, attributes)


def _dict_by_thread(module: nn.Module, attributes: dict[str, Any]) -> None:
    thread = threading.Thread(target=lambda: setattr(module, "__dict__", attributes))
    thread.start()
    thread.join()


def _dict_by_assignment(module: nn.Module, attributes: dict[str, Any]) -> None:
    module.__dict__ = attributes


class Gain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gain = 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.gain


@pytest.mark.parametrize(
    "assign", [_dict_by_assignment, _dict_by_object, _dict_by_descriptor, _dict_by_thread]
)
@pytest.mark.parametrize("bases", [(), (Mixin,), (SlotMixin,)], ids=["plain", "mixin", "slots"])
@pytest.mark.parametrize(
    "mode", [("full", 0), ("token", 0), ("token", 1)], ids=["full", "token", "token, verified"]
)
@pytest.mark.parametrize("tags", [True, False])
def test_another_dict_of_a_submodule_is_noticed_while_the_old_one_lives(
    fresh_dynamo: None,
    tags: bool,
    mode: tuple[str, int],
    bases: tuple[type, ...],
    assign: Callable[[nn.Module, dict[str, Any]], None],
) -> None:
    net: Any = Net()
    net.layers = nn.ModuleList([type("Mixed", (*bases, Gain), {})() for _ in range(3)])
    compiled: Any = eager_compile(net, guard_eval=mode[0], verify_every=mode[1], recursive_tags=tags)
    old = []
    for gain in (1, 50, 2, 2):
        old.append(net.layers[1].__dict__)
        assign(net.layers[1], {**old[-1], "gain": gain})
        for _ in range(4):
            assert compiled(X).tolist() == [3 + gain] * 2
    assert compiled.stats().hits >= 4
    net.layers[1].__dict__.update(gain=9)
    assert compiled(X).tolist() == [12, 12]
    with pytest.raises(TypeError, match="__dict__ must be set to a dictionary"):
        net.layers[1].__dict__ = 5
    assert not any("__overhead_lint" in name for held in old for name in held)


def test_without_the_native_core_there_are_no_tags() -> None:
    program = """
import torch
from overhead_runtime import compile
from overhead_runtime._dispatch import native, replaced
from tests.runtime.test_compile_tags import Net, Times, X

torch._dynamo.config.use_recursive_dict_tags_for_guards = False  # torch 2.11 has them without being asked
for tags in (None, True):
    torch._dynamo.reset()
    net = Net()
    compiled = compile(net, backend="eager", recursive_tags=tags)
    compiled(X), compiled(X)
    old = net.layers[1].__dict__
    net.layers[1].__class__ = Times
    net.layers[2].__dict__ = dict(old, _modules={})
    net.layers[2].__class__ = Times
    print(replaced.is_noticed(), compiled(X).tolist())
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OVERHEAD_LINT_RUNTIME": "python"},
    )
    assert done.stdout == "False [98.0, 98.0]\n" * 2, done.stderr


def test_other_objects_are_given_dicts_and_classes_as_before(tags_are_noticed: None) -> None:
    class Plain:
        """Has a dict."""

    class Other(Plain):
        """Has the same layout."""

    one = Plain()
    one.__dict__ = {"a": 1}
    one.__class__ = Other
    assert type(one) is Other
    assert vars(one) == {"a": 1}
    del one.__dict__
    assert vars(one) == {}
    with pytest.raises(TypeError, match="only supported for"):
        one.__class__ = int  # type: ignore[assignment]


def test_two_threads_may_give_one_module_classes(tags_are_noticed: None) -> None:
    module, failed = Plus(), []

    def assign() -> None:
        try:
            for _ in range(2000):
                module.__class__ = Times
                module.__class__ = Plus
        except Exception as error:  # told below
            failed.append(error)

    threads = [threading.Thread(target=assign) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def _tagged(compiled: Any) -> list[bool]:
    """For each entry, whether tags stand for the whole tree below the module."""
    entries = compiled.__dict__["_overhead_lint_dispatcher"]._route.entries
    trees = [
        child
        for entry in entries
        for child in entry.root.get_child_managers()
        if child.get_source() == "L['self']"
    ]
    return [tree.is_tag_safe_root() for tree in trees]


@functools.cache
def _whole_where_it_loops() -> bool:
    """Whether torch's own tags stand for a module that loops over a list of modules, and not for each in it.

    torch 2.12 guards ``__iter__`` as an attribute of the list, which its tags do not show.
    """
    net = Net()
    wanted = {
        "use_recursive_dict_tags_for_guards": True,
        "assume_dunder_attributes_remain_unchanged": False,
    }
    with torch._dynamo.config.patch(wanted):
        torch.compile(net, backend="eager")(X)
    frames: Any = torch._C._dynamo.eval_frame
    (entry,) = frames._debug_get_cache_entry_list(Net.forward.__code__)
    torch._dynamo.reset()
    children = entry.guard_manager.root.get_child_managers()
    return any(child.get_source() == "L['self']" and child.is_tag_safe_root() for child in children)


def _changed(net: Any) -> list[tuple[Callable[[], object], float]]:
    """Changes of a net, each with what it gives for ones from then on."""
    return [
        (lambda: setattr(net.layers[1], "gain", 5), 8),
        (lambda: object.__setattr__(net.layers[2], "gain", 3), 10),
        (lambda: net.layers[0].__dict__.update(gain=2), 11),
        (lambda: setattr(net.layers[0], "__dict__", dict(net.layers[0].__dict__, gain=4)), 13),
        (lambda: net.layers.append(Gain()), 14),
        (lambda: setattr(net.layers[3], "__class__", Plus), 14),
        (lambda: setattr(net.layers[3], "__class__", Times), 91),
    ]


@pytest.mark.parametrize("guard_eval", ["full", "token"])
@pytest.mark.parametrize("stock_first", [False, True])
def test_tags_stand_for_a_tree_also_where_stock_compiled_it_before(
    fresh_dynamo: None, tags_are_noticed: None, stock_first: bool, guard_eval: str
) -> None:
    if not dict_tags.are_trusted():
        pytest.skip("this torch frees guards that are still told of changes, so no tags are built")
    whole = _whole_where_it_loops()
    net = Net()
    net.layers = nn.ModuleList([Gain() for _ in range(3)])
    if stock_first:
        stock = torch.compile(net, backend="eager")
        for _ in range(3):
            stock(X)
    compiled: Any = eager_compile(net, guard_eval=guard_eval)
    for _ in range(4):
        assert compiled(X).tolist() == [4, 4]
    assert _tagged(compiled) == [whole]
    assert compiled.stats().misses == (0 if stock_first else 1)
    for change, expected in _changed(net):
        change()
        for _ in range(3):
            assert compiled(X).tolist() == [expected] * 2


def test_code_that_stock_compiled_keeps_its_guards_where_no_tags_are_wanted(
    fresh_dynamo: None, tags_are_noticed: None
) -> None:
    net = Net()
    torch.compile(net, backend="eager")(X)
    compiled: Any = eager_compile(net, recursive_tags=False)
    for _ in range(3):
        compiled(X)
    assert _tagged(compiled) == [False]
    assert compiled.stats().misses == 0


def test_there_are_no_tags_where_a_version_misses_a_write(
    tags_are_noticed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = replaced._version
    assert read is not None
    core = native.core()
    assert replaced._does_notice.__wrapped__(core)

    def version(attributes: dict[str, Any]) -> int:
        return 0 if "first" in attributes else read(attributes)  # as if no write to them were told of

    monkeypatch.setattr(replaced, "_version", version)
    assert not replaced._does_notice.__wrapped__(core)


@pytest.mark.skipif(not hasattr(ctypes.pythonapi, "PyDict_Watch"), reason="this Python watches no dicts")
def test_a_dict_that_stays_watched_shows_in_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = watches._watchers({})
    monkeypatch.setattr(watches, "_watchers", lambda value: watched | 1 << 7)
    assert not watches.end_with_guards.__wrapped__()


def test_there_are_no_tags_where_freed_guards_are_told_of_changes(
    fresh_dynamo: None, tags_are_noticed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "end_with_guards", lambda: False)
    with torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=False):  # torch 2.11 has them unasked
        compiled: Any = eager_compile(Net())
        for _ in range(3):
            assert compiled(X).tolist() == [4, 4]
    assert _tagged(compiled) == [False]
