"""Rules on modules that hot code walks or asks for attributes, and on contexts around it."""

from __future__ import annotations

import textwrap

import pytest
from page_runs import outcome
from rule_cases import fix, forward, lines, lint

INIT = "self.proj = nn.Linear(2, 2)\nself.scale = nn.Parameter(torch.ones(1))\nself.model = nn.Sequential()"


@pytest.mark.parametrize(
    "line",
    [
        "y = list(self.parameters())",
        "y = dict(self.model.named_modules())",
        "y = [p for p in self.proj.buffers()]",
        "for y in self.modules(): pass",
        "y = model.state_dict()",
        "self.model.eval()",
        "model.train(False)",
        "self.model = self.model.train(flag)",
        "y = self.model.eval()",
        "self.model.eval(); self.proj.train() if y else None",
        "self.model.eval(); self.model.eval()",
        "for _ in range(2): self.model.train(); y = self.model(x); self.model.eval()",
        "self.apply(reset)",
        "y = sum(p.numel() for _, p in anything.named_parameters())",
    ],
)
def test_walks_over_a_module_are_found(line: str) -> None:
    assert set(lines("OVH607", forward(f"model = self.model\n{line}\nreturn x", init=INIT))) == {13}


@pytest.mark.parametrize(
    ("default", "given", "found"),
    [("False", "self.saves", 0), ("True", "self.saves", 1), ("False", "True", 1), ("False", "other", 1)],
)
def test_what_only_recomputing_takes_is_no_walk_without_it(default: str, given: str, found: int) -> None:
    text = f"""
import torch
from torch import nn
class Block(nn.Module):
    def __init__(self, saves={default}):
        super().__init__()
        self.saves = saves
    def forward(self, x, other):
        return checkpoint(self.run, (x,), self.parameters(), {given})
"""
    assert len(lint("OVH607", text)) == found


@pytest.mark.parametrize(
    "line",
    [
        "y = self.proj.parameters(recurse=False)",
        "y = self.config.modules()",
        "y = self.table.buffers()",
        "y = self.optimizer.state_dict()",
        "y = self.frame.eval('a + b')",
        "y = x.state_dict()",
        "y = Function.apply(x)",
        "y = self.frame.apply(reset)",
        "self.model.apply()",
        "if not self.model.training: self.model.train()",
        "if self.training: self.eval()",
        "self.model.train(); y = self.model(x); self.model.eval()",
        "self.model.train(); y = self.model(x); self.model.train(mode=False)",
        "if y: self.model.eval(); y = self.model(x); self.model.train()",
        "self.model.train(x, 3, 0.1)",
        "y = self.model.train(self.options)",
        "y = inspect.signature(x).parameters",
        "y = parameters()",
        "y = list(self.center_loss.parameters())",
        "y = lambda: self.parameters()",
    ],
)
def test_other_objects_and_guarded_changes_of_mode_are_silent(line: str) -> None:
    found = lines("OVH607", forward(f"{line}\nreturn x", init=INIT))
    assert found == [] or "lambda" in line


@pytest.mark.parametrize(
    ("base", "call", "found"),
    [
        ("nn.Module", 'self.get_parameter("scale")', 1),
        ("nn.Module", 'self.get_submodule(target="proj")', 1),
        ("nn.Module", 'self.get_parameter(self.scales, "x")', 0),
        ("Transform", 'self.get_parameter("scale")', 0),
    ],
)
def test_looking_parts_up_by_name_is_found_in_modules_alone(base: str, call: str, found: int) -> None:
    text = f"""
        import torch
        from torch import nn

        class Transform:
            pass

        class Noise({base}):
            def forward(self, x):
                return {call}

        def train(loader, noise: Noise, model, opt):
            for x in loader:
                model(noise.forward(x)).sum().backward()
                opt.step()
        """
    assert len(lines("OVH607", textwrap.dedent(text))) == found


def test_a_mode_that_another_branch_sets_is_told_of() -> None:
    body = "if x.any():\n    self.model.eval()\nelse:\n    self.model.train()\nreturn self.model(x)"
    assert len(lines("OVH607", forward(body, init=INIT))) == 2


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("actor.parameters()", 1),
        ("actor.named_parameters()", 1),
        ("other.parameters()", 0),
        ("actor.parameters(signature)", 0),
    ],
)
def test_what_is_asked_for_its_parameters_is_a_module(asked: str, found: int) -> None:
    walk = f"\n\ndef walk(actor, other):\n    return {asked}\n"
    text = forward("actor.train()\nreturn x", init=INIT) + walk
    assert len([line for line in lines("OVH607", text) if line < 16]) == found


@pytest.mark.parametrize(
    ("expression", "after"),
    [
        ("next(self.parameters()).dtype", "self.proj.weight.dtype"),
        ("next(iter(self.proj.parameters())).device", "self.proj.weight.device"),
        ("(p := next(self.parameters())).dtype", "(p := self.proj.weight).dtype"),
        ("next(self.model.parameters()).dtype", ""),
        ("next(self.parameters(), None).device", "self.proj.weight.device"),
        ("self.parameters().__next__().device", "self.proj.weight.device"),
        ("self.model.parameters().__next__().device", ""),
        ("next(self.parameters(), None)", ""),
        ("next(self.parameters()).sum()", ""),
        ("(p := next(self.parameters())).dtype, p", ""),
        ("next(self.named_parameters())[1].dtype", ""),
        ("next(self.buffers()).dtype", ""),
        ("next(self.modules()).device", ""),
        ("next(m.parameters()).dtype", ""),
        ("next(self.parameters() or x)", ""),
    ],
)
def test_first_parameter_is_named_where_it_is_known(expression: str, after: str) -> None:
    text = forward(f"m = self.model\nreturn {expression}", init=INIT)
    assert lines("OVH607", text) == [13]
    assert fix("OVH607", text, unsafe=False) == text
    expected = text.replace(expression, after) if after else text
    assert fix("OVH607", text) == expected


@pytest.mark.parametrize(("use", "is_fixed"), [("p.device, p.dtype", True), ("p.device, p", False)])
def test_first_parameter_with_a_name_is_named_if_only_its_place_is_asked_for(
    use: str, is_fixed: bool
) -> None:
    text = forward(f"p = next(self.parameters())\nreturn {use}", init=INIT)
    assert ("p = self.proj.weight\n" in fix("OVH607", text)) is is_fixed


def test_parameter_of_the_module_itself_is_named_too() -> None:
    text = forward(
        "return x.to(next(self.parameters()).dtype)", init="self.scale = nn.Parameter(torch.ones(1))"
    )
    assert "x.to(self.scale.dtype)" in fix("OVH607", text)


WALKS = """\
import torch
from torch import nn

norms = []


def train(model, optimizer, batches, other=None):
    for epoch in range(2):
        for x in batches:
            optimizer.zero_grad()
            model(x).square().sum().backward()
{body}
            optimizer.step()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
train(model, torch.optim.SGD(model.parameters(), lr=0.1), [torch.ones(4, 2), torch.zeros(4, 2)])
result = norms, [p.tolist() for p in model.parameters()]
"""


@pytest.mark.parametrize(
    "body",
    [
        "norms.append(float(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)))",
        "for p in model.parameters():\n    norms.append(float(p.grad.sum()))",
        "norms.append(sum(float(p.grad.sum()) for p in model.parameters()))\n"
        "torch.nn.utils.clip_grad_value_(parameters=model.parameters(), clip_value=0.1)",
        "norms.append(len(list(model.parameters())))",
    ],
)
def test_parameters_that_a_loop_walks_are_listed_once_above_it(body: str) -> None:
    text = WALKS.format(body=textwrap.indent(body, " " * 12))
    after = fix("OVH607", text)
    assert fix("OVH607", text, unsafe=False) == text
    assert "    model_parameters = list(model.parameters())\n    for epoch in" in after
    assert (
        after.count("model.parameters()") == text.count("model.parameters()") - body.count("parameters()") + 1
    )
    assert outcome(after) == outcome(text)


@pytest.mark.parametrize(
    "body",
    [
        "norms.append(next(model.parameters()))",
        "other(model.parameters())",
        "norms.append(model.parameters())",
        "torch.nn.utils.clip_grad_norm_(model.parameters(recurse=True), 1.0)",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\nmodel.extra = nn.Linear(1, 1)",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\nmodel[0].add_module('extra', other)",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\nmodel = other(model)",
        "for model in (other, model):\n    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
    ],
)
def test_parameters_that_may_be_others_in_the_next_round_are_walked_again(body: str) -> None:
    text = WALKS.format(body=textwrap.indent(body, " " * 12))
    assert fix("OVH607", text) == text


LOOP = "for row in x:\n    {}\nreturn x"


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("x = x + self.scale", "scale = self.scale | x = x + scale"),
        ("x = x * self.scale + self.scale", "scale = self.scale | x = x * scale + scale"),
        ("x = self.proj(self.proj(x))", "proj = self.proj | x = proj(proj(x))"),
        ("x = [y * self.scale for y in row]", "scale = self.scale | x = [y * scale for y in row]"),
        ("scale = self.scale", "scale_ = self.scale | scale = scale_"),
        ("x = f'{self.scale}'", ""),
    ],
)
def test_registered_tensors_are_bound_before_the_loop(body: str, after: str) -> None:
    text = forward(LOOP.format(body), init=INIT)
    (finding,) = lint("OVH608", text)
    assert bool(finding.fix) is bool(after)
    new = [line.strip() for line in fix("OVH608", text).splitlines() if line not in text.splitlines()]
    assert " | ".join(new) == after


@pytest.mark.parametrize(
    "body",
    [
        "x = self.proj(x)",
        "self.scale = x * self.scale",
        "del self.scale; x = self.scale",
        "x = self.limit * x",
        "x = self.limit * x + self.limit * self.limit",
        "x = self.model(x) * self.scale",
        "model = self.model; x = model(x) * self.scale",
        "x = self.unknown(x) * self.scale",
        "x = (lambda y: y * self.scale)(x)",
        "x = other.scale * x",
    ],
)
def test_other_reads_are_silent(body: str) -> None:
    assert lines("OVH608", forward(LOOP.format(body), init=INIT)) == []


def test_of_nested_loops_the_outer_one_is_told_of() -> None:
    body = "for rows in x:\n    for row in rows:\n        x = x * self.scale + self.scale\nreturn x"
    assert lines("OVH608", forward(body, init=INIT)) == [14]


def test_compiled_loops_are_silent() -> None:
    text = forward(LOOP.format("x = x + self.scale"), init=INIT)
    assert lines("OVH608", text.replace("    def forward", "    @torch.compile\n    def forward")) == []


@pytest.mark.parametrize(
    ("loop", "found"),
    [
        ("for i in range(3):", []),
        ("for i in range(4):", [13]),
        ("for i in (1, 2, 3):", []),
        ("for i in (1, 2, 3, 4):", [13]),
    ],
)
def test_short_loops_are_silent(loop: str, found: list[int]) -> None:
    text = forward(f"{loop}\n    x = x * self.scale\nreturn x", init=INIT)
    assert lines("OVH608", text) == found


def test_while_test_counts_and_inner_loops_are_part_of_the_outer_one() -> None:
    body = "while x.sum() < self.scale:\n    for row in x:\n        x = x + self.proj(row)\nreturn x"
    text = forward(body, init=INIT)
    assert lines("OVH608", text) == [12]
    assert "proj = self.proj" in fix("OVH608", text) and "scale = self.scale" in fix("OVH608", text)


GATED = """
    import torch
    from torch import nn


    class Gate(nn.Module):
        def __init__(self, is_open):
            super().__init__()
            self.is_open = is_open
            {init}

        def set_up(self):
            self.register_buffer("gain", torch.full((2,), 2.0))
            {more}

        def forward(self, rows):
            total = torch.zeros(2)
            for row in rows:
                {body}
            return total


    rows = torch.arange(8.0).view(4, 2)
    results = [Gate(is_open)(rows).tolist() for is_open in (True, False)]
    results.append(Gate(False)(rows[:0]).tolist())
    """


@pytest.mark.parametrize(
    ("init", "more", "body", "is_fixed"),
    [
        ("self.set_up()", "", "total = total + row * self.gain", True),
        ("self.set_up()", "", "total = total + (row * self.gain if self.is_open else row)", True),
        (
            "if is_open: self.set_up()",
            "",
            "total = total + (row * self.gain if self.is_open else row)",
            False,
        ),
        (
            "for _ in range(is_open): self.set_up()",
            "",
            "total += row * (self.gain if self.is_open else 1)",
            False,
        ),
        ("self.set_up()", "if self.is_open: return", "total = total + row * self.gain", True),
        ("self.set_up()", "", "self.set_up(); total = total + row * self.gain", False),
        ("self.set_up()", "self.gain += 1", "self.set_up(); total = total + row * self.gain", False),
        (
            "self.set_up()",
            "setattr(self, 'gain', self.gain + 1)",
            "total += row * self.gain; self.set_up()",
            False,
        ),
        ("self.set_up()", "", "total += row * self.gain; setattr(self, 'gain', total + 1)", False),
    ],
)
def test_what_may_be_missing_or_replaced_is_read_where_it_was(
    init: str, more: str, body: str, is_fixed: bool
) -> None:
    pytest.importorskip("torch")
    text = textwrap.dedent(GATED.format(init=init, more=more, body=body))
    assert len(lines("OVH608", text)) == 1
    fixed = fix("OVH608", text)
    assert ("gain = self.gain\n        for row in rows:" in fixed) is is_fixed
    assert _results(fixed) == _results(text)


def _results(program: str) -> object:
    names: dict[str, object] = {}
    exec(program, names)  # the test's own text
    return names["results"]


@pytest.mark.parametrize(
    "item",
    [
        "torch.backends.cudnn.flags(enabled=False)",
        "flags(enabled=False)",
        "attention.sdpa_kernel(k)",
        "torch.random.fork_rng() if x else y",
        "t.device('cpu')",
        "torch._dynamo.config.patch(a=1)",
    ],
)
def test_configuration_contexts_under_any_name(item: str) -> None:
    header = "import torch, torch as t\nfrom torch import nn\nfrom torch.backends.cudnn import flags"
    text = forward(f"with {item} as a, y:\n    return x", header=f"{header}\nfrom torch.nn import attention")
    assert lines("OVH109", text) == [10]


@pytest.mark.parametrize(
    "line",
    [
        "device = torch.device('cpu')",
        "with self.flags(): pass",
        "torch.random.fork_rng",
        "with config.patch(a=1): pass",
    ],
)
def test_other_uses_of_their_names_are_silent(line: str) -> None:
    assert lines("OVH109", forward(f"{line}\nreturn x")) == []


@pytest.mark.parametrize(
    ("context", "body", "found"),
    [
        ("torch.cuda.device(x.device)", "y = x.sum()", True),
        ("torch.cuda.device(x.get_device())", "y = torch.sum(x, 0)", True),
        ("torch.cuda.device_of(x)", "y = x.sum()", True),
        ("torch.cuda.device(x.device.index)", "y = torch.ones(2)", False),
        ("torch.cuda.device(x.device)", "y = x", False),
        ("torch.cuda.device(x.device)", "y = self.kernel(x)", False),
        ("torch.cuda.device(x.device)", "y = kernel[(1,)](x)", False),
        ("torch.cuda.device(x.device)", "y = x.cuda()", False),
        ("torch.cuda.device(x.device)", "y = torch.ops.pack.kernel(x)", False),
        ("torch.cuda.device(self.device)", "y = x.sum()", False),
        ("torch.cuda.device(0)", "y = x.sum()", False),
    ],
)
def test_device_context_is_redundant_around_operators_only(context: str, body: str, found: bool) -> None:
    text = forward(f"with {context}:\n    {body}\nreturn x")
    assert bool(lines("OVH110", text)) is found


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("self.model.cpu()", 0),
        ("self.model.to('cpu')", 0),
        ("self.model.to(device='cpu')", 0),
        ("self.proj.cpu()", 1),
        ("self.model.to(x.device)", 2),
        ("y.cpu()", 1),
    ],
)
def test_a_module_that_is_moved_back_to_the_host_is_not_where_it_is_moved_to(after: str, count: int) -> None:
    text = forward(f"self.model.to(x.device)\ny = self.model(x)\n{after}\nreturn y", init=INIT)
    assert len(lint("OVH607", text)) == count
