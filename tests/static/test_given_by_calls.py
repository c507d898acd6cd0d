"""What all calls pass for a parameter shuts branches as a default does that nobody passes."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat

_PART = """
    from torch import nn

    class Part(nn.Module):
        def __init__(self, single=True):
            super().__init__()
            self.single = single

        def forward(self, x):
            if self.single:
                here()
    """
_RUNS = "Part.forward runs on every call of the module"
_NET = """
    from torch import nn
    from part import Part

    class Config:
        deep: bool = False

    class Net(nn.Module):
        def __init__(self, config, found, wide=False):
            super().__init__()
            self.part = {made}

        def forward(self, x):
            return self.part(x)
    """
MADE = {
    "a constant": ("Part(single=False)", "cold: all calls pass False for single"),
    "by place": ("Part(False)", "cold: all calls pass False for single"),
    "none": ("Part(single=None)", "cold: all calls pass None for single"),
    "several that are false": ("[Part(False), Part(0)]", "cold: all calls pass 0 for single"),
    "an option of settings": (
        "Part(single=config.deep)",
        f"presumed: {_RUNS}, but not by default: Part(single=False)",
    ),
    "an option that nobody passes": ("Part(single=wide)", "cold: all calls pass False for single"),
    "the default": ("Part()", f"step: {_RUNS}"),
    "the default in one call": ("[Part(False), Part()]", f"step: {_RUNS}"),
    "another constant": ("[Part(False), Part(True)]", f"step: {_RUNS}"),
    "what nobody knows": ("Part(single=found)", f"step: {_RUNS}"),
    "all that is passed": ("[Part(False), Part(**found)]", f"step: {_RUNS}"),
    "all that is passed by place": ("[Part(False), Part(*found)]", f"step: {_RUNS}"),
    "what others are handed": ("[Part(False), make(Part)]", f"step: {_RUNS}"),
}


@pytest.mark.parametrize("name", MADE)
def test_an_attribute_is_what_all_calls_pass_for_it(tmp_path: Path, name: str) -> None:
    made, expected = MADE[name]
    sources = {
        "part.py": _PART,
        "net.py": _NET.format(made=made),
        "main.py": "from net import Net\nnet = Net(3, 4)",
    }
    assert heat(tmp_path, sources) == [f"part.py: {expected}"]


def test_what_a_name_holds_is_what_a_call_passes(tmp_path: Path) -> None:
    main = "from part import Part\n\ndef make():\n    single = {}\n    return Part(single)\n"
    sources = {"part.py": _PART, "main.py": main.format("False")}
    assert heat(tmp_path, sources) == ["part.py: cold: all calls pass False for single"]
    sources["main.py"] = main.format("find()")
    assert heat(tmp_path, sources) == [f"part.py: step: {_RUNS}"]


def test_a_constant_of_a_file_is_what_a_call_passes(tmp_path: Path) -> None:
    main = "from part import Part\n\nSINGLE = False\npart = Part(single=SINGLE)\n"
    sources = {"part.py": _PART, "main.py": main}
    assert heat(tmp_path, sources) == [f"part.py: presumed: {_RUNS}, but not by default: Part(single=False)"]
    sources["main.py"] = main + "def change():\n    global SINGLE\n    SINGLE = True\n"
    assert heat(tmp_path, sources) == [f"part.py: step: {_RUNS}"]


def test_who_imports_a_package_may_pass_anything(tmp_path: Path) -> None:
    sources = {
        "part.py": _PART,
        "net.py": _NET.format(made="Part(False)"),
        "__init__.py": "from part import Part",
    }
    assert heat(tmp_path, sources) == [f"part.py: step: {_RUNS}"]


def test_what_is_set_on_an_object_counts_beside_what_calls_pass(tmp_path: Path) -> None:
    more = "def change(net):\n    net.part.single = True"
    sources = {"part.py": _PART, "net.py": _NET.format(made="Part(False)"), "more.py": more}
    assert heat(tmp_path, sources) == [f"part.py: step: {_RUNS}"]


_REDUCE = """
    def reduce(x, kind):
        if kind == "image":
            here()
        return x
    """
_LOSS = """
    from torch import nn
    from reduce import reduce

    class Loss(nn.Module):
        def __init__(self, kind="batch"):
            super().__init__()
            self.kind = kind

        def forward(self, x, more):
            return {first} + {second}
    """
_LOSS_RUNS = "Loss.forward runs on every call of the module -> reduce"
CALLS = {
    "a word": ("reduce(x, 'batch')", "reduce(x, kind='batch')", "cold: all calls pass 'batch' for kind"),
    "two words": ("reduce(x, 'batch')", "reduce(x, 'row')", "cold: all calls pass 'batch' for kind"),
    "what an option is": (
        "reduce(x, self.kind)",
        "reduce(x, 'row')",
        f"presumed: {_LOSS_RUNS}, but not by default: reduce(kind='batch')",
    ),
    "a member where a word is asked for": (
        "reduce(x, Kind.BATCH)",
        "reduce(x, 'row')",
        f"step: {_LOSS_RUNS}",
    ),
    "the word that is asked for": ("reduce(x, 'batch')", "reduce(x, 'image')", f"step: {_LOSS_RUNS}"),
    "what a caller is given": ("reduce(x, 'batch')", "reduce(x, more)", f"step: {_LOSS_RUNS}"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_parameter_without_default_is_what_all_calls_pass_for_it(tmp_path: Path, name: str) -> None:
    first, second, expected = CALLS[name]
    loss = _LOSS.format(first=first, second=second)
    main = """
        from loss import Loss

        parser.add_argument("--kind", default="batch")
        options = parser.parse_args()
        loss = Loss(kind=options.kind)
        """
    sources = {"reduce.py": _REDUCE, "loss.py": loss, "main.py": main}
    assert heat(tmp_path, sources) == [f"reduce.py: {expected}"]


def test_what_a_framework_runs_is_given_anything(tmp_path: Path) -> None:
    sources = {
        "part.py": """
            import pytorch_lightning as pl

            class Part(pl.LightningModule):
                def training_step(self, batch, number):
                    if number == 0:
                        here()
                    if batch == 0:
                        self.training_step(batch, 1)
            """,
        "main.py": "from part import Part\nPart().training_step(None, 1)",
    }
    assert heat(tmp_path, sources) == ["part.py: step: Part.training_step is a step by its name"]


def test_members_of_an_enumeration_are_told_apart(tmp_path: Path) -> None:
    sources = {
        "reduce.py": _REDUCE.replace('"image"', "Kind.IMAGE"),
        "loss.py": _LOSS.format(first="reduce(x, Kind.BATCH)", second="reduce(x, kind=Kind.ROW)"),
        "main.py": "from loss import Loss\nloss = Loss()",
    }
    assert heat(tmp_path, sources) == ["reduce.py: cold: all calls pass 'Kind.BATCH' for kind"]
