"""Copies of other libraries that lie among the files of a project: nobody imports these from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.passed_arguments import Role

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from overhead_lint.project.graph.member import Member

__all__ = ["copied"]

_IN_PACKAGES: Final = frozenset({"extern", "external", "externals", "libs", "submodules"})
"""Folders that hold copies in a package; elsewhere they may hold what a project consists of."""
_HOLDING: Final = _IN_PACKAGES | {"3rdparty", "_vendor", "third_party", "thirdparty", "vendor", "vendored"}


def copied(members: Mapping[str, Member]) -> frozenset[str]:
    """Return the keys of the files that lie in copies.

    A folder counts that lies where copies do by the names of folders, and imports nothing of the rest. If
    there is nothing else, it is the project.
    """
    inside: dict[str, dict[str, Member]] = {}
    for key, member in members.items():
        inside.setdefault(_copy_around(member), {})[key] = member
    rest = {_first(member.name) for member in inside.pop("", {}).values()}
    copies = [its for copy, its in inside.items() if rest and _is_copy(copy, its.values(), rest)]
    return frozenset().union(*copies)


def _copy_around(member: Member) -> str:
    """The outermost folder that may be a copy around a file; "" for none."""
    parts = member.folder.split(".")
    for at, part in enumerate(parts, 2):
        if part in _HOLDING:
            return ".".join(parts[:at])
    return ""


def _is_copy(copy: str, its: Collection[Member], rest: set[str]) -> bool:
    own = {name for one in its for name in (one.name, one.name.rpartition(".")[0])}
    if not _IN_PACKAGES.isdisjoint(copy.split(".")) and not any(_first(name) in rest for name in own):
        return False
    return not any(
        _first(source) in rest and source not in own
        for one in its
        for role, imports in one.content.passing().called
        if role in (Role.IMPORTED, Role.UNUSED)
        for source in [imported[1] for imported in imports]
    )


def _first(name: str) -> str:
    return name.partition(".")[0]
