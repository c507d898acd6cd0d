"""Modules that ask another of their project for a name that it does not have are never run."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from project_cases import heat, others

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.project.facts import FileFacts
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

LINTER = Linter(packs.select(packs.load(), ["ALL"], []), Settings())
_NET = """
from torch import nn
{head}

class Net(nn.Module):
    def forward(self, x, loader=()):
        for batch in loader:
            self(batch).backward()
            here()
        here()
        return x.item()
"""
_TOOLS = "Known = 3\ndef work(x): return x\nclass Tool: pass\n"


def heat_of(folder: Path, head: str, tools: str) -> list[str]:
    """The heat of the module, by its head and what another one of its package has."""
    sources = {"pkg/__init__.py": "", "pkg/tools.py": tools, "pkg/net.py": _NET.format(head=head)}
    return heat(folder, sources)


BROKEN = {
    "a relative import": ("from .tools import Gone", _TOOLS),
    "an absolute import": ("from pkg.tools import Known, Gone as Here", _TOOLS),
    "among others": ("from .tools import work, Tool, Known, Gone", _TOOLS),
    "what a function calls so": ("from .tools import Gone", "def work():\n    Gone = 1\n    return Gone"),
    "an attribute": ("from .tools import Gone", "class Tool:\n    Gone = 1"),
    "of nothing": ("from .tools import Gone", ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_imported_never_runs(tmp_path: Path, name: str) -> None:
    assert (
        heat_of(tmp_path, *BROKEN[name])
        == ["pkg/net.py: cold: cannot be imported: pkg.tools has no Gone"] * 2
    )


WHOLE = {
    "nothing is missing": ("from .tools import work, Tool, Known", _TOOLS),
    "it may fail": ("try:\n    from .tools import Gone\nexcept ImportError:\n    Gone = None", _TOOLS),
    "types alone": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .tools import Gone",
        _TOOLS,
    ),
    "within a function": ("def late():\n    from .tools import Gone", _TOOLS),
    "a star": ("from .tools import *", _TOOLS),
    "defined in a branch": ("from .tools import Gone", "if fast:\n    Gone = 1\nelse:\n    def Gone(): pass"),
    "imported": ("from .tools import Gone", "try:\n    from fast import Gone\nexcept ImportError: pass"),
    "given by a loop": ("from .tools import Gone", "for Gone in range(3): pass"),
    "taken apart": ("from .tools import Gone", "Here, (There, Gone) = made()"),
    "set by a function": ("from .tools import Gone", "def start():\n    global Gone\n    Gone = 1"),
    "another star": ("from .tools import Gone", "from fast import *"),
    "names that are asked for": ("from .tools import Gone", "def __getattr__(name): return name"),
    "names that are made": ("from .tools import Gone", "globals().update(made())"),
    "a module that is replaced": ("from .tools import Gone", "import sys\nsys.modules[__name__] = made()"),
    "another module of a package": ("from .other import Gone", ""),
    "a module of a package": ("from . import tools, Gone", ""),
    "a module of another project": ("from elsewhere.tools import Gone", ""),
}


@pytest.mark.parametrize("name", WHOLE)
def test_what_may_be_imported_runs(tmp_path: Path, name: str) -> None:
    assert [said.split(": ")[1] for said in heat_of(tmp_path, *WHOLE[name])] == ["loop", "loop"]


def test_a_package_that_lacks_a_name_is_no_module_that_cannot_be_imported(tmp_path: Path) -> None:
    net = _NET.format(head="from .tools import Gone")
    sources = {"pkg/__init__.py": "", "pkg/tools/__init__.py": "", "pkg/net.py": net}
    assert [said.split(": ")[1] for said in heat(tmp_path / "asked", sources)] == ["loop", "loop"]
    sources = {"pkg/tools.py": "", "pkg/__init__.py": net}
    assert [said.split(": ")[1] for said in heat(tmp_path / "asking", sources)] == ["loop", "loop"]


def test_what_a_package_takes_from_itself_another_file_may_have(tmp_path: Path) -> None:
    path = tmp_path / "pkg/__init__.py"
    text = _NET.format(head="from . import there")
    facts = FileFacts(ast.parse(text), str(path), module="pkg.part", is_package=True)
    assert [warmth.heat.label for warmth in facts.heat.functions.values()] == ["cold", "loop"]


def codes(folder: Path) -> list[str]:
    """What is found in the module, with what a run before has left."""
    files.forget()
    workspace = Workspace(
        folder,
        others(folder),
        others,
        lambda: Examiner(lambda target: LINTER),
        cache=Cache(folder / ".cache", "key"),
    )
    (target,) = (one for one in others(folder) if one.path.name == "net.py")
    found = [one.code for one in workspace.findings(target)]
    workspace.save()
    return found


def test_no_rule_speaks_there_until_an_edit_mends_it(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").touch()
    tools, net = tmp_path / "pkg/tools.py", tmp_path / "pkg/net.py"
    net.write_text(_NET.format(head="from .tools import work, Gone"), encoding="utf-8")
    for more in (
        "",
        "Gone = 1\n",
        "Other = 1\n",
        "def Gone(): pass\n",
        "",
        "class Gone: pass\n",
        "Other = 2\n",
    ):
        tools.write_text(_TOOLS + more, encoding="utf-8")
        assert bool(codes(tmp_path)) is ("Gone" in more), more
    net.write_text(_NET.format(head="from .tools import work"), encoding="utf-8")
    assert codes(tmp_path)
    net.write_text(_NET.format(head="from .tools import work, Gone"), encoding="utf-8")
    assert not codes(tmp_path)
