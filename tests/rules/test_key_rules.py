"""Key rules: where a text is a key, which classes are mended and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rule_cases import fix, lines, lint

if TYPE_CHECKING:
    from overhead_lint.rule import Finding


RECIPE = """
from __future__ import annotations
import functools, typing
from dataclasses import dataclass
import torch
from torch import nn
from other import Config, Base
@dataclass
class Recipe{bases}:
    margin: int = 0
    {field}
@functools.lru_cache
def plan(key, n=1): ...
def uncached(key): ...
class Net(nn.Module):
    def forward(self, x, recipe: {annotation}, cache, text):
        {body}
"""


def keyed(
    body: str, *, annotation: str = "Recipe", bases: str = "", field: str = "width: tuple = ()"
) -> list[Finding]:
    """OVH201 in a forward that is given a recipe."""
    return lint("OVH201", RECIPE.format(body=body, annotation=annotation, bases=bases, field=field))


@pytest.mark.parametrize(
    "body",
    [
        "return cache[str(recipe)]",
        "return cache[repr(recipe), 1]",
        "return cache[f'{recipe}']",
        "return cache[f'{recipe!r}-{x.shape}']",
        "return cache['a' + str(recipe)]",
        "return cache.get(str(recipe), None)",
        "return cache.setdefault(str(recipe), x)",
        "return str(recipe) in cache",
        "return str(recipe) not in self.cache",
        "return str(recipe) == text",
        "return text != repr(recipe)",
        "return hash(str(recipe))",
        "return plan(str(recipe))",
        "return plan(1, n=repr(recipe))",
        "key = str(recipe); return cache[key]",
        "key = (str(recipe), 1); return cache.get(key)",
        "cache[str(recipe)] = x",
        "del cache[str(recipe)]",
        "return cache[str((str(recipe), 1))]",
        "return cache[repr((recipe, x.dtype))]",
        "return cache['-'.join([str(recipe), str(x.dtype)])]",
        "return cache[''.join((repr(recipe), text))]",
        "return cache['%s_%s' % (recipe, x.dtype)]",
        "return cache['%s' % recipe]",
        "return cache.get('{}.{}'.format(recipe, x.dtype))",
        "return cache['{0}{at}'.format(text, at=recipe)]",
        "return cache['a-{}'.format(str(recipe))]",
    ],
)
def test_text_of_a_recipe_is_reported_where_it_is_a_key(body: str) -> None:
    (finding,) = keyed(body)
    assert finding.fix is not None


@pytest.mark.parametrize(
    "body",
    [
        "return str(recipe)",
        "raise ValueError(f'{recipe}')",
        "print(str(recipe))",
        "return uncached(str(recipe))",
        "return 'margin' in str(recipe)",
        "return str(recipe) == 'none'",
        "return cache[recipe]",
        "return cache[str(recipe.margin)]",
        "return cache[str(text)]",
        "return cache[f'{recipe:>10}']",
        "key = str(recipe); return key",
        "str = repr; return cache[str(recipe)]",
        "return cache['%(margin)s' % recipe]",
        "return cache['{.margin}'.format(recipe)]",
        "return cache['{0.margin}'.format(recipe)]",
        "return cache['{:>9}'.format(recipe)]",
        "return cache['{'.format(recipe)]",
        "return cache['{margin}'.format(**recipe)]",
        "return cache[len(str(recipe))]",
        "return [str(recipe)]",
        "return x if x is None else cache.update(str(recipe))",
    ],
)
def test_text_that_is_no_key_is_silent(body: str) -> None:
    assert keyed(body) == []


OWN_STR = "\n    def __str__(self):\n        return "
SHOWN_BY_STR = ["str(recipe)", "f'{recipe}'", "'%s-%s' % (recipe, x.dtype)", "'{}'.format(recipe)"]
SHOWN_BY_REPR = [
    *("repr(recipe)", "f'{recipe!r}'", "str((recipe, 1))", "'%r' % recipe", "'{!r}'.format(recipe)"),
]


@pytest.mark.parametrize(("shown", "speaks"), [(SHOWN_BY_STR, False), (SHOWN_BY_REPR, True)])
def test_text_of_str_is_what_a_class_says_itself(shown: list[str], speaks: bool) -> None:
    for text in shown:
        assert bool(keyed(f"return cache[{text}]", field=f"{OWN_STR}self.name")) is speaks, text
    for name in ("__repr__", "str.__str__"):
        assert keyed("return cache[str(recipe)]", field=f"__str__ = {name}") != []


def test_str_that_formats_fields_is_not_mended_by_a_kept_repr() -> None:
    own = f"{OWN_STR}f'{{self.margin}}'"
    (finding,) = keyed("return cache[str(recipe)]", field=own)
    assert finding.fix is None
    assert "__str__ of Recipe" in str(finding.help)
    text = RECIPE.format(body="return cache[str(recipe)]", annotation="Recipe", bases="", field=own)
    assert lint("OVH202", text) == []


@pytest.mark.parametrize("annotation", ["Recipe", "'Recipe'", "Recipe | None", "typing.Optional[Recipe]"])
def test_annotated_class_is_known_in_every_spelling(annotation: str) -> None:
    assert len(keyed("return cache[str(recipe)]", annotation=annotation)) == 1


def test_config_of_another_file_is_known_by_its_name_and_not_fixed() -> None:
    text = RECIPE.format(body="return cache[str(self.config)]", annotation="Config", bases="", field="")
    (finding,) = lint("OVH201", text)
    assert finding.fix is None
    assert lint("OVH202", text) == []


@pytest.mark.parametrize(
    ("bases", "field", "expected"),
    [
        ("", "", "class Recipe(runtime.CachedRepr):"),
        ("(object)", "", "class Recipe(runtime.CachedRepr, object):"),
        ("(typing.Generic[T])", "", "class Recipe(runtime.CachedRepr, typing.Generic[T]):"),
        ("(Base)", "", "@runtime.cached_repr\n@dataclass\nclass Recipe(Base):"),
        ("(metaclass=Meta)", "", None),
        ("", "blocks: list = None", None),
        ("", "scale: torch.Tensor = None", None),
        ("", "names: dict[str, int] = None", None),
    ],
)
def test_class_is_mended_where_a_text_can_be_kept(bases: str, field: str, expected: str | None) -> None:
    text = RECIPE.format(body="return cache[str(recipe)]", annotation="Recipe", bases=bases, field=field)
    for code in ("OVH201", "OVH202"):
        (finding,) = lint(code, text)
        assert (finding.fix is None) is (expected is None)
        assert finding.help
        if expected is not None:
            assert expected in fix(code, text)


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("class Above: pass", "class Recipe(runtime.CachedRepr, Above):"),
        ("class Above(Base): pass", "@runtime.cached_repr\n@dataclass\nclass Recipe(Above):"),
        (
            "class Above(collections.abc.Sized): pass",
            "@runtime.cached_repr\n@dataclass\nclass Recipe(Above):",
        ),
        ("class Above(dict): pass", None),
        ("class Above(collections.OrderedDict): pass", None),
        ("class Above(Exception): pass", None),
        ("class Above:\n    __slots__ = ('a',)", None),
        ("@dataclass(slots=True, repr=False)\nclass Above:\n    a: int = 0", None),
    ],
)
def test_class_is_mended_in_a_way_that_its_bases_allow(above: str, expected: str | None) -> None:
    text = RECIPE.format(body="return cache[str(recipe)]", annotation="Recipe", bases="(Above)", field="")
    text = text.replace("from other", "import collections.abc\nfrom other")
    text = text.replace("@dataclass\nclass Recipe", f"{above}\n@dataclass\nclass Recipe")
    (finding,) = lint("OVH202", text)
    assert (finding.fix is None) is (expected is None)
    if expected is not None:
        assert expected in fix("OVH202", text)


def test_class_with_slots_and_an_unknown_base_gets_a_message_only() -> None:
    text = RECIPE.format(body="return cache[str(recipe)]", annotation="Recipe", bases="(Base)", field="")
    (finding,) = lint("OVH202", text.replace("@dataclass\n", "@dataclass(slots=True)\n"))
    assert finding.fix is None


def test_class_whose_text_is_a_key_in_cold_code_only_is_silent() -> None:
    text = RECIPE.format(body="return x", annotation="Recipe", bases="", field="")
    text += "def setup(recipe: Recipe, cache):\n    return cache[str(recipe)]\n"
    assert lint("OVH201", text) == lint("OVH202", text) == []


KEY_FUNCTION = """
import torch
from torch import nn
from recipes import Recipe
class State:
    @classmethod
    def key_of(cls, recipe: Recipe, group):
        return f"{str(recipe)}:{id(group)}"
    @classmethod
    def enter(cls, recipe: Recipe, group):
        key = cls.key_of(recipe, group)
        cls.known[key] = recipe
class Layer(nn.Module):
    def forward(self, x):
        State.enter(self.recipe, None)
        State.key_of(self.recipe, None)
        return x
"""


def test_text_that_a_function_returns_is_a_key_where_its_result_is() -> None:
    assert lines("OVH201", KEY_FUNCTION) == [8]
    assert lines("OVH201", KEY_FUNCTION.replace("cls.known[key] = recipe", "print(key)")) == []


@pytest.mark.parametrize(
    ("cls", "found"),
    [
        ("@dataclass\nclass Recipe:\n    n: int = 0", True),
        ("@dataclass(repr=False)\nclass Recipe:\n    n: int = 0", False),
        ("@dataclass(frozen=True)\nclass Recipe:\n    n: int = 0", True),
        ("class Recipe:\n    def __repr__(self):\n        return f'R({self.n})'", True),
        ("class Recipe:\n    def __repr__(self):\n        return 'R({})'.format(self.n)", True),
        ("class Recipe:\n    def __repr__(self):\n        return self._text", False),
        (
            "class Recipe:\n    def __repr__(self):\n        if self._text is None:\n"
            "            self._text = f'R({self.n})'\n        return self._text",
            False,
        ),
        ("class Recipe:\n    n = 0", False),
        ("class Recipe(enum.Enum):\n    A = 0", False),
    ],
)
def test_only_classes_that_format_their_fields_each_time_are_reported(cls: str, found: bool) -> None:
    text = (
        f"import enum\nfrom dataclasses import dataclass\nfrom torch import nn\n{cls}\n"
        "class Net(nn.Module):\n"
        "    def forward(self, x, recipe: Recipe, cache):\n        return cache[str(recipe)]\n"
    )
    assert bool(lint("OVH202", text)) is found
    assert bool(lint("OVH201", text)) is found


HELPER = """
import torch
from torch import nn
class State:
    known = {}
    @classmethod
    def key(cls, recipe=None, group=None):
        return str((str(recipe), id(group)))
    @classmethod
    def enter(cls, recipe=None, group=None):
        cls.known[cls.key(recipe, group)] = (recipe, group)
    @classmethod
    def reduce(cls, recipe):
        key = cls.key(recipe)
        return cls.known.get(key)
class Layer(nn.Module):
    def forward(self, x):
        State.enter(self.recipe, None)
        return x
"""


def test_text_around_a_text_is_followed_to_the_key() -> None:
    assert lines("OVH201", HELPER) == [8]
    no_key = HELPER.replace("cls.known[cls.key(recipe, group)]", "kept")
    assert lines("OVH201", no_key.replace("cls.known.get(key)", "key")) == []


PLANS = """
import functools
from dataclasses import dataclass, field
import torch
from torch import nn
@dataclass
class Tile:
    size: int = 1
@dataclass
class Plan:
    m: int = 1
    tile: Tile = field(default_factory=Tile)
    {member}
class Net(nn.Module):
    def __init__(self, plan{annotation}, **more):
        super().__init__()
        {init}
        self.memo = {{}}
    def forward(self, x):
        self.memo.setdefault({key}, {{}})
        return x
{rest}
"""


def planned(
    *,
    key: str = "str(self.plan)",
    annotation: str = "",
    init: str = "self.plan = plan",
    member: str = "pass",
    rest: str = "",
) -> list[Finding]:
    """OVH201 in a module that keeps a plan."""
    text = PLANS.format(key=key, annotation=annotation, init=init, member=member, rest=rest)
    return lint("OVH201", text)


@pytest.mark.parametrize(
    ("annotation", "init", "rest"),
    [
        (": Plan", "self.plan = plan", ""),
        ("", "self.plan = plan", "net = Net(Plan(2))"),
        ("", "self.plan = plan", "kept = Plan()\nnets = [Net(plan=kept), Net(Plan())]"),
        ("=Plan()", "self.plan = plan", "net = Net()"),
        (": Plan | None = None", "self.plan = plan or Plan()", ""),
        ("=None", "self.plan = plan or Plan()", ""),
        ("=None", "self.plan = Plan() if plan is None else plan", "net = Net(plan=Plan(3))"),
        (": Plan", "self.plan, self.seen = plan, {}", ""),
        (": Plan", "self.plan, *self.others = plan, 8", ""),
    ],
)
def test_class_of_what_a_module_keeps_is_known(annotation: str, init: str, rest: str) -> None:
    (finding,) = planned(annotation=annotation, init=init, rest=rest)
    assert finding.fix is not None and "Plan" in finding.help


@pytest.mark.parametrize(
    ("annotation", "init", "rest"),
    [
        ("", "self.plan = plan", ""),
        ("", "self.plan = plan", "net = Net(8)"),
        ("", "self.plan = plan", "nets = [Net(Plan()), Net('fast')]"),
        ("", "self.plan = plan", "net = Net(*given)"),
        ("", "self.plan = str(plan)", "net = Net(Plan())"),
        (": Plan", "self.plan = 8", ""),
        (": Plan", "plan, self.plan = self, 8", ""),
        ("=None", "self.plan = plan or 'fast'", ""),
    ],
)
def test_what_may_be_something_else_is_silent(annotation: str, init: str, rest: str) -> None:
    assert planned(annotation=annotation, init=init, rest=rest) == []


@pytest.mark.parametrize(
    ("member", "found"),
    [
        ("@property\n    def key(self): return repr(self)", True),
        ("@property\n    def key(self): return '%s' % (self,)", True),
        ("@functools.cached_property\n    def key(self): return repr(self)", False),
        ("def key(self): return repr(self)", False),
        ("@property\n    def key(self): return repr(self.m)", False),
    ],
)
def test_text_that_a_property_gives_is_a_key_where_it_is_read(member: str, found: bool) -> None:
    assert bool(planned(key="self.plan.key", annotation=": Plan", member=member)) is found


def test_class_of_a_field_is_known_by_its_annotation() -> None:
    (finding,) = planned(key="f'tile_{self.plan.tile}'", annotation=": Plan")
    assert "Tile" in finding.help
    assert planned(key="f'tile_{self.plan.m}'", annotation=": Plan") == []


def test_class_of_an_argument_is_that_of_what_calls_pass() -> None:
    rest = "def lookup(table, plan): return table.setdefault(str(plan), 2)\n"
    for given, found in [("self.plan", 1), ("str(self.plan)", 0), ("8", 0)]:
        key = f"lookup(self.memo, {given})"
        assert len(planned(key=key, annotation=": Plan", rest=rest)) == found
