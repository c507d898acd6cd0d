"""Says on the terminal that a native core is being built: pytest would hold that back until it is done."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["announce_builds"]

_ANNOUNCED_KEY: pytest.StashKey[bool] = pytest.StashKey()


def announce_builds(config: pytest.Config) -> None:
    """Tell of builds past pytest's capture, until the session ends."""
    from overhead_lint.native.process import tell_with

    if not config.stash.get(_ANNOUNCED_KEY, False):
        config.stash[_ANNOUNCED_KEY] = True
        before = tell_with(lambda told: _announce(config, before, told))

        def put_back() -> None:
            tell_with(before)

        config.add_cleanup(put_back)


def _announce(config: pytest.Config, tell: Callable[[str], None], told: str) -> None:
    capture = config.pluginmanager.get_plugin("capturemanager")
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    with capture.global_and_fixture_disabled() if capture is not None else contextlib.nullcontext():
        if terminal is None or hasattr(config, "workerinput"):  # what a worker of xdist has shows nobody
            tell(told)
        else:
            terminal.ensure_newline()
            terminal.write_line(told)
            terminal.flush()
