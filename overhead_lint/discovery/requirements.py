"""Which packages a project declares as dependencies: those that it requires, and those that are optional.

Metadata are read as data: nothing is run. Where a list of requirements is computed, as set-up scripts may,
nothing is known of the project's dependencies, and no package is called undeclared.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.config.run_settings import DeclaredPackages
from overhead_lint.discovery.metadata import is_distribution, parsed_toml, table, text_of
from overhead_lint.discovery.torch_pin import TorchBelow, required_torch
from overhead_lint.rule import Declaration
from overhead_lint.support.existence import exists

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from overhead_lint.config.run_settings import Settings

__all__ = ["declaration_of", "declared_packages", "with_packages"]

_NAME: Final = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_SEPARATORS: Final = re.compile(r"[-_.]+")
_DISTRIBUTIONS: Final = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "crypto": "pycryptodome",
    "cv2": "opencv-python",
    "fitz": "pymupdf",
    "git": "gitpython",
    "google": "protobuf",
    "jwt": "pyjwt",
    "mpl-toolkits": "matplotlib",
    "openssl": "pyopenssl",
    "pil": "pillow",
    "pkg-resources": "setuptools",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
"""Distributions whose names do not hold that of the package which they install, by the latter."""
_MARKERS_OF_EXTRAS: Final = re.compile(r"\bextra\s*==")


def with_packages(settings: Settings, root: Path | None) -> Settings:
    """Return settings of a run with the dependencies that the project of a folder declares, and its torch."""
    _distribution_folder.cache_clear()
    declared_packages.cache_clear()
    if root is None:
        return settings
    folder = _distribution_folder(root) or root
    return settings._replace(
        packages=declared_packages(folder),
        required_torch=required_torch(folder),
        torch_below=TorchBelow(root),
    )


@cache
def _distribution_folder(folder: Path) -> Path | None:
    """The nearest folder, upward, of a distribution, in the checkout that a folder lies in."""
    for above in (folder, *folder.parents):
        if is_distribution(above):
            return above
        if exists(above / ".git"):
            break
    return None


@cache
def declared_packages(folder: Path) -> DeclaredPackages | None:
    """Return what the metadata in the folder of a project declare; None where nothing does, or code decides.

    Without metadata the requirements files for pip count.
    """
    if not is_distribution(folder):
        found = text_of(folder / "requirements.txt").splitlines()
        return _packed("", found, []) if found else None
    for read in (_of_pyproject, _of_setup_cfg, _of_setup_py):
        packages = read(folder)
        if packages is not None:
            return packages
    return None


def declaration_of(package: str, path: Path, packages: DeclaredPackages | None) -> Declaration:
    """Return what a project declares of a package that one of its files imports.

    Args:
        package: the first part of the module's dotted name.
        path: the file.
        packages: what the project declares.
    """
    folder = path.absolute().parent
    own = _distribution_folder(folder)
    if package in sys.stdlib_module_names or _lies_beside(package, folder, own):
        return Declaration.REQUIRED
    if packages is None or (own is not None and declared_packages(own) != packages):
        return Declaration.UNKNOWN  # a distribution inside of the project has dependencies of its own
    name = _normalised(package)
    if _is_named(name, (packages.name, *packages.required)):
        return Declaration.REQUIRED
    return Declaration.OPTIONAL if _is_named(name, packages.optional) else Declaration.UNDECLARED


def _lies_beside(package: str, folder: Path, top: Path | None) -> bool:
    """Whether a module of this name is a part of the project that a folder belongs to."""
    for above in (folder, *folder.parents):
        for place in (above, above / "src"):
            if exists(place / package) or exists(place / f"{package}.py"):
                return True
        if above == top or exists(above / ".git"):
            break
    return False


def _is_named(package: str, distributions: Iterable[str]) -> bool:
    """Whether one of some distributions may install a package: few have names that do not hold its name."""
    known = _DISTRIBUTIONS.get(package, package)
    return any(f"-{known}-" in f"-{one}-" or one.startswith(f"{known}-") for one in distributions)


def _normalised(name: str) -> str:
    return _SEPARATORS.sub("-", name).lower()


def _packed(name: str, required: Sequence[object], optional: Iterable[object]) -> DeclaredPackages:
    by_marker = [one for one in required if isinstance(one, str) and _MARKERS_OF_EXTRAS.search(one)]
    needed = _names(one for one in required if one not in by_marker)
    return DeclaredPackages(_normalised(name), needed, _names([*optional, *by_marker]))


def _names(requirements: Iterable[object]) -> tuple[str, ...]:
    found = (_NAME.match(one) for one in requirements if isinstance(one, str))
    return tuple(sorted({_normalised(match[1]) for match in found if match}))


def _of_pyproject(folder: Path) -> DeclaredPackages | None:
    """What PEP 621 or the tables of Poetry declare."""
    content = parsed_toml(text_of(folder / "pyproject.toml"))
    project, poetry = table(content, "project"), table(content, "tool", "poetry")
    optional = [one for group in table(content, "dependency-groups").values() for one in _list(group)]
    optional += [one for extra in table(project, "optional-dependencies").values() for one in _list(extra)]
    of_poetry = table(poetry, "dependencies")
    optional += [one for group in table(poetry, "group").values() for one in table(group, "dependencies")]
    optional += [key for key, value in of_poetry.items() if table(value).get("optional") is True]
    required = [key for key in of_poetry if key not in optional and key != "python"]
    if "dependencies" in project:
        required += _list(project["dependencies"])
    elif not of_poetry:
        return None
    name = project.get("name") or poetry.get("name")
    return _packed(name if isinstance(name, str) else "", required, optional)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _of_setup_cfg(folder: Path) -> DeclaredPackages | None:
    from configparser import ConfigParser, Error  # rare

    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(text_of(folder / "setup.cfg"))
    except Error:
        return None
    required = parser.get("options", "install_requires", fallback=None)
    if required is None or required.lstrip().startswith("file:"):
        return None
    extras = parser.items("options.extras_require") if parser.has_section("options.extras_require") else []
    optional = [line for _, text in extras for line in text.splitlines()]
    return _packed(parser.get("metadata", "name", fallback=""), required.splitlines(), optional)


def _of_setup_py(folder: Path) -> DeclaredPackages | None:
    """What a call of ``setup`` lists in so many words."""
    try:
        tree = ast.parse(text_of(folder / "setup.py"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in calls:
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        required = given.get("install_requires")
        if isinstance(required, ast.List) and all(isinstance(one, ast.Constant) for one in required.elts):
            extras = given.get("extras_require")
            lists = extras.values if isinstance(extras, ast.Dict) else []
            optional = [text for one in lists for text in _texts(one)]
            name = given.get("name")
            named = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
            return _packed(named, list(_texts(required)), optional)
    return None


def _texts(node: ast.expr) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
