"""Names that build a drop-in when they are called, and are the class of torch's for all else."""

from __future__ import annotations

import inspect
from typing import Any

import torch.utils._pytree as pytree

__all__ = ["StandIn"]


class StandIn:
    """Builds instances that cost less than those of a class of torch's, and stands for that class elsewhere.

    A function would do for building. But people write ``isinstance(block, torch.autocast)`` and
    ``class Mine(torch.no_grad)``, and a fix replaces the name in both. Instances and subclasses of this are
    those of torch's class, and a class that names this as a base has torch's instead. So torch's own blocks
    are instances too, and a subclass is what it is in stock. A class with a metaclass of ours could do the
    same, but not be a base beside one with another metaclass.

    A subclass defines ``__call__``, which Dynamo traces.

    Attributes:
        stock: the class of torch's, which also has the attributes that this has not.
    """

    def __init__(self, stock: type) -> None:
        self.stock = stock
        self.__name__ = self.__qualname__ = stock.__name__
        self.__module__ = type(self).__module__
        self.__doc__ = type(self).__call__.__doc__
        type(self).__call__.__qualname__ = stock.__name__  # as errors about wrong arguments show it

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        register = getattr(pytree, "register_constant", None)
        if register is not None:
            register(cls)  # Else Dynamo fails at `isinstance` in compiled code.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def __instancecheck__(self, instance: object) -> bool:
        return isinstance(instance, self.stock)

    def __subclasscheck__(self, subclass: type) -> bool:
        return issubclass(subclass, self.stock)

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return (self.stock,)

    def __getattr__(self, name: str) -> Any:
        if name == "stock":  # asked for before it is there
            raise AttributeError(name)
        return getattr(self.stock, name)

    def __or__(self, other: Any) -> Any:
        return self.stock | other

    def __ror__(self, other: Any) -> Any:
        return other | self.stock

    # One of its kind, as a class is; Dynamo asks for both where it takes an object for a constant.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return object.__hash__(self)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(type(self).__call__.__get__(self))

    def __repr__(self) -> str:
        return f"<{self.__module__}.{self.__qualname__}>"

    def __reduce__(self) -> str:
        return self.__qualname__
