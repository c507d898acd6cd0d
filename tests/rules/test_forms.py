"""Forms of overhead: which rule speaks about each by default, and that none does about what replaces it."""

from __future__ import annotations

import pytest
from form_cases import FORMS, Form, spoken

_NAMES = [form.name for form in FORMS]
_MANY = 80


def test_forms_are_many_and_each_has_its_name() -> None:
    assert len(FORMS) >= _MANY
    assert len(set(_NAMES)) == len(_NAMES)


@pytest.mark.parametrize("form", FORMS, ids=_NAMES)
def test_form_is_told_of_by_its_rule(form: Form) -> None:
    codes = spoken(form.before)
    if form.rule:
        assert form.rule in codes
    else:
        assert set(codes) <= form.still


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.after], ids=[form.name for form in FORMS if form.after]
)
def test_what_replaces_a_form_is_let_be(form: Form) -> None:
    codes = spoken(form.after)
    assert form.rule not in codes
    assert set(codes) <= form.still
