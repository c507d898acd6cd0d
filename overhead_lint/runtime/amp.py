"""`autocast`: what `torch.autocast` does, for less, and safe to enter again while it is active."""

from __future__ import annotations

from typing import Any

import torch

from ._active import local, take
from ._callers import warning_at_caller

__all__ = ["BackendName", "ReentrantAutocast", "autocast", "own_frames", "was_accepted"]

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

_validated: set[tuple[str, torch.dtype, bool]] = set()
"""Arguments that the stock constructor took as they are: no warning, no error, not disabled."""


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


def autocast(
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
        cache_enabled: whether casts of weights are kept until the outermost block ends; as it is now if None.

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
        key = (device_type, _get_dtype(device_type) if dtype is None else dtype, enabled)
        known = enabled.__class__ is bool and key in _validated
    except (TypeError, RuntimeError):
        known = False  # A wrong argument: the stock constructor names it.
    # A simulated device comes and goes, and a forked process has none. A block that is off needs none.
    if not known or (enabled and device_type == "cuda" and not torch.cuda.is_available()):
        return _build_checked(device_type, dtype, enabled, cache_enabled)
    self = _new(ReentrantAutocast)
    self.device = device_type
    self.fast_dtype = key[1]
    self._enabled = enabled
    self._cache_enabled = _is_cache_enabled() if cache_enabled is None else cache_enabled
    return self


def was_accepted(made: Any) -> bool:
    """Whether the arguments of a block were such that the next one need not check them."""
    dtype = made.fast_dtype
    return isinstance(dtype, torch.dtype) and (made.device, dtype, made._enabled) in _validated


def _build_checked(
    device_type: str, dtype: torch.dtype | None, enabled: bool, cache_enabled: bool | None
) -> ReentrantAutocast:
    """Build with the stock constructor's checks, and remember arguments that it took without a word."""
    self = _new(ReentrantAutocast)
    _check(self, device_type, dtype, enabled, cache_enabled)
    # What a custom backend supports may change, so its arguments are checked each time.
    lasting = device_type != torch._C._get_privateuse1_backend_name()
    if lasting and self._enabled is enabled and enabled.__class__ is bool:
        _validated.add((device_type, self.fast_dtype, enabled))
    return self


own_frames = {autocast.__code__, _build_checked.__code__}
"""Code between the line that asks for a block and the stock constructor: warnings come at that line."""

_check = warning_at_caller(torch.autocast.__init__, own_frames)
