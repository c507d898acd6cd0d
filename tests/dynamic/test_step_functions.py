"""`overhead-lint run`: which functions may be steps, and what is one where nobody says so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .run_cases import evidence, python, run, run_with_torch

STEPPING = """\
class Trainer:
    seen = set()

    def own(self): Trainer.seen.add("own")

    @staticmethod
    def static(): Trainer.seen.add("static")

    @classmethod
    def shared(cls): Trainer.seen.add(cls.__name__)

class Derived(Trainer): pass

def function(): Trainer.seen.add("function")

made = Trainer()
"""


@pytest.mark.parametrize("name", ["function", "Trainer.own", "Trainer.static", "Trainer.shared"])
def test_functions_and_methods_of_any_kind_may_be_steps(tmp_path: Path, name: str) -> None:
    (tmp_path / "stepping.py").write_text(STEPPING)
    call = f"Derived().{name.rpartition('.')[2]}()" if "." in name else "function()"
    program = f"from stepping import *\nfor _ in range(9):\n    {call}\nprint(Trainer.seen)\n"
    (tmp_path / "program.py").write_text(program)
    done = run(tmp_path, "-q", "--step-function", f"stepping:{name}", "program.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == python(tmp_path, "program.py").stdout
    assert evidence(tmp_path)["steps"]["count"] == 6


@pytest.mark.parametrize(
    ("name", "kind"), [("Trainer", "type"), ("made", "Trainer"), ("Trainer.seen", "set")]
)
def test_what_is_no_function_is_no_step(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "stepping.py").write_text(STEPPING)
    (tmp_path / "program.py").write_text("import stepping\n")
    done = run(tmp_path, "--step-function", f"stepping:{name}", "program.py")
    assert done.returncode == 2
    complaint = f"is a {kind}: name a function, or a method as in Class.method"
    assert done.stderr == f"overhead-lint: --step-function stepping:{name}: {complaint}\n"


def test_a_coroutine_is_a_step_when_it_has_ended_and_stays_one(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(
        "import asyncio, sys\nended = []\n"
        "async def step():\n    await asyncio.sleep(0)\n    ended.append(1)\n    return len(ended)\n"
    )
    (tmp_path / "main.py").write_text(
        "import asyncio, inspect, work\n"
        "async def main():\n"
        "    print(inspect.iscoroutinefunction(work.step))\n"
        "    waiting = [work.step() for _ in range(20)]\n"
        "    for step in waiting[:9]:\n        print(await step)\n"
        "    for step in waiting[9:]:\n        step.close()\n"
        "asyncio.run(main())\n"
    )
    done = run(tmp_path, "-q", "--step-function", "work:step", "main.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == python(tmp_path, "main.py").stdout
    assert evidence(tmp_path)["steps"]["count"] == 6


@pytest.mark.parametrize("kind", ["", "async "])
def test_a_generator_is_no_step(tmp_path: Path, kind: str) -> None:
    (tmp_path / "work.py").write_text(f"{kind}def step():\n    yield 1\n")
    (tmp_path / "main.py").write_text("import work\n")
    done = run(tmp_path, "--step-function", "work:step", "main.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("overhead-lint: --step-function work:step: is a generator, of which ")


def test_a_step_function_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text("def step():\n    pass\n")
    (tmp_path / "main.py").write_text("import work\nfor _ in range(9):\n    work.step()\nprint('ok')\n")
    done = run(tmp_path, "--step-function", "work:stop", "main.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "overhead-lint: --step-function work:stop: there is no such function\n"
    (tmp_path / "unused.py").write_text("def step():\n    pass\n")
    done = run(tmp_path, "--step-function", "unused:step", "main.py")
    assert (done.returncode, done.stdout) == (0, "ok\n")
    assert "--step-function unused:step: no call of it was seen" in done.stderr
    done = run(tmp_path, "--step-function", "work:step", "main.py")
    assert "6 steps (calls of the step function)" in done.stderr and "no call of it" not in done.stderr


@pytest.mark.parametrize(
    "name", ["nowhere", "nowhere.work", "work.nowhere", "package.nowhere", "json.nowhere"]
)
def test_a_module_that_nothing_finds_is_told_before_the_program_runs(tmp_path: Path, name: str) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("print('imported')\n")
    (tmp_path / "work.py").write_text("print('imported')\n")
    (tmp_path / "main.py").write_text("import work, package\nprint('ran')\n")
    done = run(tmp_path, "--step-function", f"{name}:step", "main.py")
    assert (done.returncode, done.stdout) == (2, "")
    start = f"overhead-lint: --step-function {name}:step: there is no module {name}; "
    assert done.stderr.startswith(start) and done.stderr.count("\n") == 1
    assert not (tmp_path / "overhead.json").exists()


@pytest.mark.parametrize(
    "how",
    [
        "import sys\nsys.path.append('lib')\n",
        "import _init_paths\n",
        "from package.paths import add\nadd()\n",
    ],
)
def test_a_module_that_the_program_makes_findable_is_no_mistake(tmp_path: Path, how: str) -> None:
    for folder in ("lib", "package"):
        (tmp_path / folder).mkdir()
    adding = "import sys\ndef add(): sys.path.append('lib')\n"
    (tmp_path / "_init_paths.py").write_text(f"{adding}add()\n")
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "paths.py").write_text(adding)
    (tmp_path / "lib" / "hidden.py").write_text("def step():\n    pass\n")
    (tmp_path / "main.py").write_text(f"{how}import hidden\nfor _ in range(9):\n    hidden.step()\n")
    done = run(tmp_path, "--step-function", "hidden:step", "main.py")
    assert done.returncode == 0
    assert "6 steps (calls of the step function)" in done.stderr


INFERENCE = """\
import sys, torch

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(4, 4)
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.inner(x)

model, x = torch.nn.Sequential(Block(), Block()), torch.ones(2, 4)
embedding = torch.nn.Embedding(3, 4)
embedding(torch.tensor([0]))
call = torch.compile(model, backend="eager") if sys.argv[1] == "compiled" else model
def answer(rest):
    call(x)
    if rest:
        answer(rest - 1)
answer(19)
print(torch.nn.Module._wrapped_call_impl.__code__.co_firstlineno)
"""


@pytest.mark.parametrize(
    ("form", "executions", "name"), [("eager", 2, "Sequential"), ("compiled", 0, "OptimizedModule")]
)
def test_calls_of_the_outermost_module_are_steps(
    tmp_path: Path, form: str, executions: int, name: str
) -> None:
    (tmp_path / "infer.py").write_text(INFERENCE)
    # What Dynamo says on Python 3.13.0, and on no other: a program that reads this starts afresh.
    warnings = {"PYTHONWARNINGS": "ignore:Guards may run slower on Python:RuntimeWarning"}
    done = run_with_torch(
        tmp_path, "-q", "infer.py", form, **warnings if sys.version_info[:3] == (3, 13, 0) else {}
    )
    assert (done.returncode, done.stderr) == (0, "")
    content = evidence(tmp_path)
    assert content["steps"]["found_by"] == f"outermost module calls, {name}"
    assert content["steps"]["count"] == 20 - 7 - 3
    (found,) = (entry for entry in content["findings"] if entry["code"] == "OVH101")
    assert found["per_step"] == executions
    guards = {entry["function"]: entry["guards"] for entry in content["compiled"]}
    assert bool(guards) == (form == "compiled")
