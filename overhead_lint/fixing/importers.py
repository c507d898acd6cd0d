"""How other files of its project use a module: a fix must leave that to them."""

from __future__ import annotations

import ast
import contextlib
import functools
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from overhead_lint.cache.stamps import changed_ns
from overhead_lint.discovery import files
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.syntax.text_parsing import parse_text
from overhead_lint.tuples import NamedTuple

__all__ = ["Importers"]

# Lines with an import, to their end or that of the parentheses; those of notebooks too.
_IMPORT: Final = re.compile(rb"^[^\n#]*\bimport\b(?:[ \t]*\([^)]*\)|(?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE)
_WORD: Final = re.compile(rb"\w+")
_DOTTED: Final = re.compile(rb"""["'](?:\w+\.)*(\w+\.\w+)\\?["']""")
_KEPT: Final = 1 << 15
# Of a name: a decorator, a call of what its call gives, and a name for that.
_DECORATES: Final = rb"^[ \t]*@[ \t]*(?:\w+\.)*%b\b"
_APPLIES: Final = rb"\b%b\([^()]*\)\("
_KEEPS: Final = rb"^[ \t]*(\w+)[ \t]*=[ \t]*(?:\w+\.)*%b[ \t]*\("
# Another name of the same thing.
_RENAMES: Final = rb"\b%b[ \t]+as[ \t]+(\w+)", rb"^[ \t]*(\w+)[ \t]*=[ \t]*(?:\w+\.)*%b[ \t]*(?:#|\r?$)"


class _Mentions(NamedTuple):
    """What a file may import, as far as its text shows it at once."""

    words: frozenset[bytes]
    """All words of its imports."""
    strings: frozenset[bytes]
    """The last two parts of dotted names in strings: of ``"pkg.model.torch"``, ``model.torch``."""


class Importers:
    """Asks the files of a project what they use of a module.

    Args:
        root: the project's folder; None if nothing says what belongs together: then the files beside a
            module are asked.
    """

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._known: dict[Path, tuple[dict[bytes, list[Path]], set[bytes]]] = {}

    def using(self, module: Path, names: Collection[str], listed: bool) -> set[str]:
        """Those names that other files import from a module, reach through it, or spell in strings.

        Args:
            module: the module's file.
            names: the names.
            listed: whether the module has an ``__all__``, with none of the names in it.
        """
        path = Path(module).absolute()
        by_word, strings = self._all(self._folder(path))
        stem = path.stem.encode(errors="surrogateescape")  # names of files need not be UTF-8
        used = {name for name in names if b"%b.%b" % (stem, name.encode()) in strings}
        for other in by_word.get(stem, ()):
            if other != path and len(used) < len(names):
                used |= _used_by(other, path, names, listed)
        return used

    def decorating(self, module: Path, name: str) -> Path | None:
        """Another file that decorates functions by a name, or by one that a file gives that; or None.

        What a name stands for is not asked: any decorator that is called so counts.

        Args:
            module: the file that defines it.
            name: the name.
        """
        own = Path(module).absolute()
        paths = list(self._files(self._folder(own)))
        known, names = {name.encode()}, [name.encode()]
        while names:
            current = names.pop()
            for path in paths:
                data = _content(path)
                if current not in data:
                    continue
                if path != own and _decorates(data, current):
                    return path
                new = {word for pattern in _RENAMES for word in _found(pattern, current, data)} - known
                known |= new
                names += new
        return None

    def _folder(self, path: Path) -> Path:
        """The folder whose files are asked of a module."""
        inside = self._root is not None and path.is_relative_to(self._root)
        return self._root if inside and self._root is not None else path.parent

    def _all(self, folder: Path) -> tuple[dict[bytes, list[Path]], set[bytes]]:
        """The files below a folder (only in it, where that is no project) by words of their imports."""
        if folder in self._known:
            return self._known[folder]
        by_word: defaultdict[bytes, list[Path]] = defaultdict(list)
        strings: set[bytes] = set()
        for path in self._files(folder):
            try:
                state = path.stat()
                mentions = _mentions(path, changed_ns(state), state.st_size)
            except OSError:
                continue
            strings |= mentions.strings
            for word in mentions.words:
                by_word[word].append(path)
        self._known[folder] = dict(by_word), strings
        return self._known[folder]

    def _files(self, folder: Path) -> Iterator[Path]:
        if folder == self._root:
            yield from (
                found.path.absolute() for found in files.collect([folder]) if isinstance(found, files.Target)
            )
        else:
            yield from (*folder.glob("*.py"), *folder.glob("*.ipynb"))


@functools.lru_cache(_KEPT)
def _mentions(path: Path, changed: int, size: int) -> _Mentions:
    """What a file mentions; it is read again when it was changed.

    Raises:
        OSError: it cannot be read.
    """
    data = _data(path)
    words = (_WORD.findall(statement) for statement in _IMPORT.findall(data))
    return _Mentions(frozenset(word for some in words for word in some), frozenset(_DOTTED.findall(data)))


def _decorates(data: bytes, name: bytes) -> bool:
    """Whether a file decorates functions by a name, or with what a call of it gave."""
    if _found(_DECORATES, name, data) or _found(_APPLIES, name, data):
        return True
    return any(_found(_DECORATES, kept, data) for kept in _found(_KEEPS, name, data))


def _found(pattern: bytes, name: bytes, data: bytes) -> list[bytes]:
    found: list[bytes] = re.findall(pattern % re.escape(name), data, re.MULTILINE)
    return found


def _content(path: Path) -> bytes:
    """What a file holds; nothing if it cannot be read."""
    try:
        return _data(path)
    except OSError:
        return b""


def _data(path: Path) -> bytes:
    """What a file holds; of a notebook its code, whose lines the JSON need not show."""
    if path.suffix == ".ipynb":
        with contextlib.suppress(SourceError):
            return Source.read(path).code
    return path.read_bytes()


def _used_by(other: Path, module: Path, names: Collection[str], listed: bool) -> set[str]:
    """The names of a module that one file uses; all that it mentions if it cannot be read as Python."""
    try:
        source = Source.read(other)
    except SourceError:
        return set(names)
    try:
        tree = parse_text(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {name for name in names if name in source.text}
    used: set[str] = set()
    aliases: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            of_module = _is(module, node.module or "", node.level, other)
            for alias in node.names:
                if of_module and alias.name == "*" and not listed:
                    return {name for name in names if not name.startswith("_")}
                if of_module:
                    used.add(alias.name)
                dotted = f"{node.module}.{alias.name}" if node.module else alias.name
                if _is(module, dotted, node.level, other):
                    aliases.add(alias.asname or alias.name)
        elif isinstance(node, ast.Import):
            aliases.update(
                alias.asname or alias.name.rpartition(".")[2]
                for alias in node.names
                if _is(module, alias.name, 0, other)
            )
    if aliases:
        used.update(_reached(tree, aliases))
    return used.intersection(names)


def _is(module: Path, dotted: str, level: int, importer: Path) -> bool:
    """Whether a dotted name, or the end of a longer one, is that of a module."""
    parts = dotted.split(".") if dotted else []
    own = module.with_suffix("")
    if level:
        folder = importer.parents[level - 1] if level <= len(importer.parents) else importer.parent
        return own == folder.joinpath(*parts)
    return bool(parts) and own.parts[-len(parts) :] == tuple(parts)


def _reached(tree: ast.Module, aliases: Collection[str]) -> Iterator[str]:
    """What a file reaches through a module: ``model.torch``, ``setattr(model, "torch", ...)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _last(node.value) in aliases:
            yield node.attr
        elif isinstance(node, ast.Call) and any(_last(argument) in aliases for argument in node.args):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
