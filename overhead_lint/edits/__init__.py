"""Rewrites for rules: builders of declarative edits, free of libcst until one is applied.

A template is Python code with ``{placeholders}`` for parts of the source and for imports of
the fix; `overhead_lint.edits.model` says how::

    Fix(
        Applicability.SAFE,
        "use runtime.wait_stream",
        edits=(replace(call, "{runtime}.wait_stream({consumer}, {producer})", consumer=a, producer=b),),
        imports=(runtime_import(ctx.runtime_module),),
    )
"""

from overhead_lint.edits.model import (
    CannotFix,
    add_base,
    add_decorator,
    insert_after,
    insert_before,
    pack_parameters,
    remove_argument,
    remove_decorator,
    remove_elements,
    remove_statement,
    replace,
    replace_callee,
    replace_commented,
    replace_statement,
    runtime_import,
    set_argument,
    unwrap,
)

__all__ = [
    "CannotFix",
    "add_base",
    "add_decorator",
    "insert_after",
    "insert_before",
    "pack_parameters",
    "remove_argument",
    "remove_decorator",
    "remove_elements",
    "remove_statement",
    "replace",
    "replace_callee",
    "replace_commented",
    "replace_statement",
    "runtime_import",
    "set_argument",
    "unwrap",
]
