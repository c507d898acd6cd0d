"""Which options nobody in a project passes: what needs other values than their defaults hardly ever runs."""

from __future__ import annotations

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
    MANY,
    PlainArgument,
    Role,
    Slot,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from overhead_lint.project.graph.lineage import Lineage
    from overhead_lint.project.graph.passed import Passed

__all__ = ["UnpassedOptions", "functions_in"]

_DEEPEST: Final = 8
_FALSE: Final = frozenset({"''", "0", "0.0", "False", "None"})


def functions_in(options: Iterable[Option]) -> Iterator[str]:
    """The functions that take these options, by name in paths, and what options have to be named."""
    for option in (part for one in options for part in together(one)):
        if option.kind in (ARGUMENT, PASSED):
            yield option.owner
        elif option.of_class:
            yield f".{option.of_class}.__init__"
        elif option.kind in OF_DEFINITIONS:
            yield from (f".{name}" for name in (option.name, *option.words))


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
        is_off: whether an option is off by default under which an attribute is set.

    Attributes:
        by_calls: how parameters are left by what all calls pass, as far as somebody asked.
    """

    def __init__(
        self,
        passed: Passed,
        lineage: Lineage,
        exported: Iterable[str],
        told: Callable[[Option, str], Option | None],
        is_off: Callable[[Option], bool] = lambda option: False,
    ) -> None:
        self._passed = passed
        self._told = told
        self._is_off = is_off
        self._lineage = lineage
        self._handed = passed.behind(Role.HANDED)
        self._stored, self._turned_off = passed.sources(Role.STORED), passed.sources(Role.TURNED_OFF)
        shipped = passed.behind(Role.SHIPPED)
        self._named, self._all_of = passed.behind(Role.NAMED) | shipped, passed.behind(Role.ALL_OF)
        self._taken, self._imported = passed.behind(Role.TAKEN), passed.sources(Role.IMPORTED)
        self._unused = passed.sources(Role.UNUSED)
        self._copied = passed.behind(Role.COPIED)
        self._seldom = passed.behind(Role.SELDOM) - passed.behind(Role.ANSWERING)
        # Of what it makes by paths those of its settings tell that ship, if these name anything of it.
        self._goes_by_paths = not shipped and any(passed.to(name) for name in BY_PATH)
        self._offered = lineage.with_bases(exported)
        self.by_calls: dict[Option, tuple[int, PlainOption] | None] = {}
        self._known: dict[Option, bool] = {}
        self._made_known: dict[str, bool] = {}
        self._by_slot: dict[str, dict[str | int, list[PlainArgument]]] = {}
        self._turned_known: dict[Option, tuple[bool, tuple[Option, ...]]] = {}

    def is_left(self, option: Option, depth: int = 0) -> bool:
        """Whether an option keeps its default in all calls."""
        known = self._known.get(option)
        if known is None:
            self._known[option] = True  # an option that is only handed round in a cycle
            known = self._known[option] = depth < _DEEPEST and self._find(option, depth)
        return known

    def is_unnamed(self, option: Option, is_off: Callable[[Option], bool]) -> bool:
        """Whether no file but its own says the name of a function or class, which an option tells of.

        Nor those of what else in its file names it, which `Option.words` has, but to import it by an option
        that is off. Nor hands its module over, or imports all of it: whoever has that may ask it for all that
        it holds. Of a project that makes what configurations name it is not known.
        """
        module = option.owner.rpartition(".")[2]
        if self._goes_by_paths or module in self._handed or module in self._all_of:
            return False
        return not any(self._is_named(name, option.owner, is_off) for name in (option.name, *option.words))

    def _is_named(self, name: str, module: str, is_off: Callable[[Option], bool]) -> bool:
        """Whether a file says a name that a module defines, and may mean that."""
        if name in self._named or self._passed.is_said_elsewhere(name):
            return True
        sources = self._imported.get(name, [])
        through = self._unused.get(name, []) if sources else []  # whoever imports it may do so from there
        return any(
            _may_lead(source, module) and not any(is_off(Option(*plain)) for plain in keeping)
            for source, keeping in (*sources, *through)
        )

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
            is_told = one in self._passed.names and bool(calls or heirs or one in self._copied)
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
        # What nothing makes but itself is for users, who have a copied library from elsewhere.
        return not (is_shut or self._copied.issuperset(asked))

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
        """Whether data may be given for an option: by who has its function, or as what is None by default."""
        return any(
            one.default == "None" if one.kind in TOLD_ELSEWHERE else self._gets_anything(one)
            for one in self._handing(option)
        )

    def _gets_anything(self, option: Option) -> bool:
        method = option.owner.rpartition(".")[2]
        if method in RUN_BY_INSTANCES and option.default != "None":
            return False  # a mapping that is given to a model has data
        if method in self._handed and method not in RUN_BY_INSTANCES:
            return True
        return self._may_pass_anything(self._lineage.called([option.owner]), option)

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
            for constant, options in self._given([one], option):
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
        stores = [*self._stored.get(option.name, ())]
        stores += () if is_off else self._turned_off.get(option.name, ())
        return any(not any(self._is_off(Option(*plain)) for plain in keeping) for _, keeping in stores)

    def _find(self, option: Option, depth: int) -> bool:
        function = option.owner
        if option.kind != ARGUMENT or "<locals>" in function:
            return False
        cls, _, method = function.rpartition(".")
        cls = cls.rpartition(".")[2]
        if cls in self._offered and (method[0] != "_" or method.startswith("__")):
            return False
        if self._is_set(option) or (method in RUN_BY_INSTANCES and not self._lineage.is_applied(function)):
            return False
        callees = self._lineage.called([function])
        if callees & self._handed or (callees & self._offered):
            return False
        # Who calls a function that nobody does may pass anything; what that hands on, others leave alone.
        is_called = depth > 0 or any(self._passed.to(one) for one in callees)
        return is_called and self._leaves(callees, option, depth)

    def passed(self, option: Option) -> list[tuple[str, list[Option]]] | None:
        """Return what all calls pass for a parameter: constants or "", and the options that these hang on.

        Returns:
            None where somebody may pass what nobody knows.
        """
        if "<locals>" in option.owner or self._is_set(option):
            return None
        cls = option.owner.rpartition(".")[0]
        callees = self._lineage.called([option.owner])
        is_offered = not callees.isdisjoint(self._offered) or cls.rpartition(".")[2] in self._offered
        is_open = is_offered or not callees.isdisjoint(self._handed)
        if is_open or self._may_pass_anything(callees, option):
            return None
        found = list(self._given(callees, option))
        shapes = (shape for one in callees for _, shape, _ in self._in_slots(one, [Slot.SHAPE]))
        if option.otherwise and any(_lacks(shape, option) for shape in shapes):
            found.append((option.otherwise, []))
        return found

    def _leaves(self, callees: Iterable[str], option: Option, depth: int) -> bool:
        """Whether calls of these names leave an option as it is."""
        return not self._may_pass_anything(callees, option) and all(
            constant == option.default and all(self.is_left(one, depth + 1) for one in options)
            for constant, options in self._given(callees, option)
        )

    def _may_pass_anything(self, callees: Iterable[str], option: Option) -> bool:
        """Whether a call of one of these names passes what nobody can tell, and an option may be in that."""
        return any(
            ANYTHING in passed or (option.place != BY_KEYWORD and MANY in passed)
            for passed in map(self._passed.to, callees)
        )

    def _given(self, callees: Iterable[str], option: Option) -> Iterator[tuple[str, list[Option]]]:
        """Yield what calls give for a parameter: a constant or "", and the options that it hangs on.

        Args:
            callees: the names that are called.
            option: the parameter.
        """
        slots: list[str | int] = [option.name]
        if option.place != BY_KEYWORD:
            slots.append(option.place)
        for passed in dict.fromkeys(token for one in callees for token in self._in_slots(one, slots)):
            yield passed[1], [Option(*one) for one in passed[2]]

    def _in_slots(self, callee: str, slots: Sequence[str | int]) -> Iterator[PlainArgument]:
        """Yield what calls of a name pass in some slots; others are not gone through for each option."""
        by_slot = self._by_slot.get(callee)
        if by_slot is None:
            by_slot = self._by_slot[callee] = {}
            for passed in self._passed.to(callee):
                by_slot.setdefault(passed[0], []).append(passed)
        for slot in slots:
            yield from by_slot.get(slot, ())


def _may_lead(source: str, module: str) -> bool:
    """Whether an import from a module, or a package, may give what another module defines.

    Who imports may name it from another folder than the project's.
    """
    return not source or f".{source}." in f".{module}." or f".{source}".endswith(f".{module}")


def _lacks(shape: str, option: Option) -> bool:
    """Whether a call passes nothing for a parameter, by what it passes at all."""
    number, *names = shape.split(" ")
    return not (option.name in names or BY_KEYWORD < option.place < int(number))
