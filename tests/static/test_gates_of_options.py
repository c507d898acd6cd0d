"""Branches that hang on options, ranks, levels, versions or the environment."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "import level": ("here()", ["cold: runs at import"]),
    "branches that log a warning": (
        """
        def training_step(self, loss):
            if loss > 9:
                logger.warning("diverges")
                here()
            if loss > 8:
                logger.warning_once("slow")
                here()
            else:
                here()
        """,
        [
            "cold: logs a warning (line 2)",
            "step: training_step is a step by its name",
            "step: training_step is a step by its name",
        ],
    ),
    "branches that tell of a deprecated way": (
        """
        def training_step(self, given):
            if isinstance(given, torch.nn.Module):
                text = "pass parameters"
                deprecate("a module", "1.0.0", text)
                here()
            if given.old:
                warnings.warn("old", DeprecationWarning, stacklevel=2)
                here()
            if given.other:
                warnings.warn("other", UserWarning)
                here()
        """,
        [
            "cold: runs only for those who call it in a deprecated way (line 2)",
            "cold: runs only for those who call it in a deprecated way (line 6)",
            "step: training_step is a step by its name",
        ],
    ),
    "rank, flags and named conditions": (
        """
        for step, batch in enumerate(loader):
            if rank == 0 and verbose:
                here()
            if self.debug:
                here()
            should = step % 50 == 0
            if should:
                here()
            if should_log:
                here()
            if not quiet and here():
                pass
            if step == 0:
                here()
            if time.time() - last > 10:
                here()
            if verbose and here():
                pass
            x = here() if self.profile else None
        """,
        [
            "cold: runs on rank 0 only (line 2)",
            "cold: runs only with debug on (line 4)",
            "cold: runs every 50 steps (line 7)",
            "cold: runs only when should_log (line 9)",
            "step: m.py:1 loop over loader",
            "cold: runs once, when step is 0 (line 13)",
            "cold: runs after some time has passed (line 15)",
            "cold: runs only with verbose on (line 17)",
            "cold: runs only with profile on (line 19)",
        ],
    ),
    "options that are off unless somebody passes them": (
        """
        def validate(model, loader, save_json=False, save_text=True, masked=False, *save_all):
            for x in loader:
                model(x)
                if save_json:
                    here()
                if save_text:
                    here()
                if masked:
                    here()
                if save_all:
                    here()
        """,
        [
            "cold: runs only with save_json on (line 4)",
            "step: m.py:2 loop over loader",
            "presumed: m.py:2 loop over loader, but not by default: validate(masked=False)",
            "step: m.py:2 loop over loader",
        ],
    ),
    "what the branches of a choice name": (
        """
        def one(x):
            here()
        def other(x):
            here()
        class Model(nn.Module):
            def forward(self, x):
                if self.fast:
                    run = one
                else:
                    run = other
                run(x)
        """,
        [
            "step: Model.forward runs on every call of the module -> one",
            "step: Model.forward runs on every call of the module -> other",
        ],
    ),
    "switches in the environment": (
        """
        import os
        TRACE = os.environ.get("PKG_TRACE", "")
        LEVEL = int(os.getenv("PKG_LEVEL", 0))
        FUSED = os.environ.get("PKG_FUSED", "1")
        for batch in loader:
            if TRACE:
                here()
            if os.environ.get("PKG_DUMP") == "1":
                here()
            if LEVEL:
                here()
            if FUSED:
                here()
            if os.environ.get("PKG_TEXT", "0"):
                here()
            if os.environ.get("PKG_DUMP", "0") == "0":
                here()
        """,
        [
            "cold: runs only with PKG_TRACE set in the environment (line 6)",
            "cold: runs only with PKG_DUMP set in the environment (line 8)",
            "cold: runs only with PKG_LEVEL set in the environment (line 10)",
            "step: m.py:5 loop over loader",
            "step: m.py:5 loop over loader",
            "step: m.py:5 loop over loader",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
