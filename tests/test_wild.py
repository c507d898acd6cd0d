"""Draws of findings of packages that nobody looked at, and the counting of verdicts on them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from corpus_files import CorpusError, Package, requirements
from corpus_run import Found, PackageRun, excerpt, lint
from wild import (
    OF_A_RULE,
    PACKAGES,
    READ,
    as_toml,
    count,
    draw,
    draw_first,
    interval,
    left,
    load,
    main,
    places,
    sets,
)


def found(line: int, code: str) -> Found:
    return Found("pkg", "pkg/a.py", line, code, "sync-in-step", "a sync", "step", "a.py:1 loop")


def test_the_sets_hold_six_packages_each_and_none_twice() -> None:
    names = sets()
    pinned = [requirements(PACKAGES, name) for name in names]
    others = {package.name for package in requirements()}
    assert [len(packages) for packages in pinned] == [6] * len(names)
    packages = {package.name for of_set in pinned for package in of_set}
    assert len(packages | others) == 6 * len(names) + len(others)


def test_sets_are_those_that_are_pinned_in_the_order_of_the_alphabet_and_all_were_read() -> None:
    names = sets()
    assert names[:2] == ["a", "b"]
    assert names[25:27] == ["z", "aa"]
    assert all(load(READ / f"{name}.toml") for name in names)


@pytest.mark.parametrize(("asked", "counted"), [([], sets()), (["b", "aa"], ["b", "aa"])])
def test_what_is_left_is_asked_of_all_sets_unless_some_are_named(
    asked: list[str], counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr("wild.show_left", lambda names, *_: shown.append(names))
    assert main(["--left", *asked]) == 0
    assert shown == [counted]


def test_a_draw_takes_a_few_of_each_rule_whatever_order_findings_come_in() -> None:
    findings = [found(line, f"OVH{code}") for code in range(400, 420) for line in range(20)]
    drawn = draw(findings, 1)
    assert len(drawn) == 100
    assert max(sum(one.code == code for one in drawn) for code in {one.code for one in drawn}) <= OF_A_RULE
    mixed = random.Random(3).sample(findings, len(findings))
    assert draw(mixed, 1) == drawn != draw(findings, 2)


def test_rules_with_few_findings_are_drawn_whole() -> None:
    assert len(draw([found(line, "OVH404") for line in range(30)] + [found(1, "OVH101")], 0)) == OF_A_RULE + 1


def test_a_draw_of_what_reports_begin_with_takes_the_first_ten_of_each_and_others_up_to_100() -> None:
    findings = [
        found(line, "OVH404")._replace(package=package, rank=line)
        for package in ("a", "b")
        for line in range(151)
    ]
    drawn = draw_first(findings, 1)
    assert len(set(drawn)) == 100
    assert sum(0 < one.rank <= 10 for one in drawn) == 20
    assert draw_first(list(reversed(findings)), 1) == drawn != draw_first(findings, 2)


def test_the_interval_is_wilsons() -> None:
    assert interval(90, 100) == pytest.approx((0.8256, 0.9448), abs=1e-4)
    low, high = interval(10, 10)
    assert 0.7 < low < 0.75
    assert high == pytest.approx(1.0)


def test_a_draw_is_filled_in_and_counted(tmp_path: Path) -> None:
    readings = "".join(as_toml(found(line, "OVH404")) for line in range(1, 4))
    path = tmp_path / "r.toml"
    path.write_text(readings)
    with pytest.raises(CorpusError, match=r"verdict of pkg/a\.py:1 is none of"):
        load(path)
    for verdict in ("right", "wrong", "unsure"):
        readings = readings.replace('verdict = ""', f'verdict = "{verdict}"', 1)
    path.write_text(readings)
    text = count(load(path))
    assert "worth" not in text
    assert "right of all: 1 of 3, 0.33" in text
    assert "right of those judged: 1 of 2, 0.50" in text


def test_what_is_worth_a_change_is_right_and_counted_by_tier_and_rank(tmp_path: Path) -> None:
    stall = found(1, "OVH404")._replace(tier="stall", rank=3, links=2, reason="loop", fix="safe")
    readings = (
        as_toml(stall) + as_toml(stall._replace(line=2, rank=11)) + as_toml(stall._replace(tier="micro"))
    )
    for verdict in ("worth it", "wrong", "right"):
        readings = readings.replace('verdict = ""', f'verdict = "{verdict}"', 1)
    path = tmp_path / "r.toml"
    path.write_text(readings)
    first = load(path)[0]
    assert (first["tier"], first["kind"], first["links"], first["fix"]) == ("stall", "loop", 2, "safe")
    text = count(load(path))
    assert "right of all: 2 of 3, 0.67" in text
    assert "worth a change, of all: 1 of 3, 0.33" in text
    assert "worth a change, of the tiers stall and host: 1 of 2, 0.50" in text
    assert "worth a change, of the first ten of a package: 1 of 2, 0.50" in text


def test_what_is_left_of_readings_is_counted_with_the_lines_that_findings_tell_of_as_well() -> None:
    readings = [
        {"rule": "OVH404", "package": "pkg", "path": "pkg/a.py", "line": line, "verdict": verdict}
        for line, verdict in ((1, "right"), (2, "right"), (3, "right"), (4, "wrong"), (5, "unsure"))
    ]
    findings = [found(1, "OVH404")._replace(also=(2,)), found(3, "OVH403"), found(5, "OVH404")]
    run = PackageRun(Package("pkg", "1.0"), Path(), 1, 2000, 0.1, tuple(findings), ())
    read = places(readings, [run])
    assert [one.is_left for one in read] == [True, True, False, False, True]
    assert read[2].shown == "pkg pkg/a.py:3 OVH404"
    rule, total = [line.split() for line in left(read, "tsv").splitlines()[1:]]
    assert rule == ["OVH404", "5", "3", "1", "1", "0.75", "2", "1", "0", "1.00"]
    assert total == ["all", *rule[1:]]
    only_wrong = left(read[3:4], "tsv").splitlines()[1].split()
    assert only_wrong == ["OVH404", "1", "0", "0", "1", "0.00", "0", "0", "0"]


def test_bad_readings_are_one_line_and_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.toml"
    path.write_text("[[reading")
    assert main(["--count", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"wild: {path}: ")


NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        for column in x.unbind(1):
            x = x * torch.tensor([1.0]).to(x.device)
        return self.scaled(x)

    def scaled(self, x: torch.Tensor):
        return x * torch.tensor([2.0]).to(x.device)
"""


def test_a_finding_is_drawn_with_the_places_that_it_tells(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET)
    run = lint(Package("net", "1"), tmp_path, "--select", "OVH408")
    (first,) = (one for one in run.findings if not one.is_told)
    assert (first.line, first.tells) == (12, ("net.py:8 OVH408",))
    assert excerpt(tmp_path, first).endswith("\n  also net.py:8 OVH408")
    assert 'tells = ["net.py:8 OVH408"]' in as_toml(first)
    assert "tells" not in as_toml(found(1, "OVH404"))
