"""OVH604: versions parsed and packages looked for in hot code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Applicability, Heat, Rule

from .._literals import is_text
from .._module_level import constant_fix
from .._process_state import changes_environment, changes_search

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH604",
    name="version-parse-per-step",
    summary="version parsed or package looked for on every step",
    triggers=(b"ersion", b"find_spec", b"which", b"distribution", b"entry_points"),
    heat=Heat.STEP,
    brief=True,
    preview=True,
)

_PARSERS = frozenset(
    {"packaging.version.parse", "packaging.version.Version", "pkg_resources.parse_version"}
    | {"distutils.version.LooseVersion", "setuptools._distutils.version.LooseVersion"}
)
# The versions that these give can all be compared with each other.
_STRICT = frozenset({"packaging.version.parse", "packaging.version.Version"})
_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc|\.dev|\.post)\d+)*(\+[a-z0-9]+)?")
_SEARCHES = frozenset(
    {"importlib.util.find_spec", "importlib.metadata.version", "importlib_metadata.version"}
    | {"pkg_resources.get_distribution", "pkg_resources.iter_entry_points"}
    | {f"importlib.metadata.{name}" for name in ("distribution", "distributions", "entry_points")}
)
_FILES = frozenset({"shutil.which"})
# How `torch.__version__` is compared as a version: `!=`, `in` and `is` are those of any text.
_PARSING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq)
# What a comparison says of its left side, and of its right one.
_RELATIONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("BEFORE", "AFTER"),
    ast.LtE: ("AT_MOST", "AT_LEAST"),
    ast.Gt: ("AFTER", "BEFORE"),
    ast.GtE: ("AT_LEAST", "AT_MOST"),
    ast.NotEq: ("NOT", "NOT"),
    ast.NotIn: ("NOT", "NOT"),
}
_COMPARERS = frozenset({"is_torch_version", "is_torch_greater_or_equal", "compare_versions"})


@RULE.on(ast.Call, named=_PARSERS | _SEARCHES | _FILES | _COMPARERS)
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A parsed version, a package looked for, or a helper that compares versions."""
    name = ctx.qualified_name(node.func)
    if name is None or ctx.is_compiled(node):
        return
    if name in _PARSERS:
        if _is_inner(node, ctx):
            return
        what, word = "a version is parsed with a regular expression each time", "VERSION"
    elif name in _SEARCHES:
        if not all(isinstance(value, (ast.Constant, ast.Attribute)) for value in node.args):
            return  # one package after the other
        what, word = f"{name} searches the import path each time", "FOUND"
    elif name in _FILES:
        what, word = f"{name} looks for a program in every folder of PATH each time", "FOUND"
    elif name.rpartition(".")[2] in _COMPARERS and not name.startswith("."):
        what, word = "the version of torch is parsed and compared each time", "TORCH_IS"
    else:
        return
    whole = _test_of(node, ctx)
    safe = all(_is_known(side, ctx) for side in _sides(whole))
    yield ctx.finding(
        RULE,
        node,
        f"{what}, though the answer is the same for the whole process",
        help="ask once, when the module is imported",
        fix=None
        if any(_may_raise(item, ctx) for item in ast.walk(whole) if isinstance(item, ast.Call))
        else constant_fix(
            whole,
            _stem(whole, word, ctx),
            Applicability.SAFE if safe else Applicability.UNSAFE,
            ctx,
            changes=_changes(name, ctx),
        ),
    )


@RULE.on(ast.Compare)
def check_compare(node: ast.Compare, ctx: Context) -> Iterator[Finding]:
    """``torch.__version__ >= "2.4"``, which parses both sides."""
    sides = [node.left, *node.comparators]
    if (
        len(sides) != 2
        or not any(is_text(side) for side in sides)
        or not any(ctx.qualified_name(side) == "torch.__version__" for side in sides)
        or not isinstance(node.ops[0], _PARSING)
        or ctx.is_compiled(node)
    ):
        return
    yield ctx.finding(
        RULE,
        node,
        "comparing torch.__version__ parses both versions each time",
        help="compare once, when the module is imported",
        fix=constant_fix(node, _stem(node, "TORCH_IS", ctx), Applicability.SAFE, ctx),
    )


def _changes(name: str, ctx: Context) -> list[ast.AST]:
    """Where the file changes what a question is about: nothing changes the version of what is imported."""
    if name in _FILES:
        return changes_environment({"PATH", "PATHEXT"}.__contains__, ctx)
    return changes_search(ctx) if name in _SEARCHES else []


def _is_inner(node: ast.Call, ctx: Context) -> bool:
    """Whether the call is part of another, or the right side of a comparison whose left side is reported."""
    parent: ast.AST | None = ctx.parent(node)
    if isinstance(parent, ast.Attribute):
        parent = ctx.parent(parent)
    if isinstance(parent, ast.Call) and ctx.qualified_name(parent.func) in _PARSERS:
        return True
    return (
        isinstance(parent, ast.Compare)
        and node is not parent.left
        and isinstance(parent.left, ast.Call)
        and ctx.qualified_name(parent.left.func) in _PARSERS
    )


def _test_of(node: ast.Call, ctx: Context) -> ast.expr:
    """The comparison that the call is a side of, or the call itself."""
    parent = ctx.parent(node)
    return parent if isinstance(parent, ast.Compare) else node


def _sides(whole: ast.expr) -> list[ast.expr]:
    """What is compared, or the one version that is parsed."""
    return [whole.left, *whole.comparators] if isinstance(whole, ast.Compare) else [whole]


def _is_known(side: ast.expr, ctx: Context) -> bool:
    """Whether it parses the version of torch or a literal, and certainly does not raise.

    Another package than torch may be about to be imported itself.
    """
    if not isinstance(side, ast.Call) or ctx.qualified_name(side.func) not in _STRICT:
        return False
    if len(side.args) != 1 or side.keywords:
        return False
    (version,) = side.args
    if isinstance(version, ast.Constant):
        return isinstance(version.value, str) and _VERSION.fullmatch(version.value) is not None
    return ctx.qualified_name(version) == "torch.__version__"


def _may_raise(node: ast.Call, ctx: Context) -> bool:
    """Whether a call raises where a package is not installed: the import of the module must not."""
    asked = [item.value for item in node.args if isinstance(item, ast.Constant)]
    package = asked[0] if asked and isinstance(asked[0], str) else ""
    if ctx.qualified_name(node.func) == "importlib.util.find_spec":
        return "." in package  # it imports what holds the package
    is_asked_for = ctx.qualified_name(node.func) in _SEARCHES or package[:1].isalpha()
    return is_asked_for and package != "torch" and ctx.qualified_name(node.func) not in _PARSERS


def _stem(node: ast.expr, word: str, ctx: Context) -> str:
    """A name for the constant: the word, and the version or package that is asked about."""
    texts = [
        item.value
        for item in ast.walk(node)
        if isinstance(item, ast.Constant) and isinstance(item.value, str)
    ]
    spelled = {">=": "AT_LEAST", ">": "AFTER", "<": "BEFORE", "<=": "AT_MOST", "==": "", "!=": "NOT"}
    words = [spelled.get(text, text) for text in texts]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        (operator,) = node.ops
        if isinstance(operator, ast.Is):
            word = {"FOUND": "MISSING"}.get(word, word)  # `find_spec(...) is None`
        if any(ctx.qualified_name(item) == "torch.__version__" for item in ast.walk(node)):
            word = "TORCH_IS"
        is_left = not any(map(is_text, ast.walk(node.comparators[0])))
        words.insert(0, _RELATIONS.get(type(operator), ("", ""))[is_left])
    return "_".join([word, *filter(None, words)])
