"""What parameters are known to be: by annotation, by use, by what calls pass."""

from __future__ import annotations

import ast
import textwrap

import pytest
from kind_cases import HEAD, kinds

from overhead_lint.project.facts import FileFacts
from overhead_lint.rule import Kind

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
    "parameters with numbers for defaults": (
        """
        def f(a=1, b=-1, c=2**31 - 1, d=float("inf"), e=None, g=thing, h=-thing, i="a"):
            ask(a, b, c, d, e, g, h, i)
        """,
        "number number number number unknown unknown unknown object",
    ),
    "parameters compared by dtype": (
        """
        def f(a, b, c):
            if a.dtype == torch.half or b.dtype == c:
                ask(a, b)
        """,
        "tensor unknown",
    ),
    "parameters whose names stand for something else later": (
        """
        def f(a, b, c, d):
            ask(a, b, c, d)
            a = torch.tensor([1, 2])
            for i in range(3):
                a = a.unsqueeze(i)
            b = thing(b)
            b = b.unsqueeze(0)
            if c is None:
                c = torch.ones(3)
            c = c.unsqueeze(0)
            d = thing()
            if c.any():
                d = d.unsqueeze(0)
        """,
        "unknown unknown tensor unknown",
    ),
    "inputs whose names stand for the next tensor later": (
        """
        class Net(nn.Module):
            def forward(self, x):
                ask(x)
                y = self.features(x)
                x = self.pool(y)
                return x.view(3, 4)
        """,
        "unknown",
    ),
    "inputs of which parts are read that tensors lack": (
        """
        class Net(nn.Module):
            def forward(self, data, x, y, z):
                nodes, edges = data.x.long(), self.conv(data.edge_index)
                kept = data.clone().detach() if data.is_cuda else data.max()
                apply(x.sqrt, x.max(), x._kept)
                y.size = 3
                z = self.net(z.mean())
                ask(data, kept, x, y.mean(), z.hidden)
        """,
        "unknown unknown tensor tensor unknown",
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
        "tensor unknown tensor",
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
        "tensor tensor tensor tensor unknown unknown tensor tensor unknown unknown tensor unknown tensor",
    ),
    "names that one of two ways binds": (
        """
        def f(t: Tensor, flag, u):
            if flag:
                a = t + 1
            if flag > 1:
                ask(a)
            for i in u:
                if i:
                    b = t * 2
                else:
                    ask(b)
        """,
        "tensor tensor",
    ),
    "what operators and conditionals give, by use": (
        """
        def f(u, v, flag):
            a = thing(u) if flag else thing(v)
            a.unsqueeze(0)
            b = u["x"] == v.y
            b.nonzero(as_tuple=True)
            c = u["y"] * v.y
            c.masked_fill(b, 0)
            d = thing(u) if flag else torch.zeros(3)
            d.unsqueeze(0)
            ask(a, b, c, d)
        """,
        "tensor tensor tensor unknown",
    ),
    "numbers or tensors that are asked for what tensors have": (
        """
        def f(k: "float | Tensor"):
            ask(k, k.sum(), (k >= 0).all(), k.real)
        """,
        "unknown tensor tensor unknown",
    ),
    "what is asked for dimensions": (
        """
        def f(a, b, c, d):
            ask(a, b, c, d)
            return a.dim(), b.size(0), c.size(), d.dim
        """,
        "tensor tensor unknown unknown",
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
        "tensor tensor tensor unknown unknown",
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
        "tensor tensor tensor",
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
        "tensor tensor tensor tensor unknown tensor tensor number number object unknown",
    ),
    "what is given a loss": (
        """
        def f(engine, loss, other):
            engine.backward(loss)
            other.backward(retain_graph=True)
            ask(engine, loss, other)
        """,
        "unknown tensor tensor",
    ),
    "several values under the annotation of one": (
        """
        def several(x) -> Tensor:
            return torch.exp(x), x.shape[0]
        def f(x):
            a, b = several(x)
            ask(a, b)
        """,
        "tensor number",
    ),
    "parameters annotated with a name of the project": (
        """
        from typing_of_ours import Rows, Adj, BatchDict
        def f(a: Rows, b: Adj, c: BatchDict, d: Rows, e: Union[Rows, int]):
            if isinstance(b, Thing):
                b.other()
            ask(a, a.new_zeros(3), b, b.new_zeros(3), c, c.unsqueeze(0), d, e.unsqueeze(0), e)
        """,
        "tensor tensor tensor tensor tensor tensor unknown tensor tensor",
    ),
    "what several slices index": (
        """
        def f(a, b, c, d):
            ask(a, b, c, d, a[:, 0], b[..., 0], c[0, 1], d[1:])
        """,
        "unknown unknown unknown unknown unknown unknown unknown unknown",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_kinds_of_names_and_attributes(name: str) -> None:
    text, expected = CASES[name]
    assert kinds(text).split() == expected.split()


UNIONS = {
    "made one": (
        "Union[float, Tensor], t: Tensor",
        "if isinstance(x, float):\n        x = torch.as_tensor(x, device=t.device)\n    ask(x)",
        "unknown",  # an int may be given for a float, too
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


def test_a_parameter_that_nothing_in_the_file_passes_holds_nothing_up() -> None:
    text = """
        class Net:
            def _rows(self, x):
                ask(torch.ones(3).to(self.device), torch.ones_like(x), torch.roll(x, 1))
        """
    assert kinds(text) == "tensor tensor tensor"


def test_a_parameter_is_not_asked_for_in_the_block_around_its_function() -> None:
    text = """
        class Holder:
            scale = 1 if thing else 2
            if scale > 1:
                names = ["a"]
            else:
                names = ["b"]

            def __init__(self, root: Tensor = None):
                self.root = root
        """
    facts = FileFacts(ast.parse(HEAD + textwrap.dedent(text)), "m.py")
    (root,) = [node for node in ast.walk(facts.scan.tree) if isinstance(node, ast.arg) and node.arg == "root"]
    assert facts.kinds.kind(root) is Kind.TENSOR
