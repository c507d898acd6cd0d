"""What only some releases of torch do, in one table, and how rules ask which of them a project runs with.

Each entry was tried with torch 2.9 and 2.11 to 2.15, and names the first of these in which it is so; the
tests of the rules try it again, with the torch that they run with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import ends

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "BREAKS_SINCE",
    "GONE_SINCE",
    "IDLE_SINCE",
    "KEPT_SINCE",
    "OWN_CLASS",
    "READS_PRECISION_UNTIL",
    "RENAMED_SINCE",
    "TRACED_SINCE",
    "always_has",
    "is_told_of",
    "may_have",
    "may_precede",
    "spelled",
]

Version = tuple[int, int]


def may_precede(release: Version, ctx: Context) -> bool:
    """Whether what ended with a release is reported: the project says that it runs with an older one, too.

    One that says nothing is told of the newest torch alone.
    """
    return ctx.reported_torch < release


def always_has(release: Version, ctx: Context) -> bool:
    """Whether every torch that the code runs with is a release or a later one."""
    return ctx.target_torch >= release


def may_have(release: Version, ctx: Context) -> bool:
    """Whether a torch that the code runs with may be a release or a later one: none is pinned before it."""
    return ctx.newest_torch is None or ctx.newest_torch >= release


def is_told_of(release: Version, ctx: Context) -> bool:
    """Whether what a release brought is told: the oldest torch that the project names, if it does, has it."""
    return ctx.reported_torch >= release


def spelled(release: tuple[int, ...]) -> str:
    """A release as users write it: ``"2.14"``."""
    return ".".join(map(str, release))


TRACED_SINCE: Final[dict[str, Version]] = {
    **dict.fromkeys(
        """random.random random.sample random.seed random.shuffle torch.backends.mps.is_available
        torch.combinations""".split(),  # noqa: SIM905
        (2, 14),
    ),
    "torch._assert": (2, 15),
}
"""Functions that broke the graph of compiled code before."""

BREAKS_SINCE: Final[dict[str, Version]] = {"state_dict": (2, 14)}
"""Methods of modules that break it; torch 2.13 traced them, and those before it did not."""

OWN_CLASS: Final = "a class with __enter__"
KEPT_SINCE: Final[dict[str, Version]] = {
    OWN_CLASS: (2, 14),
    "contextlib.ExitStack": (2, 14),
    "contextlib.suppress": (2, 14),
}
"""Context managers that compiled code enters also where it has not seen them made."""

READS_PRECISION_UNTIL: Final[Version] = (2, 15)
"""Until then the autotuner of Inductor read the flags of matrix products from before ``fp32_precision``."""


def _dynamo(names: str, release: Version) -> dict[str, Version]:
    return {f"torch._dynamo.config.{name}": release for name in names.split()}


def _inductor(names: str, release: Version) -> dict[str, Version]:
    return {f"torch._inductor.config.{name}": release for name in names.split()}


IDLE_SINCE: Final[dict[str, Version]] = {
    **_dynamo(
        """allowed_functions_module_string_ignorelist capture_func_transforms dead_code_elimination
        dynamic_shapes enable_cpp_framelocals_guard_eval enable_cpp_guard_manager error_on_nested_jit_trace
        minimum_call_count optimize_ddp_lazy_compile raise_on_unsafe_aot_autograd report_guard_failures
        skipfiles_inline_module_allowlist""",
        (2, 9),
    ),
    **_dynamo(
        """capture_autograd_function skip_code_recursive_on_cache_limit_hit
        skip_code_recursive_on_recompile_limit_hit""",
        (2, 11),
    ),
    **_dynamo("inline_inbuilt_nn_modules", (2, 12)),
    **_dynamo("enable_faithful_generator_behavior", (2, 14)),
    **_inductor(
        """autotune_fallback_to_aten batch_fusion group_fusion kernel_name_max_ops mixed_mm_choice
        reorder_prefetch_limit search_autotune_cache split_cat_fx_passes trace.compile_profile
        use_mixed_mm""",
        (2, 9),
    ),
}
"""Settings of the compiler that are accepted and never read."""

GONE_SINCE: Final = ends()
"""Settings of earlier releases that raise AttributeError when they are set, by the tables of effects."""

RENAMED_SINCE: Final[dict[str, Version]] = _inductor(
    "benchmark_epilogue_fusion max_epilogue_benchmarked_choices", (2, 15)
)
"""Settings that have another name, and warn under the old one."""
