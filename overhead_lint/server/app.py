"""The server itself: what it answers to which request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from overhead_lint import __version__, packs
from overhead_lint.rule import Applicability
from overhead_lint.server import convert
from overhead_lint.server.documents import CannotCheck, Checked, Documents

if TYPE_CHECKING:
    from overhead_lint.rule import Finding
    from overhead_lint.source import Source

__all__ = ["make_server"]

FIX_ALL: Final = "source.fixAll.overheadLint"


def make_server() -> LanguageServer:
    """A server with all its features, not started."""
    server = _Server("overhead-lint", __version__)
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL]
    _register(server, lsp.INITIALIZE, server.begin)
    _register(server, lsp.TEXT_DOCUMENT_DID_OPEN, server.opened)
    _register(server, lsp.TEXT_DOCUMENT_DID_CHANGE, server.changed)
    _register(server, lsp.TEXT_DOCUMENT_DID_SAVE, server.saved)
    _register(server, lsp.TEXT_DOCUMENT_DID_CLOSE, server.closed)
    _register(server, lsp.TEXT_DOCUMENT_HOVER, server.hover)
    _register(server, lsp.TEXT_DOCUMENT_CODE_ACTION, server.actions, lsp.CodeActionOptions(kinds))
    return server


def _register(
    server: LanguageServer, feature: str, method: Callable[[Any], object], options: object = None
) -> None:
    def handler(parameters: Any) -> object:  # pygls marks what it registers, which a method cannot bear
        return method(parameters)

    server.feature(feature, options)(handler)


class _Server(LanguageServer):
    """Its methods are registered as features; pygls calls them in one thread."""

    def __init__(self, name: str, version: str) -> None:
        super().__init__(name, version)
        self._documents = Documents()
        self._complaint = ""

    @property
    def _encoding(self) -> convert.Encoding:
        return convert.Encoding(self.workspace.position_encoding)

    def begin(self, parameters: object) -> None:
        """Take the options of the client."""
        # pygls calls this once more when the client is ready, with parameters of another class.
        if not isinstance(parameters, lsp.InitializeParams):
            return
        options = parameters.initialization_options
        project = options.get("project", True) if isinstance(options, dict) else True
        if not isinstance(project, bool):
            self._complain(f"initializationOptions: project takes true or false, not {project!r}")
        self._documents = Documents(project=bool(project))

    def opened(self, parameters: lsp.DidOpenTextDocumentParams) -> None:
        """Check a document that was opened."""
        self._publish(parameters.text_document.uri)

    def changed(self, parameters: lsp.DidChangeTextDocumentParams) -> None:
        """Check a document that was changed."""
        self._publish(parameters.text_document.uri)

    def saved(self, parameters: lsp.DidSaveTextDocumentParams) -> None:
        """Check all documents anew: what was saved may be settings, or make others hot."""
        self._documents.forget()
        for uri in list(self.workspace.text_documents):
            self._publish(uri)

    def closed(self, parameters: lsp.DidCloseTextDocumentParams) -> None:
        """Take back what was found in a document."""
        uri = parameters.text_document.uri
        self._documents.close(uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def hover(self, parameters: lsp.HoverParams) -> lsp.Hover | None:
        """The page of the rule of the finding under the cursor."""
        checked = self._check(parameters.text_document.uri)
        if checked is None or checked.source is None:
            return None
        place = parameters.position
        for finding in checked.findings:
            where = convert.range_of(finding, checked.source, self._encoding)
            if where.start <= place <= where.end:
                page = _page(finding.code)
                return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, page), where) if page else None
        return None

    def actions(self, parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Fixes and comments for the findings on the lines that were asked for; all safe fixes."""
        uri = parameters.text_document.uri
        checked = self._check(uri)
        if checked is None or checked.source is None:
            return []
        wanted = parameters.context.only
        found: list[lsp.CodeAction] = []
        if _asked(lsp.CodeActionKind.QuickFix, wanted):
            for finding in checked.findings:
                if _on_lines(finding, parameters.range):
                    found += self._quick_fixes(uri, finding, checked.source)
        if _asked(FIX_ALL, wanted):
            found += self._fix_all(uri, checked)
        return found

    def _quick_fixes(self, uri: str, finding: Finding, source: Source) -> Iterator[lsp.CodeAction]:
        from overhead_lint import fixer  # imports libcst
        from overhead_lint.silencer import silenced

        about = [convert.diagnostic(finding, source, self._encoding)]
        if finding.fix is not None:
            safe = finding.fix.applicability is Applicability.SAFE
            try:
                planned = convert.edits(fixer.plan(finding, source), source, self._encoding)
            except fixer.CannotFix:
                planned = []
            if planned:
                title = f"{finding.code}: {finding.fix.message}{'' if safe else ' (unsafe)'}"
                yield self._action(title, lsp.CodeActionKind.QuickFix, uri, planned, about, preferred=safe)
        after = silenced(source, [finding], "")
        if after.text != source.text:
            edited = convert.changed(source, after.text, self._encoding)
            title = f"{finding.code}: ignore it here"
            yield self._action(title, lsp.CodeActionKind.QuickFix, uri, edited, about)

    def _fix_all(self, uri: str, checked: Checked) -> Iterator[lsp.CodeAction]:
        from overhead_lint import fixer

        if checked.source is None or not any(_is_safe(finding) for finding in checked.findings):
            return
        result = fixer.fix_file(checked.source, self._documents.lint, unsafe=False, found=checked.findings)
        if result.changed:
            edited = convert.changed(checked.source, result.after_text, self._encoding)
            yield self._action("Fix all that overhead-lint can fix safely", FIX_ALL, uri, edited)

    def _action(
        self,
        title: str,
        kind: str,
        uri: str,
        edited: list[lsp.TextEdit],
        about: list[lsp.Diagnostic] | None = None,
        *,
        preferred: bool = False,
    ) -> lsp.CodeAction:
        version = self.workspace.get_text_document(uri).version
        document = lsp.OptionalVersionedTextDocumentIdentifier(uri, version)
        edit = lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, edited)])
        return lsp.CodeAction(title, kind, about, preferred or None, edit=edit)

    def _publish(self, uri: str) -> None:
        checked = self._check(uri)
        if checked is None:
            return
        found = []
        if checked.error is not None:
            found = [convert.syntax_error(checked.error, checked.source, self._encoding)]
        elif checked.source is not None:
            found = [convert.diagnostic(item, checked.source, self._encoding) for item in checked.findings]
        version = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    def _check(self, uri: str) -> Checked | None:
        """What is in a document; None for one that is no file, or with settings that cannot be used."""
        document = self.workspace.get_text_document(uri)
        path = to_fs_path(uri)
        if path is None:
            return None
        try:
            checked = self._documents.check(uri, Path(path), document.source)
        except CannotCheck as error:
            self._complain(str(error))
            return None
        self._complaint = ""
        return checked

    def _complain(self, text: str) -> None:
        """Show an error, once as long as it lasts."""
        if text != self._complaint:
            self._complaint = text
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"overhead-lint: {text}"))


def _asked(kind: str, wanted: object) -> bool:
    """Whether a kind of action was asked for: any is where none is named; ``source`` means ``source.x``."""
    if not isinstance(wanted, (list, tuple)) or not wanted:
        return True
    names = [str(getattr(one, "value", one)) for one in wanted]
    return any(kind == name or kind.startswith(f"{name}.") for name in names)


def _on_lines(finding: Finding, wanted: lsp.Range) -> bool:
    return finding.span.line - 1 <= wanted.end.line and wanted.start.line <= finding.span.end_line - 1


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE


@cache
def _pages() -> dict[str, Path]:
    return {loaded.rule.code: loaded.page for loaded in packs.load() if loaded.page is not None}


def _page(code: str) -> str:
    path = _pages().get(code)
    return path.read_text(encoding="utf-8") if path is not None else ""
