"""What attributes of ``self`` and of instances are, by what their classes do with them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.project.calls import is_property
from overhead_lint.project.kinds.abstract_value import TENSOR, TENSOR_KINDS, AbstractValue, holds_unknown
from overhead_lint.project.kinds.annotations import annotated
from overhead_lint.project.kinds.attribute_flow import AttributeFlow
from overhead_lint.project.paths import ANY_INSTANCE, INSTANCE
from overhead_lint.rule import ClassFacts, Kind
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.project.kinds.inference import Kinds

__all__ = ["Attributes"]


class Attributes:
    """Kinds of attributes of the classes of one file.

    Args:
        kinds: infers what is assigned.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts
        self._flow = AttributeFlow(kinds.facts)
        self._annotations: dict[ast.ClassDef, dict[str, ast.expr]] = {}

    def own(self, node: ast.Attribute) -> AbstractValue | None:
        """What ``self.name`` is by what its class, or a base in the file, does with it; None if nothing."""
        if not is_self(node.value):
            return None
        seen = self._flow.seen(node)
        if seen and not all(map(self._kinds.bindings.is_none, seen)):
            return self._kinds.bindings.assigned(seen)
        return self._inherited(self._facts.class_of(node), node.attr)

    def of_instance(self, node: ast.Attribute) -> AbstractValue | None:
        """What an attribute is of an instance of a class of this file; None if nothing is known of it."""
        path = self._facts.paths.of(node.value)
        if path is None or not path.startswith(".") or not path.endswith((INSTANCE, ANY_INSTANCE)):
            return None
        name = path.removesuffix(INSTANCE).removesuffix(ANY_INSTANCE)
        return self._inherited(self._local_class(name), node.attr)

    def _inherited(self, cls: ClassFacts | None, name: str) -> AbstractValue | None:
        seen: set[ast.ClassDef] = set()
        while cls is not None and cls.node not in seen:
            seen.add(cls.node)
            found = self.of_class(cls, name)
            if found is not None:
                return found
            cls = next((base for base in map(self._local_class, cls.bases) if base is not None), None)
        return None

    def _local_class(self, name: str) -> ClassFacts | None:
        node = self._facts.calls.definitions.get(name)
        return self._facts.classes[node] if node.__class__ is ast.ClassDef else None

    def of_class(self, cls: ClassFacts, name: str) -> AbstractValue | None:
        """What an attribute of a class's instances is by what the class does with it; None if nothing."""
        registered = self._facts.values.registered(cls.node).get(name)
        if registered is not None:
            return TENSOR._replace(mask=not self._flow.left(cls.node, name) and self._are_masks(registered))
        declared = self._declared(cls, name)
        targets = self._flow.left(cls.node, name)
        if targets:
            found = self._kinds.bindings.assigned(targets)
            if declared is not None and (found.kind is Kind.UNKNOWN or holds_unknown(found)):
                return declared
            return found
        if declared is not None:
            return declared
        method = self._facts.calls.definitions.get(f".{cls.qualname}.{name}")
        if method.__class__ is ast.FunctionDef and is_property(method):
            return self._kinds.returned.of(method)
        return None

    def _are_masks(self, registered: Sequence[ast.Call]) -> bool:
        """Whether all that is registered under a name is a mask: ``register_buffer("padded", x == 0)``."""
        values = [call.args[1] for call in registered if len(call.args) > 1]
        return len(values) == len(registered) and all(
            value.kind in TENSOR_KINDS and value.mask for value in map(self._kinds.infer, values)
        )

    def _declared(self, cls: ClassFacts, name: str) -> AbstractValue | None:
        """What an annotation in the body of a class promises of an attribute."""
        known = self._annotations.get(cls.node)
        if known is None:
            known = self._annotations[cls.node] = {}
            for member in cls.node.body:
                if member.__class__ is ast.AnnAssign and member.target.__class__ is ast.Name:
                    known.setdefault(member.target.id, member.annotation)
        annotation = known.get(name)
        return annotated(annotation) if annotation is not None else None
