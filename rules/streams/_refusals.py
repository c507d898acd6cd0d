"""Calls of torch that read values back to refuse wrong ones, where they can be told not to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind
from overhead_lint.syntax.keywords import keyword_value
from overhead_lint.tuples import NamedTuple

from .._calls import argument_values

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
_PACKAGE: Final = "torch.distributions"
# A setting for the whole process, whichever class it is called on.
_VALIDATION: Final = f"{_PACKAGE}.set_default_validate_args"
_CLIPS: Final = "clip_grad_norm_"
# Methods of distributions that look at what they are given, and distributions whose numbers are another's.
_LOOKING: Final = frozenset({"cdf", "icdf", "log_prob"})
_AROUND: Final = frozenset({"Independent"})
REFUSING_CALLS: Final = (
    _DISTRIBUTIONS | _LOOKING | {*(_CLIPS, "get_scale", "istft", "normal", "sample", "segment_reduce")}
)
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
        asks = keyword_value(node, "error_if_nonfinite")
        if not node.args or not (isinstance(asks, ast.Constant) and asks.value is True):
            return None
        return Refusal(node.args[0], "whether the norm is finite", "leave error_if_nonfinite out")
    if name in {"torch.istft", "torch.normal", "torch.segment_reduce"}:
        return _of_function(node, last, ctx)
    if not name and isinstance(node.func, ast.Attribute):
        return _of_distribution(node, node.func, ctx)
    if not module.startswith(_PACKAGE) or not _checks(node, last, ctx):
        return None
    given = argument_values(node)
    tensor = next((value for value in given if ctx.kind(value) is Kind.TENSOR), None)
    if tensor is None or not _are_checked(ctx):
        return None
    help = (
        "pass validate_args=False where the arguments are known to be right, or say so for all: "
        "torch.distributions.Distribution.set_default_validate_args(False)"
    )
    return Refusal(tensor, "whether its arguments are right", help)


def _of_function(node: ast.Call, name: str, ctx: Context) -> Refusal | None:
    """What a function of torch reads back to refuse it."""
    place, keyword = {"istft": (0, "input"), "normal": (1, "std"), "segment_reduce": (2, "lengths")}[name]
    asked = node.args[place] if len(node.args) > place else keyword_value(node, keyword)
    if asked is None or ctx.kind(asked) is not Kind.TENSOR:
        return None
    if name == "segment_reduce":
        if keyword_value(node, "unsafe") is not None:
            return None
        return Refusal(
            asked,
            "whether the lengths add up",
            "pass unsafe=True where they are known to, or give it offsets",
        )
    if name == "istft":
        return Refusal(
            asked,
            "whether its windows overlap everywhere",
            "add the frames up with torch.nn.functional.fold, where the windows are known to overlap",
        )
    return Refusal(
        asked,
        "whether a deviation is negative",
        "scale what torch.randn_like gives: mean + std * torch.randn_like(std)",
    )


def _of_distribution(node: ast.Call, function: ast.Attribute, ctx: Context) -> Refusal | None:
    """What a method of a distribution reads back: ``log_prob(x)`` looks at x, ``sample()`` at deviations."""
    if function.attr not in _LOOKING and function.attr != "sample":
        return None
    made = _made(function.value, ctx)
    if made is not None and made.args and _of_package(made, ctx) in _AROUND:
        made = _made(made.args[0], ctx)
    last = _of_package(made, ctx) if made is not None else ""
    if made is None or not last:
        return None
    if function.attr == "sample":
        scale = made.args[1] if len(made.args) > 1 else keyword_value(made, "scale")
        if last != "Normal" or scale is None or ctx.kind(scale) is not Kind.TENSOR:
            return None
        help = "call rsample() in torch.no_grad(), which draws without asking"
        return Refusal(scale, "whether a deviation is negative", help)
    value = node.args[0] if node.args else None
    if value is None or ctx.kind(value) is not Kind.TENSOR:
        return None
    if not (_checks(made, last, ctx) and _are_checked(ctx)):
        return None
    help = "pass validate_args=False to the distribution where its values are known to be right"
    return Refusal(value, "whether its argument is right", help)


def _made(node: ast.expr, ctx: Context) -> ast.Call | None:
    """The call that makes something, there or by a name of no other value."""
    value = node if isinstance(node, ast.Call) else ctx.value(node)
    return value if isinstance(value, ast.Call) else None


def _of_package(made: ast.Call, ctx: Context) -> str:
    """The name of the distribution that a call makes; "" if it makes something else."""
    module, _, last = (ctx.qualified_name(made.func) or "").rpartition(".")
    return last if module.startswith(_PACKAGE) else ""


def _checks(made: ast.Call, last: str, ctx: Context) -> bool:
    """Whether a call of a class of this name makes a distribution that checks its values."""
    if last not in _DISTRIBUTIONS:
        return False
    if keyword_value(made, "validate_args") is not None or ctx.calls(_VALIDATION.rpartition(".")[2]):
        return False
    return not ctx.calls("compile")  # Dynamo turns these checks off for the whole process


def _are_checked(ctx: Context) -> bool:
    """Whether no other file says, or may say, for the whole process that distributions are not to check."""
    return all(setting.value == "True" for setting in ctx.settings_elsewhere() if setting.name == _VALIDATION)
