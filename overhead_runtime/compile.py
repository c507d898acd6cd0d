"""``torch.compile`` with less work on each call.

Stock ``torch.compile`` installs a frame evaluator, saves and restores thread state, walks through
``Module.__call__`` and only then evaluates the guards. The callable that ``compile`` returns asks
Dynamo's own guards first and jumps to the code they protect. Whatever it does not know to be the same
it leaves to stock.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from ._dispatch.stats import CompileStats

__all__ = ["compile", "compile_stats", "freeze", "thaw"]

_GUARD_EVAL = ("full", "token", "frozen", "stock")
_MODES = "'full', 'token', 'frozen' or 'stock'"


def compile(
    model: Callable[..., Any] | None = None,
    *,
    guard_eval: str = "full",
    verify_every: int = 0,
    recursive_tags: bool | None = None,
    **options: Any,
) -> Any:
    """Compile a module or function as ``torch.compile`` does, with a cheaper way into compiled code.

    Args:
        model: Module, function or bound method; None to use it as a decorator.
        guard_eval: ``"full"`` evaluates all of Dynamo's guards, then runs the compiled code directly;
            ``"token"`` remembers the state in which they passed, and evaluates none of them while
            nothing they read has changed, as the interpreter's numbers or watchers show (after
            ``overhead-lint native build dispatch``; otherwise, and where something has no version, it works
            as "full" and ``stats().not_recognised`` says why); ``"frozen"`` works as "full", but looks at
            nothing except the arguments between ``freeze`` and ``thaw``, which is not safe: a change of what
            the model reads goes unnoticed there; ``"stock"`` leaves every call to ``torch.compile``.
        verify_every: For "token" and "frozen": evaluate all guards in every so many calls that would
            evaluate none, and raise ``RuntimeError`` naming the guard if one fails. 0 never does.
        recursive_tags: Have Dynamo build guards that recognise an unchanged tree of modules by the versions
            of its dicts, where a trial shows that they miss no change: on CPython with its lock, but for
            3.13.0, after ``overhead-lint native build dispatch``. False leaves it to Dynamo's settings.
        **options: Arguments of ``torch.compile``: ``fullgraph``, ``dynamic``, ``backend``, ``mode``,
            ``options``, ``disable`` and whatever this version of torch adds.

    Returns:
        What ``torch.compile`` returns, with its attributes. ``stats()`` on it tells hits, misses and
        fallbacks with their reasons; ``compile_stats(result)`` does so even where the name is taken.

    Raises:
        ValueError: ``guard_eval`` is not one of the modes above, or ``verify_every`` is negative or
            given for another mode.
        TypeError: An argument that ``torch.compile`` of this torch does not know, or ``guard_eval``,
            ``verify_every`` or ``recursive_tags`` of another type.
    """
    if not isinstance(guard_eval, str):
        raise TypeError(f"guard_eval must be {_MODES}, not {guard_eval!r}")
    if guard_eval not in _GUARD_EVAL:
        raise ValueError(f"guard_eval must be {_MODES}, not {guard_eval!r}")
    if isinstance(verify_every, bool) or not isinstance(verify_every, int):
        raise TypeError(f"verify_every must be a whole number, not {verify_every!r}")
    if not isinstance(recursive_tags, bool | None):
        raise TypeError(f"recursive_tags must be True, False or None, not {recursive_tags!r}")
    if verify_every < 0:
        raise ValueError(f"verify_every must be 0 or more, not {verify_every}")
    if verify_every and guard_eval not in ("token", "frozen"):
        raise ValueError("verify_every is for guard_eval='token' and 'frozen'")
    mode = (guard_eval, verify_every, recursive_tags is not False)
    if model is None:
        # Stock's own decorator form checks the options now, and refuses None later.
        stock_decorator: Any = torch.compile(**options)

        @functools.wraps(stock_decorator)
        def decorate(function: Any) -> Any:
            return _wrap(stock_decorator(function), mode)

        return decorate
    return _wrap(torch.compile(model, **options), mode)


def _wrap(stock: Any, mode: tuple[str, int, bool]) -> Any:
    try:
        from ._dispatch import wrappers
    except ImportError:
        # A torch that lacks what the private modules import: plain torch.compile is right, only slower.
        return stock
    return wrappers.wrap(stock, wrappers.Mode(*mode))


def compile_stats(compiled: Any) -> CompileStats:
    """Counts of a callable that ``compile`` returned, also where it has a ``stats`` of its own.

    Args:
        compiled: The callable.

    Returns:
        Hits, misses, fallbacks by reason, entries, and why all calls go to stock if they do.
    """
    from ._dispatch.stats import CompileStats

    try:
        from ._dispatch.wrappers import stats_of
    except ImportError as error:
        return CompileStats("stock", 0, 0, {}, 0, str(error))
    return stats_of(compiled)


def freeze(compiled: Any) -> None:
    """Look at nothing but the arguments in calls of a callable, until ``thaw``. Not safe.

    The first call with arguments of a kind evaluates all guards. Those that follow with such arguments run
    the same compiled code, whatever the model reads has become: the caller promises that nothing changes.
    Nothing happens where ``torch.compile`` returned its argument uncompiled.

    Args:
        compiled: A callable that ``compile`` returned for ``guard_eval="frozen"``.

    Raises:
        ValueError: It was compiled in another mode.
    """
    dispatcher = _freezable(compiled)
    if dispatcher is not None:
        dispatcher.freeze()


def thaw(compiled: Any) -> None:
    """Evaluate the guards in every call again, after ``freeze``; that it was frozen is not asked for.

    Args:
        compiled: A callable that ``compile`` returned for ``guard_eval="frozen"``.

    Raises:
        ValueError: It was compiled in another mode.
    """
    dispatcher = _freezable(compiled)
    if dispatcher is not None:
        dispatcher.thaw()


def _freezable(compiled: Any) -> Any:
    try:
        from ._dispatch.wrappers import freezable
    except ImportError:
        return None  # `compile` has returned what torch.compile did
    return freezable(compiled)
