"""Source lines and how much of a count each accounts for, told apart from those of another day."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from overhead_lint.probes.api import most_first
from overhead_lint.probes.edited_lines import edited

if TYPE_CHECKING:
    from overhead_lint.probes.api import Cause

__all__ = ["CountedLine", "LineChange", "changes", "counted", "source_text"]

_LONGEST: Final = 160
"""Characters of a line that tell it from others."""


class CountedLine(NamedTuple):
    """A source line and how much of a count it accounts for.

    Attributes:
        path: relative, so that it is the same in each checkout; "" where no line is known.
        text: of the line, spaces collapsed: numbers of lines change with each edit above them.
        label: what happened there, as in `Cause`.
        amount: how much of the count.
        numbers: the lines with this text, where they are known.
        operators: as in `Cause`.
    """

    path: str
    text: str
    label: str
    amount: int
    numbers: tuple[int, ...] = ()
    operators: tuple[tuple[str, int], ...] = ()


class LineChange(NamedTuple):
    """A line that accounts for more or less of a count than before; `before` or `after` may be missing."""

    before: CountedLine | None
    after: CountedLine | None

    @property
    def line(self) -> CountedLine:
        """The line as it is now, or as it was where it is gone."""
        line = self.after or self.before
        assert line is not None, "one of them is there"
        return line

    @property
    def was(self) -> int:
        """How much it accounted for before."""
        return self.before.amount if self.before is not None else 0

    @property
    def delta(self) -> int:
        """How much more it accounts for than before; less than 0 for less."""
        return (self.after.amount if self.after is not None else 0) - self.was

    @property
    def operators(self) -> tuple[tuple[str, int], ...]:
        """The operators that account for more than before or, of a line with less, for less; most first."""
        now, was = (dict(line.operators) if line is not None else {} for line in (self.after, self.before))
        sign = 1 if self.delta > 0 else -1
        moved = {name: sign * (now.get(name, 0) - was.get(name, 0)) for name in now.keys() | was.keys()}
        return most_first({name: amount for name, amount in moved.items() if amount > 0})


def source_text(path: str, line: int) -> str:
    """Return the text of a source line, spaces collapsed; "" where it cannot be read."""
    linecache.checkcache(path)  # a session may outlive an edit
    return " ".join(linecache.getline(path, line).split())[:_LONGEST] if path else ""


def counted(
    causes: Iterable[Cause], shown: Callable[[str], str], texts: Callable[[str, int], str] = source_text
) -> tuple[CountedLine, ...]:
    """Return the lines of causes, sorted; those of one file with the same text and label are one.

    Args:
        causes: of one count.
        shown: a path as it is the same in each checkout.
        texts: the text of a line, by path and number.
    """
    amounts: Counter[tuple[str, str, str]] = Counter()
    numbers: dict[tuple[str, str, str], set[int]] = {}
    operators: dict[tuple[str, str, str], Counter[str]] = {}
    for cause in causes:
        key = (shown(cause.path) if cause.path else "", texts(cause.path, cause.line), cause.label)
        amounts[key] += int(cause.amount)
        numbers.setdefault(key, set()).add(cause.line)
        operators.setdefault(key, Counter()).update(dict(cause.operators))
    return tuple(
        CountedLine(
            *key, amounts[key], tuple(sorted(numbers[key])) if key[0] else (), most_first(operators[key])
        )
        for key in sorted(amounts)
    )


def changes(before: Sequence[CountedLine], after: Sequence[CountedLine]) -> tuple[LineChange, ...]:
    """Return the lines that account for another amount than before: first those with more, the most first.

    A line is the same where file, text and label are; else where file and text are; else where its text was
    edited or moved to another file. So an edit is one change, and none where the amount stays.

    Args:
        before: lines of another day, as `counted` gives them.
        after: lines of now.
    """
    old, new = list(before), list(after)
    pairs = [
        *_matched(old, new, lambda line: (line.path, line.text, line.label)),
        *_matched(old, new, lambda line: (line.path, line.text)),
        *_matched(old, new, lambda line: (line.text, line.label) if line.text else None),
        *_edited(old, new),
        *(LineChange(line, None) for line in old),
        *(LineChange(None, line) for line in new),
    ]
    return tuple(sorted((pair for pair in pairs if pair.delta), key=lambda pair: (-pair.delta, pair.line)))


def _matched(
    old: list[CountedLine], new: list[CountedLine], key: Callable[[CountedLine], tuple[str, ...] | None]
) -> list[LineChange]:
    """Take out of both what has the same key, in the order of amounts where several have."""
    waiting = _by_key(old, key)
    found = []
    for line in sorted(new, key=lambda line: -line.amount):
        of_key = waiting.get(key(line) or ())
        if of_key:
            was = of_key.pop(0)
            found.append(LineChange(was, line))
            old.remove(was)
            new.remove(line)
    return found


def _by_key(
    lines: Iterable[CountedLine], key: Callable[[CountedLine], tuple[str, ...] | None]
) -> Mapping[tuple[str, ...], list[CountedLine]]:
    found: dict[tuple[str, ...], list[CountedLine]] = {}
    for line in sorted(lines, key=lambda line: -line.amount):
        if of_line := key(line):
            found.setdefault(of_line, []).append(line)
    return found


def _edited(old: list[CountedLine], new: list[CountedLine]) -> list[LineChange]:
    """Take out of both the lines whose text was edited."""
    found = []
    for path in sorted({line.path for line in old if line.text}):
        gone, come = ({line.text for line in lines if line.path == path} for lines in (old, new))
        for was, now in edited(gone, come).items():
            olds, news = (
                [line for line in lines if (line.path, line.text) == (path, text)]
                for lines, text in ((old, was), (new, now))
            )
            for one in _matched(olds, news, lambda line: (line.label,)):
                found.append(one)
            found += [LineChange(*pair) for pair in zip(olds, news, strict=False)]
    for one in found:
        assert one.before is not None and one.after is not None
        old.remove(one.before)
        new.remove(one.after)
    return found
