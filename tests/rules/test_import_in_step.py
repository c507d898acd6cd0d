"""Imports in the hot path: which move to the top of the file, where they go, and which are silent."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from rule_cases import fix, forward, lines, lint


@pytest.mark.parametrize(
    ("statement", "use", "moves"),
    [
        ("import math", "math.pi", True),
        ("from math import pi", "pi", True),
        ("from math import pi as circle, e", "circle * e", True),
        ("import torch.nn.functional as F", "F.relu(x)", True),
        ("import os.path", "os.path", True),
        ("import os.path\n(lambda os: os)(x)", "os.path", False),
        ("import math", "f'{math.pi}'", True),
        ("from .other import thing", "thing", False),
        ("from math import *", "pi", False),
        ("import resource", "resource.x", False),
        pytest.param(
            *("import distutils", "distutils.x", False),
            marks=pytest.mark.skipif("distutils" not in sys.stdlib_module_names, reason="Python lacks it"),
        ),
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
        ("for row in x: import math", "math.pi", False),
        ("with torch.no_grad(): import math", "math.pi", False),
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
    assert len(lint("OVH605", forward(f"if {asked}:\n    from . import other\nreturn x"))) == count


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


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("from . import other  # lazy: takes seconds", 0),
        ("# Optional, and large.\n# See the installation guide.\nfrom . import other", 0),
        ("from other import part  # scoped for import speed", 0),
        ("from . import other  # avoids a circular import", 1),
        ("# Optional.\n\nfrom . import other", 1),
        ("y = 'lazy'  # lazy\nfrom . import other", 1),
        ("from . import other  # used by the lazybones", 1),
    ],
)
def test_an_import_that_a_comment_says_is_put_off_on_purpose_is_silent(text: str, count: int) -> None:
    assert len(lint("OVH605", forward(f"{text}\nreturn x"))) == count


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("from .nets import Net\nself.net = Net(x)\nreturn self.net", 0),
        ("from .nets import Net\nself.net = self.kept = Net(x)\nreturn x", 0),
        ("from . import nets\nself.net = nets.Net(x)\nreturn x", 1),
        ("from .nets import Net\nnet = Net(x)\nreturn net", 1),
        ("from .nets import Net\nself.net = Net(x)\nreturn Net.scale(x)", 1),
        ("from .nets import Net\nx.net = Net(x)\nreturn x", 1),
        ("from .nets import Net\nself.net = Net\nreturn x", 1),
        ("from .nets import Net\nreturn x", 1),
    ],
)
def test_an_import_for_what_self_keeps_is_silent(body: str, count: int) -> None:
    assert len(lint("OVH605", forward(body))) == count


@pytest.mark.parametrize(
    ("header", "statement", "missing"),
    [
        ("", "try:\n    import triton\nexcept ImportError:\n    triton = None", True),
        (
            "",
            "try:\n    import triton.language as triton\nexcept (OSError, ImportError):\n    triton = 1",
            True,
        ),
        ("", "try:\n    import triton\nexcept:\n    triton = None", True),
        ("", "try:\n    import triton\nexcept ValueError:\n    triton = None", True),
        ("import triton", "try:\n    import triton\nexcept ValueError:\n    triton = None", False),
        ("import triton", "try:\n    import math\nexcept ImportError:\n    raise\nimport triton", False),
        (
            "def has():\n    try:\n        import triton\n    except ImportError:\n        return False",
            "from triton import ops as triton",
            True,
        ),
        (
            'import importlib.util\nHAS = importlib.util.find_spec("triton") is not None',
            "import triton",
            True,
        ),
        ("HAS = is_triton_available()", "import triton", True),
        ("HAS = is_package_available('triton.language')", "import triton", True),
        ("import triton.ops\nHAS = is_other_available()", "import triton", False),
        ("from . import triton", "import triton", True),
        ("try:\n    import triton\nexcept ImportError:\n    pass", "from . import triton", False),
        ("try:\n    import triton\nexcept ImportError:\n    pass\nimport triton", "import triton.ops", False),
        ("", "import triton", True),
        ("", "from torch.utils import triton", False),
    ],
)
def test_a_package_that_may_be_missing_is_not_told_to_be_imported_at_the_top(
    header: str, statement: str, missing: bool
) -> None:
    found = lint("OVH605", forward(f"{statement}\nreturn x * triton", header=header))
    if missing:
        assert found == []
    else:
        assert "at the top of the module" in found[-1].help


def test_a_package_that_is_behind_a_question_for_it_is_silent() -> None:
    asked = 'if find_spec("triton") is not None:\n    import triton\nreturn x * triton'
    assert lint("OVH605", forward(asked, header="from importlib.util import find_spec")) == []
