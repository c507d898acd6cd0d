"""What the calls of a file pass, by the plain names of what they call, so that unused options are known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.names import last_name
from overhead_lint.project.passed_arguments import (
    ANYTHING,
    CALLED,
    HANDED,
    MANY,
    NAMED,
    STORED,
    TURNED_OFF,
    Argument,
    PlainArgument,
)
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.unnamed import named_in
from overhead_lint.project.wrapping_calls import BINDERS
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.file_values import FileValues

__all__ = [
    "called",
]


# What may be handed over by its name.
_HANDED_OVER: Final = (*FUNCTIONS, ast.ClassDef, ast.alias)
# Calls with more arguments than these are taken to pass anything.
_MOST_ARGUMENTS: Final = 16
_LONGEST: Final = 24
_SHORT: Final = (bool, int, float, str, type(None))
# What holds a function or class that is handed over.
_HOLDERS: Final = frozenset(
    {
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
    }
)
_LONGEST_PATH: Final = 64
# Other decorators may hand what they decorate to somebody who calls it.
_KNOWN_DECORATORS: Final = frozenset(
    """abstractmethod autocast cached_property classmethod contextmanager dataclass enable_grad export
    inference_mode jit no_grad override overload property script setter staticmethod final wraps
    unused ignore lru_cache cache""".split()  # noqa: SIM905
)
_ASKING: Final = frozenset({"isinstance", "issubclass", "super"})
_OWN_CLASS: Final = frozenset({"cls", "__class__"})


def called(facts: FileValues) -> tuple[tuple[str, tuple[PlainArgument | str, ...]], ...]:
    """Return for each name that is called what is passed, and names for what stands for such a name."""
    found: dict[str, dict[PlainArgument | str, None]] = {}
    for call in facts.scan.of_class(ast.Call):
        arguments, shift = call.args, 0
        function: ast.expr = call.func
        if last_name(function) in BINDERS and arguments:
            function, shift = arguments[0], 1
        names, bound = _names(function, facts)
        if not names:
            continue
        arguments_passed = [tuple(one) for one in _arguments(call, shift + bound, facts)]
        for name in names:
            passed = found.get(name)
            if passed is None:
                passed = found[name] = {}
            passed.update(dict.fromkeys(arguments_passed))
    names_called = {*found}
    handed: dict[PlainArgument | str, None] = dict.fromkeys(_handed(facts))
    if handed:
        found[HANDED] = handed
    for role, name in (*_stored(facts), *named_in(facts)):
        if role != NAMED or not (name in names_called or name in handed):
            found.setdefault(role, {})[name] = None
    return tuple((name, tuple(passed)) for name, passed in found.items())


def _names(function: ast.expr, facts: FileValues) -> tuple[tuple[str, ...], int]:
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


def _arguments(call: ast.Call, shift: int, facts: FileValues) -> Iterator[Argument]:
    arguments = call.args[shift:]
    yield Argument(CALLED)
    for place, value in enumerate(arguments[:_MOST_ARGUMENTS]):
        if value.__class__ is ast.Starred:
            yield Argument(MANY)
            break
        yield _argument(place, value, facts)
    if len(arguments) > _MOST_ARGUMENTS:
        yield Argument(MANY)
    for keyword in call.keywords:
        name = keyword.arg
        yield _argument(name, keyword.value, facts) if name is not None else Argument(ANYTHING)


def _argument(slot: int | str, value: ast.expr, facts: FileValues) -> Argument:
    """Return an argument with the constant that it is, or the options that it hands on."""
    if isinstance(value, ast.Constant) and isinstance(value.value, _SHORT):
        written = repr(value.value)
        return Argument(slot, written if len(written) <= _LONGEST else "")
    constant, options = facts.options.passed_through(value)
    return Argument(slot, constant, tuple(map(tuple, options)))


def _handed(facts: FileValues) -> Iterator[str]:
    """Names of functions and classes that are used as values, or stand in texts: who knows who calls them."""
    scan = facts.scan
    known = scan.scopes[scan.tree].names
    values = {
        name for name, bindings in known.items() if any(isinstance(one, _HANDED_OVER) for one in bindings)
    }
    for named in scan.of_class(ast.Name):
        if named.id in values and named.ctx.__class__ is ast.Load and _is_value(named, facts):
            yield named.id
    is_method = facts.definitions.is_method
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


def _is_value(node: ast.expr, facts: FileValues) -> bool:
    parents = facts.scan.parents
    holder = parents.get(node)
    if holder.__class__ not in _HOLDERS:
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


def _stored(facts: FileValues) -> Iterator[tuple[str, str]]:
    """Yield attributes that are set to something else than what ``__init__`` is given, behind a role."""
    parents = facts.scan.parents
    for node in facts.scan.of_class(ast.Attribute):
        if node.ctx.__class__ is not ast.Store:
            continue
        statement = parents.get(node)
        value = statement.value if statement.__class__ is ast.Assign else None
        is_off = isinstance(value, ast.Constant) and not value.value
        if not is_self(node.value):
            if value is not None and facts.options.is_of_settings(node):
                continue  # that is its default
            if (facts.names.qualified(node.value) or "").startswith("torch."):
                continue  # torch.backends.cudnn.deterministic is no option of the project's
            yield TURNED_OFF if is_off else STORED, node.attr
        elif isinstance(value, ast.Constant) and not is_off:
            yield STORED, node.attr
    for call in facts.call_index.by_name.get("setattr", ()):
        named = call.args[1] if len(call.args) > 1 else None
        if isinstance(named, ast.Constant) and isinstance(named.value, str):
            yield STORED, named.value
