"""Reports of several runs as one: what shards of a run found, or runs over parts of a repository."""

from __future__ import annotations

import json
import re
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from overhead_lint.errors import Complaint
from overhead_lint.support.existence import why_endless
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["Form", "UnusableReport", "WrittenReport", "merged", "read"]

_SEPARATORS: Final = re.compile(r"[/\\]")  # of this system, and of the one that a report comes from

_OF_A_RUN: Final = frozenset({"level", "rank", "relatedLocations", "ruleIndex", "tier", "told_by"})
"""What a finding has by what else its run found."""

_Object = dict[str, Any]


class UnusableReport(Complaint):
    """A report that cannot be merged; the message names it, in one line."""


class Form(Enum):
    """Formats of which there is one report again when several are merged; the value is their name."""

    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"


class WrittenReport(NamedTuple):
    """A report as it was written.

    Attributes:
        form: its format.
        findings: as objects of the format.
        log: what a SARIF log holds besides; None for others.
        errors: what could not be checked, where the format has it.
    """

    form: Form
    findings: list[_Object]
    log: _Object | None = None
    errors: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the report as the run would have written it."""
        if self.form is Form.JSONL:
            return "".join(json.dumps(one) + "\n" for one in self.findings)
        return json.dumps(self.findings if self.log is None else self.log, indent=2) + "\n"


def read(path: Path) -> WrittenReport:
    """Read a report of `overhead-lint check` in one of the formats.

    Raises:
        UnusableReport: it cannot be read, is damaged, or is none.
    """
    if why := why_endless(path):
        raise UnusableReport(f"{path}: cannot be read: {why}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnusableReport(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return _parsed(data.decode("utf-8"))
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        forms = ", ".join(form.value for form in Form)
        raise UnusableReport(f"{path}: is no report of overhead-lint in a format of {forms}") from error


def _parsed(text: str) -> WrittenReport:
    """A report by its text.

    Raises:
        LookupError, TypeError, ValueError: it is none.
    """
    try:
        content = json.loads(text)
    except ValueError:
        # An object a line, and none where there are no findings.
        return WrittenReport(Form.JSONL, _findings([json.loads(line) for line in text.splitlines()]))
    if isinstance(content, list):
        return WrittenReport(Form.JSON, _findings(content))
    if "runs" not in content:
        return WrittenReport(Form.JSONL, _findings([content]))
    (run,) = content["runs"]
    (invocation,) = run["invocations"]
    driver = run["tool"]["driver"]
    if driver["name"] != "overhead-lint":
        raise ValueError(driver["name"])
    for rule in driver["rules"]:
        _text(rule["id"])
    for result in run["results"]:
        _text(result["ruleId"])
        _text(_uri(result))
    errors = tuple(_text(one["message"]["text"]) for one in invocation["toolExecutionNotifications"])
    return WrittenReport(Form.SARIF, run["results"], content, errors)


def _findings(objects: list[_Object]) -> list[_Object]:
    for one in objects:
        _text(one["code"])
        _text(one["path"])
    return objects


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _uri(result: _Object) -> str:
    return str(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])


def merged(reports: Sequence[WrittenReport], names: Sequence[str]) -> WrittenReport:
    """Return reports as one: each finding once, by file, and in a file as its report has them.

    Args:
        reports: at least one.
        names: what they are called in messages.

    Raises:
        UnusableReport: they are of several formats, or of several versions of this program.
    """
    first = reports[0]
    for name, report in zip(names, reports, strict=True):
        if report.form is not first.form:
            raise UnusableReport(f"{names[0]} is {first.form.value}, {name} is {report.form.value}")
    if first.form is not Form.SARIF:
        return WrittenReport(first.form, _union(reports, lambda one: str(one["path"])))
    return _merged_logs(reports, names)


def _union(reports: Sequence[WrittenReport], path: Callable[[_Object], str]) -> list[_Object]:
    """The findings of all; one that several reports have counts once, as often as one of them has it."""
    found: list[_Object] = []
    kept: Counter[str] = Counter()
    for report in reports:
        seen: Counter[str] = Counter()
        for one in report.findings:
            key = json.dumps({name: value for name, value in one.items() if name not in _OF_A_RUN})
            seen[key] += 1
            if seen[key] > kept[key]:
                found.append(one)
        kept |= seen
    # As folders are walked, sorted name by name.
    return sorted(found, key=lambda one: _SEPARATORS.split(path(one)))


def _has_page(rule: _Object) -> bool:
    return "markdown" in rule.get("help", ())


def _merged_logs(reports: Sequence[WrittenReport], names: Sequence[str]) -> WrittenReport:
    logs = [report.log for report in reports if report.log is not None]
    drivers = [log["runs"][0]["tool"]["driver"] for log in logs]
    for name, driver in zip(names, drivers, strict=True):
        if driver.get("version") != drivers[0].get("version"):
            raise UnusableReport(f"{names[0]} and {name} were written by different versions of overhead-lint")
    rules: dict[str, _Object] = {}
    for rule in (rule for driver in drivers for rule in driver["rules"]):
        if rule["id"] not in rules or _has_page(rule):  # only what found something comes with its page
            rules[rule["id"]] = rule
    index = {code: number for number, code in enumerate(sorted(rules))}
    results = _union(reports, lambda one: unquote(_uri(one)))
    results = [{**one, "ruleIndex": index[one["ruleId"]]} if "ruleIndex" in one else one for one in results]
    errors = tuple(dict.fromkeys(error for report in reports for error in report.errors))
    notifications = [{"level": "error", "message": {"text": error}} for error in errors]
    run = logs[0]["runs"][0]
    driver = {**drivers[0], "rules": [rules[code] for code in index]}
    run = {
        **run,
        "tool": {**run["tool"], "driver": driver},
        "invocations": [{"executionSuccessful": not errors, "toolExecutionNotifications": notifications}],
        "results": results,
    }
    return WrittenReport(Form.SARIF, results, {**logs[0], "runs": [run]}, errors)
