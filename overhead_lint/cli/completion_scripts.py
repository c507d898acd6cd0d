"""Completion scripts for shells, from what the commands take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["SCRIPTS", "Command", "Option"]

Codes = Mapping[str, str]
"""Summaries of rules by their codes."""


class Option(NamedTuple):
    """An option of a command.

    Attributes:
        names: its spellings.
        help: what it does, in a line.
        takes: what its value is: "" for none, ``file``, ``folder``, ``code``, ``text``, or one of `choices`.
        choices: the values that it takes; () if they are not a few.
    """

    names: tuple[str, ...]
    help: str
    takes: str
    choices: tuple[str, ...]


class Command(NamedTuple):
    """A command with its options; "" is the linter itself."""

    name: str
    options: tuple[Option, ...]
    words: tuple[str, ...]
    """What may stand in place of an option: subcommands, or rules (``code``), or files (``file``)."""


_BASH: Final = """\
# bash completion of overhead-lint
_overhead_lint() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
  local options="" words="" values="" file="" codes="%(codes)s"
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $before == "=" ]]; then
    before="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "${COMP_WORDS[1]}" in
%(cases)s
  esac
  [[ $COMP_CWORD == 1 ]] && words="$words %(names)s"
  COMPREPLY=()
  if [[ -n $values && $values == *"$codes" && $current == *,* ]]; then
    COMPREPLY=($(compgen -P "${current%%,*}," -W "$values" -- "${current##*,}"))
    return
  elif [[ -n $values && $values != @files ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  elif [[ -z $values && $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  elif [[ -z $values ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    COMPREPLY+=("$file")
  done < <(compgen -f -- "$current")
}
complete -F _overhead_lint overhead-lint"""


def _bash(commands: Sequence[Command], codes: Codes) -> str:
    # The linter itself comes last: it is meant where no command stands.
    cases = "\n".join(_bash_case(command, codes) for command in [*commands[1:], commands[0]])
    named = " ".join(codes)
    names = " ".join(command.name for command in commands[1:])
    return _BASH % {"cases": cases.replace(named, "$codes"), "codes": named, "names": names}


def _bash_case(command: Command, codes: Codes) -> str:
    lines = [
        f"    {command.name or '*'})",
        f'      options="{" ".join(name for option in command.options for name in option.names)}"',
        f'      words="{" ".join(_words(command, codes))}"',
        '      case "$before" in',
    ]
    for option in command.options:
        if values := _values(option, codes):
            lines.append(f'        {"|".join(option.names)}) values="{values}" ;;')
    return "\n".join([*lines, "        *) ;;", "      esac", "      ;;"])


def _zsh(commands: Sequence[Command], codes: Codes) -> str:
    """The script for zsh, which can run those of bash."""
    return f"autoload -Uz bashcompinit && bashcompinit\n{_bash(commands, codes)}"


_FISH: Final = """\
# fish completion of overhead-lint
function __overhead_lint_codes
  set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.*,')
  printf '%%s\\n' "$before"{%(codes)s}
end"""


def _fish(commands: Sequence[Command], codes: Codes) -> str:
    none = f"not __fish_seen_subcommand_from {' '.join(command.name for command in commands[1:])}"
    lines = [_FISH % {"codes": ",".join(["ALL", *codes])}]
    lines += [f"complete -c overhead-lint -n '{none}' -a {command.name}" for command in commands[1:]]
    for command in commands:
        when = f"__fish_seen_subcommand_from {command.name}" if command.name else none
        lines += [_fish_option(option, when, codes) for option in command.options]
        for word in _words(command, codes):
            about = f" -d '{_quoted(codes[word])}'" if word in codes else ""
            lines.append(f"complete -c overhead-lint -f -n '{when}' -a {word}{about}")
    return "\n".join(lines)


def _fish_option(option: Option, when: str, codes: Codes) -> str:
    parts = [f"complete -c overhead-lint -n '{when}'"]
    parts += [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.takes:
        values = "(__overhead_lint_codes)" if option.takes == "code" else _values(option, codes)
        parts.append("-r -F" if values == "@files" else f"-x -a '{values}'" if values else "-x")
    return " ".join([*parts, f"-d '{_quoted(option.help)}'"])


def _words(command: Command, codes: Codes) -> list[str]:
    """What may stand in place of an option, files left out."""
    words = [word for word in command.words if word not in ("code", "file", "folder", "text")]
    return [*words, *codes] if "code" in command.words else words


def _values(option: Option, codes: Codes) -> str:
    """The values of an option, ``@files`` for files; "" if nobody can know them."""
    if option.choices:
        return " ".join(option.choices)
    if option.takes == "code":
        return " ".join(["ALL", *codes])
    return "@files" if option.takes in ("file", "folder") else ""


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


SCRIPTS: Final[Mapping[str, Callable[[Sequence[Command], Codes], str]]] = {
    "bash": _bash,
    "fish": _fish,
    "zsh": _zsh,
}
