"""Which options the files of a project ask about that nobody passes, and the places that they keep shut.

Found out before anything else is held of the project: what all calls pass takes as much as its graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.project.member import is_package
from overhead_lint.project.module_index import module_of
from overhead_lint.project.options import OPTION, options_in, without_options
from overhead_lint.project.untouched import Lineage, Offers, Passed, Untouched, functions_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.project.member import Member
    from overhead_lint.project.spread import Site

__all__ = ["leave_alone", "left_alone"]


def left_alone(members: Mapping[str, Member]) -> dict[str, dict[str, str]]:
    """For each file those of the options that it asks about which nobody in the project passes.

    Of a file by itself nobody knows what others pass.

    Args:
        members: the files, by key.

    Returns:
        by key of the file, options by their numbers as text; files without such an option are left out.
    """
    if len(members) == 1:
        return {}
    asked: dict[str, tuple[str, ...]] = {}
    functions: set[str] = set()
    lineage, offers = Lineage(), Offers()
    for key, member in members.items():
        passing = member.content.passing()
        lineage.add(passing.classes)
        if is_package(key):
            offers.add(member.content.summary())
        if passing.options:
            asked[key] = passing.options
            functions.update(functions_in(passing.options))
        for _, tokens in passing.called:
            for token in tokens:
                if OPTION in token:
                    functions.update(functions_in(options_in(token)))
    if not asked:
        return {}
    passed = Passed(lineage.called(functions))
    for member in members.values():
        passed.add(member.content.passing().called)
        if member.name in offers.stars:
            offers.add_all(member.content.summary())
    untouched = Untouched(passed, lineage, offers.names)
    found = {
        key: {str(number): option for number, option in enumerate(options) if untouched.is_left(option)}
        for key, options in asked.items()
    }
    return {key: left for key, left in found.items() if left}


def leave_alone(
    sites: dict[str, tuple[Site, ...]], left: Mapping[str, Mapping[str, str]]
) -> dict[str, tuple[Site, ...]]:
    """Take away the places from which functions may be run that options shut which nobody passes.

    Args:
        sites: all places, by key of the function that they are in; those of functions with options are
            replaced by the open ones.
        left: options that nobody passes, by module and number.

    Returns:
        what was replaced.
    """
    before = {
        name: of_function
        for name, of_function in sites.items()
        if any(OPTION in site.why for site in of_function)
    }
    for name, of_function in before.items():
        shut = left.get(module_of(name), {})
        sites[name] = tuple(
            site._replace(why=without_options(site.why)) if OPTION in site.why else site
            for site in of_function
            if not any(number in shut for number in options_in(site.why))
        )
    return before
