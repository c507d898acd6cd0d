"""Runs test suites of public repositories, unchanged, on the simulated device and on the CPU.

    pip install kornia_rs opencv-python-headless pillow scipy   # for kornia
    pip install torch_geometric pytest-xdist                    # for pytorch_geometric and ignite
    pip install gpytorch linear_operator                        # for these two
    pip install scikit-learn captum parameterized               # for pytorch-metric-learning and captum
    python benchmarks/cuda_suites.py SOURCES [--only NAME ...]

SOURCES holds checkouts of the repositories in ``SUITES`` under their last names (``SOURCES/kornia``), at the
commits that stand there. A table in Markdown goes to standard output: what passes and fails on each. What
fails on the device only goes below it, with its error's first line; nothing is said of what is right, which
only a GPU's result can tell.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

_QUIET: Final = ("-q", "-p", "no:cacheprovider", "-W", "ignore", "--tb=no")
_TESTED: Final = (  # of accelerate, what runs in one process and needs no model from the network
    *("accelerator", "big_modeling", "modeling_utils", "hooks", "utils", "optimizer", "scheduler"),
    *("state_checkpointing", "data_loader", "grad_sync", "memory_utils", "offload", "kwargs_handlers"),
)


@dataclass(frozen=True, slots=True)
class Suite:
    """One suite.

    Attributes:
        repository: where it is from.
        commit: what was checked out when it was recorded.
        tests: what pytest is given.
        device: more of that on the device.
        host: more of that on the CPU.
        devices: how many are simulated.
        environment: variables of the run on the CPU.
    """

    repository: str
    commit: str
    tests: tuple[str, ...]
    device: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    devices: int = 1
    environment: tuple[tuple[str, str], ...] = ()


def _kornia(*folders: str) -> Suite:
    tests = (*(f"tests/{folder}" for folder in folders), "--dtype=float32")
    commit = "b4f5a78a13891c7ac4c1cd9695941380273e981d"
    return Suite("kornia/kornia", commit, tests, ("--device=cuda",), ("--device=cpu",))


_CUDA: Final = ("-k", "cuda")  # tests whose names say so
_GPU: Final = ("-k", "cuda or gpu")
SUITES: Final = {
    "kornia augmentation": _kornia("augmentation"),
    "kornia geometry": _kornia("geometry"),
    "kornia the rest": _kornia(
        *("color", "core", "enhance", "filters", "image", "losses", "metrics", "morphology", "sensors")
    ),
    "accelerate": Suite(
        "huggingface/accelerate",
        "16cb6eb80dd9aa8b4df1a63ef57863e455d53b83",
        tuple(f"tests/test_{name}.py" for name in _TESTED),
        devices=2,
    ),
    "pytorch_geometric": Suite(
        "pyg-team/pytorch_geometric",
        "5c6461b2305ad068a6d61165b3c55852a11aaa41",
        tuple(f"test/{folder}" for folder in ("nn", "utils", "data", "loader", "profile")),
        _CUDA,
        ("-k", "cpu and not cuda"),
        devices=2,
    ),
    "gpytorch": Suite(
        "cornellius-gp/gpytorch", "7c4ec80f0f05cf530348a8a8972d67a11dd26ed2", ("test",), _CUDA, _CUDA
    ),
    "linear_operator": Suite(
        "cornellius-gp/linear_operator", "386cff780e1fc17317d3c1ce19604b5637736ca5", ("test",), _CUDA, _CUDA
    ),
    "ignite": Suite(
        "pytorch/ignite",
        "de08e799cfb55a6cf4aa778575d6bad725385453",
        ("tests/ignite/engine", "tests/ignite/metrics/regression"),
        _GPU,
        _GPU,
    ),
    "pytorch-metric-learning": Suite(
        "KevinMusgrave/pytorch-metric-learning",
        "216a792c22b0154d3d3bf008a7317edc7d677e71",
        ("tests/distances", "tests/reducers", "tests/regularizers"),
        devices=2,
        environment=(("TEST_DEVICE", "cpu"),),
    ),
    "captum": Suite(
        "pytorch/captum",
        "faac08773131888714b15709b28494ebeea7f6eb",
        ("tests/attr/test_data_parallel.py", "tests/attr/test_jit.py"),
        devices=2,
    ),
}


def outcomes(suite: Suite, checkout: Path, *, simulated: bool) -> dict[str, tuple[str, str]]:
    """Run a suite; gives each test's outcome and the first line of its error, by its name."""
    with tempfile.TemporaryDirectory() as work:
        written = Path(work) / "junit.xml"
        device = ("-m", "overhead_lint.simulated", "--devices", str(suite.devices)) if simulated else ()
        chosen = suite.device if simulated else suite.host
        command = [sys.executable, *device, "-m", "pytest", *_QUIET, f"--junit-xml={written}"]
        path = os.pathsep.join((str(checkout), str(checkout / "src")))
        programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        environment = {**os.environ, "PYTHONPATH": path, "PATH": programs, "HF_HUB_OFFLINE": "1"}
        environment |= {} if simulated else dict(suite.environment)
        done = subprocess.run(
            [*command, *suite.tests, *chosen],
            cwd=checkout,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if not written.exists():
            raise SystemExit(f"{suite.repository}: no test ran\n{(done.stdout + done.stderr)[-2000:]}")
        cases = ElementTree.parse(written).getroot().iter("testcase")
        return {f"{case.get('classname')}::{case.get('name')}": _outcome(case) for case in cases}


def _outcome(case: ElementTree.Element) -> tuple[str, str]:
    for kind, told in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
        found = case.find(kind)
        if found is not None:
            lines = [line for line in str(found.get("message") or "").splitlines() if line.strip()]
            return told, lines[0] if lines else ""
    return "passed", ""


def _fails(test: str, host: dict[str, tuple[str, str]]) -> bool:
    """Whether a test, or the one of its name for the CPU, fails there."""
    named = test.replace("cuda:0", "cuda").replace("cuda", "cpu")
    return any(host.get(name, ("", ""))[0] == "failed" for name in (test, named))


def main() -> int:
    """Run the suites that the command line names, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", type=Path, help="a folder of checkouts")
    parser.add_argument("--only", nargs="*", choices=SUITES, default=list(SUITES))
    asked = parser.parse_args()
    rest: list[str] = []
    print("| suite | commit | device: passed | failed | CPU: passed | failed | fails on the device only |")
    print("|---" * 7 + "|")
    for name in asked.only:
        suite = SUITES[name]
        checkout = asked.sources / suite.repository.rpartition("/")[2]
        if not checkout.is_dir():
            parser.error(f"{checkout}: no such folder")
        device = outcomes(suite, checkout, simulated=True)
        host = outcomes(suite, checkout, simulated=False)
        counted = [Counter(kind for kind, _ in found.values()) for found in (device, host)]
        failed = {test: why for test, (kind, why) in device.items() if kind == "failed"}
        only = {test: why for test, why in failed.items() if not _fails(test, host)}
        cells = [f"{count[kind]:,}" for count in counted for kind in ("passed", "failed")]
        print(f"| {name} | {suite.commit[:7]} | " + " | ".join(cells) + f" | {len(only):,} |", flush=True)
        rest += [f"{name}: {count} x {why}" for why, count in Counter(only.values()).most_common()]
    print("", *rest, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
