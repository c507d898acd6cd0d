"""Places are counted exactly, and nothing else about a program changes."""

from __future__ import annotations

import ast
import sys
import types
from pathlib import Path
from typing import cast

import pytest

from overhead_lint.dynamic import counting_dynamo
from overhead_lint.dynamic.counting import counter
from overhead_lint.dynamic.importing import after_import
from overhead_lint.rule import Finding, Heat, Span, Warmth
from overhead_lint.syntax.source import Source

PROGRAM = '''
def g(n):
    """What it does."""
    for i in range(n):
        if i > 2 and abs(i) or abs(i + 1):
            x = [abs(j) for j in range(3)]
            with memoryview(b"1") as f, memoryview(b"2"):
                while not abs(0):
                    break
    return f"{abs(n)}" if abs(n) else abs(n)

for k in range(4):
    result = g(5)
'''


def findings(source: Source, *texts: str) -> list[Finding]:
    """Findings that mark the nodes with these texts, in order."""
    found: dict[str, Span] = {}
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.Expr):
            found.setdefault(source.slice(node).partition("\n")[0], source.span(node))
    cold = Warmth(Heat.COLD, "")
    return [Finding(source.path, found[text], "OVH101", "test", "test", cold) for text in texts]


def watched(path: Path, text: str, *texts: str) -> tuple[types.CodeType, dict[str, object], list[int]]:
    """Run a program with places counted: its code, its names, and the counts."""
    path.write_text(text)
    source, counts = Source.read(path), counter()
    original = compile(text, str(path), "exec")
    code = counts.watch(original, source, findings(source, *texts))
    names: dict[str, object] = {}
    try:
        exec(code, names)
    finally:
        counts.stop()
    return code, names, counts.counts()


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("def g(n):", 4),
        ("range(n)", 4),
        ("if i > 2 and abs(i) or abs(i + 1):", 20),
        ("i > 2", 20),
        ("abs(i)", 8),
        ("abs(i + 1)", 12),
        ("abs(j)", 60),
        ("[abs(j) for j in range(3)]", 20),
        ('memoryview(b"2")', 20),
        ("not abs(0)", 20),
        ("break", 20),
        ("for i in range(n):", 4),
        ("g(5)", 4),
        ("result", 4),
    ],
)
def test_evaluations_are_counted_exactly(tmp_path: Path, text: str, times: int) -> None:
    _, names, counts = watched(tmp_path / "program.py", PROGRAM, text)
    assert counts == [times]
    assert names["result"] == "5"


def test_all_places_of_a_file_are_counted_at_once(tmp_path: Path) -> None:
    texts = ["abs(i)", "abs(j)", "i > 2 and abs(i) or abs(i + 1)", "i > 2 and abs(i)"]
    assert watched(tmp_path / "program.py", PROGRAM, *texts)[2] == [8, 60, 20, 20]


def test_a_decorator_is_counted_by_the_calls_of_its_function(tmp_path: Path) -> None:
    text = "import functools\n@functools.wraps(print)\ndef f():\n    'doc'\n    return 1\nf(); f(); f()\n"
    assert watched(tmp_path / "program.py", text, "functools.wraps(print)")[2] == [3]


def test_names_and_annotations_stay_as_they_were(tmp_path: Path) -> None:
    text = "from __future__ import annotations\ndef f(x: int) -> int:\n    return x + 1\nf(1)\n"
    _, names, counts = watched(tmp_path / "program.py", text, "x + 1", "int")
    assert counts == [1]
    assert names.keys() == {"__builtins__", "annotations", "f"}
    assert getattr(names["f"], "__annotations__") == {"x": "int", "return": "int"}  # noqa: B009


def test_lines_in_tracebacks_are_those_of_the_file(tmp_path: Path) -> None:
    text = "def f(x):\n    y = x\n    return y.missing\nf(1)\n"
    with pytest.raises(AttributeError) as raised:
        watched(tmp_path / "program.py", text, "y", "y.missing", "x")
    assert [entry.lineno + 1 for entry in raised.traceback[-2:]] == [4, 3]


MODEL = """
import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])
    def helper(self, x):
        if x.dim() > 1 and x.shape[0] < 3:
            return x + 1
        return x
    def forward(self, x):
        out = 0
        for layer in self.layers:
            try:
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    out = out + layer(self.helper(x))
            finally:
                out = out * 1
        while out.dim() > 2:
            out = out[0]
        return out
torch.manual_seed(0)
model = Model()
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="code stays as it is there")
def test_dynamo_sees_instrumented_code_as_it_was(tmp_path: Path) -> None:
    import torch

    from overhead_lint.probes import measure

    path = tmp_path / "program.py"
    path.write_text(MODEL)
    source, counts = Source.read(path), counter()
    every = [
        Finding(path, source.span(node), "OVH101", "test", "test", Warmth(Heat.COLD, ""))
        for node in ast.walk(ast.parse(MODEL))
        if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.Expr)
    ]
    plain = compile(MODEL, str(path), "exec")
    results = []
    with after_import({counting_dynamo.MODULE: counting_dynamo.read_without}):
        for code in (plain, counts.watch(plain, source, every)):
            names: dict[str, object] = {}
            exec(code, names)
            torch._dynamo.reset()
            with measure(["guards", "graph_breaks", "recompiles"]) as measured:
                compiled = torch.compile(names["model"], backend="eager", fullgraph=True)  # type: ignore[call-overload]
                for _ in range(3):
                    out = compiled(torch.ones(2, 4))
            results.append((measured.values, [c[:3] for c in measured.causes["guards"]], out.sum().item()))
    assert results[0] == results[1]
    before = sum(counts.counts())
    names["model"](torch.ones(2, 4))  # type: ignore[operator]
    assert sum(counts.counts()) > before


def test_calls_are_made_before_statements(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("seen = []\nfor i in range(3):\n    seen.append(i)\n")
    source, counts, called = Source.read(path), counter(), []
    span = Span(3, 5, 3, 19)
    code = counts.watch(compile(source.text, str(path), "exec"), source, [], {span: lambda: called.append(1)})
    exec(code, {})
    counts.stop()
    assert called == [1, 1, 1]


def test_beginnings_of_a_function_are_told_with_its_frame_until_that_ends() -> None:
    def plain(self: int, *more: int) -> int:
        return self + sum(more)

    counts, seen = counter(), []
    function, before = cast("types.FunctionType", plain), plain.__code__
    try:
        end = counts.on_start(
            function, lambda frame: seen.append((frame.f_code.co_name, frame.f_locals["self"]))
        )
        assert (plain(1, 2), plain(3)) == (3, 3)
        assert plain.__code__.co_firstlineno == before.co_firstlineno
        end()
        assert plain(5) == 5
    finally:
        counts.stop()
    assert seen == [("plain", 1), ("plain", 3)]
    assert plain.__code__ is before
