"""What the calls of a file pass, by the plain names of what they call, so that unused options are known.

Beside that what it hands over, sets and names: whoever has a function may pass it anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import RUN_BY_INSTANCES
from overhead_lint.analysis.graph.passed_arguments import ANYTHING, CALLED, MANY, Role, Slot
from overhead_lint.analysis.ir import opcodes
from overhead_lint.analysis.ir.annotations import names_said
from overhead_lint.analysis.ir.naming import last_name, name_of
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BOOLEAN,
    BUILD,
    CALL,
    CLASS,
    COMPARE,
    CONSTANT,
    FUNCTION,
    IMPORT,
    OUTER,
)
from overhead_lint.analysis.ir.queries import by_name, by_place, imports_of, operands
from overhead_lint.analysis.ir.records import CLASS_BODY, FUNCTION_BODY
from overhead_lint.analysis.ir.relative_imports import package_above
from overhead_lint.analysis.options.attributes import set_attributes
from overhead_lint.analysis.options.constants import member
from overhead_lint.analysis.options.making import APPLYING, LOOKING_UP, is_of_class
from overhead_lint.analysis.words import words
from overhead_lint.analysis.wrapping_calls import BINDERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from overhead_lint.analysis.graph.option import Option, PlainOption
    from overhead_lint.analysis.graph.passed_arguments import PlainArgument, Receiver
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.options.asked import AskedOptions
    from overhead_lint.analysis.options.making import MadeClasses

__all__ = ["annotated", "arguments", "asks_for", "called", "is_name"]

# Calls with more arguments than these are taken to pass anything.
_MOST_ARGUMENTS: Final = 16
_LONGEST: Final = 24
_SHORT: Final = (bool, int, float, str, type(None))
_LONGEST_PATH: Final = 64
# Other decorators may hand what they decorate to somebody who calls it.
_KNOWN_DECORATORS: Final = frozenset(
    """abstractmethod autocast cached_property classmethod contextmanager dataclass enable_grad export
    inference_mode jit no_grad override overload property script setter staticmethod final wraps
    unused ignore lru_cache cache""".split()  # noqa: SIM905
)
_DOCUMENTING: Final = frozenset({"docstring", "docstrings"})
_COMPARING: Final = frozenset({"!=", "==", "in", "not in"})
_ASKING: Final = frozenset({"isinstance", "issubclass", "super"})
_GIVING_MODULES: Final = frozenset({"__import__", "getattr", "import_module"})
_OWN_CLASS: Final = frozenset({"cls", "__class__"})
_NAMES: Final = frozenset({BIND, opcodes.COPY, OUTER, opcodes.PARAMETER, opcodes.PHI, opcodes.STORE_OUTER})
_BINDING: Final = frozenset({BIND, OUTER})
# Operations that give what they take to somebody, by the operand or by what they write.
_TAKING: Final = frozenset({BIND, opcodes.RETURN, opcodes.STORE_OUTER})
_WRITING: Final = frozenset({opcodes.SET_ATTRIBUTE, opcodes.SET_ITEM})
_OF_ATTRIBUTES: Final = frozenset({ATTRIBUTE, opcodes.DELETE_ATTRIBUTE, opcodes.SET_ATTRIBUTE})
_CONTAINERS: Final = frozenset({"dict", "list", "set", "tuple"})
_Test = tuple[int, int, bool]
"""A function, a value that it tests, and the outcome that something is chosen by."""
_DEFINED: Final = frozenset({CLASS, FUNCTION, IMPORT})
_OWN: Final = frozenset({CLASS_BODY, FUNCTION_BODY})
_LOOKING_UP: Final = LOOKING_UP | {"eval", "exec"}
"""Builtins by which a file gets at its names without saying them."""


def called(
    names: Names, options: AskedOptions, made: MadeClasses, package: str, *, is_package: bool
) -> tuple[tuple[Receiver, tuple[PlainArgument | str, ...]], ...]:
    """Return for each name that is called what is passed, and for each role the names that have it.

    What is imported is told by the name that it has in its file.

    Args:
        names: the names of a file.
        options: what values are while its options have their defaults.
        made: its classes of which objects are made.
        package: where its relative imports begin.
        is_package: whether it is an ``__init__.py``.
    """
    found: dict[Receiver, dict[PlainArgument | str, None]] = {}
    imported = _imported(names)
    texts = [list(_texts(record)) for record in names.functions]
    unused = _unused_imports(names, texts)
    for place, record in enumerate(names.functions):
        for at, code in enumerate(record.code):
            callees: tuple[str, ...] = ()
            if code == CALL:
                callees, skipped = _callees(names, place, at)
                callees = tuple([imported.get(name) or name for name in callees])
                if callees and RUN_BY_INSTANCES.isdisjoint(callees):  # see `object_calls`
                    passed = dict.fromkeys(arguments(record, at, skipped, place, options))
                    for name in callees:
                        found.setdefault(name, {}).update(passed)
            elif code == ATTRIBUTE and record.extra[at] == APPLYING:
                callees = (last_name(record, record.operand[at]),)
                owner = imported.get(callees[0]) or callees[0]
                applied = _applied(names, place, at, options) if is_of_class(owner) else ()
                found.setdefault(f".{owner}.forward", {}).update(dict.fromkeys(applied))
            elif code == IMPORT and record.extra[at][1] not in ("", "*"):
                is_unused = place == 0 and at in unused and not is_package
                path, name = record.extra[at]
                above = package_above(package, record.operand[at]) if record.operand[at] else ""
                keeping = tuple(map(tuple, made.keeping(place, at)))
                source = name, ".".join(filter(None, (above, path))), keeping
                found.setdefault(int(Role.UNUSED if is_unused else Role.IMPORTED), {})[source] = None
            classes = tuple(filter(is_of_class, callees))
            for name, keeping in _made(names, options, made, place, at, classes) if classes else ():
                found.setdefault(name, {}).update({CALLED: None, (int(Slot.MAKING), "", keeping): None})
        for name, holder in _default_classes(names, made, place).items():
            found.setdefault(imported.get(name) or name, {})[int(Slot.MAKING), "", (tuple(holder),)] = None
    names_called = {*found}
    at_home = {record.name for record in names.functions if record.parent == 0}
    decorated = {*_decorated(names)}
    values = [imported.get(name) or name for name in _handed(names, made, texts)]
    handed: dict[PlainArgument | str, None] = dict.fromkeys((*values, *sorted(decorated)))
    if handed:
        found[int(Role.HANDED)] = handed
    of_others = {*imported.values()} - {""}
    for role, said in ((Role.CALLED_AT_HOME, names_called), (Role.HANDED_AT_HOME, handed.keys() - decorated)):
        own = [name for name in said if name in at_home or name in of_others]
        if own:
            found[int(role)] = dict.fromkeys(sorted(own))
    for name, is_off, site in set_attributes(names):
        by_options = tuple(map(tuple, options.around(*site)))
        stored = (name, "", by_options) if by_options else name
        found.setdefault(int(Role.TURNED_OFF if is_off else Role.STORED), {})[stored] = None
    for role, name in _named(names, texts, imported, unused, is_package=is_package):
        is_said = role != Role.ALL_OF and name not in at_home and (name in names_called or name in handed)
        if not is_said and (role != Role.NAMED or name not in of_others):
            found.setdefault(int(role), {})[name] = None
    return tuple((name, tuple(passed)) for name, passed in found.items())


def _imported(names: Names) -> dict[str, str]:
    """Return what a file imports out of modules, "" for modules, by the names that it gives them."""
    return {
        record.extra[at]: record.extra[record.operand[at]][1]
        for record in names.functions
        for at, code in enumerate(record.code)
        if code == BIND and record.code[record.operand[at]] == IMPORT
    }


def is_name(record: FunctionIR, value: int) -> bool:
    """Return whether a value was read by a name."""
    return record.code[value] in _NAMES


# Calls


def _callees(names: Names, place: int, call: int) -> tuple[tuple[str, ...], int]:
    """Return the plain names of what a call may run, and how many of its arguments are none of theirs."""
    record = names.functions[place]
    function, skipped = record.operand[call], 0
    placed = by_place(record, call)
    if placed and last_name(record, function) in BINDERS:
        function, skipped = placed[0], 1
    code = record.code[function]
    if code == ATTRIBUTE and record.extra[function] == "__init__":
        owner = record.operand[function]
        if record.code[owner] == CALL and last_name(record, owner) == "super":
            cls = names.class_around(place)
            return _bases(names, cls) if cls >= 0 else (), skipped
        return (last_name(record, owner),), skipped + 1
    is_read = is_name(record, function)
    name = last_name(record, function) if is_read or code == ATTRIBUTE else ""
    is_function = is_read or is_of_class(name) or name in RUN_BY_INSTANCES
    if name and not is_function and _is_of_object(names, place, names.root(place, function)):
        return (f".{name}",), skipped  # a method, and no function of that name
    if name in _OWN_CLASS or (code == CALL and last_name(record, function) == "type"):
        cls = names.class_around(place)
        return ((names.functions[cls].name,) if cls >= 0 else ()), skipped
    return ((name, *_chosen(names, place, function)) if name else ()), skipped


def _is_of_object(names: Names, place: int, root: int) -> bool:
    """Whether attributes are read of what is no module: ``MODEL = import_module(path)`` holds one."""
    home, at = names.source(place, root)
    record = names.functions[home]
    if record.code[at] == CALL:
        return last_name(record, record.operand[at]) not in _GIVING_MODULES
    return names.holds_values(place, root)


def _applied(names: Names, place: int, apply: int, options: AskedOptions) -> Iterator[PlainArgument]:
    """Yield what an autograd function is given, behind its context; anything if ``apply`` is handed over."""
    record = names.functions[place]
    for user in names.flow(place).uses.get(apply, ()):
        if record.code[user] == CALL and record.operand[user] == apply:
            yield from arguments(record, user, -1, place, options)
        else:
            yield from (ANYTHING, MANY)


def _made(
    names: Names, options: AskedOptions, made: MadeClasses, place: int, at: int, classes: Iterable[str]
) -> Iterator[tuple[str, tuple[PlainOption, ...]]]:
    """Yield some classes if an operation makes objects of them, with the options that keep it from that."""
    record, chosen = names.functions[place], dict[str, tuple[_Test, ...]]()
    if record.code[at] == CALL:
        if last_name(record, record.operand[at]) == "__init__":
            return  # `Base.__init__(self)` is called with an object that is there
        chosen = _chosen(names, place, record.operand[at])
    for name in classes:
        keeping = [*made.keeping(place, at)]
        for test in chosen.get(name, ()):
            keeping += options.shut(*test)
        yield name, tuple(map(tuple, dict.fromkeys(keeping)))


def _bases(names: Names, cls: int) -> tuple[str, ...]:
    """Return the plain names of what a class derives from, by which their files know them."""
    record = names.functions[cls]
    found = []
    for base in record.bases:
        home, at = names.source(record.parent, base)
        origin = names.functions[home]
        imported = origin.extra[at][1] if origin.code[at] == IMPORT else ""
        found.append(imported or names.last_name(record.parent, base))
    return tuple(found)


def _chosen(names: Names, place: int, function: int) -> dict[str, tuple[_Test, ...]]:
    """Return the plain names of what a name was given that is called: ``make = Fast if fast else Slow``.

    Each comes with the tests that choose it.
    """
    record = names.functions[place]
    sites = [(place, function)]
    if record.code[function] == OUTER:
        sites = names.bindings(place, record.extra[function])
    elif not is_name(record, function):
        sites = []
    if len(sites) != 1:
        return {}
    ((home, at),) = sites
    record, found = names.functions[home], {}
    for name, tests in _choices(home, record, record.operand[at]) if record.code[at] == BIND else ():
        found[name] = () if name in found else tests  # another way leads there as well
    return found


def _choices(
    place: int, record: FunctionIR, value: int, tests: tuple[_Test, ...] = ()
) -> Iterator[tuple[str, tuple[_Test, ...]]]:
    if record.code[value] == BOOLEAN and record.extra[value][0] == "if":
        _, test, *ways = record.extra[value]
        for outcome, one in zip((True, False), ways, strict=True):
            yield from _choices(place, record, one, (*tests, (place, test, outcome)))
    elif record.code[value] == ATTRIBUTE or is_name(record, value):
        yield last_name(record, value), tests


def arguments(
    record: FunctionIR, call: int, skipped: int, place: int, options: AskedOptions
) -> Iterator[PlainArgument]:
    """Yield what a call passes as plain data, some first arguments left out, or set behind others."""
    named = by_name(record, call)
    placed, first = by_place(record, call)[max(skipped, 0) :], max(-skipped, 0)
    yield CALLED
    yield int(Slot.SHAPE), " ".join([str(first + len(placed)), *(name for name, _ in named)]), ()
    for slot, value in enumerate(placed[:_MOST_ARGUMENTS], first):
        if record.code[value] == opcodes.STAR:
            yield MANY
            break
        yield _argument(slot, record, value, place, options)
    if len(placed) > _MOST_ARGUMENTS:
        yield MANY
    for name, value in named:
        yield _argument(name, record, value, place, options) if name else ANYTHING


def _argument(
    slot: int | str, record: FunctionIR, value: int, place: int, options: AskedOptions
) -> PlainArgument:
    """Return an argument with the constant that it is, or the options that it hands on."""
    if record.code[value] == CONSTANT and isinstance(record.extra[value], _SHORT):
        return slot, _short(repr(record.extra[value])), ()
    word = member(record, value)
    if word:
        return slot, repr(word), ()
    constant, handed_on = options.passed_through(place, value)
    return slot, constant if handed_on else _short(constant), tuple(map(tuple, handed_on))


def _short(written: str) -> str:
    return written if len(written) <= _LONGEST else ""


# What is handed over


def _default_classes(names: Names, made: MadeClasses, place: int) -> dict[str, Option]:
    """Return the classes that are defaults of a method, which hang on that somebody makes one of its own."""
    record = names.functions[place]
    around = names.functions[record.parent]
    said = {last_name(around, one.default) for one in record.parameters if one.default >= 0}
    own = made.option(place) if said else None
    return {name: own for name in sorted(said) if is_of_class(name)} if own is not None else {}


def _handed(names: Names, made: MadeClasses, texts: Sequence[Sequence[str]]) -> Iterator[str]:
    """Names of functions and classes that are used as values, or stand in texts: who knows who calls them."""
    functions = names.functions
    module = functions[0]
    known = {
        name for name, stores in module.stores.items() if any(_is_definition(module, one) for one in stores)
    }
    methods = {one.name for place, one in enumerate(functions) if names.is_method(place)}
    for place, record in enumerate(functions):
        around = functions[record.parent]
        defaults = [(around, one.default) for one in record.parameters if one.default >= 0]
        if defaults and (classes := _default_classes(names, made, place)):
            defaults = [one for one in defaults if last_name(*one) not in classes]
        for its, value in (*[(record, value) for value in _given_away(names, place)], *defaults):
            if its.code[value] == ATTRIBUTE:
                name = its.extra[value]
                if name[0].isupper() or name in methods:
                    yield name
            elif is_name(its, value) and (name := name_of(its, value)) in known:
                yield name
        for text in texts[place]:
            last = text.rpartition(".")[2]
            if text[:1].isupper() and last.isidentifier():
                yield last


def _decorated(names: Names) -> Iterator[str]:
    """Yield the names of what a decorator may hand to somebody who calls it."""
    for place, record in enumerate(names.functions):
        others = {*names.decorators(place)} - _KNOWN_DECORATORS if record.decorators else ()
        if not all(_DOCUMENTING.intersection(words(name)) for name in others):
            yield record.name


def _is_definition(record: FunctionIR, store: int) -> bool:
    """Return whether a name is bound to what is defined or imported there."""
    return record.code[store] == BIND and record.code[record.operand[store]] in _DEFINED


def _given_away(names: Names, place: int) -> Iterator[int]:
    """Yield what a function assigns, passes, returns, or puts into containers, but asks nothing about.

    Nor what is chosen to be called there.
    """
    record = names.functions[place]
    asked: set[int] = set()
    found: list[tuple[int, Iterable[int]]] = []
    for at, (code, operand, extra) in enumerate(zip(record.code, record.operand, record.extra, strict=True)):
        if code == CALL:
            callee = last_name(record, operand)
            if callee in _ASKING:
                asked.update(extra[0])
            else:
                found.append((at, extra[0][1:] if callee in BINDERS else extra[0]))
        elif code == BUILD and extra[0] in _CONTAINERS:
            found.append((at, extra[1:]))
        elif code == BOOLEAN and extra[0] == "if":
            if not _is_only_called(names, place, at):
                found.append((at, extra[1:]))
        elif code in _TAKING:
            found.append((at, (operand,)))
        elif code in _WRITING:
            found.append((at, (extra[1],)))
        elif code == opcodes.ITEM:
            asked.add(extra)
        elif code == opcodes.EXCEPTION:
            asked.add(operand)
    for at, values in found:
        if at not in asked:
            yield from (value for value in values if value >= 0)


def _is_only_called(names: Names, place: int, choice: int) -> bool:
    """Whether a name is given what is chosen, and only calls read that: see `_chosen`."""
    record, uses = names.functions[place], names.flow(place).uses
    for user in uses.get(choice, ()):
        if record.code[user] == BOOLEAN and record.extra[user][0] == "if":
            if not _is_only_called(names, place, user):
                return False
            continue
        if record.code[user] != BIND or any(record.extra[user] in one.outer for one in names.functions):
            return False
        calls = uses.get(user, ())
        if any(record.code[call] != CALL or record.operand[call] != user for call in calls):
            return False
    return True


def _texts(record: FunctionIR) -> Iterator[str]:
    """Yield the texts in a function that may be paths, but for those that something is only compared with.

    Nor the key of an entry by the name of what it holds: ``{"Part": Part()}`` names it once.
    """
    asked: set[int] = set()
    for at, code in enumerate(record.code):
        if code == COMPARE and record.extra[at][1][0] in _COMPARING:
            for one in (record.operand[at], *record.extra[at][0]):
                asked.update(record.extra[one][1:] if record.code[one] == BUILD else (one,))
        elif code == BUILD and record.extra[at][0] == "dict":
            pairs = zip(record.extra[at][1::2], record.extra[at][2::2], strict=True)
            asked.update(
                key for key, one in pairs if key >= 0 and last_name(record, one) == record.extra[key]
            )
    for at, (code, extra) in enumerate(zip(record.code, record.extra, strict=True)):
        is_text = code == CONSTANT and extra.__class__ is str
        if is_text and extra and len(extra) <= _LONGEST_PATH and at not in asked:
            yield extra


# What is named


def _named(
    names: Names,
    texts: Sequence[Sequence[str]],
    imported: Collection[str],
    unused: Collection[int],
    *,
    is_package: bool,
) -> Iterator[tuple[Role, str]]:
    """Yield plain names of what a file imports, takes out of modules, or names in a text, with their roles.

    That is `Role.NAMED` or `Role.TAKEN`, or `Role.ALL_OF` of modules that it takes all of, or hands over.
    A file that defines something does not take what it imports and does not use; a package offers it.
    """
    functions = names.functions
    asked_for = _asked_for(names)
    for place, record in enumerate(functions):
        inner = {record.operand[at] for at, code in enumerate(record.code) if code in _OF_ATTRIBUTES}
        for at, code in enumerate(record.code):
            extra = record.extra[at]
            if code == IMPORT and extra[1]:
                if extra[1] == "*":
                    yield Role.ALL_OF, extra[0].rpartition(".")[2]
                elif (place or not (is_package or at in unused)) and extra[1] not in asked_for:
                    yield Role.TAKEN, extra[1]
            elif code in _OF_ATTRIBUTES and (at not in inner or is_of_class(extra)):
                if names.name(place, names.root(place, record.operand[at])) in imported:
                    yield Role.NAMED, extra[0] if code == opcodes.SET_ATTRIBUTE else extra
            elif code == CALL:
                for value in by_place(record, at):  # it may be a module that is handed over
                    is_of_module = record.code[value] == ATTRIBUTE
                    if is_of_module and names.name(place, names.root(place, value)) in imported:
                        yield Role.ALL_OF, record.extra[value]
        for text in texts[place]:
            last = text.replace(":", ".").rpartition(".")[2]
            if last.isidentifier():
                yield Role.NAMED, last
    for place in range(len(functions)):
        for name in annotated(names, place):
            root, _, last = name.partition(".")
            if last and root in imported:
                yield Role.NAMED, last.rpartition(".")[2]


def _asked_for(names: Names) -> set[str]:
    """Return the imports, by name, of which a file only asks if objects are of that, or derives classes."""
    functions = names.functions
    derived = {(record.parent, base) for record in functions for base in record.bases}
    imported = {name for _, _, name in imports_of(functions)}
    found, left = set(), set()
    for place, record in enumerate(functions):
        for at, code in enumerate(record.code):
            if code not in _BINDING or record.extra[at] not in imported:
                continue
            users = names.flow(place).uses.get(at, ())
            if users and not all(asks_for(names, place, user, at) for user in users):
                left.add(record.extra[at])
            elif users or (place, at) in derived:
                found.add(record.extra[at])
    return found - left


def asks_for(names: Names, place: int, user: int, value: int) -> bool:
    """Whether an operation asks if objects are of what a value is, or collects values for such questions."""
    record = names.functions[place]
    if record.code[user] == CALL:
        return record.operand[user] != value and last_name(record, record.operand[user]) in _ASKING
    users = names.flow(place).uses.get(user, ()) if record.code[user] == BUILD else ()
    return bool(users) and all(asks_for(names, place, one, user) for one in users)


def _unused_imports(names: Names, texts: Sequence[Sequence[str]]) -> set[int]:
    """Return the imports at the top level of a file whose names it does not use, though it defines something.

    A file that only imports does so for others; one that looks names up may use any.
    """
    functions = names.functions
    top = functions[0]
    if not any(record.parent == 0 and record.kind in _OWN for record in functions):
        return set()
    if any(not _LOOKING_UP.isdisjoint(record.outer) or _asks_modules(record) for record in functions):
        return set()
    said = {name for place in range(len(functions)) for name in annotated(names, place)}
    said = {name.partition(".")[0] for name in said}
    said.update(name for record in functions[1:] for name in record.outer)
    said.update(text for its in texts for text in its)
    used = {value for at in range(len(top)) for value in operands(top, at)}
    for record in functions:
        if record.parent == 0:
            used.update(record.decorators, record.bases, [one.default for one in record.parameters])
    found: set[int] = set()
    for name, stores in top.stores.items():
        if name in said or not used.isdisjoint(stores):
            continue
        found.update(at for one in stores if top.code[at := top.operand[one]] == IMPORT)
    return found


def _asks_modules(record: FunctionIR) -> bool:
    """Whether a function reads ``sys.modules``, which has the module with all its names."""
    return any(
        code == ATTRIBUTE and extra == "modules"
        for code, extra in zip(record.code, record.extra, strict=True)
    )


def annotated(names: Names, place: int) -> Iterator[str]:
    """Yield the names, with dots, in the annotations of a function or class."""
    record = names.functions[place]
    said = [one.annotation for one in record.parameters]
    for one in (*said, record.returns, *record.annotations.values()):
        if one is not None:
            yield from names_said(one)
