"""``overhead-lint completions SHELL``: a script that completes commands, options, rules and files."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

from overhead_lint import report as output
from overhead_lint.cli.check_parser import check_parser
from overhead_lint.cli.completion_scripts import SCRIPTS, Command, Option
from overhead_lint.cli.main import COMMANDS
from overhead_lint.cli.parser import Parser

__all__ = ["run", "script"]


def run(arguments: Sequence[str]) -> int:
    """Print the script for a shell.

    Returns:
        0; wrong use ends in status 2.
    """
    print(script(_parser().parse_args(arguments).shell))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint completions",
        description="Print a script that completes this program's commands, options and rules.",
        epilog='bash: eval "$(overhead-lint completions bash)" in ~/.bashrc. zsh: the same with zsh, in '
        "~/.zshrc below compinit. fish: overhead-lint completions fish > "
        "~/.config/fish/completions/overhead-lint.fish",
        allow_abbrev=False,
    )
    parser.add_argument("shell", choices=("bash", "fish", "zsh"), help="what to print it for")
    return parser


def script(shell: str) -> str:
    """The script for a shell: ``bash``, ``fish`` or ``zsh``."""
    from overhead_lint.engine import packs

    commands = [_command(name) for name in ("", *COMMANDS)]
    return SCRIPTS[shell](commands, {loaded.rule.code: loaded.rule.summary for loaded in packs.load(())})


def _command(name: str) -> Command:
    if name in ("", "check"):
        return _of(name, check_parser())
    return _of(name, importlib.import_module(COMMANDS[name])._parser())


def _of(name: str, parser: argparse.ArgumentParser) -> Command:
    options: list[Option] = []
    words: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words += action.choices
            for below in action.choices.values():
                options += _of("", below).options
        elif not action.option_strings:
            words += [str(choice) for choice in action.choices or ()] or [_kind(action)]
        elif action.help is not argparse.SUPPRESS:
            options.append(_option(action))
    unique = {option.names: option for option in options}
    return Command(name, tuple(unique.values()), tuple(dict.fromkeys(words)))


def _option(action: argparse.Action) -> Option:
    takes = "" if action.nargs == 0 else _kind(action)
    choices = tuple(str(choice) for choice in action.choices or ())
    if "--output-format" in action.option_strings and not choices:
        choices = output.formats()
    text = " ".join((action.help or "").replace("%%", "%").split())
    return Option(tuple(action.option_strings), text, takes, choices)


def _kind(action: argparse.Action) -> str:
    """What a value is, by the word that the help has for it."""
    word = str(action.metavar or action.dest).upper()
    if word in ("CODES", "CODE"):
        return "code"
    if "FOLDER" in word or "DIR" in word:
        return "folder"
    return "file" if any(part in word for part in ("FILE", "PATH", "JSON", "SCRIPT")) else "text"
