"""Whatever way an example is written, its fix keeps what it does, or there is none.

The examples are drawn from all pages with fixes and all ways to write them, the same in each run.
For others, and more of them::

    OVERHEAD_FUZZ=2000 python -m pytest tests/rules/test_variations.py
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable

from behaviour import Place, behaviour
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from page_runs import RULES, linter, needs_device, read_page, source_of, told, without_marks
from variations import VARIATIONS

from overhead_lint.fixing.fixer import fix_file

EXAMPLES = int(os.environ.get("OVERHEAD_FUZZ", "0"))
# Those that compile with a C++ compiler or start processes take long: test_page_blocks.py runs those.
_SLOW = ("torch.compile", "torch.backends", "cpp_extension")
FIXED = [
    code
    for code in sorted(RULES)
    if "There is no automatic fix." not in read_page(code).sections["Fixed"]
    and (EXAMPLES or not any(word in read_page(code).code("Example") for word in _SLOW))
]
# Their blocks run with a device: the whole test is skipped where there is none and none can be simulated.
ON_DEVICE = [code for code in FIXED if needs_device(read_page(code).code("Example"))]


def ways(codes: list[str], places: list[Place]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Draws examples of these rules, ways to write them and places; of all rules 60 in a usual run."""

    def draw(test: Callable[..., None]) -> Callable[..., None]:
        chosen = settings(
            derandomize=not EXAMPLES,
            max_examples=math.ceil((EXAMPLES or 60) * len(codes) / len(FIXED)),
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        drawn = given(
            code=st.sampled_from(codes),
            names=st.lists(st.sampled_from(list(VARIATIONS)), min_size=1, max_size=3, unique=True),
            unsafe=st.booleans(),
            place=st.sampled_from(places),
        )
        return chosen(drawn(test))

    return draw


@ways([code for code in FIXED if code not in ON_DEVICE], [Place.CPU, Place.ON_DEVICE])
def test_fixed_variation_does_what_it_did(code: str, names: list[str], unsafe: bool, place: Place) -> None:
    check(code, names, unsafe, place)


@ways(ON_DEVICE, [Place.DEVICE])
def test_fixed_variation_on_a_device_does_what_it_did(
    code: str, names: list[str], unsafe: bool, place: Place
) -> None:
    check(code, names, unsafe, place)


def check(code: str, names: list[str], unsafe: bool, place: Place) -> None:
    text = without_marks(code, read_page(code).code("Example"))
    for name in names:
        varied = VARIATIONS[name](text)
        assume(varied is not None)
        assert varied is not None
        text = varied
    source = source_of(text)
    result = fix_file(source, linter(RULES[code].rule).lint, unsafe=unsafe)
    event(f"changed={result.changed}")
    if result.changed:
        before = behaviour(text, place)
        assume(not before.raised)  # a way that does not suit this example
        assert told(code, before, behaviour(result.after_text, place)) == [], result.after_text
