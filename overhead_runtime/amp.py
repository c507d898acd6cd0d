"""`autocast`: what `torch.autocast` does, for less, and safe to enter again while it is active."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import torch

from ._active import local, take
from ._callers import Warned, warn_at_caller, warning_at_caller
from ._stand_in import StandIn

__all__ = [
    "Autocast",
    "BackendName",
    "ReentrantAutocast",
    "autocast",
    "known_forms",
    "own_frames",
]

_is_enabled = torch.is_autocast_enabled
_get_dtype = torch.get_autocast_dtype
_set_enabled = torch.set_autocast_enabled
_set_dtype = torch.set_autocast_dtype
_is_cache_enabled = torch.is_autocast_cache_enabled
_set_cache_enabled = torch.set_autocast_cache_enabled
_increment_nesting = torch.autocast_increment_nesting
_decrement_nesting = torch.autocast_decrement_nesting
_clear_cache = torch.clear_autocast_cache
_is_compiling = torch.compiler.is_dynamo_compiling
_new = object.__new__


def _always_true() -> bool:
    return True


# Without the probe every block goes through the stock class: slow, and right.
_function_mode_enabled = getattr(torch._C, "_is_torch_function_mode_enabled", _always_true)

_warned: dict[tuple[str, torch.dtype, bool], tuple[Warned, ...]] = {}
"""What the stock constructor said of arguments that it took. It disabled the block if it said anything."""

_warned_custom: dict[tuple[str, torch.dtype, bool], tuple[Any, tuple[Warned, ...]]] = {}
"""The same for the backend that an extension brings, with the types that it supported: they may change."""

_heard = threading.local()


class BackendName:
    """Reads the attribute ``custom_backend_name`` of an instance to which nobody has assigned one."""

    def __get__(self, instance: object, owner: type) -> str:
        return torch._C._get_privateuse1_backend_name()


class ReentrantAutocast(torch.autocast):
    """A `torch.autocast` whose instance may be entered again while active, and from several threads.

    The state to restore is kept for each entry instead of on the instance, so that one instance can be
    built once and used everywhere. Everything else is the stock class: attributes, decorator use, and what
    ``torch.compile`` makes of an instance. Built by `autocast`.
    """

    # Slots, since filling a fresh instance dict would cost more than the rest of the construction.
    __slots__ = (
        *("_cache_enabled", "_enabled", "device", "fast_dtype"),
        *("prev", "prev_cache_enabled", "prev_fastdtype"),
    )
    custom_backend_name = BackendName()

    def __enter__(self) -> ReentrantAutocast:
        device = self.device
        # As in stock: what was there at the last entry, for an exit that has no entry of its own.
        self.prev = enabled = _is_enabled(device)
        self.prev_fastdtype = dtype = _get_dtype(device)
        self.prev_cache_enabled = cache = _is_cache_enabled()
        if _function_mode_enabled():
            # torch.export records the context through a function mode; only the stock class knows how.
            stock: Any = torch.autocast(self.device, self.fast_dtype, self._enabled, self._cache_enabled)
            stock.__enter__()
            local.entries.append((self, stock, None, None))
            return self
        try:
            if enabled is not self._enabled:
                _set_enabled(device, self._enabled)
            if dtype is not self.fast_dtype:
                _set_dtype(device, self.fast_dtype)
            if cache is not self._cache_enabled:
                _set_cache_enabled(self._cache_enabled)
        except BaseException:
            _restore(device, enabled, dtype, cache)
            raise
        local.entries.append((self, enabled, dtype, cache))
        _increment_nesting()
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> bool | None:
        entries = local.entries
        entry = entries.pop() if entries and entries[-1][0] is self else take(self)
        if entry is None:
            # The state is what it would be under stock. Its count of nested blocks, which says when the casts
            # of weights go, would be one too low from then on.
            _restore(self.device, self.prev, self.prev_fastdtype, self.prev_cache_enabled)
            return False
        _, enabled, dtype, cache = entry
        if cache is None:
            result: bool | None = enabled.__exit__(exc_type, exc_val, exc_tb)
            return result
        # As the stock class: the weight casts go when the thread's outermost autocast block ends.
        if _decrement_nesting() == 0:
            _clear_cache()
        # Written without a look: the block may have called the raw setters.
        device = self.device
        _set_enabled(device, enabled)
        _set_dtype(device, dtype)
        _set_cache_enabled(cache)
        return False

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy is not inside the block that its original is in.
        return (ReentrantAutocast, (self.device, self.fast_dtype, self._enabled, self._cache_enabled))


def _restore(device: str, enabled: bool, dtype: torch.dtype, cache: bool) -> None:
    _set_enabled(device, enabled)
    _set_dtype(device, dtype)
    _set_cache_enabled(cache)


class Autocast(StandIn):
    """What `autocast` is."""

    def __call__(
        self,
        device_type: str,
        dtype: torch.dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> torch.autocast:
        """Build a mixed-precision block, as `torch.autocast` with the same arguments does.

        Args:
            device_type: the type of the device as in ``tensor.device.type``: ``"cuda"``, ``"cpu"`` ...
            dtype: data type that autocast operators run in; the device's current default if None, read now.
            enabled: whether to autocast in the block.
            cache_enabled: whether casts of weights are kept until the outermost block ends; as now if None.

        Returns:
            An instance of `torch.autocast`: a context manager and a decorator. It may be kept, entered again
            while active, and used by several threads at once. While compiling, the stock class's instance.

        Raises:
            ValueError: `device_type` is not a str.
            RuntimeError: the device type is unknown or has no autocast.
        """
        if _is_compiling():
            return torch.autocast(device_type, dtype, enabled, cache_enabled)
        try:
            fast_dtype = _get_dtype(device_type) if dtype is None else dtype
            warned = _warned[device_type, fast_dtype, enabled]
        except (KeyError, TypeError, RuntimeError):
            found = _find_custom(device_type, dtype, enabled)
            if found is None:  # New, or wrong: the stock constructor says so.
                return _build_checked(device_type, dtype, enabled, cache_enabled)
            warned = found
        if enabled and device_type == "cuda" and not _holds_for_cuda(warned):
            return _build_checked(device_type, dtype, enabled, cache_enabled)
        made = _new(ReentrantAutocast)
        made.device = device_type
        made.fast_dtype = fast_dtype
        made._enabled = enabled
        made._cache_enabled = _is_cache_enabled() if cache_enabled is None else cache_enabled
        if warned:
            made._enabled = False
            for one in warned:
                warn_at_caller(one, own_frames)
        return made


def _holds_for_cuda(warned: tuple[Warned, ...]) -> bool:
    """Whether stock says the same now: a simulated device comes and goes, and a forked process has none."""
    is_available: bool = torch.cuda.is_available()
    return is_available if not warned else not is_available and "torch_xla" not in sys.modules


def _find_custom(device_type: Any, dtype: Any, enabled: Any) -> tuple[Warned, ...] | None:
    """Return what stock says of a block for an extension's backend; None where it has to be asked."""
    try:
        fast_dtype = _get_dtype(device_type) if dtype is None else dtype
        supported, warned = _warned_custom[device_type, fast_dtype, enabled]
        return warned if getattr(torch, device_type).get_amp_supported_dtype() == supported else None
    except (KeyError, TypeError, RuntimeError, AttributeError):
        return None


def known_forms(made: Any) -> dict[bool, bool]:
    """Return, for a block's device and data type, the ``enabled`` that are known: whether to `ask_again`."""
    dtype = made.fast_dtype
    if not isinstance(dtype, torch.dtype):
        return {}
    keys = {enabled: (made.device, dtype, enabled) for enabled in (False, True)}
    custom = {enabled: True for enabled, key in keys.items() if key in _warned_custom}
    return custom or {enabled: bool(_warned[key]) for enabled, key in keys.items() if key in _warned}


def ask_again(device_type: str, dtype: torch.dtype, enabled: bool) -> bool | None:
    """Warn of a block's arguments as the stock constructor did before.

    Returns:
        Whether the block is enabled; None, and nothing is said, if stock might do otherwise now.
    """
    warned = _warned.get((device_type, dtype, enabled))
    if warned is None:
        warned = _find_custom(device_type, dtype, enabled)
    if warned is None or (enabled and device_type == "cuda" and not _holds_for_cuda(warned)):
        return None
    for one in warned:
        warn_at_caller(one, own_frames)
    return enabled and not warned


def _build_checked(device_type: str, dtype: Any, enabled: bool, cache_enabled: Any) -> ReentrantAutocast:
    """Build with the stock constructor's checks, and remember what it said of the arguments."""
    self = _new(ReentrantAutocast)
    _heard.warned = ()
    _check(self, device_type, dtype, enabled, cache_enabled)
    warned = _heard.warned
    made_of = (device_type, self.fast_dtype, enabled)
    if not isinstance(self.fast_dtype, torch.dtype) or self._enabled is not (enabled and not warned):
        return self
    if device_type == torch._C._get_privateuse1_backend_name():
        _warned_custom[made_of] = (list(getattr(torch, device_type).get_amp_supported_dtype()), warned)
    else:
        _warned[made_of] = warned
    return self


def _hear(warned: Warned) -> None:
    _heard.warned = (*_heard.warned, warned)


if TYPE_CHECKING:
    autocast = torch.autocast
else:
    autocast = Autocast(torch.autocast)

own_frames = {id(function.__code__) for function in (Autocast.__call__, _build_checked, ask_again)}
"""Identities of code between the line that asks for a block and what warns: warnings come at that line."""

_check = warning_at_caller(torch.autocast.__init__, own_frames, _hear)
