"""`overhead_lint.runtime`, which is `overhead_runtime` by its first name."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
from typing import Any

import pytest
from warm_python import python

import overhead_lint.runtime
import overhead_runtime


def test_both_packages_have_the_same_objects() -> None:
    assert overhead_lint.runtime.__all__ == overhead_runtime.__all__
    for name in overhead_runtime.__all__:
        assert getattr(overhead_lint.runtime, name) is getattr(overhead_runtime, name), name


def _modules() -> list[str]:
    found = pkgutil.walk_packages(overhead_runtime.__path__, "overhead_runtime.")
    return [module.name.removeprefix("overhead_runtime.") for module in found]


@pytest.mark.parametrize("name", [*_modules()])
def test_each_module_is_the_same_by_both_names(name: str) -> None:
    old = importlib.import_module(f"overhead_lint.runtime.{name}")
    new = importlib.import_module(f"overhead_runtime.{name}")
    assert old is new
    assert (new.__name__, new.__spec__ and new.__spec__.name) == (f"overhead_runtime.{name}",) * 2


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"overhead_lint\.runtime\.nothing"):
        importlib.import_module("overhead_lint.runtime.nothing")
    with pytest.raises(ImportError, match="nothing"):
        exec("from overhead_lint.runtime import nothing")


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("", "no_grad"),
        ("", "autocast"),
        ("", "const_tensor"),
        (".amp", "ReentrantAutocast"),
        (".keys", "CachedRepr"),
        (".global_state", "GlobalState"),
        (".ranges", "record"),
        ("._dispatch.stats", "CompileStats"),
    ],
)
def test_pickles_with_old_names_load(module: str, name: str) -> None:
    """In a process that has imported neither."""
    old = f"coverhead_lint.runtime{module}\n{name}\n."
    code = """
import pickle, sys
found = pickle.loads(sys.argv[3].encode())
import importlib
print(found is getattr(importlib.import_module(sys.argv[1]), sys.argv[2]))
"""
    done = python("-c", code, f"overhead_runtime{module}", name, old)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_new_pickles_name_the_small_distribution() -> None:
    for value in (overhead_runtime.autocast("cpu"), overhead_runtime.no_grad(), overhead_runtime.autocast):
        data: Any = pickle.dumps(value)
        assert b"overhead_runtime" in data
        assert b"overhead_lint" not in data
