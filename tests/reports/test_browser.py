"""Pages in a headless Chromium: what it loads, how they fit and can be read, and how the keyboard moves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.measure.evidence import Evidence
from overhead_lint.measure.trace import Trace
from overhead_lint.report.html import run_page, tests_page
from overhead_lint.report.html.run_report import Run
from overhead_lint.report.html.tests_report import parse

from .test_html import content
from .test_run_html import EVIDENCE, TRACE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .browser import Browser

LONG = "tests/" + "a_folder_with_a_long_name/" * 12 + "test_module.py::test_" + "x" * 200


def many_tests() -> dict[str, Any]:
    found = content(29, **{f"number_{n}": n for n in range(998)})
    found["tests"][LONG] = found["tests"]["test_a.py::test_free"]
    return found


def long_names() -> Evidence:
    spans = tuple(
        replace(span, label="Name 名前 WWW " * 20, path="folder/" * 40 + span.path) for span in TRACE.spans
    )
    assert isinstance(EVIDENCE.trace, Trace)
    findings = tuple(replace(one, path="folder/" * 40 + one.path) for one in EVIDENCE.findings)
    return replace(EVIDENCE, trace=replace(TRACE, spans=spans), findings=findings)


def much_slower() -> Evidence:
    assert EVIDENCE.steps is not None
    spans = tuple(replace(span, start=span.start * 777, length=span.length * 777) for span in TRACE.spans)
    steps = replace(EVIDENCE.steps, median_seconds=0.2345678, mean_seconds=0.3456789)
    return replace(EVIDENCE, steps=steps, trace=replace(TRACE, spans=spans, length=TRACE.length * 777))


PAGES: dict[str, Callable[[], str]] = {
    "tests": lambda: tests_page.render(
        [parse("a", content(10)), parse("b", many_tests())], Path("/src"), parse("c", content(9))
    ),
    "no-tests": lambda: tests_page.render(
        [parse("a", {"schema": 1, "fingerprint": {}, "tests": {}})], Path("/")
    ),
    "run": lambda: run_page.render([Run("a", EVIDENCE), Run("b", EVIDENCE)], Run("c", EVIDENCE)),
    "apart": lambda: run_page.render([Run("a", EVIDENCE)], Run("b", much_slower())),
    "long-names": lambda: run_page.render([Run("long " * 40, long_names())]),
    "no-steps": lambda: run_page.render([Run("a", Evidence(("a.py",), None, 0.0))]),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("pages")
    for name, made in PAGES.items():
        (found / f"{name}.html").write_text(made(), encoding="utf-8")
    return found


@pytest.mark.parametrize("name", PAGES)
def test_nothing_else_is_loaded_and_nothing_is_blocked(browser: Browser, folder: Path, name: str) -> None:
    path = folder / f"{name}.html"
    browser.open(path, 1280)
    assert browser.value("document.getElementsByTagName('h1').length") == 1
    assert browser.loaded == [path.as_uri()]
    assert browser.complaints == []


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_only_tables_and_pictures_scroll_sideways(
    browser: Browser, folder: Path, name: str, width: int
) -> None:
    browser.open(folder / f"{name}.html", width)
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.value("document.documentElement.scrollWidth") <= width
    cut = """[...document.querySelectorAll('svg text')].filter(t => {
        const box = t.getBBox(), frame = t.ownerSVGElement.viewBox.baseVal;
        return box.x < -1 || box.x + box.width > frame.width + 1 || box.y + box.height > frame.height + 4;
    }).map(t => t.textContent)"""
    assert browser.value(cut) == [], "text that its picture cuts off"


# The colour that is drawn: opacity over the page's background, as WCAG counts contrast.
CONTRAST = """(() => {
    const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
    const page = parse(getComputedStyle(document.body).backgroundColor);
    const over = (c, a, under) => c.slice(0, 3).map((v, i) => v * a + under[i] * (1 - a));
    const light = c => { const [r, g, b] = c.map(v => { v /= 255;
        return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05); };
    const found = {};
    const note = (what, value) => { found[what] = Math.min(found[what] ?? 99, value); };
    const behind = e => { for (; e; e = e.parentElement) {
        const c = parse(getComputedStyle(e).backgroundColor);
        if (c[3] !== 0 && c.length) return c; } return page; };
    for (const e of document.querySelectorAll('p, a, td, th, dt, dd, summary, figcaption, li, h1, h2'))
        note('text ' + e.tagName, ratio(parse(getComputedStyle(e).color), behind(e)));
    for (const e of document.querySelectorAll('svg g')) {
        const box = e.querySelector('rect'), text = e.querySelector('text'); if (!box || !text) continue;
        const style = getComputedStyle(box);
        const back = over(parse(style.fill), Number(style.fillOpacity), page);
        note('text on ' + box.getAttribute('class'), ratio(parse(getComputedStyle(text).fill), back)); }
    for (const e of document.querySelectorAll('svg > text'))
        note('text in pictures', ratio(parse(getComputedStyle(e).fill), page));
    for (const e of document.querySelectorAll('svg .bar, svg .after, svg > path, .key rect'))
        { const fill = getComputedStyle(e).fill; if (fill !== 'none')
            note('shape ' + e.getAttribute('class'), ratio(parse(fill), page)); }
    return found; })()"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["tests", "run"])
def test_contrast(browser: Browser, folder: Path, name: str, dark: bool) -> None:
    browser.open(folder / f"{name}.html", 1280, dark=dark)
    found: dict[str, float] = browser.value(CONTRAST)
    assert {"text TD", "text in pictures"} <= found.keys()
    if name == "run":
        assert {"text on flame k-backward", "shape k-backward", "shape after"} <= found.keys()
    low = {what: ratio for what, ratio in found.items() if ratio < (3.0 if what.startswith("shape") else 4.5)}
    assert low == {}


FOCUS = """(() => { const e = document.activeElement, style = getComputedStyle(e);
    return {tag: e.tagName, name: (e.getAttribute('aria-label') || e.textContent || '').trim().slice(0, 60),
            id: e.id, outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
            top: e.getBoundingClientRect().top, bottom: e.getBoundingClientRect().bottom}; })()"""


def test_the_keyboard_reaches_everything_in_order(browser: Browser, folder: Path) -> None:
    browser.open(folder / "run.html", 1280)
    browser.press("Tab")
    assert browser.value(FOCUS)["name"] == "Skip to the content"
    browser.press("Enter")
    assert browser.value(FOCUS)["id"] == "content"
    can = """[...document.querySelectorAll('main a[href], main summary, main [tabindex="0"]')]
        .filter(e => e.checkVisibility()).map(e => e.tagName)"""
    wanted = browser.value(can)
    assert {"SUMMARY", "DIV"} <= set(wanted)
    reached = []
    for _ in wanted:
        browser.press("Tab")
        focus = browser.value(FOCUS)
        assert focus["outline"], focus
        assert focus["name"], focus
        assert focus["bottom"] > 0 and focus["top"] < 900, "what has the focus can be seen"
        reached.append(focus["tag"])
    assert reached == wanted


def test_what_is_folded_opens_by_keyboard_and_wide_pictures_scroll_by_it(
    browser: Browser, folder: Path
) -> None:
    browser.open(folder / "run.html", 360)
    browser.value("document.querySelector('details summary').focus()")
    assert browser.value("document.querySelector('details').open") is False
    browser.press("Enter")
    assert browser.value("document.querySelector('details').open") is True
    browser.value("document.querySelector('.picture').focus()")
    browser.press("ArrowRight")
    moved = "new Promise(done => setTimeout(() => done(document.querySelector('.picture').scrollLeft), 400))"
    answer = browser.ask("Runtime.evaluate", expression=moved, awaitPromise=True, returnByValue=True)
    assert answer["result"]["value"] > 0


def test_a_screen_reader_is_told_of_all_pictures_and_parts(browser: Browser, folder: Path) -> None:
    browser.open(folder / "run.html", 1280)
    spoken = browser.spoken()
    roles = {role for role, _ in spoken}
    assert {"main", "navigation", "banner", "heading", "table", "rowheader", "columnheader"} <= roles
    assert all(
        name for role, name in spoken if role in ("image", "img", "heading", "region", "table", "link")
    )
    pictures = [name for role, name in spoken if role in ("image", "img")]
    assert any(name.startswith("Host time by source line and kind. 1 ms of host time") for name in pictures)
    assert any(name.startswith("Calls of one step.") for name in pictures)
    assert any(name.startswith("Time of a step. Two bars for each of 3 rows") for name in pictures)


def test_a_page_of_a_thousand_tests_stays_small(folder: Path) -> None:
    page = (folder / "tests.html").read_text(encoding="utf-8")
    assert json.dumps(LONG)[1:-1] in page
    assert len(page) < 1_000_000
