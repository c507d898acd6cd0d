"""Which options the files of a project ask about that nobody passes, and which are off by default.

Found out before anything else is held of the project: what all calls pass takes as much as its graph.
"""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.option import (
    ANSWER,
    ARGUMENT,
    ATTRIBUTE,
    ENTRY,
    INSTANCE,
    MANY,
    NAME,
    OF_DEFINITIONS,
    OTHERWISE,
    PASSED,
    TOLD_ELSEWHERE,
    VALUE,
    WORD,
    Option,
    PlainOption,
    is_switch,
    together,
)
from overhead_lint.analysis.graph.passed_arguments import BY_PATH, Receiver, Role
from overhead_lint.analysis.options.shipped import ShippedValues, asked, written
from overhead_lint.analysis.vocabulary import MODES
from overhead_lint.analysis.words import words
from overhead_lint.project.graph.copies import copied
from overhead_lint.project.graph.left_options import (
    LEFT_AT_TIMES,
    LEFT_OFF,
    LEFT_ONE_ROUND,
    LEFT_OR_DATA,
    LEFT_UNNAMED,
    LEFT_UNPASSED,
)
from overhead_lint.project.graph.lineage import Lineage
from overhead_lint.project.graph.member import is_package
from overhead_lint.project.graph.off_by_default import AS_GIVEN, AttributeDefaults, shown
from overhead_lint.project.graph.offers import Offers
from overhead_lint.project.graph.passed import Passed
from overhead_lint.project.graph.project_tables import Kept, compressed
from overhead_lint.project.graph.unpassed_options import UnpassedOptions, functions_in
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from overhead_lint.analysis.graph.option import Default
    from overhead_lint.analysis.options.shipped import Shipped
    from overhead_lint.project.file_summary import Passing
    from overhead_lint.project.graph.member import Member

__all__ = ["AskedOptions", "options_asked_about"]

_BY_NAME: Final = frozenset({ANSWER, NAME})
_ENOUGH: Final = 10
"""Of so many files it is known what nothing in the project names: fewer are often a part of one."""

Plain = tuple[Any, ...]
LeftByFile = dict[str, dict[int, tuple[int, PlainOption]]]


class AskedOptions:
    """The options that files ask about, and what all calls pass that may be one of them.

    Args:
        options: those of each file, by its key, in the order of their numbers, as a table of what `marshal`
            makes of them: as tuples those of a large project take several times as much.
        passed: what is passed by the names that functions with options are called by.
        lineage: the classes of all files.
        offered: names that packages offer to whoever imports them, each with nothing, as a table.
        defaults: of attributes.
        shipped: what settings files that ship have for options, as the table of `ShippedValues`.
        before: what `left` gave when it was kept, as a table.
        files: how many there are. Where there is one, nobody knows what others pass, and where there are
            few, what others name.

    Attributes:
        is_new: whether something else is known than when it was kept.
    """

    def __init__(
        self,
        options: Kept,
        passed: Passed,
        lineage: Lineage,
        offered: Kept,
        defaults: AttributeDefaults,
        shipped: Kept,
        before: Kept | None = None,
        *,
        files: int = 2,
    ) -> None:
        self._files = files
        self._defaults = defaults
        self._shipped = shipped
        self._options = options
        self._passed = passed
        self._lineage = lineage
        self._offered = offered
        self._before = before
        self._left: LeftByFile | None = None
        self._is_left_as_before = before is not None
        self.is_new = False

    @property
    def before(self) -> LeftByFile:
        """What `left` gave when it was kept."""
        return self._before.table if self._before is not None else {}

    def left(self) -> LeftByFile:
        """Return for each file those of its options that are left as they are, by their numbers."""
        if self._is_left_as_before:
            return self.before
        if self._left is not None:
            return self._left
        untouched = self._untouched()
        found = {
            key: dict(self._its(marshal.loads(packed), untouched))
            for key, packed in self._options.table.items()
        }
        self._left = {key: left for key, left in found.items() if left}
        return self._left

    def _untouched(self) -> UnpassedOptions:
        known = self._passed, self._lineage, self._offered.table, self._told
        plain: list[UnpassedOptions] = []  # to which what is set under an option is set in any case

        def is_off(option: Option) -> bool:
            if not plain:
                plain.append(UnpassedOptions(*known))
            return self._off(option, plain[0]) is not None

        return UnpassedOptions(*known, is_off)

    def _told(self, option: Option, wanted: str) -> Option | None:
        """Return an attribute with its default, if that certainly is a wanted one, as Python writes it."""
        kind, word = written(wanted)
        if option.kind not in TOLD_ELSEWHERE or kind in (MANY, OTHERWISE, VALUE):
            return None
        asked_for = option
        if not (option.shut_by or option.words or option.by_other_words):
            by = (AS_GIVEN.get(kind, kind),)
            asked_for = option._replace(shut_by=by, words=(word,) if kind == WORD else ())
        kin = self._lineage.kin(option.of_class)
        default = self._shown(asked_for, kin)
        return asked_for._replace(default=default) if default else None

    def _shown(self, option: Option, kin: Collection[str]) -> str:
        """Return the default of an attribute, as `AttributeDefaults.shown` does."""
        of_section = self._defaults.is_of_section(option)
        return self._defaults.shown(option, kin, self._in_files.of(option, of_section=of_section))

    @property
    def _in_files(self) -> ShippedValues:
        """What settings files that ship have for options."""
        return ShippedValues(self._shipped.table)

    def _its(
        self, options: tuple[PlainOption, ...], untouched: UnpassedOptions
    ) -> Iterator[tuple[int, tuple[int, PlainOption]]]:
        """Yield what is known of the options of a file, by their numbers."""
        for number, plain in enumerate(options):
            option = Option(*plain)
            left = self._left_as(option, untouched)
            if left is not None:
                known, told = left
                is_at_times = known == LEFT_OFF and _is_on_at_times(option)
                yield number, (LEFT_AT_TIMES if is_at_times else known, told)

    def _off(self, option: Option, untouched: UnpassedOptions) -> tuple[int, PlainOption] | None:
        """Return how an option is left that is off, or that nobody passes; None for others."""
        left = self._left_as(option, untouched)
        return left if left is not None and left[0] in (LEFT_OFF, LEFT_UNPASSED) else None

    def _left_as(self, option: Option, untouched: UnpassedOptions) -> tuple[int, PlainOption] | None:
        """Return how an option is left, and the option; None if it may be another than its default."""
        if option.bounds_rounds:
            left = self._off(option._replace(bounds_rounds=False), untouched)
            return (LEFT_ONE_ROUND, tuple(Option(*left[1])._replace(bounds_rounds=True))) if left else None
        if option.beside:
            known = [left for one in together(option) if (left := self._off(one, untouched)) is not None]
            if len(known) <= len(option.beside):
                return None
            first, *others = [told for _, told in known]
            told = Option(*first)._replace(beside=tuple(others))
            return max(left for left, _ in known), tuple(told)

        def is_off(one: Option) -> bool:
            return self._off(one, untouched) is not None

        if option.kind == NAME:
            is_left = self._files >= _ENOUGH and untouched.is_unnamed(option, is_off)
            return (LEFT_UNNAMED, tuple(option)) if is_left else None
        if option.kind == ANSWER:
            return (LEFT_OFF, tuple(option)) if untouched.is_seldom(option) else None
        if option.kind == INSTANCE:
            is_left = self._files > 1 and not untouched.is_made(option, is_off)
            return (LEFT_OFF, tuple(option)) if is_left else None
        if self._files > 1 and untouched.is_left(option):
            return LEFT_UNPASSED, tuple(option)
        if option.kind == PASSED:
            by_calls = untouched.by_calls
            if option not in by_calls:
                by_calls[option] = None  # what only a circle of functions hands round
                by_calls[option] = self._left_by_calls(option, untouched)
            return by_calls[option]
        if option.kind in TOLD_ELSEWHERE:
            kin = self._lineage.kin(option.of_class)
            default = self._shown(option, kin)
            is_shipped = not self._defaults.is_said(option)
            told = option._replace(default=default, is_shipped=is_shipped)
            if not default or untouched.is_turned_on(told):
                return None
            return LEFT_OR_DATA if self._defaults.may_be_data(option, kin) else LEFT_OFF, tuple(told)
        if self._in_files.has_other(option) or untouched.is_turned_on(option):
            return None
        if is_switch(option) or untouched.is_of_settings(option):
            return LEFT_OFF, tuple(option)
        is_left = option.kind == ARGUMENT and self._files > 1 and not untouched.may_be_given(option)
        return (LEFT_AT_TIMES, tuple(option)) if is_left else None

    def _left_by_calls(self, option: Option, untouched: UnpassedOptions) -> tuple[int, PlainOption] | None:
        """Return how a parameter is left for which all calls pass what shuts a branch."""
        passed = untouched.passed(option) if self._files > 1 else None
        said: list[Default] = []
        left = LEFT_UNPASSED
        for constant, options in passed or ():
            values = [constant] if constant else []
            for one in options:
                if constant and untouched.is_left(one):
                    continue
                left = LEFT_OFF
                by = option.shut_by, option.words, option.by_other_words
                told = one if constant else one._replace(shut_by=by[0], words=by[1], by_other_words=by[2])
                its = self._left_as(told, untouched)
                if its is None or its[0] != LEFT_OFF:
                    return None
                values += [] if constant else [Option(*its[1]).default]
            if not values:
                return None
            said += map(written, values)
        default = shown(option, said)
        # What is one of some words, has a default or gets an option is no data.
        is_choice = bool(option.otherwise or option.words) or MANY in option.shut_by or left == LEFT_OFF
        return (left, tuple(option._replace(default=default))) if default and is_choice else None

    def take(self, key: str, before: Passing, now: Passing, fresh: Collection[str] = ()) -> bool | None:
        """Take note of what a file says now that defines what it did before; gives whether that matters.

        Args:
            key: the file's.
            before: what it said of options.
            now: what it says.
            fresh: plain names of functions that it did not define before, and that no other file says.

        Returns:
            None if all files have to be asked anew.
        """
        if before.classes != now.classes:
            return None
        if self._defaults.changes(before.defaults, now.defaults):
            return None
        others = before.options != now.options
        if others and not self._take_options(key, before, now, fresh):
            return None
        old, new = self._passed.wanted(before.called), self._passed.wanted(now.called)
        if old == new:
            if others and (self._is_left_as_before or self._left is not None):
                left = {**self.left(), key: dict(self._its(now.options, self._untouched()))}
                self._left, self._is_left_as_before = left, False
            return others
        named = [option for name, option in _handed_on(now) if _is_wanted(option, name, self._passed.names)]
        if not self._passed.knows(self._lineage.called(functions_in(named)), _names(named)):
            return None
        # What other files pass as well, or do all the same, leaves the options as they are.
        matters = any(self._passed.decides(*one, goes=True) for one in old - new)
        matters = matters or any(self._passed.decides(*one, goes=False) for one in new - old)
        self._passed.add(before.called, -1)
        self._passed.add(now.called)
        self.is_new = True
        if matters or others:
            self._left, self._is_left_as_before = None, False
        return matters or others

    def _take_options(self, key: str, before: Passing, now: Passing, fresh: Collection[str]) -> bool:
        """Take the options that a file has now; false if more is to be asked for than what is kept.

        What says that functions are named, or asked, may be another than before, and nothing else.
        """
        old, new = ([one for one in said.options if one[0] not in _BY_NAME] for said in (before, now))
        more = [Option(*one) for one in now.options if one[0] in _BY_NAME and one not in before.options]
        names = {name for one in more for name in (one.name, *one.words)}
        unknown = {one for one in names if not self._passed.knows([one], ())}
        if old != new or not unknown.issubset(fresh) or Passed(unknown, ()).wanted(before.called):
            return False
        if not self._passed.knows([one.owner.rpartition(".")[2] for one in more if one.owner], ()):
            return False
        self._passed.know(unknown)
        self._options.table[key] = marshal.dumps(now.options)
        self.is_new = True
        return True

    def plain(self) -> Plain:
        """It as `marshal` takes it."""
        passed, lineage = self._passed, self._lineage
        of_classes = lineage.heirs, lineage.bases, lineage.inheriting
        kept = (self._options, passed.tokens, *of_classes, self._offered, self._shipped)
        left = self._before.pieces() if self._is_left_as_before and self._before else compressed(self.left())
        pieces = [one.pieces() for one in kept]
        return (*pieces, self._defaults.plain(), left, passed.names, passed.options, self._files)

    @classmethod
    def of(cls, plain: Plain) -> AskedOptions:
        """What `plain` was given of."""
        *pieces, names, option_names, files = plain
        options, tokens, heirs, bases, inheriting, offered, shipped, defaults, left = map(Kept, pieces)
        passed = Passed(names, option_names, tokens)
        lineage = Lineage(heirs, bases, inheriting)
        attributes = AttributeDefaults((), defaults)
        return cls(options, passed, lineage, offered, attributes, shipped, left, files=files)


def _is_on_at_times(option: Option) -> bool:
    """Whether something is a mode of a program, which other runs have on, or is on now and then in each."""
    return option.kind == ANSWER or any(
        not MODES.isdisjoint(words(part.name)) for part in together(option) if part.kind not in OF_DEFINITIONS
    )


class _Sought(NamedTuple):
    """What is to be known for options.

    Attributes:
        functions: the functions that these are options of, by plain names.
        names: the names of parameters and attributes.
        attributes: those of attributes whose defaults files tell.
    """

    functions: set[str]
    names: set[str]
    attributes: set[str]

    def add(self, options: Collection[Option]) -> None:
        """Ask for more options."""
        self.functions.update(functions_in(options))
        self.names.update(_names(options))
        self.attributes.update(option.name for option in options if option.kind in (ATTRIBUTE, ENTRY))


def options_asked_about(members: Mapping[str, Member], shipped: Iterable[Shipped] = ()) -> AskedOptions:
    """What is known of all options.

    Args:
        members: the files, by key. Of a file by itself nobody knows what others pass, but what is off by
            default.
        shipped: what settings files that ship with the project have for options.
    """
    options, offered = Kept(), Kept()
    sought = _Sought(set(), set(), set())
    handing: dict[Receiver, list[Option]] = {}
    lineage, offers = Lineage(), Offers()
    copies = copied(members)
    classes: dict[bool, set[str]] = {False: set(), True: set()}  # of copies, and others
    for key, member in members.items():
        passing = member.content.passing()
        lineage.add(passing.classes)
        classes[key in copies].update(cls for cls, _, _ in passing.classes if copies)
        if is_package(key) and key not in copies:
            offers.add(member.content.summary())
        if passing.options:
            options.table[key] = marshal.dumps(passing.options)
            sought.add([Option(*plain) for plain in passing.options])
        for name, option in _handed_on(passing):
            if _is_wanted(option, name, ()):
                sought.add([option])
            else:
                handing.setdefault(name, []).append(option)
    wanted = lineage.called(sought.functions)
    waiting = [*wanted]
    for name in waiting:  # it grows
        more = handing.pop(name, ())
        sought.add(more)
        functions = lineage.called(functions_in(more)) - wanted
        wanted |= functions
        waiting += functions
    del handing  # most of what is known so far
    names = {member.name.rpartition(".")[2] for member in members.values()}
    passed = Passed(wanted.union(names, BY_PATH), sought.names)
    defaults = AttributeDefaults(sought.attributes)
    said = {word.rpartition(".")[2]: None for _, kind, word in shipped if kind == WORD}
    copied_alone = tuple(sorted(classes[True] - classes[False]))
    passed.add([(int(Role.SHIPPED), tuple(said)), (int(Role.COPIED), copied_alone)])
    for member in members.values() if options.table else ():
        passing = member.content.passing()
        passed.add(passing.called)
        defaults.add(passing.defaults)
        if member.name in offers.stars:
            offers.add_all(member.content.summary())
    offered.table.update(dict.fromkeys(offers.names))
    has = Kept()
    has.table.update(asked(shipped, sought.names))
    return AskedOptions(options, passed, lineage, offered, defaults, has, files=len(members))


def _handed_on(passing: Passing) -> Iterator[tuple[Receiver, Option]]:
    """Yield the options that the calls of a file hand on, each with what they call."""
    for name, passed in passing.called:
        for one in passed:
            if not isinstance(one, str):
                for plain in one[2]:
                    yield name, Option(*plain)


def _is_wanted(option: Option, called: Receiver, names: Collection[Receiver]) -> bool:
    """Whether it has to be known what an option is that is handed on: most parameters are data."""
    return option.kind != PASSED or called in names


def _names(options: Iterable[Option]) -> set[str]:
    """Return the names of parameters or attributes that options are."""
    every = (part for option in options for part in together(option))
    return {option.name for option in every if option.kind not in OF_DEFINITIONS}
