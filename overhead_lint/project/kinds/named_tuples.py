"""What named tuples hold, by what they are made of."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.kinds.abstract_value import UNKNOWN, AbstractValue, holding, join, with_parts
from overhead_lint.project.kinds.annotations import annotated
from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds

__all__ = ["NamedTuples"]

_CLASSES: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_MAKERS: Final = _CLASSES | {"collections.namedtuple"}
# With more fields than these, one is a record of settings.
_MOST_FIELDS: Final = 16


class _Field(NamedTuple):
    """A field of a named tuple.

    Attributes:
        name: its name.
        annotation: what it is said to be.
    """

    name: str
    annotation: ast.expr | None = None


class NamedTuples:
    """Named tuples of one file.

    Args:
        kinds: infers what they are made of.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts
        self._known: dict[ast.AST, tuple[_Field, ...]] = {}

    def made(self, node: ast.Call) -> AbstractValue | None:
        """What a call gives that makes a named tuple of a class of the file; None if it makes none."""
        fields = self._fields(node.func)
        if not 0 < len(fields) <= _MOST_FIELDS or len(node.args) > len(fields):
            return None
        if not all(field.name.isidentifier() for field in fields):
            return None
        if any(one.__class__ is ast.Starred for one in node.args):
            return None
        given = dict(zip((field.name for field in fields), node.args, strict=False))
        given.update((one.arg, one.value) for one in node.keywords if one.arg is not None)
        parts = [self._held(field, given.get(field.name)) for field in fields]
        found = holding(join(parts))
        if found.pending:
            return found
        return with_parts(found, parts, tuple(field.name for field in fields))

    def _held(self, field: _Field, value: ast.expr | None) -> AbstractValue:
        found = self._kinds.infer(value) if value is not None else UNKNOWN
        return annotated(field.annotation) if found.kind is Kind.UNKNOWN and not found.pending else found

    def _fields(self, function: ast.expr) -> tuple[_Field, ...]:
        """The fields of what is called; none if it is no class of named tuples."""
        found = self._facts.scan.lookup(function.id, function) if function.__class__ is ast.Name else None
        if found is None or len(found[1]) != 1:
            return ()
        binding = found[1][0]
        known = self._known.get(binding)
        if known is None:
            known = self._known[binding] = tuple(self._declared(binding))
        return known

    def _declared(self, binding: ast.AST) -> list[_Field]:
        qualified = self._facts.names.qualified
        if binding.__class__ is ast.ClassDef:
            if not any(qualified(base) in _CLASSES for base in binding.bases):
                return []
            return [
                _Field(member.target.id, member.annotation)
                for member in binding.body
                if member.__class__ is ast.AnnAssign and member.target.__class__ is ast.Name
            ]
        made = self._facts.values.assigned(binding)
        if not (made.__class__ is ast.Call and len(made.args) > 1 and qualified(made.func) in _MAKERS):
            return []
        said = made.args[1]
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            return [_Field(name) for name in said.value.replace(",", " ").split()]
        return [_written(one) for one in said.elts] if isinstance(said, (ast.List, ast.Tuple)) else []


def _written(node: ast.expr) -> _Field:
    """A field by its name, or by a pair of its name and what it is."""
    if node.__class__ is ast.Tuple and len(node.elts) == 2:
        return _written(node.elts[0])._replace(annotation=node.elts[1])
    return _Field(node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "")
