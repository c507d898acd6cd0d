"""From a source to its findings, with rules made for the test."""

from __future__ import annotations

import ast
import gc
import warnings
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.rule import Context, Finding, Heat, Kind, Rule, Tier
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.syntax.text_parsing import syntax_error


def calls_of(name: str, heat: Heat = Heat.COLD) -> Rule:
    """A rule that reports calls of one qualified name."""
    rule = Rule("TST001", "test-call", "a call", (name.rpartition(".")[2].encode(),), heat)

    @rule.on(ast.Call)
    def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
        if ctx.qualified_name(node.func) == name:
            yield ctx.finding(rule, node, f"calls {name}")

    return rule


def lint(text: str, rule: Rule, *, cold: str = "", min_heat: Heat = Heat.STEP) -> list[tuple[int, int]]:
    source = Source.from_bytes(Path("m.py"), text.encode())
    found = Linter([rule], Settings(min_heat=min_heat)).lint(source, cold=cold)
    return [(finding.span.line, finding.span.column) for finding in found]


MODULE = """\
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        torch.warp()

    def forward(self, x):
        torch.warp()
"""


def test_a_rule_speaks_only_where_it_is_hot_enough() -> None:
    assert lint(MODULE, calls_of("torch.warp", Heat.STEP)) == [(9, 9)]
    assert lint(MODULE, calls_of("torch.warp", Heat.COLD)) == [(6, 9), (9, 9)]
    assert lint(MODULE, calls_of("torch.warp", Heat.STEP), cold="tests/") == []
    assert lint(MODULE, calls_of("torch.warp", Heat.COLD), cold="tests/") == [(6, 9), (9, 9)]


OFF = """\
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self, deep=False):
        self.deep = deep

    def forward(self, x):
        if self.deep:
            torch.warp()
"""


def test_no_rule_speaks_of_what_options_let_run_that_are_off_by_default() -> None:
    rule = calls_of("torch.warp", Heat.COLD)
    assert lint(OFF, rule) == []
    assert lint(OFF, rule, min_heat=Heat.PRESUMED) == lint(OFF, rule, min_heat=Heat.COLD) == [(10, 13)]
    assert lint(OFF.replace("deep=False", "deep=True"), rule) == [(10, 13)]


@pytest.mark.parametrize("head", ["DEEP = False", "DEEP = 0.0", "DEEP = None"])
def test_nor_of_what_constants_keep_from_running_at_import(head: str) -> None:
    rule = calls_of("torch.warp", Heat.COLD)
    source = f"import torch\n{head}\nif DEEP:\n    torch.warp()\n"
    assert lint(source, rule) == []
    assert lint(source, rule, min_heat=Heat.COLD) == [(4, 5)]
    assert lint(source.replace("if DEEP", "if not DEEP"), rule) == [(4, 5)]


ROUNDS = """\
import torch
from torch import nn

class Model(nn.Module):
    def forward(self, x):
        torch.warp()
        return x

def prepared(x):
    torch.warp()
    return x

def answers(model, texts):
    for text in texts:
        model(prepared(text))

def trained(model, loader, optimizer):
    for batch in loader:
        torch.warp()
"""


def test_what_takes_microseconds_is_presumed_in_rounds_of_unknown_length() -> None:
    rule = calls_of("torch.warp", Heat.STEP)
    assert [line for line, _ in lint(ROUNDS, rule)] == [6, 10, 19]
    rule.brief = True
    assert [line for line, _ in lint(ROUNDS, rule)] == [6, 19]
    assert [line for line, _ in lint(ROUNDS, rule, min_heat=Heat.PRESUMED)] == [6, 10, 19]
    source = Source.from_bytes(Path("m.py"), ROUNDS.encode())
    found = Linter([rule], Settings(min_heat=Heat.PRESUMED)).lint(source)
    assert found[1].warmth.heat is Heat.PRESUMED
    assert found[1].warmth.why == (
        "m.py:14 loop that calls model() -> prepared; how much one round of it does is not known"
    )


def test_a_rule_is_silent_where_another_says_more() -> None:
    plain, other = calls_of("torch.warp"), Rule("TST002", "test-other", "a call", (b"warp",), Heat.STEP)
    plain.yields_to = frozenset({"TST002"})

    @other.on(ast.Call)
    def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
        if ctx.qualified_name(node.func) == "torch.warp":
            yield ctx.finding(other, node, "says more")

    source = Source.from_bytes(Path("m.py"), MODULE.encode())
    both = Linter([plain, other], Settings()).lint(source)
    assert [(finding.span.line, finding.code) for finding in both] == [(6, "TST001"), (9, "TST002")]
    assert [finding.code for finding in Linter([plain], Settings()).lint(source)] == ["TST001", "TST001"]


def test_what_costs_host_time_makes_way_for_a_wait_at_the_same_place() -> None:
    costs, waits = calls_of("torch.warp"), Rule("TST002", "waits", "", (b"warp",), Heat.STEP, tier=Tier.STALL)

    @waits.on(ast.Call)
    def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
        if ctx.qualified_name(node.func) == "torch.warp":
            yield ctx.finding(waits, node, "waits")

    source = Source.from_bytes(Path("m.py"), MODULE.encode())
    found = Linter([costs, waits], Settings()).lint(source)
    assert [(finding.span.line, finding.code) for finding in found] == [(6, "TST001"), (9, "TST002")]
    costs.tier = Tier.CORRECTNESS
    found = Linter([costs, waits], Settings()).lint(source)
    assert [finding.span.line for finding in found] == [6, 9, 9], "that is another matter"


def test_the_least_heat_of_the_settings_widens_and_narrows() -> None:
    text = MODULE + "\ndef g(x):\n    torch.warp()\n    return torch.relu(x)\n"
    assert lint(text, calls_of("torch.warp", Heat.STEP)) == [(9, 9)]
    assert lint(text, calls_of("torch.warp", Heat.STEP), min_heat=Heat.PRESUMED) == [(9, 9), (12, 5)]
    assert lint(text, calls_of("torch.warp", Heat.STEP), min_heat=Heat.LOOP) == []
    assert lint(text, calls_of("torch.warp", Heat.LOOP)) == []


def test_nothing_of_a_file_stays_when_it_is_linted(monkeypatch: pytest.MonkeyPatch) -> None:
    trees: list[weakref.ref[ast.Module]] = []

    def noted(source: Source) -> ast.Module:
        tree = parse(source)
        trees.append(weakref.ref(tree))
        return tree

    monkeypatch.setattr("overhead_lint.engine.linter.parse", noted)
    gc.disable()
    try:
        assert lint(MODULE, calls_of("torch.warp", Heat.STEP))
        # Its facts refer to one another: who plans the fixes of a thousand files would hold them all.
        assert [tree() for tree in trees] == [None]
    finally:
        gc.enable()


def test_a_file_without_a_trigger_is_not_even_parsed() -> None:
    assert lint("def broken(:", calls_of("torch.warp")) == []
    with pytest.raises(SourceError, match=r"m\.py:1:12: syntax error"):
        lint("def broken(:  # torch.warp", calls_of("torch.warp"))


@pytest.mark.parametrize(
    ("message", "line", "since"),
    [
        ("invalid syntax", "except* ValueError:", "3.11"),
        ("invalid syntax", "type Pair[T] = tuple[T, T]", "3.12"),
        ("expected '('", "    def first[T](of: list[T]) -> T:", "3.12"),
        ("f-string: expecting '}'", 'f"{"a"}"', "3.12"),
        ("invalid syntax. Maybe you meant '==' or ':='?", "type Pair[T = int] = tuple[T, T]", "3.13"),
        ("expected ']'", "async def first[T: int, *Ts = *tuple[()]](of):", "3.13"),
        ("expected '('", "def first[T](of: T = None): ...", "3.12"),
        ("invalid syntax", 'query = t"{name}"', "3.14"),
        ("invalid syntax", "query = rt'{name}'", "3.14"),
        ("multiple exception types must be parenthesized", "except KeyError, ValueError:", "3.14"),
        ("invalid syntax", "lazy import torch", "3.15"),
        ("invalid syntax", "lazy from torch import nn", "3.15"),
        ("iterable unpacking cannot be used in comprehension", "[*row for row in rows]", "3.15"),
        ("dict unpacking cannot be used in dict comprehension", "{**one for one in many}", "3.15"),
        ("invalid syntax", "def f(:", ""),
        ("invalid syntax", "x = typed y", ""),
    ],
)
def test_what_a_newer_python_may_read_is_told_with_the_one_that_runs(
    monkeypatch: pytest.MonkeyPatch, message: str, line: str, since: str
) -> None:
    monkeypatch.setattr("sys.version_info", (3, 10, 0))
    hint = f"; this may be Python {since}, and overhead-lint runs on 3.10" if since else ""
    error = SyntaxError(message, ("a.py", 1, 1, line))
    assert syntax_error(error) == f"syntax error: {message}{hint}"
    monkeypatch.setattr("sys.version_info", (3, 15, 0))
    assert syntax_error(error) == f"syntax error: {message}"


DOUBTFUL = r"""
import torch

def step(x: "Literal['\\d']", y: torch.Tensor):
    torch.warp(x.grad, "\d", 1if x is 5 else 2)
    try:
        return x
    finally:
        return y
"""


def test_what_python_warns_of_in_a_source_is_not_shown() -> None:
    """Another linter's subject; each Python has more of these words, and shows them by itself."""
    rule = calls_of("torch.warp")

    @rule.on(ast.Attribute)
    def check(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
        if ctx.kind(node.value) is Kind.TENSOR:
            yield ctx.finding(rule, node, "of a tensor")

    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        ast.parse(DOUBTFUL)
        assert shown
        shown.clear()
        assert lint(DOUBTFUL, rule) == [(5, 5)]
        assert [str(one.message) for one in shown] == []


def test_a_rule_that_raises_is_one_line_that_names_it() -> None:
    rule = Rule("TST002", "broken", "", (b"x",), Heat.COLD)

    @rule.on(ast.Module)
    def check(node: ast.Module, ctx: Context) -> list[Finding]:
        raise KeyError("line one\nline two")

    with pytest.raises(SourceError) as caught:
        lint("x = 1\n", rule)
    assert str(caught.value).startswith("m.py: rule TST002 failed: KeyError")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["x = " + "-" * 50_000 + "1", "x = " + "+".join(["a"] * 200_000)])
def test_a_tree_too_deep_is_refused_or_linted_but_never_crashes(text: str) -> None:
    try:
        lint(text, Rule("TST003", "any", "", (b"x",), Heat.COLD))
    except SourceError as error:
        assert "nested too deeply" in str(error)
