"""A project that is edited: what is found of it with a cache, and without one."""

from __future__ import annotations

from pathlib import Path

from project_cases import others

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

LINTER = Linter(packs.select(packs.load(), ["ALL"], []), Settings())


def write(folder: Path, texts: dict[str, str]) -> None:
    """Write files."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def said(folder: Path, cache: Path | None = None, checked: str = "") -> dict[str, object]:
    """The findings of a project, or of one file of it, with the heat of all functions of checked files."""
    files.forget()
    targets = [one for one in others(folder) if one.text.endswith(checked)]
    kept = Cache(cache, f"key {checked}") if cache is not None else None
    workspace = Workspace(folder, targets, others, lambda: Examiner(lambda target: LINTER), cache=kept)
    found: dict[str, object] = {}
    for target in targets:
        shown = [(one.span, one.code, one.warmth) for one in workspace.findings(target)]
        heat = sorted((workspace.warmths(target.path) or {}).items())
        found[target.path.name] = shown, heat, workspace.told(target.path)
    workspace.save()
    return found
