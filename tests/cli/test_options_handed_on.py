"""Options that are off, by the ways in which programs hand them on: what they let run is told nowhere.

Each is asked twice: as it is written, and with its flag on by default.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from overhead_lint.cli.main import main

STEP = """\
        if {test}:
            with torch.autocast("cuda"):
                loss = model(x)
        else:
            loss = model(x)
        loss.backward()
        opt.step()
"""
FUNCTION = """\
import argparse
import torch

def train(model, loader, opt, {parameters}):
{before}    for x in loader:
{step}
{MAIN}
"""
CLASS = """\
import argparse
from functools import cached_property
import torch

class Trainer:
    def __init__(self, args):
{before}
    def run(self, model, loader, opt):
        for x in loader:
{step}
{MAIN}
"""
MAIN = """
def main(model, loader, opt):
    parser = argparse.ArgumentParser()
    parser.add_argument("--fp16", {flag})
    parser.add_argument("--bf16", action="store_true")
    args = parser.parse_args()
    {call}
"""
OFF, ON = 'action="store_true"', 'action="store_false"'


def told(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The codes of what is told of a program."""
    (folder / "program.py").write_text(text, encoding="utf-8")
    (folder / "other.py").write_text("def other():\n    return 1\n", encoding="utf-8")
    main(["check", "--no-cache", "--select=OVH101", "--output-format=json", str(folder)])
    return [one["code"] for one in json.loads(capsys.readouterr().out)]


def of_function(parameters: str, before: str, test: str, call: str) -> str:
    """A program whose steps are in a function; `flag` is left open."""
    lines = "".join(f"    {line}\n" for line in before.splitlines())
    step = STEP.format(test=test).rstrip("\n")
    text = FUNCTION.replace("{parameters}", parameters).replace("{before}", lines).replace("{step}", step)
    return text.replace("{MAIN}", MAIN.replace("{call}", call))


def of_class(before: str, test: str) -> str:
    """A program whose steps are in a method of what is given all arguments; `flag` is left open."""
    lines = "".join(f"    {line}\n" for line in before.splitlines())
    step = "".join(f"    {line}\n" for line in STEP.format(test=test).splitlines())
    text = CLASS.replace("{before}", lines).replace("{step}", step)
    return text.replace("{MAIN}", MAIN.replace("{call}", "Trainer(args).run(model, loader, opt)"))


ALL = {
    "either of two": of_function("args", "", "args.fp16 or args.bf16", "train(model, loader, opt, args)"),
    "either, by a name": of_function(
        "args", "amp = args.fp16 or args.bf16", "amp", "train(model, loader, opt, args)"
    ),
    "either, kept": of_class("    self.amp = args.fp16 or args.bf16", "self.amp"),
    "turned on by either": of_class(
        "    self.amp = False\n    if args.fp16 or args.bf16:\n        self.amp = True", "self.amp"
    ),
    "turned off elsewhere": of_class(
        "    self.amp = False\n    if args.fp16:\n        self.amp = True\n\n"
        "def stop(self):\n    self.amp = False",
        "self.amp",
    ),
    "a method of three ways": of_class(
        "    self.args = args\n\ndef amp(self):\n    if self.args.fp16:\n        return True\n"
        "    if self.args.bf16:\n        return True\n    return False",
        "self.amp()",
    ),
    "a property": of_class(
        "    self.args = args\n\n@property\ndef amp(self):\n    return self.args.fp16", "self.amp"
    ),
    "a cached property of two ways": of_class(
        "    self.args = args\n\n@cached_property\ndef scaler(self):\n    if self.args.fp16:\n"
        "        return torch.amp.GradScaler()\n    return None",
        "self.scaler is not None",
    ),
    "a property that makes it late": of_class(
        "    self.args = args\n    self._scaler = None\n\n@property\ndef scaler(self):\n"
        "    if self._scaler is None and self.args.fp16:\n        self._scaler = torch.amp.GradScaler()\n"
        "    return self._scaler",
        "self.scaler is not None",
    ),
    "made where it is wanted": of_function(
        "scaler",
        "",
        "scaler is not None",
        "train(model, loader, opt, torch.amp.GradScaler() if args.fp16 else None)",
    ),
    "made where it is wanted, by a name": of_function(
        "scaler=None",
        "",
        "scaler",
        "scaler = None\n    if args.fp16:\n        scaler = torch.amp.GradScaler()\n"
        "    train(model, loader, opt, scaler=scaler)",
    ),
    "an argument": of_function("amp", "", "amp", "train(model, loader, opt, args.fp16)"),
    "an argument of either": of_function(
        "amp", "", "amp", "train(model, loader, opt, args.fp16 or args.bf16)"
    ),
    "taken out of all keywords": of_function(
        "**kwargs", "amp = kwargs.pop('amp', False)", "amp", "train(model, loader, opt, amp=args.fp16)"
    ),
    "made, and taken out of all keywords": of_function(
        "**kwargs",
        "scaler = kwargs.get('scaler')",
        "scaler is not None",
        "train(model, loader, opt, scaler=torch.amp.GradScaler() if args.fp16 else None)",
    ),
    "through two functions": of_function(
        "amp",
        "",
        "amp",
        "fit(model, loader, opt, args.fp16)\n\n"
        "def fit(model, loader, opt, amp):\n    train(model, loader, opt, amp)",
    ),
    "through what an object keeps": of_function(
        "fp16",
        "",
        "fp16",
        "Runner(args.fp16).fit(model, loader, opt)\n\nclass Runner:\n    def __init__(self, fp16):\n"
        "        self.fp16 = fp16\n\n    def fit(self, model, loader, opt):\n"
        "        train(model, loader, opt, self.fp16)",
    ),
    "through a method": of_function(
        "amp",
        "",
        "amp",
        "Runner().fit(model, loader, opt, args.fp16)\n\nclass Runner:\n"
        "    def fit(self, model, loader, opt, amp):\n        train(model, loader, opt, amp)",
    ),
    "kept by another class as well": of_function(
        "args",
        "",
        "args.fp16",
        "train(model, loader, opt, args)\n\nclass Average:\n    def __init__(self, fp16):\n"
        "        self.fp16 = fp16",
    ),
    "converted under the same name": of_class("    self.fp16 = bool(args.fp16)", "self.fp16"),
}


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_what_is_off_by_default_is_told_nowhere(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(tmp_path, text.replace("{flag}", OFF), capsys) == []


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_what_is_on_by_default_is_told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(tmp_path, text.replace("{flag}", ON), capsys) == ["OVH101"]


def test_the_reason_has_both_defaults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.py").write_text(ALL["either of two"].replace("{flag}", OFF), encoding="utf-8")
    options = ["--select=OVH101", "--output-format=json", "--min-heat=presumed"]
    main(["check", "--no-cache", *options, str(tmp_path)])
    (finding,) = json.loads(capsys.readouterr().out)
    assert "but not by default: args.bf16=False, args.fp16=False" in finding["why"]


def test_a_property_that_may_give_nothing_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = of_class(
        "    self.ready = loaded()\n\n@property\ndef amp(self):\n    if self.ready:\n        return False",
        "not self.amp",
    )
    assert told(tmp_path, text.replace("{flag}", OFF), capsys) == ["OVH101"]


@pytest.mark.parametrize(("default", "expected"), [("False", []), ("True", ["OVH101"])])
def test_options_of_click_are_parameters(
    default: str, expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = of_function("amp", "", "amp", "").partition("\ndef main")[0]
    text += f"""
import click

@click.command()
@click.option("--amp/--no-amp", default={default})
def main(amp):
    train(None, [], None, amp)
"""
    assert told(tmp_path, text, capsys) == expected


def test_functions_that_hand_a_flag_round_in_a_circle_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = (
        "one(args.fp16)\n\ndef one(amp):\n    train(None, [], None, amp)\n    other(amp)\n\n"
        "def other(amp):\n    one(amp)"
    )
    text = of_function("amp", "", "amp", call)
    assert told(tmp_path, text.replace("{flag}", OFF), capsys) == ["OVH101"]
