"""How hot the places of one file are, and the reasons given: every place is a call of ``here()``."""

from __future__ import annotations

import ast
import textwrap

from overhead_lint.project.facts import FileFacts

HEAD = "import torch, functools, time\nfrom torch import nn\n"


def heat(text: str, *, cold: str = "") -> list[str]:
    """``heat: why`` of each ``here()`` in a source, line numbers counted without `HEAD`."""
    tree = ast.parse(textwrap.dedent(text).strip("\n") + "\n" + HEAD)
    facts = FileFacts(tree, "m.py", cold=cold)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "here":
            warmth = facts.heat.warmth(node)
            found.append((node.lineno, node.col_offset, f"{warmth.heat.label}: {warmth.why}"))
    return [shown for _, _, shown in sorted(found)]
