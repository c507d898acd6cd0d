"""Which releases of torch a project requires, by the files that list what it needs."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.config.run_settings import RequiredTorch
from overhead_lint.discovery.metadata import parsed_toml, table, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["REQUIREMENT_FILES", "TorchBelow", "releases_of", "required_torch"]

_REQUIREMENT: Final = re.compile(
    r"\s*(?:[\w-]+::)?(?:py)?torch\s*(?:\[[^\]]*\])?\s*\(?\s*([<>=!~^\d][^;#)]*)?(?:[;#)]|$)"
)
_BOUND: Final = re.compile(r"(===|==|~=|>=|<=|!=|>|<|=|\^|~)?\s*v?(\d+)(?:\.(\d+))?[\w.*+]*")
_EXACT: Final = frozenset({"", "<=", "=", "==", "==="})
_LOWER: Final = frozenset({"", "=", "==", "===", "^", "~", "~=", ">", ">="})
_LIST_ITEM: Final = re.compile(r"\s*-\s*(?:pip\s*:)?\s*['\"]?([^'\"]*)")
_REQUIREMENTS: Final = (
    "requirements.txt",
    *(f"requirements/{name}.txt" for name in ("base", "main", "runtime")),
)
_YAML: Final = (
    *("environment.yml", "environment.yaml", "conda.yml", "conda.yaml"),
    *("conda/meta.yaml", "conda/recipe/meta.yaml", "conda.recipe/meta.yaml", "recipe/meta.yaml"),
    "cog.yaml",
)
REQUIREMENT_FILES: Final = frozenset(
    name.rpartition("/")[2] for name in ("pyproject.toml", "setup.cfg", "setup.py", *_REQUIREMENTS, *_YAML)
)
"""Names of the files that may say it, whatever folder they are asked for from."""
_Release = tuple[int, int]


def required_torch(folder: Path) -> RequiredTorch:
    """Return the releases of torch that the project in a folder requires.

    The first file that says it counts, metadata before lists for pip, conda and Cog; of several requirements
    in it the widest.

    Args:
        folder: where these files are.
    """
    for requirements in _listed(folder):
        found = [releases for one in requirements if (releases := releases_of(one)) != RequiredTorch()]
        if found:
            oldest, newest = ([getattr(one, name) for one in found] for name in RequiredTorch._fields)
            return RequiredTorch(
                min(oldest) if None not in oldest else None, max(newest) if None not in newest else None
            )
    return RequiredTorch()


class TorchBelow:
    """Finds what folders below that of a project require: programs there may have environments of their own.

    Args:
        root: the project's folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        self._known: dict[Path, RequiredTorch | None] = {}

    def __repr__(self) -> str:
        """Return what does not say where the project lies: caches go by it."""
        return "TorchBelow()"

    def __call__(self, path: Path) -> RequiredTorch | None:
        """Return what the nearest folder below the project's requires; None where none around a file does."""
        folder = Path(os.path.normpath(path.absolute())).parent
        return self._around(folder) if folder.is_relative_to(self._root) else None

    def _around(self, folder: Path) -> RequiredTorch | None:
        if folder == self._root:
            return None
        if folder not in self._known:
            own = required_torch(folder)
            self._known[folder] = own if own != RequiredTorch() else self._around(folder.parent)
        return self._known[folder]


def releases_of(requirement: str) -> RequiredTorch:
    """Return the releases that a requirement of torch takes: any for one of something else.

    Args:
        requirement: as metadata, pip, conda or Poetry have it: ``torch>=2.1,<3``, ``pytorch=2.3``.
    """
    match = _REQUIREMENT.match(requirement)
    if match is None or not match[1]:
        return RequiredTorch()
    found = _BOUND.findall(match[1])
    bounds = [(sign, int(major), int(minor or 0), bool(minor)) for sign, major, minor in found]
    lower = [(major, minor) for sign, major, minor, _ in bounds if sign in _LOWER]
    upper = [newest for one in bounds if (newest := _newest(*one)) is not None]
    return RequiredTorch(max(lower, default=None), min(upper, default=None))


def _newest(sign: str, major: int, minor: int, has_minor: bool) -> _Release | None:
    """The newest release that a bound takes; None where it sets none, or how many 1.x there were matters."""
    if sign == "<":
        return (major, minor - 1) if minor else None
    return (major, minor) if sign in _EXACT and has_minor else None


def _listed(folder: Path) -> Iterator[Iterable[str]]:
    """What each file lists, as requirements."""
    yield _of_pyproject(parsed_toml(text_of(folder / "pyproject.toml")))
    yield text_of(folder / "setup.cfg").splitlines()
    yield _of_setup_py(text_of(folder / "setup.py"))
    for name in _REQUIREMENTS:
        yield text_of(folder / name).splitlines()
    for name in _YAML:
        lines = map(_LIST_ITEM.match, text_of(folder / name).splitlines())
        yield [line[1] for line in lines if line is not None]


def _of_pyproject(content: Mapping[str, Any]) -> Iterator[str]:
    project, poetry = table(content, "project"), table(content, "tool", "poetry")
    lists = [project.get("dependencies"), *table(project, "optional-dependencies").values()]
    lists += table(content, "dependency-groups").values()
    for one in lists:
        yield from (text for text in (one if isinstance(one, list) else ()) if isinstance(text, str))
    version = table(poetry, "dependencies").get("torch")
    version = version.get("version") if isinstance(version, dict) else version
    if isinstance(version, str):
        yield f"torch {version}"


def _of_setup_py(text: str) -> Iterator[str]:
    """The texts of a set-up script, wherever they stand: lists of requirements are often built."""
    if "torch" not in text:
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
