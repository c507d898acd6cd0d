"""Programs that use the device and end, each in its own way; ``python tests/device/endings.py 50`` runs all.

A device thread of the autograd engine that meets a finalising interpreter aborts the process, some
times and not others. So each program is run many times; the suite runs it a few.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

__all__ = ["ENDINGS", "Ending", "backward_works_in_forks", "end", "ends"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a program ends.

    Attributes:
        code: what it does last, after `BEFORE`.
        status: exit status that it must have; negative for a signal.
        said: the last line that it must print.
        told: text that its standard error must hold.
    """

    code: str
    status: int = 0
    said: str = "done"
    told: str = ""


BEFORE = """
import os, signal, sys, threading, time, torch
from overhead_lint.probes.events_probe import METRICS, EventsProbe
from overhead_lint.simulated import disable, enable

# A shell starts what it runs in the background with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
number = int(sys.argv[1])  # of this run, so that what is sent from outside comes at another time
enable(2)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).cuda()
x = torch.randn(3, 4, device="cuda")

class Custom(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, in_backward):
        ctx.in_backward = in_backward
        return x * 1

    @staticmethod
    def backward(ctx, grad):
        return ctx.in_backward(grad), None

# One for all steps: for a moment after backward the engine's thread holds its last node, and with it
# the stream on which that leaf was used.
side = torch.cuda.Stream()

def step():
    h = model[0](x)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        y = model[2](model[1](h))
    torch.cuda.current_stream().wait_stream(side)
    y.square().sum().backward()

def records():
    probe = EventsProbe(attribute=False)
    probe.start(frozenset({"event_record"}))
    step()
    return probe.stop().values["event_record"]

def back_to_usual():
    # A device thread may hold the failed graph, and so its leaves' streams, a moment longer.
    for _ in range(40):
        if records() == usual:
            return True
        time.sleep(0.05)

def caught(kind, attempt):
    for _ in range(3):
        try:
            attempt()
            time.sleep(0.05)
        except kind:
            continue
        raise SystemExit("nothing was raised")

wrong = lambda grad: grad @ torch.ones(99, 99, device="cuda")

step()
usual = records()
EventsProbe().start(frozenset(m.name for m in METRICS))
step()
"""

ENDINGS: dict[str, Ending] = {
    "device exposed and probe running": Ending(""),
    "events alive": Ending("""
        sys.keep = [torch.cuda.Event() for _ in range(9)]
        for event in sys.keep:
            event.record()
        """),
    "device taken back": Ending("disable()"),
    "sys.exit": Ending("print('done', flush=True); sys.exit(3)", status=3),
    "four threads trained": Ending("""
        def loop():
            for _ in range(50):
                torch.ones(4, device="cuda", requires_grad=True).mul(2).sum().backward()
        threads = [threading.Thread(target=loop) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        """),
    "kernels and backward raised": Ending("""
        caught(RuntimeError, lambda: Custom.apply(model(x), wrong).sum().backward())
        caught(RuntimeError, lambda: x @ torch.ones(7, 7, device="cuda"))
        caught(IndexError, lambda: torch.ones(3, device="cuda")[torch.tensor([7], device="cuda")])
        assert back_to_usual()
        """),
    "backward raised and nothing caught it": Ending(
        "print('done', flush=True); Custom.apply(model(x), wrong).sum().backward()",
        status=1,
        told="cannot be multiplied",
    ),
    "backward interrupted": Ending("""
        def interrupted(grad):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.02)
            return grad
        caught(KeyboardInterrupt, lambda: Custom.apply(model(x), interrupted).sum().backward())
        assert back_to_usual()
        """),
    "interrupted and nothing caught it": Ending(
        """
        print("done", flush=True)
        threading.Timer(0.05 + 0.0007 * number, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        while True:
            step()
        """,
        status=-2,
        told="KeyboardInterrupt",
    ),
    "forked": Ending("""
        if os.fork() == 0:
            torch.ones(2, requires_grad=True).mul(2).sum().backward()
            sys.exit(0)
        _, status = os.wait()
        assert status == 0, status
        step()
        """),
    "forked by a data loader": Ending("""
        from torch.utils.data import DataLoader, TensorDataset
        batches = DataLoader(TensorDataset(torch.randn(64, 4)), 4, num_workers=1, pin_memory=True)
        for position, (batch,) in enumerate(batches):
            model(batch.cuda(non_blocking=True)).sum().backward()
            if position == number % 8:
                break
        """),
}


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments, in a process that starts afresh."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


Run = Callable[..., "subprocess.CompletedProcess[str]"]


def backward_works_in_forks(run: Run = python) -> bool:
    """Whether torch lets a forked child run a backward pass after its parent, without this package.

    It does not where its engine has threads on every machine, as with Vulkan (Debian's build).
    """
    code = """
        import os, torch
        torch.ones(2, requires_grad=True).mul(2).sum().backward()
        if os.fork() == 0:
            torch.ones(2, requires_grad=True).mul(2).sum().backward()
            os._exit(0)
        assert os.wait()[1] == 0
    """
    return run("-W", "ignore", "-c", textwrap.dedent(code)).returncode == 0


def end(name: str, number: int, run: Run = python) -> str:
    """Run the program called `name` for the time `number`; gives what was wrong, or an empty text."""
    ending = ENDINGS[name]
    code = BEFORE + textwrap.dedent(ending.code) + "\nprint('done')\n"
    done = run("-W", "ignore", "-c", code, str(number))
    if (done.returncode, done.stdout.strip()) == (ending.status, ending.said) and ending.told in done.stderr:
        return ""
    return f"{name}, time {number}: status {done.returncode}, said {done.stdout!r}\n{done.stderr}"


def ends(name: str, times: int, jobs: int, run: Run = python) -> Iterator[str]:
    """What was wrong in each of `times` runs of the program called `name`, `jobs` at once."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda number: end(name, number, run), range(times))


def main() -> int:
    """Run each program as often as the command line says; 1 when one ended as it should not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int, help="runs of each program")
    parser.add_argument("names", nargs="*", choices=[*ENDINGS, []], help="which programs (all)")
    parser.add_argument("--jobs", type=int, default=2, help="runs at once (%(default)s)")
    asked = parser.parse_args()
    wrong: Counter[str] = Counter()
    for name in asked.names or ENDINGS:
        for told in ends(name, asked.times, asked.jobs):
            if told:
                wrong[name] += 1
                print(told, file=sys.stderr)
        print(f"{asked.times - wrong[name]:4} of {asked.times}  {name}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
