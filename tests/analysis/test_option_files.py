"""What settings files say, whatever they are written in."""

from __future__ import annotations

import json

import pytest

from overhead_lint.analysis.graph.option import ARGUMENT, ATTRIBUTE, ENTRY, Default, Option, ValueKind
from overhead_lint.analysis.options.reading import shipped_in
from overhead_lint.analysis.options.shipped import ShippedValues, asked
from overhead_lint.analysis.options.tables import UNKNOWN
from overhead_lint.analysis.options.yaml import yaml_leaves

YAML = {
    "plain scalars": (
        "a: true\nb: no\nc: ~\nd:\ne: 0\nf: 1.5e-3\ng: some text # why\nh: On\n",
        {"a": True, "b": False, "c": None, "d": None, "e": 0.0, "f": 0.0015, "g": "some text", "h": True},
    ),
    "quotes": ("a: 'true'\nb: \"x # y\" # z\n'c d': 1\n", {"a": "true", "b": "x # y", "c d": 1.0}),
    "blocks in blocks": (
        "model:\n  ema:\n    use: false\n    decay: 0.9\n  deep: true\nlr: 1\n",
        {
            "model": UNKNOWN,
            "model.ema": UNKNOWN,
            "model.ema.use": False,
            "model.ema.decay": 0.9,
            "model.deep": True,
            "lr": 1.0,
        },
    ),
    "a list at the column of its key": (
        "hooks:\n- name: a\n  on: false\n-\n  name: b\nlast: true\n",
        {"hooks": UNKNOWN, "hooks.name": "b", "hooks.on": False, "last": True},
    ),
    "a list of words is not a key": ("a:\n  - b\n  - c\nd: 1\n", {"a": UNKNOWN, "d": 1.0}),
    "braces": (
        "a: {use: false, b: {c: 1, d: [x, {e: off}]}}\nf: []\n",
        {
            "a": UNKNOWN,
            "a.use": False,
            "a.b": UNKNOWN,
            "a.b.c": 1.0,
            "a.b.d": UNKNOWN,
            "a.b.d.e": False,
            "f": UNKNOWN,
        },
    ),
    "braces over lines": (
        "a: {use: false, # why\n    deep: yes}\nb: 1\n",
        {"a": UNKNOWN, "a.use": False, "a.deep": True, "b": 1.0},
    ),
    "a block of text": ("a: |\n  use: true\n  more: 1\nb: false\n", {"a": UNKNOWN, "b": False}),
    "what only a run knows": (
        "a: ${b.c}\nd: ???\ne: !!python/object:os.system [x]\nf: *g\nh: {{ i }}\n",
        dict.fromkeys("adefh", UNKNOWN),
    ),
    "an anchor": ("a: &x\n  b: false\nc: &y 3\n", {"a": UNKNOWN, "a.b": False, "c": 3.0}),
    "two documents": ("a:\n  b: 1\n---\nc: 2\n", {"a": UNKNOWN, "a.b": 1.0, "c": 2.0}),
    "no settings": ("just\nsome: text: here\n\t- :\n", None),
}


@pytest.mark.parametrize("name", YAML)
def test_yaml_is_read_as_far_as_it_says_constants(name: str) -> None:
    text, expected = YAML[name]
    found = {".".join(path): value for path, value in yaml_leaves(text)}
    assert expected is None or found == expected


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "a: " + "{a: " * 1_000, "{" * 5_000, "a:\n" + " a:\n" * 1_000, "- " * 10_000 + "a: 1"],
)
def test_what_is_nested_without_end_is_read_in_the_end(text: str) -> None:
    for suffix in (".yaml", ".json", ".toml"):
        shipped_in(text, suffix)


FILES = {
    ".yaml": "ema:\n  use: false\ntrain-deep: null\n",
    ".json": json.dumps({"ema": {"use": False}, "train-deep": None}),
    ".toml": "[ema]\nuse = false\n",
}


@pytest.mark.parametrize("suffix", FILES)
def test_all_kinds_of_files_say_the_same(suffix: str) -> None:
    found = shipped_in(FILES[suffix], suffix)
    off = int(ValueKind.FALSE), ""
    assert {(".use", *off), ("ema.use", *off)} <= {*found}
    assert (suffix == ".toml") or (".train_deep", int(ValueKind.UNSET), "") in found


@pytest.mark.parametrize("suffix", FILES)
def test_what_is_damaged_says_nothing(suffix: str) -> None:
    assert shipped_in("}{ \0 ] = ", suffix) == ()


def test_an_attribute_is_what_files_have_below_the_key_that_it_is_asked_of() -> None:
    shipped = shipped_in("ema:\n  use: false\namp:\n  use: true\n", ".yaml")
    values = ShippedValues(asked(shipped, {"use"}))
    off, on = Default(int(ValueKind.FALSE)), Default(int(ValueKind.TRUE))
    assert values.of(Option(ATTRIBUTE, "self.cfg.ema", "use")) == [off]
    assert values.of(Option(ENTRY, "config.amp", "use")) == [on]
    assert sorted(values.of(Option(ATTRIBUTE, "self.cfg", "use"))) == [off, on]


@pytest.mark.parametrize(
    ("text", "default", "other"),
    [
        ("deep: false", "False", False),
        ("deep: true", "False", True),
        ("deep: ${x}", "False", True),
        ("deep: 0.3", "0.1", True),
        ("deep: null", "None", False),
        ("wide: true", "False", False),
    ],
)
def test_a_file_with_another_value_turns_an_option_on(text: str, default: str, other: bool) -> None:
    values = ShippedValues(asked(shipped_in(text, ".yaml"), {"deep"}))
    assert values.has_other(Option(ARGUMENT, ".Net.__init__", "deep", default)) is other
