"""The process behind `warm_python`: it has imported what takes long, and forks for each program.

A program gets its own arguments, folder, environment, streams and `__main__`; what it imports besides, and
what it does to torch, ends with it. What was imported before is taken apart at its end only where it asks for
that: it would take longer than most programs do. Run as ``python warm_server.py FILENO MODULE ...``, with the
number of a socket that requests come by: JSON, and the descriptors of the three streams and of a socket for
the answers.
"""

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import runpy
import socket
import sys
import types
import warnings
from pathlib import Path
from typing import Any

_MOST = 1 << 20
_BASE = sys.path[1:]


def _requested(requests: socket.socket) -> dict[str, Any] | None:
    """Wait for requests; None when nobody asks any more, and in a forked process what it is to run."""
    while True:
        data, files, _, _ = socket.recv_fds(requests, _MOST, 4)
        if not data:
            return None
        if not os.fork():
            requests.close()
            if _watched(socket.socket(fileno=files[3])):
                os._exit(0)
            for stream in range(3):
                os.dup2(files[stream], stream)
                os.close(files[stream])
            request: dict[str, Any] = json.loads(data)
            return request
        for file in files:
            os.close(file)
        _reap()


def _watched(answers: socket.socket) -> bool:
    """Fork the program, and tell its process ID and how it ended; false in the program's own process."""
    program = os.fork()
    if program:
        with contextlib.suppress(BrokenPipeError):  # who asked may have ended meanwhile
            answers.sendall(f"{program}\n".encode())
            answers.sendall(f"{os.waitpid(program, 0)[1]}\n".encode())
    answers.close()
    return program != 0


def _reap() -> None:
    """Let go of the processes that watched programs which have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _run(request: dict[str, Any]) -> None:
    """Run a program as ``python`` does, by its command line."""
    os.chdir(request["folder"])
    if request["whole_end"]:
        atexit.unregister(_leave_as_is)
    os.environ.clear()
    os.environ.update(request["environment"])
    arguments: list[str] = request["arguments"]
    while arguments[0] == "-W":
        sys.warnoptions.append(arguments[1])
        warnings.filterwarnings(arguments[1])  # type: ignore[arg-type]
        del arguments[:2]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__builtins__ = sys.modules["builtins"]  # type: ignore[attr-defined]
    if "__annotations__" in globals():  # as each program begins, up to Python 3.13
        main.__annotations__ = {}
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [*(str(Path.cwd() / folder) for folder in folders if folder), *_BASE]
    kind, rest = arguments[0], arguments[1:]
    if kind == "-c":
        sys.argv[:] = ["-c", *rest[1:]]
        sys.path.insert(0, "")
        code = compile(rest[0], "<string>", "exec")
    elif kind == "-m":
        sys.argv[:] = ["-m", *rest[1:]]
        sys.path.insert(0, str(Path.cwd()))
        runpy._run_module_as_main(rest[0])  # type: ignore[attr-defined]
        return
    else:
        sys.argv[:] = arguments
        sys.path.insert(0, str(Path(kind).resolve().parent))
        main.__file__ = str(Path.cwd() / kind)
        main.__cached__ = None  # type: ignore[attr-defined]
        code = compile(Path(kind).read_bytes(), main.__file__, "exec")
    exec(code, vars(main))


def _leave_as_is(modules: dict[str, types.ModuleType]) -> None:
    """Have Python's end, which comes next, find no modules but those that the program imported.

    And no destructors of torch's libraries come behind it, where C has a function for that.
    """
    for name in modules:
        sys.modules.pop(name, None)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(modules))  # nobody lets go of it
    libc = ctypes.CDLL(None)
    if hasattr(libc, "on_exit"):
        for function in (libc._exit, libc.fcloseall):  # what comes last is called first
            libc.on_exit(ctypes.cast(function, ctypes.c_void_p), None)


def _serve() -> None:
    own = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    _BASE[:] = _BASE[len(own) :]
    before, imported = {*sys.modules}, dict[str, types.ModuleType]()
    atexit.register(_leave_as_is, imported)  # before what is imported does: so it comes last
    for module in sys.argv[2:]:
        importlib.import_module(module)
    imported.update((name, module) for name, module in sys.modules.items() if name not in before)
    gc.freeze()  # no collection of a program looks through what it shares with the others
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        request = _requested(requests)
    if request is not None and not _ended_well(request):
        sys.exit(1)


def _ended_well(request: dict[str, Any]) -> bool:
    """Run a program; whether it raised nothing. Behind it nothing holds what it raised, as with Python."""
    try:
        _run(request)
    except Exception as error:
        # Without the frames of this file, as Python itself tells it.
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename in (__file__, runpy.__file__, "<frozen runpy>"):
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return False
    return True


_serve()
