"""Follows paths through the modules of a project, to what they stand for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.texts.lookups import LOOKUPS
from overhead_lint.project.graph.entity import MARKS, Entity, each_of, either, steps_of
from overhead_lint.project.graph.families import Families
from overhead_lint.project.graph.module_search import Places, is_package
from overhead_lint.project.module_index import module_of
from overhead_lint.project.path_syntax import ALTERNATIVE, ANY_INSTANCE, INSTANCE, ITEM, MANY, STARRED, SUPER

if TYPE_CHECKING:
    from overhead_lint.project.graph.project_tables import Tables
    from overhead_lint.project.module_index import Module

__all__ = ["Follower"]

# Paths stand for paths of other modules, and these for more, maybe in a circle: so far they are followed.
_DEEPEST: Final = 12
# What is not found from here is nowhere; from further down the search may have ended at `_DEEPEST`.
_SHALLOW: Final = 4


class Follower:
    """Follows paths, as `overhead_lint.project.paths` describes them, to what they stand for.

    Every path is written in a module, and a step at a time leads from one `Entity` to the next: first to what
    its beginning names in the module or the project, then to members, attributes, what is called, and items.
    Modules, classes and functions are known by keys: that of a module is empty or ends in the only colon that
    is in it, and with a function's or class's name in paths behind it, it is theirs.

    Args:
        modules: the modules, by key.
        tables: what was found out before of all modules, which are not asked for it then.

    Attributes:
        families: the classes of the modules.
    """

    def __init__(self, modules: Mapping[str, Module], tables: Tables | None = None) -> None:
        self._modules = modules
        self._by_name: dict[str, str] = {}
        self._followed: dict[str, dict[str, Entity | None]] = defaultdict(dict)  # by module and path
        self._members: dict[tuple[str, str], Entity | None] = {}  # by module and name
        self._star_keys: dict[str, tuple[str, ...]] = {}
        for key, module in modules.items():
            self._by_name.setdefault(module.name, key)
        self._places = Places(modules)
        for name, key in self._places.from_root.items():
            self._by_name.setdefault(name, key)
        self.families = Families(modules, self.follow, tables)
        if tables is None:
            self.families.find_heirs()

    def forget(self) -> None:
        """Forget what was found out along the way: of a large project that is much to remember."""
        self._followed.clear()
        self._members.clear()
        self.families.forget()

    def release(self) -> None:
        """Let go of what refers back to it; no path is followed then."""
        del self.families

    def follow(self, module: str, path: str, depth: int = 0) -> Entity | None:
        """What a path leads to.

        Args:
            module: key of the module that it is written in.
            path: the path.
            depth: how many paths led to this one.

        Returns:
            What it stands for; None if nobody knows.
        """
        known = self._followed[module]
        if path in known:
            return known[path]
        if depth > _DEEPEST:
            return None
        known[path] = None  # for a cycle
        if ALTERNATIVE in path:
            parts = path.split(ALTERNATIVE)
            found = known[path] = either([self.follow(module, part, depth) for part in parts])
        else:
            found = known[path] = self._walk(module, path, depth)
        return found

    def offering(self, function: str) -> str:
        """Dotted name of the outermost package that offers a function, or its class, by its own name.

        Args:
            function: its key.

        Returns:
            The name; "" if no package around its module does, private ones left out.
        """
        home = module_of(function)
        name = function[len(home) + 1 :].partition(".")[0]
        module, wanted = self._modules[home], f"{home}.{name}"
        parts = module.name.split(".")
        for count in range(1, len(parts) + 1):
            package = ".".join(parts[:count])
            if count > 1 and parts[count - 1].startswith("_"):
                return ""
            key = self._by_name.get(package)
            if key is None or (key == home and not is_package(module.folder, module.name)):
                continue
            entity = self._member(key, name, 0)
            if entity is not None and entity.key == wanted:
                return package
        return ""

    def made_by(self, entity: Entity) -> Entity | None:
        """What reading a property, or calling a function, gives."""
        return self._returned(entity.key, 0)

    def stars(self, module: str) -> tuple[str, ...]:
        """Keys of the modules of the project whose names a module imports with a star."""
        keys = self._star_keys.get(module)
        if keys is None:
            keys = self._star_keys[module] = tuple(self._starred_modules(module))
        return keys

    def _walk(self, module: str, path: str, depth: int) -> Entity | None:
        """What the steps of a path lead to, one after the other."""
        steps = steps_of(path)
        count = next((i for i, step in enumerate(steps) if step in MARKS), len(steps))
        names = [step.lstrip(".") for step in steps[:count]]
        entity: Entity | None
        if path.startswith(SUPER):
            key = self._inherited_of(module, names)
            entity, left = (Entity("function", key) if key else None), []
        elif path.startswith(STARRED):
            entity, left = self._starred(module, names[0], depth), names[1:]
        elif path.startswith("."):
            entity, left = self._local(module, names)
        else:
            entity, left = self._absolute(module, names, depth)
        for step in (*left, *steps[count:]):
            if entity is None:
                return None
            if entity.others:
                entity = either([self._step(one, step, depth) for one in each_of(entity)])
            else:
                entity = self._step(entity, step, depth)
        return entity

    def _inherited_of(self, module: str, names: Sequence[str]) -> str:
        """Key of the method that ``super()`` finds in a class of a module; the method's name is the last."""
        cls = f"{module}.{'.'.join(names[:-1])}"
        return self.families.inherited(cls, names[-1]) if cls in self.families.classes else ""

    def _local(self, module: str, names: list[str]) -> tuple[Entity | None, list[str]]:
        """The definition that the longest beginning of dotted names stands for, and the names left."""
        index = self._modules[module]
        for count in range(len(names), 0, -1):
            name = "." + ".".join(names[:count])
            if name in index.classes:
                return Entity("class", module + name), names[count:]
            if name in index.functions:
                return self._function(module, name), names[count:]
        return None, []

    def _function(self, module: str, name: str) -> Entity:
        """A function of a module, or a property, which is called where it is read."""
        cls, _, last = name.rpartition(".")
        owner = self._modules[module].classes.get(cls)
        what = "property" if owner is not None and last in owner.properties else "function"
        return Entity(what, module + name)

    def _absolute(self, module: str, names: list[str], depth: int = 0) -> tuple[Entity | None, list[str]]:
        """The module that the longest beginning of dotted names stands for, and the names left."""
        folder = self._modules[module].folder
        for count in range(len(names), 0, -1):
            dotted = ".".join(names[:count])
            key = self._by_name.get(dotted)
            if key is None and folder:
                key = self._by_name.get(f"{folder}.{dotted}")
            if key is None and count > 1:
                key = self._places.find(names[0], dotted, folder)
            if key is not None and (key != module or count == len(names)):
                found = self._instead(key, depth) if count > 1 else None
                if found is not None and (
                    count == len(names) or self._member(key, names[count], depth + 1) is None
                ):
                    return found, names[count:]
                return Entity("module", key), names[count:]
        return Entity("outside", ".".join(names)), []

    def _instead(self, module: str, depth: int) -> Entity | None:
        """What its package has by a module's name: ``from .Trainer import Trainer`` puts the class there."""
        package, _, name = self._modules[module].name.rpartition(".")
        home = self._by_name.get(package)
        path = self._modules[home].names.get(name) if home is not None else None
        if home is None or path is None or depth > _DEEPEST:
            return None
        found = self.follow(home, path, depth + 1)
        return found if found is not None and found.what in ("class", "function", "instance") else None

    def _member(self, module: str, name: str, depth: int) -> Entity | None:
        """What a name of a module's top level stands for."""
        asked = module, name
        if asked in self._members:
            return self._members[asked]
        found = self._sought(module, name, depth)
        if found is not None or depth < _SHALLOW:  # deeper down, the search may have ended early
            self._members[asked] = found
        return found

    def _sought(self, module: str, name: str, depth: int) -> Entity | None:
        """What a name of a module's top level stands for, by what Python would find first."""
        index = self._modules[module]
        if f".{name}" in index.classes:
            return Entity("class", f"{module}.{name}")
        if f".{name}" in index.functions:
            return Entity("function", f"{module}.{name}")
        path = index.names.get(name)
        if path is not None:
            found = self.follow(module, path, depth + 1)
            if found is not None:
                return found
        inner = self._by_name.get(f"{index.name}.{name}")
        if inner is not None:
            return Entity("module", inner)
        return self._starred(module, name, depth)

    def _starred(self, module: str, name: str, depth: int) -> Entity | None:
        """What a star import of a module brings by a name."""
        if depth > _DEEPEST:
            return None
        for key in self.stars(module):
            found = self._member(key, name, depth + 1)
            if found is not None:
                return found
        return None

    def _starred_modules(self, module: str) -> Iterator[str]:
        """Keys of the modules of the project whose names a module imports with a star."""
        for star in self._modules[module].stars:
            entity, left = self._absolute(module, star.split("."))
            if entity is not None and entity.what == "module" and not left and entity.key != module:
                yield entity.key

    def _step(self, entity: Entity, step: str, depth: int) -> Entity | None:
        """What one more step of a path leads to: a container, an item, a call, or a name."""
        if step == MANY:
            return Entity("many", entity.key, "", entity)
        if step == ITEM:
            if entity.what == "instance":
                return self._returned(self.families.method(entity.key, "__getitem__"), depth)
            return entity.inner
        if step in (INSTANCE, ANY_INSTANCE):
            return self._called(entity, step, depth)
        name = step.lstrip(".")
        if entity.what == "many" and name in LOOKUPS:
            return entity._replace(what="look-up")
        if entity.what == "module":
            return self._member(entity.key, name, depth)
        if entity.what == "outside":
            return Entity("outside", f"{entity.key}.{name}")
        if entity.what == "property":
            made = self._returned(entity.key, depth)
            return self._step(made, step, depth + 1) if made is not None and depth < _DEEPEST else None
        if entity.what in ("class", "instance"):
            return self._attribute(entity, name, depth)
        return None

    def _called(self, entity: Entity, step: str, depth: int) -> Entity | None:
        """What calling something gives; for a class an instance."""
        if entity.what == "look-up":
            return entity.inner
        if entity.what == "class":
            return Entity("instance", entity.key, entity.key if step == ANY_INSTANCE else "")
        if entity.what == "function":
            return self._returned(entity.key, depth)
        if entity.what == "instance":
            key = self.families.method(entity.key, "__call__") or self.families.method(entity.key, "forward")
            return self._returned(key, depth)
        return None

    def _returned(self, function: str, depth: int) -> Entity | None:
        """What a function returns."""
        home = module_of(function)
        module = self._modules.get(home)
        path = module.functions.get(function[len(home) :]) if module is not None else None
        return self.follow(home, path, depth + 1) if path else None

    def _attribute(self, entity: Entity, name: str, depth: int) -> Entity | None:
        """What an attribute of a class, or of an instance, is."""
        method = self.families.method(entity.key, name)
        if method:
            module = module_of(method)
            found = self._function(module, method[len(module) :])
            return found._replace(family=entity.family)
        stack, seen = [entity.key], {entity.key}
        while stack:
            cls = stack.pop()
            home = module_of(cls)
            if f"{cls}.{name}"[len(home) :] in self._modules[home].classes:
                return Entity("class", f"{cls}.{name}")
            path = self.families.attributes(cls).get(name)
            if path is not None:
                return self.follow(home, path, depth + 1)
            for base in self.families.bases(cls):
                if base not in seen:
                    seen.add(base)
                    stack.append(base)
        if entity.family:  # a class that is mixed in may rely on what its heirs have
            for key in self.families.overriding(f"{entity.key}.{name}", entity.family):
                return Entity("function", key, entity.family)
        return None
