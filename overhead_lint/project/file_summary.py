"""What the project graph needs to know of one file: plain data, kept between runs.

A summary is made of nothing but tuples, strings and numbers, so that `marshal` takes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.function_flags import Gradients, Staying
from overhead_lint.analysis.graph.offer import OfferedBy, OfferKind
from overhead_lint.project.module_index import ClassSummary
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.graph.option import PlainOption
    from overhead_lint.analysis.graph.passed_arguments import PlainArgument, Receiver

__all__ = [
    "NOT_ASKED",
    "CallSite",
    "FileSummary",
    "FunctionSummary",
    "Passing",
    "read",
    "read_calls",
    "read_passing",
    "written",
    "written_calls",
    "written_passing",
]


NOT_ASKED: Final = -1
"""The number of an option that is asked for nowhere."""


class CallSite(NamedTuple):
    """A place in a function from which others may be run."""

    target: str
    """The path of what is run; for `Via.METHOD` the method's name."""
    via: int
    frequency: int
    """How often it runs: see `overhead_lint.analysis.graph.frequency.Frequency`."""
    why: str
    """The reason of a hot loop; "" elsewhere."""
    kind: int = 0
    """What the reason is: see `overhead_lint.api.heat_reasons.ReasonKind`."""
    options: tuple[int, ...] = ()
    """The options that keep it from running, by their numbers in the file."""
    is_sure: bool = False
    """Whether each call of a module runs it."""
    line: int = 0
    """Of the hot loop."""
    may_evaluate: bool = False
    """Whether its rounds may be those of an evaluation."""
    is_beside_training: bool = False
    """Whether it runs only in another mode than training."""


class FunctionSummary(NamedTuple):
    """A function or method, or, with the name "", a file's top level."""

    name: str
    """Its name in paths: ``.Model.forward``."""
    hot: str = ""
    """Why it runs in every step for what it is, or "": here and below ``{}`` stands for its name."""
    kind: int = 0
    """What that is: see `overhead_lint.api.heat_reasons.ReasonKind`."""
    by_word: bool = False
    """Whether that is a word in its name alone."""
    cold: str = ""
    """Why it never does, whoever calls it, or ""."""
    tensors: bool = False
    """Whether it works with tensors."""
    offer: int = int(OfferKind.NONE)
    """What a library offers with it that users call in their steps: an `OfferKind`."""
    offered_by: int = int(OfferedBy.ANYBODY)
    """Who has to offer it: an `OfferedBy`."""
    collates: bool = False
    """Whether they call it to put batches together."""
    hot_loop: str = ""
    """The hot loop in it that makes the rest of it cold, or ""."""
    returns: str = ""
    """The path of what it returns, or ""."""
    takes: tuple[str, ...] = ()
    """The parameters that it is given by place, if it calls one of them, or keeps it to be called."""
    compiler: str = ""
    """``compiled`` if its file compiles it, ``disabled`` if the compiler is kept out of it, ``asking`` if it
    or its class shows that others do, or ""."""
    once: bool = False
    """Whether it takes itself away where it is a hook."""
    naming: int = NOT_ASKED
    """The number among the options of its file of what says that it, or its class, is named; `NOT_ASKED` if
    its file names that, or nothing makes it hot but calls."""
    trains: bool = False
    """Whether it computes gradients, or steps an optimizer."""
    waits: int = int(Staying.NOWHERE)
    """Whether it waits for the device in each call, or round, whatever is mended: a `Staying`."""
    without_gradients: int = int(Gradients.ON)
    """Whether it turns gradients off: a `Gradients`."""
    calls: tuple[CallSite, ...] = ()


class Passing(NamedTuple):
    """What a file says of options: those it asks about, and what its calls pass."""

    options: tuple[PlainOption, ...] = ()
    """The options that its tests ask about, in the order of their numbers."""
    called: tuple[tuple[Receiver, tuple[PlainArgument | str, ...]], ...] = ()
    """What its calls pass, by the plain names of what they call: see `analysis.options.passing`."""
    classes: tuple[tuple[str, tuple[str, ...], bool], ...] = ()
    """Plain names of its classes, with those of their bases, and whether they have an ``__init__``."""
    defaults: tuple[tuple[str, int, str, str], ...] = ()
    """What attributes are by default: see `overhead_lint.analysis.options.attributes`."""


class FileSummary(NamedTuple):
    """What the graph needs of one file."""

    functions: tuple[FunctionSummary, ...]
    classes: tuple[ClassSummary, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    """Paths of what the top level imports, and of its instances."""
    stars: tuple[str, ...] = ()
    """Modules whose names it imports with a star."""
    patches: tuple[tuple[str, str], ...] = ()
    """Attributes of other objects that functions are put in, with the paths of these."""
    handed: tuple[tuple[str, str, str], ...] = ()
    """Functions handed to calls: path of the callee, place or keyword, path of the function."""
    gives: tuple[tuple[str, str], ...] = ()
    """Kinds of what functions give, and of what attributes and constants hold."""
    settings: tuple[tuple[str, str, int], ...] = ()
    """Global settings of torch that it makes: name, text, line."""
    passed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What its calls pass to functions of other files: `overhead_lint.project.kinds.foreign_arguments`."""
    support: str = ""
    """How it shows that its package is written to be compiled: a verb with its object, or ""."""
    passing: Passing = Passing()


def written(summary: FileSummary) -> tuple[Any, ...]:
    """A summary as `marshal` takes it, the calls of its functions and what is said of options left out."""
    functions = tuple(tuple(function[:-1]) for function in summary.functions)
    return functions, tuple(map(tuple, summary.classes)), *summary[2:-1]


def written_passing(summary: FileSummary) -> tuple[Any, ...]:
    """What a summary says of options, as `marshal` takes it."""
    return tuple(summary.passing)


def written_calls(summary: FileSummary) -> tuple[Any, ...]:
    """The calls of the functions of a summary, by name in paths, as `marshal` takes them."""
    return tuple(
        (function.name, tuple(map(tuple, function.calls))) for function in summary.functions if function.calls
    )


def read(data: tuple[Any, ...]) -> FileSummary:
    """A summary from what `written` gave: without the calls of its functions, and options."""
    functions, classes, *rest = data
    read_functions = tuple(FunctionSummary._make((*function, ())) for function in functions)
    return FileSummary._make((read_functions, tuple(map(ClassSummary._make, classes)), *rest, Passing()))


def read_passing(data: tuple[Any, ...]) -> Passing:
    """What a summary says of options, from what `written_passing` gave."""
    return Passing._make(data)


def read_calls(data: tuple[Any, ...]) -> Iterator[tuple[str, tuple[CallSite, ...]]]:
    """The calls of each function that has some, by name in paths, from what `written_calls` gave."""
    for name, calls in data:
        yield name, tuple(map(CallSite._make, calls))
