"""Error paths, and functions that stop heat."""

from __future__ import annotations

import ast

import pytest
from heat_cases import heat

from overhead_lint.analysis.graph.gate import GateKind
from overhead_lint.project.facts import FileFacts

CASES = {
    "what does nothing but raise": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.kept.get(x) is None:
                    here()
                found = self.table.get(x)
                if found is not None:
                    return found
                self.table[x] = self.refuse(here())
            def refuse(self, x):
                here()
                raise TypeError(x)
        """,
        [
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.table misses (line 6)",
            "cold: Model.refuse does nothing but raise",
        ],
    ),
    "what stands behind what leaves its block": (
        """
        class Model(nn.Module):
            def forward(self, x):
                for part in x:
                    here()
                    continue
                    here()
                if self.training:
                    raise NotImplementedError("to be written anew")
                    here()
                here()
                return x
                with self.lock:
                    here()
        """,
        [
            "loop: Model.forward runs on every call of the module, in a loop",
            "cold: never runs (line 4)",
            "cold: never runs (line 8)",
            "step: Model.forward runs on every call of the module",
            "cold: never runs (line 11)",
        ],
    ),
    "branches that fail whatever way they take": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if x.dim() != 3:
                    said = here()
                    if x.dim() > 3:
                        raise ValueError(said)
                    else:
                        raise TypeError(said)
                if x.dim() == 2:
                    here()
                    if x.size(0):
                        raise ValueError(x)
                try:
                    if x.dim() == 1:
                        here()
                        if x.size(0) == 3:
                            raise ValueError(x)
                        else:
                            raise TypeError(x)
                except TypeError:
                    pass
        """,
        [
            "cold: is an error path (line 3)",
            *["step: Model.forward runs on every call of the module"] * 2,
        ],
    ),
    "what stands behind what both branches leave": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if x.dim() == 3:
                    return here()
                else:
                    return x
                here()
        """,
        [
            "step: Model.forward runs on every call of the module",
            "cold: never runs (line 6)",
        ],
    ),
    "what runs for what another branch left": (
        """
        class Model(nn.Module):
            def forward(self, x, step):
                with self.lock:
                    if step % 100 != 0:
                        return x
                    here()
                here()
            def backward(self, x):
                if self.step_count % 100 == 0:
                    x = x + 1
                else:
                    return x
                here()
        """,
        [
            "cold: runs every 100 steps (line 4)",
            "cold: runs every 100 steps (line 4)",
            "cold: runs every 100 steps (line 9)",
        ],
    ),
    "what runs where a fast way failed": (
        """
        class Model(nn.Module):
            def forward(self, x):
                try:
                    return self.fast(x)
                except RuntimeError:
                    self.failed = True
                here()
            def __call__(self, x):
                try:
                    found = self.fast(x)
                except RuntimeError:
                    found = None
                here()
        """,
        [
            "cold: is an error path (line 5)",
            "step: Model.__call__ runs on every call of the module",
        ],
    ),
    "error paths": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if x.dim() != 3:
                    detail = here()
                    raise ValueError(detail)
                try:
                    here()
                except RuntimeError:
                    here()
                assert here(), f"{here()}"
        """,
        [
            "cold: is an error path (line 3)",
            "step: Model.forward runs on every call of the module",
            "cold: is an error path (line 8)",
            "step: Model.forward runs on every call of the module",
            "cold: is an error path (line 10)",
        ],
    ),
    "error paths of other statements": (
        """
        class Model(nn.Module):
            def forward(self, x, index):
                for part in x:
                    if part is self.last:
                        break
                else:
                    text = here()
                    raise ValueError(text)
                match index:
                    case 0:
                        return here()
                    case _:
                        text = here()
                        raise ValueError(text)
            def choose(self, x):
                if x.dim() == 3:
                    return here()
                text = here()
                raise ValueError(text)
            def __call__(self, x):
                return self.choose(x)
        """,
        [
            "cold: is an error path (line 7)",
            "step: Model.forward runs on every call of the module",
            "cold: is an error path (line 12)",
            "step: Model.__call__ runs on every call of the module -> Model.choose",
            "cold: is an error path (line 16)",
        ],
    ),
    "functions that stop heat": (
        """
        class Model(nn.Module):
            def forward(self, x):
                self.table(3)
                if self.training and x.is_contiguous():
                    self.save_checkpoint()
                if self.training and step % log_every == 0:
                    self.report()
            @functools.lru_cache(maxsize=None)
            def table(self, n):
                here()
            def save_checkpoint(self):
                here()
            def report(self):
                here()
        """,
        [
            "cold: Model.table is cached by lru_cache",
            "cold: Model.save_checkpoint is no step by its name",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "what tests the file that it stands in": (
        """
        def work(x):
            return x.backward()
        def test():
            for x in loader:
                y = work(x)
                here()
                assert y is None
        """,
        ["cold: test is no step by its name"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected


def test_a_name_in_a_text_stands_where_the_text_does() -> None:
    text = "def told(kept):\n if kept is None:\n  raise ValueError(f'{kept} here')\n return kept\n"
    facts = FileFacts(ast.parse(text), "m.py")
    [shown] = [node for node in ast.walk(facts.scan.tree) if isinstance(node, ast.FormattedValue)]
    gate = facts.placements.of(shown.value).gate
    assert gate is not None
    assert gate.kind is GateKind.ERROR
