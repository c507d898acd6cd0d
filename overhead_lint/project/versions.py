"""Tests for a version of torch whose outcome is known: branches for those that nobody uses any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.project.file_bindings import FileBindings

__all__ = ["certain", "defined_before"]

Version = tuple[int, ...]

_OLDEST: Final[Version] = (2, 0)
"""What is older has no `torch.compile`; the `target-torch` of a project is 2.4 unless it says otherwise."""

_NAMES: Final = frozenset({"torch.__version__", "torch.version.__version__"})
_NUMBERS: Final = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_MIRRORED: Final[dict[type, type]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE}
# How many names are followed to what they stand for.
_FOLLOWED: Final = 2


def certain(
    test: ast.Compare,
    qualified: Callable[[ast.AST], str | None],
    value: Callable[[ast.expr], ast.expr | None],
) -> tuple[bool, str] | None:
    """What a test for a version of torch comes out as, with that version; None where it hangs on it.

    Args:
        test: the test.
        qualified: gives the qualified name of an expression.
        value: gives the one expression that a name is bound to.
    """
    op: type = test.ops[0].__class__
    if len(test.ops) != 1 or op not in _MIRRORED:
        return None
    asked, bound = test.left, test.comparators[0]
    version = _version(bound)
    if version is None:
        asked, bound, op = bound, asked, _MIRRORED[op]
        version = _version(bound)
    if version is None or version > _OLDEST or not _is_torchs(asked, qualified, value):
        return None
    if version == _OLDEST and op in (ast.Gt, ast.LtE):
        return None
    return op in (ast.Gt, ast.GtE), ".".join(map(str, version))


def defined_before(node: ast.AST, facts: FileBindings) -> str:
    """The version of torch before which alone a function is defined; "" if it is for later ones, too."""
    child, holder = node, facts.scan.parents.get(node)
    if holder.__class__ is ast.ClassDef:
        child, holder = holder, facts.scan.parents.get(holder)
    if holder.__class__ is not ast.If:
        return ""
    test = (facts.value(holder.test) or holder.test) if holder.test.__class__ is ast.Name else holder.test
    found = certain(test, facts.names.qualified, facts.value) if test.__class__ is ast.Compare else None
    return found[1] if found is not None and found[0] is not (child in holder.body) else ""


def _is_torchs(
    node: ast.expr,
    qualified: Callable[[ast.AST], str | None],
    value: Callable[[ast.expr], ast.expr | None],
) -> bool:
    """Whether an expression is torch's version, itself or made comparable: ``Version(torch.__version__)``."""
    for _ in range(_FOLLOWED):
        if node.__class__ is not ast.Name:
            break
        node = value(node) or node
    while node.__class__ is ast.Call and len(node.args) == 1:
        node = node.args[0]
    return qualified(node) in _NAMES


def _version(node: ast.expr) -> Version | None:
    """The version that an expression is written as: ``"1.6"``, ``Version("1.6")``; None if it is another."""
    if node.__class__ is ast.Call and len(node.args) == 1:
        node = node.args[0]
    found = (
        _NUMBERS.match(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    )
    if found is None:
        return None
    major, *others = (int(one) for one in found.groups() if one is not None)
    while len(others) > 1 and not others[-1]:
        others.pop()
    return (major, *(others or (0,)))
