"""Whether a file names a compiler: of most others nothing has to be evaluated."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import compile_settings, compilers
from overhead_lint.analysis.remembered import remembered
from overhead_lint.analysis.words import words
from overhead_lint.project.names import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["COMPILE_NAMES", "has_compiled", "is_for_torchscript", "names_compiler"]

COMPILE_NAMES: Final = frozenset(name.rpartition(".")[2] for name in compilers())
_SETTINGS: Final = frozenset(name.rpartition(".")[2] for name in compile_settings())
_COMPILE: Final = "compile"
_OTHERS: Final = frozenset({"re.compile", "regex.compile"})


def names_compiler(facts: FileSyntax) -> bool:
    """Whether a file names anything that may compile: of most others nothing has to be evaluated."""
    return (
        any(
            node.attr in COMPILE_NAMES and facts.names.qualified(node) not in _OTHERS
            for node in facts.scan.of_class(ast.Attribute)
        )
        or not compilers().isdisjoint(_imported(facts))
        or any(map(has_compiled, facts.call_index.by_name))
        or any(
            has_compiled(last_name(decorator))
            for node in facts.scan.of_class(ast.FunctionDef)
            for decorator in node.decorator_list
        )
        or _asks_libraries(facts)
    )


@remembered(1024)
def has_compiled(name: str) -> bool:
    """Whether a function compiles something else, by its name: ``compile_model``, ``apply_compile``."""
    said = words(name)
    return len(said) > 1 and _COMPILE in said


def _imported(facts: FileSyntax) -> Iterator[str]:
    """Yield the qualified names of what a file imports by name."""
    for item in facts.scan.of_class(ast.ImportFrom):
        for alias in item.names:
            yield f"{item.module}.{alias.name}"


def _asks_libraries(facts: FileSyntax) -> bool:
    """Whether it names a class that is told whether modules are compiled, and a parameter by which it is."""
    used = (
        facts.names.qualified(node) or ""
        for node in facts.scan.of_class(ast.Attribute)
        if node.attr in _SETTINGS
    )
    settings = compile_settings()
    words = {word for name in (*_imported(facts), *used) for word in settings.get(name, ())}
    return bool(words) and (
        any(item.arg in words for item in facts.scan.of_class(ast.keyword))
        or any(item.value in words for item in facts.scan.of_class(ast.Constant))
    )


def is_for_torchscript(facts: FileSyntax) -> bool:
    """Whether the file has anything to do with ``torch.jit``, by an import or by ``torch.jit.name``.

    TorchScript compiles what it is given and all that this calls, and instances get to it through any
    number of variables, so no single function of such a file is known to stay outside.
    """
    by_class = facts.scan.by_class
    for node in (*by_class.get(ast.Import, ()), *by_class.get(ast.ImportFrom, ())):
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        head = f"{node.module}." if node.__class__ is ast.ImportFrom and not node.level else ""
        if any(f"{head}{alias.name}.".startswith("torch.jit.") for alias in node.names):
            return True
    return any(
        node.__class__ is ast.Attribute
        and node.attr == "jit"
        and (facts.names.qualified(node) == "torch.jit" or last_name(node.value) == "torch")
        for node in by_class.get(ast.Attribute, ())
    )
