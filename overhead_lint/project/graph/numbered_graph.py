"""The functions of a project and the calls between them as numbers: heat flows along them in a moment.

Functions are counted through all modules. What one is stands in bits of its own, `COLD` and so on. An edge
is one number, too, for one thing that a place of a function may run:

    bits 13 and above   the number of the function that may be run (`TARGET`)
    bit 12              whether that is no option, but a function that hardly ever says yes (`AT_TIMES`)
    bit 11              whether it runs only in another mode than training (`BESIDE_TRAINING`)
    bit 10              whether a loop runs it whose rounds may be those of an evaluation (`MAY_EVALUATE`)
    bit 9               whether a loop runs it of which nobody knows how much a round does (`IN_ROUND`)
    bit 8               whether only an option lets it run that is off by default (`OPTIONAL`)
    bit 7               whether only an option lets it run that nobody passes (`SHUT`)
    bit 6               whether each call of a module runs it (`SURE`)
    bits 3 to 5         how often the place runs: a `Frequency` of `analysis.graph.frequency` (`FREQUENCY`)
    bits 0 to 2         how it comes to run: an `overhead_lint.project.via.Via` (`VIA`)

And so is what heat reaches: a function's number, and in the lowest three bits the heat (`HEAT_BITS`, `HEAT`).
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import STEP, once
from overhead_lint.analysis.graph.function_flags import Gradients, Staying
from overhead_lint.analysis.graph.function_names import ITEMS
from overhead_lint.analysis.graph.offer import OfferedBy, OfferKind
from overhead_lint.analysis.vocabulary import EVALUATIONS, PREDICTIONS
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.project.graph.left_options import (
    LEFT_AT_TIMES,
    LEFT_OFF,
    LEFT_ONE_ROUND,
    LEFT_UNNAMED,
    LEFT_UNPASSED,
)
from overhead_lint.project.via import Via
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from overhead_lint.project.graph.left_options import Standings
    from overhead_lint.project.graph.traits import Site, Traits

__all__ = ["Marked", "NumberedGraph", "flags_of", "flattened", "how"]

# What a function is.
COLD: Final = 1 << 0
"""It never runs in a step, whoever calls it."""
HOT: Final = 1 << 1
"""It runs in every step for what it is."""
TENSORS: Final = 1 << 2
"""It works with tensors."""
HOT_LOOP: Final = 1 << 3
"""It holds a loop whose rounds are steps."""
OFFERED: Final = 1 << 4
"""A library offers it, to be called in its users' steps."""
PRIVATELY: Final = 1 << 5
"""What it offers is for the project unless that hands it over to somebody."""
MODULE_CALL: Final = 1 << 6
"""It is hot since calling a module runs it."""
EVALUATES: Final = 1 << 7
"""It is named after an evaluation, or a step of a test or a prediction."""
PLAIN: Final = 1 << 8
"""It may be run by others than those that are known: no top level, constructor, or program."""
COMPILED: Final = 1 << 9
"""It is compiled itself, and not through a caller."""
DISABLED: Final = 1 << 10
"""The compiler is kept out of it."""
ENTRY: Final = 1 << 11
"""Users' compiled code comes in here, where their compiled code comes at all."""
SUPPORTED: Final = 1 << 12
"""Its module is written to be compiled."""
FOR_ITEMS: Final = 1 << 13
"""It is what a generator does for each item."""
ONCE: Final = 1 << 14
"""It takes itself away where it is a hook."""
STEPS: Final = 1 << 15
"""Each call takes a step of an optimizer."""
OF_DATA: Final = 1 << 16
"""A loader runs it for each sample: it is a data set's."""
UNNAMED: Final = 1 << 17
"""Nothing in the project names it, or its class."""
TRAINS: Final = 1 << 18
"""It computes gradients, or steps an optimizer."""
BY_WORD: Final = 1 << 19
"""It is hot for its name alone, and no library calls it by that."""
ANSWERS: Final = 1 << 20
"""It answers requests, each call one."""
WAITS: Final = 1 << 21
"""Each call waits for the device, whatever is mended."""
WAITS_IN_ROUNDS: Final = 1 << 22
"""Rounds of its hot loop do."""
WITHOUT_GRADIENTS: Final = 1 << 23
"""It turns gradients off."""
LOOPS_WITHOUT_GRADIENTS: Final = 1 << 24
"""Its hot loops that may be evaluations do."""

# The parts of an edge.
VIA: Final = 7
GIVEN: Final = VIA & ~(Via.HOOK ^ Via.COMPILE)
"""The bits that ways have alike by which a function is handed over: to be run in every step, or compiled."""
FREQUENCY: Final = 7 << 3
SURE: Final = 1 << 6
"""Each call of a module runs it, whatever it is given."""
SHUT: Final = 1 << 7
"""Only an option lets it run that nobody passes."""
OPTIONAL: Final = 1 << 8
"""Only an option lets it run that is off by default."""
IN_ROUND: Final = 1 << 9
"""It runs in a loop of which a round may be a step, or hold many: it calls a model itself."""
MAY_EVALUATE: Final = 1 << 10
"""It runs in a hot loop of which no round hangs on the one before."""
BESIDE_TRAINING: Final = 1 << 11
"""It runs only in another mode than training."""
AT_TIMES: Final = 1 << 12
"""Only a function lets it run that is asked and hardly ever says yes: it is `OPTIONAL` as well."""
TARGET: Final = 13
"""So many bits tell how a target is run; the others are its number."""
EDGES: Final = "q"
"""The type of an array of edges: beside `TARGET` bits, four bytes have room for 260,000 functions."""

# The parts of what heat reaches.
HEAT_BITS: Final = 3
"""So many bits are the heat; the others are the function's number."""
HEAT: Final = 7
"""The bits of the heat."""

# `forward` and `backward`: a module with a `__call__` of its own is a program more than a layer.
_ENTRIES: Final = frozenset({"backward", "forward"})
_TESTS: Final = EVALUATIONS | PREDICTIONS
_NO_USERS: Final = frozenset({"", "__init__", "main"})


_BYTE: Final = 1 << 8


def _pattern(ways: Iterable[int]) -> re.Pattern[bytes]:
    return re.compile(b"[%s]" % re.escape(bytes(ways)), re.DOTALL)


_HOT_WAYS: Final = _pattern(way for way in range(_BYTE) if way & FREQUENCY >= STEP << 3)
_GIVEN_WAYS: Final = _pattern(way for way in range(_BYTE) if way & GIVEN == Via.HOOK)


class Marked(NamedTuple):
    """Edges that are looked for in all of a graph, by their numbers.

    Attributes:
        hot: they run in each round of a hot loop.
        given: they hand over what is run in every step, or to the compiler.
    """

    hot: tuple[int, ...]
    given: tuple[int, ...]


class NumberedGraph:
    """A graph.

    Args:
        starts: the number of the first function of each module; at last how many there are.
        flags: what each function is.
        first: the number of the first edge of each function; at last how many there are.
        edges: what functions may run, in the order of their places, one number for each target.

    Its length is the number of its functions.
    """

    __slots__ = ("_marked", "edges", "first", "flags", "starts")

    def __init__(self, starts: array[int], flags: array[int], first: array[int], edges: array[int]) -> None:
        self.starts = starts
        self.flags = flags
        self.first = first
        self.edges = edges
        self._marked: Marked | None = None

    def __len__(self) -> int:
        """How many functions there are."""
        return len(self.flags)

    def of(self, function: int) -> array[int]:
        """The edges of a function."""
        return self.edges[self.first[function] : self.first[function + 1]]

    def source(self, edge: int) -> int:
        """The function that an edge begins at, by its number."""
        return bisect_right(self.first, edge) - 1

    def module(self, function: int) -> int:
        """The number of the module of a function."""
        return bisect_right(self.starts, function) - 1

    def functions(self, module: int) -> range:
        """The functions of a module."""
        return range(self.starts[module], self.starts[module + 1])

    @property
    def marked(self) -> Marked:
        """Edges that are looked for in all of it."""
        if self._marked is None:
            # Of each number the byte that tells how: few are looked for, and a pattern finds them in no time.
            size = self.edges.itemsize
            ways = self.edges.tobytes()[0 if sys.byteorder == "little" else size - 1 :: size]
            hot, given = (
                tuple([one.start() for one in of.finditer(ways)]) for of in (_HOT_WAYS, _GIVEN_WAYS)
            )
            self._marked = Marked(hot, given)
        return self._marked


def flattened(
    modules: Iterable[tuple[str, Sequence[str]]],
    numbers: Mapping[str, int],
    traits: Sequence[Traits],
    sites: Callable[[str], Mapping[str, Sequence[Site]]],
    left: Mapping[str, Standings],
    supported: Collection[str],
) -> NumberedGraph:
    """A graph as numbers.

    Args:
        modules: each with the keys of its functions, which begin with its own.
        numbers: of functions, by key, in the order that they come in.
        traits: what functions are, by number.
        sites: gives for each function of a module the places in it from which others may be run, if there
            are any.
        left: for modules what is known of their options, by the numbers of these.
        supported: modules that are written to be compiled.
    """
    starts, flags, first, edges = array("i", [0]), array("I"), array("i", [0]), array(EDGES)
    for module, keys in modules:
        starts.append(starts[-1] + len(keys))
        its_options, more = left.get(module, _NOTHING), SUPPORTED if module in supported else 0
        places = sites(module)
        for key in keys:
            flags.append(flags_of(key[len(module) :], traits[len(flags)], its_options) | more)
            for site in places.get(key, ()):
                bits = how(site, its_options, flags[-1])
                edges.extend([numbers[target] << TARGET | bits for target in site.targets])
            first.append(len(edges))
    return NumberedGraph(starts, flags, first, edges)


_NOTHING: Final[dict[int, int]] = {}
_MODULE: Final = int(ReasonKind.MODULE)
_DATA: Final = int(ReasonKind.DATA)
_REQUEST: Final = int(ReasonKind.REQUEST)
_ROUND: Final = int(ReasonKind.ROUND)
_NOT_OFFERED: Final = frozenset({OfferKind.NONE, OfferKind.OPTIMIZER_STEP})
_OF_CLASSES: Final = frozenset({_MODULE, int(ReasonKind.AUTOGRAD)})


def flags_of(name: str, traits: Traits, options: Standings) -> int:
    """What a function is, but for its module.

    Args:
        name: its name in paths.
        traits: the same in words.
        options: what is known of options of the module, by their numbers.

    Returns:
        The flags that hold, `SUPPORTED` left out.
    """
    kind, offer, compiler = traits.kind, traits.offer, traits.compiler
    last = name[name.rfind(".") + 1 :]
    flags = 0
    for flag, holds in (
        (COLD, traits.cold),
        (HOT, traits.hot and kind != _REQUEST),
        (TENSORS, traits.tensors),
        (HOT_LOOP, traits.hot_loop),
        (OFFERED, offer not in _NOT_OFFERED),
        (PRIVATELY, traits.offered_by == OfferedBy.HANDING_OVER),
        (MODULE_CALL, kind == _MODULE),
        (EVALUATES, not (_TESTS if traits.hot else EVALUATIONS).isdisjoint(words(last))),
        (PLAIN, last not in _NO_USERS),
        (COMPILED, compiler == "compiled"),
        (DISABLED, compiler == "disabled"),
        (FOR_ITEMS, last.endswith(ITEMS)),
        (ONCE, traits.once),
        (STEPS, offer == OfferKind.OPTIMIZER_STEP),
        (OF_DATA, kind == _DATA),
        (UNNAMED, options.get(traits.naming) == LEFT_UNNAMED),
        (TRAINS, traits.trains),
        (BY_WORD, traits.by_word),
        (ANSWERS, kind == _REQUEST),
        (WAITS, traits.waits & Staying.EACH_CALL),
        (WITHOUT_GRADIENTS, traits.without_gradients & Gradients.OFF),
        (LOOPS_WITHOUT_GRADIENTS, traits.without_gradients & Gradients.OFF_IN_LOOPS),
        (WAITS_IN_ROUNDS, traits.waits & Staying.EACH_ROUND),
        (ENTRY, compiler == "asking" or (kind in _OF_CLASSES and last in _ENTRIES)),
    ):
        flags |= flag if holds else 0
    return flags


def how(site: Site, options: Standings, flags: int) -> int:
    """How a place runs its targets.

    Args:
        site: the place.
        options: what is known of options of the module, by their numbers.
        flags: what the function is that the place stands in.

    Returns:
        The lower bits of the edges to these targets.
    """
    known = [options.get(option) for option in site.options]
    frequency = once(site.frequency) if LEFT_ONE_ROUND in known else site.frequency
    bits = site.via | frequency << 3 | (SURE if site.is_sure else 0)
    bits |= MAY_EVALUATE if site.may_evaluate else 0
    bits |= BESIDE_TRAINING if site.is_beside_training else 0
    if site.kind == _ROUND:
        bits |= IN_ROUND
    for left in known:
        if left == LEFT_UNPASSED:
            bits |= SHUT
        elif left == LEFT_AT_TIMES:
            bits |= OPTIONAL | AT_TIMES
        elif left == LEFT_OFF or (left == LEFT_UNNAMED and flags & UNNAMED):
            bits |= OPTIONAL
    return bits
