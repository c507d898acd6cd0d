"""What a rule's page says first, for a terminal or an editor's hover."""

from __future__ import annotations

import re
from typing import Final

from overhead_lint.engine.pages import Page

__all__ = ["first_paragraph", "short_page"]

_SAID: Final = ("Why it costs", "Fix safety", "When not to use it")


def short_page(page: str) -> str:
    """Return the Markdown of a page without its tests: under 60 lines.

    Args:
        page: its Markdown, in the sections that all pages have; another is returned as it is.

    Returns:
        What is found, both forms as they are timed, and the first paragraph of the sections that say why it
        costs, when a fix is safe, and when the rule is not for you.
    """
    read = Page.parse(page, "")
    if not all(name in read.sections for name in _SAID):
        return page
    made = [read.title, read.summary]
    for label, code in zip(("Before", "After"), read.timed() or (), strict=False):
        made.append(f"{label}:\n\n```python\n{code}```")
    made += [f"## {name}\n\n{first_paragraph(read.sections[name])}" for name in _SAID]
    code = read.title.split()[1]
    made.append(f"`overhead-lint rule {code} --full` shows the rest: examples, timings, references.")
    return "\n\n".join(made) + "\n"


def first_paragraph(section: str) -> str:
    """Return the first paragraph of a section that is prose; "-" if there is none."""
    paragraphs = re.split(r"\n\s*\n", section.strip())
    said = next((text for text in paragraphs if not text.startswith(("```", "###"))), "-")
    return f"{said[:-1]}." if said.endswith(":") else said  # what it led to is left out
