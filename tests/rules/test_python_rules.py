"""Questions in the hot path whose answers stay, such as signatures, and progress bars drawn there."""

from __future__ import annotations

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

HEADER = "import torch\nimport inspect\nfrom torch import nn"


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
        ("OVH610", "dist.get_backend()", "looks up the process group"),
        ("OVH610", "dist.get_process_group_ranks(group)", "looks up the process group"),
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
