"""What calls of objects pass to a ``forward``: to that of a class by values, or else by names alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.method_names import COMMON_METHODS
from overhead_lint.analysis.graph.option import RUN_BY_INSTANCES
from overhead_lint.analysis.graph.passed_arguments import ANYTHING, MANY, Slot
from overhead_lint.analysis.ir.naming import name_of
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, CLASS, FUNCTION, IMPORT, ITEM, PARAMETER, STAR
from overhead_lint.analysis.ir.queries import bound, by_name, by_place
from overhead_lint.analysis.options.passing import arguments, is_name
from overhead_lint.analysis.wrapping_calls import WRAPPERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from overhead_lint.analysis.graph.passed_arguments import PlainArgument
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.options.asked import AskedOptions
    from overhead_lint.analysis.values.project import Values

__all__ = ["passed_to_objects"]


def passed_to_objects(
    module: str, names: Names, values: Values, options: AskedOptions
) -> tuple[tuple[str, tuple[PlainArgument, ...]], ...]:
    """Return what a file passes to methods that run where an object is called.

    It is told by the method's name in paths where its class is certain, else by its plain name: an argument
    then counts for the parameter of the same name.

    Args:
        module: the file's dotted name.
        names: its names.
        values: what its values are.
        options: what they are while its options have their defaults.
    """
    found: dict[str, dict[PlainArgument, None]] = {}
    known = COMMON_METHODS.union([one.name for one in names.functions]) - RUN_BY_INSTANCES
    for place, record in enumerate(names.functions):
        for at, code in enumerate(record.code):
            if code != CALL or not _may_be_object(names, known, place, record.operand[at]):
                continue
            runs = values.callees(values.body(module, place), at)
            methods = [one.body.record for one in runs.functions if one.name in RUN_BY_INSTANCES]
            hands_on = any(its.kind.startswith("*") for one in methods for its in one.parameters)
            is_known = bool(runs.functions) or any(one.name not in WRAPPERS for one in runs.apis)
            if is_known and not hands_on:
                passed = dict.fromkeys(_known(record, at, place, options)) if methods else {}
                for one in methods:
                    found.setdefault(f".{one.qualname}", {}).update(passed)
            elif passed := dict.fromkeys(_by_names(record, at, place, options)):
                for name in RUN_BY_INSTANCES:
                    found.setdefault(name, {}).update(passed)
    return tuple((method, tuple(passed)) for method, passed in found.items())


def _may_be_object(names: Names, known: Collection[str], place: int, function: int) -> bool:
    """Whether what is called may be a module: no function or class of the file, no method of a known name."""
    record = names.functions[place]
    code = record.code[function]
    if code == ATTRIBUTE:
        return record.extra[function] not in known and not names.qualified(place, function)
    home, at = names.source(place, function)
    is_defined = names.functions[home].code[at] in (CLASS, FUNCTION, IMPORT)
    return code == ITEM or (is_name(record, function) and not is_defined)


def _by_names(record: FunctionIR, call: int, place: int, options: AskedOptions) -> Iterator[PlainArgument]:
    """Yield what a call passes by keywords, and by place to parameters of the same name."""
    placed = by_place(record, call)
    for slot, constant, handed_on in _known(record, call, place, options):
        if slot.__class__ is str or slot == Slot.ANYTHING:
            yield slot, constant, handed_on
        elif 0 <= slot < len(placed) and (name := name_of(record, placed[slot])):
            yield name, constant, handed_on


def _known(record: FunctionIR, call: int, place: int, options: AskedOptions) -> Iterator[PlainArgument]:
    """Yield what a call passes, but for what its function got by a star itself and hands on."""
    starred = [record.operand[value] for value in by_place(record, call) if record.code[value] == STAR]
    named = [value for name, value in by_name(record, call) if not name]
    for argument in arguments(record, call, 0, place, options):
        stars = starred if argument == MANY else named if argument == ANYTHING else ()
        if not stars or any(record.code[bound(record, value)] != PARAMETER for value in stars):
            yield argument
