"""What is said in one line when something cannot be done as asked for."""

from __future__ import annotations

__all__ = ["Complaint"]


class Complaint(Exception):
    """Something that whoever started the run can put right; the message is one line."""
