"""What expressions are while options have their defaults: parameters with a constant for one, and attributes.

What an attribute is by default that a test asks for (``self.config.clip``) is for the project to say: see
`overhead_lint.project.graph.off_by_default`.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.option import ARGUMENT, ATTRIBUTE, BY_KEYWORD, ENTRY, TOLD_ELSEWHERE, Option
from overhead_lint.analysis.options.constants import is_word
from overhead_lint.project.names import dotted, last_name, written
from overhead_lint.project.option_calls import (
    LOOKING_UP,
    given_by_methods,
    is_instance,
    is_restored,
    looked_up,
)
from overhead_lint.project.parameter_defaults import default_of
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_calls import FileCalls
    from overhead_lint.project.scopes import Scope

__all__ = ["MADE", "DefaultValues", "Known"]

_WORD: Final = re.compile(r"\w+")
_SCALARS: Final = frozenset({"bool", "float", "int", "str"})
_AROUND_SCALARS: Final = frozenset({"None", "Optional", "Union", "typing"})

# What tensors and modules have is no option.
_NO_OPTIONS: Final = frozenset("data device dtype grad is_cuda requires_grad shape training".split())  # noqa: SIM905
_KEPT: Final = (ast.BoolOp, ast.Call, ast.Compare, ast.IfExp, ast.Name, ast.UnaryOp)
_ASKING: Final = (ast.BoolOp, ast.Call, ast.Compare, ast.IfExp, ast.UnaryOp)
_CONVERSIONS: Final[dict[str, Callable[[Any], Any]]] = {"bool": bool, "float": float, "int": int, "str": str}
_NONE: Final[frozenset[Option]] = frozenset()
# Names that are bound more often than that are not followed.
_MOST_BINDINGS: Final = 4
# More values than these behind each other are not followed.
_DEEPEST: Final = 3
_COMPARED: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}

# Of what nobody has asked for yet; what has been asked for may be unknown.
_NOT_ASKED: Final = object()

MADE: Final = object()
"""What a call gives that makes something: it is there, and what else it is nobody knows."""


class Known(NamedTuple):
    """What an expression is while options have their defaults."""

    value: Any
    options: frozenset[Option]


class DefaultValues:
    """What the expressions of one file are while its options have their defaults.

    Args:
        facts: the file.

    Attributes:
        assumed: what attributes are taken to be whose defaults other files may tell.
        assumes: whether one was asked for.
        words: those that one is compared with.
    """

    def __init__(self, facts: FileCalls) -> None:
        self._facts = facts
        self._options: dict[ast.arg, Option] = {}
        self._known: list[dict[ast.expr, Any]] = [{} for _ in range(_DEEPEST + 1)]
        self._attributes: dict[ast.Attribute, tuple[ast.expr | None, frozenset[Option] | None]] = {}
        self.assumed: Any = False
        self.assumes = False
        self.words: dict[str, None] = {}

    def of(self, test: ast.expr, depth: int = 0) -> Known | None:
        """What an expression is while options have their defaults; None if that does not say it."""
        if test.__class__ is ast.Constant:
            return Known(test.value, _NONE)
        evaluate = _EVALUATE.get(test.__class__)
        if evaluate is None or depth > _DEEPEST:
            return None
        known = self._known[depth]
        found = known.get(test, _NOT_ASKED)
        if found is _NOT_ASKED:
            # What was assumed of attributes is asked for again with something else in its place.
            assumes, self.assumes = self.assumes, False
            found = evaluate(self, test, depth)
            if not self.assumes:
                known[test] = found
                self.assumes = assumes
        return found  # type: ignore[no-any-return]

    def _unary(self, test: ast.UnaryOp, depth: int) -> Known | None:
        if test.op.__class__ is not ast.Not:
            return None
        inner = self.of(test.operand, depth)
        return Known(not inner.value, inner.options) if inner is not None else None

    def _attribute(self, test: ast.Attribute, depth: int) -> Known | None:
        if test in self._attributes:
            kept, options = self._attributes[test]
        else:
            kept, options = self._attributes[test] = self._kept(test), self._told_elsewhere(test)
        known = self.of(kept, depth + 1) if kept is not None else None
        if known is None and options is not None:
            self.assumes = True
            return Known(self.assumed, options)
        return known

    def _call(self, test: ast.Call, depth: int) -> Known | None:
        name = last_name(test.func)
        if name in _CONVERSIONS:
            return self._converted(test, depth)
        if name in LOOKING_UP:
            found = looked_up(test, self._facts)
            return Known(found[0], frozenset({found[1]})) if found is not None else None
        if name == "isinstance":
            asked = self.of(test.args[0], depth) if len(test.args) == 2 else None
            is_one = asked is not None and asked.options and asked.value is not MADE
            return asked._replace(value=is_instance(asked.value, test.args[1])) if asked and is_one else None
        return self._given(test, depth)

    def _given(self, call: ast.Call, depth: int) -> Known | None:
        """What a method gives that does nothing else, whichever class has it: ``self.is_fast()``."""
        given = given_by_methods(call, self._facts) if depth < _DEEPEST else []
        known = [self.of(value, depth + 1) for value in given]
        found = [one for one in known if one is not None and one.value is not MADE]
        if not found or len(found) < len(known) or len({bool(one.value) for one in found}) > 1:
            return None
        return self._both(bool(found[0].value), found)

    def _name(self, name: ast.Name, depth: int) -> Known | None:
        """What a name is: a parameter's default, or what a local name holds.

        A local name holds what hangs on options, or a constant unless one of them gives it more.
        """
        found = self._facts.scan.lookup(name.id, name)
        if found is None:
            return None
        bindings = found[1]
        if len(bindings) == 1:
            argument = self._argument(bindings[0])
            if argument is not None:
                return self._default(argument)
            value = self._facts.values.assigned(bindings[0])
            if value is not None or isinstance(bindings[0], ast.arg):
                return self.of(value, depth + 1) if depth < _DEEPEST and isinstance(value, _ASKING) else None
        if len(bindings) > _MOST_BINDINGS or depth >= _DEEPEST:
            return None
        return self._held(name, found[0], bindings, depth)

    def _held(self, name: ast.Name, scope: Scope, bindings: Sequence[ast.AST], depth: int) -> Known | None:
        """The constant that a local name of several bindings holds unless an option gives it more."""
        if scope.node is not self._facts.function_node(name):
            return None
        begins: ast.Constant | None = None
        shut: list[Known] = []
        for binding in bindings:
            known = self._shut_out(binding, depth)
            if known is not None:
                shut.append(known)
                continue
            value = self._facts.values.assigned(binding)
            if begins is not None or not isinstance(value, ast.Constant):
                return None
            begins = value
        return self._both(begins.value, shut) if begins is not None and shut else None

    def _shut_out(self, binding: ast.AST, depth: int) -> Known | None:
        """What keeps a name from being given something while options have their defaults; None if nothing."""
        parents = self._facts.scan.parents
        child, parent = binding, parents.get(binding)
        while parent is not None and not isinstance(parent, FUNCTIONS):
            if parent.__class__ is ast.If and child is not parent.test:
                known = self.of(parent.test, depth + 1)
                if known is not None and known.options and bool(known.value) is not (child in parent.body):
                    return known
            child, parent = parent, parents.get(parent)
        return None

    def _told_elsewhere(self, attribute: ast.Attribute) -> frozenset[Option] | None:
        """The option that an attribute of an object is whose default the project may know by its name."""
        name = attribute.attr
        if name in _NO_OPTIONS or (name[:1].isupper() and not name.isupper()):
            return None
        root: ast.expr = attribute.value
        while root.__class__ is ast.Attribute:
            root = root.value
        if root.__class__ is not ast.Name or not (root.id == "self" or self._is_local(root)):
            return None
        return frozenset({Option(ATTRIBUTE, dotted(attribute.value) or "", name)})

    def _entry(self, test: ast.Subscript, _: int) -> Known | None:
        """What an entry of settings is by its key: ``config["train"]["compile"]``."""
        root, names = _keys(test) or (None, [])
        if root is None or not (root.id == "self" or self._is_local(root)):
            return None
        self.assumes = True
        return Known(self.assumed, frozenset({Option(ENTRY, ".".join([root.id, *names[:-1]]), names[-1])}))

    def _is_local(self, name: ast.Name) -> bool:
        """Whether a name is a parameter, or was given a value, and stands for no module or class."""
        found = self._facts.scan.lookup(name.id, name)
        return found is not None and all(isinstance(one, (ast.arg, ast.Name)) for one in found[1])

    def _converted(self, call: ast.Call, depth: int) -> Known | None:
        """What a conversion gives: ``self.strict = bool(strict)``."""
        if call.func.__class__ is not ast.Name or len(call.args) != 1 or call.keywords:
            return None
        known = self.of(call.args[0], depth)
        if (
            known is None
            or known.value is MADE
            or self._facts.scan.lookup(call.func.id, call.func) is not None
        ):
            return None
        try:
            return known._replace(value=_CONVERSIONS[call.func.id](known.value))
        except (TypeError, ValueError):
            return None

    def _chosen(self, choice: ast.IfExp, depth: int) -> Known | None:
        """What is chosen: ``Loss() if weighted else None``."""
        asked = self.of(choice.test, depth)
        if asked is None:
            return None
        chosen = choice.body if asked.value else choice.orelse
        if chosen.__class__ is ast.Call:
            return Known(MADE, asked.options)
        return Known(chosen.value, asked.options) if isinstance(chosen, ast.Constant) else None

    def _choice(self, test: ast.BoolOp, depth: int) -> Known | None:
        known = [self.of(value, depth) for value in test.values]
        ends = test.op.__class__ is ast.Or
        for number, one in enumerate(known):
            if one is None or bool(one.value) is not ends:
                continue
            if depth == 0:  # each that decides is enough
                deciding = [more for more in known if more is not None and bool(more.value) is ends]
                return one._replace(options=frozenset().union(*(more.options for more in deciding)))
            if None not in known[:number]:
                return one
            # What it is, and not whether it is true, may be for the part before to say.
            return one._replace(value=MADE) if ends else None
        if any(one is None for one in known):
            return None
        return self._both(not ends, [one for one in known if one is not None])

    @staticmethod
    def _both(value: Any, parts: Sequence[Known]) -> Known | None:
        """What hangs on all of some parts; None if more than one of them has a default told elsewhere."""
        options = frozenset().union(*(one.options for one in parts))
        if len(options) > 1 and any(one.kind in TOLD_ELSEWHERE for one in options):
            return None
        return Known(value, options)

    def _compared(self, test: ast.Compare, depth: int) -> Known | None:
        compare = _COMPARED.get(test.ops[0].__class__) if len(test.ops) == 1 else None
        if compare is None:
            return None
        left, right = self.of(test.left, depth), self._constant(test.comparators[0], depth)
        if left is None or right is None:
            return None
        if MADE in (left.value, right.value) and not isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            return None
        if any(option.kind in TOLD_ELSEWHERE for option in left.options):
            compared = right.value if isinstance(right.value, list) else [right.value]
            self.words.update((one, None) for one in compared if isinstance(one, str) and is_word(one))
        try:
            return self._both(compare(left.value, right.value), [left, right])
        except TypeError:
            return None

    def _constant(self, node: ast.expr, depth: int) -> Known | None:
        if isinstance(node, (ast.List, ast.Set, ast.Tuple)):
            if all(isinstance(one, ast.Constant) for one in node.elts):
                return Known([one.value for one in node.elts], _NONE)  # type: ignore[attr-defined]
            return None
        return self.of(node, depth)

    def _default(self, argument: ast.arg) -> Known | None:
        arguments = self._facts.scan.parents[argument]
        assert isinstance(arguments, ast.arguments)
        default = default_of(arguments, argument)
        if not isinstance(default, ast.Constant):
            return None
        return Known(default.value, frozenset({self._option(argument)}))

    def _argument(self, binding: ast.AST) -> ast.arg | None:
        """The parameter with a constant for a default that the one binding of a name is."""
        if binding.__class__ is not ast.arg:
            return None
        arguments = self._facts.scan.parents[binding]
        if arguments.__class__ is not ast.arguments:
            return None
        function = self._facts.scan.parents[arguments]
        if function.__class__ is ast.Lambda or _is_input(binding, arguments, function):
            return None
        return binding if isinstance(default_of(arguments, binding), ast.Constant) else None

    def _kept(self, attribute: ast.Attribute) -> ast.expr | None:
        """What ``__init__`` sets an attribute of ``self`` to, if nothing else does but what restores it."""
        values = [
            value
            for value in self._facts.values.attribute(attribute)
            if value is None or not is_restored(value, self._facts)
        ]
        if len(values) != 1 or not isinstance(values[0], _KEPT):
            return None
        function = self._facts.function_node(values[0])
        return values[0] if getattr(function, "name", "") == "__init__" else None

    def _option(self, argument: ast.arg) -> Option:
        known = self._options.get(argument)
        if known is None:
            known = self._options[argument] = self._made(argument)
        return known

    def _made(self, argument: ast.arg) -> Option:
        facts = self._facts
        arguments = facts.scan.parents[argument]
        assert isinstance(arguments, ast.arguments)
        function = facts.scan.parents[arguments]
        positional = [*arguments.posonlyargs, *arguments.args]
        place = BY_KEYWORD
        if argument in positional:
            static = any(last_name(one) == "staticmethod" for one in function.decorator_list)  # type: ignore[attr-defined]
            bound = facts.class_holding(function) is not None and not static
            place = positional.index(argument) - bound
        default = default_of(arguments, argument)
        assert isinstance(default, ast.Constant)
        is_scalar = (
            default.value is None and function.name == "__init__" and _is_scalar(argument.annotation)  # type: ignore[attr-defined]
        )
        owner = facts.definitions.identity(function)
        return Option(ARGUMENT, owner, argument.arg, repr(default.value), place, is_scalar)


_EVALUATE: Final[dict[type, Callable[[DefaultValues, Any, int], Known | None]]] = {
    ast.Attribute: DefaultValues._attribute,
    ast.BoolOp: DefaultValues._choice,
    ast.Call: DefaultValues._call,
    ast.Compare: DefaultValues._compared,
    ast.IfExp: DefaultValues._chosen,
    ast.Name: DefaultValues._name,
    ast.Subscript: DefaultValues._entry,
    ast.UnaryOp: DefaultValues._unary,
}


def _is_scalar(annotation: ast.expr | None) -> bool:
    """Whether an annotation says that something is a flag, a number or a word: ``Optional[float]``."""
    named = set(_WORD.findall(written(annotation))) if annotation is not None else set()
    return named <= _SCALARS | _AROUND_SCALARS and not named.isdisjoint(_SCALARS)


def _is_input(argument: ast.arg, arguments: ast.arguments, function: ast.AST) -> bool:
    """Whether a parameter is what a module works on, whatever its default: the first of ``forward``."""
    return getattr(function, "name", "") == "forward" and argument in arguments.args[1:2]


def _keys(test: ast.Subscript) -> tuple[ast.Name, list[str]] | None:
    """The name that keys are asked of, and the keys, the last of which stands in brackets."""
    names: list[str] = []
    one: ast.expr = test
    while not isinstance(one, ast.Name):
        if isinstance(one, ast.Attribute):
            names.append(one.attr)
        elif isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Constant):
            if not (isinstance(one.slice.value, str) and one.slice.value.isidentifier()):
                return None
            names.append(one.slice.value)
        else:
            return None
        one = one.value
    names.reverse()
    return one, names
