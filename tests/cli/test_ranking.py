"""What findings cost, and what a report shows first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.measure.rule_costs import costs_file, keep_costs, kept_costs, seconds_by_rule
from overhead_lint.report.cost_texts import duration
from overhead_lint.report.order import less_if_alike
from overhead_lint.report.reference_costs import SECONDS
from overhead_lint.rule import Tier

if TYPE_CHECKING:
    from .conftest import Run

TRAIN = """\
import os

import torch
from torch.nn import functional as F


def train(model, loader, optimizer):
    total = 0.0
    for batch, target in loader:
        home = os.environ["HOME"]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.mse_loss(model(batch), target)
        loss.backward()
        optimizer.step()
        total += read(loss)
    return total


def check(model, loader, optimizer):
    for batch in loader:
        loss = model(batch).sum()
        for scale in (1, 2, 3, 4, 5):
            with torch.autocast("cuda"):
                loss = loss * scale
        loss.backward()
        optimizer.step()


def read(loss):
    return loss.item()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a wait, two contexts of autocast, one in a loop of five rounds, and a small cost."""
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "flags.py").write_text("import torch\n\ntorch.backends.cudnn.allow_tf32 = True\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["overhead-lint"]\n')
    return tmp_path


def objects(run_here: Run, *options: str) -> list[dict[str, Any]]:
    """The findings of a run, as JSON has them."""
    found: list[dict[str, Any]] = json.loads(run_here(".", "--output-format", "json", *options).stdout)
    return found


def test_json_has_the_tier_of_each_finding_and_what_it_is_expected_to_cost(
    project: Path, run_here: Run
) -> None:
    told = {(one["path"], one["line"]): (one["code"], one["tier"], one["cost"]) for one in objects(run_here)}
    assert told["flags.py", 3] == ("OVH501", "correctness", None)
    assert told["train.py", 30][:2] == ("OVH404", "stall")
    assert told["train.py", 30][2] == {
        "seconds_per_step": None,
        "executions_per_step": 1.0,
        "seconds_per_execution": None,
        "estimate": True,
        "rounds_assumed": False,
        "waits": True,
        "waits_again": False,
        "stays": None,
    }
    assert told["train.py", 10][:2] == ("OVH603", "micro")
    code, tier, cost = told["train.py", 23]
    assert (code, tier, cost["executions_per_step"]) == ("OVH101", "minor", 5.0), "the loop has five rounds"
    assert cost["seconds_per_step"] == pytest.approx(5 * SECONDS["OVH101"])


def test_a_deprecated_name_that_still_works_counts_for_what_it_costs(tmp_path: Path, run_here: Run) -> None:
    text = (
        "import torch\n\nfor x in loader:\n    with torch.cuda.amp.autocast():\n        net(x).backward()\n"
    )
    (tmp_path / "run.py").write_text(text)
    (told,) = objects(run_here, "--select", "OVH102")
    assert (told["code"], told["tier"]) == ("OVH102", "micro"), "it does what it says"


def test_the_text_report_begins_with_the_summary_and_the_most_expensive(project: Path, run_here: Run) -> None:
    lines = run_here(".").stdout.splitlines()
    assert lines[0].startswith(
        "1 place stalls a step; 1 is a matter of correctness; 1 is seldom worth a change; "
    )
    assert "2 cost microseconds (an estimated " in lines[0]
    assert lines[1:3] == [
        "Most expensive:",
        "  train.py:30:12: OVH404 sync-in-step (stall: the CPU waits for the GPU, once a step)",
    ]
    assert lines[3] == "  flags.py:3:1: OVH501 legacy-tf32-flag (correctness)"
    assert lines[4].startswith("  train.py:23:18: OVH101 autocast-per-step (minor: an estimated ")
    assert lines[5].startswith("--fix fixes ")
    assert lines[6].startswith("Next: overhead-lint --diff ")
    assert [line for line in lines if line.startswith("==")] == [
        "== stall: train.py:9 loop over loader (1 place) ==",
        "== correctness: other places (1 place) ==",
    ]
    assert "1 minor finding in 1 file: --tier minor shows them" in lines
    assert "  OVH101 autocast-per-step: 1 place in 1 file" in lines
    assert "2 micro findings in 1 file: --tier micro shows them" in lines
    assert "  OVH603 env-read-per-step: 1 place in 1 file" in lines
    assert not any(line.startswith("train.py:10:") for line in lines)
    assert lines[-2].startswith("Found 5 findings in 2 files")
    assert lines[-1].startswith("To rank them by measurement: overhead-lint run ")


def test_few_findings_need_no_summary_ahead_and_a_quiet_run_none(project: Path, run_here: Run) -> None:
    assert run_here("flags.py").stdout.startswith("flags.py:3:1: OVH501 ")
    quiet = run_here(".", "--quiet").stdout
    assert quiet.startswith("== stall: ") and "Found" not in quiet and "To rank" not in quiet


def test_the_order_of_files_is_to_be_had(project: Path, run_here: Run) -> None:
    lines = run_here(".", "--sort", "path", "--output-format", "concise").stdout.splitlines()[:-1]
    assert [line.split()[1] for line in lines] == ["OVH501", "OVH603", "OVH101", "OVH101", "OVH404"]
    full = run_here(".", "--sort", "path").stdout
    assert full.startswith("flags.py:3:1: OVH501 ") and "train.py:10:16: OVH603 " in full
    by_cost = run_here(".", "--output-format", "concise").stdout.splitlines()[:-1]
    assert [line.split()[1] for line in by_cost] == ["OVH404", "OVH501", "OVH101", "OVH101", "OVH603"]


def test_what_is_alike_counts_less_each_time() -> None:
    costs = {"a 1": -9.0, "a 2": -8.0, "a 3": -7.0, "b 1": -5.0, "c 1": -1.0}
    counting = less_if_alike(costs, lambda one: (costs[one], 0.0, 0), lambda one: one[:1])
    assert sorted(costs, key=counting.__getitem__) == ["a 1", "b 1", "a 2", "a 3", "c 1"]
    waits = ["a 1", "a 2", "b 1"]
    counting = less_if_alike(waits, lambda one: (0.0, -1.0, waits.index(one)), lambda one: one[:1])
    assert sorted(waits, key=counting.__getitem__) == ["a 1", "b 1", "a 2"]


def test_the_kind_that_came_most_often_counts() -> None:
    costs = {"ax": -6.0, "ay": -5.0, "bx": -4.0, "cz": -3.0, "dx": -2.9}
    counting = less_if_alike(costs, lambda one: (costs[one], 0.0, 0), tuple)
    assert counting == {
        "ax": (-6.0, 0.0, 0),
        "ay": (-2.5, 0.0, 0),
        "bx": (-2.0, 0.0, 0),
        "cz": (-3.0, 0.0, 0),
        "dx": (pytest.approx(-2.9 / 3), 0.0, 0),
    }


def test_copies_of_a_file_come_behind_what_stands_once(project: Path, run_here: Run) -> None:
    copied = (project / "train.py").read_text()
    other = copied.replace("loss.item()", "accuracy.item()").replace("loss =", "accuracy =")
    assert other != copied
    for name, text in (("train_a.py", copied), ("train_b.py", copied), ("train_z.py", other)):
        (project / name).write_text(text)
    lines = run_here(".", "--output-format", "concise").stdout.splitlines()
    files = [line.partition(":")[0] for line in lines if " OVH404 " in line]
    assert files == ["train.py", "train_z.py", "train_a.py", "train_b.py"]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        (["--tier", "stall"], {"OVH404"}),
        (["--tier", "stall,correctness"], {"OVH404", "OVH501"}),
        (["--tier", "micro"], {"OVH101", "OVH603"}),
        (["--min-cost", "10us"], {"OVH404", "OVH501", "OVH101"}),
        (["--min-cost", "1.5 ms"], {"OVH404", "OVH501"}),
        (["--tier", "host", "--min-cost", "1s"], set()),
    ],
)
def test_findings_are_shown_by_tier_and_cost(
    project: Path, run_here: Run, options: list[str], codes: set[str]
) -> None:
    assert {one["code"] for one in objects(run_here, *options)} == codes
    done = run_here(".", *options)
    assert done.returncode == int(bool(codes))
    assert all(code in done.stdout for code in codes)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--tier", "dear"],
            "takes stall, host, minor, micro, correctness, with commas between them, not 'dear'",
        ),
        (["--min-cost", "5%"], "--min-cost with a part of the host time goes with --evidence"),
        (["--min-cost", "cheap"], "--min-cost takes a time a step such as 20us"),
        (["--sort", "size"], "--sort"),
    ],
)
def test_wrong_use_is_one_line(project: Path, run_here: Run, options: list[str], said: str) -> None:
    done = run_here(".", *options)
    assert done.returncode == 2
    assert said in done.stderr.splitlines()[-1]


def test_a_baseline_takes_micro_findings_too(project: Path, run_here: Run) -> None:
    assert run_here("--write-baseline", ".").returncode == 0
    assert run_here("--baseline", "overhead-baseline.jsonl", ".").returncode == 0


def test_what_this_machine_timed_takes_the_place_of_the_reference(
    project: Path, run_here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEAD_LINT_COSTS", str(tmp_path / "kept" / "costs.json"))
    assert kept_costs() is None
    keep_costs("here", [{"code": "OVH603", "saving_seconds": 0.5}])
    keep_costs("here", [{"code": "OVH101", "saving_seconds": 0.25}])
    (read,) = (one for one in objects(run_here) if one["code"] == "OVH603")
    assert read["cost"]["seconds_per_step"] == 0.5
    known = kept_costs()
    assert known is not None and dict(known.seconds) == {"OVH101": 0.25, "OVH603": 0.5}
    keep_costs("elsewhere", [{"code": "OVH101", "saving_seconds": 0.125}])
    known = kept_costs()
    assert known is not None and (known.machine, dict(known.seconds)) == ("elsewhere", {"OVH101": 0.125})
    costs_file().write_text("[")
    assert kept_costs() is None
    (read,) = (one for one in objects(run_here) if one["code"] == "OVH603")
    assert read["cost"]["seconds_per_step"] == SECONDS["OVH603"]


def test_a_rule_costs_the_median_of_its_cases_and_calls_of_the_driver_are_assumed() -> None:
    assert seconds_by_rule(
        [
            {"code": "OVH101", "saving_seconds": 3.0},
            {"code": "OVH101", "saving_seconds": 1.0},
            {"code": "OVH101", "saving_seconds": -1.0},
            {"code": "OVH401", "counts": {"event_create": [32.0, 1.0], "event_wait": [1.0, 1.0]}},
            {"code": "OVH404", "counts": {"stream_sync": [1.0, 0.0]}},
        ]
    ) == {"OVH101": 1.0, "OVH401": 1e-6}


def test_services_get_tier_rank_and_the_page_of_a_rule(project: Path, run_here: Run) -> None:
    (log,) = json.loads(run_here(".", "--output-format", "sarif").stdout)["runs"]
    by_code = {one["ruleId"]: one for one in log["results"]}
    assert (by_code["OVH404"]["rank"], by_code["OVH404"]["level"]) == (90.0, "warning")
    assert (by_code["OVH603"]["rank"], by_code["OVH603"]["level"]) == (10.0, "note")
    assert by_code["OVH404"]["properties"]["tier"] == Tier.STALL.value
    rules = {one["id"]: one for one in log["tool"]["driver"]["rules"]}
    assert rules["OVH404"]["help"]["markdown"].startswith("# OVH404 sync-in-step")
    assert len(rules["OVH404"]["fullDescription"]["text"]) > len(rules["OVH404"]["shortDescription"]["text"])
    other = rules["OVH405"]  # pages of rules that found nothing are left out
    assert other["fullDescription"] == other["shortDescription"]
    assert other["help"] == {"text": "overhead-lint rule OVH405"}, (
        "pages of rules that found nothing are left out"
    )
    issues = json.loads(run_here(".", "--output-format", "gitlab").stdout)
    assert {one["check_name"]: one["severity"] for one in issues if one["check_name"] != "OVH101"} == {
        "OVH404": "major",
        "OVH501": "major",
        "OVH603": "info",
    }


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (2.5e-7, "250 ns"),
        (1e-6, "1 us"),
        (2.84e-5, "28 us"),
        (4.74e-4, "474 us"),
        (0.0054, "5.4 ms"),
        (2, "2 s"),
    ],
)
def test_durations_have_two_digits(seconds: float, text: str) -> None:
    assert duration(seconds) == text
