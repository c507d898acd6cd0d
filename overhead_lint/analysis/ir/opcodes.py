"""What operations of the intermediate representation are called.

An operation's number in its function is the value that it makes. `operand` is its first operand, a value, or
-1 for none, unless said otherwise; `extra` is what else it needs.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "ATTRIBUTE",
    "AWAIT",
    "BINARY",
    "BIND",
    "BOOLEAN",
    "BUILD",
    "CALL",
    "CLASS",
    "COMPARE",
    "CONSTANT",
    "COPY",
    "DELETE_ATTRIBUTE",
    "DELETE_ITEM",
    "ENTER",
    "EXCEPTION",
    "EXIT",
    "FORMAT",
    "FUNCTION",
    "IMPORT",
    "ITEM",
    "MATCH",
    "NAMES",
    "NEXT",
    "OUTER",
    "PARAMETER",
    "PHI",
    "RAISE",
    "RETURN",
    "SET_ATTRIBUTE",
    "SET_ITEM",
    "SLICE",
    "STAR",
    "STORE_OUTER",
    "UNARY",
    "UNBOUND",
    "UNKNOWN",
    "UNPACK",
    "YIELD",
]

PARAMETER: Final = 0
"""A parameter; operand: its number in the function's `parameters`."""
OUTER: Final = 1
"""A name that is not bound on the way here: of an enclosing scope, the module or builtins; extra: the
name."""
CONSTANT: Final = 2
"""A constant; extra: it."""
PHI: Final = 3
"""What a name holds where several ways meet; operand: the block; extra: a value for each predecessor."""
COPY: Final = 4
"""The same value by another number: a phi that turned out to join one value; extra: its block."""
BIND: Final = 5
"""A name is bound to the operand; extra: the name. Reads of the name see this operation."""
ATTRIBUTE: Final = 6
"""An attribute is read; extra: its name."""
SET_ATTRIBUTE: Final = 7
"""An attribute is written; extra: name and value."""
DELETE_ATTRIBUTE: Final = 8
"""An attribute is deleted; extra: its name."""
ITEM: Final = 9
"""A subscript is read; extra: the index."""
SET_ITEM: Final = 10
"""A subscript is written; extra: index and value."""
DELETE_ITEM: Final = 11
"""A subscript is deleted; extra: the index."""
CALL: Final = 12
"""A call; operand: what is called; extra: the arguments, and the names of the last of them ("" for
``**``)."""
BINARY: Final = 13
"""An operator of two operands; extra: the right one and the operator, which ends in "=" where it is in
place."""
COMPARE: Final = 14
"""A comparison; extra: the other operands, and the operators between them."""
UNARY: Final = 15
"""An operator of one operand; extra: the operator."""
BOOLEAN: Final = 16
"""The value of ``and``, ``or`` or a conditional; operand: -1; extra: word and the values it may be."""
BUILD: Final = 17
"""A container is made; operand: -1; extra: its class in a word, and what it holds (keys before values)."""
FORMAT: Final = 18
"""A text is made; operand: -1; extra: the values that it shows, the constant texts around them, and which of
the values ``repr`` shows, by number."""
NEXT: Final = 19
"""The item that a round of a loop is given; operand: what is iterated."""
UNPACK: Final = 20
"""One part of what is unpacked; extra: its place, from the end if it is negative; None for a starred one."""
ENTER: Final = 21
"""A context is entered, and gives a value."""
EXIT: Final = 22
"""A context is left; operand: the `ENTER`."""
RETURN: Final = 23
"""The function ends, giving the operand; -1 for none."""
YIELD: Final = 24
"""A generator gives an item; extra: whether it gives those of another (``yield from``)."""
AWAIT: Final = 25
"""A coroutine is waited for."""
FUNCTION: Final = 26
"""A function is defined; operand: its place among the file's functions."""
CLASS: Final = 27
"""A class is defined; operand: the place of its body among the file's functions."""
IMPORT: Final = 28
"""A module or a name of it; operand: the dots before it; extra: module and name, "" for the module itself."""
RAISE: Final = 29
"""An exception is raised."""
EXCEPTION: Final = 30
"""What a handler caught; operand: the classes that it asks for, -1 for any."""
STAR: Final = 31
"""A starred argument or item."""
STORE_OUTER: Final = 32
"""A name that the function declares global or nonlocal is bound; extra: the name."""
SLICE: Final = 33
"""A slice; operand: -1; extra: lower, upper and step, -1 for what is not given."""
MATCH: Final = 34
"""Whether a pattern matches; extra: its class in a word."""
UNBOUND: Final = 35
"""What a name holds that is deleted, or on a way that nothing takes."""
UNKNOWN: Final = 36
"""An expression that is not lowered: nested too deeply, or of a later Python."""

NAMES: Final = (
    "parameter",
    "outer",
    "constant",
    "phi",
    "copy",
    "bind",
    "attribute",
    "set attribute",
    "delete attribute",
    "item",
    "set item",
    "delete item",
    "call",
    "binary",
    "compare",
    "unary",
    "boolean",
    "build",
    "format",
    "next",
    "unpack",
    "enter",
    "exit",
    "return",
    "yield",
    "await",
    "function",
    "class",
    "import",
    "raise",
    "exception",
    "star",
    "store outer",
    "slice",
    "match",
    "unbound",
    "unknown",
)
"""The operations by number."""
