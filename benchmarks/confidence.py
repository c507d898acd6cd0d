"""Fits how likely findings are right to readings of them, and says how well that holds in other packages.

    python benchmarks/confidence.py --collect a b  lints these sets, and keeps what is known of their readings
    python benchmarks/confidence.py                the area under the curve and the calibration, by package
    python benchmarks/confidence.py --write        the same, and writes the weights that ship

What is known of each place that was read stands in evaluation/confidence.jsonl, a line a place. A place that
is not found any more, not even as presumed, is left out: it was mended. The model is a logistic regression
with a penalty on the square of its weights. In the cross-validation all places of a package are in one fold.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from corpus import cache_folder
from corpus_files import EVALUATION, CorpusError
from tabulate import tabulate
from wild import READ, WORTH_IT, lint_set, load, sets

from overhead_lint.engine.confidence import Traits, file_kind, named

if TYPE_CHECKING:
    from corpus_run import Found

DATA = EVALUATION / "confidence.jsonl"
WEIGHTS = Path(__file__).parent.parent / "overhead_lint" / "engine" / "confidence_weights.py"
FOLDS = 10
PENALTY = 6.0
"""On half the square of each weight: 2 to 12 give areas within 0.005 of each other."""
_STEPS = 30
_DIGITS = 3
_HEAT = 2
"""The place of the heat among the traits of a finding."""
_NOT_SHOWN = ("presumed", "request")
"""Heats that are shown on demand."""


class Place(NamedTuple):
    """A place that was read, with what is known of it."""

    set: str
    package: str
    is_right: bool
    traits: Traits


class Model(NamedTuple):
    """A fitted model."""

    bias: float
    weights: dict[str, float]

    def probability(self, traits: Traits) -> float:
        """How likely a finding with these traits is right."""
        return 1 / (1 + math.exp(-self.bias - sum(self.weights.get(name, 0.0) for name in named(traits))))


def collected(name: str, readings: Sequence[dict[str, Any]], findings: Sequence[Found]) -> Iterator[Place]:
    """The places that were read in a set and are found now."""
    found = {
        (one.package, one.path, line, one.code): one for one in findings for line in (*one.also, one.line)
    }
    for one in readings:
        its = found.get((one["package"], one["path"], one["line"], one["rule"]))
        if its is not None and one["verdict"] != "unsure":
            standing = its.reason, its.heat, its.links, its.branches, its.options
            is_right = one["verdict"] in ("right", WORTH_IT)
            yield Place(name, its.package, is_right, (its.code, *standing, file_kind(its.path)))


def read() -> list[Place]:
    """The places that are kept.

    Raises:
        CorpusError: there are none.
    """
    try:
        lines = DATA.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CorpusError(f"{DATA}: {error.strerror}: run with --collect first") from error
    kept = [json.loads(line) for line in lines]
    return [Place(name, package, is_right, tuple(traits)) for name, package, is_right, traits in kept]


def write(places: Sequence[Place]) -> None:
    """Keep places, in an order that does not depend on how they came."""
    DATA.write_text("".join(json.dumps(one) + "\n" for one in sorted(places)), encoding="utf-8")


def fitted(places: Sequence[Place]) -> Model:
    """The model with the weights that fit best, by Newton's method."""
    names = sorted({name for one in places for name in named(one.traits)})
    column = {name: number for number, name in enumerate(names, 1)}
    table = np.zeros((len(places), len(names) + 1))
    table[:, 0] = 1.0
    for row, one in enumerate(places):
        table[row, [column[name] for name in named(one.traits)]] = 1.0
    right = np.array([one.is_right for one in places], dtype=float)
    penalty = np.full(len(names) + 1, PENALTY)
    penalty[0] = 0.0
    weights = np.zeros(len(names) + 1)
    for _ in range(_STEPS):
        share = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (share - right) + penalty * weights
        curve = (table.T * (share * (1 - share))) @ table + np.diag(penalty + 1e-9)
        weights -= np.linalg.solve(curve, slope)
    rounded = [round(float(one), _DIGITS) for one in weights]
    return Model(rounded[0], {name: rounded[number] for name, number in column.items() if rounded[number]})


def validated(places: Sequence[Place], seed: int = 0) -> list[float]:
    """For each place how likely it is right, by a model that was fitted without its package."""
    packages = sorted({one.package for one in places})
    random.Random(seed).shuffle(packages)
    fold = {package: number % FOLDS for number, package in enumerate(packages)}
    models = [fitted([one for one in places if fold[one.package] != number]) for number in range(FOLDS)]
    return [models[fold[one.package]].probability(one.traits) for one in places]


def area(scores: Sequence[float], right: Sequence[bool]) -> float:
    """The area under the curve: how often a right place has the higher score of a right and a wrong one."""
    values = np.array(scores)
    is_right = np.array(right)
    above = values[is_right][:, None] - values[~is_right][None, :]
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


def report(places: Sequence[Place], scores: Sequence[float], form: str) -> str:
    """How well scores tell right places from wrong ones, and whether they are what they say."""
    right = [one.is_right for one in places]
    packages = len({one.package for one in places})
    brier = float(np.mean((np.array(scores) - np.array(right, dtype=float)) ** 2))
    share = sum(right) / len(right)
    lines = [
        f"{len(places)} places in {packages} packages, {sum(right)} right ({share:.2f})",
        f"area under the curve {area(scores, right):.3f}",
        f"Brier score {brier:.3f}, of the share alone {share * (1 - share):.3f}",
    ]
    rows = []
    for low in np.arange(0.0, 1.0, 0.1):
        among = [one for score, one in zip(scores, right, strict=True) if low <= score < low + 0.1]
        if among:
            rows.append([f"{low:.1f} to {low + 0.1:.1f}", len(among), sum(among), sum(among) / len(among)])
    lines.append(
        tabulate(rows, headers=["confidence", "places", "right", "share"], tablefmt=form, floatfmt=".2f")
    )
    return "\n".join(lines)


def as_module(model: Model, places: Sequence[Place]) -> str:
    """The module with the weights that ships."""
    rows = "".join(f'    "{name}": {weight},\n' for name, weight in sorted(model.weights.items()))
    return (
        '"""Weights of `overhead_lint.engine.confidence`, written by benchmarks/confidence.py."""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        '__all__ = ["BIAS", "WEIGHTS"]\n\n'
        f"# Fitted to {len(places)} places in {len({one.package for one in places})} packages.\n"
        f"BIAS: Final = {model.bias}\n"
        f"WEIGHTS: Final[dict[str, float]] = {{\n{rows}}}\n"
    )


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        CorpusError: a package cannot be had or linted, or nothing is kept.
    """
    if arguments.collect:
        kept = [one for one in (read() if DATA.exists() else []) if one.set not in arguments.collect]
        for name in arguments.collect:
            runs = lint_set(name, arguments.dir, "--min-heat", "presumed")
            kept += collected(
                name, load(READ / f"{name}.toml"), [one for run in runs for one in run.findings]
            )
        write(kept)
        return
    places = read()
    scores = validated(places)
    print(report(places, scores, arguments.format))
    shown = [number for number, one in enumerate(places) if one.traits[_HEAT] not in _NOT_SHOWN]
    print("\nof these not presumed:")
    print(
        report([places[number] for number in shown], [scores[number] for number in shown], arguments.format)
    )
    if arguments.write:
        WEIGHTS.write_text(as_module(fitted(places), places), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when places or packages cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument("--format", default="simple", help="form of tables, as tabulate names it")
    parser.add_argument("--collect", choices=sets(), nargs="+", metavar="SET", help="lint these sets again")
    parser.add_argument("--write", action="store_true", help="write the weights that ship")
    try:
        run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"confidence: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
