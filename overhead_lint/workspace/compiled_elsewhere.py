"""What files compile that other files define: read from those that they import, one after the other."""

from __future__ import annotations

import os
import re
from collections import deque
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.sites import compile_sites
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.ir.queries import imports_of, is_of_parameter
from overhead_lint.analysis.ir.relative_imports import package_above, package_of
from overhead_lint.analysis.values.project import solve
from overhead_lint.discovery.files import dotted_names, module_name
from overhead_lint.project.compiled_places import compiled_places
from overhead_lint.project.formatted_elsewhere import formatted_elsewhere
from overhead_lint.project.marked_names import mark
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from overhead_lint.analysis.ir.queries import ImportIR
    from overhead_lint.analysis.ir.records import FileIR, FunctionIR
    from overhead_lint.rule import CompiledPlace, FormattedElsewhere

__all__ = ["CompiledElsewhere", "Elsewhere", "Near"]

MOST_FILES: Final = 12
"""Files that are solved with one that asks; where some are sought, packages' own are not counted."""
_MOST_OF_USERS: Final = 30
"""Files that are solved with one for those who may give it what it compiles."""
_COMPILE: Final = "compile"
_MOST_LOOKED_AT: Final = 60
"""Files whose imports are followed to find these."""


class Elsewhere(NamedTuple):
    """What a file shows together with other files.

    Attributes:
        places: what it compiles.
        formatted: the texts that it makes of objects of their classes.
    """

    places: tuple[CompiledPlace, ...]
    formatted: tuple[FormattedElsewhere, ...]


NOTHING: Final = Elsewhere((), ())


class _Import(NamedTuple):
    """A module of the project that a file imports.

    Attributes:
        module: its dotted name.
        file: where it is.
        names: what is imported from it by name, or the name that it is itself imported by.
    """

    module: str
    file: str
    names: frozenset[str] = frozenset()

    @property
    def is_package(self) -> bool:
        """Whether it is the ``__init__.py`` of a package, most of which only hand on what others define."""
        return self.file.endswith("__init__.py")


class Near(NamedTuple):
    """A file that another one imports, itself or through others.

    Attributes:
        module: the dotted name of its module.
        name: its own.
        is_taken: whether it is to be solved with the file; what others come first hangs on it as well.
    """

    module: str
    name: str
    is_taken: bool


class CompiledElsewhere:
    """Finds out what files compile, with the files of their project that they import.

    Args:
        root: the project's folder.
        names: the names of the project's files, by their full paths.
        known: what a file imports, by its name, if that was found when it was looked into; else None.
    """

    def __init__(
        self, root: Path, names: Mapping[str, str], known: Callable[[str], Iterable[ImportIR] | None]
    ) -> None:
        self._root = root
        self._names = names
        self._known = known
        self._files = {name: file for file, name in names.items()}
        self._records: dict[str, FileIR | None] = {}
        self._imported: dict[tuple[str, str], tuple[_Import, ...]] = {}

    def module(self, name: str) -> str:
        """Return the dotted name of a file."""
        return dotted_names(Path(self._files[name]), self._root)[0]

    def imports(self, name: str, sought: Container[str]) -> list[Near]:
        """Return a file and those that it imports, nearest first.

        Args:
            name: the file.
            sought: the names of files that have what is looked for: those that lead to them are taken first.
        """
        found, asked = self._near(name)
        leading: set[str] = set()
        seen: set[str] = set()
        for one in reversed(found[:asked]):
            # What was found before it is there without it.
            on_to = (other.module for other in self._imported_by(one) if other.module in seen)
            if (self._names[one.file] in sought and one is not found[0]) or not leading.isdisjoint(on_to):
                leading.add(one.module)
            seen.add(one.module)
        taken: set[str] = set()
        counted = 0
        for one in sorted(found, key=lambda one: one.module not in leading):
            if counted < MOST_FILES:
                taken.add(one.module)
                counted += not (leading and one.is_package)
        return [Near(one.module, self._names[one.file], one.module in taken) for one in found]

    def users(self, names: Iterable[str], sought: Container[str]) -> dict[str, list[Near]]:
        """Return who may give files what these compile: others that name what does, with their imports.

        Args:
            names: the files that compile what they are given.
            sought: the names of files that have what is looked for: others that lead to none are left out.
        """
        holders: dict[str, set[str]] = {}
        for name in names:
            for word in _compiling(self._record(self._files[name])):
                holders.setdefault(word, set()).add(name)
        found: dict[str, list[Near]] = {}
        pattern = re.compile(rf"\b(?:{'|'.join(sorted(holders))})\b")
        for other, file in sorted(self._files.items()) if holders else ():
            named = set().union(*(holders[word] for word in pattern.findall(_text(file)))) - {other}
            near = self.imports(other, sought) if named else []
            if not any(one.is_taken and one.name in sought for one in near):
                continue
            for name in sorted(named):
                taken = found.setdefault(name, [])
                if Near(self.module(name), name, True) in near and len(taken) < _MOST_OF_USERS:
                    taken += [one for one in near if one.is_taken]
        return found

    def imports_directly(self, name: str, other: str) -> bool:
        """Whether a file imports another one, or a package around that."""
        file = self._files[other]
        imported = self._imported_by(_Import(self.module(name), self._files[name]))
        return any(
            one.file == file or (one.is_package and file.startswith(one.file.removesuffix("__init__.py")))
            for one in imported
        )

    def _near(self, name: str) -> tuple[list[_Import], int]:
        """Return a file and those that it imports, nearest first; how many come before what none asks for."""
        near, late = deque([_Import(self.module(name), self._files[name])]), deque[_Import]()
        found: dict[str, _Import] = {}
        asked_for = _MOST_LOOKED_AT
        while (near or late) and len(found) < _MOST_LOOKED_AT:
            if not near:
                asked_for = min(asked_for, len(found))
            one = (near or late).popleft()
            if one.module in found:
                continue
            found[one.module] = one
            # A package imports much of itself for whoever asks: what is asked for comes first.
            asked = one.names - {one.module.rpartition(".")[2]} if one.is_package else frozenset()
            for other in self._imported_by(one):
                (late if asked and asked.isdisjoint(other.names) else near).append(other)
        return list(found.values()), asked_for

    def _imported_by(self, one: _Import) -> tuple[_Import, ...]:
        """Return the modules of the project that a file imports."""
        key = one.module, one.file
        if key not in self._imported:
            self._imported[key] = tuple(self._imports(*key))
        return self._imported[key]

    def shown(self, files: Mapping[str, str], asking: Iterable[str]) -> dict[str, Elsewhere]:
        """Return what files show together with others.

        Args:
            files: all of them, their names by those of their modules.
            asking: the names of those that are asked for.
        """
        known = {module: self._files[name] for module, name in sorted(files.items())}
        records = {one: record for one, file in known.items() if (record := self._record(file)) is not None}
        values = solve(records, [one for one, file in known.items() if file.endswith("__init__.py")])
        sites = compile_sites(values)
        called = {module: mark(name) for module, name in files.items()}
        found = {}
        for name in asking:
            module = self.module(name)
            found[name] = NOTHING
            if module in records:
                places = tuple(compiled_places(values, sites, module, called))
                found[name] = Elsewhere(places, tuple(formatted_elsewhere(values, module, called)))
        values.release()
        return found

    def _record(self, file: str) -> FileIR | None:
        if file not in self._records:
            try:
                self._records[file] = lower(parse(Source.read(Path(file))))
            except SourceError:
                self._records[file] = None
        return self._records[file]

    def _imports(self, module: str, file: str) -> Iterator[_Import]:
        """Yield the modules of the project that a file imports."""
        known = self._known(self._names[file])
        if known is None:
            record = self._record(file)
            known = imports_of(record.functions) if record is not None else ()
        package, is_package = module_name(Path(file))
        folder = Path(file).parent
        above = folder.parents[package.count(".") - 1] if "." in package else folder
        starts = tuple(dict.fromkeys(map(str, (above, folder, self._root, self._root / "src"))))
        for wanted, names in _imported(known, package_of(module, is_package=is_package)).items():
            other = self._found(wanted, starts) if wanted.partition(".")[0] in self._first_parts else None
            if other is not None:
                yield _Import(wanted, other, frozenset(names))

    @cached_property
    def _first_parts(self) -> frozenset[str]:
        """What the name of a module of the project may begin with: its folders and files."""
        named = (file.removesuffix(".py").split(os.sep) for file in self._names)  # noqa: PTH206
        return frozenset(part for parts in named for part in parts)

    def _found(self, module: str, starts: Iterable[str]) -> str | None:
        """Return the file of the project that a module is, looked for from some folders as Python would."""
        parts = module.split(".")
        for start in starts:
            base = os.path.join(start, *parts)  # noqa: PTH118
            for file in (f"{base}.py", os.path.join(base, "__init__.py")):  # noqa: PTH118
                if file in self._names:
                    return file
        return None


def _compiling(record: FileIR | None) -> set[str]:
    """Return the classes and functions at a file's top level that compile what they are given."""
    functions = record.functions if record is not None else ()
    return {one.qualname.partition(".")[0] for one in functions if one.qualname and _compiles_given(one)}


def _compiles_given(record: FunctionIR) -> bool:
    """Whether a function compiles an argument, or what an object that it is given has or makes.

    A function that it finds by its name is compiled alike whoever calls it, and callers would only add to
    what its arguments may be.
    """
    return any(
        is_of_parameter(record, subject)
        for at, code in enumerate(record.code)
        if code == CALL and last_name(record, record.operand[at]) == _COMPILE
        for subject in (record.operand[at], *record.extra[at][0][:1])
    )


def _text(file: str) -> str:
    """Return the text of a file, or nothing if it cannot be read."""
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _imported(known: Iterable[ImportIR], package: str) -> dict[str, set[str]]:
    """Return what a file of a package imports, by modules: of each what it is in, then itself."""
    found: dict[str, set[str]] = {}
    for dots, path, name in known:
        target = path
        if dots:
            above = package_above(package, dots)
            if above is None:
                continue
            target = ".".join(filter(None, [above, path]))
        for module in (target, f"{target}.{name}" if target else name) if name else (target,):
            if module:
                found.setdefault(module, set()).update([name] if name else [])
    return found
