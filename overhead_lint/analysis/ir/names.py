"""What names mean over the functions of one file: where they are bound, and how expressions are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.naming import last_name, name_of
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    CLASS,
    COPY,
    FUNCTION,
    IMPORT,
    OUTER,
    PARAMETER,
    PHI,
    STORE_OUTER,
)
from overhead_lint.analysis.ir.queries import Flow, uncopied
from overhead_lint.analysis.ir.records import CLASS_BODY, FUNCTION_BODY

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FileIR

__all__ = ["Names", "Site"]

Site = tuple[int, int]
"""A function's place among those of the file, and the number of an operation in it."""

_DEFINED: Final = frozenset({CLASS, FUNCTION, IMPORT})
_MOST_FOLLOWED: Final = 16


class Names:
    """Names of one file.

    Args:
        file: its record.

    Attributes:
        functions: the records of its functions.
    """

    def __init__(self, file: FileIR) -> None:
        self.functions = file.functions
        self._flows: dict[int, Flow] = {}
        self._definitions: dict[int, int] | None = None
        self._stored_outside: dict[str, list[Site]] | None = None

    def flow(self, place: int) -> Flow:
        """Return what can be asked of a function."""
        known = self._flows.get(place)
        if known is None:
            known = self._flows[place] = Flow(self.functions[place])
        return known

    def bindings(self, place: int, name: str) -> list[Site]:
        """Return what binds a name that a function reads and does not have at its entry.

        Args:
            place: the function.
            name: the name.

        Returns:
            Its bindings in the function around that binds it, or in the module; nothing where none does.
        """
        home = place
        while home >= 0:
            record = self.functions[home]
            if (record.kind != CLASS_BODY or home == place) and name in record.stores:
                return [*((home, at) for at in record.stores[name]), *self._outside.get(name, ())]
            home = record.parent
        return list(self._outside.get(name, ()))

    @property
    def _outside(self) -> dict[str, list[Site]]:
        """Where functions bind names that they declare global or nonlocal."""
        known = self._stored_outside
        if known is None:
            known = self._stored_outside = {}
            for place, record in enumerate(self.functions):
                for at, code in enumerate(record.code):
                    if code == STORE_OUTER:
                        known.setdefault(record.extra[at], []).append((place, at))
        return known

    def class_around(self, place: int) -> int:
        """Return the place of the class body that a function is in, `NONE` for none."""
        while place >= 0 and self.functions[place].kind != CLASS_BODY:
            place = self.functions[place].parent
        return place

    def is_method(self, place: int) -> bool:
        """Whether a function stands in the body of a class."""
        around = self.functions[place].parent
        return around >= 0 and self.functions[around].kind == CLASS_BODY

    def decorators(self, place: int) -> list[str]:
        """Return the last names of a function's decorators, outermost first; "" for what has none."""
        record = self.functions[place]
        return [self.last_name(record.parent, at) for at in record.decorators]

    def path(self, place: int) -> str:
        """Return a function's name in paths: ``.Model.forward``, ``.f.<locals>.g``, ``.Model.size=``."""
        parts: list[str] = []
        one = place
        while one > 0:
            record = self.functions[one]
            around = self.functions[record.parent]
            parts.append(record.name)
            if around.kind == FUNCTION_BODY:
                parts.append("<locals>")
            one = record.parent
        is_setter = not {"setter", "deleter"}.isdisjoint(self.decorators(place)) and self.is_method(place)
        return "." + ".".join(reversed(parts)) + ("=" if is_setter else "")

    def definition(self, place: int) -> int:
        """Return the operation that defines a function or class, in the function around it."""
        if self._definitions is None:
            self._definitions = {
                record.operand[at]: at
                for record in self.functions
                for at, code in enumerate(record.code)
                if code in (CLASS, FUNCTION)
            }
        return self._definitions[place]

    # Expressions

    def source(self, place: int, at: int) -> Site:
        """Return what a name was bound to, where it was bound once, through names in turn; else the value."""
        for _ in range(_MOST_FOLLOWED):
            record = self.functions[place]
            if record.code[at] in (BIND, COPY, STORE_OUTER):
                at = record.operand[at]
                continue
            sites = self.bindings(place, record.extra[at]) if record.code[at] == OUTER else ()
            if len(sites) != 1 or sites[0] == (place, at):
                break
            place, at = sites[0]
        return place, at

    def name(self, place: int, at: int) -> str:
        """Return the name that a value was read by; "" for what has none."""
        return name_of(self.functions[place], at)

    def last_name(self, place: int, at: int) -> str:
        """Return the last plain name of an expression: ``c`` of ``a.b.c``, ``f`` of ``x.f()`` or ``f[0]``."""
        return last_name(self.functions[place], at)

    def dotted(self, place: int, at: int) -> str:
        """Return ``a.b.c`` as written; "" for what is no name and no attribute of one."""
        record, parts = self.functions[place], []
        at = uncopied(record, at)
        while record.code[at] == ATTRIBUTE:
            parts.append(record.extra[at])
            at = uncopied(record, record.operand[at])
        root = self.name(place, at)
        return ".".join([root, *reversed(parts)]) if root else ""

    def root(self, place: int, at: int) -> int:
        """Return what attributes are read of, each of the one before."""
        record = self.functions[place]
        at = uncopied(record, at)
        while record.code[at] == ATTRIBUTE:
            at = uncopied(record, record.operand[at])
        return at

    def holds_values(self, place: int, at: int) -> bool:
        """Whether what was read by a name was assigned or given, and is no module, function or class."""
        sites = self._bound_at(place, uncopied(self.functions[place], at))
        return bool(sites) and all(self._is_value(*site) for site in sites)

    def _bound_at(self, place: int, at: int) -> list[Site]:
        """Return what a value that was read by a name may have been bound by."""
        record = self.functions[place]
        if record.code[at] == OUTER:
            return self.bindings(place, record.extra[at])
        return [(place, one) for one in self.flow(place).definitions(at)]

    def _is_value(self, place: int, at: int) -> bool:
        record = self.functions[place]
        if record.code[at] == PARAMETER:
            return True
        if record.code[at] not in (BIND, STORE_OUTER):
            return False
        return record.code[uncopied(record, record.operand[at])] not in _DEFINED

    def is_builtin(self, place: int, at: int, name: str) -> bool:
        """Whether an expression is a name that nothing in the file binds: a builtin function or class."""
        record = self.functions[place]
        at = uncopied(record, at)
        return record.code[at] == OUTER and record.extra[at] == name and not self.bindings(place, name)

    def qualified(self, place: int, at: int, within: tuple[tuple[int, int], ...] = ()) -> str:
        """Return what an expression stands for by imports, with dots; "" where no one import says it.

        Args:
            place: the function that evaluates it.
            at: the operation that does.
            within: what is asked for already, to answer this.
        """
        parts: list[str] = []
        for _ in range(_MOST_FOLLOWED):
            record = self.functions[place]
            code = record.code[at]
            if code == ATTRIBUTE:
                parts.append(record.extra[at])
                at = record.operand[at]
            elif code in (BIND, COPY, STORE_OUTER):
                at = record.operand[at]
            else:
                break
        root = self._imported(place, at, within)
        return ".".join([root, *reversed(parts)]) if root else ""

    def _imported(self, place: int, at: int, within: tuple[tuple[int, int], ...]) -> str:
        """Return what is imported; "" where imports say several things, or something else does."""
        if (place, at) in within:  # a setting that is put back to what it was
            return ""
        record = self.functions[place]
        code = record.code[at]
        if code == IMPORT:
            module, name = record.extra[at]
            return "" if record.operand[at] else f"{module}.{name}" if name else module
        found = set()
        for home, one in self._bound_at(place, at) if code in (OUTER, PHI) else ():
            if self.functions[home].code[one] not in (BIND, STORE_OUTER) or (home, one) == (place, at):
                return ""
            found.add(self.qualified(home, one, (*within, (place, at))))
        return found.pop() if len(found) == 1 else ""
