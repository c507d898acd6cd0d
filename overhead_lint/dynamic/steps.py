"""Where a step of the program ends: marked by the program, or found by what it calls."""

from __future__ import annotations

import contextlib
import types
import weakref
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any

from overhead_lint.dynamic.importing import after_import

__all__ = ["Mark", "NoStepFunction", "Source", "watch_steps"]


class Source(IntEnum):
    """What says that a step has ended; the greatest one that speaks is believed."""

    LOADER = 1
    MODULE = 2
    LOOP = 3
    OPTIMIZER = 4
    FUNCTION = 5
    MARKER = 6

    @property
    def text(self) -> str:
        """For reports."""
        return _TEXTS[self]


_TEXTS = {
    Source.LOADER: "batches of a DataLoader",
    Source.MODULE: "outermost module calls",
    Source.LOOP: "rounds of a loop",
    Source.OPTIMIZER: "optimizer steps",
    Source.FUNCTION: "calls of the step function",
    Source.MARKER: "overhead_lint.runtime.step()",
}

Mark = Callable[[Source], None]


class NoStepFunction(Exception):
    """The step function is not there; the message is one line."""


@contextlib.contextmanager
def watch_steps(mark: Mark, function: str) -> Iterator[None]:
    """Call `mark` at the end of each step, until the block ends.

    Args:
        mark: told what found the step.
        function: ``pkg.module:name`` of a function each call of which is a step; "" for none.
            Where it is not there, importing its module raises `NoStepFunction`.
    """
    hooks: dict[str, Callable[[types.ModuleType], None]] = {
        "torch.optim.optimizer": lambda module: _optimizer(module, mark),
        "torch.utils.data.dataloader": lambda module: _loader(module, mark),
        "overhead_lint.runtime.steps": lambda module: _marker(module, mark),
    }
    if function:
        name, _, attribute = function.partition(":")
        hooks[name] = lambda module: _function(module, attribute, mark)
    with after_import(hooks):
        yield


def _optimizer(module: types.ModuleType, mark: Mark) -> None:
    """Steps of the optimizer that stepped first; of the next one once that is gone."""
    leader: list[weakref.ref[object]] = []

    def after_step(optimizer: Any, arguments: Any, options: Any) -> None:
        if not leader or leader[0]() is None:
            leader[:] = [weakref.ref(optimizer)]
        if leader[0]() is optimizer:
            mark(Source.OPTIMIZER)

    module.register_optimizer_step_post_hook(after_step)


def _loader(module: types.ModuleType, mark: Mark) -> None:
    iterator = module._BaseDataLoaderIter
    original = iterator.__next__

    def __next__(self: Any) -> Any:  # noqa: N807 - takes the place of one
        batch = original(self)
        mark(Source.LOADER)
        return batch

    iterator.__next__ = __next__


def _marker(module: types.ModuleType, mark: Mark) -> None:
    module.listeners.append(lambda: mark(Source.MARKER))


def _function(module: types.ModuleType, name: str, mark: Mark) -> None:
    import functools
    import inspect

    holder: Any = module
    *path, last = name.split(".")
    for part in path:
        holder = getattr(holder, part, None)
    found = inspect.getattr_static(holder, last, None)
    # What a class holds of its own says how it is called: with the instance, the class, or neither.
    way = type(found) if isinstance(found, (staticmethod, classmethod)) else None
    original = getattr(holder, last, None) if way is None else found.__func__
    if not inspect.isroutine(original):
        why = "there is no such function"
        if original is not None:
            why = f"is a {type(original).__name__}: name a function, or a method as in Class.method"
        raise NoStepFunction(f"--step-function {module.__name__}:{name}: {why}")
    if inspect.isgeneratorfunction(original) or inspect.isasyncgenfunction(original):
        why = "is a generator, of which a call runs nothing yet; name a function that it calls"
        raise NoStepFunction(f"--step-function {module.__name__}:{name}: {why}")

    @functools.wraps(original)
    def called(*arguments: Any, **options: Any) -> Any:
        result = original(*arguments, **options)
        mark(Source.FUNCTION)
        return result

    @functools.wraps(original)
    async def awaited(*arguments: Any, **options: Any) -> Any:
        result = await original(*arguments, **options)
        mark(Source.FUNCTION)
        return result

    if inspect.iscoroutinefunction(original):
        called = awaited
    setattr(holder, last, called if way is None else way(called))
