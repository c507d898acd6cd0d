"""Suppression comments that are added, and those that are not needed, as a user meets them."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

TRAIN = """\
import torch
from torch.nn import functional as F


def train(model, loader, optimizer):
    for batch, target in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.mse_loss(model(batch), target)
        loss.backward()
        optimizer.step()
        print(loss.item(), loss.item())
"""

Lint = Callable[..., "tuple[str, str, int]"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def lint(run_here: Run) -> Lint:
    """Run the command in a folder of its own."""

    def run(*arguments: str) -> tuple[str, str, int]:
        done = run_here("--output-format=concise", *arguments)
        return done.stdout, done.stderr, done.returncode

    return run


def write(text: str) -> Path:
    path = Path("train.py")
    path.write_bytes(text.encode())
    return path


def body(statement: str) -> str:
    """A loop over a loader with a statement that reads `loss`."""
    return TRAIN.replace("        print(loss.item(), loss.item())\n", statement)


def test_add_ignore_writes_one_comment_a_line_with_the_reason(lint: Lint) -> None:
    path = write(TRAIN)
    assert lint("--add-ignore", "measured: harmless", "train.py") == (
        "No findings.\n",
        "Silenced 3 findings.\n",
        0,
    )
    changed = [
        (old, new)
        for old, new in zip(TRAIN.splitlines(), path.read_text().splitlines(), strict=True)
        if old != new
    ]
    assert [new[len(old) :] for old, new in changed] == [
        "  # overhead: ignore[OVH101] measured: harmless",
        "  # overhead: ignore[OVH404] measured: harmless",
    ]
    assert lint("train.py") == ("No findings.\n", "", 0)
    assert lint("--select", "ALL,OVH001", "train.py") == ("No findings.\n", "", 0)


@pytest.mark.parametrize(
    "statement",
    [
        "        x = loss.item()  # why\n",
        "        x = loss.item()  # overhead: ignore[OVH101] both\n",
        "        x = (\n            loss.item()\n        )\n",
        "        x = loss.item() + \\\n            1\n",
        '        x = (loss.item(), """\n  text\n""")\n',
        '        x = f"""\n{loss}\n"""\n',
        "        x = loss.item()   ",
        "        if loss.item() > 1 and \\\n            x:\n            pass\n",
        "        if loss: pass\n",
        "        x = 1; y = loss.item(); z = 2\r\n",
    ],
)
def test_add_ignore_finds_a_place_that_is_about_the_finding(lint: Lint, statement: str) -> None:
    text = body(statement)
    path = write(text)
    assert lint("--select", "OVH404", "train.py")[2] == 1
    out, err, status = lint("--select", "OVH404", "--add-ignore", "logging", "train.py")
    assert (out, err.startswith("Silenced "), status) == ("No findings.\n", True, 0), err
    after = path.read_bytes().decode()
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    assert after.count("OVH404") == 1


def test_add_ignore_leaves_what_it_cannot_silence_and_says_so(lint: Lint) -> None:
    path = write("# coding: ascii\n" + TRAIN)
    before = path.read_bytes()
    _, err, status = lint("--add-ignore", "genügt", "train.py")
    assert (err.count("was not silenced"), status) == (3, 1)
    assert path.read_bytes() == before


@pytest.mark.parametrize("reason", ["a # b", "a\nb"])
def test_add_ignore_wants_a_reason_that_a_comment_can_hold(lint: Lint, reason: str) -> None:
    path = write(TRAIN)
    _, err, status = lint("--add-ignore", reason, "train.py")
    assert ("--add-ignore takes a reason" in err, status) == (True, 2)
    assert path.read_text() == TRAIN


@pytest.mark.parametrize("other", ["--fix", "--diff", "--write-baseline", "--baseline=a"])
def test_add_ignore_stands_alone(lint: Lint, other: str) -> None:
    write(TRAIN)
    assert lint("--add-ignore", "x", other, "train.py")[2] == 2


def unneeded(lint: Lint, text: str, *arguments: str) -> list[str]:
    write(text)
    out, _, _ = lint("--select", "OVH001", "-q", *arguments, "train.py")
    return [line.split(" ", 1)[0].removeprefix("train.py:").rstrip(":") for line in out.splitlines()]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = 1  # overhead: ignore\n", ["1:8"]),
        ("x = 1  # overhead: ignore[OVH101, OVH404]\n", ["1:8"]),
        ("x = 1  # noqa: OVH101\n", ["1:8"]),
        ("x = 1  # overhead: ignore[OVH999]\n", ["1:8"]),
        ("# overhead: ignore-file\nx = 1\n", ["1:1"]),
        ("# overhead: off\nx = 1\n", ["1:1"]),
        ("# overhead: on\nx = 1\n", ["1:1"]),
        ("x = 1  # noqa\n", []),
        ("x = 1  # noqa: E501\n", []),
        ("x = 1  # overhead: ignore[XYZ101]\n", []),
        ("x = 1  # overhead: ignore[OVH101, OVH001]\n", []),
        ("x = 1  # overhead: ignore[OVH101]  # noqa: OVH001\n", []),
        ("x = 1  # NoQA: OVH101\n", ["1:8"]),
        ("x = 1  # noqa: OVH101\n# overhead: ignore-file[OVH001]\n", []),
        ("# overhead: off[OVH001]\nx = 1  # noqa: OVH101\n# overhead: on\nx = 1  # noqa: OVH1\n", ["4:8"]),
        ("x = '# overhead: ignore'\n", []),
        (body("        x = loss.item()  # overhead: ignore[OVH404]\n"), []),
        (body("        x = loss.item()  # overhead: ignore\n"), []),
        (body("        x = loss.item()  # noqa: OVH4, E501\n"), []),
        (body("        # overhead: off\n        x = loss.item()\n        # overhead: on\n"), []),
        ("# overhead: ignore-file[OVH1]\n" + TRAIN, []),
    ],
)
def test_comments_that_silence_nothing_are_found_on_request(lint: Lint, text: str, found: list[str]) -> None:
    assert unneeded(lint, text) == found
    assert "OVH001" not in lint("train.py")[0]


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("# overhead: ignore[autocast-per-stp]", "'autocast-per-stp': did you mean autocast-per-step?"),
        ("# overhead: ignore[OVH999]", "unknown rule 'OVH999'"),
        ("# overhead: ignore[OVH4O4]", "'OVH4O4': did you mean OVH404?"),
        ("# overhead: ignore[OVH-404]", "'OVH-404': did you mean OVH404?"),
        ("# noqa: E501, OVH4044", "'OVH4044': did you mean OVH404?"),
        ("# noqa: OVH999", "unknown rule 'OVH999'"),
        ("# noqa: OVH4O4", "'OVH4O4': did you mean OVH404?"),
        ("# noqa : OVH-404", "'OVH-404': did you mean OVH404?"),
        ("# noqa: E501, OVH4O4 why", "'OVH4O4': did you mean OVH404?"),
        ("# noqa: autocast-per-step", "noqa takes codes: write OVH101"),
        ("# overhead: ignore[OVH101, OVH4", "its bracket is not closed"),
        ("# overhead: ignore [OVH101", "its bracket is not closed"),
        ("# overhead: ignore [autocast", "its bracket is not closed"),
        ("# overhead: ignore [autocast-per-stp]", "'autocast-per-stp': did you mean autocast-per-step?"),
        ("# overhead: ignore[]", "its brackets name no rule"),
        ("# overhead: ignore-file[ ]", "its brackets name no rule"),
        ("# overhead: off[OVH404] measured", "a reason needs -- ahead of it"),
        ("# overhead: disable[OVH404]", "unknown word 'disable': there are ignore, ignore-file, off, on"),
        ("# overhead: ignored", "unknown word 'ignored': did you mean ignore?"),
        ("# overhead: Ignore_File[OVH404]", "unknown word 'Ignore_File': did you mean ignore-file?"),
        ("# overhead: OVH404", "write ignore[OVH404]"),
        ("# overhead-lint: ignore[OVH404]", "write # overhead: ignore"),
    ],
)
def test_a_comment_that_is_misspelled_is_told_with_what_was_meant(
    lint: Lint, comment: str, said: str
) -> None:
    text = f"x = 1  {comment}\n"
    path = write(text)
    out, _, status = lint("--select", "OVH001", "train.py")
    assert out.startswith("train.py:1:8: OVH001 unused-suppression ")
    assert (said in out, out.count("OVH001"), status) == (True, 1, 1), out
    lint("--select", "OVH001", "--fix", "train.py")
    assert path.read_text() == text
    write(f"{text[:-1]}  # noqa: OVH001\n")
    assert lint("--select", "OVH001", "train.py")[2] == 0


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("# noqa: OVH4O4", "unknown rule 'OVH4O4': did you mean OVH404?"),
        ("# overhead: ignore [sync-in-stp]", "unknown rule 'sync-in-stp': did you mean sync-in-step?"),
        ("# overhead: ingore[OVH404]", "unknown word 'ingore': did you mean ignore?"),
        ("# noqa: sync-in-step", "noqa takes codes: write OVH404"),
        ("# overhead-lint: ignore", "write # overhead: ignore"),
    ],
)
def test_a_misspelled_comment_beside_a_finding_is_told_without_the_rule(
    lint: Lint, comment: str, said: str
) -> None:
    write(body(f"        x = (\n            loss.item()\n        )  {comment}\n"))
    for _ in range(2):  # also where the findings are kept ones
        out, err, status = lint("--select", "OVH4", "train.py")
        assert (out.count("OVH404"), status) == (1, 1)
        assert err == f"train.py:13:12: this comment silences no OVH404: {said}\n"
    assert lint("--select", "OVH4", "-q", "train.py")[1] == ""
    out, err, _ = lint("--select", "OVH4,OVH001", "train.py")
    assert ("train.py:13:12: OVH001" in out, err) == (True, "")


@pytest.mark.parametrize(
    ("line", "places"),
    [("# overhead: off[OVH4O4]", [1]), ("# overhead: ignore-fil[OVH404]", [1]), ("# noqa: OVH4O4", [])],
)
def test_it_is_told_only_where_it_would_silence_the_finding(lint: Lint, line: str, places: list[int]) -> None:
    text = body("        x = loss.item()\n")
    write(f"{line}\n{text}")
    told = [int(note.split(":")[1]) for note in lint("--select", "OVH404", "train.py")[1].splitlines()]
    assert told == places
    write(f"{text}{line}\n")
    assert len(lint("--select", "OVH404", "train.py")[1].splitlines()) == line.count("ignore")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: E501",
        "# noqa: some-other-rule",
        "# noqa: typing",
        "# overhead: about 3 us a call",
        "# overhead: off by one",
        "# overhead: ignored by the caller",
        "# overhead: see [1]",
        "# overhead: ignore[ABC101, ABC]",
        "# overhead-lint: cells follow",
        "# ruff: noqa: E501",
    ],
)
def test_prose_and_comments_of_other_tools_are_left_alone(lint: Lint, comment: str) -> None:
    assert unneeded(lint, f"x = 1  {comment}\n") == []
    assert unneeded(lint, f"x = '{comment}'\n") == []


def test_a_comment_may_name_the_rule(lint: Lint) -> None:
    text = body("        x = loss.item()  # overhead: ignore[sync-in-step]\n")
    assert "OVH404" not in lint("train.py")[0]
    assert unneeded(lint, text) == []


def test_what_is_known_of_a_misspelled_comment_stays(lint: Lint) -> None:
    path = write(body("        x = loss.item()  # overhead: ignore[OVH404, OVH999] why\n"))
    lint("--select", "OVH001", "--fix", "--unsafe-fixes", "train.py")
    assert "x = loss.item()  # overhead: ignore[OVH404] why\n" in path.read_text()


def test_a_comment_for_a_rule_that_is_off_by_default_is_needed(lint: Lint) -> None:
    text = """\
import torch
from torch import nn


class Recurrent(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(width))

    def forward(self, x):
        state = torch.zeros_like(x[0])
        for row in x:
            state = state @ self.weight * self.weight + row  # noqa: OVH608
        return state
"""
    assert unneeded(lint, text) == []
    assert unneeded(lint, text.replace("@ self.weight * self.weight", "+ x")) == ["13:38"]


def test_other_findings_are_looked_for_but_not_reported_unless_selected(lint: Lint) -> None:
    text = body("        x = loss.item()  # overhead: ignore[OVH404]\n")
    assert unneeded(lint, text) == []
    out, _, _ = lint("--select", "OVH001,OVH101", "train.py")
    assert (out.count("OVH101 "), out.count("OVH404 ")) == (1, 0)


def test_what_only_less_heat_would_show_is_silenced_too(lint: Lint) -> None:
    text = """\
import torch
def f(x):
    with torch.autocast("cuda"):  # overhead: ignore[OVH101]
        return torch.relu(x)
"""
    assert unneeded(lint, text) == []
    assert unneeded(lint, text.replace("  # overhead: ignore[OVH101]", "")) == []
    assert unneeded(lint, text.replace("OVH101", "OVH404")) == ["3:35"]


def test_comments_in_cold_files_are_left_alone(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "test_a.py").write_text("x = 1  # overhead: ignore[OVH101]\n")
    assert lint("--select", "OVH001", "test_a.py") == ("No findings.\n", "", 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # overhead: ignore[OVH101]\n", "x = 1\n"),
        ("x = 1  # overhead: ignore[OVH101]", "x = 1"),
        ("x = 1  # noqa: OVH101\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
        ("x = 1  # noqa: E501, OVH101\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # why  # overhead: ignore\n", "x = 1  # why\n"),
        ("x = 1  # overhead: ignore  # type: ignore\n", "x = 1  # type: ignore\n"),
        ("x = 'ä漢'  # overhead: ignore[OVH1]\n", "x = 'ä漢'\n"),
        ("if x:\n    # overhead: off\n    y = 1\n    # overhead: on\n", "if x:\n    y = 1\n"),
        ("# overhead: ignore-file[OVH101]\nx = 1\n", "x = 1\n"),
        ("x = 1\n# overhead: ignore-file", "x = 1\n"),
        ("x = 1  # overhead: ignore[OVH101] since 2020\n", "x = 1  # overhead: ignore[OVH101] since 2020\n"),
    ],
)
def test_fix_removes_them_and_keeps_words_that_follow(lint: Lint, before: str, after: str) -> None:
    path = write(before)
    lint("--select", "OVH001", "--fix", "train.py")
    assert path.read_bytes().decode() == after


def test_words_that_follow_go_with_unsafe_fixes(lint: Lint) -> None:
    path = write("x = 1  # overhead: ignore[OVH101] since 2020\n")
    assert lint("--select", "OVH001", "--fix", "--unsafe-fixes", "train.py")[2] == 0
    assert path.read_text() == "x = 1\n"


def test_a_prefix_of_rules_that_need_their_full_code_is_not_a_clean_run(lint: Lint) -> None:
    write("x = 1  # overhead: ignore\n")
    error = "overhead-lint: OVH0 names only rules that need their full code: OVH001\n"
    assert lint("--select", "OVH0", "train.py") == ("", error, 2)
    assert lint("--select", "ALL", "--ignore", "OVH0", "train.py")[2] == 0
    assert lint("--select", "OVH", "train.py")[2] == 0


DEEP = (
    "        y = a" + ".b()" * 900 + "\n",
    "        if x == 0:\n            pass\n" + "        elif x:\n            pass\n" * 900,
)


@pytest.mark.parametrize("deep", DEEP, ids=["calls", "elif"])
def test_add_ignore_minds_no_depth(lint: Lint, deep: str) -> None:
    path = write(body(f"        print(loss.item())\n{deep}"))
    assert lint("--add-ignore", "wanted", "--select", "OVH404", "train.py")[2] == 0
    assert "print(loss.item())  # overhead: ignore[OVH404] wanted\n" in path.read_text()


def test_add_ignore_leaves_what_only_looks_like_a_comment(lint: Lint) -> None:
    path = write(body('        print("# overhead: ignore[OVH101]", loss.item())\n'))
    assert lint("--add-ignore", "wanted", "--select", "OVH404", "train.py")[2] == 0
    assert '("# overhead: ignore[OVH101]", loss.item())  # overhead: ignore[OVH404]' in path.read_text()


def test_add_ignore_joins_codes_behind_a_space(lint: Lint) -> None:
    path = write(body("        print(loss.item())  # overhead: ignore [OVH101] once\n"))
    assert lint("--add-ignore", "wanted", "--select", "OVH404", "train.py")[2] == 0
    assert "print(loss.item())  # overhead: ignore [OVH101, OVH404] once\n" in path.read_text()


@pytest.mark.parametrize("rest", ["", "  # noqa: E501"])
def test_add_ignore_gives_its_reason_to_a_comment_without_one(lint: Lint, rest: str) -> None:
    path = write(body(f"        print(loss.item())  # overhead: ignore[OVH101]{rest}\n"))
    assert lint("--add-ignore", "wanted", "--select", "OVH404", "train.py")[2] == 0
    said = f"print(loss.item())  # overhead: ignore[OVH101, OVH404] wanted{rest}\n"
    assert said in path.read_text()


def test_an_encoding_that_gives_other_bytes_is_left_alone(lint: Lint) -> None:
    before = ("# coding: raw_unicode_escape\n# \\u00e9\n" + TRAIN).encode()
    path = Path("train.py")
    path.write_bytes(before)
    assert "was not silenced" in lint("--add-ignore", "wanted", "train.py")[1]
    assert path.read_bytes() == before
    Path("requirements.txt").write_text("overhead-lint\n")
    said = "OVH101 was not fixed: raw_unicode_escape does not give the file back as it was"
    assert said in lint("--fix", "train.py")[1]
    assert path.read_bytes() == before
