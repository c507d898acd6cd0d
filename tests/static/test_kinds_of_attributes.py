"""What attributes of self and results of functions are known to be, from another place of the file."""

from __future__ import annotations

import pytest
from kind_cases import kinds

CASES = {
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
        "module tensor module tensor number unknown tensor host unknown unknown number tensor tensor tensor",
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
        "tensor tensor tensor unknown tensor tensor tensor tensor unknown tensor tensor tensor tensor tensor",
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
}


@pytest.mark.parametrize("name", CASES)
def test_kinds_of_names_and_attributes(name: str) -> None:
    text, expected = CASES[name]
    assert kinds(text).split() == expected.split()


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
        "unknown",
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
    "what a method gives that a class overrides": (
        """
        class P:
            def scaled(self, x: Tensor):
                return x * 2
        class Q(P):
            def scaled(self, x):
                ask(super().scaled(x), super().other(x))
                return 1
        class R(Q):
            def raised(self, x):
                ask(super(R, self).scaled(x), super(Q, self).scaled(x))
        """,
        "tensor unknown number unknown",
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
        "number tensor tensor host tensor",
    ),
    "annotated parameters that are given what is on the host": (
        """
        def f(t: Tensor, u: Tensor):
            ask(t, u)
        def g(t: Tensor):
            f(t.cpu(), t.cpu())
            f(torch.rand(3), t)
        """,
        "host tensor",
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
        "tensor tensor",
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
        "unknown tensor unknown",
    ),
}


@pytest.mark.parametrize("name", FOUND_ELSEWHERE)
def test_kinds_that_another_place_of_the_file_tells(name: str) -> None:
    text, expected = FOUND_ELSEWHERE[name]
    assert kinds(text) == expected


_BACKWARD = """
    class Function({base}):
        @staticmethod
        def backward(ctx, gradient):
            (saved,) = ctx.saved_tensors
            ask(saved)
    """


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("torch.autograd.Function", "tensor"),
        ("Thing", "tensor"),  # who knows what that derives from
        ("object", "unknown"),
    ],
)
def test_what_a_context_saved_is_a_tensor_unless_the_class_is_the_projects_own(
    base: str, expected: str
) -> None:
    assert kinds(_BACKWARD.format(base=base)) == expected
