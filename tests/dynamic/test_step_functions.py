"""`overhead-lint run`: which functions may be steps, and what is one where nobody says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from .run_cases import evidence, python, run

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


def test_a_step_function_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text("def step():\n    pass\n")
    (tmp_path / "main.py").write_text("import work\nfor _ in range(9):\n    work.step()\nprint('ok')\n")
    done = run(tmp_path, "--step-function", "work:stop", "main.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "overhead-lint: --step-function work:stop: there is no such function\n"
    done = run(tmp_path, "--step-function", "elsewhere:step", "main.py")
    assert (done.returncode, done.stdout) == (0, "ok\n")
    assert "--step-function elsewhere:step: is never called from another module" in done.stderr
    done = run(tmp_path, "--step-function", "work:step", "main.py")
    assert "6 steps (calls of the step function)" in done.stderr and "never called" not in done.stderr


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
    # What Dynamo says on Python 3.13.0, and on no other.
    ignored = "ignore:Guards may run slower on Python:RuntimeWarning"
    done = run(tmp_path, "-q", "infer.py", form, PYTHONWARNINGS=ignored)
    assert (done.returncode, done.stderr) == (0, "")
    content = evidence(tmp_path)
    assert content["steps"]["found_by"] == f"outermost module calls, {name}"
    assert content["steps"]["count"] == 20 - 7 - 3
    (found,) = (entry for entry in content["findings"] if entry["code"] == "OVH101")
    assert found["per_step"] == executions
    guards = {entry["function"]: entry["guards"] for entry in content["compiled"]}
    assert bool(guards) == (form == "compiled")
