"""OVH410: checks for finite numbers, which no other rule reports too."""

from __future__ import annotations

import pytest
from rule_cases import forward, lint


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if torch.isnan(x).any():\n    return x", 1),
        ("if torch.any(torch.isnan(x)):\n    return x", 1),
        ("if x.isnan().any() or x.isinf().any():\n    return x", 1),
        ("if not torch.isfinite(x).all().item():\n    return x", 1),
        ("bad = torch.isnan(x).sum()\nif bad > 0:\n    return x", 1),
        ("bad = ~torch.isfinite(x)\nreturn bool(bad.any())", 1),
        ("assert torch.isfinite(x).all(), 'bad'", 1),
        ("import math\nif math.isnan(x.sum()):\n    return x", 1),
        ("import math\nif math.isnan(x.sum().item()):\n    return x", 1),
        ("import math\nreturn math.isnan(self.scale)", 0),
        ("return torch.isnan(x).any()", 0),
        ("return torch.where(torch.isnan(x), 0, x)", 0),
        ("if x.any():\n    return x", 0),
        ("return x.isfinite(x.sum().item())", 0),
    ],
)
def test_checks_for_finite_numbers_are_one_rules_alone(body: str, found: int) -> None:
    assert len(lint("OVH410", forward(body))) == found
    if found:
        assert lint("OVH404", forward(body)) == []
