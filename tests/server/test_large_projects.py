"""Projects that take long: another process looks into them, and the editor is answered in the meantime."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cli.main import main
from overhead_lint.server.documents import Documents
from overhead_lint.server.worker import Worker
from overhead_lint.workspace import workspace
from overhead_lint.workspace.examiner import Examiner

from .editor import Editor, serve

HELPER = "import torch\n\n\ndef scaled(values):\n    with torch.autocast('cuda'):\n        return values\n"
LOOP = """\
from helper import scaled


def train(model, loader, optimizer):
    for batch in loader:
        loss = model(scaled(batch))
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    train(*made())
"""
_OTHER = "def value():\n    return {}\n"
"""No file that only assigns: that would be settings, by which heat may be another."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """More files than are looked into while somebody waits; `train.py` makes what `helper.py` defines hot."""
    (tmp_path / "overhead-lint.toml").touch()
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(LOOP)
    for number in range(workspace._MANY):
        (tmp_path / f"other{number}.py").write_text(_OTHER.format(number))
    return tmp_path


def _save(editor: Editor, path: Path) -> None:
    document = lsp.TextDocumentIdentifier(path.as_uri())
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(document))


async def _until(editor: Editor, count: int) -> None:
    while len(await editor.diagnostics()) != count:
        pass


def test_a_document_is_judged_by_itself_until_its_project_is_known(project: Path) -> None:
    helper, train = project / "helper.py", project / "train.py"

    async def body(editor: Editor) -> None:
        assert await editor.open(helper, HELPER) == []
        (found,) = await editor.diagnostics()
        assert found.code == "OVH101" and "train.py:5 loop over loader" in found.message
        train.write_text("VALUE = 1\n")
        _save(editor, train)
        await _until(editor, 0)
        train.write_text(LOOP)
        _save(editor, train)
        await _until(editor, 1)
        assert editor.shown == []

    serve(body, project)


def test_what_the_command_has_kept_is_not_looked_into_again(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    assert main(["-q", "."]) == 1
    assert "OVH101" in capsys.readouterr().out
    monkeypatch.setattr(Examiner, "all", None)
    documents = Documents()
    helper = project / "helper.py"
    (found,) = documents.check(helper.as_uri(), helper, HELPER).findings
    assert found.code == "OVH101" and not documents.projects.wanted


def test_a_few_changed_files_are_looked_into_at_once_but_no_heat_flows(project: Path) -> None:
    assert main(["-q", str(project), "--exit-zero", "--output-file", str(project / "report")]) == 0
    documents = Documents()
    helper, train = project / "helper.py", project / "train.py"
    train.write_text(f"# A comment.\n{LOOP}")  # the loop has moved, and so has the reason for heat
    assert not documents.check(helper.as_uri(), helper, HELPER).findings
    assert documents.projects.wanted == {project}
    assert main(["-q", str(project), "--exit-zero", "--output-file", str(project / "report")]) == 0
    documents.prepared(project)
    (found,) = documents.check(helper.as_uri(), helper, HELPER).findings
    assert "train.py:6 loop over loader" in found.warmth.why
    (project / "other1.py").write_text(_OTHER.format(20))
    documents.forget()
    assert len(documents.check(helper.as_uri(), helper, HELPER).findings) == 1
    assert not documents.projects.wanted


def test_what_another_process_has_not_kept_is_looked_into_here(project: Path) -> None:
    documents = Documents()
    helper = project / "helper.py"
    assert not documents.check(helper.as_uri(), helper, HELPER).findings
    documents.prepared(project)  # though nothing was kept
    assert len(documents.check(helper.as_uri(), helper, HELPER).findings) == 1
    assert not documents.projects.wanted


def test_where_nothing_can_be_kept_files_are_judged_by_themselves(project: Path) -> None:
    (project / FOLDER).touch()

    async def body(editor: Editor) -> None:
        helper = project / "helper.py"
        assert await editor.open(helper, HELPER) == []
        while not editor.shown:
            await asyncio.sleep(0.05)
        assert editor.shown == [
            f"overhead-lint: {project}: nothing can be kept there, so each file is judged by itself"
        ]
        _save(editor, helper)
        assert await editor.diagnostics() == []

    serve(body, project)


def test_no_module_of_the_project_is_imported_by_the_other_process(project: Path) -> None:
    for name in ("overhead_lint", "marshal", "zlib", "argparse"):
        (project / f"{name}.py").write_text(
            "import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\n"
        )

    async def body(editor: Editor) -> None:
        assert await editor.open(project / "helper.py", HELPER) == []
        assert len(await editor.diagnostics()) == 1

    serve(body, project)
    assert not list(project.glob("*.ran"))


def test_a_text_is_checked_when_no_more_keys_follow(tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").touch()
    path = tmp_path / "train.py"
    path.write_text(LOOP)
    keys = 50

    async def body(editor: Editor) -> None:
        await editor.open(path, LOOP)
        for version in range(2, 2 + keys):
            named = lsp.VersionedTextDocumentIdentifier(version, path.as_uri())
            text = lsp.TextDocumentContentChangeWholeDocument(LOOP + "#" * version)
            editor.client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [text]))
        published = [await editor.next_published()]
        while published[-1].version != 1 + keys:
            published.append(await editor.next_published())
        assert len(published) < keys / 2

    serve(body, tmp_path)


def test_the_worker_gives_what_a_job_raises_and_goes_on() -> None:
    async def body() -> None:
        worker = Worker()
        with pytest.raises(ZeroDivisionError):
            await worker.do(lambda: 1 // 0)
        first, second = asyncio.create_task(worker.do(lambda: 1)), asyncio.create_task(worker.do(lambda: 2))
        assert [await first, await second] == [1, 2]

    asyncio.run(body())
