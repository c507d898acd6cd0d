"""Where the pages of rules lie, for editors to open."""

from __future__ import annotations

from functools import cache

from overhead_lint.engine import packs
from overhead_lint.errors import Complaint

__all__ = ["page_uri"]


@cache
def _pages() -> dict[str, str]:
    try:
        rules = packs.load()
    except Complaint:  # a pack that cannot be used: the check of a file says so
        return {}
    return {one.rule.code: one.page.absolute().as_uri() for one in rules if one.page is not None}


def page_uri(code: str) -> str | None:
    """Return the address of a rule's page, by its code; None where it has none."""
    return _pages().get(code)
