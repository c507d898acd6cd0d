"""Processes that tests start collect garbage more seldom: importing torch is most of what they do.

A fifth of the time that torch and its compiler take to be imported goes into collections that find nothing,
and as long again into those at the end, which look through all that was imported. So what is there while
torch is imported is left out of collections. The namespace of the program is among it, whose objects may then
not be finalized at the end: where programs must end as ever, OVERHEAD_TESTS_COLLECT_ALL is set.
"""

import gc
import os
import sys


def _leave_out(phase: str, info: dict[str, int]) -> None:
    specification = getattr(sys.modules.get("torch"), "__spec__", None)
    if phase == "start" and getattr(specification, "_initializing", False):
        gc.freeze()


gc.set_threshold(50_000, 20, 20)
if "OVERHEAD_TESTS_COLLECT_ALL" not in os.environ:
    gc.callbacks.append(_leave_out)
