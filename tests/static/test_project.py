"""Heat across files: every place is a call of ``here()``; sources are given by path."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from overhead_lint import files, packs
from overhead_lint.cache.store import Cache
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.project.facts import FileFacts
from overhead_lint.roots import root_of
from overhead_lint.rule import Heat
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace


def workspace_of(folder: Path, *targets: files.Target) -> Workspace:
    """The project below a folder, without rules."""
    examiner = Examiner(lambda target: Linter([], Settings()))
    return Workspace(folder, targets, others, lambda: examiner)


def others(root: Path) -> list[files.Target]:
    """The files of a project."""
    return [found for found in files.collect([root]) if isinstance(found, files.Target)]


def heat(folder: Path, sources: dict[str, str]) -> list[str]:
    """``file: heat: why`` of each ``here()``, in the order of the sources."""
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).strip("\n") + "\n", encoding="utf-8")
    workspace = workspace_of(folder)
    found = []
    for name in sources:
        path = folder / name
        tree = ast.parse(path.read_text(encoding="utf-8"))
        facts = FileFacts(tree, name, warmths=workspace.warmths(path))
        for node in facts.scan.by_class.get(ast.Call, ()):
            assert isinstance(node, ast.Call)
            if isinstance(node.func, ast.Name) and node.func.id == "here":
                warmth = facts.heat.warmth(node)
                found.append(f"{name}: {warmth.heat.label}: {warmth.why}")
    return found


def heat_below(folder: Path, sources: dict[str, str]) -> list[str]:
    """As `heat`, with files named from the folder in the reasons, too."""
    return [one.replace(f"{folder.as_posix()}/", "") for one in heat(folder, sources)]


def loop_over(call: str, head: str = "") -> str:
    """A training script with a call in its loop, which is on line 10."""
    lines = ["import torch", *head.splitlines(), *[""] * 8][:9]
    return "\n".join([*lines, "for batch in loader:", f"    {call}"]) + "\n"


CALLS = {
    "imported name": ("from pkg.work import f", "f(batch)", "f"),
    "imported module": ("import pkg.work", "pkg.work.f(batch)", "f"),
    "aliased module": ("from pkg import work as w", "w.f(batch)", "f"),
    "re-exported name": ("from pkg import f", "f(batch)", "f"),
    "re-exported under another name": ("import pkg", "pkg.g(batch)", "f"),
    "star import": ("from pkg.stars import *", "f(batch)", "f"),
    "star of a star": ("from pkg.more_stars import *", "f(batch)", "f"),
    "partial": ("from functools import partial\nfrom pkg.work import f\nh = partial(f, 1)", "h(batch)", "f"),
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
    "method that only one class has": ("", "unknown.very_special(batch)", "C.very_special"),
}
PACKAGE = {
    "pkg/__init__.py": "from .work import f\nfrom .work import f as g\n",
    "pkg/work.py": """
        def f(x):
            here()
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


def test_a_module_by_a_base_in_another_file(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
        "pkg/model.py": """
            from .base import Base
            class Model(Base):
                def __init__(self):
                    here()
                def __call__(self, x):
                    here()
            """,
    }
    assert heat(tmp_path, sources) == [
        "pkg/model.py: cold: Model.__init__ runs at construction",
        "pkg/model.py: step: Model.__call__ runs on every call of the module",
    ]


def test_an_override_in_another_file_runs_in_its_stead(tmp_path: Path) -> None:
    sources = {
        "base.py": """
            class Base:
                def training_step(self, batch):
                    self.work(batch)
                def work(self, batch):
                    raise NotImplementedError
            """,
        "sub.py": """
            from base import Base
            class Sub(Base):
                def work(self, batch):
                    here()
            """,
    }
    assert heat(tmp_path, sources) == [
        "sub.py: step: Base.training_step is a step by its name -> Sub.work",
    ]


LOOP_IN_A_BASE = """
    class Base:
        def update(self, loader, model):
            for batch in loader:
                model(batch).backward()
                self.work(batch)
        def work(self, batch):
            pass
    """


@pytest.mark.parametrize(
    ("update", "found"),
    [
        ("self.work(loader)", "cold"),
        ("self.work(super().update(loader, model))", "step"),
        ("Base.update(self, loader, model)", "step"),
    ],
)
@pytest.mark.parametrize("between", ["Base", "Own"])
def test_a_class_with_a_loop_of_its_own_is_not_run_by_the_one_it_overrides(
    tmp_path: Path, update: str, found: str, between: str
) -> None:
    own = f"class Own(Base):\n    def update(self, loader, model):\n        {update}\n"
    sub = f"class Sub({between}):\n    def work(self, batch):\n        here()\n"
    if between == "Base":
        sub += own.partition("\n")[2]
        own = ""
    (said,) = heat(tmp_path, {"base.py": LOOP_IN_A_BASE, "sub.py": f"from base import Base\n{own}{sub}"})
    assert said.split(": ")[1] == found


def test_a_class_whose_heir_runs_the_loop_is_run_by_it(tmp_path: Path) -> None:
    sources = {
        "base.py": LOOP_IN_A_BASE,
        "sub.py": """
            from base import Base
            class Own(Base):
                def update(self, loader, model):
                    pass
                def work(self, batch):
                    here()
            class Heir(Own):
                def update(self, loader, model):
                    Base.update(self, loader, model)
            """,
    }
    (said,) = heat(tmp_path, sources)
    assert said.endswith("loop over loader -> Own.work")


@pytest.mark.parametrize(
    ("name", "imported", "found"),
    [
        ("_archive", "", "cold"),
        ("_archive", "from ._archive import train", "step"),
        ("_archive", "def later():\n    import pkg._archive.train", "step"),
        ("_archive", "import importlib\nimportlib.import_module('._archive', __name__)", "step"),
        ("archive", "", "step"),
    ],
)
def test_a_private_package_that_nothing_imports_is_cold(
    tmp_path: Path, name: str, imported: str, found: str
) -> None:
    loop = "    for batch in loader:\n        model(batch).backward()\n        here()\n"
    sources = {
        "pkg/__init__.py": imported,
        f"pkg/{name}/__init__.py": "",
        f"pkg/{name}/train.py": f"def train(loader, model):\n{loop}",
        f"pkg/{name}/again.py": f"from pkg.{name}.train import train\n",
    }
    (said,) = heat(tmp_path, sources)
    assert said.split(": ")[1] == found


def test_presumed_heat_gives_way_where_the_callers_are_known(tmp_path: Path) -> None:
    work = {"work.py": "import torch\ndef f(x):\n    here()\n    return torch.exp(x)\n"}
    unknown = "work.py: presumed: f works with tensors and no caller of it is known"
    assert heat(tmp_path / "a", work) == [unknown]
    assert heat(tmp_path / "b", {**work, "tests/test_f.py": "from work import f\nf(1)\n"}) == [unknown]
    assert heat(tmp_path / "c", {**work, "main.py": "from work import f\nf(1)\n"}) == [
        "work.py: cold: nothing shows that it runs in a step"
    ]


def test_scripts_of_one_name_find_their_own_neighbours(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "a/model.py": "def f(x):\n    here()\n",
            "a/train.py": loop_over("f(batch)", "from model import f"),
            "b/model.py": "def f(x):\n    here()\n",
            "b/train.py": "from model import f\nf(1)\n",
        },
    )
    assert found == [
        f"a/model.py: step: {tmp_path}/a/train.py:10 loop over loader -> f",
        "b/model.py: cold: nothing shows that it runs in a step",
    ]


def test_folders_above_a_file_may_be_where_python_looks_for_modules(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            # no __init__.py at all
            "a/src/pkg/work/parts.py": "def f(x):\n    here()\n",
            "a/src/pkg/rl/train.py": loop_over("f(batch)", "from pkg.work.parts import f"),
            # a folder without one in a package
            "b/src/own/__init__.py": "",
            "b/src/own/layers/part.py": "def g(x):\n    here()\n",
            "b/src/own/train.py": loop_over("g(batch)", "from own.layers.part import g"),
            # what a package holds is not found from within it without its name
            "c/whole/__init__.py": "",
            "c/whole/data/__init__.py": "",
            "c/whole/data/read.py": "def h(x):\n    here()\n",
            "c/whole/train.py": loop_over("h(batch)", "from data.read import h"),
            # nor what another folder holds
            "d/other/pkg/work/parts.py": "def f(x):\n    here()\n",
        },
    )
    assert found == [
        f"a/src/pkg/work/parts.py: step: {tmp_path}/a/src/pkg/rl/train.py:10 loop over loader -> f",
        f"b/src/own/layers/part.py: step: {tmp_path}/b/src/own/train.py:10 loop over loader -> g",
        "c/whole/data/read.py: cold: nothing shows that it runs in a step",
        "d/other/pkg/work/parts.py: cold: nothing shows that it runs in a step",
    ]


def test_packages_of_a_project_that_is_a_package_itself_have_two_names(tmp_path: Path) -> None:
    found = heat(
        tmp_path / "checkout",
        {
            "__init__.py": "",
            "tools.py": "def e(x):\n    here()\n",
            "inner/__init__.py": "",
            "inner/inner.py": "def f(x):\n    here()\n",
            "inner/deep/__init__.py": "def g(x):\n    here()\n",
            "inner/deep/parts.py": "def h(x):\n    here()\n",
            "inner/train.py": loop_over(
                "e(f(g(h(batch))))",
                "from tools import e\nfrom inner.inner import f\nfrom inner.deep import g\n"
                "from .deep.parts import h",
            ),
            "train.py": loop_over("h(batch)", "from checkout.inner.deep.parts import h"),
        },
    )
    loop = f"{tmp_path}/checkout/inner/train.py:10 loop over loader"
    assert found == [
        f"tools.py: step: {loop} -> e",
        f"inner/inner.py: step: {loop} -> f",
        f"inner/deep/__init__.py: step: {loop} -> g",
        f"inner/deep/parts.py: step: {loop} -> h",
    ]


def test_circles_of_imports_bases_and_returns_end(tmp_path: Path) -> None:
    sources = {
        "a.py": "from b import *\nfrom b import B, g\nclass A(B):\n    pass\ndef f():\n    return g()\n",
        "b.py": "from a import *\nfrom a import A, f\nclass B(A):\n    pass\ndef g():\n    return f()\n",
        "train.py": loop_over("A().m(f().n, missing(batch))", "from a import *\nfrom a import A, f"),
    }
    assert heat(tmp_path, sources) == []


def test_the_root_is_where_the_settings_lie_else_the_repository_else_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "src"
    inner.mkdir(parents=True)
    file = inner / "m.py"
    file.write_text("")
    assert root_of([tmp_path], None) == tmp_path
    assert root_of([file.parent.parent / "m.py"], None) is None
    files.project_root.cache_clear()
    (tmp_path / "repo" / ".git").mkdir()
    assert root_of([file], None) == tmp_path / "repo"
    assert root_of([file], inner / "overhead-lint.toml") == inner
    assert root_of([file], tmp_path / "elsewhere" / "overhead-lint.toml") == tmp_path / "repo"


def test_the_root_of_a_file_without_a_repository_is_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pkg" / "sub" / "m.py"
    file.parent.mkdir(parents=True)
    for path in (file, tmp_path / "train.py"):
        path.write_text("")
    monkeypatch.chdir(tmp_path)
    assert root_of([file], None) is None, "a folder without modules on the way"
    (tmp_path / "pkg" / "n.py").write_text("")
    assert root_of([file], None) == tmp_path
    assert root_of([tmp_path / "train.py"], None) == tmp_path
    (tmp_path / "other" / ".git").mkdir(parents=True)
    assert root_of([tmp_path / "train.py"], None) is None, "a folder of several checkouts is no project"
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    (tmp_path / "other" / ".git").rmdir()
    assert root_of([tmp_path / "train.py"], None) is None, "nor is the folder of temporary files"
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert root_of([file], None) is None


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
    assert warmths[".scaled"] == (Heat.STEP, f"{path}:3 loop over loader -> scaled")
    assert warmths[".other"].heat is Heat.COLD


WORK = """
    def plain(*args):
        here()
    def make(name):
        def hook(*args):
            here()
        return hook
    class Keeper:
        def keep(self, *args):
            here()
    """
HANDED = {
    "hook of another file": ("from work import plain\nmodule.register_forward_hook(plain)", "plain"),
    "hook that is bound": (
        "import functools\nfrom work import plain\nt.register_hook(functools.partial(plain, 1))",
        "plain",
    ),
    "method as a hook": (
        "from work import Keeper\nk = Keeper()\nm.register_full_backward_hook(k.keep)",
        "Keeper.keep",
    ),
    "engine callback": (
        "from work import plain\nVariable._execution_engine.queue_callback(plain)",
        "plain",
    ),
    "saved tensors": (
        "from work import plain\nimport torch\ntorch.autograd.graph.saved_tensors_hooks(plain, len)",
        "plain",
    ),
    "forward that is replaced": ("from work import plain\nmodel.forward = plain", "plain"),
    "hook of a state dict": ("from work import plain\nm.register_state_dict_pre_hook(plain)", ""),
    "attribute that is replaced": ("from work import plain\nmodel.title = plain", ""),
}


@pytest.mark.parametrize("name", HANDED)
def test_what_runs_in_every_step_is_found_in_other_files(tmp_path: Path, name: str) -> None:
    text, expected = HANDED[name]
    found = heat(tmp_path, {"work.py": WORK, "main.py": f"def prepare(module, m, t, model):\n{indent(text)}"})
    hot = [line for line in found if ": step:" in line]
    assert len(hot) == (1 if expected else 0)
    assert all(f": step: {expected} " in line for line in hot)


def indent(text: str) -> str:
    return textwrap.indent(text, "    ")


def test_hooks_that_a_function_makes_or_binds_are_hot(tmp_path: Path) -> None:
    text = """
        import functools, types
        def make(name):
            def hook(module, args, out):
                here()
            return hook
        def bound(name, module, args):
            here()
        def replaced(module, x):
            here()
        def wrapped(module, args):
            here()
        def prepare(model, other):
            model.register_forward_hook(package.disable(wrapped), prepend=False)
            model.register_forward_hook(make("a"))
            model.register_forward_pre_hook(hook=functools.partial(bound, "b"))
            other.forward = types.MethodType(replaced, other)
        """
    found = heat(tmp_path, {"m.py": text})
    assert [line.split(": ")[1] for line in found] == ["step"] * 4


def test_what_decorators_put_around_functions_runs_with_these(tmp_path: Path) -> None:
    around = """
        import functools
        def dispatched(name):
            def decorator(function):
                @functools.wraps(function)
                def wrapper(*args):
                    here()
                    return function(*args)
                wrapper = quiet(wrapper)
                return wrapper
            return decorator
        def counted(function):
            def wrapper(*args):
                here()
                return function(*args)
            return functools.wraps(function)(wrapper)
        class Checked:
            def __init__(self, function):
                here()
                self.function = function
            def __call__(self, *args):
                here()
                return self.function(*args)
        def listed(function):
            here()
            ALL.append(function)
            return function
        def unused(function):
            def wrapper(*args):
                here()
            return wrapper
        """
    work = """
        from pkg.around import Checked, counted, dispatched, listed
        @listed
        @dispatched("f")
        @counted
        def f(x):
            return g(x)
        @Checked
        def g(x):
            return x
        """
    sources = {
        "pkg/around.py": around,
        "pkg/work.py": work,
        "a.py": loop_over("f(batch)", "from pkg.work import f"),
    }
    found = [line.split(": ")[1] for line in heat(tmp_path, sources)]
    assert found == ["step", "step", "cold", "step", "cold", "cold"]


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


def test_generators_of_other_files_run_where_their_items_are_taken(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/data.py": """
            from pkg.store import read
            def stream(path):
                here()
                for row in read(path):
                    yield row
            class Buffer:
                def mini_batch_generator(self, count):
                    for _ in range(count):
                        yield here()
            def loaded(path):
                return stream(path)
        """,
        "pkg/store.py": """
            def read(path):
                here()
                while True:
                    here()
                    yield path
        """,
        "pkg/train.py": """
            from pkg.data import loaded
            def train(model, buffer):
                for batch in loaded("rows"):
                    model(batch).backward()
                for batch in buffer.mini_batch_generator(4):
                    model(batch).backward()
        """,
    }
    assert heat_below(tmp_path, sources) == [
        "pkg/data.py: cold: nothing shows that it runs in a step",
        "pkg/data.py: step: pkg/train.py:5 loop that calls model(batch).backward() -> "
        "Buffer.mini_batch_generator",
        "pkg/store.py: cold: nothing shows that it runs in a step",
        "pkg/store.py: step: pkg/train.py:3 loop that calls model(batch).backward() -> stream -> read",
    ]


def test_functions_kept_in_attributes_are_followed_where_these_are_handed_over(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/base.py": """
            class Base:
                def guided(self, model_fn, x):
                    return model_fn(x)
        """,
        "pkg/pipe.py": """
            from pkg.base import Base
            class Pipe(Base):
                def __init__(self):
                    self.model_fn = predict
                    self.other = None
                    self.size = LARGE
                def sample(self, x, loader):
                    for batch in loader:
                        x = x - self.guided(self.model_fn, x)
                        x = self.guided(self.size, x)
            def predict(x):
                here()
            def unused(x):
                here()
        """,
    }
    assert heat_below(tmp_path, sources) == [
        "pkg/pipe.py: step: pkg/pipe.py:8 loop over loader -> predict",
        "pkg/pipe.py: cold: nothing shows that it runs in a step",
    ]


def test_a_package_may_name_a_class_as_the_module_that_it_is_in(tmp_path: Path) -> None:
    sources = {
        "jobs/__init__.py": "from .Trainer import Trainer\nfrom . import tools\n",
        "jobs/Trainer.py": """
            class Trainer:
                def run(self, loader):
                    for batch in loader:
                        self.train(batch)
                def train(self, batch):
                    pass
            def helper(x):
                here()
        """,
        "jobs/tools.py": """
            def used(x):
                here()
        """,
        "own.py": """
            import jobs.Trainer
            from jobs import Trainer, tools
            from jobs.Trainer import helper
            class Own(Trainer):
                def train(self, batch):
                    here()
                    helper(batch)
                    tools.used(batch)
        """,
    }
    chain = "jobs/Trainer.py:3 loop over loader -> Own.train"
    assert heat_below(tmp_path, sources) == [
        f"jobs/Trainer.py: step: {chain} -> helper",
        f"jobs/tools.py: step: {chain} -> used",
        f"own.py: step: {chain}",
    ]


def test_a_base_may_come_from_an_import_with_a_star(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "from .training import *\n",
        "pkg/training.py": """
            from torch.nn import *
            class TrainingModule(Module):
                def fit(self, loader):
                    for batch in loader:
                        self.compute(batch)
                def compute(self, batch):
                    pass
            class Own(Module):
                def forward(self, x):
                    here()
        """,
        "train.py": """
            from pkg import *
            class Flux(TrainingModule):
                def forward(self, x):
                    here()
                def compute(self, batch):
                    here()
        """,
    }
    assert heat_below(tmp_path, sources) == [
        "pkg/training.py: step: Own.forward runs on every call of the module",
        "train.py: step: Flux.forward runs on every call of the module",
        "train.py: step: pkg/training.py:4 loop over loader -> Flux.compute",
    ]


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


def test_functions_of_a_table_run_where_it_is_read(tmp_path: Path) -> None:
    text = """
        class Runner:
            def send(self):
                here()
            def receive(self):
                here()
            def train_step(self, kinds):
                for kind in kinds:
                    self.TABLE[kind](self)
            TABLE = {"send": send, "receive": receive}
        def alone():
            here()
        NAMES = {"alone": alone, "count": 3}
        """
    assert [line.split(": ")[1] for line in heat(tmp_path, {"m.py": text})] == ["loop", "loop", "cold"]


def test_functions_put_in_attributes_are_methods_by_their_names(tmp_path: Path) -> None:
    sources = {
        "convert.py": """
            def convert(param):
                def gather_all(rows):
                    here()
                param.gather_all = gather_all
            """,
        "train.py": loop_over("param.gather_all(batch)"),
    }
    (line,) = heat(tmp_path, sources)
    assert "step: " in line and line.endswith("loop over loader -> convert.<locals>.gather_all")


def compiled(folder: Path, sources: dict[str, str]) -> list[str]:
    """The functions of a project, as ``file: name``, that are known to be compiled."""
    heat(folder, sources)
    workspace = workspace_of(folder)
    found = []
    for name in sources:
        path = folder / name
        facts = FileFacts(ast.parse(path.read_text(encoding="utf-8")), name, warmths=workspace.warmths(path))
        found += [
            f"{name}: {function.qualname}" for function in facts.functions.values() if function.compiled
        ]
    return found


NET = """
    import torch
    from torch import nn
    from ops import scale
    class Net(nn.Module):
        def forward(self, x):
            return self.inner(scale(x))
        def inner(self, x):
            return x
        @torch.compiler.disable
        def apart(self, x):
            return x
        def load(self):
            return self
    class Other(nn.Module):
        def forward(self, x):
            return x
    """
OPS = """
    def scale(x):
        return x
    def other(x):
        return x
    """
REACHED = ["net.py: Net.forward", "net.py: Net.inner", "ops.py: scale"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import net, torch\nmodel = torch.compile(net.Net())", REACHED),
        ("from net import Net\nimport torch\nm = Net()\nm = m.cuda()\nm = torch.compile(m)", REACHED),
        ("from net import Net\nmodel = Net()\nmodel.compile()", REACHED),
        ("from ops import scale\nimport torch\nfast = torch.compile(scale)", ["ops.py: scale"]),
        ("from net import Net\nimport re, torch\npattern = re.compile(Net())", []),
        ("from net import Net\nimport torch\nmodel = torch.compile(Net().apart)", []),
    ],
)
def test_what_one_file_compiles_of_another_is_compiled(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert compiled(tmp_path, {"net.py": NET, "ops.py": OPS, "train.py": text}) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return scale(x)", ["scale"]),
        ("return scale(x) if self.training else inner(x)", ["scale", "inner"]),
        ("return other(x)", ["scale"]),
        ("return self.net(x)", []),
        ("return x", []),
    ],
)
def test_what_runs_compiled_and_otherwise_too_is_told_apart(
    tmp_path: Path, body: str, expected: list[str]
) -> None:
    sources = {
        "net.py": NET.replace("self.inner(scale(x))", "inner(scale(x))").replace("import scale", "import *"),
        "ops.py": """
            def scale(x):
                return x
            def inner(x):
                return x
            def other(x):
                return scale(x)
            """,
        "apart.py": f"""
            from torch import nn
            from net import Net
            from ops import inner, other, scale
            class Apart(nn.Module):
                def __init__(self):
                    self.net = Net()
                def forward(self, x):
                    {body}
            """,
        "train.py": "import net, torch\nmodel = torch.compile(net.Net())",
    }
    heat(tmp_path, sources)
    path = tmp_path / "ops.py"
    facts = FileFacts(
        ast.parse(path.read_text(encoding="utf-8")), "ops.py", warmths=workspace_of(tmp_path).warmths(path)
    )
    assert [one.qualname for one in facts.functions.values() if one.eager] == expected


def test_rules_look_again_at_what_another_file_compiles(tmp_path: Path) -> None:
    model = "from torch import nn\nclass Net(nn.Module):\n    def forward(self, x):\n        print(x.shape)\n"
    (tmp_path / "net.py").write_text(model, encoding="utf-8")
    train = tmp_path / "train.py"
    linter = Linter(packs.select(packs.load(), ["OVH311"], []), Settings())
    target = files.Target(str(tmp_path / "net.py"), "")
    found = []
    for text in ("pass", "import torch\nfrom net import Net\nmodel = torch.compile(Net())", "pass  # again"):
        train.write_text(text + "\n", encoding="utf-8")
        cache = Cache(tmp_path / ".cache", "key")
        workspace = Workspace(
            tmp_path, [target], others, lambda: Examiner(lambda target: linter), cache=cache
        )
        found.append([finding.code for finding in workspace.findings(target)])
        workspace.save()
    assert found == [[], ["OVH311"], []]


def test_callbacks_run_where_a_parameter_of_their_name_is_called(tmp_path: Path) -> None:
    sources = {
        "preview.py": """
            def make(steps):
                def shown(x):
                    here()
                return shown
            def other(x):
                here()
            """,
        "sampling.py": """
            def sample(model, x, callback=None, f=None):
                for t in timesteps:
                    x = model(x, t)
                    callback(x)
                    f(x)
            """,
        "main.py": """
            import preview
            def run(sampler, model, x):
                shown = preview.make(3)
                return sampler.sample(model, x, callback=shown, f=preview.other)
            """,
    }
    first, second = heat(tmp_path, sources)
    assert first.endswith("sampling.py:2 loop over timesteps -> make.<locals>.shown")
    assert second == "preview.py: cold: nothing shows that it runs in a step"


def test_a_class_that_only_sets_an_inherited_property_leads_to_its_base(tmp_path: Path) -> None:
    work = """
    class Base:
        @property
        def ready(self):
            here()
            return True

    class Loop(Base):
        @Base.ready.setter
        def ready(self, value):
            pass

        def step(self):
            return self.ready
    """
    found = heat(tmp_path, {"train.py": loop_over("Loop().step()", "from work import Loop"), "work.py": work})
    assert [text.endswith("train.py:10 loop over loader -> Loop.step -> Base.ready") for text in found] == [
        True
    ]


HANDED_INSTANCES = {
    "itself, to a function": ("shared(self, batch)", "def shared(module, x): module.part(x)"),
    "made on the spot": ("shared(Net(), batch)", "def shared(net, x): net.part(x)"),
    "kept in an attribute": ("shared(self.net, batch)", "def shared(net, x): net.part(x)"),
    "moved first": (
        "shared(net=Net().cuda(), x=batch)",
        """
        def shared(x, net):
            net = net.eval()
            net.part(x)
        """,
    ),
    "by its name alone": ("shared(batch, net=Net())", "def shared(x, *, net): net.part(x)"),
    "kept by a constructor": (
        "Keeper(Net()).go(batch)",
        """
        class Keeper:
            def __init__(self, net):
                self.net = net

            def go(self, x):
                self.net.part(x)
        """,
    ),
}


@pytest.mark.parametrize("name", HANDED_INSTANCES)
def test_methods_of_instances_that_functions_are_handed(tmp_path: Path, name: str) -> None:
    call, shared = HANDED_INSTANCES[name]
    sources = {
        "nets.py": f"""
            from shared import Keeper, shared
            from torch import nn

            class Net(nn.Module):
                def __init__(self):
                    self.net = Net()

                def forward(self, batch):
                    {call}

                def part(self, x):
                    here()

            class Heir(Net):
                def part(self, x):
                    here()

            class Other(nn.Module):
                def part(self, x):
                    here()
            """,
        "shared.py": shared,
    }
    net, heir, other = heat(tmp_path, sources)
    assert net.startswith("nets.py: step: Net.forward runs on every call of the module -> ")
    assert net.endswith("-> Net.part")
    assert heir.startswith("nets.py: step" if "self, batch" in call else "nets.py: cold")
    assert other.startswith("nets.py: cold")


def test_callbacks_given_by_place_run_where_their_parameter_is_called(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "loop.py": """
                def rounds(model, loader, f, other):
                    for batch in loader:
                        f(model(batch))

                class Runner:
                    def __init__(self, model, fn):
                        self.model = model
                        self.fn = fn

                    def run(self, loader):
                        for batch in loader:
                            self.fn(self.model(batch))
                """,
            "start.py": """
                from loop import Runner, rounds

                def by_place(x):
                    here()

                def kept(x):
                    here()

                def not_called(x):
                    here()

                def main(model, loader):
                    rounds(model, loader, by_place, not_called)
                    Runner(model, kept).run(loader)
                """,
        },
    )
    by_place, kept, not_called = found
    assert by_place.endswith("loop.py:2 loop over loader -> by_place")
    assert kept.endswith("loop.py:11 loop over loader -> kept")
    assert not_called == "start.py: cold: nothing shows that it runs in a step"


def test_what_takes_and_gives_tensors_is_an_operator_for_callers_outside(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "ops.py": """
                import torch
                from torch import Tensor

                def scale(x: Tensor, by: float | Tensor) -> Tensor:
                    here()
                    return part(x) * by

                def part(x):
                    here()
                    return torch.relu(x)

                def unannotated(x):
                    here()
                    return torch.relu(x)

                def driven(model, x: Tensor) -> Tensor:
                    here()
                    return model(x)

                def generated(x: Tensor) -> Tensor:
                    here()
                    return rounds(x)

                def rounds(x: Tensor) -> Tensor:
                    for t in timesteps:
                        x = net(x, t)
                    return x

                def save_tensor(x: Tensor) -> Tensor:
                    here()
                    return x
                """,
        },
    )
    operators = ["is an operator" in place for place in found]
    assert operators == [True, True, False, False, False, False]
    why = "scale is an operator of the library: it takes tensors and gives tensors"
    assert found[1] == f"ops.py: step: {why} -> part"
    assert found[-1].startswith("ops.py: cold: ")


def test_what_looks_like_an_operator_but_is_called_once_is_presumed(tmp_path: Path) -> None:
    head = """
        import numpy as np
        import torch
        from torch import Tensor
        from typing import Callable
        """
    found = heat(
        tmp_path,
        {
            "ops.py": head
            + """
        def draw_lines(image: Tensor) -> Tensor:
            here()
            return torch.relu(image)

        def naive_attention(q: Tensor) -> Tensor:
            here()
            return torch.relu(q)

        def trunc_normal_(x: Tensor) -> Tensor:
            here()
            return torch.relu(x)

        def as_tensor(x: np.ndarray | Tensor) -> Tensor:
            here()
            return torch.relu(x)

        def contiguous(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
            here()
            return f(torch.zeros(1))
        """,
            "pkg/__init__.py": "",
            "pkg/metrics/__init__.py": "",
            "pkg/metrics/mean.py": head
            + """
        def mean_precision(x: Tensor) -> Tensor:
            here()
            return torch.relu(x)
        """,
        },
    )
    assert [place.split(": ", 2)[1] for place in found] == ["presumed"] * 6


def test_a_name_that_spells_a_class_leads_to_its_methods(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "buffers.py": """
                class ReplayBuffer:
                    def sample(self):
                        here()

                    def add(self):
                        here()

                class Prioritized(ReplayBuffer):
                    def sample(self):
                        here()
                """,
            "learn.py": """
                def learn(model, loader, replay_buffer, other):
                    for batch in loader:
                        model(replay_buffer.sample())
                        other.add(batch)
                """,
        },
    )
    assert [place.split(": ", 2)[1] for place in found] == ["step", "cold", "step"]


def test_modules_of_a_folder_for_onnx_stand_in_while_a_model_is_exported(tmp_path: Path) -> None:
    text = """
        from torch import nn

        class Chosen(nn.Module):
            def forward(self, x):
                here()
        """
    init = {"pkg/__init__.py": "", "pkg/onnx/__init__.py": ""}
    found = heat(tmp_path, {**init, "pkg/chosen.py": text, "pkg/onnx/chosen.py": text})
    assert found == [
        "pkg/chosen.py: step: Chosen.forward runs on every call of the module",
        "pkg/onnx/chosen.py: cold: Chosen.forward runs while a model is exported, "
        "by the folder of its module",
    ]


def test_a_method_that_another_does_by_a_second_is_no_operator(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "index.py": """
                import torch
                from torch import Tensor

                class Index:
                    def __init__(self, rows: Tensor):
                        self.rows = rows

                    def search(self, x: Tensor) -> Tensor:
                        return self.search_all(x)

                    def search_all(self, x: Tensor) -> Tensor:
                        here()
                        return torch.relu(x)

                    def search_one_by_one(self, x: Tensor) -> Tensor:
                        here()
                        return torch.relu(x)

                    def searched(self, x: Tensor) -> Tensor:
                        here()
                        return torch.relu(x)

                    def sort(self, x: Tensor) -> Tensor:
                        return torch.sort(x)

                    def sort_rows(self, x: Tensor) -> Tensor:
                        here()
                        return torch.relu(x)
                """,
        },
    )
    assert [place.split(": ", 2)[1] for place in found] == ["step", "presumed", "step", "step"]


def test_what_is_seen_to_be_made_of_a_tensor_has_operators(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "normal.py": """
                import torch

                class Normal:
                    def __init__(self, parameters, name):
                        self.mean, self.std = torch.chunk(parameters, 2, dim=1)

                    def sample(self):
                        here()
                        return self.mean + self.std * torch.randn_like(self.mean)

                    def size(self):
                        here()
                        return self.mean.shape

                class Named:
                    def __init__(self, name):
                        self.name = name

                    def sample(self):
                        here()
                        return torch.zeros(3, device=self.name)
                """,
        },
    )
    assert ["is an operator" in place for place in found] == [True, False, False]


def test_methods_of_what_holds_a_tensor_take_one(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "boxes.py": """
                from dataclasses import dataclass
                import torch
                from torch import Tensor

                class Boxes:
                    def __init__(self, corners: Tensor, mode: str) -> None:
                        self.corners = corners

                    def masks(self, height: int) -> Tensor:
                        here()
                        return self.corners.view(-1, height)

                @dataclass
                class Rays:
                    origins: Tensor

                    def ends(self, far: float) -> Tensor:
                        here()
                        return self.origins * far

                class Store:
                    def __init__(self, path: str) -> None:
                        self.path = path

                    def first(self, n: int) -> Tensor:
                        here()
                        return torch.zeros(n)
                """,
        },
    )
    assert ["is an operator" in place for place in found] == [True, True, False]
    assert [place.split(": ", 2)[1] for place in found] == ["step", "step", "presumed"]


def test_methods_that_classes_are_mixed_with_stand_for_each_others(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "loop.py": """
                class LoopMixin:
                    def clip(self):
                        raise NotImplementedError

                    def fit(self, loader):
                        for batch in loader:
                            self.clip()
                            self.count()
                """,
            "tricks.py": """
                class TricksMixin:
                    def clip(self):
                        here()

                    def count(self):
                        here()
                """,
            "trainer.py": """
                from loop import LoopMixin
                from tricks import TricksMixin

                class Trainer(TricksMixin, LoopMixin):
                    pass
                """,
        },
    )
    ends = [place.partition("loop.py:6")[2] for place in found]
    assert ends == [f" loop over loader -> TricksMixin.{name}" for name in ("clip", "count")]


def test_methods_of_a_class_that_runs_are_those_of_its_heirs(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "base.py": """
                import torch
                from functools import partial

                class FusedLoss(torch.autograd.Function):
                    @staticmethod
                    def forward(cls, ctx, x):
                        return chunked(partial(FusedLoss._one, loss_fn=cls.loss_fn), x)

                    @classmethod
                    def check(cls, x):
                        cls.look(x)

                    @staticmethod
                    def loss_fn(x):
                        raise NotImplementedError

                    @classmethod
                    def backward(cls, ctx, grad):
                        cls.check(grad)
                """,
            "heir.py": """
                from base import FusedLoss

                class Preference(FusedLoss):
                    @staticmethod
                    def loss_fn(x):
                        here()

                    @classmethod
                    def look(cls, x):
                        here()
                """,
        },
    )
    assert [place.split(": ", 2)[1] for place in found] == ["step", "step"]


SUPPORTING = {
    "pkg/__init__.py": "",
    "pkg/ops.py": """
        import torch
        def relu(x):
            return x if torch.compiler.is_compiling() else x.clamp(min=0)
        """,
    "pkg/parts/__init__.py": "",
    "pkg/parts/net.py": """
        import logging
        from pkg.parts.helper import tame
        from torch import nn
        logger = logging.getLogger(__name__)
        class Net(nn.Module):
            def forward(self, x):
                logger.info("called")
                return tame(x.sin())
        class Program(nn.Module):
            def __call__(self, x):
                logger.info("called")
        """,
    "pkg/parts/helper.py": """
        import torch
        def tame(x: torch.Tensor):
            if x.isfinite().all() and x.max() > 1:
                x = x / x.max()
            return x * x.sum().item()
        def alone(x: torch.Tensor):
            if x.max() > 1:
                print("large")
        def train(model, loader):
            for batch in loader:
                loss = model(batch).sum()
                if loss.item() > 3:
                    alone(loss)
        """,
}


def found_in(folder: Path, sources: dict[str, str], least: Heat = Heat.STEP) -> list[str]:
    """``file:line code`` of reads and of breaks in the sources, ``+`` where both are told."""
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).strip("\n") + "\n", encoding="utf-8")
    linter = Linter(packs.select(packs.load(), ["OVH311", "OVH404", "OVH410"], []), Settings(min_heat=least))
    targets = [files.Target(str(folder / name), "") for name in sources]
    workspace = Workspace(folder, targets, others, lambda: Examiner(lambda target: linter))
    return [
        f"{Path(target.text).name}:{finding.span.line} {finding.code}"
        + ("+" if "graph" in finding.message and "waits" in finding.message else "")
        for target in targets
        for finding in workspace.findings(target)
    ]


def test_breaks_are_told_in_packages_that_are_written_to_be_compiled(tmp_path: Path) -> None:
    found = found_in(tmp_path, SUPPORTING, Heat.PRESUMED)
    reads = ["helper.py:3 OVH410+", "helper.py:5 OVH404+", "helper.py:7 OVH404", "helper.py:12 OVH404"]
    assert found == ["net.py:7 OVH311", *reads]
    assert found_in(tmp_path, SUPPORTING) == reads, "that users compile is presumed"
    branch = SUPPORTING | {
        "pkg/parts/net.py": """
        import torch
        from torch import nn
        class Net(nn.Module):
            def forward(self, x: torch.Tensor):
                return x if x.max() > 1 else x.sin()
        """
    }
    for least in (Heat.STEP, Heat.PRESUMED):
        assert found_in(tmp_path, branch, least)[0] == "net.py:5 OVH404+", "what is certain is told"
    other = {name.replace("pkg/ops", "other/ops"): text for name, text in SUPPORTING.items()}
    (tmp_path / "pkg/ops.py").unlink()
    other["other/__init__.py"] = ""
    assert [text.rstrip("+") for text in found_in(tmp_path, other)] == [
        "helper.py:3 OVH410",
        "helper.py:5 OVH404",
        "helper.py:7 OVH404",
        "helper.py:12 OVH404",
    ]


def test_what_users_of_a_library_call_in_their_steps_is_told_by_its_name(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "lib.py": """
                import torch
                from torch import Tensor

                def chamfer_loss(x, y):
                    here()
                    return torch.cdist(x, y).min()

                class EdgeLoss:
                    def __call__(self, x):
                        here()
                        return torch.relu(x)

                class Average:
                    def step(self, parameters):
                        here()
                        self.shadow = torch.lerp(self.shadow, parameters, 0.1)

                class PadCollator:
                    def __call__(self, samples):
                        here()
                        return torch.stack(samples)

                def clip_grad_norm_(parameters, most):
                    here()
                    return torch.norm(parameters)

                def grown(x: Tensor):
                    here()
                    return x + 1

                def counted(x: Tensor):
                    here()
                    return len(x)

                class Wizard:
                    def step(self):
                        here()

                def _inner(x: Tensor) -> Tensor:
                    here()
                    return x + 1

                class _Private:
                    def step(self, x):
                        here()
                        return torch.exp(x)

                def check_loss(x: Tensor) -> None:
                    here()
                    if torch.isnan(x):
                        raise ValueError

                def _single(x: Tensor) -> Tensor:
                    here()
                    return x + 1

                def gathered(xs):
                    return multi_apply(_single, xs)

                @registry.register("fast")
                def _fast(x: Tensor) -> Tensor:
                    here()
                    return x + 1

                @torch.no_grad()
                def _alone(x: Tensor) -> Tensor:
                    here()
                    return x + 1
                """,
        },
    )
    assert [place.partition(": ")[2] for place in found] == [
        "step: chamfer_loss is a loss by its name",
        "step: EdgeLoss.__call__ is a loss by the name of its class",
        "step: Average.step is a step by its name",
        "step: PadCollator.__call__ puts batches together by its name",
        "step: clip_grad_norm_ stands for PyTorch's clip_grad_norm_",
        "step: grown is an operator of the library: it takes tensors and gives tensors",
        "presumed: counted works with tensors and no caller of it is known",
        "cold: nothing shows that it runs in a step",
        "presumed: _inner works with tensors and no caller of it is known",
        "presumed: _Private.step works with tensors and no caller of it is known",
        "presumed: check_loss works with tensors and no caller of it is known",
        "step: _single is an operator of the library: it takes tensors and gives tensors",
        "step: _fast is an operator of the library: it takes tensors and gives tensors",
        "presumed: _alone works with tensors and no caller of it is known",
    ]


def test_a_step_of_an_optimizer_is_one_whoever_calls_it(tmp_path: Path) -> None:
    found = heat_below(
        tmp_path,
        {
            "agents.py": """
                import torch

                class Agent:
                    def update(self, batch):
                        here()
                        loss = self.loss_of(batch)
                        loss.backward()
                        self.optimizer.step()

                    def loss_of(self, batch):
                        here()
                        return torch.exp(batch).mean()

                class Scaled:
                    def learn(self, batch):
                        here()
                        self.scaler.scale(torch.exp(batch).mean()).backward()
                        self.scaler.step(self.optimizer)

                class Through:
                    def observe(self, state):
                        here()
                        self._train(state)

                    def _train(self, state):
                        here()
                        torch.exp(state).mean().backward()
                        if self.counter % 2 == 0:
                            self.optim.step()

                class Fitted:
                    def improve(self, batch):
                        here()
                        for _ in range(self.rounds):
                            self.rounded.improve_once(torch.exp(batch))

                class Calibrated:
                    def calibrate(self, logits):
                        here()

                        def closed():
                            loss = torch.exp(logits * self.temperature).mean()
                            loss.backward()
                            return loss

                        self.optimizer.step(closed)

                class Whole:
                    def work(self, loader):
                        here()
                        for batch in loader:
                            self.model(batch).backward()
                        self.optimizer.step()
                        torch.cuda.synchronize()

                class Asked:
                    def ask(self, state):
                        here()
                        torch.exp(state)
                        if self.verbose:
                            raise ValueError(self.told(state))

                    def told(self, state):
                        here()
                        torch.exp(state).backward()
                        self.optimizer.step()
                """,
            "other.py": """
                class Rounded:
                    def improve_once(self, batch):
                        here()
                        batch.mean().backward()
                        self.optimizer.step()
                """,
        },
    )
    why = "takes a step of an optimizer each time"
    assert [place.partition(": ")[2] for place in found] == [
        f"step: Agent.update {why}",
        f"step: Agent.update {why} -> Agent.loss_of",
        f"step: Scaled.learn {why}",
        f"step: Through.observe {why}",
        f"step: Through._train {why}",
        "presumed: Fitted.improve works with tensors and no caller of it is known",
        "presumed: Calibrated.calibrate works with tensors and no caller of it is known",
        "cold: outside of the hot loop: agents.py:51 loop over loader",
        "presumed: Asked.ask works with tensors and no caller of it is known",
        "cold: nothing shows that it runs in a step",
        f"step: Rounded.improve_once {why}",
    ]


def test_losses_of_classes_that_a_package_offers(tmp_path: Path) -> None:
    head = """
        import torch
        from torch import Tensor, nn
        """
    loss = """
            def loss(self, x: Tensor, targets) -> dict:
                here()
                return dict(loss=torch.exp(x))
        """
    sources = {
        "pkg/__init__.py": "from .heads import Head as Head\n",
        "pkg/heads/__init__.py": "from .head import *\nfrom .head import _Hidden\n",
        "pkg/heads/head.py": head
        + f"""
        class Head(nn.Module):{loss}
            def get_loss(self, x: Tensor) -> dict:
                here()
                return dict(loss=torch.exp(x))

            def loss_name(self):
                here()
                torch.manual_seed(1)
                return "loss"

            def check_loss(self, x: Tensor):
                here()
                torch.exp(x)

        class Level:
            def loss_by_level(self, x):
                here()
                return torch.nn.functional.relu(x).mean(), None

        class EdgeLoss:
            def loss_with_masks(self, x: Tensor) -> dict:
                here()
                return dict(loss=torch.exp(x))

        class _Hidden:{loss}
        """,
        "pkg/other.py": f"{head}\n        from . import _inner\n\n        class Other(nn.Module):{loss}",
        "pkg/_inner/__init__.py": "from .inner import Inner\n",
        "pkg/_inner/inner.py": f"{head}\n        class Inner(nn.Module):{loss}",
        "pkg/whole/__init__.py": f"{head}\n        class Whole(nn.Module):{loss}",
        "alone.py": f"{head}\n        class Alone(nn.Module):{loss}",
    }
    unknown = "works with tensors and no caller of it is known"
    assert [place.partition(": ")[2] for place in heat(tmp_path, sources)] == [
        "step: Head.loss is a loss by its name, and pkg offers it",
        f"presumed: Head.get_loss {unknown}",
        "cold: nothing shows that it runs in a step",
        f"presumed: Head.check_loss {unknown}",
        "step: Level.loss_by_level is a loss by its name, and pkg.heads offers it",
        f"presumed: EdgeLoss.loss_with_masks {unknown}",
        f"presumed: _Hidden.loss {unknown}",
        f"presumed: Other.loss {unknown}",
        f"presumed: Inner.loss {unknown}",
        "step: Whole.loss is a loss by its name, and pkg.whole offers it",
        f"presumed: Alone.loss {unknown}",
    ]


ROLES = {
    "a method of an attribute": ("roi_head.loss(batch)", ["DynamicRoIHead.loss", "RoIHead.loss"]),
    "an attribute that is called": ("processor(batch)", ["FastProcessor.__call__"]),
    "a method of some class": ("forecast(batch)", []),
    "one of many": ("samplers[0].draw_all(batch)", ["TopSampler.draw_all"]),
    "the last word, and a special method": ("best_sampler.draw_all_of(batch)", ["OtherSampler.draw_all_of"]),
    "a name without words": ("模型编码器.loss(batch)", []),
    "the last word, and a plain method": ("best_head.loss(batch)", []),
    "a method of Python's containers": ("sampler.update(batch)", []),
    "what may be anything": ("model.predict(batch)", []),
    "modules of one family": ("model.forecast(batch)", ["Net.forecast", "OtherNet.forecast"]),
    "a whole generation": ("decoder.unroll(batch)", []),
    "too short a name": ("ops.apply_to(batch)", []),
    "another class": ("trainer.loss(batch)", []),
    "what a class of another project makes": ("reader(batch)", []),
    "what a function of another project makes": ("writer(batch)", ["FastWriter.__call__"]),
}


@pytest.mark.parametrize("name", ROLES)
def test_an_attribute_nobody_knows_leads_to_classes_whose_names_end_with_its_own(
    tmp_path: Path, name: str
) -> None:
    call, reached = ROLES[name]
    parts = """
        import torch
        class RoIHead:
            def loss(self, x):
                here()
        class DynamicRoIHead:
            def loss(self, x):
                here()
        class FastProcessor:
            def __call__(self, x):
                here()
        class BigForecast:
            def __call__(self, x):
                here()
        class TopSampler:
            def update(self, x):
                here()
            def draw_all(self, x):
                here()
        class OtherSampler:
            def draw_all_of(self, x):
                here()
        class FirstModel:
            def predict(self, x):
                here()
        class SecondModel:
            def predict(self, x):
                here()
            def forecast(self, x):
                here()
        class Net(torch.nn.Module):
            def forecast(self, x):
                here()
        class OtherNet(Net):
            def forecast(self, x):
                here()
        class AModule(torch.nn.Module):
            def predict(self, x):
                here()
        class BModule(torch.nn.Module):
            def predict(self, x):
                here()
        class TopDecoder:
            def unroll(self, model, x):
                for batch in loader:
                    model(batch).backward()
                here()
        class FastReader:
            def __call__(self, x):
                here()
        class FastWriter:
            def __call__(self, x):
                here()
        class AllOps:
            def apply_to(self, x):
                here()
            def apply_to_other(self, x):
                here()
        class OtherOps:
            def apply_to(self, x):
                here()
        """
    detector = f"""
        from registry import build
        from readers import Reader
        from torch import nn
        class Detector(nn.Module):
            def __init__(self, config):
                for key, value in config.items():
                    setattr(self, key, build(value))
                self.roi_head = build(config.roi_head)
                self.reader = Reader.from_file(config)
                self.writer = build(config.writer)
            def forward(self, batch):
                return self.{call}
        """
    found = heat(tmp_path, {"pkg/parts.py": parts, "pkg/detector.py": detector, "pkg/__init__.py": ""})
    hot = [text.rpartition(" -> ")[2] for text in found if "step: Detector.forward" in text]
    assert sorted(hot) == reached


OPTIONS = {
    "nobody passes": ("loss(batch)", ["cold: nobody passes relative", "cold: nobody passes weights"]),
    "by place": ("loss(batch, True)", ["step", "cold: nobody passes weights"]),
    "by keyword": ("loss(batch, weights=batch)", ["cold: nobody passes relative", "step"]),
    "the default itself": (
        "loss(batch, False, weights=None)",
        ["cold: nobody passes relative", "cold: nobody passes weights"],
    ),
    "whatever a mapping holds": ("loss(batch, **settings)", ["step", "step"]),
    "bound by a partial": ("partial(loss, relative=True)(batch)", ["step", "cold: nobody passes weights"]),
    "handed to somebody else": ("loss(batch); run(loss)", ["step", "step"]),
    "what hangs on an option that nobody passes": (
        "around(batch)",
        ["cold: nobody passes relative", "cold: nobody passes weights"],
    ),
    "what hangs on an option that somebody passes": (
        "around(batch, 0.5)",
        ["step", "cold: nobody passes weights"],
    ),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_needs_an_option_that_nobody_passes_is_cold(tmp_path: Path, name: str) -> None:
    call, expected = OPTIONS[name]
    sources = {
        "losses.py": """
            def loss(x, relative=False, weights=None):
                if relative:
                    here()
                if weights is None:
                    return x
                here()
                return x * weights
            """,
        "train.py": f"""
            from functools import partial
            from losses import loss

            def train(loader, settings):
                for batch in loader:
                    {call}
            """,
    }
    if call.startswith("around"):
        sources["train.py"] += """
            def around(x, share=0.0):
                return loss(x, relative=share > 0.0)
            """
    found = [line.partition("losses.py: ")[2] for line in heat(tmp_path, sources) if "losses.py: " in line]
    assert [line.partition(": ")[0] if line.startswith("step") else line for line in found] == expected


def test_what_keeps_an_option_that_nobody_passes_is_cold_unless_users_may(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "from pkg.layers import Offered\n",
        "pkg/layers.py": """
            from torch import nn

            class Base(nn.Module):
                def __init__(self, size, precise=False, causal=False):
                    self.precise = precise
                    self.causal = causal
                def forward(self, x):
                    if self.precise:
                        here()
                    return x if not self.causal else here()

            class Heir(Base):
                pass

            class Offered(nn.Module):
                def __init__(self, precise=False):
                    self.precise = precise
                def forward(self, x):
                    if self.precise:
                        here()

            def build():
                return Heir(3, False, causal=True), Offered(), Base(4)
            """,
    }
    assert [line.partition(": ")[2].partition(" runs")[0] for line in heat(tmp_path, sources)] == [
        "cold: nobody passes precise",
        "step: Base.forward",
        "step: Offered.forward",
    ]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("Encoder()", "cold: nobody passes bias"),
        ("Encoder(), Decoder()", "cold: nobody passes bias"),
        ("Encoder(), Decoder(bias=True)", "step"),
    ],
)
def test_what_hands_an_option_on_and_is_called_by_nobody_does_not_pass_it(
    tmp_path: Path, made: str, expected: str
) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/attention.py": """
            from torch import nn

            class Attention(nn.Module):
                def __init__(self, bias=False):
                    self.bias = bias
                def forward(self, x):
                    if self.bias:
                        here()
            """,
        "pkg/stacks.py": f"""
            from pkg.attention import Attention

            class Encoder:
                def __init__(self):
                    self.part = Attention()

            class Decoder:
                def __init__(self, bias=False):
                    self.part = Attention(bias=bias)

            def build():
                return {made}
            """,
    }
    (found,) = heat(tmp_path, sources)
    assert found.removeprefix("pkg/attention.py: ").startswith(expected)


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


def test_findings_under_an_option_come_and_go_with_what_another_file_passes(tmp_path: Path) -> None:
    losses = (
        "import torch\n\ndef loss(x: torch.Tensor, relative=False):\n"
        "    if relative and x.sum().item() > 3:\n"
        "        return x.sum()\n    return x.mean()\n"
    )
    (tmp_path / "losses.py").write_text(losses, encoding="utf-8")
    train = tmp_path / "train.py"
    linter = Linter(packs.select(packs.load(), ["OVH404"], []), Settings())
    target = files.Target(str(tmp_path / "losses.py"), "")
    found = []
    for passed in ("", ", True", ", False", ", relative=batch.any()"):
        text = "from losses import loss\n\ndef train(loader):\n    for batch in loader:\n"
        text += f"        loss(batch{passed})\n"
        train.write_text(text, encoding="utf-8")
        cache = Cache(tmp_path / ".cache", "key")
        workspace = Workspace(
            tmp_path, [target], others, lambda: Examiner(lambda target: linter), cache=cache
        )
        found.append([finding.span.line for finding in workspace.findings(target)])
        workspace.save()
    assert found == [[], [4], [], [4]]


@pytest.mark.parametrize("name", ["small", "Small"])
def test_an_option_that_an_heir_is_newly_passed_is_noticed_by_a_cached_run(tmp_path: Path, name: str) -> None:
    base = (
        "class Base:\n    def __init__(self, flag=False):\n        self.flag = flag\n"
        "    def run(self, x):\n        if self.flag:\n            g(x)\n"
        "def g(x):\n    here()\n"
    )
    (tmp_path / "base.py").write_text(base, encoding="utf-8")
    (tmp_path / "heirs.py").write_text(f"from base import Base\nclass {name}(Base):\n    size = 3\n")
    found = []
    for passed in ("", "True", "", "flag=x"):
        text = loop_over(f"{name}({passed}).run(batch)", f"from heirs import {name}")
        (tmp_path / "train.py").write_text(text, encoding="utf-8")
        workspace = Workspace(
            tmp_path,
            [],
            others,
            lambda: Examiner(lambda target: Linter([], Settings())),
            cache=Cache(tmp_path / ".cache", "key"),
        )
        warmths = workspace.warmths(tmp_path / "base.py")
        assert warmths is not None
        found.append(".g" in warmths and warmths[".g"].heat is Heat.STEP)
        workspace.save()
    assert found == [False, True, False, True]
