"""Copies the package for the compiler, with three idioms put in a form that it takes, or makes fast code of.

Compiled classes have no dictionary, so `functools.cached_property` cannot keep anything in it: a property
that keeps its value in an attribute stands in for it. ``ast.Name`` in a function is two look-ups each
time it runs; a constant of the module is none. And the compiler has a named tuple look for the types of its
fields when the module is imported, also for those that only type checkers import: they are texts, as they
are in Python. Nothing else is rewritten: what the compiler does not take is written in another way in the
package itself.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["MODULES", "NotCompilable", "modules", "rewritten", "stage"]

MODULES: Final = Path(__file__).with_name("modules.txt")
_PACKAGES: Final = {"overhead_lint": "overhead_lint", "rules": "overhead_lint/rules"}


class NotCompilable(Exception):
    """A source that the rewriting does not know how to handle; the message says what."""


class _Edit(NamedTuple):
    """New text in place of what a node, or nothing, holds; columns are in bytes."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


def modules() -> list[str]:
    """The paths of the modules that are compiled, from the repository's root."""
    lines = (line.strip() for line in MODULES.read_text("utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def stage(root: Path, target: Path) -> list[Path]:
    """Copy the package to a folder, the modules to compile rewritten.

    Args:
        root: the repository.
        target: where the copy goes; what is there is replaced.

    Returns:
        The paths of the modules to compile.

    Raises:
        NotCompilable: a module that cannot be rewritten.
        OSError: a file that cannot be read or written.
    """
    shutil.rmtree(target, ignore_errors=True)
    for source, place in _PACKAGES.items():
        shutil.copytree(root / source, target / place, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    found = [target / name for name in modules()]
    for path in found:
        path.write_text(rewritten(path.read_text("utf-8")), "utf-8")
    return found


def rewritten(text: str) -> str:
    """A module's source as the compiler gets it.

    Raises:
        NotCompilable: a cached property that may give None, or one of a class without ``__init__`` and bases;
            ``in`` with what a generator of the module yields, which compiled generators do not know; a name
            that holds a tuple of known length, and then what may be another.
    """
    module = ast.parse(text)
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    _refuse_searched_generators(module, functions)
    for function in functions:
        _refuse_longer_tuples(function)
    return _with_constants(_with_kept_values(_with_postponed_types(text)))


def _refuse_longer_tuples(function: ast.FunctionDef) -> None:
    """Refuse ``kept = (one,)`` before ``kept = entries[1:]``: the length is part of an inferred type."""
    typed = {ast.unparse(node.target) for node in ast.walk(function) if isinstance(node, ast.AnnAssign)}
    lengths = dict.fromkeys(typed, -1)
    assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
    for one in sorted(assigned, key=lambda one: one.lineno):
        for name in (target.id for target in one.targets if isinstance(target, ast.Name)):
            length = len(one.value.elts) if isinstance(one.value, ast.Tuple) else -1
            if lengths.setdefault(name, length) not in (-1, length):
                raise NotCompilable(f"line {one.lineno}: {name} needs a type: its tuple had another length")


def _refuse_searched_generators(module: ast.Module, functions: Sequence[ast.FunctionDef]) -> None:
    """Refuse ``name in self.names()`` where ``names`` is a generator."""
    generators = {function.name for function in functions if _yields(function)}
    for test in (node for node in ast.walk(module) if isinstance(node, ast.Compare)):
        for operator, searched in zip(test.ops, test.comparators, strict=True):
            if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(searched, ast.Call):
                name = ast.unparse(searched.func).rpartition(".")[2]
                if name in generators:
                    raise NotCompilable(f"line {test.lineno}: {name} is a generator: `in` needs a collection")


def _yields(function: ast.FunctionDef) -> bool:
    """Whether a function is a generator, by the type that it says it returns."""
    return function.returns is not None and ast.unparse(function.returns).startswith(
        ("Iterator", "Generator")
    )


def _with_postponed_types(text: str) -> str:
    """The source with the types of named tuples' fields as texts."""
    return _edited(text, [_as_text(field) for cls in ast.parse(text).body for field in _fields(cls)])


def _fields(statement: ast.stmt) -> Iterator[ast.expr]:
    """The types of the fields of a statement that defines a named tuple."""
    if isinstance(statement, ast.ClassDef) and any(
        isinstance(base, ast.Name) and base.id == "NamedTuple" for base in statement.bases
    ):
        yield from (one.annotation for one in statement.body if isinstance(one, ast.AnnAssign))


def _as_text(node: ast.expr) -> _Edit:
    assert node.end_lineno is not None and node.end_col_offset is not None
    text = repr(ast.unparse(node))
    return _Edit(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, text)


def _with_kept_values(text: str) -> str:
    """The source with properties that keep their values in attributes, and classes that can be emptied."""
    edits: list[_Edit] = []
    for cls in ast.parse(text).body:
        if isinstance(cls, ast.ClassDef):
            edits += _kept_by_heir(cls) if cls.bases else _kept(cls)
    return _edited(text, edits)


def _kept(cls: ast.ClassDef) -> Iterator[_Edit]:
    init = next(
        (one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None
    )
    cached = [one for one in cls.body if isinstance(one, ast.FunctionDef) and _is_cached(one)]
    if init is None:
        if cached:
            raise NotCompilable(f"{cls.name} has cached properties and no __init__")
        return
    yield from map(_without_name, cached)
    yield from (_keeping(method, cls) for method in cached)
    start = "".join(f"self.{_declared(method, cls)}\n        " for method in cached)
    first = next(
        one for one in init.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    )
    yield _Edit(first.lineno, first.col_offset, first.lineno, first.col_offset, start)
    names = [*dict.fromkeys(_attributes(init)), *(f"_kept_{method.name}" for method in cached)]
    if names:
        text = _EMPTYING.format(
            names=", ".join(map(repr, names)), held=", ".join(f"self.{name}" for name in names)
        )
        yield _Edit(init.lineno, init.col_offset, init.lineno, init.col_offset, text)


def _kept_by_heir(cls: ast.ClassDef) -> Iterator[_Edit]:
    """The edits of a class that derives from one with ``__init__``, if it has cached properties."""
    methods = [one for one in cls.body if isinstance(one, ast.FunctionDef)]
    cached = [one for one in methods if _is_cached(one)]
    if not cached:
        return
    yield from map(_without_name, cached)
    yield from (_keeping(method, cls) for method in cached)
    own = [name for one in methods if one.name == "__init__" for name in dict.fromkeys(_attributes(one))]
    kept = [f"self._kept_{method.name}" for method in cached]
    text = _EMPTYING_HEIR.format(
        names=", ".join(map(repr, own)),
        declared="\n    ".join(_declared(method, cls) for method in cached),
        held=", ".join(kept),
        emptied=" = ".join(kept),
        own="".join(f"        held.append(self.{name})\n        del self.{name}\n" for name in own),
    )
    first = methods[0]
    line = min([first.lineno, *(one.lineno for one in first.decorator_list)])
    column = first.col_offset
    yield _Edit(line, column, line, column, text)


def _declared(method: ast.FunctionDef, cls: ast.ClassDef) -> str:
    """The attribute that keeps what a cached property gave, nothing so far."""
    return f"_kept_{method.name}: {_given(method, cls)} | None = None"


def _given(method: ast.FunctionDef, cls: ast.ClassDef) -> str:
    if method.returns is None or _may_be_none(method.returns):
        raise NotCompilable(f"{cls.name}.{method.name} may give None, which stands for not known yet")
    return ast.unparse(method.returns)


def _keeping(method: ast.FunctionDef, cls: ast.ClassDef) -> _Edit:
    """What stands before a cached property: one that asks it once."""
    name, place = method.name, method.decorator_list[0]
    kept = f"""@property
    def {name}(self) -> {_given(method, cls)}:
        known = self._kept_{name}
        if known is None:
            known = self._kept_{name} = self._find_{name}()
        return known

    """
    return _Edit(place.lineno, place.col_offset - 1, method.lineno, method.col_offset, kept)


def _without_name(method: ast.FunctionDef) -> _Edit:
    """What finds the value of a cached property, by a name of its own."""
    column = method.col_offset + len("def ")
    return _Edit(method.lineno, column, method.lineno, column + len(method.name), f"_find_{method.name}")


_EMPTYING: Final = """__deletable__ = [{names}]

    def take_all(self) -> list[object]:
        try:
            held: list[object] = [{held}]
        except AttributeError:
            return []
        del {held}
        return held

    """


_EMPTYING_HEIR: Final = """__deletable__ = [{names}]
    {declared}

    def take_all(self) -> list[object]:
        held: list[object] = super().take_all()
        if not held:
            return held
        held += [{held}]
        {emptied} = None
{own}        return held

    """


def _may_be_none(annotation: ast.expr) -> bool:
    """Whether an annotation is None, or a union with it."""
    if isinstance(annotation, ast.BinOp):
        return _may_be_none(annotation.left) or _may_be_none(annotation.right)
    return isinstance(annotation, ast.Constant) and annotation.value is None


def _is_cached(method: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "cached_property" for one in method.decorator_list)


def _attributes(init: ast.FunctionDef) -> Iterator[str]:
    """The attributes that ``__init__`` sets."""
    for node in ast.walk(init):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            yield node.attr


def _with_constants(text: str) -> str:
    """The source with classes of nodes, and tuples of them in tests, as constants of the module."""
    used, before = _Used(), 0
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            used.visit(statement)
            if used.found and not before:  # constants that tuples are made of stand above it
                before = min([statement.lineno, *(one.lineno for one in statement.decorator_list)])
    if not used.found:
        return text
    edits, constants = [], {}
    for node in used.found:
        source = ast.unparse(node)
        name = "_node_" + "".join(
            letter for letter in source.replace("ast.", "") if letter.isalnum() or letter == "_"
        )
        constants[name] = source
        assert node.end_lineno is not None and node.end_col_offset is not None
        edits.append(_Edit(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, name))
    lines = "".join(f"{name}: _typing.Final = {source}\n" for name, source in constants.items())
    edits.append(_Edit(before, 0, before, 0, f"import typing as _typing\n\n{lines}\n\n"))
    return _edited(text, edits)


class _Used(ast.NodeVisitor):
    """Finds classes of nodes that are looked up while functions run; annotations and patterns left out."""

    def __init__(self) -> None:
        self.found: list[ast.expr] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_match_case(self, node: ast.match_case) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "isinstance" and isinstance(node.args[1], ast.Tuple) and _is_constant(node.args[1]):
            self.visit(node.args[0])
            self.found.append(node.args[1])
        elif name != "cast":
            self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if _is_node_class(node):
            self.found.append(node)
        else:
            self.generic_visit(node)


def _is_node_class(node: ast.expr) -> bool:
    """Whether an expression is ``ast.Name`` or the like."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ast"):
        return False
    found = getattr(ast, node.attr, None)
    return isinstance(found, type) and issubclass(found, ast.AST)


def _is_constant(node: ast.Tuple) -> bool:
    """Whether a tuple holds classes of nodes and constant tuples of the module."""
    return all(
        _is_node_class(one)
        or (isinstance(one, ast.Starred) and isinstance(one.value, ast.Name) and one.value.id.isupper())
        for one in node.elts
    )


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    data = text.encode()
    for edit in sorted(edits, key=lambda one: (one.line, one.column), reverse=True):
        start, end = starts[edit.line - 1] + edit.column, starts[edit.end_line - 1] + edit.end_column
        data = data[:start] + edit.text.encode() + data[end:]
    return data.decode()
