"""When the plugin imports Dynamo: no sooner than the tests do, and yet all that they compile is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from warm_python import python

pytest.importorskip("torch")

TELLS = """
import sys

def pytest_unconfigure(config):
    names = ("torch", "torch._dynamo", "torch._inductor")
    print("imported:", *(name for name in names if name in sys.modules), ".")
"""
EAGER = """
import torch

def test_adds():
    assert torch.ones(2).sum() == 2

def test_block(overhead_budget):
    with overhead_budget(metrics=["dispatches"]):
        torch.ones(2)
"""
COMPILED = """
import sys

import pytest
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2
        self.calls = 0
    def forward(self, x):
        self.calls += 1
        return x * self.scale

def breaks(x):
    x = x + 1
    print(end="")
    return x + 1

def run():
    for compiled in (torch.compile(Model(), backend="eager"), torch.compile(breaks, backend="eager")):
        for _ in range(3):
            compiled(torch.ones(3))

@pytest.fixture
def warm():
    compiled = torch.compile(breaks, backend="eager")
    compiled(torch.ones(3))
    return compiled
"""
LATE = "    assert {late} == ('torch._dynamo' not in sys.modules)\n"
PLAIN = ("-p", "no:asyncio", "-p", "no:hypothesispytest", "-p", "no:cacheprovider")
IN_BODY = f"\ndef test_it():\n{LATE}    run()\n"
IN_FIXTURE = "\ndef test_it(warm):\n    warm(torch.ones(3))\n"
PROGRAM = """
import json, sys
import torch
from overhead_lint.probes import measure

if sys.argv[1] == "imported":
    import torch._dynamo

from model import Model

compiled = torch.compile(Model(), backend="eager") if sys.argv[1] == "imported" else None
with measure(["guards", "recompiles", "graph_breaks", "dispatches"]) as outer:
    with measure(["guards", "recompiles", "graph_breaks"]) as inner:
        from model import run
        run()
    torch.ones(3)
json.dump([outer.values, inner.values, {m: len(c) for m, c in inner.causes.items()}], sys.stdout)
"""


@pytest.mark.parametrize("options", [["--overhead-budget"], ["--overhead-report=all.json"], []])
def test_tests_that_compile_nothing_leave_dynamo_unimported(
    pytester: pytest.Pytester, options: list[str]
) -> None:
    pytester.makeconftest(TELLS)
    pytester.makepyfile(test_it=EAGER)
    done = python("-m", "pytest", *PLAIN, *options, cwd=pytester.path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "imported: torch .\n" in done.stdout and " 2 passed in " in done.stdout


@pytest.mark.parametrize("body", [IN_BODY, IN_FIXTURE])
def test_what_is_compiled_is_counted_whoever_imports_dynamo(pytester: pytest.Pytester, body: str) -> None:
    counts = []
    for first in ("", "import torch._dynamo\n"):
        pytester.makepyfile(test_it=first + COMPILED + body.format(late=not first))
        done = python("-m", "pytest", *PLAIN, "--overhead-report=all.json", cwd=pytester.path)
        assert done.returncode == 0 and " 1 passed" in done.stdout, done.stdout
        found = json.loads((pytester.path / "all.json").read_text())["tests"]["test_it.py::test_it"]
        counts.append({name: found["values"][name] for name in ("guards", "recompiles", "graph_breaks")})
    assert counts[0] == counts[1]
    assert counts[0]["guards"] > 0 and counts[0]["graph_breaks"] == 1
    assert counts[0]["recompiles"] == (2 if body == IN_BODY else 0)


def test_trying_dynamo_out_is_no_part_of_what_is_measured_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(COMPILED)
    (tmp_path / "program.py").write_text(PROGRAM)
    found = []
    for when in ("imported", "late"):
        found.append(json.loads(python("program.py", when, cwd=tmp_path).stdout))
    assert found[0] == found[1]
    outer, inner, lines = found[1]
    assert {metric: outer[metric] for metric in inner} == inner
    assert inner["guards"] > 0 and lines["guards"] > 0


def test_an_import_that_nobody_saw_is_told_and_is_no_number(tmp_path: Path) -> None:
    program = """
import sys, torch
from overhead_lint.probes import measure
with measure(["guards"], strict=False) as m:
    others = [one for one in sys.meta_path if not one.__module__.startswith("overhead_lint.")]
    kept, sys.meta_path[:] = sys.meta_path[:], others
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1))
print(m.values, m.unavailable["guards"])
with measure(["guards"]) as m:
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1))
print(m.values["guards"] > 0)
"""
    done = python("-c", program, cwd=tmp_path)
    told = "{} torch._dynamo was imported while it was measured, and its import could not be seen"
    assert done.stdout.splitlines() == [told, "True"]
