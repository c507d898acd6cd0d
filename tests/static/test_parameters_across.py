"""Parameters are what calls in other files pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from kinds_across_cases import found, workspace_of, write

from overhead_lint.cache.store import Cache

CALLED = """
    import torch

    def clip(norm, limit, table: torch.Tensor, *, weight=None):
        float(norm)
        float(limit)
        float(table)
        float(weight)

    class Meter:
        def __init__(self, total, count):
            self.total = total
            self.count = count

        def update(self, value):
            float(value)
            float(self.total)
            float(self.count)
    """
CALLING = """
    import torch
    from ops import Meter, clip

    def train(model, loader, unknown):
        for batch in loader:
            gains = torch.relu(batch.cuda())
            {calls}
    """

PASSED = {
    "tensors by place": ("clip(gains, 3.0, gains)", ["float(norm)", "float(table)"]),
    "a tensor by keyword": ("clip(1, 2, gains, weight=gains)", ["float(table)", "float(weight)"]),
    "tensors in one call, something unknown in others": (
        "clip(gains, 1, gains); clip(unknown, 1, gains)",
        ["float(norm)", "float(table)"],
    ),
    "tensors in one call, numbers in others": ("clip(gains, 1, gains); clip(3, 1, gains)", ["float(table)"]),
    "host tensors": ("clip(torch.zeros(3), 2, gains)", ["float(table)"]),
    "constructors and methods, which are not looked at": ("Meter(gains, 3).update(gains)", []),
    "an unpacked argument before it": ("clip(*unknown, gains)", ["float(table)"]),
}


@pytest.mark.parametrize("name", PASSED)
def test_parameters_are_what_calls_in_other_files_pass(tmp_path: Path, name: str) -> None:
    calls, expected = PASSED[name]
    write(tmp_path, {"ops.py": CALLED, "train.py": CALLING.format(calls=calls)})
    assert found(workspace_of(tmp_path, "ops.py"), tmp_path / "ops.py") == expected


def test_a_run_that_knows_an_earlier_one_finds_what_a_new_one_does(tmp_path: Path) -> None:
    runs = []
    for calls in ("clip(gains, 3.0, gains)", "clip(3.0, gains, gains)", "clip(3.0, gains, gains)"):
        write(tmp_path, {"ops.py": CALLED, "train.py": CALLING.format(calls=calls)})
        workspace = workspace_of(tmp_path, "ops.py", cache=Cache(tmp_path / ".cache", "key"))
        runs.append(found(workspace, tmp_path / "ops.py"))
        workspace.save()
    assert runs == [["float(norm)", "float(table)"], *[["float(limit)", "float(table)"]] * 2]


def test_what_a_function_passes_on_is_what_it_was_given(tmp_path: Path) -> None:
    middle = "from ops import clip\n\ndef passing(norm):\n    clip(norm, 1, norm)\n"
    calls = "passing(gains)"
    head = CALLING.replace("import Meter, clip", "import clip\n    from middle import passing")
    write(tmp_path, {"ops.py": CALLED, "middle.py": middle, "train.py": head.format(calls=calls)})
    assert found(workspace_of(tmp_path, "middle.py", "ops.py"), tmp_path / "ops.py") == ["float(table)"]
