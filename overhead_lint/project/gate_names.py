"""What the names in tests of branches stand for: options, flags, counters, what is kept between calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import JOINING
from overhead_lint.project.loop_carried import counts_rounds, ends_episode, outlives_rounds
from overhead_lint.project.parameter_defaults import default_of
from overhead_lint.project.scan import NAMED_FUNCTIONS
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.gate import Gate
    from overhead_lint.project.file_loops import FileLoops

__all__ = ["GateNames"]


class GateNames:
    """Tells what the names in the tests of one file stand for.

    Args:
        facts: the file.
        gate_at: gives the gate of what stands somewhere; None if it has none.

    Attributes:
        qualified: gives the qualified name of an expression.
        value: gives the one expression that a name is bound to.
        values: gives the expressions that a local name may be bound to where it is used.
    """

    def __init__(self, facts: FileLoops, gate_at: Callable[[ast.expr], Gate | None]) -> None:
        self._facts = facts
        self._gate_at = gate_at
        self._asked: set[str] = set()
        self.qualified: Callable[[ast.AST], str | None] = facts.names.qualified
        self.value: Callable[[ast.expr], ast.expr | None] = facts.value
        self.values: Callable[[ast.expr], list[ast.expr]] = facts.values.at

    def stays(self, name: ast.Attribute | ast.Name) -> bool:
        """Whether a name is the module's, or keeps what a branch gives it while a hot loop runs."""
        return self.lasts(name) or (name.__class__ is ast.Name and self.outlives(name))

    def lasts(self, name: ast.Attribute | ast.Name) -> bool:
        """Whether a name is the module's or an outer function's, or only ``__init__`` sets an attribute."""
        facts = self._facts
        if isinstance(name, ast.Attribute):
            set_to = [value for value in facts.values.attribute(name) if not _is_false(value)]
            makers = (facts.function_of(value) for value in set_to if value is not None)
            return None not in set_to and all(
                maker is not None and maker.qualname.endswith("__init__") for maker in makers
            )
        found, around = facts.scan.lookup(name.id, name), facts.function_node(name)
        if found is None or around is None:
            return False
        home = found[0].node
        return home is facts.scan.tree or (isinstance(home, NAMED_FUNCTIONS) and home is not around)

    def outlives(self, name: ast.Name) -> bool:
        """Whether a local name keeps what a branch gives it over the rounds of a hot loop."""
        return outlives_rounds(name, self._facts)

    def counts(self, name: ast.Name) -> bool:
        """Whether a name counts the rounds of a hot loop."""
        return counts_rounds(name, self._facts)

    def adds_up(self, name: ast.Attribute | ast.Name) -> bool:
        """Whether something is added to a name, or an attribute of ``self``, from round to round."""
        parents = self._facts.scan.parents
        return any(_is_added(parents.get(binding)) for binding in self._lasting(name))

    def counts_up(self, name: ast.Attribute | ast.Name) -> bool:
        """Whether one is added to what begins with a number, again and again, and nothing else is done to it.

        It begins outside of all loops, an attribute of ``self`` in ``__init__``.
        """
        facts = self._facts
        bindings = self._lasting(name)
        others = [one for one in bindings if not _is_next(facts.scan.parents.get(one))]
        return len(others) < len(bindings) and all(self._begins(one) for one in others)

    def _begins(self, binding: ast.AST) -> bool:
        """Whether a number is what a name begins with."""
        facts = self._facts
        holder, function = facts.scan.parents.get(binding), facts.function_node(binding)
        value = holder.value if isinstance(holder, (ast.AnnAssign, ast.Assign)) else None
        if not isinstance(value, ast.Constant) or not isinstance(value.value, int) or facts.loops_of(binding):
            return False
        return binding.__class__ is ast.Name or getattr(function, "name", "") == "__init__"

    def _lasting(self, name: ast.Attribute | ast.Name) -> Sequence[ast.AST]:
        """Return what binds a name, or an attribute of ``self``, that lasts over rounds, if it does."""
        facts = self._facts
        if isinstance(name, ast.Name):
            found = facts.scan.lookup(name.id, name) if self.outlives(name) else None
            return found[1] if found is not None else ()
        cls = facts.class_of(name)
        if cls is None or not is_self(name.value):
            return ()
        return facts.values.targets.get((cls.node, name.attr), ())

    def ends(self, name: ast.Name) -> bool:
        """Whether a name says that an episode is over, in a loop that steps an environment."""
        return ends_episode(name, self._facts)

    def is_off(self, name: ast.Name) -> bool:
        """Whether a name is a parameter of the function around that is false unless it is passed."""
        found = self._facts.scan.lookup(name.id, name)
        if found is None or len(found[1]) != 1 or not isinstance(found[1][0], ast.arg):
            return False
        argument = found[1][0]
        arguments = self._facts.scan.parents[argument]
        assert isinstance(arguments, ast.arguments)
        return _is_false(default_of(arguments, argument))

    def given_by(self, call: ast.Call) -> list[ast.expr]:
        """What a function of this file that is called by its name may give; empty where that is not known."""
        functions = self._facts.calls.functions_named(call.func)
        returned = [
            statement.value for function in functions for statement in self._facts.returns_of(function)
        ]
        given = [value for value in returned if value is not None]
        return given if len(functions) == 1 and len(given) == len(returned) else []

    def sets(self, attribute: ast.Attribute, method: str) -> bool:
        """Whether a method of the class, by its name, assigns to an attribute."""
        return bool(method) and method in self._setters(attribute)

    def sets_true(self, flag: ast.Attribute, method: str) -> bool:
        """Whether a method of the class, by its name, sets a flag."""
        return method in self._setters(flag, True)

    def begins_false(self, flag: ast.Attribute) -> bool:
        """Whether ``__init__`` alone has a flag false."""
        return self._setters(flag, False) == {"__init__"}

    def _setters(self, attribute: ast.Attribute, what: bool | None = None) -> set[str]:
        """The names of functions of the class that give an attribute a truth value; anything for None."""
        facts = self._facts
        if facts.class_of(attribute) is None:
            return set()
        values = facts.values.attribute(attribute)
        if what is not None:
            values = [one for one in values if isinstance(one, ast.Constant) and one.value is what]
        makers = [facts.function_of(one) for one in values if one is not None]
        return {maker.qualname.rpartition(".")[2] for maker in makers if maker is not None}

    def is_index(self, name: ast.Name) -> bool:
        """Whether a name is what ``__getitem__`` of a data set is given."""
        function, cls = self._facts.function_node(name), self._facts.class_of(name)
        if not isinstance(function, NAMED_FUNCTIONS) or function.name != "__getitem__" or cls is None:
            return False
        given = [argument.arg for argument in function.args.args]
        return given[1:] == [name.id] and any(base.endswith("Dataset") for base in cls.bases)

    def joins(self, name: ast.Name) -> bool:
        """Whether a function joins what a local list collects: ``torch.cat(parts)``."""
        return (self._facts.function_node(name), name.id) in self._joined

    def begins_beside(self, value: ast.expr, name: ast.Name) -> bool:
        """Whether a value is given in the same rounds in which a name is asked for."""
        return [*self._facts.loops_of(value)] == [*self._facts.loops_of(name)]

    @cached_property
    def _joined(self) -> set[tuple[ast.AST | None, str]]:
        """Names that calls which join tensors are given, each with the function around."""
        return {
            (self._facts.function_node(call), call.args[0].id)
            for joining in JOINING
            for call in self._facts.call_index.by_name.get(joining, ())
            if call.args and call.args[0].__class__ is ast.Name
        }

    def varies(self, name: ast.Name) -> bool:
        """Whether a name is the ``*args`` of the function around."""
        function = self._facts.function_node(name)
        vararg = function.args.vararg if isinstance(function, (*NAMED_FUNCTIONS, ast.Lambda)) else None
        return vararg is not None and vararg.arg == name.id

    def raised(self, flag: ast.Name) -> Gate | None:
        """Return the gate of a flag that is true: that of what makes it so."""
        found = self._facts.scan.lookup(flag.id, flag)
        if found is None or found[0].node is not self._facts.function_node(flag) or flag.id in self._asked:
            return None
        values = [self._facts.values.assigned(binding) for binding in found[1]]
        constant = all(isinstance(value, ast.Constant) for value in values)
        set_true = [value for value in values if isinstance(value, ast.Constant) and value.value is True]
        if not constant or not set_true or len(set_true) == len(values):
            return None
        self._asked.add(flag.id)  # a flag may well be asked for where it is set
        try:
            gates = [self._gate_at(value) for value in set_true]
        finally:
            self._asked.discard(flag.id)
        return gates[0] if None not in gates else None


def _is_added(statement: ast.AST | None) -> bool:
    return statement.__class__ is ast.AugAssign and statement.op.__class__ is ast.Add


def _is_next(statement: ast.AST | None) -> bool:
    """Whether a statement adds one to something."""
    if not _is_added(statement):
        return False
    added = statement.value  # type: ignore[union-attr]
    return isinstance(added, ast.Constant) and added.value == 1


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
