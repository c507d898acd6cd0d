"""What expressions are known to be, by what they are made of."""

from __future__ import annotations

import ast

import pytest
from kind_cases import kinds

from overhead_lint.project.facts import FileFacts
from overhead_lint.project.kinds.abstract_value import (
    NUMBER,
    TENSOR,
    AbstractValue,
    encoded,
    holding,
    with_parts,
)
from overhead_lint.rule import Kind


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
        u[0].abs() | u[0].nonzero().squeeze() | u[0].nonzero()[:, 0].max()
        pad_packed_sequence(u)[0] | pad_sequence(u) | u.log_prob(t) | torch.signal.windows.hann(3, device=u)
    """,
    "host": """
        h.expand(2, u) | h.view(u) | h.reshape(t.shape[0], u) | h.repeat(u, 1) | h.view_as(t)
        h.div(u) | h.mul(u) | torch.pow(u, h) | torch.mul(h, u)
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
        u.type(torch.float32) | u.type()
        Normal(t, t).transforms | Normal(t, t).nonsense() | u[0].cos(3) | u.entropy()
        u.to("cuda") | u.size | u.float() | u > 0 | u.to(torch.half) | u.int(3)
        self.u.batch_sizes
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
        ("(t > 0) + (t < 1)", True),
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


def test_tables_of_pandas_have_absolute_values_too() -> None:
    body = "def f(u):\n    ask(u[0].abs())\n"
    assert kinds(body) == "tensor"
    assert kinds(f"import pandas\n{body}") == "unknown"
