"""Fixes that are safe elsewhere, at places where they would change something: what a program prints tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_runs import outcome
from rule_cases import ALL, forward

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import FixResult, fix_file
from overhead_lint.rule import Heat
from overhead_lint.syntax.source import Source

HEADER = """\
import inspect, types
from packaging.version import InvalidVersion, Version
import torch, torch._dynamo
from torch import nn
from torch.cuda.amp import autocast

KINDS = (int, torch.Tensor)
NUMBER = torch.int64
SAME = None
_QUIET = torch.no_grad()


class Kind(type):
    def __instancecheck__(cls, value):
        seen.append(cls.__name__)
        return False


class Other(metaclass=Kind):
    pass


class Layer(nn.Module):
    def __init__(self, number):
        super().__init__()
        self.number = number

    def forward(self, x):
        return x * 2 + self.number


def helper(a, b=1): ...


seen = []
"""
INIT = "self.layers = nn.ModuleList([Layer(number) for number in range(3)])\nself._quiet = torch.no_grad()"
CALL = "\nresult = str((Net()(torch.ones(2, requires_grad=True)), seen))\n"
LOOP = "for i in range(len(self.layers)):\n"


def fixed(code: str, text: str, *, unsafe: bool = False) -> FixResult:
    source = Source.from_bytes(Path("model.py"), text.encode())
    settings = Settings(min_heat=Heat.COLD, target_torch=(2, 13))
    return fix_file(source, Linter(packs.select(ALL, [code], []), settings).lint, unsafe=unsafe)


def keeps(code: str, text: str) -> FixResult:
    """The safe fixes of a module, which leave its result as it was."""
    result = fixed(code, text)
    if result.changed:
        assert outcome(result.after_text) == outcome(text)
    return result


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("code", "body", "is_fixed"),
    [
        ("OVH701", "return torch.zeros(2, dtype=torch.int64).to(dtype=SAME)", False),
        ("OVH701", "return torch.zeros_like(x, dtype=torch.int64).to(dtype=SAME)", False),
        ("OVH701", "return torch.zeros(2, dtype=torch.int32).to(dtype=NUMBER)", True),
        ("OVH701", "return torch.zeros(2).to(dtype=SAME)", True),
        ("OVH203", "return 'cpu:' in str(x.device)", False),
        ("OVH203", "return str(x.device).startswith('cpu:')", False),
        ("OVH203", "return 'cuda:' in str(x.device)", True),
        ("OVH609", "return any([isinstance(x, kind) for kind in (torch.Tensor, Other)])", False),
        ("OVH609", "return any(isinstance(x, kind) for kind in (torch.Tensor, Other))", True),
        ("OVH609", "return any(isinstance(x, kind) for kind in (int, x := str))", False),
        ("OVH609", "return any(isinstance(x, kind) for kind in (int, type(None)))", True),
        ("OVH609", "return any(isinstance(missing, kind) for kind in ())", False),
        ("OVH604", "try: return Version('not one')\nexcept InvalidVersion: return 1", False),
        ("OVH604", "try: return Version(torch.__version__) > '2.0'\nexcept TypeError: return 1", False),
        ("OVH604", "try: return Version()\nexcept TypeError: return 1", False),
        ("OVH604", "return Version(torch.__version__) > Version('2.0.1rc1')", True),
        (
            "OVH601",
            "inspect.signature(helper)\nsetattr(helper, '__annotations__', {'a': int})\n"
            "return inspect.signature(helper)",
            False,
        ),
        ("OVH302", LOOP + "    match 2:\n        case i: pass\n    x = self.layers[i](x)\nreturn x", False),
        (
            "OVH302",
            LOOP + "    match [2]:\n        case [*i]: i = 1\n    x = self.layers[0](x)\nreturn x",
            False,
        ),
        (
            "OVH302",
            LOOP + "    match {'a': 2}:\n        case {**i}: pass\n    if 0: x = self.layers[i](x)\nreturn x",
            False,
        ),
        ("OVH302", LOOP + "    import types as i\n    if 0: x = self.layers[i](x)\nreturn x", False),
        ("OVH302", LOOP + "    x = self.layers[i](x) if 'i' in dir() else x\nreturn x", False),
        (
            "OVH302",
            "me = self\n"
            + LOOP
            + "    me.layers = nn.ModuleList([Layer(5)] * 3)\n    x = self.layers[i](x)\n"
            "return x",
            False,
        ),
        (
            "OVH302",
            LOOP + "    self._modules['layers'] = nn.ModuleList([Layer(5)] * 3)\n    x = self.layers[i](x)\n"
            "return x",
            False,
        ),
        ("OVH302", LOOP + "    x = self.layers[i](x)\nreturn x", True),
        (
            "OVH101",
            "a = torch.autocast('cpu')\ndef inner():\n    with a: return 1\n"
            "with a: inner()\nx = x @ x\ntorch.set_autocast_enabled('cpu', False)\nreturn x",
            False,
        ),
        ("OVH101", "a = torch.autocast('cpu')\nfor i in range(2):\n    with a: x = x * 2\nreturn x", True),
        ("OVH102", "return isinstance(autocast(dtype=None), autocast)", False),
        ("OVH102", "return autocast(dtype=None).fast_dtype", True),
        (
            "OVH309",
            "it = iter([1, 2])\ntorch._dynamo.config.dynamic_shapes = [one for one in it]\nreturn list(it)",
            False,
        ),
        ("OVH309", "torch._dynamo.config.dynamic_shapes = seen == x.sum()\nreturn x", False),
        ("OVH309", "torch._dynamo.config.dynamic_shapes = True\nreturn x", True),
    ],
)
def test_safe_fix_changes_nothing(code: str, body: str, is_fixed: bool) -> None:
    text = forward(body, header=HEADER, init=INIT) + CALL
    assert keeps(code, text).changed is is_fixed


COMPILED = (
    HEADER
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self._quiet = torch.no_grad()

    @torch.compile(backend="eager")
    def forward(self, x):
        with {entered}:
            return x * 2

"""
)


@pytest.mark.parametrize(
    ("entered", "after", "is_fixed"),
    [
        ("self._quiet", "net = Net()\nnet._quiet = torch.enable_grad()", False),
        (
            "self._quiet",
            "class Loud(Net):\n    _quiet = property(lambda self: torch.enable_grad(), print)\nnet = Loud()",
            False,
        ),
        ("_QUIET", "net = Net()\nglobals()['_QUIET'] = torch.enable_grad()", False),
        (
            "_QUIET",
            "import unittest.mock as m\nm.patch.dict(globals(), _QUIET=autocast()).start()\nnet = Net()",
            False,
        ),
        ("_QUIET", "net = Net()\nwith _QUIET: net(torch.ones(2))", False),
        ("_QUIET", "net = Net()", True),
    ],
)
def test_kept_context_stays_where_it_may_be_another_one(entered: str, after: str, is_fixed: bool) -> None:
    text = (
        COMPILED.format(entered=entered)
        + after
        + "\nresult = str(net(torch.ones(2, requires_grad=True)).requires_grad)\n"
    )
    assert keeps("OVH312", text).changed is is_fixed


def test_kept_context_that_is_bound_in_one_case_only_stays() -> None:
    text = COMPILED.format(entered="_QUIET").replace("_QUIET =", "if seen is None: _QUIET =")
    (finding,) = fixed("OVH312", text).remaining
    assert finding.fix is not None
    assert "torch.no_grad():\n" in fixed("OVH312", text, unsafe=True).after_text
