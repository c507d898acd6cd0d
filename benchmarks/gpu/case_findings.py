"""What the linter says of a tree, place by place, and which places another tree no longer has."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

__all__ = ["LinterError", "Place", "findings", "mended"]


class LinterError(Exception):
    """The linter ends with an error; the message says where and how."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place that a finding tells of.

    Attributes:
        path: its file, relative to the tree.
        line: in that file.
        text: the source line, by which it is known again when lines move.
        code: the rule.
        tier: what kind of cost the linter takes it for.
        executions: a step, as the linter expects; 0.0 where that does not matter.
    """

    path: str
    line: int
    text: str
    code: str
    tier: str
    executions: float


def findings(tree: Path) -> list[Place]:
    """Return all places in a tree, by file and line.

    Raises:
        LinterError: the linter failed.
    """
    options = ["--isolated", "--no-cache", "-j", "1", "--output-format", "json", "--exit-zero"]
    command = [sys.executable, "-m", "overhead_lint", ".", *options]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LinterError(f"{tree}: the linter ends with {done.returncode}: {done.stderr.strip()[-500:]}")
    places = [place for found in json.loads(done.stdout) for place in _places(found, tree)]
    return sorted(places, key=lambda place: (place.path, place.line, place.code))


def _places(found: dict[str, Any], tree: Path) -> Iterator[Place]:
    path, lines = found["path"], [found["line"], *found["also"]]
    executions = ((found["cost"] or {}).get("executions_per_step") or 0.0) / len(lines)
    source = (tree / path).read_text(encoding="utf-8").splitlines()
    for line in lines:
        yield Place(path, line, source[line - 1].strip(), found["code"], found["tier"], executions)


def mended(before: Sequence[Place], after: Sequence[Place]) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return what `before` has and `after` has not, and the reverse.

    A place whose line was changed for another reason is still the same: what is gone and what is new of a
    rule in a file are taken for each other.
    """
    gone, new = _without(before, after, _by_line), _without(after, before, _by_line)
    return _without(gone, new, _by_file), _without(new, gone, _by_file)


def _by_line(place: Place) -> tuple[str, ...]:
    return place.path, place.code, place.text


def _by_file(place: Place) -> tuple[str, ...]:
    return place.path, place.code


def _without(
    some: Sequence[Place], others: Sequence[Place], key: Callable[[Place], tuple[str, ...]]
) -> tuple[Place, ...]:
    left = Counter(map(key, others))
    rest = []
    for place in some:
        if left[key(place)]:
            left[key(place)] -= 1
        else:
            rest.append(place)
    return tuple(rest)
