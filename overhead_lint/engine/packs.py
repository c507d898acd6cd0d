"""Which rules there are: the built-in ones, and those of third parties."""

from __future__ import annotations

import importlib
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overhead_lint.cache.stamps import content_hash
from overhead_lint.config.selection import coded, names, outweighs
from overhead_lint.config.unknown_rule import unknown_rule
from overhead_lint.engine.unused_suppressions import UNUSED
from overhead_lint.errors import Complaint, class_and_message, pass_interrupt_on
from overhead_lint.rule import Heat, Rule
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from importlib.metadata import EntryPoint
    from types import ModuleType

__all__ = [
    "LoadedRule",
    "NotInstalled",
    "PackError",
    "UnknownCode",
    "audited",
    "load",
    "may_have_packs",
    "named",
    "select",
    "stamp",
]

_GROUP = "overhead_lint"
# Tables of effects that packs have given in this process, with when the files changed.
_TABLES: dict[Path, int] = {}


class PackError(Complaint):
    """A rule pack that cannot be used; the message names it, in one line."""


class NotInstalled(PackError):
    """A rule pack that is asked for and not there.

    Attributes:
        pack: its name.
    """

    def __init__(self, pack: str, installed: Sequence[str]) -> None:
        there = f"installed are {', '.join(installed)}" if installed else "none is installed"
        super().__init__(f"rule pack {pack!r} is not installed: {there}")
        self.pack = pack


class UnknownCode(Complaint):
    """A selection that matches no rule; the message names the nearest code."""


class LoadedRule(NamedTuple):
    """A rule and where it comes from.

    Attributes:
        rule: the rule.
        origin: the module of a built-in rule, or the name of the pack.
        page: its Markdown page, if it has one.
    """

    rule: Rule
    origin: str
    page: Path | None = None


def load(chosen: Sequence[str] | None = None) -> tuple[LoadedRule, ...]:
    """All rules, sorted by code.

    Args:
        chosen: names of the third-party packs to load; all that are installed if None.

    Raises:
        PackError: a pack is not installed, does not import, gives something else than rules, or
            repeats a code.
    """
    by_code: dict[str, LoadedRule] = {}
    for loaded in (*_built_in(), *_third_party(chosen)):
        other = by_code.setdefault(loaded.rule.code, loaded)
        if other is not loaded:
            raise PackError(f"{loaded.rule.code} is defined twice: by {other.origin} and by {loaded.origin}")
    return tuple(by_code[code] for code in sorted(by_code))


def select(
    rules: Sequence[LoadedRule], chosen: Sequence[str], ignored: Sequence[str], *, preview: bool = False
) -> tuple[Rule, ...]:
    """The rules that a selection leaves.

    Args:
        rules: all rules.
        chosen: codes, prefixes of codes, names of rules, or ``ALL``. Without `preview`, a preview rule needs
            its full code or its name.
        ignored: the same; wins, unless a longer entry of `chosen` names the rule.
        preview: whether preview rules are like others.

    Raises:
        UnknownCode: an entry that matches no rule, or only such as need their full code.
    """
    everything = [loaded.rule for loaded in rules]
    for entry in (*chosen, *ignored):
        named(rules, entry)
    chosen, ignored = (coded(entries, lambda: codes_by_name(rules)) for entries in (chosen, ignored))
    for entry in chosen:
        meant = [rule for rule in everything if names(entry, rule.code)]
        if entry != "ALL" and not preview and all(rule.preview and rule.code != entry for rule in meant):
            codes = ", ".join(rule.code for rule in meant)
            raise UnknownCode(f"{entry} names only rules that need their full code: {codes}")
    return tuple(
        rule
        for rule in everything
        if outweighs(rule.code, chosen, ignored) and (preview or not rule.preview or rule.code in chosen)
    )


def codes_by_name(rules: Sequence[LoadedRule]) -> dict[str, str]:
    """Return the codes of rules by name."""
    return {loaded.rule.name: loaded.rule.code for loaded in rules}


def audited(rules: Sequence[LoadedRule], selected: Sequence[Rule]) -> tuple[Rule, ...]:
    """Those that are run to see which suppression comments silence something; none if that is not asked.

    Rules that are off by default are among them: another run may need the comment.
    """
    return tuple(loaded.rule for loaded in rules) if any(rule.code == UNUSED for rule in selected) else ()


def named(rules: Sequence[LoadedRule], entry: str) -> tuple[LoadedRule, ...]:
    """The rules that a code, a prefix of codes, a name, or ``ALL`` stands for, preview ones included.

    Raises:
        UnknownCode: no rule; the message names the nearest code.
    """
    meant = tuple(one for one in rules if names(entry, one.rule.code) or entry == one.rule.name)
    if not meant and entry != "ALL":
        raise UnknownCode(unknown_rule(entry, codes_by_name(rules)))
    return meant


@cache
def _built_in() -> tuple[LoadedRule, ...]:
    try:
        package = importlib.import_module("overhead_lint.rules")
    except ModuleNotFoundError as error:
        if error.name != "overhead_lint.rules":
            raise
        # A checkout keeps them in a folder beside this package, which the install puts below it.
        where = Path(__file__).parents[2]
        install = f"{sys.executable} -m pip install -e {where}"
        raise PackError(f"this checkout is not installed for the Python that runs it: `{install}`") from None
    return tuple(_rules_in(package))


def _rules_in(package: ModuleType) -> Iterator[LoadedRule]:
    for module in _modules(package):
        rule = getattr(module, "RULE", None)
        if isinstance(rule, Rule):
            page = Path(module.__file__ or "").with_suffix(".md")
            yield LoadedRule(rule, module.__name__, page if page.is_file() else None)


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """The modules of a package, by the files in its folder: pkgutil would cost start-up."""
    folder = Path(package.__path__[0])
    for name in sorted(os.listdir(folder)):  # noqa: PTH208 - names are all that is needed
        stem, dot, suffix = name.partition(".")
        if dot and suffix == "py" and stem != "__init__":
            yield importlib.import_module(f"{package.__name__}.{stem}")
        elif not dot and (folder / name / "__init__.py").is_file():
            yield from _modules(importlib.import_module(f"{package.__name__}.{name}"))


def _third_party(chosen: Sequence[str] | None) -> Iterator[LoadedRule]:
    if chosen is not None and not chosen:
        return
    if not may_have_packs():
        _check_installed(chosen or (), ())
        return
    import pluggy

    from overhead_lint import hookspecs

    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    points = _entry_points()
    _check_installed(chosen or (), [point.name for point in points])
    for point in points:
        if chosen is not None and point.name not in chosen:
            continue
        try:
            manager.register(point.load(), point.name)
        except (Exception, SystemExit) as error:  # whatever the pack's own code raises on import
            pass_interrupt_on(error)
            raise PackError(
                f"rule pack {point.name!r} ({point.value}): {class_and_message(error)}"
            ) from error
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PackError(
            f"rule pack {manager.get_name(error.plugin)!r}: {class_and_message(error)}"
        ) from error
    for name, plugin in manager.list_name_plugin():
        _add_tables(name, plugin)
        yield from _rules_of(name, plugin)


def _entry_points() -> list[EntryPoint]:
    """What installed distributions name in our entry-point group.

    Raises:
        PackError: the file of one of them, whatever its name, cannot be read.
    """
    from importlib.metadata import distributions, entry_points

    try:
        return sorted(entry_points(group=_GROUP), key=lambda point: point.name)
    except (TypeError, ValueError) as error:  # not UTF-8, or lines without a `=`
        for distribution in distributions():
            try:
                _ = distribution.entry_points
            except (TypeError, ValueError):
                where = distribution.locate_file("")
                name = f"{distribution.metadata['Name']} in {where}"
                raise PackError(
                    f"entry_points.txt of {name} cannot be read: install it anew ({class_and_message(error)})"
                ) from error
        raise PackError(f"an entry_points.txt cannot be read: {class_and_message(error)}") from error


def _check_installed(chosen: Sequence[str], installed: Sequence[str]) -> None:
    for name in chosen:
        if name not in installed:
            raise NotInstalled(name, installed)


def _add_tables(name: str, plugin: object) -> None:
    """Add the tables of effects that a pack gives, each once for the process."""
    hook = getattr(plugin, "overhead_lint_effects", None)
    if hook is None:
        return
    from overhead_lint.analysis.effects import lookup, tables

    try:
        for path in map(Path, hook()):
            changed = path.stat().st_mtime_ns
            if _TABLES.get(path) != changed:
                lookup.add(tables.read_of_pack(path))
                _TABLES[path] = changed
    except tables.TableError as error:
        raise PackError(f"rule pack {name!r}: {error}") from error
    except (
        Exception,
        SystemExit,
    ) as error:  # of the pack's own code, or of a file
        pass_interrupt_on(error)
        raise PackError(f"rule pack {name!r}: {class_and_message(error)}") from error


def _rules_of(name: str, plugin: object) -> Iterator[LoadedRule]:
    hook = getattr(plugin, "overhead_lint_rules", None)
    if hook is None:
        return
    try:
        rules = list(hook())
    except (Exception, SystemExit) as error:  # whatever the pack's own code raises
        pass_interrupt_on(error)
        raise PackError(f"rule pack {name!r}: {class_and_message(error)}") from error
    for rule in rules:
        if not isinstance(rule, Rule):
            raise PackError(f"rule pack {name!r}: {rule!r} is not an overhead_lint.rule.Rule")
        if wrong := _wrong(rule):
            raise PackError(f"rule pack {name!r}: {wrong}")
        page = _page_beside(rule)
        yield LoadedRule(rule, f"rule pack {name!r}", page)


def _wrong(rule: Any) -> str:
    """What a rule of somebody else's has of another kind than rules have; "" if nothing."""
    code, triggers = rule.code, rule.triggers
    if not isinstance(code, str) or not re.fullmatch(
        r"[A-Z]+[0-9]+", code
    ):  # comments and selections name it
        return f"{code!r} is no code, as ACM101 is one"
    if code.startswith("OVH"):
        return f"{code!r} begins with OVH, as the codes of overhead-lint do: take other letters"
    for attribute in ("name", "summary"):
        if not isinstance(getattr(rule, attribute), str):
            return f"{attribute} of {code} is no text: {getattr(rule, attribute)!r}"
    is_words = isinstance(triggers, (tuple, list)) and all(isinstance(one, bytes) and one for one in triggers)
    if not (triggers and is_words):
        return f"triggers of {code} are no byte strings, as (b'sleep',) are: {triggers!r}"
    if not isinstance(rule.heat, Heat):
        return f"heat of {code} is no Heat, as Heat.STEP is: {rule.heat!r}"
    return ""


def _page_beside(rule: Rule) -> Path | None:
    """The Markdown page next to the module that registered the rule's handlers."""
    for handlers in rule.handlers.values():
        module = sys.modules.get(handlers[0].__module__)
        page = Path(getattr(module, "__file__", None) or "").with_suffix(".md") if module else None
        if page is not None and page.is_file():
            return page
    return None


def stamp(wanted: Sequence[str] | None, loaded: Callable[[], Sequence[LoadedRule]]) -> str:
    """The rules and tables of third parties, with hashes of their files; what no cache may outlive.

    Args:
        wanted: the packs that settings name; None for all that are installed.
        loaded: gives the rules; asked only where there may be a pack.
    """
    if wanted is None and not may_have_packs():
        return ""
    found = []
    for one in loaded():
        handlers = [handler for group in one.rule.handlers.values() for handler in group]
        file = getattr(sys.modules.get(handlers[0].__module__), "__file__", None) if handlers else None
        if file and not one.origin.startswith("overhead_lint."):
            found.append((one.rule.code, one.origin, content_hash(Path(file).read_bytes())))
    tables = sorted(content_hash(path.read_bytes()) for path in _TABLES)
    return repr((found, tables) if tables else found)


def may_have_packs() -> bool:
    """Whether any installed distribution names our entry-point group.

    Importing ``importlib.metadata`` and letting it read every distribution costs more than
    linting a small file, and hardly anybody has a pack: so look for the group's bytes first.
    """
    wanted = f"[{_GROUP}]".encode()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - names are all that is needed of hundreds
        except NotADirectoryError:  # a zip file: leave it to importlib.metadata
            return True
        except OSError:
            continue
        if any(_names(f"{folder or '.'}/{name}", wanted) for name in names if name.endswith("-info")):
            return True
    return False


def _names(info: str, group: bytes) -> bool:
    """Whether a folder of a distribution's metadata names an entry-point group."""
    try:
        with open(f"{info}/entry_points.txt", "rb") as points:  # noqa: PTH123 - hundreds are opened
            return group in points.read()
    except OSError:
        return False
