"""What compiled code is called without, by the global names that it reads."""

from __future__ import annotations

import types
from typing import Any

import torch
from torch._dynamo import utils

from overhead_runtime._dispatch import shortcuts

_GRAPH = "__compiled_fn_1"
_PROFILER = "__import_torch_dot_autograd_dot_profiler"
_UTILS = "__import_torch_dot__dynamo_dot_utils"


def _graph(x: int) -> int:
    return x + 1


def _globals_for(source: str, **more: Any) -> dict[str, Any] | None:
    """Of a function that calls a graph which Dynamo keeps itself out of."""
    disable: Any = torch._dynamo.disable
    names = {_GRAPH: disable(_graph), _UTILS: utils, _PROFILER: torch.autograd.profiler, **more}
    exec(f"def compiled(x):\n    {source}\n    return {_GRAPH}(x)\n", names)
    function: types.FunctionType = names["compiled"]
    return shortcuts.globals_for(function.__code__, function)


def test_marks_are_left_out() -> None:
    found = _globals_for(f"{_UTILS}.record_pregraph_bytecode_enter()")
    assert found is not None
    assert found[_GRAPH] is _graph
    assert not found[_UTILS].record_pregraph_bytecode_enter()


def test_a_graph_is_called_as_it_is_where_marks_are_made_for_a_profiler_alone() -> None:
    found = _globals_for(f"on, utils = {_PROFILER}._is_profiler_enabled, {_UTILS}")
    assert found is not None
    assert found[_GRAPH] is _graph
    assert found[_PROFILER] is torch.autograd.profiler
    assert found[_UTILS] is utils


def test_names_of_the_user_are_looked_up_where_they_are() -> None:
    assert _globals_for("scale", scale=2) is None
    assert _globals_for("__import_scale", __import_scale=torch) is None
