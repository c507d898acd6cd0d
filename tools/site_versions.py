"""Puts a built site beside those of earlier versions, as the site's menu of versions reads them."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from overhead_lint import __version__
from overhead_lint.support import atomic

__all__ = ["add", "main"]

_VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)(\.dev\d+|(?:a|b|rc)\d+)?\Z")
_LIST: Final = "versions.json"
_LATEST: Final = "latest"
# What follows the page's address stays: links to rules name a heading.
_REDIRECT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>overhead-lint</title>
<link rel="canonical" href="{target}">
<script>location.replace("{target}" + location.search + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={target}"></noscript>
<a href="{target}">This page has moved</a>
</html>
"""


def add(built: Path, published: Path, version: str) -> str:
    """Put a built site into the folder of all versions, and lead ``latest`` to the newest release there.

    Args:
        built: the site of one version.
        published: the folder with a folder for each version; made where it is missing.
        version: of the built site; one that is there already is replaced.

    Returns:
        The version that ``latest`` leads to.

    Raises:
        ValueError: `version` is none, or `built` holds no site.
    """
    if not _VERSION.match(version):
        raise ValueError(f"{version} is not a version such as 0.2.0")
    if not (built / "index.html").is_file():
        raise ValueError(f"{built} holds no site: run make docs")
    published.mkdir(parents=True, exist_ok=True)
    _put(built, published / version)
    found = [one.name for one in published.iterdir() if _VERSION.match(one.name)]
    versions = sorted(found, key=_rank, reverse=True)
    latest = next((one for one in versions if _is_release(one)), versions[0])
    with tempfile.TemporaryDirectory(dir=published) as folder:
        pages = Path(folder, "pages")
        _redirect(published / latest, pages, latest)
        _put(pages, published / _LATEST)
    atomic.write(published / "index.html", _REDIRECT.format(target=f"{_LATEST}/").encode())
    listed = [
        {"version": one, "title": one, "aliases": [_LATEST] if one == latest else []} for one in versions
    ]
    atomic.write(published / _LIST, json.dumps(listed, indent=2).encode())
    return latest


def _is_release(version: str) -> bool:
    found = _VERSION.match(version)
    return found is not None and found[4] is None


def _rank(version: str) -> tuple[int, int, int, bool, str]:
    found = _VERSION.match(version)
    assert found is not None
    return int(found[1]), int(found[2]), int(found[3]), found[4] is None, found[4] or ""


def _put(source: Path, target: Path) -> None:
    """Copy a folder, so that its place holds either what it held or all of the new."""
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        fresh, old = Path(folder, "fresh"), Path(folder, "old")
        shutil.copytree(source, fresh)
        if target.exists():
            target.replace(old)
        fresh.replace(target)


def _redirect(site: Path, pages: Path, version: str) -> None:
    """Write a page for each page of a site that leads to it."""
    for page in site.rglob("*.html"):
        inner = page.relative_to(site)
        up = "../" * len(inner.parts)
        path = inner.parent.as_posix() + "/" if inner.name == "index.html" else inner.as_posix()
        target = pages / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        leads = f"{up}{version}/{path.removeprefix('./')}"
        target.write_text(_REDIRECT.format(target=leads), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Return 0, or 2 where there is nothing to publish."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("published", type=Path, help="folder with all versions of the site")
    parser.add_argument(
        "--built", type=Path, default=Path("build/site"), help="what make docs built (default build/site)"
    )
    parser.add_argument("--version", default=__version__, help=f"its version (default {__version__})")
    options = parser.parse_args(arguments)
    try:
        latest = add(options.built, options.published, options.version)
    except (ValueError, OSError) as error:
        print(f"site_versions: {error}", file=sys.stderr)
        return 2
    print(f"{options.published / options.version}; latest is {latest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
