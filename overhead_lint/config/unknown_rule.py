"""What is said of a code or name that no rule has, with the one that somebody may have meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.support.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["unknown_rule"]

_ONE_OFF = 0.8
"""How alike two codes are (`difflib`, 0 to 1) of which one digit differs; two digits make it less."""
_NAMES = 0.6
"""The same of names, which differ more."""


def unknown_rule(entry: str, codes: Mapping[str, str]) -> str:
    """What is said of an entry that names no rule.

    Args:
        entry: as it was written.
        codes: the rules' codes by name.
    """
    start = entry.upper()
    if start == "ALL" or (start and any(code.startswith(start) for code in codes.values())):
        return f"unknown rule {entry!r}: did you mean {start}?"
    if start.removeprefix("OVH").isdecimal() and len(start) < len("OVH101"):
        families = sorted({code[:4] for code in codes.values() if code.startswith("OVH")})
        if start[:4] in families:
            return f"unknown rule {entry!r}: did you mean {start[:4]}?"
        return f"unknown rule {entry!r}: no code begins so; there are {', '.join(families)}"
    # All codes look alike: one letter or digit may be wrong, with two it is somebody's guess.
    near = nearest(entry.upper(), codes.values(), cutoff=_ONE_OFF) or nearest(
        entry.lower(), codes, cutoff=_NAMES
    )
    hint = f"did you mean {near}?" if near else "`overhead-lint rule --list` shows all"
    return f"unknown rule {entry!r}: {hint}"
