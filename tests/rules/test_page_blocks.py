"""What the blocks of each rule's page do when they run: the same before and after, at less cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from behaviour import Place, behaviour
from page_process import BlockError, apart, names_of
from page_runs import RULES, deprecations, needs_device, outcome, places_of, read_page, told

from overhead_lint.measure.calibration import count

if TYPE_CHECKING:
    from overhead_lint.engine.pages import TimingCase

each_rule = pytest.mark.parametrize("code", sorted(RULES))


TIMED = [case for code in sorted(RULES) for case in read_page(code).timing_cases()]


@pytest.mark.parametrize(
    "case", [case for case in TIMED if not case.metrics], ids=lambda case: f"{case.code}: {case.title}"
)
def test_both_timed_forms_run(case: TimingCase) -> None:
    assert {"before", "after"}.isdisjoint(apart(names_of, case))


@pytest.mark.parametrize(
    "case", [case for case in TIMED if case.metrics], ids=lambda case: f"{case.code}: {case.title}"
)
def test_the_proposed_form_asks_less_of_the_device(case: TimingCase) -> None:
    counts = apart(count, case)
    assert all(counts.after[metric] < counts.before[metric] for metric in case.metrics)


@each_rule
def test_example_and_fixed_block_do_the_same_and_wait_no_more_often(code: str) -> None:
    page = read_page(code)
    for place in places_of(page.code("Example")):
        before = behaviour(page.code("Example"), place)
        if place is Place.ON_DEVICE and before.raised:
            continue  # it moves what it makes to a device itself, or pins it
        assert not before.raised
        after = behaviour(page.code("Fixed"), place)
        assert told(code, before, after) == []


LAYERED = [code for code in sorted(RULES) if "Linear(" in read_page(code).code("Example")]


@pytest.mark.parametrize("code", LAYERED)
def test_a_layer_that_raises_ends_both_blocks_alike(code: str) -> None:
    page = read_page(code)
    place = places_of(page.code("Example"))[-1]
    before, after = (behaviour(page.code(block), place, failing=True) for block in ("Example", "Fixed"))
    assert told(code, before, after) == []


@each_rule
def test_fixed_block_uses_nothing_that_torch_deprecates(code: str) -> None:
    page = read_page(code)
    assert deprecations(page.code("Fixed"), device=needs_device(page.code("Example"))) == []


def test_a_block_begins_with_what_all_would_import_and_register() -> None:
    """A module that cannot be imported for all of them is passed over in silence."""
    left = apart(eval, "{*__import__('page_process').IMPORTED} - {*__import__('sys').modules}")
    assert left == set()


def test_deprecations_of_a_block_are_seen() -> None:
    (said,) = deprecations("import torch\nresult = torch.cpu.amp.autocast(enabled=False)\n")
    assert "torch.amp.autocast" in said


LEAVES = """
import os, random, sys, torch
os.environ["OVERHEAD_PAGE"] = "left"
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.backends.cuda.matmul.allow_tf32 = True
torch.Tensor.left = 1
sys.modules["left"] = sys
result = "left"
"""
LOOKS = """
import os, sys, torch
result = (os.environ.get("OVERHEAD_PAGE"), torch.get_default_dtype(), torch.is_grad_enabled(),
          torch.backends.cuda.matmul.allow_tf32, hasattr(torch.Tensor, "left"), "left" in sys.modules)
"""


def test_what_a_block_leaves_behind_no_other_block_sees() -> None:
    clean = "(None, torch.float32, True, False, False, False)"
    assert outcome(LOOKS) == clean
    assert outcome(LEAVES) == "'left'"
    assert deprecations(f"{LEAVES}\n") == []
    assert outcome(LOOKS) == clean


def test_a_block_that_raises_or_ends_its_process_is_told() -> None:
    with pytest.raises(BlockError, match="ZeroDivisionError"):
        outcome("result = 1 / 0")
    with pytest.raises(BlockError, match="status 3"):
        outcome("import os; os._exit(3)")
