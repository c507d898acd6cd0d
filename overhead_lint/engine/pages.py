"""Rule pages, taken apart: sections, code blocks, and the two forms that a page times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from overhead_lint.errors import Complaint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Page", "PageError", "TimingCase"]

TIMING: Final = "Timing"
_SECTION: Final = re.compile(r"^## (.*)\n", re.MULTILINE)
_FENCED: Final = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)
_CASE: Final = re.compile(r"^### (.*)\n", re.MULTILINE)
_COUNTS: Final = "counts="


class PageError(Complaint):
    """A page that cannot be used; the message names it, in one line."""


@dataclass(frozen=True, slots=True)
class TimingCase:
    """Two forms of the same work, from a page's section ``Timing``.

    Attributes:
        code: code of the rule.
        title: what is done once.
        setup: code that both forms need.
        before: statements as the rule finds them.
        after: statements that the rule proposes.
        metrics: what to count on a CUDA device while each form runs once; () for a case to time.
    """

    code: str
    title: str
    setup: str
    before: str
    after: str
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A rule's page.

    Attributes:
        origin: what to call the page in a message: its path.
        title: the first line, ``# OVH101 autocast-per-step``.
        summary: what stands above the first section.
        sections: text by heading, in the page's order.
    """

    origin: str
    title: str
    summary: str
    sections: dict[str, str]

    @classmethod
    def parse(cls, text: str, origin: str) -> Page:
        """Take the text of a page apart."""
        head, *rest = _SECTION.split(text)
        title, _, summary = head.partition("\n")
        return cls(origin, title, summary.strip(), dict(zip(rest[::2], rest[1::2], strict=True)))

    @classmethod
    def read(cls, path: Path) -> Page:
        """The page in a file.

        Raises:
            PageError: it cannot be read.
        """
        try:
            return cls.parse(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise PageError(f"{path}: cannot be read: {why}") from error

    def code(self, heading: str, form: str = "") -> str:
        """The first Python block of a form under a heading; "" if there is none."""
        wanted = f"python {form}".rstrip()
        blocks = (code for info, code in _blocks(self.sections[heading]) if info == wanted)
        return next(blocks, "")

    def timed(self) -> tuple[str, str] | None:
        """The first two forms that the page times, as the rule finds it and as it proposes; None without."""
        forms = [self.code(TIMING, form) for form in ("before", "after")] if TIMING in self.sections else []
        return (forms[0], forms[1]) if all(forms) and forms else None

    def python(self) -> Iterator[str]:
        """The Python blocks of the page, whatever their form."""
        for text in (self.summary, *self.sections.values()):
            yield from (code for info, code in _blocks(text) if info.split()[0] == "python")

    def timing_cases(self) -> tuple[TimingCase, ...]:
        """What the page times; () without a section ``Timing``.

        Raises:
            PageError: a case lacks a form, or has a block of another kind.
        """
        if TIMING not in self.sections:
            return ()
        first, *rest = _CASE.split(self.sections[TIMING])
        titled = list(zip(rest[::2], rest[1::2], strict=True))
        if next(_blocks(first), None) is not None:
            titled.insert(0, ("", first))
        return tuple(self._case(title.strip(), text) for title, text in titled)

    def _case(self, title: str, text: str) -> TimingCase:
        forms: dict[str, str] = {}
        metrics: tuple[str, ...] = ()
        for info, code in _blocks(text):
            language, _, rest = info.partition(" ")
            form, _, extra = rest.strip().partition(" ")
            if language != "python" or form not in ("setup", "before", "after") or form in forms:
                raise PageError(f"{self.origin}: unexpected block in {TIMING!r}: ```{info}")
            if extra:
                metrics = self._metrics(form, extra)
            forms[form] = code
        for form in ("before", "after"):
            if form not in forms:
                raise PageError(f"{self.origin}: {title or TIMING!r} has no block ```python {form}")
        code, _, name = self.title.removeprefix("# ").partition(" ")
        return TimingCase(
            code, title or name, forms.get("setup", ""), forms["before"], forms["after"], metrics
        )

    def _metrics(self, form: str, extra: str) -> tuple[str, ...]:
        if form != "setup" or not extra.startswith(_COUNTS):
            raise PageError(f"{self.origin}: unexpected {extra!r} after ```python {form}")
        return tuple(extra.removeprefix(_COUNTS).split(","))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Info string and code of each fenced block."""
    return ((match["info"].strip(), match["code"]) for match in _FENCED.finditer(text))
