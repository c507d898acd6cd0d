"""Of a copy of another library that lies in a project only that runs what the project makes."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from edited_project import said, write
from project_cases import heat_below

LIBRARY = """
    from torch import nn

    class Layer(nn.Module):
        def forward(self, x):
            here()

    class Stack(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = Layer()

    class Used(nn.Module):
        def forward(self, x):
            here()
    """
USER = "from .{}.parts import Used\n\nused = Used()\n"


def project(folder: str, **more: str) -> dict[str, str]:
    """A package that uses one class of a library in one of its folders, or beside it."""
    within = "" if folder.startswith("../") else "pkg/"
    library = f"{within}{folder.removeprefix('../')}"
    return {
        "pkg/__init__.py": "",
        "pkg/user.py": USER.format(folder.replace("/", ".")) if within else "from parts import Used\nUsed()",
        f"{library}/__init__.py": "from .parts import Layer, Stack, Used",
        f"{library}/parts.py": dedent(LIBRARY),
        **{f"{library}/{name}.py": text for name, text in more.items()},
    }


COPIES = ("libs/other", "third_party/other", "_vendor/other/deep", "../third_party/other")
OWN = {
    "a folder of the project's": project("parts/other"),
    "it needs the rest": project("libs/other", more="from pkg.user import used"),
    "it is what the project consists of": project("../libs/other"),
    "there is nothing else": {
        name: text for name, text in project("../third_party/other").items() if "pkg/" not in name
    },
}


@pytest.mark.parametrize("folder", COPIES)
def test_what_nothing_makes_of_a_copied_library_is_presumed(tmp_path: Path, folder: str) -> None:
    layer, used = (one.split(": ", 1)[1] for one in heat_below(tmp_path, project(folder)))
    why = "Layer.forward runs on every call of the module"
    assert layer == f"presumed: {why}, but by default nothing makes Layer"
    assert used == "step: Used.forward runs on every call of the module"


@pytest.mark.parametrize("name", OWN)
def test_what_nothing_makes_of_a_library_is_for_its_users(tmp_path: Path, name: str) -> None:
    assert [one.split(": ")[1] for one in heat_below(tmp_path, OWN[name])] == ["step", "step"]


def test_a_copy_that_comes_to_need_the_rest_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    write(folder, project("libs/other", more="def f():\n    pass\n"))
    said(folder, tmp_path / "cache")
    write(folder, {"pkg/libs/other/more.py": "def f():\n    from pkg.user import used\n"})
    assert said(folder, tmp_path / "cache") == said(folder)
