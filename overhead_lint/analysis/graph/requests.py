"""Loops whose rounds are requests: each holds a whole generation, or an evaluation of many steps.

A program that infers goes over prompts, structures or pictures, and takes many steps for each. What it does
once a round, around these steps, is beside them as rare as set-up: it is no step, although the round calls
the model. A round that trains is a step all the same, however many times it calls the model.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

__all__ = ["leading_to_steps", "requesting", "with_callers"]


def requesting(
    rounds: Mapping[int, Collection[int]],
    called: Callable[[int], Iterable[int]],
    holds_steps: Callable[[int], bool],
    trains: Callable[[int], bool],
) -> frozenset[int]:
    """Return the functions whose hot loops go round once a request.

    Args:
        rounds: functions that hold a loop whose rounds are steps, by number, with what its rounds call.
        called: gives what a function calls as often as it runs, or more often.
        holds_steps: whether a function holds such a loop.
        trains: whether a function computes gradients, or steps an optimizer.
    """
    callers = _callers({*rounds, *(target for targets in rounds.values() for target in targets)}, called)
    training = with_callers(filter(trains, callers), callers)
    stepping = with_callers(filter(holds_steps, callers), callers) - training
    return frozenset(
        holder
        for holder, targets in rounds.items()
        if holder not in training and any(target in stepping and target != holder for target in targets)
    )


def leading_to_steps(
    begin: Iterable[int], called: Callable[[int], Iterable[int]], holds_steps: Callable[[int], bool]
) -> frozenset[int]:
    """Return some functions and what they call, of these those that hold a loop of steps, or lead to one.

    Args:
        begin: the functions.
        called: see `requesting`.
        holds_steps: see `requesting`.
    """
    callers = _callers(begin, called)
    return frozenset(with_callers(filter(holds_steps, callers), callers))


def _callers(begin: Iterable[int], called: Callable[[int], Iterable[int]]) -> dict[int, list[int]]:
    """Return all that some functions lead to, themselves as well, each with what calls it of these."""
    found: dict[int, list[int]] = defaultdict(list)
    stack = list(begin)
    found.update((function, []) for function in stack)
    while stack:
        function = stack.pop()
        for target in called(function):
            if target not in found:
                stack.append(target)
            found[target].append(function)
    return found


def with_callers(functions: Iterable[int], callers: Mapping[int, Iterable[int]]) -> set[int]:
    """Return functions and all that lead to them.

    Args:
        functions: the functions.
        callers: what calls a function; asked of each that is found.
    """
    found: set[int] = set()
    stack = list(functions)
    while stack:
        function = stack.pop()
        if function not in found:
            found.add(function)
            stack.extend(callers[function])
    return found
