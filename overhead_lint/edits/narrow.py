"""The least text edits between two texts of the same lines."""

from __future__ import annotations

import difflib

from overhead_lint.rule import TextEdit

__all__ = ["narrowed"]

# Above this many lines, matching them costs more than a wider edit does harm.
_MANY_LINES = 400


def narrowed(before: str, after: str, start: int) -> list[TextEdit]:
    """Edits that turn `before` into `after`, one for each run of changed lines, common ends cut off.

    Args:
        before: the text as it is.
        after: the text as it should be.
        start: offset of `before` in its file.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if max(len(old), len(new)) > _MANY_LINES:
        edit = _trimmed(before, after, start)
        return [edit] if edit else []
    result = []
    offsets = [start]
    for line in old:
        offsets.append(offsets[-1] + len(line))
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal" and (edit := _trimmed("".join(old[i:j]), "".join(new[k:m]), offsets[i])):
            result.append(edit)
    return result


def _trimmed(before: str, after: str, start: int) -> TextEdit | None:
    """One edit, without what both texts start and end with; None if they are equal."""
    if before == after:
        return None
    least = min(len(before), len(after))
    head = 0
    while head < least and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < least - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return TextEdit(start + head, start + len(before) - tail, after[head : len(after) - tail])
