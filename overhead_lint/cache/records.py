"""What a run learns of one file, as plain data that `marshal` takes: its summary, and what the rules saw."""

from __future__ import annotations

import marshal
import zlib
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import plain_gate, read_gate
from overhead_lint.analysis.graph.option import PlainOption, read_options
from overhead_lint.project.cross_file import NO_DEPENDENCIES, Dependencies
from overhead_lint.project.packed_warmths import Packed, packed_warmth, unpacked_warmth
from overhead_lint.rule import (
    ANY_HEAT,
    Applicability,
    Clause,
    Finding,
    Fix,
    Heat,
    HeatFilter,
    ReasonKind,
    RuntimeNeed,
    Span,
    Standing,
    Tier,
)
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from overhead_lint.analysis.file_questions import PlainQuestion
    from overhead_lint.support.blobs import Plain

__all__ = [
    "Asked",
    "Record",
    "RecordParts",
    "code_of",
    "compressed",
    "decompressed",
    "dependencies_of",
    "from_bytes",
    "pack",
    "parts_of",
    "to_bytes",
    "unpack",
]

Asked = dict[str, dict[str | PlainOption, Packed]]
"""For rules, by code, the functions and options on whose heat they decided something, and what they were
told: of functions as `packed_warmth` gives it, of options as an `OptionTold`."""

_KINDS: Final = tuple(ReasonKind)
_HEATS: Final = tuple(Heat)
_APPLICABILITIES: Final = {one.value: one for one in Applicability}
_RUNTIME_NEEDS: Final = tuple(RuntimeNeed)
_CLAUSES: Final = {one.value: one for one in Clause}
_TIERS: Final = {"": None, **{one.value: one for one in Tier}}


class Record(NamedTuple):
    """What a run learned of one file.

    Attributes:
        summary: what the project graph needs but for calls and options, `compressed`; None for a file that
            takes no part in it.
        calls: those of its functions, `compressed`, where there is a summary.
        passing: what it says of options, `compressed`, where there is a summary.
        dependencies: what it seeks of other files, since what the rules saw first depends on that.
        edges: what the project's graph found out of its calls, `compressed`, as
            `overhead_lint.project.graph.resolved.packed` gives it; empty before that.
        found: candidates of findings, packed; None if the rules did not look at the file.
        asked: what rules decided by the heat of functions.
        asked_by_data: for rules, by code, the functions of which they asked whether data sets alone run them,
            with what they were told.
        told_at_look: what they were told of other files, as plain data.
        dependencies_by_rule: for rules, by code, what a
            `overhead_lint.project.cross_file.RuleDependencies` has of what they saw.
        failed: codes of rules that failed in the file while nobody had selected them.
        warmths: heat of the file's functions as the project's graph had it last; None if it never did.
        told: what else that says to the file, as `overhead_lint.project.cross_file.Told` has it.
        imports: what it imports, as `overhead_lint.analysis.ir.queries.imports_of` tells; None where that was
            not looked at.
        loops: what a `overhead_lint.project.cross_file.LoopDependencies` has of the rules' last look at it.
    """

    summary: bytes | None
    calls: bytes
    passing: bytes
    dependencies: Dependencies
    edges: bytes
    found: tuple[Plain, ...] | None
    asked: Asked
    asked_by_data: dict[str, dict[str, bool]]
    told_at_look: Plain
    dependencies_by_rule: dict[str, tuple[tuple[str, ...], int, tuple[PlainQuestion, ...]]]
    failed: tuple[str, ...] = ()
    warmths: dict[str, Packed] | None = None
    told: Plain = ()
    imports: tuple[tuple[int, str, str], ...] | None = None
    loops: tuple[tuple[str, ...], int] = ((), 0)


class RecordParts(NamedTuple):
    """What the graph asks a record for, each part compressed, and the rest; see `Record`."""

    summary: bytes | None
    calls: bytes
    passing: bytes
    dependencies: bytes
    edges: bytes
    rest: bytes

    def texts(self) -> list[bytes]:
        """All that it says of its file to the graph, to look for names in."""
        return [
            zlib.decompress(part)
            for part in (self.summary, self.calls, self.passing, self.dependencies)
            if part
        ]


def compressed(data: Plain) -> bytes:
    """Plain data, such as a part of a summary, in a twentieth of the memory."""
    return zlib.compress(marshal.dumps(data), 1)


def decompressed(data: bytes) -> Plain:
    """What `compressed` was given."""
    plain: Plain = marshal.loads(zlib.decompress(data))
    return plain


def to_bytes(record: Record) -> bytes:
    """A record as bytes: thousands of them, as objects, take several times the memory."""
    summary, calls, passing, dependencies, edges, *rest = record
    sought = compressed(tuple(dependencies)) if dependencies else b""
    return marshal.dumps((summary, calls, passing, sought, edges, compressed(tuple(rest))))


def parts_of(data: bytes) -> RecordParts:
    """The parts of a record that `to_bytes` made bytes."""
    return RecordParts._make(marshal.loads(data))


def from_bytes(data: bytes) -> Record:
    """A record from what `to_bytes` made of it."""
    summary, calls, passing, sought, edges, rest = marshal.loads(data)
    return Record(summary, calls, passing, dependencies_of(sought), edges, *decompressed(rest))


def dependencies_of(sought: bytes) -> Dependencies:
    """Return what a record has of dependencies in `RecordParts`."""
    if not sought:
        return NO_DEPENDENCIES
    return Dependencies(*decompressed(sought))


def pack(findings: Iterable[Finding]) -> tuple[Plain, ...]:
    """Findings as plain data; of a fix only what it says is kept."""
    return tuple(
        (
            *map(tuple, (finding.span, (finding.code, finding.name, finding.message, finding.help))),
            packed_warmth(*finding.warmth),
            _packed_fix(finding.fix),
            _packed_standing(finding.standing),
            finding.alike,
            tuple((at, clause.value) for at, clause in finding.clauses),
            finding.needs_trace,
            finding.tier.value if finding.tier is not None else "",
            finding.rounds,
            finding.branches,
            finding.waits_again,
            finding.stays_at,
            finding.decides,
            _packed_filter(finding.only),
        )
        for finding in findings
    )


def _packed_standing(standing: Standing | None) -> Plain | None:
    if standing is None:
        return None
    function, frequency, why, kind, gate, options, *loop = standing
    return function, frequency, why, int(kind), plain_gate(gate), tuple(map(tuple, options)), *loop


def _unpacked_standing(packed: Plain | None) -> Standing | None:
    if packed is None:
        return None
    function, frequency, why, kind, gate, options, *loop = packed
    values = function, frequency, why, _KINDS[kind], read_gate(gate), read_options(options), *loop
    standing: Standing = tuple.__new__(Standing, values)
    return standing


def _packed_fix(fix: Fix | None) -> Plain | None:
    if fix is None:
        return None
    return fix.applicability.value, fix.message, int(fix.runtime_need), _packed_fix(fix.without_runtime)


def _unpacked_fix(packed: Plain | None) -> Fix | None:
    if packed is None:
        return None
    applicability, message, need, without = packed
    values = (_APPLICABILITIES[applicability], message, (), (), _unpacked_fix(without), _RUNTIME_NEEDS[need])
    fix: Fix = tuple.__new__(Fix, values)
    return fix


def code_of(packed: Plain) -> str:
    """The code of a packed finding."""
    code: str = packed[1][0]
    return code


def _packed_filter(only: HeatFilter) -> Plain:
    if only == ANY_HEAT:
        return ()  # of most
    return tuple(map(int, only.unless)), only.most_links, int(only.least)


def _unpacked_filter(unless: tuple[int, ...], most_links: int, least: int) -> HeatFilter:
    return HeatFilter(tuple([_KINDS[kind] for kind in unless]), most_links, _HEATS[least])


def unpack(packed: Iterable[Plain], path: Path) -> list[Finding]:
    """The findings of a file from what `pack` gave; their fixes have no edits.

    Args:
        packed: the findings.
        path: the file as it was named.
    """
    found = []
    new = tuple.__new__  # a run may have thousands, and the classes' own constructors are no C functions
    for span, named, warmth, fix, standing, alike, clauses, needs_trace, tier, *rest, only in packed:
        values = (
            path,
            new(Span, span),
            *named[:3],
            unpacked_warmth(*warmth),
            named[3],
            _unpacked_fix(fix),
            _unpacked_standing(standing),
            (),
            alike,
            tuple([(at, _CLAUSES[clause]) for at, clause in clauses]) if clauses else (),
            needs_trace,
            _TIERS[tier],
            *rest,
            1.0,
            1.0,
            _unpacked_filter(*only) if only else ANY_HEAT,
        )
        found.append(new(Finding, values))
    return found
