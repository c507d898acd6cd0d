"""The device in processes that multiprocessing spawns: on a GPU each of them finds it, too."""

from __future__ import annotations

import multiprocessing.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["patch_spawning"]

_STARTS: Final = "from multiprocessing.spawn import "
# A process that does not find this package has no device, and runs as it would without it.
_PREFIX: Final = """exec('''
try:
    from overhead_lint.simulated import enable
except ImportError:
    pass
else:
    enable({devices})
'''); """


def patch_spawning(devices: int, patcher: Patcher) -> None:
    """Let spawned processes begin with the device exposed; on Windows they are started otherwise.

    Args:
        devices: how many devices are to be seen.
        patcher: remembers what is changed.
    """
    original = getattr(multiprocessing.util, "spawnv_passfds", None)
    if original is None:
        return

    def spawnv_passfds(path: Any, arguments: Sequence[Any], handles: Any) -> Any:
        words = list(arguments)
        if "-c" in words and _STARTS in str(words[words.index("-c") + 1]):
            words[words.index("-c") + 1] = _PREFIX.format(devices=devices) + words[words.index("-c") + 1]
        return original(path, words, handles)

    patcher.put(multiprocessing.util, "spawnv_passfds", spawnv_passfds)
