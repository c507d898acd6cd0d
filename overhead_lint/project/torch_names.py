"""What torch's own names stand for: which give tensors, and where those live."""

from __future__ import annotations

import ast
from typing import Final

from overhead_lint.project.names import last_name

__all__ = ["annotated_tensor", "is_tensor_function"]

_TENSOR_TYPES: Final = frozenset(
    {"Tensor", "FloatTensor", "LongTensor", "BoolTensor", "IntTensor", "HalfTensor"}
)
# Modules below torch whose functions take and give tensors.
_TENSOR_MODULES: Final = frozenset(
    {"torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.functional"}
    | {"torch.ops.aten", "torch._C._nn"}
)
# Functions of torch itself that do not give a tensor.
_NO_TENSOR: Final = frozenset(
    {"Generator", "Size", "Stream", "Event", "SymInt", "autocast", "broadcast_shapes", "can_cast", "compile"}
    | {"compiled_with_cxx11_abi", "device", "dtype", "enable_grad", "export", "finfo", "get_default_device"}
    | {"get_default_dtype", "get_device_module", "get_float32_matmul_precision", "get_num_interop_threads"}
    | {"get_num_threads", "get_rng_state", "iinfo", "inference_mode", "initial_seed", "is_autocast_enabled"}
    | {"is_complex", "is_deterministic", "is_floating_point", "is_grad_enabled", "is_inference_mode_enabled"}
    | {"is_nonzero", "is_storage", "is_tensor", "load", "lobpcg", "manual_seed", "no_grad", "numel"}
    | {"promote_types", "result_type", "save", "seed", "set_default_device", "set_default_dtype"}
    | {"set_default_tensor_type", "set_float32_matmul_precision", "set_grad_enabled", "set_num_threads"}
    | {"set_printoptions", "set_rng_state", "typename", "use_deterministic_algorithms", "vmap"}
    | {
        "get_autocast_dtype",
        "get_autocast_gpu_dtype",
        "is_autocast_cache_enabled",
        "is_distributed",
        "is_same_size",
    }
    | {
        "equal",
        "allclose",
        "is_conj",
        "is_neg",
        "is_signed",
        "is_inference",
        "are_deterministic_algorithms_enabled",
    }
)


def is_tensor_function(name: str) -> bool:
    """Whether a qualified name is a function of torch that works on tensors and gives some."""
    module, _, last = name.rpartition(".")
    return module in _TENSOR_MODULES and (module != "torch" or last not in _NO_TENSOR) and last[:1].islower()


def annotated_tensor(annotation: ast.expr) -> bool:
    """Whether an annotation says tensor: ``Tensor``, ``torch.Tensor``, optional ones and strings too."""
    if isinstance(annotation, ast.Constant):
        text = annotation.value if isinstance(annotation.value, str) else ""
        parts = [part.strip().removeprefix("Optional[").removesuffix("]") for part in text.split("|")]
        return any(part.rpartition(".")[2] in _TENSOR_TYPES for part in parts)
    if isinstance(annotation, ast.BinOp):
        return annotated_tensor(annotation.left) or annotated_tensor(annotation.right)
    if isinstance(annotation, ast.Subscript) and last_name(annotation.value) == "Optional":
        return annotated_tensor(annotation.slice)
    return isinstance(annotation, (ast.Name, ast.Attribute)) and last_name(annotation) in _TENSOR_TYPES
