"""Imports that a fix needs: a binding that is there already, or a new line where isort wants it.

Nothing that stands in the file is moved. Only imports that are statements of the module itself
count as bindings: those inside ``try``, ``if`` or a function may not have run.
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.names import bindings, free_names
from overhead_lint.rule import Import, TextEdit
from overhead_lint.syntax.grammar import is_lazy
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.edits.elsewhere import Elsewhere
    from overhead_lint.edits.outline import Outline

__all__ = ["resolve"]

_FUTURE, _STANDARD, _THIRD_PARTY, _FIRST_PARTY, _RELATIVE = range(5)
_KNOWN_STARS = sys.stdlib_module_names | {"torch"}
_ROOT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


class _Line(NamedTuple):
    """An import statement of the module, and where isort sorts it."""

    stmt: ast.Import | ast.ImportFrom
    section: int
    key: tuple[bool, str]


def resolve(
    imports: Iterable[Import], outline: Outline, before_line: int, elsewhere: Elsewhere | None = None
) -> tuple[dict[str, str], list[TextEdit]]:
    """What each import is called in the file, and the edits that add those that it lacks.

    Args:
        imports: the imports of one fix.
        outline: the file.
        before_line: first line that the fix edits; bindings must stand above it.
        elsewhere: tells what other files use of the file: a new import must not hide a name of theirs.

    Returns:
        Local names by placeholder, and text edits.

    Raises:
        CannotFix: torch is imported by the file, but only below, or where it may be missing.
    """
    names: dict[str, str] = {}
    new: dict[int, list[tuple[Import, str]]] = {}
    for wanted in imports:
        name = _existing(wanted, outline.tree, before_line)
        if name is None:
            name, alias = _fresh(wanted, outline, elsewhere)
            section = _section(wanted.module, 0, outline.source.path)
            new.setdefault(section, []).append((wanted, alias))
        names[wanted.key or wanted.name or wanted.module] = name
    return names, [_insertion(section, new[section], outline, before_line) for section in new]


def _existing(wanted: Import, tree: ast.Module, before_line: int) -> str | None:
    """The expression that the wanted module or name has in the file already."""
    full = f"{wanted.module}.{wanted.name}" if wanted.name else wanted.module
    bound = bindings(tree)
    for stmt in tree.body:
        if stmt.lineno >= before_line or not isinstance(stmt, (ast.Import, ast.ImportFrom)):
            continue
        for alias in stmt.names:
            if isinstance(stmt, ast.ImportFrom):
                target = "" if stmt.level else f"{stmt.module}.{alias.name}"
                name = alias.asname or alias.name
            else:
                target = alias.name
                name = alias.asname or alias.name
                if not alias.asname and target.partition(".")[0] == full:
                    target = name = full
            root = name.partition(".")[0]
            origin = target if root == name else root
            if target == full and bound[root] == {origin}:
                return name
    return None


def _fresh(wanted: Import, outline: Outline, elsewhere: Elsewhere | None) -> tuple[str, str]:
    """The expression for a new import, and its alias if the plain name is taken.

    Others that import all names of the file would get the new one, too, be it in the place of one of their
    own: a private one they don't.
    """
    tree, path = outline.tree, outline.source.path
    plain = wanted.name or wanted.module
    root = plain.partition(".")[0]
    taken = bindings(tree).keys() | free_names(tree)
    is_seen = elsewhere is not None and bool(elsewhere.using(path, {root}, "__all__" in bindings(tree)))
    is_free = root not in taken and not (wanted.name and _may_be_brought(tree))
    if is_free and not is_seen and not _hides_submodule(wanted, root, path):
        return plain, ""
    stem = f"{'_' if is_seen else ''}overhead_{plain.rpartition('.')[2]}"
    choices = itertools.chain([stem], (f"{stem}_{i}" for i in itertools.count(2)))
    alias = next(choice for choice in choices if choice not in taken)
    return alias, alias


def _hides_submodule(wanted: Import, name: str, path: Path) -> bool:
    """Whether a file is a package's own, in which importing another module of the package binds the name."""
    folder = path.absolute().parent
    if path.name != "__init__.py" or (wanted.name and wanted.module.rpartition(".")[2] == folder.name):
        return False
    return (folder / name).is_dir() or any(True for _ in folder.glob(f"{name}.*"))


def _may_be_brought(tree: ast.Module) -> bool:
    """Whether a star import may bind any name: again, below the new import."""
    return any(
        isinstance(stmt, ast.ImportFrom)
        and stmt.names[0].name == "*"
        and (stmt.level or (stmt.module or "").partition(".")[0] not in _KNOWN_STARS)
        for stmt in tree.body
    )


def _insertion(section: int, new: list[tuple[Import, str]], outline: Outline, before_line: int) -> TextEdit:
    """The edit that adds imports, each with its alias, to a block of isort's."""
    every = list(_chunks(outline))
    word = "lazy " if section not in (_FUTURE, _STANDARD) and _brings_torch_late(every) else ""
    lines = sorted((bool(wanted.name), wanted.module.lower(), _code(wanted, alias)) for wanted, alias in new)
    code = outline.newline.join(f"{word}{line}" for _, _, line in lines)
    key = lines[0][:2]
    chunks = [c for c in every if c[-1].stmt.lineno < before_line]
    above: list[_Line] = []
    if section not in (_FUTURE, _STANDARD) and not any(map(_names_torch, itertools.chain(*every))):
        if _asks_for_torch(outline.tree):
            raise CannotFix(
                "the import that it needs would bring torch, which the file imports on a condition"
            )
    elif section not in (_FUTURE, _STANDARD) and any(map(_has_torch, itertools.chain(*every))):
        # It imports torch, which may be told by the environment how to start: not before the file does.
        chunks = list(itertools.dropwhile(lambda chunk: not _from_torch_on(chunk), chunks))
        if not chunks:
            raise CannotFix("the import that it needs would bring torch before the file imports it")
        above, chunks[0] = chunks[0], _from_torch_on(chunks[0])
        above = above[: len(above) - len(chunks[0])]
    chunk = next((c for c in chunks if any(line.section == section for line in c)), None)
    if chunk is None:
        chunk = next((c for c in chunks if c[-1].section != _FUTURE), chunks[0] if chunks else None)
    if chunk is None:
        return _first_import(code, outline)
    same = [line for line in chunk if line.section == section]
    wanted, alias = new[0]
    if len(new) == 1 and not alias and wanted.name and (edit := _merged(wanted, same, outline)):
        return edit
    if same:
        smaller = list(itertools.takewhile(lambda line: line.key <= key, same))
        if not smaller and any(later.key < line.key for line, later in itertools.pairwise(same)):
            # Nobody sorts these: below what is smaller, or else below torch, and not above all of them.
            smaller = [line for line in same if line.key <= key] or same[:1]
        if smaller:
            return _after(smaller[-1].stmt, code + outline.newline, outline)
        return _before(same[0].stmt, code + outline.newline, outline)
    earlier = [line for line in chunk if line.section < section]
    if earlier:
        return _after(earlier[-1].stmt, outline.newline + code + outline.newline, outline)
    if above and above[-1].section == section and chunk is chunks[0]:
        return _after(above[-1].stmt, code + outline.newline, outline)
    return _before(chunk[0].stmt, code + outline.newline * 2, outline)


def _code(wanted: Import, alias: str) -> str:
    code = f"from {wanted.module} import {wanted.name}" if wanted.name else f"import {wanted.module}"
    return f"{code} as {alias}" if alias else code


def _chunks(outline: Outline) -> Iterator[list[_Line]]:
    """Runs of import statements of the module, with nothing but comments between them."""
    chunk: list[_Line] = []
    path = outline.source.path
    for stmt in outline.tree.body:
        if isinstance(stmt, ast.Import):
            module = stmt.names[0].name
            chunk.append(_Line(stmt, _section(module, 0, path), (False, module.lower())))
        elif isinstance(stmt, ast.ImportFrom):
            module = stmt.module or ""
            chunk.append(_Line(stmt, _section(module, stmt.level, path), (True, module.lower())))
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _brings_torch_late(chunks: Iterable[list[_Line]]) -> bool:
    """Whether all that the module imports of torch waits for its first use, as what is added then has to."""
    lines = list(itertools.chain(*chunks))
    return any(is_lazy(line.stmt) and _names_torch(line) for line in lines) and not any(
        map(_has_torch, lines)
    )


def _has_torch(line: _Line) -> bool:
    """Whether torch is there when the line has run."""
    return not is_lazy(line.stmt) and _names_torch(line)


def _names_torch(line: _Line) -> bool:
    return any(
        (alias.name if isinstance(line.stmt, ast.Import) else line.stmt.module or "").partition(".")[0]
        == "torch"
        for alias in line.stmt.names
    )


def _asks_for_torch(tree: ast.Module) -> bool:
    """Whether the module imports torch where it may be missing: in a ``try`` or ``if``, types left aside."""
    for block in tree.body:
        if not isinstance(block, (ast.Try, ast.If, ast.With)) or (
            isinstance(block, ast.Try) and not block.handlers
        ):
            continue
        if isinstance(block, ast.If) and _is_decided(block.test):
            continue
        lines = (stmt for stmt in ast.walk(block) if isinstance(stmt, (ast.Import, ast.ImportFrom)))
        if any(_names_torch(_Line(stmt, 0, (False, ""))) for stmt in lines):
            return True
    return False


def _is_decided(test: ast.expr) -> bool:
    """Whether a branch is for types alone, or is always taken, as what a notebook indents as a whole is."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    return ast.unparse(test).endswith("TYPE_CHECKING")


def _from_torch_on(chunk: list[_Line]) -> list[_Line]:
    """The part of a run of imports that begins with one of torch; nothing if there is none."""
    return list(itertools.dropwhile(lambda line: not _has_torch(line), chunk))


def _section(module: str, level: int, path: Path) -> int:
    """The block that isort puts a module in."""
    top = module.partition(".")[0]
    if level:
        return _RELATIVE
    if top == "__future__":
        return _FUTURE
    if top in sys.stdlib_module_names:
        return _STANDARD
    return _FIRST_PARTY if _is_first_party(top, path) else _THIRD_PARTY


def _is_first_party(top: str, path: Path) -> bool:
    """Whether a top-level module lies in the project of the file, or is the package that the file lies in."""
    folders = path.absolute().parents
    for folder in folders:
        if any((folder / mark).exists() for mark in _ROOT_MARKS):
            places = (folder, folder / "src")
            return any((place / top).is_dir() or (place / f"{top}.py").is_file() for place in places)
    packages = list(itertools.takewhile(lambda folder: (folder / "__init__.py").is_file(), folders))
    return bool(packages) and packages[-1].name == top


def _merged(wanted: Import, lines: Sequence[_Line], outline: Outline) -> TextEdit | None:
    """The edit that adds the name to a ``from`` import of the same module, sorted among its names."""
    for line in lines:
        stmt = line.stmt
        if not isinstance(stmt, ast.ImportFrom) or stmt.module != wanted.module:
            continue
        if any(alias.asname or alias.name == "*" for alias in stmt.names):
            continue
        later = [alias for alias in stmt.names if alias.name.lower() > wanted.name.lower()]
        neighbour = later[0] if later else stmt.names[-1]
        start, end = outline.source.offsets(neighbour)
        indent = outline.leading(neighbour.lineno)
        own_line = neighbour.lineno > stmt.lineno and len(indent) == neighbour.col_offset
        gap = f",{outline.newline}{indent}" if own_line else ", "
        return TextEdit(start, start, wanted.name + gap) if later else TextEdit(end, end, gap + wanted.name)
    return None


def _before(stmt: ast.stmt, code: str, outline: Outline) -> TextEdit:
    """Lines of code above a statement and the comments right above it."""
    region = outline.region(outline.find(stmt))
    line = region.first_line
    while outline.source.line_text(line - 1).lstrip().startswith("#") and line > 1:
        line -= 1
    if line <= 2:
        line = region.first_line  # the comment is the file's header, its encoding perhaps
    start = outline.source.starts[line - 1]
    return TextEdit(start, start, code)


def _after(stmt: ast.stmt, code: str, outline: Outline) -> TextEdit:
    """Lines of code right below a statement."""
    region = outline.region(outline.find(stmt))
    end = region.start + len(region.text)
    return TextEdit(end, end, code if region.text.endswith("\n") else outline.newline + code)


def _first_import(code: str, outline: Outline) -> TextEdit:
    """The import of a file that has none of its own: below the docstring, else above all code."""
    body = outline.tree.body
    newline = outline.newline
    if ast.get_docstring(outline.tree, clean=False) is not None:
        edit = _after(body[0], newline + code + newline, outline)
        follows = outline.source.text[edit.end :]
        gap = newline if follows.strip() and not follows.startswith(("\n", "\r\n")) else ""
        return edit._replace(text=edit.text + gap)
    blank = 2 if isinstance(body[0], (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else 1
    return _before(body[0], code + newline * (1 + blank), outline)
