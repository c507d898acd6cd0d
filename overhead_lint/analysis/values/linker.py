"""Finds what names mean across files: modules, imports and re-exports, scopes, bases of classes."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BIND,
    BOOLEAN,
    BUILD,
    CALL,
    CLASS,
    COPY,
    FUNCTION,
    IMPORT,
    ITEM,
    OUTER,
    PHI,
)
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.records import CLASS_BODY, MODULE_BODY
from overhead_lint.analysis.ir.relative_imports import package_above, package_of
from overhead_lint.analysis.values.library import PACKAGES
from overhead_lint.analysis.values.slots import OPERATION_BITS, Slot
from overhead_lint.analysis.values.symbols import Api, Body, ClassSymbol, FunctionSymbol, ModuleSymbol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from overhead_lint.analysis.ir.records import FileIR
    from overhead_lint.analysis.values.elsewhere import Others

__all__ = ["Linker", "Symbol"]

Symbol = ModuleSymbol | ClassSymbol | FunctionSymbol | Api

_DEEPEST: Final = 40
_BUILTINS: Final = frozenset(dir(builtins))
_SETTING: Final = frozenset({"set_default_device", "set_default_tensor_type"})
_WITH_TABLES: Final = frozenset({"cudf", "dask", "modin", "pandas", "polars", "pyspark", "xarray"})
_WITH_ARRAYS: Final = frozenset({"cupy", "jax", "numpy", "pandas", "polars", "scipy", "tensorflow"})


_SHARED: Final = tuple([Api(name) for name in sorted(PACKAGES)])
"""The packages that no project defines: what their names are is the same in all solutions."""


class Linker:
    """The names of a project.

    Args:
        files: the records of its files by the dotted name of the module.
        packages: which of them are packages, so that relative imports begin at themselves.
        others: what is known of files that are not solved; None where all of the project are.

    Attributes:
        modules: those by name, packages without a file among them.
        bodies: all bodies, by file in the order given and by place in it.
        root: holds the APIs of libraries.
        builtins: holds the builtins.
    """

    def __init__(
        self, files: Mapping[str, FileIR], packages: Collection[str], others: Others | None = None
    ) -> None:
        self._is_whole = others is None
        self._aliases = others.aliases if others is not None else {}
        self.modules: dict[str, ModuleSymbol] = {}
        self.bodies: list[Body] = []
        self.root = Api("", others)
        for package in _SHARED:
            self.root.adopt(package)
        self.builtins = self.root.step("builtins")
        for name in files:
            self.modules[name] = ModuleSymbol(name, is_package=name in packages)
        for name in files:
            above = name.rpartition(".")[0]
            while above and above not in self.modules:
                self.modules[above] = ModuleSymbol(above, is_package=True)
                above = above.rpartition(".")[0]
        for name, file in files.items():
            self._add_bodies(self.modules[name], file)
        for number, body in enumerate(self.bodies):
            body.base = number << OPERATION_BITS
            self._add_cells(body)
        for module in self.modules.values():
            module.stars = list(self._stars(module))
            packages, names = _mentioned(module)
            module.has_only_tensors = "torch" in packages and not packages & _WITH_ARRAYS
            module.sets_default_device = not names.isdisjoint(_SETTING)
            module.has_no_tables = "torch" in packages and not packages & _WITH_TABLES

    def release(self) -> None:
        """Let symbols and bodies go of each other, so that they are freed at once; nothing may be asked then.

        They refer to each other. Python would look for that only after many more objects, which takes long.
        """
        for body in self.bodies:
            body.release()
        for module in self.modules.values():
            module.release()
        self.bodies.clear()
        self.root.release()

    def _add_bodies(self, module: ModuleSymbol, file: FileIR) -> None:
        for place, record in enumerate(file.functions):
            parent = module.bodies[record.parent] if record.parent >= 0 else None
            body = Body(record, place, module, parent)
            module.bodies.append(body)
            if record.kind == CLASS_BODY:
                body.symbol = ClassSymbol(body)
            elif record.kind != MODULE_BODY:
                around = parent.symbol if parent is not None else None
                body.symbol = FunctionSymbol(body, around if isinstance(around, ClassSymbol) else None)
        self.bodies += module.bodies

    def _add_cells(self, body: Body) -> None:
        """Make the slots of names that others read: all of modules and classes, of functions some."""
        record = body.record
        if not body.is_function:
            for name in record.stores:
                if name not in body.cells:
                    body.cells[name] = Slot()
        for name in record.outer:
            around = body.parent
            while around is not None:
                holds = name in around.record.stores or name in around.record.hidden_stores
                if around.is_function and holds:
                    around.cells.setdefault(name, Slot())
                    break
                around = around.parent

    def _stars(self, module: ModuleSymbol) -> Iterable[ModuleSymbol]:
        """Yield the modules of the project from which one imports all names."""
        if not module.bodies:
            return
        record = module.bodies[0].record
        for at in record.stores.get("*", ()):
            value = record.operand[at]
            if record.code[value] == IMPORT:
                found = self.imported(module, record.operand[value], record.extra[value][0], "")
                if isinstance(found, ModuleSymbol):
                    yield found

    # Names

    def at(self, path: str) -> ModuleSymbol | Api:
        """Return the module of a dotted name: of the project if it has one so named, else of a library."""
        return self.modules.get(path) or self.api(path)

    def api(self, path: str) -> Api:
        """Return the API of a dotted name."""
        api = self.root
        for part in path.split("."):
            api = api.step(part)
        return api

    def imported(self, module: ModuleSymbol, level: int, path: str, name: str) -> Slot | Symbol | None:
        """Return what an import gives.

        Args:
            module: the file that imports.
            level: the dots before it.
            path: the module that it names, "" for none.
            name: the name that it takes of the module, "" for the module itself.

        Returns:
            The module or API, or the slot of a name; None where it is not known.
        """
        if level:
            above = package_above(package_of(module.name, is_package=module.is_package), level)
            if above is None:
                return None
            path = ".".join(filter(None, [above, path]))
            if not path:
                return self.modules.get(name)
        base = self.at(path)
        if not name:
            return base
        return self.member(base, name)

    def member(self, base: ModuleSymbol | Api, name: str, depth: int = 0) -> Slot | Symbol | None:
        """Return what a module holds under a name: a slot, a module or an API; None where nothing says so."""
        if isinstance(base, Api):
            return self._taken(base, name)
        cell = base.cell(name)
        if cell is not None:
            return cell
        inner = self.modules.get(f"{base.name}.{name}")
        if inner is not None:
            return inner
        if depth < _DEEPEST:
            for star in base.stars:
                found = self.member(star, name, depth + 1)
                if found is not None:
                    return found
        return self._in_package(base, name)

    def _in_package(self, base: ModuleSymbol, name: str) -> Api | None:
        """Return a name of a package whose file is one of those that are not solved."""
        return None if self._is_whole or base.bodies else self._taken(self.api(base.name), name)

    def _taken(self, base: Api, name: str) -> Api:
        """Return what a name is in a library, or in a file that is not solved and may have it from one."""
        found = base.step(name)
        return self.alias(found.path) or found

    def alias(self, path: str) -> Api | None:
        """Return the API of a library that a path into a file is which is not solved; None if it is none."""
        alias = self._aliases.get(path) if self._aliases else None
        return self.api(alias) if alias is not None else None

    def outer(self, body: Body, name: str) -> Slot | Symbol | None:
        """Return where a name is found that a body does not bind: around it, in its file, or in builtins."""
        around = body.parent
        while around is not None:
            if around.is_function and name in around.cells:
                return around.cells[name]
            around = around.parent
        return self.member(body.module, name) or self._builtin(name)

    def _builtin(self, name: str) -> Api | None:
        return self.builtins.step(name) if name in _BUILTINS else None

    # What is known without values: what classes derive from, and what decorates functions.

    def static(self, body: Body, at: int) -> Symbol | None:
        """Return the module, class, function or API that an operation certainly gives, by names alone."""
        return self._static(body, at, _Search())

    def _static(self, body: Body, at: int, search: _Search) -> Symbol | None:
        """The same in a search, which looks at each operation once: names may go round in a circle."""
        if at < 0 or search.depth > _DEEPEST:
            return None
        place = body, at
        if place not in search.found:
            search.found[place] = None
            search.depth += 1
            search.found[place] = self._looked_up(body, at, search)
            search.depth -= 1
        return search.found[place]

    def _looked_up(self, body: Body, at: int, search: _Search) -> Symbol | None:
        record = body.record
        code = record.code[at]
        if code in (BIND, COPY, ITEM):  # `Generic[T]` stands for its class
            return self._static(body, record.operand[at], search)
        if code in (CLASS, FUNCTION):
            found = body.module.bodies[record.operand[at]].symbol
            return found if isinstance(found, (ClassSymbol, FunctionSymbol)) else None
        if code == IMPORT:
            path, name = record.extra[at]
            return self._static_import(body.module, record.operand[at], path, name, search)
        if code == OUTER:
            return self._static_outer(body, record.extra[at], search)
        if code == ATTRIBUTE:
            holder = self._static(body, record.operand[at], search)
            return self._static_member(holder, record.extra[at], search) if holder is not None else None
        if code in (PHI, BOOLEAN):
            for way in record.extra[at] if code == PHI else record.extra[at][1:]:
                known = self._static(body, way, search)
                if known is not None:
                    return known
        if code == CALL:
            called = self._static(body, record.operand[at], search)
            if isinstance(called, Api) and called.path.rpartition(".")[2] == "with_metaclass":
                return self._static(body, record.extra[at][0][1], search)
        return None

    def choices(self, body: Body, at: int, depth: int = 0) -> Iterator[tuple[Body, int]]:
        """Yield what stands in a tuple or a union of types that an operation certainly gives, by names alone.

        Yields:
            Operations, each with its body: the operation itself where it gives neither.
        """
        record = body.record
        at = bound(record, at)
        code, extra = record.code[at], record.extra[at]
        parts: list[tuple[Body, int]] = []
        if code == BUILD and extra[0] == "tuple":
            parts = [(body, one) for one in extra[1:]]
        elif code == BINARY and extra[1] == "|":
            parts = [(body, record.operand[at]), (body, extra[0])]
        elif code == OUTER:
            around = self._binding(body, extra)
            stores = around.record.stores.get(extra, ())
            parts = [(around, stores[0])] if len(stores) == 1 else []
        if not parts or depth > _DEEPEST:
            yield body, at
        for holder, one in parts if depth <= _DEEPEST else ():
            yield from self.choices(holder, one, depth + 1)

    def _binding(self, body: Body, name: str) -> Body:
        """Return the body around another that binds a name which that only reads: a function or the file."""
        around = body.parent
        while around is not None and not (around.is_function and name in around.record.stores):
            around = around.parent
        return around or body.module.bodies[0]

    def named(self, body: Body, name: str) -> Symbol | None:
        """Return what a dotted name certainly stands for in the scope around a body, by names alone."""
        first, *rest = name.split(".")
        found = self._static_outer(body, first, _Search())
        for part in rest:
            if found is None:
                return None
            found = self._static_member(found, part, _Search())
        return found

    def _static_import(
        self, module: ModuleSymbol, level: int, path: str, name: str, search: _Search
    ) -> Symbol | None:
        base = self.imported(module, level, path, "")
        if isinstance(base, Slot) or base is None:
            return self.modules.get(name) if level and not path and base is None else None
        return self._static_member(base, name, search) if name else base

    def _static_outer(self, body: Body, name: str, search: _Search) -> Symbol | None:
        around = self._binding(body, name)
        if around.is_function:
            return self._static_stores(around, name, search)
        return self._static_member(body.module, name, search) or self._builtin(name)

    def _static_member(self, base: Symbol, name: str, search: _Search) -> Symbol | None:
        if isinstance(base, Api):
            return self._taken(base, name)
        if isinstance(base, FunctionSymbol):
            return None
        if isinstance(base, ClassSymbol):
            return self._static_stores(base.body, name, search)
        if base.bodies and name in base.bodies[0].record.stores:
            return self._static_stores(base.bodies[0], name, search)
        inner = self.modules.get(f"{base.name}.{name}")
        if inner is not None:
            return inner
        if search.depth > _DEEPEST:
            return None
        if not base.bodies:
            return self._in_package(base, name)
        search.depth += 1
        found = None
        for star in base.stars:
            found = self._static_member(star, name, search)
            if found is not None:
                break
        search.depth -= 1
        return found

    def _static_stores(self, body: Body, name: str, search: _Search) -> Symbol | None:
        """Return what a name of a body is bound to: the last binding of which that is known."""
        for at in reversed(body.record.stores.get(name, ())):
            found = self._static(body, at, search)
            if found is not None:
                return found
        return None


class _Search:
    """What a search by names came by.

    Attributes:
        found: what operations give; None of those that are being looked at, too.
        depth: how deep it is.
    """

    __slots__ = ("depth", "found")

    def __init__(self) -> None:
        self.found: dict[tuple[Body, int], Symbol | None] = {}
        self.depth = 0


def _mentioned(module: ModuleSymbol) -> tuple[set[str], set[str]]:
    """Return the packages of which a file imports something, and the names that it imports or reads."""
    packages, names = set(), set()
    for body in module.bodies:
        record = body.record
        extra = record.extra
        for at, code in enumerate(record.code):
            if code == ATTRIBUTE:
                names.add(extra[at])
            elif code == IMPORT:
                path, name = extra[at]
                names.add(name)
                if not record.operand[at]:
                    packages.add(path.partition(".")[0])
    return packages, names
