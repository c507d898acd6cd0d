"""What expressions are known to be: each case asks about the arguments of calls of ``ask()``."""

from __future__ import annotations

import ast
import textwrap

import pytest

from overhead_lint.project.facts import FileFacts
from overhead_lint.project.kinds.abstract_value import (
    NUMBER,
    TENSOR,
    AbstractValue,
    encoded,
    holding,
    with_parts,
)
from overhead_lint.project.kinds.inference import Kinds
from overhead_lint.rule import Kind

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


def expression(text: str) -> str:
    """Kind of one expression, with a tensor `t`, a host tensor `h` and an unknown `u` at hand."""
    body = f"def f(t: Tensor, u):\n    h = torch.zeros(3)\n    ask({text})\n"
    return kinds(body)


EXPRESSIONS = {
    "tensor": """
        t + 1 | 1 / t | t @ u | -t | t > 0 | t == u | t[0] | t[:, None] | t.T | t.grad | u.grad
        t.data | t.view(3) | t.sum() | t.to(torch.float16) | t.float() | t.cuda() | h.cuda()
        h.to("cuda") | h.to(u) | h.to(t.device) | h + t | torch.exp(u) | F.relu(u)
        torch.zeros(3, device=u) | torch.zeros(3, device="cuda:0") | torch.zeros_like(t)
        torch.cat([t, h]) | torch.linalg.norm(t) | t.max() | t.max(1)[0] | t.topk(3).values
        t.split(2)[0] | torch.max(t, dim=1).values | h.to(t) | (t if u else h.cuda())
        t if u else t.clone() | sum(t.chunk(2)) | next(u.parameters()) | torch.as_tensor(t)
        torch.tensor(t) | nn.Parameter(h) | t.new_zeros(3) | [t, t][0] | [t, t][u] | t.sort(1)[0]
        nn.Linear(3, 3)(u) | torch.where(t, 1, 0) | u.detach() | u.x.unsqueeze(0) | u.float().sum()
        torch.cuda.FloatTensor([1.0]) | u.saved_tensors[0] | [p for p in u["params"]][0]
        u.bincount(minlength=3) | u[0].exp() | u[0].isnan() | u.x.sigmoid()
        torch.stack([u] * 5) | torch.cat([t, h, u]) | torch.cat([u, u]) | torch.cat([h, u])
        u[0].long() | (u + 1).masked_fill(u, 0) | u[0].permute(1, 2, 0) | u.contiguous()
        u[0].int() | u.ne(1).bool() | u.to(torch.long) | u.to(dtype=torch.bool) | u.fill_(0) | u.add_(1)
        cast(Tensor, u) | cast("torch.Tensor", u.x)
        torch.unique(t, return_counts=True)[1] | t.nonzero(as_tuple=True)[0] | torch.where(t > 0)[0]
        torch.aminmax(t)[0] | torch.linalg.lu_factor(t)[0] | F.max_pool2d(t, 2, return_indices=True)[1]
        nn.GRUCell(3, 3)(t, u) | nn.BatchNorm1d(3).running_mean | nn.Linear(3, 3).state_dict()["weight"]
        Normal(t, 1.0).log_prob(u) | Normal(t, 1.0).sample() | Categorical(logits=t).entropy()
        Independent(Normal(u, t), 1).base_dist.scale | Normal(t, 1.0).expand([3]).mean
        torch.distributions.kl_divergence(u, u) | torch.masked.mean(t) | u[0].lerp_(u, 0.5) | u[0].cos()
        t.type(torch.float32) | t.type(dtype=torch.long) | t.type(u) | u[0].type(torch.long)
        h.type("torch.cuda.FloatTensor") | h.type(torch.cuda.LongTensor) | (t > 0).type(torch.bool).sum()
        pad_packed_sequence(u)[0] | pad_sequence(u) | u.log_prob(t) | torch.signal.windows.hann(3, device=u)
    """,
    "host": """
        h | h + 1 | h[0] | h.view(3) | h.to(torch.float16) | h.to(dtype=u) | torch.tensor([1.0])
        torch.arange(u) | torch.randn(3).cpu() | t.cpu() | t.to("cpu") | t.to(device="cpu")
        torch.zeros(3, device="cpu") | torch.zeros(3, device=None) | torch.zeros_like(h)
        torch.from_numpy(u) | torch.as_tensor(np.ones(3)) | torch.stack([h, h]) | h * h + 2
        h.float().mean() | torch.exp(h) | h < 3 | h.to(h.device) | h.new_ones(3) | t.cpu().sum()
        torch.full((3,), 1.0, device=torch.device("cpu")) | h.to(h) | h + u | u / h | torch.exp(h * u)
        torch.cat([torch.ones(2), u]) | torch.stack((u, t.cpu()), 1)
        torch.where(torch.stack([h] * 5) == h)[1]
        Normal(0.0, 1.0).sample() | Normal(h, 1.0).log_prob(h) | Categorical(probs=h).sample([3])
        h.type(torch.float32) | h.type(u.dtype) | t.type(torch.FloatTensor) | t.type("torch.LongTensor")
        pad_packed_sequence(u)[1] | u.batch_sizes[0] | torch.signal.windows.hann(3) | torch.kaiser_window(3)
    """,
    "number": """
        1 | 1.5 | True | 1 + 2 | not t | t.item() | t.sum().item() | u.item() | t.size(0)
        t.shape[0] | t.dim() | t.ndim | t.numel() | len(t) | int(t) | float(u) | bool(t) | h.is_cuda
        math.sqrt(2) | math.pi | u is None | t is not None | u in t | t.dtype == torch.float16
        len(u) * 2 | max(1, len(u)) | isinstance(t, int) | any(t) | abs(-1) | t.size()[0]
        torch.is_tensor(u) | torch.equal(t, t) | t.requires_grad | list(range(3))[0] | sum([1, 2])
        torch.can_cast(u, u) | torch.distributed.get_rank() | torch.cuda.device_count()
        torch.get_num_threads()
        [1, 2][0] | u == "x" | t.dense_dim() | t.is_xpu | t.is_inference() | t._version
    """,
    "object": """
        None | "a" | f"{t}" | [t] | (t, h) | {} | t.tolist() | t.shape | t.size() | t.dtype | t.device
        t.type() | t.aminmax() | Normal(t, t) | Normal(t, t).support
        nn.LSTMCell(3, 3)(t) | torch.linalg.eig(t)
        str(t) | lambda: t | torch.float16 | torch.device("cuda") | t.split(2) | range(3) | t.max(1)
        torch.finfo(t.dtype) | t.shape[1:] | torch.chunk(t, 2) | nn.LSTM(3, 3)(t) | list(u) | slice(u)
    """,
    "array": "np.zeros(3) | np.float32(3) | t.numpy() | t.cpu().numpy() | np.exp(u) * 2 | np.zeros(3)[0]",
    "module": "nn.Linear(3, 3) | nn.Linear(3, 3).cuda() | nn.Sequential(u)[0] | torch.compile(nn.ReLU())",
    "unknown": """
        u | u + 1 | u.x | u[0] | u() | thing(t) | Thing() | Thing(t)(t) | t if u else 1 | torch.load("f")
        [t, 1][u] | t["lengths"] | t._typed_storage()._size()
        h.type(u.Tensor) | u.type(torch.float32) | u.type()
        Normal(t, t).transforms | Normal(t, t).nonsense() | u[0].cos(3) | u.entropy()
        u.to("cuda") | u.size | u.float() | u > 0 | t.nonsense | u.to(torch.half) | u.int(3)
    """,
}


@pytest.mark.parametrize("expected", EXPRESSIONS)
def test_kinds_of_expressions(expected: str) -> None:
    wrong = {}
    for line in EXPRESSIONS[expected].strip().splitlines():
        for text in line.split(" | "):
            found = expression(text.strip())
            if found != expected:
                wrong[text.strip()] = found
    assert wrong == {}


CASES = {
    "parameters by annotation": (
        """
        def f(a: Tensor, b: torch.Tensor, c: Optional[Tensor], d: "Tensor | None", e: int, g: np.ndarray,
              h: Union[Tensor, int], i: List[Tensor], j: nn.Module, k: str, m: Thing, n: Union[int, float]):
            ask(a, b, c, d, e, g, h, i, i[0], j, k, m, n)
            for x in i:
                ask(x)
        """,
        "tensor tensor tensor tensor number array unknown object tensor module object unknown number tensor",
    ),
    "parameters compared by dtype": (
        """
        def f(a, b, c):
            if a.dtype == torch.half or b.dtype == c:
                ask(a, b)
        """,
        "tensor unknown",
    ),
    "parameters by what the class's own calls pass": (
        """
        class Optimizer:
            def step(self, norm: Tensor, count):
                self.clip(norm, count)
                self.clip(norm * 2, count=3)
                self.scale(norm)
                other.scale(1)
            def clip(self, norm, count):
                ask(norm, count)
            def scale(self, norm):
                ask(norm)
        """,
        "tensor unknown unknown",
    ),
    "parameters by what all calls pass": (
        """
        class Table:
            def __init__(self, size):
                self.index = torch.arange(size)
                self.freqs = torch.cat([self.rope(self.index, 3), self.rope(self.index.flip(0), 4)], dim=1)
            def rope(self, index, dim):
                ask(index)
                return torch.outer(index, torch.ones(dim))
            def forward(self, device):
                ask(self.freqs, self.freqs.to(device))
        class Other(Table):
            def more(self, t: Tensor):
                return self.scale(t)
        class Apart:
            def more(self):
                return self.rope("text", 3)
        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ask(x, factor)
                return x * factor
        def run(t: Tensor, u):
            _inner({"a": t}, 3)
            _inner(count=4, held={"a": t})
            outer(t, *u)
            Scale.apply(t.cpu(), t)
        def _inner(held, count):
            ask(held["a"], count)
        def outer(t, factor, other):
            ask(t, factor, other)
        """,
        "host host tensor host tensor tensor number tensor unknown unknown",
    ),
    "parameters by use": (
        """
        def forward(a, b, c, d):
            a.view(3); a.contiguous().permute(1); a.masked_fill(b, 0); a.unsqueeze(0)
            F.relu(c)
            ask(a, b, c, d)
        class M(nn.Module):
            def __init__(self):
                self.net = nn.Linear(3, 3)
            def forward(self, x, y, z, w, flag=True, name="a", n=None):
                self.net(z)
                ask(x.shape[0], y, z, w, flag, name, n)
                return x.unsqueeze(0) + w.sum()
        def helper(w):
            ask(w)
            return w.sum()
        def wider(x, held):
            ask(x, held, held["a"])
            return x.unsqueeze(0), held.unsqueeze(0)
        """,
        "tensor tensor tensor unknown number unknown tensor tensor number object unknown unknown "
        "tensor unknown unknown",
    ),
    "arguments that only tensors can be": (
        """
        def f(out, index, source, x, y, weight, target, given, other, part):
            out.index_add_(0, index, source)
            torch.matmul(other, y)
            x = F.linear(given["x"], weight)
            F.cross_entropy(x, target)
            out.scatter_(1, part, 0.5)
            ask(index, source, y, weight, target, part)
        def g(rows, fill, places, keep, size):
            x = torch.full(size, fill)
            x.scatter_(1, *places, keep)
            keep.count(x), torch.cat(rows)
            ask(rows, fill, places, keep, size)
        """,
        "tensor tensor tensor tensor tensor tensor unknown unknown unknown unknown unknown",
    ),
    "what is held by a key, by use": (
        """
        class M(nn.Module):
            def forward(self, batch, other):
                kept = batch["points"].unsqueeze(1) < 0.3
                found = batch[self.name].nonzero()[:, 0]
                also = batch["mask"].nonzero(as_tuple=True)
                rows = batch["rows"].nonzero()[0]
                place = batch["place"]
                torch.zeros(3).index_add_(0, place, batch["value"])
                ask(batch["points"], kept, batch[self.name], batch["mask"], batch["rows"], batch["size"])
                ask(place, batch["value"], batch, other["points"], found)
        def host(batch, i):
            batch[i].unsqueeze(0)
            batch["made"] = [1]
            batch["made"].unsqueeze(0)
            ask(batch[i], batch["made"])
        """,
        "tensor tensor tensor tensor unknown unknown tensor tensor unknown unknown tensor unknown object",
    ),
    "parameters of which tensors are made unless they are some": (
        """
        def f(x, y, z: "float | Tensor", w, v):
            if not torch.is_tensor(x):
                x = torch.tensor(x, device=z)
            if isinstance(y, Tensor):
                y = y + 1
            else:
                y = torch.as_tensor(y, device="cuda")
            if not isinstance(z, Tensor):
                z = torch.tensor(z)
            if w is None:
                w = torch.tensor(1.0)
            if not torch.is_tensor(v):
                v = thing(v)
            ask(x, y, z, w, v)
        """,
        "tensor tensor unknown unknown unknown",
    ),
    "the binding that reaches the use": (
        """
        def f(t: Tensor, u):
            x = t.sum()
            ask(x)
            x = x.item()
            ask(x)
            if u:
                y = t
            else:
                y = 1
                ask(y)
            ask(y)
            if u:
                z = None
                return z
            else:
                z = t
            ask(z)
        """,
        "tensor number number unknown tensor",
    ),
    "loops carry bindings round": (
        """
        def f(t: Tensor, n):
            total = 0
            best = 0.0
            acc = torch.zeros(3)
            for i in range(n):
                ask(total, i)
                total = total + t
                best = max(best, i)
                acc += 1
            ask(total, best, acc)
        """,
        "tensor number tensor number host",
    ),
    "numbers that tensors are added to": (
        """
        def f(t: Tensor, u):
            total = 0.0
            for x in u:
                total = total + t
            ask(total)
            found = len(u)
            if u:
                found = t
            ask(found)
        class Meter:
            def __init__(self):
                self.sum = torch.zeros(3).cuda()
                self.count = 0
                self.seen = 0
                self.first, self.last = torch.ones(2).cuda().chunk(2)
            def update(self, t: Tensor):
                self.sum += t
                self.count += 1
                self.seen += t.sum()
                ask(self.sum, self.count, self.seen, self.first)
        """,
        "tensor unknown tensor number tensor tensor",
    ),
    "what may be missing": (
        """
        def may(t: Tensor, u):
            if u:
                return None
            return t
        def f(t: Tensor, u):
            x = t if u else None
            ask(x, may(t, u), None if u else 3, u or None)
        """,
        "tensor tensor number unknown",
    ),
    "mappings by key": (
        """
        def losses(t: Tensor):
            return {"loss": t, "count": 3}
        def said(t: Tensor) -> dict:
            return dict(loss=t, count=3)
        def f(t: Tensor, u):
            d = {"a": t, "b": 1, "c": u}
            ask(d["a"], d["b"], d["c"], d.get("a"), d.pop("b"), d["x"], d[u])
            ask(losses(t)["loss"], losses(t)["count"], said(t)["loss"], {**d, "b": t}["b"])
            for key in {"a": t, "b": t}:
                ask(key)
            for key, value in {"a": t, "b": t}.items():
                ask(key, value)
            ask(list({"a": t}.values())[0], {k: t for k in u}[u])
        """,
        """
        tensor number unknown tensor number unknown unknown tensor number tensor tensor
        object object tensor tensor tensor
        """,
    ),
    "mappings that are stored to": (
        """
        def f(t: Tensor, u, batch):
            d = {}
            d["a"] = t
            ask(d["a"])
            d["a"] = 1
            ask(d["a"])
            if u:
                d["a"] = t
            ask(d["a"])
            batch["x"] = torch.exp(u)
            ask(batch["x"], batch["y"])
            if u:
                batch["y"] = t
            ask(batch["y"])
            d = thing()
            ask(d["a"])
        class Runner:
            def __init__(self):
                self.metrics = {}
            def step(self, t: Tensor):
                self.metrics["loss"] = t
                ask(self.metrics["loss"], self.metrics["other"])
        """,
        "tensor number unknown tensor unknown unknown unknown tensor tensor",
    ),
    "containers that are filled": (
        """
        from collections import deque
        def f(t: Tensor, u, many: List[Tensor]):
            xs, ys, zs = [], {}, []
            xs = []
            for x in u:
                xs.append(t)
            ask(xs, xs[0], sum(xs))
            for x in xs:
                ask(x)
            ys = {}
            ys[u] = t
            ys.update(a=t)
            for key, y in ys.items():
                ask(key, y)
            zs = [None] * 3
            zs[0] = t
            ask(zs[u])
            last = deque(maxlen=3)
            last.extend(many)
            ask(last[-1])
            mixed = []
            mixed.append(t)
            mixed.append(u)
            ask(mixed[0])
        class Buffer:
            found: List[Tensor]
            def __init__(self):
                self.found = []
                self.kept: List[Tensor] = []
            def add(self):
                ask(self.found[0], self.kept[0])
        """,
        "object tensor tensor tensor object tensor tensor tensor unknown tensor tensor",
    ),
    "augmented assignment": (
        """
        def f(t: Tensor):
            n = 0
            n += 1
            x = torch.zeros(3)
            x += t
            ask(n, x)
        """,
        "number tensor",
    ),
    "unpacking": (
        """
        def f(t: Tensor):
            a, b = t, 1
            n, m = t.shape
            v, i = t.max(1)
            out, (h, c) = nn.LSTM(3, 3)(t)
            first, *rest = t.split(2)
            ask(a, b, n, v, i, out, h, first)
        """,
        "tensor number number tensor tensor tensor tensor tensor",
    ),
    "what loops iterate": (
        """
        def f(t: Tensor, model: nn.Module, other):
            for x in t:
                ask(x)
            for i, (x, y) in enumerate(zip(t, other)):
                ask(i, x, y)
            for p in model.parameters():
                ask(p, p.grad)
            for name, p in model.named_parameters():
                ask(name, p)
            [ask(x, y) for x in t.unbind() for y in range(3)]
        """,
        "tensor number tensor unknown tensor tensor object tensor tensor number",
    ),
    "names of comprehensions, each by its own uses": (
        """
        def f(rows, others):
            found = [ask(x) or x.unsqueeze(0) for x in rows]
            return [ask(x) for x in others]
        """,
        "tensor unknown",
    ),
    "narrowing": (
        """
        def f(x, y: Union[Tensor, float], t: Tensor, z):
            if isinstance(x, torch.Tensor):
                ask(x)
            else:
                ask(x)
            if not torch.is_tensor(x):
                ask(x)
                return
            ask(x)
            assert isinstance(z, (int, float))
            ask(z)
            if isinstance(x, numbers.Number):
                ask(x)
            a = y.item() if isinstance(y, Tensor) else ask(y)
            if isinstance(x, Tensor) and ask(x):
                pass
            if not isinstance(t, Tensor):
                ask(t)
            if t is None:
                ask(t)
        """,
        "tensor unknown unknown tensor number number unknown tensor unknown object",
    ),
    "what a processor gives": (
        """
        def f(processor, texts, n):
            found = processor(texts, return_tensors="pt")
            ask(found["ids"], found["ids"].sum())
            for part in torch.split(found["ids"], n):
                ask(part)
            moved = processor(texts, return_tensors="pt").to("cuda")
            ask(moved["ids"])
        """,
        "host host host unknown",
    ),
    "a number that a test calls a tensor": (
        """
        def f(x: Tensor, n: int):
            k = 1.0 + (x.size(2) > 1)
            if isinstance(k, Tensor):
                ask(k)
            if isinstance(n, Tensor):
                ask(n)
        """,
        "number number",
    ),
    "parameters that calls of the file give host tensors": (
        """
        class M:
            def run(self, t: Tensor):
                self.write(t.cpu(), t)
                self.write(t=t, h=t)
                plain(t)
            def write(self, h: Tensor, t: Tensor):
                ask(h, t)
        def plain(h: Tensor):
            ask(h)
        """,
        "unknown tensor tensor",
    ),
    "what is used as a tensor": (
        """
        def f(self, model, scaler, engine, thing):
            loss = model.run()
            scaler.scale(loss).backward()
            other = model.run()
            engine.backward(other)
            logits = model.run()
            best = logits.argmax(dim=-1)
            kept = self.weights.clone()
            torch.exp(kept)
            twice = model.run()
            twice = engine.run()
            torch.exp(twice)
            again = model.run()
            again = model.more(again)
            torch.exp(again)
            count = len(thing)
            torch.exp(count)
            c, h = thing.shape
            for c in thing:
                torch.exp(c)
            ask(loss, other, logits, best, kept, twice, again, count, h, thing.max(dim=1), model.run())
        """,
        "tensor tensor tensor tensor unknown unknown tensor number number object unknown",
    ),
    "several values under the annotation of one": (
        """
        def several(x) -> Tensor:
            return torch.exp(x), x.shape[0]
        def f(x):
            a, b = several(x)
            ask(a, b)
        """,
        "unknown unknown",
    ),
    "attributes of self": (
        """
        class Base(nn.Module):
            def __init__(self):
                self.shared = nn.Parameter(torch.zeros(3))
        class M(Base):
            scale: float
            def __init__(self, dim: int, cfg):
                self.linear = nn.Linear(dim, dim)
                self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(dim)])
                self.dim, self.cfg = dim, cfg
                self.width = dim * 2
                self.register_buffer("mask", torch.ones(3))
                self.table = torch.arange(3)
                self.step = None
                self.cache = None
                self.both = 1
            def forward(self, x):
                self.cache = torch.zeros_like(x)
                self.both = "a"
                ask(self.linear, self.linear(x), self.layers, self.layers[0](x), self.width, self.cfg)
                ask(self.mask, self.table, self.step, self.both, self.scale, self.shared, self.linear.weight)
                for layer in self.layers:
                    x = layer(x)
                ask(x)
        """,
        "module tensor module tensor number unknown tensor host object unknown number tensor tensor tensor",
    ),
    "parameters annotated with a name of the project": (
        """
        from typing_of_ours import Rows, Adj, BatchDict
        def f(a: Rows, b: Adj, c: BatchDict, d: Rows, e: Union[Rows, int]):
            if isinstance(b, Thing):
                b.other()
            ask(a, a.new_zeros(3), b, b.new_zeros(3), c, c.unsqueeze(0), d, e.unsqueeze(0), e)
        """,
        "tensor tensor unknown tensor unknown tensor unknown tensor unknown",
    ),
    "what several slices index": (
        """
        def f(a, b, c, d):
            ask(a, b, c, d, a[:, 0], b[..., 0], c[0, 1], d[1:])
        """,
        "unknown unknown unknown unknown unknown unknown unknown unknown",
    ),
    "attributes of self after they were assigned to": (
        """
        class M:
            def set(self, n, u):
                self.table = torch.zeros(n, device="cuda")
                self.table = self.table.to("cpu")
                self.moved = torch.arange(n)
                self.moved = self.moved.to("cuda")
                self.kept = torch.arange(n)
                self.show()
                self.kept = torch.arange(n, device="cuda")
                self.either = torch.arange(n)
                if u:
                    self.either = self.either.cuda()
                self.count = 1
                ask(self.table, self.moved, self.either, self.count)
                self.count = "one"
            def show(self):
                ask(self.table, self.moved, self.kept, self.either, self.count)
            def again(self, u):
                ask(self.either)
                self.either = torch.arange(3)
                ask(self.either)
                u(self)
                ask(self.either)
                for one in u:
                    self.moved = torch.arange(3)
                ask(self.moved)
                self.none = None
                ask(self.none)
            def fill(self):
                self.none = torch.zeros(3, device="cuda")
        """,
        "host unknown unknown number host unknown unknown unknown object unknown host unknown unknown tensor",
    ),
    "functions and modules of the file": (
        """
        def make():
            return torch.zeros(3)
        def promised() -> Tensor:
            return thing()
        class Inner(nn.Module):
            def forward(self, x):
                return F.relu(x), 1
        class Outer(nn.Module):
            def forward(self, x: Tensor):
                return self.scaled(x)
            def scaled(self, x: Tensor):
                return x * 2
        class Fn(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ask(ctx, x)
                return x.view(-1)
        def f(u):
            outer = Outer()
            ask(make(), promised(), Inner()(u), outer(u), Fn.apply(u), outer)
        """,
        "unknown tensor host tensor object tensor tensor module",
    ),
    "tuples by place": (
        """
        def pair(t: Tensor):
            return t, 1
        def promised() -> tuple[Tensor, int, list[Tensor]]:
            return thing()
        def many() -> tuple[Tensor, ...]:
            return thing()
        def f(t: Tensor):
            a, b = pair(t)
            c, d, e = promised()
            both = t, "a"
            ask(a, b, c, d, e[0], many()[3], both[1], both[-2], both[t])
            for x, (y, z) in [(1, (t, "a"))]:
                ask(x, y)
        """,
        "tensor number tensor number tensor tensor object tensor unknown unknown unknown",
    ),
    "default devices": (
        """
        def f(u):
            with torch.device("cuda"):
                ask(torch.zeros(3))
            with thing():
                ask(torch.zeros(3))
        """,
        "tensor host",
    ),
    "module level, closures and shadows": (
        """
        T = torch.zeros(3, device="cuda")
        len = thing
        def f(int):
            def g():
                ask(T, x)
            x = 3
            ask(len(x), int(x))
        """,
        "tensor number unknown unknown",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_kinds_of_names_and_attributes(name: str) -> None:
    text, expected = CASES[name]
    assert kinds(text).split() == expected.split()


def test_pairs_of_pairs_are_told_as_deep_as_anybody_takes_them_apart() -> None:
    """Functions that give two of what others give would be twice as much each."""
    held = AbstractValue(Kind.TENSOR)
    for _ in range(40):
        held = with_parts(holding(held), (held, held))
    assert len(encoded(held)) < 200
    assert encoded(with_parts(holding(TENSOR), (TENSOR, with_parts(holding(TENSOR), (TENSOR, NUMBER))))) == (
        "o{t;o{t;n}}"
    )


def test_several_slices_index_tensors_where_a_file_has_no_arrays() -> None:
    asked_of = "ask(a, b, c, d, e, g)"
    used = "a[:, 0], b[..., 0], c[0, 1], d[1:], e[1:] - e[:-1], g[1:] + g[:-1]"
    text = f"import torch\ndef f(a, b, c, d, e, g):\n    {asked_of}\n    return {used}\n"
    for extra, expected in (
        ("", "tensor tensor unknown unknown tensor unknown"),
        ("import pandas as pd\n", "unknown " * 6),
    ):
        facts = FileFacts(ast.parse(extra + text), "m.py")
        (asked,) = facts.call_index.by_name["ask"]
        assert [facts.kinds.kind(one).value for one in asked.args] == expected.split()


def test_inference_ends_on_circles_and_on_depth() -> None:
    rounds = "\n".join(f"    x{i} = x{i + 1} + x{(i * 7) % 40}" for i in range(40))
    deep = " + ".join(["t"] * 2000)
    assert kinds(f"def f(t):\n  while t:\n{rounds}\n    ask(x0, {deep})\n") == "unknown unknown"


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("t > 0", True),
        ("~(t > 0)", True),
        ("(t > 0) & (t < 1)", True),
        ("(t > 0) & t", False),
        ("t.bool()", True),
        ("t.to(torch.bool)", True),
        ("t.isnan().any(-1)", True),
        ("torch.isfinite(t).view(-1)", True),
        ("torch.zeros(3, dtype=torch.bool)", True),
        ("(t > 0).to(t.device)", True),
        ("(t > 0).to(torch.float16)", False),
        ("(t > 0).to(t)", False),
        ("(t > 0).sum()", False),
        ("(t > 0).float()", False),
        ("(t > 0)[0]", True),
        ("(t > 0) * (t < 1)", True),
        ("(t > 0) * t", False),
        ("(t > 0) + (t < 1)", False),
        ("t.type(torch.bool)", True),
        ("u.type(torch.bool)", True),
        ("(t > 0).type(torch.float32)", False),
        ("t", False),
        ("t.argmax()", False),
        ("u == 1", False),
    ],
)
def test_tensors_of_booleans_are_known_as_masks(text: str, mask: bool) -> None:
    tree = ast.parse(f"import torch\nfrom torch import Tensor\ndef f(t: Tensor, u):\n    ask({text})\n")
    facts = FileFacts(tree, "model.py")
    (asked,) = (call.args[0] for call in facts.call_index.by_name["ask"])
    assert facts.kinds.infer(asked).mask is mask


FOUND_ELSEWHERE = {
    "attribute that is a tensor of the host, or read back": (
        """
        class Chunk:
            def __init__(self):
                self.shard = None
            def fill(self, source, other):
                self.shard = torch.empty(3)
            def move(self, source):
                self.shard = source.payload.cpu()
            def show(self):
                ask(self.shard)
        """,
        "host",
    ),
    "parameter of a function that is given tensors": (
        """
        def f(x):
            ask(x)
        def g(t: Tensor, u):
            f(t)
            f(t + 1)
        """,
        "tensor",
    ),
    "parameter of a function that is once given something else": (
        """
        def f(x):
            ask(x)
        def g(t: Tensor, u):
            f(t)
            f(u)
        """,
        "unknown",
    ),
    "field of a class that is annotated": (
        """
        class Packed:
            rows: Tensor
            count: int
        def f(packed: Packed, made):
            own = Packed()
            ask(packed.rows, packed.count, own.rows, made.rows)
        """,
        "tensor number tensor unknown",
    ),
    "what a method of an instance gives": (
        """
        class Counter:
            def __init__(self):
                self.seen = 0
            def total(self):
                return torch.exp(self.rows)
            def count(self):
                return self.seen
        def f(counter: Counter):
            ask(counter.total(), counter.count(), Counter().total())
        """,
        "tensor number tensor",
    ),
    "property": (
        """
        class A:
            @property
            def rows(self):
                return torch.exp(self.x)
            def f(self):
                ask(self.rows)
        """,
        "tensor",
    ),
    "annotated results that are on the host": (
        """
        def draw(n: int) -> tuple[int, Tensor, Tensor]:
            return n, torch.rand(n), torch.rand(n, device=DEVICE)
        def mean(t: Tensor) -> Tensor:
            return t.cpu().mean()
        def either(t: Tensor) -> Tensor:
            return torch.zeros(3) if t is None else t
        def f(t: Tensor):
            n, a, b = draw(3)
            ask(n, a, b, mean(t), either(t))
        """,
        "number host tensor host tensor",
    ),
    "annotated parameters that are given what is on the host": (
        """
        def f(t: Tensor, u: Tensor):
            ask(t, u)
        def g(t: Tensor):
            f(t.cpu(), t.cpu())
            f(torch.rand(3), t)
        """,
        "host unknown",
    ),
    "lengths to pack": (
        """
        from torch.nn.utils.rnn import pack_padded_sequence
        def f(x: Tensor, lengths: Tensor, sizes: Tensor):
            ask(x, lengths, sizes)
            pack_padded_sequence(x, lengths, batch_first=True)
            pack_padded_sequence(x, lengths=sizes)
            g(lengths)
        def g(lengths: Tensor):
            ask(lengths)
        """,
        "tensor host host host",
    ),
    "what is brought to the host and goes on": (
        """
        def f(outputs):
            ask(outputs[0].cpu().detach(), outputs[0].cpu())
        """,
        "host unknown",
    ),
    "sizes that old constructors are told": (
        """
        class Heads(nn.Module):
            def __init__(self, heads, width):
                self.heads = heads
                self.weight = nn.Parameter(torch.FloatTensor(heads, width))
            def forward(self, x):
                ask(self.heads, self.weight)
        """,
        "unknown tensor",
    ),
    "changes in place": (
        """
        def f(low):
            ask(torch.empty(1).uniform_(low[0], low[1]))
        """,
        "host",
    ),
    "decorated functions": (
        """
        @torch.no_grad()
        def f(t: Tensor):
            return t + 1
        @thing
        def g(t: Tensor):
            return t + 1
        def h(t: Tensor):
            ask(f(t), g(t))
        """,
        "tensor unknown",
    ),
    "state that is registered by name": (
        """
        class Metric(Thing):
            def __init__(self):
                self.add_state("total", default=torch.tensor(0.0))
                self.add_choice("name", "mean")
            def update(self):
                ask(self.total, self.name)
        """,
        "tensor unknown",
    ),
    "gradients that backward is given": (
        """
        class Double(torch.autograd.Function):
            @staticmethod
            def backward(ctx, grad, *others):
                ask(ctx, grad, others[0])
        """,
        "unknown tensor tensor",
    ),
}


@pytest.mark.parametrize("name", FOUND_ELSEWHERE)
def test_kinds_that_another_place_of_the_file_tells(name: str) -> None:
    text, expected = FOUND_ELSEWHERE[name]
    assert kinds(text) == expected


UNIONS = {
    "made one": (
        "Union[float, Tensor], t: Tensor",
        "if isinstance(x, float):\n        x = torch.as_tensor(x, device=t.device)\n    ask(x)",
        "tensor",
    ),
    "made one otherwise": (
        "'float | Tensor', t: Tensor",
        "if not torch.is_tensor(x):\n        x = t.new_tensor(x)\n    ask(x)",
        "tensor",
    ),
    "not made one": ("Union[float, Tensor]", "ask(x)", "unknown"),
    "jaxtyping": ("Float[Tensor, 'batch 3'], y: Bool[torch.Tensor, 'n']", "ask(x, y)", "tensor tensor"),
}


@pytest.mark.parametrize("name", UNIONS)
def test_unions_and_shapes_that_promise_tensors(name: str) -> None:
    arguments, body, expected = UNIONS[name]
    assert kinds(f"def f(x: {arguments}):\n    {body}") == expected


def test_a_comprehension_sees_the_binding_before_it() -> None:
    text = """
        def f(u):
            x = u
            x = u.a
            x = u.b
            x = u.c
            x = torch.relu(u)
            y = [ask(x) for i in u]
            x = 3
            y = [ask(x) for i in u if ask(x)]
        """
    assert kinds(text) == "tensor number number"


CIRCLES = {
    "an attribute that is moved": """
        class Scheduler:
            def __init__(self):
                self.sigmas = (1 - torch.linspace(0, 1, 3)) ** 0.5
                self.sigmas = self.sigmas.to("cpu")
            def set_timesteps(self, steps):
                self.sigmas = torch.from_numpy(np.linspace(0, 1, steps))
                self.sigmas = self.sigmas.to("cpu")
            def step(self, sample):
                ask(self.sigmas, self.sigmas.to(sample.device), self.sigmas[0].to("cpu"))
        """,
    "a function that is given what it gives": """
        def rescale(betas: Tensor) -> Tensor:
            alphas = 1.0 - betas
            bar = torch.cumprod(alphas, dim=0).sqrt()
            last = bar[-1].clone()
            bar = bar - last
            alphas = torch.cat([bar[0:1], bar[1:] / bar[:-1]])
            ask(alphas, bar, last)
            return 1 - alphas

        class Scheduler:
            def __init__(self):
                self.betas = torch.linspace(0, 1, 3)
                self.betas = rescale(self.betas)
                ask(self.betas, 1 - self.betas)
        """,
    "two that are made of each other": """
        def f(t: Tensor, n):
            a, b = torch.zeros(3), torch.ones(3)
            for _ in range(n):
                a = torch.cat([a, b])
                b = a.to(t.device)
                ask(a, b, a + 1, b.cpu())
        """,
    "tensors that are kept in a loop": """
        class Net(nn.Module):
            def forward(self, x, state=None):
                for layer in self.layers:
                    state = layer(x) if state is None else torch.cat([state, layer(x)])
                    x = state[-1:] + x
                    ask(state, x)
                return x
        """,
    "what is nothing but itself": """
        class Counter:
            def __init__(self):
                self.count = None
            def step(self):
                self.count = self.count + 1
                ask(self.count, [self.count])
        """,
}


@pytest.mark.parametrize("name", CIRCLES)
def test_an_answer_does_not_depend_on_what_was_asked_before(name: str) -> None:
    tree = ast.parse(HEAD + textwrap.dedent(CIRCLES[name]))
    facts = FileFacts(tree, "m.py")
    asked = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Attribute, ast.BinOp, ast.Call, ast.List, ast.Name, ast.Subscript))
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    ]
    first = {node: Kinds(facts).kind(node) for node in asked}
    for start in range(len(asked)):
        known = Kinds(facts)
        answers = {node: known.kind(node) for node in asked[start:] + asked[:start]}
        assert [ast.unparse(node) for node in asked if answers[node] is not first[node]] == []


def test_what_is_moved_to_where_it_is_stays_there() -> None:
    assert kinds(CIRCLES["an attribute that is moved"]) == "host tensor host"
    assert kinds(CIRCLES["a function that is given what it gives"]) == "host host host host host"
    assert kinds(CIRCLES["two that are made of each other"]) == "tensor tensor tensor host"


def test_a_parameter_that_nothing_in_the_file_passes_holds_nothing_up() -> None:
    text = """
        class Net:
            def _rows(self, x):
                ask(torch.ones(3).to(self.device), torch.ones_like(x), torch.roll(x, 1))
        """
    assert kinds(text) == "tensor tensor tensor"
