"""Trials of several classes, one `isinstance` for each: forms, what the fix gives, what looks alike."""

from __future__ import annotations

import itertools

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

HEADER = "import torch\nfrom torch import nn\nKINDS = (int, str)"


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        ("any(isinstance(x, c) for c in KINDS)", "isinstance(x, KINDS)", Applicability.SAFE),
        ("any(isinstance(x, c) for c in (int,))", "isinstance(x, (int,))", Applicability.SAFE),
        ("any(isinstance(x, c) for c in [int, str])", "isinstance(x, (int, str))", Applicability.SAFE),
        ("any(isinstance(x, c) for c in ())", "isinstance(x, ())", Applicability.SAFE),
        ("all(not isinstance(x, c) for c in KINDS)", "not isinstance(x, KINDS)", Applicability.SAFE),
        ("any(isinstance(x.a, c) for c in KINDS)", "isinstance(x.a, KINDS)", Applicability.UNSAFE),
        (
            "any(isinstance(x, c) for c in self.kinds)",
            "isinstance(x, tuple(self.kinds))",
            Applicability.UNSAFE,
        ),
        ("any(isinstance(x, c) for c in [*KINDS])", "isinstance(x, tuple([*KINDS]))", Applicability.UNSAFE),
        ("any(isinstance(x, c) for c in f())", "isinstance(x, tuple(f()))", Applicability.UNSAFE),
        ("any([isinstance(x, c) for c in KINDS])", "isinstance(x, KINDS)", Applicability.UNSAFE),
        (
            "any(isinstance(x, c) for c in (nn.Linear, int | str, (int, type(None))))",
            "isinstance(x, (nn.Linear, int | str, (int, type(None))))",
            Applicability.SAFE,
        ),
        ("any(isinstance(x, c) for c in (self.kind,))", "isinstance(x, (self.kind,))", Applicability.UNSAFE),
        ("any(isinstance(x, c) for c in (int, x[0]))", "isinstance(x, (int, x[0]))", Applicability.UNSAFE),
        ("isinstance(x, tuple(KINDS))", "isinstance(x, KINDS)", Applicability.SAFE),
        ("issubclass(x, tuple(KINDS))", "issubclass(x, KINDS)", Applicability.SAFE),
    ],
)
def test_trial_of_classes_is_rewritten(before: str, after: str, applicability: Applicability) -> None:
    text = forward(f"return {before}", header=HEADER)
    (finding,) = lint("OVH609", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    assert f"return {after}\n" in fix("OVH609", text)


def test_a_class_body_hides_its_names_from_the_trial() -> None:
    text = forward(
        "class Local:\n    x = 1\n    found = any(isinstance(x, c) for c in (int, str))", header=HEADER
    )
    (finding,) = lint("OVH609", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


def test_another_function_called_type_may_do_anything_to_what_is_tested() -> None:
    text = forward(
        "def type(_): return x\nreturn any(isinstance(x, c) for c in (int, type(None)))", header=HEADER
    )
    (finding,) = lint("OVH609", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize("value", [1, "a", 1.5, None, True])
@pytest.mark.parametrize(
    ("classes", "form"),
    list(
        itertools.product(
            ["KINDS", "(int,)", "[int, str]", "()", "[(int, str), float]"],
            ["any(isinstance(x, c) for c in {})", "all(not isinstance(x, c) for c in {})"],
        )
    ),
)
def test_rewritten_trial_gives_the_same_answer(value: object, classes: str, form: str) -> None:
    before = forward(f"return ({form.format(classes)}) == 1", header=HEADER)
    after = fix("OVH609", before, unsafe=False)
    assert after != before
    answers = []
    for text in (before, after):
        names: dict[str, object] = {}
        exec(text, names)
        answers.append(names["Net"].forward(None, value))  # type: ignore[attr-defined]
    assert answers[0] is answers[1]


@pytest.mark.parametrize(
    "expression",
    [
        "any(isinstance(c, x) for c in KINDS)",
        "any(isinstance(x, c) for c in KINDS if c)",
        "any(isinstance(x, c) for k in KINDS for c in k)",
        "any(isinstance(x, c.kind) for c in KINDS)",
        "any(isinstance(c, c) for c in KINDS)",
        "any(isinstance(x[c], c) for c in KINDS)",
        "any(issubclass(x, c) for c in KINDS)",
        "any(not isinstance(x, c) for c in KINDS)",
        "all(isinstance(x, c) for c in KINDS)",
        "sum(isinstance(x, c) for c in KINDS)",
    ],
)
def test_other_trials_are_silent(expression: str) -> None:
    assert lines("OVH609", forward(f"return {expression}", header=HEADER)) == []


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("isinstance(x, tuple(LISTED))", True),
        ("any(isinstance(x, c) for c in LISTED)", True),
        ("isinstance(x, tuple(self.kinds))", False),
        ("isinstance(x, tuple(x))", False),
        ("issubclass(type(x), tuple(package.KINDS))", True),
        ("isinstance(x, tuple(kind(k) for k in KINDS))", False),
        ("isinstance(x, tuple([int, str]))", False),
        ("isinstance(x, KINDS)", False),
        ("self.isinstance(x, tuple(KINDS))", False),
    ],
)
def test_tuple_of_classes_that_is_made_for_each_trial(expression: str, found: bool) -> None:
    header = f"{HEADER}\nimport package\nLISTED = [int, str]"
    findings = lint("OVH609", forward(f"return {expression}", header=header))
    assert bool(findings) is found
    assert all(finding.fix is None for finding in findings)


@pytest.mark.parametrize("name", ["any", "isinstance"])
def test_shadowed_builtins_are_silent(name: str) -> None:
    text = forward(f"{name} = self.other\nreturn any(isinstance(x, c) for c in KINDS)", header=HEADER)
    assert lines("OVH609", text) == []
