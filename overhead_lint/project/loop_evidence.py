"""What a call says about the loop around it: that its rounds are steps, or parts of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.vocabulary import (
    ENVIRONMENTS,
    OPTIMIZERS,
    SCHEDULERS,
    STEP_CALLS,
    TRAINERS,
    TRAININGS,
    VERBS,
)
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import Reason, ReasonKind
from overhead_lint.project.kinds.kind_members import KIND_MODULE, KIND_UNKNOWN
from overhead_lint.project.loop_shapes import is_epochs, is_model_name, is_super, short
from overhead_lint.project.names import last_name
from overhead_lint.project.round_lengths import calls, steps
from overhead_lint.project.scan import walk
from overhead_lint.project.seeds import cold_reason
from overhead_lint.project.whole_runs import makes_optimizer, uses_lbfgs
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.project.file_functions import FileFunctions
    from overhead_lint.project.loaders import Loaders

__all__ = ["LoopEvidence", "innermost"]

# Methods of Python's own containers, but for those that modules are named after, too.
_OF_CONTAINERS: Final = frozenset(
    name for kind in (dict, list, set, str) for name in dir(kind) if name not in {"encode", "translate"}
)
# Classes of torch.nn that hold a whole model.
_WHOLE_MODULES: Final = frozenset({"DataParallel", "DistributedDataParallel", "Sequential", "Transformer"})
# Through how many more functions of a file a loop is followed to the model that its rounds call.
_MOST_CALLS: Final = 2


def innermost(node: ast.AST, facts: FileFunctions) -> ast.AST | None:
    """The innermost loop or comprehension that runs a node again and again."""
    loops = facts.loops_of(node)
    return loops[-1] if loops else None


class LoopEvidence:
    """Tells what the calls of a file say about the loops around them.

    Args:
        facts: the file.
        loaders: tells what gives batches.

    Attributes:
        dependencies: paths into other files that may stand for models which loops call.
    """

    def __init__(self, facts: FileFunctions, loaders: Loaders) -> None:
        self._facts = facts
        self.dependencies: set[str] = set()
        self._loaders = loaders
        self._stepping: dict[ast.AST, bool] = {}

    def of(self, call: ast.Call) -> tuple[str, Reason] | None:
        """What a call says about the loop around it."""
        function = call.func
        name = last_name(function)
        if function.__class__ is ast.Attribute:
            if name == "backward" and not is_super(function.value):
                return "backward", calls(function)
            if name == "step":
                said = set(words(last_name(function.value)))
                if said & OPTIMIZERS:
                    return "optimizer", steps(function.value)
                if self.is_optimizer(function.value):
                    return "optimizer", steps(function.value, is_optimizer=True)
                if said & SCHEDULERS:
                    return "scheduler", steps(function.value)
                if said & ENVIRONMENTS:
                    return "environment", steps(function.value)
                stepped = function.value
                if (
                    call.args
                    and isinstance(stepped, (ast.Name, ast.Attribute))
                    and self._is_model(stepped, call)
                ):
                    return "model", calls(function)
            if words(name)[:1] == ("forward",) and is_model_name(last_name(function.value)):
                return "model", calls(function)
            if name == "forward" and is_self(function.value) and self._is_of_module(call):
                return "model", calls(function)
            if name in TRAININGS and TRAINERS.intersection(words(last_name(function.value))[-1:]):
                if self._steps_inside(function):
                    return "callee", calls(function, takes_step=True)
                return ("work", Reason("")) if self._takes_batch(call) else ("training", calls(function))
            if name == "task_done" and self._takes_from_queue(call, function.value):
                return "queue", Reason(
                    f"loop that takes from the queue {short(function.value)}", ReasonKind.QUEUE
                )
            if words(name) == ("step",) and self._is_own(function):
                return "step", calls(function)
        elif name == "next" and call.args and self._loaders.is_stream(call.args[0]):
            return "next", Reason(f"loop that takes the next of {short(call.args[0])}", ReasonKind.LOOP)
        said_all = words(name)
        # What builds a batch takes no step, be it a function or a class.
        is_step = said_all[-1:] in (("step",), ("batch",)) and said_all[0] not in VERBS
        is_step = is_step and not _is_class_name(name)
        if is_step and len(said_all) > 1 and STEP_CALLS & set(said_all[:-1]):
            return "step", calls(function)
        if is_step and said_all[-1] == "step" and self._goes_on(call):
            return "step", calls(function)
        if isinstance(function, (ast.Name, ast.Attribute)):
            if self._is_model(function, call) or (is_self(function) and self._is_of_module(call)):
                return "model", calls(function)
            if self._steps_inside(function):
                return "callee", calls(function, takes_step=True)
        return ("work", Reason("")) if self._works(call) else None

    def _takes_batch(self, call: ast.Call) -> bool:
        """Whether a call is given what the loop around it takes from a loader: no whole training is."""
        loop = innermost(call, self._facts)
        if not isinstance(loop, (ast.For, ast.AsyncFor)) or not self._loaders.iterated(loop, works=True):
            return False
        taken = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
        given = (*call.args, *(item.value for item in call.keywords))
        return any(isinstance(one, ast.Name) and one.id in taken for one in given)

    def _goes_on(self, call: ast.Call) -> bool:
        """Whether a call takes first what it gave a round before: ``state = md_step(state, forces)``."""
        holder = self._facts.scan.parents.get(call)
        if holder.__class__ is not ast.Assign:
            return False
        given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == last_name(one.value))]
        names = {item.id for item in given if item.__class__ is ast.Name}
        targets = [
            item
            for target in holder.targets
            for item in (target.elts if target.__class__ is ast.Tuple else [target])
        ]
        return any(item.__class__ is ast.Name and item.id in names for item in targets)

    def _is_of_module(self, call: ast.Call) -> bool:
        """Whether a call stands in a method of a module: what calls ``self()`` in rounds calls all of it."""
        cls = self._facts.class_of(call)
        return cls is not None and cls.is_module

    def _is_own(self, function: ast.Attribute) -> bool:
        """Whether a method is called on ``self`` and is one of this file's."""
        return last_name(function.value) == "self" and self._facts.definitions.is_method(function.attr)

    def _steps_inside(self, function: ast.Name | ast.Attribute, depth: int = 0) -> bool:
        """Whether a function of this file calls a model, or ``.backward()``, outside of any loop.

        Itself, or through other functions of the file.
        """
        facts = self._facts
        if function.__class__ is ast.Attribute and not facts.definitions.is_method(function.attr):
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
        if self.is_pass(node) or self._minimizes(node):
            return False  # a whole training, or an evaluation
        inner: list[ast.Name | ast.Attribute] = []
        for call in facts.scan.within(node, ast.Call):
            name = last_name(call.func)
            if isinstance(facts.function_node(call), ast.Lambda):
                continue  # made here, and called elsewhere
            if name == "backward" or is_model_name(name) or words(name)[:1] == ("forward",):
                found = self.of(call) if not self._is_repeated(call, node) else None
                if found is not None and found[0] in {"backward", "callee", "model"}:
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

    def is_pass(self, function: ast.AST) -> bool:
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

    def _takes_from_queue(self, done: ast.Call, queue: ast.expr) -> bool:
        """Whether the endless loop around ``queue.task_done()`` serves what ``queue.get()`` gives."""
        loop, wanted = innermost(done, self._facts), ast.dump(queue)
        return loop.__class__ is ast.While and any(
            get.func.__class__ is ast.Attribute
            and ast.dump(get.func.value) == wanted
            and innermost(get, self._facts) is loop
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
        if function.__class__ is ast.Attribute and function.attr in _OF_CONTAINERS:
            return False
        kinds = self._facts.kinds
        kind = kinds.kind(function)
        if kind is not KIND_MODULE:
            if kind is KIND_UNKNOWN:
                self.dependencies.update(kinds.depends_on(function))
            return False
        found = self._facts.scan.lookup(function.id, function) if function.__class__ is ast.Name else None
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
        loop = innermost(name, self._facts)
        return any(innermost(binding, self._facts) is loop for binding in bindings) and any(
            one.__class__ is ast.Name and one.id == name.id and innermost(call, self._facts) is loop
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
            function.__class__ is ast.Attribute and not self._facts.definitions.is_method(function.attr)
        ):
            return False
        return bool(self._facts.calls.functions_named(function))

    def _works(self, call: ast.Call) -> bool:
        """Whether a call does tensor work or hands a model to somebody."""
        if self._facts.torch_use.is_tensor_call(call):
            return True
        return is_self(call.func) or any(is_model_name(last_name(argument)) for argument in call.args)

    def is_optimizer(self, node: ast.expr) -> bool:
        """Whether an expression is certainly an optimizer that the file makes of torch's."""
        value = self._facts.value(node)
        return value.__class__ is ast.Call and makes_optimizer(value, self._facts)


def _acts_on_model(call: ast.Call) -> bool:
    """Whether a call is given no tensors: nothing at all, or a model."""
    if not call.args and not call.keywords:
        return True
    return any(is_model_name(last_name(argument)) for argument in call.args)


def _is_class_name(name: str) -> bool:
    """Whether a name is written as those of classes are: ``TrainingBatch``."""
    return name.lstrip("_")[:1].isupper()
