"""What the project graph needs to know of one file: plain data, kept between runs.

A summary is made of nothing but tuples, strings and numbers, so that `marshal` takes it.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.project.call_arguments import called
from overhead_lint.project.callbacks import handed, hooks, patches, running_once, takes
from overhead_lint.project.calls import is_property, is_setter
from overhead_lint.project.compile_support import asking, support
from overhead_lint.project.compiled import compiled_elsewhere, is_disabled
from overhead_lint.project.decorators import wrappers
from overhead_lint.project.edges import Via, edges
from overhead_lint.project.global_settings import global_settings
from overhead_lint.project.graph.traits import ITEMS
from overhead_lint.project.kinds.exports import gives
from overhead_lint.project.kinds.foreign_arguments import passed_on
from overhead_lint.project.library_functions import OPERATOR, offered
from overhead_lint.project.module_index import ClassSummary, ModuleIndex
from overhead_lint.project.names import last_name
from overhead_lint.project.options import numbered, without_options
from overhead_lint.project.paths import BUILTINS, INSTANCE, STARRED, SUPER, is_outside
from overhead_lint.project.placement import Place
from overhead_lint.project.private_packages import private_imports
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.seeds import cold_for_items, cold_reason, hot_reason
from overhead_lint.project.whole_runs import ALWAYS, always_called, whole_calls
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from overhead_lint.project.facts import FileFacts

    _Sites = dict[str, dict["CallSite", None]]

__all__ = [
    "CallSite",
    "FileSummary",
    "FunctionSummary",
    "Passing",
    "index_of",
    "read",
    "read_calls",
    "read_passing",
    "summarize",
    "written",
    "written_calls",
    "written_passing",
]

# Packages whose names can be re-exported and then be a base class somewhere.
_KEPT: Final = ("torch.", "pytorch_lightning.", "lightning.", "transformers.", "accelerate.")


class CallSite(NamedTuple):
    """A place in a function from which others may be run."""

    target: str
    """The path of what is run; for `Via.METHOD` the method's name."""
    via: int
    place: int
    why: str
    """The reason of a hot loop; `ALWAYS` where each call of a module runs it; "" elsewhere. Behind it
    stand options by their numbers, each after `overhead_lint.project.options.OPTION`."""


class FunctionSummary(NamedTuple):
    """A function or method, or, with the name "", a file's top level."""

    name: str
    """Its name in paths: ``.Model.forward``."""
    hot: str
    """Why it runs in every step for what it is, or ""."""
    cold: str
    """Why it never does, whoever calls it, or ""."""
    tensors: bool
    """Whether it works with tensors."""
    offered: str
    """Why users of a library call it in their steps, after its name, or ""."""
    hot_loop: str
    """The hot loop in it that makes the rest of it cold, or ""."""
    returns: str
    """The path of what it returns, or ""."""
    takes: tuple[str, ...]
    """The parameters that it is given by place, if it calls one of them, or keeps it to be called."""
    compiler: str
    """``compiled`` if its file compiles it, ``disabled`` if the compiler is kept out of it, ``asking`` if it
    or its class shows that others do, or ""."""
    once: bool
    """Whether it takes itself away where it is a hook."""
    calls: tuple[CallSite, ...]


class Passing(NamedTuple):
    """What a file says of options: those it asks about, and what its calls pass."""

    options: tuple[str, ...]
    """The options that its tests ask about, in the order of their numbers."""
    called: tuple[tuple[str, tuple[str, ...]], ...]
    """What its calls pass, by the plain names of what they call."""
    classes: tuple[tuple[str, tuple[str, ...], bool], ...]
    """Plain names of its classes, with those of their bases, and whether they have an ``__init__``."""


class FileSummary(NamedTuple):
    """What the graph needs of one file."""

    functions: tuple[FunctionSummary, ...]
    classes: tuple[ClassSummary, ...]
    names: tuple[tuple[str, str], ...]
    """Paths of what the top level imports, and of its instances."""
    stars: tuple[str, ...]
    """Modules whose names it imports with a star."""
    patches: tuple[tuple[str, str], ...]
    """Attributes of other objects that functions are put in, with the paths of these."""
    handed: tuple[tuple[str, str, str], ...]
    """Functions handed to calls: path of the callee, place or keyword, path of the function."""
    gives: tuple[tuple[str, str], ...]
    """Kinds of what functions give, and of what attributes and constants hold."""
    settings: tuple[tuple[str, str, int], ...]
    """Global settings of torch that it makes: name, text, line."""
    passed: tuple[tuple[str, tuple[str, ...]], ...]
    """What its calls pass to functions of other files: `overhead_lint.project.kinds.foreign_arguments`."""
    support: str
    """How it shows that its package is written to be compiled: a verb with its object, or ""."""
    private: tuple[str, ...]
    """Plain names of the private packages and modules that it imports anything of."""
    passing: Passing


_NO_PASSING: Final = Passing((), (), ())


def written(summary: FileSummary) -> tuple[Any, ...]:
    """A summary as `marshal` takes it, the calls of its functions and what is said of options left out."""
    functions = tuple(tuple(function[:-1]) for function in summary.functions)
    return functions, tuple(map(tuple, summary.classes)), *summary[2:-1]


def written_passing(summary: FileSummary) -> tuple[Any, ...]:
    """What a summary says of options, as `marshal` takes it."""
    return tuple(summary.passing)


def written_calls(summary: FileSummary) -> tuple[Any, ...]:
    """The calls of the functions of a summary, by name in paths, as `marshal` takes them."""
    return tuple(
        (function.name, tuple(map(tuple, function.calls))) for function in summary.functions if function.calls
    )


def read(data: tuple[Any, ...]) -> FileSummary:
    """A summary from what `written` gave: without the calls of its functions, and options."""
    functions, classes, *rest = data
    read_functions = tuple(FunctionSummary._make((*function, ())) for function in functions)
    return FileSummary._make((read_functions, tuple(map(ClassSummary._make, classes)), *rest, _NO_PASSING))


def read_passing(data: tuple[Any, ...]) -> Passing:
    """What a summary says of options, from what `written_passing` gave."""
    return Passing._make(data)


def read_calls(data: tuple[Any, ...]) -> Iterator[tuple[str, tuple[CallSite, ...]]]:
    """The calls of each function that has some, by name in paths, from what `written_calls` gave."""
    for name, calls in data:
        yield name, tuple(map(CallSite._make, calls))


def summarize(facts: FileFacts) -> FileSummary:
    """What the graph needs to know about a file; its top level is a function named ""."""
    options = {option: number for number, option in enumerate(facts.options.asked)}
    sites = _call_sites(facts, options)
    once = running_once(facts)
    hooked = _take_hooks(facts, sites, once)
    _take_compiled(facts, sites)
    shown = tuple(support(facts))
    index = facts.index
    return FileSummary(
        tuple(_functions(facts, sites, hooked, _Sets(asking(shown, facts), once))),
        tuple(index.classes.values()),
        tuple(index.names.items()),
        index.stars,
        patches(facts),
        handed(facts),
        tuple(gives(facts)),
        tuple(global_settings(facts)),
        tuple(passed_on(facts)),
        shown[0].said if shown else "",
        private_imports(facts),
        Passing(tuple(options), called(facts), tuple(map(_lineage, index.classes.values()))),
    )


def _call_sites(facts: FileFacts, options: dict[str, int]) -> _Sites:
    """The places of each function from which others may be run, by the function's name in paths.

    Args:
        facts: the file.
        options: the numbers of those that its tests ask about.
    """
    sites: _Sites = defaultdict(dict)
    always: set[ast.AST] = set(always_called(facts))
    for edge in edges(facts):
        name = facts.generators.name(edge.node)
        placement = facts.placements.of(edge.node)
        if placement.place >= Place.HOT:
            why = without_options(placement.why) + numbered(placement.why, options)
        elif placement.place is Place.GATED:
            why = ""
        else:
            why = (ALWAYS if edge.node in always else "") + numbered(placement.why, options)
        sites[name][CallSite(edge.target, int(edge.via), int(placement.place), why)] = None
    for loop, generator in facts.generators.loops.items():
        name, placement = facts.calls.identity(generator), facts.placements.of(loop)
        if placement.place is not Place.GATED:
            place = facts.generators.place(generator)
            site = CallSite(name + ITEMS, int(Via.CALL), int(place), numbered(placement.why, options))
            sites[name][site] = None
    for name in whole_calls(facts):
        sites[name][CallSite(name, int(Via.CALL), int(Place.GATED), ALWAYS)] = None
    for name, wrapper in wrappers(facts):
        sites[name][CallSite(wrapper, int(Via.CALL), int(Place.FLOW), "")] = None
    return sites


class _Sets(NamedTuple):
    """Functions of a file of which something is known.

    Attributes:
        asking: they show that others compile them.
        once: they take themselves away where they are hooks.
    """

    asking: AbstractSet[ast.AST]
    once: AbstractSet[ast.AST]


def _take_hooks(facts: FileFacts, sites: _Sites, once: AbstractSet[ast.AST]) -> dict[str, str]:
    """Why functions of the file are hot that it registers as hooks; those of others become call sites.

    Args:
        facts: the file.
        sites: call sites of its functions, by name in paths.
        once: those of them that are hooks which take themselves away.
    """
    hooked: dict[str, str] = {}
    for hook in hooks(facts):
        local = facts.local_graph.functions_of("", hook.function)
        for name in local:
            hooked.setdefault(name, hook.why)
        if not local:
            sites[""][CallSite(hook.function, int(Via.HOOK), int(Place.FLOW), hook.why)] = None
    for function in once if hooked else ():
        hooked.pop(facts.calls.identity(function), None)
    return hooked


def _take_compiled(facts: FileFacts, sites: _Sites) -> None:
    """Add call sites for functions of other files that this one compiles."""
    for path, why in compiled_elsewhere(facts):
        if facts.local_graph.functions_of("", path, Via.COMPILE):
            continue  # `compiled_entries` knows
        sites[""][CallSite(path, int(Via.COMPILE), int(Place.FLOW), why)] = None


def _hot_loops(facts: FileFacts) -> dict[str, str]:
    """Why the first hot loop of each function is hot, by the function's name in paths."""
    found: dict[str, str] = {}
    for loop in facts.loops.hot():
        function = facts.function_node(loop)
        name = facts.calls.identity(function) if function is not None else ""
        found.setdefault(name, facts.loops.judge(loop).why)
    return found


def _functions(
    facts: FileFacts, sites: _Sites, hooked: Mapping[str, str], sets: _Sets
) -> Iterator[FunctionSummary]:
    """The file's top level and its functions; behind a generator what it does for each item.

    Args:
        facts: the file.
        sites: their call sites, by name in paths.
        hooked: why hooks among them are hot, by name in paths.
        sets: functions of which something is known.
    """
    hot_loops = _hot_loops(facts)
    callers = {called.holder for called in facts.parameters_called}
    callers.update(method.holder for method in facts.methods_called)
    yield FunctionSummary("", "", "", False, "", hot_loops.get("", ""), "", (), "", False, tuple(sites[""]))
    for function_facts in facts.functions.values():
        name = facts.calls.identity(function_facts.node)
        offer = offered(function_facts.node, facts)
        summary = FunctionSummary(
            name,
            hot_reason(function_facts, facts) or hooked.get(name, "").format(function_facts.qualname),
            cold_reason(function_facts, facts),
            offer.endswith(OPERATOR) or function_facts.node in facts.torch_use.tensor_functions,
            offer,
            hot_loops.get(name, ""),
            facts.index.functions[name],
            takes(function_facts.node) if function_facts.node in callers else (),
            _compiler(function_facts.node, facts, sets.asking),
            function_facts.node in sets.once,
            tuple(sites.get(name, ())),
        )
        yield summary
        if function_facts.node in facts.generators.functions:
            yield _items(summary, tuple(sites.get(name + ITEMS, ())))


def _items(generator: FunctionSummary, calls: tuple[CallSite, ...]) -> FunctionSummary:
    """What a generator does for each item."""
    name, tensors, no_parameters = generator.name + ITEMS, generator.tensors, ()
    cold = cold_for_items(generator.cold)
    return FunctionSummary(name, "", cold, tensors, "", "", "", no_parameters, "", False, calls)


def _lineage(cls: ClassSummary) -> tuple[str, tuple[str, ...], bool]:
    bases = tuple(base.removeprefix(STARRED).rpartition(".")[2] for base in cls.bases)
    return cls.name.rpartition(".")[2], bases, "__init__" in cls.methods


def _compiler(node: ast.AST, facts: FileFacts, asking: AbstractSet[ast.AST]) -> str:
    if is_disabled(node, facts):
        return "disabled"
    if node in facts.compiled_entries:
        return "compiled"
    return "asking" if node in asking else ""


def index_of(facts: FileFacts) -> ModuleIndex:
    """What other files can ask a file for by name."""
    functions = {
        facts.calls.identity(node): _returned(node, facts)
        for node in facts.scan.scopes
        if isinstance(node, FUNCTIONS)
    }
    for node in facts.generators.functions:
        functions[facts.calls.identity(node) + ITEMS] = ""
    classes = {}
    for node in facts.classes:
        summary = _class(node, facts)
        classes[summary.name] = summary
    names = {
        name: path
        for name, path in facts.paths.module_names.items()
        if name != "*" and not path.startswith(".") and (not is_outside(path) or path.startswith(_KEPT))
    }
    top = facts.scan.scopes[facts.scan.tree]
    for name, bindings in top.names.items():
        if name not in names and len(bindings) == 1 and isinstance(bindings[0], ast.Name):
            path = facts.paths.of(bindings[0])
            if path is not None and path.endswith(INSTANCE) and not is_outside(path):
                names[name] = path
    return ModuleIndex(facts.module, "", functions, classes, names, facts.paths.stars)


def _class(node: ast.ClassDef, facts: FileFacts) -> ClassSummary:
    cls = facts.classes[node]
    attributes: dict[str, str] = {}
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            path = facts.paths.annotated(member.annotation)
            if path is not None:
                attributes[member.target.id] = path
    for name, values in facts.values.by_class.get(node, {}).items():
        for value in values:
            path = facts.paths.of(value) if value is not None else None
            if path is not None and not is_outside(path):
                attributes[name] = path
                break
    members = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return ClassSummary(
        "." + cls.qualname,
        tuple(_base(base, facts) for base in cls.bases),
        tuple(item.name for item in members if not is_setter(item)),
        tuple(item.name for item in members if is_property(item)),
        tuple(attributes.items()),
        tuple(dict.fromkeys(filter(None, (_extended(item, facts) for item in members)))) if cls.bases else (),
    )


def _base(base: str, facts: FileFacts) -> str:
    """The path of a base; what no name of the file tells may come from an import with a star."""
    known = "." in base or not facts.paths.stars or not base.isidentifier() or base in BUILTINS
    return base if known else STARRED + base


def _extended(function: ast.FunctionDef | ast.AsyncFunctionDef, facts: FileFacts) -> str:
    """The name of a method that may run what it overrides: ``super().step()``, ``Base.step(self)``; or ""."""
    read = [item for item in facts.scan.within(function, ast.Attribute) if item.attr == function.name]
    if not read:
        return ""
    by_super = all(
        isinstance(item.value, ast.Call) and last_name(item.value.func) == "super" for item in read
    )
    return SUPER + function.name if by_super else function.name


def _returned(node: ast.AST, facts: FileFacts) -> str:
    """The path of what a function returns, by its annotation or its one ``return``; "" if unknown."""
    if isinstance(node, ast.Lambda):
        path = facts.paths.of(node.body)
        return path if path is not None and not is_outside(path) else ""
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    if node.returns is not None:
        path = facts.paths.annotated(node.returns)
        if path is not None:
            return path
    for statement in facts.returns_of(node):
        path = facts.paths.of(statement.value) if statement.value is not None else None
        if path is not None and not is_outside(path):
            return path
    return ""
