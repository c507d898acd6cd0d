"""Options that tests of one file ask about, and what values are while these have their defaults.

Whether anybody passes something else is for the project to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.guards import guards_within
from overhead_lint.analysis.graph.option import (
    ANSWER,
    MANY,
    MANY_ROUNDS,
    TOLD_ELSEWHERE,
    UNSET,
    VALUE,
    WORD,
    Default,
    Option,
    ValueKind,
    is_switch,
    together,
)
from overhead_lint.analysis.ir.loops import range_end, range_of
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BOOLEAN,
    CALL,
    COMPARE,
    OUTER,
    PARAMETER,
    PHI,
    UNARY,
)
from overhead_lint.analysis.ir.queries import bound, uncopied
from overhead_lint.analysis.ir.records import FOR_LOOP, GUARD_BRANCH, NONE
from overhead_lint.analysis.ir.remainders import modulo_asked
from overhead_lint.analysis.options.constants import default_of, is_word
from overhead_lint.analysis.options.defaults import Defaults
from overhead_lint.analysis.options.known import MADE, Known, is_same

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from overhead_lint.analysis.ir.names import Site
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["AskedOptions"]

_PLAIN: Final[dict[Default, Any]] = {
    Default(int(ValueKind.FALSE)): False,
    Default(int(ValueKind.ZERO)): 0,
    Default(int(ValueKind.NONE)): None,
    Default(int(ValueKind.TRUE)): True,
    Default(int(ValueKind.ONE)): 1,
    Default(int(ValueKind.LESS_THAN_NONE)): -1,
}
"""Defaults that turn something off or on, with the value of each."""
_NUMBERS: Final[dict[Default, Any]] = {
    Default(int(ValueKind.ZERO)): 0,
    Default(int(ValueKind.ONE)): 1,
    Default(int(ValueKind.LESS_THAN_NONE)): -1,
    Default(MANY): MANY_ROUNDS,
}
"""Defaults that are numbers, with one of each."""
_OFF: Final = Default(int(ValueKind.FALSE))
_NO_WORD: Final = "\0"
"""Is none of the words that a test asks for."""
_ANY_DEFAULT: Final = Default(VALUE)
_OTHER_WORD: Final = Default(WORD, _NO_WORD)
_BY_CALLS: Final = frozenset({ATTRIBUTE, BOOLEAN, PARAMETER})
"""What calls tell that is handed on: a parameter, what keeps one, or a choice by one."""
_TELLING: Final = frozenset({ATTRIBUTE, BIND, BOOLEAN, COMPARE, OUTER, PARAMETER, PHI, UNARY})


class AskedOptions:
    """The options of one file's functions.

    Args:
        stored: what its methods store in attributes.
    """

    def __init__(self, stored: StoredAttributes) -> None:
        self._names = stored.names
        self._functions = stored.names.functions
        self._values = Defaults(stored)
        self._passed = Defaults(stored, by_calls=True)
        self._asked: dict[tuple[Defaults, Site], dict[Default, Known | None]] = {}
        self._known: tuple[dict[Site, tuple[Option, ...]], ...] = ({}, {})  # by the outcome asked about

    def shut(self, place: int, test: int, outcome: bool) -> tuple[Option, ...]:
        """Return the options whose defaults keep a test from having an outcome.

        Of an attribute it is said what defaults of it would do so, and of a parameter whose default does
        not what calls have to pass.
        """
        known = self._known[outcome].get((place, test))
        if known is None:
            known = self._deciding(
                place, test, lambda values: _shutting(self._tested(values, place, test), outcome)
            )
            known = self._known[outcome][place, test] = (*known, *self._answers(place, test, outcome))
        return known

    def around(self, place: int, at: int) -> Iterator[Option]:
        """Yield the options that keep an operation from running, by the tests around it."""
        flow = self._names.flow(place)
        for number in guards_within(flow, flow.block_of(at), NONE):
            guard = flow.record.guards[number]
            if guard.kind == GUARD_BRANCH:
                yield from self.shut(place, guard.condition, guard.outcome)

    def _deciding(
        self, place: int, at: int, shut: Callable[[Defaults], tuple[Option, ...]]
    ) -> tuple[Option, ...]:
        """Return what defaults of an operation shut, or else what calls do by what they pass for it."""
        found = shut(self._values)
        return found if found or not self._values.hangs_on_parameters(place, at) else shut(self._passed)

    def seldom(self, place: int, test: int, outcome: bool) -> tuple[int, tuple[Option, ...]]:
        """Return the options by whose defaults a test has an outcome once in many rounds: ``i % n == 0``.

        With them comes the operation ``%``; `NONE` where none is asked about.
        """
        record = self._functions[place]
        modulo = modulo_asked(record, test, outcome)
        if modulo == NONE:
            return NONE, ()
        every = record.extra[modulo][0]
        return modulo, self._deciding(
            place,
            every,
            lambda values: _from(_by_kind(values, place, every, numbers=_NUMBERS), MANY_ROUNDS, when=False),
        )

    def _answers(
        self, place: int, test: int, outcome: bool, within: tuple[tuple[int, int], ...] = ()
    ) -> Iterator[Option]:
        """Yield what functions have to say yes for a test to have an outcome: ``if counter.is_due():``.

        Args:
            place: the function.
            test: the value that is tested.
            outcome: what it has to be.
            within: what that is a part of; a value may be made of itself.
        """
        place, test = self._names.source(place, test)
        if (place, test) in within:
            return
        within = (*within, (place, test))
        record = self._functions[place]
        code, extra = record.code[test], record.extra[test]
        if code == UNARY and extra == "not":
            yield from self._answers(place, record.operand[test], not outcome, within)
        elif code == BOOLEAN and extra[0] == ("and" if outcome else "or"):
            for one in extra[1:]:
                yield from self._answers(place, one, outcome, within)
        elif code == CALL and outcome and self._may_be_of_project(place, record.operand[test]):
            yield Option(ANSWER, "", last_name(record, record.operand[test]))

    def _may_be_of_project(self, place: int, function: int) -> bool:
        """Whether a function that is called by a name or as a method may be one of the project."""
        record = self._functions[place]
        function = uncopied(record, function)
        if record.code[function] == ATTRIBUTE:
            return not (self._names.qualified(place, function) or "").startswith("torch.")
        return record.code[function] == OUTER and bool(self._names.bindings(place, record.extra[function]))

    def _tested(self, values: Defaults, place: int, test: int) -> dict[Default, Known | None]:
        """Return what `_by_kind` gives of a test, which is asked about both outcomes."""
        key = values, (place, test)
        known = self._asked.get(key)
        if known is None:
            known = self._asked[key] = _by_kind(values, place, test)
        return known

    def other_than(self, place: int, at: int, word: str) -> tuple[Option, ...]:
        """Return the options whose defaults keep an operation from giving a word."""
        found = _by_kind(self._values, place, at, word)
        for kind, known in found.items():
            if known is not None:
                found[kind] = known._replace(value=known.value == word) if known.value is not MADE else None
        return _shutting(found, when=True)

    def of_one_round(self, place: int, loop: int) -> tuple[Option, ...]:
        """Return the options whose defaults keep a loop at one round: ``for part in range(parts):``."""
        record = self._functions[place]
        its = record.loops[loop]
        call = range_of(record, its.value) if its.kind == FOR_LOOP else NONE
        if call == NONE or len(record.extra[call][0]) != 1:
            return ()
        asked = self._tested(self._values, place, range_end(record, call))
        return tuple([one._replace(bounds_rounds=True) for one in _from(asked, 2, when=True)])

    def all(self) -> tuple[Option, ...]:
        """Return all options that tests of the file ask about, in order."""
        found: set[Option] = set()
        for place, record in enumerate(self._functions):
            for guard in record.guards:
                if guard.kind == GUARD_BRANCH:
                    found.update(self.shut(place, guard.condition, guard.outcome))
                    found.update(self.seldom(place, guard.condition, guard.outcome)[1])
            for loop in range(len(record.loops)):
                found.update(self.of_one_round(place, loop))
        return tuple(sorted(found))

    def value(self, place: int, at: int) -> object:
        """Return the constant that an operation gives by default; None if none is known."""
        known = self._told(place, at)
        return known.value if known is not None else None

    def by_default(self, place: int, at: int) -> Default | None:
        """Return what an operation gives while options have their defaults; None if they do not say it.

        It is `UNSET` where no data is handed over in the place of None.
        """
        known = self._told(place, at)
        if known is None or not known.options:
            return None
        if known.value is None and all(map(is_switch, known.options)):
            return Default(UNSET)
        return default_of(known.value)

    def passed_through(self, place: int, at: int) -> tuple[str, tuple[Option, ...]]:
        """Return what an argument is while options that it hangs on have their defaults, with these.

        The constant is as Python writes it, "" where it is not known: with an option it is what that is, an
        attribute whose default the project may tell.
        """
        record = self._functions[place]
        if record.code[uncopied(record, at)] not in _TELLING:
            return "", ()
        known = self._told(place, at)
        if known is not None:
            return repr(known.value), tuple(sorted(known.options))
        found = _handed_on(self._values, place, at) if self._values.assumes else None
        is_for_calls = self._values.hangs_on_parameters(place, at)
        if found is None and is_for_calls and record.code[bound(record, at)] in _BY_CALLS:
            found = _handed_on(self._passed, place, at)
        return found or ("", ())

    def hands_on(self, place: int, at: int, name: str) -> bool:
        """Whether an operation is off where an attribute of a name is: ``bool(args.amp)``."""
        self._values.assumed = False
        known = self._values.of(place, at)
        return (
            known is not None
            and not known.value
            and {name} == {one.name for one in known.options if one.kind in TOLD_ELSEWHERE}
        )

    def is_never(self, place: int, test: int, outcome: bool) -> bool:
        """Whether a test has another outcome whatever options are."""
        known = self._told(place, test)
        return known is not None and not known.options and bool(known.value) is not outcome

    def _told(self, place: int, at: int) -> Known | None:
        """Return what this file says that an operation gives by default, if it does so alone."""
        self._values.assumes = False
        known = self._values.of(place, at)
        return known if known is not None and not self._values.assumes and known.value is not MADE else None


def _handed_on(values: Defaults, place: int, at: int) -> tuple[str, tuple[Option, ...]] | None:
    """Return what an argument is while options of elsewhere are off: ``Scaler() if args.amp else None``.

    The constant is "" for an option itself. None where nothing tells.
    """
    asked = _by_kind(values, place, at)
    known = asked.get(_OFF)
    if known is None or known.value is MADE or not known.options:
        return None
    options = sorted(known.options)
    if len(options) == 1 and all(
        one is not None and is_same(one.value, _PLAIN.get(kind, kind.word)) for kind, one in asked.items()
    ):
        return "", (options[0],)
    its = [kind for kind, one in asked.items() if one is not None and is_same(one.value, known.value)]
    return repr(known.value), tuple([_shut_by(one, its, asked) for one in options])


def _by_kind(
    values: Defaults, place: int, test: int, *words: str, numbers: Mapping[Default, Any] = _PLAIN
) -> dict[Default, Known | None]:
    """What an operation gives while options have their defaults, for each kind of what attributes may be.

    Args:
        values: the file's values.
        place: its function.
        test: the operation.
        words: what it is compared with.
        numbers: what attributes may be that are no words.
    """
    values.assumed, values.assumes, values.words = False, False, {}
    known = values.of(place, test)
    if not values.assumes:
        return {_ANY_DEFAULT: known} if known is not None else {}
    values.words.update(dict.fromkeys(filter(is_word, words)))
    assumed = {**numbers}
    if values.words:
        assumed[_OTHER_WORD] = _NO_WORD
        assumed.update((Default(WORD, word), word) for word in values.words)
    found = {}
    for kind, values.assumed in assumed.items():
        found[kind] = values.of(place, test)
    return found


def _from(asked: Mapping[Default, Known | None], least: int, when: bool) -> tuple[Option, ...]:
    """The options that keep a number from being at least so much, or less, by what it is for defaults."""
    reached = {
        kind: known._replace(value=known.value >= least)
        if known is not None and _is_number(known.value)
        else None
        for kind, known in asked.items()
    }
    return _shutting(reached, when)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shutting(asked: Mapping[Default, Known | None], when: bool) -> tuple[Option, ...]:
    """The options whose defaults keep a test from being `when`, by what it is for kinds of defaults."""
    kinds: dict[Option, list[Default]] = {}
    for kind, known in asked.items():
        if known is not None and bool(known.value) is not when:
            for option in _groups(known):
                kinds.setdefault(option, []).append(kind)
    found = []
    for option, its in kinds.items():
        if any(one.kind in TOLD_ELSEWHERE for one in together(option)):
            first, *others = [_shut_by(one, its, asked) for one in together(option)]
            found.append(first._replace(beside=tuple(map(tuple, others))))
        elif len(its) == len(asked):  # whatever the attributes are
            found.append(option)
    return tuple(sorted(found))


def _groups(known: Known) -> Collection[Option]:
    """Return what keeps something as it is: any of some options, or one with all those beside it."""
    if not known.is_joint:
        return known.options
    first, *others = sorted(known.options)
    return (first._replace(beside=tuple(map(tuple, others))),)


def _shut_by(option: Option, defaults: Collection[Default], asked: Iterable[Default]) -> Option:
    """Return an option with what shuts a branch, if its default is told elsewhere.

    Args:
        option: it.
        defaults: those that do so.
        asked: all that were tried.
    """
    if option.kind not in TOLD_ELSEWHERE:
        return option
    plain = tuple([default.kind for default in defaults if default.kind != WORD])
    is_by_others = _OTHER_WORD in defaults
    words = [one for one in asked if one.kind == WORD and one != _OTHER_WORD]
    named = tuple([one.word for one in words if (one in defaults) is not is_by_others])
    return option._replace(shut_by=plain, words=named, by_other_words=is_by_others)
