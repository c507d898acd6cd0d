"""Uses that tell a tensor: attributes, functions and methods that nothing else has or is given to."""

from __future__ import annotations

from typing import Final

from overhead_lint.analysis.effects.effect import Lands, Tells
from overhead_lint.analysis.effects.lookup import names_telling, names_where

__all__ = [
    "DIMENSIONS",
    "EVIDENCE_NEEDED",
    "IN_FORWARD",
    "NOT_EVIDENCE",
    "OF_FUNCTIONS",
    "OF_METHODS",
    "OF_TENSORS_ALONE",
    "TELLING",
]

OF_TENSORS_ALONE: Final = names_telling(Tells.TENSOR)
IN_FORWARD: Final = names_telling(Tells.IN_FORWARD)
DIMENSIONS: Final = names_telling(Tells.IF_DIM)
# Functions whose first argument may be a sequence or a number.
NOT_EVIDENCE: Final = names_where(
    "torch", lambda told: told.lands in (Lands.HOST, Lands.NEW_DATA, Lands.TOLD)
) | frozenset(
    """as_tensor asarray block_diag broadcast_tensors cartesian_prod cat column_stack concat concatenate
    dstack einsum from_numpy hstack stack vstack where meshgrid pow""".split()  # noqa: SIM905
)
# Arrays, and what holds tensors, have some attributes of tensors, too: so many different ones tell.
EVIDENCE_NEEDED: Final = 3
# Arguments by place, beside the first, that functions and methods take as tensors and as nothing else.
OF_FUNCTIONS: Final = {
    **dict.fromkeys(
        """binary_cross_entropy binary_cross_entropy_with_logits bmm cosine_similarity cross_entropy dist dot
        embedding hinge_embedding_loss huber_loss kl_div l1_loss linear masked_fill masked_select matmul
        mm mse_loss mv nll_loss outer poisson_nll_loss smooth_l1_loss soft_margin_loss""".split(),  # noqa: SIM905
        (1,),
    ),
    **dict.fromkeys(("gather", "index_select", "scatter", "take_along_dim"), (2,)),
    **dict.fromkeys(("index_add", "index_copy", "scatter_add", "scatter_reduce"), (2, 3)),
    **dict.fromkeys(("addmm", "baddbmm", "scaled_dot_product_attention"), (1, 2)),
}
OF_METHODS: Final = {
    **dict.fromkeys(
        """bmm expand_as masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select matmul mm
        reshape_as view_as""".split(),  # noqa: SIM905
        (0,),
    ),
    **dict.fromkeys(("gather", "index_fill", "index_fill_", "index_select", "scatter", "scatter_"), (1,)),
    **dict.fromkeys(
        """index_add index_add_ index_copy index_copy_ scatter_add scatter_add_ scatter_reduce
        scatter_reduce_""".split(),  # noqa: SIM905
        (1, 2),
    ),
    **dict.fromkeys(("addmm", "addmm_", "baddbmm", "baddbmm_"), (0, 1)),
}
# Attributes that one use of tells a tensor by: neither arrays nor what holds tensors has them.
TELLING: Final = frozenset(
    """add_ addbmm addcdiv addcdiv_ addcmul addcmul_ addmm addmm_ addmv addmv_ addr as_strided baddbmm
    baddbmm_ bernoulli_ bmm clamp_ copy_ diag_embed div_ expand_as exponential_ fill_ fill_diagonal_
    index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_put index_put_ index_reduce
    index_select is_cuda kthvalue lerp lerp_ log_softmax logcumsumexp logsumexp masked_fill masked_fill_
    masked_scatter masked_scatter_ masked_select mul_ new_empty new_empty_strided new_full new_ones
    new_tensor new_zeros normal_ random_ repeat_interleave reshape_as retain_grad scatter_ scatter_add
    scatter_add_ scatter_reduce scatter_reduce_ select_scatter slice_scatter softmax sub_ type_as unfold
    uniform_ unsqueeze unsqueeze_ view_as zero_""".split()  # noqa: SIM905
)
