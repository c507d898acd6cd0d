"""Settings from files: ``overhead-lint.toml`` and ``[tool.overhead-lint]`` of ``pyproject.toml``."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.rule import Heat

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["HEATS", "SettingsError", "SettingsFile", "find", "read"]

OWN: Final = "overhead-lint.toml"
SHARED: Final = "pyproject.toml"
HEATS: Final = tuple(heat.label for heat in Heat if heat > Heat.COLD)
_LISTS: Final = ("select", "extend-select", "ignore")
_KEYS: Final = (*_LISTS, "per-file-ignores", "exclude", "min-heat", "runtime-module")


class SettingsError(Exception):
    """A settings file that cannot be used; the message names it and the line, in one line."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file whose keys and types were found right.

    Attributes:
        path: the file.
        values: what it sets, by key as spelled in the file.
    """

    path: Path
    values: Mapping[str, Any]
    _text: str = field(default="", repr=False)

    def codes(self) -> list[tuple[str, str]]:
        """All codes and prefixes in it, each with its place as ``FILE:LINE``."""
        entries = [(key, code) for key in _LISTS for code in self.values.get(key, ())]
        for pattern, codes in self.values.get("per-file-ignores", {}).items():
            entries += [(pattern, code) for code in codes]
        return [(code, f"{self.path}:{_line(self._text, key, code)}") for key, code in entries]

    def excludes(self, path: Path) -> bool:
        """Whether a pattern of ``exclude`` fits a file or a folder above it."""
        return self._fits(path, self.values.get("exclude", ()))

    def ignored(self, path: Path) -> tuple[str, ...]:
        """Codes and prefixes that ``per-file-ignores`` leaves out in a file."""
        by_pattern = self.values.get("per-file-ignores", {})
        return tuple(
            code for pattern in by_pattern if self._fits(path, (pattern,)) for code in by_pattern[pattern]
        )

    def _fits(self, path: Path, patterns: Sequence[str]) -> bool:
        """Whether a path fits a pattern as in ``.gitignore``, below the folder of this file."""
        folder, absolute = self.path.absolute().parent, Path(os.path.normpath(path.absolute()))
        if not patterns or not absolute.is_relative_to(folder):
            return False
        return _spec(tuple(patterns)).match_file(absolute.relative_to(folder).as_posix())


def find(paths: Sequence[Path]) -> SettingsFile | None:
    """The nearest settings file at or above the folder that holds all of `paths`.

    In one folder ``overhead-lint.toml`` wins; a ``pyproject.toml`` without our table is passed over.

    Raises:
        SettingsError: the file cannot be used.
    """
    for folder in _upward(paths):
        for name in (OWN, SHARED):
            path = folder / name
            if path.is_file():
                found = read(path)
                if found is not None:
                    return found
    return None


def read(path: Path) -> SettingsFile | None:
    """The settings in a file; None if it is a ``pyproject.toml`` without our table.

    Raises:
        SettingsError: it cannot be read, is no TOML, or holds an unknown key or a wrong value.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: is not UTF-8") from error
    if path.name == SHARED and "overhead-lint" not in text:
        return None
    content = _parse(path, text)
    if path.name == SHARED:
        tool = content.get("tool", {})
        if not isinstance(tool, dict) or "overhead-lint" not in tool:
            return None
        content = tool["overhead-lint"]
        if not isinstance(content, dict):
            raise SettingsError(f"{path}:{_line(text, 'overhead-lint')}: tool.overhead-lint takes a table")
    for key, value in content.items():
        wrong = _wrong(key, value)
        if wrong:
            raise SettingsError(f"{path}:{_line(text, key)}: {wrong}")
    return SettingsFile(path, content, text)


@cache
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # costs start-up

    return GitIgnoreSpec.from_lines(patterns)


def _parse(path: Path, text: str) -> dict[str, Any]:
    # Imported here: only runs with a settings file pay for it.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        content: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = at[1] if at else max(1, len(text.splitlines()))
        raise SettingsError(f"{path}:{line}: is not TOML: {error}") from error
    except RecursionError as error:
        raise SettingsError(f"{path}: is nested too deeply to be read") from error
    return content


def _upward(paths: Sequence[Path]) -> tuple[Path, ...]:
    try:
        common = Path(os.path.commonpath([path.absolute() for path in paths]))
    except ValueError:  # no paths, or paths on several drives
        common = Path.cwd()
    common = Path(os.path.normpath(common))
    return (common, *common.parents) if common.is_dir() else tuple(common.parents)


def _wrong(key: str, value: object) -> str:
    """What is wrong with a key or its value; "" if nothing is."""
    if key not in _KEYS:
        return f"unknown setting {key!r}: {_nearest(key, _KEYS)}"
    if key == "exclude":
        return _wrong_patterns(
            value if _is_words(value) else None, f"exclude takes a list of patterns, not {value!r}"
        )
    if key == "per-file-ignores":
        fits = isinstance(value, dict) and all(_is_words(codes) for codes in value.values())
        example = '{"tools/*.py" = ["OVH4"]}'
        complaint = f"{key} takes a table of patterns with lists of codes, as in {example}, not {value!r}"
        return _wrong_patterns(value if fits else None, complaint)
    if key in _LISTS:
        return (
            "" if _is_words(value) else f"{key} takes a list of codes, as in {key} = ['OVH1'], not {value!r}"
        )
    if not isinstance(value, str):
        return f"{key} takes a string, not {value!r}"
    if key == "min-heat" and value not in HEATS:
        return f"unknown heat {value!r}: {_nearest(value, HEATS)}"
    if key == "runtime-module" and not all(part.isidentifier() for part in value.split(".")):
        return f"runtime-module takes a dotted module, as in 'pkg._overhead', not {value!r}"
    return ""


def _is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def _wrong_patterns(patterns: Any, complaint: str) -> str:
    if patterns is None:
        return complaint
    for pattern in patterns:
        try:
            _spec((pattern,))
        except ValueError:  # pathspec's error for a pattern derives from it
            return f"{pattern!r} is no pattern as in .gitignore"
    return ""


def _nearest(word: str, words: Sequence[str]) -> str:
    near = difflib.get_close_matches(word.lower().replace("_", "-"), words, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(words)}"


def _line(text: str, key: str, value: str = "") -> int:
    """Line of a key, or of a value at or below it: the parser gives no positions."""
    lines = text.splitlines()
    headers = (number for number, line in enumerate(lines) if re.match(r"\s*\[.*overhead-lint", line))
    table = next(headers, 0)
    spelled = re.compile(rf"""[^#]*(?<![\w-])["']?{re.escape(key)}["']?\s*[=.\]]""")
    start = next((n for n in range(table, len(lines)) if spelled.match(lines[n])), table)
    if value:
        quoted = (f'"{value}"', f"'{value}'")
        start = next((n for n in range(start, len(lines)) if any(q in lines[n] for q in quoted)), start)
    return start + 1
