"""In which order bodies are evaluated first: what others import before those that import it.

The result does not hang on it, but less is evaluated again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.opcodes import IMPORT
from overhead_lint.analysis.values.symbols import ModuleSymbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.values.linker import Linker
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["first_order"]


def first_order(linker: Linker) -> list[Body]:
    """Return all bodies: those of files and classes, then those of functions, by file in order of imports."""
    bodies = [body for module in _by_imports(linker) for body in module.bodies]
    return sorted(bodies, key=lambda one: one.is_function)


def _by_imports(linker: Linker) -> list[ModuleSymbol]:
    """Return the files, what each imports before it as far as they do not go round in a circle."""
    found: list[ModuleSymbol] = []
    seen: set[ModuleSymbol] = set()
    for module in linker.modules.values():
        waiting = [(module, _imported(linker, module))] if module not in seen else []
        seen.add(module)
        while waiting:
            one, others = waiting[-1]
            for other in others:
                if other not in seen:
                    seen.add(other)
                    waiting.append((other, _imported(linker, other)))
                    break
            else:
                waiting.pop()
                found.append(one)
    return found


def _imported(linker: Linker, module: ModuleSymbol) -> Iterator[ModuleSymbol]:
    """Yield the files of the project that a file imports while it is imported itself."""
    record = module.bodies[0].record if module.bodies else None
    for at, code in enumerate(record.code if record is not None else ()):
        if code != IMPORT or record is None:
            continue
        path, name = record.extra[at]
        base = linker.imported(module, record.operand[at], path, "")
        if isinstance(base, ModuleSymbol):
            yield base
            inner = linker.modules.get(f"{base.name}.{name}")
            if inner is not None:
                yield inner
