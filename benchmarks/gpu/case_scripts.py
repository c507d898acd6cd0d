"""For drivers: runs the scripts of others, and measures between the steps of their optimizers."""

from __future__ import annotations

import contextlib
import io
import runpy
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Run", "between_steps", "modules_in_place", "run_script"]

Run = Callable[[int, AbstractContextManager[Any]], list[torch.Tensor]]
"""Runs so many steps, with the meter around those that count; gives what two forms must have equal."""


def run_script(path: Path, arguments: list[str]) -> dict[str, Any]:
    """Run a script as ``python PATH ARGUMENTS`` would, without what it prints; gives its names at the end."""
    before = sys.argv
    sys.argv = [str(path), *arguments]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.argv = before


@contextlib.contextmanager
def between_steps(
    meter: AbstractContextManager[Any], steps: int, *, warm: int, each: int = 1
) -> Iterator[None]:
    """Enter a meter when the program has done `warm` steps, and leave it after so many more.

    For programs that have their loop to themselves. A step is `each` steps of an optimizer.

    Raises:
        RuntimeError: the program ended before.
    """
    taken = 0

    def count(*_: object) -> None:
        nonlocal taken
        taken += 1
        if taken == warm * each:
            meter.__enter__()
        elif taken == (warm + steps) * each:
            meter.__exit__(None, None, None)

    hook = register_optimizer_step_post_hook(count)
    try:
        yield
    finally:
        hook.remove()
    if taken < (warm + steps) * each:
        raise RuntimeError(f"the program took {taken} steps, not {(warm + steps) * each}")


@contextlib.contextmanager
def modules_in_place(modules: Mapping[str, Mapping[str, object]]) -> Iterator[None]:
    """Have modules of ours where a program imports what it does not need here: a logger, a command line.

    Args:
        modules: what each has, by its name.
    """
    missing = object()
    before = {name: sys.modules.get(name, missing) for name in modules}
    for name, content in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(content)
        sys.modules[name] = module
    try:
        yield
    finally:
        for name, module_before in before.items():
            if isinstance(module_before, types.ModuleType):
                sys.modules[name] = module_before
            else:
                del sys.modules[name]
