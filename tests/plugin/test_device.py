"""The ``cuda`` device of tests, and budgets on its events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
if torch.version.cuda is not None:
    pytest.skip("the simulated device is for a CPU-only torch", allow_module_level=True)

Run = Callable[..., pytest.RunResult]

STREAMS = """
import pytest
import torch

def train(side=None):
    layer = torch.nn.Linear(4, 4, device="cuda")
    x = torch.ones(2, 4, device="cuda")
    if side is None:
        loss = layer(x).sum()
    else:
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            hidden = layer(x)
        torch.cuda.current_stream().wait_stream(side)
        loss = hidden.sum()
    loss.backward()
"""


def test_a_test_gets_a_device_and_the_next_one_has_none(run: Run) -> None:
    result = run(
        STREAMS
        + """
def test_with(simulated_cuda):
    assert torch.cuda.is_available()
    assert torch.ones(3, device="cuda").sum().item() == 3

def test_without():
    assert not torch.cuda.is_available()
    with pytest.raises((AssertionError, RuntimeError)):
        torch.ones(3, device="cuda")
""",
        model=False,
    )
    result.assert_outcomes(passed=2)


def test_a_single_stream_needs_no_event_and_a_side_stream_names_its_lines(run: Run) -> None:
    result = run(
        STREAMS
        + """
@pytest.mark.overhead_budget(event_record=0, event_wait=0, stream_sync=0, warmup=1)
def test_single(simulated_cuda):
    train()

@pytest.mark.overhead_budget(event_record=0, stream_sync=0)
def test_side(simulated_cuda):
    train(torch.cuda.Stream())

def test_item(simulated_cuda, overhead_budget):
    x = torch.ones(3, device="cuda")
    with overhead_budget(stream_sync=0) as m:
        x.sum().item()
""",
        model=False,
    )
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "event_record 4 > 0",
            "  event_record: limit 0, value 4, excess 4",
            "    test_it.py:10  1 x *",  # side.wait_stream
            "    test_it.py:13  1 x *",  # current_stream().wait_stream
            "    test_it.py:14  1 x *backward*",  # the gradient that goes to the side stream
            "    test_it.py:15  1 x *",  # the engine's final wait
            "stream_sync 1 > 0",
            "    test_it.py:28  1 x *",
        ]
    )


def test_the_option_gives_every_test_the_device_from_collection_on(run: Run) -> None:
    result = run(
        STREAMS
        + """
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no device")
@pytest.mark.overhead_budget(event_record=0)
def test_marked():
    train()
""",
        "--overhead-device=simulated",
        model=False,
    )
    result.assert_outcomes(passed=1)
    assert not torch.cuda.is_available()


def test_update_records_event_counts_but_not_creations(run: Run, pytester: pytest.Pytester) -> None:
    text = STREAMS + "\ndef test_side(simulated_cuda): train(torch.cuda.Stream())\n"
    run(text, "--overhead-update", model=False).assert_outcomes(passed=1)
    text = (pytester.path / "overhead-budget.toml").read_text()
    assert 'device = "simulated"\n' in text
    assert text.endswith(
        "]\ncopies_pageable = 0\ndevice_sync = 0\nevent_record = 4\nevent_sync = 0\nevent_wait = 4\n"
        "stream_sync = 0\n"
    )


def test_an_event_budget_without_a_device_fails(run: Run) -> None:
    result = run("@pytest.mark.overhead_budget(event_record=0)\ndef test_none(): X + 1\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  event_record: cannot be measured: no CUDA device*simulated_cuda*"])


def test_a_real_device_that_is_not_there_is_an_error_and_no_skip(run: Run) -> None:
    result = run("def test_host(): pass\n", "--overhead-device=real")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --overhead-device=real: torch finds no CUDA device"])


def test_no_compiler_is_an_error_that_names_it(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile("def test_a(simulated_cuda): pass")
    monkeypatch.setenv("CXX", "/nowhere/c++")
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(pytester.path / "cache"))
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["simulated_cuda: *compiler*"])
    result = pytester.runpytest_subprocess(
        "-p", "no:hypothesispytest", "-p", "no:cacheprovider", "-n1", "--overhead-device=simulated"
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --overhead-device=simulated: *compiler*"])


def test_no_torch_is_an_error_that_names_it(pytester: pytest.Pytester) -> None:
    (pytester.path / "torch.py").write_text("raise ImportError('none here')\n")
    pytester.makepyfile("""
import pytest

def test_device(simulated_cuda): pass

@pytest.mark.overhead_budget(guards=3)
def test_guards(): pass
""")
    pytester.syspathinsert()
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    result.assert_outcomes(errors=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "simulated_cuda: torch cannot be imported (none here): install torch",
            "  guards: cannot be measured: *torch*cannot be imported*",
        ]
    )


def test_the_page_about_events_shows_what_its_program_gives(run: Run, pytester: pytest.Pytester) -> None:
    page = (Path(__file__).parents[2] / "docs" / "events.md").read_text(encoding="utf-8")
    program, _, rest = page.partition("```python\n")[2].partition("```\n")
    report = rest.partition("```\n")[2].partition("```\n")[0]
    pytester.makepyfile(test_step=program)
    result = run("", "test_step.py")
    result.assert_outcomes(failed=1)
    assert report in result.stdout.str() + "\n"


def test_losing_pinned_memory_fails_a_budget(run: Run) -> None:
    text = """
def test_it(simulated_cuda):
    batch, there = torch.ones(4).pin_memory(), torch.empty(4, device="cuda")
    there.copy_(batch, non_blocking=True)
"""
    run("import torch\n" + text, "--overhead-update", model=False).assert_outcomes(passed=1)
    lost = text.replace(".pin_memory()", "")
    result = run("import torch\n" + lost, "--overhead-budget", model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["copies_pageable 1 > 0: +1 at test_it.py:5 (copy_), was 0"])
