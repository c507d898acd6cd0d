"""What is found depends on no order: of files, of work, or of what is hashed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {
    # Names that files use of each other in a circle, and kinds that hang on each other.
    "library/__init__.py": """
        from library.layers import Block, Stack
        from library.tools import read, scale, score
        """,
    "library/layers.py": """
        import torch
        from library import tools

        class Base(torch.nn.Module):
            gain = 1.0

            def forward(self, x):
                return self.body(x)

            def body(self, x):
                return tools.scale(x, self.gain)

        class Left(Base):
            def body(self, x):
                if tools.score(x) > 0.5:
                    return x
                return super().body(x)

        class Right(Base):
            def body(self, x):
                return torch.cat([tools.read(x), x.to("cuda").float()])

        class Block(Left, Right):
            def __init__(self, width=8, log=None):
                super().__init__()
                self.limit = torch.tensor(width)
                self.log = log

            def forward(self, x):
                if self.log:
                    self.log(f"{x.mean().item()}")
                if x.sum() > self.limit:
                    return Stack(self)(x)
                return super().forward(x)

        class Stack(torch.nn.ModuleList):
            def forward(self, x):
                for index in range(len(self)):
                    x = self[index](x)
                return x
        """,
    "library/tools.py": """
        import torch
        from library import layers, writing

        def scale(x, by):
            writing.note(x)
            return back(x) * torch.tensor(by)

        def back(x):
            return scale(x, 1) if x.dim() > 4 else x

        def score(x):
            return x.std().item()

        def read(x):
            return x.cpu() if isinstance(x, torch.Tensor) else layers.Block()(x)
        """,
    "library/writing.py": """
        import torch
        from library.tools import score

        class Writer:
            def __init__(self, every=0):
                self.every = every
                self.last = None

            def step(self, x):
                self.last = x
                if self.every and score(self.last):
                    print(self.last.item())
                torch.cuda.synchronize()

        WRITER = Writer()

        def note(x):
            WRITER.step(x)
        """,
    # Programs that run the same functions in steps: the reason for heat names one of them.
    **{
        f"examples/train_{name}.py": f"""
        import torch
        from library import Block, Stack, read, score
        from library.writing import Writer

        def main(loader, epochs=3):
            model, writer = {model}, Writer({every})
            optimizer = torch.optim.Adam(model.parameters())
            for epoch in range(epochs):
                for batch in loader:
                    with torch.autocast("cuda"):
                        loss = model(batch.cuda()).mean()
                    loss.backward()
                    optimizer.step()
                    writer.step(loss)
                    {call}(loss)

        if __name__ == "__main__":
            main([torch.ones(3)])
        """
        for name, model, every, call in (
            ("one", "Block(4)", "", "score"),
            ("two", "torch.compile(Stack([Block()]))", "10", "read"),
            ("three", "Block(log=print)", "every=epochs", "score"),
        )
    },
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name, text in SOURCES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = text.strip("\n").splitlines()
        path.write_text("\n".join(line[8:] for line in lines) + "\n", encoding="utf-8")
    shutil.copytree(
        ROOT / "examples" / "legacy_trainer", folder / "trainer", ignore=lambda *_: {"pyproject.toml"}
    )
    return folder


def found(project: Path, seed: int, work: str = "files") -> bytes:
    """All that is found, with reasons and fixes, in an order of work that a number tells."""
    command: list[str | Path] = [sys.executable, Path(__file__).with_name("shuffled.py"), str(seed), work]
    command += ["check", "--isolated", "--no-cache", "-j", "1", "--preview", "--min-heat", "presumed"]
    command += ["--output-format", "json", "."]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(command, cwd=project, capture_output=True, check=False, env=environment)
    assert done.returncode == 1, done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module")
def first(project: Path) -> bytes:
    return found(project, 0)


def test_the_project_has_something_to_find_everywhere(first: bytes) -> None:
    findings = json.loads(first)
    assert {one["path"].split("/")[0] for one in findings} == {"library", "examples", "trainer"}
    assert len({one["code"] for one in findings}) >= 10
    assert any(one["fix"] for one in findings)
    assert any(" -> " in one["why"] for one in findings), "heat that came from another file"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_order_of_files_and_rules_gives_the_same_bytes(
    project: Path, first: bytes, seed: int
) -> None:
    assert found(project, seed) == first


@pytest.mark.parametrize("seed", [4, 5])
def test_where_heat_begins_makes_no_difference_but_to_the_caller_that_is_named(
    project: Path, first: bytes, seed: int
) -> None:
    """Of callers that make a function as hot, the first in the order of files is named; blocks go by it."""
    told = [json.loads(one) for one in (first, found(project, seed, "heat"))]
    for finding in (*told[0], *told[1]):
        del finding["why"], finding["chain"], finding["told_by"]
    assert told[0] == told[1]
