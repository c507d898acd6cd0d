"""Shapes of three origins as others would write them: the right rule speaks, with its fix if it has one."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from rule_cases import lint_project

if TYPE_CHECKING:
    from pathlib import Path


class Case(NamedTuple):
    """A project, and what is to be found in one of its files.

    Attributes:
        name: the spelling.
        files: the texts of its files.
        code: the rule that speaks.
        where: the file, with the text of the line.
        has_fix: whether it brings a fix.
    """

    name: str
    files: dict[str, str]
    code: str
    where: tuple[str, str]
    has_fix: bool


_STATE: Final = """
    from contextlib import contextmanager


    class State:
        enabled = False

        @classmethod
        @contextmanager
        def low(cls, enabled: bool = True):
            old, cls.enabled = cls.enabled, enabled
            try:
                yield
            finally:
                cls.enabled = old


    @contextmanager
    def low_precision(enabled: bool = True):
        \"\"\"The name of before.\"\"\"
        with State.low(enabled=enabled):
            yield
"""
_TRAIN: Final = """
    import torch
    from state import State, low_precision


    def train(model, loader, opt):
        for batch in loader:
            with low_precision(enabled=True):
                loss = model(batch).sum()
            with State.low():
                loss = loss + model(batch).mean()
            loss.backward()
            opt.step()
            opt.zero_grad()


    model = torch.nn.Linear(4, 4)
    train(model, torch.utils.data.DataLoader(torch.ones(8, 4)), torch.optim.SGD(model.parameters(), 0.1))
"""
_METHOD: Final = """
    import contextlib
    from torch import nn


    class Precision:
        def __init__(self):
            self.enabled, self.recipe = False, None

        @contextlib.contextmanager
        def low(self, recipe=None, enabled=True):
            # what was there before
            saved = (self.enabled, self.recipe)
            self.enabled, self.recipe = enabled, recipe
            try:
                yield
            finally:
                self.enabled, self.recipe = saved


    PRECISION = Precision()


    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(4, 4)

        def forward(self, x):
            with PRECISION.low(recipe="delayed"):
                return self.linear(x)
"""
_ASYNC: Final = """
    import asyncio
    from contextlib import asynccontextmanager

    import torch


    class Engine:
        def __init__(self):
            self.model, self.busy = torch.nn.Linear(4, 4), 0

        @asynccontextmanager
        async def slot(self):
            self.busy += 1
            try:
                yield self.model
            finally:
                self.busy -= 1

        async def decode(self, x, steps):
            for _ in range(steps):
                async with self.slot() as model:
                    x = model(x)
            return x


    print(asyncio.run(Engine().decode(torch.ones(1, 4), 10)))
"""
_KEY_FILES: Final = {
    "settings/__init__.py": "",
    "settings/recipe.py": """
        from dataclasses import dataclass


        @dataclass
        class Recipe:
            margin: int = 0
            interval: int = 1
    """,
    "caching/__init__.py": "",
    "caching/keys.py": """
        def key_of(recipe, shape):
            return f"{recipe}/{tuple(shape)}"
    """,
}
_LAYER: Final = """
    import torch
    from caching.keys import key_of
    from settings.recipe import Recipe


    class Linear(torch.nn.Module):
        def __init__(self, recipe: Recipe):
            super().__init__()
            self.recipe, self.kept = recipe, {}

        def forward(self, x):
            USE
"""
_FORWARD_HOOK: Final = """
    import torch


    class Offloader:
        def __init__(self, model: torch.nn.Module):
            self.side = torch.cuda.Stream()
            for layer in model.children():
                layer.register_forward_hook(self.after)

        def after(self, module, args, output):
            done = torch.cuda.Event()
            done.record()
            self.side.wait_event(done)
            with torch.cuda.stream(self.side):
                module.kept = output.detach()
"""
_GRADIENT_HOOK: Final = """
    import torch


    class Reducer:
        def __init__(self, params):
            self.stream, self.events = torch.cuda.Stream(), []
            for p in params:
                p.register_post_accumulate_grad_hook(self.made())

        def made(self):
            def hook(param):
                event = torch.cuda.current_stream().record_event()
                self.stream.wait_event(event)
                self.events.append(event)
            return hook
"""
_PREFETCHER: Final = """
    import torch


    class Prefetcher:
        def __init__(self, loader):
            self.loader, self.stream = iter(loader), torch.cuda.Stream()
            self.preload()

        def preload(self):
            self.next = next(self.loader, None)
            if self.next is None:
                return
            with torch.cuda.stream(self.stream):
                self.next = self.next.cuda(non_blocking=True)
            self.ready = torch.cuda.Event(enable_timing=False)
            self.ready.record(self.stream)

        def __iter__(self):
            while self.next is not None:
                torch.cuda.current_stream().wait_event(self.ready)
                batch = self.next
                self.preload()
                yield batch


    def train(model, loader, opt):
        for batch in Prefetcher(loader):
            model(batch).sum().backward()
            opt.step()
"""


def _layer(use: str) -> dict[str, str]:
    return {**_KEY_FILES, "layer.py": _LAYER.replace("USE", use)}


CASES: Final = [
    Case("method", {"net.py": _METHOD}, "OVH104", ("net.py", "@contextlib.contextmanager"), True),
    Case(
        "classmethod",
        {"state.py": _STATE, "train.py": _TRAIN},
        "OVH104",
        ("state.py", "@contextmanager"),
        True,
    ),
    Case("async method", {"serve.py": _ASYNC}, "OVH104", ("serve.py", "@asynccontextmanager"), False),
    Case(
        "subscript",
        _layer("return x * self.kept.setdefault(key_of(self.recipe, x.shape), 2)"),
        "OVH201",
        ("layer.py", "return x * self.kept"),
        False,
    ),
    Case(
        "name and test",
        _layer(
            "key = key_of(self.recipe, x.shape)\n            if key not in self.kept:\n"
            "                self.kept[key] = 2\n            return x * self.kept[key]"
        ),
        "OVH201",
        ("layer.py", "key = key_of"),
        False,
    ),
    Case(
        "by keyword",
        _layer("return self.kept.get(key_of(shape=x.shape, recipe=self.recipe), x)"),
        "OVH201",
        ("layer.py", "return self.kept"),
        False,
    ),
    Case("forward hook", {"a.py": _FORWARD_HOOK}, "OVH402", ("a.py", "done = torch.cuda.Event()"), True),
    Case("gradient hook", {"a.py": _GRADIENT_HOOK}, "OVH402", ("a.py", "event = torch"), False),
    Case("prefetcher", {"a.py": _PREFETCHER}, "OVH402", ("a.py", "self.ready = torch"), False),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_other_spelling_of_an_origin_is_found(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {name: textwrap.dedent(text).lstrip() for name, text in case.files.items()}
    name, line = case.where
    for other in files:
        (tmp_path / other).parent.mkdir(exist_ok=True)
    found = lint_project(case.code, tmp_path, {"pyproject.toml": "", **files}, name)
    lines = files[name].splitlines()
    wanted = [at for at, text in enumerate(lines, 1) if text.strip().startswith(line)]
    assert sorted(one.span.line for one in found) == wanted
    assert all((one.fix is not None) is case.has_fix for one in found)
