"""Calls of a module that are a whole generation or optimization, or a data set's: not one step of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.kinds.image_transforms import hands_target_on
from overhead_lint.project.names import last_name
from overhead_lint.project.vocabulary import GENERATION, LOADERS, OPTIMIZERS
from overhead_lint.project.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.facts import FileFacts

__all__ = ["ALWAYS", "always_called", "generates", "is_no_step", "whole_calls"]

ALWAYS: Final = "!"
"""Why a place in the flow of a module's call is told: each call runs it."""

_CALLED: Final = frozenset({"forward", "__call__"})
_WITHOUT_GRADIENTS: Final = frozenset({"inference_mode", "no_grad"})
_LOOPS: Final = (ast.For, ast.While)


def optimizes(node: ast.AST, facts: FileFacts) -> bool:
    """Whether a function holds a loop that takes steps of an optimizer, gradients included: a training."""
    known = facts.call_index.by_name
    if "backward" not in known or "step" not in known:
        return False
    loops = {loop for call in known["backward"] for loop in facts.loops_of(call) if isinstance(loop, _LOOPS)}
    return any(
        OPTIMIZERS & set(words(last_name(call.func.value)))
        and any(loop in loops and facts.function_node(loop) is node for loop in facts.loops_of(call))
        for call in known["step"]
        if isinstance(call.func, ast.Attribute)
    )


def generates(node: ast.AST, facts: FileFacts) -> bool:
    """Whether a function has a model generate: ``self.model.generate(ids, max_new_tokens=n)``.

    That is told by what is given to it, and takes a step for each token. One that goes over batches gives
    each of them to the model, and is left to its loop; one that is named after a forward asks for one token.
    """
    return "forward" not in words(getattr(node, "name", "")) and any(
        facts.function_node(call) is node and _is_generation(call) and not _is_for_batches(call, facts)
        for call in facts.call_index.by_name.get("generate", ())
    )


def _is_generation(call: ast.Call) -> bool:
    """Whether a call of ``generate`` is told how to, and is of another object."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if owner is None or isinstance(owner, ast.Call) or last_name(owner) in {"cls", "self"}:
        return False
    return any(item.arg is None or GENERATION & set(words(item.arg)[-1:]) for item in call.keywords)


def _is_for_batches(call: ast.Call, facts: FileFacts) -> bool:
    """Whether a branch, or a loop over batches by its names, stands around a call."""
    child: ast.AST = call
    holder = facts.scan.parents.get(call)
    while holder is not None and not isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if isinstance(holder, ast.If) and child is not holder.test:
            return True
        if isinstance(holder, (ast.For, ast.AsyncFor)):
            names = [holder.target, *(part for part in ast.walk(holder.iter) if isinstance(part, ast.expr))]
            said = {word for one in names for word in words(last_name(one))}
            if said & (LOADERS | {"batch", "batches"}):
                return True
        child, holder = holder, facts.scan.parents.get(holder)
    return False


def always_called(facts: FileFacts) -> Iterator[ast.Call]:
    """Methods that each call of a module calls by name, where it records no gradients: it may generate."""
    for cls in facts.classes.values():
        for method in cls.node.body:
            if (
                isinstance(method, ast.FunctionDef)
                and method.name in _CALLED
                and any(last_name(one) in _WITHOUT_GRADIENTS for one in method.decorator_list)
            ):
                yield from _of_block(method.body)


def whole_calls(facts: FileFacts) -> Iterator[str]:
    """Names in paths of what calling a class's instances runs, if that is no step.

    It is a whole optimization, or a transform of one picture of a data set.
    """
    for cls in facts.classes.values():
        for method in cls.node.body:
            if isinstance(method, ast.FunctionDef) and method.name in _CALLED and is_no_step(method, facts):
                yield facts.calls.identity(method)


def is_no_step(node: ast.AST, facts: FileFacts) -> bool:
    """Whether calling a module by its `forward` or `__call__` is no step of training or inference."""
    return optimizes(node, facts) or hands_target_on(node, facts)


def _of_block(block: list[ast.stmt]) -> Iterator[ast.Call]:
    """The methods that a block calls whenever it runs, up to the first branch that may leave it."""
    for statement in block:
        if isinstance(statement, ast.With):
            yield from _of_block(statement.body)
        elif isinstance(statement, (ast.AnnAssign, ast.Assign, ast.Expr, ast.Return)):
            value = statement.value
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                yield value
        elif isinstance(statement, ast.If) and any(
            isinstance(inner, ast.Return) for inner in ast.walk(statement)
        ):
            return
