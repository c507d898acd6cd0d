"""The findings of a project as numbers and one table of texts, which a run that shows them reads at once.

Thousands of findings say a few texts again and again. As nested tuples they take most of the time of
reading the index of the cache; as an array for each file, and texts by their numbers, next to none.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.gate import plain_gate, read_gate
from overhead_lint.analysis.graph.option import read_options
from overhead_lint.project.packed_warmths import packed_warmth, unpacked_warmth
from overhead_lint.rule import (
    ANY_HEAT,
    Applicability,
    Finding,
    Fix,
    ReasonKind,
    RuntimeNeed,
    Span,
    Standing,
    Tier,
    Warmth,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from overhead_lint.support.blobs import Plain

__all__ = ["PackedFindings"]

_KINDS: Final = tuple(ReasonKind)
_APPLICABILITIES: Final = tuple(Applicability)
_RUNTIME_NEEDS: Final = tuple(RuntimeNeed)
# Four of the span, four texts, heat with chain and the rest, applicability and text of the fix and of what
# takes its place without the runtime, five of the standing, one that tells the text, tier, rounds, branches,
# whether the host waits again, the line of a wait that stays, whether it decides, confidence
# and worth.
_NUMBERS: Final = 29
_RUNTIME_NEED: Final = len(_APPLICABILITIES)
"""What a fix needs of the runtime, times this, is added to the number of its applicability."""
_TIERS: Final = (None, *Tier)
_MOST_ROUNDS: Final = 1 << 30
_NONE: Final = -1
_CERTAIN: Final = 1000
"""What a confidence or a worth of 1 is kept as."""


class PackedFindings:
    """Texts, gates and options of findings by number, and findings as numbers.

    Args:
        texts: those of earlier runs, as plain data.

    Attributes:
        texts: by number.
    """

    def __init__(self, texts: Iterable[Any] = ()) -> None:
        self.texts: list[Any] = list(texts)
        self._numbers: dict[str | Plain, int] = {}
        self._warmths: dict[tuple[int, int, int], Warmth] = {}
        self._fixes: dict[tuple[int, int, int, int], Fix] = {}

    def _number(self, text: str | Plain) -> int:
        if not self._numbers:  # most runs find nothing new
            self._numbers = {text: number for number, text in enumerate(self.texts)}
        number = self._numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number

    def pack(self, findings: Iterable[Finding]) -> bytes:
        """Findings of a file as numbers; of a fix only what it says is kept."""
        numbers, number = array("i"), self._number
        for (
            _,
            span,
            code,
            name,
            message,
            warmth,
            text,
            fix,
            standing,
            _,
            alike,
            _,
            _,
            tier,
            rounds,
            branches,
            waits_again,
            stays_at,
            decides,
            confidence,
            worth,
            _,
        ) in findings:
            numbers.extend(span)
            numbers.extend(map(number, (code, name, message, text)))
            heat, begins, *rest = packed_warmth(*warmth)
            numbers.extend((heat, number(begins), number(tuple(rest))))
            without = fix.without_runtime if fix is not None else None
            for one in (fix, without):
                if one is not None:
                    does = _APPLICABILITIES.index(one.applicability) + _RUNTIME_NEED * one.runtime_need
                    numbers.extend((does, number(one.message)))
                else:
                    numbers.extend((_NONE, 0))
            if standing is not None:
                numbers.extend(
                    (number(standing.function), standing.frequency, number(standing.why), standing.kind)
                )
                numbers.append(number((plain_gate(standing.gate), tuple(map(tuple, standing.options)))))
            else:
                numbers.extend((_NONE, 0, 0, 0, 0))
            numbers.extend((alike, _TIERS.index(tier), min(rounds, _MOST_ROUNDS)))
            likely = round(confidence * _CERTAIN), round(worth * _CERTAIN)
            numbers.extend((branches, waits_again, stays_at, decides, *likely))
        return numbers.tobytes()

    def unpack(self, data: bytes, path: Path, shown: Callable[[str], str]) -> list[Finding]:
        """The findings of a file from what `pack` gave; their fixes have no edits.

        Args:
            data: the findings.
            path: the file as it was named.
            shown: gives what the run shows for a text with names of files that
                `overhead_lint.project.marked_names.mark` marked.

        Raises:
            ValueError: the data is not what `pack` gives.
            IndexError: the same.
        """
        numbers = array("i")
        numbers.frombytes(data)
        texts, warmths, fixes = self.texts, self._warmths, self._fixes
        new = tuple.__new__  # a run may have thousands, and the classes' own constructors are no C functions
        found = []
        one = [iter(numbers)] * _NUMBERS
        for (
            line, column, end_line, end_column, code, name, message, text, heat, why, rest,
            does, fix, other, without, function, place, loop, kind, shut_by, alike, tier, rounds,
            branches, waits_again, stays_at, decides, confidence, worth,
        ) in zip(*one, strict=True):  # fmt: skip
            said, more = texts[message], texts[text]
            warmth = warmths.get((why, heat, rest))
            if warmth is None:  # many have one reason
                warmth = warmths[why, heat, rest] = unpacked_warmth(
                    heat, texts[why], *texts[rest], shown=shown
                )
            made = fixes.get((does, fix, other, without)) if does >= 0 else None
            if made is None and does >= 0:  # many are one
                made = self._fix(does, fix, self._fix(other, without) if other >= 0 else None)
                fixes[does, fix, other, without] = made
            values = (
                path,
                new(Span, (line, column, end_line, end_column)),
                texts[code],
                texts[name],
                shown(said) if "\0" in said else said,
                warmth,
                shown(more) if "\0" in more else more,
                made,
                self._standing(function, place, loop, kind, shut_by) if function >= 0 else None,
                (),
                alike,
                (),
                False,
                _TIERS[tier],
                rounds,
                branches,
                bool(waits_again),
                stays_at,
                bool(decides),
                confidence / _CERTAIN,
                worth / _CERTAIN,
                ANY_HEAT,
            )
            found.append(new(Finding, values))
        return found

    def _standing(self, function: int, place: int, loop: int, kind: int, shut_by: int) -> Standing:
        """Where something stands, from its numbers."""
        texts, (gate, options) = self.texts, self.texts[shut_by]
        loop_shown = texts[loop], _KINDS[kind]
        values = texts[function], place, *loop_shown, read_gate(gate), read_options(options), 0, False
        standing: Standing = tuple.__new__(Standing, values)
        return standing

    def _fix(self, does: int, message: int, without: Fix | None = None) -> Fix:
        """A fix from the numbers of what it does and says."""
        need, applicability = divmod(does, _RUNTIME_NEED)
        return Fix(
            _APPLICABILITIES[applicability],
            self.texts[message],
            (),
            without_runtime=without,
            runtime_need=_RUNTIME_NEEDS[need],
        )

    def moved(self, data: bytes, to: PackedFindings) -> bytes:
        """The same findings with the numbers that another table has for their texts."""
        numbers = array("i")
        numbers.frombytes(data)
        for at in range(0, len(numbers), _NUMBERS):
            places = [*range(at + 4, at + 8), at + 9, at + 10]
            places += [at + 12] if numbers[at + 11] >= 0 else []
            places += [at + 14] if numbers[at + 13] >= 0 else []
            places += [at + 15, at + 17, at + 19] if numbers[at + 15] >= 0 else []
            for place in places:
                numbers[place] = to._number(self.texts[numbers[place]])
        return numbers.tobytes()
