"""Padded batches in nn.TransformerEncoder, which makes nested tensors of them in evaluation."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from .test_cuda_programs import counted


def encoder(width: int, device: str, nested: bool = True) -> nn.TransformerEncoder:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(width, 2, 8, batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=nested).eval().to(device)


def batch(width: int, device: str) -> torch.Tensor:
    return torch.arange(3 * 5 * width, dtype=torch.float32).reshape(3, 5, width).sin().to(device)


def padding(*lengths: int) -> torch.Tensor:
    return torch.arange(5) >= torch.tensor(lengths).unsqueeze(1)


# The mask is read, and lengths are copied to the host; they go back with each layer and with the padding.
# A fused kernel of attention waits for two of them in a layer, the plain one for none of three.
PADDED: dict[str, tuple[int, torch.dtype, torch.Tensor, dict[str, int]]] = {
    "fused": (16, torch.float32, padding(3, 5, 2), {"stream_sync": 7, "copy_d2h": 2, "copy_h2d": 6}),
    "fused in half precision": (
        16,
        torch.half,
        padding(3, 5, 2),
        {"stream_sync": 7, "copy_d2h": 2, "copy_h2d": 6},
    ),
    "fused in bfloat16": (
        16,
        torch.bfloat16,
        padding(3, 5, 2),
        {"stream_sync": 7, "copy_d2h": 2, "copy_h2d": 4},
    ),
    "narrow heads": (12, torch.float32, padding(3, 5, 2), {"stream_sync": 3, "copy_d2h": 2, "copy_h2d": 8}),
    "a row of one": (16, torch.float32, padding(3, 5, 1), {"stream_sync": 3, "copy_d2h": 2, "copy_h2d": 8}),
    "double precision": (
        16,
        torch.double,
        padding(3, 5, 2),
        {"stream_sync": 4, "copy_d2h": 2, "copy_h2d": 7},
    ),
    "gaps": (16, torch.float32, padding(3, 5, 2).flip(1), {"stream_sync": 1, "copy_d2h": 1}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PADDED)
def test_padded_batch_is_encoded_as_by_the_cpu_with_the_waits_of_cuda(one_device: None, name: str) -> None:
    width, dtype, mask, expected = PADDED[name]
    net, x, masked = encoder(width, "cuda").to(dtype), batch(width, "cuda").to(dtype), mask.cuda()
    outs = []
    with torch.inference_mode():
        counts = counted(lambda: outs.append(net(x, src_key_padding_mask=masked)))
        on_host = encoder(width, "cpu").to(dtype)(x.cpu(), src_key_padding_mask=mask)
    assert torch.equal(outs[0].cpu(), on_host)
    assert counts == expected


@pytest.mark.filterwarnings("ignore")
def test_padded_batch_stays_dense_where_nesting_is_off(one_device: None) -> None:
    net, x, mask = encoder(16, "cuda", nested=False), batch(16, "cuda"), padding(3, 5, 2).cuda()
    with torch.no_grad():
        assert counted(lambda: net(x, src_key_padding_mask=mask)) == {}


def test_mask_with_gaps_is_refused_where_it_is_checked(one_device: None) -> None:
    with pytest.raises(RuntimeError, match="left-aligned"):
        torch._nested_tensor_from_mask(batch(16, "cuda"), padding(3, 5, 2).cuda())
    nested = torch._nested_tensor_from_mask(batch(16, "cuda"), ~padding(3, 5, 2).cuda())
    assert nested.is_nested and nested.is_cuda
    with pytest.raises(NotImplementedError, match=r"simulated cuda: .*nested"):
        nested.add(1)


def test_layer_with_a_hook_says_how_to_stay_dense(one_device: None) -> None:
    net, x, mask = encoder(16, "cuda"), batch(16, "cuda"), padding(3, 5, 2).cuda()
    net.layers[0].register_forward_hook(lambda *of: None)
    with torch.no_grad(), pytest.raises(NotImplementedError, match="enable_nested_tensor=False"):
        net(x, src_key_padding_mask=mask)


def test_batch_of_no_rows_raises_as_on_the_cpu(one_device: None) -> None:
    mask = padding(3, 5, 2)[:0]
    for device in ("cpu", "cuda"):
        with torch.no_grad(), pytest.raises(RuntimeError, match=r"non-empty TensorList|no rows"):
            encoder(16, device)(batch(16, device)[:0], src_key_padding_mask=mask.to(device))


def test_layer_on_the_host_is_refused(one_device: None) -> None:
    net, x, mask = encoder(16, "cuda"), batch(16, "cuda"), padding(3, 5, 2).cuda()
    net.layers[1].cpu()
    with torch.no_grad(), pytest.raises(RuntimeError, match="on the same device"):
        net(x, src_key_padding_mask=mask)
