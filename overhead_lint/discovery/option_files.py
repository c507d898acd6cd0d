"""Which files of YAML, JSON and TOML, and which scripts, may hold options of a project, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["option_files"]

_SUFFIXES: Final = (".json", ".sh", ".toml", ".yaml", ".yml")
_TOOLS: Final = (
    *("angular", "appveyor", "azure-pipelines", "book.toml", "bower", "cargo", "citation"),
    *("codecov", "codemeta", "compose", "conda", "docker-compose", "environment", "lerna"),
    *("manifest", "meta.y", "mkdocs", "mypy", "netlify", "package", "pdm", "pixi", "poetry"),
    *("pre-commit", "pyproject", "pyrightconfig", "readthedocs", "renovate", "ruff", "rustfmt"),
    *("special_tokens", "tokenizer", "tsconfig", "tslint", "uv.toml", "vercel", "vocab"),
    *(),
)
"""What the names of files begin with that belong to tools, or are data of tokenizers."""
_DATA: Final = (".index.json", "-lock.json", "-lock.yaml")
_MOST: Final = 500
"""Of a folder with more files of settings than these it is known that they are data."""


def option_files(names: Sequence[str]) -> list[str]:
    """Return those names of files in a folder whose files may hold options of a project."""
    found = [name for name in names if name.endswith(_SUFFIXES) and _is_for_options(name.lower())]
    return found if len(found) <= _MOST else []


def _is_for_options(name: str) -> bool:
    return not (name.startswith((".", *_TOOLS)) or name.endswith(_DATA))
