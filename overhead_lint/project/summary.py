"""Sums a file up for the project graph: what `FileSummary` says."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import RARE, SAME, STEP
from overhead_lint.analysis.graph.function_flags import Gradients
from overhead_lint.analysis.graph.function_names import ITEMS
from overhead_lint.analysis.graph.offer import OfferKind
from overhead_lint.analysis.graph.option import TOLD_ELSEWHERE
from overhead_lint.analysis.loops.evaluations import begins_to_evaluate, is_decorated
from overhead_lint.analysis.options.object_calls import passed_to_objects
from overhead_lint.analysis.step_names import trains_step
from overhead_lint.analysis.vocabulary import OPTIMIZERS
from overhead_lint.analysis.words import words
from overhead_lint.project.callbacks import handed, patches, takes
from overhead_lint.project.class_seeds import may_be_hot_by_class
from overhead_lint.project.compile_support import asking, support
from overhead_lint.project.compiled import (
    compiled_elsewhere,
    compiled_parameters,
    compiling_decorators,
    is_disabled,
)
from overhead_lint.project.decorators import decorated, wrappers
from overhead_lint.project.edges import edges
from overhead_lint.project.file_index import settled
from overhead_lint.project.file_summary import NOT_ASKED, CallSite, FileSummary, FunctionSummary, Passing
from overhead_lint.project.global_settings import global_settings
from overhead_lint.project.hooks import hooks, running_once
from overhead_lint.project.kinds.exports import gives
from overhead_lint.project.kinds.foreign_arguments import passed_on
from overhead_lint.project.library_functions import collates, offered
from overhead_lint.project.loop_shapes import is_super
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import DECORATED, PARAMETER, STARRED
from overhead_lint.project.seeds import cold_for_items, hot_reason, request_reason
from overhead_lint.project.via import VIA_CALL, VIA_COMPILE, VIA_HOOK
from overhead_lint.project.whole_runs import always_called, whole_calls
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.project.file_placements import FilePlacements
    from overhead_lint.project.module_index import ClassSummary

    _Sites = dict[str, dict["CallSite", None]]

__all__ = ["summarize"]


def summarize(facts: FilePlacements) -> FileSummary:
    """What the graph needs to know about a file; its top level is a function named ""."""
    options = {option: number for number, option in enumerate(facts.options.asked)}
    sites = _call_sites(facts, options)
    _take_hooks(facts, sites, options)
    _take_compiled(facts, sites, options)
    shown = tuple(support(facts))
    to_objects = passed_to_objects(facts.module, facts.flow.names, facts.kinds.values, facts.options.records)
    index = settled(facts.index, facts, lambda node: _is_optional(node, facts))
    sets = _Sets(asking(shown, facts), running_once(facts), index.functions, options)
    return FileSummary(
        functions=tuple(_functions(facts, sites, sets)),
        classes=tuple(index.classes.values()),
        names=tuple(index.names.items()),
        stars=index.stars,
        patches=patches(facts),
        handed=(*handed(facts), *decorated(facts)),
        gives=tuple(gives(facts)),
        settings=tuple(global_settings(facts)),
        passed=tuple(passed_on(facts)),
        support=shown[0].said if shown else "",
        passing=Passing(
            tuple(map(tuple, options)),
            (*facts.options.called(), *to_objects, *facts.placements.answers()),
            tuple(map(_lineage, index.classes.values())),
            facts.options.attribute_defaults(),
        ),
    )


def _is_optional(node: ast.expr, facts: FilePlacements) -> bool:
    """Whether something is taken hardly ever, or only where somebody passes an option."""
    placement = facts.placements.of(node)
    hangs_on = [one for one in placement.options if not one.bounds_rounds]
    return placement.frequency < SAME or any(one.kind not in TOLD_ELSEWHERE for one in hangs_on)


def _call_sites(facts: FilePlacements, options: dict[Option, int]) -> _Sites:
    """The places of each function from which others may be run, by the function's name in paths.

    Args:
        facts: the file.
        options: the numbers of those that its tests ask about.
    """
    sites: _Sites = defaultdict(dict)
    always: set[ast.AST] = set(always_called(facts))
    for edge in edges(facts):
        name = facts.item_rounds.name(edge.node)
        placement = facts.placements.of(edge.node)
        chosen = facts.placements.of(edge.chosen) if edge.chosen is not None else None
        if chosen is not None and chosen.frequency < SAME:
            continue
        is_hot = placement.frequency >= STEP
        hangs_on = (*placement.options, *(chosen.options if chosen is not None else ()))
        hangs_on += facts.options.shut(*edge.test) if edge.test is not None else ()
        hangs_on += facts.of_definitions(edge.node, is_hot=is_hot)
        site = CallSite(
            edge.target,
            int(edge.via),
            int(placement.frequency),
            placement.why if is_hot else "",
            int(placement.kind) if is_hot else 0,
            _numbers(hangs_on, options),
            is_sure=not is_hot and placement.frequency >= SAME and edge.node in always,
            line=placement.line if is_hot else 0,
            may_evaluate=is_hot and placement.may_evaluate,
            is_beside_training=not is_hot and facts.placements.is_beside_training(edge.node),
        )
        sites[name][site] = None
    for loop, generator in facts.item_rounds.loops.items():
        name, placement = facts.definitions.identity(generator), facts.placements.of(loop)
        if placement.frequency >= SAME:
            frequency = facts.item_rounds.frequency(generator)
            numbers = _numbers(placement.options, options)
            site = CallSite(name + ITEMS, int(VIA_CALL), int(frequency), "", options=numbers)
            sites[name][site] = None
    for name in whole_calls(facts):
        sites[name][CallSite(name, int(VIA_CALL), int(RARE), "", is_sure=True)] = None
    for name, wrapper in wrappers(facts):
        sites[name][CallSite(wrapper, int(VIA_CALL), int(SAME), "")] = None
    return sites


def _numbers(hangs_on: Iterable[Option], options: dict[Option, int]) -> tuple[int, ...]:
    """Return the numbers of options: texts of them are long.

    Args:
        hangs_on: them.
        options: the numbers of the file's options; takes new ones.
    """
    return tuple([options.setdefault(option, len(options)) for option in hangs_on])


_GRADIENTS: Final = ("backward", "manual_backward")
_ON_TENSORS: Final = frozenset({OfferKind.OPERATOR, OfferKind.OPTIMIZER_STEP})


class _Sets(NamedTuple):
    """Functions of a file of which something is known.

    Attributes:
        asking: they show that others compile them.
        once: they take themselves away where they are hooks.
        returns: the paths of what they return, by their names in paths.
        options: the numbers of the options that the file asks about; takes new ones.
    """

    asking: AbstractSet[ast.AST]
    once: AbstractSet[ast.AST]
    returns: Mapping[str, str]
    options: dict[Option, int]


def _take_hooks(facts: FilePlacements, sites: _Sites, options: dict[Option, int]) -> None:
    """Add call sites for what the file registers as hooks: they hang on what lets them be registered.

    Args:
        facts: the file.
        sites: call sites of its functions, by name in paths.
        options: the numbers of those that its tests ask about.
    """
    for hook in hooks(facts):
        name, hangs_on = facts.item_rounds.name(hook.node), facts.placements.of(hook.node).options
        numbers = _numbers((*hangs_on, *facts.of_definitions(hook.node, is_hot=True)), options)
        why, kind = hook.reason.text, int(hook.reason.kind)
        sites[name][CallSite(hook.function, int(VIA_HOOK), int(SAME), why, kind, numbers)] = None


def _take_compiled(facts: FilePlacements, sites: _Sites, options: dict[Option, int]) -> None:
    """Add call sites for functions of other files that this one compiles.

    Args:
        facts: the file.
        sites: call sites of its functions, by name in paths.
        options: the numbers of those that its tests ask about.
    """
    for path, why, call in compiled_elsewhere(facts):
        if facts.local_graph.functions_of("", path, VIA_COMPILE):
            continue  # `compiled_entries` knows
        numbers = _numbers(facts.placements.of(call).options, options)
        # What a parameter is given hangs on its function.
        name = path.rpartition("@")[2] if path.startswith(PARAMETER) else ""
        sites[name][CallSite(path, int(VIA_COMPILE), int(SAME), why, options=numbers)] = None
    for decorator in compiling_decorators(facts):
        name = facts.definitions.identity(decorator)
        why = f"{{}} is compiled with torch.compile by the decorator {name.rpartition('.')[2]}"
        sites[name][CallSite(f"{PARAMETER}{DECORATED}@{name}", int(VIA_COMPILE), int(SAME), why)] = None


def _hot_loops(facts: FilePlacements) -> dict[str, str]:
    """Why the first hot loop of each function is hot, by the function's name in paths."""
    found: dict[str, str] = {}
    for loop in facts.loops.hot():
        function = facts.function_node(loop)
        name = facts.definitions.identity(function) if function is not None else ""
        found.setdefault(name, facts.loops.why(loop))
    return found


def _training(facts: FilePlacements) -> set[ast.AST | None]:
    """Functions that compute gradients, or step an optimizer, each time or in loops; None: the top level.

    A ``training_step`` leaves both to who calls it.
    """
    named = facts.call_index.by_name
    found: set[ast.AST | None] = {
        one.node for one in facts.functions.values() if trains_step(getattr(one.node, "name", ""))
    }
    found |= {
        facts.function_node(call)
        for name in _GRADIENTS
        for call in named.get(name, ())
        if not is_super(getattr(call.func, "value", call.func))
    }
    for call in named.get("step", ()):
        if call.func.__class__ is ast.Attribute and not OPTIMIZERS.isdisjoint(
            words(last_name(call.func.value))
        ):
            found.add(facts.function_node(call))
    return found


def _functions(facts: FilePlacements, sites: _Sites, sets: _Sets) -> Iterator[FunctionSummary]:
    """The file's top level and its functions; behind a generator what it does for each item.

    Args:
        facts: the file.
        sites: their call sites, by name in paths.
        sets: functions of which something is known.
    """
    hot_loops = _hot_loops(facts)
    callers = {called.holder for called in facts.calls_of_given}
    callers.update(holder for _, holder, _ in compiled_parameters(facts))
    compiling = compiling_decorators(facts)
    training = _training(facts)
    yield FunctionSummary(
        "",
        hot_loop=hot_loops.get("", ""),
        trains=None in training,
        waits=int(facts.needed_waits.staying(0)),
        without_gradients=_gradients(0, facts),
        calls=tuple(sites[""]),
    )
    for name in facts.definitions.partials.values():
        yield FunctionSummary(name)
    for function_facts in facts.functions.values():
        node = function_facts.node
        place = facts.flow.function(node)
        name, offer = facts.definitions.identity(node), offered(node, facts, facts.loops.steps_optimizer)
        hot = hot_reason(function_facts, facts)
        is_offered = offer.kind != OfferKind.NONE
        registers = any(site.via == VIA_HOOK for site in sites.get(name, ()))
        on_its_own = (
            hot or is_offered or name in hot_loops or registers or may_be_hot_by_class(function_facts)
        )
        hot = hot or request_reason(function_facts)
        summary = FunctionSummary(
            name,
            hot=hot.text if hot is not None else "",
            kind=int(hot.kind) if hot is not None else 0,
            by_word=hot is not None and hot.by_word,
            cold=facts.cold_reason(function_facts),
            tensors=offer.kind in _ON_TENSORS or node in facts.tensor_functions,
            offer=offer.kind,
            offered_by=offer.by,
            collates=is_offered and collates(node, facts),
            hot_loop=hot_loops.get(name, ""),
            returns=sets.returns[name],
            takes=(*(takes(node) if node in callers else ()), *([DECORATED] if node in compiling else ())),
            compiler=_compiler(node, facts, sets.asking),
            once=node in sets.once,
            naming=_naming(node, facts, sets.options) if on_its_own else NOT_ASKED,
            trains=node in training,
            waits=int(facts.needed_waits.staying(place)) if place is not None else 0,
            without_gradients=_gradients(place, facts) if place is not None else 0,
            calls=tuple(sites.get(name, ())),
        )
        yield summary
        if node in facts.generators.functions:
            cold = cold_for_items(function_facts, facts)
            yield _items(summary, cold, tuple(sites.get(name + ITEMS, ())))


def _gradients(place: int, facts: FilePlacements) -> int:
    """Return where a function turns gradients off, as a number."""
    names = facts.flow.names
    is_off = is_decorated(names, place) or begins_to_evaluate(names.functions[place])
    found = Gradients.OFF if is_off else Gradients.ON
    return int(found | Gradients.OFF_IN_LOOPS if facts.loops.run_without_gradients(place) else found)


def _naming(node: ast.AST, facts: FilePlacements, options: dict[Option, int]) -> int:
    """Return the number of what says that somebody names a function; `NOT_ASKED` if its file does."""
    named = facts.unnamed.option(node)
    return NOT_ASKED if named is None else _numbers([named], options)[0]


def _items(generator: FunctionSummary, cold: str, calls: tuple[CallSite, ...]) -> FunctionSummary:
    """What a generator does for each item."""
    return FunctionSummary(
        generator.name + ITEMS,
        cold=cold,
        tensors=generator.tensors,
        naming=generator.naming,
        calls=calls,
    )


def _lineage(cls: ClassSummary) -> tuple[str, tuple[str, ...], bool]:
    bases = tuple(base.removeprefix(STARRED).rpartition(".")[2] for base in cls.bases)
    return cls.name.rpartition(".")[2], bases, "__init__" in cls.methods


def _compiler(node: ast.AST, facts: FilePlacements, asking: AbstractSet[ast.AST]) -> str:
    if is_disabled(node, facts):
        return "disabled"
    if node in facts.compiled_entries:
        return "compiled"
    return "asking" if node in asking else ""
