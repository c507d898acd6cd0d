"""Settings files as a user sees them: what they do, and what is said about mistakes in them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

MODEL = """\
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        with torch.autocast("cuda"):
            return x.sum().item()
"""


@pytest.fixture
def run(run_here: Run) -> Run:
    """Run the command in an empty folder."""
    return run_here


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A file in a sub-folder, with findings of OVH101 and OVH404."""
    path = tmp_path / "src" / "model.py"
    path.parent.mkdir()
    path.write_text(MODEL)
    return path


def codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode in (0, 1), done.stderr
    return [word for word in done.stdout.split() if word in ("OVH101", "OVH404")]


def check(run: Run, *arguments: str) -> list[str]:
    return codes(run("src", "--output-format", "grouped", *arguments))


def test_without_a_settings_file_all_rules_run(run: Run, model: Path) -> None:
    assert check(run) == ["OVH101", "OVH404"]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ('select = ["OVH4"]', ["OVH404"]),
        ('ignore = ["OVH4"]', ["OVH101"]),
        ('select = ["OVH1"]\nextend-select = ["OVH404"]', ["OVH101", "OVH404"]),
        ('min-heat = "loop"', []),
    ],
)
@pytest.mark.parametrize(
    ("name", "table"), [("overhead-lint.toml", ""), ("pyproject.toml", "[tool.overhead-lint]\n")]
)
def test_a_file_above_the_path_sets_what_runs(
    run: Run, model: Path, name: str, table: str, lines: str, left: list[str]
) -> None:
    (model.parents[1] / name).write_text(table + lines)
    assert check(run) == left


def test_the_nearest_file_wins_and_a_pyproject_without_our_table_is_passed_over(
    run: Run, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "overhead-lint.toml").write_text('select = ["OVH4"]')
    (model.parent / "pyproject.toml").write_text("[project]\nname = 'overhead-lint-user'\n")
    assert check(run) == ["OVH404"]
    (model.parent / "overhead-lint.toml").write_text('select = ["OVH1"]')
    assert check(run) == ["OVH101"]


def test_the_command_line_wins(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('ignore = ["OVH404"]\nmin-heat = "loop"')
    assert check(run, "--min-heat", "step") == ["OVH101"]
    assert check(run, "--min-heat", "step", "--select", "OVH404") == ["OVH404"]
    assert check(run, "--isolated") == ["OVH101", "OVH404"]


def test_config_names_the_file_to_read(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('select = ["OVH1"]')
    (tmp_path / "ci.toml").write_text('select = ["OVH4"]')
    assert check(run, "--config", "ci.toml") == ["OVH404"]


def test_excluded_files_are_checked_only_when_named(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('exclude = ["src/mod*.py"]')
    assert check(run) == []
    assert codes(run("src/model.py", "--output-format", "grouped")) == ["OVH101", "OVH404"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        ("['src/*', '!src/model.py']", ["OVH101", "OVH404"]),
        ("['src', '!model.py']", []),
        ("['/*', '!/src']", ["OVH101", "OVH404"]),
    ],
)
def test_a_file_is_taken_back_in_unless_its_folder_is_left_out(
    run: Run, model: Path, tmp_path: Path, patterns: str, left: list[str]
) -> None:
    (tmp_path / "overhead-lint.toml").write_text(f"exclude = {patterns}")
    assert check(run) == left


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [("[!]x]*", True), ("[]s]rc", True), ("\\\\[src", False), ("s]", False), ("[[:alpha:]]*", True)],
)
def test_a_set_of_characters_may_hold_brackets(
    run: Run, model: Path, tmp_path: Path, pattern: str, fits: bool
) -> None:
    (tmp_path / "overhead-lint.toml").write_text(f'exclude = ["{pattern}"]')
    assert check(run) == ([] if fits else ["OVH101", "OVH404"])


def test_a_broken_pattern_of_gitignore_is_passed_over_as_git_does(
    run: Run, model: Path, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("src[\n")
    assert check(run) == ["OVH101", "OVH404"]
    (tmp_path / ".gitignore").write_text("src[\nsrc\n")
    (tmp_path / "setup.py").touch()
    done = run(".", "--show-files")
    assert (done.stdout, done.stderr) == ("setup.py\n", "")


def test_a_run_that_settings_leave_no_file_says_so(run: Run, model: Path, tmp_path: Path) -> None:
    settings = tmp_path / "overhead-lint.toml"
    settings.write_text('extend-exclude = ["src"]')
    done = run("src")
    said = f"{settings}: exclude leaves nothing to check of 1 file\n"
    assert (done.stdout, done.stderr, done.returncode) == ("No findings.\n", said, 0)
    assert run("src", "--quiet").stderr == run("src", "--force-exclude").stderr == ""
    (tmp_path / "setup.py").touch()
    assert run(".").stderr == ""


@pytest.mark.parametrize(
    ("lines", "arguments", "said"),
    [
        ("\nselect = []", (), "overhead-lint.toml:2: no rule is selected: name codes, or leave select out"),
        (
            "ignore = ['ALL']",
            (),
            "no rule is selected: --show-settings tells what select and ignore are set to",
        ),
        ("", ("--select", "OVH101", "--ignore", "OVH1,OVH101"), "no rule is selected: --show-settings tells"),
        ("", ("--ignore", "ALL", "--fix"), "no rule is selected: --show-settings tells"),
    ],
)
def test_a_run_without_rules_is_no_clean_one(
    run: Run, model: Path, tmp_path: Path, lines: str, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "overhead-lint.toml").write_text(lines)
    for _ in range(2):  # what the first run keeps makes the second no other
        done = run("src", *arguments)
        assert said in done.stderr
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert run("src", *(one for one in arguments if one != "--fix"), "--show-settings").returncode == 0
    if not arguments:
        assert check(run, "--select", "OVH101") == ["OVH101"]
        assert run("src", "--show-files").stdout == "src/model.py\n"


def test_a_file_may_select_nothing_but_what_it_selects_besides(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text("select = []\nextend-select = ['OVH101']")
    assert check(run) == ["OVH101"]


def test_what_is_excluded_can_be_left_out_where_it_is_named(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('exclude = ["src/"]\n')
    text = model.read_bytes()
    for option in ("--select=ALL", "--fix", "--unsafe-fixes --fix", "--add-ignore=later"):
        done = run("--force-exclude", *option.split(), str(model))
        assert (done.returncode, done.stdout) == (0, "No findings.\n")
    assert model.read_bytes() == text
    assert run(str(model)).returncode == 1


@pytest.mark.parametrize(("codes_there", "left"), [("OVH1", ["OVH404"]), ("ALL", [])])
def test_per_file_ignores_count_in_the_files_that_fit_only(
    run: Run, model: Path, tmp_path: Path, codes_there: str, left: list[str]
) -> None:
    settings = tmp_path / "overhead-lint.toml"
    settings.write_text(f'[per-file-ignores]\n"src/model.py" = ["{codes_there}"]')
    assert check(run) == left
    run("src", "--fix")
    assert model.read_text() == MODEL
    settings.write_text(f'[per-file-ignores]\n"other/" = ["{codes_there}"]')
    assert check(run) == ["OVH101", "OVH404"]


def test_fixes_import_from_the_runtime_module(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('runtime-module = "pkg._overhead"')
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    vendored = run("vendor", "pkg/_overhead")
    assert vendored.returncode == 0, vendored.stderr
    run("src", "--select", "OVH101", "--fix")
    assert "from pkg import _overhead" in model.read_text()
    assert "overhead_lint" not in model.read_text()
    assert (tmp_path / "pkg" / "_overhead" / "__init__.py").is_file()


def test_show_settings_says_where_each_value_comes_from(run: Run, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "overhead-lint.toml"
    path.write_text('ignore = ["OVH404"]')
    done = run("src", "--show-settings", "--min-heat", "loop")
    assert done.stdout.splitlines() == [
        'select = ["ALL"]  # default',
        "extend-select = []  # default",
        f'ignore = ["OVH404"]  # {path}',
        "per-file-ignores = {}  # default",
        "preview = false  # default",
        'fixable = ["ALL"]  # default',
        "unfixable = []  # default",
        "exclude = []  # default",
        "extend-exclude = []  # default",
        "hot = []  # default",
        "cold = []  # default",
        'min-heat = "loop"  # command line',
        "# runtime-module: default",
        "# target-torch: default",
        "# rule-packs: default",
        "# baseline: default",
    ]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('\nselct = ["OVH1"]', 2, "unknown setting 'selct': did you mean select?"),
        (
            'output_format = "json"',
            1,
            "'output_format' is no setting: give --output-format on the command line",
        ),
        (
            "baseline-strict = true",
            1,
            "'baseline-strict' is no setting: give --baseline-strict on",
        ),
        ("baseline = ['b.jsonl']", 1, "baseline takes the path of a file"),
        ('baseline = ""', 1, "baseline takes the path of a file"),
        ('min_heat = "step"', 1, "unknown setting 'min_heat': did you mean min-heat?"),
        ('select = [\n  "OVH1",\n  "OVH999",\n]', 3, "unknown rule 'OVH999'"),
        ('select = "OVH1"', 1, "select takes a list of codes"),
        ("ignore = [1]", 1, "ignore takes a list of codes"),
        ('min-heat = "lop"', 1, "unknown heat 'lop': did you mean loop?"),
        ("runtime-module = 3", 1, "runtime-module takes a string, or false, not 3"),
        ('runtime-module = "pkg/_overhead"', 1, "runtime-module takes a dotted module"),
        ("target-torch = 2.4", 1, "target-torch takes a string, not 2.4"),
        ('target-torch = "2.x"', 1, "target-torch takes major and minor version, as in '2.4', not '2.x'"),
        ("exclude = 'src'", 1, "exclude takes a list of patterns"),
        ("exclude = ['!']", 1, "'!' is no pattern"),
        ("per-file-ignores = ['OVH1']", 1, "per-file-ignores takes a table"),
        ("[per-file-ignores]\n'*.py' = ['OVH999']", 2, "unknown rule 'OVH999'"),
        ("\nselect = [", 2, "is not TOML"),
        ("preview = 1", 1, "preview takes true or false, not 1"),
        ("unfixable = ['OVH101', 'OVH999']", 1, "unknown rule 'OVH999'"),
        ("extend-exclude = 'src'", 1, "extend-exclude takes a list of patterns"),
        ("rule-packs = 'mine'", 1, "rule-packs takes a list of names"),
        ("extend = ['a']", 1, "extend takes the path of a file"),
        ("extend = 'gone.toml'", 1, "extends gone.toml: no such file"),
        ("\nextend = 'overhead-lint.toml'", 2, "overhead-lint.toml extends this file in turn"),
        ('extend = "a\\u0000b"', 1, "extends a\\x00b: no such file"),
        ('extend = "a\\nb"', 1, "extends a\\nb: no such file"),
        ("extend = '~nobody-of-this-name/a'", 1, "extends ~nobody-of-this-name/a: "),
        (f"target-torch = '2.{'9' * 5000}'", 1, "target-torch takes major and minor version"),
        ("runtime-module = 'pkg.class'", 1, "runtime-module takes a dotted module"),
        ("per-file-ignores = {'' = ['OVH1']}", 1, "'' is no pattern"),
        ("[per-file-ignores]\n'!train.py' = ['OVH1']", 2, "'!train.py' fits no file"),
        ("[per-file-ignores]\n'#train.py' = ['OVH1']", 2, "'#train.py' fits no file"),
        ("cold = ['!tools/']", 1, "'!tools/' fits no file"),
        ("cold = ['./tools/']", 1, "'./tools/' fits no file: patterns begin at the folder of this file"),
        ("exclude = ['src', '!./src/a.py']", 1, "'!./src/a.py' fits no file"),
        ("extend-exclude = ['src/../tools']", 1, "'src/../tools' fits no file"),
        ("[per-file-ignores]\n'../a.py' = ['OVH1']", 2, "'../a.py' fits no file"),
        ("[per-file-ignores]\n'**/{a,b}.py' = ['OVH1']", 2, "'**/{a,b}.py' fits no file: write several"),
        ("exclude = ['a', '[z-a].py']", 1, "'[z-a].py' is no pattern as in .gitignore"),
        ("exclude = [\n'a',\n'src[',\n]", 3, "'src[' fits no file: a [ in it is not closed"),
        ("extend-exclude = ['src[]']", 1, "'src[]' fits no file: a [ in it"),
        ("exclude = ['src[!]']", 1, "'src[!]' fits no file: a [ in it"),
        ("exclude = ['[[:alpha:]x']", 1, "'[[:alpha:]x' fits no file: a [ in it"),
        ("exclude = ['a/[b/c].py']", 1, "'a/[b/c].py' fits no file: a [ in it"),
        ("[per-file-ignores]\n'a' = ['OVH1']\n'src[a-' = ['OVH1']", 3, "'src[a-' fits no file: a [ in it"),
        ("hot = ['tools/[']", 1, "'tools/[' fits no file: a [ in it"),
        ("cold = [\n'pkg.a',\n'pkg.[ab']", 3, "'pkg.[ab' fits no function: a [ in it is not closed"),
        ("exclude = ['#src']", 1, "'#src' fits no file: # begins a comment"),
        ("exclude = ['/']", 1, "'/' is no pattern as in .gitignore"),
        ("extend-exclude = ['!src/a.py', 'src']", 1, "'!src/a.py' takes nothing away: no pattern of this"),
        (
            "exclude = [\n'src/', '!/src/a.py']",
            2,
            "'!/src/a.py' takes nothing away: the folder src/ is left out",
        ),
        (
            "exclude = ['a/b', '!b.py', '!a/b/c/d.py']",
            1,
            "'!a/b/c/d.py' takes nothing away: the folder a/b/ is",
        ),
        ("extend-ignore = ['OVH1']", 1, "unknown setting 'extend-ignore': did you mean ignore?"),
        ("include = ['src/**']", 1, "'include' is no setting: name files and folders on the command line"),
        ("extend-include = ['*.pyw']", 1, "'extend-include' is no setting: name files and folders on the"),
        ("lint = {}", 1, "unknown setting 'lint': there are select,"),
        ("select = ['all']", 1, "unknown rule 'all': did you mean ALL?"),
    ],
)
def test_a_mistake_is_one_line_that_names_file_and_line(
    run: Run, model: Path, tmp_path: Path, text: str, line: int, said: str
) -> None:
    path = tmp_path / "overhead-lint.toml"
    path.write_text(text)
    done = run("src")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"{path}:{line}: {said}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["overhead_lint", "overheadlint"])
def test_a_table_of_another_spelling_is_not_passed_over(
    run: Run, model: Path, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(f'[project]\nname = "x"\n[tool.{name}]\nselect = ["OVH1"]\n')
    said = f"3: unknown table [tool.{name}]: did you mean [tool.overhead-lint]?"
    assert (run("src").stderr, run("src").returncode) == (f"{path}:{said}\n", 2)
    path.write_text(f'[tool.setuptools.package-data]\n{name} = ["py.typed"]\n')
    assert check(run) == ["OVH101", "OVH404"]


def test_too_many_files_that_extend_each_other_are_one_line(run: Run, model: Path, tmp_path: Path) -> None:
    for number in range(1100):
        (tmp_path / f"{number}.toml").write_text(f'extend = "{number + 1}.toml"')
    done = run("src", "--config", "0.toml")
    assert done.stderr.endswith("files extend each other: put them into fewer\n")
    assert (done.stderr.count("\n"), done.returncode) == (1, 2)


def test_an_empty_name_of_a_settings_file_is_told(run: Run, model: Path) -> None:
    done = run("src", "--config", "")
    assert "argument --config: an empty path" in done.stderr
    assert done.returncode == 2


def test_settings_are_shown_as_toml_can_hold_them(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('exclude = ["\U0001f600.py"]', encoding="utf-8")
    assert 'exclude = ["\U0001f600.py"]' in run("src", "--show-settings").stdout


def test_a_file_extends_another_key_by_key(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('select = ["OVH1"]\nexclude = ["src/other.py"]\nmin-heat = "loop"')
    (tmp_path / "src" / "other.py").write_text(MODEL)
    (tmp_path / "src" / "third.py").write_text(MODEL)
    settings = model.parent / "overhead-lint.toml"
    settings.write_text('extend = "../base.toml"\nmin-heat = "step"\nextend-exclude = ["third.py"]')
    assert check(run) == ["OVH101"]
    shown = run("src", "--show-settings").stdout
    assert f'select = ["OVH1"]  # {tmp_path}/base.toml' in shown
    assert f'min-heat = "step"  # {settings}' in shown


def test_what_files_leave_out_besides_is_shown_of_all_of_them(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('extend-exclude = ["a"]')
    (tmp_path / "middle.toml").write_text('extend = "base.toml"\nextend-exclude = []')
    settings = model.parent / "overhead-lint.toml"
    settings.write_text('extend = "../middle.toml"')
    assert f'extend-exclude = ["a"]  # {tmp_path}/base.toml\n' in run("src", "--show-settings").stdout
    settings.write_text('extend = "../middle.toml"\nextend-exclude = ["b"]')
    shown = f'extend-exclude = ["b", "a"]  # {settings}, {tmp_path}/base.toml\n'
    assert shown in run("src", "--show-settings").stdout


def test_a_mistake_in_the_extended_file_is_placed_there(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('extend = "base.toml"')
    (tmp_path / "base.toml").write_text('min-heat = "step"\nignore = ["OVH999"]')
    assert run("src").stderr.startswith(f"{tmp_path}/base.toml:2: unknown rule 'OVH999'")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "overhead-lint.toml").write_text('extend = "pyproject.toml"')
    assert "overhead-lint.toml:1: extends pyproject.toml: it has no table" in run("src").stderr


@pytest.mark.parametrize(
    ("lines", "fixed"),
    [
        ('unfixable = ["OVH1"]', False),
        ('fixable = ["OVH4"]', False),
        ('fixable = ["OVH101"]\nunfixable = ["OVH1"]', True),
    ],
)
def test_a_fix_that_is_not_wanted_is_neither_shown_nor_applied(
    run: Run, model: Path, declared: Path, lines: str, fixed: bool
) -> None:
    (declared / "overhead-lint.toml").write_text(lines)
    assert ("fixable with" in run("src").stdout) == fixed
    assert "OVH101" in run("src").stdout
    run("src", "--fix")
    assert (model.read_text() != MODEL) == fixed


def test_show_files_lists_what_would_be_checked(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text('extend-exclude = ["src/other.py"]')
    (tmp_path / "src" / "other.py").write_text(MODEL)
    done = run("src", "--show-files")
    assert (done.stdout, done.stderr, done.returncode) == ("src/model.py\n", "", 0)
    done = run("src", "gone", "--show-files")
    assert (done.stdout, done.stderr) == ("src/model.py\n", "gone: no such file or folder\n")
    assert done.returncode == 2


def test_a_line_is_looked_for_in_our_table_only(run: Run, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text('[tool.other]\nselect = ["E"]\n[tool.overhead-lint]\nselect = 1\n')
    assert run("src").stderr.startswith(f"{path}:4: select takes")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("gone.toml", None, "gone.toml: cannot be read"),
        ("deep.toml", b"select = " + b"[" * 5000, "deep.toml: is nested too deeply"),
        ("long.toml", b"select = " + b"9" * 5000, "long.toml: holds a number that is too long"),
        ("binary.toml", b"\xff\xfe", "binary.toml:1: is not UTF-8"),
        ("latin.toml", b"# a\n# \xe9\n", "latin.toml:2: is not UTF-8"),
        ("pyproject.toml", b"[project]\n", "pyproject.toml: has no table [tool.overhead-lint]"),
        ("pyproject.toml", b"[tool]\noverhead-lint = 1\n", "pyproject.toml:2: tool.overhead-lint takes"),
    ],
)
def test_a_named_file_that_cannot_be_used_is_one_line(
    run: Run, model: Path, tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    done = run("src", "--config", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_a_settings_file_that_is_none_is_not_passed_over(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.overhead-lint]\n")
    own = tmp_path / "overhead-lint.toml"
    own.symlink_to("moved-away.toml")
    done = run("src")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{own}: cannot be read: No such file or directory\n"
    own.unlink()
    own.mkdir()
    assert run("src").stderr == f"{own}: cannot be read: Is a directory\n"
    own.rmdir()
    os.mkfifo(own)
    assert run("src").stderr == f"{own}: cannot be read: is a pipe\n"
