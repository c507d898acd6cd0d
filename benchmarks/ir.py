"""Times lowering, packing and unpacking of files' records, and solving, beside Python's own parser.

    python benchmarks/ir.py FOLDER...     CPU seconds and bytes per MB of source, and ratios to `ast.parse`

The parts are timed in turns, file by file, so that a busy machine slows all of them; each is the least of
some rounds over all files. The values of all files of a folder are solved together, after them. Garbage
collection is off.
"""

from __future__ import annotations

import argparse
import ast
import gc
import sys
import tracemalloc
import warnings
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from tabulate import tabulate

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.packing import pack, unpack
from overhead_lint.analysis.values.project import solve

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FileIR

_ROUNDS: Final = 3
_MEGABYTE: Final = 1_000_000


def _timed(spent: dict[str, float], part: str, function: Callable[[Any], Any], argument: Any) -> Any:
    start = process_time()
    given = function(argument)
    spent[part] = spent.get(part, 0.0) + process_time() - start
    return given


def _round(projects: Sequence[Mapping[Path, bytes]]) -> dict[str, float]:
    """CPU seconds that each part takes for all files: those of each project by their paths in it."""
    spent: dict[str, float] = {}
    for sources in projects:
        records: dict[str, FileIR] = {}
        packages = []
        for path, source in sources.items():
            tree = _timed(spent, "ast.parse", ast.parse, source)
            record = _timed(spent, "lower", lower, tree)
            packed = _timed(spent, "pack", pack, record)
            _timed(spent, "unpack", unpack, packed)
            smaller = _timed(spent, "compress", lambda held: zlib.compress(held, 1), packed)
            _timed(spent, "decompress", zlib.decompress, smaller)
            is_package = path.name == "__init__.py"
            name = ".".join(path.parent.parts if is_package else path.with_suffix("").parts) or path.stem
            records[name] = record
            if is_package:
                packages.append(name)
        _timed(spent, "solve", partial(solve, packages=packages), records)
    return spent


def _sizes(sources: Sequence[bytes]) -> dict[str, int]:
    """Bytes that the records of all files take."""
    held, packed, smaller = 0, 0, 0
    for source in sources:
        bytes_of = pack(lower(ast.parse(source)))
        tracemalloc.start()
        record = unpack(bytes_of)
        held += tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        del record
        packed += len(bytes_of)
        smaller += len(zlib.compress(bytes_of, 1))
    return {"as lists": held, "packed": packed, "packed and compressed": smaller}


def _parses(source: bytes) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the two tables; the exit status is 2 if there is nothing to measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    warnings.simplefilter("ignore")
    projects = [
        {
            path.relative_to(folder): source
            for path in sorted(folder.rglob("*.py"))
            if _parses(source := path.read_bytes())
        }
        for folder in parser.parse_args(arguments).folders
    ]
    sources = [source for project in projects for source in project.values()]
    megabytes = sum(map(len, sources)) / _MEGABYTE
    if not megabytes:
        print("ir.py: no file that Python can parse", file=sys.stderr)
        return 2
    gc.disable()
    rounds = [_round(projects) for _ in range(_ROUNDS)]
    least = {part: min(one[part] for one in rounds) / megabytes for part in rounds[0]}
    parsing = least["ast.parse"]
    print(f"{len(sources)} files, {megabytes:.1f} MB\n")
    times = [(part, f"{spent:.4f}", f"{spent / parsing:.3f}") for part, spent in least.items()]
    print(tabulate(times, ["", "CPU s/MB", "to ast.parse"], disable_numparse=True), "\n")
    sizes = [(part, f"{size / megabytes / _MEGABYTE:.2f}") for part, size in _sizes(sources).items()]
    print(tabulate(sizes, ["", "MB per MB of source"], disable_numparse=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
