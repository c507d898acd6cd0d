"""OVH109: contexts that set global configuration, entered in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Clause, Heat, Rule

from ._stock import entered_item

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH109",
    name="config-context-per-step",
    summary="context that sets global configuration entered on every step",
    triggers=(
        b"patch",
        b"flags",
        b"sdp",
        b"fork_rng",
        b"torch.device",
        b"import device",
        b"catch_warnings",
        b"detect_anomaly",
    ),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_ANOMALY = "enter it for a search alone: every operator keeps a trace of its callers"
# Qualified name of a context, and what to do instead.
_ADVICE = {
    "torch._dynamo.config.patch": "set it once, around the loop or in torch.compile(options=...)",
    "torch._inductor.config.patch": "set it once, around the loop or in torch.compile(options=...)",
    "torch._functorch.config.patch": "set it once, around the loop",
    "torch.backends.cudnn.flags": "set the flags once, before the loop",
    "torch.backends.mkldnn.flags": "set the flags once, before the loop",
    "torch.backends.nnpack.flags": "set the flags once, before the loop",
    "torch.nn.attention.sdpa_kernel": "enter it once, around the model, or set the backends at start",
    "torch.backends.cuda.sdp_kernel": "set the backends at start: torch.backends.cuda.enable_flash_sdp(...)",
    "torch.random.fork_rng": "pass a torch.Generator of its own to what draws random numbers",
    "warnings.catch_warnings": "filter once, when the program starts: each entry and exit makes Python "
    "forget which warnings were shown",
    "torch.autograd.detect_anomaly": _ANOMALY,
    "torch.autograd.set_detect_anomaly": _ANOMALY,
    "torch.device": "give factory functions device=...: under the context each torch call runs Python code",
}


@RULE.on(ast.Call, named=_ADVICE)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call of such a context as an item of ``with``, outside compiled code."""
    name = ctx.qualified_name(node.func)
    if name not in _ADVICE or entered_item(node, ctx) is None or ctx.is_compiled(node):
        return
    assert name is not None
    yield ctx.finding(
        RULE,
        node,
        (f"{name} reads, sets and restores global state ", Clause.FREQUENCY),
        help=_ADVICE[name],
    )
