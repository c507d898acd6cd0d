"""After any edit, what the cache holds of calls gives the heat that a run without a cache finds."""

from __future__ import annotations

import marshal
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from project_cases import others

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.project.graph import local_changes
from overhead_lint.project.graph.graph import Graph
from overhead_lint.project.graph.resolved import kept_mentions, mentions
from overhead_lint.support.compiled_form import is_compiled
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.heat_update import HeatUpdate
from overhead_lint.workspace.refresh import Refresh
from overhead_lint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from overhead_lint.project.cross_file import Told
    from overhead_lint.rule import Warmth

NAMES = ("alpha", "beta", "gamma", "delta")
FILES = ("one", "two", "three", "four")
ALONE = "    return torch.relu(x)"


def text_of(chance: random.Random, name: str) -> str:
    """A module with functions and a class that call each other and those of other modules."""
    lines = ["import torch", "from torch import nn"]
    lines += [f"import pkg.{other}" for other in FILES if other != name]
    lines += [f"from pkg.{chance.choice(FILES)} import *"] if chance.random() < 0.2 else []
    for function in chance.sample(NAMES, 3):
        lines += ["", "", f"def {function}(x, callback=None):", *body(chance)]
        lines += [f"    return pkg.{chance.choice(FILES)}.Net()"] if chance.random() < 0.2 else []
    base = chance.choice(["nn.Module", f"pkg.{chance.choice(FILES)}.Net", "object"])
    lines += ["", "", f"class Net({base if base.split('.')[1:2] != [name] else 'object'}):"]
    lines += ["    def forward(self, x):", "        self.helping_one(x)", *body(chance, "        ")]
    lines += ["    def helping_one(self, x):", *body(chance, "        ")]
    return "\n".join([*lines, "", *(body(chance, "") if chance.random() < 0.3 else [])]) + "\n"


def body(chance: random.Random, indent: str = "    ") -> list[str]:
    """Statements that call functions, some in loops."""
    found = []
    for _ in range(chance.randrange(1, 4)):
        call = chance.choice(
            (
                f"pkg.{chance.choice(FILES)}.{chance.choice(NAMES)}(x)",
                f"pkg.{chance.choice(FILES)}.{chance.choice(NAMES)}(x, callback={chance.choice(NAMES)})",
                f"{chance.choice(NAMES)}(x)",
                f"pkg.{chance.choice(FILES)}.Net().helping_one(x)",
                f"pkg.{chance.choice(FILES)}.{chance.choice(NAMES)}(x).helping_one(x)",
                "torch.relu(x)",
                "callback(x)",
            )
        )
        loop = chance.random() < 0.25
        found += [f"{indent}for batch in loader:"] if loop else []
        found.append(f"{indent}{'    ' * loop}{call}")
    return found


def edited(chance: random.Random, text: str, number: int) -> str:
    """A text with one of the edits that people make."""
    lines = text.split("\n")
    functions = [at for at, line in enumerate(lines) if line.startswith(("def ", "    def "))]
    at = chance.choice(functions)
    indent = "    " * (2 if lines[at].startswith(" ") else 1)
    kind = chance.randrange(9)
    if kind == 0:  # further down
        lines.insert(0, f"# {number}")
    elif kind in (1, 2):  # another call
        lines[at + 1 : at + 1] = body(chance, indent)
    elif kind == 3:  # a function that nobody asks for
        lines += [f"def added_{number}(x):", *body(chance)]
    elif kind in (6, 7):  # one that runs nothing of the project, and may replace another that did not
        lines = [line for line in lines if not line.startswith("def alone") and line != ALONE]
        lines += [f"def alone_{number}(x):", ALONE]
    elif kind == 8:  # two of which one runs the other
        lines += [f"def first_{number}(x):", f"    return second_{number}(x)"]
        lines += [
            f"def second_{number}(x):",
            ALONE,
            f"    return {chance.choice(['x', f'first_{number}(x)'])}",
        ]
    elif kind == 4:  # one that others may ask for
        lines += [f"def {chance.choice(NAMES)}(x):", *body(chance)]
    else:
        lines[at + 1 :] = [line for line in lines[at + 1 :] if "for batch" not in line and line[:12].strip()]
    result = "\n".join(lines) + "\n"
    try:
        compile(result, "", "exec")
    except SyntaxError:
        return f"# {number}\n{text}"
    return result


def warmths(folder: Path, cache: Cache | None = None) -> list[dict[str, Warmth] | None]:
    """Heat of the functions of each file."""
    return answers(folder, cache)[0]


def answers(folder: Path, cache: Cache | None = None) -> tuple[list[dict[str, Warmth] | None], list[Told]]:
    """Heat of the functions of each file, and what the file is told besides."""
    examiner = Examiner(lambda target: Linter([], Settings()))
    workspace = Workspace(folder, [], others, lambda: examiner, cache=cache)
    paths = [folder / "pkg" / f"{name}.py" for name in FILES]
    found = [workspace.warmths(path) for path in paths], [workspace.told(path) for path in paths]
    workspace.save()
    return found


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_edits_give_the_heat_of_a_run_without_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, keeps: bool
) -> None:
    flowed = []
    flow = Refresh.flow
    taken = []
    take = Graph._take_one
    alone = []
    real = local_changes.updated_edges

    def noted_grown(*said: Any) -> object:
        found = real(*said)
        alone.extend([found] if found is not None else [])
        return found

    def noted(graph: Graph, data: tuple[object, ...], module: str, *rest: object) -> None:
        taken.append(module)
        take(graph, data, module, *rest)  # type: ignore[arg-type]

    def noted_flow(refresh: Refresh) -> bool:
        flowed.append(flow(refresh))
        return flowed[-1]

    monkeypatch.setattr(Graph, "_take_one", noted)
    monkeypatch.setattr(Refresh, "flow", noted_flow)
    monkeypatch.setattr(local_changes, "updated_edges", noted_grown)
    chance = random.Random(seed)
    package, cache = tmp_path / "pkg", tmp_path / ".cache"
    package.mkdir()
    for name in ("__init__", *FILES):
        text = "" if name == "__init__" else text_of(chance, name)
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    assert warmths(tmp_path, Cache(cache, "key")) == warmths(tmp_path)
    for number in range(25):
        for graph in cache.glob("*.graph") if not keeps else ():
            graph.unlink()
        for name in chance.sample(FILES, chance.randrange(1, 3)):
            path = package / f"{name}.py"
            path.write_text(edited(chance, path.read_text(encoding="utf-8"), number), encoding="utf-8")
        assert warmths(tmp_path, Cache(cache, "key")) == warmths(tmp_path), number
    # Compiled classes call their own methods past whoever listens.
    assert is_compiled() or keeps or len(taken) > 4, "what was resolved before is of use"
    assert all(flowed) and bool(flowed) is keeps, "and the graph before"
    assert alone, "functions that stand for themselves need no graph"


@pytest.mark.parametrize(
    ("names", "texts", "expected"),
    [
        ({"added"}, [b"nothing", b"pkg.one.added()"], True),
        ({"added"}, [b"added_too readded"], False),
        ({"<lambda 3>"}, [b"<lambda 3>"], False),
        (set(), [b"added"], False),
    ],
)
def test_names_are_mentioned_as_words(names: set[str], texts: list[bytes], expected: bool) -> None:
    assert mentions(names, texts) is expected


@pytest.mark.parametrize("after", ["", "more", 3, None, True, 2.5, (), [1], ("x",), "longer" * 99, "\xe9"])
def test_names_are_mentioned_in_what_is_kept_whatever_follows_them(after: Any) -> None:
    path, word = "".join(("pkg.", "added")), "".join(("add", "ed"))
    for data in ((path, after), (word, after, word), {word: after}, ((path, path), after)):
        assert kept_mentions({"added"}, [marshal.dumps(data)])
    assert not kept_mentions({"added"}, [marshal.dumps((f"{path}_too", f"re{word}", "addedr", after))])


def test_a_new_function_is_found_by_way_of_another_file_that_changed(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    texts = {
        "__init__": "",
        "one": "def f(x):\n    return x\n",
        "two": "from pkg.one import fresh\n\n\ndef g(x):\n    return x\n",
        "three": "import pkg.two\n\nfor batch in loader:\n    pkg.two.fresh(batch)\n    loss.backward()\n",
        "four": "",
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    cache = tmp_path / ".cache"
    warmths(tmp_path, Cache(cache, "key"))
    (package / "one.py").write_text(f"{texts['one']}\n\ndef fresh(x):\n    return x\n", encoding="utf-8")
    (package / "two.py").write_text(texts["two"].replace("return x", "return print(f(x))"), encoding="utf-8")
    found = warmths(tmp_path, Cache(cache, "key"))
    assert found == warmths(tmp_path)
    assert found[0] is not None
    assert found[0][".fresh"].why == f"{package / 'three.py'}:3 loop over loader -> fresh"


def test_new_functions_that_run_each_other_need_no_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    for name in FILES:
        (package / f"{name}.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    cache = tmp_path / ".cache"
    warmths(tmp_path, Cache(cache, "key"))
    text = "def f(x):\n    return x\n\n\ndef outer(x):\n    return inner(x)\n"
    text += "\n\ndef inner(x):\n    return x.relu()\n"
    (package / f"{FILES[0]}.py").write_text(text, encoding="utf-8")
    expected = warmths(tmp_path)
    monkeypatch.delattr(HeatUpdate, "graph")
    assert warmths(tmp_path, Cache(cache, "key")) == expected
    assert expected[0] is not None
    assert {".outer", ".inner"} <= expected[0].keys()


@pytest.mark.parametrize(
    "call", ["work(batch, debug=True)", "work(batch, True)", "work(batch), Other.work(*given)"]
)
def test_an_option_is_no_longer_left_alone_when_a_call_passes_it(tmp_path: Path, call: str) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    one = "def helper(x):\n    return x\n\n\ndef work(x, debug=False):\n    if debug:\n        helper(x)\n"
    two = "from pkg.one import work\n\nfor batch in loader:\n    {}\n    loss.backward()\n"
    texts = {"__init__": "", "one": one, "two": two.format("work(batch)"), "three": "", "four": ""}
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    cache = tmp_path / ".cache"
    before = answers(tmp_path, Cache(cache, "key"))
    (package / "two.py").write_text(two.format(call), encoding="utf-8")
    found = answers(tmp_path, Cache(cache, "key"))
    assert found == answers(tmp_path)
    assert found != before


def test_what_a_function_returns_leads_its_callers_elsewhere(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    one = "from pkg.four import Early, Late\n\n\ndef made():\n    return {}()\n"
    run = "import torch\n\n\nclass Early:\n    def run(self, x):\n        return torch.relu(x)\n\n\n"
    texts = {
        "__init__": "",
        "one": one.format("Early"),
        "two": "from pkg.one import made\n\nfor x in loader:\n    made().run(x)\n    loss.backward()\n",
        "three": "",
        "four": run + run.removeprefix("import torch\n\n\n").replace("Early", "Late"),
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    cache = tmp_path / ".cache"
    before = warmths(tmp_path, Cache(cache, "key"))
    (package / "one.py").write_text(one.format("Late"), encoding="utf-8")
    found = warmths(tmp_path, Cache(cache, "key"))
    assert found == warmths(tmp_path)
    assert found != before
