"""Writing a file back: all of it or nothing, whatever happens in between."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.fixing.fixer import CannotFix, WriteError, diff, write
from overhead_lint.syntax.source import Source


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in a folder of its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    file = folder / "a.py"
    file.write_bytes(b"x = 1\n")
    return file


def only(path: Path) -> bool:
    """Whether the file is alone in its folder."""
    return [p.name for p in path.parent.iterdir()] == [path.name]


def test_file_is_replaced_and_keeps_its_mode(path: Path) -> None:
    path.chmod(0o754)
    write(Source.read(path), "x = 2\n")
    assert path.read_bytes() == b"x = 2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o754
    assert only(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_file_of_another_owner_keeps_its_owner(path: Path) -> None:
    os.chown(path, 12345, 23456)
    write(Source.read(path), "x = 2\n")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\ufeffx = 'é'\r\n".encode(), "\ufeffy = 'é'\r\n".encode()),
        ("# coding: latin-1\nx = 'é'\n".encode("latin-1"), "# coding: latin-1\ny = 'é'\n".encode("latin-1")),
    ],
    ids=["bom", "latin-1"],
)
def test_encoding_and_line_ends_are_kept(path: Path, before: bytes, after: bytes) -> None:
    path.write_bytes(before)
    source = Source.read(path)
    write(source, source.text.replace("x =", "y ="))
    assert path.read_bytes() == after


def test_character_that_the_encoding_lacks_is_refused(path: Path) -> None:
    path.write_bytes(b"# coding: ascii\nx = 1\n")
    source = Source.read(path)
    with pytest.raises(CannotFix, match="cannot hold '€'"):
        write(source, source.text + "'€'\n")
    assert path.read_bytes() == source.data


def test_link_stays_a_link_and_its_file_changes(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.py"
    link.symlink_to(path)
    write(Source.read(link), "x = 2\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"x = 2\n"
    assert only(path)


def test_file_changed_meanwhile_is_left_alone(path: Path) -> None:
    source = Source.read(path)
    path.write_bytes(b"mine\n")
    with pytest.raises(CannotFix, match="changed since it was read"):
        write(source, "x = 2\n")
    assert path.read_bytes() == b"mine\n"
    assert only(path)


def test_file_deleted_meanwhile_is_named(path: Path) -> None:
    source = Source.read(path)
    path.unlink()
    with pytest.raises(WriteError, match=r"a\.py: not written: No such file"):
        write(source, "x = 2\n")


def test_read_only_file_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write anything, so the answer of the system is given here.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(WriteError, match=r"a\.py: not written: it is read-only"):
        write(Source.read(path), "x = 2\n")
    assert path.read_bytes() == b"x = 1\n"
    assert only(path)


class FullDisk:
    """Fails as a full disk does."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    "step", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.chmod", "tempfile.mkstemp"]
)
def test_failing_step_leaves_the_old_file_and_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    source = Source.read(path)
    monkeypatch.setattr(step, FullDisk())
    with pytest.raises(WriteError, match=r"a\.py: not written: No space left on device") as caught:
        write(source, "x = 2\n")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"x = 1\n"
    assert only(path)


def test_interrupt_leaves_the_old_file_and_nothing_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    source = Source.read(path)
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(source, "x = 2\n")
    assert path.read_bytes() == b"x = 1\n"
    assert only(path)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signals")
@pytest.mark.parametrize("threads", [0, 1])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("step", ["tempfile.mkstemp", "os.fsync"])
def test_a_signal_that_ends_the_process_leaves_no_temporary_file(
    path: Path, step: str, name: str, threads: int
) -> None:
    program = f"""
import os, pathlib, signal, sys, tempfile, threading
from overhead_lint.support import atomic
sys.excepthook = lambda kind, *_: print(kind.__name__)
signal.signal(signal.SIGINT, signal.default_int_handler)
if "{name}" != "SIGINT":
    signal.signal(signal.{name}, signal.SIG_DFL)  # under nohup it would be ignored
for _ in range({threads}):  # one that may get the signal instead
    threading.Thread(target=threading.Event().wait, daemon=True).start()
step = {step}
def signalled(*arguments, **options):
    made = step(*arguments, **options)
    os.kill(os.getpid(), signal.{name})
    return made
{step} = signalled
atomic.write(pathlib.Path({str(path)!r}), b"new")
print("not reached")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    shown = "KeyboardInterrupt\n" if name == "SIGINT" else ""
    assert (done.returncode, done.stdout, done.stderr) == (-getattr(signal, name), shown, "")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signals")
def test_handlers_of_signals_stay_and_come_after_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def handle(number: int, _: Any) -> None:
        seen.append((number, path.read_bytes()))

    seen: list[tuple[int, bytes]] = []
    monkeypatch.setattr(os, "fsync", lambda _: signal.raise_signal(signal.SIGTERM))
    before = signal.signal(signal.SIGTERM, handle), signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        write(Source.read(path), "x = 2\n")
        assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)) == (handle, signal.SIG_IGN)
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGHUP, before[1])
    assert seen == [(signal.SIGTERM, b"x = 2\n")]


def test_diff_names_both_sides_relative_to_here(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent.parent)
    assert diff(Source.read(path), "x = 2\n") == (
        "--- a/project/a.py\n+++ b/project/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    )


def test_diff_of_nothing_is_empty(path: Path) -> None:
    assert diff(Source.read(path), "x = 1\n") == ""


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not there to apply the diff")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        (b"a\nb", b"a\nB"),
        (b"a\nb\n", b"a\nb"),
        ("a = 'é\x0c'\nb\n".encode(), "a = 'é\x0c'\nB\n".encode()),
    ],
    ids=["crlf", "no-newline", "newline-lost", "form-feed"],
)
def test_diff_can_be_applied(
    path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes, after: bytes
) -> None:
    path.write_bytes(before)
    monkeypatch.chdir(path.parent)
    patch = diff(Source.read(path), after.decode())
    subprocess.run(["git", "apply", "--unsafe-paths"], input=patch.encode(), check=True, cwd=path.parent)
    assert path.read_bytes() == after


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not there to apply the diff")
def test_diff_of_a_name_with_a_space_and_of_a_marked_file_is_taken_by_patch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("two words.py")
    path.write_bytes(b"\xef\xbb\xbfx = 1\n")
    text = diff(Source.read(path), "x = 2\n")
    done = subprocess.run(["patch", "-p1"], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, b"fuzz" in done.stdout) == (0, False), done.stdout
    assert path.read_bytes() == b"\xef\xbb\xbfx = 2\n"


ODD = ["a\nb.py", "a\tb.py", 'a"b.py', "a\\b.py", "\x1b[31m.py", "\udcff.py", "é ü.py", "\u2028.py"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not there to apply the diff")
@pytest.mark.parametrize("name", ODD, ids=ascii)
def test_diff_of_an_odd_name_can_be_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(name)
    path.write_text("x = 1\n")
    patch = diff(Source.read(path), "x = 2\n").encode()
    subprocess.run(["git", "apply", "--unsafe-paths"], input=patch, check=True)
    assert path.read_text() == "x = 2\n"
