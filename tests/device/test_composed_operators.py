"""What operators wait for and copy that CUDA has written in terms of others."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as fn
from torch import linalg

from overhead_lint.probes import measure

from .test_cuda_programs import counted

Counts = dict[str, int]


def exchanged(d2h: int, h2d: int) -> Counts:
    counts = {"stream_sync": d2h + h2d, "copy_d2h": d2h, "copy_h2d": h2d}
    return {name: count for name, count in counts.items() if count}


def read(times: int) -> Counts:
    return exchanged(times, 0)


def square() -> torch.Tensor:
    return torch.eye(3, device="cuda") + 0.5


def column() -> torch.Tensor:
    return torch.ones(3, 1, device="cuda")


def of_norm(norm: float, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.full((2, 2), norm / 2, dtype=dtype, device="cuda")


def numbers(count: int) -> torch.Tensor:
    return torch.arange(count, device="cuda") % 7


# Decompositions ask whether they failed, some whether their numbers are finite or an iteration converged;
# forms named _ex do so only if they are asked for an error.
LINEAR_ALGEBRA: dict[str, tuple[Callable[[], object], Counts]] = {
    "singular values": (lambda: linalg.svdvals(square()), read(2)),
    "singular values by a driver without iteration": (
        lambda: linalg.svdvals(square(), driver="gesvd"),
        read(1),
    ),
    "rank": (lambda: linalg.matrix_rank(square()), read(2)),
    "pseudo-inverse": (lambda: linalg.pinv(square()), read(2)),
    "condition": (lambda: linalg.cond(square()), read(2)),
    "eigenvalues and vectors": (lambda: linalg.eig(square()), read(2)),
    "eigenvalues and vectors of no matrix": (lambda: linalg.eig(square()[None][:0]), read(2)),
    "eigenvalues of no matrix": (lambda: linalg.eigvals(square()[None][:0]), read(1)),
    "eigenvalues": (lambda: linalg.eigvals(square()), read(1)),
    "those of a symmetric matrix": (lambda: linalg.eigh(square()), read(1)),
    "least squares": (lambda: linalg.lstsq(square(), column()), read(1)),
    "cholesky": (lambda: linalg.cholesky(square()), read(1)),
    "cholesky that tells": (lambda: linalg.cholesky_ex(square()), {}),
    "cholesky that tells and raises": (lambda: linalg.cholesky_ex(square(), check_errors=True), read(1)),
    "inverse": (lambda: linalg.inv(square()), read(1)),
    "inverse that tells": (lambda: linalg.inv_ex(square()), {}),
    "inverse that tells and raises": (lambda: linalg.inv_ex(square(), check_errors=True), read(1)),
    "solution": (lambda: linalg.solve(square(), column()), read(1)),
    "solution that tells": (lambda: linalg.solve_ex(square(), column()), {}),
    "solution that tells and raises": (
        lambda: linalg.solve_ex(square(), column(), check_errors=True),
        read(1),
    ),
    "lu": (lambda: linalg.lu_factor(square()), read(1)),
    "lu that tells": (lambda: linalg.lu_factor_ex(square()), {}),
    "lu that tells and raises": (lambda: linalg.lu_factor_ex(square(), check_errors=True), read(1)),
    "ldl": (lambda: linalg.ldl_factor(square()), read(1)),
    "ldl that tells and raises": (lambda: linalg.ldl_factor_ex(square(), check_errors=True), read(1)),
    "inverse by cholesky": (lambda: torch.cholesky_inverse(square()), {}),
    "solution by cholesky": (lambda: torch.cholesky_solve(column(), square()), {}),
    "determinant": (lambda: linalg.det(square()), {}),
    "qr": (lambda: linalg.qr(square()), {}),
    "exponential of several": (lambda: torch.matrix_exp(torch.stack([square()] * 2)), exchanged(2, 1)),
    "exponential of degree 1": (lambda: torch.matrix_exp(of_norm(1e-8)), exchanged(1, 1)),
    "exponential of degree 2": (lambda: torch.matrix_exp(of_norm(1e-5)), exchanged(1, 1)),
    "exponential of degree 4": (lambda: torch.matrix_exp(of_norm(1e-3)), exchanged(1, 3)),
    "exponential of degree 8": (lambda: torch.matrix_exp(of_norm(0.3)), exchanged(1, 5)),
    "exponential of degree 12": (lambda: torch.matrix_exp(of_norm(1.0)), exchanged(1, 2)),
    "exponential of degree 18": (lambda: torch.matrix_exp(of_norm(3.0)), exchanged(3, 3)),
    "exponential in double": (lambda: torch.matrix_exp(of_norm(1.0, torch.double)), exchanged(3, 3)),
    "exponential of no number": (lambda: torch.matrix_exp(of_norm(float("nan"))), read(1)),
    "exponentials of numbers": (lambda: torch.matrix_exp(torch.ones(3, 1, 1, device="cuda")), {}),
}
OTHERS: dict[str, tuple[Callable[[], object], Counts]] = {
    "membership among many": (lambda: torch.isin(numbers(40), numbers(30)), exchanged(2, 1)),
    "membership among many, all distinct": (
        lambda: torch.isin(numbers(7), numbers(7).repeat(2), assume_unique=True),
        exchanged(0, 1),
    ),
    "membership among few": (lambda: torch.isin(numbers(40), numbers(3)), {}),
    "membership of a number": (lambda: torch.isin(3, numbers(30)), {}),
    "draws by chances on the host": (
        lambda: torch.ones(3, device="cuda").bernoulli_(torch.zeros(3)),
        exchanged(0, 1),
    ),
    "most frequent of short rows": (lambda: torch.ones(3, 2048, device="cuda").mode(), {}),
    "most frequent of long rows": (lambda: torch.ones(3, 2049, device="cuda").mode(), {"stream_sync": 3}),
    "most frequent of long columns": (
        lambda: torch.ones(2049, 2, device="cuda").mode(0, keepdim=True),
        {"stream_sync": 2},
    ),
    "loss of unaligned texts": (lambda: _texts(), exchanged(2, 4)),
    "and its gradient": (lambda: _texts().backward(), exchanged(2, 7)),
}


def _texts() -> torch.Tensor:
    chances = torch.zeros(4, 2, 3, device="cuda").requires_grad_()
    return fn.ctc_loss(
        chances.log_softmax(2), numbers(4).reshape(2, 2) % 2 + 1, torch.tensor([4, 4]), torch.tensor([2, 1])
    )


@pytest.mark.parametrize("name", LINEAR_ALGEBRA)
def test_linear_algebra_waits_as_cudas(one_device: None, name: str) -> None:
    block, expected = LINEAR_ALGEBRA[name]
    assert counted(block) == expected


def test_copies_of_no_matrix_are_operators(one_device: None) -> None:
    nothing = torch.empty(0, 0, device="cuda")
    with measure(["copies_d2h"], attribute=False) as measured:
        linalg.eigvals(nothing)
    assert measured.values["copies_d2h"] >= 1  # how many depends on the torch, as with the waits


@pytest.mark.parametrize("name", OTHERS)
def test_other_composed_operators_wait_as_cudas(one_device: None, name: str) -> None:
    block, expected = OTHERS[name]
    assert counted(block) == expected


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*torch.jit.*")
def test_indices_of_torchscript_are_taken_and_counted(one_device: None) -> None:
    source = """
    def choose(x: Tensor, at: Tensor):
        y = x[at]
        x[at] = y * 2
        return y
    """
    choose = torch.jit.CompilationUnit(textwrap.dedent(source)).choose
    x, places, mask = numbers(5), torch.tensor([3, 1], device="cuda"), numbers(5) > 2
    assert choose(x, places).tolist() == [3, 1]
    assert choose(x, mask).tolist() == [6, 4]
    assert x.tolist() == [0, 2, 2, 12, 8]
    assert counted(lambda: choose(x, places)) == {}
    assert counted(lambda: choose(x, mask)) == {"stream_sync": 2}
    on_host = places.cpu()
    assert counted(lambda: choose(x, on_host)) == exchanged(0, 2)
    with pytest.raises(RuntimeError, match=r"same device as the indexed tensor \(cpu\)"):
        choose(x.cpu(), places)


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("shape", [(40,), (4, 10)])
def test_membership_is_the_cpus(one_device: None, invert: bool, shape: tuple[int, ...]) -> None:
    elements, among = numbers(40).reshape(shape), numbers(30) + 3
    out = torch.empty(0, dtype=torch.bool, device="cuda")
    assert torch.isin(elements, among, invert=invert, out=out) is out
    assert out.tolist() == torch.isin(elements.cpu(), among.cpu(), invert=invert).tolist()
    assert torch.equal(torch.isin(elements, among, invert=invert), out)


@pytest.mark.parametrize("driver", ["gelsy", "gelsd", "gelss"])
def test_other_drivers_of_least_squares_are_refused(one_device: None, driver: str) -> None:
    assert linalg.lstsq(square(), column(), driver="gels").rank.numel() == 0
    with pytest.raises(RuntimeError, match="`driver` other than `gels` is not supported on CUDA"):
        linalg.lstsq(square(), column(), driver=driver)


def test_sums_of_segments_check_lengths_and_no_offsets(one_device: None) -> None:
    numbers, lengths, offsets = (
        column()[:, 0],
        torch.ones_like(square()[0]).long(),
        torch.arange(4, device="cuda"),
    )
    assert counted(lambda: torch.segment_reduce(numbers, "sum", lengths=lengths)) == read(2)
    assert counted(lambda: torch.segment_reduce(numbers, "sum", lengths=lengths, unsafe=True)) == {}
    assert counted(lambda: torch.segment_reduce(numbers, "sum", offsets=offsets)) == {}


def test_rows_of_unequal_length_read_their_total_unless_it_is_given(one_device: None) -> None:
    padded, offsets = torch.ones(2, 3, 1, device="cuda"), torch.tensor([0, 1, 3], device="cuda")
    pack = torch.ops.aten._padded_dense_to_jagged_forward
    assert counted(lambda: pack(padded, [offsets])) == read(1)
    assert counted(lambda: pack(padded, [offsets], 3)) == {}


@pytest.mark.parametrize(("dtype", "reads"), [(torch.int32, 2), (torch.float32, 0)])
def test_fake_quantization_of_channels_checks_integers(
    one_device: None, dtype: torch.dtype, reads: int
) -> None:
    numbers, scales, zeros = square(), torch.ones(3, device="cuda"), torch.zeros(3, dtype=dtype).cuda()
    quantize = torch.fake_quantize_per_channel_affine
    assert counted(lambda: quantize(numbers, scales, zeros, 0, 0, 255)) == read(reads)


@pytest.mark.parametrize("by_channel", [False, True])
def test_fake_quantization_that_learns_reads_scale_and_zero_point(one_device: None, by_channel: bool) -> None:
    numbers = square().requires_grad_()
    scale = torch.ones(3 if by_channel else 1, device="cuda").requires_grad_()
    zero = torch.zeros_like(scale).requires_grad_()
    if by_channel:
        quantized = torch._fake_quantize_learnable_per_channel_affine(numbers, scale, zero, 0, 0, 255)
    else:
        quantized = torch._fake_quantize_learnable_per_tensor_affine(numbers, scale, zero, 0, 255)
    assert counted(lambda: quantized.sum().backward()) == read(2)


@pytest.mark.parametrize(("by_channel", "on", "reads"), [(True, 1, 3), (True, 0, 1), (False, 1, 0)])
def test_observer_of_channels_asks_whether_to_quantize(
    one_device: None, by_channel: bool, on: int, reads: int
) -> None:
    numbers, count = square(), 3 if by_channel else 1
    state = [torch.ones(count, device="cuda") for _ in range(3)]
    observe, quantize = (torch.full((1,), value, device="cuda") for value in (1, on))
    zero = torch.zeros(count, dtype=torch.int32, device="cuda")

    observed: Any = torch.fused_moving_avg_obs_fake_quant
    arguments = (numbers, observe, quantize, *state, zero, 0.01, 0, 255, 0, by_channel, False)
    assert counted(lambda: observed(*arguments)) == read(reads)
