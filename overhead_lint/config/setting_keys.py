"""The settings there are: each key's default, and what its value must look like.

A setting is added here, and used where it counts; files, ``--show-settings`` and error texts follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.config.patterns import is_path, is_pattern
from overhead_lint.rule import Heat
from overhead_lint.support.nearest import did_you_mean
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["CODES", "EXTEND", "HEATS", "KEYS", "SELECTING", "SETTINGS_FILES", "leaves_out", "wrong"]

HEATS: Final = tuple(heat.label for heat in Heat if heat > Heat.COLD)
EXTEND: Final = "extend"
_ALIKE: Final = 0.6
"""How alike an unknown word must be to a known one (`difflib`, 0 to 1) to have been meant for it."""


def _right(entries: Any) -> tuple[str, str]:
    return "", ""


class Key(NamedTuple):
    """A setting.

    Attributes:
        default: its value where nothing sets it.
        complaint: what is wrong with a value, given the key and the value; "" if nothing is.
        entries: the first entry of a value of the right type that cannot be used, and what is wrong with it.
    """

    default: Any
    complaint: Callable[[str, Any], str]
    entries: Callable[[Any], tuple[str, str]] = _right


def wrong(key: str, value: object) -> tuple[str, str]:
    """What is wrong with a key or its value, and the entry of the value that is to blame; "" if none is."""
    if complaint := _wrong(key, value):
        return complaint, ""
    entry, complaint = KEYS[key].entries(value) if key in KEYS else ("", "")
    return complaint, entry


def _wrong(key: str, value: object) -> str:
    if key == EXTEND:
        return "" if isinstance(value, str) and value else f"extend takes the path of a file, not {value!r}"
    if key == "tool" and isinstance(value, dict):
        return "unknown setting 'tool': [tool.overhead-lint] is for pyproject.toml; here its keys stand alone"
    if key.replace("_", "-") in _OPTIONS:
        return f"{key!r} is no setting: give --{key.replace('_', '-')} on the command line"
    if key.removeprefix(f"{EXTEND}-") == "include":
        return (
            f"{key!r} is no setting: name files and folders on the command line, leave others out by exclude"
        )
    if key not in KEYS:
        return f"unknown setting {key!r}: {_hint(key, (*KEYS, EXTEND))}"
    return KEYS[key].complaint(key, value)


def _hint(word: str, words: Sequence[str]) -> str:
    plain = word.lower().replace("_", "-")
    bare = plain.removeprefix(f"{EXTEND}-")
    if bare in words:  # as in `extend-ignore`, which linters elsewhere have
        return f"did you mean {bare}?"
    return did_you_mean(plain, words, f"there are {', '.join(words)}", cutoff=_ALIKE)


@cache
def spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Patterns as in ``.gitignore``.

    Raises:
        ValueError: one of them is none.
    """
    from overhead_lint.config import git_patterns  # costs start-up

    return git_patterns.compiled(patterns)


def leaves_out(patterns: tuple[str, ...], path: str) -> bool:
    """Whether patterns as in ``.gitignore`` leave a file out, or a folder around it.

    Args:
        patterns: all of a list.
        path: relative to where they stand.
    """
    from overhead_lint.config import git_patterns

    folder = path.rstrip("/").rpartition("/")[0]
    return _leaves_out_folder(patterns, folder) or bool(git_patterns.verdict(spec(patterns), path))


@cache
def _leaves_out_folder(patterns: tuple[str, ...], folder: str) -> bool:
    return bool(folder) and leaves_out(patterns, f"{folder}/")


_STEPS: Final = re.compile(r"(?:^!?|/)\.\.?(?:/|$)")
_BRACES: Final = re.compile(r"(?<!\\)\{[^{}]*,[^{}]*\}")
"""Alternatives, as other linters have them; ``{{project}}`` is the name of a folder."""
_IN_SET: Final = r"\[:[a-z]+:\]|\\.|\[(?!:[a-z]+:\])|[^][\\]"
_CLOSED: Final = rf"\\.|\[(?:[!^]|(?![!^]))(?:\]|{_IN_SET})(?:{_IN_SET})*\]"
"""A set of characters with its end, the first of which may be ``]``, or a character behind a backslash."""


def _codes(key: str, value: Any) -> str:
    return "" if _is_words(value) else f"{key} takes a list of codes, as in {key} = ['OVH1'], not {value!r}"


def _names(key: str, value: Any) -> str:
    return "" if _is_words(value) else f"{key} takes a list of names of packs, not {value!r}"


def _patterns(key: str, value: Any) -> str:
    return "" if _is_words(value) else f"{key} takes a list of patterns, not {value!r}"


def _codes_by_pattern(key: str, value: Any) -> str:
    if isinstance(value, dict) and all(_is_words(codes) for codes in value.values()):
        return ""
    example = '{"tools/*.py" = ["OVH4"]}'
    return f"{key} takes a table of patterns with lists of codes, as in {example}, not {value!r}"


def _flag(key: str, value: Any) -> str:
    return "" if isinstance(value, bool) else f"{key} takes true or false, not {value!r}"


def _heat(key: str, value: Any) -> str:
    if not isinstance(value, str):
        return f"{key} takes a string, not {value!r}"
    return "" if value in HEATS else f"unknown heat {value!r}: {_hint(value, HEATS)}"


def _module(key: str, value: Any) -> str:
    if value is False:
        return ""
    if not isinstance(value, str):
        return f"{key} takes a string, or false, not {value!r}"
    from keyword import iskeyword  # rare

    dotted = all(part.isidentifier() and not iskeyword(part) for part in value.split("."))
    return "" if dotted else f"{key} takes a dotted module, as in 'pkg._overhead', not {value!r}"


def _version(key: str, value: Any) -> str:
    if not isinstance(value, str):
        return f"{key} takes a string, not {value!r}"
    plain = re.fullmatch(r"[0-9]{1,4}\.[0-9]{1,4}", value)
    return "" if plain else f"{key} takes major and minor version, as in '2.4', not {value!r}"


def _file(key: str, value: Any) -> str:
    right = isinstance(value, str) and value and value.isprintable()
    return "" if right else f"{key} takes the path of a file, as in 'overhead-baseline.jsonl', not {value!r}"


def _functions(key: str, value: Any) -> str:
    if _is_words(value):
        return ""
    return f"{key} takes a list of dotted names and paths, as in {key} = ['pkg.eval.*'], not {value!r}"


def _is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def _bad_pattern(patterns: Any) -> tuple[str, str]:
    """The first of some patterns that cannot fit, or take away, any file, and why."""
    for number, pattern in enumerate(patterns):
        if why := _why_useless(pattern):
            return pattern, f"{pattern!r} {why}"
        if not pattern.startswith("!"):
            continue
        if all(other.startswith("!") for other in patterns[:number]):
            return pattern, f"{pattern!r} takes nothing away: no pattern of this list stands ahead of it"
        if folder := _left_out_around(pattern[1:].strip("/"), tuple(patterns[:number])):
            why = f"the folder {folder}/ is left out, as in .gitignore: leave out '{folder}/*' instead"
            return pattern, f"{pattern!r} takes nothing away: {why}"
    return "", ""


def _left_out_around(path: str, patterns: tuple[str, ...]) -> str:
    """The outermost folder around a path that patterns leave out; "" if none, or the path has wildcards."""
    if re.search(r"[*?[\\]", path):
        return ""
    ends = [place.start() for place in re.finditer("/", path)]
    return next((path[:end] for end in ends if leaves_out(patterns, f"{path[:end]}/")), "")


def _bad_lone_pattern(patterns: Any) -> tuple[str, str]:
    """The same where each pattern is asked alone, so that one can take nothing away from others."""
    for pattern in patterns:
        if why := _why_useless(pattern):
            return pattern, f"{pattern!r} {why}"
        if pattern.startswith("!"):
            return pattern, f"{pattern!r} fits no file: here each pattern stands alone, and ! begins none"
    return "", ""


def _bad_function(entries: Any) -> tuple[str, str]:
    for entry in entries:
        if not is_pattern(entry):
            return (
                entry,
                f"{entry!r} is neither a dotted name, as in 'pkg.eval.*', nor a path, as in 'tools/'",
            )
        if not is_path(entry) and _is_open(entry):
            return entry, f"{entry!r} fits no function: a [ in it is not closed"
    return _bad_lone_pattern([entry for entry in entries if is_path(entry)])


def _why_useless(pattern: str) -> str:
    """Why a pattern can fit no file; "" if it can."""
    if not pattern.strip():
        return "is no pattern as in .gitignore"
    if pattern.startswith("#"):
        return "fits no file: # begins a comment"
    if _STEPS.search(pattern):
        return "fits no file: patterns begin at the folder of this file, without . or .."
    if _BRACES.search(pattern):
        return "fits no file: write several, .gitignore knows no braces"
    if _is_open(pattern):
        return "fits no file: a [ in it is not closed"
    try:
        # Of what git passes over, such as a lone slash, the library makes a pattern that does nothing.
        fits = all(one.include is not None for one in spec((pattern,)).patterns)
    except ValueError:  # pathspec's error for a pattern derives from it
        fits = False
    return "" if fits else "is no pattern as in .gitignore"


def _is_open(pattern: str) -> bool:
    """Whether a set of characters, as in ``[abc]``, lacks its end; none holds a slash."""
    return any("[" in re.sub(_CLOSED, "", part) for part in pattern.split("/"))


KEYS: Final[Mapping[str, Key]] = {
    "select": Key(("ALL",), _codes),
    "extend-select": Key((), _codes),
    "ignore": Key((), _codes),
    "per-file-ignores": Key({}, _codes_by_pattern, _bad_lone_pattern),
    "preview": Key(False, _flag),
    "fixable": Key(("ALL",), _codes),
    "unfixable": Key((), _codes),
    "exclude": Key((), _patterns, _bad_pattern),
    "extend-exclude": Key((), _patterns, _bad_pattern),
    "hot": Key((), _functions, _bad_function),
    "cold": Key((), _functions, _bad_function),
    "min-heat": Key(Heat.STEP.label, _heat),
    "runtime-module": Key(None, _module),
    "target-torch": Key(None, _version),
    "rule-packs": Key(None, _names),
    "baseline": Key(None, _file),
}
_OPTIONS: Final = frozenset(
    (
        *("add-ignore", "baseline-strict", "cache-dir", "diff", "evidence", "exit-zero"),
        *("exit-non-zero-on-fix", "fix", "jobs", "min-cost", "no-cache", "no-project", "output-file"),
        *("force-exclude", "output-format", "quiet", "statistics", "unsafe-fixes", "watch", "write-baseline"),
    )
)
"""Options of the command line that linters elsewhere take from a file, and this one does not."""
CODES: Final = tuple(key for key, entry in KEYS.items() if entry.complaint is _codes)
"""The settings that are lists of codes."""
SETTINGS_FILES: Final = ("overhead-lint.toml", "pyproject.toml")
"""What files with settings are called; of two in one folder the first one counts."""
SELECTING: Final = frozenset({"select", "extend-select", "ignore", "per-file-ignores", "preview", "min-heat"})
"""The settings that say which findings are reported, and nothing else."""
