"""Context managers written as generators: what becomes a class or a plain return, and what they do then."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from rule_cases import fix, lines, lint

from overhead_lint import packs
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.fixer import fix_file
from overhead_lint.rule import Applicability
from overhead_lint.source import Source

HEAD = "from contextlib import contextmanager\nfrom torch import nn\n\nlog = []\n\n"
TAIL = """
class Net(nn.Module):
    def forward(self, x):
        with manager(%s) as given:
            log.append(("block", given))
            if x:
                raise ValueError(x)
        return given
"""


def module(body: str, signature: str = "", arguments: str = "") -> str:
    """A module whose forward enters a generator with the body."""
    function = f"@contextmanager\ndef manager({signature}):\n{textwrap.indent(textwrap.dedent(body), '    ')}"
    return f"{HEAD}{function}\n{TAIL % arguments}"


def behaviour(text: str) -> list[object]:
    """What a module logs, gives and raises, without and with an exception in the block."""
    names: dict[str, Any] = {}
    exec(text, names)
    seen: list[object] = []
    for value in (0, 1):
        try:
            seen.append(names["Net"].forward(None, value))
        except ValueError as error:
            seen.append(repr(error))
    return [*seen, names["log"]]


CASES = [
    ("log.append('in')\nyield\nlog.append('out')", "", ""),
    ("yield 3", "", ""),
    ("try:\n    yield len(log)\nfinally:\n    log.append('out')", "", ""),
    ("old = len(log)\ntry:\n    yield old\nfinally:\n    log.append(old)", "", ""),
    ("log.append(a + b)\ntry:\n    yield a\nfinally:\n    log.append(b)", "a, b=2, *, c=3", "1"),
    ("a += 1\nlog.append(a)\nyield a\nlog.append(-a)", "a, /", "1"),
    ("x, y = a\nif x:\n    y = y + 1\nyield y\nlog.append((x, y))", "a", "(1, 2)"),
    ('"""Doc."""\nlog.append({"a": a})\nyield', "a", "1"),
    (
        "total = (\n    a\n    + 1\n)\nyield (\n    total,\n    a,\n)\nfor i in [total]:\n    log.append(i)",
        "a",
        "1",
    ),
    ("yield a\na += [1]\nlog.append(len(a))", "a", "[0]"),
    ("seen = log\nyield\nseen += [a]", "a", "1"),
    ("with log_lock(a):\n    yield", "a", "1"),
    ("with log_lock(a) as lock:\n    yield lock", "a", "1"),
]
LOCK = """
class log_lock:
    def __init__(self, a):
        self.a = a
    def __enter__(self):
        log.append(("enter", self.a))
        return None
    def __exit__(self, *exc):
        log.append(("exit", exc[0]))
"""


@pytest.mark.parametrize(("body", "signature", "arguments"), CASES)
def test_rewritten_manager_does_the_same(body: str, signature: str, arguments: str) -> None:
    before = module(body, signature, arguments) + LOCK
    (finding,) = lint("OVH104", before)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert fix("OVH104", before, unsafe=False) == before
    after = fix("OVH104", before)
    assert "contextmanager" not in after
    assert behaviour(after) == behaviour(before)


@pytest.mark.parametrize(
    "body",
    [
        "if a:\n    yield\nelse:\n    yield",
        "try:\n    yield\nexcept ValueError:\n    pass",
        "try:\n    yield\nfinally:\n    pass\nlog.append(1)",
        "b = [i for i in (1, a)]\nyield b",
        "b = lambda: a\nyield b",
        "yield f'{a}'",
        "global b\nb = a\nyield",
        "# why\nyield",
        "b = '''a\n    b'''\nyield b",
        "with log_lock(1), log_lock(2):\n    yield",
        "with log_lock(1):\n    yield a",
        "for i in range(1):\n    yield i",
        "__a = 1\nyield __a\nlog.append(__a)",
        "a.__b = 1\nyield",
        "yield\nlog.append(dict(__b=a))",
        "yield\ntraceback.print_exc()",
        "with log_lock(1) as a.lock:\n    yield",
        "with log_lock(1) as a[0]:\n    yield a[0]",
    ],
)
def test_other_bodies_get_a_message_only(body: str) -> None:
    (finding,) = lint("OVH104", module(body, "a=1"))
    assert finding.fix is None


@pytest.mark.parametrize(
    "more",
    [
        "@manager()\ndef f(): pass\n",
        "kept = manager\n",
        "stack.enter_context(manager())\n",
        "each = [manager()]\n",
    ],
)
def test_manager_that_is_used_otherwise_gets_a_message_only(more: str) -> None:
    (finding,) = lint("OVH104", module("yield") + more)
    assert finding.fix is None


def test_methods_get_a_fix_only_where_they_return_another_context() -> None:
    text = """
    import contextlib
    from typing import Generator
    from torch import nn
    from typing_extensions import override

    class Net(nn.Module):
        @override
        @contextlib.contextmanager
        def quiet(self) -> Generator[None, None, None]:
            "Say nothing."
            with self.other():
                yield

        @contextlib.contextmanager
        def loud(self):
            self.depth += 1
            yield
            self.depth -= 1

        def forward(self, x):
            with self.quiet(), self.loud():
                return x
    """
    assert lines("OVH104", text) == [9, 15]
    after = fix("OVH104", text)
    assert "    @override\n    def quiet(self) -> AbstractContextManager:\n" in after
    assert '        "Say nothing."\n        return self.other()\n' in after
    assert "def loud(self):\n        self.depth += 1\n        yield" in after


def test_class_refuses_to_be_entered_while_it_is_active() -> None:
    names: dict[str, Any] = {}
    exec(fix("OVH104", module("old = len(log)\nyield\nlog.append(old)")), names)
    manager = names["manager"]()
    with manager, pytest.raises(RuntimeError, match="manager is entered while it is active"):
        manager.__enter__()
    with manager:
        pass
    assert not hasattr(manager, "__dict__")


@pytest.mark.parametrize("decorator", ["functools.cache", "contextmanager()", "asynccontextmanager"])
def test_other_decorators_are_silent(decorator: str) -> None:
    text = module("yield").replace("@contextmanager", f"@{decorator}")
    assert lines("OVH104", text) == []


@pytest.mark.parametrize(
    ("imports", "left"),
    [
        ("from contextlib import contextmanager", ""),
        ("from contextlib import ExitStack, contextmanager", "from contextlib import ExitStack\n"),
        ("from contextlib import contextmanager, ExitStack", "from contextlib import ExitStack\n"),
        (
            "from contextlib import (\n    closing,\n    contextmanager,\n)",
            "from contextlib import (\n    closing,\n)\n",
        ),
        (
            "from contextlib import (\n    contextmanager,\n    closing,  # here\n)",
            "from contextlib import (\n    closing,  # here\n)\n",
        ),
        (
            "from contextlib import (\n    contextmanager,  # here\n    closing,\n)",
            "from contextlib import (\n    contextmanager,  # here\n    closing,\n)\n",
        ),
        (
            "from contextlib import closing as a, contextmanager, suppress as b",
            "closing as a, suppress as b\n",
        ),
        (
            'from contextlib import contextmanager, closing\n__all__ = ["contextmanager"]',
            "contextmanager, closing\n",
        ),
    ],
)
def test_decorator_that_nothing_uses_any_more_leaves_the_import(imports: str, left: str) -> None:
    text = module("yield").replace("from contextlib import contextmanager", imports)
    after = fix("OVH104", text)
    assert left in after
    assert ("contextmanager" in after) is ("contextmanager" in left)


def test_lines_of_a_docstring_end_like_those_of_the_file() -> None:
    text = module('"""One.\n\nTwo.\n"""\nlog.append(1)\nyield', "", "")
    source = Source.from_bytes(Path("model.py"), text.replace("\n", "\r\n").encode())
    lint_file = Linter(packs.select(packs.load(), ["OVH104"], []), Settings()).lint
    after = fix_file(source, lint_file, unsafe=True).after_text
    assert after.replace("\r\n", "\n") == fix("OVH104", text)
    assert "class manager" in after
    assert "\n" not in after.replace("\r\n", "")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("torch.cuda.profiler.start()\nyield\ntorch.cuda.profiler.stop()", 0),
        ("with torch.profiler.profile():\n    yield", 0),
        ("with torch.profiler.record_function('part'):\n    yield", 1),
        ("torch.cuda.nvtx.range_push('part')\nyield\ntorch.cuda.nvtx.range_pop()", 1),
    ],
)
def test_a_context_that_profiles_is_entered_around_all_that_it_records(body: str, found: int) -> None:
    assert len(lint("OVH104", f"import torch\n{module(body)}")) == found


def test_a_context_costs_less_than_the_queue_whose_tasks_it_is_around() -> None:
    text = """
    from contextlib import contextmanager
    import torch
    @contextmanager
    def quiet():
        yield
    @contextmanager
    def other():
        yield
    def serve(tasks):
        while True:
            task = tasks.get()
            with quiet():
                task.run()
            tasks.task_done()
    def train(loader):
        for batch in loader:
            with other():
                batch.run()
    """
    assert lines("OVH104", textwrap.dedent(text)) == [7]
