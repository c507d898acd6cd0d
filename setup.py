"""Builds the package: as Python, unless ``OVERHEAD_LINT_COMPILED=1`` asks for the compiled form.

Everything else about the package is in pyproject.toml; docs/ci.md says how to build wheels of both forms.
"""

import os
import sys
from pathlib import Path

from setuptools import setup

MYPY = "mypy>=1.19"


def _compiled() -> dict[str, object]:
    """Arguments of `setup` for the compiled form; mypy is what it takes to build it."""
    root = Path(__file__).parent.resolve()
    sys.path.insert(0, str(root / "compiled"))
    try:
        import mypyc  # noqa: F401
        from compiled_extensions import extensions
    except ImportError:  # asked what it takes
        return {"setup_requires": [MYPY]}
    if not {"build_ext", "bdist_wheel", "editable_wheel", "install"}.intersection(sys.argv):
        return {"setup_requires": [MYPY]}
    return {"ext_modules": extensions(root)}


setup(**(_compiled() if os.environ.get("OVERHEAD_LINT_COMPILED") == "1" else {}))
