"""What newer Pythons write: each of its forms is known to the walk, the rules and the fixes."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.config.run_settings import Settings
from overhead_lint.edits import imports, outline
from overhead_lint.edits.lines import splice
from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.outline import Outline
from overhead_lint.edits.strings import unnaming
from overhead_lint.edits.unused import removals
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.project.scan import _fields, scan
from overhead_lint.rule import Finding, Heat, Import
from overhead_lint.syntax.grammar import TEMPLATES, TRIES, is_lazy
from overhead_lint.syntax.source import Source

HAS_TEMPLATES = hasattr(ast, "TemplateStr")
HAS_LAZY_IMPORTS = "is_lazy" in ast.Import._fields
needs_templates = pytest.mark.skipif(not HAS_TEMPLATES, reason="template strings came with Python 3.14")
needs_lazy_imports = pytest.mark.skipif(not HAS_LAZY_IMPORTS, reason="lazy imports came with Python 3.15")

# What fields of classes of `ast` hold besides nodes, in all of Python 3.10 to 3.15.
PLAIN = frozenset(
    """Constant.kind Constant.value FunctionDef.name AsyncFunctionDef.name ClassDef.name Attribute.attr
    Name.id alias.name alias.asname arg.arg keyword.arg Global.names Nonlocal.names Import.is_lazy
    ImportFrom.is_lazy ImportFrom.module ImportFrom.level ExceptHandler.name MatchAs.name MatchStar.name
    MatchMapping.rest MatchClass.kwd_attrs MatchSingleton.value AnnAssign.simple comprehension.is_async
    FormattedValue.conversion Interpolation.conversion Interpolation.str TypeVar.name ParamSpec.name
    TypeVarTuple.name TypeIgnore.lineno TypeIgnore.tag""".split()  # noqa: SIM905
)
NODES = frozenset(
    """AnnAssign Assert Assign AsyncFor AsyncFunctionDef AsyncWith Attribute AugAssign Await BinOp BoolOp
    Break Call ClassDef Compare Constant Continue Delete Dict DictComp ExceptHandler Expr For FormattedValue
    FunctionDef GeneratorExp Global If IfExp Import ImportFrom Interpolation JoinedStr Lambda List ListComp
    Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton MatchStar MatchValue Name
    NamedExpr Nonlocal ParamSpec Pass Raise Return Set SetComp Slice Starred Subscript TemplateStr Try TryStar
    Tuple TypeAlias TypeVar TypeVarTuple UnaryOp While With Yield YieldFrom""".split()  # noqa: SIM905
)
"""The kinds of statements, expressions, handlers, patterns and type parameters of Python 3.10 to 3.15."""
KINDS = (ast.stmt, ast.expr, ast.excepthandler, ast.pattern, getattr(ast, "type_param", ast.stmt))


def lint(code: str, text: str) -> list[Finding]:
    rules = packs.select(packs.load(), [code], [])
    source = Source.from_bytes(Path("train.py"), text.encode())
    return Linter(rules, Settings(min_heat=Heat.STEP)).lint(source)


def lines(code: str, text: str) -> list[int]:
    return [finding.span.line for finding in lint(code, text)]


IN_FUNCTION = """{}


def train(model, loader):
    for x in loader:
        step(model, x)


def step(model, x):
    {}
    model(x).backward()
"""


def in_step(*statements: str, header: str = "import torch") -> str:
    """A module with a training loop, whose statements begin with the seventh line."""
    head = [
        header,
        "",
        "",
        "def train(model, loader, many):",
        "    for x in loader:",
        "        loss = model(x)",
    ]
    return "\n".join([*head, *(f"        {one}" for one in statements), "        loss.backward()", ""])


def test_this_python_has_no_syntax_that_nobody_has_looked_at() -> None:
    """Fails on the Python that brings more; then rules, scopes and fixes have to be gone through."""
    concrete = {
        one.__name__
        for one in vars(ast).values()
        if isinstance(one, type)
        and issubclass(one, KINDS)
        and one not in KINDS
        # Old names, which Python makes no nodes of.
        and one.__module__ == "ast"
        and one.__name__ not in {"Num", "Str", "Bytes", "NameConstant", "Ellipsis"}
    }
    assert concrete - NODES == set()


@pytest.mark.parametrize("name", sorted(NODES))
def test_the_walk_goes_into_all_fields_that_hold_nodes(name: str) -> None:
    node_class = getattr(ast, name, None)
    if node_class is None:
        pytest.skip("this Python lacks it")
    left_out = {"ctx", "op", "ops", "type_comment"}
    wanted = {f for f in node_class._fields if f"{name}.{f}" not in PLAIN and f not in left_out}
    assert set(_fields(node_class)) == wanted


def test_the_walk_leaves_out_numbers_and_texts_of_later_pythons() -> None:
    class Import(ast.Import):
        _fields = ("names", "is_lazy")

    class Later(ast.Import):
        _fields = ("names", "level_of_laziness", "why")
        _field_types = {"names": list[ast.alias], "level_of_laziness": int, "why": str | None}  # noqa: RUF012

    assert _fields(Import) == ("names",)
    assert _fields(Later) == ("names",)


@pytest.mark.skipif(not hasattr(ast, "TypeAlias"), reason="came with Python 3.12")
def test_a_type_alias_binds_its_name() -> None:
    tree = ast.parse("type Pair[T] = tuple[T, T]")
    assert list(scan(tree).scopes[tree].names) == ["Pair"]


def test_both_kinds_of_try_are_known() -> None:
    assert {one.__name__ for one in TRIES} == {"Try", "TryStar"} & vars(ast).keys()


def test_template_strings_are_known_where_there_are_any() -> None:
    assert [one.__name__ for one in TEMPLATES] == (["TemplateStr"] if HAS_TEMPLATES else [])


def test_no_edit_goes_inside_what_keeps_the_text_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """With lists in the place of template strings, which this Python may lack."""
    monkeypatch.setattr(outline, "TEMPLATES", (ast.List,))
    source = Source.from_bytes(Path("a.py"), b"x = [f(1)]\ny = f(2)\n")
    laid_out = outline.outline(source)
    first, second = laid_out.tree.body
    assert isinstance(first, ast.Assign)
    assert isinstance(second, ast.Assign)
    assert isinstance(first.value, ast.List)
    with pytest.raises(CannotFix, match="inside a t-string"):
        laid_out.find(first.value.elts[0])
    assert laid_out.find(first.value).stmt is first
    assert laid_out.find(second.value).stmt is second


def with_late(*late: str, text: str) -> str:
    """A file after the import of the runtime was added, some of its imports taken to be lazy."""
    source = Source.from_bytes(Path("/nowhere/example.py"), text.encode())
    tree: Any = ast.parse(text)
    for statement in tree.body:
        if ast.unparse(statement) in late:
            statement.is_lazy = 1
    names, edits = imports.resolve(
        [Import("overhead_lint", "runtime", "runtime")], Outline(source, tree), 10_000
    )
    assert names == {"runtime": "runtime"}
    return splice(source.text, sorted(edits))


def test_an_import_is_added_as_lazy_as_those_of_torch() -> None:
    text = "import os\n\nimport torch\nfrom torch import nn\n\nx = 1\n"
    lazy = with_late("import torch", "from torch import nn", text=text)
    assert lazy.splitlines()[2:4] == ["import torch", "lazy from overhead_lint import runtime"]
    for late in ((), ("import torch",), ("from torch import nn",), ("import os",)):
        assert "lazy" not in with_late(*late, text=text)


def test_a_lazy_import_of_torch_brings_it_not_before_the_file_does() -> None:
    """The file sets what torch reads when it starts, between the two."""
    text = "import torch.types\nimport os\n\nos.environ['A'] = '1'\nimport torch\n\nx = 1\n"
    after = with_late("import torch.types", text=text)
    assert after.index("os.environ") < after.index("runtime")


def test_an_import_is_lazy_where_ast_says_so() -> None:
    (statement,) = ast.parse("import torch").body
    assert not is_lazy(statement)
    statement.is_lazy = 1  # type: ignore[attr-defined]
    assert is_lazy(statement)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lazy import torch", {"torch"}),
        ("lazy import torch.nn as nn, os", {"nn", "os"}),
        ("lazy from torch import (\n    cuda,\n    nn as net,\n)", {"cuda", "net"}),
    ],
)
@needs_lazy_imports
def test_lazy_imports_bind_names(text: str, expected: set[str]) -> None:
    tree = ast.parse(text)
    assert set(scan(tree).scopes[tree].names) == expected
    assert lines("OVH404", in_step("loss.item()", header=text)) == [len(text.splitlines()) + 6]


@needs_lazy_imports
def test_an_import_in_a_step_goes_where_a_lazy_one_does_the_same() -> None:
    (found,) = lint("OVH605", IN_FUNCTION.format("lazy import torch", "import torch"))
    assert found.fix is not None
    assert len(found.fix.edits) == 1  # the statement goes, and nothing comes


@needs_lazy_imports
def test_an_import_in_a_step_is_not_moved_to_where_torch_is_not_loaded_yet() -> None:
    (found,) = lint("OVH605", IN_FUNCTION.format("lazy import torch", "from torch import nn"))
    assert found.fix is None


def test_an_import_in_a_step_stays_where_the_file_says_which_are_lazy() -> None:
    statement = "from torch import nn"
    (found,) = lint("OVH605", IN_FUNCTION.format("import torch", statement))
    assert found.fix is not None
    (found,) = lint("OVH605", IN_FUNCTION.format('__lazy_modules__ = ["torch"]\nimport torch', statement))
    assert found.fix is None


@needs_lazy_imports
def test_a_lazy_import_that_nothing_uses_any_more_goes() -> None:
    before = "lazy from torch import autocast\nimport os\n\nx = autocast\ny = os\n"
    after = Source.from_bytes(Path("a.py"), before.replace("x = autocast", "x = 1").encode())
    edits = removals(Source.from_bytes(Path("a.py"), before.encode()), after)
    assert splice(after.text, edits) == "import os\n\nx = 1\ny = os\n"


@needs_templates
def test_calls_in_template_strings_run() -> None:
    """Values in braces are evaluated at once; what they would look like is not worked out."""
    assert lines("OVH404", in_step('show(t"{loss.item()}")')) == [7]
    assert lines("OVH404", in_step('show(t"{loss!r:>{loss.item()}}")')) == [7]
    assert lines("OVH404", in_step('print(f"{loss}")')) == [7]
    assert lines("OVH404", in_step('print(t"{loss}")')) == []


@needs_templates
def test_template_strings_are_no_texts() -> None:
    assert lines("OVH203", in_step('many[f"{x.device}-{x.dtype}"]')) == [7]
    assert lines("OVH203", in_step('many[t"{x.device}-{x.dtype}"]')) == []
    log = "import logging\nimport torch\nlog = logging.getLogger()"
    assert lines("OVH606", in_step('log.debug(f"{loss}")', header=log)) == [9]
    assert lines("OVH606", in_step('log.debug(t"{loss}")', header=log)) == []


@needs_templates
def test_names_in_template_strings_are_bound_and_read() -> None:
    tree = ast.parse('t"{(w := n)} {[m for m in many]}"')
    scanned = scan(tree)
    assert set(scanned.scopes[tree].names) == {"w"}
    assert {one.id for one in scanned.within(tree, ast.Name)} == {"w", "n", "m", "many"}
    before = Source.from_bytes(Path("a.py"), b"import os\n\nx = os.a\ny = t'{os.b}'\n")
    after = Source.from_bytes(Path("a.py"), b"import os\n\nx = 1\ny = t'{os.b}'\n")
    assert removals(before, after) == []


@needs_templates
def test_expressions_in_template_strings_are_not_edited() -> None:
    source = Source.from_bytes(Path("a.py"), b"y = t'{f(1)!r:>{g(2)}}', f(1)\n")
    laid_out = outline.outline(source)
    calls = [node for node in ast.walk(laid_out.tree) if isinstance(node, ast.Call)]
    inside = [node for node in calls if node.col_offset < 20]
    assert len(inside) == 2
    for node in inside:
        with pytest.raises(CannotFix, match="inside a t-string"):
            laid_out.find(node)
    for node in calls:
        assert node in inside or laid_out.find(node)


@needs_templates
def test_texts_in_template_strings_name_nothing() -> None:
    tree = ast.parse("x = t'torch {a}'")
    assert [type(node) for node in unnaming({"torch"}, tree)] == list(TEMPLATES)


@pytest.mark.skipif(not HAS_TEMPLATES, reason="came with Python 3.14")
def test_handlers_need_no_parentheses() -> None:
    body = ("try:", "    y = loss.item()", "except ValueError, RuntimeError:", "    x.item()")
    plain = (*body[:2], "except (ValueError, RuntimeError):", body[3])
    assert lines("OVH404", in_step(*body)) == lines("OVH404", in_step(*plain))


@needs_lazy_imports
@pytest.mark.parametrize(
    ("spread", "plain"),
    [
        ("rows = [*(loss, loss) for _ in many]", "rows = [loss for _ in many]"),
        ("rows = {**{'a': loss} for _ in many}.values()", "rows = {'a': loss for _ in many}.values()"),
    ],
)
def test_starred_comprehensions_hold_what_is_spread(spread: str, plain: str) -> None:
    use = ("for row in rows:", "    if row > 0:", "        print(1)")
    found = lines("OVH404", in_step(plain, *use))
    assert lines("OVH404", in_step(spread, *use)) == found
