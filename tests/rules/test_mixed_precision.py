"""mixed-precision-api says what torch does: each setting is made in a fork, and the reads are tried."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from rule_cases import lines, lint

NAMES = importlib.import_module("overhead_lint.rules.precision._names")
READS = [NAMES.MATMUL, NAMES.CUDNN, f"{NAMES.GETTER}()"]
# One import of torch; each case runs in a fork.
TRY_ALL = """
import os, sys
import torch
for case in sys.stdin.read().splitlines():
    if os.fork() == 0:
        owner, value = case.split()
        eval(owner).fp32_precision = value
        for read in {reads!r}:
            try:
                eval(read)
            except RuntimeError:
                os.write(1, f"{{owner}} {{value}} {{read}}\\n".encode())
        os._exit(0)
    os.wait()
"""


def test_table_of_broken_reads_is_what_torch_does() -> None:
    settings = sorted(NAMES._BREAKS)
    done = subprocess.run(
        [sys.executable, "-c", TRY_ALL.format(reads=READS)],
        input="\n".join(" ".join(item) for item in settings),
        capture_output=True,
        text=True,
        check=True,
    )
    raised = set(done.stdout.splitlines())
    expected = {
        f"{owner} {value} {read}"
        for (owner, value), broken in NAMES._BREAKS.items()
        for read in READS
        if read.removesuffix("()") in broken
    }
    assert raised == expected and len(settings) == 15


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        ("torch.backends.cuda.matmul.fp32_precision = 'tf32'", [3, 5]),
        ("torch.backends.cuda.matmul.fp32_precision = 'ieee'", []),
        ("torch.backends.cuda.matmul.fp32_precision = choice", [3, 5]),
        ("torch.backends.cudnn.conv.fp32_precision = 'ieee'", [4]),
        ("torch.backends.mkldnn.matmul.fp32_precision = 'bf16'", [5]),
        ("other.fp32_precision = 'tf32'", []),
    ],
)
def test_reads_that_a_setting_breaks_are_reported(setting: str, found: list[int]) -> None:
    text = (
        f"import torch\n{setting}\na = torch.backends.cuda.matmul.allow_tf32\n"
        "b = torch.backends.cudnn.allow_tf32\nc = torch.get_float32_matmul_precision()\n"
    )
    assert lines("OVH502", text) == found


def test_message_names_both_places() -> None:
    text = (
        "import torch\ntorch.backends.cudnn.rnn.fp32_precision = 'ieee'\n"
        "def read():\n    return torch.backends.cudnn.allow_tf32\n"
    )
    (finding,) = lint("OVH502", text)
    assert finding.span.line == 4 and "line 2" in finding.message
