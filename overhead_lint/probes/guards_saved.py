"""Guards and compiled code, saved in one process and checked and called in another.

For plain functions and for ``module.forward``; torch keeps no guards for a module that was given to
`torch.compile` itself. A file holds a pickle: load only what you would run.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import json
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from overhead_lint.errors import class_and_message, on_one_line
from overhead_lint.probes.guards_api import Unsupported, saved_guards
from overhead_lint.probes.guards_identity import Identities, Identity, differing
from overhead_lint.probes.guards_modes import (
    DefaultDevice,
    alone,
    default_device,
    dispatch_modes,
    under_modes,
)
from overhead_lint.probes.guards_tree import locate
from overhead_lint.support import atomic

__all__ = ["FailedGuard", "GuardsFailed", "SavedFunction", "SavedGuardsError", "load", "save"]

_CANNOT_SERIALIZE: Final = (
    *("serializablecallable", "failed to serialize"),  # torch's words; those of pickle follow
    *("cannot pickle", "can't pickle", "can't get local object"),
)
_MAGIC: Final = "overhead-lint saved guards 3"


class SavedGuardsError(RuntimeError):
    """A file that cannot be loaded here; the message names it, in one line."""

    def __str__(self) -> str:
        """The message, whatever the file is called."""
        return on_one_line(super().__str__())


class FailedGuard(NamedTuple):
    """A guard that does not hold on some inputs.

    Attributes:
        text: the check, as Dynamo prints it.
        path: file of the user line that needs it; "" if Dynamo names none.
        line: that line.
    """

    text: str
    path: str
    line: int

    def __str__(self) -> str:
        """The check, and its line."""
        return f"{self.text} ({self.path}:{self.line})" if self.path else self.text


class GuardsFailed(RuntimeError):
    """A call of saved code with inputs that it was not compiled for.

    Attributes:
        guard: the guard that failed.
    """

    def __init__(self, name: str, guard: FailedGuard) -> None:
        super().__init__(f"{name}: not compiled for these inputs: {guard}")
        self.guard = guard


def save(
    function: Callable[..., Any],
    path: str | Path,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    *,
    backend: str | Callable[..., Any] = "inductor",
) -> None:
    """Compile a function for some inputs, and write its code and guards into a file.

    Args:
        function: a plain function, or ``module.forward``; compiled as one graph.
        path: the file; written in one step.
        args: inputs to compile for; of a method, those after ``self``.
        kwargs: keyword inputs.
        backend: backend of `torch.compile` whose code can be saved.

    Torch keeps the guards on inputs, on what is reached from them or closed over, and on global state. It
    drops those on global variables. Which function, class or enum member an input is, is kept by name.

    Raises:
        TypeError: something else than a function or method, or `args` that are no tuple.
        Unsupported: this torch cannot save compiled code, or not the backend's, or not an object in it;
            or the code depends on the identity of an object without a name; or a mode for functions or
            operators is active, other than a default device.
        RuntimeError: torch cannot compile the function as one graph.
        OSError: the file cannot be written.
    """
    _check(function, args)
    import torch

    device = default_device()
    data, identities = _compiled(function, args, kwargs or {}, backend)
    head = {
        "format": _MAGIC,
        "function": function.__qualname__,
        "torch": str(torch.__version__),
        "python": sys.version.split()[0],
        "modes": dispatch_modes(),
        "device": device,
        "identities": identities,
    }
    head["sha256"] = _checksum(head, data)
    atomic.write(Path(path), json.dumps(head).encode() + b"\n" + data)


def _check(function: Callable[..., Any], args: object) -> None:
    """Raise `TypeError` for what `save` cannot take."""
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        what = type(function).__name__
        raise TypeError(
            f"save: torch saves guards of plain functions and of module.forward, not of {what}: "
            "pass module.forward, or the function itself"
        )
    if inspect.isgeneratorfunction(function) or _is_async(function):
        raise TypeError(f"save: {function.__qualname__} is a generator or a coroutine: pass a plain function")
    if not isinstance(args, tuple):
        raise TypeError(f"save: args must be a tuple of inputs, got {type(args).__name__}")


def _compiled(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], backend: Any
) -> tuple[bytes, list[Identity]]:
    """A function compiled for some inputs: code and guards as torch writes them, and ours; see `save`."""
    import torch

    options = getattr(torch._dynamo.config, "enable_aot_compile", None)
    identities = Identities()
    filters: dict[str, Any] = {"guard_filter_fn": identities}
    compiled = torch.compile(function, fullgraph=True, backend=backend, options=filters)
    aot_compile = getattr(compiled, "aot_compile", None)
    if aot_compile is None or options is None:
        raise Unsupported("this torch has no aot_compile")
    try:
        with torch._dynamo.config.patch(enable_aot_compile=True):
            made = aot_compile((args, dict(kwargs)))
        data: bytes = type(made).serialize(made).serialized_data
    except (RuntimeError, TypeError, AttributeError, pickle.PicklingError) as error:
        why = " ".join(str(error).split())
        if not any(word in why.lower() for word in _CANNOT_SERIALIZE):
            raise  # what is wrong with the function itself
        raise Unsupported(f"this code cannot be saved: {why}") from error
    owner = (function.__self__,) if inspect.ismethod(function) else ()
    return data, identities.found_in(made.prepare_f_locals(*owner, *args, **kwargs))


def _checksum(head: Mapping[str, Any], data: bytes) -> str:
    """What tells whether the head of a file, but for the checksum itself, or its pickle has changed."""
    told = {name: value for name, value in head.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode() + b"\n" + data).hexdigest()


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def load(path: str | Path, *, f_globals: dict[str, object] | None = None) -> SavedFunction:
    """Read what `save` wrote. The file holds a pickle, which may run any code: name only files you trust.

    Args:
        path: the file.
        f_globals: where the code looks up what it did not take in as a constant; what was saved if None.

    Raises:
        SavedGuardsError: it cannot be read, is damaged, or comes from another torch or Python.
        Unsupported: this torch cannot load compiled code.
    """
    import torch

    loader = getattr(torch.compiler, "load_compiled_function", None)
    if loader is None:
        raise Unsupported("this torch has no torch.compiler.load_compiled_function")
    head, data = _checked(Path(path))

    def read() -> Any:
        with under_modes(head["modes"], DefaultDevice(*head["device"])):
            return loader(io.BytesIO(data), f_globals=f_globals)

    try:
        name, identities = str(head["function"]), [Identity(*one) for one in head["identities"]]
        made = alone(read)
    except Exception as error:  # unpickling raises whatever the classes it names raise
        why = class_and_message(error)
        raise SavedGuardsError(f"{path}: cannot be loaded: {why}") from error
    return SavedFunction(name, made, identities)


class SavedFunction:
    """Compiled code with its guards; made by `load`. Code of ``module.forward`` takes the module first.

    Args:
        name: qualified name of the function.
        made: torch's object.
        identities: which functions, classes and enum members inputs have to be.

    Raises:
        Unsupported: this torch does not show the guards of saved code.
    """

    def __init__(self, name: str, made: Any, identities: Sequence[Identity]) -> None:
        import torch

        self.name = name
        self._made = made
        self._identities = identities
        # Dynamo cannot trace through code that it did not make in this process.
        self._run: Callable[..., Any] = torch.compiler.disable(self._checked_call)
        self._names, self._guards = saved_guards(made)

    def __repr__(self) -> str:
        return f"<SavedFunction {self.name}>"

    def failed_guard(self, *args: Any, **kwargs: Any) -> FailedGuard | None:
        """The guard that does not hold on these inputs; None if all do.

        Raises:
            TypeError: inputs that the function's signature does not take.
        """
        f_locals = self._names(*args, **kwargs)
        if self._guards.check(f_locals):
            other = differing(self._identities, f_locals)
            return other and FailedGuard(f"{other.source} is {other.what}", other.path, other.line)
        parts = list(self._guards.check_verbose(f_locals).verbose_code_parts)
        text = parts[0] if parts else "a guard that Dynamo does not name"
        return FailedGuard(" ".join(text.partition("  # ")[0].split()), *locate(text))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Check all guards that were saved, then run the code.

        Raises:
            GuardsFailed: a guard does not hold.
            TypeError: inputs that the function's signature does not take.
        """
        return self._run(*args, **kwargs)

    def _checked_call(self, *args: Any, **kwargs: Any) -> Any:
        failed = self.failed_guard(*args, **kwargs)
        if failed is not None:
            raise GuardsFailed(self.name, failed)
        return self._made.fn(*args, **kwargs)


def _checked(path: Path) -> tuple[dict[str, Any], bytes]:
    """Head and pickle of a file that is whole and made for this torch and Python.

    Raises:
        SavedGuardsError: it is not.
    """
    import torch

    try:
        first, _, data = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise SavedGuardsError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        head = json.loads(first)
    except (RecursionError, ValueError):
        head = None
    if not isinstance(head, dict) or head.get("format") != _MAGIC:
        raise SavedGuardsError(f"{path}: holds no saved guards, or those of another version")
    here = {"torch": str(torch.__version__), "python": sys.version.split()[0]}
    for what, version in here.items():
        made_with = str(head.get(what))
        if made_with != version:
            shown = made_with if made_with.isprintable() else repr(made_with)
            raise SavedGuardsError(f"{path}: made with {what} {shown}, and this is {version}")
    if _checksum(head, data) != head.get("sha256"):
        raise SavedGuardsError(f"{path}: damaged: its content does not fit its checksum")
    return head, data
