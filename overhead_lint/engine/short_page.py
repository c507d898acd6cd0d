"""What a rule's page says first, for a terminal or an editor's hover."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["short_page"]

_SAID: Final = ("Why it costs", "Fix safety", "When not to use it")
_FORMS: Final = (("before", "Before"), ("after", "After"))


def short_page(page: str) -> str:
    """Return the Markdown of a page without its tests: under 60 lines.

    Args:
        page: its Markdown, in the sections that all pages have; another is returned as it is.

    Returns:
        What is found, both forms as they are timed, and the first paragraph of the sections that say why it
        costs, when a fix is safe, and when the rule is not for you.
    """
    head, *parts = re.split(r"^## ", page, flags=re.MULTILINE)
    sections = {name: text for name, _, text in (part.partition("\n") for part in parts)}
    if not all(name in sections for name in _SAID):
        return page
    code = head.split(maxsplit=2)[1]
    made = [head.strip(), *_forms(sections.get("Timing", ""))]
    made += [f"## {name}\n\n{_first_paragraph(sections[name])}" for name in _SAID]
    made.append(f"`overhead-lint rule {code} --full` shows the rest: examples, timings, references.")
    return "\n\n".join(made) + "\n"


def _forms(timing: str) -> list[str]:
    made = []
    for info, label in _FORMS:
        block = re.search(rf"^```python {info}[^\n]*\n(.*?)^```$", timing, re.DOTALL | re.MULTILINE)
        if block is not None:
            made.append(f"{label}:\n\n```python\n{block[1]}```")
    return made


def _first_paragraph(section: str) -> str:
    paragraphs = re.split(r"\n\s*\n", section.strip())
    said = next((text for text in paragraphs if not text.startswith(("```", "###"))), "-")
    return f"{said[:-1]}." if said.endswith(":") else said  # what it led to is left out
