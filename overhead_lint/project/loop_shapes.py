"""How loops are written: what they go over, and what the names in that say."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeGuard

from overhead_lint.analysis.vocabulary import (
    CONFIGS,
    EPOCHS,
    LOADERS,
    MODELS,
    PARTS,
    STEP_WORDS,
    TRAININGS,
    VERBS,
)
from overhead_lint.analysis.words import words
from overhead_lint.project.names import last_name, written
from overhead_lint.project.scan import walk

__all__ = [
    "cuts_batches",
    "has_target",
    "is_epochs",
    "is_for_no_batch",
    "is_model_name",
    "is_part",
    "is_super",
    "iterables",
    "range_end",
    "repeats",
    "short",
]


def is_model_name(name: str) -> bool:
    """Whether a name says that it holds a model."""
    said = words(name)
    if not said or said[0] in VERBS or "from" in said:  # unwrap_model, get_model, layers_from_model
        return False
    if len(said) > 1 and said[0] in TRAININGS:  # train_model: a training, or a function that is judged itself
        return False
    return said[-1] in MODELS or (said[-1].isdigit() and said[0] in MODELS)


def has_target(loop: ast.AST) -> TypeGuard[ast.For | ast.AsyncFor]:
    """Whether a loop gives its rounds something."""
    return isinstance(loop, (ast.For, ast.AsyncFor))


def is_for_no_batch(target: ast.expr) -> bool:
    """Whether a round is for no batch, but a loader or a configuration: ``for loader in test_loaders``."""
    names = target.elts if target.__class__ is ast.Tuple else [target]
    return not (LOADERS | CONFIGS).isdisjoint(words(last_name(names[-1]))[-1:])


def is_part(loop: ast.AST) -> TypeGuard[ast.For | ast.AsyncFor]:
    """Whether a loop goes over the micro-batches of one step."""
    if not isinstance(loop, (ast.For, ast.AsyncFor)):
        return False
    said = {word for node in walk(loop.iter) for word in words(last_name(node))}
    return bool(said & PARTS) or {"micro", "batches"} <= said


def is_epochs(loop: ast.AST) -> bool:
    """Whether the rounds of a loop are epochs."""
    if not isinstance(loop, (ast.For, ast.AsyncFor)):
        return loop.__class__ is ast.While and any(map(_counts_epochs, walk(loop.test)))
    if any(map(_counts_epochs, walk(loop.target))):
        return True
    end = range_end(loop.iter)
    return end is not None and _counts_epochs(end)


def _counts_epochs(node: ast.AST) -> bool:
    """Whether a name is a number of epochs, and not one of steps: ``num_epochs``, not ``steps_per_epoch``."""
    said = set(words(last_name(node)))
    return not EPOCHS.isdisjoint(said) and (STEP_WORDS - EPOCHS).isdisjoint(said)


def iterables(
    node: ast.expr, gives_others: Callable[[ast.Call], bool] = lambda call: False
) -> Iterator[ast.expr]:
    """An iterated expression and, where it is a call such as ``enumerate(x)``, what is handed to it.

    Args:
        node: the expression.
        gives_others: tells calls that give other items than what they are handed.
    """
    yield node
    if node.__class__ is ast.Call and last_name(node.func) != "range" and not gives_others(node):
        for argument in node.args:
            yield from iterables(argument, gives_others)


def range_end(node: ast.expr) -> ast.expr | None:
    """``n`` of ``range(n)`` or ``range(a, n)``, through wrappers such as ``tqdm(...)``."""
    if node.__class__ is not ast.Call or not node.args:
        return None
    if last_name(node.func) in {"range", "trange"}:
        return node.args[1] if len(node.args) > 1 else node.args[0]
    return range_end(node.args[0])


def repeats(loop: ast.For | ast.AsyncFor | ast.While, child: ast.AST) -> bool:
    """Whether a direct child of a loop statement runs on every round."""
    if isinstance(loop, ast.While):
        return child not in loop.orelse
    return child is not loop.iter and child not in loop.orelse


def cuts_batches(loop: ast.AST) -> bool:
    """Whether a loop goes through something batch by batch: ``for at in range(0, n, batch_size)``."""
    call = loop.iter if loop.__class__ is ast.For else None
    while call.__class__ is ast.Call and call.args:
        if last_name(call.func) in {"range", "trange"}:
            return len(call.args) == 3 and words(last_name(call.args[2]))[-2:] == ("batch", "size")
        call = call.args[0]
    return False


def is_super(node: ast.expr) -> bool:
    """Whether an expression is ``super()``."""
    return node.__class__ is ast.Call and last_name(node.func) == "super"


def short(node: ast.expr) -> str:
    """An expression as written, cut to a name a reader recognises."""
    text = written(node)
    return text if len(text) <= 40 else last_name(node) or text[:37] + "..."
