"""What loops take their batches from: loaders, streams, time steps, micro-batches, numbers of rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.loops import range_end, range_of
from overhead_lint.analysis.ir.naming import last_name, short, targets_of
from overhead_lint.analysis.ir.opcodes import BIND, BOOLEAN, CALL, COPY, ENTER, ITEM, NEXT
from overhead_lint.analysis.ir.paths import in_loop
from overhead_lint.analysis.ir.queries import NAMED, bound, by_name, by_place, made_of
from overhead_lint.analysis.ir.records import COMPREHENSION_LOOP, FOR_LOOP, NONE, WHILE_LOOP
from overhead_lint.analysis.loops.rounds import Evidence, Roles, Shown
from overhead_lint.analysis.values.lattice import (
    ARRAY,
    CLASS,
    FUNCTION,
    LOADER,
    MAPPING,
    MODULE,
    NUMBERS,
    TEXT,
    is_certainly,
)
from overhead_lint.analysis.vocabulary import (
    BATCHES,
    CONFIGS,
    EPOCHS,
    LOADERS,
    NEW_TOKENS,
    PARTS,
    ROUNDS,
    STEP_WORDS,
    STREAMS,
    TIMES,
)
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.symbols import Body

__all__ = [
    "cuts_batches",
    "gives_batches",
    "goes_over_loader",
    "is_counted",
    "is_epochs",
    "is_of_parts",
    "is_stream",
    "item_of",
]

_DEEPEST: Final = 3
"""How many bindings and calls are followed to what makes a loader."""
_NO_LOADER: Final = ARRAY | CLASS | FUNCTION | MAPPING | MODULE | NUMBERS | TEXT
_ITERABLE: Final = "iterable"
"""What ``enumerate``, and what shows progress, call that which they go over."""
_OPEN_BATCH: Final = LOADERS | CONFIGS


def item_of(record: FunctionIR, loop: int) -> int:
    """Return the operation that gives the item of each round; `NONE` for a loop that is given none."""
    over = record.loops[loop].value
    if record.loops[loop].kind == WHILE_LOOP:
        return NONE
    for block, around in enumerate(record.block_loop):
        if around == loop:
            for at in range(record.block_start[block], record.block_end[block]):
                if record.code[at] == NEXT and record.operand[at] == over:
                    return at
    return NONE


def gives_batches(body: Body, loop: int, roles: Roles, *, works: bool) -> Shown | None:
    """Return what a loop goes over, if that makes its rounds steps; None otherwise.

    Args:
        body: the function.
        loop: the loop.
        roles: what functions are.
        works: whether its rounds work with tensors.
    """
    record = body.record
    item = item_of(record, loop)
    if item < 0 or _is_no_batch(body, item):
        return None
    over = record.loops[loop].value
    for one in _iterables(record, over):
        name = last_name(record, one)
        if name.isupper():
            continue  # a constant of the module
        said = words(name)
        if LOADERS.intersection(said) or (record.code[one] != CALL and _is_loader(body, one)):
            return _shown(record, one)
        if works and said and (said[-1] in BATCHES or said[-1] in TIMES):
            return _shown(record, one)
    call = range_of(record, over)
    if call < 0:
        return None
    if _is_by_batches(record, call) and roles.is_operator(body):
        return Shown(Evidence.ITEMS, NONE, "batches")
    end = range_end(record, call)
    said = words(last_name(record, end))
    if works and said and (said[-1] in ROUNDS or set(said[-2:]) == NEW_TOKENS):
        return _shown(record, end)
    return _times(body, loop, item) if works else None


def _shown(record: FunctionIR, at: int) -> Shown:
    return Shown(Evidence.ITEMS, at, short(record, at))


def _is_no_batch(body: Body, item: int) -> bool:
    """Whether a round is for no batch, but a loader or a configuration: ``for loader in test_loaders``."""
    if is_certainly(body.values[item], LOADER):
        return True
    targets = targets_of(body.record, item)
    return bool(targets) and not _OPEN_BATCH.isdisjoint(words(targets[-1])[-1:])


def _iterables(record: FunctionIR, value: int) -> Iterator[int]:
    """Yield what is gone over and, where a call such as ``enumerate(x)`` gives it, what that is handed."""
    yield value
    if record.code[value] == CALL and last_name(record, value) != "range":
        named = [one for name, one in by_name(record, value) if name == _ITERABLE]
        for one in (*by_place(record, value), *named):
            yield from _iterables(record, one)


def _is_loader(body: Body, value: int, depth: int = 0) -> bool:
    """Whether something is a loader, by its value, its name, what it is bound to, or both of two choices."""
    if is_certainly(body.values[value], LOADER):
        return True
    record = body.record
    if LOADERS.intersection(words(last_name(record, value))):
        return True
    if depth > _DEEPEST or is_certainly(body.values[value], _NO_LOADER):
        return False
    code = record.code[value]
    if code == CALL:
        return any(_is_loader(body, one, depth + 1) for one in by_place(record, value))
    if code in (BIND, COPY, ENTER):
        return _is_loader(body, record.operand[value], depth + 1)
    if code == BOOLEAN and record.extra[value][0] == "if":
        return all(_is_loader(body, one, depth + 1) for one in record.extra[value][2:])
    return False


def is_stream(body: Body, value: int) -> bool:
    """Whether something is what batches are taken from one by one, by its value, name or what makes it."""
    record = body.record
    if record.code[value] == CALL:
        return False
    if is_certainly(body.values[value], LOADER) or (LOADERS | STREAMS).intersection(
        words(last_name(record, value))
    ):
        return True
    made = bound(record, value)
    return record.code[made] == CALL and any(_is_loader(body, one) for one in by_place(record, made))


def goes_over_loader(record: FunctionIR, loop: int) -> bool:
    """Whether a loop goes over all batches of a loader, by the names of what it goes over."""
    if record.loops[loop].kind != FOR_LOOP:
        return False
    return any(
        LOADERS.intersection(words(last_name(record, one)))
        for one in _iterables(record, record.loops[loop].value)
    )


def cuts_batches(record: FunctionIR, loop: int) -> bool:
    """Whether a loop goes through something batch by batch, by the names of what it counts by."""
    if record.loops[loop].kind != FOR_LOOP:
        return False
    call = range_of(record, record.loops[loop].value)
    return call >= 0 and _is_by_batches(record, call)


def is_counted(record: FunctionIR, loop: int) -> bool:
    """Whether a loop goes over numbers: ``for i in range(n)``."""
    return record.loops[loop].kind == FOR_LOOP and range_of(record, record.loops[loop].value) >= 0


def is_epochs(record: FunctionIR, loop: int) -> bool:
    """Whether the rounds of a loop are epochs."""
    kind, over = record.loops[loop].kind, record.loops[loop].value
    if kind == COMPREHENSION_LOOP or over < 0:
        return False
    if kind == WHILE_LOOP:
        return any(_says_epochs(last_name(record, one)) for one in made_of(record, over, NAMED))
    if any(_says_epochs(name) for name in targets_of(record, item_of(record, loop))):
        return True
    call = range_of(record, over)
    return call >= 0 and _says_epochs(last_name(record, range_end(record, call)))


def _says_epochs(name: str) -> bool:
    """Whether a name is a number of epochs, and not one of steps: ``num_epochs``, not ``steps_per_epoch``."""
    said = words(name)
    return not EPOCHS.isdisjoint(said) and (STEP_WORDS - EPOCHS).isdisjoint(said)


def is_of_parts(record: FunctionIR, loop: int) -> bool:
    """Whether a loop goes over the micro-batches of one step."""
    if record.loops[loop].kind != FOR_LOOP:
        return False
    said: set[str] = set()
    for one in made_of(record, record.loops[loop].value, NAMED):
        said.update(words(last_name(record, one)))
    return bool(said & PARTS) or {"micro", "batches"} <= said


def _is_by_batches(record: FunctionIR, call: int) -> bool:
    """Whether a range goes through something batch by batch: ``range(0, n, batch_size)``."""
    given = record.extra[call][0]
    return len(given) == 3 and words(last_name(record, given[2]))[-2:] == ("batch", "size")


def _times(body: Body, loop: int, item: int) -> Shown | None:
    """Return the time steps that a loop takes one by one by their numbers, ``timesteps[i]``; None if none."""
    record = body.record
    targets = targets_of(record, item)
    if len(targets) != 1:
        return None
    for block in range(len(record.block_start)):
        if not in_loop(record, block, loop):
            continue
        for at in range(record.block_start[block], record.block_end[block]):
            if record.code[at] != ITEM or last_name(record, record.extra[at]) != targets[0]:
                continue
            held = record.operand[at]
            if words(last_name(record, held))[-1:] and words(last_name(record, held))[-1] in TIMES:
                return _shown(record, held)
    return None
