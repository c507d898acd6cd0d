"""Counts of several ranks side by side, as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from overhead_lint.support.plurals import count
from pytest_overhead.quantities import quantity

if TYPE_CHECKING:
    from pytest_overhead.rank_store import Share

__all__ = ["by_metric", "table", "told"]


def by_metric(shares: Sequence[Share]) -> dict[str, list[float | None]]:
    """Each rank's number by metric, None where it has none; metrics of blocks behind their number."""
    found: dict[str, list[float | None]] = {}
    for rank, share in enumerate(shares):
        for part, values in enumerate(share.values):
            for metric, value in sorted(values.items()):
                name = metric if part == 0 else f"{metric} ({part + 1})"
                found.setdefault(name, [None] * len(shares))[rank] = value
    return found


def told(test: str, shares: Sequence[Share]) -> str:
    """Why a test fails on all ranks; "" where all of them kept the budget.

    Args:
        test: node id.
        shares: of all ranks, in their order.
    """
    absent = {rank: s.ended for rank, s in enumerate(shares) if s.ended.startswith(("did not", "cannot"))}
    broken = {rank: s.message.split("\n") for rank, s in enumerate(shares) if s.message}
    if not broken and not absent:
        return ""
    heads = [f"rank {rank}: {lines[0]}" for rank, lines in broken.items()]
    heads += [f"rank {rank} {why}" for rank, why in absent.items()]
    text = ["; ".join(heads), test, *(f"  {line}" for line in _compared(shares))]
    for rank, lines in broken.items():
        text += [f"  on rank {rank}:", *(f"  {line}" for line in lines[2:])]
    return "\n".join(text)


def _compared(shares: Sequence[Share]) -> list[str]:
    return [
        f"{name}: {', '.join(f'rank {r} {_shown(name, v)}' for r, v in enumerate(values))}, "
        f"spread {_shown(name, _spread(values))}"
        for name, values in by_metric(shares).items()
    ]


def table(results: Mapping[str, Sequence[Share]], size: int, most: int | None) -> list[str]:
    """Each rank's numbers and their spread, one line for a test and metric; the largest spread first.

    Args:
        results: what the ranks told, by node id.
        size: number of ranks.
        most: lines to show at most; None for all.
    """
    rows: list[tuple[float, list[str]]] = []
    for test, shares in results.items():
        for name, values in by_metric(shares).items():
            spread = _spread(values)
            numbers = [_shown(name, value) for value in values]
            rows.append((spread or 0, [test, name, *numbers, _shown(name, spread)]))
    rows.sort(key=lambda row: -row[0])
    head = ["test", "metric", *(f"rank {rank}" for rank in range(size)), "spread"]
    shown = [head, *(cells for _, cells in rows[:most])]
    widths = [max(len(row[column]) for row in shown) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    ]
    if most is not None and len(rows) > most:
        lines.append(f"and {count(len(rows) - most, 'more row')} (-v shows all)")
    return lines


def _spread(values: Sequence[float | None]) -> float | None:
    """Largest less smallest; None where a rank has no number."""
    known = [value for value in values if value is not None]
    return max(known) - min(known) if len(known) == len(values) else None


def _shown(name: str, value: Any) -> str:
    return "-" if value is None else quantity(name.partition(" ")[0], value)
