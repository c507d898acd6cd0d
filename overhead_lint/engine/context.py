"""What a rule's handler may ask about the file it looks at: `overhead_lint.rule.Context`."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from overhead_lint.analysis.file_questions import LAYERS
from overhead_lint.analysis.graph.frequency import LOOP, REPEATED, SAME, STEP
from overhead_lint.analysis.graph.gate import GateKind
from overhead_lint.analysis.ir.records import position
from overhead_lint.config.run_settings import REPORTED_TORCH, TARGET_TORCH
from overhead_lint.discovery.requirements import declaration_of
from overhead_lint.engine.next_wait import waits_again
from overhead_lint.engine.written_rounds import branches_around, rounds_around
from overhead_lint.project.compile_support import only_compiled
from overhead_lint.project.cross_file import SettingsUse, is_run_by_data
from overhead_lint.rule import (
    ANY_HEAT,
    Applicability,
    ClassFacts,
    Clause,
    CompiledPlace,
    Finding,
    Fix,
    FormattedElsewhere,
    FunctionFacts,
    GlobalSetting,
    Heat,
    HeatFilter,
    Kind,
    Message,
    RuntimeNeed,
    Standing,
    TextEdit,
    Tier,
    Warmth,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from overhead_lint.analysis.file_questions import Question
    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.analysis.texts.flow import TextFlow
    from overhead_lint.api.rule_description import RuleDescription
    from overhead_lint.config.run_settings import DeclaredPackages
    from overhead_lint.project.facts import FileFacts
    from overhead_lint.rule import Declaration
    from overhead_lint.syntax.source import Source

    N = TypeVar("N", bound=ast.AST)
else:
    N = TypeVar("N")

__all__ = ["UNTOLD", "FileContext"]

UNTOLD: Final = Warmth(Heat.COLD, "not known yet")
"""What findings have of a file whose project is not known yet: their heat follows from where they stand."""
_ONCE: Final = {int(REPEATED): int(SAME), int(LOOP): int(STEP)}
"""How often something happens that the loop around a point leads to once."""


class FileContext:
    """Implements `overhead_lint.rule.Context` over one file's facts.

    Args:
        source: the file.
        facts: what is known about its tree.
        runtime_module: dotted module that fixes import the runtime APIs from.
        target_torch: the oldest torch that the code runs with, as (major, minor).
        reported_torch: the oldest whose behaviour is told.
        newest_torch: the newest that the project takes; None where it takes any later one.
        packages: the dependencies that the project declares; None where nothing says.
        untold: whether the project will tell the heat of functions later.
    """

    def __init__(
        self,
        source: Source,
        facts: FileFacts,
        runtime_module: str,
        target_torch: tuple[int, int] = TARGET_TORCH,
        reported_torch: tuple[int, int] = REPORTED_TORCH,
        newest_torch: tuple[int, int] | None = None,
        packages: DeclaredPackages | None = None,
        *,
        untold: bool = False,
    ) -> None:
        self._source = source
        self._facts = facts
        self._runtime_module = runtime_module
        self._target_torch = target_torch
        self._reported_torch = reported_torch
        self._newest_torch = newest_torch
        self._packages = packages
        self._kinds = facts.kinds
        self.untold = untold
        self.asked: set[str | Option] = set()
        """Functions on whose heat handlers have decided something themselves, by name in paths, and options
        that this hangs on."""
        self.asked_by_data: set[str] = set()
        """Functions of which they asked only whether data sets run them, and nothing else."""
        self.rule_dependencies: set[str] = set()
        """Paths into other files that the rule which runs has asked what they stand for."""
        self.handler_dependencies: set[str] = set()
        """Those of the handler which runs."""
        self.found_by: set[str] = set()
        """Those that handlers asked about and then found something."""
        self.rule_settings = SettingsUse.NONE
        """Whether it depends on global settings that other files make."""
        self.elsewhere: set[Question] = set()
        """What it asked of places that several files make together, as `RuleDependencies` has it."""
        self._asked_of_helpers: dict[ast.Call, frozenset[Question]] = {}

    @property
    def path(self) -> Path:
        """The file as named on the command line."""
        return self._source.path

    @property
    def tree(self) -> ast.Module:
        """The whole file."""
        return self._facts.scan.tree

    @property
    def runtime_module(self) -> str:
        """Dotted module that fixes import the runtime APIs from."""
        return self._runtime_module

    @property
    def target_torch(self) -> tuple[int, int]:
        """The oldest torch that the code runs with, as (major, minor)."""
        return self._target_torch

    @property
    def reported_torch(self) -> tuple[int, int]:
        """The oldest torch whose behaviour is told, as (major, minor)."""
        return self._reported_torch

    @property
    def newest_torch(self) -> tuple[int, int] | None:
        """The newest torch that the project takes, as (major, minor); None where it takes any later one."""
        return self._newest_torch

    def declaration(self, package: str) -> Declaration:
        """What the project declares of a package, given the first part of its modules' names."""
        return declaration_of(package, self._source.path, self._packages)

    def text(self, node: ast.AST) -> str:
        """Source text of a node, exactly as written."""
        return self._source.slice(node)

    def lines(self, first: int, last: int) -> Sequence[str]:
        """Return the lines of the file from one number to another, counted from 1, without their ends."""
        return [self._source.line_text(line) for line in range(first, last + 1)]

    def comments(self, node: ast.stmt) -> str:
        """The comments right above a statement and behind it, as written, line by line; "" for none."""
        source = self._source
        found: list[str] = []
        line = node.lineno - 1
        while (text := source.line_text(line).strip()).startswith("#"):
            found.insert(0, text)
            line -= 1
        start = source.offsets(node)[1]
        end = source.text.find("\n", start)
        behind = source.text[start : end if end >= 0 else None].strip()
        return "\n".join([*found, behind] if behind.startswith("#") else found)

    def qualified_name(self, node: ast.AST) -> str | None:
        """Dotted name that an expression stands for, through the file's imports."""
        return self._facts.names.qualified(node)

    def warmth(self, node: ast.AST) -> Warmth:
        """Heat of the place where `node` stands, loops and gates around it counted."""
        standing = self._facts.heat.standing(node)
        self.asked.update((standing.function, *standing.options))
        return self._warmth(standing)

    def _warmth(self, standing: Standing) -> Warmth:
        return self._facts.heat.at(standing)

    def is_run_by_data(self, node: ast.AST) -> bool:
        """Whether data sets run the place, themselves or through other functions, and nothing else."""
        standing = self._facts.heat.standing(node)
        if standing.frequency not in (SAME, REPEATED):
            return False  # it is as hot as it is for another reason
        self.asked_by_data.add(standing.function)
        if self.untold:
            return False  # in few files it is otherwise, and those are looked into again
        return is_run_by_data(self._facts.heat.functions.get(standing.function))

    def is_error_path(self, node: ast.AST) -> bool:
        """Whether only a failure reaches the place, in its function."""
        gate = self._facts.placements.of(node).gate
        return gate is not None and gate.kind is GateKind.ERROR

    def kind(self, node: ast.expr) -> Kind:
        """What the expression is known to be at this place."""
        self.handler_dependencies.update(self._kinds.depends_on(node))
        return self._kinds.kind(node)

    def is_mask(self, node: ast.expr) -> bool:
        """Whether the expression is certainly a tensor of booleans."""
        self.handler_dependencies.update(self._kinds.depends_on(node))
        return self._kinds.infer(node).mask

    def items_of_list(self, node: ast.expr) -> Kind | None:
        """What a list holds at this place; None for what is not certainly a list of this file."""
        return self._kinds.items_of_list(node) if self.kind(node) is Kind.OBJECT else None

    def settings_elsewhere(self) -> Sequence[GlobalSetting]:
        """Settings of torch for the whole process that other files of the project make."""
        self.rule_settings = SettingsUse.ALWAYS
        return tuple(GlobalSetting(*setting) for setting in self._facts.told.settings)

    def seek_settings(self) -> None:
        """Have the file told of these settings: a rule asks for them only once others tell more of it.

        Such as that its functions are compiled, or what values of theirs are.
        """
        self.rule_settings = max(self.rule_settings, SettingsUse.IF_TOLD)

    def end_handler(self, *, found: bool) -> None:
        """Note what a handler asked about other files, and whether it found something."""
        self.rule_dependencies |= self.handler_dependencies
        if found:
            self.found_by |= self.handler_dependencies
        self.handler_dependencies.clear()

    def compiled_places(self) -> Sequence[CompiledPlace]:
        """The places of the file that compile modules whose guards grow with their layers."""
        if self._facts.told.compiled_places:
            self.elsewhere.add(LAYERS)
            return [CompiledPlace(*place) for place in self._facts.told.compiled_places]  # type: ignore[arg-type]
        shown = self._facts.compile_places
        if shown.hangs_on_others:
            self.elsewhere.add(LAYERS)
        return shown.places

    def formatted_elsewhere(self, text: ast.expr) -> Sequence[FormattedElsewhere]:
        """What a call or f-string makes texts of whose classes stand in other files."""
        operation = self._facts.flow.operation(text)
        if operation is None:
            return ()
        from overhead_lint.analysis.texts.objects import asked_of_others  # few files need it

        home, at = operation
        asked = asked_of_others(self._facts.kinds.values.body(self._facts.module, home), at)
        if not asked:
            return ()
        self.elsewhere |= asked
        span = (text.lineno, text.col_offset), (text.end_lineno, text.end_col_offset)
        return [one for one in self._told_formatted if (one.start, one.end) == span and not one.key_path]

    def keyed_elsewhere(self, call: ast.Call) -> Sequence[FormattedElsewhere]:
        """The texts by which functions of other files look something up that a call runs."""
        asked = self._asked_of_helpers.get(call)  # several rules ask
        if asked is None:
            asked = self._asked_of_helpers[call] = self._find_asked(call)
        if not asked:
            return ()
        self.elsewhere |= asked
        start = call.lineno, call.col_offset
        return [one for one in self._told_formatted if one.call == start]

    def _find_asked(self, call: ast.Call) -> frozenset[Question]:
        operation = self._facts.flow.operation(call)
        if operation is None:
            return frozenset()
        from overhead_lint.analysis.texts.objects import asked_of_helpers  # few files need it

        home, at = operation
        body = self._facts.kinds.values.body(self._facts.module, home)
        return asked_of_helpers(self._text_flow, body, at)

    @cached_property
    def _text_flow(self) -> TextFlow:
        from overhead_lint.analysis.texts.flow import TextFlow  # few files need it

        return TextFlow(self._facts.kinds.values)

    @cached_property
    def _told_formatted(self) -> Sequence[FormattedElsewhere]:
        return [FormattedElsewhere(*one) for one in self._facts.told.formatted]  # type: ignore[arg-type]

    def instance_of(self, node: ast.expr) -> ClassFacts | None:
        """The class of the file that all are objects of which an expression may be; None if nobody knows."""
        cls = self._facts.kinds.instance_class(node)
        return self._facts.classes[cls] if isinstance(cls, ast.ClassDef) else None

    def apis(self, call: ast.Call) -> Collection[str]:
        """The qualified names of what a call may run of libraries, also by partials, tables and fields."""
        operation = self._facts.flow.operation(call)
        if operation is None:
            return ()
        home, at = operation
        values = self._facts.kinds.values
        return [api.path for api in values.callees(values.body(self._facts.module, home), at).apis]

    def value(self, node: ast.expr) -> ast.expr | None:
        """The one expression that a name or ``self.attribute`` is bound to, when there is just one."""
        return self._facts.value(node)

    def values(self, node: ast.expr) -> Sequence[ast.expr]:
        """The expressions that a local name may be bound to at its use; empty if one of them is not known."""
        return self._facts.values.at(node)

    def by_default(self, node: ast.expr) -> object:
        """The constant that an expression is while parameters have their defaults; None if none is known."""
        return self._facts.options.value(node)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that directly holds this one; None for the module."""
        return self._facts.scan.parents.get(node)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds the node (the node itself if it is one).

        Raises:
            ValueError: the module, or a node of another tree.
        """
        holder: ast.AST | None = node
        while holder is not None and not isinstance(holder, ast.stmt):
            holder = self._facts.scan.parents.get(holder)
        if holder is None:
            raise ValueError(f"no statement of {self.path} holds this ast.{type(node).__name__}")
        return holder

    def function(self, node: ast.AST) -> FunctionFacts | None:
        """The innermost function whose body (not decorators or defaults) holds the node."""
        return self._facts.function_of(node)

    def runs_always(self, node: ast.AST) -> bool:
        """Whether an expression is evaluated in each call of its function that no exception ends."""
        function = self.function(node)
        return function is not None and self._facts.flow.runs_always(node, function.node)

    def runs_each_round(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether a statement or expression of a loop runs in each of its rounds that no exception ends."""
        return self._facts.flow.runs_each_round(node, loop)

    def runs_before(self, first: ast.AST, node: ast.AST) -> bool:
        """Whether a statement or expression has run whenever another of the same function is about to."""
        return self._facts.flow.runs_before(first, node)

    def bindings(self, name: ast.Name) -> Sequence[ast.AST]:
        """What may have bound a local name where it is read: targets, a parameter, an import, definitions."""
        return self._facts.flow.bindings(name)

    def uses(self, target: ast.Name) -> Sequence[ast.Name]:
        """What reads, changes (``+=``) or deletes a name that may hold what a target gave it, in order."""
        return self._facts.flow.uses(target)

    def is_compiled(self, node: ast.AST) -> bool:
        """Whether the node runs compiled and only so, as its branch does or all of its innermost function."""
        function = self.function(node)
        if function is None:
            return False
        return (function.compiled and not function.eager) or only_compiled(node, self._facts)

    def cls(self, node: ast.AST) -> ClassFacts | None:
        """The innermost class whose body holds the node, through its methods."""
        return self._facts.class_of(node)

    def loops(self, node: ast.AST) -> Sequence[ast.AST]:
        """Loops and comprehensions around the node within its function, outermost first."""
        return self._facts.loops_of(node)

    def classes(self) -> Sequence[ClassFacts]:
        """All classes of the file, in order."""
        return tuple(self._facts.classes.values())

    def returns(self, function: ast.AST) -> Sequence[ast.Return]:
        """The ``return`` statements of a function in order, those of functions in it left out."""
        return self._facts.returns_of(function)

    def functions(self) -> Sequence[FunctionFacts]:
        """All functions of the file, in order."""
        return tuple(self._facts.functions.values())

    def nodes(self, *types: type[N]) -> Iterator[N]:
        """All nodes of the given classes in the file, in source order."""
        by_class = self._facts.scan.by_class
        if len(types) == 1 and not types[0].__subclasses__():
            yield from by_class.get(types[0], ())  # type: ignore[misc]
            return
        yield from self.within(self.tree, *types)

    def calls(self, name: str) -> Sequence[ast.Call]:
        """The calls of what has this last plain name, as a function or a method, in source order."""
        return self._facts.call_index.by_name.get(name, ())

    def within(self, node: ast.AST, *types: type[N]) -> Iterator[N]:
        """The descendants of `node` of the given classes, in source order, `node` excluded."""
        return iter(self._facts.scan.within(node, *types))

    def is_bound(self, name: str, node: ast.AST) -> bool:
        """Whether a plain name is bound in any scope visible from the node (builtins left out)."""
        if node.__class__ is ast.Call and node.func.__class__ is ast.Name:
            node = node.func  # it stands in the same scope, and that of names is known
        return self._facts.scan.lookup(name, node) is not None

    def finding(
        self,
        rule: RuleDescription,
        node: ast.AST,
        message: Message,
        *,
        help: str = "",
        fix: Fix | None = None,
        runs: ast.AST | None = None,
        needs_trace: bool = False,
        tier: Tier | None = None,
        only: HeatFilter = ANY_HEAT,
        drains: bool = False,
    ) -> Finding:
        """A finding of `rule` that marks `node`, and is as hot as `runs`, by default as `node` itself.

        With `needs_trace` it counts only where something shows that users compile the place. Its tier is that
        of the rule, unless it is given. With `only` it counts for some reasons of heat alone. What `drains`
        the queue of the device does so once in loops that queue nothing.

        A safe fix is unsafe in a file that replaces functions of torch, and one that brings an import in a
        file that uses ``torch.jit`` (TorchScript would have to compile what the import names, and does not
        take it) or does not always import torch itself; and one of what the file imports from two places.
        One that imports the runtime is marked.
        """
        fix = self._fitted(fix) if fix is not None else None
        standing, rounds = self._facts.heat.standing(runs or node), rounds_around(runs or node, self.parent)
        if drains and standing.frequency in _ONCE and self._is_among_idle_rounds(node, runs or node):
            standing, rounds = standing._replace(frequency=_ONCE[standing.frequency]), 0
        span, warmth = self._source.span(node), UNTOLD if self.untold else self._warmth(standing)
        text, clauses = self._parted(message)
        its_tier = tier or rule.tier
        stays, decides = self._beside(node, runs or node) if its_tier is Tier.STALL else (0, False)
        return Finding(
            self.path,
            span,
            rule.code,
            rule.name,
            text,
            warmth,
            help,
            fix,
            standing,
            clauses=clauses,
            needs_trace=needs_trace,
            tier=its_tier,
            rounds=rounds,
            branches=branches_around(runs or node, self.parent),
            only=only,
            waits_again=its_tier is Tier.STALL and waits_again(runs or node, self._facts, _nodes_of(fix)),
            stays_at=stays,
            decides=decides,
        )

    def _beside(self, node: ast.AST, runs: ast.AST) -> tuple[int, bool]:
        """Return the line of a wait that stays beside a place, and whether this decides: see `Finding`."""
        place, block, _ = self._facts.flow.point(runs)
        return self._facts.needed_waits.beside(place, block, _extent(node))

    def _is_among_idle_rounds(self, node: ast.AST, runs: ast.AST) -> bool:
        """Whether loops run a place many times, and queue nothing for the device beside it."""
        place, block, _ = self._facts.flow.point(runs)
        return self._facts.idle_rounds.surround(place, block, _extent(node))

    def _parted(self, message: Message) -> tuple[str, tuple[tuple[int, Clause], ...]]:
        """Return the text of a message, and its clauses with where each stands in that."""
        notebook = self._source.notebook
        text, clauses = "", []
        for part in (message,) if isinstance(message, str) else message:
            if isinstance(part, Clause):
                clauses.append((len(text), part))
            else:  # rules count lines through all cells of a notebook
                text += part if notebook is None else notebook.retold(part)
        return text, tuple(clauses)

    def _fitted(self, fix: Fix) -> Fix:
        """A fix as it may be applied to this file."""
        doubts = self._facts.doubts
        if fix.applicability is Applicability.SAFE and (doubts.of_fix(fix) or self._is_mixed(fix)):
            fix = fix._replace(applicability=Applicability.UNSAFE)
        imported = (f"{one.module}.{one.name}" if one.name else one.module for one in fix.imports)
        if self._runtime_module in imported:
            is_there = self._runtime_module in doubts.imported
            fix = fix._replace(runtime_need=RuntimeNeed.PRESENT if is_there else RuntimeNeed.BROUGHT)
        if fix.runtime_need is RuntimeNeed.NONE or fix.without_runtime is None:
            return fix
        return fix._replace(without_runtime=self._fitted(fix.without_runtime))

    def _is_mixed(self, fix: Fix) -> bool:
        """Whether a name in what a fix rewrites may be that of another import than the first."""
        nodes = _nodes_of(fix)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        names += [name for node in nodes for name in self.within(node, ast.Name)]
        return any(map(self._facts.names.is_mixed, names))


def _nodes_of(fix: Fix | None) -> list[ast.AST]:
    """Return what a fix rewrites, or puts somewhere else."""
    return [
        node
        for edit in (fix.edits if fix is not None else ())
        if not isinstance(edit, TextEdit)
        for node in (edit.node, *getattr(edit, "parts", {}).values())
    ]


def _extent(node: ast.AST) -> tuple[int, int]:
    """Return where a node begins and ends, as positions."""
    start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
    return position(*start), position(*end)
