"""Words in the reasons for heat by which rules, and the graph, tell what a place is part of."""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "IS_HOOK",
    "LINK",
    "NOT_SHOWN",
    "OF_AUTOGRAD",
    "OF_BATCHES",
    "OF_CALLS",
    "OF_DATA_SETS",
    "OF_STEPS",
    "TAKES_FROM_QUEUE",
]

OF_CALLS: Final = "runs on every call of the module"
"""Ends the reason of what calling a module runs."""
OF_AUTOGRAD: Final = "runs on every use of the autograd function"
"""Ends the reason of what using an autograd function runs, forward and back."""
OF_BATCHES: Final = "puts batches together by its name"
"""Ends the reason of what a loader puts the samples of a batch together with."""
OF_DATA_SETS: Final = re.compile(r".*is run in every step by \w*Dataset")
"""The reasons of functions of data sets that loaders run for each sample."""
OF_STEPS: Final = "runs on every step"
"""Ends the reason of the step of an optimizer or a scheduler."""
IS_HOOK: Final = "is a hook registered"
"""Stands in the reason of a hook, before the line that registers it."""
TAKES_FROM_QUEUE: Final = "loop that takes from the queue"
"""Begins the reason of such a loop."""
NOT_SHOWN: Final = "nothing shows that it runs in a step"
"""The reason of what is cold since nobody is seen to call it."""
LINK: Final = " -> "
"""Stands between the links of a chain: a loop, and the functions that lead to the place."""
