"""Precision flags from before ``fp32_precision``: each old setting, and what contradicts it elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .replay import over_budget

if TYPE_CHECKING:
    from .replay import Program

# What each leaf resolves to, and what the flags read as, in a process of its own.
LEAVES = """
import flags, torch
flags.old()
backends = torch.backends
print(backends.cuda.matmul.fp32_precision, backends.mkldnn.matmul.fp32_precision)
print(backends.cudnn.conv.fp32_precision, backends.cudnn.rnn.fp32_precision)
"""
SETTINGS = (
    "torch.backends.cuda.matmul.allow_tf32 = True",
    "torch.backends.cuda.matmul.allow_tf32 = False",
    "torch.backends.cudnn.allow_tf32 = True",
    "torch.backends.cudnn.allow_tf32 = False",
    'torch.set_float32_matmul_precision("highest")',
    'torch.set_float32_matmul_precision("high")',
    'torch.set_float32_matmul_precision("medium")',
)
NEW = (
    ('torch.backends.cuda.matmul.fp32_precision = "tf32"', "torch.backends.cuda.matmul.allow_tf32"),
    ('torch.backends.fp32_precision = "tf32"', "torch.get_float32_matmul_precision()"),
    ('torch.backends.fp32_precision = "bf16"', "torch.get_float32_matmul_precision()"),
    ('torch.backends.cudnn.fp32_precision = "tf32"', "torch.get_float32_matmul_precision()"),
    ('torch.backends.cudnn.conv.fp32_precision = "ieee"', "torch.backends.cudnn.allow_tf32"),
)

# How often the functions of C run that the old settings are.
OLD_SETTERS = """
import sys

class Counter:
    def start(self):
        self.count = 0
        sys.setprofile(self.called)
    def called(self, frame, event, argument):
        name = getattr(argument, "__name__", "") if event == "c_call" else ""
        self.count += name.startswith("_set_") and name.endswith(("allow_tf32", "matmul_precision"))
    def stop(self):
        sys.setprofile(None)
        return self.count
"""
BUDGETS = """
import main
import pytest


@pytest.mark.overhead_budget(counted=0)
def test_training():
    main.train(2)
"""


@pytest.mark.parametrize("setting", SETTINGS)
def test_each_old_setting_resolves_to_the_same_leaves_when_it_is_fixed(
    program: Program, setting: str
) -> None:
    origin = program("precision")
    # Beside the new API: alone, set_float32_matmul_precision does no harm.
    flags = (
        f"import torch\n\n\ndef old():\n    {setting}\n"
        '    torch.backends.mkldnn.conv.fp32_precision = "ieee"\n'
    )
    (origin.folder / "flags.py").write_text(flags)
    before = origin.script(LEAVES)
    assert origin.findings("OVH501").keys() == {("flags.py", 5)}
    origin.fix("--unsafe-fixes")
    after = origin.text("flags.py")
    assert "fp32_precision" in after and setting not in after
    assert origin.findings("OVH501") == {}
    assert origin.script(LEAVES) == before


@pytest.mark.parametrize(("setting", "read"), NEW)
def test_what_contradicts_a_setting_in_another_file_is_found_before_it_raises(
    program: Program, setting: str, read: str
) -> None:
    origin = program("precision")
    (origin.folder / "flags.py").write_text(f"import torch\n\n\ndef old():\n    {setting}\n")
    (origin.folder / "asks.py").write_text(f"import flags\nimport torch\n\nflags.old()\nprint({read})\n")
    (finding,) = origin.findings("OVH502").values()
    assert (finding["path"].rpartition("/")[2], finding["line"]) == ("asks.py", 5)
    assert "flags.py:5" in finding["message"]
    done = origin.python("asks.py")
    assert done.returncode == 1 and "RuntimeError" in done.stderr


def test_project_for_an_older_torch_keeps_its_flags(program: Program) -> None:
    assert program("precision", target="2.8").findings("OVH501") == {}


def test_program_trains_the_same_with_the_new_settings(program: Program) -> None:
    origin = program("precision")
    places = origin.places("flags.py", "cuda.matmul.allow_tf32", "cudnn.allow_tf32")
    assert origin.findings("OVH501").keys() == places
    printed = origin.run()
    entries = [entry for entry in origin.evidence["findings"] if entry["code"] == "OVH501"]
    # They are set before the first step: it costs what it says, and nothing in a step.
    told = {(entry["path"], entry["line"]): (entry["total"], entry["per_step"]) for entry in entries}
    assert told == dict.fromkeys(places, (1, 0))
    assert over_budget(origin, BUDGETS, metric=OLD_SETTERS) == ["counted 2 > 0"]
    origin.fix("--unsafe-fixes")
    assert origin.run() == printed
    assert over_budget(origin, BUDGETS, metric=OLD_SETTERS) == []
