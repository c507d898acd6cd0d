"""What tables say of names: of torch's functions, methods and attributes, and of other libraries."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import effect_cases as cases
import pytest
import torch

from overhead_lint.analysis.effects.effect import NOTHING_KNOWN, Dtype, Effect, Lands, Mask, Result, Tells
from overhead_lint.analysis.effects.frozen.effects import NAMES
from overhead_lint.analysis.effects.lookup import (
    _FIRST,
    TENSOR,
    base_hooks,
    compilers,
    effect,
    names_telling,
    names_where,
    symbol,
)
from overhead_lint.analysis.effects.method_names import COMMON_METHODS
from overhead_lint.analysis.effects.signatures import canonical, members, signatures
from overhead_lint.analysis.effects.tables import COLUMNS
from overhead_lint.api.torch_calls import FROM_VALUES, JOINING
from overhead_lint.project.method_names import tells_its_method

# What a function gives, by the names of functions.
FUNCTIONS = [
    (cases.NO_TENSORS, Result.OBJECT),
    (cases.NUMBER_FUNCTIONS, Result.NUMBER),
    (cases.FACTORIES, Result.TENSOR),
    (cases.HOST_FACTORIES, Result.TENSOR),
    (cases.MASKS - {"bool"}, Result.TENSOR),
    (cases.ELEMENTWISE, Result.TENSOR),
    ({"max", "median", "min", "nanmedian"}, Result.TENSORS_IF_DIM),
    ({"Size", "Generator"}, Result.OBJECT),
]
TENSOR_MODULES = (
    *(
        "torch.nn.functional",
        "torch.linalg",
        "torch.fft",
        "torch.special",
        "torch.functional",
        "torch.masked",
    ),
    *("torch.ops.aten", "torch.signal.windows", "torch.sparse", "torch._C._nn"),
)
TELLING = {
    Tells.TENSOR: cases.TENSOR_ONLY,
    Tells.IN_FORWARD: cases.IN_FORWARD,
    Tells.RESULT: cases.GIVES_TENSOR,
    Tells.IF_DIM: cases.DIMENSIONS,
    Tells.IF_BARE: cases.ELEMENTWISE,
    Tells.INTEGER_CAST: cases.INTEGER_CASTS,
    Tells.CAST: cases.CASTS,
    Tells.OPERAND: cases.ARITHMETIC,
    Tells.IF_GIVEN_TENSOR: cases.COMBINING,
}


def methods(told: Collection[str]) -> list[Effect]:
    return [TENSOR.step(name).effect for name in told if name in set(members("torch.Tensor"))]


@pytest.mark.parametrize(("names", "gives"), FUNCTIONS)
def test_functions_of_torch_give(names: Collection[str], gives: Result) -> None:
    assert {name for name in names if effect(f"torch.{name}").returns is not gives} == set()


def test_functions_of_torch_give_several_tensors() -> None:
    for scope in ("torch", "torch.linalg", "torch.nn.functional"):
        found = {name for name in members(scope) if effect(f"{scope}.{name}").returns is Result.TENSORS}
        assert found == cases.SEVERAL & set(members(scope))


@pytest.mark.parametrize("module", TENSOR_MODULES)
def test_modules_of_operators_give_tensors(module: str) -> None:
    assert effect(f"{module}.some_function").returns is Result.TENSOR
    assert not effect(f"{module}.SomeClass").gives_tensors


@pytest.mark.parametrize(
    ("names", "lands"),
    [
        (cases.FACTORIES - {"tensor"}, Lands.TOLD),
        (cases.HOST_FACTORIES, Lands.HOST),
        ({"zeros_like", "rand_like", "empty_like"}, Lands.TOLD_OR_LIKE),
        ({"as_tensor", "asarray"}, Lands.DATA),
        ({"tensor"}, Lands.NEW_DATA),
        ({"add", "cat", "where"}, Lands.WITH_ARGUMENTS),
    ],
)
def test_tensors_of_functions_land(names: Collection[str], lands: Lands) -> None:
    assert {name for name in names if effect(f"torch.{name}").lands is not lands} == set()


def test_windows_land_where_told() -> None:
    assert effect("torch.signal.windows.hann").lands is Lands.TOLD
    assert effect("torch.hann_window").lands is Lands.TOLD


def test_dtypes_are_told_apart() -> None:
    dtypes = {name: effect(f"torch.{name}").dtype for name in cases.DTYPES}
    assert {name for name, dtype in dtypes.items() if dtype is Dtype.NONE} == set()
    assert {name for name, dtype in dtypes.items() if dtype in (Dtype.BOOL, Dtype.INTEGER)} == cases.INTEGERS
    assert effect("torch.bool").dtype is Dtype.BOOL
    assert effect("torch.add").dtype is Dtype.NONE


def test_methods_of_tensors_give() -> None:
    assert {one.returns for one in methods(cases.NUMBER_METHODS)} == {Result.NUMBER}
    assert {one.returns for one in methods({"tolist", "storage", "untyped_storage"})} == {Result.OBJECT}
    assert {one.returns for one in methods({"size", "stride"})} == {Result.SIZES}
    assert {one.returns for one in methods({"numpy"})} == {Result.ARRAY}
    assert {one.returns for one in methods(cases.SEVERAL)} == {Result.TENSORS}
    assert {one.returns for one in methods({"max", "median", "min"})} == {Result.TENSORS_IF_DIM}
    assert TENSOR.step("some_method").effect.returns is Result.TENSOR
    assert TENSOR.step("_typed_storage").effect is NOTHING_KNOWN


def test_tensors_of_methods_land() -> None:
    assert {one.lands for one in methods(cases.SHAPING)} == {Lands.OWNER}
    assert TENSOR.step("add_").effect.lands is Lands.OWNER
    assert TENSOR.step("new_full").effect.lands is Lands.TOLD_OR_LIKE
    assert TENSOR.step("cpu").effect.lands is Lands.HOST
    assert TENSOR.step("cuda").effect.lands is Lands.DEVICE
    assert TENSOR.step("to").effect.lands is Lands.MOVED


def test_attributes_of_tensors_are() -> None:
    told = {name: one.returns for name, one in TENSOR.members.items() if one.is_attribute}
    assert {name for name, one in told.items() if one is Result.NUMBER} == cases.NUMBER_ATTRIBUTES
    assert {name for name, one in told.items() if one is Result.TENSOR} == cases.TENSOR_ATTRIBUTES
    assert {name for name, one in told.items() if one is Result.OBJECT} == cases.OBJECT_ATTRIBUTES
    assert {name for name, one in told.items() if one is Result.SIZES} == {"shape"}
    module = names_where("torch.nn.Module", lambda one: one.is_attribute)
    assert module == cases.MODULE_TENSORS


def test_masks_are_tensors_of_booleans() -> None:
    assert {one.mask for one in methods(cases.MASKS)} == {Mask.YES}
    assert {one.mask for one in methods(cases.KEEPING)} == {Mask.KEPT}
    assert {name for name in cases.MASKS - {"bool"} if effect(f"torch.{name}").mask is not Mask.YES} == set()


@pytest.mark.parametrize("what", TELLING)
def test_names_tell_what_they_are_looked_up_on(what: Tells) -> None:
    assert names_telling(what) == TELLING[what]


def test_common_methods_tell_nothing() -> None:
    known = cases.IN_FORWARD | cases.GIVES_TENSOR | cases.KEEPING | cases.NUMBER_METHODS | cases.SEVERAL
    containers = {name for kind in (dict, list, set, str) for name in dir(kind)}
    others = {"all", "any", "size", "storage", "stride", "tolist", "untyped_storage"}
    assert known | containers | others | cases.TENSOR_ONLY == COMMON_METHODS
    assert not tells_its_method("load_state_dict")
    assert tells_its_method("load_everything")


def test_what_joins_and_what_takes_values_is_known() -> None:
    stacks = {"column_stack", "dstack", "hstack", "row_stack", "stack", "vstack"}
    assert stacks | {"cat", "concat", "concatenate"} == JOINING
    assert {"torch.as_tensor", "torch.asarray", "torch.tensor"} == FROM_VALUES


def test_compilers_are_known_by_all_their_names() -> None:
    assert compilers() == {
        "torch.compile",
        "torch._dynamo.optimize",
        "torch.compiler.compile",
        "overhead_lint.runtime.compile",
        "overhead_runtime.compile",
    }


@pytest.mark.parametrize(
    ("name", "returns", "called"),
    [
        ("torch.nn.Linear", Result.MODULE, Result.TENSOR),
        ("torch.nn.modules.linear.Linear", Result.MODULE, Result.TENSOR),
        ("torch.nn.LSTM", Result.MODULE, Result.TENSORS),
        ("torch.nn.modules.rnn.LSTM", Result.MODULE, Result.TENSORS),
        ("torch.nn.MultiheadAttention", Result.MODULE, Result.TENSORS),
        ("torch.nn.Parameter", Result.TENSOR, Result.TENSOR),
        ("torch.distributions.Normal", Result.DISTRIBUTION, Result.UNTOLD),
        ("torch.distributions.normal.Normal", Result.DISTRIBUTION, Result.UNTOLD),
        ("torch.distributions.TanhTransform", Result.ANYTHING, Result.UNTOLD),
        ("torch.distributions.transforms.Anything", Result.ANYTHING, Result.UNTOLD),
        ("torch.distributions.constraints.Constraint", Result.ANYTHING, Result.UNTOLD),
        ("torch.distributions.kl.kl_divergence", Result.TENSOR, Result.UNTOLD),
        ("torch.cuda.FloatTensor", Result.TENSOR, Result.UNTOLD),
        ("torch.cuda.memory_allocated", Result.NUMBER, Result.UNTOLD),
        ("torch.load", Result.ANYTHING, Result.UNTOLD),
        ("torch.autograd.grad", Result.TENSORS, Result.UNTOLD),
        ("torch.nn.utils.rnn.pad_packed_sequence", Result.TENSORS, Result.UNTOLD),
        ("numpy.random.rand", Result.ARRAY, Result.UNTOLD),
        ("numpy.random.shuffle", Result.ARRAY, Result.UNTOLD),
        ("math.sqrt", Result.NUMBER, Result.UNTOLD),
        ("os.path.join", Result.OBJECT, Result.UNTOLD),
        ("einops.rearrange", Result.TENSOR, Result.UNTOLD),
        ("torchvision.ops.nms", Result.TENSOR, Result.UNTOLD),
        ("somewhere.else", Result.UNTOLD, Result.UNTOLD),
    ],
)
def test_what_a_qualified_name_gives(name: str, returns: Result, called: Result) -> None:
    assert (effect(name).returns, effect(name).called) == (returns, called)


def test_an_alias_does_what_it_stands_for() -> None:
    assert effect("torch.functional.split") == effect("torch.split")
    assert effect("torch.ops.aten.topk") == effect("torch.topk")
    assert effect("torch.distributed.distributed_c10d.all_reduce").writes == {"tensor"}


def test_a_look_up_is_a_step_for_each_attribute() -> None:
    found = symbol("torch")
    for name in ("nn", "functional", "batch_norm"):
        found = found.step(name)
    assert found is symbol("torch.nn.functional.batch_norm")
    assert found.effect.writes == {"running_mean", "running_var"}


def test_names_in_the_tables_are_torchs() -> None:
    """What a table names and torch has not is a slip, but for what older or newer versions have."""
    unknown = {
        f"{scope}.{name}"
        for scope in NAMES
        if scope in ("torch.nn.functional", "torch.linalg", "torch.distributed", "torch.nn.utils")
        for name in symbol(scope).members
        if name not in set(members(scope))
    }
    assert unknown == set()


def test_looking_up_costs_no_import_of_signatures_for_names_of_projects() -> None:
    program = """
import sys
from overhead_lint.analysis.effects.lookup import effect
assert not effect("project.module.function").gives_tensors
assert effect("torch.add").gives_tensors
assert "overhead_lint.analysis.effects.frozen.aten_signatures" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_base_classes_have_the_methods_that_steps_run() -> None:
    assert base_hooks()["Optimizer"] == {"step"}
    assert "training_step" in base_hooks()["LightningModule"]
    assert base_hooks().keys() >= {
        "Callback",
        "Metric",
        "MessagePassing",
        "TrainerCallback",
        "LogitsProcessor",
    }


def test_what_traces_and_what_sets_up_is_known() -> None:
    assert effect("torch.jit.trace").traces and effect("torch.fx.experimental.proxy_tensor.make_fx").traces
    assert effect("torch.nn.init.zeros_").once and not effect("torch.nn.init.calculate_gain").once
    assert effect("lightning.pytorch.Trainer.fit").steps == ("model",)
    assert effect("torch.utils.checkpoint.checkpoint").calls == ("function",)


def test_rows_name_parameters_that_there_are() -> None:
    wrong = []
    for api, told in {f"{s}.{n}": one for s in NAMES for n, one in symbol(s).members.items()}.items():
        known = {one.name for way in signatures(api) for one in way.parameters}
        named = {*told.writes, *told.calls, *told.steps, told.writes_if} - {""}
        if named - known and signatures(api):
            wrong.append((api, named - known))
    assert wrong == []


def test_what_rules_call_a_wait_is_one_in_the_tables() -> None:
    package = "overhead_lint.rules.streams"  # which mypy finds in another folder
    _checked = importlib.import_module(f"{package}._checked")
    _reads = importlib.import_module(f"{package}._reads")
    data_dependent_shape = importlib.import_module(f"{package}.data_dependent_shape")
    functions = {f"torch.{name}" for name in data_dependent_shape._HELP if hasattr(torch, name)}
    only = {name for name in data_dependent_shape._HELP if f"torch.{name}" not in functions} - {"one_hot"}
    methods = only | {*_reads.READS, *_reads._COMPARING_METHODS, *_checked._METHODS}
    others = {"torch.nn.functional.one_hot", *_reads._COMPARING, *_checked._UNCHECKED}
    names = functions | {f"torch.Tensor.{name}" for name in methods} | others
    assert [name for name in names if not (effect(name).waits or effect(name).copies)] == []


def test_the_page_shows_what_looking_up_gives() -> None:
    page = (Path(__file__).parents[2] / "docs" / "effects.md").read_text(encoding="utf-8")
    shown = doctest.DocTestParser().get_doctest(page.replace("```", ""), {}, "effects.md", None, 0)
    assert len(shown.examples) > 5
    assert doctest.DocTestRunner().run(shown).failed == 0


def test_the_page_has_all_columns() -> None:
    page = (Path(__file__).parents[2] / "docs" / "effects.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} >= set(COLUMNS)


def test_scopes_that_come_first_have_no_aliases_of_others() -> None:
    for scope in _FIRST:
        assert {canonical(f"{scope}.{name}").rpartition(".")[0] for name in members(scope)} == {scope}
