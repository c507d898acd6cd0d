"""What an expression is known to be: tensor, number, module, array, something else.

Inference goes backwards from a use, through the bindings that may reach it. It says "unknown"
whenever two of them disagree: a rule that speaks on a guess is a rule that gets switched off.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.project.bindings import Bindings
from overhead_lint.project.call_kinds import CallKinds
from overhead_lint.project.circles import NO_CIRCLE, Circles
from overhead_lint.project.conditions import is_none
from overhead_lint.project.containers import Containers, constant_key, is_empty
from overhead_lint.project.torch_names import (
    NUMBER_ATTRIBUTES,
    OBJECT_ATTRIBUTES,
    TENSOR_ATTRIBUTES,
)
from overhead_lint.project.uses import Uses
from overhead_lint.project.what import (
    ARRAY,
    DERIVED,
    HOST,
    MODULE,
    NOTHING,
    NUMBER,
    OBJECT,
    PENDING,
    PLAIN,
    TENSOR,
    UNKNOWN,
    What,
    holding,
    item,
    join,
    mapping,
)
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["Kinds"]

# Expressions looked at for one answer: more than any sane function needs.
_BUDGET: Final = 3000
# More paths than these are not looked at for what something depends on.
_MOST_LEANED: Final = 12
# Expressions that are one of several others.
_JOINING: Final = frozenset({ast.BoolOp, ast.IfExp, ast.Name})
_NO_PATHS: Final[tuple[str, ...]] = ()
_GUESS: Final = TENSOR._replace(mask=True)
# Mappings with more keys are tables, and not what a function gives.
_MOST_KEYS: Final = 24


class Kinds:
    """Infers kinds within one file.

    Args:
        facts: the file.
        guesses: take all that other files may know for tensors, to see what would follow from that.
    """

    def __init__(self, facts: FileFacts, *, guesses: bool = False) -> None:
        self.facts = facts
        self._guesses = guesses
        self._known: dict[ast.AST, What] = {}
        self._busy: dict[ast.AST, int] = {}
        self._left = _BUDGET
        self._circle = NO_CIRCLE
        self._circles = Circles()
        self._leaned: tuple[str, ...] = ()
        self._elsewhere: dict[str, What] = {}
        self._leans_on: dict[ast.AST, tuple[str, ...]] = {}

    @cached_property
    def bindings(self) -> Bindings:
        """What names and attributes are by how they are bound."""
        return Bindings(self)

    @cached_property
    def uses(self) -> Uses:
        """What names are by how they are used."""
        return Uses(self.facts)

    @cached_property
    def containers(self) -> Containers:
        """What containers are filled with."""
        return Containers(self)

    @cached_property
    def calls(self) -> CallKinds:
        """What calls give."""
        return CallKinds(self)

    def kind(self, node: ast.expr) -> Kind:
        """What the expression is known to be at its place."""
        return self.what(node).kind

    def what(self, node: ast.expr) -> What:
        """What the expression is, with what it holds."""
        known = self._known.get(node)
        if known is not None:
            leaned = self._leans_on.get(node)
            if leaned is not None:
                self._lean(leaned)
            return known
        if node.__class__ is ast.Constant:
            return _constant(self, node)
        depth = self._busy.get(node)
        if depth is not None:
            self._circle = min(self._circle, depth)
            self._lean(self._leans_on.get(node, _NO_PATHS))
            return self._circles.met(node)
        circles = self._circles
        if node in circles.so_far:
            found, end = circles.so_far[node]
            self._circle = min(self._circle, end)
            self._lean(self._leans_on.get(node, _NO_PATHS))
            return found
        depth = len(self._busy)
        if not depth:
            self._left = _BUDGET
        self._left -= 1
        if self._left < 0:
            return UNKNOWN
        around, self._circle = self._circle, NO_CIRCLE
        outer, self._leaned = self._leaned, _NO_PATHS
        self._busy[node] = depth
        mark = circles.mark()
        inner: dict[ast.AST, What] = {}
        try:
            infer = _INFER.get(node.__class__)
            found = infer(self, node) if infer is not None else UNKNOWN
            if self._circle == depth and infer is not None:
                found, inner = circles.settle(node, found, partial(infer, self, node), mark)
        except RecursionError:  # an expression deeper than Python's own stack: say nothing
            found = UNKNOWN
        finally:
            del self._busy[node]
            leaned, self._leaned = self._leaned, outer
        if leaned and found.kind is Kind.UNKNOWN and not (found.of or found.pending):
            if node.__class__ in _JOINING:
                leaned = _NO_PATHS  # it may be something of which nobody says more
            else:
                found = DERIVED
        if leaned:
            self._leans_on[node] = leaned
            self._lean(leaned)
        # Within a circle an answer depends on where it was entered: it holds where the circle ends.
        if self._circle >= depth:
            self._known[node] = found = NOTHING if found.pending else found
            if circles.mark() > mark:
                circles.drop(mark)
            if inner and self._left >= 0:
                self._known.update(inner)
            self._circle = around
        else:
            circles.keep(node, found, self._circle, depth, mark)
            self._circle = min(around, self._circle)
        return found

    def elsewhere(self, path: str | None) -> What:
        """What a path stands for that leads into other files, as far as the project has told this one."""
        if path is None or not self.facts.near.leads_on(path):
            return UNKNOWN
        if self._guesses:
            return _GUESS
        self._lean((path,))
        known = self._elsewhere.get(path)
        if known is None:
            told = self.facts.told_kinds.get(path)
            known = self._elsewhere[path] = told or What(Kind.UNKNOWN, of=f"={path}")
        return known

    def _lean(self, paths: tuple[str, ...]) -> None:
        """Note that what is being found out depends on what other files say."""
        if not self._leaned:
            self._leaned = paths
        elif len(self._leaned) < _MOST_LEANED:
            self._leaned = tuple(dict.fromkeys(self._leaned + paths))[:_MOST_LEANED]

    def leans_on(self, node: ast.expr) -> tuple[str, ...]:
        """Paths into other files that what an expression is, or whether it is known, depends on."""
        return self._leans_on.get(node, ())

    def any_of(self, nodes: Iterable[ast.expr]) -> What:
        """What something is that may be any of these expressions; a tensor that may be missing is one."""
        given = list(nodes)
        there = [node for node in given if not is_none(node)]
        return join(self.what(node) for node in there or given)

    def name(self, node: ast.Name) -> What:
        """What a name is where it is used."""
        found = self.bindings.name(node)
        said = self.bindings.tested(node)
        if said is None:
            return found
        kind, holds = said
        if not holds:
            return UNKNOWN if found.kind is kind else found
        if kind is Kind.TENSOR and found.kind in (Kind.HOST_TENSOR, Kind.NUMBER):
            return found  # a test that a number is a tensor holds for what stands in for it while tracing
        return PLAIN[kind]

    def attribute(self, node: ast.Attribute) -> What:
        """What an attribute is."""
        qualified = self.facts.names.qualified(node)
        if qualified is not None:
            found = _global_attribute(qualified)
            return self.elsewhere(qualified) if found is UNKNOWN and qualified[0] != "." else found
        own = self.bindings.own_attribute(node)
        if own is not None:
            return own
        name = node.attr
        if name == "grad":
            return TENSOR
        if name == "saved_tensors":
            return holding(TENSOR)
        value = self.what(node.value)
        if value.kind in (Kind.TENSOR, Kind.HOST_TENSOR):
            if name in TENSOR_ATTRIBUTES:
                return value
            if name in NUMBER_ATTRIBUTES:
                return NUMBER
            if name in OBJECT_ATTRIBUTES:
                return holding(NUMBER) if name == "shape" else OBJECT
        if value.kind is Kind.UNKNOWN and value.known and name == "shape":
            return holding(NUMBER)  # of a tensor or an array
        if value.kind is Kind.MODULE and name in {"weight", "bias"}:
            return TENSOR
        if value.kind is Kind.ARRAY:
            return holding(NUMBER) if name == "shape" else ARRAY if name == "T" else UNKNOWN
        if value.kind is Kind.OBJECT and name in {"values", "indices"} and _is_tensor(value.element):
            return PLAIN[value.element]
        if value.kind in (Kind.UNKNOWN, Kind.OBJECT, Kind.MODULE):
            found = self.bindings.instance_attribute(node) or self.elsewhere(self.facts.paths.certain(node))
            return PENDING if value.pending and found is UNKNOWN else found
        # What was guessed to be a tensor may hold one.
        return self.elsewhere(self.facts.paths.certain(node)) if value is _GUESS else UNKNOWN

    def operation(self, nodes: Iterable[ast.expr]) -> What:
        """What arithmetic on these gives."""
        found = [self.what(node) for node in nodes]
        kinds = {what.kind for what in found if what.known}
        if Kind.TENSOR in kinds:
            return TENSOR
        if kinds == {Kind.HOST_TENSOR, Kind.UNKNOWN} and all(what.known for what in found):
            return HOST  # tensors of two devices cannot be combined, numbers with no dimension left out
        if Kind.UNKNOWN in kinds or Kind.MODULE in kinds or Kind.OBJECT in kinds:
            return OBJECT if kinds == {Kind.OBJECT} else UNKNOWN
        if not all(what.known for what in found):
            # `x = x + 1`: what x was before decides
            return PENDING if any(what.pending for what in found) else NOTHING
        for kind, what in ((Kind.HOST_TENSOR, HOST), (Kind.ARRAY, ARRAY)):
            if kind in kinds:
                return what
        return NUMBER

    def compare(self, node: ast.Compare) -> What:
        """What a comparison gives: a mask where a tensor is compared by value."""
        if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return NUMBER
        sides = [node.left, *node.comparators]
        if any(
            isinstance(side, ast.Constant) and isinstance(side.value, (str, type(None))) for side in sides
        ):
            return NUMBER
        found = self.operation(sides)
        if _is_tensor(found.kind):
            return found._replace(mask=True)
        return NUMBER if found.kind is Kind.OBJECT else found

    def binary(self, node: ast.BinOp) -> What:
        """What an operator gives: a mask for ``&``, ``|`` and ``^`` of masks."""
        if is_empty(node):
            return OBJECT  # `[None] * n`, to be filled
        found = self.operation([node.left, node.right])
        if isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and _is_tensor(found.kind):
            return found._replace(mask=self.what(node.left).mask and self.what(node.right).mask)
        return found

    def subscript(self, node: ast.Subscript) -> What:
        """What indexing gives."""
        value = self.what(node.value)
        key = constant_key(node.slice)
        if key is not None and value.kind in (Kind.UNKNOWN, Kind.OBJECT):
            found = self.containers.entry(node, key)
            if found.kind is not Kind.UNKNOWN or not found.known:
                return found
        if (
            _is_tensor(value.kind)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            return UNKNOWN  # a dict of anything, wrongly annotated
        if value.kind in (Kind.TENSOR, Kind.HOST_TENSOR, Kind.ARRAY):
            return value
        if value.kind is Kind.OBJECT:
            if isinstance(node.slice, ast.Slice):
                return value._replace(parts=())
            return item(value, _constant_index(node.slice))
        if value.kind is Kind.MODULE and not isinstance(node.slice, ast.Slice):
            return MODULE  # Sequential, ModuleList, ModuleDict
        if (
            value.kind is Kind.UNKNOWN
            and isinstance(node.slice, ast.Constant)
            and node.slice.value == "params"
        ):
            return holding(TENSOR)  # a group of an optimizer's param_groups
        return PENDING if value.pending else UNKNOWN


def _constant_index(index: ast.expr) -> int | None:
    """The number that an index is written as."""
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        inner = _constant_index(index.operand)
        return -inner if inner is not None else None
    value = index.value if isinstance(index, ast.Constant) else None
    return value if isinstance(value, int) else None


def _is_tensor(kind: Kind) -> bool:
    return kind in (Kind.TENSOR, Kind.HOST_TENSOR)


def _global_attribute(qualified: str) -> What:
    """What a dotted name of another module is: a constant, or something unknown."""
    module, _, last = qualified.rpartition(".")
    if module in {"math", "torch", "numpy"} and last in {"inf", "pi", "nan", "e", "tau"}:
        return NUMBER
    if module in {"torch", "numpy"}:  # dtypes, classes, functions
        return OBJECT
    return UNKNOWN


def _constant(kinds: Kinds, node: ast.Constant) -> What:
    return NUMBER if isinstance(node.value, (int, float, complex)) else OBJECT


def _unary(kinds: Kinds, node: ast.UnaryOp) -> What:
    if isinstance(node.op, ast.Not):
        return NUMBER
    found = kinds.operation([node.operand])
    if isinstance(node.op, ast.Invert) and _is_tensor(found.kind):
        return found._replace(mask=kinds.what(node.operand).mask)
    return found


def _sequence(kinds: Kinds, node: ast.List | ast.Tuple | ast.Set) -> What:
    parts = tuple(kinds.what(element) for element in node.elts)
    loose = isinstance(node, ast.Set) or any(isinstance(element, ast.Starred) for element in node.elts)
    if not parts:
        return OBJECT
    found = holding(join(parts))
    return found if loose or found.pending else found._replace(parts=parts)


def _dictionary(kinds: Kinds, node: ast.Dict) -> What:
    held, others = {}, []
    for key, value in zip(node.keys, node.values, strict=True):
        found = kinds.what(value)
        written = constant_key(key) if key is not None else None
        if written is not None and written.isidentifier():
            held[written] = found
        else:  # `**others` may hold keys that stand before it, too
            others.append(item(found) if key is None else found)
            held = {} if key is None else held
    element = join([*held.values(), *others])
    if not 0 < len(held) <= _MOST_KEYS:
        return mapping(element)
    return mapping(element)._replace(parts=tuple(held.values()), keys=tuple(held))


def _iterated_as(kinds: Kinds, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> What:
    return holding(kinds.what(node.elt))


_INFER: Final[dict[type, Callable[[Kinds, Any], What]]] = {
    ast.Attribute: Kinds.attribute,
    ast.Await: lambda kinds, node: kinds.what(node.value),
    ast.BinOp: Kinds.binary,
    ast.BoolOp: lambda kinds, node: kinds.any_of(node.values),
    ast.Call: lambda kinds, node: kinds.calls.call(node),
    ast.Compare: Kinds.compare,
    ast.Constant: _constant,
    ast.Dict: _dictionary,
    ast.DictComp: lambda kinds, node: mapping(kinds.what(node.value)),
    ast.GeneratorExp: _iterated_as,
    ast.IfExp: lambda kinds, node: kinds.any_of([node.body, node.orelse]),
    ast.JoinedStr: lambda kinds, node: OBJECT,
    ast.Lambda: lambda kinds, node: OBJECT,
    ast.List: _sequence,
    ast.ListComp: _iterated_as,
    ast.Name: Kinds.name,
    ast.NamedExpr: lambda kinds, node: kinds.what(node.value),
    ast.Set: _sequence,
    ast.SetComp: _iterated_as,
    ast.Starred: lambda kinds, node: kinds.what(node.value),
    ast.Subscript: Kinds.subscript,
    ast.Tuple: _sequence,
    ast.UnaryOp: _unary,
}
