"""Tensor rules: forms, values before and after, what is safe to fix, what looks alike."""

from __future__ import annotations

import pytest
import torch
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability, Tier


def value(text: str, x: torch.Tensor) -> torch.Tensor:
    names: dict[str, object] = {}
    exec(text, names)
    result = names["Net"].forward(None, x)  # type: ignore[attr-defined]
    assert isinstance(result, torch.Tensor)
    return result


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        (
            'x.to(torch.float64).to("cpu")',
            'x.to(dtype=torch.float64, device="cpu")',
            Applicability.SAFE,
        ),
        ("x.half().to(x.device)", "x.to(dtype=torch.float16, device=x.device)", Applicability.SAFE),
        (
            'x.to("cpu").to(torch.int8)',
            'x.to(device="cpu", dtype=torch.int8)',
            Applicability.UNSAFE,
        ),
        (
            "x.to(dtype=x.dtype).to(device=x.device)",
            "x.to(dtype=x.dtype, device=x.device)",
            Applicability.SAFE,
        ),
        ("(x + 1).to(torch.bool).cpu()", '(x + 1).to(dtype=torch.bool, device="cpu")', Applicability.SAFE),
        (
            'x.to(torch.float64).to(torch.device("cpu"))',
            'x.to(dtype=torch.float64, device=torch.device("cpu"))',
            Applicability.SAFE,
        ),
    ],
)
def test_chain_becomes_one_call_with_the_same_value(
    before: str, after: str, applicability: Applicability
) -> None:
    text = forward(f"return {before}")
    (finding,) = lint("OVH702", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    fixed = fix("OVH702", text)
    assert f"return {after}\n" in fixed
    x = torch.tensor([0.0, 1.5, -2.25])
    old, new = value(text, x), value(fixed, x)
    assert (old.dtype, old.device, old.tolist()) == (new.dtype, new.device, new.tolist())


def test_written_conversions_of_something_unknown_are_not_fixed_safely() -> None:
    (finding,) = lint("OVH702", forward('return self.other(x).to(torch.float32).to("cpu")'))
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if torch.compiler.is_compiling():\n    return {}\nreturn x", 0),
        ("if not torch.compiler.is_compiling():\n    return x\nreturn {}", 0),
        ("traced = torch.compiler.is_compiling() and y\nif traced:\n    return {}\nreturn x", 0),
        ("return {} if torch.compiler.is_compiling() else x", 0),
        ("return x if torch.compiler.is_compiling() else {}", 1),
        ("if torch.compiler.is_compiling() or y:\n    return {}\nreturn x", 1),
        ("if torch.compiler.is_compiling() or torch.compiler.is_exporting():\n    return x\nreturn {}", 1),
        ("if y:\n    return x\nreturn {} + torch.compiler.is_compiling()", 1),
    ],
)
def test_what_compiled_code_alone_comes_to_is_compiled(body: str, found: int) -> None:
    text = forward(body.format("x.to(self.device).to(torch.float32)"))
    assert len(lint("OVH702", text)) == found


@pytest.mark.parametrize("names", [("dtype", "device"), ("self.compute_dtype", "self.device")])
def test_what_only_a_name_tells_is_not_fixed_safely(names: tuple[str, str]) -> None:
    (finding,) = lint("OVH702", forward(f"return x.to({names[0]}).to({names[1]})"))
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("self.kept.copy_(x.to(self.kept.device))", "self.kept.copy_(x)"),
        ("self.kept.copy_(x.to(self.kept))", "self.kept.copy_(x)"),
        ("self.kept.data.copy_(x.to(self.kept.dtype))", "self.kept.data.copy_(x)"),
        (
            "y.copy_(x.to(device=y.device, dtype=y.dtype), non_blocking=True)",
            "y.copy_(x, non_blocking=True)",
        ),
        ("y[0].copy_(x.to(self.device))", "y[0].copy_(x)"),
        ("y.copy_(x.to(y.device, non_blocking=True))", None),
    ],
)
def test_what_is_copied_anyway_need_not_be_converted(body: str, fixed: str | None) -> None:
    text = forward(f"y = x.float()\n{body}\nreturn x", init="self.kept = torch.zeros(3)")
    (finding,) = lint("OVH702", text)
    assert (finding.fix is None) == (fixed is None)
    if fixed is not None:
        assert f"        {fixed}\n" in fix("OVH702", text)


@pytest.mark.parametrize(
    ("waiting", "applicability"),
    [
        ("", Applicability.SAFE),
        (", False", Applicability.SAFE),
        (", non_blocking=False", Applicability.SAFE),
        (", True", Applicability.UNSAFE),
        (", non_blocking=True", Applicability.UNSAFE),
        (", non_blocking=self.training", Applicability.UNSAFE),
    ],
)
def test_conversion_that_waits_for_a_copy_which_does_not_is_left_to_a_look(
    waiting: str, applicability: Applicability
) -> None:
    text = forward(f"self.kept.copy_(x.to(self.kept.device){waiting})", init="self.kept = torch.zeros(3)")
    (finding,) = lint("OVH702", text)
    assert finding.fix is not None and finding.fix.applicability is applicability


@pytest.mark.parametrize(
    "body",
    [
        "y.copy_(x.to(torch.int8))",
        "y.copy_(x.to(x.dtype))",
        "y.copy_(x.to('cpu'))",
        "y.copy_(x.float())",
        "y.copy_(x.to(y.device) * 2)",
        "self.store.copy_(x.to(device=y.device, dtype=torch.int8))",
    ],
)
def test_what_copy_would_not_convert_by_itself_is_silent(body: str) -> None:
    assert lines("OVH702", forward(f"y = x.float()\n{body}\nreturn x")) == []


@pytest.mark.parametrize(("device", "found"), [("mps", 0), ("cuda", 1)])
def test_conversions_for_devices_without_streams_are_silent(device: str, found: int) -> None:
    body = f"if self.kind == '{device}':\n    x = x.to(torch.float32).to('cpu')\nreturn x"
    assert len(lint("OVH702", forward(body))) == found


WITH_NUMPY = "import numpy\nimport torch\nfrom torch import nn"


@pytest.mark.parametrize(
    "expression",
    [
        "torch.from_numpy(y).to(torch.device(z)).to(torch.float16)",
        "torch.as_tensor(numpy.stack(y), dtype=torch.int32).to(torch.device(z)).to(torch.float32)",
        "torch.tensor([1, 2]).to(torch.device(z)).to(torch.float32)",
    ],
)
def test_conversions_of_what_the_host_made_are_reported_where_they_copy_no_more(expression: str) -> None:
    assert lines("OVH702", forward(f"return {expression}", header=WITH_NUMPY)) != []


@pytest.mark.parametrize(
    "expression",
    [
        "x.to(torch.int8).to(torch.float32)",
        'x.to("cuda").to("cpu")',
        "x.float().cpu()",
        'x.to(torch.float32, copy=True).to("cpu")',
        'x.to(torch.float32).to("cpu", non_blocking=True)',
        "self.other(x).float().cpu()",
        "x.to(y).to(torch.float32)",
        'x.to(torch.float32).contiguous().to("cpu")',
        'x.to("cpu").to(torch.float64)',
        'x.to(torch.device("cpu")).double()',
        "x.cpu().to(torch.int64)",
        'torch.zeros(2).float().to("cpu")',
        'torch.arange(x.size(0)).long().to("cpu")',
        'torch.arange(len(x) - 1).to(torch.int64).to("cpu")',
        'torch.rand(2).to(torch.float32).to("cpu")',
        "torch.from_numpy(y).to(z.device).float()",
        "torch.as_tensor(numpy.stack(y)).to(torch.device(z)).to(torch.float32)",
    ],
)
def test_other_conversions_are_silent(expression: str) -> None:
    assert lines("OVH702", forward(f"return {expression}", header=WITH_NUMPY)) == []


def test_a_batch_that_is_widened_on_the_device_is_copied_in_fewer_bytes() -> None:
    text = """
import torch
from torch.utils.data import DataLoader


def train(model, data, optimizer, device):
    batches = iter(DataLoader(data))
    for _ in range(100):
        images, labels = next(batches)
        model(images.to(device).to(torch.WIDE), labels).backward()
        optimizer.step()
"""
    assert lines("OVH702", text.replace("WIDE", "float32")) == []
    assert lines("OVH702", text.replace("WIDE", "float16")) == [10]


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        ("torch.zeros(2).to(torch.float64)", "torch.zeros(2, dtype=torch.float64)", Applicability.SAFE),
        ("torch.ones(*x.shape).bool()", "torch.ones(*x.shape, dtype=torch.bool)", Applicability.SAFE),
        ("torch.zeros_like(x).long()", "torch.zeros_like(x, dtype=torch.int64)", Applicability.SAFE),
        (
            "torch.zeros(2, dtype=torch.int8).to(torch.float32)",
            "torch.zeros(2, dtype=torch.float32)",
            Applicability.SAFE,
        ),
        (
            'torch.full((2,), 0.1, dtype=torch.float64).to("cpu")',
            'torch.full((2,), 0.1, dtype=torch.float64, device="cpu")',
            Applicability.SAFE,
        ),
        ("torch.arange(1, len(x)).cpu()", 'torch.arange(1, len(x), device="cpu")', Applicability.SAFE),
        ("torch.arange(0, 1, 0.25).cpu()", 'torch.arange(0, 1, 0.25, device="cpu")', Applicability.UNSAFE),
    ],
)
def test_factory_is_given_what_it_was_converted_to(
    before: str, after: str, applicability: Applicability
) -> None:
    text = forward(f"return {before}")
    (finding,) = lint("OVH701", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    fixed = fix("OVH701", text)
    assert f"return {after}\n" in fixed
    x = torch.ones(3)
    old, new = value(text, x), value(fixed, x)
    assert (old.dtype, old.device, old.tolist()) == (new.dtype, new.device, new.tolist())


@pytest.mark.parametrize(
    ("before", "applicability"),
    [
        ("torch.zeros(2).to(self.kept)", Applicability.SAFE),
        ("torch.zeros(2, dtype=torch.int64).to(self.kept)", Applicability.UNSAFE),
        ("torch.zeros(2, dtype=torch.int64).to(x.dtype)", Applicability.SAFE),
    ],
)
def test_attribute_that_another_class_may_set_to_none_takes_no_place_of_a_dtype(
    before: str, applicability: Applicability
) -> None:
    (finding,) = lint("OVH701", forward(f"return {before}", init="self.kept = torch.float16"))
    assert finding.fix is not None and finding.fix.applicability is applicability


def test_both_conversions_of_a_new_tensor_end_in_one_call() -> None:
    text = forward('return torch.zeros(2).to(torch.float64).to("cpu")')
    (finding,) = lint("OVH701", text)
    assert finding.message == "torch.zeros makes a tensor, and two more calls convert its dtype and device"
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE
    assert 'return torch.zeros(2, dtype=torch.float64, device="cpu")\n' in fix("OVH701", text)
    text = forward("return torch.zeros(2).long().to(self.device)")
    (finding,) = lint("OVH701", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert "return torch.zeros(2, dtype=torch.int64, device=self.device)\n" in fix("OVH701", text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('torch.arange(2).to("cpu").float()', 'torch.arange(2, device="cpu").float()'),
        ("torch.zeros(2).double().to(x)", "torch.zeros(2, dtype=torch.float64).to(x)"),
    ],
)
def test_the_first_conversion_alone_ends_in_the_call_where_the_second_cannot(before: str, after: str) -> None:
    text = forward(f"return {before}")
    (finding,) = lint("OVH701", text)
    assert "a second call converts" in finding.message
    assert f"return {after}\n" in fix("OVH701", text)


@pytest.mark.parametrize(
    ("made", "waits"),
    [
        ("torch.zeros(2).to(x.device)", True),
        ("torch.arange(2).cuda()", True),
        ("torch.zeros(2).double().to(x.device)", True),
        ('torch.zeros(2).to("cpu")', False),
        ("torch.zeros(2).double()", False),
        ("torch.zeros_like(x).to(self.device)", False),
    ],
)
def test_what_is_made_on_the_host_for_a_device_is_a_wait(made: str, waits: bool) -> None:
    (finding,) = lint("OVH701", forward(f"return {made}"))
    assert finding.tier is (Tier.STALL if waits else None)
    assert ("the CPU waits until it has been copied to the GPU" in finding.message) is waits


def test_factory_imported_by_name_keeps_its_name() -> None:
    text = forward("return zeros(2).double()", header="import torch\nfrom torch import nn, zeros")
    assert "return zeros(2, dtype=torch.float64)\n" in fix("OVH701", text)


@pytest.mark.parametrize(
    "expression",
    [
        "torch.rand(2).to(x.device)",
        "torch.arange(3).float()",
        "torch.zeros(2).float()",
        "torch.ones(2, device=x.device).to(torch.float32)",
        "torch.full((2,), 0.1).double()",
        "torch.empty(2).double()",
        "torch.zeros(2, device=x.device).cpu()",
        "torch.zeros(2, requires_grad=True).double()",
        "torch.zeros(2, **options).double()",
        "torch.zeros(2).to(y)",
        "torch.zeros_like(x).to(x.device)",
        "torch.ones_like(x[:, :1]).to(x.device)",
        "torch.zeros(2).to(x.device, non_blocking=True)",
        "torch.zeros(2).add(1).double()",
        "np.zeros(2).to(x.device)",
        "torch.zeros(2, dtype=torch.int8).to(dtype=None)",
        "torch.zeros(2).to(device=None)",
    ],
)
def test_conversions_that_a_factory_cannot_take_over_are_silent(expression: str) -> None:
    assert lines("OVH701", forward(f"return {expression}")) == []


@pytest.mark.parametrize("dtype", ["(d := x.dtype)", "self.dtype_of(x)"])
def test_a_dtype_whose_evaluation_may_do_something_is_not_dropped(dtype: str) -> None:
    (finding,) = lint("OVH701", forward(f"return torch.zeros(2, dtype={dtype}).to(torch.float16), d"))
    assert finding.fix is None
