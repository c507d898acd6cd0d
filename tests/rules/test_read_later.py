"""OVH404: what reads are replaced by gives the same, and waits no more often."""

from __future__ import annotations

import textwrap

import pytest
from page_runs import outcome
from rule_cases import fix, lint

from overhead_lint.engine.pages import TimingCase
from overhead_lint.measure.calibration import count
from overhead_lint.rule import Applicability

TRAIN = """\
import torch
from torch.nn import functional as F

DEVICE = "cpu"
history = []


def replayed(kept):
    kept.data.mul_(2)


def train(model, optimizer, loader, log_every, epochs=2):
    for epoch in range(epochs):
{start}
        for step, (x, y) in enumerate(loader):
            x, y = x.to(DEVICE), y.to(DEVICE)
            out = model(x)
            loss = F.cross_entropy(out, y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
{body}
{end}
    return history


def run(rounds):
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 3).to(DEVICE)
    loader = [(torch.randn(5, 4), torch.randint(3, (5,))) for _ in range(rounds)]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    return train(model, optimizer, loader, 2), [parameter.tolist() for parameter in model.parameters()]


result = run(5)
"""


def training(start: str, body: str, end: str) -> str:
    """A training loop with statements before, in and after the loop over its batches."""
    return TRAIN.format(
        start=textwrap.indent(start, " " * 8),
        body=textwrap.indent(body, " " * 12),
        end=textwrap.indent(end, " " * 8),
    )


def waits(text: str) -> float:
    """How often the host waits for the device while a module runs there."""
    text = text.replace('DEVICE = "cpu"', 'DEVICE = "cuda"')
    return count(TimingCase("OVH404", "both", "", text, text, ("stream_sync",))).before["stream_sync"]


GATED = "if step % log_every == 0:\n    history.append({})\n"
SUMS = [
    ("total = 0.0", "total += loss.item()", "history.append(total / 5)"),
    ("total = 0", "total += loss.item()", "history.append(total / 5)"),
    ("total = 0.0", "total += float(loss)", "history.append(total)"),
    ("total = 0.0", "total += loss.detach().item() * x.size(0)", "history.append(total)"),
    ("total = 0.0", "total += loss.data.item() / len(loader)", "history.append(total)"),
    ("total = 0.0", "total += 2 * loss.item()", "history.append(total)"),
    ("total: float = 0.0", "total += loss.item()", "history.append(total)"),
    ("total, seen = 0.0, 0", "total += loss.item()\nseen += len(x)", "history.append(total / seen)"),
    ("correct = 0", "correct += (out.argmax(1) == y).sum().item()", "history.append((correct, correct / 5))"),
    ("correct = 0", "correct += int(out.argmax(1).eq(y).sum())", "history.append((correct, correct / 5))"),
    (
        "correct = 0",
        "same = out.argmax(1) == y\ncorrect += torch.sum(same).item()",
        "history.append(correct)",
    ),
    ("correct = 0.0", "correct += (out.argmax(1) == y).sum().item()", "history.append(correct)"),
    ("correct = 0", "correct += (out.argmax(1) == y).sum().item() / len(x)", "history.append(correct)"),
    ("total = 0.0", "total += loss.item()\n" + GATED.format("total"), "history.append(total)"),
    (
        "total = 0.0",
        "total += loss.item()\n" + GATED.format("f'{total}, {total / 3:.4f}'"),
        "history.append(total)",
    ),
    (
        "total = 0.0",
        "total += loss.item()\n" + GATED.format("total") + "    total = 0.0",
        "history.append(total)",
    ),
    (
        "total = 0.0",
        "total += loss.item()\nif step % log_every == 0:\n    if step:\n        history.append(total)\n"
        "    else:\n        history.append(f'{total!r}')",
        "",
    ),
    (
        "correct = 0",
        "correct += (out.argmax(1) == y).sum().item()\n" + GATED.format("f'{correct / 3} {correct!r}'"),
        "",
    ),
]


@pytest.mark.parametrize(("start", "body", "end"), SUMS)
def test_a_sum_is_kept_on_the_device_to_the_last_bit(start: str, body: str, end: str) -> None:
    before = training(start, body, end)
    (finding,) = lint("OVH404", before)
    counts = start == "correct = 0" and not body.endswith("/ len(x)")
    assert finding.fix is not None
    assert finding.fix.applicability is (Applicability.SAFE if counts else Applicability.UNSAFE)
    after = fix("OVH404", before)
    assert fix("OVH404", before, unsafe=False) == (after if counts else before)
    assert ".item()" not in after
    assert outcome(after) == outcome(before)
    assert outcome(after.replace("run(5)", "run(1)")) == outcome(before.replace("run(5)", "run(1)"))
    assert waits(after) < waits(before)


@pytest.mark.parametrize(
    ("start", "body", "end"),
    [
        ("total = 0.0", "total += loss.item()\nhistory.append(total)", ""),  # it is looked at on each round
        ("total = 1.0", "total += loss.item()", "history.append(total)"),
        ("total = start", "total += loss.item()", "history.append(total)"),
        ("total = 0.0", "total -= loss.item()", "history.append(total)"),
        ("total = 0.0", "total += loss.item() ** 2", "history.append(total)"),
        ("total = 0.0", "total += round(loss.item(), 3)", "history.append(total)"),
        ("total = 0.0", "total += 1 / loss.item()", "history.append(total)"),
        ("total = 0", "total += int(loss)", "history.append(total)"),  # it cuts a fraction off
        ("total = 0.0", "total += loss.item()\ntotal += 1", "history.append(total)"),
        ("total = 0.0", "total = 0.0\ntotal += loss.item()", "history.append(total)"),
        ("total = 0.0\nshow = lambda: total", "total += loss.item()", "history.append(show())"),
        ("total = 0.0", "self.total += loss.item()", "history.append(total)"),
    ],
)
def test_a_sum_that_the_loop_needs_gets_a_message_only(start: str, body: str, end: str) -> None:
    assert all(finding.fix is None for finding in lint("OVH404", training(start, body, end)))


LISTS = [
    ("losses = []", "losses.append(loss.item())", "history.append(losses)", "loss.detach()"),
    ("losses = []", "losses += [loss.item()]", "history.extend(losses)", "loss.detach()"),
    ("losses: list[float] = []", "losses.append(float(loss))", "history.append(losses)", "loss.detach()"),
    ("losses = []", "losses.append(loss.data.item())", "history.append(losses)", "loss.data"),
    ("losses = []", "losses.append(loss.detach().item())", "history.append(losses)", "loss.detach()"),
    (
        "losses = []",
        "losses.append(torch.mean(out).item())",
        "history.append(losses)",
        "torch.mean(out).detach()",
    ),
    (
        "losses = []",
        "losses.append(loss.item())\nwith torch.no_grad():\n    loss *= 0\n    x.mul_(0)",
        "history.append(losses)",
        "loss.detach().clone()",
    ),
    (
        "losses = []\nkept = F.mse_loss(model(torch.ones(5, 4).to(DEVICE)), torch.ones(5, 3).to(DEVICE))",
        "replayed(kept)\nlosses.append(kept.item())",
        "history.append(losses)",
        "kept.detach().clone()",
    ),
    (
        "losses = []",
        "losses.append(loss.item())\nloss.detach().mul_(0)",
        "history.append(losses)",
        "loss.detach().clone()",
    ),
    (
        "losses = []",
        "losses.append(loss.item())\nif len(losses) > 3:\n    break",
        "history.append(losses)",
        "loss.detach()",
    ),
]


@pytest.mark.parametrize(("start", "body", "end", "kept"), LISTS)
def test_what_a_list_is_filled_with_is_read_behind_the_loop(
    start: str, body: str, end: str, kept: str
) -> None:
    before = training(start, body, end)
    after = fix("OVH404", before, unsafe=False)
    assert f"({kept})" in after or f"[{kept}]" in after
    assert "for value in losses]" in after
    for rounds in ("run(5)", "run(0)"):
        assert outcome(after.replace("run(5)", rounds)) == outcome(before.replace("run(5)", rounds))
    assert waits(after) <= waits(before)


@pytest.mark.parametrize(
    ("start", "body", "end"),
    [
        ("losses = [0.5]", "losses.append(loss.item())", "history.append(losses)"),
        ("losses = history", "losses.append(loss.item())", "history.append(losses)"),
        (
            "losses = []\nhistory.append(losses)",
            "losses.append(loss.item())",
            "print(losses)",
        ),  # by two names
        ("losses = []", "losses.append(loss.item())\nprint(losses)", "history.append(losses)"),
        ("losses = []", "losses.append(loss.item())\nlosses.append(0)", "history.append(losses)"),
        ("losses = []", "losses.append(loss.item() ** 2)", "history.append(losses)"),
        ("losses = []", "losses.append(loss.item())\nlosses = losses[-3:]", "history.append(losses)"),
        ("losses = []", "losses.append(loss.item())", ""),
        ("", "losses.append(loss.item())", "history.append(losses)"),
    ],
)
def test_a_list_that_the_loop_needs_gets_a_message_only(start: str, body: str, end: str) -> None:
    assert all(finding.fix is None for finding in lint("OVH404", training(start, body, end)))


@pytest.mark.parametrize(
    ("start", "body", "end"),
    [
        ("losses = []", "losses.append(loss.item())\nprint(loss.item())", "history.append(losses)"),
        ("total = 0.0", "total += loss.item()\nprint(float(loss))", "history.append(total)"),
        ("total = 0.0", "total += loss.item()\nhistory.append(loss.item())", "history.append(total)"),
    ],
)
def test_what_each_round_reads_anyway_is_read_where_it_was(start: str, body: str, end: str) -> None:
    assert ".detach()" not in fix("OVH404", training(start, body, end))
    gated = "if step % log_every == 0:\n    print(loss.item())"
    assert ".detach()" in fix("OVH404", training(start, f"{body.partition(chr(10))[0]}\n{gated}", end))


ONCE = [
    ("print(loss.item())\nhistory.append({'loss': loss.item()})", "print(loss_value)", True),
    ("history.append((loss.item(), loss.item()))", "history.append((loss_value, loss_value))", True),
    ("history.append(loss.item())\ny = 0\nhistory.append(loss.item())", "history.append(loss_value)", True),
    ("loss.mul_(2)\nhistory.append(loss.item())\nhistory.append(loss.item())", "loss_value", False),
    ("print(out.sum().item())\nhistory.append(out.sum().item())", "print(sum_value)", False),
]


@pytest.mark.parametrize(("body", "expected", "is_safe"), ONCE)
def test_what_a_block_reads_several_times_is_read_once(body: str, expected: str, is_safe: bool) -> None:
    before = training("total = 0.0", body.replace("loss.mul_", "loss.detach().mul_"), "")
    after = fix("OVH404", before)
    assert expected in after and after.count(".item()") == 1
    assert fix("OVH404", before, unsafe=False) == (after if is_safe else before)
    assert outcome(after) == outcome(before)
    assert waits(after) < waits(before)


@pytest.mark.parametrize(
    "body",
    [
        "print(loss.item())\nloss = loss * 2\nhistory.append(loss.item())",
        "print(loss.item())\nloss.detach().mul_(2)\nhistory.append(loss.item())",
        "print(loss.item())\nloss.mul_(2)\nhistory.append(loss.item())",
        "print(loss.item())\nif step:\n    history.append(loss.item())",
        "print(loss.item())\nhistory.append([loss.item() for _ in history])",
    ],
)
def test_what_may_have_changed_is_read_again(body: str) -> None:
    assert all(finding.fix is None for finding in lint("OVH404", training("", body, "")))


def test_a_list_that_each_step_fills_is_read_at_once() -> None:
    before = """
    import torch
    class Net(torch.nn.Module):
        def forward(self, x: torch.Tensor, outputs):
            losses = []
            for one in outputs:
                loss = torch.mean((1 - one * x) ** 2)
                losses.append(loss.item())
            return losses
    result = Net()(torch.arange(3.0), [torch.ones(3), torch.zeros(3)])
    """
    after = fix("OVH404", before)
    assert "losses.append(loss.detach())\n" in after and "losses = torch.stack(losses).tolist()\n" in after
    assert fix("OVH404", before, unsafe=False) == textwrap.dedent(before)
    assert outcome(after) == outcome(textwrap.dedent(before))


LATER = """\
import time

import torch
from torch.nn import functional as F


def evaluate(model, loader, device):
    losses = []
    right = 0
    for x, y in loader:
        out = model(x.to(device))
        loss = F.cross_entropy(out, y)
        loss.backward()
        losses.append(loss.item())
        right += (out.argmax(1) == y).sum().item()
    return losses, right
"""
LOOP = LATER[LATER.index("    for x, y") : LATER.index("    return")]


def _under(head: str, tail: str = "") -> tuple[str, str]:
    return LOOP, f"    {head}:\n{textwrap.indent(LOOP, '    ')}{tail}"


@pytest.mark.parametrize(
    "change",
    [
        _under("try", "    except KeyboardInterrupt:\n        pass\n"),  # what was gathered until then
        _under("with contextlib.suppress(ValueError)"),
        _under("with torch.cuda.stream(side)"),
        ("loss.backward()", "loss.backward()\n        yield x"),
        ("return losses, right", "return locals()"),
        ("return losses, right", "return losses, right, time.time()"),
        ("x.to(device)", 'x.to("cpu", non_blocking=True)'),
        ("x.to(device)", "buffer.to(device, non_blocking=True)"),
        ("def evaluate(model, loader, device):", "while loader:"),
        ("for x, y in loader:", "while (x := next(loader)) and (y := next(loader)):"),
        (
            "right += ",
            "if x:\n            with torch.cuda.stream(side):\n                pass\n        right += ",
        ),
    ],
)
def test_a_read_that_something_may_tell_from_a_later_one_is_no_safe_fix(change: tuple[str, str]) -> None:
    text = LATER
    assert fix("OVH404", text, unsafe=False).count(".item()") == 1
    assert change[0] in text
    text = text.replace(*change)
    if change[1].endswith("right += "):
        assert fix("OVH404", text, unsafe=False).count(".item()") == 1  # the stream is left before
    else:
        assert fix("OVH404", text, unsafe=False) == text


@pytest.mark.parametrize(
    "change",
    [
        ("x.to(device)", "x.to(y)"),
        ("model(x.to(device))", "models[0](x)"),
        ("for x, y in loader", "for model, x, y in loader"),
        ("loss = F", "extra = torch.ones(2, device=x.device)\n        loss = F"),
    ],
)
def test_counts_that_may_lie_on_several_devices_are_no_safe_fix(change: tuple[str, str]) -> None:
    text = LATER
    assert "right = int(right)" in fix("OVH404", text, unsafe=False)
    assert "right = int(right)" not in fix("OVH404", text.replace(*change), unsafe=False)


NET = """\
import torch
from torch import nn

DEVICE = "cpu"


class Net(nn.Module):
    def forward(self, x: torch.Tensor, ids: torch.Tensor):
        self.losses = {{"a": x.std(), "b": x.var()}}
        loss, other = x.mean(), x.abs().sum()
{body}


def run():
    torch.manual_seed(0)
    x = torch.randn(4, 3, device=DEVICE, requires_grad=True)
    return Net()(x, torch.tensor([2, 0, 2], device=DEVICE))


result = run()
"""


@pytest.mark.parametrize(
    "body",
    [
        "return dict(loss=loss.item(), other=other.item())",
        "stats = {\n    'a': loss.item(),  # the loss\n    'b': other.detach().item(),\n}\nreturn stats",
        "return loss.item(), other.item(), loss.item(), 3",
        "a, b = loss.item(), other.item()\nreturn a, b",
        "print(loss.item(), other.item())\nreturn [loss.item(), other.item()]",
        "return [(ids == i).sum().item() for i in range(3)]",
        "return [torch.max(row).item() for row in x], [row.mean().item() for row in x]",
        "a = loss.item()\nb = other.item()  # more\nreturn a, b",
        "out = []\nout.append(loss.item())\nout.append(other.detach().item())\nreturn out",
        "a = loss.item()\nb, c = other.item(), 3\nprint(loss.item())\nreturn a, b, c",
    ],
)
def test_reads_of_one_statement_are_one(body: str) -> None:
    before = NET.format(body=textwrap.indent(body, " " * 8))
    after = fix("OVH404", before)
    assert fix("OVH404", before, unsafe=False) == before
    assert ".tolist()" in after and ".item()" not in after
    assert ("# the loss" in after) == ("# the loss" in before)
    assert outcome(after) == outcome(before)
    assert waits(after) < waits(before)


@pytest.mark.parametrize(
    "body",
    [
        "return loss.item() if x is not None else other.item()",
        "return loss.item() and other.item()",
        "return f'{loss.item()} {other.item()}'",
        "return (lambda: (loss.item(), other.item()))()",
        "return dict(loss=(loss + other).item(), other=(loss * 2).item())",  # computed in the statement
        "return [(ids == i).sum().item() for i in range(3) if i]",  # it may be empty
        "return [(ids == i).sum(0).item() for i in range(3)]",
        "return [x[i, 0].item() for i in range(3)]",
        "return [other[y].item() for y in x]",
        "a = loss.item()\nloss = loss + 1\nb = other.item()\nreturn a, b",
        "a = loss.item()\nx = x + 1\nreturn a, other.item()",
        "hits = (x > 0).sum()\na = loss.item()\nb = hits.item()\nreturn a, b",  # b would be a float
        "a = loss.item()\nx.add_(other.add_(1))\nreturn a, other.item()",
    ],
)
def test_reads_that_may_not_all_be_made_get_a_message_only(body: str) -> None:
    found = lint("OVH404", NET.format(body=textwrap.indent(body, " " * 8)))
    assert all(finding.fix is None for finding in found)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(3):\n    out.append(ids[i].item())",
        "for i in range(3):\n    if ids[i].item():  # no\n        out.append(int(ids[i]) + float(ids[-1]))",
        "for k in range(2):\n    for i in range(3):\n        out.append(ids[i - k].item())",
        "self.ids = ids\nfor i in range(3):\n    out.append(bool(self.ids[i]))",
    ],
)
def test_elements_by_index_are_those_of_a_list(body: str) -> None:
    before = NET.format(body=textwrap.indent(f"out = []\n{body}\nreturn out", " " * 8))
    after = fix("OVH403", before)
    assert after.count(".tolist()") == before.count(".tolist()") + 1
    assert "ids_values[" in after and ".item()" not in after
    assert ("# no" in after) == ("# no" in before)
    assert outcome(after) == outcome(before)
    assert waits(after) < waits(before)


@pytest.mark.parametrize(
    "loop",
    [
        "out.append(x[i, 0].item())",
        "out.append(ids[i].item())\n    ids[0] = 1",
        "out.append(ids[i].item())\n    ids.add_(1)",
        "out.append(ids[i].item())\n    ids = ids + 1",
        "out.append(x[i][0].item())",
    ],
)
def test_elements_of_what_a_loop_writes_to_get_a_message_only(loop: str) -> None:
    body = f"out = []\nfor i in range(3):\n    {loop}\nreturn out"
    found = lint("OVH403", NET.format(body=textwrap.indent(body, " " * 8)))
    assert all(finding.fix is None for finding in found)
