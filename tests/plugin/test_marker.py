"""The marker: what it accepts, and what it fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")

from pytest_overhead.budgets import BadBudget, Multiple, parse_limit, parse_marker

Run = Callable[..., pytest.RunResult]


def test_a_kept_budget_passes_and_a_broken_one_fails_with_the_lines(run: Run) -> None:
    result = run("""
@pytest.mark.overhead_budget(guards=29, recompiles=0, graph_breaks=0, warmup=2)
def test_kept(model): model(X)

@pytest.mark.overhead_budget(guards=20)
def test_broken(model): model(X)
""")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "test_it.py .B*",
            "guards 29 > 20",
            "test_it.py::test_broken",
            "  guards: limit 20, value 29, excess 9",
            "    test_it.py:17  11 x guard on L*.[_]modules* and others",
            "OVER BUDGET test_it.py::test_broken - *guards 29 > 20",
        ]
    )
    result.stdout.no_fnmatch_line("*verdict.py*")


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ("gaurds=3", "unknown metric 'gaurds'; did you mean 'guards'?"),
        ("guards=-1", "guards=-1: a limit is 0 or more"),
        ("guards='3 us'", "guards='3 us': a count has no unit"),
        ("guards='few'", "guards='few': write a number or text such as '40'"),
        (
            "guard_time_hot='5 min'",
            "guard_time_hot='5 min': write a number or text such as '5 us', or '3x' (operators)",
        ),
        ("guards='3x'", "guards='3x': a count has no unit"),
        ("step_overhead='3 us'", "step_overhead='3 us': a ratio has no unit but x"),
        ("step_overhead='three'", "step_overhead='three': write a number or text such as '3x'"),
        (
            "guard_time_hot='== 3x'",
            "guard_time_hot='== 3x': a time cannot be met exactly; write '<= ...'",
        ),
        ("guards=None", "guards=None: a limit is a number"),
        (
            "guard_time_hot='== 5 us'",
            "guard_time_hot='== 5 us': a time cannot be met exactly; write '<= ...'",
        ),
        ("guards=True", "guards=True: a limit is a number"),
        ("guards=1.5", "guards=1.5: a count is a whole number"),
        ("guard_time_hot=float('nan')", "guard_time_hot=nan: a limit is 0 or more"),
        ("guards=10**400", f"guards: a limit is at most {2**63 - 1}"),
        ("guards='1e300'", f"guards: a limit is at most {2**63 - 1}"),
        ("guards='1e400'", f"guards: a limit is at most {2**63 - 1}"),
        ("guards=torch.tensor(3)", "guards=tensor(3): a limit is a number"),
        ("guards=torch.float32", "guards=torch.float32: a limit is a number"),
        ("machine={1: {'guard_time_hot': -3}}", "guard_time_hot=-3: a limit is 0 or more"),
        ("40", "limits are keyword arguments (guards=40), not positional: 40"),
        ("", "no limit is given; write for instance guards=40"),
        ("guards=1, warmup=-1", "warmup=-1: a number of calls, 0 or more"),
        ("metrics='guards'", "metrics='guards': write a list of names, for instance metrics=['guards']"),
        ("metrics=['gaurds']", "metrics: unknown metric 'gaurds'; did you mean 'guards'?"),
        ("metrics=[3]", "metrics: 3 is no name of a metric"),
        ("metrics={'guards': 3}", "metrics={'guards': 3}: write a list of names, for instance"),
        ("metrics=[]", "no limit is given; write for instance guards=40"),
        ("cuda={}, machine={}", "no limit is given; write for instance guards=40"),
    ],
)
def test_a_senseless_marker_is_a_usage_error_that_names_file_and_line(
    run: Run, marker: str, message: str
) -> None:
    text = f"import pytest\nimport torch\n\n@pytest.mark.overhead_budget({marker})\ndef test_a(): pass\n"
    result = run(text, model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: test_it.py:4: overhead_budget: {message}" in result.stderr.str()
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


def test_a_marker_that_is_called_almost_so_is_refused_where_budgets_are_asked_for(
    pytester: pytest.Pytester,
) -> None:
    options = ("--overhead-budget", "-p", "no:cacheprovider", "-p", "no:asyncio", "-p", "no:hypothesispytest")
    pytester.makepyfile(test_it="import pytest\n\n@pytest.mark.overhead(guards=0)\ndef test_a(): pass\n")
    result = pytester.runpytest_inprocess(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = "ERROR: test_it.py:3: there is no marker overhead; did you mean overhead_budget?"
    assert said in result.stderr.str()
    pytester.makeini("[pytest]\nmarkers =\n    overhead(n): of somebody else\n")
    assert pytester.runpytest_inprocess(*options).ret == 0


@pytest.mark.parametrize(
    ("metric", "value", "limit"),
    [
        ("guards", "<= 40", 40),
        ("guards", " 40 ", 40),
        ("guards", 40.0, 40),
        ("guard_time_hot", "5 us", 5e-6),
        ("guard_time_hot", "<=1.5ms", 1.5e-3),
        ("guard_time_hot", "<= 3x", Multiple(3)),
        ("step_overhead", "<= 3x", 3.0),
        ("step_overhead", "2.5 x", 2.5),
        ("guard_time_hot", "2e-6", 2e-6),
        ("guard_time_cold", "80ns", 8e-8),
        ("guard_time_cold", 1, 1.0),
    ],
)
def test_limits_may_be_text_with_a_unit(metric: str, value: object, limit: float) -> None:
    assert parse_limit(metric, value) == limit


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy", reason="needs NumPy")
    budget = parse_marker(
        (), {"guards": numpy.int64(40), "step_overhead": numpy.float32(2.5), "warmup": numpy.int32(3)}
    )
    assert (budget.limits, budget.warmup) == ({"guards": 40, "step_overhead": 2.5}, 3)
    assert {type(limit) for limit in budget.limits.values()} == {int, float}
    with pytest.raises(BadBudget, match="a limit is 0 or more"):
        parse_limit("guards", numpy.float32("nan"))


def test_a_count_that_is_to_be_met_exactly_fails_below_and_above(run: Run) -> None:
    result = run("""
@pytest.mark.overhead_budget(guards="== 29")
def test_met(model): model(X)

@pytest.mark.overhead_budget(guards="== 28")
def test_above(model): model(X)

@pytest.mark.overhead_budget(guards="==30")
def test_below(model): model(X)
""")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "  guards: limit exactly 28, value 29, excess 1",
            "  guards: limit exactly 30, value 29, short by 1",
            "OVER BUDGET test_it.py::test_above - *guards 29 != 28",
        ]
    )


def test_a_worker_of_xdist_fails_the_test_with_a_senseless_marker(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    pytester.makepyfile(
        test_it="import pytest\n\n@pytest.mark.overhead_budget(guards=-1)\ndef test_a(): pass\n"
    )
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-n1", "-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["test_it.py:3: overhead_budget: guards=-1: a limit is 0 or more"])


def test_the_body_is_called_warmup_times_before_it_is_measured_and_fixtures_once(run: Run) -> None:
    result = run("""
calls = []

@pytest.fixture
def made():
    calls.append("fixture")

@pytest.mark.overhead_budget(recompiles=0, warmup=3)
def test_warm(made, model):
    calls.append("body")
    model(torch.ones(len(calls) > 3 and 4 or 3))

def test_after():
    assert calls == ["fixture", "body", "body", "body", "body"]
""")
    result.assert_outcomes(passed=2)


def test_a_budget_on_nothing_fails_and_says_why(run: Run) -> None:
    result = run("""
@pytest.mark.overhead_budget(guards=1000, graph_breaks=1000)
def test_eager(): X + 1
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "guards could not be measured, graph_breaks could not be measured",
            "  guards: cannot be measured: no compiled frame ran while it was measured*",
            "NOT MEASURED test_it.py::test_eager*",
        ]
    )


def test_a_failure_of_the_test_itself_is_not_masked(run: Run) -> None:
    result = run("""
@pytest.mark.overhead_budget(guards=0)
def test_own(model):
    model(X)
    assert X.sum() == 4, "mine"

@pytest.mark.overhead_budget(guards=0)
def test_skipped(model):
    pytest.skip("not today")

@pytest.mark.xfail(strict=True)
@pytest.mark.overhead_budget(guards=0)
def test_expected(model):
    model(X)
""")
    result.assert_outcomes(failed=1, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines(["*AssertionError: mine*", "FAILED test_it.py::test_own*"])


def test_only_the_body_is_measured(run: Run) -> None:
    result = run("""
@pytest.fixture
def busy(model):
    for size in range(3, 6):
        model(torch.ones(size, size))
    yield
    model(torch.ones(1, 2, 3))

@pytest.mark.overhead_budget(recompiles=0, guards=30)
def test_body(busy, model):
    model(torch.ones(5, 5))
""")
    result.assert_outcomes(passed=1)


def test_markers_of_a_class_and_of_a_parameter_are_merged(run: Run) -> None:
    result = run("""
@pytest.mark.overhead_budget(guards=29, recompiles=0)
class TestIt:
    @pytest.mark.parametrize("n", [
        pytest.param(3),
        pytest.param(4, marks=pytest.mark.overhead_budget(guards=33)),
        pytest.param(5),
    ])
    def test_size(self, model, n):
        torch.compile(Model(n), backend="eager")(X)
""")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["OVER BUDGET test_it.py::TestIt::test_size[[]5[]] - *guards 37 > 29"])


def test_a_marker_of_a_parameter_wins_over_that_of_the_function(run: Run) -> None:
    result = run("""
several = pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.overhead_budget(dispatches=1))])

@pytest.mark.overhead_budget(dispatches=9)
@several
def test_above(n):
    for _ in range(n): X.add(X)

@several
@pytest.mark.overhead_budget(dispatches=9)
def test_below(n):
    for _ in range(n): X.add(X)

@pytest.mark.overhead_budget(dispatches=1)
@pytest.mark.parametrize("n", [pytest.param(2, marks=pytest.mark.overhead_budget(dispatches=2))])
def test_more(n):
    for _ in range(n): X.add(X)
""")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(
        [
            "OVER BUDGET test_it.py::test_above[[]2[]] - *dispatches 2 > 1",
            "OVER BUDGET test_it.py::test_below[[]2[]] - *dispatches 2 > 1",
        ]
    )


def test_a_body_that_asks_which_function_it_is_finds_itself(run: Run) -> None:
    result = run("""
import unittest

BUDGET = pytest.mark.overhead_budget(metrics=["dispatches"], warmup=1, repeat=2)

@BUDGET
def test_function(request):
    assert request.function is test_function
    assert request.node.obj is test_function

class TestPlain:
    @BUDGET
    def test_method(self, request):
        assert request.instance is self
        assert request.function.__func__ is TestPlain.test_method
        assert request.node.obj == self.test_method

class TestUnit(unittest.TestCase):
    @BUDGET
    def test_method(self):
        method = getattr(self, self._testMethodName)
        assert method.__self__ is self
        assert method.__func__.__name__ == "test_method"
""")
    result.assert_outcomes(passed=3)


def test_unittest_methods_are_measured(run: Run) -> None:
    result = run("""
import unittest

class TestCase(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()
        self.model = torch.compile(Model(3), backend="eager")

    @pytest.mark.overhead_budget(guards=29, warmup=1)
    def test_kept(self): self.model(X)

    @pytest.mark.overhead_budget(guards=1)
    def test_broken(self): self.model(X)

    @pytest.mark.overhead_budget(guards=1)
    def test_own(self):
        self.model(X)
        self.fail("mine")

class TestAsync(unittest.IsolatedAsyncioTestCase):
    @pytest.mark.overhead_budget(guards=1000)
    async def test_coroutine(self): pass
""")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        [
            "OVER BUDGET test_it.py::TestCase::test_broken - *guards 29 > 1",
            "FAILED test_it.py::TestCase::test_own*mine",
            "NOT MEASURED *test_coroutine*",
        ]
    )


def test_coroutine_functions_are_measured_by_whoever_runs_them(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("""
import asyncio, inspect, pytest

@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        asyncio.run(pyfuncitem.obj(**arguments))
        return True
""")
    result = run("""
@pytest.mark.overhead_budget(guards=29, warmup=1)
async def test_kept(model): model(X)

@pytest.mark.overhead_budget(guards=1)
async def test_broken(model): model(X)
""")
    result.assert_outcomes(passed=1, failed=1)


def test_a_marker_that_a_fixture_adds_holds(run: Run) -> None:
    result = run("""
@pytest.fixture
def marked(request):
    request.node.add_marker(pytest.mark.overhead_budget(**request.param))

@pytest.mark.parametrize("marked", [{"guards": 28}, {"guards": 29}, {"gards": 1}], indirect=True)
def test_late(marked, model): model(X)
""")
    result.assert_outcomes(failed=1, passed=1, errors=1)
    result.stdout.fnmatch_lines(
        ["test_it.py:*: overhead_budget: unknown metric 'gards'; did you mean 'guards'?", "guards 29 > 28"]
    )
    result.stdout.no_fnmatch_line("*During handling*")


def test_a_marker_that_the_body_adds_fails_the_test(run: Run) -> None:
    result = run("""
BUDGET = pytest.mark.overhead_budget(dispatches=0)

@pytest.fixture
def marked(request):
    request.node.add_marker(BUDGET)

def test_body(request): request.node.add_marker(BUDGET)

def test_fixture_of_the_body(request): request.getfixturevalue("marked")

@pytest.mark.overhead_budget(dispatches=9)
def test_second(request): request.node.add_marker(BUDGET)

def test_other(request): request.node.add_marker(pytest.mark.filterwarnings("error"))
""")
    result.assert_outcomes(passed=1, failed=3)
    told = "test_it.py::{}: overhead_budget: a marker that is added while the body runs comes too late, *"
    tests = ("test_body", "test_fixture_of_the_body", "test_second")
    result.stdout.fnmatch_lines([told.format(test) for test in tests])


def test_the_marker_is_unknown_without_the_plugin(run: Run) -> None:
    result = run("def test_a(): pass", "-p", "no:overhead", "--overhead-budget", model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_plain_tests_import_neither_torch_nor_probes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\ndef test_a(): assert not {'torch', 'overhead_lint.probes'} & set(sys.modules)"
    )
    pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-p", "no:cacheprovider").assert_outcomes(
        passed=1
    )


def test_metrics_are_measured_without_a_limit(run: Run) -> None:
    result = run("""
@pytest.mark.overhead_budget(metrics=["recompiles"])
class TestIt:
    @pytest.mark.overhead_budget(metrics=["guards"])
    def test_measured(self, model, request):
        model(X)

    @pytest.fixture(autouse=True)
    def numbers(self, request):
        yield
        assert dict(request.node.user_properties) == {"overhead:guards": 29, "overhead:recompiles": 0}

def test_block(model, overhead_budget):
    with overhead_budget(metrics=["guards"]) as m:
        model(X)
    assert m.values == {"guards": 29}
""")
    result.assert_outcomes(passed=2)
