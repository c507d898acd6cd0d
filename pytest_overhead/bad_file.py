"""A file of budgets that cannot be used. It stands alone: what reads such files costs start-up."""

from __future__ import annotations

from overhead_lint.errors import Complaint

__all__ = ["BadFile"]


class BadFile(Complaint, ValueError):
    """A budget file that cannot be used: the message names path, line and cure."""
