"""Which texts of a file show objects of other files' classes, by values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.records import line_and_column, line_of
from overhead_lint.analysis.texts.classes import own_str
from overhead_lint.analysis.texts.objects import formatted_objects
from overhead_lint.api.formatted_elsewhere import NO_CALL, FormattedElsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from overhead_lint.analysis.texts.objects import FormattedObject
    from overhead_lint.analysis.values.project import Values

__all__ = ["formatted_elsewhere"]


def formatted_elsewhere(
    values: Values, module: str, paths: Mapping[str, str]
) -> Iterator[FormattedElsewhere]:
    """Yield the texts of a file.

    Args:
        values: the values of its project.
        module: its dotted name.
        paths: what the other files are called, by their dotted names.
    """
    for one in formatted_objects(values, module):
        record, cls = one.body.record, one.classes[0]
        if one.is_given or one.keyed is not None or cls.body.module.name != module:
            yield FormattedElsewhere(
                line_and_column(record.places[one.at]),
                line_and_column(record.ends[one.at]),
                one.number,
                cls.name,
                paths.get(cls.body.module.name, cls.body.module.name),
                line_of(cls.body.record.place),
                one.is_given,
                *_key(one, paths),
                parameter=one.parameter,
                has_own_str=not one.by_repr and own_str(cls) is not None,
            )


def _key(one: FormattedObject, paths: Mapping[str, str]) -> tuple[tuple[int, int], str, int]:
    """Return which call has a function of another file look something up by a text, and where that does."""
    if one.keyed is None:
        return NO_CALL, "", 0
    module = one.keyed.body.module.name
    return line_and_column(one.body.record.places[one.call]), paths.get(module, module), one.line
