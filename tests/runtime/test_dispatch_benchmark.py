"""The benchmark of dispatch and the command that runs the whole matrix work. Times are not looked at."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from dispatch import main as dispatch
from dispatch import rows_of, wanted
from dispatch_models import MODELS, chain
from dispatch_variants import STOCK, Timed, time_model

from .compile_matrix_run import main  # type: ignore[import-not-found]  # tests are no package

pytestmark = pytest.mark.usefixtures("fresh_dynamo")


def test_what_is_sound_catches_every_change_and_the_unsafe_filters_do_not() -> None:
    timed = time_model(chain(1), 0.0, {"eager", STOCK, "skip_all_guards_unsafe", "full", "token", "frozen"})
    for name in (STOCK, "full", "token"):
        assert timed[name].caught == 2, name
    assert timed["skip_all_guards_unsafe"].caught == timed["frozen"].caught == 0
    assert timed["eager"].caught is None
    assert all(one.microseconds < float("inf") for one in timed.values())


def test_a_compiled_form_is_called_through_what_it_is_put_into() -> None:
    called: set[int] = set()

    def put(call: Any) -> Any:
        def through(*args: Any) -> Any:
            called.add(id(call))
            return call(*args)

        return through

    time_model(dataclasses.replace(chain(1), put=put), 0.0, {STOCK, "full"})
    assert len(called) == 2


def test_a_promise_that_is_not_kept_is_told() -> None:
    model = chain(100)
    timed = {STOCK: Timed(10.0, 2), "full": Timed(1.0, 2), "token": Timed(5.0, 1)}
    rows, missed = rows_of(model, timed)
    assert missed == ["chain 100, token: 2.0x, promised 8x"]
    assert ["full", "1.00", "10.0x (at least 5x)", "2 of 2"] in rows


def test_models_are_chosen_by_name_or_first_word() -> None:
    names = [model.name for model in MODELS]
    assert [name for name in names if wanted(name, ["chain"])] == [
        "chain 1",
        "chain 10",
        "chain 100",
        "chain 1000",
    ]
    assert [name for name in names if wanted(name, ["chain 10", "decoder"])] == ["chain 10", "decoder"]
    assert all(wanted(name, None) for name in names)


@pytest.mark.parametrize("arguments", [["--only", "chains"], ["--variants", "tokens", "--only", "chain 1"]])
def test_names_of_nothing_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        dispatch(arguments)
    assert ended.value.code == 2
    assert f"argument {arguments[0]}: {arguments[1]!r} is none of " in capsys.readouterr().err


def test_the_command_that_runs_the_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--backend", "eager", "--case", "nothing changes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert all(": 1 cases, 0 where stock is stale, 0 wrong, 0 vacuous" in line for line in lines[1:])


FAKE = """#!{python}
import json, sys
from pathlib import Path
assert sys.argv[1].endswith("dispatch.py") and sys.argv[2:4] == ["--only", "chain"], sys.argv
figures = {{"torch.compile": [20.0, 2, 2], "full": [{full}, {caught}, 2]}}
found = {{"python": "{version}", "torch": "2.13.0", "models": {{"chain 1": figures}}}}
Path(sys.argv[sys.argv.index("--json") + 1]).write_text(json.dumps(found))
sys.exit({status})
"""


def test_the_ratios_of_several_interpreters_stand_in_one_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = []
    for version, full, caught, status in (("3.12.1", 4.0, 2, 0), ("3.13.0", 10.0, 1, 1)):
        command = tmp_path / version
        text = FAKE.format(python=sys.executable, full=full, caught=caught, version=version, status=status)
        command.write_text(text, encoding="utf-8")
        command.chmod(0o755)
        commands.append(str(command))
    arguments = ["--only", "chain", "--with"]
    assert dispatch([*arguments, commands[0]]) == 0
    capsys.readouterr()
    assert dispatch([*arguments, *commands]) == 1
    table = [line.split("|") for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in row[1:-1]] for row in table]
    assert rows[0] == ["", "", "3.12.1, torch 2.13.0", "3.13.0, torch 2.13.0"]
    assert rows[2:] == [
        ["chain 1", "torch.compile", "20.0 us", "20.0 us"],
        ["chain 1", "full", "5.0x", "2.0x, 1 of 2 caught"],
    ]


def test_figures_are_written_for_another_process(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    chosen = ["--only", "chain 1", "--variants", "full", "--seconds", "0", "--json", str(file)]
    dispatch(chosen)
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["torch"] == torch.__version__
    assert set(found["models"]) == {"chain 1"}
    microseconds, caught, of = found["models"]["chain 1"]["full"]
    assert (caught, of) == (2, 2)
    assert microseconds > 0
