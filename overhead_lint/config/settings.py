"""Settings from files: ``overhead-lint.toml`` and ``[tool.overhead-lint]`` of ``pyproject.toml``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from overhead_lint.config.run_settings import RUNTIME_MODULE, RuntimeUse, Settings
from overhead_lint.config.setting_keys import CODES, EXTEND, KEYS, SETTINGS_FILES, leaves_out, wrong
from overhead_lint.errors import Complaint
from overhead_lint.rule import Heat
from overhead_lint.support.existence import is_file, is_folder, why_endless
from overhead_lint.tuples import NamedTuple

__all__ = [
    "OWN",
    "SHARED",
    "SettingsError",
    "SettingsFile",
    "common_folder",
    "effective",
    "extended",
    "find",
    "in_folder",
    "merged",
    "read",
    "upward",
    "wanted_packs",
]

OWN, SHARED = SETTINGS_FILES
_ADDED: Final = "extend-exclude"  # the key that does not take the place of the base's
_SELECTION: Final = ("select", "extend-select", "ignore")
_MISSPELLED: Final = ("overhead_lint", "overheadlint")  # names of tables that only this tool can be meant by
_RUNTIME_USES: Final = {None: RuntimeUse.WHERE_FOUND, False: RuntimeUse.NEVER}
_MOST_FILES: Final = 50  # that extend each other, one after the other


class SettingsError(Complaint):
    """A settings file that cannot be used; the message names it and the line."""


class SettingsFile(NamedTuple):
    """A settings file whose keys and types were found right.

    Attributes:
        path: the file.
        values: what it sets itself, by key as spelled in the file.
        base: the file that it extends.
        text: its content.
    """

    path: Path
    values: Mapping[str, Any]
    base: SettingsFile | None = None
    text: str = ""

    def files(self) -> tuple[SettingsFile, ...]:
        """It and those that it extends: the first that sets a key wins."""
        return (self, *(self.base.files() if self.base else ()))

    def setting(self, key: str) -> SettingsFile | None:
        """The file that sets a key; None if none does."""
        return next((file for file in self.files() if key in file.values), None)

    def codes(self) -> list[tuple[str, str]]:
        """All codes and prefixes in it, each with its place as ``FILE:LINE``."""
        found = []
        for file in self.files():
            entries = [(key, code) for key in CODES for code in file.values.get(key, ())]
            for pattern, codes in file.values.get("per-file-ignores", {}).items():
                entries += [(pattern, code) for code in codes]
            found += [(code, file.place(key, code)) for key, code in entries]
        return found

    def named_file(self, key: str) -> Path | None:
        """Return the file that a setting names, from the folder of the settings file; None if none does."""
        setting = self.setting(key)
        if setting is None:
            return None
        path = Path(os.path.normpath(setting.path.absolute().parent / setting.values[key]))
        return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path

    def place(self, key: str, value: str = "") -> str:
        """Where a key, or a value at or below it, stands, as ``FILE:LINE``."""
        return f"{self.path}:{_line(self.text, key, value)}"

    def may_exclude(self) -> bool:
        """Whether ``exclude`` or ``extend-exclude`` has a pattern."""
        setting = self.setting("exclude")
        return bool(setting and setting.values["exclude"]) or any(
            file.values.get("extend-exclude") for file in self.files()
        )

    def excludes(self, path: Path) -> bool:
        """Whether a pattern of ``exclude`` or ``extend-exclude`` fits a file or a folder above it."""
        setting = self.setting("exclude")
        return bool(setting and setting._fits(path, setting.values["exclude"])) or any(
            file._fits(path, file.values.get("extend-exclude", ())) for file in self.files()
        )

    def fits(self, key: str, path: Path, pattern: str) -> bool:
        """Whether a path fits a pattern of a setting, from the folder of the file that sets it."""
        setting = self.setting(key)
        return setting is not None and setting._fits(path, (pattern,))

    def ignored(self, path: Path) -> tuple[str, ...]:
        """Codes and prefixes that ``per-file-ignores`` leaves out in a file."""
        setting = self.setting("per-file-ignores")
        by_pattern = setting.values["per-file-ignores"] if setting else {}
        return tuple(
            code
            for pattern in by_pattern
            if setting and setting._fits(path, (pattern,))
            for code in by_pattern[pattern]
        )

    def _fits(self, path: Path, patterns: Sequence[str]) -> bool:
        """Whether a path fits a pattern as in ``.gitignore``, below the folder of this file."""
        folder, absolute = self.path.absolute().parent, Path(os.path.normpath(path.absolute()))
        if not patterns or not absolute.is_relative_to(folder):
            return False
        return leaves_out(tuple(patterns), absolute.relative_to(folder).as_posix())


def find(paths: Sequence[Path]) -> SettingsFile | None:
    """The nearest settings file at or above the folder that holds all of `paths`.

    Raises:
        SettingsError: the file cannot be used.
    """
    return next(upward(common_folder(paths) or Path.cwd()), None)


def upward(folder: Path) -> Iterator[SettingsFile]:
    """The settings files in a folder and above it, the nearest first.

    Raises:
        SettingsError: one cannot be used.
    """
    return filter(None, map(in_folder, (folder, *folder.parents)))


def in_folder(folder: Path) -> SettingsFile | None:
    """The settings file in a folder: ``overhead-lint.toml`` wins, a ``pyproject.toml`` needs our table.

    Raises:
        SettingsError: the file cannot be used.
    """
    for name in SETTINGS_FILES:
        path = folder / name
        # What has our name is meant for us, even where it is a folder or a link to nothing.
        if is_file(path) or (name == OWN and os.path.lexists(path)):
            found = read(path)
            if found is not None:
                return found
    return None


def common_folder(paths: Sequence[Path]) -> Path | None:
    """The folder that holds all of some paths; None where there are none, or they lie on several drives."""
    try:
        common = Path(os.path.normpath(os.path.commonpath([path.absolute() for path in paths])))
    except ValueError:
        return None
    return common if is_folder(common) else common.parent


def read(path: Path) -> SettingsFile | None:
    """The settings in a file and those it extends; None for a ``pyproject.toml`` without our table.

    Raises:
        SettingsError: it, or one that it extends, cannot be read, is no TOML, or holds an unknown key
            or a wrong value; files extend each other in a circle.
    """
    return _read(path, ())


def merged(
    file: SettingsFile | None, given: Mapping[str, Any] = MappingProxyType({})
) -> tuple[dict[str, Any], dict[str, str]]:
    """All settings by key, and where each comes from: given ones win over the file, the file over defaults.

    Args:
        file: a settings file, if there is one.
        given: values of the command line; empty ones do not count. A selection stands alone: rules that
            the file ignores run if it names them.
    """
    values = {key: entry.default for key, entry in KEYS.items()}
    origins = dict.fromkeys(values, "default")
    for key in values:
        setting = file.setting(key) if file else None
        if setting and not (given.get("select") and key in _SELECTION):
            value = setting.values[key]
            values[key] = tuple(value) if isinstance(value, list) else value
            origins[key] = str(setting.path)
        if given.get(key):
            adds = key == "extend-select" and values[key]
            values[key] = (*values[key], *given[key]) if adds else given[key]
            origins[key] = f"{origins[key]}, command line" if adds else "command line"
    adding = [one for one in (file.files() if file else ()) if one.values.get(_ADDED)]
    if adding:
        values[_ADDED] = tuple(pattern for one in adding for pattern in one.values[_ADDED])
        origins[_ADDED] = ", ".join(str(one.path) for one in adding)
    return values, origins


def wanted_packs(folder: Path) -> tuple[str, ...] | None:
    """Names of the rule packs that are loaded for what lies in a folder; None for all.

    Raises:
        SettingsError: the settings file cannot be used.
    """
    names: tuple[str, ...] | None = merged(find([folder]))[0]["rule-packs"]
    return names


def effective(values: Mapping[str, Any]) -> Settings:
    """What `merged` values set a run to do."""
    return Settings(
        select=(*values["select"], *values["extend-select"]),
        ignore=values["ignore"],
        hot=values["hot"],
        cold=values["cold"],
        min_heat=Heat[values["min-heat"].upper()],
        fixable=values["fixable"],
        unfixable=values["unfixable"],
        preview=values["preview"],
        runtime_module=values["runtime-module"] or RUNTIME_MODULE,
        runtime_use=_RUNTIME_USES.get(values["runtime-module"], RuntimeUse.FROM_MODULE),
        target_torch=_version(values["target-torch"]) if values["target-torch"] else None,
    )


def _version(text: str) -> tuple[int, int]:
    """``"2.4"``, which was found right, as numbers."""
    major, minor = text.split(".")
    return int(major), int(minor)


def _read(path: Path, above: tuple[Path, ...]) -> SettingsFile | None:
    text = _text(path)
    if path.name == SHARED and not any(name in text for name in ("overhead-lint", *_MISSPELLED)):
        return None
    content = _parse(path, text)
    if path.name == SHARED:
        tool = content.get("tool", {})
        for name in _MISSPELLED if isinstance(tool, dict) else ():
            if name in tool:
                place = f"{path}:{_line(text, name, header=name)}"
                hint = "did you mean [tool.overhead-lint]?"
                raise SettingsError(f"{place}: unknown table [tool.{name}]: {hint}")
        if not isinstance(tool, dict) or "overhead-lint" not in tool:
            return None
        content = tool["overhead-lint"]
        if not isinstance(content, dict):
            raise SettingsError(f"{path}:{_line(text, 'overhead-lint')}: tool.overhead-lint takes a table")
    for key, value in content.items():
        complaint, entry = wrong(key, value)
        if complaint:
            raise SettingsError(f"{path}:{_line(text, key, entry)}: {complaint}")
    own = {key: value for key, value in content.items() if key != EXTEND}
    base = _base(path, text, content[EXTEND], (*above, path)) if EXTEND in content else None
    return SettingsFile(path, own, base, text)


def extended(path: Path) -> Iterator[Path]:
    """The files that a settings file extends, one after the other, whether they can be used or not."""
    for _ in range(_MOST_FILES):
        try:
            text = _text(path)
            content = _parse(path, text) if EXTEND in text else {}
            if path.name == SHARED:
                content = content["tool"]["overhead-lint"]
            path = _target(path, content[EXTEND])
        except (LookupError, TypeError, ValueError, RuntimeError, SettingsError):
            return
        yield path


def _text(path: Path) -> str:
    """What a settings file holds.

    Raises:
        SettingsError: it cannot be read, or is not UTF-8.
    """
    if why := why_endless(path):
        raise SettingsError(f"{path}: cannot be read: {why}")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{path}:{line}: is not UTF-8") from error


def _target(path: Path, named: str) -> Path:
    """The file that another extends, named from its folder.

    Raises:
        RuntimeError: the name begins with the home folder of nobody.
    """
    return Path(os.path.normpath(path.parent / Path(named).expanduser()))


def _base(path: Path, text: str, named: str, above: tuple[Path, ...]) -> SettingsFile:
    """The file that another extends, named from its folder.

    Raises:
        SettingsError: it cannot be used, or the files extend each other in a circle.
    """
    place = f"{path}:{_line(text, EXTEND)}"
    if len(above) > _MOST_FILES:
        raise SettingsError(f"{place}: {len(above)} files extend each other: put them into fewer")
    try:
        target = _target(path, named)
    except RuntimeError as error:  # `~somebody`
        raise SettingsError(f"{place}: extends {named}: {error}") from error
    if not is_file(target):
        raise SettingsError(f"{place}: extends {named}: no such file")
    if any(os.path.realpath(target) == os.path.realpath(one) for one in above):
        raise SettingsError(f"{place}: {named} extends this file in turn")
    base = _read(target, above)
    if base is None:
        raise SettingsError(f"{place}: extends {named}: it has no table [tool.overhead-lint]")
    return base


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
    except ValueError as error:  # a number of more digits than Python converts
        raise SettingsError(f"{path}: holds a number that is too long to be read") from error
    return content


def _line(text: str, key: str, value: str = "", header: str = "overhead-lint") -> int:
    """Line of a key, or of a value at or below it: the parser gives no positions."""
    lines = text.splitlines()
    headers = (number for number, line in enumerate(lines) if re.match(rf"\s*\[.*{header}", line))
    table = next(headers, 0)
    spelled = re.compile(rf"""[^#]*(?<![\w-])["']?{re.escape(key)}["']?\s*[=.\]]""")
    start = next((n for n in range(table, len(lines)) if spelled.match(lines[n])), table)
    if value:
        quoted = (f'"{value}"', f"'{value}'")
        start = next((n for n in range(start, len(lines)) if any(q in lines[n] for q in quoted)), start)
    return start + 1
