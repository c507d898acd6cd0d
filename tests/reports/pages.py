"""What every page has to be like: its structure, and what it may refer to."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_EMPTY = {"meta", "rect", "line", "circle", "polyline", "br"}


class Page(HTMLParser):
    """Collects what is checked, and complains about tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[int] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _EMPTY:  # a browser writes them closed
            assert self.open, tag
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


def check(text: str) -> Page:
    """Structure, text alternatives, ids, and nothing from elsewhere."""
    page = Page(text)
    assert not page.open
    assert page.all("html")[0]["lang"] == "en"
    assert page.all("title")
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    steps = zip(page.headings, page.headings[1:], strict=False)
    assert all(below <= above + 1 for above, below in steps), page.headings
    ids = [attributes["id"] for _, attributes in page.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    references = [str(a["href"]) for a in page.all("a")]
    references += [f"#{a['aria-labelledby']}" for _, a in page.seen if "aria-labelledby" in a]
    assert {reference[1:] for reference in references} <= set(map(str, ids))
    for svg in page.all("svg"):
        assert svg.get("aria-hidden") == "true" or (svg["role"] == "img" and svg["aria-label"])
    assert not page.all("img")
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(cell.get("scope") in ("col", "row") for cell in page.all("th"))
    assert len(page.all("figcaption")) == len(page.all("figure"))
    tab_orders = [a["tabindex"] for _, a in page.seen if "tabindex" in a]
    assert set(tab_orders) <= {"0", "-1"}  # the order of focus is that of the page
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in page.seen}
    assert not re.search(r"(?:src|href)\s*=\s*[\"'](?!#)|url\(|@import|https?://", text)
    return page


def shown(page: Page) -> str:
    return " ".join(" ".join(page.text).split())
