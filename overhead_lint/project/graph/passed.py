"""What the calls of all files pass, by plain names of what they call, and what files say of names."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.passed_arguments import CALLED, PlainArgument, Receiver, Role
from overhead_lint.project.graph.project_tables import Kept

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["Passed"]

Called = Iterable[tuple[Receiver, tuple[PlainArgument | str, ...]]]
# Roles of attributes', and of plain names.
_OF_ATTRIBUTES: Final = frozenset({Role.STORED, Role.TURNED_OFF})
_OF_NAMES: Final = frozenset(Role) - _OF_ATTRIBUTES


class Passed:
    """Gathers what the calls of all files pass, by plain names of what they call; each text is kept once.

    Args:
        names: those that are asked for; nothing is kept of others.
        options: names of the options that are asked for.
        tokens: what was gathered before: how many files pass something to a name.

    Attributes:
        names: see there.
        options: see there.
        tokens: see there.
    """

    def __init__(
        self,
        names: Collection[str],
        options: Collection[str],
        tokens: Kept | None = None,
    ) -> None:
        self.names = {*names}
        self.options = {*options}
        self.tokens = tokens or Kept()
        self._texts: dict[PlainArgument | str, PlainArgument | str] = {}  # each is kept once

    def add(self, called: Called, times: int = 1) -> None:
        """Add what the calls of a file pass, as `analysis.options.passing` has it; or take it away."""
        all_tokens: dict[Receiver, dict[PlainArgument | str, int]] = self.tokens.table
        for name, token in self._wanted(called):
            known = all_tokens.get(name)
            if known is None:
                known = all_tokens[sys.intern(name) if isinstance(name, str) else name] = {}
            count = known.get(token, 0) + times
            if count > 0:
                known[self._texts.setdefault(token, token)] = count
            else:  # of a name that is asked for since then nothing was kept
                known.pop(token, None)
                if not known:
                    del all_tokens[name]

    def wanted(self, called: Called) -> set[tuple[Receiver, PlainArgument | str]]:
        """What is kept of what the calls of a file pass: each name with something that is passed to it."""
        return set(self._wanted(called))

    def _wanted(self, called: Called) -> Iterator[tuple[Receiver, PlainArgument | str]]:
        names = self.names
        for name, tokens in called:
            if name in _OF_NAMES or name in _OF_ATTRIBUTES:
                kept = names if name in _OF_NAMES else self.options
                for token in tokens:
                    if (token if isinstance(token, str) else token[0]) in kept:
                        yield name, token
            elif name in names:
                for token in tokens:
                    yield name, token

    def files_with(self, name: Receiver, token: PlainArgument | str) -> int:
        """How many files pass something to a name."""
        count: int = self.tokens.table.get(name, {}).get(token, 0)
        return count

    def is_said_elsewhere(self, name: str) -> bool:
        """Whether a file calls a name, or hands it over, that neither defines nor imports that."""
        return any(
            self.files_with(*said) > self.files_with(at_home, name)
            for said, at_home in (
                ((name, CALLED), Role.CALLED_AT_HOME),
                ((Role.HANDED, name), Role.HANDED_AT_HOME),
            )
        )

    def decides(self, name: Receiver, token: PlainArgument | str, *, goes: bool) -> bool:
        """Whether it matters that a file passes something to a name no more, or passes it now.

        Args:
            name: the name, or a role.
            token: what it passes.
            goes: whether it did so before, and not now.
        """
        if name in (Role.CALLED_AT_HOME, Role.HANDED_AT_HOME):
            return True
        known = self.files_with(name, token)
        at_home = 0
        if token == CALLED and isinstance(name, str):
            at_home = self.files_with(Role.CALLED_AT_HOME, name)
        elif name == Role.HANDED:
            at_home = self.files_with(Role.HANDED_AT_HOME, token)
        least = 1 if goes else 0
        return known == least or known == least + at_home

    def knows(self, names: Collection[str], options: Collection[str]) -> bool:
        """Whether what is passed to names is kept, and of options by their names."""
        return self.names.issuperset(names) and self.options.issuperset(options)

    def know(self, names: Iterable[str]) -> None:
        """Ask for more names, to which no file has passed anything yet."""
        self.names.update(names)

    def to(self, name: str) -> Collection[PlainArgument]:
        """Return the arguments that calls of a name pass, as plain tuples."""
        found: Collection[PlainArgument] = self.tokens.table.get(name, ())
        return found

    def behind(self, role: Role) -> set[str]:
        """Return the names that have a role in some file."""
        return {*self.tokens.table.get(role, ())}

    def sources(self, role: Role) -> dict[str, list[tuple[str, PlainArgument]]]:
        """Return by names where files have these from, or "", each with what options keep them from that."""
        found: dict[str, list[tuple[str, PlainArgument]]] = {}
        for token in self.tokens.table.get(role, ()):
            name, source, keeping = (token, "", ()) if isinstance(token, str) else token
            found.setdefault(name, []).append((source, keeping))
        return found
