"""Blocks, guards and SSA form, made while a tree is walked.

SSA is built on the way, after Braun et al., "Simple and Efficient Construction of Static Single Assignment
Form" (2013): a block reads its predecessors when a name is first asked for, and a phi is made only where
their answers differ; the header of a loop, whose last predecessors are not known yet, makes it first.

Where a name is bound is noted, so that reads pass over blocks that do not bind it: from a block to the last
binding, if control always came through that, and from where ways meet to where they parted.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.ir.dominators import Dominators
from overhead_lint.analysis.ir.opcodes import BIND, COPY, OUTER, PHI, STORE_OUTER, UNBOUND
from overhead_lint.analysis.ir.records import COLUMN_BITS, GUARD_BRANCH, NONE, FunctionIR, Guard, Loop

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ENTRY", "EXIT_BLOCK", "Builder", "Trace"]

ENTRY: Final = 0
EXIT_BLOCK: Final = 1
_DEEPEST_READ: Final = 150
"""Joins that one read goes through before it makes a phi and fills it in later: Python's stack is short."""


class Trace:
    """Where the parts of a tree went, for those who still ask by its nodes; it lasts no longer than the tree.

    Attributes:
        values: for an expression its value, for what binds a name (a target, parameter, alias, definition
            ...) its `BIND` or `PARAMETER`, for what deletes one what that held, each in the function that the
            node stands in.
        homes: for the same nodes the place of that function among the file's.
        blocks: for statements, and for expressions that begin a block, that block.
        starts: for the same nodes the operation that they begin with, which is one of what follows if they
            have none.
        loops: for loops and comprehensions their number in the function, the outermost of several.
        functions: for definitions and lambdas, and the module, their place among the file's functions.
    """

    __slots__ = ("blocks", "functions", "homes", "loops", "starts", "values")

    def __init__(self) -> None:
        self.values: dict[Any, int] = {}
        self.homes: dict[Any, int] = {}
        self.blocks: dict[Any, int] = {}
        self.starts: dict[Any, int] = {}
        self.loops: dict[Any, int] = {}
        self.functions: dict[Any, int] = {}


class _LoopFrame:
    """Where ``break`` and ``continue`` lead."""

    __slots__ = ("after", "header")

    def __init__(self, header: int, after: int) -> None:
        self.header = header
        self.after = after


class _FinallyFrame:
    """A ``finally`` that jumps out of its ``try`` run first, and the blocks where they go on."""

    __slots__ = ("entry", "pending")

    def __init__(self, entry: int) -> None:
        self.entry = entry
        self.pending: dict[int, int] = {}  # target block -> frames that stay


class Builder:
    """Makes the record of one function.

    Args:
        record: takes the rows.
        trace: takes where nodes went; None if nobody asks.
        place: where the function stands among those of the file.
    """

    def __init__(self, record: FunctionIR, trace: Trace | None, place: int) -> None:
        self.record = record
        self.trace = trace
        self.place = place
        self.code = record.code
        self.operand = record.operand
        self.extra = record.extra
        self.places = record.places
        self.ends = record.ends
        self.block = NONE
        """The block that takes operations."""
        self.loop = NONE
        self.guard = NONE
        self.dead = False
        """Whether control does not come to the end of the block: it was left by a jump."""
        self._definitions: list[dict[str, int]] = []
        self._here: dict[str, int] = {}
        self._sealed: list[int] = []
        """For each block how many operations there were when all that leads to it was known; or `NONE`."""
        self._dominators = Dominators()
        self._bound: dict[str, list[int]] = {}
        """For each name the operations that bind it, or let it stand for nothing, in order."""
        self._bound_in: dict[str, int] = {}
        """For each name the block of the last one of these."""
        self._open: list[int] = []
        """The headers of the loops around, whose rounds are not known yet."""
        self._incomplete: dict[int, list[tuple[str, int]]] = {}
        self._headers: set[int] = set()
        self._deferred: list[tuple[str, int, int]] = []
        self._depth = 0
        self._frames: list[_LoopFrame | _FinallyFrame] = []
        self._tries: list[list[int]] = []
        """For each ``try`` around, the blocks in it: an exception may leave each of them."""
        self.renamed: dict[str, str] = {}
        """Names that comprehensions around bind for themselves, and what they are called here."""
        self.declared: set[str] = set()
        """Names that the function declares global or nonlocal."""
        self.new_block(sealed=True)
        self.new_block(sealed=False)
        self.enter(ENTRY)

    # Blocks

    def new_block(self, *, sealed: bool) -> int:
        """Add a block; one that is sealed gets no more predecessors after those that are added at once."""
        record = self.record
        number = len(record.block_start)
        record.block_start.append(NONE)
        record.block_end.append(NONE)
        record.predecessors.append([])
        record.block_phis.append([])
        record.block_loop.append(self.loop)
        record.block_guard.append(self.guard)
        self._definitions.append({})
        self._sealed.append(len(self.code) if sealed else NONE)
        self._dominators.new_block()
        return number

    def enter(self, block: int) -> None:
        """Let a block take the operations from here on."""
        record = self.record
        here = len(self.code)
        if self.block >= 0 and record.block_end[self.block] < 0:
            record.block_end[self.block] = here
        self.block = block
        self.dead = False
        self._here = self._definitions[block]
        record.block_start[block] = here
        record.block_loop[block] = self.loop
        record.block_guard[block] = self.guard
        self._dominators.begin(block, record.predecessors[block])
        if self._tries:
            self._tries[-1].append(block)

    def link(self, to: int) -> None:
        """Let control go on to a block, unless it never comes to the end of this one."""
        if not self.dead:
            self.record.predecessors[to].append(self.block)

    def after(self, *blocks: int) -> int:
        """Enter a new block that follows others."""
        block = self.new_block(sealed=True)
        self.record.predecessors[block].extend(blocks)
        self.enter(block)
        return block

    def seal(self, block: int) -> None:
        """Say that all predecessors of a block are known."""
        self._sealed[block] = len(self.code)
        if self._open and self._open[-1] == block:
            self._open.pop()
        for name, phi in self._incomplete.pop(block, ()):
            self._fill(name, phi, block)

    def header(self) -> int:
        """Make and enter the header of a loop, to which rounds will come back."""
        block = self.new_block(sealed=False)
        self.link(block)
        self._headers.add(block)
        self._open.append(block)
        return block

    # Jumps

    def jump(self) -> None:
        """End the block: what follows is not reached from it."""
        if not self.dead:
            self.record.block_end[self.block] = len(self.code)
        self.dead = True

    def leave(self, target: int, frames: int) -> None:
        """Jump to a block, by way of each ``finally`` around that the target stands outside of.

        Args:
            target: the block.
            frames: how many of the frames around stay.
        """
        for place in range(len(self._frames) - 1, frames - 1, -1):
            frame = self._frames[place]
            if isinstance(frame, _FinallyFrame):
                self.link(frame.entry)
                frame.pending[target] = frames
                break
        else:
            self.link(target)
        self.jump()

    def leave_function(self) -> None:
        """Jump to the exit."""
        self.leave(EXIT_BLOCK, 0)

    def leave_loop(self, *, next_round: bool) -> None:
        """Jump to the end of the innermost loop, or to its next round; nothing outside of a loop."""
        for place in range(len(self._frames) - 1, -1, -1):
            frame = self._frames[place]
            if isinstance(frame, _LoopFrame):
                self.leave(frame.header if next_round else frame.after, place)
                return
        self.jump()

    def raise_(self) -> None:
        """End the block by an exception: to the handlers around, whose blocks it is among, or out."""
        if not self._tries:
            self.link(EXIT_BLOCK)
        self.jump()

    def push_loop(self, header: int, after: int) -> None:
        """Begin the body of a loop."""
        self._frames.append(_LoopFrame(header, after))

    def pop_loop(self) -> None:
        """End the body of a loop."""
        self._frames.pop()

    def push_finally(self) -> int:
        """Begin what a ``finally`` follows, and return the block that it will begin with."""
        entry = self.new_block(sealed=False)
        self._frames.append(_FinallyFrame(entry))
        return entry

    def pop_finally(self) -> dict[int, int]:
        """End what a ``finally`` follows, and return where jumps out of it go on, with the frames that
        stay.
        """
        frame = self._frames.pop()
        assert isinstance(frame, _FinallyFrame)
        return frame.pending

    def push_try(self) -> None:
        """Begin the body of a ``try``, in a block of its own."""
        before = self.block
        block = self.new_block(sealed=True)
        self.link(block)
        self._tries.append([before])
        self.enter(block)

    def pop_try(self) -> list[int]:
        """End the body of a ``try``, and return the blocks that an exception may leave."""
        inside = self._tries.pop()
        if self._tries:
            self._tries[-1].extend(inside)
        return inside

    # Guards and loops

    def branch(self, condition: int, outcome: bool, node: Any, *, kind: int = GUARD_BRANCH) -> None:
        """Let what follows run under a guard, which a node stands for."""
        guards = self.record.guards
        place = node.lineno << COLUMN_BITS | node.col_offset
        guards.append(Guard(self.guard, kind, condition, outcome, place))
        self.guard = len(guards) - 1

    def new_loop(self, kind: int, header: int, value: int, node: Any) -> int:
        """Add a loop within the one around, and return its number."""
        loops = self.record.loops
        place = node.lineno << COLUMN_BITS | node.col_offset
        loops.append(Loop(self.loop, kind, header, value, place))
        if self.trace is not None:
            self.trace.loops.setdefault(node, len(loops) - 1)
        return len(loops) - 1

    # Operations

    def emit(self, code: int, operand: int, extra: object, node: Any) -> int:
        """Add an operation that stands where a node does, and return its value."""
        value = len(self.code)
        self.code.append(code)
        self.operand.append(operand)
        self.extra.append(extra)
        self.places.append(node.lineno << COLUMN_BITS | node.col_offset)
        self.ends.append(node.end_lineno << COLUMN_BITS | node.end_col_offset)
        return value

    def note(self, node: Any, value: int) -> None:
        """Note which operation a node is, if somebody asks."""
        if self.trace is not None:
            self.trace.values[node] = value
            self.trace.homes[node] = self.place

    def _emit_nowhere(self, code: int, operand: int, extra: object) -> int:
        """Add an operation that stands nowhere in the text."""
        value = len(self.code)
        self.code.append(code)
        self.operand.append(operand)
        self.extra.append(extra)
        self.places.append(0)
        self.ends.append(0)
        return value

    # Names

    def bind(self, name: str, value: int, node: Any) -> int:
        """Bind a name to a value, and return the operation that does."""
        own = self.renamed.get(name, name) if self.renamed else name
        if name in self.declared and own is name:
            bound = self.emit(STORE_OUTER, value, name, node)
        else:
            bound = self.emit(BIND, value, name, node)
            self._define(own, bound)
            stores = self.record.stores if own is name else self.record.hidden_stores
            known = stores.get(name)
            if known is None:
                stores[name] = [bound]
            else:
                known.append(bound)
        self.note(node, bound)
        if self._tries and not self.dead:  # what an exception finds depends on whether this ran
            self.after(self.block)
        return bound

    def define_parameter(self, name: str, value: int) -> None:
        """Let a parameter's name stand for its value."""
        self._define(name, value)
        self.record.stores[name] = [value]

    def unbind(self, name: str, node: Any) -> None:
        """Let a name stand for nothing."""
        if name not in self.declared:
            self._define(name, self.emit(UNBOUND, NONE, name, node))

    def _define(self, name: str, value: int) -> None:
        """Let a name stand for what an operation has just made."""
        self._here[name] = value
        self._bound_in[name] = self.block
        known = self._bound.get(name)
        if known is None:
            self._bound[name] = [value]
        else:
            known.append(value)

    def hide(self, names: Iterable[str], header: int) -> None:
        """Let a comprehension, whose loop has a header, have names of its own."""
        self.renamed = {**self.renamed, **{name: f"{name} of {header}" for name in names}}

    def read(self, name: str) -> int:
        """Return what a name stands for here."""
        if self.renamed:
            name = self.renamed.get(name, name)
        if name in self.declared:
            return self._outer(name)
        value = self._here.get(name, NONE)
        if value >= 0:
            return value
        value = self._read(name, self.block)
        while self._deferred:
            waiting, phi, block = self._deferred.pop()
            self._fill(waiting, phi, block)
        return value

    def _last(self, name: str, block: int) -> int:
        """Return what a block has a name of that was last bound where control came through to the block.

        Or that was not bound before, so that it stands for something outside; `NONE` where neither is so.
        """
        dominators = self._dominators
        bound_in = self._bound_in.get(name, ENTRY)
        if not dominators.dominates(bound_in, block):
            return NONE
        if self._open and dominators.height[self._open[-1]] > dominators.height[bound_in]:
            return self._begun(name, self._open[-1])  # the round before may bind it
        value = self._definitions[bound_in].get(name, NONE)
        if value < 0:
            value = self._definitions[ENTRY][name] = self._outer(name)
        return value

    def _begun(self, name: str, header: int) -> int:
        """Return what a name stands for at the header of a loop that is not at its end."""
        value = self._definitions[header].get(name, NONE)
        if value < 0:
            value = self._definitions[header][name] = self._phi(header)
            self._incomplete.setdefault(header, []).append((name, value))
        return value

    def _outer(self, name: str) -> int:
        found = self.record.outer.get(name, NONE)
        if found < 0:
            found = self.record.outer[name] = self._emit_nowhere(OUTER, NONE, name)
        return found

    def _read(self, name: str, block: int) -> int:
        """Return what a name stands for at the end of a block."""
        value = self._definitions[block].get(name, NONE)
        if value < 0:
            value = self._last(name, block)
            if value < 0:
                value = self._walk(name, block)
            self._definitions[block][name] = value
        return value

    def _walk(self, name: str, block: int) -> int:
        """Look for what a name stands for in what leads to a block, and back from there."""
        passed: list[int] = []
        all_predecessors = self.record.predecessors
        while True:
            value = self._definitions[block].get(name, NONE)
            if value >= 0:
                break
            if self._sealed[block] < 0:
                value = self._begun(name, block)
                break
            predecessors = all_predecessors[block]
            above = self._dominators.above[block]
            if above >= 0 and (len(predecessors) == 1 or not self._is_bound_between(name, above, block)):
                passed.append(block)
                block = above
                continue
            if not predecessors:
                value = self._outer(name) if block == ENTRY else self._emit_nowhere(UNBOUND, NONE, name)
            elif block in self._headers or self._depth >= _DEEPEST_READ:
                value = self._definitions[block][name] = self._phi(block)
                if self._depth >= _DEEPEST_READ:
                    self._deferred.append((name, value, block))
                else:
                    self._fill(name, value, block)
            else:
                value = self._join(name, block, predecessors)
            self._definitions[block][name] = value
            break
        for one in passed:
            self._definitions[one][name] = value
        return value

    def _is_bound_between(self, name: str, above: int, block: int) -> bool:
        """Whether a name is bound on a way to a block from its dominator: by what was lowered in between."""
        bound = self._bound.get(name, ())
        place = bisect_left(bound, self.record.block_end[above])
        return place < len(bound) and bound[place] < self._sealed[block]

    def _join(self, name: str, block: int, predecessors: list[int]) -> int:
        """Return what a name stands for where several ways meet: no phi where all say the same."""
        self._depth += 1
        values = [self._read(name, one) for one in predecessors]
        self._depth -= 1
        value = self._definitions[block].get(name, NONE)
        if value >= 0:  # a way led round to here
            return value
        first = values[0]
        for one in values:
            if one != first:
                value = self._phi(block)
                self.extra[value] = tuple(values)
                return value
        return first

    def _phi(self, block: int) -> int:
        value = self._emit_nowhere(PHI, block, ())
        self.record.block_phis[block].append(value)
        return value

    def _fill(self, name: str, phi: int, block: int) -> None:
        """Give a phi its operands."""
        self._depth += 1
        self.extra[phi] = tuple([self._read(name, one) for one in self.record.predecessors[block]])
        self._depth -= 1
        while self._depth == 0 and self._deferred:
            waiting, other, where = self._deferred.pop()
            self._fill(waiting, other, where)

    def finish(self) -> None:
        """End the record: control runs off its end, and phis that join one value become copies of it."""
        record = self.record
        self.link(EXIT_BLOCK)
        if self.block >= 0 and record.block_end[self.block] < 0:
            record.block_end[self.block] = len(self.code)
        self.seal(EXIT_BLOCK)
        for block, start in enumerate(record.block_start):
            if start < 0:  # the exit, and what nothing led to
                record.block_start[block] = record.block_end[block] = len(self.code)
        self._copy_trivial_phis()

    def _copy_trivial_phis(self) -> None:
        code, operand, extra = self.code, self.operand, self.extra
        waiting = [phi for phis in self.record.block_phis for phi in phis]
        changed = True
        while changed:
            changed, left = False, []
            for phi in waiting:
                joined = NONE
                for value in extra[phi]:
                    while code[value] == COPY:
                        value = operand[value]
                    if value != phi and value != joined:
                        if joined >= 0:
                            left.append(phi)
                            break
                        joined = value
                else:
                    block = operand[phi]
                    self.record.block_phis[block].remove(phi)
                    # One that joins nothing but itself stands on a way that nothing takes.
                    code[phi], operand[phi] = (COPY if joined >= 0 else UNBOUND), joined
                    extra[phi] = block
                    changed = True
            waiting = left
