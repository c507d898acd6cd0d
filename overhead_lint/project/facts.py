"""What is known about one file, gathered when it is first asked for."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.api.compiled_places import NO_PLACES, PlacesOfFile
from overhead_lint.project.call_index import CallIndex
from overhead_lint.project.callbacks import CalledParameter, parameters_called
from overhead_lint.project.calls import Calls
from overhead_lint.project.classes import class_facts
from overhead_lint.project.compiled import compiled_entries, compiled_nodes, names_compiler
from overhead_lint.project.cross_file import NOTHING_TOLD, Told
from overhead_lint.project.file_index import index_of
from overhead_lint.project.fix_doubts import Doubts, doubts
from overhead_lint.project.flow import FileFlow
from overhead_lint.project.generators import Generators
from overhead_lint.project.graph.resolver import Resolver
from overhead_lint.project.heat import FileHeat
from overhead_lint.project.kernels import given_languages
from overhead_lint.project.kinds.abstract_value import UNKNOWN, AbstractValue, decoded
from overhead_lint.project.kinds.inference import Guesses, Kinds
from overhead_lint.project.loop_shapes import repeats
from overhead_lint.project.loops import Loops
from overhead_lint.project.names import Names
from overhead_lint.project.options import Options
from overhead_lint.project.passed_instances import CalledMethod, methods_called
from overhead_lint.project.paths import Paths
from overhead_lint.project.placement import Placements
from overhead_lint.project.project_paths import ProjectPaths
from overhead_lint.project.scan import COMPREHENSIONS, FUNCTIONS, LOOPS, STATEMENTS, Scan, scan
from overhead_lint.project.seeds import tracing
from overhead_lint.project.summary import summarize
from overhead_lint.project.torch_use import TorchUse
from overhead_lint.project.unnamed import Unnamed
from overhead_lint.project.values import Values
from overhead_lint.project.warmable import Warmable
from overhead_lint.rule import ClassFacts, FunctionFacts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from overhead_lint.api.heat_reasons import Reason
    from overhead_lint.project.file_summary import FileSummary
    from overhead_lint.project.module_index import ModuleIndex
    from overhead_lint.rule import Warmth

__all__ = ["FileFacts"]

_DEFINITIONS: Final = frozenset((*FUNCTIONS, ast.ClassDef))
# What repeats nodes, or ends the way out from one to the loops around it.
_LOOPING: Final = frozenset((*LOOPS, *COMPREHENSIONS, *FUNCTIONS))


class FileFacts:
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
        self.path = path
        self.module = module
        self.cold = cold
        self.module = module
        self.is_package = is_package
        self.warmths = warmths
        self.told = told
        self.near = ProjectPaths(self, neighbours)
        self.scan: Scan = scan(tree)
        self._functions_around: dict[ast.AST, ast.AST | None] = {}
        self._classes_around: dict[ast.AST, ClassFacts | None] = {}
        # What `overhead_lint.project.seeds` found out of functions.
        self.hot_reasons: dict[ast.AST, Reason | None] = {}
        self.cold_reasons: dict[ast.AST, str] = {}
        self.names = Names(self.scan, module, is_package)
        self.call_index = CallIndex(self.scan, self.names)

    def release(self) -> None:
        """Let go of all that was gathered; nothing may be asked any more.

        The parts refer to each other, so that the tree would stay until Python looks for such cycles.
        """
        self.kinds.release()
        for part in _emptied(self):
            for inner in _emptied(part):
                _emptied(inner)

    @cached_property
    def flow(self) -> FileFlow:
        """Control and data flow."""
        return FileFlow(self.scan)

    @cached_property
    def classes(self) -> dict[ast.ClassDef, ClassFacts]:
        """Classes of the file, in source order."""
        return class_facts(self.scan, self.names)

    @cached_property
    def functions(self) -> dict[ast.AST, FunctionFacts]:
        """Functions, methods and lambdas of the file, in source order."""
        compiled = compiled_nodes(self)
        elsewhere = dict(self.told.compiled)
        found: dict[ast.AST, FunctionFacts] = {}
        for node in self.scan.scopes:
            if isinstance(node, FUNCTIONS):
                is_eager = elsewhere.get(self.calls.identity(node)) if elsewhere else None
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
    def values(self) -> Values:
        """Which expressions names and attributes are bound to."""
        return Values(self)

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
    def parameters_called(self) -> list[CalledParameter]:
        """Calls of parameters, and of attributes of ``self`` that parameters are kept in."""
        return list(parameters_called(self))

    @cached_property
    def methods_called(self) -> list[CalledMethod]:
        """Calls of methods of parameters that say nothing of their class."""
        return list(methods_called(self))

    @cached_property
    def paths(self) -> Paths:
        """What expressions stand for, in terms that other files understand."""
        return Paths(self)

    @cached_property
    def summary(self) -> FileSummary:
        """What the project graph needs to know of the file."""
        return summarize(self)

    @cached_property
    def index(self) -> ModuleIndex:
        """What other files can ask this one for by name."""
        return index_of(self)

    @cached_property
    def local_graph(self) -> Resolver:
        """Resolves paths as far as this file goes; its key is ""."""
        return Resolver({"": self.index})

    @cached_property
    def _returns(self) -> dict[ast.AST, list[ast.Return]]:
        found: dict[ast.AST, list[ast.Return]] = {}
        for statement in self.scan.of_class(ast.Return):
            function = self.function_node(statement)
            if function is not None:
                found.setdefault(function, []).append(statement)
        return found

    def returns_of(self, function: ast.AST) -> list[ast.Return]:
        """The ``return`` statements of a function, those of functions in it left out."""
        return self._returns.get(function, [])

    @cached_property
    def calls(self) -> Calls:
        """What calls run."""
        return Calls(self)

    @cached_property
    def loops(self) -> Loops:
        """Which loops are hot."""
        return Loops(self)

    @cached_property
    def generators(self) -> Generators:
        """What generators do for each of their items, and who takes these."""
        return Generators(self)

    @cached_property
    def placements(self) -> Placements:
        """Where nodes stand within their functions."""
        return Placements(self)

    @cached_property
    def options(self) -> Options:
        """Parameters that have a constant for a default, and what tests say while they do."""
        return Options(self)

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

    def class_holding(self, node: ast.AST) -> ClassFacts | None:
        """The class whose body holds `node` directly, as it does its methods."""
        parents = self.scan.parents
        holder = parents.get(node)
        while holder is not None and holder.__class__ not in _DEFINITIONS:
            holder = parents.get(holder)
        return self.classes[holder] if holder.__class__ is ast.ClassDef else None

    def function_node(self, node: ast.AST) -> ast.AST | None:
        """The innermost function whose body holds `node`, decorators and defaults left out."""
        parents, known = self.scan.parents, self._functions_around
        child, parent = node, parents.get(node)
        passed: list[ast.AST] = []
        found: ast.AST | None = None
        while parent is not None:
            if child.__class__ in STATEMENTS:
                if child in known:
                    found = known[child]
                    break
                passed.append(child)
                if parent.__class__ is ast.FunctionDef or parent.__class__ is ast.AsyncFunctionDef:
                    found = parent
                    break
            elif parent.__class__ is ast.Lambda and child is parent.body:
                found = parent
                break
            child, parent = parent, parents.get(parent)
        for one in passed:  # what holds a statement is the same for all in it
            known[one] = found
        return found

    def function_of(self, node: ast.AST) -> FunctionFacts | None:
        """The innermost function whose body holds `node`."""
        found = self.function_node(node)
        return self.functions[found] if found is not None else None

    def class_of(self, node: ast.AST) -> ClassFacts | None:
        """The innermost class whose body holds `node`, through its methods."""
        parents, known = self.scan.parents, self._classes_around
        child, parent = node, parents.get(node)
        passed: list[ast.AST] = []
        found: ClassFacts | None = None
        while parent is not None:
            if child.__class__ in STATEMENTS:
                if child in known:
                    found = known[child]
                    break
                passed.append(child)
                if parent.__class__ is ast.ClassDef:
                    found = self.classes[parent]
                    break
            child, parent = parent, parents.get(parent)
        for one in passed:
            known[one] = found
        return found

    def loops_of(self, node: ast.AST) -> Sequence[ast.AST]:
        """Loops and comprehensions that run `node` again and again, outermost first.

        What a ``for`` iterates runs once, and so does its ``else``; the test of a ``while`` runs
        on every round. Loops outside of the innermost function are left out.
        """
        parents = self.scan.parents
        found: list[ast.AST] = []
        before: ast.AST | None = None
        child, parent = node, parents.get(node)
        while parent is not None:
            if parent.__class__ in _LOOPING:
                if isinstance(parent, LOOPS):
                    if repeats(parent, child):
                        found.append(parent)
                elif isinstance(parent, COMPREHENSIONS):
                    first = parent.generators[0]
                    if not (child is first and before is first.iter):
                        found.append(parent)
                elif parent.__class__ is ast.Lambda:
                    if child is parent.body:
                        break
                elif child.__class__ in STATEMENTS:
                    break
            before, child, parent = child, parent, parents.get(parent)
        found.reverse()
        return tuple(found)

    @cached_property
    def torch_use(self) -> TorchUse:
        """What the file calls of torch."""
        return TorchUse(self)

    def value(self, node: ast.expr) -> ast.expr | None:
        """The one expression that a name or ``self.attribute`` is bound to."""
        return self.values.single(node)


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
