"""What would make the calls of a compiled frame cheaper, tried on the frame itself, and ranked.

Settings and modes of `overhead_lint.runtime.compile` are tried by compiling the frame again (see
`guards_twin`), the way around guards on configuration objects by a copy of the guards without them. Savings
are differences of times taken in turn with those of the frame as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from overhead_lint.errors import class_and_message
from overhead_lint.probes import timing
from overhead_lint.probes.code_names import qualified_name
from overhead_lint.probes.guards_api import Unsupported
from overhead_lint.probes.guards_configs import without_configs
from overhead_lint.probes.guards_twin import Inputs, Nothing, NotTried, Twin, make_twin
from overhead_lint.probes.guards_wrapper import Wrapper, break_seconds, wrapper_seconds

if TYPE_CHECKING:
    from overhead_lint.probes.guards_reading import Entry

__all__ = ["Advice", "Advised", "advise", "advise_entries"]

_LEAST_SHARE: Final = 0.05
"""A saving below this share of what it is a part of is not told from noise."""
_COLD_REPEATS: Final = 3
_MOST_CALLS: Final = 4
_BETTER_MODES: Final = {"stock": ("full", "token"), "full": ("token",), "token": ()}
_FLOAT: Final = re.compile(r"\bfloat\b|isnan|== -?\d+\.\d")
_RESUMED: Final = "torch_dynamo_resume_in_"
CALL: Final = "whole calls, without kernels"
GUARDS: Final = "guards alone"
WRAPPER: Final = "guards, and an empty function's way to them"


class Advice(NamedTuple):
    """One change that saves time.

    Attributes:
        function: qualified name of the compiled function.
        file: its file.
        line: where it begins.
        change: what to do.
        rule: the rule that is about it; "" if none is.
        saves_seconds: what it saves a call, with warm caches.
        of_seconds: of how much.
        saves_cold_seconds: what it saves in one evaluation of the guards with cold caches; None if not timed.
        calls: calls of the function that were seen.
        measured: what was timed.
        note: what to think of.
    """

    function: str
    file: str
    line: int
    change: str
    rule: str
    saves_seconds: float
    of_seconds: float
    saves_cold_seconds: float | None
    calls: int
    measured: str
    note: str = ""

    def __str__(self) -> str:
        """The advice, in one line."""
        rule = f" ({self.rule})" if self.rule else ""
        return (
            f"{self.saves_seconds * 1e6:.3g} of {self.of_seconds * 1e6:.3g} us a call: {self.change}{rule}; "
            f"{self.measured}{'; ' if self.note else ''}{self.note}"
        )


@dataclass
class Advised:
    """What was found for some frames.

    Attributes:
        advice: what saves time, the most over all calls first.
        without_effect: what was tried and saves nothing that could be told from noise.
        not_tried: what could not be tried, and why.
    """

    advice: list[Advice] = field(default_factory=list)
    without_effect: list[Advice] = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)


def advise(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Advised:
    """Find what would make calls of a compiled function or module cheaper.

    Args:
        function: what `torch.compile` or `overhead_lint.runtime.compile` returned, or anything that calls
            such. It is called until an entry of the cache serves a call, four times at most; what is tried
            afterwards runs neither it nor its kernels.
        *args: inputs to call it with.
        **kwargs: keyword inputs.

    Raises:
        ProbeUnavailable: nothing compiled ran, or guards cannot be read here.
    """
    from overhead_lint.probes.api import ProbeUnavailable
    from overhead_lint.probes.guards_reading import TIMED, GuardProbe

    probe = GuardProbe(closely=True)
    probe.start(TIMED)
    try:
        for _ in range(_MOST_CALLS):
            function(*args, **kwargs)
            if any(entry.hits for entry in probe.entries()):
                break
    finally:
        reading = probe.stop()
    if why := reading.unavailable.get("guards"):
        raise ProbeUnavailable("guards", why)
    return advise_entries(probe.entries())


def advise_entries(entries: Sequence[Entry], most: int | None = None) -> Advised:
    """Find what would make calls of some frames cheaper.

    Args:
        entries: cache entries, read by a `GuardProbe` that looked closely.
        most: try the changes on so many of them only, those with the most time in guards; None for all.
    """
    found = Advised()
    served = sorted(
        (entry for entry in entries if entry.inputs is not None and not _is_rest(entry)),
        key=lambda entry: -entry.times.get("guard_time_hot", 0.0) * max(entry.hits, 1),
    )
    for entry in served[:most]:
        try:
            _advise_entry(entry, found)
        except Exception as error:  # objects of the program may have changed since, and raise anything
            found.not_tried.append(f"{_name(entry)}: {class_and_message(error)[:200]}")
    left = served[most:] if most is not None else []
    found.not_tried += [f"{_name(entry)}: only the {most} costliest frames are tried" for entry in left]
    for entry in entries:
        if entry.hits == 0:
            found.not_tried.append(f"{_name(entry)}: served no call after the one that compiled it")
        elif entry.breaks and not _is_rest(entry):
            _judge(_of_breaks(entry, entries), found)
    for kind in (found.advice, found.without_effect):
        kind.sort(key=lambda one: (-one.saves_seconds * max(one.calls, 1), one.change))
    return found


@dataclass
class _Candidate:
    change: str
    rule: str
    twin: Twin
    note: str = ""
    mode: str = ""
    """Of `overhead_lint.runtime.compile`; "" for a setting."""


def _advise_entry(entry: Entry, found: Advised) -> None:
    inputs = entry.inputs
    assert inputs is not None, "chosen by the caller"
    try:
        base = make_twin(inputs, _compiler(entry.wrapper.mode))
        candidates = [*_settings(entry, inputs, found), *_modes(entry, inputs, found)]
        without = without_configs(base.guards, base.f_locals)
    except (NotTried, Unsupported) as error:
        found.not_tried.append(f"{_name(entry)}: {error}")
        return
    _judge_candidates(entry, base, candidates, found)
    if without:
        change = f"keep {without.values} values of {without.example} and the like in attributes of the module"
        with inputs.modes():
            before, after = timing.hot_seconds_of([without.all, without.check])
            cold = [timing.cold_seconds(check, _COLD_REPEATS) for check in (without.all, without.check)]
        measured, at_most = GUARDS, "at most: each value that is kept still has one guard"
        times = before - after, before, cold[0] - cold[1]
        _judge(Advice(*_place(entry), change, "OVH305", *times, entry.hits, measured, at_most), found)


def _judge_candidates(entry: Entry, base: Twin, candidates: Sequence[_Candidate], found: Advised) -> None:
    assert entry.inputs is not None, "chosen by the caller"
    twins = [base, *(candidate.twin for candidate in candidates)]
    with entry.inputs.modes():
        guards = timing.hot_seconds_of([twin.check for twin in twins])
        cold = [timing.cold_seconds(twin.check, _COLD_REPEATS) for twin in twins]
        calls = _calls(twins)
    difference = _difference(base.count(), entry)
    for index, one in enumerate(candidates, 1):
        before, after = (calls or guards)[0], (calls or guards)[index]
        measured = CALL if calls else GUARDS
        if one.mode and not calls:
            measured = WRAPPER
            before += wrapper_seconds(entry.wrapper)
            after += wrapper_seconds(entry.wrapper._replace(mode=one.mode))
        saves_cold = None if one.mode == "token" else cold[0] - cold[index]
        note = "; ".join(part for part in (one.note, difference) if part)
        times = before - after, before, saves_cold
        _judge(Advice(*_place(entry), one.change, one.rule, *times, entry.hits, measured, note), found)


def _settings(entry: Entry, inputs: Inputs, found: Advised) -> Iterable[_Candidate]:
    """The frame compiled with other settings of Dynamo."""
    import torch

    config = torch._dynamo.config
    tried = []
    if entry.wrapper.mode == "stock":
        note = "another __class__ of a module, or another __code__ of a function, is not noticed then"
        tried.append(("use_recursive_dict_tags_for_guards", "OVH307", note))
    if any(_FLOAT.search(leaf.text) for leaf in entry.guards or ()):
        note = "each new value of a float is compiled then: a buffer serves those that change"
        tried.append(("specialize_float", "OVH306", note))
    for name, rule, note in tried:
        change = f"torch._dynamo.config.{name} = True"
        if getattr(config, name, None) is None:
            found.not_tried.append(f"{_name(entry)}: {change}: this torch has no such setting")
        elif not getattr(config, name):
            try:
                with config.patch({name: True}):
                    twin = make_twin(inputs, _compiler(entry.wrapper.mode))
            except NotTried as error:
                found.not_tried.append(f"{_name(entry)}: {change}: {error}")
            else:
                yield _Candidate(change, rule, twin, note)


def _modes(entry: Entry, inputs: Inputs, found: Advised) -> Iterable[_Candidate]:
    """The frame compiled by `overhead_lint.runtime.compile`."""
    if not entry.wrapper.kind:
        return  # Called from other compiled code, so there is no wrapper to save.
    for mode in _BETTER_MODES[entry.wrapper.mode]:
        change = f"overhead_lint.runtime.compile(..., guard_eval={mode!r})"
        try:
            twin = make_twin(inputs, _compiler(mode))
            note = _accepted(twin, mode, has_breaks=bool(entry.breaks))
        except NotTried as error:
            found.not_tried.append(f"{_name(entry)}: {change}: {error}")
        else:
            yield _Candidate(change, "OVH307", twin, note, mode)


def _accepted(twin: Twin, mode: str, *, has_breaks: bool) -> str:
    """What to say of a twin that `overhead_lint.runtime.compile` made; `NotTried` if stock serves it."""
    from overhead_runtime import compile_stats

    if has_breaks:
        raise NotTried("no copy of code with graph breaks is run")
    stats = compile_stats(twin.compiled)
    if stats.unsupported:
        raise NotTried(stats.unsupported)
    if mode == "token" and (why := stats.not_recognised or twin.why_no_call):
        raise NotTried(why)
    if twin.call is not None and not stats.hits:
        raise NotTried("; ".join(stats.fallbacks) or "no call hit")
    return f"in Python: {stats.not_native}" if stats.not_native else ""


def _compiler(mode: str) -> Callable[[Any, Nothing], Any]:
    """What compiles a function in one mode."""
    import torch

    import overhead_runtime as runtime

    def stock(target: Any, backend: Nothing) -> Any:
        return torch.compile(target, backend=backend)

    def ours(target: Any, backend: Nothing) -> Any:
        return runtime.compile(target, backend=backend, guard_eval=mode)

    return stock if mode == "stock" else ours


def _calls(twins: Sequence[Twin]) -> list[float]:
    """Seconds of a whole call of each; none where the code of one must not run."""
    calls = [twin.call for twin in twins]
    return timing.hot_seconds_of([call for call in calls if call is not None]) if all(calls) else []


def _of_breaks(entry: Entry, entries: Sequence[Entry]) -> Advice:
    """What the graph breaks of a frame cost: the ways back into compiled code, and the guards there."""
    rests = [other for other in entries if _is_rest(other) and entry.code.co_name in other.code.co_name]
    guards = sum(rest.times.get("guard_time_hot", 0.0) for rest in rests)
    cold = sum(rest.times.get("guard_time_cold", 0.0) for rest in rests)
    saved = guards + len(entry.breaks) * break_seconds()
    lines = ", ".join(str(line) for line in sorted({found.line for found in entry.breaks}))
    change = f"compile it as one graph, without its graph breaks (line {lines})"
    around = wrapper_seconds(entry.wrapper if entry.wrapper.kind else Wrapper("function"))
    whole = saved + around + entry.times.get("guard_time_hot", 0.0)
    measured = "guards of the code after the breaks, and the breaks of an empty function"
    note = "what is fused over a break comes on top"
    return Advice(*_place(entry), change, "OVH311", saved, whole, cold, entry.hits, measured, note)


def _judge(advice: Advice, found: Advised) -> None:
    helps = advice.saves_seconds > _LEAST_SHARE * advice.of_seconds
    (found.advice if helps else found.without_effect).append(advice)


def _difference(count: int, entry: Entry) -> str:
    known = len(entry.guards or ())
    return "" if count == known else f"tried on a compilation with {count} guards, the program's has {known}"


def _is_rest(entry: Entry) -> bool:
    return entry.code.co_name.startswith(_RESUMED)


def _place(entry: Entry) -> tuple[str, str, int]:
    return _name(entry), entry.code.co_filename, entry.code.co_firstlineno


def _name(entry: Entry) -> str:
    return qualified_name(entry.code)
