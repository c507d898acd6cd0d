"""Rules as the cache knows them."""

from __future__ import annotations

import ast
import json
import marshal
import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint.engine import known_rules, packs
from overhead_lint.engine.packs import LoadedRule

ALL = packs.load(())
SHOWN = ("code", "name", "summary", "triggers", "heat", "preview", "yields_to", "in_cold_files", "brief")
UNNEEDED = "overhead_lint.rules.tensors.factory_then_to"
"""A rule that looks only at calls of a few names."""


def test_rules_come_back_as_they_were() -> None:
    found = known_rules.read(marshal.loads(marshal.dumps(known_rules.written(ALL))))
    assert len(found) == len(ALL) > 50
    for known, real in zip(found, ALL, strict=True):
        assert (known.origin, known.page) == (real.origin, real.page)
        assert [getattr(known.rule, name) for name in SHOWN] == [getattr(real.rule, name) for name in SHOWN]
        assert bool(known.rule.unread) is bool(real.rule.handlers) and real.rule.unread == ()
        asked = [
            (of.__name__, real.rule.named.get(handler) if of is ast.Call else None)
            for of, handlers in real.rule.handlers.items()
            for handler in handlers
        ]
        assert list(known.rule.unread) == asked
        assert known.rule.handlers is real.rule.handlers and known.rule.unread == ()
        assert known.rule.named is real.rule.named
    with pytest.raises(AttributeError):
        found[0].rule.missing  # type: ignore[attr-defined]  # noqa: B018


def test_those_of_third_parties_are_always_loaded() -> None:
    assert known_rules.written([*ALL, LoadedRule(ALL[0].rule, "rule pack 'other'")]) == ()


def test_only_rules_that_a_changed_file_may_need_are_imported(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    model = tmp_path / "model.py"
    model.write_text("import torch\n\n\ndef f(x):\n    return x.item()\n")
    script = (
        "import json, sys\n"
        "from overhead_lint.cli.main import main\n"
        "main(['.', '-q', '--min-heat', 'presumed'])\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('overhead_lint.rules.')]))\n"
    )
    told = []
    for text in ("", "# again\n"):
        model.write_text(model.read_text() + text)
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        told.append(done.stdout.splitlines())
    assert told[0][:-1] == told[1][:-1]
    assert "OVH404" in told[0][0]
    assert "overhead_lint.rules.streams.sync_in_step" in told[1][-1]
    assert UNNEEDED in told[0][-1] and UNNEEDED not in told[1][-1]  # its words are there, and no such call
    assert len(json.loads(told[1][-1])) < len(json.loads(told[0][-1])) / 2


def test_no_module_of_somebody_else_is_taken_from_a_cache() -> None:
    values = known_rules.written(ALL[:1])[0]
    with pytest.raises(ValueError, match="no built-in rule"):
        known_rules.read(((*values[:-2], "somewhere.else", ""),))


def test_built_in_rules_are_looked_for_once_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "_modules", lambda package: ())
    assert packs.load(()) == ALL
