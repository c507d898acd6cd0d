"""The frame of a report: head, style, table of contents, sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from overhead_lint.report.html.text import escaped

__all__ = ["STYLE", "Section", "facts", "page"]


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
STYLE: Final = """
:root { color-scheme: light dark; --text: #1c2024; --soft: #51585f; --back: #ffffff; --line: #d5dade;
  --edge: #767c83; --bar: #2b6cb0; --faint: #f3f5f7; --link: #0b4f9e; --fill: .28;
  --python: #1f4e9c; --torch: #3d8fd1; --operator: #1a8a64; --backward: #c8501e; --optimizer: #b8489a;
  --compiled: #6b4bb0; --context: #a87400; --copy: #7c5a33; --wait: #b3001b; --data: #66707a; }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaec; --soft: #a9b1b9; --back: #15181b;
  --line: #363c42; --edge: #8d949b; --bar: #6aa9e9; --faint: #20252a; --link: #9cc7f5; --fill: .38;
  --python: #7ea6ee; --torch: #6cc0ff; --operator: #3fc796; --backward: #ff8a57; --optimizer: #ef86d2;
  --compiled: #b195f5; --context: #e3ac33; --copy: #c79c6b; --wait: #ff6b7d; --data: #a2acb6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--back); }
h1 { font-size: 1.75rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 3rem 0 1rem; padding-bottom: .25rem; border-bottom: 2px solid var(--line); }
h1, h2, h3, p, li, summary, figcaption, caption { overflow-wrap: anywhere; }
a { color: var(--link); }
code { font-family: ui-monospace, monospace; font-size: .95em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem;
  margin: 1rem 0; }
.facts div { background: var(--faint); border-radius: .5rem; padding: .6rem .9rem; }
.facts dt { color: var(--soft); font-size: .875rem; }
.facts dd { margin: 0; font-size: 1.1rem; font-weight: 600; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: .75rem 0; }
details .scroll { max-height: 32rem; overflow-y: auto; }
table { border-collapse: collapse; font-size: .9375rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .3rem .75rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: break-word; max-width: 38rem; }
thead th { background: var(--faint); white-space: nowrap; }
tbody th { font-weight: 400; min-width: 12rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1.5rem 0 .75rem; }
figcaption { font-weight: 600; }
.picture svg { display: block; width: 100%; min-width: 46rem; height: auto; }
svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
svg .bar, svg .dot, svg .after { fill: var(--bar); }
svg .before { fill: none; stroke: var(--bar); stroke-width: 1.5; stroke-dasharray: 4 2; }
svg .path { fill: none; stroke: var(--bar); stroke-width: 2; }
svg .axis { stroke: var(--edge); }
svg .grid { stroke: var(--line); }
svg .limit, svg .mark { stroke: var(--text); stroke-width: 2; fill: none; }
svg .mark { stroke-width: 1.2; }
svg .flame { fill-opacity: var(--fill); stroke-width: 1; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; margin: .5rem 0; list-style: none;
  font-size: .875rem; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.key { width: .9rem; height: .9rem; }
details { margin: .4rem 0; }
summary { cursor: pointer; padding: .15rem 0; }
@media print { details .scroll { max-height: none; } .skip { display: none; } }
.k-python { fill: var(--python); } .flame.k-python { stroke: var(--python); }
.k-torch { fill: var(--torch); } .flame.k-torch { stroke: var(--torch); }
.k-operator { fill: var(--operator); } .flame.k-operator { stroke: var(--operator); }
.k-backward { fill: var(--backward); } .flame.k-backward { stroke: var(--backward); }
.k-optimizer { fill: var(--optimizer); } .flame.k-optimizer { stroke: var(--optimizer); }
.k-compiled { fill: var(--compiled); } .flame.k-compiled { stroke: var(--compiled); }
.k-context { fill: var(--context); } .flame.k-context { stroke: var(--context); }
.k-copy { fill: var(--copy); } .flame.k-copy { stroke: var(--copy); }
.k-wait { fill: var(--wait); } .flame.k-wait { stroke: var(--wait); }
.k-data { fill: var(--data); } .flame.k-data { stroke: var(--data); }
"""


def facts(shown: Mapping[str, str]) -> str:
    """A few numbers that say the most, by name."""
    items = "".join(f"<div><dt>{escaped(k)}</dt><dd>{escaped(v)}</dd></div>\n" for k, v in shown.items())
    return f'<dl class="facts">\n{items}</dl>\n'


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
        _HEAD.format(title=escaped(title), style=STYLE),
        f"<header>\n<h1>{escaped(title)}</h1>\n{lead}\n</header>\n",
        f'<nav aria-label="Sections">\n<ul>\n{links}</ul>\n</nav>\n<main id="content" tabindex="-1">\n',
    ]
    for section in sections:
        heading = f'<h2 id="{section.name}">{escaped(section.title)}</h2>'
        parts.append(f'<section aria-labelledby="{section.name}">\n{heading}\n{section.body}</section>\n')
    return "".join([*parts, "</main>\n</body>\n</html>\n"])
