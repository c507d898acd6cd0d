"""What other files can ask a file for by name: its functions, classes and imports."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.function_names import ITEMS
from overhead_lint.analysis.values.lattice import MOST_REFERENCES
from overhead_lint.project.definitions import is_property, is_setter
from overhead_lint.project.module_index import ClassSummary, ModuleIndex
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import (
    ALTERNATIVE,
    BUILTINS,
    INSTANCE,
    MANY,
    STARRED,
    SUPER,
    is_outside,
)
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.stores import returns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.project.file_paths import FilePaths
    from overhead_lint.project.stores import Given

__all__ = ["index_of", "settled"]

IsOptional = Callable[[ast.expr], bool]

# Packages whose names can be re-exported and then be a base class somewhere.
_KEPT: Final = ("torch.", "pytorch_lightning.", "lightning.", "transformers.", "accelerate.")


def index_of(facts: FilePaths) -> ModuleIndex:
    """What other files can ask a file for by name."""
    functions = {
        facts.definitions.identity(node): _returned(node, facts)
        for node in facts.scan.scopes
        if isinstance(node, FUNCTIONS)
    }
    functions.update(dict.fromkeys(facts.definitions.partials.values(), ""))
    for node in facts.generators.functions:
        functions[facts.definitions.identity(node) + ITEMS] = ""
    classes = {}
    for node in facts.classes:
        summary = _class(node, facts)
        classes[summary.name] = summary
    names = {
        name: path
        for name, path in facts.names.top_level.items()
        if name != "*" and not path.startswith(".") and (not is_outside(path) or path.startswith(_KEPT))
    }
    top = facts.scan.scopes[facts.scan.tree]
    for name, bindings in top.names.items():
        if name not in names and len(bindings) == 1 and bindings[0].__class__ is ast.Name:
            path, *others = facts.paths.referred(bindings[0]) or ("",)
            if path in functions or path.endswith(INSTANCE):
                names[name] = path
            elif path.endswith(MANY):  # a table of functions or classes
                defined = functions.keys() | classes.keys()
                held = [one for one in (path, *others) if one.rstrip(MANY) in defined]
                if held:
                    names[name] = ALTERNATIVE.join(held[:MOST_REFERENCES])
    return ModuleIndex(facts.module, "", functions, classes, names, facts.names.stars)


def settled(index: ModuleIndex, facts: FilePaths, is_optional: IsOptional) -> ModuleIndex:
    """What other files are told: of several things that something may be, not those left to options.

    Args:
        index: what the file can be asked for.
        facts: the file.
        is_optional: tells what is taken hardly ever, or only where somebody passes an option.
    """
    functions, classes = dict(index.functions), dict(index.classes)
    for name, path in index.functions.items():
        node = facts.definitions.get(name)
        if ALTERNATIVE in path and node is not None:
            functions[name] = _returned(node, facts, is_optional)
    for node in facts.classes:
        summary = classes["." + facts.classes[node].qualname]
        if any(ALTERNATIVE in path for _, path in summary.attributes):
            classes[summary.name] = _class(node, facts, is_optional)
    return index._replace(functions=functions, classes=classes)


def _class(node: ast.ClassDef, facts: FilePaths, is_optional: IsOptional | None = None) -> ClassSummary:
    cls = facts.classes[node]
    attributes: dict[str, str] = {}
    body = facts.paths.body(node)
    for name, said in body.record.annotations.items():
        path = facts.paths.references.annotated(body, said)
        if path is not None:
            attributes[name] = path
    for name, stores in facts.paths.stored(node).items():
        found = _any_of(stores, facts, is_optional)
        if found:
            attributes[name] = found
    members = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return ClassSummary(
        "." + cls.qualname,
        tuple(_base(base, facts) for base in cls.bases),
        tuple(item.name for item in members if not is_setter(item)),
        tuple(item.name for item in members if is_property(item)),
        tuple(attributes.items()),
        tuple(dict.fromkeys(filter(None, (_extended(item, facts) for item in members)))) if cls.bases else (),
    )


def _base(base: str, facts: FilePaths) -> str:
    """The path of a base; what no name of the file tells may come from an import with a star."""
    known = "." in base or not facts.names.stars or not base.isidentifier() or base in BUILTINS
    return base if known else STARRED + base


def _extended(function: ast.FunctionDef | ast.AsyncFunctionDef, facts: FilePaths) -> str:
    """The name of a method that may run what it overrides: ``super().step()``, ``Base.step(self)``; or ""."""
    read = [item for item in facts.scan.within(function, ast.Attribute) if item.attr == function.name]
    if not read:
        return ""
    by_super = all(
        item.value.__class__ is ast.Call and last_name(item.value.func) == "super" for item in read
    )
    return SUPER + function.name if by_super else function.name


def _returned(node: ast.AST, facts: FilePaths, is_optional: IsOptional | None = None) -> str:
    """The path of what a function returns, by its annotation or its ``return``s; "" if unknown.

    A context that a generator gives and that decorates a function runs the generator in each call of this.
    """
    if facts.definitions.gives_context(node):
        return facts.definitions.identity(node)
    body = facts.paths.body(node)
    path = facts.paths.references.annotated(body, body.record.returns)
    if path is not None:
        return path
    given = [(body, at) for at in returns(body)]
    first, *others = _any_of(given, facts, is_optional).split(ALTERNATIVE)
    # A function that is given among other things is seldom what is called then: decorators give one.
    return ALTERNATIVE.join([first, *(path for path in others if path.endswith(INSTANCE))])


def _any_of(given: Iterable[Given], facts: FilePaths, is_optional: IsOptional | None) -> str:
    """The path of what any of some operations may give; "" if nobody knows.

    Args:
        given: the operations, with their bodies.
        facts: the file.
        is_optional: tells those that do not count behind the first; None if all do.
    """
    found: dict[str, None] = {}
    for body, at in given:
        for path, gives in facts.paths.origins.ways(body, at).items():
            if is_outside(path):
                continue
            is_asked = is_optional is not None and bool(found)
            node = facts.flow.expression(body.place, gives) if is_asked else None
            if node is None or is_optional is None or not is_optional(node):
                found[path] = None
    return ALTERNATIVE.join([*found][:MOST_REFERENCES])
