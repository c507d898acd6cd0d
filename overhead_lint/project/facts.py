"""What is known about one file, gathered when it is first asked for."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.api.compiled_places import NO_PLACES, PlacesOfFile
from overhead_lint.project.compiled import compiled_entries, compiled_nodes, names_compiler
from overhead_lint.project.cross_file import NOTHING_TOLD, Told
from overhead_lint.project.file_calls import FileCalls
from overhead_lint.project.fix_doubts import Doubts, doubts
from overhead_lint.project.heat import FileHeat
from overhead_lint.project.item_rounds import ItemRounds
from overhead_lint.project.kernels import given_languages
from overhead_lint.project.kinds.abstract_value import UNKNOWN, AbstractValue, decoded
from overhead_lint.project.kinds.inference import Guesses, Kinds
from overhead_lint.project.loops import Loops
from overhead_lint.project.options import Options
from overhead_lint.project.placement import Placements
from overhead_lint.project.project_paths import ProjectPaths
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.seeds import tracing
from overhead_lint.project.summary import summarize
from overhead_lint.project.unnamed import Unnamed
from overhead_lint.project.warmable import Warmable
from overhead_lint.rule import FunctionFacts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from overhead_lint.api.heat_reasons import Reason
    from overhead_lint.project.file_summary import FileSummary
    from overhead_lint.rule import Warmth

__all__ = ["FileFacts"]


class FileFacts(FileCalls):
    """The facts of one file.

    Args:
        tree: the file's tree.
        path: the file as it is named in reasons for heat.
        module: dotted name of its module, "" if unknown.
        is_package: whether it is an ``__init__.py``.
        cold: why the whole file is cold, "" if it is not.
        warmths: heat of the file's functions, by name in paths, as the project's graph has it; without
            it the file stands alone.
        told: what the project tells it of other files.
        neighbours: first parts of the names of modules that may be the project's; None for any.
    """

    def __init__(
        self,
        tree: ast.Module,
        path: str,
        *,
        module: str = "",
        is_package: bool = False,
        cold: str = "",
        warmths: Mapping[str, Warmth] | None = None,
        told: Told = NOTHING_TOLD,
        neighbours: Collection[str] | None = None,
    ) -> None:
        super().__init__(tree, module, is_package)
        self.path = path
        self.cold = cold
        self.warmths = warmths
        self.told = told
        self.near = ProjectPaths(self, neighbours)
        # What `overhead_lint.project.seeds` found out of functions.
        self.hot_reasons: dict[ast.AST, Reason | None] = {}
        self.cold_reasons: dict[ast.AST, str] = {}

    def release(self) -> None:
        """Let go of all that was gathered; nothing may be asked any more.

        The parts refer to each other, so that the tree would stay until Python looks for such cycles.
        """
        self.kinds.release()
        for part in _emptied(self):
            for inner in _emptied(part):
                _emptied(inner)

    @cached_property
    def functions(self) -> dict[ast.AST, FunctionFacts]:
        """Functions, methods and lambdas of the file, in source order."""
        compiled = compiled_nodes(self)
        elsewhere = dict(self.told.compiled)
        found: dict[ast.AST, FunctionFacts] = {}
        for node in self.scan.scopes:
            if isinstance(node, FUNCTIONS):
                is_eager = elsewhere.get(self.definitions.identity(node)) if elsewhere else None
                found[node] = FunctionFacts(
                    node,
                    self.names.qualname(node),
                    self.class_holding(node),
                    compiled=node in compiled or is_eager is not None,
                    eager=bool(is_eager) and node not in compiled,
                )
        return found

    @cached_property
    def told_kinds(self) -> dict[str, AbstractValue]:
        """What paths into other files stand for, as far as the project has told this file."""
        return {path: decoded(kind, _unknown) for path, kind in self.told.kinds}

    @cached_property
    def compile_places(self) -> PlacesOfFile:
        """What the file compiles, as far as it shows."""
        if not names_compiler(self):
            return NO_PLACES
        from overhead_lint.project.compiled_places import places_of_file  # few files compile anything

        return places_of_file(self.kinds.values, self.module)

    @cached_property
    def compiled_entries(self) -> frozenset[ast.AST]:
        """The functions that are compiled themselves, not through a caller."""
        return compiled_entries(self)

    @cached_property
    def given_languages(self) -> dict[ast.AST, str]:
        """Functions that other packages compile to kernels where they are handed over, with the packages."""
        return given_languages(self)

    @cached_property
    def doubts(self) -> Doubts:
        """What makes fixes unsafe that are safe in other files."""
        return doubts(self)

    @cached_property
    def kinds(self) -> Kinds:
        """What expressions are."""
        return Kinds(self)

    @cached_property
    def guessed_kinds(self) -> Guesses:
        """What expressions would be if all that other files may know were tensors."""
        return Guesses(self.kinds)

    @cached_property
    def tracing(self) -> dict[ast.AST, str]:
        """Functions that trace, export or capture something on each call, with what they do it by."""
        return tracing(self)

    @cached_property
    def summary(self) -> FileSummary:
        """What the project graph needs to know of the file."""
        return summarize(self)

    @cached_property
    def loops(self) -> Loops:
        """Which loops are hot."""
        return Loops(self)

    @cached_property
    def item_rounds(self) -> ItemRounds:
        """What generators do for each of their items."""
        return ItemRounds(self)

    @cached_property
    def placements(self) -> Placements:
        """Where nodes stand within their functions."""
        return Placements(self)

    @cached_property
    def options(self) -> Options:
        """Parameters that have a constant for a default, and what tests say while they do."""
        return Options(self.flow)

    @cached_property
    def unnamed(self) -> Unnamed:
        """Functions and classes that it does not name where it defines them alone."""
        return Unnamed(self)

    @cached_property
    def warmable(self) -> Warmable:
        """Which nodes heat can reach."""
        return Warmable(self)

    @cached_property
    def heat(self) -> FileHeat:
        """How hot places are."""
        return FileHeat(self)

    def function_of(self, node: ast.AST) -> FunctionFacts | None:
        """The innermost function whose body holds `node`."""
        found = self.function_node(node)
        return self.functions[found] if found is not None else None


def _unknown(path: str) -> AbstractValue:
    """What a file knows of paths that the project has not told it of."""
    return UNKNOWN


def _emptied(one: object) -> list[object]:
    """Take what an object holds out of it; nodes keep theirs."""
    take_all = getattr(one, "take_all", None)  # classes that are compiled have no dictionary, but this
    if take_all is not None:
        taken: list[object] = take_all()
        return taken
    if isinstance(one, ast.AST) or not hasattr(one, "__dict__"):
        return []
    held = list(vars(one).values())
    vars(one).clear()
    return held
