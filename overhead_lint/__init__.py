"""Find, fix and keep out CPU overhead in PyTorch code.

Importing this package imports nothing heavy: the console script and the pytest
plugin both pass through here, so ``torch``, ``libcst`` and ``pytest`` stay out.
"""

from overhead_lint._version import __version__

__all__ = ["__version__"]
