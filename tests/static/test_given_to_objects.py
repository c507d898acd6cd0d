"""What hangs on data that nobody is known to give is presumed, and it counts what objects are called with."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat, loop_over

_NET = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def forward(self, x, labels=None):
            if labels is not None:
                here()
            return x

    class Other(nn.Module):
        def forward(self, x, labels):
            return x

    class Around(nn.Module):
        def __init__(self, inner):
            self.inner = inner

        def forward(self, *values, **named):
            return self.inner(*values, **named)

    class Whole(nn.Module):
        def __init__(self):
            self.net = Net()
            self.nets = nn.ModuleList([Net() for _ in range(3)])
            self.other = Other()
            self.loss = nn.CrossEntropyLoss()
            self.copies = nn.DataParallel(Net())
            self.compiled = torch.compile(Net())
            self.around = Around(Net())

        def forward(self, x, labels=None):
            {inner}
            return self.net(x)
    """
_INNER = "self.other(x, 1)"

CALLED = {
    "with nothing": (_INNER, "model(batch)", "presumed"),
    "with its default": (_INNER, "model(batch, labels=None)", "presumed"),
    "with a keyword": (_INNER, "model(batch, labels=batch)", "step"),
    "with a variable of the name": (_INNER, "model(batch, labels)", "step"),
    "with whatever a mapping holds": (_INNER, "model(**batch)", "step"),
    "by its method": (_INNER, "model.forward(batch, labels=batch)", "step"),
    "by another name of the module": (_INNER, "trainer.net(batch, labels=batch)", "step"),
    "as one of many": ("for net in self.nets:\n                net(x, x)", "model(batch)", "loop"),
    "as an object of the class": ("self.net(x, x)", "model(batch)", "step"),
    "as an object of the class, with what the caller got": (
        "self.net(x, labels)",
        "model(batch)",
        "presumed",
    ),
    "with what the caller got and somebody gives": ("self.net(x, labels)", "model(batch, labels=1)", "step"),
    "as an object of another class": ("self.other(x, labels=x)", "model(batch)", "presumed"),
    "through a wrapper of the library": ("self.copies(x, labels=x)", "model(batch)", "step"),
    "as what is compiled": ("self.compiled(x, labels=x)", "model(batch)", "step"),
    "through a wrapper": ("self.around(x, labels=x)", "model(batch)", "step"),
    "as one of the library": ("self.loss(x, labels=x)", "model(batch)", "presumed"),
    "a function of a library": ("nn.functional.nll_loss(x, labels=x)", "model(batch)", "presumed"),
    "a method": (_INNER, "batch.to(labels=batch)", "presumed"),
}


@pytest.mark.parametrize("name", CALLED)
def test_what_an_object_is_called_with_is_given_to_its_forward(tmp_path: Path, name: str) -> None:
    inner, call, expected = CALLED[name]
    sources = {"net.py": _NET.format(inner=inner), "train.py": loop_over(call, "labels = load()")}
    (found,) = heat(tmp_path, sources)
    assert found.startswith(f"net.py: {expected}: ")


def test_a_mapping_that_a_model_is_given_holds_data_and_no_flags(tmp_path: Path) -> None:
    net = _NET.format(inner=_INNER).replace(
        "labels=None):\n            if labels is not None", "deep=False):\n            if deep", 1
    )
    for call, heat_there in (("model(**batch)", "presumed"), ("model(batch, deep=batch)", "step")):
        (found,) = heat(tmp_path, {"net.py": net, "train.py": loop_over(call)})
        assert found.startswith(f"net.py: {heat_there}: Net.forward"), call


def test_a_setting_that_is_handed_to_a_model_is_no_data(tmp_path: Path) -> None:
    net = _NET.format(inner=_INNER).replace(
        "labels=None):\n            if labels is not None", "deep=False):\n            if deep", 1
    )
    for default, heat_there in (("False", "presumed"), ("True", "step"), ("load()", "step")):
        head = f"parser.add_argument('--deep', default={default})\nargs = parser.parse_args()"
        (found,) = heat(
            tmp_path, {"net.py": net, "train.py": loop_over("model(batch, deep=args.deep)", head)}
        )
        assert found.startswith(f"net.py: {heat_there}: Net.forward"), default


def test_keywords_that_a_caller_hands_on_are_not_known_to_give_anything(tmp_path: Path) -> None:
    run = "def run(model, x, **more):\n    return model(x, **more)\n"
    (found,) = heat(tmp_path, {"net.py": _NET.format(inner=_INNER), "run.py": run})
    assert found.startswith("net.py: presumed: ")


_APPLIED = """
    import torch

    class Loss(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, target, group=None):
            if group is not None:
                here()
            return x

    class Layer(torch.nn.Module):
        def __init__(self, group=None):
            self.group = group
        def forward(self, x):
            {call}
    """


@pytest.mark.parametrize(
    ("call", "made", "expected"),
    [
        ("Loss.apply(x, 1, self.group)", "Layer()", "cold"),
        ("Loss.apply(x, 1, self.group)", "Layer(batch)", "step"),
        ("Loss.apply(x, 1)", "Layer()", "cold"),
        ("Loss.apply(x, 1, x)", "Layer()", "step"),
        ("run(Loss.apply)", "Layer()", "step"),
    ],
)
def test_what_apply_is_given_is_for_the_forward_of_an_autograd_function(
    tmp_path: Path, call: str, made: str, expected: str
) -> None:
    train = loop_over(f"{made}(batch); model(batch, batch, batch, group=batch)", "from layer import Layer")
    found = heat(tmp_path, {"layer.py": _APPLIED.format(call=call), "train.py": train})
    assert [one.split(": ")[1] for one in found] == [expected]


_OFFERED = {
    "pkg/__init__.py": "from pkg.layer import Layer, attend",
    "pkg/layer.py": """
        from torch import nn

        class Layer(nn.Module):
            def __init__(self, remap=None):
                self.remap = remap

            def forward(self, x):
                if self.remap is not None:
                    here()
                return attend(x)

        def attend(x, mask=None):
            if mask is not None:
                here()
            return x
        """,
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Layer()(batch)", ["presumed", "presumed"]),
        ("Layer(table)(batch)", ["step", "presumed"]),
        ("attend(batch, mask=batch)", ["presumed", "step"]),
        ("attend(*batch)", ["presumed", "step"]),
        ("run(batch, attend)", ["presumed", "step"]),
    ],
)
def test_what_users_may_give_is_presumed_unless_the_project_gives_it(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    found = heat(tmp_path, {**_OFFERED, "pkg/train.py": loop_over(text, "from pkg import Layer, attend")})
    assert [one.split(": ")[1] for one in found] == expected


def test_of_a_file_alone_nobody_knows_what_others_give(tmp_path: Path) -> None:
    (found,) = heat(tmp_path, {"net.py": _NET.format(inner=_INNER)})
    assert found.startswith("net.py: step: ")


def test_a_class_whose_base_nobody_knows_is_called_by_its_forward(tmp_path: Path) -> None:
    text = """
        from elsewhere import Base

        class Net(Base):
            def forward(self, x, labels=None):
                if labels is not None:
                    here()

        def run(loader):
            net = Net()
            for batch in loader:
                batch.loss.backward()
                net(batch, {labels})
        """
    others = {"other.py": "import torch\n"}
    for labels, expected in (("batch", "step"), ("", "presumed")):
        (found,) = heat(tmp_path, {"net.py": text.format(labels=labels), **others})
        assert found.startswith(f"net.py: {expected}: "), labels
