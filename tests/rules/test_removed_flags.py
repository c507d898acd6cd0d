"""removed-dynamo-flag agrees with the torch that is installed, and sees every spelling."""

from __future__ import annotations

import importlib
import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import torch._dynamo.config
import torch._inductor.config
from rule_cases import RUNNING, fix, lines, lint

from overhead_lint.rule import Applicability, Heat

RELEASES = importlib.import_module("overhead_lint.rules._releases")
IDLE: dict[str, tuple[int, int]] = RELEASES.IDLE_SINCE
GONE: dict[str, tuple[int, int]] = RELEASES.GONE_SINCE
RENAMED: dict[str, tuple[int, int]] = RELEASES.RENAMED_SINCE
CAME_WITH = {
    "torch._inductor.config.autoheuristic_collect.mixed_mm": (2, 12),
    "torch._inductor.config.autoheuristic_use.mixed_mm": (2, 12),
}
CONFIGS = {
    "torch._dynamo.config": (torch._dynamo.config, "_dynamo/config.py"),
    "torch._inductor.config": (torch._inductor.config, "_inductor/config.py"),
}


@cache
def sources() -> dict[str, str]:
    root = Path(torch.__file__).parent
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for part in ("_dynamo", "_inductor", "_functorch", "fx", "nn")
        for path in (root / part).rglob("*.py")
    }


def parts(name: str) -> tuple[Any, str, str]:
    """The module of a setting, its name there, and the file that defines it."""
    owner = next(owner for owner in CONFIGS if name.startswith(f"{owner}."))
    config, own = CONFIGS[owner]
    return config, name.removeprefix(f"{owner}."), own


def set_anew(name: str) -> None:
    """Set a setting to what it is, or to True where it is not there."""
    config, short, _ = parts(name)
    holder, last = config, short
    while "." in last:
        first, _, last = last.partition(".")
        holder = getattr(holder, first)
    setattr(holder, last, getattr(holder, last, True))


@pytest.mark.parametrize("name", IDLE)
def test_setting_is_accepted_and_read_nowhere_since_a_release(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        set_anew(name)
    _, short, own = parts(name)
    last = short.rpartition(".")[2]
    reading = re.compile(rf"(?<!aot_)config\.(?:\w+\.)*{last}\b(?! = )")
    reads = [path for path, text in sources().items() if path != own and reading.search(text)]
    assert (reads == []) == (IDLE[name] <= RUNNING), reads


@pytest.mark.parametrize("name", GONE)
def test_setting_that_is_gone_raises_since_a_release(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        if GONE[name] <= RUNNING or CAME_WITH.get(name, RUNNING) > RUNNING:
            with pytest.raises(AttributeError):
                set_anew(name)
        else:
            set_anew(name)


@pytest.mark.parametrize("name", RENAMED)
def test_old_name_of_a_setting_warns_since_a_release(name: str) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        set_anew(name)
    said = [str(one.message) for one in warned if "deprecated" in str(one.message)]
    assert bool(said) == (RENAMED[name] <= RUNNING)
    (finding,) = lint("OVH309", f"import torch\n{name} = True\n", target_torch=RENAMED[name])
    new = finding.help.removeprefix("set ")
    assert hasattr(torch._inductor.config, new) == (RENAMED[name] <= RUNNING)
    assert all(new in text for text in said)
    assert lint("OVH309", f"import torch\n{name} = True\n") == [], "an older torch has no other name"


@pytest.mark.parametrize("name", [*IDLE, *GONE])
def test_each_setting_is_told_with_its_release(name: str) -> None:
    (finding,) = lint("OVH309", f"import torch\n{name} = True\n")
    major, minor = {**IDLE, **GONE}[name]
    assert f"torch {major}.{minor} and later" in finding.message
    assert (finding.fix is not None) == (name in IDLE)


@pytest.mark.parametrize("name", IDLE)
def test_setting_is_deleted_safely_where_no_torch_of_the_project_reads_it(name: str) -> None:
    text, (major, minor) = f"import torch\n{name} = True\n", IDLE[name]
    for target, applicability in (
        ((major, minor), Applicability.SAFE),
        ((major, minor - 1), Applicability.UNSAFE),
        (None, Applicability.UNSAFE),
    ):
        (finding,) = lint("OVH309", text, target_torch=target)
        assert finding.fix is not None and finding.fix.applicability is applicability


@pytest.mark.parametrize(
    "text",
    [
        "import torch._dynamo\ntorch._dynamo.config.dynamic_shapes = flag\n",
        "from torch import _dynamo as d\nd.config.print_graph_breaks = True\n",
        "from torch._dynamo import config\nconfig.dead_code_elimination = False\n",
        "import torch._inductor.config as c\nc.use_mixed_mm = True\n",
        "import torch._dynamo.config as c\nc.patch(dynamic_shapes=False)\n",
        "import torch._dynamo.config as c\nc.patch('dynamic_shapes', False)\n",
        "import torch._dynamo.config as c\nc.patch({'dynamic_shapes': False})\n",
    ],
)
def test_every_spelling_is_seen(text: str) -> None:
    assert lines("OVH309", text) == [2]


@pytest.mark.parametrize(
    ("value", "fixable"),
    [
        ("True", True),
        ("torch", True),
        ("limit", False),
        ("read()", False),
        ("flags['a']", False),
        ("flag = True", False),
    ],
)
def test_setting_is_deleted_where_its_value_does_nothing(value: str, fixable: bool) -> None:
    text = f"import torch._dynamo\ntorch._dynamo.config.dynamic_shapes = {value}\n"
    assert [finding.fix is not None for finding in lint("OVH309", text)] == [fixable]
    assert ("dynamic_shapes" in fix("OVH309", text)) is not fixable
    assert fix("OVH309", text, unsafe=False) == text


@pytest.mark.parametrize(
    "read",
    [
        "if torch._dynamo.config.dynamic_shapes:\n    pass",
        "old = torch._dynamo.config.dynamic_shapes",
        "old = getattr(torch._dynamo.config, 'dynamic_shapes', True)",
        "old = getattr(torch._dynamo.config, name)",
        "old = torch._dynamo.config.get_config_copy()",
        "show(torch._dynamo.config)",
        "old = vars(torch._dynamo.config)",
    ],
)
def test_setting_that_the_file_reads_is_deleted_by_an_unsafe_fix_only(read: str) -> None:
    text = "import torch._dynamo\ntorch._dynamo.config.dynamic_shapes = True\n"
    for module, applicability in ((text, Applicability.SAFE), (f"{text}{read}\n", Applicability.UNSAFE)):
        (finding,) = lint("OVH309", module, target_torch=(2, 13))
        assert finding.fix is not None
        assert finding.fix.applicability is applicability


def test_other_settings_of_a_config_are_no_reads_of_one_that_is_deleted() -> None:
    text = "import torch._dynamo\ntorch._dynamo.config.dynamic_shapes = True\n"
    text += "setattr(torch._dynamo.config, 'verbose', torch._dynamo.config.suppress_errors)\n"
    (finding,) = lint("OVH309", text, target_torch=(2, 13))
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE


@pytest.mark.parametrize(
    ("before", "value", "applicability"),
    [
        ("pass", "given", Applicability.SAFE),
        ("pass", "BOUND", Applicability.SAFE),
        ("del given", "given", Applicability.UNSAFE),
        ("other = 1; del other", "given", Applicability.SAFE),
        ("if given: made = 1", "made", Applicability.UNSAFE),
        ("made = 1", "made", Applicability.UNSAFE),
        ("pass", "BELOW", Applicability.UNSAFE),
    ],
)
def test_setting_is_deleted_safely_where_its_value_is_there(
    before: str, value: str, applicability: Applicability
) -> None:
    text = "import torch._dynamo\nBOUND = True\ndef set_up(given):\n"
    text += f"    {before}\n    torch._dynamo.config.dynamic_shapes = {value}\nBELOW = True\n"
    (finding,) = lint("OVH309", text, target_torch=(2, 13))
    assert finding.fix is not None and finding.fix.applicability is applicability


def test_functions_of_a_config_are_no_settings() -> None:
    for line, found in (
        ("torch._dynamo.config._made(a=1)", []),
        ("x += torch._dynamo.config.verbose; setattr(*x)", [4]),
        ("x += torch._dynamo.config.verbose; setattr(x, 'verbose', 1)", []),
    ):
        text = f"import torch\n\ndef forward(x):\n    {line}\n    return torch.relu(x)\n"
        assert [one.span.line for one in lint("OVH308", text, Heat.PRESUMED)] == found
