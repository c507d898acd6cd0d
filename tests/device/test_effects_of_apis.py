"""What the tables say of waits and copies is what the simulated device counts, row by row."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest
import torch
from freeze_effects import TABLES

from overhead_lint.analysis.effects.binding import Bound, bind
from overhead_lint.analysis.effects.effect import Condition, Direction, Effect
from overhead_lint.analysis.effects.lookup import effect, symbol
from overhead_lint.analysis.effects.signatures import Type

from .test_cuda_programs import counted

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(torch.version.cuda is not None, reason="the counts are the simulated device's"),
]


class Example(NamedTuple):
    """A call of a row's API.

    Attributes:
        api: the qualified name.
        text: the call.
        costs: whether it is one that waits or copies.
    """

    api: str
    text: str
    costs: bool


def rows() -> Iterator[Mapping[str, Any]]:
    for path in sorted(TABLES.glob("*.toml")):
        for row in tomllib.loads(path.read_text(encoding="utf-8"))["api"]:
            if row.keys() & {"waits", "copies", "runs"} and row["in"] != "aten":
                yield row


def examples() -> Iterator[Example]:
    for row in rows():
        for key in ("example", "without"):
            if key in row:
                yield Example(api(row, row[key]), row[key], costs=key == "example")


def api(row: Mapping[str, Any], text: str) -> str:
    """The API of a row that an example calls."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    called = ast.unparse(call.func).replace("F.", "torch.nn.functional.")
    names = {f"{scope}.{name}" for scope in row["in"].split() for name in row["names"].split()}
    if called in names:
        return called
    assert isinstance(call.func, ast.Attribute), f"{text} calls none of {names}"
    methods = [name for name in names if name.split(".")[-2][0].isupper()]
    found = [name for name in methods if name.endswith(f".{call.func.attr}")]
    assert len(found) == 1, f"{text} calls none of {names}"
    return found[0]


def given() -> dict[str, Any]:
    """What examples name."""
    x = torch.arange(16.0).reshape(4, 4).cuda()
    parameter = torch.nn.Parameter(torch.ones(4, device="cuda"))
    parameter.grad = torch.ones(4, device="cuda")
    p = torch.tensor([0.1, 0.2, 0.3, 0.4]).cuda()
    scaler = torch.amp.GradScaler("cuda")
    scaler.scale(p.sum())
    event = torch.cuda.Event()
    event.record()
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "x": x,
        "a": torch.eye(4).cuda() * 2,
        "p": p,
        "i": torch.tensor([0, 1, 2, 3]).cuda(),
        "m": x > 3,
        "host": torch.ones(4),
        "scores": torch.zeros(4, 2, 3).cuda(),
        "targets": torch.ones(2, 2, dtype=torch.int64).cuda(),
        "spectrum": torch.stft(torch.arange(16.0).cuda(), 4, window=p, return_complex=True),
        "parameters": [parameter],
        "scaler": scaler,
        "event": event,
        "places": torch.tensor([[0, 1, 1, 0], [1, 0, 0, 1]]).cuda(),
        "sparse": torch.sparse_coo_tensor(torch.tensor([[0, 1, 1, 0]]).cuda(), p, (4,)),
        "ones": torch.ones(4, dtype=torch.int64).cuda(),
    }


def expected(told: Effect, bound: Bound | None) -> dict[str, float]:
    """What a call has to count: waits, and copies each way."""
    found = {"stream_sync": 0, "device_sync": 0, "event_sync": 0, "copy_d2h": 0, "copy_h2d": 0}
    waits = 0
    for one in told.waits:
        waits += one.times * holds(one.when, bound)
    for copy in told.copies:
        times = copy.times * holds(copy.when, bound)
        found["copy_d2h" if copy.direction is Direction.TO_HOST else "copy_h2d"] += times
        waits += times * copy.waits
    return {"waits": waits, **{name: found[name] for name in ("copy_d2h", "copy_h2d") if found[name]}}


def holds(when: Condition, bound: Bound | None) -> bool:
    """Whether a condition holds of the arguments of a call."""
    if when == Condition():
        return True
    assert bound is not None

    def value(name: str) -> Any:
        known = {one.name: one for one in bound.signature.parameters}
        default = known[name].default if name in known else None  # another overload has it
        return bound.arguments.get(name, ast.literal_eval(default) if default else None)

    def tensors(name: str) -> list[Any]:
        found = value(name)
        return [one for one in (found if isinstance(found, (list, tuple)) else [found]) if one is not None]

    checks = [
        not when.if_given or not is_off(value(when.if_given)),
        not when.unless_given or is_off(value(when.unless_given)),
        not when.unless_false or value(when.unless_false) is not False,
        not when.if_on_device or any(getattr(one, "is_cuda", False) for one in tensors(when.if_on_device)),
        not when.if_on_host or any(not getattr(one, "is_cuda", False) for one in tensors(when.if_on_host)),
        not when.if_mask or any(one.dtype == torch.bool for one in tensors(when.if_mask)),
        not when.if_integer or not value(when.if_integer).is_floating_point(),
        not when.if_equal or len({value(name) for name in when.if_equal}) == 1,
    ]
    return all(checks)


def is_off(value: object) -> bool:
    return value is None or value is False


def fits(kind: Type, value: Any) -> bool:
    """Whether a value may be of a parameter's type."""
    if isinstance(value, torch.Tensor):
        return kind in (Type.TENSOR, Type.TENSOR_OR_NUMBER, Type.UNKNOWN)
    if isinstance(value, float):
        return kind in (Type.FLOAT, Type.NUMBER, Type.TENSOR_OR_NUMBER, Type.UNKNOWN)
    return kind not in (Type.TENSOR, Type.FLOAT) if isinstance(value, (int, str)) else True


def arguments(example: Example, names: dict[str, Any]) -> Bound | None:
    """The arguments of an example, by parameter."""
    call = ast.parse(example.text, mode="eval").body
    assert isinstance(call, ast.Call)

    def valued(node: ast.expr) -> Any:
        return eval(ast.unparse(node), dict(names))

    args = [valued(one) for one in call.args]
    is_function = ast.unparse(call.func).partition(".")[0] in ("torch", "F")
    if isinstance(call.func, ast.Attribute) and not is_function:
        args.insert(0, valued(call.func.value))
    keywords = [(item.arg, valued(item.value)) for item in call.keywords]
    return bind(example.api, args, keywords, fits=fits)


CONDITIONS = {"if_given", "unless_given", "unless_false", "if_on_device", "if_on_host"}


def test_every_row_of_an_api_that_costs_has_an_example() -> None:
    assert [row["names"] for row in rows() if "example" not in row] == []
    conditional = [
        row["names"] for row in rows() if CONDITIONS & row.get("copies", {}).keys() and "without" not in row
    ]
    assert conditional == []


def test_every_operator_that_costs_and_programs_call_is_run_by_an_api() -> None:
    run = {name for row in rows() for name in row.get("runs", {}).get("operators", ())}
    costing = {
        name
        for name, told in symbol("aten").members.items()
        if (told.waits or told.copies) and not name.startswith("_")
    }
    assert costing - run <= WITHOUT_API


WITHOUT_API = {
    *(
        "index",
        "unique_dim",
        "unique_dim_consecutive",
        "normal.float_Tensor",
        "linalg_eigvals",
    ),
    *("normal.Tensor_Tensor_out", "normal.float_Tensor_out", "linalg_cholesky_ex", "linalg_inv_ex"),
    *("linalg_ldl_factor_ex", "linalg_lu_factor_ex", "fake_quantize_per_channel_affine_cachemask"),
}
"""Operators that subscripts or some forms of an API run, or that say what the row of the API says itself."""


@pytest.fixture
def checked_distributions() -> Iterator[None]:
    """Distributions check what they are made of, as they do by default: another test may have said no."""
    before = torch.distributions.Distribution._validate_args
    torch.distributions.Distribution.set_default_validate_args(True)
    yield
    torch.distributions.Distribution.set_default_validate_args(before)


@pytest.mark.usefixtures("checked_distributions")
@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.text)
def test_a_call_waits_and_copies_as_often_as_its_row_says(one_device: None, example: Example) -> None:
    names = given()
    bound = arguments(example, names)
    told = expected(effect(example.api), bound)
    found = counted(lambda: eval(example.text, dict(names)))
    counts: dict[str, float] = {name: found[name] for name in ("copy_d2h", "copy_h2d") if name in found}
    counts["waits"] = sum(found.get(name, 0) for name in ("stream_sync", "device_sync", "event_sync"))
    assert counts == told
    assert any(counts.values()) is example.costs
