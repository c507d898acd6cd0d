"""What is known of expressions, functions, classes and packages that code names."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import ast

__all__ = ["ClassFacts", "Declaration", "FunctionFacts", "GlobalSetting", "Kind"]


class Kind(enum.Enum):
    """What an expression is known to be; `UNKNOWN` when inference cannot prove it."""

    UNKNOWN = "unknown"
    TENSOR = "tensor"
    """A tensor that is, or may be, on an accelerator."""
    HOST_TENSOR = "host tensor"
    """A tensor proven to live in CPU memory: reading it does not synchronise."""
    MODULE = "module"
    NUMBER = "number"
    """A Python int, float or bool."""
    ARRAY = "array"
    """A NumPy array or scalar."""
    OBJECT = "object"
    """Any other Python value: string, container, config object, None."""

    __hash__ = object.__hash__  # an enum's own is no C function, and kinds are looked up all the time


class Declaration(enum.Enum):
    """What a project declares of a package that it imports."""

    REQUIRED = "required"
    """It is installed with the project, a part of it, or of Python."""
    OPTIONAL = "optional"
    """An extra, or a group for development, has it."""
    UNDECLARED = "undeclared"
    """The project has a list of dependencies, and the package is not on it."""
    UNKNOWN = "unknown"


class FunctionFacts(NamedTuple):
    """A function or method as the project graph sees it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    qualname: str
    """Dotted from the module: ``Model.forward``, ``train.<locals>.step``."""
    cls: ClassFacts | None
    """The class whose body holds it, for methods."""
    compiled: bool = False
    """Whether `torch.compile` reaches it, as far as this file shows."""
    eager: bool = False
    """Whether steps run it outside of compiled code as well, where other files have it compiled."""


class GlobalSetting(NamedTuple):
    """A setting of torch for the whole process that another file makes."""

    name: str
    """Dotted: ``torch.backends.cudnn.fp32_precision``."""
    value: str
    """The text that it is set to; "" if it is not written there."""
    place: str
    """File and line."""


class ClassFacts(NamedTuple):
    """A class of the file."""

    node: ast.ClassDef
    qualname: str
    bases: tuple[str, ...]
    """Qualified names of the bases as far as they resolve, else their source text."""
    is_module: bool
    """Whether it derives from ``torch.nn.Module``, also through classes of the project."""
    is_dataclass: bool
    methods: tuple[str, ...]
