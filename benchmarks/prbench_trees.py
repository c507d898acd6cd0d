"""Lays out file versions and whole commits of bare repositories, and lints them there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["Case", "Found", "Tree", "cases_of", "lint_files", "lint_trees", "write_files"]

_LAID_OUT: Final = (".py", "pyproject.toml", "setup.cfg")
_BATCH: Final = 40
# Commits that one process after another lints in one folder.
_COMMITS: Final = 13
_LINTER: Final = (
    *(sys.executable, "-m", "overhead_lint", "check"),
    *("--output-format", "json", "--min-heat", "presumed"),
)

Case = dict[str, Any]
"""A line of the benchmark: a place that a commit mended, or one that looks alike and is fine."""
Found = dict[str, Any]
"""A finding: file version, line, code and heat, and the lines of others in a row that it tells of."""


class Tree(NamedTuple):
    """A bare repository, and where its commits are laid out.

    Attributes:
        git: the repository.
        folder: where commits are laid out, one after the other.
        cache: the linter's cache for it, so that files are summarised once for all commits.
        packages: the folders that are laid out, and what lies beside them; None for all.
    """

    git: Path
    folder: Path
    cache: Path
    packages: frozenset[str] | None = None


def cases_of(bench: Path, mirrors: Path) -> tuple[list[Case], list[str]]:
    """The cases whose repositories are there, and the names of those that are not."""
    files = sorted(bench.glob("*.jsonl"))
    cases: list[Case] = [json.loads(line) for file in files for line in file.read_text().splitlines() if line]
    missing = {case["repo"] for case in cases if not mirror_of(mirrors, case["repo"]).is_dir()}
    return [case for case in cases if case["repo"] not in missing], sorted(missing, key=str.lower)


def mirror_of(mirrors: Path, repository: str) -> Path:
    """Where the bare repository of ``owner/name`` lies."""
    return mirrors / repository.replace("/", "+") / "repo"


def versions(case: Case) -> list[tuple[str, str]]:
    """Commit and blob of the file versions that a case asks about."""
    if case["kind"] == "positive":
        pairs = [(case["parent"], case["parent_blob"]), (case["fix"], case["fixed_blob"])]
    else:
        pairs = [(case["commit"], case["blob"])]
    return [(commit, blob) for commit, blob in pairs if blob]


def write_files(cases: Iterable[Case], mirrors: Path, folder: Path) -> None:
    """Write each file version that is asked about as ``<blob>.py``."""
    folder.mkdir(parents=True, exist_ok=True)
    for case in cases:
        for _, blob in versions(case):
            path = folder / f"{blob}.py"
            if not path.exists():
                path.write_bytes(_git(mirror_of(mirrors, case["repo"]), "cat-file", "blob", blob))


def lint_files(cases: Iterable[Case], folder: Path) -> list[Found]:
    """Lint each file version by itself."""
    names = sorted({f"{blob}.py" for case in cases for _, blob in versions(case)})
    found: list[Found] = []
    for start in range(0, len(names), _BATCH):
        options = ["--isolated", "--no-project", "--no-cache", "-j", "1"]
        found += _lint(folder, [*options, *names[start : start + _BATCH]])
    return found


def lint_trees(
    cases: Sequence[Case], mirrors: Path, work: Path, jobs: int, *, packages: bool = False
) -> list[Found]:
    """Lint each file version at its place in a checkout of its commit.

    Args:
        cases: what is asked about.
        mirrors: bare repositories.
        work: where commits are laid out, and the linter keeps its cache.
        jobs: how many repositories are linted at the same time.
        packages: whether only the packages that hold these files are laid out: less to read.
    """
    asked: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for case in cases:
        for commit, blob in versions(case):
            asked[case["repo"], commit][case["path"]] = blob
    commits: dict[str, list[str]] = defaultdict(list)
    for repository, commit in sorted(asked):
        commits[repository].append(commit)
    found: list[Found] = []
    with ThreadPoolExecutor(jobs) as pool:
        runs = []
        for repository, names in commits.items():
            for number in range(0, len(names), _COMMITS):
                name = repository.replace("/", "+")
                folder = work / ("packages" if packages else "trees") / f"{name}-{number}"
                cache = work / "caches" / folder.parent.name / folder.name
                chosen = {commit: asked[repository, commit] for commit in names[number : number + _COMMITS]}
                within = frozenset(_package(path) for paths in chosen.values() for path in paths)
                tree = Tree(mirror_of(mirrors, repository), folder, cache, within if packages else None)
                runs.append(pool.submit(_lint_commits, tree, chosen))
        for number, run in enumerate(as_completed(runs), 1):
            found += run.result()
            print(f"{number}/{len(runs)} parts", file=sys.stderr, flush=True)
    return found


def _package(path: str) -> str:
    """The folder of the package that a file belongs to, as a prefix of paths; "" for the repository's own."""
    parts = path.split("/")[:-1]
    return "".join(f"{part}/" for part in parts[: 2 if parts[:1] == ["src"] else 1])


def _lint_commits(tree: Tree, commits: Mapping[str, Mapping[str, str]]) -> list[Found]:
    """Lint the files, given as blobs by path, of some commits of a repository."""
    found: list[Found] = []
    laid_out: dict[str, str] | None = None
    (tree.folder / ".git").mkdir(parents=True, exist_ok=True)  # what marks a project's folder
    for commit, paths in commits.items():
        laid_out = lay_out(tree, commit, laid_out)
        for one in _lint(tree.folder, ["--cache-dir", str(tree.cache), "-j", "1", *sorted(paths)]):
            found.append(one | {"path": f"{paths[one['path']]}.py"})
    return found


def lay_out(tree: Tree, commit: str, before: Mapping[str, str] | None) -> dict[str, str]:
    """Lay out the Python files of a commit, writing only what differs from the one before.

    Returns:
        blobs by path, for the next commit.
    """
    listed = _git(tree.git, "ls-tree", "-r", "-z", commit).decode().split("\0")
    wanted: dict[str, str] = {}
    for line in filter(None, listed):
        kind, path = line.split("\t", 1)
        mode, _, blob = kind.split()
        is_near = tree.packages is None or _package(path) in {"", *tree.packages}
        if mode.startswith("100") and path.endswith(_LAID_OUT) and is_near:
            wanted[path] = blob
    if before is None:
        before = {}
        for old in sorted(tree.folder.rglob("*"), reverse=True):
            if old.is_file():
                old.unlink()
    for path in before.keys() - wanted.keys():
        (tree.folder / path).unlink()
    changed = {path: blob for path, blob in wanted.items() if before.get(path) != blob}
    for path, data in zip(changed, _blobs(tree.git, list(changed.values())), strict=True):
        target = tree.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return wanted


def _blobs(git: Path, names: Sequence[str]) -> Iterable[bytes]:
    """Contents of blobs, in their order."""
    asked = "".join(f"{name}\n" for name in names).encode()
    answer = _git(git, "cat-file", "--batch", given=asked)
    at = 0
    for _ in names:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        yield answer[end + 1 : end + 1 + size]
        at = end + size + 2


def _git(git: Path, *arguments: str, given: bytes | None = None) -> bytes:
    command = ["git", "--git-dir", str(git), *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def _lint(folder: Path, arguments: Sequence[str]) -> list[Found]:
    """Findings of the linter in a folder, in presumed heat and above, with their heat."""
    done = subprocess.run([*_LINTER, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2) or not done.stdout:
        raise SystemExit(f"{folder}: exit {done.returncode}: {done.stderr.strip()[-300:]}")
    keys = ("path", "line", "code", "heat", "also")
    return [{key: one[key] for key in keys} for one in json.loads(done.stdout)]
