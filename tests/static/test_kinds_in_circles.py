"""Inference ends where values are made of each other, with an answer that hangs on no order."""

from __future__ import annotations

import ast
import textwrap

import pytest
from kind_cases import HEAD, kinds

from overhead_lint.project.facts import FileFacts
from overhead_lint.project.kinds.inference import Kinds


def test_inference_ends_on_circles_and_on_depth() -> None:
    rounds = "\n".join(f"    x{i} = x{i + 1} + x{(i * 7) % 40}" for i in range(40))
    deep = " + ".join(["t"] * 2000)
    assert kinds(f"def f(t):\n  while t:\n{rounds}\n    ask(x0, {deep})\n") == "unknown unknown"


CIRCLES = {
    "an attribute that is moved": """
        class Scheduler:
            def __init__(self):
                self.sigmas = (1 - torch.linspace(0, 1, 3)) ** 0.5
                self.sigmas = self.sigmas.to("cpu")
            def set_timesteps(self, steps):
                self.sigmas = torch.from_numpy(np.linspace(0, 1, steps))
                self.sigmas = self.sigmas.to("cpu")
            def step(self, sample):
                ask(self.sigmas, self.sigmas.to(sample.device), self.sigmas[0].to("cpu"))
        """,
    "a function that is given what it gives": """
        def rescale(betas: Tensor) -> Tensor:
            alphas = 1.0 - betas
            bar = torch.cumprod(alphas, dim=0).sqrt()
            last = bar[-1].clone()
            bar = bar - last
            alphas = torch.cat([bar[0:1], bar[1:] / bar[:-1]])
            ask(alphas, bar, last)
            return 1 - alphas

        class Scheduler:
            def __init__(self):
                self.betas = torch.linspace(0, 1, 3)
                self.betas = rescale(self.betas)
                ask(self.betas, 1 - self.betas)
        """,
    "two that are made of each other": """
        def f(t: Tensor, n):
            a, b = torch.zeros(3), torch.ones(3)
            for _ in range(n):
                a = torch.cat([a, b])
                b = a.to(t.device)
                ask(a, b, a + 1, b.cpu())
        """,
    "tensors that are kept in a loop": """
        class Net(nn.Module):
            def forward(self, x, state=None):
                for layer in self.layers:
                    state = layer(x) if state is None else torch.cat([state, layer(x)])
                    x = state[-1:] + x
                    ask(state, x)
                return x
        """,
    "what is nothing but itself": """
        class Counter:
            def __init__(self):
                self.count = None
            def step(self):
                self.count = self.count + 1
                ask(self.count, [self.count])
        """,
}


@pytest.mark.parametrize("name", CIRCLES)
def test_an_answer_does_not_depend_on_what_was_asked_before(name: str) -> None:
    tree = ast.parse(HEAD + textwrap.dedent(CIRCLES[name]))
    facts = FileFacts(tree, "m.py")
    asked = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Attribute, ast.BinOp, ast.Call, ast.List, ast.Name, ast.Subscript))
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    ]
    first = {node: Kinds(facts, facts.leads_on, {}).kind(node) for node in asked}
    for start in range(len(asked)):
        known = Kinds(facts, facts.leads_on, {})
        answers = {node: known.kind(node) for node in asked[start:] + asked[:start]}
        assert [ast.unparse(node) for node in asked if answers[node] is not first[node]] == []


def test_what_is_moved_to_where_it_is_stays_there() -> None:
    assert kinds(CIRCLES["an attribute that is moved"]) == "host tensor host"
    assert kinds(CIRCLES["a function that is given what it gives"]) == "host host host host host"
    assert kinds(CIRCLES["two that are made of each other"]) == "tensor tensor tensor host"
