"""What expressions may be over the files of a project, and what calls may run."""

from __future__ import annotations

import ast
import gc
import random
from typing import Any

import pytest
from solved_projects import Solved, solved

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.values.elsewhere import Others
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ACCELERATOR,
    DEVICES,
    HOST,
    INT,
    KINDS,
    MODULE,
    NONE_TYPE,
    NUMBER_TYPES,
    OPEN,
    TENSOR,
    TRUTHS,
    UNKNOWN,
    is_certainly,
    names_of,
)
from overhead_lint.analysis.values.linker import Linker
from overhead_lint.analysis.values.project import solve
from overhead_lint.analysis.values.reference import Constant
from overhead_lint.analysis.values.symbols import Body, FunctionSymbol, Instance

NET = """
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self, index):
            super().__init__()
            self.index = index

        def forward(self, hidden):
            return hidden.relu() + self.index

    class Net(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.inner = nn.Linear(size, size)
            self.blocks = nn.ModuleList([Block(at) for at in range(3)])

        def forward(self, x):
            y = self.inner(x)
            for block in self.blocks:
                y = block(y)
            return y

    def main():
        net = Net(8)
        return net(torch.zeros(8, device="cuda"))
"""


def test_modules_give_what_their_forward_gives() -> None:
    project = solved(NET)
    assert project.kinds("m.main") == ["tensor"]
    assert project.kinds("m.Net.forward") == ["tensor"]


def test_parameters_are_what_calls_give() -> None:
    project = solved(NET)
    given = project.values.parameter(project.function("m.Net.forward"), 1)
    assert given.bits & (KINDS | DEVICES) == TENSOR | ACCELERATOR
    index = project.values.parameter(project.function("m.Block.__init__"), 1)
    assert index.bits & KINDS == INT


def test_calls_run_what_they_refer_to() -> None:
    project = solved(NET)
    called = project.callees("m.Net.forward")
    assert [one.order for one in called.functions] == ["m.Block.forward:3"]
    assert called.certain is project.function("m.Block.forward")
    made = project.callees("m.main", 0)
    assert made.classes == (project.cls("m.Net"),)
    assert made.functions == (project.function("m.Net.__init__"),)
    inner = project.callees("m.Net.forward", 0)
    assert [one.path for one in inner.apis] == ["torch.nn.Linear"]


def test_an_attribute_joins_what_all_methods_store() -> None:
    project = solved(
        """
        import torch
        class State:
            def __init__(self):
                self.cache = None
            def fill(self):
                self.cache = torch.ones(3)
            def get(self):
                return self.cache
        """
    )
    assert project.kinds("m.State.get") == ["tensor", "none"]
    assert names_of(project.values.attributes(project.cls("m.State"))["cache"].bits & KINDS) == [
        "tensor",
        "none",
    ]


def test_an_attribute_is_looked_up_in_classes_above_and_methods_in_those_below() -> None:
    project = solved(
        """
        import base
        class Child(base.Base):
            def make(self):
                return "text"
        def use():
            child = Child()
            return child.start
        def run(thing: base.Base):
            return thing.make()
        """,
        base="""
        class Base:
            def __init__(self):
                self.start = 1
            def make(self):
                return 2.0
        """,
    )
    assert project.kinds("m.use") == ["int"]
    assert project.kinds("m.run") == ["float", "text"]
    called = project.callees("m.run")
    assert {one.order for one in called.functions} == {"base.Base.make:3", "m.Child.make:2"}
    assert called.certain is None


def test_an_exact_object_runs_the_method_of_its_own_class() -> None:
    project = solved(
        """
        class Base:
            def make(self):
                return 2.0
        class Child(Base):
            def make(self):
                return "text"
        def use():
            return Base().make()
        """
    )
    assert project.callees("m.use").certain is project.function("m.Base.make")
    assert project.kinds("m.use") == ["float"]


def test_names_are_followed_through_re_exports_stars_and_relative_imports() -> None:
    project = Solved(
        {
            "package": "from .inner import *\nfrom .inner import _hidden as shown",
            "package.inner": """
            from . import leaf
            def one():
                return 1
            def _hidden():
                return leaf.text()
            """,
            "package.leaf": "def text():\n    return 'leaf'",
            "m": """
            import package.leaf
            from package import one, shown
            def number():
                return one()
            def word():
                return shown()
            def direct():
                return package.leaf.text()
            """,
        }
    )
    assert project.kinds("m.number") == ["int"]
    assert project.kinds("m.word") == ["text"]
    assert project.kinds("m.direct") == ["text"]


def test_a_function_that_gives_back_what_it_is_given_depends_on_the_call() -> None:
    project = solved(
        """
        def same(x):
            return x
        def text():
            return same("a")
        def number():
            return same(1)
        """
    )
    assert project.kinds("m.text") == ["text"]
    assert project.kinds("m.number") == ["int"]


def test_closures_see_what_the_function_around_them_binds() -> None:
    project = solved(
        """
        import torch
        def outer():
            scale = torch.ones(2)
            count = 0
            def inner():
                nonlocal count
                count = "many"
                return scale
            def told():
                return count
            return inner(), told()
        """
    )
    assert project.kinds("m.outer.inner") == ["tensor"]
    assert project.kinds("m.outer.told") == ["int", "text"]


def test_containers_hold_what_is_put_into_them() -> None:
    project = solved(
        """
        import torch
        def pair():
            return torch.ones(1), 5
        def first():
            made, number = pair()
            return made
        def second():
            return pair()[1]
        def listed():
            found = []
            found.append(torch.ones(1))
            for one in found:
                return one
        def keyed():
            entries = {"a": 1}
            entries["b"] = "text"
            return entries["b"]
        def all_entries():
            entries = {"a": 1}
            entries["b"] = "text"
            for key, value in entries.items():
                return value
        def counted():
            return [at for at, _ in enumerate("abc")][0]
        """
    )
    assert project.kinds("m.first") == ["tensor"]
    assert project.kinds("m.second") == ["int"]
    assert project.kinds("m.listed") == ["tensor", "none"]
    assert project.kinds("m.keyed") == ["text"]
    assert project.kinds("m.all_entries") == ["int", "text", "none"]
    assert project.kinds("m.counted") == ["int"]


def test_a_list_that_grows_has_nothing_at_a_place_of_its_own() -> None:
    project = solved(
        """
        def use():
            found = ["a"]
            found.insert(0, 1)
            return found[0]
        """
    )
    assert project.kinds("m.use") == ["int", "text"]


@pytest.mark.parametrize(
    ("test", "kinds"),
    [
        ("x is not None", ["tensor"]),
        ("x is None", ["none"]),
        ("not x is None", ["tensor"]),
        ("isinstance(x, torch.Tensor)", ["tensor"]),
        ("torch.is_tensor(x) and ready", ["tensor"]),
        ("not isinstance(x, torch.Tensor)", ["none"]),
        ("x", ["tensor"]),
        ("ready", ["tensor", "none"]),
    ],
)
def test_tests_narrow_what_stands_under_them(test: str, kinds: list[str]) -> None:
    project = solved(
        f"""
        import torch
        def use(ready):
            x = None
            if ready:
                x = torch.ones(2)
            if {test}:
                return x
            raise ValueError
        """
    )
    assert project.kinds("m.use") == kinds


@pytest.mark.parametrize(
    ("test", "classes"),
    [
        ("isinstance(x, A)", ["A"]),
        ("isinstance(x, (A, B))", ["A", "B"]),
        ("isinstance(x, A | B)", ["A", "B"]),
        ("isinstance(x, KINDS)", ["A", "B"]),
        ("isinstance(x, local)", ["B", "C"]),
        ("isinstance(x, TWICE)", ["Module"]),
        ("isinstance(x, nn.Module)", ["Module"]),
        ("isinstance(x, C)", ["C"]),
        ("not isinstance(x, A)", ["Module"]),
    ],
)
def test_of_any_module_a_test_leaves_those_of_the_classes_that_it_names(
    test: str, classes: list[str]
) -> None:
    project = solved(
        f"""
        from torch import nn
        class A(nn.Module): pass
        class B(nn.Module): pass
        class C(nn.Linear): pass
        KINDS = A, (B,)
        TWICE = A, B
        TWICE = unknown
        def around(net: nn.Module):
            local = B, C
            def use(x: nn.Module):
                if {test}:
                    return x
                raise ValueError
            net.apply(use)
        """
    )
    told = project.returned("m.around.use").references
    assert [one.cls.name for one in told if isinstance(one, Instance)] == classes


def test_a_test_that_leaves_narrows_what_follows_and_what_meets_behind_it() -> None:
    project = solved(
        """
        import torch
        def use(x: torch.Tensor | None):
            if x is None:
                return 1
            return x
        def meet(x: torch.Tensor | None = None):
            if x is None:
                x = torch.ones(2)
            return x
        class Lazy:
            def __init__(self):
                self.made = None
            def make(self):
                self.made = 3
            def get(self):
                if self.made is not None:
                    return self.made
                return ""
        """
    )
    assert project.kinds("m.use") == ["tensor", "int"]
    assert project.kinds("m.meet") == ["tensor"]
    assert project.kinds("m.Lazy.get") == ["int", "text"]


def test_annotations_say_what_nobody_gives() -> None:
    project = solved(
        """
        from __future__ import annotations
        from typing import Optional
        import torch
        from torch import nn
        def tensor(x: torch.Tensor):
            return x
        def maybe(x: Optional["torch.Tensor"]):
            return x
        def each(xs: list[torch.Tensor]):
            return xs[0]
        def entry(xs: dict[str, int]):
            return xs["a"]
        def module(m: nn.Module):
            return m
        def nothing(x):
            return x
        """
    )
    assert project.kinds("m.tensor") == ["tensor"]
    assert project.kinds("m.maybe") == ["tensor", "none"]
    assert project.kinds("m.each") == ["tensor"]
    assert project.kinds("m.entry") == ["int"]
    assert project.kinds("m.module") == ["module"]
    assert project.kinds("m.nothing") == ["unknown"]


def test_a_default_counts_where_a_call_leaves_a_parameter_out() -> None:
    project = solved(
        """
        def used(x, scale=1.0, *, name=None):
            return scale, name
        def one():
            return used(1, "a", name=b"")
        def other():
            used(1)
        """
    )
    function = project.function("m.used")
    assert names_of(project.values.parameter(function, 1).bits & KINDS) == ["float", "text"]
    assert names_of(project.values.parameter(function, 2).bits & KINDS) == ["none", "object"]


def test_stars_pass_what_they_hold() -> None:
    project = solved(
        """
        def target(a, b, **rest):
            return b, rest["c"]
        def by_place():
            items = ["x", "y"]
            return target(*items, c=1)
        def wrap(*args, **kwargs):
            return inner(*args, **kwargs)
        def inner(first, word):
            return word
        def call():
            return wrap(1, word="text")
        """
    )
    assert names_of(project.values.parameter(project.function("m.target"), 1).bits & KINDS) == ["text"]
    assert "text" in project.kinds("m.call")


def test_recursion_comes_to_rest() -> None:
    project = solved(
        """
        def even(n):
            if n == 0:
                return True
            return odd(n - 1)
        def odd(n):
            if n == 0:
                return "no"
            return even(n - 1)
        def forever(n):
            return forever(n)
        def start():
            return even(10)
        """
    )
    assert project.kinds("m.start") == ["bool", "text"]
    assert project.kinds("m.forever") == ["unknown"]


def test_properties_are_what_they_give_and_static_methods_take_no_object() -> None:
    project = solved(
        """
        import functools
        class Thing:
            @property
            def size(self):
                return 3
            @size.setter
            def size(self, value):
                pass
            @functools.cached_property
            def name(self):
                return "n"
            @staticmethod
            def make(x):
                return x
            @classmethod
            def build(cls):
                return cls
        def size(thing: Thing):
            return thing.size
        def name(thing: Thing):
            return thing.name
        def made(thing: Thing):
            return thing.make(2.0)
        def built():
            return Thing.build()
        """
    )
    assert project.kinds("m.size") == ["int"]
    assert project.kinds("m.name") == ["text"]
    assert project.kinds("m.made") == ["float"]
    assert project.returned("m.built").references == (project.cls("m.Thing"),)


def test_partial_functions_give_what_they_have_to_whoever_calls_them() -> None:
    project = solved(
        """
        import functools
        class Box:
            def keep(self, one, other, *more, name, last):
                return one, name
        def add(x, y, *z):
            return x
        def use(register, box):
            register(functools.partial(add, 1))
            register(functools.partial(Box().keep, "text", name=2))
        """
    )
    given = {
        (name, place): names_of(project.values.parameter(project.function(f"m.{name}"), place).bits)
        for name, places in (("add", (0, 1)), ("Box.keep", (1, 2, 4, 5)))
        for place in places
    }
    assert given == {
        ("add", 0): ["int"],
        ("add", 1): ["unknown"],
        ("Box.keep", 1): ["text"],
        ("Box.keep", 2): ["unknown"],
        ("Box.keep", 4): ["int"],
        ("Box.keep", 5): ["unknown"],
    }


def test_partial_functions_and_generators_are_followed() -> None:
    project = solved(
        """
        import functools
        def add(x, y):
            return y
        def use():
            return functools.partial(add, 1)("text")
        def items():
            yield 1
            yield from ["a"]
        def first():
            for one in items():
                return one
            raise ValueError
        """
    )
    assert project.kinds("m.use") == ["text"]
    assert project.kinds("m.first") == ["int", "text"]


@pytest.mark.parametrize(
    ("expression", "devices"),
    [
        ("torch.zeros(2)", HOST),
        ("torch.zeros(2, device='cuda')", ACCELERATOR),
        ("torch.zeros(2, device=torch.device('cpu'))", HOST),
        ("torch.zeros_like(torch.ones(1))", HOST),
        ("torch.ones(1).cuda()", DEVICES),
        ("torch.ones(1).to('cuda')", ACCELERATOR),
        ("torch.ones(1).to(torch.float16)", HOST),
        ("torch.ones(1).to(x.device)", DEVICES),
        ("x.cpu()", HOST),
        ("x.cpu() + 1", HOST),
        ("torch.cat([torch.ones(1), torch.ones(2)])", HOST),
        ("x + torch.ones(1)", DEVICES),
        ("torch.from_numpy(y)", HOST),
    ],
)
def test_tensors_lie_where_they_are_made_or_moved(expression: str, devices: int) -> None:
    project = solved(f"import torch\ndef make(x: torch.Tensor, y):\n    return {expression}")
    made = project.returned("m.make")
    assert made.bits & (KINDS | DEVICES) == TENSOR | devices


def test_masks_are_tensors_of_truth_values() -> None:
    project = solved("import torch\ndef make(x: torch.Tensor):\n    return (x > 0) & torch.isnan(x)")
    assert project.returned("m.make").bits & KINDS == TENSOR
    assert project.returned("m.make").bits & TRUTHS


def test_constants_are_told_while_they_are_few() -> None:
    project = solved(
        """
        def mode(flag):
            return "a" if flag else "b"
        """
    )
    told = project.returned("m.mode").references
    assert [one.value for one in told if isinstance(one, Constant)] == ["a", "b"]


def test_what_is_unknown_says_so() -> None:
    project = solved(
        """
        import other_library
        def use():
            return other_library.load()
        def made():
            return other_library.Thing()
        """
    )
    assert project.kinds("m.use") == ["unknown"]
    assert [one.path for one in project.callees("m.use").apis] == ["other_library.load"]
    assert [one.cls.order for one in project.returned("m.made").references if isinstance(one, Instance)] == [
        "other_library.Thing"
    ]


def test_a_value_is_asked_for_where_it_is_used() -> None:
    project = solved(
        """
        import torch
        def use(x: torch.Tensor | None):
            if x is not None:
                print(x)
        """
    )
    body = project.body("m.use")
    block = next(at for at, guard in enumerate(body.record.block_guard) if guard >= 0)
    parameter = 0
    assert project.values.value(body, parameter).bits & KINDS == TENSOR | NONE_TYPE
    assert project.values.value(body, parameter, block).bits & KINDS == TENSOR


def test_only_calls_have_callees() -> None:
    project = solved("x = 1")
    with pytest.raises(ValueError, match="no call"):
        project.values.callees(project.body("m"), 0)


@pytest.mark.parametrize("seed", range(6))
def test_the_result_does_not_hang_on_the_order(seed: int) -> None:
    files = {
        "m": NET
        + """
    from registry import TABLE
    def by_name(name):
        return TABLE[name](1)
    """,
        "registry": "\n".join(
            f"def f{at}(x):\n    return g{at}\ndef g{at}(y): return x\n" for at in range(12)
        )
        + "\nTABLE = {"
        + ", ".join(f"'{at}': f{at}" for at in range(12))
        + "}\n",
    }
    generator = random.Random(seed)

    def shuffled(batch: list[Body]) -> list[Body]:
        return generator.sample(batch, len(batch))

    assert _told(Solved(files, shuffled)) == _told(Solved(files))


def _told(project: Solved) -> list[object]:
    return [
        (value.bits, [one.order for one in value.references])
        for body in project.values.bodies()
        for value in body.values
    ]


def test_a_class_of_torch_modules_is_a_module_by_whatever_name_its_base_has() -> None:
    project = solved(
        """
        import base
        class Model(base.Alias):
            def forward(self, x):
                return x
        """,
        base="import torch.nn as layers\nAlias = layers.Module",
    )
    assert project.cls("m.Model").kind == MODULE
    assert is_certainly(project.values.parameter(project.function("m.Model.forward"), 0), MODULE)
    assert not project.values.parameter(project.function("m.Model.forward"), 0).bits & (UNKNOWN | OPEN)


@pytest.mark.parametrize(
    ("use", "kinds"),
    [
        ("x.masked_fill_(y, 0)", ["tensor"]),
        ("torch.relu(x)", ["tensor"]),
        ("torch.cat(x)", ["unknown"]),
        ("y.index_select(0, x)", ["tensor"]),
        ("x.dtype == torch.half", ["tensor"]),
        ("x.sum(dim=1)", ["tensor"]),
        ("x[:, 0]", ["tensor"]),
        ("x['a'].masked_fill_(y, 0)", ["unknown"]),
        ("x.copy()", ["unknown"]),
    ],
)
def test_a_parameter_that_nobody_gives_is_what_its_uses_tell(use: str, kinds: list[str]) -> None:
    project = solved(f"import torch\ndef use(x, y):\n    {use}\n    return x")
    assert project.kinds("m.use") == kinds


def test_slices_tell_nothing_where_there_are_arrays() -> None:
    project = solved("import numpy, torch\ndef use(x):\n    x[:, 0]\n    return x")
    assert project.kinds("m.use") == ["unknown"]


def test_what_layers_of_torch_are_given_in_forward_is_a_tensor() -> None:
    project = solved(
        """
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(2, 2)
                self.other = make()
            def forward(self, x, y):
                self.other(y)
                self.layer(x)
                return x, y
        """
    )
    forward = project.function("m.Net.forward")
    assert is_certainly(project.values.parameter(forward, 1), TENSOR)
    assert project.values.parameter(forward, 2).bits & UNKNOWN


def test_what_is_only_ever_none_may_be_set_by_others() -> None:
    project = solved(
        """
        class Model:
            def __init__(self):
                self.hook = None
            def run(self, scale=None):
                if self.hook is not None:
                    return scale if scale is not None else 1
                return "a"
        def use():
            return Model().run()
        """
    )
    assert project.kinds("m.Model.run") == ["int", "text", "unknown"]


def test_entries_are_found_by_each_constant_that_a_key_may_be() -> None:
    project = solved(
        """
        class Mode:
            A = "a"
        def use(flag, mode):
            table = {"a": 1, "b": 2.0, "c": "text"}
            return table["a" if flag else "b"]
        def some(flag, mode):
            table = {"a": 1, "b": 2.0}
            return table.get(mode)
        """
    )
    assert project.kinds("m.use") == ["int", "float"]
    assert project.kinds("m.some") == ["int", "float", "none"]


def test_annotations_of_a_class_say_what_attributes_are() -> None:
    project = solved(
        """
        from __future__ import annotations
        import dataclasses
        @dataclasses.dataclass
        class Config:
            size: int
            window: int | None = None
            names: list[str] = dataclasses.field(default_factory=list)
            inner: Other | None = None
            free: Unseen = None
        class Other:
            pass
        class Child(Config):
            def use(self):
                return self.size, self.window, self.names[0], self.inner, self.free
        @dataclasses.dataclass
        class Given:
            depth: int = 4
            width: float | None = None
        def made():
            return Given(width=2.0).width
        def depth(given: Given):
            return given.depth
        """
    )
    assert project.kinds("m.made") == ["float", "none"]
    assert [one.order for one in project.returned("m.depth").references] == ["0 int 4"]
    cls = project.cls("m.Child")
    told = {
        name: names_of(project.values.attribute(cls, name).bits & KINDS)
        for name in ("size", "window", "inner")
    }
    assert told == {"size": ["int"], "window": ["int", "none"], "inner": ["none", "instance"]}
    assert project.kinds("m.Child.use") == ["sequence"]
    first = project.callees("m.Config", 0)
    assert [one.path for one in first.apis] == ["dataclasses.field"]


def test_what_a_module_registers_by_name_is_an_attribute() -> None:
    project = solved(
        """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mask", torch.ones(2))
                self.register_parameter("scale", nn.Parameter(torch.ones(2)))
                self.add_module("inner", nn.Linear(2, 2))
            def get(self):
                return self.mask, self.scale
            def first(self):
                return self.get()[0]
            def layer(self):
                return self.inner
        """
    )
    assert project.kinds("m.Net.first") == ["tensor"]
    assert project.kinds("m.Net.layer") == ["module"]


def test_groups_of_an_optimizer_hold_tensors() -> None:
    project = solved(
        """
        def step(optimizer):
            for group in optimizer.param_groups:
                for p in group["params"]:
                    return p
            raise ValueError
        """
    )
    assert project.kinds("m.step") == ["tensor"]


def test_names_that_are_bound_by_way_of_each_other_are_looked_at_once_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = []
    searches = []
    look, search = Linker._looked_up, Linker.static

    def noted(linker: Linker, body: Body, at: int, *rest: Any) -> Any:
        looked.append(at)
        return look(linker, body, at, *rest)

    def counted(linker: Linker, body: Body, at: int) -> Any:
        searches.append(at)
        return search(linker, body, at)

    monkeypatch.setattr(Linker, "_looked_up", noted)
    monkeypatch.setattr(Linker, "static", counted)
    names = [f"a{number}" for number in range(12)]
    bound = "\n".join(f"    {name} = {' or '.join(names)}" for name in names)
    values = Solved({"m": f"while True:\n{bound}\nclass Net({names[0]}): pass\n"}).values
    operations = sum(len(body.record.code) for body in values.bodies())
    assert searches
    assert len(looked) <= operations * len(searches)


def test_what_is_released_is_freed_without_a_search_for_cycles() -> None:
    gc.collect()
    before = _bodies()
    gc.disable()
    try:
        values = Solved({"net": NET}).values
        assert _bodies() > before
        values.release()
        del values
        assert _bodies() == before
    finally:
        gc.enable()


def _bodies() -> int:
    return sum(type(one) is Body for one in gc.get_objects())


def test_what_integers_and_truth_values_are_cast_to_is_known_of_anything() -> None:
    project = solved("def mask(x):\n    return x.y.bool()\n\ndef whole(x):\n    return x.y.long()\n")
    assert [names_of(project.returned(f"m.{name}").bits & NUMBER_TYPES) for name in ("mask", "whole")] == [
        ["truths"],
        ["integers"],
    ]


def test_a_part_of_a_tensor_of_another_file_is_a_tensor() -> None:
    text = (
        "import torch\nfrom pkg import made\ndef f(x):\n    y = made(x)\n    torch.relu(y)\n    return y[0]\n"
    )
    values = solve({"m": lower(ast.parse(text))}, others=Others(lambda path: path.startswith("pkg"), {}))
    symbol = values.body("m", 1).symbol
    assert isinstance(symbol, FunctionSymbol)
    assert values.returned(symbol).bits & KINDS == TENSOR


def test_a_promise_tells_of_items_that_nobody_knows() -> None:
    project = solved(
        """
        import torch
        def curve(x) -> tuple[torch.Tensor, torch.Tensor]:
            return unknown(x), unknown(x)
        """
    )
    (held,) = project.values.returned(project.function("m.curve")).references
    assert isinstance(held, Container)
    assert [names_of(one.value.bits & KINDS) for one in held.parts] == [["tensor"], ["tensor"]]
