"""Guards and compiled code that one process saves and another loads."""

from __future__ import annotations

import contextlib
import functools
import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
import warm_python
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from overhead_lint.probes import guards_saved
from overhead_lint.probes.guards_api import Unsupported
from overhead_lint.probes.guards_saved import GuardsFailed, SavedGuardsError, load, save

pytestmark = pytest.mark.skipif(
    not hasattr(torch.compile(lambda: None, backend="eager"), "aot_compile"),
    reason="this torch has no aot_compile",
)

SAVE = """
import torch

from overhead_lint.probes.guards_saved import load, save

FACTOR = 3

def scaled(x, k):
    return (x * k * FACTOR).relu()

class Model(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.linear = torch.nn.Linear(3, 2)

    def forward(self, x):
        return self.linear(x) * self.scale

import enum

class Kind(enum.Enum):
    SUM = 1
    MEAN = 2

def reduced(x, kind, layer, after):
    return after(layer()(x.sum() if kind is Kind.SUM else x.mean()))

def plus(x):
    return x + 1

def minus(x):
    return x - 1
"""
WRITE = """
from model import *

save(scaled, "scaled.bin", (torch.ones(3), 2), backend="eager")
save(Model(2).forward, "model.bin", (torch.ones(4, 3),), backend="aot_eager")
"""
READ = """
from model import *

function = load("scaled.bin")
print(function.name, function(torch.full((3,), -1.0), 2).tolist(), function(torch.ones(3), k=2).tolist())
for inputs in ((torch.ones(3), 5), (torch.ones(3, 1), 2), (torch.ones(3, dtype=torch.float64), 2)):
    print(function.failed_guard(*inputs))
try:
    function(torch.ones(3), 5)
except RuntimeError as error:
    print(type(error).__name__, error)
forward = load("model.bin")
model, other = Model(2), Model(4)
x = torch.randn(4, 3)
print(torch.equal(forward(model, x), model(x)))
forward(model, x).sum().backward()
print(model.linear.weight.grad is not None, forward.failed_guard(other, x))
"""


def python(folder: Path, code: str) -> list[str]:
    done = warm_python.python("-c", code, cwd=folder, modules=warm_python.DYNAMO)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_another_process_checks_and_calls_what_was_saved(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(SAVE)
    python(tmp_path, WRITE)
    lines = python(tmp_path, READ)
    assert lines[0] == "scaled [0.0, 0.0, 0.0] [6.0, 6.0, 6.0]"
    assert lines[1] == f"L['k'] == 2 ({tmp_path}/model.py:9)"
    assert "rank mismatch" in lines[2] or "size" in lines[2]
    assert "dtype" in lines[3]
    assert lines[4].startswith("GuardsFailed scaled: not compiled for these inputs: L['k'] == 2 (")
    assert lines[5] == "True"
    assert lines[6].startswith("True ") and "scale == 2" in lines[6] and lines[6].endswith("/model.py:18)")


IDENTITIES = """
from model import *

loaded = load("reduced.bin")
x, relu, tanh = torch.full((4,), -1.0), torch.nn.ReLU, torch.nn.Tanh
print(loaded(x, Kind.SUM, tanh, plus).item() == reduced(x, Kind.SUM, tanh, plus).item())
for inputs in ((Kind.MEAN, tanh, plus), (Kind.SUM, relu, plus), (Kind.SUM, tanh, minus)):
    print(loaded.failed_guard(x, *inputs))
plus.__code__ = minus.__code__
print(loaded.failed_guard(x, Kind.SUM, tanh, plus))
"""


def test_another_process_checks_which_members_classes_and_functions_inputs_are(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(SAVE)
    inputs = "torch.full((4,), -1.0), Kind.SUM, torch.nn.Tanh, plus"
    python(tmp_path, f"from model import *\nsave(reduced, 'reduced.bin', ({inputs}), backend='aot_eager')\n")
    lines = python(tmp_path, IDENTITIES)
    assert lines[0] == "True"
    assert lines[1].startswith("L['kind'] is member model:Kind.SUM (") and "/model.py:" in lines[1]
    assert lines[2].startswith("L['layer'] is class torch.nn.modules.activation:Tanh (")
    assert lines[3].startswith("L['after'] is function model:plus ")
    assert lines[4].startswith("L['after'] is function model:plus ")


class Hidden:
    pass


HIDDEN = Hidden
globals()["Hidden"] = int  # what the name finds is another class now


def by_class(x: torch.Tensor, kind: type) -> torch.Tensor:
    return x + 1 if kind is HIDDEN else x + 2


def test_what_has_no_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"which object L\['kind'\] is, and a type has no name"):
        save(by_class, tmp_path / "a.bin", (torch.ones(3), HIDDEN), backend="aot_eager")
    assert list(tmp_path.iterdir()) == []


MODES: dict[str, Callable[[], Any]] = {
    "none": contextlib.nullcontext,
    "autocast": lambda: torch.autocast("cpu"),
    "inference": torch.inference_mode,
}


def product(x: torch.Tensor) -> torch.Tensor:
    return x @ x


@pytest.mark.parametrize("loading", MODES)
@pytest.mark.parametrize("saving", MODES)
def test_calls_are_taken_in_the_modes_of_saving_wherever_the_file_was_loaded(
    tmp_path: Path, saving: str, loading: str
) -> None:
    plain = torch.ones(2, 2)
    with torch.inference_mode():
        inference = torch.ones(2, 2)
    for saved, other in ((plain, inference), (inference, plain)):
        torch.compiler.reset()
        with MODES[saving]():
            save(product, tmp_path / "a.bin", (saved,), backend="aot_eager")
        with MODES[loading]():
            loaded = load(tmp_path / "a.bin")
            assert torch.is_inference_mode_enabled() == (loading == "inference")
            assert torch.is_autocast_enabled("cpu") == (loading == "autocast")
        for calling, mode in MODES.items():
            with mode():
                assert (loaded.failed_guard(saved) is None) == (calling == saving)
                assert loaded.failed_guard(other) is not None
                if calling == saving:
                    assert loaded(saved).dtype == product(saved).dtype


@contextlib.contextmanager
def set_default_device(device: str) -> Iterator[None]:
    torch.set_default_device(device)
    try:
        yield
    finally:
        torch.set_default_device(None)


DEVICES: dict[str, Callable[[], Any]] = {
    "none": contextlib.nullcontext,
    "set": lambda: set_default_device("meta"),
    "other": lambda: set_default_device("cpu"),
    "block": lambda: torch.device("meta"),
}


def made(n: int) -> torch.Tensor:
    return torch.zeros(n)


@pytest.mark.parametrize("loading", DEVICES)
@pytest.mark.parametrize("saving", DEVICES)
def test_calls_are_taken_under_the_default_device_of_saving_wherever_the_file_was_loaded(
    tmp_path: Path, saving: str, loading: str
) -> None:
    torch.compiler.reset()
    with DEVICES[saving]():
        save(made, tmp_path / "a.bin", (2,), backend="eager")
    with DEVICES[loading]():
        before = torch.zeros(1).device
        loaded = load(tmp_path / "a.bin")
        assert torch.zeros(1).device == before
    assert torch.zeros(1).device.type == "cpu"
    for calling, device in DEVICES.items():
        with device():
            assert (loaded.failed_guard(2) is None) == (calling == saving)
            if calling == saving:
                assert loaded(2).device == made(2).device


class CountsFunctions(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class CountsOperators(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("mode", [CountsFunctions, CountsOperators])
def test_code_is_not_saved_under_a_mode_and_loaded_under_any(tmp_path: Path, mode: type[Any]) -> None:
    save(product, tmp_path / "a.bin", (torch.ones(2, 2),), backend="aot_eager")
    with mode():
        loaded = load(tmp_path / "a.bin")
        assert loaded.failed_guard(torch.ones(2, 2)) is not None
        with pytest.raises(Unsupported, match=f"compiled under {mode.__name__} cannot be saved"):
            save(product, tmp_path / "b.bin", (torch.ones(2, 2),), backend="aot_eager")
    assert loaded.failed_guard(torch.ones(2, 2)) is None
    assert not (tmp_path / "b.bin").exists()


def test_compiled_code_may_call_what_was_loaded(tmp_path: Path) -> None:
    save(product, tmp_path / "a.bin", (torch.ones(2, 2),), backend="aot_eager")
    loaded = load(tmp_path / "a.bin")
    outer = torch.compile(lambda x: loaded(x + 0) * 2, backend="eager")
    assert torch.equal(outer(torch.ones(2, 2)), torch.full((2, 2), 4.0))


def times(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@pytest.mark.parametrize("wrong", [torch.nn.ReLU(), torch.compile(torch.nn.ReLU()), 3])
def test_what_torch_cannot_save_is_told(tmp_path: Path, wrong: object) -> None:
    with pytest.raises(TypeError, match=r"and of module\.forward, not of \w+: pass module\.forward"):
        save(wrong, tmp_path / "a.bin", (torch.ones(3),))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


class Locked:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.scale = 2


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = Locked()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.config.scale


def test_objects_that_cannot_be_pickled_are_told(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"this code cannot be saved: .*pickle"):
        save(Model().forward, tmp_path / "a.bin", (torch.ones(3),), backend="eager")
    assert list(tmp_path.iterdir()) == []


def test_a_function_that_cannot_be_found_by_its_name_is_refused_or_saved_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    function = torch.no_grad()(functools.wraps(times)(lambda x: x * 2))
    try:
        save(function, path, (torch.ones(3),), backend="eager")
    except Unsupported as error:  # up to torch 2.14
        assert "pickle" in str(error)
        assert not path.exists()
    else:
        loaded = load(path)
        assert torch.equal(loaded(torch.full((3,), 4.0)), torch.full((3,), 8.0))
        assert not loaded(torch.ones(3, requires_grad=True).detach()).requires_grad
        with pytest.raises(GuardsFailed):
            loaded(torch.ones(3, dtype=torch.float64))


def generator(x: torch.Tensor) -> Iterator[torch.Tensor]:
    yield x


async def coroutine(x: torch.Tensor) -> torch.Tensor:
    return x


@pytest.mark.parametrize(
    ("function", "args", "why"),
    [
        (generator, (torch.ones(3),), "generator is a generator or a coroutine: pass a plain function"),
        (coroutine, (torch.ones(3),), "coroutine is a generator or a coroutine: pass a plain function"),
        (times, torch.ones(3), "args must be a tuple of inputs, got Tensor"),
    ],
)
def test_what_could_not_be_meant_is_refused(tmp_path: Path, function: Any, args: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        save(function, tmp_path / "a.bin", args, backend="eager")
    assert list(tmp_path.iterdir()) == []


def test_a_backend_whose_code_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"this code cannot be saved: .* does not implement"):
        save(times, tmp_path / "a.bin", (torch.ones(3),), backend=lambda graph, inputs: graph.forward)
    assert list(tmp_path.iterdir()) == []


def test_files_that_do_not_fit_are_refused_before_they_are_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    head = {
        "format": "overhead-lint saved guards 3",
        "function": "f",
        "torch": str(torch.__version__),
        "python": sys.version.split()[0],
        "sha256": "0",
    }
    for text, why in (
        ("nothing", "holds no saved guards"),
        (json.dumps({**head, "format": "other"}), "holds no saved guards"),
        (json.dumps({**head, "torch": "1.0"}), "made with torch 1.0, and this is"),
        (json.dumps({**head, "python": "3.1"}), "made with python 3.1, and this is"),
        (json.dumps({**head, "torch": "1\n\x1b[2J"}), r"made with torch '1\\n\\x1b\[2J', and this is"),
        (json.dumps(head) + "\nx", "damaged: its content does not fit its checksum"),
    ):
        path.write_text(text)
        with pytest.raises(SavedGuardsError, match=why) as raised:
            load(path)
        assert str(raised.value).startswith(f"{path}: ")
    save(times, path, (torch.ones(3),), backend="aot_eager")
    path.write_bytes(path.read_bytes().replace(b'"inference": false', b'"inference": true', 1))
    with pytest.raises(SavedGuardsError, match="damaged: its content does not fit its checksum"):
        load(path)
    with pytest.raises(SavedGuardsError, match=r"none\.bin: cannot be read: No such file"):
        load(tmp_path / "none.bin")


def test_a_file_is_refused_before_it_is_unpickled_wherever_it_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, random = tmp_path / "a.bin", Random(20)
    save(times, path, (torch.ones(3),), backend="aot_eager")
    whole = path.read_bytes()
    monkeypatch.setattr(torch.compiler, "load_compiled_function", lambda *a, **k: pytest.fail("unpickled"))
    damaged = [whole[: random.randrange(len(whole))] for _ in range(50)]
    for end in (len(whole), whole.index(b"\n")) * 100:
        at = random.randrange(end)
        damaged.append(whole[:at] + bytes([whole[at] ^ (1 << random.randrange(8))]) + whole[at + 1 :])
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(SavedGuardsError) as raised:
            load(path)
        assert str(raised.value).startswith(f"{path}: ") and "\n" not in str(raised.value)


@pytest.mark.parametrize("said", [{"identities": None}, {"identities": [[1]]}, {"device": 1}, {"modes": {}}])
def test_a_whole_file_that_says_something_else_is_refused_in_one_line(
    tmp_path: Path, said: dict[str, Any]
) -> None:
    path = tmp_path / "two\nlines.bin"
    save(times, path, (torch.ones(3),), backend="aot_eager")
    first, _, data = path.read_bytes().partition(b"\n")
    head = {**json.loads(first), **said}
    head["sha256"] = guards_saved._checksum(head, data)
    path.write_bytes(json.dumps(head).encode() + b"\n" + data)
    with pytest.raises(SavedGuardsError, match=r"two\\nlines\.bin: cannot be loaded: \w+Error: ") as raised:
        load(path)
    assert "\n" not in str(raised.value)
