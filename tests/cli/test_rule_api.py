"""`overhead-lint rule --api NAME` lists the rules that tell of an API."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from overhead_lint.engine.api_index import apis_of, speaks_of

Run = Callable[..., "subprocess.CompletedProcess[str]"]

PAGE = """\
# OVH000 example

`torch.cuda.synchronize()` and the like of it.

## Example

```python
import torch
import torch.nn.functional as F
from torch.cuda import Event as Mark

def step(x):
    y = F.relu(x).item()  # OVH000
    Mark().record()  # OVH001, OVH000
    return torch.ones(3)
```
"""


def test_apis_are_taken_from_marked_lines_and_from_what_the_page_says_first() -> None:
    assert apis_of(PAGE, "OVH000") == {
        "torch.cuda.synchronize",
        "torch.nn.functional.relu",
        ".item",
        "torch.cuda.Event",
        ".record",
    }
    assert apis_of(PAGE, "OVH001") == {"torch.cuda.synchronize", "torch.cuda.Event", ".record"}


@pytest.mark.parametrize(
    ("api", "found"),
    [
        ("torch.cuda.Event", True),
        ("Event", True),
        ("cuda.Event()", True),
        (".item", True),
        ("torch.Tensor.item", True),
        ("vent", False),
        ("torch.Event", False),
        ("torch.ones", False),
    ],
)
def test_a_name_is_given_in_full_by_its_last_parts_or_as_a_method(api: str, found: bool) -> None:
    assert speaks_of(api, apis_of(PAGE, "OVH000")) is found


def test_the_rules_of_an_api_are_listed(run_here: Run) -> None:
    done = run_here("rule", "--api", "torch.cuda.synchronize")
    assert done.stdout.startswith("OVH405  synchronize-in-step")
    assert done.returncode == 0
    assert '"page"' not in run_here("rule", "--api", "item", "--output-format=json").stdout


@pytest.mark.parametrize("api", ["torch.nothing", "", "."])
def test_an_api_that_no_rule_tells_of_is_one_line(run_here: Run, api: str) -> None:
    done = run_here("rule", "--api", api)
    assert (done.stdout, done.returncode, done.stderr.count("\n")) == ("", 2, 1)
