"""Values of options of ``overhead-lint check`` that argparse cannot read alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overhead_lint.config.setting_keys import wrong
from overhead_lint.config.settings import SettingsFile

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["codes_of", "patterns", "reason", "with_reason"]


def with_reason(arguments: Sequence[str]) -> list[str]:
    """Arguments in which an ``--add-ignore`` without a reason does not take a path for one."""
    done: list[str] = []
    for number, argument in enumerate(arguments):
        if argument == "--":
            return [*done, *arguments[number:]]
        alone = argument == "--add-ignore" and _is_path("".join(arguments[number + 1 : number + 2]))
        done.append("--add-ignore=" if alone else argument)
    return done


def _is_path(text: str) -> bool:
    """Whether it is a path, or a misspelled one: as a reason it would be written beside all findings."""
    return os.path.lexists(text) or (" " not in text and text.endswith((".py", ".ipynb", "/", os.sep)))


def patterns(found: argparse.Namespace, parser: argparse.ArgumentParser) -> SettingsFile:
    """What the command line says of files by patterns, as a file in the current folder would say it."""
    values: dict[str, Any] = {}
    if found.exclude:
        values["exclude"] = found.exclude
    for entry in found.per_file_ignores:
        pattern, _, codes = entry.rpartition(":")
        if not pattern or not codes_of([codes]):
            parser.error(f"--per-file-ignores takes PATTERN:CODES, as in 'tools/*.py:OVH4', not {entry!r}")
        by_pattern = values.setdefault("per-file-ignores", {})
        by_pattern[pattern] = [*by_pattern.get(pattern, ()), *codes_of([codes])]
    checked = {**values, "target-torch": found.target_torch} if found.target_torch is not None else values
    for key, value in checked.items():
        complaint, _ = wrong(key, value)
        if complaint:
            parser.error(complaint if complaint.startswith(key) else f"--{key}: {complaint}")
    return SettingsFile(Path.cwd() / "command line", values)


def reason(found: argparse.Namespace, parser: argparse.ArgumentParser) -> str | None:
    """The reason that ``--add-ignore`` is to write, "" for none; None without it."""
    if found.add_ignore is None:
        return None
    if found.diff or found.fix_only:
        other = "--diff" if found.diff else "--fix-only"
        parser.error(f"argument --add-ignore: not allowed with argument {other}")
    reason = str(found.add_ignore).strip()
    if reason and ("#" in reason or not reason.isprintable()):
        parser.error("--add-ignore takes a reason: one line without a #")
    if found.baseline or found.write_baseline:
        parser.error("--add-ignore silences what a baseline would hold: give one of them")
    return reason


def codes_of(entries: Sequence[str]) -> tuple[str, ...]:
    """Codes given with commas, spaces, or the option repeated."""
    return tuple(code for entry in entries for code in entry.replace(",", " ").split())
