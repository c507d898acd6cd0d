"""What a call costs before it reaches compiled code: `runtime.compile` beside stock and what skips guards.

    python benchmarks/dispatch.py                        all models and the script, ten minutes
    python benchmarks/dispatch.py --only chain decoder   those of that name
    python benchmarks/dispatch.py --only 'chain 100'
    python benchmarks/dispatch.py --with python3.12 python3.13 --only chain
                                                         one table of the ratios of several interpreters

All variants of a model are called in turn, in short blocks of one process; a figure is the fastest block,
in microseconds a call, with the ratio to `torch.compile`. Another process on the machine moves the
figures, hardly the ratios. "caught" counts changes of something that the model reads which the next call
saw: what is not sound may be fast. A ratio below what docs/compile.md promises is marked, and the exit
status is 1.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch
from dispatch_matrix import compare
from dispatch_models import MODELS, Model
from dispatch_script import CHANGES, run_script
from dispatch_variants import STOCK, Timed, has_depyf, time_model
from dispatch_variants import variants as all_variants
from tabulate import tabulate

from overhead_lint import native


def rows_of(model: Model, timed: dict[str, Timed]) -> tuple[list[list[str]], list[str]]:
    """The table's rows, and the promises that were not kept.

    Args:
        model: What was timed.
        timed: The result of each variant, by name.
    """
    stock, rows, missed = timed[STOCK].microseconds, [], []
    for name, one in timed.items():
        ratio, floor = stock / one.microseconds, model.wanted.get(name)
        mark = "" if floor is None else f" (at least {floor:.3g}x)"
        if floor is not None and ratio < floor:
            mark += " MISSED"
            missed.append(f"{model.name}, {name}: {_ratio(ratio)}, promised {floor:.3g}x")
        caught = f"{one.caught} of {len(model.changes)}" if model.changes and one.caught is not None else ""
        rows.append([name, f"{one.microseconds:.2f}", f"{_ratio(ratio)}{mark}", caught])
    return rows, missed


def _ratio(value: float) -> str:
    return f"{value:.1f}x" if value >= 1 else f"{value:.2f}x"


def wanted(name: str, only: Sequence[str] | None) -> bool:
    """Whether a model was asked for, by its name or the first word of it."""
    return only is None or name in only or name.split()[0] in only


def _refuse_unknown(
    parser: argparse.ArgumentParser, option: str, given: Sequence[str] | None, known: Sequence[str]
) -> None:
    """End the process with status 2 at a name that nothing has."""
    for one in given or ():
        if not any(wanted(name, [one]) for name in known):
            parser.error(f"argument {option}: {one!r} is none of {', '.join(map(repr, known))}")


def _passed_on(found: argparse.Namespace) -> list[str]:
    """The options that choose what is measured, for another process."""
    only = [] if found.only is None else ["--only", *found.only]
    variants = [] if found.variants is None else ["--variants", *found.variants]
    return [*only, *variants, "--seconds", str(found.seconds)]


def _as_json(figures: dict[str, dict[str, Timed]]) -> str:
    changes = {"script": len(CHANGES), **{model.name: len(model.changes) or None for model in MODELS}}
    models = {
        name: {variant: (one.microseconds, one.caught, changes[name]) for variant, one in timed.items()}
        for name, timed in figures.items()
    }
    return json.dumps({"python": platform.python_version(), "torch": torch.__version__, "models": models})


def _measure(found: argparse.Namespace) -> list[str]:
    """Print the tables; the promises that were not kept."""
    warnings.simplefilter("ignore")
    try:
        native.load("dispatch")  # The runtime takes it only where it is.
    except native.NativeUnavailable as error:
        print(f"in Python only: {error}")
    # Kernels that wait for each other's threads on a busy machine would drown what is measured.
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, Python {platform.python_version()}, {platform.machine()}")
    if not has_depyf():
        print("depyf is not installed (pip install depyf): its rows are left out")
    missed: list[str] = []
    figures: dict[str, dict[str, Timed]] = {}
    variants = None if found.variants is None else {STOCK, *found.variants}
    for model in MODELS:
        if wanted(model.name, found.only):
            figures[model.name] = time_model(model, found.seconds, variants)
            rows, below = rows_of(model, figures[model.name])
            print(f"\n{model.name}")
            headers = ["", "us a call", "ratio", "caught"]
            print(tabulate(rows, headers=headers, disable_numparse=True), flush=True)
            missed += below
    if wanted("script", found.only):
        figures["script"], below = run_script()
        missed += below
    if found.json is not None:
        found.json.write_text(_as_json(figures), encoding="utf-8")
    return missed


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table a model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="models, or 'script'; default: all")
    parser.add_argument(
        "--variants", nargs="+", metavar="NAME", help="rows beside torch.compile; default: all"
    )
    parser.add_argument("--seconds", type=float, default=8.0, help="measuring time a model")
    parser.add_argument(
        "--with", nargs="+", metavar="PYTHON", dest="interpreters", help="run with each of these"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there, too")
    found = parser.parse_args(arguments)
    _refuse_unknown(parser, "--only", found.only, [*[model.name for model in MODELS], "script"])
    _refuse_unknown(parser, "--variants", found.variants, [name for name, _ in all_variants(MODELS[0])])
    if found.interpreters:
        return compare(found.interpreters, _passed_on(found))
    missed = _measure(found)
    for line in missed:
        print(f"missed: {line}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
