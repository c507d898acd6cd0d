"""Triggers, then the tree, then the rules: from a source to its findings."""

from __future__ import annotations

import ast
import zlib
from typing import TYPE_CHECKING, Final

from overhead_lint.config.selection import outweighs
from overhead_lint.discovery.files import is_importable, module_name, project_root
from overhead_lint.engine.context import UNTOLD, FileContext
from overhead_lint.engine.settling import Settling
from overhead_lint.engine.suppression import may_name, may_silence, suppressions
from overhead_lint.engine.triggers import Triggers
from overhead_lint.engine.unused_suppressions import UNUSED, unused
from overhead_lint.errors import class_and_message, pass_interrupt_on
from overhead_lint.project.cross_file import (
    NO_DEPENDENCIES,
    NO_LOOPS,
    NOTHING_TOLD,
    Dependencies,
    LoopDependencies,
    RuleDependencies,
    SettingsUse,
    Told,
    is_run_by_data,
)
from overhead_lint.project.facts import FileFacts
from overhead_lint.project.packed_warmths import Packed, packed_warmth
from overhead_lint.rule import Finding, Heat, Rule, Warmth
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.syntax.text_parsing import TOO_DEEP
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from overhead_lint.analysis.file_questions import Question
    from overhead_lint.analysis.graph.option import Option, PlainOption
    from overhead_lint.config.run_settings import Settings
    from overhead_lint.project.heat import FileHeat
    from overhead_lint.project.warmable import Warmable
    from overhead_lint.syntax.source import Source

__all__ = ["Linter", "Look", "facts_of"]


# What files contain that compile something.
_OF_COMPILER: Final = frozenset({b"compile"})
_OF_TORCH: Final = frozenset({b"torch"})

# Findings are kept as numbers of 32 bits with a sign.
_NUMBERS: Final = 2**31 - 1


class Look(NamedTuple):
    """What the rules see in a file before the heat of its functions is known.

    Attributes:
        findings: those that some heat would make count; what comments silence is left out.
        asked: for rules, by code, the functions on whose heat they decided something, and options that this
            hangs on, with what they were told. If that turns out to be wrong, they must look again.
        asked_by_data: for rules, by code, the functions of which they asked whether data sets alone run them,
            with what they were told.
        dependencies: what it seeks of other files, since what they saw depends on that.
            If the project knows more of them, the rules that depend on them must look at the file again.
        dependencies_by_rule: for rules, by code, what of that what they saw depends on.
        failed: the codes of rules that failed, which nobody has selected.
        loops: what it depends on which loops take steps.
    """

    findings: list[Finding]
    asked: dict[str, dict[str | PlainOption, Packed]]
    asked_by_data: dict[str, dict[str, bool]]
    dependencies: Dependencies
    dependencies_by_rule: dict[str, RuleDependencies]
    failed: tuple[str, ...] = ()
    loops: LoopDependencies = NO_LOOPS


class Linter:
    """Runs rules over sources.

    Args:
        rules: the rules whose findings are wanted.
        settings: what to report.
        known: rules that look as well: what they see is kept for runs that select them. With
            `overhead_lint.engine.unused_suppressions.UNUSED` among `rules` these are all rules that there
            are, which
            are run to see which suppression comments silence something.

    Attributes:
        settling: judges what the rules see when the heat of functions is known.
    """

    def __init__(self, rules: Sequence[Rule], settings: Settings, known: Sequence[Rule] = ()) -> None:
        self._rules = tuple(rules)
        self._settings = settings
        self._codes = frozenset(rule.code for rule in rules)
        self._known = {rule.code: rule for rule in (*known, *rules)}
        self.settling = Settling(self._known, settings, self._codes)
        self._triggers = Triggers(trigger for rule in self._known.values() for trigger in rule.triggers)
        self._runtime = settings.runtime_module.encode().split(b".")

    def forget(self) -> None:
        """Let go of what was remembered to look into many files faster."""
        self._triggers.forget()

    def lint(
        self,
        source: Source,
        *,
        cold: str = "",
        parse_anyway: bool = False,
        warmths: Mapping[str, Warmth] | None = None,
        told: Told = NOTHING_TOLD,
    ) -> list[Finding]:
        """The findings in a source, in source order.

        Args:
            source: the file.
            cold: why the whole file is cold, by its path; "" if it is not.
            parse_anyway: parse the file even if no rule's trigger is in it, to see that it is Python.
            warmths: heat of the file's functions as the project has it; without it the file stands alone.
            told: what else the project tells the file.

        Raises:
            SourceError: a syntax error, a tree too deep to walk, or a rule that failed.
        """
        rules, audited = self._rules_for(source, cold, told)
        if not (rules or audited):
            if parse_anyway:
                parse(source)
            return []
        facts = facts_of(source, cold=cold, warmths=warmths, told=told)
        try:
            found = self._look(source, facts, rules, audited=audited).findings
            return self.settling.settled(found, facts.heat.functions, facts.heat.told)
        finally:
            facts.release()

    def look(
        self,
        source: Source,
        facts: Callable[[], FileFacts],
        *,
        cold: str = "",
        codes: Collection[str] | None = None,
        told: Told = NOTHING_TOLD,
        again: bool = False,
    ) -> Look:
        """What all rules see in a source, whatever the heat of its functions will turn out to be.

        Args:
            source: the file.
            facts: gives what is known about its tree; called only if a rule's trigger is in the file.
            cold: why the whole file is cold, by its path; "" if it is not.
            codes: rules that are to look again; all look if it is None, or names `UNUSED`.
            told: what the project tells the file of others.
            again: whether they have looked before, so that it is known what they seek in other files.

        Raises:
            SourceError: a tree too deep to walk, or a rule that failed.
        """
        if codes is not None and UNUSED not in codes:
            # They have looked before, so that their triggers need not be looked for.
            rules, audited = [rule for rule in self._known.values() if rule.code in codes], False
        else:
            rules, audited = self._rules_for(source, cold, told, all_look=True)
        if not (rules or audited):
            return Look([], {}, {}, NO_DEPENDENCIES, {})
        return self._look(source, facts(), rules, audited=audited, seeks=not again)

    def selects(self, codes: Iterable[str]) -> bool:
        """Whether it has one of some rules for its findings."""
        return not self._codes.isdisjoint(codes)

    def audits(self, source: Source, *, cold: str) -> bool:
        """Whether the comments of a file are audited, for which all rules have to look at it."""
        # In a cold file most rules are silent anyway: that says nothing about its comments.
        if UNUSED not in self._known or cold:
            return False
        if may_name(source, self._known):
            return True
        from overhead_lint.engine.mistaken_suppressions import may_be_mistaken  # most runs do not ask for it

        return may_be_mistaken(source, {rule.name: code for code, rule in self._known.items()})

    def _rules_for(
        self, source: Source, cold: str, told: Told, *, all_look: bool = False
    ) -> tuple[list[Rule], bool]:
        """The rules that can have something to say about a file, and whether its comments are audited."""
        audited = self.audits(source, cold=cold)
        data = source.code
        held = self._triggers.held_by(data)
        if told.compiled:  # in another file, which has the word
            held |= _OF_COMPILER
        if told.aliases:  # so do files that import it from a library
            held |= self._triggers.held_by(" ".join([api for _, api in told.aliases]).encode())
        if all(word in data for word in self._runtime):  # fixes may have left no other use of torch
            held |= _OF_TORCH
        rules = [
            rule
            for rule in (self._known.values() if audited or all_look else self._rules)
            if not held.isdisjoint(rule.triggers)
            and (not cold or rule.in_cold_files)  # else nothing that the rule says could be hot enough
            and (rule.unread or rule.handlers)
        ]
        return rules, audited

    def _look(
        self,
        source: Source,
        facts: FileFacts,
        rules: Sequence[Rule],
        *,
        audited: bool,
        seeks: bool = False,
    ) -> Look:
        settings = self._settings.at(source.path)
        context = FileContext(
            source,
            facts,
            settings.runtime_module,
            settings.oldest_torch,
            settings.reported_torch,
            settings.newest_torch,
            settings.packages,
            untold=facts.warmths is None and seeks,
        )
        found: list[Finding] = []
        failed: list[str] = []
        asked: dict[str, set[str | Option]] = {}
        asked_by_data: dict[str, set[str]] = {}
        paths_by_rule: dict[str, set[str]] = {}
        settings_by_rule: dict[str, SettingsUse] = {}
        elsewhere_by_rule: dict[str, set[Question]] = {}
        for rule in rules:
            context.asked = asked[rule.code] = set()
            context.asked_by_data = asked_by_data[rule.code] = set()
            context.rule_dependencies = paths_by_rule[rule.code] = set()
            context.rule_settings = SettingsUse.NONE
            context.elsewhere = elsewhere_by_rule[rule.code] = set()
            try:
                found += self._run(rule, context, facts)
            except SourceError:
                if rule.code in self._codes:
                    raise
                failed.append(rule.code)
            settings_by_rule[rule.code] = context.rule_settings
        if audited or (found and may_silence(source, found, facts.scan.tree)):
            found = self._unsilenced(found, source, facts, asked, audited=audited)
        found = [self._settleable(finding, facts) for finding in found]
        heat = facts.heat
        told = {code: _told(asked_about, heat) for code, asked_about in asked.items() if asked_about}
        told_by_data = {
            code: {name: not context.untold and is_run_by_data(heat.functions.get(name)) for name in names}
            for code, names in asked_by_data.items()
            if names
        }
        fixed = [f if self._fixes(f) else f._replace(fix=None) for f in found]
        found = [f if f.fix is not None else f._replace(alike=_alike(f, source)) for f in fixed]
        loops = NO_LOOPS
        if seeks and facts.loops.dependencies:
            loops = LoopDependencies(tuple(sorted(facts.loops.dependencies)), facts.loops.judged)
        sought = tuple(sorted(set(loops.paths).union(*paths_by_rule.values())))
        dependencies = Dependencies(sought, tuple(sorted(context.found_by)), any(settings_by_rule.values()))
        by_rule = {}
        for code, paths in paths_by_rule.items():
            elsewhere = tuple(sorted(one.plain() for one in elsewhere_by_rule[code]))
            if paths or settings_by_rule[code] or elsewhere:
                by_rule[code] = RuleDependencies(tuple(sorted(paths)), int(settings_by_rule[code]), elsewhere)
        return Look(found, told, told_by_data, dependencies, by_rule, tuple(failed), loops)

    def _unsilenced(
        self,
        found: Iterable[Finding],
        source: Source,
        facts: FileFacts,
        asked: dict[str, set[str | Option]],
        *,
        audited: bool,
    ) -> list[Finding]:
        """The findings that no comment silences, with what an audit finds of the comments themselves.

        Args:
            found: the findings of all rules that looked.
            source: the file.
            facts: what is known of it.
            asked: takes, for an audit, the functions on whose heat it depends which comments are of use.
            audited: whether the comments are audited; rules that were run for that alone say nothing.
        """
        silenced, tree = suppressions(source), facts.scan.tree
        kept = []
        for finding in found:
            if not silenced.silences(finding, tree, used=self._counts_as_use(finding, facts)):
                kept.append(finding)
            elif audited and finding.standing is not None:
                # Which comments are of use depends on the heat of all that they silence.
                asked.setdefault(UNUSED, set()).add(finding.standing.function)
        if not audited:
            return kept
        return [*kept, *unused(source, silenced, self._known)]

    def _counts_as_use(self, finding: Finding, facts: FileFacts) -> bool:
        """Whether a comment that silences a finding is of use: other settings may ask for less heat."""
        warmth = finding.warmth
        if warmth is UNTOLD and finding.standing is not None:
            warmth = facts.heat.at(finding.standing)
        is_hot = warmth.heat >= min(Heat.PRESUMED, self._known[finding.code].heat)
        return is_hot and finding.only.lets(warmth)

    def _settleable(self, finding: Finding, facts: FileFacts) -> Finding:
        """The finding without its standing if its rule gave it the heat of another place."""
        if (
            finding.standing is None
            or finding.warmth is UNTOLD
            or finding.warmth == facts.heat.at(finding.standing)
        ):
            return finding
        return finding._replace(standing=None)

    def _fixes(self, finding: Finding) -> bool:
        """Whether the settings let a finding's fix be shown and applied."""
        return outweighs(finding.code, self._settings.fixable, self._settings.unfixable)

    def _needs_heat(self, rule: Rule) -> bool:
        """Whether nothing that a rule finds counts where no caller can bring heat to; settings can."""
        return not self._settings.hot and self.settling.least(rule) > Heat.COLD

    def _run(self, rule: Rule, context: FileContext, facts: FileFacts) -> list[Finding]:
        """Call a rule's handlers with the nodes they ask for."""
        found: list[Finding] = []
        try:
            warmable = facts.warmable if self._needs_heat(rule) else None
            if rule.unread and not any(
                _asked_for(getattr(ast, of), names, facts, warmable) for of, names in rule.unread
            ):
                return found  # without a look into its module
            for node_class, handlers in rule.handlers.items():
                for handler in handlers:
                    names = rule.named.get(handler) if node_class is ast.Call else None
                    for node in _asked_for(node_class, names, facts, warmable):
                        before = len(found)
                        found += handler(node, context)
                        if context.handler_dependencies:
                            context.end_handler(found=len(found) > before)
            _check(found)
        except RecursionError as error:
            raise SourceError(context.path, 0, 0, TOO_DEEP) from error
        except SourceError:
            raise
        except (Exception, SystemExit) as error:  # a defect of the rule, ours or a pack's: no traceback
            pass_interrupt_on(error)
            text = class_and_message(error)
            raise SourceError(context.path, 0, 0, f"rule {rule.code} failed: {text}") from error
        return found


def _told(asked: Iterable[str | Option], heat: FileHeat) -> dict[str | PlainOption, Packed]:
    """Return what is told of functions and options, as plain data; of most options nothing is."""
    found: dict[str | PlainOption, Packed] = {}
    for one in asked:
        if isinstance(one, str):
            warmth = heat.functions.get(one)
            if warmth is not None:
                found[one] = packed_warmth(*warmth)
        elif one in heat.options:
            found[tuple(one)] = tuple(heat.options[one])
    return found


def _check(found: Iterable[object]) -> None:
    """See that what a rule gave is what rules give.

    Raises:
        TypeError: it is not.
    """
    for one in found:
        if not isinstance(one, Finding):
            raise TypeError(f"{one!r} is not an overhead_lint.rule.Finding")


def _alike(finding: Finding, source: Source) -> int:
    """A number that tells what a finding without a fix marks, whatever the space in it; 0 for no text.

    In notebooks each stands for itself: their lines are counted cell by cell.
    """
    text = " ".join(source.between(finding.span).split()) if source.notebook is None else ""
    return (zlib.crc32(text.encode(errors="replace")) & _NUMBERS) or 1 if text else 0


def _asked_for(
    node_class: type[ast.AST], names: AbstractSet[str] | None, facts: FileFacts, warmable: Warmable | None
) -> Sequence[ast.AST]:
    """The nodes of a class, or calls of some names, that a handler asks for, where heat can reach them."""
    if names is not None:
        calls = facts.call_index.of(names)
        return calls if warmable is None else warmable.among(calls)
    return facts.scan.of_class(node_class) if warmable is None else warmable.of_class(node_class)


def facts_of(
    source: Source,
    *,
    cold: str = "",
    warmths: Mapping[str, Warmth] | None = None,
    told: Told = NOTHING_TOLD,
) -> FileFacts:
    """What is known about a source.

    Args:
        source: the file.
        cold: why the whole file is cold, by its path; "" if it is not.
        warmths: heat of its functions as the project has it; without it the file stands alone.
        told: what else the project tells the file.

    Raises:
        SourceError: it does not parse.
    """
    module, is_package = module_name(source.path)
    return FileFacts(
        parse(source),
        str(source.path),
        module=module,
        is_package=is_package,
        cold=cold,
        warmths=warmths,
        told=told,
        is_importable=is_importable(source.path, project_root(source.path.absolute().parent)),
    )
