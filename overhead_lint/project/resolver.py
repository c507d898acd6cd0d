"""Follows paths through the modules of a project, to the functions that they lead to."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from overhead_lint.project.by_name import ByName
from overhead_lint.project.edges import Via
from overhead_lint.project.module_index import module_of
from overhead_lint.project.paths import ANY_INSTANCE, INSTANCE, ITEM, MANY, SPELLED, STARRED, SUPER

if TYPE_CHECKING:
    from overhead_lint.project.module_index import ClassSummary, ModuleIndex

__all__ = ["Entity", "Resolver"]

_STEP: Final = re.compile(r"\(\)|\(~\)|\[\]|#|\.?[^.()\[\]#]+")
_DEEPEST: Final = 12
_MOST_OVERRIDES: Final = 400
# Families of many classes are asked for many methods: more than this is forgotten before that of modules is.
_MOST_METHODS: Final = 10_000
_SHALLOW: Final = 4


class Entity(NamedTuple):
    """What a path leads to.

    Attributes:
        what: ``module``, ``class``, ``instance``, ``function``, ``property``, ``many`` or ``outside``.
        key: the module's, class's or function's key; a dotted name for ``outside``.
        family: for an instance, and what is found on it: the class whose heirs may stand in; or "".
        inner: for ``many``, what it holds.
    """

    what: str
    key: str
    family: str = ""
    inner: Entity | None = None


class Resolver:
    """Resolves paths.

    Args:
        modules: the modules by key, which is empty or ends in the only colon that is in it. A key followed by
            a function's or class's name in paths is its key.
    """

    def __init__(self, modules: dict[str, ModuleIndex]) -> None:
        self._modules = modules
        self._by_name: dict[str, str] = {}
        self._classes: dict[str, ClassSummary] = {}
        self._known: dict[str, dict[str, Entity | None]] = defaultdict(dict)
        self._members: dict[tuple[str, str], Entity | None] = {}
        self._star_keys: dict[str, tuple[str, ...]] = {}
        self._attributes: dict[str, dict[str, str]] = {}
        self._family_methods: dict[tuple[str, str], tuple[str, ...]] = {}
        self._base_keys: dict[str, tuple[str, ...]] = {}
        self._methods: dict[tuple[str, str], str] = {}
        self._outer: dict[str, frozenset[str]] = {}
        self._functions_known: dict[str, dict[tuple[str, Via], tuple[str, ...]]] = defaultdict(dict)
        for key, module in modules.items():
            self._by_name.setdefault(module.name, key)
            for name, cls in module.classes.items():
                self._classes[sys.intern(key + name)] = cls
        self._heirs: dict[str, list[str]] = defaultdict(list)
        for key in self._classes:
            for base in self._bases(key):
                self._heirs[base].append(key)
        self._by_names = ByName(self, modules, self._classes)

    def functions_of(self, module: str, path: str, via: Via = Via.NAME) -> tuple[str, ...]:
        """Keys of the functions that may be run by way of a path that is written in a module."""
        all_known, asked = self._functions_known[module], (path, via)
        known = all_known.get(asked)
        if known is None:
            if len(self._methods) > _MOST_METHODS:  # between paths: on the way, circles are known by it
                self._methods.clear()
            known = all_known[asked] = tuple(dict.fromkeys(self._functions(module, path, via)))
        return known

    def forget(self) -> None:
        """Forget what was found out along the way: of a large project that is much to remember."""
        for known in (
            self._known,
            self._functions_known,
            self._members,
            self._methods,
            self._attributes,
            self._family_methods,
            self._outer,
        ):
            known.clear()

    def release(self) -> None:
        """Let go of what refers back to it, so that all ends with the last use; no path is followed then.

        Python looks for such circles too seldom for what thousands of files, or a large project, leave.
        """
        del self._by_names

    def _functions(self, module: str, path: str, via: Via) -> Iterator[str]:
        if via is Via.METHOD:
            yield from self._by_names.functions(module, path)
            return
        entity = self._follow(module, path)
        if entity is None:
            if via is Via.CALL and path[-1] not in ")]#" and "." in path[1:]:
                yield from self._by_names.methods(module, path.rpartition(".")[2])
            return
        if via is Via.READ:
            if entity.what == "property":
                yield entity.key
                yield from self._overrides(entity)
            return
        if entity.what == "function":
            yield entity.key
            yield from self._overrides(entity)
        elif via is Via.CALL and entity.what == "class":
            yield from filter(None, [self._method(entity.key, "__init__")])
        elif via in _RUNNING and entity.what == "instance":
            for name in ("__call__", "forward"):
                found = self._method(entity.key, name)
                if found:
                    yield found
                    yield from self._overrides(Entity("function", found, entity.family))
                    break
            else:
                yield from self._overrides(Entity("function", f"{entity.key}.forward", entity.family))

    def playing(self, module: str, path: str) -> tuple[str, ...]:
        """Methods that a path may mean by the name of what it is called on, where it leads to nothing."""
        before, _, method = path.rpartition(".")
        if path.startswith(SPELLED):
            return self._by_names.playing(module, before.removeprefix(SPELLED), method)
        if before.endswith((INSTANCE, ANY_INSTANCE)):
            role, method = method, "__call__"
            if self._by_names.is_any_method(role):
                return ()  # a method, of a class that is not known, and no attribute that is called
        elif INSTANCE[0] in before and self._by_names.is_method(method):
            many = before.endswith(ITEM)
            role = before.removesuffix(ITEM).rpartition(".")[2]
            role = role.removesuffix("s") if many else role
        else:
            return ()
        if path[-1] in ")]#" or role[-1:] in ")]#" or self._follow(module, path) is not None:
            return ()
        if self._is_outside(module, path if method == "__call__" else before):
            return ()
        return self._by_names.playing(module, role, method)

    def _is_outside(self, module: str, attribute: str) -> bool:
        """Whether an attribute holds what a class of another project makes: ``Tokenizer.from_file(x)``.

        What a function of another project makes may be of a class of this one that a configuration names.
        """
        before, _, name = attribute.rpartition(".")
        owner = self._follow(module, before)
        if owner is None or owner.what != "instance":
            return False
        for cls in self.lineage(owner.key):
            made = dict(self._classes[cls].attributes).get(name)
            if made is not None:
                names = made.partition("(")[0].split(".")
                found = self._absolute(module_of(cls), names)[0] if names[0] else None
                outside = found is not None and found.what == "outside"
                return outside and any(part[:1].isupper() for part in names)
        return False

    def function_at(self, module: str, path: str) -> str:
        """Key of the function that a path leads to which is written in a module; "" if it leads to none."""
        entity = self._follow(module, path)
        return entity.key if entity is not None and entity.what == "function" else ""

    def entity(self, module: str, path: str) -> Entity | None:
        """What a path leads to which is written in a module."""
        return self._follow(module, path)

    @staticmethod
    def last_step(path: str) -> tuple[str, str]:
        """A path without its last step, and that step, without the dot of an attribute."""
        step = _STEP.findall(path)[-1]
        before = path[: len(path) - len(step)]
        return ("", path) if before in _ROOTS else (before, step.lstrip("."))

    def made_by(self, entity: Entity) -> Entity | None:
        """What reading a property, or calling a function, gives."""
        return self._returned(entity.key, entity, 0)

    def method(self, cls: str, name: str) -> str:
        """Key of the definition of a method that a class has or inherits; "" if there is none."""
        return self._method(cls, name)

    def overriding(self, function: str, family: str) -> tuple[str, ...]:
        """The methods that may run in a method's stead on an instance of a class derived from `family`."""
        return self._overrides(Entity("function", function, family))

    def lineage(self, cls: str) -> Iterator[str]:
        """A class and those that it derives from, as far as they are the project's, nearest first."""
        queue, seen = [cls], {cls}
        for one in queue:
            yield one
            above = [base for base in self._bases(one) if base not in seen]
            seen.update(above)
            queue += above

    def properties(self, cls: str) -> tuple[str, ...]:
        """Names of the properties that a class defines."""
        return self._classes[cls].properties

    def stars(self, module: str) -> tuple[str, ...]:
        """Keys of the modules of the project whose names a module imports with a star."""
        keys = self._star_keys.get(module)
        if keys is None:
            keys = self._star_keys[module] = tuple(self._starred_modules(module))
        return keys

    def methods_of(self, cls: str, name: str) -> Iterator[str]:
        """A method of a class, and what may run in its stead on instances of classes derived from it."""
        found = self._method(cls, name)
        if found:
            yield found
            yield from self._overrides(Entity("function", found, cls))

    def takes(self, function: str) -> tuple[str, ...]:
        """The parameters given by place of a function that calls one of them."""
        home = module_of(function)
        module = self._modules.get(home) if home else None
        return module.takes.get(function[len(home) :], ()) if module is not None else ()

    def eldest(self, cls: str) -> str:
        """The first of the classes of the project that a class derives from."""
        seen = {cls}
        while True:
            above = next((base for base in self._bases(cls) if base not in seen), None)
            if above is None:
                return cls
            cls = above
            seen.add(cls)

    def _bases(self, cls: str) -> tuple[str, ...]:
        """Keys of the bases of a class that are classes of the project."""
        known = self._base_keys.get(cls)
        if known is not None:
            return known
        found: list[str] = []
        for base in self._classes[cls].bases:
            entity = self._follow(module_of(cls), base)
            if entity is not None and entity.what == "class" and entity.key != cls:
                found.append(entity.key)
        known = self._base_keys[cls] = tuple(found)  # most have none, and the empty tuple is one object
        return known

    def are_related(self, module: str, other: str) -> bool:
        """Whether two modules are of packages that have to do with each other, and not the same one."""
        return module != other and self._by_names.related.are(module, other)

    def is_class(self, key: str) -> bool:
        """Whether a key is that of a class."""
        return key in self._classes

    def ancestors(self, cls: str) -> frozenset[str]:
        """Names of the classes that a class derives from: dotted ones for those outside of the project."""
        known = self._outer.get(cls)
        if known is not None:
            return known
        self._outer[cls] = frozenset()  # for a circle
        found: set[str] = set()
        for base in self._classes[cls].bases:
            entity = self._follow(module_of(cls), base)
            if entity is None:
                found.add(base)
            elif entity.what == "outside":
                found.add(entity.key)
            elif entity.what == "class":
                found |= {entity.key.rpartition(".")[2], *self.ancestors(entity.key)}
        known = self._outer[cls] = frozenset(found)
        return known

    def _method(self, cls: str, name: str) -> str:
        """Key of the definition of a method that a class has or inherits; "" if there is none."""
        asked = (cls, name)
        known = self._methods.get(asked)
        if known is None:
            self._methods[asked] = ""  # for a circle
            summary = self._classes.get(cls)
            known = ""
            if summary is not None:
                own = name in summary.methods
                known = sys.intern(f"{cls}.{name}") if own else self._inherited(cls, name)
            self._methods[asked] = known
        return known

    def _inherited(self, cls: str, name: str) -> str:
        for base in self._bases(cls):
            found = self._method(base, name)
            if found:
                return found
        return ""

    def _overrides(self, entity: Entity) -> tuple[str, ...]:
        """What may run in a method's stead on an instance of a class derived from `entity.family`."""
        if not entity.family:
            return ()
        asked = entity.family, entity.key.rpartition(".")[2]
        known = self._family_methods.get(asked)
        if known is None:
            known = self._family_methods[asked] = tuple(self._heirs_methods(*asked))
        return known

    def _heirs_methods(self, family: str, name: str) -> Iterator[str]:
        """Methods of this name of classes derived from a class, also from others of their bases."""
        stack, seen = [family], {family}
        while stack and len(seen) < _MOST_OVERRIDES:
            for heir in self._heirs.get(stack.pop(), ()):
                if heir not in seen:
                    seen.add(heir)
                    stack.append(heir)
                    found = self._method(heir, name)
                    if found:
                        yield found

    def _follow(self, module: str, path: str, depth: int = 0) -> Entity | None:
        known = self._known[module]
        if path in known:
            return known[path]
        if depth > _DEEPEST:
            return None
        known[path] = None  # for a circle
        found = known[path] = self._walk(module, path, depth)
        return found

    def _walk(self, module: str, path: str, depth: int) -> Entity | None:
        steps = _STEP.findall(path.lstrip(SUPER + STARRED))
        count = next((i for i, step in enumerate(steps) if step in _MARKS), len(steps))
        names = [step.lstrip(".") for step in steps[:count]]
        entity: Entity | None
        if path.startswith(SUPER):
            key = self._inherited_of(module, names)
            entity, names = (Entity("function", key) if key else None), []
        elif path.startswith(STARRED):
            entity, names = self._starred(module, names[0], depth), names[1:]
        elif path.startswith("."):
            entity, names = self._local(module, names)
        else:
            entity, names = self._absolute(module, names)
        for step in (*names, *steps[count:]):
            if entity is None:
                return None
            entity = self._step(entity, step, depth)
        return entity

    def _inherited_of(self, module: str, names: Sequence[str]) -> str:
        cls = f"{module}.{'.'.join(names[:-1])}"
        return self._inherited(cls, names[-1]) if cls in self._classes else ""

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
        cls, _, last = name.rpartition(".")
        owner = self._modules[module].classes.get(cls)
        what = "property" if owner is not None and last in owner.properties else "function"
        return Entity(what, sys.intern(module + name))

    def _absolute(self, module: str, names: list[str]) -> tuple[Entity | None, list[str]]:
        """The module that the longest beginning of dotted names stands for, and the names left."""
        folder = self._modules[module].folder
        for count in range(len(names), 0, -1):
            dotted = ".".join(names[:count])
            key = self._by_name.get(dotted)
            if key is None and folder:
                key = self._by_name.get(f"{folder}.{dotted}")
            if key is not None and (key != module or count == len(names)):
                return Entity("module", key), names[count:]
        return Entity("outside", ".".join(names)), []

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
        index = self._modules[module]
        if f".{name}" in index.classes:
            return Entity("class", f"{module}.{name}")
        if f".{name}" in index.functions:
            return Entity("function", f"{module}.{name}")
        path = index.names.get(name)
        if path is not None:
            found = self._follow(module, path, depth + 1)
            if found is not None:
                return found
        inner = self._by_name.get(f"{index.name}.{name}")
        if inner is not None:
            return Entity("module", inner)
        return self._starred(module, name, depth)

    def _starred(self, module: str, name: str, depth: int) -> Entity | None:
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
        if step == MANY:
            return Entity("many", entity.key, "", entity)
        if step == ITEM:
            if entity.what == "instance":
                return self._returned(self._method(entity.key, "__getitem__"), entity, depth)
            return entity.inner
        if step in (INSTANCE, ANY_INSTANCE):
            return self._called(entity, step, depth)
        name = step.lstrip(".")
        if entity.what == "module":
            return self._member(entity.key, name, depth)
        if entity.what == "outside":
            return Entity("outside", f"{entity.key}.{name}")
        if entity.what == "property":
            made = self._returned(entity.key, entity, depth)
            return self._step(made, step, depth + 1) if made is not None and depth < _DEEPEST else None
        if entity.what in ("class", "instance"):
            return self._attribute(entity, name, depth)
        return None

    def _called(self, entity: Entity, step: str, depth: int) -> Entity | None:
        """What calling something gives; for a class an instance."""
        if entity.what == "class":
            return Entity("instance", entity.key, entity.key if step == ANY_INSTANCE else "")
        if entity.what == "function":
            return self._returned(entity.key, entity, depth)
        if entity.what == "instance":
            key = self._method(entity.key, "__call__") or self._method(entity.key, "forward")
            return self._returned(key, entity, depth)
        return None

    def _returned(self, function: str, entity: Entity, depth: int) -> Entity | None:
        """What a function returns."""
        home = module_of(function)
        module = self._modules.get(home)
        path = module.functions.get(function[len(home) :]) if module is not None else None
        return self._follow(home, path, depth + 1) if path else None

    def _attribute(self, entity: Entity, name: str, depth: int) -> Entity | None:
        """What an attribute of a class, or of an instance, is."""
        method = self._method(entity.key, name)
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
            attributes = self._attributes.get(cls)
            if attributes is None:
                attributes = self._attributes[cls] = dict(self._classes[cls].attributes)
            path = attributes.get(name)
            if path is not None:
                return self._follow(home, path, depth + 1)
            for base in self._bases(cls):
                if base not in seen:
                    seen.add(base)
                    stack.append(base)
        if entity.family:  # a class that is mixed in may rely on what its heirs have
            for key in self._overrides(Entity("function", f"{entity.key}.{name}", entity.family)):
                return Entity("function", key, entity.family)
        return None


# Ways to get to what calling an instance runs.
_RUNNING: Final = frozenset({Via.CALL, Via.COMPILE, Via.HOOK})
_ROOTS: Final = frozenset({"", SUPER, STARRED})
_MARKS: Final = frozenset({INSTANCE, ANY_INSTANCE, ITEM, MANY})
