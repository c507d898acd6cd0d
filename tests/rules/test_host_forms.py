"""Forms of host overhead (host_forms.toml) are found, and mended ones are not, with default settings."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any, Final

import pytest
from rule_cases import ALL

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.syntax.source import Source

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FORMS: Final[list[dict[str, str]]] = tomllib.loads(
    (Path(__file__).parent / "host_forms.toml").read_text(encoding="utf-8")
)["form"]
# Of OVH604 and OVH605, which are off by default, there are forms as well.
DEFAULT: Final = packs.select(ALL, ["ALL", "OVH604", "OVH605"], [])

_CLASS = """
class Net(nn.Module):
    def __init__(self, config, layers, logger):
        super().__init__()
        self.config = config
        self.logger = logger
        self.fc = nn.Linear(8, 8)
        self.layers = nn.ModuleList(layers)
        self.scale = 2.0
        self.count = 0
        self.cache = {}
"""
_FORWARD = """
    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        {body}
        return x
"""
FRAMES: Final = {
    "forward": _CLASS + _FORWARD,
    "compiled": _CLASS + "\n    @torch.compile" + _FORWARD,
    "function": """
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        {body}
        return x * weight
""",
    "hook": """
def watch(module, args, output):
    {body}

def prepare(net: nn.Module):
    net.register_forward_hook(watch)
""",
    "step": """
class Descent(torch.optim.Optimizer):
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                {body}
                p.add_(p.grad)
""",
    "optimizer": """
class Descent(torch.optim.Optimizer):
    @torch.no_grad()
    def step(self, closure=None):
        {body}
        torch._foreach_add_(self.all, self.grads)
""",
    "loop": """
def train(model: nn.Module, loader, optimizer, writer, bar, queue, parameters, handle, pool):
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        {body}
""",
    "decorator": """
def checked(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        {body}
        return function(*args, **kwargs)
    return wrapper
"""
    + _CLASS
    + "\n    @checked"
    + _FORWARD,
}


def framed(form: dict[str, str], body: str) -> str:
    """A module with the body of a form in its frame."""
    frame = FRAMES[form["frame"]]
    line = next(line for line in frame.splitlines() if "{body}" in line)
    indented = textwrap.indent(body, line[: line.index("{")])
    head = f"import functools\nimport torch\nfrom torch import nn\n{form.get('head', '')}\n"
    return head + frame.replace(line, indented)


def found(text: str) -> set[str]:
    """The codes of what default settings find."""
    source = Source.from_bytes(Path("model.py"), text.encode())
    return {finding.code for finding in Linter(DEFAULT, Settings()).lint(source)}


def named(form: dict[str, Any]) -> str:
    """What a test of a form is called."""
    return str(form["name"]).replace(" ", "-")


@pytest.mark.parametrize("form", [form for form in FORMS if "rule" in form], ids=named)
def test_a_form_is_found_until_it_is_mended(form: dict[str, str]) -> None:
    assert form["rule"] in found(framed(form, form["before"]))
    assert form["rule"] not in found(framed(form, form["after"]))


@pytest.mark.parametrize("form", [form for form in FORMS if "rule" not in form], ids=named)
def test_what_is_left_out_is_not_found(form: dict[str, str]) -> None:
    assert form["left_out"]
    assert found(framed(form, form["before"])) <= found(framed(form, form["after"]))


def test_forms_have_names_of_their_own() -> None:
    assert len({form["name"] for form in FORMS}) == len(FORMS)
