"""What APIs give that work on tensors: where the result lies, what numbers it holds, how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Lands, Mask, Result
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BUILD, CALL, ENTER, OUTER
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ACCELERATOR,
    BOOL,
    BOTTOM,
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
    NUMBERS,
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
from overhead_lint.analysis.values.symbols import Api

if TYPE_CHECKING:
    from overhead_lint.analysis.effects.effect import Effect
    from overhead_lint.analysis.values.arguments import Arguments
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["device_of", "has_default_device", "held", "numbers_of", "tensor_result"]

_NOT_YET: Final = -1
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
    numbers = numbers_of(body, name, effect, given, is_method=is_method)
    if effect.parts:
        bits = TENSOR | NUMBER_TYPES | RANKS
        parts = [of_bits(bits | (HOST if one is Lands.HOST else DEVICES)) for one in effect.parts]
        return engine.tuple_of(body, at, parts)
    lands = _lands(body, effect, given, is_method=is_method)
    if effect.returns is Result.TENSORS and effect.lands is Lands.WITH_ARGUMENTS and not is_method:
        first = given.at(0, "input", "tensor")  # what is taken apart, and not how
        lands = first.bits & DEVICES if first.bits & KINDS == TENSOR else lands
    if lands == _NOT_YET:
        return BOTTOM
    bits = TENSOR | numbers | lands
    told = given.positional[0 if is_method else 1 :]
    # What a reduction is told by place may be another tensor as well.
    is_dimension = "dim" in given.named or bool(told and told[0].bits & INT)
    if effect.returns is Result.TENSORS:
        return engine.sequence(body, at, "tuple", of_bits(bits | RANKS))
    if effect.returns is Result.TENSORS_IF_DIM and is_dimension:
        indices = of_bits((bits & ~NUMBER_TYPES) | INTEGERS | RANKS)
        return engine.tuple_of(body, at, [of_bits(bits | RANKS), indices], 0, "pair")
    if name in _REDUCTIONS and not told and not given.named:
        return of_bits(bits | SCALAR)
    return of_bits(bits | RANKS)


def _lands(body: Body, effect: Effect, given: Arguments, *, is_method: bool) -> int:
    """Return where the result may lie, as bits."""
    lands = effect.lands
    first = given.receiver if is_method else given.at(0, "input", "data")
    if lands is Lands.HOST:
        return HOST
    if lands is Lands.DEVICE:
        return DEVICES
    if lands is Lands.OWNER:
        return first.bits & DEVICES if first.bits & TENSOR else DEVICES
    if lands is Lands.WITH_ARGUMENTS or (lands is Lands.TOLD_OR_LIKE and not first.bits):
        if effect.joins and _joins_host(body, given.call):
            return HOST
        return _with_arguments(body, given, is_method=is_method)
    if lands is Lands.TYPED:
        return _typed(given, first)
    if lands is Lands.MOVED:
        return _moved(body, given, first)
    told = given.named.get("device")
    like = 0
    if lands is Lands.TOLD_OR_LIKE:
        like = first.bits & DEVICES or DEVICES
    elif lands in (Lands.DATA, Lands.NEW_DATA):
        inner = first.bits  # what a list holds is copied from wherever it lies
        like = HOST if inner & KINDS & ~(TENSOR | UNKNOWN) else 0
        like |= inner & DEVICES if inner & TENSOR else 0
        if inner & UNKNOWN:  # `torch.tensor` is mostly given numbers, `torch.as_tensor` anything
            like |= DEVICES if lands is Lands.DATA else HOST
    else:
        like = DEVICES if has_default_device(body) else HOST
    if told is None or told.bits & KINDS == NONE_TYPE:
        return like
    found = device_of(told)
    return found | like if told.bits & NONE_TYPE else found


def _with_arguments(body: Body, given: Arguments, *, is_method: bool) -> int:
    """Return where something lies that is made of tensors among arguments: anywhere if there may be none.

    What is unknown beside a tensor is a number, or lies where the tensor does, as with operators.
    As long as nothing is known of what one of them holds, that is not known yet.
    """
    found = 0
    has_tensor = False
    for value in [given.receiver, *given.all_values] if is_method else given.all_values:
        bits = held(body, value)
        if not bits:
            return _NOT_YET
        if bits & TENSOR:
            found |= bits & DEVICES
            has_tensor = has_tensor or not bits & KINDS & ~(TENSOR | NONE_TYPE)
    if has_tensor:
        return found
    number = BOTTOM if is_method else given.at(0, "input")  # a number alone becomes a tensor of the host
    return HOST if number.bits & KINDS and not number.bits & KINDS & ~NUMBERS else found | DEVICES


def _moved(body: Body, given: Arguments, owner: Value) -> int:
    """Return where ``x.to(...)`` lies."""
    stays = owner.bits & DEVICES or DEVICES
    found = 0
    moves = False
    told = [given.named[name] for name in ("device", "other") if name in given.named]
    for value in [*given.positional[:1], *told, given.more_positional, given.more_named]:
        bits = value.bits
        if not bits:
            continue
        if bits & DTYPE or (bits & KINDS) & ~(DEVICE | TEXT | INT | TENSOR | UNKNOWN) == bits & KINDS:
            found |= stays
        if bits & (DEVICE | TEXT | TENSOR | UNKNOWN) or bits & INT:
            found |= device_of(value)
            moves = moves or not bits & DTYPE
    return found if moves and found else found | stays


def has_default_device(body: Body) -> bool:
    """Whether tensors may be made on a default device, which the file sets, or the body enters."""
    if body.module.sets_default_device:
        return True
    record = body.record
    for at, code in enumerate(record.code):
        if code == ENTER:
            entered = record.operand[at]
            called = record.operand[entered] if record.code[entered] == CALL else entered
            if record.code[called] in (ATTRIBUTE, OUTER) and "device" in str(record.extra[called]).split("_"):
                return True
    return False


def _typed(given: Arguments, owner: Value) -> int:
    """Return where ``x.type(...)`` lies: types name a device, dtypes do not."""
    stays = owner.bits & DEVICES or DEVICES
    told = given.at(0, "dtype")
    found = 0
    for one in told.references:
        named = one.value if isinstance(one, Constant) else one.path if isinstance(one, Api) else None
        if isinstance(named, str) and named.endswith("Tensor"):
            found |= ACCELERATOR if named.startswith(("torch.cuda.", "torch.xpu.")) else HOST
        else:
            found |= stays
    return found or stays


def _joins_host(body: Body, call: int) -> bool:
    """Whether one of what a call joins is made on the host right there, and no other is elsewhere.

    Tensors of two devices cannot be joined.
    """
    record = body.record
    first = record.extra[call][0][:1]
    if not first or record.code[first[0]] != BUILD:
        return False
    parts = record.extra[first[0]][1:]
    bits = [body.values[part].bits for part in parts]
    made = [one for part, one in zip(parts, bits, strict=True) if record.code[part] == CALL]
    is_host = any(one & KINDS == TENSOR and one & DEVICES == HOST for one in made)
    return is_host and not any(one & TENSOR and one & DEVICES != HOST for one in bits)


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


def numbers_of(body: Body, name: str, effect: Effect, given: Arguments, *, is_method: bool) -> int:
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
        if value.bits & TENSOR and is_method and name == "to":
            return value.bits & NUMBER_TYPES or NUMBER_TYPES
        if value.bits & (DTYPE | UNKNOWN) and is_method and name in {"to", "type"}:
            return NUMBER_TYPES
    if effect.lands in (Lands.DATA, Lands.NEW_DATA) and told is None:
        made_of = held(body, given.at(0, "data"))
        if made_of & KINDS == BOOL:
            return TRUTHS
    if effect.mask is Mask.KEPT or (is_method and name in {"to", "cuda"}):
        return own or NUMBER_TYPES
    return NUMBER_TYPES
