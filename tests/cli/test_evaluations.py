"""Waits of evaluations and predictions in projects that train as well: they are minor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Run

TRAIN = """\
from torch.nn import functional as F

def train(model, loader, optimizer):
    for batch in loader:
        loss = F.mse_loss(model(batch), batch)
        loss.backward()
        optimizer.step()
"""
HEAD = "import torch\nfrom torch.nn import functional as F\n\n"
EVALUATE = """\
def evaluate(model, loader):
    total = 0.0
    for batch in loader:
        with torch.no_grad():
            loss = F.mse_loss(model(batch), batch)
        total += loss.item()
    return total
"""
MEAN = "def mean(x: torch.Tensor, batch):\n    return F.mse_loss(x, batch).item()\n"
WINDOWS = """\
    def _all(self, windows):
        found = []
        for window in windows:
            found.append(self.model(window))
        return found

    def _size(self, window: torch.Tensor):
        return window.sum().item()
"""
EVALUATING = {
    "a context in rounds": EVALUATE,
    "a context around rounds": """\
def evaluate(model, loader):
    with torch.inference_mode():
        for batch in loader:
            print(F.mse_loss(model(batch), batch).item())
""",
    "a decorator": """\
@torch.no_grad()
def evaluate(model, loader):
    for batch in loader:
        print(F.mse_loss(model(batch), batch).item())
""",
    "a caller with a decorator": """\
@torch.no_grad()
def evaluate(model, loader):
    return list(_losses(model, loader))

def _losses(model, loader):
    losses = []
    for batch in loader:
        losses.append(F.mse_loss(model(batch), batch).item())
    return losses
""",
    "a function that rounds call": f"""\
@torch.no_grad()
def evaluate(model, loader):
    for batch in loader:
        print(mean(model(batch), batch))

{MEAN}""",
    "the mode of evaluations": """\
def run(model, loader):
    model.eval()
    for batch in loader:
        print(F.mse_loss(model(batch), batch).item())
""",
    "parts of a large input": """\
@torch.no_grad()
def predict(model, windows):
    found = []
    for window in windows:
        found.append(model(window).sum().item())
    return found
""",
    "a module that goes over windows": f"""\
class Predictor(torch.nn.Module):
    @torch.no_grad()
    def forward(self, windows):
        return [self._size(window) for window in windows] or self._all(windows)

{WINDOWS}""",
    "a validation step": """\
import lightning

class Net(lightning.LightningModule):
    def validation_step(self, batch, index):
        return F.mse_loss(self(batch), batch).item()
""",
    "a step of a test": f"""\
import lightning

class Net(lightning.LightningModule):
    def test_step(self, batch: torch.Tensor, index):
        return mean(batch, batch)

{MEAN}""",
    "what a validation step calls, and a training is only presumed to": f"""\
import lightning

class Net(lightning.LightningModule):
    def validation_step(self, batch: torch.Tensor, index):
        return mean(batch, batch)

    def draw(self, picture: torch.Tensor):
        return mean(self(picture), picture)

{MEAN}""",
}
OTHERS = {
    "gradients": EVALUATE.replace("torch.no_grad()", "torch.enable_grad()"),
    "a context beside the model": """\
def run(model, loader):
    for batch in loader:
        loss = F.mse_loss(model(batch), batch)
        with torch.no_grad():
            print(loss.item())
""",
    "one token after the other": """\
@torch.no_grad()
def generate(model, ids: torch.Tensor, count):
    for _ in range(count):
        ids = model(ids).argmax(-1)
        print(ids.sum().item())
""",
    "tokens that are written in place": """\
@torch.no_grad()
def generate(model, ids: torch.Tensor, count):
    for i in range(count):
        logits = model(ids)
        ids[i] = logits.argmax(-1)
        print(logits.sum().item())
""",
    "noise that is taken away": """\
@torch.no_grad()
def sample(model, x: torch.Tensor, num_steps):
    for t in range(num_steps):
        x = x - model(x, t)
        print(x.sum().item())
""",
    "what trainings call as well": f"""\
@torch.no_grad()
def evaluate(model, loader):
    for batch in loader:
        print(mean(model(batch), batch))

def report(model, loader, optimizer):
    for batch in loader:
        out = model(batch)
        mean(out, batch)
        F.mse_loss(out, batch).backward()
        optimizer.step()

{MEAN}""",
    "the mode of evaluations for a part of a training": """\
def fit(model, teacher, loader, optimizer):
    teacher.eval()
    for batch in loader:
        truth = teacher(batch)
        print(F.mse_loss(truth, batch).item())
        step(model, truth, optimizer)

def step(model, truth, optimizer):
    F.mse_loss(model(truth), truth).backward()
    optimizer.step()
""",
    "a generation that a program's rounds call": """\
def generate(model, batch: torch.Tensor):
    model.eval()
    for _ in range(100):
        batch = model.follow(batch)
        print(batch.sum().item())
    return batch

for batch in loader:
    save(generate(model, batch))
""",
    "a step of an optimizer": """\
class Adam(torch.optim.Optimizer):
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            print(torch.ones(3, device="cuda").sum().item())
""",
    "what a step of an optimizer calls, whatever loops it holds": """\
class Adam(torch.optim.Optimizer):
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            self._together(group["params"])

    def _together(self, params):
        print(torch.ones(3, device="cuda").sum().item())
        for batch in params:
            self.model(batch)
""",
    "a loop without gradients in a step of a training": """\
import lightning

class Net(lightning.LightningModule):
    def __init__(self, is_balanced=False):
        super().__init__()
        self.loss = Loss()
        self.is_balanced = is_balanced

    def training_step(self, batch: torch.Tensor, index):
        return (self.loss.balanced(batch, 3) if self.is_balanced else batch).mean()

class Loss(torch.nn.Module):
    @torch.no_grad()
    def balanced(self, scores: torch.Tensor, n_iterations):
        for _ in range(n_iterations):
            print(self.net(scores).sum().item())
        return scores
""",
    "a module of trainings without gradients": """\
class Matcher(torch.nn.Module):
    @torch.no_grad()
    def forward(self, x: torch.Tensor):
        return x.sum().item()
""",
    "a module that keeps a part of itself frozen": f"""\
class Net(torch.nn.Module):
    def forward(self, windows):
        self.model.eval()
        return [self._size(window) for window in self._all(windows)]

{WINDOWS}""",
    "what a module does": f"""\
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return mean(x, x)

@torch.no_grad()
def evaluate(model: Net, loader):
    for batch in loader:
        print(model(batch))

{MEAN}""",
}


def evaluates(folder: Path, run_here: Run, text: str, *, train: str = TRAIN, cached: bool = False) -> bool:
    """Whether evaluations alone run what waits in a file, beside one that trains; then it is minor."""
    (folder / "other.py").write_text(HEAD + text, "utf-8")
    (folder / "train.py").write_text(train, "utf-8")
    options = ("--min-heat=presumed", *(() if cached else ("--no-cache",)))
    found = json.loads(run_here(".", "--output-format=json", *options).stdout)
    waits = [one for one in found if one["path"] == "other.py" and one["code"] == "OVH404"]
    (said,) = {one["reason"]["evaluates"] for one in waits}
    assert not said or {one["tier"] for one in waits} == {"minor"}
    return bool(said)


@pytest.mark.parametrize("name", EVALUATING)
def test_what_evaluations_alone_wait_for_is_minor(tmp_path: Path, run_here: Run, name: str) -> None:
    assert evaluates(tmp_path, run_here, EVALUATING[name])


@pytest.mark.parametrize("name", OTHERS)
def test_what_other_steps_wait_for_is_not(tmp_path: Path, run_here: Run, name: str) -> None:
    assert not evaluates(tmp_path, run_here, OTHERS[name])


@pytest.mark.parametrize("name", [one for one in EVALUATING if "validation" not in one])
def test_a_project_that_does_not_train_has_nothing_else_to_mend(
    tmp_path: Path, run_here: Run, name: str
) -> None:
    assert not evaluates(tmp_path, run_here, EVALUATING[name], train="")


def test_a_project_trains_whose_library_differentiates(tmp_path: Path, run_here: Run) -> None:
    train = "class Fit:\n    def {}(self, batch, index):\n        return self.net(batch).mean()\n"
    for step, expected in (("training_step", True), ("predict_step", False)):
        assert evaluates(tmp_path, run_here, EVALUATE, train=train.format(step)) is expected


def test_a_hook_that_another_file_registers_runs_in_trainings(tmp_path: Path, run_here: Run) -> None:
    hook = "def watch(module, given, found: torch.Tensor):\n    print(found.sum().item())\n"
    register = "\nfrom other import watch\n\ndef main(model):\n    model.register_forward_hook(watch)\n"
    assert not evaluates(tmp_path, run_here, hook, train=TRAIN + register)


def test_an_edit_of_another_file_is_seen(tmp_path: Path, run_here: Run) -> None:
    for train, expected in (("", False), (TRAIN, True), ("print()\n", False)):
        for _ in range(2):  # the second time by the cache alone
            assert evaluates(tmp_path, run_here, EVALUATE, train=train, cached=True) is expected
