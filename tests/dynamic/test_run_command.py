"""`overhead-lint run`: the program behaves as ever, and evidence is written however it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TRAIN = """\
import sys
import torch
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(torch.ones(2, 4)).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print("done", sys.argv)
"""


def python(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "overhead_lint", "run", *arguments, **variables)


def evidence(folder: Path, name: str = "overhead.json") -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / name).read_text())
    return content


def test_a_training_script_from_run_to_ranked_findings(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    done = run(tmp_path, "--warmup", "2", "train.py", "--lr", "1")
    assert (done.returncode, done.stdout) == (0, "done ['train.py', '--lr', '1']\n")
    assert "OVH101" in done.stderr
    assert [line.split()[:3] for line in done.stderr.splitlines() if "autocast-per-step" in line] == [
        ["1", "1", "train.py:6"]
    ]
    content = evidence(tmp_path)
    assert content["schema"] == 3
    assert content["steps"]["found_by"] == "optimizer steps"
    assert (content["steps"]["count"], content["steps"]["warmup"]) == (8, 2)
    found = {entry["code"]: entry for entry in content["findings"]}
    assert (found["OVH101"]["executions"], found["OVH101"]["total"]) == (8, 10)
    assert found["OVH101"]["cost_seconds"] > 0
    assert content["trace"]["step"] == 5
    assert "train.py" in content["trace"]["paths"]
    linted = python(tmp_path, "-m", "overhead_lint", ".", "--evidence", "overhead.json")
    assert "measured: once a step" in linted.stdout


PROGRAM = """\
import os, sys
sys.path.insert(0, "extra")
print(__name__, __file__ == os.path.abspath(sys.argv[0]), __spec__, sys.argv)
print(sys.path[1] == os.path.dirname(__file__))
print(sorted(globals()), os.path.exists("here.txt"))
print(sys.modules["__main__"].__dict__ is globals(), "torch" in sys.modules)
"""


def test_a_script_sees_what_it_sees_under_python(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "here.txt").touch()
    (tmp_path / "sub" / "program.py").write_text(PROGRAM)
    alone = python(tmp_path, "sub/program.py", "-x", "--output")
    done = run(tmp_path, "-q", "sub/program.py", "-x", "--output")
    assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "")


FINALIZED = """\
import sys
import torch
class Kept:
    def __del__(self):
        print("finalized", sys is None)
kept = Kept()
model = torch.nn.Linear(4, 4)
model.kept = Kept()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.utils.data.DataLoader(torch.ones(8, 4), 2):
    model(batch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise ValueError"])
def test_objects_that_live_to_the_end_are_finalized_while_their_globals_are_there(
    tmp_path: Path, end: str
) -> None:
    (tmp_path / "program.py").write_text(f"{FINALIZED}{end}\n")
    alone = python(tmp_path, "program.py")
    if alone.stdout == "":
        pytest.skip("this Python, with this torch, ends without finalizing them")
    assert alone.stdout == "finalized False\n" * 2
    done = run(tmp_path, "-q", "program.py")
    assert (done.returncode, done.stdout, done.stderr) == (alone.returncode, alone.stdout, alone.stderr)


def test_a_module_and_a_package_run_as_with_m(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").touch()
    body = "import sys\nfrom . import x\nprint(__name__, __spec__.name, __package__, sys.argv[1:], x.y)\n"
    (package / "x.py").write_text("y = 1\n")
    for name in ("__main__.py", "train.py"):
        (package / name).write_text(body)
    for module in ("pkg", "pkg.train"):
        alone = python(tmp_path, "-m", module, "a")
        done = run(tmp_path, "-q", "-m", module, "a")
        assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "")


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("sys.exit(7)", 7),
        ("sys.exit('gone wrong')", 1),
        ("sys.exit()", 0),
        ("raise ValueError('no')", 1),
        ("sys.excepthook = lambda *e: print('hook', e[0]); raise ValueError", 1),
        ("atexit.register(lambda: print('at exit', sys.argv)); 1 / 0", 1),
        ("def broken(:", 1),
        ("import unfinished", 1),
    ],
)
def test_a_program_ends_as_under_python(tmp_path: Path, end: str, status: int) -> None:
    (tmp_path / "program.py").write_text(f"import atexit, sys\nprint('begun')\n{end}\n")
    (tmp_path / "unfinished.py").write_text("x = (\n")
    alone = python(tmp_path, str(tmp_path / "program.py"))
    done = run(tmp_path, "-q", str(tmp_path / "program.py"))
    assert done.returncode == alone.returncode == status
    assert (done.stdout, done.stderr) == (alone.stdout, alone.stderr)


@pytest.mark.parametrize(
    "end",
    [
        "os.close(2)",
        "sys.stderr.close()",
        "sys.stderr = None",
        "os.close(1); os.close(2); raise SystemExit(3)",
    ],
)
def test_a_program_that_closes_its_streams_ends_as_under_python(tmp_path: Path, end: str) -> None:
    (tmp_path / "program.py").write_text(f"import os, sys\n{end}\n")
    done = run(tmp_path, "program.py")
    assert done.returncode == python(tmp_path, "program.py").returncode
    assert evidence(tmp_path)["program"] == ["program.py"]
    assert (done.stdout, done.stderr) == ("", "")


def test_threads_that_a_program_leaves_behind_are_waited_for(tmp_path: Path) -> None:
    text = """\
import threading, time

def late():
    time.sleep(0.3)
    print("late")

threading.Thread(target=late).start()
print("main")
"""
    (tmp_path / "late.py").write_text(text)
    plain = python(tmp_path, "late.py")
    done = run(tmp_path, "late.py")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (0, "main\nlate\n")


def test_a_program_may_remove_its_current_folder(tmp_path: Path) -> None:
    (tmp_path / "gone.py").write_text("import os\nos.mkdir('d')\nos.chdir('d')\nos.rmdir(os.getcwd())\n")
    done = run(tmp_path, "gone.py")
    assert done.returncode == 0
    assert done.stderr.endswith(f"\n{tmp_path / 'overhead.json'}: evidence written\n")
    assert evidence(tmp_path)["schema"] == 3


def test_a_crash_still_writes_what_was_measured(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN.replace("print(", "raise RuntimeError("))
    done = run(tmp_path, "train.py")
    assert done.returncode == 1
    assert "RuntimeError" in done.stderr and "overhead_lint/dynamic" not in done.stderr
    assert evidence(tmp_path)["status"] == 1
    assert evidence(tmp_path)["steps"]["count"] == 7


@pytest.mark.parametrize(
    ("number", "status", "said"), [(signal.SIGINT, 130, "KeyboardInterrupt"), (signal.SIGTERM, 143, "")]
)
def test_a_signal_writes_the_report_and_ends_the_program(
    tmp_path: Path, number: signal.Signals, status: int, said: str
) -> None:
    (tmp_path / "program.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "overhead_lint", "run", "program.py"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        errors = process.communicate(timeout=60)[1]
    assert process.returncode == -number
    assert said in errors and "overhead.json: evidence written" in errors
    assert (evidence(tmp_path)["program"], evidence(tmp_path)["status"]) == (["program.py"], status)


FORKS = """\
import os, signal, time
child = os.fork()
if child == 0:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(30)
    print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, flush=True)
    time.sleep(60)
os.kill(child, signal.SIGTERM) if time.sleep(1) is None else None
print(os.waitpid(child, 0)[1])
signal.signal(signal.SIGTERM, lambda *_: print("mine"))
os.kill(os.getpid(), signal.SIGTERM)
"""


def test_children_and_handlers_of_the_program_have_the_signal_to_themselves(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(FORKS)
    done = run(tmp_path, "-q", "program.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"True\n{int(signal.SIGTERM)}\nmine\n", "")


SHORT_LIVED = """\
import os, signal, time
signals = []
for _ in range(10):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        time.sleep(60)
    os.kill(child, signal.SIGTERM)
    signals.append(os.waitpid(child, 0)[1])
print(signals)
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


def test_children_die_of_signals_that_come_as_they_begin(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(SHORT_LIVED)
    done = run(tmp_path, "-q", "program.py")
    assert done.stdout == f"{[int(signal.SIGTERM)] * 10}\nset()\n"


@pytest.mark.parametrize(("code", "status"), [("-1", 255), ("256", 0), ("True", 1)])
def test_the_status_of_the_evidence_is_the_one_that_the_system_gets(
    tmp_path: Path, code: str, status: int
) -> None:
    (tmp_path / "program.py").write_text(f"import sys\nsys.exit({code})\n")
    assert run(tmp_path, "-q", "program.py").returncode == status
    assert (type(evidence(tmp_path)["status"]), evidence(tmp_path)["status"]) == (int, status)


def test_enough_steps_end_the_program_where_asked_for(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN.replace("range(10)", "range(10**9)"))
    done = run(tmp_path, "-o", "out.json", "--report-to", "report.txt", "--steps", "4", "--exit", "train.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert evidence(tmp_path, "out.json")["steps"]["count"] == 4
    assert "OVH101" in (tmp_path / "report.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name a script"),
        (["missing.py"], "missing.py: no such file"),
        (["."], ".: a folder"),
        (["-m", "missing_module"], "-m missing_module: no such module"),
        (["-o", "no/where.json", "x.py"], "no/where.json: cannot be written: no such folder: no"),
        (["--step-function", "x", "x.py"], "write pkg.module:function"),
        (["--step-function", "__main__:step", "x.py"], "functions of the program's own file are not seen"),
        (["--step-function", "json:stop", __file__], "--step-function json:stop: there is no such function"),
        (["--steps", "0", "x.py"], "argument --steps: a number, 1 or more, not '0'"),
        (["torchrun", "--standalone", "x.py"], "torchrun [OPTIONS] -m overhead_lint run SCRIPT"),
        (["-m", "torch.distributed.run", "x.py"], "-m torch.distributed.run [OPTIONS] -m overhead_lint run"),
        (["accelerate", "launch", "x.py"], "accelerate launch [OPTIONS] -m overhead_lint run SCRIPT"),
        (["python3", "x.py"], "python3: leave the interpreter out: overhead-lint run SCRIPT"),
        (["pytest", "tests"], "pytest: write overhead-lint run --pytest"),
        (["program.pyz"], "program.pyz: is no Python source"),
        (
            ["-o", "whole.py", "whole.py"],
            "whole.py: is the program, and what is written would take its place",
        ),
        (["--report-to", "link.py", "-m", "whole"], "link.py: is the program"),
        (["-o", "a", "--report-to", "./a", "whole.py"], "a: cannot hold both the evidence and the report"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(tmp_path: Path, arguments: list[str], complaint: str) -> None:
    (tmp_path / "program.pyz").write_bytes(b"PK\3\4\0\0")
    (tmp_path / "whole.py").write_text("print('ran')\n")
    (tmp_path / "link.py").symlink_to("whole.py")
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert (tmp_path / "whole.py").read_text() == "print('ran')\n"
    assert complaint in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.rstrip().count("\n") == 0 or done.stderr.startswith("usage: ")


@pytest.mark.parametrize(
    "program",
    [
        "import json\njson.dumps = None\n",
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n",
        "import sys\nsys.modules.clear()\n",
    ],
)
def test_a_program_that_breaks_the_interpreter_ends_as_ever(tmp_path: Path, program: str) -> None:
    (tmp_path / "program.py").write_text(f"{program}raise SystemExit(3)\n")
    done = run(tmp_path, "program.py")
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot be written" in done.stderr and "Traceback" not in done.stderr


def test_a_program_too_deep_to_compile_ends_as_under_python(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(f"x = {' + '.join(['1'] * 40_000)}\n")
    alone, done = python(tmp_path, "program.py"), run(tmp_path, "program.py")
    used = re.compile(r"\(used \d+ kB\)")  # of the stack, from Python 3.14 on
    assert (done.returncode, used.sub("", done.stderr)) == (alone.returncode, used.sub("", alone.stderr))


def test_what_python_warns_of_in_a_program_is_shown_once(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "program.py").write_text(
        "import torch\nfrom helper import Net\nfor _ in range(3):\n    Net()(torch.ones(2))\n'\\w'\n"
    )
    always = {
        "PYTHONWARNINGS": "always::SyntaxWarning,always::DeprecationWarning",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    alone = python(tmp_path, "program.py", **always)
    assert alone.stderr.count("invalid escape sequence") == 2
    done = run(tmp_path, "-q", "program.py", **always)
    assert (done.returncode, done.stderr.count("invalid escape sequence")) == (0, 2), done.stderr
    assert (tmp_path / "overhead.json").exists()


def test_evidence_that_cannot_be_written_is_told_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print('done')\n")
    done = run(tmp_path, "-o", "/proc/evidence.json", "program.py")
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert "overhead-lint: /proc/evidence.json: cannot be written: " in done.stderr


HELPER = r"""
import torch

class Net(torch.nn.Module):
    def forward(self, x: "Literal['\\d']"):
        "\d"
        with torch.autocast("cpu"):
            return x * 2
"""

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


def test_numbers_of_tests_come_beside_the_report_that_pytest_is_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "test_it.py").write_text(
        "import torch\ndef test_one():\n    torch.compile(lambda x: x + 1, backend='eager')(torch.ones(1))\n"
    )
    done = run(tmp_path, "-q", "--pytest", "-q", "-p", "no:cacheprovider", "--overhead-report=report.json")
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if "written" in line] == [
        f"{tmp_path / 'report.json'}: report written"
    ]
    (name,) = evidence(tmp_path)["tests"]
    assert evidence(tmp_path)["tests"][name]["guards"] > 0
    assert json.loads((tmp_path / "report.json").read_text())["tests"].keys() == {name}


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


LOADER = """\
import sys
import torch
from torch.utils.data import DataLoader, Dataset

class Data(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, index):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.ones(4) * index

if __name__ == "__main__":
    start = {"multiprocessing_context": sys.argv[1]}
    print(sum(batch.sum().item() for batch in DataLoader(Data(), num_workers=2, **start)))
"""


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_workers_of_data_loaders_are_counted_apart(tmp_path: Path, start: str) -> None:
    (tmp_path / "load.py").write_text(LOADER)
    done = run(tmp_path, "-q", "load.py", start)
    assert (done.returncode, done.stdout, done.stderr) == (0, "112.0\n", "")
    found = next(entry for entry in evidence(tmp_path)["findings"] if entry["code"] == "OVH101")
    assert (found["total"], found["elsewhere"]) == (0, 8)


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_workers_that_end_by_themselves_are_not_told_as_lost(tmp_path: Path, start: str) -> None:
    (tmp_path / "load.py").write_text(LOADER)
    done = run(tmp_path, "load.py", start)
    assert (done.returncode, done.stdout) == (0, "112.0\n")
    assert "8 in workers" in done.stderr
    assert "not measured: workers" not in done.stderr


POOL = """\
import multiprocessing, sys
import torch

def work(number):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return number

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(sum(pool.map(work, range(8), chunksize=1)))
"""


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_workers_of_pools_are_counted_though_they_are_killed(tmp_path: Path, start: str) -> None:
    (tmp_path / "pool.py").write_text(POOL)
    done = run(tmp_path, "pool.py", start)
    assert (done.returncode, done.stdout) == (0, "28\n")
    found = next(entry for entry in evidence(tmp_path)["findings"] if entry["code"] == "OVH101")
    # A worker may be killed before it comes back for the next task.
    assert found["total"] == 0 and 6 <= found["elsewhere"] <= 8


def test_workers_that_cannot_write_go_on(tmp_path: Path) -> None:
    (tmp_path / "pool.py").write_text("""\
import multiprocessing, resource, torch

def allow_no_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

def double(x):
    with torch.autocast("cpu"):
        return 2 * x

if __name__ == "__main__":
    pool = multiprocessing.get_context("fork").Pool(1, allow_no_files, maxtasksperchild=2)
    print(pool.map_async(double, range(4), chunksize=1).get(60))
    pool.close()
    pool.join()
""")
    done = run(tmp_path, "-q", "pool.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[0, 2, 4, 6]\n", "")


def test_workers_that_are_killed_are_told(tmp_path: Path) -> None:
    (tmp_path / "kill.py").write_text(
        "import multiprocessing, time\n\nif __name__ == '__main__':\n"
        "    process = multiprocessing.Process(target=time.sleep, args=(600,))\n"
        "    process.start(), time.sleep(1), process.terminate(), process.join()\n"
        "    print(process.exitcode)\n"
    )
    done = run(tmp_path, "kill.py")
    assert (done.returncode, done.stdout) == (0, "-15\n")
    assert "not measured: workers: 1 of the processes that multiprocessing started were killed" in done.stderr


def test_the_native_core_is_compiled_when_torch_is_imported_and_in_silence_where_asked_for(
    tmp_path: Path,
) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\ntest $1 = --version && echo 'c++ 1'\n")
    compiler.chmod(0o755)
    (tmp_path / "a.py").write_text("import sys, torch\nprint('imported')\nsys.stderr.write('here\\n')\n")
    variables = {"CXX": str(compiler), "OVERHEAD_LINT_CACHE": str(tmp_path / "cache")}
    assert run(tmp_path, "-q", "a.py", **variables).stderr == "here\n"
    failed = run(tmp_path, "-q", "--device", "simulated", "a.py", **variables).stderr
    assert failed.startswith(
        "overhead-lint: --device simulated: the native core (simulated) does not compile"
    )
    told = run(tmp_path, "a.py", **variables).stderr
    assert told.index("building the native core") < told.index("here\n")


def test_what_only_a_worker_loads_is_counted(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(
        "import torch\ndef work(n):\n    with torch.autocast('cpu', dtype=torch.half):\n        return n\n"
    )
    (tmp_path / "main.py").write_text(
        "import multiprocessing\n\ndef call(n):\n    import work\n    work.work(n)\n\n"
        "if __name__ == '__main__':\n"
        "    process = multiprocessing.get_context('spawn').Process(target=call, args=(1,))\n"
        "    process.start(), process.join()\n    print(process.exitcode)\n"
    )
    done = run(tmp_path, "main.py")
    assert (done.returncode, done.stdout) == (0, "0\n")
    (found,) = (entry for entry in evidence(tmp_path)["findings"] if entry["code"] == "OVH101")
    assert (found["path"], found["total"], found["elsewhere"]) == ("work.py", 0, 1)


def test_ranks_become_one_file(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    ranks = {"WORLD_SIZE": "2", "MASTER_PORT": "1"}
    first = run(tmp_path, "train.py", RANK="1", **ranks)
    assert "evidence written" not in first.stderr
    assert evidence(tmp_path)["processes"] == 1
    last = run(tmp_path, "train.py", RANK="0", **ranks)
    assert "2 ranks" in last.stderr
    content = evidence(tmp_path)
    assert (content["processes"], content["steps"]["count"]) == (2, 14)
    assert {entry["total"] for entry in content["findings"] if entry["code"] == "OVH101"} == {20}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["overhead.json", "train.py"]


WAITS = """\
import os, pathlib, time
print("begun", flush=True)
while os.environ["RANK"] == "0" and not pathlib.Path("go").exists():
    time.sleep(0.05)
"""


def test_what_a_rank_left_of_a_run_that_was_broken_off_is_not_merged(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WAITS)
    (tmp_path / "go").touch()
    ranks = {"WORLD_SIZE": "2", "MASTER_PORT": "1"}
    run(tmp_path, "train.py", RANK="0", **ranks)  # the other one was killed
    (tmp_path / "go").unlink()
    command = [sys.executable, "-m", "overhead_lint", "run", "train.py"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, **ranks, "RANK": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        first = run(tmp_path, "train.py", RANK="1", **ranks)
        (tmp_path / "go").touch()
        errors = process.communicate(timeout=60)[1]
    assert "evidence written" not in first.stderr
    assert b"evidence written" in errors
    assert evidence(tmp_path)["processes"] == 2


def test_fixes_of_a_copy_are_compared_with_what_was_predicted(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    done = run(tmp_path, "--fix", "--verify", "--verify-runs", "1", "train.py")
    assert done.returncode == 0
    assert done.stdout.count("done") == 1
    assert "1 finding fixed in a copy" in done.stderr and "predicted saving" in done.stderr
    verified = evidence(tmp_path)["verified"]
    assert verified["fixed"] == ["train.py:6: OVH101"]
    assert len(verified["before_seconds"]) == len(verified["after_seconds"]) == 1
    assert (tmp_path / "train.py").read_text() == TRAIN
