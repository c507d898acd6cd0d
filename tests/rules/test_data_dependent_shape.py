"""OVH409: sizes that depend on values of a tensor."""

from __future__ import annotations

import textwrap

import pytest
from page_runs import outcome
from rule_cases import fix, forward, lint

from overhead_lint.engine.pages import TimingCase
from overhead_lint.measure.calibration import count


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return x.nonzero()", 1),
        ("return torch.nonzero(x > 0, as_tuple=True)", 1),
        ("return torch.where(x > 0)", 1),
        ("return torch.where(x > 0, x, 0)", 0),
        ("return x.where(x > 0, 0)", 0),
        ("return torch.masked_select(x, x > 0)", 1),
        ("return x.unique(return_counts=True)", 1),
        ("return torch.bincount(x, minlength=4)", 1),
        ("return x.to_sparse()", 1),
        ("if x.layout != torch.strided:\n    return x.to_sparse()", 0),
        ("if x.layout == torch.strided:\n    return x.to_sparse()", 1),
        ("return x @ x if x.layout == torch.strided else x.to_sparse()", 0),
        ("return x @ x if self.net.layout == torch.strided else x.to_sparse()", 1),
        ("return x.repeat_interleave(x.sum(-1))", 1),
        ("return torch.repeat_interleave(x, repeats=x.sum(-1), dim=0)", 1),
        ("return x.repeat_interleave(x.sum(-1), output_size=4)", 0),
        ("return x.repeat_interleave(3)", 0),
        ("return torch.nn.functional.one_hot(x)", 1),
        ("return torch.nn.functional.one_hot(x, 4)", 0),
        ("return x[x > 0]", 1),
        ("return x[~torch.isnan(x)]", 1),
        ("return x[(x > 0) & (x < 1), 0]", 1),
        ("return x[x.bool()]", 1),
        ("return x[x.eq(1).view(-1)]", 1),
        ("return x[torch.zeros(3, dtype=torch.bool, device=x.device)]", 1),
        ("mask = x.to(torch.bool)\nreturn x[mask]", 1),
        ("mask = (x > 0).to(x.dtype)\nreturn x[mask.long()]", 0),
        ("x[torch.cat(self.pad_mask)] = x.sum()", 1),
        ("x[torch.hstack(self.pad_mask)] = x.sum()", 1),
        ("x[torch.cat(self.places)] = x.sum()", 0),
        ("x = x[0]; x = x[0]; x = x[0]; x = x[0]\nreturn [x[i, (x > 0)[i].bool()] for i in range(3)]", 1),
        ("return x[x.argmax()]", 0),
        ("return x[(x > 0).sum()]", 0),
        ("return x[:, 0]", 0),
        ("x[x > 0] = 1", 0),
        ("x[x > 0] = x.sum()", 1),
        ("x[x > 0] += 1", 1),
        ("x[x > 0] = x[x > 0] * 2", 1),
        ("return self.names[x > 0]", 0),
        ("names = [1, 2]\nreturn names[x > 0]", 0),
        ("import numpy as np\nrows = np.ones(3)\nreturn rows[x > 0]", 0),
        ("hidden = self.net(x)[0]\nreturn hidden[x > 0]", 1),
        ("hidden = self.net(x)[0]\nhidden[x > 0] = 0", 0),
        ("hidden = self.net(x)[0]\nreturn hidden[self.chosen > 0]", 0),
        ("return [row[row != -1] for row in self.rows(x)]", 1),
        ("return [row[row[:, 0] == 1] for row in self.rows(x)]", 1),
        ("row = [1]\nif self.training:\n    row = self.rows(x)\nreturn row[row != -1]", 0),
        ("return [row[row is None] for row in self.rows(x)]", 0),
        ("return [row[other != -1] for row, other in self.rows(x)]", 0),
        ("import numpy as np\nreturn [row[row != -1] for row in self.rows(x)]", 0),
        ("return x[x.any(-1)]", 1),
        ("some = torch.tensor([len(row) > 0 for row in y], device=x.device)\nreturn x[some]", 1),
        ("return x[torch.tensor([True, not y], device=x.device)]", 1),
        ("return x[torch.tensor([len(row) for row in y], device=x.device)]", 0),
        ("return x[torch.tensor([row > 0 for row in y], device=x.device, dtype=torch.long)]", 0),
        ("torch.cuda.synchronize()\nreturn x.nonzero()", 0),
        ("if self.profile:\n    torch.cuda.synchronize()\nreturn x.nonzero()", 1),
        ("if self.exact:\n    torch.cuda.synchronize()\nreturn x.nonzero()", 0),
        ("a, b = self.pairs\nreturn torch.unique(a, return_counts=True)", 1),
        ("a, b = self.pairs\nreturn torch.where(a.unsqueeze(1) == b)", 1),
        ("a, b = self.pairs\nreturn torch.where(a, b, 0)", 0),
        ("a, b = self.pairs\nreturn a.unique()", 0),
        ("return torch.unique(self.pairs[0]) + torch.nonzero(self.asked().flags)", 2),
        ("return self.pairs[0].unique()", 0),
        ("a, b = self.pairs\nif self.training:\n    a = torch.tensor(b)\nreturn torch.unique(a)", 0),
    ],
)
def test_sizes_that_depend_on_values_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH409", forward(body))) == found


@pytest.mark.parametrize(
    "body",
    [
        "y = x * 2\nx[y > 0] = y[y > 1]",
        "y = x * 2\nx[y > 0] = y[y > 0] * 2",
        "y = x * 2\nkeep = x.sum(-1) > 0\nx[keep] = y[keep]",
        "y = x * 2\nself.kept[x > 0] = y[x > 0]",
    ],
)
def test_masked_assignment_whose_shapes_may_differ_gets_no_fix(body: str) -> None:
    assert [finding.fix for finding in lint("OVH409", forward(body)) if finding.fix] == []


def test_masked_assignment_to_an_attribute_gets_no_fix() -> None:
    body = "y = x * 2\n{0}[{0} > 0] = y[{0} > 0]"
    init = "self.scale = nn.Parameter(torch.ones(1))"
    (of_name,) = lint("OVH409", forward("scale = self.scale\n" + body.format("scale"), init=init))
    (of_attribute,) = lint("OVH409", forward(body.format("self.scale"), init=init))
    assert of_name.fix is not None and of_attribute.fix is None


def test_masked_assignment_is_fixed_unsafely_with_where() -> None:
    text = forward("y = x * 2\nx[y > 0] = y[y > 0]\nreturn x")
    assert "        x.copy_(torch.where(y > 0, y, x))\n" in fix("OVH409", text)
    assert fix("OVH409", text, unsafe=False) == text


@pytest.mark.parametrize(("key", "found"), [("mask", 1), ("pad_mask", 1), ("places", 0)])
def test_what_a_key_calls_a_mask_is_one(key: str, found: int) -> None:
    assert len(lint("OVH409", forward(f"return x[self.state['{key}']]"))) == found


@pytest.mark.parametrize(("kept", "found"), [("x > 0", 1), ("x.long()", 0)])
def test_buffers_that_are_registered_as_masks_are_masks(kept: str, found: int) -> None:
    body = f'self.register_buffer("chosen", {kept})\nreturn x[self.chosen]'
    assert len(lint("OVH409", forward(body))) == found


RUN = """\
import torch
from torch import nn

DEVICE = "cpu"


class Net(nn.Module):
    def forward(self, x: torch.Tensor, lengths: list[int]):
        x = x * 2
        shared = x.view(-1)
        keep = x > 0.1
{body}
        return shared, out


torch.manual_seed(0)
weight = torch.randint(-4, 4, (3, 4)).double().to(DEVICE).requires_grad_()
shared, out = Net()(weight, [2, 0, 3])
(shared.sum() + out.sum()).backward()
result = shared.tolist(), out.tolist(), weight.grad.tolist()
"""


def waits(text: str) -> float:
    """How often the host waits for the device while a module runs there."""
    text = text.replace('DEVICE = "cpu"', 'DEVICE = "cuda"')
    return count(TimingCase("OVH409", "both", "", text, text, ("stream_sync",))).before["stream_sync"]


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("out = x[keep].sum()", "out = torch.where(keep, x, 0).sum()"),
        ("out = torch.sum(x[~keep])", "out = torch.where(~keep, x, 0).sum()"),
        ("out = x[x < 0].mean()", "out = torch.where(x < 0, x, 0).sum() / (x < 0).sum()"),
        ("out = x + 1\nx[x < 0] = x.mean()", "x.copy_(torch.where(x < 0, x.mean(), x))"),
        (
            "out = x.repeat_interleave(torch.tensor(lengths).to(x.device), 0)",
            "out = x.repeat_interleave(torch.tensor(lengths).to(x.device), 0, output_size=sum(lengths))",
        ),
        (
            "counts = torch.tensor(lengths, device=x.device)\nout = torch.repeat_interleave(x, counts, 0)",
            "out = torch.repeat_interleave(x, counts, 0, output_size=sum(lengths))",
        ),
    ],
)
def test_a_size_that_no_values_decide_gives_the_same(body: str, after: str) -> None:
    before = RUN.format(body=textwrap.indent(body, " " * 8))
    fixed = fix("OVH409", before)
    assert fix("OVH409", before, unsafe=False) == before
    assert f"        {after}\n" in fixed
    assert outcome(fixed) == outcome(before)  # these sums are exact in whatever order
    assert waits(fixed) < waits(before)


@pytest.mark.parametrize(
    "body",
    [
        "out = x[keep].sum(0)",
        "out = x[keep].std()",
        "out = x[keep].sum(dtype=torch.float64)",
        "out = x[x.sum(-1) > 0].sum()",  # whole rows
        "other = x > x[0]\nout = x[other].sum()",
        "x = x[0]\nout = x[keep].sum()",  # it was another one
        "out = x + 1\nx[x.sum(-1) > 0] = x.mean()",
        "out = x + 1\nx[x > 0] = x.mean(0)",
        "lengths.append(1)\nout = x.repeat_interleave(torch.tensor([*lengths], device=x.device), dim=0)",
        "counts = torch.tensor(lengths, device=x.device)\nlengths.append(1)\n"
        "out = x.repeat_interleave(counts, dim=0)",
        "out = x.repeat_interleave(keep.sum(-1), dim=0)",
    ],
)
def test_a_size_that_only_values_tell_gets_a_message_only(body: str) -> None:
    found = lint("OVH409", RUN.format(body=textwrap.indent(body, " " * 8)))
    assert found
    assert all(finding.fix is None for finding in found)
