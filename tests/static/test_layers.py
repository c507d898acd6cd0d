"""Dependencies point one way, as docs/design.md draws them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "overhead_lint"

MAY_USE: Final[dict[str, frozenset[str]]] = {
    layer: frozenset(below.split())
    for layer, below in {
        "analysis": "tuples",
        "support": "errors tuples",
        "api": "analysis tuples",
        "syntax": "errors rule support tuples",
        "config": "errors rule support tuples",
        "discovery": "config errors rule support tuples",
        "edits": "errors rule syntax tuples",
        "rules": "analysis api edits rule syntax tuples",
        "project": "analysis api config rule support syntax tuples",
        "cache": "analysis config discovery project rule support tuples",
        "engine": (
            "analysis api cache config discovery edits errors hookspecs project rule support syntax tuples"
        ),
        "workspace": "analysis cache config discovery engine errors project rule support syntax tuples",
        "fixing": "cache discovery edits errors rule support syntax tuples",
        "report": "api edits errors fixing measure probes rule support syntax tuples",
        "measure": "engine errors probes simulated support syntax tuples",
        "native": "support",
        "runtime": "",
        "native_runtime": "native support",
        "probes": "errors native support tuples",
    }.items()
}
"""What each package may import of the others, and of the modules beside them, for types as well."""


def imported(path: Path, name: str) -> Iterator[str]:
    """The modules that a module imports, for types alone as well, and what it takes from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


RUNTIME = ROOT / "overhead_runtime"
USES_RUNTIME: Final = {"native_runtime", "probes", "runtime"}
"""What builds on the runtime, which is a distribution of its own and imports torch."""


def test_the_runtime_imports_nothing_of_ours() -> None:
    for path in sorted(RUNTIME.rglob("*.py")):
        name = ".".join(["overhead_runtime", *path.relative_to(RUNTIME).with_suffix("").parts])
        roots = {module.partition(".")[0] for module in imported(path, name)}
        assert roots.isdisjoint({"overhead_lint", "pytest_overhead", "rules"}), path
        assert roots <= {"overhead_runtime", "torch", "numpy", *sys.stdlib_module_names}, path


def test_only_what_builds_on_the_runtime_imports_it() -> None:
    found = {
        path.relative_to(PACKAGE).parts[0]
        for path in sorted(PACKAGE.rglob("*.py"))
        for module in imported(
            path, "overhead_lint." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        )
        if module.partition(".")[0] == "overhead_runtime"
    }
    assert found == USES_RUNTIME


def test_layers_do_not_lean_on_each_other() -> None:
    """Each folder builds on others that do not build on it."""
    waiting = dict(MAY_USE)
    while waiting:
        ready = [layer for layer, used in waiting.items() if used.isdisjoint(waiting)]
        assert ready, f"these lean on each other: {sorted(waiting)}"
        for layer in ready:
            del waiting[layer]


def test_few_modules_are_loose() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 8


def modules() -> dict[str, set[str]]:
    """The modules of ours that each module imports, for types alone as well."""
    names = {}
    for root in (PACKAGE, RUNTIME, ROOT / "pytest_overhead", ROOT / "rules"):
        for path in sorted(root.rglob("*.py")):
            parts = ["overhead_lint"] * (root.name == "rules") + [
                *path.relative_to(ROOT).with_suffix("").parts
            ]
            names[".".join(parts).removesuffix(".__init__")] = path
    return {
        name: {
            module if module in names else module.rpartition(".")[0]
            for module in imported(path, name + ".__init__" * (path.name == "__init__.py"))
        }
        & names.keys() - {name}
        for name, path in names.items()
    }


def cycles(graph: Mapping[str, AbstractSet[str]]) -> list[list[str]]:
    """The sets of nodes that can all be reached from each other, those of one node left out."""
    reached: dict[str, set[str]] = {}
    for start in graph:
        stack, found = [start], reached.setdefault(start, set())
        while stack:
            for node in graph[stack.pop()] - found:
                found.add(node)
                stack.append(node)
    together = {frozenset(to for to in found if node in reached[to]) for node, found in reached.items()}
    return sorted(map(sorted, filter(None, together)))


def test_cycles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert cycles(graph) == [["a", "b", "c"], ["d", "e"]]


def test_no_modules_lean_on_each_other() -> None:
    graph = modules()
    assert len(graph) > 500
    assert cycles(graph) == []
