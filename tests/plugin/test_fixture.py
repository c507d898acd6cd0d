"""The fixture ``overhead_budget``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")

Run = Callable[..., pytest.RunResult]


def test_a_block_is_measured_and_its_numbers_can_be_read(run: Run) -> None:
    result = run("""
from pytest_overhead import OverheadBudget

def test_block(overhead_budget: OverheadBudget, model):
    with overhead_budget(guards=29, graph_breaks=0) as m:
        model(X)
    assert m.values == {"guards": 29, "graph_breaks": 0}
    assert sum(cause.amount for cause in m.causes["guards"]) == 29
""")
    result.assert_outcomes(passed=1)


def test_a_block_over_its_limit_fails_the_test(run: Run) -> None:
    result = run("""
def test_block(overhead_budget, model):
    with overhead_budget(guards=3):
        model(X)
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["guards 29 > 3", "*limit 3, value 29, excess 26", "OVER BUDGET *"])


def test_a_block_that_raises_fails_with_its_own_error(run: Run) -> None:
    result = run("""
def test_block(overhead_budget, model):
    with overhead_budget(guards=0):
        model(X)
        raise ValueError("mine")
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ValueError: mine", "FAILED *"])


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("gaurds=3", "unknown metric 'gaurds'; did you mean 'guards'?"),
        ("guards=3, warmup=2", "warmup is for the marker*"),
        ("", "no limit is given*"),
    ],
)
def test_a_senseless_call_fails_naming_its_line(run: Run, limits: str, message: str) -> None:
    result = run(f"def test_block(overhead_budget):\n    with overhead_budget({limits}): pass\n", model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"test_it.py:2: overhead_budget: {message}"])
    result.stdout.no_fnmatch_line("*During handling*")


def test_graph_breaks_compiled_in_fixtures_are_known_with_their_line(run: Run) -> None:
    result = run("""
def broken(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2

@pytest.fixture
def warm():
    function = torch.compile(broken, backend="eager")
    function(X)
    return function

def test_block(overhead_budget, warm):
    with overhead_budget(graph_breaks=0):
        warm(X)
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["    test_it.py:*  1 x graph break in broken: *"])


def test_a_block_is_judged_although_the_test_expects_its_exception(run: Run) -> None:
    result = run("""
def test_over(overhead_budget, model):
    with pytest.raises(ValueError):
        with overhead_budget(guards=28):
            model(X)
            raise ValueError

def test_kept(overhead_budget, model):
    with pytest.raises(ValueError):
        with overhead_budget(guards=29):
            model(X)
            raise ValueError
""")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["guards 29 > 28", "OVER BUDGET test_it.py::test_over *"])


def test_a_block_that_is_never_entered_fails_naming_its_line(run: Run) -> None:
    text = "def test_block(overhead_budget):\n    overhead_budget(guards=0)\n"
    result = run(text, model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["test_it.py:2: overhead_budget: nothing was measured; *"])


def test_a_decorated_function_is_measured_and_one_that_runs_later_is_refused(run: Run) -> None:
    result = run("""
def test_called(overhead_budget, model):
    @overhead_budget(guards=28)
    def call(): model(X)
    call()

def test_coroutine(overhead_budget, model):
    @overhead_budget(guards=28)
    async def call(): model(X)

def test_generator(overhead_budget, model):
    @overhead_budget(guards=28)
    def call(): yield model(X)
""")
    result.assert_outcomes(failed=3)
    later = "test_it.py:*: overhead_budget: a call of it runs nothing yet; *"
    result.stdout.fnmatch_lines(["guards 29 > 28", later, later])


def test_a_block_may_be_open_around_the_test(run: Run) -> None:
    result = run("""
@pytest.fixture
def around(overhead_budget, model):
    with overhead_budget(guards=29) as m:
        yield
    assert m.values == {"guards": 29}

def test_block(around, model): model(X)
""")
    result.assert_outcomes(passed=1)


def test_a_block_that_ends_in_another_thread_fails_the_test(run: Run) -> None:
    result = run("""
import threading

def test_over(overhead_budget):
    def work():
        with overhead_budget(dispatches=1): X.add(X).add(X)
        ended.append(1)
    ended = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended

def test_kept(overhead_budget):
    def work():
        with overhead_budget(dispatches=2): X.add(X).add(X)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
""")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["OVER BUDGET test_it.py::test_over - *dispatches 2 > 1"])


CAUGHT = """
import asyncio, contextlib, unittest

def step(overhead_budget):
    with overhead_budget(dispatches=0):
        X + X

async def tasks(overhead_budget):
    async def task(): step(overhead_budget)
    await asyncio.gather(task(), return_exceptions=True)

"""


@pytest.mark.parametrize(
    "body",
    [
        "try: step(overhead_budget)\n    except BaseException: pass",
        "with contextlib.suppress(BaseException): step(overhead_budget)",
        "try: step(overhead_budget)\n    finally: return",
        "step = overhead_budget(dispatches=0)(X.neg)\n    try: step()\n    except: pass",
        "asyncio.run(tasks(overhead_budget))",
    ],
)
def test_a_failure_that_something_catches_fails_the_test_after_its_body(run: Run, body: str) -> None:
    result = run(f"{CAUGHT}def test_block(overhead_budget):\n    {body}\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "dispatches 1 > 0",
            "  test_it.py:*: the block has failed the test, and something caught that failure",
            "OVER BUDGET *",
        ]
    )


@pytest.mark.parametrize(
    "body",
    [
        "with pytest.raises(pytest.fail.Exception, match='dispatches'): step(overhead_budget)",
        "pytest.raises(pytest.fail.Exception, step, overhead_budget)",
        "with pytest.raises(pytest.fail.Exception), overhead_budget(dispatches=0): X + X",
        "try: step(overhead_budget)\n    except pytest.fail.Exception as failure: assert str(failure)",
        "with contextlib.suppress(pytest.fail.Exception): step(overhead_budget)",
        "unittest.TestCase().assertRaises(pytest.fail.Exception, step, overhead_budget)",
    ],
)
def test_a_failure_that_a_test_asks_for_is_its_own(run: Run, body: str) -> None:
    run(f"{CAUGHT}def test_block(overhead_budget):\n    {body}\n").assert_outcomes(passed=1)


def test_a_failure_that_was_caught_is_not_that_of_a_test_which_fails_by_itself(run: Run) -> None:
    result = run(f"""{CAUGHT}
def test_block(overhead_budget):
    with contextlib.suppress(BaseException): step(overhead_budget)
    assert not X.any(), "own"
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["FAILED * - AssertionError: own"])
    result.stdout.no_fnmatch_line("dispatches 1 > 0")


def test_a_block_that_is_never_left_is_judged_at_the_end_of_the_test(run: Run) -> None:
    result = run("""
def test_over(overhead_budget):
    overhead_budget(dispatches=1).__enter__()
    X.add(X).add(X)

def test_after(overhead_budget):
    with overhead_budget(dispatches=1): X.add(X)

def test_failed(overhead_budget):
    overhead_budget(dispatches=0).__enter__()
    X.add(X)
    raise ValueError("mine")

def test_skipped(overhead_budget):
    overhead_budget(dispatches=0).__enter__()
    X.add(X)
    pytest.skip("mine")
""")
    result.assert_outcomes(passed=2, errors=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["ERROR test_it.py::test_over - *dispatches 2 > 1"])


def test_a_block_of_a_fixture_that_the_body_asks_for_is_judged(run: Run) -> None:
    result = run("""
def test_swallowed(request, model):
    try:
        with request.getfixturevalue("overhead_budget")(guards=3):
            model(X)
            raise ValueError
    except ValueError:
        pass
""")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["guards 29 > 3"])
