"""Budgets on metrics of single probes, as a test declares them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")

Run = Callable[..., pytest.RunResult]


def test_saved_tensors_have_budgets_in_bytes(run: Run) -> None:
    text = """
        import pytest, torch

        W = torch.ones(8, requires_grad=True)

        @pytest.mark.overhead_budget(saved_tensors=1, saved_bytes=16)
        def test_step():
            W.exp().sum().backward()
    """
    result = run(text, model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "saved_bytes 32 bytes > 16 bytes",
            "*saved_bytes: limit 16 bytes, value 32 bytes, excess 16 bytes",
            "*test_it.py:*  32 bytes  saved by ExpBackward0",
        ]
    )


def test_lines_of_counts_are_taken_in_one_more_call_and_only_of_a_broken_budget(run: Run) -> None:
    text = """
        import pytest, torch

        X = torch.ones(2)
        CALLS = []

        @pytest.mark.overhead_budget(dispatches=1, warmup=1)
        def test_kept():
            CALLS.append("kept")
            torch.neg(X)

        @pytest.mark.overhead_budget(dispatches=0, warmup=1)
        def test_broken():
            CALLS.append("broken")
            torch.neg(X)

        def test_calls():
            assert CALLS == ["kept"] * 2 + ["broken"] * 3
    """
    result = run(text, model=False)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["*dispatches: limit 0, value 1, excess 1", "*test_it.py:14  1 x forward (neg)"]
    )


def test_lines_of_a_call_that_counts_otherwise_are_told_as_such(run: Run) -> None:
    text = """
        import pytest, torch

        X, CALLS = torch.ones(2), []

        @pytest.mark.overhead_budget(dispatches=0)
        def test_grows():
            CALLS.append(1)
            for _ in CALLS:
                torch.neg(X)

        @pytest.mark.overhead_budget(dispatches=0)
        def test_raises(tmp_path):
            torch.neg(X)
            tmp_path.rmdir()
    """
    result = run(text, model=False)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "dispatches 1 > 0",
            "*test_it.py:9  2 x forward (neg)",
            "*(the lines are those of one more call, which counted 2)",
            "dispatches 1 > 0",
            "*(no lines: called once more, the body raised FileNotFoundError: *",
        ]
    )


def test_coroutines_are_called_once_more_too(run: Run) -> None:
    text = """
        import asyncio, pytest, torch
        from pytest_overhead.body import Body

        X = torch.ones(2)

        async def body():
            await asyncio.sleep(0)
            torch.neg(X)

        def test_it():
            measured = Body(body, frozenset({"dispatches"}), over=lambda m: frozenset(m.values))
            asyncio.run(measured.replacement()())
            whole, differing = measured.measurement()
            assert whole.values == {"dispatches": 1} and not differing
            assert [(cause.line, cause.amount) for cause in whole.causes["dispatches"]] == [(8, 1)]
    """
    run(text, model=False).assert_outcomes(passed=1)


def test_step_overhead_warns_and_gates_where_that_is_asked_for(run: Run, pytester: pytest.Pytester) -> None:
    text = """
        import pytest, torch

        X = torch.ones(2)

        @pytest.mark.overhead_budget(step_overhead=0.01, warmup=1)
        def test_step():
            torch.neg(X)

        @pytest.mark.overhead_budget(step_overhead=10_000, warmup=1)
        def test_kept():
            torch.neg(X)
    """
    # "error" in the ini file of these tests makes the warning a failure.
    run(text, model=False).stdout.fnmatch_lines(["*OverheadWarning: *::test_step: step_overhead *x > 0.01x"])
    result = run(text, "-W", "default", model=False)
    result.assert_outcomes(passed=2, warnings=1)
    result = run(text, "-o", "overhead_gate_times=true", model=False)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*step_overhead: limit 0.01x, value *x, excess *x"])


def test_step_overhead_of_a_block_is_not_measured_and_says_what_to_do(run: Run) -> None:
    text = """
        def test_step(overhead_budget):
            with overhead_budget(step_overhead=5):
                pass
    """
    result = run(text, model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["step_overhead could not be measured", "*a block runs once*marker*"])


@pytest.mark.parametrize("limit", ["'5 us'", "'== 3'", "-1"])
def test_a_ratio_has_no_unit_and_is_not_met_exactly(run: Run, limit: str) -> None:
    text = f"""
        import pytest

        @pytest.mark.overhead_budget(step_overhead={limit})
        def test_step():
            pass
    """
    result = run(text, model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_it.py:3: overhead_budget: step_overhead=*"])
