"""Methods of modules that go over all parts of one, where they are given nothing."""

from __future__ import annotations

from typing import Final

__all__ = ["OWN_WALKS", "WALKS"]

OWN_WALKS: Final = frozenset({"parameters", "named_parameters", "named_buffers", "named_modules"})
"""Only modules have methods of these names; the others may belong to anything."""
WALKS: Final = OWN_WALKS | {"buffers", "modules"}
