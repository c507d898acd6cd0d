"""Transforms of pictures, which a data set runs, most often on the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.names import last_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.project.scan import Scan

__all__ = ["hands_target_on", "is_transform"]

_TRANSFORMS: Final = "torchvision.transforms."
# What torchvision's transforms call a picture, and what its data sets hand to them beside it.
_PICTURES: Final = frozenset({"image", "img"})
_TARGET: Final = "target"


def is_transform(bases: Iterable[str]) -> bool:
    """Whether a class is a kind of a transform of torchvision."""
    return any(base.startswith(_TRANSFORMS) for base in bases)


def hands_target_on(node: ast.AST, scan: Scan) -> bool:
    """Whether a method changes a picture, and hands what is known of it on: ``return image, target``.

    Only files that use torchvision have such: elsewhere this may be what a step mixes.
    """
    names = [one.arg for one in node.args.args] if node.__class__ is ast.FunctionDef else []
    if len(names) != 3 or names[1] not in _PICTURES or names[2] != _TARGET:
        return False
    given = [found.value for found in scan.within(node, ast.Return) if found.__class__ is ast.Return]
    pairs = [value for value in given if value.__class__ is ast.Tuple and len(value.elts) == 2]
    if not pairs or len(pairs) < len(given) or any(last_name(pair.elts[1]) != _TARGET for pair in pairs):
        return False
    return any(
        found.__class__ is ast.ImportFrom and (found.module or "").partition(".")[0] == "torchvision"
        for found in scan.by_class.get(ast.ImportFrom, ())
    )
