"""What a block of a page does when it runs, as far as its caller sees, and whether another does the same.

Kept small: each process that runs a block imports it.
"""

from __future__ import annotations

import contextlib
import enum
import itertools
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from page_process import apart, device_context, empty_module, run_in

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Behaviour", "Place", "behaviour", "differences"]

_DEEPEST = 3
_FAILS_AT = 2


class Behaviour(NamedTuple):
    """What a block did.

    Attributes:
        raised: the class of what it raised; "" for nothing.
        result: what it calls ``result``, as text.
        tensors: by path from a name of the module (``net.weight``): values, type, and gradient, as text.
        shared: pairs of paths whose tensors share memory.
        modes: of torch, once it has run, as text.
        waits: how often the host waited for the device; 0 without one.
    """

    raised: str
    result: str
    tensors: dict[str, str]
    shared: set[tuple[str, str]]
    modes: str
    waits: float


class Place(enum.Enum):
    """Where a block runs."""

    CPU = "no device"
    DEVICE = "a CUDA device, simulated where the machine has none"
    ON_DEVICE = "the same, and what says of no device where it is made is made there"


def behaviour(text: str, place: Place, *, failing: bool = False) -> Behaviour:
    """Run a block as a module in a process of its own, and return what it did.

    Args:
        text: the block.
        place: where.
        failing: whether the second call of a linear layer raises.
    """
    return apart(_observed, text, place, failing)


def differences(before: Behaviour, after: Behaviour) -> list[str]:
    """What the second of two blocks does otherwise, a line each; fewer waits are none."""
    lines = [
        f"{field}: {one!r} became {other!r}"
        for field, one, other in zip(before._fields, before, after, strict=True)
        if field in ("raised", "result", "modes") and one != other
    ]
    both = before.tensors.keys() & after.tensors.keys()
    lines += [
        f"{path}: {before.tensors[path]} became {after.tensors[path]}"
        for path in sorted(both)
        if before.tensors[path] != after.tensors[path]
    ]
    lines += [
        f"{one} and {other} share memory {'no longer' if (one, other) in before.shared else 'now'}"
        for one, other in sorted(before.shared ^ after.shared)
        if {one, other} <= both
    ]
    if after.waits > before.waits:
        lines.append(f"waits for the device: {before.waits:g} became {after.waits:g}")
    return lines


def _observed(text: str, place: Place, failing: bool) -> Behaviour:
    with warnings.catch_warnings(), device_context(place is not Place.CPU), contextlib.ExitStack() as around:
        warnings.simplefilter("ignore")
        if failing:
            around.enter_context(_failing())
        names, raised, waits = empty_module(), "", 0.0
        try:
            waits = _run(text, names, place)
        except Exception as error:
            raised = type(error).__name__
        modes = _modes()
        found = dict(_tensors({name: value for name, value in names.items() if name[0] != "_"}))
        return Behaviour(
            raised,
            repr(names.get("result")),
            {path: _text(tensor) for path, tensor in found.items()},
            {
                pair
                for pair in itertools.combinations(sorted(found), 2)
                if _share(*(found[one] for one in pair))
            },
            repr(modes),
            waits,
        )


def _run(text: str, names: dict[str, Any], place: Place) -> float:
    """Run a block in the names of a module; how often the host waits for the device."""
    if place is Place.CPU:
        run_in(names, text)
        return 0.0
    import torch

    from overhead_lint.probes.measure import measure

    if place is Place.ON_DEVICE:
        torch.set_default_device("cuda")
    with measure(("stream_sync",), attribute=False) as found:
        run_in(names, text)
    return found.values["stream_sync"]


@contextlib.contextmanager
def _failing() -> Iterator[None]:
    """Let the second call of a linear layer raise."""
    import torch

    stock, calls = torch.nn.Linear.forward, itertools.count(1)

    def forward(self: torch.nn.Linear, input: torch.Tensor) -> torch.Tensor:
        if next(calls) == _FAILS_AT:
            raise ValueError("no second call")
        return stock(self, input)

    torch.nn.Linear.forward = forward  # type: ignore[method-assign]
    yield


def _modes() -> tuple[object, ...]:
    import torch

    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        *(torch.is_autocast_enabled(kind) for kind in ("cpu", "cuda")),
        *(torch.get_autocast_dtype(kind) for kind in ("cpu", "cuda")),
        torch.is_autocast_cache_enabled(),
        torch.get_default_dtype(),
        torch.are_deterministic_algorithms_enabled(),
    )


def _tensors(value: object, path: str = "", depth: int = _DEEPEST) -> Iterator[tuple[str, Any]]:
    """The tensors that can be reached from a value, with their paths: those that a module saves, too."""
    import torch

    if isinstance(value, torch.Tensor):
        yield path, value
    elif isinstance(value, torch.nn.Module):
        yield from _tensors({**value.state_dict(keep_vars=True)}, path, 1)
    elif depth and isinstance(value, (dict, list, tuple)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _tensors(item, f"{path}.{key}".strip("."), depth - 1)


def _text(tensor: Any) -> str:
    """A tensor without where it is: values to four digits, type, and gradient."""
    gradient = None if tensor.grad is None else tensor.grad.tolist()
    shown = tensor.detach().cpu()
    return f"{shown} {shown.dtype} {tuple(shown.shape)} {tensor.requires_grad} {_rounded(gradient)}"


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def _share(one: Any, other: Any) -> bool:
    if one.layout != other.layout or "strided" not in str(one.layout) or not (one.numel() and other.numel()):
        return False
    return bool(one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr())
