"""The language server, asked by a client over its standard input and output."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from overhead_lint.cli.main import main
from overhead_lint.server.documents import Documents

from .editor import FIX_ALL, Editor, applied, serve

HOT = (Path(__file__).parents[1] / "data" / "samples" / "training_loop.py").read_text()
FIXED = HOT.replace("import torch\n", "import torch\nfrom overhead_lint import runtime\n").replace(
    "torch.autocast", "runtime.autocast"
)
MODEL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return 1, "𝟙", x.sum().item()
"""


@pytest.fixture
def train(declared: Path) -> Path:
    """A file of a project; its text on disk has no finding."""
    (declared / "overhead-lint.toml").touch()
    path = declared / "train.py"
    path.write_text("import torch\n")
    return path


def test_findings_follow_the_text_in_the_editor(train: Path) -> None:
    async def body(editor: Editor) -> None:
        (found,) = await editor.open(train, HOT)
        assert (found.code, found.source, found.severity) == (
            "OVH101",
            "overhead-lint",
            lsp.DiagnosticSeverity.Information,
        ), "microseconds, once a step"
        assert found.code_description is not None
        assert found.code_description.href.endswith("/contexts/autocast_per_step.md")
        assert "cost: micro: an estimated " in found.message
        assert (found.range.start, found.range.end) == (lsp.Position(5, 13), lsp.Position(5, 57))
        assert "torch.autocast is built" in found.message and "step: " in found.message
        assert await editor.change(train, FIXED, 2) == []
        (wrong,) = await editor.change(train, "def f(:\n", 3)
        assert wrong.severity is lsp.DiagnosticSeverity.Error and wrong.message.startswith("syntax error")
        await editor.close(train)

    serve(body, train.parent)


def test_an_editor_is_led_along_the_chain_that_makes_a_place_hot(train: Path) -> None:
    helper = train.parent / "helper.py"
    helper.write_text("import torch\n\n\ndef log(loss: torch.Tensor):\n    print(loss.item())\n")
    train.write_text(
        "from helper import log\n\nfor batch in loader:\n    loss = model(batch)\n"
        "    loss.backward()\n    log(loss)\n"
    )

    async def body(editor: Editor) -> None:
        (found,) = await editor.open(helper, helper.read_text())
        related = found.related_information or ()
        assert [(one.location.uri, one.location.range.start.line, one.message) for one in related] == [
            (train.as_uri(), 2, "loop in the top level"),
            (helper.as_uri(), 3, "log"),
        ]

    serve(body, train.parent)


def test_keys_are_typed_into_the_line_where_the_editor_has_them(train: Path) -> None:
    async def body(editor: Editor) -> None:
        for odd in ("\f", "\v\x1c\x85\u2028", "\U0001f600"):
            text = f"# {odd}\n{HOT}"
            lines = text.split("\n")
            line = next(number for number, line in enumerate(lines) if "torch.autocast" in line)
            end = lsp.Position(line, len(lines[line]))
            document = lsp.VersionedTextDocumentIdentifier(2, train.as_uri())
            typed = lsp.TextDocumentContentChangePartial(lsp.Range(end, end), "  # noqa: OVH101")
            change = lsp.DidChangeTextDocumentParams(document, [typed])
            for newline in ("\n", "\r\n", "\r"):
                for shown in (text, text.rstrip("\n")):  # the last line may lack its end
                    written = shown.replace("\n", newline)
                    assert len(await editor.open(train, written)) == 1, written
                    editor.client.text_document_did_change(change)
                    assert await editor.diagnostics() == [], written
                    await editor.close(train)

    serve(body, train.parent)


def test_a_quick_fix_a_comment_and_fix_all_edit_the_document(train: Path) -> None:
    async def body(editor: Editor) -> None:
        await editor.open(train, HOT)
        fix, ignore, everything = await editor.actions(train, 5)
        assert (fix.kind, fix.is_preferred) == (lsp.CodeActionKind.QuickFix, True)
        assert fix.title == "OVH101: use runtime.autocast"
        assert applied(HOT, fix) == FIXED
        assert "  # overhead: ignore[OVH101]\n" in applied(HOT, ignore)
        assert await editor.change(train, applied(HOT, ignore), 2) == []
        await editor.change(train, HOT, 3)
        assert everything.kind == FIX_ALL
        assert applied(HOT, everything) == FIXED
        assert [action.kind for action in await editor.actions(train, 0)] == [FIX_ALL]
        assert [action.kind for action in await editor.actions(train, 5, ["source"])] == [FIX_ALL]
        assert await editor.actions(train, 5, ["refactor"]) == []

    serve(body, train.parent)


def test_hover_shows_the_page_of_the_rule(train: Path) -> None:
    async def body(editor: Editor) -> None:
        await editor.open(train, HOT)
        document = lsp.TextDocumentIdentifier(train.as_uri())
        hover = await editor.client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(5, 20)))
        assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
        assert hover.contents.value.startswith("# OVH101 autocast-per-step")
        assert len(hover.contents.value.splitlines()) < 60
        beside = lsp.HoverParams(document, lsp.Position(0, 3))
        assert await editor.client.text_document_hover_async(beside) is None

    serve(body, train.parent)


@pytest.mark.parametrize(
    ("encodings", "column"),
    [
        (None, 24),
        ([lsp.PositionEncodingKind.Utf8], 26),
        ([lsp.PositionEncodingKind.Utf32], 23),
    ],
)
def test_columns_are_in_the_units_of_the_client(
    train: Path, encodings: list[lsp.PositionEncodingKind | str] | None, column: int
) -> None:
    async def body(editor: Editor) -> None:
        (found,) = await editor.open(train, MODEL)
        assert found.range.start == lsp.Position(5, column)

    serve(body, train.parent, encodings=encodings)


def test_a_buffer_without_a_file_is_checked_by_itself(train: Path) -> None:
    train.write_text("from new import f\nfor batch in loader:\n    f(batch)\n")
    alone = "import torch\ndef f(x):\n    return torch.exp(x).item()\n"
    uri = "untitled:Untitled-1"

    def opening(text: str, language: str = "python") -> lsp.DidOpenTextDocumentParams:
        return lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, text))

    async def body(editor: Editor) -> None:
        editor.client.text_document_did_open(opening(HOT, "plaintext"))  # nothing is said of it
        editor.client.text_document_did_open(opening(HOT))
        found = await editor.next_published()
        assert (found.uri, [one.code for one in found.diagnostics]) == (uri, ["OVH101"])
        assert "untitled:Untitled-1:5 loop over loader" in found.diagnostics[0].message
        (fix_all,) = await editor.actions(uri, 5, [FIX_ALL])
        assert applied(HOT, fix_all) == FIXED
        editor.client.text_document_did_open(opening(alone))
        assert await editor.diagnostics() == []
        (train.parent / "overhead-lint.toml").write_text('ignore = ["OVH101"]\n')
        editor.client.text_document_did_save(
            lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(train.as_uri()))
        )
        assert await editor.diagnostics() == []
        editor.client.text_document_did_open(opening(HOT))
        assert await editor.diagnostics() == []

    serve(body, train.parent)


def test_settings_count_and_are_read_again_after_a_save(train: Path) -> None:
    settings = train.parent / "overhead-lint.toml"

    async def body(editor: Editor) -> None:
        settings.write_text("ignore = ['OVH1']")
        assert await editor.open(train, HOT) == []
        settings.write_text("ignore = ['OVH4']")
        editor.client.text_document_did_save(
            lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(train.as_uri()))
        )
        assert len(await editor.diagnostics()) == 1
        settings.write_text("min-heat = 'lop'")
        for _ in range(2):
            editor.client.text_document_did_save(
                lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(train.as_uri()))
            )
        assert await editor.actions(train, 5) == []
        assert len(editor.shown) == 1
        assert editor.shown[0].endswith("overhead-lint.toml:1: unknown heat 'lop': did you mean loop?")

    serve(body, train.parent)


@pytest.mark.parametrize("folder", [".venv/lib/python3.11/site-packages/lib", "node_modules"])
def test_the_files_of_libraries_are_left_alone(train: Path, folder: str) -> None:
    """An editor opens them to show where a name is defined; a run over the folder does not enter them."""
    theirs = train.parent / folder / "theirs.py"

    async def body(editor: Editor) -> None:
        document = lsp.TextDocumentItem(theirs.as_uri(), "python", 1, HOT)
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        assert await editor.actions(theirs, 5) == []
        assert len(await editor.open(train, HOT)) == 1

    async def inside(editor: Editor) -> None:
        assert len(await editor.open(theirs, HOT)) == 1

    serve(body, train.parent)
    serve(inside, theirs.parent)


def test_only_documents_that_hold_python_are_checked(train: Path) -> None:
    async def body(editor: Editor) -> None:
        for name, language, is_checked in [
            ("other.py", "python", True),
            ("script", "python", True),
            ("other.py", "", True),  # of an editor that leaves it to the name
            ("other.pyx", "", False),
            ("other.py", "plaintext", False),
            ("other.pyx", "cython", False),
            ("notes.md", "markdown", False),
        ]:
            other = train.parent / name
            document = lsp.TextDocumentItem(other.as_uri(), language, 1, HOT)
            editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
            assert bool(await editor.actions(other, 5)) == is_checked, (name, language)
            if is_checked:
                found = await editor.next_published()
                assert (found.uri, [one.code for one in found.diagnostics]) == (other.as_uri(), ["OVH101"])
            else:
                # What is told of next is another document.
                assert len(await editor.open(train, HOT)) == 1, (name, language)
                await editor.close(train)
            await editor.close(other)

    serve(body, train.parent)


def test_a_text_that_is_too_large_is_not_checked(train: Path) -> None:
    async def body(editor: Editor) -> None:
        (wrong,) = await editor.open(train, f"{HOT}#{'x' * 5_000_000}\n")
        assert (wrong.message, wrong.range.start) == ("is larger than 5 MB; split it", lsp.Position(0, 0))

    serve(body, train.parent)


def test_settings_that_are_saved_elsewhere_count_at_once(train: Path) -> None:
    settings = train.parent / "overhead-lint.toml"

    async def body(editor: Editor) -> None:
        assert len(await editor.open(train, HOT)) == 1
        assert editor.watched[:2] == ["**/overhead-lint.toml", "**/pyproject.toml"]
        assert "**/requirements*.txt" in editor.watched, "it decides what may be fixed"
        settings.write_text("ignore = ['OVH1']")
        change = lsp.FileEvent(settings.as_uri(), lsp.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
        assert await editor.diagnostics() == []

    serve(body, train.parent)


def test_a_document_keeps_the_address_that_the_editor_gave_it(train: Path) -> None:
    """An address may be quoted in several ways, and an editor may take them for several documents."""
    settings = train.parent / "overhead-lint.toml"
    other = train.parent / "my é %20.py"

    async def body(editor: Editor) -> None:
        assert len(await editor.open(other, HOT)) == 1
        settings.write_text("ignore = ['OVH1']")
        editor.client.text_document_did_save(
            lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(other.as_uri()))
        )
        again = await editor.next_published()
        assert (again.uri, len(again.diagnostics)) == (other.as_uri(), 0)

    serve(body, train.parent)


@pytest.mark.parametrize(("options", "count"), [(None, 1), ({"project": False}, 0)])
def test_heat_comes_from_the_project_unless_that_is_turned_off(
    train: Path, options: object, count: int
) -> None:
    helper = train.parent / "helper.py"
    text = "import torch\n\n\ndef scaled(values):\n    with torch.autocast('cuda'):\n        return values\n"
    helper.write_text(text)
    train.write_text(
        "from helper import scaled\n\n\ndef train(model, loader, optimizer):\n    for batch in loader:\n"
        "        loss = model(scaled(batch))\n        loss.backward()\n        optimizer.step()\n"
    )

    async def body(editor: Editor) -> None:
        assert len(await editor.open(helper, text)) == count

    serve(body, train.parent, options)


def test_without_pygls_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["server"]) == 2
    assert capsys.readouterr().err == (
        'overhead-lint: server needs pygls: pip install "overhead-lint[lsp]"\n'
    )


@pytest.mark.parametrize(("arguments", "status"), [(["--stdio"], 0), (["--tcp"], 2), (["4"], 2)])
def test_it_may_be_told_to_use_the_streams_that_it_uses(arguments: list[str], status: int) -> None:
    command = [sys.executable, "-m", "overhead_lint", "server", *arguments]
    assert subprocess.run(command, input=b"", capture_output=True, check=False).returncode == status


def sent(*messages: dict[str, object]) -> subprocess.CompletedProcess[bytes]:
    """A server that was sent some messages, at once, and has ended."""
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return subprocess.run(
        [sys.executable, "-m", "overhead_lint", "server"],
        input=b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies),
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(("shutdown", "status"), [([{"id": 2, "method": "shutdown"}], 0), ([], 1)])
def test_an_exit_without_a_shutdown_is_told_by_the_status(
    shutdown: list[dict[str, object]], status: int
) -> None:
    begin = {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
    done = sent(begin, {"method": "initialized", "params": {}}, *shutdown, {"method": "exit"})
    assert (done.returncode, done.stderr) == (status, b"")


def test_a_document_that_was_not_opened_has_nothing_and_the_end_is_quiet(tmp_path: Path) -> None:
    unknown = {"uri": (tmp_path / "gone.py").as_uri()}
    start = {"line": 0, "character": 0}
    place = {"textDocument": unknown, "range": {"start": start, "end": start}, "context": {"diagnostics": []}}
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "textDocument/codeAction", "params": place},
        {"id": 3, "method": "textDocument/hover", "params": {"textDocument": unknown, "position": start}},
        {"id": 4, "method": "shutdown"},
        {"method": "exit"},
    ]
    done = sent(*messages)
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(body) for body in re.split(rb"Content-[^{]*\r\n\r\n", done.stdout) if body]
    assert [(one["id"], one.get("result")) for one in answers[1:]] == [(2, []), (3, None), (4, None)]


def test_ctrl_c_ends_it() -> None:
    parameters: dict[str, object] = {"processId": None, "capabilities": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters}
    body = json.dumps(message).encode()
    command = [sys.executable, "-m", "overhead_lint", "server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(20) == -signal.SIGINT
        finally:
            process.kill()


@pytest.mark.parametrize("odd", ["\ud800", "\0"])
def test_a_text_that_python_cannot_take_is_an_error_of_the_document(tmp_path: Path, odd: str) -> None:
    text = f"import torch\nx = torch.autocast('{odd}')\n"
    checked = Documents().check("file:///a.py", tmp_path / "a.py", text)
    assert checked.error is not None
    assert "\n" not in str(checked.error)
