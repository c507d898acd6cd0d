"""Measured lines speak in the codes of rules."""

from __future__ import annotations

import pytest

from overhead_lint import packs
from overhead_lint.dynamic import codes
from overhead_lint.dynamic.codes import code_of
from overhead_lint.probes import METRICS


@pytest.mark.parametrize(
    ("metric", "label", "code"),
    [
        ("contexts", "autocast", "OVH101"),
        ("contexts", "generator-based", ""),
        ("stream_sync", "forward", "OVH404"),
        ("guards", "global state", "OVH307"),
        ("dispatches", "forward", ""),
    ],
)
def test_what_was_measured_has_the_code_of_its_rule(metric: str, label: str, code: str) -> None:
    assert code_of(metric, label) == code


def test_every_code_is_a_rule_and_every_metric_is_measured() -> None:
    known = {loaded.rule.code for loaded in packs.load()}
    assert set(codes._CONTEXTS.values()) | set(codes._METRICS.values()) <= known
    assert set(codes._METRICS) <= set(METRICS)
