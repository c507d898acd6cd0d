"""What a rule's handler may ask about the file it looks at; rules import it from `overhead_lint.rule`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from overhead_lint.api.findings import ANY_HEAT

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from overhead_lint.api.code_facts import ClassFacts, Declaration, FunctionFacts, GlobalSetting, Kind
    from overhead_lint.api.compiled_places import CompiledPlace
    from overhead_lint.api.findings import Finding, Fix, HeatFilter, Message, Tier
    from overhead_lint.api.formatted_elsewhere import FormattedElsewhere
    from overhead_lint.api.rule_description import RuleDescription
    from overhead_lint.api.warmth import Warmth

    N = TypeVar("N", bound=ast.AST)
else:
    N = TypeVar("N")

__all__ = ["Context"]


class Context(Protocol):
    """What a handler may ask about the file it looks at."""

    @property
    def path(self) -> Path:
        """The file as named on the command line."""
        ...

    @property
    def tree(self) -> ast.Module:
        """The whole file."""
        ...

    @property
    def runtime_module(self) -> str:
        """Dotted module that fixes import the runtime APIs from (``overhead_lint.runtime``)."""
        ...

    @property
    def target_torch(self) -> tuple[int, int]:
        """The oldest torch that the code runs with, as (major, minor): a fix must not need a newer one."""
        ...

    @property
    def reported_torch(self) -> tuple[int, int]:
        """The oldest torch whose behaviour is told: the target if it is set, else the newest known."""
        ...

    @property
    def newest_torch(self) -> tuple[int, int] | None:
        """The newest torch that the project's requirements take; None where they take any later one."""
        ...

    def declaration(self, package: str) -> Declaration:
        """What the project declares of a package, given the first part of its modules' names."""
        ...

    def text(self, node: ast.AST) -> str:
        """Source text of a node, exactly as written."""
        ...

    def lines(self, first: int, last: int) -> Sequence[str]:
        """Return the lines of the file from one number to another, counted from 1, without their ends."""
        ...

    def comments(self, node: ast.stmt) -> str:
        """The comments right above a statement and behind it, as written, line by line; "" for none."""
        ...

    def qualified_name(self, node: ast.AST) -> str | None:
        """Dotted name that an expression stands for, through the file's imports.

        ``ac`` gives ``torch.autocast`` after ``from torch import autocast as ac``. Names bound
        by anything but an import in the scope that they are looked up from (parameters,
        assignments, ``for`` targets ...) give None, and so do calls and subscripts. A class or
        function defined in this file gives its qualname, prefixed with a dot: ``.Model``.
        """
        ...

    def warmth(self, node: ast.AST) -> Warmth:
        """Heat of the place where `node` stands, loops and gates around it counted."""
        ...

    def is_run_by_data(self, node: ast.AST) -> bool:
        """Whether data sets run the place, themselves or through other functions, and nothing else."""
        ...

    def is_error_path(self, node: ast.AST) -> bool:
        """Whether only a failure reaches the place, in its function: for rules that ask for no heat."""
        ...

    def kind(self, node: ast.expr) -> Kind:
        """What the expression is known to be at this place."""
        ...

    def is_mask(self, node: ast.expr) -> bool:
        """Whether the expression is certainly a tensor of booleans."""
        ...

    def items_of_list(self, node: ast.expr) -> Kind | None:
        """What a list holds at this place; None for what is not certainly a list."""
        ...

    def settings_elsewhere(self) -> Sequence[GlobalSetting]:
        """Settings of torch for the whole process that other files of the project make."""
        ...

    def seek_settings(self) -> None:
        """Have the file told of these settings: a rule asks for them only once others tell more of it.

        Such as that its functions are compiled, or what values of theirs are.
        """
        ...

    def compiled_places(self) -> Sequence[CompiledPlace]:
        """The places of the file that compile modules whose guards grow with their layers."""
        ...

    def formatted_elsewhere(self, text: ast.expr) -> Sequence[FormattedElsewhere]:
        """What a call, f-string or property makes texts of whose classes stand in other files."""
        ...

    def keyed_elsewhere(self, call: ast.Call) -> Sequence[FormattedElsewhere]:
        """The texts by which functions of other files look something up that a call runs."""
        ...

    def instance_of(self, node: ast.expr) -> ClassFacts | None:
        """The class of the file that all are objects of which an expression may be; None if nobody knows.

        It is made there, promised by an annotation, or given by all calls that the file shows.
        """
        ...

    def apis(self, call: ast.Call) -> Collection[str]:
        """The qualified names of what a call may run of libraries: by partials, other names, tables, fields.

        It takes time: ask where the text of the call does not tell. What ``partial(torch.autocast)`` runs is
        as hot as what calls that, in whatever file.
        """
        ...

    def value(self, node: ast.expr) -> ast.expr | None:
        """The one expression that a name or ``self.attribute`` is bound to, when there is just one."""
        ...

    def values(self, node: ast.expr) -> Sequence[ast.expr]:
        """The expressions that a local name may be bound to at its use; empty if one of them is not known."""
        ...

    def by_default(self, node: ast.expr) -> object:
        """The constant that an expression is while parameters have their defaults; None if none is known."""
        ...

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that directly holds this one; None for the module."""
        ...

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds the node (the node itself if it is one)."""
        ...

    def function(self, node: ast.AST) -> FunctionFacts | None:
        """The innermost function whose body (not decorators or defaults) holds the node."""
        ...

    def runs_always(self, node: ast.AST) -> bool:
        """Whether an expression is evaluated in each call of its function that no exception ends.

        What no ``if``, loop or handler decides about, nor a ``return`` above it. False outside of functions.
        """
        ...

    def runs_each_round(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether a statement or expression of a loop runs in each of its rounds that no exception ends.

        What no ``if`` or other loop in it decides about, nor a ``continue``, ``break`` or ``return`` above.
        """
        ...

    def runs_before(self, first: ast.AST, node: ast.AST) -> bool:
        """Whether a statement or expression has run whenever another of the same function is about to."""
        ...

    def bindings(self, name: ast.Name) -> Sequence[ast.AST]:
        """What may have bound a local name where it is read: targets, a parameter, an import, a definition.

        Empty for names that another function, the module or Python itself binds.
        """
        ...

    def uses(self, target: ast.Name) -> Sequence[ast.Name]:
        """What reads, changes (``+=``) or deletes a name that may hold what a target gave it, in order.

        All uses of the name in functions within count, which may run at any time.
        """
        ...

    def is_compiled(self, node: ast.AST) -> bool:
        """Whether the node runs compiled and only so, as its branch does or all of its innermost function."""
        ...

    def cls(self, node: ast.AST) -> ClassFacts | None:
        """The innermost class whose body holds the node, through its methods."""
        ...

    def loops(self, node: ast.AST) -> Sequence[ast.AST]:
        """Loops and comprehensions around the node within its function, outermost first."""
        ...

    def classes(self) -> Sequence[ClassFacts]:
        """All classes of the file, in order."""
        ...

    def returns(self, function: ast.AST) -> Sequence[ast.Return]:
        """The ``return`` statements of a function in order, those of functions in it left out."""
        ...

    def functions(self) -> Sequence[FunctionFacts]:
        """All functions of the file, in order."""
        ...

    def nodes(self, *types: type[N]) -> Iterator[N]:
        """All nodes of the given classes in the file, in source order."""
        ...

    def calls(self, name: str) -> Sequence[ast.Call]:
        """The calls of what has this last plain name, as a function or a method, in source order.

        ``f(x)``, ``self.f(x)`` and ``a.b.f(x)`` are calls of ``f``.
        """
        ...

    def within(self, node: ast.AST, *types: type[N]) -> Iterator[N]:
        """The descendants of `node` of the given classes, in source order, `node` excluded."""
        ...

    def is_bound(self, name: str, node: ast.AST) -> bool:
        """Whether a plain name is bound in any scope visible from the node (builtins left out)."""
        ...

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

        With `needs_trace` it counts only where something shows that users compile the place, and with `only`
        for some reasons of heat alone. What `drains` the queue of the device, since it waits for all that is
        in it, does so once in loops that queue nothing. How often it runs, and what shows it, a message says
        by a `Clause`: ``("it is built ", Clause.FREQUENCY)``.
        """
        ...
