"""Which rules speak of an API: taken from the lines that the examples of their pages mark as found."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from overhead_lint.engine.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["apis_of", "speaks_of"]

_TENSOR = ("torch.Tensor.", "Tensor.", "tensor.")


def apis_of(page: str, code: str) -> frozenset[str]:
    """Return the APIs that a rule's page tells of.

    Args:
        page: its Markdown.
        code: of the rule.

    Returns:
        Dotted names as imports give them, such as ``torch.cuda.synchronize``; a method of something else with
        a dot ahead, as ``.item``.
    """
    found: set[str] = set()
    read = Page.parse(page, "")
    for block in read.python():
        marked = {
            number
            for number, line in enumerate(block.splitlines(), 1)
            if re.search(rf"# (?:[A-Z0-9, ]*\b)?{code}\b", line)
        }
        if marked:
            found.update(_on_lines(block, marked))
    for span in re.findall(r"`([^`\n]+)`", read.summary):
        found.update(re.findall(r"\btorch(?:\.\w+)+", span))
        found.update(re.findall(r"(?<![\w.])\w*(\.\w+)(?=\()", span))
    return frozenset(found)


def speaks_of(api: str, known: Iterable[str]) -> bool:
    """Whether names of APIs hold one that a user names: in full, by its last parts, or as a method.

    Args:
        api: such as ``torch.cuda.synchronize``, ``synchronize``, ``.item()`` or ``torch.Tensor.item``.
        known: as `apis_of` gives them.
    """
    plain = api.strip().removesuffix("()")
    method = next((plain.removeprefix(start) for start in _TENSOR if plain.startswith(start)), "")
    ends = {f".{one.lstrip('.')}" for one in (plain, method) if one.lstrip(".")}
    return any(name == plain or any(f".{name.lstrip('.')}".endswith(end) for end in ends) for name in known)


def _on_lines(block: str, lines: set[int]) -> Iterator[str]:
    try:
        tree = ast.parse(block)
    except SyntaxError:  # a notebook's cell, or a part of a statement
        return
    imported = dict(_imported(tree))
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Call, ast.Attribute)) or not lines.intersection(
            range(node.lineno, (node.end_lineno or node.lineno) + 1)
        ):
            continue
        parts = _parts(node.func if isinstance(node, ast.Call) else node)
        if not parts:
            continue
        first = imported.get(parts[0])
        if first is not None:
            yield ".".join((first, *parts[1:]))
        elif isinstance(node, ast.Call):
            yield f".{parts[-1]}" if len(parts) > 1 else parts[0]


def _parts(node: ast.expr) -> tuple[str, ...]:
    """The parts of a dotted name, or the attribute of something else behind ""; () if it is neither."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return (*(_parts(node.value) or ("",)), node.attr)
    return ()


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What imports bind, and what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, whole
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
