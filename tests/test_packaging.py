"""What users install: the wheel, alone with its base dependencies, and the editable install."""

from __future__ import annotations

import email
import email.message
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
SOURCES = {
    "overhead_lint": "overhead_lint",
    "rules": "overhead_lint/rules",
    "pytest_overhead": "pytest_overhead",
    "overhead_runtime": "overhead_runtime",
}
TESTS = (
    "conftest.py",
    "processes/rewritten.py",
    *(f"rules/{name}.py" for name in ("behaviour", "page_process", "page_runs", "test_pages")),
)
"""Those of the sdist: rules' pages, which need nothing that stands beside them in the repository."""
UNSHIPPED = {"pyproject.toml", "README.md", "LICENSE"}
"""Of the runtime's own distribution, beside its modules."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, so that building leaves nothing in the repository."""
    copy = tmp_path_factory.mktemp("tree") / "overhead-lint"
    copy.mkdir()
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in (*TESTS, "test_package.py"):
        (copy / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tests" / name, copy / "tests" / name)
    for name in (*SOURCES, "compiled"):
        unwanted = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        shutil.copytree(ROOT / name, copy / name, ignore=unwanted)
    return copy


def build(tree: Path, hook: str, out: Path) -> Path:
    out.mkdir()
    code = f"import sys; from setuptools import build_meta; build_meta.{hook}(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, out], cwd=tree, check=True, capture_output=True)
    return next(path for path in out.iterdir() if path.suffix in (".whl", ".gz"))


def pip_install(wheel: Path, target: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--no-index", "--no-compile", "--target", str(target), str(wheel)]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="module")
def wheel(tree: Path) -> Path:
    return build(tree, "build_wheel", tree.parent / "dist")


def base_requirements(distribution: str, seen: set[str]) -> set[str]:
    """Names of the distributions that a plain install of one brings along."""
    for requirement in metadata.requires(distribution) or ():
        name = re.match(r"[\w.-]+", requirement)
        assert name is not None
        if "extra ==" in requirement or name.group() in seen:
            continue
        try:
            metadata.distribution(name.group())
        except metadata.PackageNotFoundError:
            assert "python_version" in requirement, f"{requirement} is not installed"
            continue
        seen.add(name.group())
        base_requirements(name.group(), seen)
    return seen


class Installation:
    """The wheel and its base dependencies, and nothing else, on the path of a Python."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.target = folder / "site"
        self.dependencies = folder / "dependencies"
        pip_install(wheel, self.target)
        self.dependencies.mkdir()
        for name in base_requirements("overhead-lint", set()):
            self._link(metadata.distribution(name))

    def _link(self, distribution: metadata.Distribution) -> None:
        for name in {file.parts[0] for file in distribution.files or () if file.parts[0] != ".."}:
            link = self.dependencies / name
            if name != "__pycache__" and not link.exists():
                link.symlink_to(Path(str(distribution.locate_file(name))))

    def run(self, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run Python; ``-S`` keeps out the packages of the environment that the tests run in."""
        path = os.pathsep.join(map(str, (self.target, self.dependencies)))
        command = [sys.executable, "-S", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(wheel, tmp_path_factory.mktemp("installed"))


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    expected = {
        f"{target}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, target in SOURCES.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and not {"__pycache__", "build", "overhead_runtime.egg-info"}.intersection(path.parts)
        and not (folder == "overhead_runtime" and path.name in UNSHIPPED)
    }
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert expected - held == set(), "not shipped: add the package or the pattern to pyproject.toml"
    assert held - expected == set()


def test_the_wheel_puts_no_bare_rules_package_on_the_path(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert {name.split("/")[0] for name in archive.namelist() if ".dist-info/" not in name} == {
            "overhead_lint",
            "overhead_runtime",
            "pytest_overhead",
        }


class Released:
    """The wheels that are released: each built from its source distribution."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.runtime = self._wheel(tree / "overhead_runtime", folder / "runtime")
        self.linter = self._wheel(tree, folder / "linter")

    @staticmethod
    def _wheel(tree: Path, folder: Path) -> Path:
        folder.mkdir()
        sources = folder / "unpacked"
        shutil.unpack_archive(build(tree, "build_sdist", folder / "sdist"), sources)
        return build(next(sources.iterdir()), "build_wheel", folder / "wheel")


@pytest.fixture(scope="module")
def released(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Released:
    return Released(tree, tmp_path_factory.mktemp("released"))


def test_the_sdist_holds_what_a_build_needs_and_tests_that_run_there(tree: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(build(tree, "build_sdist", tmp_path / "sdist"), tmp_path)
    (unpacked,) = tmp_path.glob("overhead_lint-*")
    folders = {path.name for path in unpacked.iterdir() if path.is_dir()}
    assert folders == {
        "compiled",
        "overhead_lint",
        "overhead_lint.egg-info",
        "pytest_overhead",
        "rules",
        "tests",
    }
    tests = unpacked / "tests"
    assert {path.relative_to(tests).as_posix() for path in tests.rglob("*.*")} == set(TESTS)
    # By the command, which puts no folder on the path: there are packages without the rules in this one.
    command = [str(Path(sys.executable).with_name("pytest")), "-q", "-k", "OVH101 or OVH404"]
    environment = {**os.environ, "OVERHEAD_TESTS_WITHOUT_TORCH": "1"}
    done = subprocess.run(command, cwd=unpacked, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\d{2,} passed", done.stdout, re.MULTILINE), done.stdout


def metadata_of(wheel: Path) -> email.message.Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def test_the_runtime_is_a_wheel_of_its_own_without_dependencies(released: Released) -> None:
    assert released.runtime.name.endswith("-py3-none-any.whl")
    assert metadata_of(released.runtime).get_all("Requires-Dist") is None
    expected = {
        f"overhead_runtime/{path.relative_to(ROOT / 'overhead_runtime').as_posix()}"
        for pattern in ("*.py", "_dispatch/*.py", "py.typed")
        for path in (ROOT / "overhead_runtime").glob(pattern)
    }
    with zipfile.ZipFile(released.runtime) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        licences = [name for name in archive.namelist() if name.endswith("LICENSE")]
    assert held == expected
    assert len(licences) == 1


def test_the_released_linter_depends_on_the_runtime_of_its_version(released: Released) -> None:
    needed = metadata_of(released.linter).get_all("Requires-Dist") or []
    assert f"overhead-runtime=={metadata_of(released.runtime)['Version']}" in needed
    assert any(one.startswith("libcst") for one in needed)
    assert metadata_of(released.linter)["Version"] == metadata_of(released.runtime)["Version"]
    with zipfile.ZipFile(released.linter) as archive:
        assert not any(name.startswith("overhead_runtime/") for name in archive.namelist())


def test_what_is_built_in_a_checkout_brings_the_runtime_along(wheel: Path) -> None:
    needed = metadata_of(wheel).get_all("Requires-Dist") or []
    assert not any(one.startswith("overhead-runtime") for one in needed)
    assert any(one.startswith("libcst") for one in needed)


# Without what the tests' own environment finds beside the path.
IMPORTS = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in str(finder)]
sys.path.insert(0, sys.argv[1])
import overhead_runtime
print(overhead_runtime.__file__)
try:
    from overhead_lint import runtime
except ImportError:
    print(None)
else:
    print(runtime.__file__, runtime.autocast is overhead_runtime.autocast)
"""


def test_the_released_wheels_work_together_and_the_runtime_alone(released: Released, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = []
    for wheels in ((released.runtime,), (released.runtime, released.linter)):
        target = tmp_path / str(len(wheels))
        for wheel in wheels:
            pip_install(wheel, target)
        command = [sys.executable, "-c", IMPORTS, str(target)]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found += done.stdout.splitlines()
    assert found == [
        *(f"{tmp_path}/1/overhead_runtime/__init__.py", "None"),
        f"{tmp_path}/2/overhead_runtime/__init__.py",
        f"{tmp_path}/2/overhead_lint/runtime/__init__.py True",
    ]


def test_torch_is_out_of_reach_in_the_installation(installed: Installation, tmp_path: Path) -> None:
    done = installed.run("-c", "import torch", cwd=tmp_path)
    assert "No module named 'torch'" in done.stderr


def hooks() -> dict[str, dict[str, Any]]:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    return {hook["id"]: hook for hook in yaml.safe_load(text)}


def run_hook(installed: Installation, hook: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a hook's entry on a file as pre-commit does, in an installation without torch."""
    (folder / "train.py").write_text(HOT)
    (folder / "requirements.txt").write_text("overhead-lint\n")
    script, *arguments = shlex.split(hooks()[hook]["entry"])
    return installed.run(installed.target / "bin" / script, *arguments, "train.py", cwd=folder)


def test_there_is_a_hook_that_lints_and_one_that_fixes_files_and_notebooks() -> None:
    assert set(hooks()) == {"overhead-lint", "overhead-lint-fix"}
    for hook in hooks().values():
        assert (hook["language"], hook["types_or"]) == ("python", ["python", "jupyter"])
        assert hook.get("pass_filenames", True)


def test_the_lint_hook_reports_and_changes_nothing(installed: Installation, tmp_path: Path) -> None:
    done = run_hook(installed, "overhead-lint", tmp_path)
    assert (done.returncode, "OVH101" in done.stdout) == (1, True), done.stderr
    assert (tmp_path / "train.py").read_text() == HOT


def test_the_fix_hook_applies_the_safe_fixes(installed: Installation, tmp_path: Path) -> None:
    done = run_hook(installed, "overhead-lint-fix", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "runtime.autocast(" in (tmp_path / "train.py").read_text()


HOT = """import torch


def train(model, loader, optimizer):
    for batch in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(batch)
        loss.backward()
        optimizer.step()
"""


PAGES = (
    "from importlib.resources import files; import overhead_lint.rules as rules;"
    "print(rules.__file__);"
    "print(*sorted(page.name for family in files(rules).iterdir() if family.is_dir()"
    " for page in family.iterdir() if page.name.endswith('.md')))"
)


def check_pages(printed: str, rules: Path) -> None:
    """What `PAGES` prints: where the rules were imported from, and all pages of this repository."""
    source, *pages = printed.split()
    assert source == str(rules / "__init__.py")
    assert pages == sorted(page.name for page in (ROOT / "rules").glob("*/*.md"))
    assert pages


def test_the_installed_rules_import_with_their_pages(installed: Installation, tmp_path: Path) -> None:
    done = installed.run("-c", PAGES, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    check_pages(done.stdout, installed.target / "overhead_lint" / "rules")


@pytest.fixture(scope="module")
def editable(tree: Path) -> Path:
    target = tree.parent / "editable"
    pip_install(build(tree, "build_editable", tree.parent / "editable-dist"), target)
    return target


@pytest.mark.parametrize("inside", [True, False], ids=["cwd on the path", "elsewhere"])
def test_the_editable_install_maps_the_rules(
    editable: Path, tree: Path, tmp_path: Path, installed: Installation, inside: bool
) -> None:
    code = f"import site; site.addsitedir({str(editable)!r}); {PAGES}"
    environment = {**os.environ, "PYTHONPATH": str(installed.dependencies)}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        cwd=tree if inside else tmp_path,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    check_pages(done.stdout, tree / "rules")


def test_the_package_says_that_it_is_typed(wheel: Path) -> None:
    marks = {f"{package}/py.typed" for package in ("overhead_lint", "overhead_runtime", "pytest_overhead")}
    with zipfile.ZipFile(wheel) as archive:
        assert marks <= set(archive.namelist())
