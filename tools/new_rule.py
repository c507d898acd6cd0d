"""Writes a new rule: module, page and test that fail until they are filled in. ``make new-rule`` calls it."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

__all__ = ["main"]

_ROOT = Path(__file__).parent.parent

_MODULE = '''"""{code}: what it finds, in a few words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="{code}",
    name="{name}",
    summary="FILL IN: the anti-pattern in a few words",
    triggers=(b"FILL IN: a text that any file with it holds",),
    heat=Heat.STEP,
    preview=True,
)


@RULE.on(ast.Call, named=("fill_in",))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """FILL IN: ``the_call(x)`` where it costs."""
    if ctx.qualified_name(node.func) == "fill.in":
        yield ctx.finding(RULE, node, "FILL IN: what costs here, and why", help="FILL IN: what to write")
'''

_PAGE = """# {code} {name}

FILL IN: what is found, and what is left alone.

## Why it costs

FILL IN: what the host does there, with the measured times and this command:

```console
$ overhead-lint bench {code}
```

## Timing

```python setup
import torch
```

```python before
raise NotImplementedError("FILL IN: the form that costs")
```

```python after
raise NotImplementedError("FILL IN: the form that does not")
```

## Example

```python
import torch

result = fill_in()  # {code}
```

## Fixed

There is no automatic fix. By hand:

```python
import torch

result = None  # FILL IN
```

## Fix safety

FILL IN: when the fix keeps behaviour, or why there is none.

## When not to use it

FILL IN.

## Quiet

```python
import torch
```

## References

FILL IN: sources, and rules that are alike.
"""

_TEST = '''"""What {code} finds and leaves alone, beyond the examples of its page."""

from __future__ import annotations

import pytest
from rule_cases import forward, lint


@pytest.mark.parametrize("statement", ["FILL IN"])
def test_it_is_found(statement: str) -> None:
    assert [finding.code for finding in lint("{code}", forward(statement))] == ["{code}"]


@pytest.mark.parametrize("statement", ["FILL IN"])
def test_it_is_left_alone(statement: str) -> None:
    assert lint("{code}", forward(statement)) == []
'''


def main(arguments: list[str], root: Path = _ROOT) -> int:
    """Write the three files of a rule.

    Args:
        arguments: code, name and family.
        root: of the repository.

    Returns:
        0; 2 with one line on stderr where they cannot be written.
    """
    parser = argparse.ArgumentParser(prog="make new-rule", description=__doc__)
    parser.add_argument("code", help="as in OVH612")
    parser.add_argument("name", help="in kebab-case, as in module-per-step")
    parser.add_argument("family", help="a folder of rules/")
    given = parser.parse_args(arguments)
    wrong = _wrong(given.code, given.name, given.family, root)
    if wrong:
        print(f"new-rule: {wrong}", file=sys.stderr)
        return 2
    module = given.name.replace("-", "_")
    family = root / "rules" / given.family
    written = {
        family / f"{module}.py": _MODULE,
        family / f"{module}.md": _PAGE,
        root / "tests" / "rules" / f"test_{module}.py": _TEST,
    }
    for path, text in written.items():
        path.write_text(text.format(code=given.code, name=given.name), encoding="utf-8")
        print(path.relative_to(root))
    print(f"then: add {given.code} to docs/index.md, and run pytest tests/rules -k {given.code}")
    return 0


def _wrong(code: str, name: str, family: str, root: Path) -> str:
    """What is wrong with the arguments, in a line; "" if nothing is."""
    families = _families(root)
    if not re.fullmatch(r"OVH[1-9][0-9]{2}", code):
        return f"CODE is OVH and three digits, not {code!r}"
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        return f"NAME is in kebab-case, as in module-per-step, not {name!r}"
    if family not in families:
        return f"no such family: {family!r}; there are {', '.join(sorted(families))}"
    prefixes = {one[:4] for one in families[family]}
    if code[:4] not in prefixes:
        return f"codes of {family} begin with {', '.join(sorted(prefixes))}, not {code[:4]}"
    if code in families[family]:
        free = next(f"{code[:4]}{n:02}" for n in range(1, 100) if f"{code[:4]}{n:02}" not in families[family])
        return f"{code} is taken: {free} is free"
    module = name.replace("-", "_")
    for path in (root / "rules" / family / f"{module}.py", root / "tests" / "rules" / f"test_{module}.py"):
        if path.exists():
            return f"{path.relative_to(root)} is there already"
    return ""


def _families(root: Path) -> dict[str, set[str]]:
    """Return the codes of each family, from the headings of the pages."""
    found: dict[str, set[str]] = {}
    for page in sorted((root / "rules").glob("*/*.md")):
        heading = re.match(r"# (OVH\d{3}) ", page.read_text(encoding="utf-8"))
        if heading:
            found.setdefault(page.parent.name, set()).add(heading[1])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
