"""OVH404: which reads of a tensor make the host wait."""

from __future__ import annotations

import textwrap

import pytest
from rule_cases import forward, lines, lint
from stream_cases import calling, training


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return x.sum().item()", 1),
        ("return float(x.sum().item())", 1),
        ("return x.detach().cpu().numpy().tolist()", 1),
        ("return x.numpy()", 0),
        ("return x.numpy(force=True)", 1),
        ("return x.to('cpu').sum().item()", 1),
        ("return x.to('cpu', non_blocking=True)", 0),
        ("return x.to(device='cpu')", 1),
        ("return x.to('cuda')", 0),
        ("return int(x.shape[0]) + int(x.size(1)) + float(x.dim()) + int(x.numel())", 0),
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
        ("is_mps = x.device.type in ['mps', 'xpu']\nif is_mps:\n    x = x.cpu()\nreturn x", 0),
        ("is_xpu = x.device.type == 'xpu'\nif is_xpu:\n    x = x.cpu()\nreturn x", 1),
        ("if x.device.type in ['mps', 'cuda']:\n    x = x.cpu()\nreturn x", 1),
        ("return x.cpu() if x.device.type == 'mps' else x", 0),
        ("return x if x.device.type == 'mps' else x.cpu()", 1),
        ("if x.device.type != 'cuda':\n    x = x.cpu()\nreturn x", 0),
        ("if not x.is_cuda:\n    x = x.cpu()\nreturn x", 0),
        ("on_host = x.device.type not in ('cuda', 'xpu')\nif on_host:\n    x = x.cpu()\nreturn x", 0),
        ("if x.device.type != 'cpu':\n    x = x.cpu()\nreturn x", 1),
        ("if x.device.type != 'cpu':\n    x = x * 2\nelse:\n    x = x.cpu()\nreturn x", 0),
        ("if x.device.type != 'cuda':\n    x = x * 2\nelse:\n    x = x.cpu()\nreturn x", 1),
        ("if not x.is_cpu:\n    x = x.cpu()\nreturn x", 1),
        ("return self.env.step(x.argmax(1).cpu().numpy())", 0),
        ("action = x.sum().item()\nreturn other.train_envs.step(action)[0]", 0),
        ("action = x.sum().item()\nreturn other.optim.step(action)[0]", 1),
        ("action = x.sum().item()\nother.env.step(x)\nreturn action", 1),
        ("if x.device.type in ('mps', 'npu'):\n    return x.sum().item()", 0),
        ("if x.device.type == 'cuda':\n    return x.sum().item()", 1),
        ("if x.device.type != 'mps':\n    return x.sum().item()", 1),
        ("if x.device.type != 'cpu':\n    raise ValueError(x.device)\nreturn x.sum().item()", 0),
        ("assert not x.is_cuda\nreturn x.sum().item()", 0),
        ("if x.is_cuda:\n    return x\nfor _ in y:\n    x.sum().item()", 0),
        ("if y.is_cuda:\n    raise ValueError(y.device)\nreturn x.sum().item()", 1),
        (
            "if x.device.type != 'cpu' or len(x) == 0:\n    return x\n"
            "low, high = torch.aminmax(x.detach())\nspread = high - low\nreturn spread.item()",
            0,
        ),
        ("if x.device.type != 'cpu' and len(x) == 0:\n    return x\nreturn x.sum().item()", 1),
        ("if y.device.type != 'cpu' or len(x) == 0:\n    return x\nreturn x.sum().item()", 1),
        ("if x.device.type == 'mps' and len(y) > 1:\n    return x.sum().item()", 0),
        ("if x.device.type == 'mps' or len(y) > 1:\n    return x.sum().item()", 1),
        ("if len(y) > 1 and x.device.type == 'cpu' and x.any():\n    return y", 0),
        ("if x.any() and x.device.type == 'cpu':\n    return y", 1),
        ("return x.device.type != 'cpu' or x.any().item()", 0),
        ("if x.device.type == 'mps' or not (x.is_cuda or y):\n    return x.sum().item()", 0),
        ("if x.device.type == 'cpu':\n    raise ValueError(x.device)\nreturn x.sum().item()", 1),
        ("if x.device.type != 'cpu':\n    x = x.to(y)\nreturn x.sum().item()", 1),
        ("torch.cuda.synchronize()\nreturn x.sum().item()", 0),
        ("soundfile.write('a.wav', x.detach().cpu().numpy(), 16000)\nreturn x", 0),
        ("image = Image.fromarray(x.cpu().numpy())\nreturn image", 0),
        ("file.write(x.sum().item())\nreturn x", 1),
        ("import cv2\nreturn cv2.resize(x.cpu().numpy(), (2, 2))", 0),
        ("import cv2\nfor y in x.int().cpu().numpy().astype('uint8'):\n    cv2.findContours(y)", 0),
        ("from scipy.optimize import linear_sum_assignment\ny = x.cpu()\nlinear_sum_assignment(y[0])", 0),
        ("from scipy.optimize import linear_sum_assignment\ny = x.cpu()\nreturn y + 1", 1),
        ("import cv2\ny = x.sum().item()\nreturn cv2.resize(x, (y, y))", 1),
        ("return write_later(x.cpu())", 1),
        (
            "a = 0\nfor end in torch.tensor([1, 2]):\n    y = self.parts[a:end]\n    a = end\nreturn y",
            0,
        ),
        ("total = 0\nfor y in x:\n    total = total + y\nreturn total.item()", 1),
        ("size = torch.div(x.shape[0], self.parts, rounding_mode='trunc')\nreturn x.view(size, -1)", 0),
        ("size = torch.div(x.shape[0], x.sum(), rounding_mode='trunc')\nreturn x.view(size, -1)", 1),
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
    ("body", "found"),
    [
        ("import math\nreturn math.sqrt(x.sum())", 1),
        ("import math\nreturn math.sqrt(x.shape[0])", 0),
        ("return [0 for _ in range(x.max())]", 1),
        ("return [0 for _ in range(x.size(0))]", 0),
        ("return 3 in x", 1),
        ("return 3 in x.shape", 0),
        ("return 3 not in x.tolist()", 1),
        ("return torch.equal(x, x * 2)", 1),
        ("return torch.allclose(x, self.other)", 0),
        ("return torch.arange(x.max())", 1),
        ("return torch.zeros((x.sum(), 3), device=x.device)", 1),
        ("return torch.arange(x.shape[0])", 0),
        ("return x.repeat(x.max(), 1)", 1),
        ("return x.new_full((2,), x.max())", 1),
        ("return x.expand_as(x)", 0),
        ("return x[: x.max()]", 1),
        ("return x[:, x.shape[0] - 1 :]", 0),
        ("return any(x > 0)", 1),
        ("return any(row > 0 for row in x)", 1),
        ("return any(n > 0 for n in x.shape)", 0),
        ("return sorted(x)", 1),
        ("return [v for v in x if v > 0]", 1),
        ("return [v for v in x.shape if v > 0]", 0),
        ("return x.sum() in (0, 1)", 1),
        ("return x.dtype in (torch.half, torch.float)", 0),
    ],
)
def test_reads_that_python_makes_of_itself_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH404", forward(body))) == found


@pytest.mark.parametrize(
    ("body", "unchecked"),
    [
        ("return torch.linalg.inv(x)", "torch.linalg.inv_ex"),
        ("return torch.linalg.solve(x, x)", "torch.linalg.solve_ex"),
        ("return torch.inverse(x) @ x", "torch.linalg.inv_ex"),
        ("return x.inverse()", "torch.linalg.inv_ex"),
        ("return x.cholesky(upper=True)", "torch.linalg.cholesky_ex"),
    ],
)
def test_checks_of_linear_algebra_are_reads(body: str, unchecked: str) -> None:
    (finding,) = lint("OVH404", forward(body))
    assert "checks whether it worked" in finding.message and unchecked in (finding.help or "")


@pytest.mark.parametrize(
    "body",
    [
        "return torch.linalg.inv_ex(x).inverse",
        "return torch.linalg.eigh(x)",
        "return self.names.inverse()",
        "return torch.linalg.inv(torch.eye(3))",
        "try:\n    x = torch.linalg.cholesky(x)\nexcept RuntimeError:\n    x = x + 1\nreturn x",
    ],
)
def test_linear_algebra_that_checks_nothing_or_has_to_is_silent(body: str) -> None:
    assert lint("OVH404", forward(body)) == []


def test_what_a_data_set_runs_reads_tensors_of_the_host() -> None:
    text = """
        from torch.utils.data import Dataset
        class Clips(Dataset):
            def __getitem__(self, i):
                return clip(self.times[i])
        def clip(times):
            return int(times[0].item()), times.cpu().numpy()
    """
    assert lint("OVH404", text) == []
    of_project = text.replace("(Dataset)", "(BaseDataset)")
    assert lint("OVH404", f"{of_project}\n        class BaseDataset(Dataset):\n            pass\n") == []
    further = "def clip(times):\n            return cut(times)\n        def cut(times):"
    assert lint("OVH404", text.replace("def clip(times):", further)) == []
    assert len(lint("OVH404", text.replace("def clip(times):", further.replace("cut", "encode")))) == 2
    step = """
        def train(loader):
            for batch in loader:
                batch.loss.backward()
                clip(batch.times)
    """
    assert len(lint("OVH404", text + step)) == 2
    assert len(lint("OVH404", text.replace("(Dataset)", "(torch.nn.Module)").replace("getitem", "call"))) == 2


@pytest.mark.parametrize("head", ["def collate_packed(rows: list) -> torch.Tensor:", "class Collator:"])
def test_what_puts_batches_together_reads_tensors_of_the_host(head: str) -> None:
    body = "return mask(torch.stack(rows))"
    if head.startswith("class"):
        body = f"def __call__(self, rows: list) -> torch.Tensor:\n        {body}"
    text = f"""
import torch

{head}
    {body}

def mask(lengths: torch.Tensor) -> torch.Tensor:
    return torch.ones(int(lengths.max()))
"""
    assert lint("OVH404", text) == []
    step = "\ndef train(loader):\n    for batch in loader:\n        mask(batch).backward()\n"
    assert len(lint("OVH404", text + step)) == 1


@pytest.mark.parametrize(("begins", "found"), [("loss.backward()", [8]), ("loss.sum()", [])])
def test_samplers_that_differentiate_are_none_of_a_data_set(begins: str, found: list[int]) -> None:
    text = f"""
        import torch
        from samplers import Sampler
        class Walk(Sampler, torch.optim.Optimizer):
            def step(self, closure):
                loss = torch.exp(closure())
                {begins}
                return loss.item()
    """
    assert lines("OVH404", text) == found


def test_element_reads_are_not_reported_as_single_ones_too() -> None:
    assert lint("OVH404", forward("return [v.item() for v in x]")) == []
    assert len(lint("OVH404", forward("for v in x:\n    if v > 0:\n        break"))) == 1


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return max(1, x.sum())", 1),
        ("return min(x.size(0), 3)", 0),
        ("y = make(x)\nreturn y.item()", 1),
        ("y = make(x)\nreturn y[0].abs().item()", 1),
        ("y = make(x)\nreturn y.sum().cpu().numpy()", 1),
        ("a, b = make(x)\nreturn (self.scale * -a / (b + 1)).item() if x.size(0) else 0.0", 1),
        ("import numpy\na, b = make(x)\nreturn (a / b).item()", 0),
        ("a_cpu, b = make(x)\nreturn (a_cpu / b).item()", 0),
        ("return (self.scale / 2).item()", 0),
        ("a, b = make(x)\nreturn (a / b).tolist()", 0),
        ("y = make(x)\nreturn y.cpu()", 0),
        ("y = make(x)\nreturn y.cpu().item()", 1),
        ("sizes_cpu = make(x)\nreturn sizes_cpu[0].item()", 0),
        ("y = make(x)\nreturn y.tolist()", 1),
        ("import numpy\ny = make(x)\nreturn y.tolist()", 0),
        ("return self.places.tolist()", 0),
        ("return self.metrics[0](x).item()", 1),
        ("return self.metrics[0].item()", 0),
        ("return self.policy(x).spread.mean().item()", 1),
        ("import numpy\nreturn self.policy(x).spread.mean().item()", 0),
        ("return self.spread_cpu.mean().item()", 0),
        ("return self.embed[-1].alpha.data.item(), self.embed[-1].alpha.item()", 1),
        ("y = make(x)\nreturn y.sizes.item()", 0),
        ("return self.other.item()", 0),
        ("return self.other.float().norm(2).tolist()", 1),
        ("return torch.stack([one.kept.cpu() for one in self.many])", 1),
        ("return torch.column_stack([one.kept.cpu() for one in self.many])", 1),
        ("return torch.cat((self.many(x).kept.cpu(), x.cpu()))", 2),
        ("return torch.stack([one.on_cpu.cpu() for one in self.many])", 0),
        ("return [one.kept.cpu() for one in self.many]", 0),
        ("return make([one.kept.cpu() for one in self.many])", 0),
    ],
)
def test_reads_that_only_tensors_have_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH404", forward(body))) == found


def test_batches_of_a_loader_are_on_the_host_until_they_are_moved() -> None:
    text = training("count = batch['count'].sum().item()", loader="train_loader")
    assert lint("OVH404", text) == []


@pytest.mark.parametrize("head", ["class OnnxNet(nn.Module)", "class Net(nn.Module)"])
def test_setters_and_classes_for_another_runtime_are_silent(head: str) -> None:
    name = "fill" if "Onnx" in head else "set_steps"
    text = calling(name, "x.item()").replace("class Net(nn.Module)", head)
    assert lint("OVH404", text) == []
    assert lines("OVH404", calling("fill", "x.item()")) == [12]


def test_functions_for_the_host_are_silent() -> None:
    assert lint("OVH404", calling("fill_cpu", "x.item()")) == []


@pytest.mark.parametrize("name", ["_to_cpu", "fill_cpu"])
@pytest.mark.parametrize("copied", ["x.cpu()", "x.detach().to('cpu')", "x.to(device='cpu')"])
def test_functions_that_copy_to_the_host_are_given_what_is_elsewhere(name: str, copied: str) -> None:
    assert lines("OVH404", calling(name, copied)) == [12]


def test_a_size_is_what_was_assigned_above_it_and_not_a_tensor_that_comes_later() -> None:
    body = "q = math.ceil(x.shape[1] / self.size) * self.size + self.size\ny = x.view(q, 3)\nz = x[:q]\n"
    text = forward(
        f"{body}q = x.sum()\nreturn y[:q]", header="import math\nimport torch\nfrom torch import nn"
    )
    (line,) = lines("OVH404", text)
    assert "return y[:q]" in text.splitlines()[line - 1]


TRUTH = """
import torch
{header}
def training_step(thing, mask):
    {test}
        pass
"""


@pytest.mark.parametrize(
    ("header", "test", "found"),
    [
        ("", "if mask.any():", [5]),
        ("", "while not (mask[:, 1:] >= 1).all():", [5]),
        ("import numpy as np", "if mask.any():", []),
        ("", "if mask.any(thing):", []),
        ("", "if thing.kept.mask.any():", []),
    ],
)
def test_truth_of_something_unknown_is_read_where_nothing_is_an_array(
    header: str, test: str, found: list[int]
) -> None:
    assert lines("OVH404", TRUTH.format(header=header, test=test)) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("order = torch.arange(4, device=x.device)\nreturn [x[order[i], 1] for i in range(4)]", 1),
        ("rows = torch.where(x > 3)[0]\nreturn x[rows[0]]", 1),
        ("first = torch.argsort(x.flatten())[0]\nreturn x[first]", 1),
        ("return x[torch.zeros(3, dtype=torch.long, device=x.device)[-1]]", 1),
        ("order = torch.argsort(x)\nreturn x[order[0]]", 0),
        ("order = torch.arange(4, device=x.device)\nreturn x[order[1:]]", 0),
        ("rows = torch.where(x > 3)\nreturn x[rows[0]]", 0),
    ],
)
def test_one_element_of_a_row_that_tells_a_place_is_read(body: str, found: int) -> None:
    assert len(lint("OVH404", forward(body))) == found


@pytest.mark.parametrize(
    ("default", "instead", "call", "found"),
    [
        ("None", "if size is None:\n        size = lengths.data.max()", "mask(x)", 1),
        ("None", "if not size:\n        size = torch.max(lengths)", "mask(x)", 1),
        ("0", "size = size if size > 0 else lengths.max()", "mask(x)", 1),
        ("-1", "if size <= 0:\n        size = lengths.max()", "mask(lengths=x)", 1),
        ("None", "size = size or lengths.max()", "mask(x) | mask(x, 3)", 1),
        ("None", "size = size or lengths.max()", "mask(x, 3)", 0),
        ("None", "size = size or lengths.max()", "mask(x, size=3)", 0),
        ("None", "size = size or lengths.max()", "mask(*x)", 0),
        ("None", "size = size or lengths.shape[0]", "mask(x)", 0),
        ("8", "size = size or lengths.max()", "mask(x)", 0),
        ("None", "if size is not None:\n        size = lengths.max()", "mask(x)", 1),  # others may pass one
    ],
)
def test_sizes_that_a_tensor_stands_in_for_are_reported(
    default: str, instead: str, call: str, found: int
) -> None:
    source = f"""\
import torch
from torch import Tensor, nn


def mask(lengths: Tensor, size={default}):
    {instead}
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(1)


class Net(nn.Module):
    def forward(self, x):
        return {call}
"""
    assert len(lint("OVH404", source)) == found


@pytest.mark.parametrize(
    ("made", "read", "found"),
    [
        ("y = model(x).cpu()", "y.mean().item()", 0),
        ("y = model(x).to('cpu')", "(y * 2).mean().item()", 0),
        ("y = model(x).cpu()\n    z = y - truth", "z.view(-1)[z > 0].mean().item()", 0),
        ("y = model(x).cpu()\n    z = torch.sum((y - truth) ** 2, dim=0).sqrt()", "z.mean().item()", 0),
        ("y = model(x).cpu()\n    y = y.to(device)", "y.mean().item()", 1),
        ("y = model(x).cpu() if quick else model(x)", "y.mean().item()", 1),
        ("y = model(x).mean().cpu()", "torch.sum(model(x) * y, dim=0).max().item()", 1),
        ("y = model(x).cpu()", "torch.zeros(y.shape, device=device).mean().item()", 1),
        ("y = model(x)", "y.mean().item()", 1),
    ],
)
def test_what_is_computed_from_a_copy_to_the_host_is_there_already(made: str, read: str, found: int) -> None:
    text = f"""
import torch


def validate(model, loader, device, quick):
    total = 0.0
    for x, truth in loader:
        {made.replace(chr(10) + "    ", chr(10) + "        ")}
        total += {read}
    return total
"""
    of_read = text[: text.index("total +=")].count("\n") + 1
    assert lines("OVH404", text).count(of_read) == found


@pytest.mark.parametrize(
    ("body", "call", "found"),
    [
        ("if torch.is_tensor(value):\n    value = value.item()", "note(load())", 0),
        ("if isinstance(value, torch.Tensor):\n    value = value.detach().cpu().item()", "note(load())", 0),
        (
            "if isinstance(value, torch.Tensor) and value.numel() == 1:\n    value = value.item()",
            "note(2)",
            0,
        ),
        (
            "for one in value.values():\n    if torch.is_tensor(one):\n        one = one.item()",
            "note(load())",
            0,
        ),
        ("one, other = value\nif torch.is_tensor(one):\n    one = one.tolist()", "note(load())", 0),
        ("if torch.is_tensor(value):\n    value = value.item()", "note(torch.relu(x).sum())", 1),
        (
            "if torch.is_tensor(value):\n    value = value.item()",
            "note(load()); note(torch.relu(x).sum())",
            1,
        ),
        ("if torch.is_tensor(value):\n    total = value.item()", "note(load())", 1),
        ("value = read(value)\nif torch.is_tensor(value):\n    value = value.item()", "note(load())", 1),
        ("if value is not None:\n    value = value.item()", "note(torch.relu(x).sum())", 1),
    ],
)
def test_what_callers_may_give_as_a_tensor_is_theirs_to_read(body: str, call: str, found: int) -> None:
    text = f"""
import torch
def note(value):
{textwrap.indent(body, "    ")}
def train(model, loader):
    for x in loader:
        x = model(torch.relu(x))
        {call}
"""
    assert len(lint("OVH404", text)) == found


_PROGRAM = """
import torch
from torch import nn
from data import batches

def train({parameters}):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for x, y in batches():
        loss = nn.functional.mse_loss(model({x}), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
        if (x > 0).any():
            total += x[x > 0].sum().item()

{run}
"""
_AS_PROGRAM = "if __name__ == '__main__':\n    train()"


@pytest.mark.parametrize(
    ("parameters", "x", "run", "waits"),
    [
        ("", "x", _AS_PROGRAM, False),
        ("", "x", "train()", True),
        ("", "x.to(where())", _AS_PROGRAM, True),
        ("device=None", "x", _AS_PROGRAM, True),
        ("", "x", f"{_AS_PROGRAM}  # on two GPUs", True),
    ],
)
def test_programs_that_name_no_device_wait_for_none(parameters: str, x: str, run: str, waits: bool) -> None:
    text = _PROGRAM.format(parameters=parameters, x=x, run=run)
    assert bool(lint("OVH404", text)) is waits
    assert bool(lint("OVH409", text)) is waits


@pytest.mark.parametrize(("head", "found"), [("", 0), ("import torch\n", 1)])
def test_what_computes_with_another_library_alone_is_silent(head: str, found: int) -> None:
    text = f"""{head}import paddle
def train(model, loader, optimizer):
    for x, y in loader:
        loss = paddle.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total = loss.item()
"""
    assert len(lint("OVH404", text)) == found
