"""What the calls of a file pass, by the plain names of what they call, so that unused options are known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.calls import BINDERS
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.unnamed import NAMED, named_in
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.facts import FileFacts

__all__ = ["ANYTHING", "HANDED", "KEPT", "MANY", "STORED", "THROUGH", "TURNED_OFF", "called"]

HANDED: Final = "&"
"""Stands for the name of what is called, before what a file hands over, or makes by its name in a text."""
STORED: Final = "."
"""Stands there before attributes that a file sets on others than ``self``, or to a constant that is true."""
TURNED_OFF: Final = "-"
"""Stands before one of these attributes that is set to a constant that is false."""
MANY: Final = "*"
"""A call passes more by place than can be told."""
ANYTHING: Final = "**"
"""A call passes more by keyword than can be told."""
KEPT: Final = "="
"""Stands in an argument between its place or keyword and the constant that it is."""
THROUGH: Final = ">"
"""Stands there before what the argument is while options of the caller have their defaults, and these."""

# What may be handed over by its name.
_HANDED_OVER: Final = (*FUNCTIONS, ast.ClassDef, ast.alias)
# Calls with more arguments than these are taken to pass anything.
_MOST_ARGUMENTS: Final = 16
_LONGEST: Final = 24
_SHORT: Final = (bool, int, float, str, type(None))
# What holds a function or class that is handed over.
_HOLDERS: Final = (
    ast.Assign,
    ast.AnnAssign,
    ast.Call,
    ast.Dict,
    ast.IfExp,
    ast.List,
    ast.Return,
    ast.Set,
    ast.Tuple,
    ast.keyword,
)
_LONGEST_PATH: Final = 64
# Other decorators may hand what they decorate to somebody who calls it.
_KNOWN_DECORATORS: Final = frozenset(
    """abstractmethod autocast cached_property classmethod contextmanager dataclass enable_grad export
    inference_mode jit no_grad override overload property script setter staticmethod final wraps
    unused ignore lru_cache cache""".split()  # noqa: SIM905
)
_ASKING: Final = frozenset({"isinstance", "issubclass", "super"})
_OWN_CLASS: Final = frozenset({"cls", "__class__", "type"})


def called(facts: FileFacts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For each name that is called, and what stands for others, what is passed: ``0``, ``mask=None``."""
    found: dict[str, dict[str, None]] = {}
    for call in facts.scan.of_class(ast.Call):
        arguments, shift = call.args, 0
        function: ast.expr = call.func
        if last_name(function) in BINDERS and arguments:
            function, shift = arguments[0], 1
        names, bound = _names(function, facts)
        if not names:
            continue
        tokens = _tokens(call, shift + bound, facts)
        for name in names:
            passed = found.get(name)
            if passed is None:
                passed = found[name] = {}
            for token in tokens:
                passed[token] = None
    handed = dict.fromkeys(_handed(facts))
    if handed:
        found[HANDED] = handed
    stored = dict.fromkeys(_stored(facts))
    if stored:
        found[STORED] = stored
    named = dict.fromkeys(one for one in named_in(facts) if one not in found and one not in handed)
    if named:
        found[NAMED] = named
    return tuple((name, tuple(tokens)) for name, tokens in found.items())


def _names(function: ast.expr, facts: FileFacts) -> tuple[tuple[str, ...], int]:
    """The plain names of what a call may run, and how many arguments ``self`` takes among those by place."""
    if function.__class__ is ast.Attribute and function.attr == "__init__":
        owner = function.value
        if owner.__class__ is ast.Call and last_name(owner.func) == "super":
            cls = facts.class_of(function)
            return tuple(base.rpartition(".")[2] for base in cls.bases) if cls is not None else (), 0
        return (last_name(owner),), 1
    name = last_name(function) if isinstance(function, (ast.Attribute, ast.Name)) else ""
    if name in _OWN_CLASS or (function.__class__ is ast.Call and last_name(function.func) == "type"):
        cls = facts.class_of(function)
        return ((cls.node.name,) if cls is not None else ()), 0
    if function.__class__ is ast.Name:
        return (name, *_chosen(facts.value(function))), 0
    return ((name,) if name else ()), 0


def _chosen(value: ast.expr | None) -> tuple[str, ...]:
    """The plain names of what a name was given that is called: ``make = Fast if fast else Slow``."""
    if value.__class__ is ast.IfExp:
        return (*_chosen(value.body), *_chosen(value.orelse))
    return (last_name(value),) if isinstance(value, (ast.Attribute, ast.Name)) else ()


def _tokens(call: ast.Call, shift: int, facts: FileFacts) -> list[str]:
    arguments = call.args[shift:]
    found = [""]
    for place, value in enumerate(arguments[:_MOST_ARGUMENTS]):
        if value.__class__ is ast.Starred:
            found.append(MANY)
            break
        found.append(f"{place}{_said(value, facts)}")
    if len(arguments) > _MOST_ARGUMENTS:
        found.append(MANY)
    for keyword in call.keywords:
        found.append(f"{keyword.arg}{_said(keyword.value, facts)}" if keyword.arg is not None else ANYTHING)
    return found


def _said(value: ast.expr, facts: FileFacts) -> str:
    """What is known of an argument: the constant that it is, the option that it hands on, or nothing."""
    if isinstance(value, ast.Constant) and isinstance(value.value, _SHORT):
        written = repr(value.value)
        return f"{KEPT}{written}" if len(written) <= _LONGEST else ""
    return facts.options.passed_through(value, THROUGH)


def _handed(facts: FileFacts) -> Iterator[str]:
    """Names of functions and classes that are used as values, or stand in texts: who knows who calls them."""
    scan = facts.scan
    known = scan.scopes[scan.tree].names
    values = {
        name for name, bindings in known.items() if any(isinstance(one, _HANDED_OVER) for one in bindings)
    }
    for named in scan.of_class(ast.Name):
        if named.id in values and named.ctx.__class__ is ast.Load and _is_value(named, facts):
            yield named.id
    is_method = facts.calls.is_method
    for read in scan.of_class(ast.Attribute):
        name = read.attr
        if (
            (name[0].isupper() or is_method(name))
            and read.ctx.__class__ is ast.Load
            and _is_value(read, facts)
        ):
            yield name
    for text in scan.of_class(ast.Constant):
        value = text.value
        if value.__class__ is str and value[:1].isupper() and len(value) < _LONGEST_PATH:
            name = value.rpartition(".")[2]
            if name.isidentifier():
                yield name
    for node in scan.scopes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and any(
            last_name(decorator) not in _KNOWN_DECORATORS for decorator in node.decorator_list
        ):
            yield node.name
    for alias_of in scan.of_class(ast.ImportFrom):
        for alias in alias_of.names:
            if alias.asname is not None and alias.asname != alias.name:
                yield alias.name


def _is_value(node: ast.expr, facts: FileFacts) -> bool:
    parents = facts.scan.parents
    holder = parents.get(node)
    if not isinstance(holder, _HOLDERS):
        return False
    if holder.__class__ is ast.Call:
        if holder.func is node or last_name(holder.func) in _ASKING:
            return False
        return not (last_name(holder.func) in BINDERS and holder.args[0] is node)
    if holder.__class__ is ast.Tuple:
        around = parents.get(holder)
        if isinstance(around, (ast.Subscript, ast.ExceptHandler)):
            return False
        return not (around.__class__ is ast.Call and last_name(around.func) in _ASKING)
    if holder.__class__ is ast.AnnAssign:
        return holder.value is node
    return True


def _stored(facts: FileFacts) -> Iterator[str]:
    """Attributes that are set from elsewhere than by what ``__init__`` is given."""
    parents = facts.scan.parents
    for node in facts.scan.of_class(ast.Attribute):
        if node.ctx.__class__ is not ast.Store:
            continue
        statement = parents.get(node)
        value = statement.value if statement.__class__ is ast.Assign else None
        is_off = isinstance(value, ast.Constant) and not value.value
        if not is_self(node.value):
            yield f"{TURNED_OFF}{node.attr}" if is_off else node.attr
        elif isinstance(value, ast.Constant) and not is_off:
            yield node.attr
    for call in facts.call_index.by_name.get("setattr", ()):
        named = call.args[1] if len(call.args) > 1 else None
        if isinstance(named, ast.Constant) and isinstance(named.value, str):
            yield named.value
