"""Finds the functions that may be run by way of paths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.function_names import ITEMS, generator_of
from overhead_lint.project.graph.by_name import ByName
from overhead_lint.project.graph.follower import Follower
from overhead_lint.project.module_index import module_of
from overhead_lint.project.path_syntax import ALTERNATIVE, INSTANCE, PARAMETER
from overhead_lint.project.via import VIA_CALL, VIA_COMPILE, VIA_HOOK, VIA_METHOD, VIA_NAME, VIA_READ, Via

if TYPE_CHECKING:
    from overhead_lint.project.graph.entity import Entity
    from overhead_lint.project.graph.project_tables import Tables
    from overhead_lint.project.module_index import Module

__all__ = ["Resolver"]


class Resolver:
    """Resolves paths.

    Args:
        modules: the modules by key, which is empty or ends in the only colon that is in it. A key followed by
            a function's or class's name in paths is its key.
        tables: what was found out before of all modules, which are not asked for it then.

    Attributes:
        follower: follows the paths.
        families: the classes of the modules.
        by_names: finds what only names lead to.
    """

    def __init__(self, modules: Mapping[str, Module], tables: Tables | None = None) -> None:
        self._modules = modules
        self._functions_known: dict[str, dict[tuple[str, Via], tuple[str, ...]]] = defaultdict(dict)
        self.follower = Follower(modules, tables)
        self.families = self.follower.families
        self.by_names = ByName(self.follower, self.functions_of, self.forget, modules, tables)

    def functions_of(self, module: str, path: str, via: Via = VIA_NAME) -> tuple[str, ...]:
        """Keys of the functions that may be run by way of a path that is written in a module."""
        all_known, asked = self._functions_known[module], (path, via)
        known = all_known.get(asked)
        if known is None:
            self.families.forget_methods()  # between paths: on the way, cycles are known by it
            known = all_known[asked] = tuple(dict.fromkeys(self._functions(module, path, via)))
        return known

    def others_of(self, module: str, path: str) -> tuple[str, ...]:
        """Keys of the functions that a call may run as well, by other branches of a choice."""
        if path.endswith(ITEMS) or path.startswith(PARAMETER):
            return ()
        entity = self.follower.follow(module, path)
        if entity is None or not entity.others:
            return ()
        return tuple(dict.fromkeys(key for one in entity.others for key in self._run_by(one, VIA_CALL)))

    def forget(self) -> None:
        """Forget what was found out along the way: of a large project that is much to remember."""
        self._functions_known.clear()
        self.follower.forget()

    def release(self) -> None:
        """Let go of what refers back to it, so that all ends with the last use; no path is followed then.

        Python looks for such cycles too seldom for what thousands of files, or a large project, leave.
        """
        del self.by_names
        self.follower.release()

    def _functions(self, module: str, path: str, via: Via) -> Iterator[str]:
        if path.endswith(ITEMS):
            yield from self._giving(module, generator_of(path), via)
            return
        if via is VIA_METHOD or path.startswith(PARAMETER):
            yield from self.by_names.functions(module, path, via)
            return
        entity = self.follower.follow(module, path)
        if entity is None:
            if via is VIA_CALL and path[-1] not in ")]#" and "." in path[1:]:
                yield from self.by_names.methods(module, path.rpartition(".")[2])
            return
        # What an attribute is given by a property is read where it is given.
        if via is not VIA_READ or entity.key.rpartition(".")[2] == path.rpartition(".")[2]:
            yield from self._run_by(entity, via)

    def _run_by(self, entity: Entity, via: Via) -> Iterator[str]:
        """Keys of the functions that may be run by way of one thing."""
        if via is VIA_READ:
            if entity.what == "property":
                yield entity.key
                yield from self.families.overriding(entity.key, entity.family)
            return
        if entity.what == "function":
            yield entity.key
            yield from self.families.overriding(entity.key, entity.family)
        elif via is VIA_CALL and entity.what == "class":
            yield from filter(None, [self.families.method(entity.key, "__init__")])
        elif via in _RUNNING and entity.what == "instance":
            for name in ("__call__", "forward"):
                found = self.families.method(entity.key, name)
                if found:
                    yield found
                    yield from self.families.overriding(found, entity.family)
                    break
            else:
                yield from self.families.overriding(f"{entity.key}.forward", entity.family)

    def _giving(self, module: str, path: str, via: Via, depth: int = 0) -> Iterator[str]:
        """What gives the items of what a path makes: loops of its function, or of one that it returns."""
        entity = self.follower.follow(module, path) if via is not VIA_METHOD else None
        if entity is not None and entity.what == "class":
            names = ("__next__", "__iter__")
            found = next(filter(None, (self.families.method(entity.key, name) for name in names)), "")
            functions: tuple[str, ...] = (found,) if found else ()
        else:
            functions = self.functions_of(module, path, via)
        for function in functions:
            home = module_of(function)
            known, name = self._modules[home].functions, function[len(home) :]
            if name.endswith("__next__"):
                yield function
            elif name + ITEMS in known:
                yield function + ITEMS
            else:
                for made in known[name].split(ALTERNATIVE):
                    if made.endswith(INSTANCE) and depth < _DEEPEST:
                        yield from self._giving(home, made.removesuffix(INSTANCE), VIA_CALL, depth + 1)

    def are_related(self, module: str, other: str) -> bool:
        """Whether two modules are of packages that have to do with each other, and not the same one."""
        return module != other and self.by_names.related.are(module, other)


# How many functions are gone through that return what the next one gives.
_DEEPEST: Final = 3
# Ways to get to what calling an instance runs.
_RUNNING: Final = frozenset({VIA_CALL, VIA_COMPILE, VIA_HOOK})
