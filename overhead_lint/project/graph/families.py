"""The classes of a project: what they derive from, what derives from them, and whose methods they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from overhead_lint.project.module_index import module_of, unsqueezed
from overhead_lint.project.path_syntax import STARRED, SUPER

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.project.graph.entity import Entity
    from overhead_lint.project.graph.project_tables import Tables
    from overhead_lint.project.module_index import ClassSummary, Module

__all__ = ["Families"]

# Families of more classes than this, most of a project, are not looked through to the end.
_MOST_OVERRIDES: Final = 400
# Families of many classes are asked for many methods: more than this is forgotten before that of modules is.
_MOST_METHODS: Final = 10_000


class Families:
    """Knows the classes of a project by their keys.

    Args:
        modules: the modules by key; followed by a class's name in paths, that is the class's key.
        follow: finds what the paths lead to that bases are given by, in the modules of their classes. Heirs
            are known once `find_heirs` has been called, which needs it.
        tables: what was found out before of all modules, which are then only asked for single classes.

    Attributes:
        classes: what is known of the classes, by key.
    """

    def __init__(
        self,
        modules: Mapping[str, Module],
        follow: Callable[[str, str], Entity | None],
        tables: Tables | None,
    ) -> None:
        self.classes: Mapping[str, ClassSummary] = _Classes(modules) if tables else _all_classes(modules)
        self._modules = modules
        self._tables = tables
        self._follow = follow
        self._heirs: dict[str, list[str]] = tables.heirs if tables else {}
        self._base_keys: dict[str, tuple[str, ...]] = tables.bases if tables else {}
        # What was found out along the way.
        self._holders: dict[str, frozenset[str]] = {}  # by a method's name
        self._methods: dict[tuple[str, str], str] = {}  # by class and name
        self._family_methods: dict[tuple[str, str], tuple[str, ...]] = {}  # by family and name
        self._ancestors: dict[str, frozenset[str]] = {}
        self._attributes: dict[str, dict[str, str]] = {}
        self._apart: dict[str, frozenset[str]] = {}  # by method

    def find_heirs(self) -> None:
        """Find out which classes derive from which."""
        for key in self.classes:
            for base in self.bases(key):
                self._heirs.setdefault(base, []).append(key)

    def tables(self) -> tuple[dict[str, tuple[str, ...]], dict[str, list[str]]]:
        """The bases of classes, where there are any, and the heirs of classes: what `Tables` keep of them."""
        return {key: bases for key, bases in self._base_keys.items() if bases}, self._heirs

    def forget(self) -> None:
        """Forget what was found out along the way."""
        for known in (self._methods, self._family_methods, self._ancestors, self._attributes, self._apart):
            known.clear()

    def forget_methods(self) -> None:
        """Forget which methods classes have, if they are very many."""
        if len(self._methods) > _MOST_METHODS:
            self._methods.clear()

    def is_class(self, key: str) -> bool:
        """Whether a key is that of a class."""
        return key in self.classes

    def bases(self, cls: str) -> tuple[str, ...]:
        """Keys of the bases of a class that are classes of the project."""
        known = self._base_keys.get(cls)
        if known is not None:
            return known
        if self._tables is not None:
            return ()
        found: list[str] = []
        for base in self.classes[cls].bases:
            entity = self._follow(module_of(cls), base)
            if entity is not None and entity.what == "class" and entity.key != cls:
                found.append(entity.key)
        known = self._base_keys[cls] = tuple(found)  # most have none, and the empty tuple is one object
        return known

    def lineage(self, cls: str) -> Iterator[str]:
        """A class and those that it derives from, as far as they are the project's, nearest first."""
        queue, seen = [cls], {cls}
        for one in queue:
            yield one
            above = [base for base in self.bases(one) if base not in seen]
            seen.update(above)
            queue += above

    def eldest(self, cls: str) -> str:
        """The first of the classes of the project that a class derives from."""
        seen = {cls}
        while True:
            above = next((base for base in self.bases(cls) if base not in seen), None)
            if above is None:
                return cls
            cls = above
            seen.add(cls)

    def ancestors(self, cls: str) -> frozenset[str]:
        """Names of the classes that a class derives from: dotted ones for those outside of the project."""
        known = self._ancestors.get(cls)
        if known is not None:
            return known
        self._ancestors[cls] = frozenset()  # for a cycle
        found: set[str] = set()
        for base in self.classes[cls].bases:
            entity = self._follow(module_of(cls), base)
            if entity is None:
                found.add(base.removeprefix(STARRED))
            elif entity.what == "outside":
                found.add(entity.key)
            elif entity.what == "class":
                found |= {entity.key.rpartition(".")[2], *self.ancestors(entity.key)}
        known = self._ancestors[cls] = frozenset(found)
        return known

    def properties(self, cls: str) -> tuple[str, ...]:
        """Names of the properties that a class defines."""
        return self.classes[cls].properties

    def attributes(self, cls: str) -> dict[str, str]:
        """The attributes that a class sets itself, with paths to what they hold."""
        known = self._attributes.get(cls)
        if known is None:
            home = module_of(cls)
            all_known = self._attributes
            data = self._modules[home].attributes
            if data:
                for name, attributes in unsqueezed(data).items():
                    all_known[home + name] = attributes
            known = all_known.setdefault(cls, dict(self.classes[cls].attributes))
        return known

    def method(self, cls: str, name: str) -> str:
        """Key of the definition of a method that a class has or inherits; "" if there is none."""
        asked = (cls, name)
        known = self._methods.get(asked)
        if known is None:
            self._methods[asked] = ""  # for a cycle
            own = self._defines(cls, name)
            known = ""
            if own is not None:
                known = f"{cls}.{name}" if own else self.inherited(cls, name)
            self._methods[asked] = known
        return known

    def _defines(self, cls: str, name: str) -> bool | None:
        """Whether a class has a definition of a method itself; None if it is no class that is known."""
        if self._tables is not None:  # of most of the classes of a family nothing else is asked
            holders = self._holders.get(name)
            if holders is None:
                holders = self._holders[name] = frozenset(self._tables.methods.get(name, ()))
            return cls in holders
        summary = self.classes.get(cls)
        return name in summary.methods if summary is not None else None

    def inherited(self, cls: str, name: str) -> str:
        """Key of the definition of a method that a class inherits; "" if there is none."""
        for base in self.bases(cls):
            found = self.method(base, name)
            if found:
                return found
        return ""

    def overriding(self, method: str, family: str) -> tuple[str, ...]:
        """The methods that may run in a method's stead on an instance of a class derived from `family`."""
        if not family:
            return ()
        asked = family, method[method.rfind(".") + 1 :]
        known = self._family_methods.get(asked)
        if known is None:
            known = self._family_methods[asked] = tuple(self._heirs_methods(*asked))
        return known

    def running(self, method: str, found: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the methods that `self` may mean in a method: of classes that have the method itself.

        A class that has another method in its stead, which does not run what it overrides, never comes there.

        Args:
            method: key of the method that calls them on ``self``.
            found: their keys.
        """
        cls, _, name = method.rpartition(".")
        known = self._apart.get(method)
        if known is None:
            known = self._apart[method] = self._heirs_apart(cls, name) if cls in self.classes else frozenset()
        if not known:
            return found
        return tuple(one for one in found if one.rpartition(".")[0] not in known)

    def _heirs_apart(self, cls: str, name: str) -> frozenset[str]:
        """Classes derived from a class of which neither they nor their heirs run its method of a name."""
        heirs, stack = {cls}, [cls]
        while stack and len(heirs) < _MOST_OVERRIDES:
            above = stack.pop()
            stack += [one for one in self._heirs.get(above, ()) if one not in heirs]
            heirs.update(self._heirs.get(above, ()))
        if len(heirs) == 1 or len(heirs) >= _MOST_OVERRIDES:
            return frozenset()
        run = {one for one in heirs if self._may_run(one, cls, name)}
        # What one of them inherits may be from a class that is apart itself, or from one beside the family.
        return frozenset(heirs.difference(*map(self.lineage, run))) - {cls}

    def _may_run(self, heir: str, cls: str, name: str) -> bool:
        """Whether a class's method runs on instances of an heir: itself, or by way of what overrides it."""
        for one in self.lineage(heir):
            summary = self.classes[one]
            if one == cls or name in summary.extending:
                return True
            if name in summary.methods and SUPER + name not in summary.extending:
                return False
        return True

    def _heirs_methods(self, family: str, name: str) -> Iterator[str]:
        """Methods of this name of classes derived from a class, also from others of their bases."""
        stack, seen = [family], {family}
        while stack and len(seen) < _MOST_OVERRIDES:
            for heir in self._heirs.get(stack.pop(), ()):
                if heir not in seen:
                    seen.add(heir)
                    stack.append(heir)
                    found = self.method(heir, name)
                    if found:
                        yield found


class _Classes(Mapping[str, "ClassSummary"]):
    """The classes of modules that are read when they are asked for: nobody asks for all."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._modules = modules

    def __getitem__(self, key: str) -> ClassSummary:
        home = module_of(key)
        return self._modules[home].classes[key[len(home) :]]

    def __iter__(self) -> Iterator[str]:
        raise NotImplementedError("what was found out of all classes is kept in tables")

    def __len__(self) -> int:
        raise NotImplementedError("what was found out of all classes is kept in tables")


def _all_classes(modules: Mapping[str, Module]) -> dict[str, ClassSummary]:
    """The classes of modules, by key."""
    return {key + name: cls for key, module in modules.items() for name, cls in module.classes.items()}
