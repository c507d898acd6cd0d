"""What is packed is unpacked as it was, whatever was lowered; what is broken is told."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest
from random_programs import program

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.packing import UnusableError, pack, unpack
from overhead_lint.analysis.ir.records import FileIR, FunctionIR

INSTALLED = sorted(
    path
    for path in Path(pytest.__file__).parents[1].glob("*/*.py")
    if path.parent.name in {"_pytest", "pluggy", "torch", "numpy", "libcst", "mypy"}
)[::4]


def rows(file: FileIR) -> list[list[Any]]:
    """All that a record holds, with its types: texts tell 0.0 from -0.0, and are equal for nan."""
    return [[repr(getattr(one, slot)) for slot in FunctionIR.__slots__] for one in file.functions]


@pytest.mark.parametrize("seeds", [range(at, at + 100) for at in range(0, 400, 100)], ids=str)
def test_random_programs_come_back_as_they_were(seeds: range) -> None:
    for seed in seeds:
        lowered = lower(ast.parse(program(seed)))
        assert rows(unpack(pack(lowered))) == rows(lowered), program(seed)


@pytest.mark.parametrize("part", range(2))
def test_real_files_come_back_as_they_were(part: int) -> None:
    operations = 0
    for path in INSTALLED[part::2]:
        lowered = lower(ast.parse(path.read_bytes()))
        assert rows(unpack(pack(lowered))) == rows(lowered), path
        operations += sum(map(len, lowered.functions))
    assert operations > 10_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1e999, -0.0, 3j, ..., None, True, b'\\x00', 2**70, 123456789012345678901234567890",
        r"x = '\ud800', '\N{SNOWMAN}'",
        "\n" * 5000 + "def f(x: 'list[int] | None' = 0, *, y=x) -> int: return x",
        "x = " + "a" * 70_000 + " + b" + " " * 2_000_000 + "+ c",
        "@d\nclass A(B, metaclass=C):\n  async def f(self, /, *args, **kw):\n    yield [i for i in args]",
    ],
    ids=["nothing", "constants", "texts", "many lines", "long lines", "definitions"],
)
def test_odd_files_come_back_as_they_were(text: str) -> None:
    lowered = lower(ast.parse(text))
    assert rows(unpack(pack(lowered))) == rows(lowered)


def test_what_is_broken_or_cut_off_is_told() -> None:
    packed = pack(lower(ast.parse("def f(x):\n    return x + 1\n")))
    for end in range(len(packed)):
        with pytest.raises(UnusableError):
            unpack(packed[:end])
    for at in range(len(packed)):
        with pytest.raises(UnusableError):
            unpack(packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1 :])


def test_what_another_machine_packed_is_told() -> None:
    packed = pack(lower(ast.parse("x = 1")))
    other = {"little": b"big", "big": b"little"}[sys.byteorder]
    with pytest.raises(UnusableError):
        unpack(packed.replace(sys.byteorder.encode(), other, 1))
