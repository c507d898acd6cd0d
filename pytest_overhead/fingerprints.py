"""What counts depend on, as a budget file says it was recorded with: versions and kinds of device."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from importlib import metadata

__all__ = ["devices_of", "differing", "fingerprint_of"]


def fingerprint_of(devices: AbstractSet[str], others: Mapping[str, str]) -> dict[str, str]:
    """The fingerprint of counts that are made here.

    Args:
        devices: the kinds of device that tests ran on.
        others: what counts depend on, as other plugins say.
    """
    try:
        torch = metadata.version("torch")
    except metadata.PackageNotFoundError:
        torch = "none"
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {**others, "torch": torch, "python": python, "device": "+".join(sorted(devices)) or "cpu"}


def devices_of(fingerprint: Mapping[str, str]) -> frozenset[str]:
    """The kinds of device that a fingerprint says."""
    return frozenset(filter(None, fingerprint.get("device", "").split("+")))


def differing(
    before: Mapping[str, str], now: Mapping[str, str], keys: Iterable[str]
) -> dict[str, tuple[str, str]]:
    """What two fingerprints say, by what it is, where they differ; only of `keys` that the first one has."""
    return {
        key: (before[key], now[key])
        for key in keys
        if key in before and _public(before[key]) != _public(now[key])
    }


def _public(version: str) -> str:
    """A version without its local part: ``2.13.0+cpu`` and ``2.13.0+cu126`` count alike."""
    return version.partition("+")[0]
