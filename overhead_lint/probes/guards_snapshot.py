"""Guards as a text that a person can review and a repository can keep.

What differs from run to run is left out: ids, addresses, paths, line numbers, the order of sets. Indices
are collapsed, so a hundred equal layers are one line with a count. What depends on the machine stands in a
block of its own, which a comparison mentions and does not count.
"""

from __future__ import annotations

import ast
import hashlib
import json
import linecache
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from overhead_lint.probes.code_names import qualified_name

if TYPE_CHECKING:
    from overhead_lint.probes.guards_reading import Entry
    from overhead_lint.probes.guards_tree import Leaf

__all__ = ["BadSnapshot", "Family", "Frame", "Snapshot", "environment", "torch_minor"]

_TITLE: Final = "overhead-lint guard snapshot, format 1"
_MOST_CHECKS: Final = 3
"""A family with more different checks than this shows the first, and a digest of all."""
_INDEX: Final = re.compile(r"(?<=[\w\])])\[(?:'\d+'|\d+)\]")  # of a subscript; ``size=[3]`` is none
_SAME: Final = r"___check_obj_id\((.*), \d+\), type="
_MASKS: Final = (
    (re.compile(r"___check_type_id\((.*), \d+\), type=(.*)"), r"type(\1) is \2"),
    (re.compile(_SAME + r"(<(?:class|built-in) .*)"), r"\1 is the same \2"),
    # Before torch 2.13 the object itself: a module with its path, a tensor with its values in some lines.
    (re.compile(_SAME + r"<(module|function) '?([^\s'>]+)[\s\S]*"), r"\1 is the same \2 \3"),
    (re.compile(_SAME + r"[\s\S]*"), r"\1 is the same object"),
    (re.compile(r"(___?check_\w+\(.*, )\d{9,}\)"), r"\1<id>)"),
    (re.compile(r"__builtins_dict___\d+"), "__builtins_dict__"),
    (re.compile(r"( at |\bid=)0x[0-9a-fA-F]{4,}"), r"\1<address>"),
    (re.compile(r"((?:G\['|\b__)\w*?)(?:_\d{9,})+(?:_c[\d/]+)?"), r"\1_<id>"),
    (re.compile(r"\s+"), " "),
)
"""What differs between processes, where Dynamo writes it; the same digits in a value of the user's stay."""
_COUNT: Final = re.compile(r"[0-9]{1,12}")  # `isdigit` also takes what `int` does not
_RESUMED_AT: Final = re.compile(r"(_resume_in_.*)_at_\d+$")
_GLOBAL_STATE: Final = "GLOBAL_STATE"
_OF_THE_MACHINE: Final = frozenset({"num_threads"})
_NOWHERE: Final = "(no user line)"


class BadSnapshot(ValueError):
    """A text that is no snapshot; the message names the file and the line."""


class Family(NamedTuple):
    """Guards of one kind on one source, for one user line.

    Attributes:
        place: the text of the user line, after the name of its file.
        kind: type of guard in Dynamo.
        source: what it looks at, indices collapsed.
        check: what must hold, ``_`` standing for the source.
    """

    place: str
    kind: str
    source: str
    check: str


@dataclass(frozen=True)
class Frame:
    """A compiled frame.

    Attributes:
        name: function and file; entries of one function are numbered.
        state: fields of the global state that it was compiled under.
        families: how many guards there are of each family.
    """

    name: str
    state: Mapping[str, str]
    families: Mapping[Family, int]


@dataclass(frozen=True)
class Snapshot:
    """Guards of the frames that were used.

    Attributes:
        torch: minor version of the torch that made the guards.
        machine: what depends on the machine.
        frames: the frames, in the order of their names.
    """

    torch: str
    machine: Mapping[str, str] = field(default_factory=dict)
    frames: tuple[Frame, ...] = ()

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Snapshot:
        """Take the guards of cache entries whose guards were read."""
        machine = environment()
        frames = []
        for name, entry in _named(entries):
            state = _state(entry.guards or ())
            machine.update({key: state.pop(key) for key in _OF_THE_MACHINE & state.keys()})
            frames.append(Frame(name, state, _families(entry.guards or ())))
        return cls(torch_minor(), machine, tuple(frames))

    @classmethod
    def parse(cls, text: str, origin: str) -> Snapshot:
        """Read what `as_text` wrote.

        Args:
            text: the text.
            origin: what to call it in an error: its path.

        Raises:
            BadSnapshot: it is none, or damaged.
        """
        return _Parser(origin).parse(text)

    def as_text(self) -> str:
        """The snapshot, the same text for the same guards."""
        lines = [f"# {_TITLE}", f"torch {self.torch}", "machine"]
        lines += [f"  {key}: {value}" for key, value in sorted(self.machine.items())]
        for frame in self.frames:
            lines += ["", f"frame {frame.name}: {sum(frame.families.values())} guards"]
            lines += [f"  state {key}: {value}" for key, value in sorted(frame.state.items())]
            place = None
            for family, count in sorted(frame.families.items()):
                if family.place != place:
                    place = family.place
                    lines.append(f"  line {place}")
                lines.append(f"    {count}  {family.kind}  {family.source}  {family.check}")
        return "\n".join(lines) + "\n"


def environment() -> dict[str, str]:
    """What a machine's guards may depend on, as far as no guard says it."""
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return {
        "devices": f"cuda x{count}" if count else "cpu",
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


def torch_minor() -> str:
    """Major and minor version of torch."""
    import torch

    return ".".join(str(torch.__version__).split("+")[0].split(".")[:2])


def _named(entries: Iterable[Entry]) -> Iterator[tuple[str, Entry]]:
    """Entries with names that stay the same over runs, sorted by them."""
    seen: Counter[str] = Counter()
    found = []
    for entry in entries:
        function = qualified_name(entry.code)
        function = _RESUMED_AT.sub(r"\1", function)
        name = f"{function} ({Path(entry.code.co_filename).name})"
        seen[name] += 1
        found.append((name if seen[name] == 1 else f"{name} #{seen[name]}", entry))
    return iter(sorted(found, key=lambda pair: pair[0]))


def _state(leaves: Iterable[Leaf]) -> dict[str, str]:
    """Fields of the global state guard, values as JSON."""
    for leaf in leaves:
        if leaf.kind == _GLOBAL_STATE and "{" in leaf.text:
            try:
                fields = json.loads(leaf.text[leaf.text.index("{") :])
            except ValueError:
                return {}
            return {key: json.dumps(value, sort_keys=True) for key, value in fields.items()}
    return {}


def _families(leaves: Iterable[Leaf]) -> dict[Family, int]:
    checks: dict[tuple[str, str, str], Counter[str]] = {}
    for leaf in leaves:
        source = _masked(leaf.source)
        check = "the state above" if leaf.kind == _GLOBAL_STATE else _check(leaf.text, leaf.source)
        checks.setdefault((_place(leaf), leaf.kind, source), Counter())[check] += 1
    found: dict[Family, int] = {}
    for (place, kind, source), counts in checks.items():
        if len(counts) <= _MOST_CHECKS:
            found.update({Family(place, kind, source, check): count for check, count in counts.items()})
        else:
            text = "\n".join(f"{check} {count}" for check, count in sorted(counts.items()))
            digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            first = f"{min(counts)}, and {len(counts) - 1} other checks ({digest})"
            found[Family(place, kind, source, first)] = counts.total()
    return found


def _place(leaf: Leaf) -> str:
    text = " ".join(linecache.getline(leaf.path, leaf.line).split()) if leaf.path else ""
    # Code that was made from a string has a file without lines; what follows the name is then nothing at all.
    return f"{Path(leaf.path).name}: {text}".rstrip() if leaf.path else _NOWHERE


def _check(text: str, source: str) -> str:
    if source and source != "L":
        text = text.replace(source, "_")
    if "{" in text:
        text = _with_sorted_sets(text)
    return _masked(text)


def _masked(text: str) -> str:
    for pattern, replacement in _MASKS:
        text = pattern.sub(replacement, text)
    return _INDEX.sub("[*]", text).strip() or "-"


def _with_sorted_sets(text: str) -> str:
    """Python code with the elements of sets in a fixed order; any other text as it is."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return text
    for node in ast.walk(tree):
        if isinstance(node, ast.Set):
            node.elts.sort(key=ast.dump)
    return ast.unparse(tree)


class _Parser:
    """Reads the lines of a snapshot."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._torch = ""
        self._machine: dict[str, str] = {}
        self._frames: list[tuple[str, dict[str, str], dict[Family, int]]] = []
        self._counts: list[str] = []  # of each frame, as its first line has it
        self._place = ""

    def parse(self, text: str) -> Snapshot:
        lines = text.splitlines()
        if not lines or lines[0] != f"# {_TITLE}":
            raise BadSnapshot(f"{self._origin}:1: no guard snapshot, or one of another version")
        for number, line in enumerate(lines[1:], 2):
            if line and not self._line(line):
                raise BadSnapshot(f"{self._origin}:{number}: not understood: {line.strip()}")
        if not self._torch:
            raise BadSnapshot(f"{self._origin}: names no torch version")
        if not self._frames:
            raise BadSnapshot(f"{self._origin}: damaged: has no frame")
        twice = [name for name, count in Counter(name for name, *_ in self._frames).items() if count > 1]
        if twice:
            raise BadSnapshot(f"{self._origin}: damaged: frame {twice[0]} stands there twice")
        for (name, _, families), said in zip(self._frames, self._counts, strict=True):
            held = f"{sum(families.values())} guards"
            if said != held:
                raise BadSnapshot(f"{self._origin}: damaged: frame {name} says {said}, and has {held}")
        return Snapshot(self._torch, self._machine, tuple(Frame(*frame) for frame in self._frames))

    def _line(self, line: str) -> bool:
        indent = len(line) - len(line.lstrip())
        word, _, rest = line.strip().partition(" ")
        if indent == 0:
            return self._head(line, word, rest)
        if not self._frames:
            key, colon, value = line.strip().partition(": ")
            self._machine[key] = value
            return bool(colon)
        _, state, families = self._frames[-1]
        if word == "state":
            key, colon, value = rest.partition(": ")
            state[key] = value
            return bool(colon)
        if word == "line":
            self._place = rest
            return True
        parts = line.strip().split("  ")
        if len(parts) != 4 or not _COUNT.fullmatch(parts[0]):
            return False
        families[Family(self._place, *parts[1:])] = int(parts[0])
        return True

    def _head(self, line: str, word: str, rest: str) -> bool:
        if word == "torch":
            self._torch = rest
        elif word == "frame" and ": " in rest:
            name, _, count = rest.rpartition(": ")
            self._frames.append((name, {}, {}))
            self._counts.append(count)
        else:
            return line == "machine"
        return True
