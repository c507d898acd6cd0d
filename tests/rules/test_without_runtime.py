"""Fixes that need nothing of the runtime: what is built once above a loop, and when that is safe."""

from __future__ import annotations

import pytest
from page_runs import outcome
from rule_cases import forward, lint

from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Applicability, Finding, Heat
from overhead_lint.syntax.source import Source

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE
STOCK = ["torch.autocast('cpu')", "torch.autocast('cpu', dtype=torch.bfloat16, cache_enabled=True)"]
ALWAYS = ["torch.no_grad()", "torch.enable_grad()", "torch.inference_mode(True)"]


def code_of(context: str) -> str:
    """The rule that speaks of a stock context in a loop."""
    return "OVH101" if "autocast" in context else "OVH105"


def plain(code: str, text: str) -> list[Finding]:
    """The findings of one rule in a module, with the fixes that need no runtime."""
    found = lint(code, text, Heat.COLD)
    return [one._replace(fix=one.fix.without_runtime if one.fix is not None else None) for one in found]


def applicabilities(context: str, body: str) -> list[Applicability | None]:
    """How the contexts of a loop may be hoisted."""
    found = plain(code_of(context), forward(body.replace("CONTEXT", context)))
    return [one.fix.applicability if one.fix is not None else None for one in found]


def fixed(code: str, text: str) -> str:
    """A module after the fixes of one rule that need no runtime."""
    source = Source.from_bytes(lint(code, text, Heat.COLD)[0].path, text.encode())
    result = fix_file(source, lambda source: plain(code, source.text), unsafe=True)
    assert not result.failures
    return result.after_text


@pytest.mark.parametrize("context", [*STOCK, *ALWAYS])
@pytest.mark.parametrize(
    ("body", "applicability"),
    [
        ("for y in x:\n    with CONTEXT:\n        y = y + 1", SAFE),
        ("while x.any():\n    with CONTEXT:\n        x = x - 1", SAFE),
        ("for y in x:\n    if y.any():\n        with CONTEXT:\n            y = y + 1", SAFE),
        ("for y in x:\n    with torch.profiler.record_function('a'), CONTEXT:\n        y = y + 1", SAFE),
        ("for y in x:\n    amp = CONTEXT\n    with amp:\n        y = y + 1", SAFE),
        ("with CONTEXT:\n    x = x + 1", None),
        ("for y in x:\n    with CONTEXT as amp:\n        y = y + 1", None),
        ("for y in x:\n    use(CONTEXT)", None),
        ("for y in x:\n    self.amp = CONTEXT\n    with self.amp:\n        y = y + 1", None),
        ("for y in x:\n    torch = y.torch\n    with CONTEXT:\n        y = y + 1", None),
    ],
)
def test_a_context_of_a_loop_is_built_once_above_it(
    context: str, body: str, applicability: Applicability | None
) -> None:
    assert set(applicabilities(context, body)) <= {applicability}


@pytest.mark.parametrize(
    ("context", "body", "applicability"),
    [
        ("torch.autocast('cpu', enabled=fast)", "for y in x:\n    with CONTEXT:\n        y = y + 1", UNSAFE),
        ("torch.autocast('cpu', enabled=self.fast)", "for y in x:\n    with CONTEXT:\n        y + 1", UNSAFE),
        (
            "torch.autocast('cpu', enabled=fast)",
            "fast = x.sum() > 0\nfor y in x:\n    with CONTEXT:\n        y = y + 1",
            SAFE,
        ),
        (
            "torch.autocast('cpu', enabled=fast)",
            "fast = 1\nfor y in x:\n    with CONTEXT:\n        y = y + 1\n    fast = 0",
            None,
        ),
        ("torch.autocast(pick(x))", "for y in x:\n    with CONTEXT:\n        y = y + 1", None),
        ("torch.autocast(**options)", "for y in x:\n    with CONTEXT:\n        y = y + 1", None),
        ("torch.autocast('cpu')", "for y in x:\n    with other, CONTEXT:\n        y = y + 1", UNSAFE),
        ("torch.autocast('cpu')", "for y in x:\n    with CONTEXT, other:\n        y = y + 1", SAFE),
        (
            "torch.autocast('cpu')",
            "for y in x:\n    torch.set_autocast_dtype('cpu', y)\n    with CONTEXT:\n        y",
            UNSAFE,
        ),
        (
            "torch.autocast('cpu', torch.bfloat16, True, True)",
            "for y in x:\n    with other, CONTEXT:\n        y = y + 1",
            SAFE,
        ),
        (
            "torch.autocast('cpu')",
            "for y in x:\n    try:\n        with CONTEXT:\n            y\n    except OSError:\n        0",
            None,
        ),
        ("torch.no_grad()", "global torch\nfor y in x:\n    with CONTEXT:\n        y = y + 1", None),
    ],
)  # fmt: skip
def test_a_context_that_may_be_another_one_in_the_loop_stays_or_is_unsafe(
    context: str, body: str, applicability: Applicability | None
) -> None:
    assert applicabilities(context, body) == [applicability]


def test_a_context_stays_a_step_within_a_file_for_torchscript() -> None:
    text = forward(
        "for y in x:\n    with torch.no_grad():\n        y = y + 1\nreturn torch.jit.annotate(int, 1)"
    )
    (found,) = plain("OVH105", text)
    assert found.fix is not None
    assert found.fix.applicability is UNSAFE


LOOPS = """\
import torch


def run(x, modes, fast):
    seen = []
    for index in range(3):
        for mode in modes:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):  # twice
                seen.append((x @ x).dtype)
                with torch.autocast("cpu", enabled=mode):
                    seen.append((x @ x).dtype)
            with torch.no_grad():
                y = x * 2
            with torch.no_grad():
                z = x * 3
                with torch.enable_grad():
                    w = x * 4
            seen.append((y.requires_grad, z.requires_grad, w.requires_grad))
        try:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
                raise ValueError(index)
        except ValueError as error:
            seen.append((str(error), torch.is_autocast_enabled("cpu"), torch.is_grad_enabled()))
    return seen, torch.is_autocast_enabled("cpu"), torch.is_grad_enabled()


result = [
    str(run(torch.ones(2, 2, requires_grad=True), modes, fast))
    for modes in ([], [True], [False, True])
    for fast in (False, True)
]
"""


def test_what_a_loop_computes_stays_the_same() -> None:
    after = fixed("OVH105", fixed("OVH101", LOOPS))
    assert "        autocast_context" not in LOOPS
    assert after.count("autocast_context = torch.autocast(") == 1
    assert "# twice" in after
    assert after.count("= torch.no_grad()") == 1, "two blocks that follow each other share one"
    assert after.count("with torch.autocast(") == 2, "its argument changes in the loop, or it may raise"
    assert outcome(after) == outcome(LOOPS)


@pytest.mark.parametrize(
    ("value", "range_"),
    [
        ("[0, 1, 2]", "3"),
        ("(1, 2, 3)", "1, 4"),
        ("[8, 4, 0]", "8, -1, -4"),
        ("[-1, 1]", "-1, 2, 2"),
        ("[0, 1, 3]", ""),
        ("[0.0, 1.0]", ""),
        ("[False, True]", ""),
        ("[0, y, 2]", ""),
    ],
)
@pytest.mark.parametrize("dtype", ["", ", dtype=torch.int32", ", dtype=torch.float32"])
def test_whole_numbers_equally_far_apart_are_counted_on_the_device(
    value: str, range_: str, dtype: str
) -> None:
    made = f"torch.tensor({value}{dtype}, device=x.device)"
    text = forward(f"y = 1\nz = {made}\nreturn z.dtype, x + z") + "result = Net()(torch.ones(1))\n"
    after = fixed_places(text)
    assert (f"torch.arange({range_}{dtype}, device=x.device)" in after) == bool(range_)
    if range_:
        assert outcome(after) == outcome(text)


def fixed_places(text: str) -> str:
    """A module after the fixes of OVH408."""
    source = Source.from_bytes(lint("OVH408", text, Heat.COLD)[0].path, text.encode())
    return fix_file(source, lambda source: lint("OVH408", source.text, Heat.COLD), unsafe=True).after_text


@pytest.mark.parametrize("dtype", ["torch.float16", "torch.bfloat16", "torch.uint8", "dtype"])
def test_a_range_in_a_dtype_that_may_round_it_is_not_counted(dtype: str) -> None:
    made = f"torch.tensor([0, 1, 2], dtype={dtype}, device=x.device)"
    text = f"import torch\n\n\ndef step(x: torch.Tensor, dtype):\n    return x + {made}\n"
    assert all(
        found.fix is None or "count" not in found.fix.message for found in lint("OVH408", text, Heat.COLD)
    )


CACHED = """\
import functools

import torch


@functools.lru_cache(maxsize=None)
def weights(device="cpu"):
    return torch.tensor([1.0, 2.0], device=device)


def blend(x):
    return x * weights()


first = weights()
first += 1
result = blend(torch.ones(2)), first
"""


def test_no_caller_of_a_cached_function_gets_a_tensor_that_another_one_writes_to() -> None:
    (found,) = lint("OVH205", CACHED, Heat.COLD)
    source = Source.from_bytes(found.path, CACHED.encode())
    after = fix_file(source, lambda source: lint("OVH205", source.text, Heat.COLD), unsafe=True).after_text
    assert "return runtime.const_tensor((1.0, 2.0), device=device).clone()" in after
    assert outcome(after) == "(tensor([1., 2.]), tensor([2., 3.]))"


INDEXED = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        z = x * 1
        {body}
        return z, x.grad


x = torch.arange(48.0).view(2, 4, 6).requires_grad_()
out, _ = Net()(x, torch.ones(()))
(out.sum() ** 2).backward()
result = out.detach(), x.grad
"""


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("z[:, [0, 2]] *= 3", "z[:, :3:2] *= 3"),
        ("z[..., [1]] = y", "z[..., 1:2] = y"),
        ("z = z[[0]] + 1", "z = z[:1] + 1"),
        ("z = z[[-1]] + 1", "z = z[-1:] + 1"),
        ("z = -z[:, 1:, [2, 3]]", "z = -z[:, 1:, 2:4]"),
        ("z = torch.cat([z[[1], None], z[[0], None]])", "z = torch.cat([z[1:2, None], z[:1, None]])"),
        ("z = z[:, [1, 3]].exp()", "z = z[:, 1:4:2].exp()"),
        ("z = z[:, ::2, [1, 4]] > 3", "z = z[:, ::2, 1:5:3] > 3"),
    ],
)  # fmt: skip
def test_places_as_far_apart_each_are_a_slice(body: str, after: str) -> None:
    before = INDEXED.format(body=body)
    if ">" in body:
        before = before.replace("(out.sum() ** 2).backward()", "(out.sum() ** 2)")
    fixed = fixed_places(before)
    assert f"        {after}\n" in fixed
    assert outcome(fixed) == outcome(before)


@pytest.mark.parametrize(
    "body",
    [
        "z = z[:, [0, 2]]",  # it lives on: others may write to it
        "z = z[:, [0, 2]].view(-1)",
        "z = helper(z[:, [0, 2]])",
        "z[:, [0, 2]] = z[:, 1:3]",  # a part of itself
        "z[:, [0, 1]] *= z[:, 1:3]",
        "z = z[[1, 0]] + 1",
        "z = z[[0, 1, 3]] + 1",
        "z = z[[0, 0]] + 1",
        "z = z[[0, 1], [0, 1]] + 1",
        "z = z[0, :, [0, 1]] + 1",
        "z = z[[True, False]] + 1",
    ],
)
def test_other_places_of_a_list_stay_one(body: str) -> None:
    found = lint("OVH408", INDEXED.format(body=body), Heat.COLD)
    assert all(one.fix is None for one in found)
