"""Reads files of a project and finds out what their expressions may be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.queries import imports_of
from overhead_lint.analysis.values.project import Values, solve
from overhead_lint.cache.folder import FOLDER
from overhead_lint.cache.record_store import RecordStore
from overhead_lint.discovery.files import dotted_names, module_name
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FileIR

__all__ = ["ProjectValues", "read_values"]


class ProjectValues(NamedTuple):
    """What is known of the values of some files.

    Attributes:
        values: that.
        sources: the files, by the dotted name of the module.
        failed: why others could not be read.
    """

    values: Values
    sources: Mapping[str, Source]
    failed: Sequence[SourceError]


def read_values(paths: Iterable[Path], root: Path | None, *, keeps: bool = False) -> ProjectValues:
    """Read files and find out what their expressions may be.

    Args:
        paths: the files.
        root: the folder from which modules outside of packages are named.
        keeps: whether what they are lowered to is kept in the cache of the project.
    """
    store = RecordStore(root / FOLDER) if keeps and root is not None else None
    read: dict[Path, tuple[Source, FileIR]] = {}
    failed = []
    for path in paths:
        try:
            source = Source.read(path)
            read[path] = source, _record(source, store)
        except SourceError as error:
            failed.append(error)
    if store is not None:
        store.save()
    records: dict[str, FileIR] = {}
    sources: dict[str, Source] = {}
    packages = []
    names = _names({path: record for path, (_, record) in read.items()}, root)
    for path, (source, record) in read.items():
        name = names[path]
        if name in records:  # two folders hold a module of one name, and nothing tells which is imported
            name = f"{path.absolute().parent.as_posix().replace('/', '.')}.{path.stem}"
        records[name], sources[name] = record, source
        if module_name(path)[1]:
            packages.append(name)
    return ProjectValues(solve(records, packages), sources, failed)


def _names(records: Mapping[Path, FileIR], root: Path | None) -> dict[Path, str]:
    """Return the dotted names of the modules of files, as the files import one another.

    Where nobody imports what a folder holds by the names that its packages tell, a folder above or below may
    be the one that these are found from.
    """
    imported: set[str] = set()
    for record in records.values():
        for level, module, name in imports_of(record.functions):
            imported.update(() if level else (module, f"{module}.{name}"))
    usual = {path: dotted_names(path, root)[0] or path.stem for path in records}
    votes: dict[Path, Counter[str]] = defaultdict(Counter)
    for path, name in usual.items():
        folder = path.absolute().parent
        parts = folder.relative_to(root).parts if root is not None and folder.is_relative_to(root) else ()
        votes[path.parent][""] += name in imported
        for first in range(len(parts)):
            around = ".".join(parts[first:])
            if _named_in(around, path) in imported:
                votes[path.parent][around] += 1
    found = {}
    for path, name in usual.items():
        known = votes[path.parent]
        around = "" if known[""] else max(known, key=known.__getitem__)
        found[path] = _named_in(around, path) if around else name
    return found


def _named_in(package: str, path: Path) -> str:
    """Return the dotted name of a file's module in a package."""
    return package if path.stem == "__init__" else f"{package}.{path.stem}"


def _record(source: Source, store: RecordStore | None) -> FileIR:
    """Return what a file is lowered to, as it was kept where it was.

    Raises:
        SourceError: it cannot be parsed.
    """
    if store is None or source.notebook is not None:  # a notebook may be wrong where its text is not
        return lower(parse(source))
    record = store.get(source.text)
    if record is None:
        record = lower(parse(source))
        store.put(source.text, record)
    return record
