"""Makes the page of the Python API, which mkdocstrings fills in."""

from __future__ import annotations

from typing import Final

__all__ = ["MODULES", "python_api"]

MODULES: Final = {
    "overhead_runtime": "The drop-ins that fixes rewrite to ([figures and limits](runtime.md)).",
    "pytest_overhead": "What tests may import, for annotations.",
    "pytest_overhead.hooks": "Hooks for other plugins ([budgets](budgets.md#for-other-plugins)).",
    "overhead_lint.rule": "All that a rule author imports ([extending](extending.md)).",
    "overhead_lint.edits": "What fixes are made of.",
    "overhead_lint.hookspecs": "What rule packs offer.",
}
"""The modules whose public names are documented, and what each is for."""


def python_api() -> str:
    """Return the page of the Python API: a section a module, for mkdocstrings to fill in."""
    parts = [
        "# Python API",
        "Public names, from their docstrings. What is not here may change in any version.",
    ]
    for module, told in MODULES.items():
        parts += [f"## `{module}`", told, f"::: {module}\n    options:\n      show_root_heading: false"]
    return "\n\n".join(parts) + "\n"
