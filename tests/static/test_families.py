"""Heat goes to bases, heirs and overrides in other files."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat, heat_below, loop_over


def test_a_module_by_a_base_in_another_file(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
        "pkg/model.py": """
            from .base import Base
            class Model(Base):
                def __init__(self):
                    here()
                def __call__(self, x):
                    here()
            """,
    }
    assert heat(tmp_path, sources) == [
        "pkg/model.py: cold: Model.__init__ runs at construction",
        "pkg/model.py: step: Model.__call__ runs on every call of the module",
    ]


def test_an_override_in_another_file_runs_in_its_stead(tmp_path: Path) -> None:
    sources = {
        "base.py": """
            class Base:
                def training_step(self, batch):
                    self.work(batch)
                def work(self, batch):
                    raise NotImplementedError
            """,
        "sub.py": """
            from base import Base
            class Sub(Base):
                def work(self, batch):
                    here()
            """,
    }
    assert heat(tmp_path, sources) == [
        "sub.py: step: Base.training_step is a step by its name -> Sub.work",
    ]


LOOP_IN_A_BASE = """
    class Base:
        def update(self, loader, model):
            for batch in loader:
                model(batch).backward()
                self.work(batch)
        def work(self, batch):
            pass
    """


@pytest.mark.parametrize(
    ("update", "found"),
    [
        ("self.work(loader)", "cold"),
        ("self.work(super().update(loader, model))", "step"),
        ("Base.update(self, loader, model)", "step"),
    ],
)
@pytest.mark.parametrize("between", ["Base", "Own"])
def test_a_class_with_a_loop_of_its_own_is_not_run_by_the_one_it_overrides(
    tmp_path: Path, update: str, found: str, between: str
) -> None:
    own = f"class Own(Base):\n    def update(self, loader, model):\n        {update}\n"
    sub = f"class Sub({between}):\n    def work(self, batch):\n        here()\n"
    if between == "Base":
        sub += own.partition("\n")[2]
        own = ""
    (said,) = heat(tmp_path, {"base.py": LOOP_IN_A_BASE, "sub.py": f"from base import Base\n{own}{sub}"})
    assert said.split(": ")[1] == found


def test_a_class_whose_heir_runs_the_loop_is_run_by_it(tmp_path: Path) -> None:
    sources = {
        "base.py": LOOP_IN_A_BASE,
        "sub.py": """
            from base import Base
            class Own(Base):
                def update(self, loader, model):
                    pass
                def work(self, batch):
                    here()
            class Heir(Own):
                def update(self, loader, model):
                    Base.update(self, loader, model)
            """,
    }
    (said,) = heat(tmp_path, sources)
    assert said.endswith("loop over loader -> Own.work")


def test_a_base_may_come_from_an_import_with_a_star(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "from .training import *\n",
        "pkg/training.py": """
            from torch.nn import *
            class TrainingModule(Module):
                def fit(self, loader):
                    for batch in loader:
                        self.compute(batch)
                def compute(self, batch):
                    pass
            class Own(Module):
                def forward(self, x):
                    here()
        """,
        "train.py": """
            from pkg import *
            class Flux(TrainingModule):
                def forward(self, x):
                    here()
                def compute(self, batch):
                    here()
        """,
    }
    assert heat_below(tmp_path, sources) == [
        "pkg/training.py: step: Own.forward runs on every call of the module",
        "train.py: step: Flux.forward runs on every call of the module",
        "train.py: step: pkg/training.py:4 loop over loader -> Flux.compute",
    ]


def test_a_class_that_only_sets_an_inherited_property_leads_to_its_base(tmp_path: Path) -> None:
    work = """
    class Base:
        @property
        def ready(self):
            here()
            return True

    class Loop(Base):
        @Base.ready.setter
        def ready(self, value):
            pass

        def step(self):
            return self.ready
    """
    found = heat(tmp_path, {"train.py": loop_over("Loop().step()", "from work import Loop"), "work.py": work})
    assert [text.endswith("train.py:10 loop over loader -> Loop.step -> Base.ready") for text in found] == [
        True
    ]


def test_methods_that_classes_are_mixed_with_stand_for_each_others(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "loop.py": """
                class LoopMixin:
                    def clip(self):
                        raise NotImplementedError

                    def fit(self, loader):
                        for batch in loader:
                            self.clip()
                            self.count()
                """,
            "tricks.py": """
                class TricksMixin:
                    def clip(self):
                        here()

                    def count(self):
                        here()
                """,
            "trainer.py": """
                from loop import LoopMixin
                from tricks import TricksMixin

                class Trainer(TricksMixin, LoopMixin):
                    pass
                """,
        },
    )
    ends = [place.partition("loop.py:6")[2] for place in found]
    assert ends == [f" loop over loader -> TricksMixin.{name}" for name in ("clip", "count")]


def test_methods_of_a_class_that_runs_are_those_of_its_heirs(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "base.py": """
                import torch
                from functools import partial

                class FusedLoss(torch.autograd.Function):
                    @staticmethod
                    def forward(cls, ctx, x):
                        return chunked(partial(FusedLoss._one, loss_fn=cls.loss_fn), x)

                    @classmethod
                    def check(cls, x):
                        cls.look(x)

                    @staticmethod
                    def loss_fn(x):
                        raise NotImplementedError

                    @classmethod
                    def backward(cls, ctx, grad):
                        cls.check(grad)
                """,
            "heir.py": """
                from base import FusedLoss

                class Preference(FusedLoss):
                    @staticmethod
                    def loss_fn(x):
                        here()

                    @classmethod
                    def look(cls, x):
                        here()
                """,
        },
    )
    assert [place.split(": ", 2)[1] for place in found] == ["step", "step"]
