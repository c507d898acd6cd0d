"""Rule pages: read, linted, and their blocks run."""

from __future__ import annotations

import re
import subprocess
import sys
import types
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from overhead_lint.config.run_settings import RuntimeUse, Settings
from overhead_lint.discovery.runtime_access import RuntimeAccess
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.engine.pages import Page
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.simulated import simulated_cuda
from overhead_lint.syntax.source import Source

if TYPE_CHECKING:
    from overhead_lint.rule import Finding, Rule

_DEPRECATIONS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)
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


def device_for(text: str) -> AbstractContextManager[None]:
    """A CUDA device for a block that needs one: the machine's, or a simulated one."""
    return nullcontext() if not needs_device(text) or torch.cuda.is_available() else simulated_cuda()


def outcome(text: str) -> str:
    """Run a block as a module of its own, and give the value that it calls ``result``.

    In a thread of its own, since the modes that a page leaks are per thread; in a process of its own
    if it sets flags of the process.
    """
    if "torch.backends" in text:
        return _run_apart(text).stdout.strip()
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(_run, text).result()


def deprecations(text: str) -> list[str]:
    """What is said to be deprecated when a block runs as a module of its own."""
    if "torch.backends" in text:
        return [line for line in _run_apart(text).stderr.splitlines() if "deprecated" in line.lower()]
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            _run(text)
    finally:
        torch.set_warn_always(always)
    said = [str(one.message) for one in warned if issubclass(one.category, _DEPRECATIONS)]
    # Python 3.15 says so of a module that nothing imported, as this one.
    return [text for text in said if not text.startswith("Module globals is missing a __spec__")]


def _run_apart(text: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "always", "-c", text + "\nprint(repr(result))"]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def _run(text: str) -> str:
    torch.manual_seed(0)
    name = "overhead_lint_page"
    module = types.ModuleType(name)
    sys.modules[name] = module  # dataclasses looks its classes' module up
    try:
        exec(compile(text, name, "exec"), module.__dict__)
    finally:
        del sys.modules[name]
    return repr(module.__dict__["result"])
