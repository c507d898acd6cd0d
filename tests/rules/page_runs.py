"""Rule pages: read, linted, and their blocks run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from behaviour import Behaviour, Place, differences
from page_process import apart, deprecated, value

from overhead_lint.config.run_settings import RuntimeUse, Settings
from overhead_lint.discovery.runtime_access import RuntimeAccess
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.engine.pages import Page
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.syntax.source import Source

if TYPE_CHECKING:
    from overhead_lint.rule import Finding, Rule

RULES = {loaded.rule.code: loaded for loaded in packs.load() if loaded.rule.code.startswith("OVH")}


def read_page(code: str) -> Page:
    """The page of a rule."""
    path = RULES[code].page
    assert path is not None, f"{code} has no page"
    return Page.read(path)


def source_of(text: str) -> Source:
    """A module of a project, made from text."""
    return Source.from_bytes(Path("model.py"), text.encode())


def linter(rule: Rule) -> Linter:
    """Runs one rule; a rule about the findings of others knows these."""
    return Linter([rule], Settings(), [loaded.rule for loaded in RULES.values() if not loaded.rule.preview])


def findings(rule: Rule, text: str) -> list[Finding]:
    """What one rule finds in a module."""
    return linter(rule).lint(source_of(text))


def fixed_by(rule: Rule, text: str, root: Path, use: RuntimeUse) -> str:
    """A module of a project after all fixes that may be applied there.

    Args:
        rule: the rule.
        text: the module.
        root: the project's folder, whose files say whether it declares the runtime.
        use: what the settings say of the runtime.
    """
    access = RuntimeAccess(Settings(runtime_use=use), root)
    source = Source.from_bytes(root / "model.py", text.encode())
    result = fix_file(source, lambda source: access.judged(linter(rule).lint(source)), unsafe=True)
    assert not result.failures
    return result.after_text


def without_marks(code: str, text: str) -> str:
    """The text as a user has it, without the marks of a rule."""
    return re.sub(rf" *# {code}( {code})*$", "", text, flags=re.MULTILINE)


def needs_device(text: str) -> bool:
    """Whether a block runs on a CUDA device only."""
    return "torch.cuda." in text


def places_of(text: str) -> list[Place]:
    """Where a block can run: one that names a device needs it, any other is given one as well as none."""
    return [Place.DEVICE] if needs_device(text) else [Place.CPU, Place.ON_DEVICE]


def outcome(text: str, *, device: bool | None = None) -> str:
    """Run a block as a module, in a process of its own, and give the value that it calls ``result``.

    Args:
        text: the block.
        device: whether it gets a CUDA device; where it needs one if that is not said.
    """
    return apart(value, text, needs_device(text) if device is None else device)


def deprecations(text: str, *, device: bool = False) -> list[str]:
    """What is said to be deprecated when a block runs as a module, in a process of its own."""
    return apart(deprecated, text, device)


OTHERWISE = {
    # What leaked out of a context that was entered while it was active leaks no longer.
    "OVH103": r"^modes",
    # Under a default device, which is a mode of torch functions, the runtime keeps no constants.
    "OVH205": r"^waits",
    # A number that becomes a buffer has to be made on the device, once.
    "OVH303": r"^waits",
    "OVH306": r"^waits",
    # Lengths that the host has are copied at once.
    "OVH706": r"^waits",
    # Gradients of zeros are None.
    "OVH804": r" True \[[\[\], 0.]+ became .* True None$",
}
"""What rewriting is for, and so changes: what is told of it."""


def told(code: str, before: Behaviour, after: Behaviour) -> list[str]:
    """What a fixed block does otherwise, but for what its rule is about."""
    meant = OTHERWISE.get(code)
    return [line for line in differences(before, after) if not (meant and re.search(meant, line, re.DOTALL))]
