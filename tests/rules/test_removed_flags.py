"""removed-dynamo-flag agrees with the torch that is installed, and sees every spelling."""

from __future__ import annotations

import importlib
import re
import warnings
from functools import cache
from pathlib import Path

import pytest
import torch
import torch._dynamo.config
import torch._inductor.config
from rule_cases import fix, lines, lint

from overhead_lint.rule import Applicability, Heat

RULE_MODULE = importlib.import_module("overhead_lint.rules.guards.removed_dynamo_flag")
IDLE: list[str] = sorted(RULE_MODULE._IDLE)
GONE: list[str] = sorted(RULE_MODULE._GONE)
CONFIGS = {
    "torch._dynamo.config": (torch._dynamo.config, "_dynamo/config.py"),
    "torch._inductor.config": (torch._inductor.config, "_inductor/config.py"),
}


@cache
def sources() -> dict[str, str]:
    root = Path(torch.__file__).parent
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for part in ("_dynamo", "_inductor", "_functorch", "fx", "nn")
        for path in (root / part).rglob("*.py")
    }


@pytest.mark.parametrize("name", IDLE)
def test_idle_setting_is_accepted_and_read_nowhere(name: str) -> None:
    owner, _, last = name.rpartition(".")
    config, own = CONFIGS[owner]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        assert hasattr(config, last)
    reading = re.compile(rf"(?<!aot_)config\.{last}\b(?! = )")
    assert [path for path, text in sources().items() if path != own and reading.search(text)] == []


@pytest.mark.parametrize("name", GONE)
def test_setting_that_is_gone_raises(name: str) -> None:
    owner, _, last = name.rpartition(".")
    with pytest.raises(AttributeError):
        setattr(CONFIGS[owner][0], last, True)


@pytest.mark.parametrize(
    "text",
    [
        "import torch._dynamo\ntorch._dynamo.config.dynamic_shapes = flag\n",
        "from torch import _dynamo as d\nd.config.print_graph_breaks = True\n",
        "from torch._dynamo import config\nconfig.dead_code_elimination = False\n",
        "import torch._inductor.config as c\nc.use_mixed_mm = True\n",
        "import torch._dynamo.config as c\nc.patch(dynamic_shapes=False)\n",
        "import torch._dynamo.config as c\nc.patch('dynamic_shapes', False)\n",
        "import torch._dynamo.config as c\nc.patch({'dynamic_shapes': False})\n",
    ],
)
def test_every_spelling_is_seen(text: str) -> None:
    assert lines("OVH309", text) == [2]


@pytest.mark.parametrize(
    ("value", "fixable"),
    [("True", True), ("torch", True), ("limit", False), ("read()", False), ("flags['a']", False)],
)
def test_setting_is_deleted_where_its_value_does_nothing(value: str, fixable: bool) -> None:
    text = f"import torch._dynamo\ntorch._dynamo.config.dynamic_shapes = {value}\n"
    assert [finding.fix is not None for finding in lint("OVH309", text)] == [fixable]
    assert ("dynamic_shapes" in fix("OVH309", text)) is not fixable
    assert fix("OVH309", text, unsafe=False) == text


@pytest.mark.parametrize(
    "read",
    [
        "if torch._dynamo.config.dynamic_shapes:\n    pass",
        "old = torch._dynamo.config.dynamic_shapes",
        "old = getattr(torch._dynamo.config, 'dynamic_shapes', True)",
    ],
)
def test_setting_that_the_file_reads_is_deleted_by_an_unsafe_fix_only(read: str) -> None:
    text = "import torch._dynamo\ntorch._dynamo.config.dynamic_shapes = True\n"
    for module, applicability in ((text, Applicability.SAFE), (f"{text}{read}\n", Applicability.UNSAFE)):
        (finding,) = lint("OVH309", module, target_torch=(2, 13))
        assert finding.fix is not None
        assert finding.fix.applicability is applicability


def test_functions_of_a_config_are_no_settings() -> None:
    for line, found in (("torch._dynamo.config._made(a=1)", []), ("x += torch._dynamo.config.verbose", [4])):
        text = f"import torch\n\ndef forward(x):\n    {line}\n    return torch.relu(x)\n"
        assert [one.span.line for one in lint("OVH308", text, Heat.PRESUMED)] == found
