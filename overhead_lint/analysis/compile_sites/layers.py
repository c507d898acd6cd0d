"""Whether a file may make layers whose guards grow with their number: of most groups of files none does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.values.api_calls import MODULE_CONTAINERS
from overhead_lint.analysis.values.elsewhere import Elsewhere
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import OPEN, UNKNOWN
from overhead_lint.analysis.values.symbols import Api, Instance

if TYPE_CHECKING:
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["ANY_MODULE", "may_make_layers", "names_layers"]

_NAMES: Final = frozenset(path.rpartition(".")[2] for path in MODULE_CONTAINERS)
_WORDS: Final = tuple(sorted(name.encode() for name in _NAMES))
ANY_MODULE: Final = "torch.nn.Module"


def names_layers(text: bytes) -> bool:
    """Whether a file names a container of modules: of most others nothing has to be asked."""
    return any(word in text for word in _WORDS)


def may_make_layers(values: Values, module: str) -> bool:
    """Whether a file makes a container of modules that may hold some whose code is the project's.

    Args:
        values: its values, solved without other files.
        module: its dotted name.
    """
    return any(
        any(map(_may_hold_own, body.sites.values())) or _calls_others(body)
        for body in values.bodies()
        if body.module.name == module
    )


def _may_hold_own(made: Reference) -> bool:
    """Whether something is such a container."""
    if not isinstance(made, Container) or made.kind not in MODULE_CONTAINERS:
        return False
    held = made.element.value
    is_known = held.references and not held.bits & (UNKNOWN | OPEN)
    return not is_known or not all(map(_is_of_library, held.references))


def _is_of_library(held: Reference) -> bool:
    return isinstance(held, Instance) and isinstance(held.cls, Api) and held.cls.path != ANY_MODULE


def _calls_others(body: Body) -> bool:
    """Whether something that another file has by the name of such a container is called."""
    record = body.record
    return any(
        code == CALL
        and any(
            isinstance(one, Elsewhere) and one.path.rpartition(".")[2] in _NAMES
            for one in body.values[record.operand[at]].references
        )
        for at, code in enumerate(record.code)
    )
