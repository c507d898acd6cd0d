"""Classes of a file that inherit from one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["family"]


def family(cls: ClassFacts, ctx: Context) -> list[ClassFacts]:
    """A class with all that may be mixed with it: bases, subclasses, and the bases of those."""
    found, left = [cls], [item for item in ctx.classes() if item is not cls]
    for one in found:
        related = [item for item in left if _is_base(one, item) or _is_base(item, one)]
        left = [item for item in left if item not in related]
        found += related
    return found


def _is_base(one: ClassFacts, of: ClassFacts) -> bool:
    return f".{one.qualname}" in of.bases
