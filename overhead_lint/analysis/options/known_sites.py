"""Remembers what operations give, with what was assumed for it, and while they hang on each other.

An operation that is asked for while it is being worked out stands in a circle: what was found on the way
around holds only until the one that was asked for first is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.ir.opcodes import CONSTANT, PHI
from overhead_lint.analysis.ir.queries import uncopied
from overhead_lint.analysis.options.known import MADE, NO_OPTIONS, Known
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from overhead_lint.analysis.ir.names import Site
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["CIRCLING", "KnownSites"]

CIRCLING: Final = Known(MADE, NO_OPTIONS)
"""Stands for what a name holds at the start of a round, while that is being worked out."""
_NO_CIRCLE: Final = 1 << 30
# More values than these behind each other are not followed.
_DEEPEST: Final = 12


class _Circling(NamedTuple):
    """What was found of an operation that hangs on one that is being worked out."""

    found: Known | None
    assumes: bool
    words: dict[str, None]
    first: int
    """With how many that one was being worked out."""


class KnownSites:
    """What operations of one file give; what works them out derives from it.

    Args:
        functions: the functions of the file.
        codes: what operations are worked out, by their codes.

    Attributes:
        assumed: what attributes are taken to be whose defaults other files may tell, and such parameters.
        assumes: whether one was asked for.
        words: those that one is compared with.
    """

    def __init__(self, functions: Sequence[FunctionIR], codes: Collection[int]) -> None:
        self._functions = functions
        self._codes = codes
        self._known: tuple[dict[Site, Known | None], ...] = ({}, {})  # of whole tests, and of what they ask
        self._supposed: dict[tuple[Site, bool, type, object], tuple[Known | None, tuple[str, ...]]] = {}
        self._of_parameters: set[Site] = set()  # what hangs on a parameter
        self._waiting: dict[Site, int] = {}  # with how many were being worked out before
        self._circle = _NO_CIRCLE  # the first of these that something hangs on
        self._circling: dict[object, _Circling] = {}
        self._circling_by: dict[int, list[object]] = {}  # by what they hang on
        self.assumed: Any = False
        self.assumes = False
        self.words: dict[str, None] = {}

    def of(self, place: int, at: int, depth: int = 0) -> Known | None:
        """Return what an operation gives while options have their defaults; None if that does not say it.

        Args:
            place: the function's place among those of the file.
            at: the operation.
            depth: how many names, attributes and methods led here.
        """
        record = self._functions[place]
        at = uncopied(record, at)
        code = record.code[at]
        if code == CONSTANT:
            return Known(record.extra[at], NO_OPTIONS)
        if code not in self._codes or depth > _DEEPEST:
            return None
        site, known = (place, at), self._known[depth > 0]
        if site not in known:
            return self._worked_out(site, depth, known)
        self._note_parameters(site)
        return known[site]

    def hangs_on_parameters(self, place: int, at: int) -> bool:
        """Whether parameters were asked for what an operation gives, as far as that was worked out."""
        return (place, uncopied(self._functions[place], at)) in self._of_parameters

    def _evaluate(self, code: int, place: int, at: int, depth: int) -> Known | None:
        """Work out what an operation of one of the codes gives, which `of` remembers."""
        raise NotImplementedError

    def _note_parameter(self) -> None:
        """Note of all that is being worked out that it hangs on a parameter."""
        self._of_parameters.update(self._waiting)

    def _note_parameters(self, site: Site) -> None:
        """Note it if something known does."""
        if site in self._of_parameters:
            self._note_parameter()

    def _number(self, site: Site) -> int:
        """Return with how many operations one is being worked out."""
        return self._waiting[site]

    def _hang_on(self, number: int) -> None:
        """Note that what is being worked out hangs on what was begun with so many."""
        self._circle = min(self._circle, number)

    def _worked_out(self, site: Site, depth: int, known: dict[Site, Known | None]) -> Known | None:
        """Work out what an operation gives, and keep that with what was assumed for it."""
        code = self._functions[site[0]].code[site[1]]
        # What was assumed of attributes is asked for again with something else in its place.
        key = site, depth > 0, self.assumed.__class__, self.assumed
        supposed = self._supposed.get(key)
        if supposed is not None:
            self.assumes = True
            self.words.update(dict.fromkeys(supposed[1]))
            self._note_parameters(site)
            return supposed[0]
        if site in self._waiting:
            self._hang_on(self._waiting[site])
            return CIRCLING if code == PHI else None
        circling = self._circling.get(key)
        if circling is not None:
            self.assumes = self.assumes or circling.assumes
            self.words.update(circling.words)
            self._note_parameters(site)
            self._hang_on(circling.first)
            return circling.found
        assumes, words, circle = self.assumes, self.words, self._circle
        self.assumes, self.words, self._circle = False, {}, _NO_CIRCLE
        number = self._waiting[site] = len(self._waiting)
        found = self._evaluate(code, *site, depth)
        del self._waiting[site]
        if self._circle >= number:
            self._circle = _NO_CIRCLE
            if self.assumes:
                self._supposed[key] = found, tuple(self.words)
            else:
                known[site] = found
        else:
            # Attributes that are set by one another have too many ways through them to go each.
            self._circling[key] = _Circling(found, self.assumes, self.words, self._circle)
            self._circling_by.setdefault(self._circle, []).append(key)
        for one in self._circling_by.pop(number, ()):
            del self._circling[one]
        self._hang_on(circle)
        self.assumes = self.assumes or assumes
        self.words = {**words, **self.words} if self.words else words
        return found
