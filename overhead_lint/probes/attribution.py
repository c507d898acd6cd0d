"""From what the trace sink noted to causes: source lines with a label."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib.util
import os
import sysconfig
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import overhead_lint
from overhead_lint.probes.api import Cause, Moment, most_first
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import torch

__all__ = ["Noted", "causes_by_metric", "folders", "moments_of"]


_Place: TypeAlias = tuple[str, int, str]
"""Path, line, label."""


@functools.cache
def folders() -> tuple[list[str], list[str]]:
    """Folders whose code is never a user's line: torch's, Triton's and ours, and the standard library's.

    In the second, what is installed in ``site-packages`` is left out.
    """
    import torch

    ours = Path(overhead_lint.__file__).parent
    internal = (Path(torch.__file__).parent, *_triton(), ours, ours.parent / "pytest_overhead")
    standard = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), str(Path(os.__file__).parent)}
    return [f"{folder}{os.sep}" for folder in internal], [f"{folder}{os.sep}" for folder in sorted(standard)]


def _triton() -> list[Path]:
    """The folder of Triton, which starts the kernels that Inductor wrote; none without it."""
    with contextlib.suppress(ImportError, ValueError):  # the latter: one without a spec
        spec = importlib.util.find_spec("triton")
        if spec is not None and spec.origin is not None:
            return [Path(spec.origin).parent]
    return []


class Noted(NamedTuple):
    """One cause as the trace sink gives it."""

    kind: str
    origin: str
    """``forward``, ``node``, ``node_without_line``, ``backward_code``, ``engine``, ``named``, ``unknown``."""
    path: str | None
    line: int
    label: str
    """Name of the autograd node that was running, or what ``named`` is the origin of, or ""."""
    operator: str
    """The operator that was dispatched, of other things the outermost one that did them, or ""."""
    leaf: torch.Tensor | None
    """The tensor whose gradient was accumulated, while it lives."""
    amount: int


def causes_by_metric(noted: Iterable[Noted], metrics: Iterable[str]) -> dict[str, tuple[Cause, ...]]:
    """Causes of each metric, largest amount first, in an order that is the same in each run.

    Args:
        noted: what the sink noted, in any order.
        metrics: names to give causes of; a name without causes gives an empty tuple.
    """
    noted = [n for n in noted if n.amount > 0]
    names = _parameter_names([n.leaf for n in noted if n.leaf is not None])
    merged: dict[str, dict[_Place, Counter[str]]] = {metric: {} for metric in metrics}
    for n in noted:
        if n.kind in merged:
            place = (n.path or "", n.line, _label(n, names))
            merged[n.kind].setdefault(place, Counter())[n.operator] += n.amount
    return {metric: _largest_first(places) for metric, places in merged.items()}


def moments_of(noted: Iterable[Noted], metrics: Iterable[str], begun: int) -> tuple[Moment, ...]:
    """Moments of the metrics, in the order of time.

    Args:
        noted: what the sink noted, with the nanosecond in place of the amount.
        metrics: names to give moments of.
        begun: the nanosecond at which the block began.
    """
    wanted = frozenset(metrics)
    noted = sorted((n for n in noted if n.kind in wanted), key=lambda n: n.amount)
    names = _parameter_names([n.leaf for n in noted if n.leaf is not None])
    return tuple(
        Moment(n.kind, (n.amount - begun) * 1e-9, n.path or "", n.line, _label(n, names)) for n in noted
    )


def _largest_first(places: Mapping[_Place, Counter[str]]) -> tuple[Cause, ...]:
    """Causes from amounts by place and operator; equal amounts in the order of their places."""
    causes = [Cause(by.total(), *place, operators=most_first(by)) for place, by in places.items()]
    return tuple(sorted(causes, key=lambda cause: (-cause.amount, cause[1:4])))


def _label(noted: Noted, names: Mapping[int, str]) -> str:
    if noted.origin == "named":
        return noted.label
    if noted.origin == "backward_code":
        return f"Python code in backward of {noted.label}"
    if noted.origin == "node_without_line":
        return f"backward of {noted.label}, whose forward line is not known"
    if noted.origin == "node":
        if "AccumulateGrad" not in noted.label:
            return f"backward of {noted.label}"
        if noted.leaf is None:
            return "gradient of a tensor that is gone"
        return f"gradient of {names.get(id(noted.leaf)) or _shape(noted.leaf)}"
    return noted.origin


def _by_depth(name: str) -> tuple[int, str]:
    return name.count("."), name


def _shape(leaf: torch.Tensor) -> str:
    return f"a leaf tensor of shape {tuple(leaf.shape)}"


def _parameter_names(leaves: list[torch.Tensor]) -> dict[int, str]:
    """The longest dotted name that any live module gives each tensor, by the tensor's id."""
    if not leaves:
        return {}
    from torch.nn import Module

    wanted = {id(leaf) for leaf in leaves}
    # type(), since isinstance() asks the object for __class__, which runs code in lazy proxies.
    modules = [o for o in gc.get_objects() if issubclass(type(o), Module)]
    found: dict[int, str] = {}
    for module in modules:
        # Code of whoever wrote the module, which may raise anything; one whose __init__ failed has no
        # parameters, and is alive as long as somebody keeps the error.
        with contextlib.suppress(Exception):
            for name, parameter in module.named_parameters():
                if id(parameter) in wanted:
                    found[id(parameter)] = max(found.get(id(parameter), ""), name, key=_by_depth)
    return found
