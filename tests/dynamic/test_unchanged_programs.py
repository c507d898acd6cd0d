"""`overhead-lint run`: the program behaves as ever, and evidence is written however it ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warm_python

from .run_cases import TRAIN, evidence, python, run, run_with_torch

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
    alone = warm_python.python("program.py", cwd=tmp_path, modules=warm_python.DYNAMO)
    if alone.stdout == "":
        pytest.skip("this Python, with this torch, ends without finalizing them")
    assert alone.stdout == "finalized False\n" * 2
    done = run_with_torch(tmp_path, "-q", "program.py")
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


FOLDER = """\
import sys
import helper
print(__name__, __file__, __package__ == "", __spec__.name, __spec__.origin, sys.argv, sys.path[0])
print(sorted(globals()), helper.__file__, sys.modules["__main__"].__dict__ is globals())
"""


@pytest.mark.parametrize("named", ["sub/app", "./sub/app/", "sub/../sub/app", "-P sub/app", "link"])
def test_a_folder_runs_as_under_python(tmp_path: Path, named: str) -> None:
    app = tmp_path / "sub" / "app"
    app.mkdir(parents=True)
    (tmp_path / "link").symlink_to("sub/app")
    (app / "__main__.py").write_text(FOLDER)
    (app / "helper.py").touch()
    *options, folder = named.split()
    if options and sys.version_info < (3, 11):
        pytest.skip("this Python has no -P")
    alone = python(tmp_path, *options, folder, "-x", "--output")
    done = python(tmp_path, *options, "-m", "overhead_lint", "run", "-q", folder, "-x", "--output")
    assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "")


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("sys.exit(7)", 7),
        ("sys.exit('gone wrong')", 1),
        ("sys.exit()", 0),
        ("raise ValueError('no')", 1),
        ("sys.excepthook = lambda *e: print('hook', e[0]); raise ValueError", 1),
        ("sys.excepthook = lambda *e: 1 / 0; raise ValueError", 1),
        ("sys.excepthook = lambda *e: sys.exit(7); raise ValueError", 7),
        ("sys.excepthook = None; raise ValueError", 1),
        ("del sys.excepthook; raise ValueError", 1),
        ("atexit.register(lambda: print(repr(sys.last_value))); raise ValueError(3)", 1),
        ("class Stop(KeyboardInterrupt): pass\nraise Stop", 1),
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


def test_a_program_runs_without_streams(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import sys\nprint(sys.stderr)\nsys.exit(3 + (sys.stdin is None))\n")
    command = f'"{sys.executable}" -m overhead_lint run -o {os.devnull} program.py <&- 2>&-'
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (4, "None\n")


def test_a_program_finds_its_path_as_it_was_named(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "program.py").write_text(
        "import sys\nprint(__file__, sys.argv, sys.path[0])\n1 / 0\n"
    )
    for named in ("./sub/program.py", "sub//program.py", "sub/../sub/program.py"):
        alone, done = python(tmp_path, named), run(tmp_path, "-q", named)
        assert (done.returncode, done.stdout, done.stderr) == (1, alone.stdout, alone.stderr)


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
    assert evidence(tmp_path)["schema"] == 4


def test_a_crash_still_writes_what_was_measured(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN.replace("print(", "raise RuntimeError("))
    done = run_with_torch(tmp_path, "train.py")
    assert done.returncode == 1
    assert "RuntimeError" in done.stderr and "overhead_lint/dynamic" not in done.stderr
    assert evidence(tmp_path)["status"] == 1
    assert evidence(tmp_path)["steps"]["count"] == 7


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


DEEP = """\
import sys

def deeper(n):
    global depth
    depth = n
    deeper(n + 1)

for limit in (sys.getrecursionlimit(), 300, 2**31, 0):
    try:
        sys.setrecursionlimit(limit)
        deeper(1)
    except (RecursionError, OverflowError, ValueError) as error:
        print(type(error).__name__, depth, sys.getrecursionlimit())
sys.setrecursionlimit(2**31 - 1)
print(sys.getrecursionlimit())
sys.setrecursionlimit(1000)
deeper(1)
"""


def _from_the_program(done: subprocess.CompletedProcess[str], folder: Path) -> str:
    """Return a traceback from the program's first line on: Python 3.10 names files of its own before it."""
    return done.stderr.partition(f'  File "{folder}')[2]


@pytest.mark.parametrize("named", [["deep.py"], ["-m", "deep"], ["app"]])
def test_a_program_may_call_as_deep_as_under_python(tmp_path: Path, named: list[str]) -> None:
    (tmp_path / "app").mkdir()
    for file in ("deep.py", "app/__main__.py"):
        (tmp_path / file).write_text(DEEP)
    alone, done = python(tmp_path, *named), run(tmp_path, "-q", *named)
    assert alone.stdout.startswith("RecursionError 99")
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout)
    assert _from_the_program(done, tmp_path) == _from_the_program(alone, tmp_path) != ""


SHADOWED = """\
import json, sys
print(__name__)
if __name__ == "__main__":
    import torch
    import NAME
    with torch.autocast("cpu", dtype=torch.bfloat16):
        print(NAME.own, json.dumps([1]))
"""


@pytest.mark.parametrize("name", ["statistics", "libcst"])
def test_a_module_with_a_name_of_the_librarys_is_the_programs_and_not_the_tools(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text("own = 7\n")
    (tmp_path / "program.py").write_text(SHADOWED.replace("NAME", name))
    alone, done = python(tmp_path, "program.py"), run(tmp_path, "program.py")
    assert (done.returncode, done.stdout) == (0, alone.stdout) == (0, "__main__\n7 [1]\n")
    assert "autocast-per-step" in done.stderr and "cannot be written" not in done.stderr
    [found] = evidence(tmp_path)["findings"]
    assert (found["code"], found["total"], found["before_seconds"] is not None) == ("OVH101", 1, True)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, "script") for name in ("json", "random", "typing", "threading")),
        *(("random", how) for how in ("module", "folder")),
    ],
)
def test_a_module_that_the_tool_needs_itself_may_have_its_name_taken(
    tmp_path: Path, name: str, how: str
) -> None:
    app = tmp_path / "app"
    app.mkdir()
    (app / f"{name}.py").write_text(f"print('own {name}')\n_shutdown = int\n")
    for file in ("program.py", "__main__.py"):
        (app / file).write_text(f"import {name}, sys\nprint({name}.__file__, sys.path[0])\n")
    folder, named = {
        "script": (app, ["program.py"]),
        "module": (app, ["-m", "program"]),
        "folder": (tmp_path, ["app"]),
    }[how]
    alone, done = python(folder, *named), run(folder, "-q", *named)
    assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "")


STARTED = """\
import json, multiprocessing, sys

def work(queue):
    import html
    queue.put((json.own, html.own))

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    queue = context.SimpleQueue()
    process = context.Process(target=work, args=(queue,))
    process.start()
    print(queue.get())
    process.join()
    print(process.exitcode)
"""


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_processes_that_a_program_starts_have_its_modules_too(tmp_path: Path, start: str) -> None:
    for name in ("json", "html"):
        (tmp_path / f"{name}.py").write_text("own = 7\n")
    (tmp_path / "program.py").write_text(STARTED)
    alone, done = python(tmp_path, "program.py", start), run(tmp_path, "-q", "program.py", start)
    assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "") == (0, "(7, 7)\n0\n", "")


def test_a_package_may_change_where_modules_are_looked_for(tmp_path: Path) -> None:
    for folder in ("pkg", "extra"):
        (tmp_path / folder).mkdir()
    (tmp_path / "extra" / "other.py").touch()
    (tmp_path / "pkg" / "__init__.py").write_text(
        "import sys\nprint(sys.argv)\nsys.path.insert(0, 'extra')\n"
    )
    (tmp_path / "pkg" / "__main__.py").write_text("import other, sys\nprint(sys.path[:2])\n")
    alone, done = python(tmp_path, "-m", "pkg", "-x"), run(tmp_path, "-q", "-m", "pkg", "-x")
    assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "")
    assert "'-m', '-x'" in done.stdout


@pytest.mark.parametrize("text", ["1 / 0\n", "import nothing\n", "raise SystemExit(3)\n"])
def test_a_package_that_cannot_be_imported_ends_the_program_as_under_python(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text(text)
    (tmp_path / "pkg" / "__main__.py").touch()
    alone, done = python(tmp_path, "-m", "pkg"), run(tmp_path, "-q", "-m", "pkg")
    assert done.returncode == alone.returncode
    assert _from_the_program(done, tmp_path) == _from_the_program(alone, tmp_path)


@pytest.mark.parametrize("text", ["1 / 0\n", "import nothing\n", "x = (\n"])
def test_a_watched_module_that_cannot_be_imported_is_shown_as_under_python(tmp_path: Path, text: str) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(text)
    (tmp_path / "program.py").write_text("import torch\n")
    path = str(tmp_path / "program.py")
    alone, done = python(tmp_path, path), run(tmp_path, "-q", path)
    assert (done.returncode, done.stderr) == (alone.returncode, alone.stderr)


HELPER = r"""
import torch

class Net(torch.nn.Module):
    def forward(self, x: "Literal['\\d']"):
        "\d"
        with torch.autocast("cpu"):
            return x * 2
"""
