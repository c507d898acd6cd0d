"""`benchmarks/gpu`: what is prepared for a GPU, dry-run without one."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import case_command
import case_stages
import pytest
from case_chart import chart
from case_checkouts import CheckoutError, checkout
from case_findings import Place, mended
from case_forms import Form
from case_overview import overview, put_into
from case_page import page
from case_parts import Part, run_all
from case_records import read_lines
from case_results import results
from case_study import HERE, STUDIES, Study, by_name

import overhead_lint

STUDY = replace(STUDIES[0], name="ours", repository="us/ours", paths=("train.py",), steps=2)
PROGRAM = """\
import torch


def train(model, optimizer, batches):
    for batch in batches:
        loss = model(batch).square().mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())
"""
BY_HAND = """\
--- a/train.py
+++ b/train.py
@@ -11 +11 @@
-        print(loss.item())
+    print(loss.item())
"""
DRIVER = """\
import contextlib
import importlib
import io

import torch


def session(program, *, small):
    model = torch.nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train = importlib.import_module("train").train

    def run(steps, meter):
        batches = list(torch.randn(steps, 2, 4, device="cuda"))
        with meter, contextlib.redirect_stdout(io.StringIO()):
            train(model, optimizer, batches)
        return [one.detach() for one in model.parameters()]

    return run
"""


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_a_study_has_a_commit_a_driver_and_a_small_patch_of_what_it_takes(study: Study) -> None:
    assert re.fullmatch("[0-9a-f]{40}", study.commit)
    spec = importlib.util.spec_from_file_location(f"{study.name}_driver_of_test", study.driver)
    assert spec is not None and spec.loader is not None
    assert "def session(program: Path, *, small: bool) -> Run:" in study.driver.read_text()
    lines = study.patch.read_text().splitlines()
    changed = [line for line in lines if line.startswith(("+", "-"))]
    assert len(changed) < 80
    for line in lines:
        if line.startswith("+++ "):
            path = Path(line.removeprefix("+++ b/").split("\t")[0])
            assert any(path.is_relative_to(one) for one in study.paths)


def test_studies_are_told_apart_and_an_unknown_one_is_refused() -> None:
    assert len({study.name for study in STUDIES}) == len({study.title for study in STUDIES}) == len(STUDIES)
    assert len({study.kind for study in STUDIES}) == len(STUDIES)
    with pytest.raises(KeyError):
        by_name(["no such study"])


def test_two_forms_of_a_module_do_not_see_each_other_even_where_they_import_late(tmp_path: Path) -> None:
    forms = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        (folder / "inner" / "deep").mkdir(parents=True)  # a package without a file
        (folder / "inner" / "deep" / "late.py").write_text(f"NUMBER = {number}\n")
        (folder / "program_of_test.py").write_text(
            "def number():\n    from inner.deep.late import NUMBER\n    return NUMBER\n"
        )
        forms.append(Form(str(number), folder, folder))
    programs = []
    for form in forms:
        with form.active():
            programs.append(importlib.import_module("program_of_test"))
    for _ in range(2):
        for number, (form, program) in enumerate(zip(forms, programs, strict=True), start=1):
            with form.active():
                assert program.number() == number
                assert Path.cwd() == form.folder
    assert not {"program_of_test", "inner", "inner.deep", "inner.deep.late"} & sys.modules.keys()


def _repository(folder: Path) -> tuple[Path, str]:
    """A folder of mirrors with the repository of the study, and its commit."""
    repository = folder / "us+ours"
    repository.mkdir(parents=True)
    (repository / "train.py").write_text(PROGRAM)
    (repository / "other.py").write_text("import torch\n")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x", "-C", str(repository)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return folder, done.stdout.strip()


def test_only_what_a_study_names_is_taken_and_a_commit_that_is_not_there_is_told(tmp_path: Path) -> None:
    mirrors, commit = _repository(tmp_path / "mirrors")
    checkout(replace(STUDY, commit=commit), tmp_path / "tree", mirrors)
    assert [path.name for path in (tmp_path / "tree").iterdir()] == ["train.py"]
    with pytest.raises(CheckoutError, match="git archive ends with"):
        checkout(STUDY, tmp_path / "tree", mirrors)


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Study:
    """A study of our own, with its driver and its patch."""
    for name, content in {"drivers/ours_driver.py": DRIVER, "patches/ours.diff": BY_HAND}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    monkeypatch.setattr("case_study.HERE", tmp_path)
    return replace(STUDY, commit=_repository(tmp_path / "mirrors")[1])


def test_a_study_goes_from_its_repository_to_its_page(
    ours: Study, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    from case_rounds import measure_on_device

    chosen = {name: case_stages.STAGES[name] for name in ("before", "hand")}
    monkeypatch.setattr(case_stages, "STAGES", chosen)
    before, hand = case_stages.write_stages(ours, tmp_path / "work", tmp_path / "mirrors")
    assert {place.code for place in hand.mended} == {"OVH404"} and not hand.new
    assert (hand.lines, hand.tree, before.tree) == (1, "hand", "before")
    assert case_stages.read_stages(tmp_path / "work" / "ours") == [before, hand]

    out = tmp_path / "results.jsonl"
    assert measure_on_device(ours, tmp_path / "work", out, 0.0, small=True) == 0
    (study,) = results(read_lines(out))
    assert study.device == "simulated device" and not study.is_timed
    assert study.stages["before"].waits == study.stages["again"].waits == 1.0
    assert study.stages["hand"].waits == 0.5
    for stage in study.stages.values():
        assert stage.equal == stage.rounds >= 3


def test_stages_that_come_to_the_same_are_one_form_and_each_rule_has_one_of_its_own(
    ours: Study, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    places = [Place("train.py", 8, "x", code, "host", 1.0) for code in ("OVH607", "OVH404")]

    def fix(name: str, tree: Path) -> None:
        text = "one" if name in ("unsafe", "runtime", "only-OVH404") else "" if name == "safe" else name
        (tree / "train.py").write_text((tree / "train.py").read_text() + text)

    def findings(tree: Path) -> list[Place]:
        return places if tree.name == "before" else []

    monkeypatch.setattr(case_stages, "_fix", fix)
    monkeypatch.setattr(case_stages, "findings", findings)
    stages = case_stages.write_stages(ours, tmp_path / "work", tmp_path / "mirrors")
    assert {stage.name: stage.tree for stage in stages} == {
        "before": "before",
        "safe": "before",
        "unsafe": "unsafe",
        "runtime": "unsafe",
        "hand": "hand",
        "only-OVH404": "unsafe",
        "only-OVH607": "only-OVH607",
    }
    folders = {path.name for path in (tmp_path / "work" / "ours").iterdir() if path.is_dir()}
    assert folders == {"before", "unsafe", "hand", "only-OVH607"}


def test_a_place_is_known_again_when_its_line_moves_or_is_changed_by_another_fix() -> None:
    place = Place("a.py", 3, "x = loss.item()", "OVH404", "stall", 1.0)
    moved, changed = replace(place, line=9), replace(place, text="y = loss.item()")
    assert mended([place, place], [moved]) == ((place,), ())
    assert mended([place], [moved, moved]) == ((), (moved,))
    assert mended([place, place], [moved, changed]) == ((), ())
    other = replace(place, path="b.py")
    assert mended([place], [other]) == ((place,), (other,))


TRACE = [
    {"ph": "X", "cat": "user_annotation", "name": "case study", "ts": 100.0, "dur": 100.0},
    {"ph": "X", "cat": "kernel", "name": "a", "ts": 90.0, "dur": 20.0},
    {"ph": "X", "cat": "kernel", "name": "b", "ts": 105.0, "dur": 15.0},
    {"ph": "X", "cat": "gpu_memcpy", "name": "c", "ts": 190.0, "dur": 30.0},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": 101.0, "dur": 4.0},
    {"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernelEx", "ts": 102.0, "dur": 4.0},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "ts": 103.0, "dur": 4.0},
    {"ph": "i", "cat": "kernel", "name": "no span", "ts": 103.0},
]


def test_a_device_is_busy_where_one_kernel_or_copy_runs_at_least() -> None:
    pytest.importorskip("torch")
    from case_meters import device_use

    busy = device_use(TRACE)
    assert busy is not None
    assert busy.busy_seconds == pytest.approx(30e-6)
    assert (busy.launches, busy.kernels, busy.memcpys) == (2, 2, 1)
    assert device_use([event for event in TRACE if event["cat"] not in ("kernel", "gpu_memcpy")]) is None


def _lines(device: str) -> list[dict[str, Any]]:
    """Records of a study: by hand 2 of 10 ms are saved, and two waits."""
    about = {"subject": "nanogpt", "device": device}
    place = {"code": "OVH607", "tier": "host", "executions": 2.0}
    wait = {"code": "OVH404", "tier": "stall", "executions": 1.0}
    stages: list[tuple[str, str, int, list[Any], list[Any]]] = [
        ("before", "before", 0, [place, wait], []),
        ("safe", "before", 0, [place, wait], []),
    ]
    stages += [("unsafe", "before", 0, [place, wait], []), ("hand", "hand", 4, [], [place, wait])]
    lines: list[dict[str, Any]] = [
        {
            "kind": "stage",
            **about,
            "name": name,
            "tree": tree,
            "lines": number,
            "places": left,
            "mended": gone,
        }
        for name, tree, number, left, gone in stages
    ]
    for form, seconds, waits, equal in (
        ("before", [0.010, 0.011, 0.010], 3.0, 3),
        ("hand", [0.008, 0.009, 0.008], 1.0, 2),
        ("again", [0.010, 0.0105, 0.010], 3.0, 3),
    ):
        times = {"seconds": seconds, "rounds": 3, "equal": equal, "difference": 0.0 if equal == 3 else 1e-6}
        lines.append({"kind": "times", **about, "form": form, **times})
        counts = {"stream_sync": waits, "event_sync": 0.0, "dispatches": 100.0}
        lines.append({"kind": "counts", **about, "form": form, "per_step": counts, "unavailable": {}})
        lines.append({"kind": "device", **about, "form": form, "busy_seconds": 0.006, "launches": 50.0})
    return lines


def test_a_page_shows_what_was_measured_beside_what_was_predicted() -> None:
    lines = _lines("A GPU")
    (study,) = results(lines)
    saving = study.saving(study.stages["hand"])
    assert saving is not None
    assert (saving.lower, saving.median, saving.upper) == pytest.approx((0.002, 0.002, 0.002))
    assert study.stages["hand"].predicted({"OVH607": 3e-6, "OVH404": 1.0}) == pytest.approx(6e-6)
    text = page(lines, {"OVH607": 3e-6}, "a machine")
    rows = {}
    for row in text.splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        rows[" ".join(cells[1:3])] = cells[1:-1]
    by_hand = rows["by hand, then `--fix` 4"]
    assert "8 (8 to 8.5)" in by_hand and "1.25 (1.24 to 1.25)" in by_hand
    assert by_hand[6] == "1" and by_hand[-3:] == ["50", "25 %", "2 of 3, else to 1e-06"]
    assert rows["`--fix`: nothing changes 0"][4:] == rows["as it was 0"][4:]
    assert rows["nanogpt hand"][2:] == ["OVH404 OVH607", "1", "6.0", "2,000.0 (2,000.0 to 2,000.0)"]
    assert rows["nanogpt again"][2:] == ["", "0", "", "0.0 (0.0 to 250.0)"]
    assert "pending" not in text and "80 %" in chart([study])


def test_without_a_gpu_no_time_is_shown() -> None:
    text = page(_lines("simulated device"), {}, "a machine")
    assert "Times on a GPU are pending" in text and "8 (8 to" not in text
    assert "not finished" not in text.lower()
    assert text.count("pending") > 4
    assert "rect" not in chart(results(_lines("simulated device"))).partition("by hand")[2]


def test_what_was_cut_off_is_told_and_counts_for_nothing() -> None:
    cut = [line for line in _lines("A GPU") if line["kind"] == "stage"]
    cut.append(
        {"kind": "part", "subject": "nanogpt", "device": "", "seconds": 9.0, "status": None, "said": "ended"}
    )
    text = page(cut, {}, "a machine")
    assert "Not finished: nanogpt, after 9 s: ended." in text
    (row,) = (row for row in text.splitlines() if row.startswith("| [nanoGPT"))
    assert [cell.strip() for cell in row.split("|")][4:-1] == ["0", "0", "2", "", "", "pending", ""]


def test_the_table_of_a_page_is_written_anew_between_its_marks(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("before\n<!-- case_studies -->\nold\n<!-- /case_studies -->\nafter\n")
    put_into(file, overview(results(_lines("simulated device"))))
    text = file.read_text()
    assert text.startswith("before\n<!-- case_studies -->\n\n| program") and text.endswith("-->\nafter\n")
    assert "old" not in text and "3 to 1" in text and "| no " in text
    file.write_text("no marks")
    with pytest.raises(ValueError, match="0, not 1"):
        put_into(file, "")


def test_parts_share_the_time_and_what_was_cut_off_is_told(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    sleeping = ("-c", "import time; time.sleep(60)")
    parts = [
        Part("fine", ("-c", "pass"), 50),
        Part("fails", ("-c", "exit('why')"), 50),
        Part("slow", sleeping, 0.1),
    ]
    assert run_all(parts, out, 100) == 1
    told = [(line["subject"], line["status"], line["said"]) for line in read_lines(out)]
    assert told == [("fine", 0, ""), ("fails", 1, "why"), ("slow", None, "ended after 0 s")]
    assert run_all(parts[:1], out, 0) == 1
    assert read_lines(out)[-1]["said"] == "no time was left"


def test_a_checkout_that_is_not_installed_has_its_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(overhead_lint, "__path__", list(overhead_lint.__path__))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["case_command.py", "rule", "OVH101"])
    assert case_command.main() == 0
    assert "autocast-per-step" in capsys.readouterr().out
    assert str(HERE.parents[1]) in overhead_lint.__path__


def test_the_command_for_a_gpu_needs_nothing_but_its_files(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", str(HERE / "case_studies.sh"), str(tmp_path), "--only", "no-such-study"],
        env={"PATH": "/usr/bin:/bin", "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "there is no study 'no-such-study'" in done.stderr
