"""Compares the simulated device with the CPU over the samples that torch's own tests have of its operators.

    pip install expecttest
    python benchmarks/simulated_operators.py [--only NAME ...] [--samples 25] [--mode forward]

Each sample is computed on the CPU and on the simulated device, from the same random state. Modes:
``forward``, ``inference`` (in ``torch.inference_mode``), ``gradient`` (of the outputs' sum, in float32).
The counts and each deviation, by operator, go to standard output; the status is 1 when a result
differs that is not in ``EXPECTED``.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import torch
from torch.utils._pytree import tree_leaves, tree_map

from overhead_lint.simulated import simulated_cuda

DTYPES: Final = (torch.float32, torch.int64, torch.bool, torch.bfloat16, torch.complex64)
EXPECTED: Final = {
    "empty": "not initialised",
    "empty_like": "not initialised",
    "empty_permuted": "not initialised",
    "empty_strided": "not initialised",
    "new_empty": "not initialised",
    "new_empty_strided": "not initialised",
    "linalg.lstsq": "CUDA has one driver",
    "nn.functional.scaled_dot_product_attention": "the CPU's fused kernel has no stand-in",
    "renorm": "its gradient accumulates in another type on CUDA",
    "tensor_split": "the sizes must be on the CPU, as with CUDA",
}


def on_device(value: Any) -> Any:
    """A sample's arguments, on the device."""

    def one(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            return leaf.detach().cuda().requires_grad_(leaf.requires_grad)
        return "cuda" if leaf == "cpu" or isinstance(leaf, torch.device) else leaf

    return tree_map(one, value)


def names_device(value: Any) -> bool:
    """Whether a sample asks for a device of its own choice."""
    return any(
        isinstance(leaf, torch.device) or (isinstance(leaf, str) and "cuda" in leaf)
        for leaf in tree_leaves(value)
    )


def same(right: torch.Tensor, ours: torch.Tensor) -> bool:
    """Whether two results are equal bit by bit, but for the kind of a NaN."""
    if right.layout != torch.strided:
        return True
    if (right.dtype, right.shape, right.stride()) != (ours.dtype, ours.shape, ours.stride()):
        return False
    right, ours = (
        right.detach().resolve_conj().resolve_neg(),
        ours.detach().cpu().resolve_conj().resolve_neg(),
    )
    if right.dtype.is_complex:
        right, ours = torch.view_as_real(right).double(), torch.view_as_real(ours).double()
    if right.dtype.is_floating_point:
        right, ours = right.nan_to_num(7e30), ours.nan_to_num(7e30)
    return torch.equal(right, ours)


def compute(op: Any, arguments: tuple[Any, ...], mode: str) -> list[torch.Tensor]:
    """The results of one sample, or its gradients."""
    torch.manual_seed(0)
    value, args, kwargs = arguments
    with torch.inference_mode() if mode == "inference" else contextlib.nullcontext():
        out = op(value, *args, **kwargs)
    found = [leaf for leaf in tree_leaves(out) if isinstance(leaf, torch.Tensor)]
    if mode != "gradient":
        return found
    inputs = [t for t in tree_leaves(arguments) if isinstance(t, torch.Tensor) and t.requires_grad]
    losses = [t.float().abs().sum() for t in found if t.requires_grad]
    if not inputs or not losses:
        return []
    gradients = torch.autograd.grad(torch.stack(losses).sum(), inputs, allow_unused=True)
    return [gradient for gradient in gradients if gradient is not None]


def clone(leaf: Any) -> Any:
    """A copy of a tensor; anything else as it is."""
    if not isinstance(leaf, torch.Tensor):
        return leaf
    return leaf.detach().clone().requires_grad_(leaf.requires_grad)


def compare(op: Any, sample: Any, mode: str) -> str:
    """``equal``, or what was found instead."""
    arguments = (sample.input, sample.args, sample.kwargs)
    if names_device(arguments):
        return "names a device"
    expected: list[torch.Tensor] | None
    try:
        clones = tree_map(clone, arguments)
        expected = compute(op, clones, mode)
    except Exception:  # operators raise all kinds of errors, and which one is not the question
        expected = None
    try:
        got = compute(op, on_device(arguments), mode)
    except Exception as error:  # the same
        if expected is not None and "CUDA has no such kernel" in str(error):
            return "refused as by CUDA"
        return "both raise" if expected is None else f"raises {str(error)[:90]!r}"
    if expected is None:
        return "the CPU raises"
    if all(ours.is_cuda and same(right, ours) for right, ours in zip(expected, got, strict=True)):
        return "equal"
    return "differs"


def samples(op: Any, mode: str, number: int) -> Iterator[Any]:
    """Samples of an operator in each type that it takes."""
    gradient = mode == "gradient"
    if gradient and not op.supports_autograd:
        return
    for dtype in (torch.float32,) if gradient else DTYPES:
        if dtype in op.dtypes:
            for _, sample in zip(
                range(number), op.sample_inputs("cpu", dtype, requires_grad=gradient), strict=False
            ):
                yield sample


class Given(NamedTuple):
    """A sample: how it is computed, of which type it is made, its number, and its arguments on the CPU."""

    mode: str
    dtype: str
    number: int
    arguments: tuple[Any, ...]


def given(op: Any, number: int) -> Iterator[Given]:
    """Samples for counting, of those that name no device themselves.

    Args:
        op: an operator of torch's own tests.
        number: how many of each mode and type, at most.
    """
    for mode, dtype in (("forward", torch.float32), ("forward", torch.int64), ("gradient", torch.float32)):
        gradient = mode == "gradient"
        if dtype not in op.dtypes or (gradient and not op.supports_autograd):
            continue
        torch.manual_seed(0)
        samples_ = op.sample_inputs("cpu", dtype, requires_grad=gradient)
        for index, sample in zip(range(number), samples_, strict=False):
            arguments = (sample.input, sample.args, sample.kwargs)
            if not names_device(arguments):
                yield Given(mode, str(dtype).removeprefix("torch."), index, arguments)


def main() -> int:
    """Compare what the command line names; 1 when a result differs and should not."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], help="operators by name (all)")
    parser.add_argument(
        "--samples", type=int, default=25, help="of each operator and type, at most (%(default)s)"
    )
    parser.add_argument("--mode", choices=("forward", "inference", "gradient"), default="forward")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

    counts: Counter[str] = Counter()
    deviations: dict[str, Counter[str]] = defaultdict(Counter)
    operators = [op for op in op_db if not asked.only or op.name in asked.only]
    with simulated_cuda():
        for op in operators:
            for sample in samples(op, asked.mode, asked.samples):
                found = compare(op, sample, asked.mode)
                counts[found.split(" '")[0]] += 1
                if found not in ("equal", "both raise", "names a device", "refused as by CUDA"):
                    deviations[op.name][found] += 1
    print(f"{len(operators)} operators, {counts.total()} samples: {dict(counts)}")
    for name, found_there in deviations.items():
        for found, number in found_there.items():
            print(f"{name}: {number} x {found}  [{EXPECTED.get(name, 'unexpected')}]")
    return 1 if deviations.keys() - EXPECTED.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
