"""Compiled code without the calls in it that do nothing when it is called directly.

Dynamo wraps the function of each graph so that no frame evaluator is active in it, and brackets the code
before a graph with marks for the profiler. A direct call is made only while no frame evaluator is active
and no profiler runs, so both do nothing, at a cost of about a microsecond.
"""

from __future__ import annotations

import dis
import types
from typing import Any

import torch
from torch._dynamo import utils

_GRAPH = "__compiled_fn_"
_UTILS = "__import_torch_dot__dynamo_dot_utils"
_MARKS = {"record_pregraph_bytecode_enter", "record_pregraph_bytecode_exit"}


def globals_for(code: types.CodeType, function: types.FunctionType) -> dict[str, Any] | None:
    """Globals with which compiled code skips what a direct call does not need.

    Args:
        code: The compiled code.
        function: The original function, whose globals hold what Dynamo put there.

    Returns:
        A dict of all globals that the code reads; None where it reads or writes one of the user's, which
        have to be looked up where they are.
    """
    reads = _global_reads(code)
    if reads is None:
        return None
    theirs: dict[str, Any] = function.__globals__
    found: dict[str, Any] = {
        name: theirs[name]
        for name in ("__builtins__", "__name__", "__file__", "__package__")
        if name in theirs
    }
    for name, attributes in reads.items():
        if name.startswith(_GRAPH) and name in theirs:
            found[name] = _undisabled(theirs[name])
        elif name == _UTILS and theirs.get(name) is utils and attributes <= _MARKS:
            found[name] = types.SimpleNamespace(**dict.fromkeys(attributes, _nothing))
        elif _is_import(name, theirs.get(name)):
            found[name] = theirs[name]  # Later torches ask there whether to make marks.
        else:
            return None
    return found


def without_marks(code: types.CodeType, function: types.FunctionType) -> dict[str, Any]:
    """What stands for a global name in compiled code so that it makes no marks for the profiler.

    Args:
        code: The compiled code; before its graph it runs nothing that could start a profiler.
        function: The original function, whose globals hold what Dynamo put there.

    Returns:
        By the name; empty where it is used for more than that.
    """
    attributes = (_global_reads(code) or {}).get(_UTILS)
    if not attributes or not attributes <= _MARKS or function.__globals__.get(_UTILS) is not utils:
        return {}
    return {_UTILS: types.SimpleNamespace(**dict.fromkeys(attributes, _nothing))}


def calls_only_graphs(code: types.CodeType) -> bool:
    """Whether compiled code calls nothing but the functions of its graphs, with their marks."""
    calls = known = 0
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        calls += name.startswith("CALL") and "INTRINSIC" not in name
        known += name in ("LOAD_ATTR", "LOAD_METHOD") and instruction.argval in _MARKS
        known += name == "LOAD_GLOBAL" and str(instruction.argval).startswith(_GRAPH)
    return calls <= known


def _is_import(name: str, module: object) -> bool:
    """Whether a global is a module that Dynamo put there for the code it compiles."""
    return (
        isinstance(module, types.ModuleType) and name == f"__import_{module.__name__.replace('.', '_dot_')}"
    )


def _global_reads(code: types.CodeType) -> dict[str, set[str]] | None:
    """The global names that code loads, each with the attributes taken of it; None if it does more."""
    reads: dict[str, set[str]] = {}
    previous: str | None = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_GLOBAL":
            previous = str(instruction.argval)
            reads.setdefault(previous, set())
            continue
        if instruction.opname in (
            "LOAD_NAME",
            "STORE_GLOBAL",
            "DELETE_GLOBAL",
            "MAKE_FUNCTION",
            "IMPORT_NAME",
        ):
            return None
        if previous is not None:
            attribute = instruction.opname in ("LOAD_ATTR", "LOAD_METHOD")
            reads[previous].add(str(instruction.argval) if attribute else "")
            previous = None
    return reads


# Built-in, so that no frame is made: the truth value of one object or, without one, False.
_nothing = bool
_disable: Any = torch._dynamo.disable
_DISABLE_CODE = _disable(lambda: None).__code__


def _undisabled(graph: Any) -> Any:
    """What ``torch._dynamo.disable`` wrapped, if that is all it is."""
    inner = getattr(graph, "_torchdynamo_orig_callable", None)
    is_wrapper = isinstance(graph, types.FunctionType) and graph.__code__ is _DISABLE_CODE
    return inner if is_wrapper and callable(inner) else graph
