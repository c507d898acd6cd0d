"""Which of what a function calls are models, and not layers of the one whose method it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.naming import last_name, name_of
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, NEXT, PARAMETER, UNPACK
from overhead_lint.analysis.values.elsewhere import CALLED, PARAMETER_OF, Elsewhere
from overhead_lint.analysis.values.lattice import CLASS, FUNCTION, INSTANCE, MODULE, UNKNOWN, is_certainly
from overhead_lint.analysis.values.symbols import Api, Instance
from overhead_lint.analysis.vocabulary import MODELS, TRAININGS, VERBS
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.queries import Flow
    from overhead_lint.analysis.loops.rounds import Roles
    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["ITS_OBJECT", "Models", "innermost", "is_model_name"]

_OF_CONTAINERS: Final = frozenset(
    name for kind in (dict, list, set, str) for name in dir(kind) if name not in {"encode", "translate"}
)
"""Methods of Python's own containers, but for those that modules are named after, too."""
_WHOLE_MODULES: Final = frozenset(
    {"DataParallel", "DistributedDataParallel", "Module", "Sequential", "Transformer"}
)
"""Classes of torch.nn that may hold a whole model."""
ITS_OBJECT: Final = frozenset({"cls", "self"})


def innermost(flow: Flow, value: int) -> int:
    """Return the innermost loop that runs an operation again and again; `NONE` if none does."""
    return flow.record.block_loop[flow.block_of(value)]


class Models:
    """Tells what is a model of what the functions of a file call.

    Args:
        values: what is known of its values.
        names: its names.
        roles: what its functions are.

    Attributes:
        unknown: the operations that may be models of which other files know.
    """

    def __init__(self, values: Values, names: Names, roles: Roles) -> None:
        self._values = values
        self._names = names
        self._roles = roles
        self.unknown: dict[tuple[Body, int], None] = {}

    def flow(self, body: Body) -> Flow:
        """Return what can be asked of the record of a function of the file."""
        return self._names.flow(body.place)

    def runs(self, body: Body, call: int) -> list[Body]:
        """Return the functions of the file that a call may run, constructors left out.

        What a function is given to be called may be something else in each call, so that only one that it is
        always given counts.
        """
        found = [
            one.body
            for one in self._values.callees(body, call).functions
            if one.name != "__init__" and one.body.module is body.module
        ]
        is_given = body.record.code[body.record.operand[call]] == PARAMETER
        return [] if is_given and len(found) > 1 else found

    def is_own_module(self, body: Body, value: int) -> bool:
        """Whether something is the module whose method this is: what calls ``self()`` calls all of it."""
        return last_name(body.record, value) in ITS_OBJECT and self._roles.is_of_module(body)

    def is_model(self, body: Body, function: int, call: int) -> bool:
        """Whether what is called is a model, and not a layer of the one whose method this is."""
        record, value = body.record, body.values[function]
        if is_certainly(value, CLASS | FUNCTION) or _is_imported(value):
            return False  # models are held by variables
        if is_certainly(value, INSTANCE) and self.runs(body, call):
            return False  # judged by what it does
        name = last_name(record, function)
        is_named = record.code[function] == ATTRIBUTE or bool(name_of(record, function))
        if is_named and is_model_name(name):
            return True
        return self._is_held_model(body, function)

    def _is_held_model(self, body: Body, function: int) -> bool:
        """Whether a value says that something is a module, and not a layer."""
        record, value = body.record, body.values[function]
        if self._roles.is_of_module(body):
            return False
        if record.code[function] == ATTRIBUTE and record.extra[function] in _OF_CONTAINERS:
            return False
        if not is_certainly(value, MODULE):
            if value.bits & UNKNOWN:
                self.unknown[body, function] = None
            return False
        if record.code[function] == ATTRIBUTE:
            return not _is_layer(body, function)
        return not any(
            record.code[one] == BIND and record.code[record.operand[one]] in (NEXT, UNPACK)
            for one in self.flow(body).definitions(function)
        )


def _is_imported(value: Value) -> bool:
    """Whether something unknown is what an import gives: what objects of a class hold is not."""
    return bool(value.references) and all(
        not one.scope.rpartition(".")[2][:1].isupper()
        if isinstance(one, Api)
        else isinstance(one, Elsewhere) and _is_name(one)
        for one in value.references
    )


def _is_name(one: Elsewhere) -> bool:
    """Whether another file binds what is meant to a name, and it is no parameter, result or part of that."""
    return not one.is_part and one.path[0] != PARAMETER_OF and CALLED[0] not in one.path


def _is_layer(body: Body, function: int) -> bool:
    """Whether an attribute holds one layer of torch."""
    for one in body.values[function].references:
        if isinstance(one, Instance) and isinstance(one.cls, Api) and one.cls.path.startswith("torch.nn."):
            return one.cls.path.rpartition(".")[2] not in _WHOLE_MODULES
    return False


def is_model_name(name: str) -> bool:
    """Whether a name says that it holds a model."""
    said = words(name)
    if not said or said[0] in VERBS or "from" in said:  # unwrap_model, get_model, layers_from_model
        return False
    if len(said) > 1 and said[0] in TRAININGS:  # train_model: a training, or a function that is judged itself
        return False
    return said[-1] in MODELS or (said[-1].isdigit() and said[0] in MODELS)
