"""Which of torch's global settings a file makes that matter to other files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["global_settings"]

_NAMES: Final = frozenset({"fp32_precision"})
_OWNER: Final = "torch.backends"
# What Dynamo is told to trace, wherever the program says so.
_CAPTURES: Final = frozenset({"capture_dynamic_output_shape_ops", "capture_scalar_outputs"})
_DYNAMO: Final = "torch._dynamo.config"
_VALIDATING: Final = "set_default_validate_args"
_DISTRIBUTIONS: Final = "torch.distributions"


def global_settings(facts: FileSyntax) -> Iterator[tuple[str, str, int]]:
    """The settings that a file makes, each in source order: dotted name, text ("" for no literal), line."""
    for node in facts.scan.of_class(ast.Attribute):
        if node.attr in _CAPTURES and node.ctx.__class__ is ast.Store:
            if facts.names.qualified(node) == f"{_DYNAMO}.{node.attr}":
                yield f"{_DYNAMO}.{node.attr}", "", node.lineno
        elif node.attr in _NAMES and node.ctx.__class__ is ast.Store:
            name = facts.names.qualified(node)
            if name is not None and name.startswith(f"{_OWNER}."):
                statement = facts.scan.parents.get(node)
                value = statement.value if statement.__class__ is ast.Assign else None
                literal = value.value if isinstance(value, ast.Constant) else None
                yield name, literal if isinstance(literal, str) else "", node.lineno
    for call in facts.call_index.by_name.get(_VALIDATING, ()):
        if (facts.names.qualified(call.func) or "").startswith(f"{_DISTRIBUTIONS}."):
            value = call.args[0] if call.args else None
            yield (
                f"{_DISTRIBUTIONS}.{_VALIDATING}",
                str(value.value) if isinstance(value, ast.Constant) else "",
                call.lineno,
            )
