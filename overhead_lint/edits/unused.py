"""Imports that nothing uses any more after a fix."""

from __future__ import annotations

import ast
import io
import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from overhead_lint.edits.import_removal import removal
from overhead_lint.edits.names import bindings
from overhead_lint.edits.outline import outline
from overhead_lint.edits.strings import named_in_strings, unnaming
from overhead_lint.syntax.dotted_names import is_dotted
from overhead_lint.syntax.grammar import is_lazy

if TYPE_CHECKING:
    from overhead_lint.edits.elsewhere import Elsewhere
    from overhead_lint.rule import TextEdit
    from overhead_lint.syntax.source import Source

__all__ = ["removals"]

_EXAMPLE = re.compile(r"^[ \t]*(?:[rRuU]?(?:\"{3}|'{3}))?[ \t]*(?:>>>|\.\.\.) ?(.*)$", re.MULTILINE)
_IMPORT = re.compile(r"\s*(?:from\s+\S+\s+)?import\s+(.*)")


def removals(before: Source, after: Source, elsewhere: Elsewhere | None = None) -> list[TextEdit]:
    """Edits of `after` that remove imports whose last use went away since `before`.

    An import of the module goes only if the name stands nowhere else in the file, be it in ``__all__``,
    another string, the examples of a docstring, or a type comment. As part of a module that is imported
    under another name (``import torch.nn as nn``), as an attribute, and in what is told to readers, it does
    not count. Packages' ``__init__.py`` files keep theirs, since others import from there, and notebooks
    too, whose cells run in any order; so does a module whose name other files use, as `elsewhere` tells.
    What is tried stays as well: whether it fails may be asked. An import of a function goes if the function
    does not use it, ``import torch.cuda`` if `torch.cuda` was used; with it goes an ``if`` that is there for
    nothing else and asks what the function asks again.

    Args:
        before: the file ahead of the fixes.
        after: the file with them.
        elsewhere: tells which of some names other files use of a module; None if none of them can.
    """
    if after.path.name == "__init__.py" or after.notebook is not None:
        return []
    old, new = outline(before).tree, outline(after).tree
    lost = _read(old) - _read(new)
    repeated = {name for name in _repeated(new) if _read_above(name, old) and not _read_above(name, new)}
    edits: list[TextEdit] = []
    removed: set[ast.stmt] = set()
    if lost or repeated:
        text, told = _without_prose(lost, new, after)
        lost -= told
        reached = _reached(old) if lost else set()
        is_unused = partial(_is_unused, lost=lost, reached=reached, text=text, tree=new, after=after)
        if elsewhere is not None:
            unused = {
                _bound(alias, stmt)
                for stmt in _imports(new.body)
                for alias in stmt.names
                if is_unused(alias, stmt)
            }
            if unused:
                lost -= elsewhere.using(after.path, unused, "__all__" in bindings(new))
        seen: set[str] = set()
        for stmt in _imports(new.body):
            again = repeated & seen if stmt in new.body else ()
            gone = [_name(alias) in again or is_unused(alias, stmt) for alias in stmt.names]
            if stmt in new.body:
                seen.update(map(_name, stmt.names))
            edits += removal(stmt, gone, after, edits, removed)
    for stmt, names in _unused_in_functions(old, new):
        edits += removal(stmt, [_name(alias) in names for alias in stmt.names], after, (), removed)
    return sorted(edits)


def _imports(body: Sequence[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports among statements, in order, and those in branches and handlers there.

    Those that are tried stay: whether they fail is what others may depend on.
    """
    for stmt in body:
        if isinstance(stmt, ast.If):
            yield from _imports(stmt.body)
            yield from _imports(stmt.orelse)
        elif isinstance(stmt, ast.Try):
            for handler in stmt.handlers:
                yield from _imports(handler.body)
        elif isinstance(stmt, ast.Import) or (
            isinstance(stmt, ast.ImportFrom) and stmt.module != "__future__"
        ):
            yield stmt


def _name(alias: ast.alias) -> str:
    return alias.asname or alias.name


def _bound(alias: ast.alias, stmt: ast.stmt) -> str:
    """The name that an import binds: of ``import torch.cuda``, ``torch``."""
    is_module = isinstance(stmt, ast.Import) and not alias.asname
    return alias.name.partition(".")[0] if is_module else _name(alias)


def _reached(tree: ast.Module) -> set[str]:
    """The dotted names that a file reads, such as ``torch.cuda``."""
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return {ast.unparse(node) for node in attributes if is_dotted(node)}


def _unused_in_functions(
    old: ast.Module, new: ast.Module
) -> Iterator[tuple[ast.Import | ast.ImportFrom, set[str]]]:
    """Imports in bodies of functions, with those of their names that the function used before only."""
    functions = [_functions(tree) for tree in (old, new)]
    if [node.name for node in functions[0]] != [node.name for node in functions[1]]:
        return  # a fix made one of them anew
    for before, after in zip(*functions, strict=True):
        if imports := list(_imports(after.body)):
            lost = _read(before) - _read(after)
            lost -= named_in_strings(lost, after)
            declared = {
                name for node in ast.walk(after) if isinstance(node, ast.Global) for name in node.names
            }
            for stmt in imports:
                if names := {_name(alias) for alias in stmt.names} & (lost - declared):
                    yield stmt, names


def _functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _read(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _repeated(tree: ast.Module) -> Iterator[str]:
    """Names that more than one import of the module binds, to the same and at the same time."""
    bound: Counter[tuple[str | None, str, str | None, bool]] = Counter(
        (getattr(stmt, "module", None), alias.name, alias.asname, is_lazy(stmt))
        for stmt in tree.body
        if isinstance(stmt, (ast.Import, ast.ImportFrom))
        for alias in stmt.names
    )
    names = bindings(tree)
    return (
        asname or name
        for (_, name, asname, _), count in bound.items()
        if count > 1 and len(names.get(asname or name, ())) == 1  # nothing else in between
    )


def _read_above(name: str, tree: ast.Module) -> bool:
    """Whether a name is read above the last import of the module that binds it, as soon as that runs."""
    last = max(
        (
            stmt.lineno
            for stmt in tree.body
            if isinstance(stmt, (ast.Import, ast.ImportFrom))
            and name in {alias.asname or alias.name for alias in stmt.names}
        ),
        default=0,
    )
    return any(
        isinstance(node, ast.Name) and node.id == name and node.lineno < last for node in _at_once(tree)
    )


def _at_once(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is below it, but for the bodies of functions, which run later."""
    yield node
    body = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else []
    later = body if isinstance(body, list) else [body]
    for child in ast.iter_child_nodes(node):
        if child not in later:
            yield from _at_once(child)


def _is_unused(
    alias: ast.alias,
    stmt: ast.stmt,
    *,
    lost: Container[str],
    reached: Container[str],
    text: str,
    tree: ast.Module,
    after: Source,
) -> bool:
    """Whether an import's name is among those that lost their last use, and stands nowhere else in a text."""
    name = _bound(alias, stmt)
    if name not in lost or (name != _name(alias) and alias.name not in reached):
        return False
    start, end = after.offsets(stmt)
    word = re.compile(rf"\b{re.escape(name)}\b")
    text = _without_namesakes(name, text, tree, after)
    return not word.search(text, 0, start) and not word.search(text, end)


def _without_prose(names: Container[str], tree: ast.Module, source: Source) -> tuple[str, set[str]]:
    """The text with blanks, as many, in place of what is told to readers; and what doctest looks up there."""
    text, used = list(source.text), set[str]()
    strings = map(source.offsets, unnaming(names, tree))
    for start, end in (*strings, *_comments(source)):
        used |= _in_examples(source.text[start:end])
        text[start:end] = " " * (end - start)
    return "".join(text), used


def _in_examples(text: str) -> set[str]:
    """The words in a docstring's examples, but for the names that these import themselves."""
    words: set[str] = set()
    bound: set[str] = set()
    for line in _EXAMPLE.findall(text):
        imported = _IMPORT.fullmatch(line)
        if imported is None:
            words.update(re.findall(r"\w+", line))
        else:
            names = re.sub(r"#.*|[()]", "", imported[1]).split(",")
            bound.update(re.split(r"\s+as\s+", name)[-1].strip().partition(".")[0] for name in names)
    return words - bound


def _comments(source: Source) -> Iterator[tuple[int, int]]:
    """Where comments stand that no type checker reads."""
    import tokenize

    starts = source.starts
    lines = io.StringIO(source.text, newline=None)  # counts lines as the tokenizer of Python does
    try:
        for token in tokenize.generate_tokens(lines.readline):
            if token.type == tokenize.COMMENT and not token.string.startswith("# type:"):
                start = starts[token.start[0] - 1] + token.start[1]
                yield start, start + len(token.string)
    except (tokenize.TokenError, SyntaxError):
        # The pure-Python tokenizer refuses a few texts that the parser takes; what came before holds.
        return


def _without_namesakes(name: str, text: str, tree: ast.Module, source: Source) -> str:
    """A text with blanks, as many, in place of attributes of the name and imports that do not use it."""
    for stmt in ast.walk(tree):
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            bound = {_bound(alias, stmt) for alias in stmt.names}
            if name not in bound or (bound == {name} and isinstance(stmt, ast.Import)):
                start, end = source.offsets(stmt)
                text = text[:start] + " " * (end - start) + text[end:]
        elif isinstance(stmt, ast.Attribute) and stmt.attr == name:
            end = source.offsets(stmt)[1]
            start = end - len(name)
            if text[start:end] == name:  # before Python 3.12 what stands in an f-string has no position
                text = text[:start] + " " * len(name) + text[end:]
    return text
