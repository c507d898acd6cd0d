"""OVH407: copies of batches that make the host wait."""

from __future__ import annotations

import textwrap

import pytest
from rule_cases import fix, forward, lines, lint
from stream_cases import training

from overhead_lint.rule import Applicability


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("x = batch.to(device)", "x = batch.to(device, non_blocking=True)"),
        ("x = batch[0].cuda()", "x = batch[0].cuda(non_blocking=True)"),
        ("x, y = batch\ny = y.to(device=device)", "y = y.to(device=device, non_blocking=True)"),
        ("x = [t.to(device) for t in batch]", "x = [t.to(device, non_blocking=True) for t in batch]"),
        ("x = batch.images.to(device)", "x = batch.images.to(device, non_blocking=True)"),
        (
            "x = torch.from_numpy(data).pin_memory().to(device)",
            "x = torch.from_numpy(data).pin_memory().to(device, non_blocking=True)",
        ),
    ],
)
def test_batches_are_copied_without_waiting(body: str, fixed: str) -> None:
    text = training(body, before="loader = DataLoader(data, pin_memory=True)")
    (finding,) = lint("OVH407", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert fixed in fix("OVH407", text)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("x, y = map(lambda t: t.to(device), batch)", 1),
        ("x, y = map(lambda t, device: t.to(device), batch, devices)", 1),
        ("x, y = map(lambda device, t: t.to(device), devices, batch)", 1),
        ("x, y = batch\nx, y = map(lambda t: t.to(device), (x, y))", 1),
        ("x, y = batch\nx, y = [t.to(device) for t in (x, y)]", 1),
        ("batch = tree_map(lambda t: t.to(device), batch)", 1),
        ("def move(t):\n    return t.to(device)\nx, y = map(move, batch)", 1),
        ("def move(t):\n    return t.to(device)\nx, y = map(move, batch)\nx = move(model(x))", 0),
        ("def move(t):\n    return t.to(device)\nx, y = map(other, batch)", 0),
        ("x, y = map(lambda t: t.to(device), model(batch))", 0),
        ("x, y = batch\nx, y = map(lambda t: t.to(device), (x, model(y)))", 0),
        ("x, y = map(lambda t: t.to(device), *batch)", 0),
        ("x, y = pool.map(lambda t: t.to(device), batch)", 0),
        ("map = Table()\nx, y = map(lambda t: t.to(device), batch)", 0),
    ],
)
def test_items_that_are_mapped_are_those_of_the_batch(body: str, found: int) -> None:
    head = "from torch.utils._pytree import tree_map\n"
    assert len(lint("OVH407", head + training(body))) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("item.x = batch.x.to(device)", 1),
        ("first = next(train_loader_iter)\nitem.x = first['x'].to(device)", 1),
        ("self.x = batch.x.to(device)", 0),
    ],
)
def test_parts_of_batches_may_be_kept_in_one(body: str, found: int) -> None:
    assert len(lint("OVH407", training(f"item = Item()\n{body}"))) == found


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        ("if len(batch) == 2:\n    x, y = batch\nelse:\n    x, y, mask = batch", 1),
        (
            "if len(batch) == 2:\n    x, y = batch\nelif y:\n    x = batch.x\nelse:\n    raise ValueError",
            1,
        ),
        ("if len(batch) == 2:\n    x, y = batch\nelse:\n    x = model(batch)", 0),
        ("if len(batch) == 2:\n    x = batch[0].cuda()\nelse:\n    x = batch", 1),
        ("if len(batch) == 2:\n    x, y = batch\nelse:\n    for x in batch:\n        pass", 0),
    ],
)
def test_a_batch_that_is_taken_apart_in_each_branch_is_one(choice: str, found: int) -> None:
    assert len(lint("OVH407", training(f"{choice}\nx = x.to(device)"))) == found


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ('torch.tensor([row["n"] for row in rows], device="cuda")', "OVH408"),
        ('torch.tensor([row["n"] for row in rows], device=torch.device("cuda:0"))', "OVH408"),
        ('torch.tensor([row["n"] for row in rows], device=device)', ""),
        ("torch.from_numpy(np.stack(rows)).cuda()", "OVH407"),
        ("torch.from_numpy(np.stack(rows)).to(device)", ""),
    ],
)
def test_samples_are_copied_one_by_one_where_what_loads_them_names_the_device(made: str, code: str) -> None:
    text = f"import numpy as np\nimport torch\n\ndef collate(rows, device):\n    return {made}\n"
    found = [finding.code for code in ("OVH407", "OVH408") for finding in lint(code, text)]
    assert found == ([code] if code else [])


@pytest.mark.parametrize(
    ("loader", "before", "fixed"),
    [
        ("DataLoader(data, pin_memory=True)", "pass", True),
        ("loader", "loader = DataLoader(data, pin_memory=device.type == 'cuda')", True),
        ("loader", "loader = DataLoader(data)", True),
        ("loader", "loader = DataLoader(data) if step else DataLoader(data)", False),
        ("loader", "loader = [data]", False),
        ("DataLoader(data, pin_memory=False)", "pass", False),
        ("DataLoader(data, 1, False, None, None, 0, None, True)", "pass", True),
        ("DataLoader(data, 1, False, None, None, 0, None, False)", "pass", False),
        ("DataLoader(data, **options)", "pass", False),
        ("DataLoader(*options)", "pass", False),
        ("tqdm(self.train_loader)", "pass", False),
    ],
)
def test_copy_of_a_batch_is_fixed_where_its_loader_pins_or_can(loader: str, before: str, fixed: bool) -> None:
    text = training("x = batch.to(device)", loader=loader, before=before)
    (finding,) = lint("OVH407", text)
    assert (finding.fix is not None) is fixed


PINNED = """\
import torch
from torch.utils.data import DataLoader


def train(model, loader, device):
    for x, y in loader:
        x = x.to(device)
        y = y.to(device)
        model(x, y).backward()


class Trainer:
    def __init__(self, data):
        self.loader = DataLoader(data, batch_size=4)

    def run(self, model, device):
        for batch in self.loader:
            model(batch.to(device)).backward()


train(torch.nn.Linear(1, 1), DataLoader([1], 2), torch.device("cuda"))
train(torch.nn.Linear(1, 1), DataLoader([2], 2), torch.device("cuda"))
"""


def test_all_loaders_of_a_batch_pin_their_memory() -> None:
    after = fix("OVH407", PINNED)
    assert after.count("non_blocking=True") == 3
    assert "DataLoader([1], 2, pin_memory=True)" in after
    assert "DataLoader([2], 2, pin_memory=True)" in after
    assert "DataLoader(data, batch_size=4, pin_memory=True)" in after


def test_both_or_neither() -> None:
    """Without pinned memory it gains nothing, so one loader that others make keeps the fix away."""
    after = fix("OVH407", PINNED.replace("DataLoader([2], 2)", "make_loader()"))
    train, trainer = after.split("class Trainer")
    assert "non_blocking" not in train and "non_blocking=True" in trainer
    assert "DataLoader([1], 2)," in trainer


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("x = torch.from_numpy(data).to(device)", 1),
        ("x = torch.stack([torch.from_numpy(d) for d in data]).to(device)", 1),
        ("x = torch.as_tensor(np.ones(3)).cuda()", 1),
        ("x = model.to(device)", 0),
        ("x = batch.to(torch.float32)", 0),
        ("x = batch.to('cpu')", 0),
        ("x = step.to(device)", 0),
        ("model.state = torch.from_numpy(data).to(device)", 0),
        ("x = model(batch).cpu().to(device)", 0),
        ("if torch.cuda.is_available():\n    pass\nelse:\n    x = batch.to(device)", 0),
    ],
)
def test_other_data_of_the_host_gets_a_message(body: str, found: int) -> None:
    findings = lint("OVH407", training(body))
    assert len(findings) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if self.offload:\n    self.kept.copy_(x)", [11]),
        ("if self.cpu_offload and self.ready:\n    rows = [row.cpu() for row in self.rows]", [11]),
        ("if not self.offload_optimizer:\n    pass\nelse:\n    self.kept.copy_(x)", [13]),
        ('if options["offload"]:\n    self.kept.copy_(x)', [11]),
        ("if self.offload:\n    self.kept = [x.cpu()]", [11]),
        ("if self.offload:\n    self.kept.copy_(x, non_blocking=True)", []),
        ("if not self.offload:\n    self.kept.copy_(x)", []),
        ("if self.offload or self.other:\n    self.kept.copy_(x)", []),
        ("if self.offload:\n    self.model.cpu()", []),
        ("self.kept.copy_(x)", []),
        ("rows = torch.Tensor().to(x.device)\nreturn torch.cat((rows, x))", []),
        ("rows = torch.Tensor(self.rows).to(x.device)\nreturn torch.cat((rows, x))", [10]),
    ],
)
def test_copies_in_a_branch_for_offloading(body: str, found: list[int]) -> None:
    assert lines("OVH407", forward(body, header="import torch\nfrom torch import nn\noptions = {}")) == found


def test_what_is_offloaded_is_told_as_a_copy_and_not_as_a_read() -> None:
    body = "if self.offload:\n    kept = [x.cpu()]\nelse:\n    kept = [x.sum().cpu()]\nreturn kept"
    text = forward(body, header="import torch\nfrom torch import nn")
    assert len(lines("OVH407", text)) == 1
    assert [line - 2 for line in lines("OVH404", text)] == lines("OVH407", text)


def test_batches_of_a_bar_that_is_entered_come_from_its_loader() -> None:
    text = """
    import torch
    def fit(model, train_loader, device):
        with tqdm(enumerate(train_loader)) as bar, other() as bars:
            for _, (x, y) in bar:
                model(x.to(device)).backward()
            for x in bars:
                model(x.to(device)).backward()
    """
    assert lines("OVH407", textwrap.dedent(text)) == [6]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("y = y['label'].long().to(device)", 1),
        ("y = y['label'].float().cuda()", 1),
        ("y = y['label'].sum().to(device)", 0),
        ("y = {k: v.to(device) for k, v in y.items()}\n        z = y['label'].long().to(device)", 1),
        ("y = y.cuda()\n        z = y.to(device)", 1),
        ("y = y.unsqueeze(1)\n        z = y.to(device)", 1),
    ],
)
def test_batches_that_are_converted_before_they_are_copied_and_those_that_were_copied(
    body: str, found: int
) -> None:
    text = f"""
import torch
def fit(model, loader, device):
    for x, y in loader:
        {body}
        model(y).backward()
"""
    assert len(lines("OVH407", text)) == found


def test_a_batch_is_copied_first_and_then_converted() -> None:
    text = """
    import torch
    def fit(model, loader, dev):
        for x, y in loader:
            model(x.to(dev), y.long().to(dev)).backward()
    """
    helps = [one.help for one in lint("OVH407", text)]
    assert helps == [
        "pass non_blocking=True, with pin_memory=True for the loader",
        "copy it first, with non_blocking=True, and convert it on the device",
    ]


@pytest.mark.parametrize(
    ("device", "found"),
    [
        ("torch.device('cpu')", 0),
        ("'cpu'", 0),
        ("torch.device('meta')", 0),
        ("torch.device('cuda')", 1),
        ("torch.device('cuda' if torch.cuda.is_available() else 'cpu')", 1),
        ("other()", 1),
    ],
)
def test_devices_by_a_local_name(device: str, found: int) -> None:
    text = f"""
    import torch
    def fit(model, loader):
        device = {device}
        for x in loader:
            model(x.to(device)).backward()
    """
    assert len(lines("OVH407", textwrap.dedent(text))) == found


MOVERS = """
import torch
from torch.utils._pytree import tree_map

{helper}

for batch in loader:
    model(move(batch, "cuda")).backward()
"""


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("TensorDataset(x.to(device), y.cuda())", 0),
        ("TensorDataset(x.to(device), y)", 1),
        ("TensorDataset(x.to('cpu'), y.cuda())", 1),
        ("TensorDataset(x.to(torch.float64), y.to(torch.float64))", 1),
        ("TensorDataset(x.to(device), moved)", 0),
        ("Rows(x.to(device), y.to(device))", 1),
    ],
)
def test_a_data_set_of_tensors_that_were_moved_gives_batches_of_the_device(made: str, found: int) -> None:
    text = f"""
    import torch
    from torch.utils.data import DataLoader, TensorDataset
    def fit(model, x, y, device):
        moved = y.to(device=device)
        data = {made}
        loader = DataLoader(data, batch_size=8)
        for inputs, labels in loader:
            model(inputs.to(device)).backward()
    """
    assert len(lines("OVH407", textwrap.dedent(text))) == found


@pytest.mark.parametrize(
    ("helper", "found"),
    [
        (
            "def move(item, device):\n    if isinstance(item, dict):\n"
            "        return {k: move(v, device) for k, v in item.items()}\n    return item.to(device)",
            [8],
        ),
        ("def move(item, device):\n    return tree_map(lambda t: t.to(device), item)", [6]),
        (
            "def move(item, device):\n    def f(t):\n        return t.to(device)\n    return walk(f, item)",
            [7],
        ),
        ("def move(item, device):\n    return item.to(device)", [6]),  # all calls pass batches of the loader
        ("def move(item, device):\n    return item.to(device)\nmove(net, 'cuda')", []),
        ("def move(item, device):\n    item = pad(item)\n    return item.to(device)", []),
        ("def move(device, item):\n    return item.to(device)", []),
        (
            "def move(item, device):\n    moved = {}\n    for key in item.keys():\n"
            "        moved[key] = item[key].to(device)\n    return moved",
            [8],
        ),
        (
            "def set_up_inputs(item, device):\n    moved = {}\n    for key in item.keys():\n"
            "        moved[key] = item[key].to(device)\n    return moved\n"
            "def move(item, device):\n    return set_up_inputs(item, device)",
            [8],
        ),
        ("def move(item, device):\n    return {k: v.to(device) for k, v in item.items()}", [6]),
        (
            "def move(item, device):\n"
            "    return {k: v.to(DEVICE) if torch.is_tensor(v) else v for k, v in item.items()}",
            [6],
        ),
        (
            "def move(item, device):\n    for key in list(item.keys()):\n"
            "        item[key] = item[key].to(device)\n    return item",
            [7],
        ),
        ("def move(state_dict, device):\n    return {k: v.to(device) for k, v in state_dict.items()}", []),
        ("def move(item, device):\n    return {k: other.to(device) for k, v in item.items()}", []),
        ("def move(item, device):\n    return tree_map(lambda t: t.to(device, non_blocking=True), item)", []),
    ],
)
def test_helpers_that_move_batches(helper: str, found: list[int]) -> None:
    assert lines("OVH407", MOVERS.format(helper=helper)) == found


@pytest.mark.parametrize(
    ("helper", "found"),
    [
        ("def move(item, device):\n    return item.to(device)", []),
        ("def move(item, device):\n    return {k: v.to(device) for k, v in item.items()}", [6]),
        ("def move(item, x: torch.Tensor):\n    return {k: v.to(x.device) for k, v in item.items()}", []),
        ("def move(item, device):\n    return {k: v.to(device) for v, k in item.items()}", []),
        ("def move(output, device):\n    return {k: v.to(device) for k, v in output.items()}", []),
    ],
)
def test_helpers_that_move_what_may_be_anything(helper: str, found: list[int]) -> None:
    text = MOVERS.format(helper=helper).replace("move(batch", "move(read(batch)")
    assert lines("OVH407", text) == found
