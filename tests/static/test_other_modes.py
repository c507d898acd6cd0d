"""What runs in another mode than training and holds a loop of steps is a whole generation."""

from __future__ import annotations

from pathlib import Path

import pytest
from heat_cases import warmths_of
from project_cases import heat, heat_below

_MODEL = """
    from torch import nn

    class Net(nn.Module):
        def forward(self, x, mode="train"):
            {test}
                return self.sample(x)
            return x

        def sample(self, x):
            for t in self.timesteps:
                x = self.unet(x, t)
            return self.finish(x)

        def finish(self, x):
            here()
            return x
    """
_STEP = "step: Net.forward runs on every call of the module -> Net.sample -> Net.finish"
_REQUEST = f"request{_STEP.removeprefix('step')}; once a request, which takes many steps"
TESTS = {
    "if not self.training:": _REQUEST,
    'if mode != "train":': _REQUEST,
    'if mode == "train":\n                pass\n            elif mode == "eval":': _REQUEST,
    "if x is not None and not self.training:": _REQUEST,
    "if x is not None or not self.training:": _STEP,
    'if mode == "train":': _STEP,
    'if mode == "eval":': _STEP,
    "if self.training:": _STEP,
    "if x is not None:": _STEP,
}


@pytest.mark.parametrize("test", TESTS)
def test_what_training_does_not_run_is_a_generation_if_it_takes_steps(tmp_path: Path, test: str) -> None:
    assert heat(tmp_path, {"net.py": _MODEL.format(test=test)}) == [f"net.py: {TESTS[test]}"]


def test_what_takes_no_steps_is_a_part_of_one_in_any_mode() -> None:
    text = """
    class Net(nn.Module):
        def forward(self, x):
            if not self.training:
                return self.finish(x)
            return x
        def finish(self, x):
            here()
            return x
    """
    assert [one.heat.label for one in warmths_of(text)] == ["step"]


_WRAPPERS = """
    def without_autocast(function):
        def inner(*args):
            return function(*args)
        return inner
    """
_SCORE = """
    def loss(x):
        here()

    def score(x):
        here()
    """
CALLS = {
    "what is called at once": (
        "without_autocast(score)(x)",
        ["step: m.py:7 loop over loader -> loss", "cold: nothing shows that it runs in a step"],
    ),
    "what is kept": (
        "kept = without_autocast(score)",
        [
            "step: m.py:7 loop over loader -> loss",
            "step: m.py:7 loop over loader -> without_autocast.<locals>.inner -> score",
        ],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_a_wrapper_is_handed_and_runs_at_once_runs_nowhere_else(tmp_path: Path, name: str) -> None:
    call, expected = CALLS[name]
    main = f"""
        from score import loss, score
        from wrappers import without_autocast

        def once(x):
            {call}

        for batch in loader:
            without_autocast(loss)(batch)
        """
    sources = {"wrappers.py": _WRAPPERS, "score.py": _SCORE, "m.py": main}
    assert heat_below(tmp_path, sources) == [f"score.py: {one}" for one in expected]
