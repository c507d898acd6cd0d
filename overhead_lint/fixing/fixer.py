"""Carries out the fixes of findings: plans their text, resolves conflicts, checks the result.

A file is fixed in rounds. In each, the fixes that do not overlap are applied together, imports
that two of them share once; the result is parsed, compiled and linted again, and its fixes make
up the next round. A file is only ever given back whole: if a result does not parse, or the
rounds do not settle, it stays as it was, and the failure says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.fixing.planning import Planned, disjoint, in_order, planned
from overhead_lint.fixing.writer import WriteError, diff, write, write_all
from overhead_lint.rule import Applicability, Finding, TextEdit
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.edits.elsewhere import Elsewhere
    from overhead_lint.rule import Fix

__all__ = [
    "CannotFix",
    "Failure",
    "FixResult",
    "Lint",
    "WriteError",
    "diff",
    "fix_file",
    "plan",
    "write",
    "write_all",
]

Lint = Callable[[Source], "list[Finding]"]

# Nested places are fixed one level a round; deeper nesting than this is a pair of rules that
# undo each other in ever new ways.
_MAX_ROUNDS = 100


class Failure(NamedTuple):
    """A fix that was not applied, and why."""

    finding: Finding
    reason: str

    def __str__(self) -> str:
        """One line that names the place, the rule and the reason."""
        return self.told(f"{self.finding.span.line}:{self.finding.span.column}")

    def told(self, place: str) -> str:
        """The same with other words for the place in the file."""
        return f"{self.finding.path}:{place}: {self.finding.code} was not fixed: {self.reason}"


@dataclass(frozen=True, slots=True)
class FixResult:
    """What became of one file.

    Attributes:
        before: the file as it was read.
        after_text: its text with the fixes applied; equal to ``before.text`` if there were none.
        applied: findings whose fixes were applied, in the order in which they were.
        remaining: findings in the fixed text.
        failures: fixes that could not be applied.
    """

    before: Source
    after_text: str
    applied: tuple[Finding, ...]
    remaining: tuple[Finding, ...]
    failures: tuple[Failure, ...]

    @property
    def changed(self) -> bool:
        """Whether anything was fixed."""
        return self.after_text != self.before.text


def plan(finding: Finding, source: Source, elsewhere: Elsewhere | None = None) -> tuple[TextEdit, ...]:
    """The text edits of a finding's fix, those of its imports included, in order.

    Args:
        finding: a finding with a fix, made on `source`.
        source: the file.
        elsewhere: tells what other files use of the file.

    Raises:
        CannotFix: the fix cannot be applied here; the message says why.
    """
    own = planned(finding, source, elsewhere)
    return tuple(in_order(own.edits, own.imports))


def fix_file(
    source: Source,
    lint: Lint,
    *,
    unsafe: bool,
    found: Sequence[Finding] | None = None,
    elsewhere: Elsewhere | None = None,
) -> FixResult:
    """Apply the fixes of a file until none is left.

    Args:
        source: the file.
        lint: finds what there is to fix; called again on each result.
        unsafe: whether to apply unsafe fixes too.
        found: what `lint` gave for `source`, where that is known already.
        elsewhere: tells what other files use of the file; imports of that stay, and hide nothing of theirs,
            and what they decorate with goes on to do so.

    Returns:
        The result; on any doubt the text is the one of `source` and the failures say why.
    """
    current, findings = source, list(lint(source) if found is None else found)
    first = tuple(findings)
    applied: list[Finding] = []
    seen = {source.text}
    for _ in range(_MAX_ROUNDS):
        wanted = [f for f in findings if _is_wanted(f.fix, unsafe=unsafe)]
        after, done, failures = _round(current, wanted, elsewhere)
        if not done:
            return FixResult(source, current.text, tuple(applied), tuple(findings), tuple(failures))
        if after.text in seen:
            return _given_up(source, first, done, "its fix is undone by another one")
        seen.add(after.text)
        applied += done
        current, findings = after, lint(after)
    return _given_up(source, first, done, f"fixes did not settle in {_MAX_ROUNDS} rounds")


def _given_up(
    source: Source, findings: tuple[Finding, ...], blamed: Sequence[Finding], why: str
) -> FixResult:
    reason = f"{why}; the file was left as it was"
    return FixResult(source, source.text, (), findings, tuple(Failure(f, reason) for f in blamed))


def _is_wanted(fix: Fix | None, *, unsafe: bool) -> bool:
    wanted = (Applicability.SAFE, Applicability.UNSAFE) if unsafe else (Applicability.SAFE,)
    return fix is not None and fix.applicability in wanted


def _round(
    source: Source, findings: Iterable[Finding], elsewhere: Elsewhere | None
) -> tuple[Source, list[Finding], list[Failure]]:
    """Apply what can be applied together.

    Returns:
        The new source, the findings that were fixed, and the fixes that cannot be applied at all.
    """
    failures: list[Failure] = []
    plans: list[Planned] = []
    for finding in findings:
        try:
            plans.append(planned(finding, source, elsewhere))
        except CannotFix as error:
            failures.append(Failure(finding, str(error)))
    chosen = disjoint(plans)
    try:
        after, chosen = _with_names_of_their_own(source, chosen, elsewhere)
    except CannotFix:
        # One of them is at fault: keep those that are right alone.
        chosen, wrong = _sifted(source, plans, elsewhere)
        failures += wrong
        try:
            after, chosen = _with_names_of_their_own(source, chosen, elsewhere)
        except CannotFix:  # each is right, but not with the others: they come one by one
            chosen = chosen[:1]
            after = _checked(source, chosen, elsewhere)
    return after, [item.finding for item in chosen], failures


def _with_names_of_their_own(
    source: Source, chosen: list[Planned], elsewhere: Elsewhere | None
) -> tuple[Source, list[Planned]]:
    """The source with fixes applied, but for those that bring a name which an earlier one brings, and these.

    Raises:
        CannotFix: as for `_checked`.
    """
    from overhead_lint.edits.new_names import to_wait

    after = _checked(source, chosen, elsewhere)
    waiting = to_wait(source, after, [item.edits for item in chosen])
    if waiting:
        chosen = [item for index, item in enumerate(chosen) if index not in waiting]
        after = _checked(source, chosen, elsewhere)
    return after, chosen


def _sifted(
    source: Source, plans: Iterable[Planned], elsewhere: Elsewhere | None
) -> tuple[list[Planned], list[Failure]]:
    """The fixes whose result is right when they are applied alone, and the others."""
    right, wrong = [], []
    for item in plans:
        try:
            _checked(source, [item], elsewhere)
        except CannotFix as error:
            wrong.append(Failure(item.finding, str(error)))
        else:
            right.append(item)
    return disjoint(right), wrong


def _checked(source: Source, chosen: Sequence[Planned], elsewhere: Elsewhere | None) -> Source:
    """The source with fixes applied.

    Raises:
        CannotFix: the result does not parse or compile, or cannot be written in the file's encoding.
    """
    from overhead_lint.edits.insertions import in_a_row
    from overhead_lint.edits.lines import splice
    from overhead_lint.edits.unused import removals

    if not chosen:
        return source
    imports = {edit for item in chosen for edit in item.imports}
    edits = dict.fromkeys(edit for item in chosen for edit in item.edits if edit not in imports)
    after = _reread(source, splice(source.text, in_a_row(in_order(edits, imports))))
    while unused := removals(source, after, elsewhere):
        after = _reread(source, splice(after.text, unused))
    if _compiles(source) and not _compiles(after):
        raise CannotFix("the result does not compile")
    return after


def _reread(source: Source, text: str) -> Source:
    """A text as if it had been read from the file.

    Raises:
        CannotFix: the file's encoding lacks a character, or the text does not parse.
    """
    from overhead_lint.edits.outline import outline

    try:
        after = Source.from_bytes(source.path, source.encode(text))
    except UnicodeEncodeError as error:
        raise CannotFix(f"{source.encoding} cannot hold {error.object[error.start]!r}") from error
    except ValueError as error:
        raise CannotFix(str(error)) from error
    except SourceError as error:
        raise CannotFix(f"the result cannot be read: {error.message}") from error
    if after.text != text and after.notebook is None:
        raise CannotFix("the result would be read in another encoding")
    outline(after)
    return after


def _compiles(source: Source) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source.text, str(source.path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
