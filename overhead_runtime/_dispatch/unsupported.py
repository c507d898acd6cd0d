"""What direct dispatch raises where it leaves calls to stock."""

from __future__ import annotations


class Unsupported(Exception):
    """Direct dispatch cannot serve this; the message says why. Stock ``torch.compile`` can."""
