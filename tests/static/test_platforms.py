"""What only some systems have stands where there is another half; what differs is injected here."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from overhead_lint.cli.main import main
from overhead_lint.discovery.shards import Shard
from overhead_lint.discovery.walking import Target
from overhead_lint.support import atomic
from overhead_lint.support.folder_lock import locked
from overhead_lint.support.processors import usable

ROOT = Path(__file__).parents[2]
FOLDERS: Final = ("overhead_lint", "overhead_runtime", "pytest_overhead", "rules")
MODULES: Final = frozenset("fcntl grp msvcrt posix pty pwd resource termios tty winreg".split())  # noqa: SIM905
NAMES: Final = frozenset(
    """os.chown os.fork os.forkpty os.getgid os.getloadavg os.getpgid os.getuid os.geteuid os.kill os.killpg
    os.mkfifo os.register_at_fork os.sched_getaffinity os.setsid os.wait4 os.waitpid signal.SIGALRM
    signal.SIGHUP signal.SIGKILL signal.SIGUSR1 signal.alarm signal.pthread_sigmask signal.setitimer
    """.split()  # noqa: SIM905
)
KNOWN: Final = {
    ("overhead_lint/dynamic/signals.py", "os.kill"): "with a signal that Windows has: it ends the process",
    ("overhead_lint/dynamic/signals.py", "signal.pthread_sigmask"): "called while a process forks",
    ("overhead_lint/support/folder_lock.py", "fcntl"): "or the locks of Windows, or none",
    ("overhead_lint/support/folder_lock.py", "msvcrt"): "where there is no fcntl",
    ("overhead_lint/support/processors.py", "os.sched_getaffinity"): "or how many there are",
    ("overhead_lint/workspace/processes.py", "signal.pthread_sigmask"): "of processes that are forked",
}
"""By file and name, what there is where the system has none of that."""


def used(tree: ast.AST) -> Iterator[str]:
    """What a module uses that not all systems have, unless it asks whether this one has it."""
    asked = {
        ast.unparse(node.args[0]) + f".{ast.literal_eval(node.args[1])}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "hasattr"
        if isinstance(node.args[1], ast.Constant)
    }
    yield from _named(tree) - asked


def _named(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.update((node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)))
        elif isinstance(node, ast.Attribute):
            found.add(ast.unparse(node))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "importlib.import_module":
            found.update(str(one.value) for one in node.args if isinstance(one, ast.Constant))
    return found & (MODULES | NAMES)


def test_what_only_some_systems_have_has_another_half() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in used(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set(KNOWN)


class Bytes:
    """``msvcrt``: locks a byte of a file, which another process may have for a while."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self, refused: int) -> None:
        self.refused = refused
        self.calls: list[tuple[int, int]] = []

    def locking(self, handle: int, mode: int, count: int) -> None:
        assert os.fstat(handle).st_size == 0 and count == 1
        assert os.lseek(handle, 0, os.SEEK_CUR) == 0
        if mode == self.LK_NBLCK and self.refused:
            self.refused -= 1
            raise OSError(36, "Resource deadlock avoided")
        self.calls.append((os.fstat(handle).st_ino, mode))


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)  # importing it fails


def test_windows_locks_a_file_that_stands_for_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, "fcntl")
    fake: Any = Bytes(refused=2)
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    other = tmp_path / "other"
    other.mkdir()
    for folder in (tmp_path, tmp_path / "other" / "..", other):
        with locked(folder):
            assert fake.calls[-1][1] == fake.LK_NBLCK
        assert fake.calls[-1][1] == fake.LK_UNLCK
    files = [file for file, _ in fake.calls]
    assert fake.refused == 0
    assert files[0] == files[1] == files[2] == files[3] != files[4] == files[5]
    assert [path.name for path in tmp_path.iterdir()] == ["other"]
    with pytest.raises(ValueError, match="inside"), locked(tmp_path):
        raise ValueError("inside")
    assert fake.calls[-1][1] == fake.LK_UNLCK


def test_without_locks_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "fcntl", "msvcrt")
    with locked(tmp_path), locked(tmp_path):
        pass


TURNS = """
import sys, time
from pathlib import Path
from overhead_lint.support.folder_lock import locked
folder = Path(sys.argv[1])
for _ in range(20):
    with locked(folder):
        number = int((folder / "count").read_text())
        time.sleep(0.001)
        (folder / "count").write_text(str(number + 1))
"""


def test_processes_take_turns(tmp_path: Path) -> None:
    (tmp_path / "count").write_text("0")
    command = [sys.executable, "-c", TURNS, str(tmp_path)]
    started = [subprocess.Popen(command, cwd=ROOT) for _ in range(3)]
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "60"


def test_files_are_written_whole_where_nothing_has_an_owner_or_a_hangup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import signal

    monkeypatch.delattr(os, "chown", raising=False)
    monkeypatch.delattr(signal, "SIGHUP", raising=False)
    path = tmp_path / "a.py"
    for data in (b"x = 1\r\n", b"x = 2\r\n"):
        atomic.write(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_processors_are_counted_where_a_process_has_no_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert usable() == os.cpu_count()


def test_a_shard_goes_by_the_path_below_the_root_on_a_drive_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths with backslashes are dealt as those with slashes: machines of several systems share a run."""
    import ntpath
    from pathlib import PurePosixPath, PureWindowsPath

    from overhead_lint.discovery import shards

    names = [f"package/m{number}.py" for number in range(20)]
    here = [Target(f"/work/{name}", "") for name in names]
    there = [Target(str(PureWindowsPath("D:/a", name)), "") for name in names]
    own, _ = Shard(1, 3).split(here, Path("/work"))
    windows = types.SimpleNamespace(path=ntpath, curdir=".")
    monkeypatch.setattr(shards, "os", windows)
    monkeypatch.setattr(shards, "PurePath", PureWindowsPath)
    root: Any = PureWindowsPath("D:/a")
    assert [
        PureWindowsPath(one.text).relative_to(root).as_posix() for one in Shard(1, 3).split(there, root)[0]
    ] == [PurePosixPath(one.text).relative_to("/work").as_posix() for one in own]


TRAIN = "import torch\nfor batch in loader:\n    total -= torch.exp(batch).item()\n"


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_newlines_of_other_systems_move_nothing_and_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], newline: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = []
    for end in ("\n", newline):
        (tmp_path / "train.py").write_bytes(TRAIN.replace("\n", end).encode())
        assert main(["--isolated", "--no-cache", "--output-format", "json", "train.py"]) == 1
        outputs.append(capsys.readouterr().out)
    assert "OVH404" in outputs[0]
    assert outputs[0] == outputs[1]
    main(["--isolated", "--no-cache", "--add-ignore", "--select", "OVH404", "train.py"])
    data = (tmp_path / "train.py").read_bytes()
    assert b"OVH404" in data and data.count(newline.encode()) == 3
    assert b"\n" not in data.replace(newline.encode(), b"")
