"""OVH703: what is constant, what is kept and how, what only looks so."""

from __future__ import annotations

import importlib

import pytest
import torch
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

HEADER = (
    "import torch\nimport torch.distributed as dist\nimport torch.nn.functional as F\nfrom torch import nn"
)
WRITES = (
    "dist.all_reduce(y)",
    "dist.recv(y, 0)",
    "dist.all_gather([y, y], x)",
    "dist.broadcast_object_list([y])",
    "torch.distributed.reduce(y, dst=0)",
    "torch.add(x, 1, out=y)",
    "torch.nn.init.zeros_(y)",
    "F.relu(y, inplace=True)",
    "F.relu(y[None], True)",
    "F.batch_norm(x, y, y, training=True)",
    "F.embedding(x, y, max_norm=1.0)",
    "nn.utils.vector_to_parameters(x, [y])",
    "torch._foreach_add_([y], 1)",
    "torch.unsqueeze(y, 0).mul_(2)",
    "y.data = x",
    "y.numpy()[0] = 3",
)
"""Ways to write to `y`: what torch's schemas say, and what only tables do."""
UNKNOWN = (
    "self.scale(y)",
    "self.norm(y)",
    "nn.ReLU(inplace=True)(y)",
    "dist.send(y, 1)",
    "torch.utils.checkpoint.checkpoint(self.block, y)",
    "torch.vmap(self.block)(y)",
    "for row in y:\n    row += 1",
    "rows = [y]\nrows[0] += 1",
    "z = torch.as_tensor(y)\nz += 1",
    "z = y or x\nz += 1",
    "z = F.dropout(y, training=False)\nz += 1",
    "y.requires_grad = True",
    "y.register_hook(print)",
    "a, b = y\na += b",
    "match y:\n    case z:\n        z += 1",
)
"""What may write to `y`, or keep it, as far as is known."""

INIT = "self.grown = []\nself.dim = 8\nself.config = config\nself.changed = 8"


@pytest.mark.parametrize(
    "expression",
    [
        "torch.arange(8)",
        "torch.arange(0, self.dim, 2, device=x.device)",
        "torch.arange(0, self.config.head_dim // 2).float()",
        "1.0 / 10000 ** (torch.arange(0, self.dim, 2) / self.dim)",
        "torch.exp(-math.log(10000.0) * torch.linspace(0, 1, SIZE)).to(x.device)",
        "torch.tril(torch.ones(SIZE, SIZE, device=x.device)).view(1, 1, SIZE, SIZE)",
        "torch.triu(torch.full((SIZE, SIZE), -math.inf), diagonal=1)",
        "torch.eye(3)[None, :, 0:2]",
        "torch.tensor([[0, 1], [2, 3]], dtype=torch.float32)",
        "torch.arange(half) >= torch.tensor(4)",
        "-torch.hann_window(self.dim)",
    ],
)
def test_constant_expressions_are_found_whole_and_once(expression: str) -> None:
    header = "import torch, math\nfrom torch import nn\nSIZE = 16"
    body = f"half = self.dim // 2\ny = {expression}\nprint(x + y, half)"
    (finding,) = lint("OVH703", forward(body, header=header, init=INIT))
    assert finding.span.end_column - finding.span.column == len(expression)


@pytest.mark.parametrize(
    "body",
    [
        "for y in x:\n    y = torch.arange(8)\n    y = y + x",
        "y = torch.arange(8)\nx = x + y\ny = x * 2\ny += 1\nreturn y",
    ],
)
def test_what_is_given_the_name_later_does_not_matter(body: str) -> None:
    assert len(lint("OVH703", forward(body, header=HEADER, init=INIT))) == 1


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.arange(x.size(0)) + torch.arange(len(x))",
        "y = torch.arange(n)",
        "n = 4\nfor i in range(3):\n    n = n + 1\n    y = torch.arange(n)",
        "y = torch.arange(self.other.dim)",
        "self.changed = 9\ny = torch.arange(self.changed)",
        "y = torch.arange(8, requires_grad=True)",
        "y = torch.arange(8, out=x)",
        "y = torch.arange(8)\ny += x",
        "y = torch.arange(8)\ny[0] = 1",
        "y = torch.arange(8)\ny.data[0] = 1",
        "y = torch.arange(8)\ny[0] += 1",
        "y = torch.arange(8)\ny.mul_(2)",
        "y = torch.arange(8).mul_(x)",
        "y = torch.arange(8)\nreturn y",
        "return x, torch.arange(8)",
        "y = torch.tensor(self.grown) * x",
        "self.p = nn.Parameter(torch.tensor([1.0]))",
        "y = torch.arange(8)\nreturn x, [y]",
        "self.y = torch.arange(8)",
        "x.kept.append(torch.arange(8))",
        "y = torch.arange(8)\nx.kept.update({1: y})",
        "nn.init.zeros_(torch.tensor([1.0, 2.0]))",
        *(f"y = torch.tensor([1.0, 2.0])\n{write}\nreturn x * y" for write in WRITES),
        "y = torch.rand(8) + torch.empty(8)",
        "y = torch.tensor([])",
        "y = torch.tensor([1.0], device=x.device) + torch.tensor(2.0).to(x.device)",
        "y = torch.tensor([1.0, n])",
        "y = torch.tensor(x.tolist())",
        "y = torch.arange(*x.shape)",
        "y = np.arange(8)",
        "arange = x\ny = arange(8)",
        "if not self.done:\n    self.done = True\n    y = torch.arange(8)",
    ],
)
def test_what_varies_is_written_to_or_handed_out_is_silent(body: str) -> None:
    header = HEADER + "\nfrom torch import arange"
    assert lines("OVH703", forward(body, header=header, init=INIT)) == []


@pytest.mark.parametrize(
    ("statement", "after"),
    [
        ("y = torch.tensor([1.0, 2.0]) * x", "y = runtime.const_tensor((1.0, 2.0)) * x"),
        ("y = x + torch.tensor(3, dtype=torch.int8)", "y = x + runtime.const_tensor(3, dtype=torch.int8)"),
        ("y = torch.arange(self.dim, device=x.device)", "y = self._y"),
    ],
)
def test_fixes_keep_the_tensor_and_are_never_safe(statement: str, after: str) -> None:
    text = forward(statement, init=INIT)
    (finding,) = lint("OVH703", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    fixed = fix("OVH703", text)
    assert after in fixed and lines("OVH703", fixed) == []


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.tensor(0.0)\nz = torch.tensor(0.0)\ny, z = count(y, z, x)",
        "n = {k: torch.tensor(0.0) for k in x}\nprint(n)",
        "n = defaultdict(lambda: torch.tensor(0.0))",
        'self.keep("total", default=torch.tensor(0))',
        'self.register_buffer(name="total", tensor=torch.tensor(0))',
        "y = torch.tensor([1.0, 2.0])\nz = y.view(2, 1)\nz += x",
        "y = torch.tensor([1.0, 2.0])[None]\nz = y\nz.add_(x)",
        "y = torch.tensor([1.0, 2.0])\ndef later():\n    print(y)\nx.then(later)",
        "if (y := torch.tensor(1.0)) is not None:\n    self.y = y",
        *(f"y = torch.tensor([1.0, 2.0])\n{use}\nz = x * y" for use in UNKNOWN),
    ],
)
def test_tensor_that_others_may_write_to_is_not_shared(body: str) -> None:
    found = lint("OVH703", forward(body, header=HEADER, init=INIT))
    assert found and all(finding.fix is None for finding in found)


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.tensor([1.0, 2.0])\nprint(torch.where(x > 0, y[:, None], x), x.mul(y.view(2, 1)))",
        "x += torch.tensor([1.0, 2.0])",
        "y = (torch.tensor(1.0) if n else x) * x",
        "y = torch.stack([x, torch.tensor(1.0)])\ny.add_(1)",
        "y = torch.tensor([1.0, 2.0]).sum()\nreturn y",
    ],
)
def test_tensor_that_is_only_read_is_shared(body: str) -> None:
    header = "import torch\nfrom torch import nn"
    assert "runtime.const_tensor(" in fix("OVH703", forward(body, header=header, init=INIT))


@pytest.mark.parametrize("use", [*WRITES, *UNKNOWN])
def test_buffer_is_no_place_for_what_may_be_written_to(use: str) -> None:
    body = f"y = torch.arange(self.dim, device=x.device)\n{use}\nz = x * y"
    assert all(finding.fix is None for finding in lint("OVH703", forward(body, header=HEADER, init=INIT)))


@pytest.mark.parametrize(
    "use",
    [
        *(
            "x.copy_(y)",
            "x += F.relu(y)",
            "x.add_(y)",
            "x[:2] = torch.stack([y, y])",
            "torch.add(x, y, out=x)",
        ),
        *("z = F.batch_norm(x, mean, var, y, y, True)\nx += z", "F.relu(y, inplace=False)"),
        *("for row in y:\n    x += row", "z = y if x.sum() > 0 else x\nx += z", "print(y.shape, y.tolist())"),
    ],
)
def test_shared_constant_gives_what_a_new_one_gives(use: str) -> None:
    body = f"mean, var = torch.zeros(2), torch.ones(2)\ny = torch.tensor([1.0, 2.0])\n{use}\nreturn x * y"
    text = forward(body, header=HEADER)
    fixed = fix("OVH703", text)
    assert "runtime.const_tensor((1.0, 2.0))" in fixed
    results = []
    for program in (text, fixed):
        namespace: dict[str, type[torch.nn.Module]] = {}
        exec(program, namespace)  # the test's own text
        net = namespace["Net"]()
        results.append([net(torch.arange(4.0).view(2, 2)) for _ in range(3)])
    assert all(torch.equal(before, after) for before, after in zip(*results, strict=True))


def test_views_are_those_of_the_schemas_of_torch() -> None:
    aliasing = {
        schema.name.removeprefix("aten::")
        for schema in torch._C._jit_get_all_schemas()
        if schema.name.startswith("aten::")
        and any(one.alias_info is not None and not one.alias_info.is_write for one in schema.returns)
        and any(one.alias_info is not None and not one.alias_info.is_write for one in schema.arguments)
    }
    public = {name for name in aliasing if not name.startswith("_") and hasattr(torch.Tensor, name)}
    assert public and public <= importlib.import_module("overhead_lint.rules._views").VIEWS


@pytest.mark.parametrize("bound", ["x.device", "next(self.parameters()).device", 'torch.device("cpu")'])
def test_device_that_only_the_tensor_asked_for_goes_with_it(bound: str) -> None:
    text = forward(f"device = {bound}\ny = torch.arange(self.dim, device=device)", init=INIT)
    assert "device =" not in fix("OVH703", text)
    text += "        print(device)\n"
    assert f"device = {bound}" in fix("OVH703", text)


@pytest.mark.parametrize(
    "text",
    [
        forward("device = x.place()\ny = torch.arange(4, device=device)", init=INIT),
        forward("device, m = x.device, 1\ny = torch.arange(4, device=device)", init=INIT),
        forward("y = torch.arange(self.dim)", init=INIT),
        forward("n = 4\ny = torch.arange(n, device=x.device)", init=INIT),
        forward("y = torch.arange(4, device=x.device) * 2", init=INIT),
        forward("y = torch.arange(4, device=x.device, dtype=x.dtype)", init=INIT),
        forward("y = torch.arange(4, device=x.device)", init=INIT + "\nself._y = 1"),
        forward("y = torch.arange(4, device=x.device)", init=INIT + "\nif x:\n    return"),
        "import torch\ndef training_step(x):\n    y = torch.arange(4, device=x.device)\n    return y * x\n",
    ],
)
def test_no_buffer_where_it_might_mean_something_else(text: str) -> None:
    (finding,) = lint("OVH703", text)
    assert finding.fix is None


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.arange(8)\ny = y + x",
        "if n is None:\n    y = torch.eye(3)\nelse:\n    y, z = n\nprint(x @ y)",
        "self.y = torch.as_tensor(self.config)",
        "y = torch.as_tensor(self.config) * x",
        "if n is None:\n    y = torch.eye(self.dim, device=x.device)\nelse:\n    y = n\nprint(x @ y)",
    ],
)
def test_constant_whose_name_another_tensor_takes(body: str) -> None:
    (finding,) = lint("OVH703", forward(body, init=INIT))
    assert "always the same" in finding.message


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.ones((), device=x.device) - x",
        "y = torch.where(x > 0, x, torch.zeros(1, device=x.device))",
        "one = torch.ones((), device=x.device)\ny = torch.stack([torch.stack([-one, x]), x - one])",
        "y = x == torch.full((2, self.dim), 0.5)",
        "y = torch.zeros(3)\ny = y + x",
    ],
)
def test_filled_tensor_of_constant_size_that_is_only_read(body: str) -> None:
    (finding,) = lint("OVH703", forward(body, init=INIT))
    assert "always the same" in finding.message


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.zeros(3)\ny[0] = x",
        "y = torch.zeros(3)\nother(y)",
        "y = torch.zeros(3)\nz = y - x\nreturn y",
        "y = torch.zeros(n) - x",
        "y = torch.as_tensor(n) * x",
        "y = torch.as_tensor(self.changed)\nself.changed = x",
        "self.y = torch.as_tensor([1.0])",
        "y = other(torch.ones(3))",
        "y = torch.zeros(3)",
    ],
)
def test_filled_tensor_that_may_be_written_to(body: str) -> None:
    assert lines("OVH703", forward(body, init=INIT)) == []


SIZED = "import torch, math\nfrom torch import nn"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            "n = x.shape[1]\nm = torch.triu(torch.ones(n, n), 1)\nm = m.mul(-9)\nreturn x + m",
            11,
        ),
        ("t = torch.arange(x.shape[1])\na = torch.outer(t, self.freq)\nreturn x, a.cos(), a.sin()", 10),
        ("i = torch.arange(len(x))\nd = i[None] - i[:, None]\nreturn x[(d > 2).long()]", 10),
    ],
)
def test_tables_that_depend_on_sizes_alone_are_found_once(body: str, line: int) -> None:
    init = 'self.register_buffer("freq", torch.ones(4))'
    assert lines("OVH703", forward(body, header=SIZED, init=init)) == [line]


@pytest.mark.parametrize(
    "body",
    [
        "t = torch.arange(x.shape[1])\nreturn x + t",
        "t = torch.arange(x.shape[1])\nt = t + x\nreturn t.cos() + t.sin()",
        "t = torch.zeros(x.shape[1], 3)\nt[:, 0] = x\nreturn t.cos() + t.sin() + 1",
        "t = torch.zeros(x.shape[1], 3)\nt[y, 1:] = 0.0\nreturn t.cos() + t.sin() + 1",
        "t = torch.arange(x.shape[1]) * self.weight\nreturn t.cos() + t.sin()",
        "t = torch.zeros(x.shape[1]).view(-1).cos()\nt.view(-1).copy_(x)\nreturn t.cos() + t.sin() + 1",
        "t = torch.rand(x.shape[1]) * 2 + 1\nreturn t.cos()",
        "return torch.zeros(x.shape[0]).double().uniform_(0, 1).cos()",
        "t = torch.zeros(x.shape[0]).double().exponential_() + 1\nreturn t.cos()",
        "t = torch.arange(x.shape[1]).view(1, -1).expand(4, -1).to(x.device)\nreturn t, x",
        "t = torch.ones(x.shape[1], x.shape[1]).triu(1).cos()\nself.register_buffer('t', t)\nreturn t + 1",
        "t = torch.zeros(x.shape[0], 3)\nt.requires_grad_(True)\nreturn x + (t + t.cos()).sin()",
        "t = torch.zeros(x.shape[0], 3, requires_grad=True)\nreturn x + (t + t.cos()).sin()",
    ],
)
def test_what_depends_on_values_is_no_table(body: str) -> None:
    init = "self.weight = nn.Parameter(torch.ones(4))"
    assert lines("OVH703", forward(body, header=SIZED, init=init)) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("mask = torch.tril(torch.ones(n, n))\nreturn x * mask", 1),
        ("return x * torch.ones(n, n)", 0),
        ("g = [torch.arange(n) for n in x.shape[2:]]\nreturn x + torch.stack(torch.meshgrid(*g)).sum(0)", 1),
        ("g = [torch.arange(n) for n in self.sizes]\nreturn x + torch.stack(torch.meshgrid(*g)).sum(0)", 0),
        ("for row in self.rows:\n    x = x @ (torch.eye(n) - row)\nreturn x", 1),
        ("for row in self.rows:\n    n = n + 1\n    x = x @ (torch.eye(n) - row)\nreturn x", 0),
        ("for row in self.rows:\n    x = self.f(x, torch.eye(n))\nreturn x", 0),
    ],
)
def test_masks_grids_and_what_a_loop_makes_again(body: str, found: int) -> None:
    assert len(lint("OVH703", forward(f"n = x.shape[1]\n{body}"))) == found


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("", 1),
        ("n = len(sizes)", 1),
        ("sizes.append(x.shape[0])", 0),
        ("for i in range(2): sizes.append(i + x.shape[0])", 0),
        ("sizes[0] = x.shape[0]", 0),
        ("fill(sizes, x)", 0),
    ],
)
def test_list_that_the_function_changes_is_no_constant(change: str, found: int) -> None:
    body = f"sizes = [1, 2]\n{change or 'pass'}\nreturn x + torch.tensor(sizes)"
    assert len(lint("OVH703", forward(body))) == found


@pytest.mark.parametrize(
    ("init", "name", "head", "fixable"),
    [
        ("self.dim = 8", "steps", "    def forward(self, x):", True),
        ("def inner(): return 1\nself.dim = 8", "steps", "    def forward(self, x):", True),
        ("if self.training:\n    return\nself.dim = 8", "steps", "    def forward(self, x):", False),
        (
            "try:\n    return\nfinally:\n    self.dim = 8\nself.dim = 8",
            "steps",
            "    def forward(self, x):",
            False,
        ),
        ("self.dim = 8", "steps", "    def forward(net, x):", False),
        ("self.dim = 8", "steps", "    @staticmethod\n    def forward(x):", False),
        ("self.dim = 8", "buffers", "    def forward(self, x):", False),
        ("self.dim = 8", "modules", "    def forward(self, x):", False),
    ],
)
def test_buffer_is_registered_where_the_constructor_gets_there(
    init: str, name: str, head: str, fixable: bool
) -> None:
    body = f"{name} = torch.arange(8, device=x.device)\nreturn x + {name}"
    text = forward(body, init=init).replace("    def forward(self, x: torch.Tensor):", head)
    (finding,) = lint("OVH703", text)
    assert (finding.fix is not None) is fixable


@pytest.mark.parametrize(
    ("body", "init"),
    [
        ("from torch import arange\nt = arange(8, device=x.device)\nreturn x + t", "self.dim = 8"),
        ("import math\nt = torch.linspace(0, math.pi, 8, device=x.device)\nreturn x + t", "self.dim = 8"),
        ("t = torch.arange(8, device=x.device)\nreturn x + t", "torch = 3\nself.dim = torch"),
    ],
)
def test_buffer_is_made_of_names_that_both_methods_see(body: str, init: str) -> None:
    (finding,) = lint("OVH703", forward(body, init=init))
    assert finding.fix is None
