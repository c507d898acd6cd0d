"""Runs Python programs in forks of a process that has torch, or else what takes long, imported.

For tests of what a program does, not of how it starts: importing torch takes longer than most of them.
"""

from __future__ import annotations

import atexit
import functools
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

__all__ = ["DYNAMO", "TORCH", "connected", "forks", "python"]

TORCH: Final = ("torch",)
DYNAMO: Final = ("torch", "torch._dynamo", "torch._dynamo.backends.debugging", "torch._inductor.codecache")
"""Dynamo, and what it imports when it compiles for the first time."""

_SERVER: Final = Path(__file__).with_name("warm_server.py")
_FORKS: Final = hasattr(os, "fork") and hasattr(socket, "send_fds")
_READ_AT_START: Final = ("PYTHON", "TORCH", "OMP_", "MKL_", "KMP_", "LD_", "MALLOC_")
"""Beginnings of the names of variables that Python, torch and its libraries read while they start."""
_READ_LATER: Final = frozenset({"PYTHONPATH", "TORCHINDUCTOR_CACHE_DIR"})
"""Those that do for a program of a server as well; torch sets the second one in this process."""
_LOCK: Final = threading.Lock()


def python(
    *arguments: str,
    cwd: Path | str | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    modules: tuple[str, ...] = TORCH,
    whole_end: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments, and return how it ended and what it printed, as `subprocess.run` does.

    The program begins with modules imported. It starts afresh, and imports them itself, where nothing else
    would do: its environment holds other variables that are read while Python and torch start, it asks for
    options of Python besides ``-W``, there is no torch, or this system cannot fork.

    Args:
        arguments: of the command line.
        cwd: the folder that it runs in; None for this process's.
        env: all environment variables; None for this process's.
        timeout: in seconds.
        modules: what is imported; with none, it starts afresh. Programs that begin with modules share
            the addresses of these, and one hash seed.
        whole_end: whether torch is taken apart when the program ends, as under Python itself. Else only what
            the program has and imports is: for tests of what happens then.

    Raises:
        subprocess.TimeoutExpired: it ran longer, and was killed.
    """
    environment = dict(os.environ if env is None else env)
    fresh = not (_FORKS and modules and _has_torch()) or (
        arguments[0].startswith("-") and arguments[0] not in ("-c", "-m", "-W")
    )
    if fresh or _start_differs(environment, modules):
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=cwd, env=environment, timeout=timeout, capture_output=True, text=True, check=False
        )
    request = _request(arguments, cwd, environment, whole_end=whole_end)
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        streams = [output.fileno(), errors.fileno()]
        status = _server(modules).run(request, streams, timeout)
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, status, output.read(), errors.read())


def forks() -> bool:
    """Whether this system can fork for a program."""
    return _FORKS


def connected(connection: socket.socket, *arguments: str, modules: tuple[str, ...]) -> Callable[[], int]:
    """Start Python with arguments where it can fork, and have it talk over a connection.

    Args:
        connection: what it reads, and what it prints to.
        arguments: of the command line.
        modules: what is imported.

    Returns:
        A function that waits for its end, and gives its status.
    """
    request = _request(arguments, None, os.environ, whole_end=False)
    with Path(os.devnull).open("w") as nowhere:
        streams = [connection.fileno(), connection.fileno(), nowhere.fileno()]
        _, answers = _server(modules).start(request, streams)

    def ended() -> int:
        with answers, answers.makefile() as lines:
            return os.waitstatus_to_exitcode(int(lines.readline()))

    return ended


def _request(
    arguments: tuple[str, ...],
    folder: Path | str | None,
    environment: Mapping[str, str],
    *,
    whole_end: bool,
) -> dict[str, object]:
    return {
        "arguments": arguments,
        "folder": str(folder or Path.cwd()),
        "environment": {**environment},
        "whole_end": whole_end,
    }


def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def _start_differs(environment: Mapping[str, str], modules: tuple[str, ...]) -> bool:
    """Whether a program reads other variables while it starts than the server did."""
    before = _server(modules).environment
    return any(
        environment.get(name) != before.get(name)
        for name in environment.keys() | before
        if name.startswith(_READ_AT_START) and name not in _READ_LATER
    )


def _server(modules: tuple[str, ...]) -> _Server:
    """Return the server that has these modules; it starts with the first program."""
    with _LOCK:
        return _started(modules)


@functools.cache
def _started(modules: tuple[str, ...]) -> _Server:
    return _Server(modules)


class _Server:
    """The process that forks; it ends with this one.

    Args:
        modules: what it imports.

    Attributes:
        environment: the variables that it started with.
    """

    def __init__(self, modules: tuple[str, ...]) -> None:
        self.environment = dict(os.environ)
        self._requests, theirs = socket.socketpair()
        command = [sys.executable, str(_SERVER), str(theirs.fileno()), *modules]
        with theirs:
            # Streams that cannot be sought in: what programs get in their place may be a connection.
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        atexit.register(self._close)

    def run(self, request: dict[str, object], streams: list[int], timeout: float) -> int:
        """Fork for a program; return the status that it ends with, negative for a signal.

        Args:
            request: the program.
            streams: descriptors that it prints to.
            timeout: in seconds.

        Raises:
            subprocess.TimeoutExpired: it ran longer, and was killed.
        """
        with Path(os.devnull).open() as nothing:
            program, answers = self.start(request, [nothing.fileno(), *streams])
        with answers, answers.makefile() as lines:
            answers.settimeout(timeout)
            try:
                status = int(lines.readline())
            except TimeoutError:
                os.kill(program, signal.SIGKILL)
                raise subprocess.TimeoutExpired(str(request["arguments"]), timeout) from None
        return os.waitstatus_to_exitcode(status)

    def start(self, request: dict[str, object], streams: list[int]) -> tuple[int, socket.socket]:
        """Fork for a program; return its process ID, and where a line tells how it ended.

        Args:
            request: the program.
            streams: descriptors of its three streams.
        """
        answers, theirs = socket.socketpair()
        with theirs:
            data = json.dumps(request).encode()
            socket.send_fds(self._requests, [data], [*streams, theirs.fileno()])
        # Nothing of the next line may be read along with this one.
        said = b""
        while not said.endswith(b"\n"):
            said += answers.recv(1)
        return int(said), answers

    def _close(self) -> None:
        self._requests.close()
        self._process.communicate()
