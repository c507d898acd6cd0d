"""Leads links between Markdown files of the repository to the pages that the site makes of them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["led_to_pages"]

_LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<path>[^)#\s]*)(?P<anchor>#[^)\s]*)?\)")
_BLOCK = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
_ELSEWHERE = re.compile(r"[a-z]+:")


def led_to_pages(text: str, source: Path, page: Path, pages: Mapping[Path, Path]) -> str:
    """Return Markdown whose links lead to pages of the site.

    Args:
        text: of a file.
        source: the file, from the root of the repository.
        page: what the site makes of it, from the site's root.
        pages: all that the site has, by source. A link to what is none, as a module, becomes its text.
    """

    def led(match: re.Match[str]) -> str:
        path, anchor = match["path"], match["anchor"] or ""
        if not path or _ELSEWHERE.match(path):
            return match[0]
        target = Path(os.path.normpath(source.parent / path))
        if target.suffix == ".json":  # goes along as it is
            return match[0]
        if target not in pages:
            return match["text"]
        return f"[{match['text']}]({os.path.relpath(pages[target], page.parent)}{anchor})"

    parts = _BLOCK.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(led, part) for part in parts)
