"""Heat reaches other files by imports and by names of methods, and gives way where callers are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat, loop_over, workspace_of

from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.cli.main import main
from overhead_lint.discovery import files
from overhead_lint.rule import Heat, Place, Warmth

CALLS = {
    "imported name": ("from pkg.work import f", "f(batch)", "f"),
    "imported module": ("import pkg.work", "pkg.work.f(batch)", "f"),
    "aliased module": ("from pkg import work as w", "w.f(batch)", "f"),
    "re-exported name": ("from pkg import f", "f(batch)", "f"),
    "re-exported under another name": ("import pkg", "pkg.g(batch)", "f"),
    "star import": ("from pkg.stars import *", "f(batch)", "f"),
    "star of a star": ("from pkg.more_stars import *", "f(batch)", "f"),
    "partial": ("from functools import partial\nfrom pkg.work import f\nh = partial(f, 1)", "h(batch)", "f"),
    "function under another name of its file": ("from pkg.work import also", "also(batch)", "f"),
    "lambda with a name": ("from pkg.work import short", "short(batch)", "<lambda>"),
    "callback": ("from pkg.work import f", "checkpoint(f, batch)", "f"),
    "constructor": ("from pkg.work import C", "C(batch)", "C.__init__"),
    "method of an instance": ("from pkg.work import C\nc = C()", "c.m(batch)", "C.m"),
    "inherited method": ("from pkg.sub import D\nd = D()", "d.m(batch)", "C.m"),
    "property": ("from pkg.work import C\nc = C()", "c.p", "C.p"),
    "instance of another file": ("from pkg.sub import made", "made.m(batch)", "C.m"),
    "what a function returns": ("from pkg.sub import build\nc = build()", "c.m(batch)", "C.m"),
    "method of an attribute": ("from pkg.sub import Holder\nh = Holder(1)", "h.inner.m(batch)", "C.m"),
    "annotated attribute": ("from pkg.sub import Holder\nh = Holder(1)", "h.given.m(batch)", "C.m"),
    "items": ("from pkg.work import C\ncs = [C() for _ in x]", "cs[0].m(batch)", "C.m"),
    "method of an instance of what a table holds": (
        "from pkg.work import C, E\nTABLE = {'e': E, 'c': C}\nc = TABLE[x]()",
        "c.m(batch)",
        "C.m",
    ),
    "constructor of what a table holds": (
        "from pkg.work import C, E\nTABLE = {'e': E, 'c': C}",
        "TABLE[x](batch)",
        "C.__init__",
    ),
    "method that only one class has": ("", "unknown.very_special(batch)", "C.very_special"),
}

PACKAGE = {
    "pkg/__init__.py": "from .work import f\nfrom .work import f as g\n",
    "pkg/work.py": """
        def f(x):
            here()
        also = f
        short = lambda x: here()
        class C:
            def __init__(self, x=0):
                here()
            def m(self, x):
                here()
            @property
            def p(self):
                here()
            def very_special(self, x):
                here()
        class E:
            def __init__(self, x=0):
                pass
            def m(self, x):
                pass
        """,
    "pkg/stars.py": "from .work import *\n",
    "pkg/more_stars.py": "from pkg.stars import *\n",
    "pkg/sub.py": """
        from .work import C
        class D(C):
            pass
        def build() -> "C":
            return make()
        made = D()
        class Holder:
            def __init__(self, given: C):
                self.inner = C()
                self.given = given
        """,
}


@pytest.mark.parametrize("name", CALLS)
def test_heat_reaches_other_files(tmp_path: Path, name: str) -> None:
    head, call, expected = CALLS[name]
    found = heat(tmp_path, {**PACKAGE, "train.py": loop_over(call, head)})
    hot = [line for line in found if "step:" in line]
    assert hot == [f"pkg/work.py: step: {tmp_path}/train.py:10 loop over loader -> {expected}"]


NAMES_OF_METHODS = {
    "of a package that it imports": ("import work", "work"),
    "of a package that imports it": ("", "app"),
    "of another package": ("", ""),
}


@pytest.mark.parametrize("name", NAMES_OF_METHODS)
def test_a_methods_name_leads_to_related_packages_only(tmp_path: Path, name: str) -> None:
    imports, imported_by = NAMES_OF_METHODS[name]
    sources = {
        "app/__init__.py": "",
        "app/train.py": loop_over("unknown.very_special(batch)", imports),
        "work/__init__.py": f"import {imported_by}\n" if imported_by == "app" else "",
        "work/parts.py": "class C:\n    def very_special(self, x):\n        here()\n",
    }
    found = heat(tmp_path, sources)
    assert ["cold" in line for line in found] == [not imports and not imported_by]


def test_classes_of_another_package_do_not_make_a_methods_name_ambiguous(tmp_path: Path) -> None:
    special = "class C:\n    def very_special(self, x):\n        here()\n"
    sources = {
        "app/__init__.py": "",
        "app/train.py": loop_over("unknown.very_special(batch)"),
        "app/parts.py": special,
        "work/__init__.py": "",
        "work/parts.py": special,
    }
    assert [line.split(":")[1] for line in heat(tmp_path, sources)] == [" step", " cold"]


def test_a_chain_goes_through_several_files(tmp_path: Path) -> None:
    sources = {
        "trainer.py": """
            from net import Net
            class Trainer:
                def __init__(self):
                    self.net = Net()
                def step(self, batch):
                    return self.net(batch)
            """,
        "net.py": """
            import layers
            class Net(layers.Base):
                def run(self, x):
                    here()
            """,
        "layers.py": """
            class Base:
                def __call__(self, x):
                    return self.run(x)
            """,
        "train.py": loop_over("trainer.step(batch)", "from trainer import Trainer\ntrainer = Trainer()"),
    }
    chain = "train.py:10 loop over loader -> Trainer.step -> Base.__call__ -> Net.run"
    assert heat(tmp_path, sources) == [f"net.py: step: {tmp_path}/{chain}"]


def test_presumed_heat_gives_way_where_the_callers_are_known(tmp_path: Path) -> None:
    work = {"work.py": "import torch\ndef f(x):\n    here()\n    return torch.exp(x)\n"}
    unknown = "work.py: presumed: f works with tensors and no caller of it is known"
    assert heat(tmp_path / "a", work) == [unknown]
    assert heat(tmp_path / "b", {**work, "tests/test_f.py": "from work import f\nf(1)\n"}) == [unknown]
    assert heat(tmp_path / "c", {**work, "main.py": "from work import f\nf(1)\n"}) == [
        "work.py: cold: nothing shows that it runs in a step"
    ]


def test_circles_of_imports_bases_and_returns_end(tmp_path: Path) -> None:
    sources = {
        "a.py": "from b import *\nfrom b import B, g\nclass A(B):\n    pass\ndef f():\n    return g()\n",
        "b.py": "from a import *\nfrom a import A, f\nclass B(A):\n    pass\ndef g():\n    return f()\n",
        "train.py": loop_over("A().m(f().n, missing(batch))", "from a import *\nfrom a import A, f"),
    }
    assert heat(tmp_path, sources) == []


def test_cold_files_are_in_the_graph_when_they_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "benchmarks" / "m.py"
    path.parent.mkdir()
    path.write_text("def f():\n    pass\n")
    assert workspace_of(tmp_path).warmths(path) is None
    assert workspace_of(tmp_path, files.Target(str(path), "")).warmths(path) is not None


def test_examples_are_programs_that_show_what_steps_call(tmp_path: Path) -> None:
    (tmp_path / "pkg.py").write_text("def scaled(x):\n    return x\n\ndef other(x):\n    return x\n")
    path = tmp_path / "examples" / "train.py"
    path.parent.mkdir()
    path.write_text("import pkg\n\nfor batch in loader:\n    pkg.scaled(batch)\n")
    warmths = workspace_of(tmp_path).warmths(tmp_path / "pkg.py")
    assert warmths is not None
    places = (Place(str(path), "", 3), Place(str(tmp_path / "pkg.py"), ".scaled"))
    loop = f"{path}:3 loop over loader"
    assert warmths[".scaled"] == Warmth(Heat.STEP, loop, ReasonKind.LOOP, places=places)
    assert warmths[".scaled"].why == f"{loop} -> scaled"
    assert warmths[".other"].heat is Heat.COLD


def test_functions_that_run_for_each_token_are_hot(tmp_path: Path) -> None:
    text = """
        from transformers import LogitsProcessorList
        class Expansion:
            def logits(self, input_ids, scores):
                here()
            def run(self, model, x):
                return model.generate(x, logits_processor=LogitsProcessorList([self.logits]))
        """
    (found,) = heat(tmp_path, {"m.py": text})
    assert found == "m.py: step: Expansion.logits runs for each token, by the list on line 6"


def test_what_other_processes_run_is_followed(tmp_path: Path) -> None:
    sources = {
        "train.py": """
            import ray
            from work import Judge, Worker, reward

            class Group:
                def __init__(self, judge):
                    self.worker = Worker.options(num_gpus=2).remote()
                    self.judge = ray.remote(num_cpus=1)(judge).remote()

                def fit(self, loader, unknown):
                    judge = ray.remote(Judge).remote()
                    for batch in loader:
                        ray.get([self.worker.update.remote(batch) for _ in range(2)])
                        judge.score.options(name="s").remote(batch)
                        reward.remote(batch)
                        unknown.send_states.remote()
                        repository.remote(batch)
            """,
        "work.py": """
            import ray

            @ray.remote(num_gpus=1)
            class Worker:
                def __init__(self):
                    here()

                def update(self, batch):
                    here()

                def send_states(self):
                    here()

            class Judge:
                def score(self, batch):
                    here()

                def remote(self, batch):
                    here()

            @ray.remote
            def reward(batch):
                here()
            """,
    }
    told = f"{tmp_path}/train.py:11 loop over loader ->"
    assert heat(tmp_path, sources) == [
        "work.py: cold: nothing shows that it runs in a step",
        f"work.py: loop: {told} Worker.update",
        f"work.py: step: {told} Worker.send_states",
        f"work.py: step: {told} Judge.score",
        "work.py: cold: nothing shows that it runs in a step",
        f"work.py: step: {told} reward",
    ]


def test_an_operator_that_goes_through_batches_is_a_whole_pass(tmp_path: Path) -> None:
    sources = {
        "lib.py": """
            import torch
            from torch import Tensor
            from tqdm import trange

            def encode_all(x: Tensor, batch_size: int) -> Tensor:
                here()
                found = []
                for at in trange(0, len(x), batch_size):
                    here()
                    found.append(torch.relu(x[at : at + batch_size]))
                return torch.cat(found)
            """
    }
    assert [line.partition(": ")[2] for line in heat(tmp_path, sources)] == [
        f"cold: outside of the hot loop: {tmp_path}/lib.py:8 loop over batches",
        "step: lib.py:8 loop over batches",
    ]


def test_bases_are_known_in_a_folder_of_a_package_without_an_init(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/run/stages/__init__.py": "",
        "pkg/run/stages/base.py": "from abc import ABC\nclass Stage(ABC):\n    pass\n",
        "pkg/run/stages/last.py": "from pkg.run.stages.base import Stage\nclass Last(Stage):\n"
        "    def forward(self, batch):\n        return batch.sum()\n",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    main(["check", "--no-cache", "--explain-heat", f"{tmp_path}/pkg/run/stages/last.py:4", str(tmp_path)])
    assert " step: " not in capsys.readouterr().out


def test_package_below_a_folder_without_an_init_is_named_by_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = {
        "space/core/__init__.py": "",
        "space/core/hooks.py": "class Hooks:\n    def prepare(self, x):\n        return None\n",
        "space/core/base.py": "from torch import nn\nfrom space.core.hooks import Hooks\n"
        "class Base(nn.Module, Hooks):\n    def forward(self, x):\n        self.prepare(x)\n",
        "space/core/heir.py": "from space.core.base import Base\n"
        "class Heir(Base):\n    def prepare(self, x):\n        return x.sum()\n",
        "main.py": "from space.core import heir\n\ndef train(loader, net):\n    for batch in loader:\n"
        "        net(batch).backward()\n        heir.loss(batch)\n",
    }
    sources["space/core/heir.py"] += "def loss(x):\n    return x.item()\n"
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for line in (4, 6):
        place = f"{tmp_path}/space/core/heir.py:{line}"
        main(["check", "--no-cache", "--explain-heat", place, str(tmp_path)])
        assert " step: " in capsys.readouterr().out
