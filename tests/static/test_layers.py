"""Dependencies point one way, as docs/design.md draws them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "overhead_lint"

MAY_USE: Final[dict[str, frozenset[str]]] = {
    "analysis": frozenset({"tuples"}),
    "rules": frozenset(
        {"analysis", "edits", "grammar", "heat_reasons", "receivers", "rule", "torch_calls", "tuples"}
    ),
    "edits": frozenset({"errors", "grammar", "parsing", "rule", "tuples"}),
    "project": frozenset(
        {
            "analysis",
            "grammar",
            "heat_reasons",
            "nearest",
            "parsing",
            "patterns",
            "receivers",
            "rule",
            "torch_calls",
            "tuples",
        }
    ),
    "cache": frozenset({"config", "project", "rule", "setting_keys", "tuples"}),
    "workspace": frozenset(
        {"cache", "errors", "files", "parsing", "project", "rule", "source", "tuples", "unused_suppressions"}
    ),
    "output": frozenset({"edits", "errors", "identity", "nearest", "relative_paths", "rule", "tuples"}),
    "native": frozenset({"atomic"}),
    "runtime": frozenset(),
    "native_runtime": frozenset({"after_import", "native", "runtime"}),
    "probes": frozenset({"after_import", "atomic", "errors", "native", "nearest", "runtime"}),
}
"""What each package may import of the others, and of the modules beside them."""


def imported(path: Path, name: str) -> Iterator[str]:
    """The modules that a module imports while it runs, wherever it does so, and what it takes from them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("package", MAY_USE)
def test_a_package_uses_only_what_is_below_it(package: str) -> None:
    folder = ROOT / "rules" if package == "rules" else PACKAGE / package
    wrong = []
    for path in sorted(folder.rglob("*.py")):
        # `__init__` stands for its package, and what it imports from there is as far up as a neighbour's.
        name = ".".join(["overhead_lint", package, *path.relative_to(folder).with_suffix("").parts])
        for module in imported(path, name):
            root, _, rest = module.partition(".")
            used = rest.partition(".")[0]
            is_ours = root == "overhead_lint" and used not in ("", "__version__", "_version", package)
            if root == "pytest_overhead" or (is_ours and used not in MAY_USE[package]):
                wrong.append(f"{name} imports {module}")
    assert wrong == []
