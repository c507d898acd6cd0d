"""What makes a place hot is asked of a value, and of nothing that was written for readers."""

from __future__ import annotations

import ast
import marshal
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from heat_cases import warmths_of

from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.api.reason_texts import gate_text
from overhead_lint.project.facts import FileFacts
from overhead_lint.project.packed_warmths import packed_warmth, unpacked_warmth
from overhead_lint.rule import Gate, GateKind, Heat, Place, Repeated, Warmth

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("class A(nn.Module):\n def forward(self):\n  here()", ReasonKind.MODULE),
        ("class A(torch.autograd.Function):\n def backward(ctx, g):\n  here()", ReasonKind.AUTOGRAD),
        ("class A(torch.optim.Optimizer):\n def step(self):\n  here()", ReasonKind.OPTIMIZER),
        ("def f(*given):\n here()\nmodel.register_forward_hook(f)", ReasonKind.HOOK),
        ("class A(torch.utils.data.Dataset):\n def __getitem__(self, at):\n  here()", ReasonKind.DATA),
        (
            "class PadCollator:\n def __call__(self, rows):\n  here()\n  return torch.stack(rows)",
            ReasonKind.DATA,
        ),
        ("for batch in loader:\n here()", ReasonKind.LOOP),
        ("def f(queue):\n while True:\n  x = queue.get()\n  here()\n  queue.task_done()", ReasonKind.QUEUE),
        ("def training_step(batch):\n here()", ReasonKind.OTHER),
        ("def f():\n here()", ReasonKind.OTHER),
    ],
)
def test_kinds_of_reasons(text: str, kind: ReasonKind) -> None:
    (warmth,) = warmths_of(text + "\nimport torch.utils.data\n" if kind is not ReasonKind.LOOP else text)
    assert warmth.kind is kind, warmth


def test_a_word_alone_makes_a_step_only_of_what_no_library_calls_by_it() -> None:
    text = """
        import torch
        def train_step(batch): ...
        def training_step(batch): ...
        @torch.compile
        def inner_step(batch): ...
        class Model:
            def forward_batch(self, batch): ...
            def backward(self, loss): ...
    """
    functions = FileFacts(ast.parse(textwrap.dedent(text)), "m.py").summary.functions
    assert {one.name for one in functions if one.by_word} == {".train_step", ".Model.forward_batch"}
    assert {one.name for one in functions if one.hot and not one.by_word} == {
        *(".training_step", ".inner_step", ".Model.backward")
    }


def test_data_sets_that_ask_a_model_are_no_reason_to_leave_the_device_out() -> None:
    text = """
        class A(torch.utils.data.Dataset):
            def __getitem__(self, at):
                return self.{name}(at)
            def {name}(self, at):
                here()
    """
    kinds = [warmths_of(text.format(name=name))[0].kind for name in ("read_one", "predict")]
    assert kinds == [ReasonKind.DATA, ReasonKind.OTHER]


@pytest.mark.parametrize(("bases", "kind"), [("", ReasonKind.DATA), ("(nn.Module)", ReasonKind.OTHER)])
def test_what_generates_asks_a_model_if_it_may_be_one(bases: str, kind: ReasonKind) -> None:
    (warmth,) = warmths_of(
        f"""
        class Features{bases}:
            def generate(self, at):
                here()
        class A(torch.utils.data.Dataset):
            def __init__(self):
                self.features = Features()
            def __getitem__(self, at):
                return self.features.generate(at)
        """
    )
    assert warmth.kind is kind


@pytest.mark.parametrize("heat", list(Heat))
@pytest.mark.parametrize("kind", list(ReasonKind))
def test_heat_is_the_same_after_it_was_kept(heat: Heat, kind: ReasonKind) -> None:
    warmth = Warmth(heat, "m.py:1 loop", kind, repeated=Repeated.LOOP_OF_ITS_OWN)
    packed = packed_warmth(*warmth)
    assert [type(part) for part in packed] == [int, str]
    assert unpacked_warmth(*packed) == warmth
    assert unpacked_warmth(*packed).kind is kind


def test_the_chain_is_made_of_its_places_where_it_is_told() -> None:
    names = [".f", ".A.<locals 3>.g", ".h*", ".i", ".j", ".k"]
    loop, *rest = [Place("m.py", "", 1), *(Place("m.py", name) for name in names)]
    warmth = Warmth(Heat.LOOP, "m.py:1 loop", places=(loop, *rest[:3]), repeated=Repeated.LOOP)
    assert (warmth.why, warmth.links) == ("m.py:1 loop -> f -> A.<locals>.g -> h, in a loop", 4)
    warmth = Warmth(Heat.STEP, "m.py:1 loop", places=(loop, *rest))
    assert (warmth.why, warmth.links) == ("m.py:1 loop -> f -> ... -> i -> j -> k", 6)
    assert unpacked_warmth(*packed_warmth(*warmth)) == warmth


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("for i, x in enumerate(loader):\n if i % 100 == 0:\n  here()", Gate(GateKind.EVERY, "i", "100", 2)),
        ("def f(x):\n if x is None:\n  here()\n  raise ValueError", Gate(GateKind.ERROR, line=2)),
        (
            "def f(self):\n if self.kept is None:\n  self.kept = here()",
            Gate(GateKind.MISSING, "self.kept", line=2),
        ),
        ("def f(rank):\n if rank == 0:\n  here()", Gate(GateKind.RANK, "rank", "0", 2)),
        ("def f(key):\n if key not in known:\n  known[key] = here()", Gate(GateKind.MISS, "known", line=2)),
        ("def f(x):\n return x\n here()", Gate(GateKind.NEVER, line=2)),
    ],
)
def test_what_a_place_is_behind_is_told_in_parts(text: str, gate: Gate) -> None:
    (warmth,) = warmths_of(text)
    assert (warmth.heat, warmth.gate) == (Heat.COLD, gate)


@pytest.mark.parametrize("kind", list(GateKind))
def test_every_gate_has_words_and_is_the_same_after_it_was_kept(kind: GateKind) -> None:
    gate = Gate(kind, "self.kept", "log_every", 3)
    assert gate_text(gate).endswith(" (line 3)")
    warmth = Warmth(Heat.COLD, "", gate=gate)
    packed = packed_warmth(*warmth)
    assert unpacked_warmth(*marshal.loads(marshal.dumps(packed))) == warmth
    assert warmth.why == gate_text(gate)


def _readings(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield where the text of a reason for heat is asked for what it says."""

    def is_reason(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr == "why" and "warm" in ast.unparse(node.value)

    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(map(is_reason, (node.left, *node.comparators))):
            yield node
        if isinstance(node, ast.Call) and any(map(is_reason, node.args)):
            called = node.func
            if isinstance(called, ast.Attribute) and called.attr in {"match", "search", "fullmatch"}:
                yield node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_reason(node.func.value):
            yield node
        if isinstance(node, ast.Subscript) and is_reason(node.value):
            yield node


@pytest.mark.parametrize("folder", ["overhead_lint", "rules", "pytest_overhead"])
def test_no_reason_for_heat_is_read_again(folder: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"  # type: ignore[attr-defined]
        for file in (ROOT / folder).rglob("*.py")
        for text in (file.read_text(encoding="utf-8"),)
        if ".why" in text
        for node in _readings(ast.parse(text))
    ]
    assert not found


def test_readings_are_seen() -> None:
    texts = (
        "x = LINK in warmth.why",
        "x = warmth.why.count(LINK)",
        "x = finding.warmth.why.startswith(A)",
        "x = PATTERN.fullmatch(ctx.warmth(node).why)",
        "x = warmth.why[:4]",
    )
    assert [len(list(_readings(ast.parse(text)))) for text in texts] == [1] * len(texts)
