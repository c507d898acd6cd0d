"""The counting core in C++, built on demand with the machine's own compiler.

`load` gives an extension module, compiled at most once for a torch build and a set of sources;
`NativeUnavailable` says in one line why it cannot be had here. Importing this package imports
neither torch nor a compiled module.
"""

from __future__ import annotations

from overhead_lint.native.build import load
from overhead_lint.native.toolchain import NativeUnavailable

__all__ = ["NativeUnavailable", "load"]
