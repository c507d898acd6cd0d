"""OVH408: values of the host that are copied to a device in each step."""

from __future__ import annotations

import runpy
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from rule_cases import fix, forward, lint

from overhead_lint.rule import Applicability, Heat


@pytest.mark.parametrize(
    ("expression", "fixed", "applicability"),
    [
        ("torch.tensor(0.5, device=x.device)", "torch.full((), 0.5, device=x.device)", Applicability.SAFE),
        (
            "torch.tensor(-1, device='cuda')",
            "torch.full((), -1, dtype=torch.int64, device='cuda')",
            Applicability.SAFE,
        ),
        (
            "torch.tensor(True).cuda()",
            'torch.full((), True, dtype=torch.bool, device="cuda")',
            Applicability.SAFE,
        ),
        (
            "torch.tensor([2, 2]).to(x.device)",
            "torch.full((2,), 2, dtype=torch.int64, device=x.device)",
            Applicability.SAFE,
        ),
        (
            "torch.tensor(0.5, dtype=torch.float16, device=x.device)",
            "torch.full((), 0.5, dtype=torch.float16, device=x.device)",
            Applicability.SAFE,
        ),
        (
            "torch.tensor(0.5, dtype=torch.int64, device=x.device)",
            "torch.full((), 0.5, dtype=torch.int64, device=x.device)",
            Applicability.UNSAFE,
        ),
        (
            "torch.tensor(300, dtype=torch.uint8, device=x.device)",
            "torch.full((), 300, dtype=torch.uint8, device=x.device)",
            Applicability.UNSAFE,
        ),
        ("torch.tensor(0.5).to(device)", "torch.full((), 0.5, device=device)", Applicability.UNSAFE),
        *(
            (
                f"torch.tensor([{value}], dtype={dtype}, device=x.device)",
                f"torch.full((1,), {value}, dtype={dtype}, device=x.device)",
                applicability,
            )
            for value, dtype, applicability in (
                ("-1e9", "torch.float16", Applicability.UNSAFE),
                ("70000", "torch.half", Applicability.UNSAFE),
                ("-65504", "torch.half", Applicability.SAFE),
                ("-1e9", "torch.bfloat16", Applicability.SAFE),
            )
        ),
        (
            "torch.tensor(-1e9, device=x.device)",
            "torch.full((), -1e9, device=x.device)",
            Applicability.UNSAFE,
        ),
        (
            "torch.tensor(len(x), device=x.device)",
            "torch.full((), len(x), dtype=torch.int64, device=x.device)",
            Applicability.UNSAFE,
        ),
        (
            "torch.tensor([1, 1.0], device=x.device)",
            "runtime.const_tensor((1, 1.0), device=x.device)",
            Applicability.UNSAFE,
        ),
        (
            "torch.tensor([[1, 2], [3, 4]], dtype=x.dtype).to(x.device)",
            "runtime.const_tensor(((1, 2), (3, 4)), dtype=x.dtype, device=x.device)",
            Applicability.UNSAFE,
        ),
    ],
)
def test_constants_are_filled_in_or_kept(expression: str, fixed: str, applicability: Applicability) -> None:
    text = forward(f"device = self.device\nreturn x * {expression}")
    (finding,) = lint("OVH408", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    assert f"return x * {fixed}\n" in fix("OVH408", text)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch.jit, as programs still have it
@pytest.mark.parametrize("default", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "value", ["True", "[False]", "3", "[2, 2]", "-1", "0.5", "[0.5]", "1j", "x.dim() > 7", "len(x)"]
)
def test_filled_constant_has_the_same_dtype_in_eager_and_scripted_code(
    value: str, default: torch.dtype, tmp_path: Path
) -> None:
    text = textwrap.dedent(
        f"""
        import torch

        def step(x: torch.Tensor) -> torch.Tensor:
            return torch.tensor({value}, device=x.device)
        """
    )
    fixed = fix("OVH408", text, least=Heat.COLD)
    assert "torch.full(" in fixed and "torch.tensor(" not in fixed
    path = tmp_path / "steps.py"
    path.write_text(fixed)
    namespace: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {}
    exec(text, namespace)  # the test's own text
    step = runpy.run_path(str(path))["step"]
    x = torch.ones(2)
    torch.set_default_dtype(default)
    try:
        expected = namespace["step"](x)
        for given in (step(x), torch.jit.script(step)(x)):
            assert torch.equal(given, expected) and given.dtype is expected.dtype
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize(
    "body",
    [
        "return torch.tensor([1.0, 2.0], device=x.device)",
        "y = torch.tensor([1.0, 2.0], device=x.device)\ny[0] = 3",
        "y = torch.tensor([1.0, 2.0], device=x.device)\ny += x",
        "y = torch.tensor([1.0, 2.0]).to(x.device)\nscale_(y)",
    ],
)
def test_constant_that_is_written_to_or_handed_out_is_not_shared(body: str) -> None:
    (finding,) = lint("OVH408", forward(body))
    assert finding.fix is None


@pytest.mark.parametrize(
    "expression",
    [
        "torch.LongTensor(data=[len(x)]).to(x.device)",
        "torch.tensor(data=[len(x), 1], device=x.device)",
        "torch.tensor([len(x), x.size(0)], device=x.device)",
        "torch.tensor([len(row) for row in x], device=x.device)",
        "torch.tensor(0.5, device=x.device, requires_grad=True)",
        "torch.as_tensor(0.5, device=x.device)",
        "torch.tensor(0.5).to(x.device, torch.float16)",
        "(2 * torch.arange(4)).float().to(x.device)",
        "torch.exp(torch.linspace(0, 1, 4)).cuda()",
        "torch.randn(4).to(x.device)",
        "torch.arange(4).type_as(x)",
        "torch.zeros(4).to(x)",
        "self.table.to(x.device)",
        "self.table.to(device=x.device, dtype=x.dtype)",
        "self.table.unsqueeze(0).expand(len(x), -1).type_as(x)",
        "self.table[: x.size(1)].detach().to(x.device)",
        "TABLE.to(x.device)",
    ],
)
def test_other_copies_of_host_values_get_a_message(expression: str) -> None:
    header = "import torch\nfrom torch import nn\nTABLE = torch.arange(4)"
    text = forward(f"return {expression}", header=header, init="self.table = torch.arange(4)")
    (finding,) = lint("OVH408", text)
    assert finding.fix is None


@pytest.mark.parametrize(
    "expression",
    [
        "torch.tensor([x.sum()], device=x.device)",
        "torch.tensor([[], []], device=x.device)",
        "torch.LongTensor([]).to(x.device)",
        "torch.LongTensor([[], []]).to(x.device)",
        "torch.LongTensor(data=[]).to(x.device)",
        "torch.Tensor().to(x.device)",
        "torch.tensor(0.5, device=None)",
        "torch.tensor(0.5, device='cpu')",
        "torch.tensor(0.5).to('cpu')",
        "torch.tensor(0.5).to(x.dtype)",
        "self.table.to(x.device, non_blocking=True)",
        "self.other.to(x.device)",
        "x.cpu().to(x.device)",
    ],
)
def test_copies_that_nothing_is_known_of_are_silent(expression: str) -> None:
    text = forward(f"return {expression}", init="self.table = torch.arange(4)")
    assert lint("OVH408", text) == []


@pytest.mark.parametrize("number", [0, 127, -1, True, -0.0, 0.1, float("inf")])
@pytest.mark.parametrize("dtype", [None, "float32", "float16", "bfloat16", "int8", "bool"])
def test_safely_filled_constants_are_what_they_were(number: float, dtype: str | None) -> None:
    given = f", dtype=torch.{dtype}" if dtype else ""
    before = f"torch.tensor({number!r}{given}, device='cpu')".replace("inf", "1e999")
    text = forward(f"return {before.replace(chr(39) + 'cpu' + chr(39), 'x.device')}")
    after = fix("OVH408", text, unsafe=False)
    if after == text:
        assert dtype is not None or number == float("inf")
        return
    expression = after.rpartition("return ")[2].strip().replace("x.device", "'cpu'")
    names = {"torch": torch}
    one, other = eval(before, names), eval(expression, names)
    assert one.dtype is other.dtype and one.shape == other.shape
    assert torch.equal(one, other) and str(one) == str(other)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("sizes = [len(row) for row in x]\nreturn torch.tensor(sizes, device=x.device)", 1),
        ("ends = [0]\nfor n in x.shape:\n    ends.append(n)\nreturn torch.tensor(ends, device=x.device)", 1),
        ("ends = [0]\nfor n in y:\n    ends.append(n)\nreturn torch.tensor(ends, device=x.device)", 1),
        ("ends = []\nends.extend(y)\nreturn torch.tensor(ends, device=x.device)", 1),
        ("ends = []\nreturn torch.tensor(ends, device=x.device)", 0),
        ("return torch.tensor(y, device=x.device)", 1),
        ("return torch.tensor([y, 1.0], device=x.device)", 1),
        ("return torch.as_tensor(y, device=x.device)", 0),
        ("return x.new_tensor(y) + x.new_tensor([y, 1.0])", 2),
        ("return x.new_tensor(x.sum()) + x.new_tensor([x.sum()])", 0),
        ("return y.new_tensor(self.sizes)", 0),
        ("steps = torch.arange(y)\nwide = steps.unsqueeze(0).expand(len(x), y)\nreturn wide.to(x.device)", 1),
        ("return x + torch.tensor([1.0]).cuda(non_blocking=True)", 1),
        ("return x + torch.Tensor([1.0]).cuda(non_blocking=True)", 1),
        ("return x + torch.tensor([1.0]).to(x.device, non_blocking=True)", 1),
        ("return x + torch.tensor([1.0]).pin_memory().to(x.device, non_blocking=True)", 0),
        ("return x + torch.tensor([1.0], pin_memory=True).to(x.device, non_blocking=True)", 0),
        ("assert y.ndim == 2\nreturn self.table.to(y).clone()", 1),
        ("return self.table.to(y).clone()", 0),
        ("return self.table.cuda(0) + self.table.to(self.rank)", 2),
        ("return self.table[self.table > 1].to(x.device)", 0),
        ("return torch.tensor(y, device='cpu')", 0),
        ("return torch.tensor(x.sum(), device=x.device)", 0),
        ("if not torch.is_tensor(y):\n    y = torch.tensor(y, device=x.device)\nreturn x + y", 0),
        ("return y if isinstance(y, torch.Tensor) else torch.tensor(y, device=x.device)", 0),
    ],
)
def test_what_torch_tensor_takes_is_copied_from_the_host(body: str, found: int) -> None:
    assert len(lint("OVH408", forward(body, init="self.table = torch.arange(4)"))) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("row = torch.zeros(4, device=x.device)\nrow[0] = 1.0\nreturn x + row", 1),
        ("row = torch.zeros(4, device=x.device)\nrow[-1] = float(x.size(0))\nreturn x + row", 1),
        ("row = x.new_zeros((2, 3))\nfor i in range(2):\n    row[i, 0] = True\nreturn row", 1),
        ("row = torch.full((2, 3), 0.5, device=x.device).clone()\nrow[0][1] = 2\nreturn x + row", 1),
        ("row = torch.eye(3, device=x.device)\nrow[0, 2] = 1\nreturn x + torch.zeros_like(row)", 1),
        ("row = torch.zeros_like(torch.arange(9, device=x.device))\nrow[0] = 1\nreturn x + row", 1),
        ("row = torch.zeros(4, device=x.device)\nrow[0:1] = 1.0\nreturn x + row", 0),
        ("row = torch.zeros(4, device=x.device)\nrow[0] += 1.0\nreturn x + row", 0),
        ("row = torch.zeros(4, device=x.device)\nrow[0] = x.sum()\nreturn x + row", 0),
        ("row = torch.zeros(4, device=x.device)\nrow[...] = 1\nreturn x + row", 0),
        ("row = torch.zeros(4, 4, device=x.device)\nrow[0] = 1\nreturn x + row", 0),
        ("row = torch.zeros(4, 4, device=x.device)\nrow[:, 0] = 1\nreturn x + row", 0),
        ("row = torch.zeros(x.shape, device=x.device)\nrow[0] = 1\nreturn x + row", 0),
        ("row = torch.zeros(self.shape, device=x.device)\nrow[0] = 1\nreturn x + row", 0),
        ("row = torch.zeros(*x.shape, device=x.device)\nrow[0] = 1\nreturn x + row", 0),
        ("row = torch.zeros(4)\nrow[0] = 1.0\nreturn row", 0),
        ("y[0] = 1\nreturn x + y", 0),
    ],
)
def test_numbers_assigned_to_one_element_are_copied_from_the_host(body: str, found: int) -> None:
    assert len(lint("OVH408", forward(body))) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("best = x.topk(2).indices\nx[best] = 0\nreturn x", 1),
        ("best = torch.sort(x)[1]\nx[:, best] = 0.5\nreturn x", 1),
        ("best = x.argsort()[:4]\nx[best] = True\nreturn x", 1),
        ("best = torch.arange(x.size(0), device=x.device)\nx[best, 0] = 1\nreturn x", 1),
        ("x[y.long() - 1] = 1\nreturn x", 1),
        ("rows = torch.where(x.sum(1) == 0)[0]\nx[rows] = 0\nreturn x", 1),
        ("rows = (x.sum(1) == 0).nonzero(as_tuple=True)[0]\nx[rows, :2] = 0\nreturn x", 1),
        ("x[~(x[:, 0] > 0), -1] = True\nreturn x", 1),
        ("order = torch.argsort(x, dim=0)\nx[order[0]] = 0\nx[order[y]] = 0\nreturn x", 1),
        (
            "a, b = self.pairs\nplaces = x.new_zeros(3, 4)\nplaces[a, b] = 1\nreturn places",
            1,
        ),
        ("a, b = self.pairs\nplaces = torch.zeros_like(x)\nplaces[a, b] = 1\nreturn places", 0),
        ("a, b = self.pairs\nplaces = x.new_zeros((3, 4, 5))\nplaces[a, b] = 1\nreturn places", 0),
        ("a = slice(1)\nb = self.b\nplaces = x.new_zeros((3, 4))\nplaces[a, b] = 1\nreturn places", 0),
        ("x[y, ...] = 0\nreturn x", 0),
        ("rows = torch.where(x > 0, x, y)[0]\nx[rows] = 0\nreturn x", 0),
        (
            "idx = x.long()\nidx = idx + 1\nidx = torch.where(y, idx, 0)\nx[idx] = 0\nreturn x",
            1,
        ),
        ("if y:\n    rows = x.argsort()\nelse:\n    rows = x.long().view(-1)\nx[rows] = 0\nreturn x", 1),
        ("if y:\n    rows = x.argsort()\nelse:\n    rows = x\nx[rows] = 0\nreturn x", 0),
        ("index = x.view(-1)\nx[index] = 0\nreturn x", 0),
        ("best = x.topk(2).indices\nx[best] = x.new_zeros(())\nreturn x", 0),
        ("best = x.topk(2).values\nx[best > 0] = 0\nreturn x", 0),
        ("x[x > 0] = 0\nreturn x", 0),
        ("x[y.long() > 1] = 0\nreturn x", 0),
        ("x[y] = 0\nreturn x", 0),  # a mask, or places: nobody knows
        ("best = x.topk(2).indices\nx.index_fill_(0, best, 0)\nreturn x", 0),
    ],
)
def test_numbers_assigned_to_places_are_copied_from_the_host(body: str, found: int) -> None:
    assert len(lint("OVH408", forward(body))) == found


def test_parameters_that_are_called_an_index_tell_places() -> None:
    text = """
    import torch
    def mark(index: torch.Tensor, size: int):
        marks = index.new_zeros(size, dtype=torch.bool)
        marks[index] = True
        return marks
    for batch in loader:
        mark(batch.to("cuda"), 3).sum().backward()
    """
    assert len(lint("OVH408", text)) == 1
    assert lint("OVH408", text.replace("index", "chosen")) == []


def test_parameters_annotated_as_lists_of_numbers_are_copied_from_the_host() -> None:
    text = """
    import torch
    class Net(torch.nn.Module):
        def forward(self, x: torch.Tensor, sizes: list[int]) -> torch.Tensor:
            return x + torch.tensor(sizes, device=x.device)
    """
    (finding,) = lint("OVH408", text)
    assert "a tensor of Python values" in finding.message


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return x[range(x.size(0)), self.other]", 1),
        ("rows = range(0, x.size(0))\nreturn x[rows]", 1),
        ("rows = list(range(x.size(0)))\nreturn x[rows]", 1),
        ("rows = slice(0, x.size(0))\nreturn x[rows]", 0),
        ("rows = [self.row] * x.size(0)\nreturn x[rows]", 1),
        ("rows = [0]\nif self.row:\n    rows = [self.row] * x.size(0)\nreturn x[rows]", 1),
        ("rows = [0]\nif self.row:\n    rows = self.row\nreturn x[rows]", 0),
        ("rows = [x > 0] * 2\nreturn x[rows]", 0),
        ("places = torch.tril_indices(4, 4, -1)\nreturn x[:, places[0], places[1]]", 1),
        ("places = torch.arange(4)\nreturn x[:, places[0]]", 0),
        ("places = torch.tensor(y)\nreturn x[places[:, 0], places[:, 1]]", 1),
        ("places = torch.tensor(y)\nreturn x[places[1, 0]]", 0),
        ("some = torch.ones(4, dtype=torch.bool)\nreturn x[some]", 0),
        ("return self.items[range(3)]", 0),
        ("return [x[row] for row in range(3)]", 0),
    ],
)
def test_ranges_as_indices_are_lists(body: str, found: int) -> None:
    assert len(lint("OVH408", forward(body))) == found


@pytest.mark.parametrize(
    ("annotation", "kept", "found"),
    [
        ("list[int] | None", "places", 2),
        ("Optional[List[int]]", "places", 2),
        ("typing.Sequence[int]", "places", 2),
        ("list[int]", "make(places)", 1),
        ("tuple[int, int]", "places", 0),
        ("list[slice]", "places", 0),
        ("int", "places", 0),
    ],
)
def test_lists_that_a_parameter_is_annotated_as_are_copied_as_indices(
    annotation: str, kept: str, found: int
) -> None:
    text = f"""
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self, places: {annotation} = None):
                super().__init__()
                self.places = {kept}
            def forward(self, x: torch.Tensor, rows: {annotation}):
                return x[:, self.places], x[rows]
    """
    assert len(lint("OVH408", text)) == found


@pytest.mark.parametrize(
    ("made", "body", "found"),
    [
        ("np.tril_indices(4, k=-1)", "return x[self.places]", 1),
        ("np.tril_indices(4, k=-1)", "return x[self.places[0], self.places[1]]", 1),
        ("np.diag_indices(4)", "x[self.places[0], self.places[1]] = x.sum()\nreturn x", 1),
        ("np.arange(4)", "return x[self.places]", 1),
        ("np.arange(4)", "return x[self.places[0]]", 0),
        ("np.tril_indices(4)", "places = self.places\nreturn x[places[0]]", 0),
        ("np.tril_indices(4)", "return x[self.places[:1]]", 1),
        ("np.arange(4)", "places = self.places[1:3]\nreturn x[places]", 1),
        ("make(4)", "return x[self.places[1:3]]", 0),
        ("make(4)", "return x[self.places[0], self.places[1]]", 0),
    ],
)
def test_arrays_that_are_kept_are_copied_wherever_they_index(made: str, body: str, found: int) -> None:
    text = "import numpy as np\n" + forward(body, init=f"self.places = {made}")
    assert len(lint("OVH408", text)) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("mean = torch.zeros(3)\nreturn x + torch.normal(mean=mean, std=mean + 1).to(x.device)", 1),
        ("return x + torch.normal(mean=x, std=torch.abs(x)).to(x.device)", 0),
        ("return x + torch.tensor(self.made.y).T.to(x.device)", 1),
        ("return x + torch.tensor(self.made.y).grad.to(x.device)", 0),
    ],
)
def test_what_is_made_of_tensors_of_the_host_is_copied(body: str, found: int) -> None:
    assert len(lint("OVH408", forward(body))) == found


def test_what_the_constructor_of_something_made_in_steps_keeps_is_made_anew() -> None:
    text = """
    import torch
    class Solver:
        def __init__(self, x: torch.Tensor, safety=0.9, most=2**31 - 1, given=None):
            self.safety = torch.as_tensor(safety, device=x.device)
            self.most = torch.as_tensor(most, device=x.device)
            self.given = torch.as_tensor(given, device=x.device)
        def start(self, x: torch.Tensor):
            self.first = torch.as_tensor(0.0, device=x.device)
    def train(net, loader):
        for x in loader:
            net(Solver(x).start(x)).sum().backward()
    """
    assert [finding.span.line for finding in lint("OVH408", text)] == [5, 6]
    assert lint("OVH408", text.replace("net(Solver(x).start(x))", "net(x)")) == []


@pytest.mark.parametrize(
    ("base", "method", "found"),
    [
        ("nn.Module", "forward", 3),
        ("nn.Module", "collate_rows", 0),
        ("torch.utils.data.Dataset", "forward", 0),
        ("torch.utils.data.Sampler", "__iter__", 0),
    ],
)
def test_what_loads_data_works_on_the_host(base: str, method: str, found: int) -> None:
    text = f"""
        import torch
        from torch import nn
        class Rows({base}):
            def {method}(self, x: torch.Tensor):
                y = x.new_tensor([1.0, 2.0])
                z = torch.tensor([1.0, 2.0]).to(x.device)
                return x[[1, 0]] + y + z
    """
    assert len(lint("OVH408", text, Heat.PRESUMED)) == found


@pytest.mark.parametrize(
    ("kept", "body", "found"),
    [
        ("[1, 2]", "return x[:, self.places]", 1),
        ("list(places)", "return x[:, self.places]", 1),
        ("sorted(places)", "return x[:, self.places, None]", 1),
        ("[int(place) for place in places]", "return x[self.places]", 1),
        ("list(places)", "return x[self.places]", 0),  # of slices it would be no copy
        ("tuple(places)", "return x[:, self.places]", 0),
        ("(1, 2)", "return x[self.places]", 0),
        ("[x for x in places] if places else 0", "return x[:, self.places]", 0),
        ("places", "return x[:, self.places]", 0),
        ("list(places)", "return [1, 2][self.places]", 0),
    ],
)
def test_lists_that_are_kept_are_copied_wherever_they_index(kept: str, body: str, found: int) -> None:
    text = forward(body, init=f"self.places = {kept}").replace("__init__(self", "__init__(self, places")
    assert len(lint("OVH408", text)) == found


@pytest.mark.parametrize(
    ("index", "becomes"),
    [
        ("[-1]", "-1:"),
        ("[-2]", "-2:-1"),
        ("[-3, -2, -1]", "-3:"),
        ("[-4, -2]", "-4:-1:2"),
        ("[0]", ":1"),
        ("[-1, 0]", None),
        ("[-1, 0, 1]", None),
        ("[-1, -2]", None),
        ("[True]", None),
    ],
)
def test_places_from_the_back_become_slices(index: str, becomes: str | None) -> None:
    after = fix("OVH408", forward(f"return x[:, {index}] * 2"), unsafe=True)
    assert (f"x[:, {becomes}] * 2" in after) if becomes else (f"x[:, {index}] * 2" in after)


@pytest.mark.parametrize(
    ("made", "becomes", "is_safe"),
    [
        (
            "torch.FloatTensor([0.5]).to(x.device)",
            "torch.full((1,), 0.5, dtype=torch.float32, device=x.device)",
            True,
        ),
        (
            "torch.LongTensor([0, 0]).to(x.device)",
            "torch.full((2,), 0, dtype=torch.int64, device=x.device)",
            True,
        ),
        ("torch.LongTensor([3]).cuda()", 'torch.full((1,), 3, dtype=torch.int64, device="cuda")', True),
        (
            "torch.HalfTensor([1e6]).to(x.device)",
            "torch.full((1,), 1e6, dtype=torch.float16, device=x.device)",
            False,
        ),
        (
            "torch.IntTensor([0, 2, 4]).to(x.device)",
            "torch.arange(0, 5, 2, dtype=torch.int32, device=x.device)",
            True,
        ),
        (
            "torch.ByteTensor([-1]).to(x.device)",
            "torch.full((1,), -1, dtype=torch.uint8, device=x.device)",
            False,
        ),
        ("torch.FloatTensor(4).to(x.device)", "torch.FloatTensor(4).to(x.device)", True),  # a size
        ("torch.FloatTensor((0.5,)).to(x.device)", "torch.FloatTensor((0.5,)).to(x.device)", True),
    ],
)
def test_classes_of_tensors_have_a_dtype(made: str, becomes: str, is_safe: bool) -> None:
    text = forward(f"return x + {made}")
    assert f"x + {becomes}\n" in fix("OVH408", text, unsafe=True)
    assert (f"x + {becomes}\n" in fix("OVH408", text, unsafe=False)) is is_safe
    if is_safe and "x.device" in made and "[" in made:
        x = torch.ones(2, 1)
        one, other = eval(made, {"x": x, "torch": torch}), eval(becomes, {"x": x, "torch": torch})
        assert torch.equal(one, other) and one.dtype is other.dtype and one.shape == other.shape


RESHAPED = [
    ("torch.arange(x.size(0)).unsqueeze(0)", "torch.arange(x.size(0), device=x.device).unsqueeze(0)", True),
    ("torch.arange(4)[None, :, ...]", "torch.arange(4, device=x.device)[None, :, ...]", True),
    ("torch.zeros(2, 3).t().view(3, -1)", "torch.zeros(2, 3, device=x.device).t().view(3, -1)", True),
    (
        "torch.ones(2, dtype=int).float().view(1, 2)",
        "torch.ones(2, dtype=int, device=x.device).float().view(1, 2)",
        True,
    ),
    ("torch.ones(2).bool()", None, False),  # OVH701's
    ("torch.ones(2).float()", "torch.ones(2, device=x.device).float()", True),
    ("torch.eye(2).repeat(2, 1)", "torch.eye(2, device=x.device).repeat(2, 1)", True),
    (
        "torch.arange(0.0, 1.0, 0.3).view(-1, 1)",
        "torch.arange(0.0, 1.0, 0.3, device=x.device).view(-1, 1)",
        False,
    ),
    (
        "torch.arange(3).unsqueeze(1).expand(3, 2)",
        "torch.arange(3, device=x.device).unsqueeze(1).expand(3, 2)",
        False,
    ),
    ("torch.arange(8).view(2, 4)[:, ::2]", "torch.arange(8, device=x.device).view(2, 4)[:, ::2]", False),
    ("torch.linspace(0, 1, 4).view(2, 2)", None, False),
    ("torch.arange(4).view(2, 2).sin()", None, False),
    ("torch.arange(4)[0].view(1)", None, False),
    ("torch.zeros(2, pin_memory=False).view(1, 2)", None, False),
    ("(torch.arange(4) * 2).view(2, 2)", None, False),
]


@pytest.mark.parametrize(("made", "becomes", "is_safe"), RESHAPED)
def test_what_is_reshaped_before_it_is_moved_is_made_there(
    made: str, becomes: str | None, is_safe: bool
) -> None:
    before = forward(f"return {made}.to(x.device), x")
    after = fix("OVH408", before, unsafe=True)
    if becomes is None:
        assert after == before
        return
    assert f"return {becomes}, x\n" in after
    assert fix("OVH408", before, unsafe=False) == (after if is_safe else before)
    x = torch.ones(4, 1)
    one, other = eval(made, {"x": x, "torch": torch}), eval(becomes, {"x": x, "torch": torch})
    assert torch.equal(one, other) and one.dtype is other.dtype and one.stride() == other.stride()


def test_a_device_that_has_to_be_asked_for_is_asked_for_where_it_was() -> None:
    before = forward("return torch.arange(4).view(2, 2).to(where())")
    assert fix("OVH408", before.replace("where", "get_device"), unsafe=True) == before.replace(
        "where", "get_device"
    )
