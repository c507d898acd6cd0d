"""What one change mends is told as one: findings of a function and a step, and copies of a function."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Run

NET = """\
import torch
from torch import nn


class {name}(nn.Module):
    def forward(self, x, device):
        {comment}start = torch.zeros(x.shape[0], device=device) + x.mean().item()
        for column in x.unbind(1):
            mask = column > 0
            start[mask] = column[mask]
        return start * x.sum().item()
"""
TWO_LOOPS = """\
import torch


def main(net, optimizer, losses, first, second, device):
    for batch in first:
        mask = torch.tensor([1.0, 2.0]).to(device)
        loss = net(batch * mask).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    for images in second:
        scale = torch.tensor([3.0, 2.0]).to(device)
        error = net(images * scale).sum()
        error.backward()
        optimizer.step()
        losses.append(error.item())
"""
TOLD = {("net.py", 7): ("net.py", 10), ("net.py", 10): None, ("net.py", 11): ("net.py", 10)}
WAITS = ("--ignore", "OVH706")


def net(name: str = "Net", comment: str = "") -> str:
    """A module that waits in a loop, and twice once a call."""
    return NET.format(name=name, comment=comment)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "net.py").write_text(net())
    return tmp_path


def tellers(run_here: Run, *options: str) -> dict[tuple[str, int], tuple[str, int] | None]:
    """Which places are told by which, as JSON has it; None for themselves."""
    found = json.loads(run_here(".", *WAITS, "--output-format", "json", *options).stdout)
    return {
        (one["path"], one["line"]): (teller["path"], teller["line"]) if (teller := one["told_by"]) else None
        for one in found
    }


def test_what_waits_most_often_tells_the_others_of_its_function(project: Path, run_here: Run) -> None:
    assert tellers(run_here) == TOLD
    lines = run_here(".", *WAITS).stdout.splitlines()
    assert [line.partition(" ")[0] for line in lines if line.startswith("net.py:")] == ["net.py:10:13:"]
    assert "   = also: lines 7, 11: OVH404 sync-in-step" in lines
    assert lines[-1].startswith("Found 3 findings in 1 file, 2 of them told with others (")


def test_several_steps_of_one_function_are_told_apart(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "train.py").write_text(TWO_LOOPS)
    told = tellers(run_here)
    assert {line: teller and teller[1] for (_, line), teller in told.items()} == {
        6: None,
        10: 6,
        12: None,
        16: 12,
    }


@pytest.mark.parametrize("options", [(), ("--sort", "path"), ("--min-heat", "loop")])
def test_each_finding_stands_for_itself_where_one_asks_for_places(
    project: Path, run_here: Run, options: tuple[str, ...]
) -> None:
    is_by_place = "--sort" in options
    assert any(tellers(run_here, *options).values()) is (not is_by_place and "--min-heat" not in options)
    concise = run_here(".", *WAITS, "--output-format", "concise", *options).stdout.splitlines()
    places = [line.split(":")[1] for line in concise[:-1]]
    assert places == {"--sort": ["7", "10", "11"], "--min-heat": ["10"]}.get(
        next(iter(options), ""), ["10", "7", "11"]
    )
    if is_by_place:
        assert "= also" not in run_here(".", *WAITS, *options).stdout


def test_copies_of_a_function_are_told_once(project: Path, run_here: Run) -> None:
    (project / "a" / "b").mkdir(parents=True)
    (project / "a" / "net.py").write_text(net("Other", "# so\n\n        "))
    (project / "a" / "b" / "net.py").write_text(net())
    (project / "changed.py").write_text(net().replace("> 0", "> 1"))
    told = tellers(run_here)
    assert {place for place, teller in told.items() if teller is None} == {("net.py", 10), ("changed.py", 10)}
    assert told["a/net.py", 12] == told["a/b/net.py", 7] == ("net.py", 10)
    text = " ".join(run_here(".", *WAITS).stdout.split())
    assert "= copies: the same function stands in 2 other places: a/net.py:12, a/b/net.py:10 =" in text
    assert "2 places stall a step" in text
    assert "Found 12 findings in 4 files, 10 of them told with others" in text


def test_many_copies_are_counted(project: Path, run_here: Run) -> None:
    for number in range(1, 6):
        (project / f"net_{number}.py").write_text(net())
    text = " ".join(run_here(".", *WAITS).stdout.split())
    assert "in 5 other places: net_5.py:10, net_4.py:10, net_3.py:10 and 2 more =" in text


def test_of_copies_the_one_that_a_loop_reaches_tells_the_others(project: Path, run_here: Run) -> None:
    (project / "live").mkdir()
    (project / "live" / "net.py").write_text(net())
    loop = "for x in loader:\n    loss = model(x, 'cuda').sum()\n    loss.backward()\n"
    program = f"from live.net import Net\n\nmodel = Net()\n{loop}"
    (project / "train.py").write_text(program)
    told = tellers(run_here)
    assert told["live/net.py", 10] is None and told["net.py", 10] == ("live/net.py", 10)


def test_of_versions_the_latest_tells_the_others(tmp_path: Path, run_here: Run) -> None:
    for version in ("v2", "v10", "v9"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "net.py").write_text(net())
    told = tellers(run_here)
    assert {path for (path, _), teller in told.items() if teller is None} == {"v10/net.py"}


def test_sarif_says_which_finding_tells_another(project: Path, run_here: Run) -> None:
    log = json.loads(run_here(".", *WAITS, "--output-format", "sarif").stdout)
    results = log["runs"][0]["results"]
    related = [one.get("relatedLocations") for one in results]
    assert [bool(one) for one in related] == [True, False, True]
    (place,) = related[0]
    assert place["message"]["text"] == "told by OVH409 data-dependent-shape"
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "net.py"
    assert place["physicalLocation"]["region"] == {"startLine": 10}


def test_reports_of_parts_have_a_finding_once_whatever_tells_it(project: Path, run_here: Run) -> None:
    (project / "copy.py").write_text(net())
    for name, paths in (("part.json", ["net.py"]), ("whole.json", ["net.py", "copy.py"])):
        (project / name).write_text(run_here(*paths, *WAITS, "--output-format", "json").stdout)
    merged = json.loads(run_here("merge-reports", "part.json", "whole.json").stdout)
    assert [(one["path"], one["line"]) for one in merged] == [
        (path, line) for path in ("copy.py", "net.py") for line in (7, 10, 11)
    ]


MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return self.scaled(x) * {more}

    def scaled(self, x: torch.Tensor):
        return x * torch.tensor([1.0, 2.0]).to(x.device)
"""
TRAINING = """\
import torch
from model import Net

model = Net()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for x in loader:
    loss = model(x.cuda()).sum()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
"""


def test_all_waits_of_a_step_are_told_once_whatever_functions_and_files_they_are_in(
    tmp_path: Path, run_here: Run
) -> None:
    (tmp_path / "train.py").write_text(TRAINING)
    (tmp_path / "model.py").write_text(MODEL.format(more="torch.tensor([3.0]).to(x.device)"))
    told = tellers(run_here)
    (teller,) = (place for place, its in told.items() if its is None)
    places = {("train.py", 7), ("train.py", 10), ("model.py", 7), ("model.py", 10)}
    assert {place for place, its in told.items() if its == teller} == places - {teller}
    text = " ".join(run_here(".", *WAITS).stdout.split())
    assert "= step: the CPU waits at 4 places of it: little is gained before all of them are gone" in text
    path = {"train.py": "model.py", "model.py": "train.py"}[teller[0]]
    assert f"= also: {path}, line" in text


def test_what_is_said_of_correctness_in_the_same_words_is_told_once(tmp_path: Path, run_here: Run) -> None:
    flags = "import torch\n\ntorch.backends.cudnn.allow_tf32 = True\n"
    for number in range(10):
        (tmp_path / f"flags_{number}.py").write_text(flags)
    (tmp_path / "matmul.py").write_text(flags.replace("cudnn", "cuda.matmul"))
    told = tellers(run_here)
    assert [place for place, its in told.items() if its is None] == [("flags_0.py", 3), ("matmul.py", 3)]
    assert set(told.values()) == {None, ("flags_0.py", 3)}
    lines = run_here(".", *WAITS).stdout.splitlines()
    also = [line for line in lines if line.startswith("  = also: ")]
    assert also[0] == "  = also: flags_1.py, line 3: OVH501 legacy-tf32-flag"
    assert (len(also), also[-1]) == (9, "  = also: 1 more place: --sort path lists them")
    assert "2 are a matter of correctness" in lines[0]


def test_steps_of_which_one_is_in_the_other_by_name_alone_are_told_apart(
    tmp_path: Path, run_here: Run
) -> None:
    (tmp_path / "train.py").write_text(TRAINING.replace("model = Net()", "model = Net"))
    (tmp_path / "model.py").write_text(MODEL.format(more="2"))
    told = tellers(run_here)
    assert told["model.py", 10] is None
    assert {told["train.py", 7], told["train.py", 10]} <= {None, ("train.py", 7), ("train.py", 10)}


def test_a_copy_that_no_loop_reaches_is_told_with_the_step_that_one_reaches(
    tmp_path: Path, run_here: Run
) -> None:
    (tmp_path / "train.py").write_text(TRAINING)
    (tmp_path / "model.py").write_text(MODEL.format(more="2"))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "model.py").write_text(MODEL.format(more="2"))
    told = tellers(run_here)
    (teller,) = (place for place, its in told.items() if its is None)
    assert teller[0] != "old/model.py" and told["old/model.py", 10] == teller
