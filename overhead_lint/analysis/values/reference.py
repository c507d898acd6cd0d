"""What values may refer to, and constants, which are equal by what they are.

Two references but constants are the same if they are one object. Their order, by a text, decides how a set of
them is written, so it hangs on the program alone and not on the order of work.
"""

from __future__ import annotations

__all__ = ["Constant", "Reference"]


class Reference:
    """Something that a value may refer to.

    Attributes:
        order: says where it stands among others.
    """

    __slots__ = ("order",)

    def __init__(self, order: str) -> None:
        self.order = order

    def release(self) -> None:
        """Let go of what refers back to it, if it holds such things."""

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
