"""JUnit XML, which most CI servers show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from overhead_lint.report.cost_texts import told
from overhead_lint.report.place import lines, reason, where

if TYPE_CHECKING:
    from overhead_lint.report import Report
    from overhead_lint.rule import Finding

__all__ = ["render"]

# What XML 1.0 has no way to write; paths and source text may hold it.
_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")


def render(report: Report) -> str:
    """A failed test for each finding, an error for what could not be checked; one that passed if neither."""
    suite = ET.Element("testsuite", name="overhead-lint")
    for finding in report.findings:
        _failure(suite, finding, report)
    for error in report.errors:
        case = ET.SubElement(suite, "testcase", classname="overhead-lint", name=_text(error))
        ET.SubElement(case, "error", message=_text(error))
    if not len(suite):
        ET.SubElement(suite, "testcase", classname="overhead-lint", name="no findings")
    counts = {"tests": len(suite), "failures": len(report.findings), "errors": len(report.errors)}
    for name, number in counts.items():
        suite.set(name, str(number))
    suites = ET.Element("testsuites", suite.attrib)
    suites.append(suite)
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def _failure(suite: ET.Element, finding: Finding, report: Report) -> None:
    place, line = where(finding, report.sources), lines(finding, report.sources)[0]
    name = f"{finding.code} {finding.name} {place}"
    path = _text(str(finding.path))
    case = ET.SubElement(suite, "testcase", classname=path, name=name, file=path, line=str(line))
    failure = ET.SubElement(case, "failure", message=_text(finding.message), type=finding.code)
    failure.text = _text(
        f"{finding.path}:{place}\n"
        f"heat: {finding.warmth.heat.label}: {reason(finding, report.sources)}\n"
        f"cost: {told(report.cost(finding))}\n"
        f"help: {finding.help}"
    )


def _text(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
