"""Built-in rules as the cache knows them: the module of one is imported when a file needs it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.engine.packs import LoadedRule
from overhead_lint.rule import Heat, Rule, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.support.blobs import Plain

__all__ = ["read", "written"]

_OURS: Final = "overhead_lint."
_NAMED: Final = "Call"  # of these handlers may ask by what is called
_IN_MODULE: Final = frozenset({"handlers", "named"})


def written(rules: Iterable[LoadedRule]) -> Plain:
    """What is to be known of rules before a file needs them, as `marshal` takes it.

    It is empty if some are those of third parties.
    """
    found = []
    for rule, origin, page in rules:
        if not origin.startswith(_OURS):
            return ()
        told = (rule.code, rule.name, rule.summary, rule.triggers, int(rule.heat), rule.preview)
        more = (tuple(sorted(rule.yields_to)), rule.in_cold_files, rule.brief, _tier(rule), rule.stable_since)
        shown = str(page) if page is not None else ""
        found.append((*told, *more, _asked(rule), origin, shown))
    return tuple(found)


def _tier(rule: Rule) -> str:
    return rule.tier.value if rule.tier is not None else ""


def _asked(rule: Rule) -> Plain:
    """What the handlers of a rule ask for."""
    asked = [
        (node_class.__name__, rule.named.get(handler) if node_class.__name__ == _NAMED else None)
        for node_class, handlers in rule.handlers.items()
        for handler in handlers
    ]
    return tuple(asked)


def read(data: Plain) -> tuple[LoadedRule, ...]:
    """Rules from what `written` gave.

    Raises:
        ValueError: it is something else: no module but ours is ever imported for what a cache says.
    """
    if not all(str(origin).startswith(_OURS) for *_, origin, _ in data):
        raise ValueError("no built-in rule")
    return tuple(
        LoadedRule(_Known(values, origin), origin, Path(page) if page else None)
        for *values, origin, page in data
    )


class _Known(Rule):
    """A rule whose handlers are asked of its module when they are needed."""

    __slots__ = ("_module", "unread")

    def __init__(self, values: list[Any], module: str) -> None:
        code, name, summary, triggers, heat, preview, *more = values
        yields_to, in_cold_files, brief, tier, stable_since, unread = more
        self.code = code
        self.name = name
        self.summary = summary
        self.triggers = triggers
        self.heat = Heat(heat)
        self.preview = preview
        self.yields_to = frozenset(yields_to)
        self.in_cold_files = in_cold_files
        self.brief = brief
        self.tier = Tier(tier) if tier else None
        self.stable_since = stable_since
        self.unread = unread
        self._module = module

    def __getattr__(self, name: str) -> Any:
        """What is not there before the module is imported."""
        if name not in _IN_MODULE:
            raise AttributeError(name)
        rule: Rule = importlib.import_module(self._module).RULE
        self.handlers, self.named = rule.handlers, rule.named
        self.unread = ()
        return getattr(rule, name)
