"""`record`, `nvtx_range` over the compiled module."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.autograd import profiler
from torch.cuda import nvtx

from overhead_lint.native_runtime.tracing import trace_as
from overhead_runtime import ranges

__all__ = ["forms"]


def forms(module: Any) -> dict[str, Callable[..., Any]]:
    """The native functions by name.

    Args:
        module: the compiled module ``contexts``.
    """
    record, nvtx_range = module.record, module.nvtx_range

    class NativeRecord(module.RecordBlock):  # type: ignore[misc]
        """A `ranges.record` whose entry and exit are compiled."""

        __slots__ = ()

        def __call__(self, func: Any) -> Any:
            name, args = self.name, self.args

            @functools.wraps(func)
            def in_range(*positional: Any, **keywords: Any) -> Any:
                with record(name, args):
                    return func(*positional, **keywords)

            return in_range

        def __reduce__(self) -> tuple[Any, ...]:
            return ranges.record, (self.name, self.args)  # A copy may go where nothing is compiled.

    module.bind_ranges(
        *(NativeRecord, _in_nvtx_range, ranges.record, ranges.nvtx_range),
        *(torch.profiler.record_function, vars(profiler), vars(nvtx), nvtx.range_push, nvtx.range_pop),
    )
    trace_as(record, _traced_record)
    trace_as(nvtx_range, ranges.nvtx_range)
    return {"record": record, "nvtx_range": nvtx_range}


def _traced_record(name: Any, args: Any = None) -> Any:
    return ranges.record(name, args)


def _in_nvtx_range(block: Any, func: Any) -> Any:
    """Wrap a function in a block, which holds no state of an entry."""

    @functools.wraps(func)
    def in_range(*args: Any, **kwargs: Any) -> Any:
        with block:
            return func(*args, **kwargs)

    return in_range
