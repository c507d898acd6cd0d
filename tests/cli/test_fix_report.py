"""``overhead-lint fix-report``: fixes as the description of a pull request."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

TEXT = """\
import torch
from torch.utils.data import DataLoader


def train(model, data, optimizer):
    for batch in DataLoader(data, pin_memory=True):
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        ones = torch.ones(3).to(torch.float16)
        twos = torch.ones(4).to(torch.float16)


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x + torch.zeros(3).to(torch.float16)
"""


@pytest.fixture(autouse=True)
def net(tmp_path: Path) -> Path:
    """A file with three safe fixes of one rule, and an unsafe one of another."""
    path = tmp_path / "net.py"
    path.write_text(TEXT)
    return path


def described(run_here: Run, *arguments: str) -> str:
    done = run_here("fix-report", "--isolated", "--no-cache", *arguments, "net.py")
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def test_it_tells_what_is_fixed_where(run_here: Run, net: Path) -> None:
    text = described(run_here)
    assert text.startswith(
        "# Remove 3 costs of microseconds\n\n3 places in 1 file, changed by `overhead-lint --fix net.py` ("
    )
    assert "### factory-then-to (OVH701): 3 places\n\nZeros in bfloat16 cost " in text
    assert "- `net.py`, in `train` (2), `Net.forward`: make it with the dtype\n" in text
    assert re.search(r"^\| factory-then-to \(OVH701\) \| 3 \| ~[\d.]+ us of the host \|$", text, re.MULTILINE)
    assert "`~` marks estimates" in text
    assert "3 fixes are safe" in text and "To look at" not in text
    assert text.endswith("- No command was run with the fixes and without.\n")
    assert net.read_text() == TEXT


def test_unsafe_fixes_come_with_what_to_look_at(run_here: Run) -> None:
    text = described(run_here, "--unsafe-fixes", "--select=OVH4,OVH701")
    assert text.startswith("# Remove 1 stall a step and 3 costs of microseconds\n")
    assert "`overhead-lint --fix --unsafe-fixes --select OVH4,OVH701 net.py`" in text
    assert text.index("(OVH407)") < text.index("(OVH701)"), "what matters most comes first"
    assert "(unsafe: needs a look)\n\nTo look at: Unsafe: " in text
    assert "| blocking-copy (OVH407) | 1 | 1 wait for the device |" in text
    assert "| all | 4 | 1 wait for the device; ~" in text


def test_with_fix_it_writes_the_files_too(run_here: Run, net: Path, tmp_path: Path) -> None:
    assert described(run_here, "--fix", "-o", "body.md") == ""
    assert (tmp_path / "body.md").read_text().startswith("# Remove 3 costs")
    assert net.read_text().count("dtype=") == 3


def test_it_says_how_a_command_ended(run_here: Run, net: Path) -> None:
    net.write_text(TEXT.replace("from torch.utils.data import DataLoader\n", ""))
    (net.parent / "torch.py").write_text("class nn:\n    Module = object\n\n\nTensor = object\n")
    command = f"{sys.executable} net.py"
    arguments = ("--isolated", "--no-cache", "--verify", command, "--verify-runs=1", "net.py")
    done = run_here("fix-report", *arguments)
    assert (
        f"- `{command}` ended with the fixes as without, each in a copy of the project: status 0."
        in done.stdout
    )
    assert "- Its time, median of 1 run each way, in turn: saving: within noise" in done.stdout
    assert (done.stderr.splitlines()[0][:9], done.returncode) == ("verified:", 0)
    assert "dtype=" not in net.read_text(), "no --fix"
    other = "import sys; sys.exit('dtype=' in open('net.py').read())"
    done = run_here(
        "fix-report", *arguments[:2], "--fix", "--verify", f'{sys.executable} -c "{other}"', "net.py"
    )
    assert (done.stdout, done.returncode) == ("", 1)
    assert "dtype=" not in net.read_text()


def test_of_nothing_there_is_nothing_to_tell(run_here: Run, net: Path) -> None:
    net.write_text("x = 1\n")
    done = run_here("fix-report", "--isolated", "net.py")
    said = "nothing to fix, so nothing was described\n"
    assert (done.stdout, done.stderr, done.returncode) == ("", said, 0)


@pytest.mark.parametrize(
    "arguments",
    [("--diff",), ("--watch",), ("--statistics",), ("--output-format=json",), ("-",), ("--show-files",)],
)
def test_what_does_not_go_with_it_is_told(run_here: Run, arguments: tuple[str, ...]) -> None:
    done = run_here("fix-report", *arguments)
    assert f"it describes fixes of files: no {arguments[0].partition('=')[0]} with it" in done.stderr
    assert done.returncode == 2
