"""What the project tells a file besides the heat of its functions, in the same table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from overhead_lint.api.heat_reasons import LINK, OF_BATCHES, OF_DATA_SETS
from overhead_lint.project.vocabulary import ASKING_MODELS
from overhead_lint.project.words import words

if TYPE_CHECKING:
    from overhead_lint.rule import Warmth

__all__ = [
    "BY_DATA",
    "COMPILED",
    "EAGER",
    "KINDS",
    "NEVER_RUN",
    "NOT_IMPORTABLE",
    "NOT_IMPORTED",
    "NO_DATA",
    "SETTINGS",
    "SETTINGS_SOUGHT",
    "SET_COLD",
    "TOLD",
    "TRACED",
    "changed_paths",
    "is_by_data",
    "kinds_told",
    "settings_told",
    "told_kinds",
    "told_of",
    "told_settings",
    "where_traced",
]

COMPILED: Final = "!"
"""Stands among the names of functions for those, divided by ``|``, that other files have compiled."""

EAGER: Final = "+"
"""Stands behind those of them that steps run outside of compiled code as well."""

KINDS: Final = "?"
"""Stands among the names of functions for what paths into other files stand for."""

SETTINGS: Final = "="
"""Stands among the names of functions for global settings that other files make, and among the paths that a
file seeks for the wish to be told of them."""

SETTINGS_SOUGHT: Final = "=?"
"""Stands among the paths that what a rule saw depends on where it asks for those settings only in a file that
is told `COMPILED` or `KINDS`: all other files it need not see again for them."""

TOLD: Final = (COMPILED, KINDS, SETTINGS)
"""What stands among the names of functions, and what rules look at a file again for."""

TRACED: Final = "@"
"""Stands among them for those, after what shows it, that users compile, though the project does not."""


BY_DATA: Final = "%"
"""Stands before the name of a function of which was asked only whether a data set alone runs it."""

NO_DATA: Final = (0, "")
"""What a rule is told that asks about a function as `BY_DATA` says, where no data set runs that."""

SET_COLD: Final = "cold by the settings"
"""What the reasons of functions that settings make cold begin with: hot loops in them count for nothing."""

NOT_IMPORTED: Final = "nothing imports"
"""What the reasons of functions in packages that nobody runs begin with: the same holds for these."""

NOT_IMPORTABLE: Final = "cannot be imported"
"""What the reasons of functions in modules begin with that ask for what is not there: for these, too."""

NEVER_RUN: Final = (NOT_IMPORTED, NOT_IMPORTABLE)
"""What no rule speaks of."""


def is_by_data(why: str) -> bool:
    """Whether a reason says that data sets run a function, themselves or through others, and nothing else.

    Or what puts their batches together does. Heat comes from both last: what anything else runs as often has
    another reason. A model that is asked along such a chain is on a device.
    """
    begins, *links = [link.partition(", ")[0] for link in why.split(LINK)]
    if OF_DATA_SETS.fullmatch(begins) is None and not begins.endswith(OF_BATCHES):
        return False
    return all(ASKING_MODELS.isdisjoint(words(link)) for link in links)


def told_of(name: str, warmths: Mapping[str, tuple[int, str]]) -> tuple[int, str] | None:
    """What a rule is told that asks for the heat of a function, or about it as `BY_DATA` says.

    Args:
        name: the function by its name in paths, with what stands before it.
        warmths: the heat of the file's functions.
    """
    if not name.startswith(BY_DATA):
        return warmths.get(name)
    around = warmths.get(name[len(BY_DATA) :])
    return (int(is_by_data(around[1])), "") if around is not None else NO_DATA


def told_kinds(dependencies: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    """What a file is to be told of kinds of values in other files; "" if it makes no difference to it.

    Args:
        dependencies: the paths that what rules saw depends on, with letters of kinds that would change it.
        kinds: what the project knows of them, as `encoded` of `overhead_lint.project.kinds.abstract_value`
            gives it.
    """
    matters = any(not set(letters).isdisjoint(kinds.get(path, "")) for path, letters in dependencies.items())
    told = sorted(f"{path}\t{kinds[path]}" for path in dependencies if kinds.get(path)) if matters else ()
    return "\n".join(told)


def kinds_told(text: str) -> dict[str, str]:
    """Kinds by path, from what `told_kinds` gave."""
    return dict(line.split("\t") for line in text.split("\n")) if text else {}


def changed_paths(before: str, now: str) -> frozenset[str]:
    """The paths of which a file is told another kind than before; both as `told_kinds` gave it."""
    return frozenset(path for path, _ in kinds_told(before).items() ^ kinds_told(now).items())


def told_settings(settings: Iterable[tuple[str, str, str]]) -> str:
    """What a file is told of global settings that others make: names, values, places."""
    return "\n".join("\t".join(setting) for setting in settings)


def settings_told(text: str) -> tuple[tuple[str, str, str], ...]:
    """Names, values and places, from what `told_settings` gave."""
    lines = (line.split("\t") for line in text.split("\n")) if text else ()
    return tuple((name, value, place) for name, value, place in lines)


def where_traced(warmths: Mapping[str, Warmth]) -> tuple[str, frozenset[str]]:
    """What shows that users compile functions of a file, and the names of these."""
    told = warmths.get(TRACED)
    if told is None:
        return "", frozenset()
    why, *names = told.why.split("|")
    return why, frozenset(names)
