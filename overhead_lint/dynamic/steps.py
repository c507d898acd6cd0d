"""Where a step of the program ends: marked by the program, or found by what it calls."""

from __future__ import annotations

import contextlib
import types
import weakref
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from overhead_lint.dynamic.importing import after_import
from overhead_lint.dynamic.untraced import passed_over, untraced

if TYPE_CHECKING:
    from overhead_lint.dynamic.counting import Counter

__all__ = ["Mark", "NoStepFunction", "Source", "watch_steps"]


class Source(IntEnum):
    """What says that a step has ended; the greatest one that speaks is believed."""

    ROUND = 1
    LOADER = 2
    MODULE = 3
    LOOP = 4
    OPTIMIZER = 5
    FUNCTION = 6
    MARKER = 7

    @property
    def text(self) -> str:
        """For reports."""
        return _TEXTS[self]


_TEXTS = {
    Source.ROUND: "rounds of the program",
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
def watch_steps(mark: Mark, function: str, counter: Counter) -> Iterator[None]:
    """Call `mark` at the end of each step, until the block ends.

    Nothing is added that the program could find, or that would be a part of what it compiles: the counter
    calls where functions begin and return. So steps of compiled code are not seen here.

    Args:
        mark: told what found the step.
        function: ``pkg.module:name`` of a function each call of which is a step; "" for none.
            Where it is not there, importing its module raises `NoStepFunction`.
        counter: calls where functions begin and return.
    """
    hooks: dict[str, Callable[[types.ModuleType], None]] = {
        "torch.optim.optimizer": lambda module: _optimizer(module, mark, counter),
        "torch.utils.data.dataloader": lambda module: _loader(module, mark, counter),
        "overhead_runtime.steps": lambda module: _marker(module, mark, counter),
    }
    if function and not function.startswith("__main__:"):  # which is not imported: see `FileWatch`
        name, _, attribute = function.partition(":")
        hooks[name] = lambda module: _function(module, attribute, mark, counter)
    with after_import(hooks):
        yield


def _optimizer(module: types.ModuleType, mark: Mark, counter: Counter) -> None:
    """Steps of the optimizer that stepped first; of the next one once that is gone."""
    leader: list[weakref.ref[object]] = []

    def after_step(frame: types.FrameType) -> None:
        optimizer = frame.f_locals["self"]
        if not leader or leader[0]() is None:
            leader[:] = [weakref.ref(optimizer)]
        if leader[0]() is optimizer:
            mark(Source.OPTIMIZER)

    # An empty function that torch calls after each step, for its profiler to see.
    function: Any = getattr(module.Optimizer, "_optimizer_step_code", None)
    if isinstance(function, types.FunctionType):
        with contextlib.suppress(ValueError):  # without its source there
            counter.on_start(function, after_step)


def _loader(module: types.ModuleType, mark: Mark, counter: Counter) -> None:
    function: Any = getattr(module._BaseDataLoaderIter, "__next__", None)
    if isinstance(function, types.FunctionType):
        with contextlib.suppress(ValueError):
            counter.on_return(function, lambda _: mark(Source.LOADER))


def _marker(module: types.ModuleType, mark: Mark, counter: Counter) -> None:
    counter.on_start(module.step, lambda _: mark(Source.MARKER))


def _function(module: types.ModuleType, name: str, mark: Mark, counter: Counter) -> None:
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
    plain = _undecorated(original)
    if plain is not None:
        with contextlib.suppress(ValueError):  # without its source there
            counter.on_return(plain, lambda _: mark(Source.FUNCTION))
            return
    wrapped = _marking(original, mark)
    setattr(holder, last, wrapped if way is None else way(wrapped))


def _undecorated(function: Any) -> types.FunctionType | None:
    """The function below its decorators; None where that is compiled already, or is not Python's."""
    while hasattr(function, "__wrapped__"):
        if hasattr(function, "_torchdynamo_orig_callable"):
            return None
        function = function.__wrapped__
    return function if isinstance(function, types.FunctionType) else None


def _marking(original: Any, mark: Mark) -> Any:
    """A function around one that is compiled already."""
    import functools
    import inspect

    @untraced
    def ended() -> None:
        mark(Source.FUNCTION)

    @passed_over
    @functools.wraps(original)
    def called(*arguments: Any, **options: Any) -> Any:
        result = original(*arguments, **options)
        ended()
        return result

    @passed_over
    @functools.wraps(original)
    async def awaited(*arguments: Any, **options: Any) -> Any:
        result = await original(*arguments, **options)
        ended()
        return result

    return awaited if inspect.iscoroutinefunction(original) else called
