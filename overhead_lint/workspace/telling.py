"""What a file may tell others of what they compile and make texts of, before it is solved with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.layers import may_make_layers, names_layers
from overhead_lint.analysis.texts import text_makers
from overhead_lint.project.cross_file import CLASSES, LAYERS

if TYPE_CHECKING:
    from overhead_lint.analysis.values.project import Values

__all__ = ["told_by", "told_by_words"]

_FORMATTING: Final = (b"dataclass", b"__repr__")


def told_by(text: bytes, values: Values, module: str) -> tuple[str, ...]:
    """Return what a file may tell, as `overhead_lint.cache.entry.Entry` has it.

    Args:
        text: that of the file.
        values: its values, solved without other files.
        module: its dotted name.
    """
    found = {*told_by_words(text), *text_makers(values, module)}
    if LAYERS in found and not may_make_layers(values, module):
        found.remove(LAYERS)
    return tuple(sorted(found))


def told_by_words(text: bytes) -> tuple[str, ...]:
    """Return what a file may tell by its text alone."""
    classes = (CLASSES,) if any(word in text for word in _FORMATTING) else ()
    return (*classes, LAYERS) if names_layers(text) else classes
