"""What ends ``overhead-lint run`` before the program begins."""

from __future__ import annotations

__all__ = ["Refused"]


class Refused(Exception):
    """Wrong use; the message says what, in one line."""
