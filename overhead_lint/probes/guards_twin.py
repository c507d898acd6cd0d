"""Compiles a frame once more, beside the one that a program compiled, to try how it could be had for less.

A twin is a function with a copy of the frame's code, which has cache entries of its own, called with the
inputs of a call of the frame. It is compiled with a backend whose code does nothing. So neither the
program's compiled code nor its kernels run, and what is timed is what a call pays around them. Code that
assigns to objects of the program is not run at all; then there are only the times of its guards.
"""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from overhead_lint.errors import class_and_message
from overhead_lint.probes.guards_api import Unsupported, changes_objects, check_guards, locals_of, on_guards
from overhead_lint.probes.guards_dynamo import watch
from overhead_lint.probes.guards_tree import leaves

__all__ = ["Inputs", "NotTried", "Nothing", "Twin", "make_twin"]

_RESUMES = "__resume_at_"
_RESUMED = "torch_dynamo_resume_in_"
_WARM_CALLS = 5
_REFUSED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class NotTried(Exception):
    """Something that cannot be tried on a frame; the message says why, in one line."""


class Inputs(NamedTuple):
    """A call of a compiled frame, kept.

    Attributes:
        code: the user's code object.
        f_locals: its arguments and closure, by name.
        f_globals: the globals of the function.
        is_module: it was called as the ``forward`` of a compiled module.
        grad: grad mode was on.
        inference: inference mode was on.
    """

    code: types.CodeType
    f_locals: dict[str, Any]
    f_globals: dict[str, Any]
    is_module: bool
    grad: bool
    inference: bool

    @classmethod
    def of(cls, code: types.CodeType, frame: types.FrameType, *, is_module: bool) -> Inputs:
        """Keep the inputs of a frame that just started."""
        import torch

        modes = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        return cls(code, locals_of(frame), frame.f_globals, is_module, *modes)

    @contextlib.contextmanager
    def modes(self) -> Iterator[None]:
        """The grad and inference mode of that call."""
        import torch

        with torch.inference_mode(self.inference), torch.set_grad_enabled(self.grad):
            yield


@dataclass
class Twin:
    """A frame compiled once more.

    Attributes:
        guards: its guard manager.
        f_locals: inputs that its guards hold on.
        call: one whole call, with the inputs; None where the compiled code must not run.
        why_no_call: why it must not.
        compiled: what `torch.compile`, or its like, returned.
    """

    guards: Any
    f_locals: Mapping[str, object]
    call: Callable[[], object] | None
    why_no_call: str
    compiled: Any

    @property
    def check(self) -> Callable[[], bool]:
        """One evaluation of the guards."""
        return check_guards(self.guards, self.f_locals)

    def count(self) -> int:
        """How many leaf guards there are."""
        return sum(1 for _ in leaves(self.guards))


class _Stop(Exception):
    """Ends a compilation whose code must not run."""


def make_twin(inputs: Inputs, compile_it: Callable[[Any, Nothing], Any]) -> Twin:
    """Compile a copy of a frame in some way.

    Args:
        inputs: a call of it.
        compile_it: gives the compiled form of a function or module, made with the given backend.

    Raises:
        NotTried: the frame cannot be compiled so.
    """
    if inputs.code.co_flags & _REFUSED or inputs.code.co_name.startswith(_RESUMED):
        raise NotTried("the rest of a broken frame, or a generator, is not compiled by itself")
    target, args, kwargs = _copy(inputs)
    backend = Nothing()
    seen: list[tuple[Any, dict[str, object], str]] = []

    def told(guards: Any, f_locals: Mapping[str, object], builder: Any) -> None:
        if not seen:
            why = "the code has graph breaks" if _has_breaks() else backend.why_not_run
            seen.append((guards, dict(f_locals), why))
        if seen[0][2]:
            raise _Stop

    with inputs.modes(), _unnoticed(), on_guards(told):
        compiled = compile_it(target, backend)
        try:
            for _ in range(_WARM_CALLS):
                compiled(*args, **kwargs)
        except Exception as error:  # _Stop, wrapped by Dynamo, or whatever compiling or running raises
            if not seen or not seen[0][2]:
                why = class_and_message(error)
                raise NotTried(f"it does not compile again: {why[:200]}") from error
    if not seen:
        raise NotTried("nothing was compiled")
    guards, f_locals, why = seen[0]
    call = None if why else (lambda: compiled(*args, **kwargs))
    return Twin(guards, f_locals, call, why, compiled)


class Nothing:
    """A backend whose code does nothing: it returns as many scalars as the graph has outputs."""

    def __init__(self) -> None:
        self.why_not_run = "it computes nothing"
        """Why the code around it must not run; "" once it is known that it may."""

    def __call__(self, graph: Any, inputs: Any) -> Callable[..., tuple[Any, ...]]:
        """Take note of what is compiled."""
        import torch

        try:
            self.why_not_run = "the code changes objects outside of it" if changes_objects() else ""
        except Unsupported as error:
            self.why_not_run = str(error)
        results = (torch.zeros(()),) * len(graph.graph.output_node().args[0])
        return lambda *args: results


def _has_breaks() -> bool:
    code = watch().pending_code()
    return code is None or any(name.startswith(_RESUMES) for name in code.co_names)


@contextlib.contextmanager
def _unnoticed() -> Iterator[None]:
    """What cannot be compiled here is no frame of the program that Dynamo gave up on."""
    watched = watch()
    watched.drain()
    before = len(watched.given_up)
    try:
        yield
    finally:
        watched.drain()
        del watched.given_up[before:]


def _copy(inputs: Inputs) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """A function or module with a copy of the code, and the arguments to call it with."""
    code, names = inputs.code.replace(), inputs.f_locals
    closure = tuple(
        types.CellType(names[name]) if name in names else types.CellType() for name in code.co_freevars
    )
    function = types.FunctionType(code, inputs.f_globals, code.co_name, None, closure)
    positional = code.co_varnames[: code.co_argcount]
    by_name = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    rest = iter(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
    try:
        args = tuple(names[name] for name in positional)
        kwargs = {name: names[name] for name in by_name}
        if code.co_flags & inspect.CO_VARARGS:
            args += tuple(names[next(rest)])
        if code.co_flags & inspect.CO_VARKEYWORDS:
            kwargs |= names[next(rest)]
    except KeyError as error:
        raise NotTried(f"its argument {error} was not kept") from None
    if inputs.is_module and args and (module := _twin_module(args[0], function)) is not None:
        return module, args[1:], kwargs
    return function, args, kwargs


def _twin_module(module: Any, function: types.FunctionType) -> Any:
    """A module that shares all with another but ``forward``; None where that cannot be."""
    import torch

    if not isinstance(module, torch.nn.Module) or "forward" in vars(module):
        return None
    cls = type(module)
    twin_class = type(cls.__name__, (cls,), {"forward": function, "__module__": cls.__module__})
    twin: Any = object.__new__(twin_class)
    object.__setattr__(twin, "__dict__", vars(module))
    return twin
