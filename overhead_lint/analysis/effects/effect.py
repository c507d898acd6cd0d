"""What a call does, as typed values: what the tables say of an API."""

from __future__ import annotations

import enum
from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = [
    "NOTHING_KNOWN",
    "Condition",
    "Copies",
    "Direction",
    "Effect",
    "Lands",
    "Mask",
    "Result",
    "Tells",
    "Waits",
]


class Result(enum.Enum):
    """What a call gives."""

    UNKNOWN = "unknown"
    TENSOR = "tensor"
    TENSORS = "tensors"
    """Several, in a tuple or list."""
    TENSORS_IF_DIM = "tensors if dim"
    """Values and indices if it is told a dimension, else one tensor."""
    NUMBER = "number"
    """Also true or false."""
    SIZES = "sizes"
    """Several numbers, or one if it is told a dimension."""
    ARRAY = "array"
    OBJECT = "object"
    MODULE = "module"
    MAPPING = "mapping"
    """Tensors by names."""
    OWNER = "owner"
    """What the method is called on, or another of its class."""


class Lands(enum.Enum):
    """Where the tensor that a call gives lies."""

    WITH_ARGUMENTS = "with arguments"
    """Where its arguments lie: on the host if they surely all do."""
    ON_HOST = "host"
    ON_DEVICE = "device"
    WHERE_TOLD = "told"
    """Where ``device`` says; without it on the default device, which is the host unless that is set."""
    WHERE_TOLD_OR_LIKE = "told or like"
    """Where ``device`` says; without it where the first argument lies."""
    WITH_DATA = "data"
    """Where ``device`` says; without it where a tensor that it is given lies, else on the host."""
    MOVED = "moved"
    """Where it is told to go: a device, or where another tensor lies."""
    IN_PLACE = "in place"
    """Where the tensor lies that the method is called on, whatever else it is told."""


class Mask(enum.Enum):
    """Whether the tensor that a call gives is one of booleans."""

    NO = "no"
    YES = "yes"
    KEPT = "kept"
    """If the tensor is one that the method is called on."""


class Tells(enum.Flag):
    """What the name of a method or attribute tells of what it is looked up on, which nothing else says."""

    NOTHING = 0
    TENSOR = enum.auto()
    """Tensors have it; arrays, numbers and containers have not."""
    IN_FORWARD = enum.auto()
    """It tells a tensor among what ``forward`` is called with, where arrays are none."""
    RESULT = enum.auto()
    """Only tensors have it, and it gives one."""
    IF_DIM = enum.auto()
    """It is a tensor's where it is told ``dim`` or ``keepdim`` by keyword."""
    IF_BARE = enum.auto()
    """Tensors have it and arrays have not, where it is told nothing."""
    INTEGER_CAST = enum.auto()
    """Told nothing, tensors have it, and arrays, containers and modules have not."""
    CAST = enum.auto()
    """Told nothing, tensors and modules have it, arrays and containers have not."""
    OPERAND = enum.auto()
    """It combines a tensor with another, or with a number, as an operator does."""
    IF_GIVEN_TENSOR = enum.auto()
    """Nothing but a tensor has it that goes with a tensor of the device."""


class Direction(enum.Enum):
    """Which way a copy goes."""

    TO_HOST = "to host"
    TO_DEVICE = "to device"


class Condition(NamedTuple):
    """When an operator waits or copies; without any, always where it has elements.

    Attributes:
        if_given: only where this argument is given.
        unless_given: only where this one is not.
        if_on_device: only where this one is a tensor of the device.
        if_integer: only where this one is a tensor of integers.
        if_equal: only where these two numbers are equal.
        if_mask: only where this one, or one in it, is a tensor of booleans.
        of_empty: also where all tensors are empty.
    """

    if_given: str = ""
    unless_given: str = ""
    if_on_device: str = ""
    if_integer: str = ""
    if_equal: tuple[str, ...] = ()
    if_mask: str = ""
    of_empty: bool = False


class Waits(NamedTuple):
    """Waits of the host for the device in one call.

    Attributes:
        times: how many.
        when: when it does.
    """

    times: int = 1
    when: Condition = Condition()


class Copies(NamedTuple):
    """Copies between host and device in one call.

    Attributes:
        direction: which way.
        times: how many.
        waits: whether the host waits for each: it does not for copies through pinned memory.
        when: when it does.
    """

    direction: Direction
    times: int = 1
    waits: bool = True
    when: Condition = Condition()


class Effect(NamedTuple):
    """What a call of an API does.

    Attributes:
        returns: what it gives.
        lands: where the tensor that it gives lies.
        mask: whether that is one of booleans.
        tells: what its name tells of what it is looked up on.
        waits: waits of the host.
        copies: copies between host and device.
        allocates: whether it takes new memory for its result.
        launches: whether it launches kernels.
        writes: the parameters that it writes to; those that a signature marks as written are not among them.
        writes_if: the parameter that must be true for that.
        calls: the parameters that it calls.
        steps: the parameters whose steps it runs in a loop.
        once: whether what it does stays done: it is called once, and costs nothing in a step.
        joins: whether it makes one tensor of those in a list.
        compiles: whether it compiles the function or module that it is given.
        traces: whether it runs what it is given to make something of it, for good.
        hooks: the methods of a base class that its library runs in every step.
        attributes: what the attributes of its instances are.
        since: the first version of torch that has it.
        until: the first that has it no more.
        cost: its cost, relative to launching one operator.
    """

    returns: Result = Result.UNKNOWN
    lands: Lands = Lands.WITH_ARGUMENTS
    mask: Mask = Mask.NO
    tells: Tells = Tells.NOTHING
    waits: tuple[Waits, ...] = ()
    copies: tuple[Copies, ...] = ()
    allocates: bool | None = None
    launches: bool | None = None
    writes: frozenset[str] = frozenset()
    writes_if: str = ""
    calls: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    once: bool = False


NOTHING_KNOWN: Final = Effect()
