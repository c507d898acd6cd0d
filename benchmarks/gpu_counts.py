"""Holds the counts of the simulated device against a GPU's, operator by operator.

    pip install expecttest
    python benchmarks/gpu_counts.py record gpu.jsonl          where there is a GPU
    python benchmarks/gpu_counts.py record simulated.jsonl    with a CPU-only torch
    python benchmarks/gpu_counts.py compare gpu.jsonl simulated.jsonl

``gpu_counts_h100.jsonl.gz`` beside this file is the record of an NVIDIA H100 (2026-11-26, torch 2.11.0), with
six samples of each operator and mode; ``tests/device/test_counts_of_a_gpu.py`` holds the simulated device to
it.

`record` computes the samples that torch's own tests have of its operators (forward in float32 and int64, and
float32 with gradients), each once to warm up and once counted: by our probes, and on a GPU by CUPTI, too. A
sample is known by its operator, mode and number and by what it is given, so that samples that two versions
of torch make differently are left out. `compare` prints, by operator, where our probe and CUDA's runtime
differ on the GPU, and where the simulated device differs from the GPU; its status is 1 when the second
happens for an operator that `EXPECTED` does not name.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import itertools
import json
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

Counts = dict[str, int]
METRICS: Final = ("stream_sync", "device_sync", "event_sync", "copies_h2d", "copies_d2h", "event_record")
_MAGMA: Final = "torch waits for the whole device before MAGMA's batched LU"
_GENERAL: Final = "torch 2.11.0 reads one number more than the sources of 2.13"
EXPECTED: Final = {
    "linalg.eig": _GENERAL,
    "linalg.eigvals": _GENERAL,
    "linalg.ldl_solve": "torch waits for the whole device before cuSOLVER's",
    "linalg.lu": _MAGMA,
    "linalg.lu_factor": _MAGMA,
    "linalg.lu_factor_ex": _MAGMA,
    "lu": _MAGMA,
    "to_sparse": "Thrust waits, and tells no trace point",
}
"""Operators whose counts on an H100 (torch 2.11.0) were not those of the simulated device, and why."""


def recorded(number: int, only: list[str], part: tuple[int, int]) -> Iterator[dict[str, object]]:
    """What each sample costs on the device that there is.

    Args:
        number: how many samples of each operator, mode and type, at most.
        only: operators by name, with or without that of the variant; all, if it is empty.
        part: (which, of how many) parts of the operators.
    """
    import torch
    from cuda_calls import started
    from simulated_operators import compute, given, on_device
    from torch.testing._internal.common_methods_invocations import op_db

    from overhead_lint.probes import measure

    runtime = started() if torch.version.cuda is not None else None

    def counted(op: Any, arguments: tuple[Any, ...], mode: str) -> dict[str, object]:
        compute(op, on_device(arguments), mode)
        there = on_device(arguments)
        torch.cuda.synchronize()
        before = runtime.counts() if runtime is not None else {}
        with measure(METRICS, attribute=False) as measured:
            compute(op, there, mode)
        called = runtime.since(before) if runtime is not None else {}
        ours = {name: int(value) for name, value in measured.values.items() if value}
        return {"ours": ours, "cuda": {name: value for name, value in called.items() if value}}

    for place, op in enumerate(op_db):
        if (only and not {op.name, _name(op)} & {*only}) or place % part[1] != part[0]:
            continue
        for mode, dtype, index, arguments in given(op, number):
            about = {
                "operator": _name(op),
                "mode": f"{mode} {dtype}",
                "index": index,
                "given": _told(arguments),
            }
            begun = time.perf_counter()
            try:
                found = counted(op, arguments, mode)
            except Exception as error:  # which of all the kinds that operators raise is not the question
                found = {"error": f"{type(error).__name__}: {str(error)[:120]}"}
            yield about | found | {"seconds": round(time.perf_counter() - begun, 3)}


def _name(op: Any) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else str(op.name)


def _told(arguments: object) -> str:
    import torch
    from torch.utils._pytree import tree_map

    def one(leaf: object) -> object:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        layout = leaf.stride() if leaf.layout == torch.strided else leaf.layout
        return f"{tuple(leaf.shape)} {layout} {leaf.dtype}"

    return repr(tree_map(one, arguments))


def record(asked: argparse.Namespace) -> int:
    """Write a line for each sample."""
    import torch

    from overhead_lint.simulated import simulated_cuda

    warnings.simplefilter("ignore")
    part = tuple(int(word) for word in asked.part.split("/"))
    samples = recorded(asked.samples, asked.only, (part[0], part[1]))
    with asked.file.open("w", encoding="utf-8") as file:
        gpu = torch.version.cuda is not None
        with contextlib.nullcontext() if gpu else simulated_cuda():
            device = torch.cuda.get_device_name() if gpu else "simulated device"
            about: dict[str, object] = {"torch": torch.__version__, "device": device}
            for line in itertools.chain([about], samples):
                print(json.dumps(line), file=file, flush=True)
    return 0


def key_of(sample: dict[str, Any]) -> tuple[object, ...]:
    """What two records know a sample by."""
    return sample["operator"], sample["mode"], sample["index"], sample["given"]


def read(path: Path) -> tuple[list[dict[str, Any]], dict[tuple[object, ...], dict[str, Any]]]:
    """What a record says of its machine, and its samples by `key_of`."""
    heads: list[dict[str, Any]] = []
    samples: dict[tuple[object, ...], dict[str, Any]] = {}
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in text.decode().splitlines():
        one = json.loads(line)
        if "operator" in one:
            samples[key_of(one)] = one
        else:
            heads.append(one)
    return heads, samples


def difference(left: Counts, right: Counts) -> str:
    """Where counts differ: `stream_sync 1, not 0`."""
    names = [name for name in METRICS if left.get(name, 0) != right.get(name, 0)]
    return ", ".join(f"{name} {left.get(name, 0)}, not {right.get(name, 0)}" for name in names)


def compare(asked: argparse.Namespace) -> int:
    """Print where counts differ; 1 when the simulated device's do for an operator that is not expected."""
    heads, gpu = read(asked.gpu)
    others, simulated = read(asked.simulated)
    print(heads[0], others[0])
    both = [(key, gpu[key], simulated[key]) for key in gpu if key in simulated]
    fine = [(key, left, right) for key, left, right in both if "ours" in left and "ours" in right]
    print(f"{len(gpu)} and {len(simulated)} samples, {len(both)} the same, {len(fine)} computed on both")
    probe: dict[str, Counter[str]] = defaultdict(Counter)
    for key, left in gpu.items():
        if left.get("cuda") is not None:
            probe[str(key[0])][difference(left["ours"], left["cuda"])] += 1
    device: dict[str, Counter[str]] = defaultdict(Counter)
    for key, left, right in fine:
        device[f"{key[0]} {key[1]}"][difference(right["ours"], left["ours"])] += 1
    errors: dict[str, Counter[str]] = defaultdict(Counter)
    for key, left, right in both:
        if ("error" in left) != ("error" in right):
            where = "the GPU alone raises" if "error" in left else "the simulated device alone raises"
            errors[str(key[0])][f"{where}: {left.get('error') or right.get('error')}"] += 1
    _show("what our probe counts on the GPU, not what CUDA's runtime was called for", probe)
    _show("what the simulated device counts, not what the GPU does", device)
    _show("errors", errors)
    wrong = {name.split(" ")[0] for name, found in device.items() if set(found) - {""}}
    return 1 if wrong - EXPECTED.keys() else 0


def _show(title: str, found: dict[str, Counter[str]]) -> None:
    equal = sum(counter[""] for counter in found.values())
    print(f"\n{title}: {sum(c.total() for c in found.values()) - equal}; {equal} are equal")
    for name, counter in sorted(found.items()):
        for text, times in counter.items():
            if text:
                why = EXPECTED.get(name.partition(" ")[0])
                print(f"  {name}: {times} x {text}" + (f"  [{why}]" if why else ""))


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    recording = commands.add_parser("record", help="count on this machine")
    recording.add_argument("file", type=Path)
    recording.add_argument("--only", nargs="*", default=[], help="operators by name (all)")
    recording.add_argument("--samples", type=int, default=12, help="of each operator and mode (%(default)s)")
    recording.add_argument("--part", default="0/1", help="0/4 is the first of four parts (%(default)s)")
    recording.set_defaults(call=record)
    comparing = commands.add_parser("compare", help="compare two records")
    comparing.add_argument("gpu", type=Path)
    comparing.add_argument("simulated", type=Path)
    comparing.set_defaults(call=compare)
    asked = parser.parse_args()
    status: int = asked.call(asked)
    return status


if __name__ == "__main__":
    sys.exit(main())
