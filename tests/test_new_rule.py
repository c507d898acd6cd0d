"""`make new-rule` writes a rule, a page and a test that fail until they are filled in."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("new_rule", ROOT / "tools" / "new_rule.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "rules", tmp_path / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests" / "rules").mkdir(parents=True)
    return tmp_path


def test_a_module_a_page_and_a_test_are_written(
    tool: ModuleType, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool.main(["OVH699", "brand-new", "python"], root) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [
        "rules/python/brand_new.py",
        "rules/python/brand_new.md",
        "tests/rules/test_brand_new.py",
    ]
    for name in (told[0], told[2]):
        text = (root / name).read_text()
        ast.parse(text)
        assert "OVH699" in text and "FILL IN" in text
    page = (root / told[1]).read_text()
    like = (ROOT / "rules" / "python" / "module_per_step.md").read_text()
    assert page.startswith("# OVH699 brand-new\n")
    assert re.findall(r"^## .*", page, re.MULTILINE) == re.findall(r"^## .*", like, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["OVH605", "brand-new", "python"], "OVH605 is taken: OVH6"),
        (["OVH399", "brand-new", "python"], "codes of python begin with OVH6, not OVH3"),
        (["OVH699", "brand-new", "snakes"], "no such family: 'snakes'; there are autograd, "),
        (["OVH699", "Brand_New", "python"], "NAME is in kebab-case"),
        (["X1", "brand-new", "python"], "CODE is OVH and three digits"),
        (["OVH699", "module-per-step", "python"], "rules/python/module_per_step.py is there already"),
        (["", "", ""], "CODE is OVH and three digits"),
    ],
)
def test_wrong_arguments_are_one_line_and_write_nothing(
    tool: ModuleType, root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    before = sorted(root.rglob("*"))
    assert tool.main(arguments, root) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1
    assert sorted(root.rglob("*")) == before
