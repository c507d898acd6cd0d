"""What a project's metadata declare of the packages that it imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint.config.run_settings import DeclaredPackages, Settings
from overhead_lint.discovery.requirements import declaration_of, with_packages
from overhead_lint.rule import Declaration

PYPROJECT = """\
[project]
name = "Trainer.Kit"
dependencies = [
    "torch>=2", "opencv_python", "PyYAML; python_version > '3'", "hydra-core[x]", "apex; extra == 'fast'",
]

[project.optional-dependencies]
fast = ["flash-attn==2.1"]

[dependency-groups]
dev = ["pytest", {include-group = "docs"}]
"""
POETRY = """\
[tool.poetry]
name = "kit"

[tool.poetry.dependencies]
python = "^3.11"
torch = "*"
wandb = {version = "*", optional = true}

[tool.poetry.group.dev.dependencies]
pytest = "*"
"""
SETUP_CFG = """\
[metadata]
name = kit

[options]
install_requires =
    torch
    numpy>=1.20

[options.extras_require]
logs = wandb
    comet-ml
"""
SETUP_PY = """\
from setuptools import setup

setup(name="kit", install_requires=["torch", "numpy"], extras_require={"logs": ["wandb"]})
"""
REQUIRED, OPTIONAL, UNDECLARED, UNKNOWN = (
    Declaration.REQUIRED,
    Declaration.OPTIONAL,
    Declaration.UNDECLARED,
    Declaration.UNKNOWN,
)


def of(folder: Path, package: str) -> Declaration:
    """What the project in a folder declares of a package that a file in it imports."""
    packages = with_packages(Settings(), folder).packages
    return declaration_of(package, folder / "train.py", packages)


@pytest.mark.parametrize(
    ("name", "text", "packages"),
    [
        (
            "pyproject.toml",
            PYPROJECT,
            DeclaredPackages(
                "trainer-kit",
                ("hydra-core", "opencv-python", "pyyaml", "torch"),
                ("apex", "flash-attn", "pytest"),
            ),
        ),
        ("pyproject.toml", POETRY, DeclaredPackages("kit", ("torch",), ("pytest", "wandb"))),
        ("setup.cfg", SETUP_CFG, DeclaredPackages("kit", ("numpy", "torch"), ("comet-ml", "wandb"))),
        ("setup.py", SETUP_PY, DeclaredPackages("kit", ("numpy", "torch"), ("wandb",))),
        ("setup.py", SETUP_PY.replace('["torch", "numpy"]', "read()"), None),
        ("requirements.txt", "# all\ntorch==2.4\n-r more.txt\n", DeclaredPackages("", ("torch",), ())),
        ("pyproject.toml", '[project]\nname = "kit"\ndynamic = ["dependencies"]\n', None),
        ("pyproject.toml", "[project\n", None),
        ("pyproject.toml", "[tool.ruff]\n", None),
    ],
)
def test_requirements_are_read_where_projects_keep_them(
    tmp_path: Path, name: str, text: str, packages: DeclaredPackages | None
) -> None:
    (tmp_path / name).write_text(text)
    assert with_packages(Settings(), tmp_path).packages == packages


@pytest.mark.parametrize(
    ("package", "declared"),
    [
        ("torch", REQUIRED),
        ("cv2", REQUIRED),
        ("yaml", REQUIRED),
        ("hydra", REQUIRED),
        ("trainer_kit", REQUIRED),
        ("math", REQUIRED),
        ("beside", REQUIRED),
        ("in_src", REQUIRED),
        ("flash_attn", OPTIONAL),
        ("apex", OPTIONAL),
        ("pytest", OPTIONAL),
        ("wandb", UNDECLARED),
        ("attn", OPTIONAL),
        ("torchvision", UNDECLARED),
    ],
)
def test_a_package_is_found_by_the_name_that_it_is_imported_under(
    tmp_path: Path, package: str, declared: Declaration
) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "beside.py").write_text("")
    (tmp_path / "src" / "in_src").mkdir(parents=True)
    assert of(tmp_path, package) is declared


def test_a_distribution_inside_of_a_project_has_dependencies_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    inner = tmp_path / "packages" / "one"
    inner.mkdir(parents=True)
    packages = with_packages(Settings(), tmp_path).packages
    assert declaration_of("flash_attn", inner / "m.py", packages) is OPTIONAL
    (inner / "pyproject.toml").write_text('[project]\nname = "one"\ndependencies = ["flash-attn"]\n')
    packages = with_packages(Settings(), tmp_path).packages
    assert declaration_of("flash_attn", inner / "m.py", packages) is UNKNOWN
    assert of(inner, "flash_attn") is REQUIRED


def test_nothing_is_known_without_a_list_of_dependencies(tmp_path: Path) -> None:
    assert of(tmp_path, "wandb") is UNKNOWN
    assert with_packages(Settings(), None).packages is None
