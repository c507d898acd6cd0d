"""Kinds of values that come from other files: a file is told of them once the project is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kinds_across_cases import HEAD, PACKAGE, found, linter, workspace_of, write

from overhead_lint.cache.store import Cache
from overhead_lint.engine.linter import Linter, Look
from overhead_lint.syntax.source import Source

SEEN = {
    "imported function": "if make_mask(x).any(): pass",
    "re-exported function": "if mask_of(x): pass",
    "star import of a package": "if pkg.make_mask(x): pass",
    "what a function passes on": "if again(x): pass",
    "one place of a tuple": "a, b = pair(x); float(a); float(b)",
    "name of a named tuple": "a = named(x); float(a.mask); float(a.count)",
    "one place of a named tuple": "a, b = named(x); float(a); float(b)",
    "method of an attribute": "if self.helper.mask(x): pass",
    "method of a local instance": "h = Helper(); float(h.mask(x))",
    "method of an annotated instance, overridden": "if base.mask(x): pass",
    "a place of what a method gives": "if base.both(x)[0]: pass",
    "inherited method": "if self.mask(x): pass",
    "attribute of an instance": "if self.helper.table: pass",
    "inherited attribute": "if self.table: pass",
    "property": "if self.state: pass",
    "module of another file": "if self.layer(x): pass",
    "autograd function": "if Double.apply(x): pass",
    "constant": "if TABLE: pass",
    "what a distribution gives": "if spread(x).entropy(): pass",
    "what a distribution holds": "if spread(x).scale: pass",
}
MARKED = {
    "name of a named tuple": "float(a.mask)",
    "one place of a named tuple": "float(b)",
    "one place of a tuple": "float(a)",
    "method of a local instance": "float(h.mask(x))",
}


@pytest.mark.parametrize("name", SEEN)
def test_tensors_of_other_files_are_seen(tmp_path: Path, name: str) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement=SEEN[name])})
    workspace = workspace_of(tmp_path, "train.py")
    expected = MARKED.get(name, SEEN[name].removeprefix("if ").removesuffix(": pass"))
    assert found(workspace, tmp_path / "train.py") == [expected]


UNSEEN = {
    "number": "int(length(x))",
    "number of a constant": "float(LIMIT)",
    "shape of a distribution": "int(spread(x).batch_shape[0])",
    "number by a method": "if base.count(x): pass",
    "attribute": "if self.helper.size: pass",
    "two kinds": "if either(x): pass",
    "something unknown among them": "if unsure(x): pass",
    "array": "array(x).item()",
    "an array's element": "a = array(x); a[0].item()",
    "name that is bound twice": "h = Helper(); h = other(h); float(h.mask(x))",
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_is_no_tensor_in_another_file_is_left_alone(tmp_path: Path, name: str) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement=UNSEEN[name])})
    assert found(workspace_of(tmp_path, "train.py"), tmp_path / "train.py") == []


def test_a_script_is_told_of_a_package_below_src(tmp_path: Path) -> None:
    ops = "import torch\n\ndef norm(x):\n    return torch.exp(x)\n"
    script = """
        from torch.utils.data import DataLoader
        from pkg.ops import norm

        for batch in DataLoader(data):
            if norm(batch):
                pass
    """
    write(tmp_path, {"src/pkg/__init__.py": "", "src/pkg/ops.py": ops, "scripts/train.py": script})
    assert found(workspace_of(tmp_path, "scripts/train.py"), tmp_path / "scripts/train.py") == ["norm(batch)"]


def test_a_file_alone_is_told_nothing(tmp_path: Path) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement="if make_mask(x): array(x).item()")})
    alone = workspace_of(tmp_path, "train.py", alone=True)
    assert found(alone, tmp_path / "train.py") == ["array(x).item()"]


def test_an_edit_of_a_helper_reaches_its_users_and_a_warm_run_stays_warm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement="if make_mask(x): pass")})
    looked: list[str] = []
    look = Linter.look

    def noted(self: Linter, source: Source, *args: object, **named: object) -> object:
        looked.append(source.path.name)
        return look(self, source, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Linter, "look", noted)
    ops, runs = tmp_path / "pkg" / "ops.py", []
    tensor, number = "return x > torch.zeros_like(x)", "return x.shape[0] > int(LIMIT)"
    text = ops.read_text(encoding="utf-8")
    for body in (tensor, tensor, number, number, f"{tensor} ", tensor):
        ops.write_text(text.replace(tensor, body), encoding="utf-8")
        workspace = workspace_of(tmp_path, "train.py", cache=Cache(tmp_path / ".cache", "key"))
        runs.append((found(workspace, tmp_path / "train.py"), tuple(looked)))
        looked.clear()
        workspace.save()
    twice, once = ("train.py", "train.py"), ("train.py",)
    assert runs == [
        (["make_mask(x)"], twice),
        (["make_mask(x)"], ()),
        ([], once),
        ([], ()),
        (["make_mask(x)"], once),
        (["make_mask(x)"], ()),
    ]


def test_a_file_that_asks_for_more_is_told_more(tmp_path: Path) -> None:
    runs = []
    for statement in ("if make_mask(x): pass", "if make_mask(x) or again(x): pass", "if again(x): pass"):
        write(
            tmp_path,
            {**PACKAGE, "train.py": HEAD.format(statement=f"make_mask(x), again(x)\n        {statement}")},
        )
        workspace = workspace_of(tmp_path, "train.py", cache=Cache(tmp_path / ".cache", "key"))
        runs.append(found(workspace, tmp_path / "train.py"))
        workspace.save()
    assert runs == [["make_mask(x)"], ["make_mask(x)"], ["again(x)"]]


def test_only_files_for_which_it_makes_a_difference_are_looked_into_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[str] = []
    looked = Linter.look

    def noted(self: Linter, source: Source, *args: Any, **kwargs: Any) -> Look:
        if kwargs["again"]:
            again.append(f"{source.path.name}: {', '.join(sorted(kwargs['codes']))}")
        return looked(self, source, *args, **kwargs)

    monkeypatch.setattr(Linter, "look", noted)
    write(
        tmp_path,
        {
            **PACKAGE,
            "asks.py": HEAD.format(statement="if make_mask(x): pass"),
            "calls.py": HEAD.format(statement="y = make_mask(x)"),
            "number.py": HEAD.format(statement="if length(x): pass"),
            "known.py": HEAD.format(statement="if torch.exp(x): length(x)"),
        },
    )
    workspace_of(tmp_path, "asks.py", "calls.py", "number.py", "known.py")
    assert again == ["asks.py: OVH404"]


def test_an_editors_text_is_told_of_other_files(tmp_path: Path) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement="pass")})
    workspace = workspace_of(tmp_path)
    path = tmp_path / "train.py"
    source = Source.from_bytes(path, HEAD.format(statement="if make_mask(x): pass").encode())
    workspace.put(source)
    found = linter("OVH404").lint(source, warmths=workspace.warmths(path), told=workspace.told(path))
    assert [one.code for one in found] == ["OVH404"]


def test_what_a_data_set_of_another_file_runs_waits_for_no_device(tmp_path: Path) -> None:
    helper = "import torch\n\ndef total(x: torch.Tensor):\n    return x.sum().item()\n"
    data = """
        import torch
        from pkg.helper import total

        class Clips(torch.utils.data.Dataset):
            def __getitem__(self, i):
                return total(self.clips[i])
    """
    write(tmp_path, {**PACKAGE, "pkg/helper.py": helper, "data.py": data})
    assert found(workspace_of(tmp_path, "pkg/helper.py"), tmp_path / "pkg/helper.py") == []
    model = data.replace("utils.data.Dataset", "nn.Module").replace("__getitem__", "forward")
    write(tmp_path, {"data.py": model})
    assert found(workspace_of(tmp_path, "pkg/helper.py"), tmp_path / "pkg/helper.py") == ["x.sum().item()"]
