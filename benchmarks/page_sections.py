"""Sections of a page that is written by several commands: each keeps what the others have measured."""

from __future__ import annotations

import re

__all__ = ["kept_sections", "with_section"]


def with_section(page: str, name: str, text: str) -> str:
    """Put a section into a page, in place of the one of its name that is there, else last."""
    section = _marked(name, text)
    if section.splitlines()[0] not in page:
        return f"{page}\n{section}"
    return re.sub(_marked(re.escape(name), ".*?"), lambda _: section, page, flags=re.DOTALL)


def kept_sections(page: str) -> str:
    """Return all such sections of a page with their marks, in order; empty if it has none."""
    found = re.finditer(_marked("(?P<name>[a-z]+)", ".*?", "(?P=name)"), page, re.DOTALL)
    return "".join(f"\n{one[0]}" for one in found)


def _marked(name: str, text: str, end: str = "") -> str:
    return f"<!-- {name} -->\n{text}<!-- end of {end or name} -->\n"
