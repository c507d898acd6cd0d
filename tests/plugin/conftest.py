"""Fixtures of the plugin's tests: a project whose tests compile a small model."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

NO_DEVICE = "built for GPUs; use a CPU-only torch"
"""What a session says whose tests ask for a simulated device that this torch cannot have."""

# Its number of guards is the same from torch 2.11 on: a loop over a `ModuleList` has three more before 2.13.
MODEL = """
import pytest
import torch

class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2
    def forward(self, x):
        return x * self.scale

class Model(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = torch.nn.ModuleDict({str(i): Scale() for i in range(n)})
    def forward(self, x):
        for layer in self.layers.values():
            x = layer(x)
        return x if self.training else -x

X = torch.ones(3)

@pytest.fixture
def model():
    torch._dynamo.reset()
    return torch.compile(Model(3), backend="eager")

"""


@pytest.fixture(scope="session")
def native_cache() -> Path:
    """Import once what the runs need: pytester drops modules that a run was the first to import.

    Returns:
        The folder of compiled native cores, which pytester's own home folder would hide.
    """
    torch = pytest.importorskip("torch")
    for module in (
        "overhead_lint.probes",
        "overhead_runtime",
        "overhead_lint.simulated",
        "pytest_overhead.reporting",
    ):
        importlib.import_module(module)
    importlib.import_module("pytest_overhead.verdict").watch_compilations(["guards"])
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1))
    root: Path = importlib.import_module("overhead_lint.native.build").cache_root().parent
    return root


@pytest.fixture
def run(
    native_cache: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., pytest.RunResult]:
    """Run a test file in this process; the model with 29 guards stands above its text."""
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(native_cache))
    monkeypatch.delenv("CI", raising=False)

    def run(text: str, *args: str, model: bool = True) -> pytest.RunResult:
        if text:
            pytester.makepyfile(test_it=MODEL + text if model else text)
        pytester.makeini(
            "[pytest]\naddopts = -p no:cacheprovider -p no:logging -p no:asyncio -p no:hypothesispytest\n"
            " --strict-markers\n"
            # What Dynamo says on Python 3.13.0, and on no other.
            "filterwarnings =\n    error\n    ignore:Guards may run slower on Python:RuntimeWarning"
        )
        result = pytester.runpytest_inprocess(*args)
        if NO_DEVICE in result.stdout.str() and "errors" in result.parseoutcomes():
            pytest.skip("no simulated device: torch is built for GPUs")
        return result

    return run
