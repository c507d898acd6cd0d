"""Where the links of a heat chain are, for editors and programs that lead there.

Summaries of files have no lines of functions, so that moving code does not change them: these are looked for
in the files as they are when they are shown.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.report.place import is_notebook
from overhead_lint.rule import Tier
from overhead_lint.syntax.function_heads import function_heads
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.rule import Finding, Place, Warmth

__all__ = ["ITEMS", "ChainPlace", "chain_places", "staying_wait"]

_FILES: Final = 256
ITEMS: Final = "*"
"""Stands behind the name of a generator for what it does for each item."""


class ChainPlace(NamedTuple):
    """A link of a chain as it is shown.

    Attributes:
        path: the file, as reasons name it.
        line: of the loop, or of the head of the function; from 1.
        what: the loop, or the function, by its name; "" for a line of a finding's own function.
    """

    path: str
    line: int
    what: str


def chain_places(warmth: Warmth) -> Iterator[ChainPlace]:
    """Return where the links of a chain are, from the outside in; none of notebooks: cells have those."""
    return _places(warmth.places)


def _places(places: Iterable[Place]) -> Iterator[ChainPlace]:
    for path, function, line in places:
        if not path or path.endswith(".ipynb"):
            continue
        name = function.removesuffix(ITEMS)
        shown = name.removeprefix(".") or "the top level"
        if line:
            yield ChainPlace(path, line, f"loop in {shown}")
        else:
            yield ChainPlace(path, _heads(path, _changed(path)).get(name, 1), shown)


def staying_wait(finding: Finding) -> ChainPlace | None:
    """Return where the host waits in the same pass as a finding, whatever is mended; None if nobody knows.

    It is the place of the finding itself where what it waits for is needed.
    """
    stays = finding.warmth.stays
    if finding.stays_at:
        return None if is_notebook(finding.path) else ChainPlace(str(finding.path), finding.stays_at, "")
    if stays is None or finding.tier is not Tier.STALL or finding.decides:
        return None
    return next(_places((stays,)), None)


def _changed(path: str) -> int:
    """When a file was changed: a server sees many states of it. 0 if it is not there."""
    try:
        return Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


@lru_cache(_FILES)
def _heads(path: str, _changed: int) -> dict[str, int]:
    """The lines of the heads of functions in a file, by their names in paths; none if it cannot be read."""
    try:
        return function_heads(Source.read(Path(path)).text)
    except SourceError:
        return {}
