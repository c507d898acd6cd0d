"""``overhead-lint bench``: both forms of a rule, timed or counted on this machine."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from overhead_lint.cli.main import main
from overhead_lint.engine import packs
from overhead_lint.engine.pages import TimingCase
from overhead_lint.measure.calibration import CalibrationError, count, measure, prepare
from overhead_lint.measure.rule_costs import RuleCosts, keep_costs, kept_costs
from overhead_lint.rule import Heat, Rule

Bench = Callable[..., "tuple[str, str, int]"]

PAGE = """\
# XYZ001 a-rule

Sees something.

## Timing

### Sums

```python before
sum(range(100))
```

```python after
{after}
```
"""


@pytest.fixture(autouse=True)
def nothing_to_collect() -> Iterator[None]:
    """Leave what others imported out of the collection before each case: that takes longer than the case."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Bench:
    """Run the command."""

    def run(*arguments: str) -> tuple[str, str, int]:
        capsys.readouterr()
        try:
            status = main(["bench", "--blocks", "2", *arguments])
        except SystemExit as error:
            status = int(error.code or 0)
        return (*capsys.readouterr(), status)

    return run


@pytest.fixture
def own_rule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Make a third party's rule the only one."""

    def make(after: str) -> None:
        path = tmp_path / "a_rule.md"
        path.write_text(PAGE.format(after=after))
        rule = Rule(code="XYZ001", name="a-rule", summary="sees something", triggers=(b"x",), heat=Heat.COLD)
        monkeypatch.setattr(packs, "load", lambda chosen: (packs.LoadedRule(rule, "pack", path),))

    return make


def test_a_line_gives_both_times_their_ratio_and_the_saving(bench: Bench) -> None:
    out, err, status = bench("OVH609")
    first, *lines = out.splitlines()
    assert first.startswith("torch ") and first.endswith(", one thread")
    number = r"-?[\d,]+"
    pattern = (
        rf"OVH609  [^:]+: {number} -> {number} ns, x\d+\.\d\d, saves {number} ns \({number} to {number}\)"
    )
    assert len(lines) == 2 and all(re.fullmatch(pattern, line) for line in lines)
    assert (err, status) == ("", 0)


def test_a_prefix_stands_for_its_rules_and_json_for_programs(bench: Bench) -> None:
    out, _, status = bench("OVH6", "--output-format", "json")
    found = json.loads(out)
    assert (found["schema"], status) == (1, 0)
    assert {case["code"] for case in found["cases"]} >= {"OVH601", "OVH606", "OVH609"}
    for case in found["cases"]:
        assert case["ratio"] == pytest.approx(case["before_seconds"] / case["after_seconds"])
        assert len(case["saving_quartiles_seconds"]) == 2


def test_a_table_of_this_machine_has_the_saving_of_each_rule_with_its_spread_and_ranks_findings(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "reference.json"
    out, err, status = bench("OVH609", "OVH106", "--output-format", "json", "--write-reference", str(file))
    assert (err, status) == ("", 0)
    table, cases = json.loads(file.read_text()), json.loads(out)["cases"]
    assert table["machine"] == json.loads(out)["machine"]
    assert table["seconds"].keys() == table["quartiles"].keys() == {"OVH106", "OVH609"}
    for code, (lower, upper) in table["quartiles"].items():
        quartiles = [case["saving_quartiles_seconds"] for case in cases if case["code"] == code]
        assert (lower, upper) == (min(low for low, _ in quartiles), max(high for _, high in quartiles))
    monkeypatch.setenv("OVERHEAD_LINT_COSTS", str(file))
    assert kept_costs() == RuleCosts(table["machine"], table["seconds"])


@pytest.mark.parametrize("time", [1, 2])
def test_what_one_test_times_no_other_reads(time: int) -> None:
    assert kept_costs() is None
    keep_costs("here", [{"code": "OVH102", "saving_seconds": float(time)}])
    known = kept_costs()
    assert known is not None and dict(known.seconds) == {"OVH102": float(time)}


def test_a_table_that_cannot_be_written_is_a_line(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file = tmp_path / "file" / "reference.json"
    _, err, status = bench("OVH609", "--write-reference", str(file))
    assert (err, status) == (f"overhead-lint: {file}: cannot be written: Not a directory\n", 2)


def test_what_a_device_pays_is_counted(bench: Bench) -> None:
    out, err, _ = bench("OVH404", "--output-format", "json")
    assert not err
    cases = json.loads(out)["cases"]
    counted = [case["counts"]["stream_sync"] for case in cases]
    assert counted == [[32, 1], [1, 0], [2, 0], [1, 0]]


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_without_a_device_the_rules_that_need_one_are_named_in_a_line_and_the_others_timed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, output_format: str
) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    out, err, status = bench("OVH404", "OVH407", "OVH609", "--output-format", output_format)
    why = "simulated cuda: this torch is built for GPUs; "
    assert err.startswith(f"overhead-lint: OVH404, OVH407: not counted: {why}")
    assert (err.count("\n"), status) == (1, 2)
    assert "OVH609" in out and "OVH404" not in out


def test_rules_of_packs_are_timed_too(bench: Bench, own_rule: Callable[[str], None]) -> None:
    own_rule("4950")
    assert "XYZ001  Sums: " in bench()[0]


def test_a_rule_without_a_timing_is_named_beside_others(bench: Bench) -> None:
    out, err, status = bench("OVH501", "OVH102")
    assert "OVH102  " in out
    assert (err, status) == (
        "overhead-lint: OVH501: nothing to time; `overhead-lint rule` shows why it costs\n",
        0,
    )


def test_a_form_that_is_deprecated_says_nothing(bench: Bench, recwarn: pytest.WarningsRecorder) -> None:
    bench("OVH102")
    assert not recwarn.list


def test_a_form_that_fails_is_named_and_the_status_says_so(
    bench: Bench, own_rule: Callable[[str], None]
) -> None:
    own_rule("1 / 0")
    message = "XYZ001, Sums: after does not run here: ZeroDivisionError: division by zero\n"
    for form in ("text", "json"):
        out, err, status = bench("--output-format", form)
        assert (err, status) == ("overhead-lint: " + message, 2)
        assert "Sums" not in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["OVH699"], "unknown rule 'OVH699'"),
        ([""], "unknown rule '': `overhead-lint rule --list`"),
        (["OVH501"], "OVH501: nothing to time"),
        (["--blocks", "0"], "a number of blocks, 1 or more, not '0'"),
        (["--blocks", "many"], "a number of blocks, 1 or more, not 'many'"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(bench: Bench, arguments: list[str], message: str) -> None:
    out, err, status = bench(*arguments)
    assert (out, status) == ("", 2)
    assert message in err and "Traceback" not in err


def test_without_torch_it_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert bench("OVH609") == ("", "overhead-lint: bench needs torch, which is not installed here\n", 2)


def test_the_slower_form_takes_longer() -> None:
    case = TimingCase("XYZ001", "sums", "numbers = range(20_000)", "sum(numbers)", "len(numbers)")
    timing = measure(case, blocks=3)
    assert timing.before_seconds > timing.after_seconds
    assert timing.spread_seconds[0] <= timing.saving_seconds <= timing.spread_seconds[1]


def test_a_metric_that_nothing_measures_is_an_error() -> None:
    case = TimingCase("XYZ001", "sums", "", "1", "2", ("stream_syncs",))
    with pytest.raises(CalibrationError, match=r"XYZ001, sums: .*stream_syncs"):
        count(case)


def test_what_a_case_enters_and_leaves_on_ends_with_it() -> None:
    import torch

    setup = (
        "import torch\ntorch.autocast('cpu', dtype=torch.bfloat16).__enter__()\ntorch.set_grad_enabled(False)"
    )
    case = TimingCase("XYZ001", "leaves modes on", setup, "1", "2")
    measure(case, blocks=1)
    prepare(case)
    count(TimingCase("XYZ001", "leaves modes on", setup, "1", "2", ("stream_sync",)))
    assert torch.is_grad_enabled() and not torch.is_autocast_enabled("cpu")
