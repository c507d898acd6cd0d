"""Which form of the package runs: Python, or with the modules compiled that take the time of a run."""

from __future__ import annotations

__all__ = ["is_compiled"]


def is_compiled() -> bool:
    """Whether the linter runs compiled."""
    from importlib.util import find_spec  # costs start-up

    found = find_spec("overhead_lint.project.scan")
    return found is not None and not (found.origin or "").endswith(".py")
