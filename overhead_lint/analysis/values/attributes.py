"""What reading and writing attributes gives: of modules, classes, their objects, and what libraries make."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Lands, Result
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE
from overhead_lint.analysis.values.annotations import promised
from overhead_lint.analysis.values.elsewhere import INSTANCE_OF, Elsewhere, elsewhere_among, with_presumed
from overhead_lint.analysis.values.holders import Container, Partial
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    ARRAY,
    BOTTOM,
    CLASS,
    DEVICE,
    DEVICES,
    DTYPE,
    FUNCTION,
    HOST_TENSOR,
    INSTANCE,
    INT,
    KINDS,
    MAPPING,
    MODULE,
    NAMESPACE,
    NONE_TYPE,
    NUMBER_TYPES,
    NUMBERS,
    OBJECT,
    OPEN,
    OPTIMIZER,
    SCHEDULER,
    SEQUENCE,
    TENSOR,
    TENSOR_TRAITS,
    TEXT,
    UNKNOWN,
    VARIES,
    Value,
    beyond,
    join,
    of_bits,
)
from overhead_lint.analysis.values.library import is_known_package, named_class
from overhead_lint.analysis.values.promises import within
from overhead_lint.analysis.values.slots import Slot
from overhead_lint.analysis.values.symbols import (
    Api,
    Bound,
    ClassSymbol,
    FunctionSymbol,
    Instance,
    ModuleSymbol,
)
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.reference import Reference
from overhead_lint.analysis.values.symbols import Body

__all__ = [
    "attribute",
    "instance_attribute",
    "library_attribute",
    "promised_attribute",
    "set_attribute",
]

_INTEGER: Final = of_bits(INT | VARIES)
_BASES: Final = (
    (MODULE, "torch.nn.Module"),
    (OPTIMIZER, "torch.optim.Optimizer"),
    (SCHEDULER, "torch.optim.lr_scheduler.LRScheduler"),
)
"""The classes whose members objects of a kind have, whatever their own class is called."""
_TOLD: Final = FUNCTION | CLASS | NAMESPACE | MODULE | INSTANCE
"""Kinds of which references tell all."""
_OTHERS_TELL: Final = UNKNOWN | MODULE | OBJECT
"""Kinds of what other files know more of."""
_OF_PAIRS: Final = frozenset({"indices", "values"})
"""Attributes of the named tuples that torch gives, and of no other sequence."""
_OWN: Final = {
    kind: frozenset(name for cls in classes for name in dir(cls) if name not in _OF_PAIRS)
    for kind, classes in ((NUMBERS, (int, float, complex)), (SEQUENCE, (list, tuple, set, deque, Generator)))
}
"""What numbers and sequences have: another attribute is of what else a value may be."""
_APPLY: Final = frozenset({"torch.autograd.Function.apply", "torch.autograd.function.Function.apply"})


def attribute(engine: Engine, body: Body, at: int, value: Value, name: str) -> Value:
    """Return what an attribute of a value is.

    Args:
        engine: the project.
        body: the body that reads it.
        at: the operation, for what it makes.
        value: whose attribute it is.
        name: its name.
    """
    bits = value.bits
    if not bits & KINDS:
        return BOTTOM
    found = BOTTOM
    for one in value.references:
        if isinstance(one, Elsewhere):
            found = join(found, _step_into(engine, one, name, bits))
        elif isinstance(one, Instance):
            cls = one.cls
            if isinstance(cls, ClassSymbol):
                found = join(found, instance_attribute(engine, body, one, name))
            else:
                found = join(found, library_attribute(engine, cls, name, bits))
        elif isinstance(one, Api):
            found = join(found, one.step(name).value)
        elif isinstance(one, ModuleSymbol):
            found = join(found, engine.read(body, engine.linker.member(one, name)))
        elif isinstance(one, ClassSymbol):
            found = join(found, _class_attribute(engine, body, one, name))
        elif isinstance(one, Container):
            found = join(found, _container_attribute(engine, body, at, one, name))
        elif isinstance(one, (Bound, FunctionSymbol, Partial)):
            found = join(found, ANYTHING)
    if not bits & ~_TOLD:
        return found
    if bits & TENSOR:
        found = join(found, _tensor_attribute(engine, body, at, bits, name))
    if bits & (TEXT | NUMBERS | ARRAY | DEVICE | DTYPE | SEQUENCE | MAPPING):
        found = join(found, _plain_attribute(engine, body, at, bits, name))
    if bits & (NUMBERS | SEQUENCE) and not found.bits:
        found = ANYTHING
    if bits & UNKNOWN:
        found = with_presumed(value, found, _presumed(engine, body, at, value, name))
    return join(found, beyond(bits & ~UNKNOWN))


def _step_into(engine: Engine, holder: Elsewhere, name: str, bits: int) -> Value:
    """Return what an attribute is of something that another file defines, which is of some kinds."""
    alias = engine.linker.alias(f"{holder.path}.{name}") if not holder.is_part else None
    if alias is not None:
        return alias.value
    is_member = engine.nn_module.step(name).effect.returns is not Result.UNTOLD
    if is_member and bits & MODULE and not bits & UNKNOWN:
        return library_attribute(engine, engine.nn_module, name, MODULE)
    return engine.step(holder, f".{name}") if bits & _OTHERS_TELL else BOTTOM


class _Lookup(NamedTuple):
    """Where an attribute of objects of a class is found: that hangs on names alone.

    Attributes:
        methods: what class bodies bind.
        fields: what is stored in objects.
        library: what a class of a library, or one that nobody knows, makes of it.
        told: what an annotation promises.
    """

    methods: tuple[Slot, ...]
    fields: tuple[Slot, ...]
    library: Value
    told: Value


def instance_attribute(engine: Engine, body: Body, instance: Instance, name: str) -> Value:
    """Return what an attribute of an object of a class of the project is."""
    cls = instance.cls
    assert isinstance(cls, ClassSymbol)
    key = name, instance.is_exact
    known = cls.lookups.get(key)
    if known is None:
        known = cls.lookups[key] = _lookup(engine, cls, name, is_exact=instance.is_exact)
    methods, fields, found, told = known
    for slot in methods:
        found = join(found, _bound(body, slot.read(body)))
    for slot in fields:
        found = join(found, slot.read(body))
    return within(found, told) if told.bits else found


def _lookup(engine: Engine, cls: ClassSymbol, name: str, *, is_exact: bool) -> _Lookup:
    """Find where an attribute of objects of a class is found: exact ones, or of derived classes as well."""
    methods: list[Slot] = []
    fields: list[Slot] = []
    told = BOTTOM
    is_stored = False
    library: Api | None = None
    for one in cls.resolution_order:
        if not isinstance(one, ClassSymbol):
            library = library or one
            continue
        cell = one.body.cells.get(name)
        if cell is not None and not methods:
            methods.append(cell)
        fields.append(one.field(name))
        is_stored = is_stored or name in one.own
        if not told.bits and name in one.body.record.annotations:
            told = promised_attribute(engine, one, name)
    for one in () if is_exact else cls.descendants():
        if name in one.body.cells:
            methods.append(one.body.cells[name])
        if name in one.own and not is_stored:
            fields.append(one.field(name))
    is_stored = is_stored or len(fields) > sum(isinstance(one, ClassSymbol) for one in cls.resolution_order)
    found = BOTTOM
    if not is_stored and library is not None:
        found = library_attribute(engine, library, name, cls.kind)
        if found.bits & UNKNOWN:
            found = _of_others(engine, cls, name, found)
    elif not is_stored and cls.has_unknown_bases:
        found = ANYTHING
    elif not is_stored:  # others may store it on an object
        fields.append(cls.unstored.setdefault(name, Slot()))
    return _Lookup(tuple(methods), tuple(fields), found, told)


def _of_others(engine: Engine, cls: ClassSymbol, name: str, found: Value) -> Value:
    """Return what an attribute is that a class inherits from other files, if it inherits from some."""
    others = engine.others
    bases = [one for one in cls.resolution_order if isinstance(one, Api)]
    if others is None or not any(others.has(base.path) for base in bases):
        return found
    return others.value(f".{cls.body.record.qualname}{INSTANCE_OF}.{name}")


def promised_attribute(engine: Engine, cls: ClassSymbol, name: str) -> Value:
    """Return what an annotation in the body of a class promises of an attribute; bottom if nothing."""
    found = cls.promised.get(name)
    if found is None:
        said = cls.body.record.annotations[name]
        found = promised(engine, cls.body, said, f"{cls.order} attribute {name}")
        cls.promised[name] = found = BOTTOM if found.bits & UNKNOWN else found
    return found


def _bound(body: Body, value: Value) -> Value:
    """Return what is read on an object where a class holds a value: functions become methods."""
    found = BOTTOM
    others: list[Reference] = []
    is_replaced = False
    for one in value.references:
        if isinstance(one, FunctionSymbol) and not one.is_static:
            found = join(found, one.body.returned.read(body) if one.is_property else one.bound)
            is_replaced = True
        else:
            others.append(one)
    if not is_replaced:
        return value
    bits = value.bits if others or value.bits & OPEN else value.bits & ~FUNCTION
    return join(found, Value(bits, tuple(others)))


def _class_attribute(engine: Engine, body: Body, cls: ClassSymbol, name: str) -> Value:
    """Return what an attribute of a class itself is."""
    for one in cls.resolution_order:
        if isinstance(one, Api):
            step = one.step(name)
            if step.path in _APPLY:
                return _forward_of(body, cls)
            return join(step.value, ANYTHING)
        cell = one.body.cells.get(name)
        if cell is not None:
            return _as_methods(cell.read(body), of_class_alone=True)
        if name in one.own:
            return one.field(name).read(body)
    return ANYTHING


def _as_methods(value: Value, *, of_class_alone: bool) -> Value:
    """Return a value with its functions bound to what they are read on: all, or those of a class alone."""
    found = BOTTOM
    others: list[Reference] = []
    for one in value.references:
        if isinstance(one, FunctionSymbol) and (one.of_class or not of_class_alone):
            found = join(found, one.bound)
        else:
            others.append(one)
    return join(found, Value(value.bits, tuple(others))) if found.bits else value


def _forward_of(body: Body, cls: ClassSymbol) -> Value:
    """Return what ``apply`` of an autograd function calls: ``forward``, given a context first."""
    for one in cls.resolution_order:
        cell = one.body.cells.get("forward") if isinstance(one, ClassSymbol) else None
        if cell is not None:
            return _as_methods(cell.read(body), of_class_alone=False)
    return ANYTHING


def library_attribute(engine: Engine, cls: Api, name: str, bits: int) -> Value:
    """Return what an attribute of an object of a library's class is.

    Args:
        engine: the project.
        cls: the class.
        name: the attribute.
        bits: what the object is.
    """
    step = cls.step(name)
    effect = step.effect
    if cls.effect.returns is Result.DISTRIBUTION:
        step = engine.linker.api("torch.distributions.Distribution").step(name)
        effect = step.effect
    elif effect.returns is Result.UNTOLD:
        for kind, path in _BASES:
            if bits & kind:
                base = engine.linker.api(path)
                if base.step(name).effect.returns is not Result.UNTOLD:
                    step = base.step(name)
                    effect = step.effect
                elif path == "torch.nn.Module" and is_known_package(cls.path):
                    return Value(ANYTHING.bits, (step,))
    if effect.returns is Result.UNTOLD and engine.others is not None and engine.others.has(cls.path):
        return engine.others.value(f"{cls.path}{INSTANCE_OF}.{name}")
    if effect.is_attribute:
        return of_bits(ANY_TENSOR) if effect.returns is Result.TENSOR else step.value
    return step.method if effect.returns is not Result.UNTOLD else Value(ANYTHING.bits, (step,))


def _tensor_attribute(engine: Engine, body: Body, at: int, bits: int, name: str) -> Value:
    """Return what an attribute of a tensor is."""
    step = engine.tensor.step(name)
    effect = step.effect
    if not effect.is_attribute:
        return step.method if effect.returns is not Result.UNTOLD else Value(UNKNOWN, (step,))
    if name == "device":
        return of_bits(DEVICE | (bits & DEVICES))
    if name == "dtype":
        return of_bits(DTYPE | (bits & NUMBER_TYPES))
    if effect.returns is Result.TENSOR:
        found = TENSOR | (bits & TENSOR_TRAITS)
        if effect.lands is Lands.HOST:
            found &= ~(DEVICES ^ (DEVICES & bits))
        return of_bits(found | NONE_TYPE if name == "grad" else found)
    if effect.returns is Result.SIZES:
        return engine.sequence(body, at, "tuple", _INTEGER)
    if effect.returns is Result.NUMBER:
        return of_bits((INT if name == "ndim" else NUMBERS) | VARIES)
    return step.value


def _plain_attribute(engine: Engine, body: Body, at: int, bits: int, name: str) -> Value:
    """Return what an attribute of a text, number, array, device or container is."""
    found = BOTTOM
    builtins = engine.linker.builtins
    for kind, cls in ((TEXT, "str"), (NUMBERS, "float"), (SEQUENCE, "list"), (MAPPING, "dict")):
        if bits & kind and (kind not in _OWN or name in _OWN[kind]):
            found = join(found, builtins.step(cls).step(name).method)
    if bits & ARRAY:
        if name == "shape":
            found = join(found, engine.sequence(body, at, "tuple", _INTEGER))
        elif name in {"T", "real", "imag", "flat"}:
            found = join(found, of_bits(ARRAY))
        elif name in {"ndim", "size", "itemsize", "nbytes"}:
            found = join(found, _INTEGER)
        else:
            found = join(found, engine.linker.api("numpy.ndarray").step(name).method)
    if bits & DEVICE:
        found = join(found, of_bits((TEXT | VARIES) if name == "type" else (INT | VARIES | NONE_TYPE)))
    if bits & DTYPE:
        found = join(found, of_bits((TEXT | VARIES) if name == "name" else (NUMBERS | VARIES)))
    return found


def _container_attribute(engine: Engine, body: Body, at: int, made: Container, name: str) -> Value:
    """Return what an attribute of a container is that is more than one: of a module, of a pair."""
    if made.kind.startswith("torch."):
        cls = engine.linker.api(made.kind)
        if cls.effect.returns is Result.DISTRIBUTION:
            return _distribution_attribute(engine, body, at, made, cls, name)
        return library_attribute(engine, cls, name, cls.bits)
    if made.kind == "record" and name in made.entries:
        return made.entries[name].read(body)
    if made.kind == "dict" or name not in _OF_PAIRS:
        return BOTTOM
    if made.kind == "pair":
        return made.parts[0 if name == "values" else 1].read(body)
    return made.element.read(body)


def _distribution_attribute(
    engine: Engine, body: Body, at: int, made: Container, cls: Api, name: str
) -> Value:
    """Return what an attribute of a distribution is: its tensors lie where its parameters do."""
    step = engine.linker.api("torch.distributions.Distribution").step(name)
    effect = step.effect
    if not effect.is_attribute:
        return library_attribute(engine, cls, name, OBJECT)
    if effect.returns is Result.TENSOR:
        return made.element.read(body)
    if effect.returns is Result.SIZES:
        return engine.sequence(body, at, "tuple", _INTEGER)
    return Value(OBJECT, (made,)) if effect.returns is Result.OWNER else of_bits(OBJECT)


def _presumed(engine: Engine, body: Body, at: int, value: Value, name: str) -> Value:
    """Return what an attribute of something unknown is, by its name, or by that of what it is read of."""
    if name == "shape":
        return engine.sequence(body, at, "tuple", _INTEGER, 1)
    if name == "grad":
        return of_bits(ANY_TENSOR | NONE_TYPE)
    if name == "batch_sizes" and body.record.code[body.record.operand[at]] != ATTRIBUTE:
        return of_bits(HOST_TENSOR)  # of a packed sequence, wherever its data lie
    if name == "saved_tensors" and not _is_of_project(body):
        return engine.sequence(body, at, "tuple", of_bits(ANY_TENSOR), 1)
    if name == "device":
        return of_bits(DEVICE | DEVICES)
    if name == "dtype":
        return of_bits(DTYPE | NUMBER_TYPES)
    holder = last_name(body.record, body.record.operand[at])
    if name == "autocast" and holder == "amp":  # of a module that is chosen by the device
        return engine.linker.api("torch.amp.autocast").value
    cls = named_class(holder)
    if not cls or any(one.is_object for one in elsewhere_among(value)):
        return ANYTHING
    return library_attribute(engine, engine.linker.api(cls), name, OBJECT)


def _is_of_project(body: Body) -> bool:
    """Whether a function is a method of a class that derives from none of a library."""
    cls = body.symbol.cls if isinstance(body.symbol, FunctionSymbol) else None
    return cls is not None and all(
        isinstance(one, ClassSymbol) and not one.has_unknown_bases for one in cls.resolution_order
    )


def set_attribute(engine: Engine, body: Body, holder: Value, name: str, value: Value) -> None:
    """Note that an attribute of a value is written."""
    for one in holder.references:
        if isinstance(one, Instance):
            if isinstance(one.cls, ClassSymbol):
                one.cls.field(name).grow(value, engine.work)
        elif isinstance(one, ModuleSymbol):
            cell = one.cell(name)
            if cell is not None:
                cell.grow(value, engine.work)
        elif isinstance(one, ClassSymbol):
            cell = one.body.cells.get(name)
            (cell if cell is not None else one.field(name)).grow(value, engine.work)
