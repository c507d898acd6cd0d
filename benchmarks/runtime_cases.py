"""The rows of benchmarks/runtime.py: a statement, and the one that replaces it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CASES", "Case"]


class Case(NamedTuple):
    """One row.

    Attributes:
        name: of the row.
        reference: statement in the stock form.
        ours: statement with the same effect.
        setup: statements that run once; names for both.
        floor: least ratio promised, if any.
    """

    name: str
    reference: str
    ours: str
    setup: str
    floor: float | None


_TORCH = "import torch; from overhead_lint import runtime as r; bf16 = torch.bfloat16"
_ENTERED = f"{_TORCH}; outer = torch.autocast('cpu', dtype=bf16); outer.__enter__()"
_DECORATED = f"""
{_TORCH}
def work(): pass
stock, ours = torch.{{0}}()(work), r.{{0}}(work)
"""
_NULL = f"{_TORCH}; from contextlib import nullcontext"
# Stands for a library that nobody is attached to, where torch has none.
_NVTX = f"""
{_TORCH}
from torch.cuda import nvtx
if not hasattr(torch._C, "_nvtx"):
    nvtx._nvtx.rangePushA, nvtx._nvtx.rangePop = len, int
"""
_SIGNATURE = f"""
{_TORCH}
import inspect
def f(a, b=1, *, c=2): pass
"""
_CONFIG = (
    _TORCH
    + """
import dataclasses, enum, typing
class Limits(typing.NamedTuple):
    forward: float
    backward: float
class Format(enum.Enum):
    E4M3, HYBRID = Limits(448, 448), Limits(448, 57344)
class Override(typing.NamedTuple):
    fprop: bool = False
    dgrad: bool = False
    wgrad: bool = False
def config(bases=(), frozen=False):
    @dataclasses.dataclass(frozen=frozen)
    class Recipe(*bases):
        margin: int = 0
        interval: int = 1
        format: Format = Format.HYBRID
        history: int = 1024
        algorithm: str = "max"
        override: Override = Override()
        scaling: typing.Any = None
        reduce: bool = True
        attention: bool = False
        heads: bool = False
    return Recipe
stock, cached = config()(), config((r.CachedRepr,))()
decorated = r.cached_repr(config())()
frozen, hashed = config(frozen=True)(), r.cached_hash(config((r.CachedRepr,), True))()
by_text, by_object = {repr(stock): 1, repr(cached): 1}, {frozen: 1, hashed: 1}
"""
)

CASES: tuple[Case, ...] = (
    Case(
        "autocast, built each time",
        "with torch.autocast('cpu', dtype=bf16): pass",
        "with r.autocast('cpu', dtype=bf16): pass",
        _TORCH,
        1.4,
    ),
    Case(
        "autocast, built once",
        "with torch.autocast('cpu', dtype=bf16): pass",
        "with mine: pass",
        f"{_TORCH}; mine = r.autocast('cpu', dtype=bf16)",
        1.6,
    ),
    Case(
        "autocast, nested, built once",
        "with torch.autocast('cpu', dtype=bf16): pass",
        "with mine: pass",
        f"{_ENTERED}; mine = r.autocast('cpu', dtype=bf16)",
        1.6,
    ),
    Case("no_grad, block", "with torch.no_grad(): pass", "with r.no_grad(): pass", _TORCH, 2.5),
    Case("enable_grad, block", "with torch.enable_grad(): pass", "with r.enable_grad(): pass", _TORCH, 1.4),
    Case(
        "inference_mode, block",
        "with torch.inference_mode(): pass",
        "with r.inference_mode(): pass",
        _TORCH,
        1.4,
    ),
    Case("no_grad, decorator", "stock()", "ours()", _DECORATED.format("no_grad"), 4),
    Case("enable_grad, decorator", "stock()", "ours()", _DECORATED.format("enable_grad"), 2.5),
    Case("inference_mode, decorator", "stock()", "ours()", _DECORATED.format("inference_mode"), 2),
    Case(
        "record, no profiler",
        "with torch.profiler.record_function('x'): pass",
        "with r.record('x'): pass",
        _TORCH,
        18,
    ),
    Case("nvtx_range", "with nvtx.range('x'): pass", "with r.nvtx_range('x'): pass", _NVTX, 2.5),
    Case("NULL_CONTEXT", "with nullcontext(): pass", "with r.NULL_CONTEXT: pass", _NULL, None),
    Case(
        "env_flag",
        "os.environ.get('NO_SUCH', '0') == '1'",
        "r.env_flag('NO_SUCH')",
        f"{_TORCH}; import os",
        8,
    ),
    Case("cached_signature", "inspect.signature(f)", "r.cached_signature(f)", _SIGNATURE, 30),
    Case(
        "const_tensor, CPU, 4 numbers",
        "torch.tensor([1.0, 2.0, 3.0, 4.0])",
        "r.const_tensor([1.0, 2.0, 3.0, 4.0])",
        _TORCH,
        None,
    ),
    Case("CachedRepr, key", "repr(stock)", "repr(cached)", _CONFIG, 6),
    Case("cached_repr, key", "repr(stock)", "repr(decorated)", _CONFIG, 6),
    Case("CachedRepr, lookup by text", "by_text[repr(stock)]", "by_text[repr(cached)]", _CONFIG, 6),
    Case("cached_hash, lookup by object", "by_text[repr(stock)]", "by_object[hashed]", _CONFIG, 10),
    Case("cached_hash, against frozen hash", "by_object[frozen]", "by_object[hashed]", _CONFIG, None),
    Case(
        "CachedRepr, write and key",
        "stock.margin ^= 1; repr(stock)",
        "cached.margin ^= 1; repr(cached)",
        _CONFIG,
        None,
    ),
)
