"""Types of tensors by their old names, `torch.cuda.FloatTensor`."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

from .test_cuda_programs import counted

types: Any = torch.cuda


def ones(*shape: int) -> torch.Tensor:
    return torch.ones(*shape, device="cuda")


@pytest.mark.parametrize("sizes", [(2, 3), (torch.Size([2, 3]),)])
def test_type_makes_a_tensor_of_a_size_without_a_copy(one_device: None, sizes: tuple[int, ...]) -> None:
    assert counted(lambda: types.LongTensor(*sizes)) == {}
    made = types.LongTensor(*sizes)
    assert (made.shape, made.dtype, made.is_cuda) == ((2, 3), torch.int64, True)


@pytest.mark.parametrize("values", [[1.0, 2.0], numpy.array([1.0, 2.0], numpy.float32)])
def test_type_makes_a_tensor_of_numbers_with_a_copy(one_device: None, values: list[float]) -> None:
    assert counted(lambda: types.FloatTensor(values)) == {"stream_sync": 1, "copy_h2d": 1}
    assert types.FloatTensor(values).tolist() == [1.0, 2.0]


def test_type_without_arguments_makes_an_empty_tensor(one_device: None) -> None:
    assert types.HalfTensor().shape == (0,)


def test_type_takes_a_tensor_of_its_own_and_shares_its_memory(one_device: None) -> None:
    x = ones(2)
    assert types.FloatTensor(x).data_ptr() == x.data_ptr()
    with pytest.raises(TypeError, match=r"expected torch.cuda.LongTensor \(got torch.cuda.FloatTensor\)"):
        types.LongTensor(x)
    with pytest.raises(TypeError, match=r"expected torch.cuda.FloatTensor \(got torch.FloatTensor\)"):
        types.FloatTensor(x.cpu())


def test_type_is_asked_for_and_compared(one_device: None) -> None:
    x = torch.arange(2).type(types.FloatTensor)
    assert x.is_cuda and x.dtype is torch.float32
    assert isinstance(x, types.FloatTensor)
    assert not isinstance(x.cpu(), types.FloatTensor) and not isinstance(x, types.LongTensor)
    assert x.type() == "torch.cuda.FloatTensor" and types.FloatTensor.dtype is torch.float32


def test_type_of_sparse_tensors_makes_them_and_knows_them(one_device: None) -> None:
    sparse = types.sparse.FloatTensor
    made = sparse(torch.tensor([[0, 1]]).cuda(), ones(2), torch.Size([3]))
    assert made.to_dense().tolist() == [1, 1, 0] and made.type() == "torch.cuda.sparse.FloatTensor"
    assert isinstance(made, sparse) and not isinstance(made, types.FloatTensor)
    assert not isinstance(ones(2), sparse) and not isinstance(made.cpu(), sparse)
    assert sparse(2, 3).shape == sparse(torch.Size([2, 3])).shape == (2, 3) and sparse().shape == (0,)
    assert made.type(types.sparse.DoubleTensor).dtype is torch.float64
