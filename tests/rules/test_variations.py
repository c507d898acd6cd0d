"""What the pages cannot show: other spellings of the same thing, and what looks alike but is not."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from overhead_lint import packs
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.fixer import fix_file
from overhead_lint.rule import Applicability, Finding
from overhead_lint.source import Source

ALL = packs.load()


def lint(code: str, text: str) -> list[Finding]:
    """The findings of one rule in a module."""
    source = Source.from_bytes(Path("model.py"), textwrap.dedent(text).encode())
    return Linter(packs.select(ALL, [code], []), Settings()).lint(source)


def fix(code: str, text: str, *, unsafe: bool = True) -> str:
    """The module after the fixes of one rule."""
    source = Source.from_bytes(Path("model.py"), textwrap.dedent(text).encode())
    rules = packs.select(ALL, [code], [])
    result = fix_file(source, Linter(rules, Settings()).lint, unsafe=unsafe)
    assert not result.failures
    return result.after_text


def lines(code: str, text: str) -> list[int]:
    """The lines of the findings of one rule in a module."""
    return [finding.span.line for finding in lint(code, text)]


def forward(body: str, *, header: str = "import torch\nfrom torch import nn", init: str = "pass") -> str:
    """A module whose forward has the body; its first line is the tenth."""
    head = header.splitlines()
    head += [""] * (4 - len(head))
    indent = " " * 8
    return "\n".join(
        [
            *head,
            "class Net(nn.Module):",
            "    def __init__(self):",
            "        super().__init__()",
            textwrap.indent(init, indent),
            "    def forward(self, x: torch.Tensor):",
            textwrap.indent(textwrap.dedent(body).strip("\n"), indent),
            "",
        ]
    )


AUTOCAST_SPELLINGS = [
    ("import torch\nfrom torch import nn", "torch.autocast"),
    ("import torch\nfrom torch import nn", "torch.amp.autocast"),
    ("import torch as t, torch\nfrom torch import nn", "t.autocast"),
    ("import torch\nfrom torch import nn, autocast", "autocast"),
    ("import torch\nfrom torch import nn, autocast as ac", "ac"),
    ("import torch\nfrom torch import nn, amp", "amp.autocast"),
    ("import torch\nfrom torch import nn\nfrom torch.amp import autocast as mixed", "mixed"),
    ("import torch\nfrom torch import nn\nimport torch.amp as mp", "mp.autocast"),
    ("import torch\nfrom torch import nn\nfrom torch.amp.autocast_mode import autocast", "autocast"),
]


@pytest.mark.parametrize(("header", "name"), AUTOCAST_SPELLINGS)
def test_autocast_is_seen_under_every_import(header: str, name: str) -> None:
    text = forward(f"with {name}('cuda'):\n    return x", header=header)
    assert lines("OVH101", text) == [10]


@pytest.mark.parametrize(
    "body",
    [
        "with torch.no_grad(), torch.autocast('cuda'):\n    return x",
        "with (torch.autocast('cuda') if self.training else torch.autocast('cpu')):\n    return x",
        "return [y for y in x if stack.enter_context(torch.autocast('cuda'))]",
        "if (amp := torch.autocast('cuda')):\n    return x",
    ],
)
def test_autocast_is_seen_wherever_it_is_built(body: str) -> None:
    assert lint("OVH101", forward(body)) != []


@pytest.mark.parametrize(
    ("body", "applicability"),
    [
        ("with torch.autocast('cuda'):\n    return x", Applicability.SAFE),
        ("with torch.autocast('cuda') as amp:\n    return amp", Applicability.UNSAFE),
        ("return torch.autocast('cuda')", Applicability.UNSAFE),
        ("amp = torch.autocast('cuda')\nwith amp:\n    return x", Applicability.SAFE),
        ("amp = torch.autocast('cuda')\nwith amp:\n    return amp", Applicability.UNSAFE),
        ("amp = torch.autocast('cuda')\nself.amp = amp\nwith amp:\n    return x", Applicability.UNSAFE),
        ("stack.enter_context(torch.autocast('cuda'))", Applicability.SAFE),
        ("use(torch.autocast('cuda'))", Applicability.UNSAFE),
    ],
)
def test_autocast_fix_is_safe_only_where_the_object_is_just_entered(
    body: str, applicability: Applicability
) -> None:
    (finding,) = lint("OVH101", forward(body))
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


@pytest.mark.parametrize(
    "body",
    [
        "torch = other\nwith torch.autocast('cuda'):\n    return x",
        "def inner(torch):\n    with torch.autocast('cuda'):\n        return x",
        "with self.torch.autocast('cuda'):\n    return x",
        "with self.autocast('cuda'):\n    return x",
        "with torch.cuda.device(0):\n    return x  # autocast",
    ],
)
def test_autocast_of_something_else_is_silent(body: str) -> None:
    assert lint("OVH101", forward(body)) == []


def test_transformer_engine_autocast_is_seen_in_a_loop_only_and_never_fixed() -> None:
    text = forward(
        """
        with te.fp8_autocast(enabled=True):
            x = self.first(x)
        for layer in self.layers:
            with te.fp8_autocast(enabled=True):
                x = layer(x)
        return x
        """,
        header="import torch\nfrom torch import nn\nimport transformer_engine.pytorch as te",
    )
    (finding,) = lint("OVH101", text)
    assert finding.span.line == 13
    assert finding.fix is None


@pytest.mark.parametrize(
    ("mode", "nested"),
    [("torch.no_grad()", True), ("torch.inference_mode()", True), ("torch.enable_grad()", True)],
)
def test_kept_grad_mode_is_found_through_a_chain_of_calls(mode: str, nested: bool) -> None:
    text = f"""
        import torch
        MODE = {mode}
        def outer(x):
            with MODE:
                return middle(x)
        def middle(x):
            return inner(x)
        def inner(x):
            with MODE:
                return x
        """
    assert bool(lint("OVH103", text)) is nested


def test_kept_grad_mode_with_arguments_is_found_and_not_fixed() -> None:
    text = """
        import torch
        MODE = torch.inference_mode(mode=True)
        def recurse(x):
            with MODE:
                return recurse(x)
        """
    (finding,) = lint("OVH103", text)
    assert finding.fix is None


@pytest.mark.parametrize(
    "text",
    [
        # bound twice: which one is entered is not known
        "import torch\nMODE = torch.no_grad()\nMODE = other()\n"
        "def f(x):\n    with MODE:\n        return f(x)\n",
        # a local name of the same spelling
        "import torch\nMODE = torch.no_grad()\n"
        "def f(x):\n    MODE = make()\n    with MODE:\n        return f(x)\n",
        # another object's attribute
        "import torch\nclass A:\n    def __init__(self):\n        self.m = torch.no_grad()\n"
        "    def f(self, other):\n        with other.m:\n            return self.f(other)\n",
        # one after the other
        "import torch\nMODE = torch.no_grad()\ndef f(x):\n    with MODE:\n        y = x\n    with MODE:\n"
        "        return y\n",
    ],
)
def test_kept_mode_that_is_not_entered_while_active_is_silent(text: str) -> None:
    assert lint("OVH103", text) == []


MODULE_LISTS = "self.layers = nn.ModuleList([nn.Linear(2, 2)])\nself.norms = nn.ModuleList([nn.Linear(2, 2)])"


def test_index_that_is_used_after_the_loop_is_kept() -> None:
    fixed = fix(
        "OVH302",
        forward(
            "for i in range(len(self.layers)):\n    x = self.layers[i](x)\nreturn x * i",
            init=MODULE_LISTS,
        ),
    )
    assert "for i, layer in enumerate(self.layers):\n            x = layer(x)" in fixed


def test_name_given_in_the_loop_becomes_its_target() -> None:
    fixed = fix(
        "OVH302",
        forward(
            "for i in range(len(self.layers)):\n    block = self.layers[i]\n    x = block(x)\nreturn x",
            init=MODULE_LISTS,
        ),
        unsafe=False,
    )
    assert "for block in self.layers:\n            x = block(x)" in fixed


def test_local_name_avoids_the_names_in_scope() -> None:
    fixed = fix(
        "OVH302",
        forward(
            "layer = x\nfor i in range(len(self.layers)):\n    x = self.layers[i](layer)\nreturn x",
            init=MODULE_LISTS,
        ),
    )
    assert "for layer_ in self.layers:\n            x = layer_(layer)" in fixed


def test_two_lists_are_zipped_as_an_unsafe_fix() -> None:
    text = forward(
        "for i in range(len(self.layers)):\n    x = self.norms[i](self.layers[i](x)) + i\nreturn x",
        init=MODULE_LISTS,
    )
    (finding,) = lint("OVH302", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert "for i, (norm, layer) in enumerate(zip(self.norms, self.layers)):" in fix("OVH302", text)


@pytest.mark.parametrize(
    ("loop", "fixable"),
    [
        ("for i in range(len(self.layers)):", True),
        ("for i in range(0, len(self.layers)):", True),
        ("for i in range(1, len(self.layers)):", False),
        ("for i in range(0, len(self.layers), 2):", False),
        ("for i in range(self.depth):", False),
        ("for i in range(len(self.norms)):", False),
    ],
)
def test_only_a_range_over_the_whole_list_is_fixed(loop: str, fixable: bool) -> None:
    text = forward(f"{loop}\n    x = self.layers[i](x)\nreturn x", init=MODULE_LISTS)
    (finding,) = lint("OVH302", text)
    assert (finding.fix is not None) is fixable


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(len(self.layers)):\n    x = self.layers[i + 1](self.layers[i](x))",
        "for i in range(len(self.layers)):\n    x = self.layers[-i](x)",
        "for i in range(len(self.layers)):\n    self.layers.append(self.layers[i])",
        "for i in range(len(self.layers)):\n    self.layers = self.layers[i](x)",
        "for i in range(len(self.layers)):\n    del self.layers[i]",
        "for i in range(len(self.layers)):\n    for i in x:\n        self.layers[i](x)",
        "for i in range(len(self.layers)):\n    x = (lambda i: self.layers[i])(0)(x)",
        "for i, _ in enumerate(x):\n    x = self.layers[int(i)](x)",
        "x = [self.layers[0](x) for i in range(len(self.layers))]",
    ],
)
def test_list_that_changes_or_is_read_with_an_offset_is_silent(body: str) -> None:
    assert lint("OVH302", forward(body, init=MODULE_LISTS)) == []


@pytest.mark.parametrize(
    ("init", "header", "found"),
    [
        ("self.layers: nn.ModuleList = make()", "import torch\nfrom torch import nn", False),
        ("self.layers = torch.nn.ModuleList()", "import torch\nfrom torch import nn", True),
        (
            "self.layers = ML([])",
            "import torch\nfrom torch import nn\nfrom torch.nn import ModuleList as ML",
            True,
        ),
        ("self.layers = [nn.Linear(2, 2)]", "import torch\nfrom torch import nn", False),
        ("self.layers = nn.ParameterList([])", "import torch\nfrom torch import nn\n# ModuleList", False),
        (
            "self.layers = nn.ModuleList([])\nself.layers = list(self.layers)",
            "import torch\nfrom torch import nn",
            False,
        ),
    ],
)
def test_only_what_is_surely_a_module_list_is_reported(init: str, header: str, found: bool) -> None:
    text = forward("for i in range(len(self.layers)):\n    x = self.layers[i](x)", init=init, header=header)
    assert bool(lint("OVH302", text)) is found


COMPILED = """
import torch
from torch import nn
class Scale(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor
    def forward(self, x):
        return x * self.factor
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList({made})
    def forward(self, x):
        for layer in {iterated}:
            x = layer(x)
        return x
model = {call}
"""


@pytest.mark.parametrize(
    ("made", "iterated", "call", "found", "fixable"),
    [
        ("[Scale(1.0)]", "self.layers", "torch.compile(Net())", True, True),
        ("Scale(1.0) for _ in range(3)", "self.layers", "torch.compile(Net().to('cpu').eval())", True, True),
        ("[Scale(1.0)]", "reversed(self.layers)", "torch.compile(model=Net())", True, False),
        ("[Scale(1.0)]", "self.layers", "torch.compile(Net(), mode='default', dynamic=False)", True, True),
        ("[Scale(1.0)]", "self.layers", "torch.compile(Net(), shapes_spec=None)", True, False),
        ("[Scale(1.0)]", "self.layers", "torch.compile(Net(), **options)", True, False),
        ("[nn.Linear(2, 2)]", "self.layers", "torch.compile(Net())", False, False),
        ("[Scale(1.0), nn.Linear(2, 2)]", "self.layers", "torch.compile(Net())", False, False),
        ("[Scale(1.0)]", "self.layers", "torch.jit.script(Net())", False, False),
        ("[Scale(1.0)]", "self.layers", "torch.compile(backend='eager')(Net())", False, False),
        ("[Scale(1.0)]", "[]", "torch.compile(Net())", False, False),
    ],
)
def test_compiled_module_is_reported_only_when_its_layers_read_scalars(
    made: str, iterated: str, call: str, found: bool, fixable: bool
) -> None:
    result = lint("OVH307", COMPILED.format(made=made, iterated=iterated, call=call))
    assert bool(result) is found
    assert all((finding.fix is not None) is fixable for finding in result)


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


def streams(body: str, init: str = "self.event = torch.cuda.Event()") -> str:
    """A forward that is given a stream; its body begins at line 10."""
    return forward(body, init=init).replace("x: torch.Tensor", "x, stream: torch.cuda.Stream, other=None")


@pytest.mark.parametrize(
    ("body", "applicability"),
    [
        ("torch.cuda.current_stream().wait_stream(stream)", Applicability.SAFE),
        ("stream.wait_stream(torch.cuda.default_stream())", Applicability.SAFE),
        ("now = torch.cuda.current_stream()\nnow.wait_stream(stream)", Applicability.SAFE),
        ("torch.cuda.current_stream().wait_stream(other)", Applicability.UNSAFE),
        ("s = other or torch.cuda.current_stream()\nstream.wait_stream(s)", Applicability.UNSAFE),
        ("torch.cuda.current_stream().wait_stream(torch.cuda.current_stream())", Applicability.SAFE),
    ],
)
def test_wait_between_streams_that_may_be_one_is_fixed(body: str, applicability: Applicability) -> None:
    (finding,) = lint("OVH401", streams(body))
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("self.event.record(stream)\ntorch.cuda.current_stream().wait_event(self.event)", [11]),
        ("self.event.record(torch.cuda.current_stream())\nself.event.wait(other)", [11]),
        ("self.event.record(stream)\nself.event.wait(other)", []),
        ("self.event.record()\nstream.wait_event(self.event)", [11]),
        ("self.event.record(stream)\nself.event.wait()", [11]),
        ("self.event.record()\nself.event.wait()", [11]),
        ("self.timer.record()\nself.timer.wait()", []),
        ("self.event.record(stream)\nself.event.synchronize()", []),
        ("self.event.record(stream)\nif stream != other:\n    other.wait_event(self.event)", []),
        ("self.event.record(stream)\nself.second.wait(other)", []),
        ("with torch.cuda.stream(stream):\n    self.event.record()\nself.event.wait()", []),
    ],
)
def test_recorded_event_is_seen_where_the_waiting_stream_may_be_the_same(body: str, found: list[int]) -> None:
    result = lint("OVH401", streams(body))
    assert [finding.span.line for finding in result] == found
    assert all(finding.fix is None for finding in result)


def test_two_streams_that_callers_give_are_not_reported() -> None:
    assert lint("OVH401", streams("other.wait_stream(stream)")) == []


def test_attribute_that_is_the_current_stream_in_one_branch_is_reported() -> None:
    text = streams(
        "self.copy.wait_stream(torch.cuda.current_stream())",
        init="self.copy = torch.cuda.current_stream()\nif make():\n    self.copy = torch.cuda.Stream()",
    )
    (finding,) = lint("OVH401", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE


def test_names_bound_in_a_circle_do_not_hang() -> None:
    circle = "if x:\n    s = t\nelse:\n    s = u\nif x:\n    t = s\nelse:\n    t = u\n"
    assert lint("OVH401", streams(circle + "s.wait_stream(torch.cuda.current_stream())")) == []


def test_stream_that_waits_for_itself_in_its_own_block_gets_a_message() -> None:
    text = streams("with torch.cuda.stream(stream):\n    stream.wait_stream(torch.cuda.current_stream())")
    (finding,) = lint("OVH401", text)
    assert "waits for itself" in finding.message
    assert finding.fix is None


def test_own_stream_that_is_entered_and_waits_for_the_current_one_is_reported() -> None:
    text = streams(
        "with torch.cuda.stream(self.side):\n    self.side.wait_stream(torch.cuda.current_stream())",
        init="self.side = torch.cuda.Stream()",
    )
    assert lines("OVH401", text) == [11]


RECIPE = """
from __future__ import annotations
import functools, typing
from dataclasses import dataclass
import torch
from torch import nn
from other import Config, Base
@dataclass
class Recipe{bases}:
    margin: int = 0
    {field}
@functools.lru_cache
def plan(key, n=1): ...
def uncached(key): ...
class Net(nn.Module):
    def forward(self, x, recipe: {annotation}, cache, text):
        {body}
"""


def keyed(
    body: str, *, annotation: str = "Recipe", bases: str = "", field: str = "width: tuple = ()"
) -> list[Finding]:
    """OVH201 in a forward that is given a recipe."""
    return lint("OVH201", RECIPE.format(body=body, annotation=annotation, bases=bases, field=field))


@pytest.mark.parametrize(
    "body",
    [
        "return cache[str(recipe)]",
        "return cache[repr(recipe), 1]",
        "return cache[f'{recipe}']",
        "return cache[f'{recipe!r}-{x.shape}']",
        "return cache['a' + str(recipe)]",
        "return cache.get(str(recipe), None)",
        "return cache.setdefault(str(recipe), x)",
        "return str(recipe) in cache",
        "return str(recipe) not in self.cache",
        "return str(recipe) == text",
        "return text != repr(recipe)",
        "return hash(str(recipe))",
        "return plan(str(recipe))",
        "return plan(1, n=repr(recipe))",
        "key = str(recipe); return cache[key]",
        "key = (str(recipe), 1); return cache.get(key)",
        "cache[str(recipe)] = x",
        "del cache[str(recipe)]",
    ],
)
def test_text_of_a_recipe_is_reported_where_it_is_a_key(body: str) -> None:
    (finding,) = keyed(body)
    assert finding.fix is not None


@pytest.mark.parametrize(
    "body",
    [
        "return str(recipe)",
        "raise ValueError(f'{recipe}')",
        "print(str(recipe))",
        "return uncached(str(recipe))",
        "return 'margin' in str(recipe)",
        "return str(recipe) == 'none'",
        "return cache[recipe]",
        "return cache[str(recipe.margin)]",
        "return cache[str(text)]",
        "return cache[f'{recipe:>10}']",
        "key = str(recipe); return key",
        "str = repr; return cache[str(recipe)]",
        "return x if x is None else cache.update(str(recipe))",
    ],
)
def test_text_that_is_no_key_is_silent(body: str) -> None:
    assert keyed(body) == []


@pytest.mark.parametrize("annotation", ["Recipe", "'Recipe'", "Recipe | None", "typing.Optional[Recipe]"])
def test_annotated_class_is_known_in_every_spelling(annotation: str) -> None:
    assert len(keyed("return cache[str(recipe)]", annotation=annotation)) == 1


def test_config_of_another_file_is_known_by_its_name_and_not_fixed() -> None:
    text = RECIPE.format(body="return cache[str(self.config)]", annotation="Config", bases="", field="")
    (finding,) = lint("OVH201", text)
    assert finding.fix is None
    assert lint("OVH202", text) == []


@pytest.mark.parametrize(
    ("bases", "field", "expected"),
    [
        ("", "", "class Recipe(runtime.CachedRepr):"),
        ("(object)", "", "class Recipe(runtime.CachedRepr, object):"),
        ("(typing.Generic[T])", "", "class Recipe(runtime.CachedRepr, typing.Generic[T]):"),
        ("(Base)", "", "@runtime.cached_repr\n@dataclass\nclass Recipe(Base):"),
        ("(metaclass=Meta)", "", None),
        ("", "blocks: list = None", None),
        ("", "scale: torch.Tensor = None", None),
        ("", "names: dict[str, int] = None", None),
    ],
)
def test_class_is_mended_where_a_text_can_be_kept(bases: str, field: str, expected: str | None) -> None:
    text = RECIPE.format(body="return cache[str(recipe)]", annotation="Recipe", bases=bases, field=field)
    for code in ("OVH201", "OVH202"):
        (finding,) = lint(code, text)
        assert (finding.fix is None) is (expected is None)
        assert finding.help
        if expected is not None:
            assert expected in fix(code, text)


def test_class_whose_text_is_a_key_in_cold_code_only_is_silent() -> None:
    text = RECIPE.format(body="return x", annotation="Recipe", bases="", field="")
    text += "def setup(recipe: Recipe, cache):\n    return cache[str(recipe)]\n"
    assert lint("OVH201", text) == lint("OVH202", text) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return x.sum().item()", 1),
        ("return float(x.sum().item())", 1),
        ("return x.detach().cpu().numpy().tolist()", 1),
        ("return x.to('cpu').sum().item()", 1),
        ("return x.to('cpu', non_blocking=True)", 0),
        ("return x.to(device='cpu')", 1),
        ("return x.to('cuda')", 0),
        ("return int(x.shape[0]) + int(x.size(1)) + float(x.dim()) + int(x.numel())", 0),
        ("return [v.item() for v in x]", 1),
        ("if (y := x.sum()) > 0:\n    return y", 1),
        ("if x.any() or x.all():\n    return x", 1),
        ("if not x.any():\n    return x", 1),
        ("if x is not None and x.shape[0] > 1:\n    return x", 0),
        ("while x.sum() > 0:\n    x = x - 1", 1),
        ("assert (x > 0).all()", 1),
        ("return 1 if x.any() else 2", 1),
        ("print(x)\nprint('x', x.shape)", 1),
        ("return f'{x.mean():.2f}'", 1),
        ("return {'a': 1}.items()", 0),
        ("float = other\nreturn float(x)", 0),
        ("return str(x.device), x.is_cuda", 0),
        ("raise ValueError(f'bad {x}')", 0),
        ("if x.device.type == 'mps':\n    x = x.cpu()\nreturn x", 0),
        ("if x.device.type in ('mps', 'npu'):\n    return x.sum().item()", 0),
        ("if x.device.type == 'cuda':\n    return x.sum().item()", 1),
        ("if x.device.type != 'mps':\n    return x.sum().item()", 1),
        ("torch.cuda.synchronize()\nreturn x.sum().item()", 0),
    ],
)
def test_reads_of_a_tensor_of_the_step_are_reported_once_each(body: str, found: int) -> None:
    assert len(lint("OVH404", forward(body))) == found


def test_reads_behind_a_log_gate_and_after_the_loop_are_silent() -> None:
    text = """
        import torch
        def train(model, loader, optimizer, every):
            for step, x in enumerate(loader):
                loss = torch.relu(model(x)).mean()
                loss.backward()
                optimizer.step()
                if step % every == 0:
                    print(loss.item())
            return loss.item()
        """
    assert lint("OVH404", text) == []


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


KEY_FUNCTION = """
import torch
from torch import nn
from recipes import Recipe
class State:
    @classmethod
    def key_of(cls, recipe: Recipe, group):
        return f"{str(recipe)}:{id(group)}"
    @classmethod
    def enter(cls, recipe: Recipe, group):
        key = cls.key_of(recipe, group)
        cls.known[key] = recipe
class Layer(nn.Module):
    def forward(self, x):
        State.enter(self.recipe, None)
        State.key_of(self.recipe, None)
        return x
"""


def test_text_that_a_function_returns_is_a_key_where_its_result_is() -> None:
    assert lines("OVH201", KEY_FUNCTION) == [8]
    assert lines("OVH201", KEY_FUNCTION.replace("cls.known[key] = recipe", "print(key)")) == []


@pytest.mark.parametrize(
    ("cls", "found"),
    [
        ("@dataclass\nclass Recipe:\n    n: int = 0", True),
        ("@dataclass(repr=False)\nclass Recipe:\n    n: int = 0", False),
        ("@dataclass(frozen=True)\nclass Recipe:\n    n: int = 0", True),
        ("class Recipe:\n    def __repr__(self):\n        return f'R({self.n})'", True),
        ("class Recipe:\n    def __repr__(self):\n        return 'R({})'.format(self.n)", True),
        ("class Recipe:\n    def __repr__(self):\n        return self._text", False),
        (
            "class Recipe:\n    def __repr__(self):\n        if self._text is None:\n"
            "            self._text = f'R({self.n})'\n        return self._text",
            False,
        ),
        ("class Recipe:\n    n = 0", False),
        ("class Recipe(enum.Enum):\n    A = 0", False),
    ],
)
def test_only_classes_that_format_their_fields_each_time_are_reported(cls: str, found: bool) -> None:
    text = (
        f"import enum\nfrom dataclasses import dataclass\nfrom torch import nn\n{cls}\n"
        "class Net(nn.Module):\n"
        "    def forward(self, x, recipe: Recipe, cache):\n        return cache[str(recipe)]\n"
    )
    assert bool(lint("OVH202", text)) is found
    assert bool(lint("OVH201", text)) is found
