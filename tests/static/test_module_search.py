"""Where names that are imported are looked for: neighbours, folders above, two names of a package."""

from __future__ import annotations

from pathlib import Path

from project_cases import heat, heat_below, loop_over


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
