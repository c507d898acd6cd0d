"""What of other files an unknown value comes from: followed back through operations, attributes and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, ITEM, OUTER, SET_ATTRIBUTE
from overhead_lint.analysis.ir.queries import operands
from overhead_lint.analysis.values.elsewhere import Elsewhere, elsewhere_among
from overhead_lint.analysis.values.lattice import UNKNOWN
from overhead_lint.analysis.values.symbols import Bound, FunctionSymbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Dependencies"]

_MOST_STEPS: Final = 96
"""Operations that are looked at for one answer."""
_BY_FIRST: Final = frozenset({CALL, ITEM})
_MOST_PATHS: Final = 12


class Dependencies:
    """Finds what of other files values of one file come from.

    Args:
        values: the values of the file, solved by itself.
        module: its name.
    """

    def __init__(self, values: Values, module: str) -> None:
        self._values = values
        self._module = module
        self._bodies = list(values.bodies())
        self._has_any = any(
            isinstance(reference, Elsewhere)
            for body in self._bodies
            for value in body.values
            for reference in value.references
        )
        self._stores: dict[str, list[tuple[Body, int]]] | None = None

    def of(self, place: int, at: int) -> tuple[str, ...]:
        """Return the paths that an operation of a function's body comes from, nearest first."""
        if not self._has_any:
            return ()
        found: dict[str, None] = {}
        body = self._values.body(self._module, place)
        waiting = [(body, at)]
        seen = {(body, at)}
        for one in waiting:
            here = elsewhere_among(one[0].values[one[1]])
            found.update((reference.path, None) for reference in here)
            if len(found) >= _MOST_PATHS or len(seen) > _MOST_STEPS:
                break
            for source in self._sources(*one):
                if source not in seen and source[0].values[source[1]].bits & UNKNOWN:
                    seen.add(source)
                    waiting.append(source)
        return tuple(found)[:_MOST_PATHS]

    def _sources(self, body: Body, at: int) -> Iterator[tuple[Body, int]]:
        """Yield the operations that a value is made from."""
        record = body.record
        code = record.code[at]
        if code in _BY_FIRST:  # what a call is given, or an index, seldom tells what comes of it
            yield body, record.operand[at]
        else:
            yield from ((body, operand) for operand in operands(record, at))
        if code == ATTRIBUTE:
            yield from self._stored(record.extra[at])
        elif code == CALL:
            for reference in body.values[record.operand[at]].references:
                function = reference.function if isinstance(reference, Bound) else reference
                if isinstance(function, FunctionSymbol):
                    yield from ((function.body, one) for one in function.body.returns if one >= 0)
        elif code == OUTER:
            name = record.extra[at]
            around = body.parent
            while around is not None:
                if name in around.record.stores:
                    yield from ((around, one) for one in around.record.stores[name])
                    break
                around = around.parent

    def _stored(self, name: str) -> Iterator[tuple[Body, int]]:
        """Yield what the file stores in attributes of a name."""
        if self._stores is None:
            self._stores = {}
            for body in self._bodies:
                record = body.record
                for at, code in enumerate(record.code):
                    if code == SET_ATTRIBUTE:
                        stored, value = record.extra[at]
                        self._stores.setdefault(stored, []).append((body, value))
        yield from self._stores.get(name, ())
