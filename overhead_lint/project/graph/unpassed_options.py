"""Which options nobody in a project passes: what needs other values than their defaults hardly ever runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import (
    ARGUMENT,
    BY_KEYWORD,
    INSTANCE,
    OF_DEFINITIONS,
    PASSED,
    RUN_BY_INSTANCES,
    TOLD_ELSEWHERE,
    Option,
    PlainOption,
    together,
)
from overhead_lint.analysis.graph.passed_arguments import (
    ANYTHING,
    BY_PATH,
    CALLED,
    MANY,
    PlainArgument,
    Receiver,
    Role,
    Slot,
)
from overhead_lint.project.graph.project_tables import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from overhead_lint.project.file_summary import FileSummary

__all__ = ["Lineage", "Offers", "Passed", "UnpassedOptions", "functions_in"]

_DEEPEST: Final = 8
_FALSE: Final = frozenset({"''", "0", "0.0", "False", "None"})

Called = Iterable[tuple[Receiver, tuple[PlainArgument | str, ...]]]
# Roles of plain names, and of attributes'.
_OF_NAMES: Final = frozenset(
    {
        Role.ALL_OF,
        Role.ANSWERING,
        Role.CALLED_AT_HOME,
        Role.HANDED,
        Role.HANDED_AT_HOME,
        Role.IMPORTED,
        Role.NAMED,
        Role.SELDOM,
        Role.SHIPPED,
        Role.TAKEN,
        Role.UNUSED,
    }
)
_OF_ATTRIBUTES: Final = frozenset({Role.STORED, Role.TURNED_OFF})


def functions_in(options: Iterable[Option]) -> Iterator[str]:
    """The functions that take these options, by name in paths, and what options have to be named."""
    for option in (part for one in options for part in together(one)):
        if option.kind in (ARGUMENT, PASSED):
            yield option.owner
        elif option.of_class:
            yield f".{option.of_class}.__init__"
        elif option.kind in OF_DEFINITIONS:
            yield from (f".{name}" for name in (option.name, *option.words))


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

    def sources(self, role: Role) -> dict[str, list[str]]:
        """Return the modules that files name with a role, by what they import from there."""
        found: dict[str, list[str]] = {}
        for name, source, _ in self.tokens.table.get(role, ()):
            found.setdefault(name, []).append(source)
        return found


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

    def called(self, functions: Iterable[str]) -> set[str]:
        """The names by which functions, given by name in paths, are called."""
        found: set[str] = set()
        for function in functions:
            cls, _, method = function.rpartition(".")
            if method == "__init__":
                found.update(self.makers(cls.rpartition(".")[2]))
            else:
                found.update((method, function) if method in RUN_BY_INSTANCES else (method,))
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


class UnpassedOptions:
    """Tells which options are left as they are.

    Names decide, not what they lead to: whatever has the name of a function may be that function. So an
    option is only said to be left alone where no call of any such name passes it.

    Args:
        passed: what the calls of all files pass.
        lineage: the classes of all files.
        exported: names that packages offer to whoever imports them.
        told: gives an attribute with its default, if that is what an option has by default, as Python writes
            it; None otherwise.

    Attributes:
        by_calls: how parameters are left by what all calls pass, as far as somebody asked.
    """

    def __init__(
        self,
        passed: Passed,
        lineage: Lineage,
        exported: Iterable[str],
        told: Callable[[Option, str], Option | None],
    ) -> None:
        self._passed = passed
        self._told = told
        self._lineage = lineage
        self._handed = passed.behind(Role.HANDED)
        self._stored, self._turned_off = passed.behind(Role.STORED), passed.behind(Role.TURNED_OFF)
        shipped = passed.behind(Role.SHIPPED)
        self._named, self._all_of = passed.behind(Role.NAMED) | shipped, passed.behind(Role.ALL_OF)
        self._taken, self._imported = passed.behind(Role.TAKEN), passed.sources(Role.IMPORTED)
        self._unused = passed.sources(Role.UNUSED)
        self._seldom = passed.behind(Role.SELDOM) - passed.behind(Role.ANSWERING)
        # Of what it makes by paths those of its settings tell that ship, if these name anything of it.
        self._goes_by_paths = not shipped and any(passed.to(name) for name in BY_PATH)
        self._offered = lineage.with_bases(exported)
        self.by_calls: dict[Option, tuple[int, PlainOption] | None] = {}
        self._known: dict[Option, bool] = {}
        self._made_known: dict[str, bool] = {}
        self._turned_known: dict[Option, tuple[bool, tuple[Option, ...]]] = {}

    def is_left(self, option: Option, depth: int = 0) -> bool:
        """Whether an option keeps its default in all calls."""
        known = self._known.get(option)
        if known is None:
            self._known[option] = True  # an option that is only handed round in a cycle
            known = self._known[option] = depth < _DEEPEST and self._find(option, depth)
        return known

    def is_unnamed(self, option: Option) -> bool:
        """Whether no file but its own says the name of a function or class, which an option tells of.

        Nor those of what else in its file names it, which `Option.words` has. Nor hands its module over, or
        imports all of it: whoever has that may ask it for whatever it holds. Of a project that makes what
        configurations name it is not known.
        """
        module = option.owner.rpartition(".")[2]
        if self._goes_by_paths or module in self._handed or module in self._all_of:
            return False
        return not any(self._is_named(name, option.owner) for name in (option.name, *option.words))

    def _is_named(self, name: str, module: str) -> bool:
        """Whether a file says a name that a module defines, and may mean that."""
        if name in self._named or self._passed.is_said_elsewhere(name):
            return True
        sources = self._imported.get(name, [])
        through = self._unused.get(name, []) if sources else []  # whoever imports it may do so from there
        return any(_may_lead(source, module) for source in (*sources, *through))

    def is_seldom(self, option: Option) -> bool:
        """Whether all functions of a name, which an option tells of, hardly ever say yes."""
        return option.name in self._seldom

    def is_made(self, option: Option, is_off: Callable[[Option], bool]) -> bool:
        """Whether an object of a class, which an option tells of, may be made while options have defaults.

        It may where it is handed over or offered, and where a file has its name and makes none. An object of
        a class that derives from it is one.

        Args:
            option: it.
            is_off: whether an option is off by default.
        """
        known = self._made_known.get(option.name)
        if known is None:
            known = self._made_known[option.name] = self._may_be_made(option.name, is_off)
        return known

    def _may_be_made(self, name: str, is_off: Callable[[Option], bool]) -> bool:
        asked = {name: None}
        stack = [name]
        is_shut = False
        while stack:
            one = stack.pop()
            calls = [options for slot, _, options in self._passed.to(one) if slot == Slot.MAKING]
            heirs = self._lineage.heirs.table.get(one, ())
            is_told = one in self._passed.names and bool(calls or heirs)
            if not is_told or self._is_known_beside(one):
                return True
            stack += [heir for heir in heirs if heir not in asked]
            asked.update(dict.fromkeys(heirs))
            for options in calls:
                keeping = [Option(*plain) for plain in options]
                if any(option.kind != INSTANCE and is_off(option) for option in keeping):
                    is_shut = True
                    continue
                around = [option.name for option in keeping if option.kind == INSTANCE]
                if not around:
                    return True
                stack += [option for option in around if option not in asked]
                asked.update(dict.fromkeys(around))
        return not is_shut  # what nothing makes but itself is for users

    def _is_known_beside(self, name: str) -> bool:
        """Whether something else than a call may make an object of a class."""
        is_said = any(name in names for names in (self._offered, self._handed, self._named, self._taken))
        return self._goes_by_paths or is_said

    def is_turned_on(self, option: Option) -> bool:
        """Whether a call passes something for an option that may be another value than its default.

        A constant that is another, what hangs on another option that is turned on, or what nobody knows:
        then a default of elsewhere decides. Attributes that are set on others, or to a constant that is true,
        are turned on by that.
        """
        return any(self._turned(one)[0] for one in self._handing(option))

    def is_of_settings(self, option: Option) -> bool:
        """Whether a call hands on an attribute of settings for a parameter: then it takes no data."""
        if option.owner.rpartition(".")[2] in RUN_BY_INSTANCES:
            return False
        return any(one.kind in TOLD_ELSEWHERE and one.owner != "self" for one in self._turned(option)[1])

    def may_be_given(self, option: Option) -> bool:
        """Whether data may be given for an option: by whoever has its function, or what nobody can tell."""
        return any(one.kind in TOLD_ELSEWHERE or self._gets_anything(one) for one in self._handing(option))

    def _gets_anything(self, option: Option) -> bool:
        method = option.owner.rpartition(".")[2]
        if method in RUN_BY_INSTANCES:
            if option.default != "None":
                return False  # a mapping that is given to a model has data
        elif method in self._handed:
            return True
        return any(
            ANYTHING in passed or (option.place != BY_KEYWORD and MANY in passed)
            for passed in map(self._passed.to, self._lineage.called([option.owner]))
        )

    def _handing(self, option: Option) -> Iterator[Option]:
        """Yield an option, and those that calls hand on for it."""
        asked = {option: None}
        stack = [option]
        while stack:
            one = stack.pop()
            yield one
            handed_on = [other for other in self._turned(one)[1] if other not in asked]
            stack += handed_on
            asked.update(dict.fromkeys(handed_on))

    def _turned(self, option: Option) -> tuple[bool, tuple[Option, ...]]:
        """Whether something turns an option on by itself, and the options that others hand on to it."""
        known = self._turned_known.get(option)
        if known is None:
            known = self._turned_known[option] = self._look_for_turns(option)
        return known

    def _look_for_turns(self, option: Option) -> tuple[bool, tuple[Option, ...]]:
        if self._is_set(option):
            return True, ()
        hands_on: dict[Option, None] = {}
        for one in self._lineage.called(functions_in([option])) if option.kind not in OF_DEFINITIONS else ():
            for constant, options in _given(self._passed.to(one), option):
                handed_on = self._handed_on(constant, options, option.default)
                if handed_on is None:
                    return True, ()
                hands_on.update(dict.fromkeys(handed_on))
        return False, tuple(hands_on)

    def _handed_on(self, constant: str, options: list[Option], default: str) -> list[Option] | None:
        """Return the options that an argument hangs on; None where it may be another value than a default."""
        if constant != default and (constant or not options):
            return None
        told = [
            one if constant and one.kind not in TOLD_ELSEWHERE else self._told(one, default)
            for one in options
        ]
        known = [one for one in told if one is not None]
        return known if len(known) == len(told) else None

    def _is_set(self, option: Option) -> bool:
        """Whether an attribute of an option's name is set to something that may be another value."""
        is_off = option.default in _FALSE and option.kind not in TOLD_ELSEWHERE
        return option.name in self._stored or (not is_off and option.name in self._turned_off)

    def _find(self, option: Option, depth: int) -> bool:
        function = option.owner
        if option.kind != ARGUMENT or "<locals>" in function:
            return False
        cls, _, method = function.rpartition(".")
        cls = cls.rpartition(".")[2]
        if cls in self._offered and (method[0] != "_" or method.startswith("__")):
            return False
        if self._is_set(option):
            return False
        if method in RUN_BY_INSTANCES:
            return False
        callees = self._lineage.called([function])
        if callees & self._handed or (callees & self._offered):
            return False
        passed = [tokens for one in callees if (tokens := self._passed.to(one))]
        # Who calls a function that nobody does may pass anything; what that hands on, others leave alone.
        is_called = bool(passed) or depth > 0
        return is_called and all(self._leaves(tokens, option, depth) for tokens in passed)

    def passed(self, option: Option) -> list[tuple[str, list[Option]]] | None:
        """Return what all calls pass for a parameter: constants or "", and the options that these hang on.

        Returns:
            None where somebody may pass what nobody knows.
        """
        if "<locals>" in option.owner or self._is_set(option):
            return None
        cls = option.owner.rpartition(".")[0]
        callees = self._lineage.called([option.owner])
        if not callees.isdisjoint(self._handed | self._offered) or cls.rpartition(".")[2] in self._offered:
            return None
        tokens = {token: None for one in callees for token in self._passed.to(one)}
        if ANYTHING in tokens or (option.place != BY_KEYWORD and MANY in tokens):
            return None
        found = list(_given(tokens, option))
        if option.otherwise and any(
            _lacks(constant, option) for slot, constant, _ in tokens if slot == Slot.SHAPE
        ):
            found.append((option.otherwise, []))
        return found

    def _leaves(self, passed: Collection[PlainArgument], option: Option, depth: int) -> bool:
        """Whether calls that pass these leave an option as it is."""
        if ANYTHING in passed or (option.place != BY_KEYWORD and MANY in passed):
            return False
        return all(
            constant == option.default and all(self.is_left(one, depth + 1) for one in options)
            for constant, options in _given(passed, option)
        )


def _given(passed: Iterable[PlainArgument], option: Option) -> Iterator[tuple[str, list[Option]]]:
    """Yield what calls give for a parameter: a constant or "", and the options that it hangs on.

    Args:
        passed: what they pass, as plain tuples.
        option: the parameter.
    """
    name, place = option.name, option.place
    for slot, constant, options in passed:
        if slot == name or (place != BY_KEYWORD and slot == place):
            yield constant, [Option(*one) for one in options]


def _may_lead(source: str, module: str) -> bool:
    """Whether an import from a module, or a package, may give what another module defines.

    Who imports may name it from another folder than the project's.
    """
    return not source or f".{source}." in f".{module}." or f".{source}".endswith(f".{module}")


def _lacks(shape: str, option: Option) -> bool:
    """Whether a call passes nothing for a parameter, by what it passes at all."""
    number, *names = shape.split(" ")
    return not (option.name in names or BY_KEYWORD < option.place < int(number))
