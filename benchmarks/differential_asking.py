"""Asks the core of the linter about places in a project, in a process of its own; for `differential_answers`.

    python differential_asking.py OUT RECORDING SUBJECT check [OPTION...] PATH...

With "" for RECORDING the project is linted once while what rules and the graph ask is noted, by patching the
methods that they ask; otherwise the questions are those that were recorded of SUBJECT. Then heat, kinds and
all else that the whole project says are known, and each question is asked once: so an answer does not depend
on who asked it when, and stays comparable when the core asks itself other questions than before.

What a new core has to offer here is a `overhead_lint.rule.Context` for each file, with what the project says
told (`contexts`), and the heat of functions by name (`functions`).
"""

from __future__ import annotations

import ast
import functools
import gzip
import importlib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from overhead_lint.cli import main as command_line
from overhead_lint.cli.part import Part
from overhead_lint.discovery.project_file import File
from overhead_lint.engine.context import FileContext
from overhead_lint.project.facts import FileFacts
from overhead_lint.project.marked_names import unmarked
from overhead_lint.rule import Warmth
from overhead_lint.support.compiled_form import is_compiled
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.examiner import facts_in_project

Place = tuple[int, int, int, int, str]
"""Line, column, end line, end column and class of a node."""


class Ask(NamedTuple):
    """A method that is asked.

    Attributes:
        owner: module and class.
        method: its name.
        question: what of `QUESTIONS` it answers.
    """

    owner: str
    method: str
    question: str


def _shown(answer: Any) -> str:
    """An answer as text that says the same in each run."""
    if isinstance(answer, Warmth):
        return f"{answer.heat.label}: {unmarked(answer.why, str)}"
    if isinstance(answer, ast.AST):
        line, column, *_, name = place_of(answer)
        return f"{line}:{column} {name}"
    if isinstance(answer, (list, tuple)):
        return " | ".join(map(_shown, answer))
    return str(getattr(answer, "name", answer)) if not isinstance(answer, str) else answer


QUESTIONS: Final[Mapping[str, Callable[[FileContext, Any], Any]]] = {
    "kind": lambda context, node: context.kind(node),
    "is_mask": lambda context, node: context.is_mask(node),
    "qualified_name": lambda context, node: context.qualified_name(node),
    "value": lambda context, node: context.value(node),
    "values": lambda context, node: context.values(node),
    "by_default": lambda context, node: repr(context.by_default(node)),
    "warmth": lambda context, node: context.warmth(node),
    "is_run_by_data": lambda context, node: context.is_run_by_data(node),
    "is_error_path": lambda context, node: context.is_error_path(node),
    "is_compiled": lambda context, node: context.is_compiled(node),
}
"""What is asked about nodes, by name."""

_BY_RULES: Final = tuple(Ask("overhead_lint.engine.context.FileContext", name, name) for name in QUESTIONS)
_BY_CORE: Final = (
    Ask("overhead_lint.project.kinds.inference.Kinds", "infer", "kind"),
    Ask("overhead_lint.project.names.Names", "qualified", "qualified_name"),
    Ask("overhead_lint.project.values.Values", "single", "value"),
    Ask("overhead_lint.project.values.Values", "at", "values"),
    Ask("overhead_lint.project.options.Options", "value", "by_default"),
    Ask("overhead_lint.project.options.Options", "by_default", "by_default"),
    Ask("overhead_lint.project.options.Options", "passed_through", "by_default"),
    Ask("overhead_lint.project.options.Options", "shut", "by_default"),
    Ask("overhead_lint.project.heat.FileHeat", "standing", "warmth"),
    Ask("overhead_lint.project.placement.Placements", "of", "warmth"),
)
"""What the graph asks; a method that is gone is asked no more, and its questions are those of rules alone."""
_NAMES: Final = (ast.Name, ast.Attribute)


def place_of(node: ast.AST) -> Place:
    """Where a node stands, and what it is; several nodes may share that, of which the first is meant."""
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1
    end = getattr(node, "end_col_offset", None) or 0
    return line, column, getattr(node, "end_lineno", None) or 0, end, type(node).__name__


class Log:
    """Notes what is asked, and how often: only what comes first, not what is asked to answer it.

    Attributes:
        asked: for each file and question how often rules and the core asked it, by place.
    """

    def __init__(self) -> None:
        self.asked: defaultdict[tuple[str, str], dict[Place, list[int]]] = defaultdict(dict)
        self._busy = False

    def listen(self) -> None:
        """Patch the methods that are asked.

        Raises:
            SystemExit: the linter runs compiled.
        """
        if is_compiled():
            sys.exit("questions can only be noted where the linter runs as Python")
        for at, asks in enumerate((_BY_RULES, _BY_CORE)):
            for one in asks:
                module, _, name = one.owner.rpartition(".")
                try:
                    owner = getattr(importlib.import_module(module), name)
                    method = getattr(owner, one.method)
                except (ImportError, AttributeError):
                    print(f"not there any more: {one.owner}.{one.method}", file=sys.stderr)
                    continue
                setattr(owner, one.method, self._listening(method, one.question, at))
        # Names know nothing of their file.
        begin = FileFacts.__init__

        @functools.wraps(begin)
        def begun(facts: FileFacts, *given: Any, **named: Any) -> None:
            begin(facts, *given, **named)
            facts.names._of = facts.path  # type: ignore[attr-defined]

        FileFacts.__init__ = begun  # type: ignore[assignment,method-assign]

    def _listening(self, method: Callable[..., Any], question: str, at: int) -> Callable[..., Any]:
        @functools.wraps(method)
        def asked(owner: Any, node: ast.AST, *given: Any) -> Any:
            if self._busy:
                return method(owner, node, *given)
            # The core asks what has no name for one all the time, and the answer is always None.
            if not at or question != "qualified_name" or isinstance(node, _NAMES):
                facts = getattr(owner, "_facts", None)
                path = facts.path if facts is not None else getattr(owner, "_of", "")
                counts = self.asked[path, question].setdefault(place_of(node), [0, 0])
                counts[at] += 1
            self._busy = True
            try:
                return method(owner, node, *given)
            finally:
                self._busy = False

        return asked

    def of(self, name: str) -> dict[str, dict[Place, list[int]]]:
        """What was asked about a file, by question."""
        return {question: self.asked.pop((name, question), {}) for question in QUESTIONS}


class Questions:
    """What was asked of a project when it was recorded.

    Args:
        recording: the file.
        subject: the project.
    """

    def __init__(self, recording: Path, subject: str) -> None:
        self._files: dict[str, dict[str, list[list[Any]]]] = {}
        begin = f'{{"subject": {json.dumps(subject, ensure_ascii=False)},'
        with gzip.open(recording, "rt", encoding="utf-8") as file:
            for line in file:
                if line.startswith(begin) and "path" in (one := json.loads(line)):
                    self._files[one["path"]] = one["answers"]

    def of(self, path: str) -> dict[str, dict[Place, list[int]]]:
        """What was asked about a file, by question."""
        answers = self._files.get(path, {})
        return {
            question: {tuple(row[:5]): row[5:7] for row in answers.get(question, ())}
            for question in QUESTIONS
        }


def contexts(part: Part) -> Iterator[tuple[str, str, FileContext]]:
    """For each checked file its path, its name in the log, and what rules may ask, with all told."""
    workspace, settings = part.workspace(), part.options.settings
    for target in part.targets:
        name = workspace._names.name(target.text)
        warmths, told = workspace.warmths(target.path), workspace.told(target.path)
        try:
            source = Source.read(target.path)
            facts = facts_in_project(source, File(name, target, checked=True), part.root, warmths, told)
        except SourceError:
            continue
        context = FileContext(source, facts, settings.runtime_module, settings.oldest_torch)
        yield Path(target.text).as_posix(), facts.path, context
        facts.release()


def functions(part: Part, path: str, context: FileContext) -> dict[str, list[Any]]:
    """The functions of a file by name: line, column, heat and the reason for it."""
    lines = {f".{one.qualname}": one.node for one in reversed(context.functions())}
    found = {}
    for name, warmth in sorted((part.workspace().warmths(Path(path)) or {}).items()):
        if not name.startswith("."):
            continue  # something else that the project tells the file
        place = place_of(lines[name])[:2] if name in lines else (0, 0)
        found[name] = [*place, warmth.heat.label, unmarked(warmth.why, str)]
    return found


def answers(context: FileContext, asked: Mapping[str, Mapping[Place, Sequence[int]]]) -> dict[str, Any]:
    """The answers to questions about a file, by question, in the order of places."""
    nodes: dict[Place, ast.AST] = {}
    if any(asked.values()):
        for node in ast.walk(context.tree):
            nodes.setdefault(place_of(node), node)
    found = {}
    for question, places in asked.items():
        rows = []
        for place, counts in sorted(places.items()):
            if place in nodes:
                try:
                    answer = _shown(QUESTIONS[question](context, nodes[place]))
                except Exception as error:
                    answer = f"{type(error).__name__}: {error}"
            else:
                answer = "no such node"
            rows.append([*place, *counts, answer])
        if rows:
            found[question] = rows
    return found


def _parts_of(arguments: Sequence[str]) -> Iterable[Part]:
    """Lint a project, and give the parts of the run with what they found out."""
    made: list[Part] = []
    begin = Part.__init__

    @functools.wraps(begin)
    def begun(part: Part, *given: Any, **named: Any) -> None:
        begin(part, *given, **named)
        made.append(part)

    Part.__init__ = begun  # type: ignore[assignment,method-assign]
    status = command_line.main(arguments)
    if status not in (0, 1, 2):
        sys.exit(status)
    return [part for part in made if part.targets]


def main(arguments: Sequence[str]) -> None:
    """Run the command line."""
    out, recording, subject, *rest = arguments
    log: Log | Questions = Questions(Path(recording), subject) if recording else Log()
    if isinstance(log, Log):
        log.listen()
    parts = _parts_of(rest)
    if isinstance(log, Log):
        log._busy = True  # nothing more is noted
    with Path(out).open("w", encoding="utf-8") as file:
        for part in parts:
            for path, name, context in contexts(part):
                asked = log.of(name if isinstance(log, Log) else path)
                told = {"path": path, "answers": answers(context, asked)}
                told["functions"] = functions(part, path, context)
                print(json.dumps(told, ensure_ascii=False), file=file)


if __name__ == "__main__":
    main(sys.argv[1:])
