"""Branches that leave a loop: what stands in them runs as often as the loop, and not as its rounds."""

from __future__ import annotations

import ast
import textwrap

import pytest

from overhead_lint.analysis.graph.frequency import SAME, STEP
from overhead_lint.project.facts import FileFacts

OVER = "m.py:2 loop over loader"
LAYERS = "Model.forward runs on every call of the module"
CASES = {
    "break ends the innermost loop, return all of them": (
        """
        def train(model, loader):
            for batch in loader:
                if model(batch).done:
                    here()
                    break
                for part in batch:
                    if part.done:
                        here()
                        break
                    elif part.wrong:
                        here()
                        return None
                    else:
                        here()
        """,
        [
            f"cold: outside of the hot loop: {OVER}",
            f"step: {OVER}",
            f"cold: outside of the hot loop: {OVER}",
            f"loop: {OVER}, in a loop of its own",
        ],
    ),
    "a branch in one that leaves the loop": (
        """
        def train(model, loader):
            for batch in loader:
                if batch.last:
                    if batch.odd:
                        here()
                    return here()
        """,
        [f"cold: outside of the hot loop: {OVER}"] * 2,
    ),
    "the next round is none of them": (
        """
        def train(model, loader):
            for batch in loader:
                if batch.odd:
                    here()
                    continue
        """,
        [f"step: {OVER}"],
    ),
    "a loop within a step": (
        """
        class Model(nn.Module):
            def forward(self, x):
                for layer in self.layers:
                    here()
                    if layer.last:
                        here()
                        break
        """,
        [f"loop: {LAYERS}, in a loop", f"step: {LAYERS}"],
    ),
    "a return where no loop is": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if x.odd:
                    return here()
        """,
        [f"step: {LAYERS}"],
    ),
    "what a function within gives": (
        """
        def train(model, loader):
            for batch in loader:
                model.step(lambda: here() if batch.odd else None)
        """,
        [f"step: {OVER} -> train.<locals>.<lambda>"],
    ),
    "conditions that are no plain ones": (
        """
        def train(model, loader):
            while True:
                model(next(loader)).backward()
                if (loader.odd and loader.last) or loader.full():
                    here()
                if (loader.odd and loader.last) or loader.full():
                    break
        """,
        ["step: m.py:2 loop that calls model(next(loader)).backward()"],
    ),
    "options around it stay": (
        """
        def train(model, loader, limit=None):
            for batch in loader:
                if limit is not None:
                    if batch.index > limit:
                        here()
                        break
        """,
        [f"cold: outside of the hot loop: {OVER}"],
    ),
    "a flag that is set anew before the loop ends by it": (
        """
        def train(model, loader, last=False):
            for batch in loader:
                if last:
                    here()
                last = model(batch).stopped
                if last:
                    break
            for last in loader:
                if last == 0:
                    break
                if last == 0:
                    here()
            for batch in loader:
                for part in batch:
                    if model.stopped:
                        here()
                if model.stopped:
                    break
            for batch in loader:
                if model.stops(batch):
                    here()
                if model.stops(batch):
                    break
        """,
        [
            f"step: {OVER}",
            f"step: {OVER.replace('2', '8')}",
            f"loop: {OVER.replace('2', '13')}, in a loop of its own",
            f"step: {OVER.replace('2', '19')}",
        ],
    ),
    "items of a generator": (
        """
        def batches(source):
            for batch in source:
                if batch.odd:
                    here()
                    return
                yield batch
        for batch in batches(source):
            model(batch)
        """,
        ["step: m.py:7 loop over batches(source) -> batches"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_leaves_a_loop(name: str) -> None:
    source, expected = CASES[name]
    tree = ast.parse(textwrap.dedent(source).strip("\n") + "\nfrom torch import nn\n")
    facts = FileFacts(tree, "m.py")
    places = sorted(facts.call_index.by_name["here"], key=lambda call: (call.lineno, call.col_offset))
    warmths = [facts.heat.warmth(place) for place in places]
    assert [f"{one.heat.label}: {one.why}" for one in warmths] == expected


def test_a_class_in_a_loop_ends_none_of_its_rounds() -> None:
    text = "for batch in loader:\n class Net:\n  for part in parts:\n   work(part); break\n keep(Net)\n"
    facts = FileFacts(ast.parse(text), "m.py")
    [work], [kept] = facts.call_index.by_name["work"], facts.call_index.by_name["keep"]
    assert facts.placements.of(work).frequency is SAME
    assert facts.placements.of(kept).frequency is STEP
