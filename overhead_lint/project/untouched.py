"""Which options nobody in a project passes: what needs other values than their defaults hardly ever runs."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from overhead_lint.project.called import ANYTHING, HANDED, MANY, STORED
from overhead_lint.project.options import OPTION

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from overhead_lint.project.summary import FileSummary, Passing

__all__ = ["Lineage", "Offers", "Passed", "Untouched", "functions_in", "options_concerned"]

# The place or keyword that an argument is passed by.
_SLOT: Final = re.compile(r"\w+")
_RUN_BY_INSTANCES: Final = frozenset({"__call__", "forward"})
_DEEPEST: Final = 8
# So many ways of passing arguments to one name are kept in a tuple, which takes a quarter of a set's memory.
_FEW: Final = 6


def functions_in(options: Iterable[str]) -> Iterator[str]:
    """The functions whose options these are, by name in paths."""
    return (option.partition(":")[0] for option in options)


class Passed:
    """Gathers what the calls of all files pass, by plain names of what they call; each text is kept once.

    Args:
        names: those that are asked for; nothing is kept of others.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = {*names, HANDED, STORED}
        self._tokens: dict[str, tuple[str, ...] | set[str]] = {}

    def add(self, called: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """Add what the calls of a file pass, as `overhead_lint.project.called` tells it."""
        for name, tokens in called:
            if name not in self._names:
                continue
            known = self._tokens.get(name, ())
            fresh = [sys.intern(token) for token in tokens if token not in known]
            if isinstance(known, set):
                known.update(fresh)
            elif len(known) + len(fresh) > _FEW:
                self._tokens[sys.intern(name)] = {*known, *fresh}
            elif fresh:
                self._tokens[sys.intern(name)] = (*known, *fresh)

    def to(self, name: str) -> tuple[str, ...] | set[str]:
        """What is passed to a name, or stands for it (`overhead_lint.project.called.HANDED` and others)."""
        return self._tokens.get(name, ())


class Lineage:
    """Classes of all files by their plain names: whatever has the name of a class may be that class."""

    def __init__(self) -> None:
        self._heirs: dict[str, set[str]] = defaultdict(set)
        self._bases: dict[str, set[str]] = defaultdict(set)
        self._inheriting: set[str] = set()

    def add(self, classes: Iterable[tuple[str, tuple[str, ...], bool]]) -> None:
        """Add the classes of a file, as `overhead_lint.project.summary.Passing` has them."""
        for name, bases, makes in classes:
            if not makes:
                self._inheriting.add(name)
            for base in bases:
                self._heirs[base].add(name)
                self._bases[name].add(base)

    def with_bases(self, names: Iterable[str]) -> set[str]:
        """Names, and those of all that classes of these names derive from."""
        found = set(names)
        stack = list(found)
        while stack:
            for base in self._bases.get(stack.pop(), ()):
                if base not in found:
                    found.add(base)
                    stack.append(base)
        return found

    def makers(self, cls: str) -> Iterator[str]:
        """Names by which a class's ``__init__`` is called: its own, and of heirs without one."""
        stack, seen = [cls], {cls}
        while stack:
            one = stack.pop()
            yield one
            for name in self._heirs.get(one, ()):
                if name in self._inheriting and name not in seen:
                    seen.add(name)
                    stack.append(name)

    def called(self, functions: Iterable[str]) -> set[str]:
        """The names by which functions, given by name in paths, are called."""
        found: set[str] = set()
        for function in functions:
            cls, _, method = function.rpartition(".")
            if method == "__init__":
                found.update(self.makers(cls.rpartition(".")[2]))
            else:
                found.add(method)
        return found


class Offers:
    """Gathers the names that packages offer to whoever imports them: what their ``__init__.py`` import.

    Attributes:
        names: plain names of all that is offered.
        stars: modules whose names packages import with a star.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.stars: set[str] = set()

    def add(self, summary: FileSummary) -> None:
        """Add the ``__init__.py`` of a package."""
        self.names.update(path.rpartition(".")[2] for _, path in summary.names)
        self.stars.update(summary.stars)

    def add_all(self, summary: FileSummary) -> None:
        """Add a file all of whose names a package imports."""
        names = [*(function.name for function in summary.functions), *(cls.name for cls in summary.classes)]
        self.names.update(name[1:] for name in names if name and "." not in name[1:] and name[1:2] != "_")


class Untouched:
    """Tells which options are left as they are.

    Names decide, not what they lead to: whatever has the name of a function may be that function. So an
    option is only said to be left alone where no call of any such name passes it.

    Args:
        passed: what the calls of all files pass.
        lineage: the classes of all files.
        exported: names that packages offer to whoever imports them.
    """

    def __init__(self, passed: Passed, lineage: Lineage, exported: set[str]) -> None:
        self._passed = passed
        self._lineage = lineage
        self._handed = set(passed.to(HANDED))
        self._stored = set(passed.to(STORED))
        self._offered = lineage.with_bases(exported)
        self._known: dict[str, bool] = {}

    def is_left(self, option: str, depth: int = 0) -> bool:
        """Whether an option, as `overhead_lint.project.options` writes it, keeps its default in all calls."""
        known = self._known.get(option)
        if known is None:
            self._known[option] = True  # an option that is only handed round in a circle
            known = self._known[option] = depth < _DEEPEST and self._find(option, depth)
        return known

    def _find(self, option: str, depth: int) -> bool:
        function, name, place, default = option.split(":", 3)
        if "<locals>" in function:
            return False
        cls, _, method = function.rpartition(".")
        cls = cls.rpartition(".")[2]
        if cls in self._offered and (method[0] != "_" or method.startswith("__")):
            return False
        if name in self._stored:
            return False
        if method in _RUN_BY_INSTANCES:
            return False
        callees = set(self._lineage.makers(cls)) if method == "__init__" else {method}
        if callees & self._handed or (callees & self._offered):
            return False
        passed = [tokens for one in callees if (tokens := self._passed.to(one))]
        return bool(passed) and all(self._leaves(tokens, name, place, default, depth) for tokens in passed)

    def _leaves(self, tokens: Collection[str], name: str, place: str, default: str, depth: int) -> bool:
        """Whether calls that pass these leave an option as it is."""
        if ANYTHING in tokens or (place and MANY in tokens):
            return False
        for token in tokens:
            at = _SLOT.match(token)
            slot = at[0] if at is not None else ""
            if slot != name and (not place or slot != place):
                continue
            constant, *options = token[len(slot) + 1 :].split(OPTION)
            if constant != default or not all(self.is_left(option, depth + 1) for option in options):
                return False
        return True


def options_concerned(before: Passing, now: Passing, apart_only: Collection[str]) -> set[bytes] | None:
    """Patterns of all options, as summaries hold them, that may no longer, or only now, be left alone.

    None if the file has other options than before.

    Args:
        before: what a file said of options.
        now: what it says.
        apart_only: plain names of the functions that only one of the two states of the file has; it is known
            that nobody speaks of them, or of others of that name.
    """
    if before.options != now.options:
        return None
    passed_before, passed_now = dict(before.called), dict(now.called)
    found: set[bytes] = set()
    for name in (passed_before.keys() | passed_now.keys()) - set(apart_only):
        apart = set(passed_before.get(name, ())) ^ set(passed_now.get(name, ()))
        if not apart and name in passed_before and name in passed_now:
            continue
        if name == STORED:
            found.update(b":%s:" % re.escape(one.encode()) for one in apart)
            continue
        for callee in apart - set(apart_only) if name == HANDED else (name,):
            escaped = re.escape(callee.encode())
            found.add(rb"\.%s(?:\.__init__)?:" % escaped)
            if callee[:1].isupper():  # a class may have the options of one that it derives from
                found.add(rb"\.%s(?![A-Za-z0-9_\x80-\xff])" % escaped)
    return found
