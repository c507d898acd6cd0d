"""Code actions: what an editor offers to do about findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from overhead_lint.rule import Applicability
from overhead_lint.server import convert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from overhead_lint.edits.elsewhere import Elsewhere
    from overhead_lint.rule import Finding
    from overhead_lint.server.views import View
    from overhead_lint.syntax.source import Source

__all__ = ["FIX_ALL", "FIX_NOTEBOOK", "actions"]

FIX_ALL: Final = "source.fixAll.overheadLint"
FIX_NOTEBOOK: Final = f"notebook.{FIX_ALL}"


def actions(
    parameters: lsp.CodeActionParams,
    findings: Sequence[Finding],
    source: Source,
    view: View,
    lint: Callable[[Source], list[Finding]],
) -> list[lsp.CodeAction]:
    """Fixes and comments for the findings on the lines that were asked for; all safe fixes.

    Args:
        parameters: what was asked for.
        findings: all in the document, or the notebook.
        source: its text.
        view: it, as the editor shows it.
        lint: gives the findings in a text that fixes have made.

    Raises:
        CannotCheck, SourceError: those of `lint`.
    """
    uri, wanted = parameters.text_document.uri, parameters.context.only
    first, last = (view.line(uri, at.line) for at in (parameters.range.start, parameters.range.end))
    found: list[lsp.CodeAction] = []
    if _asked(lsp.CodeActionKind.QuickFix, wanted):
        for finding in findings:
            if finding.span.line <= last and first <= finding.span.end_line:
                found += _quick_fixes(finding, source, view)
    kinds = (FIX_ALL, FIX_NOTEBOOK) if wanted else (FIX_ALL,)
    kind = next((kind for kind in kinds if _asked(kind, wanted)), None)
    if kind is not None:
        found += _fix_all(kind, findings, source, view, lint)
    return found


def _quick_fixes(finding: Finding, source: Source, view: View) -> Iterator[lsp.CodeAction]:
    from overhead_lint.engine.silencer import silenced
    from overhead_lint.fixing import fixer  # imports libcst

    about = [convert.diagnostic(finding, view.place(finding)[1], source)]
    if finding.fix is not None and finding.fix.applicability is not Applicability.NEEDS_RUNTIME:
        safe = finding.fix.applicability is Applicability.SAFE
        try:
            planned = fixer.plan(finding, source, _elsewhere(source))
        except fixer.CannotFix:
            planned = ()
        if planned:
            title = f"{finding.code}: {finding.fix.message}{'' if safe else ' (unsafe)'}"
            quick_fix = lsp.CodeActionKind.QuickFix
            yield _action(title, quick_fix, view.edits(planned), about, preferred=safe)
    after = silenced(source, [finding], "")
    if after.text != source.text:
        title = f"{finding.code}: ignore it here"
        yield _action(title, lsp.CodeActionKind.QuickFix, view.changed(after.text), about)


def _fix_all(
    kind: str,
    findings: Sequence[Finding],
    source: Source,
    view: View,
    lint: Callable[[Source], list[Finding]],
) -> Iterator[lsp.CodeAction]:
    from overhead_lint.fixing import fixer

    if not any(_is_safe(finding) for finding in findings):
        return
    result = fixer.fix_file(source, lint, unsafe=False, found=findings, elsewhere=_elsewhere(source))
    if result.changed:
        title = "Fix all that overhead-lint can fix safely"
        yield _action(title, kind, view.changed(result.after_text))


def _elsewhere(source: Source) -> Elsewhere:
    """What tells how others of its project use a file."""
    from overhead_lint.fixing.importers import Importers
    from overhead_lint.workspace.roots import root_of

    return Importers(root_of([source.path], None))


def _asked(kind: str, wanted: object) -> bool:
    """Whether a kind of action was asked for: any is where none is named; ``source`` means ``source.x``."""
    if not isinstance(wanted, (list, tuple)) or not wanted:
        return True
    names = [str(getattr(one, "value", one)) for one in wanted]
    return any(kind == name or kind.startswith(f"{name}.") for name in names)


def _action(
    title: str,
    kind: str,
    changes: list[lsp.TextDocumentEdit],
    about: list[lsp.Diagnostic] | None = None,
    *,
    preferred: bool = False,
) -> lsp.CodeAction:
    edit = lsp.WorkspaceEdit(document_changes=list(changes))
    return lsp.CodeAction(title, kind, about, preferred or None, edit=edit)


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE
