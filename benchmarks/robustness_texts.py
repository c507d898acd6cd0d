"""Texts that a linter should not see, and does: mutated, truncated, random, and nested deep."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from overhead_lint.engine import packs
from overhead_lint.engine.pages import Page

__all__ = ["deep", "mutants", "noise", "originals"]

_ODD: Final = (
    *(
        "\0",
        "\ufeff",
        "\f",
        "\r",
        "\x1a",
        "é",
        "\U0001f600",
        "(",
        ")",
        "[",
        "{",
        '"""',
        "'",
        "\\\n",
        "\t",
        "#",
        "@",
        ":=",
    ),
    *("f'{", "lambda:", "# noqa", "async ", "# coding: utf-7\n", "# overhead: ignore[", "match x:\n"),
)


def originals() -> list[str]:
    """The examples of all rule pages, before and after their fixes, and the rules themselves."""
    texts = []
    for loaded in packs.load(()):
        assert loaded.page is not None
        page = Page.read(loaded.page)
        texts += [page.code(heading) for heading in ("Example", "Fixed", "Quiet")]
        texts.append(loaded.page.with_suffix(".py").read_text(encoding="utf-8"))
    return [text for text in texts if text]


def mutants(count: int, seed: int, texts: Sequence[str]) -> Iterator[bytes]:
    """So many mutated and truncated files, the same ones for the same seed."""
    chance = random.Random(seed)
    ways = (_cut, _drop, _swap, _repeat, _insert, _bytes, _indent, _join)
    for _ in range(count):
        data = chance.choice(texts).encode()
        for _ in range(chance.randint(1, 3)):
            data = chance.choice(ways)(data, chance)
        yield data


def noise(count: int, seed: int) -> Iterator[bytes]:
    """Random bytes, of all values or of ASCII only, by turns."""
    chance = random.Random(seed)
    for number in range(count):
        data = chance.randbytes(chance.randint(0, 400)) + b" autocast( item() torch "
        yield bytes(byte & 0x7F for byte in data) if number % 2 else data


def deep(size: int) -> dict[str, str]:
    """Texts that are nested, or go on, `size` levels; some of them are valid Python."""
    shallow = min(size, 90)  # Python allows 100 levels of indentation, and 20 blocks
    lines = "".join(f"{' ' * level}if torch:\n" for level in range(shallow))
    return {
        "parentheses": f"import torch\nx = {'(' * size}torch.autocast('cuda'){')' * size}\n",
        "lists": f"import torch\nx = {'[' * size}{']' * size}\n",
        "open brackets": "import torch\n" + "([{" * size,
        "signs": f"import torch\nx = {'-' * size}torch.ones(1).item()\n",
        "sum": f"import torch\nx = {' + '.join(['torch.ones(1).item()'] * size)}\n",
        "attributes": f"import torch\nx = torch{'.a' * size}.item()\n",
        "calls": f"import torch\nx = torch{'()' * size}.item()\n",
        "methods": f"import torch\nx = torch.ones(1){'.to(y)' * size}\n",
        "lambdas": f"import torch\nx = {'lambda: ' * size}torch.ones(1).item()\n",
        "conditions": f"import torch\nx = {'1 if y else ' * size}torch\n",
        "blocks": f"import torch\n{lines}{' ' * shallow}torch.ones(1).item()\n",
        "elif": "import torch\nif x:\n    pass\n" + "elif torch.ones(1).item():\n    pass\n" * size,
        "decorators": "import torch\n" + "@torch.no_grad()\n" * size + "def f():\n    pass\n",
        "strings": "import torch\nx = " + "'torch' " * size + "\n",
        "long line": f"import torch\nx = '{'torch.autocast()' * size}'\n",
        "statements": "import torch\n" + "torch.autocast('cuda');" * size + "\n",
        "functions": "import torch\n" + "def f(x):\n    return torch.ones(1).item()\n" * size,
    }


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _lines(change: Callable[[list[bytes], random.Random], None]) -> Callable[[bytes, random.Random], bytes]:
    def way(data: bytes, chance: random.Random) -> bytes:
        lines = data.splitlines(keepends=True) or [b""]
        change(lines, chance)
        return b"".join(lines)

    return way


@_lines
def _drop(lines: list[bytes], chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


@_lines
def _swap(lines: list[bytes], chance: random.Random) -> None:
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


@_lines
def _repeat(lines: list[bytes], chance: random.Random) -> None:
    lines.insert(chance.randrange(len(lines)), chance.choice(lines))


@_lines
def _indent(lines: list[bytes], chance: random.Random) -> None:
    number = chance.randrange(len(lines))
    lines[number] = chance.choice([b" ", b"\t", b"    ", b"\f"]) + lines[number]


@_lines
def _join(lines: list[bytes], chance: random.Random) -> None:
    number = chance.randrange(len(lines))
    lines[number] = lines[number].rstrip(b"\n") + chance.choice([b"; ", b"\r", b"\\\n", b" "])


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(_ODD).encode() + data[at:]


def _bytes(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)
