"""What must hold of a file that was fixed: each check gives one line for each thing that does not."""

from __future__ import annotations

import ast
import functools
import io
import itertools
import json
import re
import subprocess
import sys
import tempfile
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from overhead_lint.edits.outline import first_line
from overhead_lint.edits.strings import named_in_strings
from overhead_lint.fixing.fixer import FixResult, Lint, diff
from overhead_lint.rule import Applicability, Finding, Heat, TextEdit
from overhead_lint.syntax.source import Source

__all__ = ["Recorder", "Round", "complaints", "problems"]

Fixer = Callable[[Source], FixResult]


class Round(NamedTuple):
    """A text that the fixer linted on its way, and what was found in it."""

    source: Source
    findings: list[Finding]


class Recorder:
    """Lints, and remembers every text that it was given: the rounds of a fix."""

    def __init__(self, lint: Lint) -> None:
        self._lint = lint
        self.rounds: list[Round] = []

    def __call__(self, source: Source) -> list[Finding]:
        found = self._lint(source)
        self.rounds.append(Round(source, found))
        return found


def problems(result: FixResult, rounds: Sequence[Round], fix: Fixer, *, unsafe: bool) -> Iterator[str]:
    """What does not hold of a changed file; nothing if all is well.

    Args:
        result: what fixing it gave.
        rounds: the texts from the file as it was to the result.
        fix: fixes a source in the same way.
        unsafe: whether unsafe fixes were applied too; these may lose comments.
    """
    before = result.before
    try:
        after = Source.from_bytes(before.path, before.encode(result.after_text))
        ast.parse(after.text)
        if compiles(before.text):
            _compile(after.text)
    except (SyntaxError, ValueError) as error:
        yield f"does not compile: {error}"
        return
    again = fix(after)
    if again.changed:
        yield f"a second run changes it\n{diff(after, again.after_text)}"
    if (before.bom, before.encoding) != (after.bom, after.encoding) or after.text != result.after_text:
        yield "has another encoding or byte-order mark"
    if new := _newlines(after.text) - _newlines(before.text):
        yield f"has line ends that it had not: {sorted(new)}"
    refused = {id(failure.finding) for failure in result.failures}
    for one in result.remaining:
        wanted = one.fix is not None and (unsafe or one.fix.applicability is Applicability.SAFE)
        if wanted and id(one) not in refused:
            yield f"line {one.span.line}: {one.code} could be fixed and is left"
    for step, (old, new_round) in enumerate(itertools.pairwise(rounds), 1):
        yield from (f"round {step}: {line}" for line in _still_there(old, new_round, result.applied))
        yield from (f"round {step}: {line}" for line in _changed_elsewhere(old, new_round.source))
        yield from (f"round {step}: {line}" for line in _more_than_before(old, new_round, result.applied))
    if not unsafe:
        yield from _lost_comments(result, rounds)
    if unsafe or all(one.fix is None for one in result.remaining):  # else the run with all fixes does it
        yield from _variants(result, fix)


def compiles(text: str) -> bool:
    """Whether Python takes a text for a module."""
    try:
        _compile(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _compile(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, "fixed", "exec", dont_inherit=True)


def _newlines(text: str) -> set[str]:
    return set(re.findall(r"\r\n|\n|\r", text))


def _still_there(old: Round, new: Round, applied: Iterable[Finding]) -> Iterator[str]:
    """Codes with as many findings as before, of which some were fixed, where no other rule fixed anything.

    One that now says something else is another: of many reads in a list one may be left, of all of it. So is
    one that runs less often than what was fixed: a hoist leaves the same expression above the loop.
    """
    ids = {id(one) for one in applied}
    done = Counter(one.code for one in old.findings if id(one) in ids)
    lowest: dict[str, Heat] = {}
    for one in old.findings:
        if id(one) in ids:
            lowest[one.code] = min(one.warmth.heat, lowest.get(one.code, one.warmth.heat))
    new = new._replace(
        findings=[one for one in new.findings if one.warmth.heat >= lowest.get(one.code, Heat.COLD)]
    )
    said, says = (Counter((one.code, one.message) for one in side.findings) for side in (old, new))
    fixed = {(one.code, one.message) for one in old.findings if id(one) in ids}
    same = {one[0] for one in fixed if says[one] >= said[one]}
    had, has = (Counter(one.code for one in side.findings) for side in (old, new))
    for code in sorted(same):
        # Of two nested findings of a rule the outer one comes back without the inner one: fewer must be left.
        if has[code] >= had[code] and done.total() == done[code]:
            count = has[code]
            yield f"{code}: {had[code]} findings, {done[code]} fixed, {count} left"


def _more_than_before(old: Round, new: Round, applied: Iterable[Finding]) -> Iterator[str]:
    """Codes of which there are more after a round than before, where there are more findings in all.

    A fix may uncover what the finding that it took away spoke for: then there is one less of that.
    """
    if len(new.findings) > len(old.findings):
        ids = {id(one) for one in applied}
        done = sorted({one.code for one in old.findings if id(one) in ids})
        had, has = (Counter(one.code for one in side.findings) for side in (old, new))
        more = ", ".join(f"{code} ({count})" for code, count in (has - had).items())
        yield f"{len(old.findings)} findings became {len(new.findings)}, by fixes of {done}: more of {more}"


def _changed_elsewhere(old: Round, new: Source) -> Iterator[str]:
    """Runs of lines that belong to no edited statement and to no import, and do not stand in the result."""
    after = new.text.split("\n")
    position = 0
    for number, run in _frozen(old):
        found = next((at for at in range(position, len(after)) if after[at : at + len(run)] == run), None)
        if found is None:
            changed = next((line for line in run if line not in after[position:]), run[0])
            yield f"line {number}: what follows is changed, but is not what was fixed: {changed!r}"
            return
        position = found + len(run)


def _frozen(old: Round) -> Iterator[tuple[int, list[str]]]:
    """Lines that must come back as they are, in runs without blank ends, each with its number.

    Above the last import of the module each is a run of its own, since new imports come between them.
    """
    allowed, head = _allowed(old)
    run: list[str] = []
    lines = [*old.source.text.split("\n"), ""]
    for number, line in enumerate(lines, 1):
        if number not in allowed and (line.strip() or run):
            run.append(line)
        if number in allowed or number <= head or number == len(lines):
            while run and not run[-1].strip():
                run.pop()
            if run:
                yield number - len(run), run
            run = []


def _allowed(old: Round) -> tuple[set[int], int]:
    """Lines that fixes may change, of edited statements and of imports; and where the first code ends."""
    allowed: set[int] = set()
    tree = ast.parse(old.source.text)
    head = tree.body[1 if ast.get_docstring(tree) is not None else 0 :][:1]
    last = max([first_line(stmt) for stmt in head], default=0)
    for stmt in ast.walk(tree):
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            allowed.update(range(stmt.lineno, (stmt.end_lineno or 0) + 1))
            last = max(last, stmt.lineno if stmt in tree.body else 0)
        elif isinstance(stmt, ast.If) and not stmt.orelse and _imports_alone(stmt.body):
            allowed.update(range(stmt.lineno, stmt.body[0].lineno))  # goes with its last import
    for finding in old.findings:
        for edit in finding.fix.edits if finding.fix else ():
            if isinstance(edit, TextEdit):
                first, last = (old.source.position(at)[0] for at in (edit.start, edit.end))
                allowed.update(range(first, last + 1))
            else:
                allowed.update(_statement_lines(tree, edit.node))
    return allowed, last


def _imports_alone(body: Iterable[ast.stmt]) -> bool:
    return all(isinstance(stmt, (ast.Import, ast.ImportFrom)) for stmt in body)


def _statement_lines(tree: ast.Module, node: Any) -> Iterable[int]:
    """The lines of the statement that holds a node, only of its header if the node lies there."""
    first, last = node.lineno, node.end_lineno
    if isinstance(node, ast.stmt):
        return range(first_line(node), last + 1)
    best = range(first, last + 1)
    for stmt in _statements(tree):
        if not (first_line(stmt) <= first and last <= (stmt.end_lineno or 0)):
            continue
        body = getattr(stmt, "body", None)
        end = (stmt.end_lineno or 0) + 1
        if isinstance(body, list) and body and first_line(body[0]) > last:
            end = first_line(body[0])
        if first < end:
            best = range(first_line(stmt), max(end, last + 1))
    return best


@functools.lru_cache(maxsize=2)
def _statements(tree: ast.Module) -> list[ast.stmt]:
    return [stmt for stmt in ast.walk(tree) if isinstance(stmt, ast.stmt)]


def _lost_comments(result: FixResult, rounds: Sequence[Round]) -> Iterator[str]:
    """Comments that are gone, but for those that a finding is about: of no use, or with a code too many."""
    lost = _comments(result.before.text) - _comments(result.after_text)
    about = "\n".join(
        line
        for source, found in rounds
        for one in found
        if one.code.startswith("OVH0")
        for line in source.text.split("\n")[one.span.line - 1 : one.span.end_line]
    )
    yield from (f"lost the comment {comment}" for comment in lost if comment not in about)


def _comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def _variants(result: FixResult, fix: Fixer) -> Iterator[str]:
    """The same file in another form is fixed all the same: by turns with CRLF and a mark, and with tabs."""
    before, text = result.before, result.before.text
    if before.notebook is not None or before.encoding != "utf-8" or before.bom or "\r" in text:
        return
    if len(text) % 2 and _is_tabbed(tabbed := _tabbed(text)):
        after = fix(Source.from_bytes(before.path, tabbed.encode()))
        if not _is_tabbed(after.after_text):
            yield "is indented with blanks where it has tabs"
        return
    data = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    windows = fix(Source.from_bytes(before.path, data))
    if windows.after_text.replace("\r\n", "\n") != result.after_text:
        yield "is fixed in another way with a byte-order mark and CRLF"
    elif "\n" in windows.after_text.replace("\r\n", ""):
        yield "gets other line ends where it has CRLF"


def _tabbed(text: str) -> str:
    return re.sub(r"^(?: {4})+", lambda blanks: "\t" * (len(blanks[0]) // 4), text, flags=re.MULTILINE)


def _is_tabbed(text: str) -> bool:
    """Whether a text parses and every block of it is indented with tabs."""
    try:
        ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        return False
    return not any(" " in token.string for token in tokens if token.type == tokenize.INDENT)


def complaints(results: Sequence[FixResult]) -> Iterator[str]:
    """What ruff's pyflakes rules say of the fixed files, and did not say before."""
    with tempfile.TemporaryDirectory() as name:
        sides = {side: Path(name) / side for side in ("before", "after")}
        for side in sides.values():
            side.mkdir()
        for i, result in enumerate(results):
            (sides["before"] / f"{i}.py").write_bytes(result.before.data)
            (sides["after"] / f"{i}.py").write_bytes(result.before.encode(result.after_text))
        before, after = (_ruff(side) for side in sides.values())
    for (i, code, message), count in (after - before).items():
        if code == "F401" and _is_asked_for(results[i].after_text, message):
            continue
        yield f"{results[i].before.path}: {code} {message} ({count} more)"


def _is_asked_for(text: str, message: str) -> bool:
    """Whether the name of an import is one that strings look up, or examples of docstrings, for doctest."""
    name = message.split("`")[1].rpartition(".")[2]
    return bool(named_in_strings({name}, ast.parse(text))) or any(
        re.search(rf"\b{name}\b", line) for line in re.findall(r"(?:>>>|\.\.\.) (.*)", text)
    )


def _ruff(folder: Path) -> Counter[tuple[int, str, str]]:
    """Complaints by number of file, code and message; lines are left out, since they move."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F,E9"]
    done = subprocess.run(
        [*command, "--output-format", "json", str(folder)], capture_output=True, text=True, check=False
    )
    return Counter(
        (
            int(Path(one["filename"]).stem),
            one["code"] or "syntax",
            re.sub(r"from line \d+", "from above", one["message"]),
        )
        for one in json.loads(done.stdout)
    )
