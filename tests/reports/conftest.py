"""A browser for the pages that are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .browser import Browser, find

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    executable = find()
    if executable is None:
        pytest.skip("no Chromium on PATH (`make browser` installs it where apt-get may; Debian: chromium)")
    found = Browser(executable, tmp_path_factory.mktemp("browser"))
    yield found
    found.close()
