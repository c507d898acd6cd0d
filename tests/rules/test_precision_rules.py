"""Precision rule: how each flag is mapped, and where it is left alone."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
import warm_python
from rule_cases import RUNNING, fix, lint

SINCE: tuple[int, int] = importlib.import_module("overhead_lint.rules._releases").READS_PRECISION_UNTIL


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (
            "import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\n",
            'torch.backends.cuda.matmul.fp32_precision = "tf32"',
        ),
        (
            "from torch.backends import cuda\ncuda.matmul.allow_tf32 = False\n",
            'cuda.matmul.fp32_precision = "ieee"',
        ),
        (
            "import torch.backends.cudnn as cudnn\ncudnn.allow_tf32 = False\n",
            'cudnn.rnn.fp32_precision = "none"',
        ),
        (
            "from torch import set_float32_matmul_precision as s\n"
            "from torch.backends import mkldnn\nmkldnn.conv.fp32_precision = 'ieee'\ns('high')\n",
            'torch.backends.mkldnn.matmul.fp32_precision = "tf32"',
        ),
    ],
)
def test_flag_is_mapped_under_every_import(text: str, fixed: str) -> None:
    after = fix("OVH501", text)
    assert fixed in after
    assert lint("OVH501", after) == []
    assert fix("OVH501", text, unsafe=False) == text


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch.backends.cuda.matmul.allow_tf32 = flag\n",
        "import torch\ntorch.backends.cuda.matmul.allow_tf32 = 1\n",
        "import torch\ntorch.backends.cudnn.allow_tf32 = 0.0\n",
        "import torch\ntorch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True\n",
        "import torch\ntorch.backends.fp32_precision = 'ieee'\n"
        "precision = torch.set_float32_matmul_precision('high')\n",
        "import torch\nprint(torch.backends.cuda.matmul.allow_tf32)\n",
        "import torch\ntorch.backends.cudnn.allow_tf32 |= True\n",
    ],
)
def test_flag_without_a_certain_value_gets_a_message_and_no_fix(text: str) -> None:
    found = lint("OVH501", text)
    assert found and all(finding.fix is None for finding in found)


def test_flag_that_the_file_reads_is_not_rewritten() -> None:
    text = (
        "import torch\nold = torch.backends.cuda.matmul.allow_tf32\n"
        "torch.backends.cuda.matmul.allow_tf32 = True\ntorch.backends.cudnn.allow_tf32 = True\n"
    )
    assert [finding.fix is not None for finding in lint("OVH501", text)] == [False, False, True]


@pytest.mark.parametrize(
    ("call", "is_fixed"),
    [
        ("torch.set_float32_matmul_precision('high')", True),
        ("torch.set_float32_matmul_precision(wanted)", False),
        ("torch.set_float32_matmul_precision(precision='high')", False),
        ("set_float32_matmul_precision(wanted)", False),
        ("other.set_float32_matmul_precision(wanted)", True),
    ],
)
def test_matmul_flag_stays_beside_a_setter_that_has_to(call: str, *, is_fixed: bool) -> None:
    text = (
        "import torch\nfrom torch import set_float32_matmul_precision\n"
        f"torch.backends.cuda.matmul.allow_tf32 = True\n{call}\n"
    )
    (finding,) = lint("OVH501", text)
    assert (finding.fix is not None) is is_fixed
    assert lint("OVH501", fix("OVH501", text)) == ([] if is_fixed else [finding])


@pytest.mark.parametrize(
    "read", ["with torch.backends.cudnn.flags(enabled=False): pass", "torch.backends.cudnn.set_flags(True)"]
)
def test_flag_that_cudnn_reads_for_the_file_to_put_it_back_is_not_rewritten(read: str) -> None:
    for value in (True, False):
        text = f"import torch\ntorch.backends.cudnn.allow_tf32 = {value}\n{read}\n"
        (finding,) = lint("OVH501", text)
        assert finding.fix is None


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch.set_float32_matmul_precision('high')\n",
        "import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\nstep = torch.compile(step)\n",
        "import torch\ntorch._dynamo.config.x = 1\nprint(torch.get_float32_matmul_precision())\n",
        "import torch\nif plugin.dynamo_backend:\n    torch.backends.cuda.matmul.allow_tf32 = True\n",
    ],
)
def test_old_flags_are_left_alone_where_they_do_no_harm_or_the_new_ones_would(text: str) -> None:
    assert lint("OVH501", text) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("torch.backends.cuda.matmul.allow_tf32 = True", True),
        ("print(torch.get_float32_matmul_precision())", True),
        ("torch.backends.cudnn.allow_tf32 = False", False),
    ],
)
def test_flags_that_the_compiler_no_longer_reads_are_reported_beside_it(line: str, *, found: bool) -> None:
    text = f"import torch\n{line}\nstep = torch.compile(step)\n"
    assert bool(lint("OVH501", text, target_torch=SINCE)) is found
    assert lint("OVH501", text, target_torch=(SINCE[0], SINCE[1] - 1)) == lint("OVH501", text) == []


# A product of which the autotuner compares two forms, on the CPU.
AUTOTUNED = """
import torch
import torch._inductor.config as config

config.freezing = config.max_autotune = True
config.max_autotune_gemm_backends = "CPP,ATEN"
torch.backends.cuda.matmul.fp32_precision = "tf32"
layer = torch.nn.Linear(64, 64).eval()
with torch.no_grad():
    try:
        torch.compile(layer)(torch.ones(64, 64))
    except Exception as error:
        print(error)
    else:
        print("compiled")
"""


def test_autotuner_reads_the_old_flag_as_long_as_the_rule_leaves_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    done = warm_python.python("-c", AUTOTUNED, modules=warm_python.DYNAMO)
    assert done.returncode == 0, done.stderr
    assert ("checking the matmul precision" in done.stdout) == (RUNNING < SINCE)
    assert ("compiled" in done.stdout.splitlines()) == (RUNNING >= SINCE)


LOOP = """
import torch


def train(model, loader):
    for epoch in range(3):
        for x in loader:
            torch.backends.cuda.matmul.fp32_precision = "tf32"
            model(x).sum().backward()
"""


@pytest.mark.parametrize(
    ("name", "is_guarded"),
    [
        ("cuda.matmul", True),
        ("mkldnn.matmul", True),
        ("cudnn.conv", False),
        ("mkldnn.conv", False),
        ("mkldnn.rnn", False),
        ("cudnn", False),
    ],
)
def test_compiled_code_guards_what_products_of_matrices_use(name: str, is_guarded: bool) -> None:
    (finding,) = lint("OVH503", LOOP.replace("cuda.matmul", name))
    assert ("compiled code guards it" in finding.message) is is_guarded


def test_a_setting_that_is_only_read_is_silent() -> None:
    assert lint("OVH503", LOOP.replace('fp32_precision = "tf32"', "fp32_precision")) == []


def test_the_only_setting_of_a_loop_goes_before_the_outermost_loop() -> None:
    after = fix("OVH503", LOOP)
    assert after == LOOP.replace(
        '            torch.backends.cuda.matmul.fp32_precision = "tf32"\n', ""
    ).replace("    for epoch", '    torch.backends.cuda.matmul.fp32_precision = "tf32"\n    for epoch')
    assert fix("OVH503", LOOP, unsafe=False) == LOOP


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"tf32"', "kind"),
        ("            torch.b", "            if x:\n                torch.b"),
        (
            "            model",
            '            torch.backends.cudnn.conv.fp32_precision = "ieee"\n            model',
        ),
        ("            model", '            torch.set_float32_matmul_precision("high")\n            model'),
        ("fp32_precision =", "fp32_precision = x.fp32_precision ="),
        ("        for x in loader:\n", "        if epoch:\n          for x in loader:\n"),
        ("        for x in loader:\n", "        import torch\n        for x in loader:\n"),
        ("            torch.b", "            if x is None:\n                continue\n            torch.b"),
        ("        for x in loader:\n", "        if epoch:\n            break\n        for x in loader:\n"),
        ("            torch.b", "            if x is None:\n                return\n            torch.b"),
    ],
)
def test_a_setting_stays_where_another_may_follow_or_it_would_not_be_made(old: str, new: str) -> None:
    text = LOOP.replace(old, new)
    assert text != LOOP and lint("OVH503", text) and fix("OVH503", text) == text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("            model", "            if x is None:\n                continue\n            model"),
        ("            torch.b", "            for y in x:\n                break\n            torch.b"),
    ],
)
def test_a_round_that_ends_later_or_another_loop_keeps_no_setting(old: str, new: str) -> None:
    text = LOOP.replace(old, new)
    assert text != LOOP and fix("OVH503", text) != text


MATMUL = "torch.backends.cuda.matmul.fp32_precision = 'tf32'\n"


@pytest.mark.parametrize(
    ("lines_of_setting", "left"),
    [
        (
            "torch.backends.cuda.matmul.allow_tf32 = True\ntorch.set_float32_matmul_precision('high')\n",
            {"cuda.matmul": ["tf32"], "mkldnn.matmul": ["tf32"]},
        ),
        (
            "torch.set_float32_matmul_precision('medium')\ntorch.backends.cuda.matmul.allow_tf32 = True\n",
            {"cuda.matmul": ["tf32"], "mkldnn.matmul": ["bf16"]},
        ),
        (
            f"{MATMUL}torch.backends.cuda.matmul.allow_tf32 = True\n",
            {"cuda.matmul": ["tf32"]},
        ),
        (
            f"{MATMUL}torch.backends.cuda.matmul.allow_tf32 = False\n",
            {"cuda.matmul": ["tf32", "ieee"]},
        ),
        (
            f"{MATMUL}set_up()\ntorch.backends.cuda.matmul.allow_tf32 = True\n",
            {"cuda.matmul": ["tf32", "tf32"]},
        ),
    ],
)
def test_setting_that_two_lines_make_is_written_once(
    lines_of_setting: str, left: dict[str, list[str]]
) -> None:
    text = (
        "import torch\ndef set_up():\n    pass\n"
        f"torch.backends.mkldnn.conv.fp32_precision = 'ieee'\nset_up()\n{lines_of_setting}"
    )
    fixed = fix("OVH501", text)
    written: dict[str, list[str]] = {}
    for line in fixed.splitlines():
        name, _, value = line.partition(".fp32_precision = ")
        if value and "conv" not in name:
            written.setdefault(name.removeprefix("torch.backends."), []).append(value.strip("\"'"))
    assert written == left
    assert "allow_tf32" not in fixed and "set_float32_matmul_precision" not in fixed
