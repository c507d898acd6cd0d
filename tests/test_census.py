"""The census: which places it takes, how it draws them, and what readings say of a family."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from census import (
    CODES,
    DRAWN,
    PACKAGES,
    READINGS,
    VERDICTS,
    Census,
    Site,
    as_toml,
    collect,
    count,
    draw,
    found_among,
    read_elsewhere,
    readings,
    share,
    site_of,
    sites_of,
)
from corpus_files import EVALUATION, CorpusError, Package, requirements
from corpus_run import Found, PackageRun

LATER = range(3, 10)
"""Numbers of the censuses that have packages of their own."""

SOURCE = """
import re, threading, torch
from contextlib import contextmanager
from torch.cuda import Event

with torch.autocast("cuda"):
    pass

@contextmanager
def scope():
    yield

@torch.compile
def step(x):
    return x

net = torch.compile(net)
net.compile()
re.compile("x")
compile("x", "y", "exec")
done, other = torch.cuda.Event(), threading.Event()
own, side = Event(), torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())

def lookup(memo, plan, x):
    key = str(plan)
    memo[f"{plan}"] = 1
    return memo[key], memo.get(repr(plan)), memo["x"], str(plan) in memo
"""


def test_places_of_all_families_are_taken_and_what_only_looks_alike_is_not() -> None:
    lines = SOURCE.splitlines()
    taken: dict[str, list[str]] = {family: [] for family in CODES}
    for family, line in sorted(sites_of(ast.parse(SOURCE))):
        taken[family].append(lines[line - 1].strip())
    assert taken["context"] == ['with torch.autocast("cuda"):', "@contextmanager"]
    assert taken["compile"] == ["@torch.compile", "net = torch.compile(net)", "net.compile()"]
    starts = [text.partition(",")[0].partition(" ")[0] for text in taken["event"]]
    assert starts == ["done", "own", "own", lines[22].split()[0]]
    assert taken["key"] == ["key = str(plan)", 'memo[f"{plan}"] = 1', *[lines[27].strip()] * 2]


def test_files_of_tests_and_files_that_do_not_parse_hold_no_places(tmp_path: Path) -> None:
    for name in ("pkg/a.py", "pkg/tests/b.py", "pkg/test_c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("import torch\nside = torch.cuda.Stream()\n", encoding="utf-8")
    (tmp_path / "pkg/broken.py").write_text("def (", encoding="utf-8")
    assert collect("pkg", tmp_path) == [Site("event", "pkg", "pkg/a.py", 2)]


def test_a_place_is_found_where_a_rule_of_its_family_speaks_of_its_line(tmp_path: Path) -> None:
    sites = [Site("event", "pkg", "a.py", line) for line in (2, 3, 4)]
    told = [
        Found("pkg", "a.py", 2, "OVH402", "event-per-step", "", "step", "", (4,)),
        Found("pkg", "a.py", 3, "OVH404", "sync-in-step", "", "step", ""),
    ]
    run = PackageRun(Package("pkg", "1"), tmp_path, 1, 4, 0.0, tuple(told), ())
    assert found_among(sites, [run]) == {sites[0], sites[2]}


def test_a_draw_takes_thirty_of_each_family_and_ten_of_these_are_found() -> None:
    sites = [Site(family, "pkg", "a.py", line) for family in CODES for line in range(100)]
    found = frozenset(site for site in sites if site.line % 4 == 0)
    drawn = draw(sites, found, 1)
    assert len(drawn) == DRAWN * len(CODES) == 120
    assert all(sum(one.family == family and one in found for one in drawn) == DRAWN // 3 for family in CODES)
    assert draw(list(reversed(sites)), found, 1) == drawn != draw(sites, found, 2)
    assert len(draw(sites, found, 1, places=15)) == 15 * len(CODES)


def test_recall_counts_what_was_not_read_as_what_was() -> None:
    sites = [Site("key", "pkg", "a.py", line) for line in range(30)]
    found = frozenset(sites[:10])
    verdicts = {
        **dict.fromkeys(sites[:4], "yes"),
        sites[4]: "no",
        sites[5]: "unsure",
        sites[10]: "yes",
        **dict.fromkeys(sites[11:15], "no"),
    }
    its = share(verdicts, found, 20)
    assert its[:3] == ((4, 5), (1, 5), 0.8)
    assert its.recall == pytest.approx(8 / (8 + 4))
    assert share({}, frozenset(), 20)[2:] == (None, None)
    read = [{**site._asdict(), "verdict": said} for site, said in verdicts.items()]
    row = count(Census(sites, found, {}), read).splitlines()[3].split()
    assert row == ["key", "30", "10", "4", "of", "5", "1", "of", "5", "0.80", "0.67"]


READ_AT_ONCE = {"torchio"}
"""In the set of strangers that was read by others on the same day, before anything was mended by either."""


def test_packages_are_twenty_and_in_no_other_set() -> None:
    names = {package.name for package in requirements(PACKAGES)}
    assert len(names) == 20
    others = [path for path in sorted(EVALUATION.glob("*.txt")) if path != PACKAGES]
    taken = {line.partition("==")[0] for path in others for line in path.read_text("utf-8").splitlines()}
    assert names & taken == READ_AT_ONCE


def test_a_reading_is_a_place_with_a_verdict(tmp_path: Path) -> None:
    path = tmp_path / "read.toml"
    text = as_toml(Site("key", "pkg", "a.py", 3))
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError, match=r"verdict of a\.py:3"):
        readings(path)
    path.write_text(text.replace(json.dumps("verdict")[1:-1] + ' = ""', 'verdict = "yes"'), encoding="utf-8")
    assert readings(path)[0]["line"] == 3
    path.write_text("", encoding="utf-8")
    with pytest.raises(CorpusError, match="no readings"):
        readings(path)


@pytest.mark.parametrize(
    ("path", "packages"),
    [
        (READINGS, PACKAGES),
        (EVALUATION / "census_2.toml", PACKAGES),
        *((EVALUATION / f"census_{number}.toml", EVALUATION / f"census_{number}.txt") for number in LATER),
    ],
)
def test_what_was_read_is_of_the_packages_and_judged(path: Path, packages: Path) -> None:
    read = readings(path)
    names = {package.name for package in requirements(packages)}
    assert len(set(map(site_of, read))) == len(read) >= 50
    assert read_elsewhere(path).isdisjoint(map(site_of, read)), "each place is read once"
    assert all(one["package"] in names and one["family"] in CODES for one in read)
    assert all(one["verdict"] in VERDICTS and one["reason"] for one in read)


@pytest.mark.parametrize("number", LATER)
def test_packages_of_later_censuses_are_in_no_other_set(number: int) -> None:
    name = f"census_{number}.txt"
    others = [one for one in EVALUATION.glob("*.txt") if one.name not in (name, "names.txt")]
    names = {package.name for other in others for package in requirements(other)}
    assert names.isdisjoint(package.name for package in requirements(EVALUATION / name))
