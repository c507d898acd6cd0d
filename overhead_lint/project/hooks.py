"""Functions that something runs in every step, as what is registered or put in the place of a forward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.remembered import remembered
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import Reason, ReasonKind
from overhead_lint.project.callbacks import assigned_attributes, functions_in
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import is_outside
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_placements import FilePlacements

__all__ = ["Hook", "hooks", "running_once"]

# Functions and classes of torch that take functions and run them in every step.
_TAKERS: Final = frozenset({"queue_callback", "register_autograd", "saved_tensors_hooks"})
# Classes of transformers that hold functions, all of which run for each new token.
_RUN_FOR_TOKENS: Final = frozenset({"LogitsProcessorList", "StoppingCriteriaList"})


class Hook(NamedTuple):
    """A function that something runs in every step.

    Attributes:
        function: its path.
        node: where it is handed over, or put.
        reason: why it is hot, for a function that is shown as ``{}``.
    """

    function: str
    node: ast.AST
    reason: Reason


def hooks(facts: FilePlacements) -> Iterator[Hook]:
    """Functions handed to ``register_..._hook`` and kin, or put in the place of a module's ``forward``."""
    names = [
        name
        for name in facts.call_index.by_name
        if name in _RUN_FOR_TOKENS or name == "__init__" or _registers(name)
    ]
    found = [call for name in names for call in facts.call_index.by_name[name]]
    for call in sorted(found, key=facts.scan.order.__getitem__):
        name = _taker(call, facts)
        if name in _RUN_FOR_TOKENS and call.args and isinstance(call.args[0], (ast.List, ast.Tuple)):
            for held in call.args[0].elts:
                for path in _hooked(held, facts):
                    said = f"{{}} runs for each token, by the list on line {call.lineno}"
                    yield Hook(path, call, Reason(said))
        if not _registers(name):
            continue
        registered = facts.flow.operation(call)
        if registered is not None and facts.hook_removals.take_back(*registered):
            continue  # it is there for the calls in between, and runs as often as these
        given = call.args if name in _TAKERS else call.args[-1:]
        named = [one for one in call.keywords if name in _TAKERS or "hook" in words(one.arg or "")]
        for argument in (*given, *(one.value for one in named)):
            for path in _hooked(argument, facts):
                said = f"{{}} is a hook registered on line {call.lineno}"
                yield Hook(path, call, Reason(said, ReasonKind.HOOK))
    for attribute, value in assigned_attributes(facts):
        if attribute.attr == "forward":  # Python looks for `__call__` in the class, which may be no module's
            for path in functions_in(value, facts):
                said = f"{{}} stands for a module's forward since line {attribute.lineno}"
                yield Hook(path, attribute, Reason(said))


def running_once(facts: FilePlacements) -> frozenset[ast.AST]:
    """Functions that run once as hooks: each call of one takes it, or all of its kind, away."""
    if "remove" not in facts.call_index.by_name:
        return frozenset()
    places = ((node, facts.flow.function(node)) for node in facts.functions)
    return frozenset(
        node for node, place in places if place is not None and facts.hook_removals.are_always(place)
    )


def _taker(call: ast.Call, facts: FilePlacements) -> str:
    """Return the name of what a call hands functions to: a class also where one that derives from it does."""
    name = last_name(call.func)
    cls = facts.class_of(call) if name == "__init__" else None
    bases = [base.rpartition(".")[2] for base in cls.bases] if cls is not None else []
    return next((base for base in bases if base in _TAKERS), name)


def _hooked(node: ast.expr, facts: FilePlacements) -> Iterator[str]:
    """Paths of the functions that a hook is; also methods of instances of other files."""
    path = facts.paths.of(node) if node.__class__ is ast.Attribute else None
    if path is not None and not is_outside(path):
        yield path
    else:
        yield from functions_in(node, facts)


@remembered(1024)
def _registers(name: str) -> bool:
    said = words(name)
    return name in _TAKERS or (said[:1] == ("register",) and "hook" in said and "state" not in said)
