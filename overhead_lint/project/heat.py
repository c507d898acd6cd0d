"""How hot a place of a file is, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Warmth

if TYPE_CHECKING:
    import ast

    from overhead_lint.project.facts import FileFacts

__all__ = ["FileHeat"]


class FileHeat:
    """Heat of the places of one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    def warmth(self, node: ast.AST) -> Warmth:
        """Heat of the place where `node` stands."""
        if self._facts.cold:
            return Warmth(Heat.COLD, self._facts.cold)
        function = self._facts.function_of(node)
        if function is None:
            return Warmth(Heat.COLD, "runs at import")
        if function.cls is not None and function.cls.is_module and function.qualname.endswith(".forward"):
            heat = Heat.LOOP if self._facts.loops_of(node) else Heat.STEP
            return Warmth(heat, f"{function.qualname} runs on every call of the module")
        if function.compiled:
            return Warmth(Heat.STEP, f"{function.qualname} is compiled with torch.compile")
        return Warmth(Heat.COLD, "nothing shows that it runs in a step")
