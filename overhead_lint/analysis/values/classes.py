"""What is known of classes and functions before any value is: bases, attributes by name, decorators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, CONSTANT, PARAMETER, SET_ATTRIBUTE
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.records import CLASS_BODY
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF, elsewhere_among
from overhead_lint.analysis.values.lattice import INSTANCE
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol, Instance

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.linker import Linker

__all__ = ["AUTOGRAD_FUNCTION", "REGISTERING", "describe", "is_autograd_function", "is_of_others"]

AUTOGRAD_FUNCTION: Final = frozenset({"torch.autograd.Function", "torch.autograd.function.Function"})
REGISTERING: Final = frozenset(
    {"add_module", "add_state", "register_buffer", "register_module", "register_parameter"}
)
"""Methods of modules that store an attribute by its name."""

_PROPERTIES: Final = frozenset(
    {
        "abc.abstractproperty",
        "builtins.property",
        "functools.cached_property",
        "torch.jit.unused_property",
    }
)
_CONTEXTS: Final = frozenset({"contextlib.asynccontextmanager", "contextlib.contextmanager"})
_PLAIN_BASES: Final = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"})


def describe(linker: Linker) -> None:
    """Find what the classes of a project derive from and hold, and what decorators make of functions."""
    classes = []
    for body in linker.bodies:
        symbol = body.symbol
        if isinstance(symbol, ClassSymbol):
            classes.append(symbol)
            _add_bases(linker, symbol)
        elif isinstance(symbol, FunctionSymbol):
            _decorate(linker, symbol)
    for one in classes:
        one.stored = frozenset(_stored_names(one))
        one.own = one.stored.union(one.body.record.stores, one.body.record.annotations)
        for base in one.bases:
            if isinstance(base, ClassSymbol):
                base.subclasses.append(one)
    for one in classes:
        one.kind = _kind(one)


def is_autograd_function(symbol: ClassSymbol) -> bool:
    """Whether a class derives from torch's class for functions with a gradient of their own."""
    return any(isinstance(one, Api) and one.path in AUTOGRAD_FUNCTION for one in symbol.resolution_order)


def _add_bases(linker: Linker, symbol: ClassSymbol) -> None:
    around = symbol.body.parent
    assert around is not None
    for at in symbol.body.record.bases:
        base = linker.static(around, at)
        if isinstance(base, (ClassSymbol, Api)) and base is not symbol:
            if not isinstance(base, Api) or base.path not in _PLAIN_BASES:
                symbol.bases.append(base)
        else:
            symbol.has_unknown_bases = True


def _kind(symbol: ClassSymbol) -> int:
    """Return what objects of a class are: what the first library class among its ancestors says."""
    for one in symbol.resolution_order:
        if isinstance(one, Api):
            bits = one.bits
            if bits:
                return bits
    return INSTANCE


def _stored_names(symbol: ClassSymbol) -> Iterable[str]:
    """Yield the names that methods of a class store on their first parameter."""
    for body in symbol.body.module.bodies:
        if body.parent is not symbol.body or body.record.kind == CLASS_BODY:
            continue
        record = body.record
        for at, code in enumerate(record.code):
            if code == SET_ATTRIBUTE and _is_first_parameter(record, record.operand[at]):
                yield record.extra[at][0]
            elif code == CALL:
                yield from _registered(record, at)


def _is_first_parameter(record: FunctionIR, at: int) -> bool:
    first = bound(record, at)
    return record.code[first] == PARAMETER and record.operand[first] == 0


def _registered(record: FunctionIR, at: int) -> Iterable[str]:
    """Yield the attribute that a call stores: ``self.register_buffer("mask", ...)``."""
    function, given = record.operand[at], record.extra[at][0]
    if record.code[function] != ATTRIBUTE or record.extra[function] not in REGISTERING or not given:
        return
    name = record.extra[given[0]] if record.code[given[0]] == CONSTANT else None
    if isinstance(name, str) and _is_first_parameter(record, record.operand[function]):
        yield name


def _decorate(linker: Linker, symbol: FunctionSymbol) -> None:
    around = symbol.body.parent
    assert around is not None
    for at in symbol.body.record.decorators:
        record = around.record
        if record.code[at] == CALL:
            at = record.operand[at]
        if record.code[at] == ATTRIBUTE and record.extra[at] in {"setter", "deleter"}:
            symbol.is_hidden = True
            continue
        found = linker.static(around, at)
        if not isinstance(found, Api):
            continue
        if found.path in _PROPERTIES or found.path.endswith("property"):
            symbol.is_property = True
        elif found.path in _CONTEXTS:
            symbol.makes_context = True
        elif found.path == "builtins.staticmethod":
            symbol.is_static = True
        elif found.path == "builtins.classmethod":
            symbol.of_class = True
        elif found.path in {"typing.overload", "typing_extensions.overload"}:
            symbol.is_hidden = True
    if symbol.name in {"__new__", "__init_subclass__", "__class_getitem__"} and symbol.cls is not None:
        symbol.is_static, symbol.of_class = symbol.name == "__new__", symbol.name != "__new__"


def is_of_others(value: Value) -> bool:
    """Whether files that this one imports may tell more of a value, or define a base of its class.

    What others give a parameter stands in files that import this one.
    """
    return any(not one.path.startswith(PARAMETER_OF) for one in elsewhere_among(value)) or any(
        isinstance(base, Api) and elsewhere_among(base.value)
        for one in value.references
        if isinstance(one, Instance) and isinstance(one.cls, ClassSymbol)
        for base in one.cls.resolution_order
    )
