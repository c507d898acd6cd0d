"""Named tuples of our own making are those of `typing`, without what their annotations cost."""

from __future__ import annotations

import pickle
import subprocess
import sys
import typing

import pytest

from overhead_lint.rule import Fix, Span, Warmth
from overhead_lint.support.compiled_form import is_compiled
from overhead_lint.tuples import NamedTuple


class Ours(NamedTuple):
    """Told by `help`."""

    name: str
    size: int = 3
    """Of it."""
    parts: tuple[str, ...] = ()

    @property
    def twice(self) -> int:
        """Its size, again."""
        return 2 * self.size

    @classmethod
    def empty(cls) -> Ours:
        """One without a name."""
        return cls("")


class Theirs(typing.NamedTuple):
    """Told by `help`."""

    name: str
    size: int = 3
    """Of it."""
    parts: tuple[str, ...] = ()

    @property
    def twice(self) -> int:
        """Its size, again."""
        return 2 * self.size

    @classmethod
    def empty(cls) -> Theirs:
        """One without a name."""
        return cls("")


def test_is_made_as_typing_makes_it() -> None:
    ours, theirs = Ours("a", parts=("b",)), Theirs("a", parts=("b",))
    assert tuple(ours) == tuple(theirs) and ours.twice == theirs.twice == 6
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert Ours.empty() == ("", 3, ()) and Ours.__bases__ == Theirs.__bases__ == (tuple,)
    for name in ("_fields", "_field_defaults", "__doc__", "__module__", "__match_args__", "__slots__"):
        assert getattr(Ours, name) == getattr(Theirs, name), name
    assert Ours.__qualname__ == "Ours"
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
    # Where a class keeps its annotations changed with Python 3.14; what they are was compared above.
    left_out = {"__orig_bases__", "__annotate_func__", "__annotations__", "__annotations_cache__"}
    assert [name for name in dir(Ours) if name not in left_out] == [
        name for name in dir(Theirs) if name not in left_out
    ]


class Long(NamedTuple):
    """With more fields than most."""

    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int
    last: int = 12


def test_any_number_of_fields_can_be_given_by_name() -> None:
    assert Long(*range(11)) == Long(**dict(zip(Long._fields, range(11), strict=False))) == (*range(11), 12)
    assert Long.__doc__ == "With more fields than most."


@pytest.mark.parametrize(
    "wrong",
    [
        lambda kind: kind(),
        lambda kind: kind("a", 1, (), 2),
        lambda kind: kind("a", other=1),
        lambda kind: kind._make(["a"]),
        lambda kind: kind("a")._replace(other=1),
    ],
)
def test_tells_what_is_wrong_as_those_of_typing_do(wrong: typing.Callable[[typing.Any], object]) -> None:
    told = []
    for kind in (Ours, Theirs):
        with pytest.raises((TypeError, ValueError)) as error:
            wrong(kind)
        told.append((type(error.value), str(error.value).replace(kind.__name__, "")))
    assert told[0] == told[1]


def test_has_fields_that_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        setattr(Ours("a"), "name", "b")  # noqa: B010
    with pytest.raises(AttributeError):
        setattr(Ours("a"), "other", "b")  # noqa: B010


def test_can_be_replaced_in_part_and_sent_to_other_processes() -> None:
    assert Ours("a")._replace(size=4) == Ours("a", 4)
    found = pickle.loads(pickle.dumps(Ours("a")))
    assert found == Ours("a") and type(found) is Ours


@pytest.mark.parametrize("made", [Fix, Span, Warmth])
def test_makes_those_of_the_package(made: type[tuple[object, ...]]) -> None:
    assert issubclass(made, tuple) and made.__doc__ and getattr(made, "_fields")  # noqa: B009


@pytest.mark.skipif(is_compiled(), reason="the compiler makes those of its modules with typing")
def test_a_check_makes_none_that_typing_makes(tmp_path: typing.Any) -> None:
    """One that `typing` makes is compiled annotation by annotation, in every run."""
    (tmp_path / "a.py").write_text("import torch\n\n\ndef f(x):\n    return x.item()\n")
    program = (
        "import sys, typing\n"
        "made = []\n"
        "original = typing.NamedTupleMeta.__new__\n"
        "def counted(cls, name, *rest):\n"
        "    made.append(name)\n"
        "    return original(cls, name, *rest)\n"
        "typing.NamedTupleMeta.__new__ = counted\n"
        "from overhead_lint.cli.main import main\n"
        "main(['check', '--isolated', '-q', '--no-cache', '.'])\n"
        "sys.exit(' '.join(made) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
