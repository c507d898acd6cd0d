"""The members of `Kind`, each by a name of its own.

To ask the enumeration for one takes twenty times as long (Python 3.11), and inference does that most of all.
"""

from __future__ import annotations

from typing import Final

from overhead_lint.rule import Kind

__all__ = [
    "KIND_ARRAY",
    "KIND_HOST_TENSOR",
    "KIND_MODULE",
    "KIND_NUMBER",
    "KIND_OBJECT",
    "KIND_TENSOR",
    "KIND_UNKNOWN",
]

KIND_ARRAY: Final = Kind.ARRAY
KIND_HOST_TENSOR: Final = Kind.HOST_TENSOR
KIND_MODULE: Final = Kind.MODULE
KIND_NUMBER: Final = Kind.NUMBER
KIND_OBJECT: Final = Kind.OBJECT
KIND_TENSOR: Final = Kind.TENSOR
KIND_UNKNOWN: Final = Kind.UNKNOWN
