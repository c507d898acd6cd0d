"""Modules that a file compiles and other files define: what is told there, and told anew after edits."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.analysis.values.project import Values, solve
from overhead_lint.cli.main import main
from overhead_lint.syntax.parsing import parse
from overhead_lint.workspace import compiled_elsewhere

if TYPE_CHECKING:
    from overhead_lint.syntax.source import Source

LAYERS = """\
from torch import nn

class F(nn.Module):
    def __init__(self, i):
        super().__init__()
        self.i = i
    def forward(self, x):
        return x + self.i

class Mod(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fs = nn.ModuleList([F(i) for i in range(n)])
    def forward(self, x):
        for f in self.fs:
            x = f(x)
        return x
"""
BASE = (
    "from torch import nn\nfrom layers import F\n\nclass Base(nn.Module):\n"
    + LAYERS.partition("class Mod(nn.Module):\n")[2]
)
COMPILED = "import torch\n\nnet = torch.compile(Mod(20))\n"
PROJECTS: dict[str, dict[str, str]] = {
    "class in another file": {"layers.py": LAYERS, "main.py": f"from layers import Mod\n{COMPILED}"},
    "module in another file": {
        "layers.py": LAYERS,
        "main.py": "import layers\nimport torch\n\nnet = torch.compile(layers.Mod(20))\n",
    },
    "class of a package": {
        "pkg/__init__.py": "",
        "pkg/layers.py": LAYERS,
        "pkg/main.py": f"from .layers import Mod\n{COMPILED}",
    },
    "class of a package above": {
        "pkg/__init__.py": "",
        "pkg/layers.py": LAYERS,
        "pkg/sub/__init__.py": "",
        "pkg/sub/main.py": f"from ..layers import Mod\n{COMPILED}",
    },
    "exported by its package": {
        "pkg/__init__.py": "from .layers import Mod\n",
        "pkg/layers.py": LAYERS,
        "main.py": f"from pkg import Mod\n{COMPILED}",
    },
    "exported by its package with much else": {
        "pkg/__init__.py": "".join(f"from .other{k} import f\n" for k in range(20))
        + "from .layers import Mod\n",
        **{f"pkg/other{k}.py": "def f(): pass\n" for k in range(20)},
        "pkg/layers.py": LAYERS,
        "main.py": f"from pkg import Mod\n{COMPILED}",
    },
    "behind packages that hand on one thing each": {
        **{f"pkg{k}/__init__.py": f"from .a import A{k}\nfrom .b import B{k}\n" for k in range(4)},
        **{f"pkg{k}/{name}.py": f"class {name.upper()}{k}: pass\n" for k in range(4) for name in "ab"},
        "net/__init__.py": "from .layers import Mod\n",
        "net/layers.py": LAYERS,
        "main.py": "".join(f"from pkg{k} import A{k}, B{k}\n" for k in range(4))
        + f"from net import Mod\n{COMPILED}",
    },
    "behind more files than are solved": {
        **{f"helper{k}.py": f"def help{k}(): pass\n" for k in range(20)},
        "base.py": BASE,
        "layers.py": LAYERS,
        "net.py": "import torch\nfrom base import Base\n\ndef build():\n    return Base(20)\n",
        "main.py": "".join(f"from helper{k} import help{k}\n" for k in range(20))
        + "from net import build\nimport torch\n\nnet = torch.compile(build())\n",
    },
    "below src": {
        "src/pkg/__init__.py": "",
        "src/pkg/layers.py": LAYERS,
        "main.py": f"from pkg.layers import Mod\n{COMPILED}",
    },
    "beside a script": {
        "scripts/layers.py": LAYERS,
        "scripts/main.py": f"from layers import Mod\n{COMPILED}",
    },
    "built by another file": {
        "layers.py": LAYERS,
        "build.py": "from layers import Mod\n\ndef build(n):\n    return Mod(n)\n",
        "main.py": "import torch\nfrom build import build\n\nnet = torch.compile(build(20))\n",
    },
    "layers of a third file": {
        "layers.py": LAYERS,
        "base.py": BASE,
        "main.py": "import torch\nfrom base import Base\n\nnet = torch.compile(Base(20))\n",
    },
    "derived from another file's": {
        "layers.py": LAYERS,
        "main.py": "import torch\nfrom layers import Mod\n\nclass Net(Mod):\n    pass\n\n"
        "net = torch.compile(Net(20))\n",
    },
    "decorated function": {
        "layers.py": LAYERS,
        "main.py": "import torch\nfrom layers import Mod\n\nnet = Mod(20)\n\n@torch.compile\n"
        "def step(x):\n    return net(x)\n",
    },
    "one of the classes of another file that a test names": {
        "layers.py": LAYERS,
        "main.py": "import torch\nfrom layers import F, Mod\nfrom torch import nn\n\nKINDS = F, Mod\n\n"
        "def prepare(net: nn.Module):\n    for module in net.modules():\n"
        "        if isinstance(module, KINDS):\n"
        "            module.forward = torch.compile(module.forward)\n\nprepare(nn.Sequential(Mod(20)))\n",
    },
    "in place where a test names the class": {
        "layers.py": LAYERS,
        "main.py": "from layers import Mod\n\ndef jit(module):\n    if isinstance(module, Mod):\n"
        "        module.compile()\n\nMod(20).apply(jit)\n",
    },
    "in place": {
        "layers.py": LAYERS,
        "main.py": "import torch\nfrom layers import Mod\n\nnet = Mod(20)\nnet.compile()\n",
    },
    "by a function of another file": {
        "layers.py": LAYERS,
        "tools.py": "import torch\n\ndef compile_model(one, net):\n    return torch.compile(net, mode=one)\n",
        "main.py": "from layers import Mod\nfrom tools import compile_model\n\n"
        "net = compile_model('default', net=Mod(20))\n",
    },
    "in place by a function of another file": {
        "layers.py": LAYERS,
        "tools.py": "def compile_in_place(net):\n    net.compile()\n",
        "main.py": "import tools\nfrom layers import Mod\n\nnet = Mod(20)\ntools.compile_in_place(net)\n",
    },
    "with a list of modules that a third file hands on": {
        "compat.py": "from torch.nn import Module, ModuleList\n",
        "layers.py": LAYERS.replace("from torch import nn", "import compat as nn"),
        "main.py": f"from layers import Mod\n{COMPILED}",
    },
    "with a library's layers beside the project's": {
        "layers.py": LAYERS.replace("        for f", "        x = self.first(x)\n        for f").replace(
            "        self.fs", "        self.first = nn.Sequential(nn.Linear(2, 2))\n        self.fs"
        ),
        "main.py": f"from layers import Mod\n{COMPILED}",
    },
}


def written(folder: Path, files: dict[str, str]) -> None:
    """Write a project."""
    for name, text in {"pyproject.toml": "[project]\nname = 'x'\nversion = '1'\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def found(
    folder: Path, capsys: pytest.CaptureFixture[str], *options: str, code: str = "OVH307"
) -> list[dict[str, Any]]:
    """Return what a rule says of a project."""
    capsys.readouterr()
    main(["--select", code, "--output-format", "json", *options, str(folder)])
    findings: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return findings


@pytest.mark.parametrize("name", PROJECTS)
def test_class_and_helper_may_stand_in_other_files(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, PROJECTS[name])
    (finding,) = found(tmp_path, capsys)
    assert finding["path"].endswith("main.py")
    assert "guards, for every submodule in " in finding["message"]
    assert any(f"{Path(file).name}:" in finding["message"] for file in PROJECTS[name] if "main" not in file)
    assert "\0" not in finding["message"]
    assert found(tmp_path, capsys) == [finding], "the same from the cache"
    assert found(tmp_path, capsys, "--no-cache") == [finding]


TRAINERS = {
    "given to a class that compiles it": (
        "class Trainer:\n    def __init__(self, net):\n        self.net = torch.compile(net)\n",
        "from trainer import Trainer\n\nTrainer(Mod(20))\n",
    ),
    "kept, and compiled by a method": (
        "class Trainer:\n    def __init__(self, *, net):\n        self.net = net\n\n    def set_up(self):\n"
        "        self.net = torch.compile(self.net)\n",
        "from trainer import Trainer\n\ntrainer = Trainer(net=Mod(20))\ntrainer.set_up()\n",
    ),
    "made by a class that derives from it": (
        "class Trainer:\n    def build(self):\n        raise NotImplementedError\n\n    def set_up(self):\n"
        "        self.net = torch.compile(self.build())\n",
        "import trainer\n\nclass Mine(trainer.Trainer):\n    def build(self):\n        return Mod(20)\n\n"
        "Mine().set_up()\n",
    ),
    "given to a function": (
        "def train(net):\n    net = torch.compile(net)\n",
        "from trainer import train\n\ntrain(Mod(20))\n",
    ),
}


@pytest.mark.parametrize("name", TRAINERS)
def test_files_that_import_one_may_give_it_what_it_compiles(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compiling, giving = TRAINERS[name]
    other = {"trainer.py": f"import torch\n\n{compiling}", "main.py": "", "layers.py": LAYERS}
    written(tmp_path, other)
    assert found(tmp_path, capsys) == []
    (tmp_path / "main.py").write_text(f"from layers import Mod\n{giving}")
    (finding,) = found(tmp_path, capsys)
    assert finding["path"].endswith("trainer.py")
    assert "each call of the compiled Mod" in finding["message"]
    assert found(tmp_path, capsys, "--no-cache") == [finding]
    (tmp_path / "main.py").write_text("")
    assert found(tmp_path, capsys) == []


def test_callers_do_not_take_from_what_a_file_itself_gives_a_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step = "def step(net, x):\n    return net(x)\n\ndef run(x):\n    net = Mod(20)\n"
    steps = f"import torch\nfrom layers import Mod\n\n{step}    torch.compile(step)(net, x)\n\nrun(1)\n"
    other = "from torch import nn\nfrom layers import Mod\nfrom steps import run, step\n\n"
    other += "step(nn.Linear(3, 3), 1)\nrun(Mod(3))\n"
    written(tmp_path, {"layers.py": LAYERS, "steps.py": steps, "main.py": ""})
    (before,) = found(tmp_path, capsys, "--no-cache")
    (tmp_path / "main.py").write_text(other)
    assert found(tmp_path, capsys, "--no-cache") == [before]


def test_edit_of_the_other_file_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, PROJECTS["class in another file"])
    first = found(tmp_path, capsys)
    (tmp_path / "layers.py").write_text(LAYERS.replace("x + self.i", "x + 1"))
    assert found(tmp_path, capsys) == []
    (tmp_path / "layers.py").write_text(LAYERS)
    assert found(tmp_path, capsys) == first
    (tmp_path / "layers.py").unlink()
    assert found(tmp_path, capsys) == []
    (tmp_path / "layers.py").write_text(LAYERS)
    assert found(tmp_path, capsys) == first
    (tmp_path / "other.py").write_text("import torch\n")
    assert found(tmp_path, capsys) == first


def test_file_that_comes_to_have_layers_is_solved_before_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, PROJECTS["behind more files than are solved"])
    (tmp_path / "base.py").write_text("class Base: pass\n")
    (tmp_path / "layers.py").write_text("")
    assert found(tmp_path, capsys) == []
    written(tmp_path, PROJECTS["behind more files than are solved"])
    assert len(found(tmp_path, capsys)) == 1


def test_file_by_itself_shows_nothing_of_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, PROJECTS["class in another file"])
    assert found(tmp_path, capsys, "--no-project") == []


def test_broken_file_among_those_that_are_imported_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = PROJECTS["class in another file"]
    written(tmp_path, {**files, "broken.py": "def (:\n", "main.py": "import broken\n" + files["main.py"]})
    assert len(found(tmp_path, capsys)) == 1


def test_call_of_a_function_that_compiles_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, PROJECTS["by a function of another file"])
    (finding,) = found(tmp_path, capsys)
    assert finding["fix"] is None
    assert finding["line"] == 4


def test_fix_takes_the_place_of_the_call(tmp_path: Path) -> None:
    written(tmp_path, PROJECTS["class in another file"])
    project = "[project]\nname = 'x'\nversion = '1'\ndependencies = ['overhead-lint']\n"
    (tmp_path / "pyproject.toml").write_text(project)
    assert main(["--select", "OVH307", "--fix", "--unsafe-fixes", str(tmp_path)]) == 0
    assert "net = runtime.compile(Mod(20))" in (tmp_path / "main.py").read_text()


PLAN = """\
from dataclasses import dataclass

@dataclass
class Plan:
    m: int = 1

class Named:
    def __init__(self, name):
        self.name = name
    def __repr__(self):
        return f"Named({self.name})"

class Labelled(Plan):
    def __str__(self):
        return str(self.label)

class Told(Plan):
    def __str__(self):
        return f"{self.m}"

class Kept:
    def __init__(self, name):
        self.name = name
        self._text = None
    def __repr__(self):
        if self._text is None:
            self._text = f"Kept({self.name})"
        return self._text
"""
HOLDER = """\
import torch
from torch import nn
from plans import Kept, Labelled, Named, Plan, Told

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.plan = MADE
        self.memo = {}
    def key(self):
        return repr(self.plan)
    def forward(self, x):
        USE
        return x
"""
KEYS = [
    ("Plan()", "self.memo.setdefault(str(self.plan), {})", True),
    ("Plan()", "self.memo[str(self.plan)] = 1", True),
    ("Plan()", "self.memo.get(f'{self.plan}')", True),
    ("Plan()", "self.memo.get(f'{x.dtype}_{self.plan}')", True),
    ("Plan()", "self.memo.pop(repr(self.plan), None)", True),
    ("Plan()", "str(self.plan) in self.memo", True),
    ("Plan()", "self.memo[self.key()] = 1", True),
    ("Plan()", "self.memo[(str(self.plan), 1)] = 1", True),
    ("Plan()", "self.memo[str((str(self.plan), id(x)))] = 1", True),
    ("Named('a')", "self.memo[str(self.plan)] = 1", True),
    ("Kept('a')", "self.memo[str(self.plan)] = 1", False),
    ("Labelled()", "self.memo[str(self.plan)] = 1", False),
    ("Labelled()", "self.memo[f'{self.plan}'] = 1", False),
    ("Labelled()", "self.memo[f'{self.plan!r}'] = 1", True),
    ("Labelled()", "self.memo[repr(self.plan)] = 1", True),
    ("Told()", "self.memo[str(self.plan)] = 1", True),
    ("Plan()", "self.memo[self.plan.m] = 1", False),
    ("Plan()", "print(str(self.plan))", False),
    ("3", "self.memo[str(self.plan)] = 1", False),
]


@pytest.mark.parametrize(("made", "use", "is_found"), KEYS)
def test_class_whose_text_is_a_key_may_stand_in_another_file(
    made: str, use: str, is_found: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, {"plans.py": PLAN, "main.py": HOLDER.replace("MADE", made).replace("USE", use)})
    findings = found(tmp_path, capsys, code="OVH201")
    assert bool(findings) is is_found
    assert all("plans.py:" in finding["help"] for finding in findings)
    assert all(("__str__ of Told" in finding["help"]) is (made == "Told()") for finding in findings)
    assert found(tmp_path, capsys, code="OVH201") == findings, "the same from the cache"


HELPED = """\
import torch
from keys import Keys, key_of, label
from plans import Plan


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.plan, self.memo = Plan(), {}

    def forward(self, x):
        USE
        return x
"""
HELPERS = [
    ("key = key_of(self.plan, x.shape)\n        self.memo[key] = x", True),
    ("self.memo.setdefault(key_of(shape=x.shape, plan=self.plan), x)", True),
    ("self.memo[label(self.plan)] = x", True),
    ("self.memo[Keys.of(self.plan)] = x", True),
    ("self.memo[Keys.joined(self.plan, 1)] = x", True),
    ("self.memo[key_of(x.dtype, self.plan)] = x", False),  # the helper shows no field of this one
    ("self.memo[key_of(self.plan.m, x.shape)] = x", False),
    ("self.memo[Keys.size(self.plan)] = x", False),
    ("self.memo[Keys.kept(self.plan)] = x", False),
    ("print(key_of(self.plan, x.shape))", False),
]
HELPER_FILE = """\
def key_of(plan, shape):
    return f"{plan}/{len(shape)}"


def label(plan):
    text = repr(plan)
    if not plan.m:
        text = "none"
    return text


class Keys:
    @classmethod
    def of(cls, plan):
        return (str(plan), 1)

    @staticmethod
    def joined(plan, more):
        return "p" + str((plan, more))

    @staticmethod
    def size(plan):
        return str(plan.m)

    @staticmethod
    def kept(plan):
        return plan
"""


@pytest.mark.parametrize(("use", "is_found"), HELPERS)
def test_what_makes_the_key_may_stand_in_another_file(
    use: str, is_found: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"plans.py": PLAN, "keys.py": HELPER_FILE, "main.py": HELPED.replace("USE", use)}
    written(tmp_path, files)
    findings = found(tmp_path, capsys, code="OVH201")
    assert bool(findings) is is_found
    assert all("formats every field of self.plan" in one["message"] for one in findings)
    assert all("plans.py:" in one["help"] for one in findings)
    assert found(tmp_path, capsys, code="OVH201") == findings, "the same from the cache"


FLOWS: dict[str, tuple[str, str, str, bool]] = {
    "method of the object": ("", "", "self.kept[self.recipe.key()] = x", True),
    "property of the object": ("", "", "self.kept[self.recipe.label] = x", True),
    "field of the object": ("", "", "self.kept[self.recipe.margin] = x", False),
    "through another helper": (
        "def inner(recipe):\n    return repr(recipe)\n\ndef key_of(recipe):\n    return (inner(recipe), 1)\n",
        "key_of",
        "self.kept[key_of(self.recipe)] = x",
        True,
    ),
    "of what the helper has": (
        "from recipe import Recipe\n\nclass State:\n    recipe: Recipe = Recipe()\n    @classmethod\n"
        "    def key(cls):\n        return str(cls.recipe)\n",
        "State",
        "self.kept[State.key()] = x",
        True,
    ),
    "given by a function": (
        "from recipe import Recipe\n\ndef get_recipe():\n    return Recipe()\n",
        "get_recipe",
        "self.kept[str(get_recipe())] = x",
        True,
    ),
    "of a class that derives from another file's": (
        "from recipe import Recipe\n\nclass Special(Recipe):\n    pass\n",
        "Special",
        "self.kept[str(Special())] = x",
        True,
    ),
    "number that is given by a function": (
        "from recipe import Recipe\n\ndef get_margin():\n    return Recipe().margin\n",
        "get_margin",
        "self.kept[str(get_margin())] = x",
        False,
    ),
    "field of what a helper gets": (
        "def key_of(layer):\n    return str(layer.recipe)\n",
        "key_of",
        "self.kept[key_of(self)] = x",
        True,
    ),
    "field of what two helpers get": (
        "def key_of(layer):\n    return str(layer.recipe)\n\n"
        "def other(layer):\n    return repr(layer.recipe)\n",
        "key_of, other",
        "self.kept[(key_of if x.ndim else other)(self)] = x",
        False,  # one shows it by str, the other by repr
    ),
    "number in a field of what a helper gets": (
        "def key_of(layer):\n    return str(layer.recipe.margin)\n",
        "key_of",
        "self.kept[key_of(self)] = x",
        False,
    ),
    "field of something unknown": (
        "def key_of(layer):\n    return str(layer.recipe)\n",
        "key_of",
        "self.kept[key_of(x)] = x",
        False,
    ),
    "digest": (
        "import hashlib\n\ndef key_of(recipe):\n    return hashlib.md5(str(recipe).encode()).hexdigest()\n",
        "key_of",
        "self.kept[key_of(self.recipe)] = x",
        True,
    ),
    "joined": (
        "def key_of(recipe, x):\n    return '-'.join([str(recipe), str(x.dtype)])\n",
        "key_of",
        "self.kept[key_of(self.recipe, x)] = x",
        True,
    ),
    "template": (
        "def key_of(recipe, x):\n    return '{}-{}'.format(recipe, x.dtype)\n",
        "key_of",
        "self.kept[key_of(self.recipe, x)] = x",
        True,
    ),
    "part of the object in a template": (
        "def key_of(recipe, x):\n    return '{0.margin}-{1}'.format(recipe, x.dtype)\n",
        "key_of",
        "self.kept[key_of(self.recipe, x)] = x",
        False,
    ),
    "text of repr": (
        "def key_of(recipe):\n    return repr(recipe)\n",
        "key_of",
        "self.kept[key_of(Named())] = x",
        True,
    ),
    "text of a __str__ of its own": (
        "def key_of(recipe):\n    return f'{recipe}'\n",
        "key_of",
        "self.kept[key_of(Named())] = x",
        False,
    ),
    "within a container, for the key of the callee": (
        "TABLE = {}\n\ndef lookup(one):\n    return TABLE[str((one, 1))]\n",
        "lookup",
        "x = x * lookup(Named())",
        True,
    ),
    "text of a __str__ of its own for the key of the callee": (
        "TABLE = {}\n\ndef lookup(one):\n    return TABLE[str(one)]\n",
        "lookup",
        "x = x * lookup(Named())",
        False,
    ),
    "percent": (
        "def key_of(recipe, x):\n    return '%s-%s' % (recipe, x.dtype)\n",
        "key_of",
        "self.kept[key_of(self.recipe, x)] = x",
        True,
    ),
    "dump of fields": (
        "import json\nfrom dataclasses import asdict\n\ndef key_of(recipe):\n"
        "    return json.dumps(asdict(recipe))\n",
        "key_of",
        "self.kept[key_of(self.recipe)] = x",
        True,
    ),
    "key of the callee": (
        "TABLE = {}\n\ndef lookup(key, made):\n    if key not in TABLE:\n        TABLE[key] = made\n"
        "    return TABLE[key]\n",
        "lookup",
        "x = x * lookup(str(self.recipe), 2)",
        True,
    ),
    "beside the key of the callee": (
        "TABLE = {}\n\ndef lookup(key, made):\n    return TABLE.setdefault(key, made)\n",
        "lookup",
        "lookup(self.recipe.margin, str(self.recipe))",
        False,
    ),
    "argument of a cached function": (
        "import functools\n\n@functools.lru_cache\ndef kernel(name):\n    return 1\n",
        "kernel",
        "x = x * kernel(f'{self.recipe}/{x.dtype}')",
        True,
    ),
    "made and used by the callee": (
        "TABLE = {}\n\ndef remember(one, x):\n    TABLE[str(one), x.dtype] = x\n",
        "remember",
        "remember(self.recipe, x)",
        True,
    ),
    "made by a method of the file for the key of the callee": (
        "TABLE = {}\n\ndef lookup(key, made):\n    return TABLE.setdefault(key, made)\n",
        "lookup",
        "lookup(self.label(), 2)\n        return x\n\n    def label(self):\n        x = repr(self.recipe)",
        True,
    ),
    "made and printed by the callee": (
        "def note(recipe):\n    print(str(recipe))\n",
        "note",
        "note(self.recipe)",
        False,
    ),
    "compared by the callee": (
        "def is_same(one, before):\n    return str(one) == before\n",
        "is_same",
        "self.same = is_same(self.recipe, self.before)",
        True,
    ),
    "kept by the helper": (
        "KEPT = {}\n\ndef key_of(recipe):\n    text = KEPT.get(id(recipe))\n    if text is None:\n"
        "        text = KEPT[id(recipe)] = repr(recipe)\n    return text\n",
        "key_of",
        "self.kept[key_of(self.recipe)] = x",
        False,
    ),
    "kept by a decorator of the helper": (
        "import functools\n\n@functools.lru_cache\ndef key_of(recipe):\n    return repr(recipe)\n",
        "key_of",
        "self.kept[key_of(self.recipe)] = x",
        False,
    ),
}
FLOW_RECIPE = """\
from dataclasses import dataclass


@dataclass
class Recipe:
    margin: int = 0

    def key(self):
        return str(self)

    @property
    def label(self):
        return repr(self)


class Named(Recipe):
    def __str__(self):
        return self.name
"""
FLOW_LAYER = """\
import torch
IMPORT
from recipe import Named, Recipe


class Layer(torch.nn.Module):
    def __init__(self, recipe: Recipe, before: str):
        super().__init__()
        self.recipe, self.kept, self.before = recipe, {}, before

    def forward(self, x):
        USE
        return x
"""


@pytest.mark.parametrize("name", FLOWS)
def test_text_is_followed_through_functions_of_other_files(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    helpers, imported, use, is_found = FLOWS[name]
    line = f"from keys import {imported}" if imported else ""
    layer = FLOW_LAYER.replace("IMPORT", line).replace("USE", use)
    written(tmp_path, {"recipe.py": FLOW_RECIPE, "keys.py": helpers, "layer.py": layer})
    findings = found(tmp_path, capsys, code="OVH201")
    places = [(one["path"].rpartition("/")[2], one["line"]) for one in findings]
    assert places == [("layer.py", 12)] * is_found
    classes = ("recipe.py:5", "recipe.py:16", "keys.py:3")
    assert all(any(cls in one["help"] for cls in classes) for one in findings)
    assert found(tmp_path, capsys, code="OVH201") == findings, "the same from the cache"


@pytest.mark.parametrize(
    ("name", "annotation", "where"),
    [("one", ": Recipe", ("keys.py", 9)), ("one", "", ("layer.py", 12)), ("recipe", "", ("keys.py", 9))],
)
def test_text_is_told_of_once_where_its_class_is_known(
    name: str, annotation: str, where: tuple[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = (
        "from recipe import Recipe\n\nclass State:\n    def __init__(self):\n        self.arguments = {}\n\n"
        f"    @classmethod\n    def key(cls, {name}{annotation}, group=None):\n"
        f"        return str((str({name}), id(group)))\n\n"
        f"    def enter(self, {name}{annotation}, group=None):\n"
        f"        self.arguments[self.key({name}, group)] = 1\n"
    )
    layer = FLOW_LAYER.replace("IMPORT", "from keys import State").replace(
        "USE", "self.state.enter(self.recipe)"
    )
    layer = layer.replace("self.before = recipe, {}, before", "self.state = recipe, {}, State()")
    written(tmp_path, {"recipe.py": FLOW_RECIPE, "keys.py": state, "layer.py": layer})
    findings = found(tmp_path, capsys, code="OVH201")
    assert [(one["path"].rpartition("/")[2], one["line"]) for one in findings] == [where]


def test_class_beside_its_use_is_mended_where_another_file_makes_the_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main_text = HELPED.replace("from plans import Plan\n", PLAN).replace("USE", HELPERS[0][0])
    written(tmp_path, {"keys.py": HELPER_FILE, "main.py": main_text})
    (finding,) = found(tmp_path, capsys, code="OVH201")
    assert finding["fix"]["message"] == "keep the repr of Plan until a field is assigned"
    assert len(found(tmp_path, capsys, code="OVH202")) == 1


def test_files_with_imports_in_common_are_solved_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = PROJECTS["class in another file"]
    written(tmp_path, {**files, **{f"main_{n}.py": files["main.py"] for n in range(4)}})
    solved: list[int] = []

    def counted(records: dict[str, Any], packages: list[str]) -> Values:
        solved.append(len(records))
        return solve(records, packages)

    monkeypatch.setattr(compiled_elsewhere, "solve", counted)
    together = found(tmp_path, capsys, "--no-cache")
    assert len(together) == 5
    assert solved == [6]
    single = found(tmp_path / "main_2.py", capsys, "--no-cache")
    of_file = [one for one in together if one["path"].endswith("main_2.py")]
    assert [{**one, "rank": 0} for one in single] == [{**one, "rank": 0} for one in of_file]  # among more
    assert solved == [6, 6], "what is solved with a file does not hang on which are checked"


def test_only_files_that_are_solved_are_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"part{k}.py": f"import part{k + 1}\n" for k in range(20)}
    files = PROJECTS["class in another file"] | {"net.py": f"import part0\n{COMPILED}", **many}
    written(tmp_path, files)
    read: list[str] = []

    def noted(source: Source) -> ast.Module:
        read.append(source.path.name)
        return parse(source)

    monkeypatch.setattr(compiled_elsewhere, "parse", noted)
    assert len(found(tmp_path, capsys)) == 1
    assert set(read) == {"layers.py", "main.py"}


def test_edit_of_one_that_is_solved_with_it_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What another file gives the layers that both import tells how many they are."""
    layers = LAYERS.replace("range(n)", "range(SIZE.get())") + (
        "\nclass Size:\n    def __init__(self):\n        self.n = 20\n    def get(self):\n"
        "        return self.n\n\nSIZE = Size()\n"
    )
    main_text = "from layers import Mod\nimport torch\n\nnet = torch.compile(Mod(20))\n"
    other = "import torch\nfrom layers import Mod, SIZE\n\nnet = torch.compile(Mod(5))\n"
    written(tmp_path, {"layers.py": layers, "main.py": main_text, "other.py": other})
    found(tmp_path, capsys)
    (tmp_path / "other.py").write_text(f"{other}SIZE.n = None\n")
    warm = found(tmp_path, capsys)
    assert warm == found(tmp_path, capsys, "--no-cache")


ONCE = "SEEN = {}\n\ndef once(text):\n    SEEN[text] = True\n"
UNASKED: dict[str, dict[str, str]] = {
    "a number for a function that compiles, by its name": {
        "layers.py": LAYERS,
        "tools.py": "import torch\n\ndef compile_model(net):\n    return torch.compile(net)\n",
        "main.py": "import layers\nfrom tools import compile_model\n\nnet = compile_model(20)\n",
    },
    "an option of that name": {
        "config.py": "def load():\n    return object()\n",
        "main.py": "import torch\nfrom config import load\n\nargs = load()\n"
        "net = torch.nn.Linear(2, 2)\nif args.compile:\n    net.half()\n",
    },
    "a method of that name with arguments of its own": {
        "trainer.py": "class Trainer:\n    def compile(self, model, loss):\n        self.model = model\n",
        "main.py": "import torch\nfrom trainer import Trainer\n\n"
        "Trainer().compile(torch.nn.Linear(2, 2), 'mse')\n",
    },
    "a module without a list of layers": {
        "layers.py": LAYERS.replace("nn.ModuleList", ""),
        "main.py": f"from layers import Mod\n{COMPILED}",
    },
    "a module whose layers are a library's": {
        "layers.py": "from torch import nn\n\ndef Mod(n):\n    return nn.Sequential(nn.ReLU(), nn.Tanh())\n",
        "main.py": f"from layers import Mod\n{COMPILED}",
    },
    "classes that keep no text of their own": {
        "plans.py": "class Plan:\n    m = 1\n",
        "main.py": HOLDER.replace("Kept, Named, ", "").replace("MADE", "Plan()").replace("USE", KEYS[0][1]),
    },
    "a helper that makes no text": {
        "plans.py": PLAN,
        "keys.py": "def key_of(plan, shape):\n    return plan.m, len(shape)\n",
        "main.py": HELPED.replace("USE", HELPERS[0][0]),
    },
    "a module where one of a library may be compiled": {
        "layers.py": LAYERS,
        "main.py": "import torch\nfrom layers import Mod\n\ndef prepare(is_small):\n"
        "    net = torch.nn.Linear(2, 2) if is_small else Mod(20)\n    return torch.compile(net)\n",
    },
    "a text of what a function gives, beside a class that it has nothing of": {
        "recipe.py": FLOW_RECIPE + "\ndef version():\n    return 3\n",
        "layer.py": FLOW_LAYER.replace("IMPORT", "from recipe import version").replace(
            "USE", "self.kept[str(version())] = x"
        ),
    },
    "a key of another file that shows nothing of others": {
        "recipe.py": FLOW_RECIPE,
        "keys.py": ONCE,
        "layer.py": FLOW_LAYER.replace("IMPORT", "from keys import once").replace(
            "USE", "once(f'{self.before}/{len(x)}')"
        ),
    },
    "a key of another file where no class formats its fields": {
        "recipe.py": "class Recipe:\n    margin = 0\n",
        "keys.py": ONCE,
        "layer.py": FLOW_LAYER.replace("IMPORT", "from keys import once").replace(
            "USE", "once(str(self.recipe))"
        ),
    },
}


@pytest.mark.parametrize("name", UNASKED)
def test_what_no_other_file_may_tell_is_not_sought_there(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[int] = []

    def counted(records: dict[str, Any], packages: list[str]) -> Values:
        solved.append(len(records))
        return solve(records, packages)

    monkeypatch.setattr(compiled_elsewhere, "solve", counted)
    written(tmp_path, UNASKED[name])
    assert found(tmp_path, capsys, code="OVH201,OVH307") == []
    assert solved == []


def test_helper_is_asked_once_an_edit_has_it_make_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, UNASKED["a helper that makes no text"])
    assert found(tmp_path, capsys, code="OVH201") == []
    (tmp_path / "keys.py").write_text(HELPER_FILE)
    assert len(found(tmp_path, capsys, code="OVH201")) == 1
    (tmp_path / "keys.py").write_text("from other import key_of\n")
    (tmp_path / "other.py").write_text("key_of = lambda plan, shape: repr(plan)\n")
    assert len(found(tmp_path, capsys, code="OVH201")) == 1
    (tmp_path / "other.py").write_text("key_of = None\n")
    assert found(tmp_path, capsys, code="OVH201") == []


COUNTING = LAYERS.replace("self.i = i\n", "self.i = 0\n").replace(
    "return x + self.i", "self.i += 1\n        return x + self.i"
)
GIVEN = {
    "function": ("def prepare(net):\n    return torch.compile(net)\n", "net = prepare(Mod(3))\n"),
    "by name": ("def prepare(one, net):\n    return torch.compile(net)\n", "net = prepare(1, net=Mod(3))\n"),
    "method": ("def prepare(net):\n    net.step = torch.compile(net.forward)\n", "prepare(Mod(3))\n"),
    "parts": ("def prepare(net):\n    for f in net.fs:\n        f.compile()\n", "prepare(Mod(3))\n"),
    "parts by name": (
        "def prepare(net):\n    for name, f in net.fs.named_children():\n"
        "        net.fs.register_module(name, torch.compile(f))\n",
        "prepare(Mod(3))\n",
    ),
    "parts by number": (
        "def prepare(net):\n    for i, f in enumerate(net.fs):\n        net.fs[i] = torch.compile(f)\n",
        "prepare(Mod(3))\n",
    ),
    "constructor": (
        "class prepare:\n    def __init__(self, net):\n        self.net = net\n"
        "    def start(self):\n        self.net = torch.compile(self.net)\n",
        "prepare(Mod(3))\n",
    ),
    "something else": ("def prepare(net, other):\n    return torch.compile(other)\n", "prepare(Mod(3), 1)\n"),
    "turned off": ("def prepare(net):\n    return torch.compile(net, disable=True)\n", "prepare(Mod(3))\n"),
}


def given_elsewhere(folder: Path, name: str) -> str:
    """Write a case of `GIVEN`, and return the code that gives layers to what compiles them."""
    helper, use = GIVEN[name]
    main_file = f"from layers import Mod\nfrom prepare import prepare\n\n{use}"
    files = {"layers.py": COUNTING, "prepare.py": f"import torch\n\n{helper}", "main.py": main_file}
    written(folder, files)
    return use


@pytest.mark.parametrize("name", GIVEN)
def test_what_a_function_compiles_may_be_given_by_another_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    use = given_elsewhere(tmp_path, name)
    findings = found(tmp_path, capsys, code="OVH303")
    is_compiled = bool(use) and name not in ("something else", "turned off")
    assert [Path(one["path"]).name for one in findings] == ["layers.py"] * is_compiled
    assert found(tmp_path, capsys, code="OVH303") == findings, "the same from the cache"


def test_class_that_a_test_names_is_compiled_in_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main_file = (
        "import torch\nfrom layers import F\n\ndef jit(module):\n    if isinstance(module, F):\n"
        "        module.forward = torch.compile(module.forward)\n"
    )
    written(tmp_path, {"layers.py": COUNTING, "main.py": main_file})
    assert [Path(one["path"]).name for one in found(tmp_path, capsys, code="OVH303")] == ["layers.py"]


@pytest.mark.parametrize("name", ["function", "constructor"])
def test_edit_of_who_gives_what_is_compiled_is_noticed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given_elsewhere(tmp_path, name)
    main_file = (tmp_path / "main.py").read_text()
    first = found(tmp_path, capsys, code="OVH303")
    (tmp_path / "main.py").write_text("from layers import Mod\n\nnet = Mod(3)\n")
    assert found(tmp_path, capsys, code="OVH303") == []
    (tmp_path / "main.py").write_text(main_file)
    assert found(tmp_path, capsys, code="OVH303") == first
