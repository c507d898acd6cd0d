"""What names are known to be: by their bindings, by tests of them, by what holds them."""

from __future__ import annotations

import pytest
from kind_cases import kinds

CASES = {
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
    "the value that is used as a tensor": (
        """
        def f(self, closure):
            loss = float("nan")
            for i in range(3):
                loss = closure()
                loss.backward()
                ask(loss)
                loss = loss.item()
                ask(loss)
            first = closure()
            ask(first)
            first = closure()
            first.backward()
            ask(first)
        """,
        "tensor number unknown tensor",
    ),
    "the loss that a closure gives": (
        """
        class Optimizer:
            def step(self, closure=None, other=None):
                loss = None
                if closure is not None:
                    loss = closure()
                def again():
                    return closure()
                ask(loss, again(), other())
            def run(self, closure):
                ask(closure())
        def step(closure):
            ask(closure())
        """,
        "unknown unknown unknown unknown unknown",
    ),
    "what lambdas give": (
        """
        def f(t: Tensor, u):
            if u:
                dot = lambda a, b: a.mul(b).sum(-1, keepdim=True)
            elif t.dim() > 1:
                dot = torch.linalg.vecdot
            else:
                dot = lambda a, b: torch.dot(a, b)
            length = lambda a: a.numel()
            made = lambda a: a + 1
            ask(dot(u, u), made(u), (lambda: t)())
        """,
        "tensor unknown tensor",
    ),
    "what is changed in place": (
        """
        def f(self, p, q, r, s):
            p.copy_(q)
            r.append_(q)
            s.mul_(2).add_(q)
            ask(p, q, r, s)
            value, = torch.autograd.grad(q, r)
            ask(q, r)
        """,
        "tensor tensor unknown tensor tensor unknown",
    ),
    "what is stored where it is missing": (
        """
        def f(table, t: Tensor, i):
            state, other, host, batch = table[i], table[i], table[i], table[i]
            if "r" not in state:
                state["r"] = torch.zeros_like(t)
            if len(other) == 0:
                other["r"] = torch.zeros_like(t)
            if host.get("r") is None:
                host["r"] = torch.zeros(3)
            if i:
                batch["r"] = torch.zeros_like(t)
            ask(state["r"], other["r"], host["r"], batch["r"], state["s"])
        """,
        "unknown unknown unknown unknown unknown",
    ),
    "what an optimizer keeps": (
        """
        class Optimizer(torch.optim.Optimizer):
            def begin(self):
                for group in self.param_groups:
                    group["first"], group["count"] = torch.exp(self.scale), 3
                    for p in group["params"]:
                        self.state[p]["mean"] = torch.zeros_like(p)
                        self.state[p]["step"] = 0
            def step(self, other):
                for group in self.param_groups:
                    ask(group["first"], group["count"])
                    for p in group["params"]:
                        state = self.state[p]
                        state["step"] += 1
                        ask(state["mean"], self.state[p]["mean"], state["step"], other[p]["mean"])
        """,
        "unknown unknown unknown unknown unknown unknown",
    ),
    "named tuples": (
        """
        from collections import namedtuple
        from typing import NamedTuple
        Pair = namedtuple("Pair", ["loss", "count"])
        class State(NamedTuple):
            x: Tensor
            steps: int
            other: Thing
        def pair(t: Tensor):
            return Pair(count=3, loss=t.sum())
        def f(t: Tensor, given):
            loss, count = pair(t)
            state = State(given, thing(t), other=t)
            ask(loss, count, pair(t).loss, pair(t)[1], state.x, state.steps, state.other, state[2])
            ask(Pair(*given).loss)
        """,
        "tensor number tensor number tensor number tensor tensor unknown",
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
        "tensor number unknown tensor number unknown unknown tensor "
        "number tensor unknown object object tensor tensor tensor",
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
        "unknown unknown unknown unknown unknown unknown unknown tensor unknown",
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
        "object tensor tensor tensor unknown tensor tensor tensor unknown tensor unknown",
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
        "tensor unknown unknown tensor unknown tensor number tensor unknown unknown",
    ),
    "narrowing by several classes": (
        """
        VECTORS = (np.ndarray, torch.Tensor)
        def f(t: Tensor, u: Tensor, v: Tensor, rows):
            if isinstance(t, VECTORS):
                ask(t)
            else:
                ask(t)
            if not isinstance(u, (list, Tensor)):
                ask(u)
            if isinstance(v, rows):
                pass
            else:
                ask(v)
        """,
        "tensor unknown unknown tensor",
    ),
    "narrowing by what tensors are as well": (
        """
        def f(t: Tensor, u: Tensor, v: Tensor, w: Tensor):
            if isinstance(t, Iterable):
                ask(t)
            else:
                ask(t)
            if isinstance(u, (str, collections.abc.Sized)):
                return
            ask(u)
            if not isinstance(v, Sequence):
                ask(v)
        """,
        "tensor tensor tensor tensor",
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
        "unknown unknown",
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
        "tensor number tensor number tensor tensor object tensor unknown number tensor",
    ),
    "default devices": (
        """
        def f(u):
            with torch.device("cuda"):
                ask(torch.zeros(3))
            with thing():
                ask(torch.zeros(3))
        """,
        "tensor tensor",
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
