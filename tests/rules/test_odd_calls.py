"""Calls as nobody writes them, of all names that rules look at: no rule may fall over one."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases import ALL, forward

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Heat
from overhead_lint.syntax.source import Source

FORMS = """\
{name}()
{name}(x)
{name}(*x)
{name}(**x)
{name}(x, *x, **x)
{name}(device=x)
{name}(x)(x)
{name}()[0]
y = {name}(x).{last}()
y, z = {name}(x), {last}
y[{name}(x)] += {last}()
x.{last}()
x.{last}(*x)
x.{last}(**x)
x.{last}(x, x, x)
x.{last}(x).{last}(*x)
x().{last}(x)
x[0].{last}(dtype=x)
"".{last}("", *"")
self.{last}(x)
super().{last}(x)
{last}()
{last}(x)
{last}(*x)
{last}("a", None, -1, ..., [], {{}}, {{**x}}, (), f"", lambda: {last}())
(lambda {last}: {last}(x))({last})
[{last}(x) for {last} in x]
({last} or x)(x)
del x.{last}(x)[0]
for y in {name}(*x): {last}(y)
for x.y in {name}(**x): pass
while {name}(): break
with {name}(*x), {last}() as x.y: {name}(x)
with {name}(**x) as (y, *z): y = {last}(z)
if {name}(): {last}(x)
assert {name}(), {last}(x)
return {name}(*x), {last}(*x)
"""


HEADER = "import torch, functools, os, sys, importlib\nimport torch.nn.functional as F\nfrom torch import nn"


def module(name: str) -> str:
    """Layers that call what has a name in every form, at once and in a loop."""
    forms = FORMS.format(name=name, last=name.rpartition(".")[2])
    *some, _ = forms.splitlines()
    loop = "\n    ".join(["for i in x:", *some])
    return "\n".join([HEADER, forward(forms, header=""), forward(loop, header="")])


NAMES = sorted({name for one in ALL for names in one.rule.named.values() for name in names})
PARTS = 12
LINTER = Linter([one.rule for one in ALL], Settings(min_heat=Heat.PRESUMED, preview=True))


@pytest.mark.parametrize("start", range(PARTS))
def test_no_rule_falls_over_a_call_as_nobody_writes_it(start: int) -> None:
    found = 0
    for name in NAMES[start::PARTS]:
        source = Source.from_bytes(Path("model.py"), module(name).encode())
        findings = LINTER.lint(source)
        assert not fix_file(source, LINTER.lint, unsafe=True, found=findings).failures, name
        found += len(findings)
    assert found
