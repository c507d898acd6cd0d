"""Builds the compiled form of the linter, compares it with the Python form, and times both.

    python benchmarks/compiled_form.py            findings, a rule pack, the static tests, and the times
    python benchmarks/compiled_form.py --quick    without the static tests

The findings are those in all of the corpus: what only a run shows, a cast that fails, is rare. A few packages
are timed. Both forms are built as wheels from a copy of this checkout and installed in scratch environments.
It takes mypy and a C compiler. Exit status 1: the forms differ, or a test fails with the compiled one; 2: one
cannot be built.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from corpus import cache_folder
from corpus_files import CorpusError, download, requirements, unpack
from lint_runs import least, peers, ruff

__all__ = ["Forms", "built", "cold", "copied", "findings", "installed", "ours", "started"]

ROOT = Path(__file__).parent.parent
TIMED = ("accelerate", "litgpt", "pytorch-lightning")
_TREE = ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", "setup.py", "compiled", "overhead_lint")
_PACK = """\
import ast

from overhead_lint.rule import Heat, Rule

RULE = Rule(code="PCK001", name="print-call", summary="print", triggers=(b"print",), heat=Heat.COLD)


@RULE.on(ast.Call, named=("print",))
def check(node, ctx):
    yield ctx.finding(RULE, node, f"{ctx.qualified_name(node.func)} is called, {ctx.warmth(node).heat.name}")


def overhead_lint_rules():
    return [RULE]
"""


class Forms(NamedTuple):
    """Folders that the two forms are installed in, each of an environment of its own."""

    python: Path
    compiled: Path


def built(work: Path) -> Forms:
    """Build and install both forms.

    Args:
        work: a scratch folder.

    Raises:
        CorpusError: one cannot be built; the message is the last that was said.
    """
    tree = copied(work)
    return Forms(installed(tree, work / "python", ""), installed(tree, work / "compiled", "1"))


def copied(work: Path) -> Path:
    """Copy what a build needs into a scratch folder; gives the copy's folder."""
    tree = work / "tree"
    tree.mkdir(parents=True)
    for name in (*_TREE, "rules", "pytest_overhead"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        else:
            shutil.copy(source, tree)
    return tree


def installed(tree: Path, folder: Path, compiled: str) -> Path:
    """Build a form of the package as a wheel, and install that.

    Args:
        tree: what to build from.
        folder: where the wheel goes.
        compiled: ``"1"`` for the compiled form, ``""`` for Python.

    Returns:
        The folder that it is installed in, of an environment that has what this one has beside it.

    Raises:
        CorpusError: it cannot be built; the message is the last that was said.
    """
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    environment = os.environ | {"OVERHEAD_LINT_COMPILED": compiled}
    stored = "--config-settings=--build-option=--compression=stored"  # it is unpacked at once
    build = ["wheel", stored, "--no-build-isolation", "--no-deps", "-w", str(folder)]
    _run([*pip, *build, str(tree)], environment)
    wheel = str(next(folder.glob("*.whl")))
    venv.create(folder / "environment", symlinks=True)
    site = next((folder / "environment").glob("lib/python*/site-packages"))
    # No .pth file of a folder that is named so is run: an editable install's would import a lot.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    _run([*pip, "install", "--no-deps", "--no-index", "--target", str(site), wheel], environment)
    return site


def _run(command: Sequence[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines() or ["no reason given"]
        raise CorpusError("\n".join(said[-12:]))


def started(site: Path) -> list[str]:
    """The command line of a form, without arguments."""
    return [str(site.parents[2] / "bin" / "python"), "-I", "-m", "overhead_lint"]


def ours(site: Path, *options: str, paths: Sequence[Path | str] = (".",)) -> list[str]:
    """The command line of a form: a run over the working directory, or what is given."""
    return [*started(site), "check", "--isolated", "-q", *options, *map(str, paths)]


def cold(site: Path, *options: str, jobs: int = 1) -> list[str]:
    """The command line of a form: a cold run over the working directory, in one process or with others."""
    return [*started(site), "--isolated", "--no-cache", "-j", str(jobs), *options, "."]


def findings(site: Path, folder: Path, *options: str, jobs: int = 1) -> bytes:
    """What a form finds in a folder, as JSON.

    Raises:
        CorpusError: it failed; the message is the last that was said.
    """
    command = cold(site, "--output-format", "json", "--min-heat", "presumed", *options, jobs=jobs)
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise CorpusError(done.stderr.decode(errors="replace").strip()[-500:])
    return done.stdout


def _same(forms: Forms, project: Path, work: Path) -> bool:
    """Whether both forms find the same, with the built-in rules and with a pack's."""
    # The processes of a run begin where the first one was when it parted from them: that is one more case.
    found = [findings(site, project, jobs=jobs) for site, jobs in zip(forms, (1, 2), strict=True)]
    said = "the same" if found[0] == found[1] else "DIFFERENT"
    print(f"findings in the packages: {said}, {len(found[0])} bytes")
    if found[0] != found[1]:
        for name, text in zip(Forms._fields, found, strict=True):
            (work.parent / f"findings-{name}.json").write_bytes(text)
        print(f"kept as {work.parent}/findings-*.json")
    for site in forms:
        (site / "printing_pack.py").write_text(_PACK, "utf-8")
        information = site / "printing_pack-1.0.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: printing-pack\nVersion: 1.0\n", "utf-8"
        )
        (information / "entry_points.txt").write_text("[overhead_lint]\nprinting = printing_pack\n", "utf-8")
    packs = [findings(site, project, "--select", "PCK001") for site in forms]
    same = packs[0] == packs[1] and b"PCK001" in packs[0]
    print(f"findings of a rule pack: {'the same' if same else 'DIFFERENT'}, {len(packs[0])} bytes")
    for site in forms:
        shutil.rmtree(site / "printing_pack-1.0.dist-info")
    return found[0] == found[1] and same


def _tested(compiled: Path) -> bool:
    """Whether the static tests pass with the compiled form."""
    environment = os.environ | {"PYTHONPATH": str(compiled), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/static"]
    status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    print(f"static tests with the compiled form: {'passed' if not status else 'FAILED'}")
    return not status


def _timed(forms: Forms, project: Path, tools: Path, repeat: int) -> None:
    """Print what cold runs of both forms, in turns, and of Ruff take at least."""
    taken: dict[str, float] = {}
    for _ in range(repeat):
        for name, site in zip(Forms._fields, forms, strict=True):
            run = least(1, cold(site, "--output-format", "concise", "-q"), project)
            taken[name] = min(run.cpu, taken.get(name, run.cpu))
    taken["ruff"] = least(repeat, ruff(tools), project).cpu
    for name, seconds in taken.items():
        print(f"{name}: {seconds:.2f} s CPU, {seconds / taken['ruff']:.1f} times Ruff")
    print(f"the compiled form is {taken['python'] / taken['compiled']:.2f} times as fast")


def _checked(arguments: argparse.Namespace, work: Path) -> bool:
    forms = built(work / "forms")
    said = subprocess.run(
        [*started(forms.compiled), "--version"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(said)
    download(arguments.dir / "wheels")
    project, small = work / "project", work / "small"
    for package in requirements():
        folder = unpack(package, arguments.dir / "wheels", arguments.dir / "src")
        for target in (project, small) if package.name in TIMED else (project,):
            shutil.copytree(folder, target / package.name)
    right = said.endswith("(compiled)") and _same(forms, project, work)
    if not arguments.quick:
        right = _tested(forms.compiled) and right
    _timed(forms, small, peers(arguments.dir / "tools"), arguments.repeat)
    return right


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is that of the module's first lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and tools are kept")
    parser.add_argument("--quick", action="store_true", help="leave out the static tests")
    parser.add_argument("--repeat", type=int, default=3, help="timed runs of each form (default 3)")
    arguments = parser.parse_args(argv)
    try:
        with tempfile.TemporaryDirectory(prefix="overhead-lint-") as work:
            return 0 if _checked(arguments, Path(work)) else 1
    except (CorpusError, OSError) as error:
        print(f"compiled form: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
