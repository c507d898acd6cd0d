"""What is called where a place of a program runs."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from overhead_lint.rule import Span

__all__ = ["NO_CALLS"]

NO_CALLS: Final[Mapping[Span, Callable[[], None]]] = MappingProxyType({})
"""Nothing is called anywhere."""
