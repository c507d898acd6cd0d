"""graph-break-in-hot says what torch does: each line is compiled, its breaks counted, and linted.

What only some releases do is linted for the one that compiles it.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import textwrap
from pathlib import Path

import pytest
import torch
from rule_cases import RUNNING, lint, lint_project
from torch._dynamo.utils import counters

from overhead_lint.rule import Heat

RELEASES = importlib.import_module("overhead_lint.rules._releases")
HEADER = """\
import copy, datetime, gc, glob, inspect, json, logging, math, os, pickle, random, sys, threading, time
import uuid, warnings
import numpy as np
import torch
from torch import nn

logger = logging.getLogger("quiet")
layer = nn.Linear(4, 4)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)


@torch.compile(backend="eager")
def compiled(x: torch.Tensor):
    x = x * 2
"""

BREAKS = [
    "print('here')",
    "print(x)",
    "open(os.devnull)",
    "exec('1')",
    "globals()",
    "repr(x)",
    "str(x)",
    "time.time()",
    "time.perf_counter()",
    "time.sleep(0)",
    "os.getpid()",
    "os.path.exists('/')",
    "gc.collect()",
    "copy.copy([1])",
    "copy.deepcopy(x)",
    "random.choice([1, 2])",
    "np.random.rand()",
    "threading.current_thread()",
    "logger.info('here')",
    "logger.debug('here')",
    "logger.isEnabledFor(10)",
    "logging.warning('here')",
    "warnings.warn('here')",
    "datetime.datetime.now()",
    "uuid.uuid4()",
    "pickle.dumps(1)",
    "json.dumps({})",
    "sys.stdout.write('here')",
    "inspect.stack()",
    "x.tolist()",
    "x.sum().item()",
    "float(x[0])",
    "int(x.sum())",
    "bool(x.any())",
    "range(x.long().sum())",
    "math.sqrt(x.sum())",
    "x.nonzero()",
    "torch.nonzero(x)",
    "torch.argwhere(x)",
    "torch.where(x > 0)",
    "torch.masked_select(x, x > 0)",
    "x[x > 0]",
    "torch.unique(x)",
    "x.unique()",
    "torch.bincount(x.long())",
    "torch.repeat_interleave(x, x.long())",
    "x.repeat_interleave(x.long())",
    "torch.equal(x, x)",
    "x.equal(x)",
    "torch.allclose(x, x)",
    "torch.is_nonzero(x.sum())",
    "torch.manual_seed(0)",
    "torch.get_rng_state()",
    "torch.set_num_threads(torch.get_num_threads())",
    "torch.get_float32_matmul_precision()",
    "torch.Generator()",
    "torch.typename(x)",
    "(x * layer.weight).sum().backward()",
    "torch.autograd.grad((x * layer.weight).sum(), layer.weight)",
    "nn.Parameter(x)",
    "x.to_sparse()",
    "x.is_shared()",
    "torch.cuda.device_count()",
    "torch.can_cast(torch.float32, torch.float64)",
    "torch.cuda.is_bf16_supported()",
    "torch.get_default_device()",
    "torch.jit.isinstance(x, torch.Tensor)",
    "torch.result_type(x, x)",
    "torch.sparse_coo_tensor(torch.tensor([[0], [1]]), torch.tensor([1.0]), (4, 4))",
    "nn.utils.rnn.pack_padded_sequence(x.view(4, 1, 1), torch.tensor([4]))",
    "torch.zeros(x.long().sum())",
    "torch.arange(x.long().sum())",
    "x.new_zeros(x.long().sum())",
    "x.repeat(2).view(x.long().sum())",
    "torch.nn.functional.one_hot(x.long())",
    "any(x > 0)",
    "nn.Linear(4, 4)",
    "nn.LayerNorm(4)",
    "x.requires_grad_()",
    "x.resize_(2, 2)",
    "x.storage()",
    "x.is_pinned()",
    "optimizer.zero_grad()",
    "optimizer.zero_grad(set_to_none=True)",
    "optimizer.step()",
    "class Local: pass",
    "if x.sum() > 0: x = x + 1",
    "if not torch.isfinite(x).all(): x = x + 1",
    "if len(x) and x.sum() > 0: x = x + 1",
    "while x.sum() < 10: x = x + 1",
    "y = 1 if x.sum() > 0 else 2",
    "assert x.sum() > 0, f'{x}'",
    "assert x.sum() > 0, 'a' + f'{x}'",
    "assert x.sum() > 0, '%s' % x.shape",
    "assert not torch.isnan(x).any()",
]
TRACED = [
    "torch._assert_async((x > 0).all())",
    "torch._check(x.shape[0] == 4)",
    "torch.full((4,), x.sum())",
    "torch.nn.functional.one_hot(x.long() * 0, 2)",
    "x.register_hook(print) if x.requires_grad else None",
    "nn.Dropout(0.5)",
    "x.untyped_storage()",
    "x.view(len(x), 1)",
    "x.data",
    "layer.weight.grad",
    "assert x.sum() > 0",
    "assert torch.all(x > 0), 'message'",
    "assert torch.all(x > 0), f'message'",
    "assert torch.all(x > 0), 'a' + 'b'",
    "if x.shape[0] == 4: x = x + 1",
    "if x is None: x = x + 1",
    "id(x)",
    "hash(x)",
    "f'{x.shape}'",
    "repr(x.shape)",
    "os.environ.get('HOME')",
    "os.path.join('a', 'b')",
    "random.randint(0, 3)",
    "copy.deepcopy([1])",
    "next(layer.parameters())",
    "list(layer.named_parameters())",
    "layer.train()",
    "x.numpy()",
    "x.detach().cpu().numpy()",
    "torch.tensor([1.0])",
    "torch.where(x > 0, x, 0)",
    "x.repeat_interleave(2)",
    "torch.repeat_interleave(x, x.long(), output_size=8)",
    "torch.set_default_dtype(torch.float32)",
    "torch.cuda.is_available()",
    "torch.is_grad_enabled()",
    "x[x > 0] = 0",
    "x[x.long()]",
    "math.sqrt(4)",
    "range(len(x))",
    "float(x.shape[0])",
    "nn.ReLU()",
    "sum(y for y in x)",
    "any(size > 3 for size in x.shape)",
    "for y in x: x = x + y",
    "def local(): return 1",
    "try: x = x + 1\nexcept ValueError: x = x + 2",
    "global GLOBAL; GLOBAL = 3",
    "if not torch.compiler.is_compiling(): print('eager')",
    "if torch.compiler.is_compiling(): return x\nprint('eager')",
    "if not torch.compiler.is_compiling() and x.sum() > 0: x = x + 1",
    "eager = not torch.compiler.is_compiling()\nif eager and x.sum() > 0: x = x + 1",
    "with torch.profiler.record_function('here'): x = x + 1",
]
TRACED_SINCE = {
    "random.random": "random.random()",
    "random.sample": "random.sample([1, 2], 1)",
    "random.seed": "random.seed(0)",
    "random.shuffle": "random.shuffle([1, 2])",
    "torch.backends.mps.is_available": "torch.backends.mps.is_available()",
    "torch.combinations": "torch.combinations(x)",
    "torch._assert": "torch._assert((x > 0).all(), 'message')",
}
BREAKS_SINCE = {"state_dict": "layer.state_dict()"}
# The rule tells what torch 2.13 and later do; before, these did something else.
BROKE_UNTIL = {
    "copy.deepcopy([1])": (2, 12),
    "hash(x)": (2, 13),
    "id(x)": (2, 13),
    "layer.state_dict()": (2, 13),
}


def module(line: str) -> str:
    return HEADER + textwrap.indent(line, "    ") + "\n    return x + 1\n"


def breaks(text: str) -> int:
    """How many graph breaks torch counts when the function of the module is called once."""
    torch._dynamo.reset()
    counters.clear()
    name = "graph_break_module"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, object] = {"__name__": name}
    state = torch.get_rng_state()
    exec(compile(text, name, "exec"), space)
    function = space["compiled"]
    assert callable(function)
    with contextlib.redirect_stdout(io.StringIO()):
        function(torch.ones(4))
    torch.set_rng_state(state)
    return sum(counters["graph_break"].values()) + sum(counters["unimplemented"].values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", BREAKS)
def test_what_breaks_the_graph_is_reported(line: str) -> None:
    assert lint("OVH311", module(line))
    try:
        count = breaks(module(line))
    except AssertionError as error:  # torch 2.11 guards a builtin method by an object that is made anew
        if "This is a bug" not in str(error):
            raise
        pytest.skip("Dynamo of this torch ends with an error of its own")
    assert count > 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", TRACED)
def test_what_is_traced_is_not_reported(line: str) -> None:
    assert lint("OVH311", module(line)) == []
    assert (breaks(module(line)) > 0) == (BROKE_UNTIL.get(line, RUNNING) > RUNNING)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TRACED_SINCE)
def test_what_is_traced_since_a_release_is_reported_for_older_ones(name: str) -> None:
    text, since = module(TRACED_SINCE[name]), RELEASES.TRACED_SINCE[name]
    assert bool(lint("OVH311", text, target_torch=RUNNING)) == (breaks(text) > 0)
    (finding,) = lint("OVH311", text, target_torch=(since[0], since[1] - 1))
    assert f"before torch {since[0]}.{since[1]}," in finding.message
    assert lint("OVH311", text, target_torch=since) == lint("OVH311", text) == []


@pytest.mark.parametrize("name", BREAKS_SINCE)
def test_what_breaks_since_a_release_is_reported_with_it(name: str) -> None:
    text, since = module(BREAKS_SINCE[name]), RELEASES.BREAKS_SINCE[name]
    assert (breaks(text) > 0) == (since <= RUNNING or BROKE_UNTIL[BREAKS_SINCE[name]] > RUNNING)
    (finding,) = lint("OVH311", text)
    assert f"torch {since[0]}.{since[1]} and later" in finding.message


def test_each_change_between_releases_is_tried() -> None:
    assert TRACED_SINCE.keys() == RELEASES.TRACED_SINCE.keys()
    assert BREAKS_SINCE.keys() == RELEASES.BREAKS_SINCE.keys()


MEANT = """
import torch
import logging
from torch import nn

logger = logging.getLogger(__name__)

class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        logger.info("here")
        if not {asks}:
            print("eager")
        return x + x.sum().item()

    @torch.compiler.disable
    def extra(self, x):
        print("eager")
"""


@pytest.mark.parametrize(
    ("asks", "lines"), [("torch.compiler.is_compiling()", [10]), ("self.training", [10, 12]), ("", [])]
)
def test_module_of_a_file_that_knows_the_compiler_is_taken_to_be_compiled(
    asks: str, lines: list[int]
) -> None:
    text = MEANT.format(asks=asks or "compile()")
    if not asks:
        text = text.replace("@torch.compiler.disable", "")
    assert [finding.span.line for finding in lint("OVH311", text, Heat.PRESUMED)] == lines
    assert not lint("OVH311", text), "that users compile it is presumed"


OWN = """
import copy
import torch
from torch._dynamo import is_compiling

class Table:
    def names(self):
        return copy.copy(self._names)

    def forward_all(self, x):
        return x if is_compiling() else x + len(self.names())

def loose():
    return copy.copy([])

def eval_step(x):
    if torch.compiler.is_compiling():
        x = x + 1
    return x + len(copy.copy([1]))

def train_step(table, x):
    table = Table()
    return loose(), eval_step(x), table.forward_all(x)

class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("here")
        return x
"""


def test_what_asks_the_compiler_is_taken_to_be_compiled_with_its_class() -> None:
    assert [finding.span.line for finding in lint("OVH311", OWN, Heat.PRESUMED)] == [8, 19, 28]


READS = """
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        longest = x.max().item()
        if x.min().item() > 0:
            x = x + 1
        return x * longest
"""


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("torch._dynamo.config.capture_scalar_outputs = True", 1),
        ("torch._dynamo.config.capture_dynamic_output_shape_ops = True", 2),
        ("other.config.capture_scalar_outputs = True", 2),
    ],
)
def test_what_another_file_has_dynamo_trace_is_not_reported(
    tmp_path: Path, said: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    imports = "import other\nimport torch\nimport torch._dynamo\nfrom pkg.net import Net\n"
    start = f"{imports}def compiled():\n    {said}\n    return torch.compile(Net())\n"
    sources = {"pkg/__init__.py": "", "pkg/net.py": READS, "pkg/start.py": start}
    assert len(lint_project("OVH311", tmp_path, sources, "pkg/net.py", Heat.PRESUMED)) == count
