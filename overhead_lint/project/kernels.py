"""Functions that look like Python, and are kernels in the languages of other packages."""

from __future__ import annotations

from typing import Final

__all__ = ["kernel_language"]

# By package, the last names of the decorators that compile a function.
_DECORATORS: Final = {
    "cupyx": {"rawkernel"},
    "cutlass": {"jit", "kernel"},
    "equinox": {"filter_jit", "filter_pmap"},
    "flax": {"jit", "pmap"},
    "helion": {"jit", "kernel"},
    "jax": {"jit", "pmap"},
    "numba": {"cfunc", "generated_jit", "guvectorize", "jit", "njit", "stencil", "vectorize"},
    "taichi": {"func", "kernel"},
    "tilelang": {"autotune", "jit", "lazy_jit", "macro", "prim_func"},
    "triton": {"autotune", "heuristics", "jit"},
    "tvm": {"ir_module", "prim_func"},
    "warp": {"func", "kernel"},
}


def kernel_language(decorator: str) -> str:
    """The package that a decorator belongs to, if it compiles what it decorates to a kernel; else "".

    Args:
        decorator: its qualified name.
    """
    package, _, rest = decorator.partition(".")
    return package if rest.rpartition(".")[2] in _DECORATORS.get(package, ()) else ""
