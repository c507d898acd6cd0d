"""How messages name the expressions that they are about: in all rules, however long these are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from messages import said_by
from page_runs import RULES, findings, read_page, without_marks

from overhead_lint.engine.context import FileContext
from overhead_lint.project.facts import FileFacts
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source
from rules._wording import short

_WORD = re.compile(r"\w+")
_TAIL = "_whose_name_says_at_length_how_it_came_to_be"
_LONGEST_MESSAGE = 400
_UNUSUAL = re.compile(
    r"\b(is|are) told\b|\breads? [^;:]*back\b|\bnames are bound\b|\bdearest\b|\bkin\b"
    r"|\btakes tensors and gives\b|\bthe answer stays\b|\bmade anew\b|\banswer anew\b|\bno tensors\b"
)


def names_of(tree: ast.Module) -> list[str]:
    """What a module calls its own values and functions."""
    found = [item.arg for item in ast.walk(tree) if isinstance(item, ast.arg) and item.arg != "self"]
    found += [item.id for item in ast.walk(tree) if isinstance(item, ast.Name) and is_stored(item)]
    found += [item.attr for item in ast.walk(tree) if isinstance(item, ast.Attribute) and is_stored(item)]
    found += [item.name for item in ast.walk(tree) if isinstance(item, (ast.FunctionDef, ast.ClassDef))]
    return sorted({name for name in found if not name.startswith("__")})


def is_stored(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def with_long_names(code: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A name of a rule's example, and its messages with the name as it is and with a long one.

    Names whose word tells the rule something, so that it finds nothing without them, are left out.
    """
    rule = RULES[code].rule
    text = without_marks(code, read_page(code).code("Example"))
    plain = [(found.span.line, found.message) for found in findings(rule, text)]
    for name in names_of(ast.parse(text)):
        long = [
            (found.span.line, found.message)
            for found in findings(rule, re.sub(rf"\b{name}\b", name + _TAIL, text))
        ]
        if [line for line, _ in long] == [line for line, _ in plain]:
            pairs = [(old, new) for (_, old), (_, new) in zip(plain, long, strict=True) if old != new]
            if pairs:
                yield name, pairs


def words_besides(message: str, name: str) -> list[str]:
    """The words of a message, but for a long name or what is left of it."""
    return [
        word[0]
        for word in _WORD.finditer(message)
        if not (name + _TAIL).startswith(word[0])
        or (word[0] == name and not message.startswith("...", word.end()))
    ]


def test_a_sentence_stays_the_same_whatever_the_length_of_what_it_names() -> None:
    """Words that stand for a long text, such as "a tensor", fit in some sentences and break others."""
    seen: set[str] = set()
    for code in sorted(RULES):
        for name, pairs in with_long_names(code):
            for old, new in pairs:
                seen.add(code)
                left = iter(_WORD.findall(old))
                assert all(word in left for word in words_besides(new, name)), (code, old, new)
                assert "\n" not in new and len(new) <= _LONGEST_MESSAGE, (code, new)
    assert len(seen) >= 25, sorted(seen)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mask", "mask"),
        ("a[\n    0,\n    1,\n]", "a[ 0, 1, ]"),
        ("torch.isfinite(logits.float().sum(dim=-1, keepdim=True))", "torch.isfinite(...)"),
        ("torch.stack([first, second, third, fourth, fifth]).mean()", "torch.stack(...).mean(...)"),
        ("torch.stack([first, second, third, fourth, fifth]).T", "torch.stack(...).T"),
        ("scores[first.index_of_the_row, second.index_of_the_column]", "scores[...]"),
        ("(first_of_all_numbers + second_of_all_numbers).item", "(...).item"),
        ("first_of_all_numbers + second_of_all_numbers", "first_of_all_numbers + second_of_all_..."),
        (f"{'a' * 50}.b", f"{'a' * 35}....b"),
        (f"x.{'a' * 50}(1)", f"(...).{'a' * 26}...(...)"),
    ],
)
def test_what_would_make_a_text_long_is_left_out(text: str, expected: str) -> None:
    source = Source.from_bytes(Path("m.py"), f"({text})\n".encode())
    ctx = FileContext(source, FileFacts(parse(source), "m.py"), "overhead_lint.runtime")
    (statement,) = ctx.tree.body
    assert isinstance(statement, ast.Expr)
    assert short(statement.value, ctx) == expected


@pytest.mark.parametrize("code", sorted(RULES))
def test_messages_have_the_words_of_the_field(code: str) -> None:
    """Words of our own, and turns that nobody says, in what the rule says of the examples on its page."""
    texts = {text for said in said_by(RULES[code]) for text in said[1:]} | {RULES[code].rule.summary}
    assert [text for text in sorted(texts) if _UNUSUAL.search(text)] == []
