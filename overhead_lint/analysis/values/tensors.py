"""What APIs give that work on tensors: where the result lies, what numbers it holds, how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Lands, Mask, Result
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ACCELERATOR,
    DEVICE,
    DEVICES,
    DTYPE,
    FLOATS,
    HOST,
    INT,
    INTEGERS,
    KINDS,
    MAPPING,
    NONE_TYPE,
    NUMBER_TYPES,
    OPEN,
    RANKS,
    SCALAR,
    SEQUENCE,
    TENSOR,
    TEXT,
    TRUTHS,
    UNKNOWN,
    VARIES,
    Value,
    of_bits,
)
from overhead_lint.analysis.values.reference import Constant

if TYPE_CHECKING:
    from overhead_lint.analysis.effects.effect import Effect
    from overhead_lint.analysis.values.arguments import Arguments
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["device_of", "held", "tensor_result"]

_DEEPEST: Final = 3
_REDUCTIONS: Final = frozenset(
    ["all", "any", "max", "mean", "median", "min", "norm", "nanmean", "nansum", "prod", "std", "sum", "var"]
)
"""What gives a tensor without dimensions where it is told none."""
_CASTS: Final = {
    "bfloat16": FLOATS,
    "bool": TRUTHS,
    "double": FLOATS,
    "float": FLOATS,
    "half": FLOATS,
    "int": INTEGERS,
    "long": INTEGERS,
    "short": INTEGERS,
}
"""What numbers a tensor holds after a method of such a name."""
_INTEGER_RESULTS: Final = frozenset(["argmax", "argmin", "argsort", "bincount", "nonzero"])


def tensor_result(
    engine: Engine, body: Body, at: int, name: str, effect: Effect, given: Arguments, *, is_method: bool
) -> Value:
    """Return what an API gives that gives tensors.

    Args:
        engine: the project.
        body: the body that calls it.
        at: the call.
        name: its last name.
        effect: what tables say of it.
        given: the arguments; of a method, its tensor is the receiver.
        is_method: whether it is a method of tensors.
    """
    numbers = _numbers(name, effect, given, is_method=is_method)
    if effect.parts:
        parts = [of_bits(TENSOR | NUMBER_TYPES | RANKS | _placed(one)) for one in effect.parts]
        return engine.tuple_of(body, at, parts)
    bits = TENSOR | numbers | _lands(body, effect, given, is_method=is_method)
    told_dimension = bool(given.positional[0 if is_method else 1 :]) or "dim" in given.named
    if effect.returns is Result.TENSORS:
        return engine.sequence(body, at, "tuple", of_bits(bits | RANKS))
    if effect.returns is Result.TENSORS_IF_DIM and told_dimension and _is_number(given, is_method=is_method):
        indices = of_bits((bits & ~NUMBER_TYPES) | INTEGERS | RANKS)
        return engine.tuple_of(body, at, [of_bits(bits | RANKS), indices], 0, "pair")
    if name in _REDUCTIONS and not told_dimension and not given.named:
        return of_bits(bits | SCALAR)
    return of_bits(bits | RANKS)


def _is_number(given: Arguments, *, is_method: bool) -> bool:
    """Whether what a reduction is told can be a dimension, and no other tensor."""
    if "dim" in given.named:
        return True
    return given.positional[0 if is_method else 1].bits & (INT | UNKNOWN) != 0


def _placed(lands: Lands) -> int:
    return HOST if lands is Lands.HOST else DEVICES


def _lands(body: Body, effect: Effect, given: Arguments, *, is_method: bool) -> int:
    """Return where the result may lie, as bits."""
    lands = effect.lands
    first = given.receiver if is_method else given.at(0, "input", "data")
    if lands is Lands.HOST:
        return HOST
    if lands in (Lands.DEVICE, Lands.TYPED):
        return DEVICES
    if lands is Lands.OWNER:
        return first.bits & DEVICES if first.bits & TENSOR else DEVICES
    if lands is Lands.WITH_ARGUMENTS or (lands is Lands.TOLD_OR_LIKE and not first.bits):
        return _with_arguments(body, given, is_method=is_method)
    if lands is Lands.MOVED:
        return _moved(body, given, first)
    told = given.named.get("device")
    like = 0
    if lands is Lands.TOLD_OR_LIKE:
        like = first.bits & DEVICES or DEVICES
    elif lands in (Lands.DATA, Lands.NEW_DATA):
        inner = held(body, first)
        like = HOST if inner & KINDS & ~(TENSOR | UNKNOWN) else 0
        like |= inner & DEVICES if inner & TENSOR else 0
        like |= DEVICES if inner & UNKNOWN else 0
    else:
        like = HOST
    if told is None:
        return like
    found = device_of(told)
    return found | like if told.bits & NONE_TYPE else found


def _with_arguments(body: Body, given: Arguments, *, is_method: bool) -> int:
    """Return where something lies that is made of tensors among arguments: anywhere if there may be none."""
    found = 0
    has_tensor = False
    for value in [given.receiver, *given.all_values] if is_method else given.all_values:
        bits = held(body, value)
        if bits & TENSOR:
            found |= bits & DEVICES
            has_tensor = has_tensor or not bits & KINDS & ~(TENSOR | NONE_TYPE)
        if bits & UNKNOWN:
            found |= DEVICES
    return found if has_tensor else found | DEVICES


def _moved(body: Body, given: Arguments, owner: Value) -> int:
    """Return where ``x.to(...)`` lies."""
    stays = owner.bits & DEVICES or DEVICES
    found = 0
    moves = False
    for value in given.all_values:
        bits = value.bits
        if bits & DTYPE or (bits & KINDS) & ~(DEVICE | TEXT | INT | TENSOR | UNKNOWN) == bits & KINDS:
            found |= stays
        if bits & (DEVICE | TEXT | TENSOR | UNKNOWN) or bits & INT:
            found |= device_of(value)
            moves = moves or not bits & DTYPE
    return found if moves and found else found | stays


def device_of(value: Value) -> int:
    """Return the places that a device, or a text or tensor that stands for one, may be, as bits."""
    bits = value.bits
    found = 0
    if bits & (DEVICE | TENSOR):
        found |= bits & DEVICES or DEVICES
    if bits & TEXT:
        if bits & VARIES:
            found |= DEVICES
        for one in value.references:
            if isinstance(one, Constant) and isinstance(one.value, str):
                found |= HOST if one.value.startswith("cpu") else ACCELERATOR
    if bits & (INT | UNKNOWN) or not found:
        found |= ACCELERATOR if bits & INT and not bits & UNKNOWN else DEVICES
    return found


def held(body: Body, value: Value, depth: int = 0) -> int:
    """Return what a value may be, or what it holds if it is a container, as bits."""
    bits = value.bits
    if not bits & (SEQUENCE | MAPPING):
        return bits
    found = bits & ~(SEQUENCE | MAPPING)
    if bits & OPEN:
        found |= UNKNOWN
    for one in value.references:
        if isinstance(one, Container):
            element = one.element.read(body)
            found |= held(body, element, depth + 1) if depth < _DEEPEST else UNKNOWN
    return found


def _numbers(name: str, effect: Effect, given: Arguments, *, is_method: bool) -> int:
    """Return what numbers the result may hold, as bits."""
    if effect.mask is Mask.YES:
        return TRUTHS
    told = given.named.get("dtype")
    own = given.receiver.bits & NUMBER_TYPES if is_method else 0
    if is_method and name in _CASTS and not given.positional:
        return _CASTS[name]
    if name in _INTEGER_RESULTS:
        return INTEGERS
    for value in [*given.positional, *([told] if told is not None else [])]:
        if value.bits & KINDS == DTYPE:
            return value.bits & NUMBER_TYPES or NUMBER_TYPES
        if value.bits & (DTYPE | UNKNOWN) and is_method and name in {"to", "type"}:
            return NUMBER_TYPES
    if effect.mask is Mask.KEPT or (is_method and name in {"to", "cuda"}):
        return own or NUMBER_TYPES
    return NUMBER_TYPES
