"""What attributes are by default, as far as a file says: fields, what ``__init__`` keeps, a parser's options.

Names decide: a test asks for ``self.config.clip``, and whatever has an attribute ``clip`` may be meant.
Beside each stands the class that says it, for tests of what is known to be an object of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import OTHERWISE, SAID, WORD, Default
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BIND,
    BUILD,
    CALL,
    CLASS,
    CONSTANT,
    COPY,
    DELETE_ATTRIBUTE,
    FUNCTION,
    IMPORT,
    NEXT,
    OUTER,
    PARAMETER,
    RETURN,
    SET_ATTRIBUTE,
    SET_ITEM,
    UNARY,
    UNPACK,
)
from overhead_lint.analysis.ir.queries import bound, is_getattr, uncopied
from overhead_lint.analysis.ir.records import CLASS_BODY, NONE
from overhead_lint.analysis.options.constants import default_of, is_word, member
from overhead_lint.analysis.options.declared import (
    MAKING_SETTINGS,
    MOST_ENTRIES,
    declared,
    default_given,
    entries,
    given,
)
from overhead_lint.analysis.options.lookups import attribute_asked, key_asked, switch_asked
from overhead_lint.analysis.options.owners import own_class
from overhead_lint.analysis.options.stored import is_restoring

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.names import Names, Site
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.options.asked import AskedOptions

__all__ = ["OF_TABLES", "attribute_defaults", "set_attributes"]

OF_TABLES: Final = "dict"
"""The class of what tables have under a name: an entry, which is no attribute."""

Said = tuple[str, Default, str]
"""A name of attributes, what some of them are by default, and the plain name of their class, or of the
section of settings that they are written in; "" for neither."""

_OTHERWISE: Final = Default(OTHERWISE)
_MAKING: Final = frozenset({"__init__", "__post_init__"})
_FILLING: Final = frozenset({"dict", "update"})
_UNKNOWN: Final = frozenset({NEXT, UNPACK})
"""What an attribute is given that is no plain assignment."""
_WRITTEN: Final = frozenset({BINARY, BIND, BUILD, CONSTANT, COPY, OUTER, RETURN, UNARY})
"""What a file of settings consists of, beside calls of ``dict``."""


def attribute_defaults(
    names: Names, options: AskedOptions, package: str
) -> tuple[tuple[str, int, str, str], ...]:
    """Return the attributes that a file gives a default or a value: names, each with a `Default` and a class.

    Args:
        names: the names of the file.
        options: what values are while options have their defaults.
        package: the outermost around the file.
    """
    found: dict[tuple[str, int, str, str], None] = {}
    if len(names.functions) == 1 and _is_settings(names.functions[0]):
        for name, default, cls in _assigned(names.functions[0]):
            found[name, default.kind, default.word, cls] = None
    for place in range(len(names.functions)):
        for name, default, cls in _of_function(names, options, place, package):
            if name.isidentifier():
                found[name, default.kind, default.word, cls] = None
    return tuple(found)


def _of_function(names: Names, options: AskedOptions, place: int, package: str) -> Iterator[Said]:
    record = names.functions[place]
    if record.kind == CLASS_BODY:
        yield from _fields(names, record)
    for at, code in enumerate(record.code):
        if code == CALL:
            yield from ((*one, "") for one in declared(record, at))
            yield from _asked(record, at)
            is_table = last_name(record, record.operand[at]) in _FILLING
            base_of = _made_base(names, place, at, package)
            # Most calls name nothing.
            for name, value in given(record, at)[1].items() if record.extra[at][1] else ():
                yield from _word(record, name, value)
                if is_table:
                    yield _entry(record, place, name, value)
                elif base_of and (known := options.by_default(place, value)) is not None:
                    yield name, known, base_of
        elif code == BUILD:
            for number, (name, value) in enumerate(entries(record, at)):
                yield from _word(record, name, value)
                if number < MOST_ENTRIES:
                    yield _entry(record, place, name, value)
        elif code == SET_ITEM:
            key, value = record.extra[at]
            if record.code[key] == CONSTANT and isinstance(record.extra[key], str):
                yield _entry(record, NONE, record.extra[key], value)
        elif code == SET_ATTRIBUTE:
            yield from _stored(names, options, place, at)
        elif code == DELETE_ATTRIBUTE:
            yield record.extra[at], _OTHERWISE, own_class(names, place, record.operand[at])


def _made_base(names: Names, place: int, call: int, package: str) -> str:
    """Return the class whose base of a library a call makes, which keeps by its name what it is given."""
    record, around = names.functions[place], names.class_around(place)
    if around < 0 or record.name != "__init__" or last_name(record, record.operand[call]) != "__init__":
        return ""
    cls = names.functions[around]
    homes = {names.qualified(cls.parent, base).partition(".")[0] for base in cls.bases}
    return cls.name if package and homes.isdisjoint({"", package}) else ""


def _is_settings(record: FunctionIR) -> bool:
    """Whether a file only gives names what is written there, as those do that programs read settings from."""
    return all(
        code in _WRITTEN or (code == CALL and last_name(record, record.operand[at]) == "dict")
        for at, code in enumerate(record.code)
    )


def _assigned(record: FunctionIR) -> Iterator[Said]:
    """What names are given in a file of settings, which a program may read as attributes or entries."""
    for name, stores in record.stores.items():
        if name[:1] != "_":
            for store in stores:
                yield name, default_given(record, record.operand[store]), ""


def _asked(record: FunctionIR, call: int) -> Iterator[Said]:
    """What a switch is that code looks up with a default, where no table or object has it."""
    asked = key_asked(record, call)
    default = switch_asked(record, call) if asked is not None else None
    if asked is not None and default is not None:
        yield asked[1], default_of(default), OF_TABLES
    read = attribute_asked(record, call)
    if read is not None:
        yield read[0], default_of(read[1]), ""


def _word(record: FunctionIR, name: str, value: int) -> Iterator[Said]:
    """Words that are given to what has a name, wherever it leads: ``make(kind="x")``, ``{"kind": "x"}``."""
    word = record.extra[value] if record.code[value] == CONSTANT else member(record, value) or None
    if isinstance(word, str) and is_word(word):
        yield name, Default(SAID, word), ""


def _entry(record: FunctionIR, place: int, name: str, value: int) -> Said:
    """What a table has under a name: one of the module is settings, what functions make may be anything."""
    default = default_given(record, value)
    if place == 0:
        return name, default, OF_TABLES
    return name, default._replace(kind=SAID) if default.kind == WORD else _OTHERWISE, OF_TABLES


def _fields(names: Names, record: FunctionIR) -> Iterator[Said]:
    """What the body of a class says: a field with its default, or a property that looks one up."""
    for name, stores in record.stores.items():
        for store in stores:
            value = record.operand[store]
            code = record.code[value] if record.code[store] == BIND else IMPORT
            if code == FUNCTION:
                if "property" in names.decorators(record.operand[value]):
                    yield name, _of_property(names.functions[record.operand[value]]), record.name
            elif code not in (CLASS, IMPORT):
                yield name, default_given(record, value), record.name
    for name in record.annotations:
        if name not in record.stores:
            yield name, _OTHERWISE, record.name


def _of_property(record: FunctionIR) -> Default:
    """What a property gives that ends by looking something up with a default."""
    return _looked_up(record, record.operand[record.returned[-1]]) if record.returned else _OTHERWISE


def _looked_up(record: FunctionIR, value: int) -> Default:
    """What ``settings.get("clip", 0)`` or ``getattr(settings, "clip", 0)`` gives where nothing is there."""
    value = uncopied(record, value) if value >= 0 else value
    if value < 0 or record.code[value] != CALL:
        return _OTHERWISE
    called, by_place = uncopied(record, record.operand[value]), given(record, value)[0]
    if record.code[called] == ATTRIBUTE and record.extra[called] == "get":
        default = by_place[1:]
    elif is_getattr(record, value):
        default = by_place[2:]
    else:
        return _OTHERWISE
    return default_given(record, default[0]) if default else _OTHERWISE


def _stored(names: Names, options: AskedOptions, place: int, store: int) -> Iterator[Said]:
    """What an attribute is set to: by ``__init__`` to a parameter with a default, or to something else."""
    record = names.functions[place]
    name, value = record.extra[store]
    if _is_handed_on(record, name, value) or options.hands_on(place, value, name):
        return  # it is the same there, or for calls to say
    if _is_of_torch(names, place, store):
        return
    own = own_class(names, place, record.operand[store])
    if not own and any(options.around(place, store)):
        return  # `set_attributes` tells of it, with the options
    is_plain = _is_plain(record, value)
    if is_plain and _is_of_settings(names, place, store):
        yield name, default_given(record, value), _section(record, store)
    elif not is_plain or not own:
        yield name, _OTHERWISE, own
    elif not is_restoring(record.name):
        yield name, _kept(record, options, place, value) if record.name in _MAKING else _OTHERWISE, own


def _is_handed_on(record: FunctionIR, name: str, value: int) -> bool:
    """Whether what an attribute is set to has its name: elsewhere, or where a constructor has to be told."""
    code = record.code[value]
    if code != PARAMETER or record.name not in _MAKING:
        return code == ATTRIBUTE and bool(record.extra[value] == name)
    parameter = record.parameters[record.operand[value]]
    return parameter.name == name and parameter.default == NONE


def _kept(record: FunctionIR, options: AskedOptions, place: int, value: int) -> Default:
    known = options.by_default(place, value)
    # Set to a constant it is what the class itself keeps, and changes, more often than an option.
    return known if known is not None else _looked_up(record, value)


def set_attributes(names: Names) -> Iterator[tuple[str, bool, Site]]:
    """Yield the attributes that a file sets on others than ``self``, or to a constant that is true.

    Each comes with whether it is set to a constant that is false, and where. Those of settings that are made
    there have that for a default, and are left out.
    """
    for place, record in enumerate(names.functions):
        for at, code in enumerate(record.code):
            if code == SET_ATTRIBUTE:
                yield from ((*one, (place, at)) for one in _set(names, place, at))
            elif code == CALL and last_name(record, record.operand[at]) == "setattr":
                named = given(record, at)[0][1:2]
                word = record.extra[named[0]] if named and record.code[named[0]] == CONSTANT else None
                if isinstance(word, str):
                    yield word, False, (place, at)


def _set(names: Names, place: int, store: int) -> Iterator[tuple[str, bool]]:
    record = names.functions[place]
    name, value = record.extra[store]
    is_constant = record.code[value] == CONSTANT
    is_off = is_constant and not record.extra[value]
    if names.name(place, record.operand[store]) == "self":
        if is_constant and not is_off:
            yield name, False
    elif not (
        _is_of_torch(names, place, store)
        or (_is_plain(record, value) and _is_of_settings(names, place, store))
    ):
        yield name, is_off


def _is_of_torch(names: Names, place: int, store: int) -> bool:
    """Whether an attribute is torch's: torch.backends.cudnn.deterministic is no option of the project's."""
    return names.qualified(place, names.functions[place].operand[store]).startswith("torch.")


def _is_plain(record: FunctionIR, value: int) -> bool:
    """Whether an attribute is set to what is written for it alone."""
    code = record.code[value]
    return code not in _UNKNOWN and not (code == BINARY and record.extra[value][1].endswith("="))


def _section(record: FunctionIR, store: int) -> str:
    """Return the name of the settings within others that an attribute is set of: ``_C.NET.DEEP = False``."""
    holder = uncopied(record, record.operand[store])
    return record.extra[holder] if record.code[holder] == ATTRIBUTE else ""


def _is_of_settings(names: Names, place: int, store: int) -> bool:
    """Whether an attribute is one of settings that are made where it is set: ``_C.MODEL.DEEP = False``."""
    record = names.functions[place]
    made = bound(record, names.root(place, record.operand[store]))
    return record.code[made] == CALL and last_name(record, record.operand[made]) in MAKING_SETTINGS
