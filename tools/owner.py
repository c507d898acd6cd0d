"""Writes what only the owner of the repository can name to wherever it is shown: ``python tools/owner.py``.

`pyproject.toml` has it: ``authors``, and ``[project.urls]`` with ``Repository`` and ``Documentation``. As
long as these are not there, pages show what works from a clone. docs/releasing.md has the steps.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PLACES", "Place", "UnusableNames", "main", "named", "version"]

_ROOT = Path(__file__).parent.parent
_URLS: Final = {
    "Repository": (r"https://github\.com/[\w-]+/[\w.-]*\w", "https://github.com/ada/overhead-lint"),
    "Documentation": (r"https://[\w./-]*\w", "https://ada.github.io/overhead-lint"),
}
"""The form of each address, and one that has it."""
_FORMS: Final = {
    "repository": _URLS["Repository"][0],
    "slug": r"[\w-]+/[\w.-]*\w",
    "version": r"\d[\w.]*\w",
    "authors": r"authors = \[.+\]",
    "urls": r"\[project\.urls\]\n(?:[^\n\[]+\n)+",
}
"""What may stand where a place has the word, by a pattern."""
_WORD: Final = re.compile("<(" + "|".join(_FORMS) + ")>")


class UnusableNames(ValueError):
    """The names are incomplete, or of another form than is needed; the message is one line."""


class Place(NamedTuple):
    """What a file shows before there are names, and from then on, with words such as ``<version>``."""

    file: str
    before: str
    after: str

    def told(self, names: Mapping[str, str] | None) -> str:
        """What it should show."""
        return self.before if names is None else _WORD.sub(lambda found: names[found[1]], self.after)

    def written(self, text: str, names: Mapping[str, str]) -> str | None:
        """Return the text of the file with these names, in the place of others or of none.

        None where the file shows something else here.
        """
        parts = _WORD.split(self.after)
        form = "".join(_FORMS[part] if number % 2 else re.escape(part) for number, part in enumerate(parts))
        told = self.told(names)
        changed, count = re.subn(form, lambda _: told, text)
        if count:
            return changed
        return text.replace(self.before, told) if self.before in text else None


_HOOK: Final = "\n{0}- repo: ../overhead-lint       # a clone: there is no release yet\n{0}  rev: main\n"
_RELEASED_HOOK: Final = "\n{0}- repo: <repository>\n{0}  rev: v<version>\n"
PLACES: Final = (
    Place(
        "README.md",
        "## Install\n\nThe project is not on a package index yet. From a clone:\n\n```\n"
        "pip install .              # the linter, without torch\n"
        'pip install ".[pytest]"    # and the pytest plugin\n```\n',
        "## Install\n\n```\n"
        "pip install overhead-lint             # the linter, without torch\n"
        'pip install "overhead-lint[pytest]"   # and the pytest plugin\n```\n',
    ),
    Place("README.md", _HOOK.format(""), _RELEASED_HOOK.format("")),
    Place("docs/ci.md", _HOOK.format("  "), _RELEASED_HOOK.format("  ")),
    Place(
        "docs/ci.md",
        "the program's may not.\n\n"
        "overhead-lint is not on a package index yet. Where this page says `pip install overhead-lint`, "
        "install from your copy:\n`pip install git+https://github.com/OWNER/overhead-lint`. Replace `OWNER` "
        "with the owner of that copy.\n\n## GitHub\n",
        "the program's may not.\n\n## GitHub\n",
    ),
    Place("docs/ci.md", "- uses: OWNER/overhead-lint@main\n", "- uses: <slug>@v<version>\n"),
    Place(
        "docs/ci.md",
        "docker build -t overhead-lint https://github.com/OWNER/overhead-lint.git\n",
        "docker build -t overhead-lint <repository>.git#v<version>\n",
    ),
    Place(
        "docs/get-started.md",
        '$ pip install ".[pytest]"     # in a clone; without [pytest] only the linter',
        '$ pip install "overhead-lint[pytest]"     # without [pytest] only the linter',
    ),
    *(
        Place(f"{folder}/pyproject.toml", before, after)
        for folder in ("overhead_runtime", "overhead_native")
        for before, after in (
            ('license-files = ["LICENSE"]\n', 'license-files = ["LICENSE"]\n<authors>\n'),
            ("\n[tool.setuptools]\n", "\n<urls>\n[tool.setuptools]\n"),
        )
    ),
    Place(
        "mkdocs.yml",
        "  version: {provider: mike, default: latest}\n",
        "  version: {provider: mike, default: latest}\n"
        "  social: [{icon: fontawesome/brands/github, name: Repository, link: <repository>}]\n",
    ),
    Place(
        "editors/vscode/package.json",
        '  "license": "Apache-2.0",\n',
        '  "license": "Apache-2.0",\n'
        '  "repository": { "type": "git", "url": "<repository>.git", "directory": "editors/vscode" },\n',
    ),
)


def named(root: Path) -> dict[str, str] | None:
    """Return the names of a checkout by the words of places; None where its metadata names nothing.

    Raises:
        UnusableNames: a part is missing or has another form.
    """
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    found = {
        word: match[0]
        for word in ("authors", "urls")
        if (match := re.search(f"^{_FORMS[word]}", text, re.MULTILINE))
    }
    if not found:
        return None
    addresses = dict(re.findall(r'^(\w+) = "(.*)"$', found.get("urls", ""), re.MULTILINE))
    for key, (form, one) in _URLS.items():
        if not re.fullmatch(form, addresses.get(key, "")):
            raise UnusableNames(f'[project.urls] of pyproject.toml needs {key} = "{one}"')
    if "authors" not in found:
        raise UnusableNames('[project] of pyproject.toml needs authors = [{ name = "Ada" }], in one line')
    repository = addresses["Repository"]
    slug = repository.removeprefix("https://github.com/")
    return {**found, "repository": repository, "slug": slug, "version": version(root)}


def version(root: Path) -> str:
    """Return the version of a checkout."""
    text = (root / "overhead_lint" / "_version.py").read_text(encoding="utf-8")
    (found,) = re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    return str(found)


def main(arguments: list[str] | None = None, root: Path = _ROOT) -> int:
    """Write the names, or see whether they are written.

    Returns:
        0; 1 where a place shows something else, or with ``--check`` none of these names; 2 where there are
        none, or such as cannot be used.
    """
    parser = argparse.ArgumentParser(prog="owner", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing: fail where something would be")
    options = parser.parse_args(arguments)
    try:
        names = named(root)
        if names is None:
            raise UnusableNames("pyproject.toml has neither authors nor [project.urls]")
    except UnusableNames as error:
        print(f"owner: {error}; docs/releasing.md has the steps", file=sys.stderr)
        return 2
    for place in PLACES:
        file = root / place.file
        text = file.read_text(encoding="utf-8")
        written = place.written(text, names)
        if written is None or (options.check and written != text):
            print(f"owner: {place.file} does not show {place.told(names).strip()!r}", file=sys.stderr)
            return 1
        if written != text:
            file.write_text(written, encoding="utf-8")
            print(place.file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
