"""Decoding, newlines and positions of a source file."""

from __future__ import annotations

import ast
import os
import re
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest

from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import NotSource, SourceError

PATH = Path("m.py")


def source(data: bytes) -> Source:
    return Source.from_bytes(PATH, data)


@pytest.mark.parametrize(
    ("data", "text", "encoding", "bom"),
    [
        (b"x = 1\n", "x = 1\n", "utf-8", False),
        (b"\xef\xbb\xbfx = 1\r\n", "x = 1\r\n", "utf-8", True),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = '\u00e9'\n", "iso-8859-1", False),
        (
            b"#!python\n# -*- coding: cp1252 -*-\n'\x80'",
            "#!python\n# -*- coding: cp1252 -*-\n'\u20ac'",
            "cp1252",
            False,
        ),
        (b"x\n\n# coding: latin-1\n# \xc3\xa9", "x\n\n# coding: latin-1\n# \u00e9", "utf-8", False),
        (b"coding = 1", "coding = 1", "utf-8", False),
        (b"", "", "utf-8", False),
    ],
)
def test_a_file_is_decoded_as_python_does_and_encoded_back(
    data: bytes, text: str, encoding: str, bom: bool
) -> None:
    got = source(data)
    assert (got.text, got.encoding, got.bom) == (text, encoding, bom)
    assert got.encode(got.text) == data


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"x = 1\ny = '\xe9'\n", "m.py:2:6: is not valid utf-8"),
        (b"# coding: klingon\n", "m.py:1:1: unknown encoding: klingon"),
        (b"# coding: rot13\n", "m.py:1:1: cannot be decoded as rot13"),
        (b"#\n# vim: set fileencoding=hex :\n", "m.py:1:1: cannot be decoded as hex"),
        (b"# coding: utf-16\nx = 1\n", "m.py:2:6: is not valid utf-16"),
        (b"# coding: utf-8 \xe9\n", "m.py:1:17: is not valid utf-8"),
        (b"# coding: utf-8\n\0\n", "m.py:2:1: contains null bytes"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "m.py:1:1: encoding problem"),
        (b"# coding: utf-8\n# \xe9\n", "m.py:2:3: is not valid utf-8"),
        (b"x\n\0\n", "m.py:2:1: contains null bytes"),
    ],
)
def test_a_file_that_cannot_be_decoded_says_where_in_one_line(data: bytes, shown: str) -> None:
    with pytest.raises(SourceError) as caught:
        source(data)
    assert str(caught.value).startswith(shown)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_a_source_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"gone\.py: cannot be read: No such file"):
        Source.read(tmp_path / "gone.py")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_end_where_pythons_tokenizer_ends_them(newline: str) -> None:
    text = newline.join(["a = '\x0b \u2028'", "\x0cb = 'é€𝄞'; c = f(1)", ""])
    got = source(text.encode())
    tree = ast.parse(got.text)
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call))
    assert got.slice(call) == "f(1)"
    assert got.span(call) == (2, 17, 2, 21)
    assert got.line_text(1) == "a = '\x0b \u2028'"
    assert got.line_text(2) == "\x0cb = 'é€𝄞'; c = f(1)"
    assert got.line_text(3) == got.line_text(4) == ""


def test_every_positioned_node_slices_to_what_ast_unparses() -> None:
    got = source("x = é.f(\n    'ü', b [ 0 ],\n)\n".encode())
    for node in ast.walk(ast.parse(got.text)):
        if isinstance(node, ast.expr):
            read = ast.parse(got.slice(node).strip(), mode="eval").body
            assert _without_contexts(read) == _without_contexts(node)


def _without_contexts(node: ast.AST) -> str:
    return re.sub(r", ctx=(Load|Store)\(\)", "", ast.dump(node))


def test_a_node_without_a_position_is_refused() -> None:
    got = source(b"def f(): pass\n")
    arguments = next(node for node in ast.walk(ast.parse(got.text)) if isinstance(node, ast.arguments))
    with pytest.raises(ValueError, match="arguments has no position"):
        got.slice(arguments)
    assert got.slice(ast.parse(got.text)) == got.text


def test_huge_and_binary_files_are_no_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"#" * 5_000_001)
    with pytest.raises(NotSource, match=r"a\.py: is larger than 5 MB; split it"):
        Source.read(path)
    path.write_bytes(b"\0")
    with pytest.raises(NotSource, match="contains null bytes"):
        Source.read(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"a\nb",
        b"a\r\nb\rc\n",
        b"a\r\r\n\rb",
        b"\xef\xbb\xbfa\n\xc3\xa9 b\n",
        b"a\x0cb\x1cc\n\xe2\x80\xa8d\n",
        b"# coding: latin-1\n\xe9\r\nb",
    ],
)
def test_a_line_is_the_same_before_and_after_positions_were_asked_for(data: bytes) -> None:
    once, other = source(data), source(data)
    numbers = range(-1, len(other.starts) + 3)
    assert [once.line_text(number) for number in numbers] == [other.line_text(number) for number in numbers]


def test_reading_a_small_file_takes_no_more_room_than_it_has(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n" * 1000)
    tracemalloc.start()
    try:
        assert len(Source.read(path).data) == 6000
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[b"x = 1\n" * 30_000])
    writer.start()
    assert Source.read(path).data == b"x = 1\n" * 30_000
    writer.join()
