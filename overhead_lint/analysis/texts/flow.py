"""Where texts go: which objects a function gives back the text of, and which it looks something up by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BIND,
    BUILD,
    CALL,
    CONSTANT,
    COPY,
    FORMAT,
    ITEM,
    PARAMETER,
    PHI,
)
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.records import NONE, line_of
from overhead_lint.analysis.texts.classes import formatted_among, formatted_classes, named_by
from overhead_lint.analysis.texts.lookups import is_lookup, looked_up_by
from overhead_lint.analysis.texts.operations import (
    CACHES,
    DIGESTS,
    DUMPS,
    STR,
    apis_of,
    is_by_repr,
    makes_texts,
    shows_whole,
)
from overhead_lint.analysis.texts.parts import (
    HELD,
    NOTHING,
    Key,
    KeyArgument,
    Part,
    Shown,
    ShownPlace,
    TextSummary,
)
from overhead_lint.analysis.values.classes import is_of_others
from overhead_lint.analysis.values.elsewhere import elsewhere_among
from overhead_lint.analysis.values.handed import handed_to
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol, Instance

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.handed import Given
    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["TextFlow", "may_be_of_others"]

_FIELDS: Final = frozenset({"builtins.vars", "dataclasses.asdict", "dataclasses.astuple"})
_OF_TEXTS: Final = frozenset({"digest", "encode", "hexdigest", "lower", "strip", "upper"})
"""Methods of texts, and of what is made of them, that give these in another form."""
_ORDERED: Final = frozenset({"list", "tuple"})
_PLAIN_DECORATORS: Final = frozenset(
    {"abc.abstractmethod", "abc.abstractproperty", "builtins.classmethod", "builtins.property"}
    | {"builtins.staticmethod", "typing.final", "typing.override", "typing_extensions.override"}
)
_KEEPERS: Final = frozenset({ATTRIBUTE, ITEM})
_DEEPEST: Final = 4
"""Through so many functions that call one another texts are followed."""


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
                return NOTHING
            self._summaries[function] = NOTHING  # for a cycle
            found = self._summaries[function] = self._summarized(function, depth)
        return found

    def _summarized(self, function: FunctionSymbol, depth: int) -> TextSummary:
        body, record = function.body, function.body.record
        decorators = _decorators(function)
        if not CACHES.isdisjoint(decorators):
            line = line_of(record.place)
            return NOTHING._replace(keys=tuple((place, line) for place in range(len(record.parameters))))
        found = NOTHING
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
        return NOTHING._replace(
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

    def _keys(self, body: Body, depth: int) -> Iterator[Key]:
        """Yield what a function looks something up by, or gives to others that do so."""
        record = body.record
        for at, code in enumerate(record.code):
            line = line_of(record.places[at])
            yield from (Key(one, line) for one in looked_up_by(record, at))
            if code == CALL:
                given = self.key_arguments(body, at, depth)
                yield from (Key(one.value, line, one.shown) for one in given)

    def key_arguments(self, body: Body, at: int, depth: int = 0) -> Iterator[KeyArgument]:
        """Yield what a call gives to functions of the project that look something up by it."""
        helpers = handed_to(self._values, body, at)
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
        waiting = [Part(at)]
        seen: set[Part] = set()
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
                    waiting.append(Part(one.value, made, number, by_repr or one.by_repr) if is_part else one)
        return parts, list(texts)

    def _within(self, body: Body, part: Part, depth: int) -> Sequence[Part | Shown] | None:
        """Return what a value is made of: operations, each with the one that makes its text, if one does.

        None if it is a thing of its own.
        """
        record, at, is_text = body.record, part.value, part.made != NONE
        code, extra = record.code[at], record.extra[at]
        if code in (BIND, COPY):
            return [Part(record.operand[at])]
        if is_text and formatted_classes(body, at, by_repr=part.by_repr):
            return None
        if code == PHI:
            return _joined(record, at)
        if code == BUILD:
            return [Part(one, by_repr=is_text) for one in extra[1:]] if extra[0] in _ORDERED else None
        if code == FORMAT:
            return [
                Part(one, at, number, is_by_repr(body, at, number)) for number, one in enumerate(extra[0])
            ]
        if code == BINARY and not is_text:
            template = _constant(record, record.operand[at])
            if extra[1] == "%" and isinstance(template, str):
                return _filled_in(record, at, template)
            return [Part(record.operand[at]), Part(extra[0])]
        if code == CALL:
            return self._of_call(body, at, is_text=is_text, depth=depth)
        if code == ATTRIBUTE:
            return self._given_on(body, at, depth)
        return None

    def _of_call(self, body: Body, at: int, *, is_text: bool, depth: int) -> Sequence[Part | Shown] | None:
        record = body.record
        given, names = record.extra[at]
        function = record.operand[at]
        apis = apis_of(body, function)
        if is_text and given and not apis.isdisjoint(_FIELDS):
            return [Part(given[0], by_repr=True)]
        if makes_texts(body, at) or (given and not apis.isdisjoint(DUMPS)):
            return [Part(given[0], at, 0, STR not in apis)]
        if any(one.startswith(DIGESTS) for one in apis):
            return [Part(one) for one in given]
        if record.code[function] == ATTRIBUTE:
            owner, method = record.operand[function], record.extra[function]
            if method in _OF_TEXTS:
                return [Part(owner)]
            text = _constant(record, owner)
            if isinstance(text, str) and method == "join":
                return [Part(one) for one in given]
            if isinstance(text, str) and method == "format" and not names and shows_whole(text):
                return [Part(one, at, number, "!r" in text) for number, one in enumerate(given)]
        return self._given_on(body, at, depth)

    def _is_of_others(self, body: Body, at: int) -> bool:
        """Whether functions of other files make a text that an operation gives."""
        helpers = handed_to(self._values, body, at) if body.record.code[at] in (ATTRIBUTE, CALL) else ()
        return any(one.body.module is not body.module for one, _ in helpers)

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

    def _given_on(self, body: Body, at: int, depth: int) -> Sequence[Part | Shown] | None:
        """Return what functions of the project give back of what an operation gives them."""
        helpers = handed_to(self._values, body, at)
        if not helpers:
            return None
        found = [self.summary(function, depth + 1) for function, _ in helpers]
        arguments = [one for _, one in helpers]
        within: list[Part | Shown] = []
        for given in arguments[0].values():
            if _all_among(given, arguments, [one.passed for one in found]):
                within.append(Part(given.value))
            within += [
                Part(given.value, at, given.number, by_repr)
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
    given: Given, arguments: Sequence[Mapping[int, Given]], places: Sequence[Collection[int]]
) -> bool:
    """Whether each of some functions gets something for one of its parameters among some."""
    return all(
        any(its.get(place) == given for place in among) for its, among in zip(arguments, places, strict=True)
    )


def _shown_alike(shown: Iterable[ShownPlace], by_repr: bool) -> list[int]:
    """Return the places of those parameters that are shown themselves by ``repr``, or by ``str``."""
    return [one.place for one in shown if one.by_repr == by_repr and not one.attributes]


def _filled_in(record: FunctionIR, at: int, template: str) -> list[Part]:
    """Return what a text shows that ``%`` fills in."""
    shown = record.extra[at][0]
    values: tuple[int, ...] = (shown,)
    if record.code[shown] == BUILD and record.extra[shown][0] == "tuple":
        values = record.extra[shown][1:]
    return [Part(one, at, 0, "%r" in template) for one in values]


def _joined(record: FunctionIR, at: int) -> list[Part] | None:
    """Return what meets in a phi; None where one of that may be a text that is kept, and made only once."""
    for one in record.extra[at]:
        value = bound(record, one) if one >= 0 else NONE
        is_kept = value >= 0 and (
            record.code[value] in _KEEPERS or (record.code[value] == CALL and is_lookup(record, value))
        )
        if is_kept:
            return []
    return [Part(one) for one in record.extra[at]]


def _constant(record: FunctionIR, at: int) -> object:
    return record.extra[at] if at >= 0 and record.code[at] == CONSTANT else None
