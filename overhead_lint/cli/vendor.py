"""``overhead-lint vendor PATH``: copies the runtime into a package, which then needs no linter to run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from overhead_lint._version import __version__
from overhead_lint.cli.parser import Parser
from overhead_lint.discovery.runtime_access import COPY_MARK, is_copy
from overhead_lint.errors import Complaint
from overhead_lint.support import atomic

__all__ = ["run"]

_HEADER = f"""\
{COPY_MARK} from overhead-lint {__version__}. Do not edit: run the command again.
# SPDX-License-Identifier: Apache-2.0 (https://www.apache.org/licenses/LICENSE-2.0)
# overhead: ignore-file
# overhead: ignore-file[OVH001]

"""


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0 when the copy is made or current, 1 when ``--check`` finds that it isn't.

    Raises:
        Complaint: the path cannot hold a copy, or cannot be written.
    """
    found = _parser().parse_args(arguments)
    try:
        _check_place(found.path, found.check)
        wanted = _wanted()
        if found.check:
            return _report(found.path, wanted)
        _write(found.path, wanted)
    except OSError as error:
        raise Complaint(f"{error.filename or found.path}: {error.strerror}") from error
    print(f"{found.path}: runtime of overhead-lint {__version__}, {len(wanted)} files")
    return 0


def _wanted() -> dict[Path, bytes]:
    """Return the files of a copy, by their path in it.

    Raises:
        Complaint: the runtime is not installed.
    """
    spec = find_spec("overhead_runtime")  # which does not import it, and so not torch
    if spec is None or spec.origin is None:
        raise Complaint("overhead_runtime: is not installed; run: pip install overhead-runtime")
    runtime, header = Path(spec.origin).parent, _HEADER.encode()
    packages = sorted(init.parent for init in (runtime / "__init__.py", *runtime.glob("*/__init__.py")))
    files = [path for package in packages for path in sorted(package.glob("*.py"))]
    return {path.relative_to(runtime): header + path.read_bytes() for path in files}


def _check_place(path: Path, check: bool) -> None:
    if not path.name.isidentifier() or iskeyword(path.name):
        raise Complaint(f"{path}: {path.name!r} is no name that Python can import")
    if not path.parent.is_dir():
        raise Complaint(f"{path}: no such directory: {path.parent}")
    if path.exists() and not path.is_dir():
        raise Complaint(f"{path}: is a file; give the directory that the copy goes to")
    if not check and path.is_dir() and any(path.iterdir()) and not is_copy(path / "__init__.py"):
        raise Complaint(f"{path}: holds something else than a copy of the runtime; give another directory")


def _stale(path: Path, wanted: dict[Path, bytes]) -> list[Path]:
    """Files that an older version had."""
    if not path.is_dir():
        return []
    present = [file.relative_to(path) for file in sorted(path.rglob("*.py"))]
    return [file for file in present if file not in wanted and is_copy(path / file)]


def _report(path: Path, wanted: dict[Path, bytes]) -> int:
    if not any(is_copy(path / file) for file in wanted):
        print(f"{path}: holds no copy; run: overhead-lint vendor {path}")
        return 1
    problems = [f"{path / file}: differs" for file in wanted if _differs(path / file, wanted[file])]
    problems += [f"{path / file}: no longer part of the runtime" for file in _stale(path, wanted)]
    for problem in problems:
        print(problem)
    if problems:
        print(f"{path}: not current; run: overhead-lint vendor {path}")
        return 1
    print(f"{path}: current, overhead-lint {__version__}")
    return 0


def _differs(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() != content
    except FileNotFoundError:
        return True


def _write(path: Path, wanted: dict[Path, bytes]) -> None:
    for file, content in wanted.items():
        if _differs(path / file, content):
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            atomic.write(path / file, content)
    for file in _stale(path, wanted):
        (path / file).unlink()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint vendor",
        description="Copy the runtime APIs into a package, so that it does not depend on a linter.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "path", type=Path, metavar="PATH", help="directory of the copy, such as src/pkg/_overhead"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; tell whether it is current")
    return parser
