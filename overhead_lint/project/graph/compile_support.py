"""Which files show that code is written to be compiled, for the packages around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

__all__ = ["Supporters"]


class Supporters:
    """Which files show that their packages are written to be compiled.

    Args:
        shown: what they show, by the dotted names of their modules.
    """

    def __init__(self, shown: Mapping[str, str]) -> None:
        self._nearest: dict[str, str] = {}
        for module in sorted(shown):
            for name in _inward(module):
                self._nearest.setdefault(name, shown[module])

    def of(self, module: str) -> str:
        """What the nearest file of a module's package shows; "" if none does."""
        return next((self._nearest[name] for name in _inward(module) if name in self._nearest), "")


def _inward(module: str) -> Iterator[str]:
    """A module and the packages around it, from the inside out; "" stands around those in no package."""
    yield module
    while "." in module:
        module = module.rpartition(".")[0]
        yield module
        if "." not in module:
            return
    yield ""
