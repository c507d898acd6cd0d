"""Notebooks: code cells are linted and fixed in place, and all else of the file stays as it is."""

# ruff: noqa: E501 - a cell reads best on one line

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.cli.main import main
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

pytestmark = pytest.mark.usefixtures("declared")

NET = ["class Net(nn.Module):\n", "    def forward(self, x):\n", '        with torch.autocast("cuda"):\n', "            return x\n"]  # fmt: skip


def code(*lines: str, **more: Any) -> dict[str, Any]:
    """A code cell."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": list(lines),
        **more,
    }


def notebook(*cells: dict[str, Any], language: str = "python", **layout: Any) -> str:
    """The text of a notebook."""
    about = {"kernelspec": {"language": language, "name": "k"}}
    whole = {"cells": list(cells), "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, **({"indent": 1, "ensure_ascii": False} | layout)) + "\n"


USUAL = (
    {"cell_type": "markdown", "metadata": {}, "source": ["# import torch\n", "é"]},
    code("%matplotlib inline\n", "!pip install torch\n", "import torch\n", "from torch import nn"),
    code("%%bash\n", "ls -la"),
    code(*NET, outputs=[{"output_type": "stream", "text": ["\x1b[0m é"]}]),
    code("model = Net()\n", "files = !ls\n", "for x in loader:\n", "    loss = model(x)\n", "    loss.backward()\n", "    %time loss.item()\n", "pip install foo"),
)  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_place_is_told_by_cell_and_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.ipynb").write_text(notebook(*USUAL))
    assert main(["--isolated", "--no-cache", "."]) == 1
    out = capsys.readouterr().out
    assert "a.ipynb:cell 4:3:14: OVH101" in out
    assert '3 |         with torch.autocast("cuda"):\n' in out
    assert "heat: step: a.ipynb:cell 5:3 loop over loader -> Net.forward" in out


@pytest.mark.parametrize("name", ["concise", "grouped", "table", "junit"])
def test_formats_for_people_tell_the_cell(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (here / "a.ipynb").write_text(notebook(*USUAL))
    main(["--isolated", "--no-cache", "--output-format", name, "a.ipynb"])
    assert "cell 4:3:14" in capsys.readouterr().out


def test_json_gives_cells_and_other_machines_get_lines_of_the_file(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = notebook(*USUAL)
    (here / "a.ipynb").write_text(text)
    number = next(i for i, line in enumerate(text.splitlines(), 1) if "torch.autocast" in line)
    main(["--isolated", "--no-cache", "--output-format", "json", "a.ipynb"])
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["cell"], found["line"], found["column"]) == (4, 3, 14)
    assert [(edit["cell"], edit["line"]) for edit in found["fix"]["edits"]] == [(2, 4), (4, 3)]
    main(["--isolated", "--no-cache", "--output-format", "github", "a.ipynb"])
    assert f"file=a.ipynb,line={number},endLine={number}::" in capsys.readouterr().out
    main(["--isolated", "--no-cache", "--output-format", "gitlab", "a.ipynb"])
    assert json.loads(capsys.readouterr().out)[0]["location"]["lines"]["begin"] == number
    main(["--isolated", "--no-cache", "--output-format", "sarif", "a.ipynb"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": number, "endLine": number}
    ((change,),) = [fix["artifactChanges"] for fix in result["fixes"]]
    assert main(["--isolated", "--no-cache", "--fix", "--quiet", "a.ipynb"]) == 0
    assert replaced(text, change["replacements"]) == (here / "a.ipynb").read_text()


def replaced(text: str, replacements: list[dict[str, Any]]) -> str:
    """A text after the replacements of SARIF, whose columns count characters."""
    starts = [0, *(end + 1 for end, char in enumerate(text) if char == "\n")]
    for replacement in reversed(replacements):
        region = replacement["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
    return text


LAYOUTS: list[dict[str, Any]] = [
    {},
    {"indent": 2, "ensure_ascii": True},
    {"indent": "\t"},
    {"indent": None},
    {"indent": None, "separators": (",", ":")},
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_fix_changes_its_lines_and_nothing_else(here: Path, layout: dict[str, Any], newline: str) -> None:
    path = here / "a.ipynb"
    text = notebook(*USUAL, **layout).replace("\n", newline)
    path.write_bytes(text.encode())
    assert main(["--isolated", "--no-cache", "--fix", "a.ipynb"]) == 0
    fixed = [dict(cell) for cell in USUAL]
    fixed[1] = code(*USUAL[1]["source"][:3], "from overhead_lint import runtime\n", "from torch import nn")
    fixed[3] = {**USUAL[3], "source": [line.replace("torch.", "runtime.") for line in NET]}
    assert path.read_bytes().decode() == notebook(*fixed, **layout).replace("\n", newline)


def test_source_as_one_string_stays_one(here: Path) -> None:
    path = here / "a.ipynb"
    cells = [code(source="import torch\nfrom torch import nn\n"), code(source="".join(NET))]
    path.write_text(notebook(*cells))
    assert main(["--isolated", "--no-cache", "--fix", "a.ipynb"]) == 0
    after = json.loads(path.read_text())["cells"]
    assert after[0]["source"] == "import torch\nfrom overhead_lint import runtime\nfrom torch import nn\n"
    assert after[1]["source"] == "".join(NET).replace("torch.", "runtime.")


def test_diff_can_be_applied_to_the_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.ipynb").write_text(notebook(*USUAL))
    assert main(["--isolated", "--no-cache", "--diff", "a.ipynb"]) == 1
    out = capsys.readouterr().out
    assert '+    "        with runtime.autocast(\\"cuda\\"):\\n",\n' in out


def test_comment_silences_in_its_cell_and_can_be_added(here: Path) -> None:
    path = here / "a.ipynb"
    path.write_text(notebook(*USUAL))
    assert main(["--isolated", "--no-cache", "--add-ignore", "fine", "a.ipynb"]) == 0
    assert '        with torch.autocast(\\"cuda\\"):  # overhead: ignore[OVH101] fine\\n' in path.read_text()
    assert main(["--isolated", "--no-cache", "a.ipynb"]) == 0


MAGICS = [
    "%timeit f(x)\nx = 1",
    "x = %sql select 1\n",
    "!echo 'it is'\nx = 1",
    "!echo it's \\\n  more\nx = 1",
    "f?\n??g",
    "if x:\n    !ls\n",
    "cd data\nls\nx = 1",
    "x = (1\n% 2)\n!ls",
    '"""\n%not a magic\n"""\n%magic',
    "%%time\nx = 1",
    "%%html\n<b>",
    "",
    "\n\n",
    "x = await f()\n",
    "  %%time\n  x = 1",
    "  %%time\n    x = 1\n",
    "%%time\n  x = 1\n  f?\n",
    "  %%time\nx = 1",
    "\n  x = 1\n  !ls\n",
    "  # why\n  x = 1\n",
    "  # why\nx = 1\n",
    "\tx = 1\ny = 2\n",
    "x = 1\n,f a b\n;g a b\n/h a\n",
    "  %%html\n<b>",
]


@pytest.mark.parametrize("text", MAGICS)
def test_what_ipython_understands_is_kept(text: str) -> None:
    data = notebook(code(*text.splitlines(keepends=True)), code("x = 1\n")).encode()
    source = Source.from_bytes(Path("a.ipynb"), data)
    assert source.encode(source.text) == data
    changed = source.encode(source.text.replace("x = 1", "x = 2"))
    expected = text if text.lstrip().startswith("%%html") else text.replace("x = 1", "x = 2")
    assert "".join(json.loads(changed)["cells"][0]["source"]) == expected


INDENTED = (
    code("  import torch\n", "  from torch import nn\n"),
    code("  %%time\n", *(f"  {line}" for line in NET)),
)


def test_a_cell_that_is_indented_as_a_whole_is_checked_and_fixed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = here / "a.ipynb"
    path.write_text(notebook(*INDENTED))
    main(["--isolated", "--no-cache", "--output-format", "json", "a.ipynb"])
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["cell"], found["line"], found["column"]) == (2, 4, 16)
    assert main(["--isolated", "--no-cache", "--fix", "--unsafe-fixes", "a.ipynb"]) == 0
    first, second = ("".join(cell["source"]) for cell in json.loads(path.read_text())["cells"])
    assert first == "  from overhead_lint import runtime\n\n  import torch\n  from torch import nn\n"
    assert second == "".join(INDENTED[1]["source"]).replace("torch.", "runtime.")


def test_an_error_in_an_indented_cell_has_its_place() -> None:
    data = notebook(code("  x = 1\n", "  y = (\n")).encode()
    with pytest.raises(SourceError, match=r"a\.ipynb:cell 1:2:7: syntax error: '\(' was never closed"):
        parse(Source.from_bytes(Path("a.ipynb"), data))


def test_a_cell_that_is_no_python_counts_where_a_rule_has_a_word_there(here: Path) -> None:
    odd = code("SELECT * FROM x;\n")
    (here / "a.ipynb").write_text(notebook(code("import pandas\n"), odd))
    assert main(["--isolated", "--no-cache", "."]) == 0
    assert main(["--isolated", "--no-cache", "a.ipynb"]) == 2
    (here / "a.ipynb").write_text(notebook(code("import torch\n", "from torch import nn\n"), code(*NET), odd))
    assert main(["--isolated", "--no-cache", "."]) == 2


@pytest.mark.parametrize("spelled", [list, lambda text: text.replace("t", "\\u0074")])
def test_words_are_found_however_the_json_spells_them(here: Path, spelled: Callable[[str], object]) -> None:
    cells = [code(source=spelled("import torch\nfrom torch import nn\n")), code(source=spelled("".join(NET)))]
    (here / "a.ipynb").write_text(notebook(*cells).replace(r"\\u", r"\u"))
    assert main(["--isolated", "--no-cache", "--quiet", "a.ipynb"]) == 1
    assert main(["--isolated", "--no-cache", "--add-ignore", "fine", "a.ipynb"]) == 0
    assert main(["--isolated", "--no-cache", "--quiet", "a.ipynb"]) == 0


@pytest.mark.parametrize("magic", ["%%python", "%%python3 --bg", "%%python2", "%%timer", "%%capture_all"])
def test_a_cell_that_runs_elsewhere_is_skipped(magic: str) -> None:
    data = notebook(code(f"{magic}\n", "print 'x = 1'\n"), code("x = 1\n")).encode()
    source = Source.from_bytes(Path("a.ipynb"), data)
    assert "print" not in source.text and "x = 1" in source.text


@pytest.mark.parametrize("prompt", [">>> ", "  >>> ", "In [12]: "])
def test_a_cell_with_prompts_is_skipped(here: Path, prompt: str) -> None:
    cell = code("\n", f"{prompt}import torch\n", "... print 'x = 1'\n", "1\n")
    data = notebook(cell, code("import torch\n", "from torch import nn\n"), code(*NET)).encode()
    source = Source.from_bytes(Path("a.ipynb"), data)
    assert "print" not in source.text and source.encode(source.text) == data
    (here / "a.ipynb").write_bytes(data)
    assert main(["--isolated", "--no-cache", "--fix", "a.ipynb"]) == 0
    after = json.loads((here / "a.ipynb").read_text())["cells"]
    assert (after[0], "runtime." in after[2]["source"][2]) == (cell, True)


def test_other_languages_have_nothing_to_lint() -> None:
    source = Source.from_bytes(Path("a.ipynb"), notebook(code("x <- 1"), language="R").encode())
    assert source.text == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (notebook(code("x = '\0'\n")), "cell 1"),  # Python says where from 3.11 on
        (notebook(code("x = (\n")), "a.ipynb:cell 1:1:5: syntax error: '(' was never closed"),
        ("{", "is no notebook: Expecting property name"),
        ("", "is no notebook: it is empty"),
        ("\ufeff{}", "is no notebook: it begins with a byte order mark"),
        ('{"nbformat": ' + "9" * 5000 + "}", "is no notebook: it holds a number that is too long"),
        ("[]", "is no notebook: it has no cells"),
        ('{"cells": [{"cell_type": "code", "source": [1]}]}', "the source of cell 1 is no text"),
        ('{"worksheets": []}', "is a notebook of format 3: convert it"),
        ("[" * 100_000, "is no notebook"),
    ],
)
def test_what_is_no_notebook_is_told_in_a_line(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=r"a\.ipynb.*") as caught:
        parse(Source.from_bytes(Path("a.ipynb"), text.encode()))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_odd_members_of_cells_are_left_alone() -> None:
    text = '{"cells": [1, {}, {"cell_type": "code"}, {"cell_type": "code", "source": []}], "metadata": 3}'
    source = Source.from_bytes(Path("a.ipynb"), text.encode())
    assert source.encode(source.text) == text.encode()


def test_lines_are_split_as_they_were(here: Path) -> None:
    path = here / "a.ipynb"
    net = [*NET[:3], '            s = "a\u2028b"\n', NET[3]]
    for lines in (net, "".join(net).splitlines(keepends=True)):  # as other editors split them, and as Jupyter
        text = notebook(code("import torch\n", "from torch import nn\n"), code(*lines))
        path.write_text(text, encoding="utf-8")
        assert main(["--isolated", "--no-cache", "--fix", "a.ipynb"]) == 0
        done = text.replace("with torch.", "with runtime.").replace(
            '"from torch import nn', '"from overhead_lint import runtime\\n",\n    "from torch import nn'
        )
        assert path.read_text(encoding="utf-8") == done


@pytest.mark.parametrize("line", ['pass  # IPython: "x"\n', "pass  # IPython: x\n"])
def test_a_cell_that_looks_masked_is_left_alone(here: Path, line: str) -> None:
    path = here / "a.ipynb"
    odd = code('"""\n', line, '"""\n')
    text = notebook(code("import torch\n", "from torch import nn\n"), code(*NET), odd)
    path.write_text(text)
    assert main(["--isolated", "--no-cache", "--fix", "a.ipynb"]) == 0
    assert json.loads(path.read_text())["cells"][2]["source"] == odd["source"]
    path.write_text(text)
    assert main(["--isolated", "--no-cache", "--add-ignore", "fine", "a.ipynb"]) == 0


@pytest.mark.parametrize("arguments", [["a.ipynb"], ["--explain-heat", "a.ipynb:cell 1:1"]])
def test_the_cell_that_is_no_python_is_named(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    (here / "a.ipynb").write_text(notebook(code("x = 1\n"), code("y = 1\n", "z = (\n")))
    assert main([*arguments]) == 2
    assert capsys.readouterr().err.startswith("a.ipynb:cell 2:2:5: syntax error: ")


def test_of_a_key_that_stands_there_twice_the_last_one_counts() -> None:
    cell = '{"cell_type": "code", "source": ["no"], "source": ["x = 1"]}'
    text = f'{{"cells": [], "metadata": {{}}, "cells": [{cell}]}}'
    source = Source.from_bytes(Path("a.ipynb"), text.encode())
    assert source.encode(source.text.replace("x = 1", "x = 2")).decode() == text.replace("x = 1", "x = 2")
    source = Source.from_bytes(Path("a.ipynb"), f'{{"cells": [{cell}], "cells": []}}'.encode())
    assert source.text == ""
