"""The places of a project's functions from which others may be run: many, and seldom asked for one by one."""

from __future__ import annotations

import marshal
import zlib
from typing import TYPE_CHECKING, Final

from overhead_lint.project.graph.traits import Site
from overhead_lint.project.module_index import module_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Sites"]

_OPEN: Final = 32
"""So many modules are kept as they are, since what is asked for is often asked for again."""


class Sites:
    """Places by function, a module at a time: compressed, they take a tenth of the memory."""

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}
        self._open: dict[str, dict[str, tuple[Site, ...]]] = {}

    def put(self, module: str, sites: Mapping[str, tuple[Site, ...]]) -> None:
        """Take the places of a module.

        Args:
            module: the module's part of keys.
            sites: for each function, by key, the places in it, if there are any.
        """
        self._open.pop(module, None)
        plain = [(key, [tuple(site) for site in its]) for key, its in sites.items()]
        self._packed[module] = zlib.compress(marshal.dumps(plain), 1)

    def of_module(self, module: str) -> dict[str, tuple[Site, ...]]:
        """For each function of a module, by key, the places in it, if there are any."""
        found = self._open.get(module)
        if found is None:
            packed = self._packed.get(module)
            plain = () if packed is None else marshal.loads(zlib.decompress(packed))
            found = {key: tuple([Site(*one) for one in its]) for key, its in plain}
            if len(self._open) == _OPEN:
                del self._open[next(iter(self._open))]
            self._open[module] = found
        return found

    def of(self, function: str) -> tuple[Site, ...]:
        """The places of a function, by its key."""
        return self.of_module(module_of(function)).get(function, ())

    def __iter__(self) -> Iterator[tuple[str, tuple[Site, ...]]]:
        """All functions that have any, by key, with their places."""
        for module in self._packed:
            yield from self.of_module(module).items()
