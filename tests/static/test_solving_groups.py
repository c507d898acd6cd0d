"""Which files are solved together, and that it hangs on the project alone."""

from __future__ import annotations

import itertools

import pytest

from overhead_lint.workspace import solving_groups
from overhead_lint.workspace.solving_groups import assigned, names_compile

Imports = dict[str, dict[str, str]]

A = {"a": "a.py", "utils": "utils.py"}
B = {"b": "b.py", "utils": "utils.py", "a": "a.py", "c": "c.py"}
D = {"d": "d.py", "e": "e.py"}


def sets(compiling: Imports, asking: Imports) -> list[tuple[set[str], list[str]]]:
    """Return the files of each group and those that ask in it."""
    return [(set(group.files.values()), group.asking) for group in assigned(compiling, asking)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"net = torch.compile(net)", True),
        (b"from torch import compile", True),
        (b"import torch as t, compile", True),
        (b"net.compile()", True),
        (b"pattern = re.compile('a')", False),
        (b"pattern = regex.compile('a')", False),
        (b"compiled = compile_all(net)", False),
        (b"torch.compiler.disable()", False),
        (b"", False),
    ],
)
def test_only_what_names_compile_may_compile(text: bytes, expected: bool) -> None:
    assert names_compile(text) is expected


def test_files_that_share_half_of_theirs_are_solved_together() -> None:
    compiling = {"a.py": A, "b.py": B, "d.py": D}
    assert sets(compiling, compiling) == [
        ({"a.py", "b.py", "c.py", "utils.py"}, ["a.py", "b.py"]),
        ({"d.py", "e.py"}, ["d.py"]),
    ]


def test_files_that_share_little_are_solved_apart() -> None:
    other = {"o": "o.py", "c": "c.py", "utils": "utils.py", "p": "p.py", "q": "q.py"}
    compiling = {"b.py": B, "o.py": other}
    assert len(assigned(compiling, compiling)) == 2


def test_what_is_solved_does_not_hang_on_who_asks_or_in_which_order() -> None:
    compiling = {"a.py": A, "b.py": B, "d.py": D}
    for names in itertools.permutations(compiling):
        shuffled = {name: compiling[name] for name in names}
        assert assigned(shuffled, {"b.py": B})[0].files == assigned(compiling, compiling)[0].files


def test_one_name_for_two_files_keeps_them_apart() -> None:
    other = {"b": "b.py", "utils": "other/utils.py", "a": "a.py"}
    compiling = {"a.py": A, "b.py": other}
    assert len(assigned(compiling, compiling)) == 2


def test_one_that_only_formats_looks_where_all_its_files_are() -> None:
    compiling = {"a.py": A, "b.py": B}
    asking = {"c.py": {"c": "c.py", "utils": "utils.py"}, "f.py": {"f": "f.py", "utils": "utils.py"}}
    assert sets(compiling, asking) == [
        ({"a.py", "b.py", "c.py", "utils.py"}, ["c.py"]),
        ({"f.py", "utils.py"}, ["f.py"]),
    ]


def test_groups_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving_groups, "MOST_TOGETHER", 4)
    compiling = {f"{n}.py": {f"{n}": f"{n}.py", "utils": "utils.py"} for n in range(6)}
    found = assigned(compiling, compiling)
    assert [len(group.files) for group in found] == [4, 4]
    assert sorted(itertools.chain(*(group.asking for group in found))) == sorted(compiling)
