"""Rules about texts and copies of what tensors and configs are, and about cached tensors."""

from __future__ import annotations

import textwrap

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        ('str(x.device) == "cpu"', "x.is_cpu", SAFE),
        ('"cpu" != str(x.device)', "not x.is_cpu", SAFE),
        ('"cuda" in str(x.device)', "x.is_cuda", SAFE),
        ('"cuda:" not in repr(x.device)', "not x.is_cuda", SAFE),
        ('str(x.device).startswith("mps")', "x.is_mps", SAFE),
        ('str(x.dtype) == "torch.bfloat16"', "x.dtype == torch.bfloat16", SAFE),
        ("self.cache[str(x.shape)]", "self.cache[x.shape]", UNSAFE),
        ('self.cache[f"{x.shape}{x.device}"]', "self.cache[(x.shape, x.device)]", UNSAFE),
    ],
)
def test_traits_are_compared_without_text(before: str, after: str, applicability: Applicability) -> None:
    text = forward(f"y = {before}")
    (finding,) = lint("OVH203", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    fixed = fix("OVH203", text)
    assert f"y = {after}\n" in fixed and lines("OVH203", fixed) == []


@pytest.mark.parametrize(
    ("code", "expression"),
    [
        ("OVH408", "torch.tensor(0.5).to(device)"),
        ("OVH408", "torch.tensor([1.0, 1.0]).to(self.device)"),
        ("OVH701", "torch.zeros(4).to(device)"),
        ("OVH702", "x.to(device).to(dtype)"),
    ],
)
def test_no_fix_is_safe_for_the_name_of_a_device_alone(code: str, expression: str) -> None:
    text = forward(f"y = {expression}").replace("def forward(self, x", "def forward(self, device, dtype, x")
    (finding,) = lint(code, text)
    assert finding.fix is not None and finding.fix.applicability is UNSAFE


PLACED = """
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self, device{of_init}, dtype):
            super().__init__()
            self.device = {stored}
            self.dtype = {dtype}

        def forward(self, x, device{of_forward}):
            {first}
            return {question}


    GIVEN = {given}
    results = [Net(GIVEN, "torch.int8")(torch.ones(2), GIVEN)]
    """


@pytest.mark.parametrize("given", ['"cpu"', 'torch.device("cpu")'])
@pytest.mark.parametrize(
    ("question", "changed", "after"),
    [
        ('str(device).startswith("cpu")', {}, None),
        ('"cpu" in str(device)', {"of_forward": ": torch.device | str"}, None),
        ('str(self.device) == "cpu"', {}, None),
        ('str(self.device) == "cpu"', {"of_init": ": str"}, None),
        ('str(self.dtype) == "torch.int8"', {}, None),
        ('str(device) == "cpu"', {"of_forward": ": torch.device", "first": "device = str(device)"}, None),
        ('str(device) == "cpu"', {"first": "device = torch.device(device)"}, None),
        (
            'str(self.device) == "cpu"',
            {"stored": "torch.device(device)"},
            'return self.device.type == "cpu"',
        ),
        ('str(self.dtype) == "torch.int8"', {"dtype": "torch.int8"}, "return self.dtype == torch.int8"),
        (
            '"cpu" in str(device)',
            {"first": "place = torch.device(device_); device = place", "of_forward": "_"},
            'return device.type == "cpu"',
        ),
        (
            'str(device) == "cpu"',
            {"of_forward": ": torch.device", "first": "assert isinstance(device, (torch.device, str))"},
            'return device.type == "cpu"',
        ),
    ],
)
def test_what_may_be_a_text_is_asked_for_no_attribute_of_devices(
    question: str, changed: dict[str, str], after: str | None, given: str
) -> None:
    pytest.importorskip("torch")
    if changed.get("of_forward") == ": torch.device":
        given = 'torch.device("cpu")'
    parts = {"of_init": "", "of_forward": "", "stored": "device", "dtype": "dtype", "first": "pass"} | changed
    text = textwrap.dedent(PLACED.format(question=question, given=given, **parts))
    (finding,) = lint("OVH203", text)
    assert (finding.fix is not None and finding.fix.applicability is UNSAFE) is (after is not None)
    fixed = fix("OVH203", text)
    assert (fixed == text) if after is None else (f"        {after}\n" in fixed)
    assert _results(fixed) == _results(text)


def _results(program: str) -> object:
    names: dict[str, object] = {}
    exec(program, names)  # the test's own text
    return names["results"]


@pytest.mark.parametrize(
    "expression",
    [
        'str(x.device) == "cuda:0"',
        'str(x.device) in ("cpu", "meta")',
        '"float16" in str(x.dtype)',
        'f"{x.device}" == "meta"',
        'f"{x.device}".startswith("cuda")',
        'str(x.dtype) == "torch.half"',
        'str(x.dtype).startswith("torch.int")',
        'self.cache[f"{x.shape}-{self.name}"]',
        'self.cache.get(f"{x.shape!r}-{x.dtype}")',
        "self.cache.get(str(x.shape))",
    ],
)
def test_texts_without_a_plain_form_are_told_of_only(expression: str) -> None:
    (finding,) = lint("OVH203", forward(f"y = {expression}"))
    assert finding.fix is None


@pytest.mark.parametrize(
    "body",
    [
        'y = str(self.name) == "cuda"',
        'name = self.name\ny = str(name) == "cuda"',
        "y = str(x.device)",
        'y = f"{x.shape}"',
        "y = x.is_cuda",
        'y = torch.device == "cpu"',
        'y = str(torch.device) == "cpu"',
        'str = self.text\ny = str(x.device) == "cpu"',
        'y = self.cache[f"{self.layer}-{self.step}"]',
        'y = x.device.type == "cpu"',
    ],
)
def test_other_texts_are_silent(body: str) -> None:
    assert lines("OVH203", forward(body)) == []


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ("torch.arange(n)", "autograd refuses"),
        ("torch.arange(n, device=DEVICE)", "first one"),
        ("(torch.eye(n, device=DEVICE), n)", "first one"),
    ],
)
def test_cached_tensors_are_told_of_with_what_goes_wrong(returned: str, words: str) -> None:
    text = f"from functools import cache as keep\nimport torch\n@keep\ndef table(n):\n    return {returned}\n"
    (finding,) = lint("OVH205", text)
    assert finding.span.line == 3 and words in finding.message and finding.fix is None


def test_methods_are_told_that_the_cache_keeps_them_alive() -> None:
    text = """
        import functools, torch
        class Net:
            @functools.lru_cache(maxsize=8)
            def table(self, n, device):
                '''A table.'''
                x = torch.arange(n, device=device)
                return x * 2
        """
    (finding,) = lint("OVH205", text)
    assert "every self alive" in finding.message and "autograd refuses" in finding.message


@pytest.mark.parametrize(
    "text",
    [
        "@functools.cache\ndef f(n):\n    return [n, torch.float32]",
        "@functools.cache\ndef f(n):\n    return torch.cuda.device_count()",
        "@functools.cache\ndef f(n):\n    def g():\n        return torch.arange(n)\n    return g",
        "@functools.cache\ndef f(n, mode=torch.is_inference_mode_enabled()):\n    return n",
        "@functools.cache\ndef f(n):\n    with torch.inference_mode(False):\n        return torch.arange(n)",
        "@functools.wraps(f)\ndef f(n):\n    return torch.arange(n)",
        "class D(NonGeoDataset):\n    @functools.cache\n    def f(self, n):\n        return torch.arange(n)",
        "@functools.cache\ndef f(n):\n    with Image.open(n) as file:\n        return torch.tensor(file)",
        "def f(n, cache=functools.cache):\n    return torch.arange(n)",
        "functools = other\n@functools.cache\ndef f(n):\n    return torch.arange(n)",
    ],
)
def test_caches_of_other_things_are_silent(text: str) -> None:
    assert lines("OVH205", f"import functools\nimport torch\n{text}\n") == []


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("'''Numbers.'''\n    return torch.tensor([1.0, n])", True),
        ("return torch.tensor([1.0], dtype=torch.int8, device=d)", True),
        ("return torch.tensor([1.0], requires_grad=True)", False),
        ("x = 1\n    return torch.tensor([x])", False),
    ],
)
def test_cached_numbers_are_kept_by_const_tensor(body: str, fixed: bool) -> None:
    text = f"import functools\nimport torch\n@functools.cache\ndef f(n, d=None):\n    {body}\n"
    (finding,) = lint("OVH205", text)
    assert (finding.fix is not None) is fixed
    if fixed:
        after = fix("OVH205", text)
        assert "runtime.const_tensor(" in after and "cache" not in after.replace("import functools", "")
    for asked in ("f.cache_clear()", "f.__wrapped__(1)", "getattr(f, 'cache_info')()"):
        assert lint("OVH205", f"{text}{asked}\n")[0].fix is None


@pytest.mark.parametrize(
    "expression",
    [
        "dataclasses.asdict(self.config)",
        "tuple_of(self.config)",
        "dataclasses.replace(self.config, n=1)",
        "deepcopy(self.config)",
    ],
)
def test_copies_of_configs_are_found_where_hot(expression: str) -> None:
    header = "import torch, dataclasses\nfrom torch import nn\nfrom copy import deepcopy\n"
    header += "from dataclasses import astuple as tuple_of"
    assert lines("OVH204", forward(f"y = {expression}", header=header)) == [10]
    assert lines("OVH204", forward("y = x", header=header, init=f"self.y = [{expression}]")) == []


@pytest.mark.parametrize(
    "body",
    [
        "self.saved = copy.deepcopy(self.config)",
        "return copy.deepcopy(self.config)",
        "y = copy.deepcopy(x)",
        "y = copy.deepcopy((1, 2))",
        "y = copy.copy(self.config)",
        "y = self.text.replace('a', 'b')",
        "copy = self.copy\ny = copy.deepcopy(self.config)",
    ],
)
def test_snapshots_and_other_copies_are_silent(body: str) -> None:
    header = "import torch, copy\nfrom torch import nn"
    assert lines("OVH204", forward(body, header=header)) == []
