"""Reads files of a project and finds out what their expressions may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.lowering import lower
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
    records: dict[str, FileIR] = {}
    sources: dict[str, Source] = {}
    packages, failed = [], []
    for path in paths:
        name = dotted_names(path, root)[0] or path.stem
        if name in records:  # two folders hold a module of one name, and nothing tells which is imported
            name = f"{path.absolute().parent.as_posix().replace('/', '.')}.{path.stem}"
        try:
            source = Source.read(path)
            records[name] = _record(source, store)
        except SourceError as error:
            failed.append(error)
            continue
        sources[name] = source
        if module_name(path)[1]:
            packages.append(name)
    if store is not None:
        store.save()
    return ProjectValues(solve(records, packages), sources, failed)


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
