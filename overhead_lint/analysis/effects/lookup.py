"""Finds what an API does by its name, step by step: names are nodes of a tree of symbols."""

from __future__ import annotations

import functools
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects import signatures
from overhead_lint.analysis.effects.effect import NOTHING_KNOWN, Effect, Tells
from overhead_lint.analysis.effects.frozen.effects import EFFECTS, FAMILIES, NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from overhead_lint.analysis.effects.tables import Row

__all__ = [
    "TENSOR",
    "Symbol",
    "add",
    "base_hooks",
    "compilers",
    "effect",
    "ends",
    "names_telling",
    "names_where",
    "qualified_where",
    "symbol",
]


class Symbol:
    """A module, class, function, method or attribute by its qualified name.

    Attributes:
        name: the qualified name.
    """

    __slots__ = ("_effect", "_members", "_steps", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._steps: dict[str, Symbol] = {}
        self._effect: Effect | None = None
        self._members: dict[str, Effect] | None = None

    def step(self, attribute: str) -> Symbol:
        """The symbol of an attribute of this one."""
        found = self._steps.get(attribute)
        if found is None:
            found = self._steps[attribute] = Symbol(f"{self.name}.{attribute}" if self.name else attribute)
        return found

    @property
    def effect(self) -> Effect:
        """What a call does, or the attribute is; `NOTHING_KNOWN` where no table says anything."""
        if self._effect is None:
            self._effect = _found(self.name)
        return self._effect

    @property
    def members(self) -> Mapping[str, Effect]:
        """The attributes that tables name, with what they do."""
        if self._members is None:
            self._members = dict(_held(self.name))
        return self._members

    def add(self, attribute: str, found: Effect) -> None:
        """Note what an attribute does, from a table of a pack, in place of what was known."""
        assert self.members is self._members
        self._members[attribute] = found

    def forget(self) -> None:
        """Find what this and all below do anew when they are asked for: a table has come."""
        self._effect = None
        for one in self._steps.values():
            one.forget()


def _held(scope: str) -> Iterator[tuple[str, Effect]]:
    for number, names in NAMES.get(scope, {}).items():
        for name in names.split():
            yield name, EFFECTS[number]


_ROOT: Final = Symbol("")
_KNOWN: Final[dict[str, Symbol]] = {"": _ROOT}
_ATEN: Final = "torch.ops.aten."
# Scopes whose members are no aliases, so that their signatures need not be loaded to know.
_FIRST: Final = frozenset({"torch", "torch.Tensor", "torch.nn", "torch.nn.Module"})
# The packages that tables speak of.
_PACKAGES: Final = {scope.partition(".")[0] for scope in (*NAMES, *FAMILIES)}
# Patterns of packs by scope, which count before those of the frozen tables.
_OF_PACKS: Final[dict[str, list[tuple[str, Effect]]]] = {}


def symbol(name: str) -> Symbol:
    """The symbol of a qualified name: ``torch.nn.functional.pad``; of a method ``torch.Tensor.item``."""
    found = _KNOWN.get(name)
    if found is None:
        scope, _, last = name.rpartition(".")
        found = _KNOWN[name] = symbol(scope).step(last)
    return found


def effect(name: str) -> Effect:
    """What a call of an API does, by its qualified name; `NOTHING_KNOWN` where no table says anything."""
    found = _KNOWN.get(name)
    if found is not None:
        return found.effect
    # Names of the project that is linted are many, and no symbols of ours.
    return symbol(name).effect if is_described(name) else NOTHING_KNOWN


TENSOR: Final = symbol("torch.Tensor")
"""The class of tensors: its steps are their methods and attributes."""


def _found(name: str) -> Effect:
    """What a table says of a name, of the name that it is an alias of, or of a pattern."""
    names = [name]
    if name.startswith(_ATEN):
        operator = name[len(_ATEN) :]
        names += [f"torch.{operator}", f"aten.{operator}"]
    elif name.startswith("torch.") and name.rpartition(".")[0] not in _FIRST and _exact(name) is None:
        names.append(signatures.canonical(name))
    for known in names:
        if (exact := _exact(known)) is not None:
            return exact
    return _of_pattern(name)


def _exact(name: str) -> Effect | None:
    scope, _, last = name.rpartition(".")
    return symbol(scope).members.get(last)


def _of_pattern(name: str) -> Effect:
    """What the first pattern says that fits a name: in its own scope, or with ``**`` in one above."""
    scope, _, _ = name.rpartition(".")
    above = scope
    while above:
        rest = name[len(above) + 1 :]
        for pattern, found in _patterns(above):
            if (above is scope or "**" in pattern) and fnmatchcase(rest, pattern):
                return found
        above = above.rpartition(".")[0]
    return NOTHING_KNOWN


def _patterns(scope: str) -> Iterator[tuple[str, Effect]]:
    yield from _OF_PACKS.get(scope, ())
    for pattern, number in FAMILIES.get(scope, ()):
        yield pattern, EFFECTS[number]


def names_where(scope: str, holds: Callable[[Effect], bool]) -> frozenset[str]:
    """The names in a scope of which something holds; without what only patterns tell of."""
    return frozenset(name for name, found in symbol(scope).members.items() if holds(found))


@functools.cache
def names_telling(what: Tells) -> frozenset[str]:
    """The names of methods and attributes, of whatever class, that tell one of some things: by our tables."""
    return frozenset(name for _, name, _ in _all(lambda found: bool(found.tells & what)))


def qualified_where(holds: Callable[[Effect], bool]) -> frozenset[str]:
    """The qualified names of which our tables say that something holds; without those of patterns."""
    return frozenset(f"{scope}.{name}" for scope, name, _ in _all(holds))


@functools.cache
def compilers() -> frozenset[str]:
    """The qualified names of what compiles the function or module that it is given."""
    return qualified_where(lambda found: found.compiles)


@functools.cache
def compile_settings() -> Mapping[str, tuple[str, ...]]:
    """The parameters by which classes are told whether modules are compiled, by their qualified names."""
    told = _all(lambda found: bool(found.asks_compiled))
    return {f"{scope}.{name}": found.asks_compiled for scope, name, found in told}


@functools.cache
def words_for_compiled() -> frozenset[str]:
    """The parameters by which these classes are told; without those that the compiler itself has."""
    told = _all(lambda found: bool(found.asks_compiled))
    named = {word for _, _, found in told for word in found.asks_compiled}
    return frozenset(named - {"backend", "mode", "options"})


@functools.cache
def base_hooks() -> Mapping[str, frozenset[str]]:
    """The methods that each step runs of classes that derive from a base class, by its plain name."""
    return {name: found.hooks for _, name, found in _all(lambda found: bool(found.hooks))}


@functools.cache
def ends() -> Mapping[str, tuple[int, ...]]:
    """The versions of torch since which there is an API no more, by qualified name."""
    return {f"{scope}.{name}": found.until for scope, name, found in _all(lambda found: bool(found.until))}


def _all(holds: Callable[[Effect], bool]) -> Iterator[tuple[str, str, Effect]]:
    """Yield scope, name and effect of all in our tables of whose effect something holds.

    A few hundred effects have thousands of names: each is asked once.
    """
    wanted = {number: found for number, found in enumerate(EFFECTS) if holds(found)}
    for scope, held in NAMES.items():
        for number, names in held.items():
            if number in wanted:
                yield from ((scope, name, wanted[number]) for name in names.split())


def is_described(path: str) -> bool:
    """Return whether a path leads into a package that tables speak of."""
    return path.partition(".")[0] in _PACKAGES


def add(rows: Iterable[Row]) -> None:
    """Add a table: what it says of a name counts in place of what was known."""
    for row in rows:
        _PACKAGES.add(row.scope.partition(".")[0])
        for name in row.names:
            if any(sign in name for sign in "*?["):
                _OF_PACKS.setdefault(row.scope, []).append((name, row.effect))
            else:
                symbol(row.scope).add(name, row.effect)
            if row.signature:
                signatures.add(f"{row.scope}.{name}", row.signature)
    _ROOT.forget()
