"""Findings beside which the host waits anyway: they are minor, and say where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Run


LAYER = """\
import torch
from torch import nn

class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        scale = torch.tensor([1.0, 2.0]).to(x.device)
        {more}
        return x * scale
"""


def found(text: str, folder: Path, run_here: Run) -> dict[int, tuple[str, int | None]]:
    """By lines the tiers of findings, and the lines of waits that stay."""
    path = folder / "layer.py"
    path.write_text(text, "utf-8")
    done = run_here(".", "--no-cache", "--output-format=json")
    return {
        line: (one["tier"], stays["line"] if (stays := one["cost"]["stays"]) is not None else None)
        for one in json.loads(done.stdout)
        if one["cost"] is not None and one["cost"]["waits"]
        for line in (one["line"], *one["also"])
    }


def test_a_mend_beside_a_wait_that_stays_is_minor(tmp_path: Path, run_here: Run) -> None:
    assert found(LAYER.format(more="x = x[x > 0]"), tmp_path, run_here)[6] == ("minor", 7)


def test_waits_that_may_all_be_mended_stay_stalls(tmp_path: Path, run_here: Run) -> None:
    more = "shift = torch.tensor([3.0]).to(x.device)\n        x = x + shift"
    tiers = found(LAYER.format(more=more), tmp_path, run_here)
    assert {line: tiers[line] for line in (6, 7)} == {6: ("stall", None), 7: ("stall", None)}


def test_loops_of_waits_that_may_be_mended_stay_stalls(tmp_path: Path, run_here: Run) -> None:
    more = "x = x[x > 0]\n        for i in range(4):\n            x = x + torch.tensor([1.0]).to(x.device)"
    tiers = found(LAYER.format(more=more), tmp_path, run_here)
    assert tiers[9] == ("stall", None)


def test_a_size_that_is_needed_is_minor_once_a_pass_alone(tmp_path: Path, run_here: Run) -> None:
    assert found(LAYER.format(more="x = x[x > 0]"), tmp_path, run_here)[7] == ("minor", 7)
    more = "for i in range(4):\n            x = x[x > i]"
    assert found(LAYER.format(more=more), tmp_path, run_here)[8] == ("stall", None)


HOST = {
    "each of them": (7, "costs = x.cpu().numpy()\n        pairs = [cv2.solve(one) for one in costs]"),
    "an object of the library": (8, "finder = cv2.Finder()\n        pairs = finder.find(x.cpu().numpy())"),
    "in a loop": (8, "finder = cv2.Finder()\n        pairs = [finder.find(one.cpu().numpy()) for one in x]"),
}


@pytest.mark.parametrize("name", HOST)
def test_what_a_library_of_the_host_works_on_has_to_be_copied(
    tmp_path: Path, run_here: Run, name: str
) -> None:
    line, more = HOST[name]
    text = LAYER.replace("import torch\n", "import torch, cv2\n", 1).format(more=more)
    assert found(text, tmp_path, run_here)[line] == ("minor", line)
    assert found(text.replace("cv2", "own"), tmp_path, run_here)[line][1] is None


def test_the_full_report_says_where_the_host_waits_anyway(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "layer.py").write_text(LAYER.format(more="x = x[x > 0]"), "utf-8")
    shown = run_here(".", "--no-cache", "--tier", "minor", "--sort", "path").stdout
    assert "= stays: the CPU waits in the same pass anyway: layer.py:7\n" in shown
    assert "= stays: the program needs what the CPU waits for\n" in shown
    assert "= step: " not in run_here(".", "--no-cache", "--tier", "minor").stdout  # one of them stays


def test_the_cache_keeps_where_the_host_waits_anyway(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "layer.py").write_text(LAYER.format(more="x = x[x > 0]"), "utf-8")
    cold, warm = (run_here(".", "--output-format=json").stdout for _ in range(2))
    assert warm == cold
    assert '"stays": {' in warm


MODEL = """\
import torch
from torch import nn
from matcher import Matcher

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.matcher = Matcher()

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return self.loss(x, self.matcher(x, y))

    def loss(self, x: torch.Tensor, pairs):
        weight = torch.tensor([1.0, 2.0]).to(x.device)
        return (x * weight).sum()
"""
MATCHER = """\
import torch
from torch import nn
from scipy.optimize import linear_sum_assignment

class Matcher(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        cost = torch.cdist(x, y)
        return linear_sum_assignment(cost.cpu())
"""
ON_THE_DEVICE = MATCHER.replace("linear_sum_assignment(cost.cpu())", "cost.argmin(1)")
LOGGED = MATCHER.replace("return linear_sum_assignment(cost.cpu())", "print(cost.cpu())\n        return cost")
IN_LOOP = MODEL.replace(
    "return self.loss(x, self.matcher(x, y))",
    "pairs = self.matcher(x, y)\n        return sum(self.loss(x, pair) for pair in pairs)",
)
BY_NAME = MODEL.replace("self.matcher = Matcher()", "self.matcher = None").replace(
    "self.loss(x, self.matcher(x, y))", "self.loss(x, y.match(x))"
)
MATCHING = MATCHER.replace("forward", "match")


def weight(folder: Path, run_here: Run, model: str, matcher: str, *options: str) -> tuple[str, str | None]:
    """The tier of the constant, and the file and function of the wait that stays."""
    (folder / "model.py").write_text(model, "utf-8")
    (folder / "matcher.py").write_text(matcher, "utf-8")
    found = json.loads(run_here(".", "--output-format=json", *options).stdout)
    (one,) = (one for one in found if one["path"] == "model.py" and "constant" in one["name"])
    stays = one["cost"]["stays"]
    return one["tier"], stays and f"{stays['path']}:{stays['line']} {stays['what']}"


STAYING = "matcher.py:6 Matcher.forward"


@pytest.mark.parametrize(
    ("model", "matcher", "expected"),
    [
        pytest.param(MODEL, MATCHER, ("minor", STAYING), id="what the caller calls besides"),
        pytest.param(MODEL, ON_THE_DEVICE, ("stall", None), id="no wait"),
        pytest.param(MODEL, LOGGED, ("stall", None), id="a wait that may go"),
        pytest.param(IN_LOOP, MATCHER, ("stall", None), id="a wait for a loop of mends"),
        pytest.param(BY_NAME, MATCHING, ("stall", None), id="a call of which the name alone is known"),
    ],
)
def test_waits_of_other_files_stay(
    tmp_path: Path, run_here: Run, model: str, matcher: str, expected: tuple[str, str | None]
) -> None:
    assert weight(tmp_path, run_here, model, matcher, "--no-cache") == expected


def test_an_edit_of_the_file_that_waits_is_seen(tmp_path: Path, run_here: Run) -> None:
    for matcher, expected in ((MATCHER, ("minor", STAYING)), (LOGGED, ("stall", None))) * 2:
        assert weight(tmp_path, run_here, MODEL, matcher) == expected
        assert weight(tmp_path, run_here, MODEL, matcher) == expected  # by the cache alone


TRAIN = """\
import torch
from model import Net
from torch.nn import functional as F

def train(net, loader, optimizer):
    for x, y in loader:
        report(x)
        loss = step(net, x.cuda())
        if loss.item() > 100:
            continue
        loss.backward()
        optimizer.step()

def step(net, x: torch.Tensor):
    scale = torch.tensor([1.0, 2.0]).to(x.device)
    return F.mse_loss(net(x) * scale, x)

def report(x): ...
"""


def test_what_rounds_of_a_training_wait_for_stays(tmp_path: Path, run_here: Run) -> None:
    def tier(text: str) -> str:
        (tmp_path / "train.py").write_text(text, "utf-8")
        found = json.loads(run_here(".", "--no-cache", "--output-format=json").stdout)
        (one,) = (one["tier"] for one in found if "constant" in one["name"])
        return str(one)

    assert tier(TRAIN) == "minor"
    assert tier(TRAIN.replace("if loss.item() > 100:\n            continue", "print(loss.item())")) == "stall"


READING = """\
import torch
from model import Net

net = Net()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x, y in loader:
    loss = net(x, y)
    loss.backward()
    optimizer.step()
    history.append(loss.item())
"""
EVALUATING = (
    READING.replace("loss = net(x, y)", "loss = own(x, y)")
    + """\
with torch.no_grad():
    for x, y in others:
        net(x, y)
"""
)


@pytest.mark.parametrize(
    ("train", "matcher", "expected"),
    [
        pytest.param(READING, MATCHER, STAYING, id="of the same round"),
        pytest.param(READING, LOGGED, None, id="that may go"),
        pytest.param(EVALUATING, MATCHER, None, id="of rounds that evaluate"),
    ],
)
def test_beside_what_rounds_read_waits_of_another_file_stay(
    train: str, matcher: str, expected: str | None, tmp_path: Path, run_here: Run
) -> None:
    (tmp_path / "train.py").write_text(train, "utf-8")
    for _ in range(2):  # the second time by the cache
        weight(tmp_path, run_here, MODEL, matcher)
        found = json.loads(run_here(".", "--output-format=json").stdout)
        (one,) = (one for one in found if (one["path"], one["code"]) == ("train.py", "OVH404"))
        stays = one["cost"]["stays"]
        assert (stays and f"{stays['path']}:{stays['line']} {stays['what']}") == expected


GENERATING = """\
import torch
from own import Net

net = Net()
with torch.no_grad():
    for index in range(length):
        x = net(x)
        if x.cuda().argmax().item() == 2:
            {then}
"""


@pytest.mark.parametrize(
    ("then", "stays"), [("break", 8), ("print('end')", None), ("raise ValueError", None)]
)
def test_a_read_that_ends_the_rounds_stays(
    then: str, stays: int | None, tmp_path: Path, run_here: Run
) -> None:
    (tmp_path / "own.py").write_text("from torch import nn\n\nclass Net(nn.Module):\n    pass\n", "utf-8")
    tiers = found(GENERATING.format(then=then), tmp_path, run_here)
    assert tiers[8][1] == stays


def test_a_wait_is_not_beside_itself(tmp_path: Path, run_here: Run) -> None:
    text = LAYER.format(more="check(x)").replace("torch.tensor([1.0, 2.0]).to(x.device)", "2")
    text += "\ndef check(x: torch.Tensor):\n    if (x > 3).any():\n        print('large')\n"
    assert [tier for tier, _ in found(text, tmp_path, run_here).values()] == ["stall"]


def test_decisions_may_go_together(tmp_path: Path, run_here: Run) -> None:
    more = "if (x > 3).any():\n            x = x + 1\n        if (x < 2).any():\n            x = x - 1"
    tiers = found(LAYER.format(more=more), tmp_path, run_here)
    assert (tiers[6], tiers[7][1], tiers[9][1]) == (("minor", 7), None, None)
    selecting = more + "\n        x = x[x > 0]"
    assert found(LAYER.format(more=selecting), tmp_path, run_here)[7] == ("minor", 11)


METERS = """\
import torch
from model import Net

class Meters:
    def update(self, **given):
        for name, value in given.items():
            if isinstance(value, torch.Tensor):
                value = value.item()
            self.known[name] = value

def train(net: Net, loader, optimizer, meters: Meters):
    for x, y in loader:
        loss = net(x, y)
        {each_round}
        loss.backward()
        optimizer.step()
        meters.update(loss=loss)
"""


def test_reads_in_a_row_go_with_a_wait_that_stays(tmp_path: Path, run_here: Run) -> None:
    decides = "if loss.item() > 100:\n            raise ValueError"
    (tmp_path / "model.py").write_text(MODEL, "utf-8")
    stays = METERS.format(each_round=decides)
    assert found(stays, tmp_path, run_here)[8] == ("minor", 11)
    assert found(METERS.format(each_round="pass"), tmp_path, run_here)[8][1] is None
    queuing = stays.replace(
        "self.known[name] =", "self.unit = torch.ones(3, device='cuda')\n            self.known[name] ="
    )
    assert found(queuing, tmp_path, run_here)[8][1] is None


NET = """\
import torch
from torch import nn

class Part(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * torch.tensor([1.0, 2.0]).to(x.device)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x: torch.Tensor):
        {calls}
        {more}
        return x
"""
TRAINING = """\
def train(model, loader, optimizer):
    for x in loader:
        loss = model(x).sum()
        {more}
        loss.backward()
        optimizer.step()
"""
ONCE, TIMES = "x = self.part(x)", "for i in range(3):\n            x = self.part(x)"
SELECTS, DECIDES = "x = x[x > 0]", "if loss.item() > 3:\n            continue"


@pytest.mark.parametrize(
    ("net", "training", "tier"),
    [
        pytest.param((ONCE, SELECTS), "pass", "minor", id="its caller waits"),
        pytest.param((TIMES, SELECTS), "pass", "stall", id="its caller waits once and calls it often"),
        pytest.param((ONCE, "pass"), "pass", "stall", id="nothing waits"),
        pytest.param((ONCE, "pass"), DECIDES, "minor", id="each training waits"),
        pytest.param((TIMES, "pass"), DECIDES, "stall", id="each training waits once for many calls"),
        pytest.param((ONCE, "pass"), "print(loss.item())", "stall", id="the training's wait may go"),
    ],
)
def test_who_runs_a_module_may_wait_anyway(
    tmp_path: Path, run_here: Run, net: tuple[str, str], training: str, tier: str
) -> None:
    (tmp_path / "train.py").write_text(TRAINING.format(more=training), "utf-8")
    text = NET.format(calls=net[0], more=net[1])
    assert found(text, tmp_path, run_here)[6][0] == tier


def test_a_training_that_does_not_wait_keeps_stalls_of_modules(tmp_path: Path, run_here: Run) -> None:
    text = TRAINING.format(more=DECIDES) + TRAINING.replace("train", "again").format(more="pass")
    (tmp_path / "train.py").write_text(text, "utf-8")
    assert found(NET.format(calls=ONCE, more="pass"), tmp_path, run_here)[6][0] == "stall"
