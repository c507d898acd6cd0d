"""Autograd and optimiser rules: forms, values before and after, what is safe to fix, what looks alike."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch
from rule_cases import ALL, fix, lines, lint
from torch import nn

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.rule import Applicability
from overhead_lint.syntax.source import Source


def step(body: str, *, header: str = "import torch") -> str:
    """A function that runs on every step; its body's first line is the fifth."""
    head = header.splitlines()
    head += [""] * (3 - len(head))
    code = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    return "\n".join([*head, "def training_step(model, other, group, scale, state=None):", code, ""])


def run(text: str, **options: object) -> list[list[float]]:
    """The gradients and parameters after a step."""
    names: dict[str, object] = {}
    exec(text, names)
    torch.manual_seed(0)
    model, other = nn.Linear(2, 2), nn.Linear(2, 2)
    for index, p in enumerate((*model.parameters(), *other.parameters())):
        p.grad = torch.full_like(p, index + 1.0)
    total = names["training_step"](model, other, {"params": list(model.parameters())}, 0.5)  # type: ignore[operator]
    found = [[float(total if total is not None else 0)]]
    for p in (*model.parameters(), *other.parameters()):
        found.append(p.detach().flatten().tolist())
        found.append([] if p.grad is None else p.grad.flatten().tolist())
    return found


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        (
            "for p in model.parameters():\n    p.grad.mul_(scale)",
            "grads = [p.grad for p in model.parameters()]\n    torch._foreach_mul_(grads, scale)",
        ),
        (
            "for p in group['params']:\n    if p.grad is None:\n        continue\n    p.grad /= scale",
            "grads = [p.grad for p in group['params'] if p.grad is not None]\n"
            "    if grads:\n        torch._foreach_div_(grads, scale)",
        ),
        (
            "for a, b in zip(model.parameters(), other.parameters()):\n    a.data.lerp_(b.data, scale)",
            "torch._foreach_lerp_(a_tensors, bs, scale)",
        ),
        (
            "for a, b in zip(group['params'], list(other.parameters())):\n    a.data.copy_(b.data)",
            "torch._foreach_copy_(a_tensors, bs)",
        ),
        (
            "for p in model.parameters():\n    p.data.add_(p.grad, alpha=-scale)",
            "torch._foreach_add_(ps, grads, alpha=-scale)",
        ),
        (
            "for i, p in enumerate(model.parameters()):\n    p.grad.neg_()",
            "torch._foreach_neg_(grads)",
        ),
        (
            "model.weight.grad = None\nwith torch.no_grad():\n    for p in group['params']:\n"
            "        if p.grad is None:\n            continue\n        p.add_(p.grad, alpha=-scale)",
            "ps = [p for p in group['params'] if p.grad is not None]",
        ),
        (
            "model.weight.grad = None\nfor p in group['params']:\n    if p.grad is not None:\n"
            "        p.data.mul_(scale)\n        p.data.sub_(p.grad)",
            "torch._foreach_sub_(ps, grads)",
        ),
    ],
)
def test_loop_becomes_list_form_with_the_same_values(loop: str, expected: str) -> None:
    text = step(loop)
    (finding,) = lint("OVH802", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    fixed = fix("OVH802", text)
    assert expected in fixed
    assert run(fixed) == run(text)


NAMED = "kept = {name: torch.ones_like(p) for name, p in model.named_parameters()}\n"
BY_NAME = [
    (
        "for p in model.parameters():\n    if p.requires_grad:\n        p.data.mul_(scale)",
        "ps = [p.data for p in model.parameters() if p.requires_grad]\n    if ps:\n"
        "        torch._foreach_mul_(ps, scale)",
    ),
    (
        "for name, v in other.state_dict().items():\n    v.mul_(scale)",
        "vs = [v for name, v in other.state_dict().items()]\n    torch._foreach_mul_(vs, scale)",
    ),
    (
        NAMED + "for name, p in model.named_parameters():\n"
        "    kept[name].mul_(scale).add_(p.data, alpha=1 - scale)\n    p.data.copy_(kept[name])",
        "kepts = [kept[name] for name, p in model.named_parameters()]\n",
    ),
    (
        NAMED + "for name, p in model.named_parameters():\n    if p.requires_grad and name in kept:\n"
        "        kept[name].lerp_(p.detach(), scale)\n        p.data.copy_(kept[name])",
        "    if kepts:\n        torch._foreach_lerp_(kepts, ps, scale)",
    ),
    (
        "msd = model.state_dict()\nfor name, v in other.state_dict().items():\n"
        "    if v.dtype.is_floating_point:\n        v *= scale\n"
        "        v += (1 - scale) * msd[name].detach()",
        "msds = [msd[name].detach() for name, v in other.state_dict().items() if v.dtype.is_floating_point]",
    ),
    (
        "kept, new = other.state_dict(), model.state_dict()\nfor key in new:\n"
        "    kept[key].mul_(scale).add_(new[key], alpha=1 - scale)",
        "kepts = [kept[key] for key in new]\n    news = [new[key] for key in new]\n",
    ),
    (
        "kept = dict(other.named_parameters())\nnew = dict(model.named_parameters())\n"
        "for key in kept.keys():\n    kept[key].data.mul_(scale).add_(new[key].data, alpha=1 - scale)",
        "kepts = [kept[key].data for key in kept.keys()]\n",
    ),
    (
        "kept = other.state_dict()\nfor key, value in kept.items():\n"
        "    if kept[key].is_floating_point():\n        kept[key] *= scale",
        "kepts = [kept[key] for key, value in kept.items() if kept[key].is_floating_point()]\n",
    ),
    (
        "kept = other.state_dict()\nnew = model.state_dict()\nfor key in new:\n"
        "    kept[key] = new[key] * scale + kept[key] * (1 - scale)\nother.load_state_dict(kept)",
        "torch._foreach_mul_(kepts, 1 - scale)\n    torch._foreach_add_(kepts, news, alpha=scale)\n",
    ),
    (
        "for a, b in zip(model.parameters(), other.parameters()):\n    if not a.requires_grad:\n"
        "        a.data.mul_(scale).add_(b.data)",
        "bs = [b.data for a, b in zip(model.parameters(), other.parameters()) if not a.requires_grad]",
    ),
]


@pytest.mark.parametrize(("loop", "expected"), BY_NAME)
def test_tensors_looked_up_by_name_or_under_a_condition_become_lists(loop: str, expected: str) -> None:
    text = step(loop)
    fixed = fix("OVH802", text)
    assert expected in fixed
    for before, after in zip(run(text), run(fixed), strict=True):
        assert after == pytest.approx(before, rel=1e-6, abs=1e-7)


PAIRS = "for a, b in zip(model.parameters(), other.parameters()):\n"


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        (
            PAIRS + "    a.data.mul_(scale).add_((1 - scale) * b.data)",
            "torch._foreach_add_(a_tensors, bs, alpha=1 - scale)",
        ),
        (
            "with torch.no_grad():\n    " + PAIRS + "        a.copy_(a * scale + b.detach() * (1 - scale))",
            "bs = [b.detach() for b in other.parameters()]\n        torch._foreach_mul_(a_tensors, scale)\n"
            "        torch._foreach_add_(a_tensors, bs, alpha=1 - scale)",
        ),
        (
            PAIRS + "    a.data.copy_(b.data * (1 - scale) + scale * a.data)",
            "torch._foreach_mul_(a_tensors, scale)",
        ),
        (
            PAIRS + "    a.data.sub_((1.0 - scale) * (a.data - b.data))",
            "torch._foreach_lerp_(a_tensors, bs, 1.0 - scale)",
        ),
        (
            PAIRS + "    a.data.add_((b.data - a.data) * scale)",
            "torch._foreach_lerp_(a_tensors, bs, scale)",
        ),
        (
            "for p in model.parameters():\n    p.data -= scale * p.grad",
            "torch._foreach_sub_(ps, grads, alpha=scale)",
        ),
    ],
)
def test_averages_become_list_forms_with_the_same_values_but_for_rounding(loop: str, expected: str) -> None:
    text = step(loop)
    fixed = fix("OVH802", text)
    assert expected in fixed
    for before, after in zip(run(text), run(fixed), strict=True):
        assert after == pytest.approx(before, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(
    "body",
    [
        "a.data.add_(a.data * b.data)",
        "a.data.sub_(scale * (b.data - a.data))",
        "a.data.copy_(b.data * scale + b.data * scale)",
        "a.data.copy_(a.data * scale - b.data * scale)",
        "a.data.copy_(a.data * scale + b.data * a.sum())",
        "a.data.add_(scale * b.data.float())",
    ],
)
def test_other_arithmetic_of_pairs_is_told_of_only(body: str) -> None:
    (finding,) = lint("OVH802", step(f"{PAIRS}    {body}"))
    assert finding.fix is None


def test_lists_of_several_dtypes_and_devices_give_what_the_loop_does() -> None:
    """What torch has no one kernel for it does one by one, so that nothing has to be grouped."""
    kinds = [(torch.float32, "cpu"), (torch.float16, "cpu"), (torch.float64, "cpu"), (torch.float32, "meta")]

    def tensors(value: float) -> list[torch.Tensor]:
        return [torch.full((3,), value, dtype=dtype, device=device) for dtype, device in kinds]

    for one, other in (
        (tensors(0.7), tensors(0.3)),
        (tensors(0.7), [t.to(torch.float64) for t in tensors(0.3)]),
    ):
        listed = [t.clone() for t in one]
        for a, b in zip(one, other, strict=True):
            a.mul_(0.9).add_(b, alpha=0.1)
            a.copy_(b)
            a.div_(3.0)
        torch._foreach_mul_(listed, 0.9)
        torch._foreach_add_(listed, other, alpha=0.1)
        torch._foreach_copy_(listed, other)
        torch._foreach_div_(listed, 3.0)
        assert all(torch.equal(a, b) for a, b in zip(one[:3], listed[:3], strict=True))


@pytest.mark.parametrize(
    "loop",
    [
        "for name, p in model.named_parameters():\n    state[p].mul_(scale).add_(p, alpha=1 - scale)",
        "for name, p in model.named_parameters():\n    state[name][0].mul_(scale).add_(p, alpha=1 - scale)",
        "for name, p in model.named_parameters():\n    state[name] = state[name] * scale + p.data",
        "for p in group['params']:\n    state[p]['m'].mul_(scale).add_(p.grad)",
        "for p in model.parameters():\n    if p.sum() > 0:\n        p.data.mul_(scale)",
        "for p in model.params:\n    if p.requires_grad:\n        p.neg_()\n    else:\n        p.abs_()",
        "for p in model.parameters():\n    if p.requires_grad:\n        p.data.neg_()\n    p.data.mul_(2)",
        "for p in model.parameters():\n    p.data = p.data * scale",
        "for p in model.parameters():\n    # shrink\n    p.data.mul_(scale)",
        "for p in model.parameters():\n    p.data.mul_(scale)\nprint(p)",
        "for p in model.parameters():\n    p.data.mul_(p.grad).mul_(p.sum())",
        "for p, q in zip(model.parameters(), other):\n    with gathered(q):\n        p.sub_(scale * (p - q))",
        "for p, q in zip(model.parameters(), other):\n    around = nothing\n    if is_sharded(q):\n"
        "        around = gathered(q)\n    with around:\n        p.sub_(scale * (p - q))",
        "norm = 0\nfor p in model.parameters():\n    n = torch.norm(p.grad)\n    norm += n ** 2",
        "for p in model.params:\n    n = p.grad.data.pow(2).sum()\n    norm.add_(n)",
        "def shrink(p, c, *, state):\n    if c:\n        state.mul_(c)\n    p.mul_(c)\n"
        "for p in model.params:\n    shrink(p, scale, state=state[p])",
        "for t in model.things:\n    t.grad.clamp_(-1, 1)",
        "for name, v in model.state_dict().items():\n    v *= scale\n    v += other[name + '_']",
        "for name, v in model.state_dict().items():\n    v *= scale\n    v += other[name] + v",
        "for a, b in zip(model.state_dict().values(), other.state_dict().values()):\n    a.copy_(a + b)",
        "for g in state.grads + state.more_grads:\n    g.mul_(scale).add_(1).sum()",
        "new = model.state_dict()\nfor key in new:\n    other.state_dict()[key].mul_(scale).add_(new[key])",
        "kept = other.state_dict()\nfor key in kept:\n    kept[key] = kept[key] * scale + kept[key] * 2",
        "kept = other.state_dict()\nnew = model.state_dict()\nfor key in new:\n"
        "    kept[key] = new[key] * scale + kept[key] * (1 - scale)\nmodel.load_state_dict(kept)",
        "kept = other.state_dict()\nfor key in kept:\n    if 'bias' in key:\n        continue\n"
        "    kept[key].mul_(scale)",
        "for p in model.params:\n    if torch.is_tensor(scale):\n        p.grad.mul_(scale)",
        "for i, p in enumerate(model.parameters()):\n    p.data.mul_(i)",
        "for i, p in enumerate(model.parameters()):\n    p.data.mul_(scale)\nprint(i)",
        "for i, p in enumerate(model.parameters()):\n    p.data.mul_(state[i])",
        "for i, (p, q) in enumerate(zip(model.parameters(), other)):\n    p.data.add_(q.data, alpha=i)",
        "for p, q in zip(model.params, model.params[1:]):\n    p.data.add_(q.data)",
        "for p, q in zip(model.params, reversed(model.params)):\n    p.data.copy_(q.data)",
        "for p, q in zip(sorted(model.params, key=id), model.params):\n    p.data.copy_(q.data)",
    ],
)
def test_loops_without_a_plain_list_form_are_told_of_only(loop: str) -> None:
    (finding,) = lint("OVH802", step(loop))
    assert finding.fix is None


@pytest.mark.parametrize(
    "loop",
    [
        "for p in model.parameters():\n    dist.all_reduce(p.grad)\n    p.grad.div_(scale)",
        "for p in model.parameters():\n    q = gathered(p)\n    with nothing:\n        p.grad.div_(q)",
        "for name, p in model.named_parameters():\n    state[name] += 1",
        "for name, p in model.named_parameters():\n    state[name] = 0.9 * state[name] + 0.1",
        "kept = model.state_dict()\nfor key in kept:\n    state[key] += 1\n    state[key] = state[key] * 2",
        "kept = dict(model.named_modules())\nfor key in kept:\n    state[key].mul_(2)",
        "for p in model.parameters():\n    p.grad.zero_()",
        "for x in model.layers:\n    x.mul_(scale)",
        "def look(p, c):\n    c.mul_(2)\nfor p in model.params:\n    look(p, scale)",
        "def send(p):\n    dist.all_reduce(p)\n    p.mul_(2)\nfor p in model.params:\n    send(p)",
        "for p in model.parameters():\n    p.data.mul_(scale())",
        "for p in model.parameters():\n    for q in p:\n        q.mul_(scale)",
        "for p in model.parameters():\n    p.requires_grad_(False)",
        "params = [p.mul_(scale) for p in model.parameters()]",
        "for p in model.parameters():\n    p.data = p.data.to(scale)",
        "torch._foreach_mul_(state, 2)\nfor p in model.parameters():\n    p.mul_(2)",
        "for x in model.grads + state:\n    x.mul_(scale)",
        "for value in state.values():\n    value.mul_(scale)",
        "model.parameters = scale\nfor i in range(3):\n    scale.mul_(i)",
        "for p in model.criterion_center.parameters():\n    p.grad.data *= scale",
        "for p in model.parameters():\n    total = state\n    total.mul_(2)",
        "for p in model.parameters():\n    total = norm(p.grad)\n    scale += total ** 2",
    ],
)
def test_other_loops_are_silent(loop: str) -> None:
    assert lines("OVH802", step(loop)) == []


STEP = """
from torch.optim import Optimizer


class Lion({base}):
    def decay(self, p, group):
        {inside}

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad
                {call}
                state = self.state[p]
                state["average"].mul_(0.9).add_(grad)
                p.add_(grad, alpha=-1)
"""


@pytest.mark.parametrize(
    ("found", "base", "call", "inside"),
    [
        (1, "Optimizer", "self.decay(p, group)", "p.mul_(group['decay'])"),
        (1, "BaseOptimizer", "self.maximize(grad)", "pass"),
        (0, "Optimizer", "self.decay(p, group)", "p.copy_(torch.linalg.qr(p)[0])"),
        (0, "Optimizer", "self.decay(p, group)", "for _ in range(5): p.mul_(2)"),
        (0, "Optimizer", "send(p)", "pass"),
        (0, "Holder", "self.maximize(grad)", "pass"),
    ],
)
def test_an_optimizer_may_have_helpers(found: int, base: str, call: str, inside: str) -> None:
    assert len(lines("OVH802", STEP.format(base=base, call=call, inside=inside))) == found


@pytest.mark.parametrize(("twin", "found"), [("_multi_tensor_sgd", 0), ("_multi_tensor_adam", 1)])
def test_an_update_with_a_twin_for_all_tensors_is_silent(twin: str, found: int) -> None:
    loop = "def _single_tensor_sgd(params):\n    for p in params:\n        p.mul_(2)\n"
    text = step("_single_tensor_sgd(model.parameters())") + f"\n\n{loop}\n\ndef {twin}(params): ...\n"
    assert len(lines("OVH802", text)) == found


def test_the_walk_of_a_loop_over_parameters_is_not_told_besides() -> None:
    text = """
import torch

def train(model, loader, n):
    for batch in loader:
        model(batch).sum().backward()
        for p in model.parameters():
            p.grad.div_(n)
        for name, p in model.named_parameters():
            print(name)
"""
    source = Source.from_bytes(Path("train.py"), text.encode())
    found = Linter(packs.select(ALL, ["OVH607", "OVH802"], []), Settings()).lint(source)
    assert [(one.code, one.span.line) for one in found] == [("OVH802", 7), ("OVH607", 9)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for p in model.parameters():\n    p.grad.zero_()", "    model.zero_grad()\n"),
        ("for p in (ps := group['params']):\n    p.grad.data.zero_()", "        p.grad = None\n"),
        ("for n, p in model.named_parameters():\n    p.grad.detach().zero_()", "        p.grad = None\n"),
        ("for p in model.parameters():\n    p.grad.zero_()\n    p.add_(1)", "        p.grad = None\n"),
        ("for p in model.parameters():\n    p.grad.zero_()  # clear", "    model.zero_grad()  # clear\n"),
        ("for p in model.parameters():\n    p.grad.zero_()\nreturn p", "        p.grad = None\n"),
        ("for p in model.parameters():\n    p.grad.zero_()\ndel p", "        p.grad = None\n"),
        ("for p in model.parameters():\n    p.grad.zero_()\nfor p in group: pass", "    model.zero_grad()\n"),
        ("other.zero_grad(False)", "    other.zero_grad()\n"),
    ],
)
def test_zeroed_gradients_become_none(body: str, expected: str) -> None:
    text = step(body)
    (finding,) = lint("OVH804", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert expected in fix("OVH804", text)


def test_gradients_that_the_file_copies_into_stay() -> None:
    zero = "for p in model.main_params:\n    p.grad.zero_()"
    copy = "for p, q in zip({}, model.parameters()):\n    p.grad.data.copy_(q.grad)\n"
    for written, has_fix in (("model.main_params", False), ("model.params", True)):
        (finding,) = lint("OVH804", step(copy.format(written) + zero))
        assert (finding.fix is not None) is has_fix


def test_own_zero_grad_runs_in_every_step() -> None:
    text = """
        import torch
        class Half:
            def zero_grad(self):
                for group in self.groups:
                    for p in group["params"]:
                        if p.grad is not None:
                            p.grad.detach_()
                            torch.zeros(2)
                            p.grad.zero_()
        """
    (finding,) = lint("OVH804", text)
    assert finding.warmth.why == "Half.zero_grad runs before each backward pass"
    asked = text.replace("if p.grad is not None:", "if not self.set_to_none:")
    assert lines("OVH804", asked) == []


def test_default_of_an_own_zero_grad_becomes_true() -> None:
    text = """
        import torch
        class Half(torch.optim.Optimizer):
            def step(self):
                self.zero_grad()
            def zero_grad(self, set_to_none: bool = False):
                for group in self.param_groups:
                    for p in group["params"]:
                        p.grad = None
        """
    assert lines("OVH804", text) == [6]
    assert "set_to_none: bool = True" in fix("OVH804", text)


@pytest.mark.parametrize(
    "body",
    [
        "other.zero_grad(set_to_none=state)",
        "other.zero_grad(True)",
        "state.zero_()",
        "for p in model.parameters():\n    p.zero_()",
        "for p in model.parameters():\n    p.grad = None",
        "for p in model.parameters():\n    state[p].grad.zero_()",
    ],
)
def test_what_zeroes_no_gradient_is_silent(body: str) -> None:
    assert lines("OVH804", step(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        "total = 0.0\nfor p in model.parameters():\n    total += p.grad.norm(2).item() ** 2\nreturn total",
        "total = 1\nfor p in group['params']:\n    n = p.grad.norm()\n    total += n.item()\nreturn total",
        "total = 0.0\nfor q in model.parameters():\n    if q.grad is not None:\n"
        "        total += q.grad.data.norm(1).item() ** 3\nreturn total",
    ],
)
def test_norms_are_read_at_once_with_the_same_total(body: str) -> None:
    text = step(body)
    (finding,) = lint("OVH805", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    fixed = fix("OVH805", text)
    assert ".tolist()" in fixed and lines("OVH805", fixed) == []
    assert run(fixed) == run(text)


@pytest.mark.parametrize(
    "body",
    [
        "return sum(p.grad.norm().item() for p in model.parameters())",
        "return [float(torch.norm(p.grad)) for p in model.parameters()]",
        "for p in model.parameters():\n    grad = p.grad\n    print(grad.norm().item())",
        "for p in group['params']:\n    scale = max(scale, p.grad.abs().max().item())",
        "for p in model.parameters():\n    if torch.isinf(p.grad).any().item():\n        return 1",
        "total = norm = 0\nfor p in model.parameters():\n    total += p.norm().item()\nreturn norm + total",
        "total = 0\nfor p in model.parameters():\n    total += p.norm().item()\nreturn p, total",
        "total = 0\nfor i, p in enumerate(model.params):\n    total += p.norm().item() ** i\nreturn total",
        "total = 0\nfor i, p in enumerate(model.params):\n    total += p.norm().item()\nreturn total / i",
        "total = 0\nfor p in reversed(model.params):\n    total += p.norm().item()\nreturn total",
        "total = 0\nfor p in model.parameters():\n    total += (p - scale).norm().item()\nreturn total",
    ],
)
def test_other_reads_of_each_parameter_are_told_of_only(body: str) -> None:
    (finding,) = lint("OVH805", step(body))
    assert finding.fix is None


@pytest.mark.parametrize(
    "body",
    [
        "return sum(p.numel() for p in model.parameters())",
        "return [x.norm().item() for x in state]",
        "for p in model.parameters():\n    print(scale.norm().item())",
        "for p in model.parameters():\n    last = p.grad\n"
        "for p in model.parameters():\n    print(last.norm().item())",
        "for p in model.parameters():\n    state[p] = float(group['lr'])",
        "for p in model.parameters():\n    state[p] = float(norm())",
        "total = [p.norm() for p in model.parameters()]\nreturn torch.stack(total).max().item()",
    ],
)
def test_reads_of_something_else_are_silent(body: str) -> None:
    assert lines("OVH805", step(body)) == []


def same_run(text: str, fixed: str) -> bool:
    """Whether a step does the same, but for rounding."""
    pairs = zip(run(text), run(fixed), strict=True)
    return all(after == pytest.approx(before, rel=1e-6, abs=1e-7) for before, after in pairs)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "total = 0\nfor p in model.parameters():\n    total += p.grad.norm(2).item() ** 2\nreturn total",
            "total += torch.nn.utils.get_total_norm(grads, 2).item() ** 2",
        ),
        (
            "total = 1.0\nfor p in model.parameters():\n    if p.grad is not None:\n"
            "        total += p.grad.norm().item() ** 2.0\nreturn total",
            "total += torch.nn.utils.get_total_norm(grads).item() ** 2.0",
        ),
        (
            "total = 0\nfor p in group['params']:\n    total += p.grad.norm(1).item()\nreturn total",
            "total += torch.nn.utils.get_total_norm(grads, 1).item()",
        ),
        (
            "total = 0\nfor p in group['params']:\n    total += p.grad.norm(2).item() ** 3\nreturn total",
            "for norm in torch.stack(torch._foreach_norm(grads, 2)).tolist():",
        ),
    ],
)
def test_a_torch_that_has_it_takes_the_norm_of_all(body: str, expected: str) -> None:
    text = step(body)
    fixed = fix("OVH805", text, target_torch=(2, 6))
    assert expected in fixed and lines("OVH805", fixed) == []
    assert same_run(text, fixed)
    assert "get_total_norm" not in fix("OVH805", text, target_torch=(2, 5))


NORMS = "[p.grad.norm(2) for p in model.parameters()]"


@pytest.mark.parametrize(
    ("body", "expected", "since_2_6"),
    [
        (
            f"return torch.stack({NORMS}).sum()",
            "torch.stack(torch._foreach_norm([p.grad for p in model.parameters()], 2)).sum()",
            "",
        ),
        (
            f"return torch.norm(torch.stack({NORMS}))",
            "torch.norm(torch.stack(torch._foreach_norm([p.grad for p in model.parameters()], 2)))",
            "return torch.nn.utils.get_total_norm([p.grad for p in model.parameters()], 2)",
        ),
        (
            f"return torch.stack({NORMS}).norm(2.0)",
            "torch._foreach_norm([p.grad for p in model.parameters()], 2)).norm(2.0)",
            "return torch.nn.utils.get_total_norm([p.grad for p in model.parameters()], 2)",
        ),
        (
            "k = 3\nreturn torch.norm(torch.stack([torch.norm(p.grad.detach(), k) for p in group['params'] "
            "if p.grad is not None]), k)",
            "torch._foreach_norm([p.grad.detach() for p in group['params'] if p.grad is not None], k)), k)",
            "return torch.nn.utils.get_total_norm([p.grad.detach() for p in group['params'] "
            "if p.grad is not None], k)",
        ),
        (f"return torch.norm(torch.stack({NORMS}), 1)", "_foreach_norm([p.grad for p in model", ""),
    ],
)
def test_norms_are_taken_at_once(body: str, expected: str, since_2_6: str) -> None:
    text = step(body)
    (finding,) = lint("OVH802", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    for target, wanted in (((2, 5), expected), ((2, 6), since_2_6 or expected)):
        fixed = fix("OVH802", text, target_torch=target)
        assert wanted in fixed
        assert same_run(text, fixed)


@pytest.mark.parametrize(
    "norm",
    [
        "p.grad.norm('fro')",
        "p.grad.norm(2, 0)",
        "p.grad.norm(p=1)",
        "p.grad.pow(2).sum()",
        "p.grad.norm(order())",
    ],
)
def test_other_norms_are_told_of_only(norm: str) -> None:
    found = lint("OVH802", step(f"return torch.stack([{norm} for p in model.parameters()]).sum()"))
    assert [one.fix for one in found] == [None]


def test_the_norm_of_all_takes_several_dtypes_and_none_at_all() -> None:
    """As the loop that it takes the place of does, and `torch.stack` of the norms does not."""
    tensors = [torch.ones(3), torch.ones(2, dtype=torch.float16), torch.ones(4, dtype=torch.float64)]
    assert torch.nn.utils.get_total_norm(tensors, 2).item() == pytest.approx(3.0, rel=1e-3)
    assert torch.nn.utils.get_total_norm([], 2).item() == 0.0


LOOP = "    for x in loader:\n        model(x).sum().backward()\n        opt.step()\n"


@pytest.mark.parametrize(
    "made",
    [
        "torch.optim.AdamW(model.parameters(), lr=0.1)",
        "AdamW(params=model.parameters())",
        "optim.SGD([{'params': model.a}, {'params': model.b}], momentum=0.9)",
        "optim.Adam([p for p in model.parameters() if p.requires_grad])",
    ],
)
def test_optimizers_that_step_in_a_loop_are_told_of(made: str) -> None:
    head = "import torch\nfrom torch import optim\nfrom torch.optim import AdamW\n"
    text = f"{head}def train(model, loader):\n    opt = {made}\n{LOOP}"
    (finding,) = lint("OVH803", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert "loop over loader" in finding.message
    main = f"def main(model):\n    opt = {made}\n    train(model, opt)\n"
    apart = f"{head}{main}def train(model, opt, loader):\n{LOOP}"
    assert lines("OVH803", apart) == [5]
    unrelated = apart.replace("train(model, opt)", "print(model)")
    assert lines("OVH803", unrelated) == []


@pytest.mark.parametrize(
    "made",
    [
        "torch.optim.AdamW(model.parameters(), fused=False)",
        "torch.optim.Adam(model.parameters(), foreach=True)",
        "torch.optim.Adam(model.parameters(), capturable=True)",
        "torch.optim.Adam(model.parameters(), **options)",
        "torch.optim.Adam(*arguments)",
        "torch.optim.Adam([loader])",
        "torch.optim.Adam()",
        "torch.optim.RMSprop(model.parameters())",
        "other.AdamW(model.parameters())",
    ],
)
def test_optimizers_whose_form_is_chosen_are_silent(made: str) -> None:
    assert lines("OVH803", f"import torch\ndef train(model, loader):\n    opt = {made}\n{LOOP}") == []


def test_optimizers_that_a_module_gives_to_its_trainer_are_told_of() -> None:
    text = """
        import torch
        class Net(torch.nn.Module):
            def configure_optimizers(self):
                return torch.optim.SGD(self.parameters(), lr=0.1)
        def configure_optimizers(model):
            return torch.optim.SGD(model.parameters(), lr=0.1)
        """
    assert lines("OVH803", text) == [5]


def function(parameters: str, body: str = "return x", gradients: str = "grad", call: str = "") -> str:
    """An autograd function."""
    return (
        "import torch\nfrom torch.autograd import Function as Base\n"
        "class Fn(Base):\n    @staticmethod\n"
        f"    def forward(ctx, x, {parameters}):\n        {body}\n"
        f"    @staticmethod\n    def backward(ctx, grad):\n        return {gradients}\n"
        f"def training_step(x):\n    return Fn.apply(x{call})\n"
    )


NAMES = "abcdefgh"
NONES = ", ".join(["grad"] + ["None"] * 8)


@pytest.mark.parametrize(
    "text",
    [
        function(", ".join(f"{name}: int" for name in NAMES)),
        function(", ".join(f"{name}=0" for name in NAMES)),
        function(", ".join(NAMES), call=", 1, True, 'c', 2.0, 5, 6, 7, len(x)"),
        function(", ".join(NAMES), gradients=NONES),
        function("y: torch.Tensor, " + ", ".join(f"{name}: 'str | None'" for name in NAMES)),
    ],
)
def test_eight_arguments_that_are_no_tensors_are_too_many(text: str) -> None:
    (finding,) = lint("OVH801", text)
    assert finding.span.line == 5 and "8 arguments" in finding.message and finding.fix is None


@pytest.mark.parametrize(
    "text",
    [
        function(", ".join(f"{name}: int" for name in NAMES[1:]) + ", y"),
        function(", ".join(f"{name}: 'torch.Tensor | None'" for name in NAMES)),
        function(", ".join(f"{name}=None" for name in NAMES)),
        function(", ".join(NAMES)),
        function(", ".join(NAMES), "ctx.save_for_backward(a, b, c, d)", gradients=NONES),
        function(", ".join(NAMES), "return x + torch.relu(h)", gradients=NONES),
        function("*flags", gradients=NONES, call=", 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        function(", ".join(f"{name}: int" for name in NAMES)).replace("(Base)", "(Other)"),
    ],
)
def test_few_or_unknown_arguments_are_silent(text: str) -> None:
    assert lines("OVH801", text) == []


def test_a_gradient_that_one_branch_leaves_out_is_a_gradient() -> None:
    text = function(", ".join(NAMES), gradients=NONES.replace("None", "grad", 1)).replace(
        "        return grad, grad",
        f"        if skip:\n            return {', '.join(['None'] * 9)}\n        return grad, grad",
    )
    assert "if skip" in text and lines("OVH801", text) == []
