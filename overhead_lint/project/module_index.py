"""What the modules of a project can be asked for by name: plain data, taken from summaries."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from overhead_lint.tuples import NamedTuple

__all__ = [
    "NOTHING_TAKEN",
    "ClassSummary",
    "Functions",
    "Module",
    "ModuleIndex",
    "module_of",
    "squeezed",
    "unsqueezed",
]

NOTHING_TAKEN: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
"""What a module has in `ModuleIndex.takes` where no function calls its parameters."""


class ClassSummary(NamedTuple):
    """A class, as other files need to know it."""

    name: str
    """Its name in paths: ``.Model``."""
    bases: tuple[str, ...]
    """Paths of its bases."""
    methods: tuple[str, ...]
    properties: tuple[str, ...]
    """Those of the methods that are read like attributes."""
    attributes: tuple[tuple[str, str], ...]
    """Attributes of its instances with the paths of what they are; see `ModuleIndex.attributes`."""
    extending: tuple[str, ...] = ()
    """Those of the methods that may run what they override, by an attribute of their own name that is read in
    them; behind `overhead_lint.project.path_syntax.SUPER` those that read it of ``super()`` alone."""


class Functions(Mapping[str, str]):
    """The functions of a module of a project, by name in paths, with the path of what each returns.

    They are looked up among those of all modules: names of their own would take as much again.

    Args:
        module: the module's key.
        known: all functions, by key.
        returns: what they return, by key, where that is known.
    """

    __slots__ = ("_known", "_module", "_returns")

    def __init__(self, module: str, known: Mapping[str, object], returns: Mapping[str, str]) -> None:
        self._module = module
        self._known = known
        self._returns = returns

    def __contains__(self, name: object) -> bool:
        return f"{self._module}{name}" in self._known

    def __getitem__(self, name: str) -> str:
        if name not in self:
            raise KeyError(name)
        return self._returns.get(self._module + name, "")

    def __iter__(self) -> Iterator[str]:
        return (key[len(self._module) :] for key in self._known if module_of(key) == self._module)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class ModuleIndex(NamedTuple):
    """What the modules of a project can be asked for by name.

    Attributes:
        name: dotted name of the module, as others import it.
        folder: dotted name of where it lies: a script finds its neighbours there.
        functions: for each function, by its name in paths, the path of what it returns.
        classes: by name in paths.
        names: paths of what the top level imports, and of its instances.
        stars: modules whose names it imports with a star.
        patches: attributes of other objects that functions are put in, with the paths of these.
        handed: functions handed to calls: path of the callee, place or keyword, path of the function; as
            `squeezed` gives it, since each is asked once.
        takes: parameters given by place of the functions that call one of them.
        gives: kinds of what functions give and of what attributes and constants hold, as
            `overhead_lint.project.kinds.exports.gives` names them; as `squeezed` gives it: few are asked.
        passed: what calls pass to functions of other files; as `squeezed` gives it.
        attributes: where they are not with its classes, for each that has some those of its instances, with
            the paths of what they are; as `squeezed` gives it.
    """

    name: str
    folder: str
    functions: Mapping[str, str]
    classes: dict[str, ClassSummary]
    names: dict[str, str]
    stars: tuple[str, ...]
    patches: tuple[tuple[str, str], ...] = ()
    handed: bytes = b""
    takes: Mapping[str, tuple[str, ...]] = NOTHING_TAKEN
    gives: bytes = b""
    passed: bytes = b""
    attributes: bytes = b""


class Module(Protocol):
    """What a module can be asked for by name; see `ModuleIndex`."""

    @property
    def name(self) -> str: ...
    @property
    def folder(self) -> str: ...
    @property
    def functions(self) -> Mapping[str, str]: ...
    @property
    def classes(self) -> Mapping[str, ClassSummary]: ...
    @property
    def names(self) -> Mapping[str, str]: ...
    @property
    def stars(self) -> tuple[str, ...]: ...
    @property
    def patches(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def handed(self) -> bytes: ...
    @property
    def takes(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def gives(self) -> bytes: ...
    @property
    def passed(self) -> bytes: ...
    @property
    def attributes(self) -> bytes: ...


def squeezed(held: Any) -> bytes:
    """Plain data of a module that is seldom asked for, in a tenth of the memory; nothing if it is empty."""
    return zlib.compress(marshal.dumps(held), 1) if held else b""


def unsqueezed(data: bytes) -> Any:
    """What `squeezed` was given; empty if it was."""
    return marshal.loads(zlib.decompress(data)) if data else ()


def module_of(key: str) -> str:
    """Key of the module of a class's or function's key.

    It is empty or ends in a colon; names of classes and functions in paths have none.
    """
    return key[: key.find(":") + 1]
