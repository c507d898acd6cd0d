"""Edits of expressions, headers and statements: text before and after, to the character."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from overhead_lint import edits as e
from overhead_lint.edits import CannotFix
from overhead_lint.edits.apply import text_edits
from overhead_lint.syntax.source import Source

Rewrite = Callable[..., str]
Find = Callable[..., Any]


class Case(NamedTuple):
    """One rewrite: `make` gets a function that finds nodes by their text."""

    name: str
    before: str
    make: Callable[[Find], list[Any]]
    after: str


def swap(node: str, template: str, **parts: str) -> Callable[[Find], list[Any]]:
    """Replace the expression with this text."""
    return lambda n: [e.replace(n(node), template, **{k: n(v) for k, v in parts.items()})]


EXPRESSIONS = [
    Case("trailing comment stays", "y = f(x)  # c\n", swap("f(x)", "g({a})", a="x"), "y = g(x)  # c\n"),
    Case("result in parentheses", "y = f(x) * 2\n", swap("f(x)", "{a} + 1", a="x"), "y = (x + 1) * 2\n"),
    Case("none for a looser place", "y = f(x) + 2\n", swap("f(x)", "{a} * 1", a="x"), "y = x * 1 + 2\n"),
    Case("right operand", "y = 1 - f(x)\n", swap("f(x)", "{a} - 2", a="x"), "y = 1 - (x - 2)\n"),
    Case("left operand", "y = f(x) - 1\n", swap("f(x)", "{a} - 2", a="x"), "y = x - 2 - 1\n"),
    Case("power binds to the right", "y = f(x) ** 2\n", swap("f(x)", "-{a}", a="x"), "y = (-x) ** 2\n"),
    Case("part in parentheses", "y = f(a + 1)\n", swap("f(a + 1)", "{p}.b", p="a + 1"), "y = (a + 1).b\n"),
    Case("part that needs none", "y = f(a + 1)\n", swap("f(a + 1)", "g({p})", p="a + 1"), "y = g(a + 1)\n"),
    Case("integer part", "y = f(1)\n", swap("f(1)", "{p}.real", p="1"), "y = (1).real\n"),
    Case("comparison chain", "y = f(x) == z\n", swap("f(x)", "{a} == 1", a="x"), "y = (x == 1) == z\n"),
    Case("and in or", "y = f(x) or z\n", swap("f(x)", "{a} and b", a="x"), "y = x and b or z\n"),
    Case("or in or", "y = f(x) or z\n", swap("f(x)", "{a} or b", a="x"), "y = (x or b) or z\n"),
    Case("not", "y = not f(x)\n", swap("f(x)", "{a} and b", a="x"), "y = not (x and b)\n"),
    Case("conditional", "y = f(x) if a else b\n", swap("f(x)", "1 if {p} else 2", p="x"),
         "y = (1 if x else 2) if a else b\n"),
    Case("lambda called", "y = f(x)(1)\n", swap("f(x)", "lambda b: {a}", a="x"), "y = (lambda b: x)(1)\n"),
    Case("in a lambda", "y = lambda: f(x)\n", swap("f(x)", "{a} or 1", a="x"), "y = lambda: x or 1\n"),
    Case("walrus", "if (y := f(x)):\n    pass\n", swap("f(x)", "g({a})", a="x"), "if (y := g(x)):\n    pass\n"),
    Case("walrus part", "f((y := x))\n", swap("f((y := x))", "g(a, {p})", p="y := x"), "g(a, (y := x))\n"),
    Case("generator part", "f(a for a in b)\n", swap("f(a for a in b)", "g({p}, 1)", p="(a for a in b)"),
         "g((a for a in b), 1)\n"),
    Case("await", "async def f():\n    await g(x)\n", swap("g(x)", "{a} or h", a="x"),
         "async def f():\n    await (x or h)\n"),
    Case("yield", "def f():\n    y = yield g(x)\n", swap("g(x)", "{a}", a="x"), "def f():\n    y = yield x\n"),
    Case("star argument", "f(*g(x))\n", swap("g(x)", "{a} or b", a="x"), "f(*(x or b))\n"),
    Case("star part", "f(g(x), *y)\n", swap("g(x)", "{a}", a="x"), "f(x, *y)\n"),
    Case("double star", "f(**g(x))\n", swap("g(x)", "h({a})", a="x"), "f(**h(x))\n"),
    Case("keyword", "f(k=g(x))\n", swap("g(x)", "{a} + 1", a="x"), "f(k=x + 1)\n"),
    Case("subscript", "y = a[f(x)]\n", swap("f(x)", "{p}, 1", p="x"), "y = a[x, 1]\n"),
    Case("subscript tuple part", "y = a[1, 2]\n", swap("a[1, 2]", "{p}[{q}]", p="a", q="1, 2"), "y = a[1, 2]\n"),
    Case("slice bounds", "y = a[f(x):2]\n", swap("f(x)", "{p} + 1", p="x"), "y = a[x + 1:2]\n"),
    Case("lines of a part in a block stay where they are", "if a:\n    y = f(x(\n        1,\n\n      # c\n  2,\n    ))\n",
         swap("f(x(\n        1,\n\n      # c\n  2,\n    ))", "g({p})", p="x(\n        1,\n\n      # c\n  2,\n    )"),
         "if a:\n    y = g(x(\n        1,\n\n      # c\n  2,\n    ))\n"),
    Case("lines of a part in an inner block", "if a:\n\tif b:\n\t\ty = [f(x(\n\t\t\t1))]; z = 1\n",
         swap("f(x(\n\t\t\t1))", "{p}.g()", p="x(\n\t\t\t1)"), "if a:\n\tif b:\n\t\ty = [x(\n\t\t\t1).g()]; z = 1\n"),
    Case("lines of a part in a header", "if a:\n    while f(x(\n            1)):\n        pass\n",
         swap("f(x(\n            1))", "{p}", p="x(\n            1)"), "if a:\n    while x(\n            1):\n        pass\n"),
    Case("old parentheses stay", "y = (f(x))\n", swap("f(x)", "{a} + 1", a="x"), "y = (x + 1)\n"),
    Case("tuple's own parentheses go", "y = (a, b)\n", swap("(a, b)", "f({p})", p="a"), "y = f(a)\n"),
    Case("bare tuple target", "for i in x:\n    pass\n", swap("i", "j, k"), "for j, k in x:\n    pass\n"),
    Case("comprehension", "y = [f(x) for x in g(z)]\n", swap("g(z)", "{a} if c else d", a="z"),
         "y = [f(x) for x in (z if c else d)]\n"),
    Case("decorator", "@f(x)\ndef g(): pass\n", swap("f(x)", "h({a})", a="x"), "@h(x)\ndef g(): pass\n"),
    Case("default", "def g(a=f(x)):\n    return 1\n", swap("f(x)", "h({p})", p="x"),
         "def g(a=h(x)):\n    return 1\n"),
    Case("annotation", "def g(a: f(x)) -> int:\n    return 1\n", swap("f(x)", "h"),
         "def g(a: h) -> int:\n    return 1\n"),
    Case("class base", "class A(f(x)):\n    b = 1\n", swap("f(x)", "h"), "class A(h):\n    b = 1\n"),
    Case("elif", "if a:\n    pass\nelif f(x):\n    pass\n", swap("f(x)", "g"),
         "if a:\n    pass\nelif g:\n    pass\n"),
    Case("else branch", "if a:\n    pass\nelse:\n    f(x)\n", swap("f(x)", "g"),
         "if a:\n    pass\nelse:\n    g\n"),
    Case("except", "try:\n    pass\nexcept f(x):\n    pass\n", swap("f(x)", "g"),
         "try:\n    pass\nexcept g:\n    pass\n"),
    Case("one-line compound", "if x: f(x)\n", swap("f(x)", "g({a})", a="x"), "if x: g(x)\n"),
    Case("one-line header", "if f(x): pass\n", swap("f(x)", "x or y"), "if x or y: pass\n"),
    Case("one-line else", "if x: pass\nelse: f(x)\n", swap("f(x)", "g"), "if x: pass\nelse: g\n"),
    Case("semicolons", "def f():\n    a; f(x) ; b  # c\n", swap("f(x)", "g"), "def f():\n    a; g ; b  # c\n"),
    Case("with items", "with (\n    f(x) as a,  # one\n    b,\n):\n    pass\n", swap("f(x)", "g({p})", p="x"),
         "with (\n    g(x) as a,  # one\n    b,\n):\n    pass\n"),
    Case("async with", "async def f():\n    async with f(x) as a, b:\n        pass\n", swap("f(x)", "g"),
         "async def f():\n    async with g as a, b:\n        pass\n"),
    Case("async for", "async def f():\n    async for a in f(x):\n        pass\n    else:\n        b\n",
         swap("f(x)", "g"), "async def f():\n    async for a in g:\n        pass\n    else:\n        b\n"),
    Case("match subject", "match f(x):\n    case A(b=1): pass\n", swap("f(x)", "g"),
         "match g:\n    case A(b=1): pass\n"),
    Case("match guard", "match x:\n    case 1 if f(x):\n        pass\n", swap("f(x)", "a or b"),
         "match x:\n    case 1 if a or b:\n        pass\n"),
    Case("type comment", "x = f(x)  # type: ignore[a]\n", swap("f(x)", "g"), "x = g  # type: ignore[a]\n"),
    Case("tabs", "if a:\n\tif b:\n\t\tf(x)\n", swap("f(x)", "g"), "if a:\n\tif b:\n\t\tg\n"),
    Case("no newline at the end", "f(x)", swap("f(x)", "g"), "g"),
    Case("carriage returns", "a\r\nif b:\r\n    f(x,\r\n      y)\r\n", swap("f(x,\r\n      y)", "g({p})", p="y"),
         "a\r\nif b:\r\n    g(y)\r\n"),
    Case("line continuation", "y = a + \\\n    f(x)\n", swap("f(x)", "g"), "y = a + \\\n    g\n"),
    Case("body on a continued header", "if a: \\\n    f(x)\n", swap("f(x)", "g"), "if a: \\\n    g\n"),
    Case("less indented arguments", "if a:\n    f(\n  x)\n", swap("x", "g"), "if a:\n    f(\n  g)\n"),
    Case("string over lines", "if a:\n    f('''\nx''', x)\n", swap("x", "g"), "if a:\n    f('''\nx''', g)\n"),
    Case("wide characters", "é = 'ü😀', f(x)\n", swap("f(x)", "g({a})", a="x"), "é = 'ü😀', g(x)\n"),
    Case("part over lines", "y = f(a +\n      b)\n", swap("f(a +\n      b)", "{p}", p="a +\n      b"),
         "y = (a +\n      b)\n"),
    Case("part over lines in brackets", "y = f(a +\n      b)\n", swap("f(a +\n      b)", "g({p})", p="a +\n      b"),
         "y = g(a +\n      b)\n"),
    Case("comment in a part", "y = f(a,\n  [b,  # c\n  d])\n", swap("f(a,\n  [b,  # c\n  d])", "g({p})",
         p="[b,  # c\n  d]"), "y = g([b,  # c\n  d])\n"),
    Case("literal braces", "y = f(x)\n", swap("f(x)", "{{'a': {p}}}", p="x"), "y = {'a': x}\n"),
    Case("loop over its modules", "def f(self, x):\n  for i in range(len(self.l)):\n    x = self.l[i](x)  # c\n",
         lambda n: [e.replace(n("i"), "layer"), e.replace(n("range(len(self.l))"), "{s}", s=n("self.l")),
                    e.replace(n("self.l[i]"), "layer")],
         "def f(self, x):\n  for layer in self.l:\n    x = layer(x)  # c\n"),
    Case("nested calls of one statement", "y = f(g(x), h(x))\n",
         lambda n: [e.replace_callee(n("f(g(x), h(x))"), "a.b"), e.replace(n("g(x)"), "c"),
                    e.set_argument(n("h(x)"), "k", "1")], "y = a.b(c, h(x, k=1))\n"),
    Case("import placeholder", "y = torch.autocast('cuda')\n",
         lambda n: [e.replace_callee(n("torch.autocast('cuda')"), "{runtime}.autocast")],
         "y = rt.runtime.autocast('cuda')\n"),
]  # fmt: skip

CHAINED = "f(\n        a  # c\n        + 1,\n    )"
CHAIN = f"{CHAINED}\n    .g()\n    .h(b)"
ARGUMENTS = [
    Case("added", "f(x)\n", lambda n: [e.set_argument(n("f(x)"), "k", "{v}", v=n("x"))], "f(x, k=x)\n"),
    Case("added to none", "f()\n", lambda n: [e.set_argument(n("f()"), "k", "True")], "f(k=True)\n"),
    Case("replaced", "f(k = 1, j=2)\n", lambda n: [e.set_argument(n("f(k = 1, j=2)"), "k", "None")],
         "f(k = None, j=2)\n"),
    Case("after a trailing comma", "f(\n    x,\n    y,  # c\n)\n",
         lambda n: [e.set_argument(n("f(\n    x,\n    y,  # c\n)"), "k", "1")],
         "f(\n    x,\n    y,  # c\n    k=1,\n)\n"),
    Case("after a comment", "f(\n    x,\n    y  # c\n)\n",
         lambda n: [e.set_argument(n("f(\n    x,\n    y  # c\n)"), "k", "1")],
         "f(\n    x,\n    y,  # c\n    k=1\n)\n"),
    Case("hanging brackets", "f(x,\n  y)\n", lambda n: [e.set_argument(n("f(x,\n  y)"), "k", "1")],
         "f(x,\n  y, k=1)\n"),
    Case("unwrapped", "x = f(a).g().h(b)\n", lambda n: [e.unwrap(n("f(a).g().h(b)"), n("f(a)"))], "x = f(a)\n"),
    Case("unwrapped and changed", "x = (\n    f(\n        a  # c\n        + 1,\n    )\n    .g()\n    .h(b)\n)\n",
         lambda n: [e.unwrap(n(CHAIN), n(CHAINED)), e.set_argument(n(CHAINED), "k", "{b}", b=n("b"))],
         "x = (\n    f(\n        a  # c\n        + 1,\n        k=b,\n    )\n)\n"),
    Case("unwrapped in its own brackets", "x = (f(a)).g()\n",
         lambda n: [e.unwrap(n("(f(a)).g()"), n("f(a)"))], "x = (f(a))\n"),
    Case("after a generator", "f(a for a in b)\n",
         lambda n: [e.set_argument(n("f(a for a in b)"), "k", "1")], "f((a for a in b), k=1)\n"),
    Case("first removed", "f(x, y)\n", lambda n: [e.remove_argument(n("f(x, y)"), 0)], "f(y)\n"),
    Case("last removed", "f(x, k=y)\n", lambda n: [e.remove_argument(n("f(x, k=y)"), "k")], "f(x)\n"),
    Case("last of several lines removed", "f(\n  x,\n  y,\n)\n",
         lambda n: [e.remove_argument(n("f(\n  x,\n  y,\n)"), 1)], "f(\n  x,\n)\n"),
    Case("only one removed", "f(x)\n", lambda n: [e.remove_argument(n("f(x)"), 0)], "f()\n"),
    Case("elements removed", "return a, b, c\n", lambda n: [e.remove_elements(n("a, b, c"), [1, 2])], "return a,\n"),
    Case("elements on lines of their own removed", "y = (\n  a,\n  b,\n  c\n)\n",
         lambda n: [e.remove_elements(n("(\n  a,\n  b,\n  c\n)"), [0, 2])], "y = (\n  b,\n)\n"),
    Case("element removed beside a change", "y = (a, b, f(x))\n",
         lambda n: [e.remove_elements(n("(a, b, f(x))"), [0]), e.replace(n("x"), "z")], "y = (b, f(z))\n"),
]  # fmt: skip


HEADERS = [
    Case("first base", "class A:\n    x = 1\n",
         lambda n: [e.add_base(n("class A:\n    x = 1", ast.stmt), "{runtime}.B")],
         "class A(rt.runtime.B):\n    x = 1\n"),
    Case("before other bases", "class A(B, C):\n    x = 1\n",
         lambda n: [e.add_base(n("class A(B, C):\n    x = 1", ast.stmt), "D")], "class A(D, B, C):\n    x = 1\n"),
    Case("after other bases", "class A(B, m=1):\n    x = 1\n",
         lambda n: [e.add_base(n("class A(B, m=1):\n    x = 1", ast.stmt), "D", first=False)],
         "class A(B, D, m=1):\n    x = 1\n"),
    Case("before keywords", "class A(m=1): x = 1\n",
         lambda n: [e.add_base(n("class A(m=1): x = 1", ast.stmt), "D")], "class A(D, m=1): x = 1\n"),
    Case("empty brackets", "class A(): x = 1\n",
         lambda n: [e.add_base(n("class A(): x = 1", ast.stmt), "D")], "class A(D): x = 1\n"),
    Case("first decorator", "if a:\n    # c\n    def f():\n        pass\n",
         lambda n: [e.add_decorator(n("def f():\n        pass", ast.stmt), "d(1)")],
         "if a:\n    # c\n    @d(1)\n    def f():\n        pass\n"),
    Case("outermost decorator", "@a\nclass A:\n    x = 1\n",
         lambda n: [e.add_decorator(n("class A:\n    x = 1", ast.stmt), "d")], "@d\n@a\nclass A:\n    x = 1\n"),
    Case("innermost decorator", "@a  # c\nasync def f(): pass\n",
         lambda n: [e.add_decorator(n("async def f(): pass", ast.stmt), "d", outermost=False)],
         "@a  # c\n@d\nasync def f(): pass\n"),
    Case("parameters packed", "def f(self, a: int, b, c=2):\n    pass\n",
         lambda n: [e.pack_parameters(n("def f(self, a: int, b, c=2):\n    pass", ast.stmt), ["a", "c"], "p",
                                      annotation="tuple[{t}, ...]", t=n("int"))],
         "def f(self, p: tuple[int, ...], b):\n    pass\n"),
    Case("parameters packed on lines of their own", "def f(\n    a,\n    b,\n    c,\n):\n    pass\n",
         lambda n: [e.pack_parameters(n("def f(\n    a,\n    b,\n    c,\n):\n    pass", ast.stmt), ["b", "c"], "p")],
         "def f(\n    a,\n    p,\n):\n    pass\n"),
    Case("decorator removed", "@a\n@b(x)\ndef f(): pass\n",
         lambda n: [e.remove_decorator(n("def f(): pass", ast.stmt), n("b(x)"))], "@a\ndef f(): pass\n"),
    Case("both on one class", "class A:\n    x = 1\n",
         lambda n: [e.add_base(n("class A:\n    x = 1", ast.stmt), "B"),
                    e.add_decorator(n("class A:\n    x = 1", ast.stmt), "d")], "@d\nclass A(B):\n    x = 1\n"),
]  # fmt: skip

STATEMENTS = [
    Case("assignment renamed", "if a:\n    b.c = True  # c\n",
         lambda n: [e.replace_statement(n("b.c = True", ast.stmt), "{p}.d = 'x'", p=n("b"))],
         "if a:\n    b.d = 'x'  # c\n"),
    Case("with the comment behind it", "if a:\n    b()  # c\n    d\n",
         lambda n: [e.replace_commented(n("b()", ast.stmt), "# c\nx")], "if a:\n    # c\n    x\n    d\n"),
    Case("call to two assignments", "if a:\n    f(x)\n    z\n",
         lambda n: [e.replace_statement(n("f(x)", ast.stmt), "a.b = {v}\na.c = {v}", v=n("x"))],
         "if a:\n    a.b = x\n    a.c = x\n    z\n"),
    Case("call to a nested statement", "if a:\n\tf(x)\n",
         lambda n: [e.replace_statement(n("f(x)", ast.stmt), "if {v}:\n    y\nz", v=n("x"))],
         "if a:\n\tif x:\n\t\ty\n\tz\n"),
    Case("among semicolons", "a; f(x); b\n",
         lambda n: [e.replace_statement(n("f(x)", ast.stmt), "c\nd")], "a; c; d; b\n"),
    Case("on the line of its header", "if a: f(x)  # c\n",
         lambda n: [e.replace_statement(n("f(x)", ast.stmt), "c\nd")], "if a: c; d  # c\n"),
    Case("loop replaced", "for i in x:\n    f(i)\nz\n",
         lambda n: [e.replace_statement(n("for i in x:\n    f(i)", ast.stmt), "y = list({v})", v=n("x"))],
         "y = list(x)\nz\n"),
    Case("inserted before a decorated class", "if a:\n  @d\n  class A:\n    x = 1\n",
         lambda n: [e.insert_before(n("class A:\n    x = 1", ast.stmt), "b = 1")],
         "if a:\n  b = 1\n  @d\n  class A:\n    x = 1\n"),
    Case("inserted with a comment", "if a:\n    b\n",
         lambda n: [e.insert_before(n("b", ast.stmt), "# why\nc")], "if a:\n    # why\n    c\n    b\n"),
    Case("inserted after a loop", "for i in x:\n    f(i)\nz\n",
         lambda n: [e.insert_after(n("for i in x:\n    f(i)", ast.stmt), "y")], "for i in x:\n    f(i)\ny\nz\n"),
    Case("inserted at the end without newline", "if a:\r\n\tb",
         lambda n: [e.insert_after(n("b", ast.stmt), "if c:\n    d")],
         "if a:\r\n\tb\r\n\tif c:\r\n\t\td"),
    Case("inserted on a shared line", "if a: b; c\n",
         lambda n: [e.insert_before(n("c", ast.stmt), "d"), e.insert_after(n("b", ast.stmt), "e")],
         "if a: b; e; d; c\n"),
    Case("inserted and rewritten", "f(x)\n",
         lambda n: [e.insert_before(n("f(x)", ast.stmt), "y = {v}", v=n("x")), e.replace(n("x"), "y")],
         "y = x\nf(y)\n"),
    Case("removed", "a\nb\nc\n", lambda n: [e.remove_statement(n("b", ast.stmt))], "a\nc\n"),
    Case("removed from a block", "if a:\n    b\n    c\n", lambda n: [e.remove_statement(n("b", ast.stmt))],
         "if a:\n    c\n"),
    Case("removed from a longer body", "if a:\n    b\n    c\n", lambda n: [e.remove_statement(n("c", ast.stmt))], "if a:\n    b\n"),
    Case("removed from a body", "if a:\n    b\nc\n",
         lambda n: [e.remove_statement(n("b", ast.stmt))], "if a:\n    pass\nc\n"),
    Case("comment of a replaced body stays", "if a:\n    b  # c\n",
         lambda n: [e.remove_statement(n("b", ast.stmt))], "if a:\n    pass  # c\n"),
    Case("first of a line removed", "a; b; c\n", lambda n: [e.remove_statement(n("a", ast.stmt))], "b; c\n"),
    Case("last of a line removed", "a; b  # c\n", lambda n: [e.remove_statement(n("b", ast.stmt))], "a  # c\n"),
    Case("removed from its header's line", "if a: b\n",
         lambda n: [e.remove_statement(n("b", ast.stmt))], "if a: pass\n"),
    Case("decorated definition removed", "@a\ndef f():\n    b\nc\n",
         lambda n: [e.remove_statement(n("def f():\n    b", ast.stmt))], "c\n"),
]  # fmt: skip


@pytest.mark.parametrize(
    "case", EXPRESSIONS + ARGUMENTS + HEADERS + STATEMENTS, ids=lambda case: case.name.replace(" ", "-")
)
def test_edit_gives_exactly(case: Case, rewrite: Rewrite) -> None:
    assert rewrite(case.before, case.make, runtime="rt.runtime") == case.after


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python does not parse type parameters")
def test_type_parameters_are_kept(rewrite: Rewrite) -> None:
    before = "def f[T: int](x: T = g(1)) -> T:\n    return x\n"
    assert rewrite(before, swap("g(1)", "h")) == before.replace("g(1)", "h")


REFUSED = [
    Case("comment between arguments", "f(x,  # c\n  y)\n", swap("f(x,  # c\n  y)", "g({p})", p="x"),
         "a comment would be lost: # c"),
    Case("comment of a removed statement", "a\nb  # c\n", lambda n: [e.remove_statement(n("b", ast.stmt))],
         "a comment would be lost: # c"),
    Case("comment in a replaced loop", "for i in x:\n    # c\n    f(i)\n",
         lambda n: [e.replace_statement(n("for i in x:\n    # c\n    f(i)", ast.stmt), "y")],
         "a comment would be lost: # c"),
    Case("lone carriage returns", "a = f(x)\rb = 1\r", swap("f(x)", "g"), "lone carriage return"),
    Case("form feed", "if a:\n\x0c    f(x)\n", swap("f(x)", "g"), "form feed"),
    Case("form feed between", "f(x,\n\x0c  y)\n", swap("x", "g"), "form feed"),
    Case("compound on a shared line", "a; f(x)\n",
         lambda n: [e.replace_statement(n("f(x)", ast.stmt), "if b:\n    c")], "line of its own"),
    Case("missing part", "f(x)\n", swap("f(x)", "g({y})"), "neither a part nor an import"),
    Case("missing argument", "f(x)\n", lambda n: [e.remove_argument(n("f(x)"), "k")], "no argument 'k'"),
    Case("comment of a removed element", "y = (a,\n  b,  # c\n  d)\n",
         lambda n: [e.remove_elements(n("(a,\n  b,  # c\n  d)"), [1])], "a comment would be lost: # c"),
    Case("missing parameter", "def f(a, *, b):\n    pass\n",
         lambda n: [e.pack_parameters(n("def f(a, *, b):\n    pass", ast.stmt), ["a", "b"], "p")], "not found"),
    Case("elif is no statement", "if a:\n    b\nelif c:\n    d\n",
         lambda n: [e.remove_statement(n("elif c:\n    d", ast.stmt))], "elif"),
    Case("overlapping edits", "f(g(x))\n",
         lambda n: [e.replace_statement(n("f(g(x))", ast.stmt), "y"), e.replace(n("x"), "z")], "overlap"),
    Case("edit inside a replaced expression", "f(g(x))\n",
         lambda n: [e.replace(n("f(g(x))"), "h({p})", p=n("g(x)")), e.set_argument(n("g(x)"), "k", "1")], "overlap"),
    Case("two edits of one expression", "f(x)\n",
         lambda n: [e.replace(n("f(x)"), "g"), e.replace(n("f(x)"), "h")], "overlap"),
    Case("slice as an expression", "a[1:2]\n", swap("1:2", "x"), "not found"),
]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name.replace(" ", "-"))
def test_edit_refuses_and_says_why(case: Case, rewrite: Rewrite) -> None:
    with pytest.raises(CannotFix, match=case.after):
        rewrite(case.before, case.make)


def test_edit_of_a_deep_expression_refuses() -> None:
    tree = ast.parse("f(x)\ng = 1")
    call = tree.body[0]
    assert isinstance(call, ast.Expr)
    source = Source.from_bytes(Path("deep.py"), b"f(x)" + b"+a" * 5_000 + b"\ng = 1\n")
    with pytest.raises(CannotFix, match=r"deep|recursion"):
        text_edits([e.replace(call.value, "g")], {}, source, keep_comments=True)


def test_unsafe_fix_may_lose_a_comment(rewrite: Rewrite) -> None:
    make = swap("f(x,  # c\n  y)", "g({p})", p="x")
    assert rewrite("f(x,  # c\n  y)\n", make, keep_comments=False) == "g(x)\n"


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="positions in f-strings are right from Python 3.12 on"
)
def test_expression_in_an_f_string_is_refused(rewrite: Rewrite) -> None:
    with pytest.raises(CannotFix, match="f-string"):
        rewrite("y = f'{f(1)}'\n", swap("f(1)", "g"))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="nothing in an f-string is edited before Python 3.12")
@pytest.mark.parametrize(
    ("before", "new", "is_read"),
    [
        ("y = f'{f(1)}'\n", 'g("a")', True),
        ("y = f'{f(1)}'\n", "g('a')", False),
        ("y = f'{f(1)}'\n", "g('''a''')", False),
        ("y = f'''{f(1)} \"b\"'''\n", 'g("a")', True),
        ("y = f'''{f(1)}'''\n", "g('a')", True),
        ("y = f'{f(1)}'\n", 'g("\\n")', False),
        ("y = f'{h('b')} {f(1)}'\n", "g('a')", True),
        ("y = f'{x} \\n', f(1)\n", "g('a\\n')", True),
        ('y = f"{f(1):>{w}}"\n', "g(f'{{a}}')", True),
        ('y = f"{f(1):>{w}}"\n', "g(f'{{a}} \"b\"')", False),
    ],
)
def test_f_strings_stay_readable_for_older_pythons(
    before: str, new: str, is_read: bool, rewrite: Rewrite
) -> None:
    if is_read:
        written = new.replace("{{", "{").replace("}}", "}")
        assert rewrite(before, swap("f(1)", new)) == before.replace("f(1)", written)
    else:
        with pytest.raises(CannotFix, match="could not read"):
            rewrite(before, swap("f(1)", new))


def test_f_string_as_a_part_is_kept(rewrite: Rewrite) -> None:
    assert rewrite("y = f(f'{a!r:>{b}}')\n", swap("f(f'{a!r:>{b}}')", "g({p})", p="f'{a!r:>{b}}'")) == (
        "y = g(f'{a!r:>{b}}')\n"
    )


@pytest.mark.parametrize(
    "data",
    [
        "\ufeffx = 'é', f(x)\r\n".encode(),
        "# -*- coding: latin-1 -*-\nx = 'é', f(x)\n".encode("latin-1"),
        "# coding: cp1252\nx = '€', f(x)\n".encode("cp1252"),
    ],
    ids=["bom", "latin-1", "cp1252"],
)
def test_encoded_files_are_edited_in_characters(data: bytes, rewrite: Rewrite) -> None:
    after = rewrite(data, swap("f(x)", "g({a})", a="x"))
    assert after.endswith((", g(x)\n", ", g(x)\r\n"))
