"""Reads verdicts on findings and places, as they were written down by hand."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from corpus_files import CorpusError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["verdicts_read"]


def verdicts_read(path: Path, verdicts: Collection[str]) -> list[dict[str, Any]]:
    """The readings of a TOML file, a ``[[reading]]`` table each.

    Args:
        path: the file.
        verdicts: those that a reading may have.

    Raises:
        CorpusError: no TOML, no readings, or a verdict that is none.
    """
    try:
        readings: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8")).get("reading", [])
    except tomllib.TOMLDecodeError as error:
        raise CorpusError(f"{path}: {error}") from error
    if not readings:
        raise CorpusError(f"{path}: no readings")
    for one in readings:
        if one.get("verdict") not in verdicts:
            place = f"{one.get('path')}:{one.get('line')}"
            raise CorpusError(f"{path}: verdict of {place} is none of {', '.join(verdicts)}")
    return readings
