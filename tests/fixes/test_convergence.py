"""Files with very many findings that all want something at one place settle in one run."""

from __future__ import annotations

from pathlib import Path

from rule_cases import fix, forward

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.syntax.source import Source

ENVIRONMENT = "import os\n\nfrom torch import nn"


def test_many_constants_settle_in_one_run() -> None:
    reads = "".join(
        f'x = x * int(os.getenv("SCALE_{i}", "3")) + int(os.getenv("SHIFT_{i % 3}", "1"))\n'
        for i in range(60)
    )
    after = fix("OVH603", forward(reads + "return x", header=ENVIRONMENT))
    assert after.count('= int(os.getenv("SCALE_') == 60
    assert after.count('= int(os.getenv("SHIFT_') == 3
    assert "\n\n_SCALE_0 = " in after
    assert "_SHIFT_2 = " in after.split("\n\n")[2]  # all of them in one block
    assert fix("OVH603", after) == after


def test_constants_of_one_name_wait_for_each_other() -> None:
    body = 'x = x * int(os.getenv("SCALE", "3"))\nreturn x * float(os.getenv("SCALE", "3"))'
    after = fix("OVH603", forward(body, header=ENVIRONMENT))
    assert '_SCALE = float(os.getenv("SCALE", "3"))\n_SCALE_2 = int(os.getenv("SCALE", "3"))\n' in after
    assert "x = x * _SCALE_2\n        return x * _SCALE\n" in after


def test_many_buffers_settle_in_one_run() -> None:
    made = "".join(f"a{i} = torch.arange({i + 2}, device=x.device)\n" for i in range(40))
    after = fix("OVH703", forward(made + "return x + a1", init="super().__init__()"))
    assert after.count("self.register_buffer(") == 40
    assert fix("OVH703", after) == after


def test_fixes_of_one_expression_come_one_after_the_other() -> None:
    body = """
        return self.embedding(
            torch.zeros(x.shape[0]).to(x.dtype).to(
                x.device))
    """
    source = Source.from_bytes(Path("model.py"), forward(body).encode())
    rules = packs.select(packs.load(), ["OVH701", "OVH702"], [])
    result = fix_file(source, Linter(rules, Settings()).lint, unsafe=True)
    assert not result.failures
    assert "torch.zeros(x.shape[0], dtype=x.dtype, device=x.device)" in result.after_text
