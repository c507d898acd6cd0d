"""Tables with a caption, row headers, and a frame that scrolls by keyboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from overhead_lint.report.html.text import escaped

__all__ = ["folded", "table"]


def table(
    caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Iterable[int] = ()
) -> str:
    """A table.

    Args:
        caption: what it shows, plain text.
        header: names of the columns, plain text.
        rows: plain text; the first cell is the row's header.
        numbers: which columns hold numbers, and are set to the right.
    """
    right = frozenset(numbers)
    style = [' class="number"' if column in right else "" for column in range(len(header))]
    names = "".join(f'<th scope="col"{s}>{escaped(n)}</th>' for n, s in zip(header, style, strict=True))
    lines = []
    for row in rows:
        cells = "".join(f"<td{s}>{escaped(c)}</td>" for c, s in zip(row[1:], style[1:], strict=True))
        lines.append(f'<tr><th scope="row"{style[0]}>{escaped(row[0])}</th>{cells}</tr>\n')
    text = escaped(caption)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{text}">\n<table>\n'
        f"<caption>{text}</caption>\n<thead>\n<tr>{names}</tr>\n</thead>\n<tbody>\n{''.join(lines)}</tbody>\n"
        "</table>\n</div>\n"
    )


def folded(title: str, body: str) -> str:
    """HTML that is shown on demand, by mouse or keyboard."""
    return f"<details>\n<summary>{escaped(title)}</summary>\n{body}</details>\n"
