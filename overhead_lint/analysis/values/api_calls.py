"""What calls of APIs give, by the tables of effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Effect, Result, Tells
from overhead_lint.analysis.effects.lookup import TENSOR as TENSOR_CLASS
from overhead_lint.analysis.effects.lookup import names_telling, names_where
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BUILD, CONSTANT
from overhead_lint.analysis.values.arguments import Arguments, give_beforehand
from overhead_lint.analysis.values.builtin_calls import BUILTINS
from overhead_lint.analysis.values.container_calls import container_method, text_method
from overhead_lint.analysis.values.engine import SITES_AN_OPERATION
from overhead_lint.analysis.values.holders import Container, Partial, RecordClass
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    ARRAY,
    BOTTOM,
    CLASS,
    DEVICE,
    DEVICES,
    DTYPE,
    FLOATS,
    FUNCTION,
    HOST,
    HOST_TENSOR,
    INT,
    KINDS,
    MAPPING,
    MODULE,
    NAMESPACE,
    NUMBER_TYPES,
    NUMBERS,
    OBJECT,
    OPEN,
    SEQUENCE,
    TENSOR,
    TEXT,
    UNKNOWN,
    VARIES,
    Value,
    beyond,
    join,
    of_bits,
)
from overhead_lint.analysis.values.library import given_class, given_module
from overhead_lint.analysis.values.reference import Constant
from overhead_lint.analysis.values.slots import Slot
from overhead_lint.analysis.values.symbols import Api, Bound, FunctionSymbol, Instance
from overhead_lint.analysis.values.tensors import device_of, held, numbers_of, tensor_result
from overhead_lint.analysis.values.usage import gives_positions

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["MODULE_CONTAINERS", "call_api", "presumed_call"]

_INTEGER: Final = of_bits(INT | VARIES)
_NUMBER: Final = of_bits(NUMBERS | VARIES)
_TEXT: Final = of_bits(TEXT | VARIES)
_OFF: Final = frozenset({"no", "none", "false"})
_RECORD_MAKERS: Final = frozenset(
    {"collections.namedtuple", "typing.NamedTuple", "typing_extensions.NamedTuple"}
)
# With more fields than these, one is a record of settings.
_MOST_FIELDS: Final = 16
MODULE_CONTAINERS: Final = frozenset({"torch.nn.ModuleDict", "torch.nn.ModuleList", "torch.nn.Sequential"})
_HELD: Final = {
    **dict.fromkeys(("buffers", "named_buffers", "named_parameters", "parameters"), ANY_TENSOR),
    **dict.fromkeys(("children", "modules", "named_children", "named_modules"), MODULE),
}
"""What methods of modules go over, by name."""
_GIVING_TENSORS: Final = names_telling(Tells.RESULT)
_BARE: Final = names_telling(Tells.IF_BARE | Tells.INTEGER_CAST)
_CASTS: Final = names_telling(Tells.CAST)
_GOING_ON: Final = _GIVING_TENSORS | names_where("torch.Tensor", lambda told: told.returns is Result.ARRAY)
_DIMENSIONS: Final = names_telling(Tells.IF_DIM)


def call_api(engine: Engine, body: Body, at: int, api: Api, given: Arguments) -> Value:
    """Return what a call of an API gives."""
    path = api.path
    if not given.is_evaluated:
        return BOTTOM
    scope, name = api.scope, api.name
    if scope == "builtins" or path in BUILTINS:
        handler = BUILTINS.get(name if scope == "builtins" else path)
        return handler(engine, body, at, given) if handler is not None else ANYTHING
    if scope.startswith("builtins."):
        return _builtin_method(engine, body, at, scope, name, given)
    if scope in MODULE_CONTAINERS:
        return _module_container_method(engine, body, at, name, given)
    if path in MODULE_CONTAINERS:
        return _module_container(engine, body, at, path, given)
    if path in _RECORD_MAKERS:
        return _record_class(body, at)
    if path == "functools.partial":
        return _partial(engine, body, at, given)
    effect = api.effect
    if effect.compiles:
        return given.at(0, "model", "func") if given.positional or given.named else of_bits(FUNCTION | OPEN)
    if scope == "torch.Tensor" and given.receiver.bits:
        return _tensor_method(engine, body, at, name, effect, given)
    found = _by_effect(engine, body, at, api, given)
    if effect.asks_compiled and asks_compiled(engine, body, effect, given):
        return join(found, Value(found.bits, (api.asking,)))
    return found


def _by_effect(engine: Engine, body: Body, at: int, api: Api, given: Arguments) -> Value:
    """Return what a function or class gives by what tables say of it."""
    always = api.given
    if always is not None and always.bits:
        return always
    effect = api.effect
    bits = api.bits
    if api.scope == "torch.distributions.Distribution":
        return _of_distribution(engine, body, at, effect, given)
    if effect.gives_tensors and not bits & MODULE:
        name = api.name
        return tensor_result(engine, body, at, name, effect, given, is_method=False)
    if bits & DEVICE:
        first = given.at(0, "device", "type")
        return of_bits(DEVICE | (device_of(first) if first.bits else 0))
    if bits & (SEQUENCE | MAPPING):
        return engine.sequence(body, at, "tuple", _INTEGER) if bits & SEQUENCE else Value(bits | OPEN)
    if always is not None:
        always = api.given = _always_given(engine, api, bits)
        if always is not None:
            return always
    returns = effect.returns
    if returns is Result.MODULE:
        is_method = api.path.startswith("torch.nn.Module.")
        return given.receiver if is_method and given.receiver.bits else engine.any_module
    name = api.name
    if name in _HELD and given.receiver.bits & (MODULE | UNKNOWN):
        return _items_by_name(engine, body, at, name)
    if returns is Result.OWNER:
        return given.receiver if given.receiver.bits else ANYTHING
    if returns is Result.ARGUMENTS:
        if len(given.positional) == 1 and not given.more_positional.bits:
            return given.positional[0]
        return engine.tuple_of(
            body, at, given.positional + [one for one in (given.more_positional,) if one.bits]
        )
    if returns is Result.NUMBER:
        return _NUMBER
    if returns is Result.SIZES:
        return engine.sequence(body, at, "tuple", _INTEGER)
    if returns is Result.ARRAY:
        return of_bits(ARRAY)
    if returns is Result.MAPPING:
        return engine.mapping(body, at, _TEXT, of_bits(ANY_TENSOR))
    if returns is Result.DISTRIBUTION:
        return _distribution(engine, body, at, api, given)
    if returns is Result.OBJECT:
        return Value(OBJECT, (api.instance,))
    if name == "from_pretrained" and "Model" in api.path:
        return engine.any_module
    if "return_tensors" in given.named:
        return engine.mapping(body, at, _TEXT, of_bits(HOST_TENSOR))
    if name[:1].isupper():
        return Value(ANYTHING.bits, (api.instance,))
    return presumed_call(engine, body, at, name, given) if given.receiver.bits else ANYTHING


def asks_compiled(engine: Engine, body: Body, effect: Effect, given: Arguments) -> bool:
    """Whether the arguments of a call turn on that modules are compiled, by what its effect says of it."""
    if any(name in given.named for name in effect.unless_given):
        return False
    for name in effect.asks_compiled:
        entries = [engine.entry(body, one, name) for one in given.named_mappings]
        for value in (given.named.get(name, BOTTOM), *entries):
            if any(map(_turns_on, value.references)):
                return True
    return False


def _turns_on(given: Reference) -> bool:
    """Whether an argument turns something on: a constant but "no" and empty ones, one that asks for it."""
    if isinstance(given, Constant):
        return bool(given.value) and str(given.value).lower() not in _OFF
    if isinstance(given, Instance):
        return given.asks_compiled
    if isinstance(given, Container):
        return given.kind == "dict"
    return isinstance(given, Api) and given.name.isupper() and given.name.lower() not in _OFF


def _always_given(engine: Engine, api: Api, bits: int) -> Value | None:
    """Return what a function or class gives whatever it is given; None where nothing says so by its name."""
    if bits and api.effect.returns is not Result.DISTRIBUTION:
        return Value(bits, (api.instance,))
    made = given_class(api.path)
    if made:
        cls = engine.linker.api(made)
        return Value(cls.bits, (cls.instance,))
    module = given_module(api.path)
    return Value(NAMESPACE, (engine.linker.api(module),)) if module else None


def _distribution(engine: Engine, body: Body, at: int, api: Api, given: Arguments) -> Value:
    """Return a distribution: of parameters that are numbers it makes tensors of the host."""
    made = engine.container(body, at, api.path)
    values = [*given.positional, *(one for name, one in given.named.items() if name != "validate_args")]
    places = 0
    for value in values:
        bits = held(body, value)
        if bits & TENSOR:
            places |= bits & DEVICES
        if bits & (UNKNOWN | OBJECT):
            places |= DEVICES
    made.element.grow(of_bits(ANY_TENSOR & ~DEVICES | (places or HOST)), engine.work)
    return Value(OBJECT, (made,))


def _of_distribution(engine: Engine, body: Body, at: int, effect: Effect, given: Arguments) -> Value:
    """Return what a method of a distribution gives: its tensors lie where its parameters do."""
    made = [one for one in given.receiver.references if isinstance(one, Container)]
    if effect.returns is Result.OWNER:
        return given.receiver if given.receiver.bits else of_bits(OBJECT)
    if effect.returns is Result.SIZES:
        return engine.sequence(body, at, "tuple", _INTEGER)
    if not effect.gives_tensors:
        return of_bits(OBJECT) if effect.returns is not Result.UNTOLD else ANYTHING
    found = BOTTOM
    for one in made:
        found = join(found, one.element.read(body))
    return found if made else of_bits(ANY_TENSOR)


def _builtin_method(engine: Engine, body: Body, at: int, scope: str, name: str, given: Arguments) -> Value:
    """Return what a method of a text, number or container gives."""
    if scope == "builtins.str":
        return text_method(engine, body, at, name)
    if scope in {"builtins.float", "builtins.int", "builtins.bool"}:
        return _NUMBER
    if scope in {"builtins.list", "builtins.dict"}:
        found = BOTTOM
        wanted = scope == "builtins.dict"
        for one in given.receiver.references:
            if isinstance(one, Container) and (one.kind == "dict") == wanted:
                found = join(found, container_method(engine, body, at, one, name, given))
        return join(found, beyond(given.receiver.bits))
    return ANYTHING


def _tensor_method(engine: Engine, body: Body, at: int, name: str, effect: Effect, given: Arguments) -> Value:
    """Return what a method of tensors gives."""
    returns = effect.returns
    if name == "type" and not given.positional and not given.named:
        return _TEXT
    if returns is Result.SIZES:
        if given.positional or given.named:
            return _INTEGER
        return engine.sequence(body, at, "tuple", _INTEGER)
    if effect.gives_tensors:
        return tensor_result(engine, body, at, name, effect, given, is_method=True)
    if returns is Result.NUMBER:
        return _NUMBER
    if returns is Result.ARRAY:
        return of_bits(ARRAY)
    return of_bits(OBJECT) if returns is Result.OBJECT else ANYTHING


def _items_by_name(engine: Engine, body: Body, at: int, name: str) -> Value:
    """Return what methods of modules go over; bottom for other names."""
    held = _HELD.get(name, 0)
    if not held:
        return BOTTOM
    item = engine.any_module if held & MODULE else of_bits(held)
    if name.startswith("named_"):
        item = engine.tuple_of(body, at, [_TEXT, item], 1)
    return engine.sequence(body, at, "generator", item)


def presumed_call(engine: Engine, body: Body, at: int, name: str, given: Arguments) -> Value:
    """Return what a method of something unknown gives, by its name: some only tensors have."""
    if "return_tensors" in given.named:
        return engine.mapping(body, at, _TEXT, of_bits(HOST_TENSOR))
    if not name:
        return ANYTHING
    if name in _HELD:
        return _items_by_name(engine, body, at, name)
    if name == "item" and not given.positional:
        return _NUMBER
    is_bare = not given.positional and not given.named
    if is_bare and name == "abs" and body.module.has_no_tables:
        return of_bits(ANY_TENSOR)  # arrays have none
    if name == "nonzero" and gives_positions(body, at):
        return of_bits(ANY_TENSOR)
    integers = _integers_named(given) if name in {"to", "type"} else 0
    if integers:  # modules are cast to floating-point types only
        return of_bits(ANY_TENSOR & ~NUMBER_TYPES | integers)
    # A module is cast or moved to be kept, a tensor to go on with: `x.float().sum()`.
    if is_bare and (name in _CASTS or name == "cpu"):
        going_on = _read_on(body, at)
        if name in _CASTS and going_on:
            return of_bits(ANY_TENSOR)
        if name == "cpu" and going_on & _GOING_ON:
            return of_bits(HOST_TENSOR)
    told = TENSOR_CLASS.step(name).effect
    if name in _DIMENSIONS and ("dim" in given.named or "keepdim" in given.named):
        found = tensor_result(engine, body, at, name, told, given, is_method=True)
        return found
    if name in _GIVING_TENSORS or (is_bare and name in _BARE):
        numbers = numbers_of(body, name, told, given, is_method=True)
        return of_bits(ANY_TENSOR & ~NUMBER_TYPES | numbers)
    return ANYTHING


def _read_on(body: Body, at: int) -> set[str]:
    """Return the names of the attributes that are read on what an operation gives, there and then."""
    record = body.record
    return {record.extra[user] for user in body.uses[at] if record.code[user] == ATTRIBUTE}


def _integers_named(given: Arguments) -> int:
    """Return the numbers of the dtype that ``.to(...)`` is told, as bits: 0 unless integers or booleans."""
    for one in (*given.positional, given.named.get("dtype", BOTTOM)):
        if one.bits & KINDS == DTYPE and not one.bits & FLOATS:
            return one.bits & NUMBER_TYPES
    return 0


# Containers of modules, and partial functions.


def _module_container(engine: Engine, body: Body, at: int, path: str, given: Arguments) -> Value:
    """Return a container of modules that a call makes."""
    made = engine.container(body, at, path)
    for value in given.positional:
        for one in value.references:
            if isinstance(one, Container) and not one.kind.startswith("torch."):
                made.element.grow(one.element.read(body), engine.work)
        if path == "torch.nn.Sequential" and value.bits:
            made.element.grow(engine.any_module if value.bits & UNKNOWN else value, engine.work)
        elif beyond(value.bits).bits:
            made.element.grow(engine.any_module, engine.work)
    made.element.grow(given.more_positional, engine.work)
    return Value(MODULE, (made,))


def _module_container_method(engine: Engine, body: Body, at: int, name: str, given: Arguments) -> Value:
    """Return what a method of a container of modules gives."""
    found = BOTTOM
    for one in given.receiver.references:
        if isinstance(one, Container) and one.kind in MODULE_CONTAINERS:
            if name == "add_module":
                if engine.commits(body, at):
                    one.element.grow(given.at(1, "module"), engine.work)
            elif name in {"append", "extend", "insert", "values", "keys", "items", "pop"}:
                found = join(found, container_method(engine, body, at, one, name, given))
            else:
                found = join(found, ANYTHING)
    return found if found.bits else ANYTHING


def _record_class(body: Body, at: int) -> Value:
    """Return a class of named tuples: its fields are written as one text, as texts, or as pairs."""
    record = body.record
    given = record.extra[at][0]
    if len(given) < 2:
        return ANYTHING
    said = given[1]
    if record.code[said] == CONSTANT and isinstance(record.extra[said], str):
        names = tuple(record.extra[said].replace(",", " ").split())
    elif record.code[said] == BUILD and record.extra[said][0] in {"list", "tuple"}:
        names = tuple([_field_name(body, part) for part in record.extra[said][1:]])
    else:
        return ANYTHING
    if not 0 < len(names) <= _MOST_FIELDS or not all(map(str.isidentifier, names)):
        return ANYTHING
    key = at * SITES_AN_OPERATION + 3
    made = body.sites.get(key)
    if made is None:
        made = body.sites[key] = RecordClass(f"{body.symbol.order}#{at}.3", names)
    return Value(CLASS, (made,))


def _field_name(body: Body, at: int) -> str:
    record = body.record
    if record.code[at] == BUILD and len(record.extra[at]) > 1:
        at = record.extra[at][1]
    said = record.extra[at] if record.code[at] == CONSTANT else ""
    return said if isinstance(said, str) else ""


def _partial(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    """Return a function with some of its arguments."""
    if not given.positional:
        return of_bits(FUNCTION | OPEN)
    key = at * 8
    made = body.sites.get(key)
    if made is None:
        held = tuple([Slot() for _ in given.positional[1:]])
        order = f"{body.symbol.order}#{at}"
        named = {name: Slot() for name in given.named}
        made = body.sites[key] = Partial(order, (body.place, at), Slot(), held, named)
    assert isinstance(made, Partial)
    made.function.grow(given.positional[0], engine.work)
    for slot, value in zip(made.positional, given.positional[1:], strict=False):
        slot.grow(value, engine.work)
    for name, slot in made.named.items():
        slot.grow(given.named.get(name, BOTTOM), engine.work)
    if engine.commits(body, at):
        later = Arguments(at, given.positional[1:], given.named, BOTTOM)
        for one in given.positional[0].references:
            if isinstance(one, FunctionSymbol):
                give_beforehand(engine, one, later, 0)
            elif isinstance(one, Bound):
                give_beforehand(engine, one.function, later, 1)
    return Value(FUNCTION, (made,))
