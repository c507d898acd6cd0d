"""The counting core in C++, built on demand with the machine's own compiler.

`load` gives an extension module, compiled at most once for a torch build and a set of sources;
`NativeUnavailable` says in one line why it cannot be had here. Importing this package imports
neither torch nor a compiled module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.native.build import load
    from overhead_lint.native.toolchain import NativeUnavailable

__all__ = ["NativeUnavailable", "load"]


def __getattr__(name: str) -> object:
    """What builds is imported once something is asked for: a test session may never load a module."""
    if name == "load":
        from overhead_lint.native.build import load

        return load
    if name == "NativeUnavailable":
        from overhead_lint.native.toolchain import NativeUnavailable

        return NativeUnavailable
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
