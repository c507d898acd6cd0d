"""Where texts go: which objects a function gives back the text of, and which it looks something up by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BIND,
    BUILD,
    CALL,
    COMPARE,
    CONSTANT,
    COPY,
    DELETE_ITEM,
    FORMAT,
    ITEM,
    PARAMETER,
    PHI,
    SET_ITEM,
    STAR,
)
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.records import NONE, line_of
from overhead_lint.analysis.text_classes import formatted_among, formatted_classes, named_by
from overhead_lint.analysis.text_operations import STR, apis_of, is_by_repr, makes_texts, shows_whole
from overhead_lint.analysis.values.classes import is_of_others
from overhead_lint.analysis.values.elsewhere import elsewhere_among
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, FunctionSymbol, Instance
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = [
    "HELD",
    "RECEIVER",
    "KeyArgument",
    "Shown",
    "ShownPlace",
    "TextFlow",
    "TextSummary",
    "may_be_of_others",
]

RECEIVER: Final = -1
"""In the place of an argument's number: what a method is called on."""
HELD: Final = -2
"""In the place of an argument's number: what a function does not get from its caller."""
_DUMPS: Final = frozenset({"json.dumps", "pickle.dumps", "yaml.dump", "yaml.safe_dump"})
_FIELDS: Final = frozenset({"builtins.vars", "dataclasses.asdict", "dataclasses.astuple"})
_DIGESTS: Final = "hashlib."
_OF_TEXTS: Final = frozenset({"digest", "encode", "hexdigest", "lower", "strip", "upper"})
"""Methods of texts, and of what is made of them, that give these in another form."""
_LOOKUPS: Final = frozenset({"get", "pop", "setdefault"})
_COMPARED: Final = frozenset({"==", "!=", "in", "not in"})
_ORDERED: Final = frozenset({"list", "tuple"})
_CACHES: Final = frozenset({"functools.cache", "functools.lru_cache"})
_PLAIN_DECORATORS: Final = frozenset(
    {"abc.abstractmethod", "abc.abstractproperty", "builtins.classmethod", "builtins.property"}
    | {"builtins.staticmethod", "typing.final", "typing.override", "typing_extensions.override"}
)
_KEEPERS: Final = frozenset({ATTRIBUTE, ITEM})
_DEEPEST: Final = 4
"""Through so many functions that call one another texts are followed."""


class Shown(NamedTuple):
    """An object whose text an operation of a function makes, or has made.

    Attributes:
        at: the operation.
        number: which of the values that it shows, or which argument of the helper that it calls.
        value: the operation that gives the object; `NONE` where a helper has it from elsewhere.
        by_repr: whether the text is that of ``repr``; else ``str`` makes it.
        classes: what it may be, where a helper has it from elsewhere; none if only other files know.
    """

    at: int
    number: int
    value: int
    by_repr: bool
    classes: tuple[ClassSymbol, ...] = ()


class ShownPlace(NamedTuple):
    """A parameter that a function makes a text of.

    Attributes:
        place: its place.
        by_repr: whether the text is that of ``repr``.
        attributes: the way to what is shown of it; none if it is shown itself.
    """

    place: int
    by_repr: bool
    attributes: tuple[str, ...] = ()


class TextSummary(NamedTuple):
    """What callers need to know of a function.

    Attributes:
        passed: the places of parameters that it gives back as they are, alone or as a part.
        shown: the places of those whose text it gives back.
        classes: those of objects whose text it gives back and that no caller gives it.
        keys: the places of parameters that it looks something up by, each with the line.
        shown_keys: the places of those whose text it looks something up by, each with the line.
        made_keys: the places of those of them whose text its file makes.
        is_open: whether it gives back a text of something that other files know more of.
    """

    passed: frozenset[int] = frozenset()
    shown: frozenset[ShownPlace] = frozenset()
    classes: tuple[ClassSymbol, ...] = ()
    keys: tuple[tuple[int, int], ...] = ()
    shown_keys: tuple[tuple[ShownPlace, int], ...] = ()
    made_keys: frozenset[int] = frozenset()
    is_open: bool = False


class KeyArgument(NamedTuple):
    """What a call gives to a function of the project that looks something up by it.

    Attributes:
        value: the operation that gives it.
        number: which of the arguments it is.
        shown: how the function makes a text of it for that; None if it is the key, or a part of that.
        function: the function.
        line: where that does so.
        parameter: what the function calls it; "" where its file does not make the text.
    """

    value: int
    number: int
    shown: ShownPlace | None
    function: FunctionSymbol
    line: int
    parameter: str = ""


class _Key(NamedTuple):
    """What a function looks something up by.

    Attributes:
        value: the operation that gives it.
        line: where that is.
        shown: how another function makes a text of it, which is the key; None if it is the key itself.
    """

    value: int
    line: int
    shown: ShownPlace | None = None


class _Given(NamedTuple):
    """What a parameter is given: an operation, and which of the arguments it is."""

    value: int
    number: int


class _Part(NamedTuple):
    """What a value is made of: an operation, and the one that makes its text with the place among its values.

    Attributes:
        value: the operation.
        made: the one that makes the text; `NONE` if the value itself is a part.
        number: which of the values that one shows.
        by_repr: whether it shows what ``repr`` gives.
    """

    value: int
    made: int = NONE
    number: int = 0
    by_repr: bool = False


_NOTHING: Final = TextSummary()


class TextFlow:
    """Follows texts through functions, in all files that are solved together.

    Args:
        values: what is known of their values.
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        self._summaries: dict[FunctionSymbol, TextSummary] = {}

    def summary(self, function: FunctionSymbol, depth: int = 0) -> TextSummary:
        """Return what callers need to know of a function, which others call through `depth` more."""
        found = self._summaries.get(function)
        if found is None:
            if depth > _DEEPEST:
                return _NOTHING
            self._summaries[function] = _NOTHING  # for a cycle
            found = self._summaries[function] = self._summarized(function, depth)
        return found

    def _summarized(self, function: FunctionSymbol, depth: int) -> TextSummary:
        body, record = function.body, function.body.record
        decorators = _decorators(function)
        if not _CACHES.isdisjoint(decorators):
            line = line_of(record.place)
            return _NOTHING._replace(keys=tuple((place, line) for place in range(len(record.parameters))))
        found = _NOTHING
        if _PLAIN_DECORATORS.issuperset(decorators) and not record.is_generator:
            found = self._given_back(body, depth)
        keys: dict[int, int] = {}
        shown_keys: dict[ShownPlace, int] = {}
        made_keys: set[int] = set()
        # Of a parameter the line where the function itself makes the text is told before others.
        for key in sorted(self._keys(body, depth), key=lambda one: one.shown is not None):
            parts = set[int]()
            if key.shown is not None:
                shown = [(key.value, key.shown.by_repr)]
            else:
                parts, texts = self._traced(body, key.value, depth)
                shown = [(one.value, one.by_repr) for one in texts]
                made = [(one.value, one.by_repr) for one in texts if not self._is_of_others(body, one.at)]
                made_keys.update(one.place for one in _parameters(body, made))
            keys = dict.fromkeys(parts, key.line) | keys
            shown_keys = dict.fromkeys(_parameters(body, shown), key.line) | shown_keys
        return found._replace(
            keys=tuple(sorted(keys.items())),
            shown_keys=tuple(sorted(shown_keys.items())),
            made_keys=frozenset(made_keys),
        )

    def _given_back(self, body: Body, depth: int) -> TextSummary:
        record = body.record
        passed: set[int] = set()
        shown: set[ShownPlace] = set()
        classes: dict[ClassSymbol, None] = {}
        is_open = False
        for end in record.returned:
            parts, texts = self._traced(body, record.operand[end], depth)
            passed |= parts
            for one in texts:
                place = _shown_place(body, one)
                if place is not None:
                    shown.add(place)
                    continue
                classes |= dict.fromkeys(self.classes(body, one))
                is_open = is_open or _is_open(body, one)
        return _NOTHING._replace(
            passed=frozenset(passed), shown=frozenset(shown), classes=tuple(classes), is_open=is_open
        )

    def texts(self, body: Body, at: int) -> list[Shown]:
        """Return the objects whose texts are part of the value of an operation, alone or in a tuple."""
        return self._traced(body, at, 0)[1]

    def may_be_formatted(self, body: Body, at: int) -> bool:
        """Whether texts in the value of an operation may show fields, for all that this file knows."""
        return any(self.classes(body, one) or _is_open(body, one) for one in self.texts(body, at))

    @staticmethod
    def classes(body: Body, shown: Shown) -> tuple[ClassSymbol, ...]:
        """Return what an object that is shown may be, of classes whose text formats their fields."""
        if shown.value == NONE:
            return shown.classes
        return formatted_classes(body, shown.value, by_repr=shown.by_repr)

    def _keys(self, body: Body, depth: int) -> Iterator[_Key]:
        """Yield what a function looks something up by, or gives to others that do so."""
        record = body.record
        for at, code in enumerate(record.code):
            extra = record.extra[at]
            line = line_of(record.places[at])
            if code in (ITEM, DELETE_ITEM):
                yield _Key(extra, line)
            elif code == SET_ITEM:
                yield _Key(extra[0], line)
            elif code == COMPARE:
                yield from (_Key(one, line) for one in _compared(record, at))
            elif code == CALL:
                if _is_lookup(record, at):
                    yield _Key(extra[0][0], line)
                given = self.key_arguments(body, at, depth)
                yield from (_Key(one.value, line, one.shown) for one in given)

    def key_arguments(self, body: Body, at: int, depth: int = 0) -> Iterator[KeyArgument]:
        """Yield what a call gives to functions of the project that look something up by it."""
        helpers = self.helpers(body, at)
        if not helpers:
            return
        found = [self.summary(function, depth + 1) for function, _ in helpers]
        function, arguments = helpers[0]
        given_to = [its for _, its in helpers]
        for place, line in found[0].keys:
            given = arguments.get(place)
            if given is not None and _all_among(given, given_to, [dict(one.keys) for one in found]):
                yield KeyArgument(given.value, given.number, None, function, line)
        for shown, line in found[0].shown_keys:
            given = arguments.get(shown.place)
            places = [_shown_alike(dict(one.shown_keys), shown.by_repr) for one in found]
            if given is not None and _all_among(given, given_to, places):
                is_made = shown.place in found[0].made_keys
                parameter = function.body.record.parameters[shown.place].name if is_made else ""
                yield KeyArgument(given.value, given.number, shown, function, line, parameter)

    def _traced(self, body: Body, at: int, depth: int) -> tuple[set[int], list[Shown]]:
        """Return the places of the parameters that are part of a value as they are, and the texts in it."""
        record = body.record
        parts: set[int] = set()
        texts: dict[Shown, None] = {}
        waiting = [_Part(at)]
        seen: set[_Part] = set()
        for state in waiting:
            if state.value < 0 or state in seen:
                continue
            seen.add(state)
            value, made, number, by_repr = state
            within = self._within(body, state, depth)
            if within is None:
                if made != NONE:
                    texts[Shown(made, number, value, by_repr)] = None
                elif record.code[value] == PARAMETER:
                    parts.add(record.operand[value])
                continue
            for one in within:
                if isinstance(one, Shown):
                    texts[one] = None
                else:
                    is_part = made != NONE and one.made == NONE
                    waiting.append(_Part(one.value, made, number, by_repr or one.by_repr) if is_part else one)
        return parts, list(texts)

    def _within(self, body: Body, part: _Part, depth: int) -> Sequence[_Part | Shown] | None:
        """Return what a value is made of: operations, each with the one that makes its text, if one does.

        None if it is a thing of its own.
        """
        record, at, is_text = body.record, part.value, part.made != NONE
        code, extra = record.code[at], record.extra[at]
        if code in (BIND, COPY):
            return [_Part(record.operand[at])]
        if is_text and formatted_classes(body, at, by_repr=part.by_repr):
            return None
        if code == PHI:
            return _joined(record, at)
        if code == BUILD:
            return [_Part(one, by_repr=is_text) for one in extra[1:]] if extra[0] in _ORDERED else None
        if code == FORMAT:
            return [
                _Part(one, at, number, is_by_repr(body, at, number)) for number, one in enumerate(extra[0])
            ]
        if code == BINARY and not is_text:
            template = _constant(record, record.operand[at])
            if extra[1] == "%" and isinstance(template, str):
                return _filled_in(record, at, template)
            return [_Part(record.operand[at]), _Part(extra[0])]
        if code == CALL:
            return self._of_call(body, at, is_text=is_text, depth=depth)
        if code == ATTRIBUTE:
            return self._given_on(body, at, depth)
        return None

    def _of_call(self, body: Body, at: int, *, is_text: bool, depth: int) -> Sequence[_Part | Shown] | None:
        record = body.record
        given, names = record.extra[at]
        function = record.operand[at]
        apis = apis_of(body, function)
        if is_text and given and not apis.isdisjoint(_FIELDS):
            return [_Part(given[0], by_repr=True)]
        if makes_texts(body, at) or (given and not apis.isdisjoint(_DUMPS)):
            return [_Part(given[0], at, 0, STR not in apis)]
        if any(one.startswith(_DIGESTS) for one in apis):
            return [_Part(one) for one in given]
        if record.code[function] == ATTRIBUTE:
            owner, method = record.operand[function], record.extra[function]
            if method in _OF_TEXTS:
                return [_Part(owner)]
            text = _constant(record, owner)
            if isinstance(text, str) and method == "join":
                return [_Part(one) for one in given]
            if isinstance(text, str) and method == "format" and not names and shows_whole(text):
                return [_Part(one, at, number, "!r" in text) for number, one in enumerate(given)]
        return self._given_on(body, at, depth)

    def _is_of_others(self, body: Body, at: int) -> bool:
        """Whether functions of other files make a text that an operation gives."""
        helpers = self.helpers(body, at) if body.record.code[at] in (ATTRIBUTE, CALL) else ()
        return any(one.body.module is not body.module for one, _ in helpers)

    def helpers(self, body: Body, at: int) -> list[tuple[FunctionSymbol, Mapping[int, _Given]]]:
        """Return the functions of the project that a call or a property runs, with what these are given.

        None where it may run anything else.
        """
        record = body.record
        if record.code[at] == ATTRIBUTE:
            receiver = {0: _Given(record.operand[at], RECEIVER)}
            return [(one, receiver) for one in self._values.properties(body, at)]
        given, names = record.extra[at]
        if "" in names or any(record.code[one] == STAR for one in given):
            return []
        function = record.operand[at]
        found: list[tuple[FunctionSymbol, Mapping[int, _Given]]] = []
        for one in body.values[function].references:
            if not isinstance(one, (FunctionSymbol, Bound)):
                return []
            arguments: dict[int, _Given] = {}
            runs, skipped = (one.function, 1) if isinstance(one, Bound) else (one, 0)
            if skipped and record.code[function] == ATTRIBUTE and not runs.of_class:
                arguments[0] = _Given(record.operand[function], RECEIVER)
            for number, value in enumerate(given):
                named = number - (len(given) - len(names))
                place = _parameter(runs, number + skipped, names[named] if named >= 0 else None)
                if place >= 0:
                    arguments[place] = _Given(value, number)
            found.append((runs, arguments))
        return found

    def _held_classes(self, holder: Value, shown: ShownPlace) -> tuple[ClassSymbol, ...]:
        """Return the classes of what is shown of an object, if a text of each formats its fields."""
        references = holder.references
        for name in shown.attributes:
            classes = [one.cls for one in references if isinstance(one, Instance)]
            if len(classes) < len(references):
                return ()
            held = [self._values.attribute(cls, name) for cls in classes if isinstance(cls, ClassSymbol)]
            references = tuple(one for value in held for one in value.references)
        return formatted_among(references, by_repr=shown.by_repr)

    def _given_on(self, body: Body, at: int, depth: int) -> Sequence[_Part | Shown] | None:
        """Return what functions of the project give back of what an operation gives them."""
        helpers = self.helpers(body, at)
        if not helpers:
            return None
        found = [self.summary(function, depth + 1) for function, _ in helpers]
        arguments = [one for _, one in helpers]
        within: list[_Part | Shown] = []
        for given in arguments[0].values():
            if _all_among(given, arguments, [one.passed for one in found]):
                within.append(_Part(given.value))
            within += [
                _Part(given.value, at, given.number, by_repr)
                for by_repr in (False, True)
                if _all_among(given, arguments, [_shown_alike(one.shown, by_repr) for one in found])
            ]
            within += [
                Shown(at, HELD, NONE, one.by_repr, held)
                for one in sorted(frozenset.intersection(*(each.shown for each in found)))
                if one.attributes and arguments[0].get(one.place) == given
                if (held := self._held_classes(body.values[given.value], one))
            ]
        if all(one.classes for one in found):
            classes = dict.fromkeys(cls for one in found for cls in one.classes)
            within.append(Shown(at, HELD, NONE, by_repr=False, classes=tuple(classes)))
        elif any(one.is_open for one in found):
            within.append(Shown(at, HELD, NONE, by_repr=False))
        return within


def _shown_place(body: Body, shown: Shown) -> ShownPlace | None:
    """Return the parameter that is shown, itself or a part that only callers know; None for others."""
    record, at = body.record, shown.value
    attributes: tuple[str, ...] = ()
    while at >= 0 and record.code[at] == ATTRIBUTE:
        attributes = (record.extra[at], *attributes)
        at = bound(record, record.operand[at])
    if at < 0 or record.code[at] != PARAMETER:
        return None
    place = record.operand[at]
    is_known = _is_receiver(body, place) or record.parameters[place].annotation is not None
    return None if attributes and is_known else ShownPlace(place, shown.by_repr, attributes)


def may_be_of_others(value: Value) -> bool:
    """Whether a value may be an object of a class that another file defines."""
    return is_of_others(value) or any(
        isinstance(one, Instance) and isinstance(one.cls, Api) and elsewhere_among(one.cls.value)
        for one in value.references
    )


def _is_open(body: Body, shown: Shown) -> bool:
    """Whether other files know more of an object that is shown."""
    if shown.value == NONE:
        return not shown.classes
    return may_be_of_others(body.values[shown.value])


def _decorators(function: FunctionSymbol) -> set[str]:
    """Return what decorates a function, by the names of libraries; "" for anything else."""
    around = function.body.parent
    found: set[str] = set()
    for at in function.body.record.decorators if around is not None else ():
        assert around is not None
        names = {one.path for one in named_by(around, at) if isinstance(one, Api)}
        found |= names or {""}
    return found


def _parameter(function: FunctionSymbol, place: int, name: str | None) -> int:
    """Return the place of the parameter that is given something, by place or by name; -1 for none."""
    parameters = function.body.record.parameters
    if name is None:
        return place if place < len(parameters) and parameters[place].kind not in ("*", "**", "=") else -1
    return next((at for at, one in enumerate(parameters) if one.name == name), -1)


def _parameters(body: Body, values: Iterable[tuple[int, bool]]) -> list[ShownPlace]:
    """Return the parameters among values whose class only callers tell; values with how they are shown."""
    record = body.record
    found = []
    for value, by_repr in values:
        named = bound(record, value) if value >= 0 else NONE
        if named >= 0 and record.code[named] == PARAMETER:
            place = record.operand[named]
            is_known = record.parameters[place].annotation is not None and formatted_classes(
                body, named, by_repr=by_repr
            )
            if not is_known and not _is_receiver(body, place):
                found.append(ShownPlace(place, by_repr))
    return found


def _is_receiver(body: Body, place: int) -> bool:
    """Whether a parameter is what its method is called on: of that the method knows the class."""
    symbol = body.symbol if place == 0 else None
    return isinstance(symbol, FunctionSymbol) and symbol.cls is not None and not symbol.is_static


def _all_among(
    given: _Given, arguments: Sequence[Mapping[int, _Given]], places: Sequence[Collection[int]]
) -> bool:
    """Whether each of some functions gets something for one of its parameters among some."""
    return all(
        any(its.get(place) == given for place in among) for its, among in zip(arguments, places, strict=True)
    )


def _shown_alike(shown: Iterable[ShownPlace], by_repr: bool) -> list[int]:
    """Return the places of those parameters that are shown themselves by ``repr``, or by ``str``."""
    return [one.place for one in shown if one.by_repr == by_repr and not one.attributes]


def _filled_in(record: FunctionIR, at: int, template: str) -> list[_Part]:
    """Return what a text shows that ``%`` fills in."""
    shown = record.extra[at][0]
    values = (shown,)
    if record.code[shown] == BUILD and record.extra[shown][0] == "tuple":
        values = record.extra[shown][1:]
    return [_Part(one, at, 0, "%r" in template) for one in values]


def _joined(record: FunctionIR, at: int) -> list[_Part] | None:
    """Return what meets in a phi; None where one of that may be a text that is kept, and made only once."""
    for one in record.extra[at]:
        value = bound(record, one) if one >= 0 else NONE
        is_kept = value >= 0 and (
            record.code[value] in _KEEPERS or (record.code[value] == CALL and _is_lookup(record, value))
        )
        if is_kept:
            return []
    return [_Part(one) for one in record.extra[at]]


def _compared(record: FunctionIR, at: int) -> Sequence[int]:
    """Return the sides of a comparison that something is sought or told apart by."""
    others, operators = record.extra[at]
    if len(others) != 1 or operators[0] not in _COMPARED:
        return ()
    left, right = record.operand[at], others[0]
    if operators[0] in ("in", "not in"):
        return (left,) if record.code[right] not in (CONSTANT, FORMAT) else ()
    return () if CONSTANT in (record.code[left], record.code[right]) else (left, right)


def _is_lookup(record: FunctionIR, at: int) -> bool:
    """Whether a call looks up its first argument in a mapping, or makes it a member of a set."""
    function = record.operand[at]
    if record.code[function] != ATTRIBUTE or not record.extra[at][0]:
        return False
    return record.extra[function] in _LOOKUPS


def _constant(record: FunctionIR, at: int) -> object:
    return record.extra[at] if at >= 0 and record.code[at] == CONSTANT else None
