"""OVH201 and OVH202 without the runtime: a private attribute keeps the text until one is assigned."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from rule_cases import lint

from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Applicability, Finding, Fix, Heat
from overhead_lint.syntax.source import Source

TEXT = """\
import enum
import typing
from dataclasses import dataclass, field
from other import Base

import torch


class Mode(enum.Enum):
    FAST = "fast"


@dataclass{arguments}
class Recipe{bases}:
    margin: int = 0
    width: {annotation} = {value}
{more}

cache = {{}}


class Net(torch.nn.Module):
    def forward(self, x, recipe: Recipe):
        return cache[repr(recipe)]
"""


def text(
    annotation: str = "int", value: str = "1", more: str = "", arguments: str = "", bases: str = ""
) -> str:
    """A module with a recipe whose text is a key."""
    return TEXT.format(annotation=annotation, value=value, more=more, arguments=arguments, bases=bases)


def plain(module: str) -> list[Finding]:
    """The findings of OVH202, with the fixes that need no runtime."""
    found = lint("OVH202", module, Heat.COLD)
    return [one._replace(fix=one.fix.without_runtime if one.fix is not None else None) for one in found]


def fix_of(module: str) -> Fix | None:
    (finding,) = plain(module)
    return finding.fix


def fixed(module: str) -> str:
    source = Source.from_bytes(Path("net.py"), module.encode())
    result = fix_file(source, lambda source: plain(source.text), unsafe=True)
    assert not result.failures and not result.remaining
    return result.after_text


def recipe_class(module: str) -> Any:
    """The class `Recipe` of a module."""
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(module.replace("from other import Base\n", ""), "net.py", "exec", dont_inherit=True), names)
    return names["Recipe"]


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("str", "'a'"),
        ("'int | None'", "None"),
        ("typing.Optional[float]", "None"),
        ("tuple[int, ...]", "(1, 2)"),
        ("typing.Literal['a', 'b']", "'a'"),
        ("torch.dtype", "torch.float32"),
        ("Mode", "Mode.FAST"),
        ("typing.Callable[[int], list]", "max"),
    ],
)
def test_the_text_is_that_of_before_after_each_assignment(annotation: str, value: str) -> None:
    module = text(annotation, value)
    before, after = recipe_class(module), recipe_class(fixed(module))
    old, new = before(), after(margin=0)
    assert repr(new) == repr(old) == repr(new)
    for name, assigned in (("margin", 3), ("width", 7)):
        for one in (old, new):
            setattr(one, name, assigned)
        assert repr(new) == repr(old) == repr(new)
    assert new == after(3, 7) and dataclasses.asdict(new) == dataclasses.asdict(old)
    assert repr(dataclasses.replace(new, margin=4)) == repr(dataclasses.replace(old, margin=4))


def test_a_text_is_made_once() -> None:
    made = []
    recipe = recipe_class(fixed(text("str", "'a'")))()

    class Told(str):
        def __repr__(self) -> str:
            made.append(1)
            return "told"

    recipe.width = Told()
    assert repr(recipe) == repr(recipe) == "Recipe(margin=0, width=told)"
    assert len(made) == 1


@pytest.mark.parametrize(
    "more",
    [
        "    def __repr__(self):\n        return f'R({self.margin}, {self.width:>3})'\n",
        '    def __repr__(self):\n        """Short."""\n        return "R" + f"{self.margin}"\n',
        "    def __repr__(self):\n        return f'{self.__class__.__name__}<{self.margin!r}>'\n",
    ],
)
def test_a_repr_of_its_own_keeps_its_text(more: str) -> None:
    module = text(more=f"\n{more}")
    old, new = recipe_class(module)(), recipe_class(fixed(module))()
    assert repr(new) == repr(old) == repr(new)
    old.margin = new.margin = 5
    assert repr(new) == repr(old)


def test_a_frozen_class_needs_no_assignment() -> None:
    after = fixed(text(arguments="(frozen=True)"))
    assert "__setattr__(self, name" not in after
    recipe = recipe_class(after)(2)
    assert repr(recipe) == repr(recipe) == "Recipe(margin=2, width=1)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        recipe.margin = 3
    assert hash(recipe) == hash(recipe_class(after)(2))


def test_a_hidden_field_stays_hidden() -> None:
    module = text(more="    secret: str = field(default='s', repr=False)\n")
    assert repr(recipe_class(fixed(module))()) == repr(recipe_class(module)())


@pytest.mark.parametrize(
    "module",
    [
        text("object", "None"),
        text("Base", "None"),
        text("typing.Any", "None"),
        text("tuple[list, ...]", "()"),
        text("'int | Base'", "1"),
        text("'not python('", "1"),
        text(bases="(Base)"),
        text(more="\n    def __setattr__(self, name, value):\n        super().__setattr__(name, value)\n"),
        text(more="\n    def __repr__(self):\n        return f'R({len(self.margin)})'\n"),
        text(more="\n    def __repr__(self):\n        return f'R({self.other})'\n"),
        text(more="\n    def __repr__(self):\n        x = 1\n        return f'R({self.margin}{x})'\n"),
        text(more="\n    def set(self):\n        self.__dict__['margin'] = 1\n"),
        text(more="\n    def set(self):\n        object.__setattr__(self, 'margin', 1)\n"),
        text(more="    _cached_repr = 1\n"),
    ],
)
def test_there_is_none_where_a_text_might_be_out_of_date(module: str) -> None:
    assert fix_of(module) is None


def test_it_is_never_safe() -> None:
    fix = fix_of(text())
    assert fix is not None and fix.applicability is Applicability.UNSAFE


def test_empty_lines_hold_no_blanks() -> None:
    assert not any(line.isspace() for line in fixed(text()).splitlines())


FAMILY = """\
from dataclasses import dataclass

import torch


@dataclass
class Recipe:
    margin: int = 0


@dataclass
class Delayed(Recipe):
    interval: int = 1


@dataclass
class Named(Recipe):
    label: str = "a"

    def __repr__(self) -> str:
        return f"Named({self.label}, {self.margin})"


cache = {}


class Net(torch.nn.Module):
    def forward(self, x, USED):
        return cache[KEY]
"""


@pytest.mark.parametrize(
    "used", [("recipe", "delayed", "named"), ("delayed",), ("named",), ("named", "recipe")]
)
def test_classes_that_derive_from_each_other_share_one_attribute(used: tuple[str, ...]) -> None:
    given = ", ".join(f"{name}: {name.title()}" for name in used)
    keys = ", ".join(f"repr({name})" for name in used)
    after = fixed(FAMILY.replace("USED", given).replace("KEY", f"({keys})"))
    assert after.count("_cached_repr = None\n") == after.count("def __setattr__") == 1
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(after, "net.py", "exec", dont_inherit=True), names)
    for name in used:
        made = names[name.title()]()
        before = repr(made)
        assert repr(made) is before
        made.margin = 5
        assert repr(made) == before.replace("0", "5") != before


def test_the_text_of_a_base_that_shows_its_own_fields_is_not_taken_over() -> None:
    shown = '    def __repr__(self) -> str:\n        return f"Recipe({self.margin})"\n'
    module = FAMILY.replace("    margin: int = 0\n", f"    margin: int = 0\n\n{shown}")
    after = fixed(module.replace("USED", "delayed: Delayed").replace("KEY", "repr(delayed)"))
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(after, "net.py", "exec", dont_inherit=True), names)
    assert repr(names["Delayed"]()) == "Delayed(margin=0, interval=1)"
    assert after.count("_cached_repr = None\n") == 1
