"""What functions of a project are, and where they lead, in words."""

from __future__ import annotations

from overhead_lint.tuples import NamedTuple

__all__ = ["Site", "Traits"]


class Traits(NamedTuple):
    """What a function is, of what `overhead_lint.project.file_summary` has; most are like many others.

    In its reasons ``{}`` stands for its name.
    """

    hot: str
    kind: int  # of `hot`; of `cold` where the settings or the project say so
    by_word: bool  # of `hot`
    cold: str
    tensors: bool
    offer: int
    offered_by: int
    package: str  # that offers it, where one has to
    collates: bool
    hot_loop: str
    compiler: str
    once: bool
    naming: int
    trains: bool = False
    waits: int = 0
    without_gradients: int = 0
    asks: bool = False  # a model, by its name and what its class may be


class Site(NamedTuple):
    """A place in a function from which others may be run; see `overhead_lint.project.file_summary`."""

    targets: tuple[str, ...]
    via: int
    frequency: int
    why: str
    kind: int = 0
    options: tuple[int, ...] = ()
    is_sure: bool = False
    line: int = 0
    may_evaluate: bool = False
    is_beside_training: bool = False
