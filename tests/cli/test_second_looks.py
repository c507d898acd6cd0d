"""Which rules look into a file again once the project is known: as few as may say something else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.cli.main import main
from overhead_lint.workspace.examiner import Examiner

if TYPE_CHECKING:
    from pathlib import Path

STEPS = (
    "from lib import step\n\nfor batch in loader:\n    optimizer.zero_grad()\n    step(batch).backward()\n"
)
STEPS += "    optimizer.step()\n"
HOT = {
    "OVH104": (
        "import contextlib\n\n@contextlib.contextmanager\ndef scope(x):\n    yield x\n\n"
        "def step(x):\n    with scope(x) as y:\n        return y\n"
    ),
    "OVH311": (
        "import torch\n\ndef step(x):\n    class Loss:\n        def backward(self):\n"
        "            x.backward()\n    return Loss()\n"
    ),
    "OVH602": "import torch\n\ndef step(x):\n    print(torch.cuda.memory_allocated())\n    return x\n",
}


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Return what takes the files that are looked into again, each with the codes of the rules that do."""
    found: list[tuple[str, Any]] = []
    looked = Examiner._looked

    def noted(self: Examiner, source: Any, facts: Any, file: Any, codes: Any = None, **more: Any) -> Any:
        if more.get("again"):
            found.append((file.target.path.name, codes))
        return looked(self, source, facts, file, codes, **more)

    monkeypatch.setattr(Examiner, "_looked", noted)
    return found


def found_in(folder: Path, files: dict[str, str], capsys: pytest.CaptureFixture[str], code: str) -> list[str]:
    """Return the lines of what a rule finds in a project, each with its file."""
    for name, text in {"pyproject.toml": "[project]\nname = 'x'\nversion = '1'\n", **files}.items():
        (folder / name).write_text(text)
    main(["--isolated", "--no-cache", "--select", code, "--output-format", "json", str(folder)])
    findings = json.loads(capsys.readouterr().out)
    return [f"{one['path'].rpartition('/')[2]}:{one['line']}" for one in findings]


@pytest.mark.parametrize("code", HOT)
def test_what_heat_alone_decides_needs_no_second_look(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], looks: list[tuple[str, Any]]
) -> None:
    assert len(found_in(tmp_path, {"lib.py": HOT[code], "main.py": STEPS}, capsys, code)) == 1
    assert looks == []
    calm = {"lib.py": HOT[code], "main.py": "from lib import step\n\nstep(1)\n"}
    assert found_in(tmp_path, calm, capsys, code) == []


MAKE = "import torch\n\ndef make():\n    return torch.nn.Linear(2, 2)\n"
TRAIN = """\
import torch
from lib import make

net = make()
for x in loader:
    y = net(x).sum()
    print(y.item())
"""


def test_rules_look_again_at_loops_only_if_these_are_judged_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], looks: list[tuple[str, Any]]
) -> None:
    assert found_in(tmp_path, {"lib.py": MAKE, "main.py": TRAIN}, capsys, "OVH404,OVH606") == ["main.py:7"]
    ((file, codes),) = looks
    assert file == "main.py"
    assert "OVH404" in codes
    assert "OVH606" not in codes, "nothing that it says hangs on the module"


def test_all_rules_look_again_where_another_file_makes_a_loop_of_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], looks: list[tuple[str, Any]]
) -> None:
    text = TRAIN.replace("net", "it").replace("loader", "range(n)")
    found = found_in(tmp_path, {"lib.py": MAKE, "main.py": text}, capsys, "OVH404,OVH606")
    assert found == ["main.py:7"]
    assert looks == [("main.py", None)]
