"""What only functions and classes lead to that nothing in a project names is presumed."""

from __future__ import annotations

from pathlib import Path

import pytest
from edited_project import said, write
from project_cases import heat_below

from overhead_lint.workspace.heat_update import HeatUpdate

AROUND = {"pkg/__init__.py": "", **{f"pkg/around_{number}.py": "Base = object\n" for number in range(8)}}
TRAIN = """
    def train(loader, model):
        for batch in loader:
            model(batch)
            here()
            helper(batch)

    def helper(x):
        here()
    """
UNNAMED = {
    "a function with a hot loop": (TRAIN, "pkg/one.py:2 loop over loader", "train"),
    "an operator": (
        """
        import torch
        from torch import Tensor

        def scale(x: Tensor, by: float) -> Tensor:
            here()
            return torch.relu(x) * by
        """,
        "scale is an operator of the library, from tensors to tensors",
        "scale",
    ),
    "an autograd function": (
        """
        from torch.autograd import Function

        class Gather(Function):
            @staticmethod
            def forward(ctx, x):
                here()
                return x
        """,
        "Gather.forward runs on every use of the autograd function",
        "Gather",
    ),
    "what takes a step of an optimizer": (
        """
        class Manager:
            def optimize(self, loss):
                loss.backward()
                self.optimizer.step()
                here()
        """,
        "Manager.optimize takes a step of an optimizer each time",
        "Manager",
    ),
    "a step by its name": (
        """
        def training_step(model, batch):
            here()
        """,
        "training_step is a step by its name",
        "training_step",
    ),
    "a criterion of a library": (
        """
        from transformers import StoppingCriteria

        class OnWords(StoppingCriteria):
            def __call__(self, input_ids, scores, **kwargs):
                here()
        """,
        "OnWords.__call__ is run in every step by StoppingCriteria",
        "OnWords",
    ),
    "a data set": (
        """
        from torch.utils.data import Dataset

        class Pasted(Dataset):
            def __getitem__(self, index):
                here()
        """,
        "Pasted.__getitem__ is run in every step by Dataset",
        "Pasted",
    ),
}


@pytest.mark.parametrize("name", UNNAMED)
def test_what_nothing_names_is_presumed_to_run(tmp_path: Path, name: str) -> None:
    text, why, unnamed = UNNAMED[name]
    found = heat_below(tmp_path, {**AROUND, "pkg/one.py": text})
    assert found[0] == f"pkg/one.py: presumed: {why}, but nothing in the project names {unnamed}"
    assert all(one.startswith("pkg/one.py: presumed: ") for one in found)
    (named, *_) = heat_below(tmp_path, {**AROUND, "pkg/one.py": text, "pkg/two.py": f"import {unnamed}"})
    assert named == f"pkg/one.py: presumed: {why}, but nothing in the project names {unnamed}"
    (named, *_) = heat_below(
        tmp_path, {**AROUND, "pkg/one.py": text, "pkg/two.py": f"from pkg.one import {unnamed}"}
    )
    assert named == f"pkg/one.py: step: {why}"


def heat_beside(folder: Path, text: str) -> list[str]:
    """How hot a function and its helper are beside a file with a text."""
    found = heat_below(folder, {**AROUND, "pkg/one.py": TRAIN, "pkg/two.py": text})
    return [one.split(": ")[1] for one in found]


ONLY_ASKED = """
    class Base:
        def check(self, other):
            return isinstance(other, (Net, Base))

    class Net(Base):
        def training_step(self, batch):
            here()
    """


def test_who_only_asks_for_a_class_does_not_name_it(tmp_path: Path) -> None:
    found = heat_below(
        tmp_path, {**AROUND, "pkg/one.py": ONLY_ASKED, "train.py": "from pkg.one import Base\nBase()"}
    )
    assert found[0].startswith("pkg/one.py: presumed: ")


def test_what_documents_a_class_does_not_hand_it_over(tmp_path: Path) -> None:
    for decorator, heat in (("add_start_docstrings(TEXT)", "presumed"), ("register(TEXT)", "step")):
        text = f"@{decorator}\nclass Net:\n    def training_step(self, batch):\n        here()\n"
        (found,) = heat_below(tmp_path, {**AROUND, "pkg/one.py": text})
        assert found.startswith(f"pkg/one.py: {heat}: ")


NAMED = {
    "an import": "from pkg.one import train",
    "an import by another name": "from pkg.one import train as work\nwork(1, 2)",
    "an import from its package": "from pkg import train\ntrain(1, 2)",
    "an import as programs beside it make it": "from one import train\ntrain(1, 2)",
    "an import in a function": "def run():\n    from .one import train as work\n    work(1, 2)",
    "a call": "import pkg.one\npkg.one.train(loader, model)",
    "a call of whatever has the name": "self.train(loader)",
    "a value": "import pkg.one\nTABLE = [pkg.one.train]",
    "a value by another name": "from pkg import one as first\nwork = first.train",
    "an import of all": "from pkg.one import *",
    "whatever a configuration names": "hydra.utils.instantiate(settings.trainer)",
    "a text": "work = getattr(modules, 'train')",
    "a path": "work = find('pkg.one:train')",
    "a module that is handed over": "from pkg import one\nwork = getattr(one, name)",
    "a module that is handed over by its path": "import pkg.one\nwork = getattr(pkg.one, name)",
}


@pytest.mark.parametrize("name", NAMED)
def test_what_another_file_names_runs_in_steps(tmp_path: Path, name: str) -> None:
    assert heat_beside(tmp_path, NAMED[name]) == ["step", "step"]


NO_NAMES = {
    "an import from another module": "from pkg.other import train\ntrain(1, 2)",
    "an import of another by its name": "from pkg.other import run as train\ntrain(1, 2)",
    "an import from a library": "from library import train\nwork = [train]",
    "a comment and a docstring": '"""Has nothing like train."""\n# train()',
    "another module's import of all": "from pkg.around_1 import *",
    "its module": "from pkg import one\nimport pkg.one\npkg.one.other()",
    "longer names": "from pkg.around_1 import train_all\nretrain()\nwork = 'no train here'",
    "attributes of objects": "self.mode = self.train",
}


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_another_file_does_not_name_in_its_code_is_presumed(tmp_path: Path, name: str) -> None:
    assert heat_beside(tmp_path, NO_NAMES[name]) == ["presumed", "presumed"]


LEFT_ALONE = {
    "named where a program begins": TRAIN + "\n    if __name__ == '__main__':\n        train(data, net)\n",
    "named in __all__": TRAIN + "\n    __all__ = ['train']\n",
    "kept by a decorator": TRAIN.replace("def train", "@registered\n    def train"),
    "looked up by names": TRAIN + "\n    TABLE = globals()\n",
    "a program": TRAIN.replace("loader, model", "path='x'"),
    "a module": """
        from torch import nn

        class Net(nn.Module):
            def forward(self, x):
                here()
        """,
    "an optimizer": """
        import torch

        class Fast(torch.optim.Optimizer):
            def step(self, closure=None):
                here()
        """,
    "a class of another's kind": """
        from pkg.around_1 import Base

        class Kind(Base):
            def training_step(self, batch):
                here()
        """,
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_its_file_shows_to_be_of_use_runs_in_steps(tmp_path: Path, name: str) -> None:
    found = heat_below(tmp_path, {**AROUND, "pkg/one.py": LEFT_ALONE[name]})
    assert {one.split(": ")[1] for one in found} == {"step"}


NET = """
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super(Net, self).__init__()

        def forward(self, x):
            here()
    """
SCRIPTS = {f"around_{number}.py": "Base = object\n" for number in range(10)}


def test_a_module_outside_of_packages_that_nothing_names_is_left_over(tmp_path: Path) -> None:
    why = "Net.forward runs on every call of the module"
    left_over = [f"one.py: presumed: {why}, but nothing in the project names Net"]
    assert heat_below(tmp_path, {**SCRIPTS, "one.py": NET}) == left_over
    (named,) = heat_below(tmp_path, {**SCRIPTS, "one.py": NET, "two.py": "from one import Net"})
    assert named == f"one.py: step: {why}"


def test_a_class_that_asks_for_a_type_is_not_made_by_that(tmp_path: Path) -> None:
    asking = NET.replace("here()", "x = type(x.data)\n            here()")
    (found,) = heat_below(tmp_path, {**SCRIPTS, "one.py": asking})
    assert found.endswith("but nothing in the project names Net")
    again = NET.replace("here()", "here()\n            return type(self)()")
    (found,) = heat_below(tmp_path, {**SCRIPTS, "one.py": again})
    assert found.endswith("but nothing in the project names Net")


PROJECT = "[project]\nname = 'pkg'\n"


def test_a_module_of_a_package_is_for_its_users(tmp_path: Path) -> None:
    sources = {**SCRIPTS, "pyproject.toml": PROJECT, "pkg/__init__.py": NET, "pkg/one.py": NET}
    assert {one.split(": ")[1] for one in heat_below(tmp_path, sources)} == {"step"}
    sources = {**AROUND, "pkg/__init__.py": NET, "pkg/one.py": NET}
    assert {one.split(": ")[1] for one in heat_below(tmp_path / "alone", sources)} == {"step"}


def test_a_module_in_a_folder_that_is_no_package_is_for_users_where_no_program_lies_above(
    tmp_path: Path,
) -> None:
    (found,) = heat_below(tmp_path, {**AROUND, "src/one.py": NET})
    assert found.startswith("src/one.py: step: ")


def test_a_module_of_a_package_beside_programs_is_for_these(tmp_path: Path) -> None:
    program = {**AROUND, "train.py": "import pkg.around_1\n"}
    (found,) = heat_below(tmp_path, {**program, "pkg/one.py": NET})
    assert found.endswith("but nothing in the project names Net")
    (found,) = heat_below(tmp_path, {**program, "pkg/sub/one.py": NET})
    assert found.endswith("but nothing in the project names Net")
    (found,) = heat_below(tmp_path, {**program, "nets/one.py": NET})
    assert found.endswith("but nothing in the project names Net")
    made = "from pkg.one import Net\nnet = Net()\n"
    assert heat_below(tmp_path / "made", {**program, "pkg/one.py": NET, "train.py": made})[0].startswith(
        "pkg/one.py: step: "
    )


METADATA = {"setup.py": "from setuptools import setup\n\nsetup()\n", "pyproject.toml": PROJECT}
PROGRAM = "import pkg.around_1\n\nif __name__ == '__main__':\n    pass\n"


@pytest.mark.parametrize("name", METADATA)
def test_a_distribution_with_programs_beside_its_metadata_is_for_these(tmp_path: Path, name: str) -> None:
    project = {**AROUND, name: METADATA[name], "pkg/one.py": NET}
    (found,) = heat_below(tmp_path / "library", {**project, "helpers.py": "x = 1\n"})
    assert found.startswith("pkg/one.py: step: ")
    (found,) = heat_below(tmp_path / "programs", {**project, "train.py": PROGRAM})
    assert found.endswith("but nothing in the project names Net")


BASES = {
    "of another file": ("from pkg.around_1 import Base", "Base"),
    "of a module": ("import pkg.around_1 as around", "around.Base"),
    "of its file": ("class Base:\n    pass", "Base"),
    "of a library": ("from lightning import LightningModule", "LightningModule"),
}


@pytest.mark.parametrize("name", BASES)
def test_a_class_with_any_base_in_a_project_of_programs_is_for_these(tmp_path: Path, name: str) -> None:
    head, base = BASES[name]
    source = f"{head}\n\nclass Kind({base}):\n    def training_step(self, batch):\n        here()\n"
    (found,) = heat_below(tmp_path, {**AROUND, "train.py": PROGRAM, "pkg/one.py": source})
    assert found.endswith("but nothing in the project names Kind")
    settings = {"settings.yaml": "model:\n  class_path: pkg.one.Kind\n"}
    (found,) = heat_below(tmp_path, {**AROUND, **settings, "train.py": PROGRAM, "pkg/one.py": source})
    assert found == "pkg/one.py: step: Kind.training_step is a step by its name"


def test_what_may_be_called_with_nothing_is_a_program_only_where_it_takes_one_thing(tmp_path: Path) -> None:
    source = "def compute_loss({}):\n    here()\n"
    (found,) = heat_below(tmp_path / "one", {**AROUND, "pkg/one.py": source.format("x=None")})
    assert found.startswith("pkg/one.py: step: ")
    (found,) = heat_below(tmp_path / "two", {**AROUND, "pkg/one.py": source.format("x=None, gamma=0.0")})
    assert found.endswith("but nothing in the project names compute_loss")


def test_a_module_that_its_file_makes_is_not_left_over(tmp_path: Path) -> None:
    made = NET + "\n    net = Net()\n"
    assert heat_below(tmp_path, {**SCRIPTS, "one.py": made})[0].startswith("one.py: step: ")


def test_of_a_few_files_it_is_not_known_what_others_name(tmp_path: Path) -> None:
    few = dict([*AROUND.items()][:5])
    assert [one.split(": ")[1] for one in heat_below(tmp_path, {**few, "pkg/one.py": TRAIN})] == ["step"] * 2


def test_what_a_function_calls_that_is_named_by_others_too_runs_in_steps(tmp_path: Path) -> None:
    two = "from pkg.one import helper\n\nfor batch in loader:\n    net(batch)\n    helper(batch)\n"
    first, second = heat_below(tmp_path, {**AROUND, "pkg/one.py": TRAIN, "pkg/two.py": two})
    assert first.startswith("pkg/one.py: presumed: ")
    assert second == "pkg/one.py: step: pkg/two.py:3 loop over loader -> helper"


INNER = """
    from torch import nn

    class Outer(nn.Module):
        def __init__(self):
            self.layers = nn.ModuleList([Inner() for _ in range(2)])

        def forward(self, x):
            here()

    class Inner(nn.Module):
        def forward(self, x):
            here()
            return helper(x)

    def helper(x):
        here()
    """
OUTER_MADE = {
    "a call of the outer one": "from one import Outer\nnet = Outer()\n",
    "a table of it": "import one\nNETS = [one.Outer]\n",
    "a call of the inner one by a file that has an outer one": (
        "from one import Inner\n\nclass Outer:\n    net = Inner()\n"
    ),
}


def test_what_only_something_names_that_nothing_does_is_left_over(tmp_path: Path) -> None:
    found = heat_below(tmp_path, {**SCRIPTS, "one.py": INNER})
    assert len(found) == 3
    assert all(one.startswith("one.py: presumed: ") for one in found)
    assert found[1].endswith("but nothing in the project names Outer")


@pytest.mark.parametrize("name", OUTER_MADE)
def test_what_something_names_that_others_name_is_not(tmp_path: Path, name: str) -> None:
    found = heat_below(tmp_path, {**SCRIPTS, "one.py": INNER, "two.py": OUTER_MADE[name]})
    assert found[1].startswith("one.py: step: ")


def test_files_that_have_one_of_the_name_themselves_do_not_name_it(tmp_path: Path) -> None:
    own = "from torch import nn\n\nclass Net(nn.Module):\n    pass\n\nnet = Net()\nNETS = [Net]\n"
    (found,) = heat_below(tmp_path, {**SCRIPTS, "one.py": NET, "two.py": own})
    assert found.endswith("but nothing in the project names Net")
    other = own.replace("class Net", "class Other").replace("from torch", "import one\nfrom torch")
    assert heat_below(tmp_path, {**SCRIPTS, "one.py": NET, "two.py": other})[0].startswith("one.py: step: ")
    both = f"import one\n{own}\nother = one.Net()\n"
    assert heat_below(tmp_path, {**SCRIPTS, "one.py": NET, "two.py": both})[0].startswith("one.py: step: ")


UNUSED = "from one import Net\n\n\ndef work():\n    pass\n"
USED = {
    "nothing of its own": "from one import Net\n",
    "a look-up": UNUSED.replace("pass", "return globals()[name]"),
    "all modules": "import sys\n" + UNUSED.replace("pass", "return getattr(sys.modules[__name__], name)"),
    "an annotation": UNUSED.replace("work()", "work(net: Net)"),
    "a text": "__all__ = ['Net']\n" + UNUSED,
    "a default": UNUSED.replace("work()", "work(net=Net)"),
    "a base": UNUSED + "\n\nclass Other(Net):\n    pass\n",
    "a call in a function": UNUSED.replace("pass", "return Net()"),
    "an import in a function": "def work():\n    from one import Net\n    return 1\n",
}


def test_an_import_that_is_not_used_names_nothing(tmp_path: Path) -> None:
    (found,) = heat_below(tmp_path, {**SCRIPTS, "one.py": NET, "two.py": UNUSED})
    assert found.endswith("but nothing in the project names Net")


CHOOSES = """
    import argparse

    def main():
        parser = argparse.ArgumentParser()
        parser.add_argument("--net", default="plain")
        args = parser.parse_args()
        if args.net == "{word}":
            from one import Net
        else:
            from two import Net
        train(Net())
    """


@pytest.mark.parametrize(("word", "heat"), [("wide", "presumed"), ("plain", "step")])
def test_an_import_by_an_option_that_is_off_names_nothing(tmp_path: Path, word: str, heat: str) -> None:
    sources = {**SCRIPTS, "one.py": NET, "two.py": NET.replace("here()", "pass")}
    (found,) = heat_below(tmp_path, {**sources, "main.py": CHOOSES.format(word=word)})
    assert found.startswith(f"one.py: {heat}: ")


def test_a_word_of_a_settings_file_that_ships_names_what_it_says(tmp_path: Path) -> None:
    write(tmp_path, {"conf/small.yaml": "net: Other\nstep: 3\n"})
    assert heat_below(tmp_path, {**SCRIPTS, "one.py": NET})[0].startswith("one.py: presumed: ")
    write(tmp_path, {"conf/large.yaml": "net: Net\n"})
    assert heat_below(tmp_path, {**SCRIPTS, "one.py": NET})[0].startswith("one.py: step: ")


@pytest.mark.parametrize("name", USED)
def test_an_import_that_is_used_names_what_it_imports(tmp_path: Path, name: str) -> None:
    (found,) = heat_below(tmp_path, {**SCRIPTS, "one.py": NET, "two.py": USED[name]})
    assert found.startswith("one.py: step: ")


ONE = """\
import torch


def train(loader, model):
    for batch in loader:
        loss = model(batch)
        print(loss.item())
        shown(loss)
        loss.backward()


def shown(x):
    return x.sum().item()


class Manager:
    def optimize(self, loss):
        loss.backward()
        self.optimizer.step()
        print(loss.item())
"""
LATER = "def later(loader, model):\n    for x in loader:\n        print(model(x).item())\n"
SCALE = """\
def scale(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * torch.tensor(by, device=x.device)
"""
STATES = {
    "nothing": {"pkg/two.py": "x = 1\n", "pkg/one.py": ONE},
    "a call": {"pkg/two.py": "import pkg.one\n\npkg.one.train(data, net)\n"},
    "an import": {"pkg/two.py": "from pkg.one import train\n"},
    "a text": {"pkg/two.py": "x = 'train'\n"},
    "two files": {"pkg/two.py": "x = 'train'\n", "pkg/around_1.py": "y = 'train'\n"},
    "one of two": {"pkg/two.py": "x = 1\n"},
    "the other of two": {"pkg/around_1.py": ""},
    "another name": {"pkg/two.py": "x = 'Manager'\n"},
    "its own file": {"pkg/one.py": f"{ONE}\n\nwork = train\n"},
    "a comment in it": {"pkg/one.py": f"# train\n{ONE}"},
    "another function": {"pkg/one.py": f"{ONE}\n\n{LATER}"},
    "a function less": {"pkg/one.py": ONE},
    "a method of its name in its own file": {"pkg/one.py": f"{ONE}\n\ndef work(self):\n    self.early(1)\n"},
    "it": {
        "pkg/one.py": f"{ONE}\n\ndef work(self):\n    self.early(1)\n\n\n{LATER.replace('later', 'early')}"
    },
    "an operator": {"pkg/one.py": f"{ONE}\n\n{SCALE}"},
    "a mention of it": {"pkg/two.py": "x = 'scale'\n"},
    "a loop that is none of steps": {"pkg/one.py": ONE.replace("loss.backward()", "pass")},
    "what is no longer said": {"pkg/two.py": "x = 1\n"},
    "two functions": {"pkg/one.py": f"{ONE}\n\n{LATER}\n\n{SCALE}"},
    "one of them": {"pkg/one.py": f"{ONE}\n\n{SCALE}"},
    "other options": {"pkg/one.py": f"{ONE}\n\n{SCALE}\n\ndef f(x, a=0):\n    if a:\n        train(x, a)\n"},
    "the first state": {"pkg/one.py": ONE},
    "configurations": {"pkg/two.py": "from hydra.utils import instantiate\n\ninstantiate(settings)\n"},
    "no more of these": {"pkg/two.py": "x = 1\n"},
    "a file more": {"pkg/more.py": "from pkg.one import *\n"},
}


def test_edits_give_what_a_run_without_a_cache_finds(tmp_path: Path) -> None:
    write(tmp_path, AROUND)
    seen = []
    for name, texts in STATES.items():
        write(tmp_path, texts)
        expected = said(tmp_path)
        assert said(tmp_path, tmp_path / ".cache") == expected, name
        alone = said(tmp_path, tmp_path / ".cache", "one.py")
        assert alone["one.py"] == expected["one.py"], name
        seen.append(len(expected["one.py"][0]))  # type: ignore[index]
    assert seen == [0, 2, 2, 2, 2, 2, 0, 1, 3, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 3, 0, 3]


@pytest.mark.parametrize("more", [LATER, SCALE])
def test_no_graph_is_made_of_all_files_for_a_new_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    write(tmp_path, {**AROUND, "pkg/one.py": ONE})
    said(tmp_path, tmp_path / ".cache")
    write(tmp_path, {"pkg/one.py": f"{ONE}\n\n{more}"})
    expected = said(tmp_path)
    monkeypatch.delattr(HeatUpdate, "graph")
    assert said(tmp_path, tmp_path / ".cache") == expected
    write(tmp_path, {"pkg/one.py": ONE})
    assert said(tmp_path, tmp_path / ".cache")["one.py"][0] == []  # type: ignore[index]


@pytest.mark.parametrize("read", ["apply(x)", "of(x)", "size"])
def test_a_class_is_named_where_something_is_read_of_it(tmp_path: Path, read: str) -> None:
    text, why, _ = UNNAMED["an autograd function"]
    uses = f"import pkg.one as one\ndef run(x):\n    return one.Gather.{read}\n"
    (named,) = heat_below(tmp_path, {**AROUND, "pkg/one.py": text, "pkg/two.py": uses})
    assert named == f"pkg/one.py: step: {why}"
