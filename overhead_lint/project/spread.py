"""How heat spreads from function to function along calls."""

from __future__ import annotations

from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.edges import Via
from overhead_lint.project.module_index import module_of
from overhead_lint.project.operators import PRIVATE
from overhead_lint.project.placement import Place
from overhead_lint.project.vocabulary import EVALUATIONS
from overhead_lint.project.wholes import ALWAYS
from overhead_lint.project.words import words
from overhead_lint.rule import Heat
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["GIVEN_AWAY", "Link", "Reached", "Site", "Spread", "Traits", "named", "unnamed"]

# What is handed over is run by somebody else, whatever runs the place.
GIVEN_AWAY: Final = frozenset({int(Via.HOOK), int(Via.COMPILE)})
# A method's name alone may mean another's; a function handed over is called by who knows whom.
_KNOWN: Final = frozenset({int(Via.CALL), int(Via.READ)})


# What reasons end with of what calling a module runs.
OF_CALLS: Final = "runs on every call of the module"


_OWN: Final = "\1"
"""Stands in reasons for the name of the function that they are of."""


class Link(NamedTuple):
    """A link of the chain that heat came by.

    Attributes:
        text: a hot loop, why a function is hot for what it is, or a called function.
        key: the function that it is, or that the loop is in.
    """

    text: str
    key: str


class Traits(NamedTuple):
    """What a function is; see `overhead_lint.project.summary.FunctionSummary`. Most are like many others.

    Reasons that begin with the function's name have none, as `unnamed` gives them.
    """

    hot: str
    cold: str
    tensors: bool
    offered: str
    hot_loop: str
    compiler: str


def unnamed(why: str, shown: str) -> str:
    """A reason without the name of the function that it begins with: the same for all like it.

    Args:
        why: the reason; may be empty.
        shown: the function as it is shown.
    """
    return _OWN + why[len(shown) :] if shown and why.startswith(f"{shown} ") else why


def named(why: str, shown: str) -> str:
    """A reason with the name that `unnamed` left out."""
    return shown + why[1:] if why.startswith(_OWN) else why


class Site(NamedTuple):
    """A place in a function from which others may be run; see `overhead_lint.project.summary.CallSite`."""

    targets: tuple[str, ...]
    via: int
    place: int
    why: str


class Reached(NamedTuple):
    """How heat reached a function.

    Attributes:
        heat: the heat.
        key: the function.
        start: the first links of the chain, where it begins here.
        before: how it reached the caller, where it goes on.
    """

    heat: Heat
    key: str
    start: tuple[Link, ...] = ()
    before: Reached | None = None


class Spread:
    """Lets heat flow through the functions of a project.

    Args:
        functions: by key.
        sites: for each function the places in it from which others may be run, if there are any.
        label: gives a function's name as it is shown.
        path: gives the file of a function as reasons name it.
    """

    def __init__(
        self,
        functions: Mapping[str, Traits],
        sites: Mapping[str, tuple[Site, ...]],
        label: Callable[[str], str],
        path: Callable[[str], str],
    ) -> None:
        self._functions = functions
        self._sites = sites
        self._label = label
        self._path = path

    def all(self) -> dict[str, Reached]:
        """Let heat start at hot loops and at functions that are hot for what they are.

        Then operators without a known caller are, and what works with tensors and has none is presumed to be.
        """
        reached: dict[str, Reached] = {}
        self._spread(reached, self._from_loops())
        hot = [
            (name, Reached(Heat.STEP, name, (Link(named(function.hot, self._label(name)), name),)))
            for name, function in self._functions.items()
            if function.hot and not self._is_whole(name, function)
        ]
        self._spread(reached, [*hot, *self._from_hooks()])
        uncalled = self._uncalled()
        self._spread(reached, self._offered(uncalled))
        self._spread(reached, self._presumed(uncalled))
        return reached

    def _is_whole(self, name: str, function: Traits) -> bool:
        """Whether each call of a module is no step: it says so, or calls a method that holds the hot loop."""
        return function.hot.endswith(OF_CALLS) and any(
            why == ALWAYS and any(target == name or self._holds_loop(target) for target in targets)
            for targets, _, _, why in self._sites.get(name, ())
        )

    def _holds_loop(self, name: str) -> bool:
        function = self._functions[name]
        return bool(function.hot_loop) and not function.hot

    def _from_loops(self) -> Iterator[tuple[str, Reached]]:
        """What is called from hot loops."""
        for name, sites in self._sites.items():
            if self._functions[name].cold:
                continue
            for targets, via, place, why in sites:
                if place >= Place.HOT:
                    heat = Heat.STEP if place == Place.HOT else Heat.LOOP
                    for target in self._run(targets, via):
                        chain = (Link(f"{self._path(name)}{why}", name), Link(self._label(target), target))
                        yield target, Reached(heat, target, chain)

    def _from_hooks(self) -> Iterator[tuple[str, Reached]]:
        """What is handed to something that runs it in every step, or to the compiler."""
        for sites in self._sites.values():
            for targets, via, _, why in sites:
                if via in GIVEN_AWAY:
                    for target in targets:
                        link = Link(why.format(self._label(target)), target)
                        yield target, Reached(Heat.STEP, target, (link,))

    def _spread(self, reached: dict[str, Reached], start: Iterable[tuple[str, Reached]]) -> None:
        """Let heat flow from functions along their calls, wherever it makes something hotter."""
        queue = deque(start)
        while queue:
            name, found = queue.popleft()
            known = reached.get(name)
            if (known is not None and known.heat >= found.heat) or self._functions[name].cold:
                continue
            reached[name] = found
            for targets, via, place, _ in self._sites.get(name, ()):
                if place == Place.GATED or place >= Place.HOT or via in GIVEN_AWAY:
                    continue  # a hot loop's calls were there from the start
                heat = found.heat
                if heat is Heat.STEP and place == Place.REPEATED:
                    heat = Heat.LOOP
                for target in self._run(targets, via):
                    other = reached.get(target)
                    if other is None or other.heat < heat:
                        queue.append((target, Reached(heat, target, (), found)))

    def _run(self, targets: Iterable[str], via: int) -> Iterable[str]:
        """What a place runs: what plays a role in a step is no whole training or generation.

        Nor does a step hold a whole evaluation, though it may come to ask whether one is due.
        """
        if via == Via.ROLE:
            return [one for one in targets if one not in self._driving]
        return [one for one in targets if one not in self._evaluating]

    @cached_property
    def _evaluating(self) -> set[str]:
        """Functions that hold, or lead to, a hot loop, and are named after an evaluation."""
        return {
            name
            for name in self._driving
            if not self._functions[name].hot
            and not EVALUATIONS.isdisjoint(words(name[name.rfind(".") + 1 :]))
        }

    @cached_property
    def _driving(self) -> set[str]:
        """Functions that hold, or lead to, a hot loop."""
        driving = {name for name, function in self._functions.items() if function.hot_loop}
        _add_callers(driving, self._callers)
        return driving

    def _uncalled(self) -> list[str]:
        """Functions that nobody calls and that hold no hot loop."""
        called: set[str] = set()
        for name, sites in self._sites.items():
            for targets, via, _, _ in sites:
                if via in _KNOWN:
                    called.update(target for target in targets if target != name)
        return [
            name
            for name, function in self._functions.items()
            if name not in called
            and not function.hot_loop
            and name[len(module_of(name)) :].rpartition(".")[2] not in ("", "__init__", "main")
        ]

    def _offered(self, uncalled: Iterable[str]) -> Iterator[tuple[str, Reached]]:
        """What a library offers, for users to call in their own steps.

        What leads to a hot loop is a whole training or generation instead. What is private is for the
        project, and counts only where that hands it over to somebody.
        """
        for name in uncalled:
            offered = self._functions[name].offered
            if offered.startswith(PRIVATE) and name not in self._callers:
                continue
            if offered and name in self._working and name not in self._driving:
                why = f"{self._label(name)} {offered.removeprefix(PRIVATE)}"
                yield name, Reached(Heat.STEP, name, (Link(why, name),))

    @cached_property
    def _working(self) -> set[str]:
        """Functions that work with tensors, themselves or through what they call."""
        tensors = {name for name, function in self._functions.items() if function.tensors}
        _add_callers(tensors, self._callers)
        return tensors

    @cached_property
    def _callers(self) -> dict[str, str | list[str]]:
        """For each function those that may run it, other than by a role; most have one, and need no list."""
        callers: dict[str, str | list[str]] = {}
        for name, sites in self._sites.items():
            for targets, via, _, _ in sites:
                for target in targets if via != Via.ROLE else ():
                    known = callers.setdefault(target, name)
                    if isinstance(known, list):
                        known.append(name)
                    elif known != name:
                        callers[target] = [known, name]
        return callers

    def _presumed(self, uncalled: Iterable[str]) -> Iterator[tuple[str, Reached]]:
        """Functions that work with tensors, themselves or through what they call, and that nobody calls."""
        for name in uncalled:
            if name in self._working:
                why = f"{self._label(name)} works with tensors and no caller of it is known"
                yield name, Reached(Heat.PRESUMED, name, (Link(why, name),))


def _add_callers(names: set[str], callers: Mapping[str, str | list[str]]) -> None:
    """Add to functions all that may run them, directly or not."""
    stack = list(names)
    while stack:
        found = callers.get(stack.pop(), ())
        for caller in (found,) if isinstance(found, str) else found:
            if caller not in names:
                names.add(caller)
                stack.append(caller)
