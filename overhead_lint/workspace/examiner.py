"""Looks into files: reads them, lets the rules see them, and sums them up for the project graph."""

from __future__ import annotations

import gc
import marshal
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from overhead_lint.cache.entry import Entry
from overhead_lint.cache.records import Asked, Record, code_of, compressed, pack, unpack
from overhead_lint.cache.stamps import changed_ns, content_hash, trusted
from overhead_lint.discovery import files
from overhead_lint.engine.unused_suppressions import UNUSED
from overhead_lint.project.cross_file import (
    NO_DEPENDENCIES,
    NOTHING_TOLD,
    Dependencies,
    Told,
    dependents,
    is_run_by_data,
    paths_told_otherwise,
)
from overhead_lint.project.marked_names import mark
from overhead_lint.project.packed_warmths import Packed, unpacked_warmth
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.tuples import NamedTuple
from overhead_lint.workspace.share import Share
from overhead_lint.workspace.solving_groups import names_compile

if TYPE_CHECKING:
    from overhead_lint.analysis.file_questions import PlainQuestion
    from overhead_lint.analysis.ir.queries import ImportIR
    from overhead_lint.discovery.project_file import File
    from overhead_lint.engine.linter import Linter
    from overhead_lint.project.facts import FileFacts
    from overhead_lint.rule import Finding, Warmth
    from overhead_lint.support.blobs import Plain

__all__ = ["Examined", "Examiner", "facts_in_project"]

# Starting processes costs more than looking into fewer files than this.
_WORTH_PROCESSES: Final = 48
_BATCH: Final = 8
# What fewer files leave behind is not worth looking for.
_MANY: Final = 400


class _Looked(NamedTuple):
    """What rules saw in a file, as `Record` has it."""

    found: tuple[Plain, ...] | None
    asked: Asked
    asked_by_data: dict[str, dict[str, bool]]
    dependencies: Dependencies
    dependencies_by_rule: dict[str, tuple[tuple[str, ...], int, tuple[PlainQuestion, ...]]]
    failed: tuple[str, ...]
    loops: tuple[tuple[str, ...], int]


class _Summed(NamedTuple):
    """What other files need of one, as `Record` and `Entry` have it."""

    summary: Plain | None
    calls: Plain
    passing: Plain
    imports: tuple[ImportIR, ...] | None
    tells: tuple[PlainQuestion, ...]


_UNSEEN: Final = _Looked(None, {}, {}, NO_DEPENDENCIES, {}, (), ((), 0))


class Examined(NamedTuple):
    """What looking into a file gave: an entry and a record of the cache, or why it cannot be checked."""

    entry: Entry | None
    record: Record | None
    error: SourceError | None


class Examiner:
    """Looks into files with the rules of a run.

    Args:
        linter_of: gives the linter with the rules that count in a file.
    """

    def __init__(self, linter_of: Callable[[files.Target], Linter]) -> None:
        self._linter_of = linter_of
        self._linters: set[Linter] = set()
        self._are_many = False

    def all(
        self, unknown: Sequence[File], root: Path | None, jobs: int = 1
    ) -> Iterator[tuple[str, Examined]]:
        """What looking into files gives, by their names.

        Args:
            unknown: the files.
            root: the project's folder.
            jobs: how many processes may share the work.
        """
        self._are_many = len(unknown) >= _MANY
        share = Share(jobs, least=_WORTH_PROCESSES, batch=_BATCH)  # forked processes have the rules already
        yield from share.results(partial(self._one, root=root), unknown)

    def forget(self) -> None:
        """Let go of what was remembered to look into many files faster: the graph takes its place."""
        for linter in self._linters:
            linter.forget()
        self._linters.clear()
        if self._are_many:
            from overhead_lint.analysis import remembered

            remembered.forget()
            files.forget_neighbours()
            # Python looks for what refers to itself too seldom for what the last thousands of files left.
            gc.collect()
            self._are_many = False

    def _one(self, file: File, root: Path | None) -> tuple[str, Examined]:
        try:
            return file.name, self._examined(file, root)
        except SourceError as error:
            return file.name, Examined(None, None, error)

    def _examined(self, file: File, root: Path | None) -> Examined:
        stat = _stat(file.target.path)
        examined = self.of(Source.read(file.target.path), file, root)
        entry = examined.entry
        if entry is not None and entry.size == stat.st_size:
            entry = entry._replace(changed_ns=trusted(changed_ns(stat)))
        return examined._replace(entry=entry)

    def of(self, source: Source, file: File, root: Path | None) -> Examined:
        """What looking into a text gives; its entry has no time of change.

        Raises:
            SourceError: it cannot be checked.
        """
        cold = file.target.cold
        facts = _Facts(partial(facts_in_project, source, file, root))
        try:
            looked = self._looked(source, facts, file) if file.checked else _UNSEEN
            summary, calls, passing, imports, tells = self._summary(facts, file.target, source.data)
        finally:
            facts.release()
        in_graph = b""
        if summary is not None:
            # Version 2 does not depend on which strings happen to be one object.
            said = marshal.dumps((summary, calls, passing, tuple(looked.dependencies)), 2)
            in_graph = content_hash(said)
        entry = Entry(
            changed_ns=0,
            size=len(source.data),
            digest=content_hash(source.data),
            cold=cold,
            in_graph=in_graph,
            looked=file.checked + (file.checked and facts.gathered),
            seen=bool(looked.found or looked.failed),
            final=None,
            elsewhere=tuple(sorted(set().union(*(one for *_, one in looked.dependencies_by_rule.values())))),
            tells=tells,
            names_compile=names_compile(source.data),
        )
        record = Record(
            summary=compressed(summary) if summary is not None else None,
            calls=compressed(calls),
            passing=compressed(passing),
            dependencies=looked.dependencies,
            edges=b"",
            found=looked.found,
            asked=looked.asked,
            asked_by_data=looked.asked_by_data,
            told_at_look=(),
            dependencies_by_rule=looked.dependencies_by_rule,
            failed=looked.failed,
            imports=imports,
            loops=looked.loops,
        )
        return Examined(entry, record, None)

    def _looked(
        self,
        source: Source,
        facts: Callable[[], FileFacts],
        file: File,
        codes: Collection[str] | None = None,
        *,
        told: Told = NOTHING_TOLD,
        again: bool = False,
    ) -> _Looked:
        linter = self._linter_of(file.target)
        self._linters.add(linter)
        look = linter.look(source, facts, cold=file.target.cold, codes=codes, told=told, again=again)
        return _Looked(
            pack(look.findings),
            look.asked,
            look.asked_by_data,
            look.dependencies,
            {
                code: (one.paths, one.settings, one.elsewhere)
                for code, one in look.dependencies_by_rule.items()
            },
            look.failed,
            (look.loops.paths, look.loops.judged),
        )

    @staticmethod
    def _summary(facts: _Facts, target: files.Target, text: bytes) -> _Summed:
        """What other files need of a file."""
        from overhead_lint.analysis.ir.queries import imports_of
        from overhead_lint.project.file_summary import written, written_calls, written_passing
        from overhead_lint.workspace.telling import told_by, told_by_words

        not_summed = _Summed(None, (), (), None, told_by_words(text))
        if target.cold:
            if target.named:
                facts()  # whoever names a file wants to know that it is no Python, tests too
            return not_summed
        try:
            known = facts()
            summary = known.summary
            imports = tuple(dict.fromkeys(imports_of(known.flow.record.functions)))
            tells = told_by(text, known.kinds.values, known.module)
            return _Summed(written(summary), written_calls(summary), written_passing(summary), imports, tells)
        except SourceError:
            if target.named:
                raise
            # No rule has anything to say about it, so nobody asked whether it is Python.
            return not_summed
        except RecursionError:
            return not_summed

    def again(self, file: File, root: Path | None, record: Record, warmths: Mapping[str, Packed]) -> Record:
        """A record brought up to date by the rules that were told something else than the project says.

        Raises:
            SourceError: the file cannot be checked any more.
        """
        told = Told(*record.told)
        all_look, codes, affected, asks_loops = _told_otherwise(record, warmths, told)
        if not (codes or affected or all_look or asks_loops):
            return record
        paths, judged = record.loops
        source = Source.read(file.target.path)
        facts = _Facts(partial(facts_in_project, source, file, root, _warmths(warmths), told))
        at_look = tuple(told.to_rules())
        try:
            now = _judged(facts) if asks_loops else judged
            record = record._replace(loops=(paths, now), told_at_look=at_look)
            linter = self._linter_of(file.target)
            if now != judged or (affected and linter.audits(source, cold=file.target.cold)):
                all_look = True
            codes |= affected
            if not (codes or all_look):
                return record
            looked = self._looked(source, facts, file, None if all_look else codes, told=told, again=True)
        finally:
            facts.release()
        # The dependencies stay as they were: what is told next must not depend on what was told before.
        found, asked, asked_by_data, *_ = looked
        if not (all_look or UNUSED in codes):
            found = (*(one for one in record.found or () if code_of(one) not in codes), *(found or ()))
            asked = _others(record.asked, codes) | asked
            asked_by_data = _others(record.asked_by_data, codes) | asked_by_data
        return record._replace(found=found, asked=asked, asked_by_data=asked_by_data)

    @staticmethod
    def looks_again(record: Record, warmths: Mapping[str, Packed]) -> bool:
        """Whether rules were told something else than the project says, so that `again` looks again."""
        return any(_told_otherwise(record, warmths, Told(*record.told)))

    def must_look(self, file: File, record: Record) -> bool:
        """Whether a rule that failed in a file has been selected since."""
        return bool(record.failed) and self._linter_of(file.target).selects(record.failed)

    def settled(self, file: File, record: Record) -> list[Finding]:
        """The findings of a file that are hot enough; their fixes have no edits."""
        warmths = _warmths(record.warmths or {})
        found = unpack(record.found or (), file.target.path)
        settling = self._linter_of(file.target).settling
        return settling.settled(found, warmths, Told(*record.told), mark(file.name))


def _told_otherwise(
    record: Record, warmths: Mapping[str, Packed], told: Told
) -> tuple[bool, set[str], set[str], bool]:
    """Return who was told something else than the project says.

    Whether all rules were; those that were by the heat of functions, and by what other files define; and
    whether loops may be judged otherwise.
    """
    before = Told(*record.told_at_look)
    by_rule, found_by = record.dependencies_by_rule.items(), record.dependencies.found_by
    return (
        (told.compiled, told.aliases) != (before.compiled, before.aliases),
        _affected_by_heat(record, warmths, told),
        dependents(by_rule, before, told, found_by),
        not paths_told_otherwise(before, told).isdisjoint(record.loops[0]),
    )


def _judged(facts: _Facts) -> int:
    """Return what tells whether loops of a file are judged otherwise; of one too deep to judge, -1."""
    try:
        return facts().loops.judged
    except RecursionError:
        return -1  # the rules say so


def _warmths(kept: Mapping[str, Packed]) -> dict[str, Warmth]:
    """The heat of functions, by name in paths, from what records keep of it."""
    return {name: unpacked_warmth(*packed) for name, packed in kept.items()}


def _affected_by_heat(record: Record, warmths: Mapping[str, Packed], told: Told) -> set[str]:
    """The rules that asked about the heat of functions, and were told something else than is so."""
    options: dict[str | Packed, Packed] = {option: tuple(rest) for option, *rest in told.options}
    known = options | dict(warmths.items())
    by_data = {
        code
        for code, asked in record.asked_by_data.items()
        if any(_is_run_by_data(name, warmths) != answer for name, answer in asked.items())
    }
    return by_data.union(
        code
        for code, asked in record.asked.items()
        if any(known.get(one) != answer for one, answer in asked.items())
    )


def _is_run_by_data(function: str, warmths: Mapping[str, Packed]) -> bool:
    known = warmths.get(function)
    return is_run_by_data(unpacked_warmth(*known) if known is not None else None)


_T = TypeVar("_T")


def _others(asked: Mapping[str, _T], codes: Collection[str]) -> dict[str, _T]:
    """Return what other rules asked than some, by their codes."""
    return {code: told for code, told in asked.items() if code not in codes}


class _Facts:
    """What is known about a file, gathered when it is first asked for.

    Attributes:
        gathered: whether it was, so that the file is known to be Python.
    """

    def __init__(self, gather: Callable[[], FileFacts]) -> None:
        self._gather = gather
        self._facts: FileFacts | None = None
        self.gathered = False

    def __call__(self) -> FileFacts:
        if self._facts is None:
            self._facts = self._gather()
            self.gathered = True
        return self._facts

    def release(self) -> None:
        """Let go of it."""
        if self._facts is not None:
            self._facts.release()


def facts_in_project(
    source: Source,
    file: File,
    root: Path | None,
    warmths: Mapping[str, Warmth] | None = None,
    told: Told = NOTHING_TOLD,
) -> FileFacts:
    """What is known about a file of a project; in reasons its name is marked.

    Args:
        source: its text.
        file: the file.
        root: the project's folder.
        warmths: heat of its functions as the project has it; without it the file stands alone.
        told: what else the project tells it.

    Raises:
        SourceError: it does not parse.
    """
    from overhead_lint.project.facts import FileFacts
    from overhead_lint.syntax.parsing import parse

    target = file.target
    return FileFacts(
        parse(source),
        mark(file.name),
        module=files.dotted_names(target.path, root)[0],
        is_package=target.path.name == "__init__.py",
        cold=target.cold,
        warmths=warmths,
        told=told,
        neighbours=files.neighbours(target.path, root),
        is_importable=files.is_importable(target.path, root),
    )


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise SourceError(path, 0, 0, f"cannot be read: {error.strerror or error}") from error
