"""Builds the package: as Python, unless ``OVERHEAD_LINT_COMPILED=1`` asks for the compiled form.

Everything else about the package is in pyproject.toml, but for the runtime, which is a distribution of its
own. A source distribution, and what is built of it, depends on that. What is built in a checkout brings it
along instead, so that an install from a folder or a repository needs nothing that no index may have yet.
docs/ci.md says how to build wheels of both forms.
"""

import ast
import os
import re
import sys
from pathlib import Path

from setuptools import Distribution, setup

MYPY = "mypy>=1.19"
ROOT = Path(__file__).parent.resolve()
RUNTIME = ROOT / "overhead_runtime"
REQUIREMENTS = [
    "libcst>=1.8",
    "pathspec>=0.12",
    "pluggy>=1.5",
    "tabulate>=0.9",
    "tomli>=2.0; python_version < '3.11'",
]


class Described(Distribution):
    """What pyproject.toml says; links of the README lead into the repository, where that has an address.

    On the page of an index there are no files beside the README.
    """

    def parse_config_files(self, *args, **kwargs):
        super().parse_config_files(*args, **kwargs)
        repository = (self.metadata.project_urls or {}).get("Repository")
        if repository:
            self.metadata.long_description = re.sub(
                r"\]\((?![a-z]+:|#)",
                f"]({repository}/blob/v{_version()}/",
                self.metadata.long_description,
            )


class WithRuntime(Described):
    """The same, with the runtime's packages."""

    def parse_config_files(self, *args, **kwargs):
        super().parse_config_files(*args, **kwargs)
        self.packages = [*self.packages, "overhead_runtime", "overhead_runtime._dispatch"]
        self.package_dir = {**self.package_dir, "overhead_runtime": "overhead_runtime"}
        self.package_data = {**self.package_data, "overhead_runtime": ["py.typed"]}


def _version() -> str:
    """The version, which is that of the runtime, too."""
    (assigned,) = (
        node
        for node in ast.parse((ROOT / "overhead_lint" / "_version.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
    )
    return str(ast.literal_eval(assigned.value))


def _runtime() -> dict[str, object]:
    """Arguments of `setup` by which the runtime comes along."""
    if RUNTIME.is_dir():
        return {"distclass": WithRuntime, "install_requires": REQUIREMENTS}
    return {"distclass": Described, "install_requires": [*REQUIREMENTS, f"overhead-runtime=={_version()}"]}


def _compiled() -> dict[str, object]:
    """Arguments of `setup` for the compiled form; mypy is what it takes to build it."""
    sys.path.insert(0, str(ROOT / "compiled"))
    try:
        import mypyc  # noqa: F401
        from compiled_extensions import extensions
    except ImportError:  # asked what it takes
        return {"setup_requires": [MYPY]}
    if not {"build_ext", "bdist_wheel", "editable_wheel", "install"}.intersection(sys.argv):
        return {"setup_requires": [MYPY]}
    return {"ext_modules": extensions(ROOT)}


setup(**_runtime(), **(_compiled() if os.environ.get("OVERHEAD_LINT_COMPILED") == "1" else {}))
