"""Runs the mutation matrix: every way to dispatch beside stock and eager, in one configuration or all.

``python -m tests.runtime.compile_matrix_run --backend inductor`` from the root of the repository. Each
configuration of inductor takes long; ``--mode eval --tags on`` runs one. ``--frozen`` lists what a frozen
callable misses instead, and whether verification tells.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from overhead_lint.native import NativeUnavailable, load
from overhead_runtime.compile import compile as fast_compile
from overhead_runtime.compile import freeze

from .compile_matrix import (  # type: ignore[import-not-found]  # tests are no package
    CASES,
    Case,
)
from .compile_matrix_net import make_net, restore, vector  # type: ignore[import-not-found]

Outcome = tuple[Any, ...]


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all callables of one run share.

    Args:
        backend: A backend of ``torch.compile``.
        training: Whether the model trains.
        tags: Whether guards are built with recursive dict tags.
        broken: Whether the graph of the model breaks.
    """

    backend: str = "eager"
    training: bool = True
    tags: bool = True
    broken: bool = False

    def __str__(self) -> str:
        mode, breaks = "train" if self.training else "eval", ", graph breaks" if self.broken else ""
        return f"{self.backend}, {mode}, tags {'on' if self.tags else 'off'}{breaks}"


class Way(NamedTuple):
    """One way to dispatch: the mode, through the native gate or not, and how often verified."""

    guard_eval: str
    native: bool
    verify_every: int = 0

    def __str__(self) -> str:
        verified = f", every {self.verify_every}. verified" if self.verify_every else ""
        return f"{self.guard_eval} in {'C++' if self.native else 'Python'}{verified}"


WAYS = (
    Way("token", native=False, verify_every=1),
    Way("token", native=True, verify_every=2),
    Way("token", native=True),
    Way("full", native=True),
    Way("full", native=False),
)


@dataclasses.dataclass
class Verdict:
    """What came of one case.

    Args:
        wrong: Ways whose result is neither eager's nor, where that differs, stock's, with both results.
        stale: Whether stock differs from eager.
        vacuous: Ways that had not served a call the way they should before the change.
    """

    wrong: list[str]
    stale: bool
    vacuous: list[str]


def build_native() -> str:
    """Build the native dispatcher, which the runtime only takes where it is; why not, where it cannot be."""
    try:
        load("dispatch")
    except NativeUnavailable as error:
        return error.why
    return ""


def compiled_way(net: Any, way: Way, setting: Setting) -> Any:
    """A callable that dispatches in one way."""
    compiled = fast_compile(
        net,
        backend=setting.backend,
        guard_eval=way.guard_eval,
        verify_every=way.verify_every,
        recursive_tags=setting.tags,
    )
    if not way.native:
        compiled.__dict__["_overhead_lint_dispatcher"].keeper.refusal = "switched off for the test"
    return compiled


def outcome(case: Case, function: Callable[..., Any]) -> Outcome:
    """The result of a call in a form that can be compared."""
    try:
        result = case.around(function, case.arguments())
    except Exception as error:  # any exception is an outcome, to be compared with the others'
        return ("raised", type(error).__name__)
    if not isinstance(result, torch.Tensor):
        return ("value", result)
    values = None if result.is_meta else result.detach().clone()
    return ("tensor", type(result).__name__, result.dtype, result.shape, result.requires_grad, values)


def same(left: Outcome, right: Outcome) -> bool:
    """Whether two results are the same, but for rounding."""
    if left[:1] != right[:1] or left[0] != "tensor":
        return left == right
    if left[1:5] != right[1:5]:
        return False
    return left[5] is None or torch.allclose(left[5], right[5], equal_nan=True)


def clean() -> None:
    """Forget everything compiled, and undo what a case did to the process."""
    torch._dynamo.reset()
    restore()


def run_case(case: Case, setting: Setting, ways: Sequence[Way] = WAYS) -> Verdict:
    """Warm all ways up, make the change, and compare every way with stock and eager.

    Where stock differs from eager, following either is right, a third is not.
    """
    net = make_net(case.rich, setting.broken).train(setting.training)
    ours = {way: compiled_way(net, way, setting) for way in ways}
    vacuous = []
    for way, compiled in ours.items():
        for _ in range(4):
            compiled(vector())
        if not _served(way, compiled.stats(), case.rich):
            vacuous.append(f"{way}: {compiled.stats()}")
    stock = torch.compile(net, backend=setting.backend)
    case.change(net)
    # Stock goes last: what it recompiles must not hide a stale dispatch.
    results = {way: [outcome(case, compiled) for _ in range(3)] for way, compiled in ours.items()}
    theirs = [outcome(case, stock) for _ in range(2)]
    eager = outcome(case, net)
    stale = not all(same(one, eager) for one in theirs)
    right = [eager, *theirs] if stale else [eager]
    wrong = [
        f"{way}: {one}, stock {theirs}, eager {eager}, {ours[way].stats()}"
        for way, outcomes in results.items()
        for one in outcomes
        if not any(same(one, other) for other in right)
    ]
    return Verdict(wrong, stale, vacuous)


def _served(way: Way, stats: Any, rich: bool) -> bool:
    if way.native and stats.not_native is None and stats.dispatched_natively == 0 and not _learns(way, rich):
        return False
    if way.guard_eval == "token" and stats.not_recognised is None and not rich:
        return bool(stats.recognised >= 2)
    return bool(stats.hits >= 3)


def _learns(way: Way, rich: bool) -> bool:
    """A state that cannot be remembered is tried eight times before the gate evaluates the guards."""
    return way.guard_eval == "token" and rich


class Frozen(NamedTuple):
    """What a frozen callable does in one case.

    Args:
        missed: Whether its result is neither eager's nor stock's.
        told: Whether verifying the same call raises; False where nothing is missed.
        stale: Whether stock misses it as well: this torch has no guard that could tell.
    """

    missed: bool
    told: bool
    stale: bool


def run_frozen(case: Case, setting: Setting) -> Frozen:
    """Freeze a callable that is warmed up, make the change, and compare it with stock and eager."""
    ours, theirs, eager = _frozen_outcome(case, setting, 0)
    missed = not (same(ours, theirs) or same(ours, eager))
    told = missed and _frozen_outcome(case, setting, 1)[0] == ("raised", "Disagreement")
    return Frozen(missed, told, not same(theirs, eager))


def _frozen_outcome(case: Case, setting: Setting, verify_every: int) -> tuple[Outcome, Outcome, Outcome]:
    clean()
    net = make_net(case.rich).train(setting.training)
    compiled = compiled_way(net, Way("frozen", native=True, verify_every=verify_every), setting)
    freeze(compiled)
    for _ in range(4):
        compiled(vector())
    assert compiled.stats().frozen
    stock = torch.compile(net, backend=setting.backend)
    case.change(net)
    try:
        return outcome(case, compiled), outcome(case, stock), outcome(case, net)
    finally:
        clean()


def _print_frozen(setting: Setting, part: str | None) -> bool:
    cases = [case for case in CASES if not part or part in case.name]
    missed = {case.name: verdict for case in cases if (verdict := run_frozen(case, setting)).missed}
    untold = sorted(name for name, verdict in missed.items() if not verdict.told)
    print(f"{setting}: {len(cases)} cases, {len(missed)} missed while frozen: {'; '.join(missed)}")
    print(f"  not told by verification: {'; '.join(untold) or 'none'}", flush=True)
    return bool(untold)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the configurations asked for, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", action="append", help="default: eager and inductor")
    parser.add_argument("--mode", choices=("train", "eval"), action="append", help="default: both")
    parser.add_argument("--tags", choices=("off", "on"), action="append", help="default: both")
    parser.add_argument("--case", help="only cases whose name holds this")
    parser.add_argument("--breaks", action="store_true", help="a model of which the graph breaks")
    parser.add_argument("--frozen", action="store_true", help="what a frozen callable misses")
    found = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    if why := build_native():
        print(f"in Python only: {why}")
    failed = False
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}; ways: {'; '.join(map(str, WAYS))}")
    for backend, mode, tags in itertools.product(
        found.backend or ("eager", "inductor"), found.mode or ("train", "eval"), found.tags or ("off", "on")
    ):
        setting, start = Setting(backend, mode == "train", tags == "on", found.breaks), time.perf_counter()
        if found.frozen:
            with contextlib.redirect_stderr(None):
                failed = _print_frozen(setting, found.case) or failed
            continue
        stale, wrong, vacuous, count = 0, 0, 0, 0
        for case in CASES:
            if found.case and found.case not in case.name:
                continue
            clean()
            with contextlib.redirect_stderr(None):
                verdict = run_case(case, setting)
            count, stale = count + 1, stale + verdict.stale
            wrong, vacuous = wrong + bool(verdict.wrong), vacuous + bool(verdict.vacuous)
            for line in verdict.wrong + verdict.vacuous:
                print(f"  {case.name}: {line}")
        clean()
        took = time.perf_counter() - start
        print(
            f"{setting}: {count} cases, {stale} where stock is stale, "
            f"{wrong} wrong, {vacuous} vacuous ({took:.0f} s)",
            flush=True,
        )
        failed = failed or bool(wrong or vacuous)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
