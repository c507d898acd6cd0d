"""Which paths of a file may lead into other files of its project: nobody need be asked about others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.lookup import is_described
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF, STARRED
from overhead_lint.project.path_syntax import is_outside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

__all__ = ["leading_on"]


def leading_on(names: Collection[str] | None, module: str) -> Callable[[str], bool]:
    """Return what tells whether other files of the project may say what a path stands for.

    Args:
        names: first parts of the names of the project's modules; None where they are not known. Packages that
            the tables of effects speak of are others' then.
        module: dotted name of the file's module, "" if unknown.
    """
    own = module.partition(".")[0]

    def leads_on(path: str) -> bool:
        if path.startswith((PARAMETER_OF, STARRED, ".")):
            return True
        first = path.partition(".")[0].partition("(")[0]
        if names is not None:
            return first in names and not is_outside(path)
        return first == own or not (is_outside(path) or is_described(first))

    return leads_on
