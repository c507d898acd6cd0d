"""The device in processes that multiprocessing starts anew: on a GPU each of them finds it, too.

A fork server, which Python 3.14 starts where nothing else is asked for, has no device itself: it is forked
for each process, and these are to have one.
"""

from __future__ import annotations

import multiprocessing.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["patch_spawning"]

# A process that does not find this package has no device, and runs as it would without it.
_SPAWNED: Final = """exec('''
try:
    from overhead_lint.simulated import enable
except ImportError:
    pass
else:
    enable({devices})
'''); """
# Only the processes that the server is forked for: what these fork finds no device, as on a GPU.
_SERVER: Final = """exec('''
import os

def begin(server=os.getpid()):
    if os.getppid() == server:
        try:
            from overhead_lint.simulated import enable
        except ImportError:
            return
        enable({devices})

os.register_at_fork(after_in_child=begin)
'''); """
_STARTS: Final = {
    "from multiprocessing.spawn import ": _SPAWNED,
    "from multiprocessing.forkserver import ": _SERVER,
}
"""What is put before the code that processes begin with, by how that begins."""


def patch_spawning(devices: int, patcher: Patcher) -> None:
    """Let processes that start anew begin with the device exposed; on Windows they are started otherwise.

    Args:
        devices: how many devices are to be seen.
        patcher: remembers what is changed.
    """
    original = getattr(multiprocessing.util, "spawnv_passfds", None)
    if original is None:
        return

    def spawnv_passfds(path: Any, arguments: Sequence[Any], handles: Any) -> Any:
        words = list(arguments)
        if "-c" in words:
            place = words.index("-c") + 1
            code = str(words[place])
            prefix = next((prefix for start, prefix in _STARTS.items() if start in code), "")
            words[place] = prefix.format(devices=devices) + code
        return original(path, words, handles)

    patcher.put(multiprocessing.util, "spawnv_passfds", spawnv_passfds)
