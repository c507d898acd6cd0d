"""Functions that are run by somebody whom they were handed to: hooks, tables, attributes of other objects."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.analysis.remembered import remembered
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import Reason, ReasonKind
from overhead_lint.project.calls import BINDERS
from overhead_lint.project.conditions import is_none
from overhead_lint.project.method_names import tells
from overhead_lint.project.names import last_name
from overhead_lint.project.passed_instances import class_path, instance_path
from overhead_lint.project.path_syntax import INSTANCE, PARAMETER, is_outside
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.syntax.receivers import is_self_or_cls
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = [
    "CalledParameter",
    "Hook",
    "handed",
    "hooks",
    "kept_function",
    "made_from_table",
    "parameters_called",
    "patches",
    "running_once",
    "tables",
    "takes",
]

# Functions of torch that take functions and run them in every step.
_TAKERS: Final = frozenset({"queue_callback", "saved_tensors_hooks"})
# Classes of transformers that hold functions, all of which run for each new token.
_RUN_FOR_TOKENS: Final = frozenset({"LogitsProcessorList", "StoppingCriteriaList"})
# Attributes of modules that stand for their own methods.
_RUN_BY_MODULES: Final = frozenset({"forward", "__call__"})
_MOST_IN_TABLE: Final = 40
# Functions of Python that keep a function for something else than a step.
_KEEPERS: Final = frozenset({"add_argument", "add_parser", "set_defaults", "Thread", "Process", "field"})


# Classes of expressions that may be functions, and are asked for by exact class: of all arguments of a file.
_MAY_BE_FUNCTIONS: Final = frozenset({ast.Attribute, ast.Call, ast.Lambda, ast.Name})


class Hook(NamedTuple):
    """A function that something runs in every step.

    Attributes:
        function: its path.
        reason: why it is hot, for a function that is shown as ``{}``.
    """

    function: str
    reason: Reason


class CalledParameter(NamedTuple):
    """A call of what a function was handed.

    Attributes:
        call: the call.
        name: the parameter.
        holder: the function that has it.
    """

    call: ast.Call
    name: str
    holder: ast.AST


def hooks(facts: FileFacts) -> Iterator[Hook]:
    """Functions handed to ``register_..._hook`` and kin, or put in the place of a module's ``forward``."""
    names = [name for name in facts.call_index.by_name if name in _RUN_FOR_TOKENS or _registers(name)]
    found = [call for name in names for call in facts.call_index.by_name[name]]
    for call in sorted(found, key=facts.scan.order.__getitem__):
        name = last_name(call.func)
        if name in _RUN_FOR_TOKENS and call.args and isinstance(call.args[0], (ast.List, ast.Tuple)):
            for held in call.args[0].elts:
                for path in _hooked(held, facts):
                    yield Hook(path, Reason(f"{{}} runs for each token, by the list on line {call.lineno}"))
        if not _registers(name):
            continue
        if _takes_back(call, facts):
            continue  # it is there for the calls in between, and runs as often as these
        given = call.args if name in _TAKERS else call.args[-1:]
        for argument in (*given, *(item.value for item in call.keywords if "hook" in words(item.arg or ""))):
            for path in _hooked(argument, facts):
                said = f"{{}} is a hook registered on line {call.lineno}"
                yield Hook(path, Reason(said, ReasonKind.HOOK))
    for attribute, value in _assigned(facts):
        if attribute.attr in _RUN_BY_MODULES:
            for path in _functions(value, facts):
                said = f"{{}} stands for a module's forward since line {attribute.lineno}"
                yield Hook(path, Reason(said))


def _takes_back(call: ast.Call, facts: FileFacts) -> bool:
    """Whether the function that registers a hook takes it away again, or one around that does.

    Not where it holds a loop of steps, all of which run the hook, or gives others the time in between.
    """
    function = facts.function_node(call)
    removed = facts.call_index.by_name.get("remove", ()) if function is not None else ()
    while removed and function is not None:
        if any(
            _is_removal(one)
            and facts.function_node(one) is function
            and one.lineno > call.lineno
            and facts.placements.of(one).frequency >= SAME
            for one in removed
        ):
            held = facts.scan.within(function, ast.Yield, ast.YieldFrom)
            loops = {facts.function_node(loop) for loop in facts.loops.hot()}
            return function not in loops and not any(facts.function_node(one) is function for one in held)
        function = facts.function_node(function)
    return False


def _is_removal(call: ast.Call) -> bool:
    """Whether a call takes a hook away, by its handle: ``handle.remove()``."""
    return call.func.__class__ is ast.Attribute and not call.args and not call.keywords


def running_once(facts: FileFacts) -> frozenset[ast.AST]:
    """Functions that run once as hooks: each call of one takes it, or all of its kind, away."""
    found = set()
    for call in facts.call_index.by_name.get("remove", ()):
        function = facts.function_node(call) if _is_removal(call) else None
        if function is not None and facts.flow.runs_always(call, function):
            found.add(function)
    return frozenset(found)


def _hooked(node: ast.expr, facts: FileFacts) -> Iterator[str]:
    """Paths of the functions that a hook is; also methods of instances of other files."""
    path = facts.paths.of(node) if node.__class__ is ast.Attribute else None
    if path is not None and not is_outside(path):
        yield path
    else:
        yield from _functions(node, facts)


@remembered(1024)
def _registers(name: str) -> bool:
    said = words(name)
    return name in _TAKERS or (said[:1] == ("register",) and "hook" in said and "state" not in said)


def patches(facts: FileFacts) -> tuple[tuple[str, str], ...]:
    """Attributes and parameters that functions are put in, with the paths of these."""
    found: dict[tuple[str, str], None] = {}
    for attribute, value in _assigned(facts):
        if is_self_or_cls(attribute.value):
            continue  # `Paths` follows those
        for path in _functions(value, facts):
            found[attribute.attr, path] = None
    for call in facts.scan.of_class(ast.Call):
        for keyword in call.keywords if call.keywords and last_name(call.func) not in _KEEPERS else ():
            if keyword.arg is not None and tells(keyword.arg):
                for path in _handed(keyword.value, facts):
                    found[PARAMETER + keyword.arg, path] = None
    return tuple(found)


def _handed(value: ast.expr, facts: FileFacts) -> Iterator[str]:
    """Paths of the functions that an argument is, or that a function of the project made before."""
    if isinstance(value, (ast.Attribute, ast.Lambda, ast.Name)):
        yield from _functions(value, facts)
    made = facts.value(value) if value.__class__ is ast.Name else value
    if made.__class__ is ast.Call:
        maker = facts.names.qualified(made.func)
        if maker is not None and not is_outside(maker) and not last_name(made.func)[:1].isupper():
            yield maker + INSTANCE


def handed(facts: FileFacts) -> tuple[tuple[str, str, str], ...]:
    """What calls are handed, functions and instances: path of the callee, place or keyword, path of it."""
    found: dict[tuple[str, str, str], None] = {}
    for call in facts.scan.of_class(ast.Call):
        given: list[tuple[str, ast.expr]] = []
        for place, value in enumerate(call.args):
            if value.__class__ in _MAY_BE_FUNCTIONS:
                given.append((str(place), value))
            elif value.__class__ is ast.Starred:
                break
        else:
            for keyword in call.keywords:
                if keyword.arg is not None and keyword.value.__class__ in _MAY_BE_FUNCTIONS:
                    given.append((keyword.arg, keyword.value))
        callee = facts.paths.of(call.func) if given else None
        if callee is None or is_outside(callee):
            continue
        for name, value in given:
            instance = instance_path(value, facts) or class_path(value, facts)
            for path in (*_handed(value, facts), *filter(None, [instance])):
                found[callee, name, path] = None
    return tuple(found)


def takes(function: ast.AST) -> tuple[str, ...]:
    """Names of the parameters of a function by place, that of an instance left out; then all others."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ()
    given = function.args
    names = [argument.arg for argument in (*given.posonlyargs, *given.args)]
    named = [argument.arg for argument in given.kwonlyargs] if given.vararg is None else []
    return (*(names[1:] if names[:1] in (["self"], ["cls"]) else names), *named)


def parameters_called(facts: FileFacts) -> Iterator[CalledParameter]:
    """Calls of parameters, and of attributes of ``self`` that parameters are kept in."""
    qualified = facts.names.qualified
    for call in facts.scan.of_class(ast.Call):
        function = call.func
        if qualified(function) is not None:
            continue  # of an import or a definition
        given: ast.expr | None = function if function.__class__ is ast.Name else None
        if function.__class__ is ast.Attribute and last_name(function.value) == "self":
            given = facts.value(function)
        if given.__class__ is ast.Name:
            found = facts.scan.lookup(given.id, given)
            if found is not None and found[1] and all(binding.__class__ is ast.arg for binding in found[1]):
                parents = facts.scan.parents
                yield CalledParameter(call, given.id, parents[parents[found[1][0]]])


def _assigned(facts: FileFacts) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """Attributes that something is assigned to, and what it is."""
    for statement in facts.scan.of_class(ast.Assign):
        if isinstance(statement.value, (ast.Attribute, ast.Call, ast.Lambda, ast.Name)):
            for target in statement.targets:
                if target.__class__ is ast.Attribute:
                    yield target, statement.value


def tables(facts: FileFacts) -> Iterator[tuple[ast.expr, str]]:
    """Where tables of functions are read, with the paths of the functions in them."""
    by_name: dict[str, dict[str, None]] = defaultdict(dict)
    for statement_class in (ast.Assign, ast.AnnAssign):
        for statement in facts.scan.by_class.get(statement_class, ()):
            assert isinstance(statement, (ast.Assign, ast.AnnAssign))
            values = _held(statement.value)
            paths = [path for value in values for path in _functions(value, facts)] if values else []
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if len(paths) > 1:
                for target in targets:
                    by_name[last_name(target)].update(dict.fromkeys(paths))
    for node_class in (ast.Attribute, ast.Name) if by_name else ():
        for node in facts.scan.by_class.get(node_class, ()):
            assert isinstance(node, (ast.Attribute, ast.Name))
            if node.ctx.__class__ is ast.Load:
                for path in by_name.get(last_name(node), ()):
                    yield node, path


def made_from_table(function: ast.Attribute | ast.Subscript, facts: FileFacts) -> Iterator[str]:
    """Paths of what is called: one of the classes that a table holds, or a method of its instance.

    ``solver = SOLVERS[name](size)``, and then ``solver.run()``.
    """
    if isinstance(function, ast.Subscript):
        yield from _classes_in(function.value, facts)
        return
    if not facts.call_index.takes_from_tables:
        return
    receiver = function.value
    made = facts.value(receiver) if isinstance(receiver, (ast.Attribute, ast.Name)) else receiver
    if made.__class__ is ast.Call and made.func.__class__ is ast.Subscript:
        for path in _classes_in(made.func.value, facts):
            yield f"{path}{INSTANCE}.{function.attr}"


def _classes_in(table: ast.expr, facts: FileFacts) -> Iterator[str]:
    """Paths of the classes that a table holds which is written in the file."""
    written = facts.value(table) if isinstance(table, (ast.Attribute, ast.Name)) else table
    for value in _held(written):
        if isinstance(value, (ast.Attribute, ast.Name)) and last_name(value)[:1].isupper():
            path = facts.paths.of(value)
            if path is not None and not is_outside(path):
                yield path


def _held(value: ast.expr | None) -> list[ast.expr]:
    """What a written table holds, if that may be functions."""
    held: list[ast.expr] = []
    if value.__class__ is ast.Dict:
        held = value.values
    elif isinstance(value, (ast.List, ast.Tuple)):
        held = value.elts
    named = all(isinstance(item, (ast.Attribute, ast.Lambda, ast.Name)) for item in held)
    return held if named and 1 < len(held) <= _MOST_IN_TABLE else []


def _functions(node: ast.expr, facts: FileFacts) -> Iterator[str]:
    """Paths of the functions that an expression stands for, if it may be one that is handed over."""
    if node.__class__ is ast.Call and last_name(node.func) in BINDERS:
        if node.args:
            yield from _functions(node.args[0], facts)
    elif isinstance(node, (ast.Call, ast.Lambda)):
        for function in facts.calls.functions_named(node):
            yield facts.calls.identity(function)
    elif node.__class__ is ast.Attribute and facts.names.qualified(node) is None:
        # Most attributes are no functions: only those that classes of this file have as methods, or that
        # functions are kept in, are followed.
        path = facts.paths.of(node) if facts.calls.is_method(node.attr) else kept_function(node, facts)
        if path is not None and not is_outside(path):
            yield path
    elif isinstance(node, (ast.Attribute, ast.Name)):
        yield from _named(node, facts)


def kept_function(node: ast.Attribute, facts: FileFacts) -> str | None:
    """The path of what an attribute of ``self`` is assigned by its name, if that may be a function."""
    if last_name(node.value) != "self":
        return None
    kept = [one for one in facts.values.attribute(node) if one is None or not is_none(one)]
    path = facts.names.qualified(kept[0]) if len(kept) == 1 and kept[0].__class__ is ast.Name else None
    if path is None or is_outside(path):
        return None
    known = facts.calls.definitions.get(path)
    return path if isinstance(known, FUNCTIONS) or not path.startswith(".") else None


def _named(node: ast.Attribute | ast.Name, facts: FileFacts) -> Iterator[str]:
    path = facts.names.qualified(node)
    if path is None:
        value = facts.value(node)
        if value.__class__ is ast.Lambda:
            yield facts.calls.identity(value)
    elif path.startswith("."):
        if isinstance(facts.calls.definitions.get(path), FUNCTIONS):
            yield path
    elif not is_outside(path):
        yield path
