"""``overhead-lint rule CODE``: a rule's page. ``overhead-lint rule --list``: all rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from overhead_lint import packs

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0, or 2 for wrong use.
    """
    parser = _parser()
    found = parser.parse_args(arguments)
    if found.list == bool(found.code):
        parser.error("give either a rule's code or --list")
    try:
        rules = packs.load()
        if found.list:
            sys.stdout.write(_table(rules))
            return 0
        (rule,) = packs.select(rules, [found.code], [])
        page = next(loaded.page for loaded in rules if loaded.rule is rule)
    except (packs.PackError, packs.UnknownCode) as error:
        print(f"overhead-lint: {error}", file=sys.stderr)
        return 2
    except ValueError:
        print(f"overhead-lint: {found.code} names more than one rule: give a full code", file=sys.stderr)
        return 2
    text = page.read_text(encoding="utf-8") if page else f"{rule.code} {rule.name}: {rule.summary}\n"
    sys.stdout.write(text)
    return 0


def _table(rules: Iterable[packs.LoadedRule]) -> str:
    """One line a rule: code, name, least heat, summary."""
    rows = [
        (loaded.rule.code, loaded.rule.name, loaded.rule.heat.label, loaded.rule.summary) for loaded in rules
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return "".join(
        f"{code:{widths[0]}}  {name:{widths[1]}}  {heat:{widths[2]}}  {summary}\n"
        for code, name, heat, summary in rows
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="overhead-lint rule",
        description="Show what a rule sees, why it costs, and how it is fixed.",
        allow_abbrev=False,
    )
    parser.add_argument("code", nargs="?", metavar="CODE", help="code of a rule, such as OVH101")
    parser.add_argument("--list", action="store_true", help="list all rules with the least heat they need")
    return parser
