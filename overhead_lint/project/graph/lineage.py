"""Classes of all files by their plain names: what they derive from, and who makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.graph.option import RUN_BY_INSTANCES
from overhead_lint.project.graph.project_tables import Kept

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Lineage"]


class Lineage:
    """Classes of all files by their plain names: whatever has the name of a class may be that class.

    Args:
        heirs: what was known before of classes: those that derive from them,
        bases: what they derive from,
        inheriting: and which have no ``__init__`` of their own, each with nothing.

    Attributes:
        heirs: see there, and below.
        bases: those of most names are few, so that a tuple holds them.
        inheriting: see there.
    """

    def __init__(
        self, heirs: Kept | None = None, bases: Kept | None = None, inheriting: Kept | None = None
    ) -> None:
        self.heirs = heirs or Kept()
        self.bases = bases or Kept()
        self.inheriting = inheriting or Kept()

    def add(self, classes: Iterable[tuple[str, tuple[str, ...], bool]]) -> None:
        """Add the classes of a file, as `overhead_lint.project.file_summary.Passing` has them."""
        all_heirs: dict[str, set[str]] = self.heirs.table
        all_bases: dict[str, tuple[str, ...]] = self.bases.table
        for name, bases, makes in classes:
            if not makes:
                self.inheriting.table[name] = None
            for base in bases:
                all_heirs.setdefault(base, set()).add(name)
                known = all_bases.get(name, ())
                if base not in known:
                    all_bases[name] = (*known, base)

    def with_bases(self, names: Iterable[str]) -> set[str]:
        """Names, and those of all that classes of these names derive from."""
        found = set(names)
        stack = list(found)
        all_bases: dict[str, tuple[str, ...]] = self.bases.table
        while stack:
            for base in all_bases.get(stack.pop(), ()):
                if base not in found:
                    found.add(base)
                    stack.append(base)
        return found

    def kin(self, cls: str) -> set[str]:
        """A class with all that it derives from and that derive from it, by names; nothing for ""."""
        found = {cls} if cls else set()
        stack = list(found)
        all_heirs: dict[str, set[str]] = self.heirs.table
        while stack:
            more = all_heirs.get(stack.pop(), set()) - found
            found |= more
            stack += more
        return self.with_bases([cls]) | found if cls else found

    def makers(self, cls: str) -> Iterator[str]:
        """Names by which a class's ``__init__`` is called: its own, and of heirs without one."""
        stack, seen = [cls], {cls}
        all_heirs: dict[str, set[str]] = self.heirs.table
        inheriting = self.inheriting.table
        while stack:
            one = stack.pop()
            yield one
            for name in all_heirs.get(one, ()):
                if name in inheriting and name not in seen:
                    seen.add(name)
                    stack.append(name)

    def is_applied(self, function: str) -> bool:
        """Whether a method, given by name in paths, is what an autograd function runs."""
        *_, cls, method = function.split(".")
        return method == "forward" and "Function" in self.bases.table.get(cls, ())

    def called(self, functions: Iterable[str]) -> set[str]:
        """The names by which functions, given by name in paths, are called."""
        found: set[str] = set()
        for function in functions:
            cls, _, method = function.rpartition(".")
            if method == "__init__":
                found.update(self.makers(cls.rpartition(".")[2]))
            else:  # methods are called of objects, and by names that have them
                of_objects = function if method in RUN_BY_INSTANCES else f".{method}" if cls else method
                found.update((of_objects if self.is_applied(function) else method, of_objects))
        return found
