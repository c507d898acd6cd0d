"""What paths stand for, by kind: followed through all files of a project."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.classes import AUTOGRAD_FUNCTION
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF
from overhead_lint.project.classes import is_torch_module
from overhead_lint.project.graph.by_name import REMEMBERED
from overhead_lint.project.graph.entity import last_step
from overhead_lint.project.kinds.abstract_value import (
    MODULE,
    OBJECT,
    TENSOR,
    TENSORS_AND_MODULES,
    UNKNOWN,
    AbstractValue,
    decoded,
    encoded,
    holding,
    holds,
    item,
    join,
)
from overhead_lint.project.kinds.argument_letters import agreed
from overhead_lint.project.kinds.given_names import HELD, STUB, held
from overhead_lint.project.module_index import module_of, unsqueezed
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, ITEM, MANY
from overhead_lint.project.via import Via
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.project.cross_file import Dependencies
    from overhead_lint.project.graph.entity import Entity
    from overhead_lint.project.graph.project_tables import Tables
    from overhead_lint.project.graph.resolver import Resolver
    from overhead_lint.project.module_index import Module

__all__ = ["KindPaths", "Passes"]

Passes = Iterable[tuple[str, tuple[str, ...]]]

_DEEPEST: Final = 8
_VALUES: Final = frozenset(Kind) - {Kind.UNKNOWN, Kind.OBJECT}
# More methods than these may run, and nobody can say which.
_MOST_OVERRIDES: Final = 24
_PLAIN_BASES: Final = frozenset(
    """object abc.ABC enum.Enum enum.IntEnum enum.StrEnum str typing.Generic typing.NamedTuple typing.Protocol
    Exception""".split()  # noqa: SIM905
)


class KindPaths:
    """Tells the kinds of what paths stand for.

    Args:
        resolver: follows paths.
        modules: the modules by key.
        tables: what was found out before of all modules, which are not asked for it then.
    """

    def __init__(
        self, resolver: Resolver, modules: Mapping[str, Module], tables: Tables | None = None
    ) -> None:
        self._resolver = resolver
        self._follower = resolver.follower
        self._families = resolver.families
        self._modules = modules
        self._tables = tables
        self._known: dict[tuple[str, str], AbstractValue] = {}
        self._given_by: dict[str, dict[str, str]] = {}
        self._starred: dict[str, frozenset[str]] = {}

    def pass_otherwise(self, module: str, before: Passes, now: Passes) -> frozenset[str] | None:
        """Take note of what a module passes now; gives the functions that are passed other kinds by it.

        Args:
            module: its key.
            before: paths of what it called, with what it passed, as `passed_on` gives it.
            now: the same as it is now.

        Returns:
            keys; None if what is known of all modules is not what it was told to be.
        """
        old, new = (self._passed_by(module, one) for one in (before, now))
        found = set()
        for function in old.keys() | new.keys():
            known = self.passed.get(function, [])
            slots = list(known)
            for slot in old.get(function, ()):
                if slot not in slots:
                    return None
                slots.remove(slot)
            slots += new.get(function, ())
            self.passed[function] = slots
            if set(slots) != set(known):
                found.add(function)
        return frozenset(found)

    def _passed_by(self, module: str, passed: Passes) -> dict[str, list[str]]:
        """For each function of another module what a module passes to it."""
        found: dict[str, list[str]] = {}
        for path, slots in passed:
            for function in self._resolver.functions_of(module, path, Via.CALL):
                if module_of(function) != module:
                    found.setdefault(function, []).extend(slots)
        return found

    def told(self, module: str, dependencies: Dependencies) -> tuple[tuple[str, str], ...]:
        """Return what paths that are written in a module stand for, each with its kind as `encoded` gives it.

        Nothing if that can hardly change what rules find: what is no tensor and no module makes none speak
        that did not, and they would look into most files once more.
        """
        found = [(path, self._of(module, path, 0)) for path in dependencies.kinds]
        if not any(
            holds(what, _VALUES if path in dependencies.found_by else TENSORS_AND_MODULES)
            for path, what in found
        ):
            return ()
        texts = ((path, encoded(what)) for path, what in found)
        return tuple(one for one in texts if one[1])

    def forget(self) -> None:
        """Forget what was found out along the way."""
        self._known.clear()
        self._given_by.clear()

    def _of(self, module: str, path: str, depth: int) -> AbstractValue:
        asked = module, path
        known = self._known.get(asked)
        if known is None:
            if depth > _DEEPEST:
                return UNKNOWN
            self._known[asked] = UNKNOWN  # for a cycle
            known = self._known[asked] = self._found(module, path, depth)._replace(of="")
        return known

    def _found(self, module: str, path: str, depth: int) -> AbstractValue:
        if path.startswith(PARAMETER_OF):
            return self._parameter(module, path)
        before, step = last_step(path)
        if step == ITEM:
            return item(self._of(module, before, depth + 1))
        if step == MANY:
            return holding(self._of(module, before, depth + 1))
        if not before:
            return UNKNOWN
        entity = self._follower.follow(module, before)
        if step in (INSTANCE, ANY_INSTANCE):
            if entity is not None:
                return self._called(entity, depth)
            return self._applied(module, before, depth)
        return self._attribute(entity, step, depth) if entity is not None else UNKNOWN

    def _parameter(self, module: str, path: str) -> AbstractValue:
        """What the calls of other files pass for a parameter."""
        function, name, place = path.removeprefix(PARAMETER_OF).split(":")
        slots = self.passed.get(module + function, ())
        letters = [slot[-1] for slot in slots if slot[:-1] in (name, place)]
        return decoded(agreed(letters), lambda path: UNKNOWN)

    @cached_property
    def passed(self) -> dict[str, list[str]]:
        """For each function what calls of other files pass, by place and keyword."""
        if self._tables is not None:
            return self._tables.passed
        found: dict[str, list[str]] = {}
        for number, (key, module) in enumerate(self._modules.items(), 1):
            for function, slots in self._passed_by(key, unsqueezed(module.passed)).items():
                found.setdefault(function, []).extend(slots)
            if number % REMEMBERED == 0:
                self._resolver.forget()
        return found

    def _called(self, entity: Entity, depth: int) -> AbstractValue:
        """What calling something gives."""
        if entity.what == "class":
            return self._instance(entity.key)
        if entity.what == "function":
            return self._given(entity.key, entity.family, depth)
        if entity.what == "instance":
            for name in ("__call__", "forward"):
                method = self._families.method(entity.key, name)
                if method:
                    return self._given(method, entity.family, depth)
        return UNKNOWN

    def _applied(self, module: str, path: str, depth: int) -> AbstractValue:
        """What ``apply`` of an autograd function gives: what its ``forward`` does, but for the device."""
        before, step = last_step(path)
        entity = self._follower.follow(module, before) if before and step == "apply" else None
        if entity is None or entity.what != "class" or not self._is(entity.key, AUTOGRAD_FUNCTION):
            return UNKNOWN
        forward = self._families.method(entity.key, "forward")
        found = self._given(forward, "", depth) if forward else UNKNOWN
        return found if found.kind is Kind.OBJECT else TENSOR

    def _instance(self, cls: str) -> AbstractValue:
        """What an instance of a class is."""
        above = self._families.ancestors(cls)
        if any(is_torch_module(base) for base in above):
            return MODULE
        if "torch.Tensor" in above:
            return TENSOR
        outside = [base for base in above if "." in base and base not in _PLAIN_BASES]
        return UNKNOWN if outside else OBJECT

    def _is(self, cls: str, bases: frozenset[str]) -> bool:
        return not bases.isdisjoint(self._families.ancestors(cls))

    def _given(self, function: str, family: str, depth: int) -> AbstractValue:
        """What a function gives, and on instances of a family what may run in its stead."""
        others = self._families.overriding(function, family) if family else ()
        if len(others) > _MOST_OVERRIDES:
            return UNKNOWN
        texts = [(one, self._text(one)) for one in dict.fromkeys((function, *others))]
        texts = [(one, text) for one, text in texts if text != STUB]
        if not texts or not all(text for _, text in texts):
            return UNKNOWN
        return join(self._decoded(module_of(one), text, depth) for one, text in texts)

    def _text(self, function: str) -> str:
        home = module_of(function)
        return self._gives(home).get(function[len(home) :], "")

    def _gives(self, module: str) -> Mapping[str, str]:
        """Kinds of what functions of a module give, and of what its attributes and constants hold."""
        known = self._given_by.get(module)
        if known is None:
            known = self._given_by[module] = dict(unsqueezed(self._modules[module].gives))
        return known

    def _decoded(self, module: str, text: str, depth: int) -> AbstractValue:
        return decoded(text, lambda path: self._of(module, path, depth + 1))

    def _attribute(self, entity: Entity, name: str, depth: int) -> AbstractValue:
        """What an attribute of something is."""
        if entity.what == "module":
            return self._constant(entity.key, name, depth)
        if entity.what == "property":
            made = self._follower.made_by(entity)
            return (
                self._attribute(made, name, depth + 1) if made is not None and depth < _DEEPEST else UNKNOWN
            )
        if entity.what not in ("class", "instance"):
            return UNKNOWN
        for cls in self._families.lineage(entity.key):
            home = module_of(cls)
            own = cls[len(home) :]
            text = self._gives(home).get(held(own, name))
            if text:
                return self._decoded(home, text, depth)
            if name in self._families.properties(cls):
                return self._given(f"{cls}.{name}", entity.family, depth)
        return UNKNOWN

    def _constant(self, module: str, name: str, depth: int) -> AbstractValue:
        """What a name of a module's top level is."""
        index = self._modules[module]
        text = self._gives(module).get(held("", name))
        if text:
            return self._decoded(module, text, depth)
        path = index.names.get(name)
        if path is not None:
            return self._of(module, path, depth + 1)
        if depth >= _DEEPEST or name not in self._starred_names(module):
            return UNKNOWN
        found = [self._constant(key, name, depth + 1) for key in self._follower.stars(module)]
        return next((what for what in found if what.kind is not Kind.UNKNOWN), UNKNOWN)

    def _starred_names(self, module: str) -> frozenset[str]:
        """What modules say of names that one imports from them with a star, directly or not.

        Modules that star-import each other are many paths: without names in them none is followed.
        """
        known = self._starred.get(module)
        if known is None:
            queue = list(self._follower.stars(module))
            seen = set(queue)
            names: set[str] = set()
            for one in queue:
                names.update(self._modules[one].names)
                names.update(key[len(HELD) :] for key in self._gives(one) if key.startswith(HELD))
                above = [star for star in self._follower.stars(one) if star not in seen]
                seen.update(above)
                queue += above
            known = self._starred[module] = frozenset(names)
        return known
