"""Functions that are hot, or cold, for what they are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.loops.sources import goes_over_loader
from overhead_lint.analysis.placement.stand_ins import stands_in
from overhead_lint.analysis.step_names import is_step_by_word_alone, says_batch, says_step
from overhead_lint.analysis.vocabulary import (
    AUTOGRAD_METHODS,
    CACHE_DECORATORS,
    CACHES,
    COLD_ANYWHERE,
    COLD_BASE_METHODS,
    COLD_FIRST,
    COLD_METHODS,
    CONTEXTS,
    CONVERTED,
    DEPRECATING,
    DISPATCH_METHODS,
    EXCHANGED,
    EXCHANGED_BY,
    HOT_DESPITE,
    STEP_CONTEXTS,
    STEP_METHODS,
    STEP_PREFIXES,
    VERBS,
)
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import Reason, ReasonKind
from overhead_lint.project.class_seeds import OF_AUTOGRAD, OF_MODULE, is_export
from overhead_lint.project.classes import is_autograd_function
from overhead_lint.project.kernels import kernel_language
from overhead_lint.project.kinds.image_transforms import is_transform
from overhead_lint.project.names import last_name
from overhead_lint.project.whole_runs import generates, is_no_step
from overhead_lint.syntax.handlers import is_handler

if TYPE_CHECKING:
    from overhead_lint.project.file_functions import FileFunctions
    from overhead_lint.rule import ClassFacts, FunctionFacts

__all__ = [
    "cold_for_items",
    "cold_reason",
    "hot_reason",
    "request_reason",
]

_ANSWERS: Final = Reason("{} answers requests", ReasonKind.REQUEST)


# A folder that is named as torch.onnx is holds modules that stand in for others while a model is exported.
_ONNX: Final = "onnx"
# What a file calls that puts operators into a graph of torch.fx.
_RECORDING: Final = ("create_node", "create_proxy")
_LOADING: Final = frozenset({"from_pretrained", "load_state_dict"})


def hot_reason(function: FunctionFacts, facts: FileFunctions) -> Reason | None:
    """Why a function runs in every step for what it is; None if nothing says so."""
    if function.node not in facts.hot_reasons:
        facts.hot_reasons[function.node] = _hot_reason(function, facts)
    return facts.hot_reasons[function.node]


def request_reason(function: FunctionFacts) -> Reason | None:
    """Why a function runs once a request; None if nothing says so."""
    node = function.node
    return None if isinstance(node, ast.Lambda) or not is_handler(node) else _ANSWERS


def _hot_reason(function: FunctionFacts, facts: FileFunctions) -> Reason | None:
    name, cls = getattr(function.node, "name", ""), function.cls
    if name in DISPATCH_METHODS and not _records(facts):
        return Reason("{} runs for every operator")
    if cls is not None:
        called = cls.is_module and name in {"forward", "__call__"} and not is_no_step(function.node, facts)
        if called and not is_transform(cls.bases):
            return OF_MODULE
        if is_autograd_function(cls) and name in AUTOGRAD_METHODS:
            return OF_AUTOGRAD
        if name == "step" and _steps(cls):
            return Reason("{} runs on every step", ReasonKind.OPTIMIZER)
    if function.node in facts.compiled_entries:
        return Reason("{} is compiled with torch.compile")
    if name in STEP_METHODS or (
        says_step(name) and not facts.flow.holds_loop(function.node, goes_over_loader)
    ):
        return _by_name(name)
    if _says_around_step(name) and facts.definitions.gives_context(function.node):
        return Reason("{} is entered around a step by its name")
    if cls is not None and (name == "backward" or says_batch(name)):
        return _by_name(name)
    return None


def _by_name(name: str) -> Reason:
    return Reason("{} is a step by its name", by_word=is_step_by_word_alone(name))


def _says_around_step(name: str) -> bool:
    """Whether a context's name says that a step is taken in it: ``forward_context``, ``no_sync``."""
    said = words(name)
    is_named = bool(CONTEXTS & set(said[-1:])) and bool(STEP_PREFIXES & set(said[:-1]))
    return name.strip("_") in STEP_CONTEXTS or (is_named and said[0] not in VERBS)


def _steps(cls: ClassFacts) -> bool:
    """Whether a class is an optimizer or a scheduler, by its bases or its name."""
    for name in (cls.qualname, *cls.bases):
        last = name.rpartition(".")[2]
        if name.startswith("torch.optim.") or {"optimizer", "scheduler"} & set(words(last)[-1:]):
            return True
    return False


def cold_reason(function: FunctionFacts, facts: FileFunctions) -> str:
    """Why a function never runs in a step, whoever calls it; "" if nothing says so."""
    known = facts.cold_reasons.get(function.node)
    if known is None:
        known = facts.cold_reasons[function.node] = _cold_reason(function, facts)
    return known


def cold_for_items(function: FunctionFacts, facts: FileFunctions) -> str:
    """Why a generator never gives items in a step; "" if nothing says so: its name tells of the whole."""
    return _cold_reason(function, facts, by_name=False)


def _cold_reason(function: FunctionFacts, facts: FileFunctions, *, by_name: bool = True) -> str:
    node = function.node
    if isinstance(node, ast.Lambda):
        return ""
    for decorator in node.decorator_list:
        called = decorator.func if decorator.__class__ is ast.Call else decorator
        if facts.names.qualified(called) in CACHES or CACHE_DECORATORS & set(words(last_name(called))):
            return f"{{}} is cached by {last_name(called)}"
        language = kernel_language(facts.names.qualified(called) or "")
        if language:
            return f"{{}} is a kernel in {language}: no torch runs in it"
    name, cls = node.name, function.cls
    if node.body[-1].__class__ is ast.Raise and not facts.returns_of(node):
        return "{} does nothing but raise"
    if name in DISPATCH_METHODS and _records(facts):
        return "{} runs while a graph is recorded"
    if name == "__init__":
        constructed = cls is not None and (cls.is_module or _loads_weights(node, facts))
        return "{} runs at construction" if constructed else ""
    if cls is not None and is_export(cls.qualname):
        return "{} runs while a model is exported, by the name of its class"
    if cls is not None and _is_stand_in(node, cls, facts):
        return "{} stands for an operator while a model is exported, and reads no data"
    if cls is not None and cls.is_module and _ONNX in facts.module.split("."):
        return "{} runs while a model is exported, by the folder of its module"
    if hot_reason(function, facts):
        return ""
    said = words(name)
    if DEPRECATING.intersection(said[:1]):
        return "{} tells of a deprecated way, by its name"
    set_up = (
        name in COLD_METHODS | COLD_BASE_METHODS
        or name.startswith("test_")
        or (name == "test" and bool(facts.scan.within(node, ast.Assert)))
        or (bool(said) and said[0] in COLD_FIRST)
        or (said[:1] == ("convert",) and (len(said) == 1 or said[1] in CONVERTED))
        or _exchanges_weights(said)
    )
    if (set_up or COLD_ANYWHERE & set(said)) and not HOT_DESPITE & set(said):
        return "{} is no step by its name" if by_name else ""
    if generates(node, facts):
        return "{} holds a whole generation"
    tracer = facts.tracing.get(node)
    return f"{{}} runs when something is traced or captured, by {tracer}" if tracer else ""


def _exchanges_weights(said: tuple[str, ...]) -> bool:
    """Whether the words of a name tell of weights that go from a process to others."""
    first, *rest = said or ("",)
    is_told = first in EXCHANGED or (first == "update" and rest[1:2] and rest[1] in EXCHANGED_BY)
    return bool(is_told) and rest[:1] in (["weight"], ["weights"])


def _is_stand_in(node: ast.AST, cls: ClassFacts, facts: FileFunctions) -> bool:
    """Whether a method is the ``forward`` of what stands for another runtime's operator in an export."""
    is_forward = getattr(node, "name", "") == "forward" and is_autograd_function(cls)
    place = facts.flow.function(node) if is_forward else None
    return place is not None and stands_in(facts.flow.names, place)


def _loads_weights(node: ast.AST, facts: FileFunctions) -> bool:
    """Whether a function loads weights, or what a model is made of: ``self.load_model()``."""
    return any(
        name in _LOADING or (said[:1] == ("load",) and not CONVERTED.isdisjoint(said[1:]))
        for call in facts.scan.within(node, ast.Call)
        if isinstance(call, ast.Call)
        for name in (last_name(call.func),)
        for said in (words(name),)
    )


def _records(facts: FileFunctions) -> bool:
    """Whether a file puts the operators that it is asked about into a graph."""
    return any(name in facts.call_index.by_name for name in _RECORDING)
