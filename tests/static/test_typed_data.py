"""Data are typed values: no message and no reason is taken apart, and heat is of functions alone."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOWN = ("overhead_lint/report/", "overhead_lint/api/reason_texts.py")
"""Where text is made: it may be cut, wrapped and escaped there."""
OF_OTHERS = tuple(f"overhead_lint/{name}/" for name in ("cli", "discovery", "dynamic", "probes"))
"""Where reasons are what torch says, and options those of the command line and of Git."""
TESTS = frozenset(
    {
        "count",
        "endswith",
        "find",
        "index",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rpartition",
        "rsplit",
        "split",
        "splitlines",
        "startswith",
    }
)
PATTERNS = frozenset({"findall", "finditer", "fullmatch", "match", "search", "sub"})


def sources() -> Iterator[tuple[str, ast.Module]]:
    """The modules of the linter and of its rules, but for those that make text."""
    for folder in ("overhead_lint", "rules"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(SHOWN):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def is_message(node: ast.AST, names: frozenset[str] = frozenset()) -> bool:
    """Whether an expression is the message of a finding, or one of some names for one."""
    if isinstance(node, ast.Name):
        return node.id in names
    return isinstance(node, ast.Attribute) and node.attr == "message"


def taken_apart(tree: ast.Module) -> Iterator[int]:
    """The lines where the text of a message is tested or taken apart."""
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    for scope in (tree, *functions):
        inside = list(ast.walk(scope))
        names = frozenset(
            target.id
            for one in inside
            if isinstance(one, ast.Assign) and is_message(one.value) and scope is not tree
            for target in one.targets
            if isinstance(target, ast.Name)
        )
        for node in inside:
            if isinstance(node, ast.Compare):
                sides = (node.left, *node.comparators)
                if any(isinstance(one, ast.In | ast.NotIn) for one in node.ops):
                    yield from (node.lineno for one in sides if is_message(one, names))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                asked = [node.func.value] if node.func.attr in TESTS else []
                asked += node.args if node.func.attr in PATTERNS else []
                yield from (node.lineno for one in asked if is_message(one, names))


REASONS = frozenset({"chain", "cold", "gate", "hot", "offer", "option", "reason", "why"})
"""Names of what says why a place runs as often as it does, and of what it hangs on."""


def is_reason(node: ast.AST) -> bool:
    """Whether an expression is a reason, a gate or an option, by its name."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name in REASONS


def reasons_taken_apart(tree: ast.Module) -> Iterator[int]:
    """The lines where a reason, a gate or an option is tested or taken apart as a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            asked = [node.func.value] if node.func.attr in TESTS else []
            asked += node.args if node.func.attr in PATTERNS else []
            yield from (node.lineno for one in asked if is_reason(one))
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and is_reason(node.value):
            yield node.lineno
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            yield from [node.lineno] if is_text(node.left) and is_reason(node.comparators[0]) else []


def is_text(node: ast.AST) -> bool:
    """Whether an expression is a text that is written out, or a constant by its name."""
    is_written = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_written or (isinstance(node, ast.Name) and node.id.lstrip("_").isupper())


def is_heat(node: ast.AST) -> bool:
    """Whether an expression is the heat of functions, by its name."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    owner = node.value if isinstance(node, ast.Attribute) else None
    owned = isinstance(owner, ast.Attribute | ast.Name) and "heat" in (
        getattr(owner, "attr", ""),
        getattr(owner, "id", ""),
    )
    return name.endswith("warmths") or (name == "functions" and owned)


def is_fixed(node: ast.AST | None) -> bool:
    """Whether an expression is a text that is written out, or a constant by its name."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def fixed_keys(tree: ast.Module) -> Iterator[int]:
    """The lines where something is asked of the heat of functions by a key that is no function of a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and is_heat(node.value) and is_fixed(node.slice):
            yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            if node.func.attr in {"get", "pop", "setdefault"} and is_heat(node.func.value):
                yield from [node.lineno] if is_fixed(node.args[0]) else []
        elif isinstance(node, ast.Compare) and any(map(is_heat, node.comparators)) and is_fixed(node.left):
            yield node.lineno


def test_no_code_goes_by_the_text_of_a_message() -> None:
    assert [f"{name}:{line}" for name, tree in sources() for line in taken_apart(tree)] == []


def test_no_code_goes_by_the_text_of_a_reason() -> None:
    assert [
        f"{name}:{line}"
        for name, tree in sources()
        if not name.startswith(OF_OTHERS)
        for line in reasons_taken_apart(tree)
    ] == []


@pytest.mark.parametrize(
    "line",
    [
        "if gate.startswith(EVERY): pass",
        "options = placement.why.split(TAB)[1:]",
        "if option.partition(':')[0] in known: pass",
        "kind = offer.kind if PRIVATE in offer else None",
        "if '!' in site.why: pass",
        "shown = its.hot[1:]",
        "found = NUMBER.search(warmth.chain)",
    ],
)
def test_what_goes_by_the_text_of_a_reason_is_seen(line: str) -> None:
    assert set(reasons_taken_apart(ast.parse(line)))


def test_the_heat_of_functions_has_no_other_keys() -> None:
    assert [f"{name}:{line}" for name, tree in sources() for line in fixed_keys(tree)] == []


@pytest.mark.parametrize(
    "line",
    [
        "if TRACED in finding.message: pass",
        "if one.finding.message not in known: pass",
        "if finding.message.startswith(other.message): pass",
        "head = finding.message.split(' -> ')[0]",
        "text = one.message.replace(OFTEN, 'often')",
        "message = finding.message\n    message.count('|')",
        "re.search('graph', finding.message)",
    ],
)
def test_what_goes_by_the_text_of_a_message_is_seen(line: str) -> None:
    tree = ast.parse(f"def f(finding, one):\n    {line}\n")
    assert set(taken_apart(tree))


@pytest.mark.parametrize(
    "line",
    [
        "told = warmths.get(COMPILED)",
        "told = (self.warmths or {}).get(name) or self.warmths['!']",
        "if TRACED in warmths: pass",
        "found = facts.heat.functions[KINDS]",
    ],
)
def test_other_keys_in_the_heat_of_functions_are_seen(line: str) -> None:
    assert set(fixed_keys(ast.parse(textwrap.dedent(line))))


@pytest.mark.parametrize(
    "line",
    [
        "same = one.message == other.message",
        "text = f'{finding.message} [{heat}]'",
        "warmth = warmths.get(name)",
        "if option in warmth.options: pass",
        "is_error = gate is not None and gate.kind is GateKind.ERROR",
    ],
)
def test_comparing_and_showing_is_no_such_thing(line: str) -> None:
    tree = ast.parse(line)
    assert not [*taken_apart(tree), *reasons_taken_apart(tree), *fixed_keys(tree)]


MARKED = frozenset(
    f"overhead_lint/{name}.py"
    for name in (
        "analysis/compile_sites/libraries",
        "analysis/compile_sites/ways",
        "analysis/graph/function_names",
        "analysis/options/asked",
        "analysis/values/elsewhere",
        "project/kinds/argument_letters",
        "project/kinds/given_names",
        "project/path_syntax",
    )
)
"""Modules that still tell things apart by marks in texts; none may come to these."""


def marks(tree: ast.Module) -> Iterator[int]:
    """The lines of a module that name a text which holds nothing, or nothing but signs."""
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        text = value.value if isinstance(value, ast.Constant) else None
        if isinstance(text, str) and not any(sign.isalnum() or sign.isspace() for sign in text):
            yield node.lineno


@pytest.mark.parametrize("text", ['LAYERS: Final = "[]"', "CLASSES = ''", '_KEY: Final[str] = "{}"'])
def test_marks_are_seen(text: str) -> None:
    assert [*marks(ast.parse(text))] == [1]


def test_files_ask_one_another_without_marks_in_texts() -> None:
    layers = ("analysis", "cache", "engine", "project", "workspace")
    found = {name for name, tree in sources() if name.split("/")[1] in layers and [*marks(tree)]}
    assert found == MARKED
