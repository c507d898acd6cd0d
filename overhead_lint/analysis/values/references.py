"""What values may refer to: constants, symbols, objects, bound methods, containers by their place.

Two references but constants are the same if they are one object. Their order, by a text, decides how a set of
them is written, so it hangs on the program alone and not on the order of work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.analysis.values.slots import Slot
    from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol

__all__ = ["Bound", "Constant", "Container", "Instance", "Partial", "Reference"]


class Reference:
    """Something that a value may refer to.

    Attributes:
        order: says where it stands among others.
    """

    __slots__ = ("order",)

    def __init__(self, order: str) -> None:
        self.order = order

    def __repr__(self) -> str:
        """Return its class and order."""
        return f"<{self.__class__.__name__} {self.order}>"


class Constant(Reference):
    """A number, text or truth value that is written in the program; equal to others of its type and value."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        super().__init__(f"0 {value.__class__.__name__} {value!r}")
        self.value = value

    def __eq__(self, other: object) -> bool:
        """Whether another reference is the same constant."""
        return isinstance(other, Constant) and other.order == self.order

    def __hash__(self) -> int:
        """Return the hash of the text that tells it apart."""
        return hash(self.order)


class Instance(Reference):
    """An object of a class.

    Attributes:
        cls: the class.
        is_exact: whether it is of no class that derives from it.
    """

    __slots__ = ("cls", "is_exact")

    def __init__(self, cls: ClassSymbol | Api, *, is_exact: bool) -> None:
        super().__init__(f"{cls.order}()" if is_exact else f"{cls.order}(...)")
        self.cls = cls
        self.is_exact = is_exact


class Bound(Reference):
    """A function of the project as a method of an object or class, which it is given first.

    Attributes:
        function: the function.
    """

    __slots__ = ("function",)

    def __init__(self, function: FunctionSymbol) -> None:
        super().__init__(f"{function.order} bound")
        self.function = function


class Partial(Reference):
    """What ``functools.partial`` makes at one place.

    Attributes:
        function: what it will call.
        positional: what it gives by place.
        named: what it gives by name.
    """

    __slots__ = ("function", "named", "positional")

    def __init__(
        self, order: str, function: Slot, positional: tuple[Slot, ...], named: dict[str, Slot]
    ) -> None:
        super().__init__(order)
        self.function = function
        self.positional = positional
        self.named = named


class Container(Reference):
    """All containers that one place of the program makes: what is put into one is put into each.

    Attributes:
        kind: its class in a word: tuple, list, set, dict, generator.
        element: what it may hold, of a mapping its values; what stands in `parts` and `entries` among it.
        keys: of a mapping what its keys may be.
        parts: what stands at each place, of one that is written out; () of others.
        entries: of a mapping what stands under each constant key.
        rest: of a mapping what stands under keys that are not constant.
        grows: a slot that is not bottom once something is added after it was made, so that `parts` are no
            places any more.
    """

    __slots__ = ("element", "entries", "grows", "keys", "kind", "parts", "rest")

    def __init__(
        self, order: str, kind: str, slots: tuple[Slot, Slot, Slot, Slot], parts: tuple[Slot, ...]
    ) -> None:
        super().__init__(order)
        self.kind = kind
        self.element, self.keys, self.rest, self.grows = slots
        self.parts = parts
        self.entries: dict[str, Slot] = {}
