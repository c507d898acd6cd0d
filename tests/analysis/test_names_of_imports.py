"""What names stand for by imports, asked of the records of a file."""

from __future__ import annotations

import ast

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.names import Names
from overhead_lint.analysis.ir.opcodes import OUTER

RESTORED = """
import contextlib

disabled = False

@contextlib.contextmanager
def without():
    global disabled
    old = disabled
    disabled = True
    yield
    disabled = old

def forward(x):
    return disabled
"""


def asked(text: str, name: str) -> set[str]:
    """What each read of a name of the module stands for."""
    names = Names(lower(ast.parse(text)))
    return {
        names.qualified(place, at)
        for place, record in enumerate(names.functions)
        for at, code in enumerate(record.code)
        if code == OUTER and record.extra[at] == name
    }


def test_a_setting_that_is_put_back_to_what_it_was_is_no_import() -> None:
    assert asked(RESTORED, "disabled") == {""}


def test_what_is_imported_is_known_by_the_names_that_it_is_given() -> None:
    assert asked("import torch\nops = torch.ops\ndef f(x):\n    return ops.a(x)\n", "ops") == {"torch.ops"}
