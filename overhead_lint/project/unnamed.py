"""Functions and classes that their file does not name where it defines them alone: do others name them?

What nothing in a project names is for its users, or left over. Of modules and optimizers most are for
users, unless they lie in no package: nobody else can import them. Of functions and of other classes most are
left over: places in them count as if an option kept them from running that is off by default.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import NAME, Option
from overhead_lint.project.names import last_name
from overhead_lint.project.passed_arguments import ALL_OF, NAMED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["Unnamed", "named_in"]


# Calls by which a file gets at its functions by names that nobody reads there.
_LOOKING_UP: Final = ("globals", "locals", "vars")
# A class that derives from others than these is known to whoever knows those.
_PLAIN_BASES: Final = frozenset({"ABC", "Callback", "Dataset", "Generic", "IterableDataset", "object"})
_BASES_FOR_USERS: Final = frozenset({"Function", "Module", "Optimizer"})
# What torch.hub, and whoever runs a program, calls by these names.
_PROGRAMS: Final = frozenset({"main"})
_FOR_USERS: Final = frozenset({"hubconf", "setup"})
_LONGEST_PATH: Final = 64


class Unnamed:
    """The functions and classes at the top level of a file that it does not name again.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileSyntax) -> None:
        self._facts = facts
        self._found: dict[ast.AST, Option] | None = None

    def option(self, node: ast.AST) -> Option | None:
        """Return what a place hangs on: that somebody names what holds it; None if its file does.

        Args:
            node: the place, or a function.
        """
        known = self._found
        if known is None:
            known = self._found = self._find()
        if not known:
            return None
        tree, parents = self._facts.scan.tree, self._facts.scan.parents
        holder: ast.AST | None = node
        while holder is not None and parents.get(holder) is not tree:
            holder = parents.get(holder)
        return known.get(holder) if holder is not None else None

    def _find(self) -> dict[ast.AST, Option]:
        """The definitions, and the option that tells of each."""
        facts = self._facts
        is_loose = not facts.is_package and facts.module and "." not in facts.module
        known_bases = _PLAIN_BASES | _BASES_FOR_USERS if is_loose else _PLAIN_BASES
        found = {
            node.name: node
            for node in facts.scan.tree.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and _counts(node, known_bases)
        }
        if not found:
            return {}
        by_class = facts.scan.by_class
        module = facts.module.rpartition(".")[2]
        if module in _FOR_USERS or any(name in facts.call_index.by_name for name in _LOOKING_UP):
            return {}
        for node in facts.scan.of_class(ast.Name):
            definition = found.get(node.id)
            if definition is not None and not _is_within(node, definition, facts.scan.parents):
                del found[node.id]
        for text in by_class.get(ast.Constant, ()) if found else ():
            assert isinstance(text, ast.Constant)
            if isinstance(text.value, str):
                found.pop(text.value, None)
        return {node: Option(NAME, module, name) for name, node in found.items()}


def _is_within(node: ast.AST, definition: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a place lies in a definition: what names itself, as in ``super(Own, self)``, is not named."""
    holder: ast.AST | None = node
    while holder is not None and holder is not definition:
        holder = parents.get(holder)
    return holder is not None


def _counts(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, known_bases: Collection[str]
) -> bool:
    """Whether only who names a function or class runs it.

    A program is named outside of Python's files; it takes no arguments.

    Args:
        node: the definition.
        known_bases: plain names of bases whose derived classes nobody knows by them.
    """
    if isinstance(node, ast.ClassDef):
        return not node.keywords and all(_plain(base) in known_bases for base in node.bases)
    arguments = [*node.args.posonlyargs, *node.args.args]
    takes_some = len(arguments) > len(node.args.defaults) or None in node.args.kw_defaults
    return takes_some and node.name not in _PROGRAMS


def _plain(base: ast.expr) -> str:
    return last_name(base.value if base.__class__ is ast.Subscript else base)


def named_in(facts: FileSyntax) -> Iterator[tuple[str, str]]:
    """Yield plain names of what a file imports, takes out of modules, or names in a text, each after `NAMED`.

    Those of modules that it takes all of, or hands over, come after `ALL_OF`.
    """
    by_class, parents = facts.scan.by_class, facts.scan.parents
    for node in facts.scan.of_class(ast.ImportFrom):
        for alias in node.names:
            is_all = alias.name == "*"
            yield (ALL_OF, (node.module or "").rpartition(".")[2]) if is_all else (NAMED, alias.name)
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in (*by_class.get(ast.Import, ()), *by_class.get(ast.ImportFrom, ()))
        for alias in node.names
    }
    for attribute in facts.scan.of_class(ast.Attribute):
        owner = attribute.value
        while owner.__class__ is ast.Attribute:
            owner = owner.value
        if owner.__class__ is ast.Name and owner.id in imported:
            parent = parents[attribute]
            if parent.__class__ is not ast.Attribute:
                yield NAMED, attribute.attr
            if parent.__class__ is ast.Call and parent.func is not attribute:
                yield ALL_OF, attribute.attr  # it may be a module that is handed over
    for text in facts.scan.of_class(ast.Constant):
        value = text.value
        if value.__class__ is str and value and len(value) <= _LONGEST_PATH:
            last = value.replace(":", ".").rpartition(".")[2]
            if last.isidentifier():
                yield NAMED, last
