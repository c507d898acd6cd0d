"""Compiled cores that come in a wheel, for machines without a compiler.

The distribution ``overhead-native`` is built for one torch build and one Python, and holds a library for each
extension, whose name says by its digest what it was built of and for. One that does not fit is not there.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

from overhead_lint.native.extension import Extension, digest, host

__all__ = ["DISTRIBUTION", "advice", "file_name", "prebuilt"]

DISTRIBUTION: Final = "overhead-native"
_PACKAGE: Final = "overhead_native"


def file_name(extension: Extension) -> str:
    """What a library is called that fits this torch build, this Python and these sources. Imports torch."""
    return f"{extension.name}-{digest(extension, host())}.so"


def prebuilt(extension: Extension) -> Path | None:
    """The library of an extension in the installed wheel; None without a wheel, or where it does not fit."""
    folders = _folders()
    if not folders:
        return None
    try:
        name = file_name(extension)
    except ImportError:  # no torch: whoever builds says so
        return None
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def advice() -> str:
    """What to say of wheels where nothing can be compiled, to go on a sentence."""
    if _folders():
        return f"; the {DISTRIBUTION} that is installed is for another torch, Python or overhead-lint"
    return f"; or install a wheel of {DISTRIBUTION} for this torch and Python"


def _folders() -> list[Path]:
    """Where libraries lie; not the folder of a checkout, which has none."""
    try:
        spec = importlib.util.find_spec(_PACKAGE)
    except (ImportError, ValueError):  # the latter: a module without a spec
        return []
    places = None if spec is None else spec.submodule_search_locations
    return [folder for place in places or () if any((folder := Path(place)).glob("*.so"))]
