"""Fixes that import the runtime: applied where the project has it, told for what they are elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from overhead_lint.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Run

HOT = """\
import torch

for x in loader:
    with torch.autocast("cuda"):
        loss = model(x)
    loss.backward()
"""
SETUP = 'from setuptools import setup\nsetup(name="a", install_requires=["torch", "Overhead_Lint>=0.1"])\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[project]\nname = "a"\ndependencies = ["overhead-lint>=0.1"]\n'),
        (
            "pyproject.toml",
            '[project]\nname = "a"\n[project.optional-dependencies]\nfast = ["overhead_lint"]\n',
        ),
        ("pyproject.toml", '[dependency-groups]\ntrain = ["torch", "overhead-lint[pytest]"]\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\noverhead-lint = "^0.1"\n'),
        ("pyproject.toml", '[tool.poetry.group.train.dependencies]\noverhead-lint = "*"\n'),
        ("Pipfile", '[packages]\noverhead_lint = "*"\n'),
        ("requirements-gpu.txt", "torch\noverhead-lint==0.1 ; python_version > '3.9'  # runtime\n"),
        ("requirements/base.txt", "overhead.lint\n"),
        ("requirements.txt", "-r more.in\n"),
        ("requirements.txt", "-e git+https://example.org/a/overhead-lint.git@v1\n"),
        ("setup.cfg", "[options]\ninstall_requires =\n    torch\n    overhead-lint\n"),
        ("setup.cfg", "[options.extras_require]\nfast = overhead-lint>1; torch\n"),
        ("setup.py", SETUP),
        ("environment.yml", "dependencies:\n  - pytorch\n  - pip:\n    - overhead-lint\n"),
    ],
)
def test_a_declared_runtime_is_used(name: str, text: str, tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "train.py").write_text(HOT)
    (tmp_path / "more.in").write_text("overhead-lint\n")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert run_here("--fix", "--no-cache", ".").returncode == 0
    assert "runtime.autocast(" in (tmp_path / "train.py").read_text()


@pytest.mark.parametrize(
    ("name", "text", "module"),
    [
        ("pyproject.toml", '[project]\nname = "a"\ndependencies = ["overhead-runtime>=0.1"]\n', "runtime"),
        (
            "pyproject.toml",
            '[project]\nname = "a"\ndependencies = ["Overhead.Runtime", "overhead-lint"]\n',
            "runtime",
        ),
        ("pyproject.toml", '[project]\nname = "overhead-runtime"\ndependencies = []\n', "runtime"),
        ("pyproject.toml", '[tool.poetry.dependencies]\noverhead-runtime = "^0.1"\n', "runtime"),
        (
            "pyproject.toml",
            '[project]\nname = "a"\ndependencies = ["overhead-lint"]\n'
            '[dependency-groups]\ndev = ["overhead-runtime"]\n',
            "lint",
        ),
        ("requirements.txt", "overhead_runtime==0.1\n", "runtime"),
        (
            "requirements.txt",
            "git+https://example.org/a/overhead-lint.git#subdirectory=overhead_runtime\n",
            "runtime",
        ),
        ("requirements.txt", "git+https://example.org/a/overhead-lint.git\n", "lint"),
        ("requirements.txt", "wheels/overhead_runtime-0.2.0-py3-none-any.whl\n", "runtime"),
        ("setup.cfg", "[options]\ninstall_requires =\n    overhead-runtime\n", "runtime"),
        ("environment.yml", "dependencies:\n  - overhead-runtime=0.1\n", "runtime"),
        ("requirements.txt", "overhead-lint\n", "lint"),
    ],
)
def test_fixes_import_the_distribution_that_is_declared(
    name: str, text: str, module: str, tmp_path: Path, run_here: Run
) -> None:
    (tmp_path / "train.py").write_text(HOT)
    (tmp_path / name).write_text(text)
    for _ in range(2):  # Stable, and nothing is left.
        assert run_here("--fix", "--no-cache", ".").returncode == 0
        fixed = (tmp_path / "train.py").read_text()
        if module == "runtime":
            assert "import overhead_runtime\n" in fixed
            assert "overhead_runtime.autocast(" in fixed
            assert "overhead_lint" not in fixed
        else:
            assert "from overhead_lint import runtime\n" in fixed


def test_a_file_keeps_the_import_of_the_runtime_that_it_has(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "requirements.txt").write_text("overhead-runtime\n")
    imported = "import torch\nimport overhead_runtime as fast\n"
    (tmp_path / "train.py").write_text(HOT.replace("import torch\n", imported))
    assert run_here("--fix", "--no-cache", ".").returncode == 0
    assert "fast.autocast(" in (tmp_path / "train.py").read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "pyproject.toml",
            '[project]\nname = "a"\ndependencies = ["torch"]\n[tool.overhead-lint]\nhot = []\n',
        ),
        ("pyproject.toml", '[project]\nname = "a"\ndependencies = ["overhead-lint-extras"]\n'),
        ("pyproject.toml", '[build-system]\nrequires = ["overhead-lint"]\n'),
        ("setup.cfg", "[options\ninstall_requires = overhead-lint\n"),
        ("requirements.txt", "torch  # not overhead-lint\n# overhead-lint\n-r requirements.txt\n"),
        ("pyproject.toml", '[project.optional-dependencies]\ndev = ["overhead-lint"]\n'),
        ("pyproject.toml", '[dependency-groups]\nlint = ["overhead-lint"]\n'),
        ("pyproject.toml", '[tool.poetry.group.dev.dependencies]\noverhead-lint = "*"\n'),
        ("pyproject.toml", '[tool.uv]\ndev-dependencies = ["overhead-lint"]\n'),
        ("Pipfile", '[dev-packages]\noverhead-lint = "*"\n'),
        ("requirements-dev.txt", "overhead-lint\n"),
        ("requirements_test.txt", "overhead-lint\n"),
        ("setup.cfg", "[options.extras_require]\ndev = overhead-lint\n"),
        ("setup.py", 'from setuptools import setup\nsetup(extras_require={"dev": ["overhead-lint"]})\n'),
        ("setup.py", 'from setuptools import setup\nsetup(tests_require=["overhead-lint"])\n'),
        ("setup.py", '"""overhead-lint"""\nsetup(description="overhead-lint is run on it")\n'),
        (".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: overhead-lint-fix\n"),
    ],
)
def test_an_undeclared_runtime_is_not_imported(name: str, text: str, tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "train.py").write_text(HOT)
    (tmp_path / name).write_text(text)
    for option in ("--fix", "--diff"):
        done = run_here(option, "--no-cache", ".")
        assert done.returncode == 1
        assert (tmp_path / "train.py").read_text() == HOT
        assert "+++" not in done.stdout
        told = done.stdout + done.stderr
        assert told.count("more fix") == 1
        assert "1 more fix imports overhead_runtime" in told
        assert "overhead-lint vendor PATH" in told
        assert "fixable" not in told
    assert "--fix --unsafe-fixes" not in told


def test_reports_agree_on_what_can_be_fixed(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "train.py").write_text(HOT)
    for _ in range(2):  # anew, and from what was kept
        (found,) = json.loads(run_here("--output-format=json", ".").stdout)
        assert found["fix"] == {
            "applicability": "needs-runtime",
            "message": "use runtime.autocast",
            "edits": [],
        }
        (result,) = json.loads(run_here("--output-format=sarif", ".").stdout)["runs"][0]["results"]
        assert "fixes" not in result
        (row,) = json.loads(run_here("--output-format=json", "--statistics", ".").stdout)
        assert (row["safe"], row["unsafe"], row["needs-runtime"]) == (0, 0, 1)
        assert "not applied, as the project does not declare overhead-runtime" in run_here(".").stdout
    (tmp_path / "requirements.txt").write_text("overhead-lint\n")
    (found,) = json.loads(run_here("--output-format=json", ".").stdout)
    assert found["fix"]["applicability"] == "safe"
    assert found["fix"]["edits"]


def test_a_copy_of_the_runtime_is_found(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "train.py").write_text(HOT)
    main(["vendor", str(tmp_path / "pkg" / "_overhead")])
    assert run_here("--fix", "--no-cache", ".").returncode == 0
    assert "from pkg import _overhead" in (tmp_path / "train.py").read_text()


def test_a_file_that_imports_the_runtime_already_gets_its_fixes(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "train.py").write_text(
        HOT.replace("import torch\n", "import torch\nfrom overhead_lint import runtime\n")
    )
    assert run_here("--fix", "--no-cache", ".").returncode == 0
    assert "runtime.autocast(" in (tmp_path / "train.py").read_text()


def test_a_project_may_want_nothing_of_ours(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "train.py").write_text(HOT)
    (tmp_path / "requirements.txt").write_text("overhead-lint\n")
    (tmp_path / "overhead-lint.toml").write_text("runtime-module = false\n")
    done = run_here("--fix", "--no-cache", ".")
    assert (tmp_path / "train.py").read_text() == HOT
    assert "more fix" not in done.stdout
    assert "= fix:" not in done.stdout


def test_a_file_that_imports_the_runtime_gets_no_more_of_it_where_the_project_wants_none(
    tmp_path: Path, run_here: Run
) -> None:
    text = HOT.replace("import torch\n", "import torch\nfrom overhead_lint import runtime\n")
    (tmp_path / "train.py").write_text(text)
    (tmp_path / "overhead-lint.toml").write_text("runtime-module = false\n")
    for _ in range(2):  # anew, and from what was kept
        assert "= fix:" not in run_here(".").stdout
    assert "fix" not in json.loads(run_here("--output-format=json", ".").stdout)[0] or (
        json.loads(run_here("--output-format=json", ".").stdout)[0]["fix"] is None
    )
    run_here("--fix", "--unsafe-fixes", ".")
    assert (tmp_path / "train.py").read_text() == text


@pytest.mark.parametrize("settings", ["", "runtime-module = false\n"])
def test_what_needs_no_runtime_is_fixed_without_it(settings: str, tmp_path: Path, run_here: Run) -> None:
    loop = HOT.split("\n\n", 1)[1].replace("\n", "\n    ").rstrip()
    (tmp_path / "train.py").write_text(f"import torch\n\n\ndef train(model, loader):\n    {loop}\n")
    (tmp_path / "overhead-lint.toml").write_text(settings)
    for _ in range(2):  # anew, and from what was kept
        (found,) = json.loads(run_here("--output-format=json", ".").stdout)
        assert (found["fix"]["applicability"], found["fix"]["message"]) == (
            "safe",
            "build it once above the loop",
        )
    assert run_here("--fix", ".").returncode in (0, 1)
    assert "autocast_context = torch.autocast" in (tmp_path / "train.py").read_text()
    (tmp_path / "overhead-lint.toml").unlink()
    (tmp_path / "requirements.txt").write_text("overhead-lint\n")
    assert run_here("--fix", ".").returncode == 0


def test_requirements_in_the_folder_of_the_run_count_below_it(declared: Path, run_here: Run) -> None:
    (declared / "src").mkdir()
    (declared / "src" / "train.py").write_text(HOT)
    assert run_here("--fix", "--no-cache", "src").returncode == 0
    assert "runtime.autocast(" in (declared / "src" / "train.py").read_text()


def test_each_distribution_of_a_checkout_declares_for_itself(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / ".git").mkdir()
    for name, needs in (("a", '"overhead-lint"'), ("b", '"torch"')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.py").write_text(HOT)
        (tmp_path / name / "pyproject.toml").write_text(
            f'[project]\nname = "{name}"\ndependencies = [{needs}]\n'
        )
    assert run_here("--fix", "--no-cache", ".").returncode == 1
    assert "runtime.autocast(" in (tmp_path / "a" / "train.py").read_text()
    assert (tmp_path / "b" / "train.py").read_text() == HOT
