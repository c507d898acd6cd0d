"""Rules of third parties: an installed pack's rule runs, and a broken pack is one clear line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from overhead_lint.cache.folder import FOLDER

Run = Callable[..., "subprocess.CompletedProcess[str]"]

HEAD = """\
import ast
from overhead_lint.hookspecs import hookimpl
from overhead_lint.rule import Heat, Rule

def rule(code):
    return Rule(code, "name", "summary", (b"x",), Heat.COLD)
"""

GIVEN = "@hookimpl\ndef overhead_lint_rules():\n    return [Rule({})]"

ODD = """
ODD = Rule("EXA001", "name", "summary", (b"x",), Heat.COLD)

@ODD.on(ast.Assign)
def check(node, ctx):
    {statement}

@hookimpl
def overhead_lint_rules():
    return [ODD]
"""


@pytest.fixture
def install(tmp_path: Path) -> Callable[..., Path]:
    """Lay out an installed pack of one module."""

    def installed(body: str, name: str = "broken") -> Path:
        folder = tmp_path / "site"
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[overhead_lint]\n{name} = {name}_pack\n")
        (folder / f"{name}_pack.py").write_text(HEAD + body)
        return folder

    return installed


def test_the_rule_of_an_installed_pack_is_listed_and_has_its_page(run: Run, pack: Path) -> None:
    assert "EXA001  sleep-in-step" in run("rule", "--list", path=pack).stdout
    assert run("rule", "EXA001", path=pack).stdout.startswith("# sleep-in-step (EXA001)")


def test_a_pack_that_the_settings_leave_out_is_not_listed(run: Run, pack: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text("rule-packs = []\n")
    for how in ("--list", "--all"):
        done = run("rule", how, path=pack)
        assert done.returncode == 0
        assert "OVH101" in done.stdout and "EXA001" not in done.stdout
    assert run("rule", "EXA001", path=pack).stderr.startswith("overhead-lint: unknown rule 'EXA001'")
    (tmp_path / "overhead-lint.toml").write_text("rule-pack = []\n")
    assert run("rule", "--list", path=pack).returncode == 2
    assert run("rule", "OVH101", path=pack).returncode == 0


def test_a_broken_pack_that_the_settings_leave_out_is_in_nobodys_way(
    run: Run, install: Callable[..., Path], tmp_path: Path
) -> None:
    site = install("raise ValueError")
    (tmp_path / "overhead-lint.toml").write_text("rule-packs = []\n")
    (tmp_path / "program.py").write_text("print('ran')\n")
    for command in (["rule", "--list"], ["rule", "OVH101"], ["run", "program.py"], ["check", "program.py"]):
        done = run(*command, path=site)
        assert (done.returncode, "broken" in done.stderr) == (0, False)
    (tmp_path / "overhead-lint.toml").unlink()
    assert run("rule", "OVH101", path=site).returncode == 0


def test_without_the_pack_its_rule_is_unknown(run: Run) -> None:
    done = run("rule", "EXA001")
    assert done.stderr.startswith("overhead-lint: unknown rule 'EXA001'")
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("import nonsense_that_is_not_there", "rule pack 'broken' (broken_pack): ModuleNotFoundError: "),
        ("raise ValueError('one\\ntwo')", "rule pack 'broken' (broken_pack): ValueError: one two"),
        ("@hookimpl\ndef overhead_lint_rules(): return 1 / 0", "rule pack 'broken': ZeroDivisionError: "),
        ("@hookimpl\ndef overhead_lint_rules(): return [1]", "rule pack 'broken': 1 is not an overhead_lint"),
        ("@hookimpl\ndef overhead_lint_rules(): return 3", "rule pack 'broken': TypeError: "),
        (
            "@hookimpl\ndef overhead_lint_rules(): return [rule('EXA001'), rule('EXA001')]",
            "EXA001 is defined twice: by rule pack 'broken' and by rule pack 'broken'",
        ),
        (
            "@hookimpl\ndef overhead_lint_rules(nonsense): return []",
            "rule pack 'broken' (broken_pack): PluginValidationError: ",
        ),
        ("@hookimpl\ndef overhead_lint_rulez(): return []", "rule pack 'broken'"),
        ("raise SystemExit(0)", "rule pack 'broken' (broken_pack): SystemExit: 0"),
        (
            "@hookimpl\ndef overhead_lint_rules(): raise SystemExit('over')",
            "rule pack 'broken': SystemExit: over",
        ),
        (
            "@hookimpl\ndef overhead_lint_rules():\n"
            "    return [Rule('exa-1', 'name', 'summary', (b'x',), Heat.COLD)]",
            "rule pack 'broken': 'exa-1' is no code, as ACM101 is one",
        ),
        (
            GIVEN.format("'OVH950', 'name', 'summary', (b'x',), Heat.COLD"),
            "rule pack 'broken': 'OVH950' begins with OVH, as the codes of overhead-lint do",
        ),
        (
            GIVEN.format("'EXA001', None, 'summary', (b'x',), Heat.COLD"),
            "rule pack 'broken': name of EXA001 is no text: None",
        ),
        (
            GIVEN.format("'EXA001', 'name', 'summary', ('x',), Heat.COLD"),
            "rule pack 'broken': triggers of EXA001 are no byte strings, as (b'sleep',) are: ('x',)",
        ),
        (
            GIVEN.format("'EXA001', 'name', 'summary', (), Heat.COLD"),
            "rule pack 'broken': triggers of EXA001 are no byte strings",
        ),
        (
            GIVEN.format("'EXA001', 'name', 'summary', (b'x',), 'step'"),
            "rule pack 'broken': heat of EXA001 is no Heat, as Heat.STEP is: 'step'",
        ),
        (
            "rule('EXA001').on('Call')",
            "rule pack 'broken' (broken_pack): TypeError: Rule.on takes classes of",
        ),
        (
            "rule('EXA001').on()",
            "rule pack 'broken' (broken_pack): TypeError: Rule.on takes classes of nodes",
        ),
        (
            "rule('EXA001').on(ast.Call, named='sleep')",
            "rule pack 'broken' (broken_pack): TypeError: Rule.on takes several names, as in named=('sl",
        ),
    ],
)
def test_a_broken_pack_is_one_line_that_names_it(
    run: Run, install: Callable[..., Path], tmp_path: Path, body: str, error: str
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = run("a.py", path=install(body))
    assert done.stderr.startswith(f"overhead-lint: {error}")
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2


@pytest.mark.parametrize(
    "points", [b"[console_scripts]\n\xff = a:b\n", b"[console_scripts]\nno equals sign\n"]
)
def test_another_distribution_whose_entry_points_cannot_be_read_is_named(
    run: Run, install: Callable[..., Path], tmp_path: Path, points: bytes
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    folder = install("")
    info = folder / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_bytes(points)
    done = run("a.py", path=folder)
    assert done.stderr.startswith(f"overhead-lint: entry_points.txt of other in {folder} cannot be read: ")
    assert (done.stderr.count("\n"), done.returncode) == (1, 2)


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("yield 5", "TypeError: 5 is not an overhead_lint.rule.Finding"),
        ("raise SystemExit(0)\n    yield", "SystemExit: 0"),
    ],
)
def test_a_broken_rule_is_one_line_that_names_it(
    run: Run, install: Callable[..., Path], tmp_path: Path, statement: str, error: str
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = run("a.py", path=install(ODD.format(statement=statement)))
    assert done.stderr == f"a.py: rule EXA001 failed: {error}\n"
    assert done.returncode == 2


def test_a_broken_rule_fails_only_the_runs_that_select_it(
    run: Run, install: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    folder = install(ODD.format(statement="yield 5"))
    error = "a.py: rule EXA001 failed: TypeError: 5 is not an overhead_lint.rule.Finding\n"
    for _ in range(2):  # the second time by what the first run kept
        done = run("a.py", "--ignore", "EXA", path=folder)
        assert (done.returncode, done.stderr) == (0, "")
        done = run("a.py", path=folder)
        assert (done.returncode, done.stderr) == (2, error)


@pytest.mark.parametrize("name", ["full", "concise", "grouped", "table"])
def test_the_message_of_a_rule_stays_on_its_line(
    run: Run, install: Callable[..., Path], tmp_path: Path, name: str
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    statement = 'yield ctx.finding(ODD, node, "one\\ntwo\\x1b[31m", help="none")'
    done = run("a.py", "--output-format", name, path=install(ODD.format(statement=statement)))
    assert "one\\ntwo\\x1b[31m" in done.stdout


def test_rule_packs_says_which_packs_are_loaded(
    run: Run, install: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    folder = install("raise ValueError('is imported')")
    settings = tmp_path / "overhead-lint.toml"
    settings.write_text("rule-packs = []")
    assert run("a.py", path=folder).returncode == 0
    settings.write_text("rule-packs = ['broken']")
    assert "rule pack 'broken' (broken_pack): ValueError: is imported" in run("a.py", path=folder).stderr
    settings.write_text("rule-packs = ['brokn']")
    assert run("a.py", path=folder).stderr == (
        f"{settings}:1: rule pack 'brokn' is not installed: installed are broken\n"
    )
    missing = f"{settings}:1: rule pack 'brokn' is not installed: none is installed\n"
    assert run("a.py").stderr == missing


def test_preview_runs_rules_that_are_off_by_default(
    run: Run, install: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    folder = install(
        """
PREVIEW = Rule("EXA001", "name", "summary", (b"x",), Heat.COLD, preview=True)

@PREVIEW.on(ast.Assign)
def check(node, ctx):
    yield ctx.finding(PREVIEW, node, "an assignment", help="none")

@hookimpl
def overhead_lint_rules():
    return [PREVIEW]
"""
    )
    assert run("a.py", path=folder).returncode == 0
    assert "only rules that need their full code" in run("a.py", "--select", "EXA", path=folder).stderr
    assert "EXA001" in run("a.py", "--select", "EXA", "--preview", path=folder).stdout
    (tmp_path / "overhead-lint.toml").write_text("preview = true")
    assert "EXA001" in run("a.py", path=folder).stdout


TABLE = """
[[api]]
in = "acme.ops"
names = "fused_norm"
returns = "tensor"
lands = "device"
"""
GIVES_TABLE = """
from pathlib import Path

@hookimpl
def overhead_lint_effects():
    return [Path(__file__).with_name("effects.toml")]
"""
READS_ACME = """
import torch
from acme.ops import fused_norm

class Model(torch.nn.Module):
    def forward(self, given):
        if fused_norm(given):
            return given
"""


def test_rules_know_what_a_packs_table_says(run: Run, install: Callable[..., Path], tmp_path: Path) -> None:
    site = install(GIVES_TABLE)
    (site / "effects.toml").write_text("")
    (tmp_path / "model.py").write_text(READS_ACME)
    assert "OVH404" not in run("check", "model.py", "--select", "OVH404", path=site).stdout
    (site / "effects.toml").write_text(TABLE)
    for _ in range(2):  # the second time from what was kept
        assert "model.py:7" in run("check", "model.py", "--select", "OVH404", path=site).stdout
    (tmp_path / "overhead-lint.toml").write_text("rule-packs = []\n")
    assert "OVH404" not in run("check", "model.py", "--select", "OVH404", path=site).stdout


def test_a_pack_that_was_installed_elsewhere_finds_what_was_kept(
    run: Run, install: Callable[..., Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    site = install(GIVES_TABLE)
    (site / "effects.toml").write_text(TABLE)
    (tmp_path / "model.py").write_text(READS_ACME)
    (tmp_path / "overhead-lint.toml").write_text("")
    other = tmp_path_factory.mktemp("other") / "site"
    shutil.copytree(site, other, copy_function=shutil.copyfile)  # with other times

    def caches() -> int:
        return len([*(tmp_path / FOLDER).glob("*.index")])

    outputs = [run("check", "model.py", path=path).stdout for path in (site, other)]
    assert outputs[0] == outputs[1] and "OVH404" in outputs[0]
    assert caches() == 1
    (other / "effects.toml").write_text(f"{TABLE}\n# changed\n")
    run("check", "model.py", path=other)
    assert caches() == 2


ROW = "rule pack 'broken': effects.toml: acme.ops: fused_norm"


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ("[[api]\n", "rule pack 'broken': effects.toml: "),
        ('[[api]]\nin = "acme"\n', "rule pack 'broken': effects.toml: an [[api]] without the texts `in`"),
        (
            TABLE + "lnads = 1\n",
            f"{ROW}: no column is called",
        ),
        (
            TABLE + 'mask = "perhaps"\n',
            f"{ROW}: mask: 'perhaps'",
        ),
        (
            TABLE + 'tells = ["tensor"]\n',
            f"{ROW}: tells is not",
        ),
        (
            TABLE + 'signature = "a:TT b"\n',
            f"{ROW}: signature: ",
        ),
        (None, "rule pack 'broken': FileNotFoundError: "),
    ],
)
def test_a_table_that_cannot_be_used_is_told_in_one_line(
    run: Run, install: Callable[..., Path], tmp_path: Path, table: str | None, error: str
) -> None:
    site = install(GIVES_TABLE)
    if table is not None:
        (site / "effects.toml").write_text(table)
    (tmp_path / "model.py").write_text("x = 1\n")
    done = run("check", "model.py", path=site)
    assert done.returncode == 2
    assert done.stderr.startswith(f"overhead-lint: {error}")
    assert done.stderr.count("\n") == 1
