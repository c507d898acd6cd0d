"""Fits how likely findings are right, and worth a change, to readings; says how well that holds elsewhere.

    python benchmarks/confidence.py --collect a b  lints these sets, and keeps what is known of their readings
    python benchmarks/confidence.py                the area under the curve and the calibration, by package
    python benchmarks/confidence.py --write        the same, and writes the weights that ship

What is known of each place that was read stands in evaluation/confidence.jsonl, a line a place. A place that
is not found any more, not even as presumed, is left out: it was mended. The models are logistic regressions
with a penalty on the square of their weights. In the cross-validation all places of a package are in one
fold. What is worth a change is a model of the right places of the sets whose readings tell it, but for those
that are small for what they cost, or for where they stand: these need no model. How likely a finding is worth
one is how likely it is right times that.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from corpus import cache_folder
from corpus_files import EVALUATION, CorpusError
from tabulate import tabulate
from wild import READ, WORTH_IT, lint_set, lintable, load

from overhead_lint.engine import worth
from overhead_lint.engine.confidence import Traits, file_kind, named
from overhead_lint.report.expected_cost import CLEARLY_WORTH, LEAST_WORTH, bar
from overhead_lint.rule import Tier

if TYPE_CHECKING:
    from corpus_run import Found

    from overhead_lint.engine.worth import WorthTraits

DATA = EVALUATION / "confidence.jsonl"
ENGINE = Path(__file__).parent.parent / "overhead_lint" / "engine"
WEIGHTS = ENGINE / "confidence_weights.py"
WORTH_WEIGHTS = ENGINE / "worth_weights.py"
FOLDS = 10
PENALTY = 6.0
"""On half the square of each weight: 2 to 12 give areas within 0.005 of each other."""
_STEPS = 30
_SETTLED = 1e-9
"""A step of Newton's method that is smaller changes no digit that is kept."""
_DIGITS = 3
_LEAST_WEIGHT = 0.05
"""Of what is worth a change: a smaller one moves no likelihood by more than about a hundredth."""
_LARGE = (Tier.STALL.value, Tier.HOST.value, Tier.MINOR.value)
_HEAT = 2
"""The place of the heat among the traits of a finding."""
_NOT_SHOWN = ("presumed", "request")
"""Heats that are shown on demand."""


class Place(NamedTuple):
    """A place that was read, with what is known of it.

    Attributes:
        worth_traits: what tells whether it is worth a change; None where the readings of its set do not.
        is_worth: whether it is.
        is_large: whether it is more than micro, and no matter of correctness, by what it costs; and not minor
            for where it stands, whatever is likely.
    """

    set: str
    package: str
    is_right: bool
    traits: Traits
    worth_traits: WorthTraits | None = None
    is_worth: bool = False
    is_large: bool = False


class Model(NamedTuple):
    """A fitted model."""

    bias: float
    weights: dict[str, float]

    def probability(self, names: Iterable[str]) -> float:
        """How likely it is what it was fitted to, of a finding with these traits."""
        return 1 / (1 + math.exp(-self.bias - sum(self.weights.get(name, 0.0) for name in names)))


def collected(name: str, readings: Sequence[dict[str, Any]], findings: Sequence[Found]) -> Iterator[Place]:
    """The places that were read in a set and are found now."""
    found = {
        (one.package, one.path, line, one.code): one for one in findings for line in (*one.also, one.line)
    }
    tells_worth = any(one["verdict"] == WORTH_IT for one in readings)
    for one in readings:
        its = found.get((one["package"], one["path"], one["line"], one["rule"]))
        if its is not None and one["verdict"] != "unsure":
            standing = its.reason, its.heat, its.links, its.branches, its.options
            is_right = one["verdict"] in ("right", WORTH_IT)
            traits = its.code, *standing, file_kind(its.path)
            if tells_worth:
                is_worth, is_large = one["verdict"] == WORTH_IT, its.tier in _LARGE and not its.gains_little
                of_worth = its.code, its.waits, its.waits_again, its.links, its.heat, its.reason
                yield Place(name, its.package, is_right, traits, of_worth, is_worth, is_large)
            else:
                yield Place(name, its.package, is_right, traits)


def read() -> list[Place]:
    """The places that are kept.

    Raises:
        CorpusError: there are none.
    """
    try:
        lines = DATA.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CorpusError(f"{DATA}: {error.strerror}: run with --collect first") from error
    return [_place(*json.loads(line)) for line in lines]


def _place(name: str, package: str, is_right: bool, traits: Sequence[Any], *more: Any) -> Place:
    """A place from what is kept of it."""
    of_worth, *is_so = more if more else (None,)
    return Place(name, package, is_right, tuple(traits), of_worth and tuple(of_worth), *is_so)


def write(places: Sequence[Place]) -> None:
    """Keep places, in an order that does not depend on how they came."""
    lines = [json.dumps(one if one.worth_traits else one[:4]) + "\n" for one in places]
    DATA.write_text("".join(sorted(lines)), encoding="utf-8")


def fitted(places: Sequence[Place]) -> Model:
    """The model of what is right."""
    return _fitted([list(named(one.traits)) for one in places], [one.is_right for one in places])


def fitted_worth(places: Sequence[Place]) -> Model:
    """The model of what of the right and large places is worth a change."""
    right = [one for one in places if one.worth_traits and one.is_right and one.is_large]
    known = [list(worth.named(one.worth_traits)) for one in right if one.worth_traits]
    bias, weights = _fitted(known, [one.is_worth for one in right])
    return Model(bias, {name: weight for name, weight in weights.items() if abs(weight) >= _LEAST_WEIGHT})


def judged(places: Iterable[Place]) -> set[str]:
    """The rules of which enough was read: right findings of two packages, or any of three."""
    read: dict[str, set[str]] = {}
    right: dict[str, set[str]] = {}
    for one in places:
        if one.worth_traits:
            read.setdefault(one.worth_traits[0], set()).add(one.package)
            right.setdefault(one.worth_traits[0], set()).update([one.package] if one.is_right else [])
    return {code for code in read if len(right[code]) > 1 or (right[code] and len(read[code]) > 2)}


def _fitted(known: Sequence[Sequence[str]], answers: Sequence[bool]) -> Model:
    """The model with the weights that fit best, by Newton's method.

    Args:
        known: of each place the names of its traits.
        answers: of each place whether it is what the model is about.
    """
    names = sorted({name for one in known for name in one})
    column = {name: number for number, name in enumerate(names, 1)}
    table = np.zeros((len(known), len(names) + 1))
    table[:, 0] = 1.0
    for row, traits in enumerate(known):
        table[row, [column[name] for name in traits]] = 1.0
    right = np.array(answers, dtype=float)
    penalty = np.full(len(names) + 1, PENALTY)
    penalty[0] = 0.0
    weights = np.zeros(len(names) + 1)
    for _ in range(_STEPS):
        share = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (share - right) + penalty * weights
        curve = (table.T * (share * (1 - share))) @ table + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < _SETTLED:
            break
    rounded = [round(float(one), _DIGITS) for one in weights]
    return Model(rounded[0], {name: rounded[number] for name, number in column.items() if rounded[number]})


def validated(places: Sequence[Place], seed: int = 0) -> list[float]:
    """For each place how likely it is right, by a model that was fitted without its package."""
    fold, models = _folds(places, fitted, seed)
    return [models[fold[one.package]].probability(named(one.traits)) for one in places]


def validated_worth(places: Sequence[Place], scores: Sequence[float], seed: int = 0) -> list[float]:
    """For each place whose set tells it, how likely it is worth a change, by models without its package.

    Args:
        places: all.
        scores: for each of them how likely it is right, as `validated` says.
        seed: of the folds.
    """
    fold, models = _folds(places, fitted_worth, seed)
    return [
        score * models[fold[one.package]].probability(worth.named(one.worth_traits))
        for one, score in zip(places, scores, strict=True)
        if one.worth_traits
    ]


def _folds(
    places: Sequence[Place], fit: Callable[[Sequence[Place]], Model], seed: int
) -> tuple[dict[str, int], list[Model]]:
    """The fold of each package, and for each fold a model that was fitted without it."""
    packages = sorted({one.package for one in places})
    random.Random(seed).shuffle(packages)
    fold = {package: number % FOLDS for number, package in enumerate(packages)}
    return fold, [fit([one for one in places if fold[one.package] != number]) for number in range(FOLDS)]


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


def report_worth(places: Sequence[Place], scores: Sequence[float], form: str) -> str:
    """What share of the large places is worth a change where some likelihood is asked for.

    What is listed of a package is clearly worth a change, or of what was read there likeliest to be.

    Args:
        places: those whose sets tell it, of which only those that are shown and large count.
        scores: for each of them how likely it is worth a change.
        form: of the table.
    """
    told = [
        (score, one)
        for score, one in zip(scores, places, strict=True)
        if one.is_large and one.traits[_HEAT] not in _NOT_SHOWN
    ]
    curve = area([score for score, _ in told], [one.is_worth for _, one in told])
    of_package: dict[str, list[float]] = {}
    for score, one in told:
        of_package.setdefault(one.package, []).append(score)
    bars = {package: bar(several) for package, several in of_package.items()}
    rows: list[list[float | str]] = []
    for least in (0.0, LEAST_WORTH, 0.3, CLEARLY_WORTH, "as listed"):
        among = [
            one.is_worth
            for score, one in told
            if score >= (bars[one.package] if isinstance(least, str) else least)
        ]
        if among:
            rows.append([least, len(among), sum(among), sum(among) / len(among)])
    shown = tabulate(rows, headers=["at least", "places", "worth it", "share"], tablefmt=form, floatfmt=".2f")
    return f"{len(told)} places in stall and host, area under the curve {curve:.3f}\n{shown}"


def as_module(model: Model, places: Sequence[Place], name: str = "confidence") -> str:
    """The module with the weights that ships.

    Args:
        model: the fitted model.
        places: what it was fitted to.
        name: of the module that takes them.
    """
    rows = "".join(f'    "{trait}": {weight},\n' for trait, weight in sorted(model.weights.items()))
    codes = " ".join(sorted(judged(places)))
    read = "".join(f'    "{line} "\n' for line in textwrap.wrap(codes, 100))
    is_worth = name == "worth"
    fitted_to = [one for one in places if one.is_right] if is_worth else places
    exported = '"READ", ' if is_worth else ""
    return (
        f'"""Weights of `overhead_lint.engine.{name}`, written by benchmarks/confidence.py."""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        f'__all__ = ["BIAS", {exported}"WEIGHTS"]\n\n'
        f"# Fitted to {len(fitted_to)} places in {len({one.package for one in fitted_to})} packages.\n"
        f"BIAS: Final = {model.bias}\n"
        f"WEIGHTS: Final[dict[str, float]] = {{\n{rows}}}\n"
        + (f"_CODES: Final = (\n{read})\nREAD: Final = frozenset(_CODES.split())\n" if is_worth else "")
        + ('"""Rules of which enough was read."""\n' if is_worth else "")
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
    told = [one for one in places if one.worth_traits]
    print("\nworth a change, of what readings tell it of:")
    print(report_worth(told, validated_worth(places, scores), arguments.format))
    if arguments.write:
        WEIGHTS.write_text(as_module(fitted(places), places), encoding="utf-8")
        WORTH_WEIGHTS.write_text(as_module(fitted_worth(places), told, "worth"), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when places or packages cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument("--format", default="simple", help="form of tables, as tabulate names it")
    parser.add_argument(
        "--collect", choices=lintable(), nargs="+", metavar="SET", help="lint these sets again"
    )
    parser.add_argument("--write", action="store_true", help="write the weights that ship")
    try:
        run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"confidence: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
