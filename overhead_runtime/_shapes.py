"""The fast half of methods that keep their result: generated functions of one identity test an attribute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._generated import formatter, reader

__all__ = ["Shape"]

_SOURCE = """\
def {name}(self):
    again = None
    try:
        {head}token, result, nested, {targets}= {load}
        if token is TOKEN and type(self) is OWNER{tests}:
            if nested is None:
                return result
            again = nested
    except (AttributeError, KeyError, ValueError):
        pass
    if again is not None:
        return AGAIN(self, result, again)
    return MISS(self)
"""


class Shape:
    """What a result depends on; also the mark of results that were kept for it.

    Args:
        names: attributes as they are read.
        keys: of the instance's ``__dict__``, all of them in order; None if it does not matter.
    """

    def __init__(self, names: tuple[str, ...], keys: tuple[str, ...] | None = None) -> None:
        self.names, self.keys = names, keys
        self.read = reader(names)
        self.format = formatter(names)
        self.serve: Callable[[Any], Any]

    def values(self, state: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what `method` compares, of the whole state of an object that has these attributes."""
        return state[1 : 1 + len(self.names)] + state[len(state) - len(self.keys or ()) :]

    def method(self, name: str, owner: type, slot: str | None, scope: dict[str, Any]) -> Callable[[Any], Any]:
        """Make a method that answers with the kept result where all is the same object as it was.

        Args:
            name: of the method.
            owner: the class whose instances have results.
            slot: where these lie; in a table if None.
            scope: ``TABLE``; ``AGAIN`` and ``MISS``, to call where nested objects need a look, and otherwise.
        """
        tests = [] if slot else ["reference() is self"]
        tests += [f"self.{read} is v{index}" for index, read in enumerate(self.names)]
        if self.keys is not None:
            # The names first, and in order: a text may show the dict itself.
            tests.append("[*(attributes := self.__dict__)] == KEYS")
            tests += [
                f"attributes[{key!r}] is v{index}" for index, key in enumerate(self.keys, len(self.names))
            ]
        count = len(self.names) + len(self.keys or ())
        source = _SOURCE.format(
            name=name,
            head="" if slot else "reference, ",
            load=f"self.{slot}" if slot else "TABLE[id(self)]",
            targets="".join(f"v{index}, " for index in range(count)),
            tests="".join(f" and {test}" for test in tests),
        )
        names = {"OWNER": owner, "TOKEN": self, "KEYS": list(self.keys or ()), **scope}
        exec(source, names)
        made: Callable[[Any], Any] = names[name]
        return made
