"""Runs benchmarks/dispatch.py with several interpreters, each with its torch: one table of the ratios."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tabulate import tabulate

__all__ = ["Result", "compare"]

_STOCK = "torch.compile"


class Result(NamedTuple):
    """What one interpreter measured.

    Args:
        python: Its version.
        torch: The version of its torch.
        models: Microseconds a call, changes caught and changes made (or None), by model and variant.
    """

    python: str
    torch: str
    models: dict[str, dict[str, tuple[float, int | None, int | None]]]

    def cell(self, model: str, variant: str) -> str:
        """The ratio to `torch.compile`, and the changes caught where some were missed."""
        timed = self.models.get(model, {})
        if variant not in timed:
            return ""
        microseconds, caught, of = timed[variant]
        if variant == _STOCK:
            return f"{microseconds:.1f} us"
        missed = f", {caught} of {of} caught" if of is not None and caught not in (None, of) else ""
        return f"{timed[_STOCK][0] / microseconds:.1f}x{missed}"


def compare(interpreters: Sequence[str], arguments: Sequence[str]) -> int:
    """Print a table with a row a model and variant, and a column an interpreter.

    Args:
        interpreters: Commands that run Python, each with a torch.
        arguments: What else the benchmark is given.

    Returns:
        1 if one of them ended with an error or below what is promised.
    """
    results, failed = [], False
    for interpreter in interpreters:
        with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
            file = Path(folder, "result.json")
            command = [
                interpreter,
                str(Path(__file__).with_name("dispatch.py")),
                *arguments,
                "--json",
                str(file),
            ]
            print(f"-- {interpreter}", flush=True)
            failed = subprocess.run(command, check=False).returncode != 0 or failed
            if file.exists():
                results.append(_read(json.loads(file.read_text(encoding="utf-8"))))
    rows = [
        [model, variant, *[result.cell(model, variant) for result in results]]
        for model, variant in _names(results)
    ]
    headers = ["", "", *[f"{result.python}, torch {result.torch}" for result in results]]
    print("\n" + tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))
    return int(failed)


def _read(found: dict[str, Any]) -> Result:
    models = {
        model: {name: tuple(figures) for name, figures in timed.items()}
        for model, timed in found["models"].items()
    }
    return Result(found["python"], found["torch"], models)


def _names(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Models and variants in the order in which they were measured, each once."""
    named = [
        (model, variant) for result in results for model, timed in result.models.items() for variant in timed
    ]
    models = list(dict.fromkeys(model for model, _ in named))
    return sorted(dict.fromkeys(named), key=lambda name: models.index(name[0]))
