"""Messages in the hot path: those of logging, which hardly anybody sees, and those that are printed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from rule_cases import fix, forward, lines, lint

LOGGING = "import torch\nimport logging\nfrom torch import nn\nlogger = logging.getLogger(__name__)"


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ('f"a {x!s}"', '"a %s", x'),
        ("f'5% of {{}} {x!r} {self.n}'", '"5%% of {} %r %s", x, self.n'),
        ("f'it\\'s \"{x!s}\"\\n'", None),
        ("f\"it's '{x!s}' \\\\'\\n\"", "\"it's '%s' \\\\'\\n\", x"),
        ('f"a {str(x)} {repr(self.n)!s}"', '"a %s %r", x, self.n'),
        ('f"a {str(x)!r}"', ""),
        ('f"a {[n for n in self.n]}"', ""),
        ('f"a {x:.2f}"', ""),
        ('f"a {x!a}"', ""),
        ('f"a {x}", exc_info=True', ""),
    ],
)
def test_debug_message_is_left_to_the_logger(message: str, arguments: str | None) -> None:
    text = forward(f"logger.debug({message})\nreturn x", header=LOGGING)
    (finding,) = lint("OVH606", text)
    assert fix("OVH606", text, unsafe=False) == text
    assert (finding.fix is None) is (arguments == "")
    if arguments:
        assert f"logger.debug({arguments})\n" in fix("OVH606", text)


LONG = "\n" + "\n".join(f"    f'{n * ' '}{n * 'word '}" + '"{x!s}" %\'' for n in range(12)) + "\n"
"""A message of many pieces, with spaces in a row, quotes and signs of percent."""

SEVERAL_LINES = """\
logger.debug(
    f"a message of {self.n} that is told in rather more words than a line "
    f'of a file has room for, \"{x!s}\" and {self.first.n}, it is'
)
logger.debug(
    f"{self.layer.in_features} and {self.layer.out_features}, {self.n} of all"
)
logger.debug(
    f"short {x!s}"
)
return x"""
LAID_OUT = """\
        logger.debug(
            "a message of %s that is told in rather more words than a line of a "
            'file has room for, "%s" and %s, it is',
            self.n,
            x,
            self.first.n,
        )
        logger.debug(
            "%s and %s, %s of all",
            self.layer.in_features,
            self.layer.out_features,
            self.n,
        )
        logger.debug("short %s", x)
        return x
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_debug_message_of_several_lines_keeps_to_a_width(newline: str) -> None:
    text = forward(SEVERAL_LINES, header=LOGGING)
    assert LAID_OUT.replace("\n", newline) in fix("OVH606", text.replace("\n", newline))
    tabs = fix("OVH606", text.replace("    ", "\t"))
    assert '\n\t\tlogger.debug(\n\t\t\t"a message of' in tabs and "    " not in tabs


@pytest.mark.parametrize(
    "message", ['f"{loss}"', 'f"at {self.n}: {loss}"', 'f"{x}"', 'f"{x.sum()} of {loss!s}"']
)
def test_what_an_f_string_shows_in_another_way_stays_in_it(
    message: str, caplog: pytest.LogCaptureFixture
) -> None:
    torch = pytest.importorskip("torch")
    before = forward(f"loss = self.criterion(x)\nlogger.debug({message})\nreturn x", header=LOGGING)
    (finding,) = lint("OVH606", before)
    assert finding.fix is None
    shown = []
    with caplog.at_level("DEBUG"):
        for text in (before, fix("OVH606", before)):
            names: dict[str, object] = {"__name__": "messages"}
            exec(text, names)
            owner = SimpleNamespace(n=3, criterion=lambda x: x / 2)
            names["Net"].forward(owner, torch.ones(()))  # type: ignore[attr-defined]
            shown.append(caplog.messages[-1])
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    "message",
    [
        "f'it\\'s \"{x!s}\"\\n'",
        LONG,
        "f'5% {{{x!s}}}'",
        "f'{x!s}' '%d {}'",
        "f'{x!r}é'",
        "f'{repr(x)}{str(x)}'",
    ],
)
def test_debug_message_reads_the_same_after_the_fix(message: str, caplog: pytest.LogCaptureFixture) -> None:
    before = forward(f"logger.debug({message})\nreturn x", header=LOGGING)
    after = fix("OVH606", before)
    assert after != before
    with caplog.at_level("DEBUG"):
        for text in (before, after):
            names: dict[str, object] = {"__name__": "messages"}
            exec(text, names)
            names["Net"].forward(None, 'a "b"')  # type: ignore[attr-defined]
    first, second = caplog.messages
    assert first == second


@pytest.mark.parametrize(
    "call",
    [
        'logger.debug("a %s", x)',
        'logger.debug(f"a")',
        'logger.info(f"a {x}")',
        'console.debug(f"a {x}")',
        'logger.debug("a %s")',
        'logger.debug("a" % 1)',
        'logger.debug("a %s", list(x))',
        'logger.debug(f"a {x}", x)',
        'debug(f"a {x}")',
        'debug(f"a {x}" + 1, 2)',
    ],
)
def test_other_logging_is_silent(call: str) -> None:
    assert lines("OVH606", forward(f"{call}\nreturn x", header=LOGGING)) == []


@pytest.mark.parametrize(
    "call",
    [
        'self.logger.debug(f"a {x!s}")',
        'package.LOGGER.debug(f"a {x!s}")',
        'logger.debug("a %s" % x)',
        'logger.debug("a {}".format(x))',
        'logger.debug("a %s", [row.sum() for row in x])',
        'logger.debug("a %s", ", ".join(str(row) for row in x))',
    ],
)
def test_debug_messages_are_formatted_in_several_ways(call: str) -> None:
    (finding,) = lint("OVH606", forward(f"{call}\nreturn x", header=f"{LOGGING}\nimport package"))
    assert (finding.fix is not None) is ('f"' in call)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('logger.debug("a %s", str(x))', "works out str(x)"),
        ('logger.debug("a %s %s", self.n, x.mean())', "works out x.mean()"),
        ('logger.debug("a %s", x.tolist())', "works out x.tolist()"),
        ('logger.debug("a " + str(self.n))', "formats its message"),
        ('logger.debug("a " + repr(x) + ".")', "waits for a tensor's value"),
        ('logger.log(logging.DEBUG, f"a {self.n}")', "formats its message"),
        ('logger.log(logging.DEBUG, "a %s", str(x))', "works out str(x)"),
        ('logger.warning_once(f"a {self.n}")', "though it is shown once"),
        ('if self.n.shape[0] > 8:\n    logger.warning_once(f"a {self.n}")', "though it is shown once"),
        ('if x.shape[0] > 8:\n    logger.warning_once(f"a {self.n}")', "though it is shown once"),
        ('check(x.ndim == 2, f"got {x}")', "waits for a tensor's value and formats it also when"),
        ('check(isinstance(x, list) and x.ndim > 2, msg=f"got {x.shape}")', "also when the check holds"),
        ('check(bool((x > 0).all()), f"got {x}")', "waits for a tensor's value"),
        ('check((x > 0).all(), f"got {x}")', "waits for a tensor's value"),
        ('torch._assert(not self.n, f"got {tuple(x.shape)}")', "also when the check holds"),
        ('said = f"got {self.n}"\nif self.n > 2: raise ValueError(said)', "only a failure shows"),
        ('said = "got %s" % x\nassert x.ndim == 2, said', "formats a tensor that only a failure"),
        ('said = f"got {self.n}"\nlogger.debug(said)', "only a debug log shows"),
        ('sums = [row.sum() for row in x]\nlogger.debug("a %s", sums)', "works out [row.sum() for"),
    ],
)
def test_messages_that_hardly_anybody_sees(call: str, message: str) -> None:
    (finding,) = lint("OVH606", forward(f"{call}\nreturn x", header=LOGGING))
    assert message in finding.message


@pytest.mark.parametrize(
    "call",
    [
        'logger.debug("a %s %s", x.shape, len(x))',
        'logger.debug("a" + "b")',
        'said = f"got {self.n}"\nsaid = self.said\nlogger.debug(said)',
        'logger.log(logging.INFO, f"a {x}")',
        'logger.log(level, f"a {x}")',
        'logger.warning_once("a")',
        'if self.n is None:\n    logger.warning_once(f"a {self.n}")',
        'self.say_once(f"a {self.n}")',
        'check(x.ndim == 2, f"got {self.n}")',
        'check(x.ndim == 2, "got %s", x.shape)',
        'check(x, f"got {x}")',
        'check(x.ndim == 2, lambda: f"got {x}")',
        'seen = check(x.ndim == 2, f"got {x}")',
        'if x.ndim != 2: raise ValueError(f"got {x}")',
        'said = f"got {self.n}"\nshow(said)',
        'said = f"got {self.n}"\nlogger.debug(said)\nself.said = said',
        'said = "got"\nraise ValueError(said)',
        "sums = [row.sum() for row in x]\nassert sums, sums[0]",
        'if self.n > 2:\n    said = f"got {self.n}"\n    raise ValueError(said)',
    ],
)
def test_messages_that_are_shown_or_cost_little(call: str) -> None:
    text = forward(f"{call}\nreturn x", header=LOGGING)
    assert lines("OVH606", text) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("print('here', x.shape)\nreturn x", 1),
        ("for i in range(3):\n    print(f'round {i}')\nreturn x", 1),
        ("with torch.no_grad():\n    print(self.training)\nreturn x", 1),
        ("print(x)\nprint(f'{x}')\nreturn x", 0),
        ("if self.training:\n    print('here')\nreturn x", 0),
        ("try:\n    x = x + 1\nexcept RuntimeError:\n    print('failed')\nreturn x", 0),
        ("self.verbose and print('here')\nreturn x", 0),
        ("print('here', file=self.out)\nreturn x", 0),
        ("print = self.log\nprint('here')\nreturn x", 0),
    ],
)
def test_prints_of_layers_that_nothing_decides_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH606", forward(body))) == found


def test_prints_of_compiled_layers_are_left_to_the_rule_of_graph_breaks() -> None:
    text = forward("print('here', x.shape)\nreturn x")
    assert lines("OVH606", text) != []
    assert lines("OVH606", text.replace("    def forward", "    @torch.compile\n    def forward")) == []


def test_prints_of_training_loops_and_of_what_shows_something_are_silent() -> None:
    text = """
        import torch
        from torch import nn

        class Net(nn.Module):
            def forward(self, x):
                self.print_state()
                return self.help(x)

            def help(self, x):
                print(x.shape)
                return x

            def print_state(self):
                print(self.training)

        def train(model, loader, optimizer):
            for batch in loader:
                model(batch).backward()
                optimizer.step()
                print("step")
        """
    assert lines("OVH606", text) == [11]
