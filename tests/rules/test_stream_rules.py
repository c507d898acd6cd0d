"""Stream rules: which streams may be one, which reads make the host wait."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch
from rule_cases import ALL, fix, forward, lines, lint

from overhead_lint import packs
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.rule import Applicability, Heat
from overhead_lint.source import Source


def streams(body: str, init: str = "self.event = torch.cuda.Event()") -> str:
    """A forward that is given a stream; its body begins at line 10."""
    return forward(body, init=init).replace("x: torch.Tensor", "x, stream: torch.cuda.Stream, other=None")


def calling(name: str, value: str) -> str:
    """A module whose forward calls another method, which gives a value; that is on line 12."""
    text = forward(f"return self.{name}(x)")
    return f"{text}    def {name}(self, x: torch.Tensor):\n        return {value}\n"


@pytest.mark.parametrize(
    ("body", "applicability"),
    [
        ("torch.cuda.current_stream().wait_stream(stream)", Applicability.SAFE),
        ("stream.wait_stream(torch.cuda.default_stream())", Applicability.SAFE),
        ("now = torch.cuda.current_stream()\nnow.wait_stream(stream)", Applicability.SAFE),
        ("torch.cuda.current_stream().wait_stream(other)", Applicability.UNSAFE),
        ("stream = wrap(stream)\ntorch.cuda.current_stream().wait_stream(stream)", Applicability.UNSAFE),
        ("for stream in x:\n    torch.cuda.current_stream().wait_stream(stream)", Applicability.UNSAFE),
        ("s = other or torch.cuda.current_stream()\nstream.wait_stream(s)", Applicability.UNSAFE),
        ("torch.cuda.current_stream().wait_stream(torch.cuda.current_stream())", Applicability.SAFE),
        ("s = x[0] if x else torch.cuda.current_stream()\nstream.wait_stream(s)", Applicability.UNSAFE),
        ("s = None or torch.cuda.current_stream()\nstream.wait_stream(s)", Applicability.SAFE),
        (
            "if stream is None: stream = torch.cuda.current_stream()\n"
            "torch.cuda.current_stream().wait_stream(stream)",
            Applicability.SAFE,
        ),
        (
            "if other is None: other = torch.cuda.current_stream()\n"
            "torch.cuda.current_stream().wait_stream(other)",
            Applicability.UNSAFE,
        ),
        *(
            (
                f"s = torch.cuda.current_stream()\n{bound}\ntorch.cuda.current_stream().wait_stream(s)",
                Applicability.UNSAFE,
            )
            for bound in (
                "if (s := other): pass",
                "for s in other: pass",
                "with other as s: pass",
                "s, t = other",
                "s: object = other",
                "import other as s",
                "try: pass\nexcept OSError as s: pass",
            )
        ),
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


def test_streams_that_wait_for_each_other_are_reported_once() -> None:
    text = streams("self.side.wait_stream(other)\nother.wait_stream(self.side)\nreturn x")
    assert lines("OVH401", text) == [11]
    apart = streams("self.side.wait_stream(other)\nx = x + 1\nother.wait_stream(self.side)\nreturn x")
    assert lines("OVH401", apart) == []


def test_two_streams_that_callers_give_are_not_reported() -> None:
    assert lint("OVH401", streams("other.wait_stream(stream)")) == []


def test_attribute_that_is_the_current_stream_in_one_branch_is_reported() -> None:
    text = streams(
        "self.copy.wait_stream(torch.cuda.current_stream())",
        init="self.copy = torch.cuda.current_stream()\nif make():\n    self.copy = torch.cuda.Stream()",
    )
    (finding,) = lint("OVH401", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE


@pytest.mark.parametrize(
    ("init", "after", "applicability"),
    [
        ("", "", Applicability.SAFE),
        ("self.copy, self.other = make()", "", Applicability.UNSAFE),
        ("", "def give(net): net.copy = make()", Applicability.UNSAFE),
        ("", "setattr(Net(), 'copy', make())", Applicability.UNSAFE),
        ("", "class Own(Net):\n    def __init__(self): self.copy = make()", Applicability.UNSAFE),
        ("", "class Other:\n    def __init__(self): self.copy = make()", Applicability.SAFE),
        ("", "class Own(torch.cuda.Stream): pass", Applicability.UNSAFE),
    ],
)
def test_fix_is_unsafe_where_the_file_may_put_something_else_into_an_attribute(
    init: str, after: str, applicability: Applicability
) -> None:
    text = streams(
        "self.copy.wait_stream(torch.cuda.current_stream())",
        init=f"self.copy = torch.cuda.current_stream()\n{init}",
    )
    (finding,) = lint("OVH401", f"{text}\n{after}\n")
    assert finding.fix is not None and finding.fix.applicability is applicability


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


def test_wait_in_compiled_code_is_not_fixed_safely() -> None:
    text = streams("torch.cuda.current_stream().wait_stream(stream)")
    (finding,) = lint("OVH401", text.replace("    def forward", "    @torch.compile\n    def forward"))
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("torch.cuda.synchronize()", 1),
        ("torch.cuda.synchronize(x.device)", 1),
        ("torch.xpu.synchronize()", 1),
        ("torch.cuda.current_stream().synchronize()", 1),
        ("stream.synchronize()", 1),
        ("self.copy_stream.synchronize()", 1),
        ("self.event.synchronize()", 0),
        ("self.upstream.synchronize()", 0),
        ("other.synchronize(stream)", 0),
        ("self.streams.synchronize()", 0),
        ("n = x.to('cpu', non_blocking=True)\nstream.synchronize()\nx = n.tolist()", 0),
        ("n = x.to('cuda', non_blocking=True)\nstream.synchronize()", 1),
        ("if x.device.type in ('cpu', 'mps'):\n    torch.cuda.synchronize()", 0),
        ("begin = self.event.elapsed_time(other)\ntorch.cuda.synchronize()", 0),
        ("try:\n    return x\nexcept RuntimeError:\n    torch.cuda.synchronize()", 0),
    ],
)
def test_waits_for_devices_and_streams_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH405", streams(body + "\nreturn x"))) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("import gc\ngc.collect()", 1),
        ("torch.cuda.memory.empty_cache()", 1),
        ("torch.mps.empty_cache()", 1),
        ("model = make()\nmodel(x)\ndel model\ntorch.cuda.empty_cache()", 0),
        ("y = x * 2\ndel y\ntorch.cuda.empty_cache()", 1),
        ("self.cache.empty_cache()", 0),
        ("if self.debug:\n    torch.cuda.empty_cache()", 0),
        ("import time\ny = time.time()\ntorch.cuda.empty_cache()\nx = time.time() - y", 1),
    ],
)
def test_emptied_caches_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH406", forward(body + "\nreturn x"))) == found


@pytest.mark.parametrize(("name", "found"), [("MemoryProfiler", 0), ("Net", 1)])
def test_caches_that_a_profiler_empties_are_its_own(name: str, found: int) -> None:
    text = forward("torch.cuda.empty_cache()\nreturn x").replace("class Net", f"class {name}")
    assert len(lint("OVH406", text)) == found


@pytest.mark.parametrize(("name", "found"), [("MemoryProfiler", 0), ("Net", 1)])
def test_readings_of_memory_are_what_a_profiler_is_for(name: str, found: int) -> None:
    text = forward("self.used = torch.cuda.memory_allocated()\nreturn x").replace(
        "class Net", f"class {name}"
    )
    assert len(lint("OVH602", text)) == found


def test_function_that_only_empties_the_cache_is_silent_and_its_callers_decide() -> None:
    text = "import torch\ndef free():\n    torch.cuda.empty_cache()\n" + forward("free()\nreturn x")
    assert lint("OVH406", text) == []


@pytest.mark.parametrize(
    ("body", "found", "fixed"),
    [
        ("e = torch.cuda.Event()\ne.record(stream)\ne.wait(other)", 1, True),
        ("e = torch.cuda.Event()\ne.record(stream)\nother.wait_event(e)\ny = x\nreturn y", 1, True),
        ("e = torch.cuda.Event()\ne.record(stream)\nother.wait_event(e)\nreturn e", 1, False),
        ("e = torch.cuda.Event()\ne.record(stream)\nif x is None:\n    e.wait()", 1, False),
        ("e = torch.cuda.Event()\ne.record(stream)\nif x is None:\n    return x\ne.wait()", 1, False),
        ("e = torch.cuda.Event()\ne.record(stream)\ne.synchronize()", 1, False),
        ("e = torch.cuda.Event()", 1, False),
        ("e = torch.cuda.Event(False)\ne.record(stream)\ne.wait()", 1, False),
        ("e = torch.Event()\ne.record(stream)\ne.wait()", 1, False),
        ("_EVENTS = []\ne = torch.cuda.Event()\ne.record(stream)\ne.wait()", 1, False),
        ("global e\ne = torch.cuda.Event()\ne.record(stream)\ne.wait()", 1, False),
        ("self.last = torch.cuda.Event()", 1, False),
        ("side = torch.cuda.Stream()", 1, False),
        ("e = torch.cuda.Event(enable_timing=True)", 0, False),
        ("e = torch.cuda.Event()\nt = e.elapsed_time(other)", 0, False),
    ],
)
def test_event_of_a_step_comes_from_a_pool_if_it_stays_in_its_block(
    body: str, found: int, fixed: bool
) -> None:
    result = lint("OVH402", streams(body))
    assert len(result) == found
    assert [item.fix is not None for item in result] == [fixed] * found


def test_two_events_share_one_pool() -> None:
    body = "{e} = torch.cuda.Event()\n{e}.record(stream)\n{e}.wait(other)\n"
    after = fix("OVH402", streams(body.format(e="first") + body.format(e="second")))
    assert after.count("runtime.EventPool()") == 1
    assert after.count("_EVENTS.acquire()") == after.count("_EVENTS.release(") == 2


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return x.nonzero()", 1),
        ("return torch.nonzero(x > 0, as_tuple=True)", 1),
        ("return torch.where(x > 0)", 1),
        ("return torch.where(x > 0, x, 0)", 0),
        ("return x.where(x > 0, 0)", 0),
        ("return torch.masked_select(x, x > 0)", 1),
        ("return x.unique(return_counts=True)", 1),
        ("return torch.bincount(x, minlength=4)", 1),
        ("return x.to_sparse()", 1),
        ("if x.layout != torch.strided:\n    return x.to_sparse()", 0),
        ("if x.layout == torch.strided:\n    return x.to_sparse()", 1),
        ("return x @ x if x.layout == torch.strided else x.to_sparse()", 0),
        ("return x @ x if self.net.layout == torch.strided else x.to_sparse()", 1),
        ("return x.repeat_interleave(x.sum(-1))", 1),
        ("return torch.repeat_interleave(x, repeats=x.sum(-1), dim=0)", 1),
        ("return x.repeat_interleave(x.sum(-1), output_size=4)", 0),
        ("return x.repeat_interleave(3)", 0),
        ("return torch.nn.functional.one_hot(x)", 1),
        ("return torch.nn.functional.one_hot(x, 4)", 0),
        ("return x[x > 0]", 1),
        ("return x[~torch.isnan(x)]", 1),
        ("return x[(x > 0) & (x < 1), 0]", 1),
        ("return x[x.bool()]", 1),
        ("return x[x.eq(1).view(-1)]", 1),
        ("return x[torch.zeros(3, dtype=torch.bool, device=x.device)]", 1),
        ("mask = x.to(torch.bool)\nreturn x[mask]", 1),
        ("mask = (x > 0).to(x.dtype)\nreturn x[mask.long()]", 0),
        ("x[torch.cat(self.pad_mask)] = x.sum()", 1),
        ("x[torch.cat(self.places)] = x.sum()", 0),
        ("x = x[0]; x = x[0]; x = x[0]; x = x[0]\nreturn [x[i, (x > 0)[i].bool()] for i in range(3)]", 1),
        ("return x[x.argmax()]", 0),
        ("return x[(x > 0).sum()]", 0),
        ("return x[:, 0]", 0),
        ("x[x > 0] = 1", 0),
        ("x[x > 0] = x.sum()", 1),
        ("x[x > 0] += 1", 1),
        ("x[x > 0] = x[x > 0] * 2", 1),
        ("return self.names[x > 0]", 0),
        ("hidden = self.net(x)[0]\nreturn hidden[x > 0]", 1),
        ("hidden = self.net(x)[0]\nhidden[x > 0] = 0", 0),
        ("hidden = self.net(x)[0]\nreturn hidden[self.chosen > 0]", 0),
        ("return [row[row != -1] for row in self.rows(x)]", 1),
        ("return [row[row[:, 0] == 1] for row in self.rows(x)]", 1),
        ("row = [1]\nif self.training:\n    row = self.rows(x)\nreturn row[row != -1]", 0),
        ("return [row[row is None] for row in self.rows(x)]", 0),
        ("return [row[other != -1] for row, other in self.rows(x)]", 0),
        ("import numpy as np\nreturn [row[row != -1] for row in self.rows(x)]", 0),
        ("return x[x.any(-1)]", 1),
        ("torch.cuda.synchronize()\nreturn x.nonzero()", 0),
    ],
)
def test_sizes_that_depend_on_values_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH409", forward(body))) == found


@pytest.mark.parametrize(
    "body",
    [
        "y = x * 2\nx[y > 0] = y[y > 1]",
        "y = x * 2\nx[y > 0] = y[y > 0] * 2",
        "y = x * 2\nkeep = x.sum(-1) > 0\nx[keep] = y[keep]",
        "y = x * 2\nself.kept[x > 0] = y[x > 0]",
    ],
)
def test_masked_assignment_whose_shapes_may_differ_gets_no_fix(body: str) -> None:
    assert [finding.fix for finding in lint("OVH409", forward(body)) if finding.fix] == []


def test_masked_assignment_is_fixed_unsafely_with_where() -> None:
    text = forward("y = x * 2\nx[y > 0] = y[y > 0]\nreturn x")
    assert "        x = torch.where(y > 0, y, x)\n" in fix("OVH409", text)
    assert fix("OVH409", text, unsafe=False) == text


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if torch.isnan(x).any():\n    return x", 1),
        ("if torch.any(torch.isnan(x)):\n    return x", 1),
        ("if x.isnan().any() or x.isinf().any():\n    return x", 1),
        ("if not torch.isfinite(x).all().item():\n    return x", 1),
        ("bad = torch.isnan(x).sum()\nif bad > 0:\n    return x", 1),
        ("bad = ~torch.isfinite(x)\nreturn bool(bad.any())", 1),
        ("assert torch.isfinite(x).all(), 'bad'", 1),
        ("import math\nif math.isnan(x.sum()):\n    return x", 1),
        ("import math\nif math.isnan(x.sum().item()):\n    return x", 1),
        ("import math\nreturn math.isnan(self.scale)", 0),
        ("return torch.isnan(x).any()", 0),
        ("return torch.where(torch.isnan(x), 0, x)", 0),
        ("if x.any():\n    return x", 0),
        ("return x.isfinite(x.sum().item())", 0),
    ],
)
def test_checks_for_finite_numbers_are_one_rules_alone(body: str, found: int) -> None:
    assert len(lint("OVH410", forward(body))) == found
    if found:
        assert lint("OVH404", forward(body)) == []


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
    ("expression", "fixed", "applicability"),
    [
        ("torch.tensor(0.5, device=x.device)", "torch.full((), 0.5, device=x.device)", Applicability.SAFE),
        ("torch.tensor(-1, device='cuda')", "torch.full((), -1, device='cuda')", Applicability.SAFE),
        ("torch.tensor(True).cuda()", 'torch.full((), True, device="cuda")', Applicability.SAFE),
        ("torch.tensor([2, 2]).to(x.device)", "torch.full((2,), 2, device=x.device)", Applicability.SAFE),
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
            "torch.full((), len(x), device=x.device)",
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


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return [v.item() for v in x]", 1),
        ("return {float(v) for v in x.sum(-1)}", 1),
        ("return {i: bool(v) for i, v in enumerate(x)}", 1),
        ("return [a.item() + b.item() for a, b in zip(x, x * 2)]", 2),
        ("for i in range(3):\n    print(x[i].item())", 1),
        ("for i in range(3):\n    print(int(x[0, i]))", 1),
        ("for i, name in enumerate(self.names):\n    print(name, x[i + 1].item())", 1),
        ("for v in x:\n    print(v.item(), v.item())", 1),
        ("for v in x:\n    if v > 0:\n        break", 0),
        ("for i in range(3):\n    print(x[0].item())", 0),
        ("for i in range(3):\n    print(x[i].sum().item())", 0),
        ("for i in range(3):\n    print(self.names[i].item())", 0),
        ("for name in self.names:\n    print(self.table[name].item())", 0),
        ("i = 0\nwhile i < 3:\n    i += 1", 0),
        ("return max(x)", 1),
        ("return max(x, key=len)", 0),
        ("return max(x, x)", 0),
        ("return any(x > 0)", 1),
        ("return sum(x)", 0),
        ("return torch.tensor([x.sum(), x.mean()])", 1),
        ("return torch.as_tensor([x[i].sum() for i in range(3)], device=x.device)", 1),
        ("return x.new_tensor((x.sum(), 1.0))", 1),
        ("sums = []\nfor row in x:\n    sums.append(row.sum())\nreturn torch.tensor(sums)", 1),
        ("sums = []\nfor row in x:\n    sums.append(len(row))\nreturn torch.tensor(sums)", 0),
        ("return torch.stack([x.sum(), x.mean()])", 0),
        ("return torch.tensor([len(x), x.shape[0]]), torch.tensor(self.names)", 0),
        ("return torch.tensor([[x.sum(), 0.0], [1.0, x.mean()]])", 1),
        ("return self.names.new_tensor([x.sum()])", 0),
    ],
)
def test_elements_read_one_by_one_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH403", forward(body))) == found


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
    assert "reads whether it worked back" in finding.message and unchecked in (finding.help or "")


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


def test_elements_of_host_tensors_count_in_steps_only() -> None:
    rates = "self.rates = [rate.item() for rate in torch.linspace(0, 1, depth)]"
    assert len(lint("OVH403", forward(rates))) == 1
    text = "import torch\ndef rates(n, device):\n    return [r.item() for r in torch.linspace(0, 1, n)]\n"
    assert lint("OVH403", text, Heat.PRESUMED) == []
    assert len(lint("OVH403", text.replace("n)]", "n, device=device)]"), Heat.PRESUMED)) == 1


def test_elements_that_are_read_once_are_left_alone() -> None:
    read = "self.rates = [rate.item() for rate in torch.linspace(0, 1, depth, device=device)]"
    assert lint("OVH403", forward("pass", init=read)) == []
    text = "import torch\ndef plot(x: torch.Tensor):\n    return [x[i].item() for i in range(5)]\n"
    assert lint("OVH403", text) == []
    assert len(lint("OVH403", text.replace("plot", "listed"))) == 1


def test_elements_that_are_printed_for_somebody_to_read_count_in_steps_only() -> None:
    shown = "for i in range(5):\n            print(f'{x[i].item():.2f}')"
    assert len(lint("OVH403", forward(shown))) == 1
    text = (
        "import torch\ndef show_best(x: torch.Tensor):\n    for i in range(5):\n        print(x[i].item())\n"
    )
    assert lint("OVH403", text, Heat.PRESUMED) == []
    assert len(lint("OVH403", text.replace("print", "shown.append"), Heat.PRESUMED)) == 1
    named = text.replace("print(x[i].item())", "y = x[i].item()\n        print(f'{y:.2f}')")
    assert lint("OVH403", named, Heat.PRESUMED) == []
    assert len(lint("OVH403", f"{named}        shown.append(y)\n", Heat.PRESUMED)) == 1


def test_elements_that_only_an_error_shows_are_left_alone() -> None:
    body = "if x.dim() != 3:\n    text = f'{sorted(x)}'\n    raise ValueError(text)"
    assert lint("OVH403", forward(body)) == []
    assert len(lint("OVH403", forward(body.replace("raise ValueError", "print")))) == 1
    body = "if x.dim() != 3:\n    seen = [x[i].item() for i in range(3)]\n    raise ValueError(seen)"
    assert lint("OVH403", forward(body)) == []
    assert len(lint("OVH403", forward(body.replace("raise ValueError", "print")))) == 1


@pytest.mark.parametrize("code", ["OVH403", "OVH704"])
def test_rules_without_a_least_heat_may_still_leave_tests_alone(code: str) -> None:
    source = Source.from_bytes(
        Path("test_model.py"),
        forward("y = x\nfor row in x:\n    y = torch.cat([y, row[None]])\n    row.item()\nreturn y").encode(),
    )
    linter = Linter(packs.select(ALL, [code], []), Settings())
    assert [found.code for found in linter.lint(source)] == [code]
    assert linter.lint(source, cold="tests/ is no production code") == []


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
    asked = text.replace(
        "def clip(times):", "def clip(times):\n            return encode(times)\n        def encode(times):"
    )
    assert len(lint("OVH404", asked)) == 2
    assert len(lint("OVH404", text.replace("(Dataset)", "(torch.nn.Module)").replace("getitem", "call"))) == 2


def test_element_reads_are_not_reported_as_single_ones_too() -> None:
    assert lint("OVH404", forward("return [v.item() for v in x]")) == []
    assert len(lint("OVH404", forward("for v in x:\n    if v > 0:\n        break"))) == 1


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("return [v.item() for v in x]", "return x.tolist()"),
        ("return [v.item() for v in x if v.item()]", "return [v for v in x.tolist() if v]"),
        ("return [float(v) for v in x + 1]", "return [float(v) for v in (x + 1).tolist()]"),
        (
            "return [a.item() + b for a, b in zip(x, self.names)]",
            "return [a + b for a, b in zip(x.tolist(), self.names)]",
        ),
    ],
)
def test_loop_over_elements_reads_them_at_once(body: str, fixed: str) -> None:
    assert fixed in fix("OVH403", forward(body))
    assert fix("OVH403", forward(body), unsafe=False) == forward(body)


@pytest.mark.parametrize(
    "body",
    [
        "for v in x:\n    print(v.item(), v)",
        "for v in x:\n    print(v.item())\nreturn v",
        "for v in x:\n    print(v.item())\n    v = 1",
        "for i in range(3):\n    print(x[i].item())",
    ],
)
def test_elements_that_are_used_otherwise_get_no_fix(body: str) -> None:
    assert [finding.fix for finding in lint("OVH403", forward(body))] == [None]


def training(body: str, *, loader: str = "loader", before: str = "pass") -> str:
    """A training loop with the body; its first line is the seventh."""
    return (
        "import numpy as np\nimport torch\nfrom torch.utils.data import DataLoader\n"
        f"def train(model, optimizer, data, device):\n    {before}\n"
        f"    for step, batch in enumerate({loader}):\n"
        + textwrap.indent(textwrap.dedent(body), " " * 8)
        + "\n        model(batch).sum().backward()\n        optimizer.step()\n"
    )


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
    (finding,) = lint("OVH407", training(body))
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert fixed in fix("OVH407", training(body))


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
        ("loader", "loader = DataLoader(data)", False),
        ("DataLoader(data, pin_memory=False)", "pass", False),
        ("tqdm(self.train_loader)", "pass", True),
    ],
)
def test_copy_of_a_batch_is_fixed_unless_the_loader_does_not_pin(
    loader: str, before: str, fixed: bool
) -> None:
    text = training("x = batch.to(device)", loader=loader, before=before)
    (finding,) = lint("OVH407", text)
    assert (finding.fix is not None) is fixed


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
        ("return max(1, x.sum())", 1),
        ("return min(x.size(0), 3)", 0),
        ("y = make(x)\nreturn y.item()", 1),
        ("y = make(x)\nreturn y[0].abs().item()", 1),
        ("y = make(x)\nreturn y.sum().cpu().numpy()", 1),
        ("y = make(x)\nreturn y.cpu()", 0),
        ("y = make(x)\nreturn y.cpu().item()", 1),
        ("sizes_cpu = make(x)\nreturn sizes_cpu[0].item()", 0),
        ("y = make(x)\nreturn y.tolist()", 1),
        ("import numpy\ny = make(x)\nreturn y.tolist()", 0),
        ("return self.places.tolist()", 0),
        ("return self.policy(x).spread.mean().item()", 1),
        ("import numpy\nreturn self.policy(x).spread.mean().item()", 0),
        ("return self.spread_cpu.mean().item()", 0),
        ("return self.embed[-1].alpha.data.item(), self.embed[-1].alpha.item()", 1),
        ("y = make(x)\nreturn y.sizes.item()", 0),
        ("return self.other.item()", 0),
        ("return self.other.float().norm(2).tolist()", 1),
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


def test_modules_of_devices_are_told_by_their_names() -> None:
    body = "get_accelerator().{0}()\nself.pool.{0}()\nreturn x"
    assert lines("OVH405", forward(body.format("synchronize"))) == [10]
    assert lines("OVH406", forward(body.format("empty_cache"))) == [10]


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


def test_a_size_is_what_was_assigned_above_it_and_not_a_tensor_that_comes_later() -> None:
    body = "q = math.ceil(x.shape[1] / self.size) * self.size + self.size\ny = x.view(q, 3)\nz = x[:q]\n"
    text = forward(
        f"{body}q = x.sum()\nreturn y[:q]", header="import math\nimport torch\nfrom torch import nn"
    )
    (line,) = lines("OVH404", text)
    assert "return y[:q]" in text.splitlines()[line - 1]


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


def test_a_loop_that_serves_a_queue_is_hot() -> None:
    text = """
    import gc
    def serve(q):
        while True:
            item = q.get()
            work(item)
            q.task_done()
            gc.collect()
    def drain(q):
        while not q.empty():
            q.get()
            gc.collect()
    """
    assert lines("OVH406", text) == [8]


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
        ("sizes = [len(row) for row in x]\nreturn torch.tensor(sizes, device=x.device)", 1),
        ("ends = [0]\nfor n in x.shape:\n    ends.append(n)\nreturn torch.tensor(ends, device=x.device)", 1),
        ("ends = [0]\nfor n in y:\n    ends.append(n)\nreturn torch.tensor(ends, device=x.device)", 1),
        ("ends = []\nends.extend(y)\nreturn torch.tensor(ends, device=x.device)", 1),
        ("ends = []\nreturn torch.tensor(ends, device=x.device)", 0),
        ("return torch.tensor(y, device=x.device)", 1),
        ("return torch.tensor([y, 1.0], device=x.device)", 1),
        ("return torch.as_tensor(y, device=x.device)", 0),
        ("return x + torch.tensor([1.0]).cuda(non_blocking=True)", 1),
        ("return x + torch.Tensor([1.0]).cuda(non_blocking=True)", 1),
        ("return x + torch.tensor([1.0]).to(x.device, non_blocking=True)", 1),
        ("return x + torch.tensor([1.0]).pin_memory().to(x.device, non_blocking=True)", 0),
        ("return x + torch.tensor([1.0], pin_memory=True).to(x.device, non_blocking=True)", 0),
        ("assert y.ndim == 2\nreturn self.table.to(y).clone()", 1),
        ("return self.table.to(y).clone()", 0),
        ("return self.table.cuda(0) + self.table.to(self.rank)", 2),
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
        ("some = torch.ones(4, dtype=torch.bool)\nreturn x[some]", 0),
        ("return self.items[range(3)]", 0),
        ("return [x[row] for row in range(3)]", 0),
    ],
)
def test_ranges_as_indices_are_lists(body: str, found: int) -> None:
    assert len(lint("OVH408", forward(body))) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return {k: v.cpu() for k, v in self.other.state_dict().items()}", 1),
        ("for v in self.other.state_dict().values():\n    self.kept = v.cpu()", 1),
        ("return {k: v.cpu() for k, v in self.other.items()}", 0),
        ("return {k: v.cpu() for k, v in self.other.config().items()}", 0),
    ],
)
def test_what_a_state_dict_holds_is_read_from_the_device(body: str, found: int) -> None:
    assert len(lint("OVH404", forward(body))) == found


def test_a_function_named_as_what_it_calls_leaves_that_to_its_callers() -> None:
    text = (
        "import torch\nimport torch.distributed as dist\n"
        "class Strategy:\n    def barrier(self):\n        if dist.is_initialized():\n"
        "            dist.barrier()\n        return None\n"
        "def train(model, loader, strategy: Strategy):\n    for batch in loader:\n"
        "        model(batch).backward()\n        strategy.barrier()\n"
    )
    assert lint("OVH405", text) == []
    assert (
        len(lint("OVH405", text.replace("barrier(self)", "meet(self)").replace("y.barrier", "y.meet"))) == 1
    )


UNMOVED = """
import torch

class Trainer:
    def fit(self, loader):
        for batch in loader:
            self.step(batch)

    def step(self, batch):
{body}
        loss = self.model(images)
        loss.backward()
        self.keep({scales})

    def keep(self, scales: torch.Tensor):
        scales = scales.detach().cpu().numpy()

class Other(Trainer):
    def other(self, rows):
        self.keep(rows)
"""


@pytest.mark.parametrize(
    ("body", "scales", "found"),
    [
        ('images = batch["image"].to(self.device)', 'batch["scale"]', 0),
        ('images = batch["image"]\nimages = images.to(self.device)', 'scales=batch["scale"]', 0),
        ('images = batch["image"]["left"].cuda()', 'batch["scale"]["left"]', 0),
        ('images = batch["image"].to(self.device)', 'batch["image"]', 1),
        ('images = batch["image"]', 'batch["scale"]', 1),
        ('images = batch["image"].to(self.device)\nbatch = batch', 'batch["scale"]', 1),
        ('images = batch["image"] = batch["image"].to(self.device)', 'batch["scale"]', 1),
        ('images = batch["image"].to(self.device)', "self.model(images)", 1),
        ('images = batch["image"].to(self.device)\nother = batch["scale"]', 'batch["scale"]', 1),
    ],
)
def test_a_part_of_a_batch_stays_on_the_host_where_only_others_are_moved(
    body: str, scales: str, found: int
) -> None:
    text = UNMOVED.format(body=textwrap.indent(body, " " * 8), scales=scales)
    assert len(lines("OVH404", text)) == found


def test_a_part_of_a_batch_that_stays_is_followed_through_loops() -> None:
    text = """
    import torch

    class Trainer:
        def step(self, batch):
            images = batch["image"].to(self.device)
            self.keep(boxes=batch["boxes"], found=self.model(images))

        def keep(self, boxes: torch.Tensor, found: torch.Tensor):
            for box, other in zip(boxes, found):
                box = box[box[:, 2] > 0]
                other = other[other[:, 2] > 0]
                self.rows.append(box.cpu())
                self.rows.append(other.cpu())

    def fit(trainer, loader):
        for batch in loader:
            trainer.step(batch)
    """
    assert lines("OVH409", textwrap.dedent(text)) == [12]
    assert lines("OVH404", textwrap.dedent(text)) == [14]
