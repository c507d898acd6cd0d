"""Whether something of which nobody says what it is is used as only tensors are: found by names alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Dtype, Lands
from overhead_lint.analysis.effects.lookup import names_where
from overhead_lint.analysis.effects.method_names import COMMON_METHODS
from overhead_lint.analysis.effects.tensor_uses import (
    DIMENSIONS,
    EVIDENCE_NEEDED,
    IN_FORWARD,
    NOT_EVIDENCE,
    OF_FUNCTIONS,
    OF_METHODS,
    OF_TENSORS_ALONE,
    TELLING,
)
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BIND,
    BOOLEAN,
    BUILD,
    CALL,
    COMPARE,
    CONSTANT,
    COPY,
    ITEM,
    PARAMETER,
    PHI,
    SET_ATTRIBUTE,
    SLICE,
    STAR,
)
from overhead_lint.analysis.ir.queries import bound, by_place
from overhead_lint.analysis.values.classes import is_autograd_function
from overhead_lint.analysis.values.lattice import MODULE
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.linker import Linker
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["gives_positions", "is_used_as_tensor"]

# What lists and texts cannot be counted with.
_OF_NUMBERS: Final = frozenset({"-", "/", "//", "@", "**"})
# Attributes that tensors have; nobody reads the others off one.
_OF_TENSORS: Final = COMMON_METHODS | names_where("torch.Tensor", lambda told: told.is_attribute)
_MADE: Final = frozenset({Lands.DATA, Lands.HOST, Lands.NEW_DATA, Lands.TOLD})
# Methods that are given the loss: of scalers, engines and trainers.
_GIVEN_LOSS: Final = frozenset({"backward", "manual_backward"})


def is_used_as_tensor(linker: Linker, body: Body, at: int) -> bool:
    """Whether a body uses what an operation gives, of which nobody says what it is, as only tensors are used.

    Args:
        linker: the names of the project.
        body: the body, whose uses are known.
        at: the operation: a parameter, a call, or an item under a key, which counts with all reads of that.
    """
    known = body.tensors.get(at)
    if known is None and body.uses[at]:
        body.tensors[at] = False  # for a circle
        known = body.tensors[at] = _is_used(linker, body, at)
    return bool(known)


def _is_used(linker: Linker, body: Body, at: int) -> bool:
    record = body.record
    is_parameter = record.code[at] == PARAMETER
    if not is_parameter and _is_kept(record, at):
        return False
    is_forward = is_parameter and _is_forward(body)
    attributes: set[str] = set()
    is_keyed = has_parts = False
    for value, user in _uses(linker, body, _alike(body, at), is_parameter=is_parameter):
        code = record.code[user]
        if code == ATTRIBUTE:
            name = record.extra[user]
            attributes.add(name)
            if name == "dtype" and _is_compared_with_dtype(linker, body, user):
                return True
            if _is_called_as_of_tensor(body, user, name):
                return True
            has_parts = has_parts or (is_forward and _is_part(body, user, name))
        elif code == CALL:
            if _is_tensor_argument(linker, body, value, user) or _is_given_loss(body, value, user):
                return True
        elif code == ITEM and record.operand[user] == value:
            if _is_sliced(body, user):
                return True
            index = record.extra[user]
            is_keyed = is_keyed or (record.code[index] == CONSTANT and isinstance(record.extra[index], str))
    if is_forward:
        return bool(attributes & IN_FORWARD) and not is_keyed and not has_parts
    return len(attributes & OF_TENSORS_ALONE) >= EVIDENCE_NEEDED or (
        bool(attributes & TELLING) and not is_keyed
    )


def _alike(body: Body, at: int) -> list[int]:
    """Return an operation with those that give the same: items of one value under one key."""
    record = body.record
    key = _key(record, at) if record.code[at] == ITEM else None
    if key is None:
        return [at]
    return [
        one
        for one, code in enumerate(record.code)
        if code == ITEM and record.operand[one] == record.operand[at] and _key(record, one) == key
    ]


def _key(record: FunctionIR, at: int) -> tuple[object, ...] | None:
    """Return what tells a key from others: a text, or an attribute that may well be one."""
    index = record.extra[at]
    if record.code[index] == CONSTANT:
        return (record.extra[index],) if isinstance(record.extra[index], str) else None
    if record.code[index] == ATTRIBUTE:
        return record.operand[index], record.extra[index]
    return None


def _is_kept(record: FunctionIR, at: int) -> bool:
    """Whether a call gives what an object keeps, or what is made of that: ``self.weights.clone()``.

    That may lie elsewhere than what is used as a tensor here.
    """
    is_called = False
    while True:
        code = record.code[at]
        if code == ATTRIBUTE:
            if not is_called:
                return True
            is_called = False
        elif code == CALL:
            is_called = True
        elif code == ITEM:
            is_called = False
        else:
            return False
        at = record.operand[at]


def _is_part(body: Body, at: int, name: str) -> bool:
    """Whether an attribute that tensors lack is read, and not called: ``data.edge_index``."""
    if name in _OF_TENSORS or name.startswith("_"):
        return False
    record = body.record
    return not any(record.code[user] == CALL and record.operand[user] == at for user in body.uses[at])


def gives_positions(body: Body, call: int) -> bool:
    """Whether a call of ``nonzero`` is one of a tensor, by what it is told or how its result is used."""
    record = body.record
    if "as_tuple" in record.extra[call][1]:
        return True
    for user in body.uses[call]:
        if record.code[user] == ATTRIBUTE and record.extra[user] not in {"count", "index"}:
            return True
        if record.code[user] == ITEM and record.operand[user] == call:
            index = record.extra[user]
            if record.code[index] == BUILD and record.extra[index][0] == "tuple":
                return True
    return False


def _is_given_loss(body: Body, value: int, call: int) -> bool:
    """Whether a value is a loss: ``engine.backward(x)``, ``scaler.scale(x).backward()``."""
    record = body.record
    given, function = record.extra[call][0], record.operand[call]
    if not given or given[0] != value or record.code[function] != ATTRIBUTE:
        return False
    name = record.extra[function]
    if name == "scale":
        return any(
            record.code[user] == ATTRIBUTE and record.extra[user] == "backward" for user in body.uses[call]
        )
    return name in _GIVEN_LOSS


def _uses(linker: Linker, body: Body, values: list[int], *, is_parameter: bool) -> Iterator[tuple[int, int]]:
    """Yield what some values come to, themselves and what joins them, with the operations that use it.

    What else may be a tensor that is made on the host tells nothing of where a value lies.
    """
    record = body.record
    waiting = list(values)
    seen = set(waiting)
    while waiting:
        value = waiting.pop()
        for user in body.uses[value]:
            if record.code[user] in (BIND, COPY) or value in _ways(record, user):
                if user not in seen and (is_parameter or not _joins_made(linker, body, user)):
                    seen.add(user)
                    waiting.append(user)
            else:
                yield value, user


def _ways(record: FunctionIR, at: int) -> tuple[int, ...]:
    """Return what a phi or a conditional gives one of; nothing of other operations."""
    code, extra = record.code[at], record.extra[at]
    if code == BOOLEAN:
        return extra[2:] if extra[0] == "if" else ()
    return extra if code == PHI else ()


def _joins_made(linker: Linker, body: Body, at: int) -> bool:
    """Whether one of what is joined is a tensor that is made there, on the host if nothing is told."""
    record = body.record
    for way in _ways(record, at):
        made = bound(record, way)
        if record.code[made] == CALL:
            api = linker.static(body, record.operand[made])
            if isinstance(api, Api) and api.effect.gives_tensors and api.effect.lands in _MADE:
                return True
    return False


def _is_forward(body: Body) -> bool:
    symbol = body.symbol
    if not isinstance(symbol, FunctionSymbol) or symbol.cls is None:
        return False
    if symbol.cls.kind & MODULE:
        return symbol.name == "forward"
    return symbol.name in {"backward", "forward"} and is_autograd_function(symbol.cls)


def _is_compared_with_dtype(linker: Linker, body: Body, at: int) -> bool:
    """Whether an attribute is compared with one of torch's dtypes: ``x.dtype == torch.half``."""
    record = body.record
    for user in body.uses[at]:
        if record.code[user] == COMPARE:
            for side in (record.operand[user], *record.extra[user][0]):
                found = linker.static(body, side) if side != at else None
                if isinstance(found, Api) and found.effect.dtype is not Dtype.NONE:
                    return True
    return False


def _is_called_as_of_tensor(body: Body, at: int, name: str) -> bool:
    """Whether a method is called as tensors have it: ``x.sum(dim=1)``, ``x.dim()``, ``x.nonzero()[:, 0]``."""
    record = body.record
    for user in body.uses[at]:
        if record.code[user] == CALL and record.operand[user] == at:
            given, names = record.extra[user]
            if name in {"backward", "dim"} and len(given) == len(names):
                return True
            if (name == "size" and given) or (name == "nonzero" and gives_positions(body, user)):
                return True
            if name in DIMENSIONS and ("dim" in names or "keepdim" in names):
                return True
    return False


def _is_tensor_argument(linker: Linker, body: Body, value: int, call: int) -> bool:
    """Whether a value is an argument of a call by place, and that can only be a tensor."""
    record = body.record
    given = by_place(record, call)
    if value not in given:
        return False
    place = given.index(value)
    if any(record.code[one] == STAR for one in given[:place]):
        return False
    function = record.operand[call]
    found = linker.static(body, function)
    if isinstance(found, Api):
        last = found.path.rpartition(".")[2]
        if found.path == "torch.autograd.grad":
            return place == 0
        if not found.effect.computes:
            return False
        return place in _places(last) if place else bool(last not in NOT_EVIDENCE)
    if record.code[function] != ATTRIBUTE:
        return False
    if place in OF_METHODS.get(record.extra[function], ()):
        return True
    return place == 0 and _is_forward(body) and _is_layer(linker, body, function)


def _places(name: str) -> tuple[int, ...]:
    found: tuple[int, ...] = OF_FUNCTIONS.get(name, ())
    return found


def _is_layer(linker: Linker, body: Body, at: int) -> bool:
    """Whether an attribute of ``self`` is a module of torch that a method of the class makes."""
    record = body.record
    holder = record.operand[at]
    while record.code[holder] == COPY:
        holder = record.operand[holder]
    if record.code[holder] != PARAMETER or record.operand[holder] != 0:
        return False
    cls = body.symbol.cls if isinstance(body.symbol, FunctionSymbol) else None
    return cls is not None and record.extra[at] in _layers(linker, cls)


def _layers(linker: Linker, cls: ClassSymbol) -> frozenset[str]:
    """Return the attributes that methods of a class store a module of torch in."""
    if cls.layers is None:
        found = set()
        for body in cls.body.module.bodies:
            if body.parent is not cls.body:
                continue
            record = body.record
            for at, code in enumerate(record.code):
                made = record.extra[at][1] if code == SET_ATTRIBUTE else at
                if code == SET_ATTRIBUTE and record.code[made] == CALL:
                    api = linker.static(body, record.operand[made])
                    if isinstance(api, Api) and api.path.startswith("torch.nn."):
                        found.add(record.extra[at][0])
        cls.layers = frozenset(found)
    return cls.layers


def _is_sliced(body: Body, at: int) -> bool:
    """Whether ``x[:, 0]``, ``x[..., 0]`` or ``x[1:] - x[:-1]`` is a tensor's: arrays have it, too."""
    if not body.module.has_only_tensors:
        return False
    record = body.record
    index = record.extra[at]
    if record.code[index] == SLICE:
        return any(
            record.code[user] == BINARY and record.extra[user][1] in _OF_NUMBERS for user in body.uses[at]
        )
    if record.code[index] != BUILD or record.extra[index][0] != "tuple":
        return False
    return any(
        record.code[part] == SLICE or (record.code[part] == CONSTANT and record.extra[part] is ...)
        for part in record.extra[index][1:]
    )
