"""Lays the site's pages out in a folder, for ``mkdocs build --strict``: ``make docs`` calls both."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path

from site_links import led_to_pages
from site_pictures import draw, style, with_pictures
from site_playground import add_playground
from site_reference import python_api
from site_rules import rule_index, rule_page
from site_session import played, with_session
from site_terminal import with_picture

from overhead_lint.cli import main as cli_main
from overhead_lint.engine import packs

__all__ = ["lay_out", "pages_of"]

_ROOT = Path(__file__).parent.parent
_TOP = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
}
_INDEX = Path("docs/index.md")
_HOME = Path("index.md")
_PICTURED = (Path("run.md"), Path("guards.md"))


def pages_of(root: Path) -> dict[Path, Path]:
    """Return the page that the site makes of each Markdown file, both from their roots."""
    found = {Path(name): Path(page) for name, page in _TOP.items()}
    for page in sorted((root / "docs").glob("*.md")):
        found[page.relative_to(root)] = Path(page.name)
    found[_INDEX] = Path("rules/index.md")
    for page in sorted((root / "rules").glob("*/*.md")):
        code = page.read_text(encoding="utf-8").split(maxsplit=2)[1]
        found[page.relative_to(root)] = Path("rules") / f"{code}.md"
    return found


def lay_out(root: Path, folder: Path) -> list[Path]:
    """Write the site's pages.

    Args:
        root: of the repository.
        folder: where they go; what it holds is removed.

    Returns:
        The pages, from the folder.
    """
    shutil.rmtree(folder, ignore_errors=True)
    pages = pages_of(root)
    rules = packs.load(())
    by_code = {one.rule.code: one for one in rules}
    texts = {one.rule.code: one.page.read_text(encoding="utf-8") for one in rules if one.page is not None}
    made: dict[Path, str] = {}
    for source, page in pages.items():
        text = led_to_pages((root / source).read_text(encoding="utf-8"), source, page, pages)
        made[page] = rule_page(text, by_code[page.stem], rules) if page.stem in by_code else text
    extras = root / "docs" / "site"
    home = with_picture(made[_HOME], (extras / "report.ansi").read_text(encoding="utf-8"))
    made[_HOME] = with_session(home, played((extras / "session.cast").read_text(encoding="utf-8")))
    made[pages[_INDEX]] = rule_index(rules, texts)
    pictures, report = draw(extras)
    for page in _PICTURED:
        made[page] = with_pictures(made[page], pictures)
    made[Path("command-line.md")] = _command_line()
    made[Path("python-api.md")] = python_api()
    for page, text in made.items():
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (folder / "pictures.css").write_text(style(), encoding="utf-8")
    (folder / "reports").mkdir()
    (folder / "reports" / "run.html").write_text(report, encoding="utf-8")
    shutil.copytree(root / "docs" / "schemas", folder / "schemas")
    for extra in sorted((root / "docs" / "site").glob("*.*")):
        shutil.copyfile(extra, folder / extra.name)
    if not add_playground(root, folder):
        print("no Pyodide: the playground will not run; npm ci in docs/site/playground brings it")
    return sorted(made)


def _command_line() -> str:
    """The help of all commands, as they print it."""
    parts = ["# Command line\n"]
    for command in cli_main.COMMANDS:
        told = io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.suppress(SystemExit):
            cli_main.main([command, "--help"])
        parts.append(f"## overhead-lint {command}\n\n```text\n{told.getvalue().rstrip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    lay_out(_ROOT, _ROOT / "build" / "site-pages")
