"""What functions that are asked hardly ever say yes to is presumed, in whatever file they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from edited_project import said, write
from project_cases import heat_below

COUNTER = """
    class Counter:
        def is_due(self):
            return self.steps_so_far % self.options.show_every < self.options.size

        def shows(self):
            if self.verbose:
                return True
            return False

        def takes(self, batch):
            return len(batch) > 3

        def may_skip(self):
            return None
    """
LOOP = """
    from counter import Counter

    def train(loader, model, counter: Counter):
        for batch in loader:
            model(batch).backward()
            if {}:
                here()
    """
OTHER = "class Other:\n    def is_due(self):\n        return self.kept"
SILENT = "class Other:\n    def is_due(self):\n        raise NotImplementedError"


@pytest.mark.parametrize(
    ("test", "seldom"),
    [
        ("counter.is_due()", "is_due"),
        ("counter.shows()", "shows"),
        ("model.training and counter.is_due()", "is_due"),
        ("not (counter.takes(batch) or not counter.is_due())", "is_due"),
        ("not counter.is_due()", ""),
        ("model.training or counter.is_due()", ""),
        ("counter.takes(batch)", ""),
        ("counter.may_skip()", ""),
        ("counter.is_due", ""),
    ],
)
def test_what_hangs_on_an_answer_that_is_hardly_ever_yes_is_presumed(
    tmp_path: Path, test: str, seldom: str
) -> None:
    (found,) = heat_below(tmp_path, {"counter.py": COUNTER, "train.py": LOOP.format(test)})
    ending = f", but {seldom}() hardly ever says so" if seldom else ""
    assert found == f"train.py: {'presumed' if seldom else 'step'}: train.py:4 loop over loader{ending}"


@pytest.mark.parametrize(
    ("other", "heat"), [(OTHER, "step"), (SILENT, "presumed"), ("is_due = 3", "presumed")]
)
def test_all_that_has_the_name_has_to_say_so(tmp_path: Path, other: str, heat: str) -> None:
    texts = {"counter.py": COUNTER, "train.py": LOOP.format("counter.is_due()"), "other.py": other}
    (found,) = heat_below(tmp_path, texts)
    assert found.startswith(f"train.py: {heat}: ")


def test_a_name_by_which_an_answer_is_kept_is_followed(tmp_path: Path) -> None:
    text = LOOP.format("due").replace("model(batch)", "due = counter.is_due(); model(batch)")
    (found,) = heat_below(tmp_path, {"counter.py": COUNTER, "train.py": text})
    assert found.startswith("train.py: presumed: ")


def test_an_optimizer_is_stepped_in_each_step_whatever_says_so(tmp_path: Path) -> None:
    text = LOOP.format("counter.is_due()").replace("here()", "here(); optimizer.step()")
    (found,) = heat_below(tmp_path, {"counter.py": COUNTER, "train.py": text})
    assert found.startswith("train.py: step: ")


def test_edits_give_what_a_run_without_a_cache_finds(tmp_path: Path) -> None:
    loop = "def train(loader, model, counter):\n    for batch in loader:\n        loss = model(batch)\n"
    asked = "        if counter.is_due():\n            print(loss.item())\n"
    shown = f"import torch\n\n\n{loop}{asked}        loss.backward()\n"
    due = "class Counter:\n    def is_due(self):\n        return self.step % 100 == 0\n"
    states = (
        {"train.py": shown, "counter.py": due},
        {"counter.py": due.replace(" % 100 == 0", " > self.last")},
        {"counter.py": due},
        {"other.py": due.replace("Counter", "Other").replace(" % 100 == 0", "")},
        {"other.py": ""},
        {"train.py": shown.replace("if counter.is_due()", "if batch.is_odd()")},
        {"train.py": shown},
        {"counter.py": due.replace("is_due", "shows")},
    )
    seen = []
    for texts in states:
        write(tmp_path, texts)
        expected = said(tmp_path)
        assert said(tmp_path, tmp_path / ".cache") == expected
        seen.append(len(expected["train.py"][0]))  # type: ignore[index]
    assert seen == [0, 1, 0, 1, 0, 1, 0, 1]
