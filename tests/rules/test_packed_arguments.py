"""The fix of OVH801: what it changes together, what computes the same, and where it is not offered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from rule_cases import ALL, fix, lines

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.syntax.source import Source

NAMES = "abcdefgh"
PRIVATE = """
import torch


class _Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, {parameters}, y):
        \"\"\"Scale.\"\"\"
        ctx.save_for_backward(y)
        ctx.scale = a
        return x * a + y * b - (c + d + e + f + g + h)

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        if not ctx.needs_input_grad[0] and any(ctx.needs_input_grad):
            return (None, {nones}, grad * 3)
        first = grad * ctx.scale if ctx.needs_input_grad[0] else None
        return first, {nones}, grad * 3 if ctx.needs_input_grad[9] else None


def training_step(x, y):
    return _Fn.apply(_Fn.apply(x, 2, 3, 0, 1, 2, 3, 4, 5, y), *(), 2, 3, 0, 1, 2, 3, 4, len("abc"), y)
"""
INTEGERS = ", ".join(f"{name}: int" for name in NAMES)


def private(parameters: str = INTEGERS, nones: str = ", ".join(["None"] * 8)) -> str:
    """An autograd function that only its file uses."""
    return PRIVATE.format(parameters=parameters, nones=nones).replace("*(), ", "")


@pytest.mark.parametrize("needed", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("parameters", [INTEGERS, ", ".join(NAMES)])
def test_arguments_given_as_one_tuple_compute_the_same(needed: tuple[bool, bool], parameters: str) -> None:
    text = private(parameters)
    after = fix("OVH801", text)
    assert "options" in after and "needs_input_grad[2]" in after and after.count("None") < text.count("None")
    assert lines("OVH801", after) == []
    results = []
    for source in (text, after):
        names: dict[str, Any] = {}
        exec(compile(source, "fn.py", "exec"), names)
        x, y = (torch.full((2,), 3.0, requires_grad=need) for need in needed)
        out = names["training_step"](x, y)
        out.sum().backward()
        results.append((out.tolist(), *(None if t.grad is None else t.grad.tolist() for t in (x, y))))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("_Fn", "Fn"),
        ("return _Fn.apply(", "apply = _Fn.apply\n    return apply("),
        ("import torch\n", "import torch\nKINDS = ['_Fn']\n"),
        ("def training_step", "class Other(_Fn):\n    pass\n\ndef training_step"),
        ("needs_input_grad[9]", "needs_input_grad[-1]"),
        ("needs_input_grad[9]", "needs_input_grad[3]"),
        ("4, 5, y)", "4, *[5, y])"),
        ("first, None, None,", "first, *(None,), None,"),
        (
            "    @staticmethod\n    def backward",
            "    def vmap(info, dims, *a):\n        pass\n\n    @staticmethod\n    def backward",
        ),
        ("ctx, x, a", "ctx, /, x, a"),
        ("import torch\n", "import torch\noptions = packed_options = None\n"),
    ],
)
def test_arguments_stay_where_not_all_calls_are_known(old: str, new: str) -> None:
    text = private()
    assert old in text
    changed = text.replace(old, new)
    assert fix("OVH801", changed) == changed


def test_a_class_is_the_files_own_by_its_list_of_public_names_or_as_a_program() -> None:
    text = private().replace("_Fn", "Fn")
    assert fix("OVH801", text) == text
    for more in ("__all__ = ['training_step']\n", "if __name__ == '__main__':\n    training_step(1, 2)\n"):
        assert "options" in fix("OVH801", text + more)


def test_a_comment_between_the_parameters_is_named_and_kept() -> None:
    text = private().replace("c: int, d", "c: int,  # the third\n        d")
    source = Source.from_bytes(Path("model.py"), text.encode())
    linter = Linter(packs.select(ALL, ["OVH801"], []), Settings())
    result = fix_file(source, linter.lint, unsafe=True)
    assert result.after_text == text
    assert "# the third" in str(result.failures[0])


def test_what_a_function_within_backward_returns_is_no_gradient() -> None:
    text = """
        import torch

        class Scaled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, {names}):
                ctx.rate = {used}
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                def many():
                    return (grad, {grads})
                return (grad, {nones})
        """
    text = text.format(
        names=", ".join(NAMES),
        used=" + ".join(f"len({name})" for name in NAMES),
        grads=", ".join(["grad"] * 8),
        nones=", ".join(["None"] * 8),
    )
    assert len(lines("OVH801", text)) == 1
