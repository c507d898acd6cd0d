"""Rules on answers that stay: what is asked once, where the answer is kept, and what must not move."""

from __future__ import annotations

import importlib
import subprocess
import sys

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
        'y = x.device.type == "mps" and torch.__version__ >= "2.4"',
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
    text = forward("a = dist.get_rank(self.group)\nb = dist.get_rank()\nreturn x", header=DIST)
    fixed = fix("OVH610", text)
    head, _, body = fixed.partition("class Net")
    assert "import functools\n" in head and "_get_rank = functools.cache(dist.get_rank)\n" in head
    assert head.index("import functools") < head.index("_get_rank")
    assert "a = _get_rank(self.group)\n        b = _get_rank()" in body
    assert fix("OVH610", fixed) == fixed


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("y = dist.is_initialized()", False),
        ("y = dist.is_available()", None),
        ("y = torch.distributed.get_world_size(group=self.group)", True),
        ("dist = self.dist\ny = dist.get_rank()", None),
        ("y = self.dist.get_rank()", None),
    ],
)
def test_process_group_questions(line: str, changed: bool | None) -> None:
    header = DIST if "dist = " not in line else "import torch\nfrom torch import nn"
    text = forward(f"{line}\nreturn x", header=header)
    assert bool(lines("OVH610", text)) is (changed is not None)
    assert (fix("OVH610", text) != text) is bool(changed)


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
    ("statement", "use", "moves"),
    [
        ("import math", "math.pi", True),
        ("from math import pi", "pi", True),
        ("from math import pi as circle, e", "circle * e", True),
        ("import torch.nn.functional as F", "F.relu(x)", True),
        ("import os.path", "os.path", True),
        ("import math", "f'{math.pi}'", True),
        ("import numpy as np", "np.pi", False),
        ("from .other import thing", "thing", False),
        ("from math import *", "pi", False),
        ("import resource", "resource.x", False),
        ("import distutils", "distutils.x", False),
        ("from torch._inductor import config", "config", False),
        ("from torch.utils.checkpoint import checkpoint", "checkpoint", True),
        ("from torch.utils import checkpoint", "checkpoint", True),
        ("from torch.utils.tensorboard import SummaryWriter", "SummaryWriter", False),
        ("from torch.utils import tensorboard", "tensorboard", False),
        ("from torch import onnx", "onnx", False),
        ("from torch import Tensor", "Tensor", True),
        ("from torch.distributed.tensor import DTensor", "DTensor", False),
        ("from math import pow", "pow", False),
        ("if x: import math", "math.pi", False),
        ("import math; math = 3", "math", False),
        ("import math\n(lambda a: [math for math in a])", "math", False),
        ("import json as Net", "Net", False),
    ],
)
def test_import_moves_to_the_top_where_nothing_speaks_against_it(
    statement: str, use: str, moves: bool
) -> None:
    text = forward(f"{statement}\nreturn x * {use}")
    (finding,) = lint("OVH605", text)
    assert bool(finding.fix) is moves
    if moves:
        fixed = fix("OVH605", text)
        assert f"\n{statement}\n" in f"\n{fixed.partition('class Net')[0]}"
        assert fixed.endswith(f"def forward(self, x: torch.Tensor):\n        return x * {use}\n")


@pytest.mark.parametrize(
    ("header", "statement", "moves"),
    [
        ("from own.parts import a", "from own.parts import a as b", True),
        ("from own.parts import a", "from own.parts import b", False),
        ("import own.parts", "import own.parts as parts", True),
        ("from own.parts import a", "import own.parts as parts", True),
        ("import own.parts", "from own.parts import b", False),
        ("from torch import nn", "import torch.nn.functional as F", True),
        ("import os", "import torch.nn.functional as F", True),
    ],
)
def test_name_moves_if_the_module_has_it_when_it_is_imported(
    header: str, statement: str, moves: bool
) -> None:
    header = header if "torch" in header else f"import torch\n{header}\nfrom torch import nn"
    (finding,) = lint("OVH605", forward(f"{statement}\nreturn x", header=header))
    assert bool(finding.fix) is moves


def test_torch_loads_what_imports_of_it_are_moved_for() -> None:
    rule = importlib.import_module("overhead_lint.rules.python.import_in_step")
    code = "import sys, torch; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {f"torch.{name}" for name in rule._LOADED_BY_TORCH} <= set(done.stdout.split())


@pytest.mark.parametrize(
    ("header", "statement", "after"),
    [
        ("import abc\nimport os\n\nimport torch", "import math", "import abc\nimport math\nimport os\n"),
        (
            "import os\nfrom abc import ABC",
            "from math import pi",
            "import os\nfrom abc import ABC\nfrom math",
        ),
        ("import os\n\nimport torch", "import abc", "import abc\nimport os\n"),
        (
            "import torch\nfrom torch import nn",
            "import torch.nn as n",
            "import torch\nimport torch.nn as n\n",
        ),
        (
            "from __future__ import annotations\nimport torch",
            "import abc",
            "annotations\nimport abc\n\nimport torch",
        ),
        ("import math\nimport torch", "import math", "import math\nimport torch\n"),
    ],
)
def test_moved_import_is_sorted_in(header: str, statement: str, after: str) -> None:
    bases = "torch.nn.Module" if "torch" in header else "nn.Module"
    name = statement.rpartition(" ")[2]
    body = f"    def forward(self, x):\n        {statement}\n        return {name}\n"
    fixed = fix("OVH605", f"{header}\n\nclass Net({bases}):\n{body}")
    assert after in fixed
    assert fixed.count(statement) == 1


def test_an_import_for_a_warning_alone_is_silent() -> None:
    shown = "warnings.warn('old name', stacklevel=2)\nreturn x"
    assert lint("OVH605", forward(f"import warnings\n{shown}")) == []
    assert len(lint("OVH605", forward(f"from warnings import warn\n{shown}"))) == 1


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("is_torch_npu_available()", 0),
        ("is_sagemaker_mp_enabled()", 0),
        ("torch.is_grad_enabled()", 1),
        ("self.enabled()", 1),
    ],
)
def test_an_import_of_what_may_be_missing_is_silent(asked: str, count: int) -> None:
    assert len(lint("OVH605", forward(f"if {asked}:\n    import other\nreturn x"))) == count


def test_imports_of_async_and_nested_functions() -> None:
    text = """\
    import torch
    from torch import nn
    class Net(nn.Module):
        def forward(self, x):
            def inner(y):
                import math
                return y * math.pi
            return inner(x)
    """
    assert lines("OVH605", text) == [6]
    assert "import math\n" in fix("OVH605", text).partition("class")[0]


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
    text = forward("return x", header=DIST) + "\n\ndef _get_rank():\n    return dist.get_rank()\n"
    fixed = fix("OVH610", text, least=Heat.COLD)
    assert "\n_get_rank_2 = functools.cache(dist.get_rank)\n" in fixed
    assert "    return _get_rank_2()\n" in fixed


@pytest.mark.parametrize(
    ("below", "moves"),
    [
        ("", True),
        ("import math", True),
        ("math = 3", False),
        ("del math", False),
        ("def math(): pass", False),
        ("from cmath import pi as math", False),
        ("def other():\n    global math\n    math = 3", False),
        ("def other():\n    math = 3", True),
    ],
)
def test_an_import_that_the_module_has_too_goes_only_where_nothing_else_binds_its_name(
    below: str, moves: bool
) -> None:
    header = "import math\nimport torch\nfrom torch import nn"
    text = forward("import math\nreturn math.pi", header=header)
    (finding,) = lint("OVH605", f"{text}\n{below}\n")
    assert bool(finding.fix) is moves


def test_constant_that_stands_below_is_not_used_again() -> None:
    text = forward('return torch.__version__ >= "2.4"') + '\n\n_NEW = torch.__version__ >= "2.4"\n'
    fixed = fix("OVH604", text)
    assert "_NEW\n" not in fixed and fixed.index("_TORCH_IS_AT_LEAST_2_4 =") < fixed.index("class Net")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("import other  # lazy: takes seconds", 0),
        ("# Optional, and large.\n# See the installation guide.\nimport other", 0),
        ("from other import part  # scoped for import speed", 0),
        ("import other  # avoids a circular import", 1),
        ("# Optional.\n\nimport other", 1),
        ("y = 'lazy'  # lazy\nimport other", 1),
        ("import other  # used by the lazybones", 1),
    ],
)
def test_an_import_that_a_comment_says_is_put_off_on_purpose_is_silent(text: str, count: int) -> None:
    assert len(lint("OVH605", forward(f"{text}\nreturn x"))) == count
