"""Runs blocks of pages, each in a process of its own: what one changes there, no other block or test sees.

The processes are forked from one that has imported torch, registered the simulated device, and done nothing
else, as a process that has run a backward pass must not be forked. Kept small, since each of them imports it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import sys
import traceback
import types
import warnings
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from overhead_lint.engine.pages import TimingCase

__all__ = [
    "IMPORTED",
    "BlockError",
    "apart",
    "deprecated",
    "device_context",
    "empty_module",
    "names_of",
    "run_in",
    "value",
]

T = TypeVar("T")
_CONTEXT = multiprocessing.get_context("forkserver")
IMPORTED = (
    "torch",
    "torch._dynamo",
    "torch._inductor.compile_fx",
    "torch._subclasses.schema_check_mode",
    "overhead_lint.probes.counters",
    "overhead_lint.probes.measure",
    "overhead_lint.simulated",
    "overhead_runtime",
    "registered_device",  # in tests/data/children
)
_CONTEXT.set_forkserver_preload([*IMPORTED])
_MODULE = "overhead_lint_page"
_DEPRECATIONS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)


class BlockError(Exception):
    """A block raised, or ended its process; the message has its traceback.

    Attributes:
        kind: the name of the class of what it raised; "" where its process ended.
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


def apart(work: Callable[..., T], *arguments: Any) -> T:
    """Return what a function gives in a process of its own.

    Args:
        work: of a module that can be imported there.
        arguments: for it.

    Raises:
        BlockError: it raised, or its process ended.
        ModuleNotFoundError: there is no torch, or tests hide it from this process alone.
    """
    if importlib.util.find_spec("torch") is None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_answer, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    try:
        kind, answer = ours.recv()
    except EOFError:
        kind, answer = "", "its process ended without an answer"
    finally:
        process.join()
        ours.close()
    if kind is not None:
        raise BlockError(f"{answer} (status {process.exitcode})", kind)
    result: T = answer
    return result


def _answer(theirs: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    answer: tuple[str | None, Any]
    try:
        answer = None, work(*arguments)
    except BaseException as error:
        answer = type(error).__name__, traceback.format_exc()
    theirs.send(answer)
    theirs.close()


def value(text: str, device: bool) -> str:
    """Return the value that a block calls ``result``, as text.

    Args:
        text: the block, run as a module.
        device: whether it needs a CUDA device: the machine's, or a simulated one.
    """
    with warnings.catch_warnings(), device_context(device):
        warnings.simplefilter("ignore")
        return repr(_names(text)["result"])


def deprecated(text: str, device: bool) -> list[str]:
    """Return what is said to be deprecated when a block runs."""
    import torch

    torch.set_warn_always(True)
    with warnings.catch_warnings(record=True) as warned, device_context(device):
        warnings.simplefilter("always")
        _names(text)
    said = [str(one.message) for one in warned if issubclass(one.category, _DEPRECATIONS)]
    # Python 3.15 says so of a module that nothing imported, as this one.
    return [text for text in said if not text.startswith("Module globals is missing a __spec__")]


def names_of(case: TimingCase) -> list[str]:
    """Return the names that there are when both forms of a case are ready to be timed."""
    from overhead_lint.measure.calibration import prepare

    return list(prepare(case))


def device_context(needed: bool) -> contextlib.AbstractContextManager[None]:
    """Return a context with a CUDA device, the machine's or a simulated one; without, if none is needed."""
    import torch

    if not needed or torch.cuda.is_available():
        return contextlib.nullcontext()
    from overhead_lint.simulated import simulated_cuda

    return simulated_cuda()


def empty_module() -> dict[str, Any]:
    """Return the names of a module in which blocks can be run."""
    module = types.ModuleType(_MODULE)
    sys.modules[_MODULE] = module  # dataclasses looks its classes' module up
    return module.__dict__


def run_in(names: dict[str, Any], text: str) -> None:
    """Run a block in the names of a module."""
    import torch

    torch.manual_seed(0)
    exec(compile(text, _MODULE, "exec"), names)


def _names(text: str) -> dict[str, Any]:
    names = empty_module()
    run_in(names, text)
    return names
