"""Which files are solved together: those of several that may compile something, as far as imports meet.

Which that are hangs on the project alone and not on which of its files are checked: what is found in one does
not either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import words_for_compiled
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SolvingGroup", "assigned", "names_compile"]

MOST_TOGETHER: Final = 48
"""Files that are solved together, so that a change of one leaves most of a large project as it is."""


_WORDS: Final = tuple(word.encode() for word in sorted(words_for_compiled()))
_COMPILE: Final = re.compile(
    rb"(?<!\bre)(?<!\bregex)\.compile\b|\bimport\b[^\n]*\bcompile\b|\b(?:%s)\b" % b"|".join(_WORDS)
)


class SolvingGroup(NamedTuple):
    """Files that are solved together.

    Attributes:
        files: their names, by those of their modules.
        asking: the names of those that ask.
    """

    files: dict[str, str]
    asking: list[str]


def names_compile(text: bytes) -> bool:
    """Whether a file names something called ``compile`` that is not of ``re``, or a setting for it."""
    # Most files have none of the words: to see that takes a third of the time.
    return any(word in text for word in (b"compile", *_WORDS)) and _COMPILE.search(text) is not None


def assigned(
    compiling: Mapping[str, Mapping[str, str]], asking: Mapping[str, Mapping[str, str]]
) -> list[SolvingGroup]:
    """Return the groups in which files ask for something.

    Args:
        compiling: by the name of each file that names ``compile``, itself and what it imports: names by those
            of their modules.
        asking: by the name of each file that asks, the same.
    """
    groups = _grouped(compiling)
    for name in sorted(asking):
        files = asking[name]
        for group in groups:
            if files.items() <= group.files.items():
                group.asking.append(name)
                break
        else:
            groups.append(SolvingGroup(dict(files), [name]))
    return [group for group in groups if group.asking]


def _grouped(compiling: Mapping[str, Mapping[str, str]]) -> list[SolvingGroup]:
    """Divide files: each joins the first group that has half of what it imports, and room for the rest.

    Where they share less, it takes longer to solve all for one that asks than to solve some twice.
    """
    found: list[SolvingGroup] = []
    for name in sorted(compiling):
        files = compiling[name]
        for group in found:
            if _fits(group.files, files):
                group.files.update(files)
                break
        else:
            found.append(SolvingGroup(dict(files), []))
    return found


def _fits(files: Mapping[str, str], more: Mapping[str, str]) -> bool:
    """Whether others have half of some files, are not too many with them, and have no other of a name."""
    same = [module for module in more if module in files]
    if 2 * len(same) < len(more) or len(files) + len(more) - len(same) > MOST_TOGETHER:
        return False
    return all(files[module] == more[module] for module in same)
