"""The form of the simulated device for a torch that is built for CUDA. Each test has a process of its own:
torch keeps the name of such a device to the end.
"""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

import pytest
from warm_python import python

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.skipif(
    torch.cuda.is_available(), reason="there is a GPU, which is torch's accelerator"
)

PROGRAM = """
import torch
from overhead_lint.probes.events_probe import EventsProbe
from overhead_lint.simulated import simulated_accelerator
from overhead_lint.simulated.reduced import is_enabled

torch.ones(2, requires_grad=True).mul(2).sum().backward()  # the engine has started already

def counted(block):
    probe = EventsProbe(attribute=False)
    probe.start(frozenset({"event_record", "event_wait", "stream_sync"}))
    block()
    values = probe.stop().values
    return int(values["event_record"]), int(values["event_wait"]), int(values["stream_sync"])

def two_streams(model, x, side):
    h = model[0](x)
    current = torch.accelerator.current_stream()
    side.wait_stream(current)
    with side:
        y = model[2](model[1](h))
    current.wait_stream(side)
    y.square().sum().backward()

for cycle in range(2):
    with simulated_accelerator(2) as device:
        assert is_enabled() and torch.accelerator.current_accelerator() == torch.device("simulated")
        assert torch.accelerator.device_count() == 2
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).to(device)
        x = torch.randn(3, 4, device=device)
        side = torch.Stream(device)
        two_streams(model, x, side)
        print("two streams", counted(lambda: two_streams(model, x, side)))
        print("one stream", counted(lambda: model(x).square().sum().backward()))
        print("item", counted(lambda: x.sum().item()))
        expected = torch.nn.functional.linear(x.cpu(), model[0].weight.cpu(), model[0].bias.cpu())
        assert torch.equal(model[0](x).cpu(), expected)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            assert model(x).dtype is torch.bfloat16
        torch.optim.AdamW(model.parameters(), foreach=True).step()
        draws = [(torch.manual_seed(3), torch.rand(3, device=device))[1] for _ in range(2)]
        assert torch.equal(*draws)
        assert torch.ones(2).pin_memory().is_pinned()
        sparse = torch.eye(4, device=device).to_sparse()
        assert (sparse @ sparse).coalesce().to_dense().device == device and sparse.cpu().is_coalesced()
        assert torch.nn.LSTM(4, 4).to(device)(x[None])[0].device == device
        assert torch.compile(model, backend="aot_eager")(x).device == device
        for wrong in (lambda: x + torch.ones(3, 4), lambda: torch.ones(2, device="simulated:2"),
                      lambda: model(x.to("simulated:1")),
                      lambda: torch.rand(2, device=device, generator=torch.Generator())):
            try:
                wrong()
            except RuntimeError as error:
                assert "simulated cuda" in str(error) or "generator" in str(error), error
            else:
                raise SystemExit("not refused")
    assert not torch.accelerator.is_available()
    try:
        x + 1
    except RuntimeError as error:
        assert "taken back" in str(error)
    else:
        raise SystemExit("used after the block")
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return python("-W", "ignore", *arguments)


def test_accelerator_code_runs_and_the_engine_decides_as_on_cuda() -> None:
    done = run("-c", PROGRAM)
    assert done.returncode == 0, done.stderr
    # Records, waits and synchronisations; two records are the program's own: see test_engine_events.py.
    assert done.stdout.splitlines() == 2 * ["two streams (5, 5, 0)", "one stream (0, 0, 0)", "item (0, 0, 1)"]


def test_program_of_the_command_line_runs_reduced_and_is_told_so(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        textwrap.dedent("""
            import torch
            print(torch.ones(2, device=torch.accelerator.current_accelerator()).sum().item())
        """)
    )
    done = run(
        "-m", "overhead_lint.simulated", "--reduced", "--metrics", "stream_sync,copies_d2h", str(program)
    )
    assert (done.returncode, done.stdout) == (0, "2.0\n"), done.stderr
    assert "reduced: the device is called `simulated`" in done.stderr
    assert ["stream_sync", "1"] in [line.split() for line in done.stderr.splitlines()]
    assert ["copies_d2h", "1"] in [line.split() for line in done.stderr.splitlines()]


BOTH = """
import torch
from overhead_lint.simulated import simulated_accelerator, simulated_cuda

forms = {"cuda": simulated_cuda, "accelerator": simulated_accelerator}
with forms.pop(%r)():
    pass
with next(iter(forms.values()))():
    pass
"""


@pytest.mark.skipif(torch.version.cuda is not None, reason="the form for cuda is for a CPU-only torch")
@pytest.mark.parametrize(("first", "other"), [("cuda", "accelerator"), ("accelerator", "cuda")])
def test_a_process_has_one_form(first: str, other: str) -> None:
    done = run("-c", BOTH % first)
    told = f"RuntimeError: simulated {other}: this process has used the simulated {first} before"
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"{told}; start another for it"
