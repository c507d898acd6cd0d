"""Options: parameters with a constant for a default, and what a branch's test says while they have it.

Whether anybody passes something else is for the project to say: see
`overhead_lint.project.graph.unpassed_options`. What expressions are by default is in
`overhead_lint.project.default_values`.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.option import (
    TOLD_ELSEWHERE,
    UNSET,
    VALUE,
    WORD,
    Default,
    Option,
    ValueKind,
    is_switch,
)
from overhead_lint.analysis.options.constants import default_of
from overhead_lint.project.default_values import MADE, DefaultValues, Known

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from overhead_lint.project.file_calls import FileCalls

__all__ = ["Options"]

_PLAIN: Final[dict[Default, Any]] = {
    Default(int(ValueKind.FALSE)): False,
    Default(int(ValueKind.ZERO)): 0,
    Default(int(ValueKind.NONE)): None,
    Default(int(ValueKind.TRUE)): True,
}
"""Defaults that turn something off or on, with the value of each."""
_NO_WORD: Final = "\0"
"""Is none of the words that a test asks for."""
_ANY_DEFAULT: Final = Default(VALUE)
_OTHER_WORD: Final = Default(WORD, _NO_WORD)
_TELLING: Final = frozenset({ast.Attribute, ast.BoolOp, ast.Compare, ast.Name, ast.UnaryOp})


class Options:
    """The options of one file's functions.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileCalls) -> None:
        self._facts = facts
        self._values = DefaultValues(facts)
        self._asked: dict[ast.expr, dict[Default, Known | None]] = {}
        self._known: tuple[dict[ast.expr, tuple[Option, ...]], ...] = ({}, {})  # by the outcome asked about

    def shut(self, test: ast.expr, when: bool) -> tuple[Option, ...]:
        """Return the options whose defaults keep a test from being `when`.

        Of an attribute it is said what defaults of it would do so.
        """
        known = self._known[when].get(test)
        if known is None:
            asked = self._asked.get(test)
            if asked is None:
                asked = self._asked[test] = self._by_kind(test)
            known = self._known[when][test] = _shutting(asked, when) if asked else ()
        return known

    def _by_kind(self, test: ast.expr) -> dict[Default, Known | None]:
        """What a test is while options have their defaults, for each kind of what attributes may be."""
        values = self._values
        values.assumed, values.assumes, values.words = False, False, {}
        known = values.of(test)
        if not values.assumes:
            return {_ANY_DEFAULT: known} if known is not None else {}
        assumed = {**_PLAIN}
        if values.words:
            assumed[_OTHER_WORD] = _NO_WORD
            assumed.update((Default(WORD, word), word) for word in values.words)
        found = {}
        for kind, values.assumed in assumed.items():
            found[kind] = values.of(test)
        return found

    @cached_property
    def asked(self) -> tuple[Option, ...]:
        """All options that tests of the file ask about."""
        by_class = self._facts.scan.by_class
        found: set[Option] = set()
        for node_class in (ast.If, ast.IfExp):
            for node in by_class.get(node_class, ()):
                assert isinstance(node, (ast.If, ast.IfExp))
                found.update(self.shut(node.test, True), self.shut(node.test, False))
        for node in self._facts.scan.of_class(ast.BoolOp):
            usual = node.op.__class__ is ast.And
            for value in node.values[:-1]:
                found.update(self.shut(value, usual))
        return tuple(sorted(found))

    def value(self, node: ast.expr) -> object:
        """The constant that an expression is while options have their defaults; None if none is known."""
        self._values.assumes = False
        known = self._values.of(node)
        return (
            known.value
            if known is not None and not self._values.assumes and known.value is not MADE
            else None
        )

    def by_default(self, value: ast.expr) -> Default | None:
        """Return what an expression is while options have their defaults; None if they do not say it.

        It is `UNSET` where no data is handed over in the place of None.
        """
        self._values.assumes = False
        known = self._values.of(value)
        if known is None or not known.options or self._values.assumes or known.value is MADE:
            return None
        if known.value is None and all(map(is_switch, known.options)):
            return Default(UNSET)
        return default_of(known.value)

    def passed_through(self, node: ast.expr) -> tuple[str, tuple[Option, ...]]:
        """Return what an argument is while options that it hangs on have their defaults, with these.

        The constant is as Python writes it, "" where it is not known.
        """
        if node.__class__ not in _TELLING:
            return "", ()
        self._values.assumes = False
        known = self._values.of(node)
        if known is None or not known.options or self._values.assumes or known.value is MADE:
            return "", ()
        return repr(known.value), tuple(sorted(known.options))


def _shutting(asked: Mapping[Default, Known | None], when: bool) -> tuple[Option, ...]:
    """The options whose defaults keep a test from being `when`, by what it is for kinds of defaults."""
    kinds: dict[Option, list[Default]] = {}
    for kind, known in asked.items():
        if known is not None and bool(known.value) is not when:
            for option in known.options:
                kinds.setdefault(option, []).append(kind)
    found = []
    for option, its in kinds.items():
        if option.kind in TOLD_ELSEWHERE:
            found.append(_shut_by(option, its, asked))
        elif len(its) == len(asked):  # whatever the attributes are
            found.append(option)
    return tuple(sorted(found))


def _shut_by(option: Option, defaults: Collection[Default], asked: Iterable[Default]) -> Option:
    """Return the option of an attribute with what shuts a branch.

    Args:
        option: it.
        defaults: those that do so.
        asked: all that were tried.
    """
    plain = tuple([default.kind for default in defaults if default in _PLAIN])
    is_by_others = _OTHER_WORD in defaults
    words = [one for one in asked if one.kind == WORD and one != _OTHER_WORD]
    named = tuple([one.word for one in words if (one in defaults) is not is_by_others])
    return option._replace(shut_by=plain, words=named, by_other_words=is_by_others)
