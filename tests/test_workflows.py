"""The workflows ask for what is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overhead_lint._version import __version__
from overhead_lint.native.extension import all_packaged
from overhead_lint.support.compiled_form import is_compiled

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def commands(path: Path) -> list[str]:
    jobs: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_commands_name_targets_and_files_that_are_there(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in commands(path):
        for target in re.findall(r"\bmake ([\w-]+)", command):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for name in re.findall(r"(?:bash|-r|pytest|bin/python) ([\w./-]+/[\w./-]+)", command):
            assert (ROOT / name).exists(), name


def test_every_native_core_is_compiled_before_the_tests_begin() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (cores,) = re.findall(r"^CORES := (.+)$", makefile, re.MULTILINE)
    assert cores.split() == sorted(extension.name for extension in all_packaged())
    (before,) = re.findall(r"^tested: (.+)\n\t.+ -m pytest ", makefile, re.MULTILINE)
    assert "cores" in before.split()


def test_the_versions_of_python_are_claimed() -> None:
    claimed = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    assert set(re.findall(r'"(3\.\d+)"', text)) <= set(claimed)
    wheels = re.findall(r"cp3\d+", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert wheels and {f"cp{version.replace('.', '')}" for version in claimed} >= set(wheels)


def test_compiled_wheels_are_built_of_the_sdist_and_tried() -> None:
    """A checkout's would hold the runtime's files, which the distribution of the runtime holds as well."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))[
        "jobs"
    ]
    assert jobs["compiled"]["needs"] == "pure"
    assert not any("checkout" in step.get("uses", "") for step in jobs["compiled"]["steps"])
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (script,) = re.findall(r'^test-command = "python \{package\}/(\S+)"$', text, re.MULTILINE)
    assert (ROOT / script).is_file()
    done = subprocess.run([sys.executable, str(ROOT / script)], capture_output=True, text=True, check=False)
    assert done.returncode == int(not is_compiled())
    assert is_compiled() or ("overhead-lint " in done.stderr and "OVH404" in done.stderr)


def test_the_image_is_built_of_what_a_build_needs() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert all((ROOT / name).exists() for name in kept)
    content = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    grafted = set(re.findall(r"^graft (\S+)", content, re.MULTILINE))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    packages = set(
        re.findall(r'^\S+ = "(\w+)"$', project.partition("package-dir]")[2].partition("[")[0], re.M)
    )
    assert kept == {
        "LICENSE",
        "MANIFEST.in",
        "README.md",
        "overhead_runtime",
        "pyproject.toml",
        "setup.py",
    } | (grafted | packages)


def test_only_the_jobs_that_publish_may_write() -> None:
    for path in WORKFLOWS:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert content["permissions"] == {"contents": "read"}
        granting = {name: job["permissions"] for name, job in content["jobs"].items() if "permissions" in job}
        assert granting.keys() <= {"publish", "site"}
        assert granting.get("site", {"contents": "write"}) == {"contents": "write"}


def test_no_checkout_leaves_a_token_behind_but_the_one_that_is_pushed_from() -> None:
    kept = [
        step.get("with", {}).get("ref")
        for path in WORKFLOWS
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
        for step in job["steps"]
        if step.get("uses", "").startswith("actions/checkout@")
        and step.get("with", {}).get("persist-credentials") is not False
    ]
    assert kept == ["gh-pages"]


@pytest.mark.parametrize(("tag", "status"), [(f"v{__version__}", 0), ("v0.0.1", 1)])
def test_a_release_goes_on_only_for_the_tag_of_this_version(tag: str, status: int) -> None:
    """And with a changelog that gives its date."""
    (release,) = (path for path in WORKFLOWS if path.stem == "release")
    checks = [command for command in commands(release) if "GITHUB_REF_NAME" in command.splitlines()[0]]
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "GITHUB_REF_NAME": tag, "PATH": search}
    done = [subprocess.call(["bash", "-c", check], cwd=ROOT, env=environment) for check in checks]
    assert done == [status] * 2


def test_templates_of_issues_are_forms() -> None:
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")):
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert path.stem == "config" or {"name", "description", "body"} <= form.keys()


def test_our_own_hooks_run_what_is_there() -> None:
    content = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = content["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["ruff-check", "ruff-format", "overhead-lint", "mypy"]
