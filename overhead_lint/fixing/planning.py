"""From the fixes of findings to edits of text, and which of these can be made together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from overhead_lint.edits.model import (
    AnyEdit,
    CannotFix,
    InsertStatements,
    RemoveArgument,
    ReplaceExpression,
    SetArgument,
    UnwrapCall,
)
from overhead_lint.rule import Applicability, Finding, TextEdit
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.edits.elsewhere import Elsewhere
    from overhead_lint.rule import Fix
    from overhead_lint.syntax.source import Source

__all__ = ["Planned", "disjoint", "in_order", "planned"]


class Planned(NamedTuple):
    """A fix as edits of text.

    Attributes:
        finding: whose fix it is.
        edits: its edits, in order.
        imports: those that bring its imports.
        replaced: where the expressions stand that it rewrites: the edits are only what differs in them.
    """

    finding: Finding
    edits: tuple[TextEdit, ...]
    imports: tuple[TextEdit, ...]
    replaced: tuple[tuple[int, int], ...] = ()


def planned(finding: Finding, source: Source, elsewhere: Elsewhere | None) -> Planned:
    """Return the text edits of a finding's fix.

    Raises:
        CannotFix: the fix cannot be applied here; the message says why.
    """
    from overhead_lint.edits.apply import text_edits
    from overhead_lint.edits.imports import resolve
    from overhead_lint.edits.outline import outline

    if finding.fix is None:
        raise CannotFix("it has no fix")
    fix = finding.fix
    if fix.applicability is Applicability.NEEDS_RUNTIME:
        raise CannotFix("it imports the runtime, which the project does not declare")
    if fix.edits and all(isinstance(edit, TextEdit) for edit in fix.edits):
        _check_encoding(source)
        return Planned(finding, tuple(cast("TextEdit", edit) for edit in fix.edits), ())
    # The protocol of `rule` keeps libcst and these classes out of what rules import.
    edits = cast("tuple[AnyEdit, ...]", fix.edits)
    if not edits:
        raise CannotFix("its fix has no edits")
    _check_encoding(source)
    _check_decorators(fix, source, elsewhere)
    first = min(map(_first_line, edits))
    names, imports = resolve(fix.imports, outline(source), first, elsewhere)
    keep_comments = fix.applicability is Applicability.SAFE
    done = text_edits(edits, names, source, keep_comments=keep_comments)
    if not done:
        raise CannotFix("its fix changes nothing")
    rewritten = (
        edit.node
        for edit in edits
        if isinstance(edit, (RemoveArgument, ReplaceExpression, SetArgument, UnwrapCall))
    )
    return Planned(finding, tuple(done), tuple(imports), tuple(map(source.offsets, rewritten)))


def _check_decorators(fix: Fix, source: Source, elsewhere: Elsewhere | None) -> None:
    """See that no other file decorates functions with what decorates none any more.

    Raises:
        CannotFix: one does.
    """
    if elsewhere is None:
        return
    for name in fix.only_entered:
        other = elsewhere.decorating(source.path, name)
        if other is not None:
            raise CannotFix(f"{other.name} decorates functions with {name}, and it would only be entered")


def _check_encoding(source: Source) -> None:
    """See that what a fix leaves alone can be written as it was.

    Raises:
        CannotFix: the file's encoding has other bytes for the same text, as those with escapes have.
    """
    if source.notebook is not None or source.encoding == "utf-8":
        return
    try:
        is_given_back = source.encode(source.text) == source.data
    except UnicodeError:
        is_given_back = False
    if not is_given_back:
        raise CannotFix(f"{source.encoding} does not give the file back as it was")


def _first_line(edit: AnyEdit) -> int:
    """The first line that an edit changes: imports that it needs must stand above."""
    if isinstance(edit, InsertStatements) and edit.after:
        return (edit.node.end_lineno or edit.node.lineno) + 1
    return edit.node.lineno


def in_order(edits: Iterable[TextEdit], imports: Iterable[TextEdit]) -> list[TextEdit]:
    """All edits in the order of the file.

    At one place imports come first, since the others may use them; these keep the order in which they come.
    """
    ordered = [*sorted(imports), *edits]
    return sorted(ordered, key=lambda edit: (edit.start, edit.end))


def disjoint(plans: Iterable[Planned]) -> list[Planned]:
    """As many of the fixes as do not touch each other, in the order of the file.

    Two fixes may ask for the same import or constant, and put different ones at the same place;
    other edits there exclude each other.
    """
    chosen: list[Planned] = []
    taken: list[TextEdit] = []
    replaced: list[tuple[int, int]] = []
    shared: set[TextEdit] = set()
    for item in sorted(plans, key=lambda item: item.edits):
        fresh = [edit for edit in item.imports if edit not in shared]
        if any(_exclude(edit, other) for edit in (*item.edits, *fresh) for other in taken):
            continue
        if any(
            start < other_end and other < end for start, end in item.replaced for other, other_end in replaced
        ):
            continue
        chosen.append(item)
        taken += [*item.edits, *fresh]
        replaced += item.replaced
        shared.update(fresh)
    return chosen


def _exclude(one: TextEdit, other: TextEdit) -> bool:
    """Whether two edits of different fixes cannot be made together."""
    from overhead_lint.edits.insertions import same, together

    return _touch(one, other) and not same(one, other) and not together(one, other)


def _touch(one: TextEdit, other: TextEdit) -> bool:
    """Whether two edits overlap, or meet where an insertion could go on either side."""
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end
