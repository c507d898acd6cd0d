"""Which arguments a call writes to, by schemas, signatures and tables; and which torch itself then does."""

from __future__ import annotations

import ast

import pytest
import torch

from overhead_lint.analysis.effects.writes import mutated_arguments, mutated_by_call

# Calls with the arguments that they write to.
CALLS = {
    "torch.add(x, y)": "",
    "torch.add(x, y, out=z)": "z",
    "torch.max(x, 1, out=(y, z))": "y z",
    "torch.cat([x, y], out=z)": "z",
    "torch._foreach_add_([x, y], [z, z])": "x y",
    "torch._foreach_add([x, y], [z, z])": "",
    "torch.nn.functional.relu(x)": "",
    "torch.nn.functional.relu(x, True)": "x",
    "torch.nn.functional.relu(input=x, inplace=True)": "x",
    "torch.nn.functional.dropout(x, 0.5, True, False)": "",
    "torch.nn.functional.dropout(x, inplace=flag)": "x",
    "torch.relu_(x)": "x",
    "torch.nn.functional.relu_(x)": "x",
    "torch.nn.functional.batch_norm(x, mean, var)": "",
    "torch.nn.functional.batch_norm(x, mean, var, training=True)": "mean var",
    "torch.nn.functional.batch_norm(x, running_mean=mean, running_var=var, training=flag)": "mean var",
    "torch.nn.functional.batch_norm(x, mean, var, None, None, False)": "",
    "torch.nn.functional.instance_norm(x, mean, var)": "mean var",
    "torch.nn.functional.instance_norm(x, mean, var, use_input_stats=False)": "",
    "torch.nn.functional.embedding(x, weight)": "",
    "torch.nn.functional.embedding(x, weight, max_norm=1.0)": "weight",
    "torch.nn.functional.pad(x, [1, 1])": "",
    "torch.nn.init.kaiming_uniform_(w, a=5)": "w",
    "torch.nn.init.zeros_(tensor=w)": "w",
    "torch.nn.utils.vector_to_parameters(vector, parameters)": "parameters",
    "torch.nn.utils.clip_grad_norm_(parameters, 1.0)": "parameters",
    "torch.distributed.all_reduce(x)": "x",
    "torch.distributed.all_reduce(tensor=x, op=op)": "x",
    "torch.distributed.distributed_c10d.all_reduce(x)": "x",
    "torch.distributed.all_gather([x, y], z)": "x y",
    "torch.distributed.all_gather(tensor_list=[x, y], tensor=z)": "x y",
    "torch.distributed.gather(x, [y, z], dst=0)": "y z",
    "torch.distributed.gather(x)": "",
    "torch.distributed.reduce_scatter_tensor(x, y)": "x",
    "torch.distributed.all_gather_into_tensor(x, y)": "x",
    "torch.distributed.send(x, 1)": "",
    "torch.distributed.recv(x, 1)": "x",
    "torch.distributed.broadcast(x, src=0)": "x",
    "torch.distributed.broadcast_object_list(objects, src=0)": "objects",
    "torch.ops.aten.add_.Tensor(x, y)": "x",
    "torch.ops.aten.add_(x, y)": "x",
    "torch.ops.aten.add(x, y)": "",
    "torch.Tensor.add_(x, y)": "x",
    "torch.nowhere_yet_(x, y)": "x",
}
METHODS = {
    "x.add_(y)": "x",
    "x.add(y)": "",
    "x.index_put_([i], v)": "x",
    "x.index_put([i], v)": "",
    "x.copy_(y, non_blocking=True)": "x",
    "x.zero_()": "x",
    "x.share_memory_()": "x",
    "x.any()": "",
    "x.scatter_add_(0, i, y)": "x",
    "x.set_(y)": "x",
    "x.nowhere_yet_()": "x",
}
HIDDEN = {
    "torch.add(*given)": "",
    "torch.add(x, **more)": "more",
    "torch.add_(*given)": "given",
    "torch.distributed.all_reduce(*given)": "given",
    "torch.distributed.all_reduce(x, *given)": "x",
    "torch.nn.functional.relu(x, **more)": "x",
    "torch.nn.functional.batch_norm(x, *given)": "given",
}


def written(text: str, *, method: bool = False) -> str | None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    found = mutated_by_call(call, None if method else ast.unparse(call.func))
    return None if found is None else " ".join(map(ast.unparse, found))


@pytest.mark.parametrize("text", CALLS)
def test_a_function_writes_to_these_arguments(text: str) -> None:
    assert written(text) == CALLS[text]


@pytest.mark.parametrize("text", METHODS)
def test_a_method_of_tensors_writes_to_what_it_is_called_on(text: str) -> None:
    assert written(text, method=True) == METHODS[text]


@pytest.mark.parametrize("text", HIDDEN)
def test_what_stars_hide_counts_as_written_where_it_may_be(text: str) -> None:
    assert written(text) == HIDDEN[text]


@pytest.mark.parametrize("text", ["other.function(x)", "torch.nowhere_yet(x)", "torch.add()", "f(x)(y)"])
def test_nothing_is_said_of_what_is_not_known(text: str) -> None:
    assert written(text) is None


def test_arguments_may_be_of_any_kind() -> None:
    assert mutated_arguments("torch.addcmul", [1, 2, 3], [("out", 4)]) == (4,)


# What the names of the calls below stand for, so that torch can be asked.
RUN = {
    **{text: told for text, told in {**CALLS, **METHODS}.items() if "distributed" not in text},
    "torch.nn.functional.hardtanh(x, inplace=True)": "x",
    "torch.nn.functional.alpha_dropout(x, training=True, inplace=True)": "x",
    "torch.addcmul(x, y, z, out=w)": "w",
    "x.clamp_(0, 1)": "x",
    "x.masked_fill_(x > 0, 1.0)": "x",
    "torch.sort(x, out=(y, i))": "y i",
    "torch.var_mean(x)": "",
    "torch.sort(x)": "",
    "x.sort(0)": "",
    "x.unique()": "",
    "torch.lerp(x, y, 0.5)": "",
    "torch.linalg.inv(w, out=square)": "square",
    "torch.special.expit(x, out=y)": "y",
    "torch.fft.fft(x, out=complex_ones)": "complex_ones",
}


@pytest.mark.parametrize("text", [text for text in RUN if "nowhere" not in text and "share" not in text])
def test_torch_writes_to_the_same(text: str) -> None:
    rows = torch.ones(4, 4)
    given = {
        "x": rows.clone(),
        "y": rows.clone(),
        "z": rows.clone(),
        "w": torch.eye(4),
        "square": torch.eye(4),
        "complex_ones": torch.ones(4, 4, dtype=torch.complex64),
        "mean": torch.zeros(4),
        "var": torch.ones(4),
        "weight": 3 * torch.ones(4, 4),
        "vector": torch.ones(16),
        "i": torch.zeros(4, 4, dtype=torch.int64),
        "v": torch.ones(4, 4, 4),
    }
    parameter = torch.nn.Parameter(torch.zeros(16))
    parameter.grad = 9 * torch.ones(16)
    others = {"self": torch.nn.Module(), "flag": True, "parameters": [parameter], "torch": torch}
    if "embedding" in text:
        given["x"] = torch.zeros(4, dtype=torch.int64)
    if "instance_norm" in text:
        given["x"] = torch.rand(2, 4, 4)
    if "cat(" in text:
        given["z"] = torch.zeros(8, 4)
    if "max(x, 1" in text:
        given["y"], given["z"] = torch.ones(4), torch.zeros(4, dtype=torch.int64)
    before = {name: (one._version, one.data_ptr(), one.clone()) for name, one in given.items()}
    data, gradient = parameter.data.clone(), parameter.grad.clone()
    with torch.no_grad():
        eval(text, {**given, **others})
    changed = {
        name
        for name, one in given.items()
        if (one._version, one.data_ptr()) != before[name][:2] or not torch.equal(one, before[name][2])
    }
    if not (torch.equal(data, parameter.data) and torch.equal(gradient, parameter.grad)):
        changed.add("parameters")
    assert changed == set(RUN[text].split())
    assert written(text, method=text.startswith("x.")) == RUN[text]
