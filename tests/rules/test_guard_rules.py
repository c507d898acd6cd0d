"""Guard rules: which loops and compiled modules are reported, and what their fixes keep."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

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


def test_local_name_of_a_list_that_is_no_plural_is_module() -> None:
    text = forward(
        "for i in range(len(self.stack)):\n    x = self.stack[i](x)\nreturn x",
        init="self.stack = nn.ModuleList([nn.Linear(2, 2)])",
    )
    assert "for module in self.stack:\n            x = module(x)" in fix("OVH302", text)


def test_local_names_of_many_lists_are_told_apart_by_numbers() -> None:
    names = ("down", "middle", "up", "out")
    text = forward(
        "".join(
            f"{'    ' * depth}for i{depth} in range(len(self.{name})):\n" for depth, name in enumerate(names)
        )
        + "".join(f"                x = self.{name}[i{depth}](x)\n" for depth, name in enumerate(names))
        + "return x",
        init="".join(f"self.{name} = nn.ModuleList([nn.Linear(2, 2)])\n" for name in names),
    )
    fixed = fix("OVH302", text)
    loops = [line.split()[1] for line in fixed.splitlines() if line.lstrip().startswith("for ")]
    assert loops == ["module", "module_", "module_2", "module_3"]


def test_local_name_is_none_that_the_function_reads_elsewhere() -> None:
    init = "self.filters = nn.ModuleList([nn.Linear(2, 2)])\nself.helpers = nn.ModuleList([nn.Linear(2, 2)])"
    loops = "".join(
        f"for i in range(len(self.{name})):\n    x = self.{name}[i](x)\n" for name in ("filters", "helpers")
    )
    text = forward(
        f"{loops}return list(filter(None, helper(x)))",
        init=init,
        header="import torch\nfrom torch import nn\nfrom own import *",
    )
    fixed = fix("OVH302", text, unsafe=False)
    assert "for filter_ in self.filters:" in fixed
    assert "for helper_ in self.helpers:" in fixed


@pytest.mark.parametrize("header", ["from own import enumerate", "def zip(): pass"])
def test_loop_is_not_rewritten_where_builtins_are_other_functions(header: str) -> None:
    body = "for i in range(len(self.layers)):\n    x = self.layers[i](x) + i\nreturn x"
    text = forward(body, init=MODULE_LISTS, header=f"import torch\nfrom torch import nn\n{header}")
    (finding,) = lint("OVH302", text)
    assert finding.fix is None


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


def test_list_is_told_of_where_another_is_read_by_what_is_worked_out_of_the_index() -> None:
    body = "for i in range(len(self.layers)):\n    x = self.norms[2 * i](self.layers[i](x))"
    fixed = fix("OVH302", forward(body, init=MODULE_LISTS))
    assert "for i, layer in enumerate(self.layers):" in fixed
    assert "x = self.norms[2 * i](layer(x))" in fixed


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("i = 0\nwhile i < len(self.layers):\n    x = self.layers[i](x)\n    i += 1", True),
        ("i = 0\nwhile i < len(self.layers):\n    x = self.layers[i](x)\n    i += 2", False),
        ("i = 0\nwhile i < 3:\n    x = self.layers[i](x)\n    i += 1", False),
        ("i = 0\nwhile i < len(self.layers):\n    i += 1\n    x = self.layers[i](x)\n    i += 1", False),
    ],
)
def test_index_that_is_counted_up_is_told_of_and_left(body: str, found: bool) -> None:
    findings = lint("OVH302", forward(body, init=MODULE_LISTS))
    assert [finding.fix for finding in findings] == [None] * found


@pytest.mark.parametrize(
    ("init", "fixable"),
    [
        ("self.n = n\nself.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])", True),
        ("self.n = n\nself.layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(self.n))", True),
        ("self.n = n\nself.layers = nn.Sequential(*[nn.Linear(2, 2) for _ in range(n)])", True),
        ("self.n = n\nself.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(n + 1)])", False),
        ("self.n = n\nself.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(1, n)])", False),
        ("self.n = n\nn += 1\nself.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])", False),
        ("self.n = n\nself.n = 2\nself.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])", False),
        ("self.n = n\nself.layers = nn.ModuleList([nn.Linear(2, 2) for i in range(n) if i])", False),
    ],
)
def test_range_up_to_a_number_is_fixed_where_the_list_is_made_of_as_many(init: str, fixable: bool) -> None:
    body = "for i in range(self.n):\n    x = self.layers[i](x)"
    (finding,) = lint("OVH302", forward(body, init=init, header="import torch\nfrom torch import nn\nn = 3"))
    assert (finding.fix is not None) is fixable
    if finding.fix is not None:
        assert finding.fix.applicability is Applicability.UNSAFE


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
        ("[Scale(1.0)]", "reversed(self.layers)", "torch.compile(model=Net())", True, True),
        ("[Scale(1.0)]", "self.layers", "torch.compile(Net(), mode='default', dynamic=False)", True, True),
        ("[Scale(1.0)]", "self.layers", "torch.compile(Net(), shapes_spec=None)", True, False),
        ("[Scale(1.0)]", "self.layers", "torch.compile(Net(), **options)", True, False),
        (
            "[Scale(1.0)]",
            "[self.layers[i] for i in range(len(self.layers))]",
            "torch.compile(Net())",
            True,
            True,
        ),
        ("[nn.Linear(2, 2)]", "self.layers", "torch.compile(Net())", False, False),
        ("[Scale(1.0), nn.Linear(2, 2)]", "self.layers", "torch.compile(Net())", False, False),
        ("[Scale(1.0)]", "self.layers", "torch.jit.script(Net())", False, False),
        ("[Scale(1.0)]", "self.layers", "torch.compile(backend='eager')(Net())", True, True),
        ("[Scale(1.0)]", "[]", "torch.compile(Net())", False, False),
        ("[Scale(1.0)]", "super()", "torch.compile(Net())", False, False),
    ],
)
def test_compiled_module_is_reported_only_when_its_layers_read_scalars(
    made: str, iterated: str, call: str, found: bool, fixable: bool
) -> None:
    result = lint("OVH307", COMPILED.format(made=made, iterated=iterated, call=call))
    assert bool(result) is found
    assert all((finding.fix is not None) is fixable for finding in result)


def test_fix_is_unsafe_where_a_method_may_replace_the_element() -> None:
    body = "for i in range(len(self.layers)):\n    {}\n    x = self.layers[i](x)\nreturn x"
    found = [
        lint("OVH302", forward(body.format(call), init=MODULE_LISTS))
        for call in ("self.swap(i)", "load(self, i)", "load(at=i, model=self)", "log(i)", "log(self)")
    ]
    fixes = [finding.fix for (finding,) in found]
    expected = [Applicability.UNSAFE] * 3 + [Applicability.SAFE] * 2
    assert [fix.applicability for fix in fixes if fix] == expected


LAYERS = "self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))"


@pytest.mark.parametrize(
    "body",
    [
        "made = []\nfor i in range(len(self.layers)):\n    made.append(lambda y: self.layers[i](y))",
        "return (self.layers[i](x) for i in range(len(self.layers)))",
        "m = self\nfor i in range(len(self.layers)):\n    x = self.layers[i](x)\n    del m.layers[-1]",
        "a = self.layers\nfor i in range(len(self.layers)):\n    x = self.layers[i](x)\n    a[i] = x",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    shrink(self.layers)",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    setattr(self, 'layers', [])",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    print(eval('i'))",
        "for i in range(len(self.layers)):\n    self.layers._modules[str(i)] = wrap()\n"
        "    x = self.layers[i](x)",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    self.grow()\n"
        "def grow(self):\n    self.layers.append(nn.Identity())",
        "add = self.layers.append\nfor i in range(len(self.layers)):\n    x = self.layers[i](x)\n    add(x)",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    self.layers._modules.popitem()",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    self._modules.clear()",
        "t = self.layers._modules\n"
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    t.popitem()",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    getattr(self, 'layers').append(x)",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\ndef all(self): return self.layers",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    self.stages.append(x)\n"
        "def keep(self):\n    self.stages = self.layers",
        "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    self.stages.append(x)\n"
        "def keep(self):\n    if (kept := self.layers or None): self.stages = kept",
    ],
)
def test_fix_is_unsafe_where_the_loops_may_differ(body: str) -> None:
    (finding,) = lint("OVH302", forward(body, init=LAYERS))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("change", "applicability"),
    [
        ("for child in self.children(): child.append(x)", Applicability.UNSAFE),
        ("for name, child in self.named_modules(): child.append(x)", Applicability.UNSAFE),
        ("[child.append(x) for child in self.modules()]", Applicability.UNSAFE),
        ("next(self.children()).append(x)", Applicability.UNSAFE),
        ("self.apply(lambda one: one.append(x))", Applicability.UNSAFE),
        ("self._modules['layers'].append(x)", Applicability.UNSAFE),
        ("all = self.__dict__", Applicability.UNSAFE),
        ("all = vars(self)", Applicability.UNSAFE),
        ("(x or self.layers).append(x)", Applicability.UNSAFE),
        ("(self.layers if x else x).append(x)", Applicability.UNSAFE),
        ("self.layers.__init__([])", Applicability.UNSAFE),
        ("match self:\n            case Net(layers=found): found.append(x)", Applicability.UNSAFE),
        ("for child in self.modules(): child.bias.zero_()", Applicability.SAFE),
        ("for child in self.modules(): x.append(child)", Applicability.SAFE),
        ("self.apply(lambda one: x.append(one))", Applicability.SAFE),
        ("kept = [*self.layers]", Applicability.SAFE),
    ],
)
def test_fix_is_unsafe_where_a_method_may_get_at_the_list_otherwise(
    change: str, applicability: Applicability
) -> None:
    body = "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    self.other(x)"
    text = f"{forward(body, init=LAYERS)}    def other(self, x):\n        {change}\n"
    (finding,) = lint("OVH302", text)
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


@pytest.mark.parametrize("name", ["__getattr__", "__getattribute__"])
def test_fix_is_unsafe_where_the_class_sees_each_read(name: str) -> None:
    text = f"{forward(LOOP, init=LAYERS)}    def {name}(self, name): return super().{name}(name)\n"
    (finding,) = lint("OVH302", text)
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


LOOP = "for i in range(len(self.layers)):\n    x = self.layers[i](x)\nreturn x"


@pytest.mark.parametrize(
    ("init", "after", "applicability"),
    [
        ("self.stages = self.layers", "", Applicability.UNSAFE),
        ("self.layers.append(nn.Linear(4, 4))", "", Applicability.SAFE),
        ("layers = []\nlayers.append(nn.Linear(4, 4))\nhelper(layers)", "", Applicability.SAFE),
        ("layers = self.layers\nhelper(layers)", "", Applicability.UNSAFE),
        ("self.all = nn.Sequential(*self.layers, *list(self.layers)[1:])", "", Applicability.SAFE),
        ("self.all = nn.ModuleList([self.layers])", "", Applicability.UNSAFE),
        ("self.stages = self.layers", "def grow(net): net.stages.append(None)", Applicability.UNSAFE),
        ("", "net = Net()\nnet.layers.append(nn.Linear(4, 4))", Applicability.UNSAFE),
        ("", "class Child:\n    def __init__(self, net): net.layers.append(self)", Applicability.UNSAFE),
        ("", "class Own(Net):\n    def __init__(self): self.layers = {}", Applicability.UNSAFE),
        ("", "class Own(Net):\n    def __init__(self): self.layers = Reversed()", Applicability.UNSAFE),
        ("", "class Own(Net):\n    def __init__(self): self.layers = nn.ModuleList()", Applicability.SAFE),
        ("", "class Own(Net):\n    layers = property(print)", Applicability.UNSAFE),
        ("", "class Other:\n    def __init__(self): self.layers = []", Applicability.SAFE),
        ("", "class Other:\n    def grow(self): self.layers.append(1)", Applicability.SAFE),
        (
            "",
            "class Mixin:\n    def grow(self): self.layers.append(1)\nclass Both(Mixin, Net): pass",
            Applicability.UNSAFE,
        ),
    ],
)
def test_what_the_file_does_with_a_list_decides_on_the_fix_of_its_loop(
    init: str, after: str, applicability: Applicability
) -> None:
    (finding,) = lint("OVH302", forward(LOOP, init=f"{LAYERS}\n{init}") + after)
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


def test_fix_is_unsafe_where_one_list_has_two_names_from_the_first() -> None:
    body = LOOP.replace("(x)\n", "(x)\n    self.stages.append(x)\n")
    (finding,) = lint("OVH302", forward(body, init=LAYERS.replace("=", "= self.stages =", 1)))
    assert finding.fix is None or finding.fix.applicability is Applicability.UNSAFE


def test_nested_loops_over_one_list_get_names_of_their_own() -> None:
    body = """
        for i in range(len(self.layers)):
            for j in range(len(self.layers)):
                x = self.layers[i](x) + self.layers[j](x)
        return x
    """
    text = fix("OVH302", forward(body, init=LAYERS), unsafe=False)
    assert "x = layer(x) + layer_(x)" in text
    assert text.count("for layer in self.layers:") == text.count("for layer_ in self.layers:") == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pass", "del i"),
        ("i = 0", "i += 1"),
        ("pass", "for i in range(i):\n    pass"),
        ("pass", "for i in ():\n    pass\nelse:\n    print(i)"),
        ("pass", "print([i for i in range(i)])"),
        ("global i", "pass"),
    ],
)
def test_index_stays_where_it_may_be_used_outside_the_loop(before: str, after: str) -> None:
    body = f"{before}\nfor i in range(len(self.layers)):\n    x = self.layers[i](x)\n{after}\nreturn x"
    text = fix("OVH302", forward(body, init=LAYERS), unsafe=False)
    assert "for i, layer in enumerate(self.layers):" in text


def test_index_that_is_bound_anew_behind_the_loop_is_not_kept() -> None:
    body = "for i in range(len(self.layers)):\n    x = self.layers[i](x)\ni = 5\nreturn x * i"
    assert "for layer in self.layers:" in fix("OVH302", forward(body, init=LAYERS), unsafe=False)


def test_list_of_a_name_that_the_loop_binds_anew_is_silent() -> None:
    body = "for i in range(len(self.layers)):\n    x = self.layers[i](x)\n    self = models[i]\nreturn x"
    assert lint("OVH302", forward(body, init=LAYERS)) == []


@pytest.mark.parametrize(
    ("made", "flagged"),
    [
        ("torch.jit.trace(self.layer, x)", True),
        ("torch.jit.script(self.layer)", True),
        ("torch.fx.symbolic_trace(self.layer)", True),
        ("Scripted()", True),
        ("torch.jit.script(function)", False),
        ("Plain()", False),
    ],
)
def test_other_compilers_that_run_on_every_call(made: str, flagged: bool) -> None:
    header = (
        "import torch\nfrom torch import nn\n\n\ndef function(x):\n    return x\n\n\n"
        "class Scripted(torch.jit.ScriptModule):\n    pass\n\n\nclass Plain(nn.Module):\n    pass\n"
    )
    body = f"made = {made}\nreturn made(x)"
    found = lint("OVH301", forward(body, header=header, init="self.layer = nn.Linear(2, 2)"))
    assert bool(found) is flagged
    kept = f"if x is None:\n    self.made = {made}\nreturn x"
    assert lint("OVH301", forward(kept, header=header, init="self.layer = nn.Linear(2, 2)")) == []


CONFIGURED = """
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config  # given
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        if self.config.flag:
            x = x * self.config.scale
        return self.fc(x) * self.config.scale + self.config.shift


def compiled(config):
    return torch.compile(Layer(config))
"""


def test_values_of_a_configuration_are_read_once() -> None:
    after = fix("OVH305", CONFIGURED)
    assert lines("OVH305", CONFIGURED) == [13] and lines("OVH305", after) == []
    assert after.count("self._config_scale") == 3 and "self.config = config  # given" in after
    results = []
    for text in (CONFIGURED, after):
        names: dict[str, Any] = {}
        exec(text, names)
        torch.manual_seed(0)
        made = names["Layer"](SimpleNamespace(flag=True, scale=2, shift=3))
        results.append(made(torch.ones(1, 2)).tolist())
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        self.fc =", "        config.scale = 3\n        self.fc ="),
        ("        self.fc =", "        self._config_scale = 3\n        self.fc ="),
        ("        self.fc =", "        self.config = self.config or config\n        self.fc ="),
        ("self.config = config  # given", "if config:\n            self.config = config"),
    ],
)
def test_values_stay_where_they_may_change_or_names_are_taken(old: str, new: str) -> None:
    text = CONFIGURED.replace(old, new)
    assert text != CONFIGURED and fix("OVH305", text) == text


def test_value_that_a_branch_alone_reads_is_not_read_in_init() -> None:
    torch = pytest.importorskip("torch")
    text = CONFIGURED.replace("self.config.shift", "(self.config.shift if self.config.flag else 0)")
    after = fix("OVH305", text)
    assert "self._config_scale = config.scale" in after and "_config_shift" not in after
    results = []
    for program in (text, after):
        names: dict[str, object] = {}
        exec(program, names)  # the test's own text
        torch.manual_seed(0)
        config = SimpleNamespace(flag=False, scale=2.0)
        results.append(names["Layer"](config)(torch.ones(2)).tolist())  # type: ignore[operator]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("fast = torch.compile(work)\nreturn fast(x)", 1),
        ("fast = torch.compile(work)\nself.fast = fast\nreturn fast(x)", 0),
        ("fast = torch.compile(work)\nself.kept['fast'] = fast\nreturn fast(x)", 0),
        ("fast = torch.compile(work)\nfast(x)\nreturn fast", 0),
        ("global fast\nfast = torch.compile(work)\nreturn fast(x)", 0),
        ("fast = torch.compile(work)\nfast = fast(x)\nself.fast = fast\nreturn x", 1),
    ],
)
def test_what_is_compiled_and_kept_by_way_of_a_name_is_set_up_once(body: str, number: int) -> None:
    assert len(lint("OVH301", forward(body))) == number


@pytest.mark.parametrize(
    ("cls", "receiver", "found"),
    [
        ("torch.autograd.Function", "ctx", 0),
        ("Meter", "ctx", 0),
        ("nn.Module", "ctx", 1),
        ("Meter", "net", 1),
    ],
)
def test_floats_of_what_is_no_module_are_others(cls: str, receiver: str, found: int) -> None:
    text = f"""
import torch
from torch import nn
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 1.0
    def forward(self, x):
        return x * self.scale
class Other({cls}):
    def forward(ctx, net):
        {receiver}.scale = 2.0
model = torch.compile(Scale())
"""
    assert len(lint("OVH306", text)) == found
