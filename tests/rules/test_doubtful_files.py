"""Fixes that are safe elsewhere, in files where they might change something."""

from __future__ import annotations

import pytest
from rule_cases import fix, forward, lint

from overhead_lint.rule import Applicability

BLOCK = "with torch.autocast('cuda'):\n    return x"


@pytest.mark.parametrize(
    "header",
    [
        "import torch",
        "import torch.nn.functional as F\nimport torch",
        "from torch import nn\ntry:\n    import torch\nexcept ImportError:\n    torch = None",
        "from overhead_lint import runtime\nif True:\n    import torch",
        "import torch\ntorch.backends.cudnn.benchmark = True\ntorch.nn.Module.again = None",
    ],
)
def test_runtime_is_brought_safely_where_torch_is_imported_anyway(header: str) -> None:
    (finding,) = lint("OVH101", forward(BLOCK, header=header))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.SAFE


@pytest.mark.parametrize(
    "header",
    [
        "try:\n    import torch\nexcept ImportError:\n    torch = None",
        "import os\nif os.environ.get('TRAIN'):\n    import torch",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch",
        "import torchvision\nwith guard():\n    import torch",
    ],
)
def test_a_file_that_does_without_torch_gets_no_import_that_needs_it_by_a_safe_fix(header: str) -> None:
    text = forward(BLOCK, header=header).replace("nn.Module", "Base")
    findings = lint("OVH101", text)
    assert all(
        finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE for finding in findings
    )
    assert fix("OVH101", text, unsafe=False) == text


def test_torch_that_functions_import_stays_there() -> None:
    text = """
    import os


    def train(batches):
        import torch

        for batch in batches:
            with torch.autocast("cuda"):
                batch.sum().backward()
    """
    (finding,) = lint("OVH101", text)
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    "replaced",
    [
        "torch.autocast = lambda *args, **kwargs: contextlib.nullcontext()",
        "torch.Tensor.cuda = lambda self, *args, **kwargs: self",
        "setattr(torch, 'no_grad', contextlib.nullcontext)",
        "del torch.cuda.nvtx.range",
    ],
)
def test_nothing_is_safe_where_the_file_replaces_functions_of_torch(replaced: str) -> None:
    header = f"import contextlib, torch\nfrom torch import nn\n{replaced}"
    for code, body in (("OVH101", BLOCK), ("OVH701", "return x + torch.zeros(2).cuda()")):
        (finding,) = lint(code, forward(body, header=header))
        assert finding.fix is not None
        assert finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    "shown",
    [
        "from unittest import mock\nmock.patch('torch.autocast').start()",
        "from unittest import mock\nmock.patch.object(torch, 'autocast').start()",
        "def test(monkeypatch): monkeypatch.setattr('torch.autocast', print)",
        "class Own(torch.Tensor):\n    def to(self, *args): return self",
        "class Own(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, *args): print(args)",
        "globals()['torch'] = None",
        "globals().update(torch=None)",
        "import sys\nsys.modules[__name__].torch = None",
        "import sys\nsetattr(sys.modules[__name__], 'torch', None)",
    ],
)
def test_nothing_is_safe_where_the_file_shows_that_names_and_methods_may_be_others(shown: str) -> None:
    header = f"import torch\nfrom torch import nn\n{shown}"
    (finding,) = lint("OVH101", forward(BLOCK, header=header))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    "shown",
    [
        "from unittest import mock\nmock.patch('own.autocast').start()",
        "class Own(torch.Tensor):\n    def total(self): return self.sum()",
        "size = globals()['torch']",
        "vars(nn)['own'] = None",
    ],
)
def test_fixes_are_safe_beside_what_looks_like_it(shown: str) -> None:
    header = f"import torch\nfrom torch import nn\n{shown}"
    (finding,) = lint("OVH101", forward(BLOCK, header=header))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.SAFE


@pytest.mark.parametrize(
    ("code", "imports"),
    [
        ("OVH101", "if x:\n    from torch import autocast\nelse:\n    from own import nothing as autocast"),
        ("OVH101", "try:\n    from torch import autocast\nexcept ImportError:\n    from own import autocast"),
        ("OVH101", "from torch import autocast\nfrom own import autocast"),
        (
            "OVH102",
            "if x:\n    from torch.cpu.amp import autocast\nelse:\n    from torch.cuda.amp import autocast",
        ),
    ],
)
def test_nothing_is_safe_of_what_the_file_imports_from_two_places(code: str, imports: str) -> None:
    body = "with autocast('cuda'):\n    return x"
    (finding,) = lint(code, forward(body, header=f"import torch\nfrom torch import nn\n{imports}"))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    "imports",
    [
        "from torch import autocast\nfrom torch import autocast",
        "from torch import autocast\ndef other():\n    from own import autocast",
        "import torch.cuda\nif True:\n    import torch.amp\nfrom torch import autocast",
    ],
)
def test_other_imports_of_a_name_leave_a_fix_safe(imports: str) -> None:
    body = "with autocast('cuda', enabled=torch.is_grad_enabled()):\n    return x"
    (finding,) = lint("OVH101", forward(body, header=f"import torch\nfrom torch import nn\n{imports}"))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.SAFE


def test_no_constant_is_safe_whose_parts_come_from_two_places() -> None:
    imports = "from packaging.version import Version\nfrom own import Version"
    body = "return x if Version(torch.__version__) > Version('2') else -x"
    (finding,) = lint("OVH604", forward(body, header=f"import torch\nfrom torch import nn\n{imports}"))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE
