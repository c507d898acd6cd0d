"""What changed between two guard snapshots, by frame and user line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.probes.guards_snapshot import Family, Frame, Snapshot

__all__ = ["Drift", "drift"]


@dataclass(frozen=True)
class Drift:
    """Differences between two snapshots.

    Attributes:
        lines: what was added (``+``), removed (``-``) and changed (``~``), under frames and user lines.
        machine: what differs between the machines; no drift by itself.
    """

    lines: tuple[str, ...]
    machine: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether any guard differs."""
        return bool(self.lines)

    def as_text(self) -> str:
        """The differences, one a line."""
        noted = [f"machine {line}" for line in self.machine]
        return "".join(f"{line}\n" for line in (*self.lines, *noted))


def drift(old: Snapshot, new: Snapshot) -> Drift:
    """Compare two snapshots."""
    before, after = ({frame.name: frame for frame in snapshot.frames} for snapshot in (old, new))
    lines: list[str] = []
    if old.torch != new.torch:
        lines.append(f"~ torch: {old.torch} -> {new.torch}")
    for name in sorted(before.keys() | after.keys()):
        lines += _of_frame(name, before.get(name), after.get(name))
    machine = tuple(_fields("", old.machine, new.machine))
    return Drift(tuple(lines), machine)


def _of_frame(name: str, old: Frame | None, new: Frame | None) -> Iterator[str]:
    if old is None or new is None:
        frame, sign = (new, "+") if new is not None else (old, "-")
        count = sum(frame.families.values()) if frame is not None else 0
        yield f"{sign} frame {name}: {count} guards"
        return
    found = [f"  {line}" for line in _fields("~ state ", old.state, new.state)]
    place = None
    for where, line in _of_families(old.families, new.families):
        if where != place:
            place = where
            found.append(f"  line {place}")
        found.append(f"    {line}")
    if found:
        counts = [sum(frame.families.values()) for frame in (old, new)]
        total = f"{counts[0]} -> {counts[1]}" if counts[0] != counts[1] else f"{counts[0]}"
        yield f"~ frame {name}: {total} guards"
        yield from found


def _of_families(old: Mapping[Family, int], new: Mapping[Family, int]) -> Iterator[tuple[str, str]]:
    """Place and line of each difference; the same guard with another check or count is a change."""
    before, after = _by_source(old), _by_source(new)
    for key in sorted(before.keys() | after.keys()):
        place, kind, source = key
        was, now = before[key], after[key]
        if was == now:
            continue
        if was and now:
            yield place, f"~ {kind}  {source}  {_shown(was)} -> {_shown(now)}"
        else:
            yield place, f"{'-' if was else '+'} {kind}  {source}  {_shown(was or now)}"


def _by_source(
    families: Mapping[Family, int],
) -> defaultdict[tuple[str, str, str], dict[str, int]]:
    found: defaultdict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
    for family, count in sorted(families.items()):
        found[family.place, family.kind, family.source][family.check] = count
    return found


def _shown(checks: Mapping[str, int]) -> str:
    return ", ".join(f"{count} x {check}" for check, count in checks.items())


def _fields(start: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            yield f"{start}{key}: {old.get(key, 'none')} -> {new.get(key, 'none')}"
