"""The rows of benchmarks/runtime.py: a statement, and the one that replaces it."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NamedTuple

import torch

import overhead_runtime as runtime
from overhead_lint import native, native_runtime
from overhead_runtime._native import replaced

__all__ = ["CASES", "Case", "forms"]


class Case(NamedTuple):
    """One row.

    Attributes:
        name: of the row.
        reference: statement in the stock form.
        ours: statement with the same effect; ``r`` is the runtime.
        setup: statements that run once for each form; names for both.
        python: least ratio promised of the functions of Python, if any.
        native: least ratio promised of the compiled functions; None where there are none.
        teardown: statements that undo the setup.
    """

    name: str
    reference: str
    ours: str
    setup: str
    python: float | None = None
    native: float | None = None
    teardown: str = ""


def forms() -> dict[str, object]:
    """The functions of the runtime by form, in modules as a program finds them; compiled now if need be."""
    python = {name: getattr(runtime, name) for name in runtime.__all__} | replaced()
    found: dict[str, object] = {"python": _module(python)}
    try:
        compiled = native_runtime.forms(native.load("contexts"))
    except native.NativeUnavailable as error:
        print(f"no compiled functions: {error}", file=sys.stderr)
        return found
    return found | {"native": _module(python | compiled)}


def _module(functions: dict[str, object]) -> ModuleType:
    module = ModuleType("runtime")
    vars(module).update(functions)
    return module


_TORCH = "import torch; bf16 = torch.bfloat16"
_QUIET = f"{_TORCH}; import warnings; warnings.simplefilter('ignore')"
# A backend as extensions bring one; nothing is computed on it.
_EXTENSION = f"""
{_QUIET}
import types
if not hasattr(torch, "mine"):
    torch.utils.rename_privateuse1_backend("mine")
    module = types.ModuleType("torch.mine")
    module.get_amp_supported_dtype = lambda: [torch.bfloat16, torch.float16]
    torch._register_device_module("mine", module)
"""
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
import threading, types
from torch.cuda import nvtx
library = nvtx._nvtx
if not hasattr(torch._C, "_nvtx"):
    nvtx._nvtx = types.ModuleType("_nvtx")
    nvtx._nvtx.rangePushA, nvtx._nvtx.rangePop = len, threading.get_ident
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
def config(bases=(), frozen=False, **own):
    @dataclasses.dataclass(frozen=frozen)
    class Recipe(*bases):
        vars().update(own)
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
def by_hand(self):
    return (
        f"margin={self.margin} interval={self.interval} format={self.format} history={self.history} "
        f"algorithm={self.algorithm} override={self.override} scaling={self.scaling}"
    )
written, kept = config(__repr__=by_hand)(), config((r.CachedRepr,), __repr__=by_hand)()
frozen, hashed = config(frozen=True)(), r.cached_hash(config((r.CachedRepr,), True))()
by_text, by_object, by_hashed = {repr(stock): 1, repr(cached): 1}, {frozen: 1}, {hashed: 1}
"""
)

# A simulated device where there is no other: a copy to it is a copy in memory, and waits for nothing.
_DEVICE = """
import torch
from overhead_lint.simulated import switch
if not torch.cuda.is_available():
    switch.enable()
torch.cuda.init()
"""
_NO_DEVICE = """
r.clear_const_tensors()
if switch.is_enabled():
    switch.disable()
"""
# Two streams of a GPU: what events cost on the simulated device says nothing about it.
_STREAMS = f"""
{_TORCH}
pool, side, current = r.EventPool(), torch.cuda.Stream(), torch.cuda.current_stream()
"""
# What bounds the rows above: the same shape of call with nothing done in it.
_EMPTY = f"""
{_TORCH}
import threading
class Empty:
    __slots__ = ()
    def __enter__(self): pass
    def __exit__(self, exc_type, exc_value, traceback): pass
lock = threading.Lock()
def work(): pass
def wrapped(*args, **kwargs): return work(*args, **kwargs)
stock = torch.enable_grad()(work)
"""
_MINE = "mine = r.autocast('cpu', dtype=bf16)"
_LEAVE = "outer.__exit__(None, None, None)"
_NO_FLAG = f"{_TORCH}; import os"

_EVENTS = (
    Case("EventPool.wait", "side.wait_stream(current)", "pool.wait(side, current)", _STREAMS),
    Case(
        "EventPool.event",
        "event = torch.cuda.Event(); event.record(current); side.wait_event(event)",
        "with pool.event() as event: event.record(current); side.wait_event(event)",
        _STREAMS,
    ),
    Case(
        "wait_stream, two streams",
        "side.wait_stream(current)",
        "r.wait_stream(side, current)",
        _STREAMS,
    ),
    Case(
        "wait_stream, one stream",
        "current.wait_stream(current)",
        "r.wait_stream(current, current)",
        _STREAMS,
    ),
)
_ON_A_GPU = torch.version.cuda is not None and torch.cuda.is_available()
CASES: tuple[Case, ...] = (
    Case(
        "autocast, built each time",
        "with torch.autocast('cpu', dtype=bf16): pass",
        "with r.autocast('cpu', dtype=bf16): pass",
        _TORCH,
        python=1.3,
        native=10,
    ),
    Case(
        "autocast, built once",
        "with torch.autocast('cpu', dtype=bf16): pass",
        "with mine: pass",
        f"{_TORCH}; {_MINE}",
        python=1.6,
        native=10,
    ),
    Case(
        "autocast, nested, built once",
        "with torch.autocast('cpu', dtype=bf16): pass",
        "with mine: pass",
        f"{_ENTERED}; {_MINE}",
        python=1.6,
        native=10,
        teardown=_LEAVE,
    ),
    *(
        Case(
            f"autocast, {what}",
            f"torch.autocast({arguments})",
            f"r.autocast({arguments})",
            setup,
            1,
            least,
        )
        for what, arguments, setup, least in (
            ("a device alone", "'cpu'", _QUIET, 10),
            ("another device", "'xpu', bf16", _QUIET, 10),
            ("a device that is missing", "'cuda'", _QUIET, 10),
            ("an extension's device", "'mine', bf16", _EXTENSION, 2),
            ("an extension's, a type that warns", "'mine', torch.float64", _EXTENSION, 1.2),
            ("a type", "'cpu', torch.float16", _QUIET, 8),
            ("a type that warns", "'cpu', torch.float64", _QUIET, 1.2),
            ("off", "'cpu', enabled=False", _QUIET, 10),
            ("off, a type that would warn", "'cpu', torch.float64, False", _QUIET, 8),
            ("off, for a device that is missing", "'cuda', enabled=False", _QUIET, 10),
            ("without the cache", "'cpu', cache_enabled=False", _QUIET, 10),
            ("by name", "device_type='cpu', dtype=bf16, enabled=True, cache_enabled=None", _QUIET, 10),
        )
    ),
    *(
        Case(
            f"autocast, {what}, entered",
            f"with torch.autocast({arguments}): pass",
            f"with r.autocast({arguments}): pass",
            _TORCH,
            python=1.2,
            native=8,
        )
        for what, arguments in (
            ("off", "'cpu', enabled=False"),
            ("without the cache", "'cpu', cache_enabled=False"),
            ("another device", "'xpu', bf16"),
        )
    ),
    Case(
        "autocast, decorating",
        "torch.autocast('cpu')(work)",
        "r.autocast('cpu')(work)",
        f"{_TORCH}\ndef work(): pass",
        python=1.1,
        native=1.3,
    ),
    Case(
        "autocast, nested, built each time",
        "with torch.autocast('cpu', dtype=bf16): pass",
        "with r.autocast('cpu', dtype=bf16): pass",
        _ENTERED,
        python=1.3,
        native=10,
        teardown=_LEAVE,
    ),
    Case(
        "autocast, decorated",
        "stock()",
        "ours()",
        f"{_TORCH}\ndef work(): pass\nstock, ours = (a('cpu')(work) for a in (torch.autocast, r.autocast))",
        python=1.1,
        native=4,
    ),
    *(
        Case(f"{name}, block", f"with torch.{name}(): pass", f"with r.{name}(): pass", _TORCH, python, 3)
        for name, python in (("no_grad", 2.2), ("enable_grad", 1.1), ("inference_mode", 1.2))
    ),
    *(
        Case(f"{name}, decorator", "stock()", "ours()", _DECORATED.format(name), python, 4)
        for name, python in (("no_grad", 4), ("enable_grad", 2.2), ("inference_mode", 2))
    ),
    Case(
        "record, no profiler",
        "with torch.profiler.record_function('x'): pass",
        "with r.record('x'): pass",
        _TORCH,
        python=15,
        native=25,
    ),
    Case(
        "nvtx_range",
        "with nvtx.range('x'): pass",
        "with r.nvtx_range('x'): pass",
        _NVTX,
        2,
        5,
        "nvtx._nvtx = library",
    ),
    Case("NULL_CONTEXT", "with nullcontext(): pass", "with r.NULL_CONTEXT: pass", _NULL),
    Case("env_flag", "os.environ.get('NO_SUCH', '0') == '1'", "r.env_flag('NO_SUCH')", _NO_FLAG, 8, 20),
    Case("cached_signature", "inspect.signature(f)", "r.cached_signature(f)", _SIGNATURE, 25, 50),
    *(
        Case(
            f"const_tensor, CPU, {name}",
            f"torch.tensor({stock}, device='cpu')",
            f"r.const_tensor({ours}, device='cpu')",
            _TORCH,
            native=native_floor,
        )
        for name, stock, ours, native_floor in (
            ("a number", "0.5", "0.5", 85),
            ("4 numbers", "[1.0, 2.0, 3.0, 4.0]", "(1.0, 2.0, 3.0, 4.0)", 100),
            ("4 numbers, a list", "[1.0, 2.0, 3.0, 4.0]", "[1.0, 2.0, 3.0, 4.0]", 25),
            ("64 numbers, a list", "[0.5] * 64", "[0.5] * 64", 20),
        )
    ),
    Case(
        "const_tensor, device, 4 numbers",
        "torch.tensor([1.0, 2.0, 3.0, 4.0], device='cuda')",
        "r.const_tensor((1.0, 2.0, 3.0, 4.0), device='cuda')",
        _DEVICE,
        native=30,
        teardown=_NO_DEVICE,
    ),
    *(
        Case(
            f"device_properties, {name}",
            f"torch.cuda.get_device_properties({device})",
            f"r.device_properties({device})",
            _DEVICE,
            python,
            native=10,
            teardown=_NO_DEVICE,
        )
        for name, device, python in (("by index", "0", 4), ("current device", "", 7))
    ),
    *(_EVENTS if _ON_A_GPU else ()),
    Case("CachedRepr, key", "repr(stock)", "repr(cached)", _CONFIG, 6),
    Case("cached_repr, key", "repr(stock)", "repr(decorated)", _CONFIG, 6),
    Case("CachedRepr, key written by hand", "repr(written)", "repr(kept)", _CONFIG, 2),
    Case("CachedRepr, lookup by text", "by_text[repr(stock)]", "by_text[repr(cached)]", _CONFIG, 6),
    Case("cached_hash, lookup by object", "by_text[repr(stock)]", "by_hashed[hashed]", _CONFIG, 20, 20),
    Case("cached_hash, against frozen hash", "by_object[frozen]", "by_hashed[hashed]", _CONFIG),
    Case(
        "CachedRepr, write and key",
        "stock.margin ^= 1; repr(stock)",
        "cached.margin ^= 1; repr(cached)",
        _CONFIG,
    ),
    Case("floor: an empty Python block", "with torch.enable_grad(): pass", "with Empty(): pass", _EMPTY),
    Case("floor: a compiled block", "with torch.enable_grad(): pass", "with lock: pass", _EMPTY),
    Case("floor: a wrapper that only calls", "stock()", "wrapped()", _EMPTY),
    Case("floor: a compiled call", "torch.tensor([1.0, 2.0, 3.0, 4.0], device='cpu')", "len('cpu')", _EMPTY),
    Case(
        "floor: a list of 4 numbers",
        "torch.tensor([1.0, 2.0, 3.0, 4.0], device='cpu')",
        "[1.0, 2.0, 3.0, 4.0]",
        _EMPTY,
    ),
)
