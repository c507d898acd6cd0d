"""What processes of tests spare Dynamo: it is most of what many tests do."""

from __future__ import annotations

import logging

import pytest
from warm_python import DYNAMO, python

pytest.importorskip("torch")


def test_guards_are_not_timed() -> None:
    code = "from torch._dynamo import guards\nprint(guards.profile_guard_manager(None, None, 1))"
    assert python("-c", code, modules=DYNAMO).stdout == "0.0\n"


def test_nothing_is_traced_for_the_logs_that_pytest_captures() -> None:
    log = logging.getLogger("torch.__trace")
    assert not log.propagate
    assert [one for one in log.handlers if type(one).__module__.startswith("_pytest")] == []
