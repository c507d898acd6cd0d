"""Whether a parameter of which nobody says what it is is used as only tensors are: found by names alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Dtype
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
from overhead_lint.analysis.values.lattice import MODULE
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.values.linker import Linker
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["is_used_as_tensor"]

# What lists and texts cannot be counted with.
_OF_NUMBERS: Final = frozenset({"-", "/", "//", "@", "**"})


def is_used_as_tensor(linker: Linker, body: Body, place: int) -> bool:
    """Whether a function uses a parameter as only tensors can be used.

    Args:
        linker: the names of the project.
        body: the function, whose uses are known.
        place: the parameter.
    """
    attributes: set[str] = set()
    is_keyed = False
    for value, user in _uses(body, place):
        record = body.record
        code = record.code[user]
        if code == ATTRIBUTE:
            name = record.extra[user]
            attributes.add(name)
            if name == "dtype" and _is_compared_with_dtype(linker, body, user):
                return True
            if _is_called_for_dimension(body, user, name):
                return True
        elif code == CALL:
            if _is_tensor_argument(linker, body, value, user):
                return True
        elif code == ITEM and record.operand[user] == value:
            if _is_sliced(body, user):
                return True
            index = record.extra[user]
            is_keyed = is_keyed or (record.code[index] == CONSTANT and isinstance(record.extra[index], str))
    if _is_forward(body):
        return bool(attributes & IN_FORWARD) and not is_keyed
    return len(attributes & OF_TENSORS_ALONE) >= EVIDENCE_NEEDED or (
        bool(attributes & TELLING) and not is_keyed
    )


def _uses(body: Body, place: int) -> Iterator[tuple[int, int]]:
    """Yield what a parameter comes to, itself and phis, with the operations that use it."""
    record = body.record
    waiting = [
        at for at, code in enumerate(record.code) if code == PARAMETER and record.operand[at] == place
    ][:1]
    seen = set(waiting)
    while waiting:
        value = waiting.pop()
        for user in body.uses[value]:
            if record.code[user] in (PHI, COPY):
                if user not in seen:
                    seen.add(user)
                    waiting.append(user)
            else:
                yield value, user


def _is_forward(body: Body) -> bool:
    symbol = body.symbol
    if not isinstance(symbol, FunctionSymbol) or symbol.cls is None or symbol.name != "forward":
        return False
    return symbol.cls.kind & MODULE != 0


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


def _is_called_for_dimension(body: Body, at: int, name: str) -> bool:
    """Whether a method is told a dimension as those of tensors are, or is ``x.backward()``."""
    record = body.record
    for user in body.uses[at]:
        if record.code[user] == CALL and record.operand[user] == at:
            names = record.extra[user][1]
            if name == "backward" or (name in DIMENSIONS and ("dim" in names or "keepdim" in names)):
                return True
    return False


def _is_tensor_argument(linker: Linker, body: Body, value: int, call: int) -> bool:
    """Whether a value is an argument of a call by place, and that can only be a tensor."""
    record = body.record
    given, names = record.extra[call]
    by_place = given[: len(given) - len(names)]
    if value not in by_place:
        return False
    place: int = by_place.index(value)
    if any(record.code[one] == STAR for one in by_place[:place]):
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
