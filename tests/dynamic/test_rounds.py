"""Steps of programs that are no training loops, and step functions of the program's own file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from overhead_lint.dynamic.rounds import rounds, why_no_step

from .run_cases import evidence, run, run_with_torch

SERVER = """
import queue, torch

requests = queue.Queue()

def serve():
    while True:
        x = requests.get()
        if x is None:
            return
        y = (x @ x.T).relu()
        for _ in range(2):
            y = y + 1

for _ in range(12):
    requests.put(torch.ones(2, 2))
requests.put(None)
serve()
"""
DECODER = """
import torch
weight, state = torch.eye(4), torch.zeros(4)
for _ in range(3):
    weight = weight + 1
for token in range(10):
    state = torch.tanh(weight @ state + token)
    token = state.argmax()
"""


@pytest.mark.parametrize(
    ("program", "count", "found_by"),
    [
        (SERVER, 10, "rounds of the program, requests at program.py:7"),
        (DECODER, 7, "rounds of the program, tokens at program.py:6"),
    ],
)
def test_rounds_are_steps_where_nothing_else_is(
    tmp_path: Path, program: str, count: int, found_by: str
) -> None:
    (tmp_path / "program.py").write_text(program)
    done = run_with_torch(tmp_path, "-q", "program.py")
    assert (done.returncode, done.stderr) == (0, "")
    steps = evidence(tmp_path)["steps"]
    assert (steps["count"], steps["found_by"]) == (count, found_by)


@pytest.mark.parametrize("beside", [(), ("tabulate.py",)])
def test_contexts_of_the_tool_are_none_of_the_program(tmp_path: Path, beside: tuple[str, ...]) -> None:
    for name in beside:  # which changes sides around each step that is looked at
        (tmp_path / name).write_text("")
    (tmp_path / "program.py").write_text(SERVER)
    run_with_torch(tmp_path, "-q", "program.py")
    assert evidence(tmp_path)["metrics"]["contexts"] == 0


def test_an_optimizer_says_more_than_the_shape_of_a_loop(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import torch\nw = torch.ones(2, requires_grad=True)\noptimizer = torch.optim.SGD([w])\n"
        "for _ in range(9):\n    w.sum().backward()\n    optimizer.step()\n    w.argmax()\n"
    )
    run_with_torch(tmp_path, "-q", "program.py")
    assert evidence(tmp_path)["steps"]["found_by"] == "optimizer steps"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("while True:\n    item = work.get()", ["requests"]),
        ("while 1:\n    data = sock.recv(10)", ["requests"]),
        ("for item in iter(work.get, None):\n    run(item)", ["requests"]),
        ("while engine.has_work():\n    engine.step()", ["engine steps"]),
        ("for _ in range(n):\n    t = torch.multinomial(p, 1)", ["tokens"]),
        ("async def app(scope, receive, send):\n    await send({})", ["requests"]),
        ("@app.post('/x')\ndef answer(body):\n    'Text.'\n    return body", ["requests"]),
        ("class H(Base):\n    def do_POST(self):\n        pass", ["requests"]),
        # What is inside is another's, and shapes that say nothing are none.
        ("while True:\n    def f(): work.get()\n    f()", []),
        ("while True:\n    for x in y:\n        x.get()", []),
        ("while not done:\n    settings.get('x')", []),
        ("for layer in layers:\n    layer(x)", []),
        ("@fixture()\ndef get():\n    pass", []),
        ("@mock.patch('package.name')\ndef test(name):\n    pass", []),
    ],
)
def test_what_a_round_is(text: str, what: list[str]) -> None:
    assert [one.what for one in rounds(ast.parse(text))] == what


OWN = """
class Trainer:
    def step(self, x):
        "One step."
        return x + 1

def each():
    yield 1

trainer = Trainer()
for n in range(9):
    trainer.step(n)
"""


def test_a_function_of_the_script_may_be_the_step(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(OWN)
    done = run(tmp_path, "-q", "--step-function", "__main__:Trainer.step", "program.py")
    assert (done.returncode, done.stderr) == (0, "")
    steps = evidence(tmp_path)["steps"]
    assert (steps["count"], steps["found_by"]) == (6, "calls of the step function")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("stop", "there is no such function in program.py"),
        ("Trainer.stop", "there is no such function in program.py"),
        ("each", "is a generator, of which a call runs nothing yet; name a function that it calls"),
    ],
)
def test_what_cannot_be_a_step_is_told_before_the_program_runs(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "program.py").write_text(f"print('ran')\n{OWN}")
    done = run(tmp_path, "--step-function", f"__main__:{name}", "program.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"overhead-lint: --step-function __main__:{name}: {told}\n"


def test_a_generator_inside_of_a_function_makes_it_none(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("def step():\n    def each():\n        yield 1\n    return each\n")
    assert why_no_step(path, "step") == ""


def test_a_run_without_steps_says_how_to_name_them(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("x = 1\n")
    done = run(tmp_path, "program.py")
    assert (
        "no steps found: name a function whose calls are steps (--step-function __main__:NAME" in done.stderr
    )
