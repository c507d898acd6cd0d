"""The words for why a place runs as often as it does, made of values where these are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.function_names import label
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.offer import OfferKind
from overhead_lint.analysis.graph.option import ANSWER, ARGUMENT, INSTANCE, NAME, PASSED, together

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from overhead_lint.analysis.graph.option import Option

__all__ = ["LONGEST_CHAIN", "function_text", "gate_text", "offer_text", "options_text", "reason_text"]

LONGEST_CHAIN: Final = 6
"""So many links of a chain are told; what stands in the middle of a longer one is left out."""
_GATES: Final = {
    GateKind.NEVER: "never runs",
    GateKind.ERROR: "is an error path",
    GateKind.EVERY: "runs every {value} steps",
    GateKind.WARNING: "logs a warning",
    GateKind.DEPRECATED: "runs only for those who call it in a deprecated way",
    GateKind.NOT_FINITE: "runs only for numbers that are not finite",
    GateKind.ENVIRONMENT: "runs only with {subject} set in the environment",
    GateKind.TIME: "runs after some time has passed",
    GateKind.EMPTY: "runs only while {subject} is empty",
    GateKind.LAST_ROUND: "runs once, in the last round",
    GateKind.RANK: "runs on rank {value} only",
    GateKind.MAIN_RANK: "runs on the main rank only",
    GateKind.COUNT: "runs once, when {subject} is {value}",
    GateKind.FEW: "runs in few steps, while {subject} is below {value}",
    GateKind.LISTED: "runs in few steps, when {subject} is in {value}",
    GateKind.EXPORT: "runs only while exporting",
    GateKind.CAPTURE: "runs only while a CUDA graph is captured",
    GateKind.MODE: "runs only with {subject}() on",
    GateKind.FLAG: "runs only with {subject} on",
    GateKind.WHEN: "runs only when {subject}",
    GateKind.WARM_UP: "runs only while {subject}",
    GateKind.FIRST: "runs once, while {subject}",
    GateKind.CLEARED: "runs once, until {subject} is cleared",
    GateKind.SET: "runs once, until {subject} is set",
    GateKind.MOVED: "runs once, until {subject} is moved",
    GateKind.EPISODE: "runs once an episode, when {subject}",
    GateKind.ATTRIBUTE_MISSING: "runs once, while {subject} lacks the attribute",
    GateKind.MISSING: "runs once, while {subject} is missing",
    GateKind.UNFILLED: "runs once, while {subject} is empty",
    GateKind.BEST: "runs when {subject} is the best so far",
    GateKind.GROWTH: "runs when {subject} grows",
    GateKind.CHANGE: "runs when {subject} changes",
    GateKind.MISS: "runs when {subject} misses",
    GateKind.TRAINING: "is of a whole training, outside of its steps",
    GateKind.ITERATION: "runs once for all items that are iterated",
    GateKind.UNPASSED: "nobody passes {subject}",
    GateKind.GIVEN: "all calls pass {value} for {subject}",
    GateKind.CONVERTED: "runs only where {subject} is given as no tensor",
}
_OFFERS: Final[dict[int, str]] = {
    OfferKind.OPERATOR: "is an operator of the library, from tensors to tensors",
    OfferKind.LOSS: "is a loss by its name",
    OfferKind.STEP: "is a step by its name",
    OfferKind.LOSS_CLASS: "is a loss by the name of its class",
    OfferKind.COLLATE: "puts batches together by its name",
    OfferKind.STAND_IN: "stands for PyTorch's {name}",
    OfferKind.OPTIMIZER_STEP: "takes a step of an optimizer each time",
}
_ROUND_UNKNOWN: Final = "; how much one round of it does is not known"
_REQUEST: Final = "; once a request, which takes many steps"
_SO_MANY: Final = "so many"
_REPEATED: Final = ("", ", in a loop", ", in a loop of its own")
"""By `overhead_lint.api.warmth.Repeated`."""


def reason_text(
    begins: str,
    called: Sequence[str],
    gate: Gate | None,
    options: Iterable[Option],
    *,
    repeated: int,
    is_round_unknown: bool,
    is_request: bool,
) -> str:
    """Return why a place is as hot as it is, for readers.

    Args:
        begins: the first link of the chain, and so on as a `Warmth` has it.
        called: the functions that follow, by their names in paths.
        gate: see `Warmth`.
        options: the same.
        repeated: the same.
        is_round_unknown: the same.
        is_request: whether the place runs once a request.
    """
    if gate is not None:
        return gate_text(gate)
    ending = _ROUND_UNKNOWN if is_round_unknown else _REQUEST if is_request else ""
    chain = [begins, *map(label, called)]
    if len(chain) > LONGEST_CHAIN:
        chain[2 : len(chain) - (LONGEST_CHAIN - 3)] = ["..."]
    return f"{' -> '.join(chain)}{_REPEATED[repeated]}{options_text(options)}{ending}"


def options_text(options: Iterable[Option]) -> str:
    """Return what options say of what they keep from running: ``, but not by default: Trainer(clip=None)``.

    "" for none. What settings files have is told after what code has, and last that somebody has to name a
    function or class, or to make an object of it, or what has to be asked.
    """
    shown: list[str] = []
    shipped: list[str] = []
    ending = ""
    for option in (part for one in options for part in together(one)):
        if option.kind == NAME:
            ending = f", but nothing in the project names {(*option.words, option.name)[0]}"
        elif option.kind == INSTANCE:
            ending = f", but by default nothing makes {option.name}"
        elif option.kind == ANSWER:
            ending = f", but {option.name}() hardly ever says so"
        elif option.kind in (ARGUMENT, PASSED):
            called = option.owner.removesuffix(".__init__").rpartition(".")[2]
            shown.append(f"{called}({option.name}={option.default})")
        else:
            parts = shipped if option.is_shipped else shown
            owner = f"{option.owner}." if option.owner else ""
            parts.append(f"{owner}{option.name}={option.default}")
    by_code = f", but not by default: {', '.join(shown)}" if shown else ""
    by_files = f", but not in the settings files that ship: {', '.join(shipped)}" if shipped else ""
    return f"{by_code}{by_files}{ending}"


def function_text(reason: str, function: str) -> str:
    """Return the reason of a function with the function as it is shown in the place of ``{}``."""
    return reason.replace("{}", function)


def offer_text(offer: int, function: str, package: str = "") -> str:
    """Return why users of a library call a function in their steps, in words after its name.

    Args:
        offer: an `OfferKind`.
        function: the function as it is shown.
        package: the package that offers it; "" where none has to.
    """
    said = _OFFERS[offer].format(name=function.rpartition(".")[2])
    return f"{said}, and {package} offers it" if package else said


def gate_text(gate: Gate) -> str:
    """Return what a gate lets run, for readers: ``runs every 10 steps (line 4)``."""
    said = _GATES[gate.kind].format(subject=gate.subject, value=gate.value or _SO_MANY)
    return f"{said} (line {gate.line})" if gate.line else said
