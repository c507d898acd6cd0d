"""What is kept between calls, or between the rounds of a hot loop: branches that make it hardly ever run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import names_where
from overhead_lint.analysis.gates.access import Path, attribute_path, path_of, reads
from overhead_lint.analysis.gates.region import ADDING, fills, methods_of
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.ir.naming import last_name, written
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BUILD,
    CALL,
    CONSTANT,
    ITEM,
    OUTER,
    PARAMETER,
    PHI,
    SET_ATTRIBUTE,
)
from overhead_lint.analysis.ir.queries import bound, constant, made_of, uncopied
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.vocabulary import DONE_FLAGS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from overhead_lint.analysis.gates.region import Region
    from overhead_lint.analysis.gates.rounds import Rounds
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["Kept"]

_CONVERTED: Final = frozenset({"device", "dtype"})
_CONVERTING: Final = frozenset({"to", "type", "type_as"})
_FILLING: Final = frozenset({"copy_", "fill_"})
_TABLES: Final = frozenset({"defaultdict", "dict", "list", "set"})
_NUMBERS: Final = frozenset({"bool", "float", "int"})
_TAKING: Final = frozenset({"get_nowait", "pop", "popleft"})
_EMPTYING: Final = _TAKING | {"clear", "popitem", "remove"}
_SETTLED: Final = frozenset({ATTRIBUTE, CONSTANT})
"""What may be the size up to which a table is filled, by one thing in each step."""
_JOINING: Final = names_where("torch", lambda told: told.joins)


class Kept:
    """Judges conditions on what is made, filled, set or cleared where they let control come.

    Args:
        names: the names of the file.
        rounds: what names are in hot loops.
        stored: what methods store in attributes.
    """

    def __init__(self, names: Names, rounds: Rounds, stored: StoredAttributes) -> None:
        self._names = names
        self._rounds = rounds
        self._stored = stored

    # What stays

    def stays(self, value: int, then: Region) -> bool:
        """Whether something is the module's, or keeps what a branch gives it while a hot loop runs."""
        return self.lasts(value, then) or self.outlives(value, then)

    def outlives(self, value: int, then: Region) -> bool:
        """Whether a name keeps what a branch gives it over the rounds of a hot loop."""
        return self._rounds.outlives(then.place, value, then.asked)

    def lasts(self, value: int, then: Region) -> bool:
        """Whether a name is the module's or an outer function's, or only ``__init__`` sets an attribute."""
        record = then.record
        value = uncopied(record, value)
        if record.code[value] == ATTRIBUTE:
            return self._is_set_up(value, then)
        return record.code[value] == OUTER and self._is_outside(record.extra[value], then)

    def _is_outside(self, name: str, then: Region) -> bool:
        """Whether a name is bound in a function around, or the module, if that is not what asks."""
        place = then.place
        return place > 0 and any(home != place for home, _ in self._names.bindings(place, name))

    def _is_set_up(self, value: int, then: Region) -> bool:
        """Whether only ``__init__`` sets an attribute to anything but False."""
        for place, store in self._stored.of(then.place, value):
            record = self._names.functions[place]
            if record.code[store] != SET_ATTRIBUTE:
                return False
            given = uncopied(record, record.extra[store][1])
            if record.code[given] == CONSTANT and record.extra[given] is False:
                continue
            if record.name != "__init__" or (
                record.code[given] == BINARY and record.extra[given][1].endswith("=")
            ):
                return False
        return self._names.name(then.place, then.record.operand[value]) == "self"

    # What is stored where it was asked for

    def stored(self, value: int, then: Region) -> Iterator[int]:
        """Yield what is stored where a value was read: in an attribute or item, or by a name."""
        path, name = path_of(then.record, value), self._names.name(then.place, value)
        for store in then.stores:
            if store.path == path if store.path is not None else store.name == name:
                yield store.value

    def keeps(self, kept: int, value: int, then: Region) -> bool:
        """Whether a value is stored where another was read: ``self.size = size``, ``last = step``."""
        return then.is_among(path_of(then.record, value), self.stored(kept, then))

    def provides(self, missing: int, then: Region) -> Gate | None:
        """Return the gate that a test for something missing is: it is provided, where it stays."""
        record = then.record
        path, name = path_of(record, missing), self._names.name(then.place, missing)
        is_direct = record.code[uncopied(record, missing)] in (ATTRIBUTE, ITEM)
        is_attribute = record.code[uncopied(record, missing)] == ATTRIBUTE
        if any(store.path == path for store in then.stores) or (
            is_attribute and self._is_left_to_a_method(missing, then)
        ):
            is_taken = is_attribute and self._is_taken_before(path, then)
            return Gate(GateKind.MISSING, written(record, missing)) if not is_taken else None
        if is_direct or not name or all(store.name != name for store in then.stores):
            return None
        stays = self.stays(missing, then) or then.is_kept()
        return Gate(GateKind.MISSING, written(record, missing)) if stays else None

    def _is_taken_before(self, path: Path, then: Region) -> bool:
        """Whether each call, or round of a hot loop, sets an attribute to None before it asks for it."""
        record, stored = then.record, NONE
        for at in then.before(next(self._rounds.hot_loops(then.place, then.asked), NONE)):
            if record.code[at] == SET_ATTRIBUTE:
                name, value = record.extra[at]
                if attribute_path(path_of(record, record.operand[at]), name) == path:
                    stored = bound(record, value)
        return stored != NONE and record.code[stored] == CONSTANT and record.extra[stored] is None

    def is_unset(self, number: int, then: Region) -> Gate | None:
        """Return the gate that ``self.scale.item() < 0`` is: what is kept tells that there is none yet.

        What is stored in its place may not be made of it.
        """
        record = then.record
        read = _read_number(record, number)
        path = path_of(record, read)
        if not _outlasts_calls(path) or any(reads(record, one, path) for one in then.assigned(path)):
            return None
        if path[0] == ITEM and self._is_filled(record.operand[uncopied(record, read)], then):
            return Gate(GateKind.MISSING, written(record, read))
        is_stored = any(True for _ in then.assigned(path)) or record.code[read] == ATTRIBUTE
        return self.provides(read, then) if is_stored else None

    def provides_attribute(self, call: int, then: Region) -> Gate | None:
        """Return the gate that ``hasattr(x, "name")`` is where it is false: the attribute is set."""
        record = then.record
        holder, named = record.extra[call][0][:2]
        name = constant(record, named)
        if isinstance(name, str):
            path = attribute_path(path_of(record, holder), name)
            if any(store.path == path for store in then.stores):
                return Gate(GateKind.MISSING, f"{written(record, holder)}.{name}")
        wanted = [path_of(record, one) for one in (holder, named)]
        for one in then.calls:
            given = record.extra[one][0][:2]
            if then.builtin(one) == "setattr" and [path_of(record, part) for part in given] == wanted:
                return Gate(GateKind.ATTRIBUTE_MISSING, written(record, holder))
        return None

    def _is_left_to_a_method(self, missing: int, then: Region) -> bool:
        """Whether all that is done is to call a method of the object that lacks the attribute.

        Or it is given back what a method gives that sets the attribute.
        """
        record = then.record
        missing = uncopied(record, missing)
        holder = path_of(record, record.operand[missing])
        for call, has_to_set in ((then.only_call(), False), (then.only_result(), True)):
            for _, method, of in then.methods([call] if call != NONE else []):
                if path_of(record, of) == holder and (
                    not has_to_set or method in self.setters(missing, then)
                ):
                    return True
        return False

    def lacks(self, missing: int, then: Region) -> Gate | None:
        """Return the gate that ``missing is None`` is: it is provided, or stored for a look-up."""
        record = then.record
        found = bound(record, missing)
        if record.code[found] == CALL and record.extra[found][0]:
            called = uncopied(record, record.operand[found])
            if record.code[called] == ATTRIBUTE and record.extra[called] == "get":
                return self.misses(record.operand[called], then)
        return self.provides(missing, then)

    def misses(self, container: int, then: Region) -> Gate | None:
        """Return the gate that ``key not in container`` is: the key is stored; None if it is not."""
        is_kept = then.stores_in(path_of(then.record, container))
        return Gate(GateKind.MISS, written(then.record, container)) if is_kept else None

    # Tables and lists

    def begins(self, table: int, then: Region) -> Gate | None:
        """Return the gate of an empty table: it is filled."""
        made = self._made(table, then)
        record = then.record
        is_fresh = any(_is_fresh(then, one) for one in made) and self._names.name(then.place, table) != ""
        if is_fresh and not self.stays(table, then):
            return None
        is_filled = then.stores_in(path_of(record, table)) or self._is_pool(table, then)
        is_filled = is_filled or self._is_filled(table, then)
        return Gate(GateKind.UNFILLED, written(record, table)) if is_filled else None

    def _is_filled(self, table: int, then: Region) -> bool:
        """Whether what only ``__init__`` makes is given something, there or by a method that is called.

        Nothing of its class may take that out again.
        """
        names, record = self._names, then.record
        path, code = path_of(record, table), record.code[uncopied(record, table)]
        if code != ATTRIBUTE or not self.lasts(table, then):
            return False
        called, around = self._methods_of_holder(table, then), names.class_around(then.place)
        methods = [one for at, one in enumerate(names.functions) if names.class_around(at) == around]
        return not any(_does(one, path, _EMPTYING) for one in methods) and (
            then.stores_in(path)
            or any(one.name in called and fills(one, path, range(len(one.code))) for one in methods)
        )

    def _is_pool(self, table: int, then: Region) -> bool:
        """Whether a table keeps what is used again: it is taken from there, and elsewhere given back."""
        path = path_of(then.record, table)
        if not self.lasts(table, then) or not _does(then.record, path, _TAKING):
            return False
        around, given = self._names.class_around(then.place), _TAKING | {then.record.name}
        return any(
            _does(record, path, ADDING, given)
            for place, record in enumerate(self._names.functions)
            if path[0] == OUTER or self._names.class_around(place) == around
        )

    def collects_nothing(self, found: int, then: Region) -> bool:
        """Whether a list is asked about that was begun empty, and whose parts are joined: it has some."""
        record, flow = then.record, then.flow
        name, made = self._names.name(then.place, found), self._made(found, then)
        if not name or not made or not self._is_joined(name, then):
            return False
        loop = record.block_loop[then.asked]
        return all(
            (record.code[one], record.extra[one]) == (BUILD, ("list",))
            and record.block_loop[flow.block_of(one)] == loop
            for one in made
        )

    def _is_joined(self, name: str, then: Region) -> bool:
        """Whether a function joins what a local list collects: ``torch.cat(parts)``."""
        record = then.record
        return any(
            code == CALL
            and last_name(record, record.operand[at]) in _JOINING
            and bool(record.extra[at][0])
            and self._names.name(then.place, record.extra[at][0][0]) == name
            for at, code in enumerate(record.code)
        )

    def _made(self, value: int, then: Region) -> list[int]:
        """Return what a value may have been made by, as far as names of its function."""
        return [bound(then.record, one) for one in then.flow.definitions(value)]

    # Flags

    def until_set(self, flag: int, said: tuple[str, ...], then: Region) -> Gate | None:
        """Return the gate of what is false: it is set for good when it is, or its name says so.

        Where a loop ends as soon as it is true, what each round does is no such thing.
        """
        if then.is_loop_condition():
            return None
        record = then.record
        is_attribute = record.code[uncopied(record, flag)] == ATTRIBUTE
        stays = is_attribute or self.stays(flag, then)
        is_set = (stays and self._sets_to(True, flag, then)) or not DONE_FLAGS.isdisjoint(said)
        is_set = is_set or (is_attribute and self._is_raised_by_method(flag, then))
        is_set = is_set or self._is_switched(flag, "train", "eval", then)
        if not is_set and is_attribute and self._is_made(flag, then):
            return Gate(GateKind.MISSING, written(record, flag))
        return Gate(GateKind.SET, last_name(record, flag)) if is_set else None

    def _is_raised_by_method(self, flag: int, then: Region) -> bool:
        """Whether a method is called that sets a flag to true: ``if not self.ready: self.prepare()``.

        Nothing may take that back.
        """
        called = self._methods_of_holder(flag, then)
        stores = self._stored.of(then.place, uncopied(then.record, flag)) if called else ()
        setting, others = (
            {self._names.functions[at].name for at, store in stores if self._sets_true(at, store) is wanted}
            for wanted in (True, False)
        )
        return not called.isdisjoint(setting) and others <= {"__init__"}

    def _sets_true(self, place: int, store: int) -> bool:
        """Whether the constant true is stored in an attribute."""
        record = self._names.functions[place]
        return record.code[store] == SET_ATTRIBUTE and constant(record, record.extra[store][1]) is True

    def _is_switched(self, flag: int, method: str, back: str, then: Region) -> bool:
        """Whether a module is put into another mode, and not back: ``if model.training: model.eval()``."""
        record, flag = then.record, uncopied(then.record, flag)
        if record.code[flag] != ATTRIBUTE or record.extra[flag] != "training":
            return False
        holder = path_of(record, record.operand[flag])
        calls = [at for at, code in enumerate(record.code) if code == CALL]
        return method in self._methods_of_holder(flag, then) and not any(
            name == back and path_of(record, of) == holder for _, name, of in then.methods(calls)
        )

    def _is_made(self, flag: int, then: Region) -> bool:
        """Whether what is worked out is assigned to an attribute."""
        path, record = path_of(then.record, flag), then.record
        return any(record.code[uncopied(record, one)] != CONSTANT for one in then.assigned(path))

    def is_cleared(self, flag: int, then: Region) -> bool:
        """Whether the flag that let control come is cleared: ``if self.fresh: self.fresh = False``.

        A method that is called may do so as well: nothing but ``__init__`` sets such a flag to true.
        """
        if self._is_switched(flag, "eval", "train", then):
            return True
        if then.is_loop_condition() or not self.stays(flag, then):
            return False
        is_attribute = then.record.code[uncopied(then.record, flag)] == ATTRIBUTE
        return (is_attribute and self._is_set_by_method(flag, then)) or self._sets_to(False, flag, then)

    def setters(self, flag: int, then: Region) -> set[str]:
        """Return the names of the methods that assign to an attribute."""
        return self._stored.setters(then.place, uncopied(then.record, flag))

    def _methods_of_holder(self, attribute: int, then: Region) -> set[str]:
        """Return the methods that are called, for their effect, of the object that has an attribute."""
        record = then.record
        holder = path_of(record, record.operand[uncopied(record, attribute)])
        called = then.methods(then.statements)
        return {method for _, method, of in called if path_of(record, of) == holder}

    def _sets_to(self, truth: bool, flag: int, then: Region) -> bool:
        """Whether a truth value is assigned to a flag, or written to one that is a tensor."""
        record = then.record
        if any(constant(record, one) is truth for one in self.stored(flag, then)):
            return True
        wanted = path_of(record, flag)
        held = (wanted, attribute_path(wanted, "data"))
        return any(
            method in _FILLING
            and len(record.extra[call][0]) == 1
            and path_of(record, of) in held
            and _written_value(then, record.extra[call][0][0]) == truth
            for call, method, of in then.methods()
        )

    # What is best so far

    def is_best(self, one: int, other: int, then: Region) -> Gate | None:
        """Return the gate of a better value than the one that is kept: it is kept from then on."""
        record = then.record
        for kept, value in ((one, other), (other, one)):
            is_attribute = record.code[uncopied(record, kept)] == ATTRIBUTE
            if (is_attribute or self.stays(kept, then)) and self.keeps(kept, value, then):
                return Gate(GateKind.BEST, written(record, value))
        return None

    def grows(self, kept: int, value: int, then: Region) -> Gate | None:
        """Return the gate that ``kept < value`` is: only a greater one comes again.

        The value is kept, or a method is called that assigns to what is kept.
        """
        is_attribute = then.record.code[uncopied(then.record, kept)] == ATTRIBUTE
        if (is_attribute and self._is_set_by_method(kept, then)) or self._follows(kept, value, then):
            return Gate(GateKind.GROWTH, written(then.record, kept))
        return None

    def changes(self, kept: int, value: int, then: Region) -> Gate | None:
        """Return the gate that ``kept != value`` is: the value is kept, and only another one comes again."""
        return Gate(GateKind.CHANGE, written(then.record, kept)) if self._follows(kept, value, then) else None

    def _follows(self, kept: int, value: int, then: Region) -> bool:
        """Whether a value is kept, in an attribute or item, or what tells of one is made anew."""
        path = path_of(then.record, kept)
        is_place = path[0] in (ATTRIBUTE, ITEM)
        if is_place and then.is_among(path_of(then.record, value), then.assigned(path)):
            return True
        return self._is_made_anew(kept, value, then)

    def _is_made_anew(self, told: int, value: int, then: Region) -> bool:
        """Whether what one side of a comparison tells of is made anew: ``self.table.shape[0] < n``.

        It may not be made of what it was, but by a conversion, and the other side may not tell of it.
        """
        record, told = then.record, bound(then.record, told)
        for one in made_of(record, told, {PHI}) - {told}:
            code, path = record.code[one], path_of(record, one)
            if not (self.lasts(one, then) if code == OUTER else _is_of_self(path)):
                continue
            if reads(record, value, path):
                continue
            stored = list(self.stored(one, then))
            is_converted = record.code[told] == ATTRIBUTE and record.extra[told] in _CONVERTED
            if stored and not any(
                reads(record, made, path) and not (is_converted and _converts(record, made, path))
                for made in stored
            ):
                return True
            if not stored and code == ATTRIBUTE and self._is_set_by_method(one, then):
                return True
            if record.code[bound(record, value)] not in _SETTLED and self._is_filled(one, then):
                return True
        return False

    def _is_set_by_method(self, attribute: int, then: Region) -> bool:
        """Whether a method is called that assigns to an attribute of the object that has it."""
        return not self.setters(attribute, then).isdisjoint(self._methods_of_holder(attribute, then))


def _read_number(record: FunctionIR, value: int) -> int:
    """Return what a number is read from: ``self.scale`` of ``float(self.scale)``, ``self.scale.item()``."""
    value = bound(record, value)
    while record.code[value] == CALL:
        called, given = uncopied(record, record.operand[value]), record.extra[value][0]
        if record.code[called] == ATTRIBUTE and record.extra[called] == "item":
            value = bound(record, record.operand[called])
        elif record.code[called] == OUTER and record.extra[called] in _NUMBERS and len(given) == 1:
            value = bound(record, given[0])
        else:
            break
    return value


def _outlasts_calls(path: Path) -> bool:
    """Whether what is stored at a path is there in the next call: an attribute, or an item of one."""
    while path[0] == ITEM:
        path = path[1]
    return bool(path[0] == ATTRIBUTE)


def _converts(record: FunctionIR, made: int, path: Path) -> bool:
    """Whether a value is what is kept at a path, on another device or of another type."""
    made = bound(record, made)
    if record.code[made] != CALL:
        return False
    called = uncopied(record, record.operand[made])
    is_conversion = record.code[called] == ATTRIBUTE and record.extra[called] in _CONVERTING
    return is_conversion and path_of(record, record.operand[called]) == path


def _is_of_self(path: Path) -> bool:
    """Whether what is stored at a path is of ``self``: its attribute, or one or an item of that."""
    is_part = path[0] in (ATTRIBUTE, ITEM)
    while path[0] in (ATTRIBUTE, ITEM):
        path = path[1]
    return is_part and path == ("self",)


def _does(record: FunctionIR, path: Path, methods: Collection[str], given: Collection[str] = ()) -> bool:
    """Whether a function calls some methods of what has a path, if asked with what it is given itself."""
    return any(
        method in methods
        and path_of(record, holder) == path
        and (not given or any(_is_given(record, one, given) for one in record.extra[call][0]))
        for call, method, holder in methods_of(record)
    )


def _is_given(record: FunctionIR, value: int, by: Collection[str]) -> bool:
    """Whether a value is a parameter, or what a call of one of some names gives."""
    code = record.code[value := bound(record, value)]
    return code == PARAMETER or (code == CALL and last_name(record, record.operand[value]) in by)


def _is_fresh(then: Region, made: int) -> bool:
    """Whether a table is made by each call."""
    record = then.record
    is_made = record.code[made] == CALL and last_name(record, record.operand[made]) in _TABLES
    return is_made or record.code[made] == BUILD


def _written_value(then: Region, value: int) -> object:
    """Return the constant that fills a tensor: ``flag.data.copy_(torch.tensor([True]))``; None for others."""
    record = then.record
    value = bound(record, value)
    if record.code[value] == CALL and record.extra[value][0]:
        value = bound(record, record.extra[value][0][0])
    if record.code[value] == BUILD and record.extra[value][0] == "list" and len(record.extra[value]) == 2:
        value = record.extra[value][1]
    return constant(record, value)
