"""Reads settings files for what they have for options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import OTHERWISE, UNSET, Default
from overhead_lint.analysis.options.constants import default_of, is_word
from overhead_lint.analysis.options.scripts import script_leaves
from overhead_lint.analysis.options.tables import UNKNOWN, Leaf, json_leaves, toml_leaves
from overhead_lint.analysis.options.yaml import yaml_leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.options.shipped import Shipped

__all__ = ["READERS", "shipped_in"]

READERS: Final = {
    ".json": json_leaves,
    ".sh": script_leaves,
    ".toml": toml_leaves,
    ".yaml": yaml_leaves,
    ".yml": yaml_leaves,
}
"""What reads settings files, and scripts that pass options, by the ends of their names."""

_PATH: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){2,}")
_MOST: Final = 4000
"""Values of one file: what has more is data."""
_UNSET: Final = Default(UNSET)
_OTHERWISE: Final = Default(OTHERWISE)


def shipped_in(text: str, suffix: str) -> tuple[Shipped, ...]:
    """Return what one file has for options, sorted; nothing where it is damaged, or holds data.

    Args:
        text: of the file.
        suffix: the end of its name, one of `READERS`.
    """
    found: set[Shipped] = set()
    for leaf in READERS[suffix](text):
        found.update(_said(leaf))
        if len(found) > _MOST:
            return ()
    return tuple(sorted(found))


def _said(leaf: Leaf) -> Iterator[Shipped]:
    path, value = leaf
    name = path[-1].replace("-", "_")
    if name.isidentifier():
        if isinstance(value, str) and not is_word(value) and _PATH.fullmatch(value):
            value = value.rpartition(".")[2]  # of a class or function
        default = _OTHERWISE if value is UNKNOWN else _UNSET if value is None else default_of(value)
        yield f".{name}", *default
        if len(path) > 1:
            yield f"{path[-2]}.{name}", *default
