"""Which loops go round once a step, by the chains that findings tell."""

from __future__ import annotations

import pytest

from overhead_lint.project.round_lengths import is_unknown


@pytest.mark.parametrize(
    "why",
    [
        "a.py:1 loop that calls model()",
        "a.py:1 loop that calls model(), in a loop of its own",
        "a.py:1 loop that calls self.predict(), which takes a step",
        "a.py:1 loop that calls self.train_step(), which takes a step -> Agent.train_step",
        "a.py:1 loop that calls buffer.sample_batch() -> Agent.update",
        "a.py:1 loop that steps env -> Agent.act",
        "a.py:1 loop that steps self.scheduler -> epoch",
        "a.py:1 loop that steps envs[0], in a loop of its own",
    ],
)
def test_rounds_that_may_do_much(why: str) -> None:
    assert is_unknown(why)


@pytest.mark.parametrize(
    "why",
    [
        "a.py:1 loop over loader -> train",
        "a.py:1 loop that calls loss.backward() -> clip",
        "a.py:1 loop that calls (first + second).backward(), in a loop of its own",
        "a.py:1 loop that calls self.train_step() -> Trainer.train_step",
        "a.py:1 loop that calls self.step()",
        "a.py:1 loop that steps self.optimizer -> log",
        "a.py:1 loop that steps self.actor_optim, in a loop of its own",
        "a.py:1 loop that calls model() -> Model.forward -> Block.forward -> norm",
        "a.py:1 loop that steps env -> Policy.__call__",
        "Model.forward runs on every call of the module",
        "measured: executed 12 times",
        "matches a pattern of the setting hot",
        "",
    ],
)
def test_rounds_that_are_steps(why: str) -> None:
    assert not is_unknown(why)
