"""Objects that a project keeps for all who ask: heat reaches their methods from other files."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat

KEEPER = """
    class Manager:
        def offload(self, x):
            here()
    """
KEPT = {
    "made at the first call": """
    _kept = None
    def get():
        global _kept
        if _kept is None:
            _kept = Manager()
        return _kept
    """,
    "made by another function": """
    _kept = None
    def set_up():
        global _kept
        _kept = Manager()
    def get():
        assert _kept is not None
        return _kept
    """,
    "in a class that makes it": """
    class Kept(Manager):
        _one = None
        @classmethod
        def get(cls):
            if cls._one is None:
                cls._one = cls()
            return cls._one
    """,
    "in a class by its name": """
    class Kept:
        one = None
        @staticmethod
        def get():
            if Kept.one is None:
                Kept.one = Manager()
            return Kept.one
    """,
}
NET = """
    from torch import nn
    import keeper

    class Net(nn.Module):
        def forward(self, x):
            keeper.GET().offload(x)
            return x
    """
STEP = "step: Net.forward runs on every call of the module -> Manager.offload"


@pytest.mark.parametrize("name", KEPT)
def test_methods_of_an_object_that_is_kept_run_in_steps_of_other_files(tmp_path: Path, name: str) -> None:
    net = NET.replace("GET", "Kept.get" if "class" in name else "get")
    assert heat(tmp_path, {"keeper.py": KEEPER + KEPT[name], "net.py": net}) == [f"keeper.py: {STEP}"]


def test_name_that_only_the_top_level_binds_stands_for_that(tmp_path: Path) -> None:
    other = """
    class Other:
        def offload(self, x):
            here()
    _kept = Manager()
    def get():
        return _kept
    """
    found = heat(tmp_path, {"keeper.py": KEEPER + other, "net.py": NET.replace("GET", "get")})
    assert [one.split(": ")[1] for one in found] == ["step", "cold"]
