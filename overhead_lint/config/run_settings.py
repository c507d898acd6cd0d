"""What a run is set to do."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Protocol

from overhead_lint.rule import Heat
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "REPORTED_TORCH",
    "RUNTIME_MODULE",
    "TARGET_TORCH",
    "DeclaredPackages",
    "RequiredTorch",
    "RuntimeUse",
    "Settings",
    "TorchOf",
]

RUNTIME_MODULE = "overhead_lint.runtime"
TARGET_TORCH = (2, 4)
"""The oldest torch that fixes are written for, unless set: what it deprecates has a newer form."""
REPORTED_TORCH = (2, 15)
"""The torch whose behaviour is told, unless the oldest is set: the newest that the rules were tried with."""


class RuntimeUse(enum.Enum):
    """Where fixes may import the runtime."""

    WHERE_FOUND = "where found"
    """Where the project declares the dependency, or has a copy."""
    FROM_MODULE = "from module"
    """From the module that the settings name."""
    NEVER = "never"


class DeclaredPackages(NamedTuple):
    """The distributions that a project declares as dependencies, by their normalised names, sorted.

    Attributes:
        name: of the project itself; "" where nothing says.
        required: those that are installed with it.
        optional: those of extras and other groups.
    """

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...]


class RequiredTorch(NamedTuple):
    """The releases of torch that a project's requirements take, as (major, minor).

    Attributes:
        oldest: None where nothing says.
        newest: None where any later one is taken.
    """

    oldest: tuple[int, int] | None = None
    newest: tuple[int, int] | None = None


class TorchOf(Protocol):
    """Tells which releases of torch what lies around a file requires."""

    def __call__(self, path: Path) -> RequiredTorch | None:
        """Return what the nearest folder below the project's requires; None where none around it does."""


class Settings(NamedTuple):
    """Settings of a run.

    Attributes:
        select: codes, prefixes or ``ALL``; what runs.
        ignore: codes, prefixes or ``ALL``; what of that does not run after all.
        hot: dotted names and paths of functions that run in every step, whoever calls them.
        cold: the same, of those that never do.
        min_heat: the least heat at which rules that need heat report.
        fixable: codes, prefixes or ``ALL``; the rules whose fixes are applied and shown.
        unfixable: the same; of these, the rules whose fixes are not, unless a longer entry names them.
        preview: whether rules that are off by default run with a prefix or ``ALL``, too.
        runtime_module: dotted module that fixes import the runtime APIs from.
        runtime_use: where they may.
        target_torch: the oldest torch that the code runs with, as (major, minor), whose API rules ask for and
            whose behaviour they tell; None where nothing says.
        packages: the dependencies that the project declares; None where nothing says. No key sets them.
        required_torch: the releases that the project requires. No key sets them; `target_torch` is stronger.
        torch_below: what folders below that of the project require in place of it; None for nothing.
    """

    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    hot: tuple[str, ...] = ()
    cold: tuple[str, ...] = ()
    min_heat: Heat = Heat.STEP
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()
    preview: bool = False
    runtime_module: str = RUNTIME_MODULE
    runtime_use: RuntimeUse = RuntimeUse.WHERE_FOUND
    target_torch: tuple[int, int] | None = None
    packages: DeclaredPackages | None = None
    required_torch: RequiredTorch = RequiredTorch()
    torch_below: TorchOf | None = None

    def at(self, path: Path) -> Settings:
        """Return those for a file: its folder may require another torch than the project."""
        required = self.torch_below(path) if self.torch_below is not None else None
        return self if required is None else self._replace(required_torch=required)

    @property
    def oldest_torch(self) -> tuple[int, int]:
        """The oldest torch whose API may be asked for."""
        required = self.required_torch
        return self.target_torch or required.oldest or min(TARGET_TORCH, required.newest or TARGET_TORCH)

    @property
    def reported_torch(self) -> tuple[int, int]:
        """The oldest torch whose behaviour is told."""
        return self.target_torch or min(REPORTED_TORCH, self.required_torch.newest or REPORTED_TORCH)

    @property
    def newest_torch(self) -> tuple[int, int] | None:
        """The newest torch that the code runs with; None for any later one, as where the oldest is set."""
        return None if self.target_torch else self.required_torch.newest
