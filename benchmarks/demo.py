"""The main job, on one repository: find the overhead, fix it, hold the tests to budgets, measure both.

    python benchmarks/demo.py        (or `make demo`, which sets everything up first)

Each claim is checked as it is shown; the exit status is 1 when one does not hold. What is claimed is counted;
times are shown beside it, as this machine gave them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from demo_measure import WorkerError, compare, counts

NO_DEVICE: Final = (
    "demo: this torch is built for GPUs and finds none, so no cuda device can be had or simulated; "
    "take one for CPUs: "
    f"{sys.executable} -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cpu"
)
EXAMPLE = Path(__file__).parent.parent / "examples" / "legacy_trainer"

RULES = {"OVH101", "OVH103", "OVH201", "OVH202", "OVH302", "OVH307", "OVH401", "OVH404", "OVH501", "OVH703"}
BY_HAND = {"OVH404", "OVH703"}
"""What has no fix: where to read a value from the device, or to keep a tensor, is a decision."""


class ClaimError(Exception):
    """Something that the demo shows does not hold."""


def claim(holds: bool, what: str) -> None:
    """Go on if a claim holds, else end the demo.

    Raises:
        ClaimError: it does not hold.
    """
    if not holds:
        raise ClaimError(what)
    print(f"  [checked] {what}")


def heading(text: str) -> None:
    print(f"\n{text}\n{'=' * len(text)}\n", flush=True)


def command(
    folder: Path, *arguments: str, first: int = 0, last: int = 0, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a module of this Python in a folder, and show the command with some lines of what it printed.

    Args:
        folder: where.
        arguments: the module and what it is given.
        first: how many lines of the beginning are shown.
        last: how many lines of the end are; with neither, not even the command is.
        variables: more environment.
    """
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    if first or last:
        name = "overhead-lint" if arguments[0] == "overhead_lint" else arguments[0]
        print(f"$ {' '.join([name, *arguments[1:]])}")
        print(shortened(done.stdout + done.stderr, first, last), flush=True)
    return done


def shortened(text: str, first: int, last: int) -> str:
    """Return the first and last lines of a text, with the number of those between them."""
    lines = text.rstrip().splitlines()
    left = len(lines) - first - last
    if left > 1:
        lines[first : first + left] = [f"... and {left} more lines"]
    return "\n".join(lines) + "\n"


def findings(folder: Path) -> list[dict[str, Any]]:
    """What the linter says about a copy, as data."""
    done = command(folder, "overhead_lint", ".", "--output-format=json")
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def failures(folder: Path, report: Path) -> dict[str, str]:
    """Run the copy's tests under their budgets: message by name of the tests that failed."""
    # The budget file was recorded with one torch and Python; its limits have room for those of others.
    options = f"-vv -rN -W ignore -p no:cacheprovider --junitxml={report} -o overhead_gate_foreign=true"
    done = command(folder, "pytest", "--overhead-budget", last=4, PYTEST_ADDOPTS=options)
    if done.returncode not in (0, 1):
        raise ClaimError(f"pytest ended with status {done.returncode}")
    cases = ElementTree.parse(report).iter("testcase")
    return {
        case.attrib["name"]: "\n".join(f"{bad.get('message')}\n{bad.text}" for bad in case)
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    }


def line_of(folder: Path, path: str, text: str) -> str:
    """``path:number`` of the first line that holds a text."""
    lines = (folder / path).read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if text in line)
    return f"{Path(path).name}:{number}"


def lint(before: Path) -> None:
    heading("1. What the linter finds")
    done = command(before, "overhead_lint", ".", first=16, last=2)
    codes = Counter(one["code"] for one in findings(before))
    claim(done.returncode == 1, "findings end with exit status 1")
    claim(set(codes) == RULES, f"every rule speaks: {', '.join(sorted(RULES))}")


def show_diff(before: Path) -> None:
    heading("2. What it would change")
    sources = {path: path.read_bytes() for path in before.rglob("*.py")}
    done = command(before, "overhead_lint", ".", "--diff", "--unsafe-fixes", first=16, last=5)
    claim("+++ " in done.stdout, "there is a diff")
    claim(all(path.read_bytes() == text for path, text in sources.items()), "no file was written")


EVENTS = "test_copying_a_batch_on_one_stream_needs_no_events"
SYNCS = "test_a_training_step_never_waits_for_the_device"
GUARDS = "test_guards_of_the_trunk"


def budgets_before(before: Path, report: Path) -> None:
    heading("3. Its tests under budgets, before")
    failed = failures(before, report)
    claim(set(failed) == {EVENTS, SYNCS, GUARDS}, "the three budget tests fail, and no other test")
    package = "legacy_trainer"
    places = [
        (EVENTS, "event_record", line_of(before, f"{package}/data.py", "self.stream.wait_stream(")),
        (EVENTS, "event_wait", line_of(before, f"{package}/data.py", "compute.wait_stream(")),
        (SYNCS, "stream_sync", line_of(before, f"{package}/trainer.py", "loss.item()")),
        (GUARDS, "guards", line_of(before, f"{package}/model.py", "self.activation ==")),
    ]
    for test, metric, place in places:
        claim(
            metric in failed[test] and place in failed[test],
            f"{test} fails on {metric}, and names {place}",
        )


def fix(after: Path, report: Path) -> None:
    heading("4. Fix a copy")
    done = command(after, "overhead_lint", ".", "--fix", "--unsafe-fixes", last=6)
    left = findings(after)
    claim(done.returncode == 1, "what has no fix is still a finding: exit status 1")
    claim(
        {one["code"] for one in left} == BY_HAND,
        f"only {', '.join(sorted(BY_HAND))} are left, which have no fix",
    )
    failed = failures(after, report)
    claim(set(failed) == {SYNCS, GUARDS}, f"{EVENTS} holds now; the other two budgets need a decision")


def finish_by_hand(after: Path, report: Path) -> None:
    heading("5. Change by hand what is a decision")
    patch = after / "by_hand.patch"
    print(shortened(patch.read_text(encoding="utf-8"), 5, 0))
    if shutil.which("git") is None:
        raise ClaimError("git is there to apply a patch")
    done = subprocess.run(
        ["git", "apply", patch.name], cwd=after, capture_output=True, text=True, check=False
    )
    claim(done.returncode == 0, f"by_hand.patch applies {done.stderr.strip()}".rstrip())
    linted = command(after, "overhead_lint", ".", last=1)
    claim(linted.returncode == 0, "nothing is left to find: exit status 0")
    claim(not failures(after, report), "all tests pass under their budgets")


def count(before: Path, after: Path) -> None:
    """Count what ten training steps of both copies do on a simulated device."""
    heading("7. What ten training steps cost, before and after")
    first, second = counts(before), counts(after)
    for metric, what in COUNTED.items():
        print(f"{what:44} {first[metric]:6} {second[metric]:6}")
    claim(first["stream_sync"] == 20, "each step waits for the device twice, before")
    claim(second["stream_sync"] == 1, "ten steps wait once, after: when the log is read")
    claim(first["event_record"] == first["event_wait"] == 20, "each step makes two events, before")
    claim(second["event_record"] == second["event_wait"] == 0, "no step makes any, after")
    claim(second["guards"] < first["guards"], "each call of compiled code depends on fewer guards")


COUNTED: Final = {
    "stream_sync": "waits for the device",
    "event_record": "events recorded",
    "event_wait": "waits of a stream for an event",
    "guards": "guards of a call of compiled code",
}


def measure(before: Path, after: Path) -> None:
    """Time both copies.

    Raises:
        ClaimError: the second copy is slower, or does something else.
    """
    heading("6. Host time of a step on this machine, before and after")
    for what, name in (("train", "a training step"), ("evaluate", "an evaluation step")):
        found = compare(before, after, what)
        first, second = (min(times) * 1e6 for times in (found.before, found.after))
        rounds = f"{found.ratios[0]:.2f} to {found.ratios[-1]:.2f} in {len(found.ratios)} rounds"
        print(
            f"{name} takes {first:.0f} us before and {second:.0f} us after: "
            f"{found.ratio:.2f} times as fast, {rounds}"
        )
        if found.is_told:
            claim(found.ratios[0] > 1, f"{name} costs the host less than before in each round")
        if found.losses_before:
            steps = len(found.losses_before)
            same = found.losses_before == found.losses_after
            claim(same, f"the losses of all {steps} steps are the same, bit for bit")


def lacks_a_device() -> bool:
    """Whether torch is built for GPUs where there is none: no device can be simulated then."""
    ask = "import torch; print(torch.version.cuda is not None and not torch.cuda.is_available())"
    answer = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False)
    return answer.stdout.strip() == "True"


def main(arguments: Sequence[str]) -> int:
    """Run the demo; the exit status is 0 when every claim holds."""
    if arguments:
        print(f"usage: python {Path(__file__).name}  (no arguments)", file=sys.stderr)
        return 2
    if lacks_a_device():
        print(NO_DEVICE, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="overhead-lint-demo-") as folder:
        before, after = Path(folder, "before"), Path(folder, "after")
        report = Path(folder, "report.xml")
        for copy in (before, after):
            shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        try:
            lint(before)
            show_diff(before)
            budgets_before(before, report)
            fix(after, report)
            finish_by_hand(after, report)
            measure(before, after)
            count(before, after)
        except (ClaimError, WorkerError) as error:
            print(f"\ndemo: does not hold: {error}", file=sys.stderr)
            return 1
    print("\nEvery claim above was checked in this run.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
