"""Where relative imports begin, by the module that imports and its dots."""

from __future__ import annotations

import pytest

from overhead_lint.analysis.ir.relative_imports import package_above, package_of


@pytest.mark.parametrize(
    ("module", "is_package", "level", "expected"),
    [
        ("a.b.c", False, 1, "a.b"),
        ("a.b.c", False, 2, "a"),
        ("a.b.c", False, 3, ""),
        ("a.b.c", False, 4, None),
        ("a.b", True, 1, "a.b"),
        ("a.b", True, 2, "a"),
        ("a.b", True, 3, ""),
        ("a.b", True, 4, None),
        ("script", False, 1, ""),
        ("script", False, 2, None),
        ("", False, 1, ""),
    ],
)
def test_dots_lead_up(module: str, is_package: bool, level: int, expected: str | None) -> None:
    assert package_above(package_of(module, is_package=is_package), level) == expected
