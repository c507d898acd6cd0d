"""A file of findings that are known and let through, so that only new ones fail.

JSON lines: a header, then an object for each kind of finding, sorted. Lines of source play no
part, so that a file stays right when code moves, and two branches that both change it merge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.errors import Complaint
from overhead_lint.support import atomic
from overhead_lint.support.existence import is_gone, why_endless
from overhead_lint.support.relative_paths import relative_to
from overhead_lint.syntax.identity import Identity, identities
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

__all__ = ["Baseline", "BaselineError", "Entry", "Scope"]

_SCHEMA: Final = 1
_TEXTS: Final = ("path", "code", "function", "text")


class BaselineError(Complaint):
    """A baseline that cannot be read or written; the message is one line and names it."""


class Entry(NamedTuple):
    """Findings that are equal but for their place in a function; see `report.identity`."""

    path: str
    code: str
    function: str
    text: str

    def __str__(self) -> str:
        """The entry in a few words."""
        where = f" in {self.function}" if self.function else ""
        return f"{self.path}: {self.code}{where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run looked at; a baseline says nothing about the rest.

    Attributes:
        files: the files that were checked, as they were named.
        codes: the rules that ran.
    """

    files: Sequence[Path]
    codes: frozenset[str]


class Baseline:
    """A baseline file and what it holds.

    Args:
        path: the file.
        counts: how many findings of each kind are known.
    """

    def __init__(self, path: Path, counts: Mapping[Entry, int]) -> None:
        self.path = path
        self._counts = dict(counts)

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a file.

        Raises:
            BaselineError: it cannot be read, is damaged, or is of a later version.
        """
        if why := why_endless(path):
            raise BaselineError(f"{path}: cannot be read: {why}")
        try:
            text = path.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise BaselineError(f"{path}: cannot be read: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise BaselineError(f"{path}: is no baseline: not UTF-8") from error
        counts: dict[Entry, int] = {}
        objects = [
            (number, _object(path, number, line))
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip()
        ]
        if not objects or "overhead_baseline" not in objects[0][1]:
            raise BaselineError(f"{path}: is no baseline: it does not begin with a baseline's header")
        for number, found in objects:
            if "overhead_baseline" in found:  # a merge of two files may leave two headers
                _check_schema(path, number, found["overhead_baseline"])
            else:
                entry, count = _entry(path, number, found)
                counts[entry] = max(counts.get(entry, 0), count)
        return cls(path, counts)

    def new(self, findings: Sequence[Finding], sources: Mapping[Path, Source]) -> list[Finding]:
        """The findings that are not in the file; of more than are known, the last ones."""
        return [
            finding
            for finding, identity in zip(findings, self._named(findings, sources), strict=True)
            if identity.number >= self._counts.get(Entry(*identity[:4]), 0)
        ]

    def gone(
        self, findings: Sequence[Finding], sources: Mapping[Path, Source], scopes: Sequence[Scope]
    ) -> list[tuple[Entry, int]]:
        """What the file knows and the run did not find any more, and how many of each, sorted.

        Args:
            findings: all findings of the run, known ones included.
            sources: the files that have findings.
            scopes: what was looked at, by which rules. A file that is not there any more counts as looked at.
        """
        found, covered = self._count(findings, sources), self._covers(scopes)
        return [
            (entry, count - found[entry])
            for entry, count in sorted(self._counts.items())
            if count > found[entry] and covered(entry)
        ]

    def updated(
        self, findings: Sequence[Finding], sources: Mapping[Path, Source], scopes: Sequence[Scope]
    ) -> Baseline:
        """A baseline that knows these findings, and keeps what the run did not look at."""
        covered = self._covers(scopes)
        kept = {entry: count for entry, count in self._counts.items() if not covered(entry)}
        return Baseline(self.path, {**kept, **self._count(findings, sources)})

    def write(self) -> None:
        """Write the file, in one step.

        Raises:
            BaselineError: it cannot be written.
        """
        import json  # costs start-up

        lines = [json.dumps({"overhead_baseline": _SCHEMA})]
        for entry, count in sorted(self._counts.items()):
            many = {"count": count} if count > 1 else {}
            lines.append(json.dumps({**entry._asdict(), **many}, ensure_ascii=False))
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", errors="backslashreplace")
        try:
            atomic.write(self.path, data)
        except OSError as error:
            raise BaselineError(f"{self.path}: cannot be written: {error.strerror or error}") from error

    def __len__(self) -> int:
        """How many findings are known."""
        return sum(self._counts.values())

    def _named(self, findings: Sequence[Finding], sources: Mapping[Path, Source]) -> Iterable[Identity]:
        return identities(findings, sources, self.path.absolute().parent)

    def _count(self, findings: Sequence[Finding], sources: Mapping[Path, Source]) -> Counter[Entry]:
        return Counter(Entry(*identity[:4]) for identity in self._named(findings, sources))

    def _covers(self, scopes: Sequence[Scope]) -> Callable[[Entry], bool]:
        folder = self.path.absolute().parent
        looked_at = [({relative_to(path, folder) for path in scope.files}, scope.codes) for scope in scopes]

        def covers(entry: Entry) -> bool:
            ran = [paths for paths, codes in looked_at if entry.code in codes]
            return any(entry.path in paths for paths in ran) or (bool(ran) and is_gone(folder / entry.path))

        return covers


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    import json  # costs start-up

    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        hint = "; resolve the merge first" if line.startswith(("<<<<", "====", ">>>>", "||||")) else ""
        raise BaselineError(f"{path}:{number}: is damaged: this line is no JSON{hint}") from error
    if not isinstance(found, dict):
        raise BaselineError(f"{path}:{number}: is damaged: this line is no JSON object")
    return found


def _check_schema(path: Path, number: int, schema: object) -> None:
    if type(schema) is not int or schema < 1:
        raise BaselineError(f"{path}:{number}: is damaged: {schema!r} is no version")
    if schema > _SCHEMA:
        why = f"was written by a newer overhead-lint (version {schema} of the file); update overhead-lint"
        raise BaselineError(f"{path}: {why}")


def _entry(path: Path, number: int, found: dict[str, Any]) -> tuple[Entry, int]:
    count = found.get("count", 1)
    texts = [found.get(name) for name in _TEXTS]
    for name, text in zip(_TEXTS, texts, strict=True):
        if not isinstance(text, str):
            raise BaselineError(f"{path}:{number}: is damaged: it has no {name!r}")
    if type(count) is not int or count < 1:
        raise BaselineError(f"{path}:{number}: is damaged: {count!r} is no count")
    return Entry(*map(str, texts)), count
