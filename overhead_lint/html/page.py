"""The frame of a report: head, style, table of contents, sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from overhead_lint.html.text import escaped

__all__ = ["Section", "page"]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page.

    Attributes:
        name: its id, unique on the page: letters, digits and dashes.
        title: heading, plain text.
        body: HTML.
    """

    name: str
    title: str
    body: str


# The policy forbids the browser to load anything; the page has no script.
_HEAD: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
"""
_STYLE: Final = """
:root { color-scheme: light dark; --text: #1b1b1b; --back: #ffffff; --line: #767676; --bar: #2b5f9e;
  --faint: #f1f3f5; --link: #0b4f9e; }
@media (prefers-color-scheme: dark) { :root { --text: #ececec; --back: #16181b; --line: #8d949b;
  --bar: #7fb2ea; --faint: #24282c; --link: #9cc7f5; } }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--back); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
thead th { background: var(--faint); }
tbody th { font-weight: 400; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1.5rem 0; }
figcaption { font-weight: 600; }
svg { width: 100%; height: auto; max-width: 60rem; }
svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
svg .bar, svg .dot { fill: var(--bar); }
svg .path { fill: none; stroke: var(--bar); stroke-width: 2; }
svg .axis { stroke: var(--line); }
svg .limit { stroke: var(--text); stroke-width: 2; }
summary { cursor: pointer; }
"""


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """A whole page.

    Args:
        title: plain text.
        lead: HTML below the heading.
        sections: in the order in which they are shown.

    Raises:
        ValueError: two sections of the same name.
    """
    names = [section.name for section in sections]
    if len({*names, "content"}) <= len(names):
        raise ValueError(f"sections need different names: {names}")
    links = "".join(f'<li><a href="#{s.name}">{escaped(s.title)}</a></li>\n' for s in sections)
    parts = [
        _HEAD.format(title=escaped(title), style=_STYLE),
        f"<header>\n<h1>{escaped(title)}</h1>\n{lead}\n</header>\n",
        f'<nav aria-label="Sections">\n<ul>\n{links}</ul>\n</nav>\n<main id="content" tabindex="-1">\n',
    ]
    for section in sections:
        heading = f'<h2 id="{section.name}">{escaped(section.title)}</h2>'
        parts.append(f'<section aria-labelledby="{section.name}">\n{heading}\n{section.body}</section>\n')
    return "".join([*parts, "</main>\n</body>\n</html>\n"])
