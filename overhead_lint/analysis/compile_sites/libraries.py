"""What libraries have compiled for their users, where these ask for it: by the tables of effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.binding import bind
from overhead_lint.analysis.effects.effect import NOTHING_KNOWN
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, STAR
from overhead_lint.analysis.ir.queries import bound, by_name, by_place
from overhead_lint.analysis.values.elsewhere import CALLED, INSTANCE_OF, Elsewhere
from overhead_lint.analysis.values.lattice import MODULE, UNKNOWN
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, Instance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["compiled_by_libraries"]

_ALL: Final = "*"
_OWNER: Final = "self"


def compiled_by_libraries(body: Body) -> Iterator[tuple[int, int, str]]:
    """Yield the calls of a body by which a library has modules compiled.

    Yields:
        The call, the operation that makes a module, and the qualified name of what is called.
    """
    record = body.record
    for at, code in enumerate(record.code):
        if code != CALL:
            continue
        api = _compiling_api(body.values[record.operand[at]])
        if api is not None:
            given = _given(body, at, api)
            if _is_asked(body, at, api, given):
                for name in api.effect.compiled:
                    subjects = _placed(body, at) if name == _ALL else [given[name]] if name in given else []
                    yield from ((at, one, api.path) for one in subjects if _may_be_module(body.values[one]))


def _compiling_api(called: Value) -> Api | None:
    """Return the API that a call runs, or makes an heir of, where it may have modules compiled."""
    for one in called.references:
        for base in one.resolution_order if isinstance(one, ClassSymbol) else (one,):
            if isinstance(base, Api) and base.effect.compiled:
                return base
    return None


def _may_be_module(value: Value) -> bool:
    """Whether a value is a module, or an object of which another file tells what it is."""
    if value.bits & MODULE:
        return True
    return bool(value.bits & UNKNOWN) and any(map(_is_made_elsewhere, value.references))


def _is_made_elsewhere(one: Reference) -> bool:
    """Whether something is an object of a class that no table and no file that is solved describes."""
    if isinstance(one, Elsewhere):
        return not one.is_part and one.path.endswith((CALLED, INSTANCE_OF))
    return isinstance(one, Instance) and isinstance(one.cls, Api) and one.cls.effect == NOTHING_KNOWN


def _placed(body: Body, at: int) -> list[int]:
    """Return what a call is given by place, up to what stars hold."""
    placed = list(by_place(body.record, at))
    stars = [place for place, one in enumerate(placed) if body.record.code[one] == STAR]
    return placed[: stars[0]] if stars else placed


def _given(body: Body, at: int, api: Api) -> Mapping[str, int]:
    """Return the operations that make the arguments of a call, by parameter; by name where no table tells."""
    named = dict(by_name(body.record, at))
    arguments = bind(api.path, _placed(body, at), [(name, one) for name, one in named.items() if name])
    return arguments.arguments if arguments is not None else named


def _is_asked(body: Body, at: int, api: Api, given: Mapping[str, int]) -> bool:
    """Whether a call is told to have modules compiled, by itself or by an object that it is given."""
    if not api.effect.compiled_if:
        return _asks(body.values[at])
    wanted = {name: given.get(name) for name in api.effect.compiled_if}
    if _OWNER in wanted:
        wanted[_OWNER] = _owner(body, body.record.operand[at])
    return any(_asks(body.values[one]) for one in wanted.values() if one is not None)


def _owner(body: Body, at: int) -> int | None:
    """Return the operation whose method an operation is."""
    record = body.record
    method = bound(record, at)
    return record.operand[method] if record.code[method] == ATTRIBUTE else None


def _asks(value: Value) -> bool:
    return any(isinstance(one, Instance) and one.asks_compiled for one in value.references)
