"""Every place of the grammar against every kind of expression: the meaning must be what was asked for."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

import ast
import warnings
from pathlib import Path

import pytest

from overhead_lint.edits import CannotFix, replace
from overhead_lint.edits.apply import text_edits
from overhead_lint.edits.lines import splice
from overhead_lint.syntax.source import Source

PLACES = [
    "x: int = f(x)", "return f(x)", "return(f(x))", "yield(f(x))", "assert(f(x))", "not(f(x))", "y = a if(f(x))else b",
    "y = f(x)if a else b", "y = 1if f(x)else 2", "y = [f(x)for x in y]", "y = z in(f(x))", "y = lambda:f(x)",
    "async def q():\n  await(f(x))", "raise f(x)from f(y)", "import a;f(x)", "print(*f(x))", "y={**f(x)}", "y = {f(x):f(y)}",
    "y = a[f(x):f(y)]", "del(f(x)).y", "with f(x)as y: pass", "for i in(f(x)): pass", "for i in f(x),2: pass",
    "while f(x): pass", "y = f(x).z[1](2)", "y = f(x)**2", "y = 2**f(x)", "y=-f(x)", "y= f(x)<2<3", "y = a<f(x)<3",
    "y = a is not f(x)", "y = f(x)and b or c", "y = f(x)or b", "y = yield f(x)", "y = yield from f(x)", "y += f(x)",
    "f(x)[0] = f(y).z = 3", "@f(x)\n@g\nclass A(f(y), k=f(z)): pass", "def g(a=f(x), *b, c=f(y)) -> f(z): pass",
    "y = f'{a}' f'b', f(x)", "y = (  # c\n f(x)\n )", "match f(x), 1:\n  case {'a': b} if f(y): f(z)",
    "try: f(x)\nexcept (A, f(y)) as e: pass\nelse: f(z)\nfinally: f(w)", "y = {k: v for k, v in f(x) if f(y) for z in f(z)}",
    "g(f(x) for x in y)", "y = g(a)(f(x))\\\n  .b(f(y))", "if a:\n  b\nelif f(x):\n  c\nelse:\n  f(y)", "x = f(x);y = f(y);",
    "y = f(x) @ z", "y = [*f(x), *a]", "y = a[f(x), ...]", "y = a[lambda: f(x)]", "y = (z := f(x))", "return f(x), *a",
]  # fmt: skip
TEMPLATES = [
    "g", "{a}", "{a} or b", "{a}, b", "lambda: {a}", "{a} if b else c", "({a}\n  + b)", "-{a}", "not {a}", "await {a}",
    "{a} ** 2", "({a} for _ in z)", "{a} < 3", "{{}}", "'s' 't'", "3",
]  # fmt: skip


@pytest.mark.parametrize("template", TEMPLATES)
def test_replacing_means_the_same_everywhere(template: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of "1if"
        for place in PLACES:
            source = Source.from_bytes(Path("a.py"), f"{place}\n".encode())
            for call in ast.walk(ast.parse(source.text)):
                if isinstance(call, ast.Call) and source.slice(call.func) == "f":
                    edits = text_edits([replace(call, template, a=call)], {}, source, keep_comments=True)
                    start, end = source.offsets(call)
                    asked = template.format(a=f"({source.slice(call)})")
                    expected = f"{source.text[:start]}({asked}){source.text[end:]}"
                    assert ast.dump(ast.parse(splice(source.text, edits))) == ast.dump(ast.parse(expected))


@pytest.mark.parametrize(
    "code", ["return(lambda: f(x))\n", "return(lambda: x), f(x)\n", "y = not(lambda: f(x))\n"]
)
def test_code_that_libcst_cannot_read_is_refused_or_right(code: str) -> None:
    source = Source.from_bytes(Path("a.py"), code.encode())
    call = next(n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Call))
    try:
        after = splice(source.text, text_edits([replace(call, "g")], {}, source, keep_comments=True))
    except CannotFix as reason:
        assert "cannot be edited" in str(reason)
    else:
        assert after == code.replace("f(x)", "g")
