"""``overhead-lint rule CODE``: a rule's page. ``--all``: all pages. ``--list``, ``--api``: one line each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from overhead_lint.cli.parser import Parser
from overhead_lint.config.selection import names
from overhead_lint.config.settings import wanted_packs
from overhead_lint.engine import packs
from overhead_lint.engine.short_page import short_page

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0.

    Raises:
        Complaint: no rule, or more than one, has the code; a rule pack, or the settings file that says which
            to load, cannot be used.
    """
    parser = _parser()
    found = parser.parse_args(arguments)
    if sum((found.list, found.all, bool(found.code), found.api is not None)) != 1:
        parser.error("give either a rule's code, --list, --all or --api")
    rules = packs.load(())
    if not found.code or not _meant(found.code, rules):  # one of ours needs no pack, and no settings
        rules = packs.load(wanted_packs(Path.cwd()))
    shown = [_only(found.code, rules)] if found.code else list(rules)
    if found.api is not None:
        shown = _of_api(found.api, rules)
    sys.stdout.write(_text(shown, found))
    return 0


def _of_api(api: str, rules: Sequence[packs.LoadedRule]) -> list[packs.LoadedRule]:
    """The rules whose pages tell of an API.

    Raises:
        UnknownCode: none does.
    """
    from overhead_lint.engine.api_index import apis_of, speaks_of

    if not api.strip("() ."):
        raise packs.UnknownCode("--api takes the name of an API, as in torch.cuda.synchronize or .item")
    meant = [one for one in rules if speaks_of(api, apis_of(_page(one), one.rule.code))]
    if not meant:
        raise packs.UnknownCode(f"no rule's page tells of {api}: `overhead-lint rule --list` shows all rules")
    return meant


def _meant(code: str, rules: Sequence[packs.LoadedRule]) -> Sequence[packs.LoadedRule]:
    """The rule of a name, or else the rules of a code or a prefix of codes, in any case."""
    of_name = [loaded for loaded in rules if loaded.rule.name == code.lower()]
    return of_name or [loaded for loaded in rules if names(code.upper(), loaded.rule.code)]


def _only(code: str, rules: Sequence[packs.LoadedRule]) -> packs.LoadedRule:
    """The rule of a code or a name, or of a prefix that only it has.

    Raises:
        UnknownCode: no rule has it, or several have.
    """
    meant = _meant(code, rules) or packs.named(rules, code)  # which says what is nearest to it
    if len(meant) != 1:
        raise packs.UnknownCode(f"{code} names more than one rule: give a full code, or --all")
    return meant[0]


def _text(rules: Sequence[packs.LoadedRule], found: argparse.Namespace) -> str:
    if found.output_format == "json":
        objects = [_object(loaded, page=not (found.list or found.api)) for loaded in rules]
        return json.dumps(objects[0] if found.code else objects, indent=2) + "\n"
    if found.list or found.api:
        return _table(rules)
    if found.code and not found.full:
        return short_page(_page(rules[0]))
    return "\n".join(_page(loaded) for loaded in rules)


def _object(loaded: packs.LoadedRule, *, page: bool) -> dict[str, Any]:
    """A rule as an object that JSON can hold, with the Markdown of its page if that is wanted."""
    rule = loaded.rule
    facts = {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "heat": rule.heat.label,
        "preview": rule.preview,
        "stable_since": rule.stable_since,
        "origin": loaded.origin,
    }
    return {**facts, "page": _page(loaded)} if page else facts


def _page(loaded: packs.LoadedRule) -> str:
    """A rule's page, or a line about it if it has none.

    Raises:
        PackError: the page cannot be read.
    """
    rule = loaded.rule
    if loaded.page is None:
        return f"# {rule.code} {rule.name}\n\n{rule.summary}\n"
    try:
        return loaded.page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise packs.PackError(f"{loaded.page}: cannot be read: {why}") from error


def _table(rules: Iterable[packs.LoadedRule]) -> str:
    """One line a rule: code, name, least heat, summary."""
    rows = [
        (
            rule.code,
            rule.name,
            rule.heat.label,
            rule.summary + (" (off unless selected)" if rule.preview else ""),
        )
        for rule in (loaded.rule for loaded in rules)
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return "".join(
        f"{code:{widths[0]}}  {name:{widths[1]}}  {heat:{widths[2]}}  {summary}\n"
        for code, name, heat, summary in rows
    )


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint rule",
        description="Show what a rule sees, why it costs, and how it is fixed.",
        allow_abbrev=False,
    )
    parser.add_argument("code", nargs="?", metavar="CODE", help="code or name of a rule, such as OVH101")
    parser.add_argument("--full", action="store_true", help="the whole page of a rule, with its examples")
    parser.add_argument("--list", action="store_true", help="list all rules with the least heat they need")
    parser.add_argument(
        "--api", metavar="NAME", help="list the rules that tell of an API, such as torch.cuda.synchronize"
    )
    parser.add_argument("--all", action="store_true", help="the pages of all rules")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="(default: text)")
    return parser
