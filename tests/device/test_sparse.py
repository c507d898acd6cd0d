"""Sparse tensors of the device: the CPU's results, and the waits of CUDA's kernels."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from overhead_lint.simulated.operators import operators

from .test_cuda_programs import counted

pytestmark = pytest.mark.filterwarnings("ignore:Sparse")

make: Any = torch.sparse_coo_tensor  # whose stub knows no lists, nor a size alone

INDICES = torch.tensor([[0, 1, 1, 2, 0], [2, 0, 2, 1, 2]])  # of which one place comes twice
VALUES = torch.tensor([3.0, 4.0, 5.0, 0.1, 0.7])


def sparse(device: str) -> torch.Tensor:
    made: torch.Tensor = make(INDICES.to(device), VALUES.to(device), (3, 3))
    return made


def once(device: str) -> torch.Tensor:
    return sparse(device).coalesce()


def dense(device: str, *shape: int) -> torch.Tensor:
    shape = shape or (3, 3)
    return torch.arange(float(torch.Size(shape).numel())).reshape(shape).sin().to(device)


def rows(device: str) -> torch.Tensor:
    return dense(device).to_sparse_csr()


def parts(value: Any) -> Iterator[Any]:
    """What a result is made of, down to dense tensors on the host."""
    if isinstance(value, (list, tuple)):
        for inner in value:
            yield from parts(inner)
    elif not isinstance(value, torch.Tensor):
        yield value
    elif value.layout is torch.sparse_coo:
        yield from (value.shape, value.is_coalesced(), value._indices().cpu(), value._values().cpu())
    elif value.layout in (torch.sparse_csr, torch.sparse_bsr):
        yield from (value.shape, value.crow_indices().cpu(), value.col_indices().cpu(), value.values().cpu())
    elif value.layout is torch.sparse_csc:
        yield from (value.shape, value.ccol_indices().cpu(), value.row_indices().cpu(), value.values().cpu())
    else:
        yield value.cpu()


def assert_same(one: Any, other: Any) -> None:
    for a, b in zip(parts(one), parts(other), strict=True):
        assert torch.equal(a, b) if isinstance(a, torch.Tensor) else a == b


def _gradients(function: Callable[..., torch.Tensor], *inputs: torch.Tensor) -> list[torch.Tensor | None]:
    leaves = [x.detach().requires_grad_() for x in inputs]
    out = function(*leaves)
    (out.to_dense() if out.layout is not torch.strided else out).pow(2).sum().backward()
    return [leaf.grad for leaf in leaves]


def _saved(device: str, **how: Any) -> torch.Tensor:
    file = io.BytesIO()
    torch.save(sparse(device), file)
    file.seek(0)
    loaded: torch.Tensor = torch.load(file, **how)
    return loaded


def _embedded(device: str, step: Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]) -> Any:
    table = nn.Embedding(6, 4, sparse=True)
    with torch.no_grad():
        table.weight.copy_(dense("cpu", 6, 4))
    table.to(device)
    optimizer, gradients = step(table.parameters()), []
    for last in range(3):
        optimizer.zero_grad()
        table(torch.tensor([1, 2, 2, 3 + last], device=device)).pow(2).sum().backward()
        assert table.weight.grad is not None
        gradients.append(table.weight.grad.clone())
        optimizer.step()
    state = [value for values in optimizer.state_dict()["state"].values() for value in values.values()]
    return gradients, table.weight.detach(), state


class _Graph(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("edges", once("cpu"))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        product: torch.Tensor = torch.sparse.mm(self.get_buffer("edges"), x)
        return product


def _module(device: str) -> Any:
    graph = _Graph().to(device)
    state = {name: value.clone() for name, value in graph.state_dict().items()}
    graph.load_state_dict(state)
    return list(state.values()), graph(dense(device))


SAME: dict[str, Callable[[str], Any]] = {
    "made": sparse,
    "made of lists": lambda d: make([[0, 1], [1, 0]], [1.0, 2.0], device=d),
    "made without a size": lambda d: make(INDICES.to(d), VALUES.to(d)),
    "made of no elements": lambda d: make((3, 4), device=d),
    "zeros": lambda d: torch.zeros(3, 3, layout=torch.sparse_coo, device=d),
    "parts": lambda d: (once(d).indices(), once(d).values(), sparse(d)._indices(), sparse(d)._values()),
    "attributes": lambda d: (sparse(d)._nnz(), sparse(d).sparse_dim(), sparse(d).is_sparse, sparse(d).layout),
    "coalesced": once,
    "coalesced vectors": lambda d: make(INDICES[:1].to(d), dense(d, 5, 2)).coalesce(),
    "to dense": lambda d: sparse(d).to_dense(),
    "from dense": lambda d: (dense(d).relu().to_sparse(), dense(d).to_sparse(1)),
    "to the host and back": lambda d: (sparse(d).cpu(), sparse("cpu").to(d), sparse(d).cpu().to(d)),
    "other types": lambda d: (sparse(d).double(), sparse(d).to(torch.int64), once(d).half()),
    "clones": lambda d: (sparse(d).clone(), sparse(d).detach(), copy.deepcopy(sparse(d))),
    "copied into": lambda d: sparse(d).zero_().copy_(sparse("cpu")),
    "times dense": lambda d: (torch.sparse.mm(sparse(d), dense(d)), sparse(d) @ dense(d), dense(d) @ once(d)),
    "times vector": lambda d: sparse(d) @ dense(d, 3),
    "times sparse": lambda d: (sparse(d) @ sparse(d).t(), torch.sparse.mm(once(d), once(d))),
    "batch times dense": lambda d: torch.bmm(torch.stack([sparse(d), once(d)]), dense(d, 2, 3, 3)),
    "addmm": lambda d: (
        torch.sparse.addmm(dense(d), sparse(d), dense(d), beta=0.5),
        dense(d).addmm_(sparse(d), dense(d)),
    ),
    "transposed": lambda d: (sparse(d).t(), sparse(d).transpose(0, 1).coalesce()),
    "sums": lambda d: ((once(d) + once(d).t()).coalesce(), torch.sub(once(d), once(d), alpha=2).coalesce()),
    "dense and sparse": lambda d: (dense(d) + sparse(d), dense(d).add_(once(d), alpha=-0.5)),
    "elementwise": lambda d: (sparse(d) * 2, once(d) / 3, -sparse(d), sparse(d).sin(), once(d).sqrt()),
    "products": lambda d: (sparse(d) * sparse(d), once(d) * once(d).t().coalesce(), sparse(d) * dense(d)),
    "in place": lambda d: sparse(d).mul_(2).neg_(),
    "reduced": lambda d: (torch.sparse.sum(sparse(d)), torch.sparse.sum(sparse(d), 0), sparse(d).norm()),
    "softmax": lambda d: (torch.sparse.softmax(sparse(d), 1), torch.sparse.log_softmax(sparse(d), 0)),
    "chosen": lambda d: (sparse(d).index_select(0, torch.tensor([2, 0], device=d)), sparse(d)[1]),
    "joined": lambda d: (torch.cat([sparse(d), once(d)]), torch.stack([sparse(d), sparse(d)])),
    "masked": lambda d: (dense(d).sparse_mask(once(d)), once(d).sparse_mask(once(d).t().coalesce())),
    "in inference mode": lambda d: torch.inference_mode()(lambda: (once(d), sparse(d).to_dense()))(),
    "printed": lambda d: repr(once(d)).replace("device='cuda:0', ", ""),
    "saved": lambda d: (_saved(d), _saved(d, map_location="cpu")),
    "in a module": _module,
    "gradient of values": lambda d: _gradients(lambda v: make(INDICES.to(d), v, (3, 3)), VALUES.to(d)),
    "gradient of a product": lambda d: _gradients(torch.sparse.mm, once(d), dense(d)),
    "gradient of a sparse product": lambda d: _gradients(torch.sparse.mm, once(d), once(d).t().coalesce()),
    "gradient of a sum": lambda d: _gradients(lambda s: torch.sparse.sum(s, 0), once(d)),
    "gradient of softmax": lambda d: _gradients(lambda s: torch.sparse.softmax(s, 1), once(d)),
    "gradient of to_sparse": lambda d: _gradients(lambda x: x.to_sparse() * 2, dense(d)),
    "gradient of parts": lambda d: _gradients(lambda s: s.values(), once(d)),
    "embedding by SparseAdam": lambda d: _embedded(d, lambda p: torch.optim.SparseAdam(list(p), lr=0.1)),
    "embedding by SGD": lambda d: _embedded(d, lambda p: torch.optim.SGD(p, lr=0.1)),
    "embedding by Adagrad": lambda d: _embedded(d, lambda p: torch.optim.Adagrad(p, lr=0.1)),
    "compressed": lambda d: (rows(d), rows(d).crow_indices(), rows(d).values(), rows(d).to_dense()),
    "compressed from parts": lambda d: torch.sparse_csr_tensor(
        torch.tensor([0, 1, 2], device=d), torch.tensor([1, 0], device=d), dense(d, 2), (2, 2)
    ),
    "other compressed": lambda d: (dense(d).to_sparse_csc(), dense(d, 4, 4).to_sparse_bsr((2, 2))),
    "compressed from sparse and back": lambda d: (sparse(d).to_sparse_csr(), rows(d).to_sparse()),
    "compressed to the host and back": lambda d: (rows(d).cpu(), rows("cpu").to(d)),
    "compressed products": lambda d: (
        rows(d) @ dense(d),
        rows(d) @ dense(d, 3),
        (rows(d) @ rows(d)).to_dense(),
    ),
    "compressed elementwise": lambda d: (rows(d) + rows(d), rows(d) * 2, rows(d).sin(), rows(d).sum()),
    "gradient of a compressed product": lambda d: _gradients(torch.sparse.mm, rows(d), dense(d)),
}


@pytest.mark.parametrize("name", SAME)
def test_sparse_tensors_are_the_cpus(one_device: None, name: str) -> None:
    assert_same(SAME[name]("cuda"), SAME[name]("cpu"))


def _ready(*makers: Callable[[str], torch.Tensor]) -> list[torch.Tensor]:
    return [make("cuda") for make in makers]


Waits = tuple[list[Callable[[str], torch.Tensor]], Callable[..., object], dict[str, int]]
READ = {"stream_sync": 1, "copy_d2h": 1}
WAIT = {"stream_sync": 1}
WAITS: dict[str, Waits] = {
    "places are made single": ([sparse], lambda s: s.coalesce(), WAIT),
    "places are single already": ([once], lambda s: s.coalesce(), {}),
    "elements of a dense tensor are counted": ([dense], lambda x: x.to_sparse(), WAIT),
    "to dense": ([once], lambda s: s.to_dense(), {}),
    "indices are read for a size": (
        [lambda d: INDICES.to(d), lambda d: VALUES.to(d)],
        lambda i, v: make(i, v),
        {"stream_sync": 2, "copy_d2h": 2},
    ),
    "indices are not read where the size is given": (
        [lambda d: INDICES.to(d), lambda d: VALUES.to(d)],
        lambda i, v: make(i, v, (3, 3)),
        {},
    ),
    "product": ([once, dense], torch.sparse.mm, {}),
    "product of what is not in order": ([sparse, dense], torch.sparse.mm, WAIT),
    "sum": ([once, once], torch.add, {}),
    "sum of more elements than places": ([sparse, sparse], torch.add, WAIT),
    "sum with a dense tensor": ([dense, sparse], torch.add, {}),
    "product by elements": ([once, once], torch.mul, READ),
    "product by elements of a dense tensor": ([once, dense], torch.mul, {}),
    "matrices of a batch": (
        [lambda d: torch.stack([once(d), once(d)]).coalesce(), lambda d: dense(d, 2, 3, 3)],
        torch.bmm,
        READ,
    ),
    "softmax of rows": ([once], lambda s: torch.sparse.softmax(s, 1), WAIT),
    "chosen rows": ([once, lambda d: torch.tensor([0], device=d)], lambda s, i: s.index_select(0, i), READ),
    "to the host": ([once], lambda s: s.cpu(), {"stream_sync": 2, "copy_d2h": 2}),
    "from the host": ([lambda d: once("cpu")], lambda s: s.cuda(), {"stream_sync": 2, "copy_h2d": 2}),
    "compressed": ([once], lambda s: s.to_sparse_csr(), {}),
    "product of compressed": ([rows, dense], torch.mm, {}),
}


@pytest.mark.parametrize("name", WAITS)
def test_sparse_operators_wait_as_on_cuda(one_device: None, name: str) -> None:
    makers, function, expected = WAITS[name]
    inputs = _ready(*makers)
    found = counted(lambda: function(*inputs))
    found.pop("alloc", None)
    assert found == expected


def test_backward_of_a_sparse_embedding_does_not_wait(one_device: None) -> None:
    table, places = nn.Embedding(6, 4, sparse=True).cuda(), torch.tensor([1, 2, 2]).cuda()
    optimizer = torch.optim.SGD(table.parameters(), lr=0.1)
    loss = table(places).sum()
    assert "stream_sync" not in counted(lambda: (loss.backward(), optimizer.step()))
    with_moments = torch.optim.SparseAdam(list(table.parameters()))
    with_moments.step()  # makes its state
    assert counted(with_moments.step)["stream_sync"] == 1  # adds up the gradients of one row


def test_sum_is_not_in_order_as_on_cuda(one_device: None) -> None:
    few = make([[0, 1], [1, 0]], [1.0, 2.0], (9, 9), device="cuda")
    both = few.coalesce() + few.coalesce()
    assert (both._nnz(), both.is_coalesced()) == (4, False)
    with pytest.raises(RuntimeError, match="Cannot get indices on an uncoalesced tensor"):
        both.indices()


def test_sum_in_place_of_another_type_keeps_its_type(one_device: None) -> None:
    for device in ("cpu", "cuda"):
        total = once(device).double().add_(once(device), alpha=2).coalesce()
        assert total.dtype is torch.float64
        assert torch.equal(total.to_dense().cpu(), once("cpu").to_dense().double() * 3)


def test_sparse_tensor_is_on_the_device_that_is_asked_for(two_devices: None) -> None:
    second = sparse("cuda").to("cuda:1")
    made = [second, second.coalesce(), second @ dense("cuda:1"), second + second, second.to_dense()]
    made += [make((2, 2), device="cuda:1"), dense("cuda:1").to_sparse_csr()]
    assert {t.device for t in made} == {torch.device("cuda:1")}
    assert second._indices().device == second._values().device == second.device


def test_memory_of_sparse_tensors_is_given_back(one_device: None) -> None:
    s, x = sparse("cuda"), dense("cuda")
    before = torch.cuda.memory_allocated()
    for _ in range(3):
        (s + s).coalesce()
        (s @ x).to_sparse().mul_(2)
        rows("cuda") @ x
    assert torch.cuda.memory_allocated() == before


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "sum over two devices": (lambda: once("cuda") + once("cuda:1"), "same device"),
    "dense tensor on the host": (lambda: dense("cpu") + once("cuda"), "CUDA tensor, but got a CPU tensor"),
    "factor on the host": (lambda: once("cuda") @ dense("cpu"), "same device"),
    "indices on the host": (lambda: make(INDICES, VALUES.cuda()), "must match backend"),
    "sparse and dense": (lambda: once("cuda") + dense("cuda"), r"add\(sparse, dense\) is not supported"),
    "what cuda lacks": (
        lambda: torch.sspaddmm(once("cuda"), once("cuda"), dense("cuda")),
        "'aten::sspaddmm.out'.*'SparseCUDA'.*CUDA has no such kernel",
    ),
    "what nobody has": (
        lambda: torch.linalg.vector_norm(once("cuda")),
        "'aten::linalg_vector_norm' with arguments from the 'SparseCUDA' backend",
    ),
    "as an array": (lambda: once("cuda").numpy(), "can't convert Sparse layout tensor to numpy"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cuda_refuses_of_sparse_tensors_is_refused(two_devices: None, name: str) -> None:
    attempt, message = REFUSED[name]
    with pytest.raises((RuntimeError, TypeError), match=message):
        attempt()


def test_table_has_what_cuda_has_kernels_of_its_own_for() -> None:
    yaml: Any = pytest.importorskip("yaml")
    torchgen = pytest.importorskip("torchgen")
    listed = Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"
    own = set()
    for function in yaml.safe_load(listed.read_text(encoding="utf-8")):
        kernels = {
            key.strip(): kernel
            for keys, kernel in function.get("dispatch", {}).items()
            for key in keys.split(",")
        }
        for layout in ("Sparse", "SparseCsr"):
            on_cpu, on_cuda = kernels.get(f"{layout}CPU"), kernels.get(f"{layout}CUDA")
            if on_cpu and on_cuda and on_cpu != on_cuda:
                own.add("aten::" + function["func"].split("(")[0])
    known = {*operators().sparse, "aten::_coalesce", "aten::mul", "aten::sspaddmm"}
    assert own, "no operator has two kernels"
    assert {
        name for name in own if not {name, name.split(".")[0], name.split(".")[0].removesuffix("_")} & known
    } == set()
