"""Functions that look like Python, and are kernels in the languages of other packages."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.wrapping_calls import BINDERS
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["class_language", "given_languages", "kernel_language"]

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
_COMPILERS: Final = sorted({name for names in _DECORATORS.values() for name in names})
# Packages of modules that compute with JAX, which traces them once.
_OF_JAX: Final = frozenset({"equinox", "flax", "haiku"})


def kernel_language(decorator: str) -> str:
    """The package that a decorator belongs to, if it compiles what it decorates to a kernel; else "".

    Args:
        decorator: its qualified name.
    """
    package, _, rest = decorator.partition(".")
    return package if rest.rpartition(".")[2] in _DECORATORS.get(package, ()) else ""


def given_languages(facts: FileSyntax) -> dict[ast.AST, str]:
    """The packages that compile functions where these are handed over: ``jax.jit(partial(step))``.

    Args:
        facts: the file.

    Returns:
        The package for each of the file's functions that is compiled so.
    """
    found: dict[ast.AST, str] = {}
    for name in _COMPILERS:
        for call in facts.call_index.by_name.get(name, ()):
            given = call.args[0] if call.args else None
            if given.__class__ is ast.Call and last_name(given.func) in BINDERS and given.args:
                given = given.args[0]
            language = kernel_language(facts.names.qualified(call.func) or "")
            bound = facts.scan.lookup(given.id, given) if language and given.__class__ is ast.Name else None
            for one in bound[1] if bound is not None else ():
                if isinstance(one, FUNCTIONS):
                    found.setdefault(one, language)
    return found


def class_language(bases: Iterable[str]) -> str:
    """The package whose modules a class derives from, if these compute with JAX; else "".

    Args:
        bases: qualified names of the classes that it derives from.
    """
    packages = (base.partition(".")[0] for base in bases)
    return next((package for package in packages if package in _OF_JAX), "")
