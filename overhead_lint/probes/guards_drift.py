"""What changed between two guard snapshots, by frame and user line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from overhead_lint.probes.edited_lines import edited

if TYPE_CHECKING:
    from overhead_lint.probes.guards_snapshot import Family, Frame, Snapshot

__all__ = ["Drift", "drift"]


@dataclass(frozen=True)
class Drift:
    """Differences between two snapshots.

    Attributes:
        lines: what was added (``+``), removed (``-``) and changed (``~``), under frames and user lines. One
            whose text was edited is one change, with what its guards changed by below it.
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
    became = _edited_places(old.families, new.families)
    before = {f._replace(place=became.get(f.place, f.place)): count for f, count in old.families.items()}
    was = {new_place: place for place, new_place in became.items()}
    changed: defaultdict[str, list[str]] = defaultdict(list, {place: [] for place in was})
    for place, line in _of_families(before, new.families):
        changed[place].append(f"    {line}")
    for place, lines in sorted(changed.items()):
        found.append(f"  ~ line {was[place]} -> {_text_of(place)}" if place in was else f"  line {place}")
        found += lines
    if found:
        counts = [sum(frame.families.values()) for frame in (old, new)]
        total = f"{counts[0]} -> {counts[1]}" if counts[0] != counts[1] else f"{counts[0]}"
        yield f"~ frame {name}: {total} guards"
        yield from found


def _edited_places(old: Mapping[Family, int], new: Mapping[Family, int]) -> dict[str, str]:
    """The new place by the old one, of user lines whose text was edited: that is one change, and no two."""
    before, after = _by_place(old), _by_place(new)
    gone, come = before.keys() - after.keys(), after.keys() - before.keys()
    found: dict[str, str] = {}
    for file in {_file_of(place) for place in gone}:
        olds, news = ({_text_of(p): p for p in places if _file_of(p) == file} for places in (gone, come))

        def alike(old: str, new: str, olds: dict[str, str] = olds, news: dict[str, str] = news) -> bool:
            return before[olds[old]] == after[news[new]]

        found.update({olds[old]: news[new] for old, new in edited(olds, news, alike).items()})
    return found


def _by_place(families: Mapping[Family, int]) -> dict[str, dict[tuple[str, ...], int]]:
    """Guards by user line; what no user line is known of is left out."""
    found: dict[str, dict[tuple[str, ...], int]] = {}
    for family, count in families.items():
        if _text_of(family.place):
            found.setdefault(family.place, {})[family[1:]] = count
    return found


def _file_of(place: str) -> str:
    return place.partition(": ")[0]


def _text_of(place: str) -> str:
    return place.partition(": ")[2]


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
