"""Which loops go round once a step, by the chains that findings tell."""

from __future__ import annotations

import pytest
from heat_cases import warmths_of

from overhead_lint.api.heat_reasons import ReasonKind


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
def test_what_a_loop_is_hot_for_tells_how_much_its_rounds_do(round_: str, unknown: bool) -> None:
    (warmth,) = warmths_of(
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
    assert warmth.why.startswith("m.py:13 loop that ")
    assert warmth.kind is (ReasonKind.ROUND if unknown else ReasonKind.LOOP)


@pytest.mark.parametrize(
    ("called", "kind", "links"),
    [
        ("here()", ReasonKind.ROUND, 1),
        ("helper()", ReasonKind.ROUND, 2),
        ("more()", ReasonKind.ROUND, 3),
        ("Wheel().forward()", ReasonKind.LOOP, 2),
        ("Wheel().forward_all()", ReasonKind.ROUND, 2),
    ],
)
def test_a_module_that_is_called_on_the_way_is_a_step(called: str, kind: ReasonKind, links: int) -> None:
    (warmth,) = warmths_of(
        f"""
        class Wheel:
            def forward(self):
                {"here()" if "forward()" in called else "pass"}
            def forward_all(self):
                {"here()" if "forward_all()" in called else "pass"}
        def helper():
            {"here()" if called == "helper()" else "pass"}
        def further():
            {"here()" if called == "more()" else "pass"}
        def more():
            further()
        def act(env, x):
            while True:
                env.step(x)
                {called}
        """
    )
    assert warmth.why.startswith("m.py:13 loop that steps env")
    assert (warmth.kind, warmth.links) == (kind, links)
