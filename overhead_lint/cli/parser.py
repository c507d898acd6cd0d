"""What all commands share of argparse: the nearest right option or choice is told."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from overhead_lint.cli import streams
from overhead_lint.support.nearest import did_you_mean

__all__ = ["Parser", "whole_number"]

_ALIKE: Final = 0.6


def whole_number(what: str, least: int = 0) -> Callable[[str], int]:
    """Return what takes the value of an option that is a whole number.

    Args:
        what: what is said that it has to be, where it is not.
        least: the least that it may be.
    """

    def take(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{what}, not {text!r}")
        return int(text)

    return take


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints name the nearest option or choice, as do its subcommands'."""

    def parse_args(  # type: ignore[override]  # typeshed also has it for other namespaces
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse all arguments.

        Raises:
            SystemExit: with status 2 and a message on wrong use, with 0 after ``--help``.
        """
        found, unknown = self.parse_known_args(args, namespace)
        unknown = self._take_more(found, unknown)
        if not unknown:
            return found
        first = unknown[0].partition("=")[0]
        if not first.startswith("-"):
            self.error(f"unexpected argument {unknown[0]!r}")
        self.error(f"unknown option {first}: {self._hint(first)}")

    def _take_more(self, found: argparse.Namespace, unknown: list[str]) -> list[str]:
        """Take paths and the like that stand on both sides of an option: argparse knows the first ones only.

        Returns:
            What is unknown after all, options first.
        """
        many = next(
            (one for one in self._actions if not one.option_strings and one.nargs in ("*", "+")), None
        )
        end = unknown.index("--") if "--" in unknown else len(unknown)
        options = [one for one in unknown[:end] if one.startswith("-") and one != "-"]
        if many is None or options:
            return options or unknown
        words = [*unknown[:end], *unknown[end + 1 :]]
        setattr(
            found, many.dest, [*getattr(found, many.dest), *(self._get_value(many, one) for one in words)]
        )
        return []

    def _hint(self, option: str) -> str:
        """What is said of an option that there is not."""
        return did_you_mean(option, set(_options(self)), "--help shows all", cutoff=_ALIKE)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or a complaint; argparse lets pass in silence what stdout does not take."""
        if not message or file is None or file is not sys.stdout:
            super()._print_message(message, file)
            return
        try:
            file.write(message)
            file.flush()
        except OSError as error:
            self.exit(streams.unwritable(error))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        # Path("") is the current folder, which an unset variable of a shell does not mean.
        if action.type is Path and not arg_string:
            raise argparse.ArgumentError(action, "an empty path: write . for the current folder")
        return super()._get_value(action, arg_string)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        hint = did_you_mean(str(value), known, f"there are {', '.join(known)}")
        raise argparse.ArgumentError(action, f"{value!r} is none of its choices: {hint}")


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The options of a parser and of its subcommands."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from _options(one)
