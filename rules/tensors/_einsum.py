"""Patterns of ``einsum`` and ``rearrange``, and the plain operators that do the same."""

from __future__ import annotations

import re

__all__ = ["plain_form", "view_form"]

_LONG = 30
"""Operands longer than this are shown by a letter."""


def plain_form(pattern: str, operands: list[str], name: str) -> str:
    """The one operator that an einsum is; "" if it takes more, or the pattern is not understood.

    Args:
        pattern: the pattern as written.
        operands: the operands as written.
        name: whose pattern it is: that of ``einops`` has words for letters.
    """
    parsed = _words(pattern) if name.startswith("einops") else _letters(pattern)
    if parsed is None or len(parsed[0]) != len(operands):
        return ""
    inputs, output = parsed
    # A letter twice in one operand is a diagonal.
    if any(len(set(indices)) < len(indices) for indices in (*inputs, output)):
        return ""
    shown = [_shown(text, index) for index, text in enumerate(operands)]
    if len(inputs) == 1:
        return _of_one(inputs[0], output, shown[0])
    if len(inputs) == 2:
        return _of_two(inputs[0], inputs[1], output, shown[0], shown[1])
    return ""


def _shown(text: str, index: int) -> str:
    """An operand for the help: its own text if it is short and needs no brackets."""
    simple = re.fullmatch(r"[\w.]+(\[[^\[\]]*\]|\([^()]*\))*", text)
    return text if simple and len(text) <= _LONG else chr(ord("a") + index)


def _letters(pattern: str) -> tuple[list[str], str] | None:
    """``"bij,bjk->bik"`` as the letters of operands and result."""
    text = pattern.replace(" ", "")
    if not re.fullmatch(r"[A-Za-z]*(,[A-Za-z]*)*->[A-Za-z]*", text):
        return None
    left, _, right = text.partition("->")
    return left.split(","), right


def _words(pattern: str) -> tuple[list[str], str] | None:
    """``"b i j, b j k -> b i k"`` with a letter for each word."""
    left, arrow, right = pattern.partition("->")
    names = sorted(set(re.findall(r"\w+", pattern)))
    if not arrow or len(names) > 26 or not re.fullmatch(r"[\w\s,]*", left + right):
        return None
    letter = {name: chr(ord("a") + index) for index, name in enumerate(names)}
    sides = ["".join(letter[name] for name in side.split()) for side in (*left.split(","), right)]
    return sides[:-1], sides[-1]


def _of_one(given: str, output: str, a: str) -> str:
    """The plain form for one operand: a permutation or a sum."""
    if set(given) == set(output):
        if given == output:
            return ""
        order = ", ".join(str(given.index(letter)) for letter in output)
        return f"{a}.permute({order})"
    kept = [letter for letter in given if letter in output]
    if "".join(kept) == output:
        gone = ", ".join(str(index) for index, letter in enumerate(given) if letter not in output)
        return f"{a}.sum({gone})" if "," not in gone else f"{a}.sum(({gone}))"
    return ""


def _of_two(first: str, second: str, output: str, a: str, b: str) -> str:
    """The plain form for two operands: a product, a matrix product, an outer product."""
    shared = set(first) & set(second)
    if not set(output) <= set(first) | set(second):
        return ""
    if first == second:
        if output == first:
            return f"{a} * {b}"
        if output == first[:-1]:
            return f"({a} * {b}).sum(-1)"
    if len(first) == len(second) == 1 and not shared and output == first + second:
        return f"torch.outer({a}, {b})"
    gone = shared - set(output)
    if len(gone) != 1 or shared - gone - set(output):
        return ""
    return _matrix_product(first, second, output, gone.pop(), a, b)


def _matrix_product(first: str, second: str, output: str, gone: str, a: str, b: str) -> str:
    """``a @ b`` with the last two dimensions of either perhaps swapped; "" if that does not give it."""
    batch = "".join(letter for letter in first if letter in second and letter != gone)
    rows = [letter for letter in first if letter not in second]
    columns = [letter for letter in second if letter not in first]
    if len(rows) != 1 or len(columns) > 1:
        # One matrix for all: "bsd,de->bse" is a @ b whatever stands before the last dimension.
        if not batch and len(columns) == 1 and rows and first == "".join(rows) + gone:
            if second not in (gone + columns[0], columns[0] + gone) or output != "".join(rows) + columns[0]:
                return ""
            return f"{a} @ {b}" if second[0] == gone else f"{a} @ {b}.mT"
        return ""
    row = rows[0]
    left = {batch + row + gone: a, batch + gone + row: f"{a}.mT"}.get(first)
    if not columns:
        if batch or second != gone or left is None or output != row:
            return ""
        return f"{left} @ {b}"
    column = columns[0]
    right = {batch + gone + column: b, batch + column + gone: f"{b}.mT"}.get(second)
    if left is None or right is None:
        return ""
    if output == batch + row + column:
        return f"{left} @ {right}"
    if output == batch + column + row:
        return f"({left} @ {right}).mT"
    return ""


def view_form(pattern: str, tensor: str) -> str:
    """The view that a ``rearrange`` is: a permutation, a dimension more or less, a flattening."""
    left, arrow, right = (part.strip() for part in pattern.partition("->"))
    if not arrow or not re.fullmatch(r"[\w\s()]*", left + right) or "(" in left:
        return ""
    given = left.split()
    if len(set(given)) < len(given) or re.search(r"\b1\b", left):
        return ""
    shown = _shown(tensor, 0)
    wanted = right.replace("(", " ").replace(")", " ").split()
    if sorted(name for name in wanted if name != "1") != sorted(given):
        return ""
    if wanted == given:
        return _flattened(right, given, shown)
    if "(" not in right and "1" not in wanted:
        return f"{shown}.permute({', '.join(str(given.index(name)) for name in wanted)})"
    if "(" not in right and [name for name in wanted if name != "1"] == given and wanted.count("1") == 1:
        return f"{shown}.unsqueeze({wanted.index('1')})"
    return ""


def _flattened(right: str, given: list[str], shown: str) -> str:
    """``x.flatten(i, j)`` for one group of neighbours."""
    group = re.findall(r"\(([^()]*)\)", right)
    if len(group) != 1 or len(group[0].split()) < 2:
        return ""
    names = group[0].split()
    start = given.index(names[0])
    return f"{shown}.flatten({start}, {start + len(names) - 1})"
