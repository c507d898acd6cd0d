"""The rules that a run of ``overhead-lint check`` selects, and what earlier runs with them learned."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cache.shared import cache_of
from overhead_lint.config.selection import coded
from overhead_lint.config.settings import SettingsError
from overhead_lint.engine import packs
from overhead_lint.errors import Complaint
from overhead_lint.rule import Rule

if TYPE_CHECKING:
    from overhead_lint.cache.store import Cache
    from overhead_lint.cli.options import Options
    from overhead_lint.discovery.files import Target
    from overhead_lint.engine.linter import Linter
    from overhead_lint.rule import Heat

__all__ = ["Linters", "SelectedRules", "open_cache"]


_NOTHING: Final = "no rule is selected"


class NoRules(Complaint):
    """A selection that leaves no rule; the message is one line."""


class SelectedRules(Sequence[Rule]):
    """The rules that a run selects, loaded when they are first needed: kept results need none.

    Args:
        options: of the run.

    Attributes:
        cache: what earlier runs learned, that is opened once the rules are known by their stamp.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self.cache: Cache | None = None

    @cached_property
    def _loaded(self) -> tuple[packs.LoadedRule, ...]:
        if self.cache is None:
            return self._from_packs()
        from overhead_lint.engine import known_rules  # kept results need none

        if self.cache.rules:
            with contextlib.suppress(ValueError, TypeError):  # else the cache is none of ours
                return known_rules.read(self.cache.rules)
        loaded = self._from_packs()
        self.cache.rules = known_rules.written(loaded)
        return loaded

    def _from_packs(self) -> tuple[packs.LoadedRule, ...]:
        try:
            return packs.load(self._options.rule_packs)
        except packs.NotInstalled as error:
            file = self._options.file and self._options.file.setting("rule-packs")
            if not file:
                raise
            raise SettingsError(f"{file.place('rule-packs', error.pack)}: {error}") from error

    @cached_property
    def _selected(self) -> tuple[Rule, ...]:
        settings = self._options.settings
        return packs.select(self._loaded, settings.select, settings.ignore, preview=settings.preview)

    @cached_property
    def looking(self) -> tuple[Rule, ...]:
        """Those that look into files besides: all, where what they see is kept for other selections.

        Else those that are run to see which suppression comments silence something.
        """
        if self.cache is not None:
            return tuple(loaded.rule for loaded in self._loaded)
        return packs.audited(self._loaded, self._selected)

    def codes(self) -> dict[str, str]:
        """The codes of all rules, selected or not, by name."""
        return packs.codes_by_name(self._loaded)

    def page(self, code: str) -> Path | None:
        """The file of a rule's page, by its code; None where it has none."""
        return next((loaded.page for loaded in self._loaded if loaded.rule.code == code), None)

    def __len__(self) -> int:
        """How many rules are selected."""
        return len(self._selected)

    def __getitem__(self, index: Any) -> Any:
        """The selected rules, by code."""
        return self._selected[index]

    def check_codes(self) -> None:
        """See that all codes of the command line and of settings files are those of rules, and select some.

        Raises:
            SettingsError: one in a file is not; the file selects no rule.
            UnknownCode: one of the command line is not.
            NoRules: no rule is selected, so that a check would be clean whatever the files hold.
            PackError: a rule pack cannot be used.
        """
        for code, place in self._options.file.codes() if self._options.file else ():
            try:
                packs.select(self._loaded, [code], [], preview=self._options.settings.preview)
            except packs.UnknownCode as error:
                raise SettingsError(f"{place}: {error}") from error
        for code in self._options.named_codes():
            packs.named(self._loaded, code)
        if not self._selected and self._options.checks:
            file = self._options.file if not self._options.settings.select else None
            if file is not None:
                raise SettingsError(f"{file.place('select')}: {_NOTHING}: name codes, or leave select out")
            raise NoRules(f"{_NOTHING}: --show-settings tells what select and ignore are set to")

    def stamp(self) -> str:
        """The rules of third parties, and when their modules changed."""
        return packs.stamp(self._options.rule_packs, lambda: self._loaded)


class Linters:
    """The linters of a run: one for each set of rules that counts in some file.

    Args:
        options: of the run.
        rules: those that it selects.
    """

    def __init__(self, options: Options, rules: SelectedRules) -> None:
        self._options = options
        self._rules = rules
        self._made: dict[tuple[tuple[str, ...], Heat, str], Linter] = {}

    def of(self, target: Target, min_heat: Heat | None = None, runtime_module: str = "") -> Linter:
        """The linter with the rules that count in a file.

        Args:
            target: the file.
            min_heat: the least heat to report; that of the settings if None.
            runtime_module: dotted module that fixes import the runtime from; that of the settings if "".
        """
        ignored = coded(self._options.ignored(target.path), self._rules.codes)
        own = self._options.settings
        heat = own.min_heat if min_heat is None else min_heat
        key = ignored, heat, runtime_module or own.runtime_module
        if key not in self._made:
            from overhead_lint.engine.linter import Linter  # what is kept needs none of it

            rules = (
                [rule for rule in self._rules if not rule.code.startswith(ignored)]
                if ignored
                else self._rules
            )
            settings = own._replace(
                min_heat=heat,
                runtime_module=key[2],
                fixable=coded(own.fixable, self._rules.codes),
                unfixable=coded(own.unfixable, self._rules.codes),
            )
            self._made[key] = Linter(() if "ALL" in ignored else rules, settings, self._rules.looking)
        return self._made[key]


def open_cache(options: Options, root: Path | None, rules: SelectedRules) -> Cache | None:
    """What earlier runs with the same rules and settings learned; None if nothing is to be kept."""
    if root is None or not options.cache:
        return None
    folder = options.cache_folder or root / FOLDER
    given, packs = options.command_line.values.get("per-file-ignores"), rules.stamp()
    left_out = (str(options.command_line.path.parent), given) if given else ()
    rules.cache = cache_of(folder, options.settings, options.file, packs, options.cached_as, left_out)
    return rules.cache
