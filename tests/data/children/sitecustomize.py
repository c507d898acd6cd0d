"""Processes that tests start collect garbage more seldom: importing torch is most of what they do.

A fifth of the time that torch and its compiler take to be imported goes into collections that find nothing,
and as long again into those at the end, which look through all that was imported. So what is there while
torch is imported is left out of collections; what a program makes is not.
"""

import gc
import sys


def _leave_out(phase: str, info: dict[str, int]) -> None:
    specification = getattr(sys.modules.get("torch"), "__spec__", None)
    if phase == "start" and getattr(specification, "_initializing", False):
        gc.freeze()


gc.set_threshold(50_000, 20, 20)
gc.callbacks.append(_leave_out)
