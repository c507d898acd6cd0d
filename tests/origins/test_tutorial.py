"""A compiled method that loops over a hundred layers which each hold a number."""

from __future__ import annotations

from .replay import Program, over_budget

# Calls that Dynamo's own look-up does not serve. Where something watches that, all calls go through it, so
# that their guards can be counted: hence no budget.
DISPATCHED = """
import main
import torch

mod, x = main.Mod(100), torch.tensor([1])
for _ in range(14):
    mod(x)
print(getattr(main.Mod.forward, "stats", lambda: None)())
"""
BUDGETS = """
import main
import pytest
import torch


@pytest.fixture(scope="module")
def mod():
    mod = main.Mod(100)
    for _ in range(4):
        mod(torch.tensor([1]))
    return mod


@pytest.mark.overhead_budget(guards=40)
def test_call(mod):
    mod(torch.tensor([1]))
"""
DECORATOR = '@torch.compile(backend="eager")'
MUTATIONS = """
import torch
from main import F, Mod

mod, x = Mod(3), torch.tensor([1])
print([mod(x).item() for _ in range(4)])
mod.fs[1].i = 10
print([mod(x).item() for _ in range(4)])
mod.fs.append(F(100))
print([mod(x).item() for _ in range(4)])
mod.fs[0] = F(1000)
print([mod(x).item() for _ in range(4)])
F.forward = lambda self, x: x - self.i
print(mod(x.float()).item())
"""
AFTER_MUTATIONS = "[4, 4, 4, 4]\n[13, 13, 13, 13]\n[113, 113, 113, 113]\n[1113, 1113, 1113, 1113]\n-1111.0\n"


def test_compiled_method_is_found_and_dispatched_without_a_lookup(program: Program) -> None:
    origin = program("tutorial")
    place = origin.places("main.py", DECORATOR)
    found = origin.findings("OVH307")
    assert found.keys() == place
    (finding,) = found.values()
    assert "self.i" in finding["message"] and finding["fix"]["applicability"] == "unsafe"
    printed = origin.run()
    (compiled,) = origin.evidence["compiled"]
    assert {(compiled["file"], compiled["line"])} == place
    assert (compiled["function"], compiled["guards"], compiled["calls_per_step"]) == ("Mod.forward", 417, 1)
    assert 0 < compiled["hot_seconds"] < compiled["cold_seconds"]
    assert origin.script(DISPATCHED + MUTATIONS) == "None\n" + AFTER_MUTATIONS

    origin.fix("--unsafe-fixes")
    assert "    @runtime.compile(" in origin.text("main.py")
    assert origin.findings("OVH307") == {}
    assert origin.run() == printed
    dispatched, _, mutated = origin.script(DISPATCHED + MUTATIONS).partition("\n")
    assert "hits=13" in dispatched
    assert mutated == AFTER_MUTATIONS


def test_numbers_kept_in_a_buffer_need_few_guards(program: Program) -> None:
    origin = program("tutorial")
    printed = origin.script("import main; main.main()")
    (complaint,) = over_budget(origin, BUDGETS)
    assert complaint.startswith("guards 417 > 40")
    text = origin.text("main.py")
    loop, kept = text.index("        for f in self.fs:"), text.index("        return x\n\n\ndef main")
    (origin.folder / "main.py").write_text(
        (text[:loop] + "        x = x + self.shift\n" + text[kept:]).replace(
            "self.fs = torch.nn.ModuleList([F(i) for i in range(n)])",
            'self.register_buffer("shift", torch.arange(n).sum())',
        )
    )
    assert origin.findings("OVH307") == {}
    assert over_budget(origin, BUDGETS) == []
    assert origin.script("import main; main.main()") == printed
