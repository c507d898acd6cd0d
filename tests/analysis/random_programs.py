"""Random programs that bind and use names in every statement that steers control, and run to an end."""

from __future__ import annotations

import random
from collections.abc import Iterator

__all__ = ["program"]

NAMES = ("a", "b", "c")


class _Writer:
    """Writes one function; every binding gives a number of its own, every use is logged with a number."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._bound = 0
        self._used = 0

    def function(self) -> list[str]:
        return ["def f(a):", *_indented(self._block(3, in_loop=False)), "    pass"]

    def _block(self, depth: int, *, in_loop: bool) -> list[str]:
        lines = []
        for _ in range(self._random.randint(1, 4)):
            lines += self._statement(depth, in_loop=in_loop)
        return lines

    def _value(self) -> str:
        self._bound += 1
        return f"D({self._bound})"

    def _read(self) -> str:
        """A use in the text itself, so that it is one of the function's own names."""
        self._used += 1
        name = self._random.choice(NAMES)
        return f"U({self._used}, {name})"

    def _statement(self, depth: int, *, in_loop: bool) -> list[str]:
        choices = ["bind", "use", "use", "walrus", "chain", "delete", "comprehension", "unpack"]
        if depth > 0:
            choices += ["if", "if", "for", "while", "try", "finally", "with", "match", "conditional"]
        choices += ["return", "raise"] if self._random.random() < 0.3 else []
        choices += ["break", "continue"] if in_loop else []
        return list(getattr(self, f"_{self._random.choice(choices)}")(depth, in_loop))

    def _bind(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield f"{self._random.choice(NAMES)} = {self._value()}"

    def _walrus(self, depth: int, in_loop: bool) -> Iterator[str]:
        name = self._random.choice(NAMES)
        yield f"C() and ({name} := {self._value()}) and {self._read()}"

    def _chain(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield f"C() and {self._read()} or C() and {self._read()}"

    def _conditional(self, depth: int, in_loop: bool) -> Iterator[str]:
        name = self._random.choice(NAMES)
        yield f"{self._read()} if C() else ({name} := {self._value()})"

    def _unpack(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield f"{self._random.choice(NAMES)}, *_ = [{self._value()}, 1]"

    def _delete(self, depth: int, in_loop: bool) -> Iterator[str]:
        name = self._random.choice(NAMES)
        yield f"{name} = {self._value()}; del {name}"

    def _comprehension(self, depth: int, in_loop: bool) -> Iterator[str]:
        name = self._random.choice(NAMES)
        yield f"[{self._read()} for {name} in [{self._value()}] if C()]"

    def _use(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield self._read()

    def _if(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield "if C():"
        yield from _indented(self._block(depth - 1, in_loop=in_loop))
        if self._random.random() < 0.5:
            yield "else:"
            yield from _indented(self._block(depth - 1, in_loop=in_loop))

    def _for(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield f"for {self._random.choice(NAMES)} in [{self._value()}, {self._value()}]:"
        yield from _indented(self._block(depth - 1, in_loop=True))
        if self._random.random() < 0.3:
            yield "else:"
            yield from _indented(self._block(depth - 1, in_loop=in_loop))

    def _while(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield "while C():" if self._random.random() < 0.7 else "while True:"
        yield "    S()"
        yield from _indented(self._block(depth - 1, in_loop=True))
        yield "    if C(): break"

    def _try(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield "try:"
        yield from _indented(self._block(depth - 1, in_loop=in_loop))
        yield self._random.choice(["except E:", f"except E as {self._random.choice(NAMES)}_:"])
        yield from _indented(self._block(depth - 1, in_loop=in_loop))
        if self._random.random() < 0.3:
            yield "else:"
            yield from _indented(self._block(depth - 1, in_loop=in_loop))
        if self._random.random() < 0.3:
            yield "finally:"
            yield from _indented(self._block(depth - 1, in_loop=in_loop))

    def _finally(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield "try:"
        yield from _indented(self._block(depth - 1, in_loop=in_loop))
        yield "finally:"
        yield from _indented(self._block(depth - 1, in_loop=in_loop))

    def _with(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield f"with W() as {self._random.choice(NAMES)}_:"
        yield from _indented(self._block(depth - 1, in_loop=in_loop))

    def _match(self, depth: int, in_loop: bool) -> Iterator[str]:
        name = self._random.choice(NAMES)
        yield f"match [{self._value()}]:"
        yield f"    case [{name}] if C():"
        yield from _indented(_indented(self._block(depth - 1, in_loop=in_loop)))
        yield "    case _:" if self._random.random() < 0.5 else "    case 3:"
        yield from _indented(_indented(self._block(depth - 1, in_loop=in_loop)))

    def _return(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield f"return {self._read()}"

    def _raise(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield "raise E"

    def _break(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield "if C(): break"

    def _continue(self, depth: int, in_loop: bool) -> Iterator[str]:
        yield "if C(): continue"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def program(seed: int) -> str:
    """Return the text of a function ``f(a)``; equal seeds give equal texts."""
    return "\n".join(_Writer(seed).function()) + "\n"
