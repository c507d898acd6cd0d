"""Where relative imports begin."""

from __future__ import annotations

__all__ = ["package_above", "package_of"]


def package_of(module: str, *, is_package: bool) -> str:
    """Return the package that imports of a module with one dot begin at; "" for one outside of any."""
    return module if is_package else module.rpartition(".")[0]


def package_above(package: str, level: int) -> str | None:
    """Return the package that an import with some dots begins at.

    Args:
        package: that of the module that imports.
        level: the dots, at least one.

    Returns:
        Its dotted name; "" for what lies beside the outermost packages, None for what lies further out.
    """
    parts = package.split(".") if package else []
    kept = len(parts) - (level - 1)
    return ".".join(parts[:kept]) if kept >= 0 else None
