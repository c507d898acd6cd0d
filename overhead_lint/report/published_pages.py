"""Where the site has the pages of rules, for formats that lead there."""

from __future__ import annotations

from functools import cache
from typing import Final

__all__ = ["published_page"]

_OURS: Final = "OVH"  # no pack may take it
_LABEL: Final = "Documentation, "


@cache
def _site() -> str | None:
    """The address of the documentation's newest version; None where the metadata of this copy has none."""
    from importlib.metadata import PackageNotFoundError, metadata  # few formats lead anywhere

    try:
        addresses = metadata("overhead-lint").get_all("Project-URL") or []
    except PackageNotFoundError:  # a copy that was never installed
        return None
    found = (one.removeprefix(_LABEL) for one in addresses if one.startswith(_LABEL))
    return next((f"{address.rstrip('/')}/latest" for address in found), None)


def published_page(code: str) -> str | None:
    """Return the address of a rule's page, by its code; None where no site is known to have it."""
    site = _site() if code.startswith(_OURS) else None
    return f"{site}/rules/{code}/" if site is not None else None
