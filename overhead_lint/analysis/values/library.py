"""What classes and functions of libraries are, and what their objects are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Dtype, Result
from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ARRAY,
    BOOL,
    CLASS,
    CONTEXT,
    DEVICE,
    DTYPE,
    EVENT,
    FLOAT,
    FLOATS,
    FUNCTION,
    INT,
    INTEGERS,
    LOADER,
    MAPPING,
    MODULE,
    NONE_TYPE,
    NUMBER_TYPES,
    NUMBERS,
    OBJECT,
    OPTIMIZER,
    SCHEDULER,
    SEQUENCE,
    STREAM,
    TEXT,
    TRUTHS,
    VARIES,
    Value,
)
from overhead_lint.analysis.vocabulary import ACCELERATORS, FABRICS
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from overhead_lint.analysis.values.reference import Reference

__all__ = ["given_class", "given_module", "instance_bits", "is_known_package", "named_class", "value_of"]

_BUILTINS: Final = {
    "bool": BOOL | VARIES,
    "bytearray": OBJECT,
    "bytes": OBJECT,
    "complex": FLOAT | VARIES,
    "dict": MAPPING,
    "float": FLOAT | VARIES,
    "frozenset": SEQUENCE,
    "int": INT | VARIES,
    "list": SEQUENCE,
    "range": SEQUENCE,
    "set": SEQUENCE,
    "slice": OBJECT,
    "str": TEXT | VARIES,
    "tuple": SEQUENCE,
}
_EXACT: Final = {
    **{f"builtins.{name}": bits for name, bits in _BUILTINS.items()},
    "collections.Counter": MAPPING,
    "collections.OrderedDict": MAPPING,
    "collections.defaultdict": MAPPING,
    "collections.deque": SEQUENCE,
    "contextlib.ExitStack": CONTEXT,
    "contextlib.nullcontext": CONTEXT,
    "numbers.Number": INT | FLOAT | BOOL,
    "numbers.Real": INT | FLOAT | BOOL,
    "numpy.ndarray": ARRAY,
    "torch.Event": EVENT,
    "torch.Size": SEQUENCE,
    "torch.Stream": STREAM,
    "torch.amp.GradScaler": OBJECT,
    "torch.autocast": CONTEXT,
    "torch.amp.autocast": CONTEXT,
    "torch.amp.autocast_mode.autocast": CONTEXT,
    "torch.cpu.amp.autocast": CONTEXT,
    "torch.cuda.Event": EVENT,
    "torch.cuda.ExternalStream": STREAM,
    "torch.cuda.Stream": STREAM,
    "torch.cuda.amp.autocast": CONTEXT,
    "torch.device": DEVICE,
    "torch.dtype": DTYPE | NUMBER_TYPES,
    "torch.enable_grad": CONTEXT,
    "torch.inference_mode": CONTEXT,
    "torch.no_grad": CONTEXT,
    "torch.set_grad_enabled": CONTEXT,
    "torch.types.Device": DEVICE,
    "torch.xpu.Event": EVENT,
    "torch.xpu.Stream": STREAM,
}
"""What objects of these classes are."""
_GIVEN: Final = {
    "torch.accelerator.current_stream": "torch.Stream",
    "torch.Stream.record_event": "torch.Event",
    **{
        f"torch.{module}.{function}": f"torch.{module}.{cls}"
        for module in ("cuda", "xpu")
        for function, cls in (
            ("current_stream", "Stream"),
            ("default_stream", "Stream"),
            ("Stream.record_event", "Event"),
        )
    },
}
"""The class of what functions and methods give."""
_MODULES: Final = {"torch.get_device_module": "torch.cuda"}
"""The module that a function gives: that of the device which most programs have."""
_WITHIN: Final = (
    ("torch.optim.lr_scheduler.", SCHEDULER),
    ("torch.optim.", OPTIMIZER),
    ("torch.utils.data.", OBJECT),
)
"""What objects of the classes of a module are."""
_BY_LAST_NAME: Final = {
    "DataLoader": LOADER,
    "AveragedModel": MODULE,
    "LRScheduler": SCHEDULER,
    "SWALR": SCHEDULER,
    "LightningModule": MODULE,
    "Module": MODULE,
    "ModuleDict": MODULE,
    "ModuleList": MODULE,
    "ScriptModule": MODULE,
    "Optimizer": OPTIMIZER,
}
"""What classes are of which nothing else is known, by what libraries that build on torch call them."""
PACKAGES: Final = frozenset(
    [
        "builtins",
        "collections",
        "contextlib",
        "copy",
        "functools",
        "itertools",
        "json",
        "logging",
        "math",
        "numpy",
        "operator",
        "os",
        "pathlib",
        "random",
        "re",
        "sys",
        "time",
        "torch",
        "typing",
        "warnings",
    ]
)
_BY_VARIABLE: Final = {
    **dict.fromkeys(ACCELERATORS, "accelerate.Accelerator"),
    **dict.fromkeys(FABRICS, "lightning.Fabric"),
}
_RESULTS: Final = {
    Result.MODULE: MODULE,
    Result.TENSOR: ANY_TENSOR,
    Result.DISTRIBUTION: OBJECT,
    Result.OBJECT: OBJECT,
}
_NUMBERS_OF: Final = {
    Dtype.BOOL: TRUTHS,
    Dtype.COMPLEX: FLOATS,
    Dtype.FLOAT: FLOATS,
    Dtype.INTEGER: INTEGERS,
}
_CONSTANTS: Final = frozenset({"e", "inf", "infty", "nan", "newaxis", "pi", "tau"})


def is_known_package(path: str) -> bool:
    """Whether a name is of the standard library, NumPy or torch: what its names are is known well enough."""
    return path.partition(".")[0] in PACKAGES


def instance_bits(path: str) -> int:
    """Return what objects of a class of a library are; 0 where nothing says so, or it is no class."""
    bits = _EXACT.get(path)
    if bits is not None:
        return bits
    last = path.rpartition(".")[2]
    if not last[:1].isupper() and not _is_private_class(last):
        return 0
    for scope, kind in _WITHIN:
        if path.startswith(scope):
            return _BY_LAST_NAME.get(last, kind)
    return _RESULTS.get(effect(path).returns, 0) or _BY_LAST_NAME.get(last, 0)


def given_class(path: str) -> str:
    """Return the class of what a function or method of a library gives; "" where nothing says so."""
    return _GIVEN.get(path, "")


def given_module(path: str) -> str:
    """Return the module that a function of a library gives; "" for what gives none."""
    return _MODULES.get(path, "")


def named_class(variable: str) -> str:
    """Return the class of a library whose objects have such names, where nothing else says what one is."""
    return _BY_VARIABLE.get((words(variable) or ("",))[-1], "")


def value_of(path: str, reference: Reference) -> Value:
    """Return what the name of an API stands for.

    Args:
        path: the name.
        reference: it as what a value refers to.
    """
    told = effect(path)
    numbers = _NUMBERS_OF.get(told.dtype, 0)
    if numbers:
        return Value(DTYPE | numbers, (reference,))
    last = path.rpartition(".")[2]
    if last in _CONSTANTS and path.startswith(("math.", "numpy.", "torch.")):
        return Value((NONE_TYPE if last == "newaxis" else FLOAT) | VARIES)
    if told.is_attribute and told.returns is Result.NUMBER:
        return Value(NUMBERS | VARIES)
    if path in _EXACT or last[:1].isupper() or _is_private_class(last):
        return Value(CLASS, (reference,))
    return Value(FUNCTION, (reference,))


def _is_private_class(name: str) -> bool:
    return name[:1] == "_" and name[1:2].isupper()
