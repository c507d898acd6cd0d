"""What a file may tell others of what they compile and make texts of, before it is solved with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.layers import may_make_layers, names_layers
from overhead_lint.analysis.file_questions import CLASSES, LAYERS
from overhead_lint.analysis.texts.objects import text_makers

if TYPE_CHECKING:
    from overhead_lint.analysis.file_questions import PlainQuestion
    from overhead_lint.analysis.values.project import Values

__all__ = ["told_by", "told_by_words"]

_FORMATTING: Final = (b"dataclass", b"__repr__")


def told_by(text: bytes, values: Values, module: str) -> tuple[PlainQuestion, ...]:
    """Return what a file may tell, as `overhead_lint.cache.entry.Entry` has it.

    Args:
        text: that of the file.
        values: its values, solved without other files.
        module: its dotted name.
    """
    found = {*told_by_words(text), *(one.plain() for one in text_makers(values, module))}
    layers = LAYERS.plain()
    if layers in found and not may_make_layers(values, module):
        found.remove(layers)
    return tuple(sorted(found))


def told_by_words(text: bytes) -> tuple[PlainQuestion, ...]:
    """Return what a file may tell by its text alone."""
    classes = (CLASSES.plain(),) if any(word in text for word in _FORMATTING) else ()
    return (*classes, LAYERS.plain()) if names_layers(text) else classes
