"""Times what a rule finds against what it proposes, interleaved, and prints the ratio.

    python benchmarks/rule_costs.py           all rules
    python benchmarks/rule_costs.py OVH302    one rule

Each form runs in short blocks, in turn with the other, in one thread; the figure is the fastest
block. Absolute figures belong to the machine, the ratio holds elsewhere too. What OVH401 and OVH404
find is paid on a device: its calls are counted, on a simulated one where there is no GPU, and
times are given with a GPU only.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import subprocess
import sys
import time
import timeit
from collections.abc import Sequence
from typing import NamedTuple

BLOCK_SECONDS = 0.0005
BLOCKS = 200


class Case(NamedTuple):
    """Two forms of the same work.

    Attributes:
        title: what is done once.
        setup: code that both forms need.
        before: a statement as the rule finds it.
        after: the statement that the rule proposes.
        metrics: what to count while each form runs once, on a CUDA device.
    """

    title: str
    setup: str
    before: str
    after: str
    metrics: tuple[str, ...] = ()


_MODULE_LIST = """
layers = nn.ModuleList(nn.Identity() for _ in range(8))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers
    def indexed(self):
        for i in range(len(self.layers)):
            self.layers[i]
    def iterated(self):
        for layer in self.layers:
            layer
net = Net()
"""
_RECIPE = """
from dataclasses import dataclass
@dataclass
class Stock:
    format: str = "hybrid"
    margin: int = 0
    history: int = 1024
    blocks: tuple = (128, 128)
@dataclass
class Cached(runtime.CachedRepr):
    format: str = "hybrid"
    margin: int = 0
    history: int = 1024
    blocks: tuple = (128, 128)
stock, cached = Stock(), Cached()
table = {str(stock): 1, str(cached): 1}
"""
_COMPILED = """
class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
    def forward(self, x):
        return x * self.factor
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Scale(0.5) for _ in range(100)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
def null(graph, example_inputs):
    return lambda *args: args[-1:]
net, x = Net().eval(), torch.ones(2)
stock = torch.compile(net, backend=null)
direct = runtime.compile(net, backend=null)
for _ in range(5):
    stock(x), direct(x)
"""

_PLAIN_FUNCTION = """
import inspect
def forward(hidden_states, attention_mask=None, *, scale: float = 1.0):
    pass
"""

CASES: dict[str, tuple[Case, ...]] = {
    "OVH101": (
        Case(
            "one autocast block, CPU, bfloat16",
            "dtype = torch.bfloat16",
            "with torch.autocast('cpu', dtype=dtype): pass",
            "with runtime.autocast('cpu', dtype=dtype): pass",
        ),
        Case(
            "the same inside another autocast block",
            "dtype = torch.bfloat16; outer = torch.autocast('cpu', dtype=dtype); outer.__enter__()",
            "with torch.autocast('cpu', dtype=dtype): pass",
            "with runtime.autocast('cpu', dtype=dtype): pass",
        ),
    ),
    "OVH103": (
        Case(
            "a kept instance entered again",
            "stock, own = (cls('cpu', dtype=torch.bfloat16) for cls in (torch.autocast, runtime.autocast))",
            "with stock: pass",
            "with own: pass",
        ),
    ),
    "OVH105": (
        Case(
            "a no_grad block without work",
            "",
            "with torch.no_grad(): pass",
            "with runtime.no_grad(): pass",
        ),
        Case(
            "an inference_mode block without work",
            "",
            "with torch.inference_mode(): pass",
            "with runtime.inference_mode(): pass",
        ),
    ),
    "OVH106": (
        Case(
            "a call of a decorated function without work",
            """
@torch.no_grad()
def stock(x): pass
@runtime.no_grad
def own(x): pass
""",
            "stock(1)",
            "own(1)",
        ),
    ),
    "OVH107": (
        Case(
            "a range while no profiler runs",
            "",
            "with torch.profiler.record_function('step'): pass",
            "with runtime.record('step'): pass",
        ),
    ),
    "OVH108": (
        Case(
            "an empty context",
            "from contextlib import nullcontext",
            "with nullcontext(): pass",
            "with runtime.NULL_CONTEXT: pass",
        ),
    ),
    "OVH201": (
        Case("a dict lookup by the text of a recipe", _RECIPE, "table[str(stock)]", "table[str(cached)]"),
    ),
    "OVH202": (
        Case("repr of a dataclass with four fields", _RECIPE, "repr(stock)", "repr(cached)"),
        Case("an assignment to a field", _RECIPE, "stock.margin = 0", "cached.margin = 0"),
    ),
    "OVH302": (
        Case("a loop over 8 layers without their work", _MODULE_LIST, "net.indexed()", "net.iterated()"),
    ),
    "OVH307": (
        Case("a call of a compiled module of 100 layers, no kernels", _COMPILED, "stock(x)", "direct(x)"),
    ),
    "OVH401": (
        Case(
            "a stream that waits for itself",
            "a = torch.cuda.current_stream(); b = torch.cuda.current_stream()",
            "a.wait_stream(b)",
            "runtime.wait_stream(a, b)",
            ("event_create", "event_record", "event_wait"),
        ),
    ),
    "OVH404": (
        Case(
            "32 steps that read their loss, against one read at the end",
            "x = torch.ones(64, device='cuda')",
            "values = [(x * 2).sum().item() for _ in range(32)]",
            "values = torch.stack([(x * 2).sum() for _ in range(32)]).tolist()",
            ("stream_sync",),
        ),
    ),
    "OVH601": (
        Case(
            "the parameters of a plain function",
            _PLAIN_FUNCTION,
            "inspect.signature(forward).parameters",
            "runtime.cached_signature(forward).parameters",
        ),
    ),
    "OVH606": (
        Case(
            "a debug message with a number, not logged",
            "import logging; logger = logging.getLogger('costs'); step = 3",
            "logger.debug(f'step {step}')",
            "logger.debug('step %s', step)",
        ),
        Case(
            "a debug message with a tensor of four elements, not logged",
            "import logging; logger = logging.getLogger('costs'); loss = torch.ones(4)",
            "logger.debug(f'loss {loss}')",
            "logger.debug('loss %s', loss)",
        ),
    ),
    "OVH609": (
        Case(
            "three classes, none of which fits",
            "x, classes = 1, (str, list, dict)",
            "any(isinstance(x, c) for c in classes)",
            "isinstance(x, classes)",
        ),
    ),
    "OVH701": (
        Case(
            "a small tensor of zeros in bfloat16",
            "",
            "torch.zeros(4).to(torch.bfloat16)",
            "torch.zeros(4, dtype=torch.bfloat16)",
        ),
        Case(
            "a small tensor of zeros for the device that it is made on",
            "",
            "torch.zeros(4).to('cpu')",
            "torch.zeros(4, device='cpu')",
        ),
    ),
    "OVH702": (
        Case(
            "nothing to convert",
            "x = torch.ones(4)",
            "x.to(torch.float32).to('cpu')",
            "x.to(dtype=torch.float32, device='cpu')",
        ),
        Case(
            "another dtype on the same device",
            "x = torch.ones(4)",
            "x.to(torch.bfloat16).to('cpu')",
            "x.to(dtype=torch.bfloat16, device='cpu')",
        ),
    ),
}

_PRECISION = """
import sys, torch
exec(sys.argv[1])
b = torch.backends
nodes = dict(matmul=b.cuda.matmul, conv=b.cudnn.conv, rnn=b.cudnn.rnn, mkldnn_matmul=b.mkldnn.matmul)
print(" ".join(f"{name}={node.fp32_precision}" for name, node in nodes.items()))
"""
_MATMUL, _MKLDNN = "torch.backends.cuda.matmul", "torch.backends.mkldnn.matmul"
_CONV, _RNN = "torch.backends.cudnn.conv", "torch.backends.cudnn.rnn"
PRECISION: tuple[tuple[str, dict[str, str]], ...] = (
    (f"{_MATMUL}.allow_tf32 = True", {_MATMUL: "tf32"}),
    (f"{_MATMUL}.allow_tf32 = False", {_MATMUL: "ieee"}),
    ("torch.backends.cudnn.allow_tf32 = True", {_CONV: "tf32", _RNN: "tf32"}),
    ("torch.backends.cudnn.allow_tf32 = False", {_CONV: "none", _RNN: "none"}),
    ("torch.set_float32_matmul_precision('highest')", {_MATMUL: "ieee", _MKLDNN: "ieee"}),
    ("torch.set_float32_matmul_precision('high')", {_MATMUL: "tf32", _MKLDNN: "tf32"}),
    ("torch.set_float32_matmul_precision('medium')", {_MATMUL: "tf32", _MKLDNN: "bf16"}),
)


def measure(case: Case) -> tuple[float, float]:
    """The fastest blocks of both forms.

    Returns:
        Seconds per execution, before and after.
    """
    names = _prepared(case)
    timers = [timeit.Timer(form, globals=names) for form in (case.before, case.after)]
    counts = [_block_size(timer) for timer in timers]
    best = [float("inf")] * 2
    gc.collect()
    for block in range(BLOCKS):
        for index in (0, 1) if block % 2 else (1, 0):
            best[index] = min(best[index], timers[index].timeit(counts[index]) / counts[index])
    return best[0], best[1]


def count(case: Case) -> list[dict[str, float]]:
    """What each form asks of the device, by metric, before and after."""
    from overhead_lint.probes.measure import measure as measured

    names = _prepared(case)
    counts = []
    for form in (case.before, case.after):
        exec(form, names)
        with measured(case.metrics, attribute=False) as found:
            exec(form, names)
        counts.append(found.values)
    return counts


def _prepared(case: Case) -> dict[str, object]:
    import torch
    from torch import nn

    from overhead_lint import runtime

    names: dict[str, object] = {"torch": torch, "nn": nn, "runtime": runtime}
    exec(compile(case.setup, "<setup>", "exec"), names)
    return names


def _block_size(timer: timeit.Timer) -> int:
    timer.timeit(3)
    started = time.perf_counter()
    timer.timeit(10)
    return max(1, int(BLOCK_SECONDS * 10 / (time.perf_counter() - started)))


def report(code: str) -> None:
    """Measure one rule and print a line per case."""
    if code == "OVH501":
        _report_precision()
        return
    for case in CASES[code]:
        if case.metrics and not _counted(code, case):
            continue
        before, after = measure(case)
        ratio = before / after
        print(f"{code}  {case.title}: {before * 1e9:,.0f} -> {after * 1e9:,.0f} ns, x{ratio:.2f}")


def _counted(code: str, case: Case) -> bool:
    """Print the counts of a case; tells whether its times mean anything here."""
    import torch

    from overhead_lint.simulated import simulated_cuda

    real = torch.cuda.is_available()
    with contextlib.nullcontext() if real else simulated_cuda():
        before, after = count(case)
    for metric in case.metrics:
        print(f"{code}  {case.title}: {metric} {before[metric]:.0f} -> {after[metric]:.0f}")
    return real


def _report_precision() -> None:
    for old, leaves in PRECISION:
        new = "; ".join(f"{leaf}.fp32_precision = {value!r}" for leaf, value in leaves.items())
        states = [
            subprocess.run(
                [sys.executable, "-c", _PRECISION, form], check=True, capture_output=True, text=True
            ).stdout.strip()
            for form in (old, new)
        ]
        verdict = "same" if states[0] == states[1] else f"DIFFERS: {states[1]}"
        print(f"OVH501  {old}\n        {states[0]}  {verdict}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    known = sorted([*CASES, "OVH501"])
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("code", nargs="*", metavar="RULE", help=f"which rules ({', '.join(known)})")
    chosen = parser.parse_args(argv).code or known
    unknown = [code for code in chosen if code not in known]
    if unknown:
        parser.error(f"{unknown[0]}: no such rule here ({', '.join(known)})")
    import torch

    torch.set_num_threads(1)
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}, {device}")
    for code in chosen:
        report(code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
