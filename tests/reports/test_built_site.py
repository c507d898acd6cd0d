"""The built site in a headless Chromium: the playground checks what is typed, anybody can use the pages."""

from __future__ import annotations

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import site_build

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .browser import Browser

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "docs" / "site" / "playground" / "node_modules"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


def built(folder: Path) -> Path:
    """Build the site in a folder; gives that of its files."""
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    zensical = shutil.which("zensical", path=search)
    if zensical is None:
        pytest.skip("no zensical: make docs installs it")
    site_build.lay_out(ROOT, folder / "pages")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    settings = settings.replace("build/site-pages", "pages").replace("build/site", "built")
    settings = settings.replace('paths: ["."]', f"paths: [{json.dumps(str(ROOT))}]")
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    done = subprocess.run(
        [zensical, "build", "--strict", "-f", "mkdocs.yml"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "built"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, served as static files: built anew, or by who runs the tests just before."""
    given = os.environ.get("OVERHEAD_BUILT_SITE")
    folder = ROOT / given if given else built(tmp_path_factory.mktemp("site"))
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def playground(site: str, browser: Browser) -> Browser:
    if not (MODULES / "pyodide").is_dir():
        pytest.skip("no Pyodide: npm ci in docs/site/playground, as make docs does")
    browser.open(f"{site}/playground/", 1280)
    browser.wait_for("document.querySelector('#checker').dataset.state != 'loading'", 300)
    return browser


def shown(browser: Browser, selector: str) -> str:
    text = browser.value(f"document.querySelector('#checker {selector}').textContent")
    assert isinstance(text, str)
    return text


TYPE = """(text => {
    const root = document.querySelector('#checker');
    const code = root.querySelector('textarea');
    root.dataset.state = 'asked';
    code.value = text;
    code.dispatchEvent(new Event('input'));
})"""


def typed(browser: Browser, text: str) -> None:
    """Put a text into the editor, as typing does, and wait for what is found in it."""
    browser.value(f"{TYPE}({json.dumps(text)})")
    browser.wait_for("document.querySelector('#checker').dataset.state != 'asked'")


def test_the_playground_finds_what_is_in_its_example_and_shows_the_fixes(playground: Browser) -> None:
    assert shown(playground, "[role=status]") == "3 findings"
    assert [code for code in ("OVH101", "OVH404", "OVH701") if code not in shown(playground, "ol")] == []
    diff = shown(playground, "pre")
    assert "+            return self.linear(x) + torch.zeros(8, device=x.device)" in diff
    assert "overhead_runtime" in diff


def test_what_is_typed_is_checked(playground: Browser) -> None:
    typed(playground, "x = 1\n")
    assert shown(playground, "[role=status]") == "Nothing found."
    assert shown(playground, "ol") + shown(playground, "pre") == ""
    typed(playground, "def f(:\n")
    assert "example.py:1:" in shown(playground, "[role=status]")


HOT = """import torch
def train(model, loader, optimizer):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        '\U0001d4d0'; print(loss.item())
"""
"""The letter before the place takes two of the units that a browser counts in."""
SELECTED = """(code => code.value.slice(code.selectionStart, code.selectionEnd))(
    document.querySelector('#checker textarea'))"""


def test_a_finding_selects_its_place_and_leads_to_its_page(playground: Browser) -> None:
    typed(playground, HOT)
    playground.value("document.querySelector('#checker li button').click()")
    assert playground.value(SELECTED) == "loss.item()"
    page = playground.value("document.querySelector('#checker li a').href")
    with urllib.request.urlopen(page) as answer:
        assert "OVH404 sync-in-step" in answer.read().decode()


def test_nothing_is_loaded_from_elsewhere(playground: Browser, site: str) -> None:
    near = (site, "data:", "blob:")
    assert [address for address in playground.loaded if not address.startswith(near)] == []


STILL = """document.head.append(Object.assign(
    document.createElement('style'), {textContent: '* { transition: none !important }'})); 0"""
AXE = """axe.run().then(found => {
    window.found = found.violations.filter(one => ['serious', 'critical'].includes(one.impact))
        .map(one => [one.id, ...one.nodes.map(node => node.html.slice(0, 200))]);
}); 0"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("page", ["", "get-started/", "playground/", "rules/OVH101/", "run/", "guards/"])
def test_axe_finds_nothing_serious(site: str, browser: Browser, page: str, dark: bool) -> None:
    axe = MODULES / "axe-core" / "axe.min.js"
    if not axe.is_file():
        pytest.skip("no axe: npm ci in docs/site/playground, as make docs does")
    browser.open(f"{site}/{page}", 1280)
    browser.value(STILL)
    scheme = "slate" if dark else "default"
    browser.value(f"document.body.setAttribute('data-md-color-scheme', '{scheme}')")
    browser.value(axe.read_text(encoding="utf-8") + "; window.found = null; 0")
    browser.value(AXE)
    browser.wait_for("window.found !== null")
    assert browser.value("window.found") == []


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("page", ["", "playground/", "python-api/", "rules/OVH101/", "run/", "guards/"])
def test_no_page_is_wider_than_a_phone(site: str, browser: Browser, page: str, width: int) -> None:
    browser.open(f"{site}/{page}", width)
    assert browser.value("document.documentElement.scrollWidth") <= width


def test_the_home_page_shows_a_report_in_colours(site: str, browser: Browser) -> None:
    browser.open(f"{site}/", 1280)
    spans = "[...document.querySelectorAll('.md-typeset > .terminal span')]"
    colours = f"new Set({spans}.map(one => getComputedStyle(one).color)).size"
    assert browser.value(colours) >= 3
    report = browser.value("document.querySelector('.md-typeset > .terminal').textContent")
    assert "OVH404 sync-in-step" in report


LINES = "[...document.querySelectorAll('.session .line')].map(one => getComputedStyle(one).visibility)"
ENDED = """document.getAnimations().filter(one => one.animationName.startsWith('session-'))
    .map(one => one.finish()).length"""
WINDOW = "(one => [one.clientHeight, one.scrollHeight])(document.querySelector('.session .terminal'))"


def test_the_home_page_plays_a_session_that_can_be_stopped(site: str, browser: Browser) -> None:
    """Line by line, in a window that keeps its size; all of it at once for those who stop it."""
    browser.open(f"{site}/", 1280)
    assert "hidden" in browser.value(LINES)
    height, _ = browser.value(WINDOW)
    assert browser.value(ENDED) > 20
    assert set(browser.value(LINES)) == {"visible"}
    assert browser.value(WINDOW) == [height, height]
    browser.open(f"{site}/", 1280)
    browser.value("document.querySelector('#session-still').click()")
    assert set(browser.value(LINES)) == {"visible"}
    _, whole = browser.value(WINDOW)
    assert whole > height, "it is scrolled through then"


def test_the_session_stands_still_for_those_who_ask_for_less_motion(site: str, browser: Browser) -> None:
    browser.open(f"{site}/", 1280)
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.ask("Emulation.setEmulatedMedia", features=features)  # `open` sets its own
    assert set(browser.value(LINES)) == {"visible"}
    box = "getComputedStyle(document.querySelector('#session-still')).display"
    assert browser.value(box) == "none", "there is nothing to stop"


@pytest.mark.parametrize("page", ["run/", "guards/"])
def test_pictures_have_the_colours_of_light_and_dark(site: str, browser: Browser, page: str) -> None:
    browser.open(f"{site}/{page}", 1280)
    colour = "getComputedStyle(document.querySelector('.report-picture svg text')).fill"
    light = browser.value(colour)
    browser.value("document.body.setAttribute('data-md-color-scheme', 'slate')")
    assert light != browser.value(colour)
