"""What operations give while options have their defaults: parameters, settings, and attributes made of them.

What an attribute is by default that a test asks for (``self.config.clip``) is for the project to say: it is
assumed, and asked again with each of what it may be.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.guards import guards_within
from overhead_lint.analysis.graph.option import (
    ARGUMENT,
    ATTRIBUTE,
    BY_KEYWORD,
    ENTRY,
    GLOBAL,
    PASSED,
    RUN_BY_INSTANCES,
    TOLD_ELSEWHERE,
    Option,
)
from overhead_lint.analysis.ir.annotations import names_said
from overhead_lint.analysis.ir.builder import EXIT_BLOCK
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE as READ
from overhead_lint.analysis.ir.opcodes import (
    BIND,
    BOOLEAN,
    BUILD,
    CALL,
    COMPARE,
    CONSTANT,
    IMPORT,
    ITEM,
    OUTER,
    PARAMETER,
    PHI,
    RAISE,
    RETURN,
    SET_ATTRIBUTE,
    STORE_OUTER,
    UNARY,
)
from overhead_lint.analysis.ir.queries import bound, uncopied
from overhead_lint.analysis.ir.records import GUARD_BRANCH, LAMBDA_BODY, NONE
from overhead_lint.analysis.options.constants import is_comparable, is_word, member
from overhead_lint.analysis.options.known import MADE, NO_OPTIONS, Known, both, each, is_same
from overhead_lint.analysis.options.known_sites import CIRCLING, KnownSites
from overhead_lint.analysis.options.lookups import (
    OF_SETTINGS,
    attribute_asked,
    entry_read,
    is_instance,
    looked_up,
    switch_asked,
)
from overhead_lint.analysis.options.owners import class_of
from overhead_lint.analysis.options.parameter_groups import ParameterGroups
from overhead_lint.analysis.options.stored import is_restoring
from overhead_lint.analysis.vocabulary import ASKING_FOR_NONE, BATCHING, FIRST_GIVEN
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from overhead_lint.analysis.ir.names import Site
    from overhead_lint.analysis.ir.records import Annotation
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["Defaults"]

_OF_MODULES: Final = frozenset("data device dtype grad is_cuda requires_grad shape training".split())  # noqa: SIM905
"""What tensors and modules have, which is no option."""
_OF_TENSORS: Final = frozenset({"device", "dtype"})
"""What has no settings, since tensors and modules have it: ``device.type``."""
_SCALARS: Final = frozenset({"bool", "float", "int", "str"})
_AROUND_SCALARS: Final = frozenset({"None", "Optional", "Union", "|"})
_CONVERSIONS: Final[dict[str, Callable[[Any], Any]]] = {"bool": bool, "float": float, "int": int, "str": str}
_CONSTANTS: Final = (bool, float, int, str, type(None))
_DEFAULTS: Final = frozenset({BIND, CONSTANT, OUTER, UNARY})
"""What the default of a parameter is read from; a negative number is no constant."""
_SAYING_DEFAULTS: Final = "option"
"""The decorator of click that has the default of a parameter."""
# Names that are bound more often than that are not followed.
_MOST_BINDINGS: Final = 8
_COMPARED: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "is": operator.is_,
    "is not": operator.is_not,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}


class Defaults(KnownSites):
    """What the operations of one file give while its options have their defaults.

    Args:
        stored: what methods of the file store in attributes.
        by_calls: whether parameters are what calls pass for them, and not their defaults.
    """

    def __init__(self, stored: StoredAttributes, *, by_calls: bool = False) -> None:
        super().__init__(stored.names.functions, _EVALUATE)
        self._by_calls = by_calls
        self._names = stored.names
        self._stored = stored
        self._groups = ParameterGroups(stored.names)
        self._options: dict[Site, Option] = {}
        self._elsewhere: dict[Site, Option | None] = {}
        self._keeping: dict[Site, int] = {}  # the numbers of attributes, by what first stores them

    def _evaluate(self, code: int, place: int, at: int, depth: int) -> Known | None:
        return _EVALUATE[code](self, place, at, depth)

    # Operators

    def _unary(self, place: int, at: int, depth: int) -> Known | None:
        record = self._functions[place]
        sign = record.extra[at]
        inner = self.of(place, record.operand[at], depth) if sign in ("not", "-") else None
        if inner is None or sign == "not":
            return inner._replace(value=not inner.value) if inner is not None else None
        return inner._replace(value=-inner.value) if isinstance(inner.value, (int, float)) else None

    def _boolean(self, place: int, at: int, depth: int) -> Known | None:
        word, *values = self._functions[place].extra[at]
        if word == "if":
            return self._chosen(place, values, depth)
        known = [self.of(place, value, depth) for value in values]
        ends = word == "or"
        for number, one in enumerate(known):
            if one is None or bool(one.value) is not ends:
                continue
            if depth == 0:  # each that decides is enough
                deciding = [more for more in known if more is not None and bool(more.value) is ends]
                single = [more for more in deciding if not more.is_joint]
                options = frozenset().union(*(more.options for more in single))
                return Known(one.value, options) if single else one
            if None not in known[:number]:
                return one
            # What it is, and not whether it is true, may be for the part before to say.
            return one._replace(value=MADE) if ends else None
        if any(one is None for one in known):
            return None
        return each(not ends, [one for one in known if one is not None])

    def _chosen(self, place: int, values: Sequence[int], depth: int) -> Known | None:
        """What is chosen: ``Loss() if weighted else None``."""
        test, *chosen = values
        asked = self.of(place, test, depth)
        if asked is None:
            return None
        known = self._made(place, chosen[0 if asked.value else 1], depth)
        return both(known.value, [asked, known]) if known is not None else None

    def _made(self, place: int, value: int, depth: int) -> Known | None:
        """What one of several ways gives: what a call makes is there, whatever it is."""
        known, record = self.of(place, value, depth), self._functions[place]
        if known is None and record.code[bound(record, value)] == CALL:
            return Known(MADE, NO_OPTIONS)
        return known

    def _compared(self, place: int, at: int, depth: int) -> Known | None:
        record = self._functions[place]
        others, words = record.extra[at]
        compare = _COMPARED.get(words[0]) if len(words) == 1 else None
        if compare is None:
            return None
        left, right = self._side(place, record.operand[at], depth), self._listed(place, others[0], depth)
        if left is None or right is None:
            return None
        asked = right.value if isinstance(right.value, list) else [right.value]
        if not is_comparable(one for one in (left.value, *asked) if isinstance(one, str) and is_word(one)):
            return None
        if MADE in (left.value, right.value) and words[0] not in ("is", "is not"):
            return None
        if any(option.kind in TOLD_ELSEWHERE for option in left.options):
            self.words.update((one, None) for one in asked if isinstance(one, str) and is_word(one))
        try:
            return both(compare(left.value, right.value), [left, right])
        except TypeError:
            return None

    def _listed(self, place: int, at: int, depth: int) -> Known | None:
        """What is compared with: a constant, or several of them."""
        record = self._functions[place]
        if record.code[at] != BUILD:
            return self._side(place, at, depth)
        kind, *held = record.extra[at]
        if kind not in ("list", "set", "tuple"):
            return None
        found = [record.extra[one] if record.code[one] == CONSTANT else member(record, one) for one in held]
        is_known = all(record.code[one] == CONSTANT or word for one, word in zip(held, found, strict=True))
        return Known(found, NO_OPTIONS) if is_known else None

    def _side(self, place: int, at: int, depth: int) -> Known | None:
        """What is compared, which may be a member of an enumeration."""
        word = member(self._functions[place], at)
        return Known(word, NO_OPTIONS) if word else self.of(place, at, depth)

    # Names

    def _parameter(self, place: int, at: int, _: int) -> Known | None:
        """What a parameter is that has a constant for its default, or that calls tell."""
        self._note_parameter()
        record = self._functions[place]
        number = record.operand[at]
        if record.decorators and _SAYING_DEFAULTS in self._names.decorators(place):
            return self._assumed(Option(ATTRIBUTE, record.name, record.parameters[number].name))
        if self._by_calls:
            return self._passed(place, number)
        default = self._default(place, number)
        is_input = record.name == "forward" and number == 1 and record.parameters[1].kind == ""
        if record.kind == LAMBDA_BODY or default is None or is_input:
            return None
        option = self._options.get((place, number))
        if option is None:
            option = self._options[place, number] = self._option(place, number, default.value)
        return Known(default.value, frozenset({option}))

    def _passed(self, place: int, number: int) -> Known | None:
        """What a parameter is that calls tell; None for data, and for what others than calls may tell.

        What is None by default is data more often than not. Who runs a `forward` may pass anything by its
        place.
        """
        record = self._functions[place]
        parameter = record.parameters[number]
        if record.kind == LAMBDA_BODY or record.name in RUN_BY_INSTANCES or parameter.kind.startswith("*"):
            return None
        default = self._default(place, number)
        if default is None and parameter.default != NONE:
            return None
        if default is not None and default.value is None:
            return None
        option = self._options.get((place, number))
        if option is None:
            option = self._option(place, number, default.value if default is not None else None)
            otherwise = option.default if default is not None else ""
            option = option._replace(kind=PASSED, default="", is_scalar=False, otherwise=otherwise)
            self._options[place, number] = option
        if option.place == BY_KEYWORD and parameter.kind != "=":
            return None  # the object itself
        self.assumes = True
        return Known(self.assumed, frozenset({option}))

    def _default(self, place: int, number: int) -> Known | None:
        record = self._functions[place]
        default = record.parameters[number].default
        around = self._functions[record.parent]
        if default == NONE:
            return None
        if around.code[default] in _DEFAULTS:
            return self.of(record.parent, default)
        word = member(around, default)
        return Known(word, NO_OPTIONS) if word else None

    def _option(self, place: int, number: int, default: object) -> Option:
        record = self._functions[place]
        parameter = record.parameters[number]
        slot = BY_KEYWORD
        if parameter.kind in ("", "/"):
            is_bound = self._names.is_method(place) and "staticmethod" not in self._names.decorators(place)
            slot = number - is_bound
        is_scalar = default is None and record.name == "__init__" and _is_scalar(parameter.annotation)
        return Option(ARGUMENT, self._names.path(place), parameter.name, repr(default), slot, is_scalar)

    def _bound(self, place: int, at: int, depth: int) -> Known | None:
        known = self.of(place, self._functions[place].operand[at], depth + 1)
        return self._global(at, known) if place == 0 and known is not None else known

    def _global(self, at: int, known: Known) -> Known | None:
        """What a name of the module is: given one constant, it is what users of a program change there.

        What functions bind as well may be anything.
        """
        name = self._functions[0].extra[at]
        sites = self._names.bindings(0, name)
        if any(place for place, _ in sites):
            return None
        is_one = len(sites) == 1 and not known.options and isinstance(known.value, _CONSTANTS)
        if not is_one or name.startswith("__"):
            return known
        return known._replace(options=frozenset({Option(GLOBAL, "", name, repr(known.value))}))

    def _outer(self, place: int, at: int, depth: int) -> Known | None:
        """What a name of the module, or of a function around, is wherever it is bound."""
        sites = self._names.bindings(place, self._functions[place].extra[at])
        if not sites or len(sites) > _MOST_BINDINGS:
            return None
        shut = [self._shut_out(*site, NONE, depth) for site in sites]
        return self._joined(
            [site for site, one in zip(sites, shut, strict=True) if one is None],
            [one for one in shut if one is not None],
            depth,
        )

    def _phi(self, place: int, at: int, depth: int) -> Known | None:
        """What a name holds where ways meet, but for those that no default takes."""
        record = self._functions[place]
        block, values = record.operand[at], record.extra[at]
        if len(values) > _MOST_BINDINGS:
            return None
        around = record.block_guard[block]
        left, shut = [], []
        for before, value in zip(record.predecessors[block], values, strict=True):
            one = self._shut_at(place, before, around, depth)
            if one is None:
                left.append((place, value))
            else:
                shut.append(one)
        return self._joined(left, shut, depth)

    def _joined(self, sites: Sequence[Site], shut: Sequence[Known], depth: int) -> Known | None:
        """Return what all of some values are that are left where defaults shut out others."""
        found: list[Known] = []
        for place, at in sites:
            one = self._made(place, at, depth + 1) if shut else self.of(place, at, depth + 1)
            if one is None:
                return None
            if one is not CIRCLING:
                found.append(one)
        if not found or any(not is_same(one.value, found[0].value) for one in found):
            return None
        return each(found[0].value, [*found, *shut])

    def _shut_out(self, place: int, at: int, around: int, depth: int) -> Known | None:
        """What keeps an operation from running while options have their defaults; None if nothing does."""
        return self._shut_at(place, self._names.flow(place).block_of(at), around, depth)

    def _shut_at(self, place: int, block: int, around: int, depth: int) -> Known | None:
        """What keeps a block from running, of the guards between one around and the block."""
        guards = self._functions[place].guards
        for number in guards_within(self._names.flow(place), block, around):
            guard = guards[number]
            known = None
            if guard.kind == GUARD_BRANCH:
                known = self._keeps_from(guard.outcome, place, guard.condition, depth)
            if known is not None:
                return known
        return None

    def _keeps_from(self, outcome: bool, place: int, test: int, depth: int) -> Known | None:
        """What keeps a test from an outcome while options have their defaults; None if nothing does."""
        record = self._functions[place]
        parts = record.extra[test][1:] if record.code[test] == BOOLEAN else ()
        if parts and record.extra[test][0] == ("and" if outcome else "or"):
            every = (self._keeps_from(outcome, place, part, depth) for part in parts)
            return next((one for one in every if one is not None), None)
        known = self.of(place, test, depth + 1)
        is_shut = known is not None and known.options and bool(known.value) is not outcome
        return known if is_shut else None

    # Attributes, entries and calls

    def _attribute(self, place: int, at: int, depth: int) -> Known | None:
        stores = self._stores(place, at)
        if stores and stores[0] in self._keeping:
            # What is set where it is None yet is asked for what else it may be.
            self._hang_on(self._keeping[stores[0]])
            return None
        kept = self._kept(stores, self._number((place, at)), depth)
        if kept is None and len(stores) == 1 and self._stored.is_parameter(*stores[0]):
            return None  # it is for calls to say
        of_class = self._stored.properties(place, at) if kept is None else ()
        if of_class:
            kept = self._result(of_class[0], depth)
        return kept if kept is not None else self._assumed(self._told_elsewhere(place, at))

    def _result(self, method: int, depth: int) -> Known | None:
        """What a method gives, but for what no default lets it give; None if it may end without."""
        record = self._functions[method]
        shut, left = [], []
        for block in record.predecessors[EXIT_BLOCK]:
            one = self._shut_at(method, block, NONE, depth)
            last = record.block_end[block] - 1
            code = record.code[last] if last >= record.block_start[block] else NONE
            if one is not None:
                shut.append(one)
            elif code == RETURN and record.operand[last] != NONE:
                left.append((method, record.operand[last]))
            elif code != RAISE:
                return None
        return self._joined(left, shut, depth)

    def _assumed(self, option: Option | None) -> Known | None:
        """What an option is taken to be whose default the project may know."""
        if option is None:
            return None
        self.assumes = True
        return Known(self.assumed, frozenset({option}))

    def _kept(self, stores: Sequence[Site], number: int, depth: int) -> Known | None:
        """What an attribute of ``self`` is set to, if nothing sets it to something else by default.

        What restores it aside. Set to a constant, unless an option gives it something else, it is what the
        class keeps for itself.
        """
        left, shut = [], []
        for where, store in stores:
            record = self._functions[where]
            if record.code[store] != SET_ATTRIBUTE:
                return None
            self._keeping[stores[0]] = number
            one = self._shut_out(where, store, NONE, depth)
            del self._keeping[stores[0]]
            if one is None:
                left.append((where, record.extra[store][1]))
            else:
                shut.append(one)
        if not shut and (len(left) != 1 or self._functions[left[0][0]].code[left[0][1]] == CONSTANT):
            return None
        return self._joined(left, shut, depth)

    def _stores(self, place: int, at: int) -> list[Site]:
        """What stores or deletes an attribute of ``self``, but for what restores it."""
        stores = self._stored.of(place, at)
        return [one for one in stores if not is_restoring(self._functions[one[0]].name)]

    def _told_elsewhere(self, place: int, at: int) -> Option | None:
        """The option that an attribute of an object is whose default the project may know by its name."""
        site = place, at
        if site not in self._elsewhere:  # asked again with each of what it may be
            record = self._functions[place]
            self._elsewhere[site] = self._of_object(place, record.operand[at], record.extra[at])
        return self._elsewhere[site]

    def _of_object(self, place: int, holder: int, name: str) -> Option | None:
        names = self._names
        if name in _OF_MODULES or (name[:1].isupper() and not name.isupper()):
            return None
        owner, root = names.dotted(place, holder), names.root(place, holder)
        if (
            not owner
            or owner.rpartition(".")[2] in _OF_TENSORS
            or not (owner.partition(".")[0] == "self" or self._may_hold_settings(place, root))
        ):
            return None
        its_class = class_of(self._stored, place, holder)
        return Option(ATTRIBUTE, owner, name, of_class=its_class)

    def _may_hold_settings(self, place: int, at: int) -> bool:
        """Whether a name may hold settings: a value, or what is imported as ``cfg``."""
        names = self._names
        if names.holds_values(place, at):
            return True
        home, made = names.source(place, at)
        is_imported = self._functions[home].code[made] == IMPORT
        return is_imported and words(names.name(place, at))[-1:] in OF_SETTINGS

    def _entry(self, place: int, at: int, depth: int) -> Known | None:
        """What an entry of settings is by its key: ``config["train"]``, ``config.get("deep", False)``."""
        source = self._groups.source(place, at)
        if source is not None:
            return self.of(*source, depth + 1)
        record, names = self._functions[place], self._names
        keys, one = [], at
        while record.code[one] in (CALL, READ, ITEM):
            is_attribute = record.code[one] == READ
            read = (record.operand[one], record.extra[one]) if is_attribute else entry_read(record, one)
            if read is None:
                return None
            keys.append(read[1])
            one = uncopied(record, read[0])
        root = names.name(place, one)
        if not root or not (root == "self" or self._may_hold_settings(place, one)):
            return None
        if record.code[one] == PARAMETER and record.parameters[record.operand[one]].kind == "**":
            return None  # calls pass it by keywords
        return self._assumed(Option(ENTRY, ".".join([root, *keys[:0:-1]]), keys[0]))

    def _call(self, place: int, at: int, depth: int) -> Known | None:
        record = self._functions[place]
        arguments, by_name = record.extra[at]
        found = looked_up(self._names, place, at)
        if found is not None:
            return Known(found[0], frozenset({found[1]}))
        if switch_asked(record, at) is not None or self._groups.source(place, at) is not None:
            return self._entry(place, at, depth)
        called = uncopied(record, record.operand[at])
        if record.code[called] == OUTER:
            read = attribute_asked(record, at)
            if read is not None:
                return self._assumed(self._of_object(place, arguments[0], read[0]))
            if len(arguments) == 2 and not by_name and self._names.is_builtin(place, called, "isinstance"):
                asked = self.of(place, arguments[0], depth)
                if asked is None or not asked.options or asked.value is MADE:
                    return None
                return asked._replace(value=is_instance(self._names, place, asked.value, arguments[1]))
            if len(arguments) == 1 and not by_name and record.extra[called] in _CONVERSIONS:
                return self._converted(place, called, arguments[0], depth)
            return self._unless_none(place, at, depth)
        if not BATCHING.isdisjoint(words(last_name(record, called))):
            batched = self._batched(place, arguments, depth)
            if batched is not None:
                return batched
        return self._given(place, at, depth)

    def _batched(self, place: int, arguments: Sequence[int], depth: int) -> Known | None:
        """Whether ``can_use_foreach(group, foreach)`` says yes: torch updates all at once unless told not to.

        That is so of tensors on a GPU. None is the default of ``foreach``, and leaves it to torch.
        """
        for value in arguments:
            known = self.of(place, value, depth + 1)
            if known is not None and any(option.name in BATCHING for option in known.options):
                return known._replace(value=known.value is None or bool(known.value))
        return None

    def _unless_none(self, place: int, at: int, depth: int) -> Known | None:
        """What the helpers give by which many files ask for None: ``exists(mask)``, ``default(size, 8)``."""
        record = self._functions[place]
        arguments, name = record.extra[at][0], record.extra[uncopied(record, record.operand[at])]
        asks = name in ASKING_FOR_NONE and len(arguments) == 1
        if not asks and not (name in FIRST_GIVEN and len(arguments) == 2):
            return None
        known = self.of(place, arguments[0], depth + 1)
        if known is None or not self._names.bindings(place, name):
            return None
        if asks:
            return known._replace(value=known.value is not None)
        if known.value is not None:
            return known
        other = self._made(place, arguments[1], depth + 1)
        return both(other.value, [known, other]) if other is not None else None

    def _converted(self, place: int, called: int, value: int, depth: int) -> Known | None:
        """What a conversion gives: ``self.strict = bool(strict)``."""
        name = self._functions[place].extra[called]
        known = self.of(place, value, depth)
        if known is None or known.value is MADE or not self._names.is_builtin(place, called, name):
            return None
        try:
            return known._replace(value=_CONVERSIONS[name](known.value))
        except (TypeError, ValueError):
            return None

    def _given(self, place: int, at: int, depth: int) -> Known | None:
        """What a method gives, whichever class has it: ``self.is_fast()``."""
        record = self._functions[place]
        called = uncopied(record, record.operand[at])
        if record.code[called] != READ or self._names.name(place, record.operand[called]) != "self":
            return None
        known = [self._result(method, depth) for method in self._stored.methods(record.extra[called])]
        found = [one for one in known if one is not None and one.value is not MADE]
        if not found or len(found) < len(known) or len({bool(one.value) for one in found}) > 1:
            return None
        return each(bool(found[0].value), found)


_EVALUATE: Final[dict[int, Callable[[Defaults, int, int, int], Known | None]]] = {
    BIND: Defaults._bound,
    BOOLEAN: Defaults._boolean,
    CALL: Defaults._call,
    COMPARE: Defaults._compared,
    ITEM: Defaults._entry,
    OUTER: Defaults._outer,
    PARAMETER: Defaults._parameter,
    PHI: Defaults._phi,
    READ: Defaults._attribute,
    STORE_OUTER: Defaults._bound,
    UNARY: Defaults._unary,
}


def _is_scalar(said: Annotation | None) -> bool:
    """Whether an annotation says that something is a flag, a number or a word: ``Optional[float]``."""
    if said is None:
        return False
    named = {name.rpartition(".")[2] for name in names_said(said)}
    return named <= _SCALARS | _AROUND_SCALARS and not named.isdisjoint(_SCALARS)
