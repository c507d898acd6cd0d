"""Rules on plain Python in the hot path: forms, what is safe to fix, what looks alike."""

from __future__ import annotations

import itertools

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

HEADER = "import torch\nimport inspect\nfrom torch import nn\nKINDS = (int, str)"


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        ("any(isinstance(x, c) for c in KINDS)", "isinstance(x, KINDS)", Applicability.SAFE),
        ("any(isinstance(x, c) for c in (int,))", "isinstance(x, (int,))", Applicability.SAFE),
        ("any(isinstance(x, c) for c in [int, str])", "isinstance(x, (int, str))", Applicability.SAFE),
        ("any(isinstance(x, c) for c in ())", "isinstance(x, ())", Applicability.SAFE),
        ("all(not isinstance(x, c) for c in KINDS)", "not isinstance(x, KINDS)", Applicability.SAFE),
        ("any(isinstance(x.a, c) for c in KINDS)", "isinstance(x.a, KINDS)", Applicability.UNSAFE),
        (
            "any(isinstance(x, c) for c in self.kinds)",
            "isinstance(x, tuple(self.kinds))",
            Applicability.UNSAFE,
        ),
        ("any(isinstance(x, c) for c in [*KINDS])", "isinstance(x, tuple([*KINDS]))", Applicability.UNSAFE),
        ("any(isinstance(x, c) for c in f())", "isinstance(x, tuple(f()))", Applicability.UNSAFE),
        ("any([isinstance(x, c) for c in KINDS])", "isinstance(x, KINDS)", Applicability.UNSAFE),
        (
            "any(isinstance(x, c) for c in (nn.Linear, int | str, (int, type(None))))",
            "isinstance(x, (nn.Linear, int | str, (int, type(None))))",
            Applicability.SAFE,
        ),
        ("any(isinstance(x, c) for c in (self.kind,))", "isinstance(x, (self.kind,))", Applicability.UNSAFE),
        ("any(isinstance(x, c) for c in (int, x[0]))", "isinstance(x, (int, x[0]))", Applicability.UNSAFE),
        ("isinstance(x, tuple(KINDS))", "isinstance(x, KINDS)", Applicability.SAFE),
        ("issubclass(x, tuple(KINDS))", "issubclass(x, KINDS)", Applicability.SAFE),
    ],
)
def test_trial_of_classes_is_rewritten(before: str, after: str, applicability: Applicability) -> None:
    text = forward(f"return {before}", header=HEADER)
    (finding,) = lint("OVH609", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    assert f"return {after}\n" in fix("OVH609", text)


def test_a_class_body_hides_its_names_from_the_trial() -> None:
    text = forward(
        "class Local:\n    x = 1\n    found = any(isinstance(x, c) for c in (int, str))", header=HEADER
    )
    (finding,) = lint("OVH609", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


def test_another_function_called_type_may_do_anything_to_what_is_tested() -> None:
    text = forward(
        "def type(_): return x\nreturn any(isinstance(x, c) for c in (int, type(None)))", header=HEADER
    )
    (finding,) = lint("OVH609", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize("value", [1, "a", 1.5, None, True])
@pytest.mark.parametrize(
    ("classes", "form"),
    list(
        itertools.product(
            ["KINDS", "(int,)", "[int, str]", "()", "[(int, str), float]"],
            ["any(isinstance(x, c) for c in {})", "all(not isinstance(x, c) for c in {})"],
        )
    ),
)
def test_rewritten_trial_gives_the_same_answer(value: object, classes: str, form: str) -> None:
    before = forward(f"return ({form.format(classes)}) == 1", header=HEADER)
    after = fix("OVH609", before, unsafe=False)
    assert after != before
    answers = []
    for text in (before, after):
        names: dict[str, object] = {}
        exec(text, names)
        answers.append(names["Net"].forward(None, value))  # type: ignore[attr-defined]
    assert answers[0] is answers[1]


@pytest.mark.parametrize(
    "expression",
    [
        "any(isinstance(c, x) for c in KINDS)",
        "any(isinstance(x, c) for c in KINDS if c)",
        "any(isinstance(x, c) for k in KINDS for c in k)",
        "any(isinstance(x, c.kind) for c in KINDS)",
        "any(isinstance(c, c) for c in KINDS)",
        "any(isinstance(x[c], c) for c in KINDS)",
        "any(issubclass(x, c) for c in KINDS)",
        "any(not isinstance(x, c) for c in KINDS)",
        "all(isinstance(x, c) for c in KINDS)",
        "sum(isinstance(x, c) for c in KINDS)",
    ],
)
def test_other_trials_are_silent(expression: str) -> None:
    assert lines("OVH609", forward(f"return {expression}", header=HEADER)) == []


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("isinstance(x, tuple(LISTED))", True),
        ("any(isinstance(x, c) for c in LISTED)", True),
        ("isinstance(x, tuple(self.kinds))", False),
        ("isinstance(x, tuple(x))", False),
        ("issubclass(type(x), tuple(package.KINDS))", True),
        ("isinstance(x, tuple(kind(k) for k in KINDS))", False),
        ("isinstance(x, tuple([int, str]))", False),
        ("isinstance(x, KINDS)", False),
        ("self.isinstance(x, tuple(KINDS))", False),
    ],
)
def test_tuple_of_classes_that_is_made_for_each_trial(expression: str, found: bool) -> None:
    header = f"{HEADER}\nimport package\nLISTED = [int, str]"
    findings = lint("OVH609", forward(f"return {expression}", header=header))
    assert bool(findings) is found
    assert all(finding.fix is None for finding in findings)


@pytest.mark.parametrize("name", ["any", "isinstance"])
def test_shadowed_builtins_are_silent(name: str) -> None:
    text = forward(f"{name} = self.other\nreturn any(isinstance(x, c) for c in KINDS)", header=HEADER)
    assert lines("OVH609", text) == []


@pytest.mark.parametrize(
    ("call", "applicability"),
    [
        ("inspect.signature(helper)", Applicability.SAFE),
        ("inspect.signature(wrapped)", Applicability.UNSAFE),
        ("inspect.signature(Helper)", Applicability.UNSAFE),
        ("inspect.signature(x)", Applicability.UNSAFE),
        ("inspect.signature(self.helper)", None),
        ("inspect.signature(helper, follow_wrapped=False)", None),
        ("inspect.getfullargspec(helper)", None),
    ],
)
def test_signature_is_cached_safely_for_plain_functions_of_the_file(
    call: str, applicability: Applicability | None
) -> None:
    text = forward(f"return {call}", header=HEADER)
    text += "\ndef helper(a): pass\n\n@wrap\ndef wrapped(a): pass\n\nclass Helper: pass\n"
    (finding,) = lint("OVH601", text)
    assert (finding.fix and finding.fix.applicability) == applicability
    assert bool(finding.fix) is ("runtime" in finding.help)


@pytest.mark.parametrize("call", ["self.signature(x)", "inspect.isfunction(x)", "inspect.Signature(x)"])
def test_other_questions_are_silent(call: str) -> None:
    assert lines("OVH601", forward(f"return {call}", header=HEADER)) == []


LOGGING = "import torch\nimport logging\nfrom torch import nn\nlogger = logging.getLogger(__name__)"


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ('f"a {x}"', '"a %s", x'),
        ("f'5% of {{}} {x!r} {self.n}'", '"5%% of {} %r %s", x, self.n'),
        ("f'it\\'s \"{x!s}\"\\n'", None),
        ("f\"it's '{x}' \\\\'\\n\"", "\"it's '%s' \\\\'\\n\", x"),
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


@pytest.mark.parametrize(
    "message",
    ["f'it\\'s \"{x!s}\"\\n'", "f'5% {{{x}}}'", "f'{x}' '%d {}'", "f'{x!r}é'", "f'{repr(x)}{str(x)}'"],
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
        'self.logger.debug(f"a {x}")',
        'package.LOGGER.debug(f"a {x}")',
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
    ("body", "flagged"),
    [
        ("logger.debug(message)", True),
        ("if rank() == 0:\n        logger.debug(message)", True),
        ("shared.logger.debug(message)", True),
        ("logger.info(message)", False),
        ("logger.debug(message)\n    show(message)", False),
    ],
)
def test_debug_message_of_a_function_that_only_hands_it_on(body: str, flagged: bool) -> None:
    header = f"{LOGGING}\nimport shared\n\n\ndef note(message):\n    {body}\n\n"
    text = forward('note(f"a {x}")\nnote(f"b {x}" + str(x))\nreturn x', header=header)
    found = lint("OVH606", text)
    assert len(found) == (2 if flagged else 0)
    assert all(finding.fix is None for finding in found)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('logger.debug("a %s", str(x))', "works out str(x)"),
        ('logger.debug("a %s %s", self.n, x.mean())', "works out x.mean()"),
        ('logger.debug("a %s", x.tolist())', "works out x.tolist()"),
        ('logger.debug("a " + str(self.n))', "formats its message"),
        ('logger.debug("a " + repr(x) + ".")', "reads a tensor back"),
        ('logger.log(logging.DEBUG, f"a {self.n}")', "formats its message"),
        ('logger.log(logging.DEBUG, "a %s", str(x))', "works out str(x)"),
        ('logger.warning_once(f"a {self.n}")', "though it is shown once"),
        ('if self.n.shape[0] > 8:\n    logger.warning_once(f"a {self.n}")', "though it is shown once"),
        ('if x.shape[0] > 8:\n    logger.warning_once(f"a {self.n}")', "though it is shown once"),
        ('check(x.ndim == 2, f"got {x}")', "reads a tensor back and formats it also when"),
        ('check(isinstance(x, list) and x.ndim > 2, msg=f"got {x.shape}")', "also when the check holds"),
        ('check(bool((x > 0).all()), f"got {x}")', "reads a tensor back"),
        ('check((x > 0).all(), f"got {x}")', "reads a tensor back"),
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
    ("call", "fixed"),
    [
        ("bar.set_postfix(loss=x)", "bar.set_postfix(loss=x, refresh=False)"),
        ('it.set_postfix({"loss": x})', 'it.set_postfix({"loss": x}, refresh=False)'),
        ('self.train_bar.set_description("a")', 'self.train_bar.set_description("a", refresh=False)'),
        ('made.set_description_str("a")', 'made.set_description_str("a", refresh=False)'),
        ('axis.set_description("a")', ""),
        ("bar.set_postfix(loss=x, refresh=True)", ""),
        ("bar.set_postfix({}, False)", ""),
        ("bar.set_postfix()", ""),
        ("bar.set_postfix(*x)", ""),
    ],
)
def test_progress_bar_that_is_drawn_on_every_step(call: str, fixed: str) -> None:
    text = forward(f"{call}\nreturn x", header="import tqdm\nmade = tqdm.tqdm([1])\n")
    assert bool(lint("OVH606", text)) is bool(fixed)
    assert fix("OVH606", text, unsafe=False) == text
    if fixed:
        assert f"{fixed}\n" in fix("OVH606", text)


@pytest.mark.parametrize(
    ("question", "has_fix"),
    [
        ('importlib.metadata.version("deepspeed")', False),
        ('version.parse(importlib.metadata.version("aim")) < version.parse("4")', False),
        ('importlib.metadata.version("torch")', True),
        ('importlib.util.find_spec("apex")', True),
        ('importlib.util.find_spec("apex.optimizers")', False),
        ("importlib.util.find_spec(self.package)", False),
        ('compare_versions("deepspeed", "<", "0.15")', False),
        ('is_torch_version("<", "2.6")', True),
    ],
)
def test_question_that_raises_without_a_package_stays_where_it_is(question: str, has_fix: bool) -> None:
    imports = (
        "import importlib.metadata, importlib.util",
        "from packaging import version",
        "from a import compare_versions, is_torch_version",
    )
    header = "\n".join([*imports, "from torch import nn"])
    found = lint("OVH604", forward(f"return x if {question} else x + 1", header=header))
    assert {one.fix is not None for one in found} == {has_fix}


def test_variable_without_default_is_converted_where_it_was() -> None:
    text = forward(
        'return x * int(os.getenv("A")) + int(os.getenv("B", "1"))', header="import os\nfrom torch import nn"
    )
    after = fix("OVH603", text)
    assert '_A = os.getenv("A")\n' in after
    assert '_B = int(os.getenv("B", "1"))\n' in after
    assert "return x * int(_A) + _B\n" in after


@pytest.mark.parametrize(
    ("code", "call", "said"),
    [
        ("OVH601", "inspect.stack()", "looks up the source of every caller"),
        ("OVH601", "inspect.getsource(x)", "reads a source file"),
        ("OVH601", "typing.get_type_hints(type(x))", "evaluates annotations"),
        ("OVH602", "torch.accelerator.is_available()", "asks the driver"),
        ("OVH602", "torch.xpu.get_device_properties(0)", "asks the driver"),
        ("OVH602", "torch.cuda.get_arch_list()", "asks the driver"),
        ("OVH604", 'shutil.which("nvcc")', "every folder of PATH"),
        ("OVH610", "dist.get_backend()", "looks the process group up"),
        ("OVH610", "dist.get_process_group_ranks(group)", "looks the process group up"),
        ("OVH610", "dist.new_group([0, 1])", "makes a communicator anew"),
    ],
)
def test_question_whose_answer_stays(code: str, call: str, said: str) -> None:
    header = "import inspect, shutil, torch, typing\nimport torch.distributed as dist\nfrom torch import nn"
    (finding,) = lint(code, forward(f"y = {call}\nreturn x", header=header))
    assert said in finding.message
    assert lines(code, f"{header}\ny = {call}\n\ndef __init__(x):\n    return {call}\n") == []


def test_question_about_devices_for_the_host_alone_is_silent() -> None:
    text = 'if x.device.type == "{}":\n    y = torch.xpu.is_available()\nreturn x'
    assert [len(lines("OVH602", forward(text.format(kind)))) for kind in ("cpu", "mps", "cuda")] == [0, 0, 1]


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("OVH601", "inspect.isclass(x)"),
        ("OVH601", "inspect.getmembers()"),
        ("OVH602", "torch.cuda.current_device()"),
        ("OVH602", "self.mps.is_available()"),
        ("OVH602", "torch.backends.mps.is_available()"),
        ("OVH604", "self.which(x)"),
        ("OVH610", "group.rank()"),
        ("OVH610", "self.new_group(x)"),
    ],
)
def test_question_whose_answer_changes_or_is_another(code: str, call: str) -> None:
    header = "import inspect, torch\nimport torch.distributed as dist\nfrom torch import nn"
    assert lines(code, forward(f"y = {call}\nreturn x", header=header)) == []


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


def test_a_signature_whose_module_the_function_imports_itself_has_a_message_only() -> None:
    here = forward("import inspect\nreturn inspect.signature(x)")
    (finding,) = lint("OVH601", here)
    assert finding.fix is None
    above = "import inspect\n" + here.replace("        import inspect\n", "")
    (finding,) = lint("OVH601", above)
    assert finding.fix is not None


@pytest.mark.parametrize("changed", ["helper.__annotations__['a'] = int", "helper.__kwdefaults__['b'] = 1"])
def test_a_signature_that_the_file_changes_in_place_is_not_cached_safely(changed: str) -> None:
    text = forward("return inspect.signature(helper)", header=HEADER)
    (finding,) = lint("OVH601", f"{text}\ndef helper(a, *, b=0): pass\n\n{changed}\n")
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("before", "found"),
    [("torch.cuda.synchronize()", 0), ("self.times.append(start.elapsed_time(end))", 0), ("pass", 1)],
)
def test_memory_is_read_where_a_function_waits_to_measure(before: str, found: int) -> None:
    body = f"{before}\nself.peaks.append(torch.cuda.max_memory_allocated())\nreturn x"
    assert len(lint("OVH602", forward(body))) == found
