"""Rules on answers that stay: what is asked once, where the answer is kept, and what must not move."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from unittest.mock import patch

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability, Heat

HEADER = "import os\nimport torch\nfrom torch import nn"
DIST = "import torch\nfrom torch import nn\nimport torch.distributed as dist"


def hoisted(code: str, line: str, header: str = HEADER) -> str:
    """What the fix puts below the imports, and the line that is left, for a line of forward."""
    text = forward(f"{line}\nreturn x", header=header)
    fixed = fix(code, text).splitlines()
    added = [item for item in fixed if item and item not in text.splitlines()]
    return " | ".join(item.strip() for item in added)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ('y = os.getenv("A")', '_A = os.getenv("A") | y = _A'),
        (
            'y = float(int(os.environ.get("a-b", 3)))',
            '_A_B = float(int(os.environ.get("a-b", 3))) | y = _A_B',
        ),
        ('y = "A" not in os.environ', '_A = "A" not in os.environ | y = _A'),
        (
            'y = os.environ.get("A", "0") == "1"',
            'from overhead_lint import runtime | y = runtime.env_flag("A")',
        ),
        (
            'y = os.getenv("A", "false") in ("1", "true")',
            'from overhead_lint import runtime | y = runtime.env_flag("A")',
        ),
        ('y = os.getenv("A", "1") == "1"', '_A = os.getenv("A", "1") | y = _A == "1"'),
        ('y = os.environ["A"]', ""),
        ("y = os.getenv(x)", ""),
        ('y = os.getenv("A", self.default)', ""),
        ('os.environ["A"] = "1"; y = os.getenv("A")', ""),
        ('if (y := os.getenv("A")): pass', '_A = os.getenv("A") | if (y := _A): pass'),
        ('_A = 1; y = os.getenv("A")', '_A_2 = os.getenv("A") | _A = 1; y = _A_2'),
    ],
)
def test_environment_is_read_once(line: str, after: str) -> None:
    assert hoisted("OVH603", line) == after
    found = lint("OVH603", forward(f"{line}\nreturn x", header=HEADER))
    assert all(item.fix is None or item.fix.applicability is Applicability.UNSAFE for item in found)


@pytest.mark.parametrize(
    "header", ["from os import environ as env", "import os as env_of\nenv = None", "from os import *"]
)
def test_environment_under_other_names(header: str) -> None:
    text = forward('y = env.get("A", "x")\nreturn x', header=f"{header}\nimport torch\nfrom torch import nn")
    assert bool(lines("OVH603", text)) is ("as env" in header and "env_of" not in header)


def test_same_question_shares_one_constant() -> None:
    text = forward('y = os.getenv("A")\nz = os.getenv("A")\nreturn os.getenv("B")', header=HEADER)
    fixed = fix("OVH603", text)
    assert fixed.count('= os.getenv("A")') == 1
    assert "y = _A\n        z = _A\n        return _B" in fixed
    assert fix("OVH603", fixed) == fixed


@pytest.mark.parametrize(
    ("line", "after", "applicability"),
    [
        (
            'y = torch.__version__ < "2.4"',
            '_TORCH_IS_BEFORE_2_4 = torch.__version__ < "2.4" | y = _TORCH_IS_BEFORE_2_4',
            Applicability.SAFE,
        ),
        (
            'y = version.parse(torch.__version__) >= version.parse("2.4")',
            '_TORCH_IS_AT_LEAST_2_4 = version.parse(torch.__version__) >= version.parse("2.4")'
            " | y = _TORCH_IS_AT_LEAST_2_4",
            Applicability.SAFE,
        ),
        (
            'y = version.parse(version.__version__) >= version.parse("2.4")',
            '_VERSION_AT_LEAST_2_4 = version.parse(version.__version__) >= version.parse("2.4")'
            " | y = _VERSION_AT_LEAST_2_4",
            Applicability.UNSAFE,
        ),
        (
            'y = "2.4" > torch.__version__',
            '_TORCH_IS_BEFORE_2_4 = "2.4" > torch.__version__ | y = _TORCH_IS_BEFORE_2_4',
            Applicability.SAFE,
        ),
        (
            'y = version.parse(torch.__version__.split("+")[0]) < version.parse("2.4")',
            '_TORCH_IS_BEFORE_2_4 = version.parse(torch.__version__.split("+")[0]) < version.parse("2.4")'
            " | y = _TORCH_IS_BEFORE_2_4",
            Applicability.UNSAFE,
        ),
        (
            'y = version.parse(torch.__version__) != version.parse("2.4")',
            '_TORCH_IS_NOT_2_4 = version.parse(torch.__version__) != version.parse("2.4")'
            " | y = _TORCH_IS_NOT_2_4",
            Applicability.SAFE,
        ),
        (
            'y = torch.__version__ == "2.4"',
            '_TORCH_IS_2_4 = torch.__version__ == "2.4" | y = _TORCH_IS_2_4',
            Applicability.SAFE,
        ),
        (
            'y = version.parse(x) >= version.Version("2.4")',
            "",
            Applicability.UNSAFE,
        ),
        (
            'y = is_torch_version("<", "2.4")',
            '_TORCH_IS_BEFORE_2_4 = is_torch_version("<", "2.4") | y = _TORCH_IS_BEFORE_2_4',
            Applicability.UNSAFE,
        ),
    ],
)
def test_version_is_compared_once(line: str, after: str, applicability: Applicability) -> None:
    header = (
        "from torch import nn\nimport torch\nfrom packaging import version\nfrom a import is_torch_version"
    )
    (finding,) = lint("OVH604", forward(f"{line}\nreturn x", header=header))
    assert finding.fix is None or finding.fix.applicability is applicability
    assert hoisted("OVH604", line, header) == after


@pytest.mark.parametrize(
    "line",
    [
        "y = torch.__version__",
        "y = self.version.parse(x)",
        'y = __version__ >= "2.4"',
        'y = "dev" in torch.__version__',
        'y = "dev" not in torch.__version__',
        'y = torch.__version__ is "2.4"',
        'y = torch.__version__ != "2.4"',
    ],
)
def test_version_that_is_not_parsed_in_each_step_is_silent(line: str) -> None:
    assert lines("OVH604", forward(f"{line}\nreturn x")) == []


def test_caches_are_made_below_the_imports_and_shared() -> None:
    text = forward("a = torch.cuda.is_bf16_supported()\nb = torch.cuda.is_bf16_supported()\nreturn x")
    fixed = fix("OVH602", text)
    head, _, body = fixed.partition("class Net")
    assert "import functools\n" in head
    made = "_is_bf16_supported = functools.cache(torch.cuda.is_bf16_supported)\n"
    assert head.count(made) == 1 and head.index("import functools") < head.index(made)
    assert "a = _is_bf16_supported()\n        b = _is_bf16_supported()" in body
    assert fix("OVH602", fixed) == fixed


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("y = dist.is_initialized()", True),
        ("y = dist.is_available()", False),
        ("y = dist.get_rank()", True),
        ("y = torch.distributed.get_world_size(group=self.group)", True),
        ("dist = self.dist\ny = dist.get_rank()", False),
        ("y = self.dist.get_rank()", False),
    ],
)
def test_process_group_is_told_of_and_asked_where_it_was(line: str, is_found: bool) -> None:
    header = DIST if "dist = " not in line else "import torch\nfrom torch import nn"
    text = forward(f"{line}\nreturn x", header=header)
    assert bool(lines("OVH610", text)) is is_found
    assert fix("OVH610", text) == text  # a cache would outlive the group


@pytest.mark.parametrize(
    ("line", "after", "applicability"),
    [
        ("y = torch.cuda.get_device_name(i)", "y = runtime.device_properties(i).name", Applicability.SAFE),
        (
            "y = torch.cuda.get_device_capability()[1]",
            "y = runtime.device_properties().minor",
            Applicability.SAFE,
        ),
        ("y = torch.cuda.get_device_capability(i) >= (8, 0)", None, None),
        ("y = torch.cuda.get_device_capability(i)[-1]", None, None),
        ("torch.cuda.get_device_capability(i)[0] = y", None, None),
        ("y = torch.cuda.get_device_properties(*i)", None, None),
        (
            "y = torch.cuda.device_count()",
            "_CUDA_DEVICE_COUNT = torch.cuda.device_count() | y = _CUDA_DEVICE_COUNT",
            Applicability.UNSAFE,
        ),
        ("y = torch.cuda.is_bf16_supported(False)", None, None),
        ("y = torch.npu.is_available()", None, None),
        ("y = torch.accelerator.is_available()", None, None),
        (
            "y = torch.xpu.device_count()",
            "_XPU_DEVICE_COUNT = torch.xpu.device_count() | y = _XPU_DEVICE_COUNT",
            Applicability.UNSAFE,
        ),
        (
            "y = torch.cuda.is_bf16_supported()",
            "import functools | _is_bf16_supported = functools.cache(torch.cuda.is_bf16_supported) | "
            "y = _is_bf16_supported()",
            Applicability.UNSAFE,
        ),
    ],
)
def test_device_is_asked_once(line: str, after: str | None, applicability: Applicability | None) -> None:
    (finding,) = lint("OVH602", forward(f"{line}\nreturn x"))
    assert (finding.fix and finding.fix.applicability) == applicability
    got = hoisted("OVH602", line, "import torch\nfrom torch import nn")
    assert got.removeprefix("from overhead_lint import runtime | ") == (after or "")


CHANGED = """
    import importlib.util
    import os
    import shutil
    import sys
    {above}
    import torch
    {below}

    def train(batches):
        found = []
        {set_up}
        for batch in batches:
            loss = torch.ones(2, requires_grad=True).sum()
            loss.backward()
            found.append({question})
        return found

    results = train([1, 2])
    """
VISIBLE = 'os.environ["CUDA_VISIBLE_DEVICES"] = "1"'
MISSING = 'importlib.util.find_spec("found_in_folder") is None'
COUNT = "torch.cuda.device_count()"


@pytest.mark.parametrize(
    ("code", "question", "above", "below", "set_up", "is_fixed"),
    [
        ("OVH602", COUNT, "", "", "", True),
        ("OVH602", COUNT, VISIBLE, "", "", True),
        ("OVH602", COUNT, "", 'os.environ["OTHER"] = "1"', "", True),
        ("OVH602", COUNT, "", VISIBLE, "", False),
        ("OVH602", COUNT, "", "", VISIBLE, False),
        ("OVH602", COUNT, "", f"_A = {COUNT}; {VISIBLE}", "", False),
        ("OVH602", COUNT, "", 'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")', "", False),
        ("OVH602", COUNT, "", 'os.environ.update(CUDA_VISIBLE_DEVICES="1")', "", False),
        ("OVH602", COUNT, "", 'os.environ.update({"CUDA_VISIBLE_DEVICES": "1"})', "", False),
        ("OVH602", COUNT, "", 'os.environ.update({"OTHER": "1"})', "", True),
        ("OVH602", COUNT, "", 'os.environ |= dict(CUDA_VISIBLE_DEVICES="1")', "", False),
        ("OVH602", COUNT, 'KEY = "CUDA_VISIBLE_DEVICES"', 'os.environ[KEY] = "1"', "", False),
        ("OVH603", 'os.getenv("A")', "", 'os.environ.setdefault("A", "1")', "", False),
        ("OVH603", 'os.getenv("A")', "", 'os.environ.update({"A": "1"})', "", False),
        ("OVH603", 'os.getenv("A", "0") == "1"', "", "", 'os.environ.update(A="1")', False),
        ("OVH603", 'os.getenv("A")', "", 'os.environ.update({"B": "1"})', "", True),
        ("OVH604", 'shutil.which("7z")', "", 'os.environ["PATH"] = folder', "", False),
        ("OVH604", 'shutil.which("7z")', "", 'os.environ["OTHER"] = folder', "", True),
        ("OVH604", MISSING, "", "sys.path.insert(0, folder)", "", False),
        ("OVH604", MISSING, "", "sys.path = [folder, *sys.path]", "", False),
        ("OVH604", MISSING, "sys.path.insert(0, folder)", "", "", True),
    ],
)
def test_answer_that_the_program_changes_is_asked_for_where_it_was(
    code: str,
    question: str,
    above: str,
    below: str,
    set_up: str,
    is_fixed: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch = pytest.importorskip("torch")
    text = textwrap.dedent(
        CHANGED.format(question=question, above=above, below=below, set_up=set_up or "pass")
    )
    assert len(lines(code, text)) == 1
    fixed = fix(code, text)
    assert (fixed != text) is is_fixed
    monkeypatch.setattr(torch.cuda, "device_count", _devices_named)
    (tmp_path / "found_in_folder.py").touch()
    assert _results(fixed, tmp_path) == _results(text, tmp_path)


def _devices_named() -> int:
    return len(os.environ.get("CUDA_VISIBLE_DEVICES", "0,1,2").split(","))


def _results(program: str, folder: Path) -> object:
    """What a program computes in an environment of its own."""
    names: dict[str, object] = {"folder": str(folder)}
    with patch.dict(os.environ), patch.object(sys, "path", list(sys.path)):
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        exec(program, names)  # the test's own text
    return names["results"]


def test_question_that_the_module_asks_in_a_loop_of_its_own_stays() -> None:
    text = """
    import os
    import torch
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
        size = os.getenv("A")
    """
    (finding,) = lint("OVH603", text)
    assert finding.fix is None


def test_expression_of_names_from_below_the_imports_stays() -> None:
    text = forward(
        'y = os.getenv("A")\nreturn x',
        header="import torch\nfrom torch import nn\ndef early(): pass\nimport os",
    )
    (finding,) = lint("OVH603", text)
    assert finding.fix is None


@pytest.mark.parametrize(
    ("code", "expression"),
    [
        ("OVH602", "torch.cuda.device_count()"),
        ("OVH602", "torch.cuda.get_device_name(0)"),
        ("OVH603", 'os.getenv("A")'),
        ("OVH603", 'os.getenv("A", "0") == "1"'),
        ("OVH604", 'torch.__version__ > "2"'),
        ("OVH607", "next(self.parameters()).dtype"),
        ("OVH610", "torch.distributed.get_rank()"),
    ],
)
def test_in_f_strings_there_is_a_message_only(code: str, expression: str) -> None:
    text = forward(f"return f'{{{expression}}}'", header=HEADER, init="self.proj = nn.Linear(1, 1)")
    (finding,) = lint(code, text)
    assert finding.fix is None


def test_constant_has_no_name_of_a_definition_that_the_file_does_not_use() -> None:
    question = "torch.cuda.is_bf16_supported()"
    text = forward("return x") + f"\n\ndef _is_bf16_supported():\n    return {question}\n"
    fixed = fix("OVH602", text, least=Heat.COLD)
    assert "\n_is_bf16_supported_2 = functools.cache(torch.cuda.is_bf16_supported)\n" in fixed
    assert "    return _is_bf16_supported_2()\n" in fixed


def test_constant_that_stands_below_is_not_used_again() -> None:
    text = forward('return torch.__version__ >= "2.4"') + '\n\n_NEW = torch.__version__ >= "2.4"\n'
    fixed = fix("OVH604", text)
    assert "_NEW\n" not in fixed and fixed.index("_TORCH_IS_AT_LEAST_2_4 =") < fixed.index("class Net")
