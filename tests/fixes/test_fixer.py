"""Fixing a file to a fixed point: rounds, conflicts, refusals, and never half a fix."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from overhead_lint import edits as e
from overhead_lint.fixing.fixer import CannotFix, FixResult, fix_file, plan
from overhead_lint.rule import Applicability, Edit, Finding, Fix, Heat, Import, Warmth
from overhead_lint.syntax.source import Source

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE
MakeFix = Callable[[ast.Call], "Fix | None"]


def finding(source: Source, node: ast.expr, fix: Fix | None, code: str = "OVH901") -> Finding:
    return Finding(source.path, source.span(node), code, "example", "message", Warmth(Heat.STEP, ""), fix=fix)


def fix_of(*edits: Edit, safe: bool = True, imports: tuple[Import, ...] = ()) -> Fix:
    return Fix(SAFE if safe else UNSAFE, "rewrite", edits, imports)


def calls(source: Source, name: str) -> Iterator[ast.Call]:
    """Calls of a function by its bare or dotted name."""
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.Call) and source.slice(node.func) == name:
            yield node


def fixed(
    text: str, name: str, make: MakeFix, *, unsafe: bool = False, file: str = "/nowhere/a.py"
) -> FixResult:
    """Fix all calls of a name."""
    source = Source.from_bytes(Path(file), text.encode())
    return fix_file(
        source, lambda current: [finding(current, c, make(c)) for c in calls(current, name)], unsafe=unsafe
    )


def to_runtime(call: ast.Call) -> Fix:
    return fix_of(
        e.replace_callee(call, "{runtime}.autocast"), imports=(e.runtime_import("overhead_lint.runtime"),)
    )


def test_fixes_of_one_file_share_their_import() -> None:
    text = "import torch\n\na = torch.autocast(1)\nb = torch.autocast(2)\n"
    result = fixed(text, "torch.autocast", to_runtime)
    assert result.after_text == (
        "from overhead_lint import runtime\n\na = runtime.autocast(1)\nb = runtime.autocast(2)\n"
    )
    assert len(result.applied) == 2
    assert not result.remaining
    assert not result.failures


def test_nested_places_are_fixed_in_later_rounds() -> None:
    result = fixed("y = f(f(f(x)))\n", "f", lambda c: fix_of(e.replace(c, "g({x})", x=c.args[0])))
    assert result.after_text == "y = g(g(g(x)))\n"
    assert len(result.applied) == 3


def test_second_run_changes_nothing() -> None:
    once = fixed("import torch\nwith torch.autocast(1): f(torch.autocast(2))\n", "torch.autocast", to_runtime)
    assert once.changed
    again = fixed(once.after_text, "torch.autocast", to_runtime)
    assert not again.changed
    assert not again.applied


def test_unsafe_fix_waits_for_consent() -> None:
    def make(call: ast.Call) -> Fix:
        return fix_of(e.replace(call, "g()"), safe=False)

    assert not fixed("f()\n", "f", make).changed
    assert len(fixed("f()\n", "f", make).remaining) == 1
    assert fixed("f()\n", "f", make, unsafe=True).after_text == "g()\n"


def test_comment_makes_a_safe_fix_fail_and_keeps_the_finding() -> None:
    result = fixed("f(x,  # why\n  y)\n", "f", lambda c: fix_of(e.replace(c, "g({x})", x=c.args[0])))
    assert not result.changed
    assert [f.reason for f in result.failures] == ["a comment would be lost: # why"]
    assert len(result.remaining) == 1
    assert (
        str(result.failures[0]) == "/nowhere/a.py:1:1: OVH901 was not fixed: a comment would be lost: # why"
    )


def test_one_fix_that_fails_does_not_stop_the_others() -> None:
    result = fixed("f(x,  # why\n  y)\nf(z)\n", "f", lambda c: fix_of(e.replace(c, "g({x})", x=c.args[0])))
    assert result.after_text == "f(x,  # why\n  y)\ng(z)\n"
    assert len(result.failures) == len(result.applied) == 1


def test_fix_is_applied_as_a_whole_or_not_at_all() -> None:
    def make(call: ast.Call) -> Fix:
        return fix_of(e.replace(call.args[0], "z"), e.remove_argument(call, "missing"))

    result = fixed("f(x)\n", "f", make)
    assert not result.changed
    assert "no argument 'missing'" in result.failures[0].reason


def test_result_that_does_not_compile_is_dropped_alone() -> None:
    def make(call: ast.Call) -> Fix:
        return fix_of(e.replace(call, "await {x}", x=call.args[0]))

    result = fixed("def a():\n    f(x)\nasync def b():\n    f(x)\n", "f", make)
    assert result.after_text == "def a():\n    f(x)\nasync def b():\n    await x\n"
    assert [f.reason for f in result.failures] == ["the result does not compile"]


def test_file_that_never_compiled_is_still_fixed() -> None:
    result = fixed("return f(x)\n", "f", lambda c: fix_of(e.replace(c, "g()")))
    assert result.after_text == "return g()\n"


def test_fixes_that_undo_each_other_leave_the_file_alone() -> None:
    source = Source.from_bytes(Path("/nowhere/a.py"), b"f()\n")

    def lint(current: Source) -> list[Finding]:
        there = [finding(current, c, fix_of(e.replace(c, "g()"))) for c in calls(current, "f")]
        return there or [finding(current, c, fix_of(e.replace(c, "f()"))) for c in calls(current, "g")]

    result = fix_file(source, lint, unsafe=False)
    assert not result.changed
    assert not result.applied
    assert "undone by another" in result.failures[0].reason


def test_fix_that_never_ends_leaves_the_file_alone() -> None:
    result = fixed("f()\n", "f", lambda c: fix_of(e.replace(c, "f()(1)")))
    assert not result.changed
    assert "did not settle" in result.failures[0].reason


def test_fix_that_changes_nothing_is_a_failure() -> None:
    result = fixed("f(x)\n", "f", lambda c: fix_of(e.replace(c, "f({x})", x=c.args[0])))
    assert not result.changed
    assert [f.reason for f in result.failures] == ["its fix changes nothing"]


def test_character_that_the_encoding_lacks_is_refused() -> None:
    source = Source.from_bytes(Path("/nowhere/a.py"), "# coding: latin-1\nf('é')\n".encode("latin-1"))
    result = fix_file(
        source,
        lambda current: [finding(current, c, fix_of(e.replace(c, "g('€')"))) for c in calls(current, "f")],
        unsafe=False,
    )
    assert not result.changed
    assert "cannot hold '€'" in result.failures[0].reason


def test_result_that_would_be_read_in_another_encoding_is_refused() -> None:
    def lint(current: Source) -> list[Finding]:
        statement = ast.parse(current.text).body[0]
        cookie = fix_of(e.insert_before(statement, "# coding: latin-1\ng()"))
        return [finding(current, call, cookie) for call in calls(current, "f") if "g" not in current.text]

    result = fix_file(Source.from_bytes(Path("/nowhere/a.py"), "f('é')\n".encode()), lint, unsafe=False)
    assert not result.changed
    assert "another encoding" in result.failures[0].reason


@pytest.fixture
def usual_depth() -> Iterator[None]:
    """How deep calls may be where nothing changed that, as what others test does."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("usual_depth")
@pytest.mark.parametrize(
    "text",
    ["import os\rf()\r", "if a:\n\x0c    f()\n", "f()" + "+a" * 5_000 + "\n", "x = \\\n  f(\\\n)\n"],
    ids=["lone-cr", "form-feed", "deep", "backslashes"],
)
def test_odd_files_are_fixed_or_refused_but_never_broken(text: str) -> None:
    source = Source.from_bytes(Path("/nowhere/a.py"), text.encode())
    call = e.replace(ast.parse("f()").body[0].value, "g")  # type: ignore[attr-defined]
    result = fix_file(source, lambda current: [finding(current, call.node, fix_of(call))], unsafe=False)
    assert result.changed or result.failures
    assert result.changed or result.after_text == text


def test_plan_gives_edits_and_imports_in_order() -> None:
    source = Source.from_bytes(Path("/nowhere/a.py"), b"import torch\nx = torch.autocast(1)\n")
    call = next(calls(source, "torch.autocast"))
    first, second = plan(finding(source, call, to_runtime(call)), source)
    assert (first.start, first.end, first.text) == (13, 13, "from overhead_lint import runtime\n")
    assert source.text[second.start : second.end] + "|" + second.text == "torch|runtime"


def test_plan_of_a_finding_without_fix_is_refused() -> None:
    source = Source.from_bytes(Path("/nowhere/a.py"), b"f()\n")
    call = next(calls(source, "f"))
    with pytest.raises(CannotFix, match="no fix"):
        plan(finding(source, call, None), source)


UNUSED = [
    ("import torch\ntorch.autocast(1)\n", ""),
    ("from torch import amp as torch\ntorch.autocast(1)\n", ""),
    ("import torch  # keep\ntorch.autocast(1)\n", "import torch  # keep\n"),
    ("import torch, os\ntorch.autocast(1)\n", "import os\n"),
    ("import torch; os = 1\ntorch.autocast(1)\n", "os = 1\n"),
    ('"""Doc."""; import torch\ntorch.autocast(1)\n', '"""Doc."""\n'),
    ('"""Doc."""; import torch ;\ntorch.autocast(1)\n', '"""Doc."""\n'),
    ("import a; import torch; import b\ntorch.autocast(1)\n", "import a; import b\n"),
    ("import os; import torch  # keep\ntorch.autocast(1)\n", "import os; import torch  # keep\n"),
    ("import os; import \\\n torch\ntorch.autocast(1)\n", "import os; import \\\n torch\n"),
    ("import torch\n__all__ = ['torch']\ntorch.autocast(1)\n", "__all__ = ['torch']\n"),
    ("import torch\ntorch.autocast(1)\nx = 1  # type: torch.Tensor\n", "import torch\n"),
    ("import torch.nn\ntorch.autocast(1)\n", "import torch.nn\n"),
    ("try:\n    import torch\nfinally:\n    x = 1\ntorch.autocast(1)\n", "import torch\n"),
    ("import os\nimport torch\ntorch.autocast(1)\n", "import os\n"),
    ("import torch\ntorch.autocast(1)\ns = 'torch'\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nx: 'list[torch.Tensor]'\n", "import torch\n"),
    ('""">>> torch.f()"""\nimport torch\ntorch.autocast(1)\n', "import torch\n"),
    ("import torch\ntorch.autocast(1)\ns = getattr(m, 'torch')\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\npatch('a.torch.b')\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nx = 'torch.{}(1)'.format(n)\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nx = 'torch.%s(1)' % n\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nx = '''\n    a = 1\n    torch.f(a)\n'''\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nx = eval(f'torch.{n}')\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nx = eval('torch.nn.' + n)\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nx = timeit.timeit('torch.f(' + n)\n", "import torch\n"),
    ("import torch\ntorch.autocast(1)\nif 'torch' == n: globals()[n]\n", "import torch\n"),
]


@pytest.mark.parametrize(("text", "left"), UNUSED)
def test_import_goes_only_when_its_last_use_went(text: str, left: str) -> None:
    after = fixed(text, "torch.autocast", to_runtime).after_text
    assert "runtime.autocast(1)" in after
    assert left in after
    assert ("import torch" in after.replace("\\\n ", "")) == ("torch" in left)


@pytest.mark.parametrize(
    "prose",
    [
        '"""torch.f:\n\n>>> import torch\n>>> torch.f()\n"""',
        '"""The torch of old."""',
        "# as torch has it",
        "s = 'no torch here'",
        "s = f'{1} torch'",
        "b = s == 'torch._dynamo.guards'",
        "b = s in ('torch', 'numpy')",
        "m = sys.modules['torch.nn']",
        "m = sys.modules.get('torch')",
        "m = importlib.import_module('torch.nn')",
        "log = logging.getLogger('torch.nn')",
        "raise_('Failed to call torch.f(%s)', n)",
    ],
)
def test_name_that_is_only_told_to_readers_is_no_use(prose: str) -> None:
    after = fixed(f"{prose}\nimport torch\n\ntorch.autocast(1)\n", "torch.autocast", to_runtime).after_text
    assert "import torch\n" not in after.replace(prose, "")
    assert prose in after


def test_blank_line_of_a_removed_import_group_goes_too() -> None:
    text = "import os\n\nimport torch\n\nfrom .a import b\n\ntorch.autocast(os, b)\n"
    assert fixed(text, "torch.autocast", to_runtime).after_text == (
        "import os\n\nfrom overhead_lint import runtime\n\nfrom .a import b\n\nruntime.autocast(os, b)\n"
    )


@pytest.mark.parametrize("other", ["import torch.nn as nn", "from torch import nn"])
def test_module_of_another_import_is_no_use_of_the_name(other: str) -> None:
    after = fixed(f"import torch\n{other}\ntorch.autocast(nn)\n", "torch.autocast", to_runtime).after_text
    assert "import torch\n" not in after
    assert other in after


def test_blank_line_of_the_first_import_group_goes_too() -> None:
    text = "import torch\n\nfrom .a import os\n\ntorch.autocast(os)\n"
    after = fixed(text, "torch.autocast", to_runtime).after_text
    assert after == "from overhead_lint import runtime\n\nfrom .a import os\n\nruntime.autocast(os)\n"


def test_second_of_two_imports_goes_when_nothing_above_it_uses_the_first_at_once() -> None:
    text = (
        "import torch\n\ndef f():\n    torch.g()\n\ntorch.autocast(1)\n\nimport torch\n\nx = torch.ones(1)\n"
    )
    after = fixed(text, "torch.autocast", to_runtime).after_text
    assert after.count("import torch\n") == 1
    assert "import torch\nfrom overhead_lint import runtime\n\ndef f():\n    torch.g()\n\nruntime" in after


@pytest.mark.parametrize(
    ("imports", "left"),
    [
        ("import torch.amp\n", ""),
        ("import torch\nimport torch.amp\n", ""),
        ("import os, torch.amp\n", "import os\n"),
        ("import torch.amp, torch.nn\n", "import torch.nn\n"),
        ("import torch.amp\nx = 'torch'\n", "import torch.amp\nx = 'torch'\n"),
        ("import torch.amp as amp\nimport torch.amp\n", "import torch.amp as amp\n"),
    ],
)
def test_submodule_whose_last_use_went_away_goes(imports: str, left: str) -> None:
    after = fixed(f"{imports}torch.amp.autocast(1)\n", "torch.amp.autocast", to_runtime).after_text
    lines = [line for line in after.splitlines(keepends=True) if line.strip() and "runtime" not in line]
    assert "".join(lines) == left


def test_import_for_type_checkers_whose_last_use_went_away_goes() -> None:
    head = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
    text = f"{head}    import torch\n    from a import b\ntorch.autocast(b)\n"
    after = fixed(text, "torch.autocast", lambda call: fix_of(e.replace_callee(call, "g"))).after_text
    assert after == f"{head}    from a import b\ng(b)\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "try:\n    from a import f\nexcept ImportError:\n    import torch\n\n    f = print\n",
            "try:\n    from a import f\nexcept ImportError:\n    f = print\n",
        ),
        ("if a:\n    x = 1\nelse:\n    x = 2\n    import torch\n", "if a:\n    x = 1\nelse:\n    x = 2\n"),
        ("if a:\n    import torch\n", None),
        ("try:\n    import torch\n    has_it = True\nexcept ImportError:\n    has_it = False\n", None),
    ],
)
def test_import_in_a_block_of_the_module_goes_unless_it_is_tried(text: str, left: str | None) -> None:
    whole = f"{text}torch.autocast(1)\n"
    after = fixed(whole, "torch.autocast", lambda call: fix_of(e.replace_callee(call, "g")))
    assert after.after_text == f"{text if left is None else left}g(1)\n"


IN_FUNCTION = [
    (
        "    if a.b:\n        import torch\n    if a.b:\n        torch.autocast(1)\n",
        "    if a.b:\n        runtime.autocast(1)\n",
    ),
    (
        "    if a.b():\n        import torch\n    if a.b():\n        torch.autocast(1)\n",
        "    if a.b():\n        import torch\n    if a.b():\n        runtime.autocast(1)\n",
    ),
    (
        "    if a:\n        import torch\n    if b:\n        torch.autocast(1)\n",
        "    if a:\n        import torch\n    if b:\n        runtime.autocast(1)\n",
    ),
    (
        "    if a:  # why\n        import torch\n    if a:\n        torch.autocast(1)\n",
        "    if a:  # why\n        import torch\n    if a:\n        runtime.autocast(1)\n",
    ),
    (
        "    if a:\n        import torch\n        x = 1\n    torch.autocast(1)\n",
        "    if a:\n        x = 1\n    runtime.autocast(1)\n",
    ),
    (
        "    if a:\n        import torch as t\n        import torch\n    torch.autocast(t)\n",
        "    if a:\n        import torch as t\n    runtime.autocast(t)\n",
    ),
    (
        "    with suppress(E):\n        import torch\n        x = 1\n    torch.autocast(1)\n",
        "    with suppress(E):\n        import torch\n        x = 1\n    runtime.autocast(1)\n",
    ),
    ("    import torch\n    return torch.autocast(1)\n", "    return runtime.autocast(1)\n"),
    (
        "    import torch, os\n\n    return torch.autocast(os)\n",
        "    import os\n\n    return runtime.autocast(os)\n",
    ),
    (
        "    import torch  # why\n    return torch.autocast(1)\n",
        "    import torch  # why\n    return runtime.autocast(1)\n",
    ),
    (
        "    global torch\n    import torch\n    torch.autocast(1)\n",
        "    import torch\n    runtime.autocast(1)\n",
    ),
    (
        "    import torch\n    torch.autocast(1)\n    return lambda: torch\n",
        "    import torch\n    runtime.autocast(1)\n",
    ),
    (
        "    import torch\n    torch.autocast(1)\n    return eval('torch.ones(1)')\n",
        "    import torch\n    runtime.autocast(1)\n",
    ),
    (
        "    import torch\n    torch.autocast(1)\n    return locals()['torch']\n",
        "    import torch\n    runtime.autocast(1)\n",
    ),
    (
        '    """Torch, as torch is."""\n    import torch\n    return torch.autocast(1)\n',
        '    """Torch, as torch is."""\n    return runtime.autocast(1)\n',
    ),
]


@pytest.mark.parametrize(("body", "left"), IN_FUNCTION)
def test_import_of_a_function_goes_when_the_function_does_not_use_it(body: str, left: str) -> None:
    text = f"import torch\n\n\ndef f():\n{body}\n\ndef g():\n    return torch\n"
    assert left in fixed(text, "torch.autocast", to_runtime).after_text
    assert "return torch\n" in fixed(text, "torch.autocast", to_runtime).after_text


def test_package_keeps_imports_that_others_may_use() -> None:
    text = "import torch\ntorch.autocast(1)\n"
    assert "import torch\n" in fixed(text, "torch.autocast", to_runtime, file="pkg/__init__.py").after_text


def test_byte_order_mark_and_line_ends_survive() -> None:
    source = Source.from_bytes(
        Path("/nowhere/a.py"), "\ufeffimport torch\r\ntorch.autocast('é')\r\n".encode()
    )
    result = fix_file(
        source,
        lambda current: [finding(current, c, to_runtime(c)) for c in calls(current, "torch.autocast")],
        unsafe=False,
    )
    assert source.encode(result.after_text) == (
        "\ufefffrom overhead_lint import runtime\r\nruntime.autocast('é')\r\n".encode()
    )


def test_statements_behind_one_loop_come_in_the_order_of_their_fixes() -> None:
    text = "for x in xs:\n    late = late + f(late, x)\n    early = early + f(early, x)\ng(late, early)\n"

    def read_behind(call: ast.Call) -> Fix:
        source = Source.from_bytes(Path("/nowhere/a.py"), text.encode())
        loop = ast.parse(source.text).body[0]
        name = ast.unparse(call.args[0])
        return fix_of(
            e.insert_after(loop, f"{name} = {name}.item()"), e.replace(call, "h({a})", a=call.args[1])
        )

    result = fixed(text, "f", read_behind)
    assert "late = late.item()\nearly = early.item()\ng(" in result.after_text
    assert len(result.applied) == 2


@pytest.mark.parametrize("second", ["a = 2", "b = a"])
def test_statements_at_one_place_that_use_each_other_wait_for_the_next_round(second: str) -> None:
    lines = iter(("a = 1", second))

    def put(call: ast.Call) -> Fix:
        return fix_of(
            e.insert_before(ast.parse("f(1), f(2)\n").body[0], next(lines)),
            e.replace(call, "{x}", x=call.args[0]),
        )

    source = Source.from_bytes(Path("/nowhere/a.py"), b"f(1), f(2)\n")
    seen: list[str] = []

    def lint(current: Source) -> list[Finding]:
        seen.append(current.text)
        return [finding(current, c, put(c)) for c in calls(current, "f")] if len(seen) == 1 else []

    fix_file(source, lint, unsafe=False)
    assert seen[1] == "a = 1\n1, f(2)\n"


def kept_above_its_loop(text: str) -> MakeFix:
    """A fix that calls ``f`` once above the loop around it, and keeps the result by one name."""

    def make(call: ast.Call) -> Fix:
        loops = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For)]
        loop = max((one for one in loops if one.lineno < call.lineno), key=lambda one: one.lineno)
        return fix_of(e.insert_before(loop, "kept = {call}", call=call), e.replace(call, "kept"))

    return make


NESTED = """def g(xs, ys):
    for x in xs:
        h(f(1))
        for y in ys:
            h(f(y))
"""
IN_TURN = """def g(xs, ys):
    for x in xs:
        h(f(1))
    for y in ys:
        h(f(2))
"""


@pytest.mark.parametrize(("text", "count"), [(NESTED, 1), (IN_TURN, 2)])
def test_a_name_that_two_fixes_bring_is_brought_once_where_a_loop_comes_back_to_it(
    text: str, count: int
) -> None:
    rounds: list[str] = []

    def lint(current: Source) -> list[Finding]:
        rounds.append(current.text)
        make = kept_above_its_loop(text)
        return [finding(current, c, make(c)) for c in calls(current, "f")] if len(rounds) == 1 else []

    fix_file(Source.from_bytes(Path("/nowhere/a.py"), text.encode()), lint, unsafe=False)
    assert rounds[1].count("kept = ") == count


def test_two_constants_of_one_name_are_not_brought_in_one_round() -> None:
    text = "import a\n\nx = f(1)\n\nimport b\n\ny = f(2)\n"
    rounds: list[str] = []

    def lint(current: Source) -> list[Finding]:
        rounds.append(current.text)
        imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
        found = zip(calls(current, "f"), imports, strict=False)
        fixes = [
            (c, fix_of(e.insert_after(stmt, "_KEPT = {call}", call=c), e.replace(c, "_KEPT")))
            for c, stmt in found
        ]
        return [finding(current, c, fix) for c, fix in fixes] if len(rounds) == 1 else []

    fix_file(Source.from_bytes(Path("/nowhere/a.py"), text.encode()), lint, unsafe=False)
    assert rounds[1].count("_KEPT = ") == 1
