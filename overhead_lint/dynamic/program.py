"""A program, and running it inside this process as the interpreter would."""

from __future__ import annotations

import importlib
import importlib.util
import io
import os
import sys
import types
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Final

from overhead_lint.dynamic import shadowed
from overhead_lint.dynamic.depth import allow_as_python_does
from overhead_lint.errors import ProgramInterrupted
from overhead_lint.support.first_folder import interpreters_path

__all__ = [
    "UNCOMPILED",
    "Ending",
    "Kind",
    "Loaded",
    "NotImported",
    "Program",
    "ProgramError",
    "end",
    "load",
    "run",
]

UNCOMPILED: Final = (SyntaxError, RecursionError, MemoryError, OverflowError)
"""What a program is not compiled for: what is wrong with it, or that it is too deep or too large."""
_INTERRUPTED: Final = 130  # what shells show for a program that Ctrl-C ended
Watch = Callable[[str, types.CodeType], types.CodeType]
"""Given the path and the code of a file before it runs; gives the code to run."""


class ProgramError(Exception):
    """A program that cannot be started; the message is one line."""


class NotImported(ProgramError):
    """A module whose package cannot be imported, which is done to find it; its error is the cause."""


class Kind(Enum):
    """How a program is named."""

    SCRIPT = "script"
    MODULE = "module"


@dataclass(frozen=True, slots=True)
class Program:
    """A program and its arguments.

    Attributes:
        kind: whether `name` is a path or a dotted module.
        name: the script, or the folder with a ``__main__.py``, or the module.
        arguments: what it finds in ``sys.argv[1:]``.
    """

    kind: Kind
    name: str
    arguments: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        """As ``python`` would be given it."""
        first = (self.name,) if self.kind is Kind.SCRIPT else ("-m", self.name)
        return (*first, *self.arguments)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program that is ready to run."""

    path: str
    """Its file, absolute."""
    module: types.ModuleType
    """What will be ``__main__``."""
    code: types.CodeType
    argv: list[str]
    folder: str
    """Of the script, the current one for a module, or the program itself."""
    search: list[str]
    """What it finds in ``sys.path`` when it begins."""


@dataclass(slots=True)
class Ending:
    """How a program ended.

    Attributes:
        status: its exit status as far as it is known before the interpreter ends.
        error: what ended it, None for the end of its code.
    """

    status: int = 0
    error: BaseException | None = None


def load(program: Program) -> Loaded:
    """Find a program and compile it.

    Raises:
        ProgramError: it is not there, or cannot be read.
        NotImported: a package that it is in raises an exception.
        SyntaxError: of the program; others of `UNCOMPILED` likewise.
    """
    return _script(program) if program.kind is Kind.SCRIPT else _module(program)


def _script(program: Program) -> Loaded:
    path = Path(program.name)
    if path.is_dir():
        return _folder(program)
    if not path.exists():
        raise ProgramError(f"{program.name}: no such file")
    if zipfile.is_zipfile(path):
        why = "is an archive, whose lines cannot be counted: unpack it, and run the folder"
        raise ProgramError(f"{program.name}: {why}")
    try:
        with io.open_code(str(path)) as file:
            data = file.read()
    except OSError as error:
        raise ProgramError(f"{program.name}: cannot be read: {error.strerror or error}") from error
    if b"\0" in data:  # a compiled file
        raise ProgramError(f"{program.name}: is no Python source")
    file_name = _absolute(program.name)
    code = compile(data, file_name, "exec", dont_inherit=True)
    module = types.ModuleType("__main__")
    loader = SourceFileLoader("__main__", file_name)
    module.__dict__.update(__file__=file_name, **_cached(None), __loader__=loader, __spec__=None)
    folder = str(path.resolve().parent)
    search = _search(folder)
    shadowed.prepare([] if _is_safe() else [folder], search)
    return Loaded(file_name, module, code, [program.name, *program.arguments], folder, search)


def _absolute(name: str) -> str:
    return os.path.join(Path.cwd(), name)  # noqa: PTH118 - which would leave out a ./ in the name


def _folder(program: Program) -> Loaded:
    """A folder, which is the first entry of ``sys.path`` as it was named, and whose ``__main__`` runs."""
    folder = _absolute(program.name)
    spec = PathFinder.find_spec("__main__", [folder])
    if spec is None or spec.origin is None:
        why = "a folder without __main__.py; name a script, or -m with a package"
        raise ProgramError(f"{program.name}: {why}")
    loader = spec.loader
    code = loader.get_code("__main__") if isinstance(loader, SourceFileLoader) else None
    if code is None:
        raise ProgramError(f"{program.name}: its __main__ is no Python source")
    module = types.ModuleType("__main__")
    module.__dict__.update(
        __file__=spec.origin, **_cached(spec.cached), __loader__=loader, __spec__=spec, __package__=""
    )
    argv = [program.name, *program.arguments]
    search = [folder, *interpreters_path()[0 if _is_safe() else 1 :]]
    shadowed.prepare([folder], search, by_runpy=True)
    return Loaded(spec.origin, module, code, argv, folder, search)


def _module(program: Program) -> Loaded:
    folder = str(Path.cwd())
    search = _search(folder)
    shadowed.prepare([] if _is_safe() else [folder], search, by_runpy=True)
    with shadowed.theirs():  # packages above it are imported to find it
        sys.path[:] = search
        sys.argv[:] = ["-m", *program.arguments]
        spec, name = _spec(program.name), program.name
        if spec is not None and spec.submodule_search_locations is not None:
            name = f"{name}.__main__"
            spec = _spec(name)
            if spec is None:
                raise ProgramError(f"-m {program.name}: is a package without __main__.py")
        search = sys.path[:]  # a package may have added to it
    if spec is None:
        raise ProgramError(f"-m {program.name}: no such module")
    loader = spec.loader
    code = loader.get_code(name) if isinstance(loader, SourceFileLoader) else None
    if code is None:
        raise ProgramError(f"-m {program.name}: is no Python source")
    path = str(spec.origin)
    module = types.ModuleType("__main__")
    module.__dict__.update(
        __file__=path,
        **_cached(spec.cached),
        __loader__=loader,
        __spec__=spec,
        __package__=spec.parent,
    )
    return Loaded(path, module, code, [path, *program.arguments], folder, search)


def _search(folder: str) -> list[str]:
    """``sys.path`` of a program that is no folder itself."""
    path = interpreters_path()
    return path if _is_safe() else [folder, *path[1:]]


def _is_safe() -> bool:
    """Whether the interpreter was asked (``-P``) for no folder but those of the library and of packages."""
    return bool(getattr(sys.flags, "safe_path", False))


def _cached(path: str | None) -> dict[str, str | None]:
    """Where the compiled form lies, for a module's globals: Python 3.15 does not say it there any more."""
    return {"__cached__": path} if "__cached__" in globals() else {}


def _spec(name: str) -> ModuleSpec | None:
    parent = name.rpartition(".")[0]
    try:
        if parent:
            importlib.import_module(parent)
    except Exception as error:  # the program's
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{parent}.".startswith(f"{missing}."):
            return None
        raise NotImported(f"-m {name}: {parent} cannot be imported") from _shortened(error)
    try:
        return importlib.util.find_spec(name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ProgramError(f"-m {name}: {type(error).__name__}: {error}") from error


def _shortened(error: BaseException) -> BaseException:
    """An exception of a module, its traceback without what imported that."""
    trace = error.__traceback__
    own = (__file__, importlib.__file__)
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith((*own, "<frozen importlib")):
        trace = trace.tb_next
    return error.with_traceback(trace)


def run(loaded: Loaded, watch: Watch) -> Ending:
    """Run a program as ``__main__`` to its end, whatever that is.

    ``sys.argv``, ``sys.path`` and ``__main__`` stay as the program has them, so that what runs after
    it (its ``atexit`` functions, its threads) finds them too.

    Args:
        loaded: the program.
        watch: sees its code first.
    """
    sys.argv[:] = loaded.argv
    shadowed.hand_over()
    sys.path[:] = loaded.search
    main = loaded.module
    main.__dict__["__builtins__"] = sys.modules["builtins"]
    if "__annotations__" in vars(sys.modules["__main__"]):  # as the interpreter's own has in most versions
        vars(main)["__annotations__"] = {}
    sys.modules["__main__"] = main
    allow_as_python_does(by_runpy=main.__spec__ is not None)
    ending = Ending()
    try:
        exec(watch(loaded.path, loaded.code), main.__dict__)
    except SystemExit as error:
        # The system keeps eight bits of it.
        ending.status = error.code % 256 if isinstance(error.code, int) else int(error.code is not None)
        ending.error = error
    except BaseException as error:  # whatever ends the program is the program's own
        ending.status = _INTERRUPTED if type(error) is KeyboardInterrupt else 1
        ending.error = error.with_traceback(_own(error.__traceback__))
    return ending


def end(ending: Ending) -> int:
    """End as the program did, whose exception was shown; its exit status.

    Its `SystemExit` goes on to the interpreter, which knows what each code means. So does Ctrl-C: the
    interpreter then ends by that signal, as a shell script around it expects.
    """
    if isinstance(ending.error, SystemExit):
        raise ending.error.with_traceback(None)
    if type(ending.error) is KeyboardInterrupt:  # the interpreter does not do that for derived ones
        sys.excepthook = lambda *_: None  # shown already
        raise ProgramInterrupted
    return ending.status


def _own(trace: types.TracebackType | None) -> types.TracebackType | None:
    """The part of a traceback that is the program's: without this module's frame."""
    return trace.tb_next if trace is not None else None
