"""Runs public CUDA programs, unchanged, on the simulated device, and prints what they cost the host.

    python benchmarks/cuda_programs.py --nanogpt NANOGPT --examples EXAMPLES [--only NAME ...]

NANOGPT and EXAMPLES are checkouts of karpathy/nanoGPT and pytorch/examples; they are copied, and their data
is made here. The other programs lie in ``benchmarks/programs`` and need accelerate, pytorch-lightning and
transformers. A table in Markdown goes to standard output; the status is 1 when a program failed.
torchvision's wheel on PyPI is made for CUDA builds of torch; beside a CPU-only one it is given the two
operators' names that it misses.
"""

from __future__ import annotations

import argparse
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch

METRICS: Final = ("event_record", "stream_sync", "copies_h2d", "copies_d2h", "dispatches")
_HERE: Final = Path(__file__).parent
_TORCHVISION: Final = """
import torch
library = torch.library.Library("torchvision", "DEF")
for name in ("nms", "qnms"):
    library.define(name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
"""


@dataclass(frozen=True, slots=True)
class Program:
    """One program.

    Attributes:
        checkout: which checkout it is from, ``nanogpt`` or ``examples``; empty for one of ours.
        folder: where in the checkout it is started.
        arguments: the program and what it is given.
        prepare: makes its data in that folder.
    """

    checkout: str
    folder: str
    arguments: tuple[str, ...]
    prepare: Callable[[Path], None] = lambda folder: None


def _shakespeare(folder: Path) -> None:
    data = folder / "data" / "shakespeare_char"
    for split in ("train", "val"):
        tokens = torch.randint(65, (4096,), generator=torch.Generator().manual_seed(1)).to(torch.uint16)
        (data / f"{split}.bin").write_bytes(tokens.numpy().tobytes())
    meta = {"vocab_size": 65, "itos": dict(enumerate(map(chr, range(65)))), "stoi": {}}
    (data / "meta.pkl").write_bytes(pickle.dumps(meta))


def _words(folder: Path) -> None:
    data = folder / "data" / "wikitext-2"
    data.mkdir(parents=True, exist_ok=True)
    for split in ("train", "valid", "test"):
        lines = [" ".join(f"word{(line * 7 + place) % 90}" for place in range(20)) for line in range(60)]
        (data / f"{split}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _images(folder: Path) -> None:
    from PIL import Image

    for split, number in (("train", 8), ("val", 4)):
        for position in range(number):
            label = folder / "images" / split / f"class{position % 2}"
            label.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (64, 64), (position * 20, 90, 200)).save(label / f"{position}.png")


def _language_model(kind: str, *more: str) -> Program:
    sizes = ("--emsize", "32", "--nhid", "32", "--nlayers", "2", "--batch_size", "4", "--bptt", "16")
    arguments = ("main.py", "--accel", "--model", kind, "--epochs", "1", *sizes, *more)
    return Program("examples", "word_language_model", arguments, _words)


PROGRAMS: Final = {
    "nanoGPT train.py": Program(
        "nanogpt",
        ".",
        (
            *("train.py", "config/train_shakespeare_char.py", "--device=cuda", "--compile=False"),
            *("--max_iters=5", "--eval_interval=5", "--eval_iters=4", "--log_interval=1", "--batch_size=4"),
            *("--block_size=32", "--n_layer=2", "--n_head=2", "--n_embd=32", "--dtype=bfloat16"),
        ),
        _shakespeare,
    ),
    "word_language_model LSTM": _language_model("LSTM"),
    "word_language_model GRU": _language_model("GRU"),
    "word_language_model Transformer": _language_model("Transformer", "--nhead", "2"),
    "imagenet": Program(
        "examples",
        "imagenet",
        ("main.py", "images", "-a", "resnet18", "--epochs", "1", "-b", "4", "-j", "1"),
        _images,
    ),
    "dcgan": Program(
        "examples",
        "dcgan",
        (
            *(
                "main.py",
                "--dataset",
                "fake",
                "--accel",
                "--dry-run",
                "--imageSize",
                "64",
                "--batchSize",
                "4",
            ),
            *("--ngf", "8", "--ndf", "8", "--workers", "0"),
        ),
    ),
    "accelerate": Program("", "", ("accelerate_loop.py",)),
    "pytorch-lightning": Program("", "", ("lightning_fit.py",)),
    "transformers": Program("", "", ("transformers_trainer.py",)),
}


def run(program: Program, checkouts: dict[str, Path], work: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a copy of its checkout below `work`; gives the finished process."""
    if program.checkout:
        copy = work / program.checkout
        if not copy.exists():
            shutil.copytree(checkouts[program.checkout], copy, ignore=shutil.ignore_patterns(".git"))
        folder = copy / program.folder
        program.prepare(folder)
        script, *rest = program.arguments
    else:
        folder, rest = work, list(program.arguments[1:])
        script = str(_HERE.resolve() / "programs" / program.arguments[0])
    (work / "site").mkdir(exist_ok=True)
    (work / "site" / "sitecustomize.py").write_text(_TORCHVISION, encoding="utf-8")
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "overhead_lint.simulated",
        "--metrics",
        ",".join(METRICS),
    ]
    return subprocess.run(
        [*command, script, *rest],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(work / "site")},
        capture_output=True,
        text=True,
        check=False,
    )


def row(name: str, done: subprocess.CompletedProcess[str]) -> str:
    """The row of a program in the table, or what it said last."""
    if done.returncode:
        return f"{name}: status {done.returncode}\n{done.stderr[-2000:]}"
    counts = dict(line.split()[:2] for line in done.stderr.splitlines()[-len(METRICS) :])
    return f"| {name} | " + " | ".join(counts.get(metric, "?") for metric in METRICS) + " |"


def main() -> int:
    """Run the programs that the command line names, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nanogpt", type=Path, required=True)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--only", nargs="*", choices=PROGRAMS, default=list(PROGRAMS))
    asked = parser.parse_args()
    failed = False
    print("| program | " + " | ".join(f"`{metric}`" for metric in METRICS) + " |")
    print("|---" * (len(METRICS) + 1) + "|")
    with tempfile.TemporaryDirectory() as work:
        for name in asked.only:
            checkouts = {"nanogpt": asked.nanogpt, "examples": asked.examples}
            done = run(PROGRAMS[name], checkouts, Path(work))
            failed |= done.returncode != 0
            print(row(name, done), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
