"""How hot the places of one file are, and the reasons given: every place is a call of ``here()``."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

from overhead_lint.project.facts import FileFacts

if TYPE_CHECKING:
    from overhead_lint.rule import Warmth

HEAD = "import torch, functools, time\nfrom torch import nn\n"


def heat(text: str, *, cold: str = "") -> list[str]:
    """``heat: why`` of each ``here()`` in a source, line numbers counted without `HEAD`."""
    return [f"{warmth.heat.label}: {warmth.why}" for warmth in warmths_of(text, cold=cold)]


def warmths_of(text: str, *, cold: str = "") -> list[Warmth]:
    """Return the heat of each ``here()`` in a source, in the order of places."""
    tree = ast.parse(textwrap.dedent(text).strip("\n") + "\n" + HEAD)
    facts = FileFacts(tree, "m.py", cold=cold)
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "here"
    ]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    return [facts.heat.warmth(call) for call in calls]
