"""Which of our distributions the files that declare a project's dependencies name as one at run time.

What is named for development only, as linters are, is not there where the program runs.
They are read as data: nothing is run, and what cannot be read declares nothing. Of most files the bytes
are searched for the name, and that is all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from overhead_lint.discovery.metadata import data_of, parsed_toml, table
from overhead_lint.tuples import NamedTuple

__all__ = ["DECLARING", "declares"]

DECLARING: Final = (
    "setup.cfg",
    "setup.py",
    "requirements*.txt",
    "requirements/*.txt",
    "Pipfile",
    "environment*.yml",
)
"""What most projects declare dependencies in, besides ``pyproject.toml``, as patterns."""
_EDITABLE: Final = re.compile(r"\s*(?:-e|--editable)[\s=]+")
_INCLUDED: Final = re.compile(r"\s*(?:-r|--requirement)[\s=]+(\S+)")
_PLACE: Final = re.compile(r"[#&]subdirectory=(\S+)")
_DEVELOPMENT: Final = re.compile(
    r"(?:^|[-_. ])(?:dev|develop|development|tests?|testing|lint|linters?|linting|docs?|style|quality|ci"
    r"|checks?|format|typing|types)(?:$|[-_. ])",
    re.IGNORECASE,
)
"""In the names of extras, groups, environments and files: those who work on the project install them."""
_DEVELOPMENT_KEYWORDS: Final = ("tests_require", "setup_requires")


class _Wanted(NamedTuple):
    """How one distribution is named in each kind of file."""

    mentioned: re.Pattern[bytes]
    full: re.Pattern[str]
    requirement: re.Pattern[str]
    address: re.Pattern[str]
    """In the address of a repository or the path of a wheel, where a line of pip's gives no name."""
    conda: re.Pattern[str]

    def is_named(self, requirement: object) -> bool:
        """Whether a requirement, as metadata hold it, is one of this distribution."""
        return isinstance(requirement, str) and self.requirement.match(requirement) is not None

    def is_line(self, line: str) -> bool:
        """Whether a line for ``pip install -r`` asks for this distribution: by name, address or path."""
        asked = _EDITABLE.sub("", line)
        if self.is_named(asked):
            return True
        # The folder of another distribution in the repository may be asked for.
        place = _PLACE.search(asked)
        address = place[1] if place else asked
        return not asked.lstrip().startswith("-") and self.address.search(address) is not None

    def text(self, path: Path) -> str:
        """The text of a file that mentions the distribution; "" of others."""
        data = data_of(path)
        return data.decode("utf-8-sig", errors="replace") if self.mentioned.search(data) else ""


@cache
def _wanted(package: str) -> _Wanted:
    name = package.replace("_", "[-_.]+")
    return _Wanted(
        re.compile(name.encode(), re.IGNORECASE),
        re.compile(name, re.IGNORECASE),
        re.compile(rf"\s*{name}\s*(?:$|[\[(<>=!~;@\\]|--)", re.IGNORECASE),
        re.compile(rf"(?:^|[/\\]|egg=){name}(?:[-.@#&\[\s]|$)", re.IGNORECASE),
        re.compile(
            rf"^\s*-\s*['\"]?(?:[\w-]+::)?{name}\s*(?:$|[\[<>=!~;@#'\"\s])", re.IGNORECASE | re.MULTILINE
        ),
    )


def declares(folder: Path, package: str) -> bool:
    """Whether a file in a folder, or in its folder ``requirements``, names one as a dependency at run time.

    Also where the project is that distribution.

    Args:
        folder: where the files are.
        package: by which the distribution is imported; its name is the same but for the underscores.
    """
    wanted = _wanted(package)
    return any(reads(path, wanted) for reads, paths in _readers(folder) for path in paths)


def _readers(folder: Path) -> Iterator[tuple[Callable[[Path, _Wanted], bool], Iterable[Path]]]:
    """What reads each kind of file, and the files of that kind that may be there."""
    yield _pyproject, [folder / "pyproject.toml"]
    yield _requirements, _listed(folder, "requirements*.txt", "requirements*.in")
    yield _requirements, _listed(folder / "requirements", "*.txt", "*.in")
    yield _setup_cfg, [folder / "setup.cfg"]
    yield _setup_py, [folder / "setup.py"]
    yield _pipfile, [folder / "Pipfile"]
    yield _environment, _listed(folder, "environment*.yml", "environment*.yaml", "conda*.yml", "conda*.yaml")


def _listed(folder: Path, *patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        try:
            yield from (path for path in sorted(folder.glob(pattern)) if not _DEVELOPMENT.search(path.stem))
        except OSError:  # it may not be listed
            return


def _pyproject(path: Path, wanted: _Wanted) -> bool:
    """Whether PEP 621, dependency groups, or the tables of Poetry or Hatch name it."""
    content = parsed_toml(wanted.text(path))
    project, tool = table(content, "project"), table(content, "tool")
    poetry = table(tool, "poetry")
    names = [project.get("name"), poetry.get("name")]
    if any(isinstance(name, str) and wanted.full.fullmatch(name) for name in names):
        return True
    keys = [table(poetry, "dependencies")]
    keys += [table(group, "dependencies") for group in _used(table(poetry, "group"))]
    if any(wanted.full.fullmatch(key) for table in keys for key in table):
        return True
    lists = [project.get("dependencies")]
    lists += _used(table(project, "optional-dependencies"))
    lists += _used(table(content, "dependency-groups"))
    for environment in _used(table(tool, "hatch", "envs")):
        found = table(environment)
        lists += [found.get("dependencies"), found.get("extra-dependencies")]
    return any(wanted.is_named(one) for each in lists if isinstance(each, list) for one in each)


def _used(groups: Mapping[str, Any]) -> list[Any]:
    """What groups hold that are not for development, as their names tell."""
    return [group for name, group in groups.items() if not _DEVELOPMENT.search(name)]


def _requirements(path: Path, wanted: _Wanted) -> bool:
    """Whether a file for ``pip install -r`` names it, or one that it takes in."""
    left, seen = [path], {path}
    while left:
        path = left.pop()
        for line in data_of(path).decode("utf-8-sig", errors="replace").splitlines():
            if wanted.is_line(re.sub(r"(^|\s)#.*", "", line)):
                return True
            included = _INCLUDED.match(line)
            if included and (other := path.parent / included[1]) not in seen:
                seen.add(other)
                left.append(other)
    return False


def _setup_cfg(path: Path, wanted: _Wanted) -> bool:
    from configparser import ConfigParser, Error  # rare

    text = wanted.text(path)
    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except Error:
        return False
    if wanted.full.fullmatch(parser.get("metadata", "name", fallback="")):
        return True
    lists = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        lists += _used(dict(parser.items("options.extras_require")))
    return any(wanted.is_named(one) for each in lists for one in re.split(r"[\n;]", each))


def _setup_py(path: Path, wanted: _Wanted) -> bool:
    """Whether a text in a set-up script is a requirement: none that stands alone, or is for development."""
    text = wanted.text(path)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    other = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    other |= {id(part) for node in _for_development(tree) for part in ast.walk(node)}
    return any(
        isinstance(node, ast.Constant)
        and id(node) not in other
        and isinstance(node.value, str)
        and any(map(wanted.is_named, node.value.splitlines()))
        for node in ast.walk(tree)
    )


def _for_development(tree: ast.Module) -> Iterator[ast.expr]:
    """What a set-up script gives under names of extras and keywords that are for development."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in _DEVELOPMENT_KEYWORDS:
            yield node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                name = key.value if isinstance(key, ast.Constant) else None
                if isinstance(name, str) and _DEVELOPMENT.search(name):
                    yield value


def _pipfile(path: Path, wanted: _Wanted) -> bool:
    return any(map(wanted.full.fullmatch, table(parsed_toml(wanted.text(path)), "packages")))


def _environment(path: Path, wanted: _Wanted) -> bool:
    """Whether an environment of conda lists it, among its packages or those of pip."""
    return wanted.conda.search(wanted.text(path)) is not None
