"""`compile` with recursive dict tags: modules in whose trees nothing is left to look at but the tags."""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from overhead_lint.runtime import compile as any_compile
from overhead_lint.runtime._dispatch import reclassed

eager_compile = functools.partial(any_compile, backend="eager")
X = torch.ones(2)


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


def test_without_the_hook_there_are_no_tags() -> None:
    program = """
import sys

def refuse(event, args):
    if event == "sys.addaudithook":
        raise RuntimeError("not here")

sys.addaudithook(refuse)
import torch
from overhead_lint.runtime import compile
from overhead_lint.runtime._dispatch import reclassed
from tests.runtime.test_compile_tags import Net, Times, X

torch._dynamo.config.use_recursive_dict_tags_for_guards = False  # torch 2.11 has them without being asked
net = Net()
compiled = compile(net, backend="eager")
compiled(X), compiled(X)
net.layers[1].__class__ = Times
print(reclassed.is_noticed(), compiled(X).tolist())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "False [15.0, 15.0]\n", done.stderr


def test_two_threads_may_give_one_module_classes() -> None:
    assert reclassed.is_noticed()
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
