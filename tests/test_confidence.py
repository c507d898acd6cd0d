"""How likely findings are right: the weights that ship are those of the readings, and what they do."""

from __future__ import annotations

from pathlib import Path

import pytest
from confidence import Model, Place, area, as_module, collected, fitted, read, validated
from corpus_run import Found

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import confidence_weights, packs
from overhead_lint.engine.confidence import confidence, file_kind, probability
from overhead_lint.engine.settling import Settling
from overhead_lint.measure.rule_costs import RuleCosts
from overhead_lint.project.cross_file import NOTHING_TOLD
from overhead_lint.report.expected_cost import Pricing
from overhead_lint.report.order import by_cost
from overhead_lint.rule import Finding, Heat, ReasonKind, Span, Warmth

TRAITS = ("OVH404", "loop", "step", 1, 0, 0, "training")


def finding(code: str = "OVH404", kind: ReasonKind = ReasonKind.LOOP, **more: object) -> Finding:
    warmth = Warmth(Heat.STEP, "a.py:1 loop", kind, 1)
    return Finding(Path("train.py"), Span(1, 0, 1, 4), code, "a-rule", "a message", warmth)._replace(**more)  # type: ignore[arg-type]


def test_the_weights_that_ship_are_those_of_the_readings() -> None:
    places = read()
    model = fitted(places)
    assert model == Model(confidence_weights.BIAS, confidence_weights.WEIGHTS)
    assert all(model.probability(one.traits) == pytest.approx(probability(one.traits)) for one in places[:50])


def test_the_model_tells_right_from_wrong_in_packages_that_it_was_not_fitted_to() -> None:
    places = read()
    scores = validated(places)
    assert area(scores, [one.is_right for one in places]) > 0.6


def test_a_fit_follows_what_it_is_given() -> None:
    good, bad = TRAITS, ("OVH706", *TRAITS[1:])
    places = [Place("a", f"p{n}", n % 10 != 0, good) for n in range(40)]
    places += [Place("a", f"p{n}", n % 10 == 0, bad) for n in range(40)]
    model = fitted(places)
    assert model.probability(good) > 0.7 > 0.3 > model.probability(bad)
    assert area(validated(places), [one.is_right for one in places]) > 0.8
    assert "OVH706" in as_module(model, places)


def test_the_area_under_the_curve_counts_pairs() -> None:
    assert area([0.9, 0.8, 0.3, 0.2], [True, False, True, False]) == 0.75
    assert area([0.5, 0.5], [True, False]) == 0.5


def test_places_that_are_found_are_collected_with_what_is_known_of_them() -> None:
    found = Found("p", "p/train.py", 3, "OVH404", "n", "m", "step", "why", (7,), "stall", "loop", 2, 1, 0)
    readings = [
        {"package": "p", "path": "p/train.py", "line": line, "rule": "OVH404", "verdict": verdict}
        for line, verdict in ((3, "worth it"), (7, "wrong"), (3, "unsure"), (9, "right"))
    ]
    traits = ("OVH404", "loop", "step", 2, 1, 0, "training")
    expected = [Place("x", "p", True, traits), Place("x", "p", False, traits)]
    assert [*collected("x", readings, [found])] == expected


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("pkg/engine/train_net.py", "model"),
        ("train.py", "training"),
        ("pkg/data/things.py", "data"),
        ("a\\b\\LossFunctions.py", "loss"),
        ("pkg/x/y.py", "other"),
    ],
)
def test_the_kind_of_a_file_is_that_of_its_last_word_that_tells(path: str, kind: str) -> None:
    assert file_kind(path) == kind


def test_what_was_measured_and_rules_of_others_are_not_doubted() -> None:
    assert confidence(finding(warmth=Warmth.measured(Heat.STEP, "1 wait"))) == 1.0
    assert confidence(finding("EXA001")) == 1.0
    assert 0 < confidence(finding()) < 1


def test_settling_gives_findings_their_confidence_and_reports_put_the_likely_first() -> None:
    rules = {rule.code: rule for rule in packs.select(packs.load(), ["OVH4"], [])}
    settling = Settling(rules, Settings(), rules)
    found = [finding("OVH407", branches=3), finding("OVH404")]
    kept = settling.settled(found, {}, NOTHING_TOLD)
    assert {one.code: one.confidence for one in kept} == {one.code: confidence(one) for one in found}
    likely, other = sorted(kept, key=lambda one: -one.confidence)
    assert by_cost([other, likely], Pricing(RuleCosts("", {})).cost) == [likely, other]
