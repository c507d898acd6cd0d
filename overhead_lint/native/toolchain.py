"""The compiler of this machine, and what an extension of the installed torch needs from it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

__all__ = ["BuildFailed", "CannotCompile", "NativeUnavailable", "Toolchain", "find_toolchain", "torch_build"]

COMPILERS = ("g++", "c++", "clang++")
_GIT_HASH = re.compile("[0-9a-f]{40}")
_LIBRARY_SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"


class NativeUnavailable(RuntimeError):
    """The native core cannot be had here.

    Args:
        why: what is missing and what to do about it, in one line.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class CannotCompile(NativeUnavailable):
    """A compiler or headers are missing: a compiled library would do as well."""


class BuildFailed(NativeUnavailable):
    """The compiler refuses the sources; the message holds its first error."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How to compile and link one extension.

    Attributes:
        compiler: the command, with any arguments that ``$CXX`` carries.
        version: what the compiler says of itself, first line.
        compile_flags: flags for a source file, but for where headers lie.
        link_flags: flags for the shared library, but for where libraries lie.
        headers: the folders of torch's and Python's headers.
        libraries: the folder of torch's libraries.
        torch: version and git hash of the torch that the binary belongs to: its ABI.
    """

    compiler: tuple[str, ...]
    version: str
    compile_flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    headers: tuple[Path, ...]
    libraries: Path
    torch: str

    def command(self, source: Path, made: Path, *flags: str) -> list[str]:
        """Return what compiles a source file into a shared library.

        Args:
            source: the file.
            made: where the library goes.
            flags: more of them for the compiler.
        """
        headers = [word for folder in self.headers for word in ("-isystem", str(folder))]
        compiling = [*self.compiler, *self.compile_flags, *headers, *flags, str(source), "-o", str(made)]
        return [*compiling, f"-L{self.libraries}", *self.link_flags]

    @property
    def identity(self) -> str:
        """All that a compiled file depends on apart from its sources.

        Where torch and Python lie is not among it: environments with the same ones share what is compiled.
        """
        python = sysconfig.get_config_var("SOABI") or sys.version
        parts = (*self.compiler, self.version, *self.compile_flags, *self.link_flags, self.torch, python)
        return "\n".join(parts)


def find_toolchain() -> Toolchain:
    """Look for a compiler, Python's headers and torch's.

    Raises:
        CannotCompile: one of them is missing.
        NativeUnavailable: there is no torch, or this is no system that the core is for.
    """
    if sys.platform == "win32":
        raise NativeUnavailable("the native core is built on Linux and macOS only")
    compiler = _compiler()
    version = _compiler_version(compiler)
    python_include = Path(sysconfig.get_path("include"))
    if not (python_include / "Python.h").is_file():
        raise CannotCompile(
            f"no Python.h in {python_include}: install Python's development headers (python3-dev)"
        )
    try:
        import torch
    except ImportError as error:
        raise NativeUnavailable(f"torch cannot be imported ({error}): install torch") from None
    torch_root = Path(torch.__file__).parent
    if not (torch_root / "include" / "ATen").is_dir():
        raise CannotCompile(
            f"no C++ headers in {torch_root / 'include'}: install torch from a wheel "
            "(for Debian's torch: apt install libtorch-dev pybind11-dev)"
        )
    include = torch_root / "include"
    return Toolchain(
        compiler=compiler,
        version=version,
        compile_flags=_compile_flags(),
        link_flags=_link_flags(),
        headers=(include, include / "torch" / "csrc" / "api" / "include", python_include),
        libraries=torch_root / "lib",
        torch=torch_build(),
    )


def torch_build() -> str:
    """What tells the installed torch from others: version and git hash.

    Who builds it from an archive, as Debian does, has no hash; two such builds of a version differ in
    when their libraries were made.
    """
    import torch

    version, revision = torch.__version__, torch.version.git_version
    if _GIT_HASH.fullmatch(revision):
        return f"{version} {revision}"
    try:
        made = (Path(torch.__file__).parent / "lib" / f"libtorch_python{_LIBRARY_SUFFIX}").stat()
    except OSError:
        return f"{version} {revision}"
    return f"{version} {revision} {made.st_size} {made.st_mtime_ns}"


def _compiler() -> tuple[str, ...]:
    named = os.environ.get("CXX", "").strip()
    if named:
        try:
            command = shlex.split(named)
        except ValueError as error:
            raise CannotCompile(f"CXX={named} is no command ({error}): correct or unset CXX") from None
        if shutil.which(command[0]) is None:
            raise CannotCompile(f"the C++ compiler that CXX names, {command[0]}, is not found: unset CXX")
        return tuple(command)
    for name in COMPILERS:
        if shutil.which(name):
            return (name,)
    raise CannotCompile(
        f"no C++ compiler ({', '.join(COMPILERS)}) is found: install one (Debian: apt install g++) or set CXX"
    )


def _compiler_version(compiler: tuple[str, ...]) -> str:
    try:
        told = subprocess.run(
            [*compiler, "--version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotCompile(f"the C++ compiler {compiler[0]} does not run: {error}") from None
    return told.stdout.partition("\n")[0].strip()


def _compile_flags() -> tuple[str, ...]:
    import torch

    # Classes of torch have members that are there in debug builds only: the two must agree.
    debug = () if torch.version.debug else ("-DNDEBUG",)
    return (
        "-std=c++20",
        "-O2",
        "-fPIC",
        "-fvisibility=hidden",
        # torch's headers are not free of warnings, and nobody who runs a test can mend them.
        "-w",
        *debug,
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        "-DTORCH_API_INCLUDE_EXTENSION_H",
    )


def _link_flags() -> tuple[str, ...]:
    # torch is imported before the extension is, so its libraries are found by their names.
    flags = ["-shared", "-lc10", "-ltorch_cpu", "-ltorch", "-ltorch_python"]
    if sys.platform == "darwin":
        flags += ["-undefined", "dynamic_lookup"]
    return tuple(flags)
