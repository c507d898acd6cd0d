"""Distributions of torch: which calls make one, and what their methods and attributes give.

A distribution is told from other objects as a mapping with one key that no program writes, under which
its parameters lie: so what knows of mappings, of several ways to come about, and of other files knows of it.
"""

from __future__ import annotations

from typing import Final

from overhead_lint.project.kinds.abstract_value import NUMBER, OBJECT, AbstractValue, entry, holding
from overhead_lint.rule import Kind

__all__ = ["attribute", "called", "distribution", "gives_tensor", "is_class", "is_distribution"]

_KEY: Final = "__parameters"
_MODULE: Final = "torch.distributions"
# Names of the package that begin as classes do, and are no distributions.
_OTHERS: Final = ("Constraint", "Transform")
_GIVING_TENSORS: Final = frozenset(
    "cdf entropy enumerate_support icdf log_prob perplexity rsample sample sample_n".split()  # noqa: SIM905
)
_TENSORS: Final = frozenset(
    """concentration concentration0 concentration1 covariance_matrix df df1 df2 high loc logits low mean mode
    precision_matrix probs rate scale scale_tril stddev temperature total_count variance""".split()  # noqa: SIM905
)
_SHAPES: Final = frozenset({"batch_shape", "event_shape"})
_DISTRIBUTIONS: Final = frozenset({"base_dist", "component_distribution", "mixture_distribution"})


def distribution(parameters: AbstractValue) -> AbstractValue:
    """A distribution with such parameters: tensors of a device, or of the host."""
    held = AbstractValue(Kind.OBJECT, parameters.kind, mapping=True)
    return held._replace(parts=(parameters,), keys=(_KEY,))


def is_distribution(what: AbstractValue) -> bool:
    """Whether something is a distribution."""
    return what.keys == (_KEY,)


def is_class(name: str) -> bool:
    """Whether a qualified name is one of torch's distributions."""
    module, _, last = name.rpartition(".")
    if not (module == _MODULE or module.startswith(f"{_MODULE}.")):
        return False
    return last[:1].isupper() and not last.endswith(_OTHERS) and ".transforms" not in module


def gives_tensor(name: str) -> bool:
    """Whether a qualified name is a function of the package that gives a tensor."""
    return name in {f"{_MODULE}.kl_divergence", f"{_MODULE}.kl.kl_divergence"}


def called(what: AbstractValue, method: str) -> AbstractValue | None:
    """What a method of a distribution gives; None if nothing is known of it."""
    if method in _GIVING_TENSORS:
        return entry(what, _KEY)
    return what if method == "expand" else None


def attribute(what: AbstractValue, name: str) -> AbstractValue | None:
    """What an attribute of a distribution is; None if nothing is known of it."""
    if name in _TENSORS:
        return entry(what, _KEY)
    if name in _SHAPES:
        return holding(NUMBER)
    if name in _DISTRIBUTIONS:
        return what
    return OBJECT if name in {"arg_constraints", "support"} else None
