"""Options of optimizers that their code reads of groups of parameters, as ``__init__`` put them there."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat

OPTIMIZER = """
    import torch

    class Lars(torch.optim.Optimizer):
        def __init__(
            self, params, decay=0.0, nesterov=False, kind="l2", first=-1, foreach: bool | None = {foreach}
        ):
            {table}
            super().__init__(params, defaults)

        def can_use_foreach(self, group, foreach):
            return all(p.is_cuda for p in group["params"]) and foreach is not False

        def _goes_at_once(self, group):
            return self.can_use_foreach(group, group.get("foreach"))

        def step(self):
            for group in self.param_groups:
                {test}
                    here()

        def more(self, group):
            {more}
    """
TABLE = "defaults = dict(decay=decay, nesterov=nesterov, kind=kind, first=first, foreach=foreach)"
STEP = "m.py: loop: Lars.step runs on every step, in a loop"


def _heat(
    folder: Path, test: str, table: str = TABLE, more: str = "pass", foreach: str = "None", **sources: str
) -> str:
    text = OPTIMIZER.format(test=test, table=table, more=more, foreach=foreach)
    return heat(folder, {"m.py": text, "other.py": "", **sources})[0]


OFF = {
    "an entry": ('if group["nesterov"]:', "nesterov=False"),
    "an entry that is asked for": ('if group.get("nesterov", True):', "nesterov=False"),
    "a number": ('if group["decay"] != 0:', "decay=0.0"),
    "a negative number": ('if group["first"] >= 0:', "first=-1"),
    "a word": ('if group["kind"] == "stable":', "kind='l2'"),
    "a name of an entry": ('nesterov = group["nesterov"]\n                if nesterov:', "nesterov=False"),
    "what is left of a batched step": (
        'if not self.can_use_foreach(group, group["foreach"]):',
        "foreach=None",
    ),
    "what a method of its own asks": ("if not self._goes_at_once(group):", "foreach=None"),
    "what follows a batched step": (
        'if self.can_use_foreach(group, group["foreach"]):\n                    continue\n'
        "                if group:",
        "foreach=None",
    ),
}


@pytest.mark.parametrize("name", OFF)
def test_what_a_default_of_the_optimizer_shuts_is_presumed(tmp_path: Path, name: str) -> None:
    test, option = OFF[name]
    assert _heat(tmp_path, test) == f"{STEP}, but not by default: Lars({option})".replace(
        ": loop:", ": presumed:"
    )


def test_a_table_that_is_written_out_says_it_too(tmp_path: Path) -> None:
    found = _heat(tmp_path, 'if group["nesterov"]:', table='defaults = {"nesterov": nesterov}')
    assert found.endswith("but not by default: Lars(nesterov=False)")


ON = {
    "another default": {"test": 'if group["kind"] == "l2":'},
    "state that a method changes": {"test": 'if group["nesterov"]:', "more": 'group["nesterov"] = True'},
    "what no table has": {"test": 'if group["amsgrad"]:'},
    "an entry of something else": {"test": 'if self.state["nesterov"]:'},
    "what nobody knows": {
        "test": 'if group["nesterov"]:',
        "table": "defaults = dict(nesterov=params.nesterov)",
    },
    "a batched step that is off": {
        "test": 'if not self.can_use_foreach(group, group["foreach"]):',
        "foreach": "False",
    },
    "a batched step": {"test": 'if self.can_use_foreach(group, group["foreach"]):'},
    "a call that turns it on": {"test": 'if group["nesterov"]:', "other.py": "Lars(params, nesterov=True)"},
}


@pytest.mark.parametrize("name", ON)
def test_what_no_default_shuts_runs_in_steps(tmp_path: Path, name: str) -> None:
    assert _heat(tmp_path, **ON[name]).startswith(STEP)
