"""What the functions of a file give, and what its attributes and constants hold, for other files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import BIND, BUILD, OUTER, PARAMETER, PHI
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF
from overhead_lint.project.kinds.abstract_value import AbstractValue, encoded
from overhead_lint.project.kinds.given_names import HELD, STUB, held

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import Body
    from overhead_lint.project.file_calls import FileCalls

__all__ = ["gives"]


_LONGEST: Final = 200
_NAMES: Final = frozenset({BIND, OUTER, PARAMETER, PHI})


def gives(facts: FileCalls) -> Iterator[tuple[str, str]]:
    """What can be said of functions, attributes and constants, by name in paths, as `encoded` has it."""
    definitions = facts.definitions
    for name in facts.index.functions:
        node = definitions.get(name)
        if node.__class__ is ast.FunctionDef and "<locals>" not in name:
            is_stub = node.returns is None and _is_stub(node)
            found = STUB if is_stub else encoded(facts.kinds.returned(node))
            # What it is given back as it was given is known where it is called.
            if found and len(found) <= _LONGEST and f"={PARAMETER_OF}" not in found:
                yield name, found
    for name, what in _names(facts):
        # What an attribute holds at first, others may put on the device.
        if _tells(what) and (name.startswith(HELD) or "h" not in encoded(what)):
            yield name, encoded(what)


def _names(facts: FileCalls) -> Iterator[tuple[str, AbstractValue]]:
    """Attributes of instances, and names of the top level."""
    for node, cls in facts.classes.items():
        if "<locals>" in cls.qualname:
            continue
        stored, body = facts.paths.stored(node), facts.paths.body(node)
        others = sorted(facts.kinds.stored(node))
        for name in dict.fromkeys((*stored, *body.record.annotations, *others)):
            if name in stored and all(_is_handed_on(*one) for one in stored[name]):
                continue  # a parameter, of which callers know more
            yield held(f".{cls.qualname}", name), facts.kinds.attribute(node, name)
    for name, what in facts.kinds.top_level().items():
        yield held("", name), what


def _is_handed_on(body: Body, at: int) -> bool:
    """Whether an operation is what a name stands for, or makes a mapping."""
    code = body.record.code[at]
    return code in _NAMES or (code == BUILD and body.record.extra[at][0] == "dict")


def _tells(what: AbstractValue) -> bool:
    """Whether it is of use to know what an attribute or constant is."""
    text = encoded(what)
    return bool(text) and text != "o" and len(text) <= _LONGEST


def _is_stub(node: ast.FunctionDef) -> bool:
    """Whether a method does nothing, or raises an error, until it is overridden."""
    last = node.body[-1]
    if last.__class__ is ast.Raise:
        return len(node.body) <= 2
    return all(
        one.__class__ is ast.Pass or (one.__class__ is ast.Expr and isinstance(one.value, ast.Constant))
        for one in node.body
    )
