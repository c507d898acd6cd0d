"""Guard snapshots: the same text wherever it is made, and what a comparison says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from warm_python import DYNAMO, python

from overhead_lint.cli.main import main
from overhead_lint.probes import guards_snapshot
from overhead_lint.probes.guards_drift import drift
from overhead_lint.probes.guards_snapshot import BadSnapshot, Family, Frame, Snapshot
from overhead_lint.probes.guards_tree import Leaf

SCRIPT = """
import sys

import torch

class Scale(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
    def forward(self, x):
        return x * self.scale

class Model(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = torch.nn.ModuleList([Scale(i % 2) for i in range(n)])
        self.names = {"one", "two", "three", "four"}
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        if "one" in self.names:
            torch._dynamo.graph_break()
        return x * len(self.names)

model = torch.compile(Model(int(sys.argv[1])), backend="eager")
for grad in (True, False):
    with torch.set_grad_enabled(grad):
        model(torch.ones(3))
"""


LONG_NUMBERS = """
import torch

SEED = 123456789012345
RUN = "run_20240101123456"
MASK = "0xdeadbeef"

layer = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(layer.parameters())
layer(torch.ones(2)).sum().backward()

@torch.compile(backend="eager")
def step(x):
    optimizer.step()
    return x * (SEED % 7) if RUN + MASK == "run_202401011234560xdeadbeef" else x

step(torch.ones(2))
"""


def snapshot(folder: Path, arguments: str, script: str = SCRIPT, *, seed: int | None = None) -> str:
    """Take a snapshot in a process of its own.

    Args:
        folder: a new one, that the script runs in.
        arguments: of the script.
        script: its text.
        seed: of hashes; such a process starts afresh, and shares no address with another.
    """
    folder.mkdir()
    (folder / "script.py").write_text(script)
    command = ["-m", "overhead_lint", "guards", "snapshot", "script.py", "-o", "out.txt"]
    environment = os.environ | ({} if seed is None else {"PYTHONHASHSEED": str(seed)})
    done = python(*command, *arguments.split(), cwd=folder, env=environment, modules=DYNAMO)
    assert done.returncode == 0, done.stderr
    return (folder / "out.txt").read_text()


def test_the_text_is_the_same_over_processes_hash_seeds_and_folders(tmp_path: Path) -> None:
    one, other = snapshot(tmp_path / "one", "4"), snapshot(tmp_path / "another_checkout", "4", seed=77)
    assert one == other
    lines = one.splitlines()
    assert lines[1].startswith("torch 2.") and lines[2] == "machine"
    frames = [line.rpartition(":")[0] for line in lines if line.startswith("frame ")]
    resumed = "torch_dynamo_resume_in_forward"
    assert frames[:2] == ["frame Model.forward (script.py)", "frame Model.forward (script.py) #2"]
    assert len(frames) == 4 and all(resumed in name for name in frames[2:])
    assert "    2  EQUALS_MATCH  L['self']._modules['layers']._modules[*].scale  _ == 0" in lines
    assert "  state grad_mode: true" in lines and "  state grad_mode: false" in lines
    assert "  line script.py: return x * self.scale" in lines
    assert str(tmp_path) not in one


def test_numbers_of_the_users_stay_and_those_of_the_process_do_not(tmp_path: Path) -> None:
    one = snapshot(tmp_path / "one", "", LONG_NUMBERS)
    assert one == snapshot(tmp_path / "other", "", LONG_NUMBERS, seed=2)
    named = ("G['SEED']", "G['RUN']", "G['MASK']")
    checks = [line.split("  ")[-1] for line in one.splitlines() if any(name in line for name in named)]
    values = ("123456789012345", "'run_20240101123456'", "'0xdeadbeef'")
    assert {f"_ == {value}" for value in values} <= {*checks}
    assert "G['__optimizer_<id>']()" in one


@pytest.mark.parametrize(
    ("printed", "written"),
    [
        ("<class 'module'>", "<class 'module'>"),
        ("<built-in function iter>", "<built-in function iter>"),
        ("<module 'torch.nn' from '/home/me/torch/nn/__init__.py'>", "module torch.nn"),
        ("<function cast at 0x7f8c2d1b3a60>", "function cast"),
        ("Parameter containing:\ntensor([[0.3058],\n        [0.5103]], requires_grad=True)", "object"),
    ],
)
def test_objects_that_are_the_same_are_written_without_what_is_the_process_s(
    printed: str, written: str
) -> None:
    leaf = Leaf("ID_MATCH", "G['it']", f"___check_obj_id(G['it'], 139622115611392), type={printed}", "", 0)
    (found,) = guards_snapshot._families([leaf])
    assert found.check == f"_ is the same {written}"


def test_what_is_written_can_be_read_again(tmp_path: Path) -> None:
    text = snapshot(tmp_path / "one", "5")
    read = Snapshot.parse(text, "out.txt")
    assert read.as_text() == text
    assert not drift(read, read)


def family(place: str, check: str, source: str = "L['x']") -> Family:
    return Family(f"model.py: {place}", "EQUALS_MATCH", source, check)


OLD = Snapshot(
    "2.13",
    {"devices": "cpu", "num_threads": "2"},
    (
        Frame("gone (model.py)", {}, {family("a", "_ == 1"): 2}),
        Frame(
            "kept (model.py)",
            {"grad_mode": "true"},
            {family("b", "_ == 1"): 3, family("c", "_ == 1"): 1, family("d", "_ == 4"): 1},
        ),
    ),
)
NEW = Snapshot(
    "2.13",
    {"devices": "cpu", "num_threads": "8"},
    (
        Frame(
            "kept (model.py)",
            {"grad_mode": "false"},
            {family("b", "_ == 2"): 5, family("d", "_ == 4"): 1, family("e", "_ == 1", "L['y']"): 1},
        ),
        Frame("new (model.py)", {}, {family("a", "_ == 1"): 2}),
    ),
)


def test_a_drift_names_what_was_added_removed_and_changed_under_its_line() -> None:
    found = drift(OLD, NEW)
    assert found
    assert found.as_text().splitlines() == [
        "- frame gone (model.py): 2 guards",
        "~ frame kept (model.py): 5 -> 7 guards",
        "  ~ state grad_mode: true -> false",
        "  line model.py: b",
        "    ~ EQUALS_MATCH  L['x']  3 x _ == 1 -> 5 x _ == 2",
        "  line model.py: c",
        "    - EQUALS_MATCH  L['x']  1 x _ == 1",
        "  line model.py: e",
        "    + EQUALS_MATCH  L['y']  1 x _ == 1",
        "+ frame new (model.py): 2 guards",
        "machine num_threads: 2 -> 8",
    ]


def frame(**families: dict[Family, int]) -> Snapshot:
    return Snapshot("2.13", {}, (Frame("f (model.py)", {}, families["of"]),))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (  # all guards stay
            {family("x = x * self.scale", "_ == 2"): 3},
            {family("x = x * self.scale * gain", "_ == 2"): 3},
            [
                "~ frame f (model.py): 3 guards",
                "  ~ line model.py: x = x * self.scale -> x = x * self.scale * gain",
            ],
        ),
        (  # one comes with the edit, on another source
            {family("x = x * self.scale", "_ == 2"): 3},
            {
                family("x = x * self.scale * gain", "_ == 2"): 3,
                family("x = x * self.scale * gain", "_ == 1.5", "G['gain']"): 1,
            },
            [
                "~ frame f (model.py): 3 -> 4 guards",
                "  ~ line model.py: x = x * self.scale -> x = x * self.scale * gain",
                "    + EQUALS_MATCH  G['gain']  1 x _ == 1.5",
            ],
        ),
        (  # what guards the same line is the line, whatever it is called now
            {family("a = f(x)", "_ == 2"): 1, family("return x", "_ == 3", "L['y']"): 1},
            {family("hidden: Any", "_ == 2"): 1, family("return x", "_ == 3", "L['y']"): 1},
            ["~ frame f (model.py): 2 guards", "  ~ line model.py: a = f(x) -> hidden: Any"],
        ),
        (  # a new line is no edit of one that stays
            {family("x = x * self.scale", "_ == 2"): 3},
            {family("x = x * self.scale", "_ == 2"): 3, family("x = x * self.shift", "_ == 2"): 1},
            [
                "~ frame f (model.py): 3 -> 4 guards",
                "  line model.py: x = x * self.shift",
                "    + EQUALS_MATCH  L['x']  1 x _ == 2",
            ],
        ),
    ],
)
def test_a_line_whose_text_was_edited_is_one_change(
    before: dict[Family, int], after: dict[Family, int], told: list[str]
) -> None:
    assert drift(frame(of=before), frame(of=after)).as_text().splitlines() == told


def test_another_machine_alone_is_no_drift() -> None:
    found = drift(OLD, Snapshot(OLD.torch, NEW.machine, OLD.frames))
    assert not found
    assert found.machine == ("num_threads: 2 -> 8",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.txt:1: no guard snapshot, or one of another version"),
        ("frames\n", "a.txt:1: no guard snapshot, or one of another version"),
        (OLD.as_text().replace("  EQUALS", " EQUALS"), "a.txt:9: not understood: 2 EQUALS_MATCH"),
        (
            OLD.as_text().rpartition("\n    ")[0] + "\n",
            "a.txt: damaged: frame kept (model.py) says 5 guards, and has 4 guards",
        ),
        (OLD.as_text().replace("    2  EQ", "    ²  EQ"), "a.txt:9: not understood: ²  EQUALS_MATCH"),
        (OLD.as_text().replace("    2  EQ", f"    {'2' * 5000}  EQ"), "a.txt:9: not understood: 2222"),
        (OLD.as_text().replace("machine", "machines"), "a.txt:3: not understood: machines"),
        (OLD.as_text().replace("torch 2.13\n", ""), "a.txt: names no torch version"),
        (OLD.as_text().partition("\nframe")[0], "a.txt: damaged: has no frame"),
        (
            OLD.as_text().replace("gone", "kept"),
            "a.txt: damaged: frame kept (model.py) stands there twice",
        ),
    ],
)
def test_a_damaged_snapshot_is_an_error_that_names_the_line(text: str, message: str) -> None:
    with pytest.raises(BadSnapshot) as raised:
        Snapshot.parse(text, "a.txt")
    assert str(raised.value).startswith(message)


def test_the_diff_command_compares_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, bad = (tmp_path / name for name in ("old.txt", "new.txt", "bad.txt"))
    old.write_text(OLD.as_text())
    new.write_text(NEW.as_text())
    bad.write_bytes(b"\xff")
    assert main(["guards", "diff", str(old), str(old)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["guards", "diff", str(old), str(new)]) == 1
    assert capsys.readouterr().out == drift(OLD, NEW).as_text()
    for path, why in (
        (bad, "is not UTF-8"),
        (tmp_path / "none", "cannot be read: No such file"),
        (Path("/dev/zero"), "cannot be read: is a device"),
    ):
        assert main(["guards", "diff", str(old), str(path)]) == 2
        assert capsys.readouterr().err.startswith(f"overhead-lint: {path}: {why}")


def test_snapshot_needs_a_script_and_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "a.py"
    assert main(["guards", "snapshot", str(script), "-o", "out.txt"]) == 2
    assert capsys.readouterr().err == f"overhead-lint: {script}: no such file\n"
    script.write_text("x = 1\n")
    assert main(["guards", "snapshot", str(script), "--steps", "3"]) == 2
    assert capsys.readouterr().err == "overhead-lint: guards snapshot: say where to write it: -o FILE\n"
    output = tmp_path / "out.txt"
    assert main(["guards", "snapshot", str(script), "-o", str(output)]) == 2
    assert capsys.readouterr().err.startswith("overhead-lint: no compiled frame ran")
    assert not output.exists()
