"""Whether the files of a project can import the runtime that fixes rewrite to, and what becomes of fixes.

A fix that imports the runtime is applied where the project has it: where its metadata or requirements name
the runtime's distribution, or the linter's, which brings it along; where it holds a copy that
``overhead-lint vendor`` made, or its settings name a module.
Elsewhere it would break the program, so that it is shown for what it is, or another one takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from overhead_lint.config.run_settings import RUNTIME_MODULE, RuntimeUse, Settings
from overhead_lint.discovery import dependencies, files
from overhead_lint.discovery.metadata import is_distribution
from overhead_lint.rule import Applicability, Finding, Fix, RuntimeNeed

__all__ = ["COPY_MARK", "RuntimeAccess", "is_copy"]

COPY_MARK: Final = "# Copied by `overhead-lint vendor`"
"""How each file of a copy of the runtime begins."""
_MODULES: Final = {"overhead_runtime": "overhead_runtime", "overhead_lint": RUNTIME_MODULE}
"""What has the runtime, by the package whose distribution a project declares; the lighter one first."""


def is_copy(path: Path) -> bool:
    """Whether a file is one of a copy of the runtime."""
    try:
        with path.open("rb") as file:
            return file.read(len(COPY_MARK)) == COPY_MARK.encode()
    except OSError:
        return False


class RuntimeAccess:
    """How the files of a project come to the runtime; what was found is kept.

    Args:
        settings: of the run.
        root: the project's folder; None if there is none but the files that are checked.
        listed: gives the files of the project, among which a copy of the runtime may be.
    """

    def __init__(
        self, settings: Settings, root: Path | None, listed: Callable[[], Iterable[files.Target]] = tuple
    ) -> None:
        self._settings = settings
        self._root = root
        self._listed = listed
        self._declared: dict[Path, str] = {}

    @cached_property
    def _copy(self) -> str:
        """Dotted name of a copy in the project; "" if there is none."""
        packages = (target.path for target in self._listed() if target.path.name == "__init__.py")
        copies = sorted(
            path for path in packages if is_copy(path) and not is_copy(path.parent.parent / path.name)
        )
        return files.dotted_names(copies[0], self._root)[0] if copies else ""

    def module(self, path: Path) -> str:
        """The dotted module that fixes of a file import the runtime from."""
        if self._settings.runtime_use is not RuntimeUse.WHERE_FOUND:
            return self._settings.runtime_module
        return self._declared_module(_folder(path)) or self._copy or self._settings.runtime_module

    def _is_available(self, path: Path) -> bool:
        """Whether the program of a file has its `module` when it runs."""
        if self._settings.runtime_use is RuntimeUse.FROM_MODULE:
            return True
        return bool(self._declared_module(_folder(path)) or self._copy)

    def fitted(self, path: Path, lint: Callable[[str], list[Finding]]) -> list[Finding]:
        """The findings of a file with fixes that import the runtime from its `module`, and may be applied.

        Few files have such fixes, and to find a copy of the runtime takes a walk through the project.

        Args:
            path: the file.
            lint: returns its findings, with fixes that import from a module.
        """
        found = lint(self._settings.runtime_module)
        if not any(map(_brings_runtime, found)):
            return self.judged(found)
        module = self.module(path)
        return self.judged(found if module == self._settings.runtime_module else lint(module))

    def judged(self, found: list[Finding]) -> list[Finding]:
        """Findings with the fixes that may be applied to their files, others told for what they are."""
        if not any(map(_needs_runtime, found)):
            return found
        return [
            one._replace(fix=self._fix(one.fix, one.path)) if one.fix is not None else one for one in found
        ]

    def _fix(self, fix: Fix, path: Path) -> Fix | None:
        if fix.runtime_need is RuntimeNeed.NONE:
            return fix
        if self._settings.runtime_use is RuntimeUse.NEVER:
            return fix.without_runtime
        if fix.runtime_need is RuntimeNeed.PRESENT or self._is_available(path):
            return fix
        return fix.without_runtime or fix._replace(applicability=Applicability.NEEDS_RUNTIME)

    def _declared_module(self, folder: Path) -> str:
        """The module that a dependency brings; "" if no folder up to the distribution declares it."""
        if folder not in self._declared:
            upward = self._upward(folder)
            found = (
                module
                for package, module in _MODULES.items()
                if any(dependencies.declares(one, package) for one in upward)
            )
            self._declared[folder] = next(found, "")
        return self._declared[folder]

    def _upward(self, folder: Path) -> Sequence[Path]:
        """A folder, and those above it up to that of its distribution, or else of its project.

        Where nothing marks a project, it is the folder that the command is run in.
        """
        top = files.project_root(folder)
        here = Path.cwd()
        if top is None and here in folder.parents and here != Path.home():
            top = here
        top = top or self._root or folder
        upward = []
        for one in (folder, *folder.parents):
            upward.append(one)
            if one == top or is_distribution(one):
                return upward
        return [folder]


def _folder(path: Path) -> Path:
    return path.absolute().parent


def _brings_runtime(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.runtime_need is RuntimeNeed.BROUGHT


def _needs_runtime(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.runtime_need is not RuntimeNeed.NONE
