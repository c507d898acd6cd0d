"""Runs public CUDA programs, unchanged, on the simulated device, and prints what they cost the host.

    python benchmarks/cuda_programs.py SOURCES [--only NAME ...]
    python benchmarks/cuda_programs.py SOURCES --gpu      on a GPU, with CUPTI's counts in brackets

SOURCES holds checkouts of the repositories in ``COMMITS`` under their last names (``SOURCES/nanoGPT``). What
a program needs of its checkout is copied, and its data is made by ``cuda_programs_data.py``; nothing is
downloaded. Some programs need torchvision, accelerate, lightning, transformers, datasets and evaluate.

A table in Markdown goes to standard output, with the hash of each program as it ran; the status is 1 when
one failed, or is not the file that was recorded here. torchvision's wheel on PyPI is made for CUDA builds
of torch; beside a CPU-only one it is given the two operators' names that it misses.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cuda_programs_data as data

METRICS: Final = ("event_record", "stream_sync", "copies_h2d", "copies_d2h", "dispatches")
COMMITS: Final = {
    "karpathy/nanoGPT": "3adf61e154c3fe3fca428ad6bc3818b27a3b8291",
    "pytorch/examples": "77f55b912142e11fcfdf5b530231fb9c52f181e8",
    "huggingface/accelerate": "16cb6eb80dd9aa8b4df1a63ef57863e455d53b83",
    "Lightning-AI/pytorch-lightning": "7f0c3436cd3f6ad3753125672024fc415cbcb414",
    "huggingface/transformers": "2caa05deb31d7a8e641bbf6b64571fa4fc9c593e",
}
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
        repository: where it is from, a key of `COMMITS`.
        path: the program in its checkout; started in its folder, which is copied with it.
        sha256: of the program's text, the first 12 digits.
        arguments: what it is given.
        prepare: what makes its data in that folder.
    """

    repository: str
    path: str
    sha256: str
    arguments: tuple[str, ...] = ()
    prepare: Callable[[Path], None] = data.nothing

    def source(self, sources: Path) -> Path:
        """The program in the folder of all checkouts."""
        return sources / self.repository.rpartition("/")[2] / self.path


def _language_model(kind: str, *more: str) -> Program:
    arguments = ("--accel", "--model", kind, *_options(epochs=1, emsize=32, nhid=32, nlayers=2))
    sizes = _options(batch_size=4, bptt=16)
    path = "word_language_model/main.py"
    return Program("pytorch/examples", path, "391de12bb7c6", (*arguments, *sizes, *more), data.words)


def _options(**values: object) -> tuple[str, ...]:
    return tuple(word for name, value in values.items() for word in (f"--{name}", str(value)))


PROGRAMS: Final = {
    "nanoGPT train.py": Program(
        "karpathy/nanoGPT",
        "train.py",
        "413bd97b40bb",
        (
            *("config/train_shakespeare_char.py", "--device=cuda", "--compile=False"),
            *("--max_iters=5", "--eval_interval=5", "--eval_iters=4", "--log_interval=1", "--batch_size=4"),
            *("--block_size=32", "--n_layer=2", "--n_head=2", "--n_embd=32", "--dtype=bfloat16"),
        ),
        data.shakespeare,
    ),
    "word_language_model LSTM": _language_model("LSTM"),
    "word_language_model GRU": _language_model("GRU"),
    "word_language_model Transformer": _language_model("Transformer", "--nhead", "2"),
    "imagenet": Program(
        "pytorch/examples",
        "imagenet/main.py",
        "f67ca2cd730b",
        ("images", "-a", "resnet18", "-b", "4", "-j", "1", *_options(epochs=1)),
        data.images,
    ),
    "dcgan": Program(
        "pytorch/examples",
        "dcgan/main.py",
        "4f6aef352782",
        (
            *("--accel", "--dry-run"),
            *_options(dataset="fake", imageSize=64, batchSize=4, ngf=8, ndf=8, workers=0),
        ),
    ),
    "accelerate nlp_example.py": Program(
        "huggingface/accelerate",
        "examples/nlp_example.py",
        "199f1d6d2b38",
        _options(mixed_precision="bf16"),
        data.mrpc,
    ),
    "lightning bug_report_model.py": Program(
        "Lightning-AI/pytorch-lightning", "examples/pytorch/bug_report/bug_report_model.py", "5b40c80c42ef"
    ),
    "lightning transformer.py": Program(
        "Lightning-AI/pytorch-lightning",
        "examples/pytorch/basics/transformer.py",
        "417e7ceb2e06",
        prepare=data.wikitext,
    ),
    "transformers run_clm.py": Program(
        "huggingface/transformers",
        "examples/pytorch/language-modeling/run_clm.py",
        "d55f4705f486",
        (
            *("--do_train", "--do_eval", "--bf16", "--gradient_checkpointing"),
            *_options(model_type="gpt2", tokenizer_name="./tokenizer", block_size=32, max_steps=6),
            *_options(config_overrides="n_layer=2,n_head=2,n_embd=32,n_positions=64"),
            *_options(train_file="text.txt", validation_file="text.txt", output_dir="out"),
            *_options(per_device_train_batch_size=4, report_to="none"),
        ),
        data.text_and_tokenizer,
    ),
}


def run(program: Program, sources: Path, work: Path, *, gpu: bool) -> subprocess.CompletedProcess[str]:
    """Run a program in a copy of its folder below `work`; gives the finished process."""
    script = program.source(sources)
    folder = work / "copy"
    shutil.copytree(script.parent, folder, ignore=shutil.ignore_patterns(".git"))
    (work / "site").mkdir()
    if not gpu:
        (work / "site" / "sitecustomize.py").write_text(_TORCHVISION, encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(work / "site"), os.environ.get("PYTHONPATH")))),
        "HF_HOME": str(work / "hub"),
        "HF_HUB_OFFLINE": "1",
    }

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "ignore", *arguments]
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    made = python(str(Path(data.__file__)), program.prepare.__name__)
    if made.returncode:
        return made
    metrics = _options(metrics=",".join(METRICS))
    device = (str(Path(__file__).with_name("on_gpu.py")),) if gpu else ("-m", "overhead_lint.simulated")
    return python(*device, *metrics, script.name, *program.arguments)


def row(name: str, sha256: str, done: subprocess.CompletedProcess[str]) -> str:
    """The row of a program in the table, or what it said last."""
    if done.returncode:
        return f"{name}: status {done.returncode}\n{done.stderr[-2000:]}"
    told = map(str.split, done.stderr.splitlines()[-len(METRICS) :])
    counts = {words[0]: _told(*words[1:]) for words in told}
    repository, commit = PROGRAMS[name].repository, COMMITS[PROGRAMS[name].repository]
    source = f"{repository} {commit[:7]}, {sha256}"
    return f"| {name} | {source} | " + " | ".join(counts.get(metric, "?") for metric in METRICS) + " |"


def _told(ours: str = "?", cupti: str = "-", *_: str) -> str:
    return ours if cupti == "-" else f"{ours} ({cupti})"


def main() -> int:
    """Run the programs that the command line names, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", type=Path, help="a folder of checkouts")
    parser.add_argument("--only", nargs="*", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--gpu", action="store_true", help="run on the GPU that torch finds")
    asked = parser.parse_args()
    failed = False
    print("| program | source, sha256 | " + " | ".join(f"`{metric}`" for metric in METRICS) + " |")
    print("|---" * (len(METRICS) + 2) + "|")
    for name in asked.only:
        program = PROGRAMS[name]
        sha256 = hashlib.sha256(program.source(asked.sources).read_bytes()).hexdigest()[:12]
        if sha256 != program.sha256:
            print(f"{name}: is {sha256}, and not {program.sha256}, which was recorded", file=sys.stderr)
            failed = True
        with tempfile.TemporaryDirectory() as work:
            done = run(program, asked.sources, Path(work), gpu=asked.gpu)
        failed |= done.returncode != 0
        print(row(name, sha256, done), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
