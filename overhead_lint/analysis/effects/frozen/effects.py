"""What APIs do, by scope: written by `analysis.effects.freeze` from its tables."""

from __future__ import annotations

from typing import Final

from overhead_lint.analysis.effects.effect import Effect

EFFECTS: Final = (
    Effect(writes=frozenset({'running_mean', 'running_var'}), writes_if='training'),
    Effect(writes=frozenset({'running_mean', 'running_var'})),
    Effect(writes=frozenset({'running_mean', 'running_var'}), writes_if='use_input_stats'),
    Effect(writes=frozenset({'output_tensor'})),
    Effect(writes=frozenset({'output'})),
    Effect(writes=frozenset({'tensor_list'})),
    Effect(writes=frozenset({'output_tensor_lists'})),
    Effect(writes=frozenset({'object_list'})),
    Effect(writes=frozenset({'tensor'})),
    Effect(writes=frozenset({'tensors'})),
    Effect(writes=frozenset({'output_tensor_list'})),
    Effect(writes=frozenset({'gather_list'})),
    Effect(writes=frozenset({'object_gather_list'})),
    Effect(writes=frozenset({'scatter_object_output_list'})),
    Effect(writes=frozenset({'weight'}), writes_if='max_norm'),
    Effect(writes=frozenset({'parameters'})),
    Effect(writes=frozenset({'model'})),
)
"""What APIs do, each effect once."""
NAMES: Final = {
    "torch": {
        0: "batch_norm cudnn_batch_norm miopen_batch_norm native_batch_norm",
        1: "batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_update_stats",
        2: "instance_norm",
    },
    "torch.distributed": {
        3: "_all_gather_base all_gather_into_tensor all_gather_single",
        4: "_reduce_scatter_base all_to_all_single reduce_scatter reduce_scatter_single reduce_scatter_tensor",
        5: "all_gather",
        6: "all_gather_coalesced",
        7: "all_gather_object broadcast_object_list recv_object_list",
        8: "all_reduce broadcast irecv recv reduce scatter",
        9: "all_reduce_coalesced",
        10: "all_to_all",
        11: "gather",
        12: "gather_object",
        13: "scatter_object_list",
    },
    "torch.nn.functional": {
        0: "batch_norm",
        2: "instance_norm",
        14: "embedding embedding_bag",
    },
    "torch.nn.utils": {
        15: "clip_grad_norm vector_to_parameters",
    },
    "torch.optim.swa_utils": {
        16: "update_bn",
    },
}
"""The names of a scope, by the number of their effect."""

FAMILIES: Final[dict[str, tuple[tuple[str, int], ...]]] = {
}
"""Patterns of names in a scope, each with the number of its effect; the first that fits counts."""
