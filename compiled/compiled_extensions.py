"""The extension modules of a compiled build."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Any

from compiled_sources import stage

__all__ = ["extensions", "in_units", "starts_in_units"]

_UNITS = 6
_HURRIED = "-w", "--param=ggc-min-expand=1000", "--param=ggc-min-heapsize=2000000"


def extensions(root: Path) -> list[Any]:
    """What setuptools is to build: one extension a module, and the one that they share.

    ``OVERHEAD_LINT_OPTIMIZED=0`` has the C compiler hurry, for who wants to know whether it builds at all:
    much of what is left of its time then goes into headers, so it reads them for some modules at once. And
    what each extension holds, which only asks the shared one for its module, is compiled for many at once.
    The assertions in Python's headers, which mypyc asks for at this level, are left out as at any other: a
    third of the time went into those. So are warnings, and the search for memory that can be used again, a
    fifth of what was left.

    Args:
        root: the repository.

    Raises:
        ImportError: mypy is not installed.
        SystemExit: a module does not compile; mypyc has printed why.
    """
    from mypyc.build import mypycify

    target = root / "build" / "compiled-sources"
    paths = [os.path.relpath(path, root) for path in stage(root, target)]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    level = os.environ.get("OVERHEAD_LINT_OPTIMIZED", "2")
    found = list(
        mypycify(
            ["--config-file=", "--strict", "--python-version", version, *paths],
            opt_level=level,
            debug_level="0",
            multi_file=True,
            target_dir=os.path.relpath(root / "build" / "compiled-c", root),
        )
    )
    if level == "0":
        shared = max(found, key=lambda extension: len(extension.sources))
        shared.sources = in_units(shared.sources)
        asked = (argument for argument in shared.extra_compile_args if not argument.endswith("UNDEBUG"))
        shared.extra_compile_args = [*asked, *_HURRIED]
        _compile_at_once([extension for extension in found if extension is not shared])
    return found


def _compile_at_once(extensions: list[Any]) -> None:
    """Compile the one source that each extension has, and leave it the object to be linked with."""
    from distutils.ccompiler import new_compiler
    from distutils.sysconfig import customize_compiler

    of_unit, names = starts_in_units({extension.name: extension.sources[0] for extension in extensions})
    compiler = new_compiler()
    customize_compiler(compiler)
    include = [sysconfig.get_path("include"), sysconfig.get_path("platinclude")]
    objects = compiler.compile(names, include_dirs=include, extra_postargs=["-O0", "-g0"])
    for extension in extensions:
        extension.sources, extension.extra_objects = [], [objects[of_unit[extension.name]]]


def starts_in_units(sources: dict[str, str]) -> tuple[dict[str, int], list[str]]:
    """Return units of C sources that start modules, and which of them each is in.

    Each is looked for by the last part of its module's name, and no unit has two of one.

    Args:
        sources: by the full names of modules.
    """
    of_unit, taken = {}, Counter[str]()
    for name in sources:
        last = name.removesuffix(".__init__").rpartition(".")[2]
        of_unit[name] = taken[last]
        taken[last] += 1
    units = []
    for number in range(max(taken.values())):
        unit = Path(os.path.commonpath(sources.values())) / f"starts_{number}.c"
        lines = []
        for place, name in enumerate(one for one in sources if of_unit[one] == number):
            included = os.path.relpath(sources[name], unit.parent)
            # Each has this one, too, for another compiler.
            lines += [f"#define PyInit___init__ PyInit_unused_{place}", f'#include "{included}"']
            lines += ["#undef PyInit___init__", ""]
        unit.write_text("\n".join(lines), encoding="utf-8")
        units.append(str(unit))
    return of_unit, units


def in_units(sources: list[str]) -> list[str]:
    """Return C sources of which those of modules are included in a few."""
    modules = [name for name in sources if Path(name).name.startswith("__native_overhead")]
    units = []
    for number in range(min(_UNITS, len(modules))):
        unit = Path(modules[0]).with_name(f"unit_{number}.c")
        names = (os.path.relpath(name, unit.parent) for name in modules[number::_UNITS])
        unit.write_text("".join(f'#include "{name}"\n' for name in names), encoding="utf-8")
        units.append(str(unit))
    return units + [name for name in sources if name not in modules]
