"""How likely findings are right: the weights that ship are those of the readings, and what they do."""

from __future__ import annotations

from pathlib import Path

import pytest
from confidence import (
    Model,
    Place,
    area,
    as_module,
    collected,
    fitted,
    fitted_worth,
    judged,
    read,
    validated,
    validated_worth,
)
from corpus_run import Found

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import confidence_weights, packs, worth, worth_weights
from overhead_lint.engine.confidence import confidence, file_kind, named, probability
from overhead_lint.engine.settling import Settling
from overhead_lint.measure.rule_costs import RuleCosts
from overhead_lint.project.cross_file import NOTHING_TOLD
from overhead_lint.report.expected_cost import Pricing
from overhead_lint.report.order import by_cost
from overhead_lint.rule import Finding, Heat, ReasonKind, Span, Tier, Warmth
from overhead_lint.rule import Place as Link

TRAITS = ("OVH404", "loop", "step", 1, 0, 0, "training")


def finding(code: str = "OVH404", kind: ReasonKind = ReasonKind.LOOP, **more: object) -> Finding:
    warmth = Warmth(Heat.STEP, "a.py:1 loop", kind, places=(Link("a.py", "", 1),))
    return Finding(Path("train.py"), Span(1, 0, 1, 4), code, "a-rule", "a message", warmth)._replace(**more)  # type: ignore[arg-type]


def test_the_weights_that_ship_are_those_of_the_readings() -> None:
    places = read()
    model = fitted(places)
    assert model == Model(confidence_weights.BIAS, confidence_weights.WEIGHTS)
    assert all(
        model.probability(named(one.traits)) == pytest.approx(probability(one.traits)) for one in places[:50]
    )
    of_worth = fitted_worth(places)
    assert of_worth == Model(worth_weights.BIAS, worth_weights.WEIGHTS)
    right = [one.worth_traits for one in places if one.is_right and one.worth_traits]
    assert judged(places) == worth_weights.READ
    assert all(
        of_worth.probability(worth.named(one)) == pytest.approx(worth.probability(one)) for one in right
    )


def test_the_model_tells_right_from_wrong_in_packages_that_it_was_not_fitted_to() -> None:
    places = read()
    scores = validated(places)
    assert area(scores, [one.is_right for one in places]) > 0.6
    told = [one.is_worth for one in places if one.worth_traits]
    assert area(validated_worth(places, scores), told) > 0.65


def test_a_fit_follows_what_it_is_given() -> None:
    good, bad = TRAITS, ("OVH706", *TRAITS[1:])
    places = [Place("a", f"p{n}", n % 10 != 0, good) for n in range(40)]
    places += [Place("a", f"p{n}", n % 10 == 0, bad) for n in range(40)]
    model = fitted(places)
    assert model.probability(named(good)) > 0.7 > 0.3 > model.probability(named(bad))
    assert area(validated(places), [one.is_right for one in places]) > 0.8
    assert "OVH706" in as_module(model, places)


def test_the_area_under_the_curve_counts_pairs() -> None:
    assert area([0.9, 0.8, 0.3, 0.2], [True, False, True, False]) == 0.75
    assert area([0.5, 0.5], [True, False]) == 0.5


def test_places_that_are_found_are_collected_with_what_is_known_of_them() -> None:
    found = Found(
        "p", "p/train.py", 3, "OVH404", "n", "m", "step", "why", (7,), "stall", "loop", 2, 1, 0
    )._replace(waits=True, waits_again=True)
    readings = [
        {"package": "p", "path": "p/train.py", "line": line, "rule": "OVH404", "verdict": verdict}
        for line, verdict in ((3, "worth it"), (7, "wrong"), (3, "unsure"), (9, "right"))
    ]
    traits = ("OVH404", "loop", "step", 2, 1, 0, "training")
    of_worth = ("OVH404", True, True, 2, "step", "loop")
    expected = [
        Place("x", "p", True, traits, of_worth, is_worth=True, is_large=True),
        Place("x", "p", False, traits, of_worth, is_large=True),
    ]
    assert [*collected("x", readings, [found])] == expected
    older = [{**one, "verdict": "right"} for one in readings[:1]]
    assert [*collected("x", older, [found])] == [Place("x", "p", True, traits)]


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
    found = [
        finding("OVH407", branches=3, tier=Tier.STALL),
        finding("OVH407", span=Span(2, 0, 2, 4), tier=Tier.STALL),
    ]
    kept = settling.settled(found, {}, NOTHING_TOLD)
    assert {one.span: one.confidence for one in kept} == {one.span: confidence(one) for one in found}
    likely, other = sorted(kept, key=lambda one: -min(one.worth, one.confidence))
    assert by_cost([other, likely], Pricing(RuleCosts("", {})).cost, {}) == [likely, other]


def test_what_is_seldom_worth_a_change_is_minor_and_shown_after_the_rest() -> None:
    rules = {rule.code: rule for rule in packs.select(packs.load(), ["OVH1", "OVH4"], [])}
    settling, pricing = Settling(rules, Settings(), rules), Pricing(RuleCosts("", {"OVH101": 1e-4}))
    trains = finding(tier=Tier.STALL)
    trains = trains._replace(warmth=trains.warmth._replace(places=(Link("train.py", ".train", 1),)))
    module = finding(kind=ReasonKind.MODULE, tier=Tier.STALL)
    tiers = {}
    for name, one in {"train": trains, "module": module, "context": finding("OVH101")}.items():
        (kept,) = settling.settled([one], {}, NOTHING_TOLD)
        cost = pricing.cost(kept)
        tiers[name] = cost.tier, cost.waits
        assert 0 < kept.worth < kept.confidence
    assert tiers == {
        "train": (Tier.MINOR, True),  # of 32 such reads of a training loop 4 were worth a change
        "module": (Tier.STALL, True),
        "context": (Tier.MINOR, False),
    }


@pytest.mark.parametrize(
    ("likelihoods", "listed"),
    [
        ([0.5, 0.41, 0.3, 0.2], [0.5, 0.41]),  # two are clearly worth a change
        ([0.3, 0.29, 0.2], [0.3, 0.29]),  # none is: what is as likely as the likeliest
        ([1.0, 0.3, 0.2], [1.0, 0.3]),  # of the first nothing is known
        ([0.1, 0.05], []),
    ],
)
def test_what_is_clearly_worth_a_change_is_listed_or_else_the_likeliest(
    likelihoods: list[float], listed: list[float]
) -> None:
    found = [finding(tier=Tier.STALL, worth=one) for one in likelihoods]
    stays = finding(tier=Tier.STALL, worth=0.9, stays_at=3)
    pricing = Pricing(RuleCosts("", {}), [*found, stays])
    assert [one.worth for one in found if pricing.cost(one).tier is Tier.STALL] == listed
    assert pricing.cost(stays).tier is Tier.MINOR


def test_of_what_nothing_was_read_or_a_run_measured_everything_is_worth_a_change() -> None:
    assert worth.worth(finding("EXA001"), 0.5) == 1.0
    assert worth.worth(finding("OVH102", tier=Tier.CORRECTNESS), 0.5) == 1.0
    assert worth.worth(finding(warmth=Warmth.measured(Heat.STEP, "1 wait"), tier=Tier.STALL), 1.0) == 1.0
