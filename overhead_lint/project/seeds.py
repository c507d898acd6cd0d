"""Functions that are hot, or cold, for what they are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.classes import AUTOGRAD_FUNCTION, is_autograd_function, is_torch_module
from overhead_lint.project.names import last_name
from overhead_lint.project.words import words

if TYPE_CHECKING:
    from collections.abc import Collection

    from overhead_lint.project.facts import FileFacts
    from overhead_lint.rule import ClassFacts, FunctionFacts

__all__ = ["cold_by_class", "cold_reason", "hooks", "hot_by_class", "hot_reason"]

_CACHES: Final = frozenset(
    {
        "functools.cache",
        "functools.lru_cache",
        "functools.cached_property",
        "torch.compiler.assume_constant_result",
    }
)
_STEP_METHODS: Final = frozenset(
    """compute_loss forward_backward on_after_backward on_before_optimizer_step on_train_batch_end
    on_train_batch_start optimizer_zero_grad""".split()  # noqa: SIM905
)
_STEP_PREFIXES: Final = frozenset(
    """backward closure decode decoding denoise denoising eval evaluation forward inference optim
    optimizer predict prediction sampling test train training val validation""".split()  # noqa: SIM905
)
# Run for every operator while a mode or a tensor subclass is active.
_DISPATCH_METHODS: Final = frozenset({"__torch_dispatch__", "__torch_function__"})
_AUTOGRAD_METHODS: Final = frozenset({"forward", "backward", "setup_context", "jvp", "vjp", "vmap"})

_COLD_METHODS: Final = frozenset(
    """__deepcopy__ __del__ __getstate__ __init_subclass__ __post_init__ __reduce__ __repr__ __setstate__
    __str__ _init_weights extra_repr from_pretrained get_extra_state load_state_dict post_init
    reset_parameters set_extra_state state_dict""".split()  # noqa: SIM905
)
_COLD_FIRST: Final = frozenset(
    """benchmark configure convert download dump export init initialize load parse plot register restore
    resume save setup visualize""".split()  # noqa: SIM905
)
_COLD_ANYWHERE: Final = frozenset({"ckpt", "onnx", "pretrained", "safetensors"})
_HOT_DESPITE: Final = frozenset({"backward", "activation", "activations", "tensors"})


def hot_reason(function: FunctionFacts, facts: FileFacts) -> str:
    """Why a function runs in every step for what it is; "" if nothing says so."""
    name, cls = getattr(function.node, "name", ""), function.cls
    if name in _DISPATCH_METHODS:
        return f"{function.qualname} runs for every operator"
    if cls is not None:
        if cls.is_module and name in {"forward", "__call__"}:
            return f"{function.qualname} runs on every call of the module"
        if is_autograd_function(cls) and name in _AUTOGRAD_METHODS:
            return f"{function.qualname} runs on every use of the autograd function"
        if name == "step" and _steps(cls):
            return f"{function.qualname} runs on every step"
    if function.node in facts.compiled_entries:
        return f"{function.qualname} is compiled with torch.compile"
    said = words(name)
    if name in _STEP_METHODS or (len(said) > 1 and said[-1] == "step" and _STEP_PREFIXES & set(said[:-1])):
        return f"{function.qualname} is a step by its name"
    return ""


def hot_by_class(shown: str, method: str, bases: Collection[str]) -> str:
    """Why a method runs in every step for the classes outside of the project that its class derives from.

    Args:
        shown: the method as it is shown.
        method: its plain name.
        bases: dotted names of the outside classes.
    """
    for base in bases:
        if method in {"forward", "__call__"} and is_torch_module(base):
            return f"{shown} runs on every call of the module"
        if method in _AUTOGRAD_METHODS and base in AUTOGRAD_FUNCTION:
            return f"{shown} runs on every use of the autograd function"
        if method == "step" and base.startswith("torch.optim."):
            return f"{shown} runs on every step"
    return ""


def cold_by_class(shown: str, method: str, bases: Collection[str]) -> str:
    """Why a method never runs in a step for the outside classes that its class derives from."""
    if method == "__init__" and any(is_torch_module(base) for base in bases):
        return f"{shown} runs at construction"
    return ""


def _steps(cls: ClassFacts) -> bool:
    """Whether a class is an optimizer or a scheduler, by its bases or its name."""
    for name in (cls.qualname, *cls.bases):
        last = name.rpartition(".")[2]
        if name.startswith("torch.optim.") or {"optimizer", "scheduler"} & set(words(last)[-1:]):
            return True
    return False


def cold_reason(function: FunctionFacts, facts: FileFacts) -> str:
    """Why a function never runs in a step, whoever calls it; "" if nothing says so."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return ""
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if facts.names.qualified(called) in _CACHES:
            return f"{function.qualname} is cached by {last_name(called)}"
    name, cls = node.name, function.cls
    if name == "__init__":
        return f"{function.qualname} runs at construction" if cls is not None and cls.is_module else ""
    if hot_reason(function, facts):
        return ""
    said = words(name)
    set_up = name in _COLD_METHODS or name.startswith("test_") or (bool(said) and said[0] in _COLD_FIRST)
    if (set_up or _COLD_ANYWHERE & set(said)) and not _HOT_DESPITE & set(said):
        return f"{function.qualname} is no step by its name"
    return ""


def hooks(facts: FileFacts) -> dict[ast.AST, str]:
    """Functions handed to ``register_..._hook``, with the reason why they are hot."""
    found: dict[ast.AST, str] = {}
    for call in facts.scan.by_class.get(ast.Call, ()):
        assert isinstance(call, ast.Call)
        function = call.func
        if not (isinstance(function, ast.Attribute) and call.args):
            continue
        said = words(function.attr)
        if said[:1] == ("register",) and "hook" in said and "state" not in said:
            for target in facts.calls.functions_named(call.args[-1]):
                name = facts.names.qualname(target)
                found[target] = f"{name} is a hook registered on line {call.lineno}"
    return found
