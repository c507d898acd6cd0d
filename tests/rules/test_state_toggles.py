"""global-state-toggle says what torch does: settings that go back and forth, and how often that compiles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from rule_cases import lint

TOGGLES = [
    "torch.set_num_threads(1 + flag)",
    "torch.set_default_dtype(torch.float64 if flag else torch.float32)",
    "torch.use_deterministic_algorithms(flag)",
    "torch.set_deterministic_debug_mode('warn' if flag else 'default')",
    "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = flag",
    "torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = flag",
]
HARMLESS = [
    "torch.backends.cudnn.benchmark = flag",
    "torch.backends.cudnn.deterministic = flag",
    "torch.backends.cuda.enable_flash_sdp(flag)",
    "torch.manual_seed(int(flag))",
]


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    matmul = torch.backends.cuda.matmul
    threads, dtype, state = torch.get_num_threads(), torch.get_default_dtype(), torch.get_rng_state()
    reductions = (
        matmul.allow_fp16_reduced_precision_reduction,
        matmul.allow_bf16_reduced_precision_reduction,
    )
    cudnn = torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic
    flash = torch.backends.cuda.flash_sdp_enabled()
    yield
    torch.set_num_threads(threads)
    torch.set_default_dtype(dtype)
    torch.use_deterministic_algorithms(False)
    torch.set_rng_state(state)
    matmul.allow_fp16_reduced_precision_reduction = reductions[0]
    matmul.allow_bf16_reduced_precision_reduction = reductions[1]
    torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic = cudnn
    torch.backends.cuda.enable_flash_sdp(flash)


def compilations(statement: str) -> int:
    torch._dynamo.reset()
    graphs = []

    def backend(graph: torch.fx.GraphModule, example_inputs: list[torch.Tensor]) -> torch.fx.GraphModule:
        graphs.append(graph)
        return graph

    def add(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    compiled = torch.compile(add, backend=backend)
    for number in range(12):
        exec(statement, {"torch": torch, "flag": bool(number % 2)})
        compiled(torch.ones(2, dtype=torch.float32))
    return len(graphs)


def found(statement: str) -> int:
    text = (
        "import torch\ndef train(model, optimizer, loader):\n    for x, flag in loader:\n"
        f"        {statement}\n        model(x).backward()\n        optimizer.step()\n"
    )
    return len(lint("OVH310", text))


@pytest.mark.parametrize("statement", TOGGLES)
def test_setting_that_compiles_again_is_reported(statement: str) -> None:
    assert compilations(statement) == 2
    assert found(statement) == 1


@pytest.mark.parametrize("statement", HARMLESS)
def test_setting_that_compiled_code_does_not_guard_is_not(statement: str) -> None:
    assert compilations(statement) == 1
    assert found(statement) == 0
