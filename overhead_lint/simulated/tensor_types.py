"""Types of tensors by their old names, ``torch.cuda.FloatTensor``: a CPU-only torch only has their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from overhead_lint.simulated.refusal import refusal

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["patch_tensor_types"]

_NAMES = (
    "BFloat16Tensor",
    "BoolTensor",
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
)


class _TensorType(type):
    """What `torch.tensortype` is, for the device: makes tensors when called, and knows them."""

    dtype: torch.dtype
    on_host: Any

    def __call__(cls, *args: Any, device: Any = "cuda") -> torch.Tensor:
        (first, *more) = args or (0,)
        if isinstance(first, torch.Tensor):
            if not cls.__instancecheck__(first):
                raise TypeError(f"expected {cls.__name__} (got {first.type()})")
            return first.view(first.shape)
        if isinstance(first, (int, torch.Size)):
            size = first if isinstance(first, torch.Size) else (first, *more)
            return torch.empty(size, dtype=cls.dtype, device=device)
        made: torch.Tensor = cls.on_host(*args)  # numbers, which the host makes first there, too
        return made.to(device)

    def __instancecheck__(cls, instance: object) -> bool:
        if not isinstance(instance, torch.Tensor) or not instance.is_cuda:
            return False
        return instance.dtype is cls.dtype and instance.layout is torch.strided


class _SparseType(type):
    """The same of sparse tensors: of a size, or of indices, values and perhaps a size."""

    dtype: torch.dtype

    def __call__(cls, *args: Any, device: Any = "cuda") -> torch.Tensor:
        first = args[0] if args else 0
        size = first if isinstance(first, torch.Size) else args or (0,)
        arguments = args if isinstance(first, torch.Tensor) else (size,)
        make: Any = torch.sparse_coo_tensor  # whose stub knows no size alone
        made: torch.Tensor = make(*arguments, dtype=cls.dtype, device=device)
        return made

    def __instancecheck__(cls, instance: object) -> bool:
        return (
            isinstance(instance, torch.Tensor)
            and instance.is_cuda
            and instance.is_sparse
            and instance.dtype is cls.dtype
        )


def patch_tensor_types(patcher: Patcher) -> None:
    """Let each type of the device be called.

    Args:
        patcher: remembers what is changed.
    """
    for name in _NAMES:
        known = getattr(torch.cuda, name)
        # torch reads a type's whole name, with its module, where it is asked for a type (x.type(...)).
        made = _TensorType(
            f"torch.cuda.{name}",
            (),
            {
                "__module__": "torch.cuda",
                "dtype": known.dtype,
                "is_cuda": True,
                "is_sparse": False,
                "layout": torch.strided,
                "on_host": getattr(torch, name),
            },
        )
        patcher.put(torch.cuda, name, made)
        if name in vars(torch.cuda.sparse):
            sparse = _SparseType(
                f"torch.cuda.sparse.{name}",
                (),
                {
                    "__module__": "torch.cuda.sparse",
                    "dtype": known.dtype,
                    "is_cuda": True,
                    "is_sparse": True,
                    "layout": torch.sparse_coo,
                },
            )
            patcher.put(torch.cuda.sparse, name, sparse)
    original = torch._C._set_default_tensor_type
    refuse = refusal("a default tensor type of the device", "torch.set_default_device('cuda')")

    def set_default_tensor_type(asked: Any) -> None:
        name = asked if isinstance(asked, str) else getattr(asked, "__name__", "")
        on_device = name.startswith("torch.cuda.") or getattr(asked, "is_cuda", False)
        refuse() if on_device else original(asked)

    patcher.put(torch._C, "_set_default_tensor_type", set_default_tensor_type)
