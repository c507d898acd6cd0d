"""Once in so many steps, where defaults, settings files or calls say how many."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat

_STEPS = """
    import argparse
    import torch

    {told}

    {head}
        for i, batch in enumerate(loader):
            critic_optimizer.step()
            if {test}:
                optimizer.step()
                here()
    """
_PARSED = "parser = argparse.ArgumentParser()\n    parser.add_argument('--turn', type=int, default={})"
_MAIN = "def main(loader, args, critic_optimizer, optimizer):"
_WHY = "m.py: {}: m.py:{} loop over loader"


def _heat(folder: Path, test: str, told: str = "", head: str = _MAIN, **others: str) -> str:
    source = _STEPS.format(told=told, head=head, test=test)
    return heat(folder, {"m.py": source, "other.py": "import m\n", **others})[0]


TESTS = {
    "equal": "i % args.turn == 0",
    "equal to the last": "i % args.turn == args.turn - 1",
    "the next": "(i + 1) % args.turn == 0",
    "the other way round": "0 == i % args.turn",
    "not": "not i % args.turn",
    "not different": "not (i % args.turn != 0)",
    "and more": "batch is not None and i % args.turn == 0",
}


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize(("every", "is_left"), [(4, False), (5, True), (100, True)])
def test_an_interval_that_a_parser_has_by_default(
    tmp_path: Path, test: str, every: int, is_left: bool
) -> None:
    found = _heat(tmp_path, test, _PARSED.format(every))
    usual = _WHY.format("presumed" if is_left else "step", 8)
    assert found == usual + (f", but not by default: args.turn={every}" if is_left else "")


def test_what_another_round_skips(tmp_path: Path) -> None:
    source = """
        def main(loader, optimizer, turn=8):
            for i, batch in enumerate(loader):
                optimizer.step()
                if i % turn:
                    continue
                here()
        """
    found = heat(tmp_path, {"m.py": source, "other.py": "import m\n"})
    assert found == ["m.py: presumed: m.py:2 loop over loader, but not by default: main(turn=8)"]


@pytest.mark.parametrize(("every", "is_left"), [(3, False), (16, True)])
def test_an_interval_that_a_settings_file_has(tmp_path: Path, every: int, is_left: bool) -> None:
    (tmp_path / "a.yaml").write_text(f"train:\n  turn: {every}\n", encoding="utf-8")
    found = _heat(tmp_path, "i % args.turn == 0")
    assert found.startswith(_WHY.format("presumed" if is_left else "step", 7))
    assert found.endswith(f"args.turn={every}") is is_left


@pytest.mark.parametrize("every", [2, 7])
def test_an_interval_that_calls_pass(tmp_path: Path, every: int) -> None:
    head = _MAIN.replace("args", "turn")
    told = f"main([], turn={every}, critic_optimizer=0, optimizer=0)"
    found = _heat(tmp_path, "i % turn == 0", head=head, **{"run.py": f"from m import main\n{told}\n"})
    assert found == ("m.py: cold: all calls pass 7 for turn" if every == 7 else _WHY.format("step", 7))


def test_micro_batches_are_no_interval(tmp_path: Path) -> None:
    source = f"""
        import argparse
        {_PARSED.format(8).replace("    ", "        ")}
        def main(loader, args, optimizer, loss):
            for i, batch in enumerate(loader):
                loss.backward()
                if i % args.turn == 0:
                    optimizer.step()
                    here()
        """
    assert heat(tmp_path, {"m.py": source, "other.py": ""}) == ["m.py: step: m.py:5 loop over loader"]


def test_what_another_round_skips_may_be_the_step_itself(tmp_path: Path) -> None:
    source = """
        def main(loader, optimizer, every=8):
            for i, batch in enumerate(loader):
                if i % every != 0:
                    continue
                optimizer.zero_grad()
                with torch.autograd.profiler.record_function("step"):
                    optimizer.step()
                here()
        """
    assert heat(tmp_path, {"m.py": source, "other.py": ""}) == ["m.py: step: m.py:2 loop over loader"]


@pytest.mark.parametrize(("counter", "is_seldom"), [("i", True), ("layer", False)])
def test_a_number_that_is_written(tmp_path: Path, counter: str, is_seldom: bool) -> None:
    found = _heat(tmp_path, f"{counter} % 5 == 0", told="layer = len('')")
    assert found == ("m.py: cold: runs every 5 steps (line 9)" if is_seldom else _WHY.format("step", 7))
