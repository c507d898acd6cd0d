"""What a run is set to do."""

from __future__ import annotations

from dataclasses import dataclass

from overhead_lint.rule import Heat

__all__ = ["RUNTIME_MODULE", "Settings"]

RUNTIME_MODULE = "overhead_lint.runtime"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run.

    Attributes:
        select: codes, prefixes or ``ALL``; what runs.
        ignore: codes, prefixes or ``ALL``; what of that does not run after all.
        min_heat: the least heat at which rules that need heat report.
        fixable: codes, prefixes or ``ALL``; the rules whose fixes are applied and shown.
        unfixable: the same; of these, the rules whose fixes are not, unless a longer entry names them.
        preview: whether rules that are off by default run with a prefix or ``ALL``, too.
        runtime_module: dotted module that fixes import the runtime APIs from.
    """

    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    min_heat: Heat = Heat.STEP
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()
    preview: bool = False
    runtime_module: str = RUNTIME_MODULE
