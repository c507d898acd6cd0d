"""Options: parameters with a constant for a default, and what a branch's test says while they have it.

Whether anybody passes something else is for the project to say: see
`overhead_lint.project.graph.unpassed_options`. What expressions are by default is in
`overhead_lint.project.default_values`.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.project.default_values import MADE, DefaultValues, Known
from overhead_lint.project.option_texts import ANY_WORD, ATTRIBUTE, OPTION, WORD, is_switch, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from overhead_lint.project.facts import FileFacts

__all__ = ["UNSET", "Options", "kind_of"]

UNSET: Final = "n"
"""The kind of None where that is the default of a setting, and no data is kept there."""
_KINDS: Final[dict[str, Any]] = {"F": False, "0": 0, "N": None, "T": True}
"""Kinds of values that turn something off, with one of each."""
_NO_WORD: Final = "\0"
"""Is none of the words that a test asks for."""
_ANY_KIND: Final = ""
_TELLING: Final = frozenset({ast.Attribute, ast.BoolOp, ast.Compare, ast.Name, ast.UnaryOp})


def kind_of(value: object) -> str:
    """The kind of a constant that may be a default: one of four that turn something off, a word, or ``V``."""
    if value is None or isinstance(value, bool):
        return repr(value)[0]
    if isinstance(value, str):
        return f"{WORD}{value}" if is_word(value) else "V"
    return "0" if isinstance(value, (int, float)) and not value else "V"


class Options:
    """The options of one file's functions.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._values = DefaultValues(facts)
        self._asked: dict[ast.expr, dict[str, Known | None]] = {}
        self._known: tuple[dict[ast.expr, tuple[str, ...]], ...] = ({}, {})  # by the outcome asked about

    def shut(self, test: ast.expr, when: bool) -> str:
        """The options, each after `OPTION`, whose defaults keep a test from being `when`; "" if none do.

        Of an attribute it is said what defaults of it would do so.
        """
        shutting = self._shutting(test, when)
        return "".join([OPTION + key for key in shutting]) if shutting else ""

    def _shutting(self, test: ast.expr, when: bool) -> tuple[str, ...]:
        known = self._known[when].get(test)
        if known is None:
            asked = self._asked.get(test)
            if asked is None:
                asked = self._asked[test] = self._by_kind(test)
            known = self._known[when][test] = _shutting(asked, when) if asked else ()
        return known

    def _by_kind(self, test: ast.expr) -> dict[str, Known | None]:
        """What a test is while options have their defaults, for each kind of what attributes may be."""
        values = self._values
        values.assumed, values.assumes, values.words = False, False, {}
        known = values.of(test)
        if not values.assumes:
            return {_ANY_KIND: known} if known is not None else {}
        assumed = {**_KINDS}
        if values.words:
            assumed[ANY_WORD] = _NO_WORD
            assumed.update((f"{WORD}{word}", word) for word in values.words)
        found = {}
        for kind, values.assumed in assumed.items():
            found[kind] = values.of(test)
        return found

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """All options that tests of the file ask about."""
        by_class = self._facts.scan.by_class
        found: set[str] = set()
        for node_class in (ast.If, ast.IfExp):
            for node in by_class.get(node_class, ()):
                assert isinstance(node, (ast.If, ast.IfExp))
                found.update(self._shutting(node.test, True), self._shutting(node.test, False))
        for node in self._facts.scan.of_class(ast.BoolOp):
            usual = node.op.__class__ is ast.And
            for value in node.values[:-1]:
                found.update(self._shutting(value, usual))
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

    def by_default(self, value: ast.expr) -> str:
        """The kind of what an expression is while options have their defaults; "" if they do not say it.

        `UNSET` for None where no data is handed over.
        """
        self._values.assumes = False
        known = self._values.of(value)
        if known is None or not known.options or self._values.assumes or known.value is MADE:
            return ""
        return UNSET if known.value is None and all(map(is_switch, known.options)) else kind_of(known.value)

    def passed_through(self, node: ast.expr, mark: str) -> str:
        """What an argument is while options that it hangs on have their defaults, after a mark, with these.

        "" where that is not known.
        """
        if node.__class__ not in _TELLING:
            return ""
        self._values.assumes = False
        known = self._values.of(node)
        if known is None or not known.options or self._values.assumes or known.value is MADE:
            return ""
        return f"{mark}{known.value!r}" + "".join(OPTION + key for key in sorted(known.options))


def _shutting(asked: Mapping[str, Known | None], when: bool) -> tuple[str, ...]:
    """The options whose defaults keep a test from being `when`, by what it is for kinds of defaults."""
    kinds: dict[str, list[str]] = {}
    for kind, known in asked.items():
        if known is not None and bool(known.value) is not when:
            for option in known.options:
                kinds.setdefault(option, []).append(kind)
    found = []
    for option, its in kinds.items():
        if option.startswith(ATTRIBUTE):
            found.append(f"{option}:{_needed(its, asked)}:")
        elif len(its) == len(asked):  # whatever the attributes are
            found.append(option)
    return tuple(sorted(found))


def _needed(kinds: Collection[str], asked: Iterable[str]) -> str:
    """Kinds of defaults as an option has them: words last, or after `ANY_WORD` those that shut nothing.

    Args:
        kinds: the kinds of defaults that shut a branch.
        asked: all kinds that were tried.
    """
    plain = "".join(kind for kind in kinds if kind in _KINDS)
    words = [kind for kind in asked if kind.startswith(WORD)]
    if ANY_WORD in kinds:
        return f"{plain}{ANY_WORD}{''.join(word for word in words if word not in kinds)}"
    return f"{plain}{''.join(word for word in words if word in kinds)}"
