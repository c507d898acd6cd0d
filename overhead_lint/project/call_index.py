"""The calls of a file, by the names of what is called."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.names import Names, last_name

if TYPE_CHECKING:
    from overhead_lint.project.scan import Scan

__all__ = ["CallIndex"]


class CallIndex:
    """Finds calls by names.

    Args:
        scan: the file's tree, walked.
        names: says what names stand for.
    """

    def __init__(self, scan: Scan, names: Names) -> None:
        self._scan = scan
        self._names = names
        self._found: dict[AbstractSet[str], list[ast.Call]] = {}

    @cached_property
    def by_name(self) -> dict[str, list[ast.Call]]:
        """The calls of the file by the last plain name of what is called, in source order."""
        found: dict[str, list[ast.Call]] = {}
        for call in self._scan.by_class.get(ast.Call, ()):
            assert isinstance(call, ast.Call)
            found.setdefault(last_name(call.func), []).append(call)
        return found

    @cached_property
    def _by_any_name(self) -> dict[str, list[ast.Call]]:
        """The calls of the file by the qualified names of what is called, and by their last plain ones."""
        found: dict[str, list[ast.Call]] = defaultdict(list)
        qualified = self._names.qualified
        for call in self._scan.by_class.get(ast.Call, ()):
            assert isinstance(call, ast.Call)
            written, name = last_name(call.func), qualified(call.func)
            found[written].append(call)
            if name is not None:
                last = name[name.rfind(".") + 1 :]
                if last != name:
                    found[name].append(call)
                if last != written:
                    found[last].append(call)
        return found

    def of(self, names: AbstractSet[str]) -> list[ast.Call]:
        """The calls of what has one of some names, qualified or last plain ones, in source order."""
        calls = self._found.get(names)  # some ask for the same names again and again
        if calls is None:
            calls = self._found[names] = self._of(names)
        return calls

    def _of(self, names: AbstractSet[str]) -> list[ast.Call]:
        known = self._by_any_name
        found = names & known.keys()
        if not found:
            return []
        if len(found) == 1:
            return known[next(iter(found))]
        calls = {call for name in found for call in known[name]}
        return sorted(calls, key=self._scan.order.__getitem__)
