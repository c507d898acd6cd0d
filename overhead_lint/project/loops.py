"""Which loops run a training or inference step on each round.

A loop is hot for what its own rounds do, nested loops left out: they call ``.backward()``, step an
optimizer, take the next batch, or call a model; or for what it iterates: a data loader,
time steps, micro-batches, new tokens. An epoch loop is not hot for being one.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.loaders import Loaders
from overhead_lint.project.loop_shapes import (
    has_target,
    is_epochs,
    is_model_name,
    is_part,
    is_super,
    range_end,
    short,
)
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import COMPREHENSIONS, FUNCTIONS
from overhead_lint.project.seeds import cold_reason, hot_reason
from overhead_lint.project.vocabulary import (
    ENVIRONMENTS,
    OPTIMIZERS,
    SCHEDULERS,
    STEP_CALLS,
    TRAINERS,
    TRAININGS,
    VERBS,
)
from overhead_lint.project.whole_runs import uses_lbfgs
from overhead_lint.project.words import words
from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["LoopFacts", "LoopKind", "Loops"]

# Methods of Python's own containers, but for those that modules are named after, too.
_OF_CONTAINERS: Final = frozenset(
    name for kind in (dict, list, set, str) for name in dir(kind) if name not in {"encode", "translate"}
)
# Classes of torch.nn that hold a whole model.
_WHOLE_MODULES: Final = frozenset({"DataParallel", "DistributedDataParallel", "Sequential", "Transformer"})
_REPEATING: Final = (ast.For, ast.AsyncFor, ast.While, *COMPREHENSIONS)


class LoopKind(enum.Enum):
    """What the rounds of a loop are."""

    HOT = "hot"
    """Steps of training or inference."""
    AROUND = "around"
    """Holds a hot loop, or counts epochs: adds no heat of its own."""
    PLAIN = "plain"
    """Anything else: repeats what its place does."""


class LoopFacts(NamedTuple):
    """A judged loop, with the reason if it is hot, the path left out: ``:88 loop over loader``."""

    kind: LoopKind
    why: str


class Loops:
    """Judges the loops of a file.

    Args:
        facts: the file.

    Attributes:
        dependencies: paths into other files that may stand for models which loops call.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self.dependencies: set[str] = set()
        self._loaders = Loaders(facts)
        self._judged: dict[ast.AST, LoopFacts] = {}
        self._by_name: set[ast.AST] = set()
        self._by_call: dict[ast.AST, str] = {}
        self._stepping: dict[ast.AST, bool] = {}
        self._evidence = self._gather()
        self._judge_all()

    def judge(self, loop: ast.AST) -> LoopFacts:
        """What the rounds of a loop or comprehension are."""
        return self._judged.get(loop, _PLAIN)

    def hot(self) -> list[ast.AST]:
        """The hot loops, in source order."""
        found = [loop for loop, judged in self._judged.items() if judged.kind is LoopKind.HOT]
        return sorted(found, key=lambda loop: (loop.lineno, loop.col_offset))  # type: ignore[attr-defined]

    def steps_optimizer(self, function: ast.AST) -> bool:
        """Whether each call of a function takes a step of an optimizer, outside of all loops.

        What gives it a closure leaves to the optimizer how often that runs.
        """
        return function in self._optimizing

    @cached_property
    def _optimizing(self) -> frozenset[ast.AST]:
        found: set[ast.AST] = set()
        for call in self._facts.call_index.by_name.get("step", ()):
            function = self._facts.function_node(call)
            if function is None or self._facts.loops_of(call) or self._takes_closure(call):
                continue
            evidence = self._evidence_of(call)
            if evidence is not None and evidence[0] == "optimizer":
                found.add(function)
        return frozenset(found)

    def _takes_closure(self, step: ast.Call) -> bool:
        """Whether a call that takes a step is given a function: all but a scaler's optimizer is one."""
        given = [*step.args, *(keyword.value for keyword in step.keywords)]
        return any(
            not OPTIMIZERS.intersection(words(last_name(one))) and not self._is_optimizer(one)
            for one in given
        )

    def _gather(self) -> dict[ast.AST, dict[str, str]]:
        """For each loop what its own rounds do: kind of evidence to words about it."""
        found: dict[ast.AST, dict[str, str]] = {}
        seen: set[ast.AST] = set()
        for outer in self._judgeable:
            if outer in seen:
                continue
            for node in self._facts.scan.within(outer, ast.Call, *_REPEATING):
                if isinstance(node, _REPEATING):
                    seen.add(node)
                elif isinstance(node, ast.Call):
                    loop = self._innermost(node)
                    evidence = self._evidence_of(node) if loop is not None else None
                    if loop is not None and evidence is not None:
                        found.setdefault(loop, {}).setdefault(*evidence)
        return found

    @cached_property
    def _judgeable(self) -> list[ast.AST]:
        """Loops that may be hot, outer ones first: within a step, a loop repeats part of it."""
        loops = [loop for loop_class in _REPEATING for loop in self._facts.scan.by_class.get(loop_class, ())]
        loops.sort(key=lambda loop: (loop.lineno, loop.col_offset))  # type: ignore[attr-defined]
        facts = self._facts
        around = {loop: facts.function_node(loop) for loop in loops}
        hot = {node for node in around.values() if node and hot_reason(facts.functions[node], facts)}
        return [loop for loop in loops if around[loop] not in hot]

    def _innermost(self, node: ast.AST) -> ast.AST | None:
        loops = self._facts.loops_of(node)
        return loops[-1] if loops else None

    def _evidence_of(self, call: ast.Call) -> tuple[str, str] | None:
        """What a call says about the loop around it."""
        function = call.func
        name = last_name(function)
        if isinstance(function, ast.Attribute):
            if name == "backward" and not is_super(function.value):
                return "backward", f"loop that calls {short(function)}()"
            if name == "step":
                said = set(words(last_name(function.value)))
                if said & OPTIMIZERS or self._is_optimizer(function.value):
                    return "optimizer", f"loop that steps {short(function.value)}"
                if said & SCHEDULERS:
                    return "scheduler", f"loop that steps {short(function.value)}"
                if said & ENVIRONMENTS:
                    return "environment", f"loop that steps {short(function.value)}"
            if words(name)[:1] == ("forward",) and is_model_name(last_name(function.value)):
                return "model", f"loop that calls {short(function)}()"
            if name in TRAININGS and TRAINERS.intersection(words(last_name(function.value))[-1:]):
                return "training", f"loop that calls {short(function)}()"
            if name == "task_done" and self._takes_from_queue(call, function.value):
                return "queue", f"loop that takes from the queue {short(function.value)}"
            if words(name) == ("step",) and self._is_own(function):
                return "step", f"loop that calls {short(function)}()"
        elif name == "next" and call.args and self._loaders.is_stream(call.args[0]):
            return "next", f"loop that takes the next of {short(call.args[0])}"
        said_all = words(name)
        # What builds a batch takes no step, be it a function or a class.
        is_step = len(said_all) > 1 and said_all[-1] in {"step", "batch"} and said_all[0] not in VERBS
        if is_step and STEP_CALLS & set(said_all[:-1]) and not _is_class_name(name):
            return "step", f"loop that calls {short(function)}()"
        if isinstance(function, (ast.Name, ast.Attribute)):
            if self._is_model(function, call):
                return "model", f"loop that calls {short(function)}()"
            if self._steps_inside(function):
                return "callee", f"loop that calls {short(function)}(), which takes a step"
        return ("work", "") if self._works(call) else None

    def _is_own(self, function: ast.Attribute) -> bool:
        """Whether a method is called on ``self`` and is one of this file's."""
        return last_name(function.value) == "self" and self._facts.calls.is_method(function.attr)

    def _steps_inside(self, function: ast.Name | ast.Attribute, depth: int = 0) -> bool:
        """Whether a function of this file calls a model, or ``.backward()``, outside of any loop.

        Itself, or through other functions of the file.
        """
        facts = self._facts
        if isinstance(function, ast.Attribute) and not facts.calls.is_method(function.attr):
            return False
        for node in facts.calls.functions_named(function):
            known = self._stepping.get(node)
            if known is None:
                self._stepping[node] = False  # for a cycle
                known = self._stepping[node] = self._takes_step(node, depth)
            if known:
                return True
        return False

    def _takes_step(self, node: ast.AST, depth: int) -> bool:
        facts = self._facts
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or cold_reason(
            facts.functions[node], facts
        ):
            return False
        if self._is_pass(node) or self._minimizes(node):
            return False  # a whole training, or an evaluation
        inner: list[ast.Name | ast.Attribute] = []
        for call in facts.scan.within(node, ast.Call):
            name = last_name(call.func)
            if isinstance(facts.function_node(call), ast.Lambda):
                continue  # made here, and called elsewhere
            if name == "backward" or is_model_name(name) or words(name)[:1] == ("forward",):
                found = self._evidence_of(call) if not self._is_repeated(call, node) else None
                if found is not None and found[0] in {"backward", "model"}:
                    return True
            elif isinstance(call.func, (ast.Name, ast.Attribute)) and not facts.loops_of(call):
                inner.append(call.func)
        return depth < _MOST_CALLS and any(self._steps_inside(function, depth + 1) for function in inner)

    def _is_repeated(self, call: ast.Call, function: ast.AST) -> bool:
        """Whether a loop of a function is around a call, or around a function in it that makes the call."""
        at: ast.AST | None = call
        while at is not None and at is not function:
            if self._facts.loops_of(at):
                return True
            at = self._facts.function_node(at)
        return False

    def _is_pass(self, function: ast.AST) -> bool:
        """Whether a function goes over all batches of a loader, or over epochs."""
        return any(
            is_epochs(loop) or self._loaders.is_gone_over(loop)
            for loop in self._facts.scan.within(function, ast.For)
        )

    def _minimizes(self, function: ast.AST) -> bool:
        """Whether a function gives another to SciPy or to an LBFGS, which call it as they need to."""
        facts = self._facts
        if uses_lbfgs(function, facts):
            return any(
                bool(call.args) and facts.function_node(call) is function
                for call in facts.call_index.by_name.get("step", ())
            )
        return any(
            (self._facts.names.qualified(call.func) or "").startswith("scipy.optimize.")
            and bool(self._facts.calls.functions_named(call.args[0]))
            for call in self._facts.scan.within(function, ast.Call)
            if call.args
        )

    def _holds_pass(self, loop: ast.AST) -> bool:
        """Whether each round of a loop that steps a scheduler calls what goes over a loader: an epoch."""
        facts = self._facts
        return "scheduler" in self._evidence.get(loop, {}) and any(
            self._is_pass(node)
            for call in facts.scan.within(loop, ast.Call)
            if isinstance(call.func, (ast.Name, ast.Attribute)) and self._is_in_each_round(call, loop)
            for node in facts.calls.functions_named(call.func)
        )

    def _is_in_each_round(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether no branch and no other loop stands between a loop and what it repeats."""
        parent = self._facts.scan.parents.get(node)
        while parent is not loop:
            if parent is None or isinstance(parent, (ast.If, ast.IfExp, *_REPEATING, *FUNCTIONS)):
                return False
            parent = self._facts.scan.parents.get(parent)
        return True

    def _takes_from_queue(self, done: ast.Call, queue: ast.expr) -> bool:
        """Whether the endless loop around ``queue.task_done()`` serves what ``queue.get()`` gives."""
        loop, wanted = self._innermost(done), ast.dump(queue)
        return isinstance(loop, ast.While) and any(
            isinstance(get.func, ast.Attribute)
            and ast.dump(get.func.value) == wanted
            and self._innermost(get) is loop
            for get in self._facts.call_index.by_name.get("get", ())
        )

    def _is_model(self, function: ast.Name | ast.Attribute, call: ast.Call) -> bool:
        """Whether what is called is a model, and not a layer of the one whose method this is.

        What has a longer name and is given a model, or nothing, acts on one: ``sync_model(self.model)``.
        """
        if self._facts.names.qualified(function) is not None:
            return False  # a function or class: models are held by variables
        name = last_name(function)
        if is_model_name(name):
            if len(words(name)) > 1 and _acts_on_model(call):
                return False
            return not self._yields(function) and not self._holds_more(function)
        cls = self._facts.class_of(function)
        if cls is not None and cls.is_module:
            return False
        # What is called is asked last: that takes much longer to find out.
        if isinstance(function, ast.Attribute) and function.attr in _OF_CONTAINERS:
            return False
        kinds = self._facts.kinds
        kind = kinds.kind(function)
        if kind is not Kind.MODULE:
            if kind is Kind.UNKNOWN:
                self.dependencies.update(kinds.depends_on(function))
            return False
        found = self._facts.scan.lookup(function.id, function) if isinstance(function, ast.Name) else None
        parents = self._facts.scan.parents
        if isinstance(function, ast.Attribute):
            return not self._is_layer(function)
        if found is None:
            return True
        if any(isinstance(parents.get(one), (ast.For, ast.Tuple, ast.comprehension)) for one in found[1]):
            return False
        return not self._is_collected(function, found[1])

    def _is_layer(self, function: ast.Attribute) -> bool:
        """Whether an attribute of ``self`` holds one layer of torch; its class is a module elsewhere."""
        made_by = self._facts.calls.instance_of(function) or ""
        return made_by.startswith("torch.nn.") and made_by.rpartition(".")[2] not in _WHOLE_MODULES

    def _is_collected(self, name: ast.Name, bindings: Sequence[ast.AST]) -> bool:
        """Whether each round makes what it calls and appends it somewhere: a model is built there."""
        loop = self._innermost(name)
        return any(self._innermost(binding) is loop for binding in bindings) and any(
            isinstance(one, ast.Name) and one.id == name.id and self._innermost(call) is loop
            for call in self._facts.call_index.by_name.get("append", ())
            for one in call.args
        )

    def _yields(self, function: ast.Name | ast.Attribute) -> bool:
        """Whether what is called is a generator of batches, and not the one of a GAN."""
        return any(
            self._facts.function_node(item) is node
            for node in self._facts.calls.functions_named(function)
            for item in self._facts.scan.within(node, ast.Yield, ast.YieldFrom)
        )

    def _holds_more(self, function: ast.Name | ast.Attribute) -> bool:
        """Whether a function of this file is called that is named after a model: ``self.eval_model()``.

        It is judged by what it does: such a call may well hold a whole evaluation.
        """
        if len(words(last_name(function))) == 1 or (
            isinstance(function, ast.Attribute) and not self._facts.calls.is_method(function.attr)
        ):
            return False
        return bool(self._facts.calls.functions_named(function))

    def _works(self, call: ast.Call) -> bool:
        """Whether a call does tensor work or hands a model to somebody."""
        if self._facts.torch_use.is_tensor_call(call):
            return True
        return any(is_model_name(last_name(argument)) for argument in call.args) or (
            isinstance(call.func, ast.Name) and call.func.id == "self"
        )

    def _is_optimizer(self, node: ast.expr) -> bool:
        value = self._facts.value(node)
        made = self._facts.names.qualified(value.func) or "" if isinstance(value, ast.Call) else ""
        return made.startswith("torch.optim.") and not made.startswith("torch.optim.lr_scheduler.")

    def _judge_all(self) -> None:
        for loop in self._judgeable:
            why = self._why_hot(loop)
            if why:
                place = f":{loop.lineno} {why}"  # type: ignore[attr-defined]
                self._judged[loop] = LoopFacts(LoopKind.HOT, place)
            elif is_epochs(loop) or "training" in self._evidence.get(loop, {}) or self._holds_pass(loop):
                self._judged[loop] = LoopFacts(LoopKind.AROUND, "")
        for loop in self.hot():
            self._judge_around(loop)

    def _judge_around(self, hot: ast.AST) -> None:
        """Judge the loops around a hot one: they add no heat, unless its rounds are parts of a step."""
        inner, outer = hot, self._innermost(hot)
        while outer is not None:
            known = self._judged.get(outer, _PLAIN)
            if known.kind is LoopKind.PLAIN and is_part(inner):
                why = f":{outer.lineno} loop around {short(inner.iter)}"  # type: ignore[attr-defined]
                self._judged[outer] = LoopFacts(LoopKind.HOT, why)
            elif (
                known.kind is LoopKind.PLAIN
                or self._evidence.get(outer, {}).keys() - {"work"} == {"scheduler"}
                or outer in self._by_name
                or self._is_episode(outer, hot)
            ):
                # A scheduler stepped beside a hot loop is stepped once an epoch, and rounds around
                # it that are steps by nothing but their name are rounds of something else.
                self._judged[outer] = LoopFacts(LoopKind.AROUND, "")
            inner, outer = outer, self._innermost(outer)

    def _is_episode(self, outer: ast.AST, hot: ast.AST) -> bool:
        """Whether rounds are epochs or episodes: what is called beside a loop that has the steps.

        The loop in them trains a model, as they call one, or steps the environment that they step.
        """
        kind, inside = self._by_call.get(outer, ""), self._evidence.get(hot, {})
        if kind == "model":
            return "backward" in inside and "optimizer" in inside
        return bool(kind) and self._evidence[outer][kind] == inside.get(kind)

    def _why_hot(self, loop: ast.AST) -> str:
        evidence = self._evidence.get(loop, {})
        if "training" in evidence:
            return ""  # each round is a training of its own
        if is_epochs(loop):
            return evidence.get("backward") or evidence.get("optimizer") or ""
        decisive = next((evidence[key] for key in _DECISIVE if key in evidence), "")
        if decisive and decisive == evidence.get("scheduler") and self._holds_pass(loop):
            return ""  # an epoch
        over = self._loaders.iterated(loop, works=bool(evidence)) if has_target(loop) else ""
        if not over:
            if decisive and decisive == evidence.get("callee"):
                self._by_name.add(loop)
            for kind in ("model", "environment"):
                if decisive and decisive == evidence.get(kind):
                    self._by_call[loop] = kind
            return decisive
        if not decisive and range_end(loop.iter) is not None:  # type: ignore[attr-defined]
            self._by_name.add(loop)
        return f"loop over {over}"


def _acts_on_model(call: ast.Call) -> bool:
    """Whether a call is given no tensors: nothing at all, or a model."""
    if not call.args and not call.keywords:
        return True
    return any(is_model_name(last_name(argument)) for argument in call.args)


def _is_class_name(name: str) -> bool:
    """Whether a name is written as those of classes are: ``TrainingBatch``."""
    return name.lstrip("_")[:1].isupper()


_DECISIVE: Final = (
    *("backward", "optimizer", "step", "next", "model", "environment", "scheduler", "queue", "callee"),
)
# Through how many more functions of a file a loop is followed to the model that its rounds call.
_MOST_CALLS: Final = 2
_PLAIN: Final = LoopFacts(LoopKind.PLAIN, "")
