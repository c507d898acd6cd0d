"""What the names of methods say of what they are called on."""

from __future__ import annotations

from typing import Final

from overhead_lint.project.torch_names import (
    FORWARD_USES,
    GIVES_TENSOR,
    KEEPS_DTYPE,
    NUMBER_METHODS,
    OBJECT_METHODS,
    SEQUENCE_FUNCTIONS,
    TENSOR_ONLY,
)
from overhead_lint.project.words import words

__all__ = ["COMMON_METHODS", "tells_its_method"]

# Compound names of methods that PyTorch's own classes have.
_METHODS_OF_TORCH: Final = frozenset(
    """add_module add_param_group clip_grad_norm_ get_buffer get_last_lr get_parameter get_submodule
    load_state_dict masked_fill masked_fill_ named_buffers named_children named_modules named_parameters
    no_sync record_stream register_backward_hook register_buffer register_forward_hook
    register_forward_pre_hook register_full_backward_hook register_hook register_module
    register_parameter requires_grad_ set_epoch share_memory share_memory_ state_dict to_empty
    wait_stream zero_grad""".split()  # noqa: SIM905
)


COMMON_METHODS: Final = (
    FORWARD_USES
    | GIVES_TENSOR
    | KEEPS_DTYPE
    | NUMBER_METHODS
    | OBJECT_METHODS
    | TENSOR_ONLY
    | SEQUENCE_FUNCTIONS
    | frozenset(name for kind in (dict, list, set, str) for name in dir(kind))
)
"""Methods of tensors and of Python's containers, which say nothing of what they are called on."""


def tells_its_method(name: str) -> bool:
    """Whether a method's name is so special that the project's one method of that name is meant."""
    return len(words(name)) > 1 and not name.startswith("__") and name not in _METHODS_OF_TORCH
