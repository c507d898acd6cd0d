"""Names of files in reasons for heat: marked while these are kept, as each run shows them in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["mark", "unmarked"]


def mark(name: str) -> str:
    """A file's name as it stands in reasons that are kept: how it is shown depends on the run."""
    return f"\0{name}\0"


def unmarked(text: str, shown: Callable[[str], str]) -> str:
    """A text with its marked file names replaced by what a run shows for them."""
    if "\0" not in text:
        return text
    parts = text.split("\0")  # every other one is a name
    parts[1::2] = map(shown, parts[1::2])
    return "".join(parts)
