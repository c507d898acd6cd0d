"""What gives the same memory again, or may: who writes to that writes to the tensor too."""

from __future__ import annotations

from typing import Final

__all__ = ["ALIASES", "VIEWS"]

VIEWS: Final = frozenset(
    """H T adjoint as_strided as_tensor asarray broadcast_to ccol_indices chunk coalesce col_indices conj
    contiguous cpu crow_indices cuda detach diagonal dsplit expand expand_as flatten hsplit imag indices mH mT
    moveaxis movedim narrow permute pin_memory positive ravel real reshape reshape_as resolve_conj resolve_neg
    row_indices select slice_inverse split split_with_sizes squeeze swapaxes swapdims t tensor_split to
    transpose unbind unflatten unfold unsqueeze values view view_as view_as_complex view_as_real vsplit
    align_as align_to atleast_1d atleast_2d atleast_3d bfloat16 bool broadcast_tensors byte char chalf cfloat
    cdouble data double float from_numpy half int long meshgrid numpy refine_names rename requires_grad_ short
    to_dense type type_as untyped_storage""".split()  # noqa: SIM905
)
"""Functions of torch, methods and attributes of tensors, by their last names: those whose schemas say so, and
from ``align_as`` on those that give back what they are given where there is nothing to do, or hand it on."""

ALIASES: Final = VIEWS | frozenset(
    """alpha_dropout dropout dropout1d dropout2d dropout3d einsum feature_alpha_dropout
    feature_dropout""".split()  # noqa: SIM905
)
"""Besides, those that compute something as a rule: not in evaluation, not where axes are only permuted."""
