"""mixed-precision-api says what torch does: each setting is made in a fork, and the reads are tried."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from rule_cases import lines, lint

from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

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
torch.backends.cudnn.fp32_precision = "ieee"
if torch.backends.cudnn.conv.fp32_precision == "ieee":
    print("follows")
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
    # Before torch 2.13 convolutions and recurrent layers keep what they have when all of cuDNN is set.
    follows = "follows" in raised
    expected = {
        f"{owner} {value} {read}"
        for (owner, value), broken in NAMES._BREAKS.items()
        for read in READS
        if read.removesuffix("()") in broken
        if follows or read != NAMES.CUDNN or owner.endswith((".conv", ".rnn"))
    }
    assert raised - {"follows"} == expected and len(settings) == 15


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        ("torch.backends.cuda.matmul.fp32_precision = 'tf32'", [3, 5]),
        ("torch.backends.cuda.matmul.fp32_precision = 'ieee'", []),
        ("torch.backends.cuda.matmul.fp32_precision = choice", [3, 5]),
        ("torch.backends.cudnn.conv.fp32_precision = 'ieee'", [4]),
        ("torch.backends.mkldnn.matmul.fp32_precision = 'bf16'", [5]),
        ("torch.backends.cuda.matmul.allow_fp16_accumulation = True", []),
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


SETS = "import torch\ntorch.backends.cuda.matmul.fp32_precision = {value}\n"
READ = "import torch\n{head}was = torch.backends.cuda.matmul.allow_tf32\n"
ACROSS = {
    "set in another file": ("pkg/begin.py", "'tf32'", "pkg/train.py", "", ["pkg/begin.py:2"]),
    "a value that is not known": ("pkg/begin.py", "choice", "pkg/train.py", "", ["pkg/begin.py:2"]),
    "a value that breaks nothing": ("pkg/begin.py", "'ieee'", "pkg/train.py", "", []),
    "a package that has nothing to do with it": ("other/begin.py", "'tf32'", "pkg/train.py", "", []),
    "a package that it imports": (
        "other/begin.py",
        "'tf32'",
        "pkg/train.py",
        "import other\n",
        ["other/begin.py:2"],
    ),
    "a branch for old versions": (
        "pkg/begin.py",
        "'tf32'",
        "pkg/train.py",
        "if not hasattr(torch.backends.cuda.matmul, 'fp32_precision'): ",
        [],
    ),
    "tests, which are no part of the project": ("pkg/tests/begin.py", "'tf32'", "pkg/train.py", "", []),
}


@pytest.mark.parametrize("name", ACROSS)
def test_a_setting_in_another_file_is_named(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting, value, reading, head, named = ACROSS[name]
    monkeypatch.chdir(tmp_path)
    for path, text in ((setting, SETS.format(value=value)), (reading, READ.format(head=head))):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
        (tmp_path / path.split("/")[0] / "__init__.py").touch()
    linter = Linter(packs.select(packs.load(), ["OVH502"], []), Settings())
    target = files.Target(reading, "")
    workspace = Workspace(
        tmp_path,
        [target],
        lambda root: [found for found in files.collect([root]) if isinstance(found, files.Target)],
        lambda: Examiner(lambda target: linter),
    )
    messages = [finding.message for finding in workspace.findings(target)]
    assert [message.split("once ")[1].split(" has run")[0] for message in messages] == named
