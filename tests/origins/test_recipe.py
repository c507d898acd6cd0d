"""Recipes whose text is the key of what is kept for them: in three files."""

from __future__ import annotations

from .replay import Program, over_budget

# How often a recipe's fields are formatted.
FORMATTED = """
import sys

class Counter:
    def start(self):
        self.count = 0
        sys.setprofile(self.called)
    def called(self, frame, event, argument):
        code = frame.f_code
        is_repr = code.co_name == "__repr__" and code.co_filename.endswith("recipes.py")
        self.count += event == "call" and is_repr
    def stop(self):
        sys.setprofile(None)
        return self.count
"""
BUDGETS = """
import main
import pytest
import recipes
import torch

LAYERS = [main.Layer(4), main.Layer(4)]
RECIPES = [recipes.Delayed(margin=1), recipes.Blockwise()]


@pytest.mark.overhead_budget(counted=2, warmup=2)
def test_step():
    main.step(LAYERS, RECIPES)
"""


def test_text_of_a_recipe_is_found_as_a_key_and_cached(program: Program) -> None:
    origin = program("recipe")
    place = origin.places("state.py", "return str((str(recipe)")
    found = origin.findings("OVH201")
    assert found.keys() == place
    (finding,) = found.values()
    assert "str(recipe) formats every field" in finding["message"]
    assert "recipes.py:" in finding["help"] and "runtime.CachedRepr" in finding["help"]
    printed = origin.run()
    # Once for the block that is entered, once for the layer in it, for two layers.
    assert origin.executed("OVH201") == dict.fromkeys(place, 4)
    assert min(origin.costs("OVH201").values()) > 0
    assert over_budget(origin, BUDGETS, metric=FORMATTED) == ["counted 4 > 2"]

    # The text of a recipe that holds other objects is not kept: these may change. That of the other one is.
    # By hand, as the help says: no fix reaches into another file.
    assert finding["fix"] is None
    origin.write("recipes.py", "class Recipe:", "class Recipe(runtime.CachedRepr):")
    origin.write(
        "recipes.py",
        "from dataclasses import dataclass, field\n",
        "from dataclasses import dataclass, field\n\nfrom overhead_lint import runtime\n",
    )
    assert origin.run() == printed
    assert over_budget(origin, BUDGETS, metric=FORMATTED) == []
