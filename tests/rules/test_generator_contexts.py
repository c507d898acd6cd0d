"""Context managers written as generators: what becomes a class or a plain return, and what they do then."""

from __future__ import annotations

import io
import textwrap
import tokenize
from pathlib import Path
from typing import Any

import pytest
from rule_cases import fix, lines, lint

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Applicability
from overhead_lint.syntax.source import Source

HEAD = "from contextlib import contextmanager\nfrom torch import nn\n\nlog = []\n\n"
TAIL = """
class Net(nn.Module):
    def forward(self, x):
        with manager(%s) as given:
            log.append(("block", given))
            if x == 1:
                raise ValueError(x)
            if x:
                raise KeyError(x)
        return given
"""


def module(body: str, signature: str = "", arguments: str = "") -> str:
    """A module whose forward enters a generator with the body."""
    function = f"@contextmanager\ndef manager({signature}):\n{textwrap.indent(textwrap.dedent(body), '    ')}"
    return f"{HEAD}{function}\n{TAIL % arguments}"


def behaviour(text: str) -> list[object]:
    """What a module logs, gives and raises, without and with exceptions in the block."""
    names: dict[str, Any] = {}
    exec(text, names)
    seen: list[object] = []
    for value in (0, 1, ("key",)):
        try:
            seen.append(names["Net"]().forward(value))
        except (ValueError, KeyError, ZeroDivisionError) as error:
            seen.append((repr(error), repr(error.__cause__), repr(error.__context__)))
    return [*seen, names["log"], names.get("level")]


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
    ("log.append(a)\nwith log_lock(a):\n    yield", "a", "1"),
    ("b = a + 1\nwith log_lock(b) as lock:\n    yield lock", "a", "1"),
    (
        "log.append(a)\nwith log_lock(\n    [\n        a,  # note\n    ]\n):  # tail\n    # own\n    yield",
        "a",
        "1",
    ),
    ("log.append(a)\nwith forgiving(a):\n    yield", "a", "1"),
    ("log.append(a)\nwith log_lock(1 / a):\n    yield", "a", "0"),
    ("yield f'{a}'", "a", "1"),
    ("b = a + 1\nyield f'{a:>{b}}{{a}}-{a!r}{b}' f'{b}'", "a", "1"),
    ("log.append(f'in {a}')\nyield\nlog.append(f\"out {a['b']} {a}\")", "a", "{'b': 1}"),
    ("global level\nlevel = a\nyield level", "a", "3"),
    (
        "global level\nold = globals().get('level')\nlevel = a\ntry:\n    yield\nfinally:\n    level = old",
        "a",
        "3",
    ),
    ("yield\nglobal level\nlevel = a", "a", "3"),
    ("try:\n    yield\nexcept ValueError:\n    pass", "", ""),
    ("try:\n    yield a\nexcept ValueError as error:\n    log.append(repr(error))\n    raise", "a", "1"),
    ("try:\n    yield a\nexcept ValueError as error:\n    raise KeyError(a) from error", "a", "1"),
    ("try:\n    yield a\nexcept ValueError as error:\n    log.append(1 / a)", "a", "0"),
    (
        "log.append(a)\ntry:\n    yield a\nexcept (\n    ValueError,\n    TypeError,\n) as error:\n"
        "    log.append(a)\nexcept KeyError:\n    raise\nelse:\n    log.append('else')\n"
        "finally:\n    log.append(f'finally {a}')",
        "a",
        "1",
    ),
    ("try:\n    yield a\nexcept:\n    log.append(a)", "a", "1"),
    ("try:\n    yield\nexcept a:\n    log.append(2)\n    raise", "a", "ValueError"),
    ("try:\n    log.append(a)\nexcept ValueError as error:\n    log.append(error)\nyield a", "a", "1"),
    ("if a:\n    yield\nelse:\n    with log_lock(a):\n        yield", "a", "1"),
    ("if a:\n    yield a\nelif log:\n    with log_lock(a):\n        yield\nelse:\n    yield 3", "a", "0"),
    ("if a:\n    yield\n    return\nwith log_lock(a):\n    yield", "a", "0"),
    ("if a:\n    with log_lock(a):\n        yield\n    return\nyield", "a", "1"),
    ("if a:\n    yield\nelse:\n    yield", "a", "1"),
    ("if a:\n    yield\n    return  # done\nwith log_lock(1):\n    yield", "a", "0"),
]
GUARDED = [
    """
    if a:
        yield 5
        return
    log.append('in')
    try:
        yield a
    finally:
        log.append('out')
    """,
    """
    b = a + 1
    log.append(b)
    # off
    if (
        a  # why
        or not b
    ):  # then
        # nothing
        yield b  # given
    else:  # on
        # again
        c = b
        yield
        log.append(c)
    """,
    """
    if a == 0:
        yield 0
    elif a == 1:
        # one
        yield 1
    else:
        log.append(a)
        with log_lock(a) as lock:
            yield lock
    """,
    """
    if a:
        yield
        return
    b = len(log)
    if b > 9:
        yield b
        return
    try:
        yield
    except ValueError:
        log.append(b)
    """,
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
class forgiving(log_lock):
    def __exit__(self, *exc):
        super().__exit__(*exc)
        return exc[0] is KeyError
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


@pytest.mark.parametrize("arguments", ["0", "1", "2"])
@pytest.mark.parametrize("body", GUARDED)
def test_a_branch_that_gives_way_at_once_has_nothing_to_leave(body: str, arguments: str) -> None:
    before = module(body, "a", arguments) + LOCK
    after = fix("OVH104", before)
    assert "class manager:" in after
    assert behaviour(after) == behaviour(before)
    assert all(line.partition("#")[2] in after for line in before.splitlines())


@pytest.mark.parametrize(
    "body",
    [
        "try:\n    yield\nexcept ValueError:\n    if a:\n        raise",
        "try:\n    yield\nexcept ValueError as a:\n    print(a)",
        "try:\n    yield\nexcept ValueError as owner:\n    return",
        "try: yield\nfinally: print(a)",
        "try:\n    yield\nfinally: print(a)",
        "b = 1; yield b",
        "if a: yield\nlog.append(1)",
        "if a:\n    yield",
        "if a:\n    log.append(1)\n    yield\nelse:\n    with log_lock(1):\n        yield",
        "if a:\n    log.append(1)\n    yield\n    return\nlog.append(2)\nyield",
        "if a:\n    b = yield\n    return\nlog.append(2)\nyield",
        "b = yield\nlog.append(b)",
        "if a:\n    yield\n    return 1\nlog.append(2)\nyield",
        "if a:\n    yield\n    return\nelse:\n    yield\nlog.append(2)",
        "yield f'{a=}'",
        'b = f"""{a}\n    """\nyield b',
        "b = super\nyield b",
        "try:\n    yield\nfinally:\n    pass\nlog.append(1)",
        "b = [i for i in (1, a)]\nyield b",
        "b = lambda: a\nyield b",
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


MODES = """\
from contextlib import contextmanager
import torch
from torch import nn, no_grad

log = []


@contextmanager
def manager(dtype=torch.bfloat16, fast=True):
    {body}


def modes():
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.is_autocast_enabled("cpu")


class Net(nn.Module):
    def forward(self, x):
        with manager() as given:
            log.append((given, modes(), torch.get_autocast_dtype("cpu")))
            if x == 1:
                raise ValueError(x)
            if x:
                raise KeyError(x)
        log.append(modes())
        return modes()
"""


@pytest.mark.parametrize(
    "body",
    [
        "with torch.no_grad(), torch.autocast('cpu', dtype=dtype):  # both\n    yield",
        "with torch.autocast('cpu', enabled=fast), no_grad():\n    # note\n    yield  # way",
        "with torch.no_grad(), torch.enable_grad(), torch.inference_mode(False):\n    yield",
        "log.append(dtype)\nwith no_grad():\n    # inner\n    with torch.autocast(\n        'cpu',  # it\n"
        "        enabled=fast,\n    ):\n        yield",
        "with torch.inference_mode(fast), no_grad():\n    with torch.autocast('cpu', dtype):\n        yield",
    ],
)
def test_a_pair_of_stock_contexts_is_entered_and_left_in_turn(body: str) -> None:
    before = MODES.format(body=body.replace("\n", "\n    "))
    after = fix("OVH104", before)
    assert "contextmanager" not in after
    assert comments(after) == comments(before)
    assert behaviour(after) == behaviour(before)


@pytest.mark.parametrize(
    "body",
    [
        "with torch.no_grad(), open(dtype):\n    yield",  # the second may raise: the first is left then
        "with other(dtype), torch.no_grad():\n    yield",  # it may swallow an exception, or raise another one
        "with torch.autocast('cpu'), torch.autocast('cuda'):\n    yield",  # the second reads the first's
        "with torch.no_grad(), torch.autocast(log.pop()):\n    yield",  # it is asked under the first
        "with torch.no_grad(), torch.autocast('cpu') as amp:\n    yield",
        "with torch.no_grad():\n    with torch.autocast('cpu') as amp:\n        yield amp",
        "with torch.no_grad(), torch.autocast('cpu'):\n    yield 3",
        "with torch.no_grad():\n    log.append(1)\n    with torch.autocast('cpu'):\n        yield",
    ],
)
def test_a_pair_of_contexts_whose_order_shows_gets_a_message_only(body: str) -> None:
    (finding,) = lint("OVH104", MODES.format(body=body.replace("\n", "\n    ")))
    assert finding.fix is None


@pytest.mark.parametrize(
    "more",
    [
        "manager()(print)\n",
        "other = manager\nprint(other)\n",
        "other = manager\nother = again = other\n",
        "kept = manager\nprint(kept)\n",
        "kept = manager\nkept = print\n",
        "kept.manager = manager\n",
        "stack.enter_context(manager())\n",
        "each = [manager()]\n",
    ],
)
def test_manager_that_is_used_otherwise_gets_a_message_only(more: str) -> None:
    (finding,) = lint("OVH104", module("yield") + more)
    assert finding.fix is None


DECORATED = """
@manager(%s)
def fall(x):
    "Falls."
    log.append(x)
    if x:
        fall(x - 1)
    else:
        raise ValueError(x)


try:
    fall(2)
except ValueError as error:
    log.append((fall.__name__, fall.__doc__, repr(error)))
"""


@pytest.mark.parametrize(
    ("body", "signature", "arguments"),
    [
        ("log.append('in')\ntry:\n    yield\nfinally:\n    log.append('out')", "", ""),
        (
            "a += 1\nlog.append((a, b, c))\ntry:\n    yield\nfinally:\n    log.append(a)",
            "a, b=2, *, c=3",
            "1",
        ),
        ("log.append(a)\nwith log_lock(a):\n    yield", "a", "'x'"),
    ],
)
def test_a_manager_that_decorates_functions_goes_on_to_do_so(
    body: str, signature: str, arguments: str
) -> None:
    lock, use = LOCK, DECORATED % arguments
    before = (module(body, signature, arguments) + use).replace("log = []\n", f"log = []\n{lock}", 1)
    after = fix("OVH104", before)
    assert "def __call__(self, function):" in after and "from functools import wraps\n" in after
    assert behaviour(after) == behaviour(before)
    before = before.replace("@manager(", "fallen = manager\n\n\n@fallen(")
    after = fix("OVH104", before)
    assert "def __call__(self, function):" in after
    assert behaviour(after) == behaviour(before)


@pytest.mark.parametrize("use", ["@manager(1)", "other = manager\n\n\n@other(1)"])
def test_what_decorates_functions_is_not_replaced_by_a_context_that_may_not(use: str) -> None:
    text = (module("with log_lock(a):\n    yield", "a", "'x'") + DECORATED).replace("@manager(%s)", use)
    before = text.replace("log = []\n", f"log = []\n{LOCK}", 1)
    after = fix("OVH104", before)
    assert "class manager:" in after
    assert behaviour(after) == behaviour(before)


def test_a_decorating_manager_that_does_not_keep_its_parameters_stays() -> None:
    (finding,) = lint("OVH104", module("yield", "a", "1") + DECORATED % "1")
    assert finding.fix is None


def test_method_returns_another_context_or_a_class_that_knows_the_owner() -> None:
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
    assert "    def loud(self):\n        return _NetLoud(self)\n" in after
    assert "        self.owner.depth += 1\n" in after and "self.owner.depth -= 1\n\nclass Net(" in after


METHODS = """
from contextlib import contextmanager
from typing import Iterator
from torch import nn

log = []

class Net(nn.Module):
    depth = 0

    def forward(self, x):
        with self.manager(x, more=2) as given:
            log.append((self.depth, Net.depth))
            if x == 1:
                raise ValueError(x)
        return given

    # above
    {decorators}
    def manager({signature}) -> Iterator[int]:  # of the header
        \"\"\"Keep {{one}}.

        Two.
        \"\"\"
{body}

    def last(self):
        return vars(Net)["manager"].__doc__
"""


@pytest.mark.parametrize(
    ("decorators", "signature", "body"),
    [
        ("@contextmanager", "self, x, more=1", "self.depth += more\nyield x\nself.depth -= more"),
        (
            "@contextmanager",
            "self,\n        x,  # given\n        *,\n        more,\n    ",
            "# before\nold = self.depth\nself.depth = more\n"
            "try:  # to\n    yield\nfinally:\n    self.depth = old",
        ),
        ("@contextmanager", "self, *args, **more", "log.append((args, more))\nyield self\nlog.append(args)"),
        (
            "@classmethod\n    @contextmanager",
            "cls, x, more={}",
            "cls.depth += more\ntry:\n    yield x\nfinally:\n    cls.depth -= more  # back",
        ),
        (
            "@staticmethod\n    @contextmanager  # here",
            "x, more",
            "log.append({x: more})\nyield\nlog.append(x)",
        ),
        (
            "@contextmanager",
            "self, x, more",
            "try:\n    yield self.depth\nexcept ValueError as error:\n    # say\n"
            "    log.append(f'{self.depth} {error}')",
        ),
    ],
)
def test_method_becomes_a_class_beside_its_own(decorators: str, signature: str, body: str) -> None:
    inner = textwrap.indent(body, " " * 8)
    before = METHODS.format(decorators=decorators, signature=signature, body=inner)
    (finding,) = lint("OVH104", before)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    after = fix("OVH104", before)
    assert "class _NetManager:\n    __slots__" in after and "contextmanager" not in after.lower().replace(
        "abstractcontextmanager", ""
    )
    assert comments(after) == comments(before)
    results = []
    for text in (before, after):
        names: dict[str, Any] = {}
        exec(text, names)
        net = names["Net"]()
        seen: list[object] = []
        for value in (0, 1):
            try:
                given = net.forward(value)
                seen.append(given if given is not net else "itself")
            except ValueError as error:
                seen.append(repr(error))
        results.append([*seen, names["log"], net.depth, net.last()])
    assert results[0] == results[1]


def comments(text: str) -> list[str]:
    """The comments of a module, sorted."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize(
    "change",
    [
        ("log = []", "log = []\n_NetManager = 1"),
        ("-> Iterator[int]", "-> 'Iterator[int]'"),
        ("    def last", "    again = manager\n\n    def last"),
        ('vars(Net)["manager"].__doc__', "super().forward"),
        ("        yield x", "        super().last()\n        yield x"),
        ("        yield x", "        self.__mine = owner\n        yield x"),
        ("        yield x", "        owner = x\n        yield owner"),
        ("    @contextmanager", "    @log.append\n    @contextmanager"),
        ('vars(Net)["manager"].__doc__', "[self.manager]"),
    ],
)
def test_method_that_cannot_move_gets_a_message_only(change: tuple[str, str]) -> None:
    text = METHODS.format(
        decorators="@contextmanager", signature="self, x, more", body="        yield x\n        self.x = x"
    )
    changed = text.replace(*change)
    (finding,) = lint("OVH104", changed)
    assert changed != text and (finding.fix is None) is (change[1] != "super().forward")


COMMENTED = [
    "# why\nyield",
    "yield  # last",
    "log.append(1)  # one\n\n# of the block\nyield 3  # three\n# gone\nlog.append(2)  # two",
    "if a:\n    # inside\n    log.append(a)\n    # below\ntry:  # tried\n    # here\n    yield a  # given\n"
    "# back\nfinally:  # always\n    # then\n    log.append(1)  # end",
    "try:\n    yield (\n        a,  # part\n        1,\n    )\nexcept ValueError:  # caught\n    # said\n"
    "    log.append(1)\n    raise  # again\nexcept KeyError:\n    pass  # nothing\n# or\nelse:  # well\n"
    "    log.append(2)  # done",
    "log.append('# no comment')\nyield '#'  # größer",
    "with log_lock(1):  # held\n    # while\n    yield  # now",
    "with log_lock(  # which\n    1,  # one\n):  # held\n    yield",
    "# first\nif a:  # ready\n    # nothing\n    yield  # so\n# else\nelse:  # not\n"
    "    with log_lock(a):  # held\n        yield  # now",
]


@pytest.mark.parametrize("body", COMMENTED)
def test_comments_move_with_their_statements(body: str) -> None:
    before = (module(body, "a=1") + LOCK).replace("@contextmanager", "# above\n@contextmanager  # on top")
    before = before.replace("def manager(a=1):", "# between\ndef manager(\n    a=1,  # given\n):  # header")
    after = fix("OVH104", before)
    assert "contextmanager" not in after
    assert comments(after) == comments(before)
    assert behaviour(after) == behaviour(before)


def test_comments_stand_where_their_statements_do() -> None:
    body = "# keep\nold = len(log)  # before\ntry:\n    yield old  # given\n"
    body += "finally:\n    # put back\n    log.append(old)  # after"
    after = fix("OVH104", module(body).replace("def manager():", "def manager():  # noqa: N801"))
    start = after.index("class manager")
    expected = """
    class manager:  # noqa: N801
        __slots__ = ("old", "_entered")

        def __init__(self):
            self._entered = False

        def __enter__(self):
            if self._entered:
                raise RuntimeError("manager is entered while it is active")
            self._entered = True
            # keep
            self.old = len(log)  # before
            # given
            return self.old

        def __exit__(self, exc_type, exc_value, traceback):
            self._entered = False
            # put back
            log.append(self.old)  # after
    """
    assert after[start : after.index("\nclass Net")].strip() == textwrap.dedent(expected).strip()


def test_second_name_of_a_manager_is_one_of_the_class() -> None:
    before = (
        module("log.append(1)\nyield 2")
        + "scope = again = manager\nwith scope() as given, again():\n    pass\n"
    )
    after = fix("OVH104", before)
    assert "class manager:" in after
    assert behaviour(after) == behaviour(before)


def test_class_refuses_to_be_entered_while_it_is_active() -> None:
    names: dict[str, Any] = {}
    exec(fix("OVH104", module("old = len(log)\nyield\nlog.append(old)")), names)
    manager = names["manager"]()
    with manager, pytest.raises(RuntimeError, match="manager is entered while it is active"):
        manager.__enter__()
    with manager:
        pass
    assert not hasattr(manager, "__dict__")


@pytest.mark.parametrize(
    ("bound", "found"),
    [
        ("context = contextmanager\n", 1),
        ("import contextlib\ncontext = contextlib.contextmanager\n", 1),
        ("first = contextmanager\ncontext = first\n", 1),
        ("context = print\n", 0),
        ("context = contextmanager\ncontext = print\n", 0),
        ("context = contextmanager()\n", 0),
    ],
)
def test_the_decorator_may_have_another_name(bound: str, found: int) -> None:
    before = module("log.append(1)\nyield 2").replace("@contextmanager", f"{bound}\n\n@context")
    assert len(lint("OVH104", before)) == found
    if found:
        after = fix("OVH104", before)
        assert "class manager:" in after and behaviour(after) == behaviour(before)


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


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("kept.store(net.parameters())\nyield\nkept.restore(net.parameters())", 0),
        ("for _, part in net.named_modules():\n    part.quick = True\nyield", 0),
        ("was = net.training\nnet.eval()\ntry:\n    yield\nfinally:\n    net.train(was)", 0),
        ("was = net.training\nnet.training = False\nyield\nnet.training = was", 1),
        ("print(net.eval('a + b'))\nyield", 1),
        ("print(net.parameters)\nyield", 1),
    ],
)
def test_a_context_that_goes_over_all_parts_of_a_model_costs_that(body: str, found: int) -> None:
    assert len(lint("OVH104", module(body, "net, kept", "self, x"))) == found


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


@pytest.mark.parametrize(
    ("signature", "header"),
    [
        (
            "a: int = 1, b='x', *, c='y\"', d=None",
            """def __init__(self, a: int = 1, b="x", *, c='y"', d=None):""",
        ),
        ("a, b=(1, 2), /, c={}", "def __init__(self, a, b=(1, 2), /, c={}):"),
        (
            "first_parameter: int = 1, second_parameter: float = 2.0, third_parameter=None",
            "def __init__(\n        self,\n        first_parameter: int = 1,\n"
            "        second_parameter: float = 2.0,\n        third_parameter=None,\n    ):",
        ),
    ],
)
def test_parameters_are_written_as_formatters_leave_them(signature: str, header: str) -> None:
    after = fix("OVH104", module("log.append(1)\nyield", signature, "1, 2" if signature[:2] == "a," else ""))
    assert f"    {header}\n" in after
