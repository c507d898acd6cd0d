"""What CUDA's runtime is called for, told by CUPTI: the truth that counts on a GPU are held against.

CUPTI reports calls of the libraries below torch (cuBLAS, cuSOLVER, MAGMA) as well, which torch's own trace
points do not see. One subscriber is allowed a process, so nothing here runs beside torch's profiler.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["CuptiError", "Runtime", "started"]

_COUNTED: Final = {
    "event_record": (135, 242, 370, 371),
    "event_wait": (147, 247),
    "event_sync": (137,),
    "stream_sync": (131, 239),
    "device_sync": (165,),
}
_MEMCPY: Final = (31, 41, 215, 225)
"""Callback numbers of CUPTI's ``cupti_runtime_cbid.h`` by what they count; those after the first of a call
are for default streams of threads and for flags. They never change: new calls get new numbers."""
_WAYS: Final = {"copies_h2d": 1, "copies_d2h": 2}


class CuptiError(Exception):
    """CUPTI is not there, or refuses."""


class Runtime:
    """Counts from its construction on.

    Raises:
        CuptiError: torch has no CUPTI, there is no C compiler, or CUPTI refuses (another tool subscribed).
    """

    def __init__(self) -> None:
        self._native = _compiled()
        self._native.called.restype = self._native.copied.restype = ctypes.c_uint64
        cupti = ctypes.CDLL(_loaded("libcupti.so"))
        which = [*_MEMCPY, *(number for numbers in _COUNTED.values() for number in numbers)]
        status = self._native.begin(
            cupti.cuptiSubscribe,
            cupti.cuptiEnableCallback,
            (ctypes.c_uint32 * len(which))(*which),
            len(which),
        )
        if status:
            raise CuptiError(f"CUPTI refuses with status {status}")

    def counts(self) -> dict[str, int]:
        """How often each kind was called since the construction."""
        called = {
            name: sum(self._native.called(number) for number in numbers) for name, numbers in _COUNTED.items()
        }
        return called | {name: self._native.copied(kind) for name, kind in _WAYS.items()}

    def since(self, before: dict[str, int]) -> dict[str, int]:
        """How often each kind was called since `before` was counted."""
        return {name: number - before[name] for name, number in self.counts().items()}


def started() -> Runtime | None:
    """What counts from now on, on the GPU that there is; None without CUPTI, which a line says."""
    import torch

    torch.ones(1, device="cuda")  # else CUPTI has no context to listen to
    try:
        return Runtime()
    except CuptiError as error:
        print(f"without CUPTI: {error}", file=sys.stderr)
        return None


def _loaded(name: str) -> str:
    """The path of a library that torch has loaded."""
    import torch  # noqa: F401 - loads it

    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        path = line.rpartition(" ")[2]
        if Path(path).name.startswith(name):
            return path
    raise CuptiError(f"torch has loaded no {name}")


def _compiled() -> ctypes.CDLL:
    """The counting library, made anew in each process: it takes a moment."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "g++", "clang"))), None)
    if compiler is None:
        raise CuptiError("no C compiler")
    source = Path(__file__).with_suffix(".c")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "cuda_calls.so"
        command = [compiler, "-x", "c", "-O1", "-shared", "-fPIC", "-o", str(made), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CuptiError(f"{source} does not compile: {done.stderr.strip()[:300]}")
        return ctypes.CDLL(str(made))  # which stays when its file is gone
