"""Reads the tree of guards of one cache entry: how many leaves, and which user line asked for each."""

from __future__ import annotations

import linecache
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from overhead_lint.probes.guards_api import Unsupported

__all__ = ["Leaf", "Manager", "leaves", "locate", "managers", "pruned"]

# verbose_code_parts end in "# source text  # path:12 in function", a few with a hint after it.
_PLACE = re.compile(r"# (?P<path>[^#\n]*?):(?P<line>\d+) in (?P<function>\S+)")


class Leaf(NamedTuple):
    """One leaf guard."""

    kind: str
    """Its type in Dynamo: ``TYPE_MATCH``, ``EQUALS_MATCH``, ``TENSOR_MATCH`` ..."""
    source: str
    """What it looks at: ``L['self'].scale``."""
    text: str
    """The check, as Dynamo prints it, without the place."""
    path: str
    """Absolute path of the line that needs the guard; "" when Dynamo keeps none."""
    line: int


class Manager(NamedTuple):
    """One inner node of the tree: what leads to a value, and checks it."""

    source: str
    """What it looks at; ``L`` for the root."""
    parent: str
    """What it is reached from; "" for the root."""
    leaves: int
    """Leaf guards that it has itself."""


def leaves(guards: Any) -> Iterator[Leaf]:
    """Every leaf guard that one evaluation of an entry's guards may run.

    Args:
        guards: the ``guard_manager`` of a cache entry.

    Yields:
        Leaves of the tree in its own order, key and value guards of dicts included, a guard that
        relates several values once; then the Python lambdas that run after the tree.

    Raises:
        Unsupported: the tree lacks a method that is needed to walk it.
    """
    try:
        from torch._C._dynamo.guards import DictGuardManager, RelationalGuard
    except ImportError as error:
        raise Unsupported(f"the guard tree cannot be read: {error}") from error
    related: list[Any] = []  # keeps the objects alive, so that identity means the same guard
    try:
        yield from _walk(guards.root, DictGuardManager, RelationalGuard, related)
        for guard in guards.root.get_epilogue_lambda_guards():
            yield _leaf(guard, "")
    except AttributeError as error:
        raise Unsupported(f"the guard tree cannot be read: {error}") from error


def managers(guards: Any) -> Iterator[Manager]:
    """Every inner node of the tree, parents before their children.

    Args:
        guards: the ``guard_manager`` of a cache entry.

    Raises:
        Unsupported: the tree lacks a method that is needed to walk it.
    """
    try:
        from torch._C._dynamo.guards import DictGuardManager
    except ImportError as error:
        raise Unsupported(f"the guard tree cannot be read: {error}") from error
    waiting = [(guards.root, "")]
    try:
        while waiting:
            manager, parent = waiting.pop()
            source = manager.get_source()
            yield Manager(source, parent, len(manager.get_leaf_guards()))
            waiting += reversed([(child, source) for child in _children(manager, DictGuardManager)])
    except AttributeError as error:
        raise Unsupported(f"the guard tree cannot be read: {error}") from error


def pruned(guards: Any, keep: Callable[[str], bool]) -> Callable[[Mapping[str, object]], bool]:
    """A check of a copy of the tree that is without some nodes, and what is below them.

    Args:
        guards: the ``guard_manager`` of a cache entry; it stays as it is.
        keep: whether the node that looks at this source stays; the root always does.

    Raises:
        Unsupported: this torch cannot copy the tree.
    """
    clone = getattr(guards.root, "clone_manager", None)
    if clone is None:
        raise Unsupported("this torch has no RootGuardManager.clone_manager")
    check: Callable[[Mapping[str, object]], bool] = clone(lambda node: keep(node.get_source())).check
    return check


def _children(manager: Any, dicts: type) -> Iterator[Any]:
    if isinstance(manager, dicts):
        for _, pair in sorted(manager.get_key_value_managers().items()):  # type: ignore[attr-defined]
            yield from (child for child in pair if child is not None)
    yield from manager.get_child_managers()


def _walk(manager: Any, dicts: type, relational: type, related: list[Any]) -> Iterator[Leaf]:
    source = manager.get_source()
    for guard in manager.get_leaf_guards():
        if isinstance(guard, relational):
            if any(guard is seen for seen in related):
                continue
            related.append(guard)
        yield _leaf(guard, source)
    for child in _children(manager, dicts):
        yield from _walk(child, dicts, relational, related)


def _leaf(guard: Any, source: str) -> Leaf:
    parts = guard.verbose_code_parts()
    text = parts[0] if parts else ""
    path, line = locate(text)
    if f"{os.sep}torch{os.sep}_dynamo{os.sep}" in path:  # guards of every frame, asked for by no user line
        path, line = "", 0
    return Leaf(type(guard).__name__, source, text.partition("  # ")[0].strip(), path, line)


def locate(text: str) -> tuple[str, int]:
    """The user line that a guard or a recompile reason names.

    Args:
        text: Dynamo's words, with ``# path:12 in function`` somewhere. Its path is cut short by
            what it shares with torch's own folder, so it is looked up among the files of this process.

    Returns:
        Absolute path and line; ``("", 0)`` when the text names no place.
    """
    places = list(_PLACE.finditer(text))
    if not places:
        return "", 0
    path, line = places[-1]["path"].strip(), int(places[-1]["line"])
    return _full_path(path), line


_full_paths: dict[str, str] = {}
_known: list[tuple[int, int]] = []


def _full_path(short: str) -> str:
    # Code that was made by exec has a name that is never found: look again only if there are more files.
    extent = len(sys.modules), len(linecache.cache)
    if short not in _full_paths and extent not in _known:
        _known[:] = [extent]
        shorten = _shorten()
        for known in _files():
            _full_paths.setdefault(shorten(known), known)
    return _full_paths.get(short, short)


def _files() -> list[str]:
    """Files that have source in this process; Dynamo reads lines for its messages through linecache."""
    modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [*linecache.cache, *(path for path in modules if isinstance(path, str))]


def _shorten() -> Callable[[str], str]:
    try:
        from torch.utils._traceback import shorten_filename
    except ImportError:
        return str
    shorten: Callable[[str], str] = shorten_filename
    return shorten
