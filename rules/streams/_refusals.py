"""Calls of torch that read values back to refuse wrong ones, where they can be told not to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["REFUSING_CALLS", "Refusal", "refusal", "scale_of_scaler"]

_DISTRIBUTIONS: Final = frozenset(
    """Bernoulli Beta Binomial Categorical Cauchy Chi2 ContinuousBernoulli Dirichlet Exponential
    FisherSnedecor Gamma Geometric Gumbel HalfCauchy HalfNormal Kumaraswamy Laplace LogNormal LogisticNormal
    LowRankMultivariateNormal Multinomial MultivariateNormal NegativeBinomial Normal OneHotCategorical
    OneHotCategoricalStraightThrough Pareto Poisson RelaxedBernoulli RelaxedOneHotCategorical StudentT Uniform
    VonMises Weibull Wishart""".split()  # noqa: SIM905
)
_CLIPS: Final = "clip_grad_norm_"
REFUSING_CALLS: Final = _DISTRIBUTIONS | {_CLIPS, "get_scale"}
"""Names of what is called where `refusal` or `scale_of_scaler` may find something."""


class Refusal(NamedTuple):
    """A call that reads values back to refuse wrong ones.

    Attributes:
        tensor: one of what it looks at.
        what: what it reads, in words.
        help: how to do without.
    """

    tensor: ast.expr
    what: str
    help: str


def scale_of_scaler(node: ast.Call, ctx: Context) -> ast.expr | None:
    """The gradient scaler whose scale a call reads: ``scaler.get_scale()``."""
    function = node.func
    if not (isinstance(function, ast.Attribute) and function.attr == "get_scale") or node.args:
        return None
    made = ctx.value(function.value)
    if not isinstance(made, ast.Call):
        return None
    name = ctx.qualified_name(made.func) or ""
    return function.value if name.startswith("torch.") and name.endswith(".GradScaler") else None


def refusal(node: ast.Call, name: str, ctx: Context) -> Refusal | None:
    """What a call reads back to refuse it: ``Categorical(logits=x)``, ``clip_grad_norm_(..., True)``."""
    module, _, last = name.rpartition(".")
    if last == _CLIPS and module.startswith("torch.nn.utils"):
        asks = _given(node, "error_if_nonfinite")
        if not node.args or not (isinstance(asks, ast.Constant) and asks.value is True):
            return None
        return Refusal(node.args[0], "whether the norm is finite", "leave error_if_nonfinite out")
    if last not in _DISTRIBUTIONS or not module.startswith("torch.distributions"):
        return None
    if _given(node, "validate_args") is not None or ctx.calls("set_default_validate_args"):
        return None
    if ctx.calls("compile"):
        return None  # Dynamo turns these checks off for the whole process
    given = (*node.args, *(item.value for item in node.keywords))
    tensor = next((value for value in given if ctx.kind(value) is Kind.TENSOR), None)
    if tensor is None:
        return None
    help = "pass validate_args=False where the arguments are known to be right"
    return Refusal(tensor, "whether its arguments are right", help)


def _given(node: ast.Call, keyword: str) -> ast.expr | None:
    return next((item.value for item in node.keywords if item.arg == keyword), None)
