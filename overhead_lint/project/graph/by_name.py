"""Functions that only a name leads to: a method's, or a parameter's."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.graph.related_packages import Related
from overhead_lint.project.method_names import tells, tells_its_method
from overhead_lint.project.module_index import module_of, unsqueezed
from overhead_lint.project.path_syntax import DECORATED, PARAMETER
from overhead_lint.project.via import VIA_CALL, VIA_COMPILE, VIA_NAME

if TYPE_CHECKING:
    from overhead_lint.project.graph.follower import Follower
    from overhead_lint.project.graph.project_tables import Plain, Tables
    from overhead_lint.project.module_index import Module
    from overhead_lint.project.via import Via

__all__ = ["REMEMBERED", "ByName", "Handed"]

Handed = Iterable[tuple[str, str, str]]
Slot = tuple[str, str]
"""A function and the name of one of its parameters."""

REMEMBERED: Final = 64
"""How many modules' paths are followed before it is forgotten where they led to."""


_SLOT: Final = re.compile(rf"{PARAMETER}({re.escape(DECORATED)}|\w+)(.*)")
"""A parameter, and what leads on from what it is given."""
_MOST_HOLDERS: Final = 400
# More functions than these under one name, and nobody can say which one is meant.
_MOST_PATCHES: Final = 8


class ByName:
    """Finds functions by names.

    Args:
        follower: follows paths.
        functions_of: gives the functions that a path leads to, whatever way: see `Resolver.functions_of`.
        forget: lets go of what was found out along the way.
        modules: the modules by key.
        tables: what was found out before of all modules, which are not asked for it then.
    """

    def __init__(
        self,
        follower: Follower,
        functions_of: Callable[[str, str, Via], tuple[str, ...]],
        forget: Callable[[], None],
        modules: Mapping[str, Module],
        tables: Tables | None = None,
    ) -> None:
        self._follower = follower
        self._functions_of = functions_of
        self._forget = forget
        self._families = follower.families
        self._modules = modules
        self._tables = tables
        self._patched: dict[str, list[tuple[str, str]]] = tables.patched if tables else {}
        self._with_method: dict[str, list[str]] = tables.methods if tables else {}
        for key, module in modules.items() if tables is None else ():
            for name, path in module.patches:
                self._patched.setdefault(name, []).append((key, path))
        for key, cls in self._families.classes.items() if tables is None else ():
            for method in cls.methods:
                self._with_method.setdefault(method, []).append(key)
        self.related = Related(modules, tables.related if tables else None)
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def tables(self) -> tuple[Plain, Plain, Plain, Plain]:
        """Methods, patches, what is handed over, and packages: see `project_tables.Tables`."""
        return (
            self._with_method,
            self._patched,
            self.handed,
            self.related.packages(),
        )

    def functions(self, module: str, target: str, via: Via) -> Iterator[str]:
        """Keys of the functions that the target of an edge in a module may mean.

        Args:
            module: the module.
            target: the target, of `Via.METHOD` or `Via.COMPILE`.
            via: which of them.
        """
        name, _, holder = target.partition("@")
        slot = _SLOT.fullmatch(name)
        if slot is not None:
            parameter, steps = slot.groups()
            given = self.handed.get((module + holder, parameter), ())
            if parameter == DECORATED:
                yield from filter(None, (self._function_at(*one) for one in given))
                return
            if steps or via is VIA_COMPILE:
                yield from self._run_on(given, steps, via if via is VIA_COMPILE else VIA_NAME)
                return
            yield from self._found(given)
        yield from self.methods(module, name)

    def _run_on(self, given: Collection[tuple[str, str]], steps: str, via: Via) -> Iterator[str]:
        """What some steps lead to from what a function is handed, unless this is too much: methods, parts."""
        for module, path in given if len(given) <= _MOST_PATCHES else ():
            yield from self._functions_of(module, path + steps, via)

    def methods(self, module: str, name: str) -> tuple[str, ...]:
        """The methods that a name in a module may mean, and functions put in their place.

        Those of packages that have nothing to do with the module's do not count; the others have to be of one
        family of classes.
        """
        if not (tells(name[1:]) if name.startswith(PARAMETER) else tells_its_method(name)):
            return ()
        asked = self.related.package(module), name
        known = self._known.get(asked)
        if known is None:
            known = self._known[asked] = tuple(self._methods(module, name))
        return known

    def _methods(self, module: str, name: str) -> Iterator[str]:
        patched = self._patched.get(name, ())
        yield from self._found([put for put in patched if self.related.are(module, put[0])])
        holders = self._with_method.get(name, ())
        if len(holders) <= _MOST_HOLDERS:
            holders = [one for one in holders if self.related.are(module, module_of(one))]
            if len({self._families.eldest(holder) for holder in holders}) == 1:
                for holder in holders:
                    yield f"{holder}.{name}"

    def _found(self, paths: Iterable[tuple[str, str]]) -> Iterator[str]:
        """The functions that paths of modules lead to, unless they are too many."""
        paths = list(paths)
        for module, path in paths if len(paths) <= _MOST_PATCHES else ():
            function = self._function_at(module, path)
            if function:
                yield function

    def _function_at(self, module: str, path: str) -> str:
        """Key of the function that a path leads to which is written in a module; "" if it leads to none."""
        entity = self._follower.follow(module, path)
        return entity.key if entity is not None and entity.what == "function" else ""

    def _takes(self, function: str) -> tuple[str, ...]:
        """The parameters given by place of a function that calls one of them."""
        home = module_of(function)
        module = self._modules.get(home) if home else None
        return module.takes.get(function[len(home) :], ()) if module is not None else ()

    def hand_otherwise(self, module: str, now: Handed) -> frozenset[str]:
        """Take note of what a module hands to calls now; gives functions of others that are handed others.

        Args:
            module: its key.
            now: what it hands over, as `overhead_lint.project.callbacks.handed` gives it.

        Returns:
            Their keys.
        """
        handed, new = self.handed, self._handed_by(module, now)
        order = {key: number for number, key in enumerate(self._modules)}
        found = set()
        for slot in handed.keys() | new.keys():
            known = handed.get(slot, [])
            given = [one for one in known if one[0] != module] + new.get(slot, [])
            given.sort(key=lambda one: order[one[0]])  # as it is found in a run without a cache
            if given == known:
                continue
            handed[slot] = given
            if module_of(slot[0]) != module:
                found.add(slot[0])
        return frozenset(found)

    def _handed_by(self, module: str, handed: Handed) -> dict[Slot, list[tuple[str, str]]]:
        """What a module hands over, by what takes it."""
        found: dict[Slot, list[tuple[str, str]]] = {}
        for callee, place, path in handed:
            for function in self._functions_of(module, callee, VIA_CALL):
                names = self._takes(function)
                name = "".join(names[int(place) : int(place) + 1]) if place.isdigit() else place
                if name in names:
                    found.setdefault((function, name), []).append((module, path))
        return found

    @cached_property
    def handed(self) -> dict[Slot, list[tuple[str, str]]]:
        """What calls hand to parameters of functions that call these or methods on them: modules, paths."""
        if self._tables is not None:
            return self._tables.handed
        found: dict[Slot, list[tuple[str, str]]] = {}
        for number, (key, module) in enumerate(self._modules.items(), 1):
            if number % REMEMBERED == 0:
                self._forget()
            for slot, given in self._handed_by(key, unsqueezed(module.handed)).items():
                found.setdefault(slot, []).extend(given)
        return found
