"""Tells whether operators were hidden from callbacks for a while.

``torch.autograd._enable_record_function(False)`` lets a thread's operators pass without calling anybody, and
torch has nothing that tells of it afterwards. So while somebody counts, that function is one that notes it.
Importing this module imports no torch.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

__all__ = ["HIDING", "UNHEARD", "Hiding", "unheard"]

UNHEARD: Final = "callbacks of torch's operators were cleared or switched off while it was measured"
_NAME: Final = "_enable_record_function"


class Hiding:
    """How often operators were hidden. Those who count nest, in any threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._times = 0
        self._replaced: list[tuple[ModuleType, Callable[[bool], None], Callable[[bool], None]]] = []

    def start(self) -> int:
        """Begin to notice; gives what `stop` takes."""
        with self._lock:
            if self._users == 0:
                self._replace()
            self._users += 1
            return self._times

    def stop(self, since: int) -> bool:
        """End; gives whether operators were hidden since that `start`."""
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._put_back()
            return self._times != since

    def _replace(self) -> None:
        import torch

        for module in (torch._C._autograd, torch.autograd):
            own = vars(module).get(_NAME)
            if own is not None:
                mine = self._noting(own)
                setattr(module, _NAME, mine)
                self._replaced.append((module, own, mine))

    def _noting(self, own: Callable[[bool], None]) -> Callable[[bool], None]:
        @functools.wraps(own)
        def enable(enable: Any) -> None:
            if not enable:
                self._times += 1
            own(enable)

        return enable

    def _put_back(self) -> None:
        for module, own, mine in self._replaced:
            if vars(module).get(_NAME) is mine:  # and no other tool's
                setattr(module, _NAME, own)
        self._replaced.clear()


HIDING = Hiding()
"""That of this process."""


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Let this thread's operators, which are ours and no program's, pass uncounted and unnoticed."""
    import torch

    enable = getattr(torch._C._autograd, _NAME, lambda on: None)
    own = getattr(enable, "__wrapped__", enable)
    own(False)
    try:
        yield
    finally:
        own(True)
