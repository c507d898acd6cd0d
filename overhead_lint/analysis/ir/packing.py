"""The record of a file as bytes, to be kept in memory or on disk: a fifth of what lists take."""

from __future__ import annotations

import marshal
import sys
import zlib
from array import array
from typing import Any, Final

from overhead_lint.analysis.ir.records import FileIR, FunctionIR, Guard, Loop, Parameter

__all__ = ["PACKING", "UnusableError", "pack", "unpack"]

PACKING: Final = 3
"""Raised when records, operations or how they are packed change; it belongs into the key of what is kept."""
_HEADER: Final = f"overhead-lint IR {PACKING} {sys.byteorder}\n".encode()
_NARROW: Final = "I"
_WIDE: Final = "q"
_NARROW_END: Final = 1 << 8 * array(_NARROW).itemsize


class UnusableError(ValueError):
    """What was to be unpacked is cut off, broken, or of another version or machine."""


def pack(file: FileIR) -> bytes:
    """Return a file's record as bytes, behind a checksum.

    Equal records may give other bytes: `marshal` writes objects once that are shared.
    """
    body = marshal.dumps([_packed(function) for function in file.functions])
    return _HEADER + zlib.crc32(body).to_bytes(4, "big") + body


def unpack(data: bytes) -> FileIR:
    """Return the record that `pack` made bytes of.

    Raises:
        UnusableError: it did not, or they are not all there.
    """
    start = len(_HEADER) + 4
    body = memoryview(data)[start:]
    if data[:start] != _HEADER + zlib.crc32(body).to_bytes(4, "big"):
        raise UnusableError("no packed record, or a broken one")
    return FileIR([_unpacked(held) for held in marshal.loads(body)])


def _packed(function: FunctionIR) -> tuple[Any, ...]:
    return (
        function.name,
        function.qualname,
        function.parent,
        function.kind,
        function.place,
        function.is_async,
        function.is_generator,
        [tuple(one) for one in function.parameters],
        function.returns,
        function.decorators,
        function.bases,
        function.annotations,
        bytes(function.code),
        array("i", function.operand).tobytes(),
        function.extra,
        _packed_positions(function.places),
        _packed_positions(function.ends),
        array("i", function.block_start).tobytes(),
        array("i", function.block_end).tobytes(),
        function.predecessors,
        function.block_phis,
        array("i", function.block_loop).tobytes(),
        array("i", function.block_guard).tobytes(),
        [tuple(one) for one in function.guards],
        [tuple(one) for one in function.loops],
        function.stores,
        function.hidden_stores,
        function.outer,
        function.returned,
    )


def _unpacked(held: tuple[Any, ...]) -> FunctionIR:
    name, qualname, parent, kind, place, is_async, is_generator, parameters, *held_rows = held
    function = FunctionIR(name, qualname, parent, kind, place)
    function.is_async = is_async
    function.is_generator = is_generator
    function.parameters = tuple([Parameter(*one) for one in parameters])
    (
        function.returns,
        function.decorators,
        function.bases,
        function.annotations,
        code,
        operand,
        function.extra,
        places,
        ends,
        block_start,
        block_end,
        function.predecessors,
        function.block_phis,
        block_loop,
        block_guard,
        guards,
        loops,
        function.stores,
        function.hidden_stores,
        function.outer,
        function.returned,
    ) = held_rows
    function.code = list(code)
    function.operand = array("i", operand).tolist()
    function.places = _positions(places)
    function.ends = _positions(ends)
    function.block_start = array("i", block_start).tolist()
    function.block_end = array("i", block_end).tolist()
    function.block_loop = array("i", block_loop).tolist()
    function.block_guard = array("i", block_guard).tolist()
    function.guards = [Guard(*one) for one in guards]
    function.loops = [Loop(*one) for one in loops]
    return function


def _packed_positions(positions: list[int]) -> tuple[str, bytes]:
    """Return positions in four bytes each, which takes lines up to 4,095, or in eight."""
    code = _WIDE if positions and max(positions) >= _NARROW_END else _NARROW
    return code, array(code, positions).tobytes()


def _positions(packed: tuple[str, bytes]) -> list[int]:
    code, held = packed
    return array(code, held).tolist()
