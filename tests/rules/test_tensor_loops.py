"""Rules for loops over tensors and patterns: forms, values before and after, what looks alike."""

from __future__ import annotations

import importlib
import itertools

import pytest
import torch
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

_einsum = importlib.import_module("overhead_lint.rules.tensors._einsum")  # no path that mypy follows
plain_form, view_form = _einsum.plain_form, _einsum.view_form


def value(text: str, x: torch.Tensor) -> torch.Tensor:
    names: dict[str, object] = {}
    exec(text, names)
    result = names["Net"].forward(None, x)  # type: ignore[attr-defined]
    assert isinstance(result, torch.Tensor)
    return result


@pytest.mark.parametrize(
    ("body", "joined"),
    [
        ("y = x\nfor row in x:\n    y = torch.cat([y, row[None]])\nreturn y", "y = torch.cat(y_parts)"),
        (
            "y = x\nfor row in x:\n    y = torch.cat((y, row[:, None] + y.dim() * 0), -1)\nreturn y",
            "",
        ),
        (
            "y = x\nfor i in range(9):\n    y = torch.cat((x[:, :1] * i, y), dim=-1)\nreturn y",
            "y = torch.cat(y_parts[::-1], dim=-1)",
        ),
        (
            "y = x\nfor i in range(9):\n    if i % 2:\n        y = torch.hstack([y, x])\nreturn y",
            "y = torch.hstack(y_parts)",
        ),
        (
            "y = x\ni = 0\nwhile i < 5:\n    i += 1\n    y = torch.cat([y, x])\nreturn y",
            "y = torch.cat(y_parts)",
        ),
        (
            "y = x\nfor i in range(5):\n    for j in range(4):\n        y = torch.cat([y, x])\nreturn y",
            "",
        ),
        ("y = None\nfor i in range(5):\n    y = x if y is None else torch.cat([y, x])\nreturn y", ""),
        (
            "y = None\nfor i in range(5):\n    if y is None:\n        y = x\n    else:\n"
            "        y = torch.cat([y, x])\nreturn y",
            "",
        ),
        ("y = x\nfor i in range(0, 90, 2):\n    y = torch.vstack([y, x, x])\nreturn y", ""),
        ("y = {1: x}\nfor i in range(5):\n    y[1] = torch.cat([y[1], x])\nreturn y[1]", ""),
    ],
)
def test_growth_is_collected_and_joined_once(body: str, joined: str) -> None:
    text = forward(body)
    if "y.dim()" in body:
        assert lines("OVH704", text) == []
        return
    (finding,) = lint("OVH704", text)
    if not joined:
        assert finding.fix is None
        return
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    fixed = fix("OVH704", text)
    assert joined in fixed and lines("OVH704", fixed) == []
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert torch.equal(value(text, x), value(fixed, x))


@pytest.mark.parametrize("name", ["cat", "joined"])
def test_names_of_imports_are_followed(name: str) -> None:
    header = f"import torch\nfrom torch import nn\nfrom torch import cat as {name}"
    body = f"y = x\nfor row in x:\n    y = {name}([y, row])\nreturn y"
    assert f"y = {name}(y_parts)" in fix("OVH704", forward(body, header=header))
    shadowed = f"y = x\nfor {name} in x:\n    y = {name}([y, x])\nreturn y"
    assert lines("OVH704", forward(shadowed, header=header)) == []


@pytest.mark.parametrize(
    "body",
    [
        "y = x\nfor row in x:\n    y = torch.cat([row, row])",
        "y = x\nfor row in x:\n    y = torch.cat([y, y])",
        "y = x\nfor row in x:\n    y = torch.cat([y, f(y)])",
        "y = x\nfor row in x:\n    y = torch.cat([y, row])\n    if len(y) > 3:\n        break",
        "y = x\nfor row in x:\n    y = row\n    y = torch.cat([y, row])",
        "y = {}\nfor i in range(9):\n    y[i] = torch.cat([y[i], x])",
        "for i in range(9):\n    self.y = torch.cat([self.y, x])\n    self.use()",
        "y = x\nfor row in (x, x):\n    y = torch.cat([y, row])",
        "y = x\nfor row in range(2):\n    y = torch.cat([y, x])",
        "y = x\nfor row in reversed((1, 2)):\n    y = torch.cat([y, x])",
        "y = x\nfor row, other in zip([x, x, x], rows):\n    y = torch.cat([y, row])",
        "y = x\ny = torch.cat([y, x])",
        "x = torch.cat([x, x[:1]])\nreturn x",
        "y = x\nfor row in x:\n    y = np.concatenate([y, row])",
        "y = x\nfor row in x:\n    y = torch.stack([y, row])",
        "rows = [y := torch.cat([x, row]) for row in x]",
    ],
)
def test_tensors_that_a_loop_needs_or_makes_anew_are_silent(body: str) -> None:
    assert lines("OVH704", forward(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        "y = x\nfor row in x:\n    y = torch.cat([y, row])\n    if row.any():\n        return y",
        "y = x\nfor row in x:\n    y = torch.cat([y, row])\nelse:\n    z = x",
        "y = x\ny_parts = 1\nfor row in x:\n    y = torch.cat([y, row])",
        "y = x\nfor row in x:\n    y = torch.cat([y, *row])",
        "y = x\nfor row in x:\n    y = torch.cat([y, row], dim=row.dim())",
        "if x.any():\n    y = x\nfor row in x:\n    y = torch.cat([y, row])",
        "y = x\nf = lambda: y\nfor row in x:\n    y = torch.cat([y, row])",
        "global y\ny = x\nfor row in x:\n    y = torch.cat([y, row])",
        "y = x\nfor row in x:\n    with torch.no_grad():\n        y = torch.cat([y, row])",
        "y = x\nfor row in x:\n    if 1:\n        with torch.no_grad(): y = torch.cat([y, row])",
        "y = x\nfor row in x:\n    try:\n        y = torch.cat([y, row])\n    except TypeError: pass",
        "y = x\nfor row in x:\n    from torch import cat\n    y = cat([y, row])",
        "y = x\nfor row in x:\n    try:\n        row.do()\n    finally:\n        y = torch.cat([y, row])",
    ],
)
def test_growth_in_doubtful_places_is_not_fixed(body: str) -> None:
    assert [finding.fix for finding in lint("OVH704", forward(body))] in ([None], [])


@pytest.mark.parametrize(
    ("loops", "found"),
    [
        ("for rows in x:\n    for key in self.keys:", 1),
        ("for rows in x:\n    for key, row in rows.items():", 1),
        ("for rows in x:\n    for key, row in zip(self.keys, self.rows):", 1),
        ("for rows in x:\n    for key in rows:", 0),
        ("for rows in x:\n    for key in self.keys:\n        key = key + rows.name", 0),
        ("for rows in [x]:\n    for key in self.keys:", 0),
        ("if x:\n    for key in self.keys:", 0),
        ("for rows in x:\n    f(y['last'])\n    for key in self.keys:", 0),
    ],
)
def test_entries_of_a_table_grow_in_the_loop_around_that_of_its_keys(loops: str, found: int) -> None:
    choice = (
        "        if key not in y:\n            y[key] = x\n"
        "        else:\n            y[key] = torch.cat([y[key], x])"
    )
    findings = lint("OVH704", forward(f"y = {{}}\n{loops}\n{choice}"))
    assert [finding.fix for finding in findings] == [None] * found


SIZES = dict(zip("abcdefghijklmnopqrstuvwxyz", itertools.count(2)))


@pytest.mark.parametrize(
    "pattern",
    [
        "bij,bjk->bik",
        "bij,bkj->bik",
        "bji,bjk->bik",
        "bij,bjk->bki",
        "ij,jk->ik",
        "bsd,de->bse",
        "bsd,ed->bse",
        "bhqd,bhkd->bhqk",
        "i,j->ij",
        "bd,bd->b",
        "bd,bd->bd",
        "ij->ji",
        "bij->bi",
        "bij->b",
        "bij->j",
        "ij,j->i",
        "bchw->bhwc",
        "nd,md->nm",
        "ji,j->i",
    ],
)
def test_plain_form_gives_what_the_einsum_gives(pattern: str) -> None:
    inputs, _ = pattern.split("->")
    given = [torch.randn([SIZES[letter] for letter in letters]) for letters in inputs.split(",")]
    plain = plain_form(pattern, ["a", "b"][: len(given)], "torch.einsum")
    assert plain
    found = eval(plain, {"torch": torch, "a": given[0], "b": given[-1]})
    torch.testing.assert_close(found, torch.einsum(pattern, *given))
    words = " ".join(pattern.replace("->", ">").replace(",", " , ")).replace(">", "->")
    assert plain_form(words, ["a", "b"][: len(given)], "einops.einsum") == plain


@pytest.mark.parametrize(
    "pattern",
    [
        "ii->i",
        "bhqk,bhkd->bqhd",
        "...ij->...ji",
        "ij,jk,kl->il",
        "ij",
        "bij,bj->bi",
        "ab,cd->abcd",
        "ij,kl->ij",
        "ij->ij",
    ],
)
def test_patterns_that_take_more_than_one_operator_have_no_plain_form(pattern: str) -> None:
    operands = ["a", "b", "c"][: pattern.count(",") + 1]
    assert plain_form(pattern, operands, "torch.einsum") == ""


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("b n d -> n b d", (3, 2, 4)),
        ("b n d -> b (n d)", (2, 12)),
        ("b n d -> (b n) d", (6, 4)),
        ("b n d -> (b n d)", (24,)),
        ("b n d -> b 1 n d", (2, 1, 3, 4)),
        ("b n d -> b n d 1", (2, 3, 4, 1)),
    ],
)
def test_view_form_gives_the_shape_of_the_pattern(pattern: str, expected: tuple[int, ...]) -> None:
    found = eval(view_form(pattern, "x"), {"x": torch.zeros(2, 3, 4)})
    assert found.shape == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "b (h d) -> b h d",
        "b n d -> b d",
        "b n d -> b (d n)",
        "b ... -> ... b",
        "b n -> b n",
        "b 1 -> b",
        "b n d -> (b n) 1 d",
        "b n d -> 1 1 b n d",
        "b n",
        "b n d -> (b) n d",
        "b n d -> b () n d",
    ],
)
def test_other_patterns_have_no_view_form(pattern: str) -> None:
    assert view_form(pattern, "x") == ""


def test_long_operands_are_shown_by_a_letter() -> None:
    body = (
        "for i in range(9):\n    x = torch.einsum('ij,jk->ik', x + 1, self.weights_of_the_first_layer.weight)"
    )
    (finding,) = lint("OVH705", forward(body))
    assert finding.help == "write a @ b"


@pytest.mark.parametrize(
    "body",
    [
        "x = torch.einsum('ij->ji', x)",
        "for i in range(9):\n    x = torch.einsum('ij->ji', *x)",
        "for i in range(9):\n    x = torch.einsum([0, 1], x)",
        "for i in range(9):\n    x = np.einsum('ij->ji', x)",
        "for i in range(9):\n    x = torch.einsum('ij->ji')",
        "for i in range(9):\n    x = torch.einsum()",
    ],
)
def test_other_calls_of_einsum_are_silent(body: str) -> None:
    assert lines("OVH705", forward(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.zeros(4)\nfor i in range(len(x)):\n    y[i] = x[i].sum()",
        "y = torch.zeros(4, 4)\nfor i in range(4):\n    start = max(0, i - 2)\n    y[i, start : i + 1] = 1",
        "y = torch.zeros_like(x)\nfor i in range(4):\n    for j in range(4):\n        y[i, j] = x[j, i]",
        "y = torch.zeros(4)\nfor c in range(n):\n    hit = x == c\n    y[c] = (hit & (x > 0)).sum()",
        "y = torch.zeros(4)\nfor i, k in enumerate(n):\n    y[k] += x[i]",
        "y = torch.zeros(4)\nfor i, k in zip(n, x):\n    if k > 0:\n        y[i] = 1",
        "y = 0\nfor i in range(n):\n    y += F.mse_loss(x[i], x[i + 1])",
        "y = 0\nfor row in x:\n    y += row.norm()",
        "y = []\nfor i in range(n):\n    y.append(x[i] * 2)\nz = torch.stack(y)",
        "y = []\nfor i in range(n):\n    d = (x[:, i] - x).abs()\n"
        "    e: torch.Tensor = d.sum(1)\n    y.append(e)\nz = torch.stack(y)",
        "y = torch.stack([x[i] @ x[i].T for i in range(n)])",
        "y = torch.stack([x[i] for i in n])",
        "y = torch.tensor([x[i] + 1 for i in range(n)])",
        "y = torch.cat([torch.sin(row) for row in x], dim=0)",
        "y = torch.stack([scaled(x[i]) for i in range(n)])",
        "y = torch.zeros_like(x)\nfor i in range(x.shape[0]):\n    y[i] = x[i, k[i]]",
        "y = torch.zeros_like(x)\nfor i in range(n):\n    y[..., i : i + 1] += x[..., i]",
        "y = torch.zeros_like(x)\ncur = 0\nfor i, row in enumerate(k):\n    y[i] = cur\n    cur += len(row)",
    ],
)
def test_loops_over_elements_are_found(body: str) -> None:
    header = "import torch\nfrom torch import nn\nimport torch.nn.functional as F"
    body = body if "scaled" not in body else f"def scaled(row):\n    return row * row.sum()\n{body}"
    assert len(lines("OVH706", forward(body, header=header))) == 1


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.zeros(4)\nfor i in range(3):\n    y[i] = x[i]",
        "y = torch.zeros(4)\nfor i in [5, 6, 7, 8]:\n    y[i] = x[i]",
        "y = torch.zeros(4)\nfor i in range(n):\n    y[i] = y[i - 1] + x[i]",
        "y = torch.zeros(4)\nz = 0\nfor i in range(n):\n    z += x[i]\n    y[i] = z",
        "y = torch.zeros(4)\nfor i in range(n):\n    y[i] = self.layer(x[i])",
        "y = torch.zeros(4)\nfor i in range(n):\n    y[i] = torch.randn(())",
        "y = torch.zeros(4)\nfor i in range(n):\n    y[i, : n[i]] = x[i, : n[i]]",
        "y = torch.zeros(4)\nfor a, b in n:\n    y[a:b] += 1",
        "y = torch.zeros(4)\nz = x * 1\nfor i, n in m:\n    y[i, :n] = 1\n    z[i, :n] = x[i]",
        "y = torch.zeros(4)\nfor i in range(n):\n    y[0] = x[i]",
        "for row, i in zip(x, n):\n    y = torch.zeros_like(row)\n    y[i] = 1.0\n    self.seen += [y]",
        "y = torch.zeros(4)\nfor i in range(n):\n    y[i] = x[i]\n    if y.sum() > 3:\n        break",
        "y = torch.zeros(4)\nfor i in range(n):\n    try:\n        y[i] = x[i]\n    finally:\n        pass",
        "for y in n:\n    for i in range(9):\n        y[i] = i",
        "y = {}\nfor i in range(n):\n    y[i] = x[i] * 2",
        "y = []\nfor i in range(n):\n    y.append(x[i] * 2)",
        "y = []\nfor i in range(n):\n    y += [x[i] * 2]",
        "y = []\nfor i in range(n):\n    y = y + [x[i] * 2]",
        "y = []\nfor i in range(n):\n    y.append(x[i])\nz = torch.stack(y)",
        "y = []\nt = {}\nfor i in range(n):\n    y.append(t[i, k[i]])\nz = torch.stack(y)",
        "y = []\nfor i in range(n):\n    row = x[i]\n    y.append(row)\nz = torch.stack(y)",
        "y = []\nfor i, (h, w) in enumerate(sizes):\n    row = x[i].view(h, w)\n    y.append(row)\n"
        "z = torch.cat(y)",
        "y = torch.stack([self.layer(row) for row in x])",
        "y = torch.stack([row for row in x])",
        "y = torch.stack([x[i, : n[i]] * 2 for i in range(n)])",
        "y = torch.stack([x[i] * 2 for i in range(n) if i])",
        "y = torch.stack([x[i] * x[j] for i in n for j in n])",
        "y = sum(x[i] for i in range(n))",
        "sum = self.sum\ny = sum(x)",
        "y = [x[i] * 2 for i in range(n)]",
        "y = [len(row) for row in (x := n)]",
    ],
)
def test_loops_that_no_operator_replaces_are_silent(body: str) -> None:
    assert lines("OVH706", forward(body)) == []


def test_what_every_step_joins_to_an_attribute_is_copied_again() -> None:
    assert lines("OVH704", forward("self.seen = torch.cat([self.seen, x])")) == [10]
    anew = "self.seen = x * 2\nif x.dim() == 3:\n    self.seen = torch.cat([self.seen, x])"
    assert lines("OVH704", forward(anew)) == []
    assert lines("OVH704", forward(anew.replace("x * 2", "self.seen * 2"))) == [12]
    window = "self.seen = torch.cat([self.seen, x])\nself.seen = self.seen[-9:]"
    assert lines("OVH704", forward(window)) == []
    assert lines("OVH704", forward("pass", init="self.seen = torch.cat([self.seen, self.seen])")) == []


@pytest.mark.parametrize(
    "body",
    [
        "for t in reversed(range(x.size(0))):\n    last = x[t] + 0.9 * last\n    out[t] = last",
        "for t in range(n - 1, -1, -1):\n    last = last * self.g / 2 + x[:, t]\n    kept.append(last)",
        "for t in range(n):\n    d = x[t] - last\n    out[t] = last = last + 0.1 * d",
        "for t in range(n):\n    last = last + x[t]\n    out[t] = last",
        "for t in reversed(range(n)):\n    if t == n - 1:\n        v = x[-1]\n    else:\n"
        "        v = x[t + 1]\n"
        "    last = x[t] + v * last\n    kept.insert(0, last)",
    ],
)
def test_weighted_sums_that_steps_carry_are_told(body: str) -> None:
    text = forward(f"out, kept, last, n = x.clone(), [], 0.0, len(x)\n{body}\nreturn out")
    (finding,) = lint("OVH706", text)
    assert finding.message.startswith("carries a weighted sum")


@pytest.mark.parametrize(
    "body",
    [
        "for t in range(x.size(0)):\n    last = torch.tanh(x[t] + last)\n    out[t] = last",  # not a sum
        "for t in range(x.size(0)):\n    last = x[t] + last * last\n    out[t] = last",
        "for t in range(x.size(0)):\n    last = x[t] / (1 + last)\n    out[t] = last",
        "for t in range(x.size(0)):\n    last = self.other(x[t], last)\n    out[t] = last",
        "for t in range(3):\n    last = x[t] + 0.9 * last\n    out[t] = last",  # three rounds
        "for t in range(x.size(0)):\n    last = self.rows[t] + 0.9 * last\n    kept.append(last)",  # a list's
        "for t in range(x.size(0)):\n    if x[t] > 0:\n        last = x[t] + 0.9 * last\n    out[t] = last",
        "for t in range(x.size(0)):\n    last = x[t] + 0.9 * last\n    self.show(last)\n    out[t] = last",
    ],
)
def test_what_else_steps_carry_is_left_alone(body: str) -> None:
    text = forward(f"out, kept, last, n = x.clone(), [], 0.0, len(x)\n{body}\nreturn out")
    assert lint("OVH706", text) == []


@pytest.mark.parametrize(
    "body",
    [
        "y = x\nfor i in range(4):\n    p = x[i:i + 1]\n"
        "    if i == 0:\n        y = p\n    else:\n        y = torch.cat([y, p])",
        "y = x * 2\nfor i in range(4):\n    p = x * i\n    y = torch.cat([y, p])\n    p += 1",
        "y = x * 2\nfor i in range(4):\n    p = x * i\n    y = torch.cat([y, p])\n    p[0] = 1",
        "y = x * 2\nfor b in self.loader:\n    y = torch.cat([y, b])\n    b.zero_()",
        "y = x * 2\nfor b in self.loader:\n    y = torch.cat([y, b])",
        "y = x * 2\nb = torch.zeros(1, 4)\nfor i in range(4):\n    b.fill_(i)\n    y = torch.cat([y, b])",
        "y = x * 2\nfor i in range(4):\n    p = x * i\n    y = torch.cat([y, p])\n    p.view(-1).add_(1)",
        "y = x * 2\nfor i in range(4):\n    p = x * i\n    q = p[0]\n    y = torch.cat([y, p])\n    q += 1",
        "y = x * 2\nfor i in range(4):\n    p = x * i\n    y = torch.cat([y, p])\n    self.change(p)",
        "y = x * 2\nfor i in range(4):\n    y = torch.cat([y, x[i:i + 1]])\n    x += 1",
        "y = x\nfor i in range(4):\n    y = torch.cat([y, x * i])\n    x += 1",
        "y = x * 2\nif x.sum() > 0:\n    y = None\nfor i in range(4):\n    y = torch.cat([y, x * i])",
        "y = x * 2\ntry:\n    for i in x:\n        y = torch.cat([y, x * i])\nexcept ValueError:\n    pass",
    ],
)
def test_parts_that_may_change_until_the_end_of_the_loop_are_not_collected(body: str) -> None:
    (finding,) = lint("OVH704", forward(f"{body}\nreturn y"))
    assert finding.fix is None


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.zeros(0, 4)\nfor i in range(4):\n    p = x * i\n    y = torch.cat([y, p])",
        "y = x[:1]\nfor i in range(4):\n    y = torch.cat([x[i:i + 1], y])",
        "y = x\nfor row in x:\n    y = torch.cat([y, row[None]], dim=0)",
        "y = torch.zeros(0, 4)\nz = x * 1\nfor i in range(4):\n    y = torch.cat([y, z * i])\n    z += 1",
        "y = torch.zeros(0, 4)\nfor i in range(len(x) - 4):\n    y = torch.cat([y, x])",
    ],
)
def test_collected_parts_give_what_the_loop_gave(body: str) -> None:
    text = forward(f"{body}\nreturn y")
    fixed = fix("OVH704", text)
    assert "y_parts" in fixed
    results = []
    for program in (text, fixed):
        namespace: dict[str, type[torch.nn.Module]] = {}
        exec(program, namespace)  # the test's own text
        results.append(namespace["Net"]()(torch.arange(16.0).view(4, 4)))
    assert torch.equal(*results)
