"""Processes that tests start collect garbage more seldom: importing torch is most of what they do.

A fifth of the time that torch and its compiler take to be imported goes into collections that find nothing,
and as long again into those at the end, which look through all that was imported. So what is there while
torch is imported is left out of collections. The namespace of the program is among it, so that not all that
lives to the end is finalized: tests of that run in forks, which import nothing.

And Dynamo times no guards. Of all that it compiles it does that once, for a log: it flushes the processor's
caches first, which takes 30 ms, as long as it takes to compile what tests do. The guard probe, which times
with cold caches what it is asked to, flushes less: where a cache of all cores together holds hundreds of MB,
twice that takes a second. Tests of such times have it flush all.
"""

import gc
import sys


def _flush_less(timing):  # type: ignore[no-untyped-def]
    def none():  # type: ignore[no-untyped-def]
        return 0

    none.__wrapped__ = timing.last_level_cache_bytes  # type: ignore[attr-defined]
    timing.last_level_cache_bytes = none


def _time_no_guards(guards):  # type: ignore[no-untyped-def]
    guards.profile_guard_manager = lambda *_: 0.0


class _Changed:
    """Finds some modules, and changes them when they have been imported."""

    def __init__(self):  # type: ignore[no-untyped-def]
        self._changes = {"torch._dynamo.guards": _time_no_guards, "overhead_lint.probes.timing": _flush_less}

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        change = self._changes.pop(name, None)
        if change is None:
            return None
        from importlib.machinery import PathFinder

        spec = PathFinder.find_spec(name, path, target)
        load = spec.loader.exec_module

        def loaded(module):  # type: ignore[no-untyped-def]
            load(module)
            change(module)

        spec.loader.exec_module = loaded
        return spec


def _leave_out(phase: str, info: dict[str, int]) -> None:
    specification = getattr(sys.modules.get("torch"), "__spec__", None)
    if phase == "start" and getattr(specification, "_initializing", False):
        gc.freeze()


gc.set_threshold(50_000, 20, 20)
gc.callbacks.append(_leave_out)
sys.meta_path.insert(0, _Changed())
