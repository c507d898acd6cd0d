"""Which functions of a project `torch.compile` reaches, along the calls between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.project.edges import Via
from overhead_lint.project.module_index import module_of
from overhead_lint.project.placement import Place
from overhead_lint.project.support import TRACED_WAYS
from overhead_lint.rule import Heat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.project.spread import Reached, Site, Traits

__all__ = ["compiled_functions", "eager_too"]


def compiled_functions(
    traits: Mapping[str, Traits], sites: Mapping[str, tuple[Site, ...]], *, within: bool
) -> set[str]:
    """What `torch.compile` reaches, by key.

    Args:
        traits: of all functions.
        sites: the calls in them.
        within: only by ways that do not leave the module that compiles.
    """
    stack = [name for name, function in traits.items() if function.compiler == "compiled"]
    for name, calls in sites.items():
        for targets, via, _, _ in calls:
            if via == Via.COMPILE:
                stack += _reachable(name, targets, within)
    found: set[str] = set()
    while stack:
        name = stack.pop()
        if name not in found and traits[name].compiler != "disabled":
            found.add(name)
            for targets, via, _, _ in sites.get(name, ()):
                if via in TRACED_WAYS:
                    stack += _reachable(name, targets, within)
    return found


def eager_too(
    compiled: set[str],
    traits: Mapping[str, Traits],
    sites: Mapping[str, tuple[Site, ...]],
    reached: Mapping[str, Reached],
) -> set[str]:
    """Those of the functions that `torch.compile` reaches that steps run outside of compiled code too.

    What is compiled itself is not among them: those who call it mean the compiled one.

    Args:
        compiled: the functions, by key.
        traits: of all functions.
        sites: the calls in them.
        reached: those that are hot.
    """
    if not compiled:
        return set()
    entries = {name for name in compiled if traits[name].compiler == "compiled"}
    stack: list[str] = []
    for name, calls in sites.items():
        heat = reached.get(name)
        hot = heat is not None and heat.heat >= Heat.STEP
        for targets, via, place, _ in calls:
            runs = place >= Place.HOT or (hot and place != Place.GATED)
            if via == Via.COMPILE:
                entries.update(targets)
            elif via in TRACED_WAYS and name not in compiled and runs:
                stack += targets
    found: set[str] = set()
    while stack:
        name = stack.pop()
        if name in compiled and name not in found and name not in entries:
            found.add(name)
            for targets, via, place, _ in sites.get(name, ()):
                if via in TRACED_WAYS and place != Place.GATED:
                    stack += targets
    return found


def _reachable(name: str, targets: tuple[str, ...], within: bool) -> list[str]:
    module = module_of(name)
    return [target for target in targets if not within or module_of(target) == module]
