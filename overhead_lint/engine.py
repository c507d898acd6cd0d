"""Triggers, then the tree, then the rules: from a source to its findings."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from overhead_lint.context import FileContext
from overhead_lint.files import module_name
from overhead_lint.parsing import parse_text
from overhead_lint.project.facts import FileFacts
from overhead_lint.rule import Finding, Heat, Rule, Warmth
from overhead_lint.selection import outweighs
from overhead_lint.source import Source, SourceError
from overhead_lint.suppression import TRIGGERS, suppressions
from overhead_lint.upkeep import UNUSED, unused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from overhead_lint.config import Settings

__all__ = ["Linter", "parse"]

_TOO_DEEP: Final = "is nested too deeply to be checked"


class Linter:
    """Runs rules over sources.

    Args:
        rules: the rules whose findings are wanted.
        settings: what to report.
        known: all rules that there are; with `overhead_lint.upkeep.UNUSED` among `rules`, these are
            run to see which suppression comments silence something.
    """

    def __init__(self, rules: Sequence[Rule], settings: Settings, known: Sequence[Rule] = ()) -> None:
        self._rules = tuple(rules)
        self._settings = settings
        self._codes = frozenset(rule.code for rule in rules)
        self._known = {rule.code: rule for rule in (*known, *rules)}

    def lint(
        self,
        source: Source,
        *,
        cold: str = "",
        parse_anyway: bool = False,
        warmths: Mapping[str, Warmth] | None = None,
    ) -> list[Finding]:
        """The findings in a source, in source order.

        Args:
            source: the file.
            cold: why the whole file is cold, by its path; "" if it is not.
            parse_anyway: parse the file even if no rule's trigger is in it, to see that it is Python.
            warmths: heat of the file's functions as the project has it; without it the file stands alone.

        Raises:
            SourceError: a syntax error, a tree too deep to walk, or a rule that failed.
        """
        # In a cold file most rules are silent anyway: that says nothing about its comments.
        asked = UNUSED in self._codes and not cold
        audited = asked and any(trigger in source.data for trigger in TRIGGERS)
        rules = [
            rule
            for rule in (self._known.values() if audited else self._rules)
            if any(trigger in source.data for trigger in rule.triggers)
            and not (cold and rule.heat > Heat.COLD)  # nothing that the rule says could be hot enough
        ]
        if not rules:
            if parse_anyway:
                parse(source)
            return []
        tree = parse(source)
        module, is_package = module_name(source.path)
        facts = FileFacts(
            tree, str(source.path), module=module, is_package=is_package, cold=cold, warmths=warmths
        )
        context = FileContext(source, facts, self._settings.runtime_module)
        found = [finding for rule in rules for finding in self._run(rule, context, facts, audited)]
        if not found and not audited:
            return found
        silenced = suppressions(source)
        kept = [finding for finding in found if not silenced.silences(finding, tree)]
        if audited:
            kept = [finding for finding in kept if self._wanted(finding)]
            kept += unused(source, silenced, self._known)
        kept.sort(key=lambda finding: (finding.span, finding.code, finding.message))
        return [finding if self._fixes(finding) else replace(finding, fix=None) for finding in kept]

    def _fixes(self, finding: Finding) -> bool:
        """Whether the settings let a finding's fix be shown and applied."""
        return outweighs(finding.code, self._settings.fixable, self._settings.unfixable)

    def _wanted(self, finding: Finding) -> bool:
        """Whether a finding that was looked for because of a comment is wanted for itself."""
        rule = self._known.get(finding.code)
        return rule is None or (rule.code in self._codes and finding.warmth.heat >= self._least(rule))

    def _least(self, rule: Rule) -> Heat:
        """The least heat at which a rule's findings count."""
        if rule.heat is Heat.COLD:
            return Heat.COLD
        least = self._settings.min_heat
        return least if least < Heat.STEP else max(rule.heat, least)

    def _run(self, rule: Rule, context: FileContext, facts: FileFacts, audited: bool) -> Iterator[Finding]:
        """Call a rule's handlers with the nodes they ask for, and keep what is hot enough.

        A comment may silence what other settings would show, so with `audited` less heat will do.
        """
        least = min(Heat.PRESUMED, rule.heat) if audited else self._least(rule)
        by_class = facts.scan.by_class
        try:
            for node_class, handlers in rule.handlers.items():
                for node in by_class.get(node_class, ()):
                    for handler in handlers:
                        for finding in handler(node, context):
                            if finding.warmth.heat >= least:
                                yield finding
        except RecursionError as error:
            raise SourceError(context.path, 0, 0, _TOO_DEEP) from error
        except SourceError:
            raise
        except Exception as error:  # a defect of the rule, ours or a third party's: no traceback for users
            text = " ".join(f"{type(error).__name__}: {error}".split())
            raise SourceError(context.path, 0, 0, f"rule {rule.code} failed: {text}") from error


def parse(source: Source) -> ast.Module:
    """Parse a source with this Python's grammar.

    Raises:
        SourceError: it does not parse.
    """
    try:
        return parse_text(source.text)
    except SyntaxError as error:
        message = f"syntax error: {error.msg}"
        raise SourceError(source.path, error.lineno or 1, error.offset or 1, message) from error
    except (RecursionError, MemoryError) as error:  # what the parser raises depends on the Python version
        raise SourceError(source.path, 0, 0, _TOO_DEEP) from error
