"""Makes the forms of a program that are compared: as it was, fixed by the linter, and changed by hand.

All of them are made ahead, where there is a network and libcst; a machine with a GPU needs neither.
"""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from case_checkouts import checkout
from case_findings import Place, findings, mended

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from case_study import Study

__all__ = ["BEFORE", "STAGES", "Stage", "StageError", "read_stages", "write_stages"]

BEFORE: Final = "before"
STAGES: Final = {
    BEFORE: "as it was",
    "safe": "after --fix",
    "unsafe": "after --fix --unsafe-fixes",
    "runtime": "the same, with the runtime declared",
    "hand": "changed by hand, then --fix",
}
"""What each stage is; a stage `only-CODE` has all fixes of one rule, with the runtime declared."""
_RUNTIME: Final = 'runtime-module = "overhead_runtime"\n'
_FILE: Final = "stages.json"


class StageError(Exception):
    """A stage cannot be made; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One form of a program.

    Attributes:
        name: out of `STAGES`, or ``only-CODE``.
        tree: the folder, below that of the study; of an earlier stage where nothing differs from it.
        lines: that were added, compared with `BEFORE`.
        places: what the linter still finds.
        mended: what it no longer finds.
        new: what it finds and did not before.
    """

    name: str
    tree: str
    lines: int
    places: tuple[Place, ...]
    mended: tuple[Place, ...] = ()
    new: tuple[Place, ...] = ()


def write_stages(study: Study, work: Path, mirrors: Path | None = None) -> list[Stage]:
    """Make all stages of a study anew, in a folder of its name below `work`.

    Args:
        study: which.
        work: the folder of all studies.
        mirrors: bare repositories ``owner+name`` or ``owner+name/repo``; GitHub is asked without.

    Raises:
        CheckoutError: the commit cannot be had.
        StageError: our patch does not apply, or a fix fails.
        LinterError: the linter fails.
    """
    # Outside of this repository: what it declares would count as declared by the program.
    with tempfile.TemporaryDirectory(prefix="overhead-lint-cases-") as made_in:
        folder = Path(made_in) / study.name
        made = _made(study, folder, mirrors)
        shutil.rmtree(work / study.name, ignore_errors=True)
        shutil.copytree(folder, work / study.name)
    text = json.dumps([asdict(stage) for stage in made], indent=1)
    (work / study.name / _FILE).write_text(text + "\n", encoding="utf-8")
    return made


def _made(study: Study, folder: Path, mirrors: Path | None) -> list[Stage]:
    checkout(study, folder / BEFORE, mirrors)
    made = [Stage(BEFORE, BEFORE, 0, tuple(findings(folder / BEFORE)))]
    for name in list(STAGES)[1:]:
        made.append(_stage(name, folder, study, made))
    fixed = {place.code for stage in made if stage.name == "runtime" for place in stage.mended}
    for code in sorted(fixed) if len(fixed) > 1 else ():
        made.append(_stage(f"only-{code}", folder, study, made))
    return made


def read_stages(folder: Path) -> list[Stage]:
    """Return the stages that were made in a study's folder.

    Raises:
        StageError: none were.
    """
    try:
        text = (folder / _FILE).read_text(encoding="utf-8")
    except OSError as error:
        raise StageError(f"{folder}: no stages are prepared: {error.strerror}") from error
    return [_read(content) for content in json.loads(text)]


def _read(content: dict[str, Any]) -> Stage:
    kinds = ("places", "mended", "new")
    return Stage(**content | {kind: tuple(Place(**place) for place in content[kind]) for kind in kinds})


def _stage(name: str, folder: Path, study: Study, made: Sequence[Stage]) -> Stage:
    tree = folder / name
    shutil.copytree(folder / BEFORE, tree)
    if name == "hand":
        _apply(study.patch, tree)
    _fix(name, tree)
    lines = sum(_added(folder / BEFORE / file, tree / file) for file in _files(tree))
    first = next((one for one in made if _equal(folder / one.tree, tree)), None)
    if first is not None:
        shutil.rmtree(tree)
        return Stage(name, first.tree, lines, first.places, first.mended, first.new)
    places = tuple(findings(tree))
    gone, new = mended(made[0].places, places)
    return Stage(name, tree.name, lines, places, gone, new)


def _fix(name: str, tree: Path) -> None:
    """Let the linter fix a tree as its stage says."""
    options = ["--fix-only", "--quiet", "--no-cache", "-j", "1"]
    settings = tree / "overhead-lint.toml"
    if name in ("safe", "unsafe", "hand"):
        options.append("--isolated")
    else:
        settings.write_text(_RUNTIME, encoding="utf-8")
    if name not in ("safe", "hand"):
        options.append("--unsafe-fixes")
    if name.startswith("only-"):
        options += ["--fixable", name.removeprefix("only-")]
    command = [sys.executable, "-m", "overhead_lint", ".", *options]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    settings.unlink(missing_ok=True)
    if done.returncode:
        raise StageError(f"{tree}: the linter ends with {done.returncode}: {done.stderr.strip()[-500:]}")


def _apply(patch: Path, tree: Path) -> None:
    """Apply our patch, if the study has one."""
    if not patch.is_file():
        return
    # A tree below a repository is one of its folders for git, unless git looks no further up.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent.resolve())}
    command = ["git", "apply", str(patch.resolve())]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise StageError(f"{patch} does not apply: {done.stderr.strip()}")


def _files(tree: Path) -> Iterator[Path]:
    return (file.relative_to(tree) for file in sorted(tree.rglob("*")) if file.is_file())


def _equal(left: Path, right: Path) -> bool:
    files = list(_files(left))
    return files == list(_files(right)) and all(
        (left / file).read_bytes() == (right / file).read_bytes() for file in files
    )


def _added(before: Path, after: Path) -> int:
    old = before.read_bytes() if before.is_file() else b""
    if (new := after.read_bytes()) == old:
        return 0
    first, second = (data.decode("utf-8", "replace").splitlines() for data in (old, new))
    return sum(line.startswith("+ ") for line in difflib.ndiff(first, second))
