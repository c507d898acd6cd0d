"""Compiles an extension once for each torch build, and loads it.

Compiled files are kept outside the repository, in ``$OVERHEAD_LINT_CACHE/native``, else
``$XDG_CACHE_HOME/overhead-lint/native``, else ``~/.cache/overhead-lint/native``, one directory for
each content of sources, compiler, flags, Python and torch build. A directory is made complete
under another name and then renamed, under a lock, so it is never seen half built. What comes in a wheel for
this torch build (`overhead_lint.native.prebuilt`) is taken first, and needs no compiler.

A process that must neither compile nor look for a compiler (a training run) asks for `built`. It goes by a
note beside the directories, of which library was built last for this torch, this Python and these sources.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from types import ModuleType
from typing import Final

from overhead_lint.native.extension import Extension, all_packaged, digest, host, packaged
from overhead_lint.native.prebuilt import advice, prebuilt
from overhead_lint.native.process import modules, tell
from overhead_lint.native.toolchain import (
    BuildFailed,
    CannotCompile,
    NativeUnavailable,
    Toolchain,
    find_toolchain,
)
from overhead_lint.support import atomic

__all__ = [
    "USUAL_SECONDS",
    "Extension",
    "all_packaged",
    "build",
    "built",
    "cache_root",
    "first_error",
    "library",
    "load",
    "log_file",
    "packaged",
]

USUAL_SECONDS: Final = {"contexts": 18, "counters": 21, "dispatch": 18, "simulated": 32}
"""What compiling takes, by extension: g++ 12.2, on one of two cores that other work kept busy, 2026-11-27."""


def cache_root() -> Path:
    """Where compiled files are kept.

    Raises:
        NativeUnavailable: no variable names a folder, and there is no home directory.
    """
    if named := os.environ.get("OVERHEAD_LINT_CACHE"):
        return Path(named).expanduser() / "native"
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared).expanduser() / "overhead-lint" / "native"
    try:
        return Path.home() / ".cache" / "overhead-lint" / "native"
    except RuntimeError:
        raise NativeUnavailable("no home directory for compiled files: set OVERHEAD_LINT_CACHE") from None


_loading = threading.Lock()
_refused: dict[str, str] = {}


def load(name: str) -> ModuleType:
    """An extension module of this package, compiled first if need be.

    Args:
        name: the name of its directory, such as ``counters``.

    Raises:
        NativeUnavailable: no compiler, no torch, no headers, or a failed build (`BuildFailed`). The same
            name fails at once the next time in this process, and then as the former: whoever tells of a
            failed build tells once.
    """
    with _loading:
        if name in _refused:
            raise NativeUnavailable(_refused[name])
        if name not in modules:
            try:
                extension = packaged(name)
                modules[name] = _import(extension, build(extension))
            except NativeUnavailable as error:
                _refused[name] = error.why
                raise
        return modules[name]


def built(name: str) -> ModuleType:
    """An extension module of this package that `load` or `build` has compiled before, here or elsewhere.

    Args:
        name: the name of its directory, such as ``contexts``.

    Raises:
        NativeUnavailable: it was not compiled for this torch, or does not load.
    """
    with _loading:
        if name not in modules:
            extension = packaged(name)
            shipped = prebuilt(extension)
            if shipped is not None:
                modules[name] = _import(extension, shipped)
                return modules[name]
            try:
                noted = _note(extension).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError):
                noted = ""
            made = cache_root() / noted / f"{name}.so"
            if not noted or not made.is_file():
                raise NativeUnavailable(f"{name} is not built: run overhead-lint native build {name}")
            modules[name] = _import(extension, made)
        return modules[name]


def build(extension: Extension) -> Path:
    """The compiled library of an extension, made now if neither a wheel nor the cache holds it.

    Returns:
        Path of the shared library.

    Raises:
        NativeUnavailable: see `load`.
    """
    shipped = prebuilt(extension)
    if shipped is not None:
        return shipped
    try:
        toolchain = find_toolchain()
    except CannotCompile as error:
        raise CannotCompile(f"{error.why}{advice()}") from None
    made = library(extension, toolchain)
    if made.is_file():
        _write_note(extension, made)
        return made
    home, root = made.parent, made.parent.parent
    # A dependency of torch, which is there: find_toolchain has imported it.
    from filelock import FileLock

    try:
        root.mkdir(parents=True, exist_ok=True)
        with FileLock(root / f"{home.name}.lock"):
            if not made.is_file():
                _build_into(home, extension, toolchain)
        _write_note(extension, made)
    except OSError as error:
        raise NativeUnavailable(
            f"compiled files cannot be kept in {root} ({error.strerror or error}): set OVERHEAD_LINT_CACHE"
        ) from None
    return made


def library(extension: Extension, toolchain: Toolchain) -> Path:
    """Where the compiled library of an extension lies, or would lie."""
    return cache_root() / f"{extension.name}-{_key(extension, toolchain)}" / f"{extension.name}.so"


def log_file(made: Path) -> Path:
    """Where a failed build of the library ``made`` leaves the command and what the compiler said."""
    return made.parent.with_name(f"{made.parent.name}.log")


def first_error(told: str) -> str:
    """The line of a compiler's output that says what is wrong."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    for line in lines:
        if "error" in line.lower():
            return line
    return lines[-1] if lines else "the compiler says nothing"


def _key(extension: Extension, toolchain: Toolchain) -> str:
    return digest(extension, toolchain.identity)


def _note(extension: Extension) -> Path:
    return cache_root() / f"{extension.name}-{digest(extension, host())}.built"


def _write_note(extension: Extension, made: Path) -> None:
    note = _note(extension)
    try:
        if note.read_text(encoding="utf-8").strip() == made.parent.name:
            return
    except (OSError, UnicodeDecodeError):
        pass  # Not there, or damaged: written anew.
    try:
        atomic.write(note, f"{made.parent.name}\n".encode())
    except OSError:
        pass  # A cache that others keep, and this user may only read.


def _build_into(home: Path, extension: Extension, toolchain: Toolchain) -> None:
    seconds = USUAL_SECONDS.get(extension.name)
    lasts = "once" if seconds is None else f"about {seconds} s, once"
    tell(f"overhead-lint: building the native core: {extension.name} ({lasts}) ...")
    work = Path(tempfile.mkdtemp(prefix=f".{home.name}-", dir=home.parent))
    try:
        made = work / f"{extension.name}.so"
        name = f"-DTORCH_EXTENSION_NAME={extension.name}"
        command = toolchain.command(extension.directory / "unit.cpp", made, name)
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            log = log_file(home / f"{extension.name}.so")
            log.write_text(" ".join(command) + "\n\n" + done.stdout + done.stderr, encoding="utf-8")
            raise BuildFailed(
                f"the native core ({extension.name}) does not compile: "
                f"{first_error(done.stderr)}{_advice(done.stderr)} (log: {log})"
            )
        work.chmod(0o755)  # mkdtemp makes it private, and a cache may be shared
        shutil.rmtree(home, ignore_errors=True)
        work.rename(home)
        log_file(home / f"{extension.name}.so").unlink(missing_ok=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _advice(told: str) -> str:
    """What to install where the output says that a header is missing which comes with torch's wheels."""
    if re.search(r"error: '?pybind11/", told):
        return "; install the pybind11 that torch was built with (Debian: apt install pybind11-dev)"
    return ""


def _import(extension: Extension, library: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(extension.name, library)
    if spec is None or spec.loader is None:
        raise NativeUnavailable(f"{library} is no extension module that this Python can load")
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:
        raise NativeUnavailable(f"{library} does not load: {error}; remove {library.parent}") from None
    return module
