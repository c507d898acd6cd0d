"""Which objects a file makes texts of, and whether these are formatted anew each time."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from overhead_lint.analysis.file_questions import CLASSES, About, Question
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, FORMAT
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.texts.classes import formatted_classes, is_formatted
from overhead_lint.analysis.texts.flow import TextFlow, may_be_of_others
from overhead_lint.analysis.texts.operations import is_by_repr, makes_texts
from overhead_lint.analysis.texts.parts import HELD
from overhead_lint.analysis.values.classes import is_of_others
from overhead_lint.analysis.values.elsewhere import CALLED, Elsewhere, elsewhere_among
from overhead_lint.analysis.values.handed import handed_to, run_by
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol, Instance
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["FormattedObject", "asked_of_helpers", "asked_of_others", "formatted_objects", "text_makers"]


class FormattedObject(NamedTuple):
    """An object that a place makes a text of.

    Attributes:
        body: where the place stands.
        at: the operation that makes the text.
        number: which of the values that it shows; of a helper's call which argument, or `RECEIVER`, or
            `HELD`.
        classes: what the object may be, of classes whose text formats their fields each time.
        by_repr: whether the text is surely that of ``repr``.
        is_given: whether the place calls a function of another file, which makes a text of what it is given
            there, or holds, and gives it back.
        call: the call of a function of another file that looks something up by the text; `NONE` if none does.
        keyed: that function, if there is one.
        line: where that does so.
        parameter: what it calls the object, if its file makes the text; else "".
    """

    body: Body
    at: int
    number: int
    classes: tuple[ClassSymbol, ...]
    by_repr: bool
    is_given: bool = False
    call: int = NONE
    keyed: FunctionSymbol | None = None
    line: int = 0
    parameter: str = ""


def formatted_objects(values: Values, module: str) -> Iterator[FormattedObject]:
    """Yield the objects of which a file makes texts, where all that they may be is formatted each time."""
    flow = TextFlow(values)
    for body in values.bodies():
        if body.module.name != module:
            continue
        record = body.record
        for at, code in enumerate(record.code):
            for number, one in enumerate(record.extra[at][0] if _is_text(body, at) else ()):
                by_repr = is_by_repr(body, at, number)
                classes = formatted_classes(body, one, by_repr=by_repr)
                if classes:
                    yield FormattedObject(body, at, number, classes, by_repr)
            if code in (ATTRIBUTE, CALL) and _is_elsewhere(values, body, at):
                yield from _of_helper(flow, body, at)
                if code == CALL:
                    yield from _for_helper(flow, body, at)


def _is_elsewhere(values: Values, body: Body, at: int) -> bool:
    """Whether an operation runs functions of other files, and no others."""
    helpers = handed_to(values, body, at)
    return bool(helpers) and all(one.body.module is not body.module for one, _ in helpers)


def _of_helper(flow: TextFlow, body: Body, at: int) -> Iterator[FormattedObject]:
    """Yield the objects whose texts functions of other files give back."""
    for one in flow.texts(body, at):
        classes = flow.classes(body, one) if one.at == at else ()
        if classes:
            yield FormattedObject(body, at, one.number, classes, one.by_repr, is_given=True)


def _for_helper(flow: TextFlow, body: Body, at: int) -> Iterator[FormattedObject]:
    """Yield the objects by whose texts functions of other files look something up, which a call runs."""
    for key in flow.key_arguments(body, at):
        if key.shown is not None:
            by_repr = key.shown.by_repr
            classes = formatted_classes(body, key.value, by_repr=by_repr)
            if classes:
                yield FormattedObject(
                    body, at, key.number, classes, by_repr, True, at, key.function, key.line, key.parameter
                )
            continue
        for one in flow.texts(body, key.value):
            classes = flow.classes(body, one)
            if classes:
                is_given = one.number == HELD or not _is_text(body, one.at)
                yield FormattedObject(
                    body, one.at, one.number, classes, one.by_repr, is_given, at, key.function, key.line
                )


def _is_text(body: Body, at: int) -> bool:
    code = body.record.code[at]
    return code == FORMAT or (code == CALL and makes_texts(body, at))


def asked_of_others(body: Body, at: int) -> frozenset[Question]:
    """Return what other files may tell of a text: of functions of theirs that may make it, or of classes.

    Args:
        body: the body of the operation that may make the text, solved without these files.
        at: its number.
    """
    record, values = body.record, body.values
    if _is_text(body, at):
        of_others = [one for one in record.extra[at][0] if may_be_of_others(values[one])]
        return frozenset(chain.from_iterable(_asked_of_giver(values[one]) for one in of_others))
    called = record.operand[at] if record.code[at] == CALL else at
    if record.code[at] not in (ATTRIBUTE, CALL) or not is_of_others(values[called]):
        return frozenset()
    names = filter(None, map(_own_name, values[called].references))
    return frozenset(Question(About.TEXT, name) for name in names)


def _asked_of_giver(value: Value) -> Iterator[Question]:
    """Yield what is asked of an object that other files give: of what gives it, where that is called."""
    for one in value.references:
        path = one.path if isinstance(one, Elsewhere) else ""
        name = path.removesuffix(CALLED).rpartition(".")[2] if path.endswith(CALLED) else ""
        if isinstance(one, Instance) and isinstance(one.cls, Api):
            name = one.cls.path.rpartition(".")[2]
        yield Question(About.OBJECT, name) if name.isidentifier() else CLASSES


def asked_of_helpers(flow: TextFlow, body: Body, at: int) -> frozenset[Question]:
    """Return what is asked of functions of other files that may look something up by a text of an argument.

    Args:
        flow: follows texts through the file, which is solved without the others.
        body: the body of the call.
        at: its number.
    """
    record = body.record
    called = body.values[record.operand[at]]
    if record.code[at] != CALL or not is_of_others(called):
        return frozenset()
    names = {name for one in called.references if (name := _own_name(one))}
    given, keywords = record.extra[at] if names else ((), ())
    asked: set[Question] = set()
    for number, one in enumerate(given):
        named = number - (len(given) - len(keywords))
        argument = (-1, keywords[named]) if named >= 0 else (number, "")
        if flow.may_be_formatted(body, one):
            asked |= {Question(About.KEY, name, *argument) for name in names}
        if may_be_of_others(body.values[one]) or _is_formatted(body, one):
            asked |= {Question(About.TEXT_KEY, name, *argument) for name in names}
    return frozenset(asked)


def _own_name(reference: Reference) -> str:
    """Return the name of something of another file; "" where it has none."""
    name = reference.path.rpartition(".")[2] if isinstance(reference, Elsewhere) else ""
    return name if name.isidentifier() else ""


def text_makers(values: Values, module: str) -> Iterator[Question]:
    """Yield what other files may ask of a file's functions that make texts, or look something up by them."""
    flow = TextFlow(values)
    for body in values.bodies():
        if body.module.name == module and not isinstance(body.symbol, FunctionSymbol):
            for name, cell in body.cells.items():
                for one in cell.value.references:
                    function, skipped = run_by(one)
                    if function is not None:
                        found = flow.summary(function)
                        if found.shown or found.classes or found.is_open:
                            yield Question(About.TEXT, name)
                        if _gives_formatted(function.body):
                            yield Question(About.OBJECT, name)
                        is_method = one is function and function.cls is not None
                        skipped += int(is_method and not function.is_static)
                        for about, keys in (
                            (About.KEY, [place for place, _ in found.keys]),
                            (About.TEXT_KEY, [shown.place for shown, _ in found.shown_keys]),
                        ):
                            for place in keys:
                                yield Question(about, name, place - skipped)
                                yield Question(
                                    about, name, keyword=function.body.record.parameters[place].name
                                )
                    elif isinstance(one, Elsewhere) and _own_name(one) != name:
                        yield from (Question(about, name) for about in (About.TEXT, About.OBJECT))
                    elif isinstance(one, ClassSymbol) and _may_be_formatted(one):
                        yield Question(About.OBJECT, name)


def _gives_formatted(body: Body) -> bool:
    """Whether a function may give back an object whose text formats its fields."""
    given = [body.values[end] for one in body.record.returned if (end := body.record.operand[one]) >= 0]
    return any(map(may_be_of_others, given)) or any(
        isinstance(one, Instance) and isinstance(one.cls, ClassSymbol) and _may_be_formatted(one.cls)
        for value in given
        for one in value.references
    )


def _may_be_formatted(cls: ClassSymbol) -> bool:
    """Whether a text of an object of a class may format its fields, for all that its file knows."""
    others = (one for one in cls.resolution_order if isinstance(one, Api) and elsewhere_among(one.value))
    return cls.has_unknown_bases or is_formatted(cls) or any(True for _ in others)


def _is_formatted(body: Body, at: int) -> bool:
    """Whether a text of an object formats its fields, be it that of ``repr`` or of ``str``."""
    return any(formatted_classes(body, at, by_repr=by_repr) for by_repr in (True, False))
