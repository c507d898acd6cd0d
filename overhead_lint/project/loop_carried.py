"""Names of a function that outlive the rounds of a hot loop: missing in its first round, there later."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.vocabulary import ENVIRONMENTS
from overhead_lint.analysis.words import words
from overhead_lint.project.loops import LoopKind
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import STATEMENTS

if TYPE_CHECKING:
    from overhead_lint.project.file_loops import FileLoops

__all__ = ["counts_rounds", "ends_episode", "outlives_rounds"]

# Where the result of an environment's step tells that an episode is over, by how much it holds.
_ENDS: Final = {4: slice(2, 3), 5: slice(2, 4)}
_PAIRING: Final = frozenset({"enumerate", "zip"})


def outlives_rounds(name: ast.Name, facts: FileLoops) -> bool:
    """Whether a name tested in a hot loop keeps what the branch gives it: ``if kept is None: kept = ...``."""
    hot = [loop for loop in facts.loops_of(name) if facts.loops.judge(loop).kind is LoopKind.HOT]
    found = facts.scan.lookup(name.id, name) if hot else None
    if found is None or found[0].node is not facts.function_node(name):
        return False
    statement: ast.AST | None = name
    while statement is not None and statement.__class__ not in STATEMENTS:
        statement = facts.scan.parents.get(statement)
    return statement.__class__ is ast.If and facts.flow.outlives_rounds(name, hot[0])


def counts_rounds(name: ast.Name, facts: FileLoops) -> bool:
    """Whether a name counts the rounds of a hot loop: ``for i, batch in enumerate(loader)``."""
    for loop in facts.loops_of(name):
        if isinstance(loop, (ast.For, ast.AsyncFor)) and facts.loops.judge(loop).kind is LoopKind.HOT:
            first = loop.target.elts[0] if loop.target.__class__ is ast.Tuple else loop.target
            if first.__class__ is ast.Name and first.id == name.id:
                return True
    return False


def ends_episode(name: ast.Name, facts: FileLoops) -> bool:
    """Whether a name tells a hot loop that an episode is over: ``obs, reward, done, _ = env.step(action)``.

    An environment that holds several gives a tensor or an array, of which no branch can ask as a whole.
    """
    hot = [loop for loop in facts.loops_of(name) if facts.loops.judge(loop).kind is LoopKind.HOT]
    found = facts.scan.lookup(name.id, name) if hot else None
    return found is not None and any(
        hot[-1] in facts.loops_of(binding)
        and (_is_told_by_step(binding, facts) or _is_of_ends(binding, facts))
        for binding in found[1]
    )


def _is_of_ends(binding: ast.AST, facts: FileLoops) -> bool:
    """Whether a loop goes over what tells of several environments: ``for i, done in enumerate(dones)``."""
    parent = facts.scan.parents.get(binding)
    loop, at = parent, None
    if parent.__class__ is ast.Tuple:
        loop = facts.scan.parents.get(parent)
        at = next(place for place, one in enumerate(parent.elts) if one is binding)
    if loop.__class__ is not ast.For or loop.target not in (binding, parent):
        return False
    over: ast.expr | None = loop.iter
    if at is not None:
        called = last_name(over.func) if over.__class__ is ast.Call else ""
        given = over.args if over.__class__ is ast.Call else []
        if called == "enumerate":
            at -= 1
        over = given[at] if called in _PAIRING and 0 <= at < len(given) else None
    return over.__class__ is ast.Name and ends_episode(over, facts)


def _is_told_by_step(binding: ast.AST, facts: FileLoops) -> bool:
    unpacked = facts.scan.parents.get(binding)
    statement = facts.scan.parents.get(unpacked) if unpacked.__class__ is ast.Tuple else None
    call = statement.value if statement.__class__ is ast.Assign else None
    if call.__class__ is not ast.Call or call.func.__class__ is not ast.Attribute or call.func.attr != "step":
        return False
    assert isinstance(unpacked, ast.Tuple)
    ends = unpacked.elts[_ENDS.get(len(unpacked.elts), slice(0))]
    return binding in ends and bool(ENVIRONMENTS & set(words(last_name(call.func.value))))
