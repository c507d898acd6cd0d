"""Heat reaches each of what a name, an attribute or a result may be by the branches of a choice."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat, loop_over

PACKAGE = {
    "pkg/__init__.py": "",
    "pkg/work.py": """
        class Fast:
            def run(self, x):
                here()
        class Slow:
            def run(self, x):
                here()
        class Traced:
            def run(self, x):
                here()
        """,
    "pkg/made.py": """
        from torch import nn
        from .work import Fast, Slow, Traced
        def by_returns(kind):
            if kind == "fast":
                return Fast()
            return Slow()
        def by_name(kind):
            if kind == "fast":
                made = Fast()
            elif kind == "slow":
                made = Slow()
            else:
                raise ValueError(kind)
            return made
        def by_expression(kind):
            return Fast() if kind == "fast" else Slow()
        def for_export(onnx):
            return Traced() if onnx else Fast()
        class Holder:
            def __init__(self, kind):
                if kind == "fast":
                    self.runner = Fast()
                else:
                    self.runner = Slow()
                self.built = by_returns(kind)
                self.all = [Fast(), Slow()]
                self.named = {"fast": Fast(), "slow": Slow()}
                self.held = nn.ModuleList([Fast(), Slow()])
                cls = Fast if kind == "fast" else Slow
                self.called = cls()
                self.moved = (Fast() if kind == "fast" else Slow()).to("cuda")
        class Heir(Holder):
            pass
        """,
}
IMPORTS = "from pkg.made import Heir, Holder, by_expression, by_name, by_returns, for_export\n"
BOTH = {
    "returns of branches": (IMPORTS + "made = by_returns(1)", "made.run(batch)"),
    "a name of branches": (IMPORTS + "made = by_name(1)", "made.run(batch)"),
    "an expression": (IMPORTS + "made = by_expression(1)", "made.run(batch)"),
    "an attribute of branches": (IMPORTS + "h = Holder(1)", "h.runner.run(batch)"),
    "an attribute of a base": (IMPORTS + "h = Heir(1)", "h.runner.run(batch)"),
    "an attribute by a result": (IMPORTS + "h = Holder(1)", "h.built.run(batch)"),
    "a list": (IMPORTS + "h = Holder(1)", "for one in h.all: one.run(batch)"),
    "an item of a dict": (IMPORTS + "h = Holder(1)", "h.named[key].run(batch)"),
    "a module list": (IMPORTS + "h = Holder(1)", "h.held[0].run(batch)"),
    "a class that is called": (IMPORTS + "h = Holder(1)", "h.called.run(batch)"),
    "what is moved": (IMPORTS + "h = Holder(1)", "h.moved.run(batch)"),
    "a name of the file": (
        "from pkg.work import Fast, Slow\nif x:\n    made = Fast()\nelse:\n    made = Slow()",
        "made.run(batch)",
    ),
    "an expression of the file": (
        "from pkg.work import Fast, Slow\nmade = Fast() if x else Slow()",
        "made.run(batch)",
    ),
}


@pytest.mark.parametrize("head, call", BOTH.values(), ids=BOTH)
def test_both_branches_run(tmp_path: Path, head: str, call: str) -> None:
    found = heat(tmp_path, {**PACKAGE, "train.py": loop_over(call, head)})
    assert [line.split(": ")[1] in {"step", "loop"} for line in found] == [True, True, False]


def test_what_stands_in_where_something_is_exported_does_not(tmp_path: Path) -> None:
    head = IMPORTS + "made = for_export(False)"
    found = heat(tmp_path, {**PACKAGE, "train.py": loop_over("made.run(batch)", head)})
    assert [line.split(": ")[1] for line in found] == ["step", "cold", "cold"]


def test_generators_of_all_branches_give_items(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/data.py": """
            def rows(path):
                for row in path:
                    here()
                    yield row
            def shards(path):
                for row in path:
                    here()
                    yield row
            def opened(path, sharded):
                if sharded:
                    return shards(path)
                return rows(path)
            """,
        "train.py": """
            from pkg.data import opened
            for batch in opened("a", True):
                optimizer.step()
            """,
    }
    assert [line.split(": ")[1] for line in heat(tmp_path, sources)] == ["step", "step"]


def test_a_property_runs_where_it_is_read_and_not_what_it_gave(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/state.py": """
            class State:
                def __init__(self, device):
                    if device:
                        self.device = device
                    else:
                        self.device = self.usual
                @property
                def usual(self):
                    return here()
            """,
        "train.py": """
            from pkg.state import State
            state = State(None)
            for batch in loader:
                model(batch, state.device)
            """,
    }
    assert [line.split(": ")[1] for line in heat(tmp_path, sources)] == ["cold"]
    sources["train.py"] = sources["train.py"].replace("state.device", "state.usual")
    assert [line.split(": ")[1] for line in heat(tmp_path, sources)] == ["step"]


def test_functions_and_methods_of_either_branch_run(tmp_path: Path) -> None:
    sources = {
        "m.py": """
            def fast(x):
                here()
            def slow(x):
                here()
            run = fast if small else slow
            for batch in loader:
                run(batch)
            """,
        "pipe.py": """
            class Pipe:
                def one(self, x):
                    here()
                def other(self, x):
                    here()
            pipe = Pipe()
            call = pipe.one
            if small:
                call = pipe.other
            for batch in loader:
                call(batch)
            """,
    }
    found = [line.split(": ")[1] for line in heat(tmp_path, sources)]
    assert found == ["step", "step", "step", "step"]


def test_what_is_unpacked_or_looked_up_is_followed(tmp_path: Path) -> None:
    sources = {
        "pair.py": """
            class Encoder:
                def work(self, x):
                    here()
            class Decoder:
                def work(self, x):
                    here()
            def make():
                return Encoder(), Decoder()
            def run(loader):
                first, second = make()
                for batch in loader:
                    second.work(batch)
            """,
        "table.py": """
            def fast(x):
                here()
            def slow(x):
                here()
            STEPS = {"fast": fast, "slow": slow}
            def run(loader, kind):
                step = STEPS.get(kind)
                for batch in loader:
                    step(batch)
            """,
    }
    found = [line.split(": ")[1] for line in heat(tmp_path, sources)]
    assert found == ["cold", "step", "step", "step"]


def test_what_a_name_is_when_it_is_used_counts(tmp_path: Path) -> None:
    text = """
        class Draft:
            def update(self, x):
                here()
        class Final:
            def update(self, x):
                here()
        def run(loader, other):
            model = Draft()
            model.update(other)
            model = Final()
            for batch in loader:
                model.update(batch)
        """
    assert [line.split(": ")[1] for line in heat(tmp_path, {"m.py": text})] == ["cold", "step"]


def test_rounds_of_a_loop_read_parameters_as_what_they_are(tmp_path: Path) -> None:
    sources = {
        "base.py": """
            import torch
            class Sampler(torch.nn.Module):
                @classmethod
                def all(cls, xs):
                    return [cls.one(x) for x in xs]
                @classmethod
                def one(cls, x):
                    raise NotImplementedError
                def forward(self, xs):
                    return self.all(xs)
            """,
        "heir.py": """
            from base import Sampler
            class Top(Sampler):
                @classmethod
                def one(cls, x):
                    here()
            """,
        "each.py": """
            import torch
            def apply(run, xs):
                return [apply(run, x) for x in xs]
            def double(x):
                here()
            def half(x):
                return apply(double, x)
            class Net(torch.nn.Module):
                def forward(self, x):
                    return apply(torch.relu, x)
            """,
    }
    found = [line.split(": ")[1] for line in heat(tmp_path, sources)]
    assert found == ["loop", "cold"]


def test_a_function_that_is_given_among_other_things_is_no_wrapper(tmp_path: Path) -> None:
    text = """
        def documented(function=None):
            def decorate(function):
                here()
                return function
            if function is not None:
                return decorate(function)
            return decorate
        @documented
        def work(x):
            here()
        for batch in loader:
            work(batch)
        """
    assert [line.split(": ")[1] for line in heat(tmp_path, {"m.py": text})] == ["cold", "step"]
