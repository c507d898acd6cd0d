"""The extension modules of this package: their sources, and what tells one binary from another."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from overhead_lint.native.toolchain import torch_build

__all__ = ["Extension", "all_packaged", "digest", "host", "packaged"]

_HERE = Path(__file__).parent
_SOURCE_SUFFIXES = {".cpp", ".h"}


@dataclass(frozen=True, slots=True)
class Extension:
    """Sources of one extension module.

    Attributes:
        name: the module's name, an identifier.
        directory: where its sources lie; ``unit.cpp`` in it includes the others. One
            translation unit, since reading torch's headers is most of the time it takes.
    """

    name: str
    directory: Path

    def sources(self) -> tuple[Path, ...]:
        """All files that the binary depends on, in a fixed order."""
        return tuple(sorted(path for path in self.directory.iterdir() if path.suffix in _SOURCE_SUFFIXES))


def packaged(name: str) -> Extension:
    """An extension whose sources come with this package, by the name of their directory."""
    return Extension(name, _HERE / name)


def all_packaged() -> tuple[Extension, ...]:
    """All extensions of this package, by name: the directories in it that have a ``unit.cpp``."""
    return tuple(packaged(unit.parent.name) for unit in sorted(_HERE.glob("*/unit.cpp")))


def host() -> str:
    """What a binary runs with: this torch build and this Python."""
    return f"{torch_build()}\n{sysconfig.get_config_var('SOABI') or sys.version}"


def digest(extension: Extension, environment: str) -> str:
    """Return what tells a binary of these sources from others.

    Args:
        extension: whose sources count.
        environment: what else it depends on.
    """
    found = hashlib.sha256(environment.encode())
    for path in extension.sources():
        found.update(f"\0{path.name}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
