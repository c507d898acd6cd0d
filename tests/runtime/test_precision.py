"""`fp32_precision` over torch's layered table. A case is a list of statements, in its own process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from overhead_runtime import _precision_legacy, _precision_table, fp32_precision

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a fresh torch state per case needs fork")

OPS = ("all", "conv", "rnn", "matmul")
DEFAULTS = {"generic.all": "none"} | {f"{b}.{o}": "none" for b in ("cuda", "mkldnn") for o in OPS}
DEFAULTS |= {"cuda.conv": "tf32", "cuda.rnn": "tf32"}
CUDA = [f"cuda.{op}" for op in OPS]
MKLDNN = [f"mkldnn.{op}" for op in OPS]
MATMUL_FLAG = "backends.cuda.matmul.allow_tf32"
CUDNN_FLAG = "backends.cudnn.allow_tf32"
PRECISION = "get_float32_matmul_precision()"
RAISES = "RuntimeError"


def _convolutions_follow_cudnn() -> bool:
    """Whether what is set for all of cuDNN goes for convolutions; before torch 2.13 theirs stays."""
    cudnn: Any = torch.backends.cudnn
    before = cudnn.fp32_precision
    cudnn.fp32_precision = "ieee"
    try:
        return bool(cudnn.conv.fp32_precision == "ieee")
    finally:
        cudnn.fp32_precision = before


FOLLOW = _convolutions_follow_cudnn()
# Of cuDNN after a value that cuDNN lacks was set for all.
LACKING = {"cuda.conv": "none", "cuda.rnn": "none"} if FOLLOW else {}
LACKING_FLAG: Any = RAISES if FOLLOW else True


def all_(names: list[str], value: str) -> dict[str, str]:
    return dict.fromkeys(names, value)


# What torch does by itself: action, nodes that change, old flags afterwards.
STOCK: dict[str, tuple[list[str], dict[str, str], dict[str, Any]]] = {
    "defaults": ([], {}, {MATMUL_FLAG: False, CUDNN_FLAG: True, PRECISION: "highest"}),
    "old matmul flag": (
        ["torch.backends.cuda.matmul.allow_tf32 = True"],
        {"cuda.matmul": "tf32"},
        {MATMUL_FLAG: True, PRECISION: "high"},
    ),
    "old cudnn flag": (
        ["torch.backends.cudnn.allow_tf32 = False"],
        {"cuda.conv": "none", "cuda.rnn": "none"},
        {CUDNN_FLAG: False},
    ),
    "precision high": (
        ["torch.set_float32_matmul_precision('high')"],
        {"cuda.matmul": "tf32", "mkldnn.matmul": "tf32"},
        {MATMUL_FLAG: True, PRECISION: "high"},
    ),
    "precision medium": (
        ["torch.set_float32_matmul_precision('medium')"],
        {"cuda.matmul": "tf32", "mkldnn.matmul": "bf16"},
        {MATMUL_FLAG: True, PRECISION: "medium"},
    ),
    "new matmul": (
        ["torch.backends.cuda.matmul.fp32_precision = 'tf32'"],
        {"cuda.matmul": "tf32"},
        {MATMUL_FLAG: RAISES, PRECISION: RAISES},
    ),
    "new generic tf32": (
        ["torch.backends.fp32_precision = 'tf32'"],
        all_(list(DEFAULTS), "tf32"),
        {MATMUL_FLAG: RAISES, PRECISION: RAISES, CUDNN_FLAG: True},
    ),
    "new generic bf16": (
        ["torch.backends.fp32_precision = 'bf16'"],
        {"generic.all": "bf16"} | all_(MKLDNN, "bf16") | LACKING,
        {CUDNN_FLAG: LACKING_FLAG, PRECISION: RAISES},
    ),
    "new cudnn": (
        ["torch.backends.cudnn.fp32_precision = 'tf32'"],
        all_(CUDA, "tf32"),
        {MATMUL_FLAG: RAISES, PRECISION: RAISES},
    ),
    "new cudnn.conv": (
        ["torch.backends.cudnn.conv.fp32_precision = 'ieee'"],
        {"cuda.conv": "ieee"},
        {CUDNN_FLAG: RAISES},
    ),
    "new mkldnn": (
        ["torch.backends.mkldnn.fp32_precision = 'bf16'"],
        {"generic.all": "bf16"} | all_(MKLDNN, "bf16") | LACKING,
        {CUDNN_FLAG: LACKING_FLAG},
    ),
    "new, then old": (
        [
            "torch.backends.cuda.matmul.fp32_precision = 'tf32'",
            "torch.set_float32_matmul_precision('highest')",
        ],
        {"cuda.matmul": "ieee", "mkldnn.matmul": "ieee"},
        {MATMUL_FLAG: False, PRECISION: "highest"},
    ),
    "old, then new": (
        ["torch.set_float32_matmul_precision('high')", "torch.backends.cuda.matmul.fp32_precision = 'ieee'"],
        {"cuda.matmul": "ieee", "mkldnn.matmul": "tf32"},
        {MATMUL_FLAG: RAISES, PRECISION: "high"},
    ),
    "unknown value": (["torch.backends.cuda.matmul.fp32_precision = 'fp16'"], {}, {MATMUL_FLAG: False}),
    "value cuda lacks": (["torch.backends.cuda.matmul.fp32_precision = 'bf16'"], {}, {MATMUL_FLAG: False}),
}

OVERRIDES = [
    "fp32_precision('tf32')",
    "fp32_precision('bf16')",
    "fp32_precision('ieee', 'cuda')",
    "fp32_precision('tf32', backend='cuda', op='all')",
    "fp32_precision('tf32', backend='cuda', op='matmul')",
    "fp32_precision('ieee', 'cuda', 'matmul')",
    "fp32_precision('bf16', 'mkldnn')",
    "fp32_precision('bf16', 'mkldnn', 'matmul')",
    "fp32_precision('none', 'mkldnn', 'rnn')",
]

ONCE = {
    "set matmul": ["fp32_precision.set('tf32', backend='cuda', op='matmul')"],
    "set conv": ["fp32_precision.set('ieee', 'cuda', 'conv')"],
    "set generic": ["fp32_precision.set('tf32')"],
    "mixed inside": [
        "with fp32_precision('tf32', 'cuda', 'matmul'):\n"
        "    assert torch.backends.cuda.matmul.allow_tf32 is True\n"
        "    assert torch.get_float32_matmul_precision() == 'high'"
    ],
    "exception": [
        "try:\n"
        "    with fp32_precision('tf32', 'cuda', 'matmul'):\n"
        "        raise KeyError\n"
        "except KeyError: pass"
    ],
    "nested": [
        "with fp32_precision('tf32', 'cuda', 'matmul'):\n"
        "    with fp32_precision('ieee', 'cuda'), fp32_precision('bf16', 'mkldnn', 'matmul'):\n"
        "        assert fp32_precision.get('cuda', 'matmul') == 'tf32'\n"
        f"        assert fp32_precision.get('cuda', 'conv') == '{'ieee' if FOLLOW else 'tf32'}'\n"
        "    assert fp32_precision.get('cuda', 'matmul') == 'tf32'\n"
        "    assert fp32_precision.get('cuda', 'conv') == 'tf32'"
    ],
    "one instance nested": [
        "c = fp32_precision('tf32', 'cuda', 'matmul')\n"
        "with c:\n"
        "    with fp32_precision('ieee', 'cuda', 'matmul'), c:\n"
        "        assert fp32_precision.get('cuda', 'matmul') == 'tf32'\n"
        "    assert fp32_precision.get('cuda', 'matmul') == 'tf32'"
    ],
    "decorator": [
        "@fp32_precision('tf32', 'cuda', 'matmul')\n"
        "def f(n):\n"
        "    assert fp32_precision.get('cuda', 'matmul') == 'tf32'\n"
        "    return f(n - 1) if n else None\n"
        "f(2)"
    ],
    "changed inside": [
        "with fp32_precision('tf32', 'cuda', 'matmul'):\n"
        "    torch.set_float32_matmul_precision('medium')\n"
        "    torch.backends.mkldnn.fp32_precision = 'ieee'"
    ],
    "contradicting": ["torch.backends.cudnn.rnn.fp32_precision = 'ieee'"],
    "contradicting, written in a block": [
        "torch.backends.cudnn.rnn.fp32_precision = 'ieee'",
        "with fp32_precision('tf32', 'cuda', 'matmul'):\n    torch.backends.cudnn.allow_tf32 = False",
        "torch.backends.cudnn.rnn.fp32_precision = 'tf32'",
    ],
    "conv and back": ["with fp32_precision('ieee', 'cuda', 'conv'): pass"],
    "cuda lacks bf16": ["fp32_precision.set('bf16', 'cuda', 'matmul')"],
    "cuda lacks bf16 in a block": ["with fp32_precision('bf16', 'cuda', 'matmul'): pass"],
    "frozen": ["torch.backends.disable_global_flags()", "fp32_precision.set('tf32')"],
    "frozen block": ["torch.backends.disable_global_flags()", "with fp32_precision('tf32'): pass"],
}


@cache
def outcomes() -> dict[str, dict[str, Any]]:
    cases: dict[str, dict[str, Any]] = {}
    for name, (actions, _, _) in STOCK.items():
        cases[name] = {"actions": actions, "follow": True}
        blocks = [f"with {override}: pass" for override in OVERRIDES]
        cases[f"{name}, then blocks"] = {"actions": actions + blocks, "follow": True}
    cases |= {name: {"actions": actions} for name, actions in ONCE.items()}
    child = Path(__file__).with_name("precision_child.py")
    done = subprocess.run(
        [sys.executable, str(child)],
        input=json.dumps(list(cases.values())),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(cases, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("name", STOCK)
def test_resolve_tells_what_torch_does(name: str) -> None:
    outcome = outcomes()[name]
    _, nodes, flags = STOCK[name]
    assert outcome["nodes"] == DEFAULTS | nodes
    assert outcome["legacy"] | flags == outcome["legacy"]
    assert outcome["resolved"] == outcome["nodes"]
    assert outcome["mixed"] == [f"torch.{flag}" for flag in mixed_order(outcome["legacy"])]
    assert outcome["unchanged_by_resolve"]
    assert outcome["warnings"] == []


def mixed_order(legacy: dict[str, Any]) -> list[str]:
    return [flag for flag in (MATMUL_FLAG, PRECISION, CUDNN_FLAG) if legacy[flag] == RAISES]


@pytest.mark.parametrize("name", STOCK)
def test_blocks_leave_every_node_and_flag_as_it_was(name: str) -> None:
    plain, after = outcomes()[name], outcomes()[f"{name}, then blocks"]
    assert {k: after[k] for k in ("nodes", "legacy", "follow")} == {
        k: plain[k] for k in ("nodes", "legacy", "follow")
    }


def test_sources_name_the_node_that_decides() -> None:
    assert outcomes()["defaults"]["sources"]["cuda.conv"] == "set here, or torch's default"
    assert outcomes()["defaults"]["sources"]["cuda.matmul"] == "not set"
    assert outcomes()["new matmul"]["sources"]["cuda.matmul"] == "set here"
    assert outcomes()["new cudnn"]["sources"]["cuda.all"] == "set here"
    assert outcomes()["new cudnn"]["sources"]["cuda.rnn"] == "cuda.all"
    assert outcomes()["new generic tf32"]["sources"]["cuda.rnn"] == "generic.all"
    told = "does not support" if FOLLOW else "set here, or torch's default"
    assert told in outcomes()["new generic bf16"]["sources"]["cuda.conv"]
    assert "reading torch.backends.cudnn.allow_tf32 raises" in outcomes()["new cudnn.conv"]["text"]


def test_setting_matmul_keeps_the_old_flags_readable() -> None:
    outcome = outcomes()["set matmul"]
    assert outcome["nodes"] == DEFAULTS | {"cuda.matmul": "tf32"}
    assert outcome["legacy"] == {MATMUL_FLAG: True, CUDNN_FLAG: True, PRECISION: "high"}
    assert outcome["warnings"] == []
    assert outcomes()["set generic"]["legacy"] == {MATMUL_FLAG: True, CUDNN_FLAG: True, PRECISION: "high"}


def test_what_the_old_interface_cannot_say_is_named_before_torch_raises() -> None:
    outcome = outcomes()["set conv"]
    assert outcome["legacy"][CUDNN_FLAG] == RAISES
    (message,) = outcome["warnings"]
    assert "cuda.conv is ieee" in message
    assert "torch.backends.cudnn.allow_tf32" in message
    assert outcome["warning_files"] == ["<string>"]


@pytest.mark.parametrize(
    "name", ["mixed inside", "exception", "nested", "one instance nested", "decorator", "changed inside"]
)
def test_contexts_nest_and_restore(name: str) -> None:
    outcome = outcomes()[name]
    assert "error" not in outcome
    assert outcome["nodes"] == DEFAULTS
    assert outcome["legacy"] == outcomes()["defaults"]["legacy"]


def test_an_old_flag_that_cannot_be_read_is_restored() -> None:
    assert outcomes()["contradicting"]["legacy"][CUDNN_FLAG] == RAISES
    outcome = outcomes()["contradicting, written in a block"]
    assert "error" not in outcome
    assert (outcome["nodes"], outcome["legacy"]) == (DEFAULTS, outcomes()["defaults"]["legacy"])


def test_a_conv_that_was_never_set_comes_back_as_tf32() -> None:
    outcome = outcomes()["conv and back"]
    assert outcome["nodes"] == DEFAULTS
    assert outcome["legacy"] == outcomes()["defaults"]["legacy"]


@pytest.mark.parametrize("name", ["cuda lacks bf16", "cuda lacks bf16 in a block", "frozen"])
def test_a_refused_value_raises_as_stock_and_changes_nothing(name: str) -> None:
    outcome = outcomes()[name]
    assert outcome["error"][0] == RAISES
    assert outcome["nodes"] == DEFAULTS
    assert outcome["legacy"] == outcomes()["defaults"]["legacy"]


def test_a_block_works_where_flags_are_frozen() -> None:
    assert "error" not in outcomes()["frozen block"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("fp16",), "value"),
        ((None,), "value"),
        (("tf32", "cpu"), "backend"),
        (("tf32", "cuda", "gemm"), "op"),
        (("tf32", "generic", "matmul"), "op"),
    ],
)
def test_bad_arguments_raise_what_torch_raises_and_are_named(arguments: tuple[Any, ...], named: str) -> None:
    for use in (fp32_precision, fp32_precision.set):
        with pytest.raises(RuntimeError, match=f"fp32_precision: {named} must be"):
            use(*arguments)
    if named != "value":
        with pytest.raises(RuntimeError, match=f"fp32_precision: {named} must be"):
            fp32_precision.get(*arguments[1:])


@pytest.fixture
def _old_torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The old flags are still there, so a torch that has nothing else can be played."""
    before = _precision_table.snapshot()
    monkeypatch.setattr(_precision_table, "available", False)
    yield
    _precision_table.restore(before)


def _generator() -> Iterator[None]:
    yield


async def _coroutine() -> None: ...


@pytest.mark.parametrize("other", [_generator, _coroutine, int], ids=lambda other: other.__name__)
def test_what_runs_after_the_call_is_not_decorated(other: Any) -> None:
    with pytest.raises(TypeError, match=rf"{other.__name__} is a class, a generator or a coroutine"):
        fp32_precision("ieee")(other)


@pytest.mark.usefixtures("_old_torch")
def test_without_the_new_interface_the_old_flags_are_used() -> None:
    with fp32_precision("tf32", "cuda", "matmul"):
        assert torch.backends.cuda.matmul.allow_tf32
        assert fp32_precision.get("cuda", "matmul") == "tf32"
        assert fp32_precision.get("cuda", "conv") == "tf32"
        assert fp32_precision.get() == "tf32"
    assert not torch.backends.cuda.matmul.allow_tf32
    with fp32_precision("ieee", "cuda"):
        assert _precision_legacy.snapshot() == ("highest", False)
    assert _precision_legacy.snapshot() == ("highest", True)
    with fp32_precision("tf32"):
        assert torch.get_float32_matmul_precision() == "high"
        assert fp32_precision.get("mkldnn", "matmul") == "tf32"
    assert torch.get_float32_matmul_precision() == "highest"
    assert {row.source for row in fp32_precision.resolve().rows} == {"old flags"}


@pytest.mark.usefixtures("_old_torch")
@pytest.mark.parametrize(
    ("value", "backend", "op"),
    [
        ("bf16", "generic", "all"),
        ("tf32", "cuda", "conv"),
        ("tf32", "mkldnn", "matmul"),
        ("tf32", "mkldnn", "rnn"),
    ],
)
def test_without_the_new_interface_what_cannot_be_said_is_refused(value: str, backend: str, op: str) -> None:
    before = _precision_legacy.snapshot()
    with pytest.raises(RuntimeError, match=rf"only the old flags: {backend}\.{op}"):
        fp32_precision.set(value, backend, op)
    with pytest.raises(RuntimeError, match=rf"only the old flags: {backend}\.{op}"):
        fp32_precision(value, backend, op).__enter__()
    assert _precision_legacy.snapshot() == before
