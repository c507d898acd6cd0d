"""How heat goes on from a function to those that it calls or hands on."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "a block runs what its context does where it is entered and left": (
        """
        class Mixed:
            def __enter__(self):
                here()
            def __exit__(self, *error):
                here()
        def run(loader):
            mixed = Mixed()
            for batch in loader:
                with mixed:
                    batch.sum()
        """,
        [
            "step: m.py:8 loop over loader -> Mixed.__enter__",
            "step: m.py:8 loop over loader -> Mixed.__exit__",
        ],
    ),
    "all of a long table that an attribute takes one from after the other": (
        """
        from types import MethodType
        class Engine:
            def run_a(self, x):
                return x
            def run_b(self, x):
                return x
            def run_c(self, x):
                return x
            def run_d(self, x):
                return x
            def run_e(self, x):
                return x
            def run_f(self, x):
                return x
            def run_g(self, x):
                return x
            def run_h(self, x):
                return x
            def run_i(self, x):
                return x
            def run_j(self, x):
                return x
            def wait(self, x):
                here()
            TABLE = {0: run_a, 1: run_b, 2: run_c, 3: run_d, 4: run_e, 5: run_f, 6: run_g, 7: run_h, 8: run_i,
                     9: run_j, 10: wait}
            def training_step(self, plan):
                for part in plan:
                    self.run = MethodType(self.TABLE[part.number], self)
                    self.run(part)
        """,
        ["loop: Engine.training_step is a step by its name -> Engine.wait"],
    ),
    "lambdas that a name and an attribute keep": (
        """
        class Net(nn.Module):
            def __init__(self):
                self.made = lambda: here()
            def forward(self, x):
                self.made()
        def run(loader):
            made = lambda: here()
            for batch in loader:
                made()
        """,
        [
            "step: Net.forward runs on every call of the module -> Net.__init__.<locals>.<lambda>",
            "step: m.py:8 loop over loader -> run.<locals>.<lambda>",
        ],
    ),
    "calls carry heat, with the chain": (
        """
        class Trainer:
            def step(self, batch):
                here()
                self.report()
                for x in batch:
                    self.each(x)
            def report(self):
                here()
            def each(self, x):
                here()
        def run(loader):
            trainer = Trainer()
            for batch in loader:
                trainer.step(batch)
        """,
        [
            "step: m.py:13 loop over loader -> Trainer.step",
            "step: m.py:13 loop over loader -> Trainer.step -> Trainer.report",
            "loop: m.py:13 loop over loader -> Trainer.step -> Trainer.each",
        ],
    ),
    "functions handed on, nested ones and lambdas": (
        """
        def block(x):
            here()
        class Model(nn.Module):
            def forward(self, x):
                def inner(y):
                    here()
                checkpoint(block, x)
                inner(x)
                apply(lambda y: here())
        """,
        [
            "step: Model.forward runs on every call of the module -> block",
            "step: Model.forward runs on every call of the module -> Model.forward.<locals>.inner",
            "step: Model.forward runs on every call of the module -> Model.forward.<locals>.<lambda>",
        ],
    ),
    "what a function around keeps": (
        """
        def compiled_when_called(function):
            compiled = None
            class Wrapper(nn.Module):
                def forward(self, x):
                    nonlocal compiled
                    if compiled is None:
                        compiled = here()
                    fresh = None
                    if fresh is None:
                        fresh = here()
                    return compiled(x)
        """,
        [
            "cold: runs once, while compiled is missing (line 6)",
            "step: compiled_when_called.<locals>.Wrapper.forward runs on every call of the module",
        ],
    ),
    "functions behind a cache": (
        """
        @package.cached_by_shape
        def table(n):
            return here()
        def training_step(x):
            return table(3)
        """,
        ["cold: table is cached by cached_by_shape"],
    ),
    "a lambda that is made in a round": (
        """
        def build(size):
            return lambda: net(size)
        for size in sizes:
            layers.append(build(size))
            here()
        """,
        ["cold: runs at import"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
