"""Names and scopes: what a dotted expression stands for."""

from __future__ import annotations

import ast
import textwrap

import pytest

from overhead_lint.project.facts import FileFacts


def names(text: str, module: str = "pkg.sub.mod", is_package: bool = False) -> list[str | None]:
    """Qualified names of the first arguments of calls of ``ask``."""
    facts = FileFacts(ast.parse(textwrap.dedent(text)), "m.py", module=module, is_package=is_package)
    asked = [
        node
        for node in facts.scan.by_class.get(ast.Call, [])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ask"
    ]
    return [facts.names.qualified(node.args[0]) for node in asked]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\nask(torch.nn.Linear)", "torch.nn.Linear"),
        ("import torch.nn.functional as F\nask(F.relu)", "torch.nn.functional.relu"),
        ("import torch.nn.functional\nask(torch.nn.functional.relu)", "torch.nn.functional.relu"),
        ("from torch import autocast as ac\nask(ac)", "torch.autocast"),
        ("from . import tools\nask(tools.f)", "pkg.sub.tools.f"),
        ("from ..other import f\nask(f)", "pkg.other.f"),
        ("from .... import f\nask(f)", "<relative>.f"),
        ("from torch import *\nask(autocast)", None),
        ("try:\n    from a import f\nexcept ImportError:\n    f = None\nask(f)", "a.f"),
        ("try:\n    from a import f\nexcept ImportError:\n    def f(): pass\nask(f)", None),
        ("class A:\n    def m(self): pass\nask(A.m)", ".A.m"),
        ("def f():\n    def g(): pass\n    ask(g)", ".f.<locals>.g"),
        ("import torch\ntorch = 1\nask(torch.x)", None),
        ("import torch\ndef f(torch): ask(torch.x)", None),
        ("import torch\ndef f():\n    for torch in x: ask(torch.x)", None),
        ("import torch\ndef f():\n    with x as torch: ask(torch.x)", None),
        ("import torch\ndef f():\n    ask(torch.x)\n    torch = 1", None),
        ("import torch\nclass A:\n    torch = 1\n    def m(self): ask(torch.x)", "torch.x"),
        ("import torch\nclass A:\n    torch = 1\n    ask(torch.x)", None),
        ("import torch\n[ask(torch.x) for torch in y]", None),
        ("import torch\n[0 for torch in ask(torch.x)]", "torch.x"),
        ("import torch\ndef f(a=ask(torch.x), *, torch): pass", "torch.x"),
        ("import torch\nlambda torch: ask(torch.x)", None),
        ("import torch\ndef f():\n    global torch\n    torch = 1\nask(torch.x)", None),
        ("import torch\nask(torch().x)", None),
        ("import torch\nask(torch[0].x)", None),
        ("def f():\n    import torch\n    def g(): ask(torch.x)", "torch.x"),
        ("import torch\nmatch x:\n    case {'a': torch}: ask(torch.x)", None),
        ("import torch\nif (torch := 1): ask(torch.x)", None),
        ("import torch\n[torch := 1 for a in b]\nask(torch.x)", None),
        ("import torch\ntry: pass\nexcept E as torch: ask(torch.x)", None),
    ],
)
def test_qualified_names(text: str, expected: str | None) -> None:
    assert names(text) == [expected]


def test_relative_imports_of_a_package_start_at_the_package() -> None:
    assert names("from .mod import f\nask(f)", module="pkg", is_package=True) == ["pkg.mod.f"]
