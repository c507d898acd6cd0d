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
    "Dtype",
    "Effect",
    "Lands",
    "Mask",
    "Result",
    "Runs",
    "Tells",
    "Waits",
]


class Result(enum.Enum):
    """What a call gives, or what an attribute is."""

    UNTOLD = "the table does not say"
    ANYTHING = "something else each time"
    TENSOR = "a tensor"
    TENSORS = "several tensors"
    TENSORS_IF_DIM = "values and indices where it is told a dimension, else one tensor"
    NUMBER = "a number, or true or false"
    SIZES = "several numbers, or one where it is told a dimension"
    ARRAY = "an array"
    OBJECT = "nothing of these"
    MODULE = "a module"
    MAPPING = "tensors by names"
    DISTRIBUTION = "a distribution"
    OWNER = "what the method is called on, or another of its kind"
    ARGUMENTS = "what it is given, or that in another form: a tuple where it is given several"
    CALLED = "what a call of the parameter gives that it calls, or else its default"


class Lands(enum.Enum):
    """Where the tensor that a call gives lies."""

    WITH_ARGUMENTS = "on the host if all tensors among the arguments surely are"
    HOST = "on the host"
    DEVICE = "on a device, as far as anybody knows"
    TOLD = "where `device` says, else on the default device"
    TOLD_OR_LIKE = "where `device` says, else where the first argument lies"
    DATA = "where `device` says, else where the data lie that it is made of"
    NEW_DATA = "where `device` says, else where a tensor lies that it is made of, else on the default device"
    MOVED = "where its arguments say: on a device, or with another tensor"
    OWNER = "where what it is a method of lies"
    TYPED = "on the device that the type is one of which it is told"


class Mask(enum.Enum):
    """Whether the tensor that a call gives is one of booleans."""

    NO = "no"
    YES = "yes"
    KEPT = "if that which the method is called on is one"


class Dtype(enum.Enum):
    """What a dtype's numbers are."""

    NONE = "it is no dtype"
    BOOL = "true or false"
    INTEGER = "integers"
    FLOAT = "floating-point numbers"
    COMPLEX = "complex numbers"


class Tells(enum.Flag):
    """What the name of a method or attribute tells of what it is looked up on, where nothing else does."""

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
    TORCH = enum.auto()
    """Its words are many, and a class of torch has it all the same: it is no name of one project."""


class Direction(enum.Enum):
    """Which way a copy goes."""

    TO_HOST = "to host"
    TO_DEVICE = "to device"


class Condition(NamedTuple):
    """When an operator waits or copies; without any, always where it has elements.

    Attributes:
        if_given: only where this argument is given, and neither None nor False.
        unless_given: only where this one is not, or is one of these.
        unless_false: not where this one is False.
        if_on_device: only where this one is a tensor of the device.
        if_integer: only where this one is a tensor of integers.
        if_equal: only where these two numbers are equal.
        if_on_host: only where this one, or one in it, is a tensor or a number of the host.
        if_mask: only where this one, or one in it, is a tensor of booleans.
        of_empty: also where all tensors are empty.
    """

    if_given: str = ""
    unless_given: str = ""
    unless_false: str = ""
    if_on_device: str = ""
    if_on_host: str = ""
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


class Runs(NamedTuple):
    """Operators of aten that an API is written in terms of.

    Attributes:
        operators: their names, without ``aten::``.
        when: when it runs them; their own conditions hold as well.
    """

    operators: tuple[str, ...]
    when: Condition = Condition()


class Effect(NamedTuple):
    """What a call of an API does.

    Attributes:
        returns: what it gives, or is, if it is an attribute.
        lands: where the tensor that it gives lies.
        parts: where each of several tensors lies, if they lie apart.
        mask: whether the tensor is one of booleans.
        dtype: what numbers have that dtype, if it is one.
        is_attribute: whether it is read, and not called.
        called: what its instances give when they are called, if it is a class.
        is_operator: whether it is one of torch's functions on tensors, where it gives some.
        joins: whether it makes one tensor of those in a list.
        tells: what its name tells of what it is looked up on.
        runs: operators of aten that it is written in terms of.
        waits: waits of the host, those of these operators included.
        copies: copies between host and device, those of these operators included.
        launches: whether it launches kernels; None where it depends.
        writes: the parameters that it writes to; those that a signature marks as written are not among them.
        writes_if: the parameter that must be true for that.
        calls: the parameters that it calls, or whose instances it does.
        steps: the parameters whose steps it runs in a loop.
        once: whether it is called once, to set something up, and what it does stays done.
        compiles: whether it compiles the function or module that it is given.
        compiled: the parameters whose modules it has compiled, for what it does with them later; ``*`` stands
            for all that it is given by place.
        compiled_if: the parameters of which one must be an object that was made to ask for that.
        asks_compiled: the parameters of a class, one of which has its objects ask for that.
        unless_given: the parameters of a class that must not be given for that.
        compiled_methods: the methods of its heirs, if it is a class, that are compiled when these are.
        hooks: the methods of its heirs that each step runs, if it is a class.
        traces: whether it runs what it is given to make something of it, for good.
        since: the version of torch that brought it; () for an older one.
        until: the version that has it no more; () where there is none.
    """

    returns: Result = Result.UNTOLD
    lands: Lands = Lands.WITH_ARGUMENTS
    parts: tuple[Lands, ...] = ()
    mask: Mask = Mask.NO
    dtype: Dtype = Dtype.NONE
    is_attribute: bool = False
    called: Result = Result.UNTOLD
    is_operator: bool = False
    joins: bool = False
    tells: Tells = Tells.NOTHING
    runs: tuple[Runs, ...] = ()
    waits: tuple[Waits, ...] = ()
    copies: tuple[Copies, ...] = ()
    launches: bool | None = None
    writes: frozenset[str] = frozenset()
    writes_if: str = ""
    calls: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    once: bool = False
    compiles: bool = False
    compiled: tuple[str, ...] = ()
    compiled_if: tuple[str, ...] = ()
    asks_compiled: tuple[str, ...] = ()
    unless_given: tuple[str, ...] = ()
    compiled_methods: tuple[str, ...] = ()
    hooks: frozenset[str] = frozenset()
    traces: bool = False
    since: tuple[int, ...] = ()
    until: tuple[int, ...] = ()

    @property
    def gives_tensors(self) -> bool:
        """Whether it gives a tensor or several."""
        return self.returns in _TENSORS

    @property
    def computes(self) -> bool:
        """Whether it is one of torch's functions that compute tensors from tensors, or make them."""
        return self.is_operator and self.returns in _TENSORS


_TENSORS: Final = (Result.TENSOR, Result.TENSORS, Result.TENSORS_IF_DIM)
NOTHING_KNOWN: Final = Effect()
"""Of what no table says anything."""
