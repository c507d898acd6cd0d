"""Functions and classes that their file does not name where it defines them alone: do others name them?

What nothing in a project names is for its users, or left over. Of classes that derive from others most are
for users, unless nobody else can import them. Of functions, those of autograd among them, and of other
classes most are left over: places in them, and in what only they name, count as if an option kept them from
running that is off by default.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import NAME, Option
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import CALL, CLASS, CONSTANT, FUNCTION, STORE_OUTER
from overhead_lint.analysis.ir.queries import operands
from overhead_lint.analysis.ir.records import FUNCTION_BODY, NONE
from overhead_lint.analysis.options.making import LOOKING_UP
from overhead_lint.analysis.options.passing import annotated, asks_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.project.file_values import FileValues

__all__ = ["Unnamed"]


# A class of a library that derives from others than these is known to whoever knows those.
_PLAIN_BASES: Final = frozenset(
    """ABC Callback Dataset Function Generic IterableDataset LogitsProcessor StoppingCriteria TrainerCallback
    object""".split()  # noqa: SIM905
)
# What torch.hub, and whoever runs a program, calls by these names.
_PROGRAMS: Final = frozenset({"main"})
_FOR_USERS: Final = frozenset({"hubconf", "setup"})


class Unnamed:
    """The functions and classes at the top level of a file that only others of them name, if any does.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileValues) -> None:
        self._facts = facts
        self._found: dict[ast.AST, Option] | None = None

    def option(self, node: ast.AST) -> Option | None:
        """Return what a place hangs on: that somebody names what holds it; None if its file does.

        Args:
            node: the place, or a function.
        """
        known = self._found
        if known is None:
            known = self._found = self._find()
        if not known:
            return None
        tree, parents = self._facts.scan.tree, self._facts.scan.parents
        holder: ast.AST | None = node
        while holder is not None and parents.get(holder) is not tree:
            holder = parents.get(holder)
        return known.get(holder) if holder is not None else None

    def _find(self) -> dict[ast.AST, Option]:
        """The definitions, and the option that tells of each."""
        facts = self._facts
        names = facts.flow.names
        plain_bases = _PLAIN_BASES if facts.is_importable else None
        found = {
            record.name: place
            for place, record in enumerate(names.functions)
            if record.parent == 0 and _counts(names, place, facts.flow.definition(place), plain_bases)
        }
        if not found or facts.module.rpartition(".")[2] in _FOR_USERS:
            return {}
        calls = {name for record in names.functions for name in _called(record)}
        if not calls.isdisjoint(LOOKING_UP):
            return {}
        sayers = _sayers(names, found)
        return {
            facts.flow.definition(found[name]): Option(NAME, facts.module, name, words=around)
            for name, around in _left(found, sayers).items()
        }


def _counts(names: Names, place: int, node: ast.AST, plain_bases: Collection[str] | None) -> bool:
    """Whether only who names a function or class runs it, which a file defines in any case.

    A program is named outside of Python's files; it takes nothing, or the arguments of the command line.

    Args:
        names: the names of the file.
        place: the definition.
        node: the same.
        plain_bases: by which nobody knows a class; None where nobody imports the file to do so.
    """
    record, flow = names.functions[place], names.flow(0)
    if flow.record.block_guard[flow.block_of(names.definition(place))] != NONE:
        return False
    if isinstance(node, ast.ClassDef):
        bases = {names.last_name(0, base) for base in record.bases}
        return not node.keywords and (plain_bases is None or bases.issubset(plain_bases))
    parameters = [one for one in record.parameters if not one.kind.startswith("*")]
    takes_some = len(parameters) > 1 or any(one.default == NONE for one in parameters)
    return record.kind == FUNCTION_BODY and takes_some and record.name not in _PROGRAMS


def _called(record: FunctionIR) -> Iterator[str]:
    """Yield the last plain names of what a function calls."""
    for at, code in enumerate(record.code):
        if code == CALL:
            yield last_name(record, record.operand[at])


def _sayers(names: Names, definitions: Mapping[str, int]) -> dict[str, set[int]]:
    """Return who in a file says the names of definitions, but for what they say of themselves.

    Args:
        names: the names of the file.
        definitions: functions and classes of its top level, by name.

    Returns:
        For each name that is said definitions of the top level, and 0 for the file itself.
    """
    functions = names.functions
    top = functions[0]
    used = {value: {0} for at in range(len(top)) for value in operands(top, at)}
    found: dict[str, set[int]] = {}
    tops: list[int] = []
    for place, record in enumerate(functions):
        tops.append(tops[record.parent] if record.parent > 0 else place)
        if record.parent == 0:
            for value in (*record.decorators, *[one.default for one in record.parameters]):
                used.setdefault(value, set()).add(0)
            for value in record.bases:
                used.setdefault(value, set()).add(place)
        if place:
            asked = {
                name for name, at in record.outer.items() if name in definitions and _asks(names, place, at)
            }
            for name in (*(record.outer.keys() - asked), *annotated(names, place)):
                if definitions.get(name, tops[place]) != tops[place]:
                    found.setdefault(name, set()).add(tops[place])
        for code, extra in zip(record.code, record.extra, strict=True):
            if (code == CONSTANT and isinstance(extra, str)) or code == STORE_OUTER:
                found.setdefault(extra, set()).add(0)
    for name in definitions:
        for store in top.stores[name]:
            found.setdefault(name, set()).update(used.get(store, ()))
            if top.code[top.operand[store]] not in (CLASS, FUNCTION):
                found.setdefault(name, set()).add(0)
    return found


def _asks(names: Names, place: int, at: int) -> bool:
    """Whether a value is read for asking if objects are of that, and nothing else."""
    users = names.flow(place).uses.get(at, ())
    return bool(users) and all(asks_for(names, place, user, at) for user in users)


def _left(definitions: Mapping[str, int], sayers: Mapping[str, set[int]]) -> dict[str, tuple[str, ...]]:
    """Return the definitions that only others of them name, if any: the latter, outermost first.

    Args:
        definitions: functions and classes of the top level of a file, by name.
        sayers: who says their names.
    """
    by_place = {place: name for name, place in definitions.items()}
    left = {name: sayers.get(name, set()) for name in definitions}
    while True:
        named = [
            name for name, said_by in left.items() if any(by_place.get(one) not in left for one in said_by)
        ]
        if not named:
            break
        for name in named:
            del left[name]
    around: dict[str, tuple[str, ...]] = {}
    for name in left:
        found = [name]
        for one in found:  # it grows
            found += [sayer for place in sorted(left[one]) if (sayer := by_place[place]) not in found]
        around[name] = tuple(found[:0:-1])
    return around
