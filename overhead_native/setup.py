"""Compiles the cores for the torch and the Python that build this, and puts them into a wheel.

What a core is, and how it is compiled, overhead-lint says: that of this checkout, else the installed one.
Build it without isolation, where torch is: ``pip wheel --no-build-isolation --no-deps ./overhead_native``.
"""

import re
import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

CHECKOUT = Path(__file__).resolve().parents[1]
if (CHECKOUT / "overhead_lint" / "native").is_dir():
    sys.path[:0] = [str(CHECKOUT)]


class BuildCores(build_py):
    """Copies the compiled library of each core, under the name that overhead-lint looks for."""

    def run(self):
        """See the class."""
        super().run()
        from overhead_lint.native.build import build
        from overhead_lint.native.extension import all_packaged
        from overhead_lint.native.prebuilt import file_name

        folder = Path(self.build_lib) / "overhead_native"
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.so"):  # of a build before
            old.unlink()
        for extension in all_packaged():
            shutil.copy2(build(extension), folder / file_name(extension))


class ForThisPlatform(Distribution):
    """A wheel for this Python and this platform alone."""

    def has_ext_modules(self):
        """See the class."""
        return True


def _versions():
    """The version, which names the torch, and what the wheel works with."""
    try:
        import torch

        from overhead_lint import __version__
    except ImportError as error:
        sys.exit(f"overhead-native is built where torch is: pip wheel --no-build-isolation ({error})")
    public = torch.__version__.partition("+")[0]
    local = re.sub("[^0-9A-Za-z]+", ".", torch.__version__)
    return {
        "version": f"{__version__}+torch.{local}",
        "install_requires": [f"overhead-lint=={__version__}", f"torch=={public}"],
    }


setup(cmdclass={"build_py": BuildCores}, distclass=ForThisPlatform, **_versions())
