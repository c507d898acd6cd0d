"""Freezes the tables of effects: writes them as a Python module, which loads in a fraction of the time.

python benchmarks/freeze_effects.py            writes overhead_lint/analysis/effects/frozen/effects.py
python benchmarks/freeze_effects.py --check    status 1 if it is not what the tables say
"""

from __future__ import annotations

import enum
import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects import effect
from overhead_lint.analysis.effects.effect import NOTHING_KNOWN, Condition, Effect
from overhead_lint.analysis.effects.tables import Row, TableError, combined, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["FROZEN", "TABLES", "by_name", "frozen"]

_EFFECTS: Final = Path(effect.__file__).parent
TABLES: Final = _EFFECTS / "tables"
FROZEN: Final = _EFFECTS / "frozen" / "effects.py"

_HEAD: Final = '''"""What APIs do, by scope: written by `benchmarks/freeze_effects.py` from its tables."""

from __future__ import annotations

from typing import Final

'''


def frozen() -> str:
    """The module that says what the tables say."""
    rows = [row for path in sorted(TABLES.glob("*.toml")) for row in read_file(path)]
    exact, families = by_name(rows)
    effects = list(dict.fromkeys([*(one for _, one in sorted(exact.items())), *families.values()]))
    numbers = {one: number for number, one in enumerate(effects)}
    sources = list(map(_source, effects))
    used = sorted({word for word in re.findall(r"\b[A-Z]\w+", " ".join(sources)) if word in effect.__all__})
    lines = [_HEAD, f"from overhead_lint.analysis.effects.effect import {', '.join(used)}", ""]
    lines += ["EFFECTS: Final = (", *(f"    {one}," for one in sources), ")"]
    lines += ['"""What APIs do, each effect once."""', ""]
    lines += ["NAMES: Final = {", *_names(exact, numbers), "}"]
    lines += ['"""The names of a scope, by the number of their effect."""', ""]
    lines += ["FAMILIES: Final = {", *_families(families, numbers), "}"]
    lines += ['"""Patterns of names in a scope, with the number of their effect; the first counts."""', ""]
    lines += ["SIGNATURES: Final = {"]
    for row in rows:
        lines += [f'    "{row.scope}.{name}": "{row.signature}",' for name in row.names if row.signature]
    lines += ["}", '"""Signatures that tables tell."""', ""]
    return "\n".join(lines)


def _names(exact: Mapping[tuple[str, str], Effect], numbers: Mapping[Effect, int]) -> Iterator[str]:
    for scope in sorted({scope for scope, _ in exact}):
        held: dict[int, list[str]] = {}
        for (where, name), one in sorted(exact.items()):
            if where == scope:
                held.setdefault(numbers[one], []).append(name)
        yield f'    "{scope}": {{'
        for number, names in sorted(held.items()):
            yield f'        {number}: "{" ".join(names)}",'
        yield "    },"


def _families(families: Mapping[tuple[str, str], Effect], numbers: Mapping[Effect, int]) -> Iterator[str]:
    for scope in dict.fromkeys(scope for scope, _ in families):
        held = [f'("{name}", {numbers[one]})' for (where, name), one in families.items() if where == scope]
        yield f'    "{scope}": ({", ".join(held)},),'


def by_name(rows: Iterable[Row]) -> tuple[dict[tuple[str, str], Effect], dict[tuple[str, str], Effect]]:
    """Effects of names and of patterns; names that a pattern fits have what it says, too."""
    exact: dict[tuple[str, str], Effect] = {}
    families: dict[tuple[str, str], Effect] = {}
    for row in rows:
        for name in row.names:
            into = families if any(sign in name for sign in "*?[") else exact
            key = row.scope, name
            into[key] = combined(into.get(key, NOTHING_KNOWN), row.effect)
    for (scope, name), own in exact.items():
        exact[scope, name] = combined(_of_family(scope, name, families), own)
    return {key: _with_operators(one, exact) for key, one in exact.items()}, families


def _with_operators(found: Effect, exact: Mapping[tuple[str, str], Effect]) -> Effect:
    """An effect with the waits and copies of the operators that the API runs.

    Raises:
        TableError: there is no row for such an operator.
    """
    for runs in found.runs:
        for name in runs.operators:
            own = exact.get(("aten", name))
            if own is None:
                raise TableError(f"no row says what the operator {name} does")
            waits = tuple(one._replace(when=_both(one.when, runs.when)) for one in own.waits)
            copies = tuple(one._replace(when=_both(one.when, runs.when)) for one in own.copies)
            found = found._replace(waits=(*found.waits, *waits), copies=(*found.copies, *copies))
    return found


def _both(own: Condition, other: Condition) -> Condition:
    """A condition together with another, which stands for it where both say something."""
    nothing = Condition()
    return own._replace(
        **{field: told for field, told in other._asdict().items() if told != getattr(nothing, field)}
    )


def _of_family(scope: str, name: str, families: Mapping[tuple[str, str], Effect]) -> Effect:
    """What the first pattern says that fits a name: in its own scope, or with ``**`` in one above."""
    above, rest = scope, name
    while above:
        for (where, pattern), found in families.items():
            if where == above and (above == scope or "**" in pattern) and fnmatchcase(rest, pattern):
                return found
        above, _, last = above.rpartition(".")
        rest = f"{last}.{rest}"
    return NOTHING_KNOWN


def _source(value: object) -> str:
    """A value as Python writes it, without what is so by default."""
    if isinstance(value, enum.Flag):
        parts = [one for one in type(value) if one & value]
        return " | ".join(f"{type(value).__name__}.{one.name}" for one in parts)
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(map(repr, sorted(value)))}}})"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        defaults = getattr(value, "_field_defaults")  # noqa: B009 - of named tuples alone
        told = [(field, getattr(value, field)) for field in value._fields]
        written = [
            f"{field}={_source(one)}"
            for field, one in told
            if field not in defaults or one != defaults[field]
        ]
        return f"{type(value).__name__}({', '.join(written)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_source, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def main(arguments: list[str]) -> int:
    text = frozen()
    if "--check" in arguments:
        if FROZEN.read_text(encoding="utf-8") == text:
            return 0
        print(f"{FROZEN} is not what the tables say", file=sys.stderr)
        return 1
    FROZEN.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
