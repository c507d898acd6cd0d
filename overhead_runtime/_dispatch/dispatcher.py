"""Evaluates Dynamo's guards and runs the compiled code; hands everything else to stock."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from . import ambient, breaks, dict_tags, dynamo, swaps
from .entry import Entry
from .gatekeeper import Gatekeeper
from .memory import Disagreement, Memory
from .routes import MOVED, FunctionRoute, Route
from .stats import CompileStats
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .freezer import Freezer
    from .signature import Bound

Stock = Callable[[tuple[Any, ...], dict[str, Any]], Any]
Resolve = Callable[[], Route]

# Calls until a callable that could not be resolved is looked at again, at most.
_LONGEST_WAIT = 1024
_NOTHING_TO_SET = contextlib.nullcontext()
_NOTHING_COMPILED = "Dynamo compiled nothing of the frame"


def _values(bound: Bound) -> tuple[Any, ...]:
    """The values that a call is given, the bound object among them."""
    return (*bound[1], *bound[2].values())


class Dispatcher:
    """Serves the calls of one compiled callable in the mode ``guard_eval``.

    ``nested`` counts the calls that never came here.

    Args:
        guard_eval: The mode to report.
        stock: Runs a call through ``torch.compile``.
        resolve: Finds what a call runs now; raises ``Unsupported``.
        target: What stock compiles, or why that is not known: then stock serves all calls.
        memory: For "token", where states are remembered, or why they cannot be; None for the other modes.
        recursive_tags: Have guards use Dynamo's recursive dict tags.
        freezer: For "frozen", what is known while frozen; None for the other modes.
        is_outermost: Whether its calls are the user's, not those of compiled code before a graph break.
    """

    def __init__(
        self,
        guard_eval: str,
        stock: Stock,
        resolve: Resolve,
        target: dynamo.Target | Unsupported,
        memory: Memory | Unsupported | None,
        recursive_tags: bool,
        freezer: Freezer | None = None,
        is_outermost: bool = True,
    ) -> None:
        self.guard_eval = guard_eval
        self._stock = stock
        self._resolve = resolve
        self._target = target
        self._memory = None if isinstance(memory, Unsupported) else memory
        self._no_memory = str(memory) if isinstance(memory, Unsupported) else None
        self._unsupported: str | None = str(target) if isinstance(target, Unsupported) else None
        self._route: Route | None = None
        self._hits = 0
        self._misses = 0
        self._fallbacks: dict[str, int] = {}
        self.nested = 0
        self._is_outermost = is_outermost
        self._resumed = 0  # by entries that are gone
        self._failures = 0
        self._wait = 0
        self._busy = ambient.watch() if self._unsupported is None else lambda: None
        self._generations = dynamo.generation_tracker() if self._unsupported is None else None
        self._recursive_tags = recursive_tags
        self._freezer = freezer
        self.keeper: Gatekeeper | None = None
        swaps.register(self)

    def serve(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve one call. The caller has made sure that Dynamo does not see this frame.

        Args:
            args: Positional arguments, without the bound object.
            kwargs: Keyword arguments.

        Returns:
            What stock would return.
        """
        route = self._route
        freezer = self._freezer
        if freezer is not None and freezer.is_on and route is not None and self._serves_all():
            bound = route.signature.bind(route.prefix + args, kwargs)
            frozen = None if bound is None else self._frozen_entry(freezer, route, bound)
            if frozen is not None and bound is not None:
                return self._run(frozen, bound)
        reason = MOVED if route is None else route.blocked()
        if reason is MOVED:
            route = self._find_route()
            reason = str(self._unsupported) if route is None else route.blocked()
        if reason is None and route is not None:
            nothing_to_try = not route.entries and route.lull.is_settled()
            reason = _NOTHING_COMPILED if nothing_to_try else self._busy()
        if reason is not None or route is None:
            return self._fall_back(str(reason), args, kwargs)
        bound = route.signature.bind(route.prefix + args, kwargs)
        if bound is None:
            return self._fall_back("arguments do not bind", args, kwargs)
        names = bound[0]
        memory = self._memory
        own = () if memory is None else route.signature.given(bound, len(route.prefix))
        table = None if freezer is None else freezer.table()
        entries = route.entries  # Other threads replace it, and this call needs one order of them.
        for entry in entries:
            if entry.manager.cache_entry is None:
                continue
            if memory is not None and memory.recognises(entry, bound, own):
                accepted = True
            else:
                accepted = entry.check(names)
                if accepted and memory is not None and entry.refusal is None:
                    memory.learn(entry, route, bound, own)
            if accepted:
                if entry.refusal is not None:
                    return self._fall_back(entry.refusal, args, kwargs)
                if entry is not entries[0]:
                    entries = (entry, *[other for other in entries if other is not entry])
                    route.entries = entries
                if entry.autocast is None:
                    entry.autocast = ambient.autocast_keys()
                if self.keeper is not None:
                    self.keeper.update(route, entries)
                if freezer is not None and table is not None:
                    freezer.learn(table, _values(bound), entry)
                return self._run(entry, bound)
        self._misses += 1
        # Switching tags on costs more than many a frame, past the recompile limit for nothing.
        with_tags = self._recursive_tags and not route.lull.is_settled()
        with dict_tags.tags_while_compiling if with_tags else _NOTHING_TO_SET:
            result = self._stock(args, kwargs)
        if route.lull.note_miss():
            self._adopt(route)
        return result

    def _run(self, entry: Entry, bound: Bound) -> Any:
        self._hits += 1
        if self._is_outermost:
            self._generations.generation += 1  # type: ignore[union-attr]
        try:
            return entry.run(*bound[1], **bound[2])  # type: ignore[misc]
        except BaseException:
            ambient.restore_after_error(entry.autocast or ())
            raise

    def freeze(self) -> None:
        """Serve calls by their arguments alone from now on, once the guards have passed for such ones."""
        if self._freezer is not None:
            self._freezer.freeze()
            self._tell_gate(self._freezer)

    def thaw(self) -> None:
        """Evaluate the guards in every call again."""
        if self._freezer is not None:
            self._freezer.thaw()
            self._tell_gate(self._freezer)

    def _tell_gate(self, freezer: Freezer) -> None:
        if self.keeper is not None:
            self.keeper.follow(freezer)

    def _serves_all(self) -> bool:
        """Whether no gate stands before: it knows by itself what is frozen."""
        return self.keeper is None or self.keeper.refusal is not None

    def _frozen_entry(self, freezer: Freezer, route: Route, bound: Bound) -> Entry | None:
        entry = freezer.find(_values(bound))
        if entry is None or (freezer.is_due() and not self._verified(entry, route, bound[0])):
            return None
        freezer.hits += 1
        return entry

    def _verified(self, entry: Entry, route: Route, names: dict[str, Any]) -> bool:
        """Whether all that is not looked at while frozen would let the entry serve a call.

        Raises:
            Disagreement: It would not; False is for one who only looks on, whom stock has to serve.
        """
        reason = route.blocked() or self._busy()
        if reason in ambient.ONLY_WATCHED:
            return False
        if reason is MOVED:
            reason = "it runs other code by now"
        elif reason is None and entry.manager.cache_entry is None:
            reason = "Dynamo has dropped the compiled code"
        elif reason is None and not entry.check(names):
            reason = entry.failing(names)
        if reason is not None:
            raise Disagreement(f"frozen, yet something has changed: {reason}")
        return True

    def _disagree(self, run: Any, names: dict[str, Any]) -> None:
        """Say why a frozen call does not verify; called by the native gate."""
        route = self._route
        entries = () if route is None else route.entries
        for entry in entries:
            if route is not None and entry.run is run:
                self._verified(entry, route, names)
                return
        if route is not None:
            raise Disagreement("frozen, yet something has changed: Dynamo has dropped the compiled code")

    def through_gate(self, slow: Callable[..., Any], installed: Callable[[Any], None]) -> Gatekeeper:
        """Have a native gate serve the calls that it can, once there is an entry.

        Args:
            slow: Serves a call by this dispatcher.
            installed: Called with the gate when it is made.

        Returns:
            Its keeper; ``enter`` of it is the gate or ``slow``.
        """
        self.keeper = Gatekeeper(
            slow, installed, self._memory, self._freezer, self._disagree, self._is_outermost
        )
        if self._memory is not None:
            self._memory.forgotten = self.keeper.disarm
        return self.keeper

    def stats(self) -> CompileStats:
        """Counts of hits, misses and fallbacks so far."""
        nested = {"called while another torch.compile region runs": self.nested} if self.nested else {}
        memory, keeper, freezer = self._memory, self.keeper, self._freezer
        frozen = 0 if freezer is None else freezer.hits
        native_hits, native_recognised = (0, 0) if keeper is None else (keeper.hits, keeper.recognised)
        return CompileStats(
            guard_eval=self.guard_eval,
            hits=self._hits + native_hits,
            misses=self._misses,
            fallbacks={**self._fallbacks, **nested},
            entries=0 if self._route is None else len(self._route.entries),
            unsupported=self._unsupported,
            recognised=0 if memory is None else memory.hits + native_recognised,
            not_recognised=self._no_memory if memory is None else memory.refusal,
            dispatched_natively=native_hits,
            not_native=None if keeper is None else keeper.refusal,
            frozen=frozen if keeper is None else frozen + keeper.frozen,
            resumed=self._resumed + _hits_of_inner(() if self._route is None else self._route.entries),
        )

    def rests(self) -> bool:
        """Whether Dynamo has left alone what is called, and there is nothing to try."""
        route = self._route
        return route is not None and not route.entries and route.lull.is_settled()

    def hits_here(self) -> int:
        """Calls that were served by compiled code, those of what resumes later among them."""
        stats = self.stats()
        return stats.hits + stats.resumed

    def _dispatch_resumed(self, function: types.FunctionType) -> Dispatcher:
        """Make what dispatches a function that resumes after a graph break."""
        target, memory = self._target, self._memory
        assert isinstance(target, dynamo.Target)

        def resolve() -> FunctionRoute:
            return FunctionRoute(function)

        inner = Dispatcher(
            self.guard_eval,
            breaks.left_to_dynamo(function, target.callback),
            resolve,
            target,
            None if memory is None else Memory(memory.verify_every),
            self._recursive_tags,
            is_outermost=False,
        )

        def slow(*args: Any) -> Any:
            return inner.serve(args, {})

        inner.through_gate(slow, lambda gate: None)
        return inner

    def _fall_back(self, reason: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._fallbacks[reason] = self._fallbacks.get(reason, 0) + 1
        return self._stock(args, kwargs)

    def let_go(self) -> None:
        """Forget all entries; the next call looks for what there is then."""
        if self._route is not None:
            self._resumed += _hits_of_inner(self._route.entries)
        self._route = None
        if self.keeper is not None:
            self.keeper.disarm()

    def _find_route(self) -> Route | None:
        """Resolve anew; after failures only now and then, since most of them are for good."""
        self.let_go()
        if isinstance(self._target, Unsupported):
            return None
        if self._wait > 0:
            self._wait -= 1
            return None
        try:
            route = self._resolve()
        except Unsupported as error:
            self._unsupported = str(error)
            self._failures += 1
            self._wait = min(2**self._failures, _LONGEST_WAIT)
            return None
        self._unsupported = None
        self._failures = 0
        self._adopt(route)
        self._route = route
        return route

    def _adopt(self, route: Route) -> None:
        """Take over the entries that Dynamo's cache holds now; those known already are kept."""
        if isinstance(self._target, Unsupported):
            return
        known = {id(entry.manager): entry for entry in route.entries}
        live = dynamo.live_entries(route.code, self._target.backend, self._target.region)
        for one in live:
            if self._recursive_tags and id(one.manager) not in known:
                dict_tags.tags_while_compiling.add(one.manager)
        route.entries = tuple([known.get(id(one.manager)) or self._entry(one, route) for one in live])
        kept = {id(entry) for entry in route.entries}
        self._resumed += _hits_of_inner([entry for entry in known.values() if id(entry) not in kept])

    def _entry(self, compiled: dynamo.CompiledCode, route: Route) -> Entry:
        assert isinstance(self._target, dynamo.Target)
        return Entry(
            compiled, route.function, route.code, self._target, self._dispatch_resumed, self._is_outermost
        )


def _hits_of_inner(entries: Iterable[Entry]) -> int:
    return sum(inner.hits_here() for entry in entries for inner in entry.inner)
