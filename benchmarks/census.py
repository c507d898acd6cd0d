"""Recall and precision by family: reads places that may warrant a finding, whether there is one or not.

    python benchmarks/census.py                  table: places of each family, and how many have a finding
    python benchmarks/census.py --draw 1         120 places drawn with seed 1, with their source
    python benchmarks/census.py --draw 1 --toml  the same as readings to fill in
    python benchmarks/census.py --count          precision and recall by family, of the readings
    python benchmarks/census.py --draw 2 --places 15 --readings evaluation/census_2.toml
                                                 15 places of each family, none of those of other readings

A place is found without the linter: a call that builds an autocast, a generator of contexts, a text that is
used as a key, a call of the compiler, an event or a stream that is made, a wait between streams. Thirty are
drawn of each family, of which ten have a finding where there are so many; what is printed to be read does
not say which. The packages are pinned with their hashes in evaluation/census.txt. The readings stand in
evaluation/census.toml, and those of a second sample of the same packages in evaluation/census_2.toml.
Other packages are in evaluation/census_3.txt to census_9.txt (`--packages`), and readings beside them.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from corpus import cache_folder
from corpus_files import EVALUATION, CorpusError, download, requirements, unpack
from corpus_run import PackageRun, lint
from tabulate import tabulate
from verdicts import verdicts_read

PACKAGES: Final = EVALUATION / "census.txt"
READINGS: Final = EVALUATION / "census.toml"
VERDICTS: Final = ("yes", "unsure", "no")
"""Whether a place warrants a finding: it costs what its rules tell of, in each step, and may be written so
that it costs less."""
DRAWN: Final = 30
"""Places of a family that are drawn; at most every third of them has a finding."""
CONTEXT_LINES: Final = 9
CODES: Final[Mapping[str, frozenset[str]]] = {
    "context": frozenset({"OVH101", "OVH102", "OVH103", "OVH104"}),
    "key": frozenset({"OVH201", "OVH203"}),
    "compile": frozenset({"OVH301", "OVH307"}),
    "event": frozenset({"OVH401", "OVH402"}),
}
"""The rules that speak of the places of each family."""
_LEFT_OUT: Final = frozenset({"test", "tests", "testing", "examples", "docs"})
_AUTOCAST: Final = frozenset({"autocast", "fp8_autocast"})
_GENERATORS: Final = frozenset({"contextmanager", "asynccontextmanager"})
_MADE: Final = frozenset({"Event", "Stream", "ExternalStream"})
_ORDERING: Final = frozenset({"record_event", "wait_event", "wait_stream"})
_OTHER_EVENTS: Final = frozenset(
    {"asyncio", "context", "ctx", "gevent", "mp", "multiprocessing", "threading", "trio"}
)
_LOOKUPS: Final = frozenset({"get", "pop", "setdefault"})
_DUMPS: Final = frozenset({"dumps", "model_dump_json"})


class Site(NamedTuple):
    """A place that may warrant a finding."""

    family: str
    package: str
    path: str
    """Relative to the unpacked wheel, with ``/``."""
    line: int


class Census(NamedTuple):
    """What the packages hold.

    Attributes:
        sites: the places, in order.
        found: those of them that have a finding of their family.
        folders: where each package lies.
    """

    sites: Sequence[Site]
    found: frozenset[Site]
    folders: Mapping[str, Path]


def sites_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the families and lines of the places of a file."""
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch"
        for alias in node.names
    }
    keys = set(_keys(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from ((family, node.lineno) for family in _of_call(node, imported))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                if _name(decorator) in _GENERATORS:
                    yield "context", decorator.lineno
                elif not isinstance(decorator, ast.Call) and ast.unparse(decorator) == "torch.compile":
                    yield "compile", decorator.lineno
        if node in keys:
            assert isinstance(node, ast.expr)
            yield "key", node.lineno


def _of_call(call: ast.Call, imported: set[str]) -> Iterator[str]:
    """Yield the families of a call."""
    name, function = _name(call.func), call.func
    owner = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
    known = bool(owner) or name in imported
    if name in _AUTOCAST and known:
        yield "context"
    elif name == "compile" and owner not in {"re", "regex"} and known:
        yield "compile"
    elif (name in _MADE and known and owner.rpartition(".")[2] not in _OTHER_EVENTS) or (
        name in _ORDERING and owner
    ):
        yield "event"


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _keys(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the texts that are used as keys, at once or by a name of the same outermost function."""
    for scope in _functions(tree):
        nodes = list(ast.walk(scope))
        texts: dict[str, list[ast.expr]] = {}
        for node in nodes:
            if isinstance(node, ast.Assign) and _is_text(node.value):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        texts.setdefault(target.id, []).append(node.value)
        for node in nodes:
            for used in _used_as_key(node):
                if _is_text(used):
                    yield used
                elif isinstance(used, ast.Name):
                    yield from texts.get(used.id, ())


def _functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the functions and methods that stand in no other."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, ast.stmt | ast.Module | ast.excepthandler):
            waiting.extend(ast.iter_child_nodes(node))


def _used_as_key(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a node takes for a key."""
    match node:
        case ast.Subscript(slice=key):
            yield key
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()]):
            yield key
        case ast.Call(func=ast.Attribute(attr=attr), args=[key, *_]) if attr in _LOOKUPS:
            yield key


def _is_text(node: ast.expr) -> bool:
    """Whether an expression makes a text of values."""
    match node:
        case ast.JoinedStr(values=values):
            return any(isinstance(one, ast.FormattedValue) for one in values)
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[_]):
            return True
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in _DUMPS
        case ast.Tuple(elts=items):
            return any(map(_is_text, items))
    return False


def collect(package: str, folder: Path) -> list[Site]:
    """Return the places of a package; not those of its tests and examples, nor of files that don't parse."""
    sites: set[Site] = set()
    for file in sorted(folder.rglob("*.py")):
        path = file.relative_to(folder)
        if _LEFT_OUT.isdisjoint(path.parts) and not path.name.startswith("test_"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    tree = ast.parse(file.read_bytes())
                except (SyntaxError, ValueError):
                    continue
            sites.update(Site(family, package, path.as_posix(), line) for family, line in sites_of(tree))
    return sorted(sites)


def found_among(sites: Sequence[Site], runs: Sequence[PackageRun]) -> frozenset[Site]:
    """Return the places on whose line a rule of their family speaks."""
    told = {
        (one.package, one.path, line, one.code)
        for run in runs
        for one in run.findings
        for line in (one.line, *one.also)
    }
    return frozenset(
        site
        for site in sites
        if any((site.package, site.path, site.line, code) in told for code in CODES[site.family])
    )


def take(folder: Path, packages: Path = PACKAGES) -> Census:
    """Return what the packages hold, linted.

    Args:
        folder: where wheels and sources are kept.
        packages: the file that pins them.

    Raises:
        CorpusError: a package cannot be had or linted.
    """
    wheels = folder / "wheels"
    download(wheels, packages)
    runs = [lint(one, unpack(one, wheels, folder / "src")) for one in requirements(packages)]
    sites = [site for run in runs for site in collect(run.package.name, run.folder)]
    return Census(sites, found_among(sites, runs), {run.package.name: run.folder for run in runs})


def draw(sites: Sequence[Site], found: frozenset[Site], seed: int, places: int = DRAWN) -> list[Site]:
    """Return some places of each family, some of them found, in an order that does not tell which."""
    drawn: list[Site] = []
    for family in CODES:
        its = sorted(site for site in sites if site.family == family)
        random.Random(seed).shuffle(its)
        with_finding = [site for site in its if site in found][: places // 3]
        others = [site for site in its if site not in found][: places - len(with_finding)]
        drawn += sorted([*with_finding, *others])
    return drawn


def excerpt(site: Site, folder: Path) -> str:
    """Return a place with its source, to be read."""
    lines = (folder / site.path).read_text(encoding="utf-8", errors="replace").splitlines()
    first, last = max(1, site.line - CONTEXT_LINES), min(len(lines), site.line + CONTEXT_LINES)
    text = [f"{site.family}  {site.package}  {site.path}:{site.line}"]
    for number in range(first, last + 1):
        text.append(f"{'>' if number == site.line else ' '}{number:6d}  {lines[number - 1]}")
    return "\n".join(text)


def as_toml(site: Site) -> str:
    """Return a place as a reading without verdict and reason."""
    values = {**site._asdict(), "verdict": "", "reason": ""}
    return "\n".join(["[[reading]]", *(f"{key} = {json.dumps(value)}" for key, value in values.items()), ""])


def readings(path: Path = READINGS) -> list[dict[str, Any]]:
    """Return the readings of a file; see `verdicts_read`."""
    return verdicts_read(path, VERDICTS)


def read_elsewhere(path: Path) -> frozenset[Site]:
    """Return the places of all readings but those of one file."""
    others = [one for one in EVALUATION.glob("census*.toml") if one.resolve() != path.resolve()]
    return frozenset(site_of(one) for other in others for one in readings(other))


def site_of(reading: Mapping[str, Any]) -> Site:
    """Return the place that was read."""
    return Site(*(reading[field] for field in Site._fields))


class Share(NamedTuple):
    """Precision and recall of a family; None where nothing was judged.

    Attributes:
        right: how many of the places with a finding warrant it, and how many of them were judged.
        missed: how many of those without one warrant it, and how many of them were judged.
        precision: the share of findings that are warranted.
        recall: the share of places that warrant a finding and have one: those without are as many more as
            there are more of them than were read.
    """

    right: tuple[int, int]
    missed: tuple[int, int]
    precision: float | None
    recall: float | None


def share(verdicts: Mapping[Site, str], found: frozenset[Site], others: int) -> Share:
    """Return what the readings of a family say.

    Args:
        verdicts: of its places.
        found: its places that have a finding.
        others: how many have none.
    """
    judged = {site: said for site, said in verdicts.items() if said != "unsure"}
    with_finding = [said for site, said in judged.items() if site in found]
    without = [said for site, said in judged.items() if site not in found]
    right, missed = with_finding.count("yes"), without.count("yes")
    precision = right / len(with_finding) if with_finding else None
    left = others * missed / len(without) if without else 0.0
    hit = len(found) * (precision or 0.0)
    recall = hit / (hit + left) if hit + left else None
    return Share((right, len(with_finding)), (missed, len(without)), precision, recall)


def count(census: Census, read: Sequence[Mapping[str, Any]], form: str = "simple") -> str:
    """Return one row a family: its places, those with a finding, what was read of both, the shares."""
    rows: list[list[str | int | float | None]] = []
    for family in CODES:
        sites = [site for site in census.sites if site.family == family]
        found = census.found.intersection(sites)
        verdicts = {site_of(one): str(one["verdict"]) for one in read if one["family"] == family}
        its = share(verdicts, found, len(sites) - len(found))
        (right, judged), (missed, without) = its.right, its.missed
        rows.append(
            [family, len(sites), len(found), f"{right} of {judged}", f"{missed} of {without}", *its[2:]]
        )
    headers = ["family", "places", "found", "found: warranted", "others: warranted", "precision", "recall"]
    return tabulate(rows, headers=headers, tablefmt=form, floatfmt=".2f", missingval="")


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        CorpusError: a package cannot be had or linted, or readings are not as they should be.
    """
    read = readings(arguments.readings) if arguments.count else []
    census = take(arguments.dir, arguments.packages)
    if arguments.draw is not None:
        known = read_elsewhere(arguments.readings)
        sites = [site for site in census.sites if site not in known]
        for site in draw(sites, census.found, arguments.draw, arguments.places):
            shown = as_toml(site) if arguments.toml else excerpt(site, census.folders[site.package])
            print(shown, end="\n\n")
        return
    print(count(census, read, arguments.format))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when the packages cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument("--packages", type=Path, default=PACKAGES, help="the file that pins what is read")
    parser.add_argument("--format", default="simple", help="form of tables, as tabulate names it")
    parser.add_argument(
        "--readings", type=Path, default=READINGS, help="the readings that are counted, or drawn for"
    )
    parser.add_argument("--places", type=int, default=DRAWN, help="places of each family that are drawn")
    parser.add_argument("--toml", action="store_true", help="with --draw: readings to fill in")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--draw", type=int, metavar="SEED", help="print places drawn with this seed")
    what.add_argument("--count", action="store_true", help="say what the readings say")
    try:
        run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"census: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
