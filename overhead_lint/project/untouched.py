"""Which options nobody in a project passes: what needs other values than their defaults hardly ever runs."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from overhead_lint.project.called import ANYTHING, HANDED, MANY, STORED
from overhead_lint.project.options import OPTION

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import Any

    from overhead_lint.project.module_index import ClassSummary, ModuleIndex
    from overhead_lint.project.summary import FileSummary

__all__ = ["Offers", "Passed", "Untouched", "options_concerned"]

# The place or keyword that an argument is passed by.
_SLOT: Final = re.compile(r"\w+")
_RUN_BY_INSTANCES: Final = frozenset({"__call__", "forward"})
_DEEPEST: Final = 8
# So many ways of passing arguments to one name are kept in a tuple, which takes a quarter of a set's memory.
_FEW: Final = 6


class Passed:
    """Gathers what the calls of all files pass, by plain names of what they call; each text is kept once."""

    def __init__(self) -> None:
        self._tokens: dict[str, tuple[str, ...] | set[str]] = {}

    def add(self, called: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """Add what the calls of a file pass, as `overhead_lint.project.called` tells it."""
        for name, tokens in called:
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


class Offers:
    """Gathers the names that packages offer to whoever imports them: what their ``__init__.py`` import."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._stars: set[str] = set()

    def add(self, module: str, summary: FileSummary, *, is_package: bool) -> None:
        """Add a file.

        Args:
            module: dotted name of its module.
            summary: what it holds.
            is_package: whether it is an ``__init__.py``.
        """
        if is_package:
            self._names.update(path.rpartition(".")[2] for _, path in summary.names)
            self._stars.update(summary.stars)

    def names(self, indexes: Mapping[str, ModuleIndex]) -> set[str]:
        """The plain names of all that is offered.

        Args:
            indexes: the files by key; all names of those that are imported with a star are offered.
        """
        found = set(self._names)
        for index in indexes.values():
            if index.name in self._stars:
                for name in (*index.functions, *index.classes):
                    if "." not in name[1:] and name[1:2] != "_":
                        found.add(name[1:])
        return found


class Untouched:
    """Tells which options are left as they are.

    Names decide, not what they lead to: whatever has the name of a function may be that function. So an
    option is only said to be left alone where no call of any such name passes it.

    Args:
        passed: what the calls of all files pass.
        classes: of all files.
        exported: names that packages offer to whoever imports them.
    """

    def __init__(
        self,
        passed: Passed,
        classes: Iterable[ClassSummary],
        exported: set[str],
    ) -> None:
        self._passed = passed
        self._handed = set(passed.to(HANDED))
        self._stored = set(passed.to(STORED))
        self._heirs: dict[str, list[ClassSummary]] = defaultdict(list)
        self._bases: dict[str, set[str]] = defaultdict(set)
        for cls in classes:
            for base in cls.bases:
                self._heirs[base.rpartition(".")[2]].append(cls)
                self._bases[cls.name.rpartition(".")[2]].add(base.rpartition(".")[2])
        self._offered = self._with_bases(exported)
        self._known: dict[str, bool] = {}

    def _with_bases(self, exported: set[str]) -> set[str]:
        found, stack = set(exported), list(exported)
        while stack:
            for base in self._bases.get(stack.pop(), ()):
                if base not in found:
                    found.add(base)
                    stack.append(base)
        return found

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
        callees = set(self._makers(cls)) if method == "__init__" else {method}
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

    def _makers(self, cls: str) -> Iterator[str]:
        """Names by which a class's ``__init__`` is called: its own, and of heirs without one."""
        stack, seen = [cls], {cls}
        while stack:
            one = stack.pop()
            yield one
            for heir in self._heirs.get(one, ()):
                name = heir.name.rpartition(".")[2]
                if "__init__" not in heir.methods and name not in seen:
                    seen.add(name)
                    stack.append(name)


def options_concerned(before: tuple[Any, ...], now: tuple[Any, ...]) -> set[bytes] | None:
    """Patterns of all options, as summaries hold them, that may no longer, or only now, be left alone.

    None if the file has other options than before.

    Args:
        before: a summary, as `overhead_lint.project.summary.written` has it.
        now: another of the same file.
    """
    from overhead_lint.project.summary import FileSummary

    old, new = (dict(zip(FileSummary._fields, one, strict=True)) for one in (before, now))
    if old["options"] != new["options"]:
        return None
    passed_before, passed_now = dict(old["called"]), dict(new["called"])
    # It is known that nobody speaks of functions that only one of the states has, or of others of that name.
    functions_before, functions_now = ({one[0] for one in said["functions"]} for said in (old, new))
    apart_only = {name.rpartition(".")[2] for name in functions_before ^ functions_now}
    found: set[bytes] = set()
    for name in (passed_before.keys() | passed_now.keys()) - apart_only:
        apart = set(passed_before.get(name, ())) ^ set(passed_now.get(name, ()))
        if not apart and name in passed_before and name in passed_now:
            continue
        if name == STORED:
            found.update(b":%s:" % re.escape(one.encode()) for one in apart)
            continue
        for callee in apart - apart_only if name == HANDED else (name,):
            escaped = re.escape(callee.encode())
            found.add(rb"\.%s(?:\.__init__)?:" % escaped)
            if callee[:1].isupper():  # a class may have the options of one that it derives from
                found.add(rb"\.%s(?![A-Za-z0-9_\x80-\xff])" % escaped)
    return found
