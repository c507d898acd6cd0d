"""Names that fixes bring: two that choose the same one on their own must not be applied in one round."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.edits.outline import outline

if TYPE_CHECKING:
    from overhead_lint.rule import TextEdit
    from overhead_lint.syntax.source import Source

__all__ = ["to_wait"]

_WORD: Final = re.compile(r"[^\W\d]\w*")
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def to_wait(before: Source, after: Source, fixes: Sequence[Sequence[TextEdit]]) -> frozenset[int]:
    """Return which fixes must wait, since an earlier one brings a name that they bind to something else.

    In a function a name may be bound anew once the earlier fix is through with it.

    Args:
        before: the file as it was.
        after: the file with all of the fixes applied.
        fixes: their edits, in the order of the file.
    """
    words = [{word for edit in edits for word in _WORD.findall(edit.text)} for edits in fixes]
    shared = {word for word, count in Counter(itertools.chain(*words)).items() if count > 1}
    shared -= set(_WORD.findall(before.text)) if shared else set()
    waiting: set[int] = set()
    for name, in_function in _bound_again(outline(after).tree, shared) if shared else ():
        bringing = [index for index, found in enumerate(words) if name in found and index not in waiting]
        for one, other in itertools.combinations(bringing, 2):
            if one in waiting or _define_it_once(name, fixes[one], fixes[other]):
                continue
            first, last = _reach(name, fixes[one], before)
            other_first, other_last = _reach(name, fixes[other], before)
            if not in_function or (first <= other_last and other_first <= last):
                waiting.add(other)
    return frozenset(waiting)


def _bound_again(tree: ast.Module, names: set[str]) -> Iterator[tuple[str, bool]]:
    """Yield the names that one function or the module binds more than once, and whether it is a function."""
    scopes: list[ast.AST] = [tree]
    while scopes:
        scope = scopes.pop()
        bound: Counter[str] = Counter()
        within = list(ast.iter_child_nodes(scope))
        while within:
            node = within.pop()
            if isinstance(node, _SCOPES):
                scopes.append(node)
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound[node.id] += 1
            within += ast.iter_child_nodes(node)
        if not isinstance(scope, ast.ClassDef):
            again = sorted(name for name in names if bound[name] > 1)
            yield from ((name, scope is not tree) for name in again)


def _define_it_once(name: str, one: Sequence[TextEdit], other: Sequence[TextEdit]) -> bool:
    """Whether both put the same lines with a name at one place, of which one copy is kept."""
    return any(edit in other and edit.start == edit.end and name in _WORD.findall(edit.text) for edit in one)


def _reach(name: str, edits: Sequence[TextEdit], before: Source) -> tuple[int, int]:
    """The part of the file in which a name is what a fix binds: to the end of loops below that."""
    own = [edit for edit in edits if name in _WORD.findall(edit.text)]
    first = min(edit.start for edit in own)
    ends = [edit.end for edit in own]
    for loop in ast.walk(outline(before).tree):
        if isinstance(loop, _LOOPS):
            start, end = before.offsets(loop)
            if first < start and any(start <= edit.start <= end for edit in own):
                ends.append(end)
    return first, max(ends)
