"""What a file tells of what its calls pass, and of what it hands over, sets and names."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

from overhead_lint.analysis.graph.passed_arguments import Role, Slot
from overhead_lint.analysis.options import passing
from overhead_lint.project.facts import FileFacts

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from overhead_lint.analysis.ir.records import FunctionIR


def told(text: str) -> dict[str | int, set[object]]:
    """What a file says, by the names of what it calls, and by roles."""
    facts = FileFacts(ast.parse(textwrap.dedent(text)), "m.py", module="pkg.m")
    return {name: {*passed} for name, passed in facts.options.called()}


def slots(text: str, name: str) -> dict[object, str]:
    """The constants that calls of a name pass, by their slots."""
    return {one[0]: one[1] for one in told(text).get(name, ()) if isinstance(one, tuple)}


def test_arguments_are_told_by_place_and_by_name() -> None:
    assert slots("run(1, 'x', deep=None)", "run") == {
        Slot.CALLED: "",
        Slot.SHAPE: "2 deep",
        0: "1",
        1: "'x'",
        "deep": "None",
    }
    many = {Slot.SHAPE: "2 deep ", 0: "", Slot.MANY: "", "deep": "", Slot.ANYTHING: ""}
    assert slots("run(x, *more, deep=y, **rest)", "run") == {Slot.CALLED: "", **many}
    assert slots("partial(run, 1)", "run") == {Slot.CALLED: "", Slot.SHAPE: "1", 0: "1"}
    assert slots("Base.__init__(self, 1)", "Base") == {Slot.CALLED: "", Slot.SHAPE: "1", 0: "1"}


def test_a_call_of_super_passes_to_bases_by_the_names_of_their_files() -> None:
    text = """
        from .base import Trainer as _Trainer
        class Trainer(_Trainer):
            def __init__(self):
                super().__init__(True)
    """
    assert slots(text, "Trainer") == {Slot.CALLED: "", Slot.SHAPE: "1", 0: "True"}


def test_a_name_that_is_called_stands_for_each_of_its_choices() -> None:
    text = "def f(fast):\n make = Fast if fast else slow.Slow\n return make(1)"
    assert slots(text, "make") == {Slot.CALLED: "", Slot.SHAPE: "1", 0: "1"}
    assert all(
        slots(text, name) == {Slot.CALLED: "", Slot.SHAPE: "1", 0: "1", Slot.MAKING: ""}
        for name in ("Fast", "Slow")
    )


def test_what_makes_an_object_comes_with_the_options_that_keep_it_from_running() -> None:
    text = """
        class Net(Module):
            def __init__(self, deep=False):
                self.one = Part() if deep else None
                Part.__init__(self)
    """
    (made,) = [one for one in told(text)["Part"] if isinstance(one, tuple) and one[0] == Slot.MAKING]
    assert [option[2] for option in made[2]] == ["deep", "Net"]


def test_what_is_given_away_is_handed_over_and_what_is_asked_about_is_not() -> None:
    text = """
        def one(): ...
        def two(): ...
        def three(): ...
        class Kind: ...
        class Other: ...
        TABLE = {"one": one}
        def make(x: "Kind"):
            if isinstance(x, (Kind, Other)):
                return two
            three()
    """
    assert told(text)[Role.HANDED] == {"one", "two"}
    assert told("@registered\ndef one(): ...\n@property\ndef two(): ...")[Role.HANDED] == {"one"}


def test_attributes_are_set_on_others_or_turned_on_with_an_annotation_or_without() -> None:
    found = told("""
        import torch
        torch.backends.cudnn.benchmark = True
        def f(self, other):
            self.a = True
            self.b: bool = True
            self.c = False
            self.d = other
            other.e = other
            other.f = None
            setattr(other, "g", 1)
    """)
    assert (found[Role.STORED], found[Role.TURNED_OFF]) == ({"a", "b", "e", "g"}, {"f"})


def test_names_are_those_of_imports_of_what_modules_hold_and_in_texts() -> None:
    found = told("""
        import pkg.one
        from pkg.two import *
        from pkg import three as four
        def f(x: pkg.one.Kind):
            return run(pkg.five), x.six, pkg.seven.eight, "pkg.nine:ten"
    """)
    assert Role.HANDED not in found
    assert found[Role.NAMED] == {"five", "eight", "ten", "Kind"}
    assert found[Role.ALL_OF] == {"two", "five"}


def test_the_texts_of_a_function_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    texts = passing._texts

    def noted(record: FunctionIR) -> Iterator[str]:
        looked.append(record.name)
        return texts(record)

    monkeypatch.setattr(passing, "_texts", noted)
    told("import net\ndef f():\n    return 'net.Part'\ndef g():\n    return net")
    assert sorted(looked) == ["", "f", "g"]


def test_what_is_imported_comes_with_its_module_and_by_the_name_that_it_has_there() -> None:
    text = """
        from .one import a as b, c
        from ..two import d
        from three import e, f, g
        from . import h
        def run(x):
            b(1)
            return c, isinstance(x, e), f.i
    """
    found = told(text)
    imported = {("a", "pkg.one", ()), ("c", "pkg.one", ()), ("e", "three", ()), ("f", "three", ())}
    assert found[Role.IMPORTED] == imported
    assert found[Role.UNUSED] == {("d", "two", ()), ("g", "three", ()), ("h", "pkg", ())}
    assert slots(text, "a") == {Slot.CALLED: "", Slot.SHAPE: "1", 0: "1"}
    assert "b" not in found
    assert found[Role.HANDED] == {"c"}
    assert (found[Role.CALLED_AT_HOME], found[Role.HANDED_AT_HOME]) == ({"a"}, {"c"})
    assert found[Role.TAKEN] == {"f"}
