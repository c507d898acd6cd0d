"""Operations that make texts of what they are given, and how these show it."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import FORMAT
from overhead_lint.analysis.values.symbols import Api

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import Body

__all__ = [
    "CACHES",
    "DIGESTS",
    "DUMPS",
    "STR",
    "apis_of",
    "is_by_repr",
    "makes_texts",
    "shows_whole",
]

STR: Final = "builtins.str"
DUMPS: Final = frozenset(
    {"json.dumps", "omegaconf.OmegaConf.to_yaml", "pickle.dumps", "yaml.dump", "yaml.safe_dump"}
)
"""What makes a text of all that an object holds."""
DIGESTS: Final = "hashlib."
CACHES: Final = frozenset({"functools.cache", "functools.lru_cache"})
_TEXTS: Final = frozenset({"builtins.repr", STR})


def makes_texts(body: Body, at: int) -> bool:
    """Whether a call makes a text of its one argument: ``str(x)``."""
    given, names = body.record.extra[at]
    return len(given) == 1 and not names and not apis_of(body, body.record.operand[at]).isdisjoint(_TEXTS)


def is_by_repr(body: Body, at: int, number: int) -> bool:
    """Whether an f-string, or a call that makes a text, shows one of its values as ``repr`` gives it."""
    record = body.record
    if record.code[at] == FORMAT:
        return number in record.extra[at][2]
    return STR not in apis_of(body, record.operand[at])


def shows_whole(template: str) -> bool:
    """Whether a text with fields for ``format`` shows all that it is given as it is: not ``{x.name}``."""
    try:
        fields = [(name, spec) for _, name, spec, _ in string.Formatter().parse(template) if name is not None]
    except ValueError:  # no format at all: it raises when it runs
        return False
    return not any(spec or "." in name or "[" in name for name, spec in fields)


def apis_of(body: Body, at: int) -> set[str]:
    """Return the names of what an operation may refer to of libraries."""
    return {one.path for one in body.values[at].references if isinstance(one, Api)}
