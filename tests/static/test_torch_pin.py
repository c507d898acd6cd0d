"""Which torch a project asks for is what rules go by, where no setting says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint.config.run_settings import RequiredTorch, Settings
from overhead_lint.discovery.requirements import with_packages
from overhead_lint.discovery.torch_pin import releases_of

REQUIREMENTS = {
    "torch>=2.1": ((2, 1), None),
    "torch == 2.0.1 ; python_version < '3.12'": ((2, 0), (2, 0)),
    "torch[opt] ~= 1.13.1  # why": ((1, 13), None),
    "torch (>=2.2,<2.6)": ((2, 2), (2, 5)),
    "torch>1.6, !=2.0, <3": ((1, 6), None),
    "torch<2.5": (None, (2, 4)),
    "torch<=2.3.1": (None, (2, 3)),
    "torch<3": (None, None),
    "torch": (None, None),
    "torch!=2.0": (None, None),
    "torch @ https://example.com/torch-2.1.whl": (None, None),
    "torchvision>=0.15": (None, None),
    "pytorch=2.3": ((2, 3), (2, 3)),
    "pytorch::pytorch 2.1.*": ((2, 1), (2, 1)),
    "pytorch-lightning>=2.0": (None, None),
    "torch ^2.2": ((2, 2), None),
}


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_a_requirement_says_the_oldest_and_the_newest_torch(text: str) -> None:
    assert releases_of(text) == REQUIREMENTS[text]


FILES = {
    "pyproject.toml": "[project]\nname = 'x'\ndependencies = ['numpy', 'torch>=2.2']\n",
    "extras": "[project]\nname = 'x'\n[project.optional-dependencies]\ngpu = ['torch>=2.2']\n",
    "poetry": "[tool.poetry.dependencies]\ntorch = '^2.2'\n",
    "poetry in a table": "[tool.poetry.dependencies]\ntorch = {version = '2.2.1', optional = true}\n",
    "setup.cfg": "[options]\ninstall_requires =\n    numpy\n    torch>=2.2\n",
    "setup.py": "needs = ['numpy', 'torch>=2.2']\nsetup(install_requires=needs)\n",
    "requirements.txt": "numpy\ntorch==2.2.0\n",
    "requirements/base.txt": "torch==2.2.0\n",
    "environment.yml": "dependencies:\n  - python=3.11\n  - pytorch=2.2\n",
    "conda/meta.yaml": "requirements:\n  run:\n    - pytorch >=2.2\n",
    "cog.yaml": 'build:\n  gpu: true\n  python_packages:\n    - "numpy==1.26.4"\n    - "torch==2.2.0"\n',
}


@pytest.mark.parametrize("name", FILES)
def test_the_torch_of_a_project_is_that_of_its_files(tmp_path: Path, name: str) -> None:
    file = tmp_path / (name if "." in name else "pyproject.toml")
    file.parent.mkdir(exist_ok=True)
    file.write_text(FILES[name], encoding="utf-8")
    assert with_packages(Settings(), tmp_path).required_torch.oldest == (2, 2)


def test_metadata_come_before_lists(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==2.6.0\n", encoding="utf-8")
    assert with_packages(Settings(), tmp_path).required_torch == ((2, 6), (2, 6))
    (tmp_path / "setup.py").write_text("setup(install_requires=['torch>=1.8'])\n", encoding="utf-8")
    assert with_packages(Settings(), tmp_path).required_torch == ((1, 8), None)


def test_the_widest_of_a_file_counts(tmp_path: Path) -> None:
    text = "setup(extras_require={'a': ['torch>=1.8,<2.3'], 'b': ['torch==2.4.0']})\n"
    (tmp_path / "setup.py").write_text(text, encoding="utf-8")
    assert with_packages(Settings(), tmp_path).required_torch == ((1, 8), (2, 4))


@pytest.mark.parametrize(
    ("target", "required", "oldest", "reported"),
    [
        (None, (None, None), (2, 4), (2, 15)),
        (None, ((2, 6), None), (2, 6), (2, 15)),  # what it runs with is hardly what it was once tried with
        (None, ((2, 1), (2, 1)), (2, 1), (2, 1)),
        (None, (None, (2, 2)), (2, 2), (2, 2)),
        (None, (None, (2, 9)), (2, 4), (2, 9)),
        ((2, 9), ((2, 1), (2, 1)), (2, 9), (2, 9)),
    ],
)
def test_advice_is_for_the_oldest_and_a_pin_says_what_is_told(
    target: tuple[int, int] | None,
    required: tuple[tuple[int, int] | None, tuple[int, int] | None],
    oldest: tuple[int, int],
    reported: tuple[int, int],
) -> None:
    settings = Settings(target_torch=target, required_torch=RequiredTorch(*required))
    assert (settings.oldest_torch, settings.reported_torch) == (oldest, reported)


@pytest.mark.parametrize("text", ["", "torch\n", "torch>=\n", "\0[", "- torch\n" * 100])
def test_what_says_nothing_is_passed_over(tmp_path: Path, text: str) -> None:
    for name in ("pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "environment.yml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert with_packages(Settings(), tmp_path).required_torch == RequiredTorch()


@pytest.mark.parametrize("name", [name for name in FILES if "/" not in name and "." in name])
def test_the_nearest_folder_that_requires_torch_counts(tmp_path: Path, name: str) -> None:
    (tmp_path / "requirements.txt").write_text("torch>=2.6\n", encoding="utf-8")
    own = tmp_path / "programs" / "depth"
    (own / "models").mkdir(parents=True)
    (own / name).write_text(FILES[name], encoding="utf-8")
    settings = with_packages(Settings(), tmp_path)
    assert settings.at(own / "models" / "train.py").oldest_torch == (2, 2)
    assert settings.at(own / "train.py").oldest_torch == (2, 2)
    assert settings.at(tmp_path / "programs" / "train.py").oldest_torch == (2, 6)
    assert settings.at(tmp_path / "train.py").oldest_torch == (2, 6)


def test_what_a_key_sets_is_stronger_than_folders(tmp_path: Path) -> None:
    (tmp_path / "depth").mkdir()
    (tmp_path / "depth" / "requirements.txt").write_text("torch==1.13\n", encoding="utf-8")
    settings = with_packages(Settings(target_torch=(2, 6)), tmp_path)
    assert settings.at(tmp_path / "depth" / "train.py").oldest_torch == (2, 6)


def test_settings_do_not_say_where_a_project_lies(tmp_path: Path) -> None:
    first, second = (repr(with_packages(Settings(), tmp_path / name)) for name in "ab")
    assert first == second
