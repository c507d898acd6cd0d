"""What is said of misspelled comments beside findings, which somebody thinks they silence."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from overhead_lint.cli.selected_rules import SelectedRules
    from overhead_lint.engine.suppression import Directive
    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

__all__ = ["notes"]


def notes(findings: Iterable[Finding], sources: Mapping[Path, Source], rules: SelectedRules) -> Iterator[str]:
    """A line for each comment that would silence a finding if it were spelled as a rule's code or name is.

    Args:
        findings: what is reported, file by file.
        sources: the files.
        rules: those of the run; with the one about such comments among them there is nothing to add.
    """
    from overhead_lint.engine.unused_suppressions import UNUSED

    if any(rule.code == UNUSED for rule in rules):
        return
    from overhead_lint.engine.mistaken_suppressions import may_be_mistaken  # costs start-up
    from overhead_lint.engine.suppression import may_name

    codes = rules.codes()
    for path, of_file in groupby(findings, key=lambda finding: finding.path):
        if path not in sources and not _may_hold_comment(path):
            continue
        source = sources[path]
        if may_name(source, codes.values()) or may_be_mistaken(source, codes):
            yield from _of_file(list(of_file), source, codes)


def _may_hold_comment(path: Path) -> bool:
    """Whether a file may hold such a comment: a report may need the text of no file, and few have any."""
    from overhead_lint.engine.mistaken_suppressions import may_be_meant

    try:
        return may_be_meant(path.read_bytes())
    except OSError:  # it has gone since it was checked
        return False


def _of_file(findings: list[Finding], source: Source, codes: Mapping[str, str]) -> Iterator[str]:
    from overhead_lint.engine.suppression import Suppressions
    from overhead_lint.engine.unused_suppressions import span_of
    from overhead_lint.report.place import where
    from overhead_lint.syntax.parsing import parse
    from overhead_lint.syntax.source_error import SourceError

    meant = sorted(_misspelled(source, codes), key=lambda one: (one[0].line, one[0].column))
    if not meant:
        return
    try:
        tree = parse(source)
    except SourceError:  # it has changed since it was checked
        return
    for directive, why in meant:
        alone = Suppressions([directive])
        beside = [finding for finding in findings if alone.silences(finding, tree)]
        if beside:
            place = where(beside[0]._replace(span=span_of(directive)), {source.path: source})
            yield f"{source.path}:{place}: this comment silences no {beside[0].code}: {why}"


def _misspelled(source: Source, codes: Mapping[str, str]) -> Iterator[tuple[Directive, str]]:
    """Comments that are misspelled, as orders that silence all rules where they would, with what is wrong."""
    from overhead_lint.config.unknown_rule import unknown_rule
    from overhead_lint.engine.mistaken_suppressions import Known, mistakes, written
    from overhead_lint.engine.suppression import Directive, suppressions

    orders = suppressions(source).directives
    known = Known(codes)
    for order in orders:
        words = written(source, order) if order.word != "on" else []
        wrong = [word for word in words if known.has_not(word, order)]
        if wrong:
            yield order._replace(prefixes=("",)), "; ".join(unknown_rule(word, codes) for word in wrong)
    for mistake in mistakes(source, orders, codes):
        place = (mistake.line, mistake.column, mistake.end)
        if mistake.word != "on":
            yield Directive(mistake.word, ("",), *place), mistake.why
