"""How a place leads to a function."""

from __future__ import annotations

import enum
from typing import Final

__all__ = [
    "SURE_WAYS",
    "VIA_CALL",
    "VIA_COMPILE",
    "VIA_HOOK",
    "VIA_METHOD",
    "VIA_NAME",
    "VIA_READ",
    "VIA_ROLE",
    "Via",
]


class Via(enum.IntEnum):
    """How a place leads to a function."""

    CALL = 0
    """It calls what the path stands for."""
    NAME = 1
    """It hands the function to a call, by its name."""
    READ = 2
    """It reads an attribute that may be a property."""
    METHOD = 3
    """It calls a method of this name of something unknown, a parameter (``=name@.function``), or a method of
    one (``=name.method@.function``)."""
    HOOK = 4
    """It hands the function to something that runs it in every step."""
    COMPILE = 5
    """It compiles the function, or what calling the instance runs."""
    ROLE = 6
    """It calls one of what it may be by the branches of a choice."""


# To ask an enumeration for a member takes long (Python 3.11).
VIA_CALL: Final = Via.CALL
VIA_NAME: Final = Via.NAME
VIA_READ: Final = Via.READ
VIA_METHOD: Final = Via.METHOD
VIA_HOOK: Final = Via.HOOK
VIA_COMPILE: Final = Via.COMPILE
VIA_ROLE: Final = Via.ROLE

SURE_WAYS: Final = (int(Via.CALL), int(Via.READ))
"""Ways by which what runs is known by more than a name, and runs there."""
