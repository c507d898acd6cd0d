"""What expressions are known to be: each case asks about the arguments of calls of ``ask()``."""

from __future__ import annotations

import ast
import textwrap

from overhead_lint.project.facts import FileFacts

HEAD = """\
import math
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, Tensor
from torch.distributions import Categorical, Independent, Normal
from torch.nn.utils.rnn import pad_packed_sequence, pad_sequence
from typing import Optional, List, Union, cast
from somewhere import thing, Thing

"""


def kinds(text: str) -> str:
    """Kinds of the arguments of all calls of ``ask``, one word each."""
    facts = FileFacts(ast.parse(HEAD + textwrap.dedent(text)), "m.py")
    asked = [
        node
        for node in ast.walk(facts.scan.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ask"
    ]
    asked.sort(key=lambda node: (node.lineno, node.col_offset))
    words = {"host tensor": "host"}
    found = [facts.kinds.kind(argument).value for node in asked for argument in node.args]
    return " ".join(words.get(kind, kind) for kind in found)
