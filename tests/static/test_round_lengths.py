"""Which loops go round once a step, by the chains that findings tell."""

from __future__ import annotations

import pytest
from heat_cases import heat

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


@pytest.mark.parametrize(
    ("round_", "unknown"),
    [
        ("loss.backward()", False),
        ("optimizer.step()", False),
        ("sgd.step()", False),
        ("self.adam.step()", False),
        ("x = next(loader)", False),
        ("train_step(x)", False),
        ("self.step()", False),
        ("x = train_batch(x)", True),
        ("x = model(x)", True),
        ("x = model.forward(x)", True),
        ("env.step(x)", True),
        ("scheduler.step()", True),
        ("x = self.run(x)", True),
    ],
)
def test_what_a_loop_is_hot_for_is_read_as_it_is_written(round_: str, unknown: bool) -> None:
    warmths = heat(
        f"""
        import torch
        from torch import nn
        class Agent:
            def __init__(self, parameters):
                self.adam = torch.optim.Adam(parameters)
                self.net = nn.Linear(2, 2)
            def step(self):
                pass
            def run(self, x):
                return self.net(x)
            def train(self, model, loss, loader, env, scheduler, optimizer, x):
                sgd = torch.optim.SGD(model.parameters())
                while True:
                    here()
                    {round_}
        """
    )
    (warmth,) = warmths
    assert warmth.startswith("step: m.py:13 loop that ")
    assert is_unknown(warmth.partition(": ")[2]) is unknown
