"""The tables of effects as Python modules are what the scripts write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from freeze_effects import FROZEN, frozen

from overhead_lint.analysis.effects.binding import bind
from overhead_lint.analysis.effects.frozen.torch_signatures import PYTHON, TORCH
from overhead_lint.analysis.effects.signatures import Type, canonical, members, signatures

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "api_signatures.py"


def test_the_frozen_tables_are_what_the_tables_say() -> None:
    assert FROZEN.read_text(encoding="utf-8") == frozen(), "python benchmarks/freeze_effects.py"


@pytest.mark.skipif(
    torch.__version__.partition("+")[0] != TORCH
    or f"{sys.version_info.major}.{sys.version_info.minor}" != PYTHON,
    reason=f"the signatures are those of torch {TORCH}, as Python {PYTHON} shows them",
)
def test_the_frozen_signatures_are_torchs() -> None:
    # In a process of its own: what other tests make torch import is among its names.
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_looking_up_imports_neither_torch_nor_toml() -> None:
    program = """
import sys
from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.analysis.effects.writes import mutated_arguments
assert effect("torch.distributed.all_reduce").writes == {"tensor"}
assert mutated_arguments("torch.add_", ["x"], [("other", "y")]) == ("x",)
assert not {"torch", "tomllib", "tomli"} & set(sys.modules), sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("api", "args", "keywords", "bound"),
    [
        ("torch.nn.functional.pad", "xp", {}, {"input": "x", "pad": "p"}),
        ("torch.nn.functional.pad", "x", {"pad": "p"}, {"input": "x", "pad": "p"}),
        ("torch.nn.functional.pad", "", {"pad": "p", "input": "x"}, {"input": "x", "pad": "p"}),
        ("torch.sum", "x", {"axis": "d", "keepdims": "k"}, {"input": "x", "dim": "d", "keepdim": "k"}),
        ("torch.Tensor.transpose", "xab", {}, {"self": "x", "dim0": "a", "dim1": "b"}),
        ("torch.nn.functional.conv2d", "xw", {"stride": "s"}, {"input": "x", "weight": "w", "stride": "s"}),
        ("torch.nn.functional.max_pool2d", "xk", {}, {"input": "x", "kernel_size": "k"}),
        ("torch.linalg.norm", "x", {"ord": "o"}, {"input": "x", "ord": "o"}),
        ("torch.distributed.all_reduce", "x", {"async_op": "a"}, {"tensor": "x", "async_op": "a"}),
        ("torch.nn.Linear", "ab", {"bias": "c"}, {"in_features": "a", "out_features": "b", "bias": "c"}),
        ("torch.optim.Adam", "p", {"foreach": "f"}, {"params": "p", "foreach": "f"}),
        ("torch.zeros", "abc", {"device": "d"}, {"device": "d"}),
    ],
)
def test_arguments_by_place_and_by_name_bind_the_same_parameters(
    api: str, args: str, keywords: dict[str, str], bound: dict[str, str]
) -> None:
    found = bind(api, list(args), list(keywords.items()))
    assert found is not None
    assert found.arguments == bound


def test_a_call_that_fits_no_signature_binds_nothing() -> None:
    assert bind("torch.nn.functional.pad", "x") is None
    assert bind("torch.nn.functional.pad", "xp", [("padding", "q")]) is None
    assert bind("torch.nowhere_yet", "x") is None


def test_an_alias_is_known_by_what_it_stands_for() -> None:
    assert canonical("torch.nn.functional.conv2d") == "torch.conv2d"
    assert canonical("torch.functional.norm") == "torch.norm"
    assert canonical("torch.distributed.distributed_c10d.all_reduce") == "torch.distributed.all_reduce"
    assert canonical("torch.nn.functional.pad") == "torch.nn.functional.pad"


def test_all_signatures_can_be_read() -> None:
    from overhead_lint.analysis.effects.frozen.torch_signatures import SIGNATURES

    found = [
        signatures(f"{scope}.{name}") for scope in (*SIGNATURES, "torch.ops.aten") for name in members(scope)
    ]
    assert len(found) > 6000
    assert all(found)


@pytest.mark.parametrize(
    ("api", "shares"),
    [
        ("torch.Tensor.view", True),
        ("torch.Tensor.reshape", True),
        ("torch.Tensor.unbind", True),
        ("torch.Tensor.add_", True),
        ("torch.transpose", True),
        ("torch.ops.aten.detach", True),
        ("torch.Tensor.add", False),
        ("torch.cat", False),
        ("torch.Tensor.clone", False),
        ("torch.nowhere_yet", False),
    ],
)
def test_views_and_what_works_in_place_share_memory(api: str, shares: bool) -> None:
    sharing = {Type.SHARING_TENSOR, Type.SHARING_TENSORS}
    assert any(not sharing.isdisjoint(way.returns) for way in signatures(api)) is shares
