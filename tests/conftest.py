"""What holds for all tests."""

from __future__ import annotations

import functools
import gc
import importlib.util
import inspect
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pytest
from _pytest import logging as pytest_logging
from rewritten import rewrite_once

from overhead_lint.native.build import cache_root

T = TypeVar("T")

_ROOT = Path(__file__).parents[1]
_COLLECTIONS = 50_000, 20, 20
# Read by numpy and torch while they start. Threads that spin as they wait take the cores of other workers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# Inductor has what it compiles in parallel compiled by a process of its own, which imports torch.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
# And it compiles programs to see which vectors the C++ compiler knows, and then headers for them.
os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "0")
_NO_DEVICE = "built for GPUs; use a CPU-only torch"
_NO_TORCH = "No module named 'torch'"


def _hide_torch() -> None:
    """Have no torch in this process: `make check` runs the tests that need none."""
    find = PathFinder.find_spec

    def found(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return None if name.partition(".")[0] == "torch" else find(name, path, target)

    PathFinder.find_spec = found  # type: ignore[assignment,method-assign]


def _catch_at_the_root() -> None:
    """Have pytest catch what loggers hand on to the root, as it did up to version 9.0.

    It goes through all loggers since, six times a test, and gives its handlers to those that hand on nothing.
    With torch's, that takes 2 ms; and where the log that Dynamo traces itself to has one, all of that is
    written.
    """
    catching: Any = pytest_logging.catching_logs
    if "attached_loggers" not in getattr(catching, "__slots__", ()):
        return

    def caught(self: Any) -> Any:
        root = logging.getLogger()
        root.addHandler(self.handler)
        self.attached_loggers.append(root)
        if self.level is not None:
            self.handler.setLevel(self.level)
            self.orig_level = root.level
            root.setLevel(min(root.level, self.level))
        return self.handler

    catching.__enter__ = caught


if os.environ.get("OVERHEAD_TESTS_WITHOUT_TORCH"):
    _hide_torch()
_catch_at_the_root()
_WITHOUT_TORCH = importlib.util.find_spec("torch") is None

_LONGEST = frozenset({"test_compiled_form", "test_compile_matrix", "test_page_blocks"})
"""Files that take minutes: they begin before all others."""
_LONG = frozenset(
    """test_autocast test_bench test_budget_file test_builds test_built_site test_case_studies test_cold
    test_compiled_form test_compiled_programs test_counts_of_a_gpu test_cuda_programs test_demo
    test_differential test_dynamo_import test_dynamo_suites test_edits_on_real_code test_events
    test_fixed_suites test_flag test_fuzz test_get_started test_guard_snapshots test_guards_report
    test_guards_saved test_guards_snapshot test_large_projects test_native_form test_old_names
    test_others test_packaging test_pre_commit test_precision test_precision_rules test_process_exit
    test_pytest_versions test_ranks test_reduced_device test_robustness test_rounds test_run_command
    test_run_nodes test_run_processes test_server test_simulated_main test_stability test_state
    test_step_functions test_timing test_tutorial test_unchanged_programs test_variations test_vendor
    test_verified_fixes
    """.split()  # noqa: SIM905
)
"""Files whose processes take ten seconds or more: they begin next, so that none is left over at the end."""


def pytest_configure(config: pytest.Config) -> None:
    """Hand on Ctrl-C: a shell has what it runs in the background ignore it, and so would what tests start."""
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        _compile_once()
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        rewrite_once(config, _asked_for(config))
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # What somebody timed on this machine ranks no findings in tests, and no test writes there.
    os.environ["OVERHEAD_LINT_COSTS"] = str(Path(tempfile.mkdtemp()) / "costs.json")
    # pytester gives each test a home folder, and what is compiled for one run would be compiled for each.
    os.environ.setdefault("OVERHEAD_LINT_CACHE", str(cache_root().parent))
    # Modules and graphs are many objects that stay: collections find little in them.
    gc.set_threshold(*_COLLECTIONS)
    folders = [str(_ROOT / "tests" / "data" / "children")]  # has its processes do the same
    if not _finds_runtime():
        folders.append(str(_ROOT))
    path = os.environ.get("PYTHONPATH", "")
    if folders[0] not in path.split(os.pathsep):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (*folders, path)))


@pytest.fixture(autouse=True)
def _own_costs(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Keep what a test times to itself: on a slow machine it would make findings of other tests dearer."""
    session = Path(os.environ["OVERHEAD_LINT_COSTS"])
    monkeypatch.setenv("OVERHEAD_LINT_COSTS", str(session.with_name(f"{id(request.node)}.json")))


def _compile_once() -> None:
    """Write the bytecode of what processes of tests import, where no process writes it as it goes.

    Images for containers set that. Each of some thousand processes would compile the linter, and pytest's
    plugins, for itself, and each fork what tests have for theirs; what tests write and run is left alone.
    """
    folders = ("benchmarks", "overhead_lint", "overhead_runtime", "pytest_overhead", "rules", "tests")
    others = "tests/(data/|.*conftest|.*test_)"  # which pytest rewrites first
    subprocess.run([sys.executable, "-m", "compileall", "-q", "-x", others, *folders], cwd=_ROOT, check=False)
    rewritten = f"plugin.{sys.implementation.cache_tag}-pytest-*.pyc"
    if any((_ROOT / "pytest_overhead" / "__pycache__").glob(rewritten)):
        return  # pytest has rewritten ours before, and the others with it
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "--collect-only", "--noconftest", "tests/data/children"]
    subprocess.run(command, cwd=_ROOT, env=environment, capture_output=True, check=False)


def _asked_for(config: pytest.Config) -> list[Path]:
    """The files of tests that the command line names, and the conftest files beside them."""
    paths = [Path(argument.partition("::")[0]) for argument in config.args]
    found = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))]
    names = ("test_*.py", "conftest.py")
    return [file.resolve() for file in found if "data" not in file.parts and any(map(file.match, names))]


def _finds_runtime() -> bool:
    """Whether child processes import the runtime from any folder: not in an older editable install."""
    elsewhere = [path for path in sys.path if Path(path or ".").resolve() != _ROOT]
    finders = [finder for finder in sys.meta_path if finder is not PathFinder]
    return PathFinder.find_spec("overhead_runtime", elsewhere) is not None or any(
        finder.find_spec("overhead_runtime", None) is not None for finder in finders
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order files for several processes, which take them one by one: what takes longest first."""
    if hasattr(config, "workerinput"):
        tests = Counter(item.path for item in items)

        def place(item: pytest.Item) -> tuple[bool, bool, int]:
            return item.path.stem not in _LONGEST, item.path.stem not in _LONG, -tests[item.path]

        items.sort(key=place)


def _skipping() -> Generator[None, T, T]:
    """Skip what asks for torch where there is none, or for a simulated device that this torch cannot have."""
    try:
        return (yield)
    except (Exception, pytest.fail.Exception) as error:  # of a child process, too
        if _NO_DEVICE in str(error):
            pytest.skip("no simulated device: torch is built for GPUs")
        if _WITHOUT_TORCH and _NO_TORCH in f"{error}{getattr(error, 'stderr', None) or ''}":
            pytest.skip("no torch")
        raise


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip files that import torch at their head where there is none, and collect the others all the same."""
    report = yield
    if _WITHOUT_TORCH and report.failed and _NO_TORCH in report.longreprtext:
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, "Skipped: no torch")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    return (yield from _skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    return (yield from _skipping())


@pytest.fixture
def fresh_dynamo() -> Iterator[None]:
    """Nothing is compiled when a test begins, and nothing stays compiled behind it."""
    import torch  # not for the tests of the linter

    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture
def fresh_guards() -> Iterator[None]:
    """Nothing is compiled when a test begins, and the guard probe is ready; it is let go of behind it."""
    import torch

    from overhead_lint.probes import guards_lookout

    torch._dynamo.reset()
    guards_lookout.prepare()
    yield
    guards_lookout.release()


@pytest.fixture
def whole_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flush all of the caches for what is timed cold, as processes of tests do not."""
    from overhead_lint.probes import timing

    measured = inspect.unwrap(timing.last_level_cache_bytes)
    monkeypatch.setattr(timing, "last_level_cache_bytes", functools.cache(measured))


@pytest.fixture
def declared(tmp_path: Path) -> Path:
    """A folder whose project declares the dependency that fixes may need."""
    (tmp_path / "requirements.txt").write_text("overhead-lint\n")
    return tmp_path
