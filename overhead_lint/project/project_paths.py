"""Which paths of a file may lead into other files of its project: nobody need be asked about others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.elsewhere import PARAMETER_OF
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, STARRED, SUPER, is_outside

if TYPE_CHECKING:
    from collections.abc import Collection

    from overhead_lint.project.file_calls import FileCalls

__all__ = ["ProjectPaths"]

_ATTRIBUTE: Final = re.compile(r"\.([^.()\[\]#]+)")


class ProjectPaths:
    """Tells where paths of a file may lead.

    Args:
        facts: the file.
        names: first parts of the names of the project's modules; None where they are not known.
    """

    def __init__(self, facts: FileCalls, names: Collection[str] | None) -> None:
        self._facts = facts
        self._names = names
        self._known: dict[tuple[str, str], bool] = {}

    def leads_on(self, path: str) -> bool:
        """Whether other files of the project may say what a path stands for."""
        if path.startswith((PARAMETER_OF, STARRED, SUPER)):
            return True
        if not path.startswith("."):
            first = path.partition(".")[0].partition("(")[0]
            return not is_outside(path) and (self._names is None or first in self._names)
        for mark in (ANY_INSTANCE, INSTANCE):
            cls, there, rest = path.partition(mark)
            attribute = _ATTRIBUTE.match(rest) if there else None
            if attribute is not None:
                return self._attribute_leads_on(cls, attribute[1])
        return True

    def _attribute_leads_on(self, cls: str, name: str) -> bool:
        asked = cls, name
        known = self._known.get(asked)
        if known is None:
            known = self._known[asked] = self._may_be_elsewhere(cls, name)
        return known

    def _may_be_elsewhere(self, cls: str, name: str) -> bool:
        """Whether an attribute of a class of the file may be, or come from, something in another file."""
        graph, classes = self._facts.local_graph, self._facts.index.classes
        if not graph.families.is_class(cls):
            return True
        for one in graph.families.lineage(cls):
            summary = classes[one]
            if name in summary.methods:
                return True
            path = dict(summary.attributes).get(name)
            if path is not None:
                return path.startswith(".") or self.leads_on(path)
        return any("." in base and self.leads_on(base) for base in graph.families.ancestors(cls))
