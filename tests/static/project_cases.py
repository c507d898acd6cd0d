"""Heat across files: every place is a call of ``here()``; sources are given by path."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine.linter import Linter
from overhead_lint.project.facts import FileFacts
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.roots import shipped_options
from overhead_lint.workspace.workspace import Workspace


def workspace_of(folder: Path, *targets: files.Target) -> Workspace:
    """The project below a folder, without rules."""
    examiner = Examiner(lambda target: Linter([], Settings()))
    shipped = shipped_options(folder, None)
    return Workspace(folder, targets, others, lambda: examiner, shipped=shipped)


def others(root: Path) -> list[files.Target]:
    """The files of a project."""
    return [found for found in files.collect([root]) if isinstance(found, files.Target)]


def heat(folder: Path, sources: dict[str, str]) -> list[str]:
    """``file: heat: why`` of each ``here()``, in the order of the sources."""
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).strip("\n") + "\n", encoding="utf-8")
    workspace = workspace_of(folder)
    found = []
    for name in filter(lambda name: name.endswith(".py"), sources):
        path = folder / name
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module, _ = files.dotted_names(path, folder)
        facts = FileFacts(
            tree, name, module=module, warmths=workspace.warmths(path), told=workspace.told(path)
        )
        for node in facts.scan.by_class.get(ast.Call, ()):
            assert isinstance(node, ast.Call)
            if isinstance(node.func, ast.Name) and node.func.id == "here":
                warmth = facts.heat.warmth(node)
                found.append(f"{name}: {warmth.heat.label}: {warmth.why}")
    return found


def heat_below(folder: Path, sources: dict[str, str]) -> list[str]:
    """As `heat`, with files named from the folder in the reasons, too."""
    return [one.replace(f"{folder.as_posix()}/", "") for one in heat(folder, sources)]


def loop_over(call: str, head: str = "") -> str:
    """A training script with a call in its loop, which is on line 10."""
    lines = ["import torch", *head.splitlines(), *[""] * 8][:9]
    return "\n".join([*lines, "for batch in loader:", f"    {call}"]) + "\n"
