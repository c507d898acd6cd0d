"""Small projects that are edited at random: a run with a cache says what one without says after each edit."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Final

import pytest
from project_cases import others

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

EDITS: Final = 12
OPTIONS: Final = ("flag", "mode", "relative")
METHODS: Final = ("run", "step", "extra", "forward")
PASSED: Final = (
    *("True", "False", "flag=True", "mode=True", "relative=x", "flag=False", "flag=flag", "mode=not mode"),
)
KEPT: Final = frozenset({"__init__", "exp", "item", "print", "sum", *METHODS})
"""Names of what is called whose arguments stay, or are of methods that definitions begin with."""
HEAD: Final = "import functools\nimport torch\nfrom torch import nn\n"
TRAIN: Final = "train"


class Project:
    """Files whose definitions have names of their own, and import those of each other that they use.

    Args:
        seed: of all that is chosen.
        steady: whether files import all that there is, and only what they call is edited.
    """

    def __init__(self, seed: int, *, steady: bool = False) -> None:
        self._steady = steady
        self._random = random.Random(seed)
        self._made = 0
        self._home: dict[str, str] = {}
        self.classes: list[str] = []
        self.functions: list[str] = []
        self.files: dict[str, list[str]] = {}
        for number in range(self._random.randint(3, 5)):
            name = f"m{number}"
            self.files[name] = []
            self.files[name] += [self._new(name) for _ in range(self._random.randint(1, 3))]
        self.files[TRAIN] = [self._loop(), self._loop()]

    def _one(self, of: tuple[str, ...] | list[str]) -> str:
        return self._random.choice(of) if of else "object"

    def _happens(self, share: float) -> bool:
        return self._random.random() < share

    def _name(self, kinds: tuple[str, ...]) -> str:
        self._made += 1
        return f"{self._one(kinds)}{self._made}"

    def _new(self, home: str) -> str:
        """A definition of a new name."""
        is_class = self._happens(0.6)
        name = self._name(("small_", "Net", "kept_") if is_class else ("f", "helper_"))
        text = self._class(name) if is_class else self._function(name)
        (self.classes if is_class else self.functions).append(name)
        self._home[name] = home
        return text

    def _passed(self, first: str = "", share: float = 0.1) -> str:
        given = self._one(PASSED) if self._happens(share) else ""
        return ", ".join(filter(None, (first, given)))

    def _object(self) -> str:
        return f"{self._one(self.classes)}({self._passed()})"

    def _call(self) -> str:
        callee = f"{self._object()}.{self._one(METHODS)}" if self._happens(0.5) else self._one(self.functions)
        given = self._object() if self._happens(0.2) else "x"
        return f"{callee}({self._passed(given)})"

    def _options(self) -> str:
        return "".join(
            f", {one}={self._one(('False', 'None', '0'))}" for one in OPTIONS if self._happens(0.4)
        )

    def _body(self, indent: str, own: bool) -> str:
        tests = [*OPTIONS, "not flag", "relative is not None", *(f"self.{one}" for one in OPTIONS if own)]
        lines = []
        for _ in range(self._random.randint(1, 3)):
            on_parameter = f"x.{self._one(METHODS)}(x)"
            done = self._one((self._call(), on_parameter, "print(torch.exp(x).sum().item())"))
            lines += [f"if {self._one(tests)}:", f"    {done}"] if self._happens(0.5) else [f"x = {done}"]
        if self._happens(0.2):
            lines += ["for x in (x, x):", f"    {self._call()}", "    yield torch.exp(x)"]
        elif self._happens(0.1):
            lines.append(f"yield from {self._call()}")
        else:
            lines.append(self._one(("return torch.exp(x)", f"return {self._call()}", "return x")))
        return "".join(f"{indent}{line}\n" for line in lines)

    def _function(self, name: str) -> str:
        decorator = self._one(("", "", "", "", "@torch.compile\n", "@functools.cache\n"))
        return f"{decorator}def {name}(x{self._options()}):\n{self._body('    ', own=False)}"

    def _class(self, name: str) -> str:
        base = self._one(self.classes) if self._happens(0.7) else self._one(("object", "nn.Module"))
        text = f"class {name}({base}):\n    size = 3\n"
        if self._happens(0.3):
            options = self._options() or ", flag=False"
            text += f"    def __init__(self{options}):\n        super().__init__()\n"
            text += "".join(f"        self.{one} = {one}\n" for one in OPTIONS if f" {one}=" in options)
        for method in METHODS:
            if self._happens(0.35):
                text += f"    def {method}(self, x{self._options()}):\n{self._body('        ', own=True)}"
        return text

    def _loop(self) -> str:
        calls = "".join(f"        {self._call()}\n" for _ in range(2))
        last = self._one((self._call(), f"next({self._call()})", f"for x in {self._call()}: pass"))
        return f"def {self._name(('train_',))}(loader):\n    for x in loader:\n{calls}        {last}\n"

    def _spoken_of(self) -> str:
        """A statement that hands something on, keeps it, or sets an option of it."""
        cls, function = self._one(self.classes), self._one(self.functions)
        return self._one(
            (
                f"TABLE = {{'a': {function} }}\n",
                f"made = {cls}({self._passed()})\nmade.{self._one(OPTIONS)} = True\n",
                f"NAMES = ['{cls}']\n",
                f"fast = torch.compile({function})\n",
                f"hand({self._one((cls, function))})\n",
                f"object().register_forward_hook({function})\n",
            )
        )

    def edit(self) -> None:
        """Change one or two files, so that they still are Python."""
        for _ in range(self._random.choice((1, 1, 1, 2))):
            name = self._one(tuple(self.files))
            before = list(self.files[name])
            self._change(name, self.files[name])
            try:
                compile("\n".join(self.files[name]), "", "exec")
            except SyntaxError:
                self.files[name] = before

    def _change(self, name: str, blocks: list[str]) -> None:
        at, kind = self._random.randrange(len(blocks)), self._random.random() * (0.5 if self._steady else 1)
        if kind < 0.4:
            blocks[at] = self._with_other_call(blocks[at])
        elif kind < 0.5:
            blocks[at] = self._with_other_lines(blocks[at])
        elif kind < 0.6:
            blocks[at] = self._with_other_head(blocks[at])
        elif kind < 0.7:
            blocks.insert(at, self._loop() if name == TRAIN else self._new(name))
        elif kind < 0.8 and len(blocks) > 1:
            del blocks[at]
        elif kind < 0.9:
            blocks.insert(at, self._spoken_of())
        else:
            blocks[at] = self._with_other_options(blocks[at])

    def _with_other_call(self, block: str) -> str:
        """A block with a call that passes something else, or with another call."""
        head, _, body = block.partition(":\n")
        calls = [one for one in re.finditer(r"\b(\w+)\((x?)[^()]*\)", body) if one[1] not in KEPT]
        if not calls:
            return block
        call = self._random.choice(calls)
        if self._happens(0.8):
            now = f"{call[1]}({self._passed(call[2], share=0.6)})"
        else:
            now = self._call() if call[2] else self._object()
        return f"{head}:\n{body[: call.start()]}{now}{body[call.end() :]}"

    def _with_other_lines(self, block: str) -> str:
        """A block with a line more, a line less, or a line that runs in a loop."""
        lines = block.splitlines(keepends=True)
        at = self._random.randrange(len(lines))
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        if indent and self._happens(0.3):
            del lines[at]
        elif indent and self._happens(0.4):
            lines.insert(
                at, f"{indent}for batch in {self._one(('loader', 'range(3)', 'range(3)', self._call()))}:\n"
            )
            lines[at + 1] = f"    {lines[at + 1]}"
        elif indent:
            handed = self._one(self.functions)
            handing = f"hand({handed})", f"hand(x, callback={handed})"
            called = self._one((self._call(), self._call(), *handing, "x.handle.remove()"))
            lines.insert(at, f"{indent}{called}\n")
        return "".join(lines)

    def _with_other_head(self, block: str) -> str:
        """A block with another base or decorator."""
        if block.startswith("class "):
            return re.sub(r"\(\w[\w.]*\):", f"({self._one((*self.classes, 'nn.Module'))}):", block, count=1)
        if block.startswith("@"):
            return block.partition("\n")[2]
        return f"@{self._one(('torch.compile', 'functools.cache', 'torch.no_grad()'))}\n{block}"

    def _with_other_options(self, block: str) -> str:
        lines = block.splitlines(keepends=True)
        at = self._random.randrange(len(lines))
        before, found, _ = lines[at].partition("(x")
        if found and "def " in before:
            lines[at] = f"{before}(x{self._options()}):\n"
        return "".join(lines)

    def write(self, folder: Path) -> None:
        """Write the files that are others than before, with the imports that they need."""
        for name, blocks in self.files.items():
            body = "\n".join(blocks)
            own = [one for one in self._home if f"class {one}(" in body or f"def {one}(" in body]
            imports = "".join(
                f"from {home} import {one}\n"
                for one, home in self._home.items()
                if home != name
                and one not in own
                and (self._steady or any(f"{one}{end}" in body for end in "() "))
            )
            text, path = f"{HEAD}{imports}\n{body}", folder / f"{name}.py"
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")


LINTER: Final = Linter(packs.select(packs.load(), ["OVH404"], []), Settings())


def graph_of(cache: Path) -> tuple[object, object]:
    """The graph that a cache holds, and the files that it was made of."""
    file = Cache(cache, "key").graphs.read()
    assert file is not None
    return file.states, (file.held, [bytes(part) for part in file.parts])


def said(folder: Path, cache: Cache | None = None) -> dict[str, object]:
    """All findings of a project, the heat of all its functions, and what its files are told."""
    files.forget()
    targets = others(folder)
    workspace = Workspace(folder, targets, others, lambda: Examiner(lambda target: LINTER), cache=cache)
    found: dict[str, object] = {}
    for target in targets:
        found[target.path.name] = sorted((workspace.warmths(target.path) or {}).items())
        found[f"{target.path.name}: told"] = workspace.told(target.path)
        found[f"{target.path.name}:"] = [(one.span, one.warmth) for one in workspace.findings(target)]
    workspace.save()
    return found


@pytest.mark.parametrize("steady", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_after_any_edit_a_cached_run_says_what_a_cold_one_says(
    tmp_path: Path, seed: int, steady: bool
) -> None:
    project, cache = Project(seed, steady=steady), tmp_path / ".cache"
    project.write(tmp_path)
    assert said(tmp_path, Cache(cache, "key")) == said(tmp_path)
    for number in range(EDITS):
        project.edit()
        project.write(tmp_path)
        fresh = tmp_path / f".cache{number}"
        assert said(tmp_path, Cache(cache, "key")) == said(tmp_path, Cache(fresh, "key")), number
        kept, anew = graph_of(cache), graph_of(fresh)
        assert kept == anew or kept[0] != anew[0], number  # else functions came that stand for themselves


def test_after_an_edit_that_hands_over_another_instance_calls_lead_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(
        "def shared(net, x):\n    net.part(x)\n\n\ndef other(net):\n    return net\n"
    )
    parts = "    def part(self, x):\n        print(torch.exp(x).sum().item())\n"
    nets = "".join(f"class {name}(nn.Module):\n{parts}" for name in ("One", "Two"))
    (tmp_path / "nets.py").write_text(f"{HEAD}{nets}")
    cache = tmp_path / ".cache"
    states = {
        "shared(One(), x)": {"One"},
        "shared(Two(), x)": {"Two"},
        "other(Two())": set(),
        "shared(Two(), x); shared(One(), x)": {"One", "Two"},
        "shared(x, x)": set(),
        "shared(net=One(), x=x)": {"One"},
    }
    for number, (call, hot) in enumerate([*states.items(), *states.items()]):
        loop = f"def train(loader):\n    for x in loader:\n        {call}\n"
        (tmp_path / "train.py").write_text(
            f"from nets import One, Two\nfrom shared import other, shared\n{loop}"
        )
        now = said(tmp_path, Cache(cache, "key"))
        assert now == said(tmp_path, Cache(tmp_path / f".cache{number}", "key")), call
        warm = dict(now["nets.py"])  # type: ignore[call-overload]
        assert {name for name in ("One", "Two") if "loop over loader" in warm[f".{name}.part"].why} == hot


def test_a_hook_of_another_file_that_takes_itself_away_is_no_step(tmp_path: Path) -> None:
    (tmp_path / "register.py").write_text(
        "from watching import Watch, watch\n\n\ndef attach(model, handles):\n"
        "    handles.append(model.register_forward_hook(watch))\n"
        "    handles.append(model.register_forward_hook(Watch(handles).first))\n"
    )
    cache = tmp_path / ".cache"
    bodies = {
        "pass": True,
        "handle.remove()": False,
        "handle.remove() if output else None": True,
        "print(output); handle.remove()": False,
    }
    for number, (body, is_hot) in enumerate([*bodies.items(), *bodies.items()]):
        (tmp_path / "watching.py").write_text(
            f"{HEAD}\n\ndef watch(module, inputs, output):\n    {body}\n"
            "    print(torch.exp(output).sum().item())\n\n\n"
            f"class Watch:\n    def first(self, module, inputs, output):\n        {body}\n"
        )
        now = said(tmp_path, Cache(cache, "key"))
        assert now == said(tmp_path, Cache(tmp_path / f".cache{number}", "key")), body
        warm = dict(now["watching.py"])  # type: ignore[call-overload]
        for name in (".watch", ".Watch.first"):
            assert ("is a hook registered on line" in warm[name].why) == is_hot, (name, body)
