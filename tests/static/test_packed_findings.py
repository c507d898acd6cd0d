"""Findings as numbers and a table of texts."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest

from overhead_lint.analysis.graph.option import ATTRIBUTE
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.cache.packed_findings import PackedFindings
from overhead_lint.project.marked_names import mark, unmarked
from overhead_lint.rule import (
    Applicability,
    Finding,
    Fix,
    Gate,
    GateKind,
    Heat,
    Option,
    Repeated,
    Span,
    Standing,
    Warmth,
)

PATH = Path("model.py")
PLAIN = Finding(
    PATH, Span(3, 5, 4, 9), "OVH101", "some-rule", "costs time", Warmth(Heat.STEP, "a loop"), "do less"
)
FIXED = PLAIN._replace(
    fix=Fix(Applicability.UNSAFE, "write it otherwise", ()),
    standing=Standing(".Model.forward", 3, ":8 loop", ReasonKind.LOOP),
    warmth=Warmth(Heat.LOOP, "c.py:8 loop", ReasonKind.ROUND, repeated=Repeated.LOOP),
)
OPTION = Option(ATTRIBUTE, "self.config", "clip", "None", shut_by=(3,), words=("norm",))
HANGING = PLAIN._replace(
    standing=Standing(".Model.forward", 1, "", options=(OPTION,)),
    warmth=Warmth(Heat.PRESUMED, "a loop", ReasonKind.ROUND, options=(OPTION,), is_round_unknown=True),
)
GATE = Gate(GateKind.EVERY, "step", "log_every", 7)
GATED = PLAIN._replace(
    standing=Standing(".Model.forward", 0, "", gate=GATE), warmth=Warmth(Heat.COLD, "", gate=GATE)
)


def test_findings_come_back_as_they_were() -> None:
    packed = PackedFindings()
    data = packed.pack([PLAIN, FIXED, GATED, HANGING])
    kept = marshal.loads(marshal.dumps(packed.texts))
    found = PackedFindings(kept).unpack(data, PATH, str)
    assert found == [PLAIN, FIXED, GATED, HANGING]
    assert found[3].warmth.why == (
        "a loop, but not by default: self.config.clip=None; how much one round of it does is not known"
    )
    assert found[2].warmth.why == "runs every log_every steps (line 7)"
    assert packed.unpack(packed.pack([]), PATH, str) == []


def test_a_text_that_many_findings_say_is_kept_once() -> None:
    packed = PackedFindings()
    packed.pack([PLAIN] * 100)
    assert len(packed.texts) == len(set(packed.texts)) == 6


def test_marked_names_of_files_are_shown_as_the_run_shows_them() -> None:
    packed = PackedFindings()
    marked = PLAIN._replace(
        message=f"as in {mark('a.py')}:1",
        help=mark("b.py"),
        warmth=Warmth(Heat.LOOP, f"{mark('c.py')}:2 loop"),
    )
    [found] = packed.unpack(packed.pack([marked]), PATH, lambda text: unmarked(text, str.upper))
    assert (found.message, found.help, found.warmth.why) == ("as in A.PY:1", "B.PY", "C.PY:2 loop")


def test_a_new_table_leaves_old_texts_behind() -> None:
    old, new = PackedFindings(), PackedFindings()
    old.pack([PLAIN._replace(message="said no more")])
    data = old.pack([FIXED, GATED, HANGING, PLAIN])
    moved = old.moved(data, new)
    assert new.unpack(moved, PATH, str) == [FIXED, GATED, HANGING, PLAIN]
    assert "said no more" in old.texts
    assert "said no more" not in new.texts


def test_data_cut_off_is_an_error() -> None:
    packed = PackedFindings()
    with pytest.raises(ValueError, match="zip"):
        packed.unpack(packed.pack([PLAIN])[:-4], PATH, str)
